//! `richman random-turn`

use std::process::ExitCode;

use richman_analysis::{Request, random_turn};
use richman_core::{Limits, Mechanism};
use richman_render::csv;
use richman_solvers::Options;

use crate::args::RandomTurnArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the chances of random-turn play.
pub fn run(args: &RandomTurnArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let memory = args.memory.0;
    let limits = Limits { memory, ..Limits::default() };
    let unfolding = super::subject(&args.game, memory, watch)?.unfold(args.position.as_deref(), &limits, watch)?;
    let mechanism = Mechanism::default();
    let options = Options { memory, held: unfolding.bytes(), watch, ..Options::default() };
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, options };
    let report = random_turn::report(&request, args.within, args.games, args.seed)?;
    let words = || render::random_turn::text(&report, unfolding.as_ref());
    output::report(&args.format, &report, || csv::random_turn(&report), words)?;
    let agrees = report.wins.agree && report.holds.agree;
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
