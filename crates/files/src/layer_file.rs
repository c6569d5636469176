//! One layer of positions in a file.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use richman_core::{Error, LayerSink, NumberSlice, StoredLayer};
use zstd::bulk::Decompressor;

use crate::sum::RunningSum;
use crate::{FileSum, NewFile, cannot};

/// The length of a header in bytes.
pub const HEADER: usize = 40;
const FOOTER: usize = 20;
const MAGIC: &[u8; 8] = b"RICHLAYR";
const END: &[u8; 8] = b"RICHLEND";
const VERSION: u32 = 1;
/// Bytes of numbers per chunk: few, because reading one number decompresses a chunk.
const CHUNK_BYTES: usize = 1 << 13;
const LEVEL: i32 = 1;

thread_local! {
    static ROOM: RefCell<ChunkBuffer> =
        const { RefCell::new(ChunkBuffer { decompressor: None, packed: Vec::new(), chunks: VecDeque::new() }) };
}

/// A decompressor, which takes longer to make than to use, and the last chunks, because successive
/// positions often share one.
struct ChunkBuffer {
    decompressor: Option<Decompressor<'static>>,
    /// A compressed chunk.
    packed: Vec<u8>,
    /// Decompressed chunks, by number of file and chunk.
    chunks: VecDeque<((u64, usize), Vec<u8>)>,
}

/// The chunks cached per thread: those of a position and its successors.
const REMEMBERED: usize = 32;

/// The header of a layer file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerHead {
    /// The content of the numbers.
    pub layer: u32,
    /// Numbers for each position.
    pub lanes: u32,
    /// Bytes per number: 1, 2, 4 or 8.
    pub width: u32,
    /// The number of numbers.
    pub count: u64,
}

impl LayerHead {
    /// Numbers in every chunk but the last.
    fn chunk(&self) -> u64 {
        (CHUNK_BYTES / self.width as usize) as u64
    }

    fn chunks(&self) -> u64 {
        self.count.div_ceil(self.chunk())
    }

    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, self.layer, self.lanes, self.width] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.count.to_le_bytes());
        bytes.extend((CHUNK_BYTES as u64).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<LayerHead> {
        let four = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let eight = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let known = bytes.starts_with(MAGIC) && four(8)? == VERSION && eight(32)? == CHUNK_BYTES as u64;
        let head = LayerHead { layer: four(12)?, lanes: four(16)?, width: four(20)?, count: eight(24)? };
        (known && matches!(head.width, 1 | 2 | 4 | 8) && head.lanes > 0).then_some(head)
    }
}

/// Writes a layer. The file appears when finished.
pub struct LayerWriter {
    path: PathBuf,
    out: NewFile,
    head: LayerHead,
    rest: Vec<u8>,
    index: Vec<u8>,
    taken: u64,
    summer: RunningSum,
}

richman_core::debug_by_name!(LayerWriter {});

impl LayerWriter {
    /// Starts the file at `path`, under a temporary name in its folder.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be written.
    pub fn create(path: &Path, head: LayerHead) -> Result<LayerWriter, Error> {
        let out = NewFile::create(path).map_err(|error| cannot("write", path, &error))?;
        let mut writer = LayerWriter {
            path: path.to_path_buf(),
            out,
            head,
            rest: Vec::new(),
            index: Vec::new(),
            taken: 0,
            summer: RunningSum::default(),
        };
        writer.put(&head.to_bytes())?;
        Ok(writer)
    }

