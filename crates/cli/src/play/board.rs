//! Positions drawn with box characters and colours.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use richman_core::{MarkShape, Walk};

use super::words;

const WIDEST: usize = 20;
/// Characters in a line of a terminal.
const LINE: usize = 80;
const ALICE: Style = AnsiColor::Red.on_default().bold();
const BOB: Style = AnsiColor::Blue.on_default().bold();
const STAR: Style = AnsiColor::Yellow.on_default().bold();

/// Chess pieces in the order of [`LETTERS`]: Alice's white figures, then Bob's black ones.
const FIGURES: [char; 12] = ['♔', '♕', '♖', '♗', '♘', '♙', '♚', '♛', '♜', '♝', '♞', '♟'];
const LETTERS: &str = "KQRBNPkqrbnp";

/// A board as a grid, anything else as the game pictures it. Chess has figures if `figures` is set.
pub fn drawing(walk: &dyn Walk, figures: bool) -> String {
    let (notation, picture) = (walk.notation(), walk.picture());
    if figures && has_kings(&picture) {
        return with_figures(&picture);
    }
    if picture == notation {
        return words::position(&notation);
    }
    let Some(board) = Board::of(&notation, &picture) else { return picture };
    if !has_hexagons(walk) {
        board.grid()
    } else if board.cols() * 4 + board.rows.len() * 2 + board.margin < LINE {
        board.hexagons()
    } else {
        picture
    }
}

fn has_hexagons(walk: &dyn Walk) -> bool {
    let is_hexagon = |shape: &MarkShape| matches!(shape, MarkShape::Polygon { points } if points.len() == 6);
    walk.scene().is_some_and(|scene| scene.marks.iter().any(|mark| mark.place.is_some() && is_hexagon(&mark.shape)))
}

/// Whether a text is a chess board: it has ranks with kings.
fn has_kings(text: &str) -> bool {
    text.lines().any(|line| is_rank(line) && line.contains(['K', 'k', '♔', '♚']))
}

/// Replaces letters by figures in the ranks. The names of the files stay letters.
fn with_figures(picture: &str) -> String {
    let figure = |letter: char| LETTERS.find(letter).map_or(letter, |at| FIGURES[at]);
    let line = |line: &str| if is_rank(line) { line.chars().map(figure).collect() } else { line.to_string() };
    picture.lines().map(line).collect::<Vec<String>>().join("\n")
}

/// Rows of letters, with the names of columns and rows.
struct Board<'a> {
    rows: Vec<&'a str>,
    names: Vec<&'a str>,
    columns: Vec<&'a str>,
    /// The width of the longest name of a row.
    margin: usize,
}

impl<'a> Board<'a> {
    /// `None` if the text is not a board, or too wide. The picture names the columns and rows.
    fn of(notation: &'a str, picture: &'a str) -> Option<Board<'a>> {
        let rows: Vec<&str> = notation.split('/').collect();
        let cols = rows[0].len();
        let is_board = rows.iter().all(|row| row.len() == cols && row.bytes().all(|cell| b"AB.".contains(&cell)));
        if !is_board || cols > WIDEST {
            return None;
        }
        let mut lines = picture.lines();
        let columns: Vec<&str> = lines.next()?.split_whitespace().collect();
        let names: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
        let margin = names.iter().map(|name| name.len()).max()?;
        (columns.len() == cols && names.len() == rows.len()).then_some(Board { rows, names, columns, margin })
    }

    fn cols(&self) -> usize {
        self.columns.len()
    }

    fn grid(&self) -> String {
        let rule = |left: &str, cross: &str, right: &str| {
            format!("{:1$} {left}{2}{right}\n", "", self.margin, vec!["───"; self.cols()].join(cross))
        };
        let between = rule("├", "┼", "┤");
        let rows: Vec<String> = (0..self.rows.len()).map(|number| self.row(number)).collect();
        self.head() + &rule("┌", "┬", "┐") + &rows.join(&between) + rule("└", "┴", "┘").trim_end()
    }

    /// Draws every row half a cell further to the right.
    fn hexagons(&self) -> String {
        let margin = " ".repeat(self.margin + 2);
        let mut text = self.head() + &margin + r"/ \ ".repeat(self.cols()).trim_end() + "\n";
        for number in 0..self.rows.len() {
            let is_last = number + 1 == self.rows.len();
            let below = r"\ / ".repeat(self.cols()) + if is_last { "" } else { r"\" };
            let shift = " ".repeat(2 * number);
            text += &format!("{shift}{}{shift}{margin}{}\n", self.row(number), below.trim_end());
        }
        text.trim_end().to_string()
    }

    fn head(&self) -> String {
        let names: String = self.columns.iter().map(|name| format!(" {name:^3}")).collect();
        format!("{:1$} {2}\n", "", self.margin, names.trim_end())
    }

    fn row(&self, number: usize) -> String {
        let cell = |cell: char| format!("│ {} ", if cell == '.' { ' ' } else { cell });
        let cells: String = self.rows[number].chars().map(cell).collect();
        format!("{:>1$} {cells}│\n", self.names[number], self.margin)
    }
}

