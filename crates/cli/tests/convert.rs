//! `richman convert`: a game file has the same answers in every form.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

const TOWERS: &str = "parity 2;\n0 1 0 0,1 \"left\";\n1 1 1 0,2 \"gate\";\n2 2 1 1,2 \"right\";\n";
const GUARD: &str = r#"{"name":"guard","start":"a","positions":{"a":{"both":["a","b"],"priority":1},
    "b":{"both":["a"],"priority":2}}}"#;

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a shell's command line; `richman` is the command.
    fn run(&self, line: &str) -> Output {
        let richman = format!("richman() {{ '{}' \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_richman"));
        Command::new("sh").args(["-c", &richman]).current_dir(self.0.path()).output().unwrap()
    }

    #[track_caller]
    fn said(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command says that prints nothing and fails with status 2.
    #[track_caller]
    fn refused(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{line}");
        String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
fn every_command_takes_every_form() {
    let folder = Folder::new();
    folder.said("richman export tic-tac-toe > t.json && richman convert t.json t.richman");
    let [text, binary] = ["t.json", "t.richman"].map(|name| fs::metadata(folder.path(name)).unwrap().len());
    assert!(binary * 4 < text, "{binary} bytes for {text}");
    folder.said("richman convert t.richman again.json && cmp t.json again.json");
    // By content, whatever the name; also from a pipe.
    folder.said("cp t.richman game && richman convert - - --to json < game | cmp - t.json");
    for command in ["solve FILE --json", "table FILE --chips 0..9", "tree FILE --depth 2", "compare FILE expr:E"] {
        let [of_text, of_binary] = ["t.json", "t.richman"]
            .map(|name| folder.said(&format!("richman {}", command.replace("FILE", name))).replace(name, "FILE"));
        assert_eq!(of_text, of_binary, "{command}");
        let piped = folder.said(&format!("cat t.richman | richman {}", command.replace("FILE", "-")));
        assert_eq!(piped.replace("standard input", "FILE"), of_text, "{command}");
    }
    folder.said("richman export subtraction:heap=12,set=1+3 > s.json && richman convert s.json s.richman");
    let [of_text, of_binary] =
        ["s.json", "s.richman"].map(|name| folder.said(&format!("richman scores {name} --chips 5")));
    assert_eq!(of_text, of_binary);
    folder.said("richman solve t.richman --chips 8 --save solution.json && richman verify solution.json");
    folder.said("richman export s.richman | cmp - s.json");
}

#[test]
fn games_and_solutions_for_other_programs() {
    let folder = Folder::new();
    fs::write(folder.path("towers.gm"), TOWERS).unwrap();
    fs::write(folder.path("guard.json"), GUARD).unwrap();
    folder.said("richman convert towers.gm towers.richman && richman convert towers.richman again.gm");
    let plain = TOWERS.replace(" \"left\"", "").replace(" \"gate\"", "").replace(" \"right\"", "");
    assert_eq!(fs::read_to_string(folder.path("again.gm")).unwrap(), plain);
    // Bob stays at the left end; from the right one he goes there.
    folder.said("richman convert towers.gm towers.sol");
    assert_eq!(fs::read_to_string(folder.path("towers.sol")).unwrap(), "paritysol 2;\n0 1;\n1 1 0;\n2 1 1;\n");
    assert_eq!(
        folder.said("richman convert towers.json - --to sol < towers.gm || richman convert towers.gm - --to sol"),
        "paritysol 2;\n0 1;\n1 1 0;\n2 1 1;\n"
    );
    for form in ["gm", "sol"] {
        let message = folder.refused(&format!("richman convert guard.json - --to {form}"));
        assert!(message.contains("guard.json, position \"a\": the players bid for the move"), "{message}");
        let message = folder.refused(&format!("richman export tug-of-war | richman convert - - --to {form}"));
        assert!(message.contains("standard input: only games with priorities"), "{message}");
    }
}

#[test]
fn what_cannot_be_converted_is_refused_and_no_file_written() {
    let folder = Folder::new();
    fs::write(folder.path("towers.gm"), TOWERS).unwrap();
    fs::write(folder.path("bad.json"), "{}").unwrap();
    fs::write(folder.path("states.tra"), "1 1\n0 0 1\n").unwrap();
    folder.said("richman convert towers.gm towers.richman && head -c 20 towers.richman > cut.richman");
    for (line, reason) in [
        ("towers.gm out", "out: the form to write is not clear: let the name end with .json, .richman, .gm, .sol,"),
        ("towers.gm -", "-: the form to write is not clear"),
        ("towers.gm out.txt", "out.txt (did you mean \".tra\"?): the form to write is not clear"),
        ("tic-tac-toe out.json", "tic-tac-toe: this is no file: `richman export` writes a game by its name"),
        ("nosuch.json out.json", "nosuch.json"),
        ("bad.json out.json", "bad.json, line 1, column 2: the key \"name\" is missing"),
        ("cut.richman out.json", "cut.richman: the file is damaged"),
        ("towers.gm out.json --memory 1kB", "raise --memory"),
        ("towers.gm out.json --to xml", "invalid value 'xml' for '--to <FORM>'"),
        ("towers.gm out.drn", "only games that are won or lost at an end can be written for Storm and PRISM"),
        (
            "states.tra out.json",
            "states.tra: the transitions and the labels of a model are two files: add --labels FILE.lab",
        ),
        ("states.tra out.json --labels nosuch.lab", "nosuch.lab"),
    ] {
        let message = folder.refused(&format!("richman convert {line}"));
        assert!(message.contains(reason), "{line}: {message}");
    }
    let message = folder.refused("richman convert towers.gm nosuch/out.json");
    assert!(message.contains("nothing was saved there"), "{message}");
    let left: Vec<_> = fs::read_dir(folder.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "{left:?}");
    // An older file stays as it was.
    folder.refused("richman convert bad.json towers.gm");
    assert_eq!(fs::read_to_string(folder.path("towers.gm")).unwrap(), TOWERS);
}

/// A few bytes that announce a thousand million positions, names or moves are refused where a
/// process may take 300 MB.
#[cfg(target_os = "linux")]
#[test]
fn announced_sizes_are_not_allocated() {
    let folder = Folder::new();
    let many = [0x80, 0x94, 0xeb, 0xdc, 0x03];
    for rest in [
        [&many[..], &[0, 0, 0]].concat(),
        [&many[..], &[1, 1, b'a']].concat(),
        [&[1, 0][..], &many].concat(),
        [&[1, 0, 0, 0, 2][..], &many].concat(),
    ] {
        for aim in [2, 4] {
            let bytes = [&b"RICHGAME\x01"[..], &[aim], b"\x01n\x00", &rest].concat();
            fs::write(folder.path("huge.richman"), bytes).unwrap();
            let message = folder.refused("ulimit -v 300000; richman solve huge.richman");
            assert!(message.contains("huge.richman: ") && message.contains("damaged"), "{message}");
        }
    }
    fs::write(folder.path("huge.drn"), "@type: DTMC\n@nr_states\n1000000000\n@model\nstate 0 alice\n").unwrap();
    let message = folder.refused("ulimit -v 300000; richman random-turn huge.drn");
    assert!(message.contains("the file announces 1000000000 states and has 1"), "{message}");
    fs::write(folder.path("huge.tra"), "1000000000 1000000000\n0 0 1\n").unwrap();
    fs::write(folder.path("huge.lab"), "0=\"alice\"\n4294967293: 0\n").unwrap();
    let message = folder.refused("ulimit -v 300000; richman convert huge.tra out.json --labels huge.lab");
    assert!(message.contains("the file announces 1000000000 transitions and has 1"), "{message}");
    fs::write(folder.path("huge.gm"), "parity 4294967294; 0 0 0 4294967294; 4294967294 1 1 0;").unwrap();
    let said = folder.said("ulimit -v 300000; richman solve huge.gm --chips 1");
    assert!(said.contains("position 0"), "{said}");
}
