//! `richman play` from outside: whole matches through a pipe and a pseudo-terminal, nonsense, and
//! the end of input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.arg("play").args(args).env_remove("NO_COLOR").env("TERM", "xterm");
    command
}

fn piped(args: &[&str], input: &str) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes()); // a match that was left does not read the rest
    child.wait_with_output().unwrap()
}

/// The output to a pipe: no colours, no carriage returns, status 0.
#[track_caller]
fn told(args: &[&str], input: &str) -> String {
    let output = piped(args, input);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains(['\u{1b}', '\r']) && output.stderr.is_empty(), "{text}");
    text
}

#[track_caller]
fn refused(args: &[&str], fragment: &str) {
    let output = piped(args, "");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains(fragment) && output.stdout.is_empty(), "{fragment:?} is missing: {message}");
}

/// The game of DP10, 1.1, as two people type it.
const DP10: &str = "1*\n1\nb2\n1\n1*\na1\n2\n2\nkeep\nC1\n2*\n2\nb1\n4\n4\ny\nb3\n0*\n0\na2\n1\n0\nc2\n";

#[test]
fn two_people_play_the_game_of_dp10_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("dp10.txt");
    let record = record.to_str().unwrap();
    let input = format!("{DP10}save {}\nreview\n", record);
    let text = told(&["tic-tac-toe", "--alice", "4*", "--bob", "4", "--two"], &input);
    let lines: Vec<&str> = text.lines().collect();
    for line in [
        "turn 1: position .../.../...; Alice 4*, Bob 4",
        "Both bid 1, a tie. Alice holds the star and decides.",
        "Alice uses the star. Alice wins the bid and pays 1 to Bob; the star goes to Bob.",
        "Alice moves b2.",
        "turn 2: position .../.A./...; Alice 3, Bob 5*",
        "Alice keeps the star. Bob wins the bid and pays 2 to Alice.",
        "Alice bids 1, Bob bids 0. Alice wins the bid and pays 1 to Bob.",
        "Alice has won!",
    ] {
        assert!(lines.contains(&line), "{line:?} is missing: {text}");
    }
    assert!(text.contains("nothing that Bob did could have changed the result"), "{text}");
    // The saved file is the match, and its review is the same.
    let saved = std::fs::read_to_string(record).unwrap();
    assert!(saved.contains("\n1. 1*-1 Alice b2\n2. 1-1* Bob a1\n3. 2-2 Bob c1\n4. 2*-2 Alice b1\n"), "{saved}");
    assert!(saved.contains("5. 4-4* Bob b3\n6. 0*-0 Alice a2\n7. 1-0 Alice c2\n"), "{saved}");
    let review = Command::new(env!("CARGO_BIN_EXE_richman")).args(["review", record]).output().unwrap();
    assert!(text.contains(String::from_utf8(review.stdout).unwrap().trim()), "{text}");
}

/// Lines that are mostly invalid when they are read. Each is explained, and the match reaches its
/// end.
fn soup(rounds: usize) -> String {
    "1\nn\na1\nb2\nc3\na\nb\nc\nd\nc1\na3\n-1\n3*\nhint\nlet him\nxyzzy\n\u{e9}\u{1b}[A\n\n\
     99999999999\na2\nb1\nb3\nc2\n2\n0\n4\ny\n"
        .repeat(rounds)
}

#[test]
fn whole_matches_against_the_computer_through_a_pipe() {
    for game in [
        &["tic-tac-toe", "--chips", "8", "--seed", "7"][..],
        &["tic-tac-toe", "--as", "bob", "--alice", "4*", "--bob", "4", "--seed", "1", "--level", "perfect"],
        &["tic-tac-toe", "--chips", "5", "--payment", "poorman", "--seed", "2", "--level", "greedy"],
        &["tic-tac-toe", "--preset", "gasarch", "--as", "bob", "--seed", "3", "--level", "beginner"],
        &["connect:rows=3,cols=3,line=3", "--seed", "4", "--level", "intermediate"],
        &["tug-of-war", "--limit", "12", "--seed", "5"],
        &["expr:(A & B^2) & B", "--chips", "4", "--seed", "6", "--bids", "0+1"],
    ] {
        let text = told(game, &soup(40));
        let is_over = ["has won!", "a draw."].iter().any(|end| text.lines().any(|line| line.ends_with(end)));
        assert!(is_over, "{game:?}: {text}");
        assert_eq!(text, told(game, &soup(40)), "{game:?}: the same seed, the same match");
    }
    let subtraction = told(
        &["subtraction", "--preset", "larsson", "--chips", "9", "--seed", "1"],
        &"1\n8\n7\n6\n5\n4\n3\n2\n1\n0\n0\n".repeat(12),
    );
    assert!(subtraction.contains("The final score is "), "{subtraction}");
}

