//! `richman build`

use std::process::ExitCode;

use richman_analysis::boards::{self, Build};
use richman_analysis::endgames;
use richman_core::ChessClass;
use richman_solvers::Options;
use richman_solvers::layers::Stake;

use crate::args::BuildArgs;
use crate::error::CliError;
use crate::output;
use crate::render::build::{class_line, class_plan, layer, plan, sum};
use crate::watch::Terminal;

/// Builds a database, or says what it would need.
pub fn run(args: &BuildArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let subject = super::subject(&args.game)?;
    if let Some(class) = endgames::class(&subject)? {
        return classes(args, &class, watch);
    }
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

/// Builds a class of chess endgames and those it can become.
fn classes(args: &BuildArgs, class: &ChessClass, watch: &Terminal) -> Result<ExitCode, CliError> {
    if args.chips.is_some() {
        return Err(CliError::Usage(
            "databases of chess are in real money: leave out --chips; `richman table` has chips".to_string(),
        ));
    }
    let cost = endgames::plan(class)?;
    match (args.plan, args.json) {
        (true, true) => output::json(&cost)?,
        (_, false) => output::text(&class_plan(&cost))?,
        (false, true) => {}
    }
    if args.plan {
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options { memory: args.memory.0, watch, ..Options::default() };
    let task = endgames::Build { class, folder: &args.out, disk: args.disk.0, options };
    let mut failed = None;
    let reports = endgames::build(&task, &mut |report| {
        if !args.json && failed.is_none() {
            failed = output::text(&class_line(report)).err();
        }
    })?;
    if args.json {
        output::json(&reports)?;
    }
    failed.map_or(Ok(ExitCode::SUCCESS), Err)
}
