//! One stream for the matches that all tabs of a browser show. Events tell only that a match has
//! changed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::stream::{StreamExt, iter, select_all};
use richman_hall::MatchView;
use richman_hall::refused::Refusal;
use richman_hall::setup::SeatChoice;
use richman_hall::token::{GameId, Token};

use crate::events::{self, Ending};
use crate::{App, SharedState};

/// The most matches of a stream. The script names no more, those in visible tabs first.
const MATCHES: usize = 32;

const ENDING: Ending = Ending { name: "last", is_last, longest: Duration::from_secs(365 * 24 * 60 * 60) };

/// A match to listen to: its name, or its name, a dot and a listening key.
struct Wanted {
    id: GameId,
    key: Option<Token>,
}

impl Wanted {
    fn read(text: &str) -> Option<Wanted> {
        let (id, key) = text.split_once('.').map_or((text, None), |(id, key)| (id, Some(key)));
        Some(Wanted { id: GameId::read(id)?, key: key.and_then(Token::read) })
    }
}

/// The route of the stream.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/events", get(events))
}

/// The events `version` and `last`, with the name of a match and its version; `gone` for a missing
/// match, `unheard` for one with too many listeners, and `alive` during silence.
async fn events(
    State(app): SharedState,
    Query(fields): Query<Vec<(String, String)>>,
) -> Result<impl IntoResponse, Refusal> {
    let wanted: Option<Vec<Wanted>> =
        fields.iter().filter(|(name, _)| name == "m").map(|(_, text)| Wanted::read(text)).collect();
    let wanted = wanted.filter(|wanted| (1..=MATCHES).contains(&wanted.len()));
    let wanted = wanted.ok_or_else(|| Refusal::BadRequest(format!("name 1 to {MATCHES} matches as m=NAME")))?;
    let (mut unheard, mut streams) = (Vec::new(), Vec::new());
    for Wanted { id, key } in wanted {
        match app.hall.listen_by_key(&id, key.as_ref()).await {
            Ok(listener) => {
                let versions = events::versions(app.clone(), id.clone(), listener, ENDING);
                let event = move |(name, version)| Event::default().event(name).data(format!("{id} {version}"));
                streams.push(versions.map(event).boxed());
            }
            Err(Refusal::NotFound(_)) => unheard.push(Event::default().event("gone").data(id.as_str())),
            Err(Refusal::Busy(_)) => unheard.push(Event::default().event("unheard").data(id.as_str())),
            Err(refused) => return Err(refused),
        }
    }
    let alive = KeepAlive::new().interval(events::KEEP_ALIVE).event(Event::default().event("alive").data(""));
    Ok(Sse::new(iter(unheard).chain(select_all(streams)).map(Ok::<Event, Infallible>)).keep_alive(alive))
}

/// Whether no event can follow: a return match has begun, or the match is over and no player can
/// ask for one.
fn is_last(seen: Result<MatchView, Refusal>) -> bool {
    let Ok(viewed) = seen else { return true };
    viewed.next.is_some()
        || (viewed.closed().is_some() && !viewed.setup.seats.iter().any(|seat| *seat == SeatChoice::Invited))
}
