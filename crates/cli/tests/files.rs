//! Every flag that names a file: devices, pipes and links stay what they are, permissions are kept,
//! and nothing else is left behind.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

/// A saved solution of a parity game with chips.
const SAVED: &str = "tests/data/saved-guard.json";

/// A command that writes a file whose name comes last, and its standard input.
const WRITERS: &[(&[&str], &str)] = &[
    (&["solve", "tic-tac-toe:rows=2,cols=3", "--save"], ""),
    (&["solve", "tic-tac-toe:rows=2,cols=3", "--chips", "4", "--save"], ""),
    (&["solve", "tug-of-war", "--payment", "poorman", "--alice", "3*", "--bob", "2", "--save"], ""),
    (&["solve", "hex:size=3", "--svg"], ""),
    (&["table", "tug-of-war", "--chips", "0..3", "--save"], ""),
    (&["table", "tug-of-war", "--chips", "0..3", "--certificate"], ""),
    (&["table", "tug-of-war", "--chips", "0..3", "--svg"], ""),
    (&["scores", "subtraction", "--total", "3", "--svg"], ""),
    (&["unitary", "--totals", "0..5", "--svg"], ""),
    (&["unitary", "--automaton", "5", "--svg"], ""),
    (&["review", "../../examples/dp10-1-1.txt", "--svg"], ""),
    (&["tree", "tug-of-war", "--json", "--output"], ""),
    (&["tree", "tug-of-war", "--svg"], ""),
    (&["verify", SAVED, "--gm"], ""),
    (&["play", "tug-of-war", "--seed", "1"], "save "),
];

/// Flags whose file is read first, so it must be a regular file.
const READERS: &[&[&str]] =
    &[&["solve", "connect:rows=5,cols=6", "--time", "0", "--bounds"], &["serve", "--listen", "127.0.0.1:0", "--store"]];

/// A game of [`SAVED`].
const GUARD: &str = "../../examples/guard.json";

/// Flags whose file is only read, from a pipe too.
const INPUTS: &[&[&str]] = &[
    &["duel", GUARD, "--chips", "1", "--alice", "perfect", "--games", "2", "--within", "5", "--solution"],
    &["play", GUARD, "--chips", "1", "--level", "perfect", "--seed", "1", "--solution"],
];

/// Flags whose file is only read, beside another.
const BESIDE: &[&[&str]] = &[&["convert", "--labels"], &["site", "--module"]];

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The command with the name of its file.
fn command((args, input): (&[&str], &str), path: &Path) -> (Command, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if input.is_empty() {
        command.arg(path);
        return (command, String::new());
    }
    let replace = if path.is_file() { "y\n" } else { "" };
    (command, format!("{input}{}\n{replace}quit\n", path.display()))
}

fn run_as(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().expect("richman runs");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes()); // it may have ended
    child.wait_with_output().expect("it ends")
}

fn run(writer: (&[&str], &str), path: &Path) -> Output {
    let (command, input) = command(writer, path);
    run_as(command, &input)
}

