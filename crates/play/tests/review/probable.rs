//! Judgements by bounds and estimates, on boards that can also be solved exactly.
//!
//! `RICHMAN_REVIEWS` sets the number of matches (default 120); the deep run of the README sets it
//! to 1,000.

use std::time::Duration;

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::Subject;
use richman_core::{Effort, Holding, Mechanism, Player};
use richman_play::players::{Seat, Strength};
use richman_play::review::{Mistake, MistakeGrade, RestsOn, review};
use richman_play::{Action, Decision, Match, MatchRules};

use super::judge::part;

fn matches() -> u64 {
    std::env::var("RICHMAN_REVIEWS").ok().and_then(|number| number.parse().ok()).unwrap_or(120)
}

/// A match between players who often err: bids near a fraction of their chips, and greedy or random
/// moves.
fn erring_match(game: &Subject, total: u32, limit: Option<u32>, rng: &mut Rng) -> Match {
    let alice = rng.u32(total / 4..=total - total / 4);
    let start = [Holding::new(alice, true).unwrap(), Holding::new(total - alice, false).unwrap()];
    let rules = MatchRules { mechanism: Mechanism::default(), start: start.into(), limit };
    let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    let knowledge = {
        let total = richman_core::Total::new(total).unwrap();
        let greedy: Strength = "greedy".parse().unwrap();
        let effort = Effort::default();
        richman_play::players::Knowledge::of(game, None, &Mechanism::default(), total, &[greedy], &effort).unwrap()
    };
    let mut greedy = "greedy".parse::<Strength>().unwrap().computer(&knowledge, rng.u64(..)).unwrap();
    while played.closed().is_none() && played.turns().len() < 60 {
        for player in Player::BOTH {
            let Some(decision) = played.decision(player) else { continue };
            let action = match decision {
                Decision::Bid => {
                    let most = played.hands()[player].chips() / rng.u32(1..=4);
                    Action::Bid(rng.u32(0..=most))
                }
                Decision::Star { .. } => Action::UseStar(rng.bool()),
                Decision::Move { .. } if rng.bool() => {
                    greedy.act(&Seat::new(&played, player), &Effort::default()).unwrap()
                }
                Decision::Move { .. } => Action::Move(rng.choice(played.walk().moves(player)).unwrap()),
            };
            played.act(player, &action).unwrap();
        }
    }
    played
}

/// Right and wrong calls of a probable mistake, and the mistakes that exact review finds.
#[derive(Debug, Default, Clone, Copy)]
struct Calls {
    right: u64,
    wrong: u64,
    exact: u64,
}

/// A call is right if the decision is a mistake by exact values: it changed the result, or lost
/// chips to spare. Boards of lines are `hurried`, so that bounds take the place of the exact values
/// that their engine finds in time; turns without exact values are left out.
fn calls(game: &Subject, played: &Match, hurried: bool) -> Calls {
    let few = Effort { positions: 10, ..Effort::default() };
    let known = review(game, played, &if hurried { few } else { Effort::default() }).unwrap();
    assert_eq!(known.rests_on == RestsOn::Chips, !hurried);
    let is_exact = |turn: usize| known.turns[turn - 1].worth.as_ref().is_some_and(|worth| worth.sure.is_some());
    let few = if hurried { few.within_time(Duration::ZERO) } else { few };
    let found = review(game, played, &few).unwrap();
    assert!(matches!(found.rests_on, RestsOn::Engine(_)), "{:?}", found.rests_on);
    // What is certain at once stands in the place of a lost margin.
    let is_mistake = |mistake: &&Mistake| {
        matches!(mistake.grade, MistakeGrade::Result | MistakeGrade::AtOnce | MistakeGrade::Margin)
    };
    let exact: Vec<_> = known.mistakes.iter().filter(is_mistake).map(|m| (m.turn, m.player, part(m.kind))).collect();
    let mut calls = Calls { exact: exact.len() as u64, ..Calls::default() };
    let called = |mistake: &&Mistake| mistake.grade == MistakeGrade::Probable && is_exact(mistake.turn);
    for mistake in found.mistakes.iter().filter(called) {
        if exact.contains(&(mistake.turn, mistake.player, part(mistake.kind))) {
            calls.right += 1;
        } else {
            calls.wrong += 1;
            let turn = played.turns().get(mistake.turn - 1);
            println!("wrong: turn {}: {} {turn:?}", mistake.turn, mistake.text);
        }
    }
    calls
}

#[test]
fn probable_mistakes_are_mistakes() {
    let kinds: [(&str, u32, bool); 4] = [
        ("hex:size=3", 60, false),
        ("hex:rows=3,cols=4", 200, false),
        ("connect:rows=4,cols=5", 100, true),
        ("chess:size=4,pieces=KQKR", 100, false),
    ];
    let mut all = Calls::default();
    for (number, (spec, total, hurried)) in kinds.into_iter().enumerate() {
        let game = Subject::named(spec).unwrap();
        let one = |seed: u64| {
            let mut rng = Rng::with_seed(1000 * number as u64 + seed);
            let limit = spec.starts_with("chess").then_some(200);
            calls(&game, &erring_match(&game, total, limit, &mut rng), hurried)
        };
        let sum = |one: Calls, two: Calls| Calls {
            right: one.right + two.right,
            wrong: one.wrong + two.wrong,
            exact: one.exact + two.exact,
        };
        let found = (0..matches().div_ceil(kinds.len() as u64)).into_par_iter().map(one).reduce(Calls::default, sum);
        println!("{spec}: {found:?}");
        all = sum(all, found);
        assert!(20 * found.wrong <= found.right + found.wrong, "{spec}: {found:?}");
    }
    assert!(all.right > matches() / 2, "{all:?}");
}
