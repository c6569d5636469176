//! Hex players: with exact values they never lose a won position; they beat K's algorithm and keep
//! to time. Reviews of large boards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use richman_analysis::Subject;
use richman_core::{ByPlayer, Effort, Holding, Mechanism, Player, Total, Unwatched};
use richman_engine::{Care, Engine, EngineRequest};
use richman_hex::board::HexBoard;
use richman_hex::engine::{Cores, HexEngine, small::FillingThresholds};
use richman_play::duel::{Duel, DuelReport, play_out};
use richman_play::players::{Knowledge, PlayerError, SourcePlayer, Strength};
use richman_play::review::{MistakeGrade, RestsOn, review};
use richman_play::{Action, Match, MatchRules};

fn strength(text: &str) -> Strength {
    text.parse().unwrap()
}

fn known(subject: &Subject, mechanism: &Mechanism, total: u64, strengths: &[Strength]) -> Arc<Knowledge> {
    let total = Total::new(total as u32).unwrap();
    Knowledge::of(subject, None, mechanism, total, strengths, &Effort::default()).unwrap()
}

fn hand(text: &str) -> Holding {
    text.parse().unwrap()
}

fn duel(game: &str, players: [&str; 2], starts: &[[&str; 2]], games: u64, opening: u32, timed: bool) -> DuelReport {
    let subject = Subject::named(game).unwrap();
    let mechanism = Mechanism::default();
    let players = players.map(strength);
    let starts: Vec<ByPlayer<Holding>> = starts.iter().map(|start| ByPlayer::from(*start).map(hand)).collect();
    let total = u64::from(starts[0].alice.chips() + starts[0].bob.chips());
    let knowledge = known(&subject, &mechanism, total, &players);
    let walk = subject.walk(None).unwrap();
    let walk = walk.as_ref();
    let duel = Duel { walk, mechanism, starts, limit: Some(200), games, exchange: true, opening, timed, seed: 5 };
    duel.run(players, &knowledge, &Unwatched).unwrap()
}

/// The long form of these duels is in docs/hex.md.
#[test]
fn exact_values_beat_random_fillings() {
    let five = duel("hex:size=5", ["best", "monte-carlo:fillings=16384"], &[["4*", "4"], ["4", "4*"]], 120, 2, true);
    assert!(five.interval[0] > 0.5, "{five:?}");
    assert!(five.distinct > 100 && five.microseconds.is_some(), "{five:?}");
}

#[test]
fn the_same_seed_gives_the_same_games_after_openings() {
    let run = || duel("hex:size=4", ["rounding", "monte-carlo"], &[["10*", "10"]], 20, 3, false);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(run(), pool.install(run), "on one core");
    assert!(run().microseconds.is_none());
}

