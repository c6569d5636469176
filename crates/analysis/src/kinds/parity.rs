//! Parity games: Alice wins if the greatest priority that recurs forever is even.

mod chips;
pub mod claims;
mod money;
mod play;
mod winners;

use richman_core::{Choice, Node, ParityArena, Terminal};

pub(crate) use chips::ParityWithChips;
pub(crate) use money::ParityWithMoney;
pub use play::ParityInsight;
pub use winners::ParityWinners;

use crate::Error;

/// The errors for choices that no kind takes.
fn refusal(choice: Choice) -> Option<Error> {
    Some(match choice {
        Choice::AT_LEAST => Error::NoAverage,
        Choice::WITHIN => Error::ParityWithin,
        Choice::SHARE => Error::ShareOfThreshold,
        Choice::TRACE => Error::EndlessTrace,
        Choice::CREDITS => Error::CreditsOfOther,
        _ => return None,
    })
}

fn end_word(arena: &ParityArena, node: Node) -> Option<&'static str> {
    arena.terminal(node).map(|winner| winner.either("alice", "bob"))
}

/// The winner, if play has ended at the start.
fn end(arena: &ParityArena) -> Option<Terminal> {
    arena.terminal(arena.start()).map(Terminal::Win)
}
