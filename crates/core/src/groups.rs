//! Values of numbered things, those of each next to each other.

use std::convert::Infallible;

/// Values of things that are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups<T> {
    /// Where the values of each thing end, and in the last place how many there are.
    ends: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> Groups<T> {
    /// Those of `count` things, each in the order in which they are listed.
    pub fn of<I: Iterator<Item = (usize, T)>>(count: usize, blank: T, listed: impl Fn() -> I) -> Groups<T> {
        let Ok(groups) = Groups::paced(count, blank, listed, || Ok::<(), Infallible>(()));
        groups
    }

    /// The same with `step` at every value, which is looked at twice.
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
        // Each beginning moves on to the next one.
        for (at, value) in listed() {
            step()?;
            values[ends[at] as usize] = value;
            ends[at] += 1;
        }
        Ok(Groups { ends, values })
    }

    /// How many things there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.ends[..]) + size_of_val(&self.values[..])) as u64
    }

    /// How many values all have together.
    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The values of one thing; none of a thing that there is not.
    pub fn get(&self, at: usize) -> &[T] {
        if at >= self.len() {
            return &[];
        }
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start as usize..self.ends[at] as usize]
    }
}
