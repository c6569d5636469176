//! The tables, and their migrations.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// Identifies the file as ours: the letters `Rich`.
const APPLICATION: i64 = 0x5269_6368;

/// Migration n turns version n of the tables into version n + 1. Existing files used the entries,
/// so they never change; later versions add entries.
pub(super) const MIGRATIONS: [&str; 2] = [
    // 1: matches. Tokens are stored only as hashes, except invitations, which are void once used.
    "CREATE TABLE games (
         number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, setup TEXT NOT NULL
     ) STRICT;
     CREATE TABLE seats (
         token BLOB PRIMARY KEY, game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, side TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX seats_of_game ON seats (game);
     CREATE TABLE invitations (
         hash BLOB PRIMARY KEY, token TEXT NOT NULL, game INTEGER NOT NULL UNIQUE REFERENCES games ON DELETE CASCADE,
         side TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE actions (
         game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL, side TEXT NOT NULL,
         action TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (game, number)
     ) STRICT, WITHOUT ROWID;",
    // 2: return matches, shown records, and a counter of matches.
    "ALTER TABLE games ADD COLUMN next INTEGER REFERENCES games ON DELETE SET NULL;
     CREATE INDEX games_next ON games (next);
     CREATE TABLE wishes (
         game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, side TEXT NOT NULL, PRIMARY KEY (game, side)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE records (
         id TEXT PRIMARY KEY, created INTEGER NOT NULL, text TEXT NOT NULL, file TEXT
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE kept (games INTEGER NOT NULL) STRICT;
     INSERT INTO kept SELECT count(*) FROM games;
     CREATE TRIGGER game_kept AFTER INSERT ON games BEGIN UPDATE kept SET games = games + 1; END;
     CREATE TRIGGER game_forgotten AFTER DELETE ON games BEGIN UPDATE kept SET games = games - 1; END;",
];

/// The writing connection, with the tables up to date.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    check(&connection, path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // The log is flushed at every commit, so confirmed actions survive a power failure.
    connection.pragma_update(None, "synchronous", "full")?;
    prepare(&mut connection)?;
    Ok(connection)
}

pub(super) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    Ok(connection)
}

pub(super) fn in_memory() -> Result<Connection, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    prepare(&mut connection)?;
    Ok(connection)
}

/// Refuses a file that is not ours, or of a later version.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let foreign = || StoreError::Foreign(path.to_path_buf());
    let tables: i64 = match connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)) {
        Ok(tables) => tables,
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) => return Err(foreign()),
        Err(error) => return Err(error.into()),
    };
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if tables > 0 && application != APPLICATION {
        return Err(foreign());
    }
    let (found, known) = (version(connection)?, MIGRATIONS.len() as i64);
    if found > known {
        return Err(StoreError::Newer { path: path.to_path_buf(), found, known });
    }
    Ok(())
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Configures a connection and runs missing migrations, each all or nothing.
fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // Temporary files would need file handles, of which none may be left.
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.set_prepared_statement_cache_capacity(64);
    let done = usize::try_from(version(connection)?).unwrap_or(0);
    for (before, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        let step = connection.transaction()?;
        step.execute_batch(migration)?;
        step.pragma_update(None, "application_id", APPLICATION)?;
        step.pragma_update(None, "user_version", before as i64 + 1)?;
        step.commit()?;
    }
    Ok(())
}
