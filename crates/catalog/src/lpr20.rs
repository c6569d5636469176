//! The claims of LPR20: Larsson, Patel and Rai, Discrete Richman-bidding scoring games. TB is the total, p are Left's chips, q = TB - p
//! Right's, x is the heap, and a hat means that Left has the marker. Left is Alice.
//!
//! Lemmas are checked on values by definition of a turn, for every heap: from convergence on rows repeat, so checking as far as that
//! checks all.

use std::cmp::Ordering;

use richman_core::Total;
use richman_subtraction::Unitary;

use super::{Coded, Finding, Session, coded};
use crate::Error;
use crate::subtraction::{Heaps, Row, Rules};

mod automaton;
mod equilibria;
mod examples;
mod lemmas;
mod periods;
mod questions;

/// In the order of the paper.
pub const CLAIMS: &[Coded] = &[
    coded(
        "Section 1",
        "two items and $5, of which Left has $1: with the marker she gets one item",
        examples::section_1,
    ),
    coded("Theorem 3", "where the uniqueness properties hold, equilibria exist and are unique", equilibria::theorem_3),
    coded("Proposition 4", "without the marker Left has minus what Right has with it", equilibria::proposition_4),
    coded(
        "Conjecture 7",
        "with harmless weights and bids of 0 the uniqueness properties hold",
        equilibria::conjecture_7,
    ),
    coded("Example 2.1", "with a move that hurts the mover the marker can hurt", equilibria::example_2_1),
    coded("Example 2.2", "where 0 may not be bid a chip can hurt", equilibria::example_2_2),
    coded("Lemma 9", "values are odd if and only if the heap is odd", lemmas::lemma_9),
    coded("Definition 10", "values by definition and those that are streamed", lemmas::definition_10),
    coded("Example 11", "values for TB = 5 and heaps 0, 1, 2", examples::example_11),
    coded("Example 12", "matrices of bids for TB = 9 and heap 9", examples::example_12),
    coded("Theorem 13", "maximin equals minimax, and both are equation (3)", lemmas::theorem_13),
    coded("Figure 1", "values of large heaps for TB = 8", examples::figure_1),
    coded("Figure 2", "values of large heaps for TB = 9", examples::figure_2),
    coded("Lemma 14", "more chips with the marker are not worse", lemmas::lemma_14),
    coded("Remark 15", "more chips without the marker are not worse", lemmas::remark_15),
    coded("Lemma 16", "a tie at a lower bid is not worse for Left", lemmas::lemma_16),
    coded("Lemma 17", "the marker is worth something from 0 to 2", lemmas::lemma_17),
    coded("Lemma 18", "the value is at least minus that of Right with the marker and the bid", lemmas::lemma_18),
    coded("Lemma 19", "the marker is worth at most a chip", lemmas::lemma_19),
    coded("Lemma 20", "the player with more chips does not lose", lemmas::lemma_20),
    coded("Observation 21", "on odd heaps they win", lemmas::observation_21),
    coded("Lemma 22", "values are between -TB/2 and TB/2 + 1, rounded up", lemmas::lemma_22),
    coded("Proposition 23", "one chip more is worth at most 2", lemmas::proposition_23),
    coded("Lemma 24", "two items more are not worse for the player with more chips", lemmas::lemma_24),
    coded("Theorem 25", "values have period 2 from some heap on", automaton::theorem_25),
    coded("Lemma 26", "alpha and beta are the entries of the bidding automaton", automaton::lemma_26),
    coded("Lemma 27", "the entries of the automaton bound the values", automaton::lemma_27),
    coded("Theorem 28", "games converge within the bound", automaton::theorem_28),
    coded("Theorem 28 sum for even TB", "the sum that bounds even totals and its closed form", automaton::even_sum),
    coded("Conjecture 29", "the values of large heaps are the entries of the automaton", automaton::conjecture_29),
    coded("Theorem 30", "with how many chips all of x items can be won", automaton::theorem_30),
    coded("Section 4 tight bound", "the bound of Theorem 28 is reached", automaton::tight_bound),
    coded("Section 4 finite sets", "are values periodic for every finite subtraction set?", questions::finite_sets),
    coded("Section 4 restricted bids", "games with restricted bids converge too", questions::restricted_bids),
    coded("Section 4 no bids of 0", "what changes where 0 may not be bid?", questions::no_zero),
    coded(
        "Section 4 partizan bids",
        "which of two players with different sets of bids is stronger?",
        questions::partizan_bids,
    ),
    coded(
        "Section 4 self-interest",
        "is there budget monotonicity in general-sum Cumulative Subtraction?",
        questions::self_interest,
    ),
    coded("Section 4 general sum", "more chips can hurt if a position has three options, not if two", questions::trees),
    coded("Figure 3", "Left's wins by a tie, TB = 5", automaton::figure_3),
    coded("Figure 4", "wins by a higher bid, TB = 5", automaton::figure_4),
    coded("Figure 5", "Left's wins without dominated bids, TB = 5", automaton::figure_5),
    coded("Figure 6", "Right's wins without dominated bids, TB = 5", automaton::figure_6),
];

