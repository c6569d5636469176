//! Reviews: the game of DP10 1.1, and random matches judged by the oracle.

mod certain;
mod hinted;
mod judge;
mod probable;
mod summary;
mod told;

use std::collections::BTreeSet;

use fastrand::Rng;
use judge::{Judge, part, random_game, random_match, random_mechanism};
use richman_analysis::{Games, Request, Subject, trace};
use richman_check::oracle::Oracle;
use richman_core::{ByPlayer, Effort, Holding, Mechanism, Payment, Player, Right, Total};
use richman_formats::Record;
use richman_play::review::{MistakeGrade, MistakeKind, RestsOn, ResultJson, Review, review};
use richman_play::{Action, Decision, Match, MatchEnd, MatchRules, record};

fn of(game: &Subject, played: &Match) -> Review {
    review(game, played, &Effort::default()).unwrap()
}

/// A game of bidding Tic-Tac-Toe [DP10, 1.1].
const DP10: &str = r#"[Game "tic-tac-toe"] [Alice "4*"] [Bob "4"] [Result "Alice"]
1. 1*-1 Alice b2
2. 1-1* Bob a1
3. 2-2 Bob c1
4. 2*-2 Alice b1
5. 4-4* Bob b3
6. 0*-0 Alice a2
7. 1-0 Alice c2
"#;

fn replayed(text: &str) -> (Subject, Match) {
    let read = Record::parse("record", text.as_bytes()).unwrap();
    let game = Subject::named(&read.game).unwrap();
    (game, record::replay(record::walk(&Games::default(), &read, None, &Effort::default()).unwrap(), &read).unwrap())
}

#[test]
fn what_did_bob_do_wrong() {
    let (game, played) = replayed(DP10);
    let found = of(&game, &played);
    // The solver: with 8 chips Alice wins with 4* and more, and Bob draws with nothing less than 4*
    // (she has 4 then).
    let start = found.turns[0].worth.as_ref().unwrap();
    assert_eq!(start.win.as_ref().unwrap().threshold.unwrap().0.to_string(), "4*");
    assert_eq!(start.margin.unwrap().bob.draw, Some(-1));
    // Every position was won for Alice: no decision changed the result.
    for turn in &found.turns {
        assert_eq!(turn.worth.as_ref().unwrap().sure.unwrap().alice, ResultJson::Win, "turn {}", turn.turn);
    }
    assert!(found.mistakes.iter().all(|mistake| mistake.grade != MistakeGrade::Result));
    assert_eq!(
        found.summary,
        "Alice won. With 4* against 4 Bob was lost from the start against best play: 1 chip short of a draw. Alice \
         gave nothing away, so nothing that Bob did could have changed the result."
    );
    for mistake in &found.mistakes {
        println!("{} {:?} {}", mistake.turn, mistake.grade, mistake.text);
    }
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["rests_on"], "exact chips");
    assert_eq!(json["now"]["winner"], "alice");
}

#[test]
fn with_five_chips_bob_had_a_choice() {
    // One chip more, and the same play is a mistake of Bob's.
    let text = DP10.replace("[Bob \"4\"]", "[Bob \"5\"]").replace("[Result \"Alice\"]", "");
    let text = text.split("4. 2*-2").next().unwrap();
    let (game, played) = replayed(text);
    let found = of(&game, &played);
    println!("{}", found.summary);
    let start = found.turns[0].worth.as_ref().unwrap();
    assert_eq!(start.sure.unwrap().bob, ResultJson::Draw);
}

#[test]
fn a_decision_changes_the_result_exactly_if_the_oracle_says_so() {
    let mut rng = Rng::with_seed(711);
    let (mut judged, mut changed, mut graded) = (0, 0, 0);
    for _ in 0..3000 {
        let (game, arena) = random_game(&mut rng);
        let mechanism = random_mechanism(&mut rng);
        let total = rng.u32(1..=5);
        let oracle = Oracle::new(&arena, &mechanism, total, None);
        let judge = Judge { oracle: &oracle, arena: &arena, mechanism: &mechanism };
        for _ in 0..4 {
            let played = random_match(&game, &mechanism, total, false, &mut rng);
            let found = of(&game, &played);
            if found.rests_on == RestsOn::Nothing {
                continue;
            }
            let context = || format!("{mechanism}\n{:?}\n{:#?}", played.turns(), found.mistakes);
            let mut expected = BTreeSet::new();
            for (i, turn) in played.turns().iter().enumerate() {
                for (part, player, before, after) in judge.decisions(turn) {
                    judged += 1;
                    assert!(after <= before);
                    if after < before {
                        expected.insert((i + 1, part, player, before, after));
                    }
                }
                let state = judge.state(&turn.position, turn.hands);
                let sure = found.turns[i].worth.as_ref().unwrap().sure.unwrap();
                for player in Player::BOTH {
                    assert_eq!(sure[player].number(), judge.level(player, state), "{}", context());
                }
            }
            changed += expected.len();
            graded += found.mistakes.len();
            let results = found.mistakes.iter().filter(|mistake| mistake.grade == MistakeGrade::Result);
            let of_review: BTreeSet<_> =
                results.map(|m| (m.turn, part(m.kind), m.player, m.before.number(), m.guaranteed.number())).collect();
            assert_eq!(of_review, expected, "{}", context());
            if !mechanism.is_determined() {
                continue;
            }
            // One player's loss is the other's gain.
            let start = judge.state(&format!("p{}", arena.start()), played.rules().start);
            let end = judge.state(&found.now.position, ByPlayer::new(found.now.alice.0, found.now.bob.0));
            for player in Player::BOTH {
                let cost = |of: Player| -> i64 {
                    let own = found.mistakes.iter().filter(|m| m.player == of && m.grade == MistakeGrade::Result);
                    own.map(|m| (m.before.number() - m.came_to.number()).max(0)).sum()
                };
                let expected = judge.level(player, start) - cost(player) + cost(player.other());
                let last = match played.closed() {
                    Some(MatchEnd::NoBids) => continue,
                    _ => judge.level(player, end),
                };
                assert_eq!(last, expected, "{}", context());
            }
        }
    }
    assert!(judged > 10_000 && changed > 500 && graded > changed, "{judged} {changed} {graded}");
}

