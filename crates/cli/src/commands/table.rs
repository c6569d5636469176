//! `richman table`

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use richman_analysis::{holdings, plot, saved, table};
use richman_core::Player;
use richman_solvers::rules;
use serde::Serialize;

use super::Opened;
use crate::args::{FormatArgs, TableArgs};
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the chip table of a game.
pub fn run(args: &TableArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if args.save.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--save keeps complete solutions: leave out --within, or --save".to_string()));
    }
    if args.certificate.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--certificate is about the whole game: leave out --within, or it".to_string()));
    }
    let files = [&args.save, &args.certificate, &args.svg].map(Option::as_ref);
    if (1..3).any(|one| files[one].is_some() && files[..one].contains(&files[one])) {
        let message = "--save, --certificate and --svg name the same file: choose another for one of them";
        return Err(CliError::Usage(message.to_string()));
    }
    let opened = Opened::new(&args.game, watch)?;
    let mut request = opened.request(&args.game, watch);
    request.options.time = Some(Duration::from_secs(args.time));
    if let Some(path) = &args.certificate {
        let solution = rules::solve(request.unfolding.arena(), request.mechanism, &request.options)?;
        output::save(path, &saved::rules(&opened.subject, &request, solution)?)?;
    }
    let fixed = args.alice.as_ref().map(|chips| (Player::Alice, chips)).or(args.bob.as_ref().map(|c| (Player::Bob, c)));
    if let Some((fixed, chips)) = fixed {
        let report = holdings::report(&request, fixed, chips.0.clone())?;
        print(&args.format, &report, || render::holdings_csv(&report), || render::holdings(&report, fixed))?;
        return Ok(ExitCode::SUCCESS);
    }
    let totals = args.chips.0.clone();
    let report = table::report(&request, totals.clone(), args.stability)?;
    let drawing = match &args.svg {
        Some(path) => Some((path, crate::plot::svg(&plot::figure(&request, &report, (&report.period).into())?))),
        None => None,
    };
    if let Some(path) = &args.save {
        let solutions = saved::solve_all(&request, totals)?;
        output::save(path, &saved::chips(&opened.subject, &request, &solutions)?)?;
    }
    if let Some((path, svg)) = drawing {
        output::save_text(path, &svg)?;
        if path == Path::new("-") {
            return Ok(ExitCode::SUCCESS);
        }
    }
    print(&args.format, &report, || render::table_csv(&report), || render::table(&report))?;
    Ok(ExitCode::SUCCESS)
}

fn print(
    format: &FormatArgs,
    report: &impl Serialize,
    csv: impl FnOnce() -> Vec<Vec<String>>,
    text: impl FnOnce() -> String,
) -> Result<(), CliError> {
    if format.json {
        output::json(report)
    } else if format.csv {
        output::csv(csv())
    } else {
        output::text(&text())
    }
}
