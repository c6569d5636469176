//! Events tell only that a match has changed. Clients then request what they may see of it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use tokio::time::{Instant, timeout_at};

use crate::App;
use crate::hall::{MatchView, Viewer};
use crate::refused::Refusal;
use crate::token::GameId;

/// A longer silence might be taken for a broken connection.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// How a stream of events ends.
#[derive(Clone, Copy)]
pub struct Ending {
    /// The name of the last event; the others are called `version`.
    pub name: &'static str,
    /// Whether the event with this spectator's view is the last one.
    pub is_last: fn(Result<MatchView, Refusal>) -> bool,
    /// The longest life of the stream; remaining clients then reconnect.
    pub longest: Duration,
}

/// The version of a match now, and after every change, for `viewer`.
///
/// # Errors
/// [`Refusal`] if there is no such match, or there are too many listeners.
pub async fn stream(
    app: Arc<App>,
    (id, viewer): (GameId, Viewer),
    ending: Ending,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Refusal> {
    let listener = app.hall.listen(&id, viewer).await?;
    let end = Instant::now() + ending.longest;
    let events = unfold((listener, None, false), move |(mut listener, told, is_over)| {
        let (app, id) = (Arc::clone(&app), id.clone());
        async move {
            if is_over {
                return None;
            }
            let version = timeout_at(end, listener.changed(told)).await.ok()??;
            let is_over = (ending.is_last)(app.hall.watch(&id).await);
            let name = if is_over { ending.name } else { "version" };
            let event = Event::default().event(name).data(version.to_string());
            Some((Ok(event), (listener, Some(version), is_over)))
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}
