//! Long-run averages.

use std::fmt::Write;

use richman_analysis::mean_payoff::{
    AverageChipsReport, AverageOfHoldings, AverageReport, AveragesByHolding, CreditsByHolding, NumberJson,
    OneSidedAverage,
};
use richman_analysis::{Answer, ScoreJson};
use richman_core::{PayoffBounds, Player, Share};
use serde_json::json;

use super::parts::{list_of, rational};
use super::{Solution, grounds, head};
use crate::csv::from_json;
use crate::layout::Layout;

impl Solution for AverageReport {
    fn text(&self, answer: &Answer, _layout: Layout) -> String {
        let mut text = String::new();
        for fact in averages(self, rational) {
            let _ = writeln!(text, "{fact}");
        }
        let able = Player::BOTH.into_iter().filter(|&player| !self.moves[player].is_empty());
        let moves: Vec<String> = able.map(|player| format!("{player} {}", list_of(&self.moves[player]))).collect();
        if !moves.is_empty() {
            let _ = writeln!(text, "Moves: {}", moves.join("; "));
        }
        if self.zugzwang {
            text.push_str("This is a zugzwang: the winner of the bid should let the other player move.\n");
        }
        head(answer) + &text + &grounds(answer)
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let columns = "game position share average~ any_share exact alice_moves=moves/alice bob_moves=moves/bob";
        from_json(&[("", columns)], [self])
    }
}

impl Solution for AverageChipsReport {
    fn text(&self, answer: &Answer, layout: Layout) -> String {
        let mut text = format!("With {} chips in the game, both can hold the long-run average to:\n", self.total);
        let rows = average_runs(&self.averages).into_iter().map(|[held, average]| [format!("  {held}"), average]);
        text.push_str(&layout.columns([["  Alice holds".to_string(), "average".to_string()]].into_iter().chain(rows)));
        if let Some(credits) = &self.credits {
            text.push_str(
                "\nThe weight of every move is added to Alice's credit. The least that never falls below 0:\n",
            );
            let rows = credit_runs(credits).into_iter().map(|[held, credit]| [format!("  {held}"), credit]);
            text.push_str(
                &layout.columns([["  Alice holds".to_string(), "credit".to_string()]].into_iter().chain(rows)),
            );
        }
        if let Some(AverageOfHoldings { alice, bob, average }) = &self.holdings {
            let _ = writeln!(text, "\nWith {} for Alice against {} for Bob: {}.", alice.0, bob.0, rational(average));
        }
        head(answer) + &text + &grounds(answer)
    }

    /// A row for each run of Alice's holdings with the same values, or one for the given holdings.
    fn rows(&self) -> Vec<Vec<String>> {
        const COLUMNS: [(&str, &str); 3] =
            [("/of", "game position chips=total"), ("", "alice_from=held/0 alice_to=held/1 average"), ("", "credit")];
        let columns = &COLUMNS[..if self.credits.is_some() { 3 } else { 2 }];
        let AveragesByHolding { plain, star } = &self.averages;
        let credits = self.credits.as_ref().map(|CreditsByHolding { plain, star }| [plain, star]);
        let mut rows = Vec::new();
        for (at, mark, runs) in [(0, "", plain), (1, "*", star)] {
            for (from, to, average) in runs {
                let within = credits.map(|credits| credits[at].iter().filter(|run| run.0 <= *to && run.1 >= *from));
                let parts: Vec<(u32, u32, Option<&ScoreJson>)> = match within {
                    Some(parts) => parts.map(|part| (part.0.max(*from), part.1.min(*to), part.2.as_ref())).collect(),
                    None => vec![(*from, *to, None)],
                };
                for (from, to, credit) in parts {
                    let held = [from, to].map(|chips| format!("{chips}{mark}"));
                    rows.push((
                        from..=to,
                        at,
                        json!({ "of": self, "held": held, "average": average, "credit": credit }),
                    ));
                }
            }
        }
        if let Some(AverageOfHoldings { alice, .. }) = &self.holdings {
            let (chips, star) = (alice.0.chips(), usize::from(alice.0.has_star()));
            rows.retain(|(held, at, _)| *at == star && held.contains(&chips));
            rows.iter_mut().for_each(|(_, _, row)| row["held"] = json!([alice.0.to_string(), alice.0.to_string()]));
        }
        from_json(columns, rows.into_iter().map(|(_, _, row)| row))
    }
}

