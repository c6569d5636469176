//! Hex: Alice connects the top of a board of hexagons with its bottom, Bob its left with its right.

use ethnum::U256;
use richman_core::{CellSet, Game, Mark, MarkRole, MarkShape, Player, Scene, Selection, Structure};
use richman_hex::board::HexBoard;

use crate::AnyGame;
use crate::grid::{Grid, StoneBoard};
use crate::hexagons::{Hexagons, between, middle, rim};
use crate::parameters::Parameters;
use crate::placing::{Placing, stones_on};
use crate::stones::{Cells, Stones};
use crate::{GameError, GameInfo};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "hex",
    parameters: "size=11,rows=11,cols=11",
    description: "place stones on hexagons; Alice connects top and bottom, Bob left and right",
    chips: 100,
    rules: "",
    title: "Hex",
    notation: "rows from the top with / between them: A and B for stones, . for an empty cell",
    example: "hex:size=5",
    pictured: ".A.B./..AB./.BA../..A../B....",
};

/// The most cells of a board.
pub const MOST_CELLS: u32 = 256;
/// The default size of a board.
const USUAL: u32 = 11;

/// A move places a stone on an empty cell. Alice wins by connecting the first row with the last,
/// Bob by connecting the first column with the last. A full board has exactly one winner.
///
/// The cell in row r and column c touches (r, c±1), (r±1, c), (r-1, c+1) and (r+1, c-1).
#[derive(Debug, Clone)]
pub struct Hex<C> {
    board: Hexagons<C>,
}

/// The game with these parameters. The defaults of `rows` and `cols` are the size.
pub(crate) fn from_parameters(given: &Parameters) -> Result<Box<dyn AnyGame>, GameError> {
    let size = given.number("size", USUAL, 1..=MOST_CELLS)?;
    any(given.number("rows", size, 1..=MOST_CELLS)?, given.number("cols", size, 1..=MOST_CELLS)?)
}

/// Hex on `rows` x `cols` cells, in the smallest type of position that fits.
///
/// # Errors
/// [`GameError::HexBoard`] for a board with no cells or more than [`MOST_CELLS`].
pub fn any(rows: u32, cols: u32) -> Result<Box<dyn AnyGame>, GameError> {
    Ok(match rows.saturating_mul(cols) {
        0..=32 => Box::new(Hex::<u32>::new(rows, cols)?),
        33..=64 => Box::new(Hex::<u64>::new(rows, cols)?),
        65..=128 => Box::new(Hex::<u128>::new(rows, cols)?),
        _ => Box::new(Hex::<U256>::new(rows, cols)?),
    })
}

impl<C: Cells> Hex<C> {
    /// The game on `rows` x `cols` cells.
    ///
    /// # Errors
    /// [`GameError::HexBoard`] for a board with no cells, or more than `C` holds.
    pub fn new(rows: u32, cols: u32) -> Result<Hex<C>, GameError> {
        let count = rows.saturating_mul(cols);
        if count == 0 || count > C::BITS {
            return Err(GameError::HexBoard { rows, cols, most: C::BITS });
        }
        Ok(Hex { board: Hexagons::new(Grid::rectangle(rows, cols)) })
    }

    fn alice_connects(&self, hers: C) -> bool {
        self.board.connected(self.board.first_row, hers) & self.board.last_row != C::NONE
    }

    fn turned(&self, position: Stones<C>) -> Stones<C> {
        let count = self.board.grid.rows * self.board.grid.cols;
        let turned = |cells: C| cells.reversed() >> (C::BITS - count);
        Stones { alice: turned(position.alice), bob: turned(position.bob) }
    }

    fn hex_board(&self, position: Stones<C>) -> Option<HexBoard> {
        let cells = self.board.grid.coordinates().map(|(row, col)| self.board.stone(position, row, col)).collect();
        HexBoard::new(self.board.grid.rows as usize, self.board.grid.cols as usize, cells)
    }

