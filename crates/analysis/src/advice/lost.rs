//! A player who loses against best play: delays the loss, and stays as near to a draw as possible.

use std::cmp::Reverse;

use richman_core::{Holding, Move, Node, Rank, partition};

use super::{Adviser, Aim, HoldingsState};

/// The value of a position, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Prospect {
    /// Lost after at least `after` moves; `missing` more chips would prevent it.
    Lost { after: u32, missing: Reverse<u32> },
    /// At least a draw.
    Held,
    /// Won in this many moves.
    Won(Reverse<Rank>),
}

/// The most moves for which `holds` is true; it is true for none, and false for very many.
pub(super) fn held_out(holds: impl Fn(u32) -> bool) -> u32 {
    let mut end = 1;
    while holds(end) {
        end = end.saturating_mul(2);
    }
    partition(end, holds).max(1) - 1 // nobody wins within 0 moves
}

impl Adviser<'_> {
    /// Where a loss can only be delayed, also minimizes the missing chips.
    pub(super) fn miss_least(&mut self) {
        let Aim::Delay { moves, .. } = self.aim else { return };
        if !self.solution.mechanism().is_ordered_by_chips() {
            return;
        }
        let (mut too_few, mut enough) = (0, self.own.chips() + self.other.chips() + 1);
        while too_few + 1 < enough {
            let missing = too_few + (enough - too_few) / 2;
            self.aim = Aim::Delay { moves, missing };
            *(if self.is_content() { &mut enough } else { &mut too_few }) = missing;
        }
        self.aim = Aim::Delay { moves, missing: enough };
    }

    /// Whether the player would not lose if the other player had `missing` chips fewer; the player
    /// then has them, unless chips go to the bank. True if the other player has fewer than that.
    pub(super) fn is_enough(&self, missing: u32, to: Node, (own, other, star): HoldingsState) -> bool {
        let Some(other) = other.checked_sub(missing) else { return true };
        let own = if self.solution.mechanism().has_bank() { own } else { own + missing };
        let holdings = self.holdings((own, other, star));
        holdings.is_none_or(|[own, other]| self.solution.holds_for(self.left, self.player, to, own, other))
    }

    /// The moves with the greatest value in the worst of these states.
    pub(super) fn hardest<'m>(&self, moves: Vec<&'m Move>, states: &[HoldingsState]) -> Vec<&'m Move> {
        let worst = |step: &Move| states.iter().filter_map(|&state| self.prospect(step.to, state)).min();
        let worths: Vec<Option<Prospect>> = moves.iter().map(|step| worst(step)).collect();
        let best = worths.iter().max().copied().flatten();
        moves.into_iter().zip(worths).filter(|(_, worth)| *worth == best).map(|(step, _)| step).collect()
    }

    fn prospect(&self, to: Node, state: HoldingsState) -> Option<Prospect> {
        let [own, other]: [Holding; 2] = self.holdings(state)?;
        if let Some(rank) = self.solution.wins_in(self.player, to, own, other).filter(|rank| *rank <= self.left) {
            return Some(Prospect::Won(Reverse(rank)));
        }
        let holds = |moves: u32| self.solution.holds_for(moves.min(self.left), self.player, to, own, other);
        if holds(u32::MAX) {
            return Some(Prospect::Held);
        }
        let missing = match self.solution.mechanism().is_ordered_by_chips() {
            true => partition(other.chips() + 1, |missing| !self.is_enough(missing, to, state)),
            false => 0,
        };
        Some(Prospect::Lost { after: held_out(holds), missing: Reverse(missing) })
    }
}
