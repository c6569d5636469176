//! Connections: how many, how slow, and how they end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Most connections at once, where the system allows as many files.
const MOST: usize = 16 << 10;
/// Files that are no connections: the database, its log, the listener.
const OTHER_FILES: usize = 64;
/// How long a client may take for the headers of a request, and leave a connection unused.
const HEADERS: Duration = Duration::from_secs(15);
/// Most bytes of the headers of a request, its address included.
const HEADER_BYTES: usize = 128 << 10;
/// Most headers of a request.
const HEADER_COUNT: usize = 64;
/// How long requests that were begun may take when the server stops.
const LAST: Duration = Duration::from_secs(5);

/// What is said to one connection too many.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 5\r\n\r\n";

/// Asks the system for as many open files as it gives.
pub(super) fn raise_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let now = getrlimit(Resource::Nofile);
        let wanted = (MOST + OTHER_FILES) as u64;
        let most = now.maximum.map_or(wanted, |most| most.min(wanted));
        if now.current.is_some_and(|current| current < most) {
            // What is refused leaves fewer connections, and nothing else.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: now.maximum });
        }
    }
}

/// How many connections there can be.
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

/// Answers every connection until `stop` is done; `stopping` is called before the last ones are waited for.
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
            // Such as no file handles left: it passes.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => answer(&http, stream, router.clone(), &graceful, place),
            // It has room for a line, or else nobody waits for one.
            Err(_) => drop(stream.try_write(FULL)),
        }
    }
    stopping();
    let _ = tokio::time::timeout(LAST, graceful.shutdown()).await;
}

/// Answers the requests of a connection on a task of its own.
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
        // Whatever is wrong with a connection is the client's to know.
        let _ = connection.await;
    });
}
