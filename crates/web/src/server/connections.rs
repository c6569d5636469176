//! Connections: their number, their timeouts, and their end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most concurrent connections, if the system allows as many files.
const MOST: usize = 16 << 10;
/// Files besides connections: the database, its log, the listener.
const OTHER_FILES: usize = 64;
/// The time limit for the headers of a request, and for an idle connection.
const HEADERS: Duration = Duration::from_secs(15);
/// The most bytes of a request's address and headers.
const HEADER_BYTES: usize = 128 << 10;
const HEADER_COUNT: usize = 64;
/// The time limit for requests in progress when the server stops.
const LAST: Duration = Duration::from_secs(5);

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

fn most() -> usize {
    #[cfg(unix)]
    {
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let files = files.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX));
        MOST.min(files.saturating_sub(OTHER_FILES)).max(1)
    }
    #[cfg(not(unix))]
    MOST
}

/// Answers every connection until `stop` is done. Calls `stopping` before it waits for the last
/// ones.
pub(super) async fn serve(
    listener: &TcpListener,
    router: Router,
    stop: impl Future<Output = ()>,
    stopping: impl FnOnce(),
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(HEADER_BYTES).max_headers(HEADER_COUNT);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(most()));
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            // For example, no file handle is left; this passes.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => answer(&http, stream, router.clone(), &graceful, place),
            // The buffer has room for a line, or nobody is waiting for one.
            Err(_) => drop(stream.try_write(FULL)),
        }
    }
    stopping();
    let _ = tokio::time::timeout(LAST, graceful.shutdown()).await;
}

/// Answers the requests of a connection on its own task.
fn answer(
    http: &http1::Builder,
    stream: TcpStream,
    router: Router,
    graceful: &GracefulShutdown,
    place: OwnedSemaphorePermit,
) {
    let _ = stream.set_nodelay(true); // answers are small, and somebody waits for each
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let _place = place;
        // Errors of a connection concern only the client.
        let _ = connection.await;
    });
}
