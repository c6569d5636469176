//! The beginning of a file, which every form shares: its compression, a byte order mark, white
//! space and comments. The content after it determines the form.

use std::io::{self, ErrorKind, Read};

#[cfg(feature = "files")]
use flate2::read::MultiGzDecoder;

use crate::error::{FileLocation, FormatError};
use crate::reading::Reading;

/// The byte order mark of UTF-8, which some editors write.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

const GZIP: &[u8] = &[0x1F, 0x8B];

/// The first bytes of files compressed in other ways, and the commands that unpack them.
const COMPRESSED: [(&[u8], &str); 4] = [
    (GZIP, "gzip"),
    (&[0xFD, b'7', b'z', b'X', b'Z', 0], "xz"),
    (&[0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    (b"BZh", "bzip2"),
];

/// The advice for a file compressed in an unsupported way; `None` for others.
fn compressed(head: &[u8]) -> Option<String> {
    let (_, command) = COMPRESSED.into_iter().find(|(begins, _)| head.starts_with(begins))?;
    Some(format!("the file is compressed: unpack it, as with `{command} -dc`, and give the result"))
}

/// The text in these bytes.
///
/// # Errors
/// The first place that is not UTF-8, or advice if the bytes are compressed.
pub(crate) fn utf8<'t>(file: &str, bytes: &'t [u8]) -> Result<&'t str, FormatError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let place = Box::new(FileLocation::after(file, &bytes[..error.valid_up_to()]));
        match compressed(bytes) {
            Some(reason) => FormatError::BadValue { place, reason },
            None => FormatError::NotUtf8 { place },
        }
    })
}

/// A file whose first bytes have been examined. Reading continues at the content; white space and
/// comments before it are replaced by line breaks and spaces, so that reported places stay right.
pub(crate) struct Opening<'r> {
    reader: Box<dyn Read + 'r>,
    /// The bytes read.
    head: Vec<u8>,
    /// The index of the content, or of the next byte.
    at: usize,
    /// Lines before the content, and bytes before it in its line.
    lines: u64,
    column: u64,
    /// The line of the first comment, from 1.
    pub(crate) comment: Option<u64>,
    /// Whether anything stands before the content.
    pub(crate) is_text: bool,
    /// Whether the file is compressed.
    pub(crate) is_packed: bool,
}

impl<'r> Opening<'r> {
    /// Opens a file called `source`. Waits for no more bytes than needed, because a pipe may be
    /// slow.
    ///
    /// # Errors
    /// [`FormatError::BadValue`] for a file compressed in another way than by gzip; the errors of
    /// reading.
    pub(crate) fn new(source: &str, reader: &'r mut dyn Read, reading: &Reading) -> Result<Opening<'r>, FormatError> {
        let failed = |error| reading.unreadable(source, error);
        let mut opening = Opening::over(Box::new(reader));
        #[cfg(feature = "files")]
        if opening.begins_with(GZIP).map_err(failed)? {
            opening = opening.unpacked(reading.effort.memory_left());
        }
        for (begins, _) in COMPRESSED {
            if opening.begins_with(begins).map_err(failed)?
                && let Some(reason) = compressed(begins)
            {
                let place = Box::new(FileLocation { file: source.to_string(), line: None, position: None });
                return Err(FormatError::BadValue { place, reason });
            }
        }
        opening.skip_blank().map_err(failed)?;
        Ok(opening)
    }

    /// The file unpacked, up to that many bytes.
    #[cfg(feature = "files")]
    fn unpacked(self, most: u64) -> Opening<'r> {
        let packed = io::Cursor::new(self.head).chain(self.reader);
        let unpacked = Unpacked { decoder: MultiGzDecoder::new(packed), left: most, most };
        Opening { is_packed: true, ..Opening::over(Box::new(unpacked)) }
    }

    fn over(reader: Box<dyn Read + 'r>) -> Opening<'r> {
        let (is_text, is_packed) = (false, false);
        Opening { reader, head: Vec::new(), at: 0, lines: 0, column: 0, comment: None, is_text, is_packed }
    }

    /// Reads the available bytes; false at the end.
    fn more(&mut self) -> io::Result<bool> {
        const PIECE: usize = 1 << 12;
        if self.at == self.head.len() {
            self.head.clear();
            self.at = 0;
        }
        let had = self.head.len();
        self.head.resize(had + PIECE, 0);
        let read = loop {
            match self.reader.read(&mut self.head[had..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.head.truncate(had + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }

    /// At least the next `bytes` bytes, or all remaining ones.
    pub(crate) fn head(&mut self, bytes: usize) -> io::Result<&[u8]> {
        while self.head.len() - self.at < bytes && self.more()? {}
        Ok(&self.head[self.at..])
    }

    /// Whether these bytes come next. Stops at the first difference.
    fn begins_with(&mut self, bytes: &[u8]) -> io::Result<bool> {
        for length in 1..=bytes.len() {
            if !self.head(length)?.starts_with(&bytes[..length]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips a byte order mark, white space and comments.
    fn skip_blank(&mut self) -> io::Result<()> {
        if self.begins_with(MARK)? {
            self.at += MARK.len();
            self.is_text = true;
        }
        let mut in_comment = false;
        while let Some(&byte) = self.head(1)?.first() {
            match byte {
                b'\n' => {
                    (self.lines, self.column, in_comment) = (self.lines + 1, 0, false);
                }
                b' ' | b'\t' | b'\r' => self.column += 1,
                _ if in_comment => {}
                b'/' if self.begins_with(b"//")? => {
                    self.comment = self.comment.or(Some(self.lines + 1));
                    in_comment = true;
                }
                _ => break,
            }
            self.at += 1;
            self.is_text = true;
        }
        Ok(())
    }

    /// The rest of the file.
    pub(crate) fn into_reader(self) -> impl Read + 'r {
        let blank = io::repeat(b'\n').take(self.lines).chain(io::repeat(b' ').take(self.column));
        let mut head = io::Cursor::new(self.head);
        head.set_position(self.at as u64);
        blank.chain(head).chain(self.reader)
    }
}

/// An unpacked file, up to a limit: a short file can unpack to a long one.
#[cfg(feature = "files")]
struct Unpacked<R> {
    decoder: MultiGzDecoder<R>,
    left: u64,
    most: u64,
}

#[cfg(feature = "files")]
impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(into).map_err(|error| match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                io::Error::new(ErrorKind::InvalidData, format!("the compressed file is damaged: {error}"))
            }
            _ => error,
        })?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(richman_files::too_large(self.most)),
        }
        Ok(read)
    }
}
