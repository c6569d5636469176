//! A saved solution as something to play by, after it was proved.

use richman_core::{Aim, Effort, MeanPayoff, Parity};
use richman_formats::{SavedSolution, SolutionClaim};
use richman_solvers::registry;

use crate::saved::SavingFault;
use crate::{Error, Insight, Scope, mean_payoff, parity};

impl Insight {
    /// What a saved solution says about a game that need not end, proved for the game, position and
    /// total of `scope`.
    ///
    /// # Errors
    /// [`Error::NotPlayedBy`] if the solution has another mechanism, no such total, or is not one
    /// to play by; [`Error::Unproved`] if it is wrong for this game. Fails as
    /// [`Subject::unfold_for`](crate::Subject::unfold_for) does.
    pub fn proved(scope: &Scope, saved: SavedSolution, effort: &Effort) -> Result<Insight, Error> {
        let (mechanism, total) = (scope.mechanism, scope.total);
        let other = |reason: &str| Error::NotPlayedBy { reason: reason.to_string() };
        if saved.mechanism != *mechanism {
            return Err(other("it is about another mechanism"));
        }
        let effort = Effort { held: effort.held + saved.claim.bytes(), ..*effort };
        let no_total = || other(&format!("it is not about {} chips", total.chips()));
        match (saved.claim, scope.subject.aim()) {
            (SolutionClaim::Parity { totals }, Aim::Parity) => {
                registry::parity_chips(mechanism)?;
                let claim = totals.into_iter().find(|claim| claim.total == total).ok_or_else(no_total)?;
                let unfolding = scope.subject.unfold_for::<Parity>(scope.position, &effort)?;
                let found = parity::check(unfolding.as_ref(), mechanism, claim, effort.watch);
                let (solution, plans) = found.map_err(SavingFault::unproved)?;
                Ok(Insight::Parity(unfolding, solution, plans))
            }
            (SolutionClaim::ChipAverages(claim), Aim::MeanPayoff) => {
                registry::parity_chips(mechanism)?;
                let claim = Some(claim).filter(|claim| claim.total == total).ok_or_else(no_total)?;
                let unfolding = scope.subject.unfold_for::<MeanPayoff>(scope.position, &effort)?;
                let found = mean_payoff::check_chips(unfolding.as_ref(), mechanism, claim, effort.watch);
                let solution = found.map_err(SavingFault::unproved)?;
                Ok(Insight::Averages(unfolding, solution))
            }
            _ => Err(other("only solutions with chips of games that need not end are played by, and of the same kind")),
        }
    }
}
