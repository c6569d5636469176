//! A board as text, changed cell by cell: stones in rows (`A.B/.A./...`), or the squares of chess
//! in Forsyth-Edwards notation. What is written need not be a position of the game.

use richman_core::Player;

/// Larger boards are not set up cell by cell.
const MOST_CELLS: usize = 256;
/// An empty cell, as a piece to put.
pub const EMPTY: char = '.';
/// In place of a cell's number: all cells.
pub const ALL: &str = "all";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    Stones,
    Squares,
}

impl CellKind {
    /// The pieces that can be put on a cell.
    pub fn pieces(self) -> &'static str {
        match self {
            CellKind::Stones => "AB",
            CellKind::Squares => "KQRBNPkqrbnp",
        }
    }

    /// The owner of a piece.
    pub fn owner(self, piece: char) -> Option<Player> {
        match (self, piece) {
            (_, EMPTY) => None,
            (CellKind::Stones, 'B') => Some(Player::Bob),
            (CellKind::Squares, piece) if piece.is_ascii_lowercase() => Some(Player::Bob),
            _ => Some(Player::Alice),
        }
    }
}

/// The cells of a board, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardText {
    pub kind: CellKind,
    pub rows: Vec<Vec<char>>,
    /// What stands behind the squares of chess.
    rest: String,
}

impl BoardText {
    /// The cells of `position`, if the game with this start has such a board.
    pub fn of(start: &str, position: &str) -> Option<BoardText> {
        let shape = BoardText::read(start)?;
        let is_board = match shape.kind {
            CellKind::Stones => start.contains(EMPTY),
            CellKind::Squares => start.contains('K') && shape.rows.iter().all(|row| row.len() == shape.rows.len()),
        };
        let widths = |board: &BoardText| board.rows.iter().map(Vec::len).collect::<Vec<_>>();
        let is_whole = |board: &BoardText| widths(board) == widths(&shape);
        BoardText::read_as(shape.kind, position).filter(is_whole).or(Some(shape)).filter(|_| is_board)
    }

    fn read(text: &str) -> Option<BoardText> {
        let is_stones = text.chars().all(|letter| "AB./".contains(letter));
        BoardText::read_as(if is_stones { CellKind::Stones } else { CellKind::Squares }, text)
    }

