//! A compact numbering of positions in the order of discovery. Each position is stored once.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::{Effort, Error, PerfectIndex, Watch};

/// Positions numbered from 0.
///
/// A table of numbers replaces a map from positions and takes 6 to 12 bytes per position. It is
/// freed before a larger one is filled, so there are never two tables.
pub(crate) struct Numbering<P> {
    positions: Vec<P>,
    /// The canonical position of the start, by which number 0 is looked up.
    first: P,
    numbers: NumberIndex,
    /// The most positions allowed.
    most: u64,
    /// The most bytes allowed.
    memory: u64,
}

enum NumberIndex {
    Flat(Vec<u32>),
    Table(HashTable<u32>),
}

const UNKNOWN: u32 = u32::MAX;

fn known(number: u32) -> Option<u32> {
    (number != UNKNOWN).then_some(number)
}

fn hash<P: Hash>(position: &P) -> u64 {
    FxBuildHasher.hash_one(position)
}

/// Reserves room for `more` items, and for at least an eighth of the present ones: growth wastes
/// little memory, and the operating system moves long arrays without copying.
pub(crate) fn make_room<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 8).max(64));
    }
}

impl<P: Eq + Hash> Numbering<P> {
    /// A numbering of the start alone, which is looked up by `first`.
    pub(crate) fn new(
        start: P,
        first: P,
        index: Option<&dyn PerfectIndex<P>>,
        effort: &Effort,
    ) -> Result<Numbering<P>, Error> {
        const LARGEST_FLAT: u64 = 256 << 20;
        let (most, memory) = (effort.positions.min(u64::from(UNKNOWN - 1)), effort.memory_left());
        let flat = index.map(PerfectIndex::size).filter(|&size| size * 4 <= LARGEST_FLAT.min(memory / 4));
        let numbers = match flat {
            Some(size) => NumberIndex::Flat(vec![UNKNOWN; size as usize]),
            None => NumberIndex::Table(HashTable::new()),
        };
        let mut numbering = Numbering { positions: Vec::new(), first, numbers, most, memory };
        if let (NumberIndex::Flat(flat), Some(index)) = (&mut numbering.numbers, index) {
            flat[index.rank(&numbering.first) as usize] = 0;
        }
        numbering.positions.push(start);
        numbering.fill(0, 64)?;
        Ok(numbering)
    }

    pub(crate) fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The lookup key of a position: its index in the flat array, or its hash.
    pub(crate) fn key(&self, index: Option<&dyn PerfectIndex<P>>, position: &P) -> u64 {
        match (&self.numbers, index) {
            (NumberIndex::Flat(_), Some(index)) => index.rank(position),
            _ => hash(position),
        }
    }

    pub(crate) fn keys(&self, index: Option<&dyn PerfectIndex<P>>, positions: &[P], into: &mut Vec<u64>) {
        match (&self.numbers, index) {
            (NumberIndex::Flat(_), Some(index)) => index.ranks(positions, into),
            _ => into.extend(positions.iter().map(hash)),
        }
    }

    pub(crate) fn get(&self, key: u64, position: &P) -> Option<u32> {
        match &self.numbers {
            NumberIndex::Flat(flat) => known(flat[key as usize]),
            NumberIndex::Table(table) => table.find(key, |&number| self.canonical(number) == position).copied(),
        }
    }

    /// Appends the numbers of positions with these keys. All are read before any is compared, so
    /// that memory accesses overlap.
    pub(crate) fn get_all(&self, keys: &[u64], positions: &[P], into: &mut Vec<Option<u32>>) {
        match &self.numbers {
            NumberIndex::Flat(flat) => into.extend(keys.iter().map(|&key| known(flat[key as usize]))),
            NumberIndex::Table(table) => {
                let before = into.len();
                // The first number with the same hash bits; it seldom belongs to another position.
                into.extend(keys.iter().map(|&key| table.find(key, |_| true).copied()));
                for ((number, &key), position) in into[before..].iter_mut().zip(keys).zip(positions) {
                    if number.is_some_and(|number| self.canonical(number) != position) {
                        *number = self.get(key, position);
                    }
                }
            }
        }
    }

    /// The number of a position with this key; a new position gets the next number. The caller
    /// holds `held` further bytes.
    ///
    /// # Errors
    /// [`Error::TooManyPositions`] or [`Error::TooMuchMemory`] if a new position exceeds a limit.
    pub(crate) fn number(&mut self, key: u64, position: P, held: impl FnOnce() -> u64) -> Result<u32, Error> {
        if let Some(number) = self.get(key, &position) {
            return Ok(number);
        }
        let number = self.positions.len() as u64;
        if number >= self.most {
            return Err(Error::TooManyPositions { limit: self.most });
        }
        let number = number as u32;
        if let NumberIndex::Table(table) = &self.numbers
            && table.len() == table.capacity()
        {
            self.fill(held(), 2 * table.capacity())?;
        }
        make_room(&mut self.positions, 1);
        match &mut self.numbers {
            NumberIndex::Flat(flat) => flat[key as usize] = number,
            NumberIndex::Table(table) => {
                let (positions, first) = (&self.positions, &self.first);
                table.insert_unique(key, number, |&number| hash(canonical(positions, first, number)));
            }
        }
        self.positions.push(position);
        Ok(number)
    }

    /// Rebuilds the hash table with room for `capacity` positions.
    fn fill(&mut self, held: u64, capacity: usize) -> Result<(), Error> {
        let NumberIndex::Table(table) = &mut self.numbers else { return Ok(()) };
        *table = HashTable::new();
        let bytes = (capacity * 8 / 7).next_power_of_two() * (size_of::<u32>() + 1);
        self.check(held + bytes as u64)?;
        let mut table = HashTable::with_capacity(capacity);
        for number in 0..self.positions.len() as u32 {
            let hash_of = |number: &u32| hash(self.canonical(*number));
            table.insert_unique(hash_of(&number), number, hash_of);
        }
        self.numbers = NumberIndex::Table(table);
        Ok(())
    }

    /// Every few thousand positions, checks memory, reports progress and asks whether to stop.
    pub(crate) fn pause(&self, built: usize, held: u64, watch: &dyn Watch) -> Result<(), Error> {
        const BETWEEN_CHECKS: usize = 1 << 12;
        if !built.is_multiple_of(BETWEEN_CHECKS) {
            return Ok(());
        }
        self.check(held)?;
        if watch.cancelled() {
            return Err(Error::Cancelled);
        }
        watch.progress("unfolding", built as u64, None);
        Ok(())
    }

    /// Checks that `more` bytes may be held in addition to this numbering.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] if the limit is exceeded.
    pub(crate) fn check(&self, more: u64) -> Result<(), Error> {
        let needed = self.bytes() + more;
        if needed > self.memory {
            return Err(Error::TooMuchMemory { what: "unfolding the game", needed, limit: self.memory });
        }
        Ok(())
    }

    pub(crate) fn shrink(&mut self) {
        self.positions.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> u64 {
        let numbers = match &self.numbers {
            NumberIndex::Flat(flat) => flat.len() * size_of::<u32>(),
            NumberIndex::Table(table) => table.allocation_size(),
        };
        (numbers + self.positions.capacity() * size_of::<P>()) as u64
    }

    fn canonical(&self, number: u32) -> &P {
        canonical(&self.positions, &self.first, number)
    }
}

/// The position by which a number is looked up.
fn canonical<'a, P>(positions: &'a [P], first: &'a P, number: u32) -> &'a P {
    if number == 0 { first } else { &positions[number as usize] }
}
