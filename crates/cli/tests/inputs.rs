//! Every command that reads a game, a record or a saved file prints the same for a path, a pipe on
//! standard input and a named pipe.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const LADDER: &str = r#"{"name": "ladder", "start": "1", "positions": {
    "won": {"winner": "alice"}, "lost": {"winner": "bob"},
    "1": {"alice": ["2"], "bob": ["lost"]}, "2": {"alice": ["won"], "bob": ["1"]}}}"#;
const HEAPS: &str = r#"{"name": "heaps", "start": "two", "positions": {
    "two": {"both": [{"to": "one", "weight": 1}, {"to": "none", "weight": 2}]},
    "one": {"both": [{"to": "none", "weight": 1}]}, "none": {"score": 0}}}"#;
const RECORD: &str = "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2\n";

/// Commands with `FILE` for the path, and the contents of the file.
const READERS: &[(&str, &str)] = &[
    ("solve FILE", LADDER),
    ("solve FILE --exact --json", LADDER),
    ("solve FILE --chips 8", LADDER),
    ("solve FILE --alice 4* --bob 4 --trace", LADDER),
    ("solve FILE --payment poorman --alice 4* --bob 4", LADDER),
    ("solve FILE --payment poorman", LADDER),
    ("solve FILE --save saved-of-CASE", LADDER),
    ("solve FILE --db .", LADDER),
    ("solve FILE", HEAPS),
    ("table FILE --csv", LADDER),
    ("table FILE --bob 0..5", LADDER),
    ("table FILE --certificate certificate-of-CASE", LADDER),
    ("table FILE --svg -", LADDER),
    ("compare FILE expr:A", LADDER),
    ("compare expr:A FILE --json", LADDER),
    ("tree FILE", LADDER),
    ("tree FILE --chips 4 --json", LADDER),
    ("scores FILE --total 5", HEAPS),
    ("scores FILE --total 5 --all --csv", HEAPS),
    ("scores FILE --total 5", LADDER),
    ("export FILE", LADDER),
    ("export FILE --position two", HEAPS),
    ("export FILE --positions 3", LADDER),
    ("convert FILE - --to richman", LADDER),
    ("convert FILE - --to json", HEAPS),
    ("random-turn FILE --games 100", LADDER),
    ("duel FILE --games 10", LADDER),
    ("duel FILE --games 10 --chips 5", HEAPS),
    ("build FILE --out folder --plan", LADDER),
    ("review FILE", RECORD),
    ("review FILE --json", RECORD),
    ("verify FILE", SAVED),
    ("verify FILE --json", CERTIFICATE),
];
/// Files that the command itself writes.
const SAVED: &str = "solve tug-of-war --chips 4 --save";
const CERTIFICATE: &str = "table tug-of-war --certificate";

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn richman(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
        command.args(args.split(' ')).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn fifo(&self) -> PathBuf {
        let path = self.0.path().join("fifo");
        let _ = fs::remove_file(&path); // from the previous case
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }
}

