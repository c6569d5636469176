//! The seat of a player, named only by its secret in the header: viewing the match, and acting.

use axum::extract::State;
use axum::response::Response;
use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::{ActionSchema, MatchJson};
use richman_pages::extract::QueryString;
use richman_play::Action;
use richman_requests::PlayerJson;
use serde::Deserialize;
use utoipa::ToSchema;

use super::error::ErrorBody;
use super::input::{BearerSecret, JsonBody};
use super::shown::shown;
use super::wait::{self, WaitQuery};
use crate::SharedState;

/// A numbered action of a player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Act)]
pub struct PlayerAction {
    /// The number of the player's action, from `steps` or `decision` of the match. An action that
    /// is sent twice is taken once.
    step: u32,
    /// The action.
    #[schema(value_type = ActionSchema)]
    action: Action,
    /// The player who acts; needed only at one screen, since otherwise the secret tells.
    player: Option<PlayerJson>,
}

/// See the match as the player, at once or after a change
#[utoipa::path(
    get, path = "/api/v1/seat", tag = "seat",
    params(WaitQuery),
    security(("token" = [])),
    responses(
        (status = 200, description = "The match.", body = MatchJson),
        (status = "4XX", description = "The secret is wrong.", body = ErrorBody),
    ),
)]
pub async fn see_seat(
    State(app): SharedState,
    BearerSecret(token): BearerSecret,
    QueryString(waiting): QueryString<WaitQuery>,
) -> Result<Response, Refusal> {
    wait::change(&app, waiting, || app.hall.seat(&token)).await
}

/// Act
///
/// A taken action is on the disk before the answer is sent.
#[utoipa::path(
    post, path = "/api/v1/seat/actions", tag = "seat",
    request_body = PlayerAction,
    security(("token" = [])),
    responses(
        (status = 200, description = "The action is taken; the match after it.", body = MatchJson),
        (status = "4XX", description = "The action is not taken, and the match is as it was.", body = ErrorBody),
    ),
)]
pub async fn act(
    State(app): SharedState,
    BearerSecret(token): BearerSecret,
    JsonBody(act): JsonBody<PlayerAction>,
) -> Result<Response, Refusal> {
    let viewed = app.hall.act(&token, act.player.map(Player::from), act.step, act.action).await?;
    shown(&app, viewed).await
}

/// Ask for a return match with the sides exchanged
///
/// It begins when everybody has asked for it; against the computer, at once. From then on the
/// secret belongs to the new match.
#[utoipa::path(
    post, path = "/api/v1/seat/rematch", tag = "seat",
    security(("token" = [])),
    responses(
        (status = 200, description = "It is asked for. The new match if it has begun, else the old one.",
            body = MatchJson),
        (status = "4XX", description = "The match is not over.", body = ErrorBody),
    ),
)]
pub async fn ask_for_rematch(State(app): SharedState, BearerSecret(token): BearerSecret) -> Result<Response, Refusal> {
    let viewed = app.hall.rematch(&token).await?;
    shown(&app, viewed).await
}
