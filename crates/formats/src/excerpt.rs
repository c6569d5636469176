//! Text of files in messages: shortened, and safe on a terminal.

const LONGEST_SHOWN: usize = 200;

/// At most 200 characters of `text`, to keep messages readable.
pub(crate) fn excerpt(text: &str) -> String {
    richman_core::shortened(text, LONGEST_SHOWN)
}

/// The beginning and end of a message, which may quote much of the file in between.
pub(crate) fn shorten(message: &str) -> String {
    let end = message.char_indices().rev().nth(LONGEST_SHOWN).map_or(0, |(at, _)| at);
    match message.char_indices().nth(LONGEST_SHOWN) {
        Some((start, _)) if start < end => printable(&format!("{}...{}", &message[..start], &message[end..])),
        _ => printable(message),
    }
}

/// Whether `c` could move the cursor, start a line or reorder text on a terminal.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without control characters.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}
