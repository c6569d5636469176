//! Around a match: the rules, the turns so far, links to share, a hint, resigning, playing again.

use maud::{Markup, html};
use richman_core::{End, Player};
use richman_hall::setup::SeatChoice;
use richman_hall::token::Token;
use richman_hall::{MatchView, Viewer};
use richman_play::{MatchEnd, MatchTurn};
use richman_render::words;

use super::fragment::{PastTurn, ShownMatch};
use super::{decide, visitor};
use crate::class_of;

/// Further turns are only in the record.
const TURNS_SHOWN: usize = 200;

/// The number of the turn, and the game.
pub fn turn_number(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let turns = viewed.turns().len();
    html! {
        span class="of-game" { (viewed.info().map_or(viewed.setup.game.as_str(), |info| info.title)) ", " }
        @match viewed.closed() {
            None => { "turn " (turns + 1) }
            Some(_) => { "over after " (turns) @if turns == 1 { " turn" } @else { " turns" } }
        }
        @if viewed.viewer() == Viewer::Spectator { " · you are watching" }
    }
}

/// The options after the match.
pub fn after(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let Some(closed) = viewed.closed() else { return html! {} };
    html! {
        section class="action over" aria-label="The end" {
            (again(shown))
            @if let Some(why) = why(shown, closed) { p class="result" { (why) } }
            p class="links" {
                @if !viewed.walk().aim().facts().need_not_end {
                    a class="button" href=(review(shown)) { "Review the match" } " "
                }
                a class="button quiet" href={ "/record/" (viewed.id) } download { "Download the record" }
            }
        }
    }
}

/// The address of the review, which speaks to the viewer.
fn review(shown: &ShownMatch) -> String {
    let whom = match shown.viewed.viewer() {
        Viewer::Player(player) => format!("?as={}", class_of(player)),
        Viewer::Both | Viewer::Spectator => String::new(),
    };
    format!("/review/{}{whom}", shown.viewed.id)
}

/// The facts about the end that the headline omits.
fn why(shown: &ShownMatch, closed: MatchEnd) -> Option<String> {
    match closed {
        MatchEnd::Game(End::Win(_) | End::Draw) => None,
        MatchEnd::Resigned(player) if shown.is_you(player) => Some("You resigned.".to_string()),
        MatchEnd::Resigned(player) => Some(format!("{player} resigned.")),
        MatchEnd::Game(End::Score(_)) | MatchEnd::Limit | MatchEnd::NoBids => {
            Some(words::result(closed, shown.viewed.so_far().as_ref()))
        }
    }
}

fn again(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let next = viewed.next.as_ref().map(visitor::address);
    let viewer = match viewed.viewer() {
        Viewer::Spectator => {
            return html! {
                @if let Some(next) = next { p { a class="button" href=(next) { "They play again: watch" } } }
            };
        }
        Viewer::Player(player) => Some(player),
        Viewer::Both => None,
    };
    let asked = viewer.is_some_and(|player| viewed.rematch[player]);
    let wanted =
        viewer.map(Player::other).filter(|other| !viewed.setup.seats[*other].is_computer() && viewed.rematch[*other]);
    html! {
        @if asked {
            p {
                "You asked for a return match. It begins as soon as "
                (viewer.map_or(Player::Bob, Player::other)) " asks for one as well."
            }
        } @else {
            form method="post" action=(shown.link.to("/rematch")) class="choices" {
                // One line in either case, so that the button does not move away from a finger.
                p {
                    @match wanted {
                        Some(other) => b { (other) " wants to play again, with sides exchanged." },
                        None => "Once more, with the sides exchanged?",
                    }
                }
                button class={ "button" @if wanted.is_none() { " quiet" } } { "Play again" }
                " " a class="button quiet" href="/new" { "Another game" }
            }
        }
    }
}

/// The link for a friend.
pub fn invitation(shown: &ShownMatch, invitation: &Token) -> Markup {
    let link = format!("{}/join/{}", shown.origin.text, invitation.reveal());
    html! {
        div class="invitation" {
            label for="invitation" { "Send this link to your friend:" }
            (to_copy("invitation", &link))
            p class="aside" { "Your friend takes the other seat with the button there. It works once." }
            @if shown.origin.is_local { (local_only()) }
        }
    }
}

