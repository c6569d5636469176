//! What operators do with a store: check, back up, restore, compact, delete a match, and say that
//! the clock is right.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use richman_analysis::Games;
use richman_core::Watch;
use richman_files::write_file;
use rusqlite::{Connection, ErrorCode, OpenFlags, params};
use tempfile::TempDir;

use super::lock::{LockedStore, beside, complete};
use super::room::MatchStage;
use super::{StoreError, clock, inspection, room, rows, schema};
use crate::file_text::SharedTexts;
use crate::hall::MatchState;
use crate::token::GameId;

/// The most sentences about damage.
const MOST_SAID: usize = 100;

/// What a check found.
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
    /// The number of damaged things.
    pub damaged: u64,
    /// A sentence for each of the first of them.
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
/// says so. Damage is a result.
pub fn check(path: &Path, games: &Games, watch: &dyn Watch) -> Result<CheckedStore, StoreError> {
    let mut opened = ReadStore::open(path)?;
    let connection = &mut opened.connection;
    current(connection, path)?;
    let mut checked = CheckedStore { disk_bytes: disk_bytes(path), ..CheckedStore::default() };
    connection.execute_batch("BEGIN")?; // one moment of the store
    let problems = in_background(
        connection,
        watch,
        || watch.progress("pages", 0, None),
        |connection| {
            let mut problems = inspection::problems(connection, "integrity_check")?;
            let orphans = "SELECT count(*) FROM pragma_foreign_key_check";
            if number(connection, orphans)? > 0 {
                problems.push("rows belong to a match that is not there".to_string());
            }
            if !schema::is_whole(connection)? {
                problems.push("the tables, indices or triggers were changed".to_string());
            }
            Ok(problems)
        },
    );
    match problems {
        Ok(problems) => problems.into_iter().for_each(|problem| checked.note(problem)),
        Err(StoreError::Sqlite(error)) => checked.note(error.to_string()),
        Err(other) => return Err(other),
    }
    let read = [check_matches, check_records, check_files, check_counters];
    for check in read {
        match check(connection, games, watch, &mut checked) {
            Err(StoreError::Sqlite(error)) => checked.note(error.to_string()),
            done => done?,
        }
    }
    Ok(checked)
}

fn check_matches(
    connection: &Connection,
    games: &Games,
    watch: &dyn Watch,
    checked: &mut CheckedStore,
) -> Result<(), StoreError> {
    let total = number(connection, "SELECT count(*) FROM games")?;
    let texts = SharedTexts::default();
    each_name(connection, "games", |done, name| {
        step(watch, "matches", done, total)?;
        let Some(id) = GameId::read(name) else {
            checked.note("the name of a match is damaged".to_string());
            return Ok(());
        };
        let played = rows::stored(connection, &id, &texts).map_err(crate::refused::Refusal::from).and_then(|stored| {
            let stored = stored.ok_or(crate::refused::Refusal::NotFound("match"))?;
            MatchState::replayed(games, &stored).map(|state| (state, stored.stage))
        });
        match played {
            // An earlier version did not note that matches were over.
            Ok((state, stage)) if stage > state.stage() || (stage == MatchStage::Unbegun && state.actions() > 0) => {
                checked.note(format!("match {id}: how far it is was changed"));
            }
            Ok((state, _)) => {
                checked.matches[state.stage() as usize] += 1;
                checked.actions += u64::from(state.actions());
            }
            Err(refused) => {
                let why = refused.cause().map_or_else(|| refused.to_string(), |cause| cause.0.to_string());
                checked.note(format!("match {id}: {why}"));
            }
        }
        Ok(())
    })
}

