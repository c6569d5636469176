//! Numbers wide enough for the fillings of a board.

use std::ops::{Add, Mul, Sub};

use crate::board::HexBoard;
use dashu_int::UBig;
use ethnum::U256;
use richman_core::{Effort, Error};

use super::{Fillings, Frontier, sweep};

/// The most open cells whose fillings can be counted.
pub const MOST_OPEN: u32 = 255;

/// A number of fillings.
pub(super) trait Count:
    Copy + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + PartialEq
{
    const ZERO: Self;
    const ONE: Self;
    fn into_big(self) -> UBig;
}

impl Count for u64 {
    const ZERO: u64 = 0;
    const ONE: u64 = 1;

    fn into_big(self) -> UBig {
        self.into()
    }
}

impl Count for u128 {
    const ZERO: u128 = 0;
    const ONE: u128 = 1;

    fn into_big(self) -> UBig {
        self.into()
    }
}

impl Count for U256 {
    const ZERO: U256 = U256::ZERO;
    const ONE: U256 = U256::ONE;

    fn into_big(self) -> UBig {
        UBig::from_le_bytes(&self.to_le_bytes())
    }
}

/// Counts with the narrowest numbers that hold 2^open.
pub(super) fn fillings(frontier: &Frontier, stones: &HexBoard, effort: &Effort) -> Result<Fillings, Error> {
    match stones.open() {
        0..=63 => sweep::fillings::<u64>(frontier, stones, effort),
        64..=127 => sweep::fillings::<u128>(frontier, stones, effort),
        _ => sweep::fillings::<U256>(frontier, stones, effort),
    }
}
