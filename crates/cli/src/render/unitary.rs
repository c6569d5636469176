//! Unitary games for people.

use std::fmt::Write;

use richman_analysis::unitary::{Automaton, Convergence, ConvergenceLaw};

use super::scores::{line, table};

/// The heaps at which totals converge.
pub fn convergence(rows: &[Convergence], law: Option<&ConvergenceLaw>) -> String {
    let mut text = String::from("unitary games: the heap from which on values depend only on parity\n\n");
    let mut lines = vec![["total", "heap", "LPR20's bound", "values"].map(String::from).to_vec()];
    for row in rows {
        let values = if row.automaton { "as the automaton" } else { "NOT as the automaton" };
        lines.push(vec![row.total.to_string(), row.converged.to_string(), row.bound.to_string(), values.into()]);
    }
    table(&mut text, lines);
    if let Some(law) = law {
        let _ = writeln!(text, "\nFitted, with m = total/2 rounded up: {law}.");
    }
    text
}

/// The automaton as in [LPR20, Figures 1 and 2].
pub fn automaton(automaton: &Automaton) -> String {
    let Automaton { total, converged, bound, .. } = automaton;
    let mut text = format!(
        "unitary games with a total of {total}: values of all heaps from {converged} on (LPR20's bound: {bound})\n\n"
    );
    let signed = |value: &i64| if *value == 0 { "0".to_string() } else { format!("{value:+}") };
    let header = line("", (0..=*total).rev().map(|chips| format!("{chips}*")));
    let values = |name: &str, values: &[i64]| line(name, values.iter().map(signed));
    table(&mut text, vec![header, values("x even", &automaton.even), values("x odd", &automaton.odd)]);
    text.push_str(
        "\nBoth players bid 0: the player with p chips and the star wins the tie, and then the other has total - p and \
         the star.\n",
    );
    text
}
