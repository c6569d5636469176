//! Game files: their meaning, reading back, and the error message of every unusable one.

use richman_core::{ByPlayer, Game, GraphPosition, NodeData, Objective, Player, Terminal};
use richman_formats::{FormatError, GameFile, MAX_BYTES, ScoringFile};

const ULTIMATUM: &str = r#"{ "name": "ultimatum-1", "start": "0",
  "positions": {
    "win":  { "winner": "alice" }, "loss": { "winner": "bob" }, "tie": { "winner": "none" },
    "0":    { "alice": ["1"],   "bob": ["-1"] },
    "1":    { "alice": ["win"], "bob": ["0"] },
    "-1":   { "alice": ["0"],   "bob": ["loss"] } } }"#;

fn parse(text: &str) -> Result<GameFile, FormatError> {
    GameFile::parse("some.json", text.as_bytes())
}

/// A game with these positions and the ends "w" and "l".
fn with(positions: &str) -> String {
    format!(r#"{{"name":"g","start":"s","positions":{{"w":{{"winner":"alice"}},"l":{{"winner":"bob"}},{positions}}}}}"#)
}

/// The targets of Alice's moves and of Bob's.
fn targets<L: Objective>(position: &GraphPosition<L>) -> ByPlayer<Vec<&str>> {
    position.moves.as_ref().map(|moves| moves.iter().map(|step| step.to.as_str()).collect())
}

/// A scoring game with these positions and the end "e".
fn scoring(positions: &str) -> String {
    format!(r#"{{"name":"g","start":"s","positions":{{"e":{{"score":0}},{positions}}}}}"#)
}

#[test]
fn a_scoring_game_is_read_in_order_and_back() {
    let text = scoring(
        r#""s":{"both":[{"to":"t","weight":2},"e"],"bob":[{"to":"e","weight":5},{"to":"e","weight":-0.0}],
            "stuck":{"bob":3}},"t":{"alice":[{"to":"e","weight":2e1}]}"#,
    );
    let game = ScoringFile::parse("some.json", text.as_bytes()).unwrap();
    let step = |to: &str, weight| (to.to_string(), weight).into();
    let start = &game.positions[1];
    // Bob's copy of a shared move is negated; his own moves are as written.
    let bob = vec![step("t", -2), step("e", 0), step("e", 5)];
    assert_eq!(start.moves, ByPlayer::new(vec![step("t", 2), step("e", 0)], bob));
    assert_eq!([start.place, game.positions[0].place], [NodeData::On(ByPlayer::new(0, 3)), NodeData::End(0)]);
    assert_eq!(game.positions[2].moves.alice, [step("e", 20)]);
    let again = ScoringFile::parse("again.json", game.to_json().to_string().as_bytes()).unwrap();
    assert_eq!(again, game);
    assert_eq!(game.graph().unwrap().name(), "g");
    let message = parse(&text).unwrap_err().to_string();
    assert_eq!(message, "some.json: this game is played for a score: use richman scores");
    let message = ScoringFile::parse("u.json", ULTIMATUM.as_bytes()).unwrap_err().to_string();
    assert!(message.contains("is played to win"), "{message}");
}

#[test]
fn a_stuck_score_or_a_weight_alone_makes_a_scoring_game() {
    for position in [r#"{"stuck":{"alice":0}}"#, r#"{"alice":[{"to":"t","weight":1}]}"#] {
        let text = format!(r#"{{"name":"g","start":"s","positions":{{"s":{position},"t":{{}}}}}}"#);
        let game = ScoringFile::parse("some.json", text.as_bytes()).unwrap();
        assert_eq!(ScoringFile::parse("again.json", game.to_json().to_string().as_bytes()).unwrap(), game);
    }
}

#[test]
fn the_file_is_read_in_order_and_back() {
    let game = parse(ULTIMATUM).unwrap();
    assert_eq!((game.name.as_str(), game.start.as_str()), ("ultimatum-1", "0"));
    let names: Vec<&str> = game.positions.iter().map(|position| position.name.as_str()).collect();
    assert_eq!(names, ["win", "loss", "tie", "0", "1", "-1"]);
    assert_eq!(game.positions[0].place, NodeData::End(Terminal::Win(Player::Alice)));
    assert_eq!(game.positions[2].place, NodeData::End(Terminal::Draw));
    assert_eq!(targets(&game.positions[3]), ByPlayer::new(vec!["1"], vec!["-1"]));
    assert_eq!(parse(&game.to_json().to_string()).unwrap(), game);
    let graph = game.graph().unwrap();
    assert_eq!((Game::name(&graph), Game::start(&graph)), ("ultimatum-1".to_string(), 3));
}

#[test]
fn both_is_united_with_the_moves_of_each() {
    let game = parse(&with(
        r#""s":{"alice":["w",{"to":"l","weight":0}],"both":[{"weight":-0.0,"to":"s"},"w","w"],"bob":["l","s"]}"#,
    ))
    .unwrap();
    let start = game.positions.last().unwrap();
    assert_eq!(targets(start), ByPlayer::new(vec!["w", "l", "s"], vec!["s", "w", "l"]));
    let many: Vec<String> = (0..40).map(|at| format!("\"{}\"", ["w", "l", "s"][at % 3])).collect();
    let game = parse(&with(&format!(r#""s":{{"both":[{}]}}"#, many.join(",")))).unwrap();
    assert_eq!(targets(game.positions.last().unwrap()).bob, ["w", "l", "s"]);
}

#[test]
fn every_unusable_file_is_told_what_is_wrong_and_where() {
    let move_on = r#""s":{"both":["w","l"]}"#;
    let long = "x".repeat(1001);
    let rows: Vec<(String, &[&str])> = vec![
        // The file as a whole.
        (String::new(), &["line 1, column 0", "not JSON", "EOF"]),
        ("{\n \"name\": nope}".into(), &["line 2, column 11", "not JSON"]),
        (format!("{} x", with(move_on)), &["line 1", "not JSON", "trailing characters"]),
        ("[]".into(), &["line 1", "expected the game as an object"]),
        ("[".repeat(1 << 20), &["expected the game as an object"]),
        // Keys.
        (r#"{"start":"s","positions":{"s":{"winner":"bob"}}}"#.into(), &["key \"name\" is missing from the game"]),
        (r#"{"name":"g","positions":{"s":{"winner":"bob"}}}"#.into(), &["key \"start\" is missing"]),
        (r#"{"name":"g","start":"s"}"#.into(), &["key \"positions\" is missing"]),
        (
            r#"{"name":"g","begin":"s"}"#.into(),
            &["key \"begin\" is unknown in the game", "the keys are name, start, positions, description"],
        ),
        (r#"{"name":"g","name":"h"}"#.into(), &["line 1, column", "key \"name\" is given twice in the game"]),
        (
            with(r#""s":{"alice":["w"],"bobb":["l"]}"#),
            &["position \"s\"", "\"bobb\" is unknown in a position", "winner, alice, bob, both, score, stuck"],
        ),
        (with(r#""s":{"alice":["w"],"alice":["l"]}"#), &["position \"s\"", "key \"alice\" is given twice"]),
        (with(r#""s":{"both":[{"to":"w","cost":1}]}"#), &["position \"s\"", "\"cost\" is unknown", "to, weight, name"]),
        (with(r#""s":{"both":[{"to":"w","to":"l"}]}"#), &["position \"s\"", "key \"to\" is given twice in a move"]),
        (with(r#""s":{"both":[{"weight":0}]}"#), &["position \"s\"", "key \"to\" is missing from a move"]),
        // Types.
        (r#"{"name":7}"#.into(), &["integer `7`", "the name of the game as text"]),
        (r#"{"name":"g","start":"s","positions":["s"]}"#.into(), &["an object with the positions as its keys"]),
        (with(r#""s":["w"]"#), &["position \"s\"", "expected a position as an object"]),
        (with(r#""s":{"alice":"w"}"#), &["position \"s\"", "expected a list of moves"]),
        (with(r#""s":{"alice":[7]}"#), &["position \"s\"", "a move: the name of a position"]),
        (with(r#""s":{"both":[{"to":"w","weight":"1"}]}"#), &["position \"s\"", "expected a weight as a number"]),
        (with(r#""s":{"winner":"carol"}"#), &["position \"s\"", "\"carol\"", "\"alice\", \"bob\" or \"none\""]),
        (with(r#""s":{"winner":null}"#), &["position \"s\"", "null", "\"alice\", \"bob\" or \"none\""]),
        // Names.
        (r#"{"name":""}"#.into(), &["the name of the game is empty"]),
        (format!(r#"{{"name":"{long}"}}"#), &["the name of the game is longer than 1000 characters"]),
        (r#"{"name":"a\u001b[2Jb"}"#.into(), &["the name of the game contains the control character '\\u{1b}'"]),
        (r#"{"name":"a\u202eb"}"#.into(), &["the name of the game contains the control character '\\u{202e}'"]),
        (with(r#""":{"both":["w"]}"#), &["the name of a position is empty"]),
        (with(&format!(r#""{long}":{{"both":["w"]}}"#)), &["the name of a position is longer than 1000"]),
        (with(r#""a\nb":{"both":["w"]}"#), &["the name of a position contains the control character '\\n'"]),
        (with(r#""s":{"both":["a\tb"]}"#), &["position \"s\"", "leads to contains the control character '\\t'"]),
        (r#"{"name":"g","start":""}"#.into(), &["the start is empty"]),
        // The graph.
        (with(r#""s":{"alice":["x"],"bob":["l"]}"#), &["position \"s\"", "Alice moves to \"x\", which is not"]),
        (with(r#""s":{"alice":["w"]}"#), &["position \"s\"", "Bob has no move"]),
        (with(r#""s":{}"#), &["position \"s\"", "Alice has no move"]),
        (with(r#""s":{"winner":"bob","both":["w"]}"#), &["position \"s\"", "both a winner and moves"]),
        (with(&format!("{move_on},{move_on}")), &["position \"s\" is given twice"]),
        (with(r#""t":{"both":["w","l"]}"#), &["the start \"s\" is not a position"]),
        (r#"{"name":"g","start":"s","positions":{}}"#.into(), &["there are no positions"]),
        // Scores.
        (
            with(r#""s":{"score":1}"#),
            &["position \"s\" has a score", "position \"w\" has a winner", "either scores or winners"],
        ),
        (
            with(r#""s":{"both":["w"],"stuck":{"alice":1,"bob":0}}"#),
            &["position \"s\" has a stuck", "position \"w\" has a winner"],
        ),
        (
            with(r#""s":{"both":["w",{"to":"l","weight":-1}]}"#),
            &["position \"s\" has a weight", "position \"w\" has a winner"],
        ),
        (
            with(r#""s":{"both":[{"to":"l","weight":0.5}]}"#),
            &["position \"s\"", "a weight is 0.5: write a whole number"],
        ),
        (with(r#""s":{"both":[{"to":"l","weight":1e300}]}"#), &["position \"s\"", "a weight is 1000"]),
        (with(r#""s":{"score":"1"}"#), &["position \"s\"", "expected a score as a number"]),
        (with(r#""s":{"score":{"any":[1]}}"#), &["position \"s\"", "expected a score as a number"]),
        (
            with(r#""s":{"score":1000000001}"#),
            &["position \"s\"", "a score is 1000000001: write a whole number from -1000000000 to 1000000000"],
        ),
        (with(r#""s":{"score":-18446744073709551616}"#), &["position \"s\"", "a score is -1844674407370955"]),
        (with(r#""s":{"both":[],"stuck":3}"#), &["position \"s\"", "expected the stuck scores as an object"]),
        (with(r#""s":{"both":[],"stuck":{"carol":3}}"#), &["\"carol\" is unknown in the stuck scores", "alice, bob"]),
        (scoring(r#""s":{"score":1,"both":["e"]}"#), &["position \"s\" has a score and also moves or stuck scores"]),
        (scoring(r#""s":{"score":1,"stuck":{"bob":2}}"#), &["position \"s\" has a score and also moves or stuck"]),
        (scoring(r#""s":{"alice":["x"]}"#), &["position \"s\": Alice moves to \"x\", which is not a position"]),
        (scoring(r#""s":{"both":["e"]},"s":{}"#), &["position \"s\" is given twice"]),
        (
            scoring(r#""s":{"alice":["t"]},"t":{"bob":["u"]},"u":{"both":["e","t"]}"#),
            &["play can come back to a position: ", "t -> u -> t", "leave out one of these moves"],
        ),
        (scoring(r#""s":{"alice":["s"]}"#), &["play can come back to a position: s -> s"]),
        (
            format!(
                r#"{{"name":"g","start":"s","positions":{{"s":{{"score":{}{}}}}}}}"#,
                "[".repeat(200),
                "]".repeat(200)
            ),
            &["position \"s\"", "expected a score as a number"],
        ),
        (with(&format!(r#""s":{{"score":{}"#, "[".repeat(1 << 20))), &["expected a score as a number"]),
    ];
    for (text, parts) in rows {
        let message = parse(&text).expect_err(&text).to_string();
        assert!(message.starts_with("some.json"), "{message}");
        assert!(message.len() < 1000 && !message.contains(char::is_control), "{message}");
        for part in parts {
            assert!(message.contains(part), "{part:?} is not in {message:?}");
        }
    }
}

/// Long files are read in pieces, which may split a name, a number, an escape or a character.
#[test]
fn pieces_may_end_anywhere() {
    let text = scoring(
        r#""s": {"both": [{"to": "t", "weight": 20}, "\u00e4\u20ac"], "stuck": {"bob": -1.5e1}},
            "ä€": {"score": 7}, "t": {"alice": ["e"]}"#,
    );
    let game = ScoringFile::parse("some.json", text.as_bytes()).unwrap();
    assert_eq!(game.positions[1].place, NodeData::On(ByPlayer::new(0, -15)));
    for end in 0..=text.len() {
        let padded = " ".repeat((1 << 17) - end) + &text;
        assert_eq!(ScoringFile::parse("some.json", padded.as_bytes()).unwrap(), game, "{end}");
    }
}

#[test]
fn bytes_that_are_not_text_are_refused_with_their_place() {
    let error = GameFile::parse("a.json", b"{\n\"name\": \"\xff\"}").unwrap_err();
    assert_eq!(error.to_string(), "a.json, line 2, column 10: this is not UTF-8: save the file as UTF-8");
    let error = GameFile::parse("a\x1b[2J.json", b"").unwrap_err();
    assert!(error.to_string().starts_with("a\\u{1b}[2J.json, line 1"), "{error}");
}

#[test]
fn too_much_is_refused() {
    let text = vec![b' '; MAX_BYTES as usize + 1];
    let error = GameFile::parse("big.json", &text).unwrap_err();
    assert_eq!(error.to_string(), "big.json: the file is larger than 67108864 bytes, the most that is read");
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    for end in 0..ULTIMATUM.len() {
        let error = GameFile::parse("cut.json", &ULTIMATUM.as_bytes()[..end]).unwrap_err();
        assert!(error.to_string().starts_with("cut.json, line "), "{error}");
    }
}
