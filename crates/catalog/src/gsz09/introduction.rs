//! The introduction's statements about earlier bidding games.

use super::alternation::{Alternation, AlternationState};
use richman_core::{ByPlayer, Effort, Forces, Holding, Mechanism, Payment, Player, Purses, Right, Ties};
use richman_solvers::purses;

use super::super::samples::ArenaKind;
use super::super::{Finding, Session};
use crate::Error;

/// Compares alternating ties, which are counted, with a star that must be used: who wins, in how
/// many moves, and who can avoid losing.
pub fn alternation(session: &mut Session) -> Result<Finding, Error> {
    let (most, moves) = if session.deep { (4, 6) } else { (3, 5) };
    const ARENAS: usize = 100;
    let mut finding = Finding::over(format!(
        "{ARENAS} of {}; sealed bids, both payments, both rights; purses of up to {most} chips in all, after no, one \
         and two ties; wins and draws within {moves} moves",
        session.range(ArenaKind::Any)
    ));
    let choices = [Payment::Richman, Payment::Poorman]
        .into_iter()
        .flat_map(|payment| [Right::Chooses, Right::Moves].map(|right| (payment.clone(), right)));
    let choices: Vec<(Payment, Right)> = choices.collect();
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().take(ARENAS).enumerate() {
        let (payment, right) = &choices[number % choices.len()];
        let mechanism =
            Mechanism { payment: payment.clone(), ties: Ties::Marker, right: *right, ..Mechanism::default() };
        let effort = Effort { within: Some(moves), ..Effort::default() };
        let first = Player::BOTH[number / choices.len() % 2];
        let mut played = Alternation::new(arena, payment, *right, first);
        for total in 0..=most {
            let purses = if *payment == Payment::Richman { Purses::Exactly(total) } else { Purses::Together(total) };
            let solution = purses::solve(arena, &mechanism, purses, &effort)?;
            for (node, alice) in arena.nodes().flat_map(|node| (0..=total).map(move |alice| (node, alice))) {
                for ties in 0..=2 {
                    let state = AlternationState { node, chips: ByPlayer::new(alice, total - alice), ties };
                    let next = if ties == 1 { first.other() } else { first };
                    let hold = |player: Player| Holding::new(state.chips[player], next == player);
                    for player in Player::BOTH {
                        let (own, other) = (hold(player)?, hold(player.other())?);
                        let star =
                            (solution.wins_in(player, node, own, other), solution.holds(player, node, own, other));
                        let turns = (played.rank(player, state, moves), played.can_draw(player, state, moves));
                        let at =
                            || format!("arena {number}, position {node}, {alice} of {total}, {ties} ties, {player}");
                        finding.holds(star == turns, at);
                    }
                }
            }
        }
    }
    Ok(finding)
}
