//! The random-turn game of a game that is won or lost, as a list of states with choices and
//! probabilities, for model checkers.
//!
//! A position is a state of the same number. Where the players bid, chance decides with 1/2 each
//! who moves: to a further state where that player chooses, or at once to the only move. Where play
//! has ended it stays. Further states follow all positions, in their order, Alice's first.

use std::io;

use richman_core::{
    ByPlayer, Game, LabelledGraph, Node, NodeData, Player, PositionKind, Probability, RandomTurn, StochasticPlace,
    Terminal, Watch,
};

use crate::form::pause;

/// The states of a graph.
pub(crate) struct States<'g, L: RandomTurn> {
    graph: &'g LabelledGraph<L>,
    /// How many there are.
    pub(crate) count: u64,
    /// The choices of all states; a state of chance has one.
    pub(crate) choices: u64,
    /// The targets of all choices.
    pub(crate) transitions: u64,
    /// Where each player first has a choice.
    first_choice: ByPlayer<Option<Node>>,
}

/// A state.
pub(crate) struct State {
    pub(crate) number: u64,
    /// Who has won there.
    pub(crate) end: Option<Terminal>,
    pub(crate) is_start: bool,
    /// What follows.
    pub(crate) next: NextStates,
}

/// What follows a state.
pub(crate) enum NextStates {
    /// One of these, as the player chooses.
    Chosen(Player, Vec<u32>),
    /// One of these, by chance.
    Drawn(Vec<(u64, Probability)>),
}

impl<'g, L: RandomTurn> States<'g, L> {
    /// The states of a graph, counted.
    pub(crate) fn of(graph: &'g LabelledGraph<L>, watch: &dyn Watch) -> io::Result<States<'g, L>> {
        let mut states = States { graph, count: 0, choices: 0, transitions: 0, first_choice: ByPlayer::default() };
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
            move |&position: &Node| match graph.place(position) {
                NodeData::End(_) => false,
                NodeData::On(label) => match L::mover(label) {
                    StochasticPlace::Chance => false,
                    StochasticPlace::Player(_) => targets(graph, position, player).len() > 1,
                },
            }
        };
        states.first_choice = ByPlayer::from_fn(|player| (0..graph.len()).find(chooses(player)));
        Ok(States { count, choices, transitions, ..states })
    }

    /// The players who have a choice anywhere.
    pub(crate) fn choosers(&self) -> Vec<Player> {
        Player::BOTH.into_iter().filter(|player| self.first_choice[*player].is_some()).collect()
    }

    /// Calls `visit` for every state in order.
    pub(crate) fn each(&self, watch: &dyn Watch, mut visit: impl FnMut(State) -> io::Result<()>) -> io::Result<()> {
        let graph = self.graph;
        let mut further = u64::from(graph.len());
        for position in 0..graph.len() {
            pause(watch, "writing states", position, graph.len())?;
            let (end, next) = match graph.place(position) {
                NodeData::End(end) => (Some(end), NextStates::Drawn(vec![(position.into(), Probability::ONE)])),
                NodeData::On(label) => (None, self.next(position, L::mover(label), &mut further)),
            };
            visit(State { number: position.into(), end, is_start: position == graph.start(), next })?;
        }
        let mut number = u64::from(graph.len());
        for position in 0..graph.len() {
            pause(watch, "writing states", position, graph.len())?;
            let NodeData::On(label) = graph.place(position) else { continue };
            if L::mover(label) != StochasticPlace::Player(PositionKind::Bid) {
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

    /// What follows a position; `further` is the number of the next further state.
    fn next(&self, position: Node, mover: StochasticPlace, further: &mut u64) -> NextStates {
        let graph = self.graph;
        match mover {
            StochasticPlace::Player(PositionKind::Owned(owner)) => match targets(graph, position, owner) {
                only if only.len() == 1 => NextStates::Drawn(vec![(only[0].into(), Probability::ONE)]),
                targets => NextStates::Chosen(owner, targets),
            },
            StochasticPlace::Chance => {
                let steps = Player::BOTH.map(|player| graph.numbered_moves(position, player));
                let mut moves = Vec::with_capacity(steps.iter().map(ExactSizeIterator::len).sum());
                moves.extend(steps.into_iter().flatten().map(|step| (u64::from(step.to), L::probability(step.label))));
                moves.sort_unstable();
                NextStates::Drawn(moves)
            }
            StochasticPlace::Player(PositionKind::Bid) => {
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

/// The different targets of a player's moves, in order.
fn targets<L: RandomTurn>(graph: &LabelledGraph<L>, position: Node, player: Player) -> Vec<u32> {
    let mut targets: Vec<u32> = graph.numbered_moves(position, player).map(|step| step.to).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
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