/// Every position of 3 x 3 and some of 4 x 4, in the seat of the player who can win: whatever the
/// other player does, it stays won.
#[test]
fn what_is_won_is_never_lost() {
    for (game, total, games) in [("hex:size=3", 5, 60), ("hex:size=4", 8, 60), ("hex:rows=3,cols=4", 7, 60)] {
        let subject = Subject::named(game).unwrap();
        let mechanism = Mechanism::default();
        let knowledge = known(&subject, &mechanism, total, &[strength("best")]);
        let walk = subject.walk(None).unwrap();
        let empty = walk.board::<HexBoard>().unwrap();
        let cells: Vec<usize> = (0..empty.cells().len()).collect();
        let chips = Total::new(total as u32).unwrap();
        let exact = FillingThresholds::of(&empty, &cells, chips, Cores::All, &Effort::default()).unwrap();
        let asked = EngineRequest::new(walk.as_ref(), &mechanism, Some(chips), Effort::default());
        let source = HexEngine.open(&asked).unwrap();
        let mut rng = fastrand::Rng::with_seed(3);
        for seed in 0..games {
            // From a random position, with just enough for one of the players.
            let mut walk = walk.boxed();
            for _ in 0..rng.usize(0..6) {
                let player = Player::BOTH[rng.usize(..2)];
                let moves = walk.moves(player);
                if moves.is_empty() {
                    break;
                }
                walk.play(player, &moves[rng.usize(..moves.len())]).unwrap();
            }
            let need = exact.at(exact.number(&walk.board::<HexBoard>().unwrap()).unwrap());
            let alice_wins = rng.bool();
            let held = if alice_wins { Some(need) } else { need.checked_sub(1) };
            let Some(held) = held.filter(|held| *held <= 2 * chips.chips() + 1) else { continue };
            let alice = Holding::from_half_steps(held);
            let start = [alice, chips.rest(alice).unwrap()];
            let winner = if alice_wins { Player::Alice } else { Player::Bob };
            let rules = MatchRules { mechanism: mechanism.clone(), start: start.into(), limit: None };
            let mut played = Match::new(walk, rules).unwrap();
            // Also without knowing the start: positions with few open cells are solved on the way.
            let mut best: Box<dyn richman_play::players::Computer> = if exact.cells().len() > 12 || seed % 2 == 0 {
                strength("best").computer(&knowledge, seed).unwrap()
            } else {
                Box::new(SourcePlayer::new(source.as_ref().unwrap(), Care::Usual, seed))
            };
            let other = ["random", "greedy", "monte-carlo:fillings=1"][seed as usize % 3];
            let mut other = strength(other).computer(&knowledge, seed).unwrap();
            let computers: [&mut dyn richman_play::players::Computer; 2] = match winner {
                Player::Alice => [best.as_mut(), other.as_mut()],
                Player::Bob => [other.as_mut(), best.as_mut()],
            };
            let closed = play_out(&mut played, computers, &Effort::default()).unwrap();
            assert_eq!(closed.winner(), Some(winner), "{game} {start:?} {:?}", played.turns());
        }
    }
}

#[test]
fn every_mechanism_with_richman_payment_is_played() {
    let subject = Subject::named("hex:size=4").unwrap();
    for text in ["--ties marker", "--right moves", "--ties alice", "--ties loser", "--bids 1+3"] {
        let mut mechanism = Mechanism::default();
        match text.split(' ').collect::<Vec<_>>()[..] {
            ["--ties", ties] => mechanism.ties = ties.parse().unwrap(),
            ["--right", right] => mechanism.right = right.parse().unwrap(),
            ["--bids", bids] => mechanism.bids = bids.parse().unwrap(),
            _ => unreachable!(),
        }
        for bidding in ["sealed", "alice-first", "bob-first"] {
            mechanism.bidding = bidding.parse().unwrap();
            let knowledge = known(&subject, &mechanism, 8, &[strength("best")]);
            for seed in 0..6 {
                let star = mechanism.has_star();
                let start = [Holding::new(4, star).unwrap(), hand("4")];
                let rules = MatchRules { mechanism: mechanism.clone(), start: start.into(), limit: Some(60) };
                let mut played = Match::new(subject.walk(None).unwrap(), rules).unwrap();
                let mut computers =
                    ["best", "monte-carlo:fillings=1"].map(|name| strength(name).computer(&knowledge, seed).unwrap());
                let [one, two] = &mut computers;
                play_out(&mut played, [one.as_mut(), two.as_mut()], &Effort::default())
                    .unwrap_or_else(|error| panic!("{text} {bidding}: {error}"));
            }
        }
    }
}

/// The largest board that is counted, with too little time, and boards too wide to count.
#[test]
fn deadlines_are_kept() {
    for (game, limit) in [("hex", 5), ("hex:size=13", 20), ("hex:size=5", 5)] {
        let subject = Subject::named(game).unwrap();
        let mechanism = Mechanism::default();
        let knowledge = known(&subject, &mechanism, 100, &[strength("best")]);
        let rules = MatchRules { mechanism, start: ["50*", "50"].map(hand).into(), limit: None };
        let played = Match::new(subject.walk(None).unwrap(), rules).unwrap();
        let mut best = strength("best").computer(&knowledge, 1).unwrap();
        let start = Instant::now();
        let thinking = Effort::watched(&Unwatched).at_most(Duration::from_millis(limit));
        let seat = richman_play::players::Seat::new(&played, Player::Alice);
        let Action::Bid(bid) = best.act(&seat, &thinking).unwrap() else { panic!("a bid") };
        assert!((1..25).contains(&bid), "{game}: {bid}");
        assert!(start.elapsed() < Duration::from_secs(10), "{game}: {:?}", start.elapsed());
    }
}

