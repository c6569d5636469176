//! The server: what it needs, its addresses put together, starting and stopping.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;

use crate::computer::Computers;
use crate::desk::Desk;
use crate::hall::{Hall, Limits};
use crate::store::{Store, StoreError};
use crate::{api, guard, pages};

/// Everything a handler needs.
pub struct App {
    /// The matches.
    pub hall: Hall,
    /// Where games are solved.
    pub desk: Desk,
}

impl App {
    /// What is needed to serve the matches in `store`.
    pub fn new(store: Store, limits: Limits) -> App {
        /// Games that are solved at once for those who explore and review, and how many wait.
        const PLACES: usize = 2;
        const QUEUE: usize = 32;
        /// Bytes that solving one of them may hold.
        const MEMORY: u64 = 512 << 20;
        App { hall: Hall::new(store, limits, Computers::default()), desk: Desk::new(PLACES, QUEUE, MEMORY) }
    }

    /// The same with nothing kept, for tests.
    ///
    /// # Errors
    /// [`StoreError`] from SQLite.
    pub fn in_memory() -> Result<App, StoreError> {
        Ok(App::new(Store::in_memory()?, Limits::default()))
    }
}

/// How to serve.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: std::net::SocketAddr,
    /// The file of the database; without one nothing is kept.
    pub store: Option<PathBuf>,
}

/// Every address, with the limits of every request.
pub fn routes(app: Arc<App>) -> Router {
    guard::guarded(pages::routes().merge(api::routes()).with_state(app))
}

/// Serves until it is stopped.
///
/// # Errors
/// The address or the database cannot be had.
pub fn serve(config: &Config) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let _ = config;
    todo!()
}
