//! The style, the scripts, the fonts, the icons, and the files of the guide. They are named by
//! their content, so that browsers may cache them forever.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use richman_hall::refused::Refusal;
use sha2::{Digest, Sha256};

use super::{JSON, PLAIN, SVG, guide, typed};
use crate::packed::PackedBody;
use crate::{Pages, SharedPages};

/// A file that pages load.
pub struct Asset {
    /// Its address.
    pub name: String,
    kind: &'static str,
    bytes: Bytes,
    packed: Option<PackedBody>,
}

richman_core::debug_by_name!(Asset {});

impl Asset {
    pub(super) fn new(stem: &str, ending: &str, kind: &'static str, bytes: Bytes) -> Asset {
        let hash = Sha256::digest(&bytes);
        let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let packed = PackedBody::of(&bytes);
        Asset { name: format!("/assets/{stem}-{hash}.{ending}"), kind, bytes, packed }
    }

    /// Its name in the folder of the assets.
    fn file_name(&self) -> &str {
        self.name.rsplit_once('/').map_or(&self.name, |(_, name)| name)
    }
}

const SCRIPTS: &str = "text/javascript; charset=utf-8";

/// A file of the folder `assets`.
macro_rules! file {
    ($stem:literal, $ending:literal, $kind:expr, $path:literal) => {
        LazyLock::new(|| {
            let bytes = Bytes::from_static(include_bytes!(concat!("../assets/", $path)));
            Asset::new($stem, $ending, $kind, bytes)
        })
    };
}

/// The style.
pub static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("style", "css", "text/css; charset=utf-8", style_text().into()));

fn style_text() -> String {
    let fonts = include_str!("../assets/fonts.css")
        .replace("inter.woff2", TEXT_FONT.file_name())
        .replace("literata.woff2", HEADING_FONT.file_name());
    [
        &fonts,
        // Boards bring their own colours, which the pages adjust.
        richman_render::board::STYLE,
        richman_render::heat::STYLE,
        include_str!("../assets/style.css"),
        include_str!("../assets/site.css"),
        include_str!("../assets/match.css"),
        include_str!("../assets/explore.css"),
        include_str!("../assets/guide.css"),
        include_str!("../assets/review.css"),
        include_str!("../assets/modes.css"),
    ]
    .join("\n")
}

/// The script.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = [
        include_str!("../assets/live.js"),
        include_str!("../assets/effects.js"),
        include_str!("../assets/match.js"),
        include_str!("../assets/list.js"),
        include_str!("../assets/board.js"),
    ]
    .join("\n");
    Asset::new("richman", "js", SCRIPTS, text.into())
});
/// The script of explore.
pub static EXPLORE_SCRIPT: LazyLock<Asset> = file!("explore", "js", SCRIPTS, "explore.js");
/// The script that applies the chosen colours before a page is drawn.
pub static THEME: LazyLock<Asset> = file!("theme", "js", SCRIPTS, "theme.js");
/// The icon.
pub static ICON: LazyLock<Asset> = file!("icon", "svg", SVG, "icon.svg");
/// The icon for systems that show no SVG, 192 pixels wide.
pub static SMALL_ICON: LazyLock<Asset> = file!("icon-192", "png", "image/png", "icon-192.png");
/// The same, 512 pixels wide.
pub static LARGE_ICON: LazyLock<Asset> = file!("icon-512", "png", "image/png", "icon-512.png");
/// The font of text.
static TEXT_FONT: LazyLock<Asset> = file!("inter", "woff2", "font/woff2", "fonts/inter.woff2");
/// The font of headings.
static HEADING_FONT: LazyLock<Asset> = file!("literata", "woff2", "font/woff2", "fonts/literata.woff2");
/// The licences of the fonts.
pub static FONT_LICENCES: LazyLock<[Asset; 2]> = LazyLock::new(|| {
    let licence = |stem: &str, text: &'static str| Asset::new(stem, "txt", PLAIN, text.into());
    [
        licence("inter-ofl", include_str!("../assets/fonts/Inter-OFL.txt")),
        licence("literata-ofl", include_str!("../assets/fonts/Literata-OFL.txt")),
    ]
});

/// The addresses of the assets, and of the description for systems that install the pages.
pub fn routes() -> Router<Arc<Pages>> {
    Router::new().route("/assets/{name}", get(asset)).route(MANIFEST, get(manifest))
}

/// Makes the files that every page names, and returns their number.
pub(crate) fn make() -> usize {
    [&*STYLE, &*SCRIPT, &*EXPLORE_SCRIPT, &*THEME, &*ICON, &*SMALL_ICON].len()
}

async fn asset(State(app): SharedPages, Path(name): Path<String>) -> Response {
    let scripts = [&*SCRIPT, &*EXPLORE_SCRIPT, &*THEME];
    let own = [&*STYLE, &*ICON, &*SMALL_ICON, &*LARGE_ICON, &*TEXT_FONT, &*HEADING_FONT];
    let mut own = own.into_iter().chain(scripts).chain(&*FONT_LICENCES).chain(guide::files());
    app.make_cards().await;
    let mut pictures = app.cards().iter().filter_map(|card| card.picture.as_ref());
    let is_asked = |asset: &&Asset| asset.name.strip_prefix("/assets/") == Some(&name);
    let found = own.find(is_asked).or_else(|| pictures.find(is_asked));
    match found {
        Some(asset) => {
            let headers = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            let mut answer = (headers, asset.bytes.clone()).into_response();
            if let Some(packed) = &asset.packed {
                answer.extensions_mut().insert(packed.clone());
            }
            answer
        }
        None => Refusal::NotFound("file").into_response(),
    }
}

/// The address of the web application's manifest.
pub const MANIFEST: &str = "/manifest.webmanifest";
/// The colours of the browser's own bars, light and dark: those of the pages' head.
pub const BARS: [&str; 2] = ["#ffffff", "#1d2026"];

async fn manifest() -> Response {
    let icon = |asset: &Asset, sizes: &str, purpose: &str| {
        serde_json::json!({
            "src": asset.name.trim_start_matches('/'), "sizes": sizes, "type": asset.kind, "purpose": purpose,
        })
    };
    let manifest = serde_json::json!({
        "name": "Richman: bidding games",
        "short_name": "Richman",
        "description": super::ABOUT,
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": "#f7f4ee",
        "theme_color": BARS[0],
        "icons": [
            icon(&ICON, "any", "any"),
            icon(&SMALL_ICON, "192x192", "any"),
            icon(&LARGE_ICON, "512x512", "any"),
            icon(&LARGE_ICON, "512x512", "maskable"),
        ],
    });
    let mut answer = typed(JSON, manifest.to_string());
    answer.headers_mut().insert(CONTENT_TYPE, axum::http::HeaderValue::from_static("application/manifest+json"));
    answer
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_dark_follows_the_visitors_choice() {
        assert!(!super::style_text().contains("prefers-color-scheme"), "write light-dark(), so that the choice counts");
    }
}
