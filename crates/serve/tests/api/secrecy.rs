//! No byte sent to anybody reveals a sealed bid before both are in, or a secret to anybody but its
//! owner.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aho_corasick::AhoCorasick;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::client::{Answer, Server, Table, chips, choose, request, request_with_cookie};

/// Chips of each player, chosen so that sums and differences of bids occur nowhere else.
const HOLDINGS: [u32; 2] = [499_979, 500_021];

/// The ways to write a number.
fn written(number: u64) -> BTreeMap<String, Vec<u8>> {
    let plain = number.to_string();
    let grouped = |separator: &str| {
        let digits: Vec<char> = plain.chars().collect();
        let groups: Vec<String> = digits.rchunks(3).rev().map(|group| group.iter().collect()).collect();
        groups.join(separator)
    };
    let mut forms: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (name, separator) in
        [("commas", ","), ("dots", "."), ("apostrophes", "'"), ("underscores", "_"), ("spaces", " ")]
    {
        forms.insert(name.to_string(), grouped(separator).into_bytes());
    }
    for (name, separator) in [("thin spaces", "\u{2009}"), ("hard spaces", "\u{a0}"), ("narrow spaces", "\u{202f}")] {
        forms.insert(name.to_string(), grouped(separator).into_bytes());
    }
    forms.insert("hexadecimal".to_string(), format!("{number:x}").into_bytes());
    forms.insert("HEXADECIMAL".to_string(), format!("{number:X}").into_bytes());
    forms.insert("binary".to_string(), format!("{number:b}").into_bytes());
    forms.insert(
        "percent encoding".to_string(),
        plain.bytes().flat_map(|byte| format!("%{byte:02x}").into_bytes()).collect(),
    );
    forms.insert("entities".to_string(), plain.bytes().flat_map(|byte| format!("&#{byte};").into_bytes()).collect());
    for shift in 0..3 {
        forms.insert(format!("base64, shifted by {shift}"), base64_inside(plain.as_bytes(), shift));
    }
    forms.insert("decimal".to_string(), plain.into_bytes());
    forms
}

/// The letters of base64 that depend on `text` alone, when `shift` bytes precede it.
fn base64_inside(text: &[u8], shift: usize) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = text.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let skipped = (6 - shift * 8 % 6) % 6;
    bits[skipped..]
        .chunks_exact(6)
        .map(|six| LETTERS[six.iter().fold(0, |sum, bit| sum << 1 | usize::from(*bit))])
        .collect()
}

/// Byte strings that would reveal a sealed bid, and what each is.
struct Sealed(AhoCorasick, Vec<String>);

impl Sealed {
    /// Everything that reveals a bid, given both numbers of chips.
    fn new(bid: u32, own: u32, other: u32) -> Sealed {
        let [bid, own, other] = [bid, own, other].map(u64::from);
        let numbers = [
            ("the bid", bid),
            ("the next bid", bid + 1),
            ("the bid before", bid - 1),
            ("the bid in half-steps", 2 * bid),
            ("chips left", own - bid),
            ("chips left in half-steps", 2 * (own - bid)),
            ("chips left in half-steps, with the star", 2 * (own - bid) + 1),
            ("the other's chips then", other + bid),
        ];
        let forms = numbers.iter().flat_map(|(what, number)| {
            written(*number).into_iter().map(move |(how, bytes)| (format!("{what}, {how}"), bytes))
        });
        Sealed::any_of(forms)
    }

    /// Any of these byte strings, each with what it is.
    fn any_of(forms: impl IntoIterator<Item = (String, Vec<u8>)>) -> Sealed {
        let (names, forms): (Vec<String>, Vec<Vec<u8>>) = forms.into_iter().unzip();
        Sealed(AhoCorasick::new(forms).unwrap(), names)
    }

    /// How `heard` reveals it, if it does.
    fn find(&self, heard: &[u8]) -> Option<&str> {
        self.0.find(heard).map(|found| self.1[found.pattern()].as_str())
    }
}

/// Everything sent, head and body.
#[derive(Debug, Default)]
struct Heard(Vec<(String, Vec<u8>)>);

impl Heard {
    fn answer(&mut self, what: impl Into<String>, answer: &Answer) {
        let mut bytes = format!("{} {:?}\n", answer.status, answer.headers).into_bytes();
        bytes.extend_from_slice(&answer.body);
        self.0.push((what.into(), bytes));
    }

