//! Whatever the server stores, `store check` calls whole and `store restore` takes: every kind of
//! game file in every form, and every kind of setup, sent to every address that stores something.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use richman_analysis::{Games, Reading};
use richman_core::{Effort, Ties, Unwatched};
use richman_formats::{GameForm, read_game};
use richman_play::players::STRENGTHS;
use richman_serve::hall::HallLimits;
use richman_serve::store::{self, Store};
use richman_serve::{App, MEMORY, server};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A server whose store is a file, and the addresses of what it stored.
struct Keeper {
    routes: Router,
    stored: Vec<String>,
}

impl Keeper {
    fn new(store: &Path) -> Keeper {
        let app = App::new(Games::default(), Store::open(store).unwrap(), HallLimits::default(), MEMORY, None);
        Keeper { routes: server::routes(Arc::new(app)), stored: Vec::new() }
    }

    /// The status, the place that the answer names, and its body.
    async fn send(&self, request: Request<Body>) -> (StatusCode, String, Vec<u8>) {
        let answer = self.routes.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let place = parts.headers.get(header::LOCATION).map_or("", |place| place.to_str().unwrap());
        (parts.status, place.to_string(), to_bytes(body, 1 << 24).await.unwrap().to_vec())
    }

    async fn get(&self, path: &str) -> (StatusCode, Vec<u8>) {
        let (status, _, body) = self.send(Request::get(path).body(Body::empty()).unwrap()).await;
        (status, body)
    }

    /// Fills a form in; whether it was taken.
    async fn fill_in(&mut self, path: &str, fields: &[(&str, &[u8])]) -> bool {
        const BORDER: &str = "a-border-that-nobody-types";
        let mut body = Vec::new();
        for (name, value) in fields {
            write!(body, "--{BORDER}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").unwrap();
            body.extend([value, "\r\n".as_bytes()].concat());
        }
        write!(body, "--{BORDER}--\r\n").unwrap();
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BORDER}"))
            .body(Body::from(body));
        let (status, place, body) = self.send(request.unwrap()).await;
        let is_taken = status == StatusCode::SEE_OTHER;
        assert!(is_taken || status.is_client_error(), "{path}: {status} {}", String::from_utf8_lossy(&body));
        if is_taken {
            self.stored.push(if place.starts_with("/explore") { place + "&whole=yes" } else { place });
        }
        is_taken
    }

    /// Sends JSON; whether it was taken.
    async fn post(&mut self, path: &str, sent: &Value) -> bool {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        let (status, _, body) = self.send(request.body(Body::from(sent.to_string())).unwrap()).await;
        let is_taken = status == StatusCode::CREATED;
        assert!(is_taken || status.is_client_error(), "{sent}: {status} {}", String::from_utf8_lossy(&body));
        if is_taken {
            let answer: Value = serde_json::from_slice(&body).unwrap();
            let id = answer["id"].as_str().unwrap();
            let page = if path.ends_with("matches") { format!("/m/{id}") } else { format!("{path}/{id}/review") };
            self.stored.extend([format!("{path}/{id}"), page, format!("/explore/solve.csv?file={id}")]);
        }
        is_taken
    }

    /// Sends a game file to every address that takes one; at how many it was taken.
    async fn keep_file(&mut self, file: &[u8]) -> u32 {
        let record = "[Game \"g\"] [File \"g.json\"] [Alice \"4*\"] [Bob \"4\"] [Limit \"9\"]";
        let begun = format!("{record} [Result \"unfinished\"]");
        let mut taken = u32::from(self.fill_in("/explore/file", &[("file", file)]).await);
        for record in [record, &begun] {
            let fields = [("record", record.as_bytes()), ("rules-file", file)];
            taken += u32::from(self.fill_in("/review", &fields).await);
        }
        let fields = [("game", &b"file"[..]), ("upload", file), ("opponent", b"screen")];
        taken += u32::from(self.fill_in("/new", &fields).await);
        if let Ok(file) = serde_json::from_slice::<Value>(file) {
            taken += u32::from(self.post("/api/v1/records", &json!({ "record": record, "file": file })).await);
            let seats = json!({ "alice": "person", "bob": "invited" });
            taken += u32::from(self.post("/api/v1/matches", &json!({ "file": file, "seats": seats })).await);
        }
        taken
    }
}

/// Game files of every kind.
fn files() -> Vec<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/data/games", "../cli/tests/recorded/inputs", "../../examples"];
    let folders = folders.map(|folder| manifest.join(folder));
    let all = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|end| ["json", "gm", "drn"].iter().any(|game| end == *game)))
        .collect()
}

