//! The values of every position: the rows of `solve --all`, made one by one from a solution.

use richman_core::{MoneySolution, Node, Outcome, Terminal, Total};
use serde::ser::{Serialize, Serializer};

use crate::chips::{HoldingsQuery, SolvedChips};
use crate::mean_payoff::{AveragesByHolding, NumberJson};
use crate::{BoundsJson, Request, ThresholdJson, chips, shares};

/// One position.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PositionRow {
    /// The position in the game's notation.
    pub position: String,
    /// The result if the game has ended there: `alice`, `bob` or `draw`; else null.
    pub end: Option<&'static str>,
    /// Its value.
    #[serde(flatten)]
    pub worth: PositionWorth,
}

/// The value of a position.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum PositionWorth {
    /// With real money.
    Money {
        /// Alice can force a win with a larger share.
        #[serde(flatten, serialize_with = "shares::win")]
        win: BoundsJson,
        /// Bob can force a win if Alice has a smaller share.
        #[serde(flatten, serialize_with = "shares::draw")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct HoldingsWorth {
    /// The outcome that can be forced.
    #[serde(serialize_with = "crate::json::as_word")]
    pub outcome: Outcome,
    /// The fewest moves in which the winner can force it.
    pub within: Option<u32>,
}

/// The solution that the rows are read from.
pub enum ArenaSolution {
    /// Thresholds for real money.
    Money(MoneySolution),
    /// Thresholds for a total of chips.
    Chips(SolvedChips, Total, Option<HoldingsQuery>),
    /// Outcomes for the chips of both players.
    Purses(SolvedChips, HoldingsQuery),
}

/// Every position of a solved game, in the order of discovery. Serialises as a list, row by row:
/// the rows are never held together.
pub struct Positions<'a> {
    game: String,
    count: Node,
    row: Box<dyn Fn(Node) -> PositionRow + 'a>,
}

impl<'a> Positions<'a> {
    /// The positions of a solved request.
    pub fn new(request: Request<'a>, solution: &'a ArenaSolution) -> Positions<'a> {
        let count = request.unfolding.arena().len() as Node;
        Positions::of(request.game(), count, move |node| row(&request, solution, node))
    }

    /// So many positions of a game, by their rows.
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

fn row(request: &Request, solution: &ArenaSolution, node: Node) -> PositionRow {
    let worth = match solution {
        ArenaSolution::Money(solution) => {
            PositionWorth::Money { win: BoundsJson(solution.win.get(node)), draw: BoundsJson(solution.draw.get(node)) }
        }
        ArenaSolution::Chips(solved, total, hands) => {
            let [win, draw] = chips::thresholds(request, solved, *total, node);
            PositionWorth::Chips { win, draw, holdings: hands.map(|hands| held(solved, node, hands)) }
        }
        ArenaSolution::Purses(solved, hands) => PositionWorth::Purses(held(solved, node, *hands)),
    };
    let end = request.unfolding.arena().terminal(node).map(|end| match end {
        Terminal::Win(richman_core::Player::Alice) => "alice",
        Terminal::Win(richman_core::Player::Bob) => "bob",
        Terminal::Draw => "draw",
    });
    PositionRow { position: request.unfolding.notation(node), end, worth }
}

fn held(solved: &SolvedChips, node: Node, hands: HoldingsQuery) -> HoldingsWorth {
    let (outcome, within) = chips::outcome_of(solved.forces(), node, hands);
    HoldingsWorth { outcome, within }
}

impl Serialize for Positions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

/// A report with all positions under `rows`.
#[derive(serde::Serialize)]
pub struct WithPositions<'a, R> {
    /// The report on the start.
    #[serde(flatten)]
    pub report: &'a R,
    /// The positions.
    pub rows: &'a Positions<'a>,
}
