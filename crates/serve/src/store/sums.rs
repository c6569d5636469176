//! Checksums of rows. A row with a wrong checksum was changed from outside this program, for
//! instance by a failing disk.

use super::StoreError;

/// The checksum of a match: its public name and its setup in JSON.
pub(super) fn of_match(id: &str, setup: &str) -> u32 {
    sum([id.as_bytes(), setup.as_bytes()])
}

/// The checksum of an action.
pub(super) fn of_action(game: i64, number: i64, side: &str, action: &str, at: i64) -> u32 {
    let numbers = [game, number, at].map(i64::to_le_bytes);
    sum([numbers.as_flattened(), side.as_bytes(), action.as_bytes()])
}

/// The checksum of a record: its public name, its text, and the hash of its game file if it has
/// one.
pub(super) fn of_record(id: &str, text: &str, file: Option<&[u8; 32]>) -> u32 {
    match file {
        None => sum([id.as_bytes(), text.as_bytes()]),
        Some(hash) => sum([id.as_bytes(), text.as_bytes(), hash]),
    }
}

/// Refuses a row whose stored checksum is not the computed one.
pub(super) fn check(stored: u32, computed: u32, what: &str) -> Result<(), StoreError> {
    let damaged = || StoreError::Damaged(format!("the checksum of {what} is wrong"));
    (stored == computed).then_some(()).ok_or_else(damaged)
}

/// A chain of actions with one more, by its checksum.
pub(super) fn chained(chain: u32, action: u32) -> u32 {
    sum([&chain.to_le_bytes(), &action.to_le_bytes()])
}

fn sum<const N: usize>(parts: [&[u8]; N]) -> u32 {
    let mut sum = RunningSum::default();
    parts.into_iter().for_each(|part| sum.add(part));
    sum.end()
}

/// A checksum of parts. Each counts with its length, so that no byte can move from one to the next.
#[derive(Default)]
pub(super) struct RunningSum(crc32fast::Hasher);

impl RunningSum {
    pub(super) fn add(&mut self, part: &[u8]) {
        self.0.update(&part.len().to_le_bytes());
        self.0.update(part);
    }

    pub(super) fn end(self) -> u32 {
        self.0.finalize()
    }
}
