//! A match in a line, for the list of a browser's matches.

use axum::response::{IntoResponse, Response};
use richman_hall::MatchView;
use richman_hall::refused::Refusal;
use serde::Serialize;

use super::about;
use super::fragment::ShownMatch;
use super::seat::UNSTORED;
use super::visitor::{MatchVisitor, VisitedMatch};
use crate::JSON;
use crate::Pages;
use crate::finished::FinishedPage;

/// What the visitor has to do in a match.
#[derive(Serialize)]
struct MatchGlance {
    id: String,
    role: &'static str,
    page: String,
    game: String,
    /// The next step, in a line.
    state: String,
    version: u64,
    /// The name under which to listen for changes, if any can come.
    listen: Option<String>,
}

/// How the match stands for the visitor; of its return match, if that has begun.
pub async fn glance(visit: MatchVisitor) -> Result<Response, Refusal> {
    let VisitedMatch { viewed, link, moved } = visit.look().await?;
    let (origin, form) = (visit.origin, format!("glance {link:?}"));
    let write = move |_: &Pages, viewed: &MatchView| {
        let shown = ShownMatch::new(viewed, &link, &origin);
        let glance = MatchGlance {
            id: viewed.id.to_string(),
            role: link.role,
            page: origin.base.outside(&link.page()),
            game: about::titled(viewed),
            state: shown.headline(),
            version: viewed.version,
            listen: shown.is_live().then(|| shown.listens_to()),
        };
        Ok(FinishedPage::secret(JSON, serde_json::to_string(&glance).map_err(Refusal::internal)?))
    };
    Ok((moved, UNSTORED, &*visit.app.written(viewed, form, write).await?).into_response())
}
