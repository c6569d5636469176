//! Parity games of PGSolver and Oink, the format `.gm`.
//!
//! ```text
//! parity 2;
//! 0 1 0 0,1 "gate";
//! 1 2 1 0,2;
//! 2 0 1 1;
//! ```
//!
//! Each position has a number, a priority, an owner (0 is Alice, who wins if the greatest priority
//! that recurs forever is even; 1 is Bob), its successors, and perhaps a name in quotes, which is
//! ignored because it need not be unique. `parity N;` and `start N;` may come before. Without a
//! start, play begins at the first position. Two slashes begin a comment, up to the end of the
//! line.
//!
//! A line of a solution (`paritysol`) has a position, its winner, and the winner's move if the
//! winner moves there. The number at the top of both files is the greatest number of a position.
//!
//! ```text
//! paritysol 2;
//! 0 0 1;
//! 1 1;
//! 2 0;
//! ```

use std::io::{self, Read, Write};

use richman_core::{
    BuiltMove, ByPlayer, Game, GraphBuilder, Node, NodeData, Parity, ParityGraph, ParityLabel, Player, PositionKind,
    Priority, Watch, did_you_mean,
};

use super::syntax::WrittenLines;
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::form::{Form, NoRoom, Start, name_of, pause};
use crate::moves::{distinct, growing_bytes, reuse};
use crate::objectives::order_for;
use crate::reading::Reading;
use crate::source::ByteSource;

/// Parity games without bids, for PGSolver and Oink.
pub(crate) struct GmForm;

impl Form for GmForm {
    /// No game file in JSON begins like this.
    fn recognises(&self, start: &Start) -> bool {
        start.first().is_some_and(|first| matches!(first.to_ascii_lowercase(), b'p' | b's' | b'0'..=b'9'))
    }

