//! The style, the scripts, the fonts, the icons, and the files of the guide. They are named by
//! their content, so that browsers may cache them forever.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use richman_hall::refused::Refusal;
use sha2::{Digest, Sha256};

#[cfg(feature = "files")]
use super::guide;
use super::{JSON, PLAIN, SVG, typed};
use crate::packed::PackedBody;
use crate::{Pages, SharedPages};

/// A file that pages load.
pub struct Asset {
    /// Its address.
    pub name: String,
    /// Its media type.
    pub kind: &'static str,
    /// Its content; empty where the files are not in this program.
    pub bytes: Bytes,
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

    /// A file of a site by its name there; of a program that has the files, `bytes`.
    pub(super) fn known(stem: &str, ending: &str, kind: &'static str, bytes: impl FnOnce() -> Bytes) -> Asset {
        match named(&format!("{stem}.{ending}")) {
            Some(name) => Asset { name: name.to_string(), kind, bytes: Bytes::new(), packed: None },
            None => Asset::new(stem, ending, kind, bytes()),
        }
    }

    /// Its name in the folder of the assets.
    pub fn file_name(&self) -> &str {
        self.name.rsplit_once('/').map_or(&self.name, |(_, name)| name)
    }
}

/// The addresses of a site's files, by their names without a hash, such as `style.css`.
static NAMES: OnceLock<BTreeMap<String, String>> = OnceLock::new();

/// Pages are those of a site, whose files have these addresses by their names, such as `style.css`.
/// The first call counts.
pub fn name_files(names: BTreeMap<String, String>) {
    let _ = NAMES.set(names);
}

/// The address of a site's file.
fn named(name: &str) -> Option<&'static str> {
    NAMES.get()?.get(name).map(String::as_str)
}

/// The address of the script that answers in place of a server, on the pages of a site.
pub(crate) fn site_script() -> Option<&'static str> {
    named("site.js")
}

const SCRIPTS: &str = "text/javascript; charset=utf-8";

/// The content of a file of the folder `assets`, if files are in this program.
macro_rules! content {
    ($path:literal) => {{
        #[cfg(feature = "files")]
        let content = include_str!(concat!("../assets/", $path));
        #[cfg(not(feature = "files"))]
        let content = "";
        content
    }};
}

/// A file of the folder `assets`.
macro_rules! file {
    ($stem:literal, $ending:literal, $kind:expr, $path:literal) => {
        LazyLock::new(|| {
            #[cfg(feature = "files")]
            let bytes = Bytes::from_static(include_bytes!(concat!("../assets/", $path)));
            #[cfg(not(feature = "files"))]
            let bytes = Bytes::new();
            Asset::known($stem, $ending, $kind, || bytes)
        })
    };
}

/// The style.
pub static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::known("style", "css", "text/css; charset=utf-8", || style_text().into()));

fn style_text() -> String {
    let fonts = content!("fonts.css")
        .replace("inter.woff2", TEXT_FONT.file_name())
        .replace("literata.woff2", HEADING_FONT.file_name());
    [
        fonts.as_str(),
        // Boards bring their own colours, which the pages adjust.
        richman_render::board::STYLE,
        richman_render::heat::STYLE,
        content!("style.css"),
        content!("site.css"),
        content!("match.css"),
        content!("explore.css"),
        content!("guide.css"),
        content!("review.css"),
        content!("modes.css"),
    ]
    .join("\n")
}

/// The script.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text =
        [content!("live.js"), content!("effects.js"), content!("match.js"), content!("list.js"), content!("board.js")]
            .join("\n");
    Asset::known("richman", "js", SCRIPTS, || text.into())
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
    let licence = |stem: &str, text: &'static str| Asset::known(stem, "txt", PLAIN, || text.into());
    [licence("inter-ofl", content!("fonts/Inter-OFL.txt")), licence("literata-ofl", content!("fonts/Literata-OFL.txt"))]
});

/// The addresses of the assets, and of the description for systems that install the pages.
pub fn routes() -> Router<Arc<Pages>> {
    Router::new().route("/assets/{name}", get(asset)).route(MANIFEST, get(manifest))
}

/// Makes the files that every page names, and returns their number.
pub(crate) fn make() -> usize {
    [&*STYLE, &*SCRIPT, &*EXPLORE_SCRIPT, &*THEME, &*ICON, &*SMALL_ICON].len()
}

/// All files that pages load, except pictures of games.
pub fn files() -> impl Iterator<Item = &'static Asset> {
    let scripts = [&*SCRIPT, &*EXPLORE_SCRIPT, &*THEME];
    let own = [&*STYLE, &*ICON, &*SMALL_ICON, &*LARGE_ICON, &*TEXT_FONT, &*HEADING_FONT];
    let own = own.into_iter().chain(scripts).chain(&*FONT_LICENCES);
    #[cfg(feature = "files")]
    let own = own.chain(guide::files());
    own
}

impl Pages {
    /// The pictures of the games.
    pub fn pictures(&self) -> impl Iterator<Item = &Asset> {
        self.cards().iter().filter_map(|card| card.picture.as_ref())
    }
}

async fn asset(State(app): SharedPages, Path(name): Path<String>) -> Response {
    app.make_cards().await;
    let is_asked = |asset: &&Asset| asset.file_name() == name;
    match files().find(is_asked).or_else(|| app.pictures().find(is_asked)) {
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

/// The description for systems that install the pages. Its addresses are relative.
pub fn manifest_text() -> String {
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
    manifest.to_string()
}

async fn manifest() -> Response {
    let mut answer = typed(JSON, manifest_text());
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
