//! The solution of an arena for one total of chips.

use crate::groups::Groups;
use crate::{
    Arena, ByPlayer, Forces, Holding, Mechanism, Node, Player, Rank, StopReason, Threshold, Thresholds, Total,
};

/// The threshold, in the player's own chips, to win within some number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The number of moves.
    pub within: u32,
    /// The least holding that wins within these moves.
    pub threshold: Threshold,
}

impl Stage {
    const BLANK: Stage = Stage { within: 0, threshold: Threshold::NOTHING };
}

/// What one player can force at every position, in that player's own chips.
///
/// The stages of a position ascend in `within` and descend in `threshold`; before the first stage
/// no holding wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipSide {
    stages: Groups<Stage>,
}

impl ChipSide {
    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        self.stages.bytes()
    }

    /// A side from the stages of each position.
    pub fn new(stages: &[Vec<Stage>]) -> ChipSide {
        let listed = || (0..).zip(stages).flat_map(|(node, run)| run.iter().map(move |&stage| (node, stage)));
        ChipSide { stages: Groups::of(stages.len(), Stage::BLANK, listed) }
    }

    /// A side from every change of a threshold, in ascending order of moves.
    pub fn from_log(positions: usize, log: &[(Node, Stage)]) -> ChipSide {
        let listed = || log.iter().map(|&(node, stage)| (node as usize, stage));
        ChipSide { stages: Groups::of(positions, Stage::BLANK, listed) }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.stages.count()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of stages at all positions.
    pub fn stage_count(&self) -> usize {
        self.stages.value_count()
    }

    /// How the threshold for a forced win falls as more moves are allowed.
    pub fn stages(&self, node: Node) -> &[Stage] {
        self.stages.get(node as usize)
    }

    /// The least holdings that force a win.
    pub fn threshold(&self, node: Node, total: Total) -> Threshold {
        self.stages(node).last().map_or(Threshold::unreachable(total), |stage| stage.threshold)
    }

    /// The least holdings that force a win in at most `within` moves.
    pub fn threshold_within(&self, node: Node, total: Total, within: u32) -> Threshold {
        let stages = self.stages(node);
        let known = stages.partition_point(|stage| stage.within <= within);
        stages[..known].last().map_or(Threshold::unreachable(total), |stage| stage.threshold)
    }

    /// The fewest moves in which `holding` forces a win, if it can.
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
    /// What each player can force, in that player's own chips.
    pub wins: ByPlayer<ChipSide>,
    /// What each player needs, in that player's chips, to force at least a draw. Stages rise;
    /// before the first, nothing is needed. `None` if play is determined: a player then draws where
    /// the other cannot win.
    pub guards: Option<ByPlayer<ChipSide>>,
    /// Why the solver stopped. Chip thresholds are always exact.
    pub stop: StopReason,
}

impl ChipSolution {
    /// Alice's win and draw thresholds at `node`.
    pub fn thresholds(&self, node: Node) -> Thresholds {
        Thresholds {
            win: self.wins.alice.threshold(node, self.total),
            draw: self.wins.bob.threshold(node, self.total).opposite(self.total),
        }
    }

    /// The fewest moves in which `player` with `holding` forces a win, if they can.
    pub fn rank(&self, player: Player, node: Node, holding: Holding) -> Option<Rank> {
        self.wins[player].rank(node, holding)
    }

    /// What `player` needs to force at least a draw, in that player's own chips.
    pub fn guard(&self, player: Player, node: Node) -> Threshold {
        match &self.guards {
            Some(guards) => guards[player].stages(node).last().map_or(Threshold::NOTHING, |stage| stage.threshold),
            None => self.wins[player.other()].threshold(node, self.total).opposite(self.total),
        }
    }

    /// Both sides, and the guards if any.
    pub fn sides(&self) -> impl Iterator<Item = &ChipSide> {
        self.wins.iter().chain(self.guards.iter().flat_map(ByPlayer::iter))
    }
    /// Whether the arena has the same number of positions.
    pub fn fits(&self, arena: &Arena) -> bool {
        self.sides().all(|side| side.len() == arena.len())
    }
}

impl Forces for ChipSolution {
    fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    fn wins_in(&self, player: Player, node: Node, own: Holding, _: Holding) -> Option<Rank> {
        self.rank(player, node, own)
    }

    fn holds_for(&self, moves: u32, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        match &self.guards {
            Some(guards) => {
                let stages = guards[player].stages(node).iter().rev();
                let needed = stages.skip_while(|stage| stage.within > moves).map(|stage| stage.threshold).next();
                needed.is_none_or(|needed| needed.is_met_by(own))
            }
            None => self.rank(player.other(), node, other).is_none_or(|rank| rank > moves),
        }
    }
}
