//! Sections 3.3 to 3.5 and 5: periods, the bidding automaton, convergence, forced wins.

use richman_analysis::unitary::{BidFigure, Convergence, ConvergenceLaw, convergence, drawing};
use richman_core::{Effort, Total, Unwatched};
use richman_heaps::subtraction::Unitary;
use richman_heaps::subtraction::automaton::{self, BidWin, Edge, HeapParity};

use super::super::{Finding, Session};
use super::{UnitaryValues, every_total, largest, name};
use crate::Error;
use crate::subtraction::{SubtractionRules, period};

fn total(chips: u32) -> Result<Total, Error> {
    Ok(Total::new(chips)?)
}

/// The automaton's entry by definition: 1 less the entry of the other parity for Right.
fn dual(entry: impl Fn(HeapParity, u32) -> i64, parity: HeapParity, chips: u32, total: u32) -> i64 {
    1 - entry(parity.other(), total - chips)
}

pub fn theorem_25(session: &mut Session) -> Result<Finding, Error> {
    let most = largest(session);
    let mut finding = Finding::over(format!("TB from 0 to {most}; a repeated row proves the period"));
    for chips in 0..=most {
        let rules = SubtractionRules::unitary(total(chips)?)?;
        let found = period(&rules, 2_000, &Effort::default())?.map(|found| found.period);
        finding.compare(|| format!("TB = {chips}"), "2", found.map_or("none".into(), |period| period.to_string()));
    }
    Ok(finding)
}

pub fn lemma_26(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 1000 } else { 300 };
    let mut finding = Finding::over(format!(
        "alpha: entries of every even TB to {most} and their duals; beta: every odd TB to {most} as an identity, and \
         the entries of TB = 9"
    ));
    for chips in 0..=most {
        let size = total(chips)?;
        for p in 0..=chips {
            let delta = 2 * i64::from(p) - i64::from(chips);
            let at = |what: &str| format!("TB = {chips}, p = {p}, {what}");
            if chips % 2 == 0 {
                let (even, odd) = (automaton::alpha_even(delta), automaton::alpha_odd(delta));
                let alpha = |parity, p| {
                    let delta = 2 * i64::from(p) - i64::from(chips);
                    if parity == HeapParity::Even { automaton::alpha_even(delta) } else { automaton::alpha_odd(delta) }
                };
                finding.holds(odd == dual(alpha, HeapParity::Odd, p, chips), || at("odd"));
                finding.holds(even == dual(alpha, HeapParity::Even, p, chips), || at("even"));
            } else {
                let beta = automaton::beta_printed(delta);
                finding.holds(beta == 1 - automaton::beta_printed(-delta), || at("1 - beta(-delta)"));
            }
            let dual = |parity| dual(|parity, p| automaton::value(size, parity, p), parity, p, chips);
            for parity in HeapParity::BOTH {
                finding.holds(automaton::value(size, parity, p) == dual(parity), || at("entries"));
            }
        }
    }
    let unit = UnitaryValues::new(9)?;
    let last = unit.heaps() - 1;
    for (word, parity) in [("even", 0), ("odd", 1)] {
        let heap = if last % 2 == parity { last } else { last - 1 };
        for p in (0..=9).rev() {
            let beta = automaton::beta_printed(2 * i64::from(p) - 9);
            finding.compare(|| format!("TB = 9, x {word}, {p}"), beta, unit.hat(heap, p));
        }
    }
    Ok(finding)
}

pub fn lemma_27(session: &mut Session) -> Result<Finding, Error> {
    every_total(session, |unit, finding| {
        let Ok(size) = total(unit.total) else { return };
        for (heap, p) in unit.places() {
            let (value, entry) = (unit.hat(heap, p), automaton::value(size, HeapParity::of(heap as u64), p));
            let holds = if 2 * p >= unit.total { value <= entry } else { value >= entry };
            finding.holds(holds, || name(unit, heap, p));
        }
    })
}

fn converged(session: &Session) -> Result<(u32, Vec<Convergence>), Error> {
    let most = if session.deep { 1000 } else { 300 };
    // Bids by definition check the stream of unitary games up to this total, before it serves for
    // larger ones.
    const COMPARED: u32 = 12;
    for chips in 0..=COMPARED {
        let (unit, mut game) = (UnitaryValues::new(chips)?, Unitary::new(total(chips)?)?);
        for heap in 0..unit.heaps() {
            if !(0..).zip(game.row()).all(|(p, &value)| unit.hat(heap, p) == i64::from(value)) {
                return Err(Error::Damaged { reason: format!("the solver is wrong: TB = {chips}, x = {heap}") });
            }
            game.advance();
        }
    }
    Ok((most, convergence(total(0)?..=total(most)?, &Unwatched)?))
}

pub fn theorem_28(session: &mut Session) -> Result<Finding, Error> {
    let (most, rows) = converged(session)?;
    let law =
        ConvergenceLaw::fitted(&rows).map_or_else(String::new, |law| format!("; fitted to TB = 2m - 1 and 2m: {law}"));
    let mut finding = Finding::over(format!("TB from 0 to {most}, where games converge{law}"));
    for row in &rows {
        finding.holds(row.converged <= row.bound, || format!("TB = {}", row.total));
        finding.holds(row.converged <= row.proved, || format!("TB = {}, the proved bound", row.total));
    }
    Ok(finding)
}

pub fn even_sum(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("TB = 0, 2, 4, 6: printed the closed form, computed the sum");
    for chips in [0u32, 2, 4, 6] {
        let sum: u32 = (0..=chips).step_by(2).map(|delta| delta + 1).sum();
        let half = chips / 2;
        finding.compare(|| format!("TB = {chips}"), 1 + (half + 1) * half - half, 1 + sum - chips);
    }
    Ok(finding)
}

