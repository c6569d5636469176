//! Games won by the first line of stones: Connect, where stones fall, and tic-tac-toe.

use std::sync::Arc;

use richman_core::{Game, PerfectIndex, Player, Scene, Structure};
use richman_lines::board::LinePosition;

use crate::board::{Board, LONGEST_LINE, LineFinder, MOST_COLS, MOST_ROWS, Symmetries};
use crate::connect::{self, Fillings};
use crate::grid::{self, StoneBoard};
use crate::parameters::{Parameters, canonical_name};
use crate::placing::{Placing, stones_on};
use crate::tic_tac_toe::{self, Ternary};
use crate::{GameError, Stones};

/// The first player with `line` stones in a row, horizontally, vertically or diagonally, wins; a
/// full board is a draw. If stones `FALL`, they come to rest on a column's lowest empty cell.
#[derive(Debug, Clone)]
pub struct LineGame<const FALL: bool> {
    pub(crate) board: Board,
    pub(crate) lines: LineFinder,
    /// All cells, row by row from the top; empty if stones fall.
    reading_order: Vec<u64>,
    symmetries: Symmetries,
    index: Option<Arc<dyn PerfectIndex<Stones>>>,
}

impl<const FALL: bool> LineGame<FALL> {
    /// The default rows, columns and length of a line.
    const USUAL: [u32; 3] = if FALL { [6, 7, 4] } else { [3, 3, 3] };

    /// The game on `rows` x `cols` cells. If `line` is longer than both sides, nobody can win.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] for `rows`, `cols` or `line`; [`GameError::BoardTooLarge`] if the
    /// cells do not fit in a word.
    pub fn new(rows: u32, cols: u32, line: u32) -> Result<LineGame<FALL>, GameError> {
        let board = Board::new(rows, cols)?;
        Ok(LineGame {
            board,
            lines: LineFinder::new(&board, line)?,
            reading_order: board.grid.coordinates().map(|(row, col)| board.cell(row, col)).filter(|_| !FALL).collect(),
            symmetries: if FALL { Symmetries::mirror(&board) } else { Symmetries::all(&board) },
            index: if FALL { Fillings::index(&board) } else { Ternary::index(&board) },
        })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<LineGame<FALL>, GameError> {
        let [rows, cols, line] = LineGame::<FALL>::USUAL;
        LineGame::new(
            given.number("rows", rows, 1..=MOST_ROWS)?,
            given.number("cols", cols, 1..=MOST_COLS)?,
            given.number("line", line, 1..=LONGEST_LINE)?,
        )
    }

    /// The cells where a stone can be placed.
    fn open_cells(&self, position: Stones) -> impl Iterator<Item = u64> {
        let occupied = position.occupied();
        // One added at the bottom of a column carries to its lowest empty cell, or off the board.
        let landings = if FALL { occupied.wrapping_add(self.board.bottom) & self.board.all } else { 0 };
        let empty = self.reading_order.iter().copied().filter(move |cell| occupied & cell == 0);
        richman_core::cells(landings).chain(empty)
    }
}

impl<const FALL: bool> Game for LineGame<FALL> {
    stones_on!(u64);

    fn name(&self) -> String {
        let [rows, cols, line] = LineGame::<FALL>::USUAL;
        let (info, grid) = (if FALL { connect::INFO } else { tic_tac_toe::INFO }, self.board.grid);
        canonical_name(
            info.name,
            &[("rows", grid.rows, rows), ("cols", grid.cols, cols), ("line", self.lines.line, line)],
        )
    }

    fn moves(&self, position: &Stones, player: Player, into: &mut Vec<Stones>) {
        into.extend(self.open_cells(*position).map(|cell| position.with(player, cell)));
    }

    fn successors(&self, position: &Stones, player: Player, into: &mut Vec<Stones>) {
        self.symmetries.successors(*position, player, self.open_cells(*position), into);
    }

    fn scene(&self, position: &Stones) -> Option<Scene> {
        let lines =
            |player| self.lines.lines(&self.board, position.of(player)).into_iter().map(move |line| (player, line));
        let won: Vec<(Player, u64)> = Player::BOTH.into_iter().flat_map(lines).collect();
        Some(match FALL {
            true => self.board.scene_of_columns(*position, &won),
            false => self.board.scene_of_cells(*position, &won),
        })
    }

    fn structure(&self, position: &Stones) -> Option<Structure> {
        let board = self.board.line_board(&self.lines, FALL)?;
        Some(Structure::new(LinePosition { board, stones: self.board.line_stones(*position) }))
    }

    fn canonical(&self, position: Stones) -> Stones {
        self.symmetries.canonical(position)
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<Stones>> {
        self.index.as_deref()
    }
}

impl<const FALL: bool> Placing<u64> for LineGame<FALL> {
    fn winner(&self, stones: Stones) -> Option<Player> {
        self.lines.winner(stones)
    }

    fn symmetries(&self, stones: Stones) -> u64 {
        self.symmetries.fixing(stones)
    }

    fn tops(&self, occupied: u64) -> u64 {
        if FALL { occupied & !(occupied >> 1) } else { occupied }
    }

    fn unreachable(&self, stones: Stones) -> Option<&'static str> {
        let occupied = stones.occupied();
        if FALL && occupied & !self.board.bottom & !(occupied << 1) != 0 {
            return Some("a stone floats above an empty cell");
        }
        self.lines.both(stones).then_some("both players have a line")
    }

    fn placed(&self, row: u32, col: u32) -> String {
        if FALL { grid::column_name(col) } else { grid::cell_name(row, col) }
    }
}
