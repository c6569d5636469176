//! Advice against the oracle: the advised bids are exactly the good ones, and all advice is played
//! against every reply.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it
//! to 20,000.

use crate::every_mechanism;
use crate::unfolded;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::advice::{Advice, MovesAfterLoss, advise};
use richman_check::arenas::{ArenaShape, random};
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{
    Arena, Bidding, ByPlayer, Effort, Mechanism, Node, Outcome, Player, Right, StarUse, Ties, Unfolding,
};

use crate::seeds::seeds;
use every_mechanism::{combinations, solve};
use unfolded::unfolded;

#[test]
fn every_piece_of_advice_holds_against_every_reply() {
    let arenas = seeds("RICHMAN_ARENAS", 1_000);
    let combinations = combinations();
    let answers = AtomicU64::new(0);
    arenas.clone().into_par_iter().for_each(|seed| try_arena(seed, &combinations, &answers));
    assert!(answers.into_inner() > arenas.count() as u64, "open bids are hardly ever answered");
}

/// Where only some amounts may be bid, the best move can depend on the bid that won.
#[test]
fn moves_that_depend_on_the_bid_are_advised() {
    for seed in [1399, 2339] {
        try_arena(seed, &combinations(), &AtomicU64::new(0));
    }
}

fn try_arena(seed: u64, combinations: &[Mechanism], answers: &AtomicU64) {
    let mut rng = Rng::with_seed(seed ^ 0xAD71CE);
    let arena = random(ArenaShape::small(&mut rng), &mut rng).unwrap();
    let unfolding = unfolded(&arena);
    for right in [Right::Chooses, Right::Moves] {
        let total = if seed.is_multiple_of(10) { rng.u32(5..=8) } else { rng.u32(0..=5) };
        let mechanism = Mechanism { right, ..Mechanism::default() };
        check(&unfolding, &mechanism, total, None, seed, answers);
        check(&unfolding, &mechanism, rng.u32(0..=3), Some(rng.u32(1..=4)), seed, answers);
    }
    for turn in 0..2 {
        let mechanism = &combinations[((seed * 2 + turn) * 331 % combinations.len() as u64) as usize];
        let total = rng.u32(0..=4).max((2 * mechanism.bids.least()).saturating_sub(1));
        let within = rng.bool().then(|| rng.u32(1..=4));
        check(&unfolding, mechanism, total, within, seed, answers);
    }
}

/// The states that can follow if one player follows the advice and the other does anything.
#[derive(Clone, Copy)]
struct Play<'a> {
    oracle: &'a Oracle<'a>,
    arena: &'a Arena,
    mechanism: &'a Mechanism,
    player: Player,
    advice: &'a Advice,
    nodes: &'a HashMap<String, Node>,
    state: OracleState,
}

