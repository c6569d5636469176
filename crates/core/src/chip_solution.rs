//! The solution of an arena for one total of chips: who can force a win, with what, and in how many moves.

use crate::{Arena, Holding, Mechanism, Node, Outcome, Player, StopReason, Threshold, Thresholds, Total};

/// From `within` moves on, `threshold` (in the player's own chips) suffices to force a win in that many moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The number of moves.
    pub within: u32,
    /// The least holding of the player that wins in at most that many moves.
    pub threshold: Threshold,
}

/// The fewest moves in which a player can force a win.
pub type Rank = u32;

/// What one player can force, at every position, in that player's own chips.
///
/// The stages of a position ascend in `within` and their thresholds descend; before the first stage no holding wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    offsets: Vec<u32>,
    stages: Vec<Stage>,
    /// The least holdings that force at least a draw, where they do not follow from the opponent's wins.
    safe: Option<Vec<Threshold>>,
}

impl Side {
    /// A side from the stages of every position and, where play need not be determined, the thresholds for a draw.
    pub fn new(stages: &[Vec<Stage>], safe: Option<Vec<Threshold>>) -> Side {
        let mut side = Side { offsets: vec![0], stages: Vec::new(), safe };
        for run in stages {
            side.stages.extend_from_slice(run);
            side.offsets.push(side.stages.len() as u32);
        }
        side
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How the threshold for a forced win falls as more moves are allowed.
    pub fn stages(&self, node: Node) -> &[Stage] {
        &self.stages[self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize]
    }

    /// The least holdings that force a win in any number of moves.
    pub fn threshold(&self, node: Node, total: Total) -> Threshold {
        self.stages(node).last().map_or(Threshold::unreachable(total), |stage| stage.threshold)
    }

    /// The least holdings that force a win in at most `within` moves.
    pub fn threshold_within(&self, node: Node, total: Total, within: u32) -> Threshold {
        let stages = self.stages(node);
        let known = stages.partition_point(|stage| stage.within <= within);
        stages[..known].last().map_or(Threshold::unreachable(total), |stage| stage.threshold)
    }

    /// The fewest moves in which `holding` forces a win, or `None` where it cannot.
    pub fn rank(&self, node: Node, holding: Holding) -> Option<Rank> {
        self.stages(node).iter().find(|stage| stage.threshold.is_met_by(holding)).map(|stage| stage.within)
    }
}

/// Exact thresholds for one total of chips at every position of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipSolution {
    /// The number of chips in the game.
    pub total: Total,
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// What Alice can force, in her chips.
    pub alice: Side,
    /// What Bob can force, in his chips.
    pub bob: Side,
    /// Why the solver stopped. Chip thresholds are always exact.
    pub stop: StopReason,
}

impl ChipSolution {
    /// What `player` can force, in that player's own chips.
    pub fn side(&self, player: Player) -> &Side {
        match player {
            Player::Alice => &self.alice,
            Player::Bob => &self.bob,
        }
    }

    /// Alice's win and draw thresholds at `node`.
    pub fn thresholds(&self, node: Node) -> Thresholds {
        Thresholds {
            win: self.alice.threshold(node, self.total),
            draw: self.bob.threshold(node, self.total).opposite(self.total),
        }
    }

    /// The fewest moves in which `player`, who holds `holding`, forces a win; `None` where they cannot.
    pub fn rank(&self, player: Player, node: Node, holding: Holding) -> Option<Rank> {
        self.side(player).rank(node, holding)
    }

    /// Whether `player` (who holds `own`, against `other`) can force at least a draw.
    pub fn can_draw(&self, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        match &self.side(player).safe {
            Some(safe) => safe[node as usize].is_met_by(own),
            None => self.rank(player.other(), node, other).is_none(),
        }
    }

    /// What best play leads to from `node` with these holdings.
    pub fn outcome(&self, node: Node, alice: Holding, bob: Holding) -> Outcome {
        if self.rank(Player::Alice, node, alice).is_some() {
            Outcome::Win(Player::Alice)
        } else if self.rank(Player::Bob, node, bob).is_some() {
            Outcome::Win(Player::Bob)
        } else if self.can_draw(Player::Alice, node, alice, bob) && self.can_draw(Player::Bob, node, bob, alice) {
            Outcome::Draw
        } else {
            Outcome::Undetermined
        }
    }

    /// Whether the solution has as many positions as the arena.
    pub fn fits(&self, arena: &Arena) -> bool {
        self.alice.len() == arena.len() && self.bob.len() == arena.len()
    }
}
