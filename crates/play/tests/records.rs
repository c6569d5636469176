//! Records of matches: the printed game, refused records, and records that end within a turn.

use richman_analysis::Games;
use richman_core::{ByPlayer, Effort, End, Holding, Player};
use richman_formats::Record;
use richman_play::{Action, Match, MatchEnd, MatchTurn, record};

const DP10: &str = include_str!("../../../examples/dp10-1-1.txt");

fn replay(text: &str) -> Result<Match, String> {
    let read = Record::parse("a.txt", text.as_bytes()).map_err(|error| error.to_string())?;
    let walk = record::walk(&Games::default(), &read, None, &Effort::default()).map_err(|error| error.to_string())?;
    record::replay(walk, &read).map_err(|error| error.to_string())
}

/// DP10, 1.1: the printed holdings before turns, and the winner.
#[test]
fn the_printed_game_of_tic_tac_toe() {
    let game = replay(DP10).unwrap();
    let text = |turn: &MatchTurn| Player::BOTH.map(|player| turn.hands[player].to_string());
    let hands: Vec<[String; 2]> = game.turns().iter().map(text).collect();
    let printed = [["4*", "4"], ["3", "5*"], ["4*", "4"], ["6*", "2"], ["4", "4*"], ["8*", "0"], ["8", "0*"]];
    assert_eq!(hands, printed);
    assert_eq!(game.turns()[3].position, "B.B/.A./...");
    assert_eq!(game.walk().notation(), "BAB/AAA/.B.");
    assert_eq!(game.closed().and_then(MatchEnd::winner), Some(Player::Alice));
    let read = Record::parse("a.txt", DP10.as_bytes()).unwrap();
    assert_eq!(read.to_string(), DP10);
    let mut again = record::to_record(&game, read.tags.clone());
    again.comments.clone_from(&read.comments);
    for (turn, printed) in again.turns.iter_mut().zip(&read.turns) {
        turn.comments.clone_from(&printed.comments);
    }
    assert_eq!(again, read);
}

#[test]
fn what_the_rules_refuse_is_named_with_its_turn() {
    let changed = |from: &str, to: &str| {
        assert!(DP10.contains(from), "{from}");
        replay(&DP10.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to} was not refused"))
    };
    let cases = [
        ("[Bob \"4\"]", "[Bob \"4*\"]", "before turn 1: "),
        ("2*-2 Alice b1", "2-3 Bob b1", "turn 4: Bob has 2 chips and cannot bid 3"),
        ("1*-1 Alice b2", "2-1 Bob b2", "turn 1: the bid is won by Alice, not by Bob"),
        ("1*-1 Alice b2", "1*-1 Bob b2", "turn 1: the bid is won by Alice, not by Bob"),
        ("1*-1 Alice b2", "1-1* Bob b2", "turn 1: Bob does not hold the star, Alice does: write * after Alice's bid"),
        ("1*-1 Alice b2", "2*-1 Alice b2", "turn 1: the star is not used here: leave out the *"),
        ("1*-1 Alice b2", "none-1 Bob b2", "turn 1: Alice can bid: write the bid, not none"),
        ("Bob a1", "Bob b2", "turn 2: \"b2\" is not a move of Bob here: the moves are a1, b1, c1"),
        ("Bob a1", "Bob stuck", "turn 2: Bob is not stuck: write the move"),
        ("7. 1-0 Alice c2", "7. 1-0 Alice", "after turn 6: the result is unfinished, not Alice"),
        ("[Result \"Alice\"]", "[Result \"draw\"]", "after turn 7: the result is Alice, not draw"),
        (
            "single chip.}\n",
            "single chip.}\n8. 0-0* Bob a3\n",
            "turn 8: the match was over before: leave this turn out",
        ),
        ("single chip.}\n", "single chip.}\nBob resigns\n", "after turn 7: Bob cannot resign, for the match is over"),
    ];
    for (from, to, expected) in cases {
        let error = changed(from, to);
        assert!(error.starts_with(expected), "{to}: {error}");
    }
    let with = |tags: &str, turns: &str| {
        replay(&format!("[Game \"tic-tac-toe\"] [Alice \"4\"] [Bob \"4*\"] {tags} {turns}")).err().unwrap_or_default()
    };
    assert_eq!(
        with("[Right \"moves\"]", "1. 1-0 Alice lets Bob b2"),
        "turn 1: Alice has to move and cannot let Bob move"
    );
    assert_eq!(
        with("[Ties \"marker\"]", "1. 1-1 Bob b2"),
        "turn 1: both bid 1, a tie, and Bob holds the star and has to use it: write 1-1* Bob"
    );
    assert_eq!(with("[Ties \"winner\"]", "1. 1-1* Bob b2"), "turn 1: the star is not used here: leave out the *");
    assert_eq!(with("[Bids \"5\"]", "Alice resigns"), "after turn 0: Alice cannot resign, for the match is over");
    assert_eq!(with("[Bids \"4\"]", "1. 4-3 Alice b2"), "turn 1: 3 may not be bid: the bids are 4");
    assert_eq!(with("", "1. 2-1"), "turn 1: no tie is to be decided here: write who won the bid");
    assert_eq!(with("", "1. 2-2*"), "turn 1: Bob used the star: write Bob after the bids");
    assert_eq!(
        with("[Limit \"1\"]", "1. 2-1 Alice b2 2. 0-0* Bob a1"),
        "turn 2: the match was over before: leave this turn out"
    );
    let poor = with("[Payment \"poorman\"] [Bids \"3\"]", "1. 3-3* Bob b2 2. 3-3* Bob a1");
    assert_eq!(poor, "turn 2: Bob cannot make any allowed bid: write none");
}

