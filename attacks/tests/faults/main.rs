//! Faults of the disk at every call, and a power loss at every moment: no file is half written,
//! what was answered is not lost, and nothing false is read.

mod disk;

use std::collections::BTreeSet;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use disk::{Call, ERRORS, Names, calls, failing, image, logged, restore};
use richman_attacks::client::{Ask, Client};
use richman_attacks::server::{Server, binary};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Runs the command; `{}` is the folder.
fn run(line: &str, folder: &Path, variables: &[(&str, String)]) -> Output {
    let mut command = Command::new(binary());
    command.args(line.split(' ').map(|word| word.replace("{}", folder.to_str().unwrap())));
    command.envs(variables.iter().map(|(name, value)| (name, value))).output().unwrap()
}

/// An empty folder, the files of which are watched, and one for the log.
fn folders() -> [TempDir; 2] {
    [(); 2].map(|()| tempfile::tempdir().unwrap())
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Commands that write one file, its name, and what reads it again.
const WRITERS: &[(&str, &str, &str)] = &[
    ("solve tic-tac-toe --chips 9 --save {}/saved.json", "saved.json", "verify {}/saved.json"),
    ("solve connect:rows=5,cols=5 --time 0 --bounds {}/bounds.json", "bounds.json", "verify {}/bounds.json"),
    ("table tic-tac-toe --chips 0..9 --svg {}/table.svg", "table.svg", ""),
    ("table tug-of-war --certificate {}/rules.json", "rules.json", "verify {}/rules.json"),
];

/// A file is the older one, or the whole new one if the command says so.
#[test]
fn files_are_whole_or_those_of_before() {
    for (line, name, reads) in WRITERS {
        let [folder, log] = folders();
        let (path, log) = (folder.path().join(name), log.path().join("log"));
        let kept = |bytes: &Option<Vec<u8>>| match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => drop(fs::remove_file(&path)),
        };
        let done = run(line, folder.path(), &logged(folder.path(), &log));
        assert!(done.status.success(), "{line}: {}", text(&done));
        let (new, made) = (fs::read(&path).unwrap(), calls(&fs::read(&log).unwrap()));
        let is_right = |bytes: &[u8]| match reads.is_empty() {
            true => bytes == new,
            false => {
                fs::write(&path, bytes).unwrap();
                run(reads, folder.path(), &[]).status.success()
            }
        };
        assert!(is_right(&new), "{line}");
        assert!(made.iter().any(Call::is_rename) && made.iter().filter(|call| call.is_sync()).count() > 1, "{made:?}");
        let mut failed = 0;
        // Bounds go on from an older file.
        let olds = [None, Some(if name.starts_with("bounds") { new.clone() } else { b"older".to_vec() })];
        for (at, error) in (1..=made.len()).flat_map(|at| ERRORS.map(|error| (at, error))) {
            for old in &olds {
                kept(old);
                let done = run(line, folder.path(), &failing(folder.path(), at, 1, error));
                let names: Vec<_> =
                    fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
                let found = fs::read(&path).ok();
                let context = format!("{line}: error {error} at call {at}: {names:?} {}", text(&done));
                assert!(names.iter().all(|found| found.to_str() == Some(name)), "{context}");
                match done.status.success() {
                    true => assert!(found.is_some_and(|bytes| is_right(&bytes)), "{context}"),
                    false => {
                        failed += 1;
                        assert_eq!(done.status.code(), Some(2), "{context}");
                        assert!(found == *old || found.is_some_and(|bytes| is_right(&bytes)), "{context}");
                    }
                }
            }
        }
        assert!(failed > made.len(), "{line}: {failed} runs failed at {} calls", made.len());
        for (at, names) in (0..=made.len()).flat_map(|at| [Names::Synced, Names::Latest].map(|names| (at, names))) {
            let left = image(&made[..at], names);
            let found = left.get(&path);
            assert!(found.is_none_or(|bytes| is_right(bytes)), "{line}: after {at} calls, {names:?}");
            assert!(at < made.len() || found.is_some(), "{line}: written, and lost with the power");
        }
    }
}

