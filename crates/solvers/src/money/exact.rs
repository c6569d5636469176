//! The exact values of a pair of policies: p-adic lifting of the solution modulo a prime, and rational reconstruction.
//!
//! The system 2 x(v) - x(own move) - x(other move) = 0, with known values moved to the right-hand side b, is factored once
//! modulo p. Then x = c0 + c1 p + c2 p^2 + ... digit by digit: c = A^-1 t mod p, and t <- (t - A c) / p, plus the next digit of b.
//! The digits needed are those of numerator times denominator, so short answers are found after few digits whatever the size
//! of the system. What comes out is checked by the caller in exact arithmetic; nothing rests on a bound.
//!
//! **Accepts** policies from which play comes out everywhere. **Stops** when the digits suffice, or would exceed the memory given for
//! them. **Time:** one factorisation, then one pass over the factors for every 31 bits. **Checked by** the caller, and by tests
//! of the factorisation.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem, Gcd};
use richman_core::Share;

use super::factor::{Factor, Field, Fill, NotFactored, PRIME, Residue};
use super::local::{Local, Policies};
use super::policy::matrix;

/// Most bits of numerator and denominator together.
const MOST_BITS: usize = 1 << 17;

/// The values of the local positions under `policies`, or `None` where they would not fit the limits.
pub(super) fn values(
    local: &Local,
    policies: &Policies,
    known: &[Share],
    fill: Fill,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<Share>>, NotFactored> {
    let factor = match Factor::new(matrix(policies, Residue::of), fill, stop) {
        Ok(factor) => factor,
        Err(NotFactored::TooDense) => return Ok(None),
        Err(other) => return Err(other),
    };
    let Some((scale, mut digits)) = right_side(local, policies, known) else { return Ok(None) };
    let inner = local.inner;
    let scale_bits = scale.bit_len();
    let mut carry = vec![0i64; inner];
    let mut lifted: Vec<Vec<u32>> = vec![Vec::new(); inner];
    let mut work = vec![Residue(0); inner];
    let mut next_try = 2 + scale_bits / 31;
    let mut count = 0;
    loop {
        if stop() {
            return Err(NotFactored::Stopped);
        }
        for v in 0..inner {
            carry[v] += i64::from(digits.next(v));
            work[v] = Residue::of(carry[v]);
        }
        factor.solve(&mut work);
        for v in 0..inner {
            let digit = |to: u32| if (to as usize) < inner { i64::from(work[to as usize].0) } else { 0 };
            let product = 2 * i64::from(work[v].0) - digit(policies.own[v]) - digit(policies.other[v]);
            carry[v] = (carry[v] - product) / PRIME as i64; // exact
            lifted[v].push(work[v].0);
        }
        count += 1;
        if count >= next_try {
            if let Some(found) = reconstruct(&lifted, &scale, stop) {
                return Ok(Some(found));
            }
            if count * 31 > 2 * MOST_BITS + scale_bits || count * inner > 4 * fill.entries {
                return Ok(None);
            }
            next_try = count + 2 + count / 8;
        }
    }
}

/// The digits in base p of the right-hand side, which is scaled to integers.
struct Digits {
    /// What is left of each right-hand side.
    rest: Vec<UBig>,
}

impl Digits {
    fn next(&mut self, v: usize) -> u32 {
        if self.rest[v] == UBig::ZERO {
            return 0;
        }
        let rest = std::mem::take(&mut self.rest[v]);
        let (quotient, digit) = rest.div_rem(PRIME as u32);
        self.rest[v] = quotient;
        digit
    }
}

/// The least common denominator of the known values that the policies lead to, and the right-hand sides times it.
fn right_side(local: &Local, policies: &Policies, known: &[Share]) -> Option<(UBig, Digits)> {
    let inner = local.inner;
    let mut scale = UBig::ONE;
    let steps = |v: usize| [policies.own[v], policies.other[v]].into_iter().filter(|&to| to as usize >= inner);
    for v in 0..inner {
        for to in steps(v) {
            let denominator = known[to as usize - inner].denominator();
            if (&scale % denominator) != UBig::ZERO {
                scale = &scale / (&scale).gcd(denominator) * denominator;
                if scale.bit_len() > MOST_BITS {
                    return None;
                }
            }
        }
    }
    let rest = (0..inner)
        .map(|v| {
            steps(v).fold(UBig::ZERO, |sum, to| {
                let share = &known[to as usize - inner];
                sum + share.numerator() * (&scale / share.denominator())
            })
        })
        .collect();
    Some((scale, Digits { rest }))
}

/// The shares that the digits lifted so far stand for, if there are enough of them.
fn reconstruct(lifted: &[Vec<u32>], scale: &UBig, stop: &dyn Fn() -> bool) -> Option<Vec<Share>> {
    /// How many bits must be left over before a fraction is believed.
    const SPARE: usize = 32;
    let count = lifted.first()?.len();
    let modulus = UBig::from(PRIME).pow(count);
    let number = |digits: &[u32]| horner(digits);
    let mut denominator = UBig::ONE;
    let mut numerators: Vec<UBig> = Vec::with_capacity(lifted.len());
    for (v, digits) in lifted.iter().enumerate() {
        if v % 16 == 0 && stop() {
            return None;
        }
        let residue = number(digits);
        let mut numerator = (&residue * &denominator) % &modulus;
        // Every value is between 0 and `scale`, so the numerator is at most denominator x scale.
        let most = |denominator: &UBig| denominator * scale;
        let believed =
            |denominator: &UBig| most(denominator).bit_len() + denominator.bit_len() + SPARE < modulus.bit_len();
        if numerator > most(&denominator) || !believed(&denominator) {
            let factor = fraction(&numerator, &modulus, scale)?;
            numerators.iter_mut().for_each(|known| *known *= &factor);
            denominator *= &factor;
            numerator = (&residue * &denominator) % &modulus;
            if numerator > most(&denominator) || !believed(&denominator) {
                return None;
            }
        }
        numerators.push(numerator);
    }
    let denominator = denominator * scale;
    numerators.into_iter().map(|numerator| Share::ratio(numerator, denominator.clone())).collect()
}

/// c0 + c1 p + c2 p^2 + ..., by halves.
fn horner(digits: &[u32]) -> UBig {
    const SHORT: usize = 32;
    if digits.len() <= SHORT {
        return digits.iter().rev().fold(UBig::ZERO, |sum, &digit| sum * PRIME as u32 + digit);
    }
    let (low, high) = digits.split_at(digits.len() / 2);
    horner(high) * UBig::from(PRIME).pow(low.len()) + horner(low)
}

/// The denominator of the fraction that `residue` stands for modulo `modulus`, if it is short enough to be unique: the
/// extended Euclidean algorithm stopped half way (where the numerator may be `scale` times longer than the denominator).
fn fraction(residue: &UBig, modulus: &UBig, scale: &UBig) -> Option<UBig> {
    let half = (modulus.bit_len() + scale.bit_len()) / 2;
    let (mut r0, mut r1) = (modulus.clone(), residue.clone());
    let (mut t0, mut t1) = (UBig::ZERO, UBig::ONE); // absolute values: their signs alternate
    while r1.bit_len() > half {
        let (quotient, remainder) = (&r0).div_rem(&r1);
        let next = &t0 + &quotient * &t1;
        (r0, r1) = (r1, remainder);
        (t0, t1) = (t1, next);
    }
    (t1 != UBig::ZERO && t1.bit_len() < modulus.bit_len()).then_some(t1)
}
