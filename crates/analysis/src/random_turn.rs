//! The report of random-turn play: Alice's chance, computed, compared with the thresholds by
//! Richman's theorem, and played. Where chance moves too, thresholds do not decide who wins; these
//! chances are solved, and proved by a verifier.

use std::time::Duration;

use fastrand::Rng;
use richman_check::verify;
use richman_core::{
    Effort, Goal, LabelledArena, Mechanism, MoneySolution, Player, RandomTurn, Share, ShareBounds, Stochastic,
    Unfolding,
};
use richman_solvers::money;
use richman_solvers::random_turn::{self, CutOff, PlayCounts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{BoundsJson, Error, Opened, Question, Request, Subject};

/// The result of tossing a coin before every move.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RandomTurnReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The position as text.
    #[serde(skip)]
    pub picture: String,
    /// Alice's chance to win, if both play best.
    pub wins: Chance,
    /// Her chance not to lose, if both play best for that.
    pub holds: Chance,
}

/// A chance, both computed and played.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = crate::json::shares::described)]
pub struct Chance {
    /// The chance, or proved bounds on it.
    #[serde(flatten, serialize_with = "crate::json::shares::chance")]
    #[schemars(!flatten)]
    pub chance: BoundsJson,
    /// The horizon in moves.
    pub rounds: u32,
    /// 1 less the real-money threshold, from the threshold solver, which does not use coins; absent
    /// where chance moves too, because then no threshold is computed.
    #[serde(flatten, serialize_with = "crate::json::shares::from_threshold", skip_serializing_if = "Option::is_none")]
    #[schemars(!flatten)]
    pub from_threshold: Option<BoundsJson>,
    /// The solved chance, or bounds on it, where chance moves too.
    #[serde(flatten, serialize_with = "crate::json::shares::value", skip_serializing_if = "Option::is_none")]
    #[schemars(!flatten)]
    pub value: Option<BoundsJson>,
    /// Whether the verifier proved the chances of all positions, where chance moves too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<bool>,
    /// Whether the two agree: their bounds share a number. False if a proof failed.
    pub agree: bool,
    /// The number of games played under each of the two rules for unfinished games; each has at
    /// most `rounds` moves.
    pub games: u64,
    /// The part of the games in which Alice reached the goal, if an unfinished game is a draw: her
    /// chance within `rounds` moves.
    pub played: f64,
    /// A 99% confidence interval for her chance without a limit of moves. Its lower end counts
    /// unfinished games as failures, its upper end as successes.
    pub interval: [f64; 2],
    /// The games, if unfinished ones fail.
    pub cut_off_fails: PlayResults,
    /// The games, if unfinished ones succeed.
    pub cut_off_succeeds: PlayResults,
}

/// How the games ended, as parts of all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct PlayResults {
    /// Alice reached her goal and the game ended.
    pub reached: f64,
    /// The game was unfinished.
    pub cut_off: f64,
}

impl From<PlayCounts> for PlayResults {
    fn from(played: PlayCounts) -> PlayResults {
        let part = |games: u64| games as f64 / played.games.max(1) as f64;
        PlayResults { reached: part(played.reached), cut_off: part(played.cut_off) }
    }
}

/// The games played for each end of an interval by default.
pub const USUAL_GAMES: u64 = 100_000;
/// The most moves to look ahead, and in a game played out, by default.
pub const USUAL_ROUNDS: u32 = 1000;

/// The most bytes of the proof for each position and move, without the chances.
const PROOF_BYTES: u64 = 64;

/// The probability that the interval misses the chance.
const ERROR: f64 = 0.01;

/// Settings for looking ahead and simulating plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomTurnOptions {
    /// The most moves to look ahead, and in a game played out.
    pub rounds: u32,
    /// The number of games played for each end of an interval.
    pub games: u64,
    /// The seed of all randomness.
    pub seed: u64,
}