    fn read_as(kind: CellKind, text: &str) -> Option<BoardText> {
        let (board, rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut rows = vec![Vec::new()];
        for letter in board.chars() {
            let row = rows.last_mut()?;
            match letter {
                '/' => rows.push(Vec::new()),
                EMPTY if kind == CellKind::Stones => row.push(EMPTY),
                '1'..='9' if kind == CellKind::Squares => {
                    row.extend(std::iter::repeat_n(EMPTY, letter.to_digit(10)? as usize));
                }
                piece if kind.pieces().contains(piece) => row.push(piece),
                _ => return None,
            }
        }
        let count: usize = rows.iter().map(Vec::len).sum();
        (1..=MOST_CELLS).contains(&count).then(|| BoardText { kind, rows, rest: rest.to_string() })
    }

    /// Puts a piece on the cell with this number, or takes it away if it stands there; or empties
    /// all cells.
    fn put(&mut self, number: &str, piece: char) {
        if piece != EMPTY && !self.kind.pieces().contains(piece) {
            return;
        }
        let number = if number == ALL { None } else { Some(number.parse::<usize>().ok()) };
        for (at, cell) in self.rows.iter_mut().flatten().enumerate() {
            match number {
                None => *cell = EMPTY,
                Some(number) if number == Some(at) => *cell = if *cell == piece { EMPTY } else { piece },
                Some(_) => {}
            }
        }
    }

    /// The text of the board. A change ends what chess remembers of moves, except for castling
    /// where the king and the rook still stand.
    fn changed(&self) -> String {
        let mut text = self.rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
        if self.kind == CellKind::Stones {
            return text;
        }
        for empty in (1..=8).rev() {
            text = text.replace(&".".repeat(empty), &empty.to_string());
        }
        let at = |row: usize, col: usize| self.rows.get(row).and_then(|row| row.get(col)).copied();
        let stands = |letter: &char| {
            let (row, king, rook) = if letter.is_ascii_uppercase() { (7, 'K', 'R') } else { (0, 'k', 'r') };
            let corner = if letter.eq_ignore_ascii_case(&'k') { 7 } else { 0 };
            at(row, 4) == Some(king) && at(row, corner) == Some(rook)
        };
        let castling = self.rest.split(' ').next().unwrap_or_default();
        let castling: String = castling.chars().filter(|letter| "KQkq".contains(*letter)).filter(stands).collect();
        if castling.is_empty() { text } else { format!("{text} {castling}") }
    }

    /// The name of a cell as on the board.
    pub fn name(&self, row: usize, col: usize) -> String {
        let row = if self.kind == CellKind::Squares { self.rows.len() - row } else { row + 1 };
        let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
        let (mut name, mut rest) = (String::from(letter(col)), col / 26);
        while rest > 0 {
            name.insert(0, letter(rest - 1));
            rest = (rest - 1) / 26;
        }
        format!("{name}{row}")
    }
}

/// The position after `piece` is put on the cell with this number; the same if that is no board.
pub fn put(position: &str, number: &str, piece: &str) -> String {
    match (BoardText::read(position), piece.chars().next()) {
        (Some(mut board), Some(piece)) => {
            board.put(number, piece);
            board.changed()
        }
        _ => position.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use richman_analysis::{Games, Subject};

    use super::*;

    const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq";

    #[test]
    fn a_piece_is_put_and_taken_away() {
        assert_eq!(put(".../.../...", "4", "A"), ".../.A./...");
        assert_eq!(put(".../.A./...", "4", "B"), ".../.B./...");
        assert_eq!(put(".../.A./...", "4", "A"), ".../.../...");
        assert_eq!(put("AB./.A./...", ALL, "A"), ".../.../...");
        assert_eq!(put("4k3/8/8/8/8/8/8/4K3", "27", "q"), "4k3/8/8/3q4/8/8/8/4K3");
        assert_eq!(put("4k3/8/8/3q4/8/8/8/4K3", "27", "."), "4k3/8/8/8/8/8/8/4K3");
        for (number, piece) in [("9", "A"), ("x", "A"), ("-1", "B"), ("0", "X"), ("0", "k"), ("0", "")] {
            assert_eq!(put(".../.../...", number, piece), ".../.../...", "{number} {piece}");
        }
        assert_eq!(put("no board", "0", "A"), "no board");
    }

    #[test]
    fn castling_stays_while_king_and_rook_stand() {
        assert_eq!(put(CHESS, "36", "P"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR KQkq");
        assert_eq!(put(CHESS, "63", "."), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 Qkq");
        assert_eq!(put(CHESS, "4", "."), "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQ");
        assert_eq!(put("4k3/8/8/3pP3/8/8/8/4K3 - d6", "0", "q"), "q3k3/8/8/3pP3/8/8/8/4K3");
    }

    #[test]
    fn games_with_cells_are_set_up_and_no_others() {
        for info in Games::default().list() {
            let Ok(subject) = Subject::named(info.name) else { continue };
            let start = subject.walk(None).unwrap().notation();
            let with_cells = ["tic-tac-toe", "connect", "hex", "y", "chess"].contains(&info.name);
            let board = BoardText::of(&start, &start);
            assert_eq!(board.is_some(), with_cells, "{}: {start}", info.name);
            let Some(board) = board else { continue };
            assert_eq!(board.changed(), start);
            let last = board.rows.len() - 1;
            let scene = subject.walk(None).unwrap().scene().unwrap();
            let places: Vec<String> = scene.marks.into_iter().filter_map(|mark| mark.place).collect();
            let corner = board.name(last, 0);
            assert!(places.contains(&corner) || info.name == "connect", "{corner} of {} in {places:?}", info.name);
        }
        let wrong = BoardText::of(".../.../...", "A./../..").unwrap();
        assert_eq!(wrong.changed(), ".../.../...", "another shape is the start");
        assert!(BoardText::of(&".".repeat(257), "").is_none());
    }
}
