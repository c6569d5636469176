//! Words that are almost right are told what was meant, and things in the wrong place where they
//! belong, before anything is computed.

use super::*;

#[test]
fn misspelt_words_of_every_list_are_told_what_was_meant() {
    let scratch = Scratch::new();
    let game = |positions: &str| {
        let text =
            format!(r#"{{"name": "g", "start": "s", "positions": {{"w": {{"winner": "alice"}}, {positions}}}}}"#);
        scratch.write("game.json", text)
    };
    let good = game(r#""s": {"both": ["w"]}"#);
    for (args, meant) in [
        (&["solve", "tic-tac-toe", "--payment", "porman"][..], "\"poorman\""),
        (&["solve", "tic-tac-toe", "--payment", "taxmn:1/2"], "\"taxman:T\""),
        (&["solve", "tic-tac-toe", "--ties", "markr"], "\"marker\""),
        (&["solve", "tic-tac-toe", "--bidding", "alice-frist"], "\"alice-first\""),
        (&["solve", "tic-tac-toe", "--right", "mvoes"], "\"moves\""),
        (&["solve", "tic-tac-toe", "--bids", "al"], "\"all\""),
        (&["solve", "tic-tac-toe", "--preset", "Larson"], "\"larsson\""),
        (&["solve", &good, "--objective", "mean-payof"], "\"mean-payoff\""),
        (&["solve", &good, "--objective", "enrgy:10"], "\"energy:CAPACITY\""),
        (&["play", "tic-tac-toe", "--level", "begginer"], "\"beginner\""),
        (&["play", "tic-tac-toe", "--level", "bst:errs=1/4"], "\"best\""),
        (&["play", "tic-tac-toe", "--level", "best:erss=1/4"], "\"errs\""),
        (&["play", "tic-tac-toe", "--as", "alcie"], "\"alice\""),
        (&["duel", "tic-tac-toe", "--alice", "perfct"], "\"perfect\""),
        (&["reproduce", "DP10 Figur 4"], "\"DP10 Figure 4\""),
        (&["reproduce", "LRP20"], "\"LPR20\""),
        (&["convert", &good, "game.jsn"], "\".json\""),
        (&["convert", &good, "-", "--to", "jsn"], "'json'"),
        (&["build", "chess:pieces=KK", "--out", "x", "--keep", "two-layer"], "'two-layers'"),
        (&["completions", "bsh"], "'bash'"),
        (&["solv", "tic-tac-toe"], "'solve'"),
        (&["help", "solv"], "'solve'"),
        (&["help", "store", "chek"], "'check'"),
        (&["store", "bakup", "a", "b"], "'backup'"),
        (&["solve", "tic-tac-toe", "--chps", "8"], "'--chips'"),
    ] {
        refused(args, &[meant]);
    }
    for (positions, meant) in [
        (r#""s": {"winner": "alcie"}"#, "the winner is \"alcie\" (did you mean \"alice\"?)"),
        (r#""s": {"winer": "alice"}"#, "(did you mean \"winner\"?)"),
        (r#""s": {"both": ["w"], "kind": "bd"}"#, "the kind is \"bd\" (did you mean \"bid\"?)"),
    ] {
        refused(&["solve", &game(positions)], &[meant]);
    }
    let claim = scratch.write("saved.json", saved().replacen("\"chips\":", "\"chps\":", 1));
    refused(&["verify", &claim], &["(did you mean \"chips\"?)"]);
}

/// Nothing is meant by a word that resembles none, and a right word is not suggested for itself.
#[test]
fn words_like_no_other_are_told_the_list_alone() {
    for args in [
        &["solve", "tic-tac-toe", "--payment", "nothing"][..],
        &["solve", "tic-tac-toe", "--payment", "xyz"],
        &["solve", "tic-tac-toe", "--payment", "taxman:2"],
        &["play", "tic-tac-toe", "--level", "best:errs=2"],
        &["reproduce", "Euclid"],
        &["help", "zzzzzzzz"],
    ] {
        let message = refused(args, &[]);
        assert!(!message.contains("did you mean") && !message.contains("similar"), "{message}");
    }
}

#[test]
fn words_in_game_files_are_read_in_any_case() {
    let scratch = Scratch::new();
    let texts = [
        r#"{"name": "g", "start": "s", "positions": {"w": {"winner": "$ALICE"}, "l": {"winner": "$Bob"},
            "d": {"winner": "$None"}, "s": {"kind": "$Bid", "both": ["w", "l", "d", "c"]},
            "c": {"kind": "$CHANCE", "moves": [{"to": "w", "chance": "1/2"}, {"to": "o", "chance": "1/2"}]},
            "o": {"kind": "$aLiCe", "alice": ["l", "s"]}}}"#,
        r#"{"name": "g", "start": "s", "objective": "$MEAN-Payoff", "positions": {"s": {"both": ["s"], "weight": 1}}}"#,
        r#"{"name": "g", "start": "s", "objective": "$Energy:10", "positions": {"s": {"both": ["s"], "weight": 1}}}"#,
        "PARITY 1;\nStart 0;\n0 2 0 1;\n1 1 1 0,1;",
    ];
    for text in texts {
        // Nothing in these texts but words has capitals. The sign keeps them from being game files,
        // whose words the schema wants as they are written.
        let text = &text.replace('$', "");
        let printed = |text: &str| done(&["convert", &scratch.write("game.json", text), "-", "--to", "json"]);
        assert_eq!(printed(text), printed(&text.to_lowercase()), "{text}");
    }
}

#[test]
fn a_range_where_one_total_belongs_and_the_reverse() {
    for range in ["0..8", "0-8", "0...8"] {
        for command in ["solve", "tree", "play", "scores"] {
            let one = &[command, "tic-tac-toe", "--chips", range];
            refused(one, &["is a range of totals", "write one total", "`richman table GAME --chips 0..8`"]);
        }
        refused(&["duel", "tic-tac-toe", "--chips", range], &["is a range of totals"]);
    }
    for flag in ["--chips", "--bob", "--alice"] {
        for range in ["0-8", "0 - 8", "0:8", "0\u{2013}8"] {
            refused(&["table", "tic-tac-toe", flag, range], &["is not a range of totals: write 0..8"]);
        }
    }
    refused(&["unitary", "--chips", "0-8"], &["write 0..8"]);
    refused(&["build", "connect:rows=2,cols=2", "--out", "x", "--chips", "0-8"], &["write 0..8"]);
}

#[test]
fn parameters_without_a_colon_are_told_where_they_belong() {
    for args in [
        &["solve", "connect", "rows=4"][..],
        &["table", "connect", "rows=4", "--chips", "0..3"],
        &["play", "connect", "rows=4"],
        &["compare", "connect", "rows=4"],
        &["solve", "tic-tac-toe", "connect", "rows=4"],
        &["solve", "connect rows=4"],
    ] {
        refused(args, &["after a colon: write connect:rows=4"]);
    }
    refused(&["solve", "connect", "rows=4", "cols=5"], &["write connect:rows=4,cols=5"]);
    refused(&["solve", "connect:rows=4", "cols=5"], &["write connect:rows=4,cols=5"]);
}

/// Each of the commands that reads a file, with every kind of file that it does not read.
#[test]
fn a_file_of_another_kind_is_called_what_it_is() {
    let scratch = Scratch::new();
    let game = scratch.write("game.json", done(&["export", "tug-of-war"]));
    let solution = scratch.write("saved.json", saved());
    let record = scratch.write("match.txt", "[Game \"hex:size=3\"]\n[Alice \"4*\"]\n[Bob \"4\"]\n\n1. 1-0 Alice b2\n");
    let binary = scratch.path("game.richman");
    assert_eq!(run(&["convert", &game, &binary]).status.code(), Some(0));
    for game in [&game, &binary] {
        let save = format!("this is a game file, not a saved solution: `richman solve {game} --save FILE`");
        refused(&["verify", game], &[&save]);
        let play = format!("this is a game file, not the record of a match: `richman play {game}`");
        refused(&["review", game], &[&play]);
    }
    refused(&["review", &solution], &["this is a saved solution, not the record", "`richman verify"]);
    refused(&["verify", &record], &["this is the record of a match, not a saved solution", "`richman review"]);
    for command in ["solve", "table", "play", "export"] {
        refused(&[command, &solution], &["this is a saved solution, not a game file", "`richman verify"]);
        let record = scratch.write("match.json", fs::read(&record).unwrap());
        refused(&[command, &record], &["this is the record of a match, not a game file", "`richman review"]);
    }
    // A file that is what it should be, and wrong, is told what is wrong.
    let wrong = scratch.write("wrong.txt", "[Game \"hex:size=3\"]\n[Alice \"4*\"]\n");
    let message = refused(&["review", &wrong], &["the tag Bob is missing"]);
    assert!(!message.contains("this is"), "{message}");
}

#[test]
fn exact_thresholds_have_no_width() {
    let flags = ["solve", "tic-tac-toe", "--exact", "--width", "1e-9"];
    refused(&flags, &["do not go together", "leave out --exact", "leave out --width"]);
}
