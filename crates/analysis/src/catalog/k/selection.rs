//! Sections 4 and 5: selection games, and Hex as one of them.

use fastrand::Rng;
use richman_core::{Arena, ArenaBuilder, Mechanism, Node, Player, Share, Terminal};
use richman_solvers::{Options, money};

use super::super::{Finding, Session};
use crate::Error;

/// A set of at most 16 elements, as bits.
type Set = u32;

/// A selection game: f by the set that Alice has in the end.
struct Selection {
    elements: u32,
    payoff: Vec<i64>,
}

impl Selection {
    fn all(&self) -> Set {
        (1 << self.elements) - 1
    }

    /// Every position as (Alice's set, Bob's set, the open elements), those with fewer open elements first.
    fn positions(&self) -> Vec<(Set, Set, Set)> {
        let all = self.all();
        let mut positions: Vec<(Set, Set, Set)> = (0..=all)
            .flat_map(|alice| {
                (0..=all).filter(move |bob| alice & bob == 0).map(move |bob| (alice, bob, all & !alice & !bob))
            })
            .collect();
        positions.sort_by_key(|position| position.2.count_ones());
        positions
    }

    fn index(&self, alice: Set, bob: Set) -> usize {
        ((alice << self.elements) | bob) as usize
    }

    /// Alice's expected payoff at every position, times 2^(open elements), when both play best.
    fn values(&self) -> Vec<i64> {
        let mut values = vec![0; 1 << (2 * self.elements)];
        for (alice, bob, open) in self.positions() {
            values[self.index(alice, bob)] = if open == 0 {
                self.payoff[alice as usize]
            } else {
                let best = elements(open).map(|s| values[self.index(alice | s, bob)]).max();
                let worst = elements(open).map(|s| values[self.index(alice, bob | s)]).min();
                best.unwrap_or(0) + worst.unwrap_or(0)
            };
        }
        values
    }

    /// The best moves of Alice, and those of Bob.
    fn best(&self, values: &[i64], (alice, bob, open): (Set, Set, Set)) -> [Set; 2] {
        let of = |value: &dyn Fn(Set) -> i64| {
            let best = elements(open).map(value).max();
            elements(open).filter(|&s| Some(value(s)) == best).sum()
        };
        [of(&|s| values[self.index(alice | s, bob)]), of(&|s| -values[self.index(alice, bob | s)])]
    }

    /// In how many of the ways to fill the open elements s is critical.
    fn critical(&self, (alice, _, open): (Set, Set, Set), s: Set) -> usize {
        subsets(open & !s)
            .filter(|filled| self.payoff[(alice | filled | s) as usize] != self.payoff[(alice | filled) as usize])
            .count()
    }
}

/// The elements of a set, as sets of one.
fn elements(set: Set) -> impl Iterator<Item = Set> {
    (0..16).map(|i| 1 << i).filter(move |s| set & s != 0)
}

fn subsets(set: Set) -> impl Iterator<Item = Set> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let current = next?;
        next = (current != 0).then(|| (current - 1) & set);
        Some(current)
    })
}

/// Seeded random games of up to five elements; every second one has few payoffs, so that moves tie.
fn games(session: &Session, generic: bool) -> Vec<Selection> {
    let mut rng = Rng::with_seed(2006);
    (0..if session.deep { 300 } else { 40 })
        .map(|number| {
            let elements = rng.u32(1..=5);
            let most = if generic || number % 2 == 0 { 1 << 40 } else { 3 };
            Selection { elements, payoff: (0..1 << elements).map(|_| rng.i64(0..most)).collect() }
        })
        .collect()
}

fn range(games: &[Selection]) -> String {
    format!("{} random payoffs on sets of up to 5 elements, every position", games.len())
}

