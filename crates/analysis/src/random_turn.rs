//! The report of random-turn play: Alice's chance, Richman's theorem held against the solver of thresholds, and plays.

use richman_core::{Mechanism, Share, ShareBounds};
use richman_solvers::random_turn::{self, Goal};
use richman_solvers::{Options, money};
use serde::Serialize;

use crate::{BoundsJson, Error, Request};

/// What comes of tossing a coin for every move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RandomTurnReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// Alice's chance to win when both play best.
    pub wins: Chance,
    /// Her chance not to lose when both play best for that.
    pub holds: Chance,
}

/// A chance, computed and played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chance {
    /// The chance, or proved bounds on it.
    #[serde(flatten, serialize_with = "crate::json::shares::chance")]
    pub chance: BoundsJson,
    /// How many moves were looked ahead.
    pub rounds: u32,
    /// 1 less the real-money threshold, from the solver of thresholds, which knows nothing of coins.
    #[serde(flatten, serialize_with = "crate::json::shares::from_threshold")]
    pub from_threshold: BoundsJson,
    /// Whether the two agree: whether their bounds have a number in common.
    pub agree: bool,
    /// How many games were played, for at most that many moves.
    pub games: u64,
    /// The part of them in which Alice reached it.
    pub played: f64,
    /// The interval that holds her chance within that many moves with 99% confidence.
    pub interval: [f64; 2],
}

/// Computes the chances at the start of the arena, and plays `games` games with the chance of `seed`.
///
/// # Errors
/// Those of [`random_turn::chances`] and [`money::solve`].
pub fn report(request: &Request, rounds: u32, games: u64, seed: u64) -> Result<RandomTurnReport, Error> {
    let arena = request.unfolding.arena();
    let mechanism = Mechanism::default();
    let options = Options { within: None, ..request.options };
    let thresholds = money::solve(arena, &mechanism, &options).map_err(|error| request.translate(error))?;
    let chance = |goal, shares: &richman_core::Shares, seed| -> Result<Chance, Error> {
        let chances = random_turn::chances(arena, goal, rounds, &options)?;
        let played = chances.play(arena, games, seed, &options)?;
        let found = chances.get(arena.start());
        let other = shares.get(arena.start()).complement();
        let (part, interval) = played.interval();
        Ok(Chance {
            agree: meet(&found, &other),
            chance: BoundsJson(found),
            rounds: chances.rounds,
            from_threshold: BoundsJson(other),
            games,
            played: part,
            interval,
        })
    };
    Ok(RandomTurnReport {
        game: request.game(),
        position: request.position(),
        wins: chance(Goal::Win, &thresholds.win, seed)?,
        holds: chance(Goal::Draw, &thresholds.draw, seed.wrapping_add(1))?,
    })
}

fn meet(one: &ShareBounds, other: &ShareBounds) -> bool {
    let above = |low: &Share, high: &Share| low > high;
    !above(&one.low, &other.high) && !above(&other.low, &one.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use richman_core::{Limits, Unwatched};

    /// Two computations that share no code, and plays.
    #[test]
    fn richmans_theorem() {
        let (mut outside, mut all) = (0, 0);
        let games = [
            "tic-tac-toe",
            "connect:rows=3,cols=3,line=3",
            "tug-of-war",
            "ultimatum",
            "hex:size=3",
            "expr:(A & B^2) & B",
        ];
        // The same coins in every game would win, or lose, for Alice in all of them.
        for (seed, spec) in (1..).step_by(2).zip(games) {
            let subject = Subject::named(spec).unwrap();
            let unfolding = subject.unfold(None, &Limits::default(), &Unwatched).unwrap();
            let mechanism = Mechanism::default();
            let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, options: Options::default() };
            let found = report(&request, 500, 40_000, seed).unwrap();
            for chance in [&found.wins, &found.holds] {
                assert!(chance.agree, "{spec}: {chance:?}");
                let bounds = &chance.chance.0;
                assert!(bounds.high.to_f64() - bounds.low.to_f64() < 1e-9, "{spec}: {chance:?}");
                if unfolding.arena().is_acyclic() {
                    assert_eq!(chance.chance, chance.from_threshold, "{spec}: exact");
                }
                let low = bounds.low.to_f64();
                all += 1;
                outside += usize::from(low < chance.interval[0] || chance.interval[1] < low);
            }
        }
        assert!(outside <= 1, "{outside} of {all} intervals of 99%");
    }
}
