//! Verdicts on databases, for people.

use std::fmt::Write;
use std::path::Path;

use richman_analysis::databases::{ProvedPart, Verdict};
use serde::Serialize;

use crate::csv::from_json;

/// The greatest width of the bounds that a build makes.
const USUAL_WIDTH: f64 = 1.0 / (1_u64 << 40) as f64;
/// The most extra files to name.
const NAMED: usize = 20;

fn power_of_two(width: f64) -> String {
    if width > 0.0 { format!("2^{:.1}", width.log2()) } else { "0".to_string() }
}

/// Whether the database in `folder` is correct, and how wide its bounds are.
pub fn verdict(report: &Verdict, folder: &Path) -> String {
    let folder = folder.display();
    let mut text = match &report.wrong {
        None => {
            let classes =
                if report.classes.is_empty() { String::new() } else { format!(": {}", report.classes.join(", ")) };
            let what = if report.bounds { "bound" } else { "number" };
            format!("valid: every {what} of the database in {folder}{classes}\n")
        }
        Some(wrong) => format!("WRONG: {wrong}\n"),
    };
    if let (None, Some(width)) = (&report.wrong, report.width_decimal) {
        let bounds = report.proved.iter().filter(|class| !class.exact);
        let class = |class: &ProvedPart| format!("{} {}", class.class, power_of_two(class.width.0.to_f64()));
        let classes: Vec<String> = bounds.map(class).collect();
        let _ = writeln!(
            text,
            "These classes have proved bounds, at most this far apart: {}; the others are exact.",
            classes.join(", ")
        );
        if width > USUAL_WIDTH {
            let _ = writeln!(text, "The bounds hold, but they are wider than the 2^-40 that a build makes.");
        }
    }
    if !report.listed {
        let _ = writeln!(
            text,
            "This database does not list its files, so only those that its numbers need are known; the command that \
             built it lists them."
        );
    }
    if !report.others.is_empty() {
        let (shown, more) = report.others.split_at(report.others.len().min(NAMED));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        let _ = writeln!(text, "Not part of the database, but in its folder: {}{more}", shown.join(", "));
    }
    text
}

/// The row of a verdict; `classes` are those of a chess database.
pub fn verdict_rows(report: &impl Serialize) -> Vec<Vec<String>> {
    from_json(&[("", "valid game position positions classes wrong width width_decimal others")], [report])
}