fn done(writer: (&[&str], &str), path: &Path) {
    let output = run(writer, path);
    assert!(output.status.success(), "{writer:?} {path:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The output on both streams.
fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

#[test]
fn what_is_only_read_may_come_through_a_pipe() {
    let scratch = tempdir().unwrap();
    let pipe = scratch.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for args in INPUTS {
        let from_file = run((args, ""), Path::new(SAVED));
        assert!(from_file.status.success(), "{args:?}: {}", said(&from_file));
        let written = pipe.clone();
        let writer = thread::spawn(move || fs::write(written, fs::read(SAVED).unwrap()));
        assert_eq!(said(&run((args, ""), &pipe)), said(&from_file), "{args:?}");
        writer.join().unwrap().unwrap();
        for unreadable in [scratch.path(), &scratch.path().join("missing")] {
            let output = run((args, ""), unreadable);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
            assert!(said(&output).contains(&unreadable.display().to_string()), "{}", said(&output));
        }
    }
    assert_eq!(names(scratch.path()), ["pipe"]);
}

/// The tables have every flag that takes a file according to the help.
#[test]
fn every_flag_that_names_a_file_is_in_the_tables() {
    let help = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_richman")).args(args).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let commands: BTreeSet<String> = help(&[])
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next().filter(is_word).map(str::to_string))
        .collect();
    let tables = WRITERS.iter().map(|(args, _)| args).chain(READERS).chain(INPUTS).chain(BESIDE);
    let tested: BTreeSet<(&str, &str)> = tables.map(|args| (args[0], args[args.len() - 1])).collect();
    let mut found = 0;
    for command in &commands {
        for line in help(&[command.as_str()]).lines().filter(|line| line.contains("<FILE>")) {
            let Some(flag) = line.split_whitespace().find(|word| word.starts_with("--")) else { continue };
            assert!(tested.contains(&(command.as_str(), flag)), "{command} {flag}");
            found += 1;
        }
    }
    assert!(commands.contains("solve") && found >= 13, "{found} flags of {commands:?}");
}

#[test]
fn regular_files_are_replaced_and_keep_their_permissions() {
    let scratch = tempdir().unwrap();
    let usual = scratch.path().join("usual");
    fs::write(&usual, "").unwrap();
    for &writer in WRITERS {
        let (fresh, older) = (scratch.path().join("fresh"), scratch.path().join("older"));
        done(writer, &fresh);
        assert_eq!(mode(&fresh), mode(&usual), "{writer:?}");
        for kept in [0o600, 0o640, 0o666] {
            fs::write(&older, "older").unwrap();
            fs::set_permissions(&older, fs::Permissions::from_mode(kept)).unwrap();
            done(writer, &older);
            assert_eq!(mode(&older), kept, "{writer:?}");
        }
        let is_dated = writer.0[0] == "play";
        assert!(is_dated || fs::read(&older).unwrap() == fs::read(&fresh).unwrap(), "{writer:?}");
        assert!(fs::metadata(&fresh).unwrap().len() > 50);
        assert_eq!(names(scratch.path()), ["fresh", "older", "usual"], "{writer:?}");
        fs::remove_file(&fresh).unwrap();
    }
}

#[test]
fn links_stay_and_what_they_lead_to_is_replaced() {
    let (here, there) = (tempdir().unwrap(), tempdir().unwrap());
    for &writer in WRITERS {
        let (link, target) = (here.path().join("link"), there.path().join("target"));
        symlink(Path::new("..").join(there.path().file_name().unwrap()).join("target"), &link).unwrap();
        // At first the link is dangling.
        for older in [false, true] {
            if older {
                fs::write(&target, "older").unwrap();
                fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
            }
            done(writer, &link);
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{writer:?}");
            assert!(fs::symlink_metadata(&target).unwrap().is_file(), "{writer:?}");
            assert!(fs::metadata(&target).unwrap().len() > 50, "{writer:?}");
            assert!(!older || mode(&target) == 0o600, "{writer:?}");
        }
        assert_eq!((names(here.path()), names(there.path())), (vec!["link".to_string()], vec!["target".to_string()]));
        fs::remove_file(&link).unwrap();
        fs::remove_file(&target).unwrap();
    }
}

/// Links lead to the devices, so that a command that replaces its file does not harm the machine.
#[test]
fn devices_and_pipes_are_written_to() {
    let scratch = tempdir().unwrap();
    for device in ["/dev/null", "/dev/full"].map(Path::new).into_iter().filter(|device| device.exists()) {
        let link = scratch.path().join("link");
        symlink(device, &link).unwrap();
        for &writer in WRITERS {
            let output = run(writer, &link);
            let refused = device == Path::new("/dev/full");
            assert_eq!(output.status.success(), !refused || writer.0[0] == "play", "{writer:?}");
            assert_eq!(said(&output).contains("No space left on device"), refused, "{writer:?}: {}", said(&output));
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{writer:?}");
            assert!(fs::metadata(&link).unwrap().file_type().is_char_device(), "{writer:?}");
        }
        for args in READERS {
            let output = run((args, ""), &link);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
            assert!(said(&output).contains("regular file"), "{args:?}: {}", said(&output));
        }
        assert_eq!(names(scratch.path()), ["link"]);
        fs::remove_file(&link).unwrap();
    }
    let (pipe, file) = (scratch.path().join("pipe"), scratch.path().join("file"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for &writer in WRITERS {
        done(writer, &file);
        // Also open for writing, so that opening for reading does not block and nothing is lost.
        let writable = File::options().read(true).write(true).open(&pipe).unwrap();
        let mut reader = File::open(&pipe).unwrap();
        let read = thread::spawn(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).unwrap();
            bytes
        });
        done(writer, &pipe);
        drop(writable); // the last writer
        let is_dated = writer.0[0] == "play";
        let read = read.join().unwrap();
        assert!(if is_dated { read.len() > 50 } else { read == fs::read(&file).unwrap() }, "{writer:?}");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{writer:?}");
    }
}

/// Standard output under another name is written like standard output, even if it is a regular
/// file.
#[test]
fn standard_output_by_its_name() {
    let (scratch, name) = (tempdir().unwrap(), Path::new("/dev/stdout"));
    if !name.exists() {
        return;
    }
    for &writer in WRITERS.iter().filter(|(args, _)| args[0] != "play") {
        let (alone, both, file) =
            (scratch.path().join("alone"), scratch.path().join("both"), scratch.path().join("file"));
        done(writer, &file);
        let report = run(writer, &file).stdout;
        let (mut command, _) = command(writer, name);
        command.stdin(Stdio::null()).stdout(File::create(&both).unwrap());
        assert!(command.status().unwrap().success(), "{writer:?}");
        assert_eq!(fs::read(&both).unwrap(), [fs::read(&file).unwrap(), report].concat(), "{writer:?}");
        assert!(!alone.exists());
    }
}

const NOBODY: u32 = 65534;

fn is_superuser() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout == b"0\n"
}

