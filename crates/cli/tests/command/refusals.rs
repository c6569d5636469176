//! Unusable input is refused with status 2 and one clear message.

use std::fs::File;
use std::path::Path;

use super::*;

#[test]
fn games_that_do_not_exist() {
    for command in ["solve", "table", "tree"] {
        refused(&[command, "tictactoe"], &["no game \"tictactoe\"", "did you mean \"tic-tac-toe\"?", "ultimatum"]);
        refused(&[command, "conect:rows=3"], &["no game \"conect\"", "did you mean \"connect\"?"]);
        refused(&[command, "zzzzzzzzz"], &["no game \"zzzzzzzzz\"", "the games are tic-tac-toe"]);
        refused(&[command, ""], &["no game \"\"", "the games are tic-tac-toe"]);
        refused(&[command, "connect:row=3"], &["no parameter \"row\"", "did you mean \"rows\"?"]);
        refused(&[command, "tug-of-war:lenght=3"], &["no parameter \"lenght\"", "did you mean \"length\"?"]);
        refused(&[command, "connect:rows=3,rows=3"], &["rows", "given twice"]);
        refused(&[command, "connect:rows"], &["\"rows\" is not a parameter of connect", "key=value"]);
        refused(&[command, "connect:rows=many"], &["rows=many is not a number"]);
        refused(&[command, "connect:rows=0"], &["rows=0 is out of range", "from 1 to"]);
        refused(&[command, "connect:rows=-1"], &["rows=-1 is out of range"]);
        refused(&[command, "connect:rows=99999999999999999999"], &["is out of range"]);
        refused(&[command, "connect:rows=63,cols=32"], &["too large"]);
        refused(&[command, "tug-of-war:length=4,at=5"], &["at=5 is out of range"]);
        refused(&[command, "ultimatum:degree=0"], &["degree=0 is out of range"]);
    }
}

#[test]
fn hex_boards_that_are_none() {
    let scratch = Scratch::new();
    let too_large =
        ["from 1 to 256", "more than 256 cells", "more than 256 cells", "rows=0 is out of range", "is out of range"];
    let sizes = ["size=257", "size=17", "rows=2,cols=129", "rows=0", "size=99999999999999999999"];
    let junk = format!("{}/...", ".".repeat(100_000));
    let positions = [
        ("A../...", "it has 2 rows; write 3 rows of 3 cells"),
        ("A../.../..../...", "it has 4 rows"),
        ("A../....\n/...", "its row 2 has 5 cells"),
        ("A../.X./...", "'X' is none of A, B and ."),
        ("aaa/.../...", "'a' is none of"),
        ("", "it has 1 row;"),
        (&junk, "it has 2 rows"),
    ];
    let record = |game: &str, position: &str| {
        let position = position.replace('\n', "\\n");
        scratch.write(
            "record.txt",
            format!("[Game \"{game}\"] [Alice \"4*\"] [Bob \"4\"] [Position \"{position}\"] 1. 3-2 Alice b2"),
        )
    };
    for (size, cause) in sizes.iter().zip(too_large) {
        let game = format!("hex:{size}");
        for command in ["solve", "play", "table", "tree"] {
            refused(&[command, &game], &[cause]);
        }
        refused(&["review", &record(&game, "...")], &[cause]);
    }
    for (position, cause) in positions {
        for command in ["solve", "play", "table", "tree"] {
            refused(&[command, "hex:size=3", "--position", position], &["is not a position of hex:size=3", cause]);
        }
        refused(&["review", &record("hex:size=3", position)], &[cause]);
    }
    for asked in [
        &["solve", "--chips", "8"][..],
        &["solve", "--alice", "4*", "--bob", "4"],
        &["solve", "--within", "3"],
        &["table"],
        &["tree"],
    ] {
        let args: Vec<&str> = asked[..1].iter().chain(&["hex:size=6"]).chain(&asked[1..]).copied().collect();
        refused(&args, &["more than 4294967295 positions", "start from a later position"]);
    }
    let all = run(&["solve", "hex:size=6", "--all"]);
    let said = String::from_utf8(all.stderr).unwrap();
    assert!(said.contains("more than 4294967295 positions") && !said.contains("real money"), "that was asked: {said}");
}

