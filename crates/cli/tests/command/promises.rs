//! The promises of the help and the documentation.

use std::fs::File;

use super::*;

/// The words of a line as a shell splits them, including quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.trim().chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

#[test]
fn the_examples_in_the_help_work() {
    let scratch = Scratch::new();
    let mut count = 0;
    for command in ["solve", "table", "compare", "tree", "scores", "reproduce", "verify"] {
        let help = done(&[command, "--help"]);
        let examples = help.lines().filter_map(|line| line.strip_prefix("  richman "));
        for line in examples.filter(|line| !line.starts_with('<') && !line.starts_with('[')) {
            count += 1;
            for part in format!("richman {line}").split(" && ") {
                let args = words(part);
                assert_eq!(args[0], "richman", "{part}");
                let args: Vec<&str> = args[1..].iter().map(String::as_str).collect();
                let output = richman(&args).current_dir(scratch.0.path()).output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{part}: {}", text(&output.stderr));
                assert_eq!(text(&output.stderr), "", "{part}");
                assert!(!output.stdout.is_empty(), "{part}");
                if args.contains(&"--json") {
                    serde_json::from_slice::<Value>(&output.stdout).unwrap();
                }
            }
        }
    }
    assert!(count >= 12, "only {count} examples in the help");
    done(&["--help"]);
    done(&["-h"]);
    done(&["--version"]);
    done(&["help", "solve"]);
}

const MECHANISM: [&str; 5] = ["payment", "ties", "bidding", "right", "bids"];

#[test]
fn json_of_solve() {
    let money = json(&["solve", "tic-tac-toe", "--json"]);
    has_keys(&money, &["game", "position", "mechanism", "win", "draw", "exact", "bid", "moves"]);
    has_keys(&money["mechanism"], &MECHANISM);
    has_keys(&money["moves"], &["alice", "bob"]);
    assert_eq!((&money["win"], &money["draw"]), (&Value::from("133/256"), &Value::from("123/256")));
    assert_eq!((&money["game"], &money["position"]), (&Value::from("tic-tac-toe"), &Value::from(".../.../...")));
    assert_eq!(money["exact"], true);

    let chips = json(&["solve", "tic-tac-toe", "--chips", "8", "--json"]);
    has_keys(&chips, &["game", "position", "mechanism", "total", "win", "draw"]);
    assert_eq!(chips["total"], 8);
    assert_eq!(chips["win"], serde_json::json!({"threshold": "4*", "plain": 5, "star": 4}));
    has_keys(&chips["draw"], &["threshold", "plain", "star"]);

    let held = json(&["solve", "tic-tac-toe", "--alice", "4*", "--bob", "4", "--json"]);
    has_keys(&held, &["total", "win", "draw", "outcome", "within", "advice"]);
    assert_eq!((&held["total"], &held["win"]), (&chips["total"], &chips["win"]));
    assert_eq!(held["outcome"], "alice");
    assert!(held["within"].is_u64(), "{held}");
    for player in ["alice", "bob"] {
        has_keys(&held["advice"][player], &["bids", "use_star", "moves", "let_other_move"]);
        let bids = held["advice"][player]["bids"].as_array().unwrap();
        assert!(!bids.is_empty() && bids.iter().all(|range| range.as_array().unwrap().len() == 2), "{held}");
    }

    let ended = json(&["solve", "tic-tac-toe", "--position", "AAA/BB./...", "--json"]);
    assert_eq!((&ended["win"], &ended["draw"], &ended["bid"]), (&0.into(), &0.into(), &Value::Null));
    let unreachable = json(&["solve", "expr:B", "--chips", "8", "--json"]);
    assert_eq!(unreachable["win"], serde_json::json!({"threshold": 9, "plain": 9, "star": 9}));
}

