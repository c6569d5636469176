//! Files begin as editors and compressors leave them, and are the same games; models of other
//! programs begin as these write them.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use richman_core::{Effort, Error, Unwatched};
use richman_formats::{AnyGraph, FormatError, GameForm, Reading, read_game, read_transitions};

const LADDER: &str = r#"{ "name": "ladder", "start": "foot", "positions": {
    "top": { "winner": "alice" }, "ground": { "winner": "bob" },
    "foot": { "alice": [{ "to": "rung", "name": "up" }], "bob": [{ "to": "ground", "name": "down" }] },
    "rung": { "alice": [{ "to": "top", "name": "up" }], "bob": [{ "to": "foot", "name": "down" }] } } }"#;

const TOWERS: &str = "parity 2;\n0 2 0 0; // hi\n1 3 1 1;\n2 4 1 0,1;\n";

const THROW: &str = "@type: DTMC\n@parameters\n\n@reward_models\n\n@nr_states\n3\n@model\nstate 0 init\n\taction 0\n\
    \t\t1 : 0.5\n\t\t2 : 0.5\nstate 1 alice\n\taction 0\n\t\t1 : 1\nstate 2 bob\n\taction 0\n\t\t2 : 1\n";

/// Every state has only sure choices.
const SURE: &str = "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n3\n@nr_choices\n4\n@model\nstate 0 init\n\
    \taction a\n\t\t1 : 1\n\taction b\n\t\t2 : 1\nstate 1 alice\n\taction a\n\t\t1 : 1\nstate 2 bob\n\
    \taction a\n\t\t2 : 1\n";

/// The only end is a draw.
const DRAW: &str = r#"{"name":"game","start":"a","positions":{"a":{"kind":"chance","moves":[
    {"to":"a","chance":"1/2"},{"to":"d","chance":"1/2"}]},"d":{"winner":"none"}}}"#;

/// A coin as Storm writes it: two heads in a row win.
const STORMS_TRA: &str = "dTmC\n\n0 0 0\n0 1 0.5\n 0\t2 0.5  \n1 2 0.5\n1 3 0.5\n2 2 1\n3 3 1\n";
const STORMS_LAB: &str = "#DECLARATION\ninit deadlock\n heads\ttails\n#END\n0 init\n2 tails other\n3 heads\n";

/// The same as PRISM writes it.
const PRISMS_TRA: &str = "4 6\n0 1 0.5\n0 2 0.5\n1 2 0.5\n1 3 0.5\n2 2 1\n3 3 1\n";
const PRISMS_LAB: &str = "0=\"init\" 1=\"deadlock\" 2=\"heads\" 3=\"tails\"\n0: 0\n2: 3\n3: 2\n";

/// The forms of text, by the first line that follows white space.
const TEXTS: [(&str, &str); 3] = [("ladder.json", LADDER), ("towers.gm", TOWERS), ("throw.drn", THROW)];

fn as_json(graph: &AnyGraph) -> String {
    let mut text = Vec::new();
    graph.write(GameForm::Json, &mut text, &Unwatched).unwrap();
    String::from_utf8(text).unwrap()
}

fn read(name: &str, bytes: &[u8]) -> Result<String, String> {
    let graph = read_game(name, &mut &bytes[..], &Reading::within(Effort::default()));
    graph.map(|graph| as_json(&graph)).map_err(|error| error.to_string())
}

fn model(tra: &[u8], lab: &[u8], target: &str) -> Result<String, String> {
    let (mut tra, mut lab) = (tra, lab);
    let files = [("coin.tra", &mut tra as &mut dyn Read), ("coin.lab", &mut lab)];
    let graph = read_transitions(files, &Reading { target: Some(target), ..Reading::within(Effort::default()) });
    graph.map(|graph| as_json(&graph)).map_err(|error| error.to_string())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A pipe that gives one byte at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(1);
        self.0.read(&mut into[..most])
    }
}

#[test]
fn what_stands_before_a_text_does_not_change_its_form() {
    for (name, text) in TEXTS {
        let game = read(name, text.as_bytes()).unwrap();
        for before in ["", "\u{feff}", "\n\n", " \t ", "\u{feff}\r\n\n  "] {
            let text = format!("{before}{text}").into_bytes();
            for bytes in [&text, &gzip(&text)] {
                assert_eq!(read(name, bytes).as_ref(), Ok(&game), "{name} after {before:?}");
                let graph = read_game(name, &mut Drops(bytes), &Reading::within(Effort::default())).unwrap();
                assert_eq!(as_json(&graph), game, "{name} after {before:?} byte by byte");
            }
        }
        // Two parts that are compressed, one after the other, are one file.
        let (one, other) = text.as_bytes().split_at(20);
        assert_eq!(read(name, &[gzip(one), gzip(other)].concat()), Ok(game), "{name}");
    }
    let coin = model(PRISMS_TRA.as_bytes(), PRISMS_LAB.as_bytes(), "heads").unwrap();
    for (tra, lab) in [(PRISMS_TRA, PRISMS_LAB), (STORMS_TRA, STORMS_LAB)] {
        for before in ["", "\u{feff}", "\n \n"] {
            let [tra, lab] = [tra, lab].map(|text| format!("{before}{text}").into_bytes());
            assert_eq!(model(&tra, &lab, "heads").as_ref(), Ok(&coin), "{before:?}");
            assert_eq!(model(&gzip(&tra), &gzip(&lab), "heads").as_ref(), Ok(&coin), "{before:?}");
        }
    }
}

