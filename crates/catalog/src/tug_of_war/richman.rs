//! The bid goes to the other player: "money to the adversary" [GSZ09, 2 and 3].
//!
//! **Formulas.** Real money: at node p of a path of length N, Alice wins with a share of at least
//! p/N, and Bob wins below it [GSZ09, Theorems 2.4 and 2.6]. Chips: let T be the total. Alice's win
//! threshold is the sum of the first p of N integers that add up to T + 1 and differ as little as
//! possible. Bob wins below the sum of the first p of N integers that add up to T + 1 and rise as
//! steeply as steps of 0 and 1 allow. Between the two is a draw (docs/design.md, theorem 9 (chips,
//! to the other player); [GSZ09, Theorems 3.3 and 3.5] are parts of it).

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{ByPlayer, Player, Share};

use super::{PathPosition, checked_length};
use crate::Error;

/// Alice's real-money win threshold p/N, at which she still wins [GSZ09, Theorems 2.4 and 2.6].
pub fn threshold(position: PathPosition) -> Share {
    Share::ratio(position.at.into(), position.length.into()).unwrap_or(Share::ONE)
}

/// Alice's advantage: her share minus p/N [GSZ09, Definition 2.1]. Unit: all the money = 1.
pub fn advantage(position: PathPosition, share: &Share) -> RBig {
    share.rational() - fair(position.at, position.length)
}

pub(crate) fn fair(at: u32, length: u32) -> RBig {
    RBig::from_parts(at.into(), length.into())
}

/// 2^-`exponent`.
pub(crate) fn halved(exponent: u32) -> RBig {
    RBig::from_parts(IBig::ONE, UBig::ONE << exponent as usize)
}

/// Alice's real-money strategy [GSZ09, Lemmas 2.2 and 2.3]. Without an advantage she bids 1/N at
/// every node, until Bob pays more and so gives her one. With an advantage of d she bids 1/N +
/// d/2^i at node i, until Bob pays more and so increases d.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlicePlan {
    length: u32,
    /// Her advantage when the plan was made; not negative.
    pub advantage: RBig,
}

impl AlicePlan {
    /// Her plan from `position` with `share`; `None` if her advantage is negative.
    pub fn new(position: PathPosition, share: &Share) -> Option<AlicePlan> {
        let advantage = advantage(position, share);
        (advantage >= RBig::ZERO).then_some(AlicePlan { length: position.length, advantage })
    }

    /// Her bid at node `at`. Unit: all the money = 1.
    pub fn bid(&self, at: u32) -> RBig {
        fair(1, self.length) + &self.advantage * halved(at)
    }
}

/// Bob's real-money strategy if Alice's share is p/N - d for some d > 0 [GSZ09, Theorem 2.6]. With
/// g(i) = d/2^(n - i + 1), where n = N + 1 is the number of nodes, he lets Alice have a bid of at
/// least 1/N + g(i) at node i and bids that amount himself against less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BobPlan {
    length: u32,
    missing: RBig,
}

impl BobPlan {
    /// His plan from `position` if Alice has `share`; `None` unless her advantage is negative.
    pub fn new(position: PathPosition, share: &Share) -> Option<BobPlan> {
        let missing = -advantage(position, share);
        (missing > RBig::ZERO).then_some(BobPlan { length: position.length, missing })
    }

    /// The amount at node `at` that he bids, or from which he lets Alice have the bid. Unit: all
    /// the money = 1.
    pub fn price(&self, at: u32) -> RBig {
        fair(1, self.length) + &self.missing * halved(self.length + 2 - at)
    }

    /// His answer to a bid of Alice: 0, or the price.
    pub fn answer(&self, at: u32, bid: &RBig) -> RBig {
        let price = self.price(at);
        if *bid >= price { RBig::ZERO } else { price }
    }
}

/// Alice's thresholds with chips at one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeNeeds {
    /// The least number of chips that wins; total + 1 if none does.
    pub win: u32,
    /// The least number of chips against which Bob cannot win.
    pub draw: u32,
}

impl NodeNeeds {
    /// The player who can force a win if Alice has `alice` chips; `None` for a draw.
    pub fn winner(self, alice: u32) -> Option<Player> {
        if alice >= self.win {
            Some(Player::Alice)
        } else if alice < self.draw {
            Some(Player::Bob)
        } else {
            None
        }
    }
}