#[test]
fn expressions_that_are_none() {
    let message = refused(&["solve", "expr:A & B & E"], &["byte 6", "& joins two games only"]);
    assert!(message.ends_with("\n  A & B & E\n        ^\n"), "{message}");
    for (expression, fragment) in [
        ("expr:", "an expression is missing"),
        ("expr", "an expression is missing"),
        ("expr: ", "an expression is missing"),
        ("expr:A &", "an expression is missing"),
        ("expr:(A & B", "this parenthesis is not closed"),
        ("expr:A)", "this parenthesis was not opened"),
        ("expr:A^0", "from 1 to 10000"),
        ("expr:A^10001", "from 1 to 10000"),
        ("expr:A^99999999999999999999", "from 1 to 10000"),
        ("expr:E^2", "only the letters A and B have powers"),
        ("expr:A é", "found 'é'"),
    ] {
        let message = refused(&["solve", expression], &["of the expression: ", fragment]);
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!((lines.len(), lines[2].trim()), (3, "^"), "{message}");
    }
    for open in ["(", "~", "(~"] {
        let deep = format!("expr:{}A{}", open.repeat(100_000 / open.len()), ")".repeat(10));
        let message = refused(&["solve", &deep], &["nested more than 256 deep"]);
        assert_eq!(message.lines().last().unwrap().trim(), "^", "{message}");
    }
    let deep = format!("expr:{}A{}", "(".repeat(50_000), ")".repeat(50_000));
    refused(&["table", &deep], &["nested more than 256 deep"]);
}

#[test]
fn game_files_that_cannot_be_used() {
    let scratch = Scratch::new();
    let game = |positions: &str| format!("{{\"name\": \"g\", \"start\": \"s\", \"positions\": {{{positions}}}}}");
    let ends = r#""w": {"winner": "alice"}, "l": {"winner": "bob"}"#;
    let rows: [(&str, String, &[&str]); 20] = [
        ("text", "This is not a game.".to_string(), &["not JSON", "line 1"]),
        ("empty", String::new(), &["not JSON"]),
        ("half", "{\"name\": \"g\", \"start\"".to_string(), &["not JSON", "line 1"]),
        ("list", "[]".to_string(), &["the game as an object"]),
        ("no-start", "{\"name\": \"g\", \"positions\": {}}".to_string(), &["the key \"start\" is missing"]),
        ("no-positions", game(""), &["there are no positions"]),
        ("no-such-start", game(ends), &["the start \"s\" is not a position"]),
        (
            "successor",
            game(&format!("\"s\": {{\"alice\": [\"w\"], \"bob\": [\"m\"]}}, {ends}")),
            &["position \"s\"", "Bob moves to \"m\", which is not a position"],
        ),
        (
            "stuck",
            game(&format!("\"s\": {{\"alice\": [\"w\"], \"bob\": []}}, {ends}")),
            &["position \"s\"", "Bob has no move although the game is not over"],
        ),
        ("stuck-both", game(&format!("\"s\": {{}}, {ends}")), &["position \"s\"", "Alice has no move"]),
        (
            "winner-twice",
            game("\"s\": {\"winner\": \"alice\", \"winner\": \"bob\"}"),
            &["position \"s\"", "the key \"winner\" is given twice"],
        ),
        (
            "winner-and-moves",
            game(&format!("\"s\": {{\"winner\": \"alice\", \"both\": [\"w\"]}}, {ends}")),
            &["position \"s\" has both a winner and moves"],
        ),
        (
            "winner-and-score",
            game("\"s\": {\"winner\": \"alice\", \"score\": 3}"),
            &["position \"s\" has a score but position \"s\" has a winner"],
        ),
        ("score", game("\"s\": {\"score\": 3}"), &["played for a score", "use richman scores"]),
        (
            "weight-and-winner",
            game(&format!("\"s\": {{\"both\": [{{\"to\": \"w\", \"weight\": 2}}]}}, {ends}")),
            &["position \"s\" has a weight but position \"w\" has a winner"],
        ),
        (
            "duplicate",
            game(&format!("\"s\": {{\"both\": [\"w\"]}}, \"s\": {{\"both\": [\"l\"]}}, {ends}")),
            &["position \"s\"", "given twice"],
        ),
        ("unknown-key", game("\"s\": {\"wins\": \"alice\"}"), &["the key \"wins\" is unknown", "position \"s\""]),
        ("unknown-winner", game("\"s\": {\"winner\": \"carol\"}"), &["position \"s\"", "\"carol\"", "none"]),
        ("trailing", format!("{} x", game("\"s\": {\"winner\": \"alice\"}")), &["not JSON", "trailing"]),
        ("number", game("\"s\": {\"both\": 3}"), &["position \"s\"", "moves"]),
    ];
    for (name, text, fragments) in &rows {
        let path = scratch.write(&format!("{name}.json"), text);
        for command in ["solve", "table"] {
            let message = refused(&[command, &path], fragments);
            assert!(message.contains(&path), "the file is not named: {message}");
        }
    }
    let path = scratch.write("bytes.json", b"{\"name\": \"\xff\"}");
    refused(&["solve", &path], &[&path, "not UTF-8"]);
    let deep = scratch.write("deep.json", "[".repeat(1 << 20));
    refused(&["solve", &deep], &[&deep]);
    let deep = scratch.write("deeper.json", format!("{{\"name\": {}", "[".repeat(1 << 20)));
    refused(&["solve", &deep], &[&deep]);

    let large = scratch.path("large.json");
    File::create(&large).unwrap().set_len(65 << 20).unwrap();
    refused(&["solve", &large], &[&large, "line 1, column 1: this is not JSON"]);
    refused(&["solve", &scratch.path("")], &["directory"]);
    refused(&["solve", &scratch.path("missing.json")], &["missing.json", "No such file"]);
    refused(&["solve", "./missing"], &["./missing", "No such file"]);
    refused(&["solve", "missing.json"], &["missing.json", "No such file"]);
    refused(&["solve", "-"], &["not JSON"]); // standard input is empty
}

