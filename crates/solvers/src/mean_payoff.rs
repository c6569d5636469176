//! Mean payoff: the long-run average with real money ([`money`]) and with chips ([`chips`]); the
//! share that Alice needs for a given average ([`at_least`]); and least credits with chips
//! ([`energy`]).
//!
//! **Method with chips.** A configuration is a position with both holdings. Strategy improvement
//! runs on all of them. A strategy of the player who names the bid first and the best replies to it
//! have an average and a potential. The strategy is changed wherever another choice is worth more,
//! until none is. Of all higher replies to a bid only the worst one counts. If there are many
//! configurations, small totals are solved first. If one of them has a single average, all greater
//! totals have it too, with potentials that prove it (theorem 30 (more chips for the other player)
//! of `docs/design.md`).
//!
//! **Accepts** every arena, and every mechanism with Richman payment and 0 among the bids in which
//! play is determined. **Stops** because an average or a potential rises with every improvement.
//! **Result:** exact. **Time:** 10 to 100 strategies, each with about 20 replies that are evaluated
//! once for each configuration. **Memory:** about 200 bytes for each configuration. **Checked by**
//! the verifier, in one pass, and by `richman_check::payoff_judge`, which writes all holdings out.

mod credits;
mod energy;
mod extended;
mod policies;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_core::{
    Bidding, ByPlayer, ChipPayoffs, Configurations, Effort, Error, MeanPayoffArena, Mechanism, Ties, Total,
};

use crate::registry;
use policies::{Improvement, Worth};

pub use crate::money::at_least::at_least;
pub use crate::money::mean_payoff::money;
pub use energy::energy;

/// Totals to try first.
const FEW: [u32; 2] = [1, 3];

/// With more configurations than this, try small totals first.
const SMALL: u64 = 4_000;

/// Bytes of the ranks and potentials of a result.
fn result_bytes(configurations: u64) -> u64 {
    configurations.saturating_mul((size_of::<u32>() + 2 * size_of::<i128>()) as u64)
}

