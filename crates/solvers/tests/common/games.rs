//! Games by name.

use richman_core::{Effort, Unfolding, WinLose};
use richman_games::Games;

/// All positions that can follow the start of a game.
pub fn unfolded(name: &str) -> Box<dyn Unfolding> {
    Games::default().find(name).unwrap().played_for::<WinLose>().unwrap().unfold(None, &Effort::default()).unwrap()
}
