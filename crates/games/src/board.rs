//! Boards of rows and columns that fit in one machine word, with stones of both players.
//!
//! Cell (row from the bottom, column) is bit `column * (rows + 1) + row`. The extra row above each
//! column stays empty, so shifting along a direction never joins the end of one line to the start
//! of the next. So (rows + 1) * cols must be at most 64.

pub(crate) mod scene;

use std::sync::Arc;

use richman_core::{ByPlayer, Player};
use richman_lines::board::LineBoard;

use crate::grid::{Grid, StoneBoard};
use crate::parameters::within;
use crate::{GameError, Stones};

/// The most rows, on a board of one column.
pub const MOST_ROWS: u32 = 63;
/// The most columns, on a board of one row.
pub const MOST_COLS: u32 = 32;
/// The longest line accepted. Nobody can make a line longer than both sides.
pub const LONGEST_LINE: u32 = 1_000_000;

/// The shape of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    pub(crate) grid: Grid,
    pub(crate) all: u64,
    /// The cells of the lowest row.
    pub(crate) bottom: u64,
}

impl Board {
    /// A board of `rows` x `cols` cells.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] for `rows` or `cols`; [`GameError::BoardTooLarge`] if the cells do
    /// not fit in a word.
    pub fn new(rows: u32, cols: u32) -> Result<Board, GameError> {
        within("rows", rows, 1..=MOST_ROWS)?;
        within("cols", cols, 1..=MOST_COLS)?;
        if (rows + 1) * cols > u64::BITS {
            return Err(GameError::BoardTooLarge { rows, cols });
        }
        let bottom = (0..cols).fold(0, |bits, col| bits | 1 << (col * (rows + 1)));
        let all = (0..rows).fold(0, |bits, row| bits | bottom << row);
        Ok(Board { grid: Grid::rectangle(rows, cols), all, bottom })
    }

    /// The board for engines, with cells numbered row by row from the bottom. If stones `fall`, a
    /// cell needs the one below it. `None` above 63 cells.
    pub(crate) fn line_board(&self, lines: &LineFinder, fall: bool) -> Option<LineBoard> {
        let [rows, cols] = [self.grid.rows, self.grid.cols].map(i64::from);
        let number = |row: i64, col: i64| 1_u64 << (row * cols + col);
        if rows * cols > LineBoard::MOST_CELLS as i64 {
            return None;
        }
        let cells = || (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
        let support = cells().map(|(row, col)| if fall && row > 0 { number(row - 1, col) } else { 0 }).collect();
        let last = i64::from(lines.line) - 1;
        let inside = move |row: i64, col: i64| (0..rows).contains(&row) && (0..cols).contains(&col);
        let towards = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let towards = if last == 0 { &towards[..1] } else { &towards[..] };
        let line = |(row, col): (i64, i64), (up, right): (i64, i64)| {
            let fits = lines.fits && inside(row + last * up, col + last * right);
            fits.then(|| (0..=last).map(|step| number(row + step * up, col + step * right)).sum())
        };
        let lines: Vec<u64> = cells().flat_map(|cell| towards.iter().filter_map(move |way| line(cell, *way))).collect();
        LineBoard::new(support, ByPlayer::both(lines))
    }

    /// Stones as cells of [`Board::line_board`].
    pub(crate) fn line_stones(&self, stones: Stones) -> [u64; 2] {
        Player::BOTH.map(|player| {
            let cells = self.grid.coordinates();
            let has = |(row, col)| stones.of(player) & self.cell(self.grid.rows - 1 - row, col) != 0;
            cells.enumerate().filter(|(_, cell)| has(*cell)).map(|(number, _)| 1 << number).sum()
        })
    }
}

impl StoneBoard<u64> for Board {
    const HAS_HEXAGONS: bool = false;

    fn grid(&self) -> Grid {
        self.grid
    }

    /// The empty set for a cell outside the board.
    fn cell(&self, row: u32, col: u32) -> u64 {
        if row < self.grid.rows && col < self.grid.cols {
            1 << (col * (self.grid.rows + 1) + self.grid.rows - 1 - row)
        } else {
            0
        }
    }

