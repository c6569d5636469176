//! Answers: large ones count while they are read, and are sent in pieces.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Body as _, Frame, SizeHint};

use crate::client::Client;
use crate::fair::{FairPool, FairTicket};

/// Answers up to this size are not counted: the system buffers them.
const SMALL: u64 = 32 << 10;
/// The bytes that leave at once.
const PIECE: usize = 16 << 10;

/// The answer, counted if it is large; `None` if the client has enough of them unread.
pub(super) fn counted(answer: Response, client: Client, pool: &FairPool) -> Option<Response> {
    let Some(bytes) = answer.body().size_hint().exact().filter(|bytes| *bytes > SMALL) else { return Some(answer) };
    let kibibytes = usize::try_from(bytes / 1024 + 1).unwrap_or(usize::MAX);
    let ticket = pool.take_up_to(client, kibibytes)?;
    Some(answer.map(|body| Body::new(CountedBody { body, left: Bytes::new(), ticket })))
}

/// The body of a large answer. It ends with an error when another client takes its ticket.
struct CountedBody {
    body: Body,
    /// The rest of the last piece.
    left: Bytes,
    ticket: FairTicket,
}

/// Another client needs the room of this answer.
#[derive(Debug, thiserror::Error)]
#[error("the answer was read too slowly")]
struct TooSlow;

impl http_body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.ticket.is_lost() {
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

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    fn answer(bytes: usize) -> Response {
        Response::new(Body::from("x".repeat(bytes)))
    }

    #[tokio::test]
    async fn large_answers_count_until_they_are_read() {
        let pool = FairPool::new(100, 70);
        let [one, other] = [1, 2].map(|last| Client::of([10, 0, 0, last].into()));
        let small = counted(answer(32 << 10), one, &pool).unwrap();
        assert_eq!(pool.taken(), 0, "a small one does not count");
        let [first, second] = [(); 2].map(|()| counted(answer(33 << 10), one, &pool).unwrap());
        assert_eq!(first.body().size_hint().exact(), Some(33 << 10));
        assert!(counted(answer(33 << 10), one, &pool).is_none(), "more than the client's share");
        let third = counted(answer(40 << 10), other, &pool).expect("the room of who holds most");
        let lost = first.into_body().collect().await.unwrap_err();
        assert!(lost.to_string().contains("too slowly"), "{lost}");
        for (answer, bytes) in [(small, 32 << 10), (second, 33 << 10), (third, 40 << 10)] {
            assert_eq!(answer.into_body().collect().await.unwrap().to_bytes().len(), bytes);
        }
        assert_eq!(pool.taken(), 0, "what was read does not count");
        assert!(counted(answer(1 << 20), one, &pool).is_some(), "one answer may be larger than a share");
    }
}
