//! The engines that there are, and which of them sees a position: the one place that lists them.

use richman_core::{Mechanism, Walk};
use richman_engine::Engine;

use crate::boards::Lines;
use crate::chess::Chess;
use crate::hex::Hex;

/// All engines that see positions without unfolding them.
pub const ENGINES: [&dyn Engine; 3] = [&Hex, &Chess, &Lines];

/// The engine that opens sources for positions like this one.
pub fn engine(walk: &dyn Walk, mechanism: &Mechanism) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().find(|engine| engine.serves(walk, mechanism))
}
