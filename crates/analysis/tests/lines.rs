//! Lines of best play, and tables against one player's chips, under every mechanism, against the
//! oracle.

use crate::every_mechanism;
use crate::unfolded;

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::trace::{TraceEnd, trace};
use richman_analysis::{Request, Subject, holdings};
use richman_check::arenas::{ArenaShape, random};
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{Effort, Mechanism, Outcome, Payment, Player, StarUse, Total, Unfolding};

use every_mechanism::{combinations, solve};
use unfolded::unfolded;

#[test]
fn lines_of_best_play_end_as_they_should() {
    let combinations = combinations();
    (0..1_500u64).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x71ACE);
        let unfolding = unfolded(&random(ArenaShape::small(&mut rng), &mut rng).unwrap());
        let arena = unfolding.arena();
        let mechanism = &combinations[(seed * 331 % combinations.len() as u64) as usize];
        let total = rng.u32(0..=6).max((2 * mechanism.bids.least()).saturating_sub(1));
        let within = rng.bool().then(|| rng.u32(0..=5));
        let effort = Effort { within, ..Effort::default() };
        let solution = solve(arena, mechanism, total, &effort).remove(0);
        let oracle = Oracle::new(arena, mechanism, total, within);
        let request = Request { unfolding: &unfolding, mechanism, effort };
        for state in oracle.states().filter(|state| state.node == arena.start()) {
            let [alice, bob] = Player::BOTH.map(|player| oracle.holding(player, state).unwrap());
            let line = trace(&request, solution.as_ref(), alice, bob).unwrap();
            let context = format!("seed {seed}, {mechanism}, {alice} against {bob}, within {within:?}: {line:?}");
            let ranks = Player::BOTH.map(|player| oracle.rank(player, state));
            match oracle.outcome(state) {
                Outcome::Win(Player::Alice) => assert_eq!(line.end, TraceEnd::Alice, "{context}"),
                Outcome::Win(Player::Bob) => assert_eq!(line.end, TraceEnd::Bob, "{context}"),
                Outcome::Draw => assert!(matches!(line.end, TraceEnd::Draw | TraceEnd::Repeats), "{context}"),
                Outcome::Undetermined => {}
            }
            for rank in ranks.into_iter().flatten() {
                assert!(line.turns.len() <= rank as usize, "{context}");
                // The loser holds out as long as certain; with determined play that is to the end.
                assert!(line.turns.len() == rank as usize || !mechanism.is_determined(), "{context}");
            }
            follow(&oracle, &unfolding, mechanism, state, &line, &context);
        }
    });
}

/// Checks that every turn of a line obeys the rules.
fn follow(
    oracle: &Oracle,
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    first: OracleState,
    line: &richman_analysis::trace::Trace,
    context: &str,
) {
    let mut state = first;
    for (index, turn) in line.turns.iter().enumerate() {
        let [alice, bob] = Player::BOTH.map(|player| oracle.holding(player, state).unwrap());
        assert_eq!((turn.alice.0, turn.bob.0), (alice, bob), "turn {index}, {context}");
        let bids = [turn.alice_bids, turn.bob_bids];
        let next = line.turns.get(index + 1).map_or(&line.position, |next| &next.position);
        let next = unfolding.node(next).unwrap();
        if let Some(owner) = unfolding.arena().owner(state.node) {
            assert_eq!((bids, turn.star_used, turn.winner, turn.mover), ([None; 2], None, owner, owner), "{context}");
            assert!(unfolding.arena().moves(state.node, owner).contains(&next), "turn {index}, {context}");
            state = OracleState { node: next, ..state };
            continue;
        }
        for player in Player::BOTH {
            let allowed = oracle.bids(player, state);
            match bids[player as usize] {
                Some(bid) => assert!(allowed.contains(&bid), "turn {index}, {context}"),
                None => assert!(allowed.is_empty(), "turn {index}, {context}"),
            }
        }
        let paid = bids[turn.winner as usize].unwrap();
        assert!(Some(paid) >= bids[turn.winner.other() as usize]);
        if turn.mover != turn.winner {
            assert_eq!(mechanism.right, richman_core::Right::Chooses);
        }
        let after = oracle.after_bid(state, turn.winner, paid, turn.star_used.map_or(StarUse::Kept, StarUse::of));
        state = OracleState { node: next, ..after };
    }
}

