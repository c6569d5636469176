//! Mean-payoff games: the long-run average of the weights of all moves, or what Alice needs for an
//! average of at least a given number.

mod at_least;
mod chips;
pub mod claims;
mod credits;
mod money;
mod one_sided;
mod play;

use richman_core::{Choice, PayoffBounds};

pub(crate) use at_least::AtLeastWithMoney;
pub(crate) use chips::{AtLeastWithChips, AverageWithChips};
pub use chips::{AverageChipsReport, AverageOfHoldings, AveragesByHolding};
pub use credits::CreditsByHolding;
pub(crate) use credits::CreditsWithChips;
pub use money::AverageReport;
pub(crate) use money::AverageWithMoney;
pub use one_sided::OneSidedAverage;
pub use play::AveragesInsight;

pub use crate::number::NumberJson;

use crate::Error;

/// The errors for choices that most kinds do not take.
fn refusal(choice: Choice) -> Option<Error> {
    match choice {
        Choice::WITHIN => Some(Error::AverageWithin),
        Choice::SHARE => Some(Error::ShareOfThreshold),
        Choice::TRACE => Some(Error::EndlessTrace),
        Choice::CREDITS => Some(Error::CreditsOfOther),
        _ => None,
    }
}

/// The same for kinds with chips.
fn refusal_with_chips(choice: Choice) -> Option<Error> {
    if choice == Choice::SHARE { Some(Error::ShareOfChips) } else { refusal(choice) }
}

/// The least and the greatest number.
fn ends(average: &PayoffBounds) -> [NumberJson; 2] {
    [&average.low, &average.high].map(|end| NumberJson(end.clone()))
}
