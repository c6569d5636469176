//! The numbers of positions of games, against counts by a program that shares nothing with the games.
//!
//! Here a board is a list of cells and the rules are scans of it, and every position is kept in a hash set.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use richman_core::{Limits, Unwatched};

/// One row of the data: a game, its reachable positions, and those after folding symmetric ones into one.
struct Row {
    game: String,
    reachable: usize,
    folded: usize,
}

fn rows() -> Vec<Row> {
    include_str!("data/positions.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [game, reachable, folded] = fields[..] else { panic!("three fields, not {line:?}") };
            let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("a number, not {text:?}"));
            Row { game: game.to_string(), reachable: number(reachable), folded: number(folded) }
        })
        .collect()
}

/// Everything that can be reached, the start included.
fn reachable<P: Clone + Eq + Hash>(start: P, moves: impl Fn(&P) -> Vec<P>) -> HashSet<P> {
    let mut seen = HashSet::from([start.clone()]);
    let mut frontier = vec![start];
    while let Some(position) = frontier.pop() {
        for next in moves(&position) {
            if seen.insert(next.clone()) {
                frontier.push(next);
            }
        }
    }
    seen
}

/// Cells row by row from the top: 0 empty, 1 Alice, 2 Bob.
type Cells = Vec<u8>;

struct Shape {
    rows: usize,
    cols: usize,
    line: usize,
    gravity: bool,
}

impl Shape {
    fn has_line(&self, cells: &Cells) -> bool {
        let at = |row: isize, col: isize| {
            let inside = (0..self.rows as isize).contains(&row) && (0..self.cols as isize).contains(&col);
            if inside { cells[row as usize * self.cols + col as usize] } else { 0 }
        };
        (0..self.rows as isize).any(|row| {
            (0..self.cols as isize).any(|col| {
                let owner = at(row, col);
                owner != 0
                    && [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(down, right)| {
                        (1..self.line as isize).all(|k| at(row + k * down, col + k * right) == owner)
                    })
            })
        })
    }

    fn moves(&self, cells: &Cells) -> Vec<Cells> {
        if self.has_line(cells) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for cell in (0..cells.len()).filter(|&cell| cells[cell] == 0) {
            let supported = cells.get(cell + self.cols).is_none_or(|&below| below != 0);
            if supported || !self.gravity {
                for owner in [1, 2] {
                    let mut next = cells.clone();
                    next[cell] = owner;
                    found.push(next);
                }
            }
        }
        found
    }

    fn mirrored(&self, cells: &Cells) -> Cells {
        cells.chunks(self.cols).flat_map(|row| row.iter().rev().copied()).collect()
    }

    /// On a square board a quarter turn, else a half turn.
    fn turned(&self, cells: &Cells) -> Cells {
        if self.rows == self.cols {
            let size = self.rows;
            (0..size * size).map(|cell| cells[(size - 1 - cell % size) * size + cell / size]).collect()
        } else {
            cells.iter().rev().copied().collect()
        }
    }

    fn least_image(&self, cells: &Cells) -> Cells {
        let mut images = vec![cells.clone(), self.mirrored(cells)];
        if !self.gravity {
            for turn in 0..6 {
                images.push(self.turned(&images[turn]));
            }
        }
        images.into_iter().min().unwrap()
    }

    fn counts(&self) -> (usize, usize) {
        let positions = reachable(vec![0; self.rows * self.cols], |cells| self.moves(cells));
        let folded: HashSet<Cells> = positions.iter().map(|cells| self.least_image(cells)).collect();
        (positions.len(), folded.len())
    }
}

/// A power of A as the number of times Bob must move in a row to win, with 0 for Bob's win and -1 for Alice's.
fn moves_in_power(power: &i64) -> Vec<i64> {
    if *power > 0 { vec![-1, power - 1] } else { Vec::new() }
}

fn counts(game: &str) -> (usize, usize) {
    let (name, rest) = game.split_once(':').unwrap_or((game, ""));
    let given: HashMap<&str, i64> = rest
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key, value.parse().unwrap()))
        .collect();
    let value = |key: &str, default: i64| given.get(key).copied().unwrap_or(default);
    let positions = match name {
        "tic-tac-toe" | "connect" => {
            let gravity = name == "connect";
            let defaults = if gravity { [6, 7, 4] } else { [3, 3, 3] };
            let shape = Shape {
                rows: value("rows", defaults[0]) as usize,
                cols: value("cols", defaults[1]) as usize,
                line: value("line", defaults[2]) as usize,
                gravity,
            };
            return shape.counts();
        }
        "tug-of-war" => {
            let length = value("length", 6);
            let over = |at: i64| at == 0 || at == length;
            reachable(value("at", length / 2), |&at| if over(at) { vec![] } else { vec![at - 1, at + 1] })
        }
        "ultimatum" => {
            let degree = value("degree", 3);
            let (alice, bob) = (degree + 1, -degree - 1);
            reachable(0, |&k| match k {
                0 => vec![degree, -degree],
                _ if k == alice || k == bob => vec![],
                _ if k > 0 => vec![alice, k - 1],
                _ => vec![bob, k + 1],
            })
        }
        "expr" => {
            let power = rest.strip_prefix("A^").and_then(|exponent| exponent.parse().ok()).expect("a power of A");
            reachable(power, moves_in_power)
        }
        _ => panic!("no count for {game}"),
    };
    (positions.len(), positions.len())
}

#[test]
fn the_data_agrees_with_plain_counting() {
    for row in rows() {
        assert_eq!(counts(&row.game), (row.reachable, row.folded), "{}", row.game);
    }
}

#[test]
fn arenas_have_the_folded_number_of_positions() {
    for row in rows() {
        let game = richman_games::find(&row.game).unwrap();
        let unfolding = game.unfold(None, &Limits::default(), &Unwatched).unwrap();
        assert_eq!(unfolding.arena().len(), row.folded, "{}", row.game);
    }
}
