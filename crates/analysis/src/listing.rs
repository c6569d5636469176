//! The list of games as a report.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Error, GameInfo, Games, Subject};

/// A game of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedGame {
    /// The name without parameters.
    pub name: &'static str,
    /// The parameters with their defaults.
    pub parameters: &'static str,
    /// The game in one line.
    pub description: &'static str,
    /// The usual name with the default parameters.
    pub title: &'static str,
    /// Further rules.
    pub rules: &'static str,
    /// How a position is written.
    pub notation: &'static str,
    /// The values that each parameter may have.
    pub values: Vec<ListedParameter>,
    /// A whole name of the game, as an example.
    pub example: String,
    /// A position of the example.
    pub position: String,
    /// That position as text in two dimensions.
    pub picture: String,
}

/// A parameter of a game of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedParameter {
    /// The key.
    pub key: String,
    /// The value unless another is given.
    pub default: String,
    /// The values that are accepted.
    pub values: String,
}

/// All games of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameList {
    /// The games in the order of the list.
    pub games: Vec<ListedGame>,
}

impl From<&Games> for GameList {
    fn from(games: &Games) -> GameList {
        GameList { games: games.list().into_iter().map(|info| ListedGame::new(games, info, info.name)).collect() }
    }
}

impl GameList {
    /// The game that `spec` names, with its parameters.
    ///
    /// # Errors
    /// [`Error::Game`] if there is no such game.
    pub fn of(games: &Games, spec: &str) -> Result<GameList, Error> {
        let info = games.info(spec).filter(|info| is_plain(info, spec));
        if info.is_none() {
            games.find(spec)?;
        }
        let info = info.or_else(|| games.info(spec));
        Ok(GameList { games: info.into_iter().map(|info| ListedGame::new(games, info, spec)).collect() })
    }
}

/// Whether a name has no parameters.
fn is_plain(info: &GameInfo, spec: &str) -> bool {
    spec.trim().eq_ignore_ascii_case(info.name)
}

impl ListedGame {
    /// The game of `info`, with the example of the list if `spec` has no parameters.
    fn new(games: &Games, info: GameInfo, spec: &str) -> ListedGame {
        let GameInfo { name, parameters, description, title, rules, notation, .. } = info;
        let (example, pictured) = if is_plain(&info, spec) { (info.example, info.pictured) } else { (spec, "") };
        let pictured = Some(pictured).filter(|pictured| !pictured.is_empty());
        let subject = Subject::among(games, example).ok();
        let walk = subject.as_ref().and_then(|subject| subject.walk(pictured).ok());
        let values = games.parameters(spec).unwrap_or_default().into_iter().map(|parameter| ListedParameter {
            key: parameter.key,
            default: parameter.usual,
            values: parameter.values,
        });
        ListedGame {
            name,
            parameters,
            description,
            title,
            rules,
            notation,
            values: values.collect(),
            example: subject.map_or_else(|| example.to_string(), |subject| subject.name()),
            position: walk.as_ref().map_or_else(String::new, |walk| walk.notation()),
            picture: walk.map_or_else(String::new, |walk| walk.picture().trim_end().to_string()),
        }
    }
}
