//! Hex: Alice connects the top of a board of hexagons with its bottom, Bob its left with its right.

use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use ethnum::U256;
use richman_core::{Error, Game, HexBoard, Look, Mark, Player, Scene, Shape, Terminal};

use crate::grid::{self, Grid};
use crate::parameters::Parameters;
use crate::registry::AnyGame;
use crate::{GameError, GameInfo};

pub(crate) const INFO: GameInfo = GameInfo {
    name: "hex",
    parameters: "size=11,rows=11,cols=11",
    description: "place stones on hexagons; Alice connects top and bottom, Bob left and right",
};

/// The most cells of a board.
pub const MOST_CELLS: u32 = 256;
/// The size of a board where none is given.
const USUAL: u32 = 11;

/// A set of cells: bit `row * cols + col`.
pub trait Cells:
    Copy
    + Ord
    + Hash
    + std::fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The most cells.
    const BITS: u32;
    /// No cell.
    const NONE: Self;
    /// The cell numbered 0.
    const FIRST: Self;
    /// The set turned around: bit i becomes bit `BITS` - 1 - i.
    fn reversed(self) -> Self;
}

macro_rules! cells {
    ($($number:ty),*) => {$(
        impl Cells for $number {
            const BITS: u32 = <$number>::BITS;
            const NONE: Self = <$number>::MIN;
            const FIRST: Self = <$number>::ONE;
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
        }
    )*};
}

/// The number one, by the name that all kinds of numbers can have it.
trait One {
    const ONE: Self;
}

macro_rules! one {
    ($($number:ty),*) => {$(impl One for $number { const ONE: Self = 1; })*};
}

one!(u32, u64, u128);
cells!(u32, u64, u128, U256);

/// The stones of both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HexStones<C> {
    /// Alice's.
    pub alice: C,
    /// Bob's.
    pub bob: C,
}

impl<C: Cells> HexStones<C> {
    fn of(self, player: Player) -> C {
        if player == Player::Alice { self.alice } else { self.bob }
    }

    fn with(self, player: Player, cell: C) -> HexStones<C> {
        match player {
            Player::Alice => HexStones { alice: self.alice | cell, ..self },
            Player::Bob => HexStones { bob: self.bob | cell, ..self },
        }
    }
}

/// A move places a stone of the player on any empty cell. Alice wins when her stones connect the first row with the last, Bob when his
/// connect the first column with the last; one of them does before the board is full.
///
/// The cell in row r and column c touches (r, c±1), (r±1, c), (r-1, c+1) and (r+1, c-1).
#[derive(Debug, Clone)]
pub struct Hex<C> {
    grid: Grid,
    all: C,
    first_row: C,
    last_row: C,
    first_col: C,
    last_col: C,
}

/// The game named with these parameters: rows and columns are as many as the size, unless they are given.
pub(crate) fn from_parameters(given: &Parameters) -> Result<Box<dyn AnyGame>, GameError> {
    let size = given.number("size", USUAL, 1..=MOST_CELLS)?;
    any(given.number("rows", size, 1..=MOST_CELLS)?, given.number("cols", size, 1..=MOST_CELLS)?)
}

/// Hex on `rows` x `cols` cells, with positions no larger than they need be.
///
/// # Errors
/// [`GameError::BoardTooLarge`] for a board of no cells or more than [`MOST_CELLS`].
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
    /// [`GameError::HexBoard`] for a board of no cells or more than the set of cells holds.
    pub fn new(rows: u32, cols: u32) -> Result<Hex<C>, GameError> {
        let count = rows.saturating_mul(cols);
        if count == 0 || count > C::BITS {
            return Err(GameError::HexBoard { rows, cols, most: C::BITS });
        }
        let grid = Grid { rows, cols };
        let set = |cells: &dyn Fn(u32) -> bool| {
            (0..count).filter(|&cell| cells(cell)).fold(C::NONE, |set, cell| set | C::FIRST << cell)
        };
        Ok(Hex {
            grid,
            all: set(&|_| true),
            first_row: set(&|cell| cell < cols),
            last_row: set(&|cell| cell >= count - cols),
            first_col: set(&|cell| cell % cols == 0),
            last_col: set(&|cell| cell % cols == cols - 1),
        })
    }

    fn cell(&self, row: u32, col: u32) -> C {
        C::FIRST << (row * self.grid.cols + col)
    }

    fn count(&self) -> u32 {
        self.grid.rows * self.grid.cols
    }

    /// The cells of `within` that are connected to `start` by cells of `within`.
    fn connected(&self, start: C, within: C) -> C {
        let cols = self.grid.cols.min(C::BITS - 1); // a single row as wide as the set has nothing above
        let mut known = start & within;
        loop {
            // On one column a step to the side leaves the board; the masks take it away.
            let (west, east) = (known & !self.first_col, known & !self.last_col);
            let mut next = known | west >> 1 | (known & !self.first_row) >> cols | (known & !self.last_row) << cols;
            next = next | ((east & !self.first_row) >> (cols - 1)) | ((west & !self.last_row) << (cols - 1));
            if cols > 1 {
                next = next | east << 1;
            }
            next = next & within;
            if next == known {
                return known;
            }
            known = next;
        }
    }

    fn winner(&self, stones: HexStones<C>) -> Option<Player> {
        if self.connected(self.first_row, stones.alice) & self.last_row != C::NONE {
            Some(Player::Alice)
        } else if self.connected(self.first_col, stones.bob) & self.last_col != C::NONE {
            Some(Player::Bob)
        } else {
            None
        }
    }

    fn stone(&self, stones: HexStones<C>, row: u32, col: u32) -> Option<Player> {
        let cell = self.cell(row, col);
        Player::BOTH.into_iter().find(|player| stones.of(*player) & cell != C::NONE)
    }

    fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<C> {
        let Grid { rows, cols } = self.grid;
        (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)))
    }

    /// The cell that `to` has a stone on and `from` has not.
    fn added(&self, from: &HexStones<C>, to: &HexStones<C>) -> Option<String> {
        let added = (to.alice | to.bob) & !(from.alice | from.bob);
        self.places().find(|&(row, col)| self.cell(row, col) == added).map(|(row, col)| grid::cell_name(row, col))
    }
}

