//! The questions of section 4.

use richman_core::{Bids, Effort, Player, Total};

use super::super::{Finding, Session};
use crate::Error;
use crate::subtraction::general_sum::{self, PayoffGame, PayoffMove};
use crate::subtraction::{Heaps, SubtractionRules, ValuePeriod, period};

/// Periods of all sets within 1..6 and totals up to 20: the set, the total, the least heap from
/// which on values repeat, and the least period.
const PERIODS: &str = include_str!("../lpr20_periods.tsv");

/// The non-empty sets of numbers from 1 to `most`.
fn sets(most: u32) -> impl Iterator<Item = Vec<u32>> {
    (1u32..1 << most.min(20)).map(move |mask| (1..=most).filter(|take| mask >> (take - 1) & 1 == 1).collect())
}

pub fn finite_sets(session: &mut Session) -> Result<Finding, Error> {
    const HEAPS: u64 = 1_000; // far beyond the first repetition of each
    let (most, totals) = if session.deep { (8, 24u32) } else { (6, 20) };
    let mut finding = Finding::over(format!(
        "every set within 1..{most}, TB from 0 to {totals}: a repeated state proves the period, twice the largest \
         number of the set, and maximin equals minimax; sets within 1..6 and TB to 20 as in lpr20_periods.tsv"
    ));
    for (set, total) in sets(most).flat_map(|set| (0..=totals).map(move |total| (set.clone(), total))) {
        let rules = SubtractionRules::new(&set, Total::new(total)?, &Bids::All, &Bids::All)?;
        let found = period(&rules, HEAPS, &Effort::default())?;
        let names = set.iter().map(u32::to_string).collect::<Vec<_>>().join("+");
        let at = || format!("set and TB {names}, {total}");
        let law =
            |found: &ValuePeriod| set.last().is_some_and(|&most| found.period == 2 * u64::from(most)) && found.unique;
        finding.holds(found.as_ref().is_some_and(law), at);
        if set.iter().all(|&take| take <= 6) && total <= 20 {
            let place = format!("{names}\t{total}\t");
            let recorded = PERIODS.lines().find(|line| line.starts_with(&place)).unwrap_or("not recorded");
            let repeats = found.map_or("-\t-".into(), |found| format!("{}\t{}", found.from, found.period));
            finding.compare(at, recorded, place + &repeats);
        }
    }
    Ok(finding)
}

/// The search for a repetition stops at this heap.
const MOST_HEAPS: u64 = 500;

/// All sets of bids within 0..=`total`.
fn bid_sets(total: u32) -> Vec<Vec<u32>> {
    sets(total + 1).map(|set| set.into_iter().map(|bid| bid - 1).collect()).collect()
}

