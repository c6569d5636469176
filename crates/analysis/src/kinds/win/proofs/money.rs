//! Proves thresholds with real money.

use richman_check::verify;
use richman_core::{Effort, Mechanism, Share, ShareBounds, Unfolding, WinLose};
use richman_solvers::registry;

use crate::Error;
use crate::kinds::win::claims::{MoneyClaim, MoneyValue};
use crate::kinds::{Held, ProvableClaim};
use crate::saved::{ProvedClaim, SavingFault, by_node, named, same};

/// A share claimed exact, or bounds on it; bounds are rare.
enum ClaimedShare {
    Exact(Share),
    Between(Box<[Share; 2]>),
}

impl ClaimedShare {
    fn new(bounds: ShareBounds) -> ClaimedShare {
        let ShareBounds { low, high } = bounds;
        if low == high { ClaimedShare::Exact(low) } else { ClaimedShare::Between(Box::new([low, high])) }
    }

    fn ends(&self) -> [&Share; 2] {
        match self {
            ClaimedShare::Exact(share) => [share, share],
            ClaimedShare::Between(ends) => ends.each_ref(),
        }
    }

    fn bounds(&self) -> ShareBounds {
        let [low, high] = self.ends().map(Share::clone);
        ShareBounds { low, high }
    }

    /// Bytes held outside the value itself.
    fn heap_bytes(&self) -> u64 {
        match self {
            ClaimedShare::Exact(share) => share.heap_bytes(),
            ClaimedShare::Between(ends) => ends.iter().map(Share::bytes).sum(),
        }
    }
}

/// A claim in less memory: for each position its name, and its thresholds to win and to draw.
pub struct CompactClaim {
    win: ShareBounds,
    draw: ShareBounds,
    positions: Vec<(String, [ClaimedShare; 2])>,
}

impl From<MoneyClaim> for CompactClaim {
    fn from(MoneyClaim { win, draw, positions }: MoneyClaim) -> CompactClaim {
        let value = |MoneyValue { position, win, draw }| (position, [win, draw].map(ClaimedShare::new));
        let mut positions: Vec<_> = positions.into_iter().map(value).collect();
        positions.shrink_to_fit();
        CompactClaim { win, draw, positions }
    }
}

impl Held for CompactClaim {
    fn held(&self) -> u64 {
        /// The allocator's overhead for a name.
        const NAME: usize = 16;
        let bytes = |value: &(String, [ClaimedShare; 2])| {
            let long: u64 = value.1.iter().map(ClaimedShare::heap_bytes).sum();
            (size_of_val(value) + value.0.len() + NAME) as u64 + long
        };
        self.positions.iter().map(bytes).sum()
    }
}

impl ProvableClaim for MoneyClaim {
    type Objective = WinLose;
    type Compact = CompactClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::money(mechanism).map(drop)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.what = "the win and draw thresholds";
        let is_exact = |value: &&MoneyValue| value.win.as_exact().is_some() && value.draw.as_exact().is_some();
        self.positions.iter().filter(is_exact).count()
    }

    fn prove(
        CompactClaim { win, draw, mut positions }: CompactClaim,
        unfolding: &dyn Unfolding,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        let names = positions.iter_mut().zip(0u32..).map(|((name, _), at)| (std::mem::take(name), at));
        let indices = by_node(unfolding, names)?;
        let of = |node: u32| &positions[indices[node as usize] as usize].1;
        let arena = unfolding.arena();
        let [of_win, of_draw] = of(arena.start());
        same("win", &win, &of_win.bounds())?;
        same("draw", &draw, &of_draw.bounds())?;
        let is_exact =
            positions.iter().all(|(_, both)| both.iter().all(|share| matches!(share, ClaimedShare::Exact(_))));
        let needed = [0, 1].map(|at| {
            let lows = arena.nodes().map(|node| of(node)[at].ends()[0]);
            verify::bytes_for_money(arena, lows, is_exact)
        });
        let needed = unfolding.bytes() + size_of_val(&indices[..]) as u64 + needed.into_iter().max().unwrap_or(0);
        if needed > effort.memory_left() {
            let error = richman_core::Error::TooMuchMemory { what: "the proof", needed, limit: effort.memory_left() };
            return Err(SavingFault::TooMuchMemory(error));
        }
        let claimed = |node| of(node).each_ref().map(ClaimedShare::ends);
        verify::money_by_node(arena, mechanism, claimed, effort.watch).map_err(|flaw| named(unfolding, flaw))
    }
}