    /// The players' sides, drawn behind the cells.
    fn edges(&self) -> Vec<Mark> {
        let (last_row, last_col) = (self.board.grid.rows as i32 - 1, self.board.grid.cols as i32 - 1);
        let [first, right] = [middle(0, 0), middle(0, last_col)];
        let [left, last] = [middle(last_row, 0), middle(last_row, last_col)];
        // The acute corners are cut off; there the players' sides meet in the middle.
        let start = between(rim(first, 0), rim(first, 1));
        let end = between(rim(last, 3), rim(last, 4));
        let side = |player: Player, points: [[i32; 2]; 5]| {
            Mark::seen(MarkShape::Polygon { points: points.to_vec() }, MarkRole::Side(player))
        };
        vec![
            side(Player::Alice, [first, start, rim(first, 1), rim(right, 2), right]),
            side(Player::Bob, [right, rim(right, 2), rim(last, 3), end, last]),
            side(Player::Alice, [last, end, rim(last, 4), rim(left, 5), left]),
            side(Player::Bob, [left, rim(left, 5), rim(first, 0), start, first]),
        ]
    }

    /// The sides that a player connects.
    fn sides(&self, player: Player) -> [C; 2] {
        let board = &self.board;
        player.either([board.first_row, board.last_row], [board.first_col, board.last_col])
    }
}

impl<C: Cells> Game for Hex<C> {
    stones_on!(C);

    fn name(&self) -> String {
        match (self.board.grid.rows, self.board.grid.cols) {
            (USUAL, USUAL) => INFO.name.to_string(),
            (rows, cols) if rows == cols => format!("{}:size={rows}", INFO.name),
            (rows, cols) => format!("{}:rows={rows},cols={cols}", INFO.name),
        }
    }

    fn moves(&self, position: &Stones<C>, player: Player, into: &mut Vec<Stones<C>>) {
        self.board.moves(*position, player, into);
    }

    fn scene(&self, position: &Stones<C>) -> Option<Scene> {
        let chain = |player| (player, self.board.chain(position.of(player), &self.sides(player)));
        Some(self.board.scene(*position, self.edges(), &Player::BOTH.map(chain)))
    }

    fn structure(&self, position: &Stones<C>) -> Option<Structure> {
        self.hex_board(*position).map(Structure::new)
    }

    /// A half turn preserves each player's sides.
    fn canonical(&self, position: Stones<C>) -> Stones<C> {
        position.min(self.turned(position))
    }
}

impl<C: Cells> Placing<C> for Hex<C> {
    fn winner(&self, stones: Stones<C>) -> Option<Player> {
        if self.alice_connects(stones.alice) {
            Some(Player::Alice)
        } else if self.board.connected(self.board.first_col, stones.bob) & self.board.last_col != C::NONE {
            Some(Player::Bob)
        } else {
            None
        }
    }

    fn symmetries(&self, stones: Stones<C>) -> u64 {
        1 + u64::from(self.turned(stones) == stones)
    }
}

impl Selection for Hex<u64> {
    fn board(&self) -> CellSet {
        self.board.all
    }

    fn payoff(&self, hers: CellSet) -> i64 {
        if self.alice_connects(hers) { 1 } else { -1 }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use richman_core::Terminal;

    use super::*;
    use crate::testing::{folds, moves, random_position, refuses, round_trips};

    /// Connectivity, by walking from cell to cell.
    fn connects(board: &HexBoard, player: Player) -> bool {
        let (rows, cols) = (board.rows() as i64, board.cols() as i64);
        let has = |row: i64, col: i64| {
            (0..rows).contains(&row)
                && (0..cols).contains(&col)
                && board.cells()[(row * cols + col) as usize] == Some(player)
        };
        let starts: Vec<(i64, i64)> = match player {
            Player::Alice => (0..cols).map(|col| (0, col)).collect(),
            Player::Bob => (0..rows).map(|row| (row, 0)).collect(),
        };
        let mut todo: Vec<(i64, i64)> = starts.into_iter().filter(|&(row, col)| has(row, col)).collect();
        let mut seen = std::collections::HashSet::new();
        while let Some((row, col)) = todo.pop() {
            if !seen.insert((row, col)) {
                continue;
            }
            if (player == Player::Alice && row == rows - 1) || (player == Player::Bob && col == cols - 1) {
                return true;
            }
            let beside = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];
            todo.extend(beside.map(|(down, right)| (row + down, col + right)).into_iter().filter(|&(r, c)| has(r, c)));
        }
        false
    }