/// A folder that everybody may enter, with the program and its input files. The checkout may be in
/// a closed one.
fn installed(scratch: &TempDir) -> PathBuf {
    let folder = scratch.path().join("installed");
    for name in ["", "crates", "crates/cli", "crates/cli/tests", "crates/cli/tests/data", "examples"] {
        fs::create_dir(folder.join(name)).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (from, to, rights) in [
        (env!("CARGO_BIN_EXE_richman"), "richman", 0o755),
        ("../../examples/dp10-1-1.txt", "examples/dp10-1-1.txt", 0o644),
        (SAVED, &format!("crates/cli/{SAVED}"), 0o644),
    ] {
        fs::copy(from, folder.join(to)).unwrap();
        fs::set_permissions(folder.join(to), fs::Permissions::from_mode(rights)).unwrap();
    }
    fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Runs a command without privileges; the superuser runs it as nobody, in that group.
fn unprivileged(installed: &Path, writer: (&[&str], &str), path: &Path, group: u32) -> Output {
    let (usual, input) = command(writer, path);
    let mut command = Command::new(installed.join("richman"));
    command.args(usual.get_args()).current_dir(installed.join("crates/cli"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if is_superuser() {
        command.uid(NOBODY).gid(group);
    }
    run_as(command, &input)
}

/// A file keeps its group if its user may set it. Otherwise the group gets no rights, so that the
/// file is not open to others.
#[test]
fn a_group_that_cannot_be_kept_gets_nothing() {
    const TEAM: u32 = 1;
    if !is_superuser() {
        eprintln!("not tested: only the superuser can make files of other users and groups");
        return;
    }
    let scratch = tempdir().unwrap();
    let installed = installed(&scratch);
    let open = scratch.path().join("open");
    fs::create_dir(&open).unwrap();
    // New files get the group of the folder.
    chown(&open, None, Some(NOBODY)).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o2777)).unwrap();
    for &writer in WRITERS {
        for (older, group, becomes) in [
            (0o660, TEAM, (NOBODY, TEAM, 0o660)),
            (0o666, NOBODY, (NOBODY, NOBODY, 0o606)),
            (0o6777, NOBODY, (NOBODY, NOBODY, 0o707)),
            (0o6777, TEAM, (NOBODY, TEAM, 0o777)),
        ] {
            let path = open.join("older");
            fs::write(&path, "older").unwrap();
            chown(&path, Some(0), Some(TEAM)).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(older)).unwrap();
            let output = unprivileged(&installed, writer, &path, group);
            assert!(output.status.success(), "{writer:?}: {}", said(&output));
            let about = fs::metadata(&path).unwrap();
            assert_eq!((about.uid(), about.gid(), mode(&path)), becomes, "{writer:?} {older:o} {group}");
            fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn what_may_not_be_written_is_left_alone() {
    let scratch = tempdir().unwrap();
    let installed = installed(&scratch);
    let (locked, open) = (scratch.path().join("locked"), scratch.path().join("open"));
    for (folder, rights) in [(&locked, 0o555), (&open, 0o777)] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("older"), "older").unwrap();
        fs::set_permissions(folder.join("older"), fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(rights)).unwrap();
    }
    for &writer in WRITERS {
        for path in [locked.join("fresh"), locked.join("older"), open.join("older")] {
            let output = unprivileged(&installed, writer, &path, NOBODY);
            let said = said(&output);
            assert_eq!(output.status.success(), writer.0[0] == "play", "{writer:?} {path:?}");
            assert!(said.contains("Permission denied") && !said.contains(".richman-"), "{writer:?} {path:?}: {said}");
        }
    }
    for folder in [&locked, &open] {
        assert_eq!(names(folder), ["older"]);
        assert_eq!(fs::read_to_string(folder.join("older")).unwrap(), "older");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Nothing is written through files that others placed under guessable names.
#[test]
fn names_that_can_be_guessed_are_not_used() {
    let scratch = tempdir().unwrap();
    let (victim, target) = (scratch.path().join("victim"), scratch.path().join("saved.json"));
    fs::write(&victim, "victim").unwrap();
    for guess in ["saved.json.partial", "saved.unfinished", "saved.json.tmp", ".saved.json.tmp"] {
        symlink(&victim, scratch.path().join(guess)).unwrap();
    }
    for &writer in WRITERS {
        done(writer, &target);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "victim", "{writer:?}");
    }
    assert_eq!(names(scratch.path()).len(), 6);
}

#[test]
fn a_killed_command_leaves_the_older_file_or_the_new_one() {
    let scratch = tempdir().unwrap();
    let file = scratch.path().join("table.json");
    let writer: (&[&str], &str) = (&["table", "tic-tac-toe:rows=2,cols=3", "--chips", "0..200", "--save"], "");
    done(writer, &file);
    let whole = fs::read(&file).unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..12 {
        fs::write(&file, "older").unwrap();
        let mut child = command(writer, &file).0.spawn().unwrap();
        thread::sleep(Duration::from_millis(rng.u64(1..120)));
        let _ = child.kill();
        child.wait().unwrap();
        let left = fs::read(&file).unwrap();
        assert!(left == b"older" || left == whole, "{} bytes", left.len());
        let is_known = |name: &String| name == "table.json" || name.starts_with(".richman-");
        assert!(names(scratch.path()).iter().all(is_known), "{:?}", names(scratch.path()));
    }
}

/// Ctrl-C, once or twice, removes the temporary file; the old file stays.
#[test]
fn an_interrupted_command_leaves_no_unfinished_file() {
    // Writing takes longer than pressing Ctrl-C.
    let args: &[&str] = &["table", "tug-of-war:length=40", "--chips", "0..600", "--save"];
    let scratch = tempdir().unwrap();
    let file = scratch.path().join("saved.json");
    for times in 1..=2 {
        fs::write(&file, "older").unwrap();
        let mut child = command((args, ""), &file).0.spawn().unwrap();
        let began = Instant::now();
        while names(scratch.path()).len() < 2 {
            assert!(began.elapsed() < Duration::from_secs(60), "{args:?} saves nothing");
            assert!(child.try_wait().unwrap().is_none(), "{args:?} was not seen to save");
            thread::sleep(Duration::from_millis(1));
        }
        for _ in 0..times {
            let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            assert!(kill.success());
        }
        let pressed = Instant::now();
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(130), "{args:?}: {said}");
        assert!(times == 2 || said.contains("richman: stopped"), "{args:?}: {said}");
        assert!(pressed.elapsed() < Duration::from_secs(3), "{args:?}: {:?}", pressed.elapsed());
        assert_eq!(names(scratch.path()), ["saved.json"], "{args:?}, interrupted {times} times");
        assert_eq!(fs::read_to_string(&file).unwrap(), "older");
    }
}