#[test]
fn places_count_what_stands_before() {
    for (name, text, place) in [
        ("a.json", "\u{feff}\n\n  {\"name\": 7}", "a.json, line 3, column "),
        ("a.gm", "\n// a comment\n\n  parity 2;\n0 2 0;", "a.gm, line 5, column 6"),
        ("a.drn", " \n//c\n  @type: CTMC\n", "a.drn, line 3, column 3"),
    ] {
        let message = read(name, text.as_bytes()).unwrap_err();
        assert!(message.starts_with(place), "{message}");
    }
}

#[test]
fn comments_may_begin_the_forms_that_have_them() {
    for (name, text) in TEXTS {
        for before in ["// c\n", "\n  // one\n//\n\n// two // 2\n", "\u{feff}//\n"] {
            let found = read(name, format!("{before}{text}").as_bytes());
            if name.ends_with(".json") {
                let message = found.unwrap_err();
                assert!(message.contains("only .gm and .drn have comments: leave it out"), "{message}");
            } else {
                assert_eq!(found, read(name, text.as_bytes()), "{name} after {before:?}");
            }
        }
    }
    let message = read("a.gm", b"parity 1; / 0 0 0 0;").unwrap_err();
    assert!(message.contains("a comment begins with two slashes"), "{message}");
}

#[test]
fn other_compression_is_named_with_what_to_do() {
    for (bytes, command) in [
        (&b"\xFD7zXZ\0\0\x04\xe6\xd6\xb4\x46"[..], "xz -dc"),
        (b"\x28\xB5\x2F\xFD\x24\x09", "zstd -dc"),
        (b"BZh91AY", "bzip2 -dc"),
    ] {
        for bytes in [bytes, &gzip(bytes)] {
            let message = read("a.json", bytes).unwrap_err();
            assert!(message.contains(&format!("a.json: the file is compressed: unpack it, as with `{command}`")));
            let message = model(bytes, PRISMS_LAB.as_bytes(), "heads").unwrap_err();
            assert!(message.starts_with("coin.tra: the file is compressed"), "{message}");
        }
    }
}

#[test]
fn compressed_files_are_checked_and_limited() {
    let packed = gzip(LADDER.as_bytes());
    for length in [3, packed.len() / 2, packed.len() - 1] {
        let message = read("a.json", &packed[..length]).unwrap_err();
        assert!(message.contains("the compressed file is damaged"), "{length}: {message}");
    }
    // Sixteen million spaces.
    let blank = gzip(&vec![b' '; 1 << 24]);
    let little = Reading::within(Effort { memory: 1 << 20, ..Effort::default() });
    let error = read_game("a.json", &mut &blank[..], &little).unwrap_err();
    assert!(matches!(error, FormatError::Unreadable { .. }), "{error}");
    assert!(error.to_string().contains("larger than 1048576 bytes"), "{error}");
    let spaces = format!("{}{LADDER}", " ".repeat(1 << 20));
    assert_eq!(read("a.json", spaces.as_bytes()), read("a.json", LADDER.as_bytes()));
}

#[test]
fn a_game_whose_only_end_is_a_draw_comes_back() {
    let game = read("game.json", DRAW.as_bytes()).unwrap();
    for form in [GameForm::Drn, GameForm::Umb] {
        let graph = read_game("game.json", &mut DRAW.as_bytes(), &Reading::within(Effort::default())).unwrap();
        let mut bytes = Vec::new();
        graph.write(form, &mut bytes, &Unwatched).unwrap();
        let back = read(&format!("game.{form}"), &bytes).unwrap();
        assert_eq!(back, game.replace("\"a\"", "\"0\"").replace("\"d\"", "\"1\""), "{form}");
    }
}

