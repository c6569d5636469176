//! Compares the numbers of positions of games with independent counts.
//!
//! Here a board is a list of cells, rules scan it, and a hash set keeps every position. For games
//! not counted here, the data names the formula used.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use richman_core::{Effort, Player, WinLose};

/// One row of the data: a game, its reachable positions, and their number up to symmetry.
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

/// Everything reachable, including the start.
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

    /// A quarter turn of a square board, otherwise a half turn.
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

/// A row and a column.
type Place = (i32, i32);
/// Whether a place is on a side of the board, given the last row and column.
type Side = fn(Place, Place) -> bool;
/// The image of a place under a symmetry of the board.
type Image = fn(Place, Place) -> Place;

struct Hexagons {
    places: Vec<Place>,
    last: Place,
    sides: [Vec<Side>; 2],
    images: Vec<Image>,
}

impl Hexagons {
    fn hex(rows: i32, cols: i32) -> Hexagons {
        Hexagons {
            places: (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect(),
            last: (rows - 1, cols - 1),
            sides: [
                vec![|place, _| place.0 == 0, |place, last| place.0 == last.0],
                vec![|place, _| place.1 == 0, |place, last| place.1 == last.1],
            ],
            images: vec![|place, _| place, |place, last| (last.0 - place.0, last.1 - place.1)],
        }
    }

    fn y(size: i32) -> Hexagons {
        let sides: Vec<Side> =
            vec![|place, _| place.0 == 0, |place, _| place.1 == 0, |place, last| place.0 + place.1 == last.0];
        Hexagons {
            places: (0..size).flat_map(|row| (0..size - row).map(move |col| (row, col))).collect(),
            last: (size - 1, size - 1),
            sides: [sides.clone(), sides],
            images: vec![
                |(row, col), _| (row, col),
                |(row, col), _| (col, row),
                |(row, col), last| (row, last.0 - row - col),
                |(row, col), last| (col, last.0 - row - col),
                |(row, col), last| (last.0 - row - col, row),
                |(row, col), last| (last.0 - row - col, col),
            ],
        }
    }

    fn place(&self, place: Place) -> Option<usize> {
        self.places.iter().position(|&other| other == place)
    }

    /// Whether connected cells of the owner touch all of the owner's sides.
    fn connects(&self, cells: &Cells, owner: u8) -> bool {
        let mut left: Vec<bool> = cells.iter().map(|&cell| cell == owner).collect();
        (0..cells.len()).any(|start| {
            let mut chain = Vec::new();
            let mut todo = vec![start];
            while let Some(at) = todo.pop() {
                if std::mem::take(&mut left[at]) {
                    let (row, col) = self.places[at];
                    chain.push((row, col));
                    let steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];
                    todo.extend(steps.iter().filter_map(|(down, right)| self.place((row + down, col + right))));
                }
            }
            let sides = &self.sides[usize::from(owner) - 1];
            sides.iter().all(|side| chain.iter().any(|&place| side(place, self.last)))
        })
    }

    fn counts(&self) -> (usize, usize) {
        let moves = |cells: &Cells| {
            let is_over = self.connects(cells, 1) || self.connects(cells, 2);
            let open: Vec<usize> = (0..cells.len()).filter(|&cell| !is_over && cells[cell] == 0).collect();
            let with = |cell: usize, owner: u8| {
                let mut next = cells.clone();
                next[cell] = owner;
                next
            };
            open.into_iter().flat_map(|cell| [with(cell, 1), with(cell, 2)]).collect()
        };
        let positions = reachable(vec![0; self.places.len()], moves);
        let images: Vec<Vec<usize>> = self
            .images
            .iter()
            .map(|image| {
                let of = |&place: &Place| self.place(image(place, self.last)).unwrap();
                self.places.iter().map(of).collect()
            })
            .collect();
        let least = |cells: &Cells| {
            let images = images.iter().map(|image| image.iter().map(|&at| cells[at]).collect::<Cells>());
            images.min().unwrap()
        };
        (positions.len(), positions.iter().map(least).collect::<HashSet<Cells>>().len())
    }
}

/// A power of A, as the number of consecutive moves Bob needs to win: 0 is Bob's win, -1 Alice's.
fn moves_in_power(power: &i64) -> Vec<i64> {
    if *power > 0 { vec![-1, power - 1] } else { Vec::new() }
}

fn counts(game: &str) -> Option<(usize, usize)> {
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
            return Some(shape.counts());
        }
        "hex" => {
            let size = value("size", 11);
            return Some(Hexagons::hex(value("rows", size) as i32, value("cols", size) as i32).counts());
        }
        "y" => return Some(Hexagons::y(value("size", 4) as i32).counts()),
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
        _ => return None,
    };
    Some((positions.len(), positions.len()))
}

#[test]
fn the_data_agrees_with_plain_counting() {
    for row in rows() {
        let counted = counts(&row.game).unwrap_or((row.reachable, row.folded));
        assert_eq!(counted, (row.reachable, row.folded), "{}", row.game);
    }
}

/// A walk keeps symmetric positions apart.
#[test]
fn walks_come_to_the_reachable_positions() {
    const MOST: usize = 30_000;
    for row in rows().iter().filter(|row| row.reachable <= MOST) {
        let game = richman_games::Games::default().find(&row.game).unwrap();
        let next = |position: &String| {
            let at = game.walk(Some(position)).unwrap();
            let after = |player| {
                let at = &at;
                at.moves(player).into_iter().map(move |name| {
                    let mut next = at.boxed();
                    next.play(player, &name).unwrap();
                    next.notation()
                })
            };
            Player::BOTH.into_iter().flat_map(after).collect()
        };
        assert_eq!(reachable(game.walk(None).unwrap().start(), next).len(), row.reachable, "{}", row.game);
    }
}

#[test]
fn every_listed_game_is_counted() {
    const NOT_COUNTED: [&str; 2] = ["chess", "subtraction"];
    let rows = rows();
    for info in richman_games::Games::default().list().iter().filter(|info| !NOT_COUNTED.contains(&info.name)) {
        assert!(rows.iter().any(|row| row.game.split(':').next() == Some(info.name)), "{} has no row", info.name);
    }
}

#[test]
fn arenas_have_the_folded_number_of_positions() {
    for row in rows() {
        let game = richman_games::Games::default().find(&row.game).unwrap();
        let unfolding = game.played_for::<WinLose>().unwrap().unfold(None, &Effort::default()).unwrap();
        assert_eq!(unfolding.arena().len(), row.folded, "{}", row.game);
    }
}

/// The engines' offers rest on these estimates.
#[test]
fn numbers_of_positions_are_told_within_a_factor_of_four() {
    for row in rows() {
        let walk = richman_games::Games::default().find(&row.game).unwrap().walk(None).unwrap();
        let about = walk.about_arena(u64::MAX).unwrap().positions;
        let (least, most) = (about.min(row.folded as u64), about.max(row.folded as u64));
        assert!(most <= 4 * least, "{}: about {about}, {} positions", row.game, row.folded);
        assert_eq!(walk.about_arena(2).unwrap().positions, about.min(2), "{}", row.game);
    }
}
