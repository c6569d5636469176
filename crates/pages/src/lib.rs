//! The pages: a request, what its viewer may see, and answers become a page. Everything works by
//! links and forms; the script only makes it quicker. A server and a browser tab show the same
//! pages, each with its own [`needs`].
//!
//! ```text
//! shared, needs    what every page can use, and what the program that shows pages must bring
//! play, review, explore, guide, site, gallery     the pages
//! finished, written, packed                       answers as bytes, those about matches, in gzip
//! desk             work with a time limit
//! assets, link     files that pages load, previews of links
//! base             pages below a path
//! extract          the parts of an address
//! ```

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::multipart::{Multipart, MultipartError};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, html};
use richman_core::Player;
use richman_hall::refused::Refusal;

use self::link::SharedLink;

pub mod assets;
pub mod base;
pub mod desk;
pub mod explore;
pub mod extract;
pub mod finished;
pub mod gallery;
#[cfg(feature = "files")]
pub mod guide;
pub mod link;
pub mod needs;
pub mod packed;
pub mod play;
mod remedies;
pub mod review;
mod shared;
mod site;
mod written;

pub use shared::{Pages, SharedPages};

/// All pages, and one for unknown addresses.
pub fn routes() -> Router<Arc<Pages>> {
    let routes = Router::new();
    #[cfg(feature = "files")]
    let routes = routes.merge(guide::routes());
    routes
        .merge(assets::routes())
        .merge(play::routes())
        .merge(review::routes())
        .merge(explore::routes())
        .merge(site::routes())
        .fallback(unknown)
}

/// The answer at an address without a page; an extra final slash is forgiven.
async fn unknown(method: Method, address: Uri) -> Response {
    let path = address.path().trim_end_matches('/');
    // A path that begins otherwise could be taken for the name of another server.
    let is_own = path.strip_prefix('/').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
    if !is_own || path.len() == address.path().len() || !matches!(method, Method::GET | Method::HEAD) {
        return Refusal::NotFound("page").into_response();
    }
    let query = address.query().map(|query| format!("?{query}")).unwrap_or_default();
    Redirect::permanent(&format!("{path}{query}")).into_response()
}

/// A whole page around `content`.
pub fn page(title: &str, content: Markup) -> Markup {
    page_with(title, &PageFrame::default(), content)
}

/// Options of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageFrame<'a> {
    /// Seconds after which a page without a script reloads.
    pub again: Option<u32>,
    /// The layout: a class of the body. It must not depend on content further down, or the page
    /// moves after a browser has painted its beginning.
    pub layout: Option<&'static str>,
    /// The address of a script of its own.
    pub script: Option<&'a str>,
    /// The page to show instead where there is no script.
    pub instead: Option<&'a str>,
    /// The subject of the page, for lists of search results.
    pub about: Option<&'a str>,
    /// Its public address.
    pub link: Option<&'a SharedLink<'a>>,
}

/// A page that uses the whole width.
pub const WIDE: PageFrame<'static> =
    PageFrame { again: None, layout: Some("wide"), script: None, instead: None, about: None, link: None };

/// The application in a sentence.
pub const ABOUT: &str = "Play, explore and review bidding games: tic-tac-toe, Connect Four, Hex, chess and others, \
                         where both players bid for every move.";

/// The address of the first chapter of the guide.
pub const GUIDE: &str = "/guide";

/// The type of pages.
pub const HTML: &str = "text/html; charset=utf-8";
/// The type of JSON.
pub const JSON: &str = "application/json";
/// The type of plain text.
pub const PLAIN: &str = "text/plain; charset=utf-8";

/// The type of a game file: an object, or the text of a file in another form.
pub fn game_file_type(text: &str) -> &'static str {
    if text.trim_start().starts_with('{') { JSON } else { PLAIN }
}
/// The type of a drawing.
pub const SVG: &str = "image/svg+xml";

/// A response of the type `kind`.
pub fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, kind)], body.into()).into_response()
}

