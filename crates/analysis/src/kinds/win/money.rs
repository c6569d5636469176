//! The report of a real-money solution: thresholds, best bid, best moves.

mod ends;
mod moves;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::time::Duration;

use richman_core::{
    Arena, ByPlayer, CommonShares, Effort, Error as CoreError, Instant, LabelledArena, Mechanism, MoneySolution, Move,
    Node, Player, Rate, Share, ShareBounds, Shares, TimedWatch, Walk, Watch, Winnable, bytes_for_progress, progress,
};
use richman_engine::{CONFIDENCE, EvaluatedMove, Evaluation, Origin, Value, best as best_of};
use richman_solvers::money::{self, best_bid, threshold};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{BoundsJson, Error, ReportHead, Request, ShareJson};

pub use ends::{BidSuffices, BidsSuffice, EndWin, EndWins};
pub(crate) use ends::{bids_suffice, of_one_threshold};
pub(crate) use moves::BestMoves;
pub use moves::{Moves, Undecided};

/// Safe bids by bounds: Alice's for a share above the upper bound, Bob's if Alice's share is below
/// the lower one.
///
/// Alice makes the largest bid that leaves her above the upper bound of the next position if she
/// wins it. If she loses it, Bob has paid at least as much, and she is above every upper bound that
/// can follow. Bob's bid follows from the lower bounds in the same way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SureBids {
    /// Alice's, as a share of all the money.
    pub alice: ShareJson,
    /// Bob's, as a share of all the money.
    pub bob: ShareJson,
}

/// Thresholds as Alice's money to Bob's, `"133:123"`; null if not exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ratios {
    /// At the win threshold.
    pub win: Option<String>,
    /// At the draw threshold.
    pub draw: Option<String>,
}

impl From<[Option<String>; 2]> for Ratios {
    fn from([win, draw]: [Option<String>; 2]) -> Ratios {
        Ratios { win, draw }
    }
}

/// A cell, and how often it decides who wins when the other cells are filled at random.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = crate::json::shares::described)]
pub struct CellReport {
    /// The name of the cell.
    pub cell: String,
    /// The chance that it decides.
    #[serde(flatten, serialize_with = "crate::json::shares::critical")]
    #[schemars(!flatten)]
    pub critical: BoundsJson,
}

/// Unproved estimates from a search, as shares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Estimate {
    /// Alice's threshold.
    pub needs: f64,
    /// Her threshold after her best move.
    pub after_alice: f64,
    /// Her threshold after Bob's best move.
    pub after_bob: f64,
    /// The best bid.
    pub bid: f64,
    /// The depth of the search in moves, along the likeliest lines or everywhere.
    pub depth: f64,
    /// The number of positions searched.
    pub positions: u64,
}

