//! The seat of a player, named by its secret in the header alone: what the player sees and does.

use axum::Json;
use axum::extract::State;
use richman_core::Player;
use richman_play::Action;
use serde::Deserialize;
use utoipa::ToSchema;

use super::error::{Answer, ErrorBody};
use super::input::{Asked, Bearer, Body};
use super::shown::MatchJson;
use super::wait::{self, Waiting};
use super::words::PlayerJson;
use crate::Shared;

/// Something that a player does.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Action)]
#[expect(dead_code, reason = "only its schema is used: the one of `richman_play::Action`")]
enum ActionSchema {
    /// Bids so many chips.
    Bid(u32),
    /// In a tie: uses the star, or keeps it.
    UseStar(bool),
    /// Makes that move.
    Move(String),
    /// After winning the bid: lets the other player move.
    Let,
    /// Having no move in a scoring game, ends it.
    Stay,
    /// Gives the game up.
    Resign,
}

/// An action of a player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The number of the player's action, which `steps` and `decision` of the match say. So nothing is done twice, however often it is sent.
    step: u32,
    /// What the player does.
    #[schema(value_type = ActionSchema)]
    action: Action,
    /// At one screen: which player; else it is known.
    player: Option<PlayerJson>,
}

/// See the match as the player, at once or after a change
#[utoipa::path(
    get, path = "/api/v1/seat", tag = "seat",
    params(Waiting),
    security(("token" = [])),
    responses(
        (status = 200, description = "The match.", body = MatchJson),
        (status = "4XX", description = "The secret is wrong.", body = ErrorBody),
    ),
)]
pub async fn see_seat(State(app): Shared, Bearer(token): Bearer, Asked(waiting): Asked<Waiting>) -> Answer<MatchJson> {
    wait::change(&app, waiting, || app.hall.seat(&token)).await
}

/// Act
///
/// When this is answered, the action is on the disk.
#[utoipa::path(
    post, path = "/api/v1/seat/actions", tag = "seat",
    request_body = Act,
    security(("token" = [])),
    responses(
        (status = 200, description = "The action is taken; the match after it.", body = MatchJson),
        (status = "4XX", description = "The action is not taken, and the match is as it was.", body = ErrorBody),
    ),
)]
pub async fn act(State(app): Shared, Bearer(token): Bearer, Body(act): Body<Act>) -> Answer<MatchJson> {
    let sight = app.hall.act(&token, act.player.map(Player::from), act.step, act.action).await?;
    Ok(Json(MatchJson::from(&sight)))
}

/// Ask for a return match with the sides exchanged
///
/// It begins when everybody wants it, at once against the computer. The secret is from then on for the new match.
#[utoipa::path(
    post, path = "/api/v1/seat/rematch", tag = "seat",
    security(("token" = [])),
    responses(
        (status = 200, description = "It is asked for. The new match if it has begun, else the old one.", body = MatchJson),
        (status = "4XX", description = "The match is not over.", body = ErrorBody),
    ),
)]
pub async fn ask_for_rematch(State(app): Shared, Bearer(token): Bearer) -> Answer<MatchJson> {
    Ok(Json(MatchJson::from(&app.hall.rematch(&token).await?)))
}
