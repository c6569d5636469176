//! Stores of earlier versions: they open, with a copy kept, and lose nothing.

use super::*;

/// A store that version 2 wrote: a match whose game has a name of 6 KiB, two matches and a record
/// of one game file, the first with a return match, and a third with an open invitation.
const OF_VERSION_2: &str = include_str!("../../../tests/data/store-2.sql");
/// Seats in it: of the long name, and of both players of the return match.
const LONG: [&str; 2] = ["833d6f4dfu43gzczxt472fygun", "j5cc8m6tv28wgh98iqmkp3j958"];
const NEXT: [&str; 2] = ["9fuzpgh3s37hvcv65n85kehbyg", "zxsy77vqmntr62wp69sbt8q66a"];

fn second_version(path: &Path) {
    Connection::open(path).unwrap().execute_batch(OF_VERSION_2).unwrap();
}

#[tokio::test]
async fn files_of_the_second_version_are_migrated_with_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    second_version(&path);
    let hall = hall(Store::open(&path).unwrap());
    let [alice, bob] = LONG.map(|token| Token::read(token).unwrap());
    let seen = hall.seat(&alice).await.unwrap();
    assert_eq!((seen.setup.game.len(), seen.view().own_bid), (6144, Some(3)));
    hall.act(&bob, None, 0, Action::Resign).await.unwrap();
    hall.rematch(&bob).await.unwrap();
    assert!(matches!(hall.rematch(&alice).await, Err(richman_hall::refused::Refusal::TooLarge(_))));
    let [alice, bob] = NEXT.map(|token| Token::read(token).unwrap());
    assert_eq!(hall.seat(&bob).await.unwrap().view().own_bid, Some(2));
    let file = hall.seat(&alice).await.unwrap().setup.file.clone().unwrap();
    assert!(file.starts_with("{\"name\":\"one\""));
    let record = hall.record(&GameId::read("pmsswum4pg2v7zdfhqgj3zn97r").unwrap()).await.unwrap();
    assert!(std::ptr::eq(&*record.file.unwrap(), &*file), "one copy is in memory");
    let open = Token::read("gihfvpnx4cm42w6a568649qfb4").unwrap();
    hall.accept(&open).await.unwrap();
    hall.closed().await;
    let connection = Connection::open(&path).unwrap();
    assert_eq!(number(&connection, "SELECT count(*) FROM files"), 1);
    assert_eq!(number(&connection, "SELECT max(length(setup)) < 7000 FROM games"), 1);
    check_counters(&connection);
    // The copy is the store as it was.
    let copy = folder.path().join("a.sqlite.version-2.1");
    let copy = Connection::open(copy).unwrap();
    assert_eq!(number(&copy, "PRAGMA user_version"), 2);
    assert_eq!(number(&copy, "SELECT count(*) FROM games WHERE setup LIKE '%\"file\"%'"), 3);
}

/// A migration that fails leaves the store as it was.
#[test]
fn a_migration_is_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    second_version(&path);
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE activity (a)").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Sqlite(_))));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let beside: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!beside.iter().any(|name| name.to_string_lossy().contains("version-2")), "{beside:?}");
    Connection::open(&path).unwrap().execute_batch("DROP TABLE activity").unwrap();
    assert!(Store::open(&path).is_ok());
}

/// A file of version 1, with a match in which one bid was made.
pub(super) fn first_version(path: &Path, alice: &Token, id: &GameId) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(schema::MIGRATIONS[0]).unwrap();
    connection.pragma_update(None, "application_id", 0x5269_6368).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    let setup = r#"{"game":"tic-tac-toe","mechanism":{"payment":"richman","ties":"advantage","bidding":"sealed",
        "right":"chooses","bids":"all"},"holdings":["8*","8"],"limit":100,
        "seats":["person",{"computer":"random"}],"seed":1}"#;
    let insert = "INSERT INTO games (number, id, created, setup) VALUES (7, ?1, 0, ?2)";
    connection.execute(insert, [id.as_str(), setup]).unwrap();
    connection.execute("INSERT INTO seats (token, game, side) VALUES (?1, 7, 'alice')", [alice.hash()]).unwrap();
    connection.execute("INSERT INTO actions VALUES (7, 0, 'alice', '{\"bid\":3}', 0)", []).unwrap();
}

#[tokio::test]
async fn files_of_the_first_version_are_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let (alice, id) = (Token::random(), GameId::random());
    first_version(&path, &alice, &id);
    for _ in 0..2 {
        let hall = hall(Store::open(&path).unwrap());
        let viewed = hall.seat(&alice).await.unwrap();
        assert_eq!((viewed.id, viewed.steps.alice, viewed.setup.one_screen), (id.clone(), 1, false));
        hall.closed().await;
    }
    let hall = hall(Store::open(&path).unwrap());
    let steps = hall.seat(&alice).await.unwrap().steps.alice;
    hall.act(&alice, None, steps, Action::Resign).await.unwrap();
    assert_ne!(hall.rematch(&alice).await.unwrap().id, id);
    hall.closed().await;
    assert_eq!(number(&Connection::open(&path).unwrap(), "SELECT games FROM kept"), 2);
}

/// The sums of version 5 did not cover the game files of records. One that was wrong stays so.
#[tokio::test]
async fn records_of_the_fifth_version_are_bound_to_their_game_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let first = hall(Store::open(&path).unwrap());
    let file = r#"{"name":"one","start":"0","positions":{"w":{"winner":"alice"},"l":{"winner":"bob"},
        "0":{"alice":["w"],"bob":["l"]}}}"#;
    let text = "[Game \"one\"] [File \"one.json\"] [Alice \"4*\"] [Bob \"4\"]";
    let whole = first.keep_record(text.to_string(), Some(file.to_string())).await.unwrap();
    let damaged = first.keep_record(text.to_string(), Some(file.to_string())).await.unwrap();
    first.closed().await;
    let connection = Connection::open(&path).unwrap();
    for (id, text) in [(&whole, text), (&damaged, "another text")] {
        let sum = sums::of_record(id.as_str(), text, None);
        connection.execute("UPDATE records SET sum = ?1 WHERE id = ?2", (sum, id.as_str())).unwrap();
    }
    connection.pragma_update(None, "user_version", 5).unwrap();
    drop(connection);
    let second = hall(Store::open(&path).unwrap());
    assert_eq!(&*second.record(&whole).await.unwrap().file.unwrap(), file);
    assert!(second.record(&damaged).await.is_err());
}

#[test]
fn files_of_later_versions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    drop(Store::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = Store::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }));
    assert!(error.to_string().contains("later version"), "{error}");
}
