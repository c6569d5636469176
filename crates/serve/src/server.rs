//! The server: shared state, routes, starting and stopping.

mod answering;
mod connections;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Uri;
use axum::http::uri::Authority;
use richman_analysis::Games;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket};

use richman_pages::base::BasePath;

use crate::client::{TrustedProxies, TrustedProxy};
use crate::computer::Computers;
use crate::desk::Desk;
use crate::guard::{Guard, HostNames};
use crate::hall::{Hall, HallLimits};
use crate::metrics::Metrics;
use crate::pages::{CachedAnswers, finished_pages};
use crate::preview::{self, Previews};
use crate::store::{Store, StoreError};
use crate::{api, guard, match_events, metrics};
use connections::Connections;

/// The extractor that gives handlers the [`App`].
pub type SharedState = axum::extract::State<Arc<App>>;

/// Everything that handlers need.
pub struct App {
    /// The matches.
    pub hall: Hall,
    /// The threads that solve games.
    pub desk: Desk,
    /// The pages, with their caches.
    pub pages: Arc<richman_pages::Pages>,
    pub(crate) metrics: Metrics,
    pub(crate) previews: Previews,
}

richman_core::debug_by_name!(App {});

impl App {
    /// The state to serve these games and the matches in `store`, with `memory` bytes for solving
    /// and for knowledge of games. `public` is the origin under which others reach the server.
    pub fn new(games: Games, store: Store, limits: HallLimits, memory: u64, public: Option<String>) -> App {
        let computers = Computers::new(games.clone(), memory);
        let desk = computers.desk.clone();
        let hall = Hall::new(store, limits, computers);
        let answers = Arc::new(CachedAnswers::default());
        let pages = richman_pages::Pages::new(games, Arc::new(hall.clone()), Arc::new(desk.clone()), answers, public);
        App { hall, desk, pages: Arc::new(pages), metrics: Metrics::default(), previews: finished_pages() }
    }

    /// The games that it serves.
    pub fn games(&self) -> &Games {
        self.hall.games()
    }

    /// This project's games without a file, for tests.
    ///
    /// # Errors
    /// [`StoreError`] if SQLite fails.
    pub fn in_memory() -> Result<App, StoreError> {
        Ok(App::new(Games::default(), Store::in_memory()?, HallLimits::default(), MEMORY, None))
    }
}

/// The origin under which others reach a server: scheme and host, such as `https://play.example`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicOrigin {
    text: String,
    authority: Authority,
}

impl PublicOrigin {
    /// The host, without the port or the brackets of an IPv6 address.
    fn host(&self) -> &str {
        self.authority.host().trim_matches(['[', ']'])
    }
}

impl FromStr for PublicOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicOrigin, String> {
        const WANTED: &str = "write the address under which others reach the server, such as https://play.example";
        let wrong = || format!("{text}: {WANTED}");
        let uri: Uri = text.trim_end_matches('/').parse().map_err(|_| wrong())?;
        match (uri.scheme_str(), uri.authority()) {
            (Some(scheme @ ("http" | "https")), Some(authority))
                if uri.path() == "/" && uri.query().is_none() && !authority.as_str().contains('@') =>
            {
                Ok(PublicOrigin { text: format!("{scheme}://{authority}"), authority: authority.clone() })
            }
            _ => Err(wrong()),
        }
    }
}

/// The default memory of a server, in bytes.
pub const MEMORY: u64 = 4 << 30;

/// The configuration of the server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The games to serve.
    pub games: Games,
    /// The address and port to listen on; port 0 is any free one.
    pub listen: SocketAddr,
    /// The file of the database; without one nothing is kept.
    pub store: Option<PathBuf>,
    /// The host names of the server, in addition to the machine's names for itself.
    pub hosts: Vec<String>,
    /// The origin under which others reach it, for previews of links.
    pub public: Option<PublicOrigin>,
    /// The path above all addresses, such as `/games`, where a proxy has other sites too.
    pub base: BasePath,
    /// The days without an action after which a match is deleted.
    pub keep: Option<u32>,
    /// The most bytes for solving games and for knowledge of them.
    pub memory: u64,
    /// The proxies whose header `X-Forwarded-For` names the client.
    pub proxies: Vec<TrustedProxy>,
    /// The address for the figures of Prometheus.
    pub metrics: Option<SocketAddr>,
    /// Whether pages of other sites may send requests that store nothing, without credentials. A
    /// server that listens beyond this machine allows it anyway.
    pub other_sites: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            games: Games::default(),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            store: None,
            hosts: Vec::new(),
            public: None,
            base: BasePath::default(),
            keep: None,
            memory: MEMORY,
            proxies: Vec::new(),
            metrics: None,
            other_sites: false,
        }
    }
}

/// The reason why the server cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address cannot be used; with the system's error.
    #[error("cannot listen at {0}: {1}; choose another address or port with --listen")]
    Listen(SocketAddr, std::io::Error),
    /// The system provides no threads.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
}

/// All routes, with the limits of every request.
pub fn routes(app: Arc<App>) -> Router {
    guarded_routes(app, Guard::default())
}

/// The same routes below a path.
pub fn routes_below(app: Arc<App>, base: BasePath) -> Router {
    let mut guard = Guard::default();
    guard.base = base;
    guarded_routes(app, guard)
}

