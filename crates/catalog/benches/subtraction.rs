//! Times unitary games: `cargo bench -p richman-catalog --bench subtraction`.
//!
//! Total 1000, every heap up to 200,000: two hundred million values, read into a checksum that
//! depends on their places. For comparison: the obvious loop (two pointers on the previous row),
//! which must have the same checksum, and the in-memory addition of two arrays of as many 32-bit
//! integers, a lower bound for any program that stores the values. On small totals the two-pointer
//! loop is compared with all pairs of bids. Prints a table of medians.

use std::hint::black_box;
use std::time::{Duration, Instant};

use richman_catalog::subtraction::{Heaps, SubtractionRules};
use richman_core::Total;
use richman_heaps::subtraction::Unitary;

const TOTAL: u32 = 1000;
const HEAPS: u64 = 200_000;

const LIMIT: Duration = Duration::from_secs(1);

/// Odd, so that the median is one of the runs.
const RUNS: usize = 5;

/// Depends on every value, its place in its row, and the order of rows.
struct Checksum {
    masks: Vec<i32>,
    state: u64,
    values: u64,
}

impl Checksum {
    fn new(total: u32) -> Checksum {
        let masks = (0..=total).map(|p| (p + 1).wrapping_mul(0x9E37_79B9) as i32).collect();
        Checksum { masks, state: 0, values: 0 }
    }

    fn row(&mut self, row: &[i32]) {
        let sum = row.iter().zip(&self.masks).fold(0i32, |sum, (value, mask)| sum.wrapping_add(value ^ mask));
        self.state = (self.state.rotate_left(5) ^ u64::from(sum as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.values += row.len() as u64;
    }
}

fn streamed(total: u32, heaps: u64) -> (u64, u64) {
    let mut game = Unitary::new(Total::new(total).unwrap()).unwrap();
    let bytes = game.bytes();
    let mut checksum = Checksum::new(total);
    checksum.row(game.row());
    for _ in 0..heaps {
        game.advance();
        checksum.row(game.row());
    }
    // The lists of changes may grow to one entry for every site.
    assert!(game.bytes() <= bytes + 16 * total as usize + 64, "memory grew to {}", game.bytes());
    (checksum.state, checksum.values)
}

/// One row from the previous one. A tie is better for Alice the lower it is, losing the higher the
/// bid; walk until they cross.
fn two_pointers(before: &[i32], row: &mut [i32]) {
    let total = row.len() - 1;
    for (p, value) in row.iter_mut().enumerate() {
        let q = total - p;
        let mut best = i32::MIN;
        for bid in 0..=p.min(q) {
            let tie = 1 - before[q + bid];
            if tie <= best {
                break;
            }
            let lose = if bid < q { before[p + bid + 1] - 1 } else { i32::MAX };
            best = best.max(tie.min(lose));
            if lose >= tie {
                break;
            }
        }
        *value = best;
    }
}

fn walked(total: u32, heaps: u64) -> (u64, u64) {
    let mut rows = [vec![0; total as usize + 1], vec![0; total as usize + 1]];
    let mut checksum = Checksum::new(total);
    checksum.row(&rows[0]);
    for _ in 0..heaps {
        let [before, row] = &mut rows;
        two_pointers(before, row);
        checksum.row(row);
        rows.swap(0, 1);
    }
    (checksum.state, checksum.values)
}

fn by_definition(total: u32, heaps: u64) -> (u64, u64) {
    let rules = SubtractionRules::unitary(Total::new(total).unwrap()).unwrap();
    let mut checksum = Checksum::new(total);
    for (_, row) in (0..=heaps).zip(Heaps::new(&rules)) {
        assert!(row.is_unique());
        let values: Vec<i32> = row.maximin[0].iter().map(|&value| value as i32).collect();
        checksum.row(&values);
    }
    (checksum.state, checksum.values)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed<T: PartialEq + std::fmt::Debug>(runs: usize, expected: Option<&T>, run: impl Fn() -> T) -> (T, Duration) {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        let answer = black_box(run());
        times.push(start.elapsed());
        if let Some(expected) = expected {
            assert_eq!(&answer, expected);
        }
        last = Some(answer);
    }
    (last.unwrap(), median(times))
}

fn main() {
    for total in (0..=30).chain([57, 100]) {
        let heaps = 120;
        let expected = by_definition(total, heaps);
        assert_eq!(streamed(total, heaps), expected, "total {total}");
        assert_eq!(walked(total, heaps), expected, "total {total}");
    }

    let (expected, walking) = timed(1, None, || walked(TOTAL, HEAPS));
    let (answer, streaming) = timed(RUNS, Some(&expected), || streamed(TOTAL, HEAPS));
    let values = answer.1;
    assert_eq!(values, u64::from(TOTAL + 1) * (HEAPS + 1));

    let (length, mut left) = (values as usize, Vec::new());
    left.resize(length, 1i32);
    let right: Vec<i32> = (0..length as i32).collect();
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        left.iter_mut().zip(&right).for_each(|(left, right)| *left = left.wrapping_add(*right));
        times.push(start.elapsed());
        black_box(&mut left);
    }
    assert_eq!(left[length - 1], (RUNS as i32).wrapping_mul(length as i32 - 1).wrapping_add(1));
    let adding = median(times);

    println!(
        "unitary games, total {TOTAL}, heaps 0 to {HEAPS}: {values} values, one core, every value read by the caller"
    );
    let line = |what: &str, time: Duration| {
        let each = time.as_secs_f64() * 1e9 / values as f64;
        let ratio = time.as_secs_f64() / streaming.as_secs_f64();
        println!("  {what:<44} {:>9.1} ms  {each:>6.3} ns a value  {ratio:>6.1} x", time.as_secs_f64() * 1e3);
    };
    line("streamed, with checksum", streaming);
    line("two arrays of 32-bit integers added in memory", adding);
    line("two pointers, with the same checksum", walking);
    assert!(streaming < LIMIT, "{streaming:?}");
}
