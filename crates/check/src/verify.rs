//! The verifier accepts a solution only if it can prove it from the arena, without solving and
//! without a formula for thresholds.
//!
//! **Chips.** For each position and player, the claim says which holdings force a win, and within
//! how many moves. The verifier checks, at every position and number of moves, that the claimed
//! threshold is the least with a bid that is good against every bid (or with an answer to each),
//! given the claims of the next positions for one move fewer. By induction on the number of moves
//! the claim is exact: the player who is said to win does win in that many moves (no play that
//! follows the claim can circle), and nobody wins with less. Testing one chip less is enough,
//! because more chips never hurt (theorem 11 (more chips never hurt) of `docs/design.md`); where
//! they can, each holding is a claim of its own. Where play may be undetermined, the claim also
//! says which holdings force a draw, proved in the same way from "anything" upwards. Elsewhere
//! (theorem 12 (where play is determined)) the verifier checks that below the win threshold the
//! other player always has a bid that keeps the holding below it.
//!
//! **Real money.** Bids of the player whom a bound favours prove it: at every position some bid
//! leaves the claimed need of the next position, whether it wins or loses, by the payment's
//! [`Rate`]. That proves that the other player can be stopped. A win also needs moves that make
//! progress, because such bids may circle. An exact value needs both.

use std::cmp::Ordering;
use std::collections::HashSet;

use richman_core::{
    Arena, ByPlayer, CommonShares, Goal, LabelledArena, Mechanism, Node, Player, Rate, Right, Share, ShareBounds,
    Watch, WinLose, Winnable, bytes_for_progress, progresses,
};

mod chips;
mod energy_chips;
mod mean_payoff;
mod mean_payoff_chips;
mod parity;
mod parity_money;
mod payoff_thresholds;
mod purses;
mod random_turn;
mod rules;
mod stages;

pub use chips::chips;
pub use energy_chips::energy_chips;
pub use mean_payoff::mean_payoff;
pub use mean_payoff_chips::mean_payoff_chips;
pub use parity::{PlannedSteps, Plans, game_of_plans, parity, steps};
pub use parity_money::parity_money;
pub use payoff_thresholds::payoff_thresholds;
pub use purses::purses;
pub use random_turn::random_turn;
pub use rules::rules;

/// The reason for refusing a solution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The solution has more or fewer positions than the arena.
    #[error("the solution has {claimed} positions, the game has {actual}")]
    Size {
        /// Positions of the solution.
        claimed: usize,
        /// Positions of the arena.
        actual: usize,
    },
    /// A claim about a position is wrong.
    #[error("wrong at position {node}: {what}")]
    At {
        /// The first position found.
        node: Node,
        /// The claim and what holds.
        what: String,
    },
    /// The watch said stop.
    #[error("stopped before the proof was complete")]
    Stopped,
    /// The proof would exceed the limits.
    #[error("this is too long to prove: {0}")]
    TooLong(&'static str),
    /// The proof does not apply.
    #[error("this cannot be proved: {0}")]
    Unprovable(&'static str),
}

fn at(node: Node, what: String) -> Flaw {
    Flaw::At { node, what }
}

/// Proves real-money thresholds, or bounds on them. `win` and `draw` have an entry for each
/// position. Only the mechanism's payment and right count.
///
/// # Errors
/// The first [`Flaw`].
pub fn money(
    arena: &Arena,
    mechanism: &Mechanism,
    win: &[ShareBounds],
    draw: &[ShareBounds],
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    for shares in [win, draw] {
        if shares.len() != arena.len() {
            return Err(Flaw::Size { claimed: shares.len(), actual: arena.len() });
        }
    }
    let both = |node: Node| [&win[node as usize], &draw[node as usize]].map(|bounds| [&bounds.low, &bounds.high]);
    money_by_node(arena, mechanism, both, watch)
}

/// The same for claims by node: bounds on the win threshold and on the draw threshold.
///
/// # Errors
/// The first [`Flaw`].
pub fn money_by_node<'s>(
    arena: &Arena,
    mechanism: &Mechanism,
    claimed: impl Fn(Node) -> [[&'s Share; 2]; 2],
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    let indices: Vec<u32> = arena.nodes().collect();
    for player in Player::BOTH {
        let rate = mechanism.payment.rate();
        let ends = || arena.nodes().map(|node| ByPlayer::from(claimed(node))[player]);
        ClaimedChance::new(arena, rate, player, ends, &indices).check(&|_| false, mechanism.right, watch)?;
    }
    Ok(())
}

/// Bytes that [`money_by_node`] takes for these lower bounds, and as many upper bounds unless all
/// are exact.
pub fn bytes_for_money<'s>(arena: &Arena, lows: impl Iterator<Item = &'s Share> + Clone, is_exact: bool) -> u64 {
    /// Its index, and its number in the check of progress.
    const PER_POSITION: u64 = 4 + 4;
    let ends = CommonShares::bytes_for(lows) * if is_exact { 1 } else { 2 };
    ends + PER_POSITION * arena.len() as u64 + bytes_for_progress(arena, arena.len(), arena.edges())
}

/// Exact thresholds of a part of a game with Richman payment.
#[derive(Debug, Clone, Copy)]
pub struct PartClaim<'a> {
    /// All distinct thresholds.
    pub shares: &'a [Share],
    /// For each node the index of its win threshold in `shares`.
    pub win: &'a [u32],
    /// For each node the index of its draw threshold in `shares`.
    pub draw: &'a [u32],
    /// From this node on, thresholds are proved elsewhere. These positions have no moves in the
    /// arena; a positive chance there counts as progress to a win.
    pub known: Node,
}

