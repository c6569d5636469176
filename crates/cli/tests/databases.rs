//! Databases of boards: built, killed, damaged and queried, as by a user.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use richman_analysis::Games;
use richman_analysis::databases::prove;
use richman_chess::board::{ChessClass, ChessIndex};
use richman_core::{Effort, LayerSink, NumberSlice, Player, StoredLayer};
use richman_files::{LayerFile, LayerHead, LayerWriter};
use tempfile::TempDir;

const BOARD: &str = "connect:rows=4,cols=5,line=4";

/// The path of a database, and the folder that is removed at the end.
struct Folder(PathBuf, #[expect(dead_code, reason = "it is dropped")] TempDir);

impl Folder {
    fn new() -> Folder {
        let parent = tempfile::tempdir().expect("a temporary folder");
        Folder(parent.path().join("database"), parent)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("a temporary folder in UTF-8")
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

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "rml" || end == "rmu"))
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("bytes")))
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_that_is_killed_goes_on_to_the_same_bytes() {
    let [whole, killed] = [(); 2].map(|()| Folder::new());
    assert!(run(&["build", BOARD, "--out", whole.text()]).status.success());
    assert_eq!(files(&whole.0).len(), 20);
    let mut interrupted = 0;
    // The first is killed before it can be done, the last ones after.
    for milliseconds in [2, 5, 10, 20, 40, 80, 160, 250] {
        let mut child = richman(&["build", BOARD, "--out", killed.text()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("richman runs");
        thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        interrupted += u32::from(!child.wait().expect("it ends").success());
    }
    assert!(interrupted > 0);
    assert!(run(&["build", BOARD, "--out", killed.text()]).status.success());
    assert!(files(&whole.0) == files(&killed.0));
}

#[test]
fn built_asked_verified_damaged_and_mended() {
    let folder = Folder::new();
    let board = "connect:rows=4,cols=4,line=4";
    let built = run(&["build", board, "--out", folder.text(), "--json"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let report: serde_json::Value = serde_json::from_slice(&built.stdout).expect("JSON");
    assert_eq!(report.as_array().map(Vec::len), Some(5));
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
    let path = folder.0.join("unit-1.1.1.1.0.rmu");
    let mut bytes = fs::read(&path).expect("a unit");
    let whole = bytes.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(&path, &bytes).expect("written");
    let wrong = run(&["verify", folder.text(), "--json"]);
    assert_eq!(wrong.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_slice(&wrong.stdout).expect("JSON");
    assert_eq!(verdict["valid"], false);
    assert!(verdict["wrong"].as_str().is_some_and(|wrong| wrong.contains("unit-1.1.1.1.0.rmu")), "{verdict}");
    fs::remove_file(&path).expect("removed");
    let missing = run(&["solve", board, "--db", folder.text(), "--position", "..../.B../.BAA/AABB"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("unit-1.1.1.1.0.rmu is missing"), "{}", text(&missing.stderr));
    assert!(run(&["build", board, "--out", folder.text()]).status.success());
    assert!(fs::read(&path).expect("a unit") == whole);
}

/// The bounds in a file are proved from the rules, and false ones are found, or refused if they
/// contradict each other or the rules at first sight.
fn bounds_of_files_are_checked(file: &str) {
    let proved = run(&["verify", file]);
    let said = text(&proved.stdout);
    assert!(
        said.contains("valid: connect") && said.contains("are within the bounds"),
        "{said}{}",
        text(&proved.stderr)
    );
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(file).expect("bounds")).expect("JSON");
    let write = |bounds: &serde_json::Value| fs::write(file, bounds.to_string()).expect("written");
    let mut narrow = whole.clone();
    let pair = narrow["after"][0]["alice"].as_array_mut().expect("two bounds");
    pair[0] = pair[1].clone();
    write(&narrow);
    let wrong = run(&["verify", file]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stdout));
    assert!(text(&wrong.stdout).contains("do not follow from looking 8 stones ahead"), "{}", text(&wrong.stdout));
    let read = json(&["solve", BOARD, "--bounds", file, "--time", "0", "--json"]);
    let stop = read["stop"].as_str().expect("a reason");
    assert!(read["exact"] == true || stop.contains("not verified: `richman verify "), "{read}");
    let mut impossible = whole.clone();
    impossible["here"] = serde_json::json!([16000, 16001]);
    write(&impossible);
    for command in [&["solve", BOARD, "--bounds", file, "--time", "0"][..], &["verify", file]] {
        let refused = run(command);
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
        assert!(
            text(&refused.stderr).contains("bounds contradict each other: verify them"),
            "{command:?}: {}",
            text(&refused.stderr)
        );
    }
    write(&whole);
}

/// Bounds are kept in a database, joined with a file and proved; parts of a database may go.
#[test]
fn bounds_and_two_layers_are_built_and_asked() {
    let [bounds, few, kept] = [(); 3].map(|()| Folder::new());
    let file = bounds.0.with_file_name("bounds.json");
    let file = file.to_str().expect("a temporary folder in UTF-8");
    assert!(run(&["build", BOARD, "--leaves", "8", "--out", bounds.text()]).status.success());
    assert!(run(&["build", BOARD, "--out", kept.text()]).status.success());
    let exact = json(&["solve", BOARD, "--db", kept.text(), "--json"]);
    let found = json(&["solve", BOARD, "--db", bounds.text(), "--bounds", file, "--json"]);
    assert_eq!((&found["exact"], &exact["exact"]), (&false.into(), &true.into()));
    let ends = |answer: &serde_json::Value| [0, 1].map(|end| answer["win_decimals"][end].as_f64().expect("a number"));
    let ([low, high], [least, most]) = (ends(&found), ends(&exact));
    assert!(low <= least && most <= high && high - low < 0.4, "{found}");
    let says = |answer: &serde_json::Value, what: &str| answer["stop"].as_str().is_some_and(|stop| stop.contains(what));
    assert!(says(&found, "not verified: `richman verify "), "{found}");
    bounds_of_files_are_checked(file);
    let resumed = json(&["solve", BOARD, "--bounds", file, "--json"]);
    assert_eq!(resumed["win"], exact["win"], "the file goes on to the exact threshold");
    let proved = run(&["verify", bounds.text()]);
    assert!(text(&proved.stdout).starts_with("valid: every bound of the database"), "{}", text(&proved.stderr));
    assert!(run(&["build", BOARD, "--keep", "two-layers", "--out", few.text()]).status.success());
    assert!(files(&few.0).len() < files(&kept.0).len());
    let start = json(&["solve", BOARD, "--db", few.text(), "--json"]);
    assert_eq!((&start["win"], &start["moves"]), (&exact["win"], &exact["moves"]));
    let late = "...../...../...AB/A..AB";
    for (arguments, says) in [
        (&["solve", BOARD, "--db", bounds.text(), "--exact"][..], "has bounds, and no exact thresholds"),
        (&["solve", BOARD, "--db", bounds.text(), "--chips", "8"], "is of bounds from lines after 8 stones"),
        (&["solve", BOARD, "--db", bounds.text(), "--position", "BBA../ABB../BAA../AAB.."], "with fewer than 8 stones"),
        (&["solve", BOARD, "--db", kept.text(), "--bounds", file], "is exact, and adds no bounds"),
        (&["solve", BOARD, "--db", few.text(), "--position", late], "keeps only the answer at the start"),
        (&["verify", few.text()], "two layers are kept is not supported: build it without --keep"),
        (&["build", BOARD, "--out", few.text()], "that keeps two layers only: choose another folder"),
        (&["build", BOARD, "--leaves", "9", "--out", bounds.text()], "with bounds from lines after 8 stones"),
        (&["build", BOARD, "--leaves", "21", "--out", few.text()], "at most 20"),
        (&["build", BOARD, "--leaves", "8", "--chips", "8", "--out", few.text()], "cannot be used with"),
        (&["build", "chess:pieces=KQK", "--leaves", "8", "--out", few.text()], "bounds of endgames from lines"),
    ] {
        let refused = run(arguments);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(says), "{arguments:?}: {said}");
    }
}

#[test]
fn what_cannot_be_built_or_asked_says_why() {
    let folder = Folder::new();
    let refused = |args: &[&str], words: &[&str]| {
        let output = run(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(words.iter().all(|word| error.contains(word)), "{args:?}: {error}");
        assert!(output.stdout.is_empty() || !args.contains(&"--json"), "{args:?}");
    };
    refused(&["build", "connect", "--out", folder.text(), "--json"], &["on the disk", "TiB", "--disk"]);
    refused(&["build", "hex", "--out", folder.text()], &["connect and tic-tac-toe"]);
    refused(&["build", "tic-tac-toe:rows=7,cols=7", "--out", folder.text(), "--json"], &["at most 1048576"]);
    refused(&["build", "tic-tac-toe", "--chips", "0..100000", "--out", folder.text()], &["more than 1024 totals"]);
    refused(&["solve", "tic-tac-toe", "--db", folder.text()], &["not a database", "richman build"]);
    refused(&["solve", "hex:size=3", "--db", folder.text()], &["--db"]);
    assert!(!folder.0.exists());
    let plan = run(&["build", "connect", "--out", folder.text(), "--plan"]);
    assert!(plan.status.success() && text(&plan.stdout).contains("532875860165503 fillings"), "{}", text(&plan.stdout));
    assert!(run(&["build", "tic-tac-toe", "--out", folder.text()]).status.success());
    refused(&["solve", "tic-tac-toe", "--chips", "8", "--db", folder.text()], &["real money"]);
    refused(&["solve", BOARD, "--db", folder.text()], &["is a database of tic-tac-toe"]);
    let why = json(&["solve", "tic-tac-toe", "--db", folder.text(), "--why", "--json"]);
    for engine in why["engines"].as_array().expect("engines") {
        let looked_up = engine["engine"] == "a database of the board";
        assert_eq!((engine["turn"] == 1, engine["refused"].is_null()), (looked_up, looked_up), "{engine}");
    }
    refused(&["build", BOARD, "--out", folder.text()], &["another database"]);
}

#[test]
fn endgames_of_chess_are_built_asked_and_proved() {
    let folder = Folder::new();
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
    let proved = read(&run(&["verify", folder.text(), "--json"]).stdout);
    assert_eq!((&proved["proved"][1]["exact"], &proved["width"]), (&true.into(), &serde_json::Value::Null));
    // A file that is not named by the canonical form of its class does not belong to the database.
    fs::copy(folder.0.join("KBK.rml"), folder.0.join("KKB.rml")).expect("copied");
    let survey = run(&["verify", folder.text(), "--survey", "--json"]);
    let survey = read(&survey.stdout);
    assert_eq!((&survey[1]["class"], &survey[1]["positions"]), (&"KBK".into(), &31332.into()));
    let kings = folder.0.join("KK.rml");
    let kept = fs::read(&kings).expect("bytes");
    fs::remove_file(&kings).expect("removed");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stdout).contains("KK.rml is missing: `richman build"), "{}", text(&wrong.stdout));
    fs::write(&kings, kept).expect("written");
    fs::copy(folder.0.join("KBK-exact.rml"), folder.0.join("KBK.rml")).expect("copied");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong.stderr));
    assert!(text(&wrong.stdout).contains("KBK.rml is not as it was written"), "{}", text(&wrong.stdout));
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
    let folder = Folder::new();
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
        ([&asked[..], &["--chips", "2", "--right", "moves"]].concat(), "only chess with the default rules of bidding"),
        ([&asked[..], &["--alice", "1", "--bob", "1*", "--trace"]].concat(), "leave out --db, or leave out --trace"),
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

/// The commands that build a database of each kind.
const KINDS: [&[&str]; 4] = [
    &["build", "tic-tac-toe"],
    &["build", "tic-tac-toe:rows=2,cols=4,line=3", "--chips", "0..3"],
    &["build", "chess:pieces=KBK"],
    &["build", "chess:pieces=KNK", "--chips", "1..2"],
];

fn json(args: &[&str]) -> serde_json::Value {
    let output = run(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {}", text(&output.stderr)))
}

fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("database.json")).expect("a manifest")).expect("JSON")
}

