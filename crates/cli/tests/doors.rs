//! All interfaces agree: the command, `POST /api/v1/solve` and the data of `/explore` answer every
//! question with the same bytes, or refuse it in the same words. So they do for tables. A question
//! is one document, which is written in the form of each door.
//!
//! The deliberate differences, with their reasons:
//! - At the command line, `richman scores` solves a game with scores, because it has the flags for
//!   it; `richman solve` says so. The other interfaces choose the report by the game.
//! - Without chips such a game has no report. `/explore` shows one for 9 chips, so that its first
//!   page is not empty.
//! - Chess with more pieces than the tables have is estimated by a search, and large boards are
//!   bounded. Both take the time there is, which is shorter on the server, and are not tested here.
//! - The server takes at most a million chips, 3,000,000 positions and the times and bytes in
//!   `docs/architecture.md`.
//! - One player's holding may stand alone with the total, except in JSON, which names both.
//! - Flags, form fields and JSON keys that cannot be parsed are refused by their parser.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use bytesize::ByteSize;
use richman_analysis::{QuestionDocument, TableRows, Wanted, parse};
use richman_core::{Aim, Effort, MechanismChoices, Player};
use richman_serve::{App, server};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::recorded::input_files;
use tower::ServiceExt;

use crate::vocabulary::questions;

/// What is asked: every listed game under every mechanism for every stake, game files of every
/// objective and one in which chance moves, and questions asked once. The package for JavaScript is
/// asked the same by its own tests.
#[derive(Deserialize)]
struct Questions {
    games: Vec<String>,
    mechanisms: Vec<Keys>,
    stakes: Vec<Keys>,
    files: Vec<String>,
    of_files: Vec<Keys>,
    others: Vec<(String, Keys)>,
}

/// Keys of a document.
type Keys = Map<String, Value>;

/// A game, and what is asked about it.
#[derive(Clone)]
struct Asked {
    game: String,
    /// The text of its game file.
    file: Option<String>,
    document: QuestionDocument,
}

/// The printed report, or the reason for its absence.
type Said = Result<String, String>;

/// The document with these keys.
fn document(keys: &Keys) -> QuestionDocument {
    serde_json::from_value(Value::Object(keys.clone())).unwrap()
}

fn path(file: &str) -> PathBuf {
    input_files().into_iter().find(|path| path.ends_with(format!("{file}.json"))).unwrap()
}

impl Asked {
    fn named(game: &str, keys: &Keys) -> Asked {
        Asked { game: game.to_string(), file: None, document: document(keys) }
    }

    fn of_file(file: &str, keys: &Keys) -> Asked {
        let text = fs::read_to_string(path(file)).unwrap();
        Asked { game: path(file).display().to_string(), file: Some(text), document: document(keys) }
    }

    fn is_scoring(&self) -> bool {
        self.game.starts_with("subtraction") || self.file.as_ref().is_some_and(|text| text.contains("\"score\""))
    }

    fn has_chips(&self) -> bool {
        self.document.chips.is_some() || self.document.alice.is_some() || self.document.bob.is_some()
    }

    /// Whether Alice's holding has a star exactly if the mechanism has one. The default rules are
    /// asked both ways.
    fn is_likely(&self) -> bool {
        let mechanism = self.document.mechanism(Aim::default());
        let has_star = self.document.alice.is_none_or(|alice| alice.has_star() == mechanism.has_star());
        has_star || self.document.mechanism == MechanismChoices::default() || self.file.is_some()
    }

    /// The same question for a table up to 4 chips, if that needs no proof of several seconds,
    /// which the server would cut off.
    fn for_table(&self) -> Option<Asked> {
        let is_small = ["tic-tac-toe", "tug-of-war", "expr"].iter().any(|name| self.game.starts_with(name));
        let is_bank = self.document.mechanism(Aim::default()).has_bank();
        let is_quick = is_small && !(is_bank && self.game.starts_with("tug-of-war")) || self.file.is_some();
        let is_asked = is_quick && !self.has_chips() && self.document.share.is_none();
        let is_asked = is_asked && self.document.position.as_deref() != Some("nowhere");
        let rows = TableRows { of: is_bank.then_some(Player::Bob), chips: parse::totals("0..4").unwrap() };
        let document = QuestionDocument { wanted: Wanted::Table, rows: Some(rows), ..self.document.clone() };
        is_asked.then(|| Asked { document, ..self.clone() })
    }

