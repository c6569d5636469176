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
//! that comes back for ever is even; 1 is Bob), the positions that follow, and perhaps a name in
//! quotes, which is ignored, as it need not be unique. `parity N;` and `start N;` may come before.
//! Without a start, play begins at the first position.

use std::io::{BufRead, BufReader, Read};

use richman_core::{
    BuiltMove, BuiltPosition, ByPlayer, Error, GraphBuilder, ParityPlace, Player, PositionKind, Priority,
};

use crate::error::excerpt;
use crate::game_reader::distinct;
use crate::{AnyGraph, FileGoal, FileLocation, FormatError, PriorityOrder, Reading};

/// Positions between two looks at the watch.
const PACE: usize = 1 << 12;

/// Reads a game; `source` is the file name for messages.
pub(crate) fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let mut words = Words { source, reader: BufReader::with_capacity(1 << 16, reader), line: 1, column: 0, done: 0 };
    let order = match reading.goal {
        None => PriorityOrder::USUAL,
        Some(FileGoal::Parity(order)) => order,
        Some(goal) => return Err(words.bad(format!("a .gm file has priorities alone, so its objective is not {goal}"))),
    };
    let (mut builder, mut start, mut first) = (GraphBuilder::default(), None, None);
    let mut moves: Vec<BuiltMove> = Vec::new();
    let stopped = |error: Error| FormatError::Stopped { file: source.to_string(), error: Box::new(error) };
    let check = |words: &Words, builder: &GraphBuilder, moves: &Vec<BuiltMove>| {
        if reading.watch.cancelled() {
            return Err(stopped(Error::Cancelled));
        }
        reading.watch.progress("reading the game file", words.done, reading.size);
        let needed = builder.bytes().saturating_add(5 * (moves.capacity() * size_of::<BuiltMove>()) as u64 / 2);
        if needed <= reading.memory {
            return Ok(());
        }
        Err(stopped(Error::TooMuchMemory { what: "reading the game file", needed, limit: reading.memory }))
    };
    while let Some(byte) = words.peek()? {
        if byte.is_ascii_alphabetic() {
            let word = words.word()?;
            let number = words.number("a number", u32::MAX)?;
            match word.as_str() {
                "parity" => {}
                "start" => start = Some(number),
                _ => {
                    return Err(
                        words.bad(format!("{:?} is unknown: write parity, start or a position", excerpt(&word)))
                    );
                }
            }
            words.end()?;
            continue;
        }
        let number = words.number("the number of a position", u32::MAX)?;
        let priority = order.usual(Priority(words.number("a priority", order.most())?));
        let owner = words.number("an owner, 0 for Alice or 1 for Bob,", 1)?;
        moves.clear();
        loop {
            let to = words.number("the number of a position that follows", u32::MAX)?;
            moves.push(BuiltMove { to: builder.name(&to.to_string()), name: None, weight: 0 });
            if moves.len().is_multiple_of(PACE) {
                check(&words, &builder, &moves)?;
            }
            if words.peek()? != Some(b',') {
                break;
            }
            words.skip();
        }
        if words.peek()? == Some(b'"') {
            words.quoted()?;
        }
        words.end()?;
        distinct(&mut moves);
        first.get_or_insert(number);
        let owner = Player::BOTH[owner as usize];
        let parity = Some(ParityPlace { priority, kind: PositionKind::Owned(owner) });
        let (name, none) = (builder.name(&number.to_string()), &[][..]);
        let moves_of = ByPlayer::from_fn(|player| if player == owner { &moves[..] } else { none });
        builder.position(BuiltPosition { name, parity, moves: moves_of, ..BuiltPosition::default() });
        if builder.len().is_multiple_of(PACE) {
            check(&words, &builder, &moves)?;
        }
    }
    let start = start.or(first).unwrap_or_default().to_string();
    let name = std::path::Path::new(source).file_stem().map_or("parity".into(), |name| name.to_string_lossy());
    if order.is_least {
        builder.lower_priorities();
    }
    let graph = builder.build_parity(&name, &start);
    graph.map(AnyGraph::Parity).map_err(|error| FormatError::NotAGame { file: source.to_string(), error })
}

