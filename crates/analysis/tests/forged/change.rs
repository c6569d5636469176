//! Changes of a saved solution: of its numbers, what proves it, its positions, its mechanism.

use dashu_ratio::RBig;
use fastrand::Rng;
use richman_analysis::saved::mean_payoff::CreditsClaim;
use richman_analysis::saved::parity::{ParityClaims, ParityMoneyClaim};
use richman_analysis::saved::win::{ChipClaims, MoneyClaim, PurseClaims};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_core::{ByPlayer, Right, Share, ShareBounds, Stage, Threshold};

use super::PAYMENTS;

/// The shares that are claimed, with those at the start.
fn shares(claim: &mut SolutionClaim) -> Vec<&mut ShareBounds> {
    match claim {
        SolutionClaim::Money(MoneyClaim { positions, .. }) => {
            positions.iter_mut().flat_map(|value| [&mut value.win, &mut value.draw]).collect()
        }
        SolutionClaim::ParityMoney(ParityMoneyClaim { positions, .. }) => {
            positions.iter_mut().map(|value| &mut value.needs).collect()
        }
        SolutionClaim::PayoffShares(claim) => claim.positions.iter_mut().map(|value| &mut value.needs).collect(),
        _ => Vec::new(),
    }
}

/// The whole numbers that are claimed.
fn numbers(claim: &mut SolutionClaim) -> Vec<&mut u32> {
    match claim {
        SolutionClaim::Chips(ChipClaims { totals }) => {
            let stages = totals.iter_mut().flat_map(|claim| &mut claim.positions);
            let stages = stages.flat_map(|value| {
                value.wins.iter_mut().chain(value.guards.iter_mut().flat_map(ByPlayer::iter_mut)).flatten()
            });
            stages
                .flat_map(|stage: &mut Stage| {
                    let Stage { within, threshold: Threshold { plain, star } } = stage;
                    [within, plain, star]
                })
                .collect()
        }
        SolutionClaim::Parity(ParityClaims { totals }) => {
            let values = totals.iter_mut().flat_map(|claim| &mut claim.positions);
            values.flat_map(|value| [&mut value.needs.plain, &mut value.needs.star]).collect()
        }
        SolutionClaim::ChipAverages(claim) => claim.positions.iter_mut().flat_map(|value| &mut value.ranks).collect(),
        SolutionClaim::Credits(claim) => {
            claim.positions.iter_mut().flat_map(|value| &mut value.average.ranks).collect()
        }
        SolutionClaim::Rules(claim) => {
            claim.positions.iter_mut().flat_map(|value| [&mut value.alice, &mut value.bob]).collect()
        }
        _ => Vec::new(),
    }
}

