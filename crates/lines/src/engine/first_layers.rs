//! What is left of a board, solved with some of its layers kept: positions that follow are looked up.

use richman_core::{Effort, Error, Total, Walk};
use richman_engine::Sight;

use super::needs::{Needs, STOP, moves};
use super::{Kept, Layers, Plan, Question, Stake, gather};
use crate::board::{LineBoard, LinePosition};

/// The layers with few stones of what is left of a board, from going through all of them.
pub struct FirstLayers {
    start: LinePosition,
    /// What Alice needs to win.
    pub(super) alice: Layers<'static>,
    /// And Bob, where the players do not stand alike.
    bob: Option<Layers<'static>>,
    /// Layers with at most so many more stones are known.
    known: u32,
    positions: u64,
}

impl FirstLayers {
    /// Solves a position and keeps layers as far as they fit into so many bytes, but those of the position and what follows on it in any case; `None` where the game is over.
    ///
    /// # Errors
    /// Those of [`Layers`]; where it does not fit into memory the error says how much is needed.
    pub fn of(walk: &dyn Walk, stake: Stake, bytes: u64, effort: &Effort) -> Result<Option<FirstLayers>, Error> {
        let mut positions = 0;
        let known = |rest: &LineBoard| -> Result<u32, Error> {
            let plan = Plan::of(&Question { board: rest.clone(), stake: stake.clone() })?;
            effort.check_memory("two layers of positions", u64::try_from(plan.memory()).unwrap_or(u64::MAX))?;
            positions = u64::try_from(plan.positions()).unwrap_or(u64::MAX);
            let mut room = u128::from(bytes) / if rest.is_fair() { 1 } else { 2 };
            let fits = plan.layers.iter().take_while(|layer| {
                let fits = layer.bytes <= room;
                room = room.saturating_sub(layer.bytes);
                fits
            });
            Ok(u32::try_from(fits.count()).unwrap_or(0).saturating_sub(1).max(1))
        };
        let first =
            FirstLayers::run(walk, known, |board| Layers::new(Question { board, stake: stake.clone() }, *effort))?;
        Ok(first.map(|first| FirstLayers { positions, ..first }))
    }

    /// Goes through `layers` of what is left of a board, and of the same with the players exchanged where that differs; as many
    /// stay as `known` says.
    pub(super) fn run<'a>(
        walk: &dyn Walk,
        known: impl FnOnce(&LineBoard) -> Result<u32, Error>,
        layers: impl Fn(LineBoard) -> Result<Layers<'a>, Error>,
    ) -> Result<Option<FirstLayers>, Error> {
        let Some(start) = walk.board::<LinePosition>() else { return Ok(None) };
        let Some(rest) = start.rest() else { return Ok(None) };
        let known = known(&rest)?;
        let run = |board: LineBoard| -> Result<Layers<'static>, Error> {
            let mut layers = layers(board)?;
            layers.keep(known);
            while layers.step(&mut Kept)?.is_some() {}
            Ok(layers.known())
        };
        let bob = if rest.is_fair() { None } else { Some(rest.exchanged()) };
        let (alice, bob) = (run(rest)?, bob.map(run).transpose()?);
        Ok(Some(FirstLayers { start, alice, bob, known, positions: 0 }))
    }

    /// What is needed at a position and after its moves, for every total; `None` where the game is over, and for positions that do not follow or have too many stones.
    ///
    /// # Errors
    /// Those of playing a move.
    pub fn needs(&self, walk: &dyn Walk) -> Result<Option<Vec<Needs>>, Error> {
        let Some(LinePosition { board, stones }) = walk.board().filter(|_| walk.end().is_none()) else {
            return Ok(None);
        };
        let LinePosition { board: start_board, stones: start } = &self.start;
        let more = [0, 1].map(|player| stones[player] & !start[player]);
        let follows = [0, 1].map(|player| stones[player] & start[player]) == *start;
        let count = (more[0] | more[1]).count_ones();
        if !follows || count >= self.known || board != *start_board {
            return Ok(None);
        }
        let empty = (u64::MAX >> (u64::BITS - board.cells())) & !(start[0] | start[1]);
        let cells =
            moves(walk, stones)?.into_iter().map(|(name, cell)| (name, gather(cell, empty))).collect::<Vec<_>>();
        let here = more.map(|set| gather(set, empty));
        let question = self.alice.question();
        let one = |lane: usize| {
            let need = |layers: &Layers, stones: [u64; 2]| -> Result<u64, Error> {
                Ok(layers.need(stones, lane)?.expect("a position of a layer that is known"))
            };
            let alice = |stones| need(&self.alice, stones);
            let bob = |stones| need(self.bob.as_ref().unwrap_or(&self.alice), stones);
            Needs::found(question, lane, here, &cells, self.positions, [&alice, &bob])
        };
        (0..question.lanes()).map(one).collect::<Result<_, _>>().map(Some)
    }

    /// The same as it is seen, of the first total.
    pub(super) fn see(&self, walk: &dyn Walk, total: Option<Total>) -> Result<Option<Sight>, Error> {
        let needs = self.needs(walk)?.and_then(|needs| needs.into_iter().next());
        Ok(needs.map(|needs| needs.sight(total, STOP.to_string())))
    }

    /// The bytes of the layers.
    pub fn bytes(&self) -> u64 {
        self.alice.bytes() + self.bob.as_ref().map_or(0, Layers::bytes)
    }
}
