//! The database file.

mod forgetting;
mod integrity;
mod making_room;
mod migration;

use std::path::Path;

use richman_core::{ByPlayer, Player};
use richman_hall::ShownRecord;
use richman_hall::setup::{MatchSetup, SeatChoice};
use richman_hall::token::{GameId, Token};
use richman_play::Action;
use rusqlite::Connection;

use super::*;
use crate::computer::Computers;
use crate::hall::{Hall, HallLimits};

fn hall(store: Store) -> Hall {
    Hall::new(store, HallLimits::default(), Computers::default())
}

fn setup() -> MatchSetup {
    MatchSetup {
        limit: 100,
        ..MatchSetup::new("tic-tac-toe", ByPlayer::new(SeatChoice::Person, SeatChoice::Invited), 1)
    }
}

fn number(connection: &Connection, select: &str) -> i64 {
    connection.query_row(select, [], |row| row.get(0)).unwrap()
}

/// The counters equal the counted numbers.
fn check_counters(connection: &Connection) {
    let counted = "SELECT (SELECT games FROM kept) = (SELECT count(*) FROM games) AND (SELECT bytes FROM kept) =
        (SELECT coalesce(sum(bytes), 0) FROM activity) + (SELECT coalesce(sum(bytes), 0) FROM files)
        + (SELECT coalesce(sum(bytes), 0) FROM records)
        AND (SELECT count(*) FROM games) = (SELECT count(*) FROM activity)";
    assert_eq!(number(connection, counted), 1);
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let first = hall(Store::open(&path).unwrap());
    let created = first.create(setup()).await.unwrap();
    let [Some(alice), None] = created.tokens else { panic!("one seat") };
    let open = first.create(setup()).await.unwrap();
    let bob = first.accept(&created.invitation.unwrap()).await.unwrap();
    first.act(&bob, None, 0, Action::Bid(5)).await.unwrap();
    let record =
        first.keep_record("[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"]".to_string(), None).await.unwrap();
    let before = first.seat(&bob).await.unwrap();
    first.closed().await;

    let second = hall(Store::open(&path).unwrap());
    let after = second.seat(&bob).await.unwrap();
    assert_eq!((after.version, after.steps, after.view()), (before.version, before.steps, before.view()));
    assert_eq!(after.view().own_bid, Some(5));
    assert_eq!(second.invited(&open.invitation.unwrap()).await.unwrap().1, Player::Bob);
    assert!(second.record(&record).await.is_ok());
    second.act(&alice, None, 0, Action::Resign).await.unwrap();
    second.rematch(&alice).await.unwrap();
    let wish = second.watch(&created.id).await.unwrap();
    second.closed().await;

    let third = hall(Store::open(&path).unwrap());
    let after = third.watch(&created.id).await.unwrap();
    assert_eq!((after.rematch, after.version), (ByPlayer::new(true, false), wish.version));
    let next = third.rematch(&bob).await.unwrap();
    third.closed().await;

    let fourth = hall(Store::open(&path).unwrap());
    assert_eq!(fourth.watch(&created.id).await.unwrap().next, Some(next.id.clone()));
    for token in [alice, bob] {
        assert_eq!(fourth.seat(&token).await.unwrap().id, next.id);
    }
}

#[tokio::test]
async fn no_token_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let hall = hall(Store::open(&path).unwrap());
    let created = hall.create(setup()).await.unwrap();
    let invitation = created.invitation.unwrap();
    let bob = hall.accept(&invitation).await.unwrap();
    let [Some(alice), None] = created.tokens else { panic!("one seat") };
    hall.closed().await;
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds(created.id.as_str()));
    for token in [&alice, &bob, &invitation] {
        assert!(!holds(token.reveal()));
    }
}

#[tokio::test]
async fn one_server_uses_a_file_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let store = Store::open(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Locked(_))));
    drop(store);
    assert!(Store::open(&path).is_ok());
}

#[cfg(unix)]
#[test]
fn nobody_else_on_the_machine_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let _store = Store::open(&folder.path().join("a.sqlite")).unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o077, 0);
    }
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    std::fs::write(&text, "no database at all, but a text of some length".repeat(100)).unwrap();
    let other = folder.path().join("other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE theirs (a)").unwrap();
    for path in [text, other] {
        let before = std::fs::read(&path).unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Foreign(_))), "{}", path.display());
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    let missing = folder.path().join("no-folder/a.sqlite");
    assert!(matches!(Store::open(&missing), Err(StoreError::Open(..))));
}

/// Actions are stored as the JSON of the API.
#[test]
fn every_action_reads_back() {
    let actions = [
        (Action::Bid(3), r#"{"bid":3}"#),
        (Action::UseStar(false), r#"{"use_star":false}"#),
        (Action::Let, r#""let""#),
        (Action::Move("\"b2\"/é".to_string()), r#"{"move":"\"b2\"/é"}"#),
        (Action::Stay, r#""stay""#),
        (Action::Resign, r#""resign""#),
    ];
    for (action, text) in actions {
        assert_eq!(serde_json::to_string(&action).unwrap(), text);
        assert_eq!(serde_json::from_str::<Action>(text).unwrap(), action);
    }
    assert!(serde_json::from_str::<Action>(r#"{"bid":-1}"#).is_err());
}

#[tokio::test]
async fn writes_that_wait_together_are_committed_together_and_fail_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(&folder.path().join("a.sqlite")).unwrap());
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let slow = {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.write(move |_| Ok(wait.recv())).await })
    };
    let mut all = tokio::task::JoinSet::new();
    for number in 0..100u32 {
        let store = Arc::clone(&store);
        all.spawn(async move {
            let id = GameId::random();
            let add = move |connection: &Connection| {
                let shown = ShownRecord { text: number.to_string(), file: None };
                rows::add_record(connection, &id, &shown)?;
                // Every third name exists already.
                if number % 3 == 0 { rows::add_record(connection, &id, &shown) } else { Ok(()) }
            };
            (number, store.write(add).await.is_ok())
        });
    }
    tokio::task::yield_now().await;
    go.send(()).unwrap();
    slow.await.unwrap().unwrap().unwrap();
    for (number, done) in all.join_all().await {
        assert_eq!(done, number % 3 != 0);
    }
    let count = "SELECT count(*) FROM records";
    let kept = store.read(move |connection| Ok(connection.query_row(count, [], |row| row.get::<_, i64>(0))?)).await;
    assert_eq!(kept.unwrap(), 66);
}

#[tokio::test]
async fn old_matches_can_be_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let hall = hall(Store::open(&path).unwrap());
    let old = hall.create(setup()).await.unwrap();
    let alice = old.tokens[0].clone().unwrap();
    hall.act(&alice, None, 0, Action::Resign).await.unwrap();
    let created = hall.create(setup()).await.unwrap();
    assert_eq!(hall.forget(30).await.unwrap(), 0);
    let connection = Connection::open(&path).unwrap();
    let touched = "UPDATE activity SET touched = 0 WHERE game = (SELECT number FROM games WHERE id = ?1)";
    connection.execute(touched, [old.id.as_str()]).unwrap();
    assert_eq!(hall.forget(30).await.unwrap(), 1);
    assert!(hall.seat(&alice).await.is_err());
    assert!(hall.watch(&old.id).await.is_err());
    assert!(hall.watch(&created.id).await.is_ok());
}