/// The value of a position in real money.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = crate::json::shares::described)]
pub struct MoneyReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// Alice can force a win with a larger share.
    #[serde(flatten, serialize_with = "crate::json::shares::win")]
    #[schemars(!flatten)]
    pub win: BoundsJson,
    /// Bob can force a win if Alice has a smaller share.
    #[serde(flatten, serialize_with = "crate::json::shares::draw")]
    #[schemars(!flatten)]
    pub draw: BoundsJson,
    /// Where a threshold is 0 or 1: whether the player whose win it decides can force it at that
    /// end itself. Alice's is about the win threshold, Bob's about the draw threshold; null if that
    /// is not known.
    #[serde(serialize_with = "richman_formats::by_player::serialize", skip_serializing_if = "ends::are_unknown")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Option<EndWin>>")]
    pub at_end: EndWins,
    /// The thresholds as Alice's money to Bob's.
    pub ratio: Ratios,
    /// Whether both thresholds are exact; inexact ones are bounds.
    pub exact: bool,
    /// For thresholds from random plays: the confidence of each interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<&'static str>,
    /// The estimated threshold, if nothing is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The limit of moves, if any; longer plays are draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The best bid at the win threshold, as a share of the money still in the game; null if the
    /// game is over, or one player moves without a bid.
    #[serde(flatten, serialize_with = "crate::json::shares::bid")]
    #[schemars(!flatten)]
    pub bid: Option<BoundsJson>,
    /// Moves that keep to the win threshold, or moves between which its bounds do not decide.
    pub moves: Moves,
    /// If the win threshold is only bounded: safe bids for a player on the right side of both
    /// bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sure_bids: Option<SureBids>,
    /// Whether, at the win threshold, the winner of the bid should let the other player move:
    /// moving is worse, or Alice's best moves only lead round in circles.
    pub zugzwang: bool,
    /// The best bid at the draw threshold.
    #[serde(flatten, serialize_with = "crate::json::shares::draw_bid")]
    #[schemars(!flatten)]
    pub draw_bid: Option<BoundsJson>,
    /// Moves that keep to the draw threshold.
    pub draw_moves: Moves,
    /// Where play can come back: whether always bidding exactly the best bid wins, for Alice `bid`
    /// and for Bob `draw_bid`.
    #[serde(serialize_with = "richman_formats::by_player::serialize", skip_serializing_if = "ends::are_unknown")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Option<BidSuffices>>")]
    pub bid_suffices: BidsSuffice,
    /// The number of open cells, if it is known how often each decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<usize>,
    /// How often each open cell decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellReport>,
    /// The number of solved positions; symmetric ones count once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The number of positions with exact thresholds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_positions: Option<u64>,
    /// Why the solver stopped.
    pub stop: String,
}

impl MoneyReport {
    /// Whether both players can certainly force a draw at some share.
    pub fn has_draws(&self) -> bool {
        self.win.0.low > self.draw.0.high
    }
}

/// The least time for judging the moves.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// Solves for real money and reports on the start of the arena.
///
/// # Errors
/// `Unsupported`, `Zugzwang`, `PerhapsZugzwang`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
/// Messages name positions in the game's notation.
pub fn report(request: &Request) -> Result<(MoneyReport, MoneySolution), Error> {
    let solve = |effort: &Effort| {
        money::solve(request.unfolding.arena(), request.mechanism, effort).map_err(|error| request.translate(error))
    };
    let (evaluation, solution) = match request.effort.within {
        // With a limit of t moves, the solution for t - 1 moves judges the moves, and is dropped
        // before the full solution is made.
        Some(moves) => {
            let next = solve(&Effort { within: Some(moves.saturating_sub(1)), ..request.effort })?;
            let (after, missing) = after(request, &next)?;
            drop(next);
            let solution = solve(&request.effort)?;
            (evaluation(request, &solution, after, missing), solution)
        }
        None => {
            let solution = solve(&request.effort)?;
            let (after, missing) = after(request, &solution)?;
            (evaluation(request, &solution, after, missing), solution)
        }
    };
    let mut report = MoneyReport { truncated: request.effort.within, ..of_evaluation(request.head(), &evaluation) };
    if request.effort.within.is_none() {
        let (arena, held) = (request.unfolding.arena(), solution.win.bytes() + solution.draw.bytes());
        let effort = Effort { held: request.effort.held + held, ..request.effort };
        ends::add_to_win(&mut report, arena, request.mechanism, &solution, &effort)?;
        ends::add_bids_to_win(&mut report, arena, &solution, &effort)?;
    }
    Ok((report, solution))
}

fn evaluation(
    request: &Request,
    solution: &MoneySolution,
    after: ByPlayer<Vec<EvaluatedMove>>,
    missing: Option<&str>,
) -> Evaluation {
    let arena = request.unfolding.arena();
    let (positions, start) = (arena.len() as u64, arena.start());
    let exact_positions = match solution.is_exact() {
        true => positions,
        false => solution.win.exact_count().min(solution.draw.exact_count()) as u64,
    };
    let mut how = solution.stop.to_string();
    if let Some(missing) = missing {
        how.push_str(&format!("; there was no {missing} to see which of the best moves make progress"));
    }
    let here = Value::Money { win: solution.win.get(start), draw: solution.draw.get(start) };
    let origin = Origin { how, exact_positions: Some(exact_positions), ..Origin::exact(String::new(), positions) };
    Evaluation { here, after, origin }
}

