//! The interface for programs: the same actions as JSON.

use std::sync::Arc;

use axum::Router;

use crate::App;

/// Its addresses, all below `/api/v1`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
}
