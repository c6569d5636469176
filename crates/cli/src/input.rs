//! What commands read: games, records and saved files, from paths and from standard input.
//!
//! A pipe gives its content once, so a command opens each input once and keeps what it read.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Mutex;

use richman_formats::FormatError;

use crate::error::CliError;
use crate::watch;

/// The names of standard input.
const STANDARD_INPUT: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// Whether a path names standard input.
pub fn is_standard(path: &Path) -> bool {
    STANDARD_INPUT.iter().any(|name| path == Path::new(name))
}

/// An opened file or standard input.
pub struct Input {
    name: String,
    /// Bytes, where the file is a regular one.
    size: Option<u64>,
    reader: Box<dyn Read>,
}

impl Input {
    /// Opens `path`, or standard input where the path is one of its names.
    ///
    /// # Errors
    /// [`FormatError::Unreadable`]; [`CliError::Usage`] for standard input or a pipe that this process opened before.
    pub fn open(path: &Path) -> Result<Input, CliError> {
        if is_standard(path) {
            if opened_before(Once::StandardInput) {
                let reason = "standard input is read once: give the path of a regular file for the other input";
                return Err(CliError::Usage(reason.to_string()));
            }
            return Ok(Input { name: "standard input".to_string(), size: None, reader: Box::new(io::stdin()) });
        }
        let name = path.display().to_string();
        // Opening a named pipe waits for a writer, so the question comes before.
        if let Some(pipe) = path.metadata().ok().and_then(|about| pipe(&about))
            && opened_before(pipe)
        {
            let reason = "a pipe is read once: give the path of a regular file for the other input";
            return Err(CliError::Usage(format!("{name}: {reason}")));
        }
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return Err(FormatError::Unreadable { file: name, error }.into()),
        };
        let size = file.metadata().ok().filter(Metadata::is_file).map(|about| about.len());
        Ok(Input { name, size, reader: Box::new(file) })
    }

    /// What it is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length in bytes, where that is known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Everything up to its end.
    ///
    /// # Errors
    /// [`FormatError::Unreadable`], or [`FormatError::TooLarge`] above `limit` bytes.
    pub fn bytes(&mut self, limit: u64) -> Result<Vec<u8>, CliError> {
        let name = self.name.clone();
        if self.size.is_some_and(|size| size > limit) {
            return Err(FormatError::TooLarge { file: name, limit }.into());
        }
        Ok(richman_formats::read_limited(&name, self, limit)?)
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // Nothing else goes on meanwhile, so Ctrl-C ends the process even if no byte ever comes.
        watch::waiting(true);
        let read = self.reader.read(into);
        watch::waiting(false);
        read
    }
}

/// What can be read once only.
#[derive(PartialEq)]
enum Once {
    StandardInput,
    /// A pipe or a socket, by its device and number.
    Pipe(u64, u64),
}

#[cfg(unix)]
fn pipe(about: &Metadata) -> Option<Once> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = about.file_type();
    (kind.is_fifo() || kind.is_socket()).then(|| Once::Pipe(about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn pipe(_: &Metadata) -> Option<Once> {
    None
}

/// Notes that `input` is opened, and says whether it was before.
fn opened_before(input: Once) -> bool {
    static OPENED: Mutex<Vec<Once>> = Mutex::new(Vec::new());
    let mut opened = OPENED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = opened.contains(&input);
    opened.push(input);
    known
}
