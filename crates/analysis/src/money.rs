//! The report of a real-money solution: thresholds, best bid, best moves.

use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;
use std::time::{Duration, Instant};

use richman_core::{
    Arena, CommonShares, Mechanism, MoneySolution, Node, Player, Rate, Share, ShareBounds, Shares, Terminal, Unfolding,
    Until, Walk, Watch, bytes_for_progress, progress,
};
use richman_formats::MechanismJson;
use richman_solvers::Options;
use richman_solvers::money::{self, best_bid, threshold};
use serde::Serialize;

use crate::{BoundsJson, Error, Request, ShareJson};

/// Best moves of both players, by the game's names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// Alice's: every one is surely a best move. Empty where bounds do not tell which is.
    pub alice: Vec<String>,
    /// Bob's.
    pub bob: Vec<String>,
    /// Where only bounds on what the moves lead to are known, and do not tell which move is best.
    #[serde(skip_serializing_if = "UndecidedMoves::is_empty")]
    pub undecided: UndecidedMoves,
}

/// What bounds say of moves between which they do not decide; null for a player for whom they do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct UndecidedMoves {
    /// Alice's moves.
    pub alice: Option<Undecided>,
    /// Bob's.
    pub bob: Option<Undecided>,
}

impl UndecidedMoves {
    fn is_empty(&self) -> bool {
        self.alice.is_none() && self.bob.is_none()
    }
}

/// Moves between which bounds do not decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// Every move that may be the best.
    pub moves: Vec<String>,
    /// Those of them that ask for least at the worst: a player who is on the right side of the bounds of the position stays there with them. Another may be better.
    pub keeping: Vec<String>,
}

impl Moves {
    /// Moves that are best for sure.
    pub fn best(alice: Vec<String>, bob: Vec<String>) -> Moves {
        Moves { alice, bob, undecided: UndecidedMoves::default() }
    }

    /// The moves that each player's choice names.
    pub(crate) fn chosen([alice, bob]: [Choice; 2]) -> Moves {
        let undecided = UndecidedMoves { alice: alice.undecided, bob: bob.undecided };
        Moves { alice: alice.best, bob: bob.best, undecided }
    }

    /// Those of one player.
    pub fn of(&self, player: Player) -> &[String] {
        if player == Player::Alice { &self.alice } else { &self.bob }
    }
}

/// What is known of a player's moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) best: Vec<String>,
    pub(crate) undecided: Option<Undecided>,
}

impl Choice {
    /// From each move's name, where it leads, and what is asked for there, at the least and at the most; the less the
    /// better. Moves to one place are equally good.
    pub(crate) fn least<To: PartialEq, T: Ord>(moves: &[(&str, To, T, T)]) -> Choice {
        let Some(most) = moves.iter().map(|(_, _, _, high)| high).min() else { return Choice::default() };
        // The least of all, and the least that leads elsewhere than that one.
        let first = moves.iter().min_by_key(|(_, _, low, _)| low);
        let second = moves.iter().filter(|(_, to, ..)| first.is_some_and(|(_, place, ..)| to != place));
        let second = second.min_by_key(|(_, _, low, _)| low);
        let names = |is_one: &dyn Fn(usize) -> bool| -> Vec<String> {
            (0..moves.len()).filter(|&at| is_one(at)).map(|at| moves[at].0.to_string()).collect()
        };
        let may_be_best = |at: usize| moves[at].2 <= *most;
        let is_best = |at: usize| {
            let (_, to, _, high) = &moves[at];
            [first, second].into_iter().flatten().all(|(_, place, low, _)| to == place || high <= low)
        };
        let best = names(&is_best);
        let undecided = best
            .is_empty()
            .then(|| Undecided { moves: names(&may_be_best), keeping: names(&|at| moves[at].3 == *most) });
        Choice { best, undecided }
    }

    /// Of the same, the more the better.
    pub(crate) fn most<To: PartialEq, T: Ord>(moves: Vec<(&str, To, T, T)>) -> Choice {
        let turned = moves.into_iter().map(|(name, to, low, high)| (name, to, Reverse(high), Reverse(low)));
        Choice::least(&turned.collect::<Vec<_>>())
    }

