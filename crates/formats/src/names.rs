//! Names and texts allowed in files of every form.

use crate::excerpt::{excerpt, is_control};

/// The most characters in the name of a game, a position or a move. A board of 30 by 30 cells fits.
pub const LONGEST_NAME: usize = 1000;

/// The most characters in the description of a game.
pub const LONGEST_DESCRIPTION: usize = 2000;

/// Rejects a name that [`check_text`] rejects, or that begins or ends with white space, because
/// input is trimmed.
pub(crate) fn check_name(what: &str, longest: usize, name: &str) -> Result<(), String> {
    check_text(what, longest, name)?;
    if name.trim() == name {
        return Ok(());
    }
    Err(format!("{what} begins or ends with a space: leave it out ({:?})", excerpt(name)))
}

/// Rejects a text that is empty, longer than `longest` characters, or contains control characters.
pub(crate) fn check_text(what: &str, longest: usize, text: &str) -> Result<(), String> {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_plain && (1..=longest).contains(&text.len()) {
        return Ok(());
    }
    Err(if text.is_empty() {
        format!("{what} is empty: write at least one character")
    } else if let Some(c) = text.chars().find(|&c| is_control(c)) {
        format!("{what} contains the control character {c:?}: leave it out ({:?})", excerpt(text))
    } else if text.len() > longest && text.chars().nth(longest).is_some() {
        format!("{what} is longer than {longest} characters: {:?}", excerpt(text))
    } else {
        return Ok(());
    })
}

/// Rejects the name of a move that [`check_name`] rejects.
pub(crate) fn check_move_name(name: &str) -> Result<(), String> {
    check_name("the name of a move", LONGEST_NAME, name)
}
