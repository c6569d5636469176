//! One turn in real money: the threshold before a bid, and the bid, from the thresholds after it.
//!
//! **Formula.** Let L <= H be the thresholds after winning and after losing the bid, T the part of
//! a bid that goes to the other player, and D = 1 + T + (1 - T)(H - L). Then r = (H + T L) / D and
//! the bid is (H - L) / D. T = 1 gives the mean, T = 0 gives r = H / (1 + H - L). **Source:**
//! theorem 6 (one turn in real money) of `docs/design.md`. Chances (one minus the threshold) follow
//! the same formula. **Checked by** the verifier, which uses only how bids are paid, and by bids
//! on a grid.

use dashu_int::UBig;
use richman_core::{Rate, Share};

use super::bounds::ONE;

/// The threshold of a position from the thresholds after either player's move, in any order.
pub fn threshold(rate: Rate, a: &Share, b: &Share) -> Share {
    if rate.is_richman() {
        return Share::mean(a, b);
    }
    let [low, high, whole] = fractions(rate, a, b);
    ratio(high * rate.denominator() + low * rate.numerator(), whole)
}

/// The bid at the threshold, as a share of all the money in the game.
pub fn best_bid(rate: Rate, a: &Share, b: &Share) -> Share {
    if rate.is_richman() {
        return Share::half_difference(a, b);
    }
    let [low, high, whole] = fractions(rate, a, b);
    ratio((high - low) * rate.denominator(), whole)
}

/// L and H as numerators over a common denominator D, and (1 + T + (1 - T)(H - L)) D times the
/// denominator of T.
fn fractions(rate: Rate, a: &Share, b: &Share) -> [UBig; 3] {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    let (numerator, denominator) = (rate.numerator(), rate.denominator());
    let (common, low, high) = if low.denominator() == high.denominator() {
        (low.denominator().clone(), low.numerator(), high.numerator())
    } else {
        let common = low.denominator() * high.denominator();
        (common, low.numerator() * high.denominator(), high.numerator() * low.denominator())
    };
    let whole = common * (u64::from(numerator) + u64::from(denominator)) + (&high - &low) * (denominator - numerator);
    [low, high, whole]
}

fn ratio(numerator: UBig, denominator: UBig) -> Share {
    // The formula never leaves [0, 1] (theorem 6 (one turn in real money)).
    Share::ratio(numerator, denominator).unwrap_or(Share::ONE)
}

/// [`threshold`] in units of 2^-62, rounded down, and whether that is inexact.
fn divided(rate: Rate, a: u64, b: u64) -> (u64, bool) {
    let (low, high) = (u128::from(a.min(b)), u128::from(a.max(b)));
    let (p, q) = (u128::from(rate.numerator()), u128::from(rate.denominator()));
    // Both are below 2^96, so a quotient of 62 bits takes two steps of 31.
    let above = q * high + p * low;
    let below = (q + p) * u128::from(ONE) + (q - p) * (high - low);
    const HALF: u32 = 31;
    let (first, rest) = ((above << HALF) / below, (above << HALF) % below);
    let (second, rest) = ((rest << HALF) / below, (rest << HALF) % below);
    (((first << HALF) + second) as u64, rest > 0)
}

/// [`threshold`] in units of 2^-62, rounded down.
pub(super) fn floor(rate: Rate, a: u64, b: u64) -> u64 {
    if rate.is_richman() { (a + b) / 2 } else { divided(rate, a, b).0 }
}

/// [`threshold`] in units of 2^-62, rounded up.
pub(super) fn ceil(rate: Rate, a: u64, b: u64) -> u64 {
    if rate.is_richman() {
        return (a + b).div_ceil(2);
    }
    let (value, above) = divided(rate, a, b);
    value + u64::from(above)
}

/// [`threshold`] in doubles.
pub(super) fn approximate(rate: Rate, a: f64, b: f64) -> f64 {
    if rate.is_richman() {
        return 0.5 * (a + b);
    }
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    let part = f64::from(rate.numerator()) / f64::from(rate.denominator());
    (high + part * low) / (1.0 + part + (1.0 - part) * (high - low))
}

