//! Events: that something changed in a match, and never what.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::{Id, Secret};
use crate::events::{self, Ending};
use crate::hall::Sight;
use crate::pages::PageError;
use crate::refused::Refused;
use crate::setup::Sitter;
use crate::token::GameId;
use crate::{App, Shared};

/// Events of the match in which the token has a seat.
pub async fn of_seat(State(app): Shared, Secret(token): Secret) -> Result<Response, PageError> {
    let sight = app.hall.seat(&token).await?;
    stream(app, sight.id).await
}

/// Events of a match, for spectators.
pub async fn of_match(State(app): Shared, Id(id): Id) -> Result<Response, PageError> {
    stream(app, id).await
}

/// The last event says that there will be no more.
async fn stream(app: Arc<App>, id: GameId) -> Result<Response, PageError> {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let ending = Ending { name: "last", is_last, longest: YEAR };
    Ok(events::stream(app, id, ending).await?.into_response())
}

/// Whether nothing can follow: there is a return match, or the match is over and nobody can ask for one.
fn is_last(seen: Result<Sight, Refused>) -> bool {
    let Ok(sight) = seen else { return true };
    sight.next.is_some() || (sight.closed().is_some() && !sight.setup.seats.contains(&Sitter::Invited))
}
