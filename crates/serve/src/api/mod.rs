//! The interface for programs, in JSON.
//!
//! ```text
//! input       the parts of a request, checked
//! matches     setting up and watching
//! seat        a player's match and actions; the secret is in the header, never in an address
//! invitation  taking the other seat
//! records     records and reviews
//! solve       questions about positions
//! report      the reports of the command line, and their schemas
//! wait        waiting for changes
//! shown       matches as answers
//! error       errors as JSON
//! document    the OpenAPI document, made from the same declarations as the addresses
//! ```

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get};
use richman_hall::setup::LARGEST_FILE;
use richman_pages::base::BasePath;
use richman_pages::{JSON, typed};
use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;

mod document;
mod error;
mod games;
mod input;
mod invitation;
mod matches;
mod records;
mod report;
mod seat;
mod shown;
mod solve;
mod wait;

pub(crate) use error::refused;

/// The most bytes of a body with a game file or a record, and the JSON around it. The guard limits
/// all others.
const LARGE: usize = LARGEST_FILE + (16 << 10);

/// The answers that always have every key, with null for absent values.
const WHOLE: [&str; 6] = ["Match", "Turn", "OpenTurn", "MatchResult", "CreatedMatch", "Tokens"];

fn documented() -> OpenApiRouter<Arc<App>> {
    let large = OpenApiRouter::new()
        .routes(routes!(matches::create_match))
        .routes(routes!(records::keep_record))
        .routes(routes!(solve::solve))
        .routes(routes!(solve::tabulate))
        .layer(DefaultBodyLimit::max(LARGE));
    OpenApiRouter::with_openapi(document::Document::openapi())
        .routes(routes!(games::list_games))
        .merge(large)
        .routes(routes!(matches::watch_match))
        .routes(routes!(matches::match_events))
        .routes(routes!(matches::match_record))
        .routes(routes!(matches::match_file))
        .routes(routes!(records::review_match))
        .routes(routes!(invitation::see_invitation, invitation::take_invitation))
        .routes(routes!(seat::see_seat))
        .routes(routes!(seat::act))
        .routes(routes!(seat::ask_for_rematch))
        .routes(routes!(records::read_record))
        .routes(routes!(records::review_record))
}

/// The documented addresses below `/api/v1`, the document, and the page that introduces it.
pub fn routes(base: &BasePath) -> Router<Arc<App>> {
    let (router, mut document) = documented().split_for_parts();
    let schemas = &mut document.components.get_or_insert_default().schemas;
    for name in WHOLE {
        if let Some(RefOr::T(Schema::Object(answer))) = schemas.get_mut(name) {
            answer.required = answer.properties.keys().cloned().collect();
        }
    }
    let mut document = serde_json::to_value(&document).unwrap_or_default();
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        for (name, schema) in report::schemas() {
            schemas.entry(name).or_insert(schema); // a name in both has the same meaning
        }
    }
    if !base.as_str().is_empty() {
        document["servers"] = serde_json::json!([{ "url": base.as_str() }]);
    }
    let text = Bytes::from(document.to_string());
    router
        .route("/api", get(document::introduction))
        .route("/api/openapi.json", get(async move || typed(JSON, text)))
        .method_not_allowed_fallback(error::wrong_method)
        .route("/api/", any(error::unknown))
        .route("/api/{*rest}", any(error::unknown))
}
