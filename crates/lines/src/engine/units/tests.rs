//! Units against layers.

use std::collections::HashMap;
use std::sync::Mutex;

use richman_core::{ByPlayer, Total, cells};

use super::*;
use crate::board::LineBoard;
use crate::engine::{Layers, Shapes};

#[derive(Default)]
struct MemoryUnits(Mutex<HashMap<UnitId, Arc<PackedFrames>>>);

impl UnitSource for MemoryUnits {
    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault> {
        let missing = || UnitFault::Lost { unit: unit.clone(), what: format!("{unit} is missing") };
        self.0.lock().unwrap().get(unit).map(Arc::clone).ok_or_else(missing)
    }
}

fn solve(cut: &UnitCut, unit: &UnitId, source: &MemoryUnits, effort: &Effort<'_>) -> Result<Vec<u8>, Error> {
    Ok(cut.solve(unit, source, effort)?)
}

/// A board of columns of these heights, where `line` neighbours in any direction win.
fn board(heights: &[usize], line: usize, gravity: bool) -> LineBoard {
    let rows = heights.iter().copied().max().unwrap_or(0);
    let mut numbers = HashMap::new();
    for row in 0..rows {
        for column in (0..heights.len()).filter(|column| heights[*column] > row) {
            numbers.insert((row as isize, column as isize), numbers.len());
        }
    }
    let mut lines = Vec::new();
    for (row, column) in numbers.keys() {
        for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let cells = (0..line as isize).map(|step| numbers.get(&(row + step * up, column + step * right)));
            if let Some(cells) = cells.collect::<Option<Vec<_>>>() {
                lines.push(cells.into_iter().map(|cell| 1 << cell).sum());
            }
        }
    }
    lines.sort_unstable();
    let mut support = vec![0; numbers.len()];
    for ((row, column), cell) in &numbers {
        if gravity && *row > 0 {
            support[*cell] = 1 << numbers[&(row - 1, *column)];
        }
    }
    LineBoard::new(support, ByPlayer::both(lines)).unwrap()
}

/// Solves a board in units and compares every need with that of the layers; returns the number of
/// units.
fn agree(question: &BoardQuestion, depth: &[u32], aim: u64) -> usize {
    let cut = UnitCut::new(question.clone(), depth.to_vec(), aim).unwrap();
    let mut layers = Layers::new(question.clone(), Effort::default()).unwrap();
    layers.keep(question.board.cells());
    while layers.step().unwrap().is_some() {}
    let (source, effort) = (MemoryUnits::default(), Effort::default());
    let mut count = 0;
    for unit in cut.units() {
        let cost = cut.cost(&unit);
        assert_eq!(unit.file_name().parse::<UnitId>().unwrap(), unit);
        for read in cut.reads(&unit) {
            assert!(source.0.lock().unwrap().contains_key(&read), "{unit} reads {read}, which comes later");
        }
        let packed = cut.solve(&unit, &source, &effort).unwrap();
        assert_eq!(packed, cut.solve(&unit, &source, &effort).unwrap(), "the same bytes");
        let packed = PackedFrames::parse(packed).unwrap();
        assert_eq!(packed.frames().map(|(_, length)| length).sum::<u64>(), cost.written, "{unit}");
        source.0.lock().unwrap().insert(unit, Arc::new(packed));
        count += 1;
    }
    let board = &question.board;
    let lost = |player, stones: u64| board.lines(player).iter().any(|line| line & !stones == 0);
    let (mut solved, mut seen, computed) = (HashMap::new(), 0, ComputedUnits::default());
    for shape in Shapes::of(board).unwrap().iter().flat_map(Shapes::sets) {
        for number in 0..1_u64 << shape.count_ones() {
            let alice: u64 = cells(*shape).enumerate().filter(|(bit, _)| number >> bit & 1 == 1).map(|(_, c)| c).sum();
            let bob = shape & !alice;
            if lost(Player::Alice, alice) && lost(Player::Bob, bob) {
                continue;
            }
            let location = cut.locate([alice, bob]).unwrap();
            for lane in 0..question.lanes() {
                let known = layers.need([alice, bob], lane).unwrap();
                let winner = location.class.winner(location.unit.first, location.class.bits);
                if winner.is_some() || seen % 997 == 0 {
                    assert_eq!(
                        cut.need([alice, bob], lane, &source, &computed, &effort).ok(),
                        known,
                        "{alice:b} {bob:b}"
                    );
                } else {
                    let key = (location.unit.clone(), location.stones);
                    let unit = solved
                        .entry(key)
                        .or_insert_with(|| cut.compute(&location.unit, location.stones, &source, &effort).unwrap());
                    let needs = unit.layer(location.stones, location.frame).unwrap();
                    assert_eq!(needs.get(location.at * question.lanes() + lane), known, "{alice:b} {bob:b} {depth:?}");
                }
                seen += 1;
            }
        }
    }
    count
}

