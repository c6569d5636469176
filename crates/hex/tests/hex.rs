//! Checks exact Hex against the definition by playing out every filling.

use dashu_int::UBig;
use richman_core::{Effort, Player};
use richman_hex::board::HexBoard;
use richman_hex::engine::{Fillings, Frontier, fillings, sample};

/// Whether Alice connects the first row to the last, by walking from cell to cell.
fn alice_connects(rows: usize, cols: usize, is_hers: &[bool]) -> bool {
    let mut seen = vec![false; rows * cols];
    let mut todo: Vec<(usize, usize)> = (0..cols).filter(|&col| is_hers[col]).map(|col| (0, col)).collect();
    while let Some((row, col)) = todo.pop() {
        if std::mem::replace(&mut seen[row * cols + col], true) {
            continue;
        }
        if row + 1 == rows {
            return true;
        }
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
            if let (Some(row), Some(col)) = (row.checked_add_signed(down), col.checked_add_signed(right))
                && row < rows
                && col < cols
                && is_hers[row * cols + col]
            {
                todo.push((row, col));
            }
        }
    }
    false
}

fn by_definition(stones: &HexBoard) -> Fillings {
    let (rows, cols) = (stones.rows(), stones.cols());
    let open: Vec<usize> = (0..rows * cols).filter(|&cell| stones.cells()[cell].is_none()).collect();
    let mut filled: Vec<bool> = stones.cells().iter().map(|cell| *cell == Some(Player::Alice)).collect();
    let wins: Vec<bool> = (0..1_u32 << open.len())
        .map(|filling| {
            for (bit, &cell) in open.iter().enumerate() {
                filled[cell] = filling >> bit & 1 == 1;
            }
            alice_connects(rows, cols, &filled)
        })
        .collect();
    let mut critical = vec![UBig::ZERO; rows * cols];
    for (bit, &cell) in open.iter().enumerate() {
        let decides =
            (0..wins.len()).filter(|filling| filling >> bit & 1 == 0 && wins[*filling] != wins[filling | 1 << bit]);
        critical[cell] = decides.count().into();
    }
    let alice = wins.iter().filter(|wins| **wins).count().into();
    Fillings { open: open.len() as u32, alice, critical }
}

fn exact(stones: &HexBoard) -> Fillings {
    let frontier = Frontier::new(stones.rows().min(stones.cols()), &Effort::default()).unwrap();
    fillings(&frontier, stones, &Effort::default()).unwrap()
}

fn cell(digit: usize) -> Option<Player> {
    [None, Some(Player::Alice), Some(Player::Bob)][digit]
}

#[test]
fn all_positions_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
        for number in 0..3_usize.pow((rows * cols) as u32) {
            let cells = (0..rows * cols).map(|index| cell(number / 3_usize.pow(index as u32) % 3)).collect();
            let stones = HexBoard::new(rows, cols, cells).unwrap();
            assert_eq!(exact(&stones), by_definition(&stones), "{stones:?}");
        }
    }
}

#[test]
fn random_positions_with_up_to_sixteen_open_cells() {
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..2000 {
        let (rows, cols) = (random.usize(1..=6), random.usize(1..=6));
        let mut cells: Vec<_> = (0..rows * cols).map(|_| cell(1 + random.usize(..2))).collect();
        for _ in 0..random.usize(0..=16.min(rows * cols)) {
            let index = random.usize(..cells.len());
            cells[index] = None;
        }
        let stones = HexBoard::new(rows, cols, cells).unwrap();
        assert_eq!(exact(&stones), by_definition(&stones), "{stones:?}");
    }
}

/// On a square board exchanging the players is a symmetry.
#[test]
fn empty_square_boards_are_even_and_symmetric() {
    for size in 1..=11 {
        let found = exact(&HexBoard::new(size, size, vec![None; size * size]).unwrap());
        assert_eq!(found.alice, UBig::ONE << (size * size - 1));
        for index in 0..size * size {
            let (row, col) = (index / size, index % size);
            assert_eq!(found.critical[index], found.critical[col * size + row], "mirrored");
            assert_eq!(found.critical[index], found.critical[size * size - 1 - index], "turned around");
        }
    }
}

#[test]
fn other_boards_are_refused() {
    for (rows, cols, cells) in [(0, 0, 0), (2, 2, 3), (usize::MAX, 2, 4)] {
        assert_eq!(HexBoard::new(rows, cols, vec![None; cells]), None, "{rows} x {cols}");
    }
    let effort = Effort::default();
    for width in [0, 16] {
        assert!(Frontier::new(width, &effort).is_err());
    }
    let narrow = Frontier::new(3, &effort).unwrap();
    let board = |rows| HexBoard::new(rows, 3, vec![None; 3 * rows]).unwrap();
    assert!(fillings(&narrow, &board(85), &effort).is_ok());
    assert!(fillings(&narrow, &board(86), &effort).is_err());
    assert!(fillings(&Frontier::new(4, &effort).unwrap(), &board(5), &effort).is_err());
}

/// Counts exact values outside 99% confidence intervals, over all cells so that a bias would show.
#[test]
fn random_fillings_agree_with_the_count() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut outside, mut all) = (0, 0);
    for (rows, cols, stones) in [(1, 1, 0), (3, 3, 2), (5, 4, 5), (4, 6, 0), (7, 7, 12), (11, 11, 0), (11, 11, 40)] {
        let mut cells = vec![None; rows * cols];
        for _ in 0..stones {
            let index = random.usize(..cells.len());
            cells[index] = cell(random.usize(1..3));
        }
        let board = HexBoard::new(rows, cols, cells).unwrap();
        let (count, sampled) = (exact(&board), sample(&board, 60_000, 17, &Effort::default()).unwrap());
        assert!(sampled.fillings >= 60_000);
        assert_eq!(sampled, sample(&board, 60_000, 17, &Effort::default()).unwrap(), "the seed decides");
        let part = |number: &UBig, bits: u32| number.to_f64().value() / 2_f64.powi(bits as i32);
        let mut check = |truth: f64, (found, error): (f64, f64)| {
            all += 1;
            outside += usize::from((truth - found).abs() > error);
        };
        check(part(&count.alice, count.open), sampled.alice_wins());
        for index in (0..rows * cols).filter(|&index| board.cells()[index].is_none()) {
            check(part(&count.critical[index], count.open - 1), sampled.critical(index));
        }
    }
    assert!(outside * 100 <= all, "{outside} of {all}");
}
