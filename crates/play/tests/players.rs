//! Every player under every mechanism acts legally, and the same seed gives the same games.

use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use richman_analysis::Subject;
use richman_core::{Bidding, Bids, Effort, Holding, Mechanism, Payment, Preset, Right, Ties, Total, Unwatched, Watch};
use richman_play::duel::{Duel, DuelReport, Tally, divisions, play_out};
use richman_play::players::{Knowledge, PlayerError, STRENGTHS, Strength};
use richman_play::{Match, MatchEnd, MatchRules};

fn strength(text: &str) -> Strength {
    text.parse().unwrap()
}

fn mechanisms() -> Vec<Mechanism> {
    let mut all = Vec::new();
    for payment in ["richman", "poorman", "taxman:1/2"] {
        let payment: Payment = payment.parse().unwrap();
        for ties in Ties::ALL {
            for bidding in [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst] {
                for right in [Right::Chooses, Right::Moves] {
                    for bids in ["all", "0+1+3", "1+2"] {
                        let bids: Bids = bids.parse().unwrap();
                        all.push(Mechanism { payment: payment.clone(), ties, bidding, right, bids });
                    }
                }
            }
        }
    }
    all
}

/// The knowledge of all players available under a mechanism.
fn knowledge(subject: &Subject, mechanism: &Mechanism, total: Total) -> Arc<Knowledge> {
    let wanted = ["best", "rounding"].map(strength);
    Knowledge::of(subject, None, mechanism, total, &wanted, &Effort::default()).unwrap()
}

#[test]
fn no_player_does_what_is_not_allowed() {
    let games = [
        "tic-tac-toe:rows=2,cols=3,line=2",
        "connect:rows=2,cols=3,line=2",
        "tug-of-war",
        "ultimatum:degree=2",
        "expr:(A & B^2) & ~(A & B)",
        "subtraction:heap=6,set=1+3",
    ];
    let mechanisms = mechanisms();
    let played: usize = games
        .into_par_iter()
        .map(|game| {
            let subject = Subject::named(game).unwrap();
            let total = Total::new(5).unwrap();
            let mut played = 0;
            for (number, mechanism) in mechanisms.iter().enumerate() {
                let knowledge = knowledge(&subject, mechanism, total);
                let divisions = divisions(mechanism, total).unwrap();
                for (at, one) in STRENGTHS.iter().enumerate() {
                    let seed = (1000 * number + at) as u64;
                    let other = &STRENGTHS[(at + number) % STRENGTHS.len()];
                    let Ok(mut alice) = one.strength.computer(&knowledge, seed) else { continue };
                    let Ok(mut bob) = other.strength.computer(&knowledge, seed + 7) else { continue };
                    let start = divisions[(number + at) % divisions.len()];
                    let rules = MatchRules { mechanism: mechanism.clone(), start, limit: Some(30) };
                    let mut game = Match::new(subject.walk(None).unwrap(), rules).unwrap();
                    play_out(&mut game, [alice.as_mut(), bob.as_mut()], &Effort::default()).unwrap_or_else(|error| {
                        panic!("{} {mechanism} {start:?} {} {}: {error}", subject.name(), one.name, other.name)
                    });
                    let chips: u64 = game.hands().iter().map(|held| u64::from(held.chips())).sum();
                    assert_eq!(chips + game.bank(), 5);
                    played += 1;
                }
            }
            played
        })
        .sum();
    assert!(played > 3000, "{played}");
}

fn duel(game: &str, mechanism: Mechanism, players: [&str; 2], chips: u64, games: u64, seed: u64) -> DuelReport {
    let subject = Subject::named(game).unwrap();
    let total = Total::new(chips as u32).unwrap();
    let players = players.map(strength);
    let knowledge = Knowledge::of(&subject, None, &mechanism, total, &players, &Effort::default()).unwrap();
    let walk = subject.walk(None).unwrap();
    let starts = divisions(&mechanism, total).unwrap();
    let duel = Duel {
        walk: walk.as_ref(),
        mechanism,
        starts,
        limit: Some(200),
        games,
        exchange: true,
        opening: 0,
        timed: false,
        seed,
    };
    duel.run(players, &knowledge, &Unwatched).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for players in [["beginner", "greedy"], ["rounding", "intermediate"], ["perfect", "random"]] {
        let run = |seed| duel("tic-tac-toe", Mechanism::default(), players, 8, 100, seed);
        let report = run(1);
        assert_eq!(report, run(1));
        assert_eq!(report, pool.install(|| run(1)), "on one core");
        assert_ne!(report, run(2));
    }
}

