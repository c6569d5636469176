//! Game files: their meaning, reading back, and the error message of every unusable one.

use richman_core::{
    AskedQuestion, ByPlayer, Effort, Game, GraphPosition, NodeData, Objective, Player, Remedy, Terminal, Unfolding,
    Walk, Walker, unfold,
};
use richman_formats::{FormatError, GameFile, MAX_BYTES, ScoringFile};

const ULTIMATUM: &str = r#"{ "name": "ultimatum-1", "start": "0",
  "positions": {
    "win":  { "winner": "alice" }, "loss": { "winner": "bob" }, "tie": { "winner": "none" },
    "0":    { "alice": ["1"],   "bob": ["-1"] },
    "1":    { "alice": ["win"], "bob": ["0"] },
    "-1":   { "alice": ["0"],   "bob": ["loss"] } } }"#;

fn parse(text: &str) -> Result<GameFile, FormatError> {
    GameFile::parse("some.json", text.as_bytes(), &Effort::default())
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

/// A game that starts where chance makes these moves.
fn by_chance(moves: &str) -> String {
    with(&format!(r#""s":{{"kind":"chance","moves":[{moves}]}}"#))
}

/// A number is one number wherever the text in memory ends while it is read.
#[test]
fn long_files_have_whole_numbers() {
    const PIECE: usize = 1 << 17;
    let text = scoring(r#""s":{"both":[{"to":"e","weight":-12.50000e+0001}]}"#);
    let number = text.find("-12").unwrap();
    for into in 0..20 {
        let spaces = " ".repeat(PIECE - number - into);
        let file =
            ScoringFile::parse("s.json", text.replace("-12", &format!("{spaces}-12")).as_bytes(), &Effort::default())
                .unwrap();
        assert_eq!(file.positions[1].moves.alice[0].label, -125, "{into}");
    }
}

#[test]
fn a_scoring_game_is_read_in_order_and_back() {
    let text = scoring(
        r#""s":{"both":[{"to":"t","weight":2},"e"],"bob":[{"to":"e","weight":5},{"to":"e","weight":-0.0}],
            "stuck":{"bob":3}},"t":{"alice":[{"to":"e","weight":2e1}]}"#,
    );
    let game = ScoringFile::parse("some.json", text.as_bytes(), &Effort::default()).unwrap();
    let step = |to: &str, weight| (to.to_string(), weight).into();
    let start = &game.positions[1];
    // Bob's copy of a shared move is negated; his own moves are as written.
    let bob = vec![step("t", -2), step("e", 0), step("e", 5)];
    assert_eq!(start.moves, ByPlayer::new(vec![step("t", 2), step("e", 0)], bob));
    assert_eq!([start.data, game.positions[0].data], [NodeData::On(ByPlayer::new(0, 3)), NodeData::End(0)]);
    assert_eq!(game.positions[2].moves.alice, [step("e", 20)]);
    let again = ScoringFile::parse("again.json", game.to_json().as_bytes(), &Effort::default()).unwrap();
    assert_eq!(again, game);
    assert_eq!(game.graph().unwrap().name(), "g");
    let error = parse(&text).unwrap_err();
    assert_eq!(error.to_string(), "some.json: this game is played for a score");
    assert_eq!(error.remedies(), [Remedy::Ask(AskedQuestion::Scores)]);
    let message = ScoringFile::parse("u.json", ULTIMATUM.as_bytes(), &Effort::default()).unwrap_err().to_string();
    assert!(message.contains("is played to win"), "{message}");
}

#[test]
fn a_stuck_score_or_a_weight_alone_makes_a_scoring_game() {
    for position in [r#"{"stuck":{"alice":0}}"#, r#"{"alice":[{"to":"t","weight":1}]}"#] {
        let text = format!(r#"{{"name":"g","start":"s","positions":{{"s":{position},"t":{{}}}}}}"#);
        let game = ScoringFile::parse("some.json", text.as_bytes(), &Effort::default()).unwrap();
        assert_eq!(ScoringFile::parse("again.json", game.to_json().as_bytes(), &Effort::default()).unwrap(), game);
    }
}

#[test]
fn the_file_is_read_in_order_and_back() {
    let game = parse(ULTIMATUM).unwrap();
    assert_eq!((game.name.as_str(), game.start.as_str()), ("ultimatum-1", "0"));
    let names: Vec<&str> = game.positions.iter().map(|position| position.name.as_str()).collect();
    assert_eq!(names, ["win", "loss", "tie", "0", "1", "-1"]);
    assert_eq!(game.positions[0].data, NodeData::End(Terminal::Win(Player::Alice)));
    assert_eq!(game.positions[2].data, NodeData::End(Terminal::Draw));
    assert_eq!(targets(&game.positions[3]), ByPlayer::new(vec!["1"], vec!["-1"]));
    assert_eq!(parse(&game.to_json()).unwrap(), game);
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
fn moves_have_names_and_a_game_a_description() {
    let text = r#"{"name":"g","description":"who takes \"n\" wins","start":"s","positions":{"w":{"winner":"alice"},
        "s":{"alice":["w"],"both":[{"to":"w","name":"north"},{"name":"s","to":"s"},{"to":"w","name":"north"}],
            "bob":[{"to":"w","name":"Nord"},{"to":"w","weight":0,"name":"north "}]}}}"#;
    let message = parse(text).unwrap_err().to_string();
    let expected = "position \"s\": the name of a move begins or ends with a space: leave it out (\"north \")";
    assert!(message.contains(expected), "{message}");
    let game = parse(&text.replace("north ", "NORTH")).unwrap();
    assert_eq!(game.description.as_deref(), Some("who takes \"n\" wins"));
    let start = &game.positions[1];
    let names = start.moves.as_ref().map(|moves| moves.iter().map(|step| step.name.as_deref()).collect::<Vec<_>>());
    assert_eq!(names.alice, [None, Some("north"), Some("s")]);
    assert_eq!(names.bob, [Some("north"), Some("s"), Some("Nord"), Some("NORTH")]);
    assert_eq!(parse(&game.to_json()).unwrap(), game);
    let graph = game.graph().unwrap();
    assert_eq!(graph.description(), game.description);
    assert_eq!(graph.move_names(&1, &[0, 0, 1], Player::Alice), ["w", "north", "s"]);
    let mut walk = Walker::new(graph.clone(), 1);
    assert_eq!(walk.description(), game.description);
    assert_eq!(walk.moves(Player::Bob), ["north", "s", "Nord", "NORTH"]);
    assert!(walk.play(Player::Bob, "w").is_err());
    walk.play(Player::Bob, "NORTH").unwrap();
    assert_eq!(walk.notation(), "w");
    let unfolded = unfold(graph, 1, &Effort::default()).unwrap();
    let names: Vec<String> = unfolded.moves(0, Player::Alice).into_iter().map(|step| step.name).collect();
    assert_eq!(names, ["w", "north", "s"]);
}

/// Two moves of different weight to one position have one name, unless they are given names.
#[test]
fn names_tell_moves_of_different_weight_apart() {
    let moves = |names: [&str; 2]| {
        let [one, two] = names.map(|name| if name.is_empty() { String::new() } else { format!(r#","name":"{name}""#) });
        let text = scoring(&format!(r#""s":{{"alice":[{{"to":"e","weight":1{one}}},{{"to":"e","weight":2{two}}}]}}"#));
        ScoringFile::parse("some.json", text.as_bytes(), &Effort::default()).map(|game| {
            let graph = game.graph().unwrap();
            Walker::new(graph.clone(), graph.start()).moves(Player::Alice).len()
        })
    };
    assert_eq!(moves(["", ""]).unwrap(), 1);
    assert_eq!(moves(["a", ""]).unwrap(), 2);
    assert_eq!(moves(["a", "A"]).unwrap(), 2);
    for names in [["a", "a"], ["e", ""], ["", "e"], ["e", "a"]] {
        let message = moves(names).unwrap_err().to_string();
        assert!(message.contains("position \"s\": Alice's move") && message.contains("mistaken"), "{message}");
    }
}

#[test]
fn a_name_that_could_mean_another_move_is_refused() {
    for (moves, name) in [
        (r#""alice":[{"to":"w","name":"a"},{"to":"l","name":"a"}],"bob":["w"]"#, Some("Alice's move \"a\"")),
        (r#""alice":["w"],"bob":["l",{"to":"w","name":"l"}]"#, Some("Bob's move \"l\"")),
        (r#""alice":["w"],"bob":[{"to":"l","name":"x"},{"to":"w","name":"l"}]"#, Some("Bob's move \"l\"")),
        (r#""both":[{"to":"l","name":"w"},{"to":"w","name":"l"}]"#, Some("Alice's move")),
        (r#""both":[{"to":"w","name":"w"}],"bob":["w"]"#, Some("Bob's move \"w\"")),
        (r#""both":[{"to":"l","name":"a"}],"alice":[{"to":"w","name":"a"}],"bob":["w"]"#, Some("Alice's move \"a\"")),
        (r#""both":["w",{"to":"l","name":"s"}]"#, None),
        (r#""both":[{"to":"w","name":"w"},{"to":"w","name":"w"}]"#, None),
        (r#""both":[{"to":"w","name":"w"},{"to":"w","name":"W"}]"#, Some("Alice's move \"w\"")),
        (r#""alice":[{"to":"w","name":"a"}],"bob":[{"to":"l","name":"a"}]"#, None),
    ] {
        let read = parse(&with(&format!(r#""s":{{{moves}}}"#)));
        match name {
            None => drop(read.expect(moves)),
            Some(name) => {
                let message = read.expect_err(moves).to_string();
                assert!(message.starts_with("some.json: position \"s\": "), "{message}");
                assert!(message.contains(name) && message.contains("give it a name of its own"), "{message}");
            }
        }
    }
    // Among many moves too, wherever they are.
    let many = |last: &str| {
        let moves: Vec<String> = (0..2000).map(|at| format!(r#"{{"to":"w","name":"{at}"}}"#)).collect();
        parse(&with(&format!(r#""s":{{"alice":["w"],"bob":[{},{{"to":"l","name":"{last}"}}]}}"#, moves.join(","))))
    };
    assert_eq!(many("2000").unwrap().positions[2].moves.bob.len(), 2001);
    assert!(many("1234").unwrap_err().to_string().contains("Bob's move \"1234\""));
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
        (with(r#""s":{"both":[{"to":"w","name":""}]}"#), &["position \"s\"", "the name of a move is empty"]),
        (with(r#""s":{"both":[{"to":"w","name":7}]}"#), &["position \"s\"", "the name of a move as text"]),
        (with(r#""s":{"both":[{"to":"w","name":null}]}"#), &["position \"s\"", "the name of a move as text"]),
        (with(r#""s":{"both":[{"to":"w","name":"a\n"}]}"#), &["position \"s\"", "contains the control character"]),
        (with(r#""s":{"both":[{"to":"w","name":" a"}]}"#), &["position \"s\"", "begins or ends with a space"]),
        (
            with(&format!(r#""s":{{"both":[{{"to":"w","name":"{long}"}}]}}"#)),
            &["position \"s\"", "the name of a move is longer than 1000 characters"],
        ),
        (with(r#""s":{"both":[{"to":"w","name":"a","name":"b"}]}"#), &["key \"name\" is given twice in a move"]),
        (with(r#""s":{"both":[{"name":"a"}]}"#), &["key \"to\" is missing from a move"]),
        // The description.
        (r#"{"description":""}"#.into(), &["the description is empty"]),
        (r#"{"description":["a"]}"#.into(), &["expected the description as text"]),
        (r#"{"description":"a\nb"}"#.into(), &["the description contains the control character '\\n'"]),
        (format!(r#"{{"description":"{}"}}"#, "é".repeat(2001)), &["the description is longer than 2000 characters"]),
        (r#"{"description":"a","description":"b"}"#.into(), &["key \"description\" is given twice in the game"]),
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
            &[
                "position \"s\" has a score",
                "position \"w\" has a winner",
                "a game with scores has no winners, priorities or kinds",
            ],
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
        (
            with(r#""s":{"both":[{"to":"l","weight":1e300}]}"#),
            &["position \"s\"", "a weight is 1e300: write a whole number"],
        ),
        (
            with(r#""s":{"both":[{"to":"l","weight":1e-400}]}"#),
            &["position \"s\"", "a weight is 1e-400: write a whole number"],
        ),
        (
            with(r#""s":{"both":[{"to":"l","weight":0.99999999999999999999}]}"#),
            &["position \"s\"", "a weight is 0.99999999999999999999: write a whole number"],
        ),
        (
            with(r#""s":{"both":[{"to":"l","weight":1000000000.00000001}]}"#),
            &["position \"s\"", "a weight is 1000000000.00000001: write a whole number"],
        ),
        (
            with(r#""s":{"both":["l"],"priority":1.0000000000000000000001}"#),
            &["position \"s\"", "a priority is 1.0000000000000000000001: write a whole number from 0"],
        ),
        (
            with(r#""s":{"both":["l"],"priority":-1e-400}"#),
            &["position \"s\"", "a priority is -1e-400: write a whole number from 0"],
        ),
        (with(r#""s":{"score":9e999}"#), &["position \"s\"", "a score is 9e999: write a whole number"]),
        (with(r#""s":{"score":01}"#), &["position \"s\"", "this is not JSON: invalid number"]),
        (with(r#""s":{"score":-}"#), &["position \"s\"", "this is not JSON: invalid number"]),
        (with(r#""s":{"score":1.}"#), &["position \"s\"", "this is not JSON: invalid number"]),
        (with(r#""s":{"both":["l"]}," a":{"both":["l"]}"#), &["the name of a position begins or ends with a space"]),
        (with(r#""s":{"both":["l\u3000"]}"#), &["the position that a move leads to begins or ends with a space"]),
        (
            r#"{"name":"n","start":" ","positions":{" ":{"both":[" ","b"]},"b":{"winner":"alice"}}}"#.to_string(),
            &["the start begins or ends with a space: leave it out (\" \")"],
        ),
        (
            r#"{"name":"n ","start":"b","positions":{"b":{"winner":"alice"}}}"#.to_string(),
            &["the name of the game begins or ends with a space: leave it out (\"n \")"],
        ),
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
        // Chance.
        (
            by_chance(r#"{"to":"w","chance":"1/3"},{"to":"l","chance":"1/2"}"#),
            &["line 1, column", "add up to 5/6, and not to 1"],
        ),
        (by_chance(r#"{"to":"w","chance":"1/3"},{"to":"l"}"#), &["line 1, column", "key \"chance\" is missing"]),
        (by_chance(r#""w""#), &["expected a move of chance as an object"]),
        (by_chance(r#"{"to":"w","chance":1}"#), &["expected a chance as text, such as \"1/3\""]),
        (by_chance(r#"{"to":"w","chance":"0"}"#), &["line 1, column", "\"0\" is not a chance", "such as 1/3"]),
        (by_chance(r#"{"to":"w","chance":"4/3"}"#), &["\"4/3\" is not a chance"]),
        (by_chance(r#"{"to":"w","chance":"1/10000000000000000019"}"#), &["is not a chance", "at most 10^18"]),
        (
            by_chance(r#"{"to":"w","chance":"1/999999999999"},{"to":"l","chance":"1/999999999989"}"#),
            &["least common denominator above 10^18"],
        ),
        (
            by_chance(r#"{"to":"w","chance":"1/2"},{"to":"w","chance":"1/2"}"#),
            &["two moves of chance lead to one position", "the sum of their chances"],
        ),
        (by_chance(""), &["add up to 0, and not to 1"]),
        (by_chance(r#"{"to":"x","chance":"1"}"#), &["Alice moves to \"x\", which is not a position"]),
        (by_chance(r#"{"to":"w","chance":"1","name":"a"}"#), &["\"name\" is unknown", "the keys are to, chance"]),
        (with(r#""s":{"kind":"chance"}"#), &["key \"moves\" is missing from a position where chance moves"]),
        (with(r#""s":{"moves":[{"to":"w","chance":"1"}]}"#), &["write \"kind\": \"chance\""]),
        (
            with(r#""s":{"kind":"chance","alice":["w"],"moves":[{"to":"w","chance":"1"}]}"#),
            &["no player has one: leave out alice, bob and both"],
        ),
        (with(r#""s":{"both":["w"],"kind":"carol"}"#), &["\"bid\", \"alice\", \"bob\" or \"chance\""]),
        (
            with(r#""s":{"kind":"chance","moves":[{"to":"w","chance":"1"}]},"t":{"both":["w"],"priority":1}"#),
            &["chance moves at position \"s\"", "position \"t\" has a priority", "won or lost at an end"],
        ),
        (scoring(r#""s":{"kind":"chance","moves":[{"to":"e","chance":"1"}]}"#), &["has a score"]),
        (
            r#"{"name":"g","start":"s","objective":"buechi","positions":{"s":{"kind":"chance",
            "moves":[{"to":"s","chance":"1"}]}}}"#
                .into(),
            &["chance moves at position \"s\"", "the objective is buechi"],
        ),
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
    let game = ScoringFile::parse("some.json", text.as_bytes(), &Effort::default()).unwrap();
    assert_eq!(game.positions[1].data, NodeData::On(ByPlayer::new(0, -15)));
    for end in 0..=text.len() {
        let padded = " ".repeat((1 << 17) - end) + &text;
        assert_eq!(ScoringFile::parse("some.json", padded.as_bytes(), &Effort::default()).unwrap(), game, "{end}");
    }
}

#[test]
fn bytes_that_are_not_text_are_refused_with_their_place() {
    let error = GameFile::parse("a.json", b"{\n\"name\": \"\xff\"}", &Effort::default()).unwrap_err();
    assert_eq!(error.to_string(), "a.json, line 2, column 10: this is not UTF-8: save the file as UTF-8");
    let error = GameFile::parse("a\x1b[2J.json", b"", &Effort::default()).unwrap_err();
    assert!(error.to_string().starts_with("a\\u{1b}[2J.json, line 1"), "{error}");
}

#[test]
fn too_much_is_refused() {
    let text = vec![b' '; MAX_BYTES as usize + 1];
    let error = GameFile::parse("big.json", &text, &Effort::default()).unwrap_err();
    assert_eq!(error.to_string(), "big.json: the file is larger than 67108864 bytes, the most that is read");
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    for end in 0..ULTIMATUM.len() {
        let error = GameFile::parse("cut.json", &ULTIMATUM.as_bytes()[..end], &Effort::default()).unwrap_err();
        assert!(error.to_string().starts_with("cut.json, line "), "{error}");
    }
}
