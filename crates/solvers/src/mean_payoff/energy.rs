//! Least credits with chips: with them Alice never goes below 0 when every weight is added.

use dashu_ratio::RBig;
use richman_core::{ChipCredits, Effort, Error, MeanPayoffArena, Mechanism, Total};

use super::credits::{CreditSearch, NEVER};

/// Finds the least credit for every position and holding with which Alice can play forever without
/// going below 0, when the weight of every move is added to her credit.
///
/// **Method.** No credit suffices exactly where the average is below 0. Elsewhere credits rise from
/// 0 until one turn of the definition needs no more, all holdings of a position at a time.
/// **Result:** exact. **Time:** a position is evaluated again when the credit of a successor rises,
/// which can happen as often as the greatest credit. **Memory:** that of [`super::chips`], and 16
/// bytes for each configuration.
///
/// ```
/// use richman_core::{Effort, Holding, Mechanism, MeanPayoffArenaBuilder, PositionKind, Total};
/// use richman_solvers::mean_payoff;
///
/// // Alice gets 1 when she moves and loses 1 when Bob does.
/// let mut builder = MeanPayoffArenaBuilder::new();
/// builder.labelled(&[(0, 1)], &[(0, -1)], PositionKind::Bid);
/// let (arena, total) = (builder.build(0)?, Total::new(3)?);
/// let solved = mean_payoff::energy(&arena, &Mechanism::default(), total, &Effort::default())?;
/// let credits: Vec<_> = (0..8).map(|half| solved.credit(0, Holding::from_half_steps(half)).unwrap()).collect();
/// assert_eq!(credits, [4, 3, 3, 2, 2, 1, 1, 0]);
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served; [`Error::TooMuchMemory`];
/// [`Error::OutOfTime`]; [`Error::Cancelled`].
pub fn energy(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ChipCredits, Error> {
    let payoffs = super::chips(arena, mechanism, total, effort)?;
    let count = payoffs.ranks.len();
    let bytes = super::result_bytes(count as u64) + count as u64 * CreditSearch::BYTES + CreditSearch::bytes(arena);
    effort.check_memory("finding credits", bytes)?;
    let is_hopeless = |at: usize| payoffs.averages[payoffs.ranks[at] as usize] < RBig::ZERO;
    let mut search = CreditSearch {
        arena,
        mechanism,
        total,
        credits: (0..count).map(|at| if is_hopeless(at) { NEVER } else { 0 }).collect(),
        stages: vec![0; count],
    };
    search.run(effort)?;
    search.order_stages();
    let CreditSearch { credits, stages, .. } = search;
    let credits = credits.into_iter().map(|credit| (credit != NEVER).then_some(credit)).collect();
    Ok(ChipCredits { mechanism: mechanism.clone(), total, credits, stages, payoffs })
}
