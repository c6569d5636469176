//! For games too large to solve: random games from each position, in which a fair coin decides who
//! moves and every move is equally likely. They estimate who stands better, and judge no decision.

use fastrand::Rng;
use richman_analysis::{Error, Subject, sources};
use richman_core::{Player, Watch};
use richman_engine::{Care, Look};
use schemars::JsonSchema;
use serde::Serialize;

use crate::MatchEnd;
use crate::players::one_of;

/// The least number of random games from a position.
const GAMES: u32 = 400;
/// A random game of this many moves counts as a draw.
const LONGEST: u32 = 1_000;

/// The results of random games from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Samples {
    /// The number of games.
    pub games: u32,
    /// Alice's wins.
    pub alice: u32,
    /// Bob's wins.
    pub bob: u32,
}

/// Plays random games from a position; the same `seed` gives the same games.
///
/// # Errors
/// Fails if the position is not of the game; `Cancelled`.
pub(super) fn sample(game: &Subject, position: &str, seed: u64, watch: &dyn Watch) -> Result<Samples, Error> {
    let walk = game.walk(Some(position))?;
    let look = Look { seed, ..Look::new(Care::Quick, watch) };
    if let Some(found) = sources::random_plays(walk.as_ref(), GAMES.into(), &look)? {
        let [games, alice] = [found.plays, found.alice].map(|count| count as u32); // a few thousand
        return Ok(Samples { games, alice, bob: games - alice });
    }
    let mut rng = Rng::with_seed(seed);
    let mut samples = Samples { games: GAMES, alice: 0, bob: 0 };
    for _ in 0..GAMES {
        if watch.cancelled() {
            return Err(richman_core::Error::Cancelled.into());
        }
        let mut walk = walk.boxed();
        for _ in 0..LONGEST {
            if let Some(end) = walk.end() {
                match MatchEnd::Game(end).winner() {
                    Some(Player::Alice) => samples.alice += 1,
                    Some(Player::Bob) => samples.bob += 1,
                    None => {}
                }
                break;
            }
            let coin = if rng.bool() { Player::Alice } else { Player::Bob };
            let mover = walk.owner().unwrap_or(coin);
            let moves = walk.moves(mover);
            let Some(played) = one_of(&moves, &mut rng) else { break };
            walk.play(mover, played)?;
        }
    }
    Ok(samples)
}
