//! Large boards of stones and lines, seen layer by layer: exactly with chips where what is left of the board is small, else
//! by bounds on what real money says.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use richman_core::{Error, LinePosition, Mechanism, Player, Threshold, Total, Walk};
use richman_engine::{After, Asked, Care, Engine, Look, Method, Sight, Source, Value};
use richman_solvers::Options;
use richman_solvers::layers::Stake;

use super::{Bounds, FirstLayers, Interval, Needs, Pair, board, bounds, is_large, positions, solve};

/// The most fillings of what is left of a board that are gone through for an exact answer that was asked for: some seconds.
const MOST_EXACT: u64 = 1_200_000_000;
/// The same where bounds do too: some tenths of a second.
const USUALLY_EXACT: u64 = 40_000_000;
/// What a filling takes, for a win and for a draw.
const EACH: Duration = Duration::from_nanos(10);
/// Positions that bounds look at for each player, and what each takes.
const USUALLY_BOUNDED: u64 = 1_000_000;
const EACH_BOUNDED: Duration = Duration::from_nanos(200);
/// Both where one of many positions is looked at: a tenth of a second or two.
const QUICKLY_EXACT: u64 = 10_000_000;
const QUICKLY_BOUNDED: u64 = 300_000;
/// Bytes of the layers that are kept where all of a board was gone through: those with about half of the cells filled, beyond
/// which little is left.
const FIRST_LAYERS: u64 = 32 << 20;
/// Positions of which is kept what was found out.
const KEPT: usize = 64;

/// The engine of boards of lines that are too large to unfold.
pub struct Lines;

impl Engine for Lines {
    fn method(&self) -> Method {
        Method::Layers
    }

    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool {
        board(walk, mechanism, false).is_some_and(|(board, stones)| is_large(&board, stones))
    }

    fn about_positions(&self, walk: &dyn Walk, most: u64) -> u64 {
        /// About this part of the fillings, symmetric ones counted once and without those after the end of the game.
        const FILLINGS: u64 = 16;
        let counted = |at: LinePosition| match positions(&at.board, at.stones, most.saturating_mul(FILLINGS)) {
            Some(fillings) => fillings / FILLINGS,
            None if walk.end().is_some() => 1,
            None => most,
        };
        walk.board().map_or(1, counted)
    }

    fn open(&self, asked: &Asked) -> Result<Option<Arc<dyn Source>>, Error> {
        if asked.watch.cancelled() {
            return Err(Error::Cancelled);
        }
        let Some((board, stones)) = board(asked.walk, asked.mechanism, false) else { return Ok(None) };
        let total = asked.total.filter(|_| super::board(asked.walk, asked.mechanism, true).is_some());
        let mut first = None;
        if asked.exact {
            let Some(total) = total else { return Ok(None) };
            if positions(&board, stones, MOST_EXACT).is_none() {
                return Err(Error::TooManyPositions { limit: MOST_EXACT });
            }
            let options = Options { memory: asked.memory, watch: asked.watch, ..Options::default() };
            first = FirstLayers::of(&board, stones, Stake::Chips(vec![total]), FIRST_LAYERS, &options)?;
        }
        let mechanism = asked.mechanism.clone();
        let seen = Mutex::default();
        Ok(Some(Arc::new(Layered { mechanism, total, exact: asked.exact, memory: asked.memory, first, seen })))
    }
}

/// A large board.
struct Layered {
    mechanism: Mechanism,
    /// Where layers with chips are about this mechanism.
    total: Option<Total>,
    exact: bool,
    memory: u64,
    /// What follows on the start, where exact answers were asked for.
    first: Option<FirstLayers>,
    /// What was found out about positions, where more care would not have found out more.
    seen: Mutex<Vec<([u64; 2], Sight)>>,
}

