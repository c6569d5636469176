//! Solves one total in full, counting moves.

use richman_core::{
    Arena, ChipSide, ChipSolution, Effort, Error, Goal, Groups, Mechanism, Node, Player, Stage, Threshold, Total,
};

use super::local;
use crate::registry;
use crate::rounds::{self, Done, GoalThresholds, Rounds};

/// Solves an arena for one total: thresholds, fewest moves and forced draws at every position.
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served; [`Error::TooManyPositions`] for 2^32
/// stages or more; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(arena: &Arena, mechanism: &Mechanism, total: Total, effort: &Effort) -> Result<ChipSolution, Error> {
    registry::chips(mechanism)?;
    #[cfg(feature = "faults")]
    let arena = &*crate::fault::arena(arena);
    let predecessors = if arena.is_acyclic() { None } else { Some(rounds::predecessors(arena, effort)?) };
    let run = |player, goal, effort: &Effort| {
        let task = ChipTask { arena, mechanism, total, player, goal };
        match &predecessors {
            Some(predecessors) => task.rounds(predecessors, effort),
            None => task.once(effort),
        }
    };
    let side = |_, log: &[(Node, Stage)]| ChipSide::from_log(arena.len(), log);
    let sides = rounds::sides(mechanism, effort, run, side, ChipSide::bytes)?;
    Ok(ChipSolution { total, mechanism: mechanism.clone(), wins: sides.wins, guards: sides.guards, stop: sides.stop })
}

struct ChipTask<'a> {
    arena: &'a Arena,
    mechanism: &'a Mechanism,
    total: Total,
    player: Player,
    goal: Goal,
}

impl ChipTask<'_> {
    /// For cyclic arenas: round by round.
    fn rounds(&self, predecessors: &Groups<Node>, effort: &Effort) -> Result<GoalThresholds<(Node, Stage)>, Error> {
        const GRAIN: usize = 1 << 8;
        let ChipTask { arena, .. } = *self;
        let values: Vec<Threshold> = arena.nodes().map(|node| self.at_first(node)).collect();
        let changed: Vec<Node> = arena.nodes().filter(|&node| values[node as usize] != self.open()).collect();
        let stage = |&node: &Node| (node, Stage { within: 0, threshold: values[node as usize] });
        let mut log: Vec<(Node, Stage)> = changed.iter().map(stage).collect();
        let evaluate = |node: Node, values: &[Threshold]| {
            let of = |mover| arena.moves(node, mover).iter().map(|&to| values[to as usize]);
            self.turn(node, of(self.player), of(self.player.other()))
        };
        let rounds = Rounds { arena, predecessors, values, changed, evaluate, grain: GRAIN };
        let done = rounds.run(effort, |node, within, _, &threshold| {
            log.push((node, Stage { within, threshold }));
            self.bytes(&log)
        })?;
        Ok(GoalThresholds { log, done })
    }

    /// For acyclic arenas: computes each position's stages once, from those of its successors.
    fn once(&self, effort: &Effort) -> Result<GoalThresholds<(Node, Stage)>, Error> {
        const BETWEEN_CHECKS: usize = 1 << 12;
        let arena = self.arena;
        effort.check_memory("solving the arena", self.bytes(&Vec::new()))?;
        let mut log: Vec<(Node, Stage)> = Vec::new();
        let mut runs = vec![StageRun::default(); arena.len()];
        let mut ahead = MoveTargets::default();
        for (done, &node) in arena.components().order().iter().enumerate() {
            if done % BETWEEN_CHECKS == 0 {
                effort.check_cancelled()?;
                effort.check_memory("the solution", self.bytes(&log))?;
                effort.watch.progress("positions", done as u64, Some(arena.len() as u64));
            }
            let start = log_length(&log)?;
            if arena.terminal(node).is_some() {
                let threshold = self.at_first(node);
                if threshold != self.open() {
                    log.push((node, Stage { within: 0, threshold }));
                }
            } else {
                ahead.clear();
                for mover in [self.player, self.player.other()] {
                    ahead.runs.extend(arena.moves(node, mover).iter().map(|&to| runs[to as usize]));
                }
                let own = arena.moves(node, self.player).len();
                self.stages(node, &mut ahead, own, effort.within, &mut log);
            }
            runs[node as usize] = StageRun { at: start, end: log_length(&log)? };
        }
        let rounds = log.iter().map(|(_, stage)| stage.within).max().unwrap_or(0);
        let cut = effort.within == Some(rounds) && !log.is_empty();
        Ok(GoalThresholds { log, done: Done { rounds, cut } })
    }

    /// Appends the stages of a position whose first `own` moves are the player's. Values change
    /// only where a successor's does.
    fn stages(&self, node: Node, ahead: &mut MoveTargets, own: usize, most: Option<u32>, log: &mut Vec<(Node, Stage)>) {
        let mut threshold = self.open();
        let mut now = ahead.begin(threshold, log);
        while now != MoveTargets::NEVER && most.is_none_or(|most| now < most) {
            let later = ahead.pass(now, log);
            let (own, other) = ahead.values.split_at(own);
            let value = self.turn(node, own.iter().copied(), other.iter().copied());
            if value != threshold {
                threshold = value;
                log.push((node, Stage { within: now + 1, threshold }));
            }
            now = later;
        }
    }

    /// The threshold of a position within 0 moves.
    fn at_first(&self, node: Node) -> Threshold {
        let reached = self.goal.is_reached(self.player, self.arena.winner(node));
        if reached { Threshold::NOTHING } else { Threshold::unreachable(self.total) }
    }

    /// The threshold within 0 moves of a position where play goes on.
    fn open(&self) -> Threshold {
        if self.goal == Goal::Win { Threshold::unreachable(self.total) } else { Threshold::NOTHING }
    }

    /// Bytes held for a log. Both sides are computed at once, and each log is finally sorted by
    /// position.
    fn bytes(&self, log: &Vec<(Node, Stage)>) -> u64 {
        let runs = size_of::<StageRun>().max(2 * size_of::<u32>());
        let positions = self.arena.len() * (runs + size_of::<Threshold>());
        let side = positions + log.capacity() * size_of::<(Node, Stage)>() + log.len() * size_of::<Stage>();
        2 * side as u64
    }

    fn turn(
        &self,
        node: Node,
        own: impl Iterator<Item = Threshold>,
        other: impl Iterator<Item = Threshold>,
    ) -> Threshold {
        local::after_moves(self.mechanism, self.player, self.total, self.arena.owner(node), own, other)
    }
}

