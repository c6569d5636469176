//! `richman unitary`

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use richman_analysis::unitary::{Automaton, BidFigure, ConvergenceReport, drawing};
use richman_core::Total;
use richman_render::unitary_figures;

use crate::args::{FormatArgs, totals};
use crate::{CliError, Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct UnitaryArgs {
    /// The totals of chips whose heaps of convergence are printed, such as 0..300
    #[arg(long, visible_alias = "totals", value_name = "FROM..TO", default_value = "0..20", value_parser = totals)]
    #[arg(allow_hyphen_values = true)]
    pub chips: RangeInclusive<Total>,
    /// Print the bidding automaton of this total instead
    #[arg(long, value_name = "TOTAL", conflicts_with = "chips", allow_hyphen_values = true)]
    pub automaton: Option<Total>,
    /// Draw to an SVG file, or with - to standard output instead of the text
    ///
    /// For totals: where they converge, the bound of LPR20 and a fitted law. For an automaton: the
    /// winning bids as in figures 3 to 6 of LPR20.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &UnitaryArgs, watch: &TerminalWatch) -> Done {
    if let Some(total) = args.automaton {
        let automaton = Automaton::new(total, watch)?;
        let bids = || {
            let most = unitary_figures::MOST_CHIPS;
            if total.chips() > most {
                let reason = format!("bids are drawn for up to {most} chips: leave out --svg, or ask for less");
                return Err(CliError::Usage(reason));
            }
            Ok(unitary_figures::bids(&BidFigure::ALL.map(|bidding| (bidding, drawing(total, bidding)))))
        };
        if output::drawn(&args.svg, watch, bids)? {
            return Ok(ExitCode::SUCCESS);
        }
        return output::report(&args.format, &automaton);
    }
    let report = ConvergenceReport::new(args.chips.clone(), watch)?;
    let (rows, law) = (&report.rows, report.law.as_ref());
    if output::drawn(&args.svg, watch, || Ok(unitary_figures::law(rows, law)))? {
        return Ok(ExitCode::SUCCESS);
    }
    output::report(&args.format, &report)
}
