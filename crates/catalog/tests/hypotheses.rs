//! Easily forgotten hypotheses of the theorems of `docs/design.md`: for each, a game where the
//! theorem fails without it.

use fastrand::Rng;
use richman_analysis::uniqueness::{Property, violations};
use richman_analysis::{Request, Subject, holdings};
use richman_check::arenas::{self, ArenaShape};
use richman_check::oracle::{Oracle, OracleState};
use richman_check::scoring_arenas::{self, ScoringShape};
use richman_check::verify;
use richman_core::{
    Arena, ArenaBuilder, Bids, Effort, Error, Mechanism, Payment, Player, Preset, Purses, Right, Rule,
    ScoringArenaBuilder, Share, ShareBounds, Terminal, Ties, Total, Unwatched, progress,
};
use richman_solvers::{money, purses, scores};

fn acyclic(rng: &mut Rng) -> Arena {
    arenas::random(ArenaShape { cyclic: false, owned: false, ..ArenaShape::small(rng) }, rng).unwrap()
}

/// Whether the threshold of some position is not ceil(low/2) + floor(high/2) of its successors'
/// thresholds.
fn breaks_theorem_1(arena: &Arena, mechanism: &Mechanism, total: u32) -> bool {
    let oracle = Oracle::new(arena, mechanism, total, None);
    // In half-steps, if the winning holdings are all those from one on.
    let needs = |node: u32| {
        let win = oracle.thresholds(node)?.win;
        win.plain.checked_sub(win.star).filter(|&difference| difference <= 1).map(|_| win.plain + win.star)
    };
    arena.nodes().filter(|&node| arena.terminal(node).is_none()).any(|node| {
        let all = |player| arena.moves(node, player).iter().map(|&to| needs(to)).collect::<Option<Vec<u32>>>();
        let (Some(alice), Some(bob)) = (all(Player::Alice), all(Player::Bob)) else { return true };
        let (a, b) = (*alice.iter().min().unwrap(), *bob.iter().max().unwrap());
        needs(node) != Some(a.min(b).div_ceil(2) + a.max(b) / 2)
    })
}

#[test]
fn theorem_1_needs_its_mechanism() {
    let default = Mechanism::default();
    let ties = |ties| Mechanism { ties, ..default.clone() };
    let other = [
        ties(Ties::Marker),
        ties(Ties::Alice),
        ties(Ties::Bob),
        ties(Ties::Loser),
        ties(Ties::Winner),
        Mechanism { right: Right::Moves, ..default.clone() },
        Mechanism { bids: Bids::Only(vec![0, 2]), ..default.clone() },
    ];
    let mut rng = Rng::with_seed(741);
    let games: Vec<(Arena, u32)> = (0..200).map(|_| (acyclic(&mut rng), rng.u32(1..=5))).collect();
    let broken = |mechanism: &Mechanism| {
        games.iter().filter(|(arena, total)| breaks_theorem_1(arena, mechanism, *total)).count()
    };
    assert_eq!(broken(&default), 0);
    for mechanism in other {
        assert!(broken(&mechanism) > 0, "{mechanism}");
    }
}

/// Alice's win, Bob's win, and a position where she can only lose and he can only let her win.
fn forced_zugzwang() -> Arena {
    let mut builder = ArenaBuilder::new();
    let alice = builder.terminal(Terminal::Win(Player::Alice));
    let bob = builder.terminal(Terminal::Win(Player::Bob));
    let last = builder.position(&[bob], &[alice]);
    builder.build(last).unwrap()
}

#[test]
fn theorem_3_needs_the_inequality_everywhere() {
    let arena = forced_zugzwang();
    let nodes: Vec<u32> = arena.nodes().collect();
    let joined = |node| arena.terminal(node) == Some(Terminal::Win(Player::Alice));
    // L = 1: none of her moves is kept, yet the position joins by Bob's moves.
    let stages = progress(&arena, &nodes, Player::Alice, joined, |_, _| false, |_| true, &Unwatched).unwrap();
    assert_eq!(stages[2], Some(1));
    let mechanism = Mechanism::default();
    let solution = money::solve(&arena, &mechanism, &Effort::default()).unwrap();
    let half = Share::dyadic(1, 1);
    assert_eq!(solution.win.get(2).as_exact(), Some(&half));
    // The verifier requires the inequality.
    let exact = |share: &Share| ShareBounds { low: share.clone(), high: share.clone() };
    let draw: Vec<ShareBounds> = arena.nodes().map(|node| solution.draw.get(node)).collect();
    for (claimed, holds) in [(&half, true), (&Share::ZERO, false)] {
        let win = [exact(&Share::ZERO), exact(&Share::ONE), exact(claimed)];
        assert_eq!(verify::money(&arena, &mechanism, &win, &draw, &Unwatched).is_ok(), holds, "{claimed}");
    }
    for outside in ["-1/2", "3/2"] {
        assert!(outside.parse::<Share>().is_err(), "{outside}");
    }
}

/// With all chips or none, ties have no effect; in between they do. (With a total of 2 the
/// real-money bids are possible.)
#[test]
fn exactly_at_a_threshold_ties_decide_only_between_0_and_1() {
    let wins = |to: [Player; 2], ties: Ties, alice: u32| {
        let mut builder = ArenaBuilder::new();
        for player in Player::BOTH {
            builder.terminal(Terminal::Win(player));
        }
        let last = builder.position(&[to[0] as u32], &[to[1] as u32]);
        let arena = builder.build(last).unwrap();
        let mechanism = Mechanism { ties, ..Mechanism::default() };
        let star = if ties == Ties::Alice { Player::Alice } else { Player::Bob };
        let state = OracleState { node: last, alice, bob: 2 - alice, star };
        Oracle::new(&arena, &mechanism, 2, None).rank(Player::Alice, state).is_some()
    };
    let [alice, bob] = Player::BOTH;
    for ties in [Ties::Alice, Ties::Bob] {
        assert!(wins([alice, alice], ties, 0), "R = 0");
        assert!(!wins([bob, bob], ties, 2), "R = 1");
        assert_eq!(wins([alice, bob], ties, 1), ties == Ties::Alice, "R = 1/2");
    }
}

