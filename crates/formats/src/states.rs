//! The random-turn game of a game that is won or lost, as a list of states with choices and
//! probabilities, for model checkers.
//!
//! A position becomes the state of the same number. Where the players bid, chance picks the mover
//! with 1/2 each: it leads to a further state where that player chooses, or directly to the only
//! move. Ends are loops. Further states follow all positions, in their order, Alice's first.

pub(crate) mod reader;

use std::io;

use richman_core::{
    ByPlayer, Game, LabelledGraph, Node, Player, PositionKind, Probability, StochasticLabel, Terminal, Watch,
};

use crate::any_graph::{AnyGraph, of_any};
use crate::form::{NoRoom, pause};
use crate::labels::{FileLabel, FilePosition};
use crate::objectives::FileObjective;

/// Checks that a game has a random-turn game.
///
/// # Errors
/// The kinds of games that have one.
pub(crate) fn check_random_turn(graph: &AnyGraph) -> Result<(), NoRoom> {
    fn has<L: FileObjective>(_: &LabelledGraph<L>) -> bool {
        L::HAS_RANDOM_TURN
    }
    if of_any!(graph, graph => has(graph)) {
        return Ok(());
    }
    let reason = "only games that are won or lost at an end can be written for Storm and PRISM";
    Err((None, reason.to_string()))
}

/// How the game ended at a position, or who moves there.
pub(crate) fn mover(graph: &AnyGraph, position: Node) -> Result<StochasticLabel, Terminal> {
    fn written<L: FileObjective>(graph: &LabelledGraph<L>, position: Node) -> FilePosition {
        L::written(graph.data(position))
    }
    let found = of_any!(graph, graph => written(graph, position));
    found.end.map_or(Ok(found.mover), Err)
}

/// The different targets of a player's moves, in order.
fn targets(graph: &AnyGraph, position: Node, player: Player) -> Vec<u32> {
    let mut targets: Vec<u32> = of_any!(graph, graph => {
        graph.numbered_moves(position, player).map(|step| step.to).collect()
    });
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The targets of the moves of chance, in order, and their chances.
fn drawn<L: FileObjective>(graph: &LabelledGraph<L>, position: Node) -> Vec<(u64, Probability)> {
    let steps = Player::BOTH.map(|player| graph.numbered_moves(position, player));
    let mut moves = Vec::with_capacity(steps.iter().map(ExactSizeIterator::len).sum());
    moves.extend(steps.into_iter().flatten().map(|step| (u64::from(step.to), step.label.chance())));
    moves.sort_unstable();
    moves
}

/// The states of a graph.
pub(crate) struct States<'g> {
    graph: &'g AnyGraph,
    positions: Node,
    start: Node,
    /// The number of states.
    pub(crate) count: u64,
    /// The choices of all states; a state of chance has one.
    pub(crate) choices: u64,
    /// The targets of all choices.
    pub(crate) transitions: u64,
    /// The first position where each player has a choice.
    first_choice: ByPlayer<Option<Node>>,
}

/// A state.
pub(crate) struct State {
    pub(crate) number: u64,
    /// The winner there.
    pub(crate) end: Option<Terminal>,
    pub(crate) is_start: bool,
    /// The successors.
    pub(crate) next: NextStates,
}

/// The successors of a state.
pub(crate) enum NextStates {
    /// One of these, chosen by the player.
    Chosen(Player, Vec<u32>),
    /// One of these, drawn by chance.
    Drawn(Vec<(u64, Probability)>),
}

