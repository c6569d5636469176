//! `richman random-turn`

use std::process::ExitCode;

use richman_analysis::{Opened, Question};
use richman_core::{Effort, Mechanism};
use richman_render::csv;

use crate::args::RandomTurnArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the chances of random-turn play.
pub fn run(args: &RandomTurnArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let subject = super::subject(&args.game, args.memory.0, watch)?;
    let question = Question { position: args.position.clone(), ..Question::new(Mechanism::default()) };
    let effort = Effort { memory: args.memory.0, ..Effort::watched(watch) };
    let opened = Opened::new(&subject, &question, &effort)?;
    let report = opened.random_turn(args.within, args.games, args.seed, watch)?;
    let words = || render::random_turn::text(&report, opened.unfolding());
    output::report(&args.format, &report, || csv::random_turn(&report), words)?;
    let agrees = report.wins.agree && report.holds.agree;
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
