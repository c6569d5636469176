//! A database that one process manages while it or others compute its units.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::ErrorKind;
use std::sync::Arc;

use richman_core::Error;
use richman_files::{FileSum, ObjectStore, cannot};
use richman_formats::Building;
use richman_formats::Database;
use richman_formats::database::{BuildOrder, DatabaseCut, KeptUnits};
use serde::Serialize;

use super::schedule::core_seconds;
use super::{UnitWork, cut_of, units};
use crate::engine::units::{UnitCut, UnitId};

/// The database under construction: its units, and which of them are complete. A folder is locked.
pub struct SharedBuild {
    store: Arc<dyn ObjectStore>,
    cut: Arc<UnitCut>,
    units: Vec<UnitId>,
    building: Building,
    /// The objects that existed at the beginning, and their lengths.
    there: BTreeMap<String, u64>,
    sizes: HashMap<UnitId, u64>,
    stored: u64,
    /// The number of incomplete units that read a unit, for units to be deleted afterwards.
    readers: HashMap<UnitId, usize>,
    done: HashSet<UnitId>,
    /// The units that no other needs.
    unused: Vec<UnitId>,
}

richman_core::debug_by_name!(SharedBuild {});

/// The state of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitState {
    /// It must be computed.
    Missing,
    /// It exists, but may be damaged or from another database.
    There,
    /// It was complete, and its length is unchanged.
    Complete,
    /// It does not exist, and no missing unit reads it.
    Unneeded,
}

/// A unit to compute. Bytes are before compression.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnitJob {
    /// Its file.
    pub name: String,
    /// The fixed stones.
    pub fixed: u32,
    /// The numbers of the units that it reads, which precede it.
    pub reads: Vec<usize>,
    /// Its state.
    pub state: UnitState,
    /// Its sum, if it is listed as complete.
    pub sum: Option<FileSum>,
    /// The number of positions to compute.
    pub positions: u64,
    /// The bytes of other units' numbers.
    pub read: u64,
    /// The bytes of it that other units read.
    pub written: u64,
    /// The memory that a worker must have for it, including its cache of units read.
    pub memory: u64,
    /// Estimated seconds on one core.
    pub seconds: f64,
}

impl SharedBuild {
    /// Begins or resumes a database: writes the manifest and lists the existing objects.
    ///
    /// # Errors
    /// [`Error::Storage`] if the store cannot be read or written, or holds another database, or
    /// another build is at work in the folder; [`Error::Unsupported`] and [`Error::TooLarge`] for
    /// boards that cannot be cut into units.
    pub fn begin(order: &BuildOrder) -> Result<SharedBuild, Error> {
        SharedBuild::of(order, Arc::new(cut_of(order)?))
    }

    pub(super) fn of(order: &BuildOrder, cut: Arc<UnitCut>) -> Result<SharedBuild, Error> {
        let (store, units) = (Arc::clone(order.store), units(&cut)?);
        let about = Database::new(order.start.game(), order.stake.clone());
        let keep = order.keep;
        let about = about.in_units(DatabaseCut { depth: cut.depth().to_vec(), aim: cut.aim(), keep });
        let mut building = Building::begin(&store, about, units.iter().map(UnitId::file_name))?;
        let there = store.list().map_err(|error| cannot("read", store.place(), &error))?;
        let (readers, done) = match keep {
            KeptUnits::All => Default::default(),
            KeptUnits::TwoLayers => unneeded(&cut, &units, &there),
        };
        if keep == KeptUnits::TwoLayers {
            // From now on, a unit that is listed and missing was deleted.
            let names = units.iter().filter(|unit| !done.contains(unit)).map(UnitId::file_name);
            building.forget(names.filter(|name| !there.contains_key(name)))?;
        }
        Ok(SharedBuild {
            store,
            cut,
            units,
            building,
            there,
            sizes: HashMap::new(),
            stored: 0,
            readers,
            done,
            unused: Vec::new(),
        })
    }

    /// The units, each after all units that it reads.
    pub fn units(&self) -> &[UnitId] {
        &self.units
    }

    /// The sum of a unit that is listed as complete.
    pub fn listed(&self, unit: &UnitId) -> Option<&FileSum> {
        self.building.listed(&unit.file_name())
    }

    /// The state of a unit, updated since the beginning.
    pub fn state(&self, unit: &UnitId) -> UnitState {
        match (self.there.get(&unit.file_name()), self.listed(unit)) {
            (Some(length), Some(sum)) if sum.bytes == *length => UnitState::Complete,
            (None, _) if self.done.contains(unit) => UnitState::Unneeded,
            (None, None) => UnitState::Missing,
            _ => UnitState::There,
        }
    }