    /// Leaves only some of the moves to be named, unless that leaves none.
    fn retain(&mut self, is_kept: impl Fn(&String) -> bool) {
        let named = match &mut self.undecided {
            Some(undecided) => &mut undecided.keeping,
            None => &mut self.best,
        };
        if named.iter().any(&is_kept) {
            named.retain(is_kept);
        }
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
    /// Moves that keep to the win threshold, and those between which bounds on it do not decide.
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

/// How long the moves may be looked at in any case.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// Solves for real money and reports on the start of the arena.
///
/// # Errors
/// Those of [`money::solve`], positions named in the game's notation.
pub fn report(request: &Request) -> Result<(MoneyReport, MoneySolution), Error> {
    let solve = |options: &Options| {
        money::solve(request.unfolding.arena(), request.mechanism, options).map_err(|error| request.translate(error))
    };
    // Within t moves, the moves are judged by what follows within t - 1, which is let go before the whole is solved.
    let (solution, judged) = match request.options.within {
        Some(moves) => {
            let next = solve(&Options { within: Some(moves.saturating_sub(1)), ..request.options })?;
            let judged = Judged::of(request, &next)?;
            drop(next);
            (solve(&request.options)?, judged)
        }
        None => {
            let solution = solve(&request.options)?;
            let judged = Judged::of(request, &solution)?;
            (solution, judged)
        }
    };
    let unfolding = request.unfolding;
    let rate = request.mechanism.payment.rate();
    let mut stop = solution.stop.to_string();
    if let Some(missing) = judged.missing {
        stop.push_str(&format!("; there was no {missing} to see which of the best moves make progress"));
    }
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
        bid: judged.bid,
        moves: judged.moves,
        sure_bids: sure_bids(rate, &solution.win.get(start), &judged.after),
        zugzwang: judged.zugzwang,
        draw_bid: judged.draw_bid,
        draw_moves: judged.draw_moves,
        positions: unfolding.arena().len(),
        stop,
    };
    Ok((report, solution))
}

/// What the moves at the start are worth.
struct Judged {
    bid: Option<BoundsJson>,
    moves: Moves,
    zugzwang: bool,
    draw_bid: Option<BoundsJson>,
    draw_moves: Moves,
    /// Bounds on the win thresholds that Alice's moves and Bob's lead to.
    after: [Vec<ShareBounds>; 2],
    /// What there was not enough of, to see which of the best moves make progress.
    missing: Option<&'static str>,
}

impl Judged {
    /// From the thresholds of the positions that the moves lead to.
    fn of(request: &Request, next: &MoneySolution) -> Result<Judged, Error> {
        let (unfolding, options) = (request.unfolding, &request.options);
        let cut = options.within == Some(0);
        let rate = request.mechanism.payment.rate();
        // What the solver took all the time for still deserves its moves.
        let deadline = options.deadline.map(|deadline| deadline.max(Instant::now() + LEAST_TIME));
        let until = Until { watch: options.watch, deadline };
        let arena = unfolding.arena();
        // The solver's numbers, which came and went, leave gaps between those that stay: KPK took 42 MB where 34 count.
        let held = (next.win.bytes() + next.draw.bytes()) / 4 * 5;
        let mut missing = None;
        let mut best = |shares: &Shares, forcing: Player| -> Result<_, Error> {
            let fits = || options.check_memory("the progress of moves", held + bytes_for_stages(arena, shares));
            let mut circles = |own: &mut Vec<After<Node>>| {
                match only_circles(unfolding, rate, shares, forcing, own, &fits, &until) {
                    Err(richman_core::Error::Cancelled) if !options.watch.cancelled() => missing = Some("time"),
                    Err(richman_core::Error::TooMuchMemory { .. }) => missing = Some("room"),
                    known => return known,
                }
                Ok(false)
            };
            Ok(best(unfolding, rate, shares, forcing, cut, &mut circles)?)
        };
        let (bid, moves, zugzwang) = best(&next.win, Player::Alice)?;
        let (draw_bid, draw_moves, _) = best(&next.draw, Player::Bob)?;
        let after = |player| arena.moves(arena.start(), player).iter().map(|&to| next.win.get(to)).collect();
        Ok(Judged { bid, moves, zugzwang, draw_bid, draw_moves, after: Player::BOTH.map(after), missing })
    }
}

pub(crate) fn ratio(bounds: &ShareBounds) -> Option<String> {
    let share = bounds.as_exact()?;
    Some(format!("{}:{}", share.numerator(), share.denominator() - share.numerator()))
}

/// A move with where it leads, and what is needed there.
pub(crate) type After<To> = (String, To, ShareBounds);

/// What is reported where the time was up before all positions were found: thresholds are between 0 and 1.
pub fn unknown(walk: &dyn Walk, mechanism: &Mechanism, within: Option<u32>) -> MoneyReport {
    let all = || ShareBounds { low: Share::ZERO, high: Share::ONE };
    let after = |player| walk.moves(player).into_iter().map(|name| (name, (), all())).collect();
    let (bid, moves, zugzwang) = judged(mechanism.payment.rate(), Player::BOTH.map(after), Player::Alice, |_| false);
    MoneyReport {
        game: walk.game(),
        position: walk.notation(),
        mechanism: MechanismJson::from(mechanism),
        win: BoundsJson(all()),
        draw: BoundsJson(all()),
        ratio: Ratios { win: None, draw: None },
        exact: false,
        exact_positions: 0,
        truncated: within,
        draw_bid: bid.clone(),
        bid,
        draw_moves: moves.clone(),
        moves,
        sure_bids: Some(SureBids { alice: ShareJson(Share::ZERO), bob: ShareJson(Share::ZERO) }),
        zugzwang,
        positions: 0,
        stop: "the time was up before all positions were found".to_string(),
    }
}

/// Keeps of a player's best moves those that make progress, and says whether all of them only lead round in circles.
type ProgressFilter<'a> = dyn FnMut(&mut Vec<After<Node>>) -> Result<bool, richman_core::Error> + 'a;

/// The best bid, both players' best moves, and whether the position is a zugzwang, from the shares of the next positions.
///
/// `forcing` is the player who can force a win on the right side of the threshold. Where play can come back to the
/// position, only those of that player's best moves are listed that also make progress, as `circles` says.
fn best(
    unfolding: &dyn Unfolding,
    rate: Rate,
    shares: &Shares,
    forcing: Player,
    cut: bool,
    circles: &mut ProgressFilter,
) -> Result<(Option<BoundsJson>, Moves, bool), richman_core::Error> {
    let arena = unfolding.arena();
    let start = arena.start();
    let options = |player| -> Vec<After<Node>> {
        if cut {
            return Vec::new();
        }
        unfolding.moves(start, player).into_iter().map(|step| (step.name, step.to, shares.get(step.to))).collect()
    };
    let mut failed = Ok(());
    let best = judged(rate, Player::BOTH.map(options), forcing, |own| {
        circles(own).unwrap_or_else(|error| {
            failed = Err(error);
            false
        })
    });
    failed.map(|()| best)
}

/// Keeps of the best moves of `forcing` at the start those that make progress; whether all of them only lead round in circles.
fn only_circles(
    unfolding: &dyn Unfolding,
    rate: Rate,
    shares: &Shares,
    forcing: Player,
    own: &mut Vec<After<Node>>,
    fits: &dyn Fn() -> Result<(), richman_core::Error>,
    watch: &dyn Watch,
) -> Result<bool, richman_core::Error> {
    let arena = unfolding.arena();
    let start = arena.start();
    let component = arena.components().component(start);
    if !arena.components().is_cyclic(component as usize) {
        return Ok(false);
    }
    fits()?;
    let stages = winning_stages(arena, rate, shares, forcing, watch)?;
    let nearer = |to: Node| {
        arena.components().component(to) != component
            || stages[to as usize].is_some_and(|then| stages[start as usize].is_some_and(|now| then < now))
    };
    if own.iter().any(|(_, to, _)| nearer(*to)) {
        own.retain(|(_, to, _)| nearer(*to));
        return Ok(false);
    }
    // All best moves lead round in circles, all of the other player's lead on.
    Ok(stages[start as usize].is_some())
}

/// The best bid, both players' best moves, and whether the position is a zugzwang, from the moves of both.
///
/// `progress` keeps of the best moves of `forcing` those that also make progress, and says whether none does.
pub(crate) fn judged<To: PartialEq>(
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
        return (None, Moves::default(), false);
    };
    fn known<To>(of: &[After<To>]) -> Vec<(&str, &To, &Share, &Share)> {
        of.iter().map(|(name, to, share)| (name.as_str(), to, &share.low, &share.high)).collect()
    }
    let mut choices = [Choice::least(&known(&alice)), Choice::most(known(&bob))];
    // Alice is sure of the least upper bound, Bob of the greatest lower bound.
    alice.retain(|(_, _, share)| share.high == alice_high);
    bob.retain(|(_, _, share)| share.low == bob_low);
    let own = if forcing == Player::Alice { &mut alice } else { &mut bob };
    let choice = &mut choices[forcing as usize];
    let circling = progress(own) && choice.undecided.is_none();
    let kept: HashSet<&str> = own.iter().map(|(name, _, _)| name.as_str()).collect();
    choice.retain(|name| kept.contains(name.as_str()));
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
    (Some(BoundsJson(bid)), Moves::chosen(choices), zugzwang)
}

