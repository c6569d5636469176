//! `richman solve`

use std::process::ExitCode;
use std::time::Duration;

use richman_analysis::{Request, chips, money, saved};
use richman_core::{Holding, Total};
use richman_solvers::Exactness;

use super::Opened;
use crate::args::SolveArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Solves a game and prints the report.
pub fn run(args: &SolveArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let holdings = args.alice.zip(args.bob);
    let total = total(args, holdings)?;
    if args.save.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--save keeps complete solutions: leave out --within, or --save".to_string()));
    }
    let opened = Opened::new(&args.game, watch)?;
    let mut request = opened.request(&args.game, watch);
    request.options.exactness = if args.exact { Exactness::Required } else { Exactness::Preferred };
    request.options.width = args.width.0;
    request.options.time = Some(Duration::from_secs(args.time));
    match total {
        None => solve_money(args, &opened, &request)?,
        Some(total) => solve_chips(args, &opened, &request, total, holdings)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The total, from `--chips` or from both holdings.
fn total(args: &SolveArgs, holdings: Option<(Holding, Holding)>) -> Result<Option<Total>, CliError> {
    let Some((alice, bob)) = holdings else { return Ok(args.chips) };
    let total = chips::total_of(alice, bob)?;
    match args.chips {
        Some(chips) if chips != total => Err(CliError::Usage(format!(
            "--alice {alice} and --bob {bob} make {total} chips, not {chips}: leave out --chips, or correct a holding"
        ))),
        _ => Ok(Some(total)),
    }
}

fn solve_money(args: &SolveArgs, opened: &Opened, request: &Request) -> Result<(), CliError> {
    let (report, solution) = money::report(request)?;
    if let Some(path) = &args.save {
        output::save(path, &saved::money(&opened.subject, request, &solution)?)?;
    }
    if args.format.json {
        output::json(&report)
    } else if args.format.csv {
        output::csv(render::money_csv(&report))
    } else {
        output::text(&render::money(&report, request.unfolding))
    }
}

fn solve_chips(
    args: &SolveArgs,
    opened: &Opened,
    request: &Request,
    total: Total,
    holdings: Option<(Holding, Holding)>,
) -> Result<(), CliError> {
    let report = if holdings.is_some() || args.save.is_some() {
        let (report, solution) = chips::full_report(request, total, holdings)?;
        if let Some(path) = &args.save {
            output::save(path, &saved::chips(&opened.subject, request, &[solution])?)?;
        }
        report
    } else {
        chips::report(request, total)?
    };
    if args.format.json {
        output::json(&report)
    } else if args.format.csv {
        output::csv(render::chips_csv(&report))
    } else {
        output::text(&render::chips(&report, request.unfolding))
    }
}
