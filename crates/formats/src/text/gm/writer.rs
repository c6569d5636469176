//! Writes parity games for PGSolver and Oink (`.gm`), and their solutions (`paritysol`).
//!
//! ```text
//! paritysol 2;
//! 0 0 1;
//! 1 1;
//! 2 0;
//! ```
//!
//! A line of a solution has a position, who wins from there (0 is Alice), and the winner's move if
//! the winner is the one to move. The number at the top of both files is the greatest of a
//! position.

use std::io::{self, Write};

use richman_core::{Game, Node, NodeData, ParityGraph, ParityPlace, Player, PositionKind, Watch};

use crate::form::pause;
use crate::text::syntax::WrittenLines;

/// Checks that nobody bids.
///
/// # Errors
/// The first position with a bid, and what to do.
pub(super) fn check(graph: &ParityGraph) -> Result<(), (Option<String>, String)> {
    let has_bid =
        |&position: &Node| matches!(graph.place(position), NodeData::On(ParityPlace { kind: PositionKind::Bid, .. }));
    match (0..graph.len()).find(has_bid) {
        None => Ok(()),
        Some(position) => {
            let reason = "the players bid for the move, and for PGSolver one player moves at every position: write \
                          the game as .json or .richman, or give the position a \"kind\"";
            Err((Some(graph.name_of(position).into_owned()), reason.to_string()))
        }
    }
}

/// The numbers of positions.
struct GmNumbers<'g> {
    graph: &'g ParityGraph,
    /// Whether the names are numbers.
    are_names: bool,
    greatest: u32,
}

impl<'g> GmNumbers<'g> {
    fn of(graph: &'g ParityGraph) -> GmNumbers<'g> {
        let mut numbers = (0..graph.len()).map(|position| graph.numeral(position).filter(|&number| number < u32::MAX));
        let greatest = numbers.try_fold(0, |greatest: u32, number| Some(greatest.max(number?)));
        GmNumbers { graph, are_names: greatest.is_some(), greatest: greatest.unwrap_or(graph.len() - 1) }
    }

    fn get(&self, position: Node) -> u32 {
        if self.are_names { self.graph.numeral(position).unwrap_or(position) } else { position }
    }

    /// Writes the number of a position.
    fn push(&self, lines: &mut Vec<u8>, position: Node) {
        const MOST_DIGITS: usize = 10;
        let mut digits = [0; MOST_DIGITS];
        let (mut first, mut number) = (MOST_DIGITS, self.get(position));
        loop {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        lines.extend_from_slice(&digits[first..]);
    }

    /// The name in quotes, if it may stand there.
    fn quoted(&self, position: Node) -> Option<String> {
        let name = Some(self.graph.name_of(position)).filter(|_| !self.are_names)?;
        (name.is_ascii() && !name.contains('"')).then(|| format!(" \"{name}\""))
    }
}

/// Writes a game in which nobody bids.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(super) fn write(graph: &ParityGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
    let numbers = GmNumbers::of(graph);
    let mut lines = WrittenLines::new(out);
    writeln!(lines.bytes, "parity {};", numbers.greatest)?;
    if graph.start() != 0 {
        writeln!(lines.bytes, "start {};", numbers.get(graph.start()))?;
    }
    for position in 0..graph.len() {
        pause(watch, "writing positions", position, graph.len())?;
        let (priority, owner) = match graph.place(position) {
            // A loop with a priority that the winner likes.
            NodeData::End(winner) => (winner.either(0, 1), winner),
            NodeData::On(ParityPlace { kind: PositionKind::Bid, .. }) => {
                return Err(io::ErrorKind::Unsupported.into());
            }
            NodeData::On(ParityPlace { priority, kind: PositionKind::Owned(owner) }) => (priority.0, owner),
        };
        numbers.push(&mut lines.bytes, position);
        write!(lines.bytes, " {priority} {} ", owner.either(0, 1))?;
        let moves = graph.numbered_moves(position, owner);
        if moves.len() == 0 {
            numbers.push(&mut lines.bytes, position);
        }
        for (at, step) in moves.enumerate() {
            if at > 0 {
                lines.bytes.push(b',');
            }
            numbers.push(&mut lines.bytes, step.to);
            lines.flush_if_full()?;
        }
        write!(lines.bytes, "{};", numbers.quoted(position).unwrap_or_default())?;
        lines.end_line()?;
    }
    lines.flush()
}

/// Writes who wins from every position of a parity game in which nobody bids, and the winner's
/// move if there is a choice and it is known. Positions have the numbers that
/// [`AnyGraph::write`](crate::AnyGraph::write) gives them in `.gm`.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
///
/// ```
/// use richman_core::{Effort, Player, Unwatched};
/// use richman_formats::{AnyGraph, Reading, read_game, write_winners};
/// let mut text = &b"parity 1; 0 2 0 0,1; 1 1 1 1;"[..];
/// let AnyGraph::Parity(game) = read_game("two.gm", &mut text, &Reading::within(Effort::default()))? else { panic!() };
/// let winner = |position| if position == 0 { (Player::Alice, Some(0)) } else { (Player::Bob, Some(1)) };
/// let mut solution = Vec::new();
/// write_winners(&game, winner, &mut solution, &Unwatched)?;
/// assert_eq!(String::from_utf8(solution)?, "paritysol 1;\n0 0 0;\n1 1 1;\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_winners(
    graph: &ParityGraph,
    winner: impl Fn(Node) -> (Player, Option<Node>),
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    let numbers = GmNumbers::of(graph);
    let mut lines = WrittenLines::new(out);
    writeln!(lines.bytes, "paritysol {};", numbers.greatest)?;
    for position in 0..graph.len() {
        pause(watch, "writing positions", position, graph.len())?;
        let (winner, to) = winner(position);
        numbers.push(&mut lines.bytes, position);
        lines.bytes.extend_from_slice(winner.either(b" 0", b" 1"));
        // Where the game has ended, the loop.
        let to = if graph.place(position).end().is_some() { Some(position) } else { to };
        if let Some(to) = to {
            lines.bytes.push(b' ');
            numbers.push(&mut lines.bytes, to);
        }
        lines.bytes.push(b';');
        lines.end_line()?;
    }
    lines.flush()
}
