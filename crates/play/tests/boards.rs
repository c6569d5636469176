//! Players on boards of lines too large to unfold: if they solve they spoil nothing, and if they
//! estimate they beat others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use richman_analysis::Subject;
use richman_core::{Effort, Holding, Mechanism, Player, Ties, Total, Walk, Watch};
use richman_engine::{Care, Engine};
use richman_lines::engine::needs::{self, PositionNeeds};
use richman_lines::engine::{BoardStake, LinesEngine};
use richman_play::duel::play_out;
use richman_play::players::{Computer, Knowledge, Seat, SourcePlayer, Strength};
use richman_play::review::{MistakeGrade, RestsOn, review};
use richman_play::{Action, Decision, Match, MatchRules};

fn known(game: &Subject, position: Option<&str>, total: u64, strength: &str) -> Arc<Knowledge> {
    let strengths: [Strength; 1] = [strength.parse().unwrap()];
    let total = Total::new(total as u32).unwrap();
    Knowledge::of(game, position, &Mechanism::default(), total, &strengths, &Effort::default()).unwrap()
}

fn random_position(game: &Subject, rng: &mut fastrand::Rng, stones: usize) -> Box<dyn Walk> {
    let mut walk = game.walk(None).unwrap();
    for _ in 0..stones {
        let player = Player::BOTH[rng.usize(..2)];
        let moves = walk.moves(player);
        let mut next = walk.boxed();
        next.play(player, &moves[rng.usize(..moves.len())]).unwrap();
        if next.end().is_none() {
            walk = next;
        }
    }
    walk
}

fn needs(walk: &dyn Walk, total: Total) -> PositionNeeds {
    let stake = BoardStake::Chips(vec![total]);
    needs::solve(walk, stake, &Effort::default()).unwrap().unwrap().remove(0)
}

fn starting(walk: Box<dyn Walk>, alice: Holding, total: Total) -> Match {
    let start = [alice, total.rest(alice).unwrap()];
    Match::new(walk, MatchRules { mechanism: Mechanism::default(), start: start.into(), limit: None }).unwrap()
}

/// Checks that after any play of the other player this turn, `player` still has `result`: 2 a win,
/// 1 a draw. Returns the number of ways the turn can go.
fn holds(played: &Match, player: Player, best: &mut dyn Computer, needs: &PositionNeeds, result: u32) -> usize {
    let turns = played.turns().len();
    let mut ways = 0;
    let mut open = vec![played.clone()];
    while let Some(played) = open.pop() {
        if let Some(turn) = played.turns().get(turns) {
            let after = needs.after.iter().find(|after| Some(&after.name) == turn.played.as_ref()).unwrap();
            let pair = if turn.mover == Player::Alice { after.alice } else { after.bob };
            let held = u64::from(played.hands().alice.half_steps());
            let sure = match (player, result) {
                (Player::Alice, 2) => held >= pair.win,
                (Player::Alice, _) => held >= pair.draw,
                (Player::Bob, 2) => held < pair.draw,
                (Player::Bob, _) => held < pair.win,
            };
            assert!(sure, "{player} loses {} by {turn:?}", turn.position);
            ways += 1;
            continue;
        }
        let own = played
            .decision(player)
            .map(|_| vec![(player, best.act(&Seat::new(&played, player), &Effort::default()).unwrap())]);
        let actions = own.unwrap_or_else(|| {
            let other = player.other();
            let actions = match played.decision(other).unwrap() {
                Decision::Bid => (0..=played.hands()[other].chips()).map(Action::Bid).collect::<Vec<_>>(),
                Decision::Star { .. } => vec![Action::UseStar(true), Action::UseStar(false)],
                Decision::Move { .. } => {
                    played.walk().moves(other).into_iter().map(Action::Move).chain([Action::Let]).collect()
                }
            };
            actions.into_iter().map(|action| (other, action)).collect()
        });
        for (who, action) in actions {
            let mut next = played.clone();
            next.act(who, &action).unwrap();
            open.push(next);
        }
    }
    ways
}

/// The least holding sufficient for a win or a draw, unless nothing less exists.
fn just_enough(needs: &PositionNeeds, player: Player, result: u32) -> Option<Holding> {
    let need = if (player == Player::Alice) == (result == 2) { needs.here.win } else { needs.here.draw };
    let alice = match player {
        Player::Alice => need,
        Player::Bob => need.checked_sub(1)?,
    };
    (alice < needs.unreachable).then(|| Holding::from_half_steps(alice as u32))
}