/// A whole page around `content`, in the given frame.
pub fn page_with(title: &str, frame: &PageFrame, content: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="description" content=(frame.about.unwrap_or(ABOUT));
                (link::tags(title, frame.about.unwrap_or(ABOUT), frame.link))
                @for (color, scheme) in assets::BARS.into_iter().zip(["light", "dark"]) {
                    meta name="theme-color" content=(color) media={ "(prefers-color-scheme: " (scheme) ")" };
                }
                title { (title) " - Richman" }
                link rel="icon" type="image/svg+xml" href=(assets::ICON.name);
                link rel="apple-touch-icon" href=(assets::SMALL_ICON.name);
                link rel="manifest" href=(assets::MANIFEST);
                script src=(assets::THEME.name) {}
                @if let Some(script) = assets::site_script() { script src=(script) {} }
                link rel="stylesheet" href=(assets::STYLE.name);
                script src=(assets::SCRIPT.name) defer {}
                @if let Some(script) = frame.script { script src=(script) defer {} }
                @if let Some(seconds) = frame.again {
                    noscript { meta http-equiv="refresh" content=(seconds); }
                }
                @if let Some(instead) = frame.instead {
                    noscript { meta http-equiv="refresh" content={ "0; url=" (instead) }; }
                }
            }
            body class=[frame.layout] {
                a class="skip" href="#main" { "To the content" }
                header class="top" {
                    a class="brand" href="/" { img src=(assets::ICON.name) alt="" width="26" height="26"; "Richman" }
                    nav aria-label="Main" {
                        a href="/new" { "Play" }
                        a href="/explore" { "Explore" }
                        a href="/review" { "Review" }
                        a href=(GUIDE) { "Guide" }
                    }
                }
                main id="main" { (content) }
                (site::footer())
                div id="live" class="unseen" aria-live="polite" {}
            }
        }
    }
}

/// A page that other sites may show in a frame: content alone, and nothing that changes anything.
pub(crate) fn framed_page(title: &str, content: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " - Richman" }
                script src=(assets::THEME.name) {}
                link rel="stylesheet" href=(assets::STYLE.name);
            }
            body class="embedded" { main id="main" { (content) } }
        }
    }
}

/// A refusal as a page.
pub fn refused(refusal: &Refusal) -> Response {
    let title = match refusal {
        Refusal::NotFound(_) => "Nothing is here",
        Refusal::Busy(_) => "Too much at once",
        Refusal::Internal(_) => "Something broke here",
        Refusal::OutOfTime(_) => "That takes too long here",
        Refusal::TooLarge(_) => "That is too large",
        _ => "That did not work",
    };
    let way_on = match refusal {
        Refusal::NotFound(_) => {
            "Links to matches are long: check that you copied the whole link. An invitation works once."
        }
        Refusal::Busy(_) => "Wait a minute, then load the page again. Nothing that was answered is lost.",
        Refusal::Internal(_) => "Load the page again; if that does not help, go back and try once more.",
        Refusal::Conflict(_) => "Go back and load the page again: it then shows what to do now.",
        Refusal::OutOfTime(_) => "Take a smaller game or fewer chips.",
        Refusal::Unhandled(..) => "Go back, or begin again at the first page.",
        _ => "Go back and change what is wrong; what you typed is still there.",
    };
    let content = html! {
        h1 { (title) }
        p role="alert" class="notice" { (sentence(&remedies::worded(refusal))) }
        p { (way_on) }
        p class="links" {
            a class="button" href="/" { "To the first page" } " "
            a class="button quiet" href="/new" { "Play a game" }
        }
    };
    refusal.with_body(page(title, content))
}

/// The class of elements that belong to a player.
pub fn class_of(player: Player) -> &'static str {
    match player {
        Player::Alice => "alice",
        Player::Bob => "bob",
    }
}

/// An error's text as a sentence: with a capital letter and a full stop.
pub fn in_sentence(text: &str) -> String {
    let stop = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    let word = text.split([' ', ',', ':']).next().unwrap_or_default();
    // Quoted input keeps its case.
    let begins_with_a_word = !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase());
    let (first, rest) = text.split_at(usize::from(begins_with_a_word));
    format!("{}{rest}{stop}", first.to_uppercase())
}

/// An error's text as a sentence on a page: text between backticks is shown as code.
pub fn sentence(text: &str) -> Markup {
    let text = in_sentence(text);
    let parts: Vec<&str> = text.split('`').collect();
    // A single backtick begins nothing.
    let is_paired = parts.len() % 2 == 1;
    html! {
        @if is_paired {
            @for (number, part) in parts.iter().enumerate() {
                @if number % 2 == 1 { code { (part) } } @else { (part) }
            }
        } @else { (text) }
    }
}

/// The number in a text of at most nine digits; else `None`.
pub fn whole_number(text: &str) -> Option<u32> {
    let is_number = text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Passes the name and the bytes of every form field to `take`; `too_large` is the refusal for
/// oversized ones.
pub async fn each_field(
    mut form: Multipart,
    too_large: impl Fn() -> Refusal,
    mut take: impl FnMut(&str, Vec<u8>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let refused = |error: MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => Refusal::BadRequest(error.body_text()),
    };
    while let Some(field) = form.next_field().await.map_err(refused)? {
        let name = field.name().unwrap_or_default().to_string();
        take(&name, field.bytes().await.map_err(refused)?.into())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code() {
        assert_eq!(sentence("no: `richman <x>` has").into_string(), "No: <code>richman &lt;x&gt;</code> has.");
    }
}