fn money(board: LineBoard) -> BoardQuestion {
    BoardQuestion { board, stake: BoardStake::Money }
}

#[test]
fn units_of_every_cut_have_the_needs_of_the_layers() {
    let connect = money(board(&[3; 4], 3, true));
    for depth in [[0; 4], [1; 4], [2; 4], [3; 4], [3, 0, 0, 0], [0, 3, 3, 0], [0, 1, 2, 3], [1, 2, 2, 1]] {
        for aim in [1, 300, 1 << 20] {
            let units = agree(&connect, &depth, aim);
            println!("{depth:?}, units of {aim}: {units}");
        }
    }
}

#[test]
fn boards_of_every_form_are_cut() {
    for (heights, line, gravity, depth) in [
        (vec![1; 9], 3, false, vec![1, 0, 1, 0, 0, 0, 1, 0, 1]),
        (vec![3, 2, 4], 3, true, vec![1, 1, 1]),
        (vec![2, 3, 2], 3, true, vec![1, 2, 1]),
        (vec![4], 2, true, vec![2]),
        (vec![2; 5], 3, true, vec![1; 5]),
    ] {
        let board = board(&heights, line, gravity);
        let depth = if gravity { depth } else { depth[..board.parts().len()].to_vec() };
        for aim in [1, 50] {
            agree(&money(board.clone()), &depth, aim);
        }
    }
}

#[test]
fn chips_and_rounded_needs_are_cut() {
    let totals = [3, 8, 300].map(|chips| Total::new(chips).unwrap());
    for stake in [BoardStake::Chips(totals[..1].to_vec()), BoardStake::Chips(totals.to_vec()), BoardStake::Rounded(9)] {
        let question = BoardQuestion { board: board(&[3; 3], 3, true), stake };
        for depth in [[1; 3], [0, 2, 0]] {
            agree(&question, &depth, 100);
        }
    }
}

#[test]
fn bounds_from_leaves_are_those_of_the_layers() {
    let board = board(&[4; 4], 3, true);
    for (positions, most) in [(300, 4), (20_000, 8)] {
        let mut layers = Layers::bounds(board.clone(), positions, Effort::default()).unwrap();
        let leaves = layers.last().unwrap().0;
        assert!((2..most).contains(&leaves), "{leaves}");
        while layers.step().unwrap().is_some() {}
        let question = BoardQuestion { board: board.clone(), stake: BoardStake::Rounded(leaves) };
        for depth in [[1; 4], [0, 2, 2, 0], [0; 4], [2; 4]] {
            let cut = UnitCut::new(question.clone(), depth.to_vec(), 1000).unwrap();
            let source = MemoryUnits::default();
            for unit in cut.units() {
                let packed = cut.solve(&unit, &source, &Effort::default()).unwrap();
                source.0.lock().unwrap().insert(unit, Arc::new(PackedFrames::parse(packed).unwrap()));
            }
            let need = cut.need([0, 0], 0, &source, &ComputedUnits::default(), &Effort::default()).ok();
            assert_eq!(need, layers.need([0, 0], 0).unwrap(), "{leaves} stones, {depth:?}");
        }
    }
}

