//! Advice: every best bid, when to use the star, what to move, and whether to let the other player
//! move.
//!
//! A bid is *best* if it is good against every bid of the other player. A good bid
//!
//! - of a player who can force a win keeps the win and, where positions can repeat, comes one move
//!   nearer to it, so that following the advice wins;
//! - of a player who can force a draw but no win keeps the draw;
//! - of a player who can force neither delays the loss for as many moves as can be guaranteed, and
//!   leaves the player short of as few chips as possible for preventing it.
//!
//! With open bids, the player who answers gets the good answers to each bid.

mod lost;

use std::collections::HashSet;

use richman_core::{Acceptance, Error, Forces, Holding, Move, Node, Player, StarUse, Turn, Unfolding, partition};
use schemars::JsonSchema;
use serde::Serialize;

/// Bids from the first to the second, both included.
pub type BidRange = [u32; 2];

/// Whether to use the star in a tie at some bids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StarAdvice {
    /// The tied bids.
    pub bids: BidRange,
    /// Whether to use the star.
    pub use_star: bool,
}

/// The advice after winning a tie with the star, where it differs from winning outright.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AfterTie {
    /// Best moves.
    pub moves: Vec<String>,
    /// Whether to let the other player move instead.
    pub let_other_move: bool,
}

/// The best moves after winning with some of the best bids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MovesAfter {
    /// The bid that won.
    pub bids: BidRange,
    /// Best moves.
    pub moves: Vec<String>,
}

/// The best moves when the other player wins the bid and makes this player move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MovesAfterLoss {
    /// The bid that won.
    pub bids: BidRange,
    /// Whether it was a tie.
    pub tied: bool,
    /// Best moves.
    pub moves: Vec<String>,
}

/// The good answers to some bids of the other player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BidReply {
    /// The bids of the other player.
    pub to: BidRange,
    /// Whether it is good to let the other player win the bid.
    pub lower: bool,
    /// Whether it is good to bid the same.
    pub equal: bool,
    /// The good winning bids; those above the other player's bid are good answers.
    pub higher: Vec<BidRange>,
}

/// Advice for one player; where a player moves without a bid, only moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Advice {
    /// All best bids, ascending; in a parity game the bid of one plan, and none where a player
    /// moves without a bid. For a player who answers: the good answers to every bid.
    pub bids: Vec<BidRange>,
    /// For a player who answers: the good answers to each bid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<BidReply>,
    /// For the star's holder, whether to use it in a tie at a best bid. False if no tie can happen;
    /// null if the holder does not decide, or if it depends on the bid (`star_by_bid`).
    pub use_star: Option<bool>,
    /// If this depends on the bid: the advice at each bid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub star_by_bid: Vec<StarAdvice>,
    /// The moves that are best after every best bid, whenever this player moves; none if they
    /// depend on the bid.
    pub moves: Vec<String>,
    /// If a cheaper best bid leaves more good moves: the best moves after each bid. If there are
    /// none after a bid, let the other player move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves_by_bid: Vec<MovesAfter>,
    /// Whether to let the other player move after winning the bid; `moves` are then for being made
    /// to move.
    pub let_other_move: bool,
    /// The advice after using the star, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_tie: Option<AfterTie>,
    /// The best moves when the other player wins the bid and makes this player move, if they
    /// differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made_to_move: Vec<String>,
    /// The same, if no move is best after every bid of the other player: for each bid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made_to_move_by_bid: Vec<MovesAfterLoss>,
    /// The bids of a player who can force a win that win in the fewest moves; null for a player who
    /// answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fastest: Option<Vec<BidRange>>,
}

impl Advice {
    /// Whether the advice after winning depends on the bid, as in [`Advice::moves_by_bid`].
    pub fn depends_on_bid(&self) -> bool {
        self.moves.is_empty() && !self.let_other_move && !self.moves_by_bid.is_empty()
    }
}

