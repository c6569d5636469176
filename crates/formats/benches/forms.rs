//! Reads a parity game of a million positions and ten million moves in every form, and a Markov
//! chain of as many states and transitions. Compares time with reading the bytes alone, and memory
//! with what `docs/game-file.md` states.
//!
//! `cargo bench -p richman-formats --bench forms`; a number after `--` sets the positions. Every
//! form must give the same game.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use richman_core::{Effort, Game, Player, Probability, Unwatched};
use richman_formats::{AnyGraph, GameForm, Reading, read_game};

/// Moves of each position.
const MOVES: u32 = 10;
/// Bytes that are stated for a position and for a move.
const OF_A_POSITION: u64 = 60;
const OF_A_MOVE: u64 = 4;
/// Bytes that are stated for the chance of a move.
const OF_A_CHANCE: u64 = 16;
/// Bytes of a move in the arrays of `.umb`: its target and its chance.
const OF_ITS_ARRAYS: u64 = 24;
/// The most memory, as a multiple of what is stated: a list that grows is held twice at last.
const MOST_MEMORY: f64 = 1.5;
/// The most nanoseconds for a move in `.gm` and in the binary form.
const MOST_NANOSECONDS: f64 = 250.0;
/// Each time is the minimum of this many runs.
const ROUNDS: usize = 7;

fn main() {
    let positions = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(1_000_000);
    let folder = tempfile::tempdir().unwrap();
    let path = |form: GameForm| folder.path().join("large").with_extension(form.extension());
    write(&path(GameForm::Gm), positions).unwrap();
    let graph = read(&path(GameForm::Gm));
    for form in [GameForm::Binary, GameForm::Json] {
        let began = Instant::now();
        let mut out = BufWriter::new(File::create(path(form)).unwrap());
        graph.write(form, &mut out, &Unwatched).unwrap();
        out.flush().unwrap();
        println!("{form}: written in {:.2?}", began.elapsed());
    }
    drop(graph);
    for form in [GameForm::Gm, GameForm::Binary, GameForm::Json] {
        measure(form, &path(form), positions, check);
    }
    write_chain(&path(GameForm::Drn), positions).unwrap();
    measure(GameForm::Drn, &path(GameForm::Drn), positions, check_chain);
    let chain = read(&path(GameForm::Drn));
    let mut out = BufWriter::new(File::create(path(GameForm::Umb)).unwrap());
    chain.write(GameForm::Umb, &mut out, &Unwatched).unwrap();
    out.flush().unwrap();
    drop((chain, out));
    measure(GameForm::Umb, &path(GameForm::Umb), positions, check_chain);
}

/// The targets of a position's moves.
fn targets(position: u32, positions: u32) -> impl Iterator<Item = u32> {
    let mixed = move |at: u32| (position ^ at.wrapping_mul(0x9e37_79b9)).wrapping_mul(2_654_435_761);
    (0..MOVES).map(move |at| ((u64::from(mixed(at)) * u64::from(positions)) >> 32) as u32)
}

fn write(path: &Path, positions: u32) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "parity {};", positions - 1)?;
    for position in 0..positions {
        let to: Vec<String> = targets(position, positions).map(|to| to.to_string()).collect();
        writeln!(out, "{position} {} {} {};", position % 7, position % 2, to.join(","))?;
    }
    out.flush()
}

/// The different targets of a state.
fn chain_targets(state: u32, states: u32) -> impl Iterator<Item = u32> {
    (0..MOVES).map(move |at| (state + 1 + at * (states / MOVES)) % states)
}

/// A Markov chain that ends at its last state.
fn write_chain(path: &Path, states: u32) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "@type: DTMC\n@nr_states\n{states}\n@model")?;
    for state in 0..states {
        let label = if state == 0 { " init" } else { "" };
        let label = if state + 1 == states { " alice" } else { label };
        writeln!(out, "state {state}{label}\n\taction 0")?;
        chain_targets(state, states).try_for_each(|to| writeln!(out, "\t\t{to} : 1/{MOVES}"))?;
    }
    out.flush()
}

