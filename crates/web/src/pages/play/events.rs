//! Events: that something changed in a match, and never what.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use crate::App;
use crate::hall::Listener;
use crate::pages::PageError;
use crate::refused::Refused;
use crate::setup::Sitter;
use crate::token::{GameId, Token};

/// Silence longer than this might be taken for a broken line.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Events of the match in which the token has a seat.
pub async fn of_seat(State(app): State<Arc<App>>, Path(token): Path<String>) -> Result<Response, PageError> {
    let token = Token::read(&token).ok_or(Refused::NotFound("match"))?;
    let sight = app.hall.seat(&token).await?;
    stream(app, sight.id).await
}

/// Events of a match, for spectators.
pub async fn of_match(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, PageError> {
    let id = GameId::read(&id).ok_or(Refused::NotFound("match"))?;
    stream(app, id).await
}

/// The version as it is, and again whenever it grows; the last event says that there will be no more.
async fn stream(app: Arc<App>, id: GameId) -> Result<Response, PageError> {
    let listener = app.hall.listen(&id).await?;
    let versions = WatchStream::new(listener.version.clone());
    let events = versions.then(move |version| {
        let (app, id) = (Arc::clone(&app), id.clone());
        async move { event(&app, &id, version).await }
    });
    let sent = UntilLast { events: Box::pin(events), ended: false, _listener: listener };
    Ok(Sse::new(sent).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// Events to the last, which is marked, and not beyond.
struct UntilLast<S> {
    events: Pin<Box<S>>,
    ended: bool,
    /// It is counted as long as events are sent.
    _listener: Listener,
}

impl<S: Stream<Item = (Event, bool)>> Stream for UntilLast<S> {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        self.events.as_mut().poll_next(context).map(|next| {
            next.map(|(event, is_last)| {
                self.ended = is_last;
                Ok(event)
            })
        })
    }
}

async fn event(app: &App, id: &GameId, version: u64) -> (Event, bool) {
    let is_last = match app.hall.watch(id).await {
        Ok(sight) => {
            sight.next.is_some() || (sight.closed().is_some() && !sight.setup.seats.contains(&Sitter::Invited))
        }
        Err(_) => true,
    };
    let name = if is_last { "last" } else { "version" };
    (Event::default().event(name).data(version.to_string()), is_last)
}
