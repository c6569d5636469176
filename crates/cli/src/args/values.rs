//! What flags are given: a player, a size, holdings, a width, totals.

use std::ops::RangeInclusive;
use std::str::FromStr;

use bytesize::ByteSize;
use richman_core::{Holding, Player, Total};

/// Alice or Bob, as a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side(pub Player);

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Side, String> {
        match text.to_lowercase().as_str() {
            "alice" | "a" => Ok(Side(Player::Alice)),
            "bob" | "b" => Ok(Side(Player::Bob)),
            _ => Err(format!("{text:?} is not a player: write alice or bob")),
        }
    }
}

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory(pub u64);

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let refused = || format!("{text:?} is not a size: write a number with a unit, such as 500MB or 4GiB");
        match text.parse::<ByteSize>() {
            Ok(size) if text.starts_with(|first: char| first.is_ascii_digit()) => Ok(Memory(size.as_u64())),
            _ => Err(refused()),
        }
    }
}

/// What Alice and Bob hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holdings(pub [Holding; 2]);

impl FromStr for Holdings {
    type Err = String;

    fn from_str(text: &str) -> Result<Holdings, String> {
        let Some((alice, bob)) = text.split_once(':') else {
            return Err("write what Alice and Bob hold with a colon between, such as 4*:4".to_string());
        };
        let holding = |part: &str| part.parse::<Holding>().map_err(|error| error.to_string());
        Ok(Holdings([holding(alice)?, holding(bob)?]))
    }
}

/// A width of bounds, as a share of all the money.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Width(pub f64);

impl FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Width, String> {
        let width = match text.strip_prefix("2^-") {
            Some(exponent) => exponent.parse::<u16>().ok().map(|exponent| 2f64.powi(-i32::from(exponent))),
            None => text.parse::<f64>().ok(),
        };
        width.filter(|width| *width > 0.0 && *width <= 1.0).map(Width).ok_or_else(|| {
            format!("{text:?} is not a width: write a number above 0 and at most 1, such as 1e-12 or 2^-40")
        })
    }
}

/// A range of totals, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals(pub RangeInclusive<Total>);

impl Totals {
    /// Each of them.
    ///
    /// # Errors
    /// More than can be computed at once, in words.
    pub fn all(&self) -> Result<Vec<Total>, String> {
        const MOST: u32 = 1024;
        let (first, last) = (self.0.start().chips(), self.0.end().chips());
        if last - first >= MOST {
            return Err(format!("{first}..{last} are more than {MOST} totals: build databases of fewer each"));
        }
        (first..=last).map(|chips| Total::new(chips.into()).map_err(|error| error.to_string())).collect()
    }
}

impl FromStr for Totals {
    type Err = String;

    fn from_str(text: &str) -> Result<Totals, String> {
        let total = |part: &str| part.parse::<Total>().map_err(|error| error.to_string());
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (total(first)?, total(last)?),
            None => (total(text)?, total(text)?),
        };
        if first > last {
            return Err(format!("the range {first}..{last} is empty: write the smaller total first"));
        }
        Ok(Totals(first..=last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let totals: Totals = "0..255".parse().unwrap();
        assert_eq!((totals.0.start().chips(), totals.0.end().chips()), (0, 255));
        assert_eq!("8".parse::<Totals>().unwrap().0.end().chips(), 8);
        for text in ["", "..", "3..", "..3", "5..3", "-1..3", "a..b", "1..2..3"] {
            assert!(text.parse::<Totals>().is_err(), "{text:?}");
        }
    }
}
