//! The tables, and their migrations.

use std::path::{Path, PathBuf};
use std::time::Duration;

use richman_hall::{sha256, weight};
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, OpenFlags};

use super::{StoreError, bindings, clock, lock, rows, sums};

/// Identifies the file as ours: the letters `Rich`.
const APPLICATION: i64 = 0x5269_6368;

/// Migration n turns version n of the tables into version n + 1. Existing files used the entries,
/// so they never change; later versions add entries.
pub(super) const MIGRATIONS: [&str; 6] = [
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
    // 3: game files by their hashes, checksums, and what is needed to decide what goes first. The
    // functions are those of `define_functions`.
    "CREATE TABLE files (
         number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, text TEXT NOT NULL, bytes INTEGER NOT NULL
     ) STRICT;
     INSERT OR IGNORE INTO files (hash, text, bytes)
         SELECT sha256(file), file, bytes_of_file(file)
         FROM (SELECT file_of_setup(setup) AS file FROM games UNION ALL SELECT file FROM records)
         WHERE file IS NOT NULL;

     ALTER TABLE games ADD COLUMN file INTEGER;
     ALTER TABLE games ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
     UPDATE games SET file = (SELECT number FROM files WHERE hash = sha256(file_of_setup(setup))),
         setup = setup_without_file(setup) WHERE file_of_setup(setup) IS NOT NULL;
     UPDATE games SET sum = sum_of_match(id, setup);
     CREATE INDEX games_file ON games (file) WHERE file IS NOT NULL;

     ALTER TABLE actions ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
     UPDATE actions SET sum = sum_of_action(game, number, side, action, at);

     ALTER TABLE records RENAME TO old_records;
     CREATE TABLE records (
         number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL, text TEXT NOT NULL,
         file INTEGER, sum INTEGER NOT NULL, bytes INTEGER NOT NULL
     ) STRICT;
     INSERT INTO records (id, created, text, file, sum, bytes)
         SELECT id, created, text, (SELECT number FROM files WHERE hash = sha256(old_records.file)),
             sum_of_record(id, text), bytes_of_record(text)
         FROM old_records;
     DROP TABLE old_records;
     CREATE INDEX records_created ON records (created);
     CREATE INDEX records_file ON records (file) WHERE file IS NOT NULL;

     CREATE TABLE activity (
         game INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE, stage INTEGER NOT NULL,
         touched INTEGER NOT NULL, bytes INTEGER NOT NULL
     ) STRICT;
     INSERT INTO activity
         SELECT games.number,
             CASE WHEN last.action IS NULL THEN 0 WHEN next IS NOT NULL OR last.action = '\"resign\"' THEN 2 ELSE 1 END,
             max(created, coalesce(last.at, 0)),
             bytes_of_match(setup) + coalesce(
                 (SELECT sum(bytes_of_action(action)) FROM actions WHERE game = games.number), 0)
         FROM games LEFT JOIN actions AS last ON last.game = games.number
             AND last.number = (SELECT max(number) FROM actions WHERE game = games.number);
     CREATE INDEX activity_touched ON activity (stage, touched);

     ALTER TABLE kept ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE kept ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
     UPDATE kept SET bytes = (SELECT coalesce(sum(bytes), 0) FROM activity)
             + (SELECT coalesce(sum(bytes), 0) FROM files) + (SELECT coalesce(sum(bytes), 0) FROM records),
         seen = max((SELECT coalesce(max(touched), 0) FROM activity), (SELECT coalesce(max(created), 0) FROM records));
     CREATE TRIGGER activity_kept AFTER INSERT ON activity
         BEGIN UPDATE kept SET bytes = bytes + new.bytes; END;
     CREATE TRIGGER activity_grown AFTER UPDATE OF bytes ON activity
         BEGIN UPDATE kept SET bytes = bytes + new.bytes - old.bytes; END;
     CREATE TRIGGER activity_forgotten AFTER DELETE ON activity
         BEGIN UPDATE kept SET bytes = bytes - old.bytes; END;
     CREATE TRIGGER file_kept AFTER INSERT ON files
         BEGIN UPDATE kept SET bytes = bytes + new.bytes; END;
     CREATE TRIGGER file_forgotten AFTER DELETE ON files
         BEGIN UPDATE kept SET bytes = bytes - old.bytes; END;
     CREATE TRIGGER record_kept AFTER INSERT ON records
         BEGIN UPDATE kept SET bytes = bytes + new.bytes; END;
     CREATE TRIGGER record_forgotten AFTER DELETE ON records
         BEGIN UPDATE kept SET bytes = bytes - old.bytes; END;
     CREATE TRIGGER game_left_file AFTER DELETE ON games WHEN old.file IS NOT NULL BEGIN
         DELETE FROM files WHERE number = old.file
             AND NOT EXISTS (SELECT 1 FROM games WHERE file = old.file)
             AND NOT EXISTS (SELECT 1 FROM records WHERE file = old.file);
     END;
     CREATE TRIGGER record_left_file AFTER DELETE ON records WHEN old.file IS NOT NULL BEGIN
         DELETE FROM files WHERE number = old.file
             AND NOT EXISTS (SELECT 1 FROM games WHERE file = old.file)
             AND NOT EXISTS (SELECT 1 FROM records WHERE file = old.file);
     END;",
    // 4: used invitations, which lead to their matches but not to the seat; the hints that were
    // given.
    "CREATE TABLE used_invitations (
         hash BLOB PRIMARY KEY, game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX used_invitations_of_game ON used_invitations (game);
     CREATE TABLE hints (
         game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, side TEXT NOT NULL, hint TEXT NOT NULL,
         PRIMARY KEY (game, side, hint)
     ) STRICT, WITHOUT ROWID;",
    // 5: what belongs to a match is bound together; see `bindings`.
    "ALTER TABLE activity ADD COLUMN chain INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE activity ADD COLUMN bound INTEGER NOT NULL DEFAULT 0;",
    // 6: the sum of a record covers its game file. One that was wrong stays wrong.
    "UPDATE records SET sum = sum_of_record(id, text, (SELECT hash FROM files WHERE number = records.file))
         WHERE file IS NOT NULL AND sum = sum_of_record(id, text);",
];