impl Default for RandomTurnOptions {
    fn default() -> RandomTurnOptions {
        RandomTurnOptions { rounds: USUAL_ROUNDS, games: USUAL_GAMES, seed: 1 }
    }
}

/// Computes the chances of a game at a position in its notation, or at its start.
///
/// # Errors
/// Fails as [`Opened::new`] and [`report`] do.
pub fn of_subject(
    subject: &Subject,
    position: Option<&str>,
    options: RandomTurnOptions,
    effort: &Effort,
) -> Result<RandomTurnReport, Error> {
    if subject.aim().facts().has_chance {
        let unfolding = subject.unfold_for::<Stochastic>(position, effort)?;
        let effort = Effort { held: effort.held + unfolding.bytes(), ..*effort };
        return with_chance(unfolding.as_ref(), options, &effort);
    }
    let question = Question { position: position.map(str::to_string), ..Question::new(Mechanism::default()) };
    report(&Opened::new(subject, &question, effort)?.request(effort.watch), options)
}

/// Computes the chances at the start, and plays games for each bound.
///
/// # Errors
/// `Unsupported`, `TooMuchMemory` or `Cancelled`.
pub fn report(request: &Request, options: RandomTurnOptions) -> Result<RandomTurnReport, Error> {
    let arena = request.unfolding.arena();
    let effort = Effort { within: None, ..request.effort };
    // Only the start's thresholds stay in memory while games are played.
    let solved = {
        let solution = money::solve(arena, &Mechanism::default(), &effort);
        at_start(&solution.map_err(|error| request.translate(error))?, arena)
    };
    let [wins, holds] = looked_ahead(arena, &solved, options, &effort)?;
    let [win, draw] = solved.map(|share| Some(BoundsJson(share)));
    Ok(RandomTurnReport {
        game: request.game(),
        position: request.position(),
        picture: request.unfolding.picture(arena.start()),
        wins: Chance { from_threshold: win, ..wins },
        holds: Chance { from_threshold: draw, ..holds },
    })
}

/// The same where chance moves too: chances are solved as time allows, and proved at all positions
/// if all are exact.
fn with_chance(
    unfolding: &dyn Unfolding<Stochastic>,
    options: RandomTurnOptions,
    effort: &Effort,
) -> Result<RandomTurnReport, Error> {
    let arena = unfolding.arena();
    let (solved, proofs) = {
        let in_time = effort.at_most(Duration::from_secs(Effort::MONEY_SECONDS));
        let solution = random_turn::exact(arena, &in_time)?;
        let needed = 2 * solution.win.bytes() + PROOF_BYTES * (arena.len() + arena.edges()) as u64;
        effort.check_memory("proving the chances", solution.win.bytes() + solution.draw.bytes() + needed)?;
        let alice = |node| solution.win.get(node).complement();
        let bob = |node| solution.draw.get(node);
        let is_proved = |player: Player, chance: &dyn Fn(u32) -> ShareBounds| {
            let exact: Option<Vec<Share>> = arena.nodes().map(|node| chance(node).as_exact().cloned()).collect();
            let Some(exact) = exact else { return Ok(None) };
            match verify::random_turn(arena, player, &exact, effort.watch) {
                Err(verify::Flaw::Stopped) => Err(Error::Core(richman_core::Error::Cancelled)),
                proof => Ok(Some(proof.is_ok())),
            }
        };
        (at_start(&solution, arena), [is_proved(Player::Alice, &alice)?, is_proved(Player::Bob, &bob)?])
    };
    let [wins, holds] = looked_ahead(arena, &solved, options, effort)?;
    let with = |chance: Chance, solved, proof: Option<bool>| Chance {
        value: Some(BoundsJson(solved)),
        proved: Some(proof == Some(true)),
        agree: chance.agree && proof != Some(false),
        ..chance
    };
    let ([win, hold], [win_proof, hold_proof]) = (solved, proofs);
    Ok(RandomTurnReport {
        game: unfolding.game(),
        position: unfolding.notation(arena.start()),
        picture: unfolding.picture(arena.start()),
        wins: with(wins, win, win_proof),
        holds: with(holds, hold, hold_proof),
    })
}

