//! Proves what players need where both purses count.

use richman_check::verify;
use richman_core::{
    ByPlayer, Effort, Mechanism, Player, PurseCell, PurseSide, PurseSolution, StopReason, Terminal, Unfolding, WinLose,
};
use richman_solvers::registry;

use super::sides;
use crate::Error;
use crate::kinds::ProvableClaim;
use crate::kinds::win::claims::{CellStage, PurseClaim, PurseClaims};
use crate::saved::{ProvedClaim, SavingFault, named};

impl ProvableClaim for PurseClaims {
    type Objective = WinLose;
    type Compact = PurseClaims;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(self.ranges.iter().try_for_each(|claim| registry::purses(mechanism, claim.purses))?)
    }

    fn positions(&self) -> usize {
        self.ranges.iter().map(|claim| claim.positions.len()).min().unwrap_or(0)
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.what = "the thresholds for every number of moves";
        proved.purses = self.ranges.iter().map(|claim| claim.purses).collect();
        self.positions()
    }

    fn prove(
        claim: PurseClaims,
        unfolding: &dyn Unfolding,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        claim.ranges.into_iter().try_for_each(|claim| check_range(unfolding, mechanism, claim, effort))
    }
}

fn check_range(
    unfolding: &dyn Unfolding,
    mechanism: &Mechanism,
    claim: PurseClaim,
    effort: &Effort,
) -> Result<(), SavingFault> {
    let memory = effort.memory_left();
    let PurseClaim { purses, positions } = claim;
    let (wins, guards) = sides(unfolding, positions)?;
    let side = |player: Player, starts: Terminal, stages: Vec<Vec<CellStage>>| {
        let (has_star, most) = (mechanism.has_star(), purses.most(player.other()));
        let outside = |stage: &CellStage| stage.other > most || stage.star && !has_star;
        if let Some(at) = stages.iter().position(|stages| stages.iter().any(outside)) {
            let position = unfolding.notation(at as u32);
            return Err(SavingFault::Claim(format!(
                "position {position:?}: {player} is said to need chips outside the purses"
            )));
        }
        check_cells(unfolding, starts, (u64::from(most) + 1) * if has_star { 2 } else { 1 }, &stages, memory)?;
        let of_node = |(node, stages): (u32, Vec<CellStage>)| {
            let cell = move |CellStage { star, other, stage }| (PurseCell { node, star, other }, stage);
            stages.into_iter().map(cell)
        };
        let log: Vec<_> = (0..).zip(stages).flat_map(of_node).collect();
        Ok(PurseSide::from_log(unfolding.arena().len(), has_star, most, &log))
    };
    let (a, b) = (Player::Alice, Player::Bob);
    let solution = PurseSolution {
        mechanism: mechanism.clone(),
        purses,
        wins: ByPlayer::new(side(a, Terminal::Win(a), wins.alice)?, side(b, Terminal::Win(b), wins.bob)?),
        guards: match guards {
            Some(guards) => {
                Some(ByPlayer::new(side(a, Terminal::Win(b), guards.alice)?, side(b, Terminal::Win(a), guards.bob)?))
            }
            None => None,
        },
        stop: StopReason::Acyclic,
    };
    verify::purses(unfolding.arena(), &solution, effort.watch).map_err(|flaw| named(unfolding, flaw))
}

/// Numbers of purses from a file must not decide an allocation. Every cell of an end where the goal
/// is reached or lost has a stage, so there are no more cells than stages. Without such an end
/// there are no stages.
fn check_cells(
    unfolding: &dyn Unfolding,
    starts: Terminal,
    cells: u64,
    stages: &[Vec<CellStage>],
    memory: u64,
) -> Result<(), SavingFault> {
    let arena = unfolding.arena();
    let Some(claimed) = stages.iter().position(|stages| !stages.is_empty()) else { return Ok(()) };
    let wrong =
        |node: u32, what: String| Err(SavingFault::Claim(format!("position {:?}: {what}", unfolding.notation(node))));
    let Some(end) = arena.nodes().find(|&node| arena.terminal(node) == Some(starts)) else {
        return wrong(
            claimed as u32,
            "nothing can change here, because the game has no end where it begins to".to_string(),
        );
    };
    let found = stages[end as usize].len() as u64;
    if found != cells {
        return wrong(end, format!("the game has ended here, so there must be {cells} stages, but there are {found}"));
    }
    /// The first stage of a cell, and the number of stages placed.
    const PER_CELL: u64 = 2 * size_of::<u32>() as u64;
    let needed = (arena.len() as u64).saturating_mul(cells).saturating_mul(PER_CELL);
    if needed > memory {
        let what = "the cells of the saved solution";
        return Err(SavingFault::TooMuchMemory(richman_core::Error::TooMuchMemory { what, needed, limit: memory }));
    }
    Ok(())
}
