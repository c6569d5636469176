//! Lines of text, read with their places, and written in batches.

use std::io::{self, Read, Write};

use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::reading::Reading;
use crate::source::ByteSource;
use crate::states::reader::{LONGEST_LINE, StatePlace, StatesReader};

/// The lines of a text, with the place for messages.
pub(super) struct NumberedLines<'a> {
    pub(super) source: ByteSource<'a>,
    /// The last line.
    pub(super) text: String,
    /// Its number, from 1.
    number: usize,
    /// The start of comments.
    comment: &'static str,
}

impl<'a> NumberedLines<'a> {
    pub(super) fn new(
        source: &'a str,
        reader: &'a mut dyn Read,
        reading: &'a Reading<'a>,
        comment: &'static str,
    ) -> NumberedLines<'a> {
        NumberedLines { source: ByteSource::new(source, reader, reading), text: String::new(), number: 0, comment }
    }

    /// Reads the next line that is not a comment; false at the end.
    pub(super) fn next(&mut self) -> Result<bool, FormatError> {
        while self.line()? {
            if !self.text.trim_start().starts_with(self.comment) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a line; false at the end.
    pub(super) fn line(&mut self) -> Result<bool, FormatError> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        self.number += 1;
        let mut is_any = false;
        while let Some(byte) = self.source.peek()? {
            is_any = true;
            self.source.skip();
            if byte == b'\n' {
                break;
            }
            if bytes.len() == LONGEST_LINE {
                return Err(self.bad(format!("a line is longer than {LONGEST_LINE} bytes")));
            }
            bytes.push(byte);
        }
        self.text = String::from_utf8(bytes).map_err(|_| self.bad("this is not UTF-8".to_string()))?;
        Ok(is_any)
    }

    /// A whole number from 0 to `most`.
    pub(super) fn whole(&self, text: &str, most: u64, what: &str) -> Result<u64, FormatError> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_number { text.parse().ok().filter(|number| *number <= most) } else { None };
        number.ok_or_else(|| self.bad(format!("{what} is {:?}: it is from 0 to {most}", excerpt(text))))
    }

    /// Adds a state that follows the last action, and its chance.
    pub(super) fn follow(&self, states: &mut StatesReader, to: &str, chance: &str) -> Result<(), FormatError> {
        let last = states.announced.saturating_sub(1);
        let to = self.whole(to, last, "the number of a state that follows")? as u32;
        let chance = chance.parse().map_err(|error: richman_core::Error| self.bad(error.to_string()))?;
        states.add(to, chance);
        Ok(())
    }
}

impl StatePlace for NumberedLines<'_> {
    fn bad(&self, reason: String) -> FormatError {
        let column = self.text.len() - self.text.trim_start().len() + 1;
        FormatError::bad_value(self.source.file, Some((self.number, column)), reason)
    }

    fn file(&self) -> &str {
        self.source.file
    }

    fn check_now(&self, held: u64) -> Result<(), FormatError> {
        self.source.check_now(held)
    }
}

/// Bytes to collect before writing.
const FULL: usize = 1 << 16;

/// Lines written together.
pub(super) struct WrittenLines<'o> {
    out: &'o mut dyn Write,
    pub(super) bytes: Vec<u8>,
}

impl<'o> WrittenLines<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> WrittenLines<'o> {
        WrittenLines { out, bytes: Vec::with_capacity(2 * FULL) }
    }

    pub(super) fn end_line(&mut self) -> io::Result<()> {
        self.bytes.push(b'\n');
        self.flush_if_full()
    }

    /// Writes a long line in parts.
    pub(super) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.bytes.len() >= FULL { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}
