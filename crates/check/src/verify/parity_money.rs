//! Parity games with real money: two strategies, one move for each position, prove the bounds.
//!
//! **Why.** Let a player's moves and bids keep to the thresholds of the next positions, as in games
//! that end. Then either the surplus grows forever, or play stays from some move on in one end
//! component of the player's strategy. So the player wins if, in every end component not lost at
//! once, the greatest priority of every part in which the other player can stay is the player's:
//! theorem 26 (parity with real money) of `docs/design.md`.

use richman_core::{ByPlayer, Mechanism, Node, ParityArena, Player, Right, Share, ShareBounds, Watch, end_components};

use super::{BoundEnd, ClaimedChance, Flaw, at, has_money_bid, watched};

/// Proves Alice's real-money thresholds in a parity game, or bounds on them, by one move of each
/// player for each position. Only the mechanism's payment and right count.
///
/// # Errors
/// The first [`Flaw`].
pub fn parity_money(
    arena: &ParityArena,
    mechanism: &Mechanism,
    thresholds: &[ShareBounds],
    strategies: ByPlayer<&[Node]>,
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    for claimed in [thresholds.len(), strategies.alice.len(), strategies.bob.len()] {
        if claimed != arena.len() {
            return Err(Flaw::Size { claimed, actual: arena.len() });
        }
    }
    if mechanism.right == Right::Moves && !arena.nodes().all(|node| has_same_moves(arena, node)) {
        return Err(Flaw::Unprovable("the winner must move, and the players have moves of their own"));
    }
    let (indices, rate): (Vec<u32>, _) = (arena.nodes().collect(), mechanism.payment.rate());
    for player in Player::BOTH {
        let ends = || thresholds.iter().map(|bounds| [&bounds.low, &bounds.high]);
        let claim = ClaimedChance::new(arena, rate, player, ends, &indices);
        let strategy = strategies[player];
        for node in arena.nodes() {
            watched(watch, "equations", node, arena)?;
            claim.check_move(node, strategy[node as usize])?;
        }
        for component in end_components(arena, player, strategy, watch).map_err(|_| Flaw::Stopped)? {
            let hopeful = component.nodes.into_iter().filter(|&node| claim.is_positive(node)).min();
            if let Some(node) = hopeful.filter(|_| component.winner != player) {
                let (name, other) = (player.either("Alice", "Bob"), player.other());
                return Err(claim.wrong_bound(node, &format!("with {name}'s moves {other} can stay forever, and win")));
            }
        }
    }
    Ok(())
}

fn has_same_moves(arena: &ParityArena, node: Node) -> bool {
    let has = |one: Player| {
        let theirs = arena.moves(node, one.other());
        arena.moves(node, one).iter().all(|to| theirs.contains(to))
    };
    arena.owner(node).is_some() || (has(Player::Alice) && has(Player::Bob))
}

impl ClaimedChance<'_, richman_core::Parity> {
    fn wrong_bound(&self, node: Node, what: &str) -> Flaw {
        let bounds = self.player.either(self.of(node).complement(), self.of(node));
        at(node, format!("Alice is said to need {bounds}: {what}"))
    }

    /// Whether the player has a bid that, with this move, keeps to the lower bounds of the next
    /// positions.
    fn check_move(&self, node: Node, to: Node) -> Result<(), Flaw> {
        let (player, low) = (self.player, |node| self.share(node, BoundEnd::Low));
        if low(node) > self.share(node, BoundEnd::High) {
            return Err(self.wrong_bound(node, "the bounds are the wrong way round"));
        }
        if self.arena.terminal(node).is_some() {
            let chance = if self.arena.winner(node) == Some(player) { Share::ONE } else { Share::ZERO };
            return match self.of(node).as_exact() == Some(&chance) {
                true => Ok(()),
                false => Err(self.wrong_bound(node, "the game has ended here with another result")),
            };
        }
        let moves = !self.arena.moves(node, player).is_empty();
        if moves && !self.arena.moves(node, player).contains(&to) {
            return Err(self.wrong_bound(node, &format!("{player} has no such move")));
        }
        let kept = match (moves, self.worst(node, BoundEnd::Low)) {
            (true, Some(worst)) => {
                let needs = |node| low(node).complement();
                has_money_bid(self.rate, &needs(node), &needs(to), &needs(worst))
            }
            (true, None) => low(node) <= low(to),
            (false, Some(worst)) => low(node) <= low(worst),
            (false, None) => false,
        };
        match kept {
            true => Ok(()),
            false => Err(self.wrong_bound(node, &format!("{player} does not keep to what the next positions ask for"))),
        }
    }
}
