//! Handles on answers: the document that the command prints, and its drawings.

use std::sync::Arc;

use pyo3::prelude::*;
use richman::analysis::tree::TreeReport;
use richman::analysis::unitary::{Automaton, BidFigure, ConvergenceReport, drawing};
use richman::analysis::{Answer, AnyTable};
use richman::core::{Mechanism, Player, Total};
use richman::play::review::Review;
use richman::render::tree::{dot, svg};
use richman::render::{deciding, heat, review_plot, unitary_figures};
use serde::Serialize;

use crate::error::{Error, Fault};
use crate::game::Game;

/// The line of JSON that the command prints for a report, without its end.
pub fn document(report: &impl Serialize) -> Result<String, Fault> {
    Ok(serde_json::to_string(report)?)
}

/// An answer that is only a document.
#[pyclass(frozen, module = "richman._richman")]
pub struct Document {
    #[pyo3(get)]
    pub document: String,
}

impl Document {
    pub fn of(report: &impl Serialize) -> Result<Document, Fault> {
        Ok(Document { document: document(report)? })
    }
}

/// What a position is worth.
#[pyclass(frozen, module = "richman._richman")]
pub struct Solution {
    #[pyo3(get)]
    pub document: String,
    /// The position as text.
    #[pyo3(get)]
    pub picture: String,
    /// The values of all positions of a scoring game, drawn.
    #[pyo3(get)]
    pub map: Option<String>,
    pub answer: Arc<Answer>,
    pub position: Option<String>,
    pub is_money: bool,
}

#[pymethods]
impl Solution {
    /// The board with the best moves; None unless it has a board and the answer is for real money.
    fn svg(&self, game: &Game) -> PyResult<Option<String>> {
        let walk = game.subject.walk(self.position.as_deref()).map_err(Fault::from)?;
        let has_board = walk.scene().is_some() && self.is_money;
        Ok(has_board.then(|| deciding::standalone_svg(walk.as_ref(), &self.answer.report)))
    }
}

/// A table of thresholds.
#[pyclass(frozen, module = "richman._richman")]
pub struct Table {
    #[pyo3(get)]
    pub document: String,
    pub report: AnyTable,
    pub mechanism: Mechanism,
    pub of: Option<Player>,
}

#[pymethods]
impl Table {
    /// Who can force a win, one map for each owner of the star.
    fn maps(&self) -> Vec<String> {
        let styled = |svg: String| match svg.find('>') {
            Some(end) => format!("{}<style>{}</style>{}", &svg[..=end], heat::STYLE, &svg[end + 1..]),
            None => svg,
        };
        let map = |star| match &self.report {
            AnyTable::Totals(report) => heat::of_totals(report, star),
            AnyTable::Holdings(report) => heat::of_holdings(report, self.of.unwrap_or(Player::Bob), star),
        };
        heat::stars(&self.mechanism).into_iter().map(map).map(styled).collect()
    }
}

/// A tree of optimal moves.
#[pyclass(frozen, module = "richman._richman")]
pub struct Tree {
    #[pyo3(get)]
    pub document: String,
    /// The tree as text.
    #[pyo3(get)]
    pub text: String,
    pub report: TreeReport,
}

#[pymethods]
impl Tree {
    fn svg(&self) -> String {
        svg::render(&self.report)
    }

    fn dot(&self) -> String {
        dot::render(&self.report)
    }
}

/// The review of a match.
#[pyclass(frozen, module = "richman._richman")]
pub struct Reviewed {
    #[pyo3(get)]
    pub document: String,
    pub report: Review,
}

#[pymethods]
impl Reviewed {
    /// Both players' margins; None if there are none.
    fn svg(&self) -> Option<String> {
        review_plot::svg(&self.report)
    }
}

/// Where unitary games converge, or a bidding automaton.
#[pyclass(frozen, module = "richman._richman")]
pub struct Unitary {
    #[pyo3(get)]
    pub document: String,
    pub report: UnitaryReport,
}

/// Either report on unitary games.
pub enum UnitaryReport {
    Convergence(ConvergenceReport),
    Automaton(Total, Automaton),
}

impl UnitaryReport {
    pub fn document(&self) -> Result<String, Fault> {
        match self {
            UnitaryReport::Convergence(report) => document(report),
            UnitaryReport::Automaton(_, report) => document(report),
        }
    }
}

#[pymethods]
impl Unitary {
    fn svg(&self) -> PyResult<String> {
        match &self.report {
            UnitaryReport::Convergence(report) => Ok(unitary_figures::law(&report.rows, report.law.as_ref())),
            UnitaryReport::Automaton(total, _) if total.chips() > unitary_figures::MOST_CHIPS => {
                let most = unitary_figures::MOST_CHIPS;
                Err(Error::new_err(format!("bids are drawn for up to {most} chips: ask for less")))
            }
            UnitaryReport::Automaton(total, _) => {
                let drawings = BidFigure::ALL.map(|bidding| (bidding, drawing(*total, bidding)));
                Ok(unitary_figures::bids(&drawings))
            }
        }
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Document>()?;
    module.add_class::<Solution>()?;
    module.add_class::<Table>()?;
    module.add_class::<Tree>()?;
    module.add_class::<Reviewed>()?;
    module.add_class::<Unitary>()
}