pub fn theorem_4_1(session: &mut Session) -> Result<Finding, Error> {
    let games = games(session, false);
    let mut finding = Finding::over(range(&games));
    for (number, game) in games.iter().enumerate() {
        let values = game.values();
        for position in game.positions() {
            let mean: i64 = subsets(position.2).map(|filled| game.payoff[(position.0 | filled) as usize]).sum();
            finding.compare(
                || format!("game {number}, {position:?}"),
                mean,
                values[game.index(position.0, position.1)],
            );
            let [alice, bob] = game.best(&values, position);
            finding.compare(|| format!("game {number}, {position:?}, best moves"), alice, bob);
        }
    }
    Ok(finding)
}

pub fn proposition_4_1(session: &mut Session) -> Result<Finding, Error> {
    let games = games(session, true);
    let mut finding = Finding::over(format!("{}; every sequence of tosses", range(&games)));
    for (number, game) in games.iter().enumerate() {
        let values = game.values();
        for position in game.positions().into_iter().filter(|position| position.2 != 0) {
            let [alice, bob] = game.best(&values, position);
            finding.holds(alice == bob && alice.count_ones() == 1, || format!("game {number}, {position:?}"));
        }
        let mut reached: Vec<Set> = (0..1u32 << game.elements)
            .map(|tosses| {
                let (mut alice, mut bob, mut open) = (0, 0, game.all());
                for toss in 0..game.elements {
                    let [s, _] = game.best(&values, (alice, bob, open));
                    *(if tosses >> toss & 1 == 1 { &mut alice } else { &mut bob }) |= s;
                    open &= !s;
                }
                alice
            })
            .collect();
        reached.sort_unstable();
        finding.holds(reached.iter().copied().eq(0..=game.all()), || format!("game {number}, final sets"));
    }
    Ok(finding)
}

pub fn lemma_4_1(session: &mut Session) -> Result<Finding, Error> {
    let mut rng = Rng::with_seed(2006);
    let count = if session.deep { 300 } else { 40 };
    let mut finding = Finding::over(format!(
        "{count} random monotone games on sets of up to 5 elements, and Hex up to 3 x 3, every position"
    ));
    let random = (0..count).map(|_| {
        let elements = rng.u32(1..=5);
        let winning: Vec<Set> = (0..rng.u32(1..=4)).map(|_| rng.u32(0..1 << elements)).collect();
        let wins = |set: Set| winning.iter().any(|least| set & least == *least);
        Selection { elements, payoff: (0..1 << elements).map(|set| if wins(set) { 1 } else { -1 }).collect() }
    });
    let games: Vec<Selection> = random.chain(BOARDS.map(|(rows, cols)| hex(rows, cols))).collect();
    for (number, game) in games.iter().enumerate() {
        let values = game.values();
        for position in game.positions().into_iter().filter(|position| position.2 != 0) {
            let most = elements(position.2).map(|s| game.critical(position, s)).max();
            let critical: Set = elements(position.2).filter(|&s| Some(game.critical(position, s)) == most).sum();
            finding.compare(|| format!("game {number}, {position:?}"), critical, game.best(&values, position)[0]);
        }
    }
    Ok(finding)
}

const BOARDS: [(u32, u32); 5] = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)];

/// Hex: Alice connects top and bottom. Cell (r, c) touches (r, c +- 1), (r +- 1, c), (r - 1, c + 1) and (r + 1, c - 1).
fn hex(rows: u32, cols: u32) -> Selection {
    let connects = |set: Set| {
        let cells = || (0..rows).flat_map(|r| (0..cols).map(move |c| (r as i32, c as i32)));
        let bit = |(r, c): (i32, i32)| 1 << (r * cols as i32 + c);
        let mut reached: Set = cells().filter(|cell| cell.0 == 0).map(bit).sum::<Set>() & set;
        for _ in 0..rows * cols {
            for (r, c) in cells().filter(|&cell| reached & bit(cell) != 0).collect::<Vec<_>>() {
                let near = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)];
                let near = near.into_iter().filter(|&(r, c)| 0 <= r && r < rows as i32 && 0 <= c && c < cols as i32);
                reached |= near.map(bit).fold(0, |all, cell| all | cell) & set;
            }
        }
        cells().any(|cell| cell.0 == rows as i32 - 1 && reached & bit(cell) != 0)
    };
    let elements = rows * cols;
    Selection { elements, payoff: (0..1 << elements).map(|set| if connects(set) { 1 } else { -1 }).collect() }
}

