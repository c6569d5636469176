//! The weights of matches, and the order of deletion.

use richman_hall::refused::Refusal;
use richman_hall::setup::LONGEST_NAME;
use richman_hall::{Created, FileText};

use super::*;

const HOUR: i64 = 60 * 60;

fn limited(path: &Path, limits: HallLimits) -> Hall {
    Hall::new(Store::open(path).unwrap(), limits, Computers::default())
}

/// A game file of about `bytes` bytes, different for each number.
fn game_file(bytes: usize, number: u32) -> FileText {
    let rest = " ".repeat(bytes);
    let file = format!(
        r#"{{"name":"file{number}","start":"0","positions":{{"w":{{"winner":"alice"}},"l":{{"winner":"bob"}},
        "0":{{"alice":["w"],"bob":["l"]}}}}}}{rest}"#
    );
    FileText::from(file)
}

fn of_file(file: FileText) -> MatchSetup {
    MatchSetup { game: "game.json".to_string(), file: Some(file), ..setup() }
}

fn one_screen() -> MatchSetup {
    MatchSetup { one_screen: true, seats: ByPlayer::both(SeatChoice::Person), ..setup() }
}

fn token(created: &Created) -> Token {
    created.tokens[0].clone().unwrap()
}

async fn resign(hall: &Hall, token: &Token) {
    hall.act(token, Some(Player::Alice), 0, Action::Resign).await.unwrap();
}

#[tokio::test]
async fn a_game_file_is_stored_once_and_goes_with_its_last_match() {
    const FILE: usize = 900_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let hall = limited(&path, HallLimits::default());
    let one = MatchSetup { file: Some(game_file(FILE, 1)), game: "game.json".to_string(), ..one_screen() };
    let created = hall.create(one).await.unwrap();
    assert!(created.bytes > FILE as u64);
    let text = hall.watch(&created.id).await.unwrap().setup.file.clone().unwrap();
    let mut ids = vec![created.id.clone()];
    for _ in 0..100 {
        resign(&hall, &token(&created)).await;
        let next = hall.rematch(&token(&created)).await.unwrap();
        assert!(std::ptr::eq(&*next.setup.file.clone().unwrap(), &*text), "return matches share the text");
        ids.push(next.id);
    }
    let other = hall.create(of_file(game_file(FILE, 1))).await.unwrap();
    assert!(std::ptr::eq(&*hall.watch(&other.id).await.unwrap().setup.file.clone().unwrap(), &*text));
    hall.closed().await;
    let connection = Connection::open(&path).unwrap();
    check_counters(&connection);
    assert_eq!(number(&connection, "SELECT count(*) FROM files"), 1);
    assert!(number(&connection, "PRAGMA page_count") * 4096 < 2 * FILE as i64, "101 return matches are small");
    connection.execute("UPDATE activity SET touched = 0", []).unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    while !room::forget(&connection, 1).unwrap().is_done {}
    assert_eq!(number(&connection, "SELECT count(*) FROM files"), 0);
    assert_eq!(room::size(&connection).unwrap(), room::StoreSize { matches: 0, bytes: 0 });
}

#[tokio::test]
async fn new_names_are_short() {
    let folder = tempfile::tempdir().unwrap();
    let hall = limited(&folder.path().join("a.sqlite"), HallLimits::default());
    let long = format!("expr:{}", "A & ".repeat(LONGEST_NAME / 4));
    for wrong in [MatchSetup { game: long.clone(), ..setup() }, MatchSetup { position: Some(long), ..setup() }] {
        let Err(Refusal::TooLarge(reason)) = hall.create(wrong).await else { panic!("a long name") };
        assert!(reason.contains("put the game into a game file"), "{reason}");
    }
}

/// The counted bytes match the size of the file, whatever is stored.
#[tokio::test]
async fn what_is_counted_is_what_the_file_takes() {
    for shape in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let hall = limited(&path, HallLimits::default());
        for count in 0..300u32 {
            match shape {
                0 => drop(hall.create(setup()).await.unwrap()),
                1 => drop(hall.create(of_file(game_file(3000, count))).await.unwrap()),
                2 => {
                    let text = format!("[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] {{{}}}", "x".repeat(900));
                    let _ = hall.keep_record(text.replace("{", "").replace("}", ""), None).await;
                    let text = "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"]".to_string();
                    hall.keep_record(text, None).await.unwrap();
                }
                _ => {
                    let created = hall.create(one_screen()).await.unwrap();
                    let hall = &hall;
                    let token = token(&created);
                    for step in 0..2 {
                        hall.act(&token, Some(Player::Alice), step, Action::Bid(1)).await.unwrap();
                        hall.act(&token, Some(Player::Bob), step, Action::Bid(0)).await.unwrap();
                        let seen = hall.seat(&token).await.unwrap();
                        let action = Action::Move(seen.view().moves[0].clone());
                        let _ = hall.act(&token, Some(Player::Alice), seen.steps.alice, action).await;
                        if hall.seat(&token).await.unwrap().steps.alice != step + 1 {
                            break;
                        }
                    }
                }
            }
        }
        hall.closed().await;
        let connection = Connection::open(&path).unwrap();
        check_counters(&connection);
        let pages = number(&connection, "PRAGMA page_count") - number(&connection, "PRAGMA freelist_count");
        let counted = room::size(&connection).unwrap().bytes as i64;
        // Empty tables take twenty pages.
        let used = (pages - 20) * 4096;
        assert!(used < counted && counted < 3 * used, "shape {shape}: {counted} counted, {used} used");
    }
}

