//! The solution of an arena for real money: thresholds, exact or within proved bounds.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Mechanism, Node, Share, StopReason};

/// A share that is known exactly (`low` = `high`) or lies between proved bounds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShareBounds {
    /// A lower bound on the share.
    pub low: Share,
    /// An upper bound on the share.
    pub high: Share,
}

impl ShareBounds {
    /// A share that is known exactly.
    pub fn exact(share: Share) -> ShareBounds {
        ShareBounds { low: share.clone(), high: share }
    }

    /// The share, if it is known exactly.
    pub fn as_exact(&self) -> Option<&Share> {
        (self.low == self.high).then_some(&self.low)
    }

    /// How far apart the bounds are, nearly; 0 only if they are equal.
    pub fn width(&self) -> f64 {
        let width = 2.0 * Share::half_difference(&self.high, &self.low).to_f64();
        if self.low == self.high { 0.0 } else { width.max(f64::MIN_POSITIVE) }
    }

    /// About how many bytes both take, if they are long.
    pub fn heap_bytes(&self) -> u64 {
        self.low.heap_bytes() + self.high.heap_bytes()
    }

    /// The other player's share.
    pub fn complement(&self) -> ShareBounds {
        ShareBounds { low: self.high.complement(), high: self.low.complement() }
    }
}

impl fmt::Display for ShareBounds {
    /// `133/256`, or `1/4..1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_exact() {
            Some(share) => share.fmt(f),
            None => f.pad(&format!("{}..{}", self.low, self.high)),
        }
    }
}

impl FromStr for ShareBounds {
    type Err = Error;

    fn from_str(text: &str) -> Result<ShareBounds, Error> {
        let Some((low, high)) = text.split_once("..") else { return Ok(ShareBounds::exact(text.parse()?)) };
        let bounds = ShareBounds { low: low.parse()?, high: high.parse()? };
        if bounds.low >= bounds.high {
            return Err(Error::NotAShare { text: crate::error::excerpt(text) });
        }
        Ok(bounds)
    }
}

/// A share, or bounds on it, for every position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shares {
    /// Exact: numerators over 2^`exponent`.
    Dyadic {
        /// The common exponent, at most 62.
        exponent: u32,
        /// A numerator for each position.
        numerators: Vec<u64>,
    },
    /// Exact rationals of any size.
    Rational(Vec<Share>),
    /// Bounds, with exact rationals where they are known.
    Bounded {
        /// The exact share of each position, where it is known.
        exact: Vec<Option<Box<Share>>>,
        /// Lower bounds: numerators over 2^62.
        low: Vec<u64>,
        /// Upper bounds: numerators over 2^62.
        high: Vec<u64>,
    },
}

impl Shares {
    /// Bounds are integers over 2 to this power.
    pub const BOUND_EXPONENT: u32 = 62;

    /// The share at a position.
    pub fn get(&self, node: Node) -> ShareBounds {
        let v = node as usize;
        match self {
            Shares::Dyadic { exponent, numerators } => ShareBounds::exact(Share::dyadic(numerators[v], *exponent)),
            Shares::Rational(shares) => ShareBounds::exact(shares[v].clone()),
            Shares::Bounded { exact, low, high } => match &exact[v] {
                Some(share) => ShareBounds::exact(share.as_ref().clone()),
                None => ShareBounds {
                    low: Share::dyadic(low[v], Shares::BOUND_EXPONENT),
                    high: Share::dyadic(high[v], Shares::BOUND_EXPONENT),
                },
            },
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            Shares::Dyadic { numerators, .. } => numerators.len(),
            Shares::Rational(shares) => shares.len(),
            Shares::Bounded { exact, .. } => exact.len(),
        }
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        match self {
            Shares::Dyadic { numerators, .. } => 8 * numerators.len() as u64,
            Shares::Rational(shares) => {
                size_of_val(&shares[..]) as u64 + shares.iter().map(Share::heap_bytes).sum::<u64>()
            }
            Shares::Bounded { exact, .. } => {
                24 * exact.len() as u64 + exact.iter().flatten().map(|share| share.bytes()).sum::<u64>()
            }
        }
    }

    /// The number of positions whose share is known exactly.
    pub fn exact_count(&self) -> usize {
        match self {
            Shares::Bounded { exact, .. } => exact.iter().flatten().count(),
            all => all.len(),
        }
    }
}

/// Thresholds on Alice's share at every position of an arena; all the money is 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneySolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// Alice can force a win with a larger share, and cannot with a smaller one.
    pub win: Shares,
    /// Bob can force a win against a smaller share of Alice, and cannot against a larger one.
    pub draw: Shares,
    /// Why the solver stopped.
    pub stop: StopReason,
}

impl MoneySolution {
    /// Whether every threshold of every position is exact.
    pub fn is_exact(&self) -> bool {
        [&self.win, &self.draw].iter().all(|shares| shares.exact_count() == shares.len())
    }
}
