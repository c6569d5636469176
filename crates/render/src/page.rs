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

/// Round values inside a range with their names, at most about `most`, at least 1 apart if only whole numbers are wanted.
pub(crate) fn ticks((from, to): (f64, f64), most: usize, whole: bool) -> Vec<(f64, String)> {
    let least = ((to - from) / most as f64).max(if whole { 1.0 } else { 0.0 });
    let power = least.log10().floor();
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|digit| digit * 10f64.powf(power)).into_iter().find(|step| *step >= least * 0.999);
    let step = step.unwrap_or(10f64.powf(power + 1.0));
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    let long = !whole && from.abs().max(to.abs()) >= 1e5;
    let plain = |value: f64| if long && value != 0.0 { format!("{value:e}") } else { format!("{value:.decimals$}") };
    let name = |value| plain(value).replace('-', "\u{2212}");
    (first..=last).map(|i| i as f64 * step).map(|value| (value, name(value))).collect()
}

/// A length in hundredths: as much as a page can show, in few bytes.
pub(crate) fn short(length: f64) -> f64 {
    (length * 100.0).round() / 100.0 + 0.0
}
