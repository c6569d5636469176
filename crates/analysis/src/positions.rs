//! What every position of a game is worth: the rows of `solve --all`, made one by one from a solution.

use richman_core::{Arena, MoneySolution, Node, Outcome, Terminal, Total};
use serde::ser::{Serialize, Serializer};

use crate::chips::{Hands, Solved};
use crate::{BoundsJson, Request, ThresholdJson, chips, shares};

/// One position.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PositionRow {
    /// The position in the game's notation.
    pub position: String,
    /// How the game ended there: `alice`, `bob` or `draw`; null where it goes on.
    pub end: Option<&'static str>,
    /// What it is worth.
    #[serde(flatten)]
    pub worth: PositionWorth,
}

/// What a position is worth, in the terms of the question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum PositionWorth {
    /// With real money.
    Money {
        /// Alice can force a win when her share is above this.
        #[serde(flatten, serialize_with = "shares::win")]
        win: BoundsJson,
        /// Bob can force a win when Alice's share is below this.
        #[serde(flatten, serialize_with = "shares::draw")]
        draw: BoundsJson,
    },
    /// With a total of chips.
    Chips {
        /// What Alice needs to force a win.
        win: ThresholdJson,
        /// What Alice needs so that Bob cannot force a win.
        draw: ThresholdJson,
        /// Where holdings were given.
        #[serde(flatten)]
        holdings: Option<HoldingsWorth>,
    },
    /// With given holdings where chips leave the game.
    Purses(HoldingsWorth),
}

/// What given holdings lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct HoldingsWorth {
    /// Who can force what.
    #[serde(serialize_with = "crate::json::as_word")]
    pub outcome: Outcome,
    /// The fewest moves in which the winner can force it.
    pub within: Option<u32>,
}

/// What all rows are read from.
pub enum ArenaSolution {
    /// Thresholds on shares.
    Money(MoneySolution),
    /// Thresholds on the chips of a total.
    Chips(Solved, Total, Option<Hands>),
    /// Who can force what with the chips of both.
    Purses(Solved, Hands),
}

/// Every position of a game that was solved, in the order in which they were found. It is written as a list, row by
/// row: rows are never held
/// together.
pub struct Positions<'a> {
    request: Request<'a>,
    solution: &'a ArenaSolution,
}

impl<'a> Positions<'a> {
    /// The positions of a request and its solution.
    pub fn new(request: Request<'a>, solution: &'a ArenaSolution) -> Positions<'a> {
        Positions { request, solution }
    }

    /// The name of the game.
    pub fn game(&self) -> String {
        self.request.game()
    }

    /// Row by row.
    pub fn rows(&self) -> impl Iterator<Item = PositionRow> {
        self.arena().nodes().map(|node| self.row(node))
    }

    fn arena(&self) -> &'a Arena {
        self.request.unfolding.arena()
    }

    fn row(&self, node: Node) -> PositionRow {
        let worth = match self.solution {
            ArenaSolution::Money(solution) => PositionWorth::Money {
                win: BoundsJson(solution.win.get(node)),
                draw: BoundsJson(solution.draw.get(node)),
            },
            ArenaSolution::Chips(solved, total, hands) => {
                let [win, draw] = chips::thresholds(&self.request, solved, *total, node);
                PositionWorth::Chips { win, draw, holdings: hands.map(|hands| held(solved, node, hands)) }
            }
            ArenaSolution::Purses(solved, hands) => PositionWorth::Purses(held(solved, node, *hands)),
        };
        let end = self.arena().terminal(node).map(|end| match end {
            Terminal::Win(richman_core::Player::Alice) => "alice",
            Terminal::Win(richman_core::Player::Bob) => "bob",
            Terminal::Draw => "draw",
        });
        PositionRow { position: self.request.unfolding.notation(node), end, worth }
    }
}

fn held(solved: &Solved, node: Node, hands: Hands) -> HoldingsWorth {
    let (outcome, within) = chips::outcome_of(solved.forces(), node, hands);
    HoldingsWorth { outcome, within }
}

impl Serialize for Positions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

/// A report with every position under `rows`.
#[derive(serde::Serialize)]
pub struct WithPositions<'a, R> {
    /// The report on the start.
    #[serde(flatten)]
    pub report: &'a R,
    /// The positions.
    pub rows: &'a Positions<'a>,
}
