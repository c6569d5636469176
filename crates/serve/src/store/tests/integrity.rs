//! Damage, and wrong files.

use std::fs;

use richman_analysis::Games;
use richman_core::Unwatched;
use richman_hall::refused::Refusal;
use richman_play::review::{GivenHint, HintedPlay, MatchNotes};

use super::*;

const FILE: &str = r#"{"name":"one","start":"0","positions":{"w":{"winner":"alice"},"l":{"winner":"bob"},
    "0":{"alice":["w"],"bob":["l"]}}}"#;
/// The same game with other winners.
const OTHER_FILE: &str = r#"{"name":"one","start":"0","positions":{"w":{"winner":"bob"},"l":{"winner":"alice"},
    "0":{"alice":["w"],"bob":["l"]}}}"#;
/// A record of either game.
const RECORD: &str = "[Game \"one\"] [File \"one.json\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice w";

/// Two matches with a bid of Alice's each: their ids and seats.
async fn two_matches(path: &Path) -> [(GameId, Token); 2] {
    let hall = hall(Store::open(path).unwrap());
    let mut begun = Vec::new();
    for _ in 0..2 {
        let created = hall.create(setup()).await.unwrap();
        let alice = created.tokens[0].clone().unwrap();
        hall.act(&alice, None, 0, Action::Bid(5)).await.unwrap();
        begun.push((created.id, alice));
    }
    hall.closed().await;
    begun.try_into().unwrap()
}

/// The offset of the last such text in the file.
fn place_of(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).rposition(|window| window == text.as_bytes()).unwrap()
}

