//! Chips under every mechanism: solvers and verifier against the oracle, on random arenas spread
//! over all combinations of the five choices.
//!
//! `RICHMAN_ARENAS` sets the number of arenas (default 1,000); the deep run of the README sets it
//! to 100,000.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas::{ArenaShape, random};
use richman_check::oracle::{Oracle, OracleState};
use richman_check::verify;
use richman_core::{
    Arena, ArenaBuilder, Bidding, Bids, Effort, Forces, Holding, Mechanism, Outcome, Payment, Player, Purses, Terminal,
    Ties, Total, Unwatched,
};
use richman_solvers::{chips, purses};

use crate::every_mechanism::{Solution, combinations, solve};
use crate::seeds::seeds;

fn arenas() -> Range<u64> {
    seeds("RICHMAN_ARENAS", 1_000)
}

#[derive(Default)]
struct Seen {
    combinations: Mutex<BTreeSet<String>>,
    undetermined: Mutex<BTreeSet<String>>,
    states: AtomicU64,
    outcomes: [AtomicU64; 4],
    cyclic: AtomicU64,
}

#[test]
fn every_mechanism_agrees_with_the_oracle() {
    let combinations = combinations();
    let seen = Seen::default();
    const EACH: u64 = 4; // mechanisms for an arena
    arenas().into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x3C4A);
        let shape = ArenaShape { positions: rng.u32(1..=6), ..ArenaShape::small(&mut rng) };
        let arena = random(shape, &mut rng).unwrap();
        seen.cyclic.fetch_add(u64::from(!arena.is_acyclic()), Ordering::Relaxed);
        for turn in 0..EACH {
            // The stride is prime to the number of combinations, so that neighbours differ in every
            // choice.
            let mechanism = &combinations[((seed * EACH + turn) * 331 % combinations.len() as u64) as usize];
            let least = if mechanism.is_ordered_by_chips() { 0 } else { 2 * mechanism.bids.least() - 1 };
            let total = least.max(rng.u32(0..=5));
            let within = rng.bool().then(|| rng.u32(0..=5)).filter(|_| turn == 0);
            agree(&arena, mechanism, total, within, &seen, seed);
        }
    });
    let outcomes = seen.outcomes.each_ref().map(|count| count.load(Ordering::Relaxed));
    let exercised = seen.combinations.lock().unwrap().len();
    let states = seen.states.load(Ordering::Relaxed);
    println!(
        "{exercised} combinations on {} arenas ({} cyclic), {states} states; won by Alice, Bob, drawn, undetermined: \
         {outcomes:?}",
        arenas().count() as u64,
        seen.cyclic.load(Ordering::Relaxed),
    );
    assert!(outcomes[..3].iter().all(|&count| count > states / 10), "the arenas no longer exercise everything");
    assert!(outcomes[3] > 0, "play is undetermined nowhere");
    assert!(arenas().count() as u64 * EACH < combinations.len() as u64 || exercised == combinations.len());
    assert!(seen.cyclic.load(Ordering::Relaxed) > arenas().count() as u64 / 5);
    let undetermined = seen.undetermined.lock().unwrap();
    println!("undetermined under:\n{}", undetermined.iter().cloned().collect::<Vec<_>>().join("\n"));
    assert!(undetermined.iter().all(|mechanism| mechanism.contains("marker sealed")));
}

fn agree(arena: &Arena, mechanism: &Mechanism, total: u32, within: Option<u32>, seen: &Seen, seed: u64) {
    let context = format!("seed {seed}, {mechanism}, total {total}, within {within:?}");
    let oracle = Oracle::new(arena, mechanism, total, within);
    let effort = Effort { within, ..Effort::default() };
    for solution in solve(arena, mechanism, total, &effort) {
        if within.is_none() {
            let proved = match &solution {
                Solution::Chips(solution) => verify::chips(arena, solution, &Unwatched),
                Solution::Purses(solution) => verify::purses(arena, solution, &Unwatched),
            };
            assert_eq!(proved, Ok(()), "{context}");
        }
        for state in oracle.states() {
            let [alice, bob] = Player::BOTH.map(|player| oracle.holding(player, state).unwrap());
            for (player, own, other) in [(Player::Alice, alice, bob), (Player::Bob, bob, alice)] {
                let rank = solution.wins_in(player, state.node, own, other);
                assert_eq!(rank, oracle.rank(player, state), "{player} wins, {context}, {state:?}");
                let holds = solution.holds(player, state.node, own, other);
                assert_eq!(holds, oracle.can_draw(player, state), "{player} holds, {context}, {state:?}");
            }
            let outcome = solution.outcome(state.node, alice, bob);
            assert_eq!(outcome, oracle.outcome(state), "{context}, {state:?}");
            count(seen, mechanism, outcome);
        }
    }
    seen.combinations.lock().unwrap().insert(mechanism.to_string());
}

fn count(seen: &Seen, mechanism: &Mechanism, outcome: Outcome) {
    seen.states.fetch_add(1, Ordering::Relaxed);
    let at = match outcome {
        Outcome::Win(player) => player as usize,
        Outcome::Draw => 2,
        Outcome::Undetermined => 3,
    };
    seen.outcomes[at].fetch_add(1, Ordering::Relaxed);
    if outcome == Outcome::Undetermined {
        let Mechanism { payment, ties, bidding, right, bids } = mechanism;
        let bank = if *payment == Payment::Richman { "richman" } else { "bank" };
        let bids = if *bids == Bids::All { "all" } else { "some" };
        seen.undetermined.lock().unwrap().insert(format!("{bank} {ties} {bidding} {right} {bids}"));
    }
}

