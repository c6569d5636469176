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
//! **Real money.** A bound is proved by the bids of the player it speaks for: at every position there is a bid that leaves, by what
//! becomes of a bid ([`Rate`]), what the next positions are said to ask for, whether it wins or loses. That is all it takes to show
//! that a player can be stopped. That a player wins also needs moves that make progress, since on cycles such bids may circle. An
//! exact value is both.

use richman_core::{
    Arena, ChipSolution, Mechanism, Node, Player, Rate, Right, Share, ShareBounds, Side, Stage, Terminal, Threshold,
    Total, Turn, Watch, progress,
};

mod rules;

pub use rules::rules;

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
    /// The proof would be longer than is tried.
    #[error("this is too long to prove: {0}")]
    TooLong(&'static str),
    /// The proof does not apply.
    #[error("this cannot be proved: {0}")]
    Unprovable(&'static str),
}

fn at(node: Node, what: String) -> Flaw {
    Flaw::At { node, what }
}

/// Proves real-money thresholds, or bounds on them: `win` and `draw` have an entry for each position. Of the mechanism, who is paid
/// and who moves count.
///
/// # Errors
/// The first [`Flaw`].
pub fn money(
    arena: &Arena,
    mechanism: &Mechanism,
    win: &[ShareBounds],
    draw: &[ShareBounds],
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    for shares in [win, draw] {
        if shares.len() != arena.len() {
            return Err(Flaw::Size { claimed: shares.len(), actual: arena.len() });
        }
    }
    let (rate, right) = (mechanism.payment.rate(), mechanism.right);
    // Alice wins when Bob has less than 1 - her threshold, Bob when she has less than his.
    let alice: Vec<ShareBounds> = win.iter().map(ShareBounds::complement).collect();
    Chance { arena, rate, player: Player::Alice, threshold: "win", bounds: &alice }.check(right, watch)?;
    Chance { arena, rate, player: Player::Bob, threshold: "draw", bounds: draw }.check(right, watch)
}

/// Whether a player who has more than `share` has a bid after which more than `one` or `other` is left: the lesser of the two when the
/// bid wins and the greater when it loses, as whoever wins picks who moves.
fn has_money_bid(rate: Rate, share: &Share, one: &Share, other: &Share) -> bool {
    if rate.is_richman() {
        // The largest bid is share - won; losing to it leaves twice the share less won.
        return Share::mean(one, other) <= *share;
    }
    let (won, lost) = if one <= other { (one, other) } else { (other, one) };
    // The higher a bid that loses, the more is left. More than the other player has need not be bid.
    let Some(bid) = rate.largest_bid(share, won).map(|bid| bid.min(share.complement())) else { return false };
    rate.after_loss(share, &bid).is_some_and(|left| left >= *lost)
}

/// What is claimed of a player's chance: the share of the other player below which the player can force a win, which with Richman
/// payment is the chance to win random-turn play.
struct Chance<'a> {
    arena: &'a Arena,
    rate: Rate,
    player: Player,
    threshold: &'static str,
    bounds: &'a [ShareBounds],
}

