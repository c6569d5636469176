//! Interned names.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Names numbered 0, 1, 2, ... in the order of their first appearance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    text: String,
    /// The end of each name in `text`.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    /// Seeded anew in every process, because files are untrusted.
    hasher: DefaultHashBuilder,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The name with this number, which must be below [`Names::len`].
    pub(crate) fn get(&self, number: u32) -> &str {
        slice(&self.text, &self.ends, number)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(name), |&number| self.get(number) == name).copied()
    }

    pub(crate) fn number(&mut self, name: &str) -> u32 {
        let Names { text, ends, numbers, hasher } = self;
        let same = |&number: &u32| slice(text, ends, number) == name;
        match numbers.entry(hasher.hash_one(name), same, |&number| hasher.hash_one(slice(text, ends, number))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let number = ends.len() as u32;
                free.insert(number);
                text.push_str(name);
                ends.push(text.len());
                number
            }
        }
    }

    /// Bytes held. Shortly before the table grows, this includes the new table of twice the size,
    /// so a caller who checks every few thousand names sees the growth in advance.
    pub(crate) fn bytes(&self) -> u64 {
        const SOON: usize = 1 << 13;
        let (table, free) = (self.numbers.allocation_size(), self.numbers.capacity() - self.numbers.len());
        let table = if free < SOON { 3 * table } else { table * 3 / 2 };
        (self.text.len() + self.ends.len() * size_of::<usize>() + table) as u64
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}
