//! Mean payoff with chips: the long-run average for every holding.

use dashu_ratio::RBig;

use crate::{Bidding, ByPlayer, Holding, Mechanism, Node, Threshold, Total};

/// The configurations of an arena with chips: each position with each of Alice's holdings. They are
/// numbered by position, then by the star (without it first), then by Alice's chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configurations {
    total: Total,
    has_star: bool,
}

impl Configurations {
    /// The configurations for one total.
    pub fn new(mechanism: &Mechanism, total: Total) -> Configurations {
        Configurations { total, has_star: mechanism.has_star() }
    }

    /// The number of configurations of each position.
    pub fn per_position(self) -> usize {
        self.stars().len() * (self.total.chips() as usize + 1)
    }

    /// Whether Alice holds the star: both, or only `false` where there is no star.
    pub fn stars(self) -> &'static [bool] {
        if self.has_star { &[false, true] } else { &[false] }
    }

    /// The number of a configuration, where Alice has `chips`, at most the total.
    pub fn index(self, node: Node, chips: u32, star: bool) -> usize {
        let run = node as usize * self.stars().len() + usize::from(star && self.has_star);
        run * (self.total.chips() as usize + 1) + chips as usize
    }
}

/// The long-run averages with chips. Alice guarantees them as least limits, Bob as greatest limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipPayoffs {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// All chips in the game.
    pub total: Total,
    /// The averages that occur, ascending.
    pub averages: Vec<RBig>,
    /// For each of the [`Configurations`], the index of its average.
    pub ranks: Vec<u32>,
    /// The potentials that prove the averages: for each player and configuration a numerator over
    /// the denominator of its average. Alice has bids after which hers do not fall; Bob has bids
    /// after which his do not rise.
    pub potentials: ByPlayer<Vec<i128>>,
}

impl ChipPayoffs {
    /// The configurations, by their numbers.
    pub fn configurations(&self) -> Configurations {
        Configurations::new(&self.mechanism, self.total)
    }

    /// The average from a position when Alice has `alice`; `None` for a holding that the total does
    /// not allow, or a position that does not exist. Without a star in the mechanism, `alice`'s is
    /// ignored.
    pub fn average(&self, node: Node, alice: Holding) -> Option<&RBig> {
        if alice.chips() > self.total.chips() {
            return None;
        }
        let at = self.configurations().index(node, alice.chips(), alice.has_star());
        self.averages.get(*self.ranks.get(at)? as usize)
    }

    /// The holding that Alice needs at a position for an average of at least `least`. With less,
    /// Bob can keep the average below it.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn needed(&self, node: Node, least: &RBig) -> Threshold {
        let rank = self.averages.partition_point(|average| average < least) as u32;
        let chips = |star: bool| {
            let start = self.configurations().index(node, 0, star);
            let run = &self.ranks[start..=start + self.total.chips() as usize];
            run.partition_point(|&one| one < rank) as u32
        };
        Threshold { plain: chips(false), star: chips(true) }
    }

    /// The least and the greatest of the averages that every greater total keeps; `None` if there
    /// are none. A holding with one of these averages, or one between, keeps it if any chips are
    /// added, however divided (theorem 30 (more chips for the other player) of `docs/design.md`).
    ///
    /// `None` also if sealed play is not determined: the theorem is not proved for it.
    pub fn kept_by_greater_totals(&self) -> Option<[&RBig; 2]> {
        let sealed = Mechanism { bidding: Bidding::Sealed, ..self.mechanism.clone() };
        if !sealed.is_determined() {
            return None;
        }
        let run = self.total.chips() as usize + 1;
        // The greatest average with no chip, and the least with all chips, over all positions.
        let most = self.ranks.iter().step_by(run).max()?;
        let least = self.ranks.iter().skip(run - 1).step_by(run).min()?;
        if most > least {
            return None;
        }
        Some([self.averages.get(*most as usize)?, self.averages.get(*least as usize)?])
    }
}

/// The least credits with which Alice never goes below 0 when every weight is added to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipCredits {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// All chips in the game.
    pub total: Total,
    /// For each of the [`Configurations`] the least credit; `None` where no credit suffices.
    pub credits: Vec<Option<i64>>,
    /// Numbers that prove that a smaller credit fails: against it, Bob has bids after which the
    /// shortfall grows, or stays while this number falls.
    pub stages: Vec<u64>,
    /// The averages. Where they are below 0 no credit suffices.
    pub payoffs: ChipPayoffs,
}

impl ChipCredits {
    /// The least credit at a position when Alice has `alice`; `None` where no credit suffices, and
    /// for a holding or position that does not exist.
    pub fn credit(&self, node: Node, alice: Holding) -> Option<i64> {
        if alice.chips() > self.total.chips() {
            return None;
        }
        let configurations = Configurations::new(&self.mechanism, self.total);
        self.credits.get(configurations.index(node, alice.chips(), alice.has_star())).copied().flatten()
    }

    /// The holding with which Alice can play forever from a position with a credit of `credit`.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn needed(&self, node: Node, credit: i64) -> Threshold {
        let configurations = Configurations::new(&self.mechanism, self.total);
        let chips = |star: bool| {
            let start = configurations.index(node, 0, star);
            let run = &self.credits[start..=start + self.total.chips() as usize];
            run.partition_point(|one| one.is_none_or(|least| least > credit)) as u32
        };
        Threshold { plain: chips(false), star: chips(true) }
    }
}
