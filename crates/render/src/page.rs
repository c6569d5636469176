//! What all drawings need: texts that fit and that XML can hold.

/// At least the width of a text in any usual sans-serif font.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let of = |letter: char| match letter {
        ' ' | '.' | ',' | ':' | ';' | '/' | '|' | '\'' | '!' | '(' | ')' | '[' | ']' | 'i' | 'j' | 'l' | 'f' | 't' => {
            0.4
        }
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' | '&' | '=' | '+' | '<' | '>' | '~' => 0.84,
        ' '..='~' => 0.64,
        _ => 1.05,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// The text, or as much of its beginning as fits.
pub(crate) fn fitted(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_string();
    }
    let mut left = most - width("\u{2026}", size);
    let fits = |letter: &char| {
        left -= width(letter.encode_utf8(&mut [0; 4]), size);
        left >= 0.0
    };
    text.chars().take_while(fits).chain(['\u{2026}']).collect()
}

/// The text, or so many letters of its beginning.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_string(),
    }
}

/// The text without what XML cannot hold even as a reference. The crate `svg` escapes the rest.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(
            |letter| if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { letter },
        )
        .collect()
}
