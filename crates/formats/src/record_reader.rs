//! Reads records of played games.

use std::collections::HashMap;
use std::str::FromStr;

use richman_core::{ByPlayer, Mechanism, Player, Preset};

use crate::excerpt::{excerpt, is_control};
use crate::opening::utf8;
use crate::record::{
    LONGEST_WORD, MAX_RECORD_BYTES, MAX_TAGS, MAX_TURNS, MECHANISM_TAGS, MoverAction, OpenTurn, Record, RecordResult,
    RecordTurn, Resignation, TAGS, is_keyword, is_turn_number, is_word,
};
use crate::{FileLocation, FormatError};

impl Record {
    /// Parses the bytes of a file called `source`.
    ///
    /// # Errors
    /// A [`FormatError`] that names line and column, and what to write there.
    ///
    /// ```
    /// let text = b"[Game \"connect\"]\n[Alice \"4*\"]\n[Bob \"four\"]";
    /// let error = richman_formats::Record::parse("a.txt", text).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a.txt, line 3, column 6: \"four\" is not a holding: write a number of chips, with a star for the \
    ///      tie-breaking advantage, such as 4 or 4*"
    /// );
    /// ```
    pub fn parse(source: &str, bytes: &[u8]) -> Result<Record, FormatError> {
        if bytes.len() as u64 > MAX_RECORD_BYTES {
            return Err(FormatError::too_large(source, MAX_RECORD_BYTES));
        }
        let text = utf8(source, bytes)?;
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut reader = Reader { source, text, at: start };
        let mut record = reader.tags()?;
        reader.turns(&mut record)?;
        Ok(record)
    }
}

/// Both bids of a turn, and who used the star.
type TurnBids = (ByPlayer<Option<u32>>, Option<Player>);

