//! Advice against the oracle: the advised bids are exactly the good ones, and every advised bid, use of the star and move is
//! played against every reply.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it to 20,000.

use std::collections::HashMap;

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::advice::{Advice, advise};
use richman_check::arenas::{Shape, random};
use richman_check::oracle::{Oracle, State};
use richman_core::{
    Arena, Graph, GraphPosition, Limits, Mechanism, Node, Outcome, Player, Right, Total, Unfolding, Unwatched, unfold,
};
use richman_solvers::{Options, chips};

fn unfolded(arena: &Arena) -> impl Unfolding {
    let positions = arena.nodes().map(|node| {
        let names = |player| arena.moves(node, player).iter().map(ToString::to_string).collect();
        GraphPosition {
            name: node.to_string(),
            terminal: arena.terminal(node),
            alice: names(Player::Alice),
            bob: names(Player::Bob),
        }
    });
    let graph = Graph::new("random", &arena.start().to_string(), positions.collect()).unwrap();
    unfold(graph.clone(), richman_core::Game::start(&graph), &Limits::default(), &Unwatched).unwrap()
}

#[test]
fn every_piece_of_advice_holds_against_every_reply() {
    let arenas = std::env::var("RICHMAN_ARENAS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000u64);
    (0..arenas).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0xAD71CE);
        let arena = random(Shape::small(&mut rng), &mut rng).unwrap();
        let unfolding = unfolded(&arena);
        for right in [Right::Chooses, Right::Moves] {
            let total = if seed % 10 == 0 { rng.u32(5..=8) } else { rng.u32(0..=5) };
            check(&unfolding, right, total, None, seed);
            check(&unfolding, right, rng.u32(0..=3), Some(rng.u32(1..=4)), seed);
        }
    });
}

/// What the other player may do next, and what the player does, after the bids `bid` and `reply`: all states that can follow.
#[derive(Clone, Copy)]
struct Play<'a> {
    oracle: &'a Oracle<'a>,
    arena: &'a Arena,
    right: Right,
    player: Player,
    advice: &'a Advice,
    nodes: &'a HashMap<String, Node>,
    state: State,
}

impl Play<'_> {
    fn nodes_of(&self, names: &[String]) -> Vec<Node> {
        names.iter().map(|name| self.nodes[name]).collect()
    }

    /// The player won the bid; `tied` with the star.
    fn after_win(&self, state: State, tied: bool) -> Vec<State> {
        let (moves, let_other) = match &self.advice.after_tie {
            Some(after) if tied => (&after.moves, after.let_other_move),
            _ => (&self.advice.moves, self.advice.let_other_move),
        };
        if let_other {
            assert_eq!(self.right, Right::Chooses, "only a winner who chooses can let the other player move");
            return self.at(state, self.arena.moves(state.node, self.player.other()));
        }
        assert!(!moves.is_empty(), "the winner of the bid is told what to move");
        self.at(state, &self.nodes_of(moves))
    }

    /// The other player won the bid.
    fn after_loss(&self, state: State) -> Vec<State> {
        let mut after = self.at(state, self.arena.moves(state.node, self.player.other()));
        if self.right == Right::Chooses {
            let moves = self.nodes_of(&self.advice.moves);
            assert!(!moves.is_empty(), "a player who is made to move is told what to move");
            after.extend(self.at(state, &moves));
        }
        after
    }

    fn at(&self, state: State, nodes: &[Node]) -> Vec<State> {
        nodes.iter().map(|&node| State { node, ..state }).collect()
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

    fn outcomes(&self, bid: u32, reply: u32) -> Vec<State> {
        let (player, other, state) = (self.player, self.player.other(), self.state);
        let oracle = self.oracle;
        match bid.cmp(&reply) {
            std::cmp::Ordering::Greater => self.after_win(oracle.after_bid(state, player, bid, false), false),
            std::cmp::Ordering::Less => self.after_loss(oracle.after_bid(state, other, reply, false)),
            std::cmp::Ordering::Equal if state.star == player => {
                if self.uses_star(bid) {
                    self.after_win(oracle.after_bid(state, player, bid, true), true)
                } else {
                    self.after_loss(oracle.after_bid(state, other, bid, false))
                }
            }
            std::cmp::Ordering::Equal => {
                let mut after = self.after_win(oracle.after_bid(state, player, bid, false), false);
                after.extend(self.after_loss(oracle.after_bid(state, other, bid, true)));
                after
            }
        }
    }
}

