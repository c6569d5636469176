//! Random games that are unfolded, written and read again have the same positions, moves, names and
//! labels.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use richman_core::{
    ByPlayer, Effort, Error, Game, GraphMove, GraphPosition, LabelledGraph, NodeData, Player, PositionKind, Scores,
    Terminal, Unfolding, Unwatched, Watch, WinLose, unfold,
};
use richman_formats::{FileObjective, FormatError, GameWriter, Reading, WrittenGame, read_game};

const GAMES: u64 = 2_000;

/// A small generator of numbers.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub fn number(&mut self) -> i64 {
        self.below(7) as i64 - 3
    }

    /// A name of a position: short, or of any characters.
    pub fn position(&mut self, at: usize) -> String {
        match self.below(4) {
            0 => format!("\"{at}\\ \u{e9}\u{1f600}"),
            1 => format!("{at} {}", "x".repeat(1 + self.below(900))),
            _ => format!("p{at}"),
        }
    }
}

/// Moves of one player to some of the targets, some with names. Several may lead to one position.
pub fn moves<L: FileObjective>(
    dice: &mut Dice,
    targets: &[String],
    least: usize,
    label: impl Fn(&mut Dice) -> L::Move,
) -> Vec<GraphMove<L>> {
    let mut moves: Vec<GraphMove<L>> = Vec::new();
    let count = least + dice.below(4);
    for at in 0..count {
        let to = targets[dice.below(targets.len())].clone();
        let name = (dice.below(2) == 0).then(|| format!("m{at}"));
        let step = GraphMove { to, label: label(dice), name };
        if !moves.contains(&step) {
            moves.push(step);
        }
    }
    moves
}

pub fn described(dice: &mut Dice) -> Option<String> {
    (dice.below(2) == 0).then(|| "who \"wins\" where\u{2026}".to_string())
}

pub fn win_lose(dice: &mut Dice) -> WrittenGame<WinLose> {
    let count = 2 + dice.below(8);
    let names: Vec<String> = (0..count).map(|at| dice.position(at)).collect();
    let ends = [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw];
    let position = |(at, name): (usize, &String)| {
        let is_end = at > 0 && dice.below(3) == 0;
        let owner = [None, None, Some(Player::Alice), Some(Player::Bob)][dice.below(4)];
        let kind = owner.map_or(PositionKind::Bid, PositionKind::Owned);
        let data = if is_end { NodeData::End(ends[dice.below(3)]) } else { NodeData::On(kind) };
        let moves = ByPlayer::from_fn(|player| match is_end || owner == Some(player.other()) {
            true => Vec::new(),
            false => moves(dice, &names, 1, |_| ()),
        });
        GraphPosition { name: name.clone(), data, moves }
    };
    let positions = names.iter().enumerate().map(position).collect();
    WrittenGame { name: "win".into(), description: described(dice), start: names[0].clone(), positions }
}

pub fn scoring(dice: &mut Dice) -> WrittenGame<Scores> {
    let count = 2 + dice.below(8);
    let names: Vec<String> = (0..count).map(|at| dice.position(at)).collect();
    let position = |(at, name): (usize, &String)| {
        let is_end = at + 1 == count || (at > 0 && dice.below(4) == 0);
        let data = if is_end {
            NodeData::End(dice.number())
        } else {
            NodeData::On(ByPlayer::new(dice.number(), dice.number()))
        };
        // Only forwards: play must not return to a position.
        let mut moves =
            || if is_end { Vec::new() } else { moves(dice, &names[at + 1..], 0, |dice: &mut Dice| dice.number()) };
        let moves = ByPlayer::new(moves(), moves());
        GraphPosition { name: name.clone(), data, moves }
    };
    let positions = names.iter().enumerate().map(position).collect();
    WrittenGame { name: "score".into(), description: described(dice), start: names[0].clone(), positions }
}

fn read<L: FileObjective>(text: &[u8]) -> LabelledGraph<L> {
    let read = read_game("written.json", &mut &text[..], &Reading::within(Effort::default())).unwrap();
    read.played_for("written.json").unwrap()
}

fn written<L: FileObjective>(graph: &LabelledGraph<L>) -> Vec<u8> {
    let unfolded = unfold(graph.clone(), graph.start(), &Effort::default()).unwrap();
    let writer = GameWriter::new(Box::new(unfolded), graph.description(), &Effort::default()).unwrap();
    let mut text = Vec::new();
    writer.write(&mut text, &Unwatched).unwrap();
    text
}