/// Instructions for a server that only this machine reaches.
pub fn local_only() -> Markup {
    html! {
        p class="aside" {
            "This link works on this machine only. To let others in, start the server with "
            code { "--listen 0.0.0.0:8080" } " and open it under the address that this machine has in your network."
        }
    }
}

/// A link with a button that copies it.
pub fn to_copy(id: &str, link: &str) -> Markup {
    html! {
        div class="row" {
            input id=(id) type="text" readonly value=(link) data-link;
            button type="button" class="button needs-script" data-copy=(id) { "Copy" }
        }
    }
}

/// Everything below the match.
pub fn about(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let deciding = viewed.deciding();
    html! {
        div class="more" {
            @if deciding.is_some() && can_hint(shown) {
                form method="post" action=(shown.link.to("/hint")) class="hint-form" {
                    button class="button quiet" { "Give me a hint" }
                }
            }
            (rules(shown))
            (links(shown))
            (resign(shown))
            @if shown.viewed.closed().is_none() && matches!(shown.viewed.viewer(), Viewer::Player(_)) {
                p class="needs-script sound" {
                    button type="button" class="quiet small" id="sound" aria-pressed="false" {
                        "Sound when it is my turn"
                    }
                }
            }
        }
    }
}

/// Hints are fair against the computer and where both share one screen.
fn can_hint(shown: &ShownMatch) -> bool {
    let setup = &shown.viewed.setup;
    shown.viewed.viewer() != Viewer::Spectator && (setup.one_screen || setup.seats.iter().any(SeatChoice::is_computer))
}

fn rules(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let rules = viewed.rules();
    html! {
        details id="rules" {
            summary { "The rules" }
            @if let Some(description) = described(viewed) {
                p { b { (titled(viewed)) } ": " (description) }
            }
            @for line in words::rules(&rules.mechanism, viewed.walk().aim()) { p { (line) } }
            @if let Some(limit) = rules.limit { p { (words::limit(limit, viewed.walk().aim())) } }
            p { a href="/guide/chips" { "The guide says more about bids and ties" } "." }
        }
    }
}

/// The usual name of the game, with its unusual parameters.
pub fn titled(viewed: &MatchView) -> String {
    match (viewed.info(), viewed.setup.game.split_once(':')) {
        (Some(info), Some((_, parameters))) => format!("{} ({parameters})", info.title),
        (Some(info), None) => info.title.to_string(),
        (None, _) => viewed.setup.game.clone(),
    }
}

/// The description of the game of a match in sentences: what the list of games says, or else the
/// game itself.
pub fn described(viewed: &MatchView) -> Option<String> {
    let own = || viewed.walk().description().map(|text| format!("{}.", text.trim_end_matches('.')));
    viewed.info().map(|info| info.explanation()).or_else(own)
}

/// The turns so far, with links to look back.
pub fn turns(shown: &ShownMatch) -> Markup {
    let turns = shown.viewed.turns();
    if turns.is_empty() {
        return html! { p id="turns" class="aside no-turns" { "The turns will be listed here." } };
    }
    let hidden = turns.len().saturating_sub(TURNS_SHOWN);
    html! {
        details id="turns" {
            @let name = if shown.viewed.closed().is_some() { "The turns" } else { "The turns so far" };
            summary { (name) " (" (turns.len()) ")" }
            div class="scroll" tabindex="0" role="region" aria-label=(name) {
                table {
                    thead {
                        tr {
                            th scope="col" { "Turn" }
                            th scope="col" class="alice" { "Alice bid" }
                            th scope="col" class="bob" { "Bob bid" }
                            th scope="col" { "Won by" }
                            th scope="col" { "Move" }
                        }
                    }
                    tbody {
                        @for (number, turn) in turns.iter().enumerate().skip(hidden) { (row(shown, number + 1, turn)) }
                    }
                }
            }
            @if hidden > 0 { p { "The first " (hidden) " turns are in the record." } }
        }
    }
}

