//! All interfaces agree: the command, `POST /api/v1/solve` and the data of `/explore` answer every
//! question with the same bytes, or refuse it in the same words. So they do for tables.
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

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use bytesize::ByteSize;
use richman_core::Effort;
use richman_web::{App, server};
use serde_json::{Value, json};
use tower::ServiceExt;

/// The listed games, as tested.
const ASKED: [&str; 9] = [
    "tic-tac-toe",
    "connect:rows=3,cols=3,line=3",
    "hex:size=3",
    "y:size=3",
    "chess:size=4,pieces=KRK",
    "tug-of-war:length=4",
    "ultimatum:degree=2",
    "subtraction:heap=5,set=1+2",
    "expr:(A & B^2) & B",
];

/// Every listed game: as above, or else the smallest with a known count of at least 6 positions.
fn games() -> Vec<&'static str> {
    const SMALLEST: usize = 6;
    let counted = include_str!("../../games/tests/data/positions.tsv").lines().filter_map(|line| {
        let (spec, counts) = line.split_once('\t')?;
        Some((spec, counts.split('\t').nth(1)?.parse().ok()?))
    });
    let counted: Vec<(&str, usize)> = counted.filter(|(_, positions)| *positions >= SMALLEST).collect();
    let of = |name: &str| {
        let is_it = |spec: &&str| spec.split(':').next() == Some(name);
        let smallest = counted.iter().filter(|(spec, _)| is_it(spec)).min_by_key(|(_, positions)| positions);
        ASKED.into_iter().find(is_it).or(smallest.map(|(spec, _)| *spec))
    };
    let listed = richman_analysis::Games::default().list().into_iter();
    listed.map(|game| of(game.name).unwrap_or_else(|| panic!("{} is not asked about", game.name))).collect()
}

/// Mechanisms, as flags without dashes.
const MECHANISMS: [&[(&str, &str)]; 17] = [
    &[],
    &[("payment", "poorman")],
    &[("payment", "taxman:1/2")],
    &[("payment", "poorman"), ("ties", "alice")],
    &[("payment", "taxman:1/2"), ("right", "moves")],
    &[("ties", "marker")],
    &[("ties", "alice")],
    &[("ties", "bob")],
    &[("ties", "loser")],
    &[("ties", "winner")],
    &[("bidding", "alice-first")],
    &[("bidding", "bob-first"), ("ties", "marker")],
    &[("right", "moves")],
    &[("bids", "0+1+3")],
    &[("bids", "1+2")],
    &[("preset", "larsson")],
    &[("preset", "gasarch"), ("right", "moves")],
];

/// The total, Alice's holding and Bob's holding; empty if not given.
const STAKES: [[&str; 3]; 4] = [["", "", ""], ["5", "", ""], ["", "3*", "2"], ["", "3", "2"]];

/// Questions asked once: a game, the number of moves, a position, the chips.
const OTHERS: [(&str, &str, &str, [&str; 3]); 15] = [
    ("tic-tac-toe", "3", "", ["", "", ""]),
    ("tic-tac-toe", "3", "", ["5", "", ""]),
    ("tic-tac-toe", "3", "", ["", "3*", "2"]),
    ("tic-tac-toe", "", "A.B/.A./...", ["8", "", ""]),
    ("tic-tac-toe", "", "AAA/BB./...", ["", "", ""]),
    ("tic-tac-toe", "", "nowhere", ["", "", ""]),
    ("tic-tac-toe", "", "", ["9", "4*", "4"]),
    ("tic-tac-toe", "", "", ["8", "4*", "4"]),
    ("tic-tac-toe", "", "", ["", "4*", "4*"]),
    ("hex:size=3", "2", "", ["", "", ""]),
    ("hex:size=4", "", "", ["", "", ""]),
    ("tug-of-war", "4", "2", ["", "3*", "2"]),
    ("expr:A & B", "1", "", ["4", "", ""]),
    ("no-such-game", "", "", ["", "", ""]),
    ("subtraction", "", "3", ["5", "", ""]),
];

#[derive(Clone)]
struct Asked {
    game: String,
    position: String,
    within: String,
    mechanism: Vec<(&'static str, &'static str)>,
    stake: [&'static str; 3],
}

/// The printed report, or the reason for its absence.
type Said = Result<String, String>;

impl Asked {
    fn is_scoring(&self) -> bool {
        self.game.starts_with("subtraction")
    }

    /// Whether Alice's holding has a star exactly if the mechanism has one. The default rules are
    /// asked both ways.
    fn is_likely(&self) -> bool {
        let [_, alice, _] = self.stake;
        let has_star = !self.mechanism.iter().any(|(_, value)| ["alice", "bob", "gasarch"].contains(value));
        alice.is_empty() || self.mechanism.is_empty() || alice.contains('*') == has_star
    }

    /// Whether its table needs no proof of several seconds, which the server would cut off.
    fn has_quick_table(&self) -> bool {
        let is_small = ["tic-tac-toe", "tug-of-war", "expr"].iter().any(|name| self.game.starts_with(name));
        let is_bank = self.mechanism.iter().any(|(name, _)| *name == "payment");
        is_small && self.stake == ["", "", ""] && !(is_bank && self.game.starts_with("tug-of-war"))
    }

