//! The report of a real-money solution: thresholds, best bid, best moves.

use std::cmp::Ordering;

use richman_core::{
    Arena, CommonShares, MoneySolution, Node, Player, Rate, Share, ShareBounds, Shares, Terminal, Unfolding, progress,
};
use richman_formats::MechanismJson;
use richman_solvers::Options;
use richman_solvers::money::{self, best_bid, threshold};
use serde::Serialize;

use crate::{BoundsJson, Error, Request, ShareJson};

/// Best moves of both players, by the game's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// Alice's.
    pub alice: Vec<String>,
    /// Bob's.
    pub bob: Vec<String>,
}

impl Moves {
    /// Those of one player.
    pub fn of(&self, player: Player) -> &[String] {
        if player == Player::Alice { &self.alice } else { &self.bob }
    }
}

/// Bids that keep to bounds: Alice's for a share above the upper bound, Bob's for a share of Alice below the lower one.
///
/// Alice makes the largest bid with which she is still above the upper bound that follows if she wins it. If she loses it, Bob has paid as
/// much, and she is above every upper bound that can follow. The same for Bob with lower bounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SureBids {
    /// Alice's, as a share of all the money.
    pub alice: ShareJson,
    /// Bob's, as a share of all the money.
    pub bob: ShareJson,
}

/// Thresholds as Alice's money to Bob's, `"133:123"`; null where they are not exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ratios {
    /// At the win threshold.
    pub win: Option<String>,
    /// At the draw threshold.
    pub draw: Option<String>,
}

/// What a position is worth in real money.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoneyReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// Alice can force a win when her share is above this.
    #[serde(flatten, serialize_with = "crate::json::shares::win")]
    pub win: BoundsJson,
    /// Bob can force a win when Alice's share is below this.
    #[serde(flatten, serialize_with = "crate::json::shares::draw")]
    pub draw: BoundsJson,
    /// The same as Alice's money to Bob's.
    pub ratio: Ratios,
    /// Whether both thresholds are exact; else those that are not are bounds.
    pub exact: bool,
    /// The number of moves after which a play counts as a draw, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The best bid at the win threshold, as a share of all the money still in the game; null where the game is over.
    #[serde(flatten, serialize_with = "crate::json::shares::bid")]
    pub bid: Option<BoundsJson>,
    /// Moves that keep to the win threshold.
    pub moves: Moves,
    /// Where the win threshold is only known by bounds: bids that are sure for a player who is on the right side of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sure_bids: Option<SureBids>,
    /// Whether the winner of the bid should let the other player move, at the win threshold: because moving is worse, or because
    /// Alice's best moves only lead round in circles.
    pub zugzwang: bool,
    /// The best bid at the draw threshold.
    #[serde(flatten, serialize_with = "crate::json::shares::draw_bid")]
    pub draw_bid: Option<BoundsJson>,
    /// Moves that keep to the draw threshold.
    pub draw_moves: Moves,
    /// Positions of the game, symmetric ones counted once.
    pub positions: usize,
    /// How many of them have exact thresholds.
    pub exact_positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

impl MoneyReport {
    /// Whether there surely are shares with which both players can force a draw.
    pub fn has_draws(&self) -> bool {
        self.win.0.low > self.draw.0.high
    }
}

