//! The verifier's verdict on a saved solution.

use std::panic::{AssertUnwindSafe, catch_unwind};

use richman_analysis::saved::SavedSolution;
use richman_analysis::{Games, saved};
use richman_core::Effort;
use richman_formats::{read, write};

pub fn text(solution: &SavedSolution) -> Vec<u8> {
    let mut text = Vec::new();
    write(solution, &mut text).unwrap();
    text
}

#[derive(Debug)]
pub enum Verdict {
    Valid,
    Wrong(String),
    Error(String),
}

pub const PANIC: &str = "panic";

pub fn judge(solution: SavedSolution) -> Verdict {
    let judged = catch_unwind(AssertUnwindSafe(|| saved::verify(&Games::default(), solution, &Effort::default())));
    match judged {
        Err(_) => Verdict::Wrong(PANIC.to_string()),
        Ok(Err(error)) => Verdict::Error(error.to_string()),
        Ok(Ok(report)) => match (report.valid, report.wrong) {
            (true, None) => Verdict::Valid,
            (false, Some(wrong)) => Verdict::Wrong(wrong),
            (valid, wrong) => panic!("valid is {valid}, but what is wrong is {wrong:?}"),
        },
    }
}

pub fn judge_text(text: &[u8]) -> Verdict {
    match read("solution.json", text) {
        Ok(solution) => judge(solution),
        Err(error) => Verdict::Error(error.to_string()),
    }
}
