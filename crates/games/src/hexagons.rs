//! Boards of hexagons: connectivity, notation and drawings.

use richman_core::{Mark, MarkRole, MarkShape, Player, Scene};

use crate::grid::{self, Grid, StoneBoard};
use crate::stones::{Cells, Stones};
use crate::won::WonStones;

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
            let cells = grid.coordinates().filter(|&(row, col)| is_in(row, col));
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
        let mut known = start & within;
        loop {
            let next = self.with_neighbours(known) & within;
            if next == known {
                return known;
            }
            known = next;
        }
    }

    fn with_neighbours(&self, cells: C) -> C {
        let cols = self.grid.cols.min(C::BITS - 1); // a row as wide as the set has no rows above
        // On one column, a sideways step leaves the board; the masks remove it.
        let (west, east) = (cells & !self.first_col, cells & !self.last_col);
        let mut next = cells | west >> 1 | (cells & !self.first_row) >> cols | (cells & !self.last_row) << cols;
        next = next | ((east & !self.first_row) >> (cols - 1)) | ((west & !self.last_row) << (cols - 1));
        if cols > 1 { next | east << 1 } else { next }
    }

    /// Paths from one of the stones to each of the sides, with as few stones as possible in all;
    /// none if the stones do not connect the sides.
    pub(crate) fn chain(&self, stones: C, sides: &[C]) -> Vec<Vec<C>> {
        // For each side, the stones at most 0, 1, 2, ... steps from it.
        let steps = |side: &C| {
            let next = |known: &C| Some(self.with_neighbours(*known) & stones).filter(|next| next != known);
            std::iter::successors(Some(*side & stones), next).collect::<Vec<C>>()
        };
        let steps: Vec<Vec<C>> = sides.iter().map(steps).collect();
        let from = |cell: C, known: &Vec<C>| known.iter().position(|known| *known & cell != C::NONE);
        let all = |cell: &C| steps.iter().map(|known| from(*cell, known)).sum::<Option<usize>>();
        let middle = self.each(stones).filter_map(|cell| Some((all(&cell)?, cell))).min();
        let path = |known: &Vec<C>, cell: C| {
            let nearer = |cell: &C| {
                let less = from(*cell, known)?.checked_sub(1)?;
                self.each(self.with_neighbours(*cell) & known[less]).next()
            };
            std::iter::successors(Some(cell), nearer).collect()
        };
        middle.into_iter().flat_map(|(_, cell)| steps.iter().map(move |known| path(known, cell))).collect()
    }

    /// The cells of a set, in reading order.
    fn each(&self, cells: C) -> impl Iterator<Item = C> {
        self.grid.coordinates().map(|(row, col)| self.cell(row, col)).filter(move |cell| cells & *cell != C::NONE)
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

    fn coordinates(&self, number: u32) -> Option<(u32, u32)> {
        Some((number / self.grid.cols, number % self.grid.cols))
    }
}

/// Half the width of a hexagon, and a quarter of its height.
const HALF: i32 = 52;
const QUARTER: i32 = 30;
/// The board extends this far left and right of the middles of its corner cells, and half of that
/// and [`ABOVE`] towards the other corners of a hexagon.
const BESIDE: i32 = 88;
const ABOVE: i32 = 76;
/// The margin around the board.
const EDGE: i32 = 2;
const LETTER: i32 = 26;
const STONE: i32 = 38;

/// The corners of the hexagon around the middle of an outer cell, from the left clockwise.
const RIM: [[i32; 2]; 6] =
    [[-BESIDE, 0], [-BESIDE / 2, -ABOVE], [BESIDE / 2, -ABOVE], [BESIDE, 0], [BESIDE / 2, ABOVE], [-BESIDE / 2, ABOVE]];

impl<C: Cells> Hexagons<C> {
    /// The cells with their stones and names, drawn in front of `behind`, and winning chains.
    pub(crate) fn scene(&self, stones: Stones<C>, behind: Vec<Mark>, won: &[(Player, Vec<Vec<C>>)]) -> Scene {
        let (rows, cols) = (self.grid.rows as i32, self.grid.cols as i32);
        let widest = (0..rows).map(|row| row + 2 * self.grid.width(row as u32) as i32).max().unwrap_or(0);
        let width = 2 * (EDGE + BESIDE) + HALF * (widest - 2);
        let height = 2 * (EDGE + ABOVE) + 3 * QUARTER * (rows - 1);
        let in_chain = won.iter().flat_map(|(_, paths)| paths.iter().flatten()).fold(C::NONE, |all, cell| all | *cell);
        let mut marks = behind;
        let mut discs = Vec::new();
        for (row, col) in self.grid.coordinates() {
            let name = grid::cell_name(row, col);
            let stone = self.stone(stones, row, col);
            let at = middle(row as i32, col as i32);
            let said = stone.map_or("empty".to_string(), |player| player.to_string());
            let more = if in_chain & self.cell(row, col) == C::NONE { "" } else { ", in the winning chain" };
            marks.push(Mark::place(hexagon(at), MarkRole::Field, name.clone(), format!("{name}, {said}{more}")));
            discs.extend(stone.map(|player| Mark::seen(MarkShape::Disc { at, radius: STONE }, MarkRole::Of(player))));
        }
        marks.extend(discs);
        for (player, paths) in won {
            let mut chain = WonStones::default();
            for path in paths {
                let coordinates = path.iter().filter_map(|cell| self.coordinates(cell.first()));
                chain.add(coordinates.map(|(row, col)| middle(row as i32, col as i32)).collect());
            }
            marks.extend(chain.marks(*player, STONE));
        }
        let text = |at: [i32; 2], text: String| Mark::seen(MarkShape::Text { at, size: LETTER, text }, MarkRole::Guide);
        marks.extend((0..cols).map(|col| {
            let [x, y] = middle(0, col);
            text([x - HALF + 6, y - ABOVE + LETTER - 4], grid::column_name(col as u32))
        }));
        marks.extend((0..rows).map(|row| {
            let [x, y] = middle(row, 0);
            text([x - (HALF + BESIDE) / 2 + 2, y], (row + 1).to_string())
        }));
        Scene { width, height, marks }
    }
}

/// The center of a cell in the drawing.
pub(crate) fn middle(row: i32, col: i32) -> [i32; 2] {
    [EDGE + BESIDE + HALF * (2 * col + row), EDGE + ABOVE + 3 * QUARTER * row]
}

/// The corner of the board near the cell in one of its corners, counted from the left clockwise.
pub(crate) fn rim([x, y]: [i32; 2], corner: usize) -> [i32; 2] {
    [x + RIM[corner][0], y + RIM[corner][1]]
}

/// The point between two of these corners.
pub(crate) fn between([x, y]: [i32; 2], [other_x, other_y]: [i32; 2]) -> [i32; 2] {
    [(x + other_x) / 2, (y + other_y) / 2]
}

/// A hexagon with a corner at the top.
fn hexagon([x, y]: [i32; 2]) -> MarkShape {
    let corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)];
    MarkShape::Polygon { points: corners.map(|(right, down)| [x + HALF * right, y + QUARTER * down]).to_vec() }
}
