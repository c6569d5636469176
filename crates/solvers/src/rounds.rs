//! Rounds: round t computes the values within t moves from those within t - 1, only where something
//! changed.

use rayon::prelude::*;
use richman_core::{Arena, ByPlayer, Effort, Error, Goal, Groups, Mechanism, Node, Player, StopReason};

/// The thresholds of one player for one goal.
pub(crate) struct GoalThresholds<Change> {
    /// Every change, in the order of rounds.
    pub(crate) log: Vec<Change>,
    pub(crate) done: Done,
}

/// The thresholds of both players for a win and, if play need not be determined, for a draw.
pub(crate) struct Sides<Side> {
    pub(crate) wins: ByPlayer<Side>,
    pub(crate) guards: Option<ByPlayer<Side>>,
    pub(crate) stop: StopReason,
}

/// Computes both players' thresholds with `run`, and converts each with `side`, which takes that
/// many `bytes` from then on.
///
/// # Errors
/// The first error of `run`.
pub(crate) fn sides<Change: Send, Side>(
    mechanism: &Mechanism,
    effort: &Effort,
    run: impl Fn(Player, Goal, &Effort) -> Result<GoalThresholds<Change>, Error> + Sync,
    side: impl Fn(Player, &[Change]) -> Side,
    bytes: impl Fn(&Side) -> u64,
) -> Result<Sides<Side>, Error> {
    let (mut moves, mut cut) = (0, false);
    let mut both = |goal, effort: &Effort| {
        let (alice, bob) = rayon::join(|| run(Player::Alice, goal, effort), || run(Player::Bob, goal, effort));
        let found = ByPlayer::new(alice?, bob?);
        for done in found.iter().map(|found| &found.done) {
            (moves, cut) = (moves.max(done.rounds), cut || done.cut);
        }
        Ok::<_, Error>(ByPlayer::from_fn(|player| side(player, &found[player].log)))
    };
    let wins = both(Goal::Win, effort)?;
    let held = effort.held.saturating_add(wins.iter().map(bytes).sum());
    let beside = Effort { held, ..*effort };
    let guards = if mechanism.is_determined() { None } else { Some(both(Goal::Draw, &beside)?) };
    let stop = if cut { StopReason::Within { moves } } else { StopReason::FixedPoint { moves } };
    Ok(Sides { wins, guards, stop })
}

pub(crate) struct Done {
    /// The last round in which a value changed.
    pub(crate) rounds: u32,
    /// Whether values were still changing at the limit of moves.
    pub(crate) cut: bool,
}

/// Values of positions, computed round by round.
pub(crate) struct Rounds<'a, V, E> {
    pub(crate) arena: &'a Arena,
    pub(crate) predecessors: &'a Groups<Node>,
    /// The values within 0 moves.
    pub(crate) values: Vec<V>,
    /// The positions whose changed values affect others.
    pub(crate) changed: Vec<Node>,
    /// Computes the value of a position from the slice of all values.
    pub(crate) evaluate: E,
    /// The number of positions worth a thread of their own.
    pub(crate) grain: usize,
}

impl<V: PartialEq + Send + Sync, E: Fn(Node, &[V]) -> V + Sync> Rounds<'_, V, E> {
    /// Runs until no value changes. `record` receives every change (position, round, value before
    /// and after) and returns the bytes it holds.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub(crate) fn run(
        mut self,
        effort: &Effort,
        mut record: impl FnMut(Node, u32, &V, &V) -> u64,
    ) -> Result<Done, Error> {
        const AT_ONCE: usize = 1 << 14; // positions between two checks
        let mut queued = vec![0u32; self.arena.len()]; // the last round that evaluated a position
        let (mut round, mut last_change) = (0u32, 0u32);
        let mut since_check = 0usize;
        while !self.changed.is_empty() {
            if effort.within == Some(round) {
                return Ok(Done { rounds: round, cut: true });
            }
            round = round.checked_add(1).ok_or(Error::Cancelled)?;
            let mut open: Vec<Node> = Vec::new();
            for &node in &self.changed {
                for &before in self.predecessors.get(node as usize) {
                    if std::mem::replace(&mut queued[before as usize], round) != round {
                        open.push(before);
                    }
                }
            }
            let mut updates: Vec<(Node, V)> = Vec::new();
            for part in open.chunks(AT_ONCE.min(64 * self.grain)) {
                let (evaluate, values) = (&self.evaluate, &self.values);
                let update = |&node: &Node| {
                    let value = evaluate(node, values);
                    (value != values[node as usize]).then_some((node, value))
                };
                updates.par_extend(part.par_iter().with_min_len(self.grain).filter_map(update));
                since_check += part.len() * AT_ONCE / self.grain;
                if since_check >= AT_ONCE {
                    since_check = 0;
                    effort.check_cancelled()?;
                }
            }
            self.changed.clear();
            let mut held = 0;
            for (node, value) in updates {
                held = record(node, round, &self.values[node as usize], &value);
                self.values[node as usize] = value;
                self.changed.push(node);
            }
            if !self.changed.is_empty() {
                last_change = round;
            }
            // Every round, because a few positions can hold millions of cells.
            effort.check_memory("the solution", self.predecessors.bytes() + held)?;
            if round.is_multiple_of(64) || self.changed.len() * AT_ONCE > self.grain << 10 {
                effort.watch.progress("moves looked ahead", u64::from(round), None);
            }
        }
        Ok(Done { rounds: last_change, cut: false })
    }
}

/// The predecessors of each position, by either player's moves.
///
/// # Errors
/// [`Error::TooMuchMemory`].
pub(crate) fn predecessors(arena: &Arena, effort: &Effort) -> Result<Groups<Node>, Error> {
    let needed = (arena.edges() + 2 * arena.len()) as u64 * 4 + 2 * 20 * arena.len() as u64;
    effort.check_memory("solving the arena", needed)?;
    let to_from = |node: Node| arena.successors(node).iter().map(move |&to| (to as usize, node));
    Ok(Groups::of(arena.len(), 0, || arena.nodes().flat_map(to_from)))
}

/// The cell-wise least or greatest of the rows that moves lead to.
pub(crate) fn fold<'r, C: Copy + 'r>(
    moves: &[Node],
    row_of: impl Fn(Node) -> &'r [C],
    into: &mut [C],
    pick: impl Fn(C, C) -> C,
) {
    let Some((&first, rest)) = moves.split_first() else { return };
    into.copy_from_slice(row_of(first));
    for &to in rest {
        for (cell, &other) in into.iter_mut().zip(row_of(to)) {
            *cell = pick(*cell, other);
        }
    }
}