/// The period of unitary games with these bids; `None` unless somebody can always bid and a period
/// is found.
fn repeats(total: u32, alice: &[u32], bob: &[u32]) -> Result<Option<ValuePeriod>, Error> {
    let bids = [alice, bob].map(|bids| Bids::Only(bids.to_vec()));
    match SubtractionRules::new(&[1], Total::new(total)?, &bids[0], &bids[1]) {
        Ok(rules) => Ok(period(&rules, MOST_HEAPS, &Effort::default())?),
        Err(richman_core::Error::NobodyCanBid { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Counts the common sets of bids for a total: all, those that converge to period 2, those of
/// period 4, and those where maximin is not always minimax.
fn same_bids(total: u32, zero: bool) -> Result<[u32; 4], Error> {
    let mut counts = [0; 4];
    for bids in bid_sets(total).iter().filter(|bids| (bids[0] == 0) == zero) {
        let Some(found) = repeats(total, bids, bids)? else { continue };
        counts[0] += 1;
        counts[1] += u32::from(found.period <= 2 && found.drift == 0);
        counts[2] += u32::from(found.period == 4 && found.drift == 0);
        counts[3] += u32::from(!found.unique);
    }
    Ok(counts)
}

/// The largest total of claims about all sets of bids.
const MOST: u32 = 9;

pub fn restricted_bids(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "unitary heaps, TB from 0 to {MOST}, every set of bids that both players have and with which somebody can \
         always bid"
    ));
    for total in 0..=MOST {
        for zero in [true, false] {
            let [all, converge, ..] = same_bids(total, zero)?;
            if all > 0 {
                let at = format!("TB = {total}, {} 0", if zero { "with" } else { "without" });
                finding.compare(|| at, format!("{all} of {all} converge"), format!("{converge} of {all} converge"));
            }
        }
    }
    Ok(finding)
}

pub fn no_zero(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "unitary heaps, TB from 1 to {MOST}, every set of bids that both players have: without 0 values have period 2 \
         or 4; where the first game is that has no equilibrium in pure strategies, with 0 and without"
    ));
    // The first totals with games without equilibria, and the number of such sets of bids.
    let mut missing = [None, None];
    for total in 1..=MOST {
        let [all, two, four, _] = same_bids(total, false)?;
        finding.compare(|| format!("TB = {total}: sets of period 2 or 4"), all, two + four);
        for (missing, zero) in missing.iter_mut().zip([false, true]) {
            let [.., lost] = same_bids(total, zero)?;
            if lost > 0 && missing.is_none() {
                *missing = Some((total, lost));
            }
        }
    }
    let shown =
        |found: Option<(u32, u32)>| found.map_or("none".into(), |(total, lost)| format!("TB = {total}, {lost} sets"));
    finding.compare(|| "the first without an equilibrium, without 0".into(), "TB = 8, 8 sets", shown(missing[0]));
    finding.compare(|| "the first without an equilibrium, with 0".into(), "TB = 9, 16 sets", shown(missing[1]));
    for (total, amounts) in [(8, vec![2, 3]), (9, vec![0, 2, 3])] {
        let bids = Bids::Only(amounts.clone());
        let rules = SubtractionRules::new(&[1], Total::new(total)?, &bids, &bids)?;
        let first = Heaps::new(&rules).take(100).position(|row| !row.is_unique());
        finding.compare(
            || format!("TB = {total}, bids {amounts:?}: the first heap without an equilibrium"),
            "3",
            first.map_or("none".into(), |heap| heap.to_string()),
        );
    }
    Ok(finding)
}

pub fn partizan_bids(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 5 } else { 4 };
    let mut finding = Finding::over(format!(
        "unitary heaps, TB from 1 to {most}, every pair of sets of bids: with the same least bid values are bounded, \
         else they grow forever in favour of the lower least bid, by one for each item if that is 0; and a bid more \
         is never worse"
    ));
    for total in 1..=most {
        let all = bid_sets(total);
        for (index, alice) in all.iter().enumerate() {
            for bob in &all {
                let Some(found) = repeats(total, alice, bob)? else { continue };
                let (mine, other) = (alice[0], bob[0]);
                let sure = if mine == 0 || other == 0 { found.drift.unsigned_abs() == found.period } else { true };
                let holds = found.drift.signum() == i64::from(other).cmp(&i64::from(mine)) as i64;
                let at = || format!("TB = {total}, {alice:?} against {bob:?}");
                finding.holds(holds && (sure || mine == other), at);
            }
            // With one more bid for Alice, against her own former bids.
            for extra in (0..=total).filter(|extra| !alice.contains(extra)) {
                let more: Vec<u32> = (0..=total).filter(|bid| *bid == extra || alice.contains(bid)).collect();
                let (Some(less), Some(more)) = (repeats(total, alice, alice)?, repeats(total, &more, alice)?) else {
                    continue;
                };
                let holds = (0..40).all(|heap| match (less.row(heap), more.row(heap)) {
                    (Some(less), Some(more)) => {
                        let [less, more] = [&less, &more].map(|row| row.maximin.iter().flatten());
                        less.zip(more).all(|(a, b)| a <= b)
                    }
                    _ => false,
                });
                finding.holds(holds, || format!("TB = {total}, set {index} of bids and {extra}"));
            }
        }
    }
    Ok(finding)
}

/// A state where one more chip is worse for Alice: the marker's owner, and her chips before. Only
/// positions with determined equilibria for all chips count.
fn chip_hurts(game: &PayoffGame, total: u32) -> Result<Option<(Player, u32)>, Error> {
    let states = general_sum::solve(game, Total::new(total)?, [&Bids::All, &Bids::All], &Effort::default())?;
    let Some(start) = states.last() else { return Ok(None) };
    for star in Player::BOTH {
        let row: Option<Vec<_>> = start[star as usize].iter().map(|state| state.one()).collect();
        let worse = row.and_then(|row| row.windows(2).position(|pair| pair[0][0] > pair[1][0]));
        if let Some(chips) = worse {
            return Ok(Some((star, chips as u32)));
        }
    }
    Ok(None)
}