/// One player's needs against the other's chips, if no rule for all totals is known.
#[test]
fn tables_against_one_player_agree_with_the_oracle() {
    let combinations: Vec<Mechanism> = combinations().into_iter().filter(Mechanism::is_ordered_by_chips).collect();
    (0..400u64).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x7AB1E);
        let shape = ArenaShape { positions: rng.u32(1..=5), ..ArenaShape::small(&mut rng) };
        let unfolding = unfolded(&random(shape, &mut rng).unwrap());
        let arena = unfolding.arena();
        let mechanism = &combinations[(seed * 331 % combinations.len() as u64) as usize];
        let most = 2;
        let total = 8;
        // Richman payment keeps the total, so each total is solved separately.
        let first = if mechanism.payment == Payment::Richman { 0 } else { total };
        let oracles: Vec<Oracle> = (first..=total).map(|total| Oracle::new(arena, mechanism, total, None)).collect();
        let oracle_of = |state: OracleState| {
            if first == 0 { &oracles[(state.alice + state.bob) as usize] } else { &oracles[0] }
        };
        let effort = Effort { memory: 1 << 21, ..Effort::default() }.within_time(std::time::Duration::from_millis(300));
        let request = Request { unfolding: &unfolding, mechanism, effort };
        let chips = Total::new(0).unwrap()..=Total::new(most).unwrap();
        for fixed in Player::BOTH {
            let table = holdings::report(&request, fixed, chips.clone()).unwrap();
            for row in &table.rows {
                let against = row.alice.or(row.bob).unwrap();
                let player = fixed.other();
                // The least chips that reach a goal, among the oracle's.
                let least = |star: bool, goal: &dyn Fn(OracleState) -> bool| {
                    let star = if !mechanism.has_star() {
                        oracles[0].states().next().unwrap().star
                    } else if star {
                        player
                    } else {
                        fixed
                    };
                    (0..=total - against).find(|&own| {
                        let (alice, bob) = if player == Player::Alice { (own, against) } else { (against, own) };
                        goal(OracleState { node: arena.start(), alice, bob, star })
                    })
                };
                let wins = |state: OracleState| oracle_of(state).rank(player, state).is_some();
                let stops = |state: OracleState| oracle_of(state).rank(fixed, state).is_none();
                let (win, stop) = if fixed == Player::Bob { (row.win, row.draw) } else { (row.draw, row.win) };
                for (star, given) in [(false, win.plain), (true, win.star)] {
                    let expected = least(star, &wins).map(u64::from);
                    let beyond = given.is_none_or(|given| given > u64::from(total - against));
                    assert!(
                        given == expected || (expected.is_none() && beyond),
                        "{seed} {mechanism} win {given:?} {expected:?}"
                    );
                }
                for (star, given) in [(false, stop.plain), (true, stop.star)] {
                    let expected = least(star, &stops).map(u64::from);
                    let beyond = given.is_none_or(|given| given > u64::from(total - against));
                    assert!(
                        given == expected || (expected.is_none() && beyond),
                        "{seed} {mechanism} stop {given:?} {expected:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn with_poorman_every_missing_number_is_proved_missing() {
    for (game, missing) in [("tug-of-war", false), ("ultimatum", false), ("tic-tac-toe", false)] {
        let unfolding = Subject::named(game).unwrap().unfold(None, &Effort::default()).unwrap();
        let mechanism = Mechanism { payment: Payment::Poorman, ..Mechanism::default() };
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let table = holdings::report(&request, Player::Bob, Total::new(0).unwrap()..=Total::new(9).unwrap()).unwrap();
        assert_eq!(table.reason, None, "{game}");
        assert_eq!(table.rows.iter().any(|row| row.win.plain.is_none()), missing, "{game}");
    }
}

/// If the number of moves is limited, enough chips for every useful bid settle all missing needs.
#[test]
fn where_plays_are_short_every_missing_number_is_proved_missing() {
    let unfolding = |acyclic: bool, seed: u64| {
        let mut rng = Rng::with_seed(seed);
        std::iter::repeat_with(|| {
            unfolded(&random(ArenaShape { positions: 3, ..ArenaShape::small(&mut rng) }, &mut rng).unwrap())
        })
        .find(|unfolding| unfolding.arena().is_acyclic() == acyclic)
        .unwrap()
    };
    let combinations: Vec<Mechanism> = combinations().into_iter().filter(Mechanism::is_ordered_by_chips).collect();
    let mut missing = 0;
    for seed in 0..60 {
        let mechanism = &combinations[(seed * 331 % combinations.len() as u64) as usize];
        // Plays of at most 3 moves, or cut off after 3.
        let acyclic = seed % 2 == 0;
        let unfolding = unfolding(acyclic, seed);
        let within = (!acyclic).then_some(3);
        let request = Request { unfolding: &unfolding, mechanism, effort: Effort { within, ..Effort::default() } };
        for fixed in Player::BOTH {
            let table = holdings::report(&request, fixed, Total::new(0).unwrap()..=Total::new(2).unwrap()).unwrap();
            assert_eq!(table.reason, None, "{seed} {mechanism}");
            missing += table.rows.iter().filter(|row| row.win.plain.is_none() || row.draw.plain.is_none()).count();
        }
    }
    assert!(missing > 0);
}