#[test]
fn totals_and_ranges_that_are_none() {
    for (total, fragment) in [
        ("-1", "\"-1\" is not a number of chips"),
        ("", "\"\" is not a number of chips"),
        ("many", "\"many\" is not a number of chips"),
        ("4*", "\"4*\" is not a number of chips"),
        ("8.5", "\"8.5\" is not a number of chips"),
        ("+8", "\"+8\" is not a number of chips"),
        ("1073741823", "1073741823 chips are too many: the largest total is 1073741822"),
        ("99999999999999999999", "99999999999999999999 chips are too many"),
    ] {
        refused(&["solve", "tic-tac-toe", "--chips", total], &[fragment]);
        refused(&["table", "tic-tac-toe", "--chips", total], &[fragment]);
        refused(&["table", "tic-tac-toe", "--chips", &format!("0..{total}")], &[fragment]);
    }
    refused(&["table", "tic-tac-toe", "--chips", "9..3"], &["the range 9..3 is empty", "smaller total first"]);
    for range in ["..", "3..", "..3", "1..2..3", "a..b", "-3..3"] {
        refused(&["table", "tic-tac-toe", "--chips", range], &["is not a number of chips"]);
    }
    refused(&["solve", "tic-tac-toe", "--chips", "0..3"], &["is a range of totals"]);
    refused(&["solve", "tic-tac-toe", "--within", "-1"], &["-1"]);
    refused(&["solve", "tic-tac-toe", "--within", "4294967296"], &["4294967296"]);
}

#[test]
fn more_than_the_memory_limit() {
    let limit = ["--memory", "64MiB"];
    let with = |args: &[&'static str]| [args, &limit[..]].concat();
    refused(&with(&["table", "tic-tac-toe", "--chips", "0..1073741822"]), &["the limit is", "--memory"]);
    refused(&with(&["table", "tug-of-war", "--chips", "0..1073741822"]), &["the limit is", "--memory"]);
    refused(&["table", "tic-tac-toe", "--chips", "0..1073741822"], &["the limit is", "--memory"]);
    refused(&["solve", "tic-tac-toe", "--memory", "1KiB"], &["the limit is", "--memory"]);
    refused(&["solve", "tic-tac-toe", "--memory", "0"], &["the limit is", "--memory"]);
    refused(&with(&["solve", "connect", "--exact"]), &["the limit is", "--memory"]);
    refused(&with(&["table", "connect"]), &["more than 4294967295 positions"]);
    refused(&["table", "connect:rows=4,cols=4", "--stability", "--memory", "4MiB"], &["the limit is", "--memory"]);
    refused(&["solve", "tic-tac-toe", "--memory", "lots"], &["lots"]);
    refused(&["solve", "tic-tac-toe", "--memory", "-1GiB"], &["-1"]);

    let scratch = Scratch::new();
    let path = scratch.path("large.json");
    let save = ["table", "tic-tac-toe", "--chips", "0..2000", "--memory", "64MiB", "--save", &path];
    refused(&save, &["the limit is", "--memory"]);
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());
    let path = scratch.path("sparse.json");
    File::create(&path).unwrap().set_len(65 << 20).unwrap();
    refused(&["verify", &path, "--memory", "64MiB"], &[&path]);
}