/// Alice moves without a bid at one position, Bob at another.
const OWNED: &str = r#"{"name": "owned", "start": "a", "objective": "OBJECTIVE", "positions": {
    "a": {"kind": "alice", "alice": ["a", "b"], "priority": 1}, "b": {"both": ["a", "c"], "priority": 3},
    "c": {"kind": "bob", "bob": ["b", "d"], "priority": 2}, "d": {"both": ["d"], "priority": 4, "weight": 1} }}"#;

#[test]
fn games_that_need_not_end_are_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for objective in ["parity", "mean-payoff"] {
        std::fs::write(path(objective), OWNED.replace("OBJECTIVE", objective)).unwrap();
    }
    let (parity, average, record) = (path("parity"), path("mean-payoff"), path("match.txt"));
    let typed = "1\nb\n8\n1\n0\nc\nd\n0\n0\ny\nd\n0\n0\ny\nd\n";
    let typed = format!("{typed}save {record}\nreview\n");
    let text = told(&[&parity, "--two", "--limit", "5", "--chips", "8"], &typed);
    for line in [
        "After 5 turns play is cut off, and nobody wins.",
        "turn 1: position a; Alice 4*, Bob 4; priority 1",
        "\"1\" is not a move here: type one of a, b; help lists the commands.",
        "Alice moves to b without a bid.",
        "Alice has 4 chips and cannot bid 8",
        "turn 3: position c; Alice 3*, Bob 5; priority 2",
        "Bob moves to d without a bid.",
        "The limit on turns is reached: play is cut off. Nobody has won, because that depends on the priorities that \
         recur forever. Priorities so far: 4 (2 times), 3 (1 time), 2 (1 time), 1 (1 time).",
        "reviews are of games that end: use richman solve",
    ] {
        assert!(text.lines().any(|found| found == line), "{line:?} is missing: {text}");
    }
    let saved = std::fs::read_to_string(&record).unwrap();
    assert!(saved.contains("[Limit \"5\"]\n[Result \"cut off\"]\n\n1. Alice b\n2. 1-0 Alice c\n3. Bob d\n"), "{saved}");
    let review = Command::new(env!("CARGO_BIN_EXE_richman")).args(["review", &record]).output().unwrap();
    assert!(String::from_utf8_lossy(&review.stderr).contains("reviews are of games that end"));
    let typed = typed.replace(&record, &format!("{record}\ny"));
    let text = told(&[&average, "--two", "--limit", "5", "--chips", "8"], &typed);
    assert!(text.contains("The limit on turns is reached: the average is 2/5 (0.400000).\n"), "{text}");
    assert!(std::fs::read_to_string(&record).unwrap().contains("[Result \"average 2/5\"]"));
    let usual = told(&[&average, "--level", "perfect", "--seed", "1"], "hint\nb\nquit\n");
    assert!(
        usual.contains("After 100 turns play is cut off, and the average of the weights is the result.\n"),
        "{usual}"
    );
    assert!(usual.contains("Hint for Alice: move "), "{usual}");
    refused(&[&parity, "--limit", "0"], "might never end: give it a limit of at least one turn");
    refused(&[&parity, "--level", "rounding"], "real-money values are about games that are won at an end");
    refused(&[&average, "--payment", "poorman", "--level", "perfect"], "payment poorman is not supported");
}

