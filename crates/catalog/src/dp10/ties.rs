//! Sections 2.3, 3.2 and 7: how ties are broken.

use std::collections::HashSet;

use dashu_int::IBig;
use dashu_ratio::RBig;
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{
    Arena, ArenaBuilder, ChipSolution, Effort, Forces, Holding, Mechanism, Node, Outcome, Player, Right, Threshold,
    Ties, Total, Turn,
};
use richman_solvers::{chips, money};

use super::super::samples::{self, ArenaKind};
use super::super::{Finding, Session};
use super::{Recursion, one_turn, solve};
use crate::Error;
use crate::tug_of_war::richman::halved;

/// Whether every win without the star stays one with it, and every win with the star stays one with
/// another chip instead, for both players at every position. Then the winning holdings are upward
/// closed in 0 < 0* < 1 < ...
fn star_is_worth_less_than_a_chip(session: &Session, ties: Ties) -> Result<Finding, Error> {
    let most = if session.deep { 40 } else { 16 };
    let mut finding =
        Finding::over(format!("{}, every position, both players, totals up to {most}", session.range(ArenaKind::Any)));
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        for total in 0..=most {
            let solution = solve(arena, ties, total)?;
            for node in arena.nodes() {
                let ordered = |player| solution.wins[player].threshold(node, solution.total).holding().is_some();
                let holds = Player::BOTH.into_iter().all(ordered);
                finding.holds(holds, || format!("arena {number}, position {node}, {total} chips"));
            }
        }
    }
    Ok(finding)
}

/// The solver's thresholds have a fixed order by type, so they are compared with played-out
/// holdings.
pub fn section_2_3(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 6 } else { 4 };
    let mut finding = Finding::over(format!(
        "{}, every position, both players, totals up to {most}, played out by definition, with the thresholds of the \
         solver",
        session.range(ArenaKind::Any)
    ));
    let mechanism = Mechanism::default();
    for (number, arena) in session.arenas(ArenaKind::Any)?.iter().enumerate() {
        for total in 0..=most {
            let oracle = Oracle::new(arena, &mechanism, total, None);
            let solution = solve(arena, Ties::Advantage, total)?;
            for (node, player) in arena.nodes().flat_map(|node| Player::BOTH.map(|player| (node, player))) {
                // Whether the holdings 0, 0*, 1, 1*, ... win.
                let wins: Vec<bool> = (0..2 * total + 2)
                    .map(|held| {
                        let (own, rest) = (held / 2, total - held / 2);
                        let star = if held % 2 == 1 { player } else { player.other() };
                        let [alice, bob] = if player == Player::Alice { [own, rest] } else { [rest, own] };
                        oracle.rank(player, OracleState { node, alice, bob, star }).is_some()
                    })
                    .collect();
                let least = wins.iter().position(|&wins| wins).unwrap_or(wins.len());
                let found = Threshold::at(least as u32) == solution.wins[player].threshold(node, solution.total);
                finding.holds(wins.is_sorted() && found, || format!("arena {number}, {node}, {player}, {total} chips"));
            }
        }
    }
    Ok(finding)
}

/// The outcome with `k` chips each in the game that the second mover wins.
fn second_mover(ties: Ties, k: u32, star: Player) -> Result<Outcome, Error> {
    let arena = samples::second_mover()?;
    let hold = |player| Holding::new(k, star == player);
    Ok(solve(&arena, ties, 2 * k)?.outcome(arena.start(), hold(Player::Alice)?, hold(Player::Bob)?))
}

/// If the star must be used, or goes to the loser of a bid, the second mover wins without it.
fn second_mover_wins_without_the_star(session: &Session, ties: Ties, finding: &mut Finding) -> Result<(), Error> {
    for k in 0..=most_each(session) {
        for star in Player::BOTH {
            let found = second_mover(ties, k, star)?;
            finding.compare(|| format!("{k} chips each, the star {star}'s"), Outcome::Win(star.other()), found);
        }
    }
    Ok(())
}