pub fn self_interest(session: &mut Session) -> Result<Finding, Error> {
    let (take, total, heap) = if session.deep { (6, 8u32, 30) } else { (5, 6, 16) };
    let mut finding = Finding::over(format!(
        "every set within 1..{take}, TB from 0 to {total}, heaps to {heap}: every state has an equilibrium in pure \
         strategies; where all lead to the same amounts, a chip more is not worse"
    ));
    for set in sets(take) {
        let game = PayoffGame::subtraction(&set, heap);
        for chips in 0..=total {
            let states = general_sum::solve(&game, Total::new(chips)?, [&Bids::All, &Bids::All], &Effort::default())?;
            for (heap, states) in states.iter().enumerate() {
                for star in Player::BOTH {
                    let row = &states[star as usize];
                    let exists = !row.contains(&general_sum::Equilibrium::None);
                    let worse = |pair: &[general_sum::Equilibrium]| match (pair[0].one(), pair[1].one()) {
                        (Some(less), Some(more)) => less[0] > more[0],
                        _ => false,
                    };
                    let holds = exists && !row.windows(2).any(worse);
                    finding.holds(holds, || format!("set {set:?}, TB = {chips}, x = {heap}"));
                }
            }
        }
    }
    Ok(finding)
}

/// Games in which each inner position leads to the previous one and to `options` - 1 ends, the
/// first one to `options` ends. Ends have amounts from 0 to `most`, ascending at each position.
fn chains(inner: usize, options: usize, most: i64) -> Vec<PayoffGame> {
    let amounts: Vec<[i64; 2]> = (0..=most).flat_map(|alice| (0..=most).map(move |bob| [alice, bob])).collect();
    let choices = |count: usize| -> Vec<Vec<[i64; 2]>> {
        let mut all: Vec<Vec<usize>> = vec![vec![]];
        for _ in 0..count {
            all = all
                .into_iter()
                .flat_map(|chosen| {
                    let from = chosen.last().copied().unwrap_or(0);
                    (from..amounts.len()).map(move |next| [chosen.clone(), vec![next]].concat())
                })
                .collect();
        }
        all.into_iter().map(|chosen| chosen.into_iter().map(|index| amounts[index]).collect()).collect()
    };
    let (first, others) = (choices(options), choices(options - 1));
    let mut games: Vec<Vec<Vec<[i64; 2]>>> = first.into_iter().map(|ends| vec![ends]).collect();
    for _ in 1..inner {
        games = games
            .into_iter()
            .flat_map(|game| others.iter().map(move |ends| [game.clone(), vec![ends.clone()]].concat()))
            .collect();
    }
    let build = |positions: Vec<Vec<[i64; 2]>>| {
        let mut game = PayoffGame::default();
        let end = game.position(Vec::new(), Vec::new()).ok()?;
        let mut last = None;
        for ends in positions {
            let moves: Vec<PayoffMove> = last
                .map(|to| PayoffMove { to, gains: [0, 0] })
                .into_iter()
                .chain(ends.into_iter().map(|gains| PayoffMove { to: end, gains }))
                .collect();
            last = game.position(moves.clone(), moves).ok();
        }
        Some(game)
    };
    games.into_iter().filter_map(build).collect()
}

pub fn trees(session: &mut Session) -> Result<Finding, Error> {
    let deep = session.deep;
    let mut finding = Finding::over(
        "chains of positions with amounts of 0 to 2 at the ends, or up to 3 with --deep: every one of them, as many of \
         each kind as the cells say",
    );
    // Columns: inner positions, options of each, TB, and whether one more chip can be worse.
    for (inner, options, total, printed) in [
        (2, 2, 1, false),
        (2, 2, 2, false),
        (2, 2, 3, false),
        (2, 3, 1, false),
        (2, 3, 2, true),
        (3, 2, 1, false),
        (3, 2, 2, false),
    ] {
        let most = if deep && inner == 2 && options == 2 { 3 } else { 2 };
        let mut found = false;
        for game in chains(inner, options, most) {
            if chip_hurts(&game, total)?.is_some() {
                found = true;
                break;
            }
        }
        let at = format!("{inner} positions with {options} options, TB = {total}: a chip can hurt");
        finding.compare(|| at, printed, found);
    }
    Ok(finding)
}