fn check(unfolding: &dyn Unfolding, right: Right, total: u32, within: Option<u32>, seed: u64) {
    let arena = unfolding.arena();
    let mechanism = Mechanism { right, ..Mechanism::default() };
    let options = Options { within, ..Options::default() };
    let solution = chips::solve(arena, &mechanism, Total::new(u64::from(total)).unwrap(), &options).unwrap();
    // Ranks of the whole game, or of the truncated one; the next position is then judged with one move fewer.
    let oracle = Oracle::new(arena, &mechanism, total, within);
    let left = within.map_or(u32::MAX, |moves| moves - 1);
    let rank = |player, state| oracle.rank(player, state).filter(|&rank| rank <= left);
    let nodes: HashMap<String, Node> = arena.nodes().map(|node| (unfolding.notation(node), node)).collect();
    let component = |state: State| arena.components().component(state.node);
    for state in oracle.states() {
        for player in Player::BOTH {
            let [own, other] = [player, player.other()].map(|player| oracle.holding(player, state).unwrap());
            let advice = advise(unfolding, &solution, state.node, player, own, other, within);
            let Some(advice) = advice else {
                assert!(arena.terminal(state.node).is_some());
                continue;
            };
            let context =
                format!("seed {seed}, {right}, total {total}, within {within:?}, {player} at {state:?}: {advice:?}");
            let (own_rank, other_rank) = (oracle.rank(player, state), oracle.rank(player.other(), state));
            let good = |next: State| match (own_rank, other_rank) {
                (Some(now), _) => {
                    rank(player, next).is_some_and(|then| then < now || component(next) != component(state))
                }
                (None, None) => rank(player.other(), next).is_none(),
                (None, Some(now)) => rank(player.other(), next).is_none_or(|then| then + 1 >= now),
            };
            let outcome = oracle.outcome(state);
            assert_eq!(outcome == Outcome::Win(player), own_rank.is_some(), "{context}");
            let listed = |ranges: &[[u32; 2]], bid: u32| ranges.iter().any(|range| range[0] <= bid && bid <= range[1]);
            assert!(!advice.bids.is_empty(), "{context}");
            let play = Play { oracle: &oracle, arena, right, player, advice: &advice, nodes: &nodes, state };
            for bid in 0..=own.chips() {
                let best = oracle.bid_forces(player, state, bid, &good);
                assert_eq!(listed(&advice.bids, bid), best, "bid {bid}, {context}");
                if let Some(now) = own_rank {
                    let fast = |next: State| rank(player, next).is_some_and(|then| then < now);
                    let fastest = oracle.bid_forces(player, state, bid, &fast);
                    assert_eq!(listed(advice.fastest.as_ref().unwrap(), bid), fastest, "fastest {bid}, {context}");
                }
                for after in advice.moves_by_bid.iter().filter(|after| listed(&[after.bids], bid)) {
                    assert!(best, "moves after a bid that is not best, {context}");
                    let narrowed = Advice { moves: after.moves.clone(), after_tie: None, ..advice.clone() };
                    let play = Play { advice: &narrowed, ..play };
                    if after.moves.is_empty() {
                        continue; // then the other player is let move
                    }
                    for reply in 0..=bid.min(other.chips()) {
                        if reply == bid && !(state.star == player && play.uses_star(bid)) {
                            continue;
                        }
                        for next in play.outcomes(bid, reply) {
                            assert!(good(next), "bid {bid}, reply {reply}, then {next:?}, {context}");
                        }
                    }
                }
                if best {
                    for reply in 0..=other.chips() {
                        for next in play.outcomes(bid, reply) {
                            assert!(good(next), "bid {bid}, reply {reply}, then {next:?}, {context}");
                        }
                    }
                }
            }
        }
    }
}