/// Proves the thresholds of a part of a game. Play may lead to positions proved elsewhere, but
/// never back.
///
/// # Errors
/// The first [`Flaw`].
pub fn money_part(arena: &Arena, claim: &PartClaim, watch: &dyn Watch) -> Result<(), Flaw> {
    for (player, indices) in [(Player::Alice, claim.win), (Player::Bob, claim.draw)] {
        if indices.len() != arena.len() || indices.iter().any(|&index| index as usize >= claim.shares.len()) {
            return Err(Flaw::Size { claimed: indices.len(), actual: arena.len() });
        }
        let ends = || claim.shares.iter().map(|share| [share, share]);
        let known = |node: Node| node >= claim.known;
        ClaimedChance::new(arena, Rate::RICHMAN, player, ends, indices).check(&known, Right::Chooses, watch)?;
    }
    Ok(())
}

/// Whether a player with more than `share` has a bid that leaves more than the lesser of `one` and
/// `other` if it wins and more than the greater if it loses, as the winner picks who moves.
fn has_money_bid(rate: Rate, share: &Share, one: &Share, other: &Share) -> bool {
    let (won, lost) = if one <= other { (one, other) } else { (other, one) };
    // The higher a losing bid, the more is left. Bids above the other player's money are never
    // needed.
    let Some(bid) = rate.largest_bid(share, won).map(|bid| bid.min(share.complement())) else { return false };
    rate.after_loss(share, &bid).is_some_and(|left| left >= *lost)
}

/// A claim about a player's chance: the other player's share below which the player can force a
/// win. With Richman payment this is the chance to win random-turn play.
struct ClaimedChance<'a, L: Winnable = WinLose> {
    arena: &'a LabelledArena<L>,
    rate: Rate,
    player: Player,
    count: usize,
    /// For each node the index of its chance in `common`.
    indices: &'a [u32],
    /// The lower bounds, then the upper bounds if any differs.
    common: CommonShares,
}

/// One end of the bounds on a node's chance.
#[derive(Clone, Copy)]
enum BoundEnd {
    Low,
    High,
}