    fn command(&self) -> Said {
        let command = match self.document.wanted {
            Wanted::Table => "table",
            _ if self.is_scoring() => "scores",
            _ => "solve",
        };
        let output = Command::new(env!("CARGO_BIN_EXE_richman"))
            .args([command, &self.game, "--json"])
            .args(questions::flags(&self.document))
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim_end().to_string();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    async fn interface(&self, routes: &Router) -> Said {
        let mut body = questions::body(&self.document);
        match &self.file {
            Some(file) => body["file"] = serde_json::from_str(file).unwrap(),
            None => body["game"] = json!(self.game),
        }
        let path = if self.document.wanted == Wanted::Table { "table" } else { "solve" };
        let request = Request::post(format!("/api/v1/{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::HOST, "127.0.0.1:8080")
            .body(Body::from(body.to_string()))
            .unwrap();
        let (status, text) = answered(routes, request).await;
        if status.is_success() {
            return Ok(text);
        }
        let error: Value = serde_json::from_str(&text).unwrap();
        Err(error["error"]["message"].as_str().unwrap().to_string())
    }

    async fn explored(&self, routes: &Router) -> Said {
        let mut fields = questions::fields(&self.document);
        fields.push(match &self.file {
            Some(file) => ("file".to_string(), kept(routes, file).await),
            None => ("game".to_string(), self.game.clone()),
        });
        let path = if self.document.wanted == Wanted::Table { "table" } else { "solve" };
        let fields = serde_urlencoded::to_string(fields).unwrap();
        let request = Request::get(format!("/explore/{path}.json?{fields}"))
            .header(header::HOST, "127.0.0.1:8080")
            .body(Body::empty())
            .unwrap();
        let (status, text) = answered(routes, request).await;
        if status.is_success() {
            return Ok(text.trim_end().to_string());
        }
        let (_, refusal) = text.split_once("class=\"notice\">").unwrap_or_else(|| panic!("{status}: {text}"));
        let refusal = refusal.split("</p>").next().unwrap().replace("&lt;", "<").replace("&gt;", ">");
        let refusal = refusal.replace("<code>", "`").replace("</code>", "`");
        Err(refusal.replace("&quot;", "\"").replace("&amp;", "&"))
    }
}

/// The name under which `/explore` keeps a game file.
async fn kept(routes: &Router, file: &str) -> String {
    const BETWEEN: &str = "a-line-between-the-parts";
    let part = "content-disposition: form-data; name=\"text\"";
    let form = format!("--{BETWEEN}\r\n{part}\r\n\r\n{file}\r\n--{BETWEEN}--\r\n");
    let request = Request::post("/explore/file")
        .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BETWEEN}"))
        .header(header::HOST, "127.0.0.1:8080")
        .body(Body::from(form))
        .unwrap();
    let response = routes.clone().oneshot(request).await.unwrap();
    let to = response.headers().get(header::LOCATION).expect("a link to the game").to_str().unwrap();
    to.split_once("file=").unwrap().1.to_string()
}

async fn answered(routes: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = routes.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// What a server says in the time that it gives a question, on a machine that is busy with other
/// tests too.
fn in_time(ask: impl Fn() -> Said) -> Said {
    const TRIES: usize = 5;
    let is_late = |said: &Said| said.as_ref().is_err_and(|refusal| refusal.contains("s that are allowed here"));
    (1..TRIES).map(|_| ask()).find(|said| !is_late(said)).unwrap_or_else(ask)
}

/// A refusal without the interface's additions: the program's name, that of the game file, a
/// capital, a full stop.
fn bare(said: Said) -> Said {
    said.map_err(|refusal| {
        let refusal = refusal.strip_prefix("richman: ").unwrap_or(&refusal).trim_end_matches('.');
        let refusal = refusal.split_once(".json: ").map_or(refusal, |(_, refusal)| refusal);
        let refusal = refusal.strip_prefix("The game file: ").unwrap_or(refusal);
        let mut letters = refusal.chars();
        letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
    })
}

/// Whether a door says the same as the command. After what is wrong, each says in its own words
/// what helps.
fn agree(said: &Said, command: &Said) -> bool {
    let wrong = |text: &str| text.rsplit_once(": ").map_or(text, |(wrong, _)| wrong).to_string();
    match (said, command) {
        (Err(said), Err(command)) => said == command || [wrong(said), said.clone()].contains(&wrong(command)),
        _ => said == command,
    }
}

/// The questions, each for a report or a table.
fn asked() -> Vec<Asked> {
    let all: Questions = serde_json::from_str(include_str!("doors.json")).unwrap();
    let listed: Vec<&str> = richman_analysis::Games::default().list().iter().map(|game| game.name).collect();
    assert_eq!(all.games.iter().filter_map(|game| game.split(':').next()).collect::<Vec<_>>(), listed);
    let with = |one: &Keys, other: &Keys| one.clone().into_iter().chain(other.clone()).collect::<Keys>();
    let mut worth = Vec::new();
    for game in &all.games {
        for mechanism in &all.mechanisms {
            worth.extend(all.stakes.iter().map(|stake| Asked::named(game, &with(mechanism, stake))));
        }
    }
    for file in &all.files {
        worth.extend(all.of_files.iter().map(|keys| Asked::of_file(file, keys)));
    }
    worth.extend(all.others.iter().map(|(game, keys)| Asked::named(game, keys)));
    // `richman scores` has no flags for averages.
    let of_average =
        |QuestionDocument { share, at_least, .. }: &QuestionDocument| share.is_some() || at_least.is_some();
    let is_asked =
        |asked: &Asked| asked.is_likely() && (!asked.is_scoring() || asked.has_chips() && !of_average(&asked.document));
    worth.retain(is_asked);
    let tables: Vec<Asked> = worth.iter().filter_map(Asked::for_table).collect();
    worth.into_iter().chain(tables).collect()
}

#[test]
fn all_doors_say_the_same() {
    const DOORMEN: usize = 2; // more would keep the threads that solve waiting, which have a low priority
    let (questions, next) = (asked(), AtomicUsize::new(0));
    let (answers, refusals) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let routes = server::routes(Arc::new(App::in_memory().unwrap()));
    let ask_all = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        while let Some(asked) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let command = bare(asked.command());
            let others = [
                in_time(|| runtime.block_on(asked.interface(&routes))),
                in_time(|| runtime.block_on(asked.explored(&routes))),
            ];
            for (door, said) in ["the interface for programs", "/explore"].into_iter().zip(others) {
                let said = bare(said);
                let about = format!("{door} and the command: {} {:?}", asked.game, questions::flags(&asked.document));
                assert!(agree(&said, &command), "{about}: {said:?} and {command:?}");
            }
            if command.is_ok() { &answers } else { &refusals }.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..DOORMEN {
            scope.spawn(ask_all);
        }
    });
    let (answers, refusals) = (answers.into_inner(), refusals.into_inner());
    println!("{answers} answers, {refusals} refusals");
    assert!(answers > 300 && refusals > 50, "{answers} answers, {refusals} refusals");
}

#[tokio::test]
async fn the_deliberate_differences_are_these() {
    let routes = server::routes(Arc::new(App::in_memory().unwrap()));
    let scoring = Asked::named("subtraction", &Keys::new());
    let nine = Asked::named("subtraction", &Keys::from_iter([("chips".to_string(), json!("9"))]));
    assert_eq!(scoring.explored(&routes).await, nine.command());
    let refusal = scoring.interface(&routes).await.unwrap_err();
    assert!(refusal.contains("add total"), "{refusal}");
    let solved = Command::new(env!("CARGO_BIN_EXE_richman")).args(["solve", "subtraction", "--json"]).output().unwrap();
    assert!(String::from_utf8(solved.stderr).unwrap().contains("use richman scores"));
    let large = Asked::named("hex:size=11", &Keys::from_iter([("chips".to_string(), json!("8"))]));
    assert!(large.command().unwrap_err().contains("more than 4294967295 positions"));
    for refusal in [large.interface(&routes).await, large.explored(&routes).await] {
        assert!(refusal.unwrap_err().contains("more than 3000000 positions"));
    }
    let many = Asked::named("tug-of-war:length=2", &Keys::from_iter([("chips".to_string(), json!("1000001"))]));
    assert!(many.command().is_ok());
    for refusal in [many.interface(&routes).await, many.explored(&routes).await] {
        assert_eq!(bare(refusal).unwrap_err(), "take at most 1000000 chips in all");
    }
}

/// The defaults in the help repeat those of the library.
#[test]
fn the_usual_efforts_are_those_of_the_library() {
    let usual = Effort::default();
    let help = |command: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_richman")).args([command, "--help"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let of_flag = |command: &str, flag: &str| {
        let help = help(command);
        let rest = help.split_once(flag).unwrap_or_else(|| panic!("{command} has no {flag}")).1;
        rest.split("\n      --").next().unwrap().to_string()
    };
    let all =
        ["solve", "table", "compare", "tree", "scores", "random-turn", "duel", "play", "review", "build", "verify"];
    for command in all {
        let default = of_flag(command, "--memory <SIZE>");
        let default = default.split_once("[default: ").unwrap().1.split(']').next().unwrap().to_string();
        assert_eq!(default.parse::<ByteSize>().unwrap().as_u64(), usual.memory, "{command}");
    }
    assert!(of_flag("solve", "--width <WIDTH>").contains(&format!("[default: 2^{}]", usual.width.log2())));
    let seconds = [
        ("solve", Effort::MONEY_SECONDS),
        ("table", Effort::TABLE_SECONDS),
        ("tree", Effort::TREE_SECONDS),
        ("compare", Effort::COMPARE_SECONDS),
    ];
    for (command, seconds) in seconds {
        assert!(of_flag(command, "--time <SECONDS>").contains(&seconds.to_string()), "{command}");
    }
}
