//! LPR20's claims: Larsson, Patel and Rai, Discrete Richman-bidding scoring games. TB is the total,
//! p are Left's chips, q = TB - p Right's, x is the heap, and a hat means that Left has the marker.
//! Left is Alice.
//!
//! Lemmas are checked for every heap, on values computed by the definition of a turn. From
//! convergence on rows repeat, so checking up to there suffices.

use std::cmp::Ordering;

use richman_core::Total;
use richman_heaps::subtraction::Unitary;

use super::{Claims, Finding, Session};
use crate::Error;
use crate::subtraction::{HeapRow, Heaps, SubtractionRules};
use lemmas::everywhere;

mod automaton;
mod equilibria;
mod examples;
mod lemmas;
mod questions;

/// In the order of the paper.
pub const CLAIMS: Claims = &[
    ("Section 1", examples::section_1),
    ("Theorem 3", equilibria::theorem_3),
    ("Proposition 4", equilibria::proposition_4),
    ("Conjecture 7", equilibria::conjecture_7),
    ("Example 2.1", equilibria::example_2_1),
    ("Example 2.2", equilibria::example_2_2),
    ("Lemma 9", |session| everywhere(session, lemmas::lemma_9)),
    ("Definition 10", lemmas::definition_10),
    ("Example 11", examples::example_11),
    ("Example 12", examples::example_12),
    ("Theorem 13", |session| everywhere(session, lemmas::theorem_13)),
    ("Figure 1", examples::figure_1),
    ("Figure 2", examples::figure_2),
    ("Lemma 14", |session| everywhere(session, lemmas::lemma_14)),
    ("Remark 15", |session| everywhere(session, lemmas::remark_15)),
    ("Lemma 16", lemmas::lemma_16),
    ("Lemma 17", |session| everywhere(session, lemmas::lemma_17)),
    ("Lemma 18", lemmas::lemma_18),
    ("Lemma 19", |session| everywhere(session, lemmas::lemma_19)),
    ("Lemma 20", |session| everywhere(session, lemmas::lemma_20)),
    ("Observation 21", |session| everywhere(session, lemmas::observation_21)),
    ("Lemma 22", |session| everywhere(session, lemmas::lemma_22)),
    ("Proposition 23", |session| everywhere(session, lemmas::proposition_23)),
    ("Lemma 24", |session| everywhere(session, lemmas::lemma_24)),
    ("Theorem 25", automaton::theorem_25),
    ("Lemma 26", automaton::lemma_26),
    ("Lemma 27", automaton::lemma_27),
    ("Theorem 28", automaton::theorem_28),
    ("Theorem 28 sum for even TB", automaton::even_sum),
    ("Conjecture 29", automaton::conjecture_29),
    ("Theorem 30", automaton::theorem_30),
    ("Section 4 tight bound", automaton::tight_bound),
    ("Section 4 finite sets", questions::finite_sets),
    ("Section 4 restricted bids", questions::restricted_bids),
    ("Section 4 no bids of 0", questions::no_zero),
    ("Section 4 partizan bids", questions::partizan_bids),
    ("Section 4 self-interest", questions::self_interest),
    ("Section 4 general sum", questions::trees),
    ("Figure 3", automaton::figure_3),
    ("Figure 4", automaton::figure_4),
    ("Figure 5", automaton::figure_5),
    ("Figure 6", automaton::figure_6),
];

/// One total's values by definition, from the empty heap to two heaps beyond convergence.
pub struct UnitaryValues {
    total: u32,
    rows: Vec<HeapRow>,
}

impl UnitaryValues {
    fn new(chips: u32) -> Result<UnitaryValues, Error> {
        let total = Total::new(chips)?;
        let mut game = Unitary::new(total)?;
        while game.converged().is_none() {
            game.advance();
        }
        let rules = SubtractionRules::unitary(total)?;
        let rows = Heaps::new(&rules).take(game.heap() as usize + 2).collect();
        let unit = UnitaryValues { total: chips, rows };
        match unit.places().find(|&(heap, chips)| !unit.is_by_definition(heap, chips)) {
            Some((heap, chips)) => {
                Err(Error::Damaged { reason: format!("the solver is wrong: {}", name(&unit, heap, chips)) })
            }
            None => Ok(unit),
        }
    }

    /// Whether the values of a heap follow from the previous heap's by the matrices of all bids.
    /// Checked first, because lemmas also hold for some wrong values. Totals above 30 are not
    /// checked.
    fn is_by_definition(&self, heap: usize, chips: u32) -> bool {
        const MOST: u32 = 30;
        if heap == 0 {
            return self.hat(0, chips) == 0 && self.plain(0, chips) == 0;
        }
        if self.total > MOST {
            return true;
        }
        let rest = self.total - chips;
        let value = |marker: bool| {
            let outcome = |mine: u32, other: u32| self.entry(heap, chips, marker, mine, other);
            let worst = |mine: u32| (0..=rest).map(|other| outcome(mine, other)).min();
            (0..=chips).filter_map(worst).max()
        };
        Some(self.hat(heap, chips)) == value(true) && Some(self.plain(heap, chips)) == value(false)
    }

    /// The value after two bids; `marker`: Left has the marker.
    fn entry(&self, heap: usize, chips: u32, marker: bool, mine: u32, other: u32) -> i64 {
        let before = heap - 1;
        match mine.cmp(&other) {
            Ordering::Less if marker => self.hat(before, chips + other) - 1,
            Ordering::Less => self.plain(before, chips + other) - 1,
            Ordering::Greater if marker => self.hat(before, chips - mine) + 1,
            Ordering::Greater => self.plain(before, chips - mine) + 1,
            Ordering::Equal if marker => self.plain(before, chips - mine) + 1,
            Ordering::Equal => self.hat(before, chips + other) - 1,
        }
    }

    fn heaps(&self) -> usize {
        self.rows.len()
    }

    /// Left's value with the marker.
    fn hat(&self, heap: usize, chips: u32) -> i64 {
        self.rows[heap].maximin[0][chips as usize]
    }

    /// Left's value without the marker.
    fn plain(&self, heap: usize, chips: u32) -> i64 {
        self.rows[heap].maximin[1][chips as usize]
    }

    /// All heaps and Left's chips.
    fn places(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        let (heaps, total) = (self.heaps(), self.total);
        (0..heaps).flat_map(move |heap| (0..=total).map(move |chips| (heap, chips)))
    }
}

/// The largest total for lemmas.
fn largest(session: &Session) -> u32 {
    if session.deep { 80 } else { 30 }
}

/// Counts `instances(unit)` into the finding, for every total.
fn every_total(
    session: &mut Session,
    mut instances: impl FnMut(&UnitaryValues, &mut Finding),
) -> Result<Finding, Error> {
    let most = largest(session);
    let mut finding = Finding::over(format!("TB from 0 to {most}, every heap: from convergence on they repeat"));
    for chips in 0..=most {
        instances(&UnitaryValues::new(chips)?, &mut finding);
    }
    Ok(finding)
}

fn name(unit: &UnitaryValues, heap: usize, chips: u32) -> String {
    format!("TB = {}, x = {heap}, p = {chips}", unit.total)
}