    /// Completes the file, and returns its size and checksum.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be written, or its header states another count of numbers.
    pub fn finish(mut self) -> Result<FileSum, Error> {
        let rest = std::mem::take(&mut self.rest);
        self.compress(&[&rest[..]][..usize::from(!rest.is_empty())])?;
        if self.taken != self.head.count {
            let what =
                format!("{}: {} numbers were written instead of {}", self.path.display(), self.taken, self.head.count);
            return Err(Error::Storage { what });
        }
        let (start, index) = (self.summer.bytes, std::mem::take(&mut self.index));
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.head.to_bytes());
        crc.update(&index);
        self.put(&index)?;
        self.put(&start.to_le_bytes())?;
        self.put(&crc.finalize().to_le_bytes())?;
        self.put(END)?;
        self.out.finish().map_err(|error| cannot("write", &self.path, &error))?;
        Ok(self.summer.sum())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.summer.take(bytes);
        self.out.write_all(bytes).map_err(|error| cannot("write", &self.path, &error))
    }

    fn compress(&mut self, chunks: &[&[u8]]) -> Result<(), Error> {
        let packed: Vec<std::io::Result<Vec<u8>>> =
            chunks.par_iter().map(|chunk| zstd::bulk::compress(chunk, LEVEL)).collect();
        for packed in packed {
            let packed = packed.map_err(|error| cannot("compress", &self.path, &error))?;
            self.index.extend((packed.len() as u32).to_le_bytes());
            self.index.extend(crc32fast::hash(&packed).to_le_bytes());
            self.put(&packed)?;
        }
        Ok(())
    }
}

impl LayerSink for LayerWriter {
    fn take(&mut self, part: NumberSlice<'_>) -> Result<(), Error> {
        const AT_ONCE: usize = 1 << 23;
        self.taken += part.len() as u64;
        let step = AT_ONCE / part.width();
        for from in (0..part.len()).step_by(step) {
            let mut bytes = std::mem::take(&mut self.rest);
            part.to_bytes(from..from + step, &mut bytes);
            let whole = bytes.len() / CHUNK_BYTES * CHUNK_BYTES;
            let chunks: Vec<&[u8]> = bytes[..whole].chunks_exact(CHUNK_BYTES).collect();
            self.compress(&chunks)?;
            bytes.drain(..whole);
            self.rest = bytes;
        }
        Ok(())
    }
}

/// A layer in a file, read chunk by chunk.
#[derive(Debug)]
pub struct LayerFile {
    path: PathBuf,
    file: File,
    /// Unique among the files opened.
    number: u64,
    head: LayerHead,
    /// The start of every chunk, and the end of the last.
    starts: Vec<u64>,
    sums: Vec<u32>,
}

impl LayerFile {
    /// Checks a layer except its chunks.
    ///
    /// # Errors
    /// [`Error::Storage`], naming the file, if it cannot be read or is damaged.
    pub fn check(path: &Path) -> Result<(), Error> {
        LayerFile::open(path).map(drop)
    }

