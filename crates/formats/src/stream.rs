//! JSON read in pieces: of a long text no more is in memory than the value that is read next, and what was read ahead.
//!
//! Objects of the first levels are walked here, key by key; every key and value below is read by serde_json from the piece that holds it.

use std::io::{ErrorKind, Read};

use richman_core::{Error, Unwatched, Watch};
use serde::de::{DeserializeSeed, IgnoredAny};

use crate::FormatError;
use crate::json::{Context, READING};

/// How a long file is read.
pub struct Reading<'a> {
    /// Most bytes that what is read, and what is read ahead, may take.
    pub memory: u64,
    /// The length of the file where it is known, in bytes.
    pub size: Option<u64>,
    /// Told of progress, and asked whether to go on.
    pub watch: &'a dyn Watch,
}

impl Default for Reading<'_> {
    /// 4 GiB, watched by nobody.
    fn default() -> Self {
        Reading { memory: 4 << 30, size: None, watch: &Unwatched }
    }
}

/// Bytes that are read ahead.
const PIECE: usize = 1 << 17;

pub(crate) struct Stream<'a> {
    context: &'a Context<'a>,
    reader: &'a mut dyn Read,
    reading: &'a Reading<'a>,
    /// What was read and is still needed, and where the next value begins in it.
    text: String,
    at: usize,
    /// The first bytes of a character whose last ones were not read yet.
    split: Vec<u8>,
    /// Lines before the text, and bytes before it in its first line.
    before: (usize, usize),
    /// Bytes read.
    done: u64,
    /// Whether there is nothing more to read.
    has_ended: bool,
    /// Whether the object that is walked has just been opened.
    is_fresh: bool,
    /// Bytes held by what was made of the values so far.
    held: u64,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(context: &'a Context<'a>, reader: &'a mut dyn Read, reading: &'a Reading<'a>) -> Stream<'a> {
        Stream {
            context,
            reader,
            reading,
            text: String::new(),
            at: 0,
            split: Vec::new(),
            before: (0, 0),
            done: 0,
            has_ended: false,
            is_fresh: false,
            held: 0,
        }
    }

    /// Begins the object that comes next; `false` where something else comes.
    pub(crate) fn open(&mut self) -> Result<bool, FormatError> {
        self.is_fresh = self.peek()? == Some(b'{');
        self.at += usize::from(self.is_fresh);
        Ok(self.is_fresh)
    }

    /// The next key of the object that was begun; `None` at its end.
    pub(crate) fn key<T>(
        &mut self,
        seed: impl for<'s> DeserializeSeed<'s, Value = T>,
    ) -> Result<Option<T>, FormatError> {
        let mut next = self.peek()?;
        if next == Some(b'}') {
            self.at += 1;
            self.is_fresh = false;
            return Ok(None);
        }
        if !self.is_fresh {
            match next {
                Some(b',') => self.at += 1,
                Some(_) => return Err(self.not_json("expected `,` or `}`")),
                None => return Err(self.not_json("EOF while parsing an object")),
            }
            next = self.peek()?;
        }
        match next {
            Some(b'"') => self.is_fresh = false,
            Some(b'}') => return Err(self.not_json("trailing comma")),
            Some(_) => return Err(self.not_json("key must be a string")),
            None => return Err(self.not_json("EOF while parsing an object")),
        }
        let key = self.value(seed)?;
        match self.peek()? {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.not_json("expected `:`")),
            None => return Err(self.not_json("EOF while parsing an object")),
        }
        Ok(Some(key))
    }

    /// The value that comes next.
    pub(crate) fn value<T>(&mut self, seed: impl for<'s> DeserializeSeed<'s, Value = T>) -> Result<T, FormatError> {
        self.peek()?;
        while !self.has_ended && !self.has_value() {
            self.fill()?;
        }
        self.context.allow(self.text.capacity() as u64, self.reading.memory);
        let mut json = serde_json::Deserializer::from_str(&self.text[self.at..]);
        match seed.deserialize(&mut json) {
            Ok(value) => {
                self.at += json.into_iter::<IgnoredAny>().byte_offset();
                Ok(value)
            }
            Err(error) => Err(self.context.error_after(&error, self.place(self.at))),
        }
    }

    /// Nothing may follow.
    pub(crate) fn end(&mut self) -> Result<(), FormatError> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.not_json("trailing characters")),
        }
    }

    /// What the context found wrong where the stream is.
    pub(crate) fn explain<E: serde::de::Error>(&self, error: E) -> FormatError {
        let (lines, column) = self.place(self.at);
        let line = Some((lines + 1, column));
        self.context.explain(line).unwrap_or_else(|| self.not_json(&error.to_string()))
    }

    /// Notes how many bytes are held by what was made of the values so far.
    pub(crate) fn hold(&mut self, held: u64) -> Result<(), FormatError> {
        self.held = held;
        self.check(self.text.capacity())
    }

    fn check(&self, ahead: usize) -> Result<(), FormatError> {
        let (needed, limit) = (self.held.saturating_add(ahead as u64), self.reading.memory);
        if needed <= limit {
            return Ok(());
        }
        Err(self.context.stopped(Error::TooMuchMemory { what: READING, needed, limit }))
    }

    /// The next byte that is no white space, which is where the next value begins.
    fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            if let Some(skip) = rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
                self.at += skip;
                return Ok(Some(rest[skip]));
            }
            self.at = self.text.len();
            if self.has_ended {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// Whether the value that comes next is read as far as is needed: to its end, or to its first fault.
    fn has_value(&self) -> bool {
        let rest = &self.text[self.at..];
        if is_whole(rest.as_bytes()) {
            return true;
        }
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => values.byte_offset() < rest.len(),
            Some(Err(error)) => !error.is_eof(),
            None => false,
        }
    }

    /// Reads on: one more piece, or as much again as is kept, so that a long value is looked at a few times only.
    fn fill(&mut self) -> Result<(), FormatError> {
        if self.reading.watch.cancelled() {
            return Err(self.context.stopped(Error::Cancelled));
        }
        self.before = self.place(self.at);
        self.text.drain(..self.at);
        self.at = 0;
        let more = self.text.len().max(PIECE);
        self.check(self.text.len() + 2 * more)?;
        let mut bytes = std::mem::take(&mut self.split);
        bytes.reserve_exact(more);
        match Read::take(&mut *self.reader, more as u64).read_to_end(&mut bytes) {
            Ok(read) => {
                self.has_ended = read < more;
                self.done += read as u64;
            }
            Err(error) if error.kind() != ErrorKind::TimedOut && self.reading.watch.cancelled() => {
                return Err(self.context.stopped(Error::Cancelled));
            }
            Err(error) => return Err(self.context.unreadable(error)),
        }
        self.reading.watch.progress("reading bytes", self.done, self.reading.size);
        self.text.reserve_exact(bytes.len());
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.text.push_str(text),
            Err(error) => {
                let (text, rest) = bytes.split_at(error.valid_up_to());
                self.text.push_str(&String::from_utf8_lossy(text));
                if error.error_len().is_some() || self.has_ended {
                    let (lines, column) = self.place(self.text.len());
                    return Err(self.context.not_utf8((lines + 1, column + 1)));
                }
                self.split = rest.to_vec();
            }
        }
        Ok(())
    }

    /// Lines before an offset of the text, and bytes before it in its line.
    fn place(&self, offset: usize) -> (usize, usize) {
        let read = &self.text.as_bytes()[..offset];
        let (lines, column) = self.before;
        match read.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => (lines + read.iter().filter(|&&byte| byte == b'\n').count(), offset - last - 1),
            None => (lines, column + offset),
        }
    }

    fn not_json(&self, reason: &str) -> FormatError {
        let (lines, column) = self.place((self.at + 1).min(self.text.len()));
        self.context.not_json((lines + 1, column), reason.to_string())
    }
}

/// Whether a well-formed list, object or text that begins `text` also ends in it. Of other values nothing is said.
fn is_whole(text: &[u8]) -> bool {
    let mut depth = 0u64;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => loop {
                match text.get(at) {
                    None => return false,
                    Some(b'"') => break at += 1,
                    Some(b'\\') => at += 2,
                    Some(_) => at += 1,
                }
            },
            _ if depth > 0 => continue,
            _ => return false,
        }
        if depth == 0 {
            return true;
        }
    }
    false
}
