//! The uniqueness properties: the search finds the smallest counterexamples to LPR20's conjecture 7
//! and weaker forms again; surviving statements are checked as far as claimed.

use fastrand::Rng;
use richman_analysis::Subject;
use richman_analysis::uniqueness::{Property, violations};
use richman_catalog::counterexamples::{KNOWN, Refutation, RefutedStatement, UniversalClaim, refuted};
use richman_core::{Effort, Player, Preset, ScoreState, ScoringArena, ScoringArenaBuilder, Total};
use richman_solvers::scores;

mod search;

use search::{SearchLimits, Statement, Weights, smallest};

const CONJECTURE_7: Statement = Statement::CONJECTURE_7;
const ALL_BIDS: Statement = Statement { all_bids: true, ..CONJECTURE_7 };
const SYMMETRIC: Statement = Statement { symmetric: true, ..ALL_BIDS };

/// The statements that [`KNOWN`] refutes, and the limits within which the search finds its
/// rulesets.
const REFUTED: [(Statement, SearchLimits); KNOWN.len()] = [
    (CONJECTURE_7, SearchLimits { positions: 2, total: 3, heaviest: 1 }),
    (Statement { claim: UniversalClaim::Unique, ..CONJECTURE_7 }, SearchLimits { positions: 3, total: 3, heaviest: 1 }),
    (ALL_BIDS, SearchLimits { positions: 3, total: 3, heaviest: 1 }),
    (SYMMETRIC, SearchLimits { positions: 3, total: 3, heaviest: 2 }),
    (Statement { weights: Weights::Positive, ..SYMMETRIC }, SearchLimits { positions: 3, total: 3, heaviest: 2 }),
    (Statement { weights: Weights::One, ..ALL_BIDS }, SearchLimits { positions: 4, total: 1, heaviest: 1 }),
    (Statement { claim: UniversalClaim::Unique, ..SYMMETRIC }, SearchLimits { positions: 4, total: 4, heaviest: 1 }),
];

/// Whether `RICHMAN_SCORES` is above its default.
fn deep() -> bool {
    std::env::var("RICHMAN_SCORES").is_ok_and(|count| count.parse::<u64>().is_ok_and(|count| count > 1_000))
}

/// Sorted moves by position, independent of their order in the arena.
fn listed(arena: &ScoringArena) -> Vec<[Vec<(u32, i64)>; 2]> {
    let moves = |node, player| {
        let mut moves: Vec<(u32, i64)> = arena.labelled(node, player).collect();
        moves.sort_unstable();
        moves
    };
    arena.nodes().map(|node| Player::BOTH.map(|player| moves(node, player))).collect()
}

/// The arena of a game file whose positions have numbers for names.
fn read(known: &RefutedStatement) -> ScoringArena {
    let unfolding = known.unfold().unwrap();
    let arena = unfolding.arena();
    let number = |node| unfolding.notation(node).parse::<u32>().unwrap();
    let mut builder = ScoringArenaBuilder::new();
    for name in 0..arena.len() as u32 {
        let node = unfolding.node(&name.to_string()).unwrap();
        let moves = |player| arena.labelled(node, player).map(|(to, weight)| (number(to), weight)).collect::<Vec<_>>();
        match arena.terminal(node) {
            Some(score) => builder.terminal(score),
            None => builder.labelled(&moves(Player::Alice), &moves(Player::Bob), [0, 0]),
        };
    }
    builder.build(number(arena.start())).unwrap()
}

#[test]
fn the_smallest_counterexamples_are_found_again() {
    for (known, (statement, reach)) in KNOWN.into_iter().zip(REFUTED) {
        let arena = read(&known);
        let bids = known.bids.parse().unwrap();
        let shown = refuted(known.claim, &arena, known.total, &bids, &Effort::default()).unwrap();
        assert!(shown.is_some(), "{}", known.says);
        assert_eq!(statement.claim, known.claim);
        let found = smallest(&statement, &reach).unwrap().expect(known.says);
        assert_eq!((found.total, &found.bids), (known.total, &bids), "{}", known.says);
        assert_eq!(listed(&found.arena), listed(&arena), "{}", known.says);
        match (known.claim, found.shown) {
            (UniversalClaim::Unique, Refutation::Apart(_, score)) => assert!(score.low < score.high),
            (UniversalClaim::Properties, Refutation::Violation(violation)) => {
                assert!(violation.better.1 < violation.worse.1)
            }
            other => panic!("{}: {other:?}", known.says),
        }
    }
}

