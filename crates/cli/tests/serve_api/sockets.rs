//! Clients that do not keep to HTTP, are slow, or are many.

use std::time::Duration;

use hyper::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::bots::{self, Client};
use crate::server::Served;

/// Longer than anything is waited for here.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends bytes, says that there are no more, and gives what is answered until the connection is closed or `patience` is over.
async fn send(served: &Served, bytes: &[u8], patience: Duration) -> Vec<u8> {
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    // The server may refuse and close before everything is written.
    let _ = stream.write_all(bytes).await;
    let _ = stream.shutdown().await;
    let mut answer = Vec::new();
    let _ = timeout(patience, stream.read_to_end(&mut answer)).await;
    answer
}

/// That a correct match can be played.
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
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{{").into_bytes(),
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n").into_bytes(),
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{{}}").into_bytes(),
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n").into_bytes(),
        format!("POST /api/v1/matches HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nffffffffffffffff\r\n{{").into_bytes(),
        format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X-A: b\r\n".repeat(2000)).into_bytes(),
        format!("GET / HTTP/1.1\r\n{host}X-A: {}\r\n\r\n", "b".repeat(1 << 20)).into_bytes(),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(1 << 20)).into_bytes(),
    ];
    requests.extend((0..200).map(|_| (0..rng.usize(1..400)).map(|_| rng.u8(..)).collect()));
    for request in requests {
        let answer = send(&served, &request, Duration::from_secs(5)).await;
        let shown = String::from_utf8_lossy(&request[..request.len().min(80)]).into_owned();
        let is_refused = answer.is_empty() || answer.starts_with(b"HTTP/1.1 4") || answer.starts_with(b"HTTP/1.0 4");
        assert!(is_refused, "{shown:?}: {}", String::from_utf8_lossy(&answer[..answer.len().min(200)]));
    }
    still_plays(&served).await;
}

/// Half requests, and clients that send a byte now and then, are let go after a while and are in nobody's way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_in_nobodys_way() {
    let served = Served::new("slow");
    let mut slow = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let half = match number % 3 {
            0 => String::new(),
            1 => "GET /api/v1/games HTTP/1.1\r\nHos".to_string(),
            _ => format!(
                "POST /api/v1/matches HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{{",
                served.address
            ),
        };
        stream.write_all(half.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    still_plays(&served).await;
    // Those with half a head are let go after some seconds; a body may take longer.
    for mut stream in slow.into_iter().skip(1).step_by(75) {
        let mut answer = Vec::new();
        let closed = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        assert!(closed.is_ok(), "a half request is held for ever");
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
    }
    still_plays(&served).await;
}

/// Thousands of streams: as many as are allowed are served, the others are told that there are too many, and matches go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_event_streams_leave_room_to_play() {
    let served = Served::new("streams");
    let mut client = Client::new(served.address).await.unwrap();
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
        // Beyond the most connections nobody is let in, or nobody is answered.
        let Ok(Ok(mut stream)) = timeout(Duration::from_millis(500), TcpStream::connect(served.address)).await else {
            refused += 1;
            continue;
        };
        let id = &ids[if number % 2 == 0 { 0 } else { number % ids.len() }];
        let request = format!("GET /api/v1/matches/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
        let _ = stream.write_all(request.as_bytes()).await;
        let mut head = [0; 12];
        match timeout(Duration::from_millis(500), stream.read_exact(&mut head)).await {
            Ok(Ok(_)) if &head == b"HTTP/1.1 200" => open.push(stream),
            Ok(Ok(_)) => {
                assert!([b"HTTP/1.1 429", b"HTTP/1.1 503"].contains(&&head), "{}", String::from_utf8_lossy(&head));
                refused += 1;
            }
            _ => refused += 1,
        }
        if refused > 1500 {
            break;
        }
    }
    println!("{} streams open, {refused} refused", open.len());
    assert!(open.len() >= 200, "{} streams", open.len());
    assert!(refused > 0, "there is no limit");
    if let (Some(before), Some(now)) = (before, served.memory()) {
        assert!(now < before + (256 << 20), "memory grew from {before} to {now} bytes");
    }
    // The connection from before is still served.
    let wanted = json!({ "game": "tic-tac-toe", "seats": seats });
    client.done(Method::POST, "/api/v1/matches", None, Some(&wanted)).await.unwrap();
    drop(open);
    tokio::time::sleep(Duration::from_millis(500)).await;
    still_plays(&served).await;
}
