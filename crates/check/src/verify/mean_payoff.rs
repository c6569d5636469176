//! Mean payoff with real money: potentials prove bounds on the average in one pass.
//!
//! **Why.** Let a coin decide who has the right to choose who moves. If at every position, under
//! best play, the expected weight plus change in potential is at least `low`, Alice can guarantee
//! any average below `low`; if it is at most `high`, Bob any above: theorem 28 (mean payoff with
//! real money) of `docs/design.md`.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{MeanPayoffArena, MeanPayoffSolution, Node, PayoffBounds, Player, Right, Share, Watch};

use super::{Flaw, at, watched};

/// Proves bounds on the long-run average. Only the mechanism's payment and right count.
///
/// # Errors
/// The first [`Flaw`].
pub fn mean_payoff(arena: &MeanPayoffArena, claim: &MeanPayoffSolution, watch: &dyn Watch) -> Result<(), Flaw> {
    let MeanPayoffSolution { mechanism, share, value, potentials, .. } = claim;
    let (claimed, actual) = (potentials.numerators.len(), arena.len());
    if claimed != actual {
        return Err(Flaw::Size { claimed, actual });
    }
    if potentials.denominator == UBig::ZERO {
        return Err(Flaw::Unprovable("the denominator of the potentials is 0"));
    }
    let coin = mechanism.payment.rate().coin(share);
    let potential = |node: Node| {
        let numerator = potentials.numerators[node as usize].clone();
        RBig::from_parts(numerator, potentials.denominator.clone())
    };
    for node in arena.nodes() {
        watched(watch, "equations", node, arena)?;
        let change = change(arena, node, (&coin, mechanism.right), potential)?;
        let PayoffBounds { low, high } = value;
        if change < *low || change > *high {
            let what = format!("the average is said to be from {low} to {high}, but a move here is worth {change}");
            return Err(at(node, what));
        }
    }
    Ok(())
}

/// The expected weight plus change in potential by one move of best play, if a coin decides who has
/// the right.
pub(super) fn change(
    arena: &MeanPayoffArena,
    node: Node,
    (coin, right): (&Share, Right),
    potential: impl Fn(Node) -> RBig,
) -> Result<RBig, Flaw> {
    let (more, less) = values(arena, node, right, &potential)?;
    Ok(more * coin.rational() + less * coin.complement().rational() - potential(node))
}

/// Weight plus potential after best play, if Alice has the right to choose who moves, and if Bob
/// has it.
pub(super) fn values(
    arena: &MeanPayoffArena,
    node: Node,
    right: Right,
    potential: impl Fn(Node) -> RBig,
) -> Result<(RBig, RBig), Flaw> {
    let after = |(to, weight): (Node, i64)| potential(to) + RBig::from(IBig::from(weight));
    let best = arena.labelled(node, Player::Alice).map(after).max();
    let worst = arena.labelled(node, Player::Bob).map(after).min();
    match (best, worst) {
        (Some(best), Some(worst)) if best < worst && right == Right::Moves => {
            Err(at(node, "the winner must move here and would rather not".to_string()))
        }
        (Some(best), Some(worst)) => Ok(if best >= worst { (best, worst) } else { (worst, best) }),
        (one, two) => match one.or(two) {
            Some(only) => Ok((only.clone(), only)),
            None => Err(Flaw::Unprovable("a position where nobody has a move")),
        },
    }
}
