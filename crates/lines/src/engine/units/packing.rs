//! Estimates the bytes of packed results from a sample.
//!
//! The compression depends on the board: how early games are decided, and how often needs repeat.
//! So small parts of the board that lead to no other part are computed: parts with more cells
//! fixed, all of them filled.

use std::collections::BTreeSet;
use std::sync::Arc;

use richman_core::{Effort, Error, Number, each_size};
use richman_files::{PackedFrames, pack_frames};

use super::depth::{deeper, largest};
use super::{BoardStake, UnitCut, UnitFault, UnitId, UnitSource};
use crate::engine::gather;

/// The most numbers in a part of the sample, and the number of parts.
const NUMBERS: u128 = 1 << 23;
const PARTS: u64 = 16;
/// Bytes that are packed together.
const TOGETHER: usize = 1 << 22;
/// Bytes of a packed bound: 0.11 to 0.17 were measured on Connect Four.
const BOUND: f64 = 0.14;

/// The bytes of a packed number, by the number of stones.
#[derive(Debug, Clone, PartialEq)]
pub struct Packing(Vec<f64>);

/// The numbers of the sample for one number of stones: their bytes before and after packing.
#[derive(Debug, Clone, Default)]
struct PackedNumbers {
    waiting: Vec<u8>,
    before: usize,
    after: usize,
}

impl PackedNumbers {
    /// Packs pending numbers, if they have more than `most` bytes.
    fn pack(&mut self, most: usize) -> Result<(), Error> {
        if self.waiting.len() > most {
            self.before += self.waiting.len();
            self.after += pack_frames(&[], &[(0, std::mem::take(&mut self.waiting))])?.len();
        }
        Ok(())
    }
}

struct NoUnits;

impl UnitSource for NoUnits {
    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault> {
        Err(self.lost(unit, "is missing"))
    }
}

impl UnitCut {
    /// Computes the sample, which takes tenths of a second.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn packing(&self, effort: &Effort<'_>) -> Result<Packing, Error> {
        let question = &self.question;
        let stones = question.last() as usize + 1;
        if matches!(question.stake, BoardStake::Rounded(_)) {
            return Ok(Packing(vec![BOUND; stones]));
        }
        let (rows, lanes) = (self.columns.heights(), question.lanes() as u128);
        let fits = |depth: &[u32]| largest(&rows, depth, question.last()).saturating_mul(lanes) <= NUMBERS;
        let depth = deeper(&rows, &self.depth, fits);
        let sample = UnitCut::new(question.clone(), depth.clone(), 1)?;
        let (whole, class) = (self.class(&self.depth), sample.class(&depth));
        let mut packed = vec![PackedNumbers::default(); stones];
        let (mut parts, mut over) = (0.0, 0.0);
        // Fillings of all kinds, always the same.
        let spread =
            |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).checked_shr(64 - class.fixed).unwrap_or(0);
        for first in (0..PARTS).map(spread).collect::<BTreeSet<u64>>() {
            effort.check_cancelled()?;
            let own = whole.fixed_cells();
            let filling = gather(class.stones(first) & own, own) >> whole.bits << whole.bits;
            if whole.winner(filling, whole.bits).is_some() {
                continue; // no unit has it
            }
            if class.winner(first, 0).is_some() {
                over += 1.0;
                continue;
            }
            parts += 1.0;
            let needs = sample.compute(&UnitId { heights: depth.clone(), first }, 0, &NoUnits, effort)?;
            for (frame, _) in class.frames.iter().enumerate().filter(|(_, of)| class.is_read(of.key, &depth)) {
                for stones in 0..=class.most {
                    if let Some(numbers) = needs.layer(stones, frame) {
                        let into = &mut packed[(class.fixed + stones) as usize];
                        each_size!(Numbers, numbers, numbers => Number::to_bytes(numbers, &mut into.waiting));
                        into.pack(TOGETHER)?;
                    }
                }
            }
        }
        if parts == 0.0 {
            // All games of the sample are over. A quarter is usual.
            let width = |stones| question.width(stones) as f64 / 4.0;
            return Ok(Packing((0..=question.last()).map(width).collect()));
        }
        let mut packing = Packing(vec![0.0; stones]);
        for stones in (0..stones).rev() {
            packed[stones].pack(0)?;
            let PackedNumbers { before, after, .. } = packed[stones];
            let width = question.width(stones as u32) as f64;
            packing.0[stones] = match packing.0.get(stones + 1) {
                _ if before > 0 => after as f64 / (before as f64 / width * (parts + over) / parts),
                // As many bits for each open cell as with one stone more.
                Some(next) => {
                    let open = f64::from(question.board.cells() - stones as u32);
                    (next * open / (open - 1.0).max(1.0)).min(width)
                }
                None => 0.0,
            };
        }
        Ok(packing)
    }

    /// About the packed bytes of a unit.
    pub fn packed(&self, unit: &UnitId, packing: &Packing) -> f64 {
        let class = self.class(&unit.heights);
        let lanes = self.question.lanes() as f64;
        let read = class.frames.iter().filter(|frame| class.is_read(frame.key, &self.depth));
        let layers = read.flat_map(|frame| (0..).zip(&frame.layers));
        let bytes = layers.map(|(stones, blocks)| {
            let numbers = blocks.len() as f64 * 2_f64.powi((stones + class.bits) as i32) * lanes;
            numbers * packing.0[(class.fixed + stones) as usize]
        });
        bytes.sum()
    }
}
