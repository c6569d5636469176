//! The cost of unfolding an arena, solving it, and holding both.
//!
//! Measured on two cores with the corpus of `cargo bench -p richman-analysis --bench offers`, which
//! asserts the estimates.

use std::time::Duration;

use richman_core::{ArenaSize, Effort, Player, Walk};
use richman_engine::Cost;

use super::{Question, Stake};

/// Microseconds and bytes for a position.
#[derive(Debug, Clone, Copy)]
struct PositionCost {
    time: f64,
    bytes: f64,
}

/// The cost of unfolding and solving all positions that can follow; unknown for rare questions.
pub(super) fn arena_cost(walk: &dyn Walk, question: &Question, effort: &Effort) -> Cost {
    const LEAST_BYTES: u64 = 64;
    let most = effort.positions.min(effort.memory / LEAST_BYTES).max(1);
    match walk.about_arena(most.saturating_add(1)) {
        None => Cost::Unknown,
        Some(arena) if arena.positions > most => Cost::TooMuch { positions: most },
        Some(arena) => each(&arena, question, walk).map_or(Cost::Unknown, |each| Cost::About {
            time: Duration::from_secs_f64(arena.positions as f64 * each.time / 1e6),
            memory: Some((arena.positions as f64 * each.bytes) as u64),
        }),
    }
}

fn each(arena: &ArenaSize, question: &Question, walk: &dyn Walk) -> Option<PositionCost> {
    /// Above this many moves in all, equations with cycles take twice as long.
    const MANY: f64 = 1e7;
    let has_bank = question.mechanism.has_bank();
    let is_money = match question.stake {
        Stake::Money => true,
        Stake::Total(_) | Stake::Hands(_) if !has_bank => false,
        _ => return None,
    };
    if question.within.is_some() || !question.aim.facts().won_at_end {
        return None;
    }
    let moves = Player::BOTH.map(|player| walk.moves(player).len()).iter().sum::<usize>() as f64;
    let each = match arena.longest_play {
        Some(longest) => {
            // An exact share has one bit for every move of a play.
            let bits = if is_money { longest as f64 } else { 0.0 };
            PositionCost { time: 0.05 + 0.01 * moves + bits / 1e4, bytes: 65.0 + 1.5 * moves + bits / 4.0 }
        }
        None if is_money => {
            let again = (arena.positions as f64 * moves / MANY).max(1.0);
            PositionCost { time: (3.0 + 0.6 * moves) * again, bytes: 300.0 + 20.0 * moves }
        }
        None => PositionCost { time: 0.2 * moves, bytes: 100.0 + 6.0 * moves },
    };
    let [time, bytes] = match (is_money, has_bank) {
        (true, false) => [1.0, 1.0],
        (true, true) => [5.0, 3.2],
        (false, _) => [1.6, 1.6],
    };
    Some(PositionCost { time: each.time * time, bytes: each.bytes * bytes })
}