/// The averages that are claimed.
fn wanted(claim: &mut SolutionClaim) -> Vec<&mut RBig> {
    match claim {
        SolutionClaim::MeanPayoff(claim) => vec![&mut claim.average.low, &mut claim.average.high],
        SolutionClaim::PayoffShares(claim) => vec![&mut claim.least],
        SolutionClaim::ChipAverages(claim) => claim.averages.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Makes what is claimed of the start agree with its entry, which is the first.
fn mend_head(claim: &mut SolutionClaim, start: &str) {
    match claim {
        SolutionClaim::Money(MoneyClaim { win, draw, positions }) => {
            if let Some(value) = positions.iter().find(|value| value.position == start) {
                (*win, *draw) = (value.win.clone(), value.draw.clone());
            }
        }
        SolutionClaim::ParityMoney(ParityMoneyClaim { needs, positions }) => {
            positions.iter().filter(|value| value.position == start).for_each(|value| *needs = value.needs.clone());
        }
        SolutionClaim::PayoffShares(claim) => {
            let start = claim.positions.iter().find(|value| value.position == start);
            start.into_iter().for_each(|value| claim.needs = value.needs.clone());
        }
        SolutionClaim::Parity(ParityClaims { totals }) => {
            for claim in totals {
                let start = claim.positions.iter().find(|value| value.position == start);
                start.into_iter().for_each(|value| claim.needs = value.needs);
            }
        }
        _ => {}
    }
}

/// A share near another: an end, a little more or less, or another that is claimed.
fn near(rng: &mut Rng, share: &Share, others: &[ShareBounds]) -> Share {
    let end = [Share::ZERO, Share::ONE][rng.usize(..2)].clone();
    match rng.u32(..5) {
        0 | 1 => end,
        2 => (0..rng.u32(1..=12)).fold(end, |near, _| Share::mean(&near, share)),
        _ => rng.choice(others).unwrap().low.clone(),
    }
}

fn forge_shares(claim: &mut SolutionClaim, rng: &mut Rng) {
    let all: Vec<ShareBounds> = shares(claim).into_iter().map(|bounds| bounds.clone()).collect();
    let old = rng.choice(&all).unwrap().clone();
    let [low, high] = [&old.low, &old.high].map(|share| near(rng, share, &all));
    let new = match rng.u32(..4) {
        0 | 1 => ShareBounds::exact(low),
        2 if low <= old.high => ShareBounds { low, high: old.high.clone() },
        3 if old.low <= high => ShareBounds { low: old.low.clone(), high },
        _ => ShareBounds { low: Share::ZERO, high: Share::ONE },
    };
    let everywhere = rng.bool();
    let mut found: Vec<&mut ShareBounds> = shares(claim).into_iter().filter(|bounds| **bounds == old).collect();
    let first = rng.usize(..found.len());
    found.iter_mut().enumerate().filter(|(at, _)| everywhere || *at == first).for_each(|(_, bounds)| {
        **bounds = new.clone();
    });
}

fn forge_numbers(claim: &mut SolutionClaim, rng: &mut Rng) {
    let all: Vec<u32> = numbers(claim).into_iter().map(|number| *number).collect();
    let old = *rng.choice(&all).unwrap();
    let new = match rng.u32(..4) {
        0 => 0,
        1 => old.saturating_add(1),
        2 => old.saturating_sub(1),
        _ => *rng.choice(&all).unwrap(),
    };
    let everywhere = rng.bool();
    let first = rng.usize(..all.len());
    let found =
        numbers(claim).into_iter().enumerate().filter(|(at, number)| everywhere && **number == old || *at == first);
    found.for_each(|(_, number)| *number = new);
}

fn forge_averages(claim: &mut SolutionClaim, rng: &mut Rng) {
    let mut all = wanted(claim);
    let other = (**rng.choice(&all).unwrap()).clone();
    let at = rng.usize(..all.len());
    let step = RBig::from_parts(1.into(), [1u32, 2, 12, 1 << 20][rng.usize(..4)].into());
    *all[at] = match rng.u32(..5) {
        0 => RBig::ZERO,
        1 => RBig::ONE,
        2 => &*all[at] + step,
        3 => &*all[at] - step,
        _ => other,
    };
}

/// Exchanges what proves the claim at two positions, or of both players, or drops it.
fn exchange(claim: &mut SolutionClaim, rng: &mut Rng) -> bool {
    macro_rules! at_two {
        ($positions:expr, $part:ident) => {{
            let positions = $positions;
            let (one, two) = (rng.usize(..positions.len()), rng.usize(..positions.len()));
            if rng.bool() {
                let old = (positions[one].$part.clone(), positions[two].$part.clone());
                (positions[two].$part, positions[one].$part) = old;
            } else {
                positions[one].$part = std::mem::take(&mut positions[one].$part).swapped();
            }
            true
        }};
    }
    match claim {
        SolutionClaim::Parity(ParityClaims { totals }) => at_two!(&mut totals[0].positions, plans),
        SolutionClaim::ParityMoney(ParityMoneyClaim { positions, .. }) => at_two!(positions, moves),
        SolutionClaim::PayoffShares(claim) => {
            let positions = &mut claim.positions;
            match rng.u32(..3) {
                0 => positions.iter_mut().for_each(|value| value.potentials = ByPlayer::both(RBig::ZERO)),
                1 => positions.iter_mut().for_each(|value| value.potentials.bob = value.potentials.alice.clone()),
                _ => positions.iter_mut().for_each(|value| value.potentials.alice = value.potentials.bob.clone()),
            }
            true
        }
        SolutionClaim::MeanPayoff(claim) => {
            let (one, two) = (rng.usize(..claim.positions.len()), rng.usize(..claim.positions.len()));
            let old = (claim.positions[one].numerator.clone(), claim.positions[two].numerator.clone());
            (claim.positions[two].numerator, claim.positions[one].numerator) = old;
            true
        }
        SolutionClaim::ChipAverages(claim) => at_two!(&mut claim.positions, potentials),
        SolutionClaim::Credits(claim) => {
            let (one, two) = (rng.usize(..claim.positions.len()), rng.usize(..claim.positions.len()));
            let stages = std::mem::take(&mut claim.positions[one].stages);
            claim.positions[one].stages = std::mem::replace(&mut claim.positions[two].stages, stages);
            true
        }
        SolutionClaim::Chips(ChipClaims { totals }) => at_two!(&mut totals[0].positions, wins),
        SolutionClaim::Purses(PurseClaims { ranges }) => at_two!(&mut ranges[0].positions, wins),
        _ => false,
    }
}

fn drop_position(claim: &mut SolutionClaim, rng: &mut Rng) {
    macro_rules! remove {
        ($positions:expr) => {{
            let positions = $positions;
            drop(positions.swap_remove(rng.usize(..positions.len())))
        }};
    }
    match claim {
        SolutionClaim::Money(MoneyClaim { positions, .. }) => remove!(positions),
        SolutionClaim::Chips(ChipClaims { totals }) => remove!(&mut totals[0].positions),
        SolutionClaim::Rules(claim) => remove!(&mut claim.positions),
        SolutionClaim::Purses(PurseClaims { ranges }) => remove!(&mut ranges[0].positions),
        SolutionClaim::Parity(ParityClaims { totals }) => remove!(&mut totals[0].positions),
        SolutionClaim::ParityMoney(ParityMoneyClaim { positions, .. }) => remove!(positions),
        SolutionClaim::MeanPayoff(claim) => remove!(&mut claim.positions),
        SolutionClaim::PayoffShares(claim) => remove!(&mut claim.positions),
        SolutionClaim::ChipAverages(claim) => remove!(&mut claim.positions),
        SolutionClaim::Credits(claim) => remove!(&mut claim.positions),
    }
}

/// Another least credit, near the old one or none, for one holding or for all that have it.
fn forge_credits(claim: &mut CreditsClaim, rng: &mut Rng) {
    let all: Vec<Option<i64>> = claim.positions.iter().flat_map(|value| value.credits.clone()).collect();
    let first = rng.usize(..all.len());
    let (old, everywhere) = (all[first], rng.bool());
    let new = match rng.u32(..5) {
        0 => None,
        1 => Some(0),
        2 => old.map(|credit| credit - 1).or(Some(1)),
        3 => old.map(|credit| credit + 1).or(Some(1 << 40)),
        _ => *rng.choice(&all).unwrap(),
    };
    let credits = claim.positions.iter_mut().flat_map(|value| &mut value.credits).enumerate();
    let chosen = credits.filter(|(at, credit)| *at == first || everywhere && **credit == old);
    chosen.for_each(|(_, credit)| *credit = new);
}

/// A change of the solution, and its name.
pub fn forged(saved: &SavedSolution, rng: &mut Rng) -> (&'static str, SavedSolution) {
    let mut forged = saved.clone();
    let claim = &mut forged.claim;
    let has = [!shares(claim).is_empty(), !numbers(claim).is_empty(), !wanted(claim).is_empty()];
    if let (SolutionClaim::Credits(claim), true) = (&mut *claim, rng.u32(..3) > 0) {
        forge_credits(claim, rng);
        return ("a credit", forged);
    }
    let change = match rng.u32(..16) {
        0..8 if has[0] => {
            forge_shares(claim, rng);
            // What proves that the average is no less may prove that it is no more.
            if let (SolutionClaim::PayoffShares(claim), true) = (claim, rng.bool()) {
                claim.positions.iter_mut().for_each(|value| value.potentials.bob = value.potentials.alice.clone());
            }
            "a share"
        }
        0..8 if has[1] => {
            forge_numbers(claim, rng);
            "a number"
        }
        4..12 if has[2] => {
            forge_averages(claim, rng);
            "an average"
        }
        12 => {
            drop_position(claim, rng);
            "a position less"
        }
        13 if matches!(
            claim,
            SolutionClaim::Money(_) | SolutionClaim::PayoffShares(_) | SolutionClaim::MeanPayoff(_)
        ) =>
        {
            forged.mechanism.payment = rng.choice(&PAYMENTS).unwrap().parse().unwrap();
            "another payment"
        }
        14 => {
            forged.mechanism.right = if forged.mechanism.right == Right::Moves { Right::Chooses } else { Right::Moves };
            "the other right"
        }
        _ if exchange(claim, rng) => "a proof exchanged",
        _ if has[0] => {
            forge_shares(claim, rng);
            "a share"
        }
        _ => {
            forge_numbers(claim, rng);
            "a number"
        }
    };
    mend_head(&mut forged.claim, &forged.position);
    (change, forged)
}