/// Advice for `player` at a position in the game's notation, who holds `own` against `other`;
/// `None` if the game is over, or only the other player moves, without a bid.
///
/// If the solution is truncated after `within` moves, the advice counts down the moves left.
///
/// # Errors
/// [`Error::BadPosition`] if the text is not a position, or one not reachable from the start.
pub fn advise(
    unfolding: &dyn Unfolding,
    solution: &dyn Forces,
    position: &str,
    player: Player,
    own: Holding,
    other: Holding,
    within: Option<u32>,
) -> Result<Option<Advice>, Error> {
    let adviser = Adviser::new(unfolding, solution, position, player, own, other, within)?;
    let Some(adviser) = adviser else { return Ok(None) };
    if let Some(owner) = adviser.owner {
        let moves = || Advice { moves: names(&adviser.good_moves(&[adviser.state()])), ..Advice::default() };
        return Ok((owner == player).then(moves));
    }
    let mut advice = adviser.advice();
    if matches!(adviser.aim, Aim::Win { .. }) && !adviser.answers() {
        advice.fastest = Some(adviser.fastest().turn().good_bids());
    }
    Ok(Some(advice))
}

/// Advice for a player who can force a win or a draw in a game where no position repeats. `moves`
/// are the player's own and the other's. The length of the win may be unknown.
pub(crate) fn advise_here(
    [own_moves, other_moves]: [Vec<Move>; 2],
    solution: &dyn Forces,
    node: Node,
    player: Player,
    own: Holding,
    other: Holding,
) -> Advice {
    let aim = match solution.wins_in(player, node, own, other) {
        Some(rank) => Aim::Win { rank },
        None => Aim::Hold,
    };
    let leaves = Box::new(|_| true);
    Adviser { solution, player, own, other, owner: None, own_moves, other_moves, leaves, left: u32::MAX, aim }.advice()
}

/// The requirement that makes the next position good.
#[derive(Clone, Copy)]
enum Aim {
    /// Still won, and nearer to the win if positions can repeat. `rank`: the moves to the win now.
    Win { rank: u32 },
    /// Won in at most this many moves.
    Within { moves: u32 },
    /// Not lost, whatever the other player does.
    Hold,
    /// Lost as late as possible, with as few chips missing as possible. `moves`: the moves that the
    /// player can hold out now. `missing`: the chips that the other player would have to lose.
    Delay { moves: u32, missing: u32 },
}

/// The player's chips, the other's chips, and whether the player has the star.
type HoldingsState = (u32, u32, bool);

/// One player in one state, with a goal.
pub(crate) struct Adviser<'a> {
    solution: &'a dyn Forces,
    player: Player,
    own: Holding,
    other: Holding,
    /// The player who moves there without a bid.
    pub(crate) owner: Option<Player>,
    own_moves: Vec<Move>,
    other_moves: Vec<Move>,
    /// Whether play at a position can never come back.
    leaves: Box<dyn Fn(Node) -> bool + 'a>,
    left: u32,
    aim: Aim,
}

