//! The server as a stranger meets it: whatever comes over a connection, nothing panics, and every
//! whole request gets a well-formed answer, which never says that something broke.
//!
//! An input is a conversation over one connection: requests, with the byte 1e between two of them.
//! The first byte of a request is the letter of its route in [`ROUTES`], counted from `0`. The rest
//! is its body, or the end of its address. In both, what the server has told so far is written
//! `{match}`, `{alice}`, `{bob}`, `{invitation}` and `{record}`.

#![no_main]

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use richman_serve::{Config, Server};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

/// A kind of request.
struct Route {
    /// The method, the address, and the secret in the header if there is one.
    line: &'static str,
    /// The type of the body, if there is one.
    body: Option<&'static str>,
    /// Whether it may take longer than the stranger waits.
    is_slow: bool,
}

const fn get(line: &'static str) -> Route {
    Route { line, body: None, is_slow: false }
}

const fn post(line: &'static str, body: &'static str) -> Route {
    Route { line, body: Some(body), is_slow: false }
}

/// Reads rules, solves, or waits for a change.
const fn slow(route: Route) -> Route {
    Route { is_slow: true, ..route }
}

const JSON: &str = "application/json";
const FIELDS: &str = "application/x-www-form-urlencoded";
const PARTS: &str = "multipart/form-data; boundary=x";

const ROUTES: [Route; 58] = [
    get(""), // the rest is all that is sent
    slow(post("POST /api/v1/matches", JSON)),
    slow(post("POST /api/v1/seat/actions {alice}", JSON)),
    slow(post("POST /api/v1/seat/actions {bob}", JSON)),
    slow(post("POST /api/v1/seat/rematch {alice}", JSON)),
    slow(post("POST /api/v1/seat/rematch {bob}", JSON)),
    slow(get("GET /api/v1/seat {alice}")),
    slow(get("GET /api/v1/seat {bob}")),
    get("GET /api/v1/invitation {invitation}"),
    post("POST /api/v1/invitation {invitation}", JSON),
    slow(get("GET /api/v1/matches/{match}")),
    get("GET /api/v1/matches/{match}/events"),
    get("GET /api/v1/matches/{match}/record"),
    get("GET /api/v1/matches/{match}/file"),
    slow(get("GET /api/v1/matches/{match}/review")),
    slow(post("POST /api/v1/records", JSON)),
    get("GET /api/v1/records/{record}"),
    slow(get("GET /api/v1/records/{record}/review")),
    slow(post("POST /api/v1/solve", JSON)),
    slow(post("POST /api/v1/table", JSON)),
    get("GET /api/v1/games"),
    get("GET /api/openapi.json"),
    get("GET /api"),
    get("OPTIONS /api/v1"),
    get("GET /"),
    get("GET /first"),
    slow(post("POST /first", FIELDS)),
    slow(get("GET /new")),
    slow(post("POST /new", PARTS)),
    get("GET /m/{match}"),
    get("GET /m/{match}/now"),
    slow(post("POST /m/{match}/act?as=alice", FIELDS)),
    slow(post("POST /m/{match}/act?as=bob", FIELDS)),
    slow(post("POST /m/{match}/act", FIELDS)),
    slow(post("POST /m/{match}/hint", FIELDS)),
    slow(post("POST /m/{match}/rematch", FIELDS)),
    post("POST /m/{match}/device", FIELDS),
    get("GET /events"),
    get("GET /join/{invitation}"),
    post("POST /join/{invitation}", FIELDS),
    get("GET /record/{match}"),
    get("GET /play/{alice}"),
    get("GET /watch/{match}"),
    slow(get("GET /explore")),
    slow(post("POST /explore/file", PARTS)),
    slow(get("GET /explore/solve.json")),
    slow(get("GET /explore/solve.csv")),
    slow(get("GET /explore/table.json")),
    slow(get("GET /explore/table.csv")),
    slow(get("GET /explore/figure.svg")),
    slow(get("GET /explore/tree.svg")),
    slow(get("GET /explore/tree.json")),
    get("GET /review"),
    slow(post("POST /review", PARTS)),
    slow(get("GET /review/{record}")),
    slow(get("GET /review/{match}")),
    get("GET /guide"),
    get("GET /assets"),
];

/// What a stranger's request may be answered.
const STATUSES: [u16; 22] =
    [200, 201, 204, 303, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410, 413, 414, 415, 421, 422, 429, 431, 503];
