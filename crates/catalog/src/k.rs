//! K's claims: Kleinman, Bidding games.

use fastrand::Rng;
use richman_check::{arenas, policies, random_turn};
use richman_core::{Arena, ArenaBuilder, Effort, Mechanism, Node, Player, Rate, Share, Terminal};
use richman_solvers::money;

use super::samples::ArenaKind;
use super::{Claims, Finding, Session};
use crate::Error;

mod hex;
mod selection;

/// In the order of the notes.
pub const CLAIMS: Claims = &[
    ("Theorem 1.1", theorem_1_1),
    ("Section 1", section_1),
    ("Section 2", section_2),
    ("Theorem 2.1", theorem_2_1),
    ("Theorem 2.2", theorem_2_2),
    ("Theorem 3.1", theorem_3_1),
    ("Theorem 4.1", selection::theorem_4_1),
    ("Proposition 4.1", selection::proposition_4_1),
    ("Lemma 4.1", selection::lemma_4_1),
    ("Proposition 5.1", hex::proposition_5_1),
    ("Proposition 5.2", hex::proposition_5_2),
    ("Section 5", hex::section_5),
];

/// Graphs as in the notes: two ends, a (Alice wins) and b, and the same moves for both players.
/// With `open`, an end can be reached from everywhere.
fn graphs(session: &Session) -> Result<Vec<Arena>, Error> {
    let mut rng = Rng::with_seed(1980);
    let count = if session.deep { 3000 } else { 300 };
    let mut graphs = Vec::new();
    while graphs.len() < count {
        let (mut builder, _) = ArenaBuilder::with_wins();
        let vertices = rng.u32(1..=6);
        for _ in 0..vertices {
            let moves: Vec<Node> = (0..rng.u32(1..=3)).map(|_| rng.u32(0..vertices + 2)).collect();
            builder.position(&moves, &moves);
        }
        let graph = builder.build(2)?;
        if ends_everywhere(&graph) {
            graphs.push(graph);
        }
    }
    Ok(graphs)
}

fn ends_everywhere(graph: &Arena) -> bool {
    let mut ends: Vec<bool> = graph.nodes().map(|node| graph.terminal(node).is_some()).collect();
    for _ in graph.nodes() {
        for node in graph.nodes() {
            ends[node as usize] |= graph.successors(node).iter().any(|&to| ends[to as usize]);
        }
    }
    ends.into_iter().all(|end| end)
}

fn loop_() -> Result<Arena, Error> {
    let (mut builder, _) = ArenaBuilder::with_wins();
    builder.position(&[2], &[2]);
    Ok(builder.build(2)?)
}

const LOOP: &str = "a vertex whose only move leads back to it";

fn range(session: &Session) -> String {
    let count = if session.deep { 3000 } else { 300 };
    format!(
        "{count} random graphs of up to 6 vertices and two ends with the same moves for both players, an end within \
         reach of every vertex"
    )
}

/// Alice's win and draw threshold at every vertex: the greatest and the least solution of the
/// equations.
fn thresholds(graph: &Arena) -> Result<Vec<(Share, Share)>, Error> {
    thresholds_within(graph, None)
}

fn thresholds_within(graph: &Arena, within: Option<u32>) -> Result<Vec<(Share, Share)>, Error> {
    let solution = money::solve(graph, &Mechanism::default(), &Effort { within, ..Effort::default() })?;
    Ok(graph.nodes().map(|node| (solution.win.get(node).high, solution.draw.get(node).low)).collect())
}

fn one_number(session: &Session, printed: &str) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("{}; and {LOOP}", range(session)));
    for (number, graph) in graphs(session)?.iter().enumerate() {
        for (node, (win, draw)) in thresholds(graph)?.into_iter().enumerate() {
            finding.compare(|| format!("graph {number}, vertex {node}"), win, draw);
        }
    }
    let (win, draw) = thresholds(&loop_()?)?[2].clone();
    let computed = if win == draw { printed.to_string() } else { format!("every number from {draw} to {win}") };
    finding.compare(|| LOOP.to_string(), printed, computed);
    Ok(finding)
}

