//! `richman build`

use std::process::ExitCode;

use richman_analysis::boards::{self, Build};
use richman_solvers::Options;
use richman_solvers::layers::Stake;

use crate::args::BuildArgs;
use crate::error::CliError;
use crate::output;
use crate::render::build::{layer, plan, sum};
use crate::watch::Terminal;

/// Builds a database, or says what it would need.
pub fn run(args: &BuildArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let subject = super::subject(&args.game)?;
    let stake = match &args.chips {
        None => Stake::Money,
        Some(totals) => Stake::Chips(totals.all().map_err(CliError::Usage)?),
    };
    let cost = boards::plan(&subject, stake.clone())?;
    if args.plan {
        if args.json {
            output::json(&cost)?
        } else {
            output::text(&plan(&cost))?
        }
        return Ok(ExitCode::SUCCESS);
    }
    if !args.json {
        output::text(&plan(&cost))?;
    }
    let options = Options { memory: args.memory.0, watch, ..Options::default() };
    let task = Build { subject: &subject, stake, folder: &args.out, disk: args.disk.0, options };
    let mut failed = None;
    let layers = boards::build(&task, &mut |report| {
        if !args.json && failed.is_none() {
            failed = output::text(&layer(report)).err();
        }
    })?;
    if args.json {
        output::json(&layers)?
    } else {
        output::text(&sum(&layers, &args.out))?
    }
    failed.map_or(Ok(ExitCode::SUCCESS), Err)
}
