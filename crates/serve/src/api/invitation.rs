//! Invitations, named by their secret in the header alone.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use richman_hall::MatchJson;
use richman_hall::refused::Refusal;
use richman_requests::PlayerJson;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ErrorBody;
use super::input::BearerSecret;
use super::shown::shown_once;
use crate::SharedState;

/// The match and the seat of an invitation.
#[derive(Serialize, ToSchema)]
pub struct Invited {
    /// Whose seat is free.
    player: PlayerJson,
    /// The match as a spectator sees it.
    r#match: MatchJson,
}

/// The seat that was just taken.
#[derive(Serialize, ToSchema)]
#[schema(as = Taken)]
pub struct TakenSeat {
    /// The secret of the seat. It is sent only here.
    token: String,
    /// Whose seat it is.
    player: PlayerJson,
    /// The match as that player sees it.
    r#match: MatchJson,
}

/// See the match and the seat of an invitation
#[utoipa::path(
    get, path = "/api/v1/invitation", tag = "invitation",
    security(("token" = [])),
    responses(
        (status = 200, description = "The match and the free seat.", body = Invited),
        (status = "4XX", description = "There is no such invitation, or somebody took it.", body = ErrorBody),
    ),
)]
pub async fn see_invitation(
    State(app): SharedState,
    BearerSecret(invitation): BearerSecret,
) -> Result<Response, Refusal> {
    let (viewed, player) = app.hall.invited(&invitation).await?;
    let invited = move |shown| Invited { player: player.into(), r#match: shown };
    shown_once(&app, StatusCode::OK, viewed, invited).await
}

/// Take the seat of an invitation, which is then void
#[utoipa::path(
    post, path = "/api/v1/invitation", tag = "invitation",
    security(("token" = [])),
    responses(
        (status = 201, description = "The seat is yours.", body = TakenSeat),
        (status = "4XX", description = "There is no such invitation, or somebody took it.", body = ErrorBody),
    ),
)]
pub async fn take_invitation(
    State(app): SharedState,
    BearerSecret(invitation): BearerSecret,
) -> Result<Response, Refusal> {
    let (_, player) = app.hall.invited(&invitation).await?;
    let token = app.hall.accept(&invitation).await?;
    let viewed = app.hall.seat(&token).await?;
    let taken = move |shown| TakenSeat { token: token.reveal().to_string(), player: player.into(), r#match: shown };
    shown_once(&app, StatusCode::CREATED, viewed, taken).await
}
