//! Proves what is saved of a game that a player wins.

mod money;
mod purses;

use richman_check::verify;
use richman_core::{
    ByPlayer, ChipSide, ChipSolution, Effort, Mechanism, RuleSide, RuleSolution, StopReason, Unfolding, WinLose,
};
use richman_solvers::registry;

use super::claims::{ChipClaims, PeriodClaim, PositionClaim, RulesClaim};
use crate::Error;
use crate::kinds::ProvableClaim;
use crate::saved::{ProvedClaim, SavingFault, by_node, named, same};

/// The stages of every position, of Alice and of Bob.
type BothSides<S> = ByPlayer<Vec<Vec<S>>>;

/// Puts both players' needs to win and, if given, to draw in the order of nodes.
fn sides<S>(
    unfolding: &dyn Unfolding,
    claims: Vec<PositionClaim<S>>,
) -> Result<(BothSides<S>, Option<BothSides<S>>), SavingFault> {
    let values = claims.into_iter().map(|claim| (claim.position, (claim.wins, claim.guards)));
    let (wins, guards): (Vec<_>, Vec<_>) = by_node(unfolding, values)?.into_iter().unzip();
    let expected = guards.first().is_some_and(Option::is_some);
    if let Some(at) = guards.iter().position(|guards| guards.is_some() != expected) {
        let position = unfolding.notation(at as u32);
        return Err(SavingFault::Claim(format!(
            "position {position:?}: what the players need to draw must be said everywhere or nowhere"
        )));
    }
    let both = |pairs: Vec<ByPlayer<Vec<S>>>| -> BothSides<S> {
        let (alice, bob) = pairs.into_iter().map(|ByPlayer { alice, bob }| (alice, bob)).unzip();
        ByPlayer { alice, bob }
    };
    let guards: Option<Vec<ByPlayer<Vec<S>>>> = guards.into_iter().collect();
    Ok((both(wins), guards.map(both)))
}

impl ProvableClaim for ChipClaims {
    type Objective = WinLose;
    type Compact = ChipClaims;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::chips(mechanism)?)
    }

    fn positions(&self) -> usize {
        self.totals.iter().map(|claim| claim.positions.len()).min().unwrap_or(0)
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.what = "the thresholds for every number of moves";
        proved.totals = self.totals.iter().map(|claim| claim.total.chips()).collect();
        self.positions()
    }

    fn prove(
        claim: ChipClaims,
        unfolding: &dyn Unfolding,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        claim.totals.into_iter().try_for_each(|claim| {
            let (wins, guards) = sides(unfolding, claim.positions)?;
            let solution = ChipSolution {
                total: claim.total,
                mechanism: mechanism.clone(),
                wins: wins.map(|stages| ChipSide::new(&stages)),
                guards: guards.map(|guards| guards.map(|stages| ChipSide::new(&stages))),
                stop: StopReason::Acyclic,
            };
            verify::chips(unfolding.arena(), &solution, effort.watch).map_err(|flaw| named(unfolding, flaw))?;
            let thresholds = solution.thresholds(unfolding.arena().start());
            same("win", &claim.win, &thresholds.win)?;
            same("draw", &claim.draw, &thresholds.draw)
        })
    }
}

impl ProvableClaim for RulesClaim {
    type Objective = WinLose;
    type Compact = RulesClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::rules(mechanism)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.what = "the thresholds";
        proved.all_totals = true;
        self.positions.len()
    }

    fn prove(
        claim: RulesClaim,
        unfolding: &dyn Unfolding,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        let values =
            by_node(unfolding, claim.positions.into_iter().map(|value| (value.position, (value.alice, value.bob))))?;
        let (alice, bob): (Vec<u32>, Vec<u32>) = values.into_iter().unzip();
        let alice = RuleSide { rules: claim.alice, of: alice };
        let bob = RuleSide { rules: claim.bob, of: bob };
        let solution = RuleSolution { mechanism: mechanism.clone(), wins: ByPlayer { alice, bob } };
        verify::rules(unfolding.arena(), &solution, effort.watch).map_err(|flaw| named(unfolding, flaw))?;
        let start = unfolding.arena().start();
        for (what, claimed, rule) in
            [("win", claim.win, solution.win(start)), ("draw", claim.draw, solution.draw(start))]
        {
            if claimed != PeriodClaim::from(&rule) {
                let PeriodClaim { block, step, from } = claimed;
                return Err(SavingFault::Claim(format!(
                    "the {what} threshold is said to have block {block}, step {step} and from {from}, but the rule \
                     of the start itself is {rule}"
                )));
            }
        }
        Ok(())
    }
}
