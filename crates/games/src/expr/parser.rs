//! Reads the text of an expression.

use std::fmt;

use richman_core::Player;

use super::{DEEPEST_NESTING, LARGEST_EXPONENT, LONGEST_TEXT, Subexpressions};

/// The reason why a text is not an expression, and the place.
///
/// Displayed, it has three lines: the place and the reason, about 60 characters of the text, and a
/// caret under the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// The byte offset of the error, from the start of the expression.
    pub offset: usize,
    /// The reason, without the place.
    pub reason: String,
    window: String,
    caret: usize,
}

impl ExprError {
    fn new(text: &str, offset: usize, reason: String) -> ExprError {
        // The most characters before the place, and after it.
        const HALF: usize = 30;
        let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
        let mut shown: Vec<char> = before.chars().rev().take(HALF).collect();
        shown.reverse();
        let mut window = if before.chars().nth(HALF).is_some() { "...".to_string() } else { String::new() };
        let caret = window.len() + shown.len();
        window.extend(shown.into_iter().chain(after.chars().take(HALF)).map(printable));
        if after.chars().nth(HALF).is_some() {
            window.push_str("...");
        }
        ExprError { offset, reason, window, caret }
    }
}

/// A line break or a tab in the text would misplace the caret.
fn printable(letter: char) -> char {
    if letter.is_control() || letter.is_whitespace() { ' ' } else { letter }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExprError { offset, reason, window, caret } = self;
        write!(f, "byte {offset} of the expression: {reason}\n  {window}\n  {:caret$}^", "")
    }
}

impl std::error::Error for ExprError {}

/// Adds the subexpressions of a text to `table` and returns the position of the whole.
pub(super) fn parse(text: &str, table: &mut Subexpressions) -> Result<u32, ExprError> {
    let mut parser = Parser { text, at: 0, table };
    if text.len() > LONGEST_TEXT {
        return Err(parser.error(LONGEST_TEXT, format!("an expression may have at most {LONGEST_TEXT} bytes")));
    }
    let position = parser.wedge(Level::OUTERMOST)?;
    match parser.peek() {
        None => Ok(position),
        Some(')') => Err(parser.error(parser.at, "this parenthesis was not opened".to_string())),
        Some(found) => Err(parser.error(parser.at, format!("expected & or the end, found {found:?}"))),
    }
}

/// The place of a subexpression in the nesting.
#[derive(Clone, Copy)]
struct Level {
    depth: u32,
    /// Whether an odd number of `~` surrounds it.
    exchanged: bool,
}

impl Level {
    const OUTERMOST: Level = Level { depth: 0, exchanged: false };
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    table: &'a mut Subexpressions,
}