#[test]
fn a_process_without_chance_is_a_game_to_win() {
    let graph = read_game("sure.drn", &mut SURE.as_bytes(), &Reading::within(Effort::default())).unwrap();
    assert!(matches!(graph, AnyGraph::Win(_)));
    let game = as_json(&graph);
    assert!(game.contains(r#""0": {"kind":"alice","alice":["1","2"]}"#), "{game}");
    let mut again = Vec::new();
    graph.write(GameForm::Drn, &mut again, &Unwatched).unwrap();
    assert_eq!(read("sure.drn", &again), Ok(game));
}

#[test]
fn play_has_one_start() {
    let message = read("throw.drn", THROW.replace(" init", "").as_bytes()).unwrap_err();
    assert!(message.contains("no state has the label init: give it to the state where play starts"), "{message}");
    let message = read("throw.drn", THROW.replace("1 alice", "1 alice init").as_bytes()).unwrap_err();
    assert!(message.contains("a second state has the label init"), "{message}");
    for (tra, lab) in [(PRISMS_TRA, PRISMS_LAB.replace("0: 0\n", "")), (STORMS_TRA, STORMS_LAB.replace("0 init\n", ""))]
    {
        let message = model(tra.as_bytes(), lab.as_bytes(), "heads").unwrap_err();
        assert!(message.contains("no state has the label init"), "{message}");
    }
}

#[test]
fn a_declared_label_may_have_no_state() {
    for (tra, lab, none) in [
        (PRISMS_TRA, PRISMS_LAB, PRISMS_LAB.replace("3: 2\n", "")),
        (STORMS_TRA, STORMS_LAB, STORMS_LAB.replace("3 heads\n", "")),
    ] {
        let game = model(tra.as_bytes(), none.as_bytes(), "heads").unwrap();
        assert!(!game.contains("winner"), "{game}");
        let message = model(tra.as_bytes(), lab.as_bytes(), "edge").unwrap_err();
        assert!(message.contains("no state has the label \"edge\""), "{message}");
    }
}

#[test]
fn models_of_storm_that_are_none_are_refused() {
    for (from, to, words) in [
        ("dTmC", "ctmc", "coin.tra, line 1, column 1: \"ctmc\" is not read: only dtmc and mdp are"),
        ("dTmC", "mdp", "coin.tra, line 3"),
        ("3 3 1", "3 9 1", "state 4 has no action"),
        ("0 1 0.5", "0 1 0.4", "add up to 9/10"),
        ("2 2 1\n", "", "state 2 has no action"),
        ("3 3 1", "18446744073709551615 3 1", "there are more than 4294967294 states"),
    ] {
        assert!(STORMS_TRA.contains(from), "{from}");
        let message = model(STORMS_TRA.replacen(from, to, 1).as_bytes(), STORMS_LAB.as_bytes(), "heads").unwrap_err();
        assert!(message.contains(words), "{from} -> {to}: {message}");
    }
    for (from, to, words) in [
        ("#END", "", "coin.lab, line 8, column 1: the line #END should follow the labels"),
        ("3 heads", "x heads", "coin.lab, line 7, column 1: the number of a state is \"x\""),
        ("3 heads", "9 heads", "coin.lab has a label for state 9, which does not exist"),
    ] {
        assert!(STORMS_LAB.contains(from), "{from}");
        let message = model(STORMS_TRA.as_bytes(), STORMS_LAB.replacen(from, to, 1).as_bytes(), "heads").unwrap_err();
        assert!(message.contains(words), "{from} -> {to}: {message}");
    }
    // A part of a model is recognized, and is no game.
    for (name, text) in [("coin.tra", PRISMS_TRA), ("coin", STORMS_TRA), ("COIN.LAB", PRISMS_LAB), ("coin", STORMS_LAB)]
    {
        let message = read(name, text.to_lowercase().as_bytes()).unwrap_err();
        assert!(message.contains("the transitions and the labels of a model are two files"), "{name}: {message}");
    }
}

/// A short file may say that it stands for many positions: the limits of whoever reads hold, before
/// anything is unfolded.
#[test]
fn a_short_file_of_many_positions_is_held_to_the_limits() {
    let text = |credit: u32| {
        format!(
            r#"{{"name": "c", "start": "a", "objective": "energy:{credit}", "positions": {{"a": {{"both": ["a"]}}}}}}"#
        )
    };
    let stopped = |credit, effort: Effort| {
        let text = text(credit);
        match read_game("c.json", &mut text.as_bytes(), &Reading::within(effort)).unwrap_err() {
            FormatError::Stopped { error, .. } => *error,
            error => panic!("{error}"),
        }
    };
    let usual = Effort::default();
    let few = stopped(60_000_000, Effort { positions: 1_000_000, ..usual });
    assert_eq!(few, Error::TooManyPositions { limit: 1_000_000 });
    let little = stopped(60_000_000, Effort { memory: 64 << 20, ..usual });
    assert!(matches!(little, Error::TooMuchMemory { .. }), "{little}");
    let started = Instant::now();
    let late = stopped(20_000_000, usual.within_time(Duration::from_millis(200)));
    assert!(matches!(late, Error::OutOfTime { .. }), "{late}");
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    // What fits is read, and no more than it is counted.
    assert!(
        read_game("c.json", &mut text(1_000).as_bytes(), &Reading::within(Effort { positions: 1_002, ..usual }))
            .is_ok()
    );
    assert_eq!(stopped(1_000, Effort { positions: 1_001, ..usual }), Error::TooManyPositions { limit: 1_001 });
}
