//! Game files as commands take them: one verdict on a file at every command, any path, several
//! files at once, and numbers as people write them.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const COIN: &str = r#"{"name":"coin","start":"toss","positions":{"toss":{"alice":["heads"],"bob":["tails"]},
    "heads":{"winner":"alice"},"tails":{"winner":"bob"}}}"#;

/// Play need not end, and ties pass on a marker.
const MARKER: &str = r#"{"name":"g1","start":"a","positions":{
    "a":{"both":["a","b"],"priority":1}, "b":{"kind":"alice","alice":["a","c"],"priority":2},
    "c":{"kind":"bob","bob":["b","c","d"],"priority":3}, "d":{"alice":["a"],"bob":["c","b"],"priority":0},
    "e":{"winner":"bob"}}}"#;

const SHIFTS: &str = r#"{"name":"shifts","start":"left","objective":"mean-payoff","positions":{
    "left":{"both":["left","middle"]}, "middle":{"both":["left","right"]},
    "right":{"both":["middle","right"],"weight":1}}}"#;

const THROW: &str = "@type: DTMC\n@nr_states\n3\n@model\nstate 0 init\n\taction 0\n\t\t1 : 0.5\n\t\t2 : 0.5\n\
    state 1 alice\n\taction 0\n\t\t1 : 1\nstate 2 bob\n\taction 0\n\t\t2 : 1\n";

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, bytes) in files {
            fs::write(folder.path(name), bytes).unwrap();
        }
        folder
    }

    fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.path().join(name.as_ref())
    }

    fn run(&self, args: &[&OsStr], typed: &[u8]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
        command.args(args).current_dir(self.0.path());
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(typed); // it may have ended
        child.wait_with_output().unwrap()
    }

    /// The exit status, the output and the errors of a command, without white space in its words.
    fn said(&self, line: &str) -> (Option<i32>, String, String) {
        let args: Vec<&OsStr> = line.split_whitespace().map(OsStr::new).collect();
        let Output { status, stdout, stderr } = self.run(&args, b"");
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (status.code(), stdout, stderr)
    }
}

