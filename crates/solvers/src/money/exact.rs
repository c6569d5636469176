//! The exact values of a pair of policies, by p-adic lifting and rational reconstruction.
//!
//! The system 2 x(v) - x(own move) - x(other move) = 0, with known values moved to the right-hand
//! side b, is factored once modulo p. Then x = c0 + c1 p + c2 p^2 + ... digit by digit: c = A^-1 t
//! mod p, and t <- (t - A c) / p, plus the next digit of b. The digits must cover numerator times
//! denominator, so short answers need few digits, whatever the size of the system. All values have
//! one denominator; once known, half of the digits determine the numerators.
//!
//! **Proof.** Let n(v) be the integers from 0 to D that agree with D x(v) modulo a power of p above
//! 8 D, where D is the denominator times that of the known values. Then 2 n(v) - n(own move) -
//! n(other move) is congruent to the required value, and both are below that power, so they are
//! equal. Hence n(v) / D solves the system, whose solution is unique because it is unique modulo p.
//!
//! **Accepts** policies under which play leaves the component from everywhere. **Stops** when the
//! digits suffice, or would exceed the memory. **Time:** one factorisation, then one pass over the
//! factors for every 31 bits. **Checked by** the caller and tests of the factorisation.

use std::collections::BTreeMap;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem, Gcd};
use rayon::prelude::*;
use richman_core::{CommonShares, Share};

use super::factor::{Factor, Field, Fill, NotFactored, PRIME, Residue};
use super::local::{LocalSystem, Policies};
use super::policy::matrix;

/// The most bits of numerator and denominator together.
const MOST_BITS: usize = 1 << 17;

#[derive(Debug, Clone, Copy)]
pub(super) struct ExactLimits {
    fill: Fill,
    digits: usize,
    memory: u64,
}

impl ExactLimits {
    /// At most `memory` bytes for the digits, their numbers, and a factorisation of at most `fill`.
    pub fn within(fill: Fill, memory: u64) -> ExactLimits {
        ExactLimits { fill: fill.within(memory), digits: 4 * fill.entries, memory }
    }

    /// Whether there is room for `count` digits of each position in addition to `held` bytes.
    fn is_enough(self, positions: usize, count: usize, held: u64) -> bool {
        /// Two numbers (digits and numerator, or numerator and share), their list entries, and the
        /// allocator's overhead.
        const PER_POSITION: u64 = 160;
        /// A digit takes four bytes, and four more in the numerator or the denominator.
        const PER_DIGIT: u64 = 8;
        let bytes = positions as u64 * (PER_POSITION + PER_DIGIT * count as u64);
        positions * count <= self.digits && held + bytes <= self.memory
    }
}

/// The values of the local positions under `policies`, from the known values outside; `None` if
/// they exceed the limits.
pub(super) fn values(
    local: &LocalSystem,
    policies: &Policies,
    known: &[Share],
    room: ExactLimits,
    stop: &dyn Fn() -> bool,
) -> Result<Option<CommonShares>, NotFactored> {
    let factor = match Factor::new(matrix(policies, Residue::of), room.fill, stop) {
        Ok(factor) => factor,
        Err(NotFactored::TooDense) => return Ok(None),
        Err(other) => return Err(other),
    };
    let Some((scale, mut rest)) = right_side(local, policies, known) else { return Ok(None) };
    let inner = local.inner;
    let scale_bits = scale.bit_len();
    let mut carry = vec![0i64; inner];
    let mut lifted: Vec<Vec<u32>> = vec![Vec::new(); inner];
    let mut work = vec![Residue(0); inner];
    let mut next_try = 3 + scale_bits / 31;
    let mut count = 0;
    loop {
        if stop() {
            return Err(NotFactored::Stopped);
        }
        if count == lifted.first().map_or(0, Vec::capacity) {
            if !room.is_enough(inner, next_try, factor.bytes()) {
                return Ok(None);
            }
            lifted.iter_mut().for_each(|digits| digits.reserve_exact(next_try - count));
        }
        for v in 0..inner {
            if rest[v] != UBig::ZERO {
                let (quotient, digit) = std::mem::take(&mut rest[v]).div_rem(PRIME as u32);
                rest[v] = quotient;
                carry[v] += i64::from(digit);
            }
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
            if let Some((denominator, numerators)) = reconstruct(&lifted, &scale, stop) {
                drop((factor, lifted, rest, carry, work));
                return Ok(CommonShares::with(denominator, numerators, known));
            }
            if count * 31 > 2 * MOST_BITS + scale_bits {
                return Ok(None);
            }
            next_try = count + 2 + count / 8;
        }
    }
}