fn sure_bids(rate: Rate, start: &ShareBounds, [alice, bob]: &[Vec<ShareBounds>; 2]) -> Option<SureBids> {
    if start.as_exact().is_some() {
        return None;
    }
    // Whoever wins the bid picks who moves.
    let high = |moves: &'_ [ShareBounds]| moves.iter().map(|bounds| bounds.high.clone()).collect::<Vec<_>>();
    let low = |moves: &'_ [ShareBounds]| moves.iter().map(|bounds| bounds.low.clone()).collect::<Vec<_>>();
    let least = high(alice).into_iter().min()?.min(high(bob).into_iter().max()?);
    let most = low(bob).into_iter().max()?.max(low(alice).into_iter().min()?);
    let bid = |share: &Share, least: &Share| rate.largest_bid(share, least).unwrap_or(Share::ZERO);
    Some(SureBids {
        alice: ShareJson(bid(&start.high, &least)),
        bob: ShareJson(bid(&start.low.complement(), &most.complement())),
    })
}

/// Bytes that [`winning_stages`] takes.
fn bytes_for_stages(arena: &Arena, shares: &Shares) -> u64 {
    /// Its number, and the worst move.
    const PER_POSITION: u64 = 4 + 4;
    let nodes = arena.len();
    // One minus a share takes as much.
    let chances = CommonShares::bytes_for(arena.nodes().map(|node| shares.get(node).low));
    bytes_for_progress(arena, nodes, arena.edges()) + PER_POSITION * nodes as u64 + chances
}