#[test]
fn nothing_is_computed_twice() {
    let question = money(board(&[4; 4], 3, true));
    let positions = |depth: [u32; 4]| {
        let cut = UnitCut::new(question.clone(), depth.to_vec(), 1).unwrap();
        cut.units().map(|unit| cut.cost(&unit).positions).sum::<u64>() as f64
    };
    let all = positions([0; 4]);
    assert_eq!(all, 31_f64.powi(4));
    assert!(positions([2; 4]) < 0.35 * all, "half are mirror images, and many of the rest are over");
    assert!(positions([2; 4]) < 0.6 * positions([2, 2, 2, 1]), "a cut that is not symmetric has no mirror images");
}

#[test]
fn what_does_not_fit_is_refused() {
    let question = money(board(&[3; 4], 3, true));
    let refused = |depth: Vec<u32>| UnitCut::new(question.clone(), depth, 1).err();
    assert!(refused(vec![1; 3]).is_some(), "too few columns");
    assert!(refused(vec![4, 1, 1, 1]).is_some(), "deeper than the board");
    let bounds = BoardQuestion { stake: BoardStake::Rounded(13), ..question.clone() };
    assert!(UnitCut::new(bounds, vec![1; 4], 1).is_err(), "more stones than cells");
    let pyramid = LineBoard::new(vec![0, 0, 0b11], ByPlayer::both(vec![0b111])).unwrap();
    assert!(UnitCut::new(money(pyramid), vec![1], 1).is_err(), "no columns");
    let cells = money(LineBoard::new(vec![0; 40], ByPlayer::both(vec![0b111])).unwrap());
    for depth in [[0; 40], [1; 40], std::array::from_fn(|column| u32::from(column < 20))] {
        let refused = UnitCut::new(cells.clone(), depth.to_vec(), 1).err();
        assert!(matches!(refused, Some(Error::TooLarge { .. })), "{refused:?}");
    }
    for heights in [&[21; 3][..], &[63]] {
        let large = money(board(heights, 4, true));
        for (depth, aim) in [(0, 1), (heights[0] as u32, u64::MAX)] {
            let refused = UnitCut::new(large.clone(), vec![depth; heights.len()], aim).err();
            assert!(matches!(refused, Some(Error::TooLarge { .. })), "{refused:?}");
        }
    }
    let cut = UnitCut::new(question, vec![1; 4], 1).unwrap();
    let source = MemoryUnits::default();
    for stones in [[1, 1], [1 << 4, 0], [1 << 40, 0]] {
        assert!(cut.need(stones, 0, &source, &ComputedUnits::default(), &Effort::default()).is_err(), "{stones:?}");
    }
    assert!(cut.solve(&cut.units().last().unwrap(), &source, &Effort::default()).is_err(), "its input is missing");
    let effort = Effort { memory: 10, ..Effort::default() };
    let first = cut.units().next().unwrap();
    let two_rows = [0b1100_0011, 0b0011_1100]; // without a line
    let need = cut.need(two_rows, 0, &source, &ComputedUnits::default(), &effort);
    for refused in [solve(&cut, &first, &source, &effort).map(drop), need.map(drop)] {
        assert!(matches!(refused, Err(Error::TooMuchMemory { .. })), "{refused:?}");
    }
    for (heights, first) in [(vec![1; 3], 0), (vec![2, 1, 1, 1], 0), (vec![1; 4], 16)] {
        let refused = solve(&cut, &UnitId { heights, first }, &source, &Effort::default());
        assert!(matches!(refused, Err(Error::Storage { .. })), "{refused:?}");
    }
}

#[test]
fn other_names_are_not_those_of_units() {
    let unit = UnitId { heights: vec![1, 0, 2], first: 0x2f };
    assert_eq!(unit.file_name(), "unit-1.0.2.2f.rmu");
    for name in ["", "unit-.rmu", "unit-2f.rmu", "unit-1.0.2.2F.rmu", "unit-01.0.2.2f.rmu", "unit-1.0.2.2f.rml", "x"] {
        assert!(name.parse::<UnitId>().is_err(), "{name}");
    }
}
