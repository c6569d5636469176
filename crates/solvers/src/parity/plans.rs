//! How both players win from their thresholds.
//!
//! **Method.** A player with more than the threshold sets the surplus aside and plays as with
//! exactly the threshold. The state is then the position and the star. The surplus never decreases
//! and is bounded, so from some turn on it is constant. All bids that keep to the thresholds and
//! all replies make a parity game in which one player moves at a time ([`ChoiceGame`]), won at once
//! where the surplus grows; its winning choices are the plans.

use richman_core::{
    AfterBid, BidEnd, BidResult, Bidding, ByPlayer, Effort, Error, Mechanism, Node, NodeData, ParityArena, ParityPlan,
    ParitySolution, Player, Threshold, Turn,
};

use super::turns::{ChoiceGame, NOWHERE};
use super::{nobody_bids, without_bids};

/// For each position, the plan without the star and the one with it; `None` where the player has
/// won, where no holding wins, where the other player moves without a bid, and for a star that does
/// not exist.
pub type ParityPlans = Vec<[Option<ParityPlan>; 2]>;

/// Finds out how both players win from their thresholds.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism asks for answers to a bid in place of a bid, or if the
/// thresholds alone do not carry a plan; [`Error::TooMuchMemory`]; [`Error::OutOfTime`].
pub fn plans(arena: &ParityArena, solution: &ParitySolution, effort: &Effort) -> Result<ByPlayer<ParityPlans>, Error> {
    let sealed = Mechanism { bidding: Bidding::Sealed, ..solution.mechanism.clone() };
    if !sealed.is_determined() {
        return Err(Error::unsupported(
            format!("plans for play that never ends with ties {}", solution.mechanism.ties),
            "other ties, under which a bid can be named in advance",
        ));
    }
    if nobody_bids(arena) {
        return without_bids(arena, effort)?.plans(arena, solution);
    }
    let of = |player| Planner::new(arena, solution, player).plans(effort);
    Ok(ByPlayer::new(of(Player::Alice)?, of(Player::Bob)?))
}

struct Planner<'a> {
    arena: &'a ParityArena,
    solution: &'a ParitySolution,
    player: Player,
    needed: Vec<Threshold>,
    game: ChoiceGame,
    /// The position of a growing surplus.
    gain: u32,
    /// In the order of their positions in `game`.
    bids: Vec<PlannedBid>,
}

/// A bid, and its position in the game.
struct PlannedBid {
    at: u32,
    bid: u32,
    wins_tie: bool,
    /// The player's choice after each end of the bid.
    choices: [PlannedChoice; BidEnd::ALL.len()],
}

/// A player's choice after a bid.
#[derive(Clone, Copy)]
enum PlannedChoice {
    Nothing,
    /// The player goes there and the surplus grows.
    Gain(Node),
    /// The choice at this position of the game.
    At(u32),
}

impl<'a> Planner<'a> {
    fn new(arena: &'a ParityArena, solution: &'a ParitySolution, player: Player) -> Self {
        let mut game = ChoiceGame::default();
        for node in arena.nodes() {
            let priority = match arena.data(node) {
                NodeData::On(label) => label.priority.0 + u32::from(player == Player::Bob),
                NodeData::End(_) => 0,
            };
            for _ in 0..2 {
                game.add(true, priority);
            }
        }
        let gain = game.add(true, 0);
        game.lead(gain, [gain]);
        let needed = arena.nodes().map(|node| solution.needed(player, node)).collect();
        Planner { arena, solution, player, needed, game, gain, bids: Vec::new() }
    }

    fn plans(mut self, effort: &Effort) -> Result<ParityPlans, Error> {
        for node in self.arena.nodes() {
            if node.is_multiple_of(1 << 10) {
                effort.check_time("finding a strategy")?;
                effort.check_memory("finding a strategy", 5 * self.game.bytes())?;
            }
            for star in [false, true] {
                self.state(node, star);
            }
        }
        let (won, choices) = self.game.solve(effort)?;
        let plan = |node: Node, star: bool| {
            let at = state(node, star);
            let Some(own) = self.chips(node, star).filter(|_| self.arena.terminal(node).is_none()) else {
                return Ok(None);
            };
            let owner = self.arena.owner(node);
            if !won[at as usize] {
                return Err(Error::unsupported(
                    format!("plans of {} from the threshold at position {node}", self.player),
                    "games in which the thresholds alone carry a plan",
                ));
            }
            if let Some(owner) = owner {
                let chosen = choices[at as usize];
                let gains = |to: &&Node| self.reached(**to, own, star) == self.gain;
                let to = match chosen == self.gain {
                    true => self.arena.moves(node, owner).iter().find(gains).copied().unwrap_or_default(),
                    false => chosen / 2,
                };
                let after = [Some(AfterBid::Moves(to)), None, None, None];
                return Ok((owner == self.player).then_some(ParityPlan { bid: 0, wins_tie: false, after }));
            }
            let index = self.bids.partition_point(|bid| bid.at < choices[at as usize]);
            Ok(Some(self.bids[index].plan(&choices, 2 * self.arena.len() as u32)))
        };
        self.arena.nodes().map(|node| Ok([plan(node, false)?, plan(node, true)?])).collect()
    }

    /// The player's chips at the threshold, if some holding wins.
    fn chips(&self, node: Node, star: bool) -> Option<u32> {
        let Threshold { plain, star: with } = self.needed[node as usize];
        let is_state = !star || self.solution.mechanism.has_star();
        Some(if star { with } else { plain }).filter(|&chips| is_state && chips <= self.solution.total.chips())
    }

