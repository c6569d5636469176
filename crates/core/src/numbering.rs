//! Positions numbered in the order in which they are found, in little memory: each is kept once, and looked up by
//! its number.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::{Effort, Error, PerfectIndex, Watch};

/// Positions with their numbers from 0.
///
/// A table of numbers takes the place of a map from positions: 6 to 12 bytes a position beside the position itself.
/// Before it grows it is given back and
/// filled again, so that two tables are never held.
pub(crate) struct Numbering<P> {
    positions: Vec<P>,
    /// The canonical position of the start: number 0 is looked up by it.
    first: P,
    numbers: Numbers,
    /// The most positions.
    most: u64,
    /// The most bytes.
    memory: u64,
}

/// Where the number of a position stands: in a flat array over a perfect index, or in a hash table.
enum Numbers {
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

/// Makes room for `more` items, and for an eighth of those that are there: what is held is then about what is used.
/// Long arrays are moved without
/// copying by the operating system.
pub(crate) fn make_room<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 8).max(64));
    }
}

impl<P: Eq + Hash> Numbering<P> {
    /// The start alone, which is looked up by `first`.
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
            Some(size) => Numbers::Flat(vec![UNKNOWN; size as usize]),
            None => Numbers::Table(HashTable::new()),
        };
        let mut numbering = Numbering { positions: Vec::new(), first, numbers, most, memory };
        if let (Numbers::Flat(flat), Some(index)) = (&mut numbering.numbers, index) {
            flat[index.rank(&numbering.first) as usize] = 0;
        }
        numbering.positions.push(start);
        numbering.fill(0, 64)?;
        Ok(numbering)
    }

    pub(crate) fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The key that a position is looked up by: its place in the flat array, or its hash.
    pub(crate) fn key(&self, index: Option<&dyn PerfectIndex<P>>, position: &P) -> u64 {
        match (&self.numbers, index) {
            (Numbers::Flat(_), Some(index)) => index.rank(position),
            _ => hash(position),
        }
    }

    /// Appends to `into` the keys of positions.
    pub(crate) fn keys(&self, index: Option<&dyn PerfectIndex<P>>, positions: &[P], into: &mut Vec<u64>) {
        match (&self.numbers, index) {
            (Numbers::Flat(_), Some(index)) => index.ranks(positions, into),
            _ => into.extend(positions.iter().map(hash)),
        }
    }

    /// The number of a position that was found before, by its key.
    pub(crate) fn get(&self, key: u64, position: &P) -> Option<u32> {
        match &self.numbers {
            Numbers::Flat(flat) => known(flat[key as usize]),
            Numbers::Table(table) => table.find(key, |&number| self.canonical(number) == position).copied(),
        }
    }

    /// Appends to `into` the numbers of positions, by their keys. Numbers are read for all positions before any is
    /// judged: so the processor waits for the memory of many at once.
    pub(crate) fn get_all(&self, keys: &[u64], positions: &[P], into: &mut Vec<Option<u32>>) {
        match &self.numbers {
            Numbers::Flat(flat) => into.extend(keys.iter().map(|&key| known(flat[key as usize]))),
            Numbers::Table(table) => {
                let before = into.len();
                // The first number with as much of the key as the table has: seldom another position's.
                into.extend(keys.iter().map(|&key| table.find(key, |_| true).copied()));
                for ((number, &key), position) in into[before..].iter_mut().zip(keys).zip(positions) {
                    if number.is_some_and(|number| self.canonical(number) != position) {
                        *number = self.get(key, position);
                    }
                }
            }
        }
    }

    /// The number of a position with its key, a new one where it was not found before. `held` bytes are held beside
    /// this.
    ///
    /// # Errors
    /// [`Error::TooManyPositions`], [`Error::TooMuchMemory`].
    pub(crate) fn number(&mut self, key: u64, position: P, held: impl FnOnce() -> u64) -> Result<u32, Error> {
        if let Some(number) = self.get(key, &position) {
            return Ok(number);
        }
        let number = self.positions.len() as u64;
        if number >= self.most {
            return Err(Error::TooManyPositions { limit: self.most });
        }
        let number = number as u32;
        if let Numbers::Table(table) = &self.numbers
            && table.len() == table.capacity()
        {
            self.fill(held(), 2 * table.capacity())?;
        }
        make_room(&mut self.positions, 1);
        match &mut self.numbers {
            Numbers::Flat(flat) => flat[key as usize] = number,
            Numbers::Table(table) => {
                let (positions, first) = (&self.positions, &self.first);
                table.insert_unique(key, number, |&number| hash(canonical(positions, first, number)));
            }
        }
        self.positions.push(position);
        Ok(number)
    }

    /// Fills a table for so many positions.
    fn fill(&mut self, held: u64, capacity: usize) -> Result<(), Error> {
        let Numbers::Table(table) = &mut self.numbers else { return Ok(()) };
        *table = HashTable::new();
        let bytes = (capacity * 8 / 7).next_power_of_two() * (size_of::<u32>() + 1);
        self.check(held + bytes as u64)?;
        let mut table = HashTable::with_capacity(capacity);
        for number in 0..self.positions.len() as u32 {
            let hash_of = |number: &u32| hash(self.canonical(*number));
            table.insert_unique(hash_of(&number), number, hash_of);
        }
        self.numbers = Numbers::Table(table);
        Ok(())
    }

    /// Every so many positions: checks memory, tells of progress, and asks whether to go on.
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

    /// Refuses to hold `more` bytes beside this.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`].
    pub(crate) fn check(&self, more: u64) -> Result<(), Error> {
        let needed = self.bytes() + more;
        if needed > self.memory {
            return Err(Error::TooMuchMemory { what: "unfolding the game", needed, limit: self.memory });
        }
        Ok(())
    }

    /// Gives back room that is not used.
    pub(crate) fn shrink(&mut self) {
        self.positions.shrink_to_fit();
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let numbers = match &self.numbers {
            Numbers::Flat(flat) => flat.len() * size_of::<u32>(),
            Numbers::Table(table) => table.allocation_size(),
        };
        (numbers + self.positions.capacity() * size_of::<P>()) as u64
    }

    fn canonical(&self, number: u32) -> &P {
        canonical(&self.positions, &self.first, number)
    }
}

/// The position that a number is looked up by.
fn canonical<'a, P>(positions: &'a [P], first: &'a P, number: u32) -> &'a P {
    if number == 0 { first } else { &positions[number as usize] }
}