fn guarded_routes(app: Arc<App>, guard: Guard) -> Router {
    let own = api::routes(&guard.base).merge(metrics::health()).merge(match_events::routes()).merge(preview::routes());
    let pages = richman_pages::routes().with_state(Arc::clone(&app.pages));
    guard::guarded(own.with_state(Arc::clone(&app)).merge(pages), guard, app)
}

/// A server with its address and its database.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    metrics: Option<TcpListener>,
    connections: Connections,
    keep: Option<u32>,
}

richman_core::debug_by_name!(Server {});

impl Server {
    /// Takes the address and opens the database.
    ///
    /// # Errors
    /// `ServeError::Listen` if the address cannot be used; `ServeError::Store` if the database
    /// cannot be opened.
    pub async fn bind(config: &Config) -> Result<Server, ServeError> {
        let listener = listening(config.listen)?;
        let metrics = match config.metrics {
            Some(address) => Some(listening(address)?),
            None => None,
        };
        let store = match &config.store {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        };
        let mut limits = HallLimits::default();
        limits.quotas.connections.all = limits.quotas.connections.all.min(connections::most());
        let public = config.public.as_ref().map(|public| public.text.clone() + config.base.as_str());
        let app = Arc::new(App::new(config.games.clone(), store, limits, config.memory, public));
        let mut hosts = config.hosts.clone();
        hosts.extend(config.public.iter().map(|public| public.host().to_string()));
        let (proxies, shares) = (TrustedProxies(config.proxies.clone()), Arc::clone(app.hall.shares()));
        let other_sites = config.other_sites || !config.listen.ip().is_loopback();
        let names = HostNames::new(config.listen.ip(), &hosts);
        let mut guard = Guard::new(names, proxies.clone(), Arc::clone(&shares));
        guard.other_sites = other_sites;
        guard.base = config.base.clone();
        let connections = Connections::new(guarded_routes(Arc::clone(&app), guard), shares, proxies);
        Ok(Server { app, listener, metrics, connections, keep: config.keep })
    }

    /// The address that it listens on.
    ///
    /// # Errors
    /// [`ServeError::Start`] if the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        self.listener.local_addr().map_err(ServeError::Start)
    }

    /// Answers a connection from `peer` that did not arrive at the address, on its own task, so
    /// that tests can send bytes to the whole server without a network. It is dropped if the peer
    /// has too many.
    #[doc(hidden)]
    pub fn answer(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, peer: IpAddr) {
        let _ = self.connections.answer(stream, peer);
    }

    /// Serves until `stop` is done, then completes the requests in progress, except event streams.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Server { app, listener, metrics, connections, keep } = self;
        tokio::spawn(prepare(app.hall.clone()));
        let figures = metrics.map(|listener| tokio::spawn(metrics::serve(listener, Arc::clone(&app))));
        let cleaning = tokio::spawn(forget(app.hall.clone(), keep));
        connections.serve(&listener, stop, || app.hall.close()).await;
        for task in [Some(cleaning), figures].into_iter().flatten() {
            task.abort();
            let _ = task.await; // it holds the hall until it has ended
        }
        let hall = app.hall.clone();
        drop(app);
        hall.closed().await;
    }
}

/// Finds the computer's knowledge for first games in advance, so that no player waits for it.
pub(crate) async fn prepare(hall: Hall) {
    // If it fails now, it is tried again in the first game.
    if let Ok(setup) = richman_pages::play::first_setup() {
        let _ = hall.prepare_first(setup).await;
    }
}

fn listening(address: SocketAddr) -> Result<TcpListener, ServeError> {
    /// Bytes of answers that the system buffers for a connection.
    const UNREAD: u32 = 32 << 10;
    let open = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        #[cfg(unix)]
        socket.set_reuseaddr(true)?; // a server that starts again need not wait for old connections
        socket.set_send_buffer_size(UNREAD)?;
        socket.bind(address)?;
        socket.listen(1024)
    };
    open().map_err(|reason| ServeError::Listen(address, reason))
}

/// Forgets old clients and, if configured, old matches, now and every hour.
async fn forget(hall: Hall, days: Option<u32>) {
    let mut hours = tokio::time::interval(Duration::from_secs(60 * 60));
    loop {
        hours.tick().await;
        hall.shares().forget();
        let Some(days) = days else { continue };
        if let Err(error) = hall.forget(days).await {
            tracing::error!(cause = %error, "old matches could not be forgotten");
        }
    }
}

/// Serves until Ctrl-C or a termination signal; `ready` receives the address once the server
/// listens.
///
/// # Errors
/// [`ServeError`] if the address or the database cannot be used, or the system provides no threads.
pub fn serve(config: &Config, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    connections::raise_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Start)?;
    let served = runtime.block_on(async {
        let server = Server::bind(config).await?;
        let stop = asked_to_stop().map_err(ServeError::Start)?;
        ready(server.address()?);
        server.run(stop).await;
        Ok(())
    });
    // Does not wait for games that are still being solved.
    runtime.shutdown_background();
    served
}

/// Completes when the process is asked to end.
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (mut interrupted, mut terminated) = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

#[cfg(test)]
mod tests {
    use super::PublicOrigin;

    #[test]
    fn a_public_origin_has_a_host() {
        for (text, host) in [
            ("https://play.example", "play.example"),
            ("http://192.0.2.1:8080/", "192.0.2.1"),
            ("https://[::1]", "::1"),
            ("https://[::1]:80", "::1"),
        ] {
            assert_eq!(text.parse::<PublicOrigin>().unwrap().host(), host, "{text}");
        }
    }
}