impl Play<'_> {
    fn nodes_of(&self, names: &[String]) -> Vec<Node> {
        names.iter().map(|name| self.nodes[name]).collect()
    }

    /// The player won with this bid; `tied` with the star.
    fn after_win(&self, state: OracleState, bid: u32, tied: bool) -> Vec<OracleState> {
        let by_bid = self.advice.moves_by_bid.iter().find(|after| listed(&[after.bids], bid));
        let (moves, let_other) = match (&self.advice.after_tie, by_bid) {
            (Some(after), _) if tied => (&after.moves, after.let_other_move),
            (_, Some(after)) if self.advice.depends_on_bid() => (&after.moves, after.moves.is_empty()),
            _ => (&self.advice.moves, self.advice.let_other_move),
        };
        if let_other {
            assert_eq!(self.mechanism.right, Right::Chooses, "only a winner who chooses can let the other player move");
            return self.at(state, self.arena.moves(state.node, self.player.other()));
        }
        assert!(!moves.is_empty(), "the winner of the bid is told what to move");
        self.at(state, &self.nodes_of(moves))
    }

    /// The other player won with this bid; `tied` if both bid it.
    fn after_loss(&self, state: OracleState, bid: u32, tied: bool) -> Vec<OracleState> {
        let mut after = self.at(state, self.arena.moves(state.node, self.player.other()));
        if self.mechanism.right == Right::Chooses {
            let Advice { made_to_move, moves, made_to_move_by_bid, .. } = self.advice;
            let is_case = |after: &&MovesAfterLoss| after.tied == tied && listed(&[after.bids], bid);
            let moves = self.nodes_of(match made_to_move_by_bid.iter().find(is_case) {
                Some(case) => &case.moves,
                None if made_to_move.is_empty() => moves,
                None => made_to_move,
            });
            assert!(!moves.is_empty(), "a player who is made to move is told what to move");
            after.extend(self.at(state, &moves));
        }
        after
    }

    fn at(&self, state: OracleState, nodes: &[Node]) -> Vec<OracleState> {
        nodes.iter().map(|&node| OracleState { node, ..state }).collect()
    }

    fn uses_star(&self, bid: u32) -> bool {
        match self.advice.use_star {
            Some(use_star) => use_star,
            None => {
                let run = self.advice.star_by_bid.iter().find(|run| run.bids[0] <= bid && bid <= run.bids[1]);
                run.expect("the star's holder is told what to do in every tie").use_star
            }
        }
    }

    fn won(&self, winner: Player, bid: u32, used: bool, tied: bool) -> Vec<OracleState> {
        let after = self.oracle.after_bid(self.state, winner, bid, StarUse::of(used));
        if winner == self.player { self.after_win(after, bid, used) } else { self.after_loss(after, bid, tied) }
    }

    /// All states that can follow the bids; `None` is a player without an allowed bid.
    fn outcomes(&self, bid: Option<u32>, reply: Option<u32>) -> Vec<OracleState> {
        let (player, other, holder) = (self.player, self.player.other(), self.state.star);
        match (bid, reply) {
            (Some(bid), Some(reply)) if bid == reply => match self.mechanism.ties {
                Ties::Advantage if holder == player && self.uses_star(bid) => self.won(player, bid, true, true),
                Ties::Advantage if holder == player => self.won(other, bid, false, true),
                Ties::Advantage => [self.won(player, bid, false, true), self.won(other, bid, true, true)].concat(),
                Ties::Marker => self.won(holder, bid, true, true),
                _ => self.won(holder, bid, false, true),
            },
            (Some(bid), reply) if reply.is_none_or(|reply| reply < bid) => self.won(player, bid, false, false),
            (_, Some(reply)) => self.won(other, reply, false, false),
            _ => unreachable!("somebody can bid"),
        }
    }

    /// The same for each kind of winning, with the moves advised after winning with this bid.
    fn outcomes_by_bid(&self, bid: u32, reply: Option<u32>) -> Option<Vec<OracleState>> {
        let after = self.advice.moves_by_bid.iter().find(|after| after.bids[0] <= bid && bid <= after.bids[1])?;
        if after.moves.is_empty() {
            return None; // then the other player moves
        }
        let wins_tie = || match self.mechanism.ties {
            Ties::Advantage => self.state.star == self.player && self.uses_star(bid),
            _ => self.state.star == self.player,
        };
        if reply.is_some_and(|reply| reply > bid || (reply == bid && !wins_tie())) {
            return None;
        }
        let narrowed = Advice { moves: after.moves.clone(), after_tie: None, ..self.advice.clone() };
        Some(Play { advice: &narrowed, ..*self }.outcomes(Some(bid), reply))
    }
}

/// The state if the other player had this many chips fewer, and the player as many more, unless
/// there is a bank.
fn relieved(state: OracleState, player: Player, missing: u32, mechanism: &Mechanism) -> Option<OracleState> {
    let mut chips = ByPlayer { alice: state.alice, bob: state.bob };
    chips[player.other()] = chips[player.other()].checked_sub(missing)?;
    chips[player] += if mechanism.has_bank() { 0 } else { missing };
    Some(OracleState { alice: chips.alice, bob: chips.bob, ..state })
}

fn listed(ranges: &[[u32; 2]], bid: u32) -> bool {
    ranges.iter().any(|range| range[0] <= bid && bid <= range[1])
}

fn options(bids: Vec<u32>) -> Vec<Option<u32>> {
    if bids.is_empty() { vec![None] } else { bids.into_iter().map(Some).collect() }
}