#[test]
fn best_play_has_no_mistakes() {
    let mut rng = Rng::with_seed(712);
    let mut reviewed = 0;
    for _ in 0..300 {
        let (game, _) = random_game(&mut rng);
        let mechanism = Mechanism { payment: Payment::Richman, ..random_mechanism(&mut rng) };
        let total = rng.u32(1..=6);
        let unfolding = game.unfold(None, &Effort::default()).unwrap();
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let chips = Total::new(total).unwrap();
        let Ok(solved) = richman_analysis::chips::solve(unfolding.arena(), &mechanism, chips, &request.effort) else {
            continue;
        };
        let mut played = {
            let alice = rng.u32(0..=total);
            let star = mechanism.has_star().then(|| rng.bool());
            let start = [
                Holding::new(alice, star == Some(true)).unwrap(),
                Holding::new(total - alice, star == Some(false)).unwrap(),
            ];
            let rules = MatchRules { mechanism: mechanism.clone(), start: start.into(), limit: None };
            Match::new(game.walk(None).unwrap(), rules).unwrap()
        };
        let ByPlayer { alice, bob } = played.rules().start;
        let line = trace::trace(&request, solved.forces(), alice, bob).unwrap();
        for turn in line.turns.iter().take(30) {
            let bids = [turn.alice_bids, turn.bob_bids];
            while Player::BOTH.into_iter().any(|player| played.decision(player) == Some(Decision::Bid)) {
                for player in Player::BOTH {
                    if played.decision(player) == Some(Decision::Bid) {
                        played.act(player, &Action::Bid(bids[player as usize].unwrap())).unwrap();
                    }
                }
            }
            if let Some(Decision::Star { .. }) = played.decision(played.tie_holder()) {
                played.act(played.tie_holder(), &Action::UseStar(turn.star_used.unwrap())).unwrap();
            }
            if turn.winner != turn.mover {
                played.act(turn.winner, &Action::Let).unwrap();
            }
            played.act(turn.mover, &Action::Move(turn.name.clone())).unwrap();
        }
        let found = of(&game, &played);
        reviewed += played.turns().len();
        let wrong: Vec<_> = found.mistakes.iter().filter(|mistake| mistake.grade == MistakeGrade::Result).collect();
        assert!(wrong.is_empty(), "{mechanism} {wrong:#?} {:?}", played.turns());
        // The winning side wins as fast as it can.
        let slow = found.mistakes.iter().find(|mistake| mistake.grade == MistakeGrade::Slower);
        assert!(slow.is_none(), "{mechanism} {slow:#?} {:?}", played.turns());
    }
    assert!(reviewed > 300, "{reviewed}");
}

#[test]
fn a_limit_counts_and_giving_up_a_draw_is_a_mistake() {
    let game = Subject::named("tug-of-war:length=4,at=2").unwrap();
    let start = ["6*".parse().unwrap(), "1".parse().unwrap()];
    let rules = |limit| MatchRules { mechanism: Mechanism::default(), start: start.into(), limit };
    let open = Match::new(game.walk(None).unwrap(), rules(None)).unwrap();
    assert_eq!(of(&game, &open).now.worth.unwrap().sure.unwrap().alice, ResultJson::Win);
    let mut short = Match::new(game.walk(None).unwrap(), rules(Some(1))).unwrap();
    assert_eq!(of(&game, &short).now.worth.unwrap().sure.unwrap().alice, ResultJson::Draw);
    short.act(Player::Bob, &Action::Resign).unwrap();
    let found = of(&game, &short);
    assert_eq!((found.mistakes.len(), found.mistakes[0].kind), (1, MistakeKind::Resigned));
    assert_eq!(found.mistakes[0].text, "Bob resigned, but could be sure of a draw.");
}

