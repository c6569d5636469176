//! Parity with chips: play that never ends, won by the greatest priority that comes back for ever.
//!
//! **Method.** Where play is determined, what Alice needs to win from a position is a threshold, as
//! in games that end, because a player with more chips can do what a player with fewer can. So all
//! sets of configurations that occur in the fixed point of a parity game are vectors of thresholds.
//! With the priorities `0 < ... < d` and the operator `turn` of [`crate::chips::local`],
//!
//! ```text
//! fix X_d. ... fix X_1. fix X_0.  v -> turn at v of X_p(v)
//! ```
//!
//! is the vector of Alice's thresholds, where the fixed point of an even priority is the least
//! vector (the greatest set) and that of an odd one the greatest. The innermost vector is computed
//! again whenever an outer one changes; `docs/design.md` has the proof.
//!
//! **Accepts** every finite arena and every mechanism with Richman payment and 0 among the bids in
//! which play is determined. Ends are won by the player they name.
//!
//! **Result:** exact. **Time:** moves x the changes of the vectors. One vector changes at most
//! positions x (2 x total + 2) times before it begins anew, so with d priorities there are at most
//! that many changes to the power d. Components are solved one after the other, and only the
//! priorities that occur there count. **Memory:** 8 bytes for each level of a component and each
//! of its positions, and two vectors more.
//!
//! **Checked by** `richman_check::parity_judge`, which writes all holdings out.
//!
//! ```
//! use richman_core::{Effort, Mechanism, ParityArenaBuilder, Priority, Total};
//! use richman_solvers::parity;
//!
//! // A path of three with loops at its ends: Alice wants to be at the right end for ever again.
//! let mut arena = ParityArenaBuilder::new();
//! for (at, priority) in [(0u32, 1), (1, 1), (2, 2)] {
//!     let moves = [(at.saturating_sub(1), ()), ((at + 1).min(2), ())];
//!     arena.labelled(&moves, &moves, Priority(priority));
//! }
//! let arena = arena.build(0)?;
//! let solved = parity::chips(&arena, &Mechanism::default(), Total::new(4)?, &Effort::default())?;
//! let needs: Vec<String> = solved.thresholds.iter().map(|needed| needed.to_string()).collect();
//! assert_eq!(needs, ["1", "0*", "0"]);
//! # Ok::<(), richman_core::Error>(())
//! ```

mod plans;
mod turns;

use richman_core::{
    Effort, Error, Mechanism, Node, NodeData, PacedWatch, ParityArena, ParitySolution, Player, Priority, Threshold,
    Total,
};

use crate::chips::local;
use crate::registry;

pub use plans::{ParityPlans, plans};

/// Solves a parity game for one total of chips.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served, or for very many priorities;
/// [`Error::TooMuchMemory`];
/// [`Error::OutOfTime`]; [`Error::Cancelled`].
pub fn chips(
    arena: &ParityArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ParitySolution, Error> {
    registry::parity_chips(mechanism)?;
    let components = arena.find_components(effort.watch)?;
    let mut solver = Solver {
        arena,
        mechanism,
        total,
        thresholds: vec![Threshold::NOTHING; arena.len()],
        places: vec![0; arena.len()],
        effort,
        pace: PacedWatch::new(effort.watch),
    };
    for index in 0..components.len() {
        solver.component(components.nodes(index), components.is_cyclic(index))?;
    }
    Ok(ParitySolution { mechanism: mechanism.clone(), total, thresholds: solver.thresholds })
}

/// More would take longer than anybody waits: each level multiplies the time.
const MOST_LEVELS: usize = 256;

struct Solver<'a> {
    arena: &'a ParityArena,
    mechanism: &'a Mechanism,
    total: Total,
    /// The thresholds of the positions that are solved.
    thresholds: Vec<Threshold>,
    /// The place of each position in its component.
    places: Vec<u32>,
    effort: &'a Effort<'a>,
    pace: PacedWatch<'a>,
}

/// The vectors of a component, one for each level, least first.
struct Levels {
    /// The greatest priority of each level.
    priorities: Vec<Priority>,
    vectors: Vec<Vec<Threshold>>,
}

