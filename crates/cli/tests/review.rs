//! `richman review`: text, JSON, the figure, and invalid records.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use roxmltree::Document;
use serde_json::Value;

/// A game of bidding Tic-Tac-Toe [DP10, 1.1].
const DP10: &str = r#"[Game "tic-tac-toe"]
[Alice "4*"]
[Bob "4"]
[Result "Alice"]

1. 1*-1 Alice b2
2. 1-1* Bob a1
3. 2-2 Bob c1
4. 2*-2 Alice b1
5. 4-4* Bob b3
6. 0*-0 Alice a2
7. 1-0 Alice c2
"#;

const ANSWER: &str = "Alice won. With 4* against 4 Bob was lost from the start against best play: 1 chip short of a \
                      draw. Alice gave nothing away, so nothing that Bob did could have changed the result.";

fn review(record: &str, args: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_richman"))
        .args(["review", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(record.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
fn done(record: &str, args: &[&str]) -> String {
    let output = review(record, args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_did_bob_do_wrong() {
    let text = done(DP10, &[]);
    println!("{text}");
    assert!(text.starts_with("tic-tac-toe\nrests on the exact solution with chips\n"), "{text}");
    assert!(text.contains(ANSWER), "{text}");
    let report: Value = serde_json::from_str(&done(DP10, &["--json"])).unwrap();
    assert_eq!(report["rests_on"], "exact chips");
    assert_eq!(report["summary"], ANSWER);
    assert_eq!(report["turns"].as_array().unwrap().len(), 7);
    let first = &report["turns"][0];
    assert_eq!((&first["alice"], &first["alice_bids"], &first["move"]), (&"4*".into(), &1.into(), &"b2".into()));
    assert_eq!(first["worth"]["outcome"], "alice");
    assert_eq!(first["worth"]["win"]["threshold"], "4*");
    assert_eq!(
        (&first["worth"]["margin"]["alice"]["win"], &first["worth"]["margin"]["bob"]["draw"]),
        (&0.into(), &(-1).into())
    );
    assert_eq!((&report["now"]["winner"], &report["now"]["how"]), (&"alice".into(), &"game".into()));
    assert!(report["mistakes"].as_array().unwrap().iter().all(|mistake| mistake["grade"] != "result"));
}

#[test]
fn the_figure_is_for_everybody() {
    let mistaken = "[Game \"tug-of-war:length=2,at=1\"] [Alice \"1*\"] [Bob \"2\"] 1. 1*-1 Alice 0";
    for (record, crosses) in [(DP10, 0), (mistaken, 1)] {
        let svg = done(record, &["--svg", "-"]);
        assert_eq!(svg, done(record, &["--svg", "-"]), "the same every time");
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        let of = |name: &str| root.children().find(|node| node.has_tag_name(name)).unwrap();
        assert_eq!(root.attribute("role"), Some("img"));
        let ids = [of("title"), of("desc")].map(|node| node.attribute("id").unwrap());
        assert_eq!(root.attribute("aria-labelledby"), Some(ids.join(" ").as_str()));
        assert!(of("desc").text().unwrap().contains("Alice won"));
        // The legend adds one untitled mark of each kind.
        let marks: Vec<_> = document.descendants().filter(|node| node.attribute("class") == Some("result")).collect();
        assert_eq!(marks.len(), crosses + 1);
        let titled = marks.iter().filter(|mark| mark.children().any(|node| node.has_tag_name("title"))).count();
        assert_eq!(titled, crosses);
    }
}

#[test]
fn a_broken_record_is_one_clear_error() {
    let broken = [
        (DP10.replace("3. 2-2 Bob c1", "3. 2-x Bob c1"), "line 8"),
        (DP10.replace("3. 2-2 Bob c1", "3. 2-9 Bob c1"), "turn 3"),
        (DP10.replace("3. 2-2 Bob c1", "3. 2-2 Bob b2"), "turn 3"),
        (DP10.replace("tic-tac-toe", "tic-tac"), "tic-tac"),
    ];
    for (record, place) in broken {
        let output = review(&record, &[]);
        let error = String::from_utf8(output.stderr).unwrap();
        println!("{error}");
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(output.stdout.is_empty());
        assert!(error.starts_with("richman: standard input"), "{error}");
        assert!(error.contains(place), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