#[test]
fn json_of_offers() {
    let asked = [
        (&["hex:size=15", "--memory", "1GiB"][..], "hex:size=15"),
        (&["chess:pieces=KRKB"], "chess:pieces=KRKB"),
        (&["connect:rows=4,cols=5", "--chips", "8"], "connect:rows=4,cols=5"),
        (&["tic-tac-toe", "--memory", "1MiB", "--exact"], "tic-tac-toe"),
    ];
    for (question, game) in asked {
        let offers = json(&[&["solve"], question, &["--why", "--json"]].concat());
        has_keys(&offers, &["game", "position", "engines"]);
        assert_eq!(offers["game"], game);
        let engines = offers["engines"].as_array().unwrap();
        assert!(engines.iter().any(|engine| engine["turn"] == 1), "{offers}");
        for engine in engines {
            has_keys(engine, &["engine"]);
            let has = |key: &str| engine.get(key).is_some_and(|value| !value.is_null());
            assert!(engine.as_object().unwrap().values().all(|value| !value.is_null()), "{engine}");
            assert_eq!((has("answer"), has("cost")), (!has("refused"), !has("refused")), "{engine}");
            let is_about = engine.get("cost").is_some_and(|cost| cost == "about");
            assert_eq!((has("seconds"), has("memory") && !is_about), (is_about, false), "{engine}");
            assert!(engine["seconds"] != 0.0 && engine["memory"] != 0, "{engine}");
        }
    }
}

/// Of several games, every offer names its game.
#[test]
fn offers_for_several_games() {
    let out = done(&["solve", "tic-tac-toe", "expr:A", "--why", "--json"]);
    let games: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.iter().map(|offers| &offers["position"]).collect::<Vec<_>>(), [".../.../...", "A"]);
    let text = done(&["solve", "tic-tac-toe", "expr:A", "--why"]);
    assert!(text.starts_with("tic-tac-toe\nposition .../.../...\n\n"), "{text}");
    assert!(text.contains("\n\nexpr:A\nposition A\n\n"), "{text}");
}

#[test]
fn json_of_thresholds_without_order() {
    let scratch = Scratch::new();
    let game = r#"{"name": "z", "start": "z", "positions": {"z": {"alice": ["l"], "bob": ["w"]},
        "w": {"winner": "alice"}, "l": {"winner": "bob"}}}"#;
    let path = scratch.write("z.json", game);
    let report = json(&["solve", &path, "--chips", "8", "--right", "moves", "--json"]);
    assert_eq!(report["win"], serde_json::json!({"threshold": null, "plain": 9, "star": 0}));
    assert_eq!(report["mechanism"]["right"], "moves");

    // The same from standard input.
    let mut command = richman(&["solve", "-", "--chips", "8", "--right", "moves", "--json"]);
    let output = command.stdin(File::open(&path).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), report);
}

