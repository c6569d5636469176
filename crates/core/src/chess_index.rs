//! A numbering of the positions of an endgame class, reflections folded.

use std::sync::LazyLock;

use crate::{ChessBoard, ChessClass, Piece, Player, squares};

/// Numbers for the positions of a class on the usual board, from 0: positions that are reflections of each other have one number.
///
/// The two kings give the first digit: 518 pairs of different squares that no reflection of the square makes equal, 2,016 where there are
/// pawns, and so only left and right can be exchanged. Each other piece gives a digit of 64, a pawn of 48, two equal ones the number of
/// their pair. A number with two pieces on one square stands for nothing, as does the larger one of two for the few positions that a
/// reflection in the diagonal with both kings leaves two.
#[derive(Debug, Clone)]
pub struct ChessIndex {
    class: ChessClass,
    groups: Vec<Group>,
    kings: &'static Kings,
    size: u64,
}

/// Equal pieces of one player.
#[derive(Debug, Clone, Copy)]
struct Group {
    player: Player,
    piece: Piece,
    is_pair: bool,
}

impl Group {
    /// The first square and the number of squares there are for such a piece.
    fn range(self) -> (u8, u64) {
        if self.piece == Piece::Pawn { (8, 48) } else { (0, 64) }
    }

    fn digits(self) -> u64 {
        let (_, count) = self.range();
        if self.is_pair { count * (count - 1) / 2 } else { count }
    }

    /// The digit of pieces on these squares.
    fn digit(self, board: &ChessBoard, map: &[u8; 64]) -> u64 {
        let (first, _) = self.range();
        let mut at =
            squares(board.pieces(self.player, self.piece)).map(|square| u64::from(map[usize::from(square)] - first));
        let one = at.next().unwrap_or(0);
        match at.next() {
            Some(two) if self.is_pair => {
                let (low, high) = (one.min(two), one.max(two));
                high * (high - 1) / 2 + low
            }
            _ => one,
        }
    }

    /// The squares of a digit.
    fn squares(self, digit: u64) -> impl Iterator<Item = u8> {
        let (first, _) = self.range();
        let found = if self.is_pair {
            let mut high = ((2 * digit) as f64).sqrt() as u64;
            while high * (high + 1) / 2 <= digit {
                high += 1;
            }
            while high * (high - 1) / 2 > digit {
                high -= 1;
            }
            [Some(high), Some(digit - high * (high - 1) / 2)]
        } else {
            [Some(digit), None]
        };
        found.into_iter().flatten().map(move |square| first + square as u8)
    }
}

/// The pairs of squares of two kings, folded.
#[derive(Debug)]
struct Kings {
    /// For the squares of Alice's and Bob's king: the number of the pair, and which reflections give the pair that stands for it.
    pairs: Vec<(u16, u8)>,
    /// The pairs that stand for themselves.
    canonical: Vec<[u8; 2]>,
}

/// What every reflection does to every square.
static REFLECTIONS: LazyLock<[[u8; 64]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|which| {
        std::array::from_fn(|square| {
            let (mut file, mut rank) = (square as u8 % 8, square as u8 / 8);
            if which & 1 != 0 {
                file = 7 - file;
            }
            if which & 2 != 0 {
                rank = 7 - rank;
            }
            if which & 4 != 0 {
                (file, rank) = (rank, file);
            }
            8 * rank + file
        })
    })
});

/// Without pawns, and with them.
static KINGS: LazyLock<[Kings; 2]> = LazyLock::new(|| [Kings::new(8), Kings::new(2)]);

impl Kings {
    fn new(reflections: usize) -> Kings {
        let image = |pair: [u8; 2], which: usize| pair.map(|square| REFLECTIONS[which][usize::from(square)]);
        let least = |pair| (0..reflections).map(|which| image(pair, which)).min().unwrap_or(pair);
        let mut canonical = Vec::new();
        let mut pairs = vec![(0, 0); 64 * 64];
        for alice in 0..64 {
            for bob in (0..64).filter(|&bob| bob != alice) {
                let pair = [alice, bob];
                let stands = least(pair);
                let number = match canonical.binary_search(&stands) {
                    Ok(number) => number,
                    Err(number) => {
                        // Pairs come in order, and each after the one that stands for it.
                        canonical.push(stands);
                        number
                    }
                };
                let which = (0..reflections)
                    .filter(|&which| image(pair, which) == stands)
                    .fold(0, |all, which| all | 1 << which);
                pairs[64 * usize::from(alice) + usize::from(bob)] = (number as u16, which);
            }
        }
        Kings { pairs, canonical }
    }
}

