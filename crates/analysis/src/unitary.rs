//! Unitary games of Cumulative Subtraction: convergence, and the bidding automaton [LPR20, section
//! 3.4].

use std::ops::RangeInclusive;

use dashu_ratio::RBig;
use richman_core::{Total, Watch};
use richman_heaps::subtraction::Unitary;
use richman_heaps::subtraction::automaton::{self, HeapParity};
pub use richman_heaps::subtraction::automaton::{BidWin, Edge};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::Error;

/// The heap at which one total converges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Convergence {
    /// The total.
    pub total: u32,
    /// The least heap from which on every heap has the same values as the heap with two more items.
    pub converged: u64,
    /// The bound of [LPR20, Theorem 28], rounded down.
    pub bound: u64,
    /// The bound of docs/design.md, theorem 21 (unitary games, large heaps).
    pub proved: u64,
    /// Whether the later values are those of the bidding automaton.
    pub automaton: bool,
}

/// The convergence of several totals, and its law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConvergenceReport {
    /// A row for each total.
    pub rows: Vec<Convergence>,
    /// The law fitted to the rows, given at least three different ones.
    #[serde(serialize_with = "in_words")]
    #[schemars(with = "Option<String>")]
    pub law: Option<ConvergenceLaw>,
}

impl ConvergenceReport {
    /// The convergence of these totals, with its law.
    ///
    /// # Errors
    /// [`richman_core::Error::TooLarge`], [`richman_core::Error::Cancelled`].
    pub fn new(totals: RangeInclusive<Total>, watch: &dyn Watch) -> Result<ConvergenceReport, Error> {
        let rows = convergence(totals, watch)?;
        Ok(ConvergenceReport { law: ConvergenceLaw::fitted(&rows), rows })
    }
}

fn in_words<S: Serializer>(law: &Option<ConvergenceLaw>, serializer: S) -> Result<S::Ok, S::Error> {
    law.as_ref().map(ToString::to_string).serialize(serializer)
}

/// The bound in the last step of [LPR20, Theorem 28], as printed, rounded down.
pub fn printed_bound(total: u32) -> u64 {
    let total = u64::from(total);
    if total.is_multiple_of(2) {
        1 + (total / 2 + 1) * (total / 2) - total / 2
    } else {
        1 + total.div_ceil(2).pow(2) - total.div_ceil(2)
    }
}

/// The convergence of these totals.
///
/// # Errors
/// [`richman_core::Error::TooLarge`], [`richman_core::Error::Cancelled`].
pub fn convergence(totals: RangeInclusive<Total>, watch: &dyn Watch) -> Result<Vec<Convergence>, Error> {
    let mut rows = Vec::new();
    for chips in totals.start().chips()..=totals.end().chips() {
        let total = Total::new(chips)?;
        let mut game = Unitary::new(total)?;
        let converged = loop {
            if let Some(heap) = game.converged() {
                break heap;
            }
            const HEAPS_AT_ONCE: u64 = 64; // with a large total each takes a while
            if game.heap().is_multiple_of(HEAPS_AT_ONCE) && watch.cancelled() {
                return Err(richman_core::Error::Cancelled.into());
            }
            if game.heap() != 0 && game.heap().is_multiple_of(1 << 16) {
                watch.progress("heaps of one total", game.heap(), None);
            }
            game.advance();
        };
        watch.progress("totals", u64::from(chips), Some(totals.end().chips().into()));
        let mut automaton = true;
        for _ in 0..2 {
            let parity = HeapParity::of(game.heap());
            automaton &=
                (0..=chips).zip(game.row()).all(|(p, &value)| i64::from(value) == automaton::value(total, parity, p));
            game.advance();
        }
        rows.push(Convergence {
            total: chips,
            converged,
            bound: printed_bound(chips),
            proved: automaton::proved_bound(total),
            automaton,
        });
    }
    Ok(rows)
}

/// The bidding automaton of a total, and the heap from which it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Automaton {
    /// The total.
    pub total: u32,
    /// The values of large even heaps with total, total - 1, ..., 0 chips and the marker.
    pub even: Vec<i64>,
    /// The values of large odd heaps.
    pub odd: Vec<i64>,
    /// The least heap from which on these values hold.
    pub converged: u64,
    /// The bound of [LPR20, Theorem 28], rounded down.
    pub bound: u64,
}

impl Automaton {
    /// The automaton, compared with values computed heap by heap.
    ///
    /// # Errors
    /// [`richman_core::Error::TooLarge`], [`richman_core::Error::Cancelled`].
    pub fn new(total: Total, watch: &dyn Watch) -> Result<Automaton, Error> {
        let found = convergence(total..=total, watch)?;
        let values = |parity| (0..=total.chips()).rev().map(|p| automaton::value(total, parity, p)).collect();
        Ok(Automaton {
            total: total.chips(),
            even: values(HeapParity::Even),
            odd: values(HeapParity::Odd),
            converged: found.first().map_or(0, |row| row.converged),
            bound: printed_bound(total.chips()),
        })
    }
}

/// A law a m^2 + b m + c for the heap at which the totals 2m - 1 and 2m converge: a least-squares
/// fit, not a theorem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvergenceLaw {
    coefficients: [RBig; 3],
    /// Its largest error at the fitted heaps, rounded up.
    pub error: u64,
}

