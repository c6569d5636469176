//! Writes the random-turn game of a game for Storm (`.drn`) and for PRISM (`.tra` and `.lab`).
//!
//! Without a choice it is a Markov chain, with the choices of one player a Markov decision process,
//! and with those of both a stochastic game, which only `.tra` has, as PRISM-games reads it. Labels
//! say who has won: `alice`, `bob` or `draw`; `init` is the start, and
//! Bob chooses at `by_bob`.

use std::io::{self, Write};

use richman_core::{LabelledGraph, NodeData, Player, RandomTurn, Watch};

use crate::states::{BY_BOB, NextStates, State, States, end_label};

/// Bytes that are collected before they are written.
const FULL: usize = 1 << 16;

/// WrittenLines that are written together.
struct WrittenLines<'o> {
    out: &'o mut dyn Write,
    bytes: Vec<u8>,
}

impl<'o> WrittenLines<'o> {
    fn new(out: &'o mut dyn Write) -> WrittenLines<'o> {
        WrittenLines { out, bytes: Vec::with_capacity(2 * FULL) }
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.bytes.push(b'\n');
        if self.bytes.len() >= FULL { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

/// Checks that Storm's format has room for the game: play may end, and one player chooses at most.
///
/// # Errors
/// What to do otherwise.
pub(crate) fn check_drn<L: RandomTurn>(graph: &LabelledGraph<L>) -> Result<(), (Option<String>, String)> {
    if (0..graph.len()).all(|position| matches!(graph.place(position), NodeData::On(_))) {
        let reason = "play never ends in this game, and a file for Storm has labels of ends alone: write .tra and \
                      .lab, or .umb";
        return Err((None, reason.to_string()));
    }
    let states = States::of(graph, &richman_core::Unwatched).map_err(|error| (None, error.to_string()))?;
    if states.choosers().len() < Player::BOTH.len() {
        return Ok(());
    }
    let reason = "both players choose moves, and a file for Storm has the choices of one: write .tra and .lab for \
                  PRISM-games";
    Err((None, reason.to_string()))
}

/// Writes a Markov chain or decision process for Storm.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(crate) fn write_drn<L: RandomTurn>(
    graph: &LabelledGraph<L>,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    let states = States::of(graph, watch)?;
    let kind = match states.choosers()[..] {
        [] => "DTMC",
        [_] => "MDP",
        _ => return Err(io::ErrorKind::Unsupported.into()),
    };
    let mut lines = WrittenLines::new(out);
    write!(lines.bytes, "@type: {kind}\n@parameters\n\n@reward_models\n\n")?;
    write!(lines.bytes, "@nr_states\n{}\n@nr_choices\n{}\n@model\n", states.count, states.choices)?;
    states.each(watch, |State { number, end, is_start, next }| {
        write!(lines.bytes, "state {number}")?;
        let by_bob = matches!(next, NextStates::Chosen(Player::Bob, _)).then_some(BY_BOB);
        for label in is_start.then_some("init").into_iter().chain(end.map(end_label)).chain(by_bob) {
            write!(lines.bytes, " {label}")?;
        }
        lines.end_line()?;
        match next {
            NextStates::Chosen(_, targets) => {
                for (choice, to) in targets.into_iter().enumerate() {
                    write!(lines.bytes, "\taction {choice}\n\t\t{to} : 1")?;
                    lines.end_line()?;
                }
            }
            NextStates::Drawn(moves) => {
                write!(lines.bytes, "\taction 0")?;
                lines.end_line()?;
                for (to, chance) in moves {
                    write!(lines.bytes, "\t\t{to} : {chance}")?;
                    lines.end_line()?;
                }
            }
        }
        Ok(())
    })?;
    lines.flush()
}

/// Writes the transitions for PRISM; player 0 of a stochastic game is Alice.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(crate) fn write_tra<L: RandomTurn>(
    graph: &LabelledGraph<L>,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    let states = States::of(graph, watch)?;
    let choosers = states.choosers().len();
    let mut lines = WrittenLines::new(out);
    write!(lines.bytes, "{}", states.count)?;
    match choosers {
        0 => {}
        1 => write!(lines.bytes, " {}", states.choices)?,
        players => write!(lines.bytes, ":{players} {}", states.choices)?,
    }
    write!(lines.bytes, " {}", states.transitions)?;
    lines.end_line()?;
    states.each(watch, |State { number, next, .. }| {
        let owner = match next {
            NextStates::Chosen(owner, _) => owner,
            NextStates::Drawn(_) => Player::Alice,
        };
        let mut line = |choice: usize, to: u64, chance: &dyn std::fmt::Display| {
            match choosers {
                0 => write!(lines.bytes, "{number} {to} {chance}")?,
                1 => write!(lines.bytes, "{number} {choice} {to} {chance}")?,
                _ => write!(lines.bytes, "{number}:{} {choice} {to} {chance}", owner.either(0, 1))?,
            }
            lines.end_line()
        };
        match next {
            NextStates::Chosen(_, targets) => {
                targets.into_iter().enumerate().try_for_each(|(choice, to)| line(choice, to.into(), &1))
            }
            NextStates::Drawn(moves) => moves.into_iter().try_for_each(|(to, chance)| line(0, to, &chance)),
        }
    })?;
    lines.flush()
}

/// Writes the labels for PRISM.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(crate) fn write_lab<L: RandomTurn>(
    graph: &LabelledGraph<L>,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    const LABELS: [&str; 6] = ["init", "deadlock", "alice", "bob", "draw", BY_BOB];
    let mut lines = WrittenLines::new(out);
    let head: Vec<String> = LABELS.iter().enumerate().map(|(number, label)| format!("{number}=\"{label}\"")).collect();
    write!(lines.bytes, "{}", head.join(" "))?;
    lines.end_line()?;
    States::of(graph, watch)?.each(watch, |State { number, end, is_start, next }| {
        let by_bob = matches!(next, NextStates::Chosen(Player::Bob, _)).then_some(BY_BOB);
        let own = [is_start.then_some("init"), end.map(end_label), by_bob];
        let has = |(_, label): &(usize, &&str)| own.contains(&Some(**label));
        let labels: Vec<String> = LABELS.iter().enumerate().filter(has).map(|(number, _)| number.to_string()).collect();
        if labels.is_empty() {
            return Ok(());
        }
        write!(lines.bytes, "{number}: {}", labels.join(" "))?;
        lines.end_line()
    })?;
    lines.flush()
}
