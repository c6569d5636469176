//! How many random arenas are tried, and which.

use std::ops::Range;

/// The seeds of the arenas: from the environment as a number of them, such as 20000, or as a part
/// of them, such as 20000..40000; else the first `usual`.
pub fn seeds(variable: &str, usual: u64) -> Range<u64> {
    let Ok(text) = std::env::var(variable) else { return 0..usual };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number of arenas"));
    match text.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => 0..number(&text),
    }
}