/// The version from which on matches are bound.
const BOUND: usize = 5;

/// Makes a new database in the empty file at `path`.
pub(super) fn fill(path: &Path) -> Result<(), StoreError> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    migrate(&mut connection)?;
    clock::trust(&connection, rows::now())?;
    connection.close().map_err(|(_, error)| error.into())
}

/// The writing connection, with the tables up to date. Before it changes a database of an earlier
/// version, it makes a copy in the same folder.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let version = check(&connection, path)?;
    if version < MIGRATIONS.len() {
        let copy = free_name(path, version);
        copy_to(&connection, &copy)?;
        tracing::warn!(
            store = %path.display(), copy = %copy.display(),
            "the store is of an earlier version: it is migrated, and a copy of it is kept"
        );
        if let Err(error) = migrate(&mut connection) {
            // Nothing has changed, so the copy is useless.
            let _ = std::fs::remove_file(&copy);
            return Err(error);
        }
    }
    connection.pragma_update(None, "journal_mode", "wal")?;
    // The log is flushed at every commit, so confirmed actions survive a power failure.
    connection.pragma_update(None, "synchronous", "full")?;
    // From now on the accompanying SQLite files exist.
    connection.execute("UPDATE kept SET seen = seen", [])?;
    Ok(connection)
}

/// A connection of another process or thread, which only reads.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    // From now on all files are open, and replacements of them are not read.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

pub(super) fn in_memory() -> Result<Connection, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    configure(&connection)?;
    migrate(&mut connection)?;
    clock::trust(&connection, rows::now())?;
    Ok(connection)
}

/// A connection to an existing file.
pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    configure(&connection)?;
    Ok(connection)
}

fn configure(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // Temporary files would need file handles, of which none may be left.
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// A complete copy of the database in a new file, made while others write to it.
fn copy_to(connection: &Connection, copy: &Path) -> Result<(), StoreError> {
    lock::complete(&lock::beside(copy, "-new"), copy, |unfinished| fill_copy(connection, unfinished))
}

/// Writes the database into an empty file.
pub(super) fn fill_copy(connection: &Connection, copy: &Path) -> Result<(), StoreError> {
    let name = copy.to_str().ok_or_else(|| StoreError::NotText(copy.to_path_buf()))?;
    connection.execute("VACUUM INTO ?1", [name])?;
    Ok(())
}

/// A name for the copy of a database of that version.
fn free_name(path: &Path, version: usize) -> PathBuf {
    let name = |number: u32| lock::beside(path, &format!(".version-{version}.{number}"));
    (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0))
}

