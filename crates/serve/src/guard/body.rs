//! Bodies of requests: counted while they arrive, and with a time limit.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use futures_util::stream::{StreamExt, unfold};
use tokio::sync::oneshot;

use super::LARGE;

/// The time for the whole body: 3 MiB need half a megabit a second.
pub(super) const ARRIVAL: Duration = Duration::from_secs(45);

/// The KiB for which a body is counted; `None` for small ones, of which each request may have one.
/// A body without a stated length is counted as the largest.
pub(super) fn counted(request: &Request) -> Option<usize> {
    const SMALL: usize = 4 << 10;
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let length = match length {
        Some(length) => length,
        None if http_body::Body::is_end_stream(request.body()) => 0,
        None => LARGE,
    };
    (length > SMALL).then(|| length.min(LARGE) / 1024)
}

/// The request, and a signal for the arrival or abandonment of its body.
pub(super) fn watched(request: Request) -> (Request, oneshot::Receiver<()>) {
    let (arrived, arrival) = oneshot::channel::<()>();
    let (parts, body) = request.into_parts();
    if http_body::Body::is_end_stream(&body) {
        return (Request::from_parts(parts, body), arrival);
    }
    let chunks = unfold((body.into_data_stream(), arrived), async |(mut body, arrived)| {
        let chunk = body.next().await?;
        Some((chunk, (body, arrived)))
    });
    (Request::from_parts(parts, Body::from_stream(chunks)), arrival)
}