/// A text and a reading position.
#[derive(Clone, Copy)]
struct Reader<'a> {
    source: &'a str,
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bad<T>(&self, at: usize, reason: impl Into<String>) -> Result<T, FormatError> {
        let place = Box::new(FileLocation::after(self.source, &self.text.as_bytes()[..at]));
        Err(FormatError::BadValue { place, reason: reason.into() })
    }

    /// Parses `text`, which begins at `at`, as a word for a value.
    fn choice<T: FromStr<Err = richman_core::Error>>(&self, (at, text): &(usize, String)) -> Result<T, FormatError> {
        text.parse().or_else(|error: T::Err| self.bad(*at, error.to_string()))
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    /// The longest run of characters from here that satisfy `keep`.
    fn run(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The text found here, for an error.
    fn found(&self) -> String {
        let mut ahead = *self;
        match ahead.run(is_word) {
            "" => ahead.peek().map_or("the end of the text".to_string(), |c| format!("{:?}", c.to_string())),
            word => format!("{:?}", excerpt(word)),
        }
    }

    fn word(&mut self) -> Result<&'a str, FormatError> {
        let at = self.at;
        let word = self.run(is_word);
        if word.len() > LONGEST_WORD {
            return self.bad(at, format!("a word may have at most {LONGEST_WORD} bytes: write a shorter one"));
        }
        Ok(word)
    }

    /// Whether the next word is `word`.
    fn is_next(&self, word: &str) -> bool {
        let mut ahead = *self;
        ahead.run(is_word) == word
    }

    /// The player named next, in any letter case.
    fn next_player(&self) -> Option<Player> {
        let mut ahead = *self;
        let word = ahead.run(is_word);
        Player::BOTH.into_iter().find(|player| player.to_string().eq_ignore_ascii_case(word))
    }

    /// The same, and reads on.
    fn player(&mut self) -> Option<Player> {
        let player = self.next_player()?;
        self.run(is_word);
        Some(player)
    }

    /// The text between the opening character here and `close`.
    fn enclosed(&mut self, close: char) -> Result<String, FormatError> {
        let (start, is_comment) = (self.at, close == '}');
        let mut text = String::new();
        self.at += 1;
        while let Some(c) = self.peek() {
            let at = self.at;
            self.at += c.len_utf8();
            match c {
                _ if c == close => return Ok(text),
                '\\' => text.push(self.escape(at)?),
                '\r' if is_comment && self.peek() == Some('\n') => {} // the line feed stands for both
                '\n' | '\t' if is_comment => text.push(c),
                '\n' | '\r' => {
                    return self.bad(at, "a line ends inside quotes: close them with \" before, or write \\n");
                }
                _ if is_control(c) => {
                    let code = u32::from(c);
                    return self
                        .bad(at, format!("a character that cannot be seen: write \\u{{{code:x}}} in its place"));
                }
                _ => text.push(c),
            }
        }
        let unclosed =
            if is_comment { "this comment is not closed: end it with }" } else { "close the quotes with \"" };
        self.bad(start, unclosed)
    }

    /// The character of an escape at `start`, whose backslash has been read.
    fn escape(&mut self, start: usize) -> Result<char, FormatError> {
        let c = self.peek();
        self.at += c.map_or(0, char::len_utf8);
        match c {
            Some('\\' | '"' | '}') => return Ok(c.unwrap_or_default()),
            Some('n') => return Ok('\n'),
            Some('u') if self.peek() == Some('{') => {
                self.at += 1;
                let digits = self.run(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                if let (Some(code), Some('}')) = (code, self.peek()) {
                    self.at += 1;
                    return Ok(code);
                }
            }
            _ => {}
        }
        let known = r#"\, ", }, n, or u and a number in braces as in \u{e9}; write \\ for a backslash"#;
        self.bad(start, format!("after a backslash write {known}"))
    }

    /// Skips spaces and collects comments.
    fn skip_comments(&mut self, into: &mut Vec<String>) -> Result<(), FormatError> {
        self.skip_space();
        while self.peek() == Some('{') {
            into.push(self.enclosed('}')?);
            self.skip_space();
        }
        Ok(())
    }

    fn tags(&mut self) -> Result<Record, FormatError> {
        let mut known: HashMap<&'static str, (usize, String)> = HashMap::new();
        let mut free: Vec<(String, String)> = Vec::new();
        let mut names = std::collections::HashSet::new();
        let mut comments = Vec::new();
        self.skip_comments(&mut comments)?;
        while self.peek() == Some('[') {
            let (start, name, value) = self.tag()?;
            if !names.insert(name.to_ascii_lowercase()) {
                return self.bad(start, format!("the tag {name} is given twice: give it once"));
            }
            if names.len() > MAX_TAGS {
                return self.bad(start, format!("there are more than {MAX_TAGS} tags: leave some out"));
            }
            match TAGS.into_iter().find(|tag| tag.eq_ignore_ascii_case(name)) {
                Some(tag) => drop(known.insert(tag, value)),
                None => free.push((name.to_string(), value.1)),
            }
            self.skip_comments(&mut comments)?;
        }
        let required = |tag: &str, example: &str| {
            let missing =
                format!("the tag {tag} is missing: write a line such as [{tag} \"{example}\"] before the turns");
            known.get(tag).map_or_else(|| self.bad(self.at, missing), Ok)
        };
        let game = required("Game", "tic-tac-toe")?.1.clone();
        let start = ByPlayer::new(self.choice(required("Alice", "4*")?)?, self.choice(required("Bob", "4")?)?);
        let text = |tag: &str| known.get(tag).map(|value| value.1.clone());
        Ok(Record {
            file: text("File"),
            position: text("Position"),
            mechanism: self.mechanism(&known)?,
            limit: known.get("Limit").map(|value| self.limit(value)).transpose()?,
            tags: free,
            result: known.get("Result").map(|value| self.result(value)).transpose()?,
            comments,
            ..Record::new(&game, start)
        })
    }

    /// A tag: its start, its name, the value's start, the value.
    fn tag(&mut self) -> Result<(usize, &'a str, (usize, String)), FormatError> {
        let start = self.at;
        self.at += 1;
        self.skip_space();
        let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.len() > LONGEST_WORD {
            return self.bad(start, "a tag is a name and a value in quotes: write it as in [Event \"Lunch\"]");
        }
        self.skip_space();
        if self.peek() != Some('"') {
            return self.bad(self.at, format!("write the value of {} in quotes", excerpt(name)));
        }
        let value = (self.at, self.enclosed('"')?);
        self.skip_space();
        if self.peek() != Some(']') {
            return self.bad(self.at, format!("close the tag {} with ]", excerpt(name)));
        }
        self.at += 1;
        Ok((start, name, value))
    }

    /// The preset, or the default, changed by the choices given.
    fn mechanism(&self, known: &HashMap<&'static str, (usize, String)>) -> Result<Mechanism, FormatError> {
        let preset: Preset = known.get("Mechanism").map(|word| self.choice(word)).transpose()?.unwrap_or_default();
        let mut mechanism = preset.mechanism();
        for (tag, choice) in MECHANISM_TAGS.into_iter().zip(Mechanism::CHOICES) {
            if let Some((at, word)) = known.get(tag) {
                mechanism.choose(choice, word).or_else(|error| self.bad(*at, error.to_string()))?;
            }
        }
        Ok(mechanism)
    }

    fn limit(&self, (at, text): &(usize, String)) -> Result<u32, FormatError> {
        match number(text) {
            Some(limit) => Ok(limit),
            None => self.bad(*at, format!("{:?} is not a limit: write a number of turns, such as 100", excerpt(text))),
        }
    }

    fn result(&self, (at, text): &(usize, String)) -> Result<RecordResult, FormatError> {
        let score = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            if digits.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
        };
        let lower = text.to_ascii_lowercase();
        Ok(match lower.as_str() {
            "alice" => RecordResult::Win(Player::Alice),
            "bob" => RecordResult::Win(Player::Bob),
            "draw" => RecordResult::Draw,
            "unfinished" => RecordResult::Unfinished,
            "cut off" => RecordResult::CutOff,
            _ => {
                let average = |text: &str| text.parse().ok().map(RecordResult::Average);
                let score = lower.strip_prefix("score ").and_then(score).map(RecordResult::Score);
                let Some(result) = score.or_else(|| lower.strip_prefix("average ").and_then(average)) else {
                    let expected = "write Alice, Bob, draw, cut off, unfinished, a score as in score -2, or an \
                                    average as in average 1/3";
                    return self.bad(*at, format!("{:?} is not a result: {expected}", excerpt(text)));
                };
                result
            }
        })
    }

    fn turns(&mut self, record: &mut Record) -> Result<(), FormatError> {
        loop {
            let comments = match record {
                Record { resignation: Some(end), .. } => &mut end.comments,
                Record { open: Some(turn), .. } => &mut turn.comments,
                Record { turns, comments, .. } => turns.last_mut().map_or(comments, |turn| &mut turn.comments),
            };
            self.skip_comments(comments)?;
            let at = self.at;
            let next = record.turns.len() + 1;
            if self.rest().is_empty() {
                return Ok(());
            }
            if self.peek() == Some('[') {
                return self.bad(at, "a tag after the turns began: write all tags before the first turn");
            }
            if record.resignation.is_some() {
                return self.bad(at, "a player has resigned: leave out what follows");
            }
            if let Some(player) = self.player() {
                let mut comments = Vec::new();
                self.skip_comments(&mut comments)?;
                if !self.is_next("resigns") {
                    let reason = format!("a turn starts with its number: write {next}. and both bids before {player}");
                    return self.bad(at, reason);
                }
                self.run(is_word);
                record.resignation = Some(Resignation { player, comments });
                continue;
            }
            self.turn_number(next, record.open.is_some())?;
            if record.turns.len() == MAX_TURNS {
                return self.bad(at, format!("a record has at most {MAX_TURNS} turns"));
            }
            self.turn(record)?;
        }
    }

    fn turn_number(&mut self, next: usize, is_open: bool) -> Result<(), FormatError> {
        let at = self.at;
        let found = self.found();
        let digits = self.run(|c| c.is_ascii_digit());
        if digits.is_empty() || self.peek() != Some('.') {
            let expected = format!("write {next}. and both bids, such as {next}. 3-2 Alice, or Alice resigns");
            return self.bad(at, format!("{found} is neither a turn nor an end: {expected}"));
        }
        if is_open {
            return self.bad(at, format!("turn {next} has no move: write it, or leave out the turns that follow"));
        }
        if number(digits) != u32::try_from(next).ok() {
            return self.bad(at, format!("turn {} follows turn {}: write {next}.", excerpt(digits), next - 1));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a completed or open turn from its bids on.
    fn turn(&mut self, record: &mut Record) -> Result<(), FormatError> {
        let mut comments = Vec::new();
        self.skip_comments(&mut comments)?;
        let has_bids = self.next_player().is_none();
        let (bids, star) = if has_bids { self.bids()? } else { (ByPlayer::both(None), None) };
        self.skip_comments(&mut comments)?;
        if has_bids && self.is_over()? {
            record.open = Some(OpenTurn { bids, star, won: None, comments });
            return Ok(());
        }
        let at = self.at;
        let Some(winner) = self.player() else {
            return self.bad(at, format!("{} is not a player: write who won the bid, Alice or Bob", self.found()));
        };
        self.skip_comments(&mut comments)?;
        let mut mover = winner;
        if self.is_next("lets") {
            self.run(is_word);
            self.skip_comments(&mut comments)?;
            let at = self.at;
            mover = winner.other();
            if self.player() != Some(mover) {
                return self.bad(at, format!("write whom {winner} lets move: {winner} lets {mover}"));
            }
            self.skip_comments(&mut comments)?;
        }
        if self.is_over()? {
            if !has_bids {
                return self.bad(self.at, format!("write the move that {mover} made, or leave this turn out"));
            }
            record.open = Some(OpenTurn { bids, star, won: Some([winner, mover]), comments });
            return Ok(());
        }
        let played = self.played()?;
        record.turns.push(RecordTurn { bids, star, winner, mover, played, comments });
        Ok(())
    }

    /// Whether the turn stops here: the text ends, a player resigns, or another turn starts.
    fn is_over(&self) -> Result<bool, FormatError> {
        let mut ahead = *self;
        if ahead.player().is_some() {
            ahead.skip_comments(&mut Vec::new())?;
            return Ok(ahead.is_next("resigns"));
        }
        Ok(ahead.rest().is_empty() || is_turn_number(ahead.run(is_word)))
    }

    fn bids(&mut self) -> Result<TurnBids, FormatError> {
        let at = self.at;
        let found = self.found();
        let one = |word: &str| -> Option<(Option<u32>, bool)> {
            match word.strip_suffix('*') {
                _ if word == "none" => Some((None, false)),
                Some(digits) => Some((Some(number(digits)?), true)),
                None => Some((Some(number(word)?), false)),
            }
        };
        let pair = self.word()?.split_once('-').and_then(|(alice, bob)| Some((one(alice)?, one(bob)?)));
        let star = match pair {
            Some(((None, _), (None, _))) => {
                return self.bad(at, "both bids are none: write a number for at least one player, or leave them out");
            }
            Some(((_, true), (_, true))) => return self.bad(at, "only one player has the star: write one *"),
            Some(((_, true), _)) => Some(Player::Alice),
            Some((_, (_, true))) => Some(Player::Bob),
            _ => None,
        };
        match pair {
            Some(((alice, _), (bob, _))) => Ok((ByPlayer { alice, bob }, star)),
            None => {
                let expected = "write Alice's bid, a hyphen and Bob's bid, such as 3-2, with * after the bid of \
                                a player who used the star, and none for a player without an allowed bid";
                self.bad(at, format!("{found} is not a pair of bids: {expected}"))
            }
        }
    }

    fn played(&mut self) -> Result<MoverAction, FormatError> {
        let at = self.at;
        if self.peek() == Some('"') {
            let name = self.enclosed('"')?;
            if name.len() > LONGEST_WORD {
                return self.bad(at, format!("a move may have at most {LONGEST_WORD} bytes"));
            }
            return Ok(MoverAction::Move(name));
        }
        let found = self.found();
        match self.word()? {
            "stuck" => Ok(MoverAction::Stuck),
            "" => self.bad(
                at,
                format!("{found} is not a move: write a move, in quotes if it has spaces, braces or brackets"),
            ),
            word if is_keyword(word) => {
                self.bad(at, format!("{found} is not a move: write one, in quotes if that is its name"))
            }
            word => Ok(MoverAction::Move(word.to_string())),
        }
    }
}

/// A number written only in digits.
fn number(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
