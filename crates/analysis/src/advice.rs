//! Advice: every best bid, when to use the star, what to move, and whether to let the other player move.
//!
//! A bid is *best* if it is good against every bid of the other player, where good means:
//!
//! - for a player who can force a win: the win is kept and, where play could come back to a position, comes one move nearer,
//!   so whoever follows the advice does win;
//! - for a player who can force a draw but no win: the other player still cannot force a win;
//! - for a player who loses anyway: the loss takes as long as possible.

use std::ops::RangeInclusive;

use richman_core::{ChipSolution, Forces, Holding, Move, Node, Outcome, Player, Right, Turn, Unfolding};
use serde::Serialize;

/// Bids from the first to the second, both included.
pub type BidRange = [u32; 2];

/// What to do with the star in a tie at some bids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StarUse {
    /// The tied bid.
    pub bids: BidRange,
    /// Whether to use the star.
    pub use_star: bool,
}

/// What to do after winning a tie with the star, where that differs from winning outright.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AfterTie {
    /// Best moves.
    pub moves: Vec<String>,
    /// Whether to let the other player move instead.
    pub let_other_move: bool,
}

/// The moves that are best after winning with some of the best bids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MovesAfter {
    /// The bid that won.
    pub bids: BidRange,
    /// Best moves.
    pub moves: Vec<String>,
}

/// Advice for one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// All best bids, ascending.
    pub bids: Vec<BidRange>,
    /// For the star's holder, whether to use it in a tie at a best bid; false where no tie can happen, null without the star
    /// and where it depends on the bid (`star_by_bid`).
    pub use_star: Option<bool>,
    /// Where the use of the star depends on the bid: what to do at which.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub star_by_bid: Vec<StarUse>,
    /// The moves that are best after every best bid whenever this player is to move.
    pub moves: Vec<String>,
    /// Where a cheaper best bid leaves a choice of more moves: the best moves after which bid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves_by_bid: Vec<MovesAfter>,
    /// Whether to let the other player move after winning the bid; `moves` then tells what to move if made to.
    pub let_other_move: bool,
    /// What to do after using the star, where that is not the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_tie: Option<AfterTie>,
    /// For a player who can force a win, the bids that do so in the fewest moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fastest: Option<Vec<BidRange>>,
}

/// Advice for `player` at `node`, who holds `own` against `other`; `None` where the game is over.
///
/// The solution may be truncated after `within` moves; the advice then counts the moves that are left.
pub fn advise(
    unfolding: &dyn Unfolding,
    solution: &ChipSolution,
    node: Node,
    player: Player,
    own: Holding,
    other: Holding,
    within: Option<u32>,
) -> Option<Advice> {
    if unfolding.arena().terminal(node).is_some() || within == Some(0) {
        return None;
    }
    let (alice, bob) = match player {
        Player::Alice => (own, other),
        Player::Bob => (other, own),
    };
    let left = within.map_or(u32::MAX, |moves| moves - 1);
    let aim = match solution.outcome(node, alice, bob) {
        Outcome::Win(winner) if winner == player => Aim::Win { rank: solution.rank(player, node, own)? },
        Outcome::Win(winner) => Aim::Delay { rank: solution.rank(winner, node, other)? },
        Outcome::Draw | Outcome::Undetermined => Aim::Hold,
    };
    let adviser = Adviser {
        unfolding,
        solution,
        node,
        player,
        own,
        own_moves: unfolding.moves(node, player),
        other_moves: unfolding.moves(node, player.other()),
        left,
        aim,
    };
    let mut advice = adviser.advice();
    if let Aim::Win { rank } = aim {
        let fastest = Adviser { aim: Aim::Within { moves: rank - 1 }, ..adviser };
        advice.fastest = Some(fastest.bids().iter().map(as_pair).collect());
    }
    Some(advice)
}

/// What makes the next position good.
#[derive(Clone, Copy)]
enum Aim {
    /// Still won, and nearer to the win if play could come back. `rank`: in how many moves it is won now.
    Win { rank: u32 },
    /// Won in at most this many moves.
    Within { moves: u32 },
    /// Not won by the other player.
    Hold,
    /// Lost no sooner than need be. `rank`: in how many moves it is lost now.
    Delay { rank: u32 },
}

struct Adviser<'a> {
    unfolding: &'a dyn Unfolding,
    solution: &'a ChipSolution,
    node: Node,
    player: Player,
    own: Holding,
    own_moves: Vec<Move>,
    other_moves: Vec<Move>,
    /// Moves left after this one.
    left: u32,
    aim: Aim,
}

