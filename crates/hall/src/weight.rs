//! The weight of stored data in bytes: its texts, and its share of rows, indices and half-full
//! pages. A test compares the sum with the size of the file.

use crate::setup::MatchSetup;
use richman_play::Action;

/// A match without its texts: seats, an invitation, wishes, times, indices.
const MATCH: u64 = 1024;
/// An action without its text.
const ACTION: u64 = 96;
/// A game file without its text.
const FILE: u64 = 128;
/// A record without its text.
const RECORD: u64 = 256;

/// A text. A long one fills pages of its own, and half of the last one is empty.
fn text(bytes: usize) -> u64 {
    const LONG: u64 = 1024;
    const PAGE: u64 = 4096;
    let bytes = bytes as u64;
    if bytes > LONG { bytes.next_multiple_of(PAGE) + PAGE } else { bytes }
}

/// A match with this setup in JSON, without actions and without its game file.
pub fn of_match(setup: &str) -> u64 {
    MATCH + text(setup.len())
}

/// An action with this text.
pub fn of_action(action: &str) -> u64 {
    ACTION + text(action.len())
}

/// A game file with this text.
pub fn of_file(file: &str) -> u64 {
    FILE + text(file.len())
}

/// A record with its game file.
pub fn bytes_of_record(record: &str, file: Option<&str>) -> u64 {
    of_record(record) + file.map_or(0, of_file)
}

/// A record with this text, without its game file.
pub fn of_record(record: &str) -> u64 {
    RECORD + text(record.len())
}

/// The bytes that a match with this setup will add to the store, if its game file is new there.
pub fn bytes_of_match(setup: &MatchSetup) -> u64 {
    let file = setup.file.as_deref().map_or(0, of_file);
    serde_json::to_string(setup).map_or(0, |setup| of_match(&setup)) + file
}

/// The bytes that an action adds to the store.
pub fn bytes_of_action(action: &Action) -> u64 {
    serde_json::to_string(action).map_or(0, |action| of_action(&action))
}