impl Chance<'_> {
    fn of(&self, node: Node) -> &ShareBounds {
        &self.bounds[node as usize]
    }

    fn check(&self, right: Right, watch: &dyn Watch) -> Result<(), Flaw> {
        for node in self.arena.nodes() {
            watched(watch, "equations", node, self.arena)?;
            self.check_node(node, right)?;
        }
        self.check_progress(right)
    }

    fn wrong(&self, node: Node, what: &str) -> Flaw {
        let claimed = match self.player {
            Player::Alice => self.of(node).complement(),
            Player::Bob => self.of(node).clone(),
        };
        at(node, format!("the {} threshold is said to be {claimed}: {what}", self.threshold))
    }

    /// The least of the other player's moves, by lower bounds or by upper bounds.
    fn worst(&self, node: Node, bound: fn(&ShareBounds) -> &Share) -> Option<&Share> {
        self.arena.moves(node, self.player.other()).iter().map(|&to| bound(self.of(to))).min()
    }

    fn best(&self, node: Node, bound: fn(&ShareBounds) -> &Share) -> Option<&Share> {
        self.arena.moves(node, self.player).iter().map(|&to| bound(self.of(to))).max()
    }

    fn check_node(&self, node: Node, right: Right) -> Result<(), Flaw> {
        let bounds = self.of(node);
        if bounds.low > bounds.high {
            return Err(self.wrong(node, "the bounds are the wrong way round"));
        }
        if let Some(end) = self.arena.terminal(node) {
            let chance = if end == Terminal::Win(self.player) { Share::ONE } else { Share::ZERO };
            return if bounds.as_exact() == Some(&chance) {
                Ok(())
            } else {
                Err(self.wrong(node, "the game has ended here with another result"))
            };
        }
        let ends = [low, high].map(|bound| self.best(node, bound).zip(self.worst(node, bound)));
        let [Some((best_low, worst_low)), Some((best_high, worst_high))] = ends else {
            return Err(Flaw::Unprovable("a position where a player has no move"));
        };
        if right == Right::Moves && best_low < worst_high {
            return Err(self.wrong(node, "this may be a zugzwang, which has no threshold where the winner must move"));
        }
        let (player, other) = (self.player, self.player.other());
        if !self.keeps(&bounds.low, best_low, worst_low) {
            return Err(self.wrong(node, &format!("{player} has no bid that keeps to what the next positions ask for")));
        }
        if !has_money_bid(self.rate, &bounds.high, best_high, worst_high) {
            return Err(self.wrong(node, &format!("{other} has no bid that keeps to what the next positions ask for")));
        }
        Ok(())
    }

    /// Whether the player, when the other has less than `chance`, has a bid after which the other has less than `own` or `worst`.
    fn keeps(&self, chance: &Share, own: &Share, worst: &Share) -> bool {
        if self.rate.is_richman() {
            return *chance <= Share::mean(own, worst);
        }
        has_money_bid(self.rate, &chance.complement(), &own.complement(), &worst.complement())
    }

    /// From wherever the chance is said to be positive, moves that the lower bounds allow lead on to the win.
    ///
    /// The player who has more than is asked for can bid a little more, or less, than keeps to the bounds, so that either play comes
    /// nearer to the win or the player's surplus grows, and in the end wins (theorems 3 and 7 of `docs/design.md`).
    ///
    /// Where the winner of the bid must move, nobody can be made to: a position where moving is worth nothing has to be left by
    /// moves of the player's own, and those must be no worse than the other player's.
    fn check_progress(&self, right: Right) -> Result<(), Flaw> {
        let nodes: Vec<Node> = self.arena.nodes().collect();
        let joined = |node: Node| self.arena.terminal(node) == Some(Terminal::Win(self.player));
        let keeps = |node: Node, to: Node| {
            self.worst(node, low).is_some_and(|worst| {
                let after = &self.of(to).low;
                (right == Right::Chooses || after >= worst) && self.keeps(&self.of(node).low, after, worst)
            })
        };
        let lets = |node: Node| right == Right::Chooses || self.best(node, low) > self.worst(node, high);
        let stages = progress(self.arena, &nodes, self.player, joined, keeps, lets);
        for (node, stage) in (0..).zip(stages) {
            if stage.is_none() && self.of(node).low > Share::ZERO {
                return Err(self.wrong(node, &format!("{} has no play that makes progress to a win", self.player)));
            }
        }
        Ok(())
    }
}

fn low(bounds: &ShareBounds) -> &Share {
    &bounds.low
}

fn high(bounds: &ShareBounds) -> &Share {
    &bounds.high
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
        let claim =
            Claim { arena, mechanism: &solution.mechanism, total: solution.total, player, side: solution.side(player) };
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
    mechanism: &'a Mechanism,
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
        let falls = |pair: &[Stage]| {
            let [Threshold { plain, star }, next] = [pair[0].threshold, pair[1].threshold];
            pair[0].within < pair[1].within && next.plain <= plain && next.star <= star && next != pair[0].threshold
        };
        if !stages.windows(2).all(falls) {
            return Err(at(node, format!("{}'s stages do not fall as the number of moves grows", self.player)));
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
        let after_win = |chips, _, star| match self.mechanism.right {
            Right::Moves => some(player, chips, star),
            Right::Chooses => some(player, chips, star) || all(other, chips, star),
        };
        let after_loss = |chips, _, star| match self.mechanism.right {
            Right::Moves => all(other, chips, star),
            Right::Chooses => some(player, chips, star) && all(other, chips, star),
        };
        let left = self.total.chips() - own;
        Turn { mechanism: self.mechanism, player, own, other: left, star, after_win, after_loss }.good_bids()
    }
}

fn met(threshold: Threshold, chips: u32, star: bool) -> bool {
    chips >= if star { threshold.star } else { threshold.plain }
}