/// The values of one total by definition, from the empty heap to two heaps after convergence.
pub struct Unit {
    total: u32,
    rows: Vec<Row>,
}

impl Unit {
    fn new(chips: u32) -> Result<Unit, Error> {
        let total = Total::new(chips.into())?;
        let mut game = Unitary::new(total)?;
        while game.converged().is_none() {
            game.advance();
        }
        let rules = Rules::unitary(total)?;
        let rows = Heaps::by_definition(&rules).take(game.heap() as usize + 2).collect();
        let unit = Unit { total: chips, rows };
        match unit.places().find(|&(heap, chips)| !unit.is_by_definition(heap, chips)) {
            Some((heap, chips)) => {
                Err(Error::Damaged { reason: format!("the solver is wrong: {}", name(&unit, heap, chips)) })
            }
            None => Ok(unit),
        }
    }

    /// Whether the values of a heap follow from those of the heap before by the matrices of all bids. Lemmas hold of some wrong values as well, so
    /// none is looked at before these. Totals above 30 are not looked at.
    fn is_by_definition(&self, heap: usize, chips: u32) -> bool {
        const MOST: u32 = 30;
        let Some(before) = heap.checked_sub(1) else { return self.hat(0, chips) == 0 && self.plain(0, chips) == 0 };
        if self.total > MOST {
            return true;
        }
        let rest = self.total - chips;
        let value = |marker: bool| {
            let outcome = |mine: u32, other: u32| match mine.cmp(&other) {
                Ordering::Less if marker => self.hat(before, chips + other) - 1,
                Ordering::Less => self.plain(before, chips + other) - 1,
                Ordering::Greater if marker => self.hat(before, chips - mine) + 1,
                Ordering::Greater => self.plain(before, chips - mine) + 1,
                // The owner of the marker wins, pays and passes it on.
                Ordering::Equal if marker => self.plain(before, chips - mine) + 1,
                Ordering::Equal => self.hat(before, chips + other) - 1,
            };
            let worst = |mine: u32| (0..=rest).map(|other| outcome(mine, other)).min();
            (0..=chips).filter_map(worst).max()
        };
        Some(self.hat(heap, chips)) == value(true) && Some(self.plain(heap, chips)) == value(false)
    }

    fn heaps(&self) -> usize {
        self.rows.len()
    }

    /// Left's value with the marker.
    fn hat(&self, heap: usize, chips: u32) -> i64 {
        self.rows[heap].maximin.star_alice[chips as usize]
    }

    /// Left's value without the marker.
    fn plain(&self, heap: usize, chips: u32) -> i64 {
        self.rows[heap].maximin.star_bob[chips as usize]
    }

    /// All heaps and Left's chips.
    fn places(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        let (heaps, total) = (self.heaps(), self.total);
        (0..heaps).flat_map(move |heap| (0..=total).map(move |chips| (heap, chips)))
    }
}

/// The largest total that lemmas are checked for.
fn largest(session: &Session) -> u32 {
    if session.deep { 80 } else { 30 }
}

/// Checks `instances(unit)`, which counts into the finding, for every total.
fn every_total(session: &mut Session, mut instances: impl FnMut(&Unit, &mut Finding)) -> Result<Finding, Error> {
    let most = largest(session);
    let mut finding = Finding::over(format!("TB from 0 to {most}, every heap: from convergence on they repeat"));
    for chips in 0..=most {
        instances(&Unit::new(chips)?, &mut finding);
    }
    Ok(finding)
}

/// Counts an instance; the place is only written out where it fails.
fn instance(finding: &mut Finding, holds: bool, at: impl FnOnce() -> String) {
    if holds { finding.cells += 1 } else { finding.holds(false, at) }
}

fn name(unit: &Unit, heap: usize, chips: u32) -> String {
    format!("TB = {}, x = {heap}, p = {chips}", unit.total)
}
