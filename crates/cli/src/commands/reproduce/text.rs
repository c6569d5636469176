//! Published results and those found here, for people: the differences with their reasons, then the
//! rest.

use std::fmt::Write;

use richman_catalog::{CheckedClaim, Reproduction, Status};
use richman_core::shortened;
use richman_render::csv;
use richman_render::layout::Layout;
use richman_render::words::counted;
use serde_json::json;
use textwrap::Options;

/// The most differences of one claim to write out; JSON has them all.
const MOST_PLACES: usize = 12;
const WIDTH: usize = 100;

pub fn text(report: &Reproduction, layout: Layout) -> String {
    let mut text = String::new();
    for status in Status::ALL {
        let of: Vec<&CheckedClaim> = report.claims.iter().filter(|claim| claim.status == status).collect();
        let title = match status {
            Status::Differs => "DIFFERS FROM THE PRINT".to_string(),
            status => status.word().to_uppercase(),
        };
        section(&mut text, &title, of.iter().filter(|claim| claim.published), layout);
        section(&mut text, &format!("FOUND HERE: {title}"), of.iter().filter(|claim| !claim.published), layout);
    }
    summed_up(&mut text, report, true, "published result");
    summed_up(&mut text, report, false, "result found here");
    let omitted: Vec<&CheckedClaim> = report.claims.iter().filter(|claim| claim.omitted() > 0).collect();
    if !omitted.is_empty() {
        let parts: u64 = omitted.iter().map(|claim| claim.omitted()).sum();
        let _ =
            writeln!(text, "Not computed: {}, in {}.", counted(parts, "part"), counted(omitted.len() as u64, "result"));
    }
    let unexpected: Vec<&CheckedClaim> = report.claims.iter().filter(|claim| claim.unexpected.is_some()).collect();
    if unexpected.is_empty() {
        text.push_str("Every difference is recorded with its reason.\n");
    }
    for claim in unexpected {
        let _ = writeln!(text, "NOT AS RECORDED: {}: {}", claim.id, claim.unexpected.as_deref().unwrap_or_default());
    }
    text
}

/// A row of comma-separated values for each result.
pub fn rows(report: &Reproduction) -> Vec<Vec<String>> {
    const COLUMNS: &str = "id status cells match differ what range why unexpected published answers not_computed";
    let rows = report.claims.iter().map(|claim| {
        let answers = claim.answers.iter().map(|answer| format!("{}: {}", answer.at, answer.answer));
        let omitted = claim.not_computed.iter().map(|part| format!("{} ({})", part.what.join(", "), part.why));
        let mut row = json!(claim);
        row["answers"] = json!(answers.collect::<Vec<_>>().join("; "));
        row["not_computed"] = json!(omitted.collect::<Vec<_>>().join("; "));
        row
    });
    csv::from_json(&[("", COLUMNS)], rows)
}

fn section<'c>(text: &mut String, title: &str, claims: impl Iterator<Item = &'c &'c CheckedClaim>, layout: Layout) {
    let mut claims = claims.peekable();
    if claims.peek().is_some() {
        let _ = writeln!(text, "{title}\n");
        claims.for_each(|claim| write_claim(text, claim, layout));
        text.push('\n');
    }
}

/// The number of claims of each status.
fn summed_up(text: &mut String, report: &Reproduction, published: bool, what: &str) {
    let claims: Vec<&CheckedClaim> = report.claims.iter().filter(|claim| claim.published == published).collect();
    let of = |status: Status| claims.iter().filter(|claim| claim.status == status).count();
    let counts = Status::ALL.into_iter().rev().filter(|&status| of(status) > 0);
    let counts: Vec<String> = counts.map(|status| format!("{} {}", of(status), status.word())).collect();
    if !claims.is_empty() {
        let (one, rest) = what.split_once(' ').unwrap_or((what, ""));
        let what = match (claims.len(), one) {
            (1, _) => what.to_string(),
            (_, "result") => format!("results {rest}"),
            _ => format!("{what}s"),
        };
        let _ = writeln!(text, "{} {what}: {}.", claims.len(), counts.join(", "));
    }
}

fn write_claim(text: &mut String, claim: &CheckedClaim, layout: Layout) {
    let of_all = format!("{} of {}", claim.matching, claim.cells + claim.omitted());
    if claim.status == Status::Checked {
        let _ = writeln!(text, "  {:<36} {of_all:>14}  {}", claim.id, shortened(&claim.what, 90));
        omissions(text, claim, layout);
        return;
    }
    let counted = match claim.status {
        Status::Differs => format!("  ({of_all} agree)"),
        _ => String::new(),
    };
    let _ = writeln!(text, "  {}{counted}", claim.id);
    paragraph(text, "", &claim.what, layout);
    if let Some(why) = claim.why.as_ref().filter(|_| claim.status == Status::Answered) {
        paragraph(text, "Answer: ", why, layout);
    }
    for found in &claim.answers {
        paragraph(text, "- ", &format!("{}: {}", found.at, found.answer), layout);
    }
    if let Some(range) = &claim.range {
        paragraph(text, if claim.status == Status::Open { "" } else { "Checked: " }, range, layout);
    }
    omissions(text, claim, layout);
    for found in claim.differ.iter().take(MOST_PLACES) {
        let line = format!("{}: printed {}, computed {}", found.at, found.printed, found.computed);
        paragraph(text, "- ", &line, layout);
        if let Some(why) = &found.why {
            paragraph(text, "  ", why, layout);
        }
    }
    if let Some(more) = claim.differ.len().checked_sub(MOST_PLACES).filter(|&more| more > 0) {
        paragraph(text, "- ", &format!("and {more} more places (all of them with --json)"), layout);
    }
    if let Some(why) = claim.why.as_ref().filter(|_| claim.status != Status::Answered) {
        paragraph(text, "Why: ", why, layout);
    }
    text.push('\n');
}

/// The parts that are not computed, with the reasons.
fn omissions(text: &mut String, claim: &CheckedClaim, layout: Layout) {
    for omission in &claim.not_computed {
        paragraph(text, "Not computed: ", &format!("{} ({})", omission.what.join(", "), omission.why), layout);
    }
}

fn paragraph(text: &mut String, lead: &str, words: &str, layout: Layout) {
    let first = format!("      {lead}");
    let options =
        Options::new(layout.width.unwrap_or(WIDTH).min(WIDTH)).initial_indent(&first).subsequent_indent("        ");
    let _ = writeln!(text, "{}", textwrap::fill(words, options));
}
