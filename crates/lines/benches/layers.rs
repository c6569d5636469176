//! Compares layers with what a programmer would write first: `cargo bench -p richman-lines --bench
//! layers`.
//!
//! Solves Connect Four in real money on several boards (`-- 4x5 5x5` chooses): by layers; by a
//! descending sweep over a dense index, a `u32` for every filling of the columns; and, on 4 x 4, by
//! memoization in a hash map. All must find the same threshold. Prints times and memory, and the
//! memory traffic of the layers beside that of copying.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use richman_core::Effort;
use richman_lines::engine::{BoardPlan, BoardQuestion, BoardStake, Layers, Shapes};

mod common;
use common::{board, lines};

fn by_layers(rows: usize, cols: usize) -> (u64, u64) {
    let question = BoardQuestion { board: board(rows, cols), stake: BoardStake::Money };
    let memory = BoardPlan::of(&question).expect("fits").memory() as u64;
    let mut layers = Layers::new(question, Effort { memory: 20 << 30, ..Effort::default() }).expect("fits");
    while layers.step().expect("not cancelled").is_some() {}
    (layers.need([0, 0], 0).expect("in memory").expect("the start"), memory)
}

/// The chance that Alice wins, in parts of 2^(open cells), for every filling. The digits of a
/// column's number are its stones, 1 for Alice's, after a leading 1.
fn by_sweep(rows: usize, cols: usize) -> (u64, u64) {
    let base = (1_usize << (rows + 1)) - 1;
    let size = base.pow(cols as u32);
    let weight: Vec<usize> = (0..cols).map(|col| base.pow(col as u32)).collect();
    let mut values = vec![0_u32; size];
    let lines = lines(rows, cols, |row, col| 1 << (col * rows + row));
    let mut digits = vec![base - 1; cols];
    for number in (0..size).rev() {
        let (mut alice, mut bob, mut open) = (0_u64, 0_u64, 0);
        for (col, digit) in digits.iter().enumerate() {
            let height = (digit + 1).ilog2() as usize;
            let hers = (digit + 1 - (1 << height)) as u64;
            alice |= hers << (col * rows);
            bob |= (((1 << height) - 1) ^ hers) << (col * rows);
            open += rows - height;
        }
        values[number] = if lines.iter().any(|line| line & !alice == 0) {
            1 << open
        } else if open == 0 || lines.iter().any(|line| line & !bob == 0) {
            0
        } else {
            let (mut most, mut least) = (0, u32::MAX);
            for (col, digit) in digits.iter().enumerate() {
                let height = (digit + 1).ilog2() as usize;
                if height < rows {
                    let with_bob = number + weight[col] * (1 << height);
                    least = least.min(values[with_bob]);
                    most = most.max(values[with_bob + weight[col] * (1 << height)]);
                }
            }
            most + least
        };
        for digit in &mut digits {
            *digit = if *digit == 0 { base - 1 } else { *digit - 1 };
            if *digit < base - 1 {
                break;
            }
        }
    }
    ((1 << (rows * cols)) - u64::from(values[0]), 4 * size as u64)
}

fn by_memo(rows: usize, cols: usize) -> (u64, u64) {
    struct Memo {
        rows: usize,
        cols: usize,
        lines: Vec<u64>,
        known: HashMap<(u64, u64), u64>,
    }
    impl Memo {
        fn value(&mut self, alice: u64, bob: u64) -> u64 {
            let open = self.rows * self.cols - (alice | bob).count_ones() as usize;
            if self.lines.iter().any(|line| line & !alice == 0) {
                return 1 << open;
            }
            if open == 0 || self.lines.iter().any(|line| line & !bob == 0) {
                return 0;
            }
            if let Some(value) = self.known.get(&(alice, bob)) {
                return *value;
            }
            let (mut most, mut least) = (0, u64::MAX);
            for col in 0..self.cols {
                let full = |row: usize| (alice | bob) >> (col * self.rows + row) & 1 == 1;
                if let Some(row) = (0..self.rows).find(|row| !full(*row)) {
                    let stone = 1 << (col * self.rows + row);
                    most = most.max(self.value(alice | stone, bob));
                    least = least.min(self.value(alice, bob | stone));
                }
            }
            self.known.insert((alice, bob), most + least);
            most + least
        }
    }
    let lines = lines(rows, cols, |row, col| 1 << (col * rows + row));
    let mut memo = Memo { rows, cols, lines, known: HashMap::new() };
    let value = memo.value(0, 0);
    ((1 << (rows * cols)) - value, memo.known.capacity() as u64 * 25)
}