    fn check<C: Cells>(rows: u32, cols: u32) {
        let game = Hex::<C>::new(rows, cols).unwrap();
        let mut random = Rng::with_seed(u64::from(rows * 100 + cols));
        for _ in 0..60 {
            let position = random_position(&game, &mut random, u64::from(rows * cols));
            let board = game.hex_board(position).unwrap();
            let winner = Player::BOTH.into_iter().find(|player| connects(&board, *player));
            assert_eq!(game.terminal(&position), winner.map(Terminal::Win), "{}", game.picture(&position));
            round_trips(&game, [position]);
            folds(&game, &position);
        }
        // Exactly one player has won a full board.
        for _ in 0..60 {
            let mut stones = game.start();
            for (row, col) in game.board.grid.coordinates() {
                stones = stones.with(Player::BOTH[random.u64(..2) as usize], game.board.cell(row, col));
            }
            let board = game.hex_board(stones).unwrap();
            assert_ne!(connects(&board, Player::Alice), connects(&board, Player::Bob));
            assert_eq!(game.winner(stones) == Some(Player::Alice), connects(&board, Player::Alice));
        }
    }

    #[test]
    fn who_connects_agrees_with_a_walk() {
        for (rows, cols) in [(1, 1), (1, 5), (5, 1), (2, 2), (3, 3), (2, 7), (4, 8), (8, 4), (5, 5)] {
            check::<u32>(rows.min(5), cols.min(6));
            check::<u64>(rows, cols);
            check::<U256>(rows, cols);
        }
        check::<u128>(11, 11);
        check::<u64>(1, 64);
        check::<u64>(64, 1);
        check::<U256>(16, 16);
    }

    #[test]
    fn pictures_lean_and_names_are_those_of_boards() {
        let game = Hex::<u32>::new(3, 3).unwrap();
        let position = game.parse("A../.B./..A").unwrap();
        assert_eq!(game.picture(&position), "  a b c\n1 A . .\n 2 . B .\n  3 . . A");
        let found = moves(&game, "A../.B./..A", Player::Bob);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b1", "c1", "a2", "c2", "a3", "b3"]);
        assert_eq!(game.pointing(&position, &game.parse(&found[0].1).unwrap(), Player::Bob), ["b1"]);
    }

    #[test]
    fn names_and_refusals() {
        let name = |spec: &str| crate::Games::default().find(spec).map(|game| game.name());
        assert_eq!(name("hex:size=11").unwrap(), "hex");
        assert_eq!(name("hex:rows=4,cols=4").unwrap(), "hex:size=4");
        assert_eq!(name("hex:size=4,rows=3").unwrap(), "hex:rows=3,cols=4");
        assert_eq!(name("hex:rows=3").unwrap(), "hex:rows=3,cols=11");
        assert_eq!(name("hex:rows=3,cols=11").unwrap(), "hex:rows=3,cols=11");
        for (spec, cause) in [
            ("hex:size=17", "17 x 17 has more than 256 cells"),
            ("hex:size=0", "out of range"),
            ("hex:size=99999999999", "out of range"),
            ("hex:sizes=3", "did you mean"),
        ] {
            let message = crate::Games::default().find(spec).err().unwrap().to_string();
            assert!(message.contains(cause), "{spec}: {message}");
        }
        refuses(&Hex::<u32>::new(3, 3).unwrap(), &["", "...", "../..", "A../.../..C", ".../.../...."], &[]);
    }
}