/// The ids of six matches: without actions, begun and over, each an old one and a newer one.
async fn six_matches(hall: &Hall, path: &Path) -> Vec<GameId> {
    let mut matches = Vec::new();
    for action in [None, Some(Action::Bid(1)), Some(Action::Resign)] {
        for _ in 0..2 {
            let created = hall.create(one_screen()).await.unwrap();
            if let Some(action) = action.clone() {
                hall.act(&token(&created), Some(Player::Alice), 0, action).await.unwrap();
            }
            matches.push(created.id);
        }
    }
    let connection = Connection::open(path).unwrap();
    for (at, id) in matches.iter().enumerate() {
        // The second of each pair was touched earlier, and finished ones first of all.
        let age = HOUR * (2 + at as i64);
        let update = "UPDATE activity SET touched = touched - ?1 WHERE game = (SELECT number FROM games WHERE id = ?2)";
        connection.execute(update, rusqlite::params![age, id.as_str()]).unwrap();
    }
    matches
}

async fn left(hall: &Hall, matches: &[GameId]) -> Vec<usize> {
    let mut left = Vec::new();
    for (at, id) in matches.iter().enumerate() {
        if hall.watch(id).await.is_ok() {
            left.push(at);
        }
    }
    left
}

#[tokio::test]
async fn a_full_store_makes_room_in_the_order_that_is_documented() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let limits = HallLimits { matches: 6, ..HallLimits::default() };
    let hall = limited(&path, limits);
    let matches = six_matches(&hall, &path).await;
    assert_eq!(left(&hall, &matches).await, [0, 1, 2, 3, 4, 5]);
    for expected in [&[0, 2, 3, 4, 5][..], &[2, 3, 4, 5], &[2, 4, 5], &[4, 5], &[4], &[]] {
        hall.create(one_screen()).await.unwrap();
        assert_eq!(left(&hall, &matches).await, expected);
    }
    // Now all were touched within the hour, and the one without actions is deleted first.
    let begun = hall.create(one_screen()).await.unwrap();
    hall.act(&token(&begun), Some(Player::Alice), 0, Action::Bid(1)).await.unwrap();
    for _ in 0..20 {
        hall.create(one_screen()).await.unwrap();
    }
    assert!(hall.watch(&begun.id).await.is_ok(), "somebody is playing it");
    hall.closed().await;
    let connection = Connection::open(&path).unwrap();
    check_counters(&connection);
    assert_eq!(number(&connection, "SELECT games FROM kept"), 6);
}

#[tokio::test]
async fn bytes_are_limited_too_and_records_go_before_matches_with_actions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let limits = HallLimits { bytes: 100_000, ..HallLimits::default() };
    let hall = limited(&path, limits);
    let created = hall.create(one_screen()).await.unwrap();
    hall.act(&token(&created), Some(Player::Alice), 0, Action::Bid(1)).await.unwrap();
    let record = |size: usize| {
        let text = format!("[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"]{}", " ".repeat(size));
        hall.keep_record(text, None)
    };
    let mut ids = Vec::new();
    for _ in 0..100 {
        ids.push(record(10_000).await.unwrap());
        hall.create(of_file(game_file(5000, ids.len() as u32))).await.unwrap();
    }
    assert!(hall.watch(&created.id).await.is_ok());
    assert!(hall.record(&ids[0]).await.is_err());
    assert!(hall.record(&ids[99]).await.is_ok());
    assert!(matches!(record(100_000).await, Err(Refusal::TooLarge(_))), "alone it exceeds the limit");
    hall.closed().await;
    let connection = Connection::open(&path).unwrap();
    check_counters(&connection);
    assert!(room::size(&connection).unwrap().bytes <= limits.bytes);
}

/// Actions of existing matches are never refused; others make room for them.
#[tokio::test]
async fn actions_make_room_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let limits = HallLimits { bytes: 20_000, ..HallLimits::default() };
    let hall = limited(&path, limits);
    let long = MatchSetup { game: "tug-of-war:length=40,at=20".to_string(), ..one_screen() };
    let played = hall.create(long).await.unwrap();
    let mut idle = Vec::new();
    for _ in 0..14 {
        idle.push(hall.create(one_screen()).await.unwrap().id);
    }
    let before = left(&hall, &idle).await.len();
    for turn in 0..7 {
        for player in Player::BOTH {
            let steps = hall.seat(&token(&played)).await.unwrap().steps[player];
            let action = Action::Bid(u32::from(player == Player::Alice));
            hall.act(&token(&played), Some(player), steps, action).await.unwrap();
        }
        let seen = hall.seat(&token(&played)).await.unwrap();
        let Some((mover, _)) = seen.deciding() else { panic!("turn {turn}: {:?}", seen.view()) };
        let action = Action::Move(seen.view().moves[0].clone());
        hall.act(&token(&played), Some(mover), seen.steps[mover], action).await.unwrap();
    }
    while left(&hall, &idle).await.len() == before {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert!(hall.seat(&token(&played)).await.is_ok());
}

/// The statements for the order of deletion scan no whole table.
#[test]
fn no_request_scans_a_table() {
    let connection = schema::in_memory().unwrap();
    for select in [
        "SELECT game FROM activity WHERE stage = 0 AND touched < 5 AND game <> 3 ORDER BY touched LIMIT 1",
        "SELECT number FROM records WHERE created < 5 ORDER BY created LIMIT 1",
        "DELETE FROM games WHERE number = 5",
        "DELETE FROM files WHERE number = 5 AND NOT EXISTS (SELECT 1 FROM games WHERE file = 5)
            AND NOT EXISTS (SELECT 1 FROM records WHERE file = 5)",
    ] {
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {select}")).unwrap();
        let rows = plan.query_map([], |row| row.get::<_, String>(3)).unwrap();
        for row in rows.map(Result::unwrap) {
            assert!(row.starts_with("SEARCH") || row.starts_with("SCALAR"), "{select}: {row}");
        }
    }
}