/// The version of the tables, of a file that is ours.
///
/// # Errors
/// [`StoreError::Foreign`] if it is not ours; [`StoreError::Newer`] if it is of a later version.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<usize, StoreError> {
    let foreign = || StoreError::Foreign(path.to_path_buf());
    let application: i64 = match connection.query_row("PRAGMA application_id", [], |row| row.get(0)) {
        Ok(application) => application,
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) => return Err(foreign()),
        Err(error) => return Err(error.into()),
    };
    if application != APPLICATION {
        return Err(foreign());
    }
    let (found, known) = (version(connection)?, MIGRATIONS.len() as i64);
    if found > known {
        return Err(StoreError::Newer { path: path.to_path_buf(), found, known });
    }
    usize::try_from(found).map_err(|_| foreign())
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Runs missing migrations, all or none.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let done = usize::try_from(version(connection)?).unwrap_or(0);
    if done >= MIGRATIONS.len() {
        return Ok(());
    }
    define_functions(connection)?;
    let all = connection.transaction()?;
    for migration in MIGRATIONS.iter().skip(done) {
        all.execute_batch(migration)?;
    }
    if done < BOUND {
        bindings::bind_all(&all)?;
    }
    all.pragma_update(None, "application_id", APPLICATION)?;
    all.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    all.commit()?;
    Ok(())
}

/// Whether the tables, indices and triggers are those of this version.
pub(super) fn is_whole(connection: &Connection) -> Result<bool, StoreError> {
    let of = |connection: &Connection| -> Result<Vec<[Option<String>; 4]>, StoreError> {
        let mut select =
            connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")?;
        let rows = select.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
        Ok(rows.collect::<Result<_, _>>()?)
    };
    Ok(of(connection)? == of(&in_memory()?)?)
}

/// The functions in migrations.
fn define_functions(connection: &Connection) -> Result<(), StoreError> {
    /// Of a text; `None` for a missing one.
    fn of_text<T: rusqlite::types::ToSql>(
        connection: &Connection,
        name: &str,
        value: impl Fn(&str) -> T + Send + 'static,
    ) -> Result<(), StoreError> {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        let function = move |context: &Context<'_>| {
            Ok(context.get_raw(0).as_str_or_null().map_err(rusqlite::Error::from)?.map(&value))
        };
        Ok(connection.create_scalar_function(name, 1, flags, function)?)
    }
    of_text(connection, "sha256", |text| sha256(text).to_vec())?;
    of_text(connection, "file_of_setup", |setup| split_setup(setup).map(|(_, file)| file))?;
    of_text(connection, "setup_without_file", |setup| split_setup(setup).map(|(setup, _)| setup))?;
    of_text(connection, "bytes_of_match", |setup| weight::of_match(setup) as i64)?;
    of_text(connection, "bytes_of_action", |action| weight::of_action(action) as i64)?;
    of_text(connection, "bytes_of_file", |file| weight::of_file(file) as i64)?;
    of_text(connection, "bytes_of_record", |record| weight::of_record(record) as i64)?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let text = |context: &Context<'_>, at: usize| context.get::<String>(at);
    connection.create_scalar_function("sum_of_match", 2, flags, move |context| {
        Ok(sums::of_match(&text(context, 0)?, &text(context, 1)?))
    })?;
    connection.create_scalar_function("sum_of_record", 2, flags, move |context| {
        Ok(sums::of_record(&text(context, 0)?, &text(context, 1)?, None))
    })?;
    connection.create_scalar_function("sum_of_record", 3, flags, move |context| {
        let hash: Option<[u8; 32]> = context.get(2)?;
        Ok(sums::of_record(&text(context, 0)?, &text(context, 1)?, hash.as_ref()))
    })?;
    connection.create_scalar_function("sum_of_action", 5, flags, move |context| {
        let (side, action) = (text(context, 2)?, text(context, 3)?);
        Ok(sums::of_action(context.get(0)?, context.get(1)?, &side, &action, context.get(4)?))
    })?;
    Ok(())
}

/// A setup of version 2 as one of version 3, and the text of its game file; `None` without one, or
/// if the setup is damaged, which later reads will report.
fn split_setup(setup: &str) -> Option<(String, String)> {
    let mut setup: serde_json::Map<String, serde_json::Value> = serde_json::from_str(setup).ok()?;
    match setup.shift_remove("file")? {
        serde_json::Value::String(file) => Some((serde_json::to_string(&setup).ok()?, file)),
        _ => None,
    }
}