#[test]
fn the_memory_limit_is_named_as_given() {
    refused(&["solve", "tic-tac-toe", "--memory", "1KiB"], &["the limit is 1.0 KiB"]);
    refused(&["table", "tic-tac-toe", "--chips", "0..100000000", "--memory", "1MiB"], &["the limit is 1.0 MiB"]);
}

#[test]
fn holdings_that_cannot_be() {
    let with = |alice: &'static str, bob: &'static str| vec!["solve", "tic-tac-toe", "--alice", alice, "--bob", bob];
    refused(&with("4", "4"), &["nobody holds the star", "exactly one holding must carry it"]);
    refused(&with("4*", "4*"), &["both players hold the star", "exactly one holding must carry it"]);
    for nonsense in ["-1", "", "*", "4**", "four", "*4", "4 *"] {
        refused(&with("4*", nonsense), &["is not a holding", "such as 4 or 4*"]);
        refused(&with(nonsense, "4*"), &["is not a holding", "such as 4 or 4*"]);
    }
    refused(&with("1073741822*", "1073741822"), &["chips are too many"]);
    refused(&with("99999999999999999999*", "0"), &["chips are too many"]);
    let chips = |chips: &'static str| [with("4*", "4"), vec!["--chips", chips]].concat();
    refused(&chips("9"), &["4*", "make 8 chips, not 9"]);
    refused(&chips("7"), &["make 8 chips, not 7"]);
    refused(&["solve", "tic-tac-toe", "--alice", "4*"], &["leaves open what Bob holds"]);
    refused(&["solve", "tic-tac-toe", "--bob", "4*"], &["leaves open what Alice holds"]);
}

#[test]
fn positions_of_another_game() {
    let scratch = Scratch::new();
    let file = scratch.write(
        "coin.json",
        r#"{"name": "coin", "start": "s", "positions": {"s": {"alice": ["w"], "bob": ["l"]},
            "w": {"winner": "alice"}, "l": {"winner": "bob"}, "far": {"winner": "none"}}}"#,
    );
    for (game, positions) in [
        ("tic-tac-toe", &["nowhere", "", ".", ".../...", ".../.../..", ".../.../..C", "..././..../", "3", "-1"][..]),
        (THREE, &["nowhere", "", "A../.../...", ".../.../.../...", ".../.../..C"]),
        ("tug-of-war", &["nowhere", "", "7", "-1", "3.0", "03", "99999999999999999999"]),
        ("ultimatum", &["nowhere", "", "4", "-4", "C", "+1", "99999999999999999999"]),
        ("expr:(A & B^2) & B", &["nowhere", "", "A^3", "A & B", "A & B & E", "("]),
        (&file, &["nowhere", "", "S", "coin"]),
    ] {
        for position in positions {
            let name = if game == file { "coin" } else { game };
            for flags in [&["solve", game, "--chips", "8"][..], &["table", game]] {
                let args = [flags, &["--position", position]].concat();
                refused(&args, &[&format!("{position:?} is not a position of {name}")]);
            }
        }
    }
}

