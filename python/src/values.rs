//! The thresholds of all positions of a game, column by column.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyList, PyType};
use richman::analysis::Wanted;
use richman::analysis::positions::PositionWorth;
use richman::core::{Game as _, ShareBounds, Watch};

use crate::answers::{Solution, document};
use crate::error::Fault;
use crate::game::Game;
use crate::options::Options;
use crate::questions::{Progress, solution};
use crate::work;

/// The win and the draw threshold of every position.
enum Columns {
    /// Bounds in doubles, which hold the exact shares.
    Doubles(Vec<[[f64; 2]; 2]>),
    Shares(Vec<[ShareBounds; 2]>),
    /// Twice the chips, and one more with the star; -1 if larger holdings need not suffice.
    HalfSteps(Vec<[i64; 2]>),
    /// The documents of thresholds with chips.
    Thresholds(Vec<[String; 2]>),
}

struct Found {
    /// The order of rows in the answer.
    order: Vec<u32>,
    /// The numbers of positions, for a graph from arrays.
    numbers: Option<Vec<u32>>,
    names: Vec<String>,
    columns: Columns,
}

/// Solves every position, unless `known` has them all: their numbers or names, and their
/// thresholds, to win and to draw.
///
/// Doubles, numbers and holdings come as bytes of 64-bit numbers; exact shares as fractions, and
/// exact thresholds with chips as documents. Columns of shares have lower and upper bounds.
#[pyfunction]
pub fn values<'py>(
    py: Python<'py>,
    game: &Game,
    known: Option<&Solution>,
    options: &str,
    exact: bool,
    progress: Progress<'_, '_>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (subject, graph, options) =
        (game.subject.clone(), game.graph.clone(), Options::read(options, Wanted::Solution)?);
    let known = known.map(|solution| solution.answer.clone()).filter(|answer| answer.positions().is_some());
    let found = work::done(py, options.question.end(), progress, move |worker| {
        let answer = match known {
            Some(answer) => answer,
            None => solution(&subject, &options, true, worker)?.into(),
        };
        let is_money = !options.question.has_chips();
        let unknown = || Fault::because("this answer does not have every position");
        let positions = answer.positions().ok_or_else(unknown)?;
        let (mut names, mut numbers) = (Vec::new(), Vec::new());
        let mut columns = match (is_money, exact) {
            (true, false) => Columns::Doubles(Vec::new()),
            (true, true) => Columns::Shares(Vec::new()),
            (false, false) => Columns::HalfSteps(Vec::new()),
            (false, true) => Columns::Thresholds(Vec::new()),
        };
        for (at, row) in positions.rows().enumerate() {
            if at.is_multiple_of(1 << 12) && worker.cancelled() {
                return Err(Fault::Stopped);
            }
            columns.push(row.worth)?;
            match &graph {
                Some(graph) => numbers.push(graph.parse(&row.position)?),
                None => names.push(row.position),
            }
        }
        let mut order: Vec<u32> = (0..names.len().max(numbers.len()) as u32).collect();
        order.sort_by_key(|&at| numbers.get(at as usize).copied());
        Ok(Found { order, numbers: graph.is_some().then_some(numbers), names, columns })
    })?;
    let Found { order, numbers, names, columns } = found;
    let positions = match numbers {
        Some(numbers) => bytes(py, &order, |at| i64::from(numbers[at]).to_ne_bytes())?,
        None => PyList::new(py, names)?.into_any(),
    };
    let [win, draw] = [0, 1].map(|which| columns.column(py, &order, which));
    Ok((positions, win?, draw?))
}

impl Columns {
    fn push(&mut self, worth: PositionWorth) -> Result<(), Fault> {
        match (self, worth) {
            (Columns::Doubles(column), PositionWorth::Money { win, draw }) => {
                column.push([win, draw].map(|bounds| match bounds.0.as_exact() {
                    Some(share) => share.to_f64_bounds(),
                    None => [bounds.0.low.to_f64_bounds()[0], bounds.0.high.to_f64_bounds()[1]],
                }));
            }
            (Columns::Shares(column), PositionWorth::Money { win, draw }) => column.push([win.0, draw.0]),
            (Columns::HalfSteps(column), PositionWorth::Chips { win, draw, .. }) => {
                let half_steps = |holding: richman::analysis::HoldingJson| i64::from(holding.0.half_steps());
                column.push([win, draw].map(|found| found.threshold.map_or(-1, half_steps)));
            }
            (Columns::Thresholds(column), PositionWorth::Chips { win, draw, .. }) => {
                column.push([document(&win)?, document(&draw)?]);
            }
            (_, PositionWorth::Potential { .. } | PositionWorth::Averages { .. } | PositionWorth::Average { .. }) => {
                let what = "a game for an average has no thresholds: ask for the rows, with all=True";
                return Err(Fault::because(what));
            }
            _ => {
                let what = "where chips leave the game, positions have no thresholds of their own";
                return Err(Fault::because(format!("{what}: ask for the rows of holdings, with all=True")));
            }
        }
        Ok(())
    }

    /// The win thresholds, or with `which` 1 the draw thresholds.
    fn column<'py>(&self, py: Python<'py>, order: &[u32], which: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Columns::Doubles(column) => {
                let end = |end: usize| bytes(py, order, |at| column[at][which][end].to_ne_bytes());
                Ok((end(0)?, end(1)?).into_pyobject(py)?.into_any())
            }
            Columns::HalfSteps(column) => bytes(py, order, |at| column[at][which].to_ne_bytes()),
            Columns::Thresholds(column) => {
                let texts = order.iter().map(|&at| &column[at as usize][which]);
                Ok(PyList::new(py, texts)?.into_any())
            }
            Columns::Shares(column) => {
                let fraction = py.import("fractions")?.getattr("Fraction")?;
                let (lows, highs) = (PyList::empty(py), PyList::empty(py));
                for (done, &at) in order.iter().enumerate() {
                    if done.is_multiple_of(1 << 12) {
                        py.check_signals()?;
                    }
                    let ShareBounds { low, high } = &column[at as usize][which];
                    let share = |share: &richman::core::Share| {
                        let parts = (&*share.numerator().to_le_bytes(), &*share.denominator().to_le_bytes());
                        fraction.call1((whole(py, parts.0)?, whole(py, parts.1)?))
                    };
                    let least = share(low)?;
                    highs.append(if low == high { least.clone() } else { share(high)? })?;
                    lows.append(least)?;
                }
                Ok((lows, highs).into_pyobject(py)?.into_any())
            }
        }
    }
}

/// 64-bit numbers in a mutable buffer.
fn bytes<'py>(py: Python<'py>, order: &[u32], number: impl Fn(usize) -> [u8; 8]) -> PyResult<Bound<'py, PyAny>> {
    let filled = PyByteArray::new_with(py, 8 * order.len(), |buffer| {
        for (slot, &at) in buffer.chunks_exact_mut(8).zip(order) {
            slot.copy_from_slice(&number(at as usize));
        }
        Ok(())
    });
    Ok(filled?.into_any())
}

/// The number of these bytes, the lowest first.
fn whole<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    if bytes.len() <= 8 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        return Ok(u64::from_le_bytes(word).into_pyobject(py)?.into_any());
    }
    PyType::new::<PyInt>(py).call_method1("from_bytes", (PyBytes::new(py, bytes), "little"))
}
