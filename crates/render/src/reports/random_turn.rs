//! The chances of random-turn play, for people.

use std::fmt::Write;

use richman_analysis::ReportHead;
use richman_analysis::random_turn::{Chance, PlayResults, RandomTurnReport};
use richman_core::{Mechanism, counted};
use serde_json::json;

use super::Printed;
use super::parts::{IN_FULL, decimal, head};
use crate::csv::from_json;
use crate::layout::Layout;

/// Both chances, their comparison with the thresholds or with their bounds by looking ahead, and
/// the games played.
impl Printed for RandomTurnReport {
    fn text(&self, _layout: Layout) -> String {
        let RandomTurnReport { game, position, .. } = self;
        let (game, position) = (game.clone(), position.clone());
        let about = ReportHead { game, position, mechanism: Mechanism::default().into(), at_least: None };
        let mut text = head(&about, Some(self.picture.clone()), None);
        chance(&mut text, "Alice wins with a chance of", "win threshold", &self.wins);
        chance(&mut text, "Alice does not lose with a chance of", "draw threshold", &self.holds);
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let is_by_chance = self.wins.value.is_some();
        let columns: [(&str, &str); 4] = [
            ("", "game position goal"),
            ("/chance", if is_by_chance { "chance~ value~ proved" } else { "chance~ from_threshold~" }),
            ("/chance", "agree rounds games played played_low=interval/0 played_high=interval/1"),
            ("/chance", "cut_off_if_failed=cut_off_fails/cut_off cut_off_if_succeeded=cut_off_succeeds/cut_off"),
        ];
        let goals = [("wins", &self.wins), ("holds", &self.holds)];
        let row =
            |(goal, chance)| json!({ "game": self.game, "position": self.position, "goal": goal, "chance": chance });
        from_json(&columns, goals.map(row))
    }
}

fn chance(text: &mut String, what: &str, threshold: &str, chance: &Chance) {
    let (games, moves) = (chance.games, chance.rounds);
    let ahead = decimal(&chance.chance, IN_FULL);
    let _ = match &chance.value {
        None => writeln!(text, "{what} {ahead}."),
        Some(value) => {
            let proof = match chance.proved {
                Some(true) => "exact; every equation and progress proved in exact arithmetic",
                _ if chance.agree => "bounds: the exact chances are too large",
                _ => "THE PROOF FAILED",
            };
            let _ = writeln!(text, "{what} {}.\n  ({proof})", decimal(value, IN_FULL));
            writeln!(text, "  Looking {} ahead gives {ahead}.", counted(moves.into(), "move"))
        }
    };
    if let Some(other) = &chance.from_threshold {
        let agrees = if chance.agree { "as Richman's theorem says" } else { "AGAINST Richman's theorem" };
        let other = decimal(other, IN_FULL);
        let _ = writeln!(text, "  1 minus the {threshold} with real money is {other}, {agrees}.");
    }
    for (plays, counts) in [(&chance.cut_off_fails, "failed"), (&chance.cut_off_succeeds, "succeeded")] {
        let PlayResults { reached, cut_off } = plays;
        let _ = writeln!(
            text,
            "  Of {games} games, cut off after {moves} moves and then counted as {counts}: {reached:.5} succeeded, \
             {cut_off:.5} were cut off."
        );
    }
    let [low, high] = chance.interval;
    let _ = writeln!(text, "  So the chance is between {low:.5} and {high:.5}, with 99% confidence.");
}
