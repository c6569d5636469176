//! Arenas for tests: seeded random ones, and families that are hard for solvers.

use fastrand::Rng;
use richman_core::{
    Arena, ArenaBuilder, Error, LabelledArena, LabelledArenaBuilder, Node, Objective, ParityArena, ParityArenaBuilder,
    ParityLabel, Player, PositionKind, Priority, Terminal,
};

/// The parameters of a random arena.
#[derive(Debug, Clone, Copy)]
pub struct ArenaShape {
    /// Positions where play continues.
    pub positions: u32,
    /// The most moves of one player from a position.
    pub moves: u32,
    /// Whether play may return to a position, self-loops included.
    pub cyclic: bool,
    /// Whether play can end without a winner.
    pub draws: bool,
    /// Whether at some positions one player moves without a bid.
    pub owned: bool,
}

impl ArenaShape {
    /// A shape drawn from `rng`, small enough for the oracle.
    pub fn small(rng: &mut Rng) -> ArenaShape {
        ArenaShape {
            positions: rng.u32(1..=6),
            moves: rng.u32(1..=3),
            cyclic: rng.bool(),
            draws: rng.bool(),
            owned: rng.bool(),
        }
    }
}

/// An arena of any objective: its ends, then positions from `draw`. It starts at the last position.
///
/// # Errors
/// The errors of [`LabelledArenaBuilder::build`].
pub fn drawn<L: Objective>(
    ends: &[L::End],
    positions: u32,
    mut draw: impl FnMut(Node) -> ([Vec<(Node, L::Move)>; 2], L::Position),
) -> Result<LabelledArena<L>, Error> {
    let mut builder = LabelledArenaBuilder::new();
    for &end in ends {
        builder.terminal(end);
    }
    let mut last = ends.len() as Node - 1;
    for node in last + 1..=last + positions {
        let ([alice, bob], label) = draw(node);
        last = builder.labelled(&alice, &bob, label);
    }
    builder.build(last)
}

/// A random arena that starts at the last position. Both players' moves are independent, so
/// zugzwang, dead loops and unreachable wins occur.
///
/// # Errors
/// None: every player who needs a move has one.
pub fn random(shape: ArenaShape, rng: &mut Rng) -> Result<Arena, Error> {
    let all = [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw];
    let ends = if shape.draws { &all[..] } else { &all[..2] };
    let count = ends.len() as Node;
    drawn(ends, shape.positions, |node| {
        let reach = if shape.cyclic { count + shape.positions } else { node };
        let moves = |_| {
            let moves = rng.u32(1..=shape.moves);
            let target = |_| if rng.u32(0..4) == 0 { rng.u32(0..count) } else { rng.u32(0..reach) };
            (0..moves).map(target).map(|to| (to, ())).collect()
        };
        let [alice, bob] = Player::BOTH.map(moves);
        match shape.owned && rng.bool() {
            false => ([alice, bob], PositionKind::Bid),
            true if rng.bool() => ([alice, Vec::new()], PositionKind::Owned(Player::Alice)),
            true => ([Vec::new(), bob], PositionKind::Owned(Player::Bob)),
        }
    })
}

/// Tug of war: position p is node p of the path 0..=`length`. Both players may move to either
/// neighbour. Alice wins at 0, Bob at the other end. It starts at node 1.
///
/// # Errors
/// Only for a `length` of 0; see [`random`].
pub fn path(length: u32) -> Result<Arena, Error> {
    let mut builder = ArenaBuilder::new();
    builder.terminal(Terminal::Win(Player::Alice));
    for at in 1..length {
        builder.position(&[at - 1, at + 1], &[at - 1, at + 1]);
    }
    builder.terminal(Terminal::Win(Player::Bob));
    builder.build(1)
}

/// A game whose chip table agrees with that of a simpler one for about 2^(`length` - 1) totals,
/// then deviates. Alice needs the first move, or all of the next `length`. Random side moves
/// between them matter only later.
///
/// # Errors
/// None.
pub fn late_break(length: u32, rng: &mut Rng) -> Result<Arena, Error> {
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let mut run = alice;
    for _ in 0..length {
        // Sometimes Bob escapes to a position that is only nearly won for him.
        let out = if rng.u32(0..3) == 0 { builder.position(&[run], &[bob]) } else { bob };
        run = builder.position(&[run], &[out]);
    }
    let start = builder.position(&[alice], &[run]);
    builder.build(start)
}

/// A path of `length` positions. Alice moves a step towards her win, Bob back to the start. A
/// greedy policy circles, and thresholds settle late.
///
/// # Errors
/// None.
pub fn long_way_back(length: u32) -> Result<Arena, Error> {
    let (mut builder, _) = ArenaBuilder::with_wins();
    let first = builder.len() as u32;
    let last = first + length.max(1) - 1;
    for node in first..=last {
        let back = if node == last { 1 } else { last };
        let forward = if node == first { 0 } else { node - 1 };
        builder.position(&[forward, node], &[back, node]);
    }
    builder.build(last)
}

/// `positions` positions with `moves` random moves of each player, and two ends: almost surely one
/// large component. With `shared`, both players have the same moves, as in the original Richman
/// games.
///
/// # Errors
/// None.
pub fn one_component(positions: u32, moves: u32, shared: bool, rng: &mut Rng) -> Result<Arena, Error> {
    let (mut builder, _) = ArenaBuilder::with_wins();
    let mut draw = || (0..moves.max(1)).map(|_| rng.u32(0..positions + 2)).collect::<Vec<Node>>();
    for _ in 0..positions.max(1) {
        let alice = draw();
        let bob = if shared { alice.clone() } else { draw() };
        builder.position(&alice, &bob);
    }
    builder.build(2)
}

