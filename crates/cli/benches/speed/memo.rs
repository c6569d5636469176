//! The reference: a recursive memo over a hash map of the standard library. No symmetries, no
//! arena, no threads.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Answer;

/// The rules: cells are bits, row by row from the top.
pub(crate) struct Board {
    rows: u32,
    cols: u32,
    line: u32,
    falls: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    alice: u16,
    bob: u16,
}

const EMPTY: Position = Position { alice: 0, bob: 0 };

#[derive(Clone, Copy)]
enum End {
    Alice,
    Bob,
    Draw,
}

impl Board {
    pub(crate) const TIC_TAC_TOE: Board = Board { rows: 3, cols: 3, line: 3, falls: false };
    pub(crate) const CONNECT_THREE: Board = Board { rows: 3, cols: 3, line: 3, falls: true };
    pub(crate) const CONNECT: Board = Board { rows: 4, cols: 4, line: 4, falls: true };

    fn rules(&self) -> Rules {
        let cell = |row: i32, col: i32| {
            let inside = (0..self.rows as i32).contains(&row) && (0..self.cols as i32).contains(&col);
            inside.then(|| 1u16 << (row * self.cols as i32 + col))
        };
        let mut lines = Vec::new();
        for row in 0..self.rows as i32 {
            for col in 0..self.cols as i32 {
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let cells = (0..self.line as i32).map(|i| cell(row + i * down, col + i * right));
                    lines.extend(cells.sum::<Option<u16>>());
                }
            }
        }
        let full = u16::MAX >> (16 - self.rows * self.cols);
        let bottom = full & !(full >> self.cols);
        Rules { cols: self.cols, falls: self.falls, lines, full, bottom }
    }
}

struct Rules {
    cols: u32,
    falls: bool,
    lines: Vec<u16>,
    full: u16,
    bottom: u16,
}

impl Rules {
    fn end(&self, Position { alice, bob }: Position) -> Option<End> {
        let has_line = |stones: u16| self.lines.iter().any(|line| stones & line == *line);
        if has_line(alice) {
            Some(End::Alice)
        } else if has_line(bob) {
            Some(End::Bob)
        } else if alice | bob == self.full {
            Some(End::Draw)
        } else {
            None
        }
    }

    /// For each empty cell, the positions after a move of Alice and of Bob to it.
    fn moves(&self, Position { alice, bob }: Position) -> impl Iterator<Item = (Position, Position)> + use<> {
        let occupied = alice | bob;
        let mut cells = self.full & !occupied;
        if self.falls {
            cells &= occupied >> self.cols | self.bottom;
        }
        std::iter::from_fn(move || {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            (cell != 0).then_some((Position { alice: alice | cell, bob }, Position { alice, bob: bob | cell }))
        })
    }
}

/// Real money: numerators over 2^16, exact because no play exceeds 16 moves.
const ONE: u64 = 1 << 16;

pub(crate) fn money(board: &Board) -> Answer {
    let mut memo = MoneyMemo { rules: board.rules(), known: HashMap::new() };
    let [win, draw] = memo.value(EMPTY).map(|numerator| {
        let common = numerator.trailing_zeros().min(ONE.trailing_zeros());
        format!("{}/{}", numerator >> common, ONE >> common)
    });
    Answer::Shares { win, draw }
}

struct MoneyMemo {
    rules: Rules,
    known: HashMap<Position, [u64; 2]>,
}

impl MoneyMemo {
    /// The win and the draw threshold.
    fn value(&mut self, position: Position) -> [u64; 2] {
        match self.rules.end(position) {
            Some(End::Alice) => return [0, 0],
            Some(End::Bob) => return [ONE, ONE],
            Some(End::Draw) => return [ONE, 0],
            None => {}
        }
        if let Some(&value) = self.known.get(&position) {
            return value;
        }
        let (mut least, mut greatest) = ([ONE; 2], [0; 2]);
        for (alice, bob) in self.rules.moves(position) {
            let (alice, bob) = (self.value(alice), self.value(bob));
            for goal in 0..2 {
                least[goal] = least[goal].min(alice[goal]);
                greatest[goal] = greatest[goal].max(bob[goal]);
            }
        }
        let value = [0, 1].map(|goal| (least[goal] + greatest[goal]) / 2);
        self.known.insert(position, value);
        value
    }
}

pub(crate) fn table(board: &Board, totals: u16) -> Answer {
    let unreachable = || (0..totals).map(|total| 2 * (total + 1));
    let nothing = || (0..totals).map(|_| 0);
    let mut memo = ChipsMemo {
        rules: board.rules(),
        known: HashMap::new(),
        alice_won: nothing().chain(nothing()).collect(),
        bob_won: unreachable().chain(unreachable()).collect(),
        drawn: unreachable().chain(nothing()).collect(),
    };
    let row = memo.row(EMPTY);
    let (win, draw) = row.split_at(usize::from(totals));
    Answer::Table(win.iter().zip(draw).map(|(&win, &draw)| [win.into(), draw.into()]).collect())
}

/// For each position the win thresholds of all totals, then the draw thresholds, in half-steps.
struct ChipsMemo {
    rules: Rules,
    known: HashMap<Position, Rc<[u16]>>,
    alice_won: Rc<[u16]>,
    bob_won: Rc<[u16]>,
    drawn: Rc<[u16]>,
}

impl ChipsMemo {
    fn row(&mut self, position: Position) -> Rc<[u16]> {
        match self.rules.end(position) {
            Some(End::Alice) => return Rc::clone(&self.alice_won),
            Some(End::Bob) => return Rc::clone(&self.bob_won),
            Some(End::Draw) => return Rc::clone(&self.drawn),
            None => {}
        }
        if let Some(row) = self.known.get(&position) {
            return Rc::clone(row);
        }
        let mut least = self.bob_won.to_vec();
        let mut greatest = self.alice_won.to_vec();
        for (alice, bob) in self.rules.moves(position) {
            let (alice, bob) = (self.row(alice), self.row(bob));
            for (least, &alice) in least.iter_mut().zip(&*alice) {
                *least = alice.min(*least);
            }
            for (greatest, &bob) in greatest.iter_mut().zip(&*bob) {
                *greatest = bob.max(*greatest);
            }
        }
        let turn = |(&a, &b): (&u16, &u16)| a.min(b).div_ceil(2) + a.max(b) / 2;
        let row: Rc<[u16]> = least.iter().zip(&greatest).map(turn).collect();
        self.known.insert(position, Rc::clone(&row));
        row
    }
}
