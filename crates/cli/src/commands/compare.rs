//! `richman compare`

use std::path::Path;
use std::process::ExitCode;

use richman_analysis::{Request, compare};
use richman_core::{Limits, Unfolding};
use richman_render::csv;
use richman_solvers::Options;

use crate::args::CompareArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{input, output, render};

/// Compares two games.
pub fn run(args: &CompareArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if [&args.game, &args.other].into_iter().all(|spec| input::is_standard(Path::new(spec))) {
        return Err(CliError::Usage("standard input holds one game: give the other as a file".to_string()));
    }
    let memory = args.memory.0;
    let deadline = super::deadline(args.time, 150, watch);
    let unfold = |spec: &str, position: &Option<String>, held: u64| -> Result<Box<dyn Unfolding>, CliError> {
        let limits = Limits { memory: memory.saturating_sub(held), ..Limits::default() };
        Ok(super::subject(spec, limits.memory, watch)?.unfold(position.as_deref(), &limits, watch)?)
    };
    let g = unfold(&args.game, &args.position, 0)?;
    let h = unfold(&args.other, &args.other_position, g.bytes())?;
    let mechanism = args.mechanism.mechanism();
    let options =
        Options { within: args.within, memory, held: g.bytes() + h.bytes(), deadline, watch, ..Options::default() };
    let [g, h] = [&g, &h].map(|game| Request { unfolding: game.as_ref(), mechanism: &mechanism, options });
    let report = compare::report(&g, &h)?;
    output::report(&args.format, &report, || csv::compare(&report), || render::compare(&report))?;
    Ok(ExitCode::SUCCESS)
}