/// The file as it is, in every form that has room for its game, and compressed.
fn in_every_form(file: &[u8]) -> Vec<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(file).unwrap();
    let mut forms = vec![file.to_vec(), packed.finish().unwrap()];
    let Ok(graph) = read_game("g", &mut &file[..], &Reading::within(Effort::default())) else { return forms };
    for form in [GameForm::Json, GameForm::Binary, GameForm::Gm, GameForm::Drn, GameForm::Tra, GameForm::Umb] {
        if graph.check_form(form, "g").is_ok() {
            let mut written = Vec::new();
            graph.write(form, &mut written, &Unwatched).unwrap();
            forms.push(written);
        }
    }
    forms
}

/// Setups with every choice of the mechanism, every level, and every kind of seat and holding.
fn setups() -> Vec<Value> {
    let persons = json!({ "alice": "person", "bob": "invited" });
    let mut setups = Vec::new();
    for payment in ["richman", "poorman", "taxman:1/2", "taxman:0/1", "taxman:2/2"] {
        for ties in Ties::ALL {
            let more = [("sealed", "chooses", "all"), ("alice-first", "moves", "0+1"), ("bob-first", "chooses", "1+3")];
            for (bidding, right, bids) in more {
                let ties = ties.to_string();
                let mechanism =
                    json!({ "payment": payment, "ties": ties, "bidding": bidding, "right": right, "bids": bids });
                setups.push(json!({ "game": "tic-tac-toe", "seats": persons, "mechanism": mechanism }));
            }
        }
    }
    for level in STRENGTHS {
        let seats = json!({ "alice": { "computer": level.name }, "bob": "person" });
        setups.push(json!({ "game": "subtraction:heap=3", "seats": seats, "total": 2, "limit": 1 }));
    }
    let both = json!({ "alice": "person", "bob": "person" });
    setups.push(json!({ "game": "hex", "seats": both, "one_screen": true, "limit": 1000, "total": 1_000_000 }));
    let holdings = json!({ "alice": "0", "bob": "7*" });
    setups.push(json!({ "game": " hex:size=3", "seats": both, "holdings": holdings }));
    setups.push(json!({ "game": "tic-tac-toe", "seats": both, "position": "X../.O./..." }));
    let moves = vec!["1"; 1000].join("+");
    setups.push(json!({ "game": format!("expr:{moves}"), "seats": both }));
    setups
}

/// A game file with this name, which nobody would give it.
fn named(name: &str) -> Vec<u8> {
    let file = json!({ "name": name, "start": name, "positions": {
        name: { "alice": ["w"], "bob": ["l"] }, "w": { "winner": "alice" }, "l": { "winner": "none" } } });
    file.to_string().into_bytes()
}

#[tokio::test]
async fn what_is_stored_is_whole_and_comes_back_from_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy, restored] = ["a", "copy", "restored"].map(|name| folder.path().join(format!("{name}.sqlite")));
    let mut keeper = Keeper::new(&path);
    let mut nowhere = 0;
    for file in files() {
        for form in in_every_form(&fs::read(&file).unwrap()) {
            nowhere += u32::from(keeper.keep_file(&form).await == 0);
        }
    }
    assert!(nowhere > 0, "binary files are refused");
    for name in ["a \"b\" \\ {c} ]", "two\nlines", " ends with a space ", "\u{202e}\u{1}", &"é".repeat(300)] {
        keeper.keep_file(&named(name)).await;
    }
    let mut refused = Vec::new();
    for setup in setups() {
        if !keeper.post("/api/v1/matches", &setup).await {
            refused.push(setup);
        }
    }
    assert!(refused.len() < 10, "{refused:?}");
    let mut shown = Vec::new();
    for place in &keeper.stored {
        let (status, body) = keeper.get(place).await;
        assert!(!status.is_server_error(), "{place}: {status}");
        shown.push((status, body));
    }
    assert!(3 * shown.iter().filter(|(status, _)| status.is_success()).count() > shown.len());
    let games = Games::default();
    let found = store::check(&path, &games, &Unwatched).unwrap();
    assert_eq!(found.damage, Vec::<String>::new());
    store::back_up(&path, &copy, &Unwatched).unwrap();
    store::restore(&restored, &copy, false, &games, &Unwatched).unwrap();
    let again = Keeper::new(&restored);
    for (place, before) in keeper.stored.iter().zip(&shown) {
        let after = again.get(place).await;
        assert_eq!(after.0, before.0, "{place}");
        // Computer players may have acted meanwhile.
        if !place.starts_with("/m/") && !place.starts_with("/api/v1/matches/") {
            assert_eq!(String::from_utf8_lossy(&after.1), String::from_utf8_lossy(&before.1), "{place}");
        }
    }
}
