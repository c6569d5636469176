//! The content of the store, and the order of deletion when it is full or old.

use richman_hall::MatchStage;
use richman_hall::token::GameId;
use rusqlite::{Connection, OptionalExtension, params};

use super::rows::{game_id, now, run};
use super::{StoreError, bindings};
use crate::hall::HallLimits;

/// Matches touched more recently are deleted only as a last resort.
const RECENT: i64 = 60 * 60;
/// The most that one write deletes, in matches and records or in bytes.
const STEP: usize = 32;
const STEP_BYTES: u64 = 256 << 10;

/// The stage with that number.
pub(super) fn read_stage(stored: i64) -> Result<MatchStage, StoreError> {
    let stages = [MatchStage::Unbegun, MatchStage::Begun, MatchStage::Over];
    let known = stages.into_iter().find(|stage| *stage as i64 == stored);
    known.ok_or_else(|| StoreError::Damaged("the stage of a match".to_string()))
}

/// The size of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoreSize {
    pub(crate) matches: u64,
    /// The bytes of matches, game files and records.
    pub(crate) bytes: u64,
}

/// The counters, which triggers maintain.
pub(crate) fn size(connection: &Connection) -> Result<StoreSize, StoreError> {
    let mut select = connection.prepare_cached("SELECT games, bytes FROM kept")?;
    let (matches, bytes) = select.query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
    Ok(StoreSize { matches: u64::try_from(matches).unwrap_or(0), bytes: u64::try_from(bytes).unwrap_or(0) })
}

/// The room needed by an addition, perhaps none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeededRoom {
    pub(crate) matches: u64,
    pub(crate) bytes: u64,
    /// The number of a match that must stay.
    pub(crate) spared: i64,
}

impl NeededRoom {
    pub(crate) const NONE: NeededRoom = NeededRoom { matches: 0, bytes: 0, spared: 0 };

    /// Room for one match of `bytes` bytes.
    pub(crate) fn of_match(bytes: u64) -> NeededRoom {
        NeededRoom { matches: 1, bytes, spared: 0 }
    }

    fn lacks(self, held: StoreSize, limits: HallLimits) -> [bool; 2] {
        [held.matches + self.matches > limits.matches, held.bytes + self.bytes > limits.bytes]
    }

    /// Whether there is room without deleting anything.
    pub(crate) fn is_there(self, connection: &Connection, limits: HallLimits) -> Result<bool, StoreError> {
        Ok(self.lacks(size(connection)?, limits) == [false, false])
    }
}

/// The result of one step of deletion.
#[derive(Debug, Default)]
pub(crate) struct DeletionStep {
    /// The deleted matches.
    pub(crate) matches: Vec<GameId>,
    /// The number of deleted records.
    pub(crate) records: usize,
    /// Whether nothing is left to do.
    pub(crate) is_done: bool,
}

/// Deletes a few matches or records if there is no room for `needed`.
///
/// # Errors
/// [`StoreError::Full`] if `needed` alone exceeds the limits.
pub(crate) fn make(
    connection: &Connection,
    limits: HallLimits,
    needed: NeededRoom,
) -> Result<DeletionStep, StoreError> {
    delete_some(connection, |connection| {
        let [matches, bytes] = needed.lacks(size(connection)?, limits);
        if !matches && !bytes {
            return Ok(None);
        }
        next_to_go(connection, needed.spared, !matches)?.map(Some).ok_or(StoreError::Full)
    })
}

/// Deletes a few matches and records untouched since `before`.
pub(crate) fn forget(connection: &Connection, before: i64) -> Result<DeletionStep, StoreError> {
    delete_some(connection, |connection| first_of_classes(connection, before, 0, true))
}

/// A row to delete, by its number.
enum DoomedRow {
    Match(i64),
    Record(i64),
}

fn delete_some(
    connection: &Connection,
    next: impl Fn(&Connection) -> Result<Option<DoomedRow>, StoreError>,
) -> Result<DeletionStep, StoreError> {
    let mut step = DeletionStep::default();
    let held = size(connection)?.bytes;
    while step.matches.len() + step.records < STEP && held - size(connection)?.bytes.min(held) < STEP_BYTES {
        match next(connection)? {
            Some(DoomedRow::Match(number)) => step.matches.push(delete_match(connection, number)?),
            Some(DoomedRow::Record(number)) => {
                run(connection, "DELETE FROM records WHERE number = ?1", params![number])?;
                step.records += 1;
            }
            None => {
                step.is_done = true;
                break;
            }
        }
    }
    Ok(step)
}

/// Deletes a match with everything about it, and returns its public name.
fn delete_match(connection: &Connection, number: i64) -> Result<GameId, StoreError> {
    let mut before = connection.prepare_cached("SELECT number FROM games WHERE next = ?1")?;
    let before = before.query_map(params![number], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    let mut delete = connection.prepare_cached("DELETE FROM games WHERE number = ?1 RETURNING id")?;
    let id = game_id(delete.query_row(params![number], |row| row.get(0))?)?;
    // Their return match is gone.
    before.into_iter().try_for_each(|before| bindings::bind(connection, before))?;
    Ok(id)
}

/// Deletes the match or record of that name; `false` if there is none.
pub(crate) fn delete(connection: &Connection, id: &GameId) -> Result<bool, StoreError> {
    let mut numbers = connection.prepare_cached("SELECT number FROM games WHERE id = ?1")?;
    if let Some(number) = numbers.query_row(params![id.as_str()], |row| row.get(0)).optional()? {
        delete_match(connection, number)?;
        return Ok(true);
    }
    Ok(run(connection, "DELETE FROM records WHERE id = ?1", params![id.as_str()])? > 0)
}

/// The next row to delete: the longest untouched of the first nonempty class, and a recent one only
/// as a last resort.
fn next_to_go(connection: &Connection, spared: i64, with_records: bool) -> Result<Option<DoomedRow>, StoreError> {
    match first_of_classes(connection, now() - RECENT, spared, with_records)? {
        None => first_of_classes(connection, i64::MAX, spared, with_records),
        found => Ok(found),
    }
}

/// The classes are: matches without actions, records, unfinished matches, finished ones.
fn first_of_classes(
    connection: &Connection,
    before: i64,
    spared: i64,
    with_records: bool,
) -> Result<Option<DoomedRow>, StoreError> {
    let oldest = |stage: MatchStage| -> Result<Option<DoomedRow>, StoreError> {
        let select = "SELECT game FROM activity WHERE stage = ?1 AND touched < ?2 AND game <> ?3 \
                      ORDER BY touched LIMIT 1";
        let mut select = connection.prepare_cached(select)?;
        let found = select.query_row(params![stage as i64, before, spared], |row| row.get(0)).optional()?;
        Ok(found.map(DoomedRow::Match))
    };
    if let Some(found) = oldest(MatchStage::Unbegun)? {
        return Ok(Some(found));
    }
    if with_records {
        let select = "SELECT number FROM records WHERE created < ?1 ORDER BY created LIMIT 1";
        let mut select = connection.prepare_cached(select)?;
        if let Some(number) = select.query_row(params![before], |row| row.get(0)).optional()? {
            return Ok(Some(DoomedRow::Record(number)));
        }
    }
    for stage in [MatchStage::Begun, MatchStage::Over] {
        if let Some(found) = oldest(stage)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
