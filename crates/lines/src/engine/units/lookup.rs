//! Looks up the need at a position.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use richman_core::{ByPlayer, Effort, Error};

use super::class::{BlockLocation, UnitClass};
use super::solve::UnitNeeds;
use super::{UnitCut, UnitId, UnitSource};
use crate::engine::gather;

/// The units computed last for lookups.
#[derive(Default)]
pub struct ComputedUnits(Mutex<VecDeque<(UnitId, UnitNeeds)>>);

richman_core::debug_by_name!(ComputedUnits {});

/// The location of a position's need in its unit: in a frame, among those with the same number of
/// stones.
pub(super) struct NeedLocation {
    pub(super) unit: UnitId,
    pub(super) class: Arc<UnitClass>,
    pub(super) frame: usize,
    pub(super) stones: u32,
    pub(super) at: usize,
}

impl UnitCut {
    /// Alice's need at a position: her stones and Bob's, at most as many as are solved. If no other
    /// unit reads it, its unit is recomputed and cached, ready for the positions after a move.
    /// Cached are the units of a position and of the same with the players exchanged.
    ///
    /// # Errors
    /// [`Error::Storage`] if the stones are not a position; as for [`UnitCut::solve`].
    pub fn need(
        &self,
        stones: [u64; 2],
        lane: usize,
        source: &dyn UnitSource,
        computed: &ComputedUnits,
        effort: &Effort<'_>,
    ) -> Result<u64, Error> {
        let location = self.locate(stones).filter(|_| lane < self.question.lanes());
        let location =
            location.ok_or_else(|| Error::Storage { what: "these stones are not a position".to_string() })?;
        let (class, unit, stones) = (&location.class, &location.unit, location.stones);
        if let Some(winner) = class.winner(unit.first, class.bits) {
            return Ok(self.end(winner, class.fixed + stones, lane));
        }
        let at = location.at * self.question.lanes() + lane;
        if class.is_read(class.frames[location.frame].key, &self.depth) {
            return Ok(self.read_need(&location, at, source)?);
        }
        /// A position and its mirror image for the other player.
        const KEPT: usize = 2;
        let mut computed = computed.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |(known, needs): &(UnitId, UnitNeeds)| {
            if known == unit { needs.layer(stones, location.frame)?.get(at) } else { None }
        };
        if let Some(need) = computed.iter().find_map(known) {
            return Ok(need);
        }
        if computed.len() == KEPT {
            computed.pop_front();
        }
        let held = computed.iter().map(|(_, needs)| needs.bytes()).sum::<u64>();
        let effort = Effort { held: effort.held.saturating_add(held), ..*effort };
        computed.push_back((unit.clone(), self.compute(unit, stones, source, &effort)?));
        let need = computed.back().and_then(known);
        need.ok_or_else(|| Error::Storage { what: "a unit has too few numbers".to_string() })
    }

    /// The unit that holds the need at a position, or would if another unit read it; `None` if the
    /// stones are not a position.
    pub fn holder(&self, stones: ByPlayer<u64>) -> Option<UnitId> {
        self.locate([stones.alice, stones.bob]).map(|location| location.unit)
    }

    /// The location of the need at a position.
    pub(super) fn locate(&self, stones: [u64; 2]) -> Option<NeedLocation> {
        let fits = stones[0] & stones[1] == 0 && (stones[0] | stones[1]) >> self.question.board.cells() == 0;
        let [alice, bob] = fits.then(|| stones.map(|stones| self.columns.renumber(stones)))?;
        let heights = self.columns.filled(alice | bob)?;
        let class = self.class(&self.low(&heights));
        let fixed = class.fixed_cells();
        let filling = gather(alice, fixed);
        let unit = self.containing(&class, filling);
        if class.winner(unit.first, class.bits).is_none() && self.stored(&unit).1 {
            let columns = self.columns.columns.iter().zip(self.columns.columns.iter().rev());
            let mirrored = |stones: u64| {
                let cells = columns.clone().flat_map(|(column, other)| column.iter().zip(other));
                cells.filter(|(cell, _)| stones >> **cell & 1 == 1).map(|(_, image)| 1 << image).sum::<u64>()
            };
            return self.locate([alice, bob].map(mirrored).map(|stones| self.columns.original(stones)));
        }
        let BlockLocation { frame, index } = *class.locations.get(&heights)?;
        let free = (alice | bob) & !fixed;
        let stones = free.count_ones();
        let within = ((filling - unit.first) << stones | gather(alice & free, free)) as usize;
        let at = (index << (stones + class.bits)) + within;
        Some(NeedLocation { unit, class, frame, stones, at })
    }
}
