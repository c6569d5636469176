//! Wording under all mechanisms and in the documents.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

struct Said {
    status: Option<i32>,
    text: String,
}

/// Runs the program in `folder` and returns its output.
fn said(folder: &Path, args: &[&str], input: &str) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(args).current_dir(folder).env_remove("NO_COLOR");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes()); // a match that was left does not read the rest
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Said { status: output.status.code(), text }
}

/// A game in which more chips can hurt if 0 may not be bid, and play need not be determined.
const GAME: &str = r#"{"name": "own", "start": "p4", "positions": {"p0": {"winner": "alice"}, "p1": {"winner": "bob"},
    "p2": {"alice": ["p1"], "bob": ["p0"]}, "p3": {"alice": ["p2"], "bob": ["p1", "p0"]},
    "p4": {"alice": ["p0", "p3"], "bob": ["p0", "p2"]}}}"#;

/// A line with a word for the star, or its sign.
fn of_a_star(text: &str) -> Option<&str> {
    text.lines().find(|line| {
        let mut words = line.split(|letter: char| !letter.is_alphanumeric());
        line.contains('*') || words.any(|word| word.eq_ignore_ascii_case("star"))
    })
}

/// Every command about a position or a match, where one player wins all ties.
#[test]
fn without_a_star_nobody_speaks_of_one() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    std::fs::write(folder.join("own.json"), GAME).unwrap();
    let commands = [
        "solve own.json",
        "solve own.json --chips 8",
        "solve own.json --chips 8 --csv",
        "solve own.json --chips 6 --all",
        "solve own.json --alice 5 --bob 3 --trace",
        "solve tug-of-war --chips 5",
        "table own.json --chips 0..6",
        "table own.json --chips 0..6 --svg table.svg",
        "table own.json --bob 0..3",
        "table own.json --alice 0..3",
        "tree own.json --chips 8",
        "tree own.json --chips 8 --svg tree.svg",
        "compare own.json own.json",
        "duel own.json --chips 6 --games 12 --alice greedy --bob random",
        "random-turn own.json",
        "scores subtraction --total 4",
    ];
    // Types nonsense, help and every bid until the match is over.
    let typed = format!(
        "help\nrules\nhint\n{}review\nsave played.txt\n\n",
        "1\nhint\n0\n2\np3\np2\np0\nlet\nmoves\n".repeat(6)
    );
    let (mut runs, mut played) = (0, 0);
    for ties in ["alice", "bob"] {
        for rest in [
            "",
            "--right moves",
            "--bidding bob-first --right moves --bids 1+2",
            "--bidding alice-first --bids 0+2",
            "--bidding alice-first --payment poorman",
            "--payment taxman:1/2 --right moves",
        ] {
            let flags: Vec<&str> = ["--ties", ties].into_iter().chain(rest.split_whitespace()).collect();
            for line in commands {
                // The columns of CSV have the same names for all mechanisms.
                let args: Vec<&str> = line.split_whitespace().chain(flags.iter().copied()).collect();
                let found = said(folder, &args, "");
                let text = if line.contains("--csv") { found.text.lines().skip(1).collect() } else { found.text };
                assert_eq!(of_a_star(&text), None, "{args:?}:\n{text}");
                runs += usize::from(found.status == Some(0));
            }
            let mut args = vec!["play", "own.json", "--two", "--alice", "3", "--bob", "3"];
            args.extend(&flags);
            let text = said(folder, &args, &typed).text;
            assert_eq!(of_a_star(&text), None, "{args:?}:\n{text}");
            assert!(text.contains("your bid") && text.contains("Hint for "), "{text}");
            if folder.join("played.txt").exists() {
                played += 1;
                let text = said(folder, &["review", "played.txt", "--svg", "review.svg"], "").text;
                assert_eq!(of_a_star(&text), None, "{text}");
            }
            for drawing in ["table.svg", "tree.svg", "review.svg"] {
                let Ok(text) = std::fs::read_to_string(folder.join(drawing)) else { continue };
                assert_eq!(of_a_star(&text), None, "{drawing} {args:?}");
                std::fs::remove_file(folder.join(drawing)).unwrap();
            }
        }
    }
    assert!(runs > 80 && played > 6, "{runs} {played}");
}

/// One sentence, ending with a full stop.
fn is_one_sentence(text: &str) -> bool {
    text.ends_with('.') && !text[..text.len() - 1].contains(['\n', '!', '?']) && !text.contains(". ")
}

#[test]
fn hints_are_one_sentence() {
    let scratch = tempdir().unwrap();
    let mut hints = 0;
    for game in [
        "tic-tac-toe",
        "tic-tac-toe --preset larsson",
        "tic-tac-toe --preset gasarch --as bob",
        "tug-of-war --payment poorman",
        "tug-of-war --bids 1+2 --chips 8",
        "subtraction --preset larsson",
        "connect",
        "hex:size=5",
        "chess:size=4,pieces=KQK",
    ] {
        let args: Vec<&str> = ["play"].into_iter().chain(game.split_whitespace()).chain(["--seed", "7"]).collect();
        let typed = "hint\n1\nhint\ny\nhint\nb2\n2\n1\nhint\n0\nhint\n";
        let text = said(scratch.path(), &args, typed).text;
        for line in text.lines().filter(|line| line.contains("Hint for ")) {
            hints += 1;
            let hint = &line[line.find("Hint for ").unwrap()..];
            assert!(is_one_sentence(hint) && hint.len() < 300, "{hint}");
        }
        assert!(text.contains("Hint for "), "{args:?}: {text}");
    }
    assert!(hints > 20, "{hints}");
}

