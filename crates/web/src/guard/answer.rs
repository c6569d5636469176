//! Answers: large ones count while they are read, and are handed on in pieces.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Body as _, Frame, SizeHint};

use crate::client::Client;
use crate::fair::{FairPlace, FairPool};

/// Answers up to here are not counted: the buffers of the system hold them.
const SMALL: u64 = 32 << 10;
/// The bytes that leave at once.
const PIECE: usize = 16 << 10;

/// The answer, counted if it is large; `None` if the client has enough of them unread.
pub(super) fn counted(answer: Response, client: Client, pool: &FairPool) -> Option<Response> {
    let Some(bytes) = answer.body().size_hint().exact().filter(|bytes| *bytes > SMALL) else { return Some(answer) };
    let kibibytes = usize::try_from(bytes / 1024 + 1).unwrap_or(usize::MAX);
    let place = pool.take_up_to(client, kibibytes)?;
    Some(answer.map(|body| Body::new(CountedBody { body, left: Bytes::new(), place })))
}

/// The body of a large answer. It ends with an error when another client takes its place.
struct CountedBody {
    body: Body,
    /// What is left of the piece that came last.
    left: Bytes,
    place: FairPlace,
}

/// Another client needs the room of this answer.
#[derive(Debug, thiserror::Error)]
#[error("the answer was read too slowly")]
struct TooSlow;

impl http_body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.place.is_lost() {
            return Poll::Ready(Some(Err(axum::Error::new(TooSlow))));
        }
        if self.left.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => self.left = bytes,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return other,
            }
        }
        let size = self.left.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.left.split_to(size)))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.body.size_hint().exact() {
            Some(more) => SizeHint::with_exact(more + self.left.len() as u64),
            None => SizeHint::default(),
        }
    }
}