    /// The given fields, by the names that flags and form fields share.
    fn fields(&self) -> Vec<(&str, &str)> {
        let [chips, alice, bob] = self.stake;
        let (position, within) = (self.position.as_str(), self.within.as_str());
        let all = [("position", position), ("within", within), ("chips", chips), ("alice", alice), ("bob", bob)];
        all.into_iter().chain(self.mechanism.iter().copied()).filter(|(_, value)| !value.is_empty()).collect()
    }

    fn command(&self) -> Said {
        self.printed(if self.is_scoring() { "scores" } else { "solve" }, &[])
    }

    /// The same question for a table up to 4 chips.
    fn table(&self) -> Said {
        let is_bank = self.mechanism.iter().any(|(name, value)| *name == "payment" && *value != "richman");
        self.printed("table", &[format!("--{}=0..4", if is_bank { "bob" } else { "chips" })])
    }

    fn printed(&self, command: &str, more: &[String]) -> Said {
        let flags = self.fields().into_iter().map(|(flag, value)| format!("--{flag}={value}"));
        let output = Command::new(env!("CARGO_BIN_EXE_richman"))
            .args([command, &self.game, "--json"])
            .args(flags)
            .args(more)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim_end().to_string();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    async fn interface(&self, routes: &Router, path: &str) -> Said {
        let holding = |text: &str| text.parse::<u32>().map_or(json!(text), |chips| json!(chips));
        let mut body = json!({ "game": self.game, "mechanism": {} });
        for (name, value) in self.fields() {
            match name {
                "position" => body[name] = json!(value),
                "within" => body[name] = holding(value),
                "chips" => body["total"] = holding(value),
                "alice" | "bob" => body["holdings"][name] = holding(value),
                _ => body["mechanism"][name] = json!(value),
            }
        }
        if path == "table" {
            body["chips"] = json!([0, 4]);
        }
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

    async fn explored(&self, routes: &Router, path: &str) -> Said {
        let mut fields = self.fields();
        fields.extend([("game", self.game.as_str()), ("table", "4")]);
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

async fn answered(routes: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = routes.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// A refusal without the interface's additions: the program's name, a capital, a full stop.
fn bare(said: Said) -> Said {
    said.map_err(|refusal| {
        let refusal = refusal.strip_prefix("richman: ").unwrap_or(&refusal).trim_end_matches('.');
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
fn questions() -> Vec<(Asked, &'static str)> {
    let crossed = games().into_iter().flat_map(|game| {
        MECHANISMS.into_iter().flat_map(move |mechanism| {
            STAKES.into_iter().map(move |stake| Asked {
                game: game.to_string(),
                position: String::new(),
                within: String::new(),
                mechanism: mechanism.to_vec(),
                stake,
            })
        })
    });
    let others = OTHERS.into_iter().map(|(game, within, position, stake)| Asked {
        game: game.to_string(),
        position: position.to_string(),
        within: within.to_string(),
        mechanism: Vec::new(),
        stake,
    });
    let is_asked = |asked: &Asked| asked.is_likely() && (!asked.is_scoring() || asked.stake != ["", "", ""]);
    let worth = crossed.chain(others).filter(is_asked);
    let tables = worth.clone().filter(|asked| asked.has_quick_table()).map(|asked| (asked, "table"));
    worth.map(|asked| (asked, "solve")).chain(tables).collect()
}

#[test]
fn all_doors_say_the_same() {
    const DOORMEN: usize = 2; // more would keep the threads that solve waiting, which have a low priority
    let (questions, next) = (questions(), AtomicUsize::new(0));
    let (answers, refusals) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let routes = server::routes(Arc::new(App::in_memory().unwrap()));
    let ask_all = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        while let Some((asked, path)) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let command = bare(if *path == "table" { asked.table() } else { asked.command() });
            let others =
                [runtime.block_on(asked.interface(&routes, path)), runtime.block_on(asked.explored(&routes, path))];
            for (door, said) in ["the interface for programs", "/explore"].into_iter().zip(others) {
                let said = bare(said);
                let about = format!("{door} and the command: {} {:?}", asked.game, asked.fields());
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
    let of = |game: &str, stake| Asked {
        game: game.to_string(),
        position: String::new(),
        within: String::new(),
        mechanism: Vec::new(),
        stake,
    };
    let scoring = of("subtraction", ["", "", ""]);
    assert_eq!(scoring.explored(&routes, "solve").await, of("subtraction", ["9", "", ""]).command());
    let refusal = scoring.interface(&routes, "solve").await.unwrap_err();
    assert!(refusal.contains("add total"), "{refusal}");
    let solved = Command::new(env!("CARGO_BIN_EXE_richman")).args(["solve", "subtraction", "--json"]).output().unwrap();
    assert!(String::from_utf8(solved.stderr).unwrap().contains("use richman scores"));
    let large = of("hex:size=11", ["8", "", ""]);
    assert!(large.command().unwrap_err().contains("more than 4294967295 positions"));
    for refusal in [large.interface(&routes, "solve").await, large.explored(&routes, "solve").await] {
        assert!(refusal.unwrap_err().contains("more than 3000000 positions"));
    }
    let many = of("tug-of-war:length=2", ["1000001", "", ""]);
    assert!(many.command().is_ok());
    for refusal in [many.interface(&routes, "solve").await, many.explored(&routes, "solve").await] {
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
