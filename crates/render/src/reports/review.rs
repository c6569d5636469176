//! Reviews for people.

use std::fmt::Write;

use richman_core::Mechanism;
use richman_play::review::{MistakeGrade, RestsOn, Review, ReviewWorth};
use serde_json::{Value, json};

use super::Printed;
use crate::csv::from_json;
use crate::layout::Layout;
use crate::review::{self as words, GRADES};

impl Printed for Review {
    fn text(&self, layout: Layout) -> String {
        let mut text = format!("{}\n", self.game);
        if self.mechanism.0 != Mechanism::default() {
            let _ = writeln!(text, "{}", self.mechanism.0);
        }
        if let Some(limit) = self.limit {
            let _ = writeln!(text, "a draw after {limit} turns");
        }
        let reason = self.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        let _ = writeln!(text, "rests on {}{reason}\n", self.rests_on);
        let said = &self.digest;
        for said in [&said.decided, &said.best.alice, &said.best.bob, &format!("To learn: {}", said.learn)] {
            let _ = writeln!(text, "{said}");
        }
        let _ = writeln!(text, "\n{}\n", self.summary);
        let table = layout.columns(turns(self));
        text.push_str(&table);
        text.push_str(&legend(self, &table));
        for (grade, title) in GRADES {
            let mut found = self.mistakes.iter().filter(|mistake| mistake.grade == grade).peekable();
            if found.peek().is_some() {
                let _ = writeln!(text, "\n{title}:");
            }
            for mistake in found {
                let _ = writeln!(text, "  turn {}: {}", mistake.turn, mistake.text);
            }
        }
        if !self.suggested.is_empty() {
            let _ = writeln!(text, "\nSuggested by a hint, so not held against the player:");
        }
        for mistake in &self.suggested {
            let _ = writeln!(text, "  turn {}: {}", mistake.turn, mistake.text);
        }
        text
    }

    /// A row for each turn, and an unnumbered one for the final position.
    fn rows(&self) -> Vec<Vec<String>> {
        const COLUMNS: [(&str, &str); 8] = [
            ("/turn", "turn position alice bob"),
            ("/turn/worth", "outcome within share=money/share share_decimal=money/share_decimal"),
            ("/turn/worth/money", "win~ draw~"),
            ("/turn/worth", "estimate"),
            ("/turn/worth/margin/alice", "alice_win_margin=win alice_draw_margin=draw"),
            ("/turn/worth/margin/bob", "bob_win_margin=win bob_draw_margin=draw"),
            ("/turn", "alice_bids bob_bids star_used winner mover move"),
            ("", "result_mistakes=result margin_mistakes=margin slower"),
        ];
        let rows = self.turns.iter().map(|turn| {
            let players = |grade: &str| -> Vec<Value> {
                let here = self.mistakes.iter().filter(|mistake| mistake.turn == turn.turn);
                let all = here.map(|mistake| json!(mistake)).filter(|mistake| mistake["grade"] == grade);
                all.map(|mistake| mistake["player"].clone()).collect()
            };
            let [result, margin, slower] = ["result", "margin", "slower"].map(players);
            json!({ "turn": turn, "result": result, "margin": margin, "slower": slower })
        });
        from_json(&COLUMNS, rows.chain([json!({ "turn": self.now })]))
    }
}

fn has_margin(review: &Review) -> bool {
    matches!(review.rests_on, RestsOn::Chips | RestsOn::Engine(_))
}

/// The meaning of the signs that occur in the table.
fn legend(review: &Review, table: &str) -> String {
    let has = |grade| review.mistakes.iter().any(|mistake| mistake.grade == grade);
    let marks = [
        (
            "+2/-1: 2 chips more than a win needs, 1 fewer than a draw needs; -: no number of chips would do.",
            has_margin(review),
        ),
        ("3*: 3 chips and the star; as a bid, 3 with the star used to win the tie.", table.contains('*')),
        (
            "Alice??: a decision of hers changed the result, or let a certain win at once slip.",
            has(MistakeGrade::Result) || has(MistakeGrade::AtOnce),
        ),
        (
            "Alice?: a decision of hers lost chips to spare, for certain or probably.",
            has(MistakeGrade::Margin) || has(MistakeGrade::Probable),
        ),
    ];
    let lines: String = marks.iter().filter(|(_, occurs)| *occurs).map(|(line, _)| format!("{line}\n")).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

fn turns(review: &Review) -> Vec<Vec<String>> {
    let has_margin = has_margin(review);
    let margins: &[&str] = if has_margin { &["Alice win/draw", "Bob win/draw"] } else { &[] };
    let head = [&["turn", "position", "Alice", "Bob", "worth"], margins, &["bids", "move", ""]].concat();
    let mut rows = vec![head.into_iter().map(str::to_string).collect()];
    for turn in &review.turns {
        let marks = |grades: [MistakeGrade; 2]| {
            review.mistakes.iter().filter(move |m| m.turn == turn.turn && grades.contains(&m.grade))
        };
        let result = marks([MistakeGrade::Result, MistakeGrade::AtOnce]).map(|mistake| format!("{}??", mistake.player));
        let margin =
            marks([MistakeGrade::Margin, MistakeGrade::Probable]).map(|mistake| format!("{}?", mistake.player));
        let mut row = vec![turn.turn.to_string(), turn.position.clone()];
        row.extend([turn.alice.0.to_string(), turn.bob.0.to_string()]);
        row.extend(worth(turn.worth.as_ref(), has_margin));
        row.extend([words::bids(turn), words::played(turn)]);
        row.push(result.chain(margin).collect::<Vec<_>>().join(" "));
        rows.push(row);
    }
    let now = &review.now;
    let mut row = vec![if now.over { "end" } else { "now" }.to_string(), now.position.clone()];
    row.extend([now.alice.0.to_string(), now.bob.0.to_string()]);
    row.extend(worth(now.worth.as_ref(), has_margin));
    rows.push(row);
    rows
}

/// The value of a position, and both players' margins.
fn worth(worth: Option<&ReviewWorth>, has_margin: bool) -> Vec<String> {
    let mut cells = vec![worth.map_or_else(String::new, |worth| words::worth(worth, ""))];
    if has_margin {
        cells.extend(words::margins(worth));
    }
    cells
}
