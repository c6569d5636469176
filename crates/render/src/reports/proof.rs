//! The verdict on a saved solution for people: what was proved, or what is wrong.

use std::fmt::Write;

use richman_analysis::saved::{ProvedClaim, VerifyReport};
use richman_core::{Purses, Share, counted};

use super::Printed;
use super::database::verdict_rows;
use super::parts::rational;
use crate::layout::Layout;

/// Of a valid solution also what it proves, and for which mechanism.
impl Printed for VerifyReport {
    fn text(&self, _layout: Layout) -> String {
        let VerifyReport { game, position, positions, .. } = self;
        let about = format!("{game} from {position} ({})", counted(*positions as u64, "position"));
        match (&self.wrong, &self.proved) {
            (Some(wrong), _) => format!("WRONG: {about}\n{wrong}\n"),
            (None, None) => format!("valid: {about}\n"),
            (None, Some(proved)) => {
                let mut text = format!("valid: {about}\n");
                let _ = writeln!(text, "{}\n{}", claim(proved, *positions), proved.mechanism.0);
                text
            }
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        verdict_rows(self)
    }
}

fn claim(proved: &ProvedClaim, positions: usize) -> String {
    let everywhere = if positions == 1 { "the position".to_string() } else { format!("all {positions} positions") };
    if proved.average_bounds.is_some() {
        return average(proved, &everywhere);
    }
    let stake = match (&proved.totals[..], &proved.purses[..]) {
        ([], []) if proved.all_totals => "every total of chips".to_string(),
        ([], []) => "real money".to_string(),
        ([], purses) => listed(&purses.iter().map(self::purses).collect::<Vec<_>>()),
        (totals, _) => self::totals(totals),
    };
    let what = match &proved.at_least {
        Some(least) => format!("the shares that Alice needs for a long-run average of at least {least}"),
        None => proved.what.to_string(),
    };
    if proved.exact {
        return format!("With {stake} {what} are exact at {everywhere}.");
    }
    let some = match proved.exact_positions {
        0 => String::new(),
        1 => ", exact at 1 of them".to_string(),
        exact => format!(", exact at {exact} of them"),
    };
    format!("With {stake} {what} are within the bounds at {everywhere}{some}.")
}

/// Potentials prove both bounds for every share near the given one. Where Alice has nothing or all,
/// only one of them says anything; with Richman payment all others are worth the same.
fn average(proved: &ProvedClaim, everywhere: &str) -> String {
    const LONGEST: usize = 40;
    let (Some([low, high]), Some(share)) = (&proved.average_bounds, &proved.share) else { return String::new() };
    let share = &share.0;
    let whose = match proved.mechanism.0.payment.rate().is_richman() {
        true => "With any share of the money between 0 and 1".to_string(),
        false if *share == Share::ZERO => {
            return format!(
                "With any money Alice can be sure of every long-run average below {} from {everywhere}.",
                rational(low)
            );
        }
        false if *share == Share::ONE => {
            return format!(
                "With any money Bob can be sure of every long-run average above {} from {everywhere}.",
                rational(high)
            );
        }
        false => format!("With {share} of the money for Alice"),
    };
    let value = match low.to_string() {
        _ if low != high => format!("between {} and {}", rational(low), rational(high)),
        text if text.len() > LONGEST => format!("exact, about {}", rational(low)),
        text => format!("exactly {text}"),
    };
    format!("{whose} the long-run average from {everywhere} is {value}.")
}

/// Totals of chips; those that follow each other as a range.
fn totals(totals: &[u32]) -> String {
    match totals {
        [one] => counted(u64::from(*one), "chip"),
        [first, .., last] if totals.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])) => {
            format!("each total from {first} to {last} chips")
        }
        _ => format!("{} chips", listed(&totals.iter().map(u32::to_string).collect::<Vec<_>>())),
    }
}

fn purses(purses: &Purses) -> String {
    match purses {
        Purses::UpTo { alice, bob } => {
            format!("up to {} of Alice's and up to {bob} of Bob's", counted(u64::from(*alice), "chip"))
        }
        Purses::Together(total) => format!("up to {} together", counted(u64::from(*total), "chip")),
        Purses::Exactly(total) => format!("exactly {}", counted(u64::from(*total), "chip")),
    }
}

fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use richman_analysis::ShareJson;
    use richman_core::Mechanism;

    use super::*;

    fn proved(what: &'static str, exact: usize) -> ProvedClaim {
        let nothing = ProvedClaim::nothing("claim", &Mechanism::default());
        ProvedClaim { what, exact_positions: exact, ..nothing }
    }

    /// The second line of the verdict.
    fn said(positions: usize, what: &'static str, change: impl Fn(&mut ProvedClaim)) -> String {
        let mut proved = proved(what, positions);
        change(&mut proved);
        let [game, position] = ["game", "a"].map(str::to_string);
        let report = VerifyReport { valid: true, game, position, positions, proved: Some(proved), wrong: None };
        let text = report.text(Layout::default());
        let lines: Vec<&str> = text.lines().collect();
        let first = format!("valid: game from a ({})", counted(positions as u64, "position"));
        assert_eq!([lines[0], lines[2]], [first.as_str(), &Mechanism::default().to_string()]);
        lines[1].to_string()
    }

    #[test]
    fn verdicts_say_what_was_proved() {
        let bounds = |proved: &mut ProvedClaim| (proved.exact, proved.exact_positions) = (false, 1);
        let totals = |totals: &'static [u32]| move |proved: &mut ProvedClaim| proved.totals = totals.to_vec();
        let average = |share: &str, payment: &str, low: &str, high: &str| {
            let mut proved = proved("the thresholds", 2);
            proved.share = Some(ShareJson(share.parse().unwrap()));
            proved.average_bounds = Some([low, high].map(|end| end.parse().unwrap()));
            proved.mechanism.0.payment = payment.parse().unwrap();
            super::average(&proved, "all 2 positions")
        };
        for (found, expected) in [
            (
                said(1, "the win and draw thresholds", |_| ()),
                "With real money the win and draw thresholds are exact at the position.",
            ),
            (
                said(3, "the thresholds", bounds),
                "With real money the thresholds are within the bounds at all 3 positions, exact at 1 of them.",
            ),
            (said(1, "the thresholds", totals(&[1])), "With 1 chip the thresholds are exact at the position."),
            (
                said(2, "the thresholds for every number of moves", totals(&[0, 1, 2])),
                "With each total from 0 to 2 chips the thresholds for every number of moves are exact at all 2 \
                 positions.",
            ),
            (
                said(2, "the long-run averages of all holdings", totals(&[5])),
                "With 5 chips the long-run averages of all holdings are exact at all 2 positions.",
            ),
            (
                said(2, "the thresholds for every number of moves", |proved| proved.purses = vec![Purses::Together(4)]),
                "With up to 4 chips together the thresholds for every number of moves are exact at all 2 positions.",
            ),
            (
                average("1/3", "richman", "1", "1"),
                "With any share of the money between 0 and 1 the long-run average from all 2 positions is exactly 1.",
            ),
            (
                average("1/3", "poorman", "0", "1"),
                "With 1/3 of the money for Alice the long-run average from all 2 positions is between 0 and 1.",
            ),
            (
                average("0", "poorman", "1", "1"),
                "With any money Alice can be sure of every long-run average below 1 from all 2 positions.",
            ),
            (
                average("1", "poorman", "1", "1"),
                "With any money Bob can be sure of every long-run average above 1 from all 2 positions.",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }
}