#[test]
fn mechanisms_that_are_not_served() {
    // Ties and the order of bidding do not change real-money thresholds; sets of bids make no sense
    // there.
    refused(&["solve", "tic-tac-toe", "--bids", "0+5"], &["real money with bids 0+5", "supported: bids all"]);
    for flags in [["--ties", "marker"], ["--ties", "alice"], ["--bidding", "bob-first"], ["--preset", "gasarch"]] {
        assert_eq!(json(&[&["solve", "tic-tac-toe", "--json"], &flags[..]].concat())["win"], "133/256");
    }
    // With payment to the bank the total changes.
    for (payment, win) in [("poorman", "396925/786688"), ("taxman:0", "396925/786688"), ("taxman:1", "133/256")] {
        let flags = ["--payment", payment];
        assert_eq!(json(&[&["solve", "tic-tac-toe", "--json"], &flags[..]].concat())["win"], win, "{payment}");
        let solve = [&["solve", "tic-tac-toe", "--chips", "8"], &flags[..]].concat();
        refused(&solve, &["no total stays", "what both hold, such as 4* for Alice and 4 for Bob", "--bob 0..20"]);
        for asked in [&["--chips", "0..8"][..], &["--stability"], &["--svg", "x"], &["--save", "x"]] {
            let table = [&["table", "tic-tac-toe"], asked, &flags[..]].concat();
            refused(&table, &["no total stays", asked[0], "with --bob 0..20"]);
        }
        let bids = [&["solve", "tug-of-war", "--alice", "3*", "--bob", "3", "--bids", "1+2"], &flags[..]].concat();
        refused(&bids, &["bids 1+2", "nobody can bid", "supported: bids with 0 among them"]);
    }
    // Sets of bids with which nobody may be able to bid, or more chips hurt.
    let three = ["solve", "tug-of-war", "--bids", "3", "--chips"];
    refused(&[&three[..], &["4"]].concat(), &["bids 3 with 4 chips", "nobody who can bid", "at least 5 chips"]);
    assert_eq!(run(&[&three[..], &["5"]].concat()).status.code(), Some(0));
    refused(
        &["table", "tug-of-war", "--bids", "3", "--bob", "0..3"],
        &["bids 3", "more chips can hurt", "0 among them"],
    );
    refused(&["table", "tug-of-war", "--bids", "3", "--chips", "5..9", "--svg", "-"], &["more chips can hurt"]);
    // A star where there is none, and the reverse.
    let bids_alice = |alice, bob| ["solve", "tug-of-war", "--ties", "alice", "--alice", alice, "--bob", bob];
    refused(&bids_alice("3*", "3"), &["with ties alice there is no star", "write 3 for Alice and 3 for Bob"]);
    assert_eq!(run(&bids_alice("3", "3")).status.code(), Some(0));
    refused(&["solve", "tug-of-war", "--ties", "loser", "--alice", "3", "--bob", "3"], &["nobody holds the star"]);
    refused(&["solve", "tug-of-war", "--trace"], &["--alice"]);
}

#[test]
fn flags_that_contradict_each_other() {
    refused(&["solve", "tic-tac-toe", "--csv", "--json"], &["--csv", "--json"]);
    refused(&["table", "tic-tac-toe", "--csv", "--json"], &["--csv", "--json"]);
    refused(&["solve", "tic-tac-toe", "--chips", "8", "--chips", "9"], &["--chips"]);
    refused(&["solve", "tic-tac-toe", "--nothing"], &["--nothing"]);
    refused(&["table", "tic-tac-toe", "connect"], &["connect"]);
    refused(&["solve"], &["<GAME>"]);
    refused(&["table"], &["<GAME>"]);
    refused(&["verify"], &["<FILE>"]);
    refused(&["solv", "tic-tac-toe"], &["solv", "solve"]);
    refused(&["completions", "sh"], &["sh", "bash"]);
    refused(&["completions"], &["<SHELL>"]);
    let scratch = Scratch::new();
    let path = scratch.path("saved.json");
    for command in ["solve", "table"] {
        refused(&[command, "tic-tac-toe", "--within", "3", "--save", &path], &["--save", "--within"]);
    }
    assert!(scratch.names().is_empty());
}

