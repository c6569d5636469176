//! Parity games: Alice wins if the greatest priority that comes back for ever is even.

mod chips;
pub mod claims;
mod money;
mod play;
mod winners;

use richman_core::{Node, ParityArena, Terminal};

pub(crate) use chips::ParityWithChips;
pub(crate) use money::ParityWithMoney;
pub use play::ParityInsight;
pub use winners::ParityWinners;

use super::AskedOption;
use crate::Error;

/// The options that no kind takes.
fn refusal(option: AskedOption) -> Option<Error> {
    Some(match option {
        AskedOption::AtLeast => Error::NoAverage,
        AskedOption::Within => Error::ParityWithin,
        AskedOption::Share => Error::ShareOfThreshold,
        AskedOption::Trace => Error::EndlessTrace,
        AskedOption::Credits => Error::CreditsOfOther,
    })
}

fn end_word(arena: &ParityArena, node: Node) -> Option<&'static str> {
    arena.terminal(node).map(|winner| winner.either("alice", "bob"))
}

/// The winner, if play has ended at the start.
fn end(arena: &ParityArena) -> Option<Terminal> {
    arena.terminal(arena.start()).map(Terminal::Win)
}
