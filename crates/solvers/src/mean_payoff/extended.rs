//! The averages of many chips, if few chips have a single average.
//!
//! Theorem 30 (more chips for the other player) of `docs/design.md`, as potentials: a player plays
//! with at most the few chips and keeps the rest in reserve. When the other player bids more than
//! the few chips, one more chip joins the reserve, worth more than play can lose afterwards.

use dashu_ratio::RBig;
use richman_core::{ByPlayer, ChipPayoffs, Configurations, MeanPayoffArena, Player, Total};

/// The averages of a greater total; `None` if `few` has several, or numbers become too large.
pub fn with(arena: &MeanPayoffArena, few: &ChipPayoffs, total: Total) -> Option<ChipPayoffs> {
    let [average] = &few.averages[..] else { return None };
    let potentials =
        ByPlayer::new(side(arena, few, average, total, Player::Alice)?, side(arena, few, average, total, Player::Bob)?);
    let (mechanism, averages) = (few.mechanism.clone(), few.averages.clone());
    Some(ChipPayoffs { mechanism, total, averages, ranks: vec![0; potentials.alice.len()], potentials })
}

/// One player's potentials.
fn side(arena: &MeanPayoffArena, few: &ChipPayoffs, average: &RBig, total: Total, player: Player) -> Option<Vec<i128>> {
    let (before, after) = (few.configurations(), Configurations::new(&few.mechanism, total));
    let (most, total) = (few.total.chips(), total.chips());
    let known = &few.potentials[player];
    let (least, greatest) = (known.iter().min()?, known.iter().max()?);
    // The most that one turn and the potential can lose together.
    let [numerator, denominator]: [i128; 2] =
        [average.numerator().try_into().ok()?, average.denominator().try_into().ok()?];
    let weights = Player::BOTH
        .iter()
        .flat_map(|&player| arena.nodes().flat_map(move |node| arena.labelled(node, player).map(|(_, weight)| weight)));
    let turn = weights.map(|weight| (i128::from(weight) * denominator - numerator).abs()).max()?;
    let loss = greatest.checked_sub(*least)?.checked_add(turn)?;
    loss.checked_mul(i128::from(total))?.checked_add(greatest.abs().max(least.abs()))?;
    let mut potentials = vec![0; arena.len() * after.per_position()];
    for node in arena.nodes() {
        for &star in after.stars() {
            for chips in 0..=total {
                let own = player.either(chips, total - chips);
                let worth = |played: u32| {
                    let alice = player.either(played, most - played);
                    let aside = loss * i128::from(own - played);
                    known[before.index(node, alice, star)] + player.either(aside, -aside)
                };
                let all = (0..=own.min(most)).map(worth);
                potentials[after.index(node, chips, star)] =
                    if player == Player::Alice { all.max()? } else { all.min()? };
            }
        }
    }
    Some(potentials)
}