/// The bytes that the layers read and write: both players' numbers of every child, and their own.
fn traffic(rows: usize, cols: usize) -> u64 {
    let question = BoardQuestion { board: board(rows, cols), stake: BoardStake::Money };
    let layers = Layers::new(question.clone(), Effort::default()).expect("fits");
    let bytes = |(stones, shapes): (u32, &Shapes)| -> u64 {
        let children: u64 = shapes.sets().iter().map(|shape| u64::from(question.board.open(*shape).count_ones())).sum();
        let read = if stones < question.board.cells() { 2 * question.width(stones + 1) as u64 * children } else { 0 };
        (read + (question.width(stones) * shapes.len()) as u64) << stones
    };
    (0..).zip(layers.shapes()).map(bytes).sum()
}

/// Bytes that all cores together read and write in a second when copying.
fn copying() -> f64 {
    const SIZE: usize = 1 << 28;
    const ROUNDS: u32 = 8;
    let from = vec![1_u8; SIZE];
    let mut to = vec![0_u8; SIZE];
    let start = Instant::now();
    for _ in 0..ROUNDS {
        to.par_chunks_mut(1 << 20).zip(from.par_chunks(1 << 20)).for_each(|(to, from)| to.copy_from_slice(from));
        black_box(&to);
    }
    let time = start.elapsed();
    2.0 * f64::from(ROUNDS) * SIZE as f64 / time.as_secs_f64()
}

fn timed<R>(run: impl Fn() -> R) -> (Duration, R) {
    let start = Instant::now();
    let found = black_box(run());
    (start.elapsed(), found)
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|text| !text.starts_with('-')).collect();
    let boards: Vec<(usize, usize)> = match &chosen[..] {
        [] => vec![(4, 4), (4, 5), (5, 5)],
        _ => chosen
            .iter()
            .filter_map(|text| text.split_once('x'))
            .map(|(rows, cols)| (rows.parse().expect("rows"), cols.parse().expect("columns")))
            .collect(),
    };
    by_layers(4, 4); // starts the threads
    let copying = copying();
    for (rows, cols) in boards {
        let (time, (need, memory)) = timed(|| by_layers(rows, cols));
        println!("{rows} x {cols}: threshold {need} / 2^{}", rows * cols);
        println!("  layers {time:>12.3?} {:>8} MB", memory >> 20);
        let (bytes, positions) = (traffic(rows, cols) as f64, ((2_f64.powi(rows as i32 + 1)) - 1.0).powi(cols as i32));
        println!(
            "         {:.1} bytes read or written for a filling, {:.1} GB in a second: {:.0}% of what copying reaches",
            bytes / positions,
            bytes / time.as_secs_f64() / 1e9,
            100.0 * bytes / time.as_secs_f64() / copying
        );
        let beside = |name: &str, run: fn(usize, usize) -> (u64, u64), least: f64| {
            let (other, (found, room)) = timed(|| run(rows, cols));
            assert_eq!(found, need);
            let ratio = other.as_secs_f64() / time.as_secs_f64();
            // The claimed factors, on boards large enough to be timed.
            assert!(
                ratio >= least || (name == "sweep" && rows * cols < 20),
                "{name} takes only {ratio:.1} times as long"
            );
            assert!(room >= 4 * memory || name != "sweep", "{name} needs only {room} bytes");
            println!("  {name} {other:>13.3?} {:>8} MB   {ratio:.1} times as long", room >> 20);
        };
        if rows * cols <= 25 {
            beside("sweep", by_sweep, 4.0);
        }
        if rows * cols <= 16 {
            beside("memo ", by_memo, 20.0);
        }
    }
}