impl<'a, L: Winnable> ClaimedChance<'a, L> {
    /// Converts the bounds on Alice's thresholds.
    fn new<'s, I: Iterator<Item = [&'s Share; 2]> + Clone>(
        arena: &'a LabelledArena<L>,
        rate: Rate,
        player: Player,
        ends: impl Fn() -> I,
        indices: &'a [u32],
    ) -> ClaimedChance<'a, L> {
        // Alice wins if Bob has less than 1 - her threshold, Bob if she has less than his.
        let end = move |[low, high]: [&Share; 2], end: BoundEnd| match (player, end) {
            (Player::Alice, BoundEnd::Low) => high.complement(),
            (Player::Alice, BoundEnd::High) => low.complement(),
            (Player::Bob, BoundEnd::Low) => low.clone(),
            (Player::Bob, BoundEnd::High) => high.clone(),
        };
        let highs = if ends().all(|[low, high]| low == high) { 0 } else { usize::MAX };
        let lows = ends().map(move |ends| end(ends, BoundEnd::Low));
        let common = CommonShares::new(lows.chain(ends().take(highs).map(move |ends| end(ends, BoundEnd::High))));
        ClaimedChance { arena, rate, player, count: ends().count(), indices, common }
    }

    fn of(&self, node: Node) -> ShareBounds {
        ShareBounds { low: self.share(node, BoundEnd::Low), high: self.share(node, BoundEnd::High) }
    }

    /// Proves the bounds of all positions except `known` ones, which are proved elsewhere.
    fn check(&self, known: &dyn Fn(Node) -> bool, right: Right, watch: &dyn Watch) -> Result<(), Flaw> {
        for node in self.arena.nodes() {
            watched(watch, "equations", node, self.arena)?;
            if !known(node) {
                self.check_node(node, right)?;
            }
        }
        self.check_progress(known, right, watch)
    }

    fn wrong(&self, node: Node, what: &str) -> Flaw {
        let (threshold, claimed) = self.player.either(("win", self.of(node).complement()), ("draw", self.of(node)));
        at(node, format!("the {threshold} threshold is said to be {claimed}: {what}"))
    }

    /// The index of an end of a node's bounds in `common`.
    fn index(&self, node: Node, end: BoundEnd) -> usize {
        let index = self.indices[node as usize] as usize;
        match end {
            BoundEnd::High if self.common.len() > self.count => self.count + index,
            _ => index,
        }
    }

    fn share(&self, node: Node, end: BoundEnd) -> Share {
        self.common.get(self.index(node, end))
    }

    /// Whether a node's chance is provably positive.
    fn is_positive(&self, node: Node) -> bool {
        !self.common.is_zero(self.index(node, BoundEnd::Low))
    }

    fn cmp(&self, one: (Node, BoundEnd), other: (Node, BoundEnd)) -> Ordering {
        self.common.cmp(self.index(one.0, one.1), self.index(other.0, other.1))
    }

    /// The other player's move to the least chance, by lower or upper bounds.
    fn worst(&self, node: Node, end: BoundEnd) -> Option<Node> {
        let moves = self.arena.moves(node, self.player.other()).iter().copied();
        moves.min_by(|&a, &b| self.cmp((a, end), (b, end)))
    }

    /// The player's move to the greatest chance.
    fn best(&self, node: Node, end: BoundEnd) -> Option<Node> {
        let moves = self.arena.moves(node, self.player).iter().copied();
        moves.max_by(|&a, &b| self.cmp((a, end), (b, end)))
    }

    /// Both moves; the same move twice where one player moves without a bid.
    fn best_and_worst(&self, node: Node, end: BoundEnd) -> Option<[Node; 2]> {
        let (best, worst) = (self.best(node, end), self.worst(node, end));
        Some([best.or(worst)?, worst.or(best)?])
    }

    fn check_node(&self, node: Node, right: Right) -> Result<(), Flaw> {
        if self.cmp((node, BoundEnd::Low), (node, BoundEnd::High)) == Ordering::Greater {
            return Err(self.wrong(node, "the bounds are the wrong way round"));
        }
        if self.arena.terminal(node).is_some() {
            let chance = if self.arena.winner(node) == Some(self.player) { Share::ONE } else { Share::ZERO };
            return if self.of(node).as_exact() == Some(&chance) {
                Ok(())
            } else {
                Err(self.wrong(node, "the game has ended here with another result"))
            };
        }
        let ends = [BoundEnd::Low, BoundEnd::High].map(|end| self.best_and_worst(node, end));
        let [Some([best_low, worst_low]), Some([best_high, worst_high])] = ends else {
            return Err(Flaw::Unprovable("a position where a player has no move"));
        };
        let has_bids = self.arena.owner(node).is_none();
        let is_worse = || self.cmp((best_low, BoundEnd::Low), (worst_high, BoundEnd::High)) == Ordering::Less;
        // Moving is no worse than letting the other move if both have a move in common.
        if right == Right::Moves && has_bids && is_worse() && !self.has_common_move(node) {
            return Err(self.wrong(node, "this may be a zugzwang, which has no threshold where the winner must move"));
        }
        let (player, other) = (self.player, self.player.other());
        if !self.keeps(node, best_low, worst_low) {
            return Err(self.wrong(node, &format!("{player} has no bid that keeps to what the next positions ask for")));
        }
        if !self.is_kept_below(node, best_high, worst_high) {
            return Err(self.wrong(node, &format!("{other} has no bid that keeps to what the next positions ask for")));
        }
        Ok(())
    }

    fn has_common_move(&self, node: Node) -> bool {
        let others: HashSet<Node> = self.arena.moves(node, self.player.other()).iter().copied().collect();
        self.arena.moves(node, self.player).iter().any(|to| others.contains(to))
    }

    /// Whether the player, if the other has less than the lower bound of a node, has a bid that
    /// leaves the other less than that of `own` or `worst`.
    fn keeps(&self, node: Node, own: Node, worst: Node) -> bool {
        let share = |node| self.share(node, BoundEnd::Low);
        if self.rate.is_richman() {
            // The largest bid is share - won; losing to it leaves twice the share less won.
            return self.cmp_mean(node, own, worst, BoundEnd::Low) != Ordering::Greater;
        }
        has_money_bid(self.rate, &share(node).complement(), &share(own).complement(), &share(worst).complement())
    }

    /// The same for the other player with more than the upper bound.
    fn is_kept_below(&self, node: Node, own: Node, worst: Node) -> bool {
        let share = |node| self.share(node, BoundEnd::High);
        if self.rate.is_richman() {
            return self.cmp_mean(node, own, worst, BoundEnd::High) != Ordering::Less;
        }
        has_money_bid(self.rate, &share(node), &share(own), &share(worst))
    }

    fn cmp_mean(&self, node: Node, a: Node, b: Node, end: BoundEnd) -> Ordering {
        let [node, a, b] = [node, a, b].map(|node| self.index(node, end));
        self.common.cmp_mean(node, a, b)
    }

    /// Checks that moves allowed by the lower bounds lead to the win from every position with a
    /// positive claimed chance.
    ///
    /// A player with a surplus can bid a little above or below the bid that keeps to the bound.
    /// Then play comes nearer to the win, or the surplus grows, so the player wins in the end
    /// (theorem 3 (bounds in random-turn play) and theorem 7 (bounds in real money) of
    /// `docs/design.md`).
    ///
    /// If the winner must move, own moves that make progress must be no worse than the other
    /// player's, and where moving gains nothing, only they count.
    fn check_progress(&self, known: &dyn Fn(Node) -> bool, right: Right, watch: &dyn Watch) -> Result<(), Flaw> {
        let nodes: Vec<Node> = self.arena.nodes().collect();
        let joined = |node: Node| match known(node) {
            false => self.arena.winner(node) == Some(self.player),
            true => self.is_positive(node),
        };
        let keeps = |node: Node, to: Node| {
            // Where the player moves without a bid, only the move counts.
            let worst = self.worst(node, BoundEnd::Low).unwrap_or(to);
            let is_no_worse = || self.cmp((to, BoundEnd::Low), (worst, BoundEnd::Low)) != Ordering::Less;
            (right == Right::Chooses || is_no_worse()) && self.keeps(node, to, worst)
        };
        let lets = |node: Node| {
            let (best, worst) = (self.best(node, BoundEnd::Low), self.worst(node, BoundEnd::High));
            let is_better =
                |(best, worst)| self.cmp((best, BoundEnd::Low), (worst, BoundEnd::High)) == Ordering::Greater;
            right == Right::Chooses || best.is_some() && best.zip(worst).is_none_or(is_better)
        };
        let joins =
            progresses(self.arena, &nodes, self.player, joined, keeps, lets, watch).map_err(|_| Flaw::Stopped)?;
        for (node, joins) in (0..).zip(joins) {
            if !joins && self.is_positive(node) {
                return Err(self.wrong(node, &format!("{} has no play that makes progress to a win", self.player)));
            }
        }
        Ok(())
    }
}

