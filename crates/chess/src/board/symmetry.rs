//! Reflections of a chess board.

use std::cmp::Ordering;

use super::{ChessBoard, NOWHERE, Piece, USUAL, bit};

impl ChessBoard {
    /// The position with the players exchanged, and top and bottom.
    pub fn exchanged(&self) -> ChessBoard {
        let mut board = self.mapped(|set, size| set.swap_bytes() >> (8 * (USUAL - size)));
        board.sides = board.sides.swapped();
        board.castling = (self.castling >> 2) | ((self.castling & 3) << 2);
        board
    }

    /// The representative of a position's reflections: left-right and, without pawns, all
    /// reflections of the square. Positions where castling is possible have none.
    pub fn canonical(&self) -> ChessBoard {
        if self.castling != 0 {
            return *self;
        }
        // The least image has the least sets, compared one after another. The first one or two
        // nearly always decide.
        let mut left: u8 = if self.of_kind(Piece::Pawn) == 0 { 0xff } else { 0b11 };
        let passed = if self.passed == NOWHERE { 0 } else { bit(self.passed) };
        for &set in self.kinds.iter().chain(self.sides.iter()).chain([&passed]).filter(|&&set| set != 0) {
            if left.is_power_of_two() {
                break;
            }
            let (mut least, mut kept) = (u64::MAX, 0);
            for symmetry in (0..8).filter(|symmetry| left & 1 << symmetry != 0) {
                let image = image(set, symmetry, self.size);
                match image.cmp(&least) {
                    Ordering::Less => (least, kept) = (image, 1 << symmetry),
                    Ordering::Equal => kept |= 1 << symmetry,
                    Ordering::Greater => {}
                }
            }
            left = kept;
        }
        match left.trailing_zeros() {
            0 => *self,
            symmetry => self.mapped(|set, size| image(set, symmetry, size)),
        }
    }

    pub(super) fn mapped(&self, map: impl Fn(u64, u8) -> u64) -> ChessBoard {
        let mut board = *self;
        for set in board.kinds.iter_mut().chain(board.sides.iter_mut()) {
            *set = map(*set, self.size);
        }
        if self.passed != NOWHERE {
            board.passed = map(bit(self.passed), self.size).trailing_zeros() as u8;
        }
        board
    }
}

/// Exchanges left and right on 8 x 8 squares.
fn mirror(set: u64) -> u64 {
    set.swap_bytes().reverse_bits()
}

/// The image of squares on a board of `size`. The bits of `symmetry` say whether left and right,
/// bottom and top, and files and ranks are exchanged.
pub(super) fn image(mut set: u64, symmetry: u32, size: u8) -> u64 {
    if symmetry & 4 != 0 {
        set = transpose(set);
    }
    if symmetry & 2 != 0 {
        set = set.swap_bytes() >> (8 * (USUAL - size));
    }
    if symmetry & 1 != 0 { mirror(set) >> (USUAL - size) } else { set }
}

/// Mirrors in the diagonal from a1 to h8.
fn transpose(mut set: u64) -> u64 {
    for (shift, mask) in [(28, 0x0f0f_0f0f_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500_u64)] {
        let moved = mask & (set ^ (set << shift));
        set ^= moved ^ (moved >> shift);
    }
    set
}