/// The manifest lists every file with its size and checksum. Missing, changed, unlisted and foreign
/// files are named. A database of the first version, which lists nothing, can still be verified.
#[test]
fn every_file_of_a_database_is_listed_and_missed() {
    for build in KINDS {
        let folder = Folder::new();
        assert!(run(&[build, &["--out", folder.text()]].concat()).status.success(), "{build:?}");
        let listed = manifest(&folder.0)["files"].as_object().expect("files").clone();
        let names: Vec<String> = files(&folder.0).into_iter().map(|(name, _)| name).collect();
        assert!(names.iter().eq(listed.keys()), "{names:?} {listed:?}");
        let sums = Command::new("sha256sum").args(&names).current_dir(&folder.0).output();
        for (name, line) in names.iter().zip(sums.iter().flat_map(|sums| sums.stdout.split(|byte| *byte == b'\n'))) {
            let digits = listed[name]["sha256"].as_str().expect("a checksum");
            assert!(text(line).starts_with(digits), "{name}: {}", text(line));
            assert_eq!(listed[name]["bytes"], fs::metadata(folder.0.join(name)).expect("a file").len());
        }
        let verify = || json(&["verify", folder.text(), "--json"]);
        let found = verify();
        assert_eq!((&found["valid"], &found["listed"]), (&true.into(), &true.into()), "{found}");
        assert_eq!(found["others"], serde_json::json!([]));
        // Foreign files are named and never used.
        for other in ["notes.txt", ".richman-abc.unfinished", "KRK.rml"] {
            fs::write(folder.0.join(other), "something").expect("written");
        }
        let found = verify();
        assert_eq!(found["others"], serde_json::json!([".richman-abc.unfinished", "KRK.rml", "notes.txt"]));
        assert_eq!(found["valid"], true, "{found}");
        if build[1] == "chess:pieces=KBK" {
            let rook = ["solve", "chess", "--position", "4k3/8/8/8/8/8/8/3RK3", "--db", folder.text()];
            let refused = run(&rook);
            assert!(text(&refused.stderr).contains("KRK.rml is missing"), "{}", text(&refused.stderr));
        }
        let kept = fs::read(folder.0.join("database.json")).expect("a manifest");
        for name in &names {
            let mut about = manifest(&folder.0);
            about["files"].as_object_mut().expect("files").remove(name);
            fs::write(folder.0.join("database.json"), about.to_string()).expect("written");
            let found = verify();
            let wrong = found["wrong"].as_str().unwrap_or_default();
            assert!(wrong.contains(&format!("does not list {name}")), "{name}: {found}");
            fs::write(folder.0.join("database.json"), &kept).expect("written");
        }
        for version in [2, 1] {
            for name in &names {
                let path = folder.0.join(name);
                let bytes = fs::read(&path).expect("bytes");
                fs::remove_file(&path).expect("removed");
                let found = verify();
                let wrong = found["wrong"].as_str().unwrap_or_default();
                assert!(wrong.contains(&format!("{name} is missing: `richman build")), "{version} {name}: {found}");
                if version == 2 {
                    // The length is unchanged.
                    let mut changed = bytes.clone();
                    *changed.last_mut().expect("bytes") ^= 1;
                    fs::write(&path, changed).expect("written");
                    let found = verify();
                    let wrong = found["wrong"].as_str().unwrap_or_default();
                    assert!(wrong.contains(&format!("{name} is not as it was written")), "{name}: {found}");
                }
                fs::write(&path, bytes).expect("written");
            }
            let mut first = manifest(&folder.0);
            first["version"] = 1.into();
            first.as_object_mut().expect("an object").remove("files");
            fs::write(folder.0.join("database.json"), first.to_string()).expect("written");
            if version == 2 {
                // Files of the first version are known by their names.
                fs::remove_file(folder.0.join("KRK.rml")).expect("removed");
            }
        }
        let found = verify();
        assert_eq!((&found["valid"], &found["listed"]), (&true.into(), &false.into()), "{found}");
        // A resumed build lists existing files and removes half-written ones.
        assert!(run(&[build, &["--out", folder.text()]].concat()).status.success(), "{build:?}");
        assert_eq!(fs::read(folder.0.join("database.json")).expect("a manifest"), kept);
        assert_eq!(verify()["others"], serde_json::json!(["notes.txt"]));
    }
}

