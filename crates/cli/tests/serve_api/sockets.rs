//! Clients that violate HTTP, are slow, or are many.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use hyper::Method;
use serde_json::json;

use super::bots::{self, Client};
use super::server::Served;

/// Longer than any wait here.
const PATIENCE: Duration = Duration::from_secs(60);

fn connect(served: &Served, patience: Duration) -> TcpStream {
    let stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(patience)).unwrap();
    stream
}

/// The answer until the connection is closed; `None` if it stays open.
fn rest(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => None,
        _ => Some(answer), // it may be closed while there is more to read
    }
}

/// Sends bytes, ends the request, and returns the answer.
fn send(served: &Served, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(served, Duration::from_secs(20));
    // The server may refuse and close before everything is written.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    rest(&mut stream).expect("the connection is closed")
}

/// Checks that a correct match can be played.
async fn still_plays(served: &Served) {
    let load = bots::load(served.address, 2, Duration::ZERO).await.unwrap();
    assert!(load.actions.len() > 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_request_are_refused() {
    let served = Served::new("bytes");
    let mut rng = fastrand::Rng::with_seed(11);
    let host = format!("Host: {}\r\n", served.address);
    let mut requests: Vec<Vec<u8>> = vec![
        b"\r\n\r\n".to_vec(),
        b"GET".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET /api/v1/games HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n".to_vec(),
        format!("GET /api/v1/matches/%ff%zz HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET /api/v1/../../etc/passwd HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!(
            "POST /api/v1/matches HTTP/1.1\r\n{host}Content-Type: application/json\r\n\
             Content-Length: 99999999999\r\n\r\n{{"
        )
        .into_bytes(),
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n").into_bytes(),
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{{}}")
            .into_bytes(),
        format!(
            "POST /api/v1/matches HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\
             Content-Type: application/json\r\n\r\nzz\r\n"
        )
        .into_bytes(),
        format!(
            "POST /api/v1/matches HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\
             Content-Type: application/json\r\n\r\nffffffffffffffff\r\n{{"
        )
        .into_bytes(),
        format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X-A: b\r\n".repeat(2000)).into_bytes(),
        format!("GET / HTTP/1.1\r\n{host}X-A: {}\r\n\r\n", "b".repeat(1 << 20)).into_bytes(),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(1 << 20)).into_bytes(),
    ];
    requests.extend((0..200).map(|_| (0..rng.usize(1..400)).map(|_| rng.u8(..)).collect()));
    for request in requests {
        let answer = send(&served, &request);
        let shown = String::from_utf8_lossy(&request[..request.len().min(80)]).into_owned();
        let is_refused = answer.is_empty() || answer.starts_with(b"HTTP/1.1 4") || answer.starts_with(b"HTTP/1.0 4");
        assert!(is_refused, "{shown:?}: {}", String::from_utf8_lossy(&answer[..answer.len().min(200)]));
    }
    still_plays(&served).await;
}

/// Clients that send nothing or half a request are disconnected after a while, and block nobody.
#[tokio::main(worker_threads = 2)]
pub async fn slow_clients_are_in_nobodys_way() {
    let served = Served::new("slow");
    let mut slow = Vec::new();
    for number in 0..300 {
        let mut stream = connect(&served, PATIENCE);
        let half = match number % 3 {
            0 => String::new(),
            1 => "GET /api/v1/games HTTP/1.1\r\nHos".to_string(),
            _ => format!(
                "POST /api/v1/matches HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                 Content-Length: 500\r\n\r\n{{",
                served.address
            ),
        };
        stream.write_all(half.as_bytes()).unwrap();
        slow.push(stream);
    }
    still_plays(&served).await;
    // Clients with half a head are disconnected after some seconds; a body may take longer.
    for mut stream in slow.into_iter().skip(1).step_by(75) {
        let answer = rest(&mut stream).expect("a half request is not held forever");
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
    }
    still_plays(&served).await;
}

/// Of thousands of streams, as many as allowed are served. The others are refused, and matches go
/// on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_event_streams_leave_room_to_play() {
    let served = Served::new("streams");
    let mut client = Client::new(served.address, 0).await.unwrap();
    let mut ids = Vec::new();
    let seats = json!({ "alice": "person", "bob": "person" });
    for _ in 0..10 {
        let wanted = json!({ "game": "tic-tac-toe", "seats": seats });
        let made = client.done(Method::POST, "/api/v1/matches", None, Some(&wanted)).await.unwrap();
        ids.push(made["id"].as_str().unwrap().to_string());
    }
    let before = served.memory();
    let (mut open, mut refused) = (Vec::new(), 0);
    for number in 0..3000 {
        let mut stream = connect(&served, Duration::from_secs(20));
        let id = &ids[if number % 2 == 0 { 0 } else { number % ids.len() }];
        let request = format!("GET /api/v1/matches/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
        let mut head = [0; 12];
        stream.write_all(request.as_bytes()).unwrap();
        stream.read_exact(&mut head).unwrap();
        match &head {
            b"HTTP/1.1 200" => open.push(stream),
            // Of streams, then of connections, one client has had its share.
            b"HTTP/1.1 429" | b"HTTP/1.1 503" => refused += 1,
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }
    println!("{} streams open, {refused} refused", open.len());
    assert!(open.len() >= 200, "{} streams", open.len());
    assert!(refused > 0, "there is no limit");
    if let (Some(before), Some(now)) = (before, served.memory()) {
        assert!(now < before + (256 << 20), "memory grew from {before} to {now} bytes");
    }
    // The earlier connection is still served.
    let wanted = json!({ "game": "tic-tac-toe", "seats": seats });
    client.done(Method::POST, "/api/v1/matches", None, Some(&wanted)).await.unwrap();
    drop(open);
    tokio::time::sleep(Duration::from_millis(500)).await;
    still_plays(&served).await;
}
