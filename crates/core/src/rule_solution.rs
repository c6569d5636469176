//! The solution of an arena for every total of chips at once.

use crate::{Arena, ByPlayer, Mechanism, Node, Rule};

/// One player's thresholds to force a win, in that player's chips, at every position and total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSide {
    /// The distinct rules.
    pub rules: Vec<Rule>,
    /// The index of each position's rule.
    pub of: Vec<u32>,
}

impl RuleSide {
    /// The rule of a position.
    pub fn rule(&self, node: Node) -> &Rule {
        &self.rules[self.of[node as usize] as usize]
    }
}

/// Exact thresholds for every total at every position of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// What each player needs to win, in that player's own chips.
    pub wins: ByPlayer<RuleSide>,
}

impl RuleSolution {
    /// Alice's win threshold at a position, for every total.
    pub fn win(&self, node: Node) -> Rule {
        self.wins.alice.rule(node).clone()
    }

    /// Alice's draw threshold at a position, for every total.
    pub fn draw(&self, node: Node) -> Rule {
        self.wins.bob.rule(node).opposite()
    }

    /// Whether the arena has the same number of positions.
    pub fn fits(&self, arena: &Arena) -> bool {
        self.wins.iter().all(|side| side.of.len() == arena.len())
    }
}
