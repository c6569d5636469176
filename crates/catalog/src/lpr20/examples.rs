//! The numbers in LPR20: the game of the introduction, examples 11 and 12, figures 1 and 2.

use super::super::{Finding, Session};
use super::UnitaryValues;
use crate::Error;

pub fn section_1(_: &mut Session) -> Result<Finding, Error> {
    let unit = UnitaryValues::new(5)?;
    let mut finding = Finding::over("two items, TB = 5");
    finding.compare(|| "$1 and the marker".into(), 0, unit.hat(2, 1));
    finding.compare(|| "the marker only".into(), -2, unit.hat(2, 0));
    finding.compare(|| "$1 only".into(), -2, unit.plain(2, 1));
    Ok(finding)
}

pub fn example_11(_: &mut Session) -> Result<Finding, Error> {
    // The text fills in the question mark.
    const PRINTED: [[i64; 6]; 3] = [[0; 6], [1, 1, 1, -1, -1, -1], [2, 2, 0, 0, 0, -2]];
    let unit = UnitaryValues::new(5)?;
    let mut finding = Finding::default();
    for (heap, row) in PRINTED.iter().enumerate() {
        for (chips, printed) in (0..=5).rev().zip(row) {
            finding.compare(|| format!("x = {heap}, {chips}"), printed, unit.hat(heap, chips));
        }
    }
    // Right's minimum for each bid at (2, 1).
    for (bid, printed) in [(0, -2), (1, 0)] {
        let column = (0..=4).map(|other| unit.entry(2, 1, true, bid, other)).min().unwrap_or(0);
        finding.compare(|| format!("minimum for the bid {bid}"), printed, column);
    }
    Ok(finding)
}

/// Columns are Left's bids and then the maximum; the last row is the minimum.
const EXAMPLE_12: [(u32, &[&[i64]]); 2] = [
    (
        6,
        &[
            &[1, 1, 1, 1, -1, -1, -3, 1],
            &[1, 1, 1, 1, -1, -1, -3, 1],
            &[3, 3, 1, 1, -1, -1, -3, 3],
            &[3, 3, 3, -1, -1, -1, -3, 3],
            &[1, 1, 1, -1, -1, -1, -3, 1],
        ],
    ),
    (
        4,
        &[
            &[1, 1, -1, -1, -1, 1],
            &[-1, 1, -1, -1, -1, 1],
            &[-1, -1, -1, -1, -1, -1],
            &[1, 1, 1, -1, -1, 1],
            &[1, 1, 1, 1, -3, 1],
            &[3, 3, 3, 3, 3, 3],
            &[-1, -1, -1, -1, -3, -1],
        ],
    ),
];

/// The table of a heap when Left has $`chips` and the marker: bids, then the maximum of each row
/// and the minimum of each column.
fn table(unit: &UnitaryValues, heap: usize, chips: u32) -> Vec<Vec<i64>> {
    let rest = unit.total - chips;
    let line = |other| -> Vec<i64> { (0..=chips).map(|mine| unit.entry(heap, chips, true, mine, other)).collect() };
    let mut lines: Vec<Vec<i64>> = (0..=rest).map(line).collect();
    let least = (0..=chips as usize).map(|mine| lines.iter().map(|line| line[mine]).min().unwrap_or(0)).collect();
    lines.push(least);
    for line in &mut lines {
        line.extend(line.iter().copied().max());
    }
    lines
}

pub fn example_12(_: &mut Session) -> Result<Finding, Error> {
    let unit = UnitaryValues::new(9)?;
    let mut finding = Finding::over(
        "the tables are those of $6 and $4 with the marker, by their size; their cells are compared with the heap to \
         which all bids belong",
    );
    for (number, (chips, printed)) in (1..).zip(EXAMPLE_12) {
        let bids = |lines: &[Vec<i64>]| lines.iter().zip(printed).all(|(line, printed)| line == printed);
        let heaps: Vec<usize> = (1..unit.heaps()).filter(|&heap| bids(&table(&unit, heap, chips))).collect();
        let list: Vec<String> = heaps.iter().map(usize::to_string).collect();
        finding.compare(|| format!("heap of table {number}"), 9, list.join(" or "));
        let lines = table(&unit, heaps.first().copied().unwrap_or(9), chips);
        for (row, (line, printed)) in lines.iter().zip(printed).enumerate() {
            for (column, (computed, printed)) in line.iter().zip(printed.iter()).enumerate() {
                finding.compare(
                    || format!("table {number}, row {}, column {}", row + 1, column + 1),
                    printed,
                    computed,
                );
            }
        }
    }
    Ok(finding)
}

/// Compares the values of large heaps, the richest Left first, with those printed for even and odd
/// heaps.
fn large_heaps(unit: &UnitaryValues, printed: [&[i64]; 2], finding: &mut Finding) {
    let last = unit.heaps() - 1;
    for (parity, line) in printed.iter().enumerate() {
        let heap = if last % 2 == parity { last } else { last - 1 };
        let word = if parity == 0 { "even" } else { "odd" };
        for (chips, printed) in (0..=unit.total).rev().zip(line.iter()) {
            finding.compare(|| format!("x {word}, {chips}"), printed, unit.hat(heap, chips));
        }
    }
}

pub fn figure_1(_: &mut Session) -> Result<Finding, Error> {
    let unit = UnitaryValues::new(8)?;
    let mut finding = Finding::over("the rows at convergence, which repeat");
    large_heaps(&unit, [&[4, 4, 2, 2, 0, 0, -2, -2, -4], &[5, 3, 3, 1, 1, -1, -1, -3, -3]], &mut finding);
    let odd = (unit.heaps() - 1) | 1;
    let odd = if odd < unit.heaps() { odd } else { odd - 2 };
    finding.compare(|| "both bid 0 from (x, 8), x odd: 5 = 1 - (-4)".into(), 5, unit.entry(odd, 8, true, 0, 0));
    Ok(finding)
}

pub fn figure_2(_: &mut Session) -> Result<Finding, Error> {
    let unit = UnitaryValues::new(9)?;
    let mut finding = Finding::over("the rows at convergence, which repeat");
    large_heaps(&unit, [&[6, 4, 4, 2, 2, 0, -2, -2, -4, -4], &[5, 5, 3, 3, 1, -1, -1, -3, -3, -5]], &mut finding);
    let even = (unit.heaps() - 1) & !1;
    // Right has no chips, so his bid is 0.
    for (bid, printed) in [(0, true), (1, true), (3, false)] {
        let in_equilibrium = unit.entry(even, 9, true, bid, 0) == unit.hat(even, 9);
        finding.compare(|| format!("from (x, 9), x even, bidding {bid} is in equilibrium"), printed, in_equilibrium);
    }
    finding.compare(|| "5 + 1".into(), 6, unit.entry(even, 9, true, 1, 0));
    Ok(finding)
}
