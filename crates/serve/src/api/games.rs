//! Lists to choose from: games, presets, levels.

use axum::Json;
use axum::extract::State;
use richman_core::Preset;
use richman_formats::MechanismJson;
use richman_hall::setup::{MOST_CHIPS, MOST_TURNS};
use richman_play::players::STRENGTHS;
use richman_requests::mechanism_schema;
use serde::Serialize;
use utoipa::ToSchema;

use crate::SharedState;

/// The games, mechanisms and levels to choose from.
#[derive(Serialize, ToSchema)]
#[schema(as = Games)]
pub struct GamesJson {
    /// The games.
    games: Vec<GameJson>,
    /// The named mechanisms.
    presets: Vec<PresetJson>,
    /// The levels of the computer, strongest first.
    levels: Vec<LevelJson>,
    /// The most chips in a match.
    most_chips: u32,
    /// The most turns of a match.
    most_turns: u32,
}

/// A listed game.
#[derive(Serialize, ToSchema)]
#[schema(as = Game)]
struct GameJson {
    #[schema(example = "tic-tac-toe")]
    name: &'static str,
    /// Its parameters with their defaults, in the form that follows the name and a colon.
    #[schema(example = "rows=3,cols=3,line=3")]
    parameters: &'static str,
    /// Its rules in one line.
    description: &'static str,
}

/// A named mechanism.
#[derive(Serialize, ToSchema)]
#[schema(as = Preset)]
struct PresetJson {
    #[schema(example = "develin-payne")]
    name: String,
    /// Its choices.
    #[schema(schema_with = mechanism_schema)]
    mechanism: MechanismJson,
}

/// A level of the computer.
#[derive(Serialize, ToSchema)]
#[schema(as = Level)]
struct LevelJson {
    #[schema(example = "beginner")]
    name: &'static str,
    /// How it plays.
    description: &'static str,
}

/// List games, mechanisms and levels
#[utoipa::path(
    get, path = "/api/v1/games", tag = "games",
    responses((status = 200, description = "All of them.", body = GamesJson)),
)]
pub async fn list_games(State(app): SharedState) -> Json<GamesJson> {
    let preset = |preset: Preset| PresetJson { name: preset.to_string(), mechanism: preset.mechanism().into() };
    let game = |game: &richman_analysis::GameInfo| GameJson {
        name: game.name,
        parameters: game.parameters,
        description: game.description,
    };
    Json(GamesJson {
        games: app.games().list().iter().map(game).collect(),
        presets: [Preset::DevelinPayne, Preset::Larsson, Preset::Gasarch].map(preset).into(),
        levels: STRENGTHS.iter().map(|level| LevelJson { name: level.name, description: level.description }).collect(),
        most_chips: MOST_CHIPS,
        most_turns: MOST_TURNS,
    })
}