impl<C: Cells> Game for Hex<C> {
    type Position = HexStones<C>;

    fn name(&self) -> String {
        match self.grid {
            Grid { rows: USUAL, cols: USUAL } => INFO.name.to_string(),
            Grid { rows, cols } if rows == cols => format!("{}:size={rows}", INFO.name),
            Grid { rows, cols } => format!("{}:rows={rows},cols={cols}", INFO.name),
        }
    }

    fn start(&self) -> HexStones<C> {
        HexStones { alice: C::NONE, bob: C::NONE }
    }

    fn terminal(&self, position: &HexStones<C>) -> Option<Terminal> {
        self.winner(*position).map(Terminal::Win)
    }

    fn moves(&self, position: &HexStones<C>, player: Player, into: &mut Vec<HexStones<C>>) {
        let open = self.all & !(position.alice | position.bob);
        let cells = (0..self.count()).map(|cell| C::FIRST << cell).filter(|cell| open & *cell != C::NONE);
        into.extend(cells.map(|cell| position.with(player, cell)));
    }

    fn notation(&self, position: &HexStones<C>) -> String {
        self.grid.notation(|row, col| self.stone(*position, row, col))
    }

    fn parse(&self, notation: &str) -> Result<HexStones<C>, Error> {
        let mut stones = self.start();
        self.grid.parse(notation, &Game::name(self), |row, col, player| {
            stones = stones.with(player, self.cell(row, col));
        })?;
        Ok(stones)
    }

    fn move_name(&self, from: &HexStones<C>, to: &HexStones<C>, _: Player) -> String {
        self.added(from, to).unwrap_or_else(|| self.notation(to))
    }

    fn picture(&self, position: &HexStones<C>) -> String {
        let margin = self.grid.rows.to_string().len();
        let names: Vec<String> = (0..self.grid.cols).map(grid::column_name).collect();
        let mut text = format!("{:margin$} {}", "", names.join(" "));
        for row in 0..self.grid.rows {
            let stones = (0..self.grid.cols).map(|col| grid::letter(self.stone(*position, row, col)).to_string());
            let stones: Vec<String> = stones.collect();
            text += &format!("\n{:indent$}{:>margin$} {}", "", row + 1, stones.join(" "), indent = row as usize);
        }
        text
    }

    fn scene(&self, position: &HexStones<C>) -> Option<Scene> {
        Some(self.drawn(*position))
    }

    fn pointing(&self, from: &HexStones<C>, to: &HexStones<C>, _: Player) -> Vec<String> {
        self.added(from, to).into_iter().collect()
    }

    fn hex_board(&self, position: &HexStones<C>) -> Option<HexBoard> {
        let cells = self.places().map(|(row, col)| self.stone(*position, row, col)).collect();
        HexBoard::new(self.grid.rows as usize, self.grid.cols as usize, cells)
    }

    /// Turned around, the board is the same for both players.
    fn canonical(&self, position: HexStones<C>) -> HexStones<C> {
        let turned = |cells: C| cells.reversed() >> (C::BITS - self.count());
        position.min(HexStones { alice: turned(position.alice), bob: turned(position.bob) })
    }
}

/// Half the width of a hexagon, and a quarter of its height, in the units of the scene.
const HALF: i32 = 52;
const QUARTER: i32 = 30;
/// Room for the names of rows and columns.
const MARGIN: i32 = 60;
const LETTER: i32 = 34;
const STONE: i32 = 38;

