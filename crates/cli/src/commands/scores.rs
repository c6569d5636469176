//! `richman scores`

use std::process::ExitCode;

use richman_analysis::{Question, ScoreStake, Stake, ask};
use richman_core::{Effort, Preset};
use richman_render::{csv, score_map};

use crate::args::ScoresArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the values of a scoring game.
pub fn run(args: &ScoresArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let mechanism = args.mechanism.mechanism_or(Preset::Larsson);
    let subject = super::subject(&args.game, args.memory.0, watch)?;
    let mut stake = Stake::given(&mechanism, true, args.chips, [args.alice, args.bob])?;
    if let Stake::Score(ScoreStake { alice, bids_table, map, .. }) = &mut stake {
        if args.bids_table && alice.is_none() {
            return Err(CliError::Usage("--bids-table is about given holdings: add --alice or --bob".to_string()));
        }
        (*bids_table, *map) = (args.bids_table, args.svg.is_some());
    }
    let question = Question { position: args.position.clone(), stake, all: args.all, ..Question::new(mechanism) };
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
