//! Proofs for chips with Richman payment and 0 among the bids, where one purse is enough.

use std::ops::RangeInclusive;

use richman_core::{Arena, ChipSide, ChipSolution, Goal, Node, Payment, Stage, Threshold, Total, Watch};

use super::stages::{LeastChips, NEVER, StageProof, disorder};
use super::{Flaw, prove_sides};

/// Proves a chip solution.
///
/// # Errors
/// The first [`Flaw`].
pub fn chips(arena: &Arena, solution: &ChipSolution, watch: &dyn Watch) -> Result<(), Flaw> {
    if !solution.fits(arena) {
        let claimed = solution.wins.alice.len().min(solution.wins.bob.len());
        return Err(Flaw::Size { claimed, actual: arena.len() });
    }
    let mechanism = &solution.mechanism;
    if mechanism.payment != Payment::Richman || !mechanism.is_ordered_by_chips() {
        return Err(Flaw::Unprovable("a total alone is enough only with payment richman and 0 among the bids"));
    }
    let prove = |player, goal, side: &ChipSide| {
        let needs = ClaimedThresholds { side, total: solution.total, has_star: mechanism.has_star() };
        StageProof { arena, mechanism, player, goal, needs }.check(watch)
    };
    prove_sides(mechanism, &solution.wins, solution.guards.as_ref(), prove)
}

/// One cell without the star and one with it, or one if there is no star.
struct ClaimedThresholds<'a> {
    side: &'a ChipSide,
    total: Total,
    has_star: bool,
}

impl LeastChips for ClaimedThresholds<'_> {
    fn cells(&self) -> usize {
        if self.has_star { 2 } else { 1 }
    }

    fn cell(&self, star: bool, _: u32) -> usize {
        usize::from(star && self.has_star)
    }

    fn has_star(&self, cell: usize) -> bool {
        cell == 1
    }

    fn purses(&self, _: usize) -> RangeInclusive<u32> {
        0..=self.total.chips()
    }

    fn other(&self, _: usize, own: u32) -> u32 {
        self.total.chips() - own
    }

    fn is_empty(&self) -> bool {
        self.side.stage_count() == 0
    }

    fn is_only(&self, node: Node, need: Option<u32>) -> bool {
        let threshold = |need| {
            if need == NEVER { Threshold::unreachable(self.total) } else { Threshold { plain: need, star: need } }
        };
        let only = need.map(|need| Stage { within: 0, threshold: threshold(need) });
        self.side.stages(node) == only.as_slice()
    }

    fn flaw(&self, node: Node, goal: Goal) -> Option<&'static str> {
        let most = self.total.chips() + 1;
        let mut before = if goal == Goal::Win { Threshold::unreachable(self.total) } else { Threshold::NOTHING };
        let mut moves = None;
        for &Stage { within, threshold } in self.side.stages(node) {
            let Threshold { plain, star } = threshold;
            if plain.max(star) > most {
                return Some("no holding has that many chips");
            }
            if !self.has_star && plain != star {
                return Some("the star makes a difference where there is none");
            }
            let [(low, high), (low_star, high_star)] = match goal {
                Goal::Win => [(plain, before.plain), (star, before.star)],
                Goal::Draw => [(before.plain, plain), (before.star, star)],
            };
            if moves >= Some(within) || low > high || low_star > high_star || threshold == before {
                return Some(disorder(goal));
            }
            (moves, before) = (Some(within), threshold);
        }
        None
    }

    fn times(&self, node: Node) -> impl Iterator<Item = u32> {
        self.side.stages(node).iter().map(|stage| stage.within)
    }

    fn last(&self, node: Node, cell: usize, within: u32) -> Option<u32> {
        let stages = self.side.stages(node);
        let known = stages.partition_point(|stage| stage.within <= within);
        let Threshold { plain, star } = stages[..known].last()?.threshold;
        let need = if cell == 1 { star } else { plain };
        Some(if need > self.total.chips() { NEVER } else { need })
    }
}
