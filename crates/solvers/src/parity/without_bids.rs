//! Parity games in which nobody bids: money and chips do not matter, and one player wins from each
//! position. [`super::promotion`] solves them.

use richman_core::{
    AfterBid, ByPlayer, Effort, Error, Mechanism, Node, NodeData, ParityArena, ParityMoneySolution, ParityPlan,
    ParityShares, ParitySolution, Player, Shares, StopReason, Threshold, Total, Watch,
};

use super::ParityPlans;
use super::promotion::{self, TurnSolution};
use super::turns::NOWHERE;

/// Whether one player moves at each position, without a bid.
pub fn nobody_bids(arena: &ParityArena) -> bool {
    let has_bid = |node: Node| matches!(arena.data(node), NodeData::On(label) if label.kind.owner().is_none());
    !arena.nodes().any(has_bid)
}

/// Who wins a game in which nobody bids.
pub struct ParityWins(TurnSolution);

richman_core::debug_by_name!(ParityWins {});

/// Solves a game in which nobody bids.
///
/// ```
/// use richman_core::{Effort, ParityArenaBuilder, ParityLabel, Player, PositionKind, Priority};
/// use richman_solvers::parity;
///
/// // Bob may stay at 0, where he loses, or go to 1, where Alice can only stay and loses.
/// let mut arena = ParityArenaBuilder::new();
/// let label = |priority, owner| ParityLabel { priority: Priority(priority), kind: PositionKind::Owned(owner) };
/// arena.labelled(&[], &[(0, ()), (1, ())], label(2, Player::Bob));
/// arena.labelled(&[(1, ())], &[], label(3, Player::Alice));
/// let arena = arena.build(0)?;
/// let won = parity::without_bids(&arena, &Effort::default())?;
/// assert_eq!((won.winner(0), won.winning_move(0)), (Player::Bob, Some(1)));
/// assert_eq!((won.winner(1), won.winning_move(1)), (Player::Bob, None));
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if somebody bids; [`Error::TooMuchMemory`]; [`Error::OutOfTime`];
/// [`Error::Cancelled`].
pub fn without_bids(arena: &ParityArena, effort: &Effort) -> Result<ParityWins, Error> {
    if !nobody_bids(arena) {
        return Err(Error::unsupported("a game with bids, as one without", "games in which nobody bids"));
    }
    promotion::solve(arena, "solving the parity game", effort).map(ParityWins)
}

impl ParityWins {
    /// Who wins from a position.
    pub fn winner(&self, node: Node) -> Player {
        self.0.winners[node as usize]
    }

    /// The winner's move, if the winner moves there.
    pub fn winning_move(&self, node: Node) -> Option<Node> {
        Some(self.0.moves[node as usize]).filter(|&to| to != NOWHERE)
    }

    /// Alice's thresholds: nothing, or unreachable.
    pub(super) fn thresholds(&self, total: Total) -> Vec<Threshold> {
        let needed = |winner: &Player| winner.either(Threshold::NOTHING, Threshold::unreachable(total));
        self.0.winners.iter().map(needed).collect()
    }

    /// Both players' plans for a solution with the same winners.
    pub(super) fn plans(&self, arena: &ParityArena, solution: &ParitySolution) -> Result<ByPlayer<ParityPlans>, Error> {
        let expected = self.thresholds(solution.total);
        if let Some(node) = arena.nodes().find(|&node| solution.thresholds[node as usize] != expected[node as usize]) {
            return Err(Error::unsupported(
                format!("plans from the thresholds at position {node}"),
                "games in which the thresholds alone carry a plan",
            ));
        }
        let has_star = solution.mechanism.has_star();
        let of = |player: Player| {
            let plan = |node: Node| {
                let to = self.winning_move(node).filter(|_| self.winner(node) == player);
                let after = |to| [Some(AfterBid::Moves(to)), None, None, None];
                let plan = to.map(|to| ParityPlan { bid: 0, wins_tie: false, after: after(to) });
                [plan, plan.filter(|_| has_star)]
            };
            arena.nodes().map(plan).collect()
        };
        Ok(ByPlayer::from_fn(of))
    }

    /// Alice's thresholds in real money: nothing, or all of it.
    pub(crate) fn money(
        &self,
        arena: &ParityArena,
        mechanism: &Mechanism,
        watch: &dyn Watch,
    ) -> Result<ParityMoneySolution, Error> {
        let needed = |winner: &Player| winner.either(0, 1);
        let shares = Shares::Dyadic { exponent: 0, numerators: self.0.winners.iter().map(needed).collect() };
        let of = |player: Player| {
            let step = |node: Node| {
                let any = arena.moves(node, player).first().copied();
                self.winning_move(node).filter(|_| self.winner(node) == player).or(any).unwrap_or(node)
            };
            arena.nodes().map(step).collect()
        };
        let is_acyclic = !arena.find_components(watch)?.any_cyclic();
        Ok(ParityMoneySolution {
            mechanism: mechanism.clone(),
            thresholds: ParityShares { low: shares.clone(), high: shares },
            strategies: ByPlayer::from_fn(of),
            stop: if is_acyclic { StopReason::Acyclic } else { StopReason::Proved },
        })
    }
}
