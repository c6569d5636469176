//! Checksums of rows. A row whose checksum is wrong was changed by something else than this
//! program, such as a failing disk.

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

/// The checksum of a record: its public name and its text.
pub(super) fn of_record(id: &str, text: &str) -> u32 {
    sum([id.as_bytes(), text.as_bytes()])
}

/// Refuses a row whose stored checksum is not the computed one.
pub(super) fn check(stored: u32, computed: u32, what: &str) -> Result<(), StoreError> {
    let damaged = || StoreError::Damaged(format!("the checksum of {what} is wrong"));
    (stored == computed).then_some(()).ok_or_else(damaged)
}

/// Each part counts with its length, so that nothing can move from one to the next.
fn sum<const N: usize>(parts: [&[u8]; N]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for part in parts {
        sum.update(&part.len().to_le_bytes());
        sum.update(part);
    }
    sum.finalize()
}
