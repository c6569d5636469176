//! A game from outside has everything that the games of the project have: in the library and in the
//! command.

use std::process::{Command, Output};
use std::sync::Arc;

use kayles::Kayles;
use richman::core::{ByPlayer, Player};
use richman::prelude::*;

fn games() -> Games {
    Games::with([Kayles::info()]).unwrap()
}

/// Runs the command, and checks its exit status.
fn run(arguments: &[&str], status: i32) -> String {
    let Output { status: got, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_kayles")).args(arguments).output().unwrap();
    let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    assert_eq!(got.code(), Some(status), "{arguments:?}: {text}");
    text
}

/// The value of a fraction such as 3/8.
fn value(share: &str) -> f64 {
    let (above, below) = share.split_once('/').unwrap_or((share, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

/// By the definition: half of what the best move of each player leads to.
fn threshold(game: &dyn richman::core::Walk) -> f64 {
    if game.end().is_some() {
        let winner = Player::BOTH.into_iter().find(|player| player.to_string() == game.notation());
        return if winner == Some(Player::Alice) { 0.0 } else { 1.0 };
    }
    let after = |player: Player| {
        let next = move |name: &String| {
            let mut next = game.boxed();
            next.play(player, name).unwrap();
            threshold(next.as_ref())
        };
        game.moves(player).iter().map(next).collect::<Vec<_>>()
    };
    let least = after(Player::Alice).into_iter().fold(1.0, f64::min);
    let most = after(Player::Bob).into_iter().fold(0.0, f64::max);
    (least + most) / 2.0
}

#[test]
fn it_is_solved_by_the_definition() {
    for pins in 1..=5 {
        let game = Subject::among(&games(), &format!("kayles:pins={pins}")).unwrap();
        let answer = ask(&game, &Question::new(Mechanism::default()), &Effort::default()).unwrap();
        let Report::Money(report) = answer.report else { panic!("real money") };
        let expected = threshold(game.walk(None).unwrap().as_ref());
        assert_eq!(value(&report.win.0.to_string()), expected, "{pins} pins");
    }
}

#[test]
fn it_is_played_and_reviewed() {
    use richman::play::players::{Knowledge, Seat, Strength};
    let game = Subject::among(&games(), "kayles:pins=5").unwrap();
    let start = ByPlayer::new(Holding::new(5, true).unwrap(), Holding::new(5, false).unwrap());
    let rules = MatchRules { mechanism: Mechanism::default(), start, limit: Some(50) };
    let perfect: Strength = "perfect".parse().unwrap();
    let effort = Effort::default();
    let total = Total::new(10).unwrap();
    let knowledge = Knowledge::of(&game, None, &rules.mechanism, total, &[perfect], &effort).unwrap();
    let mut players = Player::BOTH.map(|_| perfect.computer(&Arc::clone(&knowledge), 1).unwrap());
    let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    while played.closed().is_none() {
        let player = Player::BOTH.into_iter().find(|player| played.decision(*player).is_some()).unwrap();
        let action = players[player as usize].act(&Seat::new(&played, player), &effort).unwrap();
        played.act(player, &action).unwrap();
    }
    let review = richman::play::review::review(&game, &played, &effort).unwrap();
    assert!(!review.turns.is_empty() && review.mistakes.is_empty(), "perfect players err");
}

#[test]
fn it_is_a_game_of_the_command() {
    assert!(run(&["list"], 0).contains("kayles"));
    assert!(run(&["solve", "kayles"], 0).contains("Alice can force a win"));
    assert!(run(&["solve", "kayles", "--position", "||.||.|"], 0).contains("||.||.|"));
    assert!(run(&["table", "kayles", "--chips", "0..8"], 0).contains("Proved for all totals"));
    assert!(run(&["solve", "kayles:pins=21"], 2).contains("from 1 to 20"));
    assert!(run(&["solve", "kayles", "--position", "|||"], 2).contains("write 7 pins"));
    assert!(run(&["solve", "kayle"], 2).contains("did you mean \"kayles\"?"));
    assert!(run(&["tree", "kayles:pins=3", "--svg", "-"], 0).starts_with("<"));
    let duel = ["duel", "kayles", "--alice", "perfect", "--bob", "random", "--games", "20", "--seed", "1"];
    assert!(run(&duel, 0).contains("perfect"));
}

#[test]
fn its_solutions_are_verified_where_its_rules_are() {
    let folder = std::env::temp_dir().join(format!("kayles-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("solution.json");
    let path = file.to_str().unwrap();
    run(&["solve", "kayles", "--save", path], 0);
    assert!(run(&["verify", path], 0).contains("valid"));
    let text = std::fs::read_to_string(&file).unwrap();
    let saved = || richman::formats::read("solution.json", text.as_bytes()).unwrap();
    let error = richman::analysis::saved::verify(&Games::default(), saved(), &Effort::default()).unwrap_err();
    let words = ["there is no game \"kayles\"", "use the program that defines this game"];
    assert!(words.iter().all(|words| error.to_string().contains(words)), "{error}");
    assert!(richman::analysis::saved::verify(&games(), saved(), &Effort::default()).unwrap().valid);
    std::fs::remove_dir_all(folder).unwrap();
}
