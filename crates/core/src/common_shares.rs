//! Shares over one common denominator, compared and added as integers.

use std::borrow::Borrow;
use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

use crate::Share;

/// A list of shares. Comparing them, or a share with the mean of two, needs no search for common
/// factors.
///
/// Time: one comparison of integers. Space: one integer per share.
///
/// ```
/// use std::cmp::Ordering;
/// use richman_core::{CommonShares, Share};
/// let shares: Vec<Share> = ["1/2", "1/3", "2/3"].iter().map(|text| text.parse().unwrap()).collect();
/// let common = CommonShares::new(&shares);
/// assert_eq!(common.cmp(1, 0), Ordering::Less);
/// assert_eq!(common.cmp_mean(0, 1, 2), Ordering::Equal); // 1/2 is the mean of 1/3 and 2/3
/// ```
#[derive(Debug, Clone)]
pub struct CommonShares(ShareStorage);

#[derive(Debug, Clone)]
enum ShareStorage {
    /// Numerators over the denominator.
    Together { denominator: UBig, numerators: Vec<UBig> },
    /// The shares themselves, if their common denominator is much longer than theirs.
    Apart(Vec<Share>),
}

/// The most bits of a numerator that needs no memory of its own.
const INLINE: usize = 128;

/// The most bits of all numerators, as a multiple of the bits of all shares.
const LONGER: usize = 4;

impl CommonShares {
    /// Prepares shares, in three passes over the iterator, so that they need not all be in memory.
    pub fn new<S: Borrow<Share>>(shares: impl IntoIterator<Item = S, IntoIter: Clone>) -> CommonShares {
        let shares = shares.into_iter();
        match common_denominator(UBig::ONE, 0, shares.clone()) {
            Some(denominator) => {
                let numerators = shares.map(|share| over(share.borrow(), &denominator)).collect();
                CommonShares(ShareStorage::Together { denominator, numerators })
            }
            None => CommonShares(ShareStorage::Apart(shares.map(|share| share.borrow().clone()).collect())),
        }
    }

    /// About how many bytes [`CommonShares::new`] takes for these shares.
    pub fn bytes_for<S: Borrow<Share>>(shares: impl IntoIterator<Item = S, IntoIter: Clone>) -> u64 {
        let shares = shares.into_iter();
        match common_denominator(UBig::ONE, 0, shares.clone()) {
            Some(denominator) => shares.count() as u64 * bytes_of_numerator(denominator.bit_len()),
            None => shares.map(|share| share.borrow().bytes()).sum(),
        }
    }

    /// The shares with these numerators over `denominator`, followed by `more`; `None` unless all
    /// are from 0 to 1.
    pub fn with(denominator: UBig, mut numerators: Vec<UBig>, more: &[Share]) -> Option<CommonShares> {
        if denominator == UBig::ZERO || numerators.iter().any(|numerator| *numerator > denominator) {
            return None;
        }
        let Some(common) = common_denominator(denominator.clone(), numerators.len(), more.iter()) else {
            let shares: Option<Vec<Share>> =
                numerators.into_iter().map(|numerator| Share::ratio(numerator, denominator.clone())).collect();
            let mut shares = shares?;
            shares.extend_from_slice(more);
            return Some(CommonShares(ShareStorage::Apart(shares)));
        };
        let factor = &common / &denominator;
        if factor != UBig::ONE {
            numerators.iter_mut().for_each(|numerator| *numerator *= &factor);
        }
        numerators.extend(more.iter().map(|share| over(share, &common)));
        Some(CommonShares(ShareStorage::Together { denominator: common, numerators }))
    }

    /// The number of shares.
    pub fn len(&self) -> usize {
        match &self.0 {
            ShareStorage::Together { numerators, .. } => numerators.len(),
            ShareStorage::Apart(shares) => shares.len(),
        }
    }

    /// Whether there are no shares.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One share, in lowest terms.
    pub fn get(&self, at: usize) -> Share {
        match &self.0 {
            // Numerators are at most the denominator.
            ShareStorage::Together { denominator, numerators } => {
                Share::ratio(numerators[at].clone(), denominator.clone()).unwrap_or(Share::ONE)
            }
            ShareStorage::Apart(shares) => shares[at].clone(),
        }
    }

    /// Whether a share is 0.
    pub fn is_zero(&self, at: usize) -> bool {
        match &self.0 {
            ShareStorage::Together { numerators, .. } => numerators[at] == UBig::ZERO,
            ShareStorage::Apart(shares) => shares[at] == Share::ZERO,
        }
    }

    /// The order of two shares.
    pub fn cmp(&self, a: usize, b: usize) -> Ordering {
        match &self.0 {
            ShareStorage::Together { numerators, .. } => numerators[a].cmp(&numerators[b]),
            ShareStorage::Apart(shares) => shares[a].cmp(&shares[b]),
        }
    }

