//! The thresholds of a tree, for real money or for a total of chips, and the moves that make
//! progress where play can circle.

use richman_core::{
    Arena, ByPlayer, ChipSide, Effort, Error as CoreError, Holding, Node, Player, Share, ShareBounds, Shares,
    Threshold, Total, Watch,
};
use richman_solvers::{chips, money, registry};

use super::{TreeGoal, TreeOptions, TreeThreshold};
use crate::money::winning_stages;
use crate::{BoundsJson, Error, HoldingJson, Request};

/// The threshold of every position, and the moves to prefer.
pub struct TreeValues {
    pub worths: Worths,
    pub progress: Progress,
    /// For each position, whether play stays there forever, so that no move decides; empty if
    /// nowhere.
    pub stays: Vec<bool>,
}

/// The thresholds of a goal.
pub enum Worths {
    Money(Shares),
    Bounds(Vec<ShareBounds>),
    /// Of a side of the solution, which is the opponent's for a draw.
    Side(ChipSide, Total, TreeGoal),
    Chips(Vec<Threshold>, Total),
}

/// The measure of progress where play can circle.
pub enum Progress {
    /// Each player's distance from the goal; empty for a player who need not reach it.
    Stages(ByPlayer<Vec<Option<u32>>>),
    /// Each player's moves in a proved strategy.
    Moves(ByPlayer<Vec<Option<Node>>>),
}

/// The value of a position to the player who moves there: of two bounds, the reliable one for the
/// player. Less is better for Alice, more for Bob.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub enum PositionRank {
    Share(Share),
    HalfSteps(u32),
}

impl TreeValues {
    /// Solves a game that is won or lost.
    pub fn solve(request: &Request, choices: &TreeOptions) -> Result<TreeValues, Error> {
        let (arena, goal) = (request.unfolding.arena(), choices.goal);
        let worths = Worths::solve(request, choices, &request.effort)?;
        let mut stages = ByPlayer::both(Vec::new());
        stages[goal.forcing()] = worths.stages(arena, request, goal.forcing(), request.effort.watch)?;
        Ok(TreeValues { worths, progress: Progress::Stages(stages), stays: Vec::new() })
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        let worths = match &self.worths {
            Worths::Money(shares) => shares.bytes(),
            Worths::Bounds(bounds) => {
                size_of_val(&bounds[..]) as u64 + bounds.iter().map(ShareBounds::heap_bytes).sum::<u64>()
            }
            Worths::Side(side, ..) => side.bytes(),
            Worths::Chips(thresholds, _) => size_of_val(&thresholds[..]) as u64,
        };
        let progress = match &self.progress {
            Progress::Stages(stages) => stages.iter().map(|stages| size_of_val(&stages[..])).sum::<usize>(),
            Progress::Moves(moves) => moves.iter().map(|moves| size_of_val(&moves[..])).sum::<usize>(),
        };
        worths + (progress + self.stays.len()) as u64
    }

    pub fn stays(&self, node: Node) -> bool {
        self.stays.get(node as usize).copied().unwrap_or(false)
    }

    /// Whether a move makes progress; `leaves` says that it leaves the cycle.
    pub fn leads_on(&self, player: Player, node: Node, to: Node, leaves: bool) -> bool {
        match &self.progress {
            Progress::Stages(stages) => {
                let stages = &stages[player];
                // `None`: moves that keep to the bounds do not reach the goal from there.
                let distance = |node: Node| stages.get(node as usize).copied().flatten().unwrap_or(u32::MAX);
                !stages.is_empty() && if leaves { 0 < distance(node) } else { distance(to) < distance(node) }
            }
            Progress::Moves(chosen) => chosen[player][node as usize] == Some(to),
        }
    }

    pub fn grade(&self, player: Player, node: Node) -> PositionRank {
        match self.worths.at(node) {
            // Alice can rely on the upper bound, Bob on the lower.
            Worth::Share(bounds) => PositionRank::Share(player.either(bounds.high, bounds.low)),
            Worth::HalfSteps(half_steps, _) => PositionRank::HalfSteps(half_steps),
        }
    }

    pub fn worth(&self, node: Node) -> TreeThreshold {
        match self.worths.at(node) {
            Worth::Share(bounds) => TreeThreshold::Share(BoundsJson(bounds)),
            Worth::HalfSteps(half_steps, _) => TreeThreshold::Chips(HoldingJson(Holding::from_half_steps(half_steps))),
        }
    }

    /// The winner, if certain.
    pub fn winner(&self, node: Node) -> Option<Player> {
        let (none, all) = match self.worths.at(node) {
            Worth::Share(bounds) => (bounds.high == Share::ZERO, bounds.low == Share::ONE),
            Worth::HalfSteps(half_steps, total) => (half_steps == 0, half_steps == total.unreachable()),
        };
        if none { Some(Player::Alice) } else { all.then_some(Player::Bob) }
    }
}

enum Worth {
    Share(ShareBounds),
    HalfSteps(u32, Total),
}

impl Worths {
    fn solve(request: &Request, choices: &TreeOptions, effort: &Effort) -> Result<Worths, Error> {
        let (arena, mechanism, goal) = (request.unfolding.arena(), request.mechanism, choices.goal);
        let Some(total) = choices.chips else {
            let solution = money::solve(arena, mechanism, effort).map_err(|error| request.translate(error))?;
            return Ok(Worths::Money(if goal == TreeGoal::Win { solution.win } else { solution.draw }));
        };
        registry::chips(mechanism)?;
        if let Err(CoreError::NoRule { .. }) = registry::rules(mechanism) {
            let serves = "ties advantage with right chooses and bids all";
            return Err(CoreError::unsupported("a tree for chips where holdings have no order", serves).into());
        }
        let solution = chips::solve(arena, mechanism, total, effort).map_err(|error| request.translate(error))?;
        let side = if goal == TreeGoal::Win { solution.wins.alice } else { solution.wins.bob };
        Ok(Worths::Side(side, total, goal))
    }

    fn at(&self, node: Node) -> Worth {
        let half_steps = |needs: Threshold, total: Total| {
            Worth::HalfSteps(needs.holding().map_or(total.unreachable(), Holding::half_steps), total)
        };
        match self {
            Worths::Money(shares) => Worth::Share(shares.get(node)),
            Worths::Bounds(bounds) => Worth::Share(bounds[node as usize].clone()),
            &Worths::Side(ref side, total, goal) => {
                let own = side.threshold(node, total);
                half_steps(if goal == TreeGoal::Win { own } else { own.opposite(total) }, total)
            }
            Worths::Chips(thresholds, total) => half_steps(thresholds[node as usize], *total),
        }
    }

    /// The distance of each position from the goal of the player who must reach it; empty if play
    /// cannot circle.
    fn stages(
        &self,
        arena: &Arena,
        request: &Request,
        player: Player,
        watch: &dyn Watch,
    ) -> Result<Vec<Option<u32>>, CoreError> {
        if arena.is_acyclic() {
            return Ok(Vec::new());
        }
        match self {
            Worths::Money(shares) => {
                let rate = request.mechanism.payment.rate();
                let is_won = |node| arena.winner(node) == Some(player);
                winning_stages(arena, rate, |node| shares.get(node), player, is_won, watch)
            }
            Worths::Side(side, ..) => {
                Ok(arena.nodes().map(|node| side.stages(node).last().map(|stage| stage.within)).collect())
            }
            Worths::Bounds(_) | Worths::Chips(..) => Ok(Vec::new()),
        }
    }
}
