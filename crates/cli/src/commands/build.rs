//! `richman build`

use std::process::ExitCode;

use richman_analysis::databases::{self, BuildOrder, Column, ReportRow};
use richman_core::Effort;
use richman_render::csv;

use crate::args::{BuildArgs, FormatArgs};
use crate::error::CliError;
use crate::output;
use crate::watch::Terminal;

/// Builds a database, or says what it would need.
pub fn run(args: &BuildArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let subject = super::subject(&args.game, args.memory.0, watch)?;
    let start = subject.walk(None)?;
    let totals = args.chips.as_ref().map(|totals| totals.all().map_err(CliError::Usage)).transpose()?;
    let order = BuildOrder {
        start: start.as_ref(),
        totals: totals.as_deref(),
        folder: &args.out,
        disk: args.disk.0,
        effort: Effort { memory: args.memory.0, ..Effort::watched(watch) },
    };
    let kind = databases::kind(order.start);
    let plan = [kind.plan(&order)?];
    if args.plan || args.format.is_text() {
        output::report(&args.format, &plan[0].json, || csv::database(&[], &plan), || plan[0].words.clone())?;
    }
    if !args.plan {
        let end = reported(&args.format, |each| kind.build(&order, each).map(|end| (end, &[][..])))?;
        if args.format.is_text() {
            output::words(&end)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the rows of some work as words while they come, or in JSON or as a table at the end, with the columns that the work
/// returns beside what it comes to.
pub(super) fn reported<T, E: Into<CliError>>(
    format: &FormatArgs,
    work: impl FnOnce(&mut dyn FnMut(ReportRow)) -> Result<(T, &'static [Column]), E>,
) -> Result<T, CliError> {
    let (mut rows, mut failed) = (Vec::new(), None);
    let (end, columns) = work(&mut |row| {
        if format.is_text() && failed.is_none() {
            failed = output::words(&row.words).err();
        }
        rows.push(row);
    })
    .map_err(Into::into)?;
    let json: Vec<_> = rows.iter().map(|row| &row.json).collect();
    output::report(format, &json, || csv::database(columns, &rows), String::new)?;
    failed.map_or(Ok(end), Err)
}
