//! The values of every position: the rows of `solve --all`, made one by one from a solution.

use richman_core::{Node, Outcome};
use schemars::JsonSchema;
use serde::ser::{Serialize, Serializer};

use crate::json::OutcomeWord;
use crate::mean_payoff::{AveragesByHolding, CreditsByHolding};
use crate::{BoundsJson, NumberJson, ThresholdJson, shares};

/// One position.
#[derive(Debug, Clone, PartialEq, serde::Serialize, JsonSchema)]
pub struct PositionRow {
    /// The position in the game's notation.
    pub position: String,
    /// The result if the game has ended there: `alice`, `bob` or `draw`; else null.
    #[schemars(with = "Option<OutcomeWord>")]
    pub end: Option<&'static str>,
    /// Its value.
    #[serde(flatten)]
    pub worth: PositionWorth,
}

/// The value of a position.
#[derive(Debug, Clone, PartialEq, serde::Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PositionWorth {
    /// With real money.
    #[schemars(transform = shares::described)]
    Money {
        /// Alice can force a win with a larger share.
        #[serde(flatten, serialize_with = "shares::win")]
        #[schemars(!flatten)]
        win: BoundsJson,
        /// Bob can force a win if Alice has a smaller share.
        #[serde(flatten, serialize_with = "shares::draw")]
        #[schemars(!flatten)]
        draw: BoundsJson,
    },
    /// With a total of chips.
    Chips {
        /// Alice's win threshold.
        win: ThresholdJson,
        /// Alice's draw threshold.
        draw: ThresholdJson,
        /// The result for the given holdings, if any.
        #[serde(flatten)]
        holdings: Option<HoldingsWorth>,
    },
    /// In a mean-payoff game.
    Potential {
        /// What it is worth to be there, beside the average.
        potential: NumberJson,
    },
    /// In a mean-payoff game with chips.
    Averages {
        /// What both can hold the average to, for every holding of Alice.
        averages: AveragesByHolding,
        /// The least credits, if they were asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        credits: Option<CreditsByHolding>,
    },
    /// In a mean-payoff game, for given holdings.
    Average {
        /// What both can hold the average to.
        average: NumberJson,
    },
    /// For given holdings, where chips leave the game.
    Purses(HoldingsWorth),
}

/// The result for given holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, JsonSchema)]
#[schemars(inline)]
pub struct HoldingsWorth {
    /// The outcome that can be forced.
    #[serde(serialize_with = "crate::json::as_word")]
    #[schemars(with = "OutcomeWord")]
    pub outcome: Outcome,
    /// The fewest moves in which the winner can force it.
    pub within: Option<u32>,
}

/// Every position of a solved game, in the order of discovery. Serialises as a list, row by row:
/// the rows are never held together.
pub struct Positions<'a> {
    game: String,
    count: Node,
    row: Box<dyn Fn(Node) -> PositionRow + 'a>,
}

richman_core::debug_by_name!(Positions<'_> {});

impl<'a> Positions<'a> {
    /// A game's positions, by their number and their rows.
    pub(crate) fn of(game: String, count: Node, row: impl Fn(Node) -> PositionRow + 'a) -> Positions<'a> {
        Positions { game, count, row: Box::new(row) }
    }

    /// The game's name.
    pub fn game(&self) -> String {
        self.game.clone()
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = PositionRow> {
        (0..self.count).map(&self.row)
    }
}

impl Serialize for Positions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

/// A report with all positions under `rows`.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "{R}WithPositions")]
pub struct WithPositions<'a, R> {
    /// The report on the start.
    #[serde(flatten)]
    pub report: &'a R,
    /// The positions.
    #[schemars(with = "Vec<PositionRow>")]
    pub rows: &'a Positions<'a>,
}
