//! Chips where thresholds depend on both purses, because money goes to the bank, or because more
//! chips can hurt with the allowed bids.
//!
//! **Formula.** For each position, star and purse of the other player: the least chips with a bid,
//! or an answer to each bid, that meets the thresholds after the move ([`Turn`]). If bids go to the
//! bank and a bid of 0 is allowed, more chips never hurt a player and never help the other (theorem
//! 11 (more chips never hurt) of `docs/design.md`). Without a bid of 0 only Richman payment is
//! accepted. One purse then determines the other, so each state is a cell.
//!
//! **Accepts** every finite arena, every tie rule, order of bidding and right. **Stops** when no
//! value changes. **Result:** exact.
//!
//! **Time and memory.** In a round, each predecessor of a changed position costs a few binary
//! searches for each star and purse of the other player. 4 bytes per cell, and 24 per change.
//!
//! **Checked by** the oracle and the verifier in `richman-check`.

use richman_core::{
    Arena, Effort, Error, Goal, Groups, Mechanism, Node, PacedWatch, Player, PurseCell, PurseSide, PurseSolution,
    PurseStage, Purses, Right, Turn,
};

use crate::registry;
use crate::rounds::{self, GoalThresholds, Rounds, Sides, fold};
use richman_core::partition;

/// Solves an arena for all purses of a range: least chips, fewest moves and forced draws at every
/// position.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism or the purses are not served; [`Error::TotalTooLarge`];
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(arena: &Arena, mechanism: &Mechanism, purses: Purses, effort: &Effort) -> Result<PurseSolution, Error> {
    registry::purses(mechanism, purses)?;
    #[cfg(feature = "faults")]
    let arena = &*crate::fault::arena(arena);
    let predecessors = rounds::predecessors(arena, effort)?;
    let run = |player, goal, effort: &Effort| {
        PurseTask { arena, mechanism, purses, player, goal, predecessors: &predecessors }.run(effort)
    };
    let side = |player: Player, log: &[Change]| {
        PurseSide::from_log(arena.len(), mechanism.has_star(), purses.most(player.other()), log)
    };
    let Sides { wins, guards, stop } = rounds::sides(mechanism, effort, run, side, PurseSide::bytes)?;
    Ok(PurseSolution { mechanism: mechanism.clone(), purses, wins, guards, stop })
}

/// A cell and its threshold from some number of moves on.
type Change = (PurseCell, PurseStage);

struct PurseTask<'a> {
    arena: &'a Arena,
    mechanism: &'a Mechanism,
    purses: Purses,
    player: Player,
    goal: Goal,
    predecessors: &'a Groups<Node>,
}

/// A player's thresholds at a position: a row for each star, with a cell for each purse of the
/// other player.
type PurseRow = Box<[u32]>;