/// When each position joins the surroundings of the win that `player` can force by moves that keep to the bounds.
pub(crate) fn winning_stages(
    arena: &Arena,
    rate: Rate,
    shares: &Shares,
    player: Player,
    watch: &dyn Watch,
) -> Result<Vec<Option<u32>>, richman_core::Error> {
    if watch.cancelled() {
        return Err(richman_core::Error::Cancelled);
    }
    let nodes: Vec<Node> = arena.nodes().collect();
    // One minus what `player` needs is at least this.
    let chance = CommonShares::new(nodes.iter().map(|&node| match player {
        Player::Alice => shares.get(node).high.complement(),
        Player::Bob => shares.get(node).low,
    }));
    let least = |node: Node| {
        let moves = arena.moves(node, player.other()).iter().copied();
        moves.min_by(|&a, &b| chance.cmp(a as usize, b as usize))
    };
    // Where the game has ended nobody moves.
    let worst: Vec<Node> = nodes.iter().map(|&node| least(node).unwrap_or(node)).collect();
    let joined = |node: Node| arena.terminal(node) == Some(Terminal::Win(player));
    let keeps = |node: Node, to: Node| {
        let [node, to, worst] = [node, to, worst[node as usize]].map(|node| node as usize);
        match rate.is_richman() {
            true => chance.cmp_mean(node, to, worst) != Ordering::Greater,
            false => chance.get(node) <= threshold(rate, &chance.get(to), &chance.get(worst)),
        }
    };
    progress(arena, &nodes, player, joined, keeps, |_| true, watch)
}