    fn coordinates(&self, number: u32) -> Option<(u32, u32)> {
        let Grid { rows, .. } = self.grid;
        // The highest bit of a column is not a cell.
        Some(((rows - 1).checked_sub(number % (rows + 1))?, number / (rows + 1)))
    }
}

/// Finds lines: `line` stones in a row, vertically, horizontally or diagonally.
///
/// Intersecting the starts of runs of length a with their shift by b <= a steps gives the starts of
/// runs of length a + b. So a logarithmic number of shifts finds a line, in all directions at once.
#[derive(Debug, Clone, Copy)]
pub struct LineFinder {
    /// The requested number of cells in a line.
    pub(crate) line: u32,
    fits: bool,
    /// For each step, one shift per direction.
    shifts: [[u32; 4]; LineFinder::MOST_STEPS],
    steps: usize,
}

impl LineFinder {
    /// Enough for lines of 64 cells.
    const MOST_STEPS: usize = 6;

    /// Lines of `line` cells on `board`.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] unless `line` is from 1 to [`LONGEST_LINE`].
    pub fn new(board: &Board, line: u32) -> Result<LineFinder, GameError> {
        within("line", line, 1..=LONGEST_LINE)?;
        let mut lines = LineFinder {
            line,
            fits: line <= board.grid.rows.max(board.grid.cols),
            shifts: Default::default(),
            steps: 0,
        };
        let mut length = 1;
        while lines.fits && length < line {
            let step = length.min(line - length);
            // Bit 63 is never a cell, so a shift by 63 leaves nothing.
            lines.shifts[lines.steps] =
                [1, board.grid.rows + 1, board.grid.rows, board.grid.rows + 2].map(|stride| (stride * step).min(63));
            lines.steps += 1;
            length += step;
        }
        Ok(lines)
    }

    /// Whether `stones` hold a line.
    #[inline]
    pub fn any(&self, stones: u64) -> bool {
        let mut starts = [stones; 4];
        for shifts in &self.shifts[..self.steps] {
            for (start, shift) in starts.iter_mut().zip(shifts) {
                *start &= start.wrapping_shr(*shift);
            }
        }
        self.fits && starts != [0; 4]
    }

    /// The lines that `stones` hold.
    pub(crate) fn lines(&self, board: &Board, stones: u64) -> Vec<u64> {
        let rows = board.grid.rows;
        if !self.any(stones) {
            return Vec::new();
        }
        let along = |stride: u32| {
            let line = move |cell: u64| (0..self.line).fold(0, |line, step| line | cell << (stride * step));
            // A line that leaves the board at a side has a bit without a stone.
            let fits = move |cell: &u64| {
                let last = cell.trailing_zeros() + stride * (self.line - 1);
                last < u64::BITS && stones & line(*cell) == line(*cell)
            };
            richman_core::cells(stones).filter(fits).map(line)
        };
        let mut lines: Vec<u64> = [1, rows + 1, rows, rows + 2].into_iter().flat_map(along).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The player who has a line; Alice if both have, which cannot happen in play.
    #[inline]
    pub fn winner(&self, stones: Stones) -> Option<Player> {
        if self.any(stones.alice) {
            Some(Player::Alice)
        } else if self.any(stones.bob) {
            Some(Player::Bob)
        } else {
            None
        }
    }

    /// Whether both players have a line.
    pub fn both(&self, stones: Stones) -> bool {
        self.any(stones.alice) && self.any(stones.bob)
    }
}

/// Sums a number per cell over the cells of a bitboard, by a table for each byte.
#[derive(Debug, Clone)]
pub(crate) struct CellSums {
    bytes: Arc<[[u64; 256]]>,
}

impl CellSums {
    /// `value` gives a cell's number from its row (0 at the top) and column.
    pub(crate) fn new(board: &Board, value: impl Fn(u32, u32) -> u64) -> CellSums {
        let mut values = [0; u64::BITS as usize];
        for (row, col) in board.grid.coordinates() {
            values[board.cell(row, col).trailing_zeros() as usize] = value(row, col);
        }
        let used = (((board.grid.rows + 1) * board.grid.cols) as usize).div_ceil(8);
        let table = |byte: &[u64]| {
            let mut sums = [0; 256];
            for bits in 1..256_usize {
                sums[bits] = sums[bits & (bits - 1)] + byte[bits.trailing_zeros() as usize];
            }
            sums
        };
        CellSums { bytes: values.chunks(8).take(used).map(table).collect() }
    }

    #[inline]
    pub(crate) fn sum(&self, bits: u64) -> u64 {
        let mut rest = bits;
        let mut sum = 0;
        for table in self.bytes.iter() {
            sum += table[(rest & 0xff) as usize];
            rest >>= 8;
        }
        sum
    }
}

/// The symmetries of a board that a game allows, without the identity.
#[derive(Debug, Clone)]
pub struct Symmetries {
    /// For each symmetry, the image of a set of cells.
    images: Arc<[CellSums]>,
    /// For each symmetry, the image of each cell, indexed by the cell's bit.
    cells: Arc<[[u64; u64::BITS as usize]]>,
}

impl Symmetries {
    /// The number of symmetries of a square.
    const MOST: usize = 7;

