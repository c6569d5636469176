//! The verifier: accepts a solution only if it can prove it from the arena, without solving and without any formula for
//! thresholds.
//!
//! **Chips.** The claim says, for each position and player, from how many moves on which holdings force a win. The verifier
//! checks at every position and every number of moves that the claimed threshold is the least from which a bid exists
//! that is good against every bid, given what the next positions claim for one move fewer. By induction on the number of
//! moves the claim is then exact for every number of moves, so the player who is said to win does win, in that many moves
//! (no play that follows the claim can circle), and nobody wins with less. It also
//! checks that below the threshold the other player has a bid, named in advance, that keeps it so for ever.
//!
//! **Real money.** On an acyclic arena the equations of [DP10, 3.3] have one solution; the verifier checks every equation.

use richman_core::{
    Arena, ChipSolution, Node, Player, Right, Share, Side, Stage, Terminal, Threshold, Total, Turn, Watch,
};

/// Where a solution is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The solution has more or fewer positions than the arena.
    #[error("the solution has {claimed} positions, the game has {actual}")]
    Size {
        /// Positions of the solution.
        claimed: usize,
        /// Positions of the arena.
        actual: usize,
    },
    /// A threshold at the end of the game, or an equation, is wrong.
    #[error("wrong at position {node}: {what}")]
    At {
        /// The first position found.
        node: Node,
        /// What is claimed and what holds.
        what: String,
    },
    /// Nothing was found yet when it was told to stop.
    #[error("stopped before the proof was complete")]
    Stopped,
    /// The proof does not apply.
    #[error("this cannot be proved: {0}")]
    Unprovable(&'static str),
}

fn at(node: Node, what: String) -> Flaw {
    Flaw::At { node, what }
}

/// Proves real-money thresholds on an acyclic arena: `win` and `draw` have a share for each position.
///
/// # Errors
/// The first [`Flaw`].
pub fn money(arena: &Arena, right: Right, win: &[Share], draw: &[Share], watch: &dyn Watch) -> Result<(), Flaw> {
    for shares in [win, draw] {
        if shares.len() != arena.len() {
            return Err(Flaw::Size { claimed: shares.len(), actual: arena.len() });
        }
    }
    if !arena.is_acyclic() {
        return Err(Flaw::Unprovable("real money on a game in which play can come back to a position"));
    }
    for node in arena.nodes() {
        watched(watch, "equations", node, arena)?;
        for (name, shares, draw_is_win) in [("win", win, false), ("draw", draw, true)] {
            let claimed = &shares[node as usize];
            let value = |&to: &Node| &shares[to as usize];
            let expected = match arena.terminal(node) {
                Some(Terminal::Win(Player::Alice)) => Share::ZERO,
                Some(Terminal::Draw) if draw_is_win => Share::ZERO,
                Some(_) => Share::ONE,
                None => {
                    let least = arena.moves(node, Player::Alice).iter().map(value).min();
                    let greatest = arena.moves(node, Player::Bob).iter().map(value).max();
                    let (Some(least), Some(greatest)) = (least, greatest) else {
                        return Err(Flaw::Unprovable("a position where a player has no move"));
                    };
                    if right == Right::Moves && least > greatest {
                        return Err(at(
                            node,
                            format!("a zugzwang for the {name} threshold, where the winner must move"),
                        ));
                    }
                    Share::mean(least, greatest)
                }
            };
            if *claimed != expected {
                return Err(at(
                    node,
                    format!("the {name} threshold is said to be {claimed}, its moves give {expected}"),
                ));
            }
        }
    }
    Ok(())
}

/// Proves a chip solution.
///
/// # Errors
/// The first [`Flaw`].
pub fn chips(arena: &Arena, solution: &ChipSolution, watch: &dyn Watch) -> Result<(), Flaw> {
    if !solution.fits(arena) {
        let claimed = solution.alice.len().min(solution.bob.len());
        return Err(Flaw::Size { claimed, actual: arena.len() });
    }
    for player in Player::BOTH {
        let claim = Claim {
            arena,
            right: solution.mechanism.right,
            total: solution.total,
            player,
            side: solution.side(player),
        };
        for node in arena.nodes() {
            watched(watch, "positions", node, arena)?;
            claim.check_stages(node)?;
            claim.check_prevention(node)?;
        }
    }
    Ok(())
}

fn watched(watch: &dyn Watch, stage: &'static str, done: Node, arena: &Arena) -> Result<(), Flaw> {
    const BETWEEN_CHECKS: Node = 1 << 8;
    if done.is_multiple_of(BETWEEN_CHECKS) {
        if watch.cancelled() {
            return Err(Flaw::Stopped);
        }
        watch.progress(stage, u64::from(done), Some(arena.len() as u64));
    }
    Ok(())
}

