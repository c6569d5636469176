//! Sets of cells, and the stones of both players on them.

use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use ethnum::U256;
use richman_core::Player;

/// A set of cells: bit `row * cols + col`.
pub trait Cells:
    Copy
    + Ord
    + Hash
    + std::fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The most cells.
    const BITS: u32;
    /// No cell.
    const NONE: Self;
    /// The cell numbered 0.
    const FIRST: Self;
    /// The set reversed: bit i becomes bit `BITS` - 1 - i.
    fn reversed(self) -> Self;
    /// The number of the first cell in the set; `BITS` if it is empty.
    fn first(self) -> u32;
}

macro_rules! cells {
    ($($number:ty: $one:expr),*) => {$(
        impl Cells for $number {
            const BITS: u32 = <$number>::BITS;
            const NONE: Self = <$number>::MIN;
            const FIRST: Self = $one;
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
        }
    )*};
}

cells!(u32: 1, u64: 1, u128: 1, U256: U256::ONE);

/// The stones of both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stones<C = u64> {
    /// The cells with a stone of Alice.
    pub alice: C,
    /// The cells with a stone of Bob.
    pub bob: C,
}

impl<C: Cells> Stones<C> {
    /// No stones.
    pub const NONE: Stones<C> = Stones { alice: C::NONE, bob: C::NONE };

    /// The cells with a stone.
    pub fn occupied(self) -> C {
        self.alice | self.bob
    }

    /// The stones of one player.
    pub fn of(self, player: Player) -> C {
        if player == Player::Alice { self.alice } else { self.bob }
    }

    /// The stones with those of `player` on the cells `bit` added.
    pub fn with(self, player: Player, bit: C) -> Stones<C> {
        match player {
            Player::Alice => Stones { alice: self.alice | bit, ..self },
            Player::Bob => Stones { bob: self.bob | bit, ..self },
        }
    }

    pub(crate) fn without(self, cells: C) -> Stones<C> {
        Stones { alice: self.alice & !cells, bob: self.bob & !cells }
    }
}
