//! Operators' commands for a store: check, back up, restore, compact, delete a match, and confirm
//! the clock.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use richman_analysis::Games;
use richman_core::Watch;
use richman_files::write_file;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use richman_hall::{MatchStage, MatchState, SharedTexts};
use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

use super::lock::{LockedStore, beside, complete};
use super::{StoreError, clock, inspection, room, rows, schema};

/// The most sentences about damage.
const MOST_SAID: usize = 100;

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedStore {
    /// Matches without actions, unfinished ones, and finished ones.
    pub matches: [u64; 3],
    /// Actions in all matches.
    pub actions: u64,
    /// Kept records.
    pub records: u64,
    /// Game files.
    pub files: u64,
    /// The bytes that count for the limit.
    pub counted_bytes: u64,
    /// The bytes on the disk, with the log.
    pub disk_bytes: u64,
    /// The number of damaged items.
    pub damaged: u64,
    /// A sentence for each of the first ones.
    pub damage: Vec<String>,
}

impl CheckedStore {
    fn note(&mut self, damage: String) {
        self.damaged += 1;
        if self.damage.len() < MOST_SAID {
            self.damage.push(damage);
        }
    }
}

/// The size of a store before and after it was compacted, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactedStore {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

/// Checks a store, also while a server uses it: the file, the checksums, the counters, and that
/// every match and every record can be played, and every game file read.
///
/// # Errors
/// [`StoreError`] if the file cannot be read at all, or is of another version; `Stopped` if `watch`
/// says so. Damage is not an error.
pub fn check(path: &Path, games: &Games, watch: &dyn Watch) -> Result<CheckedStore, StoreError> {
    let mut opened = ReadStore::open(path)?;
    current(&opened.connection, path)?;
    let mut found = CheckedStore { disk_bytes: disk_bytes(path), ..CheckedStore::default() };
    opened.connection.execute_batch("BEGIN")?; // one moment of the store
    let problems = in_background(
        &mut opened.connection,
        watch,
        || watch.progress("pages", 0, None),
        |connection| {
            let mut problems = inspection::problems(connection, "integrity_check")?;
            if number(connection, "SELECT count(*) FROM pragma_foreign_key_check")? > 0 {
                problems.push("rows belong to a match that is not there".to_string());
            }
            if !schema::is_whole(connection)? {
                problems.push("the tables, indices or triggers were changed".to_string());
            }
            Ok(problems)
        },
    );
    match problems {
        Ok(problems) => problems.into_iter().for_each(|problem| found.note(problem)),
        Err(StoreError::Sqlite(error)) => found.note(error.to_string()),
        Err(other) => return Err(other),
    }
    let mut check = RowCheck { connection: &opened.connection, games, watch, texts: SharedTexts::default(), found };
    for rows in [RowCheck::matches, RowCheck::records, RowCheck::files, RowCheck::counters] {
        match rows(&mut check) {
            Err(StoreError::Sqlite(error)) => check.found.note(error.to_string()),
            done => done?,
        }
    }
    Ok(check.found)
}

/// A check of the rows of a store.
struct RowCheck<'a> {
    connection: &'a Connection,
    games: &'a Games,
    watch: &'a dyn Watch,
    texts: SharedTexts,
    found: CheckedStore,
}

