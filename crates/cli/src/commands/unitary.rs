//! `richman unitary`

use std::process::ExitCode;

use richman_analysis::unitary::{Automaton, Bidding, Law, convergence, drawing};
use richman_render::{csv, unitary_figures};

use crate::args::UnitaryArgs;
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// Prints where unitary games converge, or the bidding automaton of one total.
pub fn run(args: &UnitaryArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    if let Some(total) = args.automaton {
        let automaton = Automaton::new(total, watch)?;
        if let Some(path) = &args.svg {
            if total.chips() > unitary_figures::MOST_CHIPS {
                let most = unitary_figures::MOST_CHIPS;
                return Err(CliError::Usage(format!(
                    "bids are drawn for up to {most} chips: leave out --svg, or ask for less"
                )));
            }
            let drawings = Bidding::ALL.map(|bidding| (bidding, drawing(total, bidding)));
            if output::save_text(path, &unitary_figures::bids(&drawings), watch)? {
                return Ok(ExitCode::SUCCESS);
            }
        }
        let words = || render::unitary::automaton(&automaton);
        return output::report(&args.format, &automaton, || csv::automaton(&automaton), words);
    }
    let rows = convergence(args.chips.0.clone(), watch)?;
    let law = Law::fitted(&rows);
    if let Some(path) = &args.svg
        && output::save_text(path, &unitary_figures::law(&rows, law.as_ref()), watch)?
    {
        return Ok(ExitCode::SUCCESS);
    }
    let report = serde_json::json!({ "rows": rows, "law": law.as_ref().map(ToString::to_string) });
    let words = || render::unitary::convergence(&rows, law.as_ref());
    output::report(&args.format, &report, || csv::convergence(&rows), words)
}
