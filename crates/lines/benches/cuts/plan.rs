//! The cost of each way to cut a board into units, by counting all sets of filled cells.

use std::cmp::Ordering;
use std::collections::HashMap;

/// A board, and how far it is solved.
pub struct Size {
    pub rows: u32,
    pub cols: usize,
    /// The most stones; the positions with that many are bounded by their lines.
    pub leaves: Option<u32>,
}

/// What a cut costs. Bytes are before compression.
#[derive(Default, Clone)]
pub struct Cost {
    pub units: u64,
    /// Units that other units wait for, one after another.
    pub levels: u32,
    /// Tasks if small units are pooled up to the size aimed at, and large blocks are cut.
    pub tasks: u64,
    pub positions: u128,
    /// Positions of the largest unit.
    pub largest: u128,
    pub stored: u128,
    /// Bytes that some other unit reads.
    pub exported: u128,
    /// Bytes read, each time counted.
    pub read: u128,
    /// Two adjacent layers of the largest unit, and what the unit with most input reads.
    pub memory: u128,
    pub input: u128,
    /// Positions of the longest chain of units.
    pub chain: u128,
    /// Positions left if mirrored units are left out; 0 if they cannot be.
    pub mirrored: u128,
    /// Bytes that are then read from mirrored units, whose bits are in another order.
    pub turned: u128,
    /// Bytes read if mirrored units are left out.
    pub half: u128,
}

impl Size {
    fn cells(&self) -> u32 {
        self.rows * self.cols as u32
    }

    fn last(&self) -> u32 {
        self.leaves.unwrap_or(self.cells())
    }

    fn width(&self, stones: u32) -> u128 {
        match (self.leaves, self.cells() - stones) {
            (Some(_), _) | (_, 8..16) => 2,
            (_, 0..8) => 1,
            (_, 16..32) => 4,
            _ => 8,
        }
    }

    /// The heights of the columns of every set of filled cells.
    fn shapes(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let base = u64::from(self.rows) + 1;
        let digits = move |number: u64| -> Vec<u32> {
            (0..self.cols as u32).map(|col| (number / base.pow(col) % base) as u32).collect()
        };
        (0..base.pow(self.cols as u32)).map(digits).filter(|heights| heights.iter().sum::<u32>() <= self.last())
    }
}

/// By layers: tasks of about `aim` positions, each a part of a block or several blocks.
pub fn layers(size: &Size, aim: u128) -> Cost {
    let last = size.last();
    let mut cost = Cost { levels: last + 1, largest: aim, ..Cost::default() };
    let mut small = vec![0_u128; last as usize + 1];
    let mut cut = vec![0_u128; last as usize + 1];
    for heights in size.shapes() {
        let stones: u32 = heights.iter().sum();
        let (positions, open) = (1_u128 << stones, heights.iter().filter(|h| **h < size.rows).count() as u128);
        cost.units += 1;
        cost.positions += positions;
        cost.stored += positions * size.width(stones);
        if stones > 0 {
            cost.exported += positions * size.width(stones);
        }
        if stones < last {
            cost.read += 2 * open * positions * size.width(stones + 1);
            cost.input = cost.input.max(2 * open * positions.min(aim) * size.width(stones + 1));
        }
        let is_kept = |heights: &[u32]| heights.iter().cmp(heights.iter().rev()).is_le();
        if is_kept(&heights) {
            cost.mirrored += positions;
            for col in (0..size.cols).filter(|col| stones < last && heights[*col] < size.rows) {
                let mut next = heights.clone();
                next[col] += 1;
                let read = 2 * positions * size.width(stones + 1);
                cost.half += read;
                cost.turned += if is_kept(&next) { 0 } else { read };
            }
        }
        if positions < aim {
            small[stones as usize] += positions;
        } else {
            cut[stones as usize] += positions / aim;
        }
        cost.memory = cost.memory.max(positions.min(aim) * size.width(stones));
    }
    for (small, cut) in small.iter().zip(&cut) {
        let tasks = small.div_ceil(aim) + cut;
        cost.tasks += tasks as u64;
        cost.chain += if *cut > 0 { aim } else { (*small).min(aim) };
    }
    cost
}

struct Class {
    /// Positions and their bytes by number of stones, for one filling of the fixed cells.
    positions: Vec<u128>,
    stored: u128,
    read: u128,
    exported: u128,
}

