//! Whole numbers of one, two, four or eight bytes: very many of them, kept as small as they are.

use std::ops::Range;

use crate::Error;

/// A number of one of the four sizes.
pub trait Number: Copy + Ord + Send + Sync + Sized + 'static {
    /// Zero.
    const ZERO: Self;
    /// A number that fits.
    fn of(number: u64) -> Self;
    /// The same number in eight bytes.
    fn get(self) -> u64;
    /// Numbers of this size as numbers of some size.
    fn slice(numbers: &[Self]) -> Slice<'_>;
    /// Appends the bytes, the least first.
    fn to_bytes(numbers: &[Self], into: &mut Vec<u8>);
    /// Reads as many numbers from bytes as there is room for; missing bytes leave the rest as it is.
    fn from_bytes(bytes: &[u8], into: &mut [Self]);
}

macro_rules! number {
    ($($type:ty, $size:ident);*) => {$(
        impl Number for $type {
            const ZERO: Self = 0;
            #[inline(always)]
            fn of(number: u64) -> Self {
                number as $type
            }
            #[inline(always)]
            fn get(self) -> u64 {
                self.into()
            }
            fn slice(numbers: &[Self]) -> Slice<'_> {
                Slice::$size(numbers)
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
    /// Of two.
    Two(Vec<u16>),
    /// Of four.
    Four(Vec<u32>),
    /// Of eight.
    Eight(Vec<u64>),
}

/// Borrowed numbers of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slice<'a> {
    /// Of one byte.
    One(&'a [u8]),
    /// Of two.
    Two(&'a [u16]),
    /// Of four.
    Four(&'a [u32]),
    /// Of eight.
    Eight(&'a [u64]),
}

/// The same code for numbers of every size.
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
    /// How many bytes hold a number that is at most `most`: 1, 2, 4 or 8.
    pub fn width(most: u64) -> usize {
        match most {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        }
    }

    /// `count` zeros, each of so many bytes; of eight where no size is that.
    pub fn zeros(count: usize, width: usize) -> Numbers {
        match width {
            1 => Numbers::One(vec![0; count]),
            2 => Numbers::Two(vec![0; count]),
            4 => Numbers::Four(vec![0; count]),
            _ => Numbers::Eight(vec![0; count]),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        each_size!(Numbers, self, numbers => numbers.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    pub fn get(&self, at: usize) -> Option<u64> {
        each_size!(Numbers, self, numbers => numbers.get(at).map(|number| number.get()))
    }

    /// All of them, borrowed.
    pub fn slice(&self) -> Slice<'_> {
        each_size!(Numbers, self, numbers => Number::slice(numbers))
    }
}

impl Slice<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        each_size!(Slice, self, numbers => numbers.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes each has.
    pub fn width(&self) -> usize {
        match self {
            Slice::One(_) => 1,
            Slice::Two(_) => 2,
            Slice::Four(_) => 4,
            Slice::Eight(_) => 8,
        }
    }

    /// Appends the bytes of some, the least first; those there are not are left out.
    pub fn to_bytes(&self, range: Range<usize>, into: &mut Vec<u8>) {
        each_size!(Slice, self, numbers => {
            let end = range.end.min(numbers.len());
            Number::to_bytes(&numbers[range.start.min(end)..end], into);
        });
    }
}

/// Takes the numbers of a layer of positions in their order, part after part.
pub trait LayerSink {
    /// Takes the next part.
    ///
    /// # Errors
    /// [`Error::Storage`] where it cannot be kept.
    fn take(&mut self, part: Slice<'_>) -> Result<(), Error>;
}

/// The numbers of a layer, kept outside of memory.
pub trait StoredLayer: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes each has.
    fn width(&self) -> usize;

    /// The bytes of `count` numbers from `from` on, appended.
    ///
    /// # Errors
    /// [`Error::Storage`] where they cannot be read, or are not what was written.
    fn read(&self, from: u64, count: usize, into: &mut Vec<u8>) -> Result<(), Error>;
}