/// Alice's chances to win and not to lose at the start.
fn at_start<L: RandomTurn>(solution: &MoneySolution, arena: &LabelledArena<L>) -> [ShareBounds; 2] {
    [&solution.win, &solution.draw].map(|shares| shares.get(arena.start()).complement())
}

/// Both chances by looking ahead, compared with the solved ones, and played.
fn looked_ahead<L: RandomTurn>(
    arena: &LabelledArena<L>,
    [win, hold]: &[ShareBounds; 2],
    RandomTurnOptions { rounds, games, seed }: RandomTurnOptions,
    effort: &Effort,
) -> Result<[Chance; 2], Error> {
    let mut seeds = Rng::with_seed(seed);
    let mut chance = |goal, solved: &ShareBounds| -> Result<Chance, Error> {
        let chances = random_turn::chances(arena, goal, rounds, effort)?;
        let found = chances.get(arena.start());
        let mut play = |cut_off| chances.play(arena, cut_off, games, seeds.u64(..), effort);
        let (fails, succeeds) = (play(CutOff::Fails)?, play(CutOff::Succeeds)?);
        let [cut_off_fails, cut_off_succeeds] = [fails, succeeds].map(PlayResults::from);
        Ok(Chance {
            agree: meet(&found, solved),
            chance: BoundsJson(found),
            rounds: chances.rounds,
            from_threshold: None,
            value: None,
            proved: None,
            games,
            played: match goal {
                Goal::Win => cut_off_fails.reached,
                Goal::Draw => cut_off_succeeds.reached + cut_off_succeeds.cut_off,
            },
            interval: PlayCounts::interval(fails, succeeds, ERROR),
            cut_off_fails,
            cut_off_succeeds,
        })
    };
    Ok([chance(Goal::Win, win)?, chance(Goal::Draw, hold)?])
}

