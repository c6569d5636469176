//! Unitary games for people.

use std::fmt::Write;

use richman_analysis::unitary::{Automaton, ConvergenceReport};
use serde_json::json;

use super::Printed;
use super::scores::line;
use crate::csv::from_json;
use crate::layout::Layout;

/// The heaps at which totals converge.
impl Printed for ConvergenceReport {
    fn text(&self, layout: Layout) -> String {
        let mut text = String::from("unitary games: the heap from which on values depend only on parity\n\n");
        let mut lines = vec![["total", "heap", "LPR20's bound", "values"].map(String::from).to_vec()];
        for row in &self.rows {
            let values = if row.automaton { "as the automaton" } else { "NOT as the automaton" };
            lines.push(vec![row.total.to_string(), row.converged.to_string(), row.bound.to_string(), values.into()]);
        }
        layout.split(&mut text, lines);
        if let Some(law) = &self.law {
            let _ = writeln!(text, "\nFitted, with m = total/2 rounded up: {law}.");
        }
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        from_json(&[("", "total converged bound proved automaton")], &self.rows)
    }
}

/// The automaton as in [LPR20, Figures 1 and 2].
impl Printed for Automaton {
    fn text(&self, layout: Layout) -> String {
        let Automaton { total, converged, bound, .. } = self;
        let mut text = format!(
            "unitary games with a total of {total}: values of all heaps from {converged} on (LPR20's bound: \
             {bound})\n\n"
        );
        let signed = |value: &i64| if *value == 0 { "0".to_string() } else { format!("{value:+}") };
        let header = line("", (0..=*total).rev().map(|chips| format!("{chips}*")));
        let values = |name: &str, values: &[i64]| line(name, values.iter().map(signed));
        layout.split(&mut text, vec![header, values("x even", &self.even), values("x odd", &self.odd)]);
        text.push_str(
            "\nBoth players bid 0: the player with p chips and the star wins the tie, and then the other has total - p \
             and the star.\n",
        );
        text
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let values = (0..=self.total).rev().zip(self.even.iter().zip(&self.odd));
        let row = |(chips, (even, odd))| json!({ "chips": chips, "even": even, "odd": odd });
        from_json(&[("", "chips even odd")], values.map(row))
    }
}
