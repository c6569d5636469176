//! The screen of a match: a terminal, or a pipe.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use anstream::AutoStream;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use rustyline::error::ReadlineError;

use crate::output::printed;
use crate::play::board;
use crate::{CliError, watch};

/// A piece of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenInput {
    /// What was typed; a path in it may be no text.
    Line(OsString),
    /// The end of the input.
    End,
    /// Ctrl-C.
    Stop,
}

pub trait Screen {
    /// Whether positions are drawn and people prompted; otherwise every event is one line.
    fn is_drawn(&self) -> bool;
    fn say(&mut self, text: &str) -> Result<(), CliError>;
    /// Waits for a line.
    fn ask(&mut self, prompt: &str) -> Result<ScreenInput, CliError>;
    /// Waits for a line that is not shown while it is typed.
    fn ask_hidden(&mut self, prompt: &str) -> Result<ScreenInput, CliError>;
}

/// A terminal: colours unless disabled, editable lines, hidden bids.
pub struct TerminalScreen {
    out: AutoStream<io::Stdout>,
    editor: rustyline::DefaultEditor,
}

impl TerminalScreen {
    pub fn new() -> Result<TerminalScreen, CliError> {
        let editor = rustyline::DefaultEditor::new().map_err(|error| CliError::Input(io::Error::other(error)))?;
        Ok(TerminalScreen { out: AutoStream::auto(io::stdout()), editor })
    }
}

impl Screen for TerminalScreen {
    fn is_drawn(&self) -> bool {
        true
    }

    fn say(&mut self, text: &str) -> Result<(), CliError> {
        let text = wrapped(text, width());
        printed(writeln!(self.out, "{}", board::coloured(&text)).and_then(|()| self.out.flush()))
    }

    fn ask_hidden(&mut self, prompt: &str) -> Result<ScreenInput, CliError> {
        // Before the prompt, so that nothing typed after it is echoed.
        let raw = RawMode::new().map_err(CliError::Input)?;
        printed(write!(self.out, "{}", board::coloured(prompt)).and_then(|()| self.out.flush()))?;
        let heard = read_hidden().map_err(CliError::Input)?;
        drop(raw);
        printed(writeln!(self.out))?;
        Ok(heard)
    }

    fn ask(&mut self, prompt: &str) -> Result<ScreenInput, CliError> {
        match self.editor.readline(prompt) {
            Ok(line) => {
                let _ = self.editor.add_history_entry(&line); // needed only for the arrow keys
                Ok(ScreenInput::Line(line.into()))
            }
            Err(ReadlineError::Eof) => Ok(ScreenInput::End),
            Err(ReadlineError::Interrupted) => Ok(ScreenInput::Stop),
            Err(ReadlineError::Io(error)) => Err(CliError::Input(error)),
            Err(error) => Err(CliError::Input(io::Error::other(error))),
        }
    }
}

fn width() -> usize {
    const USUAL: usize = 80;
    const NARROWEST: usize = 20;
    match crossterm::terminal::size() {
        Ok((columns, _)) if columns > 0 => usize::from(columns).max(NARROWEST),
        _ => USUAL,
    }
}

fn wrapped(text: &str, width: usize) -> String {
    let fits = |line: &&str| line.chars().count() <= width;
    let lines = text.split('\n').map(|line| if fits(&line) { line.to_string() } else { textwrap::fill(line, width) });
    lines.collect::<Vec<_>>().join("\n")
}

/// Suppresses the echo of keys until it is dropped.
struct RawMode;

impl RawMode {
    fn new() -> io::Result<RawMode> {
        crossterm::terminal::enable_raw_mode()?;
        Ok(RawMode)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        let _ = crossterm::terminal::disable_raw_mode(); // there is no better handling
    }
}

/// Reads a line without showing it or its length. Echo is already off.
fn read_hidden() -> io::Result<ScreenInput> {
    const LONGEST: usize = 4096;
    let mut line = String::new();
    loop {
        let Event::Key(key) = crossterm::event::read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return Ok(ScreenInput::Stop),
            KeyCode::Char('d') if control && line.is_empty() => return Ok(ScreenInput::End),
            KeyCode::Char('u') if control => line.clear(),
            KeyCode::Char('j' | 'm') if control => return Ok(ScreenInput::Line(line.into())),
            KeyCode::Enter => return Ok(ScreenInput::Line(line.into())),
            KeyCode::Backspace => {
                line.pop();
            }
            KeyCode::Char(typed) if !control && line.len() < LONGEST => line.push(typed),
            _ => {}
        }
    }
}

/// A pipe: no prompts, no colours, one line per event.
pub struct PipeScreen<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> PipeScreen<R, W> {
    pub fn new(input: R, output: W) -> PipeScreen<R, W> {
        PipeScreen { input, output }
    }
}

impl<R: BufRead, W: Write> Screen for PipeScreen<R, W> {
    fn is_drawn(&self) -> bool {
        false
    }

    fn say(&mut self, text: &str) -> Result<(), CliError> {
        printed(writeln!(self.output, "{text}").and_then(|()| self.output.flush()))
    }

    fn ask_hidden(&mut self, prompt: &str) -> Result<ScreenInput, CliError> {
        self.ask(prompt)
    }

    fn ask(&mut self, _: &str) -> Result<ScreenInput, CliError> {
        const LONGEST: u64 = 1 << 16;
        let mut line = Vec::new();
        watch::waiting(true); // Ctrl-C ends the process while it only waits
        let read = io::Read::take(&mut self.input, LONGEST).read_until(b'\n', &mut line);
        watch::waiting(false);
        match read.map_err(CliError::Input)? {
            0 => Ok(ScreenInput::End),
            _ => Ok(ScreenInput::Line(typed(line))),
        }
    }
}

#[cfg(unix)]
fn typed(line: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(line)
}

#[cfg(not(unix))]
fn typed(line: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&line).into_owned().into()
}