#[test]
fn strengths_are_written_as_they_are_read() {
    for text in ["monte-carlo", "monte-carlo:fillings=500", "monte-carlo:fillings=500,errs=0.25", "best:errs=0.3"] {
        assert_eq!(strength(text).to_string(), text);
    }
    assert_eq!(strength("monte-carlo:fillings=20000"), strength("monte-carlo"));
    for text in [
        "monte-carlo:",
        "best:erss=1/4",
        "monte-carlo:fillings=0",
        "monte-carlo:fillings=x",
        "best:fillings=5",
        "best:errs=2",
        "best:errs=0,errs=0",
        "monte-carlo:fillings=9999999999",
        "best:errs=1/0",
    ] {
        assert!(matches!(text.parse::<Strength>(), Err(PlayerError::NotASetting { .. })), "{text}");
    }
    let subject = Subject::named("tic-tac-toe").unwrap();
    let knowledge = known(&subject, &Mechanism::default(), 8, &[strength("monte-carlo")]);
    let refused = strength("monte-carlo").computer(&knowledge, 1).err().unwrap().to_string();
    assert!(refused.contains("those of Hex"), "{refused}");
}

#[test]
fn reviews_of_large_boards_rest_on_exact_values() {
    let subject = Subject::named("hex:size=6").unwrap();
    let rules = MatchRules { mechanism: Mechanism::default(), start: ["50*", "50"].map(hand).into(), limit: None };
    let mut played = Match::new(subject.walk(None).unwrap(), rules).unwrap();
    for cell in ["c3", "c4", "c5"] {
        played.act(Player::Alice, &Action::Bid(10)).unwrap();
        played.act(Player::Bob, &Action::Bid(0)).unwrap();
        played.act(Player::Alice, &Action::Move(cell.to_string())).unwrap();
    }
    let found = review(&subject, &played, &Effort::default()).unwrap();
    assert_eq!(found.rests_on, RestsOn::Engine(HexEngine.method()));
    assert!(found.summary.contains("exact") && found.reason.is_some(), "{found:?}");
    // Alice's cells are worth more than the chips that Bob gets by bidding nothing.
    let mistakes: Vec<_> = found.mistakes.iter().map(|mistake| (mistake.turn, mistake.player, mistake.grade)).collect();
    let probable = |turn, player| (turn, player, MistakeGrade::Probable);
    let bobs = (1..=3).map(|turn| probable(turn, Player::Bob));
    assert_eq!(mistakes, [probable(1, Player::Alice)].into_iter().chain(bobs).collect::<Vec<_>>(), "{found:?}");
    let first = found.turns[0].worth.as_ref().unwrap();
    let money = first.money.as_ref().unwrap();
    assert_eq!((money.win.0.low.to_string(), &money.win), ("1/2".to_string(), &money.draw));
    // 101 half-steps, which is 50*.
    assert_eq!((first.margin.unwrap().alice.win, first.margin.unwrap().bob.win), (Some(0), Some(-1)));
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["rests_on"], "exact real money");
    // Without time for that, random fillings stand in.
    let hurried = Effort::default().within_time(Duration::ZERO);
    let found = review(&subject, &played, &hurried).unwrap();
    assert_eq!(found.rests_on, RestsOn::Samples);
    assert!(
        found
            .turns
            .iter()
            .all(|turn| turn.worth.as_ref().is_some_and(|worth| worth.samples.is_some() && worth.money.is_none()))
    );
    // Boards too wide to count are sampled.
    let wide = Subject::named("hex:size=12").unwrap();
    let rules = MatchRules { mechanism: Mechanism::default(), start: ["50*", "50"].map(hand).into(), limit: None };
    let played = Match::new(wide.walk(None).unwrap(), rules).unwrap();
    let limits = Effort { positions: 1000, ..Effort::default() };
    let found = review(&wide, &played, &limits).unwrap();
    let samples = found.now.worth.unwrap().samples.unwrap();
    assert_eq!((found.rests_on, samples.alice + samples.bob), (RestsOn::Samples, samples.games));
    let even = f64::from(samples.alice) / f64::from(samples.games);
    assert!(samples.games > 10_000 && (0.47..0.53).contains(&even), "{samples:?}");
}
