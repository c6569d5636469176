//! `richman compare`

use std::path::Path;
use std::process::ExitCode;

use richman_analysis::{Opened, Question};
use richman_core::Effort;
use richman_render::csv;

use crate::args::CompareArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{input, output, render};

/// Compares two games.
pub fn run(args: &CompareArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if [&args.game, &args.other].into_iter().all(|spec| input::is_standard(Path::new(spec))) {
        return Err(CliError::Usage("standard input holds one game: give the other as a file".to_string()));
    }
    let deadline = super::deadline(args.time, Effort::COMPARE_SECONDS, watch);
    let effort = Effort { deadline, memory: args.memory.0, ..Effort::watched(watch) };
    let mechanism = args.mechanism.mechanism();
    let question = Question { position: args.position.clone(), within: args.within, ..Question::new(mechanism) };
    let g = Opened::new(&super::subject(&args.game, effort.memory, watch)?, &question, &effort)?;
    let h = super::subject(&args.other, g.beside().memory, watch)?;
    let report = g.compare(h, args.other_position.as_deref(), watch)?;
    output::report(&args.format, &report, || csv::compare(&report), || render::compare(&report))
}