impl ConvergenceLaw {
    /// The law of `rows`, given at least three different m.
    pub fn fitted(rows: &[Convergence]) -> Option<ConvergenceLaw> {
        let m = |row: &Convergence| RBig::from(row.total.div_ceil(2));
        // The normal equations, solved exactly.
        let mut equations = vec![vec![RBig::ZERO; 4]; 3];
        for row in rows {
            let m = m(row);
            let powers = [&m * &m, m, RBig::ONE];
            for (equation, left) in equations.iter_mut().zip(&powers) {
                for (cell, right) in equation.iter_mut().zip(&powers) {
                    *cell += left * right;
                }
                equation[3] += left * RBig::from(row.converged);
            }
        }
        for pivot in 0..3 {
            let found = (pivot..3).find(|&line| equations[line][pivot] != RBig::ZERO)?;
            equations.swap(pivot, found);
            let line = equations[pivot].clone();
            for (other, equation) in equations.iter_mut().enumerate() {
                if other != pivot {
                    let times = &equation[pivot] / &line[pivot];
                    equation.iter_mut().zip(&line).for_each(|(cell, from)| *cell -= &times * from);
                }
            }
        }
        let coefficient = |line: usize| &equations[line][3] / &equations[line][line];
        let mut law = ConvergenceLaw { coefficients: [coefficient(0), coefficient(1), coefficient(2)], error: 0 };
        let off = |row: &Convergence| {
            let off = law.at(row.total) - RBig::from(row.converged);
            let off = if off < RBig::ZERO { -off } else { off };
            u64::try_from(off.ceil()).unwrap_or(u64::MAX)
        };
        law.error = rows.iter().map(off).max().unwrap_or(0);
        Some(law)
    }

    /// Its value for a total.
    pub fn at(&self, total: u32) -> RBig {
        let m = RBig::from(total.div_ceil(2));
        let [a, b, c] = &self.coefficients;
        (a * &m + b) * &m + c
    }

    /// The coefficients of m^2, m and 1, rounded.
    pub fn coefficients(&self) -> [f64; 3] {
        self.coefficients.each_ref().map(|coefficient| coefficient.to_f64().value())
    }
}

impl std::fmt::Display for ConvergenceLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b, c] = self.coefficients();
        write!(f, "{a:.5} m^2 {b:+.3} m {c:+.2}, within {} heaps", self.error)
    }
}

/// A drawing of bids: nodes are Alice's chips and the marker's holder, edges are winning bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidGraph {
    /// The number of chips; there are total + 1 nodes, the richest first.
    pub total: Total,
    /// The title.
    pub title: String,
    /// One picture for each bid.
    pub pictures: Vec<Picture>,
}

/// The picture of one bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The bid.
    pub bid: u32,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// The four figures of [LPR20, section 5].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BidFigure {
    /// Alice wins by a tie (figure 3).
    Ties,
    /// Either player wins by a higher bid (figure 4).
    Wins,
    /// Alice wins by a higher bid that is no higher than necessary (figure 5).
    AliceWins,
    /// Bob wins by such a bid (figure 6).
    BobWins,
}

impl BidFigure {
    /// All four, in the order of the figures.
    pub const ALL: [BidFigure; 4] = [BidFigure::Ties, BidFigure::Wins, BidFigure::AliceWins, BidFigure::BobWins];

    /// Its number in LPR20.
    pub fn figure(self) -> u32 {
        match self {
            BidFigure::Ties => 3,
            BidFigure::Wins => 4,
            BidFigure::AliceWins => 5,
            BidFigure::BobWins => 6,
        }
    }
}

/// The drawing of a total's bids, without bids that have no edges.
pub fn drawing(total: Total, bidding: BidFigure) -> BidGraph {
    let (title, kinds, relevant): (_, &[BidWin], _) = match bidding {
        BidFigure::Ties => ("Alice wins a tie and passes the marker on", &[BidWin::Tie], false),
        BidFigure::Wins => ("Alice wins to the right, Bob to the left", &[BidWin::Alice, BidWin::Bob], false),
        BidFigure::AliceWins => ("Alice wins, without bids above Bob's chips", &[BidWin::Alice], true),
        BidFigure::BobWins => ("Bob wins, without bids of more than Alice's chips and one", &[BidWin::Bob], true),
    };
    let first = if bidding == BidFigure::Ties { 0 } else { 1 };
    let picture = |bid| {
        let edges: Vec<Edge> = kinds.iter().flat_map(|&won| automaton::edges(total, won, bid, relevant)).collect();
        (!edges.is_empty()).then_some(Picture { bid, edges })
    };
    let pictures = (first..=total.chips()).map_while(picture).collect();
    BidGraph { total, title: title.to_string(), pictures }
}

#[cfg(test)]
mod tests {
    use super::*;
    use richman_core::Unwatched;

    #[test]
    fn totals_converge_in_pairs_and_within_the_bounds() {
        let totals = Total::new(0).unwrap()..=Total::new(60).unwrap();
        let rows = convergence(totals, &Unwatched).unwrap();
        let first: Vec<u64> = rows.iter().step_by(2).map(|row| row.converged).take(6).collect();
        assert_eq!(first, [0, 1, 3, 7, 11, 17]);
        assert!(rows.iter().all(|row| row.automaton && row.converged <= row.bound.min(row.proved)));
        assert!(rows[1..].chunks(2).all(|pair| pair.iter().all(|row| row.converged == pair[0].converged)));
        let law = ConvergenceLaw::fitted(&rows).unwrap();
        assert!(law.error <= 3, "{law}");
        assert_eq!(ConvergenceLaw::fitted(&rows[..3]), None);
    }

    #[test]
    fn pictures_of_five_chips() {
        let five = Total::new(5).unwrap();
        let counts = |bidding| drawing(five, bidding).pictures.iter().map(|p| p.edges.len()).collect::<Vec<_>>();
        assert_eq!(counts(BidFigure::Ties), [6, 4, 2]);
        assert_eq!(counts(BidFigure::Wins), [10, 8, 6, 4, 2]);
        assert_eq!(counts(BidFigure::AliceWins), [4, 2]);
        assert_eq!(counts(BidFigure::BobWins), [5, 3, 1]);
    }
}
