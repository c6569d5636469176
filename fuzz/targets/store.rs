//! Stores with changes that this program did not make: every match and record is refused or as it
//! was stored, also from a backup, and what `check` calls whole is all there.
//!
//! Of an input each five bytes are a change: its kind, and what [`change_row`] or [`change_byte`]
//! makes of the other four.

#![no_main]

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use richman_analysis::Games;
use richman_core::{ByPlayer, Player, Unwatched};
use richman_hall::MatchView;
use richman_hall::setup::{MatchSetup, SeatChoice};
use richman_hall::token::{GameId, Token};
use richman_play::Action;
use richman_play::review::{GivenHint, HintedPlay, MatchNotes};
use richman_serve::computer::Computers;
use richman_serve::hall::{Hall, HallLimits};
use richman_serve::store::{Store, StoreError, back_up, check};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

const ONE: &str = r#"{"name":"one","start":"0","positions":{"w":{"winner":"alice"},"l":{"winner":"bob"},
    "0":{"alice":["w"],"bob":["l"]}}}"#;
/// The same game with other winners.
const OTHER: &str = r#"{"name":"one","start":"0","positions":{"w":{"winner":"bob"},"l":{"winner":"alice"},
    "0":{"alice":["w"],"bob":["l"]}}}"#;

struct Whole {
    folder: TempDir,
    bytes: Vec<u8>,
    tables: Vec<String>,
    kept: Kept,
    seen: Vec<Option<String>>,
    runtime: Runtime,
}

/// What may be asked for.
#[derive(Default)]
struct Kept {
    seats: Vec<Token>,
    invitations: Vec<Token>,
    matches: Vec<GameId>,
    records: Vec<GameId>,
}

thread_local! {
    static WHOLE: RefCell<Whole> = RefCell::new(Whole::new());
}

