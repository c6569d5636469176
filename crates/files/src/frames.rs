//! Frames of bytes that are read one by one, such as the results of a unit of work.
//!
//! The bytes are a header, the compressed chunks of all frames in order, and nothing else. The
//! header has the SHA-256 of the frames' subject, lists the frames with their keys and lengths,
//! then each chunk's length and checksum, and ends with its own checksum. Equal frames of a subject
//! give equal bytes. Input is not trusted.

use std::ops::Range;

use rayon::prelude::*;
use richman_core::Error;
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"RICHUNIT";
const VERSION: u32 = 2;
/// Bytes of a frame that are compressed together.
const CHUNK: usize = 1 << 20;
const LEVEL: i32 = 1;
/// The magic, the version, the number of frames and the checksum of the subject.
const FIXED: usize = 16 + 32;

/// Packs frames of a subject, each with a key, into bytes.
///
/// # Errors
/// [`Error::Storage`] if they cannot be compressed.
pub fn pack_frames(subject: &[u8], frames: &[(u64, Vec<u8>)]) -> Result<Vec<u8>, Error> {
    let chunks: Vec<&[u8]> = frames.iter().flat_map(|(_, bytes)| bytes.chunks(CHUNK)).collect();
    let packed: Result<Vec<Vec<u8>>, _> = chunks.par_iter().map(|chunk| zstd::bulk::compress(chunk, LEVEL)).collect();
    let packed = packed.map_err(|error| Error::Storage { what: format!("frames cannot be compressed: {error}") })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((frames.len() as u32).to_le_bytes());
    bytes.extend(Sha256::digest(subject));
    for (key, frame) in frames {
        bytes.extend(key.to_le_bytes());
        bytes.extend((frame.len() as u64).to_le_bytes());
    }
    for chunk in &packed {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(chunk).to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    packed.iter().for_each(|chunk| bytes.extend(chunk));
    Ok(bytes)
}

/// Packed frames; each can be read alone.
#[derive(Debug, Clone)]
pub struct PackedFrames {
    bytes: Vec<u8>,
    frames: Vec<FrameEntry>,
}

#[derive(Debug, Clone)]
struct FrameEntry {
    key: u64,
    length: u64,
    chunks: Vec<PackedChunk>,
}

/// The location of a chunk, and its checksum.
#[derive(Debug, Clone)]
struct PackedChunk {
    range: Range<usize>,
    sum: u32,
}

impl PackedFrames {
    /// Frames from bytes that [`pack_frames`] made. Chunks are checked when they are read.
    ///
    /// # Errors
    /// [`Error::Storage`] if the header is damaged, or bytes are missing or left over.
    pub fn parse(bytes: Vec<u8>) -> Result<PackedFrames, Error> {
        let frames = entries(&bytes).ok_or_else(|| damaged("the header is not that of frames"))?;
        Ok(PackedFrames { bytes, frames })
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether they are of this subject.
    pub fn is_of(&self, subject: &[u8]) -> bool {
        self.bytes[16..FIXED] == Sha256::digest(subject)[..]
    }

    /// The key and the length of every frame, in order.
    pub fn frames(&self) -> impl Iterator<Item = (u64, u64)> {
        self.frames.iter().map(|frame| (frame.key, frame.length))
    }

    /// The bytes of a frame, of which there must be `length`. These are allocated, so do not take
    /// `length` from the untrusted frames.
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no such frame, or it is damaged.
    pub fn frame(&self, key: u64, length: usize) -> Result<Vec<u8>, Error> {
        self.part(key, length, 0..length)
    }

    /// Some bytes of a frame of `length` bytes. Only the chunks with these bytes are decompressed.
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no such frame, it is damaged, or the range is not within it.
    pub fn part(&self, key: u64, length: usize, range: Range<usize>) -> Result<Vec<u8>, Error> {
        let frame = self.frames.iter().find(|frame| frame.key == key && frame.length == length as u64);
        let frame = frame.filter(|_| range.start <= range.end && range.end <= length);
        let frame = frame.ok_or_else(|| damaged("a frame is missing or has another length"))?;
        let (first, last) = (range.start / CHUNK, range.end.div_ceil(CHUNK));
        let start = first * CHUNK;
        let mut bytes = vec![0; (last * CHUNK).min(length).saturating_sub(start)];
        let read = |(into, chunk): (&mut [u8], &PackedChunk)| {
            let wanted = into.len();
            match zstd::bulk::decompress_to_buffer(self.whole(chunk)?, into) {
                Ok(length) if length == wanted => Ok(()),
                _ => Err(damaged("a chunk cannot be decompressed")),
            }
        };
        bytes.par_chunks_mut(CHUNK).zip(&frame.chunks[first..]).try_for_each(read)?;
        bytes.truncate(range.end - start);
        bytes.drain(..range.start - start);
        Ok(bytes)
    }

    /// Compares all chunks with their checksums.
    ///
    /// # Errors
    /// [`Error::Storage`] if one is damaged.
    pub fn check(&self) -> Result<(), Error> {
        self.frames.iter().flat_map(|frame| &frame.chunks).try_for_each(|chunk| self.whole(chunk).map(drop))
    }

    fn whole(&self, chunk: &PackedChunk) -> Result<&[u8], Error> {
        let packed = &self.bytes[chunk.range.clone()];
        if crc32fast::hash(packed) == chunk.sum { Ok(packed) } else { Err(damaged("the checksum of a chunk is wrong")) }
    }
}

/// The frames that a header lists; `None` if it is damaged, or the bytes do not end with them.
fn entries(bytes: &[u8]) -> Option<Vec<FrameEntry>> {
    let four = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?));
    let eight = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?));
    if !bytes.starts_with(MAGIC) || four(8)? != VERSION {
        return None;
    }
    let index = FIXED.checked_add(usize::try_from(four(12)?).ok()?.checked_mul(16)?)?;
    bytes.get(..index)?; // before any allocation
    let heads: Option<Vec<(u64, u64)>> =
        (FIXED..index).step_by(16).map(|at| Some((eight(at)?, eight(at + 8)?))).collect();
    let heads = heads?;
    let chunks = |length: u64| usize::try_from(length.div_ceil(CHUNK as u64)).ok();
    let mut all = 0_usize;
    for (_, length) in &heads {
        all = all.checked_add(chunks(*length)?)?;
    }
    let end = index.checked_add(all.checked_mul(8)?)?;
    if crc32fast::hash(bytes.get(..end)?) != four(end)? {
        return None;
    }
    let (mut at, mut entry) = (end + 4, index);
    let mut frames = Vec::with_capacity(heads.len());
    for (key, length) in heads {
        let mut found = Vec::with_capacity(chunks(length)?);
        for _ in 0..chunks(length)? {
            let next = at.checked_add(usize::try_from(four(entry)?).ok()?).filter(|next| *next <= bytes.len())?;
            found.push(PackedChunk { range: at..next, sum: four(entry + 4)? });
            (at, entry) = (next, entry + 8);
        }
        frames.push(FrameEntry { key, length, chunks: found });
    }
    (at == bytes.len()).then_some(frames)
}