fn damage(path: &Path, text: &str, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    let place = place_of(&bytes, text) + at;
    bytes[place] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_flipped_bit_is_found_and_only_its_match_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // In the bid 5, which becomes 4, and in the limit of turns of a setup.
    for (text, at) in [("{\"bid\":5}", 7), ("\"limit\":100", 9)] {
        let path = folder.path().join(text.replace(['"', '{', '}', ':'], ""));
        let matches = two_matches(&path).await;
        damage(&path, text, at);
        let hall = hall(Store::open(&path).unwrap());
        let mut refused = 0;
        for (id, alice) in &matches {
            match hall.watch(id).await {
                Ok(_) => assert_eq!(hall.seat(alice).await.unwrap().view().own_bid, Some(5)),
                Err(error @ Refusal::Internal(_)) => {
                    refused += 1;
                    let cause = error.cause().unwrap().0;
                    assert!(cause.contains("checksum"), "{cause}");
                    assert!(hall.seat(alice).await.is_err());
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(refused, 1, "{text}");
        assert!(hall.create(setup()).await.is_ok());
        hall.closed().await;
    }
}

#[tokio::test]
async fn damaged_game_files_and_records_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let first = hall(Store::open(&path).unwrap());
    let with_file = first.keep_record(RECORD.to_string(), Some(FILE.to_string())).await.unwrap();
    let plain = first.keep_record("[Game \"hex\"] [Alice \"4*\"] [Bob \"4\"]".to_string(), None).await.unwrap();
    first.closed().await;
    damage(&path, "\"start\":\"0\"", 9);
    damage(&path, "[Game \"hex\"]", 1);
    let second = hall(Store::open(&path).unwrap());
    for id in [with_file, plain] {
        let refused = second.record(&id).await.unwrap_err();
        assert!(refused.cause().unwrap().0.contains("checksum"), "{refused}");
    }
}

/// A store with every kind of row.
async fn store_of_all_kinds(path: &Path) {
    let hall = hall(Store::open(path).unwrap());
    let with_file = || MatchSetup { file: Some(FILE.to_string().into()), ..setup() };
    hall.create(setup()).await.unwrap();
    for setup in [setup(), with_file()] {
        let created = hall.create(setup).await.unwrap();
        let alice = created.tokens[0].clone().unwrap();
        let bob = hall.accept(&created.invitation.unwrap()).await.unwrap();
        let given = GivenHint { turn: 1, player: Player::Alice, suggests: HintedPlay::Bids([5, 5]) };
        hall.note_hints(&alice, &MatchNotes { hints: vec![given], ..MatchNotes::default() }).await.unwrap();
        for (token, action) in [(&alice, Action::Bid(5)), (&bob, Action::Bid(3)), (&bob, Action::Resign)] {
            let step = hall.seat(token).await.unwrap().steps;
            let step = if token == &alice { step.alice } else { step.bob };
            hall.act(token, None, step, action).await.unwrap();
        }
        hall.rematch(&alice).await.unwrap();
        hall.rematch(&bob).await.unwrap();
        hall.act(&bob, None, 0, Action::Bid(1)).await.unwrap();
        hall.act(&alice, None, 0, Action::Resign).await.unwrap();
        hall.rematch(&alice).await.unwrap();
    }
    for file in [FILE, OTHER_FILE] {
        hall.keep_record(RECORD.to_string(), Some(file.to_string())).await.unwrap();
    }
    hall.closed().await;
}

/// Columns that only order deletions: times, and a number without references.
const ORDER: [(&str, &str); 5] =
    [("games", "created"), ("records", "created"), ("records", "number"), ("activity", "touched"), ("kept", "seen")];

/// Changes a value of every column of every table, or takes it from another row, loses a row of
/// every table, and loses every index and trigger.
#[tokio::test]
async fn no_change_of_the_rows_is_called_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    store_of_all_kinds(&path).await;
    let whole = fs::read(&path).unwrap();
    let texts = |connection: &Connection, select: &str| -> Vec<String> {
        let mut select = connection.prepare(select).unwrap();
        let rows = select.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let connection = Connection::open(&path).unwrap();
    let tables = texts(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table'");
    let mut changes = Vec::new();
    for table in &tables {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        for (place, column) in texts(&connection, &columns).into_iter().enumerate() {
            if place == 0 && table != "kept" {
                changes.push(format!("DELETE FROM {table} WHERE {column} IS (SELECT {column} FROM {table} LIMIT 1)"));
            }
            if ORDER.contains(&(table, &column)) {
                continue;
            }
            // The lowest bit of a number, or of the last letter or byte.
            let rows = number(&connection, &format!("SELECT count(*) FROM {table}"));
            for row in 0..rows {
                changes.push(format!(
                    "UPDATE {table} SET {column} = CASE typeof({column})
                         WHEN 'integer' THEN ({column} | 1) - ({column} & 1)
                         WHEN 'text' THEN substr({column}, 1, length({column}) - 1)
                             || char((unicode(substr({column}, -1)) | 1) - (unicode(substr({column}, -1)) & 1))
                         WHEN 'blob' THEN CAST(substr({column}, 1, length({column}) - 1) AS BLOB) || x'00'
                         ELSE 1 END
                     WHERE {column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {row})"
                ));
                let [own, other] =
                    [row, (row + 1) % rows].map(|row| format!("(SELECT {column} FROM {table} LIMIT 1 OFFSET {row})"));
                changes.push(format!(
                    "UPDATE {table} SET {column} = {other} WHERE {column} IS {own} AND {column} IS NOT {other}"
                ));
            }
        }
    }
    let named = "SELECT 'DROP ' || type || ' ' || name FROM sqlite_schema
        WHERE type IN ('index', 'trigger') AND sql IS NOT NULL";
    changes.extend(texts(&connection, named));
    drop(connection);
    let games = Games::default();
    assert_eq!(check(&path, &games, &Unwatched).unwrap().damage, Vec::<String>::new());
    let (mut found, mut missed) = (0, Vec::new());
    for change in changes {
        fs::write(&path, &whole).unwrap();
        let connection = Connection::open(&path).unwrap();
        // Like an outside change: triggers and references are ignored.
        let triggers = texts(&connection, "SELECT sql FROM sqlite_schema WHERE type = 'trigger'");
        let names = texts(&connection, "SELECT name FROM sqlite_schema WHERE type = 'trigger'");
        let is_row = !change.starts_with("DROP");
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        if is_row {
            names.iter().for_each(|name| connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
        }
        let changed = connection.execute(&change, []);
        if is_row {
            triggers.iter().for_each(|trigger| connection.execute_batch(trigger).unwrap());
        }
        drop(connection);
        match changed {
            Ok(0) if is_row => {} // the other row has the same value
            Ok(_) if fs::read(&path).unwrap() == whole => {}
            Ok(_) if check(&path, &games, &Unwatched).unwrap().damaged > 0 => found += 1,
            Ok(_) => missed.push(change),
            Err(refused) => assert!(
                refused.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation),
                "{change}: {refused}"
            ),
        }
    }
    assert!(missed.is_empty() && found > 100, "{found} found, missed: {missed:#?}");
}

#[tokio::test]
async fn nothing_leads_to_another_match_or_game_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let first = hall(Store::open(&path).unwrap());
    let created = first.create(setup()).await.unwrap();
    let invitation = created.invitation.unwrap();
    first.accept(&invitation).await.unwrap();
    first.create(setup()).await.unwrap();
    let record = first.keep_record(RECORD.to_string(), Some(FILE.to_string())).await.unwrap();
    first.keep_record(RECORD.to_string(), Some(OTHER_FILE.to_string())).await.unwrap();
    assert_eq!(first.used_invitation(&invitation).await.unwrap(), created.id);
    first.closed().await;
    let changes = "UPDATE used_invitations SET game = 2; UPDATE records SET file = 2 WHERE number = 1";
    Connection::open(&path).unwrap().execute_batch(changes).unwrap();
    let second = hall(Store::open(&path).unwrap());
    let refused = [second.used_invitation(&invitation).await.err(), second.record(&record).await.err()];
    for (refused, why) in refused.into_iter().zip(["what belongs to a match was changed", "checksum of a record"]) {
        let cause = refused.unwrap().cause().unwrap().0;
        assert!(cause.contains(why), "{cause}");
    }
}

/// On a read-only disk SQLite cannot make its file `-shm`; a folder of that name has the same
/// effect.
#[tokio::test]
async fn a_store_that_cannot_be_written_is_checked_and_backed_up() {
    let folder = tempfile::tempdir().unwrap();
    let [path, away, backup] = ["a.sqlite", "b.sqlite", "c.sqlite"].map(|name| folder.path().join(name));
    let hall = hall(Store::open(&path).unwrap());
    let created = hall.create(setup()).await.unwrap();
    hall.act(&created.tokens[0].clone().unwrap(), None, 0, Action::Bid(5)).await.unwrap();
    // The last write is in the log.
    fs::copy(&path, &away).unwrap();
    fs::copy(folder.path().join("a.sqlite-wal"), folder.path().join("b.sqlite-wal")).unwrap();
    fs::create_dir(folder.path().join("b.sqlite-shm")).unwrap();
    hall.closed().await;
    let games = Games::default();
    let checked = check(&away, &games, &Unwatched).unwrap();
    assert_eq!((checked.actions, checked.damage), (1, Vec::new()));
    back_up(&away, &backup, &Unwatched).unwrap();
    assert_eq!(check(&backup, &games, &Unwatched).unwrap().actions, 1);
}

#[test]
fn an_empty_file_is_not_taken_for_a_new_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    fs::write(&path, "").unwrap();
    let error = Store::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Empty(_)));
    assert!(error.to_string().contains("delete the file to begin a new store"), "{error}");
    fs::remove_file(&path).unwrap();
    drop(Store::open(&path).unwrap());
    // Only a log remains of the store.
    fs::remove_file(&path).unwrap();
    fs::write(folder.path().join("a.sqlite-wal"), "something").unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::OnlyLog(_))));
}