#[test]
fn taxman_with_all_or_nothing_to_the_other_is_richman_or_poorman() {
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ArenaShape::small(&mut rng), &mut rng).unwrap();
        for mechanism in
            combinations().into_iter().filter(|m| m.payment == Payment::Poorman).skip(seed as usize % 7).step_by(7)
        {
            let total = rng.u32(0..=6);
            let taxman = |numerator| Payment::Taxman { numerator, denominator: 1 };
            let together = |payment| {
                let mechanism = Mechanism { payment, ..mechanism.clone() };
                purses::solve(&arena, &mechanism, Purses::Together(total), &Effort::default()).unwrap()
            };
            let (poorman, none) = (together(Payment::Poorman), together(taxman(0)));
            assert_eq!((&poorman.wins, &poorman.guards), (&none.wins, &none.guards));
            let all = together(taxman(1));
            let k = Total::new(total).unwrap();
            let mechanism = Mechanism { payment: Payment::Richman, ..mechanism.clone() };
            let richman = chips::solve(&arena, &mechanism, k, &Effort::default()).unwrap();
            for node in arena.nodes() {
                for alice in 0..=total {
                    for star in [true, false] {
                        let star = |player| mechanism.has_star() && star == (player == Player::Alice);
                        let alice = Holding::new(alice, star(Player::Alice)).unwrap();
                        let bob = Holding::new(total - alice.chips(), star(Player::Bob)).unwrap();
                        assert_eq!(richman.outcome(node, alice, bob), all.outcome(node, alice, bob));
                        let rank = |solution: &dyn Forces| {
                            [
                                solution.wins_in(Player::Alice, node, alice, bob),
                                solution.wins_in(Player::Bob, node, bob, alice),
                            ]
                        };
                        assert_eq!(rank(&richman), rank(&all));
                    }
                }
            }
        }
    }
}

/// Theorem 12 (where play is determined): if play is determined on every arena, the order of
/// bidding changes nothing.
#[test]
fn sealed_bids_are_worth_as_much_as_open_ones_where_play_is_determined() {
    let sealed: Vec<Mechanism> =
        combinations().into_iter().filter(|m| m.bidding == Bidding::Sealed && m.is_determined()).collect();
    arenas().into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x5EA1);
        let arena = random(ArenaShape::small(&mut rng), &mut rng).unwrap();
        let mechanism = &sealed[(seed as usize * 7) % sealed.len()];
        let total = rng.u32(0..=5).max((2 * mechanism.bids.least()).saturating_sub(1));
        let oracle = Oracle::new(&arena, mechanism, total, Some(0));
        let [sealed, open @ ..] = [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst].map(|bidding| {
            let mechanism = Mechanism { bidding, ..mechanism.clone() };
            solve(&arena, &mechanism, total, &Effort::default()).remove(0)
        });
        for state in oracle.states() {
            let [alice, bob] = Player::BOTH.map(|player| oracle.holding(player, state).unwrap());
            for open in &open {
                for (player, own, other) in [(Player::Alice, alice, bob), (Player::Bob, bob, alice)] {
                    let rank = |solution: &dyn Forces| solution.wins_in(player, state.node, own, other);
                    assert_eq!(rank(sealed.as_ref()), rank(open.as_ref()), "seed {seed}, {mechanism}, {state:?}");
                }
            }
        }
    });
}

/// The outcomes at the last position of an arena for each order of bidding.
fn outcomes(arena: &Arena, mechanism: &str, total: u32, alice: &str, bob: &str) -> [Outcome; 3] {
    let [payment, right] = mechanism.split(' ').collect::<Vec<_>>().try_into().unwrap();
    [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst].map(|bidding| {
        let (payment, right) = (payment.parse().unwrap(), right.parse().unwrap());
        let mechanism = Mechanism { payment, ties: Ties::Marker, bidding, right, bids: Bids::All };
        let (alice, bob) = (alice.parse::<Holding>().unwrap(), bob.parse::<Holding>().unwrap());
        let solution = solve(arena, &mechanism, total, &Effort::default()).remove(0);
        let oracle = Oracle::new(arena, &mechanism, total, None);
        let star = if alice.has_star() { Player::Alice } else { Player::Bob };
        let state = OracleState { node: arena.start(), alice: alice.chips(), bob: bob.chips(), star };
        let outcome = solution.outcome(arena.start(), alice, bob);
        assert_eq!(outcome, oracle.outcome(state));
        outcome
    })
}

/// The smallest arenas where sealed bids differ from open ones: the star must be used, against its
/// holder's interest.
#[test]
fn with_a_marker_sealed_bids_can_be_undetermined() {
    let differ = [Outcome::Undetermined, Outcome::Win(Player::Bob), Outcome::Win(Player::Alice)];
    for (payment, total) in [("richman", 2), ("poorman", 2)] {
        // The player who moves at `bad` loses. At the start Alice can move there, and Bob can win.
        let mut arena = ArenaBuilder::new();
        let [alice, bob] = Player::BOTH.map(|player| arena.terminal(Terminal::Win(player)));
        let bad = arena.position(&[bob], &[alice]);
        let start = arena.position(&[bad], &[bob]);
        let arena = arena.build(start).unwrap();
        assert_eq!(outcomes(&arena, &format!("{payment} moves"), total, "1*", "1"), differ);
    }
    // If the winner chooses who moves, three positions are needed.
    let mut arena = ArenaBuilder::new();
    let [alice, bob] = Player::BOTH.map(|player| arena.terminal(Terminal::Win(player)));
    let bad = arena.position(&[bob], &[alice]);
    let worse = arena.position(&[bad], &[bad]);
    let start = arena.position(&[alice], &[worse]);
    let arena = arena.build(start).unwrap();
    assert_eq!(outcomes(&arena, "poorman chooses", 3, "1", "2*"), differ);
}
