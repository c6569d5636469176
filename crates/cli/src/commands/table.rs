//! `richman table`

use std::process::ExitCode;

use richman_analysis::{Table, TableSource, open_table};
use richman_core::{Effort, Payment, Player, Total};
use richman_render::csv;

use crate::args::TableArgs;
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
    let is_bank = mechanism.has_bank();
    if is_bank {
        refuse_totals(args, &mechanism.payment)?;
    }
    let deadline = super::deadline(args.time, Effort::TABLE_SECONDS, watch);
    let subject = super::subject(&args.game.game, args.game.memory.0, watch)?;
    let (of, chips) = match (&args.alice, &args.bob) {
        (Some(alice), _) => (Some(Player::Alice), Some(alice)),
        (None, Some(bob)) => (Some(Player::Bob), Some(bob)),
        (None, None) => (is_bank.then_some(Player::Bob), args.chips.as_ref()),
    };
    let chips = match chips {
        Some(chips) => chips.0.clone(),
        None => Total::new(0)?..=Total::new(Table::usual_end(&mechanism).into())?,
    };
    let needs_arena = of.is_some() || args.stability || files.iter().any(Option::is_some);
    let totals = Some(chips.clone()).filter(|_| !needs_arena);
    let effort = super::effort(&args.game, deadline, watch);
    let opened = match open_table(&subject, &super::question(&args.game), totals, &effort)? {
        TableSource::Arena(opened) => opened,
        TableSource::Engine(report) => {
            return output::report(&args.format, &report, || csv::table(&report), || render::table(&report));
        }
    };
    if let Some(path) = &args.certificate {
        output::save(path, &opened.certificate(&subject, watch)?, watch)?;
    }
    let report = match opened.table(of, chips.clone(), args.stability, watch)? {
        Table::Totals(report) => report,
        Table::Holdings(report) => {
            let of = of.unwrap_or(Player::Bob);
            return output::report(&args.format, &report, || csv::holdings(&report), || render::holdings(&report, of));
        }
    };
    let drawing = match &args.svg {
        Some(path) => Some((path, richman_render::plot::svg(&opened.figure(&report, watch)?))),
        None => None,
    };
    if let Some(path) = &args.save {
        output::save(path, &opened.totals(&subject, chips, watch)?, watch)?;
    }
    if let Some((path, svg)) = drawing
        && output::save_text(path, &svg, watch)?
    {
        return Ok(ExitCode::SUCCESS);
    }
    output::report(&args.format, &report, || csv::table(&report), || render::table(&report))
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