fn row(shown: &ShownMatch, number: usize, turn: &MatchTurn) -> Markup {
    let bid = |player: Player| {
        let star = if turn.hands[player].has_star() && turn.star_used == Some(true) { "★" } else { "" };
        turn.bids[player].map_or_else(|| "-".to_string(), |bid| format!("{bid}{star}"))
    };
    html! {
        tr {
            th scope="row" {
                @if shown.viewed.setup.file.is_some() { (number) } @else {
                    a href=(shown.link.to_turn(number)) data-turn=(number)
                        aria-label={ "The board after turn " (number) } {
                        (number)
                    }
                }
            }
            td { (bid(Player::Alice)) } td { (bid(Player::Bob)) }
            @if turn.has_bids() { td class=(class_of(turn.winner)) { (turn.winner) } } @else { td { "no bid" } }
            td class=(class_of(turn.mover)) {
                @if turn.mover != turn.winner { (turn.mover) ": " }
                (turn.played.as_deref().unwrap_or("cannot move"))
            }
        }
    }
}

/// The turn of an earlier board, and links onwards.
pub fn past(shown: &ShownMatch, past: &PastTurn) -> Markup {
    let (all, number) = (shown.viewed.turns().len(), past.number);
    let turn = past.turn;
    let bid = |player: Player| turn.bids[player].map_or_else(|| "nothing".to_string(), |bid| bid.to_string());
    let step = |to: usize, text: &str| {
        html! { a class="button quiet small" href=(shown.link.to_turn(to)) data-turn=(to) data-step=(text) { (text) } }
    };
    html! {
        div class="past" {
            p {
                b { "Turn " (number) " of " (all) ". " }
                @if turn.has_bids() { "Alice bid " (bid(Player::Alice)) ", Bob " (bid(Player::Bob)) ". " }
                @match &turn.played {
                    Some(name) if turn.has_bids() => (words::moves(turn.mover, name, false)),
                    Some(name) => (words::moves_alone(turn.mover, name, false)),
                    None => (words::cannot_move(turn.mover)),
                }
            }
            nav class="choices" aria-label="Turns" {
                @if number > 1 { (step(number - 1, "Before")) }
                @if number < all { (step(number + 1, "Next")) }
                a class="button small" href=(shown.link.page()) data-turn="" data-step="now" { "Back to now" }
            }
        }
    }
}

fn links(shown: &ShownMatch) -> Markup {
    let id = &shown.viewed.id;
    let plays = shown.viewed.viewer() != Viewer::Spectator;
    html! {
        details id="links" {
            summary { "Share" }
            @if shown.origin.alone.is_some() {
                p { "This match is in this browser alone. Its record can be shared: others review it where they are." }
            } @else {
                label for="watch" { "The address of the match. Others watch there, and never see a hidden bid:" }
                (to_copy("watch", &format!("{}{}", shown.origin.text, shown.link.base)))
                @if shown.origin.is_local { (local_only()) }
            }
            p {
                @if plays { a href={ (shown.link.base) "?as=spectator" } { "See it as they do" } " · " }
                a href={ "/record/" (id) } download { "The record so far" }
                @if shown.viewed.closed().is_some() && !shown.viewed.walk().aim().facts().need_not_end {
                    " · " a href=(review(shown)) { "The review" }
                }
            }
            @if plays && shown.origin.alone.is_none() {
                form method="post" action=(shown.link.to("/device")) {
                    p { "This browser keeps your seat." }
                    button class="button quiet" data-leaves { "Play on another device" }
                }
            }
            @for role in &shown.link.others {
                p { a href={ (shown.link.base) "?as=" (role) } { "This browser also holds the seat of " (role) } }
            }
        }
    }
}

fn resign(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let who: Vec<Player> = viewed.viewer().players().collect();
    if viewed.closed().is_some() || who.is_empty() {
        return html! {};
    }
    html! {
        details id="resign" {
            summary { "Resign" }
            @for player in &who {
                form method="post" action=(shown.link.to("/act")) class="choices" {
                    (decide::named(shown, *player))
                    p { @if who.len() == 1 { "Give up the match? " } (player.other()) " wins then." }
                    button class="button danger" name="resign" value="yes" {
                        @if who.len() == 1 { "Yes, I resign" } @else { (player) " resigns" }
                    }
                }
            }
        }
    }
}