/// Statements that the search does not refute.
#[test]
fn what_survives_the_search() {
    let all = Statement { all_bids: true, ..Statement::CONJECTURE_7 };
    let both = Statement { both_move: true, ..all };
    let symmetric = Statement { symmetric: true, both_move: true, ..all };
    let reach = |positions, total, heaviest| SearchLimits { positions, total, heaviest };
    let budget = Statement { claim: UniversalClaim::Property(Property::BudgetMonotonicity), ..Statement::CONJECTURE_7 };
    let worth = Statement { claim: UniversalClaim::Property(Property::MarkerWorth), ..all };
    let falling = |statement| Statement { weights: Weights::Falling, ..statement };
    let ones = |statement| Statement { weights: Weights::One, ..statement };
    let mut searches = vec![
        ("budget monotonicity with 0 among the bids, a theorem", budget, reach(3, 3, 1)),
        ("marker worth with all bids, a theorem", worth, reach(3, 4, 1)),
        ("all weights 1, both can move", ones(both), reach(4, 4, 1)),
        ("all weights 1, the same moves", ones(symmetric), reach(5, 6, 1)),
        ("falling weights, both can move", falling(both), reach(3, 5, 2)),
        ("falling weights, the same moves", falling(symmetric), reach(4, 6, 2)),
    ];
    if deep() {
        searches.push(("falling weights, both can move", falling(both), reach(4, 6, 1)));
        searches.push(("falling weights, the same moves", falling(symmetric), reach(5, 8, 2)));
        searches.push(("falling weights, the same moves", falling(symmetric), reach(4, 12, 4)));
    }
    for (name, statement, reach) in searches {
        let found = smallest(&statement, &reach).unwrap();
        let found = found.map(|found| (listed(&found.arena), found.total, found.bids, found.shown));
        assert!(found.is_none(), "{name} within {reach:?}: {found:?}");
    }
}

/// docs/design.md, theorem 19 (paths): on a path where the sums of the two weights of a step never
/// increase, with all bids, all three properties hold, and the star is worth at most that sum.
#[test]
fn on_paths_of_falling_weights_all_properties_hold() {
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let mut builder = ScoringArenaBuilder::new();
        let mut last = builder.terminal(rng.i64(-3..=3));
        let mut sum = 0;
        let mut sums = vec![0];
        for _ in 0..rng.u32(1..12) {
            sum += rng.i64(0..=3);
            // Only the sum counts: one player's gain may be the other's loss.
            let alice = rng.i64(-4..=4);
            last = builder.labelled(&[(last, alice)], &[(last, alice - sum)], [0, 0]);
            sums.push(sum);
        }
        let arena = builder.build(last).unwrap();
        let total = rng.u64(0..14);
        let mechanism = Preset::Larsson.mechanism();
        let solution =
            scores::solve(&arena, &mechanism, Total::new(total as u32).unwrap(), &Effort::default()).unwrap();
        assert_eq!(violations(&arena, &solution), [None; 3], "seed {seed}");
        assert_eq!(solution.minimax, None, "seed {seed}");
        for node in arena.nodes() {
            for alice in 0..=total as u32 {
                let at = |star| solution.score(node, ScoreState { alice, star }).low;
                assert!(at(Player::Alice) - at(Player::Bob) <= sums[node as usize], "seed {seed}");
            }
        }
    }
}

/// [LPR20, Theorem 3] on rulesets where the properties hold: there is an equilibrium, with
/// restricted bids too.
#[test]
fn where_the_properties_hold_there_is_an_equilibrium() {
    use richman_check::scoring_arenas::{ScoringShape, mechanism, random};
    let mut compared = 0;
    for seed in 0..if deep() { 100_000 } else { 4_000 } {
        let mut rng = Rng::with_seed(seed);
        let arena = random(ScoringShape::small(&mut rng), &mut rng).unwrap();
        let total = rng.u32(0..=7);
        let mechanism = richman_core::Mechanism { ties: richman_core::Ties::Marker, ..mechanism(total, &mut rng) };
        let solution = scores::solve(&arena, &mechanism, Total::new(total).unwrap(), &Effort::default()).unwrap();
        if violations(&arena, &solution) == [None; 3] {
            compared += 1;
            assert_eq!(solution.minimax, None, "seed {seed}, {mechanism}, total {total}");
        }
    }
    assert!(compared > 300, "only {compared} rulesets with all properties");
}

/// Sets of Cumulative Subtraction with all bids have all properties: all within 1..4, heaps up to
/// 24, totals up to 8 (deep: within 1..6, 60 and 16).
#[test]
fn cumulative_subtraction_has_all_properties() {
    let (largest, heap, most) = if deep() { (6, 60, 16) } else { (4, 24, 8) };
    let mut failed = Vec::new();
    for mask in 1u32..1 << largest {
        let set: Vec<String> =
            (0..largest).filter(|bit| mask & (1 << bit) != 0).map(|bit| (bit + 1).to_string()).collect();
        for total in 0..=most {
            // Heaps of every residue are reached from one of the first few.
            for heap in heap..heap + largest {
                let game = Subject::named(&format!("subtraction:heap={heap},set={}", set.join("+"))).unwrap();
                let unfolding = game.unfold_for::<richman_core::Scores>(None, &Effort::default()).unwrap();
                let total = Total::new(total).unwrap();
                let mechanism = Preset::Larsson.mechanism();
                let solution = scores::solve(unfolding.arena(), &mechanism, total, &Effort::default()).unwrap();
                let found = violations(unfolding.arena(), &solution);
                if found != [None; 3] || solution.minimax.is_some() {
                    failed.push(format!("{} total {total}: {found:?}", unfolding.game()));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} fail, {:?}", failed.len(), failed.first());
}
