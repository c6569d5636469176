//! Games for checking theorems: random arenas, and finite parts of the papers' infinite games.

use fastrand::Rng;
use richman_check::arenas::{self, ArenaShape};
use richman_core::{
    Arena, ArenaBuilder, Effort, Error as CoreError, Holding, Mechanism, Node, Player, Rule, Share, Terminal, Total,
};
use richman_solvers::{chips, money};

use super::Session;
use super::solved::proved_rules;
use crate::Error;

/// Which random arenas a theorem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArenaKind {
    /// All finite arenas.
    Any,
    /// Arenas without endless play.
    Acyclic,
    /// Arenas without endless play and draws.
    Decided,
}

impl Session<'_> {
    /// Random arenas of up to eight positions, the same in every run.
    pub fn arenas(&self, kind: ArenaKind) -> Result<Vec<Arena>, Error> {
        let mut rng = Rng::with_seed(2010);
        let count = if self.deep { 3000 } else { 300 };
        let mut arena = |round: usize| {
            let shape = ArenaShape {
                positions: rng.u32(1..=8),
                moves: rng.u32(1..=3),
                cyclic: kind == ArenaKind::Any && round % 2 == 1,
                draws: kind != ArenaKind::Decided && rng.bool(),
                owned: false,
            };
            Ok(arenas::random(shape, &mut rng)?)
        };
        (0..count).map(&mut arena).collect()
    }

    /// A description of the random arenas.
    pub fn range(&self, kind: ArenaKind) -> String {
        let count = if self.deep { 3000 } else { 300 };
        let which = match kind {
            ArenaKind::Any => "half of them with cycles",
            ArenaKind::Acyclic => "without cycles",
            ArenaKind::Decided => "without cycles and draws",
        };
        format!("{count} random arenas of up to 8 positions, {which}")
    }
}

/// The win rule of the start.
pub fn win_rule(arena: &Arena) -> Result<Rule, Error> {
    Ok(proved_rules(arena)?.win(arena.start()))
}

/// Alice's real-money win threshold at the start, within `within` moves if given.
pub fn share(arena: &Arena, within: Option<u32>) -> Result<Share, Error> {
    let effort = Effort { within, ..Effort::default() };
    Ok(money::solve(arena, &Mechanism::default(), &effort)?.win.get(arena.start()).high)
}

/// The winner from the start with Alice's holding in half-steps; `None` for a draw.
pub fn winner(arena: &Arena, total: u32, alice: u32) -> Result<Option<Player>, Error> {
    let total = Total::new(total)?;
    let rows = chips::table(arena, &Mechanism::default(), total..=total, &Effort::default())?;
    Ok(rows[0].winner(Holding::from_half_steps(alice)))
}

/// Adds Tug^n [DP10, 4.1] and returns its vertex `label`, from -n to n; Alice wins at n, Bob at -n.
fn tug(builder: &mut ArenaBuilder, n: u32, label: i64) -> Node {
    let first = builder.len() as Node;
    builder.terminal(Terminal::Win(Player::Bob));
    for vertex in 1..2 * n {
        let sides = [first + vertex - 1, first + vertex + 1];
        builder.position(&sides, &sides);
    }
    builder.terminal(Terminal::Win(Player::Alice));
    (i64::from(first) + i64::from(n) + label) as Node
}

/// The first mover chooses a vertex of one of several Tug^n.
pub fn choice_of_tugs(choices: &[(u32, i64)]) -> Result<Arena, CoreError> {
    let mut builder = ArenaBuilder::new();
    let starts: Vec<Node> = choices.iter().map(|&(n, label)| tug(&mut builder, n, label)).collect();
    let start = builder.position(&starts, &starts);
    builder.build(start)
}

/// Adds Ult^n [DP10, 4.2] and returns its start.
fn ultimatum(builder: &mut ArenaBuilder, n: u32) -> Node {
    let alice = builder.terminal(Terminal::Win(Player::Alice));
    let bob = builder.terminal(Terminal::Win(Player::Bob));
    let zero = builder.len() as Node;
    // `zero`, then 1..=n where Alice threatens, then -1..=-n where Bob does
    builder.position(&[zero + n], &[zero + 2 * n]);
    for k in 1..=n {
        builder.position(&[alice], &[zero + k - 1]);
    }
    for k in 1..=n {
        builder.position(&[if k == 1 { zero } else { zero + n + k - 1 }], &[bob]);
    }
    zero
}

