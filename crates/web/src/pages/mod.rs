//! The pages, rendered here.

use std::sync::Arc;

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use crate::App;
use crate::refused::Refused;

pub mod explore;
pub mod play;
pub mod review;
mod shim;

/// All pages.
pub fn routes() -> Router<Arc<App>> {
    Router::new().merge(play::routes()).merge(review::routes()).merge(explore::routes())
}

/// A whole page around `content`.
pub fn page(title: &str, content: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " - Richman" }
                link rel="stylesheet" href="/assets/style.css";
                script src="/assets/richman.js" defer {}
            }
            body {
                header { nav aria-label="Main" { a href="/" { "Richman" } " " a href="/new" { "Play" } " " a href="/explore" { "Explore" } " " a href="/review" { "Review" } } }
                main { (content) }
            }
        }
    }
}

/// A refusal as a page.
pub struct PageError(pub Refused);

impl<E: Into<Refused>> From<E> for PageError {
    fn from(error: E) -> PageError {
        PageError(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let content =
            html! { h1 { "That did not work" } p role="alert" { (self.0) } p { a href="/" { "To the first page" } } };
        (self.0.status(), Html(page("Not done", content).into_string())).into_response()
    }
}
