//! Drawings of chess boards. Pieces are outlines and need no font.

use richman_chess::board::{ChessBoard, Piece, square_name};
use richman_core::{Mark, MarkRole, MarkShape, Scene};

/// The side of a square; outlines are drawn within one.
const SQUARE: i32 = 100;
/// Room for the names of rows and columns.
const MARGIN: i32 = 70;
const NAME: i32 = 40;

/// The board seen from Alice's side. Each square is a place, named as in moves.
pub(super) fn scene(board: &ChessBoard) -> Scene {
    let size = board.size();
    let corner = |square: u8| {
        let (file, rank) = (i32::from(square % 8), i32::from(square / 8));
        [MARGIN + SQUARE * file, SQUARE * (i32::from(size) - 1 - rank)]
    };
    let squares = || (0..size).rev().flat_map(move |rank| (0..size).map(move |file| 8 * rank + file));
    let mut marks = Vec::new();
    for line in 0..size {
        let name = |at, text| Mark::seen(MarkShape::Text { at, size: NAME, text }, MarkRole::Guide);
        let [x, y] = corner(9 * line);
        marks.push(name([x + SQUARE / 2, SQUARE * i32::from(size) + MARGIN / 2], char::from(b'a' + line).to_string()));
        marks.push(name([MARGIN / 2, y + SQUARE / 2], (line + 1).to_string()));
    }
    for square in squares() {
        let is_dark = (square / 8 + square % 8).is_multiple_of(2);
        let name = square_name(square);
        let label = match board.piece_at(square) {
            Some((player, piece)) => format!("{name}, {player}'s {}", format!("{piece:?}").to_lowercase()),
            None => format!("{name}, empty"),
        };
        let shape = MarkShape::Rectangle { at: corner(square), width: SQUARE, height: SQUARE };
        marks.push(Mark::place(shape, if is_dark { MarkRole::DarkField } else { MarkRole::Field }, name, label));
    }
    for square in squares() {
        if let Some((player, piece)) = board.piece_at(square) {
            let shapes = outline(piece).into_iter().map(|shape| moved(shape, corner(square)));
            marks.extend(shapes.map(|shape| Mark::seen(shape, MarkRole::Of(player))));
        }
    }
    let side = SQUARE * i32::from(size) + MARGIN;
    Scene { width: side + 2, height: side + 2, marks }
}

fn moved(shape: MarkShape, [right, down]: [i32; 2]) -> MarkShape {
    let to = |[x, y]: [i32; 2]| [x + right, y + down];
    match shape {
        MarkShape::Disc { at, radius } => MarkShape::Disc { at: to(at), radius },
        MarkShape::Polygon { points } => MarkShape::Polygon { points: points.into_iter().map(to).collect() },
        other => other,
    }
}

/// The shapes of a piece within a square, from back to front.
fn outline(piece: Piece) -> Vec<MarkShape> {
    let polygon = |points: &[[i32; 2]]| MarkShape::Polygon { points: points.to_vec() };
    /// A polygon symmetric about the middle, from its left half from the bottom up.
    fn even(left: &[[i32; 2]]) -> MarkShape {
        let right = left.iter().rev().map(|&[x, y]| [SQUARE - x, y]);
        MarkShape::Polygon { points: left.iter().copied().chain(right).collect() }
    }
    let foot = polygon(&[[24, 90], [76, 90], [76, 80], [24, 80]]);
    let disc = |at, radius| MarkShape::Disc { at, radius };
    match piece {
        Piece::Pawn => vec![even(&[[30, 90], [32, 80], [43, 62], [46, 48]]), disc([50, 38], 15)],
        Piece::Knight => vec![
            polygon(&[
                [36, 80],
                [38, 72],
                [50, 56],
                [38, 60],
                [30, 62],
                [22, 56],
                [26, 46],
                [34, 32],
                [40, 24],
                [42, 12],
                [52, 20],
                [66, 30],
                [74, 50],
                [74, 80],
            ]),
            foot,
        ],
        Piece::Bishop => vec![even(&[[36, 80], [42, 66], [34, 50], [38, 36], [50, 20]]), disc([50, 16], 6), foot],
        Piece::Rook => {
            vec![even(&[[34, 80], [36, 42], [28, 36], [28, 18], [38, 18], [38, 26], [45, 26], [45, 18]]), foot]
        }
        Piece::Queen => vec![
            polygon(&[
                [32, 80],
                [18, 34],
                [34, 52],
                [36, 24],
                [46, 48],
                [50, 20],
                [54, 48],
                [64, 24],
                [66, 52],
                [82, 34],
                [68, 80],
            ]),
            disc([18, 30], 5),
            disc([36, 20], 5),
            disc([50, 15], 5),
            disc([64, 20], 5),
            disc([82, 30], 5),
            foot,
        ],
        Piece::King => vec![
            polygon(&[
                [46, 34],
                [46, 24],
                [38, 24],
                [38, 17],
                [46, 17],
                [46, 9],
                [54, 9],
                [54, 17],
                [62, 17],
                [62, 24],
                [54, 24],
                [54, 34],
            ]),
            even(&[[32, 80], [20, 54], [24, 40], [36, 36], [46, 42], [50, 34]]),
            foot,
        ],
    }
}
