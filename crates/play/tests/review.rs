//! Reviews: the game of DP10 1.1, and random matches judged by the oracle.

use richman_analysis::Subject;
use richman_core::{Limits, Mechanism, Player};
use richman_play::review::{Review, review};
use richman_play::{Action, Decision, Match, Rules};
use richman_solvers::Options;

fn of(game: &Subject, played: &Match) -> Review {
    review(game, played, &Limits::default(), &Options::default()).unwrap()
}

/// Both bids, whether the star is used in a tie, and the winner's move.
fn turn(played: &mut Match, bids: [u32; 2], star: Option<bool>, name: &str) {
    for (player, bid) in Player::BOTH.into_iter().zip(bids) {
        played.act(player, &Action::Bid(bid)).unwrap();
    }
    if let Some(used) = star {
        let holder = played.tie_holder();
        played.act(holder, &Action::UseStar(used)).unwrap();
    }
    let mover = Player::BOTH.into_iter().find(|&player| played.decision(player).is_some()).unwrap();
    assert!(matches!(played.decision(mover), Some(Decision::Move { .. })));
    played.act(mover, &Action::Move(name.to_string())).unwrap();
}

/// A game of bidding Tic-Tac-Toe [DP10, 1.1].
fn dp10() -> (Subject, Match) {
    let game = Subject::named("tic-tac-toe").unwrap();
    let start = ["4*".parse().unwrap(), "4".parse().unwrap()];
    let rules = Rules { mechanism: Mechanism::default(), start, limit: None };
    let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    turn(&mut played, [1, 1], Some(true), "b2");
    turn(&mut played, [1, 1], Some(true), "a3");
    turn(&mut played, [2, 2], Some(false), "c3");
    turn(&mut played, [2, 2], Some(true), "b3");
    turn(&mut played, [4, 4], Some(true), "b1");
    turn(&mut played, [0, 0], Some(true), "a2");
    turn(&mut played, [1, 0], None, "c2");
    (game, played)
}

#[test]
fn what_did_bob_do_wrong() {
    let (game, played) = dp10();
    let found = of(&game, &played);
    println!("{}", found.summary);
    for turn in &found.turns {
        println!("{:?} {} {} {:?}", turn.position, turn.alice.0, turn.bob.0, turn.worth);
    }
    for mistake in &found.mistakes {
        println!("{} {:?} {:?}->{:?}->{:?} {}", mistake.turn, mistake.grade, mistake.before, mistake.guaranteed, mistake.came_to, mistake.text);
    }
}
