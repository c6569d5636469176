//! The states of a frontier, and the transition for each stone.

use richman_core::{Effort, Error};
use rustc_hash::FxHashMap;

/// The most columns: 1.8 million states for each.
pub const MOST_WIDTH: usize = 15;
/// The state without a path to a win.
pub(super) const LOST: u32 = u32::MAX;

/// The last swept cell of every column in four bits: 0 if Bob's, else the number of its group of
/// Alice's connected cells. Group 1 is connected to the top; the others are numbered from the left.
type FrontierState = u64;

const TOP: u8 = 1;

/// All states of the frontier between two cells of a sweep, for one board width.
///
/// Cell by cell, a stone replaces the one above it. States without a cell connected to the top are
/// lost and left out.
pub struct Frontier {
    width: usize,
    /// For each state before each column, the states before the next column after a stone of Alice
    /// and one of Bob (the first column follows the last).
    pub(super) leads: Vec<Vec<[u32; 2]>>,
}

richman_core::debug_by_name!(Frontier {});

impl Frontier {
    /// All states for a board of that width.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a width of 0 or more than [`MOST_WIDTH`];
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn new(width: usize, effort: &Effort) -> Result<Frontier, Error> {
        if !(1..=MOST_WIDTH).contains(&width) {
            return Err(super::unsupported(format!("a frontier of {width} cells")));
        }
        FrontierIndex::new(width).all(effort)
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of states before the first column.
    pub fn states(&self) -> usize {
        self.leads[0].len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.leads.iter().map(|leads| 8 * leads.capacity() as u64).sum()
    }
}

struct FrontierIndex {
    width: usize,
    numbers: Vec<FxHashMap<FrontierState, u32>>,
    states: Vec<Vec<FrontierState>>,
    leads: Vec<Vec<[u32; 2]>>,
}

impl FrontierIndex {
    /// Before the first row: every column is connected to the top.
    fn new(width: usize) -> FrontierIndex {
        let mut found = FrontierIndex {
            width,
            numbers: vec![FxHashMap::default(); width],
            states: vec![Vec::new(); width],
            leads: vec![Vec::new(); width],
        };
        let first = pack(&[TOP; 16], width);
        found.number(0, first);
        found
    }

    fn number(&mut self, column: usize, state: FrontierState) -> u32 {
        let next = self.states[column].len() as u32;
        let number = *self.numbers[column].entry(state).or_insert(next);
        if number == next {
            self.states[column].push(state);
        }
        number
    }

    fn all(mut self, effort: &Effort) -> Result<Frontier, Error> {
        const BETWEEN_CHECKS: usize = 1 << 16;
        let mut column = 0;
        let mut idle = 0;
        while idle < self.width {
            idle += 1;
            while let Some(&state) = self.states[column].get(self.leads[column].len()) {
                idle = 0;
                let next = (column + 1) % self.width;
                let leads = [true, false].map(|alice| after(state, column, self.width, alice));
                let leads = leads.map(|state| state.map_or(LOST, |state| self.number(next, state)));
                self.leads[column].push(leads);
                if self.leads[column].len().is_multiple_of(BETWEEN_CHECKS) {
                    effort.check_cancelled()?;
                    effort.watch.progress("finding states of the frontier", self.leads[column].len() as u64, None);
                    effort.check_memory("holding the states of the frontier", self.bytes())?;
                }
            }
            column = (column + 1) % self.width;
        }
        Ok(Frontier { width: self.width, leads: self.leads })
    }

    fn bytes(&self) -> u64 {
        let each = |states: &Vec<FrontierState>| states.capacity() as u64 * 8;
        let numbers = |numbers: &FxHashMap<FrontierState, u32>| numbers.capacity() as u64 * 17;
        self.states.iter().map(each).sum::<u64>() * 2 + self.numbers.iter().map(numbers).sum::<u64>()
    }
}

/// The state after a stone in `column`; `None` if nothing remains connected to the top.
fn after(state: FrontierState, column: usize, width: usize, alice: bool) -> Option<FrontierState> {
    let mut groups = unpack(state);
    if alice {
        // The cell touches its left neighbour, the cell above, which it replaces, and the one above
        // to the right.
        let left = if column > 0 { groups[column - 1] } else { 0 };
        let right = if column + 1 < width { groups[column + 1] } else { 0 };
        let touched = [left, groups[column], right];
        let joined = touched.into_iter().filter(|&group| group > 0).min().unwrap_or(u8::MAX);
        for group in &mut groups[..width] {
            if *group > 0 && touched.contains(group) {
                *group = joined;
            }
        }
        groups[column] = joined;
    } else {
        groups[column] = 0;
    }
    renumber(&mut groups[..width]).then(|| pack(&groups, width))
}

/// Numbers the groups from the left, except the top group; returns whether there is a top group.
fn renumber(groups: &mut [u8]) -> bool {
    let mut known = [0_u8; 16];
    let mut count = 0;
    let mut is_connected = false;
    for group in groups {
        match *group {
            0 => {}
            TOP => is_connected = true,
            old => {
                let index = known[..count].iter().position(|&seen| seen == old).unwrap_or_else(|| {
                    known[count] = old;
                    count += 1;
                    count - 1
                });
                *group = TOP + 1 + index as u8;
            }
        }
    }
    is_connected
}

fn unpack(state: FrontierState) -> [u8; 16] {
    std::array::from_fn(|column| (state >> (4 * column) & 15) as u8)
}

fn pack(groups: &[u8; 16], width: usize) -> FrontierState {
    (0..width).map(|column| u64::from(groups[column]) << (4 * column)).sum()
}
