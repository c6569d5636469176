//! A line of best play: both players follow the advice, the winner wins as fast as possible, and
//! the other holds out as long as certain.

use std::collections::HashSet;

use richman_core::{ByPlayer, Forces, Holding, Player, StarUse, Step, Terminal, higher_bid};
use schemars::JsonSchema;
use serde::Serialize;

use crate::advice::Adviser;
use crate::json::PlayerWord;
use crate::{Error, HoldingJson, Request};

const MOST_TURNS: usize = 1000;

/// One turn of the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceTurn {
    /// The position before the turn, in the game's notation.
    pub position: String,
    /// Alice's holding before the turn.
    pub alice: HoldingJson,
    /// Bob's holding before the turn.
    pub bob: HoldingJson,
    /// Alice's bid, null if she has none, and where one player moves without a bid.
    pub alice_bids: Option<u32>,
    /// Bob's bid, null if he has none, and where one player moves without a bid.
    pub bob_bids: Option<u32>,
    /// In a tie, whether the star was used to win it; null without a tie or a star.
    pub star_used: Option<bool>,
    /// Who won the bid, or moves without one.
    #[serde(serialize_with = "crate::json::player")]
    #[schemars(with = "PlayerWord")]
    pub winner: Player,
    /// Who moved.
    #[serde(serialize_with = "crate::json::player")]
    #[schemars(with = "PlayerWord")]
    pub mover: Player,
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
}

/// The end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceEnd {
    /// Alice has won.
    Alice,
    /// Bob has won.
    Bob,
    /// The game ended in a draw, or the limit of moves was reached.
    Draw,
    /// A position came back with the same holdings, so the line would go on forever: a draw.
    Repeats,
    /// Too long to print.
    Long,
}

/// A line of best play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Trace {
    /// Its turns.
    pub turns: Vec<TraceTurn>,
    /// How it ends.
    pub end: TraceEnd,
    /// The last position.
    pub position: String,
}

/// The line of best play from the start with these holdings. Among equally good bids and moves it
/// takes the least bid and the first move.
///
/// # Errors
/// [`Error::Core`] if the game cannot read its own notation: a bug.
pub fn trace(request: &Request, forces: &dyn Forces, alice: Holding, bob: Holding) -> Result<Trace, Error> {
    let unfolding = request.unfolding;
    let mut line = Line { request, forces, position: request.position(), hands: ByPlayer::new(alice, bob) };
    let mut turns = Vec::new();
    let mut seen = HashSet::new();
    let mut left = request.effort.within;
    let end = loop {
        let node = unfolding.node(&line.position)?;
        match unfolding.arena().terminal(node) {
            Some(Terminal::Win(Player::Alice)) => break TraceEnd::Alice,
            Some(Terminal::Win(Player::Bob)) => break TraceEnd::Bob,
            Some(Terminal::Draw) => break TraceEnd::Draw,
            None if left == Some(0) => break TraceEnd::Draw,
            None if left.is_none() && !seen.insert((line.position.clone(), line.hands)) => break TraceEnd::Repeats,
            None if turns.len() == MOST_TURNS => break TraceEnd::Long,
            None => match line.turn(left)? {
                Some(turn) => turns.push(turn),
                None => break TraceEnd::Draw,
            },
        }
        left = left.map(|moves| moves - 1);
    };
    Ok(Trace { turns, end, position: line.position })
}

struct Line<'a> {
    request: &'a Request<'a>,
    forces: &'a dyn Forces,
    position: String,
    hands: ByPlayer<Holding>,
}