#[test]
fn json_of_table() {
    let table = json(&["table", "tic-tac-toe", "--chips", "0..15", "--json"]);
    has_keys(&table, &["rows", "period"]);
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    for (chips, row) in rows.iter().enumerate() {
        assert_eq!(row["chips"], chips);
        for goal in ["win", "draw"] {
            has_keys(&row[goal], &["threshold", "plain", "star"]);
        }
    }
    assert_eq!(rows[8]["win"], serde_json::json!({"threshold": "4*", "plain": 5, "star": 4}));
    has_keys(&table["period"], &["win", "draw"]);
    let finer = serde_json::json!({"block": 128, "step": "66*"});
    let win = serde_json::json!({"block": 256, "step": 133, "from": 6, "proved": true, "finer": finer});
    assert_eq!(table["period"]["win"], win);
    has_keys(&table["period"]["draw"], &["block", "step", "from", "proved"]);
    let open = json(&["table", "tic-tac-toe", "--right", "moves", "--chips", "0..3", "--json"]);
    assert!(open["period"]["win"].is_null() && open["period"]["draw"].is_null());
    assert!(open["period"]["reason"].as_str().is_some_and(|reason| reason.contains("chooses")), "{open}");

    let csv = done(&["table", "tic-tac-toe", "--chips", "0..15", "--csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 17);
    assert!(lines[9].starts_with("8,4*,5,4,"), "{}", lines[9]);
    let text = done(&["table", "tic-tac-toe", "--chips", "0..15"]);
    assert!(text.lines().any(|line| line.split_whitespace().take(2).eq(["8", "4*"])), "{text}");
}

#[test]
fn trees() {
    let tree = json(&["tree", "tic-tac-toe", "--short", "--json"]);
    has_keys(&tree, &["game", "position", "mechanism", "goal", "chips", "exact", "unproved", "nodes", "edges"]);
    let nodes = tree["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 29);
    for node in nodes {
        has_keys(node, &["label", "row", "position", "win", "winner", "wedge", "zugzwang", "cut"]);
        has_keys(&node["wedge"], &["sum", "terms", "for_all_totals", "fails_at"]);
    }
    assert_eq!((&nodes[0]["win"], &nodes[0]["wedge"]["fails_at"]), (&"133/256".into(), &5.into()));
    for edge in tree["edges"].as_array().unwrap() {
        has_keys(edge, &["from", "player", "to", "move", "position", "wins", "as_good", "for_all_totals"]);
    }
    let chips = json(&["tree", "tic-tac-toe", "--chips", "8", "--json"]);
    assert_eq!((&chips["nodes"][0]["win"], &chips["chips"]), (&"4*".into(), &8.into()));
    let draw = json(&["tree", "tic-tac-toe", "--draw", "--json"]);
    assert_eq!((&draw["nodes"][0]["draw"], &draw["nodes"][0]["win"]), (&"123/256".into(), &Value::Null));

    let long = "(A & (A^2 & ((A & B^2) & B))) & ((A & ((A & B^2) & B^2)) & ((A & B^2) & B))";
    assert!(!done(&["tree", "tic-tac-toe"]).contains(long));
    assert!(done(&["tree", "tic-tac-toe", "--wide"]).contains(long));
    assert!(done(&["tree", "tic-tac-toe", "--time", "0"]).contains("No wedge sums: "));
    assert!(done(&["tree", "tic-tac-toe", "--dot"]).starts_with("digraph \"tic-tac-toe\" {\n"));
    assert!(done(&["tree", "tic-tac-toe", "--position", "AAA/BB./..."]).contains("won by Alice"));

    // To a file: the same, and nothing else.
    let scratch = Scratch::new();
    let path = scratch.path("tree.svg");
    let output = run(&["tree", "tic-tac-toe", "--svg", &path, "--output", &scratch.path("tree.txt")]);
    assert_eq!((output.status.code(), text_of(&output)), (Some(0), ""));
    assert_eq!(fs::read_to_string(&path).unwrap(), done(&["tree", "tic-tac-toe", "--svg", "-"]));
    fs::remove_file(scratch.path("tree.txt")).unwrap();
    assert_eq!(scratch.names(), ["tree.svg"]);
    let missing = scratch.path("missing/tree.svg");
    refused(&["tree", "tic-tac-toe", "--svg", &missing], &["missing/tree.svg", "nothing was saved"]);
    refused(&["tree", "tic-tac-toe", "--within", "3"], &["--within", "--depth"]);
    refused(&["tree", "tic-tac-toe", "--svg"], &["--svg <FILE>"]);
    refused(&["tree", "tic-tac-toe", "--csv", "--dot"], &["--csv", "--dot"]);
    refused(&["tree", "tic-tac-toe", "--json", "--wide"], &["--json", "--wide"]);
    refused(&["tree", "tic-tac-toe", "--depth", "-1"], &["--depth"]);
    refused(&["tree", "tic-tac-toe", "--chips", "many"], &["is not a number of chips"]);
    refused(&["tree", "tic-tac-toe", "--chips", "5", "--payment", "poorman"], &["payment poorman is not supported"]);
    refused(
        &["tree", "tic-tac-toe", "--chips", "5", "--right", "moves"],
        &["holdings have no order", "supported: ties advantage with right chooses and bids all"],
    );
    refused(&["tree", "connect:rows=4,cols=4"], &["more than 2000 positions", "--short", "--depth"]);
}

#[test]
fn json_of_list() {
    let list = json(&["list", "--json"]);
    let games = list["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for game in games {
        has_keys(game, &["name", "parameters", "description"]);
    }
    let names: Vec<&str> = games.iter().map(|game| game["name"].as_str().unwrap()).collect();
    let text = done(&["list"]);
    for name in ["tic-tac-toe", "connect", "tug-of-war", "ultimatum", "expr"] {
        assert!(names.contains(&name) && text.contains(name), "{name}");
    }
}

#[test]
fn what_is_saved_is_proved() {
    let scratch = Scratch::new();
    let file = scratch.write(
        "loop.json",
        r#"{"name": "loop", "start": "s", "positions": {"s": {"alice": ["w", "s"], "bob": ["l", "s"]},
            "w": {"winner": "alice"}, "l": {"winner": "bob"}}}"#,
    );
    let path = scratch.path("saved.json");
    for (flags, positions) in [
        (&["solve", "tic-tac-toe"][..], 2694),
        (&["solve", "tic-tac-toe", "--chips", "8"], 2694),
        (&["solve", "tic-tac-toe", "--alice", "4*", "--bob", "4"], 2694),
        (&["solve", "tic-tac-toe", "--position", "A../.B./..."], 0),
        (&["solve", "tic-tac-toe", "--right", "moves", "--chips", "5"], 2694),
        (&["table", "tic-tac-toe", "--chips", "0..3"], 2694),
        (&["solve", THREE, "--chips", "5"], 0),
        (&["table", "tug-of-war", "--chips", "0..9"], 7),
        (&["solve", "ultimatum", "--chips", "6"], 9),
        (&["solve", "expr:(A & B^2) & B"], 0),
        (&["table", &file, "--chips", "3..5"], 3),
        (&["solve", &file, "--chips", "5", "--right", "moves"], 3),
    ] {
        done(&[flags, &["--save", &path]].concat());
        assert_eq!(scratch.names(), ["loop.json", "saved.json"], "{}", shown(flags));
        let report = json(&["verify", &path, "--json"]);
        assert_eq!(report["valid"], true, "{}: {report}", shown(flags));
        has_keys(&report, &["valid", "game", "position"]);
        if positions > 0 {
            assert_eq!(report["positions"], positions, "{}", shown(flags));
        }
        assert!(done(&["verify", &path]).starts_with("valid: "), "{}", shown(flags));
    }
}

#[test]
fn completions_and_the_manual() {
    for shell in ["bash", "zsh", "fish"] {
        let script = done(&["completions", shell]);
        assert!(script.contains("richman") && script.contains("RICHMAN_COMPLETE"), "{shell}");
    }
    let page = done(&["man"]);
    for word in [".TH", "richman", "solve", "table", "verify", "chips"] {
        assert!(page.contains(word), "{word:?} is missing from the manual");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for flags in [
        &["table", "tic-tac-toe", "--chips", "0..5000"][..],
        &["table", "tic-tac-toe", "--chips", "0..5000", "--json"],
        &["table", "tic-tac-toe", "--chips", "0..5000", "--csv"],
        &["solve", "tic-tac-toe"],
        &["man"],
        &["list"],
        &["completions", "bash"],
        &["--help"],
        &["solve", "--help"],
    ] {
        let mut child = richman(flags).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "richman {}", shown(flags));
        assert_eq!(output.status.code(), Some(0), "richman {}", shown(flags));
    }
}

/// A failed check keeps its status if its reader is gone.
#[test]
fn a_wrong_solution_is_wrong_without_a_reader_too() {
    let scratch = Scratch::new();
    let path = scratch.write("wrong.json", saved().replacen("\"total\": 8", "\"total\": 9", 1));
    let mut child = richman(&["verify", &path]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
}
