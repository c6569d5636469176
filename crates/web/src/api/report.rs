//! Reports of the command line as answers: the same JSON from the same code, computed at the desk.

use std::time::Duration;

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::desk::{Deadline, Desk};
use crate::pages::{JSON, typed};
use crate::refused::Refusal;

/// A report: the JSON object that the command prints with `--json`. A share such as `win` is one
/// exact number or two bounds; `win_bounds` always has two exact numbers, and `win_decimals` the
/// nearest doubles.
#[derive(ToSchema)]
#[schema(value_type = Object)]
#[schema(as = Report)]
pub struct ReportSchema(#[expect(dead_code, reason = "only its schema is used")] serde_json::Value);

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