impl Solver<'_> {
    fn component(&mut self, nodes: &[Node], is_cyclic: bool) -> Result<(), Error> {
        if !is_cyclic {
            for &node in nodes {
                self.thresholds[node as usize] = match self.arena.place(node) {
                    NodeData::End(Player::Alice) => Threshold::NOTHING,
                    NodeData::End(Player::Bob) => Threshold::unreachable(self.total),
                    NodeData::On(_) => self.turn(node, |to| self.thresholds[to as usize]),
                };
            }
            return self.pace.steps(nodes.len());
        }
        let mut priorities: Vec<Priority> = nodes.iter().filter_map(|&node| self.priority(node)).collect();
        priorities.sort_unstable();
        // Neighbouring priorities of one player are one level, named by the greatest.
        priorities.dedup_by(|next, before| {
            let is_same = next.winner() == before.winner();
            *before = if is_same { *next } else { *before };
            is_same
        });
        if priorities.len() > MOST_LEVELS {
            return Err(Error::unsupported(
                format!("a parity game whose priorities change hands {} times", priorities.len()),
                format!("at most {MOST_LEVELS} times in one strongly connected part"),
            ));
        }
        // The vectors, and copies of two of them.
        let bytes = (priorities.len() + 2) * nodes.len() * size_of::<Threshold>();
        self.effort.check_memory("solving the parity game", bytes as u64)?;
        for (place, &node) in nodes.iter().enumerate() {
            self.places[node as usize] = place as u32;
        }
        let vectors = priorities.iter().map(|&priority| vec![self.first(priority); nodes.len()]).collect();
        let mut levels = Levels { priorities, vectors };
        let last = levels.vectors.len() - 1;
        self.fix(nodes, &mut levels, last)?;
        for (&node, &value) in nodes.iter().zip(&levels.vectors[last]) {
            self.thresholds[node as usize] = value;
        }
        Ok(())
    }

    /// The priority of a position where play goes on.
    fn priority(&self, node: Node) -> Option<Priority> {
        if let NodeData::On(priority) = self.arena.place(node) { Some(priority) } else { None }
    }

    /// The first approximation of a fixed point: everything for a priority of Alice, nothing for
    /// one of Bob.
    fn first(&self, priority: Priority) -> Threshold {
        priority.winner().either(Threshold::NOTHING, Threshold::unreachable(self.total))
    }

    /// Brings the vectors of a level and of those below it to their fixed points, given those
    /// above.
    fn fix(&mut self, nodes: &[Node], levels: &mut Levels, level: usize) -> Result<(), Error> {
        loop {
            let inner = match level.checked_sub(1) {
                Some(below) => {
                    self.fix(nodes, levels, below)?;
                    levels.vectors[below].clone()
                }
                None => self.evaluated(nodes, levels)?,
            };
            if inner == levels.vectors[level] {
                return Ok(());
            }
            levels.vectors[level] = inner;
            // The fixed points below of the same kind move in the same direction, so they go on
            // from where they are; those of the other kind begin anew.
            let own = levels.priorities[level].winner();
            for below in 0..level {
                let priority = levels.priorities[below];
                if priority.winner() != own {
                    levels.vectors[below].fill(self.first(priority));
                }
            }
        }
    }

    /// Every position of a component by one turn, from the vector of its priority.
    fn evaluated(&mut self, nodes: &[Node], levels: &Levels) -> Result<Vec<Threshold>, Error> {
        self.effort.check_time("solving the parity game")?;
        let component = self.arena.components();
        let evaluate = |&node: &Node| {
            let priority = self.priority(node).unwrap_or_default(); // on a cycle, play goes on
            let level = levels.priorities.partition_point(|&greatest| greatest < priority);
            self.pace.step()?;
            Ok(self.turn(node, |to| match component.component(to) == component.component(node) {
                true => levels.vectors[level][self.places[to as usize] as usize],
                false => self.thresholds[to as usize],
            }))
        };
        nodes.iter().map(evaluate).collect()
    }

    /// Alice's threshold before the bids, given those after the moves.
    fn turn(&self, node: Node, of: impl Fn(Node) -> Threshold) -> Threshold {
        let by = |player| self.arena.moves(node, player).iter().map(|&to| of(to));
        local::after_moves(self.mechanism, Player::Alice, self.total, by(Player::Alice), by(Player::Bob))
    }
}
