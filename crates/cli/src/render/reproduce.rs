//! Published results for people: first what differs and why, then the rest.

use std::fmt::Write;

use richman_analysis::catalog::{Claim, Reproduction, Status};
use textwrap::Options;

/// The most differing places of one claim that are written out; JSON has them all.
const MOST_PLACES: usize = 12;
const WIDTH: usize = 100;

/// The whole report.
pub fn text(report: &Reproduction) -> String {
    let mut text = String::new();
    let of = |status: Status| report.claims.iter().filter(move |claim| claim.status == status);
    let section = |text: &mut String, title: &str, status: Status| {
        if of(status).next().is_some() {
            let _ = writeln!(text, "{title}\n");
            of(status).for_each(|claim| write_claim(text, claim));
            text.push('\n');
        }
    };
    section(&mut text, "DIFFERS FROM THE PRINT", Status::Differs);
    section(&mut text, "NOT CHECKABLE", Status::NotCheckable);
    section(&mut text, "CONFIRMED", Status::Confirmed);
    let count = |status| of(status).count();
    let _ = writeln!(
        text,
        "{} published {}: {} confirmed, {} differ, {} not checkable.",
        report.claims.len(),
        if report.claims.len() == 1 { "result" } else { "results" },
        count(Status::Confirmed),
        count(Status::Differs),
        count(Status::NotCheckable)
    );
    let unexpected: Vec<&Claim> = report.claims.iter().filter(|claim| claim.unexpected.is_some()).collect();
    if unexpected.is_empty() {
        text.push_str("Every difference is recorded with its reason.\n");
    }
    for claim in unexpected {
        let _ = writeln!(text, "NOT AS RECORDED: {}: {}", claim.id, claim.unexpected.as_deref().unwrap_or_default());
    }
    text
}

fn write_claim(text: &mut String, claim: &Claim) {
    let counted = match claim.status {
        Status::Confirmed => format!("{} of {}", claim.matching, claim.cells),
        Status::Differs => format!("{} of {} agree", claim.matching, claim.cells),
        Status::NotCheckable => "-".to_string(),
    };
    if claim.status == Status::Confirmed {
        let _ = writeln!(text, "  {:<36} {counted:>14}  {}", claim.id, shortened(&claim.what));
        return;
    }
    let _ = writeln!(text, "  {}  ({counted})", claim.id);
    paragraph(text, "", &claim.what);
    if let Some(range) = &claim.range {
        paragraph(text, "Checked: ", range);
    }
    for found in claim.differ.iter().take(MOST_PLACES) {
        let line = format!("{}: printed {}, computed {}", found.at, found.printed, found.computed);
        paragraph(text, "- ", &line);
        if let Some(why) = &found.why {
            paragraph(text, "  ", why);
        }
    }
    if let Some(more) = claim.differ.len().checked_sub(MOST_PLACES).filter(|&more| more > 0) {
        paragraph(text, "- ", &format!("and {more} more places (all of them with --json)"));
    }
    if let Some(why) = &claim.why {
        paragraph(text, "Why: ", why);
    }
    text.push('\n');
}

fn shortened(what: &str) -> String {
    const LONGEST: usize = 90;
    match what.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &what[..at]),
        None => what.to_string(),
    }
}

fn paragraph(text: &mut String, lead: &str, words: &str) {
    let first = format!("      {lead}");
    let options = Options::new(crate::output::width().unwrap_or(WIDTH).min(WIDTH))
        .initial_indent(&first)
        .subsequent_indent("        ");
    let _ = writeln!(text, "{}", textwrap::fill(words, options));
}
