//! Narrow terminals, the list of games, the manual, candidates for shells, and quiet commands.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

/// What a command prints on a terminal of this width.
fn at_width(args: &[&str], width: usize) -> String {
    let output = richman(args).env("COLUMNS", width.to_string()).output().unwrap();
    assert!(output.status.success(), "{}: {}", shown(args), text(&output.stderr));
    text_of(&output).to_string()
}

/// Nothing is cut where there is no width.
#[test]
fn a_terminal_of_no_width_is_none() {
    for args in [&["solve", "tic-tac-toe"][..], &["list"]] {
        assert_eq!(at_width(args, 0), done(args), "{}", shown(args));
    }
}

/// The system says that a new terminal has no rows and no columns.
#[test]
#[cfg(unix)]
fn a_terminal_that_does_not_know_its_width_is_none() {
    let mut command = richman(&["solve", "tug-of-war"]);
    command.env_remove("COLUMNS");
    let mut session = rexpect::session::spawn_command(command, Some(60_000)).unwrap();
    let printed = session.exp_eof().unwrap();
    let wanted = done(&["solve", "tug-of-war"]);
    assert_eq!(printed.lines().collect::<Vec<_>>(), wanted.lines().collect::<Vec<_>>());
}

#[test]
fn narrow_lists_break_no_words() {
    for args in [
        &["list"][..],
        &["list", "chess"],
        &["list", "expr"],
        &["solve", "hex:size=4", "--why"],
        &["solve", "connect", "--why"],
        &["solve", "chess", "--chips", "8", "--why"],
    ] {
        let words = |text: &str| -> BTreeSet<String> { text.split_whitespace().map(str::to_string).collect() };
        let whole = words(&done(args));
        for width in [50, 60, 80] {
            let narrow = at_width(args, width);
            for line in narrow.lines() {
                assert!(line.chars().count() <= width, "{} at {width}: {line:?}\n{narrow}", shown(args));
            }
            // Headers over columns become words before cells, or are left out; longer words must
            // break.
            let headers = ["tried", "engine", "game", "parameters", "(defaults)"];
            let narrow_words = words(&narrow);
            let lost = whole.difference(&narrow_words).filter(|word| {
                let is_header = headers.contains(&word.as_str()) || narrow.contains(&format!("{word}:"));
                !is_header && word.chars().count() < width - 4
            });
            assert_eq!(lost.collect::<Vec<_>>(), Vec::<&String>::new(), "{} at {width}\n{narrow}", shown(args));
        }
    }
}

/// Each game says how to write it, with every parameter and a position.
#[test]
fn the_list_says_everything_about_one_game() {
    for game in json(&["list", "--json"])["games"].as_array().unwrap() {
        let [name, parameters, notation, example, position] =
            ["name", "parameters", "notation", "example", "position"].map(|key| game[key].as_str().unwrap());
        let said = done(&["list", name]);
        assert!(!notation.is_empty() && said.contains(notation), "{said}");
        let keys: Vec<&str> = parameters.split(',').filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
        let listed: Vec<&str> = game["values"].as_array().unwrap().iter().map(|v| v["key"].as_str().unwrap()).collect();
        assert_eq!(BTreeSet::from_iter(&keys), BTreeSet::from_iter(&listed), "{name}");
        for value in game["values"].as_array().unwrap() {
            let [default, values] = ["default", "values"].map(|key| value[key].as_str().unwrap());
            assert!(said.contains(values) && said.contains(default), "{said}");
            // A range is that of the error.
            if let Some((low, high)) = values.strip_prefix("from ").and_then(|range| range.split_once(" to ")) {
                let [key, above] = [value["key"].as_str().unwrap().to_string(), format!("{high}0")];
                let message = refused(&["export", &format!("{name}:{key}={above}")], &[]);
                assert!(message.contains(&format!("from {low} to {high}")), "{message}");
            }
        }
        let picture = game["picture"].as_str().unwrap();
        assert!(!picture.is_empty() && said.contains(picture) && said.contains(example), "{said}");
        assert!(said.contains(position), "{said}");
    }
    let game = &json(&["list", "tic-tac-toe", "--json"])["games"][0];
    let solved = done(&["solve", "tic-tac-toe", "--position", game["position"].as_str().unwrap()]);
    assert!(solved.contains(game["picture"].as_str().unwrap().trim_end()), "{solved}");
    assert_eq!(json(&["list", "connect:rows=3,cols=3,line=3", "--json"])["games"][0]["position"], ".../.../...");
    refused(&["list", "conect"], &["did you mean \"connect\"?"]);
    refused(&["list", "connect:row=3"], &["did you mean \"rows\"?"]);
}

/// The candidates for the last of `words`, as fish asks for them.
fn candidates(words: &[&str]) -> Vec<String> {
    let asked: Vec<&str> = ["--", "richman"].into_iter().chain(words.iter().copied()).collect();
    let output = richman(&asked).env("RICHMAN_COMPLETE", "fish").output().unwrap();
    text_of(&output).lines().map(|line| line.split('\t').next().unwrap().to_string()).collect()
}

