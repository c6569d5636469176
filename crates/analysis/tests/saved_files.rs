//! Saved solutions: reading back, layout, and the error message of every unusable one.

use crate::documents::{MUTATIONS, Random, coin};
use crate::solutions::{chips, holds, money, purses, rules, text};
use richman_analysis::saved::win::{ChipClaim, ChipClaims, MoneyClaim, MoneyValue};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_core::{
    ByPlayer, Effort, Error, GraphMove, GraphPosition, NodeData, Player, PositionKind, Share, ShareBounds, Terminal,
    Threshold, Total,
};
use richman_formats::{AnyGraph, FormatError, GameFile, SavedGame, write};

fn read(name: &str, text: &[u8]) -> Result<SavedSolution, FormatError> {
    richman_formats::read(name, text)
}

fn read_within(name: &str, text: &[u8], effort: &Effort) -> Result<SavedSolution, FormatError> {
    richman_formats::read_within(name, text, effort)
}

#[test]
fn every_claim_reads_back() {
    for solution in [money(), chips(), rules(), holds(), purses()] {
        let written = text(&solution);
        assert_eq!(read("a.json", written.as_bytes()).unwrap(), solution, "{written}");
    }
}

/// Values generated one by one give the same document as stored ones.
#[test]
fn values_can_be_made_while_they_are_written() {
    let whole = money();
    let mut head = whole.clone();
    let SolutionClaim::Money(claim) = &mut head.claim else { panic!("a claim for money") };
    let values = std::mem::take(&mut claim.positions);
    let (claim, mut written) = (claim.clone(), Vec::new());
    let write = |out: &mut dyn std::io::Write| claim.write_with(values.into_iter(), out);
    richman_formats::saved::write_with(&head, write, &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text(&whole));
}

/// The claim and its text both count. Reading stops before the limit is exceeded.
#[test]
fn reading_stays_within_the_memory() {
    for solution in [money(), chips(), rules(), holds(), purses()] {
        let written = text(&solution);
        let most = 3 * written.len() as u64 + 2 * solution.claim.bytes();
        let within = |memory| read_within("a.json", written.as_bytes(), &Effort { memory, ..Effort::default() });
        assert_eq!(within(most).unwrap(), solution);
        let error = within(2 * written.len() as u64 + 1).unwrap_err();
        let FormatError::Stopped { error, .. } = error else { panic!("{error}") };
        assert!(matches!(*error, Error::TooMuchMemory { .. }), "{error}");
    }
}