fn check_records(
    connection: &Connection,
    games: &Games,
    watch: &dyn Watch,
    checked: &mut CheckedStore,
) -> Result<(), StoreError> {
    let total = number(connection, "SELECT count(*) FROM records")?;
    let texts = SharedTexts::default();
    each_name(connection, "records", |done, name| {
        step(watch, "records", done, total)?;
        let Some(id) = GameId::read(name) else {
            checked.note("the name of a record is damaged".to_string());
            return Ok(());
        };
        match rows::record(connection, &id, &texts) {
            Ok(Some(shown)) => match shown.check(games) {
                Ok(()) => checked.records += 1,
                Err(refused) => checked.note(format!("record {id}: {refused}")),
            },
            Ok(None) => checked.note(format!("record {id}: it cannot be found")),
            Err(error) => checked.note(format!("record {id}: {error}")),
        }
        Ok(())
    })
}

fn check_files(
    connection: &Connection,
    _: &Games,
    watch: &dyn Watch,
    checked: &mut CheckedStore,
) -> Result<(), StoreError> {
    let total = number(connection, "SELECT count(*) FROM files")?;
    let mut select = connection.prepare("SELECT number FROM files")?;
    let numbers = select.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    for (done, number) in (0..).zip(numbers) {
        step(watch, "game files", done, total)?;
        match rows::file(connection, Some(number), &SharedTexts::default()) {
            Ok(_) => checked.files += 1,
            Err(error) => checked.note(format!("game file {number}: {error}")),
        }
    }
    Ok(())
}

fn check_counters(
    connection: &Connection,
    _: &Games,
    _: &dyn Watch,
    checked: &mut CheckedStore,
) -> Result<(), StoreError> {
    let size = room::size(connection)?;
    checked.counted_bytes = size.bytes;
    let matches = number(connection, "SELECT count(*) FROM games")?;
    let bytes = "SELECT (SELECT coalesce(sum(bytes), 0) FROM activity) + (SELECT coalesce(sum(bytes), 0) FROM files)
        + (SELECT coalesce(sum(bytes), 0) FROM records)";
    if (size.matches, size.bytes) != (matches, number(connection, bytes)?) {
        checked.note("the counters of matches and bytes are wrong".to_string());
    }
    Ok(())
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

/// Puts a backup in the place of a store, migrated to this version, and returns what a check of it
/// found. Nothing is changed if the backup is damaged.
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

/// Writes a store anew without the room that deleted matches left.
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

/// Deletes the match or record of that public name with everything about it; nothing of it stays in
/// the file.
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

/// Notes that the clock is right, also while a server uses the store: old matches may be forgotten
/// again.
///
/// # Errors
/// [`StoreError`] if the store cannot be written.
pub fn trust_clock(path: &Path) -> Result<(), StoreError> {
    let connection = existing(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    current(&connection, path)?;
    clock::trust(&connection, rows::now())
}

/// A store that is only read.
struct ReadStore {
    /// Closed before the copy is deleted.
    connection: Connection,
    _copy: Option<TempDir>,
}

impl ReadStore {
    /// Opens a store, also while a server uses it. On a disk that cannot be written, SQLite could
    /// not keep its files beside the store: there a copy is read.
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
            // Other errors are met again, and told, by whoever reads.
            _ => Ok(ReadStore { connection, _copy: None }),
        }
    }
}

fn copied_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut read = File::open(from)?;
    write_file(to, |out| io::copy(&mut read, out).map(drop))
}

/// A connection to a file that is there and not empty.
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

/// Closes the only connection, which brings everything from the log into the database.
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
            let _at_work = at_work; // dropped at the end, which wakes who waits
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

fn step(watch: &dyn Watch, what: &'static str, done: u64, total: u64) -> Result<(), StoreError> {
    watch.progress(what, done, Some(total));
    if watch.cancelled() { Err(StoreError::Stopped) } else { Ok(()) }
}

/// Calls `each` with the public names in a table, and how many came before.
fn each_name(
    connection: &Connection,
    table: &str,
    mut each: impl FnMut(u64, &str) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut select = connection.prepare(&format!("SELECT id FROM {table} ORDER BY number"))?;
    let mut names = select.query(params![])?;
    let mut done = 0;
    while let Some(row) = names.next()? {
        let name: String = row.get(0)?;
        each(done, &name)?;
        done += 1;
    }
    Ok(())
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