#[test]
fn what_is_held_is_kept_whatever_the_other_does() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (spec, stones, total) in [
        ("connect:rows=4,cols=5", 7, 60),
        ("connect:rows=4,cols=5", 14, 30),
        ("tic-tac-toe:rows=4,cols=4,line=3", 6, 40),
    ] {
        let game = Subject::named(spec).unwrap();
        let knowledge = known(&game, None, total, "best");
        let total = Total::new(total as u32).unwrap();
        let mut ways = 0;
        for round in 0..40 {
            let walk = random_position(&game, &mut rng, stones);
            let needs = needs(walk.as_ref(), total);
            let (player, result) = (Player::BOTH[round % 2], 1 + round as u32 / 2 % 2);
            let Some(alice) = just_enough(&needs, player, result) else { continue };
            let mut best = SourcePlayer::new(knowledge.source().unwrap(), Care::Usual, round as u64);
            ways += holds(&starting(walk, alice, total), player, &mut best, &needs, result);
        }
        assert!(ways > 1000, "{ways}");
    }
}

/// From a position of 5 x 5 that is too large to unfold, with just enough.
#[test]
fn five_by_five_is_played_perfectly() {
    let game = Subject::named("connect:rows=5,cols=5,line=4").unwrap();
    let position = "...../...../...../.BAB./.ABA.";
    let walk = game.walk(Some(position)).unwrap();
    let knowledge = known(&game, Some(position), 20, "perfect");
    assert!(knowledge.source().is_some());
    let total = Total::new(20).unwrap();
    let needs = needs(walk.as_ref(), total);
    for (seed, player) in [(1, Player::Alice), (2, Player::Bob)] {
        let alice = just_enough(&needs, player, 2).unwrap();
        let mut played = starting(walk.boxed(), alice, total);
        let mut perfect = "perfect".parse::<Strength>().unwrap().computer(&knowledge, seed).unwrap();
        holds(&played, player, perfect.as_mut(), &needs, 2);
        let mut greedy = "greedy".parse::<Strength>().unwrap().computer(&knowledge, seed).unwrap();
        let computers: [&mut dyn Computer; 2] = match player {
            Player::Alice => [perfect.as_mut(), greedy.as_mut()],
            Player::Bob => [greedy.as_mut(), perfect.as_mut()],
        };
        let closed = play_out(&mut played, computers, &Effort::default()).unwrap();
        assert_eq!(closed.winner(), Some(player), "{:?}", played.turns());
    }
}

/// A perfect player who solved the start looks up what follows.
#[test]
fn a_perfect_player_solves_a_board_once() {
    struct Counts(AtomicU32);
    impl Watch for Counts {
        fn progress(&self, _: &'static str, _: u64, _: Option<u64>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            false
        }
    }
    let game = Subject::named("connect:rows=4,cols=5").unwrap();
    let total = Total::new(20).unwrap();
    let mut rng = fastrand::Rng::with_seed(5);
    let solved = Counts(AtomicU32::new(0));
    for (strength, looks) in [("best", true), ("perfect", false)] {
        let knowledge = known(&game, None, 20, strength);
        for stones in 1..8 {
            let walk = random_position(&game, &mut rng, stones);
            let played = starting(walk, Holding::new(10, true).unwrap(), total);
            let mut player = strength.parse::<Strength>().unwrap().computer(&knowledge, 1).unwrap();
            let before = solved.0.load(Ordering::Relaxed);
            player.act(&Seat::new(&played, Player::Bob), &Effort::watched(&solved)).unwrap();
            assert_eq!(solved.0.load(Ordering::Relaxed) > before, looks, "{strength}, {stones} stones");
        }
    }
}

#[test]
fn a_standard_board_is_played_well() {
    let game = Subject::named("connect").unwrap();
    let knowledge = known(&game, None, 40, "best");
    let total = Total::new(40).unwrap();
    let mut won = 0;
    for seed in 0..6 {
        let player = Player::BOTH[seed % 2];
        let walk = random_position(&game, &mut fastrand::Rng::with_seed(seed as u64 / 2), 4);
        let mut played = starting(walk, Holding::new(20, seed % 4 < 2).unwrap(), total);
        let mut best = SourcePlayer::new(knowledge.source().unwrap(), Care::Usual, seed as u64).within(20_000);
        let mut greedy = "greedy".parse::<Strength>().unwrap().computer(&knowledge, seed as u64).unwrap();
        let computers: [&mut dyn Computer; 2] = match player {
            Player::Alice => [&mut best, greedy.as_mut()],
            Player::Bob => [greedy.as_mut(), &mut best],
        };
        won += u32::from(play_out(&mut played, computers, &Effort::default()).unwrap().winner() == Some(player));
    }
    assert!(won >= 5, "{won} of 6");
}

#[test]
fn a_board_too_large_for_a_perfect_player_says_what_to_take() {
    let game = Subject::named("connect").unwrap();
    let strengths: [Strength; 1] = ["perfect".parse().unwrap()];
    let total = Total::new(8).unwrap();
    let refused = Knowledge::of(&game, None, &Mechanism::default(), total, &strengths, &Effort::default());
    assert!(refused.err().unwrap().to_string().contains("take best"));
}