#[test]
fn extreme_numbers_read_back() {
    let total = Total::new(richman_core::MAX_TOTAL).unwrap();
    let mut solution = chips();
    let nothing = ChipClaim { total, win: Threshold::unreachable(total), draw: Threshold::NOTHING, positions: vec![] };
    solution.claim = ChipClaims { totals: vec![nothing] }.into();
    assert_eq!(read("a.json", text(&solution).as_bytes()).unwrap(), solution);

    let value = MoneyValue {
        position: "\"ä\\ \u{1f600}".into(),
        win: ShareBounds::exact(Share::dyadic(1, 20_000)),
        draw: ShareBounds { low: Share::dyadic(1, 62), high: "1/3".parse().unwrap() },
    };
    solution.claim = MoneyClaim {
        win: ShareBounds::exact(Share::ONE),
        draw: ShareBounds::exact(Share::ZERO),
        positions: vec![value],
    }
    .into();
    assert_eq!(read("a.json", text(&solution).as_bytes()).unwrap(), solution);

    let share = ShareBounds::exact(Share::dyadic(1, 1_000_000));
    solution.claim = MoneyClaim { win: share, draw: ShareBounds::exact(Share::ZERO), positions: vec![] }.into();
    let error = write(&solution, &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn a_position_takes_one_line() {
    assert_eq!(
        text(&money()),
        r#"{
  "format": "richman-solution",
  "version": 1,
  "game": "tug-of-war:length=2,at=1",
  "position": "1",
  "mechanism": {"payment":"richman","ties":"advantage","bidding":"sealed","right":"chooses","bids":"all"},
  "money": {
    "win": "1/2",
    "draw": "1/2",
    "positions": {
      "0": ["0","0"],
      "1": ["1/2","1/2"],
      "2": ["1","1"]
    }
  }
}
"#
    );
    assert_eq!(
        text(&chips()),
        r#"{
  "format": "richman-solution",
  "version": 1,
  "game": {"file": {
    "name": "coin",
    "start": "toss",
    "positions": {
      "heads": {"winner":"alice"},
      "tails": {"winner":"bob"},
      "toss": {"alice":["heads","toss"],"bob":["tails"]}
    }
  }},
  "position": "toss",
  "mechanism": {"payment":"taxman:1/2","ties":"marker","bidding":"alice-first","right":"moves","bids":"0+5"},
  "chips": [
    {
      "total": 8,
      "win": {"plain":5,"star":4},
      "draw": {"plain":5,"star":4},
      "positions": {
        "heads": {"alice":[[0,0,0]],"bob":[]},
        "toss": {"alice":[[1,9,8],[3,9,5],[4,5,4]],"bob":[[1,5,4]]}
      }
    },
    {
      "total": 0,
      "win": {"plain":1,"star":0},
      "draw": {"plain":1,"star":0},
      "positions": {}
    }
  ]
}
"#
    );
    let document = text(&holds());
    let line = concat!(
        r#"        "toss": {"alice":[[1,9,8],[3,9,5],[4,5,4]],"bob":[[1,5,4]],"#,
        r#""alice_holds":[[1,0,1],[2,3,4]],"bob_holds":[]}"#
    );
    assert!(document.lines().any(|found| found == line), "{document}");
    let document = text(&purses());
    let claims = document.find(",\n  \"purses\"").unwrap();
    assert_eq!(
        &document[claims..],
        concat!(
            r#",
  "purses": [
    {
      "purses": {"alice":2,"bob":1},
      "positions": {
        "heads": {"alice":[[0,0,0,0],[0,1,0,0],[1,0,0,0],[1,1,0,0]],"bob":[],"#,
            r#""alice_holds":[],"bob_holds":[[0,0,0,null],[1,2,0,null]]},
        "toss": {"alice":[[0,0,1,2],[0,0,4,1],[1,1,2,2]],"bob":[[1,2,7,1]],"#,
            r#""alice_holds":[[0,1,1,1],[0,1,2,null]],"bob_holds":[]}
      }
    },
    {
      "purses": {"together":3},
      "positions": {}
    },
    {
      "purses": {"exactly":3},
      "positions": {}
    }
  ]
}
"#
        )
    );
}

#[test]
fn every_unusable_solution_is_told_what_is_wrong_and_where() {
    // The text to replace, its replacement, and parts of the expected message.
    let money_rows: &[(&str, &str, &[&str])] = &[
        ("richman-solution", "richman-game", &["line 2", "not a saved solution", "richman-solution"]),
        ("  \"format\": \"richman-solution\",\n", "", &["key \"format\" is missing from the solution"]),
        ("\"version\": 1", "\"version\": 2", &["line 3", "written by a newer version", "format 2"]),
        ("\"version\": 1", "\"version\": 0", &["line 3", "version is 0"]),
        ("\"version\": 1", "\"version\": \"1\"", &["line 3", "the version as a whole number"]),
        ("  \"version\": 1,\n", "", &["key \"version\" is missing from the solution"]),
        ("  \"game\": \"tug-of-war:length=2,at=1\",\n", "", &["key \"game\" is missing"]),
        ("\"tug-of-war:length=2,at=1\"", "\"\"", &["line 4", "the name of the game is empty"]),
        ("\"tug-of-war:length=2,at=1\"", "\"a\\u0007\"", &["line 4", "control character '\\u{7}'"]),
        ("\"tug-of-war:length=2,at=1\"", "7", &["line 4", "a game: its name, or"]),
        ("\"tug-of-war:length=2,at=1\"", "{}", &["key \"file\" is missing from the embedded game"]),
        ("\"tug-of-war:length=2,at=1\"", "{\"url\":1}", &["key \"url\" is unknown in the embedded game"]),
        ("  \"position\": \"1\",\n", "", &["key \"position\" is missing"]),
        ("  \"position\": \"1\"", "  \"position\": \"\"", &["line 5", "the position is empty"]),
        ("  \"position\": \"1\",", "  \"position\": \"1\", \"by\": 1,", &["key \"by\" is unknown", "money, chips"]),
        ("  \"position\": \"1\",", "  \"position\": \"1\", \"version\": 1,", &["key \"version\" is given twice"]),
        ("\"payment\":\"richman\"", "\"payment\":\"gift\"", &["line 6", "\"gift\" is not a choice of payment"]),
        ("\"payment\":\"richman\",", "", &["line 6", "key \"payment\" is missing from the mechanism"]),
        ("\"ties\":\"advantage\"", "\"tie\":\"advantage\"", &["line 6", "key \"tie\" is unknown in the mechanism"]),
        ("\"ties\":\"advantage\"", "\"ties\":1", &["line 6", "ties as text"]),
        ("\"bids\":\"all\"", "\"bids\":\"0+\"", &["line 6", "not a choice of bids"]),
        ("\"bids\":\"all\"", "\"bids\":\"all\",\"bids\":\"all\"", &["line 6", "key \"bids\" is given twice"]),
        ("\"money\"", "\"gold\"", &["line 7", "key \"gold\" is unknown in the solution"]),
        ("\n  }\n}", "\n  },\n  \"chips\": []\n}", &["the list \"chips\" is empty"]),
        ("    \"win\": \"1/2\",\n", "", &["key \"win\" is missing from the claim for money"]),
        ("    \"draw\": \"1/2\",\n", "", &["key \"draw\" is missing from the claim for money"]),
        ("\"win\": \"1/2\"", "\"win\": \"3/2\"", &["line 8", "\"3/2\" is not a share"]),
        ("\"win\": \"1/2\"", "\"win\": 1", &["line 8", "a share as text"]),
        ("\"positions\"", "\"nodes\"", &["key \"nodes\" is unknown", "win, draw, positions"]),
        ("[\"1\",\"1\"]", "[\"1\",\"x\"]", &["line 13", "position \"2\"", "\"x\" is not a share"]),
        ("[\"1\",\"1\"]", "[\"1\"]", &["line 13", "position \"2\"", "the list [win, draw] of 2 shares"]),
        ("[\"1\",\"1\"]", "[\"1\",\"1\",\"1\"]", &["line 13", "position \"2\"", "more values than", "2 shares"]),
        ("[\"1\",\"1\"]", "\"1\"", &["line 13", "position \"2\"", "the list [win, draw]"]),
        ("      \"2\":", "      \"1\":", &["position \"1\"", "the position is given twice"]),
        ("      \"2\":", "      \"\":", &["line 13", "the name of a position is empty"]),
        ("      \"2\":", "      \"\\n\":", &["line 13", "control character '\\n'"]),
        ("\n}\n", "\n}}", &["not JSON", "trailing characters"]),
        ("\n}\n", "", &["not JSON", "EOF"]),
    ];
    let chip_rows: &[(&str, &str, &[&str])] = &[
        ("\"chips\": [", "\"chips\": {", &["line 15", "a list of claims for chips"]),
        ("\"total\": 8,", "", &["key \"total\" is missing from the claim for a total of chips"]),
        ("\"total\": 8", "\"total\": 1073741823", &["the total is 1073741823", "from 0 to 1073741822"]),
        ("\"total\": 8", "\"total\": -8", &["integer `-8`", "the total as a whole number"]),
        ("\"total\": 8", "\"total\": 8.5", &["8.5", "the total as a whole number"]),
        ("\"total\": 8", "\"total\": 0", &["the total 0 is given twice"]),
        ("\"total\": 8", "\"sum\": 8", &["key \"sum\" is unknown", "total, win, draw, positions"]),
        ("      \"win\": {\"plain\":5,\"star\":4},\n", "", &["key \"win\" is missing"]),
        ("      \"draw\": {\"plain\":5,\"star\":4},\n", "", &["key \"draw\" is missing"]),
        ("\"win\": {\"plain\":5,\"star\":4}", "\"win\": {\"plain\":5}", &["\"star\" is missing from a threshold"]),
        ("\"win\": {\"plain\":5", "\"win\": {\"plain\":10", &["a win threshold of 10", "8 chips", "from 0 to 9"]),
        ("\"draw\": {\"plain\":5,\"star\":4}", "\"draw\": {\"plain\":5,\"star\":10}", &["a draw threshold of 10"]),
        ("\"win\": {\"plain\":5", "\"win\": {\"plain\":4294967296", &["\"plain\" of a threshold is 4294967296"]),
        ("\"win\": {\"plain\":5", "\"win\": {\"plain\":5,\"plain\":5", &["\"plain\" is given twice"]),
        ("[[1,5,4]]", "[[1,10,4]]", &["position \"toss\"", "a threshold of Bob of 10", "from 0 to 9"]),
        ("[1,9,8]", "[1,9,11]", &["position \"toss\"", "a threshold of Alice of 11", "from 0 to 9"]),
        ("[[1,5,4]]", "[[4294967296,5,4]]", &["position \"toss\"", "`4294967296`", "from 0 to 4294967295"]),
        ("[[1,5,4]]", "[[1,5]]", &["position \"toss\"", "stages [within, plain, star], each of 3 whole numbers"]),
        ("[[1,5,4]]", "[[1,5,4,3]]", &["position \"toss\"", "more values than", "3 whole numbers"]),
        ("[[1,5,4]]", "[1,5,4]", &["position \"toss\"", "stages [within, plain, star]"]),
        ("[[1,5,4]]", "null", &["position \"toss\"", "a list of stages"]),
        ("[3,9,5]", "[1,9,5]", &["position \"toss\"", "within 1 follows one within 1", "ascend"]),
        ("[3,9,5]", "[0,9,5]", &["position \"toss\"", "within 0 follows one within 1", "ascend"]),
        ("[3,9,5]", "[3,9,8]", &["position \"toss\"", "within 3 does not lower the threshold"]),
        ("[4,5,4]", "[4,5,6]", &["position \"toss\"", "within 4 does not lower the threshold"]),
        ("[3,9,5]", "[3,4,9]", &["position \"toss\"", "within 3 does not lower the threshold"]),
        (",\"bob\":[[1,5,4]]", "", &["position \"toss\"", "key \"bob\" is missing from the claim for a position"]),
        (",\"bob\":[[1,5,4]]", ",\"eve\":[]", &["position \"toss\"", "key \"eve\" is unknown"]),
        ("\"bob\":[[1,5,4]]", "\"alice\":[]", &["position \"toss\"", "key \"alice\" is given twice"]),
        ("        \"toss\": {\"alice\":[[", "        \"heads\": {\"alice\":[[", &["position \"heads\"", "twice"]),
        ("\"file\": {", "\"file\": {\"name\":\"x\",", &["key \"name\" is given twice in the game"]),
        ("[\"heads\",\"toss\"]", "[\"head\"]", &["position \"toss\"", "moves to \"head\", which is not a position"]),
        ("{\"winner\":\"bob\"}", "{\"winner\":\"eve\"}", &["line 9", "position \"tails\"", "the winner is \"eve\""]),
        ("{\"winner\":\"bob\"}", "{\"score\":-1}", &["position \"tails\" has a score"]),
    ];
    let hold_rows: &[(&str, &str, &[&str])] = &[
        (
            ",\"bob_holds\":[]}",
            "}",
            &["position \"toss\"", "key \"bob_holds\" is missing from the claim for a position"],
        ),
        ("\"alice_holds\":[],", "", &["position \"heads\"", "key \"alice_holds\" is missing"]),
        ("[[1,0,1],[2,3,4]]", "[[1,0,0],[2,3,4]]", &["position \"toss\"", "within 1 does not raise the threshold"]),
        ("[[1,0,1],[2,3,4]]", "[[1,0,1],[2,0,1]]", &["position \"toss\"", "within 2 does not raise the threshold"]),
        (
            "[[1,0,1],[2,3,4]]",
            "[[1,4,1],[2,3,4]]",
            &["position \"toss\"", "within 2 does not raise", "neither number may fall"],
        ),
        ("[[1,0,1],[2,3,4]]", "[[1,0,1],[1,3,4]]", &["position \"toss\"", "within 1 follows one within 1", "ascend"]),
        ("[[1,0,1],[2,3,4]]", "[[1,0,1],[2,3,10]]", &["position \"toss\"", "a threshold to draw of 10", "from 0 to 9"]),
        (
            "[[1,0,1],[2,3,4]]",
            "[[1,0,null]]",
            &["position \"toss\"", "stages [within, plain, star], each of 3 whole numbers"],
        ),
    ];
    let purse_rows: &[(&str, &str, &[&str])] = &[
        ("\"purses\": [", "\"purses\": {", &["a list of claims for purses"]),
        ("{\"together\":3}", "{\"exactly\":3}", &["the same purses are given twice"]),
        ("{\"together\":3}", "{}", &["the purses are", "together", "exactly"]),
        ("{\"together\":3}", "{\"alice\":3}", &["the purses are", "at most so many each"]),
        ("{\"together\":3}", "{\"together\":3,\"bob\":3}", &["the purses are", "at most so many each"]),
        ("{\"together\":3}", "{\"together\":1073741823}", &["a number of chips is 1073741823", "1073741822"]),
        ("{\"together\":3}", "{\"alice\":1073741822,\"bob\":1}", &["1073741822"]),
        ("{\"together\":3}", "{\"apart\":3}", &["key \"apart\" is unknown", "alice, bob, together, exactly"]),
        ("      \"purses\": {\"together\":3},\n", "", &["key \"purses\" is missing from the claim for purses"]),
        ("[0,0,1,2]", "[0,0,1]", &["position \"toss\"", "stages [star, other, within, least], each of 4 whole"]),
        ("[0,0,1,2]", "[2,0,1,2]", &["position \"toss\"", "the first number of a stage is 2", "1 for the star"]),
        ("[0,0,1,2]", "[null,0,1,2]", &["position \"toss\"", "the last of which may be null"]),
        ("[0,0,1,2]", "[0,null,1,2]", &["position \"toss\"", "the last of which may be null"]),
        ("[0,0,1,2]", "[0,0,1,null]", &["position \"toss\"", "within 1 does not lower what is needed"]),
        ("[0,0,1,2]", "[0,0,1,\"2\"]", &["position \"toss\"", "whole numbers from 0 to 4294967294"]),
        ("[0,0,1,2]", "[0,0,1,4294967295]", &["position \"toss\"", "is 4294967295", "from 0 to 4294967294"]),
        ("[0,0,1,2]", "[0,0,1,3]", &["position \"toss\"", "a stage of Alice of 3 against 0 chips", "from 0 to 2"]),
        ("[0,0,1,2]", "[0,0,4,2]", &["position \"toss\"", "within 4 follows one within 4", "ascend"]),
        ("[0,0,4,1]", "[0,0,4,2]", &["position \"toss\"", "against 0 chips within 4 does not lower"]),
        ("[1,1,2,2]", "[1,2,2,2]", &["position \"toss\"", "a stage of Alice against 2 chips", "from 0 to 1"]),
        ("[0,0,4,1],[1,1,2,2]", "[1,1,2,2],[0,0,4,1]", &["position \"toss\"", "against 0 chips come late"]),
        ("[0,1,1,1],[0,1,2,null]", "[0,1,1,0]", &["position \"toss\"", "within 1 does not raise what is needed"]),
        ("[0,1,1,1],[0,1,2,null]", "[0,1,1,null],[0,1,2,1]", &["position \"toss\"", "within 2 does not raise"]),
        (
            "\"ties\":\"marker\"",
            "\"ties\":\"alice\"",
            &["position \"heads\"", "with the star, but with ties alice there is none"],
        ),
        (
            "      \"purses\": {\"exactly\":3},\n",
            "      \"total\": 3,\n",
            &["key \"total\" is unknown", "purses, positions"],
        ),
    ];
    for (document, rows) in [
        (text(&money()), money_rows),
        (text(&chips()), chip_rows),
        (text(&holds()), hold_rows),
        (text(&purses()), purse_rows),
    ] {
        for (from, to, parts) in rows {
            assert!(document.contains(from), "{from:?} is not in the document");
            let message = read("some.json", document.replacen(from, to, 1).as_bytes()).expect_err(to).to_string();
            assert!(message.starts_with("some.json"), "{message}");
            assert!(!message.contains(char::is_control), "{message}");
            for part in *parts {
                assert!(message.contains(part), "{part:?} is not in {message:?}");
            }
        }
    }
}

#[test]
fn one_claim_and_no_more() {
    let (money, chips) = (text(&money()), text(&chips()));
    let (start, end) = (money.find(",\n  \"money\"").unwrap(), money.rfind("\n}").unwrap());
    let claim = &money[start..end];
    let neither = money.replacen(claim, "", 1);
    let error = read("a.json", neither.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("exactly one of"), "{error}");
    let both = chips.replacen(",\n  \"chips\"", &format!("{claim},\n  \"chips\""), 1);
    let error = read("a.json", both.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("exactly one of"), "{error}");
}

#[test]
fn the_total_may_follow_the_positions() {
    let document = text(&chips());
    let moved = document.replacen("      \"total\": 8,\n", "", 1).replacen(
        "\n      }\n    },",
        "\n      },\n      \"total\": 8\n    },",
        1,
    );
    assert_eq!(read("a.json", moved.as_bytes()).unwrap(), chips());
}

#[test]
fn an_embedded_name_stays_a_label() {
    let named = GameFile { name: "tic-tac-toe".into(), ..coin() };
    let solution = SavedSolution { game: SavedGame::File(AnyGraph::Win(named.graph().unwrap())), ..chips() };
    assert!(matches!(read("a.json", text(&solution).as_bytes()).unwrap().game, SavedGame::File(_)));
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    for document in [money(), chips(), holds(), purses()].map(|solution| text(&solution)) {
        for end in 0..document.trim_end().len() {
            let error = read("cut.json", &document.as_bytes()[..end]).unwrap_err();
            assert!(error.to_string().starts_with("cut.json, line "), "{error}");
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    for open in ["[", "{\"game\":", "{\"money\":{\"positions\":{\"a\":["] {
        assert!(read("deep.json", open.repeat(1 << 18).as_bytes()).is_err());
    }
}

/// What is written can be read: games made by programs may have names that files cannot have.
#[test]
fn names_that_no_file_can_have_are_not_saved() {
    let file = |name: &str, position: &str, step: Option<&str>| {
        let to_heads = GraphMove { to: "heads".into(), label: (), name: step.map(str::to_string) };
        let moves = |to: GraphMove| ByPlayer::both(vec![to]);
        let end = |name: &str, winner| GraphPosition {
            name: name.into(),
            data: NodeData::End(Terminal::Win(winner)),
            moves: ByPlayer::default(),
        };
        let toss =
            GraphPosition { name: position.into(), data: NodeData::On(PositionKind::Bid), moves: moves(to_heads) };
        let positions = vec![toss, end("heads", Player::Alice)];
        GameFile { name: name.into(), description: None, start: position.into(), positions }
    };
    let saved = |game: GameFile| {
        let mut written = Vec::new();
        let solution = SavedSolution { game: SavedGame::File(AnyGraph::Win(game.graph().unwrap())), ..money() };
        write(&solution, &mut written).map_err(|error| error.to_string())
    };
    assert_eq!(saved(file("coin", "toss", Some("flip"))), Ok(()));
    for (wrong, what) in [
        (file(" coin", "toss", None), "the name of the game"),
        (file("coin", "toss ", None), "the name of a position"),
        (file("coin", "toss", Some("flip\n")), "the name of a move"),
    ] {
        let error = saved(wrong).unwrap_err();
        assert!(error.starts_with(what), "{error}");
    }
}

#[test]
fn a_saved_solution_may_begin_with_a_mark() {
    let saved = rules();
    let marked = format!("\u{feff}\n{}", text(&saved));
    assert_eq!(read("saved.json", marked.as_bytes()).unwrap(), saved);
}

#[test]
fn damaged_solutions() {
    let documents = [money(), chips(), rules(), holds(), purses()].map(|solution| text(&solution));
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut accepted = 0;
    for round in 0..MUTATIONS {
        let at = round as usize % documents.len();
        let other = (at + 1) % documents.len();
        let bytes = random.mutate(documents[at].as_bytes(), documents[other].as_bytes());
        match read("a.json", &bytes) {
            Ok(solution) => {
                accepted += 1;
                assert_eq!(read("a.json", text(&solution).as_bytes()).unwrap(), solution);
            }
            Err(error) => assert!(error.to_string().starts_with("a.json"), "{error}"),
        }
    }
    assert!(accepted > 100 && accepted < MUTATIONS, "{accepted}");
}

#[test]
fn a_compressed_solution_is_named_with_what_to_do() {
    for bytes in [&b"\x1f\x8b\x08\0\0\0\0\0"[..], b"\xFD7zXZ\0\0\x04\xe6\xd6\xb4\x46"] {
        let message = read("saved.json", bytes).unwrap_err().to_string();
        assert!(message.contains("the file is compressed: unpack it"), "{message}");
    }
}
