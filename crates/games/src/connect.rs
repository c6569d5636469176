//! Connect: stones fall to the bottom of a column, and the first line wins.

use std::sync::Arc;

use richman_core::PerfectIndex;

use crate::board::Board;
use crate::line_game::LineGame;
use crate::{GameInfo, Stones};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "connect",
    parameters: "rows=6,cols=7,line=4",
    description: "drop stones into columns; the first line of stones wins, a full board is a draw",
    chips: 100,
    rules: "",
    title: "Connect Four",
    notation: "rows from the top with / between them: A and B for stones, . for an empty cell",
    example: "connect",
    pictured: "......./......./......./...B.../..AAB../.BBAAA.",
};

/// A move drops a stone into a column that is not full. The first player with `line` stones in a
/// row, horizontally, vertically or diagonally, wins; a full board is a draw.
pub type Connect = LineGame<true>;

/// Numbers the fillings of the columns by their number of stones, so that positions looked up
/// together are near in memory.
///
/// A filling's number is the first number of its shape (the heights of the columns) plus Alice's
/// stones as a binary number with a digit per stone. In a column of h stones, of which the set bits
/// of a are Alice's, the sum of the bitboards of all stones and of Alice's is 2^h - 1 + a; the
/// extra row makes room for the carry.
#[derive(Debug, Clone)]
pub(crate) struct Fillings {
    /// The number of groups of columns, each looked up at once, and the bits of a group.
    groups: u32,
    group_bits: u32,
    /// The number of shapes of a group.
    group_shapes: u32,
    /// The contents of a group, by the sum of its stones and Alice's stones.
    group: Box<[Group]>,
    /// The number of a shape's first filling.
    first: Box<[u32]>,
    size: u64,
}

/// The contents of a few columns.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    stones: u8,
    /// Alice's stones, one bit per stone.
    alice: u16,
    /// The heights of the columns, as digits of a number.
    shape: u16,
}

impl Fillings {
    /// The most fillings for an array.
    const LARGEST: u64 = 1 << 26;
    /// A table with this many bits stays in cache. Only single columns may have larger ones.
    const GROUP_BITS: u32 = 10;
    const COLUMN_BITS: u32 = 13;

    /// `None` for boards with too many fillings or columns too high for a table.
    pub(crate) fn index(board: &Board) -> Option<Arc<dyn PerfectIndex<Stones>>> {
        let (height, digit_bits) = (board.grid.rows + 1, board.grid.rows + 1);
        let base = 1_u64.checked_shl(digit_bits)? - 1;
        let size = base.checked_pow(board.grid.cols).filter(|&size| size <= Fillings::LARGEST)?;
        if digit_bits > Fillings::COLUMN_BITS {
            return None;
        }
        let groups = board.grid.cols.div_ceil((Fillings::GROUP_BITS / digit_bits).max(1));
        let together = board.grid.cols.div_ceil(groups);
        let column = |digits: u32, column: u32| {
            let filling = (digits >> (column * digit_bits) & base as u32) + 1;
            (filling.ilog2(), filling)
        };
        let group = (0..1_u32 << (together * digit_bits)).map(|digits| {
            (0..together).fold(Group::default(), |group, at| {
                let (stones, filling) = column(digits, at);
                Group {
                    stones: group.stones + stones as u8,
                    alice: group.alice << stones | (filling ^ 1 << stones) as u16,
                    shape: group.shape * height as u16 + stones as u16,
                }
            })
        });
        // Columns beyond the board pad the last group; they stay empty.
        let (cols, beyond) = (groups * together, height.pow(groups * together - board.grid.cols));
        let shapes = height.pow(cols);
        let stones = |shape: u32| (0..cols).map(|column| shape / height.pow(column) % height).sum::<u32>();
        let mut by_stones: Vec<(u32, u32)> =
            (0..shapes).step_by(beyond as usize).map(|shape| (stones(shape), shape)).collect();
        by_stones.sort_unstable();
        let mut first = vec![0; shapes as usize];
        let mut next = 0_u64;
        for (stones, shape) in by_stones {
            first[shape as usize] = next as u32;
            next += 1 << stones;
        }
        Some(Arc::new(Fillings {
            groups,
            group_bits: together * digit_bits,
            group_shapes: height.pow(together),
            group: group.collect(),
            first: first.into(),
            size,
        }))
    }
}

