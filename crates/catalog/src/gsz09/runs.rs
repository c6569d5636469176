//! Right's strategy in the proof of Theorem 3.5 (b), and Fact 3.7 about the runs against it.

use std::collections::HashSet;

use super::super::{Finding, Session};
use super::everywhere;
use super::richman::k;
use crate::Error;

fn printed_answer(n: u32, at: u32, alice: u32, bid: u32) -> u32 {
    let step = at.saturating_sub(n);
    let printed = at >= n && alice == step * (step + 1) / 2 && bid <= step;
    if printed { step + 1 } else { 0 }
}

/// A run against that strategy that has neither ended nor returned to a node with less money of
/// Left: the token's node, Left's money, and her most at each earlier node.
struct StrategyRun {
    at: u32,
    alice: u32,
    most: Vec<Option<u32>>,
    moves: u32,
    straight: bool,
}

pub fn fact_3_7(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("n up to 6, every run, which all bids of Left make");
    for n in 1..=6 {
        let length = 2 * n;
        let (mut runs, mut exception) = (0, None);
        let mut open =
            vec![StrategyRun { at: n, alice: 0, most: vec![None; length as usize + 1], moves: 0, straight: true }];
        while let Some(run) = open.pop() {
            for bid in 0..=run.alice {
                let paid = printed_answer(n, run.at, run.alice, bid);
                let right = paid > bid;
                let (at, alice) = if right { (run.at + 1, run.alice + paid) } else { (run.at - 1, run.alice - bid) };
                let mut most = run.most.clone();
                let had = &mut most[run.at as usize];
                *had = (*had).max(Some(run.alice));
                let straight = run.straight && right;
                if most[at as usize].is_some_and(|most| alice < most) || (at == length && straight) {
                    runs += 1;
                } else if at == 0 || at == length || run.moves == length {
                    exception.get_or_insert_with(|| format!("none of the two at node {at} with {alice}"));
                } else {
                    open.push(StrategyRun { at, alice, most, moves: run.moves + 1, straight });
                }
            }
        }
        everywhere(&mut finding, format!("n = {n}, {runs} runs"), "one of the two", exception);
    }
    Ok(finding)
}

/// Plays that strategy for Right against every play of Left.
pub fn theorem_3_5_proof(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("n up to 6, every play of Left against the strategy as printed");
    for n in 1..=6 {
        let (total, length) = (k(n), 2 * n);
        let answer = |at: u32, alice: u32, bid: u32| printed_answer(n, at, alice, bid);
        // The states from which Right reaches his end whatever Left does.
        let mut won: HashSet<(u32, u32)> = (0..=total).map(|alice| (length, alice)).collect();
        loop {
            let found: Vec<(u32, u32)> = (1..length)
                .flat_map(|at| (0..=total).map(move |alice| (at, alice)))
                .filter(|&(at, alice)| {
                    let after = |bid| match answer(at, alice, bid) {
                        paid if paid > bid => (at + 1, alice + paid),
                        _ => (at - 1, alice - bid),
                    };
                    !won.contains(&(at, alice)) && (0..=alice).all(|bid| won.contains(&after(bid)))
                })
                .collect();
            if found.is_empty() {
                break;
            }
            won.extend(found);
        }
        let computed = if won.contains(&(n, 0)) { "Right wins" } else { "he does not" };
        finding.compare(|| format!("n = {n}"), "Right wins", computed);
    }
    Ok(finding)
}
