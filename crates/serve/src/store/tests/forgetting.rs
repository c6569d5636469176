//! Old matches are forgotten in small steps, but not after a jump of the clock.

use std::time::{Duration, Instant};

use super::*;

const DAY: i64 = 24 * 60 * 60;

/// A hall with one match untouched for 40 days.
async fn with_an_old_match(path: &Path) -> Hall {
    let hall = hall(Store::open(path).unwrap());
    hall.create(setup()).await.unwrap();
    Connection::open(path).unwrap().execute("UPDATE activity SET touched = touched - ?1", [40 * DAY]).unwrap();
    hall
}

#[tokio::test]
async fn a_clock_that_jumped_forgets_nothing_until_an_operator_says_so() {
    for jump in [2 * DAY, -2 * DAY, 4000 * DAY] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let hall = with_an_old_match(&path).await;
        // To the store it makes no difference which of the two moved.
        let connection = Connection::open(&path).unwrap();
        connection.execute("UPDATE kept SET seen = seen - ?1", [jump]).unwrap();
        assert_eq!(hall.forget(30).await.unwrap(), 0);
        // Neither play nor a restart counts as an operator's confirmation.
        hall.create(setup()).await.unwrap();
        assert_eq!(hall.forget(30).await.unwrap(), 0);
        hall.closed().await;
        let hall = super::hall(Store::open(&path).unwrap());
        assert_eq!(hall.forget(30).await.unwrap(), 0);
        trust_clock(&path).unwrap();
        assert_eq!(hall.forget(30).await.unwrap(), 1, "it is said while the server runs");
    }
}

#[tokio::test]
async fn a_clock_that_goes_on_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let hall = with_an_old_match(&path).await;
    let connection = Connection::open(&path).unwrap();
    connection.execute("UPDATE kept SET seen = seen - ?1", [DAY - 100]).unwrap();
    hall.create(setup()).await.unwrap();
    let seen = number(&connection, "SELECT seen FROM kept");
    assert!((seconds_now() - seen).abs() < 100, "a write notes the time");
    assert_eq!(hall.forget(30).await.unwrap(), 1);
}

/// The median time of an action.
async fn median(hall: &Hall, until: impl Fn(usize) -> bool) -> Duration {
    let mut times = Vec::new();
    while !until(times.len()) {
        let created = hall.create(setup()).await.unwrap();
        let alice = created.tokens[0].clone().unwrap();
        let begun = Instant::now();
        hall.act(&alice, None, 0, Action::Bid(1)).await.unwrap();
        times.push(begun.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

/// `RICHMAN_FORGOTTEN=500000` forgets as many.
#[tokio::test(flavor = "multi_thread")]
async fn actions_go_on_while_many_matches_are_forgotten() {
    let many: usize = std::env::var("RICHMAN_FORGOTTEN").map_or(5000, |many| many.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let hall = hall(Store::open(&path).unwrap());
    hall.create(setup()).await.unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "synchronous", false).unwrap();
    let copies = format!(
        "WITH RECURSIVE number(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n <= {many})
         INSERT INTO games (number, id, created, setup, sum)
             SELECT n, substr(id, 1, 18) || printf('%08d', n), created, setup, 0 FROM number, games WHERE number = 1;
         INSERT INTO activity (game, stage, touched, bytes) SELECT number, 0, 0, 1000 FROM games WHERE number > 1;
         INSERT INTO seats SELECT randomblob(32), number, 'alice' FROM games WHERE number > 1;
         INSERT INTO actions SELECT number, 0, 'alice', '\"resign\"', 0, 0 FROM games WHERE number > 1;
         UPDATE games SET id = replace(replace(substr(id, 1, 18), 'a', 'b'), 'c', 'd')
             || replace(replace(printf('%08d', number), '0', 'a'), '1', 'b') WHERE number > 1;"
    );
    connection.execute_batch(&copies).unwrap();
    let before = median(&hall, |done| done == 200).await;
    let forgetting = tokio::spawn({
        let hall = hall.clone();
        async move {
            let begun = Instant::now();
            (hall.forget(30).await.unwrap(), begun.elapsed())
        }
    });
    let during = median(&hall, |_| forgetting.is_finished()).await;
    let (forgotten, time) = forgetting.await.unwrap();
    assert_eq!(forgotten, many);
    let least_bad = 3 * before + Duration::from_millis(5);
    assert!(during < least_bad, "{before:?} before, {during:?} while {many} matches were forgotten in {time:?}");
    check_counters(&connection);
}