impl<C: Cells> Hex<C> {
    fn drawn(&self, stones: HexStones<C>) -> Scene {
        let Grid { rows, cols } = self.grid;
        let (rows, cols) = (rows as i32, cols as i32);
        let width = 2 * MARGIN + HALF * (2 * cols + rows - 1);
        let height = 2 * MARGIN + QUARTER * (3 * rows + 1);
        let middle = |row: i32, col: i32| [MARGIN + HALF * (2 * col + row + 1), MARGIN + QUARTER * (3 * row + 2)];
        let mut marks = self.edges(&middle);
        for (row, col) in self.places() {
            let name = grid::cell_name(row, col);
            let stone = self.stone(stones, row, col);
            let at = middle(row as i32, col as i32);
            let said = stone.map_or("empty".to_string(), |player| player.to_string());
            marks.push(Mark::place(hexagon(at), Look::Field, name.clone(), format!("{name}, {said}")));
            if let Some(player) = stone {
                marks.push(Mark::seen(Shape::Disc { at, radius: STONE }, Look::Of(player)));
            }
        }
        let text = |at: [i32; 2], text: String| Mark::seen(Shape::Text { at, size: LETTER, text }, Look::Guide);
        marks.extend((0..cols).map(|col| {
            let [x, y] = middle(0, col);
            text([x - HALF / 2, y - 3 * QUARTER], grid::column_name(col as u32))
        }));
        marks.extend((0..rows).map(|row| {
            let [x, y] = middle(row, 0);
            text([x - 3 * HALF / 2 - 8, y], (row + 1).to_string())
        }));
        Scene { width, height, marks }
    }

    /// The sides that the players connect, behind the cells.
    fn edges(&self, middle: &dyn Fn(i32, i32) -> [i32; 2]) -> Vec<Mark> {
        let (last_row, last_col) = (self.grid.rows as i32 - 1, self.grid.cols as i32 - 1);
        let shifted = |[x, y]: [i32; 2], [right, down]: [i32; 2]| [x + right, y + down];
        let (up, down) = ([0, -2 * QUARTER - 14], [0, 2 * QUARTER + 14]);
        let (left, right) = ([-HALF - 16, 0], [HALF + 16, 0]);
        let side = |player: Player, points: [[i32; 2]; 4]| {
            Mark::seen(Shape::Polygon { points: points.to_vec() }, Look::Side(player))
        };
        let corners = [middle(0, 0), middle(0, last_col), middle(last_row, 0), middle(last_row, last_col)];
        let [first, top_right, bottom_left, last] = corners;
        vec![
            side(Player::Alice, [shifted(first, up), shifted(top_right, up), top_right, first]),
            side(Player::Alice, [shifted(bottom_left, down), shifted(last, down), last, bottom_left]),
            side(Player::Bob, [shifted(first, left), first, bottom_left, shifted(bottom_left, left)]),
            side(Player::Bob, [top_right, shifted(top_right, right), shifted(last, right), last]),
        ]
    }
}

/// A hexagon with a corner at the top.
fn hexagon([x, y]: [i32; 2]) -> Shape {
    let corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];
    Shape::Polygon { points: corners.map(|(right, down)| [x + HALF * right, y + QUARTER * down]).to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{XorShift, random_position};

    /// By walking from cell to cell.
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
        let mut random = XorShift(u64::from(rows * 100 + cols));
        for _ in 0..60 {
            let position = random_position(&game, &mut random, u64::from(rows * cols));
            let board = game.hex_board(&position).unwrap();
            let winner = Player::BOTH.into_iter().find(|player| connects(&board, *player));
            assert_eq!(game.terminal(&position), winner.map(Terminal::Win), "{}", game.picture(&position));
            assert_eq!(game.parse(&game.notation(&position)), Ok(position));
            let canonical = game.canonical(position);
            assert_eq!(game.terminal(&canonical), game.terminal(&position));
            assert_eq!(game.canonical(canonical), canonical);
        }
        // A full board is won by exactly one of them.
        for _ in 0..60 {
            let mut stones = game.start();
            for (row, col) in game.places() {
                stones = stones.with(Player::BOTH[random.below(2) as usize], game.cell(row, col));
            }
            let board = game.hex_board(&stones).unwrap();
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
        let mut found = Vec::new();
        game.moves(&position, Player::Bob, &mut found);
        let names: Vec<String> = found.iter().map(|to| game.move_name(&position, to, Player::Bob)).collect();
        assert_eq!(names, ["b1", "c1", "a2", "c2", "a3", "b3"]);
        assert_eq!(game.pointing(&position, &found[0], Player::Bob), ["b1"]);
    }

    #[test]
    fn names_and_refusals() {
        let name = |spec: &str| crate::find(spec).map(|game| game.name());
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
            let message = crate::find(spec).err().unwrap().to_string();
            assert!(message.contains(cause), "{spec}: {message}");
        }
        for text in ["", "...", "../..", "A../.../..C", ".../.../...."] {
            assert!(Hex::<u32>::new(3, 3).unwrap().parse(text).is_err(), "{text}");
        }
    }
}