impl RowCheck<'_> {
    fn matches(&mut self) -> Result<(), StoreError> {
        self.each_named("matches", "games", "match", |check, id| {
            let stored = rows::stored(check.connection, id, &check.texts)?.ok_or(Refusal::NotFound("match"))?;
            let state = MatchState::replayed(check.games, &stored.game)?;
            // An earlier version did not note that matches were over.
            if stored.stage > state.stage() || (stored.stage == MatchStage::Unbegun && state.actions() > 0) {
                check.found.note(format!("match {id}: how far it is was changed"));
                return Ok(());
            }
            check.found.matches[state.stage() as usize] += 1;
            check.found.actions += u64::from(state.actions());
            Ok(())
        })
    }

    fn records(&mut self) -> Result<(), StoreError> {
        self.each_named("records", "records", "record", |check, id| {
            let shown = rows::record(check.connection, id, &check.texts)?.ok_or(Refusal::NotFound("record"))?;
            shown.check(check.games)?;
            check.found.records += 1;
            Ok(())
        })
    }

    fn files(&mut self) -> Result<(), StoreError> {
        self.each("game files", "files", "number", |check, number: i64| {
            match rows::file(check.connection, Some(number), &SharedTexts::default()) {
                Ok(_) => check.found.files += 1,
                Err(error) => check.found.note(format!("game file {number}: {error}")),
            }
        })
    }

    fn counters(&mut self) -> Result<(), StoreError> {
        let size = room::size(self.connection)?;
        self.found.counted_bytes = size.bytes;
        let matches = number(self.connection, "SELECT count(*) FROM games")?;
        let bytes = "SELECT (SELECT coalesce(sum(bytes), 0) FROM activity)
            + (SELECT coalesce(sum(bytes), 0) FROM files) + (SELECT coalesce(sum(bytes), 0) FROM records)";
        if (size.matches, size.bytes) != (matches, number(self.connection, bytes)?) {
            self.found.note("the counters of matches and bytes are wrong".to_string());
        }
        Ok(())
    }

    /// Calls `read` with the public names in a table, and notes its refusals.
    fn each_named(
        &mut self,
        progress: &'static str,
        table: &str,
        what: &str,
        read: impl Fn(&mut Self, &GameId) -> Result<(), Refusal>,
    ) -> Result<(), StoreError> {
        self.each(progress, table, "id", |check, name: String| match GameId::read(&name) {
            None => check.found.note(format!("the name of a {what} is damaged")),
            Some(id) => {
                if let Err(refused) = read(check, &id) {
                    let why = refused.cause().map_or_else(|| refused.to_string(), |cause| cause.0.to_string());
                    check.found.note(format!("{what} {id}: {why}"));
                }
            }
        })
    }

    /// Calls `read` with a column of every row of a table.
    fn each<T: FromSql>(
        &mut self,
        progress: &'static str,
        table: &str,
        column: &str,
        read: impl Fn(&mut Self, T),
    ) -> Result<(), StoreError> {
        let total = number(self.connection, &format!("SELECT count(*) FROM {table}"))?;
        let mut select = self.connection.prepare(&format!("SELECT {column} FROM {table} ORDER BY number"))?;
        for (done, value) in (0..).zip(select.query_map([], |row| row.get(0))?) {
            self.watch.progress(progress, done, Some(total));
            if self.watch.cancelled() {
                return Err(StoreError::Stopped);
            }
            read(self, value?);
        }
        Ok(())
    }
}

/// Copies a store to a new file, also while a server uses it. The copy is complete or absent, and
/// for this user only. Returns its bytes.
///
/// # Errors
/// [`StoreError::Exists`] if there is a file at `to`; [`StoreError`] if the store cannot be read or
/// the copy cannot be written; `Stopped` if `watch` says so.
pub fn back_up(path: &Path, to: &Path, watch: &dyn Watch) -> Result<u64, StoreError> {
    let mut opened = ReadStore::open(path)?;
    schema::check(&opened.connection, path)?;
    if fs::symlink_metadata(to).is_ok() {
        return Err(StoreError::Exists(to.to_path_buf()));
    }
    complete(&beside(to, "-new"), to, |unfinished| copied(&mut opened.connection, unfinished, watch))?;
    Ok(disk_bytes(to))
}

