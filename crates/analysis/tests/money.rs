//! Bids and moves of reports with real money, by the bounds of the positions after them.

use richman_analysis::money::{MoneyReport, report};
use richman_analysis::{Request, Subject};
use richman_check::verify;
use richman_core::{Effort, Exactness, Mechanism, MoneySolution, Player, ShareBounds, Shares, Unfolding, Unwatched};

/// The proved report of a game.
fn reported(game: &str, payment: &str, exactness: Exactness) -> (Box<dyn Unfolding>, MoneyReport, MoneySolution) {
    let unfolding = Subject::named(game).unwrap().unfold(None, &Effort::default()).unwrap();
    let mechanism = Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
    let effort = Effort { exactness, ..Effort::default() };
    let (report, solution) = report(&Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort }).unwrap();
    let all = |shares: &Shares| unfolding.arena().nodes().map(|node| shares.get(node)).collect::<Vec<ShareBounds>>();
    verify::money(unfolding.arena(), &mechanism, &all(&solution.win), &all(&solution.draw), &Unwatched)
        .unwrap_or_else(|flaw| panic!("{game}: {flaw}"));
    (unfolding, report, solution)
}

/// Bids and moves that keep to bounds: a player on the right side of both bounds stays there,
/// whatever the other bids.
#[test]
fn sure_bids_keep_to_the_bounds() {
    for (game, payment, exactness) in [
        ("tug-of-war:length=40,at=11", "richman", Exactness::Bounds),
        ("ultimatum:degree=5", "richman", Exactness::Bounds),
        ("tug-of-war:length=40,at=11", "poorman", Exactness::Preferred),
        ("ultimatum:degree=5", "taxman:1/2", Exactness::Preferred),
    ] {
        let (unfolding, report, solution) = reported(game, payment, exactness);
        let sure = report.sure_bids.expect("bounds");
        let (arena, start, rate) = (unfolding.arena(), unfolding.arena().start(), solution.mechanism.payment.rate());
        let here = solution.win.get(start);
        let after = |player| arena.moves(start, player).iter().map(|&to| solution.win.get(to)).collect::<Vec<_>>();
        let (alice, bob) = (after(Player::Alice), after(Player::Bob));
        // Alice has exactly the upper bound; above it she has at least as much.
        let won = rate.after_win(&here.high, &sure.alice.0).unwrap();
        let lost = rate.after_loss(&here.high, &sure.alice.0).unwrap();
        assert!(alice.iter().any(|b| b.high <= won) && bob.iter().all(|b| b.high <= lost), "{game}, {payment}: Alice");
        let won = rate.after_win(&here.low.complement(), &sure.bob.0).unwrap().complement();
        let lost = rate.after_loss(&here.low.complement(), &sure.bob.0).unwrap().complement();
        assert!(bob.iter().any(|b| b.low >= won) && alice.iter().all(|b| b.low >= lost), "{game}, {payment}: Bob");
    }
}

#[test]
fn tic_tac_toe_for_poorman() {
    let (unfolding, report, solution) = reported("tic-tac-toe", "poorman", Exactness::Preferred);
    assert!(solution.is_exact());
    assert_eq!(report.win.0.to_string(), "396925/786688");
    assert_eq!(report.ratio.win.as_deref(), Some("396925:389763"));
    assert_eq!(report.ratio.draw.as_deref(), Some("389763:396925"));
    let bid = report.bid.unwrap();
    let rate = solution.mechanism.payment.rate();
    let next = |name: &str| {
        let step = unfolding.moves(unfolding.arena().start(), Player::Alice).into_iter().find(|step| step.name == name);
        solution.win.get(step.unwrap().to).low
    };
    assert_eq!(rate.after_win(&report.win.0.low, &bid.0.low), Some(next(&report.moves.alice[0])));
}