/// Colours the players' names, letters and chips, and the star. Output without colours strips them.
pub fn coloured(text: &str) -> String {
    let is_chess = has_kings(text);
    let colour = |line: &str| if is_chess && is_rank(line) { coloured_rank(line) } else { coloured_line(line) };
    let mut lines = text.split('\n').map(colour);
    let first = lines.next().unwrap_or_default();
    lines.fold(first, |text, line| text + "\n" + &line)
}

/// Whether the line is a rank of a chess board: a number and pieces.
fn is_rank(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|number| number.len() == 1 && number.parse::<u8>().is_ok())
        && words.clone().count() > 3
        && words.all(|word| {
            let mut letters = word.chars();
            letters.next().is_some_and(|letter| letter == '.' || is_piece(letter)) && letters.next().is_none()
        })
}

fn is_piece(letter: char) -> bool {
    LETTERS.contains(letter) || FIGURES.contains(&letter)
}

/// White pieces are Alice's.
fn coloured_rank(line: &str) -> String {
    let colour = |letter: char| match letter {
        _ if !is_piece(letter) => letter.to_string(),
        _ if letter.is_uppercase() || FIGURES[..6].contains(&letter) => painted(ALICE, letter),
        _ => painted(BOB, letter),
    };
    line.chars().map(colour).collect()
}

fn coloured_line(line: &str) -> String {
    let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let mut owner = None; // the owner of a row of chips
    let mut out = String::new();
    // Words, each with the punctuation after it.
    for piece in line.split_inclusive(|letter| !is_inside(letter)) {
        let word = piece.trim_end_matches(|letter| !is_inside(letter));
        let style = match word {
            "Alice" | "A" => Some(ALICE),
            "Bob" | "B" => Some(BOB),
            _ => None,
        };
        if word.len() > 1 {
            owner = owner.or(style);
        }
        out += &style.map_or(word.to_string(), |style| painted(style, word));
        out += &match (&piece[word.len()..], owner) {
            ("*", _) => painted(STAR, "*"),
            ("●", Some(style)) => painted(style, "●"),
            (sign, _) => sign.to_string(),
        };
    }
    out
}

fn painted(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_grids_with_the_names_of_the_picture() {
        let grid = |notation: &str, picture: &str| Board::of(notation, picture).map(|board| board.grid());
        let drawn = "    a   b   c
  ┌───┬───┬───┐
1 │ A │   │ B │
  ├───┼───┼───┤
2 │   │ A │   │
  └───┴───┴───┘";
        assert_eq!(grid("A.B/.A.", "  a b c\n1 A . B\n2 . A .").unwrap(), drawn);
        assert_eq!(grid("3", "0 [3] 6"), None);
        assert_eq!(grid("A.B", "A . B"), None);
    }

    #[test]
    fn hex_is_drawn_in_hexagons_where_there_is_room() {
        let hex = |spec: &str, position| {
            drawing(richman_analysis::Subject::named(spec).unwrap().walk(position).unwrap().as_ref(), false)
        };
        let drawn = r"
    a   b   c
   / \ / \ / \
1 │ A │   │ B │
   \ / \ / \ / \
  2 │   │ A │   │
     \ / \ / \ /";
        assert_eq!(hex("hex:rows=2,cols=3", Some("A.B/.A.")), drawn[1..]);
        assert!(hex("hex:size=11", None).lines().all(|line| line.chars().count() <= LINE));
        assert!(!hex("hex:size=16", None).contains('│'));
    }

    #[test]
    fn chess_has_figures_where_they_are_asked_for() {
        let walk = richman_analysis::Subject::named("chess:size=4").unwrap().walk(None).unwrap();
        assert!(drawing(walk.as_ref(), false).starts_with("4 r q k r"));
        let drawn = "4 ♜ ♛ ♚ ♜\n3 ♟ ♟ ♟ ♟\n2 ♙ ♙ ♙ ♙\n1 ♖ ♕ ♔ ♖\n  a b c d";
        assert_eq!(drawing(walk.as_ref(), true), drawn);
        let coloured = coloured(drawn);
        assert_eq!([31, 34].map(|code| coloured.matches(&format!("\u{1b}[{code}m")).count()), [8, 8], "{coloured:?}");
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), drawn);
    }

    #[test]
    fn colours_only_add_escapes() {
        for text in ["Alice (A, you)  ●● 2*\nBob (B)  ● 1", "Bob pays 2 to Alice.\n\nBobby, A-B", "", "│ A │"]
        {
            let plain = anstream::adapter::strip_str(&coloured(text)).to_string();
            assert_eq!(plain, text);
        }
        assert!(coloured("Alice").contains("\u{1b}[31m") && coloured("B").contains("\u{1b}[34m"));
        assert_eq!(coloured("Bobby"), "Bobby");
        let chess = coloured("2 . b . k\n1 B . K .\n  a b c d");
        assert_eq!(chess.matches("\u{1b}[31m").count(), 2, "{chess:?}");
        assert_eq!(chess.matches("\u{1b}[34m").count(), 2, "{chess:?}");
        assert!(coloured("2 . A . .\n1 B . . .").contains("\u{1b}[34mB"));
    }
}
