//! A connection whose client must keep reading its answers.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// While an answer does not fit into the buffers of the system, the client must take [`LEAST`]
/// bytes of it every [`READING`], or the rest.
const READING: Duration = Duration::from_secs(20);
const LEAST: usize = 32 << 10;

/// The connection.
pub(super) struct AnsweredStream<S> {
    stream: S,
    /// The remaining time, while an answer waits for the client.
    waiting: Option<Pin<Box<Sleep>>>,
    /// The bytes that the client took in that time.
    taken: usize,
}

impl<S> AnsweredStream<S> {
    pub(super) fn new(stream: S) -> AnsweredStream<S> {
        AnsweredStream { stream, waiting: None, taken: 0 }
    }

    /// Counts the bytes written, or the time during which none can be.
    fn counted(&mut self, context: &mut Context, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(written) => {
                self.taken += written.as_ref().map_or(0, |bytes| *bytes);
                if self.taken >= LEAST {
                    self.waiting = None;
                }
                Poll::Ready(written)
            }
            Poll::Pending => {
                let taken = &mut self.taken;
                let waiting = self.waiting.get_or_insert_with(|| {
                    *taken = 0;
                    Box::pin(sleep(READING))
                });
                ready!(waiting.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for AnsweredStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, into: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for AnsweredStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.counted(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        parts: &[io::IoSlice],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.counted(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when the system has all bytes written so far: the time starts again.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.waiting = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