/// The derivatives of [`threshold`] by `a` and `b`; their sum is at most 1.
pub(super) fn slopes(rate: Rate, a: f64, b: f64) -> [f64; 2] {
    if rate.is_richman() {
        return [0.5, 0.5];
    }
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    let part = f64::from(rate.numerator()) / f64::from(rate.denominator());
    let bank = 1.0 - part;
    let whole = 1.0 + part + bank * (high - low);
    let scale = (1.0 + part) / (whole * whole);
    let (of_low, of_high) = (scale * (part + bank * high), scale * (1.0 - bank * low));
    if a <= b { [of_low, of_high] } else { [of_high, of_low] }
}

#[cfg(test)]
mod tests {
    use richman_core::Payment;

    use super::*;

    fn rates() -> Vec<Rate> {
        let texts =
            ["richman", "poorman", "taxman:1/2", "taxman:1/3", "taxman:4294967294/4294967295", "taxman:1/4294967295"];
        texts.iter().map(|text| text.parse::<Payment>().unwrap().rate()).collect()
    }

    fn shares() -> Vec<Share> {
        (0..=12).map(|n| Share::ratio(UBig::from(n as u8), UBig::from(12u8)).unwrap()).collect()
    }

    #[test]
    fn richman_is_the_mean_and_poorman_is_the_known_formula() {
        let [l, h]: [Share; 2] = ["1/3", "3/4"].map(|text| text.parse().unwrap());
        assert_eq!(threshold(Rate::RICHMAN, &l, &h).to_string(), "13/24");
        assert_eq!(threshold(Rate::POORMAN, &h, &l).to_string(), "9/17"); // (3/4) / (1 + 5/12)
        assert_eq!(best_bid(Rate::POORMAN, &h, &l).to_string(), "5/17");
    }

    #[test]
    fn at_the_threshold_the_bid_leaves_exactly_enough() {
        for rate in rates() {
            for low in shares() {
                for high in shares().into_iter().filter(|high| *high >= low) {
                    let (r, bid) = (threshold(rate, &low, &high), best_bid(rate, &low, &high));
                    assert_eq!(rate.after_win(&r, &bid), Some(low.clone()), "{rate:?}, {low}, {high}");
                    assert_eq!(rate.after_loss(&r, &bid), Some(high.clone()), "{rate:?}, {low}, {high}");
                    assert!(low <= r && r <= high);
                    let mirrored = threshold(rate, &low.complement(), &high.complement());
                    assert_eq!(mirrored, r.complement(), "both players' thresholds meet");
                }
            }
        }
    }

    #[test]
    fn rounding_is_outward_and_by_less_than_a_unit() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut draw = || if rng.u32(..16) < 3 { [0, ONE, ONE / 3][rng.usize(..3)] } else { rng.u64(..=ONE) };
        for rate in rates() {
            for _ in 0..300 {
                let (a, b) = (draw(), draw());
                let exact = threshold(rate, &Share::dyadic(a, 62), &Share::dyadic(b, 62));
                let (down, whole) = exact.floor_dyadic(62);
                assert_eq!(
                    (floor(rate, a, b), ceil(rate, a, b)),
                    (down, down + u64::from(!whole)),
                    "{rate:?}, {a}, {b}"
                );
                let [a, b] = [a, b].map(|value| value as f64 / ONE as f64);
                assert!((approximate(rate, a, b) - exact.to_f64()).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_formula() {
        const STEP: f64 = 1e-6;
        for rate in rates() {
            for (a, b) in [(0.1, 0.7), (0.7, 0.1), (0.3, 0.5), (0.05, 0.95), (0.0, 1.0)] {
                let [of_a, of_b] = slopes(rate, a, b);
                let f = |a, b| approximate(rate, a, b);
                assert!((of_a - (f(a + STEP, b) - f(a - STEP, b)) / (2.0 * STEP)).abs() < 1e-6);
                assert!((of_b - (f(a, b + STEP) - f(a, b - STEP)) / (2.0 * STEP)).abs() < 1e-6);
                assert!(of_a >= 0.0 && of_b >= 0.0 && of_a + of_b <= 1.0 + 1e-12);
            }
        }
    }
}
