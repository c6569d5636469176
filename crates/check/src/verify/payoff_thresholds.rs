//! What Alice needs with real money for a long-run average: potentials where play stays, and bids
//! that make progress there.
//!
//! **Why.** In a component that play cannot leave, potentials prove what a share is worth. What
//! leads there is a game that ends: who comes to the component with more than it asks for has the
//! average: theorem 34 (an average of at least c) of `docs/design.md`.

use dashu_ratio::RBig;
use richman_core::{MeanPayoffArena, Node, PayoffThresholds, Player, Share, Watch};

use super::mean_payoff::change;
use super::{ClaimedChance, Flaw, at, watched};

/// Proves what Alice needs for an average, or bounds on it. Only the mechanism's payment and right
/// count.
///
/// # Errors
/// The first [`Flaw`].
pub fn payoff_thresholds(arena: &MeanPayoffArena, claim: &PayoffThresholds, watch: &dyn Watch) -> Result<(), Flaw> {
    let PayoffThresholds { mechanism, least, thresholds, potentials, .. } = claim;
    for claimed in [thresholds.len(), potentials.alice.len(), potentials.bob.len()] {
        if claimed != arena.len() {
            return Err(Flaw::Size { claimed, actual: arena.len() });
        }
    }
    let (rate, components) = (mechanism.payment.rate(), arena.components());
    let closed: Vec<bool> = (0..components.len()).map(|index| arena.is_closed(index)).collect();
    for (index, _) in closed.iter().enumerate().filter(|(_, is_closed)| **is_closed) {
        let nodes = components.nodes(index);
        let bounds = &thresholds[nodes[0] as usize];
        if bounds.low > bounds.high {
            return Err(at(nodes[0], "the bounds are the wrong way round".into()));
        }
        for &node in nodes {
            watched(watch, "potentials", node, arena)?;
            if thresholds[node as usize] != *bounds {
                return Err(at(node, "positions that can follow each other are said to need different shares".into()));
            }
        }
        // With no more than nothing, or less than nothing, nothing is claimed.
        let sides = [(Player::Alice, &bounds.high, Share::ONE), (Player::Bob, &bounds.low, Share::ZERO)];
        for (player, share, empty) in sides {
            if *share == empty {
                continue;
            }
            let (coin, of) = (rate.coin(share), &potentials[player]);
            for &node in nodes {
                let change = change(arena, node, (&coin, mechanism.right), |node| of[node as usize].clone())?;
                let is_proved = player.either(change >= *least, change <= *least);
                if !is_proved {
                    return Err(at(node, not_worth(player, share, least, &change)));
                }
            }
        }
    }
    let places: Vec<u32> = arena.nodes().collect();
    let known = |node: Node| closed[components.component(node) as usize];
    for player in Player::BOTH {
        let ends = || thresholds.iter().map(|bounds| [&bounds.low, &bounds.high]);
        ClaimedChance::new(arena, rate, player, ends, &places).check(&known, mechanism.right, watch)?;
    }
    Ok(())
}

fn not_worth(player: Player, share: &Share, least: &RBig, change: &RBig) -> String {
    let said = player.either("at least", "at most");
    format!("the average for {share} of the money is said to be {said} {least}, but a move here is worth {change}")
}