fn meet(one: &ShareBounds, other: &ShareBounds) -> bool {
    let above = |low: &Share, high: &Share| low > high;
    !above(&one.low, &other.high) && !above(&other.low, &one.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use richman_core::{Effort, Unfolding};

    fn unfolded(spec: &str, position: Option<&str>) -> Box<dyn Unfolding> {
        Subject::named(spec).unwrap().unfold(position, &Effort::default()).unwrap()
    }

    fn reported(unfolding: &dyn Unfolding, rounds: u32, games: u64, seed: u64) -> RandomTurnReport {
        let mechanism = Mechanism::default();
        let options = RandomTurnOptions { rounds, games, seed };
        report(&Request { unfolding, mechanism: &mechanism, effort: Effort::default() }, options).unwrap()
    }

    fn game_file(positions: &str) -> Box<dyn Unfolding> {
        let json = format!(
            r#"{{"name": "small", "start": "s", "positions": {{
                "alice": {{"winner": "alice"}}, "bob": {{"winner": "bob"}}, {positions}}}}}"#
        );
        let subject = Subject::from_file("small.json", json.as_bytes(), &Effort::default()).unwrap();
        subject.unfold(None, &Effort::default()).unwrap()
    }

    #[test]
    fn richmans_theorem() {
        let games = [
            "tic-tac-toe",
            "connect:rows=3,cols=3,line=3",
            "tug-of-war",
            "ultimatum",
            "hex:size=3",
            "expr:(A & B^2) & B",
        ];
        for (seed, spec) in (1..).step_by(2).zip(games) {
            let unfolding = unfolded(spec, None);
            let found = reported(unfolding.as_ref(), 500, 40_000, seed);
            for chance in [&found.wins, &found.holds] {
                assert!(chance.agree, "{spec}: {chance:?}");
                let bounds = &chance.chance.0;
                assert!(bounds.high.to_f64() - bounds.low.to_f64() < 1e-9, "{spec}: {chance:?}");
                if unfolding.arena().is_acyclic() {
                    assert_eq!(Some(&chance.chance), chance.from_threshold.as_ref(), "{spec}: exact");
                }
                let [low, high] = chance.interval;
                assert!(high - low < 0.03, "{spec}: every play ends, {chance:?}");
                assert!((chance.played - bounds.low.to_f64()).abs() < 0.02, "{spec}: {chance:?}");
            }
        }
    }

    #[test]
    fn intervals_miss_the_chance_as_seldom_as_they_say() {
        let mut games = vec![
            unfolded("chess:size=4", Some("n3/B2k/4/K3")),
            unfolded("tug-of-war:length=9,at=3", None),
            unfolded("ultimatum", None),
            unfolded("tic-tac-toe", None),
            game_file(r#""s": {"both": ["s"]}"#),
            // The first move cycles safely forever; the second is a gamble. Unfinished plays count
            // as lost.
            game_file(r#""s": {"alice": ["s", "g"], "bob": ["s"]}, "g": {"alice": ["alice"], "bob": ["bob"]}"#),
            // Two moves from the end, plays of one move cannot tell the moves apart.
            game_file(r#""s": {"both": ["t", "u"]}, "t": {"both": ["alice"]}, "u": {"both": ["bob"]}"#),
        ];
        let mut rng = Rng::with_seed(15);
        for _ in 0..40 {
            let count = rng.u32(1..8);
            let name = |i: u32| match i {
                0 => "\"s\"".to_string(),
                i if i < count => format!("\"p{i}\""),
                i if i == count => "\"alice\"".to_string(),
                _ => "\"bob\"".to_string(),
            };
            let mut moves = || (0..rng.u32(1..4)).map(|_| name(rng.u32(0..count + 2))).collect::<Vec<_>>().join(", ");
            let positions =
                (0..count).map(|i| format!(r#"{}: {{"alice": [{}], "bob": [{}]}}"#, name(i), moves(), moves()));
            games.push(game_file(&positions.collect::<Vec<_>>().join(", ")));
        }
        let (mut missed, mut all, mut cut_off) = (0, 0, 0);
        for unfolding in &games {
            for (rounds, seeds) in [(1, 6), (3, 6), (40, 4), (200, 1)] {
                for seed in 0..seeds {
                    let found = reported(unfolding.as_ref(), rounds, 300, seed);
                    for chance in [&found.wins, &found.holds] {
                        let truth = chance
                            .from_threshold
                            .as_ref()
                            .unwrap()
                            .0
                            .as_exact()
                            .expect("small enough to be exact")
                            .to_f64();
                        let [low, high] = chance.interval;
                        missed += usize::from(truth < low || high < truth);
                        cut_off += usize::from(chance.cut_off_succeeds.cut_off > 0.0);
                        all += 1;
                    }
                }
            }
        }
        assert!(missed * 100 <= all, "{missed} of {all} intervals of 99% miss the chance");
        assert!(cut_off * 5 > all, "{cut_off} of {all} with plays that were cut off");
    }

    #[test]
    fn an_endless_play_is_a_draw() {
        let endless = reported(game_file(r#""s": {"both": ["s"]}"#).as_ref(), 50, 1000, 1);
        assert_eq!((endless.wins.played, endless.holds.played), (0.0, 1.0));
        for chance in [&endless.wins, &endless.holds] {
            assert_eq!(chance.interval, [0.0, 1.0], "plays that are cut off tell nothing");
            assert_eq!(chance.cut_off_fails, PlayResults { reached: 0.0, cut_off: 1.0 });
            assert_eq!(chance.cut_off_succeeds, PlayResults { reached: 0.0, cut_off: 1.0 });
        }
        let chess = reported(unfolded("chess:size=4", Some("n3/B2k/4/K3")).as_ref(), 300, 100_000, 1);
        assert!((chess.wins.played - 3.0 / 8.0).abs() < 0.01, "{chess:?}");
        assert!((chess.holds.played - (1.0 - 1757.0 / 3072.0)).abs() < 0.01, "{chess:?}");
    }
}
