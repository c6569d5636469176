//! Published results outside the catalog's checks: best moves and bids as `solve` advises them, and
//! the oracle's outcomes.

use richman_analysis::chips::HoldingsQuery;
use richman_analysis::{Request, Subject, chips};
use richman_core::{Effort, Holding, Mechanism, Outcome, Right, Total};

fn with<T>(game: &str, position: Option<&str>, ask: impl FnOnce(&Request) -> T) -> T {
    let unfolding = Subject::named(game).unwrap().unfold(position, &Effort::default()).unwrap();
    let mechanism = Mechanism::default();
    ask(&Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() })
}

const ALICE: Outcome = Outcome::Win(richman_core::Player::Alice);

#[test]
fn dp10_theorem_6_7_the_centre_in_the_advice() {
    // Lemma 6.5 and theorem 6.7: the centre is a best first move except with five chips.
    for total in 0..64u64 {
        let advice = with("tic-tac-toe", None, |request| {
            let total = Total::new(total as u32).unwrap();
            let row = chips::report(request, total).unwrap().win.threshold.unwrap().0;
            let rest = total.rest(row).ok()?;
            let hands = HoldingsQuery { alice: row, bob: rest, trace: false };
            chips::full_report(request, total, Some(hands)).unwrap().0.holdings.unwrap().advice.alice
        });
        if let Some(advice) = advice {
            let cheapest = advice.moves_by_bid.first().map_or(&advice.moves, |after| &after.moves);
            assert_eq!(cheapest.contains(&"b2".to_string()), total != 5, "total {total}: {advice:?}");
        }
    }
}

#[test]
fn g12_table_of_a2_wedge_b_against_the_oracle() {
    let unfolding = Subject::named("expr:A^2 & B").unwrap().unfold(None, &Effort::default()).unwrap();
    let arena = unfolding.arena();
    for (total, expected) in [(0, "0*"), (5, "4")] {
        let mechanism = Mechanism::default();
        let oracle = richman_check::oracle::Oracle::new(arena, &mechanism, total, None);
        assert_eq!(oracle.thresholds(arena.start()).unwrap().win.to_string(), expected);
    }
}

/// DP10, example 3.5: the second mover wins. With equal chips the star's holder wins by bidding 0
/// and keeping it.
#[test]
fn dp10_example_3_5_the_star_is_kept() {
    let file = br#"{ "name": "second", "start": "first", "positions": {
        "alice won": { "winner": "alice" }, "bob won": { "winner": "bob" },
        "first": { "both": ["second"] }, "second": { "alice": ["alice won"], "bob": ["bob won"] } } }"#;
    let subject = Subject::from_file("second.json", file, &Effort::default()).unwrap();
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    for right in [Right::Chooses, Right::Moves] {
        let mechanism = Mechanism { right, ..Mechanism::default() };
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let (alice, bob): (Holding, Holding) = ("4*".parse().unwrap(), "4".parse().unwrap());
        let hands = HoldingsQuery { alice, bob, trace: false };
        let (report, _) = chips::full_report(&request, hands.total(&mechanism).unwrap(), Some(hands)).unwrap();
        let holdings = report.holdings.unwrap();
        assert_eq!(holdings.outcome, ALICE);
        let advice = holdings.advice.alice.unwrap();
        assert_eq!((advice.bids, advice.use_star), (vec![[0, 0]], Some(false)), "{right}");
    }
}