    /// Opens a layer and checks it except its chunks, which are checked when read.
    ///
    /// # Errors
    /// [`Error::Storage`], naming the file, if it cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<LayerFile, Error> {
        let failed = |error: std::io::Error| cannot("read", path, &error);
        let damaged = |what: &str| damaged(path, what);
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length < (HEADER + FOOTER) as u64 {
            return Err(damaged("it is too short"));
        }
        let mut bytes = vec![0; HEADER];
        file.read_exact(&mut bytes).map_err(failed)?;
        let head = LayerHead::from_bytes(&bytes).ok_or_else(|| damaged("its header is not that of a layer file"))?;
        let mut footer = [0; FOOTER];
        file.seek(SeekFrom::End(-(FOOTER as i64))).map_err(failed)?;
        file.read_exact(&mut footer).map_err(failed)?;
        let start = u64::from_le_bytes(std::array::from_fn(|at| footer[at]));
        let sum = u32::from_le_bytes(std::array::from_fn(|at| footer[8 + at]));
        let index_bytes = head.chunks().checked_mul(8).filter(|bytes| {
            footer.ends_with(END)
                && start.checked_add(*bytes).and_then(|end| end.checked_add(FOOTER as u64)) == Some(length)
        });
        let index_bytes = index_bytes.ok_or_else(|| damaged("its footer is not that of a layer file"))?;
        let mut index = vec![0; index_bytes as usize];
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        file.read_exact(&mut index).map_err(failed)?;
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytes);
        crc.update(&index);
        if crc.finalize() != sum {
            return Err(damaged("the checksum of its index is wrong"));
        }
        let mut starts = vec![HEADER as u64];
        let mut sums = Vec::with_capacity(index.len() / 8);
        for entry in index.as_chunks::<8>().0 {
            let [a, b, c, d, sum @ ..] = *entry;
            starts.push(starts[sums.len()] + u64::from(u32::from_le_bytes([a, b, c, d])));
            sums.push(u32::from_le_bytes(sum));
        }
        if starts[sums.len()] != start {
            return Err(damaged("its chunks do not end where its index starts"));
        }
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        Ok(LayerFile { path: path.to_path_buf(), file, number, head, starts, sums })
    }

    /// The header.
    pub fn head(&self) -> LayerHead {
        self.head
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.starts[self.sums.len()] + 8 * self.sums.len() as u64 + FOOTER as u64
    }

    /// Passes a decompressed chunk to `take`.
    fn chunk<R>(&self, number: usize, take: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
        let key = (self.number, number);
        ROOM.with_borrow_mut(|room| {
            if let Some((_, chunk)) = room.chunks.iter().find(|(known, _)| *known == key) {
                return Ok(take(chunk));
            }
            let forgotten = if room.chunks.len() < REMEMBERED { None } else { room.chunks.pop_front() };
            let mut chunk = forgotten.map_or_else(|| Vec::with_capacity(CHUNK_BYTES), |(_, chunk)| chunk);
            self.read_chunk(number, room, &mut chunk)?;
            let taken = take(&chunk);
            room.chunks.push_back((key, chunk));
            Ok(taken)
        })
    }

    fn read_chunk(&self, number: usize, room: &mut ChunkBuffer, into: &mut Vec<u8>) -> Result<(), Error> {
        let (from, to) = (self.starts[number], self.starts[number + 1]);
        if to - from > 2 * CHUNK_BYTES as u64 {
            return Err(damaged(&self.path, "a chunk is too long"));
        }
        room.packed.resize((to - from) as usize, 0);
        read_at(&self.file, &mut room.packed, from).map_err(|error| cannot("read", &self.path, &error))?;
        if crc32fast::hash(&room.packed) != self.sums[number] {
            return Err(damaged(&self.path, &format!("the checksum of chunk {number} is wrong")));
        }
        into.clear();
        let cannot_decompress = |error| cannot("decompress", &self.path, &error);
        let decompressor = match &mut room.decompressor {
            Some(decompressor) => decompressor,
            none => none.insert(Decompressor::new().map_err(cannot_decompress)?),
        };
        decompressor.decompress_to_buffer(&room.packed, into).map_err(cannot_decompress)?;
        Ok(())
    }
}

impl StoredLayer for LayerFile {
    fn len(&self) -> u64 {
        self.head.count
    }

    fn width(&self) -> usize {
        self.head.width as usize
    }

    fn read(&self, from: u64, count: usize, into: &mut Vec<u8>) -> Result<(), Error> {
        let end = from.checked_add(count as u64).filter(|end| *end <= self.head.count);
        let end = end.ok_or_else(|| damaged(&self.path, "it has too few numbers"))?;
        let (chunk, width) = (self.head.chunk(), self.width());
        let mut at = from;
        while at < end {
            let first = at / chunk * chunk;
            let last = end.min(first + chunk);
            let part = (at - first) as usize * width..(last - first) as usize * width;
            let taken =
                self.chunk((at / chunk) as usize, |chunk| chunk.get(part).map(|part| into.extend(part)).is_some())?;
            if !taken {
                return Err(damaged(&self.path, "a chunk is too short"));
            }
            at = last;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn read_at(file: &File, into: &mut [u8], from: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, from)
}

#[cfg(windows)]
fn read_at(file: &File, mut into: &mut [u8], mut from: u64) -> std::io::Result<()> {
    while !into.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, into, from)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let rest = into;
        into = &mut rest[read..];
        from += read as u64;
    }
    Ok(())
}

/// A browser has no such files, and no system that reads at a place.
#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, into: &mut [u8], from: u64) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(from))?;
    file.read_exact(into)
}

/// An [`Error::Storage`] for a damaged file of a database.
pub fn damaged(path: &Path, what: &str) -> Error {
    let what = format!("is damaged: {what}; delete it and build the database again, which resumes there");
    Error::Storage { what: format!("{} {what}", path.display()) }
}
