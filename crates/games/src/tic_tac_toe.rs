//! Bidding tic-tac-toe on a board of any shape: the first line of stones wins.

use std::sync::Arc;

use richman_core::PerfectIndex;

use crate::board::{Board, CellSums};
use crate::line_game::LineGame;
use crate::{GameInfo, Stones};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "tic-tac-toe",
    parameters: "rows=3,cols=3,line=3",
    description: "place stones on any empty cell; the first line of stones wins, a full board is a draw",
    chips: 8,
    rules: "",
    title: "Tic-tac-toe",
    notation: "rows from the top with / between them: A and B for stones, . for an empty cell",
    example: "tic-tac-toe",
    pictured: "..B/.A./A..",
};

/// A move places a stone on an empty cell. The first player with `line` stones in a row,
/// horizontally, vertically or diagonally, wins; a full board is a draw.
pub type TicTacToe = LineGame<false>;

/// The cells as base-3 digits: 0 empty, 1 Alice, 2 Bob.
#[derive(Debug, Clone)]
pub(crate) struct Ternary {
    size: u64,
    powers: CellSums,
}

impl Ternary {
    pub(crate) fn index(board: &Board) -> Option<Arc<dyn PerfectIndex<Stones>>> {
        const LARGEST: u64 = 1 << 26;
        let size = 3_u64.checked_pow(board.grid.rows * board.grid.cols).filter(|&size| size <= LARGEST)?;
        let powers = CellSums::new(board, |row, col| 3_u64.pow(row * board.grid.cols + col));
        Some(Arc::new(Ternary { size, powers }))
    }
}

impl PerfectIndex<Stones> for Ternary {
    fn size(&self) -> u64 {
        self.size
    }

    fn rank(&self, position: &Stones) -> u64 {
        self.powers.sum(position.alice) + 2 * self.powers.sum(position.bob)
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
        let game = TicTacToe::new(3, 3, 3).unwrap();
        let position = game.parse("A.B/.A./...").unwrap();
        assert_eq!(game.picture(&position), "  a b c\n1 A . B\n2 . A .\n3 . . .");
        let found = moves(&game, "A.B/.A./...", Player::Bob);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b1", "a2", "c2", "a3", "b3", "c3"]);
        assert_eq!(found[5].1, "A.B/.A./..B");
        let wide = TicTacToe::new(1, 27, 3).unwrap();
        assert!(wide.picture(&wide.start()).starts_with("   a  b  c"));
        assert!(wide.picture(&wide.start()).contains("  z aa\n1  .  ."));
    }

    #[test]
    fn ends() {
        let game = TicTacToe::new(3, 3, 3).unwrap();
        let wins = |player| Some(Terminal::Win(player));
        has_ends(&game, &[("AAA/.../...", wins(Player::Alice)), ("B../.B./..B", wins(Player::Bob))]);
        has_ends(&game, &[("ABA/ABB/BAA", Some(Terminal::Draw)), ("ABA/ABB/BA.", None)]);
        refuses(&game, &["AAA/BBB/..."], &["both players have a line"]);
        has_ends(&TicTacToe::new(2, 2, 9).unwrap(), &[("AA/AA", Some(Terminal::Draw))]);
    }

    #[test]
    fn notation_round_trips() {
        let mut random = Rng::with_seed(1);
        for (rows, cols, line) in [(3, 3, 3), (1, 32, 4), (7, 8, 5), (2, 5, 2), (63, 1, 9)] {
            let game = TicTacToe::new(rows, cols, line).unwrap();
            round_trips(&game, (0..200).map(|_| random_position(&game, &mut random, 40)));
        }
    }

    #[test]
    fn ranks_are_different_and_within_size() {
        for (rows, cols) in [(3, 3), (2, 4), (1, 8)] {
            let game = TicTacToe::new(rows, cols, 3).unwrap();
            ranks_differ(game.perfect_index().unwrap(), &reachable(&game));
        }
        assert!(TicTacToe::new(4, 4, 4).unwrap().perfect_index().is_some());
        assert!(TicTacToe::new(3, 6, 3).unwrap().perfect_index().is_none());
    }
}
