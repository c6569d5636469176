//! The numbers and texts of the binary form, written and read.

use std::io::{self, Write};

use crc32fast::Hasher;
use richman_core::{MAX_WEIGHT, Probability};

use crate::error::FormatError;
use crate::names::check_name;
use crate::source::ByteSource;

/// The written form of a number that may be negative.
pub(crate) fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The number that [`folded`] made.
pub(crate) fn unfolded(folded: u64) -> i64 {
    (folded >> 1) as i64 ^ -((folded & 1) as i64)
}

/// Bytes to collect before writing.
const FULL: usize = 1 << 16;

/// A file and the checksum of its bytes.
pub struct Summed<'a> {
    out: &'a mut dyn Write,
    bytes: Vec<u8>,
    sum: Hasher,
}

richman_core::debug_by_name!(Summed<'_> {});

impl<'a> Summed<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Summed<'a> {
        Summed { out, bytes: Vec::with_capacity(2 * FULL), sum: Hasher::new() }
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    pub(crate) fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
        if self.bytes.len() >= FULL { self.flush() } else { Ok(()) }
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum.update(&self.bytes);
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(&self.sum.finalize().to_le_bytes())
    }
}

/// Reads an untrusted file.
pub struct BinaryReader<'a> {
    pub(crate) source: ByteSource<'a>,
    /// The number of the position being read.
    pub(crate) position: Option<u32>,
}

richman_core::debug_by_name!(BinaryReader<'_> {});

impl BinaryReader<'_> {
    pub(crate) fn bad(&self, reason: impl Into<String>) -> FormatError {
        let reason = match self.position {
            Some(position) => format!("position number {position}: {}", reason.into()),
            None => reason.into(),
        };
        FormatError::bad_value(self.source.file, None, reason)
    }

    pub(crate) fn damaged(&self, reason: &str) -> FormatError {
        self.bad(format!("the file is damaged: {reason}"))
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, FormatError> {
        let Some(byte) = self.source.peek()? else { return Err(self.damaged("it ends too early")) };
        self.source.skip();
        Ok(byte)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, FormatError> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number is too large"))
    }

    /// A number below `bound`.
    #[inline]
    pub(crate) fn below(&mut self, what: &str, bound: u32) -> Result<u32, FormatError> {
        let number = self.number()?;
        let fits = u32::try_from(number).ok().filter(|number| *number < bound);
        fits.ok_or_else(|| self.damaged(&format!("{what} is {number}, but is less than {bound}")))
    }

    /// A score or a weight.
    pub(crate) fn amount(&mut self) -> Result<i64, FormatError> {
        let number = unfolded(self.number()?);
        if (-MAX_WEIGHT..=MAX_WEIGHT).contains(&number) {
            return Ok(number);
        }
        Err(self.damaged(&format!("a score or weight is {number}, but is from {} to {MAX_WEIGHT}", -MAX_WEIGHT)))
    }

    /// The chance of a move.
    pub(crate) fn chance(&mut self) -> Result<Probability, FormatError> {
        let (numerator, denominator) = (self.number()?, self.number()?);
        let chance = Probability::new(numerator, denominator).filter(|chance| chance.numerator() == numerator);
        chance.ok_or_else(|| self.damaged("a chance is not above 0 and at most 1"))
    }

    /// A text of at most `longest` characters, perhaps empty.
    pub(crate) fn text(&mut self, text: &mut String, what: &str, longest: usize) -> Result<(), FormatError> {
        /// The most bytes of a character.
        const WIDEST: usize = 4;
        let length = self.below(what, (longest * WIDEST) as u32 + 1)?;
        let mut letters = std::mem::take(text).into_bytes();
        letters.clear();
        for _ in 0..length {
            letters.push(self.byte()?);
        }
        *text = String::from_utf8(letters).map_err(|_| self.damaged(&format!("{what} is not UTF-8")))?;
        Ok(())
    }

    /// A text that [`check_name`] accepts.
    pub(crate) fn name(&mut self, text: &mut String, what: &str, longest: usize) -> Result<(), FormatError> {
        self.text(text, what, longest)?;
        check_name(what, longest, text).map_err(|reason| self.bad(reason))
    }

    /// The checksum and the end.
    pub(crate) fn end(&mut self) -> Result<(), FormatError> {
        let sum = self.source.sum();
        let stored = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        if u32::from_le_bytes(stored) != sum {
            return Err(self.damaged("its checksum is wrong"));
        }
        if self.source.peek()?.is_some() {
            return Err(self.damaged("something follows its end"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_folded() {
        assert_eq!([0, -1, 1, -2, i64::MAX, i64::MIN].map(folded), [0, 1, 2, 3, u64::MAX - 1, u64::MAX]);
        for number in [0, 1, -1, 1_000_000_000, i64::MAX, i64::MIN] {
            assert_eq!(unfolded(folded(number)), number);
        }
    }
}
