//! Proofs for chips where both purses matter, because money goes to the bank or more chips can
//! hurt.

use std::ops::RangeInclusive;

use richman_core::{
    Arena, Goal, Mechanism, Node, Payment, Player, PurseCell, PurseSide, PurseSolution, PurseStage, Purses, Total,
    Watch,
};

use super::stages::{LeastChips, NEVER, StageProof, disorder};
use super::{Flaw, prove_sides};

/// Proves a solution for every purse of a range.
///
/// # Errors
/// The first [`Flaw`].
pub fn purses(arena: &Arena, solution: &PurseSolution, watch: &dyn Watch) -> Result<(), Flaw> {
    if !solution.fits(arena) {
        let claimed = solution.wins.alice.len().min(solution.wins.bob.len());
        return Err(Flaw::Size { claimed, actual: arena.len() });
    }
    let (mechanism, purses) = (&solution.mechanism, solution.purses);
    provable(mechanism, purses)?;
    let has_star = mechanism.has_star();
    let prove = |player: Player, goal, side: &PurseSide| {
        if side.has_star() != has_star || side.most_other() != purses.most(player.other()) {
            return Err(Flaw::Unprovable("its cells do not match its purses"));
        }
        let needs = PurseCells { side, purses, player };
        StageProof { arena, mechanism, player, goal, needs }.check(watch)
    };
    prove_sides(mechanism, &solution.wins, solution.guards.as_ref(), prove)
}

/// Checks that play stays among the purses, somebody can always bid, and one number describes all
/// purses of a cell.
fn provable(mechanism: &Mechanism, purses: Purses) -> Result<(), Flaw> {
    let total = match purses {
        Purses::UpTo { alice, bob } => alice.saturating_add(bob),
        Purses::Together(total) | Purses::Exactly(total) => total,
    };
    if Total::new(total).is_err() {
        return Err(Flaw::Unprovable("purses with too many chips"));
    }
    let stays = match purses {
        Purses::UpTo { .. } => mechanism.payment == Payment::Poorman,
        Purses::Together(_) => true,
        Purses::Exactly(_) => mechanism.payment == Payment::Richman,
    };
    if !stays {
        return Err(Flaw::Unprovable("payments lead to purses outside the claim"));
    }
    let least = u64::from(mechanism.bids.least());
    if least > 0 && !matches!(purses, Purses::Exactly(_)) {
        return Err(Flaw::Unprovable("more chips can hurt where 0 is not among the bids"));
    }
    if u64::from(total) + 2 <= 2 * least {
        return Err(Flaw::Unprovable("there may be nobody who can bid"));
    }
    Ok(())
}

/// A cell for each purse of the other player, first without the star, then with it if there is one.
struct PurseCells<'a> {
    side: &'a PurseSide,
    purses: Purses,
    player: Player,
}

impl PurseCells<'_> {
    fn columns(&self) -> usize {
        self.side.most_other() as usize + 1
    }

    fn stages(&self, node: Node, cell: usize) -> &[PurseStage] {
        let (star, other) = (cell >= self.columns(), (cell % self.columns()) as u32);
        self.side.stages(PurseCell { node, star, other })
    }
}

impl LeastChips for PurseCells<'_> {
    fn cells(&self) -> usize {
        self.columns() * if self.side.has_star() { 2 } else { 1 }
    }

    fn cell(&self, star: bool, other: u32) -> usize {
        if star && self.side.has_star() { self.columns() + other as usize } else { other as usize }
    }

    fn has_star(&self, cell: usize) -> bool {
        cell >= self.columns()
    }

    fn purses(&self, cell: usize) -> RangeInclusive<u32> {
        self.purses.against(self.player, self.other(cell, 0))
    }

    fn other(&self, cell: usize, _: u32) -> u32 {
        (cell % self.columns()) as u32
    }

    fn is_empty(&self) -> bool {
        self.side.stage_count() == 0
    }

    fn is_only(&self, node: Node, need: Option<u32>) -> bool {
        let only = need.map(|least| PurseStage { within: 0, least });
        (0..self.cells()).all(|cell| self.stages(node, cell) == only.as_slice())
    }

    fn flaw(&self, node: Node, goal: Goal) -> Option<&'static str> {
        let in_order = |cell: usize| {
            let mut before = if goal == Goal::Win { NEVER } else { *self.purses(cell).start() };
            let mut moves = None;
            self.stages(node, cell).iter().all(|&PurseStage { within, least }| {
                let changes = if goal == Goal::Win { least < before } else { least > before };
                let ascends = moves < Some(within);
                (moves, before) = (Some(within), least);
                changes && ascends
            })
        };
        (!(0..self.cells()).all(in_order)).then_some(disorder(goal))
    }

    fn times(&self, node: Node) -> impl Iterator<Item = u32> {
        self.side.cells(node).flat_map(|cell| self.side.stages(cell)).map(|stage| stage.within)
    }

    fn last(&self, node: Node, cell: usize, within: u32) -> Option<u32> {
        let stages = self.stages(node, cell);
        let known = stages.partition_point(|stage| stage.within <= within);
        Some(stages[..known].last()?.least)
    }
}