    /// The answers that reveal it, and how.
    fn telling(&self, sealed: &Sealed) -> Vec<String> {
        self.0.iter().filter_map(|(what, bytes)| Some(format!("{what}: {}", sealed.find(bytes)?))).collect()
    }
}

/// Requests everything in every role.
async fn ask_for_everything(server: &Server, table: &Table, heard: &mut Heard) {
    let document = server.get("/api/openapi.json", None).await;
    let paths: Vec<String> =
        document.json()["paths"].as_object().unwrap().keys().map(|path| path.replace("{id}", &table.id)).collect();
    let mut secrets: Vec<Option<&str>> = vec![None];
    secrets.extend(table.tokens.iter().map(|token| Some(token.as_str())));
    for secret in &secrets {
        for path in paths.iter().filter(|path| !path.ends_with("/events")) {
            heard.answer(format!("GET {path}"), &server.get(path, *secret).await);
            heard.answer(format!("POST {path}"), &server.post(path, *secret, json!({})).await);
        }
    }
    for path in ["m", "watch", "record", "review", "match"] {
        for end in ["", "/now", "/glance", "/margins.svg", "?as=alice", "/now?as=bob", "/now?as=both"] {
            let path = format!("/{path}/{}{end}", table.id);
            heard.answer(format!("GET {path}"), &server.get(&path, None).await);
        }
    }
    for (name, role, token) in table.seats() {
        for end in ["", "/now", "/glance", "/hint"] {
            for asked in [format!("?as={role}"), "?as=spectator".to_string(), String::new()] {
                let what = format!("{name} asks for {end}{asked}");
                let mut page = server.page(&table.id, &format!("{end}{asked}"), role, token).await;
                // The cookie of a return match is for the owner, and for no script.
                if let Some(cookie) = page.headers.remove("set-cookie") {
                    let cookie = cookie.to_str().unwrap();
                    assert!(cookie.contains(token) && cookie.contains("; HttpOnly"), "{cookie}");
                }
                heard.answer(what, &page);
            }
        }
        let path = format!("/m/{}/device?as={role}", table.id);
        let cookie = format!("seat-{role}={token}");
        let answer = server.send(request_with_cookie(Method::POST, &path, &cookie)).await;
        assert!(String::from_utf8_lossy(&answer.body).contains(token), "{path} tells the owner the secret");
        heard.answer(format!("{name} moves to another device"), &answer);
    }
    for path in ["/", "/new", "/api", "/explore", "/assets/richman.js", "/assets/style.css"] {
        heard.answer(format!("GET {path}"), &server.get(path, None).await);
    }
    heard.answer("GET /api/openapi.json", &document);
}

/// Plays a match in which everybody listens to everything. Returns the leaks of sealed bids and the
/// number of checks.
async fn play_and_listen(server: &Server, table: &Table, rng: &mut fastrand::Rng) -> (Vec<String>, usize) {
    let (mut told, mut looked) = (Vec::new(), 0);
    loop {
        let seen = [server.seen(&table.tokens[0]).await, server.seen(table.tokens.last().unwrap()).await];
        if !seen[0]["result"].is_null() {
            assert_eq!(chips(&seen[0]), u64::from(HOLDINGS[0] + HOLDINGS[1]));
            return (told, looked);
        }
        let deciding: Vec<usize> = (0..2).filter(|&index| !seen[index]["decision"].is_null()).collect();
        let is_sealed = seen[0]["stage"] == "bids" && seen[0]["waiting_for"] == json!(["alice", "bob"]);
        if !is_sealed {
            let index = deciding[0];
            let (decision, action) = (&seen[index]["decision"], choose(&seen[index], rng));
            let player = usize::from(decision["player"] == "bob"); // at one screen one secret is for both
            act(server, table, player, &decision["step"], action).await.done();
            continue;
        }
        let first = rng.usize(..2).min(if seen[0]["you"] == "both" { 0 } else { 1 });
        let mut before = Heard::default();
        ask_for_everything(server, table, &mut before).await;
        let hands = [0, 1].map(|player| held(&seen[0]["holdings"][["alice", "bob"][player]]));
        // A bid that nothing else reveals.
        let (bid, sealed) = loop {
            let bid = rng.u32(hands[first].min(20_000) / 2..=hands[first].min(90_000));
            if bid < 1000 {
                return (told, looked); // too poor for numbers that stand out
            }
            let sealed = Sealed::new(bid, hands[first], hands[1 - first]);
            if before.telling(&sealed).is_empty() {
                break (bid, sealed);
            }
        };
        let step = seen[0]["steps"][["alice", "bob"][first]].clone();
        let during = while_sealed(server, table, first, &step, bid).await;
        told.extend(during.telling(&sealed));
        looked += during.0.len();
        // Now the other player bids, and everybody may know.
        let seen = server.seen(&table.tokens[(1 - first).min(table.tokens.len() - 1)]).await;
        let other = json!({ "bid": rng.u32(0..=hands[1 - first].min(90_000)) });
        act(server, table, 1 - first, &seen["decision"]["step"], other).await.done();
        let mut after = Heard::default();
        ask_for_everything(server, table, &mut after).await;
        assert!(!after.telling(&sealed).is_empty(), "once both bids are in, they are shown");
    }
}

