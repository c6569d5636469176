//! Certainties of one turn by the rules alone: a win at once that nobody can prevent, and a loss at
//! once that can be prevented.
//!
//! No solution is needed, because only moves that end the game count. A bid is certain if it is
//! good against every bid of the other player and every use of the star, under the mechanism of the
//! match ([`Turn`]). The goal of a turn is to win in it, or not to lose in it.

use richman_core::{Acceptance, Bids, ByPlayer, End, Goal, Holding, Mechanism, Player, StarUse, Turn, Walk, ranges};

/// A turn of a win-lose game, with the winner at once of every move.
pub(crate) struct TurnEnds<'a> {
    mechanism: &'a Mechanism,
    hands: ByPlayer<Holding>,
    moves: ByPlayer<Vec<(String, Option<Player>)>>,
}

impl<'a> TurnEnds<'a> {
    /// The turn at a position; `None` if the game is over or is a scoring game.
    pub(crate) fn of(walk: &dyn Walk, mechanism: &'a Mechanism, hands: ByPlayer<Holding>) -> Option<TurnEnds<'a>> {
        if walk.aim().facts().counts_points || walk.end().is_some() {
            return None;
        }
        let winner = |after: &dyn Walk| match after.end() {
            Some(End::Win(winner)) => Some(winner),
            _ => None,
        };
        let of = |player| {
            let moves = walk.after_moves(player).into_iter();
            moves.map(|(name, after)| (name, winner(after.as_ref()))).collect()
        };
        Some(TurnEnds { mechanism, hands, moves: ByPlayer::from_fn(of) })
    }

    /// The player's moves that reach the goal.
    pub(crate) fn moves(&self, goal: Goal, player: Player) -> impl Iterator<Item = &str> {
        let good = move |(_, winner): &&(String, Option<Player>)| goal.is_reached(player, *winner);
        self.moves[player].iter().filter(good).map(|(name, _)| name.as_str())
    }

    /// Whether the player reaches the goal if `mover` moves. A player without a move leaves it to
    /// the other.
    pub(crate) fn by(&self, goal: Goal, player: Player, mover: Player) -> bool {
        let mover = if self.moves[mover].is_empty() { mover.other() } else { mover };
        let mut winners = self.moves[mover].iter().map(|(_, winner)| *winner);
        if winners.len() == 0 {
            goal == Goal::Draw
        } else if mover == player {
            winners.any(|winner| goal.is_reached(player, winner))
        } else {
            winners.all(|winner| goal.is_reached(player, winner))
        }
    }

    fn turn(&self, goal: Goal, player: Player) -> Turn<'_, impl Acceptance> {
        let [own, other] = self.hands.own_first(player);
        let reached = ByPlayer::from_fn(|mover| self.by(goal, player, mover));
        let right = self.mechanism.right;
        let content = move |won: bool, _: u32, _: u32, _: bool| {
            right.sees_to(won, |is_own| reached[if is_own { player } else { player.other() }])
        };
        let (star, mechanism) = (own.has_star(), self.mechanism);
        Turn { mechanism, player, own: own.chips(), other: other.chips(), star, content }
    }

    /// Whether the player can make certain of the goal before the bids.
    pub(crate) fn can(&self, goal: Goal, player: Player) -> bool {
        self.turn(goal, player).is_content()
    }

    /// The allowed bids that make certain of the goal, ascending. `named` is the bid to answer.
    pub(crate) fn bids(&self, goal: Goal, player: Player, named: Option<u32>) -> Vec<[u32; 2]> {
        let turn = self.turn(goal, player);
        let Some(named) = named else { return turn.good_bids() };
        let is_good = |bid: u32| match bid.cmp(&named) {
            std::cmp::Ordering::Less => turn.lost(named, StarUse::Kept),
            std::cmp::Ordering::Equal => turn.tie(bid),
            std::cmp::Ordering::Greater => turn.won(bid, StarUse::Kept),
        };
        if let Bids::Only(_) = self.mechanism.bids {
            return ranges(self.mechanism.bids.up_to(turn.own).into_iter().filter(|&bid| is_good(bid)));
        }
        // The answer depends only on whether the bid is lower, equal or higher.
        let lower = named.checked_sub(1).map(|last| [0, last.min(turn.own)]);
        let higher = named.checked_add(1).filter(|&first| first <= turn.own).map(|first| [first, turn.own]);
        let equal = (named <= turn.own).then_some([named; 2]);
        let good = [lower, equal, higher].into_iter().flatten().filter(|range| is_good(range[0]));
        good.fold(Vec::new(), |mut all: Vec<[u32; 2]>, range| {
            match all.last_mut() {
                Some(last) if last[1] + 1 == range[0] => last[1] = range[1],
                _ => all.push(range),
            }
            all
        })
    }

    /// Whether the goal is reached if the star is used in a tie at `bid`, or kept, by the player's
    /// decision.
    pub(crate) fn star(&self, goal: Goal, player: Player, bid: u32, used: StarUse) -> bool {
        let turn = self.turn(goal, player);
        match used {
            StarUse::Used => turn.star_used(bid),
            StarUse::Kept => turn.star_kept(bid),
        }
    }
}

/// Whether `player` is certain to win in the turn at this position.
pub(crate) fn wins_next(walk: &dyn Walk, mechanism: &Mechanism, hands: ByPlayer<Holding>, player: Player) -> bool {
    TurnEnds::of(walk, mechanism, hands).is_some_and(|ends| ends.can(Goal::Win, player))
}

/// The number of bids that a player with `chips` chips may make.
pub(crate) fn count_bids(bids: &Bids, chips: u32) -> u64 {
    match bids {
        Bids::All => u64::from(chips) + 1,
        Bids::Only(amounts) => amounts.iter().filter(|&&bid| bid <= chips).count() as u64,
    }
}

/// The amount in ascending ranges that is nearest to `bid`.
pub(crate) fn nearest(ranges: &[[u32; 2]], bid: u32) -> Option<u32> {
    ranges.iter().map(|range| bid.clamp(range[0], range[1])).min_by_key(|found| found.abs_diff(bid))
}

/// The least bid in ascending ranges that wins against every bid of at most `most`; `None` if there
/// is none. If the other player cannot bid, every bid wins.
pub(crate) fn sure_bid(allowed: &[[u32; 2]], most: Option<u32>, wins_ties: bool) -> Option<u32> {
    bid_from(allowed, most.map_or(0, |most| most.saturating_add(u32::from(!wins_ties))))
}

/// The least bid in ascending ranges that is at least `least`.
pub(crate) fn bid_from(allowed: &[[u32; 2]], least: u32) -> Option<u32> {
    allowed.iter().find(|range| range[1] >= least).map(|range| range[0].max(least))
}
