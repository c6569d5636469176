//! Solves the remaining game and keeps its first layers, to look up successors.

use richman_core::{Effort, Error, Total, Walk};
use richman_engine::Evaluation;

use super::needs::{PositionNeeds, STOP, moves};
use super::{BoardPlan, BoardQuestion, BoardStake, Layers, gather};
use crate::board::{LineBoard, LinePosition};

/// The layers of the remaining game with few stones.
pub struct FirstLayers {
    start: LinePosition,
    /// Alice's needs to win.
    pub(super) alice: Layers<'static>,
    /// Bob's needs, unless exchanging the players changes nothing.
    bob: Option<Layers<'static>>,
    /// Layers with at most this many more stones are known.
    known: u32,
    positions: u64,
}

richman_core::debug_by_name!(FirstLayers {});

impl FirstLayers {
    /// Solves a position and keeps as many layers as fit into `bytes`, at least those of the
    /// position and its successors. `None` if the game is over.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] with the bytes needed; [`Error::TooLarge`] for too many sets of
    /// cells; [`Error::Unsupported`] if there is no total; [`Error::Cancelled`].
    pub fn of(walk: &dyn Walk, stake: BoardStake, bytes: u64, effort: &Effort) -> Result<Option<FirstLayers>, Error> {
        let mut positions = 0;
        let known = |rest: &LineBoard| -> Result<u32, Error> {
            let plan = BoardPlan::of(&BoardQuestion { board: rest.clone(), stake: stake.clone() })?;
            effort.check_memory("holding two layers of positions", u64::try_from(plan.memory()).unwrap_or(u64::MAX))?;
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
            FirstLayers::run(walk, known, |board| Layers::new(BoardQuestion { board, stake: stake.clone() }, *effort))?;
        Ok(first.map(|first| FirstLayers { positions, ..first }))
    }

    /// Computes `layers` of the remaining game, also with the players exchanged if that differs;
    /// keeps `known` of them.
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
            while layers.step()?.is_some() {}
            Ok(layers.known())
        };
        let bob = if rest.is_fair() { None } else { Some(rest.exchanged()) };
        let (alice, bob) = (run(rest)?, bob.map(run).transpose()?);
        Ok(Some(FirstLayers { start, alice, bob, known, positions: 0 }))
    }

    /// The needs at a position and after its moves, for every total. `None` if the game is over, or
    /// the position does not follow from the start or has too many stones.
    ///
    /// # Errors
    /// Fails if a move cannot be played.
    pub fn needs(&self, walk: &dyn Walk) -> Result<Option<Vec<PositionNeeds>>, Error> {
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
        let cells = moves(walk, stones).into_iter().map(|(name, cell)| (name, gather(cell, empty))).collect::<Vec<_>>();
        let here = more.map(|set| gather(set, empty));
        let question = self.alice.question();
        let one = |lane: usize| {
            let need = |layers: &Layers, stones: [u64; 2]| -> Result<u64, Error> {
                Ok(layers.need(stones, lane)?.expect("a position of a layer that is known"))
            };
            let alice = |stones| need(&self.alice, stones);
            let bob = |stones| need(self.bob.as_ref().unwrap_or(&self.alice), stones);
            PositionNeeds::found(question, lane, here, &cells, self.positions, [&alice, &bob])
        };
        (0..question.lanes()).map(one).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn see(&self, walk: &dyn Walk, total: Option<Total>) -> Result<Option<Evaluation>, Error> {
        let needs = self.needs(walk)?.and_then(|needs| needs.into_iter().next());
        Ok(needs.map(|needs| needs.evaluation(total, STOP.to_string())))
    }

    /// The bytes of the layers.
    pub fn bytes(&self) -> u64 {
        self.alice.bytes() + self.bob.as_ref().map_or(0, Layers::bytes)
    }
}
