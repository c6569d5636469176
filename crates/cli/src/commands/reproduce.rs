//! `richman reproduce`

use std::process::ExitCode;

use richman_catalog as catalog;
use richman_core::Effort;

use crate::args::ReproduceArgs;
use crate::error::CliError;
use crate::output;
use crate::render::reproduce;
use crate::watch::Terminal;

/// Compares published results with what is computed; exit status 1 where one is not as recorded.
pub fn run(args: &ReproduceArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let effort = Effort { memory: args.memory.0, ..Effort::watched(watch) };
    let report = catalog::reproduce(&args.key, args.deep, &effort)?;
    let printed = output::report(&args.format, &report, || reproduce::rows(&report), || reproduce::text(&report));
    output::verdict(printed, report.as_recorded)
}
