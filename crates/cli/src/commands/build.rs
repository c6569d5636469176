//! `richman build`

use std::process::ExitCode;

use richman_analysis::Error;
use richman_analysis::boards::{self, Build};
use richman_analysis::endgames::{self, chips};
use richman_core::{ChessClass, Total};
use richman_solvers::Options;
use richman_solvers::layers::Stake;
use serde::Serialize;

use crate::args::BuildArgs;
use crate::error::CliError;
use crate::output;
use crate::render::build::{class_line, class_plan, layer, plan, sum, total_line};
use crate::watch::Terminal;

/// Builds a database, or says what it would need.
pub fn run(args: &BuildArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let subject = super::subject(&args.game)?;
    if let Some(class) = endgames::class(&subject)? {
        return classes(args, &class, watch);
    }
    let stake = totals(args)?.map_or(Stake::Money, Stake::Chips);
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
    let layers = reported(args, layer, |each| boards::build(&task, each))?;
    if !args.json {
        output::text(&sum(&layers, &args.out))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn totals(args: &BuildArgs) -> Result<Option<Vec<Total>>, CliError> {
    args.chips.as_ref().map(|totals| totals.all().map_err(CliError::Usage)).transpose()
}

/// Prints what is complete line by line while it is built, or in JSON at the end.
fn reported<R: Serialize>(
    args: &BuildArgs,
    line: fn(&R) -> String,
    build: impl FnOnce(&mut dyn FnMut(&R)) -> Result<Vec<R>, Error>,
) -> Result<Vec<R>, CliError> {
    let mut failed = None;
    let reports = build(&mut |report| {
        if !args.json && failed.is_none() {
            failed = output::text(&line(report)).err();
        }
    })?;
    if args.json {
        output::json(&reports)?;
    }
    failed.map_or(Ok(reports), Err)
}

/// Builds a class of chess endgames and those it can become.
fn classes(args: &BuildArgs, class: &ChessClass, watch: &Terminal) -> Result<ExitCode, CliError> {
    let totals = totals(args)?;
    let cost = match &totals {
        None => endgames::plan(class)?,
        Some(totals) => chips::plan(class, totals)?,
    };
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
    match totals {
        None => reported(args, class_line, |each| endgames::build(&task, each)).map(drop)?,
        Some(totals) => reported(args, total_line, |each| chips::build(&task, &totals, each)).map(drop)?,
    }
    Ok(ExitCode::SUCCESS)
}
