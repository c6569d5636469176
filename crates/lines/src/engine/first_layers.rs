//! What is left of a board, solved with some of its layers kept: positions that follow are looked up.

use richman_core::{Effort, Error, Total, Walk};
use richman_engine::Sight;

use super::needs::{Needs, STOP, moves};
use super::{Kept, Layers, Plan, Question, Stake, gather};
use crate::board::{LineBoard, LinePosition};

/// The layers with few stones of what is left of a board, from going through all of them.
pub struct FirstLayers {
    board: LineBoard,
    start: [u64; 2],
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
    pub fn of(
        board: &LineBoard,
        start: [u64; 2],
        stake: Stake,
        bytes: u64,
        effort: &Effort,
    ) -> Result<Option<FirstLayers>, Error> {
        let Some(rest) = board.after(start) else { return Ok(None) };
        let question = Question { board: rest, stake };
        let plan = Plan::of(&question)?;
        effort.check_memory("two layers of positions", u64::try_from(plan.memory()).unwrap_or(u64::MAX))?;
        let mut room = u128::from(bytes) / if question.board.is_fair() { 1 } else { 2 };
        let fits = plan.layers.iter().take_while(|layer| {
            let fits = layer.bytes <= room;
            room = room.saturating_sub(layer.bytes);
            fits
        });
        let known = u32::try_from(fits.count()).unwrap_or(0).saturating_sub(1).max(1);
        let layers = |board| Layers::new(Question { board, ..question.clone() }, *effort);
        let first = FirstLayers::run(board, start, &question.board, known, layers)?;
        Ok(Some(FirstLayers { positions: u64::try_from(plan.positions()).unwrap_or(u64::MAX), ..first }))
    }

    /// Goes through `layers` of what is left of a board, and of the same with the players exchanged where that differs; those
    /// with at most `known` more stones stay.
    pub(super) fn run<'a>(
        board: &LineBoard,
        start: [u64; 2],
        rest: &LineBoard,
        known: u32,
        layers: impl Fn(LineBoard) -> Result<Layers<'a>, Error>,
    ) -> Result<FirstLayers, Error> {
        let run = |board: LineBoard| -> Result<Layers<'static>, Error> {
            let mut layers = layers(board)?;
            layers.keep(known);
            while layers.step(&mut Kept)?.is_some() {}
            Ok(layers.known())
        };
        let alice = run(rest.clone())?;
        let bob = if rest.is_fair() { None } else { Some(run(rest.exchanged())?) };
        Ok(FirstLayers { board: board.clone(), start, alice, bob, known, positions: 0 })
    }

    /// What is needed at a position and after its moves, for every total; `None` where the game is over, and for positions that do not follow or have too many stones.
    ///
    /// # Errors
    /// Those of playing a move.
    pub fn needs(&self, walk: &dyn Walk) -> Result<Option<Vec<Needs>>, Error> {
        let Some(LinePosition { board, stones }) = walk.board().filter(|_| walk.end().is_none()) else {
            return Ok(None);
        };
        let more = [0, 1].map(|player| stones[player] & !self.start[player]);
        let follows = [0, 1].map(|player| stones[player] & self.start[player]) == self.start;
        let count = (more[0] | more[1]).count_ones();
        if !follows || count >= self.known || board != self.board {
            return Ok(None);
        }
        let empty = (u64::MAX >> (u64::BITS - self.board.cells())) & !(self.start[0] | self.start[1]);
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