/// A match starts with suitable chips and the beginner, whom looking one move ahead beats.
#[test]
fn a_match_begins_easily() {
    let scratch = tempdir().unwrap();
    std::fs::write(scratch.path().join("own.json"), GAME).unwrap();
    for (game, each) in [("tic-tac-toe", 8), ("connect", 100), ("hex:size=5", 100), ("chess", 100), ("own.json", 8)] {
        let text = said(scratch.path(), &["play", game, "--seed", "1"], "quit\n").text;
        assert!(text.contains("level beginner"), "{text}");
        assert!(text.contains(&format!("Alice {each}*, Bob {each}")), "{game}: {text}");
    }
    for game in ["tic-tac-toe", "tug-of-war"] {
        let args =
            ["duel", game, "--chips", "16", "--alice", "greedy", "--bob", "beginner", "--games", "100", "--seed", "1"];
        let text = said(scratch.path(), &args, "").text;
        let row = text.lines().find(|line| line.trim_start().starts_with("greedy")).unwrap_or_else(|| panic!("{text}"));
        let wins: u32 = row.split_whitespace().nth(2).unwrap().parse().unwrap();
        assert!(wins > 40, "{text}");
    }
}

/// The message for a tie in a record says how it is decided, under every rule for ties.
#[test]
fn a_record_of_a_tie_is_told_how_it_is_written() {
    let scratch = tempdir().unwrap();
    let of = |tags: &str, hands: [&str; 2], turn: &str| {
        let [alice, bob] = hands;
        let record = format!("[Game \"tic-tac-toe\"] {tags} [Alice \"{alice}\"] [Bob \"{bob}\"]\n\n{turn}\n");
        said(scratch.path(), &["review", "-"], &record).text
    };
    let (alice, bob, none) = (["4*", "4"], ["4", "4*"], ["4", "4"]);
    for (tags, hands, turn, expected) in [
        ("", alice, "1. 1-1 Alice b2", "Alice holds the star: write 1*-1 Alice if it was used, 1-1 Bob if it was kept"),
        ("", bob, "1. 1-1 Bob b2", "Bob holds the star: write 1-1* Bob if it was used, 1-1 Alice if it was kept"),
        ("[Ties \"marker\"]", alice, "1. 1-1 Alice b2", "Alice holds the star and has to use it: write 1*-1 Alice"),
        ("[Ties \"marker\"]", alice, "1. 1-1 Bob b2", "Alice holds the star and has to use it: write 1*-1 Alice"),
        ("[Ties \"loser\"]", bob, "1. 1-1 Alice b2", "Bob holds the star and wins it: write 1-1 Bob"),
        ("[Ties \"bob\"]", none, "1. 1-1 Alice b2", "Bob wins every tie: write 1-1 Bob"),
    ] {
        let text = of(tags, hands, turn);
        assert!(text.contains(&format!("turn 1: both bid 1, a tie, and {expected}")), "{turn} {tags}: {text}");
    }
    for turn in ["1. 1*-1 Alice b2", "1. 1-1 Bob b2"] {
        assert!(of("", alice, turn).contains("The game goes on"), "{turn}");
    }
}

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Sizes and times that depend on the machine say "about"; limits say that they are limits.
#[test]
fn sizes_and_times_are_limits_or_said_to_be_about() {
    const UNITS: [&str; 10] =
        ["KiB", "MiB", "GiB", "second", "seconds", "minutes", "hours", "ms", "microseconds", "eleven"];
    const SAY_SO: [&str; 12] = [
        "about ",
        "some ",
        "at most ",
        "up to ",
        "more than ",
        "less than ",
        "within ",
        "parts of ",
        "chunks of ",
        "limit",
        "have ",
        "refuses",
    ];
    for name in [
        "README.md",
        "docs/guide/src/boards.md",
        "docs/connect.md",
        "docs/chess.md",
        "docs/hex.md",
        "docs/design/families.md",
        "docs/design/matches.md",
        "docs/design/real-money.md",
        "docs/records.md",
    ] {
        let text = document(name);
        let mut fenced = false;
        let plain: Vec<&str> = text
            .lines()
            .filter(|line| {
                let fence = line.starts_with("```");
                fenced ^= fence;
                !fence && !fenced && !line.starts_with("    ")
            })
            .collect();
        // Text in backquotes is a command.
        let spoken = plain.join("\n").split('`').step_by(2).collect::<Vec<_>>().join("");
        let spoken = spoken.replace("\n\n", ". ").replace("\n| ", ". ").replace('\n', " ");
        for spoken in spoken.split(". ") {
            let words: Vec<&str> = spoken.split_whitespace().collect();
            let is_measured = words.windows(2).any(|pair| {
                let unit = pair[1].trim_end_matches(|letter: char| !letter.is_alphanumeric());
                let number = pair[0].trim_start_matches('(').replace([',', '.'], "");
                UNITS.contains(&unit) && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            });
            assert!(
                !is_measured || SAY_SO.iter().any(|words| spoken.to_lowercase().contains(words)),
                "{name}: {spoken}"
            );
        }
    }
}
