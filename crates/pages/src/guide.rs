//! The guide, and the documents that it refers to. A page is made on first request and kept; there
//! is one for each document.

mod anchor;
mod links;
mod markdown;

use std::sync::{Arc, LazyLock, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use richman_docs::{CHAPTERS, ProjectDocument, REFERENCES, documents};
use richman_hall::refused::Refusal;

use super::assets::Asset;
use super::play::PageOrigin;
use super::{GUIDE, HTML, WIDE, page_with, typed};
use crate::Pages;

/// The id of the table of contents.
const CONTENTS: &str = "guide-contents";

/// The addresses of the guide.
pub fn routes() -> Router<Arc<Pages>> {
    Router::new().route(GUIDE, get(async |origin: PageOrigin| answer("", &origin))).route("/guide/{*name}", get(show))
}

async fn show(method: Method, address: Uri, name: Result<Path<String>, PathRejection>, origin: PageOrigin) -> Response {
    match name {
        Ok(Path(name)) if !name.is_empty() && !name.ends_with('/') => answer(&name, &origin),
        // Text that is not UTF-8 names nothing either.
        _ => super::unknown(method, address).await,
    }
}

fn unknown() -> Response {
    Refusal::NotFound("page").into_response()
}

/// The page of a document, made once.
struct GuidePage {
    document: &'static ProjectDocument,
    made: OnceLock<Bytes>,
}

static PAGES: LazyLock<Vec<GuidePage>> =
    LazyLock::new(|| documents().map(|document| GuidePage { document, made: OnceLock::new() }).collect());

/// The documents whose examples call a server. On the pages the address of that server becomes the
/// address at which they are read.
const EXAMPLES: [&str; 2] = ["api", "learning"];
const SERVER: &str = "http://127.0.0.1:8080";

/// The page of the document with that name.
fn answer(name: &str, origin: &PageOrigin) -> Response {
    let Some(page) = PAGES.iter().find(|page| page.document.name == name) else { return unknown() };
    let bytes = page.made.get_or_init(|| made(page.document).into_string().into());
    let origin = &origin.text;
    if EXAMPLES.contains(&name)
        && !origin.is_empty()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return typed(HTML, text.replace(SERVER, origin));
    }
    typed(HTML, bytes.clone())
}

/// The files that documents show or link to.
static FILES: LazyLock<Vec<(&'static str, Asset)>> = LazyLock::new(|| {
    let asset = |file: &richman_docs::DocumentFile| {
        let (_, name) = file.path.rsplit_once('/').unwrap_or(("", file.path));
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
        (file.path, Asset::new(stem, ending, file.kind, Bytes::from_static(file.bytes)))
    };
    richman_docs::FILES.iter().map(asset).collect()
});

/// The files of the guide as assets.
pub(super) fn files() -> impl Iterator<Item = &'static Asset> {
    FILES.iter().map(|(_, asset)| asset)
}

/// The address of a document.
fn address(document: &ProjectDocument) -> String {
    if document.name.is_empty() { GUIDE.to_string() } else { format!("{GUIDE}/{}", document.name) }
}

fn made(document: &ProjectDocument) -> Markup {
    let chapter = CHAPTERS.iter().position(|chapter| chapter.name == document.name);
    let content = html! {
        div class="guide" {
            article class="prose" {
                p class="to-contents" { a href={ "#" (CONTENTS) } { "Contents of the guide" } }
                (markdown::rendered(document.text, &|link| links::target(document.path, link)))
                @if let Some(chapter) = chapter { (neighbours(chapter)) }
            }
            nav id=(CONTENTS) class="contents" aria-label="Contents of the guide" {
                h2 { "The guide" }
                (list(CHAPTERS, document))
                h2 { "Reference" }
                (list(REFERENCES, document))
            }
        }
    };
    page_with(document.title, &WIDE, content)
}

/// Links to the chapters before and after.
fn neighbours(chapter: usize) -> Markup {
    let before = chapter.checked_sub(1).and_then(|before| CHAPTERS.get(before));
    let after = CHAPTERS.get(chapter + 1);
    html! {
        nav class="neighbours" aria-label="Chapters" {
            @if let Some(before) = before { a rel="prev" href=(address(before)) { "← " (before.title) } }
            @if let Some(after) = after { a rel="next" href=(address(after)) { (after.title) " →" } }
        }
    }
}

fn list(documents: &[ProjectDocument], shown: &ProjectDocument) -> Markup {
    html! {
        ul {
            @for document in documents {
                li class=[document.name.contains('/').then_some("part")] {
                    @let current = (document.name == shown.name).then_some("page");
                    a href=(address(document)) aria-current=[current] { (document.title) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_page_is_made_in_a_moment() {
        let time = |document| {
            let begun = Instant::now();
            assert!(made(document).into_string().ends_with("</html>"));
            begun.elapsed()
        };
        // Other programs may take the processor at times, but hardly every time.
        let least = |document| (0..10).map(|_| time(document)).min().unwrap_or_default();
        let slowest = documents().map(|document| (least(document), document.path)).max().unwrap();
        assert!(slowest.0 < Duration::from_millis(5), "{slowest:?}");
    }
}