#[derive(Clone, Copy, Default)]
struct StageRun {
    at: u32,
    end: u32,
}

fn log_length(log: &[(Node, Stage)]) -> Result<u32, Error> {
    u32::try_from(log.len()).map_err(|_| Error::TooManyPositions { limit: u64::from(u32::MAX) })
}

/// The successors of a position, in the order of moves.
#[derive(Default)]
struct MoveTargets {
    /// Their current thresholds.
    values: Vec<Threshold>,
    /// The numbers of moves at which these next change, or `NEVER`.
    changes: Vec<u32>,
    /// Their remaining stages.
    runs: Vec<StageRun>,
}

impl MoveTargets {
    const NEVER: u32 = u32::MAX;

    fn clear(&mut self) {
        self.values.clear();
        self.changes.clear();
        self.runs.clear();
    }

    /// Starts with equal thresholds; returns when the first one changes.
    fn begin(&mut self, value: Threshold, log: &[(Node, Stage)]) -> u32 {
        self.values.resize(self.runs.len(), value);
        self.changes.extend(self.runs.iter().map(|&run| MoveTargets::change(run, log)));
        self.changes.iter().copied().min().unwrap_or(MoveTargets::NEVER)
    }

    /// Advances where the threshold changes now; returns when the next one changes.
    fn pass(&mut self, now: u32, log: &[(Node, Stage)]) -> u32 {
        let mut next = MoveTargets::NEVER;
        for ((value, change), run) in self.values.iter_mut().zip(&mut self.changes).zip(&mut self.runs) {
            if *change == now {
                *value = log[run.at as usize].1.threshold;
                run.at += 1;
                *change = MoveTargets::change(*run, log);
            }
            next = next.min(*change);
        }
        next
    }

    fn change(run: StageRun, log: &[(Node, Stage)]) -> u32 {
        if run.at < run.end { log[run.at as usize].1.within } else { MoveTargets::NEVER }
    }
}

#[cfg(test)]
mod tests {
    use richman_core::{ArenaBuilder, Preset, Right, Terminal, Ties};

    use super::*;

    /// A random arena in which moves lead only to earlier positions.
    fn random(rng: &mut fastrand::Rng) -> Arena {
        let mut builder = ArenaBuilder::new();
        for end in [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw] {
            builder.terminal(end);
        }
        for _ in 0..rng.u32(1..30) {
            let [alice, bob] = [(); 2].map(|()| {
                let moves = 0..rng.u32(1..4);
                moves.map(|_| rng.u32(0..builder.len() as u32)).collect::<Vec<Node>>()
            });
            builder.position(&alice, &bob);
        }
        let start = builder.len() as Node - 1;
        builder.build(start).unwrap()
    }

    #[test]
    fn positions_taken_once_have_the_stages_of_rounds() {
        let mut rng = fastrand::Rng::with_seed(7);
        let (usual, larsson) = (Mechanism::default(), Preset::Larsson.mechanism());
        let ladies = Mechanism { ties: Ties::Alice, ..Mechanism::default() };
        let moves = Mechanism { right: Right::Moves, ..Mechanism::default() };
        let (mut cut, mut longest) = (0, 0);
        for case in 0..300 {
            let arena = random(&mut rng);
            let mechanism = [&usual, &moves, &larsson, &ladies][case % 4];
            let total = Total::new(rng.u32(0..6)).unwrap();
            let effort = Effort { within: rng.bool().then(|| rng.u32(0..5)), ..Effort::default() };
            let predecessors = rounds::predecessors(&arena, &effort).unwrap();
            for player in Player::BOTH {
                for goal in [Goal::Win, Goal::Draw] {
                    let task = ChipTask { arena: &arena, mechanism, total, player, goal };
                    let once = task.once(&effort).unwrap();
                    let rounds = task.rounds(&predecessors, &effort).unwrap();
                    let side = |found: &GoalThresholds<(Node, Stage)>| ChipSide::from_log(arena.len(), &found.log);
                    assert_eq!(side(&once), side(&rounds), "case {case}");
                    assert_eq!((once.done.rounds, once.done.cut), (rounds.done.rounds, rounds.done.cut), "case {case}");
                    cut += u32::from(once.done.cut);
                    longest = longest.max(once.done.rounds);
                }
            }
        }
        assert!(cut > 100 && longest > 6, "{cut} cut, {longest} moves");
    }
}