fn most_each(session: &Session) -> u32 {
    if session.deep { 500 } else { 50 }
}

pub fn section_3_2(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "ties `marker`, the game of Example 3.5 where the second mover wins, up to {} chips each: whoever must use the \
         star loses",
        most_each(session)
    ));
    second_mover_wins_without_the_star(session, Ties::Marker, &mut finding)?;
    Ok(finding)
}

pub fn losers_ball(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "up to {} chips each; and the game E, where with the same chips the holder wins",
        most_each(session)
    ));
    second_mover_wins_without_the_star(session, Ties::Loser, &mut finding)?;
    // So the holding k wins one game, and k with the star loses it; in E it is the reverse.
    let (second, even) = (samples::second_mover()?, samples::first_mover()?);
    for k in 0..=most_each(session) {
        let win = |arena: &Arena| Ok::<_, Error>(solve(arena, Ties::Loser, 2 * k)?.thresholds(arena.start()).win);
        let printed = [Threshold { plain: k, star: k + 1 }, Threshold { plain: k + 1, star: k }];
        let found = [win(&second)?, win(&even)?];
        finding.holds(printed == found, || format!("thresholds with {k} chips each"));
    }
    Ok(finding)
}

pub fn make_it_take_it(session: &mut Session) -> Result<Finding, Error> {
    star_is_worth_less_than_a_chip(session, Ties::Winner)
}

/// A holding in the paper's notation: the player without our star holds the -epsilon-chip.
fn with_epsilon(half_steps: u32) -> String {
    format!("{}{}", half_steps / 2, if half_steps.is_multiple_of(2) { "-e" } else { "" })
}

/// The printed recursion, on half-steps: c - epsilon is 2c, and c is 2c + 1.
fn printed_recursion(alice: u32, bob: u32) -> u32 {
    let sum = alice / 2 + bob / 2;
    let plain = |half_steps: u32| half_steps % 2 == 1;
    let delta = match sum.is_multiple_of(2) {
        true if plain(bob) => 1,
        true => 0,
        false if plain(alice) => 2,
        false => 1,
    };
    2 * (sum / 2) + delta
}

/// The corrected recursion, in half-steps: floor(low/2) + ceil(high/2), where low <= high are f_A
/// and f_B (theorem 13 (Make-it Take-it) of docs/design.md).
fn recursion(alice: u32, bob: u32) -> u32 {
    alice.min(bob) / 2 + alice.max(bob).div_ceil(2)
}

pub fn make_it_take_it_recursion(session: &mut Session) -> Result<Finding, Error> {
    const MOST: u32 = 3;
    let mut finding = Finding::over(format!(
        "all pairs f_A, f_B of thresholds with {MOST} chips, by the definition of a turn; f_A > f_B is a zugzwang; e \
         is epsilon, 0-e what wins without a chip, and {}-e what nobody has",
        MOST + 1
    ));
    let recursions: [Recursion; 2] = [("", printed_recursion), (", the recursion of docs/design.md", recursion)];
    one_turn(&mut finding, Ties::Winner, MOST, with_epsilon, recursions);
    // The same on whole games.
    for (number, arena) in session.arenas(ArenaKind::Acyclic)?.iter().enumerate() {
        for total in 0..=8 {
            let solution = solve(arena, Ties::Winner, total)?;
            let needs = |node: Node| {
                let threshold = solution.wins.alice.threshold(node, solution.total);
                threshold.plain + threshold.star
            };
            for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
                let of = |player| arena.moves(node, player).iter().map(|&to| needs(to));
                let alice = of(Player::Alice).min().unwrap_or(0);
                let bob = of(Player::Bob).max().unwrap_or(0);
                let at = || format!("arena {number}, position {node}, {total} chips, the recursion of docs/design.md");
                finding.compare(at, recursion(alice, bob), needs(node));
            }
        }
    }
    finding.range += &format!("; as it should be, on {}", session.range(ArenaKind::Acyclic));
    Ok(finding)
}

