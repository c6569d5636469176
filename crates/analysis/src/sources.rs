//! The engines that there are, and which of them sees a position: the one place that lists them.

use richman_core::{Mechanism, Walk};
use richman_engine::{Asked, Engine};
use richman_race::engine::Races;
use richman_solvers::{Exactness, Options};

use crate::boards::Lines;
use crate::chess::Chess;
use crate::hex::Hex;

/// All engines that see positions without unfolding them.
pub const ENGINES: [&dyn Engine; 4] = [&Hex, &Chess, &Lines, &Races];

/// The engine that opens sources for positions like this one.
pub fn engine(walk: &dyn Walk, mechanism: &Mechanism) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().find(|engine| engine.serves(walk, mechanism))
}

/// What is asked of an engine, as options of solvers.
pub(crate) fn options<'a>(asked: &Asked<'a>) -> Options<'a> {
    let exactness = if asked.exact { Exactness::Required } else { Exactness::Preferred };
    let &Asked { width, deadline, memory, watch, .. } = asked;
    Options { exactness, width, deadline, memory, watch, ..Options::default() }
}
