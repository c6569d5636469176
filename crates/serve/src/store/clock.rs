//! Whether the clock can be trusted for deleting old matches. The store holds the latest time at
//! which a server wrote to it, and moves that time only by small steps. If the clock is far from
//! it, it jumped, or no server ran meanwhile; an operator decides which.

use rusqlite::{Connection, params};

use super::StoreError;
use super::rows::run;

/// The largest trusted step, in seconds.
const STEADY: i64 = 24 * 60 * 60;
/// The seconds between two notes of the time.
const OFTEN: i64 = 10 * 60;

/// The clock compared with the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClockReading {
    /// The time in seconds since 1970.
    Steady(i64),
    /// The clock is this many seconds after the store's time, or before it.
    Jumped(i64),
}

/// Records the time, unless the clock jumped.
pub(crate) fn advance(connection: &Connection, now: i64) -> Result<ClockReading, StoreError> {
    let mut select = connection.prepare_cached("SELECT seen FROM kept")?;
    let seen: i64 = select.query_row([], |row| row.get(0))?;
    let step = now.saturating_sub(seen);
    if step.saturating_abs() > STEADY {
        return Ok(ClockReading::Jumped(step));
    }
    if step.abs() >= OFTEN {
        trust(connection, now)?;
    }
    Ok(ClockReading::Steady(now))
}

/// Records the time in any case.
pub(crate) fn trust(connection: &Connection, now: i64) -> Result<(), StoreError> {
    run(connection, "UPDATE kept SET seen = ?1", params![now]).map(drop)
}
