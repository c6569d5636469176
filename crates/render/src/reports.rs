//! Reports in words, and as rows of comma-separated values: one module for each report.

pub mod chips;
mod compare;
pub mod database;
mod duel;
mod list;
pub mod mean_payoff;
pub mod money;
pub mod parts;
pub mod positions;
mod proof;
mod random_turn;
mod review;
pub mod scores;
pub mod table;
#[cfg(test)]
mod tests;
mod unitary;
pub mod why;

use richman_analysis::{Answer, Certainty, Grounds, Report};

use crate::layout::Layout;

/// A report that can be printed.
pub trait Printed {
    /// The report for people.
    fn text(&self, layout: Layout) -> String;

    /// Column names, and rows of cells.
    fn rows(&self) -> Vec<Vec<String>>;
}

/// The report of a kind of solution.
trait Solution {
    /// All that `answer`, which has this report, says to people.
    fn text(&self, answer: &Answer, layout: Layout) -> String;

    /// Column names, and rows of cells.
    fn rows(&self) -> Vec<Vec<String>>;

    /// The rows of one of several positions, which all need the same columns.
    fn rows_of_several(&self) -> Vec<Vec<String>> {
        self.rows()
    }
}

fn solution(report: &Report) -> &dyn Solution {
    match report {
        Report::Money(report) => report.as_ref(),
        Report::Chips(report) => report.as_ref(),
        Report::Purses(report) => report.as_ref(),
        Report::Scores(report) => report.as_ref(),
        Report::Average(report) => report.as_ref(),
        Report::Averages(report) => report.as_ref(),
    }
}

impl Printed for Answer {
    fn text(&self, layout: Layout) -> String {
        solution(&self.report).text(self, layout)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        rows(&self.report)
    }
}

/// Column names, and the rows of a position.
pub fn rows(report: &Report) -> Vec<Vec<String>> {
    solution(report).rows()
}

/// The rows of one of several positions, which all need the same columns.
pub fn rows_of_several(report: &Report) -> Vec<Vec<String>> {
    solution(report).rows_of_several()
}

/// The head of an answer, with the picture of its position.
fn head(answer: &Answer) -> String {
    parts::head(answer.report.head(), Some(answer.picture.clone()), answer.report.truncated())
}

/// What the numbers of an answer rest on, if they are exact or proved bounds.
fn grounds(answer: &Answer) -> String {
    let Grounds { certainty, positions, stop } = answer.report.grounds();
    let certainty = if certainty == Certainty::Exact { "exact" } else { "bounds" };
    format!("({certainty}; {} positions; {stop})\n", positions.unwrap_or_default())
}
