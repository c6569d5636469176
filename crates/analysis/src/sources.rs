//! The list of engines, and the choice for a position.

#[cfg(feature = "chess")]
use richman_chess::engine::ChessEngine;
use richman_core::{Error, Mechanism, Walk};
use richman_engine::{Engine, Look, OwnEngine, RandomPlays};
use richman_heaps::engine::Races;
use richman_hex::engine::HexEngine;
use richman_lines::engine::LinesEngine;

/// The engines that answer without unfolding the game.
const ENGINES: &[&dyn Engine] = &[
    &HexEngine,
    #[cfg(feature = "chess")]
    &ChessEngine,
    &LinesEngine,
    &Races,
];

/// The game's own engine, if any, and then the list.
pub(crate) fn engines(walk: &dyn Walk) -> impl Iterator<Item = &'static dyn Engine> {
    walk.board().map(|OwnEngine(engine)| engine).into_iter().chain(ENGINES.iter().copied())
}

/// About `plays` random plays from a position, if an engine makes them faster than move by move.
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

/// The engine for such positions.
pub fn engine(walk: &dyn Walk, mechanism: &Mechanism) -> Option<&'static dyn Engine> {
    engines(walk).find(|engine| engine.serves(walk, mechanism))
}
