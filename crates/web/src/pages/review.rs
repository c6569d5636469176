//! TODO

use std::sync::Arc;

use axum::Router;

use crate::App;

/// The addresses of these pages.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
}