/// The most requests of a conversation.
const MOST: usize = 12;
/// How long the stranger waits for what is slow. A job whose answer nobody awaits ends.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long the stranger waits after bytes that may be no whole request.
const SILENCE: Duration = Duration::from_millis(20);
/// A server, with all that it keeps, is replaced after this many conversations.
const LIFE: u32 = 4096;

/// A server, and the number of the next stranger.
struct Served {
    runtime: Runtime,
    server: Server,
    next: u32,
}

impl Served {
    fn new() -> Served {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let config = Config {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            public: Some("https://play.example".parse().expect("an address")),
            memory: 64 << 20,
            other_sites: true,
            ..Config::default()
        };
        let server = runtime.block_on(Server::bind(&config)).expect("a server");
        let mut served = Served { runtime, server, next: 0 };
        // The first page takes long: it has pictures of all games.
        let connection = served.connection();
        served.runtime.block_on(converse(connection, b"H"));
        served
    }

    /// A connection of a stranger who has not been here before, and so has all quotas.
    fn connection(&mut self) -> DuplexStream {
        let _context = self.runtime.enter();
        let (ours, theirs) = duplex(64 << 10);
        self.server.answer(theirs, IpAddr::V4(Ipv4Addr::from_bits(10 << 24 | self.next)));
        self.next += 1;
        ours
    }
}

thread_local! {
    static SERVED: RefCell<Option<Served>> = const { RefCell::new(None) };
}

fuzz_target!(|bytes: &[u8]| {
    SERVED.with_borrow_mut(|served| {
        if let Some(old) = served.take_if(|served| served.next >= LIFE) {
            drop(old.server);
            old.runtime.shutdown_background();
        }
        let served = served.get_or_insert_with(Served::new);
        let connection = served.connection();
        served.runtime.block_on(converse(connection, bytes));
    });
});

