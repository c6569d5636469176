//! The log: requests with `--log`, failures always, secrets never.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::process::Stdio;

use super::client::{Client, Folder, Server};

const TWO_PERSONS: &str = r#"{"game":"tic-tac-toe","total":77777,"seats":{"alice":"person","bob":"person"}}"#;

/// A new match: its name, and the secrets of Alice and Bob.
fn created(client: &mut Client) -> [String; 3] {
    let created = client.post("/api/v1/matches", None, TWO_PERSONS).json();
    [&created["id"], &created["tokens"]["alice"], &created["tokens"]["bob"]]
        .map(|text| text.as_str().unwrap().to_string())
}

#[test]
fn requests_are_logged_without_secrets() {
    let server = Server::start(&["--no-store", "--log"]);
    let mut client = Client::new(server.address);
    let [id, alice, bob] = created(&mut client);
    client.post("/api/v1/seat/actions", Some(&alice), r#"{"step":0,"action":{"bid":34567}}"#);
    client.get("/api/v1/seat", Some(&bob));
    client.get(&format!("/api/v1/matches/{id}"), None);
    client.get(&format!("/play/{alice}?secret={alice}"), None);
    client.get(&format!("/guide/{alice}"), None);
    client.get(&format!("/no-such-page/{alice}"), None);
    client.send(&alice.to_uppercase(), "/", None, "");
    let log = server.stop_and_read();
    for line in [
        "method=POST page=/api/v1/seat/actions status=200 milliseconds=",
        "method=GET page=/api/v1/matches/{id} status=200 milliseconds=",
        "method=GET page=/guide/{*name} status=404 milliseconds=",
        "method=GET page=- status=404 milliseconds=",
        "method=- page=/ status=405 milliseconds=",
    ] {
        assert!(log.contains(line), "{line} is not in {log}");
    }
    assert_eq!(log.lines().count(), 8, "{log}");
    assert!(log.lines().all(|line| line.contains(" INFO ")) && !log.contains('\u{1b}'), "{log}");
    for secret in [alice.as_str(), &alice.to_uppercase(), &bob, &id, "34567"] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[test]
fn without_log_only_failures_are_logged() {
    let server = Server::start(&["--no-store"]);
    let mut client = Client::new(server.address);
    let [_, alice, _] = created(&mut client);
    client.post("/api/v1/seat/actions", Some(&alice), r#"{"step":7,"action":{"bid":34567}}"#);
    client.get("/play/no-such-token", None);
    assert_eq!(server.stop_and_read(), "");
}

/// A store that fails while the server runs: every failed answer has its cause in the log.
#[test]
fn the_cause_of_a_failure_is_logged_without_secrets() {
    let folder = Folder::new();
    let store = folder.file("matches.sqlite");
    let server = Server::start(&["--store", &store]);
    let [id, alice, bob] = created(&mut Client::new(server.address));
    assert_eq!(server.stop_and_read(), "");

    let server = Server::start(&["--store", &store]);
    let length = fs::metadata(&store).unwrap().len();
    let mut file = OpenOptions::new().write(true).open(&store).unwrap();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xff; usize::try_from(length).unwrap() - 4096]).unwrap();
    let mut client = Client::new(server.address);
    for (path, token) in [
        (format!("/api/v1/matches/{id}"), None),
        ("/api/v1/seat".to_string(), Some(bob.as_str())),
        (format!("/play/{alice}"), None),
    ] {
        let answer = client.get(&path, token);
        assert_eq!(answer.status, 500, "{path}: {}", answer.body);
        assert!(answer.body.contains("something went wrong here") || answer.body.contains("Something went wrong here"));
        assert!(!answer.body.contains("malformed"), "the cause is for the log: {}", answer.body);
    }
    let log = server.stop_and_read();
    for page in ["/api/v1/matches/{id}", "/api/v1/seat", "/play/{token}"] {
        let line = log.lines().find(|line| line.contains(&format!(" method=GET page={page} status=500 cause=")));
        let line = line.unwrap_or_else(|| panic!("{page} is not in {log}"));
        assert!(line.contains(" ERROR ") && line.contains("malformed"), "{line}");
    }
    assert!(!log.contains("answered"), "requests are logged with --log: {log}");
    for secret in [&id, &alice, &bob] {
        assert!(!log.contains(secret.as_str()), "{log}");
    }
}

/// Nobody needs to read the log.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let server = Server::start_with_log(&["--no-store", "--log"], Stdio::from(full));
    let mut client = Client::new(server.address);
    for _ in 0..3 {
        assert_eq!(client.get("/guide", None).status, 200);
    }
    assert!(server.stop().success());
}