/// All answers between the first bid and the second: to waiting clients, to the bidder, and to
/// everybody who asks.
async fn while_sealed(server: &Server, table: &Table, first: usize, step: &Value, bid: u32) -> Heard {
    let mut heard = Heard::default();
    let version = server.seen(&table.tokens[0]).await["version"].clone();
    let events = format!("/api/v1/matches/{}/events", table.id);
    let (_, mut events) = server.open(request(Method::GET, &events, None, None)).await;
    let mut frame = async || events.frame().await.unwrap().unwrap().into_data().unwrap().to_vec();
    frame().await; // the version that there is
    // The stream of pages, as a player and as a spectator.
    let (_, role, token) = table.seats()[0];
    let page = server.page(&table.id, "", role, token).await;
    let page = String::from_utf8_lossy(&page.body).into_owned();
    let key = page.split_once("data-listen=\"").unwrap().1.split('"').next().unwrap().to_string();
    let shared = format!("/events?m={key}&m={}", table.id);
    let (_, mut shared) = server.open(request(Method::GET, &shared, None, None)).await;
    let mut shared_frame = async || shared.frame().await.unwrap().unwrap().into_data().unwrap().to_vec();
    for _ in 0..2 {
        shared_frame().await;
    }
    let mut waiting = Vec::new();
    let mut wait = |path: String, secret: Option<String>| {
        let server = server.clone();
        waiting.push(tokio::spawn(async move { server.get(&path, secret.as_deref()).await }));
    };
    wait(format!("/api/v1/matches/{}?after={version}", table.id), None);
    for token in &table.tokens {
        wait(format!("/api/v1/seat?after={version}"), Some(token.clone()));
    }
    tokio::task::yield_now().await;
    let action = json!({ "bid": bid });
    heard.answer("the answer to the bidder", &act(server, table, first, step, action.clone()).await);
    // A repetition, and other requests that are impossible now.
    heard.answer("the answer to a repetition", &act(server, table, first, step, action.clone()).await);
    let next = json!(step.as_u64().unwrap() + 1);
    for action in [action, json!("let"), json!({ "use_star": true }), json!({ "move": "b2" })] {
        heard.answer("the answer to what is not asked", &act(server, table, first, &next, action).await);
    }
    for answer in waiting {
        heard.answer("the answer to who waited", &answer.await.unwrap());
    }
    ask_for_everything(server, table, &mut heard).await;
    heard.0.push(("the stream".to_string(), frame().await));
    for _ in 0..2 {
        heard.0.push(("the stream of pages".to_string(), shared_frame().await));
    }
    if role != "both" {
        // The bidder alone sees the own bid, in the own role.
        let own = format!("{} asks", ["alice", "bob"][first]);
        let is_own = |what: &str| what.starts_with(&own) && !what.ends_with("?as=spectator");
        let shown: Vec<(String, Vec<u8>)> = heard.0.extract_if(.., |(what, _)| is_own(what)).collect();
        let text = format!("Your bid of <b>{bid}</b>");
        assert!(shown.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(&text)));
    }
    heard
}

async fn act(server: &Server, table: &Table, player: usize, step: &Value, action: Value) -> Answer {
    let token = &table.tokens[player.min(table.tokens.len() - 1)];
    let name = ["alice", "bob"][player];
    server.post("/api/v1/seat/actions", Some(token), json!({ "step": step, "player": name, "action": action })).await
}

fn held(holding: &Value) -> u32 {
    match holding {
        Value::String(text) => text.trim_end_matches('*').parse().unwrap(),
        number => u32::try_from(number.as_u64().unwrap()).unwrap(),
    }
}

