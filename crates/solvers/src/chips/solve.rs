//! Everything about one total, move by move.

use richman_core::{Arena, ChipSolution, Error, Mechanism, Node, Player, Side, Stage, Threshold, Total};

use super::local::{self, Bounds};
use crate::rounds::{self, Found, Goal, Predecessors, Rounds};
use crate::{Options, registry};

/// Solves an arena for one total: thresholds, fewest moves and forced draws, at every position.
///
/// # Errors
/// [`Error::Unsupported`] for mechanisms not served, [`Error::TooMuchMemory`], [`Error::Cancelled`].
pub fn solve(arena: &Arena, mechanism: &Mechanism, total: Total, options: &Options) -> Result<ChipSolution, Error> {
    registry::chips(mechanism)?;
    let predecessors = Predecessors::of(arena, options)?;
    let run = |player, goal| Task { arena, mechanism, total, player, goal, predecessors: &predecessors }.run(options);
    let sides = rounds::sides(mechanism, run, |_, log: &[(Node, Stage)]| Side::from_log(arena.len(), log))?;
    let [alice, bob] = sides.wins;
    Ok(ChipSolution { total, mechanism: mechanism.clone(), alice, bob, guards: sides.guards, stop: sides.stop })
}

struct Task<'a> {
    arena: &'a Arena,
    mechanism: &'a Mechanism,
    total: Total,
    player: Player,
    goal: Goal,
    predecessors: &'a Predecessors,
}

impl Task<'_> {
    fn run(&self, options: &Options) -> Result<Found<(Node, Stage)>, Error> {
        const GRAIN: usize = 1 << 8;
        let Task { arena, total, .. } = *self;
        let first = |node| {
            let reached = self.goal.is_reached(self.player, arena.terminal(node));
            if reached { Threshold::NOTHING } else { Threshold::unreachable(total) }
        };
        let values: Vec<Threshold> = arena.nodes().map(first).collect();
        // The values that are not those of an open position, of which nothing is known.
        let open = if self.goal == Goal::Win { Threshold::unreachable(total) } else { Threshold::NOTHING };
        let changed: Vec<Node> = arena.nodes().filter(|&node| values[node as usize] != open).collect();
        let stage = |&node: &Node| (node, Stage { within: 0, threshold: values[node as usize] });
        let mut log: Vec<(Node, Stage)> = changed.iter().map(stage).collect();
        let evaluate = |node: Node, values: &[Threshold]| self.turn(node, values);
        let rounds = Rounds { arena, predecessors: self.predecessors, values, changed, evaluate, grain: GRAIN };
        let done = rounds.run(options, |node, within, _, &threshold| {
            log.push((node, Stage { within, threshold }));
            // Both players' sides are found at once, and each log is copied into the order of positions at the end.
            let side = arena.len() * 20 + log.capacity() * size_of::<(Node, Stage)>() + log.len() * size_of::<Stage>();
            2 * side as u64
        })?;
        Ok(Found { log, done })
    }

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
        local::turn(self.mechanism, self.player, self.total, Bounds { own, other })
    }
}
