//! A numbering of the positions of an endgame class up to reflection.

use std::sync::LazyLock;

use super::symmetry::image;
use crate::board::{ChessBoard, ChessClass, Piece, squares};
use richman_core::Player;

/// Numbers the positions of a class from 0. Reflections of a position share a number.
///
/// The two kings give the first digit. On the usual board there are 518 pairs of different squares
/// up to reflection, or 2,016 with pawns, when only left and right can be exchanged. Each other
/// piece gives a digit of 64, a pawn of 48, and two equal pieces the number of their pair. A number
/// stands for no position if two of its pieces share a square, or if it is the larger of two
/// numbers of a position. Few positions have two: a diagonal reflection fixes their kings.
#[derive(Debug, Clone)]
pub struct ChessIndex {
    class: ChessClass,
    groups: Vec<Group>,
    kings: &'static Kings,
    /// The number of squares in a row.
    row: u8,
    size: u64,
}

/// Equal pieces of one player.
#[derive(Debug, Clone, Copy)]
struct Group {
    player: Player,
    piece: Piece,
    is_pair: bool,
    size: u8,
}

impl Group {
    /// The first index of a square for such a piece, and the number of squares.
    fn range(self) -> (u8, u64) {
        let size = u64::from(self.size);
        if self.piece == Piece::Pawn { (self.size, size * (size - 2)) } else { (0, size * size) }
    }

    fn digits(self) -> u64 {
        let (_, count) = self.range();
        if self.is_pair { count * (count - 1) / 2 } else { count }
    }

    fn digit(self, board: &ChessBoard, map: &[u8; 64]) -> u64 {
        let (first, _) = self.range();
        let cell = |square| u64::from(map[usize::from(square)] - first);
        let mut at = squares(board.pieces(self.player, self.piece)).map(cell);
        let one = at.next().unwrap_or(0);
        match at.next() {
            Some(two) if self.is_pair => {
                let (low, high) = (one.min(two), one.max(two));
                high * (high - 1) / 2 + low
            }
            _ => one,
        }
    }

    fn squares(self, digit: u64) -> impl Iterator<Item = u8> {
        let (first, _) = self.range();
        let found = if self.is_pair {
            let mut high = 1;
            while high * (high + 1) / 2 <= digit {
                high += 1;
            }
            [Some(high), Some(digit - high * (high - 1) / 2)]
        } else {
            [Some(digit), None]
        };
        found.into_iter().flatten().map(move |cell| square(first + cell as u8, self.size))
    }
}

/// The square of an index; indices count squares rank by rank without gaps.
fn square(cell: u8, size: u8) -> u8 {
    8 * (cell / size) + cell % size
}

/// The pairs of squares of two kings, up to reflection.
#[derive(Debug)]
struct Kings {
    /// For the squares of Alice's and Bob's king: the number of the pair, and the reflections that
    /// map it to its representative.
    pairs: Vec<(u16, u8)>,
    /// The representative pairs of indices.
    canonical: Vec<[u8; 2]>,
    /// For every reflection, the index of each square's image.
    reflections: Vec<[u8; 64]>,
}

/// For every size of the board, without and with pawns.
static KINGS: LazyLock<Vec<[Kings; 2]>> =
    LazyLock::new(|| (0..=8).map(|size| [Kings::new(size, 8), Kings::new(size, 2)]).collect());

fn reflection(size: u8, which: u32) -> [u8; 64] {
    std::array::from_fn(|square| {
        if square as u8 % 8 >= size || square as u8 / 8 >= size {
            return 0;
        }
        let to = image(1 << square, which, size).trailing_zeros() as u8;
        size * (to / 8) + to % 8
    })
}

