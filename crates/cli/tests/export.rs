//! `richman export`: every listed game, written as a file, has the answers of the game.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Every listed game at a small size.
const WON: [&str; 11] = [
    "tic-tac-toe",
    "connect:rows=3,cols=3,line=3",
    "hex:size=3",
    "y:size=3",
    "tug-of-war",
    "tug-of-war:length=5,at=2",
    "ultimatum",
    "chomp:rows=2,cols=3",
    "race",
    "chess:size=4,pieces=KRK",
    "expr:(A & B^2) & ~(E & B^2)",
];
const SCORED: [&str; 3] = ["subtraction", "subtraction:heap=12,set=1+3", "subtraction:heap=6,set=2+3"];

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_richman")).args(args).current_dir(self.0.path()).output().unwrap()
    }

    #[track_caller]
    fn said(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.said(&[args, &["--json"]].concat())).unwrap()
    }

    /// Writes the game to `game.json`.
    #[track_caller]
    fn export(&self, args: &[&str]) -> String {
        let text = self.said(&[&["export"], args].concat());
        self.write("game.json", &text);
        text
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    /// Standard error of a command that prints nothing and fails with status 2.
    #[track_caller]
    fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

/// Checks that a report on the file is that on the game, except for how it was found.
#[track_caller]
fn equal(folder: &Folder, game: &str, command: &str, flags: &[&str]) {
    let [of_file, of_game] = ["game.json", game].map(|game| folder.json(&[&[command, game], flags].concat()));
    let (of_file, of_game) = (of_file.as_object().unwrap(), of_game.as_object().unwrap());
    let mut compared = 0;
    // A family says more about its boards; how an answer was found may differ.
    for (key, value) in
        of_file.iter().filter(|(key, _)| !["proof", "stop"].contains(&key.as_str()) && of_game.contains_key(*key))
    {
        assert_eq!(value, &of_game[key], "{command} {game} {flags:?}: {key}");
        compared += 1;
    }
    assert!(compared > 3 && compared + 3 >= of_file.len(), "{command} {game}: {compared} keys");
}

#[test]
fn every_listed_game_and_its_file_have_the_same_answers() {
    let folder = Folder::new();
    let listed = folder.json(&["list"]);
    for game in listed["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert!(WON.iter().chain(&SCORED).any(|spec| spec.split(':').next() == Some(name)), "{name} is in no list");
    }
    for game in WON {
        folder.export(&[game]);
        equal(&folder, game, "solve", &["--exact"]);
        for flags in [&["--chips", "6"][..], &["--alice", "3*", "--bob", "3"], &["--chips", "5", "--preset", "larsson"]]
        {
            equal(&folder, game, "solve", flags);
        }
        equal(&folder, game, "solve", &["--payment", "poorman", "--alice", "3*", "--bob", "3"]);
        equal(&folder, game, "table", &["--chips", "0..12"]);
        let order = folder.json(&["compare", game, "game.json"]);
        assert_eq!((&order["order"], &order["proved"]), (&"equal".into(), &true.into()), "{game}");
        // A tree takes the first of equally good moves; symmetric positions change their order.
        if ["tug-of-war", "ultimatum", "race", "expr"].contains(&game.split(':').next().unwrap()) {
            equal(&folder, game, "tree", &[]);
        }
        let worth = |game: &str| {
            let tree = folder.json(&["tree", game, "--depth", "1"]);
            ["win", "winner", "zugzwang"].map(|key| tree["nodes"][0][key].clone())
        };
        assert_eq!(worth("game.json"), worth(game), "{game}");
    }
    for game in SCORED {
        folder.export(&[game]);
        for flags in [&["--chips", "7"][..], &["--chips", "5", "--all"], &["--alice", "3*", "--chips", "6"]] {
            equal(&folder, game, "scores", flags);
        }
        equal(&folder, game, "scores", &["--chips", "5", "--preset", "develin-payne"]);
    }
}

#[test]
fn a_position_is_exported_with_what_can_follow() {
    let folder = Folder::new();
    let text = folder.export(&["tic-tac-toe", "--position", "AB./.A./..B"]);
    assert!(text.contains("\"start\": \"AB./.A./..B\""), "{text}");
    let [whole, file] =
        [folder.json(&["solve", "tic-tac-toe", "--position", "AB./.A./..B"]), folder.json(&["solve", "game.json"])];
    assert_eq!((&whole["win"], &whole["moves"]), (&file["win"], &file["moves"]));
    let ended = folder.export(&["tug-of-war", "--position", "0", "--positions", "1"]);
    assert!(ended.contains("\"0\": {\"winner\":\"alice\"}\n"), "{ended}");
    assert_eq!(folder.export(&["game.json"]), ended, "the file of a file is the same file");
}

/// Moves keep their names, also where several lead to one position, and the description is kept.
#[test]
fn names_and_the_description_are_written() {
    let folder = Folder::new();
    let text = folder.export(&["tic-tac-toe"]);
    let file: Value = serde_json::from_str(&text).unwrap();
    let corners = r#"[{"to":".../.../A..","name":"a1"},{"to":".../.../A..","name":"a3"}]"#;
    let moves = file["positions"][".../.../..."]["alice"].as_array().unwrap();
    assert_eq!(moves.len(), 9);
    assert_eq!(Value::Array(vec![moves[0].clone(), moves[6].clone()]), serde_json::from_str::<Value>(corners).unwrap());
    let said = file["description"].as_str().unwrap();
    assert_eq!(said, "place stones on any empty cell; the first line of stones wins, a full board is a draw.");
    assert_eq!(folder.export(&["game.json"]), text);
    let chess = folder.export(&["chess:size=4,pieces=KRK"]);
    assert!(chess.contains("takes the other's king wins. Alice has the white pieces"), "{}", &chess[..600]);
    // Moves are played by name, and the rules begin with the description.
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(["play", "game.json", "--two", "--chips", "4"]).current_dir(folder.0.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    folder.export(&["tic-tac-toe"]);
    child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.starts_with("chess:size=4,pieces=KRK: move any piece, also into attack;"), "{said}");
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_printed() {
    let folder = Folder::new();
    let limit = "connect: more than 1000000 positions can follow: raise --positions, or start from a later one";
    assert!(folder.refused(&["export", "connect"]).contains(limit));
    for (args, reason) in [
        (&["tic-tac-toe", "--positions", "2693"][..], "tic-tac-toe: more than 2693 positions can follow: raise --pos"),
        (&["tic-tac-toe", "--positions", "0"], "write a whole number from 1 to 18446744073709551615"),
        (&["tic-tac-toe", "--positions", "many"], "invalid value 'many' for '--positions <LIMIT>'"),
        (&["tic-tac-toe", "--position", "A"], "\"A\" is not a position of tic-tac-toe"),
        (&["nosuch"], "there is no game \"nosuch\""),
        (&["nosuch.json"], "nosuch.json"),
        (&["connect:rows=4,cols=4", "--memory", "1MB"], "raise --memory"),
    ] {
        let message = folder.refused(&[&["export"], args].concat());
        assert!(message.contains(reason), "{args:?}: {message}");
    }
    assert!(folder.said(&["export", "tic-tac-toe", "--positions", "2694"]).ends_with("  }\n}\n"));
    // Long names are shortened in messages.
    let wide = (0..200).fold("A^2 & B^2".to_string(), |wide, at| format!("({wide}) & {}^2", ["A", "B"][at % 2]));
    let message = folder.refused(&["export", &format!("expr:{wide}")]);
    assert!(message.contains("longer than 1000 characters") && message.len() < 1000, "{message}");
}

/// A reader that leaves early is no error.
#[cfg(unix)]
#[test]
fn the_output_pipes() {
    let program = Path::new(env!("CARGO_BIN_EXE_richman")).display();
    let line = format!("{program} export tic-tac-toe | {program} solve - --json");
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["win"], "133/256");
    let line = format!("({program} export tic-tac-toe; echo $? >&2) | head -c 100 > /dev/null");
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0\n");
}