/// In how many of the ways to fill all open cells H gets the colour of the player who loses.
fn losing(game: &Selection, (alice, _, open): (Set, Set, Set), cell: Set) -> usize {
    subsets(open).filter(|filled| (filled & cell != 0) != (game.payoff[(alice | filled) as usize] == 1)).count()
}

pub fn proposition_5_1(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("Hex 1 x 1, 1 x 2, 2 x 2, 2 x 3 and 3 x 3, every position, every open cell");
    for (rows, cols) in BOARDS {
        let game = hex(rows, cols);
        for position in game.positions() {
            for cell in elements(position.2) {
                let fillings = 1usize << position.2.count_ones();
                let not_critical = fillings - 2 * game.critical(position, cell);
                let at = || format!("{rows} x {cols}, {position:?}, {cell}");
                finding.compare(at, 2 * losing(&game, position, cell), not_critical);
            }
        }
    }
    Ok(finding)
}

/// The arena of a selection game that Alice wins where f is 1, and the node of each position.
fn arena(game: &Selection) -> Result<(Arena, Vec<Node>), Error> {
    let mut builder = ArenaBuilder::new();
    let mut nodes = vec![0; 1 << (2 * game.elements)];
    for (alice, bob, open) in game.positions() {
        let node = if open == 0 {
            let winner = if game.payoff[alice as usize] == 1 { Player::Alice } else { Player::Bob };
            builder.terminal(Terminal::Win(winner))
        } else {
            let sides = [
                elements(open).map(|s| nodes[game.index(alice | s, bob)]).collect::<Vec<Node>>(),
                elements(open).map(|s| nodes[game.index(alice, bob | s)]).collect(),
            ];
            builder.position(&sides[0], &sides[1])
        };
        nodes[game.index(alice, bob)] = node;
    }
    let start = nodes[0];
    Ok((builder.build(start)?, nodes))
}

pub fn proposition_5_2(_: &mut Session) -> Result<Finding, Error> {
    let mut finding =
        Finding::over("Hex 1 x 1, 1 x 2, 2 x 2, 2 x 3 and 3 x 3, every position, with the thresholds of the solver");
    for (rows, cols) in BOARDS {
        let game = hex(rows, cols);
        let (arena, nodes) = arena(&game)?;
        let win = money::solve(&arena, &Mechanism::default(), &Options::default())?.win;
        let share = |alice, bob| win.get(nodes[game.index(alice, bob)]).high;
        for (alice, bob, open) in game.positions().into_iter().filter(|position| position.2 != 0) {
            let chance = |cell| losing(&game, (alice, bob, open), cell);
            let least = elements(open).map(chance).min().unwrap_or(0);
            for cell in elements(open).filter(|&cell| chance(cell) == least) {
                let at = |what: &str| format!("{rows} x {cols}, {:?}, {cell}, {what}", (alice, bob, open));
                let best = elements(open).map(|s| share(alice | s, bob)).min();
                let worst = elements(open).map(|s| share(alice, bob | s)).max();
                let after = (share(alice | cell, bob), share(alice, bob | cell));
                finding.holds(Some(&after.0) == best.as_ref() && Some(&after.1) == worst.as_ref(), || at("move"));
                let fillings = 1u64 << open.count_ones();
                let bid = Share::ratio((fillings - 2 * least as u64).into(), (2 * fillings).into());
                let bid = bid.map_or("none".to_string(), |bid| bid.to_string());
                finding.compare(|| at("bid"), bid, Share::half_difference(&after.1, &after.0));
            }
        }
    }
    Ok(finding)
}