type Entries = serde_json::Map<String, serde_json::Value>;

/// The numbers of a class rest on those of the classes that it can become, so a proof never uses an
/// unproved class.
#[test]
fn a_class_that_others_rest_on_cannot_be_forged() {
    let folder = Folder::new();
    assert!(run(&["build", "chess:pieces=KBK", "--out", folder.text()]).status.success());
    let kings = folder.0.join("KK.rml");
    let file = LayerFile::open(&kings).expect("a class");
    let head = file.head();
    let mut bytes = Vec::new();
    file.read(0, file.len() as usize, &mut bytes).expect("read");
    drop(file);
    let mut numbers: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    numbers.iter_mut().step_by(head.lanes as usize).for_each(|alice| *alice += 1 << 60);
    let mut writer = LayerWriter::create(&kings, head).expect("a file");
    writer.take(NumberSlice::Eight(&numbers)).expect("written");
    let sum = serde_json::to_value(writer.finish().expect("written")).expect("JSON");
    let honest = manifest(&folder.0);
    let lists: [&dyn Fn(&mut Entries); 3] = [
        &|files| drop(files.insert("KK.rml".to_string(), sum.clone())),
        &|files| files.retain(|name, _| !name.starts_with("KK")),
        &|files| drop(files.remove("KK.rml")),
    ];
    for list in lists {
        let mut about = honest.clone();
        list(about["files"].as_object_mut().expect("files"));
        fs::write(folder.0.join("database.json"), about.to_string()).expect("written");
        let found = run(&["verify", folder.text()]);
        assert_eq!(found.status.code(), Some(1), "{about}: {}", text(&found.stdout));
        assert!(text(&found.stdout).contains("KK.rml"), "{}", text(&found.stdout));
        let fault = prove(&Games::default(), &folder.0, &Effort::default(), &mut Vec::new()).expect("read");
        assert!(fault.is_some_and(|fault| fault.contains("KK.rml")), "{about}");
    }
}