/// The end of a match on 5 x 5 is exact, its start is bounded; without any time it is still
/// reviewed.
#[test]
fn reviews_rest_on_layers() {
    let game = Subject::named("connect:rows=5,cols=5,line=4").unwrap();
    let total = Total::new(40).unwrap();
    let mut rng = fastrand::Rng::with_seed(8);
    let mut played = starting(game.walk(None).unwrap(), Holding::new(20, true).unwrap(), total);
    while played.closed().is_none() {
        for player in Player::BOTH {
            let action = match played.decision(player) {
                None => continue,
                Some(Decision::Bid) => Action::Bid(rng.u32(..2).min(played.hands()[player].chips())),
                Some(Decision::Star { .. }) => Action::UseStar(rng.bool()),
                Some(Decision::Move { .. }) => {
                    let moves = played.walk().moves(player);
                    Action::Move(moves[rng.usize(..moves.len())].clone())
                }
            };
            played.act(player, &action).unwrap();
        }
    }
    for time in [None, Some(Duration::ZERO)] {
        let usual = Effort { positions: 1_000_000, ..Effort::default() };
        let effort = time.map_or(usual, |time| usual.within_time(time));
        let found = review(&game, &played, &effort).unwrap();
        assert_eq!(found.rests_on, RestsOn::Engine(LinesEngine.method()));
        assert!(found.reason.is_some() && found.summary.contains("bounds"), "{found:?}");
        if time.is_none() {
            // Bounds give probable mistakes, exact values lost margins, and the rules what was
            // certain.
            let has = |grade| found.mistakes.iter().any(|mistake| mistake.grade == grade);
            assert!([MistakeGrade::Probable, MistakeGrade::Margin, MistakeGrade::AtOnce].into_iter().all(has));
            let missed = "Bob played b: c would have won at once.";
            assert!(found.mistakes.iter().any(|mistake| mistake.turn == 5 && mistake.text == missed), "{found:?}");
        }
        let first = found.turns[0].worth.as_ref().unwrap();
        let bounds = &first.money.as_ref().unwrap().win.0;
        assert!(bounds.low.complement() == bounds.high && bounds.low < bounds.high, "{first:?}");
        // 41 half-steps, which is 20*.
        assert_eq!(first.margin.unwrap().alice.win, Some(0));
        let mut exact = 0;
        for turn in found.turns.iter().filter(|turn| turn.worth.as_ref().unwrap().win.is_some()) {
            exact += 1;
            let worth = turn.worth.as_ref().unwrap();
            let needs = needs(game.walk(Some(&turn.position)).unwrap().as_ref(), total);
            let margin = worth.margin.unwrap();
            let held = u64::from(turn.alice.0.half_steps());
            assert_eq!(margin.alice.win.is_some_and(|spare| spare >= 0), held >= needs.here.win, "{turn:?}");
            assert_eq!(margin.alice.draw.is_some_and(|spare| spare >= 0), held >= needs.here.draw, "{turn:?}");
            assert_eq!(margin.bob.win.is_some_and(|spare| spare >= 0), held < needs.here.draw, "{turn:?}");
            assert_eq!(margin.bob.draw.is_some_and(|spare| spare >= 0), held < needs.here.win, "{turn:?}");
        }
        assert_eq!(exact > 0, time.is_none(), "{} turns", found.turns.len());
        assert_eq!(found.now.worth.unwrap().within, Some(0));
    }
}

/// Bounds concern real money, which ignores tie rules and the order of bids.
#[test]
fn every_tie_rule_and_order_of_bids_is_played() {
    let game = Subject::named("connect").unwrap();
    let strengths: [Strength; 2] = ["best", "greedy"].map(|name| name.parse().unwrap());
    let total = Total::new(9).unwrap();
    for ties in Ties::ALL {
        for bidding in ["sealed", "alice-first", "bob-first"] {
            let bidding = bidding.parse().unwrap();
            let mechanism = Mechanism { ties, bidding, ..Mechanism::default() };
            let knowledge = Knowledge::of(&game, None, &mechanism, total, &strengths, &Effort::default()).unwrap();
            let start = [Holding::new(5, mechanism.has_star()).unwrap(), Holding::new(4, false).unwrap()];
            let rules = MatchRules { mechanism, start: start.into(), limit: None };
            let mut played = Match::new(game.walk(None).unwrap(), rules).unwrap();
            let mut best = SourcePlayer::new(knowledge.source().unwrap(), Care::Usual, 1).within(2000);
            let mut greedy = strengths[1].computer(&knowledge, 1).unwrap();
            play_out(&mut played, [&mut best, greedy.as_mut()], &Effort::default()).unwrap();
        }
    }
}