impl Kings {
    fn new(size: u8, reflections: u32) -> Kings {
        let reflections: Vec<[u8; 64]> = (0..reflections).map(|which| reflection(size, which)).collect();
        let image = |pair: [u8; 2], map: &[u8; 64]| pair.map(|square| map[usize::from(square)]);
        let mut canonical = Vec::new();
        let mut pairs = vec![(0, 0); 64 * 64];
        let squares = || (0..size * size).map(|cell| square(cell, size));
        for alice in squares() {
            for bob in squares().filter(|&bob| bob != alice) {
                let images = || reflections.iter().map(|map| image([alice, bob], map));
                let Some(stands) = images().min() else { continue };
                let number = match canonical.binary_search(&stands) {
                    Ok(number) => number,
                    Err(number) => {
                        // Pairs come in order, representatives first.
                        canonical.push(stands);
                        number
                    }
                };
                let which = (0..)
                    .zip(images())
                    .filter(|(_, image)| *image == stands)
                    .fold(0, |all, (which, _)| all | 1 << which);
                pairs[64 * usize::from(alice) + usize::from(bob)] = (number as u16, which);
            }
        }
        Kings { pairs, canonical, reflections }
    }
}

impl ChessIndex {
    /// The numbering of a class on a board of `row` x `row` squares, 4 to 8. `None` for other
    /// sizes, for three equal pieces of a player, and for 2^32 numbers or more.
    pub fn new(class: &ChessClass, row: u8) -> Option<ChessIndex> {
        if !(4..=8).contains(&row) {
            return None;
        }
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
                    _ => groups.push(Group { player, piece, is_pair: false, size: row }),
                }
            }
        }
        let kings = &KINGS[usize::from(row)][usize::from(class.pawns() > 0)];
        let count = |size: u64, group: &Group| size.checked_mul(group.digits());
        let size = groups.iter().try_fold(kings.canonical.len() as u64, count)?;
        (size < 1 << 32).then(|| ChessIndex { class: class.clone(), groups, kings, row, size })
    }

    /// The numbered class.
    pub fn class(&self) -> &ChessClass {
        &self.class
    }

    /// One more than the largest number.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The number of positions up to reflection, by Burnside's lemma.
    pub fn positions(&self) -> u64 {
        let reflections = &self.kings.reflections;
        reflections.iter().map(|map| self.left_alone(map)).sum::<u64>() / reflections.len() as u64
    }

    /// The placements that a reflection fixes.
    fn left_alone(&self, map: &[u8; 64]) -> u64 {
        let image = |cell: u8| map[usize::from(square(cell, self.row))];
        // The squares that it fixes, and the pairs of squares that it exchanges.
        let free = |cells: std::ops::Range<u8>| {
            let alone = cells.clone().filter(|&cell| image(cell) == cell).count() as u64;
            let pairs = cells.filter(|&cell| image(cell) > cell && image(image(cell)) == cell).count() as u64;
            [alone, pairs]
        };
        let all = free(0..self.row * self.row);
        let of_pawns = free(self.row..self.row * (self.row - 1));
        let (pawns, others): (Vec<Group>, Vec<Group>) =
            self.groups.iter().partition(|group| group.piece == Piece::Pawn);
        let pawns = pawns.into_iter().map(|group| (of_pawns, group.is_pair));
        // Pawns come first, because the others can use all remaining squares.
        let others = others.into_iter().map(|group| (all, group.is_pair));
        ways(&pawns.chain(others).chain([(all, false); 2]).collect::<Vec<_>>(), [0, 0])
    }

    /// The number of a position of this class with both kings.
    #[inline]
    pub fn rank(&self, board: &ChessBoard) -> u64 {
        let king = |player| board.pieces(player, Piece::King).trailing_zeros() as usize % 64;
        let (number, reflections) = self.kings.pairs[64 * king(Player::Alice) + king(Player::Bob)];
        let rank = |which: u8| {
            let map = &self.kings.reflections[usize::from(which)];
            self.groups.iter().fold(u64::from(number), |rank, group| rank * group.digits() + group.digit(board, map))
        };
        squares(u64::from(reflections)).map(rank).min().unwrap_or(0)
    }

    /// The position with a number; `None` if there is none.
    pub fn unrank(&self, rank: u64) -> Option<ChessBoard> {
        let mut rest = rank;
        let mut board = ChessBoard::empty(self.row);
        for group in self.groups.iter().rev() {
            for square in group.squares(rest % group.digits()) {
                if board.occupied() & (1 << square) != 0 {
                    return None;
                }
                board = board.with(group.player, group.piece, square);
            }
            rest /= group.digits();
        }
        for (player, &cell) in Player::BOTH.into_iter().zip(self.kings.canonical.get(rest as usize)?) {
            let square = square(cell, self.row);
            if board.occupied() & (1 << square) != 0 {
                return None;
            }
            board = board.with(player, Piece::King, square);
        }
        (self.rank(&board) == rank).then_some(board)
    }
}

