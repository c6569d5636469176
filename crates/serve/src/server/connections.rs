//! Connections: their shares, their timeouts, and their end.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::answering::AnsweredStream;
use crate::client::{Client, TrustedProxies};
use crate::guard::PeerAddress;
use crate::quotas::Shares;
use crate::turns::TurnQueue;

/// The most concurrent connections, if the system allows as many files.
const MOST: usize = 16 << 10;
/// Files other than connections: the database, its log, the listener.
const OTHER_FILES: usize = 64;
/// The time limit for the headers of a request, and for an idle connection.
const HEADERS: Duration = Duration::from_secs(15);
/// The most bytes of a request's address and headers.
const HEADER_BYTES: usize = 16 << 10;
const HEADER_COUNT: usize = 64;
/// The time for which a connection that ended with an error keeps its ticket, which slows a flood
/// of nonsense.
const AFTER_ERROR: Duration = Duration::from_secs(5);
/// The time limit for requests in progress when the server stops.
const LAST: Duration = Duration::from_secs(5);

/// The number of new connections answered together.
const TOGETHER: usize = 16;
/// The time before the next ones.
const PACE: Duration = Duration::from_millis(1);

/// The answer to a connection above the limit.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 5\r\n\r\n";

/// Raises the limit on open files as far as the system allows.
pub(super) fn raise_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let now = getrlimit(Resource::Nofile);
        let wanted = (MOST + OTHER_FILES) as u64;
        let most = now.maximum.map_or(wanted, |most| most.min(wanted));
        if now.current.is_some_and(|current| current < most) {
            // A refusal only means fewer connections.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: now.maximum });
        }
    }
}

/// The most connections for which the system has files.
pub(super) fn most() -> usize {
    #[cfg(unix)]
    {
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let files = files.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX));
        MOST.min(files.saturating_sub(OTHER_FILES)).max(1)
    }
    #[cfg(not(unix))]
    MOST
}

/// Answers connections.
pub(super) struct Connections {
    http: http1::Builder,
    router: Router,
    shares: Arc<Shares>,
    proxies: TrustedProxies,
    graceful: GracefulShutdown,
    entrance: TurnQueue<()>,
}

impl Connections {
    pub(super) fn new(router: Router, shares: Arc<Shares>, proxies: TrustedProxies) -> Connections {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(HEADER_BYTES).max_headers(HEADER_COUNT);
        let (graceful, entrance) = (GracefulShutdown::new(), TurnQueue::new([vec![(); TOGETHER]], MOST));
        Connections { http, router, shares, proxies, graceful, entrance }
    }

    /// Answers every connection until `stop` is done. Calls `stopping` before it waits for the last
    /// ones.
    pub(super) async fn serve(self, listener: &TcpListener, stop: impl Future<Output = ()>, stopping: impl FnOnce()) {
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, peer)) = accepted else {
                // For example, no file handle is left, which is temporary.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let _ = stream.set_nodelay(true); // answers are small, and clients wait for each
            if let Err(stream) = self.answer(stream, peer.ip()) {
                // The buffer has room for a line, or no client waits for it.
                let _ = stream.try_write(FULL);
            }
        }
        stopping();
        let _ = tokio::time::timeout(LAST, self.graceful.shutdown()).await;
    }

    /// Answers the requests of a connection from `peer` on its own task, or gives it back if there
    /// is no ticket for it.
    pub(super) fn answer<S>(&self, stream: S, peer: IpAddr) -> Result<(), S>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        // A proxy's connections serve all its clients.
        let client = if self.proxies.contain(peer) { Client::SERVER } else { Client::of(peer) };
        let Some(ticket) = self.shares.connections.take(client, 1) else { return Err(stream) };
        let is_new = AtomicBool::new(true);
        let (router, entrance) = (self.router.clone(), self.entrance.clone());
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(PeerAddress(peer));
            let entrance = is_new.swap(false, Ordering::Relaxed).then(|| entrance.clone());
            let router = router.clone();
            async move {
                if let Some(entrance) = entrance {
                    enter(client, entrance).await;
                }
                router.oneshot(request).await
            }
        });
        let connection = self.http.serve_connection(TokioIo::new(AnsweredStream::new(stream)), service);
        let connection = self.graceful.watch(connection);
        tokio::spawn(async move {
            // Errors of a connection concern only the client; another client may need the ticket
            // more.
            let failed = tokio::select! {
                ended = connection => ended.is_err(),
                () = ticket.lost() => false,
            };
            // A proxy's connections do not belong to the sender of nonsense.
            if failed && client != Client::SERVER {
                tokio::time::sleep(AFTER_ERROR).await;
            }
        });
        Ok(())
    }
}

/// Waits for the turn of a new connection, so that during a flood existing connections and other
/// clients are still served.
async fn enter(client: Client, entrance: TurnQueue<()>) {
    if let Some(slot) = entrance.slot(client, 0).await {
        slot.give_back_after(PACE);
    }
}
