//! What is saved of a game that a player wins.

mod chips;
mod money;
mod purses;
mod rules;
mod sides;

pub use chips::{ChipClaim, ChipClaims};
pub use money::{MoneyClaim, MoneyValue};
pub use purses::{PurseClaim, PurseClaims};
pub use rules::{PeriodClaim, RuleValue, RulesClaim};
pub use sides::{CellStage, ChipValue, PositionClaim, PurseValue};
