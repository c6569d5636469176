//! Reports of the command line as answers: the same JSON from the same code, computed at the desk,
//! and described by the same schemas.

use std::time::Duration;

use axum::response::Response;
use richman_analysis::{AnyTable, Report};
use richman_hall::refused::Refusal;
use richman_pages::desk::Deadline;
use richman_pages::{JSON, typed};
use richman_play::review::Review;
use richman_play::schema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::desk::Desk;

/// The schemas of the reports and of their parts, by name.
pub fn schemas() -> Map<String, Value> {
    let mut generator = schema::generator("/components/schemas");
    generator.subschema_for::<Report>();
    generator.subschema_for::<AnyTable>();
    generator.subschema_for::<Review>();
    generator.take_definitions(true)
}

/// The report of `work` as an answer. The desk also writes the JSON, because it may be long.
pub async fn report<T: Serialize>(
    desk: &Desk,
    time: Duration,
    work: impl Fn(&Deadline) -> Result<T, Refusal> + Send + Sync + 'static,
) -> Result<Response, Refusal> {
    let json =
        desk.run(time, move |deadline| serde_json::to_string(&work(deadline)?).map_err(Refusal::internal)).await?;
    Ok(typed(JSON, json))
}