    /// All symmetries of the rectangle: four, or eight for a square.
    pub fn all(board: &Board) -> Symmetries {
        let (last_row, last_col) = (board.grid.rows - 1, board.grid.cols - 1);
        let mut maps: Vec<Box<CellMap>> = vec![
            Box::new(move |row, col| (row, last_col - col)),
            Box::new(move |row, col| (last_row - row, col)),
            Box::new(move |row, col| (last_row - row, last_col - col)),
        ];
        if board.grid.rows == board.grid.cols {
            maps.push(Box::new(|row, col| (col, row)));
            maps.push(Box::new(move |row, col| (col, last_row - row)));
            maps.push(Box::new(move |row, col| (last_col - col, row)));
            maps.push(Box::new(move |row, col| (last_col - col, last_row - row)));
        }
        Symmetries::new(board, &maps)
    }

    /// Only the left-right reflection.
    pub fn mirror(board: &Board) -> Symmetries {
        let last_col = board.grid.cols - 1;
        Symmetries::new(board, &[Box::new(move |row, col| (row, last_col - col))])
    }

    fn new(board: &Board, maps: &[Box<CellMap>]) -> Symmetries {
        let coordinates = || board.grid.coordinates();
        let mut known: Vec<Vec<(u32, u32)>> = vec![coordinates().collect()];
        let mut images = Vec::new();
        for map in maps {
            // On narrow boards some symmetries equal the identity or each other.
            let image: Vec<_> = coordinates().map(|(row, col)| map(row, col)).collect();
            if !known.contains(&image) {
                known.push(image);
                images.push(CellSums::new(board, |row, col| {
                    let (row, col) = map(row, col);
                    board.cell(row, col)
                }));
            }
        }
        let cells = images.iter().map(|image| std::array::from_fn(|cell| image.sum(1 << cell & board.all))).collect();
        Symmetries { images: images.into(), cells }
    }

    /// The images of `stones` under the symmetries, without the identity.
    pub fn images(&self, stones: Stones) -> impl Iterator<Item = Stones> + '_ {
        self.images.iter().map(move |image| Stones { alice: image.sum(stones.alice), bob: image.sum(stones.bob) })
    }

    /// The number of symmetries, including the identity, that fix `stones`.
    pub(crate) fn fixing(&self, stones: Stones) -> u64 {
        1 + self.images(stones).filter(|image| *image == stones).count() as u64
    }

    /// The least of `stones` and its images.
    #[inline]
    pub fn canonical(&self, stones: Stones) -> Stones {
        let mut least = stones;
        for image in self.images.iter() {
            let alice = image.sum(stones.alice);
            if alice <= least.alice {
                least = least.min(Stones { alice, bob: image.sum(stones.bob) });
            }
        }
        least
    }