pub fn theorem_1_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = one_number(session, "one number")?;
    for differ in &mut finding.differ {
        differ.computed = "none: nobody ever wins".to_string();
    }
    Ok(finding)
}

/// Strategies fixed in advance, from the thresholds within t = 1, 2, ... moves. A bid of half the
/// difference between the next thresholds leaves Alice, at her threshold, with exactly what she
/// needs within t - 1 moves, whoever wins the bid, and Bob at his. More money, or higher bids of
/// the other, leave both better off. Alice's thresholds fall to R and Bob's rise to it.
pub fn section_1(session: &mut Session) -> Result<Finding, Error> {
    const MOVES: u32 = 6;
    let mut finding =
        Finding::over(format!("{}; by thresholds within up to {MOVES} moves and without limit", range(session)));
    for (number, graph) in graphs(session)?.iter().enumerate() {
        let within = |moves: Option<u32>| thresholds_within(graph, moves);
        let whole = within(None)?;
        // Each player's thresholds within 0, 1, ... moves, as Alice's shares: she needs everything
        // where she has not won.
        let ends = |needs: fn(Terminal) -> bool| -> Vec<Share> {
            let share = |node| if graph.terminal(node).is_some_and(needs) { Share::ONE } else { Share::ZERO };
            graph.nodes().map(share).collect()
        };
        let wins: Vec<Share> = ends(|end| end == Terminal::Win(Player::Alice)).iter().map(Share::complement).collect();
        let mut before: Vec<(Share, Share)> =
            wins.into_iter().zip(ends(|end| end == Terminal::Win(Player::Bob))).collect();
        for moves in 1..=MOVES {
            let now = within(Some(moves))?;
            for node in graph.nodes().filter(|&node| graph.terminal(node).is_none()) {
                let leads = |threshold: &Share, need: &dyn Fn(&(Share, Share)) -> Share| {
                    let after = || graph.successors(node).iter().map(|&to| need(&before[to as usize]));
                    let (Some(least), Some(most)) = (after().min(), after().max()) else { return false };
                    let bid = Share::half_difference(&least, &most);
                    let (win, loss) =
                        (Rate::RICHMAN.after_win(threshold, &bid), Rate::RICHMAN.after_loss(threshold, &bid));
                    win == Some(least) && loss == Some(most)
                };
                let (win, draw) = &now[node as usize];
                let holds = leads(win, &|(win, _)| win.clone())
                    && leads(&draw.complement(), &|(_, draw)| draw.complement())
                    && win >= &whole[node as usize].0
                    && draw <= &whole[node as usize].1;
                finding.holds(holds, || format!("graph {number}, vertex {node}, {moves} moves"));
            }
            before = now;
        }
        for (node, (win, draw)) in whole.iter().enumerate() {
            finding.holds(win == draw, || format!("graph {number}, vertex {node}"));
        }
    }
    Ok(finding)
}

pub fn theorem_2_2(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = one_number(session, "one number")?;
    for (number, graph) in graphs(session)?.iter().enumerate() {
        let shares = thresholds(graph)?;
        for node in graph.nodes().filter(|&node| graph.terminal(node).is_none()) {
            let after = || graph.successors(node).iter().map(|&to| &shares[to as usize].0);
            let (Some(least), Some(most)) = (after().min(), after().max()) else { continue };
            let mean = Share::mean(least, most);
            finding.compare(|| format!("graph {number}, vertex {node}, the equation"), &shares[node as usize].0, mean);
        }
    }
    Ok(finding)
}

