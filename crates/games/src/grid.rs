//! Boards as text: rows of `A`, `B` and `.` from the top, and the names of cells.

use richman_core::{Error, Player, counted};

use crate::stones::{Cells, Stones};

/// A shape of rows and columns, with at least one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: u32,
    /// The columns of the first row.
    pub(crate) cols: u32,
    is_triangle: bool,
}

/// The name of a column: a, b, ..., z, aa, ab, ...
pub(crate) fn column_name(col: u32) -> String {
    let letter = |number: u32| char::from(b'a' + (number % 26) as u8);
    let mut name = String::from(letter(col));
    let mut rest = col / 26;
    while rest > 0 {
        rest -= 1;
        name.insert(0, letter(rest));
        rest /= 26;
    }
    name
}

/// The name of a cell: its column, then its row, counted from 1 at the top.
pub(crate) fn cell_name(row: u32, col: u32) -> String {
    format!("{}{}", column_name(col), u64::from(row) + 1)
}

/// The letter of a stone, or of an empty cell.
pub(crate) fn letter(stone: Option<Player>) -> char {
    match stone {
        Some(Player::Alice) => 'A',
        Some(Player::Bob) => 'B',
        None => '.',
    }
}

impl Grid {
    pub(crate) fn rectangle(rows: u32, cols: u32) -> Grid {
        Grid { rows, cols, is_triangle: false }
    }

    /// A triangle: each row is one cell shorter than the one above.
    pub(crate) fn triangle(size: u32) -> Grid {
        Grid { rows: size, cols: size, is_triangle: true }
    }

    pub(crate) fn width(self, row: u32) -> u32 {
        if self.is_triangle { self.cols - row } else { self.cols }
    }

    /// All cells as (row, column), row by row from the top.
    pub(crate) fn coordinates(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rows).flat_map(move |row| (0..self.width(row)).map(move |col| (row, col)))
    }

    /// The stones in rows from the top, separated by `/`.
    pub(crate) fn notation(self, stone: impl Fn(u32, u32) -> Option<Player>) -> String {
        let mut text = String::with_capacity((self.rows as usize) * (self.cols as usize + 1));
        for (row, col) in self.coordinates() {
            if row > 0 && col == 0 {
                text.push('/');
            }
            text.push(letter(stone(row, col)));
        }
        text
    }

    /// A letter per cell, with column names above and row numbers to the left. On hexagons each row
    /// starts half a cell further right.
    pub(crate) fn picture(self, has_hexagons: bool, letter: impl Fn(u32, u32) -> char) -> String {
        let margin = self.rows.to_string().len();
        let width = if has_hexagons { 1 } else { column_name(self.cols - 1).len() };
        let mut text = " ".repeat(margin);
        text.extend((0..self.cols).map(|col| format!(" {:>width$}", column_name(col))));
        for row in 0..self.rows {
            let indent = if has_hexagons { row as usize } else { 0 };
            text += &format!("\n{:indent$}{:>margin$}", "", row + 1);
            text.extend((0..self.width(row)).map(|col| format!(" {:>width$}", letter(row, col))));
        }
        text
    }

    /// Calls `put` for each stone of a notation; errors name `game`.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for any other text, saying what a position looks like.
    pub(crate) fn parse(self, text: &str, game: &str, mut put: impl FnMut(u32, u32, Player)) -> Result<(), Error> {
        let refused = |cause: String| self.refused(text, game, &cause);
        let rows = text.split('/').count();
        if rows != self.rows as usize {
            return Err(refused(format!("it has {}", counted(rows as u64, "row"))));
        }
        for (row, letters) in (0..).zip(text.split('/')) {
            let cols = letters.chars().count();
            if cols != self.width(row) as usize {
                return Err(refused(format!("its row {} has {}", row + 1, counted(cols as u64, "cell"))));
            }
            for (col, letter) in (0..).zip(letters.chars()) {
                match letter {
                    'A' => put(row, col, Player::Alice),
                    'B' => put(row, col, Player::Bob),
                    '.' => {}
                    _ => return Err(refused(format!("{letter:?} is none of A, B and ."))),
                }
            }
        }
        Ok(())
    }

    /// The error for a text that is not a position: the cause, and what a position looks like.
    pub(crate) fn refused(self, text: &str, game: &str, cause: &str) -> Error {
        let (rows, cols) = (counted(self.rows.into(), "row"), counted(self.cols.into(), "cell"));
        let shorter = if self.is_triangle { " to 1" } else { "" };
        let empty = self.notation(|_, _| None);
        Error::bad_position(
            text,
            game,
            format!(
                "{cause}; write {rows} of {cols}{shorter} from the top, separated by /, with A, B or . for each cell, \
                 such as {empty}"
            ),
        )
    }
}

/// Rows and columns of cells for stones.
pub(crate) trait StoneBoard<C: Cells> {
    fn grid(&self) -> Grid;

    /// The cell in the given row (0 at the top) and column.
    fn cell(&self, row: u32, col: u32) -> C;

    /// The row and the column of the cell with this number in a set of cells.
    fn coordinates(&self, number: u32) -> Option<(u32, u32)>;

    const HAS_HEXAGONS: bool;

    fn stone(&self, stones: Stones<C>, row: u32, col: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| stones.of(*player) & self.cell(row, col) != C::NONE)
    }

    /// The row (from the top) and column of the only stone added from `from` to `to`.
    fn added(&self, from: Stones<C>, to: Stones<C>) -> Option<(u32, u32)> {
        let added = to.occupied() & !from.occupied();
        let coordinates = if added == C::NONE { None } else { self.coordinates(added.first()) };
        coordinates.filter(|&(row, col)| self.cell(row, col) == added)
    }

    fn notation(&self, stones: Stones<C>) -> String {
        self.grid().notation(|row, col| self.stone(stones, row, col))
    }

    /// The stones of a notation; errors name `game`.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for any other text, saying what a position looks like.
    fn parse(&self, text: &str, game: &str) -> Result<Stones<C>, Error> {
        let mut stones = Stones::NONE;
        self.grid().parse(text, game, |row, col, player| stones = stones.with(player, self.cell(row, col)))?;
        Ok(stones)
    }

    fn picture(&self, stones: Stones<C>) -> String {
        self.grid().picture(Self::HAS_HEXAGONS, |row, col| letter(self.stone(stones, row, col)))
    }
}