    /// For each of `cells`, appends the [`Symmetries::canonical`] position with a stone of `player`
    /// added there.
    #[inline]
    pub(crate) fn successors(
        &self,
        stones: Stones,
        player: Player,
        cells: impl Iterator<Item = u64>,
        into: &mut Vec<Stones>,
    ) {
        // The image of a move is the image of the stones plus the image of the cell.
        let mut images = [Stones::NONE; Symmetries::MOST];
        for (to, image) in images.iter_mut().zip(self.images(stones)) {
            *to = image;
        }
        into.extend(cells.map(|cell| {
            let index = cell.trailing_zeros() as usize;
            let moved = images.iter().zip(self.cells.iter()).map(|(image, cells)| image.with(player, cells[index]));
            moved.fold(stones.with(player, cell), Stones::min)
        }));
    }
}

type CellMap = dyn Fn(u32, u32) -> (u32, u32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid;
    use fastrand::Rng;

    fn boards() -> impl Iterator<Item = Board> {
        (1..=MOST_ROWS).flat_map(|rows| (1..=MOST_COLS).filter_map(move |cols| Board::new(rows, cols).ok()))
    }

    fn has_line_by_definition(board: &Board, stones: u64, line: u32) -> bool {
        let holds = |row: i64, col: i64| {
            (0..i64::from(board.grid.rows)).contains(&row)
                && (0..i64::from(board.grid.cols)).contains(&col)
                && stones & board.cell(row as u32, col as u32) != 0
        };
        (0..i64::from(board.grid.rows)).any(|row| {
            (0..i64::from(board.grid.cols)).any(|col| {
                [(0, 1), (1, 0), (1, 1), (1, -1)]
                    .iter()
                    .any(|(down, right)| (0..i64::from(line)).all(|k| holds(row + k * down, col + k * right)))
            })
        })
    }

    #[test]
    fn lines_agree_with_a_scan_of_the_cells() {
        let mut random = Rng::with_seed(77);
        for board in boards() {
            for line in 1..=board.grid.rows.max(board.grid.cols) + 1 {
                let lines = LineFinder::new(&board, line).unwrap();
                for density in 0..4 {
                    let mut stones = board.all;
                    for _ in 0..density {
                        stones &= random.u64(..) | random.u64(..) & random.u64(..);
                    }
                    assert_eq!(
                        lines.any(stones),
                        has_line_by_definition(&board, stones, line),
                        "{} with line {line}",
                        board.notation(Stones { alice: stones, bob: 0 })
                    );
                }
            }
            assert!(!LineFinder::new(&board, LONGEST_LINE).unwrap().any(board.all));
        }
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        assert!(Board::new(63, 1).is_ok() && Board::new(1, 32).is_ok() && Board::new(7, 8).is_ok());
        for (rows, cols) in [(0, 3), (3, 0), (64, 1), (1, 33), (8, 8), (u32::MAX, u32::MAX)] {
            assert!(Board::new(rows, cols).is_err(), "{rows} x {cols}");
        }
    }

    #[test]
    fn notation_round_trips() {
        let mut random = Rng::with_seed(5);
        for board in boards() {
            for _ in 0..20 {
                let alice = random.u64(..) & board.all;
                let stones = Stones { alice, bob: random.u64(..) & board.all & !alice };
                assert_eq!(board.parse(&board.notation(stones), "test"), Ok(stones));
            }
        }
    }

    #[test]
    fn other_text_is_refused_with_what_to_write() {
        let board = Board::new(2, 3).unwrap();
        for (text, cause) in [
            ("", "it has 1 row;"),
            (".../.../...", "it has 3 rows;"),
            ("..../...", "its row 1 has 4 cells;"),
            (".../.", "its row 2 has 1 cell;"),
            ("..x/...", "'x' is none of A, B and .;"),
            ("..é/...", "'é' is none of A, B and .;"),
        ] {
            let message = board.parse(text, "test").unwrap_err().to_string();
            assert!(message.contains(cause), "{message}");
            assert!(message.contains("write 2 rows of 3 cells from the top, separated by /"), "{message}");
        }
        assert!(board.parse(&"/".repeat(1 << 20), "test").unwrap_err().to_string().len() < 300);
    }

    #[test]
    fn columns_past_z_have_two_letters() {
        let names: Vec<String> = [0, 25, 26, 27, 51, 52, 701, 702].into_iter().map(grid::column_name).collect();
        assert_eq!(names, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
        assert_eq!(grid::cell_name(0, 0), "a1");
    }

    #[test]
    fn successors_are_the_canonical_forms_of_moves_in_their_order() {
        let mut random = Rng::with_seed(10);
        for board in boards() {
            for symmetries in [Symmetries::all(&board), Symmetries::mirror(&board)] {
                let alice = random.u64(..) & board.all;
                let stones = Stones { alice, bob: random.u64(..) & board.all & !alice };
                let empty = || richman_core::cells(board.all & !stones.occupied());
                for player in Player::BOTH {
                    let mut found = Vec::new();
                    symmetries.successors(stones, player, empty(), &mut found);
                    let moves: Vec<Stones> =
                        empty().map(|cell| symmetries.canonical(stones.with(player, cell))).collect();
                    assert_eq!(found, moves);
                }
            }
        }
    }

    #[test]
    fn symmetric_stones_have_one_canonical_form() {
        let mut random = Rng::with_seed(9);
        for board in boards() {
            let all = Symmetries::all(&board);
            let expected = match (board.grid.rows, board.grid.cols) {
                (1, 1) => 0,
                (1, _) | (_, 1) => 1,
                (rows, cols) if rows == cols => 7,
                _ => 3,
            };
            assert_eq!(all.images.len(), expected);
            for symmetries in [all, Symmetries::mirror(&board)] {
                for _ in 0..20 {
                    let alice = random.u64(..) & board.all;
                    let stones = Stones { alice, bob: random.u64(..) & board.all & !alice };
                    let canonical = symmetries.canonical(stones);
                    assert!(canonical == stones || symmetries.images(stones).any(|image| image == canonical));
                    for image in symmetries.images(stones) {
                        assert_eq!(symmetries.canonical(image), canonical);
                    }
                }
            }
        }
    }
}