impl Line<'_> {
    fn turn(&mut self, left: Option<u32>) -> Result<Option<TraceTurn>, Error> {
        let mechanism = self.forces.mechanism();
        let adviser = |player| {
            let [own, other] = self.hands.own_first(player);
            Adviser::new(self.request.unfolding, self.forces, &self.position, player, own, other, left)
        };
        let advisers = (adviser(Player::Alice)?, adviser(Player::Bob)?);
        let (Some(alice), Some(bob)) = advisers else { return Ok(None) };
        let (alice, bob) = (alice.fastest(), bob.fastest());
        let advisers = ByPlayer { alice, bob };
        if let Some(owner) = advisers.alice.owner {
            return self.moved(&advisers, [owner; 2], ByPlayer::both(None), None, self.hands);
        }
        let first = mechanism.bidding.first().unwrap_or(Player::Alice);
        let second = first.other();
        let mut bids = ByPlayer::both(None);
        bids[first] = advisers[first].bid();
        bids[second] = match bids[first].filter(|_| mechanism.bidding.answers(second)) {
            None => advisers[second].bid(),
            Some(named) => advisers[second].answer(named),
        };
        let star = if self.hands.alice.has_star() { Player::Alice } else { Player::Bob };
        let used = match bids {
            ByPlayer { alice: Some(bid), bob: Some(reply) } if bid == reply => {
                let holder = &advisers[mechanism.ties.holder(star)];
                if let &[used] = mechanism.ties.uses() { used } else { Some(StarUse::of(holder.turn().star_used(bid))) }
            }
            _ => None,
        };
        let winner = mechanism.ties.resolve(higher_bid(bids), star, used).winner;
        let paid = bids[winner].unwrap_or(0);
        let (own, other, star) = advisers[winner].turn().holdings_won(paid, used.unwrap_or(StarUse::Kept));
        let has_star = |player: Player| mechanism.has_star() && (star == (player == winner));
        let after = Player::BOTH.map(|player| {
            let chips = if player == winner { own } else { other };
            Holding::new(chips, has_star(player))
        });
        let [alice, bob] = after;
        let after = ByPlayer::new(alice?, bob?);
        let decides = &advisers[winner];
        let state = |player: Player| (after[player].chips(), after[player.other()].chips(), after[player].has_star());
        let lets = mechanism.right.may_let() && !decides.may_move(state(winner)) && decides.may_let(state(winner));
        let mover = if lets { winner.other() } else { winner };
        self.moved(&advisers, [winner, mover], bids, used.map(StarUse::is_used), after)
    }

    /// Makes the mover's first good move, with the holdings after the bids; `None` without a move.
    fn moved(
        &mut self,
        advisers: &ByPlayer<Adviser>,
        [winner, mover]: [Player; 2],
        bids: ByPlayer<Option<u32>>,
        used: Option<bool>,
        after: ByPlayer<Holding>,
    ) -> Result<Option<TraceTurn>, Error> {
        let steps = self.request.unfolding.steps(&self.position, mover)?;
        let [own, other] = after.own_first(mover);
        let good = advisers[mover].good_moves(&[(own.chips(), other.chips(), own.has_star())]);
        let is_good = |step: &&Step| good.iter().any(|good| good.to == step.step.to);
        let Some(step) = steps.iter().find(is_good).or(steps.first()) else { return Ok(None) };
        let turn = TraceTurn {
            position: self.position.clone(),
            alice: HoldingJson(self.hands.alice),
            bob: HoldingJson(self.hands.bob),
            alice_bids: bids.alice,
            bob_bids: bids.bob,
            star_used: used,
            winner,
            mover,
            name: step.step.name.clone(),
        };
        self.position = step.notation.clone();
        self.hands = after;
        Ok(Some(turn))
    }
}

impl Adviser<'_> {
    /// The least good bid or, if none is certain, the least allowed one.
    fn bid(&self) -> Option<u32> {
        let turn = self.turn();
        let least = turn.good_bids().first().map(|range| range[0]);
        least.or(Some(turn.mechanism.bids.least()).filter(|&bid| bid <= turn.own))
    }

    /// A good answer to a bid: to let it win, to equal it, or to bid the least above it.
    fn answer(&self, named: u32) -> Option<u32> {
        let turn = self.turn();
        let least = turn.mechanism.bids.least();
        if least > turn.own {
            return None;
        }
        let higher =
            || turn.bids_to_win_with().into_iter().find(|range| range[1] > named).map(|range| range[0].max(named + 1));
        if turn.is_answered_lower(named) {
            Some(least)
        } else if turn.is_answered_equally(named) {
            Some(named)
        } else {
            higher().or(Some(least))
        }
    }
}