impl<'a> Adviser<'a> {
    /// `None` if the game is over. Positions folded into one have moves with different names, so
    /// advice is about a position, not a node.
    pub(crate) fn new(
        unfolding: &'a dyn Unfolding,
        solution: &'a dyn Forces,
        position: &str,
        player: Player,
        own: Holding,
        other: Holding,
        within: Option<u32>,
    ) -> Result<Option<Adviser<'a>>, Error> {
        let node = unfolding.node(position)?;
        if unfolding.arena().terminal(node).is_some() || within == Some(0) {
            return Ok(None);
        }
        let moves = within.unwrap_or(u32::MAX);
        let aim = match solution.wins_in(player, node, own, other) {
            Some(rank) if rank <= moves => Aim::Win { rank },
            _ if solution.holds_for(moves, player, node, own, other) => Aim::Hold,
            _ => {
                let holds = |moves| solution.holds_for(moves, player, node, own, other);
                Aim::Delay { moves: lost::held_out(holds), missing: u32::MAX }
            }
        };
        let components = unfolding.arena().components();
        let moves = |player| -> Result<Vec<Move>, Error> {
            Ok(unfolding.steps(position, player)?.into_iter().map(|step| step.step).collect())
        };
        let mut adviser = Adviser {
            solution,
            player,
            own,
            other,
            owner: unfolding.arena().owner(node),
            own_moves: moves(player)?,
            other_moves: moves(player.other())?,
            leaves: Box::new(move |to| components.component(to) != components.component(node)),
            left: within.map_or(u32::MAX, |moves| moves - 1),
            aim,
        };
        adviser.miss_least();
        Ok(Some(adviser))
    }

    /// The same, with wins in the fewest moves.
    pub(crate) fn fastest(self) -> Self {
        match self.aim {
            Aim::Win { rank } => Adviser { aim: Aim::Within { moves: rank - 1 }, ..self },
            _ => self,
        }
    }

    /// The state before the bid.
    fn state(&self) -> HoldingsState {
        (self.own.chips(), self.other.chips(), self.own.has_star())
    }

    fn holdings(&self, (own, other, star): HoldingsState) -> Option<[Holding; 2]> {
        let has_star = self.solution.mechanism().has_star();
        Some([Holding::new(own, has_star && star).ok()?, Holding::new(other, has_star && !star).ok()?])
    }

    fn good(&self, to: Node, state: HoldingsState) -> bool {
        let Some([own, other]) = self.holdings(state) else { return false };
        let within = |rank: Option<u32>, moves: u32| rank.is_some_and(|rank| rank <= moves.min(self.left));
        let won = || self.solution.wins_in(self.player, to, own, other);
        let holds_for = |moves: u32| self.solution.holds_for(moves.min(self.left), self.player, to, own, other);
        match self.aim {
            Aim::Win { rank } => within(won(), if (self.leaves)(to) { u32::MAX } else { rank - 1 }),
            Aim::Within { moves } => within(won(), moves),
            Aim::Hold => holds_for(u32::MAX),
            Aim::Delay { moves, missing } => (moves == 0 || holds_for(moves - 1)) && self.is_enough(missing, to, state),
        }
    }

    fn answers(&self) -> bool {
        self.solution.mechanism().bidding.answers(self.player)
    }

    /// The moves that are good in all these states.
    pub(crate) fn good_moves(&self, states: &[HoldingsState]) -> Vec<&Move> {
        let is_good = |step: &&Move| states.iter().all(|&state| self.good(step.to, state));
        let good: Vec<&Move> = self.own_moves.iter().filter(is_good).collect();
        if matches!(self.aim, Aim::Delay { .. }) { self.hardest(good, states) } else { good }
    }

    pub(crate) fn may_move(&self, state: HoldingsState) -> bool {
        self.own_moves.iter().any(|step| self.good(step.to, state))
    }

    pub(crate) fn may_let(&self, state: HoldingsState) -> bool {
        self.other_moves.iter().all(|step| self.good(step.to, state))
    }

    fn chooses(&self) -> bool {
        self.solution.mechanism().right.may_let()
    }

    pub(crate) fn turn(&self) -> Turn<'_, impl Acceptance> {
        let mechanism = self.solution.mechanism();
        let content = move |won, own, other, star| {
            let state = (own, other, star);
            mechanism.right.sees_to(won, |is_own| if is_own { self.may_move(state) } else { self.may_let(state) })
        };
        let (own, other, star) = self.state();
        Turn { mechanism, player: self.player, own, other, star, content }
    }

    /// Whether the player can reach the goal.
    fn is_content(&self) -> bool {
        match self.owner {
            None => self.turn().is_content(),
            Some(owner) if owner == self.player => self.may_move(self.state()),
            Some(_) => self.may_let(self.state()),
        }
    }

    fn advice(&self) -> Advice {
        let turn = self.turn();
        let mechanism = self.solution.mechanism();
        let decides = mechanism.ties.holder_decides() && turn.holds_tie();
        let bids = turn.good_bids();
        // The bids that the player may win with, lose to and equal when following the advice.
        let (wins, losses, ties) = if self.answers() {
            (turn.bids_to_win_with(), turn.bids_to_lose_to(), turn.bids_to_equal())
        } else {
            let lowest: Vec<u32> = bids.first().map(|range| range[0]).into_iter().collect();
            let outbid = lowest.iter().flat_map(|&bid| turn.replies_above(bid)).collect();
            (bids.clone(), outbid, clip(&bids, turn.other))
        };
        let tied = if decides { star_by_bid(&turn, &ties) } else { Vec::new() };
        let used = if decides {
            tied.iter().filter(|run| run.use_star).map(|run| run.bids[1]).max()
        } else {
            ties.last().map(|range| range[1]).filter(|_| turn.ties().any(|end| end == (self.player, StarUse::Used)))
        };
        // Whether winning at a bid is like winning outright, not only a tie that costs the star.
        let outright = |bid: u32| turn.can_outbid(bid) || self.wins_tie_as_outright(&turn, bid);

        // The tightest holdings after winning the bid: outright, and by using the star.
        let states = |bids: &[BidRange]| -> Vec<u32> {
            if mechanism.is_ordered_by_chips() {
                bids.last().map(|range| range[1]).into_iter().collect()
            } else {
                each(bids)
            }
        };
        let most: Vec<HoldingsState> = states(&wins)
            .into_iter()
            .filter(|&bid| outright(bid))
            .map(|bid| turn.holdings_won(bid, StarUse::Kept))
            .collect();
        let outright = (!most.is_empty()).then(|| self.follow_up(&most));
        let by_star = used.map(|bid| self.follow_up(&[turn.holdings_won(bid, StarUse::Used)]));
        let can_win = outright.is_some() || by_star.is_some();
        let (after_win, after_tie) = match (outright, by_star) {
            (Some(outright), Some(by_star)) => match outright.joined(&by_star) {
                Some(joined) => (Some(joined), None),
                None => (Some(outright), Some(by_star)),
            },
            (one, two) => (one.or(two), None),
        };
        let after_win = after_win.unwrap_or(FollowUp { moves: Vec::new(), let_other_move: false });
        let forced_to = |by_bid| self.made_to_move(&turn, &losses, &ties, &tied, by_bid);
        let forced = forced_to(false).into_iter().next().map_or_else(Vec::new, |after| after.moves);
        let made_to_move_by_bid = if forced.is_empty() { forced_to(true) } else { Vec::new() };
        let is_forced = after_win.moves.is_empty() && (after_win.let_other_move || !can_win);
        let moves_by_bid = if after_win.let_other_move { Vec::new() } else { self.moves_by_bid(&turn, &wins, &tied) };
        let moves = if is_forced { forced.clone() } else { best_after_all(names(&after_win.moves), &moves_by_bid) };
        Advice {
            bids,
            answers: if self.answers() { self.answers_to(&turn, &wins) } else { Vec::new() },
            use_star: match tied.as_slice() {
                _ if !decides => None,
                [] => Some(false),
                [run] => Some(run.use_star),
                _ => None,
            },
            star_by_bid: if tied.len() > 1 { tied } else { Vec::new() },
            made_to_move: match moves.iter().all(|name| forced.contains(name)) {
                true if !moves.is_empty() => Vec::new(),
                _ => forced,
            },
            made_to_move_by_bid,
            moves,
            moves_by_bid,
            let_other_move: after_win.let_other_move,
            after_tie: after_tie
                .map(|follow| AfterTie { moves: names(&follow.moves), let_other_move: follow.let_other_move }),
            fastest: None,
        }
    }

    /// Whether winning a tie at `bid` leaves the same holdings as winning outright.
    fn wins_tie_as_outright(&self, turn: &Turn<impl Acceptance>, bid: u32) -> bool {
        // With ties `advantage`, the other player may keep the star.
        bid <= turn.other && turn.ties().any(|end| end == (self.player, StarUse::Kept))
    }

    /// The moves for a player whom the other, after winning the bid, makes to move; none if the
    /// other may not. They must be good after losing to the least bid that may win, which leaves
    /// the player poorest, and after a lost tie. Returns one list, or one for each case.
    fn made_to_move(
        &self,
        turn: &Turn<impl Acceptance>,
        losses: &[BidRange],
        ties: &[BidRange],
        tied: &[StarAdvice],
        by_bid: bool,
    ) -> Vec<MovesAfterLoss> {
        let ordered = turn.mechanism.is_ordered_by_chips();
        // The equivalent bids, and the one that leaves the player poorest.
        let least = |bids: &[BidRange]| -> Vec<(BidRange, u32)> {
            match (ordered, bids) {
                (_, []) => Vec::new(),
                (true, [first, ..]) => vec![([first[0], bids[bids.len() - 1][1]], first[0])],
                (false, _) => each(bids).into_iter().map(|bid| ([bid; 2], bid)).collect(),
            }
        };
        if !self.chooses() {
            return Vec::new();
        }
        let outbid = least(losses).into_iter();
        let mut cases: Vec<(BidRange, bool, HoldingsState)> =
            outbid.map(|(bids, bid)| (bids, false, turn.holdings_lost(bid, StarUse::Kept))).collect();
        let kept: Vec<_> = tied.iter().filter(|run| !run.use_star).map(|run| run.bids).collect();
        // A player who decides ties loses those in which they keep the star.
        let ties = if turn.mechanism.ties.holder_decides() && turn.holds_tie() { &kept } else { ties };
        for (_, used) in turn.ties().filter(|(winner, _)| *winner != self.player) {
            cases.extend(least(ties).into_iter().map(|(bids, bid)| (bids, true, turn.holdings_lost(bid, used))));
        }
        let after = |(bids, tied, state): (BidRange, bool, HoldingsState)| {
            let moves = names(&self.good_moves(&[state]));
            MovesAfterLoss { bids, tied, moves }
        };
        match &cases[..] {
            [] => Vec::new(),
            _ if by_bid => cases.into_iter().map(after).collect(),
            &[(bids, tied, _), ..] => {
                let states: Vec<HoldingsState> = cases.iter().map(|(_, _, state)| *state).collect();
                vec![MovesAfterLoss { bids, tied, moves: names(&self.good_moves(&states)) }]
            }
        }
    }

    fn answers_to(&self, turn: &Turn<impl Acceptance>, higher: &[BidRange]) -> Vec<BidReply> {
        let mut answers: Vec<BidReply> = Vec::new();
        for [first, last] in turn.replies() {
            let lower = turn.is_answered_lower(first);
            let equal = turn.is_answered_equally(first);
            let above = higher.iter().filter(|range| range[1] > first);
            let higher: Vec<BidRange> = above.map(|&[low, high]| [low.max(first + 1), high]).collect();
            let tail = |ranges: &[BidRange]| ranges.last().map(|range| range[1]);
            match answers.last_mut() {
                Some(previous)
                    if previous.lower == lower
                        && previous.equal == equal
                        && tail(&previous.higher) == tail(&higher)
                        && previous.higher.len() == higher.len() =>
                {
                    previous.to[1] = last;
                }
                _ => answers.push(BidReply { to: [first, last], lower, equal, higher }),
            }
        }
        answers
    }

    /// For every best bid, the moves that are good however the player wins with it; empty if they
    /// never differ.
    fn moves_by_bid(&self, turn: &Turn<impl Acceptance>, bids: &[BidRange], tied: &[StarAdvice]) -> Vec<MovesAfter> {
        // For each kind of win, a move stays good up to some bid; between two such limits nothing
        // changes.
        let limit = |step: &Move, used: StarUse| {
            partition(turn.own + 1, |bid| self.good(step.to, turn.holdings_won(bid, used)))
        };
        let mut breakpoints: Vec<u32> = if turn.mechanism.is_ordered_by_chips() {
            self.own_moves
                .iter()
                .flat_map(|step| [StarUse::Kept, StarUse::Used].map(|used| limit(step, used)))
                .collect()
        } else {
            each(bids)
        };
        breakpoints.push(1); // a bid of 0 cannot win outright
        breakpoints.push(turn.other + 1); // there are no ties above
        breakpoints.extend(bids.iter().flat_map(|range| [range[0], range[1] + 1]));
        breakpoints.extend(tied.iter().flat_map(|run| [run.bids[0], run.bids[1] + 1]));
        breakpoints.sort_unstable();
        breakpoints.dedup();
        let mut found: Vec<MovesAfter> = Vec::new();
        for pair in breakpoints.windows(2) {
            let (first, last) = (pair[0], pair[1] - 1);
            if !bids.iter().any(|range| range[0] <= first && first <= range[1]) {
                continue;
            }
            let by_star = if turn.mechanism.ties.holder_decides() {
                tied.iter().any(|run| run.use_star && run.bids[0] <= first && first <= run.bids[1])
            } else {
                first <= turn.other && turn.ties().any(|end| end == (self.player, StarUse::Used))
            };
            let outright = turn.can_outbid(first) || self.wins_tie_as_outright(turn, first);
            let mut states: Vec<HoldingsState> = Vec::new();
            states.extend(outright.then(|| turn.holdings_won(first, StarUse::Kept)));
            states.extend(by_star.then(|| turn.holdings_won(first, StarUse::Used)));
            if states.is_empty() {
                continue;
            }
            let moves = names(&self.good_moves(&states));
            match found.last_mut() {
                Some(previous) if previous.moves == moves && previous.bids[1] + 1 == first => previous.bids[1] = last,
                _ => found.push(MovesAfter { bids: [first, last], moves }),
            }
        }
        if found.windows(2).all(|pair| pair[0].moves == pair[1].moves) { Vec::new() } else { found }
    }

    fn follow_up(&self, states: &[HoldingsState]) -> FollowUp<'_> {
        let moves = self.good_moves(states);
        let let_other_move = moves.is_empty() && self.chooses() && states.iter().all(|&state| self.may_let(state));
        FollowUp { moves, let_other_move }
    }
}

