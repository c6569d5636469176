//! Exact shares of all the money.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Error;
use crate::numeral::rational;

/// An exact rational in [0, 1]: Alice's part of all the money, which is 1.
///
/// ```
/// use richman_core::Share;
/// let half = Share::mean(&Share::ZERO, &Share::ONE);
/// assert_eq!(Share::mean(&half, &Share::ONE).to_string(), "3/4");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Share(RBig);

impl Ord for Share {
    /// The leading bits nearly always decide; if not, two long products do.
    fn cmp(&self, other: &Share) -> Ordering {
        if self.denominator() == other.denominator() {
            return self.0.numerator().cmp(other.0.numerator());
        }
        let ((a, b), (c, d)) = (self.leading(), other.leading());
        if (a + 1) * (d + 1) <= c * b {
            Ordering::Less
        } else if (c + 1) * (b + 1) <= a * d {
            Ordering::Greater
        } else {
            self.0.cmp(&other.0)
        }
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Share) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Share {
    /// Nothing.
    pub const ZERO: Share = Share(RBig::ZERO);
    /// All the money.
    pub const ONE: Share = Share(RBig::ONE);
    /// The longest text accepted as a share; it allows denominators of about 200,000 bits, more
    /// than solvers keep.
    pub const MAX_TEXT: usize = 1 << 17;

    /// `numerator` / 2^`exponent`.
    ///
    /// # Panics
    /// If the numerator is larger than 2^`exponent`, which no solver produces.
    pub fn dyadic(numerator: u64, exponent: u32) -> Share {
        let denominator = UBig::ONE << exponent as usize;
        let numerator = UBig::from(numerator);
        assert!(numerator <= denominator, "a share is at most 1");
        Share(RBig::from_parts(IBig::from(numerator), denominator))
    }

    /// (a + b) / 2.
    pub fn mean(a: &Share, b: &Share) -> Share {
        Share((&a.0 + &b.0) / UBig::from(2u8))
    }

    /// The order of this share relative to the mean of two others.
    pub(crate) fn cmp_mean(&self, a: &Share, b: &Share) -> Ordering {
        // In units of 2^-62, each share exceeds its estimate by less than this.
        const SLACK: u64 = 5;
        let (twice, sum) = (2 * self.estimate(), a.estimate() + b.estimate());
        if twice >= sum + 2 * SLACK {
            return Ordering::Greater;
        }
        if twice + 2 * SLACK <= sum {
            return Ordering::Less;
        }
        let (top, bottom) = if a.denominator() == b.denominator() {
            (a.numerator() + b.numerator(), a.denominator().clone())
        } else {
            let top = a.numerator() * b.denominator() + b.numerator() * a.denominator();
            (top, a.denominator() * b.denominator())
        };
        (self.numerator() * (bottom << 1)).cmp(&(top * self.denominator()))
    }

    /// The share in units of 2^-62, rounded down by less than 5.
    fn estimate(&self) -> u64 {
        let (a, b) = self.leading();
        // A denominator below 62 bits is exact.
        let divisor = if b >> 61 == 0 { b } else { b + 1 };
        ((a << 62) / divisor) as u64
    }

    /// `numerator` / `denominator`, or `None` if that is not in [0, 1].
    pub fn ratio(numerator: UBig, denominator: UBig) -> Option<Share> {
        if denominator == UBig::ZERO || numerator > denominator {
            return None;
        }
        Some(Share(RBig::from_parts(IBig::from(numerator), denominator)))
    }

    /// The share as a rational.
    pub fn rational(&self) -> &RBig {
        &self.0
    }

    /// Wraps a rational that is known to be in [0, 1].
    pub(crate) fn from_rational(share: RBig) -> Share {
        debug_assert!(share >= RBig::ZERO && share <= RBig::ONE, "a share is from 0 to 1");
        Share(share)
    }

    /// The leading bits (a, b) of numerator and denominator: the share is at least a / (b + 1) and
    /// less than (a + 1) / b.
    fn leading(&self) -> (u128, u128) {
        const BITS: usize = 62;
        let shift = self.denominator().bit_len().saturating_sub(BITS);
        let numerator = u128::try_from(self.0.numerator() >> shift);
        // Both have at most 62 bits, since the numerator is at most the denominator.
        (numerator.unwrap_or(0), u128::try_from(self.denominator() >> shift).unwrap_or(u128::MAX >> 1))
    }

    /// The numerator in lowest terms.
    pub fn numerator(&self) -> UBig {
        self.0.numerator().clone().try_into().unwrap_or(UBig::ZERO) // a share is never negative
    }

    /// The denominator in lowest terms.
    pub fn denominator(&self) -> &UBig {
        self.0.denominator()
    }

    /// The share in units of 2^-`exponent`, rounded down, and whether that is exact. The exponent
    /// must be at most 62.
    pub fn floor_dyadic(&self, exponent: u32) -> (u64, bool) {
        let scaled = self.numerator() << exponent as usize;
        let (quotient, remainder) = scaled.div_rem(self.denominator());
        (u64::try_from(quotient).unwrap_or(u64::MAX), remainder == UBig::ZERO)
    }

    /// |a - b| / 2: the best bid if winning and losing it lead to a and b [DP10, 3.3].
    pub fn half_difference(a: &Share, b: &Share) -> Share {
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        Share((&high.0 - &low.0) / UBig::from(2u8))
    }

    /// a - b, or 0 if b is larger.
    pub fn less(a: &Share, b: &Share) -> Share {
        if a <= b { Share::ZERO } else { Share(&a.0 - &b.0) }
    }

    /// 1 - share: the opponent's share.
    pub fn complement(&self) -> Share {
        Share(IBig::ONE - &self.0) // with an integer: that stays in lowest terms
    }

    /// The nearest double, for pictures and rough display only.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    /// The nearest doubles below and above the share; both are the share if it is a double.
    pub fn to_f64_bounds(&self) -> [f64; 2] {
        let near = self.to_f64();
        // Every double in [0, 1] is a rational.
        match RBig::try_from(near).map_or(Ordering::Equal, |near| near.cmp(&self.0)) {
            Ordering::Less => [near, near.next_up()],
            Ordering::Equal => [near, near],
            Ordering::Greater => [near.next_down(), near],
        }
    }

    /// About how many bytes a boxed share takes.
    pub fn bytes(&self) -> u64 {
        const BOX: u64 = 64;
        BOX + self.heap_bytes()
    }

    /// About how many bytes a long numerator and denominator take, with the number library's slack.
    pub fn heap_bytes(&self) -> u64 {
        let words = self.denominator_bits() as u64 / 64 + 1;
        if words <= 2 { 0 } else { 2 * (words + words / 4 + 4) * 8 }
    }

    /// Bits of the denominator.
    pub fn denominator_bits(&self) -> usize {
        self.0.denominator().bit_len()
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

/// A fraction, such as `133/256`, or a decimal number, such as `0.25`; both are exact.
impl FromStr for Share {
    type Err = Error;

    fn from_str(text: &str) -> Result<Share, Error> {
        let refused = || Error::NotAShare { text: crate::error::excerpt(text) };
        let share = rational(text).filter(|share| (RBig::ZERO..=RBig::ONE).contains(share));
        share.map(Share).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_print_in_lowest_terms_and_parse_back() {
        assert_eq!(Share::dyadic(266, 9).to_string(), "133/256");
        assert_eq!(Share::dyadic(0, 5).to_string(), "0");
        assert_eq!(Share::dyadic(32, 5).to_string(), "1");
        let share: Share = "133/256".parse().unwrap();
        assert_eq!(share, Share::dyadic(133, 8));
        assert_eq!(share.complement().to_string(), "123/256");
        assert_eq!(Share::half_difference(&Share::ONE, &share).to_string(), "123/512");
    }

    #[test]
    fn doubles_bound_shares() {
        let of = |text: &str| text.parse::<Share>().unwrap();
        let tiny = |exponent: usize| Share::ratio(UBig::ONE, UBig::ONE << exponent).unwrap();
        for exact in [Share::ZERO, Share::ONE, of("133/256"), Share::dyadic(1, 62), tiny(1000), tiny(1074)] {
            let [low, high] = exact.to_f64_bounds();
            assert_eq!((low, RBig::try_from(low).unwrap()), (high, exact.0));
        }
        let long = Share::ratio(UBig::from(3u8).pow(2000), UBig::from(5u8).pow(1500)).unwrap();
        for between in [of("1/3"), of("2/3"), of("9007199254740993/9007199254740994"), tiny(1075), tiny(9999), long] {
            let [low, high] = between.to_f64_bounds();
            assert_eq!(low.next_up(), high);
            assert!(RBig::try_from(low).unwrap() < between.0 && between.0 < RBig::try_from(high).unwrap());
        }
    }

    #[test]
    fn the_order_is_that_of_cross_products() {
        let long = UBig::from(3u8).pow(200);
        let mut shares = vec![Share::ZERO, Share::ONE];
        for denominator in [UBig::from(7u8), UBig::ONE << 62, long.clone(), &long + UBig::ONE, &long * UBig::from(2u8)]
        {
            for part in 1..7u8 {
                let near = &denominator * UBig::from(part) / UBig::from(7u8);
                for numerator in [near.clone(), &near + UBig::ONE, near.clone() - near.clone().min(UBig::ONE)] {
                    shares.push(Share::ratio(numerator, denominator.clone()).unwrap());
                }
            }
        }
        let means: Vec<Share> = shares.windows(2).map(|pair| Share::mean(&pair[0], &pair[1])).collect();
        shares.extend(means);
        for a in &shares {
            assert_eq!(a.complement(), Share(RBig::ONE - &a.0));
            for b in &shares {
                let mean = Share::mean(a, b);
                let [top, bottom] = [mean.numerator(), mean.denominator().clone()].map(|part| part << 300);
                let above = Share::ratio(&top + UBig::ONE, bottom.clone()).unwrap_or(Share::ONE);
                let below = Share::ratio(&top - top.clone().min(UBig::ONE), bottom).unwrap_or(Share::ZERO);
                for share in [&mean, &above, &below, &shares[7], &shares[90]] {
                    assert_eq!(share.cmp_mean(a, b), share.cmp(&mean), "{share}: {a}, {b}");
                }
                let products = (a.numerator() * b.denominator()).cmp(&(b.numerator() * a.denominator()));
                assert_eq!(a.cmp(b), products, "{a}, {b}");
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "/", "1/0", "2", "3/2", "-1/2", "1.5", "-0.5", "1/2/3", "a/b"] {
            assert!(text.parse::<Share>().is_err(), "{text:?}");
        }
    }
}
