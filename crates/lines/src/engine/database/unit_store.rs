//! Units in a store.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, PoisonError};

use richman_core::Error;
use richman_files::{FileSum, ObjectStore, PackedFrames, cannot};

use crate::engine::units::{Recent, UnitCut, UnitFault, UnitId, UnitSource};

/// The number of different units that are read at the same time.
const READERS: usize = 16;

/// The units of a cut in a store, with a cache of those read last.
pub struct UnitStore {
    store: Arc<dyn ObjectStore>,
    cut: Arc<UnitCut>,
    kept: Recent<UnitId, PackedFrames>,
    /// Each lock serves some units, so that no unit is read twice at the same time.
    reading: [Mutex<()>; READERS],
}

richman_core::debug_by_name!(UnitStore {});

impl UnitStore {
    /// The units in a store, with a cache of `room` bytes.
    pub fn new(store: &Arc<dyn ObjectStore>, cut: Arc<UnitCut>, room: u64) -> UnitStore {
        UnitStore { store: Arc::clone(store), cut, kept: Recent::new(room), reading: Default::default() }
    }

    /// The most bytes of packed units in memory.
    pub fn room(&self) -> u64 {
        self.kept.room()
    }

    /// The cut.
    pub fn cut(&self) -> &UnitCut {
        &self.cut
    }

    /// The store.
    pub fn store(&self) -> &dyn ObjectStore {
        self.store.as_ref()
    }

    /// Reads a unit and checks its header; `None` if it is missing.
    ///
    /// # Errors
    /// [`UnitFault::Lost`] if it is damaged or from another database; [`UnitFault::Other`] if it
    /// cannot be read.
    pub fn find(&self, unit: &UnitId) -> Result<Option<PackedFrames>, UnitFault> {
        /// Bytes in addition to the frames of a unit: its header, and chunks that grow when packed.
        const HEADER: u64 = 1 << 20;
        let (name, written) = (unit.file_name(), self.cut.cost(unit).written);
        let lost = |what: &str| self.lost(unit, what);
        let bytes = match self.store.read(&name, written.saturating_add(written / 100 + HEADER)) {
            Ok(bytes) => bytes,
            Err(error) => match error.kind() {
                ErrorKind::NotFound => return Ok(None),
                ErrorKind::FileTooLarge => return Err(lost("is damaged, it is too large")),
                _ => return Err(UnitFault::Other(cannot("read", &self.store.at(&name), &error))),
            },
        };
        let frames = PackedFrames::parse(bytes).map_err(|error| lost(&format!("is damaged, {error}")))?;
        if !frames.is_of(&self.cut.subject(unit)) || !frames.frames().eq(self.cut.frames(unit)) {
            return Err(lost("is of another database"));
        }
        Ok(Some(frames))
    }

    /// Writes a unit, replacing an existing one with other bytes.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be written, or read.
    pub fn write(&self, unit: &UnitId, bytes: &[u8]) -> Result<FileSum, Error> {
        let (name, sum) = (unit.file_name(), FileSum::of(bytes));
        let path = self.store.at(&name);
        let failed = |error| cannot("write", &path, &error);
        match self.store.create(&name, bytes) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let is_same = self.store.read(&name, sum.bytes).is_ok_and(|there| FileSum::of(&there) == sum);
                if !is_same {
                    self.store.replace(&name, bytes).map_err(failed)?;
                }
            }
            written => written.map_err(failed)?,
        }
        self.kept.remove(unit);
        Ok(sum)
    }
}

impl UnitSource for UnitStore {
    fn lost(&self, unit: &UnitId, what: &str) -> UnitFault {
        let path = self.store.at(&unit.file_name());
        let what = format!("{} {what}", path.display());
        UnitFault::Lost { unit: unit.clone(), what }
    }

    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault> {
        if let Some(frames) = self.kept.find(unit) {
            return Ok(frames);
        }
        let mut hasher = DefaultHasher::new();
        unit.hash(&mut hasher);
        let _reading = self.reading[hasher.finish() as usize % READERS].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(frames) = self.kept.find(unit) {
            return Ok(frames);
        }
        let frames = self.find(unit)?.ok_or_else(|| self.lost(unit, "is missing"))?;
        let bytes = frames.bytes().len() as u64;
        Ok(self.kept.keep(unit.clone(), frames, bytes))
    }
}