/// The moves at the start with the thresholds after them, and the resource (time or memory) that
/// was missing to tell which moves make progress.
fn after(
    request: &Request,
    next: &MoneySolution,
) -> Result<(ByPlayer<Vec<EvaluatedMove>>, Option<&'static str>), Error> {
    let (unfolding, effort) = (request.unfolding, &request.effort);
    let (arena, start) = (unfolding.arena(), unfolding.arena().start());
    if effort.within == Some(0) {
        return Ok(Default::default());
    }
    let one = |step: Move| EvaluatedMove {
        target: Some(step.to),
        ..EvaluatedMove::new(step.name, Value::Money { win: next.win.get(step.to), draw: next.draw.get(step.to) })
    };
    let mut after: ByPlayer<Vec<EvaluatedMove>> =
        ByPlayer::from_fn(|player| unfolding.moves(start, player).into_iter().map(one).collect());
    let component = arena.components().component(start);
    if !arena.components().is_cyclic(component as usize) {
        return Ok((after, None));
    }
    // Even after the solver used all the time, the moves get a little.
    let deadline = effort.deadline.map(|deadline| deadline.max(Instant::now() + LEAST_TIME));
    let until = TimedWatch { watch: effort.watch, deadline };
    // The solver's temporary numbers fragment memory: KPK took 42 MB where 34 are counted.
    let held = (next.win.bytes() + next.draw.bytes()) / 4 * 5;
    let rate = request.mechanism.payment.rate();
    let mut missing = None;
    for (player, shares) in Player::BOTH.into_iter().zip([&next.win, &next.draw]) {
        let fits = effort.check_memory("the progress of moves", held + bytes_for_stages(arena, shares));
        let is_won = |node| arena.winner(node) == Some(player);
        let stages = || winning_stages(arena, rate, |node| shares.get(node), player, is_won, &until);
        let stages = match fits.and_then(|()| stages()) {
            Err(CoreError::Cancelled) if !effort.watch.cancelled() => {
                missing = Some("time");
                continue;
            }
            Err(CoreError::TooMuchMemory { .. }) => {
                missing = Some("room");
                continue;
            }
            stages => stages?,
        };
        mark_progress(arena, start, &stages, &mut after[player]);
    }
    Ok((after, missing))
}

pub(crate) fn ratio(bounds: &ShareBounds) -> Option<String> {
    let share = bounds.as_exact()?;
    Some(format!("{}:{}", share.numerator(), share.denominator() - share.numerator()))
}

/// The report if the time ran out before all positions were found: both thresholds are between 0
/// and 1.
pub fn unknown(walk: &dyn Walk, mechanism: &Mechanism, within: Option<u32>) -> MoneyReport {
    let all = || Value::Money { win: any_share(), draw: any_share() };
    let after = |player| walk.moves(player).into_iter().map(|name| EvaluatedMove::new(name, all())).collect();
    let how = "the time was up before all positions were found".to_string();
    let origin = Origin { exact_positions: Some(0), ..Origin::exact(how, 0) };
    let evaluation = Evaluation { here: all(), after: ByPlayer::from_fn(after), origin };
    MoneyReport { truncated: within, ..of_evaluation(ReportHead::at(walk, mechanism), &evaluation) }
}

fn any_share() -> ShareBounds {
    ShareBounds { low: Share::ZERO, high: Share::ONE }
}