#[test]
fn a_build_that_did_not_finish_is_not_valid() {
    let folder = Folder::new();
    assert!(run(&["build", "chess:pieces=KBK", "--out", folder.text()]).status.success());
    let mut about = manifest(&folder.0);
    about["files"]["KBK.rml"] = serde_json::Value::Null;
    fs::write(folder.0.join("database.json"), about.to_string()).expect("written");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stdout).contains("KBK.rml is not listed as complete"), "{}", text(&wrong.stdout));
    fs::remove_file(folder.0.join("KBK.rml")).expect("removed");
    let wrong = run(&["verify", folder.text()]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stdout).contains("the build did not finish"), "{}", text(&wrong.stdout));
    // A manifest cannot point outside the folder.
    about["files"]["../secret.rml"] = serde_json::Value::Null;
    fs::write(folder.0.join("database.json"), about.to_string()).expect("written");
    let refused = run(&["verify", folder.text()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("is not the name of a file in this folder"), "{}", text(&refused.stderr));
}

/// Only one build runs at a time; a killed build leaves no lock.
#[test]
fn the_second_of_two_builds_says_that_another_is_at_work() {
    let folder = Folder::new();
    let build = ["build", "connect:rows=5,cols=5,line=4", "--out", folder.text()];
    let mut first = richman(&build).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("richman runs");
    let lock = folder.0.join("database.lock");
    for _ in 0..500 {
        if lock.exists() && !files(&folder.0).is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let second = run(&build);
    let still_at_work = first.try_wait().expect("a process").is_none();
    first.kill().expect("killed");
    first.wait().expect("it ends");
    assert!(still_at_work, "the first build is large enough");
    assert_eq!(second.status.code(), Some(2), "{}", text(&second.stdout));
    assert!(text(&second.stderr).contains("another build is at work in"), "{}", text(&second.stderr));
    let held = fs::File::options().read(true).write(true).open(&lock).expect("a lock");
    held.try_lock().expect("nobody has it");
    // The folder of another database is refused, whoever works there.
    let other = run(&["build", "tic-tac-toe", "--out", folder.text()]);
    assert!(text(&other.stderr).contains("another database"), "{}", text(&other.stderr));
    assert!(text(&run(&build).stderr).contains("another build is at work in"));
    drop(held);
    let small = Folder::new();
    let build = ["build", "tic-tac-toe", "--out", small.text()];
    assert!(run(&build).status.success() && run(&build).status.success());
}

/// The memory that suffices to build a database suffices to prove it, even if a folder holds
/// several.
#[test]
fn what_is_built_within_a_limit_is_proved_within_it() {
    for (name, builds) in [
        ("money", vec![vec!["build", "chess:pieces=KBK"], vec!["build", "chess:pieces=KRK"]]),
        (
            "chips",
            vec![vec!["build", "chess:pieces=KBK", "--chips", "2"], vec!["build", "chess:pieces=KRK", "--chips", "2"]],
        ),
        ("board", vec![vec!["build", "connect:rows=4,cols=4"]]),
    ] {
        let folder = Folder::new();
        let mut most = 0;
        for build in builds {
            let plan = json(&[&build[..], &["--out", folder.text(), "--plan", "--json"]].concat());
            let memory = plan["memory"].as_u64().or_else(|| plan["memory"].as_str()?.parse().ok()).expect("a number");
            let memory = memory * 5 / 4;
            most = most.max(memory);
            let built = run(&[&build[..], &["--out", folder.text(), "--memory", &memory.to_string()]].concat());
            assert!(built.status.success(), "{build:?}: {}", text(&built.stderr));
        }
        let proved = run(&["verify", folder.text(), "--memory", &most.to_string()]);
        assert!(proved.status.success(), "{name} with {most}: {}", text(&proved.stderr));
    }
}

/// Trivial bounds of four pieces are consistent, but no move is named as best.
#[test]
fn bounds_that_say_nothing_name_no_move() {
    let folder = Folder::new();
    for class in ["chess:pieces=KRK", "chess:pieces=KQK"] {
        assert!(run(&["build", class, "--out", folder.text()]).status.success());
    }
    // The layer number has the digits of a three-piece class plus one for Bob's rook.
    let class = ChessClass::parse("KQKR", 8).expect("a class");
    let index = ChessIndex::new(&class, 8).expect("a numbering");
    let pieces = Player::BOTH.into_iter().flat_map(|player| class.of(player));
    let layer = pieces.fold(0, |digits, &piece| 8 * digits + piece as u32 + 1);
    let head = LayerHead { layer, lanes: 2, width: 8, count: 2 * index.size() };
    let mut writer = LayerWriter::create(&folder.0.join("KQKR.rml"), head).expect("a file");
    writer.take(NumberSlice::Eight(&vec![0; head.count as usize])).expect("written");
    let sum = writer.finish().expect("written");
    let mut about = manifest(&folder.0);
    about["files"]["KQKR.rml"] = serde_json::to_value(sum).expect("JSON");
    fs::write(folder.0.join("database.json"), about.to_string()).expect("written");
    let solve = ["solve", "chess", "--position", "4k3/3r4/8/8/8/8/8/3QK3", "--db", folder.text()];
    let found = json(&[&solve[..], &["--json"]].concat());
    assert_eq!((&found["exact"], &found["moves"]["alice"]), (&false.into(), &serde_json::json!([])), "{found}");
    for player in ["alice", "bob"] {
        let undecided = found["moves"]["undecided"][player]["moves"].as_array().expect("moves");
        assert!(undecided.len() > 5, "{found}");
    }
    let words = text(&run(&solve).stdout);
    assert!(words.contains("the bounds do not decide which is best"), "{words}");
    let row = text(&run(&[&solve[..], &["--csv"]].concat()).stdout);
    assert!(
        row.lines().next().is_some_and(|head| head.ends_with("alice_moves,bob_moves,alice_undecided,bob_undecided"))
    );
}