impl PurseTask<'_> {
    fn run(&self, effort: &Effort) -> Result<GoalThresholds<Change>, Error> {
        let PurseTask { arena, .. } = *self;
        let cells = self.stars() * self.columns();
        let rows = 4 * arena.len() as u64 * (cells as u64 * 4 + size_of::<PurseRow>() as u64);
        effort.check_memory("solving for every purse", rows)?;
        let never = |node| if self.is_reached(node) { 0 } else { PurseSide::NEVER };
        let values: Vec<PurseRow> = arena.nodes().map(|node| vec![never(node); cells].into()).collect();
        // The positions whose value differs from that of an open position.
        let changed: Vec<Node> =
            arena.nodes().filter(|&node| self.is_reached(node) == (self.goal == Goal::Win)).collect();
        let mut log: Vec<Change> = Vec::new();
        let pace = PacedWatch::new(effort.watch);
        for &node in &changed {
            pace.steps(cells)?;
            let stage = PurseStage { within: 0, least: never(node) };
            log.extend((0..cells).map(|at| (self.cell(node, at), stage)));
        }
        let evaluate = |node: Node, values: &[PurseRow]| self.turn(node, values, effort);
        let rounds = Rounds { arena, predecessors: self.predecessors, values, changed, evaluate, grain: 1 };
        let done = rounds.run(effort, |node, within, before, after| {
            for at in (0..cells).filter(|&at| before[at] != after[at]) {
                log.push((self.cell(node, at), PurseStage { within, least: after[at] }));
            }
            rows + 4 * (log.capacity() * size_of::<Change>()) as u64
        })?;
        Ok(GoalThresholds { log, done })
    }

    fn is_reached(&self, node: Node) -> bool {
        self.goal.is_reached(self.player, self.arena.winner(node))
    }

    fn stars(&self) -> usize {
        if self.mechanism.has_star() { 2 } else { 1 }
    }

    fn columns(&self) -> usize {
        self.purses.most(self.player.other()) as usize + 1
    }

    fn cell(&self, node: Node, at: usize) -> PurseCell {
        let (star, other) = (at / self.columns(), at % self.columns());
        PurseCell { node, star: star == 1, other: other as u32 }
    }

    /// The row of a position from its successors' rows; incomplete if cancelled.
    fn turn(&self, node: Node, values: &[PurseRow], effort: &Effort) -> PurseRow {
        let PurseTask { arena, mechanism, purses, player, .. } = *self;
        let row_of = |to: Node| &*values[to as usize];
        let (mut own, mut other) = (values[node as usize].clone(), values[node as usize].clone());
        fold(arena.moves(node, player), row_of, &mut own, Ord::min);
        fold(arena.moves(node, player.other()), row_of, &mut other, Ord::max);
        if let Some(owner) = arena.owner(node) {
            let mut row = if owner == player { own } else { other };
            if self.goal == Goal::Win {
                let first = |at: usize| *purses.against(player, self.cell(node, at).other).start();
                (0..).zip(row.iter_mut()).for_each(|(at, least)| *least = (*least).max(first(at)));
            }
            return row;
        }
        #[cfg(feature = "faults")]
        let mechanism = &*crate::fault::mechanism(mechanism);
        let (won, lost) = match mechanism.right {
            Right::Moves => (own, other),
            Right::Chooses => (join(&own, &other, Ord::min), join(&own, &other, Ord::max)),
        };
        #[cfg(feature = "faults")]
        if crate::fault::is(crate::fault::Fault::GreaterOfBoth) {
            return join(&won, &lost, Ord::max);
        }
        let columns = self.columns();
        let met = |row: &PurseRow, own: u32, other: u32, star: bool| {
            let at = if star { columns } else { 0 } + other as usize;
            own >= row[at]
        };
        let least = |at: usize| {
            let PurseCell { star, other, .. } = self.cell(node, at);
            let chips = purses.against(player, other);
            let content = |own: u32| {
                #[cfg(feature = "faults")]
                let met = |row: &PurseRow, after: u32, after_other: u32, star: bool| {
                    let most = columns as u32 - 1;
                    met(
                        row,
                        crate::fault::paid(own, after, u32::MAX),
                        crate::fault::paid(other, after_other, most),
                        star,
                    )
                };
                let content = |is_won, own, other, star| met(if is_won { &won } else { &lost }, own, other, star);
                Turn { mechanism, player, own, other, star, content }.is_content()
            };
            // Values only fall in the search for a win and only rise in that for a draw.
            let before = values[node as usize][at];
            if effort.watch.cancelled() {
                return before; // a row can take long; `Rounds` gives up after it
            }
            let (first, end) = (*chips.start(), chips.end() + 1);
            let (first, end) = match self.goal {
                Goal::Win if before.min(end) == first || !content(before.min(end) - 1) => return before,
                Goal::Win => (first, before.min(end) - 1),
                Goal::Draw if before == PurseSide::NEVER || content(before.max(first)) => return before,
                Goal::Draw => (before.max(first) + 1, end),
            };
            let least = first + partition(end - first, |above| !content(first + above));
            if least > *chips.end() { PurseSide::NEVER } else { least }
        };
        (0..values[node as usize].len()).map(least).collect()
    }
}

fn join(one: &PurseRow, two: &PurseRow, pick: impl Fn(u32, u32) -> u32) -> PurseRow {
    one.iter().zip(two).map(|(&one, &two)| pick(one, two)).collect()
}