/// Numbers from 1 to `most`: about so many, the last among them; all with `RICHMAN_FAULTS=all`.
fn spread(most: usize, many: usize) -> BTreeSet<usize> {
    let many = if std::env::var_os("RICHMAN_FAULTS").is_some() { most } else { many };
    (1..=many).map(|part| (most * part).div_ceil(many)).filter(|number| *number > 0).collect()
}

/// A build goes on where it was, and what it has made is proved.
#[test]
fn databases_go_on_after_a_fault() {
    const BUILD: &str = "build connect:rows=3,cols=4,line=3 --out {}/board";
    let [folder, log] = folders();
    let (board, log) = (folder.path().join("board"), log.path().join("log"));
    let built = run(BUILD, folder.path(), &logged(folder.path(), &log));
    assert!(built.status.success(), "{}", text(&built));
    let made = calls(&fs::read(&log).unwrap());
    let goes_on = |context: &str| {
        let again = run(BUILD, folder.path(), &[]);
        assert!(again.status.success(), "{context}: {}", text(&again));
        let proved = run("verify {}/board", folder.path(), &[]);
        assert!(proved.status.success(), "{context}: {}", text(&proved));
    };
    goes_on("untouched");
    let mut failed = 0;
    for (at, error) in spread(made.len(), 40).into_iter().zip(ERRORS.into_iter().cycle()) {
        fs::remove_dir_all(&board).unwrap();
        let done = run(BUILD, folder.path(), &failing(folder.path(), at, 1, error));
        assert!([Some(0), Some(2)].contains(&done.status.code()), "call {at}: {}", text(&done));
        failed += usize::from(!done.status.success());
        goes_on(&format!("error {error} at call {at} of {}", made.len()));
    }
    assert!(failed > 10, "{failed} builds failed");
    for (at, names) in spread(made.len(), 16).into_iter().zip([Names::Synced, Names::Latest].into_iter().cycle()) {
        let left = image(&made[..at], names);
        restore(folder.path(), &left);
        goes_on(&format!("power lost after call {at} of {}, {names:?}", made.len()));
    }
}

/// A player of a match, and the actions that the server has answered.
#[derive(Clone)]
struct Seat {
    secret: String,
    player: &'static str,
    answered: u64,
    /// The bids and moves, by turn.
    said: Vec<(u64, Value)>,
}

#[derive(Clone)]
struct Match {
    id: String,
    seats: Vec<Seat>,
}

/// What the server has answered until the log had that length.
struct Moment {
    logged: usize,
    matches: Vec<Match>,
}

/// Plays matches, and remembers what was answered. Whatever fails is tried once.
async fn play(server: &Server, log: &Path) -> Vec<Moment> {
    const MATCHES: usize = 3;
    const ACTIONS: usize = 10;
    let mut client = Client::new(server.address, Ipv4Addr::LOCALHOST);
    let (mut matches, mut moments): (Vec<Match>, Vec<Moment>) = Default::default();
    let now = |matches: &[Match]| Moment {
        logged: fs::metadata(log).map_or(0, |log| log.len() as usize),
        matches: matches.to_vec(),
    };
    for _ in 0..MATCHES {
        let wanted = json!({ "game": "tug-of-war:length=9", "total": 40,
                             "seats": { "alice": "person", "bob": "person" } });
        let Ok(made) = client.ask(Ask::post("/api/v1/matches", wanted)).await else { continue };
        let made = made.json();
        let Some(id) = made["id"].as_str() else { continue };
        let seat = |player| Seat {
            secret: made["tokens"][player].as_str().unwrap().to_string(),
            player,
            answered: 0,
            said: Vec::new(),
        };
        matches.push(Match { id: id.to_string(), seats: ["alice", "bob"].map(seat).into() });
        moments.push(now(&matches));
    }
    for round in 0..MATCHES * ACTIONS * 2 {
        let Some(one) = (!matches.is_empty()).then(|| round % matches.len()) else { break };
        let seat = &mut matches[one].seats[round / MATCHES % 2];
        let Ok(seen) = client.ask(Ask::get("/api/v1/seat").by(&seat.secret)).await else { continue };
        let seen = seen.json();
        let decision = &seen["decision"];
        let action = match decision["kind"].as_str() {
            Some("bid") => json!({ "bid": 1 + round as u64 % 5 }),
            Some("star") => json!({ "use_star": true }),
            Some("move") => json!({ "move": decision["moves"][0] }),
            _ => continue,
        };
        let asked = json!({ "step": decision["step"], "action": action });
        let answer = client.ask(Ask::post("/api/v1/seat/actions", asked).by(&seat.secret)).await;
        if answer.is_ok_and(|answer| answer.status == 200) {
            seat.answered = decision["step"].as_u64().unwrap() + 1;
            seat.said.push((seen["turn"].as_u64().unwrap(), action));
            moments.push(now(&matches));
        }
    }
    moments
}