    fn has_comments(&self) -> bool {
        true
    }

    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
        let mut words = Words { source: ByteSource::new(source, reader, reading), line: 1, line_start: 0 };
        let other =
            |objective| words.bad(format!("a .gm file has priorities alone, so its objective is not {objective}"));
        let order = order_for::<Parity>(reading.objective).map_err(other)?;
        let (mut builder, mut start, mut first) = (GraphBuilder::<Parity>::numerals(), None, None);
        let mut moves: Vec<BuiltMove> = Vec::new();
        let held = |builder: &GraphBuilder<Parity>, moves: &_| builder.bytes().saturating_add(growing_bytes(moves));
        while let Some(byte) = words.peek()? {
            if byte.is_ascii_alphabetic() {
                let word = words.word()?;
                let number = words.number("a number", u32::MAX)?;
                match word.to_ascii_lowercase().as_str() {
                    "parity" => {}
                    "start" => start = Some(number),
                    _ => {
                        let meant = did_you_mean(&word, ["parity", "start"]);
                        let reason = "write parity, start or a position";
                        return Err(words.bad(format!("{:?} is unknown{meant}: {reason}", excerpt(&word))));
                    }
                }
                words.end()?;
                continue;
            }
            let name = words.number("the number of a position", MOST)?;
            let priority = order.usual(Priority(words.number("a priority", order.most())?));
            let owner = words.number("an owner, 0 for Alice or 1 for Bob,", 1)?;
            reuse(&mut moves);
            loop {
                let to = words.number("the number of a position that follows", MOST)?;
                moves.push(to.into());
                words.source.check(|| held(&builder, &moves))?;
                if words.peek()? != Some(b',') {
                    break;
                }
                words.source.skip();
            }
            if words.peek()? == Some(b'"') {
                words.quoted()?;
            }
            words.end()?;
            distinct(&mut moves);
            first.get_or_insert(name);
            let owner = Player::BOTH[owner as usize];
            let data = NodeData::On(ParityLabel { priority, kind: PositionKind::Owned(owner) });
            let moves_of = ByPlayer::from_fn(|player| if player == owner { &moves[..] } else { &[] });
            builder.position(name, data, moves_of.map(|moves| moves.iter().copied()));
            words.source.check(|| held(&builder, &moves))?;
        }
        words.source.check_now(held(&builder, &moves))?;
        let start = start.or(first).unwrap_or_default().to_string();
        let name = name_of(source, "parity");
        if order.is_least {
            builder.lower_priorities();
        }
        builder.build(&name, &start).map(AnyGraph::Parity).map_err(FormatError::not_a_game(source))
    }

    /// Nobody bids.
    fn check(&self, graph: &AnyGraph) -> Result<(), NoRoom> {
        let AnyGraph::Parity(graph) = graph else {
            return Err((None, "only games with priorities can be written for PGSolver".to_string()));
        };
        let has_bid = |&position: &Node| {
            matches!(graph.data(position), NodeData::On(ParityLabel { kind: PositionKind::Bid, .. }))
        };
        match (0..graph.len()).find(has_bid) {
            None => Ok(()),
            Some(position) => {
                let reason = "the players bid for the move, and for PGSolver one player moves at every position: write \
                              the game as .json or .richman, or give the position a \"kind\"";
                Err((Some(graph.name_of(position).into_owned()), reason.to_string()))
            }
        }
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        let AnyGraph::Parity(graph) = graph else { return Err(io::ErrorKind::Unsupported.into()) };
        let numbers = GmNumbers::of(graph);
        let mut lines = WrittenLines::new(out);
        writeln!(lines.bytes, "parity {};", numbers.greatest)?;
        if graph.start() != 0 {
            writeln!(lines.bytes, "start {};", numbers.get(graph.start()))?;
        }
        for position in 0..graph.len() {
            pause(watch, "writing positions", position, graph.len())?;
            let (priority, owner) = match graph.data(position) {
                // A loop with a priority of the winner.
                NodeData::End(winner) => (winner.either(0, 1), winner),
                NodeData::On(ParityLabel { kind: PositionKind::Bid, .. }) => {
                    return Err(io::ErrorKind::Unsupported.into());
                }
                NodeData::On(ParityLabel { priority, kind: PositionKind::Owned(owner) }) => (priority.0, owner),
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
}

/// The greatest number of a position.
const MOST: u32 = u32::MAX - 1;

/// The words and signs of a text, with the place for messages.
struct Words<'a> {
    source: ByteSource<'a>,
    line: usize,
    /// The bytes before the line.
    line_start: u64,
}

impl Words<'_> {
    fn bad(&self, reason: String) -> FormatError {
        let column = (self.source.done() - self.line_start) as usize + 1;
        FormatError::bad_value(self.source.file, Some((self.line, column)), reason)
    }

    /// The next byte that is not white space.
    #[inline]
    fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        loop {
            match self.source.peek()? {
                Some(b'\n') => {
                    self.source.skip();
                    self.line += 1;
                    self.line_start = self.source.done();
                }
                Some(byte) if byte.is_ascii_whitespace() => self.source.skip(),
                Some(b'/') => self.comment()?,
                other => return Ok(other),
            }
        }
    }

    /// Skips a comment, up to the end of its line.
    #[cold]
    fn comment(&mut self) -> Result<(), FormatError> {
        self.source.skip();
        if self.source.peek()? != Some(b'/') {
            return Err(self.bad("a comment begins with two slashes".to_string()));
        }
        while self.source.peek()?.is_some_and(|byte| byte != b'\n') {
            self.source.skip();
        }
        Ok(())
    }

    fn word(&mut self) -> Result<String, FormatError> {
        const LONGEST: usize = 32;
        let mut word = String::new();
        while let Some(byte) = self.source.peek()?.filter(|byte| byte.is_ascii_alphabetic() && word.len() < LONGEST) {
            word.push(byte.into());
            self.source.skip();
        }
        Ok(word)
    }

    /// A number after white space.
    #[inline]
    fn number(&mut self, what: &str, most: u32) -> Result<u32, FormatError> {
        /// Fewer digits than the greatest number has.
        const SHORT: usize = 9;
        let ahead = self.source.ahead();
        let space = usize::from(ahead.first() == Some(&b' '));
        let digits = &ahead[space..];
        let (mut number, mut count) = (0, 0);
        while count <= SHORT && digits.get(count).is_some_and(u8::is_ascii_digit) {
            number = 10 * number + u64::from(digits[count] - b'0');
            count += 1;
        }
        if (1..=SHORT).contains(&count) && count < digits.len() && number <= u64::from(most) {
            self.source.skip_ahead(space + count);
            return Ok(number as u32);
        }
        self.number_at_length(what, most)
    }

    /// The same for a number that is long, invalid, after more white space, or split between
    /// pieces.
    #[cold]
    fn number_at_length(&mut self, what: &str, most: u32) -> Result<u32, FormatError> {
        let mut number = None;
        self.peek()?;
        while let Some(digit) = self.source.peek()?.filter(u8::is_ascii_digit) {
            let next = u64::from(number.unwrap_or(0)) * 10 + u64::from(digit - b'0');
            let fits = u32::try_from(next).ok().filter(|next| *next <= most);
            number = Some(fits.ok_or_else(|| self.bad(format!("{what} is at most {most}")))?);
            self.source.skip();
        }
        number.ok_or_else(|| self.bad(format!("here should be {what}")))
    }

    /// Skips a name in quotes.
    fn quoted(&mut self) -> Result<(), FormatError> {
        self.source.skip();
        loop {
            let byte = self.source.peek()?;
            match byte {
                None | Some(b'\n') => return Err(self.bad("a name has no quote at its end".to_string())),
                Some(_) => self.source.skip(),
            }
            if byte == Some(b'"') {
                return Ok(());
            }
        }
    }

    /// The semicolon after a position.
    fn end(&mut self) -> Result<(), FormatError> {
        if self.peek()? != Some(b';') {
            return Err(self.bad("here should be a semicolon".to_string()));
        }
        self.source.skip();
        Ok(())
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

    /// The name in quotes, if allowed there.
    fn quoted(&self, position: Node) -> Option<String> {
        let name = Some(self.graph.name_of(position)).filter(|_| !self.are_names)?;
        (name.is_ascii() && !name.contains('"')).then(|| format!(" \"{name}\""))
    }
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
        // At an end, the loop.
        let to = if graph.data(position).end().is_some() { Some(position) } else { to };
        if let Some(to) = to {
            lines.bytes.push(b' ');
            numbers.push(&mut lines.bytes, to);
        }
        lines.bytes.push(b';');
        lines.end_line()?;
    }
    lines.flush()
}

