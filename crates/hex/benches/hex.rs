//! Exact Hex timed against random fillings: `cargo bench -p richman-hex --bench hex`.
//!
//! Counts the empty 11 x 11 board and a half-filled one with all criticalities, with and without
//! building the frontier. Then plays as many random fillings as K's algorithm might use, and finds
//! the greatest error of their criticalities. Asserts one half on the empty board, and equal
//! results on the mirrored and the turned board. Also finds all chip thresholds of 3 x 3 and 4 x 4.
//! Uses one core except for 4 x 4. Prints medians.

use std::hint::black_box;
use std::time::{Duration, Instant};

use richman_core::{Effort, Player, Share, Total};
use richman_hex::board::HexBoard;
use richman_hex::engine::small::FillingThresholds;
use richman_hex::engine::{Cores, Fillings, Frontier, fillings, sample_on};

/// Odd, so that the median is one of the runs.
const RUNS: usize = 3;
const SIZE: usize = 11;

fn median<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        last = Some(black_box(run()));
        times.push(start.elapsed());
    }
    times.sort();
    (times[RUNS / 2], last.expect("there are runs"))
}

fn counted(board: &HexBoard) -> Fillings {
    let frontier = Frontier::new(board.rows().min(board.cols()), &Effort::default()).expect("a width that is served");
    fillings(&frontier, board, &Effort::default()).expect("a board that is served")
}

/// Sixty stones on random cells, thirty of each player.
fn half_filled() -> HexBoard {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut cells: Vec<Option<Player>> = vec![None; SIZE * SIZE];
    cells[..60].iter_mut().enumerate().for_each(|(at, cell)| *cell = Some(Player::BOTH[at % 2]));
    rng.shuffle(&mut cells);
    HexBoard::new(SIZE, SIZE, cells).expect("as many cells as places")
}

fn check(board: &HexBoard, found: &Fillings) {
    let mirrored = counted(&board.transposed());
    assert_eq!(&mirrored.alice + &found.alice, dashu_int::UBig::ONE << found.open as usize);
    let turned: Vec<_> = board.cells().iter().rev().copied().collect();
    let turned = counted(&HexBoard::new(SIZE, SIZE, turned).expect("as many cells"));
    assert_eq!(turned.alice, found.alice);
    for cell in 0..SIZE * SIZE {
        assert_eq!(turned.critical[SIZE * SIZE - 1 - cell], found.critical[cell]);
        assert_eq!(mirrored.critical[cell % SIZE * SIZE + cell / SIZE], found.critical[cell]);
    }
}

fn main() {
    let empty = HexBoard::new(SIZE, SIZE, vec![None; SIZE * SIZE]).expect("as many cells as places");
    println!("{:<44} {:>10}   greatest error", "", "median");
    let frontier = Frontier::new(SIZE, &Effort::default()).expect("a width that is served");
    for (name, board) in [("empty", &empty), ("half-filled", &half_filled())] {
        let (time, found) = median(|| counted(board));
        check(board, &found);
        if name == "empty" {
            assert_eq!(found.alice_wins(), Share::dyadic(1, 1));
        }
        println!("{:<44} {time:>10.1?}   exact", format!("11 x 11 {name}, all cells, with the frontier"));
        let (time, again) = median(|| fillings(&frontier, board, &Effort::default()));
        assert_eq!(again.as_ref(), Ok(&found));
        println!("{:<44} {time:>10.1?}   exact", format!("11 x 11 {name}, all cells"));
        for count in [10_000, 1_000_000] {
            let (time, sampled) = median(|| sample_on(Cores::One, board, count, 1, &Effort::default()));
            let sampled = sampled.expect("not cancelled");
            let open = (0..SIZE * SIZE).filter(|&cell| board.cells()[cell].is_none());
            let error =
                open.map(|cell| (sampled.critical(cell).0 - found.critical(cell).to_f64()).abs()).fold(0.0, f64::max);
            let interval = sampled.critical(0).1;
            assert!(error <= interval, "{error} is outside of {interval}");
            println!("{:<44} {time:>10.1?}   {error:.5}", format!("  {} random fillings", sampled.fillings));
        }
    }
    let total = Total::new(8).expect("a small total");
    for (size, cores) in [(3, Cores::One), (4, Cores::All)] {
        let empty = HexBoard::new(size, size, vec![None; size * size]).expect("as many cells as places");
        let cells: Vec<usize> = (0..size * size).collect();
        let (time, found) = median(|| FillingThresholds::of(&empty, &cells, total, cores, &Effort::default()));
        assert_eq!(found.expect("a small board").at(0), 9); // 4*
        println!("{:<44} {time:>10.1?}   exact", format!("{size} x {size} with 8 chips, all positions"));
    }
}
