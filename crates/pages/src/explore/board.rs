//! The board, and every move as a link.

use std::collections::{HashMap, HashSet};

use maud::{Markup, PreEscaped, html};
use richman_analysis::{AfterMove, Report};
use richman_core::{Player, Walk};
use richman_play::Action;
use richman_render::board::{BoardOptions, places, svg};
use richman_render::deciding;
use richman_render::reports::chips::cell;

use super::answer::{ExploreAnswer, MOST_MOVES};
use super::asked::ExploreFields;
use super::number::{in_decimals, short_share};
use super::page::FoundAnswer;
use crate::class_of;

const PATH: &str = "/explore";
/// A start that takes more letters is not written out.
const LONG_START: usize = 50;

/// The board with the moves of both players from here.
pub fn board(asked: &ExploreFields, walk: &dyn Walk, found: Option<&FoundAnswer>) -> Markup {
    let mover = asked.mover();
    let is_over = walk.end().is_some();
    let best = |player| best(found, player).into_iter().map(move |name| (player, name));
    let marked: Vec<(Player, String)> = Player::BOTH.into_iter().flat_map(best).collect();
    let heat = found.and_then(solved).map(|answer| deciding::heat(&answer.report)).unwrap_or_default();
    let options =
        BoardOptions { heat: &heat, mover: (!is_over).then_some(mover), marked: &marked, ..BoardOptions::default() };
    html! {
        div.frame id="board" { (PreEscaped(svg(walk, &options))) }
        @if !is_over { (pointing(asked, mover)) }
        @let notation = walk.notation();
        @if !asked.position.is_empty() || notation.len() < LONG_START {
            p.position { span.unseen { "Position " } code { (notation) } }
        }
    }
}

/// The board with the best moves, and no links.
pub fn drawn(walk: &dyn Walk, report: &Report) -> Markup {
    let of = |player: Player| report.best_moves(player).iter().map(move |name| (player, name.clone()));
    let marked: Vec<(Player, String)> = Player::BOTH.into_iter().flat_map(of).collect();
    let heat = deciding::heat(report);
    let options = BoardOptions { heat: &heat, marked: &marked, ..BoardOptions::default() };
    html! { (PreEscaped(svg(walk, &options))) }
}

fn solved(found: &FoundAnswer) -> Option<&ExploreAnswer> {
    found.worth.as_deref().ok()
}

/// The player's best moves, or the one that seems best.
fn best(found: Option<&FoundAnswer>, player: Player) -> Vec<String> {
    let Some(found) = found else { return Vec::new() };
    match (solved(found), &found.estimate) {
        (Some(answer), _) => answer.report.best_moves(player).to_vec(),
        (None, Some(estimate)) => match estimate.choices[player].as_ref().and_then(|choice| choice.then.as_ref()) {
            Some(Action::Move(name)) => vec![name.clone()],
            _ => Vec::new(),
        },
        (None, None) => Vec::new(),
    }
}

/// Whether the board shows how often each cell decides.
pub fn has_heat(report: &Report) -> bool {
    !report.cells().is_empty()
}

/// The moves of both players as links. The board points at those of the mover, if it `points` at
/// moves at all.
pub fn all_moves(asked: &ExploreFields, walk: &dyn Walk, points: bool, found: Option<&FoundAnswer>) -> Markup {
    let mover = asked.mover();
    html! {
        div.both.moves {
            @for player in Player::BOTH { (moves(asked, walk, player, points && player == mover, found)) }
        }
        @if found.and_then(solved).is_some_and(|answer| answer.then.iter().any(|then| !then.is_empty())) {
            p.small {
                "Beside a move stands what Alice needs after it to force a win, and then, where it differs, what she \
                 needs so that Bob cannot."
            }
        }
    }
}

/// Chooses the player whose moves the board's places point at.
fn pointing(asked: &ExploreFields, mover: Player) -> Markup {
    html! {
        p.pointing role="group" aria-label="Who moves when you point at the board" {
            "The board moves for "
            @for player in Player::BOTH {
                @if player == mover { b class=(class_of(player)) aria-current="true" { (player) } }
                @else {
                    @let mover = if player == Player::Bob { "bob".to_string() } else { String::new() };
                    a class=(class_of(player)) href=(ExploreFields { mover, ..asked.clone() }.link(PATH)) data-here {
                        (player)
                    }
                }
            }
        }
    }
}

/// A player's moves as links, the best ones first and marked, with what Alice needs after them.
fn moves(asked: &ExploreFields, walk: &dyn Walk, player: Player, points: bool, found: Option<&FoundAnswer>) -> Markup {
    let after = walk.after_moves(player);
    let pointed = if points { places(walk, player) } else { Vec::new() };
    let best: HashSet<String> = best(found, player).into_iter().collect();
    let mut order: Vec<usize> = (0..after.len()).collect();
    order.sort_by_key(|&at| !best.contains(&after[at].0));
    let word = if found.and_then(solved).is_some() { " best" } else { " seems best" };
    let then: HashMap<&str, &AfterMove> = found.and_then(solved).map_or_else(HashMap::new, |answer| {
        // Of moves with the same name, the first is played.
        answer.then[player].iter().rev().map(|(name, then)| (name.as_str(), then)).collect()
    });
    html! {
        section class={ "player " (class_of(player)) } {
            h3 { (player) " moves" }
            @if after.is_empty() { p.small { (player) " has no move here." } }
            ul.move-links id=[points.then_some("moves")] {
                @for at in order.into_iter().take(MOST_MOVES) {
                    @let (name, next) = &after[at];
                    @let is_best = best.contains(name);
                    li {
                        @let places = pointed.get(at).filter(|places| !places.is_empty());
                        a.move.best[is_best] href=(asked.at(&next.notation()).link(PATH)) data-here
                            data-places=[places.map(|places| places.join(" "))] {
                            (name)
                            @if is_best { span.mark { (word) } }
                        }
                        @if let Some(then) = then.get(name.as_str()) { " " span.then { (needed(then)) } }
                    }
                }
            }
            @if after.len() > MOST_MOVES {
                p.small {
                    "There are " (after.len() - MOST_MOVES) " more moves. To see one, write the position after it."
                }
            }
        }
    }
}

/// What Alice needs after a move.
fn needed(then: &AfterMove) -> String {
    match then {
        AfterMove::Money([win, draw]) if win == draw => short_share(win),
        AfterMove::Money([win, draw]) => format!("{}, {}", in_decimals(win), in_decimals(draw)),
        AfterMove::Chips([win, draw]) if win == draw => cell(win),
        AfterMove::Chips([win, draw]) => format!("{}, {}", cell(win), cell(draw)),
    }
}