/// The least common denominator of the known values that the policies lead to, and the right-hand
/// sides times it.
fn right_side(local: &LocalSystem, policies: &Policies, known: &[Share]) -> Option<(UBig, Vec<UBig>)> {
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
    Some((scale, rest))
}

/// The denominator and numerators of the shares, if the digits lifted so far suffice.
fn reconstruct(lifted: &[Vec<u32>], scale: &UBig, stop: &dyn Fn() -> bool) -> Option<(UBig, Vec<UBig>)> {
    /// Spare bits required before a fraction is accepted.
    const SPARE: usize = 32;
    /// Shares between two checks whether to stop.
    const AT_ONCE: usize = 256;
    const DIGIT_BITS: usize = 31;
    let count = lifted.first()?.len();
    let whole = Powers::of(count);
    let mut denominator = UBig::ONE;
    let enough = |most: &UBig| Some((most.bit_len() + SPARE) / DIGIT_BITS + 1).filter(|needed| *needed <= count);
    let mut most = scale.clone();
    let mut powers = Powers::of(enough(&most)?);
    let mut numerators: Vec<UBig> = Vec::with_capacity(lifted.len());
    while let Some(next) = lifted.get(numerators.len()..).filter(|next| !next.is_empty()) {
        if stop() {
            return None;
        }
        let numerator = |digits: &Vec<u32>| {
            let numerator = powers.number(digits) * &denominator % powers.modulus();
            (numerator <= most).then_some(numerator)
        };
        let next = &next[..next.len().min(AT_ONCE)];
        let found: Vec<Option<UBig>> = next.par_iter().map(numerator).collect();
        let fitting = found.iter().take_while(|numerator| numerator.is_some()).count();
        // Copies are no longer than needed and release the threads' allocations.
        numerators.extend(found.iter().take(fitting).flatten().cloned());
        let Some(digits) = next.get(fitting) else { continue };
        // The product is not an integer, so the common denominator is longer.
        let residue = whole.number(digits) * &denominator % whole.modulus();
        // A factor of 1 would loop here forever.
        denominator *= fraction(&residue, whole.modulus(), scale).filter(|factor| *factor != UBig::ONE)?;
        most = &denominator * scale;
        if most.bit_len() + denominator.bit_len() + SPARE >= whole.modulus().bit_len() {
            return None;
        }
        powers = Powers::of(enough(&most)?);
        numerators.clear();
    }
    Some((most, numerators))
}

/// Powers of p for combining `count` digits.
struct Powers {
    count: usize,
    powers: BTreeMap<usize, UBig>,
}

impl Powers {
    /// At most this many digits are combined one by one.
    const SHORT: usize = 32;

    fn of(count: usize) -> Powers {
        let mut powers = BTreeMap::from([(count, UBig::from(PRIME).pow(count))]);
        let mut lengths = vec![count];
        while let Some(length) = lengths.pop() {
            if length <= Powers::SHORT {
                continue;
            }
            let low = length / 2;
            for half in [low, length - low] {
                powers.entry(half).or_insert_with(|| {
                    lengths.push(half);
                    UBig::from(PRIME).pow(half)
                });
            }
        }
        Powers { count, powers }
    }

    /// p to the power `count`.
    fn modulus(&self) -> &UBig {
        &self.powers[&self.count]
    }

    /// c0 + c1 p + c2 p^2 + ... with `count` digits, by halves.
    fn number(&self, digits: &[u32]) -> UBig {
        self.halves(&digits[..self.count])
    }

    fn halves(&self, digits: &[u32]) -> UBig {
        if digits.len() <= Powers::SHORT {
            return digits.iter().rev().fold(UBig::ZERO, |sum, &digit| sum * PRIME as u32 + digit);
        }
        let (low, high) = digits.split_at(digits.len() / 2);
        self.halves(high) * &self.powers[&low.len()] + self.halves(low)
    }
}

/// The denominator of the fraction that `residue` represents modulo `modulus`, if short enough to
/// be unique: the extended Euclidean algorithm, stopped half way (the numerator may be `scale`
/// times longer).
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A numerator too large for the denominator 1, which further rounds do not enlarge.
    #[test]
    fn digits_that_stand_for_no_share_are_given_up() {
        let looks = Cell::new(0);
        let stop = || {
            looks.set(looks.get() + 1);
            assert!(looks.get() < 10, "it goes round");
            false
        };
        assert_eq!(reconstruct(&[vec![2, 0, 0, 0]], &UBig::ONE, &stop), None);
        assert_eq!(reconstruct(&[vec![1, 0, 0, 0]], &UBig::ONE, &stop), Some((UBig::ONE, vec![UBig::ONE])));
    }
}
