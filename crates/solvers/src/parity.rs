//! Parity with chips: the greatest priority that recurs forever decides who wins.
//!
//! **Method.** Where play is determined, each position has a threshold above which Alice wins, as
//! in games that end, because a player with more chips can do everything that one with fewer can.
//! So all sets of configurations in Zielonka's recursion are spans between two vectors of
//! thresholds: configurations won by Alice are cut off above, those won by Bob below. One turn of
//! the definition, [`crate::chips::local`], is the step of both players' attractors.
//! `docs/design.md` has the proof.
//!
//! **Accepts** every finite arena and every mechanism with Richman payment and 0 among the bids in
//! which play is determined. Ends are won by the player they name.
//!
//! **Result:** exact. **Time:** an attractor takes moves x the changes of its vector, at most
//! positions x (2 x total + 2); there are usually few attractors, at worst exponentially many in
//! the number of levels (runs of neighbouring priorities of one player). Components are solved one
//! after the other, and only the levels that occur there count. **Memory:** at most 20 bytes for
//! each level and each position of a component, usually fewer, as only undecided positions count;
//! 84 for each position, 4 for each move. Where nobody bids, [`without_bids()`] is used instead.
//!
//! **Checked by** `richman_check::parity_judge`, which writes all holdings out.
//!
//! ```
//! use richman_core::{Effort, Mechanism, ParityArenaBuilder, Priority, Total};
//! use richman_solvers::parity;
//!
//! // A path of three with loops at its ends: Alice wants to visit the right end infinitely often.
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

mod cycles;
mod plans;
mod promotion;
mod turns;
mod without_bids;

use std::collections::VecDeque;

use richman_core::{
    Effort, Error, Groups, Mechanism, Node, NodeData, PacedWatch, ParityArena, ParitySolution, Player, Priority,
    Threshold, Total,
};

use crate::chips::local;
use crate::registry;

pub use crate::money::parity::money;
pub use plans::{ParityPlans, plans};
pub use without_bids::{ParityWins, nobody_bids, without_bids};

/// Solves a parity game for one total of chips.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served; [`Error::TooMuchMemory`];
/// [`Error::OutOfTime`]; [`Error::Cancelled`].
pub fn chips(
    arena: &ParityArena,
    mechanism: &Mechanism,
    total: Total,
    effort: &Effort,
) -> Result<ParitySolution, Error> {
    /// A position's threshold and index, and the ends of the lists of moves to it.
    const PER_POSITION: usize = size_of::<Threshold>() + 3 * size_of::<u32>();
    registry::parity_chips(mechanism)?;
    if nobody_bids(arena) {
        let thresholds = without_bids(arena, effort)?.thresholds(total);
        return Ok(ParitySolution { mechanism: mechanism.clone(), total, thresholds });
    }
    let bytes = arena.len() * PER_POSITION + arena.edges() * size_of::<Node>();
    effort.check_memory("solving the parity game", bytes as u64)?;
    let effort = &Effort { held: effort.held + bytes as u64, ..*effort };
    let components = arena.find_components(effort.watch)?;
    let mut solver = Solver {
        arena,
        mechanism,
        total,
        thresholds: vec![Threshold::NOTHING; arena.len()],
        before: before(arena),
        indices: vec![0; arena.len()],
        effort,
        pace: PacedWatch::new(effort.watch),
    };
    for index in 0..components.len() {
        solver.component(components.nodes(index), components.is_cyclic(index))?;
    }
    Ok(ParitySolution { mechanism: mechanism.clone(), total, thresholds: solver.thresholds })
}

/// The predecessors of each position.
fn before(arena: &ParityArena) -> Groups<Node> {
    let moves = || arena.nodes().flat_map(|from| arena.successors(from).iter().map(move |&to| (to as usize, from)));
    Groups::of(arena.len(), 0, moves)
}

struct Solver<'a> {
    arena: &'a ParityArena,
    mechanism: &'a Mechanism,
    total: Total,
    /// The thresholds of solved positions.
    thresholds: Vec<Threshold>,
    /// The predecessors of position v: `before.get(v)`.
    before: Groups<Node>,
    /// The index of each position in its component.
    indices: Vec<u32>,
    effort: &'a Effort<'a>,
    pace: PacedWatch<'a>,
}

/// A part of a component: the configurations from `low` on and below `high` at each position. Alice
/// has won from `high` on, Bob below `low`.
#[derive(Clone)]
struct Span {
    low: Vec<Threshold>,
    high: Vec<Threshold>,
}

/// The positions of a component and their levels.
struct Part<'a> {
    nodes: &'a [Node],
    levels: Levels,
    /// Bytes held for it, not counting pending spans.
    bytes: u64,
}