/// What the server has told.
struct Told {
    names: [(&'static str, String); 5],
}

impl Told {
    fn new() -> Told {
        // A name that nothing has.
        Told { names: ["{match}", "{alice}", "{bob}", "{invitation}", "{record}"].map(|key| (key, "a".repeat(26))) }
    }

    /// The text with names in the places of their keys.
    fn fill(&self, bytes: &[u8]) -> Vec<u8> {
        let mut filled = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some((first, after)) = rest.split_first() {
            match self.names.iter().find(|(key, _)| rest.starts_with(key.as_bytes())) {
                Some((key, name)) => {
                    filled.extend_from_slice(name.as_bytes());
                    rest = &rest[key.len()..];
                }
                None => {
                    filled.push(*first);
                    rest = after;
                }
            }
        }
        filled
    }

    fn note(&mut self, key: &str, name: Option<&str>) {
        let known = self.names.iter_mut().find(|(known, _)| *known == key).map(|(_, known)| known);
        if let (Some(known), Some(name)) = (known, name) {
            *known = name.to_string();
        }
    }

    /// Learns the names in an answer.
    fn learn(&mut self, answer: &Answer) {
        if let Ok(json) = serde_json::from_slice::<Value>(&answer.body) {
            let is_match = json.get("tokens").is_some();
            self.note(if is_match { "{match}" } else { "{record}" }, json["id"].as_str());
            self.note("{alice}", json["tokens"]["alice"].as_str());
            self.note("{bob}", json["tokens"]["bob"].as_str());
            self.note("{bob}", json["token"].as_str());
            self.note("{invitation}", json["invitation"].as_str());
        }
        if let Some(place) = answer.header("location") {
            let name = |after: &str| place.split_once(after).and_then(|(_, name)| name.get(..26));
            self.note("{match}", name("/m/"));
            self.note("{record}", name("/review/").or_else(|| name("file=")));
        }
        if let Some(cookie) = answer.header("set-cookie") {
            let secret = |seat: &str| cookie.strip_prefix(seat).and_then(|secret| secret.get(..26));
            self.note("{alice}", secret("seat-alice=").or_else(|| secret("seat-both=")));
            self.note("{bob}", secret("seat-bob="));
        }
    }
}

async fn converse(mut connection: DuplexStream, bytes: &[u8]) {
    let (mut told, mut read) = (Told::new(), Vec::new());
    for request in bytes.split(|byte| *byte == 0x1e).take(MOST) {
        let Some((letter, rest)) = request.split_first() else { continue };
        let route = &ROUTES[usize::from(letter.wrapping_sub(b'0')) % ROUTES.len()];
        let rest = told.fill(rest);
        if route.line.is_empty() {
            return send_anything(connection, &rest).await;
        }
        let sent = written(route, &told, &rest);
        connection.write_all(&sent).await.expect("the server reads");
        let answer = Answer::read(&mut connection, &mut read);
        let answer = if route.is_slow {
            match timeout(PATIENCE, answer).await {
                Ok(answer) => answer,
                Err(_) => return, // the stranger goes away
            }
        } else {
            answer.await
        };
        let answer = answer.unwrap_or_else(|| panic!("no answer to {}", String::from_utf8_lossy(&sent)));
        answer.check(route, &sent);
        if answer.header("transfer-encoding").or(answer.header("connection")).is_some() {
            return; // a stream of events, or the server has had enough
        }
        told.learn(&answer);
    }
}

/// A whole request.
fn written(route: &Route, told: &Told, rest: &[u8]) -> Vec<u8> {
    let line = String::from_utf8(told.fill(route.line.as_bytes())).expect("text");
    let mut words = line.split(' ');
    let (method, address, secret) = (words.next().expect("a method"), words.next().expect("an address"), words.next());
    let [(_, _), (_, alice), (_, bob), ..] = &told.names;
    let mut head = format!("{method} {address}");
    if route.body.is_none() {
        for byte in rest {
            match byte.is_ascii_graphic() {
                true => head.push(char::from(*byte)),
                false => head += &format!("%{byte:02x}"),
            }
        }
    }
    head += &format!(" HTTP/1.1\r\nHost: localhost\r\nCookie: seat-alice={alice}; seat-bob={bob}\r\n");
    if let Some(secret) = secret {
        head += &format!("Authorization: Bearer {secret}\r\n");
    }
    if let Some(kind) = route.body {
        head += &format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", rest.len());
    }
    head += "\r\n";
    let body = if route.body.is_some() { rest } else { b"" };
    [head.as_bytes(), body].concat()
}

/// Bytes that may be anything: if there is an answer, it is one of HTTP.
async fn send_anything(mut connection: DuplexStream, bytes: &[u8]) {
    // The server may have closed the connection before it has read everything.
    let _ = connection.write_all(bytes).await;
    let mut read = Vec::new();
    while let Ok(Ok(1..)) = timeout(SILENCE, connection.read_buf(&mut read)).await {}
    if !read.is_empty() {
        let (answer, _) = Answer::head(&read).expect("a whole answer");
        assert!(answer.status == 100 || STATUSES.contains(&answer.status), "{}", answer.status);
    }
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    /// The head of an answer, and its length; `None` if it is not whole.
    fn head(bytes: &[u8]) -> Option<(Answer, usize)> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(length) = parsed.parse(bytes).expect("a head of HTTP") else { return None };
        let text = |header: &httparse::Header| String::from_utf8(header.value.to_vec()).expect("text");
        let headers = parsed.headers.iter().map(|header| (header.name.to_ascii_lowercase(), text(header))).collect();
        Some((Answer { status: parsed.code.expect("a status"), headers, body: Vec::new() }, length))
    }

    /// The next answer, without the body of a stream; `None` if the connection ends. What is read
    /// beyond it stays in `read`.
    async fn read(connection: &mut DuplexStream, read: &mut Vec<u8>) -> Option<Answer> {
        let (mut answer, length) = loop {
            if let Some(found) = Answer::head(read) {
                break found;
            }
            connection.read_buf(read).await.ok().filter(|more| *more > 0)?;
        };
        let size = answer.header("content-length").map_or(0, |size| size.parse().expect("a number"));
        while read.len() < length + size {
            connection.read_buf(read).await.ok().filter(|more| *more > 0)?;
        }
        answer.body = read.drain(..length + size).skip(length).collect();
        Some(answer)
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn check(&self, route: &Route, sent: &[u8]) {
        let what = || format!("{} to {}", self.status, String::from_utf8_lossy(sent));
        assert!(STATUSES.contains(&self.status), "{}: {}", what(), String::from_utf8_lossy(&self.body));
        // Of a head that cannot be read the library says so by itself.
        if self.header("x-request-id").is_none() {
            assert!(matches!(self.status, 400 | 414 | 431) && self.body.is_empty(), "{}", what());
            return;
        }
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{}", what());
        if self.header("content-type").is_some_and(|kind| kind.starts_with(JSON)) {
            let json: Value = serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{}: {error}", what()));
            let is_refused = self.status >= 400 && route.line.contains(" /api");
            assert!(!is_refused || json["error"]["message"].is_string(), "{}: {json}", what());
        }
    }
}
