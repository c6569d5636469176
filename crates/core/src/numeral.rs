//! Reads numbers in text exactly, with any number of digits.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Share;

/// A decimal number in its parts, such as `-12.5e-3`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal<'t> {
    pub(crate) is_negative: bool,
    /// The digits before the point, at least one.
    pub(crate) whole: &'t str,
    /// The digits after it, without zeros at the end.
    pub(crate) part: &'t str,
    /// The power of ten, saturating.
    pub(crate) exponent: i64,
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl<'t> Decimal<'t> {
    pub(crate) fn read(text: &'t str) -> Option<Decimal<'t>> {
        let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
        let (digits, exponent) = match text.bytes().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&text[..at], power(&text[at + 1..])?),
            None => (text, 0),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = is_digits(whole) && is_digits(part);
        is_number.then(|| Decimal { is_negative, whole, part: part.trim_end_matches('0'), exponent })
    }

    /// The power of ten of the last digit of `part`, or else of `whole`.
    fn scale(&self) -> i64 {
        self.exponent.saturating_sub(self.part.len() as i64)
    }
}

fn power(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    is_digits(digits).then(|| sign * digits.parse().unwrap_or(i64::MAX))
}

/// The whole number written as a decimal, such as 2, 2.0 or 2e3; `None` if it is not whole, or does
/// not fit.
///
/// ```
/// use richman_core::whole;
/// assert_eq!((whole("2e3"), whole("-4.0"), whole("0e99")), (Some(2000), Some(-4), Some(0)));
/// assert_eq!((whole("1e-400"), whole("0.99999999999999999999"), whole("1e19")), (None, None, None));
/// ```
pub fn whole(text: &str) -> Option<i64> {
    let number = Decimal::read(text)?;
    let Decimal { is_negative, whole, part, .. } = number;
    let digits = if part.is_empty() { whole.trim_end_matches('0') } else { whole };
    let zeros = number.scale().saturating_add((whole.len() - digits.len()) as i64);
    let digits = digits.bytes().chain(part.bytes());
    let size = digits.map(|byte| i128::from(byte - b'0')).try_fold(0i128, |size, digit| {
        let size = size.checked_mul(10)?.checked_add(digit)?;
        Some(size)
    })?;
    if size == 0 {
        return Some(0);
    }
    let size = size.checked_mul(10i128.checked_pow(u32::try_from(zeros).ok()?)?)?;
    i64::try_from(if is_negative { -size } else { size }).ok()
}

/// A fraction, such as `-1/3`, or a decimal number, such as `0.34` or `1e-3`; both are exact.
/// `None` for anything else, and for more than [`Share::MAX_TEXT`] digits.
pub(crate) fn rational(text: &str) -> Option<RBig> {
    /// A short text must not become a long number.
    const MOST_SCALE: u64 = 1000;
    if text.len() > Share::MAX_TEXT {
        return None;
    }
    let (is_negative, numerator, denominator): (bool, UBig, UBig) = match text.split_once('/') {
        Some((numerator, denominator)) => {
            let digits = numerator.strip_prefix('-').unwrap_or(numerator);
            if !is_digits(digits) || !is_digits(denominator) {
                return None;
            }
            (digits.len() < numerator.len(), digits.parse().ok()?, denominator.parse().ok()?)
        }
        None => {
            let number = Decimal::read(text)?;
            let (digits, scale) = ([number.whole, number.part].concat(), number.scale());
            if scale.unsigned_abs() > MOST_SCALE.max(number.part.len() as u64) {
                return None;
            }
            let ten = UBig::from(10u8).pow(scale.unsigned_abs() as usize);
            let digits: UBig = digits.parse().ok()?;
            if scale < 0 { (number.is_negative, digits, ten) } else { (number.is_negative, digits * ten, UBig::ONE) }
        }
    };
    if denominator == UBig::ZERO {
        return None;
    }
    let numerator = IBig::from(numerator);
    Some(RBig::from_parts(if is_negative { -numerator } else { numerator }, denominator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_judged_by_their_digits() {
        for (text, number) in [
            ("0", 0),
            ("-0.0", 0),
            ("0e-400", 0),
            ("0.000e99999999999999999999", 0),
            ("2.0", 2),
            ("2e3", 2000),
            ("2E+3", 2000),
            ("1500e-2", 15),
            ("0.15e2", 15),
            ("-100.10e1", -1001),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("1000000000.000000000000000000000000000000", 1_000_000_000),
        ] {
            assert_eq!(whole(text), Some(number), "{text}");
        }
        let long = format!("0.{}", "9".repeat(5000));
        for text in [
            "",
            "-",
            "1.",
            ".5",
            "+1",
            "1e",
            "1e-",
            "one",
            "1e-400",
            "0.99999999999999999999",
            "1000000000.00000001",
            "15e-1",
            "9223372036854775808",
            "1e19",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            &long,
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn fractions_and_decimal_numbers_are_exact() {
        for (text, number) in [
            ("0.34", "17/50"),
            ("0.5", "1/2"),
            ("-1/3", "-1/3"),
            ("2/4", "1/2"),
            ("-0.250", "-1/4"),
            ("12", "12"),
            ("1.5e2", "150"),
            ("125e-3", "1/8"),
            ("0", "0"),
            ("-0.0", "0"),
        ] {
            assert_eq!(rational(text).map(|number| number.to_string()).as_deref(), Some(number), "{text}");
        }
        let long = format!("0.{}1", "0".repeat(5000));
        assert_eq!(rational(&long).map(|number| number.denominator().to_string().len()), Some(5002));
        for text in ["", "-", "/", "1/0", "1/-2", "+1", "1/2/3", ".5", "1.", "0x1", "1_0", "1e1001", "1e-1001", "½"] {
            assert_eq!(rational(text), None, "{text}");
        }
        assert_eq!(rational(&"1".repeat(Share::MAX_TEXT + 1)), None);
    }
}
