//! Classes of chess endgames by their pieces.

use crate::board::{ChessBoard, PROMOTIONS, Piece, letter};
use richman_core::{ByPlayer, Player};

/// The pieces of both players: Alice's first, each from the king down, such as `KQK` or `KRPKB`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChessClass(ByPlayer<Vec<Piece>>);

impl ChessClass {
    /// Reads a text such as `KQK`, in any case, with the pieces after each king in any order.
    /// `None` for other texts, and for more than `most` pieces of a player.
    pub fn parse(text: &str, most: usize) -> Option<ChessClass> {
        let mut sides = [Vec::new(), Vec::new()];
        let mut kings = 0;
        for letter in text.chars() {
            let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
            kings += usize::from(piece == Piece::King);
            let side: &mut Vec<Piece> = kings.checked_sub(1).and_then(|side: usize| sides.get_mut(side))?;
            side.push(piece);
            if side.len() > most {
                return None;
            }
        }
        (kings == 2).then(|| ChessClass::new(sides.into()))
    }

    fn new(mut sides: ByPlayer<Vec<Piece>>) -> ChessClass {
        sides.iter_mut().for_each(|side| side.sort_unstable_by(|a, b| b.cmp(a)));
        ChessClass(sides)
    }

    /// The class of a position.
    pub fn of_board(board: &ChessBoard) -> ChessClass {
        ChessClass::new(ByPlayer::from_fn(|player| {
            let count = |piece| board.pieces(player, piece).count_ones() as usize;
            Piece::ALL.into_iter().flat_map(|piece| std::iter::repeat_n(piece, count(piece))).collect()
        }))
    }

    /// The pieces of a player, the king first.
    pub fn of(&self, player: Player) -> &[Piece] {
        &self.0[player]
    }

    /// The number of pieces of both players.
    pub fn pieces(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The number of pawns of both players.
    pub fn pawns(&self) -> usize {
        self.0.iter().flatten().filter(|&&piece| piece == Piece::Pawn).count()
    }

    /// The classes after one capture (not of a king) or promotion.
    pub fn next(&self) -> Vec<ChessClass> {
        let mut found = Vec::new();
        for side in Player::BOTH {
            for at in 1..self.0[side].len() {
                let mut rest = self.0.clone();
                let piece = rest[side].remove(at);
                found.push(ChessClass::new(rest.clone()));
                if piece == Piece::Pawn {
                    for promoted in PROMOTIONS {
                        let mut sides = rest.clone();
                        sides[side].push(promoted);
                        found.push(ChessClass::new(sides));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The class with the players exchanged.
    pub fn exchanged(&self) -> ChessClass {
        ChessClass(self.0.clone().swapped())
    }
}

impl std::fmt::Display for ChessClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().flatten().try_for_each(|piece| write!(f, "{}", letter(Player::Alice, *piece)))
    }
}