    /// The order of a share relative to the mean of two others.
    pub fn cmp_mean(&self, share: usize, a: usize, b: usize) -> Ordering {
        match &self.0 {
            ShareStorage::Together { numerators, .. } => {
                (&numerators[share] << 1).cmp(&(&numerators[a] + &numerators[b]))
            }
            ShareStorage::Apart(shares) => shares[share].cmp_mean(&shares[a], &shares[b]),
        }
    }
}

/// Bytes of a number of `bits` bits, including the slack of the number library and the allocator.
fn bytes_of_numerator(bits: usize) -> u64 {
    let words = bits as u64 / 64 + 1;
    size_of::<UBig>() as u64 + if bits <= INLINE { 0 } else { (words + words / 8 + 4) * 8 }
}

fn over(share: &Share, denominator: &UBig) -> UBig {
    share.numerator() * (denominator / share.denominator())
}

/// The least common denominator of the shares and of `over_first` others over `first`; `None` if
/// its numerators would be much longer than the shares.
fn common_denominator<S: Borrow<Share>>(
    first: UBig,
    over_first: usize,
    shares: impl Iterator<Item = S> + Clone,
) -> Option<UBig> {
    /// Fewer bits than this for all numerators are always acceptable.
    const FEW: usize = 1 << 23;
    let (mut bits, mut count) = (over_first * first.bit_len(), over_first);
    let mut common = first;
    for share in shares.clone() {
        let share = share.borrow();
        bits += share.denominator_bits();
        count += 1;
        // Start from a long denominator, which most others divide.
        if share.denominator_bits() > common.bit_len() && share.denominator() % &common == UBig::ZERO {
            common = share.denominator().clone();
        }
    }
    let most = (LONGER * bits).max(FEW) / count.max(1);
    for share in shares {
        if common.bit_len() > most.max(INLINE) {
            return None;
        }
        let denominator = share.borrow().denominator();
        if &common % denominator != UBig::ZERO {
            common = &common / (&common).gcd(denominator) * denominator;
        }
    }
    (common.bit_len() <= most.max(INLINE)).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(texts: &[&str]) -> Vec<Share> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn agrees(common: &CommonShares, shares: &[Share]) {
        assert_eq!(common.len(), shares.len());
        for (a, first) in shares.iter().enumerate() {
            assert_eq!((common.get(a), common.is_zero(a)), (first.clone(), *first == Share::ZERO));
            for (b, second) in shares.iter().enumerate() {
                assert_eq!(common.cmp(a, b), first.cmp(second));
                for (c, share) in shares.iter().enumerate() {
                    assert_eq!(common.cmp_mean(c, a, b), share.cmp(&Share::mean(first, second)));
                }
            }
        }
    }

    #[test]
    fn comparisons_are_those_of_rationals() {
        let few = shares(&["0", "1", "1/2", "1/3", "2/3", "5/12", "11/24"]);
        let common = CommonShares::new(&few);
        assert!(matches!(&common.0, ShareStorage::Together { denominator, .. } if *denominator == UBig::from(24u8)));
        agrees(&common, &few);
        let inner = vec![UBig::ZERO, UBig::from(3u8), UBig::from(5u8), UBig::from(10u8)];
        let all: Vec<Share> = shares(&["0", "3/10", "1/2", "1"]).into_iter().chain(few.clone()).collect();
        agrees(&CommonShares::with(UBig::from(10u8), inner, &few).unwrap(), &all);
        assert!(CommonShares::with(UBig::ONE, vec![UBig::from(2u8)], &few).is_none());
        assert!(CommonShares::with(UBig::ZERO, vec![], &few).is_none());
    }

    /// Without a common denominator of moderate length, shares stay as they are.
    #[test]
    fn unlike_denominators_stay_apart() {
        let odd = |count: u32| -> Vec<Share> {
            (0..count)
                .map(|at| {
                    let denominator = UBig::from(2 * at + 10_001).pow(9);
                    Share::ratio(&denominator / UBig::from(at + 2), denominator).unwrap()
                })
                .collect()
        };
        let all = odd(500);
        let common = CommonShares::new(&all);
        assert!(matches!(common.0, ShareStorage::Apart(_)));
        assert_eq!(common.get(7), all[7]);
        agrees(&CommonShares(ShareStorage::Apart(all[..20].to_vec())), &all[..20]);
        let common = CommonShares::with(UBig::from(3u8), vec![UBig::ONE], &all).unwrap();
        assert!(matches!(common.0, ShareStorage::Apart(_)));
        assert_eq!(common.get(0).to_string(), "1/3");
        assert_eq!((common.len(), common.get(8)), (501, all[7].clone()));
    }
}
