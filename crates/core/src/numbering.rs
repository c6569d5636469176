//! Positions numbered in the order in which they are found, in little memory: each is kept once, and looked up by
//! its number.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::{Error, Limits, PerfectIndex};

/// Positions with their numbers from 0.
///
/// A table of numbers takes the place of a map from positions: 6 to 12 bytes a position beside the position itself.
/// Before it grows it is given back and
/// filled again, so that two tables are never held.
pub(crate) struct Numbering<P> {
    positions: Vec<P>,
    /// What number 0 is looked up by: of the start's symmetric positions the one that stands for all.
    first: P,
    numbers: Numbers,
    limits: Limits,
}

/// Where the number of a position stands: in a flat array over a perfect index, or in a hash table.
enum Numbers {
    Flat(Vec<u32>),
    Table(HashTable<u32>),
}

const UNKNOWN: u32 = u32::MAX;

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
        limits: &Limits,
    ) -> Result<Numbering<P>, Error> {
        const LARGEST_FLAT: u64 = 256 << 20;
        let flat = index.map(PerfectIndex::size).filter(|&size| size * 4 <= LARGEST_FLAT.min(limits.memory / 4));
        let numbers = match flat {
            Some(size) => Numbers::Flat(vec![UNKNOWN; size as usize]),
            None => Numbers::Table(HashTable::new()),
        };
        let mut numbering = Numbering { positions: Vec::new(), first, numbers, limits: *limits };
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

    /// The number of a position that was found before.
    pub(crate) fn get(&self, index: Option<&dyn PerfectIndex<P>>, position: &P) -> Option<u32> {
        match (&self.numbers, index) {
            (Numbers::Flat(flat), Some(index)) => {
                Some(flat[index.rank(position) as usize]).filter(|&number| number != UNKNOWN)
            }
            (Numbers::Flat(_), None) => None,
            (Numbers::Table(table), _) => table.find(hash(position), |&number| self.key(number) == position).copied(),
        }
    }

    /// The number of a position, a new one where it was not found before. `held` bytes are held beside this.
    ///
    /// # Errors
    /// [`Error::TooManyPositions`], [`Error::TooMuchMemory`].
    pub(crate) fn number(
        &mut self,
        index: Option<&dyn PerfectIndex<P>>,
        position: P,
        held: impl FnOnce() -> u64,
    ) -> Result<u32, Error> {
        if let Some(number) = self.get(index, &position) {
            return Ok(number);
        }
        let most = self.limits.positions.min(u64::from(UNKNOWN - 1));
        let number = self.positions.len() as u64;
        if number >= most {
            return Err(Error::TooManyPositions { limit: most });
        }
        let number = number as u32;
        if let Numbers::Table(table) = &self.numbers
            && table.len() == table.capacity()
        {
            self.fill(held(), 2 * table.capacity())?;
        }
        let new = hash(&position);
        make_room(&mut self.positions, 1);
        match (&mut self.numbers, index) {
            (Numbers::Flat(flat), Some(index)) => flat[index.rank(&position) as usize] = number,
            (Numbers::Flat(_), None) => {}
            (Numbers::Table(table), _) => {
                let (positions, first) = (&self.positions, &self.first);
                table.insert_unique(new, number, |&number| hash(key(positions, first, number)));
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
            let hash_of = |number: &u32| hash(self.key(*number));
            table.insert_unique(hash_of(&number), number, hash_of);
        }
        self.numbers = Numbers::Table(table);
        Ok(())
    }

    /// Refuses to hold `more` bytes beside this.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`].
    pub(crate) fn check(&self, more: u64) -> Result<(), Error> {
        let needed = self.bytes() + more;
        if needed > self.limits.memory {
            return Err(Error::TooMuchMemory { what: "unfolding the game", needed, limit: self.limits.memory });
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

    fn key(&self, number: u32) -> &P {
        key(&self.positions, &self.first, number)
    }
}

/// What the position of a number is looked up by.
fn key<'a, P>(positions: &'a [P], first: &'a P, number: u32) -> &'a P {
    if number == 0 { first } else { &positions[number as usize] }
}