/// The report of an engine's evaluation.
pub fn of_evaluation(head: ReportHead, evaluation: &Evaluation) -> MoneyReport {
    let rate = head.mechanism.0.payment.rate();
    let [win, draw] = thresholds(&evaluation.here);
    let estimate = Estimate::of(evaluation);
    let (bid, moves, zugzwang) = match estimate {
        Some(_) => (None, likely_moves(evaluation), false),
        None => best(rate, evaluation, Player::Alice),
    };
    let (draw_bid, draw_moves) = match &evaluation.here {
        Value::Money { .. } => {
            let (bid, moves, _) = best(rate, evaluation, Player::Bob);
            (bid, moves)
        }
        _ => (bid.clone(), moves.clone()), // there is no draw
    };
    let is_sampled = matches!(evaluation.here, Value::Sampled(_));
    let deciding = |after: &EvaluatedMove| {
        Some(CellReport { cell: after.name.clone(), critical: BoundsJson(after.decides.clone()?) })
    };
    let cells: Vec<CellReport> = evaluation.after.alice.iter().filter_map(deciding).collect();
    let [win, draw] = [win, draw].map(BoundsJson);
    MoneyReport {
        at_end: if is_sampled { ByPlayer::both(None) } else { ends::of_thresholds(&win, &draw) },
        ratio: [&win.0, &draw.0].map(|bounds| ratio(bounds).filter(|_| !is_sampled)).into(),
        exact: evaluation.here.is_exact(),
        confidence: is_sampled.then_some(CONFIDENCE),
        estimate,
        truncated: None,
        sure_bids: sure_bids(rate, evaluation),
        win,
        draw,
        bid,
        moves,
        zugzwang,
        draw_bid,
        draw_moves,
        bid_suffices: ByPlayer::both(None),
        open: (!cells.is_empty()).then_some(cells.len()),
        cells,
        positions: evaluation.origin.positions,
        exact_positions: evaluation.origin.exact_positions,
        stop: evaluation.origin.how.clone(),
        head,
    }
}

fn thresholds(value: &Value) -> [ShareBounds; 2] {
    match value {
        Value::Money { win, draw } => [win.clone(), draw.clone()],
        Value::Sampled(share) => [share.clone(), share.clone()],
        Value::Chips { .. } | Value::Estimate(_) => [any_share(), any_share()],
    }
}

impl Estimate {
    /// The estimate; `None` if the source has proved more.
    fn of(evaluation: &Evaluation) -> Option<Estimate> {
        let &Value::Estimate(needs) = &evaluation.here else { return None };
        let rounded = |share: f64| (share * 10_000.0).round() / 10_000.0;
        let best = |player: Player| best_of(&evaluation.after[player], player, Value::middle).unwrap_or(needs);
        let [after_alice, after_bob] = Player::BOTH.map(|player| rounded(best(player)));
        Some(Estimate {
            needs: rounded(needs),
            after_alice,
            after_bob,
            bid: rounded((after_bob - after_alice).abs() / 2.0),
            depth: evaluation.origin.depth.unwrap_or(0.0),
            positions: evaluation.origin.positions.unwrap_or(0),
        })
    }
}

fn likely_moves(evaluation: &Evaluation) -> Moves {
    let [alice, bob] = Player::BOTH.map(|player| {
        let after = &evaluation.after[player];
        let best = best_of(after, player, Value::middle);
        let is_best = |after: &&EvaluatedMove| after.value.as_ref().map(Value::middle) == best;
        after.iter().filter(is_best).map(|after| after.name.clone()).collect()
    });
    Moves::best(alice, bob)
}