/// A new store gets its name when it is complete, so that a killed server leaves no empty one.
#[test]
fn a_store_whose_making_was_interrupted_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    fs::write(folder.path().join("a.sqlite-new"), "half of a database").unwrap();
    drop(Store::open(&path).unwrap());
    assert!(!folder.path().join("a.sqlite-new").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_that_is_deleted_or_exchanged_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let away = folder.path().join("away.sqlite");
    let hall = hall(Store::open(&path).unwrap());
    let created = hall.create(setup()).await.unwrap();
    let alice = created.tokens[0].clone().unwrap();
    let is_refused = |refused: Option<Refusal>, name: &str| {
        let cause = refused.unwrap().cause().unwrap().0;
        assert!(cause.contains("was deleted or exchanged") && cause.contains(name), "{cause}");
    };
    fs::rename(&path, &away).unwrap();
    is_refused(hall.create(setup()).await.err(), "a.sqlite");
    is_refused(hall.act(&alice, None, 0, Action::Bid(1)).await.err(), "a.sqlite");
    fs::copy(&away, &path).unwrap();
    is_refused(hall.create(setup()).await.err(), "a.sqlite");
    is_refused(hall.check_store().await.err().map(Refusal::from), "a.sqlite");
    assert_eq!(hall.trouble().await.unwrap(), "its files were deleted or exchanged");
    fs::rename(&away, &path).unwrap();
    hall.check_store().await.unwrap();
    hall.act(&alice, None, 0, Action::Bid(1)).await.unwrap();
    // Its log is a part of it.
    fs::remove_file(folder.path().join("a.sqlite-wal")).unwrap();
    is_refused(hall.act(&alice, None, 1, Action::Resign).await.err(), "a.sqlite-wal");
}

#[cfg(unix)]
#[test]
fn a_hard_link_does_not_escape_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open(&path).unwrap();
    let link = elsewhere.path().join("b.sqlite");
    fs::hard_link(&path, &link).unwrap();
    let error = Store::open(&link).err().unwrap();
    assert!(matches!(error, StoreError::HardLinked(_)), "{error}");
    drop(store);
    assert!(matches!(Store::open(&path), Err(StoreError::HardLinked(_))), "which of both has the log?");
    fs::remove_file(&link).unwrap();
    // Other paths to the file are the same place.
    let store = Store::open(&path).unwrap();
    std::os::unix::fs::symlink(folder.path(), elsewhere.path().join("folder")).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for same in [link, elsewhere.path().join("folder/a.sqlite"), folder.path().join("./a.sqlite")] {
        assert!(matches!(Store::open(&same), Err(StoreError::Locked(_))), "{}", same.display());
    }
    drop(store);
}

/// On Linux the database itself is locked, so that a second mount of it gets no second server. The
/// lock works without the lock file, which a second mount lacks.
#[cfg(target_os = "linux")]
#[test]
fn the_database_itself_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let _store = Store::open(&path).unwrap();
    fs::remove_file(folder.path().join("a.sqlite-lock")).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Locked(_))));
}
