//! The engines' offers for a question, for people.

use bytesize::ByteSize;
use richman_analysis::{ConsideredCost, ConsideredEngine, EngineOffers};

use crate::layout::Layout;

/// The engines in the order in which they are tried, then those that are not tried.
pub fn text(offers: &EngineOffers, layout: Layout) -> String {
    let mut engines: Vec<&ConsideredEngine> = offers.engines.iter().collect();
    engines.sort_by_key(|engine| (engine.turn.unwrap_or(usize::MAX), engine.refused.is_some()));
    let row = |engine: &ConsideredEngine| {
        let tried = engine.turn.map_or("no".to_string(), |turn| turn.to_string());
        let refused = || engine.refused.as_ref().map(|why| format!("none: {why}"));
        let answer = engine.answer.clone().or_else(refused).unwrap_or_default();
        let cost = engine.cost.as_ref().map(cost).unwrap_or_default();
        [tried, engine.engine.to_string(), answer, cost]
    };
    let table = layout.entries(["tried", "engine", "answer", "takes about"], engines.into_iter().map(row).collect());
    format!("{}\nposition {}\n\n{table}", offers.game, offers.position)
}

fn cost(cost: &ConsideredCost) -> String {
    match *cost {
        ConsideredCost::About { seconds, memory } => {
            let time = match seconds {
                seconds if seconds < 1.0 => "less than a second".to_string(),
                seconds if seconds < 1e7 => format!("{seconds:.0} s"),
                seconds => format!("{seconds:.0e} s"),
            };
            memory.map_or(time.clone(), |memory| format!("{time}, {}", ByteSize(memory)))
        }
        ConsideredCost::Anytime => "the time there is".to_string(),
        ConsideredCost::Unknown => "not known before it is tried".to_string(),
        ConsideredCost::TooMuch { positions } => format!("more than there is room for: over {positions} positions"),
    }
}