/// The ways to place groups of one or two equal pieces on fixed squares and exchanged pairs. Each
/// group comes with its squares of both kinds; the last argument counts squares taken.
fn ways(groups: &[([u64; 2], bool)], [alone_taken, pairs_taken]: [u64; 2]) -> u64 {
    let Some((&([alone, pairs], is_pair), rest)) = groups.split_first() else { return 1 };
    let (alone, pairs) = (alone.saturating_sub(alone_taken), pairs.saturating_sub(pairs_taken));
    if !is_pair {
        return alone * ways(rest, [alone_taken + 1, pairs_taken]);
    }
    alone * alone.saturating_sub(1) / 2 * ways(rest, [alone_taken + 2, pairs_taken])
        + pairs * ways(rest, [alone_taken, pairs_taken + 1])
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_position_has_the_number_of_its_reflections() {
        // All positions of KNK and KPK, folded without the index. By Burnside, only the two
        // diagonal reflections fix positions, those with all three pieces on the diagonal.
        let folded = [(64 * 63 * 62 + 2 * 8 * 7 * 6) / 8, 48 * 63 * 62 / 2];
        for (text, squares_for, positions) in [("KNK", 0..64, folded[0]), ("KPK", 8..56, folded[1])] {
            let class = ChessClass::parse(text, 8).unwrap();
            let index = ChessIndex::new(&class, 8).unwrap();
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
    fn positions_are_counted() {
        let small = ["KK", "KNK", "KPK", "KBKN", "KNNK", "KPKR", "KPPK"];
        let cases = small.into_iter().flat_map(|text| [(text, 4), (text, 5)]);
        for (text, row) in cases.chain([("KK", 8), ("KNK", 8), ("KPK", 8), ("KNNKN", 4), ("KQQKRR", 4)]) {
            let index = ChessIndex::new(&ChessClass::parse(text, 8).unwrap(), row).unwrap();
            let counted = (0..index.size()).filter(|&rank| index.unrank(rank).is_some()).count() as u64;
            assert_eq!(index.positions(), counted, "{text} {row}");
        }
    }

    #[test]
    fn numbers_go_there_and_back() {
        let classes = ["KK", "KQRK", "KRRK", "KBKN", "KPKR", "KPPK", "KQKQ"];
        for (text, row) in classes.into_iter().flat_map(|text| [(text, 4), (text, 5), (text, 8)]) {
            let class = ChessClass::parse(text, 8).unwrap();
            let index = ChessIndex::new(&class, row).unwrap();
            let mut boards = 0;
            for rank in (0..index.size()).step_by(1 + index.size() as usize / 5000) {
                let Some(board) = index.unrank(rank) else { continue };
                boards += 1;
                assert_eq!(index.rank(&board), rank, "{}", board.notation());
                assert_eq!(ChessClass::of_board(&board), class);
            }
            assert!(boards > 500 || text == "KK", "{text} {row}");
        }
        assert_eq!(ChessIndex::new(&ChessClass::parse("KK", 8).unwrap(), 8).unwrap().size(), 518);
        assert!(ChessIndex::new(&ChessClass::parse("KQQQK", 8).unwrap(), 8).is_none());
        assert!(ChessIndex::new(&ChessClass::parse("KQRBNKQR", 8).unwrap(), 8).is_none());
    }
}
