//! Files whose writing can be stopped.

use std::io::{self, Write};
use std::path::Path;

use richman_core::Watch;

use crate::{NewFile, write_file};

/// The reason why a file was not written; an older file of its name is unchanged.
#[derive(Debug)]
pub enum WriteFault {
    /// The watch said stop.
    Stopped,
    /// The system's error.
    Failed(io::Error),
}

/// Writes a file completely or not at all, until the watch says stop. Work stopped earlier still
/// writes its results.
///
/// # Errors
/// A [`WriteFault`].
pub fn write_watched(
    path: &Path,
    watch: &dyn Watch,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteFault> {
    let watch = (!watch.cancelled()).then_some(watch);
    let mut is_stopped = false;
    let written = write_file(path, |file| {
        let mut out = WatchedFile { file, watch, is_stopped: &mut is_stopped };
        write(&mut out)?;
        out.ask()
    });
    match written {
        Err(_) if is_stopped => Err(WriteFault::Stopped),
        written => written.map_err(WriteFault::Failed),
    }
}

/// A file whose writing ends when the watch says stop.
struct WatchedFile<'a> {
    file: &'a mut NewFile,
    watch: Option<&'a dyn Watch>,
    is_stopped: &'a mut bool,
}

impl WatchedFile<'_> {
    fn ask(&mut self) -> io::Result<()> {
        *self.is_stopped = self.watch.is_some_and(Watch::cancelled);
        if *self.is_stopped { Err(io::Error::other("stopped")) } else { Ok(()) }
    }
}

impl Write for WatchedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const AT_ONCE: usize = 1 << 20;
        self.ask()?;
        self.file.write(&bytes[..bytes.len().min(AT_ONCE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
