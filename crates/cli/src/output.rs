//! Output: reports to standard output, solutions to files.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use richman_analysis::saved::SavedSolution;
use richman_core::{Error, Watch};
use richman_files::{WriteFault, write_watched};
use richman_render::layout::Layout;
use richman_render::reports::Printed;
use serde::Serialize;

use crate::args::FormatArgs;
use crate::{CliError, Done};

/// The result of printing; [`CliError::Pipe`] if the reader is gone.
pub fn printed(done: io::Result<()>) -> Result<(), CliError> {
    done.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::Pipe,
        _ => CliError::Output(error),
    })
}

/// Says something on standard error. If that is full or closed nobody is told, but the exit status
/// stays what it is: the macros of the standard library would panic.
pub fn complain(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints the help, or what is wrong with the arguments.
pub fn stopped(stop: &clap::Error) -> Done {
    let shown = stop.print().and_then(|()| io::stdout().flush());
    match stop.use_stderr() {
        true => Ok(ExitCode::from(2)),
        false => printed(shown).map(|()| ExitCode::SUCCESS),
    }
}

/// Prints piece by piece, without holding the whole text. Making the pieces cannot fail.
pub fn streamed(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Done {
    let mut out = BufWriter::new(io::stdout().lock());
    printed(write(&mut out).and_then(|()| out.flush())).map(|()| ExitCode::SUCCESS)
}

/// Prints a text that is complete, never half a table.
pub fn text(text: &str) -> Done {
    streamed(|out| out.write_all(text.as_bytes()))
}

/// Prints a report in the requested format.
pub fn report<R: Serialize + Printed>(format: &FormatArgs, report: &R) -> Done {
    text(&rendered(format, report, || report.rows(), |layout| report.text(layout))?)
}

/// The exit status of a report with a verdict, even if its reader is gone.
pub fn verdict(printed: Done, valid: bool) -> Done {
    match printed {
        Ok(_) | Err(CliError::Pipe) => Ok(if valid { ExitCode::SUCCESS } else { ExitCode::from(1) }),
        Err(error) => Err(error),
    }
}

pub fn words(words: &str) -> Done {
    text(&layout().wrapped(words))
}

/// A report in the requested format.
pub fn rendered(
    format: &FormatArgs,
    report: &impl Serialize,
    table: impl FnOnce() -> Vec<Vec<String>>,
    words: impl FnOnce(Layout) -> String,
) -> Result<String, CliError> {
    if format.json {
        json_line(report)
    } else if format.csv {
        csv_text(table())
    } else {
        let layout = layout();
        Ok(layout.wrapped(&words(layout)))
    }
}

/// The layout of text: as wide as `COLUMNS` says, or else as the terminal. Piped text has no width,
/// and neither has a terminal of no columns.
pub fn layout() -> Layout {
    const NARROWEST: usize = 20;
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    let terminal = || io::stdout().is_terminal().then(|| crossterm::terminal::size().ok()).flatten();
    let width = asked.or_else(|| terminal().map(|(columns, _)| columns.into()));
    Layout { width: width.filter(|width| *width > 0).map(|width| width.max(NARROWEST)) }
}

/// A report as a line of JSON.
pub fn json_line(report: &impl Serialize) -> Result<String, CliError> {
    let document = serde_json::to_string(report).map_err(|error| CliError::Output(error.into()))?;
    Ok(document + "\n")
}

/// Rows as comma-separated values, starting with the header.
pub fn csv_text(rows: impl IntoIterator<Item = Vec<String>>) -> Result<String, CliError> {
    richman_render::csv::text(rows).map_err(CliError::Output)
}

pub fn save(path: &Path, solution: &SavedSolution, watch: &dyn Watch) -> Result<(), CliError> {
    file(path, watch, |out| richman_formats::write(solution, out))
}

/// Saves a drawing to the given path; the path `-` prints it. Returns whether the drawing was
/// printed in place of the report.
pub fn drawn(
    path: &Option<PathBuf>,
    watch: &dyn Watch,
    drawing: impl FnOnce() -> Result<String, CliError>,
) -> Result<bool, CliError> {
    let Some(path) = path else { return Ok(false) };
    let drawing = drawing()?;
    let is_printed = path == Path::new("-");
    if is_printed {
        text(&drawing)?;
    } else {
        file(path, watch, |out| out.write_all(drawing.as_bytes()))?;
    }
    Ok(is_printed)
}

/// Writes a whole file or nothing: the old file stays if the command is stopped meanwhile. A
/// command that was stopped before still writes its results.
pub fn file(
    path: &Path,
    watch: &dyn Watch,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CliError> {
    write_watched(path, watch, write).map_err(|fault| match fault {
        WriteFault::Stopped => Error::Cancelled.into(),
        WriteFault::Failed(reason) => CliError::Save(path.to_path_buf(), reason),
    })
}
