//! What is left of a board, solved with some of its layers kept: positions that follow are looked up.

use richman_core::{Effort, Error, Walk};

use super::needs::{Needs, Pair, moves};
use super::{Goal, Kept, Layers, Plan, Question, Stake, gather};
use crate::board::{LineBoard, LinePosition};

/// The layers with few stones of what is left of a board, from going through all of them.
pub struct FirstLayers {
    board: LineBoard,
    start: [u64; 2],
    /// What Alice needs for a win.
    win: Layers<'static>,
    /// And for a draw, where that does not follow.
    draw: Option<Layers<'static>>,
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
        let fair = rest.is_fair();
        let question = Question { board: rest, stake, goal: Goal::Win };
        let plan = Plan::of(&question)?;
        effort.check_memory("two layers of positions", u64::try_from(plan.memory()).unwrap_or(u64::MAX))?;
        let mut room = u128::from(bytes) / if fair { 1 } else { 2 };
        let fits = plan.layers.iter().take_while(|layer| {
            let fits = layer.bytes <= room;
            room = room.saturating_sub(layer.bytes);
            fits
        });
        let known = u32::try_from(fits.count()).unwrap_or(0).saturating_sub(1).max(1);
        let run = |goal: Goal| -> Result<Layers<'static>, Error> {
            let mut layers = Layers::new(Question { goal, ..question.clone() }, *effort)?;
            layers.keep(known);
            while layers.step(&mut Kept)?.is_some() {}
            Ok(layers.known())
        };
        let win = run(Goal::Win)?;
        let draw = if fair { None } else { Some(run(Goal::Draw)?) };
        let positions = u64::try_from(plan.positions()).unwrap_or(u64::MAX);
        Ok(Some(FirstLayers { board: board.clone(), start, win, draw, known, positions }))
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
        let question = self.win.question();
        let empty = (u64::MAX >> (u64::BITS - self.board.cells())) & !(self.start[0] | self.start[1]);
        let cells =
            moves(walk, stones)?.into_iter().map(|(name, cell)| (name, gather(cell, empty))).collect::<Vec<_>>();
        let here = more.map(|set| gather(set, empty));
        let one = |lane: usize| {
            let unreachable = [count, count + 1].map(|stones| question.unreachable(stones, lane));
            Needs::found(here, &cells, unreachable, self.positions, |stones| self.pair(stones, lane))
        };
        (0..question.lanes()).map(one).collect::<Result<_, _>>().map(Some)
    }

    fn pair(&self, [alice, bob]: [u64; 2], lane: usize) -> Result<Pair, Error> {
        let need = |layers: &Layers, stones: [u64; 2]| -> Result<u64, Error> {
            Ok(layers.need(stones, lane)?.expect("a position of a layer that is known"))
        };
        let win = need(&self.win, [alice, bob])?;
        let draw = match &self.draw {
            Some(draw) => need(draw, [alice, bob])?,
            // Exchanging the players turns what Bob needs into what Alice needs.
            None => self.win.question().unreachable((alice | bob).count_ones(), lane) - need(&self.win, [bob, alice])?,
        };
        Ok(Pair { win, draw })
    }

    /// The bytes of the layers.
    pub fn bytes(&self) -> u64 {
        self.win.bytes() + self.draw.as_ref().map_or(0, Layers::bytes)
    }
}
