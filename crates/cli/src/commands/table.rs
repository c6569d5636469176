//! `richman table`

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use richman_analysis::{plot, saved, table};

use super::Opened;
use crate::args::{MONEY_SECONDS, TableArgs};
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the chip table of a game.
pub fn run(args: &TableArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if args.save.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--save keeps complete solutions: leave out --within, or --save".to_string()));
    }
    if args.save.is_some() && args.save == args.svg {
        return Err(CliError::Usage("--save and --svg name the same file: choose another for one of them".to_string()));
    }
    let opened = Opened::new(&args.game, watch)?;
    let mut request = opened.request(&args.game, watch);
    request.options.time = Some(Duration::from_secs(MONEY_SECONDS));
    let totals = args.chips.0.clone();
    let report = table::report(&request, totals.clone())?;
    let drawing = match &args.svg {
        Some(path) => Some((path, crate::plot::svg(&plot::figure(&request, &report, plot::Periods::default())?))),
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
    if args.format.json {
        output::json(&report)?;
    } else if args.format.csv {
        output::csv(render::table_csv(&report))?;
    } else {
        output::text(&render::table(&report))?;
    }
    Ok(ExitCode::SUCCESS)
}