impl Layered {
    /// What is needed, looked up or solved if there are at most so many fillings; `None` where there are more, or where
    /// memory does not suffice.
    fn solve(&self, walk: &dyn Walk, at: &LinePosition, most: u64, options: &Options) -> Result<Option<Sight>, Error> {
        let Some(total) = self.total else { return Ok(None) };
        let one = |needs: Option<Vec<Needs>>| needs.and_then(|all| all.into_iter().next());
        if let Some(first) = &self.first
            && let Some(needs) = one(first.needs(walk)?)
        {
            return Ok(Some(exact(needs, total)));
        }
        if positions(&at.board, at.stones, most).is_none() {
            return Ok(None);
        }
        match solve(walk, &at.board, at.stones, Stake::Chips(vec![total]), options) {
            Err(Error::TooMuchMemory { .. }) => Ok(None),
            needs => Ok(one(needs?).map(|needs| exact(needs, total))),
        }
    }

    fn look(&self, walk: &dyn Walk, at: &LinePosition, look: &Look) -> Result<Option<Sight>, Error> {
        let options = Options { memory: self.memory, watch: look.watch, ..Options::default() };
        if self.exact {
            return self.solve(walk, at, MOST_EXACT, &options);
        }
        let [mut solved, mut bounded] = match look.care {
            Care::Usual => [USUALLY_EXACT, USUALLY_BOUNDED],
            Care::Quick => [QUICKLY_EXACT, QUICKLY_BOUNDED],
        }
        .map(|most| most.min(look.positions));
        if let Some(left) = look.time_left() {
            let fits = |each: Duration| u64::try_from(left.as_nanos() / 2 / each.as_nanos()).unwrap_or(u64::MAX);
            solved = solved.min(fits(EACH));
            bounded = bounded.min(fits(EACH_BOUNDED));
        }
        let until = look.until();
        match self.solve(walk, at, solved, &Options { watch: &until, ..options }) {
            Err(Error::Cancelled) if !look.watch.cancelled() => bounded = 0,
            Ok(None) => {}
            found => return found,
        }
        let found = bounds(walk, &at.board, at.stones, bounded, &Options { watch: look.watch, ..Options::default() })?;
        Ok(found.map(bounded_sight))
    }
}

impl Source for Layered {
    fn see(&self, walk: &dyn Walk, asked: &Look) -> Result<Option<Sight>, Error> {
        let Some((board, stones)) = board(walk, &self.mechanism, false).filter(|_| walk.end().is_none()) else {
            return Ok(None);
        };
        let seen = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sight)) = seen().iter().find(|(at, _)| *at == stones) {
            return Ok(Some(sight.clone()));
        }
        let sight = self.look(walk, &LinePosition { board, stones }, asked)?;
        if let Some(sight) = sight.as_ref().filter(|sight| sight.here.is_exact()) {
            let mut seen = seen();
            if seen.len() == KEPT {
                seen.remove(0);
            }
            seen.push((stones, sight.clone()));
        }
        Ok(sight)
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn knows_exactly(&self, walk: &dyn Walk) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let at = walk.board::<LinePosition>();
        self.exact || at.is_some_and(|at| seen.iter().any(|(stones, _)| *stones == at.stones))
    }

    fn bytes(&self) -> u64 {
        self.first.as_ref().map_or(0, FirstLayers::bytes)
    }
}

fn exact(needs: Needs, total: Total) -> Sight {
    let threshold = |need: u64| Threshold::at(u32::try_from(need).unwrap_or(u32::MAX));
    let value = |pair: Pair| Value::Chips { win: threshold(pair.win), draw: threshold(pair.draw), total };
    let after = |player: Player| {
        let of = |after: &super::After| if player == Player::Alice { after.alice } else { after.bob };
        needs.after.iter().map(|after| After::new(after.name.clone(), value(of(after)))).collect()
    };
    Sight { here: value(needs.here), after: Player::BOTH.map(after) }
}

fn bounded_sight(bounds: Bounds) -> Sight {
    let value = |interval: Interval| Value::Money { win: interval.shares(), draw: interval.shares() };
    let after = |player: Player| {
        let of = |after: &super::AfterBounds| if player == Player::Alice { after.alice } else { after.bob };
        bounds.after.iter().map(|after| After::new(after.name.clone(), value(of(after)))).collect()
    };
    Sight { here: value(bounds.here), after: Player::BOTH.map(after) }
}
