//! `richman scores`

use std::path::Path;
use std::process::ExitCode;

use richman_analysis::ScoreRequest;
use richman_analysis::scores::{self, Choices};
use richman_core::{Limits, Preset};
use richman_render::{csv, score_map};
use richman_solvers::{Options, registry};

use crate::args::ScoresArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the values of a scoring game.
pub fn run(args: &ScoresArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let mechanism = args.mechanism.mechanism_or(Preset::Larsson);
    let subject = super::subject(&args.game)?;
    if let Some(alice) = args.alice {
        args.total.rest(alice)?; // before a large game is unfolded
    }
    registry::scores(&mechanism, args.total)?;
    let limits = Limits { memory: args.memory.0, ..Limits::default() };
    let unfolding = subject.unfold_scoring(args.position.as_deref(), &limits, watch)?;
    let options = Options { memory: args.memory.0, held: unfolding.bytes(), watch, ..Options::default() };
    let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &mechanism, options };
    if args.svg.is_some() {
        scores::check_map(&request, args.total)?;
    }
    let solution = request.solve(args.total)?;
    let choices = Choices { alice: args.alice, bids_table: args.bids_table, all: args.all };
    let report = scores::report(&request, &solution, &choices)?;
    if let Some(path) = &args.svg {
        output::save_text(path, &score_map::svg(&scores::map(&request, &solution)?))?;
        if path == Path::new("-") {
            return Ok(ExitCode::SUCCESS);
        }
    }
    if args.format.json {
        output::json(&report)?;
    } else if args.format.csv {
        output::csv(csv::scores(&report))?;
    } else {
        output::text(&render::scores::text(&report))?;
    }
    Ok(ExitCode::SUCCESS)
}
