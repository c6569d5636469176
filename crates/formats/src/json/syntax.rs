//! Strict incremental reading of JSON. Only the current value and one piece of lookahead are in
//! memory.
//!
//! Objects and lists are walked here; serde_json reads the values in them. Derived readers would
//! accept a list for a struct and `null` for a missing key, could not name the position in errors,
//! and would need the whole text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Read;

use richman_core::{did_you_mean, one_of};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::de::StrRead;
use serde_json::value::RawValue;

use crate::error::{FileLocation, FormatError};
use crate::excerpt::{excerpt, shorten};
use crate::names::check_name;
use crate::opening::{MARK, utf8};
use crate::reading::Reading;

/// Bytes of lookahead.
const PIECE: usize = 1 << 17;

/// The reason for a text that ends too early.
const ENDED: &str = "EOF while parsing an object or a list";

/// A text, not copied unless it has escapes.
#[derive(Debug, Deserialize)]
pub struct JsonText<'t>(
    /// The text.
    #[serde(borrow)]
    pub Cow<'t, str>,
);

/// The source of values for serde_json.
pub(crate) type Json<'t> = serde_json::Deserializer<StrRead<'t>>;

/// Reads JSON value by value, strictly, from a text of any length.
pub struct JsonReader<'a> {
    pub(crate) file: &'a str,
    /// The user of the memory, for messages.
    what: &'static str,
    source: &'a mut dyn Read,
    pub(crate) reading: &'a Reading<'a>,
    /// The text still needed; the next value begins at `at`.
    text: Cow<'a, str>,
    at: usize,
    /// The first bytes of an incomplete character.
    split: Vec<u8>,
    /// Lines before the text, and bytes before it in its first line.
    before: (usize, usize),
    done: u64,
    /// Whether the source has ended.
    has_ended: bool,
    /// Bytes held by the results so far.
    pub(crate) held: u64,
    position: Option<String>,
}