/// A long-run average in sentences. `number` writes a number.
pub fn averages(report: &AverageReport, number: impl Fn(&NumberJson) -> String) -> Vec<String> {
    let between = |bounds: &PayoffBounds| match bounds.as_exact() {
        Some(average) => number(&NumberJson(average.clone())),
        None => {
            let [low, high] = [&bounds.low, &bounds.high].map(|end| number(&NumberJson(end.clone())));
            format!("between {low} and {high}")
        }
    };
    let everywhere = "from every position that can follow";
    let first = match (&report.one_sided, report.any_share) {
        (Some(OneSidedAverage { star_alice, star_bob, .. }), _) => {
            let held = if report.share.0 == Share::ZERO { "none" } else { "all" };
            let worth = match star_alice == star_bob {
                true => between(star_alice),
                false => {
                    let [alice, bob] = [star_alice, star_bob].map(between);
                    format!("{alice} if Alice holds the star and {bob} if Bob does,")
                }
            };
            let ties = report.head.mechanism.0.ties;
            format!(
                "The long-run average is {worth} from this position: Alice has {held} of the money, and the rule \
                 for ties is {ties}."
            )
        }
        (None, true) => format!(
            "The long-run average is {} {everywhere}, whatever the shares of the money, as long as both have some.",
            between(&report.average)
        ),
        (None, false) => {
            let share = &report.share.0;
            format!(
                "The long-run average is {} {everywhere}, if Alice has the share {share} of the money.",
                between(&report.average)
            )
        }
    };
    let known = report.one_sided.as_ref().map_or(report.exact, OneSidedAverage::is_exact);
    let limits = if known {
        "In the long run Alice can keep it above every smaller number, and Bob below every larger number."
    } else {
        "In the long run Alice can keep it above every number below these, and Bob below every number above them."
    };
    let nearby = report.one_sided.as_ref().and_then(|OneSidedAverage { nearby, .. }| {
        if report.head.mechanism.0.payment.rate().is_richman() {
            return Some(format!("With any share between 0 and 1 it is {} {everywhere}.", between(nearby)));
        }
        let near = number(&NumberJson(nearby.as_exact()?.clone()));
        Some(format!("As her share comes near {}, it comes near {near} {everywhere}.", report.share.0))
    });
    [first, limits.to_string()].into_iter().chain(nearby).collect()
}

/// The averages of a position in runs of holdings, such as `0* to 5*`, each with its number.
pub fn average_runs(averages: &AveragesByHolding) -> Vec<[String; 2]> {
    let AveragesByHolding { plain, star } = averages;
    runs([plain, star], rational)
}

/// The least credits by runs of Alice's holdings.
pub fn credit_runs(credits: &CreditsByHolding) -> Vec<[String; 2]> {
    let CreditsByHolding { plain, star } = credits;
    runs([plain, star], |credit| credit.map_or("none suffices".to_string(), |credit| credit.0.to_string()))
}

/// Runs of holdings without and with the star, each with its value.
fn runs<T>(by_star: [&Vec<(u32, u32, T)>; 2], words: impl Fn(&T) -> String) -> Vec<[String; 2]> {
    let run = |mark: &str, (from, to, value): &(u32, u32, T)| {
        let held = if from == to { format!("{from}{mark}") } else { format!("{from}{mark} to {to}{mark}") };
        [held, words(value)]
    };
    let [plain, star] = by_star;
    plain.iter().map(|one| run("", one)).chain(star.iter().map(|one| run("*", one))).collect()
}
