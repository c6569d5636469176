//! `richman scores`

use std::process::ExitCode;

use richman_analysis::{Question, Stake, ask};
use richman_core::{Aim, Effort, Preset};
use richman_render::{csv, score_map};

use crate::args::ScoresArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the values of a scoring game.
pub fn run(args: &ScoresArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let mechanism = args.mechanism.mechanism_or(Preset::Larsson);
    let subject = super::subject(&args.game, args.memory.0, watch)?;
    let stake = Stake::given(&mechanism, Aim::Score, args.chips, [args.alice, args.bob])?;
    if args.bids_table && !matches!(stake, Stake::Hands(_)) {
        return Err(CliError::Usage("--bids-table is about given holdings: add --alice or --bob".to_string()));
    }
    let question = Question {
        position: args.position.clone(),
        aim: Aim::Score,
        stake,
        all: args.all,
        bids_table: args.bids_table,
        map: args.svg.is_some(),
        ..Question::new(mechanism)
    };
    let effort = Effort { memory: args.memory.0, ..Effort::watched(watch) };
    let answer = ask(&subject, &question, &effort)?;
    if let (Some(path), Some(map)) = (&args.svg, &answer.map)
        && output::save_text(path, &score_map::svg(map), watch)?
    {
        return Ok(ExitCode::SUCCESS);
    }
    let table = || csv::worth(&answer.report, true);
    output::report(&args.format, &answer.report, table, || render::answer(&answer))
}
