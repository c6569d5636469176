//! The list of games as a report.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Games;

/// A game of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedGame {
    /// The name without parameters.
    pub name: &'static str,
    /// The parameters with their defaults.
    pub parameters: &'static str,
    /// The game in one line.
    pub description: &'static str,
}

/// All games of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameList {
    /// The games in the order of the list.
    pub games: Vec<ListedGame>,
}

impl From<&Games> for GameList {
    fn from(games: &Games) -> GameList {
        let list = games.list();
        let listed = list.iter().map(|game| ListedGame {
            name: game.name,
            parameters: game.parameters,
            description: game.description,
        });
        GameList { games: listed.collect() }
    }
}