/// A pending span: the recursion returns to it once it has solved the part that its greatest level
/// does not attract.
struct Waiting {
    /// The winner of the greatest level.
    player: Player,
    /// The positions where the span is not empty, and the span there.
    positions: Vec<u32>,
    low: Vec<Threshold>,
    high: Vec<Threshold>,
}

/// The priorities of a component; neighbouring priorities of one player form one level.
pub(crate) struct Levels {
    /// The level of each position.
    pub of: Vec<u32>,
    /// The winner of each level.
    pub winners: Vec<Player>,
}

impl Levels {
    /// The levels of these positions.
    pub fn of(arena: &ParityArena, nodes: &[Node]) -> Levels {
        let priority = |node: &Node| match arena.data(*node) {
            NodeData::On(label) => label.priority,
            NodeData::End(_) => Priority::default(), // on a cycle, play goes on
        };
        let mut greatest: Vec<Priority> = nodes.iter().map(priority).collect();
        greatest.sort_unstable();
        // A level is named by its greatest priority.
        greatest.dedup_by(|next, before| {
            let is_same = next.winner() == before.winner();
            *before = if is_same { *next } else { *before };
            is_same
        });
        let level = |node: &Node| greatest.partition_point(|&top| top < priority(node)) as u32;
        let winners = greatest.iter().map(|priority| priority.winner()).collect();
        Levels { of: nodes.iter().map(level).collect(), winners }
    }
}

