//! The list of games, or one game of it.

use std::fmt::Write;

use richman_analysis::{GameList, ListedGame};

use super::Printed;
use crate::csv::from_json;
use crate::layout::Layout;

impl Printed for GameList {
    fn text(&self, layout: Layout) -> String {
        if let [game] = self.games.as_slice() {
            return about(game, layout);
        }
        let rows = self.games.iter().map(|game| [game.name, game.parameters, game.description].map(str::to_string));
        let table = layout.entries(["game", "parameters (defaults)", ""], rows.collect());
        table + "\nWrite NAME[:key=value,...], the path of a game file, or expr:EXPRESSION.\n"
    }

    fn rows(&self) -> Vec<Vec<String>> {
        from_json(&[("", "name parameters description")], &self.games)
    }
}

/// What is known of one game: its rules, the values of its parameters, its notation, and a position
/// with its picture.
fn about(game: &ListedGame, layout: Layout) -> String {
    let ListedGame { name, title, description, rules, notation, example, position, picture, .. } = game;
    let mut text = format!("{title}: {description}.\n");
    if !rules.is_empty() {
        let _ = writeln!(text, "{rules}");
    }
    if !game.values.is_empty() {
        let _ = writeln!(text, "\nParameters, such as {name}:{}", game.parameters);
        let rows = game
            .values
            .iter()
            .map(|value| [format!("  {}", value.key), value.values.clone(), format!("[default: {}]", value.default)]);
        text += &layout.columns(rows);
    }
    if !notation.is_empty() {
        let _ = writeln!(text, "\nA position is written as {notation}.");
    }
    let _ = writeln!(text, "\nAn example is {example} at {position}:\n\n{picture}");
    text
}
