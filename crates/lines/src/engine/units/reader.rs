//! Looks up the results that units leave for others, in the numbering of the board.

use std::sync::Arc;

use richman_core::{ByPlayer, Effort, Error, Number, Numbers, cells, each_size};

use super::{Recent, UnitCut, UnitFault, UnitId, UnitSource, solve};
use crate::board::BoardRegion;
use crate::engine::gather;

/// Reads the results of units, with a cache of recent frames.
pub struct UnitReader<'a> {
    cut: &'a UnitCut,
    source: &'a dyn UnitSource,
    effort: Effort<'a>,
    /// Frames by unit and key.
    frames: Recent<(UnitId, u64), Vec<Numbers>>,
}

richman_core::debug_by_name!(UnitReader<'_> {});

impl UnitCut {
    /// The number of all regions, including those that are over.
    pub fn most_regions(&self) -> u64 {
        let fixed = self.classes().into_iter().map(|heights| heights.iter().sum::<u32>());
        fixed.map(|fixed| 1_u64 << fixed).fold(0, u64::saturating_add)
    }

    /// The regions (the positions with the same stones on the fixed cells), including mirror
    /// images, without units that are over. A region that is over may share a unit with others that
    /// are not.
    ///
    /// At most [`UnitCut::most_regions`].
    pub fn regions(&self) -> impl Iterator<Item = BoardRegion> {
        self.classes().into_iter().flat_map(move |heights| {
            let class = self.class(&heights);
            let fixed = class.fixed_cells();
            let free = |((column, height), depth): ((&Vec<u32>, &u32), &u32)| {
                let above = column[*height as usize..].iter().map(|cell| 1_u64 << cell).sum::<u64>();
                if height == depth { above } else { 0 }
            };
            let columns = self.columns.columns.iter().zip(&heights).zip(&self.depth);
            let growing = self.columns.original(columns.map(free).sum());
            let known = Arc::clone(&class);
            let is_held = move |filling: &u64| known.winner(filling >> known.bits << known.bits, known.bits).is_none();
            (0..1_u64 << class.fixed).filter(is_held).map(move |filling| {
                let alice = class.stones(filling);
                let fixed = ByPlayer::new(alice, fixed & !alice).map(|stones| self.columns.original(stones));
                BoardRegion { fixed, growing }
            })
        })
    }
}

impl<'a> UnitReader<'a> {
    /// Reads units of a cut from `source`, with a cache of `room` bytes.
    pub fn new(cut: &'a UnitCut, source: &'a dyn UnitSource, room: u64, effort: Effort<'a>) -> UnitReader<'a> {
        UnitReader { cut, source, effort, frames: Recent::new(room) }
    }

    /// The needs at the positions with these fixed stones whose stones fill `shape`: for all sets
    /// of Alice's other stones, in order, one for each total. `None` if no other unit reads them.
    ///
    /// # Errors
    /// [`Error::Storage`] if the stones are not the fixed ones of a unit; the source's errors.
    pub fn block(&self, fixed: ByPlayer<u64>, shape: u64) -> Result<Option<Vec<u64>>, Error> {
        let (cut, lanes) = (self.cut, self.cut.question.lanes());
        let stranger = || Error::Storage { what: "these stones are not those of a unit".to_string() };
        if shape >> cut.question.board.cells() != 0 || (fixed.alice | fixed.bob) & !shape != 0 {
            return Err(stranger());
        }
        let heights = cut.columns.filled(cut.columns.renumber(shape)).ok_or_else(stranger)?;
        let class = cut.class(&cut.low(&heights));
        let cells_fixed = class.fixed_cells();
        let stones = fixed.map(|stones| cut.columns.renumber(stones));
        let location = class.locations.get(&heights).filter(|_| stones.alice | stones.bob == cells_fixed);
        let location = location.ok_or_else(stranger)?;
        let (filling, free) = (gather(stones.alice, cells_fixed), shape & !(fixed.alice | fixed.bob));
        let (unit, count) = (cut.containing(&class, filling), free.count_ones());
        if let Some(winner) = class.winner(unit.first, class.bits) {
            let need = |at| cut.end(winner, class.fixed + count, at % lanes);
            return Ok(Some((0..lanes << count).map(need).collect()));
        }
        let key = class.frames[location.frame].key;
        if !class.is_read(key, &cut.depth) {
            return Ok(None);
        }
        let block = &class.frames[location.frame].layers[count as usize][location.index];
        let (stored, is_mirrored) = cut.stored(&unit);
        let stored_class = cut.class(&stored.heights);
        let (key, filling, index, swaps) = match is_mirrored {
            false => (key, filling, location.index, Vec::new()),
            true => (
                cut.mirrored_key(key),
                cut.mirrored_filling(&class, filling),
                cut.mirrored_index(&stored_class, block),
                cut.mirrored_bits(&class, block, 0),
            ),
        };
        // The bit of each of Alice's stones in a number here, in the order of the board.
        let order = cut.columns.renumber(free);
        let bit = |cell: u64| {
            let lower = order & (cut.columns.renumber(cell) - 1);
            solve::exchanged(1 << lower.count_ones(), &swaps)
        };
        let bits: Vec<u64> = cells(free).map(bit).collect();
        let frame = self.frame(&stored, key)?;
        let start = (index << (count + stored_class.bits)) + (((filling - stored.first) as usize) << count);
        let mut needs = Vec::with_capacity(lanes << count);
        each_size!(Numbers, &frame[count as usize], numbers => {
            for number in 0..1_u64 << count {
                let set = bits.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
                let at = set.map(|(_, to)| to).sum::<u64>();
                let from = (start + at as usize) * lanes;
                needs.extend(numbers[from..from + lanes].iter().map(|need| need.get()));
            }
        });
        Ok(Some(needs))
    }

    /// A frame of a stored unit.
    fn frame(&self, unit: &UnitId, key: u64) -> Result<Arc<Vec<Numbers>>, UnitFault> {
        let name = (unit.clone(), key);
        if let Some(frame) = self.frames.find(&name) {
            return Ok(frame);
        }
        let bytes = self.cut.frames(unit).find(|(known, _)| *known == key).map_or(0, |(_, bytes)| bytes);
        self.effort.check_memory("reading the numbers of a unit", bytes.saturating_mul(2))?; // in bytes, and as numbers
        let frame = self.cut.read_frame(unit, &self.cut.class(&unit.heights), key, self.source)?;
        Ok(self.frames.keep(name, frame, bytes))
    }
}
