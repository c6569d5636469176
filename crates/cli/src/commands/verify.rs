//! `richman verify`

use std::process::ExitCode;

use richman_analysis::saved;
use richman_core::Limits;

use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Proves a saved solution; exit status 1 where it is wrong.
pub fn run(args: &VerifyArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let memory = args.memory.0;
    let source = args.file.display().to_string();
    let bytes = richman_formats::read_bounded(&args.file, richman_formats::MAX_SAVED_BYTES.min(memory / 4))?;
    let solution = richman_formats::read(&source, &bytes)?;
    drop(bytes);
    let limits = Limits { memory, ..Limits::default() };
    let report = saved::verify(solution, &limits, watch).map_err(|error| CliError::in_file(source, error))?;
    let printed = if args.json { output::json(&report) } else { output::text(&render::verify(&report)) };
    match printed {
        // The verdict is the exit status, whether or not somebody reads it.
        Ok(()) | Err(CliError::Pipe) => {}
        Err(error) => return Err(error),
    }
    Ok(if report.valid { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
