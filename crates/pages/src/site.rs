//! The pages about the site: the rules of bidding, help, a description. Every page links to them.

mod about;
mod help;
mod rules;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use maud::{Markup, html};

use super::play::PageOrigin;
use super::{GUIDE, PageFrame, page_with};
use crate::Pages;

/// The addresses of these pages.
pub fn routes() -> Router<Arc<Pages>> {
    Router::new()
        .route("/rules", get(rules::show))
        .route("/help", get(async |origin: PageOrigin| help::page(&origin)))
        .route("/about", get(async |origin: PageOrigin| about::page(&origin)))
}

/// The end of every page: links, and the choice of colours, which needs the script.
pub fn footer() -> Markup {
    html! {
        footer class="foot" {
            nav aria-label="About this site" {
                a href="/rules" { "Rules" }
                a href="/help" { "Help" }
                a href="/about" { "About" }
                a href=(GUIDE) { "Guide" }
                a href="/api" { "For programs" }
            }
            div id="theme" class="theme" role="group" aria-label="Colours" hidden {
                @for (choice, word) in [("light", "Light"), ("dark", "Dark"), ("system", "System")] {
                    button type="button" value=(choice) aria-pressed="false" { (word) }
                }
            }
        }
    }
}

/// A page of text.
fn text_page(title: &str, about: &'static str, content: Markup) -> Markup {
    let frame = PageFrame { about: Some(about), ..PageFrame::default() };
    page_with(title, &frame, html! { article class="prose" { (content) } })
}
