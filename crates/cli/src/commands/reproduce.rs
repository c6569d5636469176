//! `richman reproduce`

use std::process::ExitCode;

use richman_catalog as catalog;
use richman_solvers::Options;

use crate::args::ReproduceArgs;
use crate::error::CliError;
use crate::output;
use crate::render::reproduce;
use crate::watch::Terminal;

/// Compares published results with what is computed; exit status 1 where one is not as recorded.
pub fn run(args: &ReproduceArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let options = Options { memory: args.memory.0, watch, ..Options::default() };
    let report = catalog::reproduce(&args.key, args.deep, &options)?;
    let printed = output::report(&args.format, &report, || reproduce::rows(&report), || reproduce::text(&report));
    match printed {
        // The verdict is the exit status, whether or not somebody reads it.
        Ok(()) | Err(CliError::Pipe) => {}
        Err(error) => return Err(error),
    }
    Ok(if report.as_recorded { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