/// Checks that everything answered is in the store.
async fn check(store: &Path, moment: &Moment, context: &str) {
    let server = Server::with_store(store, &[]).unwrap_or_else(|| panic!("{context}: no server starts"));
    let mut client = Client::new(server.address, Ipv4Addr::LOCALHOST);
    for Match { id, seats } in &moment.matches {
        let answer = client.ask(Ask::get(format!("/api/v1/matches/{id}"))).await.unwrap();
        assert_eq!(answer.status, 200, "{context}: the match {id} is lost");
        let seen = answer.json();
        for Seat { player, answered, said, .. } in seats {
            let steps = seen["steps"][player].as_u64().unwrap();
            assert!(steps >= *answered, "{context}: {player} has {steps} steps of {answered}");
            for (turn, action) in said {
                let known = &seen["turns"][*turn as usize - 1];
                for (key, of) in [(format!("{player}_bids"), &action["bid"]), ("move".to_string(), &action["move"])] {
                    let is_known = of.is_null() || known[&key].is_null() || known[&key] == *of;
                    assert!(is_known, "{context}: {known} {action}");
                }
            }
        }
    }
    drop(server);
    let checked = run(&format!("store check {}", store.display()), store.parent().unwrap(), &[]);
    assert!(checked.status.success(), "{context}: {}", text(&checked));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_loses_nothing_that_was_answered() {
    let [folder, log] = folders();
    let (store, log): (PathBuf, PathBuf) = (folder.path().join("richman.sqlite"), log.path().join("log"));
    let empty = || {
        fs::remove_dir_all(folder.path()).unwrap();
        fs::create_dir(folder.path()).unwrap();
    };
    let server = Server::with_store(&store, &logged(folder.path(), &log)).unwrap();
    let moments = play(&server, &log).await;
    drop(server);
    let whole = fs::read(&log).unwrap();
    let answered = moments.len();
    assert!(answered > 30, "{answered}");
    check(&store, moments.last().unwrap(), "killed").await;
    // Power is lost right after an answer.
    for (number, names) in spread(answered, 20).into_iter().zip([Names::Synced, Names::Latest].into_iter().cycle()) {
        let moment = &moments[number - 1];
        restore(folder.path(), &image(&calls(&whole[..moment.logged]), names));
        check(&store, moment, &format!("power lost after answer {number} of {answered}, {names:?}")).await;
    }
    // One call fails, or all from one on.
    let made = calls(&whole).len();
    let faults =
        spread(made, 60).into_iter().zip([1, 1, 1_000_000].into_iter().cycle()).zip(ERRORS.into_iter().cycle());
    let mut fewer = 0;
    for ((at, count), error) in faults {
        empty();
        let context = format!("error {error} at call {at} of {made}, {count} times");
        let Some(server) = Server::with_store(&store, &failing(folder.path(), at, count, error)) else { continue };
        let moments = play(&server, &log).await;
        drop(server);
        fewer += usize::from(moments.len() < answered);
        if let Some(last) = moments.last() {
            check(&store, last, &context).await;
        }
    }
    println!("{made} calls; {fewer} faults were felt");
    assert!(fewer > 10, "{fewer}");
}
