//! The share that Alice needs for a long-run average: potentials in components that play cannot
//! leave, and bids that make progress towards them.
//!
//! **Why.** In a component that play cannot leave, potentials prove the average of a share. Play
//! before it is a game that ends: a player who reaches the component with more than its threshold
//! has the average: theorem 34 (an average of at least c) of `docs/design.md`. If Bob's potentials
//! keep the average at c for some share, they prove less than c for every smaller share only if
//! Alice cannot stay where the coin makes no difference: theorem 35 (less than c).

use dashu_ratio::RBig;
use richman_core::{
    MeanPayoffArena, MeanPayoffArenaBuilder, Node, NodeData, PayoffThresholds, Player, Right, Share, Watch, progresses,
};

use super::mean_payoff::{change, values};
use super::{ClaimedChance, Flaw, at, watched};

/// Proves the shares that Alice needs for an average, or bounds on them. Only the mechanism's
/// payment and right count.
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
            if mechanism.right == Right::Moves && !has_same_moves(arena, node) {
                return Err(Flaw::Unprovable("the winner must move, and the players have moves of their own"));
            }
            if thresholds[node as usize] != *bounds {
                return Err(at(node, "positions that can follow each other are said to need different shares".into()));
            }
        }
        // An upper bound of 1 and a lower bound of 0 claim nothing.
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
            if player == Player::Bob {
                check_less(arena, nodes, claim, share, watch)?;
            }
        }
    }
    let indices: Vec<u32> = arena.nodes().collect();
    let known = |node: Node| closed[components.component(node) as usize];
    for player in Player::BOTH {
        let ends = || thresholds.iter().map(|bounds| [&bounds.low, &bounds.high]);
        ClaimedChance::new(arena, rate, player, ends, &indices).check(&known, mechanism.right, watch)?;
    }
    Ok(())
}

/// Checks that Bob's potentials, by which the average is at most the wanted one for `share`, prove
/// less for every smaller share: with tight moves Bob comes to a loose position, or Alice gives
/// something away.
fn check_less(
    arena: &MeanPayoffArena,
    nodes: &[Node],
    claim: &PayoffThresholds,
    share: &Share,
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    let PayoffThresholds { mechanism, least, potentials, .. } = claim;
    let rate = mechanism.payment.rate();
    let (coin, of) = (rate.coin(share), |node: Node| potentials.bob[node as usize].clone());
    let mut indices = vec![0; arena.len()];
    nodes.iter().zip(0..).for_each(|(&node, index)| indices[node as usize] = index);
    let mut tight = MeanPayoffArenaBuilder::new();
    let mut is_loose = Vec::with_capacity(nodes.len());
    for &node in nodes {
        watched(watch, "potentials", node, arena)?;
        let (more, less) = values(arena, node, mechanism.right, of)?;
        let is_less = &more * coin.rational() + &less * coin.complement().rational() - of(node) < *least;
        // A smaller share has a smaller coin, except with Richman payment.
        is_loose.push(is_less || more > less && !rate.is_richman());
        let after = |(to, weight): (Node, i64)| of(to) + RBig::from(weight);
        let moves = |player: Player| {
            let all = || arena.labelled(node, player);
            let best = if player == Player::Alice { all().map(after).max() } else { all().map(after).min() };
            let kept = all().filter(|&step| Some(after(step)) == best);
            kept.map(|(to, weight)| (indices[to as usize], weight)).collect::<Vec<_>>()
        };
        let NodeData::On(kind) = arena.data(node);
        tight.labelled(&moves(Player::Alice), &moves(Player::Bob), kind);
    }
    let tight = tight.build(0).map_err(|_| Flaw::Unprovable("a position where nobody has a move"))?;
    let all: Vec<Node> = tight.nodes().collect();
    let joined = |node: Node| is_loose[node as usize];
    let joins =
        progresses(&tight, &all, Player::Bob, joined, |_, _| true, |_| true, watch).map_err(|_| Flaw::Stopped)?;
    match joins.iter().position(|joins| !joins) {
        None => Ok(()),
        Some(index) => Err(at(
            nodes[index],
            format!(
                "with less than {share} of the money the average is said to be less than {least}, which these \
                 potentials do not prove; solve and save again"
            ),
        )),
    }
}

/// Whether both players have the same moves with the same weights, or one of them moves alone.
fn has_same_moves(arena: &MeanPayoffArena, node: Node) -> bool {
    let moves = |player: Player| {
        let mut moves: Vec<(Node, i64)> = arena.labelled(node, player).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    arena.owner(node).is_some() || moves(Player::Alice) == moves(Player::Bob)
}

fn not_worth(player: Player, share: &Share, least: &RBig, change: &RBig) -> String {
    let said = player.either("at least", "at most");
    format!("the average for {share} of the money is said to be {said} {least}, but a move here is worth {change}")
}