/// Writes the game and reads it again; every position that can follow and every move is the same.
fn check<L: FileObjective>(game: &WrittenGame<L>) {
    let graph = game.graph().unwrap();
    let again: LabelledGraph<L> = read(game.to_json().as_bytes());
    assert_eq!(WrittenGame::from(&again), *game);
    let text = written(&graph);
    let again: LabelledGraph<L> = read(&text);
    assert_eq!(written(&again), text, "the file of a file is the same file");
    let unfolded = unfold(graph.clone(), graph.start(), &Effort::default()).unwrap();
    assert_eq!((again.name(), again.description()), (game.name.clone(), game.description.clone()));
    assert_eq!(again.notation(&again.start()), game.start);
    let mut positions = again.positions();
    assert_eq!(positions.len(), unfolded.arena().len());
    for (node, position) in unfolded.arena().nodes().zip(&mut positions) {
        assert_eq!(position.name, unfolded.notation(node));
        let given = game.positions.iter().find(|given| given.name == position.name).unwrap();
        let mut given = given.clone();
        // A name that is the target's is left out.
        for step in given.moves.iter_mut().flatten() {
            step.name = step.name.take().filter(|name| *name != step.to);
        }
        assert_eq!(*position, given);
    }
    let reread = unfold(again.clone(), again.start(), &Effort::default()).unwrap();
    for node in unfolded.arena().nodes() {
        for player in Player::BOTH {
            assert_eq!(reread.moves(node, player), unfolded.moves(node, player));
            assert!(reread.arena().labelled(node, player).eq(unfolded.arena().labelled(node, player)));
        }
        assert_eq!(reread.arena().data(node), unfolded.arena().data(node));
    }
}

#[test]
fn random_games_are_written_and_read_unchanged() {
    let mut seen = HashSet::new();
    for seed in 1..=GAMES {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let game = win_lose(&mut dice);
        seen.insert(game.positions.len());
        check(&game);
        check(&scoring(&mut dice));
    }
    assert!(seen.len() > 5, "{seen:?}");
}

fn coin() -> WrittenGame<WinLose> {
    let text = br#"{"name": "coin", "start": "toss", "positions": {"heads": {"winner": "alice"},
        "tails": {"winner": "bob"}, "toss": {"alice": ["heads", "toss"], "bob": ["tails"]}}}"#;
    WrittenGame::parse("coin.json", text, &Effort::default()).unwrap()
}

/// A game whose names no file can have, or not these.
fn refused(change: impl FnOnce(&mut WrittenGame<WinLose>)) -> FormatError {
    let mut game = coin();
    change(&mut game);
    let graph = game.graph().unwrap();
    let unfolded = unfold(graph.clone(), graph.start(), &Effort::default()).unwrap();
    GameWriter::new(Box::new(unfolded), graph.description(), &Effort::default()).err().unwrap()
}

#[test]
fn what_could_not_be_read_is_not_written() {
    let long = "x".repeat(1001);
    let rename = |game: &mut WrittenGame<WinLose>, name: &str| {
        game.positions[1].name = name.to_string();
        game.positions[2].moves.bob[0].to = name.to_string();
    };
    let name = |game: &mut WrittenGame<WinLose>, name: &str| {
        game.positions[2].moves.alice[0].name = Some(name.to_string());
    };
    for (error, expected) in [
        (refused(|game| rename(game, &long)), "its name is longer than 1000 characters"),
        (refused(|game| rename(game, "a\tb")), "its name contains the control character"),
        (refused(|game| name(game, &long)), "the name of a move is longer than 1000 characters"),
        (refused(|game| name(game, "a ")), "the name of a move begins or ends with a space"),
        (refused(|game| game.description = Some("a\nb".into())), "the description contains the control character"),
        (refused(|game| game.description = Some("a".repeat(2001))), "the description is longer than 2000"),
    ] {
        let message = error.to_string();
        assert!(message.starts_with("coin") && message.contains(expected), "{message}");
    }
}

/// The name of a game is only a label, so a long one is shortened.
#[test]
fn a_long_name_of_a_game_is_shortened() {
    let game = WrittenGame { name: "é".repeat(5000), ..coin() };
    let again: LabelledGraph<WinLose> = read(&written(&game.graph().unwrap()));
    assert_eq!(again.name(), "é".repeat(997) + "...");
}

/// Says stop from the second time it is asked.
#[derive(Default)]
pub struct Impatient(AtomicBool);

impl Watch for Impatient {
    fn cancelled(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }
}

#[test]
fn writing_stops() {
    let names: Vec<String> = (0..5000).map(|at| format!("p{at}")).collect();
    let position = |(at, name): (usize, &String)| {
        let to = |to: usize| vec![(names[to.min(4999)].clone(), ()).into()];
        let data = if at == 4999 { NodeData::End(Terminal::Draw) } else { NodeData::On(PositionKind::Bid) };
        let moves = if at == 4999 { ByPlayer::default() } else { ByPlayer::new(to(at + 1), to(at + 1)) };
        GraphPosition { name: name.clone(), data, moves }
    };
    let positions: Vec<GraphPosition> = names.iter().enumerate().map(position).collect();
    let graph = LabelledGraph::<WinLose>::new("path", "p0", &positions).unwrap();
    let unfolded = || Box::new(unfold(graph.clone(), 0, &Effort::default()).unwrap());
    let watch = Impatient::default();
    let error = GameWriter::new(unfolded(), None, &Effort::watched(&watch)).err().unwrap();
    assert!(matches!(&error, FormatError::Stopped { error, .. } if **error == Error::Cancelled), "{error}");
    let writer = GameWriter::new(unfolded(), None, &Effort::default()).unwrap();
    let mut text = Vec::new();
    assert!(writer.write(&mut text, &Impatient::default()).is_err());
    assert!((100..200_000).contains(&text.len()), "{}", text.len());
    let effort = Effort { memory: 1, ..Effort::default() };
    let error = GameWriter::new(unfolded(), None, &effort).err().unwrap().to_string();
    assert!(error.contains("writing the moves of one position needs"), "{error}");
}
