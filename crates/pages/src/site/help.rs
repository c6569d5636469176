//! Help: playing with a friend, keys, troubleshooting.

use maud::{Markup, html};

use super::text_page;
use crate::play::PageOrigin;

/// The keys and their effects.
const KEYS: [(&str, &str); 7] = [
    ("0 to 9", "begin to type a bid, wherever you are on the page"),
    ("Enter", "sends the bid, or presses the button that has the focus"),
    ("↑ ↓", "in the field of the bid: one chip more or less"),
    ("← ↑ → ↓", "go from place to place on the board"),
    ("Enter or Space", "on the board: chooses the place"),
    ("Esc", "takes back the first place of a move"),
    ("← →", "in a review: the turn before, the turn after"),
];

/// Questions with their answers; those about a server come first.
const TROUBLE: [(&str, &str); 7] = [
    (
        "The page says that it is not connected.",
        "Your match is safe. The page connects again by itself as soon as the network and the server are back. You can \
         also load it again.",
    ),
    (
        "My friend's link does not work.",
        "An invitation works once. If somebody has taken the seat already, the link cannot be used again. If it begins \
         with 127.0.0.1 or localhost, it works on your machine alone: open this site by an address that your friend \
         can reach, and send that.",
    ),
    (
        "I closed the page.",
        "Open this site again in the same browser: the first page lists your matches. The address of the match works \
         too.",
    ),
    (
        "The other player does nothing.",
        "Nobody has a clock, so a match waits. You may close the page and look again later, or resign below the match.",
    ),
    (
        "The computer does not answer.",
        "If many people play, it waits for its turn to think, and the page says so. If it cannot go on, the page says \
         why: begin another match with a weaker level or a smaller game.",
    ),
    (
        "A bid or a move was refused.",
        "The page says why, and shows how the match stands now. An action is taken once, however often it was sent.",
    ),
    (
        "A review or a page of Explore takes too long here.",
        "A few seconds are spent on each question here. A smaller game or fewer chips may help; the program on your \
         own machine has no such limit.",
    ),
];

/// The number of questions about a server.
const ABOUT_SERVERS: usize = 2;

/// The page.
pub fn page(origin: &PageOrigin) -> Markup {
    let content = html! {
        h1 { "Help" }
        p {
            "New here? " a href="/first" { "The first game" } " takes three minutes, and a coach explains every step. "
            a href="/rules" { "The rules" } " fit on one page."
        }
        @if origin.alone.is_none() { (friend()) } @else { h2 id="friend" { "Two players" } }
        p { "At one screen, choose " b { "Two at this screen" } ". The page then hides each bid while you hand over." }
        @if origin.alone.is_none() { (others()) } @else {
            h2 id="kept" { "What is kept" }
            p {
                "Matches are in this browser alone, also after a restart. " a href="/kept" { "Save them as a file" }
                " to take them elsewhere."
            }
        }
        h2 id="keys" { "Keys" }
        div class="table" tabindex="0" role="region" aria-label="Keys" {
            table {
                thead { tr { th scope="col" { "Key" } th scope="col" { "What it does" } } }
                tbody { @for (key, what) in KEYS { tr { th scope="row" { kbd { (key) } } td { (what) } } } }
            }
        }
        p { "Everything can be done without a mouse, and without the script of the pages." }
        h2 id="trouble" { "What to do when" }
        dl class="terms" {
            @for (question, answer) in &TROUBLE[if origin.alone.is_some() { ABOUT_SERVERS } else { 0 }..] {
                dt { (question) } dd { (answer) }
            }
        }
        h2 id="programs" { "For programs" }
        p {
            "Programs can play, review and solve here too: " a href="/api" { "the interface for programs" }
            " has an example to copy, and " a href="/guide/api" { "its description" } " says everything else."
        }
    };
    text_page("Help", "How to play bidding games with a friend, watch, use the keyboard, and what to do when.", content)
}

/// How to meet a friend.
fn friend() -> Markup {
    html! {
        h2 id="friend" { "Playing with a friend" }
        ol {
            li { a href="/new" { "Choose a game" } ", choose " b { "A friend" } ", and start the match." }
            li { "Copy the link that the match shows, and send it to your friend." }
            li { "Your friend opens it and takes the seat. To look at the link takes nothing; the seat is taken by the \
                  button." }
        }
        p { "You may bid before your friend has arrived: nobody sees a bid before both are made." }
    }
}

/// Spectators, and other devices.
fn others() -> Markup {
    html! {
        h2 id="watching" { "Watching" }
        p {
            "Everybody who has the address of a match can watch it. Spectators see the board, the chips and all bids \
             that were shown, and never a hidden bid. The address is below the match, under " b { "Share" } "."
        }
        h2 id="device" { "On another device" }
        p {
            "Your seat is kept by the browser in which you took it. To go on elsewhere, open " b { "Share" }
            " below the match and take the link for another device. Whoever opens that link plays for you, so show it \
             to nobody."
        }
    }
}