/// Proves both players' needs to win and, if play may be undetermined, to draw.
fn prove_sides<S>(
    mechanism: &Mechanism,
    wins: &ByPlayer<S>,
    guards: Option<&ByPlayer<S>>,
    prove: impl Fn(Player, Goal, &S) -> Result<(), Flaw>,
) -> Result<(), Flaw> {
    let is_missing = "what each player needs to draw is missing, although play may be undetermined";
    let is_more = "what each player needs to draw is given, although play is determined";
    if mechanism.is_determined() == guards.is_some() {
        return Err(Flaw::Unprovable(if guards.is_some() { is_more } else { is_missing }));
    }
    for player in Player::BOTH {
        prove(player, Goal::Win, &wins[player])?;
        guards.map_or(Ok(()), |guards| prove(player, Goal::Draw, &guards[player]))?;
    }
    Ok(())
}

fn watched<L: Winnable>(
    watch: &dyn Watch,
    stage: &'static str,
    done: Node,
    arena: &LabelledArena<L>,
) -> Result<(), Flaw> {
    const BETWEEN_CHECKS: Node = 1 << 8;
    if done.is_multiple_of(BETWEEN_CHECKS) {
        if watch.cancelled() {
            return Err(Flaw::Stopped);
        }
        watch.progress(stage, u64::from(done), Some(arena.len() as u64));
    }
    Ok(())
}
