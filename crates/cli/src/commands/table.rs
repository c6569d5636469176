//! `richman table`

use std::process::ExitCode;

use richman_analysis::{saved, table};

use super::Opened;
use crate::args::TableArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints the chip table of a game.
pub fn run(args: &TableArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if args.save.is_some() && args.game.within.is_some() {
        return Err(CliError::Usage("--save keeps complete solutions: leave out --within, or --save".to_string()));
    }
    let opened = Opened::new(&args.game, watch)?;
    let request = opened.request(&args.game, watch);
    let totals = args.chips.0.clone();
    let report = table::report(&request, totals.clone())?;
    if let Some(path) = &args.save {
        let solutions = saved::solve_all(&request, totals)?;
        output::save(path, &saved::chips(&opened.subject, &request, &solutions)?)?;
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