/// If the mover must move and cannot, the turn ends with the match; if the winner may let the other
/// player move, both choices are recorded.
#[test]
fn a_scoring_game_ends_where_a_mover_is_stuck() {
    const RULES: &[u8] = br#"{"name": "s", "start": "s", "positions": {
        "s": {"both": [{"to": "t", "weight": 2}]}, "t": {"alice": ["t2"], "stuck": {"bob": 5}}, "t2": {"score": 1}}}"#;
    let replay = |tags: &str, turns: &str| {
        let text = format!("[Game \"s\"] [File \"s.json\"] [Alice \"2\"] [Bob \"2*\"] {tags} {turns}");
        let read = Record::parse("a.txt", text.as_bytes()).unwrap();
        let game =
            record::replay(record::walk(&Games::default(), &read, Some(RULES), &Effort::default()).unwrap(), &read)
                .map_err(|error| error.to_string())?;
        let text = record::to_record(&game, Vec::new()).to_string();
        Ok::<_, String>((game.closed(), text.split_once("\n\n").map_or(String::new(), |(_, turns)| turns.to_string())))
    };
    let score = |score| Some(MatchEnd::Game(End::Score(score)));
    let moves = |turns| replay("[Right \"moves\"]", turns);
    let turns = "1. 1-0 Alice t\n2. 0-2 Bob stuck\n";
    assert_eq!(moves(turns), Ok((score(7), turns.to_string())));
    let refused = "turn 2: Bob has no move and the game is over: write stuck";
    assert_eq!(moves("1. 1-0 Alice t 2. 0-2 Bob t2"), Err(refused.to_string()));
    assert_eq!(moves("1. 1-0 Alice t 2. 0-2 Bob"), Err(refused.to_string()));
    assert_eq!(moves("1. 1-0 Alice t 2. 0-2 Bob lets Alice t2"), Err(refused.to_string()));
    assert_eq!(moves("1. 1-0 Alice stuck"), Err("turn 1: Alice is not stuck: write the move".to_string()));
    for (last, expected) in [("0-2 Bob stuck", 7), ("1-0 Alice lets Bob stuck", 7), ("0-2 Bob lets Alice t2", 3)] {
        let turns = format!("1. 1-0 Alice t\n2. {last}\n");
        assert_eq!(replay("", &turns), Ok((score(expected), turns)));
    }
    let open = "1. 1-0 Alice t\n2. 0-2 Bob\n"; // Bob may still let Alice move
    assert_eq!(replay("[Result \"unfinished\"]", open), Ok((None, open.to_string())));
}

#[test]
fn matches_are_recorded_within_a_turn() {
    let hands: ByPlayer<Holding> = ByPlayer::new("4*".parse().unwrap(), "4".parse().unwrap());
    let start = replay("[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"]").unwrap();
    assert_eq!(start.rules().start, hands);
    let [alice, bob] = Player::BOTH;
    let steps = [
        (alice, Action::Bid(2), ""),
        (bob, Action::Bid(2), "1. 2-2\n"),
        (alice, Action::UseStar(false), "1. 2-2 Bob\n"),
        (bob, Action::Let, "1. 2-2 Bob lets Alice\n"),
        (alice, Action::Resign, "1. 2-2 Bob lets Alice\nAlice resigns\n"),
    ];
    let mut game = start;
    for (player, action, expected) in steps {
        game.act(player, &action).unwrap();
        let written = record::to_record(&game, Vec::new());
        let text = written.to_string();
        assert_eq!(text.split_once("\n\n").map_or("", |(_, turns)| turns), expected);
        let again = replay(&text).unwrap();
        assert_eq!((again.hands(), again.begun(), again.closed()), (game.hands(), game.begun(), game.closed()));
    }
    assert_eq!(game.hands().map(|hand| hand.chips()), ByPlayer::new(6, 2));
}