fn wanted(game: &str, one_screen: bool) -> Value {
    let holdings = json!({ "alice": format!("{}*", HOLDINGS[0]), "bob": HOLDINGS[1] });
    let seats = json!({ "alice": "person", "bob": "person" });
    json!({ "game": game, "holdings": holdings, "one_screen": one_screen, "limit": 6, "seats": seats })
}

#[tokio::test]
async fn no_byte_tells_a_sealed_bid_before_both_are_in() {
    let server = Server::new();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut looked = 0;
    for game in ["tic-tac-toe", "tug-of-war:length=6,at=3", "subtraction:heap=9,set=1+3"] {
        for one_screen in [false, true] {
            let table = server.set_up(wanted(game, one_screen)).await;
            let (told, often) = play_and_listen(&server, &table, &mut rng).await;
            assert!(told.is_empty(), "{game}: {told:?}");
            looked += often;
        }
    }
    assert!(looked > 500, "{looked} answers were searched");
}

/// The search finds leaks: here every answer holds the last bid in some form.
#[tokio::test]
async fn a_server_that_tells_is_caught() {
    let leaks: [(&str, Leak); 9] = [
        ("decimal", |bid| format!(r#"{{"own_bid":{bid}}}"#)),
        ("in a range", |bid| format!("[[{},499979]]", bid + 1)),
        ("chips left", |bid| format!("{} chips left", HOLDINGS[0].abs_diff(bid))),
        ("grouped", |bid| format!("{},{:03}", bid / 1000, bid % 1000)),
        ("hexadecimal", |bid| format!("{bid:#x}")),
        ("half-steps", |bid| format!("Holding({})", 2 * bid)),
        ("percent", |bid| bid.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect()),
        ("base64", |bid| base64_of(format!("bid={bid};").as_bytes())),
        ("base64, shifted", |bid| base64_of(format!("a bid: {bid};").as_bytes())),
    ];
    for (how, leak) in leaks {
        let server = Server::new();
        let sent = Arc::new(Mutex::new(None));
        let leaking = server.wrapped(axum::middleware::from_fn(move |request: Request, next: Next| {
            let sent = Arc::clone(&sent);
            async move { leaking(request, next, &sent, leak).await }
        }));
        let table = leaking.set_up(wanted("tug-of-war:length=2,at=1", false)).await;
        let found = tell_first_bid(&leaking, &table).await;
        assert!(!found.is_empty(), "{how} is not found");
        assert!(
            tell_first_bid(&server, &server.set_up(wanted("tug-of-war:length=2,at=1", false)).await).await.is_empty()
        );
    }
}

/// The leaks of Alice's first bid.
async fn tell_first_bid(server: &Server, table: &Table) -> Vec<String> {
    let bid = 48_611;
    let heard = while_sealed(server, table, 0, &json!(0), bid).await;
    heard.telling(&Sealed::new(bid, HOLDINGS[0], HOLDINGS[1]))
}

type Leak = fn(u32) -> String;

/// Adds the last bid to every answer.
async fn leaking(request: Request, next: Next, sent: &Mutex<Option<u32>>, leak: Leak) -> Response {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let bid = serde_json::from_slice::<Value>(&body).ok().and_then(|body| body["action"]["bid"].as_u64());
    let told = {
        let mut sent = sent.lock().unwrap();
        *sent = bid.and_then(|bid| u32::try_from(bid).ok()).or(*sent);
        sent.map(leak).unwrap_or_default()
    };
    let (head, answer) = next.run(Request::from_parts(head, Body::from(body))).await.into_parts();
    if head.headers.get("content-type").is_some_and(|kind| kind == "text/event-stream") || told.is_empty() {
        return Response::from_parts(head, answer);
    }
    let mut response = Response::from_parts(head, answer);
    response.headers_mut().insert("x-state", told.parse().unwrap());
    response
}

fn base64_of(text: &[u8]) -> String {
    let whole = text.len() / 3 * 3;
    String::from_utf8(base64_inside(&text[..whole], 0)).unwrap()
}

/// No answer contains the computer's bid before the person bids.
#[tokio::test]
async fn the_bid_of_the_computer_is_not_told_before() {
    let server = Server::new();
    let mut rng = fastrand::Rng::with_seed(6);
    let mut looked = 0;
    for _ in 0..4 {
        let seats = json!({ "alice": "person", "bob": { "computer": "random" } });
        let holdings = json!({ "alice": format!("{}*", HOLDINGS[0]), "bob": HOLDINGS[1] });
        let table = server
            .set_up(json!({ "game": "tug-of-war:length=4,at=2", "holdings": holdings, "seats": seats, "limit": 5 }))
            .await;
        let token = table.tokens[0].clone();
        let mut heard = Heard::default();
        loop {
            let seen = server.seen(&token).await;
            if !seen["result"].is_null() {
                break;
            }
            if seen["decision"].is_null() {
                server.get(&format!("/api/v1/seat?after={}&wait=5", seen["version"]), Some(&token)).await.done();
                continue;
            }
            if seen["decision"]["kind"] == "bid" {
                heard = Heard::default();
                // The computer needs a moment.
                let waiting = format!("/api/v1/seat?after={}&wait=1", seen["version"]);
                heard.answer("who waited", &server.get(&waiting, Some(&token)).await);
                ask_for_everything(&server, &table, &mut heard).await;
            }
            let decision = server.seen(&token).await["decision"].clone();
            server.act(&token, &decision["step"], choose(&json!({ "decision": decision }), &mut rng)).await.done();
            let shown = loop {
                let seen = server.seen(&token).await;
                let turn = if seen["open_turn"].is_null() {
                    seen["turns"].as_array().unwrap().last().cloned()
                } else {
                    Some(seen["open_turn"].clone())
                };
                match turn {
                    Some(turn) if decision["kind"] != "bid" || seen["stage"] != "bids" || seen["steps"]["bob"] != 0 => {
                        break turn;
                    }
                    _ => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
                }
            };
            let bid = shown["bob_bids"].as_u64().unwrap_or_default();
            if decision["kind"] == "bid" && bid > 99_999 {
                let sealed = Sealed::any_of([("the bid".to_string(), bid.to_string().into_bytes())]);
                assert_eq!(heard.telling(&sealed), Vec::<String>::new());
                looked += heard.0.len();
            }
        }
    }
    assert!(looked > 0);
}

#[tokio::test]
async fn secrets_are_told_to_their_owners_once() {
    let server = Server::new();
    let seats = json!({ "alice": "person", "bob": "invited" });
    let table = server.set_up(json!({ "game": "tug-of-war:length=2,at=1", "total": 9, "seats": seats })).await;
    let invitation = table.invitation.clone().unwrap();
    let alice = table.tokens[0].clone();
    let mut heard = Heard::default();
    ask_for_everything(&server, &Table { tokens: vec![alice.clone()], ..table.clone() }, &mut heard).await;
    heard.answer("invitation", &server.get("/api/v1/invitation", Some(&invitation)).await);
    let taken = server.post("/api/v1/invitation", Some(&invitation), json!({})).await.done();
    let bob = taken["token"].as_str().unwrap().to_string();
    let table = Table { tokens: vec![alice.clone(), bob.clone()], ..table };
    ask_for_everything(&server, &table, &mut heard).await;
    let mut rng = fastrand::Rng::with_seed(7);
    while server.seen(&alice).await["result"].is_null() {
        for token in &table.tokens {
            let seen = server.seen(token).await;
            if !seen["decision"].is_null() {
                heard.answer("action", &server.act(token, &seen["decision"]["step"], choose(&seen, &mut rng)).await);
            }
        }
    }
    for token in &table.tokens {
        heard.answer("rematch", &server.post("/api/v1/seat/rematch", Some(token), json!({})).await);
    }
    ask_for_everything(&server, &table, &mut heard).await;
    // Only whoever asks for it gets the link with the secret, and the creator's page has the
    // invitation.
    for (what, bytes) in heard.0.iter().filter(|(what, _)| !what.ends_with("moves to another device")) {
        let secrets = [("invitation", &invitation), ("Alice's", &alice), ("Bob's", &bob)];
        for (name, secret) in secrets.iter().skip(usize::from(what.starts_with("alice"))) {
            assert!(!String::from_utf8_lossy(bytes).contains(secret.as_str()), "{what} tells {name}");
        }
    }
    for (name, own, other) in [("alice", &alice, &bob), ("bob", &bob, &alice)] {
        for (what, bytes) in heard.0.iter().filter(|(what, _)| what.starts_with(name)) {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains(other.as_str()), "{what} tells the other's secret");
            assert_eq!(text.contains(own.as_str()), what.ends_with("device"), "{what}");
        }
    }
}
