//! A player that never overlooks a certainty of one turn.
//!
//! It acts like another player, except that it takes a win at once that nobody can prevent, and
//! prevents a loss at once if it is certain to. Before a move, a loss at once includes a position
//! in which the other player is certain to win with the next move.

use richman_core::{Effort, Goal, Player, StarUse, Walk};

use super::{Computer, PlayerError, Seat};
use crate::certain::{TurnEnds, nearest, wins_next};
use crate::{Action, Decision};

/// Acts like another player, but never overlooks a certainty.
pub struct Certain {
    /// The other player.
    pub player: Box<dyn Computer>,
}

richman_core::debug_by_name!(Certain {});

impl Computer for Certain {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        let action = self.player.act(seat, effort)?;
        Ok(corrected(seat, action, effort))
    }
}

/// The action, or one that is certain to win at once or to prevent a loss at once.
pub fn corrected(seat: &Seat, action: Action, effort: &Effort) -> Action {
    let (player, mechanism) = (seat.player, &seat.rules().mechanism);
    let Some(decision) = seat.decision() else { return action };
    let Some(ends) = TurnEnds::of(seat.walk(), mechanism, seat.view.hands) else { return action };
    for goal in [Goal::Win, Goal::Draw] {
        match (decision, &action) {
            (Decision::Bid, Action::Bid(bid)) => {
                if let Some(certain) = nearest(&ends.bids(goal, player, seat.named()), *bid) {
                    return Action::Bid(certain);
                }
            }
            (Decision::Star { bid }, Action::UseStar(_)) => {
                match [StarUse::Used, StarUse::Kept].map(|used| ends.star(goal, player, bid, used)) {
                    [false, false] => {}
                    [true, true] => return action,
                    [used, _] => return Action::UseStar(used),
                }
            }
            (Decision::Move { .. }, _) if goal == Goal::Win => {
                let is_win = |name: &str| action == Action::Move(name.to_string());
                let mut wins = ends.moves(goal, player).peekable();
                if let Some(first) = wins.peek().map(|first| Action::Move(first.to_string())) {
                    return if wins.any(is_win) { action } else { first };
                }
            }
            (Decision::Move { .. }, _) => return safe_move(seat, action, effort),
            _ => return action,
        }
    }
    action
}

/// The move, unless it loses at once and another does not.
fn safe_move(seat: &Seat, action: Action, effort: &Effort) -> Action {
    let Action::Move(name) = &action else { return action };
    let (player, until) = (seat.player, effort.until());
    let loses = |after: &dyn Walk| loses(seat, player, after);
    let mut after = seat.walk().boxed();
    if after.play(player, name).is_err() || !loses(after.as_ref()) {
        return action;
    }
    let others = seat.walk().after_moves(player).into_iter().take_while(|_| !until.is_over());
    let safe = { others }.find(|(_, after)| !loses(after.as_ref()));
    safe.map_or(action, |(name, _)| Action::Move(name))
}

/// Whether the other player has won after the player's move, or is certain to with the next.
fn loses(seat: &Seat, player: Player, after: &dyn Walk) -> bool {
    match after.end() {
        Some(end) => crate::MatchEnd::Game(end).winner() == Some(player.other()),
        None => seat.left() > 0 && wins_next(after, &seat.rules().mechanism, seat.view.hands, player.other()),
    }
}