    /// The bytes of all listed units that are not deleted.
    pub fn stored(&self) -> u64 {
        self.stored
    }

    /// The work for each unit.
    pub fn tasks(&self) -> Vec<UnitJob> {
        let numbers: HashMap<&UnitId, usize> = self.units.iter().zip(0..).collect();
        let task = |unit: &UnitId| {
            let cost = self.cut.cost(unit);
            UnitJob {
                name: unit.file_name(),
                fixed: unit.fixed(),
                reads: self.cut.reads(unit).iter().filter_map(|unit| numbers.get(unit).copied()).collect(),
                state: self.state(unit),
                sum: self.listed(unit).cloned(),
                positions: cost.positions,
                read: cost.read,
                written: cost.written,
                memory: UnitWork::needs(cost.memory),
                seconds: core_seconds(&cost, self.cut.question().lanes()),
            }
        };
        self.units.iter().map(task).collect()
    }

    /// Lists a unit as complete in the next manifest.
    pub fn note(&mut self, unit: &UnitId, sum: FileSum) {
        let before = self.sizes.insert(unit.clone(), sum.bytes).unwrap_or(0);
        self.stored = self.stored + sum.bytes - before;
        self.building.note(&unit.file_name(), sum);
        if self.readers.is_empty() {
            return;
        }
        let mut used = vec![unit.clone()];
        if self.done.insert(unit.clone()) {
            used.extend(self.cut.reads(unit));
            for read in &used[1..] {
                self.readers.entry(read.clone()).and_modify(|readers| *readers -= 1);
            }
        }
        self.unused.extend(used.into_iter().filter(|unit| self.readers.get(unit) == Some(&0)));
    }

    /// Whether enough units can be deleted to justify writing the manifest, which names all of
    /// them.
    pub fn is_to_be_swept(&self) -> bool {
        self.unused.len() * 20 > self.units.len()
    }

    /// Writes the manifest. If only two layers stay, it then deletes the units that no other needs.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be read or written, or a unit cannot be deleted.
    pub fn write(&mut self) -> Result<(), Error> {
        self.building.write()?;
        for unit in std::mem::take(&mut self.unused) {
            self.delete(&unit.file_name())?;
            self.stored -= self.sizes.remove(&unit).unwrap_or(0);
        }
        // A worker that died may have left a unit that it made for another one.
        if !self.done.is_empty() && self.done.len() == self.units.len() {
            let there = self.store.list().map_err(|error| cannot("read", self.store.place(), &error))?;
            let names = self.units.iter().filter(|unit| !stays(unit)).map(UnitId::file_name);
            names.filter(|name| there.contains_key(name)).try_for_each(|name| self.delete(&name))?;
        }
        Ok(())
    }

    fn delete(&self, name: &str) -> Result<(), Error> {
        match self.store.remove(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|error| cannot("delete", &self.store.at(name), &error)),
        }
    }

    /// The same, and releases the store for other builds.
    ///
    /// # Errors
    /// As for [`SharedBuild::write`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.write()?;
        self.building.finish()
    }

    /// A worker that computes units.
    pub fn work(&self, memory: u64) -> UnitWork {
        UnitWork::new(&self.store, Arc::clone(&self.cut), memory)
    }
}

/// For each unit to be deleted, the number of units to make or check that read it; and the missing
/// units that need not be made.
fn unneeded(
    cut: &UnitCut,
    units: &[UnitId],
    there: &BTreeMap<String, u64>,
) -> (HashMap<UnitId, usize>, HashSet<UnitId>) {
    let (mut wanted, mut readers, mut done) = (HashSet::new(), HashMap::new(), HashSet::new());
    // A unit follows all units that it reads.
    for unit in units.iter().rev() {
        let is_there = there.contains_key(&unit.file_name());
        if !is_there && !stays(unit) && !wanted.contains(unit) {
            done.insert(unit.clone());
            continue;
        }
        let reads = cut.reads(unit);
        reads.iter().filter(|read| !stays(read)).for_each(|read| *readers.entry(read.clone()).or_insert(0) += 1);
        if !is_there {
            wanted.extend(reads);
        }
    }
    units.iter().filter(|unit| !stays(unit)).for_each(|unit| {
        readers.entry(unit.clone()).or_insert(0);
    });
    (readers, done)
}

/// Whether a unit stays if only two layers are kept.
pub(super) fn stays(unit: &UnitId) -> bool {
    unit.fixed() <= 1
}
