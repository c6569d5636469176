//! An estimate of a chess position for people.

use std::fmt::Write;

use richman_analysis::chess::ChessReport;

/// What Alice seems to need, the bid and the moves that seem best.
pub fn text(report: &ChessReport, picture: &str) -> String {
    let estimate = &report.estimate;
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let mut text = format!("{}\n\n{}\n\n", report.game, picture.trim_end());
    if report.mechanism.0 != richman_core::Mechanism::default() {
        let _ = writeln!(text, "{}", report.mechanism.0);
    }
    let _ = writeln!(
        text,
        "Alice needs about {} of the money to win: {} after her best move, {} after Bob's.",
        percent(estimate.needs),
        percent(estimate.after_alice),
        percent(estimate.after_bob)
    );
    let [alice, bob] = [&report.moves.alice, &report.moves.bob].map(|moves| super::list_of(moves));
    let _ = writeln!(text, "Bid about {}; Alice moves: {alice}; Bob moves: {bob}", percent(estimate.bid));
    let _ = writeln!(
        text,
        "(an estimate, nothing is proved: a search {} moves deep, of {} positions, in which a coin decides who moves)",
        estimate.depth, estimate.positions
    );
    text
}