impl Parser<'_> {
    /// The next character other than a space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let letters = rest.trim_start();
        self.at += rest.len() - letters.len();
        letters.chars().next()
    }

    /// Skips an ASCII character that was just peeked.
    fn skip(&mut self) {
        self.at += 1;
    }

    fn error(&self, offset: usize, reason: String) -> ExprError {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        ExprError::new(self.text, offset, reason)
    }

    fn deeper(&self, level: Level) -> Result<Level, ExprError> {
        if level.depth >= DEEPEST_NESTING {
            let reason = format!("parentheses and ~ are nested more than {DEEPEST_NESTING} deep");
            return Err(self.error(self.at, reason));
        }
        Ok(Level { depth: level.depth + 1, ..level })
    }

    /// `operand` or `operand & operand`.
    fn wedge(&mut self, level: Level) -> Result<u32, ExprError> {
        let left = self.operand(level)?;
        if self.peek() != Some('&') {
            return Ok(left);
        }
        self.skip();
        let right = self.operand(level)?;
        if self.peek() == Some('&') {
            let reason = "& joins two games only: write parentheses, as in (G & H) & K or G & (H & K)";
            return Err(self.error(self.at, reason.to_string()));
        }
        Ok(self.table.wedge(left, right))
    }

    /// A letter, a power, a parenthesis, or `~` and an operand.
    fn operand(&mut self, level: Level) -> Result<u32, ExprError> {
        let position = match self.peek() {
            Some('~') => {
                let inner = self.deeper(level)?;
                self.skip();
                return self.operand(Level { exchanged: !level.exchanged, ..inner });
            }
            Some('(') => {
                let opened = self.at;
                let inner = self.deeper(level)?;
                self.skip();
                let position = self.wedge(inner)?;
                match self.peek() {
                    Some(')') => self.skip(),
                    None => return Err(self.error(opened, "this parenthesis is not closed".to_string())),
                    Some(found) => return Err(self.error(self.at, format!("expected & or ), found {found:?}"))),
                }
                position
            }
            Some('A') => return self.letter(Player::Alice, level),
            Some('B') => return self.letter(Player::Bob, level),
            Some('E') => {
                self.skip();
                Subexpressions::FIRST
            }
            found => {
                let found = found.map(|found| format!(", found {found:?}")).unwrap_or_default();
                let reason = format!("an expression is missing: expected A, B, E, ~ or ({found}");
                return Err(self.error(self.at, reason));
            }
        };
        if self.peek() == Some('^') {
            return Err(self.error(self.at, "only the letters A and B have powers".to_string()));
        }
        Ok(position)
    }

    /// The letter of `player`, or a power of it.
    fn letter(&mut self, player: Player, level: Level) -> Result<u32, ExprError> {
        let player = if level.exchanged { player.other() } else { player };
        self.skip();
        if self.peek() != Some('^') {
            return Ok(Subexpressions::won(player));
        }
        self.skip();
        self.peek();
        let start = self.at;
        let digits = self.text[start..].bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        // A number that overflows is too large.
        match self.text[start..self.at].parse().unwrap_or(u32::MAX) {
            exponent @ 1..=LARGEST_EXPONENT => {
                if self.peek() == Some('^') {
                    return Err(self.error(self.at, "a power has no power: write one exponent".to_string()));
                }
                Ok(self.table.power(player, exponent))
            }
            _ => {
                let reason = format!("expected an exponent, a whole number from 1 to {LARGEST_EXPONENT}");
                Err(self.error(start, reason))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Expr;

    fn error(text: &str) -> super::ExprError {
        Expr::parse(text).err().unwrap_or_else(|| panic!("{text:?} was accepted"))
    }

    #[test]
    fn errors_point_at_the_place() {
        assert_eq!(
            error("A & B & E").to_string(),
            "byte 6 of the expression: & joins two games only: write parentheses, as in (G & H) & K or G & (H & K)\n  \
             A & B & E\n        ^"
        );
        assert_eq!(
            error("").to_string(),
            "byte 0 of the expression: an expression is missing: expected A, B, E, ~ or (\n  \n  ^"
        );
        for (text, offset, reason) in [
            ("A &", 3, "an expression is missing"),
            ("()", 1, "expected A, B, E, ~ or (, found ')'"),
            ("(A & B", 0, "this parenthesis is not closed"),
            ("A & (B & A))", 11, "this parenthesis was not opened"),
            ("A B", 2, "expected & or the end, found 'B'"),
            ("(A B)", 3, "expected & or ), found 'B'"),
            ("A^", 2, "expected an exponent"),
            ("A^0", 2, "a whole number from 1 to 10000"),
            ("A^x", 2, "expected an exponent"),
            ("A^-1", 2, "expected an exponent"),
            ("B ^ 10001", 4, "expected an exponent"),
            ("B^99999999999999999999", 2, "expected an exponent"),
            ("A^2^2", 3, "a power has no power"),
            ("E^2", 1, "only the letters A and B have powers"),
            ("(A)^2", 3, "only the letters A and B have powers"),
            ("A & é", 4, "found 'é'"),
            ("a", 0, "found 'a'"),
            ("A\n& \t!", 5, "found '!'"),
        ] {
            let error = error(text);
            assert_eq!(error.offset, offset, "{text:?}: {error}");
            assert!(error.reason.contains(reason), "{text:?}: {error}");
            let lines: Vec<String> = error.to_string().lines().map(str::to_string).collect();
            assert_eq!(lines.len(), 3, "{text:?}");
            assert_eq!(lines[2].len() - 3, text[..offset].chars().count(), "{text:?}");
        }
    }

    #[test]
    fn long_text_is_cut_around_the_place() {
        let text = format!("{}x{}", "~(A & B) & (".repeat(20), "B".repeat(500));
        let message = error(&text).to_string();
        let lines: Vec<&str> = message.lines().collect();
        assert!(lines[1].len() < 70, "{message}");
        assert_eq!(lines[1].chars().nth(lines[2].len() - 1), Some('x'), "{message}");
        assert!(lines[1].starts_with("  ...") && lines[1].ends_with("..."));
    }

    #[test]
    fn nesting_and_length_are_limited() {
        let nested = |open: &str, depth: usize, close: &str| format!("{}A{}", open.repeat(depth), close.repeat(depth));
        for (open, close) in [("(", ")"), ("~", ""), ("(A & ", ")"), ("(~", ")")] {
            let depth = 256 / open.chars().filter(|letter| "(~".contains(*letter)).count();
            assert!(Expr::parse(&nested(open, depth, close)).is_ok(), "{open}");
            for depth in [depth + 1, 100_000] {
                let error = error(&nested(open, depth, close));
                assert!(error.reason.contains("nested more than 256 deep"), "{error}");
            }
        }
        let error = error(&format!("A{}", "é".repeat(1 << 20)));
        assert!(error.reason.contains("at most 1048576 bytes"), "{error}");
    }
}
