//! The board to set a position up: with a button for each cell, or with places to press. Without a
//! script each button sends the form and each place has a link; the script changes the board in
//! place.

use maud::{Markup, PreEscaped, html};
use richman_core::{Player, Walk};
use richman_render::board::{BoardOptions, svg};

use super::asked::ExploreFields;
use super::cells::{ALL, BoardText, CellKind, EMPTY};
use crate::class_of;

/// The board and the pieces to put on it. `is_hexagonal` boards have rows that begin half a cell
/// further right each.
pub fn board(asked: &ExploreFields, board: &BoardText, is_hexagonal: bool, text: &str) -> Markup {
    let chosen = asked.setup.chars().next().filter(|piece| board.kind.pieces().contains(*piece)).unwrap_or(EMPTY);
    let shown = ExploreFields { position: text.to_string(), setup: String::new(), ..asked.clone() };
    html! {
        form.setup id="setup" action="/explore" method="get" data-kind=(kind_word(board.kind)) data-text=(text) {
            @for (name, value) in shown.given() { input type="hidden" name=(name) value=(value); }
            // Enter among the pieces sends the form without a cell.
            button.unseen type="submit" tabindex="-1" { "Choose this piece" }
            (cells(board, is_hexagonal))
            (palette(board.kind, chosen))
            p.tools {
                button.quiet type="submit" name="put" value=(ALL) { "Empty the board" }
                (ways_back(asked))
            }
            p.small {
                "Press a cell to put the chosen piece there. Press it again to take the piece away."
            }
        }
    }
}

/// The board of a game whose places are pressed without a piece in hand. The links do the same.
pub fn places(asked: &ExploreFields, walk: &dyn Walk) -> Markup {
    let options = BoardOptions { set_up: true, ..BoardOptions::default() };
    html! {
        section.setup id="setup" aria-label="Set up the board" {
            div.frame id="board" { (PreEscaped(svg(walk, &options))) }
            p.position { span.unseen { "Position " } code { (walk.notation()) } }
            p.small { "Press a place of the board to change it." }
            details {
                summary { "All changes" }
                ul.move-links id="moves" {
                    @for (mark, to) in walk.set_up() {
                        li {
                            a.move href=(asked.at(&to).link("/explore")) data-here data-places=[mark.place] {
                                (mark.label)
                            }
                        }
                    }
                }
            }
            p.tools { (ways_back(asked)) }
        }
    }
}

/// To the start, and out of the set-up.
fn ways_back(asked: &ExploreFields) -> Markup {
    let plain = ExploreFields { setup: String::new(), ..asked.clone() };
    html! {
        a.button.quiet href=(asked.at("").link("/explore") + "#setup") data-here { "Back to the start" }
        a.button href=(plain.link("/explore")) data-here { "Done" }
    }
}

fn kind_word(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Stones => "stones",
        CellKind::Squares => "squares",
    }
}

fn palette(kind: CellKind, chosen: char) -> Markup {
    let piece = |piece: char| {
        let id = format!("piece-{}", if piece == EMPTY { "none".to_string() } else { piece.to_string() });
        let owner = kind.owner(piece);
        html! {
            span.piece {
                input type="radio" id=(id) name="setup" value=(piece) checked[piece == chosen];
                label for=(id) class=[owner.map(class_of)] {
                    span.mark-of aria-hidden="true" { (symbol(kind, piece)) } " "
                    span class=[(kind == CellKind::Squares).then_some("unseen")] { (piece_words(kind, piece)) }
                }
            }
        }
    };
    html! {
        fieldset.palette {
            legend { "The piece to put" }
            @for one in kind.pieces().chars() { (piece(one)) }
            (piece(EMPTY))
        }
    }
}

fn cells(board: &BoardText, is_hexagonal: bool) -> Markup {
    let half = |row: usize| if is_hexagonal { row } else { 0 };
    let width = |(row, cells): (usize, &Vec<char>)| half(row) + 2 * cells.len();
    let widest = board.rows.iter().enumerate().map(width).max().unwrap_or(0);
    let before = |row: usize| board.rows[..row].iter().map(Vec::len).sum::<usize>();
    html! {
        div class={ "cells " (kind_word(board.kind)) @if is_hexagonal { " hexagons" } } role="group"
            aria-label="The board" {
            @for (row, cells) in board.rows.iter().enumerate() {
                div.cell-row {
                    @for _ in 0..half(row) { span.half {} }
                    @for (col, &piece) in cells.iter().enumerate() {
                        (cell(board, (row, col), before(row) + col, piece))
                    }
                    @for _ in width((row, cells))..widest { span.half {} }
                }
            }
        }
    }
}

fn cell(board: &BoardText, (row, col): (usize, usize), number: usize, piece: char) -> Markup {
    let owner = board.kind.owner(piece).map(class_of).unwrap_or_default();
    let shade = if board.kind == CellKind::Squares && (row + col) % 2 == 1 { " dark" } else { "" };
    let name = board.name(row, col);
    html! {
        button type="submit" name="put" value=(number) id={ "cell-" (number) } class={ "cell" (shade) " " (owner) }
            data-name=(name) data-piece=(piece) aria-label={ (name) ", " (piece_words(board.kind, piece)) } {
            @if piece != EMPTY { (symbol(board.kind, piece)) }
        }
    }
}

/// A piece in words.
fn piece_words(kind: CellKind, piece: char) -> String {
    let Some(owner) = kind.owner(piece) else { return "empty".to_string() };
    let name = match (kind, piece.to_ascii_lowercase()) {
        (CellKind::Stones, _) => return format!("{owner}'s"),
        (_, 'k') => "king",
        (_, 'q') => "queen",
        (_, 'r') => "rook",
        (_, 'b') => "bishop",
        (_, 'n') => "knight",
        _ => "pawn",
    };
    format!("{owner}'s {name}")
}

/// A piece as a sign. The last letter of those of chess asks for text in place of a picture.
fn symbol(kind: CellKind, piece: char) -> String {
    let sign = match (kind, piece.to_ascii_lowercase()) {
        (_, EMPTY) => return "\u{2715}".to_string(),
        (CellKind::Stones, _) => return piece.to_string(),
        (_, 'k') => '\u{265a}',
        (_, 'q') => '\u{265b}',
        (_, 'r') => '\u{265c}',
        (_, 'b') => '\u{265d}',
        (_, 'n') => '\u{265e}',
        _ => '\u{265f}',
    };
    format!("{sign}\u{fe0e}")
}

/// The piece that is chosen at first.
pub fn first_piece(kind: CellKind) -> String {
    kind.pieces().chars().find(|piece| kind.owner(*piece) == Some(Player::Alice)).unwrap_or(EMPTY).to_string()
}
