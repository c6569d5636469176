//! Pages that only a tab has: what the browser keeps, to save it and to bring it back; and why
//! programs have no door here.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Multipart};
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};
use parking_lot::Mutex;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use richman_pages::{JSON, Pages, each_field, page, typed};

use crate::kept::{KeptDocuments, LARGEST};

/// The largest file of documents.
const LARGEST_FILE: usize = 64 << 20;

type Shared = Arc<Mutex<KeptDocuments>>;

/// The addresses of these pages.
pub(crate) fn routes(documents: Shared) -> Router<Arc<Pages>> {
    let (shown, saved, read) = (Arc::clone(&documents), Arc::clone(&documents), documents);
    let largest = DefaultBodyLimit::max(LARGEST_FILE + (64 << 10));
    let back = get(async move || kept(&shown)).post(async move |form: Multipart| bring_back(&read, form).await);
    Router::new()
        .route("/kept", back.layer(largest))
        .route("/kept/richman-matches.json", get(async move || save(&saved)))
        .route("/api", get(async || programs()))
}

fn kept(documents: &Shared) -> Markup {
    let documents = documents.lock();
    let counted = |kind: &str, many: &str| match documents.of_kind(kind).count() {
        1 => format!("1 {kind}"),
        number => format!("{number} {many}"),
    };
    let content = html! {
        h1 { "What this browser keeps" }
        p {
            "There is no server here. This browser alone keeps " (counted("match", "matches")) " and "
            (counted("record", "records")) ", until you clear its data for this site."
        }
        p { a class="button" href="/kept/richman-matches.json" download { "Save all of it as a file" } }
        form class="paste" method="post" action="/kept" enctype="multipart/form-data" {
            label for="file" { "Bring back what such a file holds" }
            input type="file" id="file" name="file" accept=".json,application/json";
            button class="button" type="submit" { "Bring back" }
        }
        p class="aside" { "Matches that are in both stay as they are here. The file holds the secrets of your seats." }
    };
    page("What this browser keeps", content)
}

fn save(documents: &Shared) -> Response {
    let documents = documents.lock();
    let all: BTreeMap<&str, &str> = documents.all().collect();
    let mut answer = typed(JSON, serde_json::to_string(&all).unwrap_or_default());
    let name = "attachment; filename=\"richman-matches.json\"";
    answer.headers_mut().insert(CONTENT_DISPOSITION, axum::http::HeaderValue::from_static(name));
    answer
}

async fn bring_back(documents: &Shared, form: Multipart) -> Result<Response, Refusal> {
    let too_large = || Refusal::TooLarge(format!("such a file has at most {LARGEST_FILE} bytes"));
    let wrong = |_| Refusal::BadRequest("this is no file that was saved here".to_string());
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    each_field(form, too_large, |name, bytes| {
        if name == "file" {
            found = serde_json::from_slice(&bytes).map_err(wrong)?;
        }
        Ok(())
    })
    .await?;
    if found.is_empty() {
        return Err(Refusal::BadRequest("choose a file that was saved here".to_string()));
    }
    let mut documents = documents.lock();
    let is_name = |name: &str| {
        let id = name.strip_prefix("match/").or_else(|| name.strip_prefix("record/"));
        id.is_some_and(|id| GameId::read(id).is_some())
    };
    let seats = found.remove(crate::seats::NAME);
    found.retain(|name, text| is_name(name) && text.len() <= LARGEST && documents.get(name).is_none());
    if !documents.has_room(found.len(), found.values().map(String::len).sum()) {
        let reason = "this browser keeps as much as these pages allow: save it, and clear what you no longer need";
        return Err(Refusal::TooLarge(reason.to_string()));
    }
    for (name, text) in found {
        documents.keep(&name, text);
    }
    if let Some(seats) = seats {
        crate::seats::add(&mut documents, &seats);
    }
    Ok(Redirect::to("/kept").into_response())
}

fn programs() -> Markup {
    let content = html! {
        h1 { "For programs" }
        p {
            "These pages need no server, so there is no interface over HTTP here. The package " code { "richman" }
            " for JavaScript answers the same questions in a page or in Node, the package for Python in a notebook, \
             and " code { "richman serve" } " over HTTP."
        }
        p { a href="/guide/programs" { "The guide says more" } }
    };
    page("For programs", content)
}
