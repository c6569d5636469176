//! The rows of a match are bound together, so that no row can be lost, added or moved to another
//! match unnoticed: its activity has a chain over its actions and a sum over all other rows.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::{StoreError, rows, sums};

/// The rows of a match except its actions, each in a fixed order.
const ROWS: [&str; 6] = [
    "SELECT games.id, files.hash, after.id FROM games LEFT JOIN files ON files.number = games.file \
     LEFT JOIN games AS after ON after.number = games.next WHERE games.number = ?1",
    "SELECT token, side FROM seats WHERE game = ?1 ORDER BY token",
    "SELECT hash, token, side FROM invitations WHERE game = ?1 ORDER BY hash",
    "SELECT hash FROM used_invitations WHERE game = ?1 ORDER BY hash",
    "SELECT side FROM wishes WHERE game = ?1 ORDER BY side",
    "SELECT side, hint FROM hints WHERE game = ?1 ORDER BY side, hint",
];

/// The sum over the rows of a match except its actions.
fn sum(connection: &Connection, game: i64) -> Result<u32, StoreError> {
    let mut sum = sums::RunningSum::default();
    for (table, select) in ROWS.into_iter().enumerate() {
        sum.add(&[table as u8]);
        let mut select = connection.prepare_cached(select)?;
        let columns = select.column_count();
        let mut rows = select.query(params![game])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Null => sum.add(&[]),
                    ValueRef::Integer(number) => sum.add(&number.to_le_bytes()),
                    ValueRef::Real(number) => sum.add(&number.to_le_bytes()),
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => sum.add(bytes),
                }
            }
        }
    }
    Ok(sum.end())
}

/// Binds the rows of a match, after a row other than an action has changed.
pub(super) fn bind(connection: &Connection, game: i64) -> Result<(), StoreError> {
    let bound = sum(connection, game)?;
    rows::run(connection, "UPDATE activity SET bound = ?2 WHERE game = ?1", params![game, bound])?;
    Ok(())
}

/// Refuses a match with a missing, additional or changed row, except its actions.
pub(super) fn check(connection: &Connection, game: i64) -> Result<(), StoreError> {
    let select = "SELECT bound FROM activity WHERE game = ?1";
    match rows::first(connection, select, params![game], |row| row.get::<_, u32>(0))? {
        Some(bound) if bound == sum(connection, game)? => Ok(()),
        _ => Err(StoreError::Damaged("what belongs to a match was changed".to_string())),
    }
}

/// Adds the action with that checksum to the chain; `false` if the match is gone.
pub(super) fn add_action(connection: &Connection, game: i64, action: u32) -> Result<bool, StoreError> {
    let select = "SELECT chain FROM activity WHERE game = ?1";
    let Some(chain) = rows::first(connection, select, params![game], |row| row.get(0))? else { return Ok(false) };
    let update = "UPDATE activity SET chain = ?2 WHERE game = ?1";
    Ok(rows::run(connection, update, params![game, sums::chained(chain, action)])? == 1)
}

/// Binds every match of a store of an earlier version.
pub(super) fn bind_all(connection: &Connection) -> Result<(), StoreError> {
    let mut select = connection.prepare("SELECT game FROM activity")?;
    let games = select.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    let mut actions = connection.prepare("SELECT sum FROM actions WHERE game = ?1 ORDER BY number")?;
    for game in games {
        bind(connection, game)?;
        let sums = actions.query_map(params![game], |row| row.get(0))?.collect::<Result<Vec<u32>, _>>()?;
        let chain = sums.into_iter().fold(0, sums::chained);
        rows::run(connection, "UPDATE activity SET chain = ?2 WHERE game = ?1", params![game, chain])?;
    }
    Ok(())
}