fn product(n: u32) -> RBig {
    (1..=n).fold(RBig::ONE, |product, j| product * (RBig::ONE - halved(j)))
}

pub fn truncations(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 30 } else { 16 };
    let mut finding = Finding::over(format!("n up to {most}"));
    let arena = samples::longer_and_longer(most)?;
    for n in 0..=most {
        let effort = Effort { within: Some(n * (n + 1) / 2), ..Effort::default() };
        let found = money::solve(&arena, &Mechanism::default(), &effort)?.win.get(arena.start());
        let found = found.as_exact().map_or("bounds only".to_string(), |share| share.rational().to_string());
        finding.compare(|| format!("n = {n}"), product(n), found);
    }
    Ok(finding)
}

/// The rest of the product is at least 1 - 1/2^n, because (1 - x)(1 - y) >= 1 - x - y. Euler's
/// pentagonal number theorem gives the same number as a series whose partial sums alternate around
/// it.
pub fn infinite_product(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 400 } else { 100 };
    let mut finding = Finding::over("");
    let mut last = (RBig::ZERO, RBig::ONE);
    for n in 1..=most {
        let high = product(n);
        let bounds = (&high * (RBig::ONE - halved(n)), high);
        let narrower = last.0 <= bounds.0 && bounds.1 <= last.1 && bounds.0 > RBig::ZERO;
        finding.holds(narrower, || format!("bounds after {n} factors"));
        last = bounds;
    }
    // 1 - x - x^2 + x^5 + x^7 - x^12 - x^15 + ... at x = 1/2, cut after pairs of terms.
    let mut sum = RBig::ONE;
    for k in 1..=6u32 {
        let pair = halved(k * (3 * k - 1) / 2) + halved(k * (3 * k + 1) / 2);
        let odd = k % 2 == 1;
        sum = if odd { sum - pair } else { sum + pair };
        let beside = if odd { sum <= last.0 } else { sum >= last.1 };
        finding.holds(beside, || format!("the series after {k} pairs"));
    }
    let digits = |bound: &RBig| (bound * RBig::from(IBig::from(10u8).pow(24))).floor().to_string();
    let (low, high) = (digits(&last.0), digits(&last.1));
    let same: String = low.chars().zip(high.chars()).take_while(|(low, high)| low == high).map(|pair| pair.0).collect();
    finding.range = format!(
        "exact rational bounds after up to {most} factors, and by the series of pentagonal numbers: R(G) = 0.{same}..."
    );
    Ok(finding)
}

/// Alice's threshold with `total` chips when she wins all ties and must win one of `runs` runs: r
/// after a run of j moves becomes r - r/2^j, rounded up, before it (theorem 14 (Ladies First) of
/// docs/design.md).
fn ladies_need(runs: u32, total: u32) -> u32 {
    (1..=runs).rev().fold(total + 1, |need, run| need - u64::from(need).div_ceil(1 << run.min(40)) as u32)
}

