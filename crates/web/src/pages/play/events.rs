//! Events tell only that a match has changed.

use std::time::Duration;

use axum::response::IntoResponse;

use super::{PageAddress, PageVisitor};
use crate::events::{self, Ending};
use crate::hall::MatchView;
use crate::pages::PageError;
use crate::refused::Refusal;
use crate::setup::SeatChoice;

/// The last event says that no more will come.
pub async fn events<D: PageAddress>(visit: PageVisitor<D>) -> Result<impl IntoResponse, PageError> {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let sight = visit.look().await?;
    let whose = (sight.id.clone(), sight.viewer());
    Ok(events::stream(visit.app, whose, Ending { name: "last", is_last, longest: YEAR }).await?)
}

/// Whether nothing can follow: a return match has begun, or the match is over and nobody can ask
/// for one.
fn is_last(seen: Result<MatchView, Refusal>) -> bool {
    let Ok(sight) = seen else { return true };
    sight.next.is_some()
        || (sight.closed().is_some() && !sight.setup.seats.iter().any(|seat| *seat == SeatChoice::Invited))
}
