//! Computes the units of a database, here or on one of many machines.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::Arc;

use richman_core::{Effort, Error, Walk};
use richman_files::{FileSum, ObjectStore};
use richman_formats::Database;

use super::{UnitStore, opened};
use crate::engine::units::{UnitCut, UnitFault, UnitId};

/// Computes units from other units in a store, and writes them there.
pub struct UnitWork {
    units: UnitStore,
    keeps_all: bool,
    memory: u64,
    /// The units that are damaged, or listed and missing, and are recomputed.
    again: BTreeSet<UnitId>,
}

richman_core::debug_by_name!(UnitWork {});

/// The units made, with their checksums.
pub type MadeUnits = Vec<(UnitId, FileSum)>;

impl UnitWork {
    /// Work with `memory` bytes on the database that the manifest in a store describes; `walk` is
    /// at any position of its game.
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no database, or one of another game.
    pub fn open(store: &Arc<dyn ObjectStore>, walk: &dyn Walk, memory: u64) -> Result<UnitWork, Error> {
        let about = Database::open(store.as_ref())?;
        let cut = opened(&about, store.as_ref(), walk)?;
        Ok(UnitWork { keeps_all: about.keeps_all(), ..UnitWork::new(store, Arc::new(cut), memory) })
    }

    /// Work on a cut; an eighth of the memory caches units read.
    pub(super) fn new(store: &Arc<dyn ObjectStore>, cut: Arc<UnitCut>, memory: u64) -> UnitWork {
        let units = UnitStore::new(store, cut, memory / 8);
        UnitWork { units, keeps_all: true, memory, again: BTreeSet::new() }
    }

    /// The memory of a worker that leaves `memory` bytes without its cache of units read.
    pub(super) fn needs(memory: u64) -> u64 {
        memory.saturating_mul(8).div_ceil(7)
    }

    /// The checksum of a unit that is undamaged and, if listed, matches the list.
    fn whole(&mut self, unit: &UnitId, listed: Option<&FileSum>) -> Result<Option<FileSum>, Error> {
        let whole = match self.units.find(unit) {
            Err(UnitFault::Other(error)) => return Err(error),
            Err(UnitFault::Lost { .. }) => None,
            Ok(None) if listed.is_none() => return Ok(None),
            Ok(frames) => frames.and_then(|frames| {
                let sum = FileSum::of(frames.bytes());
                listed.map_or_else(|| frames.check().is_ok(), |listed| *listed == sum).then_some(sum)
            }),
        };
        if whole.is_none() {
            self.again.insert(unit.clone());
        }
        Ok(whole)
    }

    /// Finds a unit that is undamaged and, if listed, matches the list, or else makes it; returns
    /// it with all units made for it, and whether it existed. Nothing if it has been completed and
    /// deleted meanwhile.
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no such unit, or one cannot be read or written, or is damaged
    /// each time; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn provide(
        &mut self,
        unit: &UnitId,
        listed: Option<&FileSum>,
        effort: &Effort<'_>,
    ) -> Result<(MadeUnits, bool), Error> {
        if self.was_deleted(unit)? {
            return Ok((Vec::new(), false));
        }
        match self.whole(unit, listed)? {
            Some(sum) => Ok((vec![(unit.clone(), sum)], false)),
            None => Ok((self.make(unit, effort)?, true)),
        }
    }

    fn was_deleted(&self, unit: &UnitId) -> Result<bool, Error> {
        let (store, name) = (self.units.store(), unit.file_name());
        let is_missing = || matches!(store.reader(&name), Err(error) if error.kind() == ErrorKind::NotFound);
        if self.keeps_all || !is_missing() {
            return Ok(false);
        }
        let files = Database::open(store)?.files.unwrap_or_default();
        Ok(files.get(&name).is_some_and(Option::is_some))
    }

    /// Computes a unit and writes it, after making the missing or damaged units that it reads.
    /// Returns all units made.
    fn make(&mut self, unit: &UnitId, effort: &Effort<'_>) -> Result<MadeUnits, Error> {
        let mut made = Vec::new();
        let held = effort.held + self.units.room();
        let own = Effort { memory: self.memory, held, ..*effort };
        loop {
            match self.units.cut().solve(unit, &self.units, &own) {
                Ok(bytes) => {
                    made.push((unit.clone(), self.units.write(unit, &bytes)?));
                    return Ok(made);
                }
                // Once: a disk that damages every file would keep it busy forever.
                Err(UnitFault::Lost { unit: lost, .. }) if self.again.insert(lost.clone()) => {
                    match self.make(&lost, effort) {
                        Ok(more) => made.extend(more),
                        Err(error) => {
                            self.again.remove(&lost); // another attempt may succeed
                            return Err(error);
                        }
                    }
                }
                Err(fault) => return Err(fault.into()),
            }
        }
    }

    /// The units recomputed since the last call.
    pub fn made_again(&mut self) -> Vec<UnitId> {
        std::mem::take(&mut self.again).into_iter().collect()
    }
}
