//! `richman serve` as a process: starting and stopping. `attacks` has what it does under load.

mod client;
mod log;
mod store;

use std::net::TcpListener;
use std::process::Command;

use client::{Client, Folder, Server, richman};

#[test]
fn it_says_where_it_is_and_keeps_matches() {
    let folder = Folder::new();
    let store = folder.file("matches.sqlite");
    let server = Server::start(&["--store", &store]);
    let mut client = Client::new(server.address);
    assert_eq!(client.get("/api/openapi.json", None).status, 200);
    let wanted = r#"{"game":"tic-tac-toe","seats":{"alice":"person","bob":"invited"}}"#;
    let created = client.post("/api/v1/matches", None, wanted);
    assert_eq!(created.status, 201, "{}", created.body);
    let id = created.json()["id"].as_str().unwrap().to_string();
    assert!(server.stop().success());

    let server = Server::start(&["--store", &store]);
    let mut client = Client::new(server.address);
    let found = client.get(&format!("/api/v1/matches/{id}"), None);
    assert_eq!((found.status, found.json()["id"].as_str()), (200, Some(id.as_str())));
}

#[test]
fn it_stops_while_somebody_listens() {
    let server = Server::start(&["--no-store"]);
    let mut client = Client::new(server.address);
    let created =
        client.post("/api/v1/matches", None, r#"{"game":"tic-tac-toe","seats":{"alice":"person","bob":"invited"}}"#);
    let id = created.json()["id"].as_str().unwrap().to_string();
    let mut listening = Client::new(server.address);
    listening.open(&format!("/api/v1/matches/{id}/events"));
    let mut waiting = Client::new(server.address);
    waiting.send("GET", &format!("/api/v1/matches/{id}?after=1&wait=20"), None, "");
    let begun = std::time::Instant::now();
    assert!(server.stop().success());
    assert!(begun.elapsed().as_secs() < 4, "{:?}", begun.elapsed());
}

#[test]
fn what_it_cannot_have_is_said() {
    let folder = Folder::new();
    let store = folder.file("matches.sqlite");
    let _server = Server::start(&["--store", &store]);
    let refused = |args: &[&str]| {
        let output = Command::new(richman()).arg("serve").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--listen", "127.0.0.1:0", "--store", &store]).contains("another server is using this database"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(refused(&["--listen", &address, "--no-store"]).contains("--listen"));
    let text = folder.file("text");
    std::fs::write(&text, "this is a text and no database").unwrap();
    assert!(refused(&["--listen", "127.0.0.1:0", "--store", &text]).contains("no database of richman"));
    let nowhere = folder.file("no/such/folder");
    assert!(refused(&["--listen", "127.0.0.1:0", "--store", &nowhere]).contains("no/such/folder"));
    refused(&["--listen", "nonsense"]);
    refused(&["--no-store", "--store", &store]);
    refused(&["--keep", "0"]);
}

/// A server of this machine alone is not for pages of other sites, unless it is told so.
#[test]
fn other_sites_are_served_by_an_option() {
    use std::io::{Read, Write};
    for (options, is_open) in [(&["--no-store"][..], false), (&["--no-store", "--other-sites"], true)] {
        let server = Server::start(options);
        for (asked, may_open) in [("GET /api/v1/games", true), ("OPTIONS /api/v1/solve", true), ("GET /new", false)] {
            let mut stream = std::net::TcpStream::connect(server.address).unwrap();
            let headers = "Host: localhost\r\nOrigin: https://elsewhere.example\r\nConnection: close";
            write!(stream, "{asked} HTTP/1.1\r\n{headers}\r\n\r\n").unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).unwrap();
            let answer = String::from_utf8_lossy(&answer).to_ascii_lowercase();
            assert!(answer.starts_with("http/1.1 20"), "{asked}: {answer:.200}");
            let is_allowed = answer.contains("access-control-allow-origin: *\r\n");
            assert_eq!(is_allowed, is_open && may_open, "{asked} {options:?}");
        }
    }
}
