//! Units in a folder.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use richman_core::Effort;
use richman_files::{PackedFrames, cannot, read_bounded};

use crate::engine::units::{Recent, UnitCut, UnitFault, UnitId, UnitSource};

/// The most bytes of packed units in memory.
const ROOM: u64 = 32 << 20;

/// The units of a cut in a folder, of which those that were read last are kept in memory.
pub struct FolderUnits {
    folder: PathBuf,
    cut: Arc<UnitCut>,
    kept: Recent<UnitId, PackedFrames>,
    room: u64,
}

impl FolderUnits {
    /// The units in a folder, of which an eighth of the memory that is left may be kept.
    pub fn new(folder: &Path, cut: Arc<UnitCut>, effort: &Effort<'_>) -> FolderUnits {
        let room = (effort.memory_left() / 8).min(ROOM);
        FolderUnits { folder: folder.to_path_buf(), cut, kept: Recent::new(room), room }
    }

    /// Bytes of packed units in memory, at most.
    pub fn room(&self) -> u64 {
        self.room
    }

    /// The cut.
    pub fn cut(&self) -> &UnitCut {
        &self.cut
    }

    /// The file of a unit.
    pub fn path(&self, unit: &UnitId) -> PathBuf {
        self.folder.join(unit.file_name())
    }

    /// Reads a unit again when it is asked for.
    pub fn forget(&self, unit: &UnitId) {
        self.kept.remove(unit);
    }

    /// Reads a unit and checks its header.
    ///
    /// # Errors
    /// [`UnitFault::Lost`] if it is missing or damaged; [`UnitFault::Other`] if it cannot be read.
    pub fn read(&self, unit: &UnitId) -> Result<PackedFrames, UnitFault> {
        /// Bytes besides the frames of a unit, in which packed chunks may be larger than they were.
        const HEADER: u64 = 1 << 20;
        let path = self.path(unit);
        let written = self.cut.cost(unit).written;
        let lost = |what: &str| UnitFault::Lost { unit: unit.clone(), what: format!("{} {what}", path.display()) };
        let bytes = read_bounded(&path, written.saturating_add(written / 100 + HEADER));
        let bytes = bytes.map_err(|error| match error.kind() {
            ErrorKind::NotFound => lost("is missing: `richman build` makes it"),
            ErrorKind::FileTooLarge => lost("is damaged: it is too large"),
            _ => UnitFault::Other(cannot("read", &path, &error)),
        })?;
        PackedFrames::parse(bytes).map_err(|error| lost(&format!("is damaged: {error}")))
    }
}

impl UnitSource for FolderUnits {
    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault> {
        self.kept.get(unit.clone(), |unit| {
            let frames = self.read(unit)?;
            let bytes = frames.bytes().len() as u64;
            Ok((frames, bytes))
        })
    }
}