impl Whole {
    fn new() -> Whole {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let path = folder.path().join("whole");
        let kept = runtime.block_on(filled(&path));
        let bytes = fs::read(&path).expect("a file");
        let connection = Connection::open(&path).expect("a database");
        let tables = names(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
        drop(connection);
        let seen = runtime.block_on(seen(&path, &kept)).expect("it opens");
        assert!(seen.iter().all(Option::is_some));
        Whole { folder, bytes, tables: tables.expect("tables"), kept, seen, runtime }
    }

    /// Whether a store, which `check` may have called whole, shows nothing false.
    fn compare(&self, path: &Path, is_whole: bool) {
        let Ok(seen) = self.runtime.block_on(seen(path, &self.kept)) else { return assert!(!is_whole) };
        for (seen, known) in seen.iter().zip(&self.seen) {
            assert!(seen == known || seen.is_none() && !is_whole, "{seen:?} for {known:?}");
        }
    }
}

async fn hall(path: &Path) -> Result<Hall, StoreError> {
    Ok(Hall::new(Store::open(path)?, HallLimits::default(), Computers::default()))
}

/// A store with every kind of row.
async fn filled(path: &Path) -> Kept {
    let hall = hall(path).await.expect("a new store");
    let mut kept = Kept::default();
    let seats = ByPlayer::new(SeatChoice::Person, SeatChoice::Invited);
    let setup = || MatchSetup::new("tic-tac-toe", seats.clone(), 1);
    for file in [None, Some(ONE), Some(OTHER)] {
        let setup = MatchSetup { file: file.map(|file| file.to_string().into()), ..setup() };
        let open = hall.create(setup.clone()).await.expect("a match");
        kept.seats.extend(open.tokens.into_iter().flatten());
        kept.invitations.extend(open.invitation);
        kept.matches.push(open.id);
        let created = hall.create(setup).await.expect("a match");
        let alice = created.tokens[0].clone().expect("a seat");
        let invitation = created.invitation.expect("an invitation");
        let bob = hall.accept(&invitation).await.expect("a seat");
        let given = GivenHint { turn: 1, player: Player::Alice, suggests: HintedPlay::Bids([5, 5]) };
        hall.note_hints(&alice, &MatchNotes { hints: vec![given], ..MatchNotes::default() }).await.expect("a hint");
        for (token, step, action) in [(&alice, 0, Action::Bid(5)), (&bob, 0, Action::Bid(3)), (&bob, 1, Action::Resign)]
        {
            hall.act(token, None, step, action).await.expect("an action");
        }
        hall.rematch(&alice).await.expect("a wish");
        let next = hall.rematch(&bob).await.expect("a return match");
        hall.act(&bob, None, 0, Action::Bid(1)).await.expect("an action");
        hall.act(&alice, None, 0, Action::Resign).await.expect("an action");
        hall.rematch(&alice).await.expect("a wish");
        kept.seats.extend([alice, bob]);
        kept.invitations.push(invitation);
        kept.matches.extend([created.id, next.id]);
        let text = match file {
            Some(_) => "[Game \"one\"] [File \"one.json\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice w",
            None => "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2",
        };
        let record = hall.keep_record(text.to_string(), file.map(str::to_string)).await.expect("a record");
        kept.records.push(record);
    }
    hall.closed().await;
    kept
}

/// What a server of the store shows; `None` for what it refuses.
async fn seen(path: &Path, kept: &Kept) -> Result<Vec<Option<String>>, StoreError> {
    let hall = hall(path).await?;
    let mut seen = Vec::new();
    for token in &kept.seats {
        seen.push(hall.seat(token).await.ok().map(|viewed| shown(&viewed)));
    }
    for token in &kept.invitations {
        seen.push(match hall.invited(token).await {
            Ok((viewed, player)) => Some(format!("{player} {}", shown(&viewed))),
            Err(_) => hall.used_invitation(token).await.ok().map(|id| id.to_string()),
        });
    }
    for id in &kept.matches {
        let watched = hall.watch(id).await.ok().map(|viewed| shown(&viewed));
        let record = hall.shown(id).await.ok().map(|shown| format!("{shown:?}"));
        seen.extend([watched, record]);
    }
    for id in &kept.records {
        seen.push(hall.record(id).await.ok().map(|record| format!("{record:?}")));
    }
    hall.closed().await;
    Ok(seen)
}

fn shown(viewed: &MatchView) -> String {
    let MatchView { id, setup, version, steps, rematch, next, .. } = viewed;
    let invitation = viewed.invitation.as_ref().map(Token::reveal);
    let (viewer, view, record) = (viewed.viewer(), viewed.view(), viewed.record());
    format!("{id} {setup:?} {version} {steps:?} {rematch:?} {next:?} {invitation:?} {viewer:?} {view:?} {record}")
}

fn names(connection: &Connection, select: &str) -> rusqlite::Result<Vec<String>> {
    connection.prepare(select)?.query_map([], |row| row.get(0))?.collect()
}

/// Flips a bit of a value, copies a value from another row, or loses a row: `[table, row, column,
/// what]`. Whole values cannot be written, so that no sum is forged.
fn change_row(connection: &Connection, tables: &[String], kind: u8, change: [u8; 4]) -> rusqlite::Result<()> {
    let [table, row, column, what] = change.map(usize::from);
    let table = &tables[table % tables.len()];
    let columns = names(connection, &format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"))?;
    let mut select = connection.prepare(&format!("SELECT {} FROM {table}", columns.join(", ")))?;
    let values = |row: &rusqlite::Row| (0..columns.len()).map(|at| row.get(at)).collect();
    let rows = select.query_map([], values)?.collect::<rusqlite::Result<Vec<Vec<Value>>>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    let (old, column) = (&rows[row % rows.len()], column % columns.len());
    let is_it: Vec<String> = columns.iter().zip(1..).map(|(name, at)| format!("{name} IS ?{at}")).collect();
    let is_it = is_it.join(" AND ");
    let mut given = old.clone();
    if kind == 3 {
        return connection.execute(&format!("DELETE FROM {table} WHERE {is_it}"), params_from_iter(given)).map(drop);
    }
    given.push(match kind {
        1 => flipped(&old[column], what),
        _ => rows[what % rows.len()][column].clone(),
    });
    let update = format!("UPDATE {table} SET {} = ?{} WHERE {is_it}", columns[column], given.len());
    connection.execute(&update, params_from_iter(given)).map(drop)
}

fn flipped(value: &Value, what: usize) -> Value {
    let in_bytes = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let place = what % bytes.len().max(1);
        bytes.get_mut(place).into_iter().for_each(|byte| *byte ^= 1);
        bytes
    };
    match value {
        Value::Integer(number) => Value::Integer(number ^ 1 << (what % 63)),
        Value::Text(text) => Value::Text(String::from_utf8_lossy(&in_bytes(text.as_bytes())).into_owned()),
        Value::Blob(bytes) => Value::Blob(in_bytes(bytes)),
        Value::Null | Value::Real(_) => Value::Integer(what as i64),
    }
}

/// Changes bits of a byte of the file: its place in three bytes, and the bits.
fn change_byte(bytes: &mut [u8], [high, middle, low, bits]: [u8; 4]) {
    let place = u32::from_be_bytes([0, high, middle, low]) as usize % bytes.len();
    bytes[place] ^= bits;
}

fn change(whole: &Whole, path: &Path, changes: &[[u8; 5]]) {
    let _ = fs::remove_file(path.with_extension("sqlite-wal"));
    let _ = fs::remove_file(path.with_extension("sqlite-shm"));
    fs::write(path, &whole.bytes).expect("written");
    let of_rows = || changes.iter().filter(|[kind, ..]| kind % 4 > 0);
    if of_rows().count() > 0 {
        let connection = Connection::open(path).expect("a database");
        // As something else than this program would: no trigger and no reference is looked at.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).expect("no triggers");
        connection.pragma_update(None, "foreign_keys", false).expect("no references");
        connection.pragma_update(None, "synchronous", "off").expect("no waiting");
        for [kind, change @ ..] in of_rows() {
            // What no table may hold stays out.
            let _ = change_row(&connection, &whole.tables, kind % 4, *change);
        }
    }
    let mut bytes = fs::read(path).expect("read");
    for [_, change @ ..] in changes.iter().filter(|[kind, ..]| kind % 4 == 0) {
        change_byte(&mut bytes, *change);
    }
    fs::write(path, bytes).expect("written");
}

fuzz_target!(|bytes: &[u8]| {
    WHOLE.with_borrow(|whole| {
        let [path, copy]: [PathBuf; 2] = ["a.sqlite", "b.sqlite"].map(|name| whole.folder.path().join(name));
        change(whole, &path, bytes.as_chunks().0);
        let checked = check(&path, &Games::default(), &Unwatched);
        let is_whole = checked.is_ok_and(|checked| checked.damaged == 0);
        let _ = fs::remove_file(&copy);
        let is_copied = back_up(&path, &copy, &Unwatched).is_ok();
        assert!(is_copied || !is_whole);
        whole.compare(&path, is_whole);
        if is_copied {
            whole.compare(&copy, is_whole);
        }
    });
});
