//! Formulas for who wins that go beyond the paper, with proofs in docs/design.md.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use richman_catalog::tug_of_war::richman::NodeNeeds;
use richman_catalog::tug_of_war::{PathPosition, poorman};
use richman_core::{Player, Share};

/// Alice's thresholds with `total` chips in the game (docs/design.md, theorem 9 (chips, to the
/// other player)).
pub fn needs(position: PathPosition, total: u32) -> NodeNeeds {
    let (length, at, sum) = (u64::from(position.length()), u64::from(position.at()), u64::from(total) + 1);
    // N integers q or q + 1, the larger ones last.
    let (least, larger) = (sum / length, sum % length);
    let win = at * least + (at + larger).saturating_sub(length);
    // From the last one down: shift + top, shift + top - 1, ..., where one number may occur twice,
    // until they stay at shift.
    let triangle = |n: u64| n * (n + 1) / 2;
    let shift = sum.saturating_sub(triangle(length - 1)) / length;
    let rest = sum - shift * length;
    let top = (0..).take_while(|&n| triangle(n) <= rest).last().unwrap_or(0);
    let twice = rest - triangle(top);
    // The threshold is the sum without the last N - p numbers.
    let tail = length - at;
    let steep: u64 = (0..tail).map(|i| top.saturating_sub(i)).sum();
    // From the repeated number down, each is one greater.
    let extra = if twice == 0 { 0 } else { tail.saturating_sub(top - twice + 1).min(twice) };
    let draw = sum - shift * tail - steep - extra;
    NodeNeeds { win: win as u32, draw: draw as u32 }
}

/// Alice's share as the ratio of her money to Bob's; `None` if he has nothing.
pub fn ratio(share: &Share) -> Option<RBig> {
    let rest = share.complement();
    (rest > Share::ZERO).then(|| share.rational() / rest.rational())
}

/// The winner with real money if Alice has `share` of it [GSZ09, 4.4; docs/design.md, theorem 8
/// (real money, to the bank)].
pub fn real_poorman_winner(position: PathPosition, share: &Share) -> Player {
    let Some(ratio) = ratio(share) else { return Player::Alice };
    if is_limit(position, &ratio) {
        return Player::Alice;
    }
    let mut bits = 32;
    loop {
        let (low, high) = poorman::limits(position.length(), bits).unwrap().swap_remove(position.at() as usize);
        if ratio < low {
            return Player::Bob;
        }
        if ratio > high {
            return Player::Alice;
        }
        bits *= 2;
    }
}

/// Whether a rational ratio is v(p): only 1 in the middle, and 1/2 and 2 on the path of length 4
/// (docs/design.md, theorem 8 (real money, to the bank)).
fn is_limit(position: PathPosition, ratio: &RBig) -> bool {
    match (position.length(), position.at()) {
        (4, 1) => *ratio == RBig::from_parts(IBig::ONE, UBig::from(2u8)),
        (4, 3) => *ratio == RBig::from(2u8),
        (length, at) => 2 * at == length && *ratio == RBig::ONE,
    }
}