#[test]
fn files_that_cannot_be_written() {
    let scratch = Scratch::new();
    let missing = scratch.path("missing/saved.json");
    let directory = scratch.path("directory");
    fs::create_dir(&directory).unwrap();
    for path in [missing.as_str(), directory.as_str(), "/", ".."] {
        for flags in [
            &["solve", "tic-tac-toe"][..],
            &["solve", "tic-tac-toe", "--chips", "8"],
            &["table", "tic-tac-toe", "--chips", "0..2"],
            &["solve", "tic-tac-toe", "--json"],
            &["table", "tic-tac-toe", "--chips", "0..2", "--svg"],
        ] {
            let option = if flags.contains(&"--svg") { &[path][..] } else { &["--save", path] };
            let args = [flags, option].concat();
            let output = richman(&args).current_dir(scratch.0.path()).output().unwrap();
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{} {message}", shown(&args));
            assert!(output.stdout.is_empty() && !message.contains("panicked"), "{} {message}", shown(&args));
            assert!(message.contains("nothing was saved"), "{} {message}", shown(&args));
            assert_eq!(scratch.names(), ["directory"], "{}", shown(&args));
            assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "{}", shown(&args));
        }
    }
    refused(&["solve", "tic-tac-toe", "--save", ""], &["--save"]);
    refused(&["table", "tic-tac-toe", "--svg", ""], &["--svg"]);
    refused(&["table", "tic-tac-toe", "--certificate", "/nowhere/at/all"], &["nothing was saved"]);
    refused(&["table", "tic-tac-toe", "--certificate", "x", "--within", "3"], &["--certificate", "--within"]);
    refused(&["table", "tic-tac-toe", "--certificate", "x", "--right", "moves"], &["no rule", "chooses"]);
    let both = scratch.path("both");
    refused(
        &["table", "tic-tac-toe", "--save", &both, "--svg", &both],
        &["--save, --certificate and --svg name the same file"],
    );
    // Any number of seconds is accepted.
    assert_eq!(run(&["solve", "tug-of-war", "--time", "18446744073709551615"]).status.code(), Some(0));
    refused(&["solve", "tug-of-war", "--within", "4294967295", "--time", "1"], &["--time"]);
    // A refused command leaves an old file unchanged.
    let older = scratch.write("older.json", "older");
    refused(&["solve", "tug-of-war", "--bids", "0+5", "--save", &older], &["real money"]);
    refused(&["table", "tug-of-war", "--payment", "poorman", "--svg", &older], &["no total stays"]);
    refused(&["table", "tug-of-war", "--chips", "0..1073741824", "--svg", &older], &["1073741824"]);
    let table = ["table", "tug-of-war", "--chips", "0..100000000", "--memory", "64MiB", "--svg", &older];
    refused(&table, &["the limit is", "--memory"]);
    assert_eq!(fs::read_to_string(&older).unwrap(), "older");
    assert_eq!(scratch.names(), ["directory", "older.json"]);
}

#[test]
fn saved_solutions_that_cannot_be_read() {
    let scratch = Scratch::new();
    let newer = saved().replacen("\"version\": 1", "\"version\": 2", 1);
    for (name, text, fragments) in [
        ("truncated", &saved()[..saved().len() / 2], &["not JSON"][..]),
        ("truncated-1", &saved()[..1], &["not JSON"]),
        ("truncated-2", &saved()[..saved().len() - 3], &["not JSON"]),
        ("empty", "", &["not JSON"]),
        ("text", "valid\n", &["not JSON"]),
        ("newer", &newer, &["newer version", "format 2"]),
        ("older", &saved().replacen("\"version\": 1", "\"version\": 0", 1), &["version is 0"]),
        ("format", &saved().replacen("richman-solution", "richman-record", 1), &["not a saved solution"]),
        ("game", &saved().replacen("tic-tac-toe", "tic-tac-tow", 1), &["did you mean \"tic-tac-toe\"?"]),
        ("position", &saved().replacen(".../.../...", ".../...", 1), &["is not a position of tic-tac-toe"]),
        ("mechanism", &saved().replacen("\"richman\"", "\"poorman\"", 1), &["supported: payment richman"]),
        ("object", "{}", &["the key \"format\" is missing"]),
    ] {
        let path = scratch.write(&format!("{name}.json"), text);
        for flags in [&["verify", &path][..], &["verify", &path, "--json"]] {
            refused(flags, fragments);
        }
    }
    refused(&["verify", &scratch.path("missing.json")], &["missing.json", "No such file"]);
    refused(&["verify", &scratch.path("")], &["is not a database"]);
}

#[test]
fn messages_about_saved_solutions_name_the_file() {
    let scratch = Scratch::new();
    for (name, text) in [
        ("truncated", saved()[..saved().len() / 2].to_string()),
        ("newer", saved().replacen("\"version\": 1", "\"version\": 2", 1)),
        ("game", saved().replacen("tic-tac-toe", "tic-tac-tow", 1)),
        ("position", saved().replacen(".../.../...", ".../...", 1)),
        ("mechanism", saved().replacen("\"richman\"", "\"poorman\"", 1)),
    ] {
        let path = scratch.write(&format!("{name}.json"), text);
        refused(&["verify", &path], &[&path]);
    }
}