fn clip(ranges: &[BidRange], most: u32) -> Vec<BidRange> {
    let below = ranges.iter().filter(|range| range[0] <= most);
    below.map(|range| [range[0], range[1].min(most)]).collect()
}

/// Every number of `ranges`. Used only if the allowed bids are listed, so they are few.
fn each(ranges: &[BidRange]) -> Vec<u32> {
    ranges.iter().flat_map(|range| range[0]..=range[1]).collect()
}

/// Of these moves, those that are best after every bid, if there are any.
fn best_after_all(moves: Vec<String>, by_bid: &[MovesAfter]) -> Vec<String> {
    let is_always = |name: &&String| by_bid.iter().all(|after| after.moves.contains(name));
    let always: Vec<String> = moves.iter().filter(is_always).cloned().collect();
    if always.is_empty() { moves } else { always }
}

fn names(moves: &[&Move]) -> Vec<String> {
    moves.iter().map(|step| step.name.clone()).collect()
}

struct FollowUp<'a> {
    moves: Vec<&'a Move>,
    let_other_move: bool,
}

impl<'a> FollowUp<'a> {
    /// The follow-up that is right in both cases.
    fn joined(&self, other: &FollowUp<'a>) -> Option<FollowUp<'a>> {
        let others: HashSet<(&str, Node)> = other.moves.iter().map(|step| (step.name.as_str(), step.to)).collect();
        let both = |step: &&Move| others.contains(&(step.name.as_str(), step.to));
        let moves: Vec<&Move> = self.moves.iter().copied().filter(both).collect();
        let let_other_move = self.let_other_move && other.let_other_move;
        (!moves.is_empty() || let_other_move).then_some(FollowUp { moves, let_other_move })
    }
}

/// For the star's holder: whether to use it in each of these ties. If both are right, it is used
/// [DP10, proposition 3.4].
fn star_by_bid(turn: &Turn<impl Acceptance>, ties: &[BidRange]) -> Vec<StarAdvice> {
    let mut runs: Vec<StarAdvice> = Vec::new();
    for &[first, last] in ties {
        let mut add = |run: std::ops::Range<u32>, use_star: bool| match runs.last_mut() {
            _ if run.is_empty() => {}
            Some(previous) if previous.use_star == use_star => previous.bids[1] = run.end - 1,
            _ => runs.push(StarAdvice { bids: [run.start, run.end - 1], use_star }),
        };
        if !turn.mechanism.is_ordered_by_chips() {
            (first..=last).for_each(|bid| add(bid..bid + 1, turn.star_used(bid)));
            continue;
        }
        // Using the star is right up to some bid, and keeping it from some bid on.
        let kept_from = first + partition(last + 1 - first, |more| turn.star_used(first + more));
        add(first..kept_from, true);
        add(kept_from..last + 1, false);
    }
    runs
}
