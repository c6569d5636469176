//! Interned names.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Names numbered 0, 1, 2, ... in the order of their first appearance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// Names below this are their own decimal index and are not stored.
    pub(crate) numbered: u32,
    text: String,
    /// The end of each further name in `text`.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    /// Seeded anew in every process, because files are untrusted.
    hasher: DefaultHashBuilder,
}

impl Names {
    /// The names "0", "1", "2", ..., `numbered` of them.
    pub(crate) fn numbered(numbered: u32) -> Names {
        Names { numbered, ..Names::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbered as usize + self.ends.len()
    }

    /// The name with this number, which must be below [`Names::len`].
    pub(crate) fn get(&self, number: u32) -> Cow<'_, str> {
        match number.checked_sub(self.numbered) {
            Some(stored) => slice(&self.text, &self.ends, stored).into(),
            None => number.to_string().into(),
        }
    }

    /// The value of the name with this number, if the name is a number in canonical form.
    pub(crate) fn numeral(&self, number: u32) -> Option<u32> {
        let Some(stored) = number.checked_sub(self.numbered) else { return Some(number) };
        let name = slice(&self.text, &self.ends, stored);
        name.parse().ok().filter(|numeral: &u32| numeral.to_string() == name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let same = |&stored: &u32| slice(&self.text, &self.ends, stored) == name;
        let stored = || self.numbers.find(self.hasher.hash_one(name), same).map(|&stored| self.numbered + stored);
        self.own_number(name).or_else(stored)
    }

    /// The name as a number, if it is one.
    fn own_number(&self, name: &str) -> Option<u32> {
        if self.numbered == 0 || name.starts_with('+') || name.len() > 1 && name.starts_with('0') {
            return None;
        }
        name.parse().ok().filter(|&number| number < self.numbered)
    }

    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.own_number(name) {
            return number;
        }
        let Names { numbered, text, ends, numbers, hasher } = self;
        let same = |&number: &u32| slice(text, ends, number) == name;
        match numbers.entry(hasher.hash_one(name), same, |&number| hasher.hash_one(slice(text, ends, number))) {
            Entry::Occupied(known) => *numbered + *known.get(),
            Entry::Vacant(free) => {
                let number = ends.len() as u32;
                free.insert(number);
                text.push_str(name);
                ends.push(text.len());
                *numbered + number
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_names_without_being_stored() {
        let mut names = Names::numbered(12);
        assert_eq!([names.find("0"), names.find("11"), names.find("12")], [Some(0), Some(11), None]);
        for other in ["", "-1", "+1", "01", "00", " 1", "1.0", "4294967296", "99999999999999999999"] {
            assert_eq!(names.find(other), None, "{other}");
        }
        assert_eq!([names.number("01"), names.number("x"), names.number("7"), names.number("x")], [12, 13, 7, 13]);
        assert_eq!([names.get(7), names.get(12), names.get(13)], ["7", "01", "x"]);
        assert_eq!((names.find("x"), names.len()), (Some(13), 14));
        assert_eq!([names.number("12"), names.number("+12")], [14, 15]);
        assert_eq!([7, 12, 13, 14, 15].map(|name| names.numeral(name)), [Some(7), None, None, Some(12), None]);
    }
}