/// R(v, t) of section 2, for Bob: 0 at b, 1 at a, 1/2 elsewhere for t = 0. In units of 2^-62,
/// rounded down and up.
fn kleinman(graph: &Arena, moves: u32) -> Vec<(u64, u64)> {
    const FIXED_POINT_UNIT: u64 = 1 << 62;
    let start = |node| match graph.terminal(node) {
        Some(Terminal::Win(Player::Alice)) => FIXED_POINT_UNIT,
        Some(_) => 0,
        None => FIXED_POINT_UNIT / 2,
    };
    let mut values: Vec<(u64, u64)> = graph.nodes().map(|node| (start(node), start(node))).collect();
    for _ in 0..moves {
        let before = values.clone();
        for node in graph.nodes().filter(|&node| graph.terminal(node).is_none()) {
            let after = || graph.successors(node).iter().map(|&to| before[to as usize]);
            let sum =
                |of: fn((u64, u64)) -> u64| after().map(of).min().unwrap_or(0) + after().map(of).max().unwrap_or(0);
            values[node as usize] = (sum(|value| value.0) / 2, sum(|value| value.1).div_ceil(2));
        }
    }
    values
}

/// Whether Bob's share lies in the bounds widened by 2^-20.
fn near(share: &Share, (low, high): (u64, u64)) -> bool {
    const SLACK: u64 = 1 << 42;
    let (value, _) = share.floor_dyadic(62);
    low.saturating_sub(SLACK) <= value && value <= high + SLACK
}

fn limit_is(session: &Session, finding: &mut Finding, number: impl Fn(&(Share, Share)) -> Share) -> Result<(), Error> {
    for (index, graph) in graphs(session)?.iter().enumerate() {
        let reached = kleinman(graph, 4000);
        for (node, shares) in thresholds(graph)?.iter().enumerate() {
            let holds = reached[node].1 - reached[node].0 < 1 << 30 && near(&number(shares), reached[node]);
            finding.holds(holds, || format!("graph {index}, vertex {node}"));
        }
    }
    Ok(())
}

pub fn section_2(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!("{}; t = 4000, to within 2^-20 of the solution", range(session)));
    limit_is(session, &mut finding, |(win, _)| win.complement())?;
    Ok(finding)
}

/// Bob's share must be above 1 - (Alice's draw threshold).
pub fn theorem_2_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "the limit: {}, t = 4000, to within 2^-20; within t moves: tug of war of length 2 to 4, t up to 4",
        range(session)
    ));
    limit_is(session, &mut finding, |(_, draw)| draw.complement())?;
    for length in 2..=4 {
        let graph = arenas::path(length)?;
        for moves in 0..=4 {
            let printed = kleinman(&graph, moves);
            let effort = Effort { within: Some(moves), ..Effort::default() };
            let needs = money::solve(&graph, &Mechanism::default(), &effort)?.draw;
            let short = (1..length).find(|&at| {
                let (needed, _) = needs.get(at).low.complement().floor_dyadic(62);
                printed[at as usize].0 < needed
            });
            let computed = short.map_or("wins within t".to_string(), |at| {
                format!(
                    "at node {at} he needs {} and not {}",
                    needs.get(at).low.complement(),
                    Share::dyadic(printed[at as usize].0, 62)
                )
            });
            finding.compare(|| format!("length {length}, t = {moves}"), "wins within t", computed);
        }
    }
    Ok(finding)
}

pub fn theorem_3_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "{}, by all pairs of policies where there are at most 1000; {}, by the tree of coin tosses",
        range(session),
        session.range(ArenaKind::Decided)
    ));
    for (number, graph) in graphs(session)?.iter().enumerate() {
        let Some(chances) = policies::chance(graph, Player::Alice, 1000) else { continue };
        for (node, ((win, _), chance)) in thresholds(graph)?.iter().zip(&chances).enumerate() {
            finding.compare(|| format!("graph {number}, vertex {node}"), win.complement(), chance);
        }
    }
    for (number, arena) in session.arenas(ArenaKind::Decided)?.iter().enumerate() {
        let chance = random_turn::probability(arena, arena.start(), false, arena.len() as u32);
        let (win, _) = &thresholds(arena)?[arena.start() as usize];
        finding.compare(|| format!("arena {number}"), win.complement(), chance);
    }
    Ok(finding)
}