/// Finds the long-run average for every position and holding.
///
/// ```
/// use richman_core::{Effort, Holding, Mechanism, MeanPayoffArenaBuilder, PositionKind, Total};
/// use richman_solvers::mean_payoff;
///
/// // A path of three with loops at its ends; moves to the last position weigh 1.
/// let mut builder = MeanPayoffArenaBuilder::new();
/// for at in 0..3u32 {
///     let moves = [at.saturating_sub(1), (at + 1).min(2)].map(|to| (to, i64::from(to == 2)));
///     builder.labelled(&moves, &moves, PositionKind::Bid);
/// }
/// let arena = builder.build(0)?;
/// let solved = mean_payoff::chips(&arena, &Mechanism::default(), Total::new(2)?, &Effort::default())?;
/// let middle: Vec<String> =
///     (0..6).map(|half| solved.average(1, Holding::from_half_steps(half)).unwrap().to_string()).collect();
/// assert_eq!(middle, ["0", "1/4", "1/4", "1/4", "1/4", "1/2"]); // with real money 1/3
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served; [`Error::TooMuchMemory`];
/// [`Error::OutOfTime`]; [`Error::Cancelled`].
pub fn chips(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ChipPayoffs, Error> {
    registry::parity_chips(mechanism)?;
    let count = arena.len() as u64 * Configurations::new(mechanism, total).per_position() as u64;
    effort.check_memory("solving the mean-payoff game", result_bytes(count))?;
    let sealed = Mechanism { bidding: Bidding::Sealed, ..mechanism.clone() };
    if count > SMALL && sealed.is_determined() {
        for few in FEW.into_iter().filter(|few| *few < total.chips()) {
            let few = improved(arena, mechanism, Total::new(few)?, effort)?;
            effort.check_cancelled()?;
            if let Some(solved) = extended::with(arena, &few, total) {
                return Ok(solved);
            }
        }
    }
    improved(arena, mechanism, total, effort)
}

/// The averages by strategy improvement.
fn improved(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ChipPayoffs, Error> {
    let count = arena.len() as u64 * Configurations::new(mechanism, total).per_position() as u64;
    let bytes = count.saturating_mul(Improvement::BYTES).saturating_add(result_bytes(count));
    effort.check_memory("solving the mean-payoff game", bytes.saturating_add(arena.bytes()))?;
    if count >= u64::from(u32::MAX) {
        return Err(Error::unsupported(format!("{count} configurations"), "fewer than 2^32: fewer chips or positions"));
    }
    if mechanism.bidding != Bidding::BobFirst {
        let mut improvement = Improvement::new(arena, mechanism, total, effort);
        improvement.run()?;
        return Ok(solution(mechanism, total, improvement, |at| at, 1));
    }
    let (mirror, turned) = (arena.mirror(), mirrored(mechanism));
    let mut improvement = Improvement::new(&mirror, &turned, total, effort);
    improvement.run()?;
    let per_position = Configurations::new(mechanism, total).per_position();
    Ok(solution(mechanism, total, improvement, |at| exchanged(at, per_position), -1))
}

/// The number of a configuration after the players are exchanged: Bob's holdings are Alice's in
/// the opposite order.
fn exchanged(at: usize, per_position: usize) -> usize {
    at / per_position * per_position + (per_position - 1 - at % per_position)
}

/// The mechanism with the players exchanged.
fn mirrored(mechanism: &Mechanism) -> Mechanism {
    let ties = match mechanism.ties {
        Ties::Alice => Ties::Bob,
        Ties::Bob => Ties::Alice,
        ties => ties,
    };
    let bidding = match mechanism.bidding {
        Bidding::Sealed => Bidding::Sealed,
        Bidding::AliceFirst => Bidding::BobFirst,
        Bidding::BobFirst => Bidding::AliceFirst,
    };
    Mechanism { ties, bidding, ..mechanism.clone() }
}

/// The averages, with potentials that do not fall as Alice's chips rise: a player with more can
/// do what one with fewer can.
fn solution(
    mechanism: &Mechanism,
    total: Total,
    found: Improvement,
    index: impl Fn(usize) -> usize,
    sign: i64,
) -> ChipPayoffs {
    let ranks_count = found.averages.len() as u32;
    let averages = found
        .averages
        .iter()
        .map(|one| RBig::from_parts(IBig::from(sign * one.numerator), UBig::from(one.denominator.unsigned_abs())));
    let mut averages: Vec<RBig> = averages.collect();
    if sign < 0 {
        averages.reverse();
    }
    let count = found.worth.len();
    let worth = |at: usize| {
        let Worth { rank, potential } = found.worth[index(at)];
        match sign < 0 {
            true => Worth { rank: ranks_count - 1 - rank, potential: -potential },
            false => Worth { rank, potential },
        }
    };
    let ranks: Vec<u32> = (0..count).map(|at| worth(at).rank).collect();
    let mut potentials = ByPlayer::from_fn(|_| (0..count).map(|at| worth(at).potential).collect::<Vec<i128>>());
    let run = total.chips() as usize + 1;
    if mechanism.ties == Ties::Advantage {
        // A player with the star can do everything that one without it can.
        for plain in (0..count).filter(|at| (at / run).is_multiple_of(2)) {
            let star = plain + run;
            if ranks[plain] == ranks[star] {
                potentials.alice[star] = potentials.alice[star].max(potentials.alice[plain]);
                potentials.bob[plain] = potentials.bob[plain].min(potentials.bob[star]);
            }
        }
    }
    for start in (0..count).step_by(run) {
        for at in start + 1..start + run {
            if ranks[at] == ranks[at - 1] {
                potentials.alice[at] = potentials.alice[at].max(potentials.alice[at - 1]);
            }
        }
        for at in (start..start + run - 1).rev() {
            if ranks[at] == ranks[at + 1] {
                potentials.bob[at] = potentials.bob[at].min(potentials.bob[at + 1]);
            }
        }
    }
    ChipPayoffs { mechanism: mechanism.clone(), total, averages, ranks, potentials }
}
