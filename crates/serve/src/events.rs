//! Events tell only that a match has changed. Clients then request their view of it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::StreamExt;
use futures_util::stream::{Stream, unfold};
use richman_hall::MatchView;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use tokio::time::{Instant, timeout_at};

use crate::App;

use crate::hall::Listener;

/// A longer silence might be taken for a broken connection.
pub const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The end of a stream of events.
#[derive(Clone, Copy)]
pub struct Ending {
    /// The name of the last event; the others are called `version`.
    pub name: &'static str,
    /// Whether the event with this spectator's view is the last one.
    pub is_last: fn(Result<MatchView, Refusal>) -> bool,
    /// The longest life of the stream; remaining clients then reconnect.
    pub longest: Duration,
}

/// The name of an event, and the version of the match: now, and after every change.
pub fn versions(
    app: Arc<App>,
    id: GameId,
    listener: Listener,
    ending: Ending,
) -> impl Stream<Item = (&'static str, u64)> {
    let end = Instant::now() + ending.longest;
    unfold((listener, None, false), move |(mut listener, told, is_over)| {
        let (app, id) = (Arc::clone(&app), id.clone());
        async move {
            if is_over {
                return None;
            }
            let version = timeout_at(end, listener.changed(told)).await.ok()??;
            let is_over = (ending.is_last)(app.hall.watch(&id).await);
            let name = if is_over { ending.name } else { "version" };
            Some(((name, version), (listener, Some(version), is_over)))
        }
    })
}

/// The events with the versions of one match.
pub fn stream(
    app: Arc<App>,
    id: GameId,
    listener: Listener,
    ending: Ending,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = versions(app, id, listener, ending)
        .map(|(name, version)| Ok(Event::default().event(name).data(version.to_string())));
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}