/// The first mover chooses one of several Ult^n.
pub fn choice_of_ultimatums(degrees: &[u32]) -> Result<Arena, CoreError> {
    let mut builder = ArenaBuilder::new();
    let starts: Vec<Node> = degrees.iter().map(|&n| ultimatum(&mut builder, n)).collect();
    let start = builder.position(&starts, &starts);
    builder.build(start)
}

/// E: whoever moves wins.
pub fn first_mover() -> Result<Arena, CoreError> {
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let start = builder.position(&[alice], &[bob]);
    builder.build(start)
}

/// Whoever makes the second move wins [DP10, Example 3.5].
pub fn second_mover() -> Result<Arena, CoreError> {
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let last = builder.position(&[alice], &[bob]);
    let start = builder.position(&[last], &[last]);
    builder.build(start)
}

/// The first mover chooses m from 1 to `most`, and Alice has won after m more moves [DP10, Example
/// 3.6].
pub fn waiting(most: u32) -> Result<Arena, CoreError> {
    let mut builder = ArenaBuilder::new();
    let mut waits = vec![builder.terminal(Terminal::Win(Player::Alice))];
    for _ in 0..most {
        let before = waits[waits.len() - 1];
        waits.push(builder.position(&[before], &[before]));
    }
    let start = builder.position(&waits[1..], &waits[1..]);
    builder.build(start)
}

/// Alice wins with the first move, both of the next two, all of the next three, and so on for
/// `runs` runs; a play without such a run is a draw [DP10, 7, Ladies First].
pub fn longer_and_longer(runs: u32) -> Result<Arena, CoreError> {
    let mut builder = ArenaBuilder::new();
    let won = builder.terminal(Terminal::Win(Player::Alice));
    let mut after = builder.terminal(Terminal::Draw);
    for run in (1..=runs).rev() {
        // missed[i]: i moves of the run are left and Alice missed one; hit[i]: she has made all so
        // far.
        let (mut missed, mut hit) = (after, won);
        for _ in 0..run {
            let wait = builder.position(&[missed], &[missed]);
            hit = builder.position(&[hit], &[missed]);
            missed = wait;
        }
        after = hit;
    }
    builder.build(after)
}

/// Three positions x, y, z; nobody wants to move at z. The start is z. Its real-money thresholds
/// are all 0.
///
/// x: Alice to y, Bob stays; y: Alice to z, Bob to x; z: Alice to x, Bob to her win.
pub fn new_bids() -> Result<Arena, CoreError> {
    let mut builder = ArenaBuilder::new();
    let won = builder.terminal(Terminal::Win(Player::Alice));
    builder.position(&[2], &[1]);
    builder.position(&[3], &[1]);
    builder.position(&[1], &[won]);
    builder.build(3)
}

/// Four positions: w and x next to Alice's win, the start y, and z where whoever moves loses.
///
/// w: Alice to her win, Bob to x; x: Alice to w, Bob to y; y: Alice to x, Bob to z; z: Alice to
/// Bob's win, Bob to hers.
pub fn turning_zugzwang() -> Result<Arena, CoreError> {
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let [w, x, y, z] = [2, 3, 4, 5];
    builder.position(&[alice], &[x]);
    builder.position(&[w], &[y]);
    builder.position(&[x], &[z]);
    builder.position(&[bob], &[alice]);
    builder.build(y)
}

/// A random game in layers of four positions. Every move leads to the next layer or, rarely, to an
/// end; the last layer is drawn.
pub fn layers(depth: u32, seed: u64) -> Result<Arena, CoreError> {
    const WIDTH: u32 = 4;
    // Each layer has its own generator, so the game is the same for every depth.
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let draw = builder.terminal(Terminal::Draw);
    let first = builder.len() as Node;
    for layer in 0..depth {
        let mut rng = Rng::with_seed(seed * 1000 + u64::from(layer));
        for _ in 0..WIDTH {
            let mut moves = || -> Vec<Node> {
                let count = rng.u32(1..=3);
                let one = |_| match rng.u32(0..6) {
                    0 => alice,
                    1 => bob,
                    _ if layer + 1 == depth => {
                        rng.u32(0..WIDTH);
                        draw
                    }
                    _ => first + (layer + 1) * WIDTH + rng.u32(0..WIDTH),
                };
                (0..count).map(one).collect()
            };
            let both = [moves(), moves()];
            builder.position(&both[0], &both[1]);
        }
    }
    builder.build(first)
}