/// By a saved solution the computer plays as by one that it found, and not by a wrong one.
#[test]
fn the_computer_plays_by_a_saved_solution() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let richman = |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_richman")).args(args).output().unwrap();
    for objective in ["parity", "mean-payoff"] {
        let (game, saved) = (path(objective), path("saved.json"));
        std::fs::write(&game, OWNED.replace("OBJECTIVE", objective)).unwrap();
        assert!(richman(&["solve", &game, "--chips", "6", "--all", "--save", &saved]).status.success());
        let usual = ["duel", &game, "--alice", "perfect", "--bob", "random", "--chips", "6", "--games", "20"];
        let by_saved = richman(&[&usual[..], &["--solution", &saved]].concat());
        assert_eq!(by_saved.stdout, richman(&usual).stdout, "{}", String::from_utf8_lossy(&by_saved.stderr));
        let args = [game.as_str(), "--chips", "6", "--level", "perfect", "--seed", "1", "--limit", "9"];
        let typed = "b\n1\nb\n1\nlast\n0\n0\n0\nd\n";
        assert_eq!(told(&[&args[..], &["--solution", &saved]].concat(), typed), told(&args, typed));
        let refused = |args: &[&str], fragment| refused(&[&[&game, "--solution", &saved], args].concat(), fragment);
        refused(&["--level", "best", "--chips", "5"], "how to play this match: it is not about 5 chips");
        refused(&["--level", "best", "--ties", "alice", "--alice", "3", "--bob", "3"], "it is about another mechanism");
        refused(&["--level", "random", "--chips", "6"], "only the players perfect and best play by a solution");
        let other = path("other.json");
        std::fs::write(&other, OWNED.replace("OBJECTIVE", objective).replace("\"c\"]", "\"d\"]")).unwrap();
        let output = richman(&["play", &other, "--chips", "6", "--level", "perfect", "--solution", &saved]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("the solution is wrong for this game: ") && output.stdout.is_empty(), "{message}");
    }
    let won = path("won.json");
    assert!(richman(&["solve", "tug-of-war", "--chips", "6", "--save", &won]).status.success());
    let output = richman(&["play", "tug-of-war", "--chips", "6", "--level", "perfect", "--solution", &won]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("only solutions with chips of games that need not end"));
}

#[test]
fn nonsense_is_explained_in_a_line() {
    let text = told(&["tic-tac-toe", "--two", "--chips", "4"], "two\n-1\n3\n1*\n1*\n0\nd9\nlet\nlet\na\nA1\nsave\n");
    for line in [
        "\"two\" is not a bid: type a whole number of chips, such as 2; help lists the commands.",
        "Alice has 2 chips and cannot bid 3",
        "Bob has no star to use in a tie: type the number alone.",
        "\"d9\" is not a move here: type one of a1, b1, c1, a2, b2, c2, a3, b3, c3; help lists the commands.",
        "Alice lets Bob move.",
        "Bob has to move now; let is for the winner of a bid, where the rules have it.",
        "\"a\" could be a1, a2, a3: type more of it.",
        "Bob moves a1.",
        "Say where: save FILE, such as save match.txt.",
        "The input has ended; the match is left unfinished.",
    ] {
        assert!(text.lines().any(|found| found == line), "{line:?} is missing: {text}");
    }
}

#[test]
fn undo_goes_back_to_the_start_of_the_last_turn() {
    let text = told(
        &["connect:rows=1,cols=4,line=2", "--chips", "2", "--level", "greedy", "--seed", "1"],
        "undo\n1\nundo\n1\nn\na\nb\nc\nd\nundo\nresign\nundo\nquit\n",
    );
    assert!(text.contains("There is nothing to undo yet."), "{text}");
    assert!(text.matches("Taken back.\n").count() >= 2, "{text}");
    assert!(text.matches("turn 1: position ....; Alice 1*, Bob 1").count() >= 3, "{text}");
    let two = told(&["tic-tac-toe", "--two"], "1\nundo\n");
    assert!(two.contains("Undo is for matches against the computer"), "{two}");
}