/// A ladder of `rungs` pairs of positions, each an end component where both players may stay
/// forever. Leaving a rung helps the other player. So win and draw thresholds differ, and the
/// equations alone do not determine the values of the rungs.
///
/// # Errors
/// None.
pub fn ladder(rungs: u32) -> Result<Arena, Error> {
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let mut below = builder.position(&[alice], &[bob]);
    for _ in 0..rungs {
        let better_for_bob = builder.position(&[below], &[bob]);
        let better_for_alice = builder.position(&[alice], &[below]);
        let left = builder.len() as Node;
        let right = left + 1;
        builder.position(&[right, better_for_bob], &[right]);
        below = builder.position(&[left], &[left, better_for_alice]);
    }
    builder.build(below)
}

/// A chain on which Alice advances and Bob falls back. Alice wins at its end, Bob with a move at
/// its start. The value at the start has a denominator of about `length` bits.
///
/// # Errors
/// None.
pub fn long_denominators(length: u32) -> Result<Arena, Error> {
    let (mut builder, [alice, bob]) = ArenaBuilder::with_wins();
    let first = builder.len() as Node;
    let length = length.max(1);
    for i in 0..length {
        let on = if i + 1 == length { alice } else { first + i + 1 };
        match i {
            0 => builder.position(&[on], &[bob]),
            _ if i % 3 == 0 => builder.position(&[on], &[first + i / 2]),
            _ => builder.position(&[on], &[first]),
        };
    }
    builder.build(first)
}

/// `copies` copies of a small random arena. Every move leads to all copies of its target, so there
/// are many equal best moves.
///
/// # Errors
/// None.
pub fn equal_moves(shape: ArenaShape, copies: u32, rng: &mut Rng) -> Result<Arena, Error> {
    let arena = random(shape, rng)?;
    let copies = copies.max(1);
    let count = arena.len() as Node;
    let mut builder = ArenaBuilder::new();
    for copy in 0..copies {
        for node in arena.nodes() {
            match arena.terminal(node) {
                Some(end) => builder.terminal(end),
                None => {
                    let moves = |player| -> Vec<Node> {
                        let all =
                            (0..copies).flat_map(|to| arena.moves(node, player).iter().map(move |&v| v + to * count));
                        all.collect()
                    };
                    match arena.owner(node) {
                        Some(owner) => builder.owned(owner, &moves(owner)),
                        None => builder.position(&moves(Player::Alice), &moves(Player::Bob)),
                    }
                }
            };
        }
        debug_assert_eq!(builder.len() as Node, (copy + 1) * count);
    }
    builder.build(arena.start())
}

/// A parity game without bids: each position has a random owner, a random priority below
/// `priorities` and `moves` random moves.
///
/// # Errors
/// None.
pub fn without_bids(positions: Node, moves: usize, priorities: u32, rng: &mut Rng) -> Result<ParityArena, Error> {
    let mut builder = ParityArenaBuilder::new();
    for _ in 0..positions.max(1) {
        let to: Vec<(Node, ())> = (0..moves.max(1)).map(|_| (rng.u32(..positions.max(1)), ())).collect();
        owned(&mut builder, Player::BOTH[rng.usize(..2)], rng.u32(..priorities.max(1)), &to);
    }
    builder.build(0)
}

/// A ladder of `length` positions without bids, whose numbers are their priorities: moves lead one
/// up or one down, from the ends to position 0. So the owner of the priorities changes `length` - 1
/// times.
///
/// # Errors
/// None.
pub fn priority_ladder(length: Node) -> Result<ParityArena, Error> {
    let mut builder = ParityArenaBuilder::new();
    for at in 0..length.max(1) {
        let up = if at + 1 < length { at + 1 } else { 0 };
        let owner = Player::BOTH[at as usize % 2];
        owned(&mut builder, owner, at, &[(up, ()), (at.saturating_sub(1), ())]);
    }
    builder.build(0)
}

/// A game without bids on which Zielonka's recursion takes exponentially many rounds (Friedmann,
/// Recursive algorithm for parity games requires exponential time, 2011). Each level has five
/// positions: two with the least priorities and three above all lower levels. The owners change
/// from level to level.
///
/// # Errors
/// None.
pub fn friedmann(levels: u32) -> Result<ParityArena, Error> {
    let at = |level: u32, part: u32| 5 * level + part;
    let mut builder = ParityArenaBuilder::new();
    for level in 0..levels.max(1) {
        let [this, other] = if level.is_multiple_of(2) { Player::BOTH } else { [Player::Bob, Player::Alice] };
        let (low, high) = (1 - level % 2, 3 * level + 8);
        let below = level.checked_sub(1).map(|level| at(level, 3));
        let [gate, middle] = [1, 3].map(|part| (level + 1 < levels).then(|| at(level + 1, part)));
        let parts = [
            (other, low, [below, Some(at(level, 1)), None]),
            (this, low, [Some(at(level, 0)), Some(at(level, 2)), None]),
            (other, high, [gate, Some(at(level, 3)), None]),
            (this, high - 1, [below, middle, Some(at(level, 4))]),
            (other, high - 2, [Some(at(level, 3)), gate, None]),
        ];
        for (owner, priority, to) in parts {
            let moves: Vec<(Node, ())> = to.into_iter().flatten().map(|to| (to, ())).collect();
            owned(&mut builder, owner, priority, &moves);
        }
    }
    builder.build(0)
}

fn owned(builder: &mut ParityArenaBuilder, owner: Player, priority: u32, moves: &[(Node, ())]) {
    let label = ParityLabel { priority: Priority(priority), kind: PositionKind::Owned(owner) };
    let of = |player| if player == owner { moves } else { &[] };
    builder.labelled(of(Player::Alice), of(Player::Bob), label);
}
