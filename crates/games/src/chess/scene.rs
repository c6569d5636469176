//! Drawings of chess boards.

use richman_chess::board::{ChessBoard, Piece, square_name};
use richman_core::{Mark, MarkRole, MarkShape, Player, Scene};

use super::figures::figure;

/// The side of a square.
const SQUARE: i32 = MarkShape::FIGURE;
/// Room for the edge of the board.
const EDGE: i32 = 2;
/// The size of the names of rows and columns, and the distance of their middles from the corners of
/// squares.
const NAME: i32 = 18;
const INSET: i32 = 12;

/// The board with that player's side below. Each square is a place, named as in moves. The names of
/// rows and columns are in the corners of squares.
pub(super) fn scene(board: &ChessBoard, below: Player) -> Scene {
    let size = board.size();
    let corner = |square: u8| {
        let from_left = below.either(square % 8, size - 1 - square % 8);
        let from_top = below.either(size - 1 - square / 8, square / 8);
        [from_left, from_top].map(|at| EDGE + SQUARE * i32::from(at))
    };
    // In reading order: upper rows first, from the left.
    let mut squares: Vec<u8> = (0..size).rev().flat_map(|rank| (0..size).map(move |file| 8 * rank + file)).collect();
    if below == Player::Bob {
        squares.reverse();
    }
    let mut marks = Vec::new();
    for &square in &squares {
        let is_dark = (square / 8 + square % 8).is_multiple_of(2);
        let name = square_name(square);
        let label = match board.piece_at(square) {
            Some((player, piece)) => format!("{name}, {player}'s {}", format!("{piece:?}").to_lowercase()),
            None => format!("{name}, empty"),
        };
        let shape = MarkShape::Rectangle { at: corner(square), width: SQUARE, height: SQUARE };
        marks.push(Mark::place(shape, if is_dark { MarkRole::DarkField } else { MarkRole::LightField }, name, label));
    }
    let (first, last) = below.either((0, size - 1), (size - 1, 0));
    for line in 0..size {
        let name = |at, text| Mark::seen(MarkShape::Text { at, size: NAME, text }, MarkRole::FieldName);
        let [x, y] = corner(8 * first + line);
        let at = [x + SQUARE - INSET, y + SQUARE - INSET];
        marks.push(name(at, char::from(b'a' + line).to_string()));
        let [x, y] = corner(8 * line + if first < last { 0 } else { size - 1 });
        marks.push(name([x + INSET, y + INSET], (line + 1).to_string()));
    }
    if let Some(winner) = board.winner() {
        let king = squares.iter().find(|square| board.piece_at(**square) == Some((winner, Piece::King)));
        marks.extend(king.map(|king| {
            let at = corner(*king).map(|at| at + SQUARE / 2);
            Mark::seen(MarkShape::Disc { at, radius: SQUARE / 2 - 5 }, MarkRole::Won(winner))
        }));
    }
    for square in squares {
        if let Some((player, piece)) = board.piece_at(square) {
            let [outline, lines, foot] = figure(piece);
            let mark = |outline, look| Mark::seen(MarkShape::Figure { at: corner(square), outline }, look);
            marks.push(mark(outline, MarkRole::Figure(player)));
            marks.push(mark(lines, MarkRole::FigureLine(player)));
            marks.push(mark(foot, MarkRole::Of(player)));
        }
    }
    let side = SQUARE * i32::from(size) + 2 * EDGE;
    Scene { width: side, height: side, marks }
}