/// Solves for real money and reports on the start of the arena.
///
/// # Errors
/// Those of [`money::solve`], positions named in the game's notation.
pub fn report(request: &Request) -> Result<(MoneyReport, MoneySolution), Error> {
    let solve = |options: &Options| {
        money::solve(request.unfolding.arena(), request.mechanism, options).map_err(|error| request.translate(error))
    };
    let solution = solve(&request.options)?;
    // Within t moves, the moves are judged by what follows within t - 1.
    let next = match request.options.within {
        Some(moves) => Some(solve(&Options { within: Some(moves.saturating_sub(1)), ..request.options })?),
        None => None,
    };
    let next = next.as_ref().unwrap_or(&solution);
    let unfolding = request.unfolding;
    let cut = request.options.within == Some(0);
    let rate = request.mechanism.payment.rate();
    let (bid, moves, zugzwang) = best(unfolding, rate, &next.win, Player::Alice, cut);
    let (draw_bid, draw_moves, _) = best(unfolding, rate, &next.draw, Player::Bob, cut);
    let start = unfolding.arena().start();
    let report = MoneyReport {
        game: request.game(),
        position: request.position(),
        mechanism: MechanismJson::from(request.mechanism),
        win: BoundsJson(solution.win.get(start)),
        draw: BoundsJson(solution.draw.get(start)),
        ratio: Ratios { win: ratio(&solution.win.get(start)), draw: ratio(&solution.draw.get(start)) },
        exact: [&solution.win, &solution.draw].iter().all(|shares| shares.get(start).as_exact().is_some()),
        exact_positions: if solution.is_exact() {
            unfolding.arena().len()
        } else {
            solution.win.exact_count().min(solution.draw.exact_count())
        },
        truncated: request.options.within,
        bid,
        moves,
        sure_bids: sure_bids(unfolding, rate, &solution.win, &next.win),
        zugzwang,
        draw_bid,
        draw_moves,
        positions: unfolding.arena().len(),
        stop: solution.stop.to_string(),
    };
    Ok((report, solution))
}

pub(crate) fn ratio(bounds: &ShareBounds) -> Option<String> {
    let share = bounds.as_exact()?;
    Some(format!("{}:{}", share.numerator(), share.denominator() - share.numerator()))
}

/// A move with where it leads, and what is needed there.
pub(crate) type After<To> = (String, To, ShareBounds);

/// The best bid, both players' best moves, and whether the position is a zugzwang, from the shares of the next positions.
///
/// `forcing` is the player who can force a win on the right side of the threshold. Where play can come back to the
/// position, only those of that player's best moves are listed that also make progress.
fn best(
    unfolding: &dyn Unfolding,
    rate: Rate,
    shares: &Shares,
    forcing: Player,
    cut: bool,
) -> (Option<BoundsJson>, Moves, bool) {
    let arena = unfolding.arena();
    let start = arena.start();
    let options = |player| -> Vec<After<Node>> {
        if cut {
            return Vec::new();
        }
        unfolding.moves(start, player).into_iter().map(|step| (step.name, step.to, shares.get(step.to))).collect()
    };
    judged(rate, Player::BOTH.map(options), forcing, |own| {
        if !arena.components().is_cyclic(arena.components().component(start) as usize) {
            return false;
        }
        let stages = winning_stages(arena, rate, shares, forcing);
        let component = arena.components().component(start);
        let nearer = |to: Node| {
            arena.components().component(to) != component
                || stages[to as usize].is_some_and(|then| stages[start as usize].is_some_and(|now| then < now))
        };
        if own.iter().any(|(_, to, _)| nearer(*to)) {
            own.retain(|(_, to, _)| nearer(*to));
            return false;
        }
        // All best moves lead round in circles, all of the other player's lead on.
        stages[start as usize].is_some()
    })
}