fn as_pair(range: &RangeInclusive<u32>) -> BidRange {
    [*range.start(), *range.end()]
}

impl Adviser<'_> {
    /// Whether the player is content to be at `to` with `chips` and perhaps the star.
    fn good(&self, to: Node, chips: u32, star: bool) -> bool {
        let total = self.solution.total;
        let Ok(own) = Holding::new(chips.min(total.chips()), star) else { return false };
        let Ok(other) = total.rest(own) else { return false };
        let wins = |player, holding, moves: u32| {
            self.solution.rank(player, to, holding).filter(|&rank| rank <= moves.min(self.left))
        };
        match self.aim {
            Aim::Win { rank } => wins(self.player, own, u32::MAX).is_some_and(|next| {
                let components = self.unfolding.arena().components();
                next < rank || components.component(to) != components.component(self.node)
            }),
            Aim::Within { moves } => wins(self.player, own, moves).is_some(),
            Aim::Hold => wins(self.player.other(), other, u32::MAX).is_none(),
            Aim::Delay { rank } => wins(self.player.other(), other, rank.saturating_sub(2)).is_none() || rank == 1,
        }
    }

    fn good_moves(&self, chips: u32, star: bool) -> Vec<&Move> {
        self.own_moves.iter().filter(|step| self.good(step.to, chips, star)).collect()
    }

    fn may_move(&self, chips: u32, star: bool) -> bool {
        self.own_moves.iter().any(|step| self.good(step.to, chips, star))
    }

    fn may_let(&self, chips: u32, star: bool) -> bool {
        self.other_moves.iter().all(|step| self.good(step.to, chips, star))
    }

    fn chooses(&self) -> bool {
        self.solution.mechanism.right == Right::Chooses
    }

    #[expect(clippy::type_complexity, reason = "closures have no shorter name")]
    fn turn(&self) -> Turn<'_, impl Fn(u32, u32, bool) -> bool + '_, impl Fn(u32, u32, bool) -> bool + '_> {
        Turn {
            mechanism: &self.solution.mechanism,
            player: self.player,
            own: self.own.chips(),
            other: self.solution.total.chips() - self.own.chips(),
            star: self.own.has_star(),
            after_win: |chips, _, star| self.may_move(chips, star) || (self.chooses() && self.may_let(chips, star)),
            after_loss: |chips, _, star| self.may_let(chips, star) && (!self.chooses() || self.may_move(chips, star)),
        }
    }

    fn bids(&self) -> Vec<RangeInclusive<u32>> {
        self.turn().good_bids()
    }

    fn advice(&self) -> Advice {
        let turn = self.turn();
        let bids = turn.good_bids();
        let (star, own, other) = (turn.star, turn.own, turn.other);
        let most = bids.last().map_or(0, |range| *range.end());
        let least = bids.first().map_or(0, |range| *range.start());
        let tied = star_by_bid(&turn, &bids);
        let used = tied.iter().filter(|run| run.use_star).map(|run| run.bids[1]).max();

        // Holdings after winning the bid, the tightest of each kind: outright, and by using the star.
        let outright = (most > 0 || !star).then(|| self.follow_up(own - most, star));
        let by_star = used.map(|bid| self.follow_up(own - bid, false));
        let (after_win, after_tie) = match (outright, by_star) {
            (Some(outright), Some(by_star)) => match outright.joined(&by_star) {
                Some(joined) => (Some(joined), None),
                None => (Some(outright), Some(by_star)),
            },
            (one, two) => (one.or(two), None),
        };
        // Holdings after losing the bid are larger, so only a player who never moves after winning needs them. The least of
        // them is that after a tie at the least best bid, or after being outbid there if the star would be used.
        let used_at_least = tied.first().is_some_and(|run| run.use_star && run.bids[0] == least);
        let forced = || match self.solution.mechanism.right {
            Right::Moves => Vec::new(),
            Right::Chooses => names(&self.good_moves(own + (least + u32::from(used_at_least)).min(other), true)),
        };
        let after_win = after_win.unwrap_or(FollowUp { moves: Vec::new(), let_other_move: false });
        let moves_by_bid = if after_win.let_other_move { Vec::new() } else { self.moves_by_bid(star, &bids, &tied) };
        Advice {
            moves_by_bid,
            bids: bids.iter().map(as_pair).collect(),
            use_star: match (star, tied.as_slice()) {
                (false, _) => None,
                (true, []) => Some(false),
                (true, [run]) => Some(run.use_star),
                (true, _) => None,
            },
            star_by_bid: if tied.len() > 1 { tied } else { Vec::new() },
            moves: if after_win.moves.is_empty() { forced() } else { names(&after_win.moves) },
            let_other_move: after_win.let_other_move,
            after_tie: after_tie
                .map(|follow| AfterTie { moves: names(&follow.moves), let_other_move: follow.let_other_move }),
            fastest: None,
        }
    }

    /// The moves that are good whenever the player wins with a bid, for every best bid; empty where it is always the same.
    fn moves_by_bid(&self, star: bool, bids: &[RangeInclusive<u32>], tied: &[StarUse]) -> Vec<MovesAfter> {
        let own = self.own.chips();
        // A move stays good up to some bid, for each kind of winning; between two such places nothing changes.
        let limit = |step: &Move, star: bool| {
            let (mut low, mut high) = (0, own + 1);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.good(step.to, own - middle, star) { low = middle + 1 } else { high = middle }
            }
            low
        };
        let limits: Vec<[u32; 2]> = self
            .own_moves
            .iter()
            .map(|step| [limit(step, star), if star { limit(step, false) } else { own + 1 }])
            .collect();
        let mut places: Vec<u32> = limits.iter().flatten().copied().collect();
        places.push(1); // a bid of 0 cannot win outright
        places.extend(bids.iter().flat_map(|range| [*range.start(), *range.end() + 1]));
        places.extend(tied.iter().flat_map(|run| [run.bids[0], run.bids[1] + 1]));
        places.sort_unstable();
        places.dedup();
        let mut found: Vec<MovesAfter> = Vec::new();
        for pair in places.windows(2) {
            let (first, last) = (pair[0], pair[1] - 1);
            let by_star = tied.iter().any(|run| run.use_star && run.bids[0] <= first && first <= run.bids[1]);
            let wins = !star || first > 0 || by_star;
            if !wins || !bids.iter().any(|range| range.contains(&first)) {
                continue;
            }
            let good = |&(_, limits): &(&Move, &[u32; 2])| {
                (first < limits[0] || (star && first == 0)) && (!by_star || first < limits[1])
            };
            let moves: Vec<&Move> = self.own_moves.iter().zip(&limits).filter(good).map(|(step, _)| step).collect();
            let moves = names(&moves);
            match found.last_mut() {
                Some(previous) if previous.moves == moves && previous.bids[1] + 1 == first => previous.bids[1] = last,
                _ => found.push(MovesAfter { bids: [first, last], moves }),
            }
        }
        if found.windows(2).all(|pair| pair[0].moves == pair[1].moves) { Vec::new() } else { found }
    }

    fn follow_up(&self, chips: u32, star: bool) -> FollowUp<'_> {
        let moves = self.good_moves(chips, star);
        let let_other_move = moves.is_empty() && self.chooses() && self.may_let(chips, star);
        FollowUp { moves, let_other_move }
    }
}

