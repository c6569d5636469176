//! The forms for decisions: a bid, the star, a move.

use maud::{Markup, html};
use richman_core::Player;
use richman_hall::Viewer;
use richman_play::{Decision, TurnStage};
use richman_render::board;
use richman_render::words::joined;

use super::fragment::{Notice, ShownMatch};
use crate::class_of;

/// With at least this many possible bids there is a slider.
const LONG: u32 = 24;
/// More moves than this are chosen from a list.
const BUTTONS: usize = 48;
/// More moves than this are typed.
const LISTED: usize = 500;
/// More amounts than this are typed too.
const AMOUNTS: usize = 64;

/// How to move.
const POINT: &str = "Tap or click a marked place on the board";

/// The viewer's decision, or the player to wait for.
pub fn decision(shown: &ShownMatch) -> Markup {
    let Some((player, decision)) = shown.viewed.deciding() else { return waiting(shown) };
    html! {
        section class={ "action " (class_of(player)) } aria-label="Your decision" {
            @match decision {
                Decision::Bid => (bid(shown, player)),
                Decision::Star { bid } => (star(shown, player, bid)),
                Decision::Move { may_let } => (moving(shown, player, may_let)),
            }
        }
    }
}

fn waiting(shown: &ShownMatch) -> Markup {
    let view = &shown.view;
    if shown.viewed.closed().is_some() {
        return super::about::after(shown);
    }
    html! {
        section class="action waiting" aria-label="Waiting" {
            @if let Some(bid) = view.own_bid {
                p { "Your bid of " b { (bid) } " is sealed. It is shown when both bids are in." }
            }
            p class="patience" { span class="dots" aria-hidden="true" {} " " (match view.stage {
                TurnStage::Bids { .. } => "The page goes on by itself as soon as the other bid is in.",
                _ => "The page goes on by itself.",
            }) }
            noscript { p { a href=(shown.link.page()) { "Look again" } } }
        }
    }
}

/// The start of every form: the player and the number of the action.
pub fn named(shown: &ShownMatch, player: Player) -> Markup {
    html! {
        input type="hidden" name="step" value=(shown.viewed.steps[player]);
        @if shown.viewed.viewer() == Viewer::Both { input type="hidden" name="player" value=(player); }
    }
}

fn act(shown: &ShownMatch) -> String {
    shown.link.to("/act")
}

fn bid(shown: &ShownMatch, player: Player) -> Markup {
    let both = shown.viewed.viewer() == Viewer::Both;
    let sealed = shown.viewed.rules().mechanism.bidding.first().is_none();
    if both && sealed && shown.given()[player.other()] {
        return html! {
            details id="curtain" class="curtain" {
                summary {
                    span { b { (player.other()) " has bid." } " Hand over to " (player) "." }
                    span class="button" { "I am " (player) ": my bid" }
                }
                (bid_form(shown, player, true))
            }
        };
    }
    html! {
        @if let TurnStage::Bids { named: Some(named), .. } = shown.view.stage {
            p { (player.other()) " bids " b { (named) } ". What do you answer?" }
        } @else if both && sealed {
            p { b { (player.other()) } ", look away while " b { (player) } " bids." }
        }
        (bid_form(shown, player, both && sealed))
        @if shown.viewed.invitation.is_some() { p class="aside" { "You can bid before your friend is here." } }
    }
}

fn bid_form(shown: &ShownMatch, player: Player, hidden: bool) -> Markup {
    let ranges = &shown.view.bids;
    let (low, high) = (ranges.first().map_or(0, |range| range[0]), ranges.last().map_or(0, |range| range[1]));
    let amounts = ranges.iter().map(|[low, high]| u64::from(high - low) + 1).sum::<u64>();
    let one_range = ranges.len() <= 1;
    let typed = match &shown.told {
        Some(Notice::Refused(_, typed)) if !hidden => typed.as_deref(),
        _ => None,
    };
    let label = if shown.is_you(player) { "Your bid".to_string() } else { format!("{player}'s bid") };
    html! {
        form method="post" action=(act(shown)) class="bid" autocomplete="off" {
            (named(shown, player))
            label for="bid" {
                (label) " " span class="aside" { (allowed(ranges)) @if hidden { ", not shown" } }
            }
            div class="row" {
                @if hidden {
                    input id="bid" name="bid" type="password" inputmode="numeric" autocomplete="one-time-code" required
                        pattern="[0-9]*" maxlength="9" size="6";
                } @else if !one_range && amounts <= AMOUNTS as u64 {
                    select id="bid" name="bid" required {
                        option value="" { "choose" }
                        @for amount in ranges.iter().flat_map(|[low, high]| *low..=*high) {
                            option value=(amount) { (amount) }
                        }
                    }
                } @else {
                    button type="button" class="step needs-script" data-add="-1" aria-label="One less" { "−" }
                    input id="bid" name="bid" type="number" inputmode="numeric" required min=(low) max=(high) step="1"
                        value=[typed]
                        aria-describedby=[typed.map(|_| "refused")];
                    button type="button" class="step needs-script" data-add="1" aria-label="One more" { "+" }
                }
                button class="button" { "Bid" }
            }
            @if !hidden && one_range && high > low { (presets(shown, player, [low, high])) }
            @if !hidden && one_range && high - low >= LONG {
                div class="quick needs-script" {
                    input type="range" class="slider" min=(low) max=(high)
                        value=(typed.and_then(|typed| typed.parse().ok()).unwrap_or(low))
                        aria-label=(format!("{label}, by a slider")) data-slider="bid";
                }
            }
        }
    }
}