/// The best bid, both players' best moves, and whether the position is a zugzwang, from the moves of both.
///
/// `progress` keeps of the best moves of `forcing` those that also make progress, and says whether none does.
pub(crate) fn judged<To>(
    rate: Rate,
    [mut alice, mut bob]: [Vec<After<To>>; 2],
    forcing: Player,
    progress: impl FnOnce(&mut Vec<After<To>>) -> bool,
) -> (Option<BoundsJson>, Moves, bool) {
    let low = |of: &[After<To>]| of.iter().map(|(_, _, share)| share.low.clone()).collect::<Vec<Share>>();
    let high = |of: &[After<To>]| of.iter().map(|(_, _, share)| share.high.clone()).collect::<Vec<Share>>();
    let (alice_ends, bob_ends) = (
        (low(&alice).into_iter().min(), high(&alice).into_iter().min()),
        (low(&bob).into_iter().max(), high(&bob).into_iter().max()),
    );
    let ((Some(alice_low), Some(alice_high)), (Some(bob_low), Some(bob_high))) = (alice_ends, bob_ends) else {
        return (None, Moves { alice: Vec::new(), bob: Vec::new() }, false);
    };
    // Alice is sure of the least upper bound, Bob of the greatest lower bound.
    alice.retain(|(_, _, share)| share.high == alice_high);
    bob.retain(|(_, _, share)| share.low == bob_low);
    let circling = progress(if forcing == Player::Alice { &mut alice } else { &mut bob });
    let names = |of: Vec<After<To>>| of.into_iter().map(|(name, _, _)| name).collect();
    let zugzwang = alice_low > bob_high || circling;
    let bid = if let (true, true) = (alice_low == alice_high, bob_low == bob_high) {
        ShareBounds::exact(best_bid(rate, &alice_low, &bob_low))
    } else {
        // The bid grows with the difference of the two alone.
        let gap = |less: &Share, more: &Share| if less < more { best_bid(rate, less, more) } else { Share::ZERO };
        let (least, most) = (gap(&alice_high, &bob_low), gap(&alice_low, &bob_high));
        let (less, more) = (gap(&bob_high, &alice_low), gap(&bob_low, &alice_high));
        ShareBounds { low: least.max(less), high: most.max(more) }
    };
    (Some(BoundsJson(bid)), Moves { alice: names(alice), bob: names(bob) }, zugzwang)
}

fn sure_bids(unfolding: &dyn Unfolding, rate: Rate, win: &Shares, next: &Shares) -> Option<SureBids> {
    let arena = unfolding.arena();
    let start = win.get(arena.start());
    if start.as_exact().is_some() {
        return None;
    }
    let after = |player| arena.moves(arena.start(), player).iter().map(|&to| next.get(to));
    // Whoever wins the bid picks who moves.
    let alice = after(Player::Alice).map(|bounds| bounds.high).min()?;
    let alice = alice.min(after(Player::Bob).map(|bounds| bounds.high).max()?);
    let bob = after(Player::Bob).map(|bounds| bounds.low).max()?;
    let bob = bob.max(after(Player::Alice).map(|bounds| bounds.low).min()?);
    let bid = |share: &Share, least: &Share| rate.largest_bid(share, least).unwrap_or(Share::ZERO);
    Some(SureBids {
        alice: ShareJson(bid(&start.high, &alice)),
        bob: ShareJson(bid(&start.low.complement(), &bob.complement())),
    })
}

/// When each position joins the surroundings of the win that `player` can force by moves that keep to the bounds.
pub(crate) fn winning_stages(arena: &Arena, rate: Rate, shares: &Shares, player: Player) -> Vec<Option<u32>> {
    let nodes: Vec<Node> = arena.nodes().collect();
    // One minus what `player` needs is at least this.
    let chance: Vec<Share> = nodes
        .iter()
        .map(|&node| match player {
            Player::Alice => shares.get(node).high.complement(),
            Player::Bob => shares.get(node).low,
        })
        .collect();
    let chance = CommonShares::new(&chance);
    let least = |node: Node| {
        let moves = arena.moves(node, player.other()).iter().map(|&to| to as usize);
        moves.min_by(|&a, &b| chance.cmp(a, b))
    };
    let worst: Vec<Option<usize>> = nodes.iter().map(|&node| least(node)).collect();
    let joined = |node: Node| arena.terminal(node) == Some(Terminal::Win(player));
    let keeps = |node: Node, to: Node| {
        let (node, to) = (node as usize, to as usize);
        worst[node].is_some_and(|worst| match rate.is_richman() {
            true => chance.cmp_mean(node, to, worst) != Ordering::Greater,
            false => chance.get(node) <= threshold(rate, &chance.get(to), &chance.get(worst)),
        })
    };
    progress(arena, &nodes, player, joined, keeps, |_| true)
}
