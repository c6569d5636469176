//! `richman table`

use std::path::Path;
use std::process::ExitCode;

use richman_analysis::{holdings, plot, saved, table};
use richman_core::{Payment, Player, Total};
use richman_render::csv;
use richman_solvers::rules;

use crate::args::{TableArgs, Totals};
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
    let mechanism = args.game.mechanism.mechanism();
    let is_bank = mechanism.payment != Payment::Richman;
    if is_bank {
        refuse_totals(args, &mechanism.payment)?;
    }
    let deadline = super::deadline(args.time, 60, watch);
    let (subject, opened) = super::opened(&args.game, deadline, watch)?;
    let request = opened.request(watch);
    if let Some(path) = &args.certificate {
        let solution = rules::solve(request.unfolding.arena(), request.mechanism, &request.options)?;
        output::save(path, &saved::rules(&subject, &request, solution)?, watch)?;
    }
    let against = Totals(Total::new(0)?..=Total::new(20)?);
    let fixed = match (&args.alice, &args.bob) {
        (Some(alice), _) => Some((Player::Alice, alice)),
        (None, Some(bob)) => Some((Player::Bob, bob)),
        (None, None) => is_bank.then_some((Player::Bob, &against)),
    };
    if let Some((fixed, chips)) = fixed {
        let report = holdings::report(&request, fixed, chips.0.clone())?;
        output::report(&args.format, &report, || csv::holdings(&report), || render::holdings(&report, fixed))?;
        return Ok(ExitCode::SUCCESS);
    }
    let totals = match &args.chips {
        Some(totals) => totals.0.clone(),
        None => Total::new(0)?..=Total::new(31)?,
    };
    let report = table::report(&request, totals.clone(), args.stability)?;
    let drawing = match &args.svg {
        Some(path) => {
            Some((path, richman_render::plot::svg(&plot::figure(&request, &report, (&report.period).into())?)))
        }
        None => None,
    };
    if let Some(path) = &args.save {
        output::save(path, &saved::totals(&subject, &request, totals)?, watch)?;
    }
    if let Some((path, svg)) = drawing {
        output::save_text(path, &svg, watch)?;
        if path == Path::new("-") {
            return Ok(ExitCode::SUCCESS);
        }
    }
    output::report(&args.format, &report, || csv::table(&report), || render::table(&report))?;
    Ok(ExitCode::SUCCESS)
}

/// Where the bank is paid, only tables against one player's chips make sense.
fn refuse_totals(args: &TableArgs, payment: &Payment) -> Result<(), CliError> {
    let asked = [
        ("--chips", args.chips.is_some()),
        ("--stability", args.stability),
        ("--save", args.save.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--svg", args.svg.is_some()),
    ];
    match asked.iter().find(|(_, is_asked)| *is_asked) {
        None => Ok(()),
        Some((flag, _)) => Err(CliError::Usage(format!(
            "with payment {payment} chips leave the game, so no total stays and there is no {flag}: write --bob 0..20 for what Alice \
             needs against Bob's chips, or --alice 0..20 for what Bob needs"
        ))),
    }
}