impl<'g> States<'g> {
    /// The states of a graph, counted.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`] unless the game has a random-turn game;
    /// [`io::ErrorKind::Other`] if the watch says stop.
    pub(crate) fn of(graph: &'g AnyGraph, watch: &dyn Watch) -> io::Result<States<'g>> {
        check_random_turn(graph).map_err(|_| io::ErrorKind::Unsupported)?;
        let (positions, start) = of_any!(graph, graph => (graph.len(), graph.start()));
        let first_choice = ByPlayer::default();
        let mut states = States { graph, positions, start, count: 0, choices: 0, transitions: 0, first_choice };
        let (mut count, mut choices, mut transitions) = (0, 0, 0);
        states.each(watch, |state| {
            count += 1;
            let (more, targets) = match &state.next {
                NextStates::Chosen(_, targets) => (targets.len(), targets.len()),
                NextStates::Drawn(moves) => (1, moves.len()),
            };
            choices += more as u64;
            transitions += targets as u64;
            Ok(())
        })?;
        let chooses = |player| {
            move |&position: &Node| match mover(graph, position) {
                Err(_) | Ok(StochasticLabel::Chance) => false,
                Ok(StochasticLabel::Player(_)) => targets(graph, position, player).len() > 1,
            }
        };
        states.first_choice = ByPlayer::from_fn(|player| (0..positions).find(chooses(player)));
        Ok(States { count, choices, transitions, ..states })
    }

    /// The players with a choice at some state.
    pub(crate) fn choosers(&self) -> Vec<Player> {
        Player::BOTH.into_iter().filter(|player| self.first_choice[*player].is_some()).collect()
    }

    /// The name of the game.
    #[cfg(feature = "files")]
    pub(crate) fn game(&self) -> String {
        of_any!(self.graph, graph => graph.name())
    }

    /// Calls `visit` for every state in order.
    pub(crate) fn each(&self, watch: &dyn Watch, mut visit: impl FnMut(State) -> io::Result<()>) -> io::Result<()> {
        let graph = self.graph;
        let mut further = u64::from(self.positions);
        for position in 0..self.positions {
            pause(watch, "writing states", position, self.positions)?;
            let (end, next) = match mover(graph, position) {
                Err(end) => (Some(end), NextStates::Drawn(vec![(position.into(), Probability::ONE)])),
                Ok(mover) => (None, self.next(position, mover, &mut further)),
            };
            visit(State { number: position.into(), end, is_start: position == self.start, next })?;
        }
        let mut number = u64::from(self.positions);
        for position in 0..self.positions {
            pause(watch, "writing states", position, self.positions)?;
            if mover(graph, position) != Ok(StochasticLabel::Player(PositionKind::Bid)) {
                continue;
            }
            for player in Player::BOTH {
                let targets = targets(graph, position, player);
                if targets.len() > 1 {
                    let next = NextStates::Chosen(player, targets);
                    visit(State { number, end: None, is_start: false, next })?;
                    number += 1;
                }
            }
        }
        Ok(())
    }

    /// The successors of a position; `further` is the number of the next further state.
    fn next(&self, position: Node, mover: StochasticLabel, further: &mut u64) -> NextStates {
        let graph = self.graph;
        match mover {
            StochasticLabel::Player(PositionKind::Owned(owner)) => match targets(graph, position, owner) {
                only if only.len() == 1 => NextStates::Drawn(vec![(only[0].into(), Probability::ONE)]),
                targets => NextStates::Chosen(owner, targets),
            },
            StochasticLabel::Chance => NextStates::Drawn(of_any!(graph, graph => drawn(graph, position))),
            StochasticLabel::Player(PositionKind::Bid) => {
                let mut after = Player::BOTH.map(|player| {
                    let targets = targets(graph, position, player);
                    if let [only] = targets[..] {
                        return u64::from(only);
                    }
                    *further += 1;
                    *further - 1
                });
                after.sort_unstable();
                match (after, Probability::new(1, 2)) {
                    ([one, other], Some(half)) if one != other => NextStates::Drawn(vec![(one, half), (other, half)]),
                    ([one, _], _) => NextStates::Drawn(vec![(one, Probability::ONE)]),
                }
            }
        }
    }
}

/// The label of a state where Bob chooses; elsewhere Alice does.
pub(crate) const BY_BOB: &str = "by_bob";

/// The label of an end.
pub(crate) fn end_label(end: Terminal) -> &'static str {
    match end {
        Terminal::Win(player) => player.either("alice", "bob"),
        Terminal::Draw => "draw",
    }
}
