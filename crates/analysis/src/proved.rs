//! A saved solution as something to play by, after it was proved.

use richman_core::{Effort, Playable, Total};
use richman_solvers::registry;

use crate::kinds::ProvableClaim;
use crate::saved::{SavedSolution, SavingFault};
use crate::{Error, Insight, Scope};

impl Insight {
    /// What a saved solution says about a game that need not end, proved for the game, position and
    /// total of `scope`.
    ///
    /// # Errors
    /// [`Error::NotPlayedBy`] if the solution has another mechanism, no such total, or is not one
    /// to play by; [`Error::Unproved`] if it is wrong for this game. Fails as
    /// [`Subject::unfold_for`](crate::Subject::unfold_for) does.
    pub fn proved(scope: &Scope, saved: SavedSolution, effort: &Effort) -> Result<Insight, Error> {
        if saved.mechanism != *scope.mechanism {
            return Err(Error::not_played_by("it is about another mechanism"));
        }
        let effort = Effort { held: effort.held + saved.claim.bytes(), ..*effort };
        saved.claim.insight(scope, &effort)
    }
}

/// Proves the claim for one total that is picked from a saved one.
pub(crate) fn of_total<C: ProvableClaim, T>(
    scope: &Scope,
    effort: &Effort,
    picked: Option<T>,
    prove: impl FnOnce(Box<dyn richman_core::Unfolding<C::Objective>>, T) -> Result<Insight, SavingFault>,
) -> Result<Insight, Error> {
    if scope.subject.aim() != C::Objective::AIM {
        return Err(Error::not_played_by("it is about a game of another kind"));
    }
    registry::parity_chips(scope.mechanism)?;
    let total: Total = scope.total;
    let claim = picked.ok_or_else(|| Error::not_played_by(&format!("it is not about {} chips", total.chips())))?;
    let unfolding = scope.subject.unfold_for::<C::Objective>(scope.position, effort)?;
    prove(unfolding, claim).map_err(SavingFault::unproved)
}
