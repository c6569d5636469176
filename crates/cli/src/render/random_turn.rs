//! The chances of random-turn play, for people.

use std::fmt::Write;

use richman_analysis::ReportHead;
use richman_analysis::random_turn::{Chance, PlayResults, RandomTurnReport};
use richman_core::Mechanism;

/// Both chances, their comparison with the thresholds or with their bounds by looking ahead, and
/// the games played.
pub fn text(report: &RandomTurnReport, picture: String) -> String {
    let RandomTurnReport { game, position, .. } = report;
    let (game, position) = (game.clone(), position.clone());
    let head = ReportHead { game, position, mechanism: Mechanism::default().into(), at_least: None };
    let mut text = super::head(&head, Some(picture), None);
    chance(&mut text, "Alice wins with a chance of", "win threshold", &report.wins);
    chance(&mut text, "Alice does not lose with a chance of", "draw threshold", &report.holds);
    text
}

fn chance(text: &mut String, what: &str, threshold: &str, chance: &Chance) {
    let (games, moves) = (chance.games, chance.rounds);
    let ahead = super::decimal(&chance.chance, super::PRINTED);
    let _ = match &chance.value {
        None => writeln!(text, "{what} {ahead}."),
        Some(value) => {
            let proof = match chance.proved {
                Some(true) => "exact; every equation and progress proved in exact arithmetic",
                _ if chance.agree => "bounds: the exact chances are too large",
                _ => "THE PROOF FAILED",
            };
            let _ = writeln!(text, "{what} {}.\n  ({proof})", super::decimal(value, super::PRINTED));
            writeln!(text, "  Looking {} ahead gives {ahead}.", super::counted(moves.into(), "move"))
        }
    };
    if let Some(other) = &chance.from_threshold {
        let agrees = if chance.agree { "as Richman's theorem says" } else { "AGAINST Richman's theorem" };
        let other = super::decimal(other, super::PRINTED);
        let _ = writeln!(text, "  1 less the {threshold} of real money is {other}, {agrees}.");
    }
    for (plays, counts) in [(&chance.cut_off_fails, "fails"), (&chance.cut_off_succeeds, "succeeds")] {
        let PlayResults { reached, cut_off } = plays;
        let _ = writeln!(
            text,
            "  Of {games} games of at most {moves} moves, where one that is cut off {counts}: {reached:.5} succeeded, \
             {cut_off:.5} were cut off."
        );
    }
    let [low, high] = chance.interval;
    let _ = writeln!(text, "  So the chance is between {low:.5} and {high:.5}, with 99% confidence.");
}