/// The words and signs of a text, with the place for messages.
struct Words<'a> {
    source: &'a str,
    reader: BufReader<&'a mut dyn Read>,
    line: usize,
    column: usize,
    done: u64,
}

impl Words<'_> {
    fn bad(&self, reason: String) -> FormatError {
        let line = Some((self.line, self.column + 1));
        let place = Box::new(FileLocation { file: self.source.to_string(), line, position: None });
        FormatError::BadValue { place, reason }
    }

    /// The next byte, white space or not.
    fn byte(&mut self) -> Result<Option<u8>, FormatError> {
        let unreadable = |error| FormatError::Unreadable { file: self.source.to_string(), error };
        Ok(self.reader.fill_buf().map_err(unreadable)?.first().copied())
    }

    fn skip(&mut self) {
        if self.reader.buffer().first() == Some(&b'\n') {
            (self.line, self.column) = (self.line + 1, 0);
        } else {
            self.column += 1;
        }
        self.reader.consume(1);
        self.done += 1;
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        while let Some(byte) = self.byte()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.skip();
        }
        Ok(None)
    }

    fn word(&mut self) -> Result<String, FormatError> {
        const LONGEST: usize = 32;
        let mut word = String::new();
        while let Some(byte) = self.byte()?.filter(|byte| byte.is_ascii_alphabetic() && word.len() < LONGEST) {
            word.push(byte.into());
            self.skip();
        }
        Ok(word)
    }

    fn number(&mut self, what: &str, most: u32) -> Result<u32, FormatError> {
        let mut number = None;
        self.peek()?;
        while let Some(digit) = self.byte()?.filter(u8::is_ascii_digit) {
            let next = u64::from(number.unwrap_or(0)) * 10 + u64::from(digit - b'0');
            let fits = u32::try_from(next).ok().filter(|next| *next <= most);
            number = Some(fits.ok_or_else(|| self.bad(format!("{what} is at most {most}")))?);
            self.skip();
        }
        number.ok_or_else(|| self.bad(format!("here should be {what}")))
    }

    /// Skips a name in quotes.
    fn quoted(&mut self) -> Result<(), FormatError> {
        self.skip();
        loop {
            let byte = self.byte()?;
            match byte {
                None | Some(b'\n') => return Err(self.bad("a name has no quote at its end".to_string())),
                Some(_) => self.skip(),
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
        self.skip();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use richman_core::Game;

    use super::*;
    use crate::read_game;

    const TOWERS: &str = "parity 2;\nstart 1;\n0 1 0 0,1 \"a gate; or two\";\n1 2 1 0,2,2 ;2 0 1 1;";

    fn game(text: &str) -> Result<AnyGraph, String> {
        read_game("towers.gm", &mut text.as_bytes(), &Reading::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_owners_and_priorities_are_read() {
        let AnyGraph::Parity(graph) = game(TOWERS).unwrap() else { panic!("a parity game") };
        assert_eq!((graph.name(), graph.notation(&graph.start())), ("towers".to_string(), "1".to_string()));
        let positions = graph.positions();
        let place = |at: usize| match positions[at].place {
            richman_core::NodeData::On(ParityPlace { priority, kind }) => (priority.0, kind),
            _ => panic!("nothing ends"),
        };
        let places = [(1, Player::Alice), (2, Player::Bob), (0, Player::Bob)];
        assert_eq!([0, 1, 2].map(place), places.map(|(priority, owner)| (priority, PositionKind::Owned(owner))));
        let to: Vec<&str> = positions[1].moves.bob.iter().map(|step| step.to.as_str()).collect();
        assert_eq!((to, positions[1].moves.alice.len()), (vec!["0", "2"], 0));
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
            ("parity 1; 99999999999 0 0 0;", "at most 4294967295"),
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
        let little = Reading { memory: 1 << 10, ..Reading::default() };
        let many = (0..PACE).fold("parity 9;".to_string(), |text, at| format!("{text}\n{at} 0 0 {at};"));
        let error = read_game("many.gm", &mut many.as_bytes(), &little).unwrap_err();
        assert!(matches!(error, FormatError::Stopped { .. }), "{error}");
    }
}
