//! Databases of boards: built, killed, damaged, asked, as a user does it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

const BOARD: &str = "connect:rows=4,cols=5,line=4";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("richman-databases-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("a temporary folder in UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn richman(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(args).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    richman(args).output().expect("richman runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn layers(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "rml"))
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("bytes")))
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_that_is_killed_goes_on_to_the_same_bytes() {
    let [whole, killed] = ["whole", "killed"].map(Folder::new);
    assert!(run(&["build", BOARD, "--out", whole.text()]).status.success());
    assert_eq!(layers(&whole.0).len(), 21);
    let mut rng = fastrand::Rng::with_seed(10);
    let mut interrupted = 0;
    for _ in 0..8 {
        let mut child = richman(&["build", BOARD, "--out", killed.text()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("richman runs");
        thread::sleep(Duration::from_millis(rng.u64(5..250)));
        let _ = child.kill();
        interrupted += u32::from(!child.wait().expect("it ends").success());
    }
    assert!(interrupted > 0);
    assert!(run(&["build", BOARD, "--out", killed.text()]).status.success());
    assert!(layers(&whole.0) == layers(&killed.0));
}

#[test]
fn built_asked_verified_damaged_and_mended() {
    let folder = Folder::new("used");
    let board = "connect:rows=4,cols=4,line=4";
    let built = run(&["build", board, "--out", folder.text(), "--json"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let report: serde_json::Value = serde_json::from_slice(&built.stdout).expect("JSON");
    assert_eq!(report.as_array().map(Vec::len), Some(17));
    let json = |args: &[&str]| -> serde_json::Value {
        let output = run(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    for position in ["..../..../..../....", "..../..../.B../.AA.", "A.../B.../A..B/ABAB"] {
        let looked_up = json(&["solve", board, "--db", folder.text(), "--position", position, "--json"]);
        let solved = json(&["solve", board, "--position", position, "--json"]);
        for key in ["game", "position", "mechanism", "win", "draw", "exact", "bid", "zugzwang", "draw_bid"] {
            assert_eq!(looked_up[key], solved[key], "{position} {key}");
        }
    }
    let valid = run(&["verify", folder.text()]);
    assert!(
        valid.status.success() && text(&valid.stdout).starts_with("valid: every number"),
        "{}",
        text(&valid.stdout)
    );
    let path = folder.0.join("layer-08.rml");
    let mut bytes = fs::read(&path).expect("a layer");
    let whole = bytes.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(&path, &bytes).expect("written");
    let wrong = run(&["verify", folder.text(), "--json"]);
    assert_eq!(wrong.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_slice(&wrong.stdout).expect("JSON");
    assert_eq!(verdict["valid"], false);
    assert!(verdict["wrong"].as_str().is_some_and(|wrong| wrong.contains("layer-08.rml")), "{verdict}");
    fs::remove_file(&path).expect("removed");
    let missing = run(&["solve", board, "--db", folder.text(), "--position", "..../.B../.BAA/AABB"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("layer-08.rml is missing"), "{}", text(&missing.stderr));
    assert!(run(&["build", board, "--out", folder.text()]).status.success());
    assert!(fs::read(&path).expect("a layer") == whole);
}

#[test]
fn what_cannot_be_built_or_asked_says_why() {
    let folder = Folder::new("refused");
    let refused = |args: &[&str], words: &[&str]| {
        let output = run(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(words.iter().all(|word| error.contains(word)), "{args:?}: {error}");
        assert!(output.stdout.is_empty() || !args.contains(&"--json"), "{args:?}");
    };
    refused(&["build", "connect", "--out", folder.text(), "--json"], &["on the disk", "TiB", "--disk"]);
    refused(&["build", "hex", "--out", folder.text()], &["connect and tic-tac-toe"]);
    refused(&["build", "tic-tac-toe:rows=7,cols=7", "--out", folder.text(), "--json"], &["disk"]);
    refused(&["build", "tic-tac-toe", "--chips", "0..100000", "--out", folder.text()], &["more than 1024 totals"]);
    refused(&["solve", "tic-tac-toe", "--db", folder.text()], &["no database", "richman build"]);
    refused(&["solve", "hex:size=3", "--db", folder.text()], &["--db"]);
    assert!(!folder.0.exists());
    let plan = run(&["build", "connect", "--out", folder.text(), "--plan"]);
    assert!(plan.status.success() && text(&plan.stdout).contains("532875860165503 fillings"), "{}", text(&plan.stdout));
    assert!(run(&["build", "tic-tac-toe", "--out", folder.text()]).status.success());
    refused(&["solve", "tic-tac-toe", "--chips", "8", "--db", folder.text()], &["real money"]);
    refused(&["solve", BOARD, "--db", folder.text()], &["is a database of tic-tac-toe"]);
    refused(&["build", BOARD, "--out", folder.text()], &["another database"]);
}

#[test]
fn endgames_of_chess_are_built_asked_and_proved() {
    let folder = Folder::new("chess");
    let plan = run(&["build", "chess:pieces=KKB", "--out", folder.text(), "--plan"]);
    assert!(text(&plan.stdout).starts_with("KBK: 31850 positions in KK, KBK; about"), "{}", text(&plan.stdout));
    assert!(!folder.0.exists(), "a plan writes nothing");
    let built = run(&["build", "chess:pieces=KBK", "--out", folder.text()]);
    assert!(text(&built.stdout).contains("KBK:      31332 positions, exact"), "{}", text(&built.stdout));
    let position = ["solve", "chess", "--position", "4k3/8/8/8/8/8/8/3BK3"];
    let asked = run(&[&position[..], &["--db", folder.text(), "--json"]].concat());
    let unfolded = run(&[&position[..], &["--json"]].concat());
    let read = |bytes: &[u8]| -> serde_json::Value { serde_json::from_slice(bytes).expect("JSON") };
    let (asked, unfolded) = (read(&asked.stdout), read(&unfolded.stdout));
    for key in ["win", "draw", "bid", "ratio", "moves", "exact", "zugzwang"] {
        assert_eq!(asked[key], unfolded[key], "{key}");
    }
    assert_eq!(asked["win"], "3/8");
    let proved = run(&["verify", folder.text()]);
    assert!(proved.status.success(), "{}", text(&proved.stdout));
    assert!(text(&proved.stdout).ends_with(": KK, KBK\n"), "{}", text(&proved.stdout));
    // A name that is no class as it is kept is none of the database's.
    fs::copy(folder.0.join("KBK.rml"), folder.0.join("KKB.rml")).expect("copied");
    let survey = run(&["verify", folder.text(), "--survey", "--json"]);
    let survey = read(&survey.stdout);
    assert_eq!((&survey[1]["class"], &survey[1]["positions"]), (&"KBK".into(), &31332.into()));
    let kings = folder.0.join("KK.rml");
    let kept = fs::read(&kings).expect("bytes");
    fs::remove_file(&kings).expect("removed");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stdout).contains("KK.rml is missing, and positions of KBK"), "{}", text(&wrong.stdout));
    fs::write(&kings, kept).expect("written");
    fs::copy(folder.0.join("KBK-exact.rml"), folder.0.join("KBK.rml")).expect("copied");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stdout).contains("KBK.rml is a file of another database"), "{}", text(&wrong.stdout));
    let refused = run(&[&position[..], &["--db", folder.text()]].concat());
    assert!(text(&refused.stderr).contains("KBK.rml is a file of another database"), "{}", text(&refused.stderr));
    for (args, words) in [
        (vec!["build", "chess:pieces=KQK", "--out", folder.text(), "--chips", "0..4"], "of chess with real money"),
        (
            vec!["solve", "chess:pieces=KBK", "--db", folder.text(), "--chips", "4"],
            "build chess:pieces=KBK --out FOLDER --chips 4",
        ),
        (vec!["solve", "chess:pieces=KQKR", "--db", folder.text(), "--chips", "4"], "KQKR with chips is not supported"),
        (vec!["build", "chess", "--out", folder.text()], "chess:pieces=KQK"),
        (vec!["build", BOARD, "--out", folder.text()], "holds another database"),
        (
            vec!["solve", "chess:pieces=KQKR", "--db", folder.text()],
            "KQKR.rml is missing: `richman build chess:pieces=KQKR ",
        ),
        (vec!["solve", "chess", "--position", "8/8/8/8/8/8/8/8"], "no white king"),
    ] {
        let refused = run(&args);
        assert!(
            !refused.status.success() && text(&refused.stderr).contains(words),
            "{args:?}: {}",
            text(&refused.stderr)
        );
    }
}

#[test]
fn endgames_of_chess_with_chips_are_built_asked_and_proved() {
    let folder = Folder::new("chess-chips");
    let build = ["build", "chess:pieces=KKB", "--out", folder.text(), "--chips", "1..2"];
    let plan = run(&[&build[..], &["--plan"]].concat());
    assert!(text(&plan.stdout).starts_with("KBK: 31850 positions in KK, KBK; about"), "{}", text(&plan.stdout));
    assert!(!folder.0.exists(), "a plan writes nothing");
    let built = run(&build);
    assert!(text(&built.stdout).contains("   2 chips: every win within "), "{}", text(&built.stdout));
    assert!(text(&run(&build).stdout).contains("   2 chips: was there; "));
    let read = |bytes: &[u8]| -> serde_json::Value { serde_json::from_slice(bytes).expect("JSON") };
    let position = ["solve", "chess", "--json", "--position", "4k3/8/8/8/8/8/8/3BK3"];
    for hands in [&["--chips", "2"][..], &["--alice", "1*", "--bob", "1"], &["--alice", "0", "--bob", "2*"]] {
        let solve = |more: &[&str]| read(&run(&[&position[..], hands, more].concat()).stdout);
        let (asked, unfolded) = (solve(&["--db", folder.text()]), solve(&[]));
        for key in ["game", "position", "total", "win", "draw", "exact", "alice", "bob", "outcome", "within", "advice"]
        {
            assert_eq!(asked[key], unfolded[key], "{hands:?} {key}");
        }
        assert!(asked["stop"].as_str().is_some_and(|stop| stop.starts_with("from the database")), "{asked}");
    }
    let proved = run(&["verify", folder.text()]);
    assert!(proved.status.success() && text(&proved.stdout).starts_with("valid"), "{}", text(&proved.stdout));
    let asked = [&position[..], &["--db", folder.text()]].concat();
    for (args, words) in [
        (asked.clone(), "is of 1 to 2 chips, not of real money"),
        ([&asked[..], &["--chips", "3"]].concat(), "is of 1 to 2 chips, not of 3 chips"),
        (
            [&asked[..], &["--chips", "2", "--right", "moves"]].concat(),
            "--db serves only with the default rules of bidding",
        ),
        ([&asked[..], &["--alice", "1", "--bob", "1*", "--trace"]].concat(), "cannot be used with '--trace'"),
        (vec!["verify", folder.text(), "--survey"], "is of 1 to 2 chips, not of real money"),
        (
            vec!["build", "chess:pieces=KQKR", "--out", folder.text(), "--chips", "2"],
            "KQKR with chips is not supported",
        ),
        (vec!["build", "chess:pieces=KQK", "--out", folder.text(), "--chips", "65"], "totals up to 64"),
        (vec!["build", "chess:pieces=KQK", "--out", folder.text()], "of chess with 1 to 2 chips"),
    ] {
        let refused = run(&args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(text(&refused.stderr).contains(words), "{args:?}: {}", text(&refused.stderr));
    }
    let lost = folder.0.join("KK-1-chips.rml");
    let kept = fs::read(&lost).expect("bytes");
    fs::remove_file(&lost).expect("removed");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stdout).contains("KK-1-chips.rml is missing"), "{}", text(&wrong.stdout));
    fs::write(&lost, kept).expect("written");
    fs::copy(folder.0.join("KBK-1-chips.rml"), folder.0.join("KBK-2-chips.rml")).expect("copied");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stdout).contains("KBK-2-chips.rml"), "{}", text(&wrong.stdout));
}
