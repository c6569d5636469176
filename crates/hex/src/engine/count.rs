//! Number types wide enough to count a board's fillings.

use std::ops::{Add, Mul, Sub};

use crate::board::HexBoard;
use dashu_int::UBig;
use ethnum::U256;
use richman_core::{Effort, Error};

use super::{Fillings, Frontier, sweep};

/// The most open cells whose fillings can be counted.
pub const MOST_OPEN: u32 = 255;

pub(super) trait Count:
    Copy + Send + Sync + From<u8> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + PartialEq
{
    fn into_big(self) -> UBig;
}

macro_rules! count {
    ($($number:ty),*) => {$(
        impl Count for $number {
            fn into_big(self) -> UBig {
                UBig::from_le_bytes(&self.to_le_bytes())
            }
        }
    )*};
}

count!(u64, u128, U256);

/// Uses the narrowest type that holds 2^open.
pub(super) fn fillings(frontier: &Frontier, stones: &HexBoard, effort: &Effort) -> Result<Fillings, Error> {
    match stones.open() {
        0..=63 => sweep::fillings::<u64>(frontier, stones, effort),
        64..=127 => sweep::fillings::<u128>(frontier, stones, effort),
        _ => sweep::fillings::<U256>(frontier, stones, effort),
    }
}
