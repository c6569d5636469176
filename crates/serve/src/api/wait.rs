//! Waiting for a change of a match: by a request that is answered then, or a stream of versions.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use richman_hall::MatchView;
use richman_hall::refused::Refusal;
use serde::Deserialize;
use tokio::time::timeout;
use utoipa::IntoParams;

use super::shown::shown;
use crate::App;
use crate::events::Ending;

/// The longest wait of a request, in seconds.
pub const LONGEST_WAIT: u64 = 25;

/// The change to wait for.
#[derive(Debug, Default, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WaitQuery {
    /// Answer when the version differs from this one.
    after: Option<u64>,
    /// Answer after this many seconds in any case; 25 if left out.
    #[param(maximum = 25)]
    wait: Option<u64>,
}

/// The match of `look` once the version has changed, or when the time is up.
///
/// # Errors
/// `bad-request` if `wait` exceeds [`LONGEST_WAIT`]; `busy` if too many listen; the refusals of
/// `look`.
pub async fn change<F: Future<Output = Result<MatchView, Refusal>>>(
    app: &Arc<App>,
    WaitQuery { after, wait }: WaitQuery,
    look: impl Fn() -> F,
) -> Result<Response, Refusal> {
    let wait = wait.unwrap_or(LONGEST_WAIT);
    if wait > LONGEST_WAIT {
        return Err(Refusal::BadRequest(format!("wait at most {LONGEST_WAIT} seconds, and ask again")));
    }
    let mut viewed = look().await?;
    if after == Some(viewed.version) && wait > 0 {
        let mut listener = app.hall.listen(&viewed.id, viewed.viewer()).await?;
        // In any case the current match is shown.
        let _ = timeout(Duration::from_secs(wait), listener.changed(after)).await;
        viewed = look().await?;
    }
    shown(app, viewed).await
}

/// A stream of versions ends with the match, or after an hour.
pub const STREAM: Ending = Ending {
    name: "over",
    is_last: |seen| seen.is_ok_and(|viewed| viewed.closed().is_some()),
    longest: Duration::from_secs(60 * 60),
};
