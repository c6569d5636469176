//! `richman store`, and what the server says of its store.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Folder, Server, richman};

fn store(args: &[&str]) -> Output {
    Command::new(richman()).arg("store").args(args).output().unwrap()
}

#[track_caller]
fn done(args: &[&str]) -> String {
    let output = store(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let output = store(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// Sets up a match at one screen, and returns its name and the secret of its seats.
fn begin(client: &mut Client, game: &Value) -> (String, String) {
    let mut wanted = json!({ "seats": { "alice": "person", "bob": "person" }, "one_screen": true });
    wanted.as_object_mut().unwrap().extend(game.as_object().unwrap().clone());
    let created = client.post("/api/v1/matches", None, &wanted.to_string());
    assert_eq!(created.status, 201, "{}", created.body);
    let created = created.json();
    (created["id"].as_str().unwrap().to_string(), created["tokens"]["alice"].as_str().unwrap().to_string())
}

fn act(client: &mut Client, token: &str, action: &Value) {
    let body = json!({ "step": 0, "player": "alice", "action": action });
    let answer = client.post("/api/v1/seat/actions", Some(token), &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// A store with a match without actions, one with a bid, and a finished one with a game file.
fn three_matches(path: &str) -> [String; 3] {
    let server = Server::start(&["--store", path]);
    let mut client = Client::new(server.address);
    let (unbegun, _) = begin(&mut client, &json!({ "game": "tic-tac-toe" }));
    let (begun, seat) = begin(&mut client, &json!({ "game": "tic-tac-toe" }));
    act(&mut client, &seat, &json!({ "bid": 5 }));
    let file = json!({ "name": "oneofakind", "start": "0", "positions": {
        "w": { "winner": "alice" }, "l": { "winner": "bob" }, "0": { "alice": ["w"], "bob": ["l"] } } });
    let (over, seat) = begin(&mut client, &json!({ "file": file }));
    act(&mut client, &seat, &json!("resign"));
    assert!(server.stop().success());
    [unbegun, begun, over]
}

#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777 == 0o600
}

/// Changes one bit in the last place of that text.
fn damage(path: &str, text: &str) {
    let mut bytes = fs::read(path).unwrap();
    let place = bytes.windows(text.len()).rposition(|window| window == text.as_bytes()).unwrap();
    bytes[place + text.len() - 1] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_store_is_checked_and_damage_is_told() {
    let folder = Folder::new();
    let path = folder.file("a.sqlite");
    three_matches(&path);
    let found = done(&["check", &path]);
    assert!(found.starts_with("3 matches: 1 without actions, 1 unfinished, 1 finished\n"), "{found}");
    assert!(found.contains("\n2 actions, 0 records, 1 game files\n"), "{found}");
    assert!(found.contains(" bytes counted, ") && found.ends_with("The store is whole.\n"), "{found}");
    damage(&path, r#"{"bid":5"#);
    let output = store(&["check", &path]);
    assert_eq!(output.status.code(), Some(1));
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.contains("the checksum of an action is wrong\n1 damaged: "), "{found}");
    let missing = folder.file("missing.sqlite");
    assert!(refused(&["check", &missing]).contains("there is no such file"));
    fs::write(&missing, "").unwrap();
    assert!(refused(&["check", &missing]).contains("this file is empty"));
    fs::write(&missing, "some text that is no database at all").unwrap();
    assert!(refused(&["check", &missing]).contains("no database of richman"));
}

#[test]
fn a_store_is_backed_up_while_it_is_used_and_restored() {
    let folder = Folder::new();
    let (path, copy) = (folder.file("a.sqlite"), folder.file("copy.sqlite"));
    let [_, _, over] = three_matches(&path);
    let server = Server::start(&["--store", &path]);
    let mut client = Client::new(server.address);
    let (later, _) = begin(&mut client, &json!({ "game": "hex" }));
    assert!(done(&["backup", &path, &copy]).contains("has the store"));
    #[cfg(unix)]
    assert!(is_private(Path::new(&copy)));
    assert!(refused(&["backup", &path, &copy]).contains("this file exists"));
    assert!(refused(&["restore", &copy, &path, "--force"]).contains("another server is using"));
    assert!(refused(&["compact", &path]).contains("another server is using"));
    assert!(refused(&["delete", &path, &over]).contains("another server is using"));
    begin(&mut client, &json!({ "game": "hex" }));
    assert!(server.stop().success());

    assert!(refused(&["restore", &copy, &path]).contains("--force"));
    let found = done(&["restore", &copy, &path, "--force"]);
    assert!(found.starts_with("4 matches: 2 without") && found.ends_with("is restored.\n"), "{found}");
    let elsewhere = folder.file("b.sqlite");
    done(&["restore", &copy, &elsewhere]);
    #[cfg(unix)]
    assert!(is_private(Path::new(&elsewhere)));
    let server = Server::start(&["--store", &elsewhere]);
    assert_eq!(Client::new(server.address).get(&format!("/api/v1/matches/{later}"), None).status, 200);
    drop(server);

    damage(&copy, r#"{"bid":5"#);
    let before = fs::read(&path).unwrap();
    assert!(refused(&["restore", &copy, &path, "--force"]).contains("this backup is damaged"));
    assert_eq!(fs::read(&path).unwrap(), before);
    let nowhere = folder.file("no/such/folder");
    assert!(refused(&["backup", &path, &nowhere]).contains("no/such/folder"));
}

#[test]
fn a_match_is_deleted_with_everything_and_its_room_given_back() {
    let folder = Folder::new();
    let path = folder.file("a.sqlite");
    let [unbegun, _, over] = three_matches(&path);
    let holds = |text: &str| fs::read(&path).unwrap().windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds(&over) && holds("oneofakind"));
    done(&["delete", &path, &over]);
    assert!(!holds(&over) && !holds("oneofakind"), "nothing of it stays in the file");
    assert!(refused(&["delete", &path, &over]).contains("there is no match"));
    assert!(refused(&["delete", &path, "nonsense"]).contains("is no name of a match"));
    assert!(holds(&unbegun));
    let sizes = done(&["compact", &path]);
    assert!(sizes.contains(" bytes before, ") && sizes.contains(" bytes after"), "{sizes}");
    assert!(done(&["check", &path]).starts_with("2 matches: "));
    assert!(done(&["trust-clock", &path]).contains("clock"));
}

/// What the log says of a store when the server starts.
fn said_at_start(path: &str, more: &[&str], wanted: &str) -> String {
    for _ in 0..50 {
        let server = Server::start(&[&["--store", path], more].concat());
        // The check goes on beside the server.
        std::thread::sleep(Duration::from_millis(100));
        let log = server.stop_and_read();
        if log.contains(wanted) {
            return log;
        }
    }
    panic!("{wanted} is never said");
}

#[test]
fn the_log_says_whether_the_store_is_whole() {
    let folder = Folder::new();
    let path = folder.file("a.sqlite");
    three_matches(&path);
    assert!(said_at_start(&path, &["--log"], "the store was checked and is whole").contains(" INFO "));
    let mut bytes = fs::read(&path).unwrap();
    // The kind of the page on which the matches are.
    let setup = bytes.windows(8).rposition(|window| window == b"\"limit\":").unwrap();
    bytes[setup / 4096 * 4096] = 0x77;
    fs::write(&path, bytes).unwrap();
    let log = said_at_start(&path, &[], "the store is damaged");
    assert!(log.contains(" ERROR ") && log.contains("richman store check"), "{log}");
}

#[cfg(unix)]
#[test]
fn a_store_that_vanishes_is_noticed_and_nothing_is_answered_that_is_not_kept() {
    let folder = Folder::new();
    let path = folder.file("a.sqlite");
    let server = Server::start(&["--store", &path]);
    let mut client = Client::new(server.address);
    let (id, seat) = begin(&mut client, &json!({ "game": "tic-tac-toe" }));
    fs::remove_file(&path).unwrap();
    let body = json!({ "step": 0, "player": "alice", "action": { "bid": 1 } }).to_string();
    let answer = client.post("/api/v1/seat/actions", Some(&seat), &body);
    assert_eq!(answer.status, 500, "{}", answer.body);
    assert!(!answer.body.contains("sqlite"), "{}", answer.body);
    let log = server.stop_and_read();
    assert!(log.contains("nothing is written any more") && log.contains("was deleted or exchanged"), "{log}");
    assert!(!log.contains(&id) && !log.contains(&seat), "{log}");
}

#[test]
fn an_empty_file_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let path = folder.file("a.sqlite");
    fs::write(&path, "").unwrap();
    let output = Command::new(richman()).args(["serve", "--listen", "127.0.0.1:0", "--store", &path]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("delete the file to begin a new store"), "{said}");
}
