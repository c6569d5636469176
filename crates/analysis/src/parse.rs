//! Values as users write them: a size, holdings, a width, totals. The errors are sentences, since
//! every door says where the value stood.

use std::ops::RangeInclusive;

use bytesize::ByteSize;
use richman_core::{ByPlayer, Holding, Total};
#[cfg(feature = "files")]
use richman_formats::database::MOST_TOTALS;

/// A number of bytes, such as 500MB or 4GiB.
///
/// # Errors
/// A sentence for people.
pub fn bytes(text: &str) -> Result<u64, String> {
    match text.parse::<ByteSize>() {
        Ok(size) if text.starts_with(|first: char| first.is_ascii_digit()) => Ok(size.as_u64()),
        _ => Err(format!("{text:?} is not a size: write a number with a unit, such as 500MB or 4GiB")),
    }
}

/// The holdings of Alice and Bob, such as 4*:4.
///
/// # Errors
/// A sentence for people.
pub fn holdings(text: &str) -> Result<ByPlayer<Holding>, String> {
    let Some((alice, bob)) = text.split_once(':') else {
        return Err("write what Alice and Bob hold with a colon between, such as 4*:4".to_string());
    };
    let holding = |part: &str| part.parse::<Holding>().map_err(|error| error.to_string());
    Ok(ByPlayer::new(holding(alice)?, holding(bob)?))
}

/// A width of bounds, as a share of all the money, such as 1e-12 or 2^-40.
///
/// # Errors
/// A sentence for people.
pub fn width(text: &str) -> Result<f64, String> {
    let width = match text.strip_prefix("2^-") {
        Some(exponent) => exponent.parse::<u16>().ok().map(|exponent| 2f64.powi(-i32::from(exponent))),
        None => text.parse::<f64>().ok(),
    };
    let refused = || format!("{text:?} is not a width: write a number above 0 and at most 1, such as 1e-12 or 2^-40");
    width.filter(|width| *width > 0.0 && *width <= 1.0).ok_or_else(refused)
}

/// A range of totals, including both ends, such as 0..255, or one total.
///
/// # Errors
/// A sentence for people.
pub fn totals(text: &str) -> Result<RangeInclusive<Total>, String> {
    let total = |part: &str| {
        part.parse::<Total>().map_err(|error| match range(text).filter(|range| range != text) {
            Some(range) => format!("{text:?} is not a range of totals: write {range}"),
            None => error.to_string(),
        })
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (total(first)?, total(last)?);
    if first > last {
        return Err(format!("the range {first}..{last} is empty: write the smaller total first"));
    }
    Ok(first..=last)
}

/// Two numbers in digits with a sign between that stands for a range, such as `0-8`, as the range
/// `0..8`.
pub fn range(text: &str) -> Option<String> {
    const BETWEEN: [&str; 9] = ["..", "...", "..=", "-", "--", "\u{2013}", "\u{2026}", ":", "to"];
    let is_digit = |c: char| c.is_ascii_digit();
    let (first, rest) = text.split_at(text.find(|c| !is_digit(c))?);
    let (between, last) = rest.split_at(rest.find(is_digit)?);
    let is_range = !first.is_empty() && last.chars().all(is_digit) && BETWEEN.contains(&between.trim());
    is_range.then(|| format!("{first}..{last}"))
}

/// Bytes in a second, from bits such as 10Gbit or 500Mbit.
///
/// # Errors
/// A sentence for people.
pub fn bandwidth(text: &str) -> Result<u64, String> {
    let units = [("Gbit", 1e9), ("Mbit", 1e6), ("kbit", 1e3), ("bit", 1.0)];
    let bits = units.into_iter().find_map(|(unit, size)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * size));
    let bytes = bits.map(|bits| bits / 8.0).filter(|bytes| (1.0..1e18).contains(bytes));
    bytes.map(|bytes| bytes as u64).ok_or_else(|| format!("{text:?} is no bandwidth: write 10Gbit or 500Mbit"))
}

/// The totals of a range one by one, not more than a database holds.
///
/// # Errors
/// A sentence for people.
#[cfg(feature = "files")]
pub fn each(totals: &RangeInclusive<Total>) -> Result<Vec<Total>, String> {
    let (first, last) = (totals.start().chips(), totals.end().chips());
    if last - first >= MOST_TOTALS {
        let reason =
            format!("{first}..{last} are more than {MOST_TOTALS} totals: build several databases, each of fewer");
        return Err(reason);
    }
    (first..=last).map(|chips| Total::new(chips).map_err(|error| error.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bandwidths_are_bits() {
        assert_eq!((bandwidth("10Gbit"), bandwidth("0.5Mbit")), (Ok(1_250_000_000), Ok(62_500)));
        for text in ["", "10", "Gbit", "10GB", "-1Gbit", "0bit", "nanGbit", "1e99Gbit"] {
            assert!(bandwidth(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn ranges_include_both_ends() {
        let ends = |text: &str| totals(text).map(|totals| (totals.start().chips(), totals.end().chips()));
        assert_eq!((ends("0..255"), ends("8")), (Ok((0, 255)), Ok((8, 8))));
        for text in ["", "..", "3..", "..3", "5..3", "-1..3", "a..b", "1..2..3"] {
            assert!(ends(text).is_err(), "{text:?}");
        }
        for text in ["0-8", "0 - 8", "0...8", "0\u{2013}8", "0 to 8", "0:8"] {
            assert!(totals(text).unwrap_err().ends_with("is not a range of totals: write 0..8"), "{text:?}");
        }
        for text in ["8.5", "8,5", "-1", "0-", "0-8-9", "0x8"] {
            assert!(!totals(text).unwrap_err().contains(".."), "{text:?}");
        }
    }
}