#[test]
fn saved_solutions_that_are_wrong() {
    let scratch = Scratch::new();
    let start = saved().lines().find(|line| line.trim_start().starts_with("\".../.../...\": ")).unwrap();
    let worse = start.replacen(",5,4]", ",5,5]", 1);
    assert_ne!(start, worse);
    for (name, text) in [
        ("head", saved().replacen("\"plain\":5,\"star\":4", "\"plain\":4,\"star\":4", 1)),
        ("start", saved().replacen(start, &worse, 1)),
        ("missing", saved().replacen(&format!("{start}\n"), "", 1)),
        ("total", saved().replacen("\"total\": 8", "\"total\": 9", 1)),
    ] {
        let path = scratch.write(&format!("{name}.json"), text);
        let output = run(&["verify", &path]);
        let out = text_of(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {out}");
        assert!(out.starts_with("WRONG: tic-tac-toe from .../.../... (2694 positions)\n"), "{name}: {out}");
        assert_eq!(out.lines().count(), 2, "{name}: {out}");
        let output = run(&["verify", &path, "--json"]);
        let out = text_of(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {out}");
        let report: Value = serde_json::from_str(out).unwrap();
        has_keys(&report, &["valid", "game", "position", "wrong"]);
        assert_eq!(report["valid"], false, "{name}");
        assert!(report["wrong"].as_str().is_some_and(|wrong| !wrong.is_empty()), "{name}: {out}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    for flags in [
        &["list"][..],
        &["solve", "tic-tac-toe", "--json"],
        &["man"],
        &["completions", "bash"],
        &["--help"],
        &["solve", "--help"],
        &["help", "table"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = richman(flags).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", shown(flags));
        assert!(text(&output.stderr).starts_with("richman: standard output: "), "{}", text(&output.stderr));
    }
}

/// Nobody reads why, but the exit status says that it failed.
#[test]
#[cfg(target_os = "linux")]
fn errors_that_cannot_be_printed_keep_their_status() {
    let scratch = Scratch::new();
    let damaged = scratch.write("damaged.json", "{");
    let wrong = scratch.write("wrong.json", saved().replacen("\"total\": 8", "\"total\": 9", 1));
    for (status, flags) in [
        (2, &["solve", "nosuch"][..]),
        (2, &["solve", &damaged]),
        (2, &["solve"]),
        (2, &[]),
        (2, &["nosuch"]),
        (2, &["table", "tic-tac-toe", "--chips", "9..1"]),
        (2, &["verify", &damaged]),
        (1, &["verify", &wrong]),
        (2, &["play", "nosuch"]),
        (2, &["review", &damaged]),
        (2, &["convert", &damaged, "-"]),
        (2, &["export", "nosuch"]),
        (2, &["duel", "nosuch"]),
        (2, &["build", "nosuch", "--out", &damaged]),
        (2, &["serve", "--listen", "192.0.2.1:1", "--no-store", "--memory"]),
        (2, &["serve", "--no-store", "--trust-proxy", "nobody"]),
        (2, &["store", "check", &damaged]),
        (0, &["solve", "tic-tac-toe"]),
        (0, &["--help"]),
    ] {
        let code = |stderr: Stdio| richman(flags).stdout(Stdio::null()).stderr(stderr).status().unwrap().code();
        let full = || File::options().write(true).open("/dev/full").unwrap();
        assert_eq!(code(full().into()), Some(status), "richman {} 2>/dev/full", shown(flags));
        let (reader, gone) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(code(gone.into()), Some(status), "richman {} 2>&1 | true", shown(flags));
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$0\" \"$@\" 2>&-", env!("CARGO_BIN_EXE_richman")]).args(flags);
        let closed = shell.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
        assert_eq!(closed.code(), Some(status), "richman {} 2>&-", shown(flags));
        if status == 2 {
            let both = richman(flags).stdout(full()).stderr(full()).status().unwrap();
            assert_eq!(both.code(), Some(status), "richman {} >/dev/full 2>&1", shown(flags));
        }
    }
}
