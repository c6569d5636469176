//! The style, the script, the icon, and the files of the guide. They are named by their content, so
//! that browsers may cache them for ever.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

use super::{PageError, guide};
use crate::App;
use crate::refused::Refusal;

/// A file that pages load.
pub struct Asset {
    /// Its address.
    pub name: String,
    kind: &'static str,
    bytes: Bytes,
}

impl Asset {
    pub(super) fn new(stem: &str, ending: &str, kind: &'static str, bytes: Bytes) -> Asset {
        let hash = Sha256::digest(&bytes);
        let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Asset { name: format!("/assets/{stem}-{hash}.{ending}"), kind, bytes }
    }
}

/// The style.
pub static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    // Boards bring their own colours, which the pages adjust.
    let text = [
        richman_render::board::STYLE,
        richman_render::heat::STYLE,
        include_str!("../../assets/style.css"),
        include_str!("../../assets/match.css"),
        include_str!("../../assets/explore.css"),
        include_str!("../../assets/guide.css"),
        include_str!("../../assets/review.css"),
    ]
    .join("\n");
    Asset::new("style", "css", "text/css; charset=utf-8", text.into())
});
/// The script.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = [
        include_str!("../../assets/live.js"),
        include_str!("../../assets/effects.js"),
        include_str!("../../assets/match.js"),
        include_str!("../../assets/board.js"),
    ]
    .join("\n");
    Asset::new("richman", "js", "text/javascript; charset=utf-8", text.into())
});
/// The script of explore.
pub static EXPLORE_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("explore", "js", "text/javascript; charset=utf-8", include_str!("../../assets/explore.js").into())
});
/// The icon.
pub static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_str!("../../assets/icon.svg").into()));

/// The addresses of the assets.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/assets/{name}", get(asset))
}

async fn asset(Path(name): Path<String>) -> Response {
    let mut assets = [&*STYLE, &*SCRIPT, &*EXPLORE_SCRIPT, &*ICON].into_iter().chain(guide::files());
    let found = assets.find(|asset| asset.name.strip_prefix("/assets/") == Some(&name));
    match found {
        Some(asset) => {
            let headers = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            (headers, asset.bytes.clone()).into_response()
        }
        None => PageError(Refusal::NotFound("file")).into_response(),
    }
}
