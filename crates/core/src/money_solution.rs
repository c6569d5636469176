//! The solution of an arena for real money: Alice's win and draw thresholds as exact shares.

use crate::{Mechanism, Node, Share, StopReason};

/// One exact share for every position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shares {
    /// Numerators over 2^`exponent`.
    Dyadic {
        /// The common exponent, at most 62.
        exponent: u32,
        /// A numerator for each position.
        numerators: Vec<u64>,
    },
    /// Rationals of any size.
    Rational(Vec<Share>),
}

impl Shares {
    /// The share of a position.
    pub fn get(&self, node: Node) -> Share {
        match self {
            Shares::Dyadic { exponent, numerators } => Share::dyadic(numerators[node as usize], *exponent),
            Shares::Rational(shares) => shares[node as usize].clone(),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            Shares::Dyadic { numerators, .. } => numerators.len(),
            Shares::Rational(shares) => shares.len(),
        }
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Thresholds on Alice's share at every position of an arena. Unit: all the money = 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneySolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// Alice can force a win when her share is above this, and cannot when it is below.
    pub win: Shares,
    /// Bob can force a win when Alice's share is below this, and cannot when it is above.
    pub draw: Shares,
    /// Whether the shares are the thresholds themselves, not bounds on them.
    pub exact: bool,
    /// Why the solver stopped.
    pub stop: StopReason,
}