/// Alice's advantage with chips: her chips minus p T/N, rounded up [GSZ09, Definition 3.2]. If it
/// is not negative, she wins (Theorem 3.3); less may also suffice, see [`ChipWins::needs`].
pub fn chip_advantage(position: PathPosition, alice: u32, bob: u32) -> i64 {
    let total = u64::from(alice) + u64::from(bob);
    i64::from(alice) - (u64::from(position.at) * total).div_ceil(u64::from(position.length)) as i64
}

/// Alice's bid with chips if her advantage is not negative: T/N, rounded down [GSZ09, Theorem 3.3].
/// Each time Bob pays more, or later lets her have a bid, her advantage has grown.
pub fn chip_bid(position: PathPosition, total: u32) -> u32 {
    total / position.length
}

/// The most chips of Bob against which Alice, at the middle of a path of length 2n, forces a draw
/// with nothing: n(n + 1)/2 - 1 [GSZ09, Theorem 3.5].
pub fn most_for_draw(n: u32) -> u32 {
    n * (n + 1) / 2 - 1
}

/// Who wins with chips, and in how many moves, for one total: the program for money to the
/// adversary.
///
/// Alice's threshold within t + 1 moves at a node is half the sum of her thresholds within t at its
/// neighbours, rounded down, where Bob's end counts as total + 1; the same holds for her threshold
/// to prevent Bob's win within t + 1 (docs/design.md, theorem 9 (chips, to the other player)). The
/// computation starts from "no number of chips" for her and 0 for him, and stops when a round
/// changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipWins {
    /// By player and node, each change: (moves, Alice's threshold from then on).
    stages: ByPlayer<Vec<Vec<(u32, u32)>>>,
}

impl ChipWins {
    /// Runs the program for a path of `length` and `total` chips. Time: rounds x length; memory: at
    /// most 8 bytes for each node and chip.
    ///
    /// # Errors
    /// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`super::LONGEST`];
    /// [`richman_core::Error::TotalTooLarge`].
    pub fn new(length: u32, total: u32) -> Result<ChipWins, Error> {
        checked_length(length)?;
        richman_core::Total::new(total)?;
        let stages = [total + 1, 0].map(|start| {
            let mut needs = vec![start; length as usize + 1];
            (needs[0], needs[length as usize]) = (0, total + 1);
            let mut stages: Vec<Vec<(u32, u32)>> = needs.iter().map(|&need| vec![(0, need)]).collect();
            let mut before = needs.clone();
            for moves in 1.. {
                std::mem::swap(&mut before, &mut needs);
                for at in 1..length as usize {
                    let (down, up) = (before[at - 1], before[at + 1]);
                    // Even all chips would not suffice after winning the bid.
                    needs[at] = if down > total { total + 1 } else { (down + up) / 2 };
                    if needs[at] != before[at] {
                        stages[at].push((moves, needs[at]));
                    }
                }
                (needs[0], needs[length as usize]) = (0, total + 1);
                if needs == before {
                    break;
                }
            }
            stages
        });
        Ok(ChipWins { stages: stages.into() })
    }

    /// Alice's thresholds at node `at`.
    ///
    /// # Panics
    /// If the path has no such node.
    pub fn needs(&self, at: u32) -> NodeNeeds {
        let need = |stages: &Vec<Vec<(u32, u32)>>| stages[at as usize].last().map_or(0, |stage| stage.1);
        NodeNeeds { win: need(&self.stages.alice), draw: need(&self.stages.bob) }
    }

    /// The player who can force a win at node `at` if Alice has `alice` chips, and in how many
    /// moves; `None` for a draw.
    ///
    /// # Panics
    /// If the path has no such node.
    pub fn winner(&self, at: u32, alice: u32) -> Option<(Player, u32)> {
        let winner = self.needs(at).winner(alice)?;
        let wins = |need: u32| if winner == Player::Alice { alice >= need } else { alice < need };
        let stages = &self.stages[winner][at as usize];
        Some((winner, stages[stages.partition_point(|&(_, need)| !wins(need))].0))
    }
}
