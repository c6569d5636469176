//! Parsers of values that only the command has. Other values are read by every door alike, in
//! [`richman_analysis::parse`].

use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

use richman_analysis::parse::{range, totals};
use richman_core::{Player, Total, did_you_mean};

pub fn side(text: &str) -> Result<Player, String> {
    match text.to_lowercase().as_str() {
        "alice" | "a" => Ok(Player::Alice),
        "bob" | "b" => Ok(Player::Bob),
        _ => Err(format!("{text:?} is not a player{}: write alice or bob", did_you_mean(text, ["alice", "bob"]))),
    }
}

/// The parser of whole numbers in a range.
pub fn whole<T>(allowed: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let (low, high) = (allowed.start(), allowed.end());
        number
            .filter(|number| allowed.contains(number))
            .ok_or_else(|| format!("write a whole number from {low} to {high}"))
    }
}

/// One total of chips, where a table has a range of them.
pub fn total(text: &str) -> Result<Total, String> {
    text.parse().map_err(|error: richman_core::Error| match range(text).filter(|range| totals(range).is_ok()) {
        Some(range) => format!(
            "{text:?} is a range of totals: write one total, such as 8, or `richman table GAME --chips {range}` for all"
        ),
        None => error.to_string(),
    })
}

pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port, such as 127.0.0.1:8080".to_string())
}