pub fn ladies_first(session: &mut Session) -> Result<Finding, Error> {
    let (most, bids, runs) = if session.deep { (60, 16, 12) } else { (30, 9, 9) };
    let mut finding = Finding::over(format!(
        "totals up to {most}: with no chips of k she wins once there are k + 1 runs, not sooner, and the last chance \
         is the last move of those; bids of 0 from every state that follows, totals up to {bids}. With fewer runs she \
         needs, exactly, what is left of k + 1 when the runs n, n - 1, ..., 1 each take away their 2^-j-th part, \
         rounded up: up to {runs} runs, totals up to 200"
    ));
    for total in 0..=most {
        let arena = samples::longer_and_longer(total + 1)?;
        let solution = solve(&arena, Ties::Alice, total)?;
        let nothing = Holding::new(0, false)?;
        let fewest = (total + 1) * (total + 2) / 2;
        let found = solution.rank(Player::Alice, arena.start(), nothing);
        finding.compare(|| format!("moves with {total} chips"), format!("{:?}", Some(fewest)), format!("{found:?}"));
        let shorter = samples::longer_and_longer(total)?;
        let thresholds = solve(&shorter, Ties::Alice, total)?.thresholds(shorter.start());
        // Bob cannot win at all, so she needs nothing for a draw.
        let held = thresholds.win.plain > 0 && thresholds.draw.plain == 0;
        finding.holds(held, || format!("{total} chips, one run less"));
        if total <= bids {
            finding.holds(zeros_win(&arena, &solution), || format!("bids of 0 with {total} chips"));
        }
    }
    for runs in 0..=runs {
        let arena = samples::longer_and_longer(runs)?;
        let totals = Total::new(0)?..=Total::new(200)?;
        let table =
            chips::table(&arena, &Mechanism { ties: Ties::Alice, ..Mechanism::default() }, totals, &Effort::default())?;
        for (total, row) in (0..).zip(&table) {
            let at = || format!("{runs} runs, {total} chips");
            finding.compare(at, ladies_need(runs, total), row.win.plain);
        }
    }
    Ok(finding)
}

/// Whether 0 is a good bid for Alice in every state that she reaches from nothing by bidding 0.
fn zeros_win(arena: &Arena, solution: &ChipSolution) -> bool {
    let total = solution.total.chips();
    let wins = |node: Node, own: u32| {
        solution.wins.alice.threshold(node, solution.total).is_met_by(Holding::from_half_steps(2 * own))
    };
    let (mut open, mut seen) = (vec![(arena.start(), 0)], HashSet::new());
    while let Some((node, own)) = open.pop() {
        if arena.terminal(node).is_some() || !seen.insert((node, own)) {
            continue;
        }
        let any = |own, player| arena.moves(node, player).iter().any(|&to| wins(to, own));
        let all = |own, player| arena.moves(node, player).iter().all(|&to| wins(to, own));
        let turn = Turn {
            mechanism: &solution.mechanism,
            player: Player::Alice,
            own,
            other: total - own,
            star: false,
            content: |won, left, _, _| {
                Right::Chooses.sees_to(won, |own| if own { any(left, Player::Alice) } else { all(left, Player::Bob) })
            },
        };
        if !turn.is_good(0) {
            return false;
        }
        open.extend(arena.moves(node, Player::Alice).iter().map(|&to| (to, own)));
        let bids = 1..=total - own;
        open.extend(bids.flat_map(|bid| arena.successors(node).iter().map(move |&to| (to, own + bid))));
    }
    true
}

/// The first mover chooses Ladies First or A^2. Real money prefers A^2 (1/4, less than the
/// product). If Alice wins ties, she wins the other with nothing, but A^2 only with floor((k +
/// 1)/4) chips.
pub fn unstable_for_ever(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 60 } else { 30 };
    let mut finding = Finding::over(format!(
        "whoever moves first chooses the game of Ladies First, of k + 1 runs, or A^2 (R = 1/4): k from 3 to {most}, \
         what Alice needs in each"
    ));
    finding.holds(product(100) * (RBig::ONE - halved(100)) > halved(2), || "R(A^2) < R(G)".to_string());
    for total in 3..=most {
        let needs =
            |arena: &Arena| Ok::<_, Error>(solve(arena, Ties::Alice, total)?.thresholds(arena.start()).win.plain);
        let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
        let once = builder.position(&[alice], &[bob]);
        let twice = builder.position(&[alice], &[once]);
        let squared = builder.build(twice)?;
        let found = [needs(&samples::longer_and_longer(total + 1)?)?, needs(&squared)?];
        let differ = found[0] < found[1] && found == [0, (total + 1) / 4];
        finding.holds(differ, || format!("{total} chips"));
    }
    Ok(finding)
}