    /// Chips above the threshold at `to`; `None` below it.
    fn left(&self, to: Node, chips: u32, star: bool) -> Option<u32> {
        let Threshold { plain, star: with } = self.needed[to as usize];
        chips.checked_sub(if star { with } else { plain })
    }

    /// The position of the game for `to` with `chips`.
    fn reached(&self, to: Node, chips: u32, star: bool) -> u32 {
        if self.left(to, chips, star) == Some(0) { state(to, star) } else { self.gain }
    }

    /// Adds the moves at a threshold of a position without bids.
    fn owned(&mut self, node: Node, star: bool, own: u32, owner: Player) {
        let to = self.arena.moves(node, owner).iter().filter(|&&to| self.left(to, own, star).is_some());
        let to: Vec<u32> = to.map(|&to| self.reached(to, own, star)).collect();
        let at = state(node, star);
        if owner != self.player {
            self.game.hand_over(at);
        }
        self.game.lead(at, to);
    }

    /// Adds the bids at a threshold, and the possible replies.
    fn state(&mut self, node: Node, star: bool) {
        let Some(own) = self.chips(node, star) else { return };
        let at = state(node, star);
        if self.arena.terminal(node).is_some() {
            return self.game.lead(at, [at]);
        }
        if let Some(owner) = self.arena.owner(node) {
            return self.owned(node, star, own, owner);
        }
        let by = |chips: u32, star: bool, own: bool| {
            let mover = if own { self.player } else { self.player.other() };
            let mut met = self.arena.moves(node, mover).iter().map(|&to| self.left(to, chips, star).is_some());
            if own { met.any(|met| met) } else { met.all(|met| met) }
        };
        let mechanism = &self.solution.mechanism;
        let content =
            |won: bool, chips: u32, _: u32, star: bool| mechanism.right.sees_to(won, |own| by(chips, star, own));
        let turn =
            Turn { mechanism, player: self.player, own, other: self.solution.total.chips() - own, star, content };
        let decides = turn.holds_tie() && turn.ties().count() > 1;
        let (mut options, mut found) = (Vec::new(), Vec::new());
        for bid in turn.good_bids().into_iter().flat_map(|[first, last]| first..=last) {
            let results = turn.results(bid);
            let ties: &[bool] = if decides { &[true, false] } else { &[true] };
            for &wins_tie in ties {
                let kept = |one: &&BidResult| !(decides && one.end.is_tie() && one.end.is_won() != wins_tie);
                let kept: Vec<BidResult> = results.iter().filter(kept).copied().collect();
                if kept.iter().all(|one| (turn.content)(one.end.is_won(), one.chips, 0, one.star)) {
                    options.push((bid, wins_tie, kept));
                }
            }
        }
        for (bid, wins_tie, results) in options {
            let mut choices = [PlannedChoice::Nothing; BidEnd::ALL.len()];
            let mut ends = Vec::new();
            for result in results {
                let (at, choice) = self.after(node, result);
                choices[result.end as usize] = choice;
                ends.push(at);
            }
            let at = self.game.add(false, 0);
            self.game.lead(at, ends);
            self.bids.push(PlannedBid { at, bid, wins_tie, choices });
            found.push(at);
        }
        self.game.lead(at, found);
    }

    /// Adds the continuation after an end of a bid; returns its position and the player's choice.
    fn after(&mut self, node: Node, BidResult { end, chips, star }: BidResult) -> (u32, PlannedChoice) {
        let (arena, right) = (self.arena, self.solution.mechanism.right);
        let left = |to: Node| self.left(to, chips, star);
        let (own, others) = (arena.moves(node, self.player), arena.moves(node, self.player.other()));
        let best = own.iter().copied().filter(|&to| left(to) > Some(0)).max_by_key(|&to| left(to));
        let mut choices: Vec<u32> = own.iter().filter(|&&to| left(to) == Some(0)).map(|&to| state(to, star)).collect();
        let are_met = others.iter().all(|&to| left(to).is_some());
        let others: Vec<u32> = others.iter().map(|&to| self.reached(to, chips, star)).collect();
        if end.is_won() && right.may_let() && are_met && best.is_none() {
            choices.push(self.lead(false, others.iter().copied()));
        }
        let mut choose = || match best {
            Some(to) => (self.gain, PlannedChoice::Gain(to)),
            None => {
                let at = self.lead(true, choices.iter().copied());
                (at, PlannedChoice::At(at))
            }
        };
        if end.is_won() {
            return choose();
        }
        let (own, choice) = if right.may_let() { choose() } else { (NOWHERE, PlannedChoice::Nothing) };
        let all = others.into_iter().chain([own]).filter(|&at| at != NOWHERE);
        (self.lead(false, all), choice)
    }

    /// Adds a position with successors `to`.
    fn lead(&mut self, is_own: bool, to: impl IntoIterator<Item = u32>) -> u32 {
        let at = self.game.add(is_own, 0);
        self.game.lead(at, to);
        at
    }
}

/// The number of a position with or without the star.
fn state(node: Node, star: bool) -> u32 {
    2 * node + u32::from(star)
}

impl PlannedBid {
    /// The plan by these choices, where the first `states` positions are states.
    fn plan(&self, choices: &[u32], states: u32) -> ParityPlan {
        let after = self.choices.map(|choice| {
            let to = match choice {
                PlannedChoice::Nothing => return None,
                PlannedChoice::Gain(to) => return Some(AfterBid::Moves(to)),
                PlannedChoice::At(at) => choices[at as usize],
            };
            Some(if to < states { AfterBid::Moves(to / 2) } else { AfterBid::Lets })
        });
        ParityPlan { bid: self.bid, wins_tie: self.wins_tie, after }
    }
}
