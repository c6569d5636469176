//! A description of the site, its parts' authors, and the data that it stores.

use maud::{Markup, html};

use super::super::assets::FONT_LICENCES;
use super::text_page;
use crate::play::PageOrigin;

/// The page.
pub fn page(origin: &PageOrigin) -> Markup {
    let [inter, literata] = &*FONT_LICENCES;
    let content = html! {
        h1 { "About Richman" }
        p {
            "Richman is a workbench for bidding games. It plays them, finds out exactly who can win and with which \
             bids, proves its answers, and shows where a match was decided. It is named after David Richman, who \
             thought of these games in the 1980s."
        }
        p { "This is version " (env!("CARGO_PKG_VERSION")) "." }
        h2 id="licence" { "Licence" }
        p {
            "Richman is free software, under the MIT licence or the Apache licence 2.0, as you prefer. You can run \
             your own server: " a href="/guide/server" { "the guide says how" } "."
        }
        h2 id="credits" { "Credits" }
        ul {
            li {
                "The theory is that of the papers in " a href="/guide/results" { "Published results" }
                ", which names each paper and says which of its results were computed again."
            }
            li {
                "Text is set in Inter, by the Inter Project Authors, under the "
                a href=(inter.name) { "SIL Open Font License" } "."
            }
            li {
                "Headings are set in Literata, by the Literata Project Authors, under the "
                a href=(literata.name) { "SIL Open Font License" } "."
            }
        }
        h2 id="privacy" { "What is kept" }
        p { "There are no accounts, no advertisements, and no files from other servers. Nobody is followed around." }
        @if origin.alone.is_some() { (kept_here()) } @else { (kept_by_server()) }
    };
    text_page(
        "About",
        "What Richman is, its licence and credits, and what it keeps about matches and visitors.",
        content,
    )
}

/// What a server keeps.
fn kept_by_server() -> Markup {
    html! {
        ul {
            li {
                "A match is kept on the server: the game, the rules, and every bid and move with its time. It holds no \
                 names and no network addresses. Records that you paste into a review are kept too."
            }
            li {
                "Whoever knows the address of a match can watch it, and its review. The address is too long to guess, \
                 and matches are listed nowhere."
            }
            li {
                "Old matches are deleted: those that nobody touched for the longest time go first when room is needed, \
                 and whoever runs the server may set a number of days."
            }
            li {
                "Your browser keeps a cookie for each seat that you take. It says that the seat is yours, pages cannot \
                 read it, and it is sent to this server alone."
            }
            li {
                "Your browser also keeps the list of your matches and the colours that you chose. Both stay on your \
                 device."
            }
            li {
                "The server uses network addresses to share its time fairly, and forgets them. Its log has none of \
                 them, and no secrets; a proxy in front of it may keep a log of its own."
            }
        }
    }
}

/// What the browser keeps where there is no server.
fn kept_here() -> Markup {
    html! {
        p {
            "These pages have no server. Matches, and records that you paste into a review, are in this browser alone: "
            a href="/kept" { "you can save them as a file" } ". Nothing that you do here leaves your device."
        }
    }
}
