//! The list of games.

use richman_analysis::GameList;

use super::Printed;
use crate::csv::from_json;
use crate::layout::Layout;

impl Printed for GameList {
    fn text(&self, layout: Layout) -> String {
        let rows = self.games.iter().map(|game| [game.name, game.parameters, game.description]);
        let table = layout.columns(std::iter::once(["game", "parameters (defaults)", ""]).chain(rows));
        table + "\nWrite NAME[:key=value,...], the path of a game file, or expr:EXPRESSION.\n"
    }

    fn rows(&self) -> Vec<Vec<String>> {
        from_json(&[("", "name parameters description")], &self.games)
    }
}