/// The exit status, output and errors of a command, which must end in time.
fn outcome(mut child: Child, what: &str) -> (Option<i32>, String, String) {
    fn drain(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
        thread::spawn(move || {
            let mut text = String::new();
            let _ = from.read_to_string(&mut text); // a killed command may have printed less
            text
        })
    }
    let [out, err] = [drain(child.stdout.take().unwrap()), drain(child.stderr.take().unwrap())];
    let began = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if began.elapsed() > Duration::from_secs(60) => {
                child.kill().unwrap();
                panic!("{what} waits forever");
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    (status.code(), out.join().unwrap(), err.join().unwrap())
}

/// Runs a command that gets `content` through the pipe `into`, or through standard input.
fn piped(mut command: Command, content: &[u8], into: Option<&Path>, what: &str) -> (Option<i32>, String, String) {
    let content = content.to_vec();
    let writer = match into {
        None => {
            let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
            let mut pipe = child.stdin.take().unwrap();
            let writer = thread::spawn(move || drop(pipe.write_all(&content))); // a command that refuses does not read
            (child, writer)
        }
        Some(path) => {
            let path = path.to_path_buf();
            let writer = thread::spawn(move || drop(fs::write(path, content)));
            (command.spawn().unwrap(), writer)
        }
    };
    let (child, writer) = writer;
    let outcome = outcome(child, what);
    writer.join().unwrap();
    outcome
}

#[test]
fn every_reader_reads_pipes() {
    let folder = Folder::new();
    for (number, &(line, content)) in READERS.iter().enumerate() {
        let content = match content {
            SAVED | CERTIFICATE => {
                let made = folder.richman(&format!("{content} made")).output().unwrap();
                assert!(made.status.success(), "{content}");
                fs::read(folder.0.path().join("made")).unwrap()
            }
            text => text.as_bytes().to_vec(),
        };
        fs::write(folder.0.path().join("plain.json"), &content).unwrap();
        let case = |door: &str| line.replace("CASE", &format!("{number}{door}"));
        let path = case("path").replace("FILE", "./plain.json");
        let expected = outcome(folder.richman(&path).spawn().unwrap(), &path);
        let fifo = folder.fifo();
        for (door, name, into) in
            [("dash", "-", None), ("stdin", "/dev/stdin", None), ("fifo", "./fifo", Some(fifo.as_path()))]
        {
            let line = case(door).replace("FILE", name);
            let (status, out, err) = piped(folder.richman(&line), &content, into, &line);
            let called = if name == "./fifo" { name } else { "standard input" };
            let same = (status, out.as_str(), err.replace(called, "./plain.json"));
            assert_eq!(same, (expected.0, expected.1.as_str(), expected.2.clone()), "{line}");
        }
        for door in ["dash", "stdin", "fifo"] {
            for written in ["saved-of", "certificate-of"].map(|kind| format!("{kind}-{number}{door}")) {
                let like = folder.0.path().join(written.replace(door, "path"));
                assert_eq!(fs::read(folder.0.path().join(&written)).ok(), fs::read(like).ok(), "{written}");
            }
        }
    }
    // A match is played from standard input, but its game may come through a pipe.
    let mut command = folder.richman("play ./fifo --seed 1");
    let commands = fs::File::open({
        fs::write(folder.0.path().join("commands"), "quit\n").unwrap();
        folder.0.path().join("commands")
    });
    command.stdin(commands.unwrap());
    let (status, out, err) = piped(command, LADDER.as_bytes(), Some(&folder.fifo()), "play");
    assert!(status == Some(0) && out.contains("ladder"), "{status:?} {out} {err}");
}

#[test]
fn what_is_read_once_is_not_asked_for_twice() {
    let folder = Folder::new();
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    for (first, second) in names.iter().flat_map(|first| names.map(|second| (first, second))) {
        let line = format!("compare {first} {second}");
        let (status, out, err) = piped(folder.richman(&line), LADDER.as_bytes(), None, &line);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{line}");
        assert!(err.contains("standard input holds one game: give the other as a file"), "{line}: {err}");
        let line = line.replace("compare", "solve");
        let (status, out, err) = piped(folder.richman(&line), LADDER.as_bytes(), None, &line);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{line}");
        assert!(err.contains("standard input holds one game: give the others as files"), "{line}: {err}");
    }
    let fifo = folder.fifo();
    let (status, out, err) = piped(folder.richman("compare ./fifo fifo"), LADDER.as_bytes(), Some(&fifo), "compare");
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("fifo: a pipe is read once: give the path of a regular file"), "{err}");
    for name in names {
        let line = format!("play {name}");
        let (status, _, err) = piped(folder.richman(&line), LADDER.as_bytes(), None, &line);
        assert!(status == Some(2) && err.contains("give the path of the game file"), "{line}: {err}");
        let record = RECORD.replace("[Game \"tic-tac-toe\"]", &format!("[Game \"ladder\"] [File {name:?}]"));
        let (status, _, err) = piped(folder.richman("review -"), record.as_bytes(), None, &record);
        assert!(status == Some(2) && err.contains("standard input is read once"), "{name}: {err}");
    }
}