impl Solver<'_> {
    fn component(&mut self, nodes: &[Node], is_cyclic: bool) -> Result<(), Error> {
        if !is_cyclic {
            for &node in nodes {
                self.thresholds[node as usize] = match self.arena.data(node) {
                    NodeData::End(Player::Alice) => Threshold::NOTHING,
                    NodeData::End(Player::Bob) => Threshold::unreachable(self.total),
                    NodeData::On(_) => self.turn(node, |to| self.thresholds[to as usize]),
                };
            }
            return self.pace.steps(nodes.len());
        }
        let part = self.part(nodes)?;
        for (index, &node) in nodes.iter().enumerate() {
            self.indices[node as usize] = index as u32;
        }
        let count = nodes.len();
        let all = || (0..count as u32).collect::<Vec<u32>>();
        let whole =
            Span { low: vec![Threshold::NOTHING; count], high: vec![Threshold::unreachable(self.total); count] };
        // Configurations decided by leaving the component.
        let high = self.attract(&part, &whole, Player::Alice, whole.high.clone(), all())?;
        let low = self.attract(&part, &whole, Player::Bob, whole.low.clone(), all())?;
        let won = self.won(&part, Span { low, high }, all())?;
        for (&node, value) in nodes.iter().zip(won) {
            self.thresholds[node as usize] = value;
        }
        Ok(())
    }

    fn part<'n>(&self, nodes: &'n [Node]) -> Result<Part<'n>, Error> {
        /// The span, two working vectors, the whole component, the level, and lists of positions.
        const PER_POSITION: usize = 6 * size_of::<Threshold>() + 4 * size_of::<u32>();
        let bytes = (nodes.len() * PER_POSITION) as u64;
        self.effort.check_memory("solving the parity game", bytes)?;
        Ok(Part { nodes, levels: Levels::of(self.arena, nodes), bytes })
    }

    /// Zielonka's recursion: Alice's threshold at each position to win the span. `inside` are the
    /// positions where the span is not empty. Pending spans are kept in a list, not on the stack,
    /// because there can be as many levels as positions.
    fn won(&mut self, part: &Part, mut span: Span, mut inside: Vec<u32>) -> Result<Vec<Threshold>, Error> {
        const PER_POSITION: usize = size_of::<u32>() + 2 * size_of::<Threshold>();
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut bytes = part.bytes;
        loop {
            inside.retain(|&at| span.low[at as usize] != span.high[at as usize]);
            if let Some(level) = inside.iter().map(|&at| part.levels.of[at as usize]).max() {
                let player = part.levels.winners[level as usize];
                let reached = self.reached(part, &span, player, level, &inside)?;
                bytes += (inside.len() * PER_POSITION) as u64;
                self.effort.check_memory("solving the parity game", bytes)?;
                let of = |side: &[Threshold]| inside.iter().map(|&at| side[at as usize]).collect();
                waiting.push(Waiting { player, low: of(&span.low), high: of(&span.high), positions: inside.clone() });
                *player.either(&mut span.high, &mut span.low) = reached;
                continue;
            }
            // Both ends of the span are now Alice's thresholds, wherever it was not empty.
            loop {
                let Some(Waiting { player, positions, low, high }) = waiting.pop() else { return Ok(span.high) };
                bytes -= (positions.len() * PER_POSITION) as u64;
                // Where the other player wins the rest.
                let lost = |index: &usize| span.high[positions[*index] as usize] != player.either(&low, &high)[*index];
                let lost: Vec<u32> = (0..positions.len()).filter(lost).map(|index| positions[index]).collect();
                if lost.is_empty() {
                    // The player wins the whole span, so it is empty.
                    continue;
                }
                let won: Vec<Threshold> = lost.iter().map(|&at| span.high[at as usize]).collect();
                for (index, &at) in positions.iter().enumerate() {
                    (span.low[at as usize], span.high[at as usize]) = (low[index], high[index]);
                }
                let mut goal = player.either(&span.low, &span.high).clone();
                for (&at, won) in lost.iter().zip(won) {
                    goal[at as usize] = won;
                }
                let open = self.before(part, &lost);
                *player.either(&mut span.low, &mut span.high) =
                    self.attract(part, &span, player.other(), goal, open)?;
                inside = positions;
                break;
            }
        }
    }

    /// The part where the winner of a level can return to it, or to a won configuration.
    fn reached(
        &mut self,
        part: &Part,
        span: &Span,
        player: Player,
        level: u32,
        inside: &[u32],
    ) -> Result<Vec<Threshold>, Error> {
        let mut goal = player.either(&span.high, &span.low).clone();
        let mut open = Vec::new();
        for &at in inside.iter().filter(|&&at| part.levels.of[at as usize] == level) {
            goal[at as usize] = player.either(span.low[at as usize], span.high[at as usize]);
            open.push(at);
        }
        let open = self.before(part, &open);
        self.attract(part, span, player, goal, open)
    }

    /// The predecessors of these positions.
    fn before(&self, part: &Part, positions: &[u32]) -> Vec<u32> {
        let mut before: Vec<u32> = positions.iter().flat_map(|&at| self.before_node(part.nodes[at as usize])).collect();
        before.sort_unstable();
        before.dedup();
        before
    }

    /// The predecessors of `node` in the same component.
    fn before_node(&self, node: Node) -> impl Iterator<Item = u32> {
        let components = self.arena.components();
        let own = components.component(node);
        let inside = self.before.get(node as usize).iter().filter(move |&&from| components.component(from) == own);
        inside.map(|&from| self.indices[from as usize])
    }

    /// The attractor: configurations of a span from which a player can force play into `goal`, or
    /// out of the span to a won configuration. Alice's are those from the returned thresholds on,
    /// Bob's those below. Only positions in `open` may change.
    fn attract(
        &mut self,
        part: &Part,
        span: &Span,
        player: Player,
        mut goal: Vec<Threshold>,
        open: Vec<u32>,
    ) -> Result<Vec<Threshold>, Error> {
        self.effort.check_time("solving the parity game")?;
        let mut is_open = vec![false; goal.len()];
        open.iter().for_each(|&at| is_open[at as usize] = true);
        let mut open = VecDeque::from(open);
        while let Some(at) = open.pop_front() {
            self.pace.step()?;
            let index = at as usize;
            is_open[index] = false;
            let (low, high, old) = (span.low[index], span.high[index], goal[index]);
            if low == high {
                continue;
            }
            let node = part.nodes[index];
            let own = self.arena.components().component(node);
            let now = self.turn(node, |to| match self.arena.components().component(to) == own {
                true => goal[self.indices[to as usize] as usize],
                false => self.thresholds[to as usize],
            });
            let each = |low: u32, high: u32, old: u32, now: u32| match player {
                Player::Alice => now.max(low).min(old),
                Player::Bob => now.min(high).max(old),
            };
            let new = Threshold {
                plain: each(low.plain, high.plain, old.plain, now.plain),
                star: each(low.star, high.star, old.star, now.star),
            };
            if new == old {
                continue;
            }
            goal[index] = new;
            for from in self.before_node(node) {
                if !std::mem::replace(&mut is_open[from as usize], true) {
                    open.push_back(from);
                }
            }
        }
        Ok(goal)
    }

    /// Alice's threshold before the bids, given those after the moves.
    fn turn(&self, node: Node, of: impl Fn(Node) -> Threshold) -> Threshold {
        let by = |player| self.arena.moves(node, player).iter().map(|&to| of(to));
        let (owner, [alice, bob]) = (self.arena.owner(node), Player::BOTH.map(by));
        local::after_moves(self.mechanism, Player::Alice, self.total, owner, alice, bob)
    }
}