#[test]
fn stronger_players_score_more() {
    let perfect_score = |mechanism: &Mechanism, game: &str, other: &str, chips: u64| {
        let report = duel(game, mechanism.clone(), ["perfect", other], chips, 400, 3);
        assert!(report.score >= 0.5, "{report:?}");
        assert!(report.interval[0] <= report.score && report.score <= report.interval[1]);
        let Tally { wins, draws, losses } = report.tally;
        assert_eq!(wins + draws + losses, 400);
        assert_eq!(report.as_alice.games(), 200);
        report.score
    };
    let default = Mechanism::default();
    for other in ["random", "greedy", "beginner", "rounding"] {
        for chips in [4, 8, 15] {
            perfect_score(&default, "tic-tac-toe", other, chips);
        }
        for preset in [Preset::Larsson, Preset::Gasarch] {
            perfect_score(&preset.mechanism(), "connect:rows=3,cols=3,line=3", other, 8);
        }
        perfect_score(&Mechanism { payment: Payment::Poorman, ..default.clone() }, "tug-of-war", other, 8);
        if other != "rounding" {
            perfect_score(&Preset::Larsson.mechanism(), "subtraction", other, 8);
        }
    }
    assert!(perfect_score(&default, "tic-tac-toe", "random", 8) > 0.7);
    assert!(duel("tic-tac-toe", default.clone(), ["rounding", "random"], 100, 200, 1).score > 0.6);
    assert!(duel("tic-tac-toe", default.clone(), ["greedy", "random"], 100, 200, 1).score > 0.5);
    let [weak, strong] =
        ["beginner", "advanced"].map(|name| duel("tic-tac-toe", default.clone(), [name, "greedy"], 20, 200, 1).score);
    assert!(strong > weak, "{strong} {weak}");
}

/// With many chips an error of one chip seldom costs the result, so rounding comes near.
#[test]
fn rounding_comes_near_to_perfect_play_with_many_chips() {
    let report = duel("tic-tac-toe", Mechanism::default(), ["rounding", "perfect"], 200, 402, 5);
    assert!(report.score > 0.4, "{report:?}");
}

#[test]
fn games_too_large_to_unfold_are_played() {
    let subject = Subject::named("connect").unwrap();
    let total = Total::new(100).unwrap();
    let mechanism = Mechanism::default();
    let players = ["best", "greedy"].map(strength);
    let effort = Effort::default().within_time(Duration::from_millis(200));
    let knowledge = Knowledge::of(&subject, None, &mechanism, total, &players, &effort).unwrap();
    assert!(knowledge.solved().is_none() && knowledge.needs().is_none());
    assert!(matches!(strength("perfect").computer(&knowledge, 1), Err(PlayerError::Unfit { .. })));
    let start = [Holding::new(50, true).unwrap(), Holding::new(50, false).unwrap()];
    let mut game =
        Match::new(subject.walk(None).unwrap(), MatchRules { mechanism, start: start.into(), limit: None }).unwrap();
    let mut computers = players.map(|player| player.computer(&knowledge, 1).unwrap());
    let [alice, bob] = &mut computers;
    let thinking = Effort::watched(&Unwatched).at_most(Duration::ZERO); // plays with what it has at once
    assert!(matches!(play_out(&mut game, [alice.as_mut(), bob.as_mut()], &thinking).unwrap(), MatchEnd::Game(_)));
}

#[test]
fn cancels() {
    struct Stopped;
    impl Watch for Stopped {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let is_cancelled = |error: PlayerError| {
        matches!(error, PlayerError::Analysis(richman_analysis::Error::Core(richman_core::Error::Cancelled)))
    };
    let (mechanism, total) = (Mechanism::default(), Total::new(8).unwrap());
    let subject = Subject::named("tic-tac-toe").unwrap();
    let solved = knowledge(&subject, &mechanism, total);
    let start = [Holding::new(4, true).unwrap(), Holding::new(4, false).unwrap()];
    let game = Match::new(
        subject.walk(None).unwrap(),
        MatchRules { mechanism: mechanism.clone(), start: start.into(), limit: None },
    )
    .unwrap();
    let seat = richman_play::players::Seat::new(&game, richman_core::Player::Alice);
    let thinking = Effort::watched(&Stopped);
    for name in ["perfect", "rounding", "greedy"] {
        let mut computer = strength(name).computer(&solved, 1).unwrap();
        assert!(is_cancelled(computer.act(&seat, &thinking).unwrap_err()), "{name}");
    }
    let large = Subject::named("connect").unwrap();
    let effort = Effort { watch: &Stopped, ..Effort::default() };
    for name in ["perfect", "best", "rounding"] {
        let error = Knowledge::of(&large, None, &mechanism, total, &[strength(name)], &effort).err().unwrap();
        assert!(is_cancelled(error), "{name}");
    }
    let effort = Effort::default().within_time(Duration::from_millis(100));
    let error = Knowledge::of(&large, None, &mechanism, total, &[strength("perfect")], &effort).err().unwrap();
    assert!(error.to_string().contains("perfect"), "{error}");
}

#[test]
fn strengths_print_and_parse_back() {
    for info in STRENGTHS {
        assert_eq!(strength(info.name), info.strength);
        assert_eq!(info.strength.to_string(), info.name);
    }
    for text in ["perfect:errs=0.3", "greedy:errs=0.5"] {
        assert_eq!(strength(text).to_string(), text);
    }
    assert_eq!(strength("perfect:errs=1/4"), Strength { errs: 0.25, ..strength("perfect") });
    for text in [
        "",
        "good",
        "perfect:",
        "perfect:errs=",
        "perfect:errs=2",
        "perfect:errs=1/0",
        "perfect:errs=-1",
        "perfect:errs=NaN",
    ] {
        assert!(text.parse::<Strength>().is_err(), "{text:?}");
    }
}