impl PerfectIndex<Stones> for Fillings {
    fn size(&self) -> u64 {
        self.size
    }

    #[inline]
    fn rank(&self, position: &Stones) -> u64 {
        let mut digits = position.occupied().wrapping_add(position.alice);
        let (mut alice, mut shape) = (0, 0);
        for _ in 0..self.groups {
            let group = self.group[(digits & ((1 << self.group_bits) - 1)) as usize];
            alice = alice << group.stones | u64::from(group.alice);
            shape = shape * self.group_shapes + u32::from(group.shape);
            digits >>= self.group_bits;
        }
        u64::from(self.first[shape as usize]) + alice
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use richman_core::{Game, Player, Terminal};

    use super::*;
    use crate::testing::{has_ends, moves, random_position, ranks_differ, reachable, refuses, round_trips};

    #[test]
    fn pictures_and_names() {
        let game = Connect::new(3, 4, 3).unwrap();
        let position = game.parse("B.../A.B./BAA.").unwrap();
        assert_eq!(game.picture(&position), "  a b c d\n1 B . . .\n2 A . B .\n3 B A A .");
        let found = moves(&game, "B.../A.B./BAA.", Player::Alice);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "c", "d"]);
        assert_eq!(found[0].1, "B.../AAB./BAA.");
    }

    #[test]
    fn ends_and_refusals() {
        let game = Connect::new(3, 3, 3).unwrap();
        let wins = |player| Some(Terminal::Win(player));
        has_ends(&game, &[("..A/.AB/ABB", wins(Player::Alice)), ("B../B../BAA", wins(Player::Bob))]);
        has_ends(&game, &[("ABA/ABB/BAA", Some(Terminal::Draw)), (".BA/ABB/BAA", None)]);
        refuses(&game, &["A../.../...", "..B/.../..A"], &["a stone floats"]);
        refuses(&game, &[".../BBB/AAA"], &["both players have a line"]);
    }

    #[test]
    fn notation_round_trips() {
        let mut random = Rng::with_seed(2);
        for (rows, cols, line) in [(6, 7, 4), (4, 4, 4), (1, 32, 9), (63, 1, 9), (7, 8, 5)] {
            let game = Connect::new(rows, cols, line).unwrap();
            round_trips(&game, (0..200).map(|_| random_position(&game, &mut random, 50)));
        }
    }

    #[test]
    fn ranks_are_different_and_within_size() {
        // Groups of one, two, three and more columns, with and without padding in the last.
        for (rows, cols, line) in
            [(3, 3, 3), (4, 4, 4), (1, 5, 2), (1, 8, 9), (2, 4, 9), (2, 5, 3), (7, 1, 3), (12, 1, 4)]
        {
            let game = Connect::new(rows, cols, line).unwrap();
            let index = game.perfect_index().unwrap();
            let mut by_rank = reachable(&game);
            ranks_differ(index, &by_rank);
            by_rank.sort_by_key(|position| index.rank(position));
            assert!(by_rank.is_sorted_by_key(|position| position.occupied().count_ones()), "{rows} x {cols}");
        }
        // If nobody can win, every filling occurs: the index has no gaps.
        let game = Connect::new(3, 3, 9).unwrap();
        assert_eq!(reachable(&game).len() as u64, game.perfect_index().unwrap().size());
        assert_eq!(Connect::new(4, 4, 4).unwrap().perfect_index().unwrap().size(), 923_521);
        assert!(Connect::new(6, 7, 4).unwrap().perfect_index().is_none());
        assert!(Connect::new(63, 1, 4).unwrap().perfect_index().is_none());
    }
}