#[test]
fn points_that_were_given_away() {
    let game = Subject::named("subtraction:heap=3").unwrap();
    let mechanism = richman_core::Preset::Larsson.mechanism();
    let rules =
        MatchRules { mechanism, start: ByPlayer::new("2*".parse().unwrap(), "1".parse().unwrap()), limit: None };
    let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    while played.closed().is_none() {
        for player in Player::BOTH {
            let view = played.view(Some(player));
            match view.decision {
                Some(Decision::Bid) => {
                    let bid = if player == Player::Alice { view.bids.last().unwrap()[1] } else { 0 };
                    played.act(player, &Action::Bid(bid)).unwrap();
                }
                Some(Decision::Move { .. }) => {
                    let name = view.moves[0].clone();
                    played.act(player, &Action::Move(name)).unwrap();
                }
                _ => {}
            }
        }
    }
    let found = of(&game, &played);
    assert_eq!(found.rests_on, RestsOn::Scores);
    println!("{} {:#?}", found.summary, found.mistakes);
    let start = found.turns[0].worth.as_ref().unwrap().sure.unwrap();
    for player in Player::BOTH {
        let cost = |of: Player| -> i64 {
            let own = found.mistakes.iter().filter(|m| m.player == of);
            own.map(|m| (m.before.number() - m.came_to.number()).max(0)).sum()
        };
        let Some(MatchEnd::Game(richman_core::End::Score(score))) = played.closed() else { unreachable!() };
        let own = if player == Player::Alice { score } else { -score };
        assert_eq!(start[player].number() - cost(player) + cost(player.other()), own);
    }
}

#[test]
fn what_cannot_be_solved_is_said_to_be() {
    let game = Subject::named("connect").unwrap();
    let start = ["50*".parse().unwrap(), "50".parse().unwrap()];
    let rules = MatchRules {
        mechanism: Mechanism { right: Right::Moves, ..Mechanism::default() },
        start: start.into(),
        limit: None,
    };
    let played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    let limits = Effort { positions: 1000, ..Effort::default() };
    let found = review(&game, &played, &limits).unwrap();
    assert_eq!(found.rests_on, RestsOn::Samples);
    assert!(found.reason.unwrap().contains("1000"), "{}", found.summary);
    assert!(found.mistakes.is_empty());
}

/// The deadline is for proofs about real money: a review waits until the game is solved with chips.
#[test]
fn a_deadline_does_not_make_a_review_worse() {
    let game = Subject::named("tic-tac-toe").unwrap();
    let rules = MatchRules {
        mechanism: Mechanism::default(),
        start: ByPlayer::new("4*".parse().unwrap(), "4".parse().unwrap()),
        limit: None,
    };
    let played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    let found = review(&game, &played, &Effort::default().within_time(std::time::Duration::ZERO)).unwrap();
    assert_eq!(found.rests_on, RestsOn::Chips);
}

/// Random games show who stands better: with three in a row and an open end Alice wins more of
/// them, and all once she has won.
#[test]
fn random_games_say_who_stands_better() {
    let game = Subject::named("connect").unwrap();
    let start = ["50*".parse().unwrap(), "50".parse().unwrap()];
    let rules = MatchRules {
        mechanism: Mechanism { right: Right::Moves, ..Mechanism::default() },
        start: start.into(),
        limit: None,
    };
    let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
    for column in ["d", "c", "e", "f"] {
        played.act(Player::Alice, &Action::Bid(1)).unwrap();
        played.act(Player::Bob, &Action::Bid(0)).unwrap();
        played.act(Player::Alice, &Action::Move(column.to_string())).unwrap();
    }
    let limits = Effort { positions: 1000, ..Effort::default() };
    let found = review(&game, &played, &limits).unwrap();
    let samples: Vec<_> = found.turns.iter().map(|turn| turn.worth.as_ref().unwrap().samples.unwrap()).collect();
    assert!(samples[3].alice > samples[0].alice && samples[3].alice > 3 * samples[3].bob, "{samples:?}");
    let now = found.now.worth.as_ref().unwrap().samples.unwrap();
    assert_eq!((now.alice, now.bob), (now.games, 0));
    assert_eq!(review(&game, &played, &limits).unwrap().turns, found.turns);
}

#[test]
fn advice_in_a_review_names_moves_of_the_position_and_not_of_its_mirror_image() {
    let text = r#"[Game "tic-tac-toe"] [Alice "4*"] [Bob "4"]
1. 0-1 Bob a1
2. 0-1 Bob c3
"#;
    let (game, played) = replayed(text);
    for turn in of(&game, &played).turns {
        let walk = game.walk(Some(&turn.position)).unwrap();
        for player in Player::BOTH {
            let legal: Vec<String> = walk.after_moves(player).into_iter().map(|(name, _)| name).collect();
            let advised = turn.advice[player].as_ref().unwrap();
            assert!(!advised.moves.is_empty() || advised.let_other_move);
            let wrong: Vec<&String> = advised.moves.iter().filter(|name| !legal.contains(name)).collect();
            assert!(wrong.is_empty(), "turn {}, {player}: {wrong:?} at {}", turn.turn, turn.position);
        }
    }
}