/// Replaces a store by a backup, migrated to this version, and returns the result of checking it.
/// Nothing is changed if the backup is damaged.
///
/// # Errors
/// [`StoreError::Exists`] if there is a store at `path` and not `force`; [`StoreError::Locked`] if
/// a server uses it; [`StoreError::DamagedBackup`]; [`StoreError`] if a file cannot be read or
/// written; `Stopped` if `watch` says so.
pub fn restore(
    path: &Path,
    from: &Path,
    force: bool,
    games: &Games,
    watch: &dyn Watch,
) -> Result<CheckedStore, StoreError> {
    let mut backup = existing(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    schema::check(&backup, from)?;
    let mut place = LockedStore::at(path)?;
    if !force && fs::metadata(&place.path).is_ok_and(|about| about.len() > 0) {
        return Err(StoreError::Exists(path.to_path_buf()));
    }
    let mut found = CheckedStore::default();
    place.replace(|unfinished| {
        copied(&mut backup, unfinished, watch)?;
        let mut copy = existing(unfinished, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        schema::migrate(&mut copy)?;
        copy.close().map_err(|(_, error)| error)?;
        found = check(unfinished, games, watch)?;
        match found.damage.first() {
            Some(first) => Err(StoreError::DamagedBackup(from.to_path_buf(), first.clone())),
            None => Ok(()),
        }
    })?;
    Ok(found)
}

/// Rewrites a store without the space of deleted matches.
///
/// # Errors
/// [`StoreError::Locked`] if a server uses it; [`StoreError`] if it cannot be written; `Stopped` if
/// `watch` says so. The store is then unchanged.
pub fn compact(path: &Path, watch: &dyn Watch) -> Result<CompactedStore, StoreError> {
    let (place, mut connection) = locked(path)?;
    let before = disk_bytes(&place.path);
    in_background(
        &mut connection,
        watch,
        || watch.progress("pages", 0, None),
        |connection| Ok(connection.execute_batch("VACUUM")?),
    )?;
    close(connection)?;
    Ok(CompactedStore { before, after: disk_bytes(&place.path) })
}

/// Deletes the match or record of that public name and all its data from the file.
///
/// # Errors
/// [`StoreError::Locked`] if a server uses it, which would go on showing the match;
/// [`StoreError::NoSuchMatch`] if there is none; [`StoreError`] if the store cannot be written.
pub fn delete(path: &Path, id: &GameId) -> Result<(), StoreError> {
    let (_place, connection) = locked(path)?;
    connection.pragma_update(None, "secure_delete", true)?;
    if !room::delete(&connection, id)? {
        return Err(StoreError::NoSuchMatch(id.clone()));
    }
    close(connection)
}

/// Records that the clock is right, also while a server uses the store: old matches may be
/// forgotten again.
///
/// # Errors
/// [`StoreError`] if the store cannot be written.
pub fn trust_clock(path: &Path) -> Result<(), StoreError> {
    let connection = existing(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    current(&connection, path)?;
    clock::trust(&connection, rows::now())
}

/// A store opened read-only.
struct ReadStore {
    /// Closed before the copy is deleted.
    connection: Connection,
    _copy: Option<TempDir>,
}

impl ReadStore {
    /// Opens a store, also while a server uses it. On a read-only disk SQLite cannot create its
    /// accompanying files, so a copy is read.
    fn open(path: &Path) -> Result<ReadStore, StoreError> {
        let connection = existing(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        match number(&connection, "SELECT count(*) FROM sqlite_schema") {
            Err(StoreError::Sqlite(error))
                if matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) =>
            {
                let copy = tempfile::tempdir().map_err(|error| StoreError::Open(std::env::temp_dir(), error))?;
                let place = copy.path().join("store");
                for (from, to) in [(path.to_path_buf(), place.clone()), (beside(path, "-wal"), beside(&place, "-wal"))]
                {
                    if from.exists() {
                        copied_file(&from, &to).map_err(|error| StoreError::Open(from, error))?;
                    }
                }
                let connection = schema::connect(&place, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                Ok(ReadStore { connection, _copy: Some(copy) })
            }
            // Later reads meet and report other errors.
            _ => Ok(ReadStore { connection, _copy: None }),
        }
    }
}

fn copied_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut read = File::open(from)?;
    write_file(to, |out| io::copy(&mut read, out).map(drop))
}

/// A connection to an existing, nonempty file.
fn existing(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    match fs::metadata(path) {
        Err(_) => Err(StoreError::Missing(path.to_path_buf())),
        Ok(about) if about.len() == 0 && disk_bytes(path) == 0 => Err(StoreError::Empty(path.to_path_buf())),
        Ok(_) => schema::connect(path, flags),
    }
}

/// Refuses a store of another version.
fn current(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    match schema::check(connection, path)? {
        version if version < schema::MIGRATIONS.len() => Err(StoreError::Older(path.to_path_buf())),
        _ => Ok(()),
    }
}

/// The store for this process alone.
fn locked(path: &Path) -> Result<(LockedStore, Connection), StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing(path.to_path_buf()));
    }
    let place = LockedStore::at(path)?;
    let connection = existing(&place.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    current(&connection, path)?;
    Ok((place, connection))
}

/// Closes the only connection, which merges the log into the database.
fn close(connection: Connection) -> Result<(), StoreError> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error.into())
}

/// Copies the database into an empty file.
fn copied(connection: &mut Connection, copy: &Path, watch: &dyn Watch) -> Result<(), StoreError> {
    let total = number(connection, "PRAGMA page_count")? * number(connection, "PRAGMA page_size")?;
    let progress = || watch.progress("bytes", fs::metadata(copy).map_or(0, |about| about.len()), Some(total));
    in_background(connection, watch, progress, |connection| schema::fill_copy(connection, copy))
}

/// Runs one long statement while this thread tells its progress and asks whether to stop.
fn in_background<T: Send>(
    connection: &mut Connection,
    watch: &dyn Watch,
    progress: impl Fn(),
    work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send,
) -> Result<T, StoreError> {
    const LOOK: Duration = Duration::from_millis(5);
    let interrupt = connection.get_interrupt_handle();
    let (at_work, ended) = mpsc::channel::<()>();
    let done = std::thread::scope(|scope| {
        let working = scope.spawn(move || {
            let _at_work = at_work; // dropped at the end, which wakes the waiting thread
            work(connection)
        });
        loop {
            progress();
            if watch.cancelled() {
                interrupt.interrupt();
            }
            if ended.recv_timeout(LOOK) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        working.join().unwrap_or(Err(StoreError::Closed))
    });
    match done {
        Err(StoreError::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
            Err(StoreError::Stopped)
        }
        done => done,
    }
}

fn number(connection: &Connection, select: &str) -> Result<u64, StoreError> {
    let number: i64 = connection.query_row(select, [], |row| row.get(0))?;
    Ok(u64::try_from(number).unwrap_or(0))
}

/// The bytes of a database and its log.
fn disk_bytes(path: &Path) -> u64 {
    let bytes = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
    bytes(path) + bytes(&beside(path, "-wal"))
}
