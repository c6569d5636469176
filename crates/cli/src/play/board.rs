//! Positions drawn with box characters, and colours.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use richman_core::Walk;

use super::words;

const WIDEST: usize = 20;
const ALICE: Style = AnsiColor::Red.on_default().bold();
const BOB: Style = AnsiColor::Blue.on_default().bold();
const STAR: Style = AnsiColor::Yellow.on_default().bold();

/// The position for people: a board as a grid, anything else as the game pictures it.
pub fn drawing(walk: &dyn Walk) -> String {
    let (notation, picture) = (walk.notation(), walk.picture());
    if picture == notation {
        return words::position(&notation);
    }
    grid(&notation, &picture).unwrap_or(picture)
}

/// The grid of a board, `None` where it is no board or is too wide. The names of columns and rows are those of the picture.
fn grid(notation: &str, picture: &str) -> Option<String> {
    let rows: Vec<&str> = notation.split('/').collect();
    let cols = rows[0].len();
    let is_board = rows.iter().all(|row| row.len() == cols && row.bytes().all(|cell| b"AB.".contains(&cell)));
    if !is_board || cols > WIDEST {
        return None;
    }
    let mut lines = picture.lines();
    let columns: Vec<&str> = lines.next()?.split_whitespace().collect();
    let names: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    if columns.len() != cols || names.len() != rows.len() {
        return None;
    }
    let margin = names.iter().map(|name| name.len()).max()?;
    let rule = |left: &str, cross: &str, right: &str| {
        format!("{:margin$} {left}{}{right}\n", "", vec!["───"; cols].join(cross))
    };
    let mut text = " ".repeat(margin + 1);
    for name in columns {
        let _ = write!(text, " {name:^3}");
    }
    text = format!("{}\n{}", text.trim_end(), rule("┌", "┬", "┐"));
    for (number, (name, row)) in names.iter().zip(&rows).enumerate() {
        if number > 0 {
            text += &rule("├", "┼", "┤");
        }
        let _ = write!(text, "{name:>margin$} ");
        for cell in row.chars() {
            let _ = write!(text, "│ {} ", if cell == '.' { ' ' } else { cell });
        }
        text += "│\n";
    }
    Some(text + rule("└", "┴", "┘").trim_end())
}

/// A text with the players' names, letters and chips and the star in colour. Colours are taken out again where they are not wanted.
pub fn coloured(text: &str) -> String {
    let mut lines = text.split('\n').map(coloured_line);
    let first = lines.next().unwrap_or_default();
    lines.fold(first, |text, line| text + "\n" + &line)
}

fn coloured_line(line: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut owner = None; // whose chips a row of them are
    let mut flush = |word: &mut String, out: &mut String| {
        let style = match word.as_str() {
            "Alice" | "A" => Some(ALICE),
            "Bob" | "B" => Some(BOB),
            _ => None,
        };
        if matches!(word.as_str(), "Alice" | "Bob") {
            owner = owner.or(style);
        }
        match style {
            Some(style) => {
                let _ = write!(out, "{style}{word}{style:#}");
            }
            None => out.push_str(word),
        }
        word.clear();
        owner
    };
    for letter in line.chars() {
        if letter.is_alphanumeric() || letter == '_' || letter == '-' {
            word.push(letter);
            continue;
        }
        let owner = flush(&mut word, &mut out);
        match (letter, owner) {
            ('*', _) => {
                let _ = write!(out, "{STAR}*{STAR:#}");
            }
            ('●', Some(style)) => {
                let _ = write!(out, "{style}●{style:#}");
            }
            _ => out.push(letter),
        }
    }
    flush(&mut word, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_grids_with_the_names_of_the_picture() {
        let grid = grid("A.B/.A.", "  a b c\n1 A . B\n2 . A .").unwrap();
        let drawn = "    a   b   c
  ┌───┬───┬───┐
1 │ A │   │ B │
  ├───┼───┼───┤
2 │   │ A │   │
  └───┴───┴───┘";
        assert_eq!(grid, drawn);
        assert_eq!(super::grid("3", "0 [3] 6"), None);
        assert_eq!(super::grid("A.B", "A . B"), None);
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
    }
}