/// The lines of a game with this many positions in a row, with names of 180 letters.
fn row(positions: usize) -> impl Iterator<Item = String> {
    let name = |position: usize| format!("{position:0>180}");
    let position = move |at| format!("\"{}\":{{\"both\":[\"{}\",\"{}\"]}},\n", name(at), name(at + 1), name(at + 2));
    (0..positions).map(position)
}

const HEAD: &str = "{\"name\": \"row\", \"start\": \"START\", \"positions\": {\n";

#[test]
fn long_files_take_the_memory_of_their_graph() {
    let folder = Folder::new();
    let path = folder.0.path().join("long.json");
    let positions = 130_000;
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    write!(file, "{}", HEAD.replace("START", &"0".repeat(180))).unwrap();
    row(positions).for_each(|position| file.write_all(position.as_bytes()).unwrap());
    let ends = [positions, positions + 1].map(|end| format!("\"{end:0>180}\":{{\"winner\":\"alice\"}}"));
    write!(file, "{}}}}}", ends.join(",")).unwrap();
    file.into_inner().unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 64 << 20, "a file longer than was once read");
    let run = |line: &str| outcome(folder.richman(line).spawn().unwrap(), line);
    let (status, out, err) = run("solve long.json --chips 3 --memory 64MB --json");
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("\"win\":{\"threshold\":0,\"plain\":0,\"star\":0}"), "{out}");
    let (status, out, err) = run("solve long.json --chips 3 --memory 16MB");
    assert_eq!((status, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("long.json: reading the game file needs") && err.contains("--memory"), "{err}");
}

#[test]
fn reading_stops_at_ctrl_c() {
    let folder = Folder::new();
    // One writer stops in the middle, another never ends.
    for positions in [10, usize::MAX] {
        let mut child = folder.richman("solve -").stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let (done, waits) = std::sync::mpsc::channel::<()>();
        let writer = thread::spawn(move || {
            let mut lines = std::iter::once(HEAD.replace("START", "none")).chain(row(positions));
            let _ = lines.try_for_each(|line| pipe.write_all(line.as_bytes())); // until the reader is gone
            let _ = waits.recv(); // the pipe stays open
        });
        thread::sleep(Duration::from_millis(500));
        let began = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let (status, out, err) = outcome(child, "reading");
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        assert_eq!((status, out.as_str()), (Some(130), ""), "{err}");
        drop(done);
        writer.join().unwrap();
    }
}

/// `--time` limits waiting for input, whether nothing comes or a little now and then.
#[test]
fn input_that_does_not_come_is_waited_for_no_longer_than_allowed() {
    let waited = |command: &str| {
        let folder = Folder::new();
        for sends in [false, true] {
            let fifo = folder.fifo();
            let mut child = folder.richman(&format!("{command} --time 1")).stdin(Stdio::piped()).spawn().unwrap();
            let mut pipe = child.stdin.take().unwrap();
            let began = Instant::now();
            if sends {
                let open = fs::File::options().read(true).write(true).open(fifo).unwrap();
                let mut into: [&mut dyn Write; 2] = [&mut pipe, &mut &open];
                while began.elapsed() < Duration::from_secs(4) && child.try_wait().unwrap().is_none() {
                    for into in &mut into {
                        let _ = into.write_all(b" "); // after its wait it reads no more
                    }
                    thread::sleep(Duration::from_millis(10));
                }
            }
            let (status, out, err) = outcome(child, command);
            assert!(began.elapsed() < Duration::from_secs(3), "{command}: {:?}", began.elapsed());
            assert_eq!((status, out.as_str()), (Some(2), ""), "{command}: {err}");
            assert!(err.contains("it did not end within --time"), "{command}: {err}");
        }
    };
    thread::scope(|scope| {
        for command in ["solve -", "solve - --chips 3", "table -", "solve fifo"] {
            scope.spawn(move || waited(command));
        }
    });
}
