//! The bytes of a file, read piece by piece.

use std::io::{ErrorKind, Read};

use crc32fast::Hasher;

use crate::error::FormatError;
use crate::reading::Reading;

/// Bytes of lookahead.
const PIECE: usize = 1 << 16;

/// A file, read byte by byte.
pub(crate) struct ByteSource<'a> {
    pub(crate) file: &'a str,
    reader: &'a mut dyn Read,
    reading: &'a Reading<'a>,
    piece: Vec<u8>,
    /// The next byte of the piece.
    at: usize,
    /// The bytes before the piece.
    before: u64,
    /// The checksum of these bytes, if wanted.
    sum: Option<Hasher>,
    /// Whether memory is to be checked for this piece.
    is_due: bool,
}

impl<'a> ByteSource<'a> {
    pub(crate) fn new(file: &'a str, reader: &'a mut dyn Read, reading: &'a Reading<'a>) -> ByteSource<'a> {
        ByteSource { file, reader, reading, piece: Vec::new(), at: 0, before: 0, sum: None, is_due: false }
    }

    /// The same, with a checksum of the bytes read.
    pub(crate) fn summed(self) -> ByteSource<'a> {
        ByteSource { sum: Some(Hasher::new()), ..self }
    }

    /// The bytes read so far.
    pub(crate) fn done(&self) -> u64 {
        self.before + self.at as u64
    }

    /// The CRC-32 of the bytes read so far; 0 if none is wanted.
    pub(crate) fn sum(&self) -> u32 {
        let Some(mut sum) = self.sum.clone() else { return 0 };
        sum.update(&self.piece[..self.at]);
        sum.finalize()
    }

    /// The next byte, without taking it; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        match self.piece.get(self.at) {
            Some(&byte) => Ok(Some(byte)),
            None => self.fill(),
        }
    }

    /// Takes the byte that [`ByteSource::peek`] returned.
    #[inline]
    pub(crate) fn skip(&mut self) {
        self.at += 1;
    }

    /// The buffered bytes; may be empty before the end.
    #[inline]
    pub(crate) fn ahead(&self) -> &[u8] {
        self.piece.get(self.at..).unwrap_or_default()
    }

    /// Takes the first `count` bytes of [`ByteSource::ahead`].
    #[inline]
    pub(crate) fn skip_ahead(&mut self, count: usize) {
        self.at += count;
    }

    /// Reads the next piece, and returns its first byte.
    #[cold]
    fn fill(&mut self) -> Result<Option<u8>, FormatError> {
        self.reading.check_time(self.file)?;
        if let Some(sum) = &mut self.sum {
            sum.update(&self.piece);
        }
        self.before += self.piece.len() as u64;
        self.at = 0;
        self.piece.resize(PIECE, 0);
        let read = loop {
            match self.reader.read(&mut self.piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.piece.truncate(*read.as_ref().unwrap_or(&0));
        match read {
            Ok(_) => {}
            Err(error) => return Err(self.reading.unreadable(self.file, error)),
        }
        self.reading.progress("reading bytes", self.before, self.reading.size);
        self.is_due = true;
        Ok(self.piece.first().copied())
    }

    /// Checks, once for each piece, that the bytes held fit in memory.
    #[inline]
    pub(crate) fn check(&mut self, held: impl FnOnce() -> u64) -> Result<(), FormatError> {
        if std::mem::take(&mut self.is_due) { self.check_now(held()) } else { Ok(()) }
    }

    /// Checks that the bytes held fit in memory.
    pub(crate) fn check_now(&self, held: u64) -> Result<(), FormatError> {
        self.reading.check_memory(self.file, "reading the game file", held.saturating_add(PIECE as u64))
    }
}