/// Amounts to choose at once.
fn presets(shown: &ShownMatch, player: Player, [low, high]: [u32; 2]) -> Markup {
    let half = shown.view.hands[player].chips() / 2;
    let mut amounts = Vec::new();
    if let Some(sure) = shown.viewed.sure_bid(player).filter(|sure| (low..high).contains(sure)) {
        amounts.push((sure, "cannot be beaten"));
    }
    if (low + 1..high).contains(&half) {
        amounts.push((half, "half"));
    }
    amounts.push((high, "all"));
    html! {
        div class="presets needs-script" role="group" aria-label="Amounts to choose" {
            @for (amount, what) in amounts {
                button type="button" class="preset" data-bid=(amount) { b { (amount) } " " (what) }
            }
        }
    }
}

/// The amounts that may be bid, in words.
fn allowed(ranges: &[[u32; 2]]) -> String {
    const SHOWN: usize = 12;
    let mut words: Vec<String> = Vec::new();
    for &[low, high] in ranges.iter().take(SHOWN) {
        match high - low {
            0 => words.push(low.to_string()),
            1 => words.extend([low.to_string(), high.to_string()]),
            _ => words.push(format!("{low} to {high}")),
        }
    }
    if ranges.len() > SHOWN {
        return words.join(", ") + ", ...";
    }
    if words.is_empty() { "no bid is allowed".to_string() } else { joined(&words, "or") }
}

fn star(shown: &ShownMatch, player: Player, bid: u32) -> Markup {
    html! {
        @if !shown.viewed.setup.guided { (what_the_star_does(shown, player, bid)) }
        form method="post" action=(act(shown)) class="choices" {
            (named(shown, player))
            button class="button gold" name="star" value="use" { "Use the star" }
            button class="button quiet" name="star" value="keep" { "Keep the star" }
        }
    }
}

fn what_the_star_does(shown: &ShownMatch, player: Player, bid: u32) -> Markup {
    let other = player.other();
    html! {
        p {
            @if shown.is_you(player) { "You hold" } @else { (player) " holds" }
            " the star " span class="star" aria-hidden="true" { "★" } ". Using it wins this tie: "
            @match bid { 0 => "nothing is paid", 1 => "1 chip is paid", _ => { (bid) " chips are paid" } }
            ", and the star goes to " (other) ". Keeping it lets " (other) " win the bid and pay."
        }
    }
}

fn moving(shown: &ShownMatch, player: Player, may_let: bool) -> Markup {
    let moves = &shown.view.moves;
    let other = player.other();
    let let_other = html! {
        @if may_let { button class="button quiet small" name="let" value="yes" formnovalidate {
                "Let " (other) " move instead"
            } }
    };
    if moves.is_empty() {
        return html! {
            p { @if shown.is_you(player) { "You" } @else { (player) } " cannot move here." }
            form method="post" action=(act(shown)) class="choices" {
                (named(shown, player))
                button class="button" name="stay" value="yes" { "End the game" }
                (let_other)
            }
        };
    }
    let pointing = board::places(shown.viewed.walk(), player);
    let can_point = pointing.iter().any(|places| !places.is_empty());
    html! {
        form method="post" action=(act(shown)) class="moves" id="moves" {
            (named(shown, player))
            @if moves.len() <= BUTTONS {
                @let choices = by_name(moves, &pointing);
                @if can_point {
                    p class="needs-script pointing" { (POINT) "." }
                    details id="by-name" {
                        summary { "Choose the move by its name" }
                        (choices)
                    }
                } @else {
                    p { "Choose a move:" }
                    (choices)
                }
            } @else {
                label for="move" {
                    "Your move"
                    @if can_point { span class="needs-script" { ": tap or click a marked place, or choose" } }
                }
                div class="row" {
                    @if moves.len() <= LISTED {
                        select id="move" name="move" required {
                            option value="" { "choose a move" }
                            @for (name, places) in moves.iter().zip(&pointing) {
                                option value=(name) data-places=[(!places.is_empty()).then(|| places.join(" "))] {
                                    (short(name))
                                }
                            }
                        }
                    } @else {
                        input id="move" name="move" type="text" autocomplete="off";
                    }
                    button class="button" { "Move" }
                }
                @if moves.len() > LISTED {
                    @let some = moves.iter().take(8).map(|name| short(name)).collect::<Vec<_>>().join(", ");
                    p class="aside" { "Such as " (some) ", ..." }
                }
            }
            @if may_let { p class="let" { (let_other) } }
        }
    }
}

/// A button for each move, with the places that stand for it.
fn by_name(moves: &[String], pointing: &[Vec<String>]) -> Markup {
    let places = pointing.iter().map(|places| places.join(" ")).chain(std::iter::repeat(String::new()));
    html! {
        div class="choices" role="group" aria-label="Moves" {
            @for (name, places) in moves.iter().zip(places) {
                button class="button move" name="move" value=(name)
                    data-places=[(!places.is_empty()).then_some(&places)] { (short(name)) }
            }
        }
    }
}

/// Whether the moves of the viewer's decision are chosen from a list, or typed.
pub fn has_list(shown: &ShownMatch) -> bool {
    shown.view.moves.len() > BUTTONS
}

/// A name that fits on a button.
pub fn short(name: &str) -> String {
    const LONGEST: usize = 40;
    if name.chars().count() <= LONGEST { name.to_string() } else { name.chars().take(LONGEST).chain(['…']).collect() }
}