richman_core::debug_by_name!(JsonReader<'_> {});

impl<'a> JsonReader<'a> {
    pub(crate) fn new(
        file: &'a str,
        what: &'static str,
        source: &'a mut dyn Read,
        reading: &'a Reading<'a>,
    ) -> JsonReader<'a> {
        JsonReader {
            file,
            what,
            source,
            reading,
            text: Cow::Borrowed(""),
            at: 0,
            split: Vec::new(),
            before: (0, 0),
            done: 0,
            has_ended: false,
            held: 0,
            position: None,
        }
    }

    /// The same reader over a complete text instead of the source.
    pub(crate) fn over(self, text: &'a [u8]) -> Result<JsonReader<'a>, FormatError> {
        let text = Cow::Borrowed(utf8(self.file, text.strip_prefix(MARK).unwrap_or(text))?);
        Ok(JsonReader { text, has_ended: true, ..self })
    }

    /// Reads an object; `each` reads the value of a key. Each of `keys` may be given once, and the
    /// first `required` must be. `what` names the object in messages: "a position".
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn object(
        &mut self,
        what: &str,
        keys: &[&'static str],
        required: usize,
        mut each: impl FnMut(&mut Self, &'static str) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let mut seen = 0u32;
        let find = |found: &str| {
            let Some(key) = keys.iter().position(|&key| key == found) else {
                let (found, meant) = (excerpt(found), did_you_mean(found, keys.iter().copied()));
                return Err(format!("the key {found:?} is unknown in {what}{meant}: the keys are {}", keys.join(", ")));
            };
            if seen & (1 << key) != 0 {
                return Err(format!("the key {:?} is given twice in {what}: give it once", keys[key]));
            }
            seen |= 1 << key;
            Ok(keys[key])
        };
        self.entries(&format_args!("{what} as an object"), find, |json, key| {
            json.colon()?;
            each(json, key)
        })?;
        match (0..required).find(|key| seen & (1 << key) == 0) {
            Some(key) => Err(self.missing(what, keys[key])),
            None => Ok(()),
        }
    }

    /// Reads an object with all of these keys, each with a whole number up to `most`.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn numbers<const N: usize>(
        &mut self,
        what: &str,
        keys: [&'static str; N],
        most: u32,
    ) -> Result<[u32; N], FormatError> {
        let mut numbers = [0; N];
        self.object(what, &keys, N, |json, key| {
            let number = json.whole(&format_args!("{key:?} of {what}"), most)?;
            numbers[keys.iter().take_while(|&&other| other != key).count()] = number;
            Ok(())
        })?;
        Ok(numbers)
    }

    /// Reads an object whose keys are positions, with names of at most `longest` characters. `each`
    /// reads a value.
    pub(crate) fn positions(
        &mut self,
        longest: usize,
        mut each: impl FnMut(&mut Self, String) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let find = |name: &str| check_name("the name of a position", longest, name).map(|()| name.to_string());
        self.entries(&"an object with the positions as its keys", find, |json, name| {
            json.position.get_or_insert_default().clone_from(&name);
            json.colon()?;
            each(json, name)
        })?;
        self.position = None;
        Ok(())
    }

    /// Reads such an object with names of any length; returns the results of `read`.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn claims<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, String) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        /// The allocator's overhead per text.
        const TEXT: usize = 16;
        let mut claims = Vec::new();
        self.positions(usize::MAX, |json, name| {
            json.hold(json.held.saturating_add((size_of::<T>() + name.capacity() + TEXT) as u64))?;
            if claims.len() == claims.capacity() {
                claims.reserve_exact(64 + claims.len() / 8); // instead of doubling
            }
            claims.push(read(json, name)?);
            Ok(())
        })?;
        Ok(claims)
    }

    fn entries<K>(
        &mut self,
        expected: &dyn Display,
        mut find: impl FnMut(&str) -> Result<K, String>,
        mut each: impl FnMut(&mut Self, K) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.begin(b'{', expected)?;
        let mut is_first = true;
        while self.goes_on(b'}', std::mem::take(&mut is_first))? {
            if self.peek()? != Some(b'"') {
                return Err(self.not_json("key must be a string"));
            }
            let key = self.text(&"a key", &mut find)?;
            each(self, key)?;
        }
        Ok(())
    }

    fn colon(&mut self) -> Result<(), FormatError> {
        match self.peek()? {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.not_json("expected `:`")),
            None => return Err(self.not_json(ENDED)),
        }
        Ok(())
    }

    /// Reads a list; returns the results of `read` for its items.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn list<T>(
        &mut self,
        expected: &dyn Display,
        mut read: impl FnMut(&mut Self) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        self.begin(b'[', expected)?;
        let (mut items, mut is_first) = (Vec::new(), true);
        while self.goes_on(b']', std::mem::take(&mut is_first))? {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn begin(&mut self, open: u8, expected: &dyn Display) -> Result<(), FormatError> {
        match self.peek()? {
            Some(byte) if byte == open => self.at += 1,
            // Anything else is an error.
            _ if open == b'{' => drop(self.value(expected, |json| BTreeMap::<String, IgnoredAny>::deserialize(json))?),
            _ => drop(self.value(expected, |json| Vec::<IgnoredAny>::deserialize(json))?),
        }
        Ok(())
    }

    /// Whether another entry precedes the end of an object or a list.
    fn goes_on(&mut self, close: u8, is_first: bool) -> Result<bool, FormatError> {
        let mut next = self.peek()?;
        if next == Some(close) {
            self.at += 1;
            return Ok(false);
        }
        if !is_first && next.is_some() {
            if next != Some(b',') {
                return Err(self.not_json(&format!("expected `,` or `{}`", close as char)));
            }
            self.at += 1;
            next = self.peek()?;
        }
        match next {
            None => Err(self.not_json(ENDED)),
            Some(byte) if byte == close => Err(self.not_json("trailing comma")),
            Some(_) => Ok(true),
        }
    }

    /// Reads a value. `read` is called again if the text in memory ends within the value.
    /// `expected` describes what is allowed.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn value<T>(
        &mut self,
        expected: &dyn Display,
        mut read: impl FnMut(&mut Json<'_>) -> serde_json::Result<T>,
    ) -> Result<T, FormatError> {
        self.peek()?;
        loop {
            let rest = &self.text[self.at..];
            let mut json = serde_json::Deserializer::from_str(rest);
            let value = read(&mut json);
            let end = json.into_iter::<IgnoredAny>().byte_offset();
            match value {
                // The digits of a number may continue in the next piece.
                Ok(value) if self.has_ended || end < rest.len() || !rest.ends_with(|c: char| c.is_ascii_digit()) => {
                    self.at += end;
                    return Ok(value);
                }
                Err(error) if self.has_ended || !error.is_eof() => return Err(self.refused(expected, &error)),
                _ => self.fill()?,
            }
        }
    }

    /// Reads a text and converts it with `make`, whose errors say what is allowed.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn text<T>(
        &mut self,
        expected: &dyn Display,
        mut make: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, FormatError> {
        let made = self.value(expected, |json| JsonText::deserialize(json).map(|text| make(&text.0)))?;
        made.map_err(|reason| self.bad_value(reason))
    }

    /// Reads one of these words, in any letter case.
    pub(crate) fn word<T: Copy>(&mut self, what: &str, words: &[(&str, T)]) -> Result<T, FormatError> {
        let quoted: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        let choice = one_of(&quoted);
        self.text(&format_args!("a {what}, {choice}"), |found| {
            let known = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(found));
            known.map(|(_, value)| *value).ok_or_else(|| {
                let meant = did_you_mean(found, words.iter().map(|(word, _)| *word));
                format!("the {what} is {:?}{meant}: write {choice}", excerpt(found))
            })
        })
    }

    /// Reads a text that passes [`check_name`].
    pub(crate) fn name(&mut self, what: &str, longest: usize) -> Result<String, FormatError> {
        self.text(&format_args!("{what} as text"), |name| check_name(what, longest, name).map(|()| name.to_string()))
    }

    /// Reads a number and returns the result of `read` for its text, with all its digits.
    pub(crate) fn number<T>(
        &mut self,
        expected: &dyn Display,
        mut read: impl FnMut(&str) -> T,
    ) -> Result<T, FormatError> {
        let is_of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let begins = self.peek()?.is_some_and(|byte| byte == b'-' || byte.is_ascii_digit());
        while begins && !self.has_ended && self.text.as_bytes()[self.at..].iter().all(is_of_number) {
            self.fill()?;
        }
        let number = self.value(expected, |json| match begins {
            true => <&RawValue>::deserialize(json).map(|number| Some(read(number.get()))),
            false => f64::deserialize(json).map(|_| None), // always an error that describes the value
        })?;
        number.ok_or_else(|| self.not_json("expected value"))
    }

    /// Reads a whole number from 0 to `most`.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    pub fn whole(&mut self, what: &dyn Display, most: u32) -> Result<u32, FormatError> {
        let expected = format_args!("{what} as a whole number from 0 to {most}");
        let number = self.value(&expected, |json| u64::deserialize(json))?;
        let fits = u32::try_from(number).ok().filter(|&number| number <= most);
        fits.ok_or_else(|| self.bad_value(format!("{what} is {number}: it must be from 0 to {most}")))
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), FormatError> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.not_json("trailing characters")),
        }
    }

    /// Counts more bytes held by the results.
    ///
    /// # Errors
    /// [`FormatError::Stopped`] above the limit of memory.
    pub fn hold_more(&mut self, bytes: u64) -> Result<(), FormatError> {
        self.hold(self.held.saturating_add(bytes))
    }

    pub(crate) fn hold(&mut self, held: u64) -> Result<(), FormatError> {
        self.held = held;
        self.check(0)
    }

    /// Checks that `more` bytes fit in memory.
    pub(crate) fn check(&self, more: u64) -> Result<(), FormatError> {
        let text = match &self.text {
            Cow::Borrowed(text) => text.len(),
            Cow::Owned(text) => text.capacity(),
        };
        self.check_beside(more.saturating_add(text as u64))
    }

    /// Checks that `bytes` fit in addition to those held.
    fn check_beside(&self, bytes: u64) -> Result<(), FormatError> {
        self.reading.check_memory(self.file, self.what, self.held.saturating_add(bytes))
    }

    /// The first byte of the next value, after white space.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                None if !self.has_ended => self.fill()?,
                next => return Ok(next.copied()),
            }
        }
    }

    /// Reads one more piece, or as much as is kept if that is more, so that a long value is scanned
    /// only a few times.
    fn fill(&mut self) -> Result<(), FormatError> {
        self.reading.check_time(self.file)?;
        self.before = self.lines(self.at);
        self.text.to_mut().drain(..self.at);
        self.at = 0;
        let more = self.text.len().max(PIECE);
        self.check_beside((self.text.len() + 2 * more) as u64)?;
        let mut bytes = std::mem::take(&mut self.split);
        bytes.reserve_exact(more);
        match Read::take(&mut *self.source, more as u64).read_to_end(&mut bytes) {
            Ok(read) => {
                self.has_ended = read < more;
                self.done += read as u64;
            }
            Err(error) => return Err(self.reading.unreadable(self.file, error)),
        }
        self.reading.progress("reading bytes", self.done, self.reading.size);
        let text = self.text.to_mut();
        text.reserve_exact(bytes.len());
        match std::str::from_utf8(&bytes) {
            Ok(more) => text.push_str(more),
            Err(error) => {
                let (more, rest) = bytes.split_at(error.valid_up_to());
                text.push_str(&String::from_utf8_lossy(more));
                if error.error_len().is_some() || self.has_ended {
                    let (lines, column) = self.lines(self.text.len());
                    return Err(FormatError::NotUtf8 { place: self.place(Some((lines + 1, column + 1))) });
                }
                self.split = rest.to_vec();
            }
        }
        Ok(())
    }

    /// The lines before an offset of the text, and the bytes before it in its line.
    fn lines(&self, offset: usize) -> (usize, usize) {
        let read = &self.text.as_bytes()[..offset];
        let (lines, column) = self.before;
        match read.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => (lines + read.iter().filter(|&&byte| byte == b'\n').count(), offset - last - 1),
            None => (lines, column + offset),
        }
    }

    /// The current place.
    pub(crate) fn here(&self) -> Box<FileLocation> {
        let (lines, column) = self.lines(self.at);
        self.place(Some((lines + 1, column)))
    }

    fn place(&self, line: Option<(usize, usize)>) -> Box<FileLocation> {
        Box::new(FileLocation { file: self.file.to_string(), line, position: self.position.clone() })
    }

    fn not_json(&self, reason: &str) -> FormatError {
        let (lines, column) = self.lines((self.at + 1).min(self.text.len()));
        FormatError::NotJson { place: self.place(Some((lines + 1, column))), reason: reason.to_string() }
    }

    /// The error if the last value violates the format.
    pub fn bad_value(&self, reason: impl Into<String>) -> FormatError {
        FormatError::BadValue { place: self.here(), reason: reason.into() }
    }

    /// The error if the last object lacks a key.
    pub fn missing(&self, what: &str, key: &str) -> FormatError {
        self.bad_value(format!("the key {key:?} is missing from {what}"))
    }

    /// Converts serde_json's error about the next value.
    fn refused(&self, expected: &dyn Display, error: &serde_json::Error) -> FormatError {
        let (lines, column) = self.lines(self.at);
        let column = error.column() + if error.line() == 1 { column } else { 0 };
        let place = self.place(Some((lines + error.line(), column)));
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        // serde_json names the type; users need the purpose.
        let found = match message.rsplit_once(", expected ") {
            Some((found, _)) if error.is_data() => found,
            _ if message == "trailing characters" => "more values than there may be, or no comma between two",
            _ => return FormatError::NotJson { place, reason: shorten(message) },
        };
        FormatError::BadValue { place, reason: format!("{}, expected {expected}", shorten(found)) }
    }
}
