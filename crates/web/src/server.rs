//! The server: what it needs, its addresses put together, starting and stopping.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;

use crate::desk::Desk;
use crate::hall::Hall;
use crate::{api, guard, pages};

/// Everything a handler needs.
pub struct App {
    /// The matches.
    pub hall: Hall,
    /// Where games are solved.
    pub desk: Desk,
}

/// How to serve.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: std::net::SocketAddr,
    /// The file of the database.
    pub store: PathBuf,
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