#[cfg(test)]
mod tests {
    use richman_core::{Effort, Game};

    use super::*;
    use crate::forms::read_game;

    const TOWERS: &str = "parity 2;\nstart 1;\n0 1 0 0,1 \"a gate; or two\";\n1 2 1 0,2,2 ;2 0 1 1;";

    fn game(text: &str) -> Result<AnyGraph, String> {
        read_game("towers.gm", &mut text.as_bytes(), &Reading::within(Effort::default()))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn positions_owners_and_priorities_are_read() {
        let AnyGraph::Parity(graph) = game(TOWERS).unwrap() else { panic!("a parity game") };
        assert_eq!((graph.name(), graph.notation(&graph.start())), ("towers".to_string(), "1".to_string()));
        let positions = graph.positions();
        let label = |at: usize| match positions[at].data {
            richman_core::NodeData::On(ParityLabel { priority, kind }) => (priority.0, kind),
            _ => panic!("nothing ends"),
        };
        let labels = [(1, Player::Alice), (2, Player::Bob), (0, Player::Bob)];
        assert_eq!([0, 1, 2].map(label), labels.map(|(priority, owner)| (priority, PositionKind::Owned(owner))));
        let to: Vec<&str> = positions[1].moves.bob.iter().map(|step| step.to.as_str()).collect();
        assert_eq!((to, positions[1].moves.alice.len()), (vec!["0", "2"], 0));
    }

    /// A reader that returns this many bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let (now, later) = self.0.split_at(self.0.len().min(self.1).min(into.len()));
            into[..now.len()].copy_from_slice(now);
            self.0 = later;
            Ok(now.len())
        }
    }

    #[test]
    fn numbers_may_be_cut_into_pieces_and_follow_any_white_space() {
        let text = "parity  4123456789;\nstart\t4123456789;\n 7 0000000000012 0\t\n123456789 ,\r\n 7;\n\
                    123456789 3 1 4123456789,7;4123456789 1048576 1 7;";
        let read = |size: usize| {
            let read = read_game("cut.gm", &mut Pieces(text.as_bytes(), size), &Reading::within(Effort::default()));
            let AnyGraph::Parity(graph) = read.unwrap() else { panic!("a parity game") };
            (graph.notation(&graph.start()), graph.positions())
        };
        let (start, whole) = read(usize::MAX);
        let names: Vec<&str> = whole.iter().map(|position| position.name.as_str()).collect();
        assert_eq!((start.as_str(), names), ("4123456789", vec!["7", "123456789", "4123456789"]));
        let to = |at: usize| whole[at].moves.iter().flatten().map(|step| step.to.as_str()).collect::<Vec<_>>();
        assert_eq!([0, 1, 2].map(to), [vec!["123456789", "7"], vec!["4123456789", "7"], vec!["7"]]);
        for size in 1..12 {
            assert_eq!(read(size), (start.clone(), whole.clone()), "{size} bytes at a time");
        }
    }

    #[test]
    fn what_is_no_game_is_refused_with_its_place() {
        for (text, words) in [
            ("parity", "line 1, column 7: here should be a number"),
            ("parity 1;", "there are no positions"),
            ("party 1; 0 0 0 0;", "\"party\" is unknown"),
            ("parity 1;\n0 0 0;", "line 2, column 6: here should be the number of a position that follows"),
            ("parity 1; 0 0 2 0;", "an owner, 0 for Alice or 1 for Bob, is at most 1"),
            ("parity 1; 0 9999999 0 0;", "a priority is at most 1048576"),
            ("parity 1; 0 -1 0 0;", "here should be a priority"),
            ("parity 1; 99999999999 0 0 0;", "at most 4294967294"),
            ("parity 1; 0 0 0 0", "here should be a semicolon"),
            ("parity 1; 0 0 0 0 \"a", "no quote at its end"),
            ("parity 1; 0 0 0 1;", "\"1\", which is not a position"),
            ("parity 1; 0 0 0 0; 0 0 0 0;", "given twice"),
            ("parity 1; start 7; 0 0 0 0;", "the start \"7\" is not a position"),
            ("parity 1; 0 0 0 0 \u{e9};", "here should be a semicolon"),
        ] {
            let error = game(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        let little = Reading::within(Effort { memory: 1 << 10, ..Effort::default() });
        let many = (0..5000).fold("parity 9;".to_string(), |text, at| format!("{text}\n{at} 0 0 {at};"));
        let error = read_game("many.gm", &mut many.as_bytes(), &little).unwrap_err();
        assert!(matches!(error, FormatError::Stopped { .. }), "{error}");
    }
}
