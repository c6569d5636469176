//! Lists of values for numbered items, stored contiguously.

use std::convert::Infallible;

/// A list of values for each of the items 0, 1, 2, ...
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups<T> {
    /// The end of each item's values; last, the number of all values.
    ends: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> Groups<T> {
    /// The values of `count` items; each item's values keep the order of `listed`.
    pub fn of<I: Iterator<Item = (usize, T)>>(count: usize, blank: T, listed: impl Fn() -> I) -> Groups<T> {
        let Ok(groups) = Groups::paced(count, blank, listed, || Ok::<(), Infallible>(()));
        groups
    }

    /// The same, calling `step` twice for each value.
    pub(crate) fn paced<E, I: Iterator<Item = (usize, T)>>(
        count: usize,
        blank: T,
        listed: impl Fn() -> I,
        step: impl Fn() -> Result<(), E>,
    ) -> Result<Groups<T>, E> {
        let mut ends = vec![0; count + 1];
        for (at, _) in listed() {
            step()?;
            ends[at + 1] += 1;
        }
        for at in 0..count {
            ends[at + 1] += ends[at];
        }
        let mut values = vec![blank; ends[count] as usize];
        // Each item's start moves on until it is the end.
        for (at, value) in listed() {
            step()?;
            values[ends[at] as usize] = value;
            ends[at] += 1;
        }
        Ok(Groups { ends, values })
    }

    /// The number of items.
    pub fn count(&self) -> usize {
        self.ends.len() - 1
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.ends[..]) + size_of_val(&self.values[..])) as u64
    }

    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The values of one item; empty if there is no such item.
    pub fn get(&self, at: usize) -> &[T] {
        if at >= self.count() {
            return &[];
        }
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start as usize..self.ends[at] as usize]
    }
}
