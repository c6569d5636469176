//! The engines that there are, and which of them sees a position: the one place that lists them.

use richman_chess::engine::Chess;
use richman_core::{Error, Mechanism, Walk};
use richman_engine::{Engine, Look, OwnEngine, RandomPlays};
use richman_hex::engine::Hex;
use richman_lines::engine::Lines;
use richman_race::engine::Races;

/// The engines of this project that see positions without unfolding them.
const ENGINES: [&dyn Engine; 4] = [&Hex, &Chess, &Lines, &Races];

/// All engines that may see a position without unfolding it: that of the game, if it brings one along, and the list.
pub(crate) fn engines(walk: &dyn Walk) -> impl Iterator<Item = &'static dyn Engine> {
    walk.board().map(|OwnEngine(engine)| engine).into_iter().chain(ENGINES)
}

/// About so many random plays from a position, where an engine has a faster way than move by move.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn random_plays(walk: &dyn Walk, plays: u64, look: &Look) -> Result<Option<RandomPlays>, Error> {
    for engine in engines(walk) {
        if let Some(found) = engine.random_plays(walk, plays, look)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The engine that opens sources for positions like this one.
pub fn engine(walk: &dyn Walk, mechanism: &Mechanism) -> Option<&'static dyn Engine> {
    engines(walk).find(|engine| engine.serves(walk, mechanism))
}