fn check(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    total: u32,
    within: Option<u32>,
    seed: u64,
    answered: &AtomicU64,
) {
    let arena = unfolding.arena();
    let options_of_solver = Effort { within, ..Effort::default() };
    let solution = solve(arena, mechanism, total, &options_of_solver).remove(0);
    // Ranks of the whole or the truncated game; the next position is then judged with one move
    // fewer.
    let oracle = Oracle::new(arena, mechanism, total, within);
    let next = within.map(|moves| Oracle::new(arena, mechanism, total, Some(moves - 1)));
    let next = next.as_ref().unwrap_or(&oracle);
    let nodes: HashMap<String, Node> = arena.nodes().map(|node| (unfolding.notation(node), node)).collect();
    let horizons: RefCell<Vec<Oracle>> = RefCell::default();
    let holds_for = |moves: u32, player: Player, state: OracleState| {
        let mut horizons = horizons.borrow_mut();
        while horizons.len() <= moves as usize {
            let moves = horizons.len() as u32;
            horizons.push(Oracle::new(arena, mechanism, total, Some(moves)));
        }
        horizons[moves as usize].can_draw(player, state)
    };
    let component = |state: OracleState| arena.components().component(state.node);
    for state in oracle.states() {
        for player in Player::BOTH {
            let [own, other] = [player, player.other()].map(|player| oracle.holding(player, state).unwrap());
            let advice =
                advise(unfolding, solution.as_ref(), &unfolding.notation(state.node), player, own, other, within);
            let advice = advice.unwrap();
            let Some(advice) = advice else {
                assert!(arena.terminal(state.node).is_some() || arena.owner(state.node) == Some(player.other()));
                continue;
            };
            let context = format!(
                "seed {seed}, {mechanism}, total {total}, within {within:?}, {player} at {state:?}: {advice:?}"
            );
            let own_rank = oracle.rank(player, state);
            let holds = oracle.can_draw(player, state);
            // A player who cannot hold out forever must hold out as long as certain.
            let sure =
                if holds { 0 } else { (0..).take_while(|&moves| holds_for(moves, player, state)).last().unwrap() };
            // Then as few chips as possible must be missing to prevent the loss.
            let is_near = |missing: u32, after: OracleState| {
                relieved(after, player, missing, mechanism).is_none_or(|after| next.can_draw(player, after))
            };
            let is_late = |after: OracleState| sure == 0 || holds_for(sure - 1, player, after);
            let is_enough =
                |missing: &u32| oracle.can_force(player, state, &|after| is_late(after) && is_near(*missing, after));
            let is_measured = own_rank.is_none() && !holds && mechanism.bids.least() == 0;
            let missing = is_measured.then(|| (1..).find(is_enough).unwrap());
            let good = |after: OracleState| match own_rank {
                Some(now) => {
                    next.rank(player, after).is_some_and(|then| then < now || component(after) != component(state))
                }
                None if holds => next.can_draw(player, after),
                None => is_late(after) && missing.is_none_or(|missing| is_near(missing, after)),
            };
            assert_eq!(oracle.outcome(state) == Outcome::Win(player), own_rank.is_some(), "{context}");
            if let Some(owner) = arena.owner(state.node) {
                let moves = advice.moves.clone();
                assert_eq!(advice, Advice { moves, ..Advice::default() }, "{context}");
                assert!(owner == player && !advice.moves.is_empty(), "{context}");
                for name in &advice.moves {
                    assert!(good(OracleState { node: nodes[name], ..state }), "to {name}, {context}");
                }
                continue;
            }
            let play = Play { oracle: &oracle, arena, mechanism, player, advice: &advice, nodes: &nodes, state };
            let (bids, replies) = (oracle.bids(player, state), options(oracle.bids(player.other(), state)));
            let fine = |bid: Option<u32>, reply: Option<u32>| {
                for after in play.outcomes(bid, reply) {
                    assert!(good(after), "bid {bid:?}, reply {reply:?}, then {after:?}, {context}");
                }
                for after in bid.and_then(|bid| play.outcomes_by_bid(bid, reply)).unwrap_or_default() {
                    assert!(good(after), "bid {bid:?}, reply {reply:?}, then {after:?} by bid, {context}");
                }
            };
            let answers = match mechanism.bidding {
                Bidding::Sealed => false,
                Bidding::AliceFirst => player == Player::Bob,
                Bidding::BobFirst => player == Player::Alice,
            };
            for bid in 0..=own.chips() {
                let best = bids.contains(&bid) && oracle.bid_forces(player, state, bid, &good);
                assert_eq!(listed(&advice.bids, bid), best, "bid {bid}, {context}");
                if let (Some(now), false) = (own_rank, answers) {
                    let fast = |after: OracleState| next.rank(player, after).is_some_and(|then| then < now);
                    let fastest = bids.contains(&bid) && oracle.bid_forces(player, state, bid, &fast);
                    assert_eq!(listed(advice.fastest.as_ref().unwrap(), bid), fastest, "fastest {bid}, {context}");
                }
                assert!(answers || best || advice.moves_by_bid.iter().all(|after| !listed(&[after.bids], bid)));
                if best && !answers {
                    replies.iter().for_each(|&reply| fine(Some(bid), reply));
                }
            }
            if !answers {
                assert!(!advice.bids.is_empty() || bids.is_empty(), "{context}");
                continue;
            }
            for reply in replies {
                let Some(named) = reply else {
                    assert!(bids.iter().any(|&bid| listed(&advice.bids, bid)), "{context}");
                    continue;
                };
                let answer = advice.answers.iter().find(|answer| listed(&[answer.to], named)).expect(&context);
                let mut any = false;
                for bid in options(bids.clone()) {
                    let advised = match bid.map(|bid| bid.cmp(&named)) {
                        None | Some(std::cmp::Ordering::Less) => answer.lower,
                        Some(std::cmp::Ordering::Equal) => answer.equal,
                        Some(std::cmp::Ordering::Greater) => listed(&answer.higher, bid.unwrap_or_default()),
                    };
                    let best = oracle.resolved(player, state, bid, Some(named), &good);
                    assert_eq!(advised, best, "{bid:?} against {named}, {context}");
                    if best {
                        any = true;
                        answered.fetch_add(1, Ordering::Relaxed);
                        fine(bid, Some(named));
                    }
                }
                assert!(any, "no answer to {named}, {context}");
            }
        }
    }
}