#[test]
fn the_input_may_end_anywhere() {
    let whole: Vec<&str> = DP10.lines().collect();
    for length in 0..=whole.len() {
        let text = told(&["tic-tac-toe", "--alice", "4*", "--bob", "4", "--two"], &whole[..length].join("\n"));
        assert_eq!(text.contains("left unfinished"), length < whole.len(), "{text}");
    }
    let output = piped(&["tic-tac-toe", "--two"], "\0\u{fffd}\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn unusable_requests_are_refused() {
    refused(&["tic-tac-to"], "tic-tac-toe");
    refused(&["tic-tac-toe", "--alice", "4", "--bob", "4"], "star");
    refused(&["tic-tac-toe", "--level", "grandmaster"], "grandmaster");
    refused(&["tic-tac-toe", "--as", "carol"], "write alice or bob");
    refused(&["tic-tac-toe", "--two", "--as", "bob"], "--two");
    refused(&["tic-tac-toe", "--position", "xyz"], "xyz");
    refused(&["-"], "give the path of the game file");
}

#[cfg(unix)]
mod terminal {
    use super::*;
    use rexpect::session::{PtySession, spawn_command};

    const TIMEOUT: u64 = 60_000;

    fn spawn(args: &[&str], no_color: bool) -> PtySession {
        // The library turns echo off; people have it on.
        let mut command = Command::new("sh");
        command.args(["-c", "stty echo; exec \"$0\" play \"$@\"", env!("CARGO_BIN_EXE_richman")]).args(args);
        command.env_remove("NO_COLOR").env("TERM", "xterm");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        spawn_command(command, Some(TIMEOUT)).unwrap()
    }

    /// Types a line at the prompt; returns the text before the prompt.
    #[track_caller]
    fn answer(session: &mut PtySession, prompt: &str, line: &str) -> String {
        let before = session.exp_string(prompt).unwrap();
        session.exp_string(": ").unwrap();
        session.send_line(line).unwrap();
        before
    }

    #[test]
    fn hidden_bids_are_not_echoed_and_names_are_coloured() {
        let mut session = spawn(&["tug-of-war:length=2,at=1", "--two", "--chips", "90"], false);
        let first = answer(&mut session, "your bid (0 to 45; it is not shown)", "37");
        assert!(first.contains("\u{1b}[31m") && first.contains("\u{1b}[34m") && first.contains("45"), "{first}");
        // Nonsense is explained and asked again; the earlier input is not shown there either.
        let second = answer(&mut session, "your bid (0 to 45; it is not shown)", "46");
        assert!(!second.contains("37"), "the bid was shown: {second}");
        let third = answer(&mut session, "your bid (0 to 45; it is not shown)", "38");
        assert!(!third.contains("37") && third.contains("cannot bid 46"), "{third}");
        let reveal = session.exp_string(" bids 37, ").unwrap();
        assert!(!reveal.contains("38"), "{reveal}");
        session.exp_string(" bids 38.").unwrap();
        answer(&mut session, "your move (to 0, 2, or let)", "2");
        session.exp_string("has won!").unwrap();
        answer(&mut session, "again or Enter", "");
        session.exp_eof().unwrap();
    }

    #[test]
    fn a_whole_game_on_a_terminal_without_colours() {
        let mut session = spawn(&["tic-tac-toe", "--alice", "4*", "--bob", "4", "--two"], true);
        let mut seen = String::new();
        for line in DP10.lines() {
            let prompt = match line.trim_end_matches('*').parse::<u32>() {
                Ok(_) => "; it is not shown)",
                Err(_) if ["keep", "y"].contains(&line) => "(y/n) ",
                Err(_) => " or let)",
            };
            seen += &session.exp_string(prompt).unwrap();
            session.send_line(line).unwrap();
        }
        seen += &session.exp_string("again or Enter: ").unwrap();
        // The library decodes every byte as a character.
        let seen = String::from_utf8(seen.chars().map(|letter| letter as u8).collect()).unwrap();
        assert!(seen.contains("Alice has won!") && seen.contains("┌───┬───┬───┐"), "{seen}");
        assert!(seen.contains("│ A │ A │ A │"), "{seen}");
        assert!(!seen.contains("\u{1b}[31m") && !seen.contains("\u{1b}[34m") && !seen.contains("\u{1b}[1m"), "{seen}");
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn against_the_computer_with_hint_undo_and_ctrl_c() {
        let mut session = spawn(&["tic-tac-toe", "--chips", "8", "--seed", "1"], false);
        answer(&mut session, "Your bid (0 to 4)", "hint");
        session.exp_string("Hint for ").unwrap();
        answer(&mut session, "Your bid (0 to 4)", "4*");
        session.exp_string("Your move (").unwrap();
        session.exp_string(": ").unwrap();
        session.send_line("b2").unwrap();
        let typed = session.exp_string(" moves b2.").unwrap();
        assert!(typed.contains("b2"), "what is typed openly is shown: {typed}");
        answer(&mut session, "Your bid (0)", "undo");
        session.exp_string("Taken back.").unwrap();
        session.exp_string("Your bid (0 to 4)").unwrap();
        session.send_control('c').unwrap();
        session.exp_string("Stopped; the match is left unfinished.").unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn ctrl_c_and_ctrl_d_at_a_hidden_bid() {
        for (key, said) in [('c', "Stopped"), ('d', "The input has ended")] {
            let mut session = spawn(&["tic-tac-toe", "--two"], false);
            session.exp_string("; it is not shown): ").unwrap();
            session.send_control(key).unwrap();
            session.exp_string(said).unwrap();
            session.exp_eof().unwrap();
        }
    }
}
