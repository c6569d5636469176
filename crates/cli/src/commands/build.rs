//! `richman build`

use std::process::ExitCode;

use richman_chess::board::ChessClass;
use richman_chess::engine::database::{self as endgames, chips};
use richman_core::{Effort, Error, Total};
use richman_lines::engine::Stake;
use richman_lines::engine::database::{self as layers, Build};
use richman_render::csv;
use serde::Serialize;

use crate::args::BuildArgs;
use crate::error::CliError;
use crate::output;
use crate::render::build::{class_line, class_plan, layer, plan, sum, total_line};
use crate::watch::Terminal;

/// Builds a database, or says what it would need.
pub fn run(args: &BuildArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let subject = super::subject(&args.game, args.memory.0, watch)?;
    let start = subject.walk(None)?;
    if let Some(class) = endgames::class(start.as_ref())? {
        return classes(args, &class, watch);
    }
    let stake = totals(args)?.map_or(Stake::Money, Stake::Chips);
    let cost = layers::plan(start.as_ref(), stake.clone())?;
    if args.plan {
        return output::report(&args.format, &cost, || csv::build_plan(&cost), || plan(&cost));
    }
    if args.format.is_text() {
        output::words(&plan(&cost))?;
    }
    let effort = Effort { memory: args.memory.0, ..Effort::watched(watch) };
    let task = Build { start: start.as_ref(), stake, folder: &args.out, disk: args.disk.0, effort };
    let built = reported(args, layer, csv::layers, |each| layers::build(&task, each))?;
    if args.format.is_text() {
        output::words(&sum(&built, &args.out))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn totals(args: &BuildArgs) -> Result<Option<Vec<Total>>, CliError> {
    args.chips.as_ref().map(|totals| totals.all().map_err(CliError::Usage)).transpose()
}

/// Prints what is complete line by line while it is built, or in JSON or as a table at the end.
fn reported<R: Serialize>(
    args: &BuildArgs,
    line: fn(&R) -> String,
    table: fn(&[R]) -> Vec<Vec<String>>,
    build: impl FnOnce(&mut dyn FnMut(&R)) -> Result<Vec<R>, Error>,
) -> Result<Vec<R>, CliError> {
    let mut failed = None;
    let reports = build(&mut |report| {
        if args.format.is_text() && failed.is_none() {
            failed = output::words(&line(report)).err();
        }
    })?;
    output::report(&args.format, &reports, || table(&reports), String::new)?;
    failed.map_or(Ok(reports), Err)
}

/// Builds a class of chess endgames and those it can become.
fn classes(args: &BuildArgs, class: &ChessClass, watch: &Terminal) -> Result<ExitCode, CliError> {
    let totals = totals(args)?;
    let cost = match &totals {
        None => endgames::plan(class)?,
        Some(totals) => chips::plan(class, totals)?,
    };
    if args.plan || args.format.is_text() {
        output::report(&args.format, &cost, || csv::class_plan(&cost), || class_plan(&cost))?;
    }
    if args.plan {
        return Ok(ExitCode::SUCCESS);
    }
    let effort = Effort { memory: args.memory.0, ..Effort::watched(watch) };
    let task = endgames::Build { class, folder: &args.out, disk: args.disk.0, effort };
    match totals {
        None => reported(args, class_line, csv::classes, |each| endgames::build(&task, each)).map(drop)?,
        Some(totals) => reported(args, total_line, csv::totals, |each| chips::build(&task, &totals, each)).map(drop)?,
    }
    Ok(ExitCode::SUCCESS)
}