impl ChessIndex {
    /// The numbering of a class; `None` where a player has three equal pieces, and where there would be 2^32 numbers.
    pub fn new(class: &ChessClass) -> Option<ChessIndex> {
        let mut groups: Vec<Group> = Vec::new();
        for player in Player::BOTH {
            for &piece in &class.of(player)[1..] {
                match groups.last_mut() {
                    Some(last) if last.player == player && last.piece == piece => {
                        if last.is_pair {
                            return None;
                        }
                        last.is_pair = true;
                    }
                    _ => groups.push(Group { player, piece, is_pair: false }),
                }
            }
        }
        let kings = &KINGS[usize::from(class.pawns() > 0)];
        let count = |size: u64, group: &Group| size.checked_mul(group.digits());
        let size = groups.iter().try_fold(kings.canonical.len() as u64, count)?;
        (size < 1 << 32).then(|| ChessIndex { class: class.clone(), groups, kings, size })
    }

    /// The class.
    pub fn class(&self) -> &ChessClass {
        &self.class
    }

    /// One more than the largest number.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The number of a position of this class, with both kings.
    #[inline]
    pub fn rank(&self, board: &ChessBoard) -> u64 {
        let king = |player| board.pieces(player, Piece::King).trailing_zeros() as usize % 64;
        let (number, reflections) = self.kings.pairs[64 * king(Player::Alice) + king(Player::Bob)];
        let rank = |which: u8| {
            let map = &REFLECTIONS[usize::from(which)];
            self.groups.iter().fold(u64::from(number), |rank, group| rank * group.digits() + group.digit(board, map))
        };
        squares(u64::from(reflections)).map(rank).min().unwrap_or(0)
    }

    /// The position with a number; `None` for a number that stands for nothing.
    pub fn unrank(&self, rank: u64) -> Option<ChessBoard> {
        let mut rest = rank;
        let mut board = ChessBoard::empty(8);
        for group in self.groups.iter().rev() {
            for square in group.squares(rest % group.digits()) {
                if board.occupied() & (1 << square) != 0 {
                    return None;
                }
                board = board.with(group.player, group.piece, square);
            }
            rest /= group.digits();
        }
        for (player, &square) in Player::BOTH.into_iter().zip(self.kings.canonical.get(rest as usize)?) {
            if board.occupied() & (1 << square) != 0 {
                return None;
            }
            board = board.with(player, Piece::King, square);
        }
        (self.rank(&board) == rank).then_some(board)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_position_has_the_number_of_its_reflections() {
        // All positions of KNK and KPK, by what folds them without the index.
        // By Burnside: only the two diagonals' reflections leave positions as they are, those with all three pieces on the diagonal.
        let folded = [(64 * 63 * 62 + 2 * 8 * 7 * 6) / 8, 48 * 63 * 62 / 2];
        for (text, squares_for, positions) in [("KNK", 0..64, folded[0]), ("KPK", 8..56, folded[1])] {
            let class = ChessClass::parse(text, 8).unwrap();
            let index = ChessIndex::new(&class).unwrap();
            let piece = class.of(Player::Alice)[1];
            let mut found: HashMap<ChessBoard, u64> = HashMap::new();
            for alice in 0..64 {
                for bob in 0..64 {
                    for square in squares_for.clone() {
                        if alice == bob || alice == square || bob == square {
                            continue;
                        }
                        let board = ChessBoard::empty(8).with(Player::Alice, Piece::King, alice);
                        let board = board.with(Player::Bob, Piece::King, bob).with(Player::Alice, piece, square);
                        let rank = index.rank(&board);
                        assert!(rank < index.size());
                        let first = *found.entry(board.canonical()).or_insert(rank);
                        assert_eq!(first, rank, "{}", board.notation());
                    }
                }
            }
            let mut ranks: Vec<u64> = found.values().copied().collect();
            ranks.sort_unstable();
            ranks.dedup();
            assert_eq!(ranks.len(), found.len(), "different positions have different numbers");
            assert_eq!(found.len(), positions, "{text}");
            let known: Vec<u64> = (0..index.size()).filter(|&rank| index.unrank(rank).is_some()).collect();
            assert_eq!(known, ranks, "{text}");
        }
    }

    #[test]
    fn numbers_go_there_and_back() {
        for text in ["KK", "KQRK", "KRRK", "KBKN", "KPKR", "KPPK", "KQKQ"] {
            let class = ChessClass::parse(text, 8).unwrap();
            let index = ChessIndex::new(&class).unwrap();
            let mut boards = 0;
            for rank in (0..index.size()).step_by(1 + index.size() as usize / 5000) {
                let Some(board) = index.unrank(rank) else { continue };
                boards += 1;
                assert_eq!(index.rank(&board), rank, "{}", board.notation());
                assert_eq!(ChessClass::of_board(&board), class);
            }
            assert!(boards > 500 || text == "KK");
        }
        assert_eq!(ChessIndex::new(&ChessClass::parse("KK", 8).unwrap()).unwrap().size(), 518);
        assert!(ChessIndex::new(&ChessClass::parse("KQQQK", 8).unwrap()).is_none());
        assert!(ChessIndex::new(&ChessClass::parse("KQRBNKQR", 8).unwrap()).is_none());
    }
}
