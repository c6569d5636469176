//! The board, every move as a link, and links that change single cells.

use std::collections::{HashMap, HashSet};

use maud::{Markup, PreEscaped, html};
use richman_analysis::{AfterMove, Report, Subject};
use richman_core::{Player, Walk};
use richman_render::board::{BoardOptions, places, svg};
use richman_render::deciding;
use richman_render::report::cell;

use super::answer::{ExploreAnswer, MOST_MOVES};
use super::asked::ExploreFields;
use super::number::{in_decimals, short_share};
use crate::pages::class_of;

const PATH: &str = "/explore";

/// The board with the moves of both players from here.
pub fn board(asked: &ExploreFields, walk: &dyn Walk, answer: Option<&ExploreAnswer>) -> Markup {
    let mover = asked.mover();
    let is_over = walk.end().is_some();
    let best =
        |player| answer.map_or(&[][..], |answer| answer.best(player)).iter().map(move |name| (player, name.clone()));
    let marked: Vec<(Player, String)> = Player::BOTH.into_iter().flat_map(best).collect();
    let heat = match answer.map(|answer| &answer.report) {
        Some(Report::Money(report)) => deciding::heat(report),
        _ => Vec::new(),
    };
    let options =
        BoardOptions { heat: &heat, mover: (!is_over).then_some(mover), marked: &marked, ..BoardOptions::default() };
    html! {
        div.frame id="board" { (PreEscaped(svg(walk, &options))) }
        @if !heat.is_empty() {
            p.small { "In a cell: how often it decides who wins, in percent, when the others are filled at random." }
        }
        p.position { "Position " code { (walk.notation()) } }
        @if !is_over { (pointing(asked, mover)) }
        p.back {
            @if !asked.position.is_empty() { a href=(asked.at("").link(PATH)) { "Back to the start" } }
        }
        @if !is_over {
            div.both.moves {
                @for player in Player::BOTH { (moves(asked, walk, player, player == mover, answer)) }
            }
            @if answer.is_some_and(|answer| answer.then.iter().any(|then| !then.is_empty())) {
                p.small {
                    "Beside a move: what Alice needs after it to force a win; then, where it differs, what she needs \
                     so that Bob cannot."
                }
            }
        }
    }
}

/// Chooses the player whose moves the board's places point at.
fn pointing(asked: &ExploreFields, mover: Player) -> Markup {
    html! {
        p.pointing role="group" aria-label="Who moves when you point at the board" {
            "Pointing at the board moves for "
            @for player in Player::BOTH {
                @if player == mover { b class=(class_of(player)) aria-current="true" { (player) } }
                @else {
                    @let mover = if player == Player::Bob { "bob".to_string() } else { String::new() };
                    a class=(class_of(player)) href=(ExploreFields { mover, ..asked.clone() }.link(PATH)) { (player) }
                }
                @if player == Player::Alice { " · " }
            }
        }
    }
}

/// A player's moves as links, the best ones marked, with what Alice needs after them.
fn moves(
    asked: &ExploreFields,
    walk: &dyn Walk,
    player: Player,
    points: bool,
    answer: Option<&ExploreAnswer>,
) -> Markup {
    let after = walk.after_moves(player);
    let pointed = if points { places(walk, player) } else { Vec::new() };
    let best: HashSet<&String> = answer.iter().flat_map(|answer| answer.best(player)).collect();
    let then: HashMap<&str, &AfterMove> = answer.map_or_else(HashMap::new, |answer| {
        // Of moves with the same name, the first is played.
        answer.then[player].iter().rev().map(|(name, then)| (name.as_str(), then)).collect()
    });
    html! {
        section class={ "player " (class_of(player)) } {
            h3 { (player) " moves" }
            @if after.is_empty() { p.small { (player) " has no move here." } }
            ul.move-links id=[points.then_some("moves")] {
                @for (at, (name, next)) in after.iter().enumerate().take(MOST_MOVES) {
                    @let is_best = best.contains(name);
                    li {
                        @let places = pointed.get(at).filter(|places| !places.is_empty());
                        a.move.best[is_best] href=(asked.at(&next.notation()).link(PATH))
                            data-places=[places.map(|places| places.join(" "))] {
                            (name)
                            @if is_best { span.mark { " best" } }
                        }
                        @if let Some(then) = then.get(name.as_str()) { " " span.then { (needed(then)) } }
                    }
                }
            }
            @if after.len() > MOST_MOVES { p.small { "and " (after.len() - MOST_MOVES) " more: write the position." } }
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

/// Links that change a cell from empty to Alice's to Bob's, if the notation writes a board cell by
/// cell.
pub fn cells(asked: &ExploreFields, subject: &Subject, walk: &dyn Walk) -> Option<Markup> {
    const MOST_CELLS: usize = 100;
    let notation = walk.notation();
    let is_board = notation.contains('/') && notation.chars().all(|letter| "AB./".contains(letter));
    if !is_board || notation.len() > MOST_CELLS {
        return None;
    }
    let changed = |at: usize, to: char| -> Option<String> {
        let text: String = notation.chars().enumerate().map(|(i, old)| if i == at { to } else { old }).collect();
        subject.walk(Some(&text)).is_ok().then_some(text)
    };
    let next = |at: usize, now: char| -> Option<(char, String)> {
        let order = ['.', 'A', 'B'];
        let from = order.iter().position(|&letter| letter == now)?;
        (1..3).find_map(|step| {
            let to = order[(from + step) % 3];
            changed(at, to).map(|text| (to, text))
        })
    };
    let letters: Vec<(usize, char)> = notation.chars().enumerate().collect();
    let rows = letters.split(|(_, letter)| *letter == '/');
    Some(html! {
        details.setup {
            summary { "Set up cells" }
            p.small { "Each press changes a cell: empty, Alice's, Bob's." }
            table.cells {
                tbody {
                    @for (number, row) in (1..).zip(rows) {
                        tr {
                            @for (column, &(at, now)) in (1..).zip(row) {
                                td {
                                    @let (class, word, shown) = cell_of(now);
                                    @match next(at, now) {
                                        Some((to, text)) => {
                                            a class=(class) href=(asked.at(&text).link(PATH))
                                                aria-label=(format!(
                                                    "row {number}, column {column}: {word}; make it {}",
                                                    cell_of(to).1
                                                )) { (shown) }
                                        }
                                        None => { span class=(class) { (shown) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    })
}

/// The class, the meaning and the symbol of a cell.
fn cell_of(letter: char) -> (&'static str, &'static str, char) {
    match letter {
        'A' => ("cell alice", "Alice's", 'A'),
        'B' => ("cell bob", "Bob's", 'B'),
        _ => ("cell", "empty", '·'),
    }
}