#[test]
fn shells_are_offered_values() {
    let offered = |words: &[&str], expected: &[&str]| {
        let found = candidates(words);
        for value in expected {
            assert!(found.iter().any(|candidate| candidate == value), "{words:?}: {found:?}");
        }
    };
    offered(&["sol"], &["solve"]);
    offered(&["solve", ""], &["tic-tac-toe", "connect", "hex", "expr", "--payment"]);
    offered(&["solve", "con"], &["connect"]);
    offered(&["solve", "connect:"], &["connect:rows=", "connect:cols=", "connect:line="]);
    offered(&["solve", "connect:rows=4,"], &["connect:rows=4,cols=", "connect:rows=4,line="]);
    offered(&["solve", "connect:rows=4,co"], &["connect:rows=4,cols="]);
    offered(&["solve", "connect:cols="], &["connect:cols=7"]);
    offered(&["compare", "hex", "h"], &["hex"]);
    offered(&["solve", "hex", "--payment", ""], &["richman", "poorman", "taxman:1/2"]);
    offered(&["solve", "hex", "--payment=po"], &["--payment=poorman"]);
    offered(&["table", "hex", "--preset", "l"], &["larsson"]);
    offered(&["tree", "hex", "--ties", "m"], &["marker"]);
    offered(&["play", "hex", "--level", ""], &["beginner", "perfect", "monte-carlo"]);
    offered(&["play", "hex", "--as", ""], &["alice", "bob"]);
    offered(&["duel", "hex", "--alice", "gr"], &["greedy"]);
    offered(&["solve", "game.json", "--objective", "par"], &["parity", "parity-min-odd"]);
    offered(&["convert", "a", "b", "--to", ""], &["json", "richman", "gm", "sol"]);
    offered(&["reproduce", "D"], &["DP10"]);
    offered(&["list", "he"], &["hex"]);
    assert_eq!(
        candidates(&["solve", "hex:size=5,"]).iter().filter(|candidate| candidate.contains("size=5,size")).count(),
        0
    );
}

/// Every mechanism, level, objective and game is offered, and what is offered is accepted.
#[test]
fn what_shells_are_offered_is_accepted() {
    for (flag, least) in [("--payment", 3), ("--preset", 3), ("--ties", 6), ("--bidding", 3), ("--right", 2)] {
        let offered = candidates(&["solve", "tug-of-war", flag, ""]);
        assert!(offered.len() >= least, "{flag}: {offered:?}");
        for value in offered {
            let output = run(&["solve", "tug-of-war", "--why", flag, &value]);
            assert!(output.status.success(), "{flag} {value}: {}", text(&output.stderr));
        }
    }
    for game in candidates(&["list", ""]).iter().filter(|candidate| !candidate.starts_with('-')) {
        if !Path::new(game).exists() && !game.ends_with('/') {
            done(&["list", game]);
        }
    }
}

#[test]
fn the_manual_has_every_page_that_it_names() {
    let manual = done(&["man"]);
    let pages: BTreeSet<&str> =
        manual.lines().filter_map(|line| line.strip_prefix(".TH ")?.split_whitespace().next()).collect();
    let plain = manual.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
    let named: BTreeSet<String> = plain
        .split_whitespace()
        .filter_map(|word| Some(word.split_once("(1)")?.0.to_string()).filter(|name| !name.is_empty()))
        .collect();
    let known: BTreeSet<String> = pages.iter().map(|page| page.replace("\\-", "-")).collect();
    assert!(known.len() > 20 && named.is_subset(&known), "{:?}", named.difference(&known));
    let scratch = Scratch::new();
    assert_eq!(run(&["man", "--to", &scratch.path("")]).status.code(), Some(0));
    let files: BTreeSet<String> = scratch.names().iter().map(|name| name.trim_end_matches(".1").to_string()).collect();
    assert_eq!(files, known);
    let page = |name: &str| fs::read_to_string(scratch.path(name)).unwrap();
    for name in scratch.names() {
        let page = page(&name);
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "\"EXIT STATUS\""] {
            assert!(page.contains(&format!(".SH {section}\n")), "{section} of {name}");
        }
    }
    for section in ["SUBCOMMANDS", "FILES", "ENVIRONMENT"] {
        assert!(page("richman.1").contains(&format!(".SH {section}\n")), "{section}");
    }
    assert!(page("richman-solve.1").contains(".SH EXAMPLES\n.nf\nrichman solve tic\\-tac\\-toe\n"));
    let help = done(&["--help"]);
    for heading in ["Exit status:", "Files:", "Environment:"] {
        assert!(help.contains(heading), "{help}");
    }
}

/// A command of several seconds on a terminal.
#[test]
#[cfg(unix)]
fn a_quiet_command_shows_no_progress() {
    let shown = |flags: &[&str]| {
        let all = [&["solve", "connect:rows=5,cols=5", "--time", "3"][..], flags].concat();
        let mut command = richman(&all);
        command.env("TERM", "xterm");
        let mut session = rexpect::session::spawn_command(command, Some(120_000)).unwrap();
        session.exp_eof().unwrap()
    };
    assert!(shown(&[]).contains("\u{1b}["), "progress is shown otherwise");
    for flag in ["--quiet", "-q"] {
        let quiet = shown(&[flag]);
        assert!(!quiet.contains("\u{1b}["), "{quiet:?}");
        assert!(quiet.starts_with("connect:rows=5,cols=5\r\n"), "{quiet:?}");
    }
}