fn damaged(what: &str) -> Error {
    Error::Storage { what: what.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_damage_is_found() {
        let long: Vec<u8> = (0..3_000_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 27) as u8).collect();
        let frames = vec![(0, vec![7; 10]), (5, long.clone()), (9, Vec::new())];
        let packed = pack_frames(b"a unit", &frames).unwrap();
        assert_eq!(packed, pack_frames(b"a unit", &frames).unwrap());
        let read = PackedFrames::parse(packed.clone()).unwrap();
        assert!(read.is_of(b"a unit") && !read.is_of(b"another"));
        assert_eq!(read.frames().collect::<Vec<_>>(), [(0, 10), (5, 3_000_000), (9, 0)]);
        for (key, bytes) in &frames {
            assert_eq!(read.frame(*key, bytes.len()).unwrap(), *bytes);
        }
        for range in [0..0, 0..1, 7..1_048_577, 1_048_576..2_097_152, 2_999_999..3_000_000, 3_000_000..3_000_000] {
            assert_eq!(read.part(5, 3_000_000, range.clone()).unwrap(), long[range.clone()], "{range:?}");
        }
        assert!(read.part(5, 3_000_000, 2_999_999..3_000_001).is_err(), "after the end");
        assert!(read.check().is_ok());
        assert!(read.frame(5, 10).is_err(), "another length");
        assert!(read.frame(4, 10).is_err(), "another key");
        for length in [0, 8, 15, 40, 80, packed.len() - 1] {
            assert!(PackedFrames::parse(packed[..length].to_vec()).is_err(), "{length} bytes");
        }
        assert!(PackedFrames::parse([&packed[..], &[0]].concat()).is_err(), "a byte more");
        for at in (0..100).chain([packed.len() / 2, packed.len() - 1]) {
            let mut changed = packed.clone();
            changed[at] ^= 4;
            let changed_again = changed.clone();
            let found = PackedFrames::parse(changed).and_then(|read| {
                frames.iter().map(|(key, bytes)| read.frame(*key, bytes.len())).collect::<Result<Vec<_>, _>>()
            });
            assert!(found.is_err(), "byte {at}");
            assert!(PackedFrames::parse(changed_again).and_then(|read| read.check()).is_err(), "byte {at}");
        }
    }
}
