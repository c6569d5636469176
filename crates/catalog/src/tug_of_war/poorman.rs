//! The bid goes to the bank: "money to the bank" [GSZ09, 4 and 5].
//!
//! **Formulas.** With real money only the ratio of Alice's money to Bob's counts. Within t moves
//! Alice wins if it is at least v(p, t) and Bob if it is below u(p, t) [GSZ09, 4.2 and 4.3]; both
//! numbers tend to
//!
//! ```text
//! v(p) = sin(p pi / (N + 2)) / sin((p + 2) pi / (N + 2)),
//! ```
//!
//! and at that ratio itself Alice wins, in a number of moves that Bob can make as large as he likes
//! (docs/design.md, theorem 8 (real money, to the bank); the paper leaves the formula and that case
//! open). With chips no formula is known for paths longer than 4, but Alice wins with at least v(p)
//! times Bob's chips, and Bob wins if she has less than that minus a constant e(p) (theorem 10
//! (chips, to the bank)). [`PurseWins`] has every state; [`programme_l`] and [`programme_r`] are
//! the paper's two programs as printed.
//!
//! **Exact:** integers and rationals. v(p) is irrational except for v = 1 and the path of length 4;
//! [`limits`] encloses it as closely as needed.

use dashu_int::IBig;
use dashu_ratio::RBig;
use richman_games::within;

use super::checked_length;
use crate::Error;

mod chips;
mod printed;

pub use chips::{PurseWins, win_thresholds};
pub use printed::{Programme, programme_l, programme_r};

/// The most moves for v(p, t) and u(p, t): their numerators double in length with every move.
pub const MOST_MOVES: u32 = 16;

/// v(p, t) for t = `moves`, by node 0..=length: the least ratios with which Alice wins in at most t
/// moves; `None` (infinite) if not even all the money suffices [GSZ09, 4.2].
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`super::LONGEST`] and moves <=
/// [`MOST_MOVES`].
pub fn wins_within(length: u32, moves: u32) -> Result<Vec<Option<RBig>>, Error> {
    within_moves(length, moves, None)
}

/// u(p, t) for t = `moves`, by node 0..=length: the ratios below which Bob wins in at most t moves,
/// 0 if there are none; `None` (infinite) at Bob's end [GSZ09, 4.3]. The paper writes -1 for our 0.
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] as for [`wins_within`].
pub fn losses_within(length: u32, moves: u32) -> Result<Vec<Option<RBig>>, Error> {
    within_moves(length, moves, Some(RBig::ZERO))
}

/// Both numbers by their common step. With no moves left they are 0 at Alice's end, infinite at
/// Bob's, and `inner` in between.
fn within_moves(length: u32, moves: u32, inner: Option<RBig>) -> Result<Vec<Option<RBig>>, Error> {
    checked_length(length)?;
    within("moves", moves, 0..=MOST_MOVES)?;
    let mut numbers = vec![inner; length as usize + 1];
    (numbers[0], numbers[length as usize]) = (Some(RBig::ZERO), None);
    for _ in 0..moves {
        let before = numbers.clone();
        for at in 1..length as usize {
            // Case 1 is the general case with v(0) = 0. If v(p + 1) is infinite (cases 2 and 4),
            // Bob must be unable to bid more.
            numbers[at] = match (&before[at - 1], &before[at + 1]) {
                (None, _) => None,
                (Some(down), None) => Some(RBig::ONE + down),
                (Some(down), Some(up)) => Some(up * (RBig::ONE + down) / (RBig::ONE + up)),
            };
        }
    }
    Ok(numbers)
}

/// The numbers c(0), ..., c(`count`) for K = `numerator` / 2^`bits`, times 2^(`bits` j): c(0) = 1,
/// c(1) = K + 1, c(j + 1) = K c(j) - c(j - 1) + 1.
fn scaled(numerator: &IBig, bits: usize, count: u32) -> Vec<IBig> {
    let one = IBig::ONE << bits;
    let mut c = vec![IBig::ONE, numerator + &one];
    let mut power = one;
    for j in 1..count as usize {
        power <<= bits;
        c.push(numerator * &c[j] - (&c[j - 1] << (2 * bits)) + &power);
    }
    c
}

/// The numbers c(0), ..., c(N - 1) of docs/design.md, theorem 8 (real money, to the bank), times
/// 2^(bits j), at both ends of an interval of width 2^-bits around 2 cos(2 pi / (N + 2)), the
/// greatest K with c(N) = 0. `bits` is raised until all are positive.
struct Enclosure {
    bits: usize,
    low: Vec<IBig>,
    high: Vec<IBig>,
}

impl Enclosure {
    fn new(length: u32, mut bits: usize) -> Enclosure {
        let positive = |c: &[IBig]| c.iter().all(|c| *c > IBig::ZERO);
        loop {
            // To the left of the greatest root of c(N) some c(j) with j <= N is not positive; to
            // the right all are.
            let (mut low, mut high) = (-(IBig::ONE << (bits + 1)), IBig::ONE << (bits + 1));
            while &low + IBig::ONE < high {
                let middle: IBig = (&low + &high) >> 1;
                let side = if positive(&scaled(&middle, bits, length)) { &mut high } else { &mut low };
                *side = middle;
            }
            let [low, high] = [low, high].map(|numerator| scaled(&numerator, bits, length - 1));
            if positive(&low) {
                return Enclosure { bits, low, high };
            }
            bits *= 2;
        }
    }

    /// Bounds on v(p) = c(p - 1) / c(p), which falls as K grows.
    fn limit(&self, at: u32) -> (RBig, RBig) {
        let at = at as usize;
        let quotient = |c: &[IBig]| RBig::from_parts_signed(&c[at - 1] << self.bits, c[at].clone());
        (quotient(&self.high), quotient(&self.low))
    }
}

/// Rational bounds on v(p), by node 0..=length - 1. They come from 2 cos(2 pi / (length + 2)) to a
/// precision of `bits`, and are a little less close themselves.
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`super::LONGEST`] and 8 <= bits
/// <= 4096.
pub fn limits(length: u32, bits: u32) -> Result<Vec<(RBig, RBig)>, Error> {
    checked_length(length)?;
    within("bits", bits, 8..=4096)?;
    let enclosure = Enclosure::new(length, bits as usize);
    let bounds = (1..length).map(|at| enclosure.limit(at));
    Ok(std::iter::once((RBig::ZERO, RBig::ZERO)).chain(bounds).collect())
}

/// Upper bounds on the constants e(p) of docs/design.md, theorem 10 (chips, to the bank), by node
/// 0..=length - 1: with fewer than v(p) m - e(p) chips Alice loses against m. e(p) is the sum of
/// c(j)/c(i) over 1 <= i <= p and i <= j <= N - 2.
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] as for [`limits`].
pub fn gaps(length: u32, bits: u32) -> Result<Vec<RBig>, Error> {
    checked_length(length)?;
    within("bits", bits, 8..=4096)?;
    let Enclosure { bits, low, high } = Enclosure::new(length, bits as usize);
    let unscaled = |c: &[IBig], j: usize| RBig::from_parts_signed(c[j].clone(), IBig::ONE << (bits * j));
    // Beyond its greatest root every c(j) grows with K, and for j < N that root is further left.
    let mut gaps = vec![RBig::ZERO];
    for i in 1..length as usize {
        let tail = (i..length as usize - 1).fold(RBig::ZERO, |sum, j| sum + unscaled(&high, j));
        gaps.push(&gaps[i - 1] + tail / unscaled(&low, i));
    }
    Ok(gaps)
}
