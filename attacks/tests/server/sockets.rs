//! Clients that violate HTTP, are slow, or are many.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use richman_attacks::client::Ask;
use richman_attacks::server::Server;
use richman_attacks::{bots, raise_limit};
use serde_json::json;

use super::client;

/// Longer than any wait here.
const PATIENCE: Duration = Duration::from_secs(60);

fn connect(server: &Server, patience: Duration) -> TcpStream {
    let stream = TcpStream::connect(server.address).unwrap();
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
fn send(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(server, Duration::from_secs(20));
    // The server may refuse and close before everything is written.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    rest(&mut stream).expect("the connection is closed")
}

/// Checks that a correct match can be played.
async fn still_plays(server: &Server) {
    let load = bots::load(server.address, 2, Duration::ZERO).await.unwrap();
    assert!(load.actions.len() > 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_request_are_refused() {
    let server = Server::start();
    let mut rng = fastrand::Rng::with_seed(11);
    let host = format!("Host: {}\r\n", server.address);
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
        let answer = send(&server, &request);
        let shown = String::from_utf8_lossy(&request[..request.len().min(80)]).into_owned();
        let is_refused = answer.is_empty() || answer.starts_with(b"HTTP/1.1 4") || answer.starts_with(b"HTTP/1.0 4");
        assert!(is_refused, "{shown:?}: {}", String::from_utf8_lossy(&answer[..answer.len().min(200)]));
    }
    still_plays(&server).await;
}

/// Clients that send nothing or half a request are disconnected after a while, and block nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_in_nobodys_way() {
    raise_limit();
    let server = Server::start();
    let mut slow = Vec::new();
    for number in 0..300 {
        let mut stream = connect(&server, PATIENCE);
        let half = match number % 3 {
            0 => String::new(),
            1 => "GET /api/v1/games HTTP/1.1\r\nHos".to_string(),
            _ => format!(
                "POST /api/v1/matches HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                 Content-Length: 500\r\n\r\n{{",
                server.address
            ),
        };
        stream.write_all(half.as_bytes()).unwrap();
        slow.push(stream);
    }
    still_plays(&server).await;
    // Clients with half a head are disconnected after some seconds; a body may take longer.
    for mut stream in slow.into_iter().skip(1).step_by(75) {
        let answer = rest(&mut stream).expect("a half request is not held forever");
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
    }
    still_plays(&server).await;
}

/// Of thousands of streams, as many as allowed are server. The others are refused, and matches go
/// on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_event_streams_leave_room_to_play() {
    raise_limit();
    let server = Server::start();
    let mut client = client(server.address);
    let mut ids = Vec::new();
    let seats = json!({ "alice": "person", "bob": "person" });
    for _ in 0..10 {
        let wanted = json!({ "game": "tic-tac-toe", "seats": seats });
        let made = client.done(Ask::post("/api/v1/matches", wanted)).await.unwrap();
        ids.push(made["id"].as_str().unwrap().to_string());
    }
    let before = server.memory();
    let (mut open, mut refused) = (Vec::new(), 0);
    for number in 0..3000 {
        let mut stream = connect(&server, Duration::from_secs(20));
        let id = &ids[if number % 2 == 0 { 0 } else { number % ids.len() }];
        let request = format!("GET /api/v1/matches/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
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
    let now = server.memory();
    assert!(now < before + (256 << 20), "memory grew from {before} to {now} bytes");
    // The earlier connection is still server.
    let wanted = json!({ "game": "tic-tac-toe", "seats": seats });
    client.done(Ask::post("/api/v1/matches", wanted)).await.unwrap();
    drop(open);
    tokio::time::sleep(Duration::from_millis(500)).await;
    still_plays(&server).await;
}

/// Clients that send nothing, or never finish a request, do not block others, and are disconnected;
/// so are clients that ask and never read, or hardly, although there is more for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_and_those_that_never_read_are_let_go() {
    const ASKED: usize = 1000;
    const SECONDS: u64 = 25;
    let server = Server::start();
    let page = || Ask::get("/api/openapi.json");
    let size = client(server.address).ask(page()).await.unwrap().body.len();
    assert!(ASKED * size > 8 << 20, "the buffers of the connection could hold the answers");
    let [mut slow, mut silent, mut deaf, mut dripping] = [(); 4].map(|()| TcpStream::connect(server.address).unwrap());
    let begun = Instant::now();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").unwrap();
    for stream in [&mut deaf, &mut dripping] {
        let asked = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(ASKED);
        stream.write_all(asked.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    }
    assert_eq!(client(server.address).ask(page()).await.unwrap().status, 200);
    for stream in [&mut slow, &mut silent] {
        stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        let mut rest = Vec::new();
        let ended = stream.read_to_end(&mut rest);
        assert!(ended.is_ok(), "{ended:?}");
    }
    let mut part = [0; 1 << 16];
    while begun.elapsed() < Duration::from_secs(SECONDS) {
        std::thread::sleep(Duration::from_millis(100));
        let _ = dripping.read(&mut part[..100]);
    }
    for (stream, how) in [(&mut deaf, "without reading"), (&mut dripping, "of 1 KB each")] {
        let mut received = 0;
        while let Ok(more @ 1..) = stream.read(&mut part) {
            received += more;
        }
        assert!(received < ASKED * size, "it was answered after {SECONDS} s {how}");
    }
}
