//! Records: handwritten ones are read, records print canonically, and errors name their place.

use crate::samples;

use richman_core::{ByPlayer, Mechanism, Payment, Player, Preset, Ties};
use richman_formats::{FormatError, MAX_RECORD_BYTES, MoverAction, Record, RecordResult};
use samples::{OPEN_RECORD, RECORD};

const HEAD: &str = "[Game \"g\"]\n[Alice \"4*\"]\n[Bob \"4\"]\n";

fn read(text: &str) -> Result<Record, FormatError> {
    Record::parse("a.txt", text.as_bytes())
}

/// The error for `turns` after [`HEAD`], which has three lines.
fn refused(turns: &str) -> String {
    read(&format!("{HEAD}{turns}")).unwrap_err().to_string()
}

#[test]
fn canonical_records_print_as_they_are_read() {
    for text in [RECORD, OPEN_RECORD, HEAD] {
        let record = read(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(record.to_string(), text);
    }
}

#[test]
fn everything_is_read() {
    let record = read(RECORD).unwrap();
    assert_eq!(record.game, "both: \"a\" and \\ and \u{1b}");
    assert_eq!(record.position.as_deref(), Some("a b"));
    assert_eq!(record.mechanism.payment, Payment::Taxman { numerator: 1, denominator: 2 });
    assert_eq!(record.limit, Some(100));
    assert_eq!(record.tags[1], ("Date".to_string(), "2026-11-21".to_string()));
    assert_eq!(record.result, Some(RecordResult::Win(Player::Alice)));
    assert_eq!(record.comments, ["Before the start", "with two lines\nin it"]);
    assert_eq!(record.turns[0].comments, ["takes the centre", "of } course"]);
    assert_eq!(record.turns[0].star, Some(Player::Alice));
    assert_eq!((record.turns[1].winner, record.turns[1].mover), (Player::Bob, Player::Alice));
    assert_eq!(record.turns[1].played, MoverAction::Move("{a | b} & c".to_string()));
    assert_eq!(record.turns[2].bids, ByPlayer::new(None, Some(2)));
    assert_eq!(record.turns[2].played, MoverAction::Move("stuck".to_string()));
    assert_eq!(record.turns[8].played, MoverAction::Stuck);
    let open = read(OPEN_RECORD).unwrap();
    assert_eq!(open.mechanism, Preset::Larsson.mechanism());
    assert_eq!(open.open.unwrap().won, Some([Player::Bob, Player::Alice]));
    assert_eq!(open.resignation.unwrap().comments, ["well played"]);
}

#[test]
fn moves_without_a_bid_have_no_bids() {
    let text = format!("{HEAD}[Result \"average -1/3\"]\n\n1. Alice left\n2. 3-2 Bob \"Alice\"\n3. Bob \"lets\"\n");
    let record = read(&text).unwrap();
    let of = |at: usize| (record.turns[at].bids, record.turns[at].winner, record.turns[at].mover);
    assert_eq!(of(0), (ByPlayer::both(None), Player::Alice, Player::Alice));
    assert_eq!(of(2), (ByPlayer::both(None), Player::Bob, Player::Bob));
    assert_eq!(record.turns[2].played, MoverAction::Move("lets".to_string()));
    assert_eq!(record.result, "-1/3".parse().ok().map(RecordResult::Average));
    assert_eq!(record.to_string(), text);
    let cut_off = text.replace("average -1/3", "cut off");
    assert_eq!(read(&cut_off).unwrap().result, Some(RecordResult::CutOff));
    assert_eq!(read(&cut_off).unwrap().to_string(), cut_off);
}

#[test]
fn what_people_write_is_read() {
    let by_hand = "\u{feff}  [ Result \"draw\" ] {first}\r\n[Bob\t\"4\"] [Ties \"loser\"][Alice \"04*\"]\r\n\
        [Mechanism \"larsson\"]\r\n[Who \"Ann\"] [Game \"g\"]\r\n\r\n1.03-2{close\r\ncall} Alice\n\"b2\" 2 .";
    let error = read(by_hand).unwrap_err().to_string();
    assert!(error.starts_with("a.txt, line 8, column 6: \"2\" is neither a turn nor an end"), "{error}");
    let record = read(&by_hand.replace("2 .", "2. 1-1 {tied}")).unwrap();
    assert_eq!(record.mechanism, Mechanism { ties: Ties::Loser, ..Preset::Larsson.mechanism() });
    assert_eq!(
        record.to_string(),
        "[Game \"g\"]\n[Ties \"loser\"]\n[Right \"moves\"]\n[Alice \"4*\"]\n[Bob \"4\"]\n\
         [Who \"Ann\"]\n[Result \"draw\"]\n\n\
         {first}\n1. 3-2 Alice b2 {close\ncall}\n2. 1-1 {tied}\n"
    );
    assert_eq!(read(&record.to_string()).unwrap(), record);
    // The letter case of words does not matter, but that of moves does.
    let text = "[Game \"g\"]\n[Alice \"4*\"]\n[Bob \"4\"]\n[Result \"Alice\"]\n\n1. 3-2 Alice Lets\n";
    let in_capitals = text.replace("Game", "GAME").replace("Result", "result").replace("Alice", "ALICE");
    assert_eq!(read(&in_capitals).unwrap(), read(text).unwrap());
    assert_eq!(read(&in_capitals).unwrap().to_string(), text);
    assert!(read(&text.replacen("[Bob", "[GAME \"h\"]\n[Bob", 1)).is_err(), "a tag twice");
}

#[test]
fn errors_name_line_and_column_and_what_to_write() {
    let cases = [
        ("1 3-2", "line 4, column 1: \"1\" is neither a turn nor an end: write 1. and both bids"),
        ("2. 3-2", "line 4, column 1: turn 2 follows turn 0: write 1."),
        (
            "1. 3:2 Alice b2",
            "line 4, column 4: \"3:2\" is not a pair of bids: write Alice's bid, a hyphen and Bob's bid",
        ),
        ("1. -1-2 Alice b2", "line 4, column 4: \"-1-2\" is not a pair of bids"),
        ("1. 4294967296-2 Alice b2", "line 4, column 4: \"4294967296-2\" is not a pair of bids"),
        ("1. 3*-3* Alice b2", "line 4, column 4: only one player has the star"),
        ("1. none-none", "line 4, column 4: both bids are none: write a number for at least one player"),
        ("1. Alice", "line 4, column 9: write the move that Alice made, or leave this turn out"),
        ("1. Alice resigns", "line 4, column 10: \"resigns\" is not a move: write one, in quotes"),
        ("1. Alice lets Bob", "line 4, column 18: write the move that Bob made, or leave this turn out"),
        ("1. Alice\n2. 1-1 Bob a", "line 5, column 1: write the move that Alice made, or leave this turn out"),
        ("1. ", "line 4, column 4: the end of the text is not a pair of bids"),
        ("1. 3-2 allice b2", "line 4, column 8: \"allice\" is not a player: write who won the bid, Alice or Bob"),
        ("1. 3-2 Alice lets Alice b2", "line 4, column 19: write whom Alice lets move: Alice lets Bob"),
        ("1. 3-2 Alice Bob b2", "line 4, column 14: \"Bob\" is not a move: write one, in quotes if that is its name"),
        ("1. 3-2 Alice [a]", "line 4, column 14: \"[\" is not a move: write a move, in quotes if it has spaces"),
        ("1. 3-2 Alice b2 c3", "line 4, column 17: \"c3\" is neither a turn nor an end: write 2. and both bids"),
        ("1. 3-2 Alice\n2. 1-1 Bob", "line 5, column 1: turn 1 has no move: write it"),
        ("Alice b2", "line 4, column 1: a turn starts with its number: write 1. and both bids before Alice"),
        ("Alice resigns\nBob resigns", "line 5, column 1: a player has resigned: leave out what follows"),
        ("1. 3-2 Alice b2\n[Event \"x\"]", "line 5, column 1: a tag after the turns began"),
        ("{never closed", "line 4, column 1: this comment is not closed: end it with }"),
        ("{c:\\dir}", "line 4, column 4: after a backslash write"),
        ("{\\u{d800}}", "line 4, column 2: after a backslash write"),
        ("{\u{7}}", "line 4, column 2: a character that cannot be seen: write \\u{7} in its place"),
        ("1. 3-2 Alice \"b\n2\"", "line 4, column 16: a line ends inside quotes"),
        ("[Game \"h\"]", "line 4, column 1: the tag Game is given twice: give it once"),
        ("[Event Lunch]", "line 4, column 8: write the value of Event in quotes"),
        ("[Event \"Lunch\"", "line 4, column 15: close the tag Event with ]"),
        ("[\"Lunch\"]", "line 4, column 1: a tag is a name and a value in quotes"),
        ("[Limit \"-1\"]", "line 4, column 8: \"-1\" is not a limit: write a number of turns"),
        ("[Result \"1-0\"]", "line 4, column 9: \"1-0\" is not a result: write Alice, Bob, draw, cut off, unfinished"),
        ("[Result \"score +1\"]", "line 4, column 9: \"score +1\" is not a result"),
        ("[Result \"average 1/0\"]", "line 4, column 9: \"average 1/0\" is not a result"),
        ("[Ties \"coin\"]", "line 4, column 7: \"coin\" is not a choice of ties: write advantage"),
        ("[Mechanism \"chess\"]", "line 4, column 12: \"chess\" is not a choice of preset"),
    ];
    for (turns, expected) in cases {
        let error = refused(turns);
        assert!(error.starts_with(&format!("a.txt, {expected}")), "{turns:?}: {error}");
    }
    for missing in ["Game", "Alice", "Bob"] {
        let lines: Vec<&str> = HEAD.lines().filter(|line| !line.starts_with(&format!("[{missing}"))).collect();
        let error = read(&lines.join("\n")).unwrap_err().to_string();
        assert!(
            error.contains(&format!("the tag {missing} is missing: write a line such as [{missing} \"")),
            "{error}"
        );
    }
    let error = Record::parse("a.txt", b"[Game \"g\"]\n  \xff").unwrap_err().to_string();
    assert!(error.starts_with("a.txt, line 2, column 3: this is not UTF-8"), "{error}");
}

#[test]
fn sizes_are_limited() {
    let large = vec![b' '; MAX_RECORD_BYTES as usize + 1];
    assert!(matches!(Record::parse("a.txt", &large), Err(FormatError::Unreadable { .. })));
    assert!(refused(&format!("1. 3-2 Alice {}", "b".repeat(5000))).contains("at most 4096 bytes"));
    assert!(refused(&format!("1. 3-2 Alice \"{}\"", "b".repeat(5000))).contains("at most 4096 bytes"));
    let tags: String = (0..1001).map(|k| format!("[T{k} \"\"]")).collect();
    assert!(refused(&tags).contains("more than 1000 tags"));
    let turns: String = (1..=100_001).map(|k| format!("{k}. 0-0 Bob a\n")).collect();
    assert!(refused(&turns).contains("line 100004, column 1: a record has at most 100000 turns"));
    let nested = "[".repeat(1 << 20);
    assert!(read(&nested).is_err());
}