/// On a dead loop every step solves the equations of theorem 5 (rules on cycles), but a threshold
/// cannot rise by more than the total does.
#[test]
fn theorem_5_needs_steps_no_larger_than_the_total_rises() {
    assert!(Rule::new(vec![2], 1, 2).is_ok());
    assert!(matches!(Rule::new(vec![2], 1, 4), Err(Error::NoRule { .. })));
}

/// The number of wins lost by one more chip of Alice's, taken from Bob, and by the star.
fn harmed(mechanism: &Mechanism) -> [usize; 2] {
    let mut rng = Rng::with_seed(742);
    let mut harmed = [0; 2];
    for _ in 0..300 {
        let arena = arenas::random(ArenaShape { owned: false, ..ArenaShape::small(&mut rng) }, &mut rng).unwrap();
        let total = rng.u32(5..=6); // so that with bids of 2 and 3 somebody can always bid
        let oracle = Oracle::new(&arena, mechanism, total, None);
        let wins = |state| oracle.rank(Player::Alice, state).is_some();
        for state in oracle.states().filter(|&state| wins(state)) {
            let richer = OracleState { alice: state.alice + 1, bob: state.bob.wrapping_sub(1), ..state };
            harmed[0] += usize::from(state.bob > 0 && !wins(richer));
            harmed[1] += usize::from(state.star == Player::Bob && !wins(OracleState { star: Player::Alice, ..state }));
        }
    }
    harmed
}

#[test]
fn theorem_11_needs_a_bid_of_0_and_the_star_where_it_is() {
    let marker = Preset::Larsson.mechanism();
    let [chips, star] = harmed(&marker);
    assert!(chips == 0 && star > 0, "{chips} {star}");
    let [chips, _] = harmed(&Mechanism { bids: Bids::Only(vec![2, 3]), ..marker });
    assert!(chips > 0);
}

/// Without a bid there is no next position, so theorem 12 (where play is determined) says nothing;
/// such games are refused.
#[test]
fn theorem_12_needs_somebody_who_can_bid() {
    let mechanism = Mechanism { bids: Bids::Only(vec![2]), ties: Ties::Bob, ..Mechanism::default() };
    let solve = |total| purses::solve(&forced_zugzwang(), &mechanism, Purses::Exactly(total), &Effort::default());
    assert!(matches!(solve(2), Err(Error::Unsupported { .. })) && solve(3).is_ok());
}

/// If a player can win who picks the mover at every turn, then some purse suffices, but only if
/// every bid is allowed.
#[test]
fn some_purse_suffices_only_where_all_bids_are_allowed() {
    let game = Subject::named("expr:E").unwrap();
    let unfolding = game.unfold(None, &Effort::default()).unwrap();
    let needs = |bids: Bids| {
        let mechanism = Mechanism { payment: Payment::Poorman, ties: Ties::Bob, bids, ..Mechanism::default() };
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let found = holdings::report(&request, Player::Bob, Total::new(0).unwrap()..=Total::new(2).unwrap()).unwrap();
        assert_eq!(found.reason, None);
        found.rows.iter().map(|row| row.win.plain).collect::<Vec<_>>()
    };
    assert_eq!(needs(Bids::All), [Some(1), Some(2), Some(3)]);
    assert_eq!(needs(Bids::Only(vec![0, 1])), [Some(1), None, None]);
}

/// Theorem 19 also needs a condition on the end of the path: a player stuck there must not lose by
/// it.
#[test]
fn theorem_19_needs_an_end_where_being_stuck_costs_nothing() {
    let found = |stuck: [i64; 2]| {
        let mut builder = ScoringArenaBuilder::new();
        let end = builder.labelled(&[], &[], stuck);
        let last = builder.labelled(&[(end, 1)], &[(end, -1)], [0, 0]);
        let arena = builder.build(last).unwrap();
        let mechanism = Preset::Larsson.mechanism();
        let solution = scores::solve(&arena, &mechanism, Total::new(3).unwrap(), &Effort::default()).unwrap();
        violations(&arena, &solution).into_iter().flatten().map(|found| found.property).collect::<Vec<_>>()
    };
    assert_eq!(found([0, 0]), []);
    assert_eq!(found([1, -1]), []);
    assert!(found([-1, 1]).contains(&Property::MarkerMonotonicity), "{:?}", found([-1, 1]));
}

/// Theorem 18 is proved for marker ties; with ties `advantage` no counterexample is known.
#[test]
fn theorem_18_has_no_counterexample_with_the_advantage_here() {
    let mut rng = Rng::with_seed(743);
    let mut proper = 0;
    for _ in 0..10_000 {
        let arena = scoring_arenas::random(ScoringShape::small(&mut rng), &mut rng).unwrap();
        let total = rng.u32(0..=6);
        let mechanism = Mechanism { ties: Ties::Advantage, ..scoring_arenas::mechanism(total, &mut rng) };
        let chips = Total::new(total).unwrap();
        let solution = scores::solve(&arena, &mechanism, chips, &Effort::default()).unwrap();
        if violations(&arena, &solution) == [None; 3] {
            proper += 1;
            assert_eq!(solution.minimax, None, "{mechanism}, total {total}, {arena:?}");
        }
    }
    assert!(proper > 3000, "{proper}");
}