/// What is claimed of one player, in that player's chips.
struct Claim<'a> {
    arena: &'a Arena,
    right: Right,
    total: Total,
    player: Player,
    side: &'a Side,
}

impl Claim<'_> {
    fn flaw(&self, node: Node, stage: Stage, what: &str) -> Flaw {
        let Stage { within, threshold } = stage;
        at(node, format!("{} within {within} moves, with {threshold}: {what}", self.player))
    }

    /// The stages of a position are exactly what its moves give.
    fn check_stages(&self, node: Node) -> Result<(), Flaw> {
        let stages = self.side.stages(node);
        if let Some(end) = self.arena.terminal(node) {
            let won = Stage { within: 0, threshold: Threshold::NOTHING };
            let expected: &[Stage] = if end == Terminal::Win(self.player) { &[won] } else { &[] };
            return if stages == expected {
                Ok(())
            } else {
                Err(at(node, format!("the game has ended here, but {}'s wins say otherwise", self.player)))
            };
        }
        // The threshold can only change one move after it changed at a next position.
        let mut times: Vec<u32> = self
            .arena
            .successors(node)
            .iter()
            .flat_map(|&to| self.side.stages(to))
            .filter_map(|stage| stage.within.checked_add(1))
            .chain(stages.iter().map(|stage| stage.within))
            .collect();
        times.sort_unstable();
        times.dedup();
        for within in times {
            let threshold = self.side.threshold_within(node, self.total, within);
            let stage = Stage { within, threshold };
            let Some(before) = within.checked_sub(1) else {
                return Err(self.flaw(node, stage, "nobody has won here before a move is made"));
            };
            for star in [false, true] {
                let least = if star { threshold.star } else { threshold.plain };
                if least > self.total.chips() + 1 {
                    return Err(self.flaw(node, stage, "no holding has that many chips"));
                }
                if least <= self.total.chips() && !self.has_bid(node, before, least, star) {
                    return Err(self.flaw(node, stage, "no bid is good against every bid"));
                }
                if least > 0 && self.has_bid(node, before, least - 1, star) {
                    return Err(self.flaw(node, stage, "one chip less is enough"));
                }
            }
        }
        Ok(())
    }

    /// Whether the player, with `own` chips, has a bid that leads to a claimed win within `moves` moves.
    fn has_bid(&self, node: Node, moves: u32, own: u32, star: bool) -> bool {
        let wins =
            |to: Node, chips: u32, star: bool| met(self.side.threshold_within(to, self.total, moves), chips, star);
        !self.turn(node, self.player, own, star, &wins).is_empty()
    }

    /// Below the claimed threshold the other player has a bid, named in advance, after which it is still below.
    fn check_prevention(&self, node: Node) -> Result<(), Flaw> {
        if self.arena.terminal(node).is_some() {
            return Ok(());
        }
        let other = self.player.other();
        let threshold = self.side.threshold(node, self.total);
        let k = self.total.chips();
        // `chips` and `star` are the other player's; the player's follow from them.
        let prevented =
            |to: Node, chips: u32, star: bool| chips > k || !met(self.side.threshold(to, self.total), k - chips, !star);
        for star in [false, true] {
            let least = if star { threshold.star } else { threshold.plain };
            let Some(below) = least.checked_sub(1) else { continue };
            if self.turn(node, other, k - below, !star, &prevented).is_empty() {
                let holding = format!("{below}{}", if star { "*" } else { "" });
                return Err(at(node, format!("{other} has no bid that stops {} with {holding}", self.player)));
            }
        }
        Ok(())
    }

    /// The bids of `player` after which `good` holds whatever the other player does.
    fn turn(
        &self,
        node: Node,
        player: Player,
        own: u32,
        star: bool,
        good: &dyn Fn(Node, u32, bool) -> bool,
    ) -> Vec<std::ops::RangeInclusive<u32>> {
        let some = |mover: Player, chips, star| self.arena.moves(node, mover).iter().any(|&to| good(to, chips, star));
        let all = |mover: Player, chips, star| self.arena.moves(node, mover).iter().all(|&to| good(to, chips, star));
        let other = player.other();
        let after_win = |chips, star| match self.right {
            Right::Moves => some(player, chips, star),
            Right::Chooses => some(player, chips, star) || all(other, chips, star),
        };
        let after_loss = |chips, star| match self.right {
            Right::Moves => all(other, chips, star),
            Right::Chooses => some(player, chips, star) && all(other, chips, star),
        };
        Turn { own, other: self.total.chips() - own, star, after_win, after_loss }.good_bids()
    }
}

fn met(threshold: Threshold, chips: u32, star: bool) -> bool {
    chips >= if star { threshold.star } else { threshold.plain }
}