fn names(moves: &[&Move]) -> Vec<String> {
    moves.iter().map(|step| step.name.clone()).collect()
}

/// What to do after winning a bid.
struct FollowUp<'a> {
    moves: Vec<&'a Move>,
    let_other_move: bool,
}

impl<'a> FollowUp<'a> {
    /// What is right in both cases, if anything is.
    fn joined(&self, other: &FollowUp<'a>) -> Option<FollowUp<'a>> {
        let moves: Vec<&Move> = self.moves.iter().copied().filter(|step| other.moves.contains(step)).collect();
        let let_other_move = self.let_other_move && other.let_other_move;
        (!moves.is_empty() || let_other_move).then_some(FollowUp { moves, let_other_move })
    }
}

/// For the star's holder: at which best bids to use it in a tie. Where both are right it is used [DP10, proposition 3.4].
fn star_by_bid<W, L>(turn: &Turn<'_, W, L>, bids: &[RangeInclusive<u32>]) -> Vec<StarUse>
where
    W: Fn(u32, u32, bool) -> bool,
    L: Fn(u32, u32, bool) -> bool,
{
    let mut runs: Vec<StarUse> = Vec::new();
    if !turn.star {
        return runs;
    }
    for range in bids {
        let (first, last) = (*range.start(), (*range.end()).min(turn.other));
        if first > last {
            continue;
        }
        // Using the star is right up to some bid, and keeping it from some bid on.
        let (mut low, mut high) = (first, last + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if turn.star_used(middle) { low = middle + 1 } else { high = middle }
        }
        for (run, use_star) in [(first..low, true), (low..last + 1, false)] {
            if run.is_empty() {
                continue;
            }
            match runs.last_mut() {
                Some(previous) if previous.use_star == use_star => previous.bids[1] = run.end - 1,
                _ => runs.push(StarUse { bids: [run.start, run.end - 1], use_star }),
            }
        }
    }
    runs
}
