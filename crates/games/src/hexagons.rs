//! Boards of hexagons: connectivity, notation and drawings.

use richman_core::{Mark, MarkRole, MarkShape, Player, Scene};

use crate::grid::{self, Grid, StoneBoard};
use crate::stones::{Cells, Stones};

/// Hexagons in a grid. The cell in row r and column c touches (r, c±1), (r±1, c), (r-1, c+1) and
/// (r+1, c-1).
#[derive(Debug, Clone)]
pub(crate) struct Hexagons<C> {
    pub(crate) grid: Grid,
    pub(crate) all: C,
    pub(crate) first_row: C,
    pub(crate) last_row: C,
    pub(crate) first_col: C,
    pub(crate) last_col: C,
}

impl<C: Cells> Hexagons<C> {
    /// The cells of a grid; rows x columns must fit `C`.
    pub(crate) fn new(grid: Grid) -> Hexagons<C> {
        let set = |is_in: &dyn Fn(u32, u32) -> bool| {
            let cells = grid.places().filter(|&(row, col)| is_in(row, col));
            cells.fold(C::NONE, |set, (row, col)| set | C::FIRST << (row * grid.cols + col))
        };
        Hexagons {
            grid,
            all: set(&|_, _| true),
            first_row: set(&|row, _| row == 0),
            last_row: set(&|row, _| row == grid.rows - 1),
            first_col: set(&|_, col| col == 0),
            last_col: set(&|_, col| col == grid.cols - 1),
        }
    }

    /// The cells connected to `start` within `within`.
    pub(crate) fn connected(&self, start: C, within: C) -> C {
        let cols = self.grid.cols.min(C::BITS - 1); // a row as wide as the set has no rows above
        let mut known = start & within;
        loop {
            // On one column, a sideways step leaves the board; the masks remove it.
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

    /// The cells of a set, in reading order.
    fn each(&self, cells: C) -> impl Iterator<Item = C> {
        self.grid.places().map(|(row, col)| self.cell(row, col)).filter(move |cell| cells & *cell != C::NONE)
    }

    /// Appends every position with one more stone of `player`.
    pub(crate) fn moves(&self, stones: Stones<C>, player: Player, into: &mut Vec<Stones<C>>) {
        let open = self.all & !(stones.alice | stones.bob);
        into.extend(self.each(open).map(|cell| stones.with(player, cell)));
    }
}

impl<C: Cells> StoneBoard<C> for Hexagons<C> {
    const HAS_HEXAGONS: bool = true;

    fn grid(&self) -> Grid {
        self.grid
    }

    fn cell(&self, row: u32, col: u32) -> C {
        C::FIRST << (row * self.grid.cols + col)
    }

    fn place(&self, number: u32) -> Option<(u32, u32)> {
        Some((number / self.grid.cols, number % self.grid.cols))
    }
}

/// Half the width of a hexagon, and a quarter of its height.
pub(crate) const HALF: i32 = 52;
pub(crate) const QUARTER: i32 = 30;
/// Room for the names of rows and columns.
const MARGIN: i32 = 60;
const LETTER: i32 = 34;
const STONE: i32 = 38;

impl<C: Cells> Hexagons<C> {
    /// The cells with their stones and names, drawn in front of `behind`.
    pub(crate) fn scene(&self, stones: Stones<C>, behind: Vec<Mark>) -> Scene {
        let (rows, cols) = (self.grid.rows as i32, self.grid.cols as i32);
        let widest = (0..rows).map(|row| row + 2 * self.grid.width(row as u32) as i32).max().unwrap_or(0);
        let width = 2 * MARGIN + HALF * widest;
        let height = 2 * MARGIN + QUARTER * (3 * rows + 1);
        let mut marks = behind;
        for (row, col) in self.grid.places() {
            let name = grid::cell_name(row, col);
            let stone = self.stone(stones, row, col);
            let at = middle(row as i32, col as i32);
            let said = stone.map_or("empty".to_string(), |player| player.to_string());
            marks.push(Mark::place(hexagon(at), MarkRole::Field, name.clone(), format!("{name}, {said}")));
            if let Some(player) = stone {
                marks.push(Mark::seen(MarkShape::Disc { at, radius: STONE }, MarkRole::Of(player)));
            }
        }
        let text = |at: [i32; 2], text: String| Mark::seen(MarkShape::Text { at, size: LETTER, text }, MarkRole::Guide);
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
}

/// The center of a cell in the drawing.
pub(crate) fn middle(row: i32, col: i32) -> [i32; 2] {
    [MARGIN + HALF * (2 * col + row + 1), MARGIN + QUARTER * (3 * row + 2)]
}

/// A hexagon with a corner at the top.
fn hexagon([x, y]: [i32; 2]) -> MarkShape {
    let corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];
    MarkShape::Polygon { points: corners.map(|(right, down)| [x + HALF * right, y + QUARTER * down]).to_vec() }
}
