//! Everything about one total, move by move: round t finds what is won within t moves from what is won within t - 1.

use richman_core::{
    Arena, ChipSolution, Error, Mechanism, Node, Player, Right, Side, Stage, StopReason, Terminal, Threshold, Total,
};

use super::local;
use crate::{Options, registry};

/// Solves an arena for one total: thresholds, fewest moves and forced draws, at every position.
///
/// # Errors
/// [`Error::Unsupported`] for mechanisms not served, [`Error::TooMuchMemory`], [`Error::Cancelled`].
pub fn solve(arena: &Arena, mechanism: &Mechanism, total: Total, options: &Options) -> Result<ChipSolution, Error> {
    let right = registry::chips(mechanism)?;
    let predecessors = Predecessors::of(arena, options)?;
    let run = |player| rounds(&Task { arena, right, total, player, predecessors: &predecessors }, options);
    let (alice, bob) = rayon::join(|| run(Player::Alice), || run(Player::Bob));
    let (alice, bob) = (alice?, bob?);
    let moves = alice.rounds.max(bob.rounds);
    let cut = alice.cut || bob.cut;
    Ok(ChipSolution {
        total,
        mechanism: mechanism.clone(),
        alice: Side::from_log(arena.len(), &alice.log),
        bob: Side::from_log(arena.len(), &bob.log),
        stop: if cut { StopReason::Within { moves } } else { StopReason::FixedPoint { moves } },
    })
}

struct Task<'a> {
    arena: &'a Arena,
    right: Right,
    total: Total,
    player: Player,
    predecessors: &'a Predecessors,
}

struct Found {
    /// Every change, in the order of rounds.
    log: Vec<(Node, Stage)>,
    rounds: u32,
    /// Whether values were still changing when the asked number of moves was reached.
    cut: bool,
}

fn rounds(task: &Task, options: &Options) -> Result<Found, Error> {
    let Task { arena, total, player, .. } = *task;
    let won = Stage { within: 0, threshold: Threshold::NOTHING };
    let mut values = vec![Threshold::unreachable(total); arena.len()];
    let mut changed: Vec<Node> =
        arena.nodes().filter(|&node| arena.terminal(node) == Some(Terminal::Win(player))).collect();
    for &node in &changed {
        values[node as usize] = won.threshold;
    }
    let mut log: Vec<(Node, Stage)> = changed.iter().map(|&node| (node, won)).collect();
    let mut queued = vec![0u32; arena.len()]; // the last round a position was looked at
    let mut updates: Vec<(Node, Threshold)> = Vec::new();
    let mut round = 0u32;
    let mut last_change = 0u32;
    while !changed.is_empty() {
        if options.within == Some(round) {
            return Ok(Found { log, rounds: round, cut: true });
        }
        round = round.checked_add(1).ok_or(Error::Cancelled)?;
        for &node in &changed {
            for &before in task.predecessors.of_node(node) {
                if std::mem::replace(&mut queued[before as usize], round) != round {
                    let value = task.turn(before, &values);
                    if value != values[before as usize] {
                        updates.push((before, value));
                    }
                }
            }
        }
        changed.clear();
        for (node, threshold) in updates.drain(..) {
            values[node as usize] = threshold;
            changed.push(node);
            log.push((node, Stage { within: round, threshold }));
        }
        if !changed.is_empty() {
            last_change = round;
        }
        if round.is_multiple_of(64) || changed.len() > 1 << 10 {
            options.check_cancelled()?;
            // Both players' sides are found at once, and each log is copied into the order of positions at the end.
            let side = arena.len() * 20 + log.capacity() * size_of::<(Node, Stage)>() + log.len() * size_of::<Stage>();
            options.check_memory("the solution", task.predecessors.bytes() + 2 * side as u64)?;
            options.watch.progress("moves looked ahead", u64::from(round), None);
        }
    }
    Ok(Found { log, rounds: last_change, cut: false })
}

impl Task<'_> {
    fn turn(&self, node: Node, values: &[Threshold]) -> Threshold {
        let mut own = Threshold::unreachable(self.total);
        for &to in self.arena.moves(node, self.player) {
            let value = values[to as usize];
            own = Threshold { plain: own.plain.min(value.plain), star: own.star.min(value.star) };
        }
        let mut other = Threshold::NOTHING;
        for &to in self.arena.moves(node, self.player.other()) {
            let value = values[to as usize];
            other = Threshold { plain: other.plain.max(value.plain), star: other.star.max(value.star) };
        }
        local::turn(self.right, self.total, own, other)
    }
}

/// From where each position can be reached in one move of either player.
pub(super) struct Predecessors {
    offsets: Vec<u32>,
    sources: Vec<Node>,
}

impl Predecessors {
    pub(super) fn of(arena: &Arena, options: &Options) -> Result<Predecessors, Error> {
        let needed = (arena.edges() + 2 * arena.len()) as u64 * 4 + 2 * 20 * arena.len() as u64;
        options.check_memory("solving the arena", needed)?;
        let mut offsets = vec![0u32; arena.len() + 1];
        for node in arena.nodes() {
            for &to in arena.successors(node) {
                offsets[to as usize + 1] += 1;
            }
        }
        for node in 0..arena.len() {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut sources = vec![0; arena.edges()];
        for node in arena.nodes() {
            for &to in arena.successors(node) {
                sources[next[to as usize] as usize] = node;
                next[to as usize] += 1;
            }
        }
        Ok(Predecessors { offsets, sources })
    }

    fn bytes(&self) -> u64 {
        (self.offsets.len() + self.sources.len()) as u64 * 4
    }

    pub(super) fn of_node(&self, node: Node) -> &[Node] {
        &self.sources[self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize]
    }
}
