//! Writing: reports to standard output, solutions to files.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use richman_formats::SavedSolution;
use serde::Serialize;

use crate::args::FormatArgs;
use crate::error::CliError;

/// Prints a text that is complete: never half a table.
pub fn text(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(CliError::Pipe),
        Err(error) => Err(CliError::Output(error)),
    }
}

/// Prints a report in the format that is asked for.
pub fn report(
    format: &FormatArgs,
    report: &impl Serialize,
    table: impl FnOnce() -> Vec<Vec<String>>,
    words: impl FnOnce() -> String,
) -> Result<(), CliError> {
    if format.json {
        json(report)
    } else if format.csv {
        csv(table())
    } else {
        text(&words())
    }
}

/// Prints a report as one JSON document.
pub fn json(report: &impl Serialize) -> Result<(), CliError> {
    text(&json_line(report)?)
}

/// A report as one JSON document on one line.
pub fn json_line(report: &impl Serialize) -> Result<String, CliError> {
    let document = serde_json::to_string(report).map_err(|error| CliError::Output(error.into()))?;
    Ok(document + "\n")
}

/// Prints rows of comma-separated values, the first of them the header.
pub fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> Result<(), CliError> {
    text(&csv_text(rows)?)
}

/// Rows as comma-separated values.
pub fn csv_text(rows: impl IntoIterator<Item = Vec<String>>) -> Result<String, CliError> {
    richman_render::csv::text(rows).map_err(CliError::Output)
}

/// Saves a solution.
pub fn save(path: &Path, solution: &SavedSolution) -> Result<(), CliError> {
    file(path, |out| richman_formats::write(solution, out))
}

/// Writes a text to a file, or with the path `-` to standard output.
pub fn save_text(path: &Path, content: &str) -> Result<(), CliError> {
    if path == Path::new("-") {
        return text(content);
    }
    file(path, |out| out.write_all(content.as_bytes()))
}

/// Writes a file: it appears, or replaces an older one, only when it is complete.
pub fn file(path: &Path, write: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>) -> Result<(), CliError> {
    let failed = |reason| CliError::Save { path: path.to_path_buf(), reason };
    let Some(name) = path.file_name() else {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "this is not the name of a file")));
    };
    let mut partial = name.to_os_string();
    partial.push(".partial");
    let partial = path.with_file_name(partial);
    let written = fs::File::create(&partial).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
        fs::rename(&partial, path)
    });
    written.map_err(|reason| {
        let _ = fs::remove_file(&partial); // best effort: the error itself is reported
        failed(reason)
    })
}
