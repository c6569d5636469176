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
    let memory = args.memory.as_u64();
    let bytes = richman_formats::read_bounded(&args.file, richman_formats::MAX_SAVED_BYTES.min(memory / 4))?;
    let solution = richman_formats::read(&args.file.display().to_string(), &bytes)?;
    drop(bytes);
    let limits = Limits { memory, ..Limits::default() };
    let report = saved::verify(solution, &limits, watch)?;
    if args.json {
        output::json(&report)?;
    } else {
        output::text(&render::verify(&report))?;
    }
    Ok(if report.valid { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
