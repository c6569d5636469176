//! Comparisons of two games.

use std::fmt::Write;

use richman_analysis::ThresholdJson;
use richman_analysis::class::MOST_LETTERS;
use richman_analysis::compare::{CompareReport, ComparedGame, GameOrder, GameThresholds};
use richman_core::counted;

use super::Printed;
use super::chips::needs;
use super::parts::conditions;
use crate::csv::from_json;
use crate::layout::Layout;

impl Printed for CompareReport {
    fn text(&self, _layout: Layout) -> String {
        let game = |side: &ComparedGame| {
            let class = match (&side.class, &side.rule) {
                (Some(class), _) => format!("class {}", class.expression),
                (None, Some(_)) => format!("no class of up to {MOST_LETTERS} letters"),
                (None, None) => "class unknown".to_string(),
            };
            let position = match side.game.strip_prefix("expr:") {
                Some(expression) if expression == side.position => String::new(), // equal to its position
                _ => format!(", position {}", side.position),
            };
            format!("{}{position}; {class}", side.game)
        };
        let conditions = conditions(&self.mechanism, self.truncated);
        let mut text = format!("G: {}\nH: {}\n{conditions}", game(&self.g), game(&self.h));
        let at = |total: Option<u32>, both: &Option<GameThresholds>| -> Option<String> {
            let (total, both) = (total?, both.as_ref()?);
            let chips = counted(total.into(), "chip");
            let wins = |name: &str, threshold: &ThresholdJson| match threshold.threshold {
                Some(holding) if holding.0.chips() > total => format!("cannot win {name}"),
                _ => format!("wins {name} with {}", needs(threshold, total)),
            };
            Some(format!("with {chips} she {} and {}", wins("G", &both.g), wins("H", &both.h)))
        };
        let below = at(self.witness.below, &self.thresholds.below).unwrap_or_default();
        let above = at(self.witness.above, &self.thresholds.above).unwrap_or_default();
        let result = match self.order {
            GameOrder::Less => format!("G is less than H: Alice never needs more in G than in H, and {below}."),
            GameOrder::Equal => "G and H are equal: Alice needs the same in both.".to_string(),
            GameOrder::Greater => format!("G is greater than H: Alice never needs less in G than in H, and {above}."),
            GameOrder::Incomparable => format!("G and H are incomparable: for Alice, {below}; {above}."),
        };
        match (self.totals, &self.reason) {
            (Some(last), Some(reason)) => {
                let _ = writeln!(text, "With up to {last} chips {result}\nNothing is proved beyond that ({reason}).");
            }
            _ => {
                let how = if self.order == GameOrder::Incomparable { "by these two totals" } else { "for every total" };
                let _ = writeln!(text, "{result}\n(proved {how})");
            }
        }
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        const BOTH: &str =
            "g=g/game g_position=g/position g_class=g/class h=h/game h_position=h/position h_class=h/class";
        from_json(&[("", BOTH), ("", "order proved"), ("/witness", "below above"), ("", "totals reason")], [self])
    }
}