/// Fixes the filling of the lowest `depth` cells of every column. A unit is all positions with the
/// same stones there; a column that has fewer grows only in other units.
pub fn fixed(size: &Size, depth: &[u32], aim: u128) -> Cost {
    let last = size.last();
    let mut classes: HashMap<Vec<u32>, Class> = HashMap::new();
    for heights in size.shapes() {
        let low: Vec<u32> = heights.iter().zip(depth).map(|(h, depth)| *h.min(depth)).collect();
        let (stones, fixed): (u32, u32) = (heights.iter().sum(), low.iter().sum());
        let none = || Class { positions: vec![0; last as usize + 2], stored: 0, read: 0, exported: 0 };
        let class = classes.entry(low.clone()).or_insert_with(none);
        let positions = 1_u128 << (stones - fixed);
        class.positions[stones as usize] += positions;
        class.stored += positions * size.width(stones);
        if stones < last {
            let closed = low.iter().zip(depth).filter(|(low, depth)| low < depth).count() as u128;
            class.read += 2 * closed * positions * size.width(stones + 1);
        }
        if heights.iter().zip(depth).any(|(h, depth)| (1..=*depth).contains(h)) {
            class.exported += positions * size.width(stones);
        }
    }
    let mut sorted: Vec<&Vec<u32>> = classes.keys().collect();
    sorted.sort_by_key(|low| std::cmp::Reverse(low.iter().sum::<u32>()));
    let mut chains: HashMap<&Vec<u32>, u128> = HashMap::new();
    let mut cost = Cost { levels: depth.iter().sum::<u32>().min(last) + 1, ..Cost::default() };
    let symmetric = depth.iter().eq(depth.iter().rev());
    for low in sorted {
        let class = &classes[low];
        let units = 1_u128 << low.iter().sum::<u32>();
        let positions: u128 = class.positions.iter().sum();
        cost.units += units as u64;
        cost.tasks += (units * positions).div_ceil(positions.max(aim)) as u64;
        cost.positions += units * positions;
        cost.largest = cost.largest.max(positions);
        cost.stored += units * class.stored;
        cost.read += units * class.read;
        cost.exported += units * class.exported;
        let bytes = |stones: u32| class.positions[stones as usize] * size.width(stones.min(last));
        let memory = (0..last).map(|stones| bytes(stones) + bytes(stones + 1)).max().unwrap_or(0);
        let pool = (aim / positions).clamp(1, units);
        cost.memory = cost.memory.max(memory * pool);
        cost.input = cost.input.max(class.read * pool);
        let next = |col: usize| {
            let mut next = low.clone();
            next[col] += 1;
            chains.get(&next).copied().unwrap_or(0)
        };
        let after = (0..depth.len()).filter(|col| low[*col] < depth[*col]).map(next).max().unwrap_or(0);
        chains.insert(low, positions + after);
        cost.chain = cost.chain.max(positions + after);
        if symmetric {
            // A unit is its own mirror image if its fixed stones are.
            let order = |low: &Vec<u32>| low.iter().cmp(low.iter().rev());
            let half = low.len().div_ceil(2);
            let same = if order(low).is_eq() { 1_u128 << low[..half].iter().sum::<u32>() } else { 0 };
            cost.mirrored += (units + same) * positions;
            let closed: Vec<usize> = (0..depth.len()).filter(|col| low[*col] < depth[*col]).collect();
            let kept = match order(low) {
                Ordering::Less => 2 * units,
                Ordering::Equal => units + same,
                Ordering::Greater => 0,
            };
            cost.half += kept * class.read / 2;
            for col in &closed {
                let mut next = low.clone();
                next[*col] += 1;
                let turned = match order(&next) {
                    Ordering::Less => 0,
                    Ordering::Equal => 1,
                    Ordering::Greater => 2,
                };
                cost.turned += kept * turned * class.read / closed.len() as u128 / 4;
            }
        }
    }
    cost.mirrored /= 2;
    cost
}

fn short(number: u128) -> String {
    let number = number as f64;
    match number {
        0.0..1e4 => format!("{number:.0}"),
        1e4..1e6 => format!("{:.3}k", number / 1e3),
        1e6..1e9 => format!("{:.3}M", number / 1e6),
        1e9..1e12 => format!("{:.3}G", number / 1e9),
        _ => format!("{:.3}T", number / 1e12),
    }
}

fn show(name: &str, cost: &Cost) {
    let ratio = |part: u128| part as f64 / cost.stored as f64;
    println!(
        "| {name} | {} | {} | {} | {} | {:.3} | {:.3} | {} | {} | {} | {} | {} |",
        short(cost.units.into()),
        short(cost.tasks.into()),
        cost.levels,
        short(cost.largest),
        ratio(cost.read),
        ratio(cost.exported),
        short(cost.memory),
        short(cost.input),
        short(cost.chain),
        if cost.mirrored == 0 { "-".into() } else { format!("{:.3}", cost.mirrored as f64 / cost.positions as f64) },
        if cost.half == 0 { "-".into() } else { format!("{:.3}", cost.turned as f64 / cost.half as f64) },
    );
}

/// Prints the costs of all cuts of the boards that matter.
pub fn print() {
    let boards =
        [(4, 5, None), (5, 5, None), (5, 6, None), (6, 6, None), (6, 7, Some(18)), (6, 7, Some(19)), (6, 7, Some(20))];
    for (rows, cols, leaves) in boards {
        let size = Size { rows, cols, leaves };
        // Units of about ten seconds, on small boards a hundredth of the whole.
        let aim = if rows * cols as u32 > 25 { 1 << 30 } else { 1 << 22 };
        let whole = layers(&size, aim);
        let end = leaves.map_or(String::new(), |leaves| format!(" up to {leaves} stones"));
        println!("\n{rows} x {cols}{end}: {} fillings, {} bytes", whole.positions, whole.stored);
        println!("pooled and cut to {} positions\n", short(aim));
        println!(
            "| cut | units | tasks | levels | largest | read | exported | memory | input | chain | mirrored | turned |"
        );
        println!("|{}", " --- |".repeat(12));
        show("layers", &whole);
        for k in 1..=3 {
            let depth: Vec<u32> = (0..cols).map(|col| if col < k { rows } else { 0 }).collect();
            show(&format!("{k} columns, edge"), &fixed(&size, &depth, aim));
        }
        for k in 1..=3 {
            let first = (cols - k) / 2;
            if (cols - k).is_multiple_of(2) {
                let inside = |col: usize| (first..first + k).contains(&col);
                let depth: Vec<u32> = (0..cols).map(|col| if inside(col) { rows } else { 0 }).collect();
                show(&format!("{k} columns, middle"), &fixed(&size, &depth, aim));
            }
        }
        for rows in 1..=3 {
            show(&format!("{rows} rows"), &fixed(&size, &vec![rows; cols], aim));
        }
        if cols == 7 {
            for depth in [[0, 1, 1, 1, 1, 1, 0], [0, 0, 2, 2, 2, 0, 0], [0, 1, 1, 2, 1, 1, 0]] {
                show(&format!("{depth:?}"), &fixed(&size, &depth, aim));
            }
        }
    }
}