pub fn conjecture_29(session: &mut Session) -> Result<Finding, Error> {
    let (most, rows) = converged(session)?;
    let mut finding = Finding::over(format!(
        "TB from 0 to {most}, all values of both parities, with beta read as in Lemma 27; for every TB it is theorem \
         21 (unitary games, large heaps) of docs/design.md"
    ));
    for row in &rows {
        finding.holds(row.automaton, || format!("TB = {}", row.total));
    }
    Ok(finding)
}

pub fn tight_bound(session: &mut Session) -> Result<Finding, Error> {
    let (_, rows) = converged(session)?;
    let mut finding = Finding::over("TB from 0 to 12; the gap grows with TB");
    for row in rows.iter().take(13) {
        finding.compare(|| format!("TB = {}", row.total), row.bound, row.converged);
    }
    Ok(finding)
}

pub fn theorem_30(session: &mut Session) -> Result<Finding, Error> {
    let most: u32 = if session.deep { 1000 } else { 300 };
    let mut finding = Finding::over(format!(
        "TB from 0 to {most}, every p, all x for which TB suffices and two more; fewer chips never do, so the bounds \
         are sharp"
    ));
    for chips in 0..=most {
        let mut game = Unitary::new(total(chips)?)?;
        for heap in 1..=chips.checked_ilog2().unwrap_or(0) + 3 {
            game.advance();
            let power = 1i64 << heap;
            for p in 0..=chips {
                let (p_, q) = (i64::from(p), i64::from(chips - p));
                let forced = |value: Option<i32>| value == Some(heap as i32);
                let with = (power - 1) * q + power / 2 - 1;
                let without = (power - 1) * (q + 1);
                let value = game.row().get(p as usize).copied();
                let at = |who: &str| format!("TB = {chips}, x = {heap}, p = {p}, {who}");
                finding.holds(forced(value) == (p_ >= with), || at("the marker with Left"));
                let value = game.without_marker(p);
                finding.holds(forced(value) == (p_ >= without), || at("the marker with Right"));
            }
        }
    }
    Ok(finding)
}

const DRAWN: &str =
    "TB = 5; the copy of the paper has the captions, not the drawings, so what the captions say is compared";

fn edges(won: BidWin, bid: u32, relevant: bool) -> Result<Vec<Edge>, Error> {
    Ok(automaton::edges(total(5)?, won, bid, relevant))
}

pub fn figure_3(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(DRAWN);
    for bid in 0..=5 {
        let all = edges(BidWin::Tie, bid, false)?.len() == 6;
        finding.compare(|| format!("all nodes have outgoing edges at bid {bid}"), bid == 0, all);
    }
    let four = edges(BidWin::Tie, 0, false)?.into_iter().find(|edge| edge.from == 4);
    finding.compare(
        || "$4, a tie at 0: Right gets the marker and has".into(),
        1,
        four.map_or(-1, |edge| i64::from(edge.to)),
    );
    Ok(finding)
}

pub fn figure_4(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(DRAWN);
    for won in [BidWin::Alice, BidWin::Bob] {
        for bid in 1..=5 {
            let without = |bid| edges(won, bid, false).map(|edges| 6 - edges.len());
            let grows = bid == 5 || without(bid)? < without(bid + 1)?;
            finding.holds(grows, || format!("{won:?} wins: more nodes without edges than at bid {bid}"));
        }
    }
    Ok(finding)
}

/// The omitted edges are no better for the bid's winner than a bid of 1 less.
fn dominated(won: BidWin) -> Result<Finding, Error> {
    let unit = UnitaryValues::new(5)?;
    let mut finding = Finding::over(DRAWN);
    let mut left_out = 0;
    for bid in 1..=5 {
        let kept = edges(won, bid, true)?;
        for edge in edges(won, bid, false)?.into_iter().filter(|edge| !kept.contains(edge)) {
            left_out += 1;
            for heap in 0..unit.heaps() {
                let holds = match won {
                    // Left also wins with 1 less, by a tie at worst.
                    BidWin::Alice if bid == 6 - edge.from => unit.hat(heap, edge.to) <= unit.plain(heap, edge.to + 1),
                    BidWin::Alice => unit.hat(heap, edge.to) <= unit.hat(heap, edge.to + 1),
                    _ => unit.hat(heap, edge.to) >= unit.hat(heap, edge.to - 1),
                };
                finding.holds(holds, || format!("x = {heap}, p = {}, bid {bid}", edge.from));
            }
        }
    }
    let shown = drawing(total(5)?, if won == BidWin::Alice { BidFigure::AliceWins } else { BidFigure::BobWins });
    let kept: usize = shown.pictures.iter().map(|picture| picture.edges.len()).sum();
    finding.compare(|| "bids that remain and bids that do not".into(), 15, kept + left_out);
    Ok(finding)
}

pub fn figure_5(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = dominated(BidWin::Alice)?;
    // Left's higher bids are irrelevant: the tie at a bid of 1 less is at least as good.
    let unit = UnitaryValues::new(5)?;
    for bid in 1..=5 {
        for edge in edges(BidWin::Alice, bid, true)? {
            for heap in 0..unit.heaps() {
                let holds = unit.hat(heap, edge.to) <= unit.plain(heap, edge.to + 1);
                finding.holds(holds, || format!("x = {heap}, p = {}, bid {bid} and a tie", edge.from));
            }
        }
    }
    Ok(finding)
}

pub fn figure_6(_: &mut Session) -> Result<Finding, Error> {
    dominated(BidWin::Bob)
}
