//! `richman scores`

use std::path::Path;
use std::process::ExitCode;

use richman_analysis::ScoreRequest;
use richman_analysis::scores::{self, Choices};
use richman_core::{Limits, Preset, Total};
use richman_render::{csv, score_map};
use richman_solvers::{Options, registry};

use crate::args::ScoresArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the values of a scoring game.
pub fn run(args: &ScoresArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let mechanism = args.mechanism.mechanism_or(Preset::Larsson);
    let subject = super::subject(&args.game, args.memory.0, watch)?;
    let hands = super::hands(args.chips, args.alice, args.bob, &mechanism)?; // before a large game is unfolded
    if args.bids_table && hands.is_none() {
        return Err(CliError::Usage("--bids-table is about given holdings: add --alice or --bob".to_string()));
    }
    let total = match (args.chips, hands) {
        (Some(total), _) => total,
        (None, hands) => Total::new(hands.iter().flatten().map(|hand| u64::from(hand.chips())).sum())?,
    };
    let alice = hands.map(|[alice, _]| alice);
    registry::scores(&mechanism, total)?;
    let limits = Limits { memory: args.memory.0, ..Limits::default() };
    let unfolding = subject.unfold_scoring(args.position.as_deref(), &limits, watch)?;
    let options = Options { memory: args.memory.0, held: unfolding.bytes(), watch, ..Options::default() };
    let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &mechanism, options };
    if args.svg.is_some() {
        scores::check_map(&request, total)?;
    }
    let solution = request.solve(total)?;
    let choices = Choices { alice, bids_table: args.bids_table, all: args.all };
    let report = scores::report(&request, &solution, &choices)?;
    if let Some(path) = &args.svg {
        output::save_text(path, &score_map::svg(&scores::map(&request, &solution)?), watch)?;
        if path == Path::new("-") {
            return Ok(ExitCode::SUCCESS);
        }
    }
    output::report(&args.format, &report, || csv::scores(&report), || render::scores::text(&report))?;
    Ok(ExitCode::SUCCESS)
}