/// What makes a file unusable is said in the same words wherever the file is given.
#[test]
fn a_file_has_one_verdict_at_every_command() {
    let weight = |number: &str| {
        r#"{"name":"n","start":"a","positions":{"a":{"both":[{"to":"b","weight":NUMBER}]},"b":{"score":0}}}"#
            .replace("NUMBER", number)
    };
    let weights = ["1e-400", "0.99999999999999999999", "1000000000.00000001"].map(weight);
    let files: [(&str, &[u8]); 11] = [
        ("tiny.json", weights[0].as_bytes()),
        ("nearly.json", weights[1].as_bytes()),
        ("above.json", weights[2].as_bytes()),
        ("space.json", br#"{"name":"n","start":" ","positions":{" ":{"both":[" ","b"]},"b":{"winner":"alice"}}}"#),
        ("noinit.drn", &THROW.replace(" init", "").into_bytes()),
        ("two.drn", &THROW.replace("state 2", "state 2 init").into_bytes()),
        ("six.drn", &THROW.replace("alice", "six").replace("bob", "one").into_bytes()),
        ("coin.tra", b"2 2\n0 1 1\n1 1 1\n"),
        ("coin.lab", b"0=\"init\"\n0: 0\n"),
        ("packed.json", b"\xFD7zXZ\0\0\x04\xe6\xd6\xb4\x46"),
        ("comment.json", b"// a coin\n{}"),
    ];
    let folder = Folder::new(&files);
    for (file, _) in files {
        let (status, stdout, verdict) = folder.said(&format!("solve {file}"));
        assert_eq!((status, stdout.as_str()), (Some(2), ""), "{file}");
        assert!(verdict.starts_with(&format!("richman: {file}")) && verdict.matches(file).count() == 1, "{verdict}");
        for command in [
            "convert FILE out.json",
            "export FILE",
            "table FILE --chips 1",
            "tree FILE",
            "scores FILE --chips 1",
            "random-turn FILE",
            "compare FILE FILE",
            "duel FILE --alice random --bob random --chips 1",
            "play FILE --two",
        ] {
            let (status, stdout, stderr) = folder.said(&command.replace("FILE", file));
            assert_eq!((status, stdout, stderr.as_str()), (Some(2), String::new(), verdict.as_str()), "{command}");
        }
    }
}

#[test]
fn names_of_forms_may_be_capitals() {
    const TOWERS: &str = "// three towers\nparity 2;\n0 2 0 0; // hi\n1 3 1 1;\n2 4 1 0,1;\n";
    let folder = Folder::new(&[("TOWERS.GM", TOWERS.as_bytes()), ("towers.pg", TOWERS.as_bytes())]);
    let (status, of_gm, _) = folder.said("solve TOWERS.GM --chips 1");
    let (_, of_pg, _) = folder.said("solve towers.pg --chips 1");
    assert_eq!((status, of_gm.replace("TOWERS", "towers")), (Some(0), of_pg));
    for line in ["TOWERS.GM out.PG", "TOWERS.GM out2 --to GM", "out.PG out3.gm", "TOWERS.GM x.JSON", "x.JSON out4.pg"] {
        assert_eq!(folder.said(&format!("convert {line}")), (Some(0), String::new(), String::new()), "{line}");
    }
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    for name in ["out2", "out3.gm", "out4.pg"] {
        assert_eq!(read(name), read("out.PG"), "{name}");
    }
    // A name that no file has is still taken as that of a file.
    let (_, _, message) = folder.said("solve nosuch.GM.gz");
    assert!(message.contains("nosuch.GM.gz: No such file"), "{message}");
}

#[test]
fn with_several_files_the_others_are_answered() {
    let files =
        [("a.json", COIN), ("b.json", "{}"), ("c.json", COIN), ("d.drn", THROW)].map(|(a, b)| (a, b.as_bytes()));
    let folder = Folder::new(&files);
    let one = folder.said("solve a.json").1;
    let (status, stdout, stderr) = folder.said("solve b.json nosuch.json a.json d.drn c.json nosuch:x=1");
    assert_eq!((status, stdout), (Some(2), format!("{one}\n{one}")));
    let lines: Vec<&str> = stderr.lines().collect();
    let begins =
        ["b.json, line 1", "nosuch.json: No such file", "d.drn: chance moves in this game too", "nosuch:x=1: "];
    assert_eq!(lines.len(), begins.len(), "{stderr}");
    for (line, begins) in lines.iter().zip(begins) {
        assert!(line.starts_with(&format!("richman: {begins}")), "{line}");
    }
    for (line, file) in lines.iter().zip(["b.json", "nosuch.json", "d.drn"]) {
        assert_eq!(line.matches(file).count(), 1, "{line}");
    }
    let (status, csv, _) = folder.said("solve b.json a.json c.json --csv");
    let (_, alone, _) = folder.said("solve a.json c.json --csv");
    assert_eq!((status, csv), (Some(2), alone));
    assert_eq!(folder.said("solve a.json c.json").0, Some(0));
}

/// A path is any name of the system, here one that is not UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn any_path_is_a_path() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[]);
    let names = [&b"c\xffoin.json"[..], b"o\xfeut.richman", b"m\xffatch.txt"];
    let [game, other, record] = names.map(OsStr::from_bytes);
    fs::write(folder.path(game), COIN).unwrap();
    let words = |line: &'static str| line.split(' ').map(OsStr::new).collect::<Vec<_>>();
    let read = |args: &[&OsStr]| {
        let output = folder.run(args, b"");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let told = read(&[&words("solve")[..], &[game]].concat());
    assert!(told.contains("Alice can force a win with more than 1/2"), "{told}");
    read(&[&words("convert")[..], &[game, other]].concat());
    for command in ["export", "tree", "random-turn", "table --chips 1", "duel --alice random --bob random --chips 2"] {
        let args = words(command);
        let [of_json, of_binary] = [game, other].map(|file| read(&[&args[..1], &[file], &args[1..]].concat()));
        assert_eq!(of_json, of_binary, "{command}");
    }
    read(&[&words("compare")[..], &[game, other]].concat());
    read(&[&words("solve")[..], &[game, other], &words("--csv")].concat());
    // `save` takes one too, and asks before it replaces the file.
    let save = [&b"save "[..], record.as_bytes(), b"\n"].concat();
    let typed = [&b"1\n0\n"[..], &save, &save, b"no\nboard\n", &save, b"YES\n"].concat();
    let play = [&words("play")[..], &[game], &words("--two --chips 4")].concat();
    let output = folder.run(&play, &typed);
    let text = String::from_utf8_lossy(&output.stdout);
    for (words, times) in [
        ("Saved to m\u{fffd}atch.txt.", 2),
        ("m\u{fffd}atch.txt exists. Replace it? (y/n)", 2),
        ("Nothing was saved: the file is as it was.", 1),
    ] {
        assert_eq!(text.matches(words).count(), times, "{words}: {text}");
    }
    assert!(fs::read(folder.path(record)).unwrap().starts_with(b"["));
}

#[test]
fn a_file_is_replaced_only_after_a_yes() {
    let folder = Folder::new(&[("coin.json", COIN.as_bytes()), ("match.txt", b"mine")]);
    let play = |typed: &str| {
        let args = ["play", "coin.json", "--two", "--chips", "4"].map(OsStr::new);
        folder.run(&args, typed.as_bytes());
        fs::read_to_string(folder.path("match.txt")).unwrap()
    };
    for typed in ["save match.txt\n", "save match.txt\nquit\n", "save match.txt\n\n", "/save  match.txt \nn\n"] {
        assert_eq!(play(typed), "mine", "{typed:?}");
    }
    assert!(play("save match.txt\ny\n").contains("[Game"));
}

#[test]
fn fractions_may_be_decimal_numbers() {
    let folder = Folder::new(&[("shifts.json", SHIFTS.as_bytes())]);
    for (decimal, fraction) in [
        ("solve shifts.json --payment poorman --share 0.5", "solve shifts.json --payment poorman --share 1/2"),
        ("solve shifts.json --at-least 0.34 --all", "solve shifts.json --at-least 17/50 --all"),
        ("table shifts.json --at-least 2.5e-1 --chips 0..4", "table shifts.json --at-least 1/4 --chips 0..4"),
        ("solve tug-of-war --payment taxman:0.5", "solve tug-of-war --payment taxman:1/2"),
        ("solve tug-of-war --payment TAXMAN:0.250", "solve tug-of-war --payment taxman:1/4"),
    ] {
        let found = folder.said(decimal);
        assert_eq!((found.0, &found.2), (Some(0), &String::new()), "{decimal}");
        assert_eq!(found, folder.said(fraction), "{decimal}");
    }
    for line in [
        "shifts.json --share 1.5",
        "shifts.json --share .5",
        "shifts.json --share 1e-9999",
        "shifts.json --at-least 0.3.4",
        "tug-of-war --payment taxman:1.01",
        "tug-of-war --payment taxman:0.00000000001",
    ] {
        let (status, _, message) = folder.said(&format!("solve {line}"));
        assert_eq!(status, Some(2), "{line}: {message}");
    }
}

/// What is solved for the start is listed for every position, whether or not it can be saved.
#[test]
fn all_positions_are_listed_where_the_start_is_solved() {
    let folder = Folder::new(&[("marker.json", MARKER.as_bytes())]);
    let flags = "marker.json --chips 3 --ties marker --bidding bob-first";
    let (status, start, _) = folder.said(&format!("solve {flags}"));
    let (of_all, all, message) = folder.said(&format!("solve {flags} --all"));
    assert_eq!((status, of_all), (Some(0), Some(0)), "{message}");
    assert!(all.starts_with(&start), "{all}");
    let needs = ["any holding", "any holding", "no holding", "2 or more"];
    for ((position, needs), least) in ["a", "b", "c", "d"].into_iter().zip(needs).zip(["0", "0", "4", "2"]) {
        let (_, one, _) = folder.said(&format!("solve {flags} --position {position}"));
        assert!(one.contains(&format!("Alice can force a win with       {needs}")), "{one}");
        let row = |line: &str| line.split_whitespace().eq([position, "-", least, least]);
        assert!(all.lines().any(row), "{all}");
    }
    let (status, _, message) = folder.said(&format!("solve {flags} --save s.json"));
    assert!(status == Some(2) && message.contains("plans for play that never ends with ties marker"), "{message}");
}
