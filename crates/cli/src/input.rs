//! Input of commands: games, records and saved files, from paths and from standard input. A pipe
//! gives its content only once, so a command opens each input once.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use richman_core::Watch;
use richman_formats::{FileKind, FormatError};

use crate::error::CliError;
use crate::watch::TerminalWatch;

/// The names of standard input.
const STANDARD_INPUT: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// The name of standard input in messages.
const STANDARD: &str = "standard input";

pub fn is_standard(path: &Path) -> bool {
    STANDARD_INPUT.iter().any(|name| path == Path::new(name))
}

pub struct Input<'w> {
    /// The name in messages.
    pub name: String,
    /// The bytes of a regular file.
    pub size: Option<u64>,
    /// The first bytes of what was read.
    begins: Vec<u8>,
    source: InputSource,
    watch: &'w TerminalWatch,
}

enum InputSource {
    File(File),
    /// A source that may block, read by a thread of its own.
    Pieces(Receiver<io::Result<Vec<u8>>>, Cursor<Vec<u8>>),
}

impl InputSource {
    fn pieces<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static) -> InputSource {
        const PIECE: usize = 1 << 16;
        let (send, pieces) = mpsc::sync_channel(1);
        thread::spawn(move || {
            let mut reader = match open() {
                Ok(reader) => reader,
                Err(error) => return drop(send.send(Err(error))), // the receiver may be gone
            };
            loop {
                let mut piece = vec![0; PIECE];
                let piece = match reader.read(&mut piece) {
                    Ok(0) => return,
                    Ok(read) => Ok(piece[..read].to_vec()),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                if send.send(piece).is_err() {
                    return;
                }
            }
        });
        InputSource::Pieces(pieces, Cursor::default())
    }
}

impl Input<'_> {
    /// Opens `path`, or standard input if the path is one of its names.
    ///
    /// # Errors
    /// [`FormatError::Unreadable`] if it cannot be opened; [`CliError::Usage`] for standard input
    /// or a pipe that this process has already opened.
    pub fn open<'w>(path: &Path, watch: &'w TerminalWatch) -> Result<Input<'w>, CliError> {
        if is_standard(path) {
            if opened_before(OneTimeReader::StandardInput) {
                let reason = "standard input is read once: give the path of a regular file for the other input";
                return Err(CliError::Usage(reason.to_string()));
            }
            let source = InputSource::pieces(|| Ok(io::stdin()));
            return Ok(Input { name: STANDARD.to_string(), size: None, begins: Vec::new(), source, watch });
        }
        let name = path.display().to_string();
        let unreadable = |error| FormatError::Unreadable { file: path.display().to_string(), error };
        let about = path.metadata().map_err(unreadable)?;
        if let Some(pipe) = pipe(&about)
            && opened_before(pipe)
        {
            let reason = "a pipe is read once: give the path of a regular file for the other input";
            return Err(CliError::Usage(format!("{name}: {reason}")));
        }
        if !about.is_file() {
            // Opening a named pipe waits for a writer.
            let path = path.to_path_buf();
            let source = InputSource::pieces(|| File::open(path));
            return Ok(Input { name, size: None, begins: Vec::new(), source, watch });
        }
        let source = InputSource::File(File::open(path).map_err(unreadable)?);
        Ok(Input { name, size: Some(about.len()), begins: Vec::new(), source, watch })
    }

    /// Reads up to the end.
    ///
    /// # Errors
    /// [`FormatError::Unreadable`] if it cannot be read or exceeds `limit` bytes;
    /// [`richman_core::Error::Cancelled`] if stopped.
    pub fn bytes(&mut self, limit: u64) -> Result<Vec<u8>, CliError> {
        let name = self.name.clone();
        if self.size.is_some_and(|size| size > limit) {
            return Err(FormatError::too_large(&name, limit).into());
        }
        let watch = self.watch;
        richman_files::read_limited(self, limit).map_err(|error| match error.kind() {
            ErrorKind::TimedOut | ErrorKind::FileTooLarge => FormatError::Unreadable { file: name, error }.into(),
            _ if watch.cancelled() => richman_core::Error::Cancelled.into(),
            _ => FormatError::Unreadable { file: name, error }.into(),
        })
    }
}

impl Input<'_> {
    /// Says what the file is and what to do with it, if it was read as `wanted` and is none of
    /// these.
    pub fn explained(&self, error: CliError, wanted: FileKind) -> CliError {
        use richman_formats::FormatError::{BadValue, NotJson, NotUtf8};
        let is_unread = matches!(
            &error,
            CliError::Analysis(richman_analysis::Error::Format(NotUtf8 { .. } | NotJson { .. } | BadValue { .. }))
        );
        let Some(kind) = FileKind::of(&self.begins).filter(|kind| is_unread && *kind != wanted) else { return error };
        let path = if self.name == STANDARD { "-" } else { &self.name };
        let advice = match (kind, wanted) {
            (FileKind::Game, FileKind::Solution) => format!("`richman solve {path} --save FILE` writes one"),
            (FileKind::Game, _) => {
                format!("`richman play {path}` plays it, and `save FILE` there writes the record of the match")
            }
            (FileKind::Record, _) => format!("`richman review {path}` reviews it"),
            _ => format!("`richman verify {path}` proves it"),
        };
        CliError::Usage(format!("{}: this is {kind}, not {wanted}: {advice}", self.name))
    }

    fn read_on(&mut self, into: &mut [u8]) -> io::Result<usize> {
        /// The time between two checks for a stop.
        const A_MOMENT: Duration = Duration::from_millis(50);
        let stopped = || Err(io::Error::other("stopped"));
        let (pieces, piece) = match &mut self.source {
            InputSource::File(_) if self.watch.cancelled() => return stopped(),
            InputSource::File(file) => return file.read(into),
            InputSource::Pieces(pieces, piece) => (pieces, piece),
        };
        loop {
            let read = piece.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            if self.watch.has_waited() {
                let reason = "it did not end within --time: raise it, or give a file";
                return Err(io::Error::new(ErrorKind::TimedOut, reason));
            }
            if self.watch.cancelled() {
                return stopped();
            }
            match pieces.recv_timeout(A_MOMENT) {
                Ok(next) => *piece = Cursor::new(next?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.read_on(into)?;
        let wanted = FileKind::HEAD.saturating_sub(self.begins.len()).min(read);
        self.begins.extend_from_slice(&into[..wanted]);
        Ok(read)
    }
}

/// A source that can be read only once.
#[derive(PartialEq)]
enum OneTimeReader {
    StandardInput,
    /// A pipe or a socket, by its device and inode.
    Pipe(u64, u64),
}

#[cfg(unix)]
fn pipe(about: &Metadata) -> Option<OneTimeReader> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = about.file_type();
    (kind.is_fifo() || kind.is_socket()).then(|| OneTimeReader::Pipe(about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn pipe(_: &Metadata) -> Option<OneTimeReader> {
    None
}

/// Whether `input` was opened before; from now on it was.
fn opened_before(input: OneTimeReader) -> bool {
    static OPENED: Mutex<Vec<OneTimeReader>> = Mutex::new(Vec::new());
    let mut opened = OPENED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = opened.contains(&input);
    opened.push(input);
    known
}
