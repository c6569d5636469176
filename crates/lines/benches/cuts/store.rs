//! Where units are kept: in memory, or compressed in files.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use richman_core::{Number, Numbers, each_size};

/// Bytes and tasks, counted by all threads.
#[derive(Default)]
pub struct Counts {
    pub tasks: AtomicU64,
    pub written: AtomicU64,
    pub packed_written: AtomicU64,
    pub read: AtomicU64,
    pub packed_read: AtomicU64,
    pub files_read: AtomicU64,
    pub positions: AtomicU64,
    pub decided: AtomicU64,
    /// The time of one core spent compressing and decompressing, in nanoseconds.
    pub packing: AtomicU64,
    pub unpacking: AtomicU64,
}

impl Counts {
    pub fn add(to: &AtomicU64, more: u64) {
        to.fetch_add(more, Ordering::Relaxed);
    }

    pub fn get(from: &AtomicU64) -> u64 {
        from.load(Ordering::Relaxed)
    }
}

/// The time of one core that this thread has had, in nanoseconds.
pub fn thread_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or(0)
}

/// The time of one core that all threads have had, in seconds.
pub fn process_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or("").split(' ');
    fields.skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// A unit's numbers by frame and number of stones.
pub type Frames = HashMap<usize, Vec<Numbers>>;

/// A class and the number of a unit in it.
pub type Key = (usize, u64);

struct Entry {
    path: PathBuf,
    /// The start of each frame in the file, its length before compression, and its chunks.
    frames: HashMap<usize, (u64, Vec<u32>)>,
}

enum Kept {
    Memory(Arc<Frames>),
    File(Arc<Entry>),
}

pub struct Store<'a> {
    /// `None` keeps units in memory.
    pub folder: Option<&'a Path>,
    /// The bytes that are compressed at once.
    pub chunk: usize,
    pub counts: Counts,
    kept: Mutex<HashMap<Key, Kept>>,
}

/// Compresses bytes chunk by chunk; returns the chunks' lengths.
pub fn pack(bytes: &[u8], chunk: usize, into: &mut Vec<u8>) -> Vec<u32> {
    let mut packer = zstd::bulk::Compressor::new(1).expect("a compressor");
    let one = |bytes: &[u8]| {
        let packed = packer.compress(bytes).expect("room");
        into.extend_from_slice(&packed);
        packed.len() as u32
    };
    bytes.chunks(chunk).map(one).collect()
}

impl<'a> Store<'a> {
    pub fn new(folder: Option<&'a Path>, chunk: usize) -> Store<'a> {
        Store { folder, chunk, counts: Counts::default(), kept: Mutex::default() }
    }

    pub fn put(&self, key: Key, frames: Frames) {
        let counts = &self.counts;
        let bytes = |numbers: &Numbers| (numbers.len() * numbers.slice().width()) as u64;
        Counts::add(&counts.written, frames.values().flatten().map(bytes).sum());
        let kept = match self.folder {
            None => Kept::Memory(Arc::new(frames)),
            Some(folder) => {
                let start = thread_time();
                let mut file = Vec::new();
                let mut index = HashMap::new();
                let mut sorted: Vec<_> = frames.into_iter().collect();
                sorted.sort_by_key(|(frame, _)| *frame);
                for (frame, layers) in sorted {
                    let mut bytes = Vec::new();
                    for numbers in &layers {
                        numbers.slice().to_bytes(0..numbers.len(), &mut bytes);
                    }
                    let at = file.len() as u64;
                    index.insert(frame, (at, pack(&bytes, self.chunk, &mut file)));
                }
                Counts::add(&counts.packing, thread_time() - start);
                // The index as in a file of a layer: a length and a checksum for each chunk.
                let chunks: usize = index.values().map(|(_, chunks)| chunks.len()).sum();
                Counts::add(&counts.packed_written, (file.len() + 8 * chunks) as u64);
                let path = folder.join(format!("{}-{}", key.0, key.1));
                std::fs::write(&path, &file).expect("a unit is written");
                Kept::File(Arc::new(Entry { path, frames: index }))
            }
        };
        self.kept.lock().expect("no panic").insert(key, kept);
    }

    /// Forgets units that nobody reads any more.
    pub fn forget(&self, unneeded: impl Fn(&Key) -> bool) {
        self.kept.lock().expect("no panic").retain(|key, kept| {
            let keep = !unneeded(key);
            if let (false, Kept::File(entry)) = (keep, &*kept) {
                std::fs::remove_file(&entry.path).expect("a unit is removed");
            }
            keep
        });
    }

    /// Some frames of a unit. `sizes` gives the counts and widths of the numbers in each of them.
    pub fn get(&self, key: Key, wanted: &[usize], sizes: &dyn Fn(usize) -> Vec<(usize, usize)>) -> Arc<Frames> {
        let counts = &self.counts;
        let bytes = |frame: &usize| sizes(*frame).iter().map(|(count, width)| (count * width) as u64).sum::<u64>();
        Counts::add(&counts.read, wanted.iter().map(bytes).sum());
        Counts::add(&counts.files_read, 1);
        let entry = match &self.kept.lock().expect("no panic")[&key] {
            Kept::Memory(frames) => return Arc::clone(frames),
            Kept::File(entry) => Arc::clone(entry),
        };
        let file = File::open(&entry.path).expect("a unit");
        let mut found = Frames::new();
        for frame in wanted {
            let (start, chunks) = &entry.frames[frame];
            let mut packed = vec![0; chunks.iter().sum::<u32>() as usize];
            file.read_exact_at(&mut packed, *start).expect("a frame");
            Counts::add(&counts.packed_read, (packed.len() + 8 * chunks.len()) as u64);
            let began = thread_time();
            let bytes = unpack(&packed, chunks, bytes(frame) as usize, self.chunk);
            let mut rest = &bytes[..];
            let layers = sizes(*frame).into_iter().map(|(count, width)| {
                let (here, after) = rest.split_at(count * width);
                rest = after;
                let mut numbers = Numbers::zeros(count, width);
                each_size!(Numbers, &mut numbers, numbers => Number::from_bytes(here, numbers));
                numbers
            });
            found.insert(*frame, layers.collect());
            Counts::add(&counts.unpacking, thread_time() - began);
        }
        Arc::new(found)
    }
}

/// Decompresses chunks of `chunk` bytes, `length` in all.
pub fn unpack(packed: &[u8], chunks: &[u32], length: usize, chunk: usize) -> Vec<u8> {
    let mut unpacker = zstd::bulk::Decompressor::new().expect("a decompressor");
    let mut bytes = vec![0; length];
    let mut at = 0;
    for (into, packed_length) in bytes.chunks_mut(chunk).zip(chunks) {
        let end = at + *packed_length as usize;
        unpacker.decompress_to_buffer(&packed[at..end], into).expect("a chunk");
        at = end;
    }
    bytes
}