/// The best bid, both players' best moves, and whether the position is a zugzwang, at one player's
/// win threshold.
///
/// `forcing` is the player who can force a win on the right side of the threshold. If play can
/// return to the position, only those of that player's best moves that make progress are named.
fn best(rate: Rate, evaluation: &Evaluation, forcing: Player) -> (Option<BoundsJson>, Moves, bool) {
    if let Some(best) = most_deciding(evaluation) {
        return best;
    }
    let known: ByPlayer<Vec<(&EvaluatedMove, ShareBounds)>> = evaluation.after.as_ref().map(|after| {
        let known = after.iter().filter_map(|after| Some((after, thresholds(after.value.as_ref()?))));
        known.map(|(after, [win, draw])| (after, if forcing == Player::Alice { win } else { draw })).collect()
    });
    let ByPlayer { alice, bob } = &known;
    let least = |end: fn(&ShareBounds) -> &Share| alice.iter().map(|(_, share)| end(share)).min();
    let most = |end: fn(&ShareBounds) -> &Share| bob.iter().map(|(_, share)| end(share)).max();
    fn low(bounds: &ShareBounds) -> &Share {
        &bounds.low
    }
    fn high(bounds: &ShareBounds) -> &Share {
        &bounds.high
    }
    let compared = |moves: &[(&'_ EvaluatedMove, ShareBounds)]| -> Vec<_> {
        let one = |(at, (after, share)): (usize, &(&EvaluatedMove, ShareBounds))| {
            (after.name.clone(), after.target.ok_or(at), share.low.clone(), share.high.clone())
        };
        moves.iter().enumerate().map(one).collect()
    };
    let mut choices = ByPlayer::new(BestMoves::least(&compared(alice)), BestMoves::most(compared(bob)));
    // Alice can rely on the least upper bound, Bob on the greatest lower bound.
    let ends = (least(low), least(high), most(low), most(high));
    let keeps = |share: &ShareBounds| match forcing {
        Player::Alice => Some(&share.high) == ends.1,
        Player::Bob => Some(&share.low) == ends.2,
    };
    let mut own: Vec<&EvaluatedMove> =
        known[forcing].iter().filter(|(_, share)| keeps(share)).map(|(after, _)| *after).collect();
    let choice = &mut choices[forcing];
    // The forcing player's best moves all lead round in circles, the other player's all lead on.
    let circling = choice.undecided.is_none() && own.iter().all(|after| after.leads_on == Some(false));
    if own.iter().any(|after| after.leads_on == Some(true)) {
        own.retain(|after| after.leads_on == Some(true));
    }
    let kept: HashSet<&str> = own.iter().map(|after| after.name.as_str()).collect();
    choice.retain(|name| kept.contains(name.as_str()));
    let (Some(alice_low), Some(alice_high), Some(bob_low), Some(bob_high)) = ends else {
        return (None, Moves::chosen(choices), false); // there is no bid
    };
    let zugzwang = alice_low > bob_high || circling;
    let bid = if let (true, true) = (alice_low == alice_high, bob_low == bob_high) {
        ShareBounds::exact(best_bid(rate, alice_low, bob_low))
    } else {
        // The bid grows with the difference alone.
        let gap = |less: &Share, more: &Share| if less < more { best_bid(rate, less, more) } else { Share::ZERO };
        let (least, most) = (gap(alice_high, bob_low), gap(alice_low, bob_high));
        let (less, more) = (gap(bob_high, alice_low), gap(bob_low, alice_high));
        ShareBounds { low: least.max(less), high: most.max(more) }
    };
    (Some(BoundsJson(bid)), Moves::chosen(choices), zugzwang)
}

/// The same if it is known how often each move decides: the move that decides most often is best
/// for both, and the best bid is half of that chance. These chances are known more precisely than
/// thresholds after moves.
fn most_deciding(evaluation: &Evaluation) -> Option<(Option<BoundsJson>, Moves, bool)> {
    let often = |after: &EvaluatedMove| after.decides.clone();
    let decide: Vec<ShareBounds> = evaluation.after.alice.iter().map(often).collect::<Option<_>>()?;
    let best = evaluation
        .after
        .alice
        .iter()
        .zip(&decide)
        .rev()
        .max_by(|(one, _), (two, _)| one.weight().total_cmp(&two.weight()));
    let half = |share: &Share| Share::half_difference(share, &Share::ZERO);
    let bid = best.map(|(_, often)| BoundsJson(ShareBounds { low: half(&often.low), high: half(&often.high) }))?;
    let moves = evaluation.after.alice.iter().zip(decide).enumerate();
    let choice =
        BestMoves::most(moves.map(|(at, (after, share))| (after.name.clone(), at, share.low, share.high)).collect());
    Some((Some(bid), Moves::chosen(ByPlayer::both(choice)), false))
}

/// Alice's bid is for the win threshold, Bob's for the draw threshold; `None` if the win threshold
/// is exact.
fn sure_bids(rate: Rate, evaluation: &Evaluation) -> Option<SureBids> {
    let Value::Money { win, draw } = &evaluation.here else { return None };
    if win.as_exact().is_some() {
        return None;
    }
    let after = |player: Player| {
        evaluation.after[player].iter().filter_map(|after| match &after.value {
            Some(Value::Money { win, draw }) => Some((&win.high, &draw.low)),
            _ => None,
        })
    };
    let least = after(Player::Alice).map(|(high, _)| high).min()?.min(after(Player::Bob).map(|(high, _)| high).max()?);
    let most = after(Player::Bob).map(|(_, low)| low).max()?.max(after(Player::Alice).map(|(_, low)| low).min()?);
    let bid = |share: &Share, least: &Share| rate.largest_bid(share, least).unwrap_or(Share::ZERO);
    Some(SureBids {
        alice: ShareJson(bid(&win.high, least)),
        bob: ShareJson(bid(&draw.low.complement(), &most.complement())),
    })
}

fn bytes_for_stages(arena: &Arena, shares: &Shares) -> u64 {
    /// A position's number, and its worst move.
    const PER_POSITION: u64 = 4 + 4;
    let nodes = arena.len();
    // One minus a share takes as many bytes.
    let chances = CommonShares::bytes_for(arena.nodes().map(|node| shares.get(node).low));
    bytes_for_progress(arena, nodes, arena.edges()) + PER_POSITION * nodes as u64 + chances
}

/// Says which of a player's moves at `node` come nearer to what is won at stage 0.
pub(crate) fn mark_progress<L: Winnable>(
    arena: &LabelledArena<L>,
    node: Node,
    stages: &[Option<u32>],
    moves: &mut [EvaluatedMove],
) {
    let component = arena.components().component(node);
    for after in moves {
        let Some(to) = after.target else { continue };
        let now = stages[node as usize];
        let is_nearer = stages[to as usize].is_some_and(|then| now.is_some_and(|now| then < now));
        // Where no share suffices, no move leads on to a win.
        let leaves = arena.components().component(to) != component && stages[to as usize].is_some();
        let leads_on = is_nearer || leaves;
        after.leads_on = Some(leads_on).filter(|leads_on| *leads_on || now.is_some());
    }
}

/// The stage at which each position joins those from which `player` can force the win by moves that
/// keep to the bounds; those with `is_won` are won.
pub(crate) fn winning_stages<L: Winnable>(
    arena: &LabelledArena<L>,
    rate: Rate,
    share: impl Fn(Node) -> ShareBounds,
    player: Player,
    is_won: impl Fn(Node) -> bool,
    watch: &dyn Watch,
) -> Result<Vec<Option<u32>>, CoreError> {
    if watch.cancelled() {
        return Err(CoreError::Cancelled);
    }
    let nodes: Vec<Node> = arena.nodes().collect();
    // A lower bound on one minus `player`'s threshold.
    let chance = CommonShares::new(nodes.iter().map(|&node| match player {
        Player::Alice => share(node).high.complement(),
        Player::Bob => share(node).low,
    }));
    let least = |node: Node| {
        let moves = arena.moves(node, player.other()).iter().copied();
        moves.min_by(|&a, &b| chance.cmp(a as usize, b as usize))
    };
    // Nobody moves once the game is over.
    let worst: Vec<Node> = nodes.iter().map(|&node| least(node).unwrap_or(node)).collect();
    let keeps = |node: Node, to: Node| {
        let [node, to, worst] = [node, to, worst[node as usize]].map(|node| node as usize);
        match rate.is_richman() {
            true => chance.cmp_mean(node, to, worst) != Ordering::Greater,
            false => chance.get(node) <= threshold(rate, &chance.get(to), &chance.get(worst)),
        }
    };
    progress(arena, &nodes, player, is_won, keeps, |_| true, watch)
}
