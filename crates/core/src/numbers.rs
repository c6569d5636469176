//! Large arrays of unsigned integers of 1, 2, 4 or 8 bytes.

use std::ops::Range;

use crate::Error;

/// An unsigned integer of one of the four sizes.
pub trait Number: Copy + Ord + Send + Sync + Sized + 'static {
    /// Zero.
    const ZERO: Self;
    /// The greatest number of this size.
    const MAX: Self;
    /// Converts a number that fits.
    fn of(number: u64) -> Self;
    /// The number as 64 bits.
    fn get(self) -> u64;
    /// The numbers, if they are of this size.
    fn of_size(numbers: &Numbers) -> Option<&[Self]>;
    /// The same, to be changed.
    fn of_size_mut(numbers: &mut Numbers) -> Option<&mut [Self]>;
    /// Wraps a slice of this size.
    fn slice(numbers: &[Self]) -> NumberSlice<'_>;
    /// Appends the bytes, little-endian.
    fn to_bytes(numbers: &[Self], into: &mut Vec<u8>);
    /// Reads numbers from bytes until `into` is full; if bytes run out, the rest is unchanged.
    fn from_bytes(bytes: &[u8], into: &mut [Self]);
}

macro_rules! number {
    ($($type:ty, $size:ident);*) => {$(
        impl Number for $type {
            const ZERO: Self = 0;
            const MAX: Self = <$type>::MAX;
            #[inline(always)]
            fn of(number: u64) -> Self {
                number as $type
            }
            #[inline(always)]
            fn get(self) -> u64 {
                self.into()
            }
            fn of_size(numbers: &Numbers) -> Option<&[Self]> {
                if let Numbers::$size(found) = numbers { Some(found) } else { None }
            }
            fn of_size_mut(numbers: &mut Numbers) -> Option<&mut [Self]> {
                if let Numbers::$size(found) = numbers { Some(found) } else { None }
            }
            fn slice(numbers: &[Self]) -> NumberSlice<'_> {
                NumberSlice::$size(numbers)
            }
            fn to_bytes(numbers: &[Self], into: &mut Vec<u8>) {
                into.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            fn from_bytes(bytes: &[u8], into: &mut [Self]) {
                let chunks = bytes.as_chunks::<{ size_of::<$type>() }>().0;
                into.iter_mut().zip(chunks).for_each(|(to, bytes)| *to = <$type>::from_le_bytes(*bytes));
            }
        }
    )*};
}

number!(u8, One; u16, Two; u32, Four; u64, Eight);

/// Numbers of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Numbers {
    /// Of one byte.
    One(Vec<u8>),
    /// Of two bytes.
    Two(Vec<u16>),
    /// Of four bytes.
    Four(Vec<u32>),
    /// Of eight bytes.
    Eight(Vec<u64>),
}

/// Borrowed numbers of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberSlice<'a> {
    /// Of one byte.
    One(&'a [u8]),
    /// Of two bytes.
    Two(&'a [u16]),
    /// Of four bytes.
    Four(&'a [u32]),
    /// Of eight bytes.
    Eight(&'a [u64]),
}

/// Runs the same code for numbers of every size.
#[macro_export]
macro_rules! each_size {
    ($kind:ident, $numbers:expr, $slice:pat => $result:expr) => {
        match $numbers {
            $crate::$kind::One($slice) => $result,
            $crate::$kind::Two($slice) => $result,
            $crate::$kind::Four($slice) => $result,
            $crate::$kind::Eight($slice) => $result,
        }
    };
}

impl Numbers {
    /// The bytes needed for a number that is at most `most`: 1, 2, 4 or 8.
    pub fn width(most: u64) -> usize {
        match most {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        }
    }

    /// `count` zeros of `width` bytes each; 8 if `width` is not 1, 2, 4 or 8.
    pub fn zeros(count: usize, width: usize) -> Numbers {
        match width {
            1 => Numbers::One(vec![0; count]),
            2 => Numbers::Two(vec![0; count]),
            4 => Numbers::Four(vec![0; count]),
            _ => Numbers::Eight(vec![0; count]),
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        each_size!(Numbers, self, numbers => numbers.len())
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One entry.
    pub fn get(&self, at: usize) -> Option<u64> {
        each_size!(Numbers, self, numbers => numbers.get(at).map(|number| number.get()))
    }

    /// All entries, borrowed.
    pub fn slice(&self) -> NumberSlice<'_> {
        each_size!(Numbers, self, numbers => Number::slice(numbers))
    }
}

impl NumberSlice<'_> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        each_size!(NumberSlice, self, numbers => numbers.len())
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes per entry.
    pub fn width(&self) -> usize {
        match self {
            NumberSlice::One(_) => 1,
            NumberSlice::Two(_) => 2,
            NumberSlice::Four(_) => 4,
            NumberSlice::Eight(_) => 8,
        }
    }

    /// Appends the bytes of the entries in `range`, little-endian, skipping indices out of range.
    pub fn to_bytes(&self, range: Range<usize>, into: &mut Vec<u8>) {
        each_size!(NumberSlice, self, numbers => {
            let end = range.end.min(numbers.len());
            Number::to_bytes(&numbers[range.start.min(end)..end], into);
        });
    }
}

/// Receives the numbers of a layer of positions in order, in parts.
pub trait LayerSink {
    /// Receives the next part.
    ///
    /// # Errors
    /// [`Error::Storage`] if it cannot be stored.
    fn take(&mut self, part: NumberSlice<'_>) -> Result<(), Error>;
}

/// The numbers of a layer, stored outside memory.
pub trait StoredLayer: Send + Sync {
    /// The number of entries.
    fn len(&self) -> u64;

    /// Whether there are no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes per entry.
    fn width(&self) -> usize;

    /// Appends the bytes of `count` numbers from index `from` on.
    ///
    /// # Errors
    /// [`Error::Storage`] if they cannot be read, or differ from those written.
    fn read(&self, from: u64, count: usize, into: &mut Vec<u8>) -> Result<(), Error>;
}