/// Compares the chain with what was written, and counts the transitions.
fn check_chain(graph: &AnyGraph, states: u32) -> u64 {
    let AnyGraph::Stochastic(graph) = graph else { panic!("a game with chance") };
    assert_eq!(graph.len(), states);
    let chance = Probability::new(1, MOVES.into());
    for state in 0..states - 1 {
        // In `.umb` they are in order.
        let sorted = |mut moves: Vec<_>| {
            moves.sort_unstable();
            moves
        };
        let moves = graph.numbered_moves(state, Player::Alice).map(|step| (step.to, Some(step.label)));
        let written = chain_targets(state, states).map(|to| (to, chance));
        assert_eq!(sorted(moves.collect()), sorted(written.collect()));
    }
    u64::from(states - 1) * u64::from(MOVES)
}

fn read(path: &Path) -> AnyGraph {
    read_game("large.gm", &mut File::open(path).unwrap(), &Reading::within(Effort::default())).unwrap()
}

fn measure(form: GameForm, path: &Path, positions: u32, check: impl Fn(&AnyGraph, u32) -> u64) {
    let length = fs::metadata(path).unwrap().len();
    // Earlier work set the peak; Linux resets it on request.
    let before = fs::write("/proc/self/clear_refs", "5").ok().and_then(|()| peak());
    let graph = read(path);
    let held = peak().zip(before).map(|(after, before)| after.saturating_sub(before));
    let moves = check(&graph, positions);
    drop(graph);
    let bytes = least(|| {
        let (mut file, mut piece, mut count) = (File::open(path).unwrap(), vec![0; 1 << 16], 0);
        while let read @ 1.. = file.read(&mut piece).unwrap() {
            count += read as u64;
        }
        assert_eq!(count, length);
    });
    let took = least(|| drop(std::hint::black_box(read(path))));
    let of_a_move = OF_A_MOVE
        + match form {
            GameForm::Drn => OF_A_CHANCE,
            GameForm::Umb => OF_A_CHANCE + OF_ITS_ARRAYS,
            _ => 0,
        };
    let stated = OF_A_POSITION * u64::from(positions) + of_a_move * moves;
    let nanoseconds = took.as_nanos() as f64 / moves as f64;
    println!(
        "{form}: {positions} positions, {moves} moves, {} million bytes: read in {took:.2?} ({nanoseconds:.0} ns a \
         move, {:.0} times the bytes alone in {bytes:.2?}); memory {} MB, {} stated",
        length / 1_000_000,
        took.as_secs_f64() / bytes.as_secs_f64(),
        held.map_or("not known".to_string(), |held| (held / 1_000_000).to_string()),
        stated / 1_000_000,
    );
    if form != GameForm::Json {
        assert!(nanoseconds <= MOST_NANOSECONDS, "{form}: {nanoseconds:.0} ns a move");
        let most = stated as f64 * MOST_MEMORY;
        assert!(held.is_none_or(|held| held as f64 <= most), "{form}: {held:?} bytes held");
    }
}

/// Compares the game with what was written, and counts the moves.
fn check(graph: &AnyGraph, positions: u32) -> u64 {
    let AnyGraph::Parity(graph) = graph else { panic!("a parity game") };
    assert_eq!((graph.len(), graph.notation(&(positions - 1))), (positions, (positions - 1).to_string()));
    let mut moves = 0;
    for position in 0..positions {
        let owner = Player::BOTH[(position % 2) as usize];
        let mut expected: Vec<u32> = Vec::new();
        targets(position, positions).for_each(|to| {
            if !expected.contains(&to) {
                expected.push(to)
            }
        });
        assert!(graph.numbered_moves(position, owner).map(|step| step.to).eq(expected), "position {position}");
        moves += graph.numbered_moves(position, owner).len() as u64;
    }
    moves
}

fn least(mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    (0..ROUNDS).map(time).min().unwrap_or_default()
}

/// The peak memory of this process in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}
