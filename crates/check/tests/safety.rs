//! An objective of its own, from labels alone: safety with a counter. Alice wins unless more than a
//! fixed number of bids are made at marked positions, however long play lasts. The winner of a bid
//! moves and pays the other player; Alice wins ties.

use std::collections::HashMap;

use fastrand::Rng;
use richman_check::arenas;
use richman_core::{
    ByPlayer, Effort, Error, Game, GraphPosition, Label, LabelledArena, LabelledGraph, Node, NodeData, Objective,
    Player, Unfolding, unfold,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Safety;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Marked(bool);

impl Label for Marked {
    fn mirror(self) -> Marked {
        self
    }
}

impl Objective for Safety {
    type Move = ();
    type Position = Marked;
    type End = ();
    const CYCLES: bool = true;

    fn check(node: Node, data: NodeData<Safety>, moves: ByPlayer<&[()]>) -> Result<(), Error> {
        let stuck = Player::BOTH.into_iter().find(|&player| moves[player].is_empty());
        match stuck.filter(|_| data.end().is_none()) {
            Some(player) => Err(Error::DeadEnd { position: node.to_string(), player }),
            None => Ok(()),
        }
    }
}

/// For each number of bids at marked positions that Alice can still afford, her needs at each
/// position; more than the total if she loses.
fn solve(arena: &LabelledArena<Safety>, bearable: usize, total: u32) -> Vec<Vec<u32>> {
    let mut needs: Vec<Vec<u32>> = Vec::new();
    for left in 0..=bearable {
        // From below: every round finds what may be lost one turn later.
        let mut here = vec![0; arena.len()];
        loop {
            let before = here.clone();
            for node in arena.nodes() {
                let after = match arena.data(node) {
                    NodeData::End(()) => continue,
                    NodeData::On(Marked(true)) if left == 0 => {
                        here[node as usize] = total + 1;
                        continue;
                    }
                    NodeData::On(Marked(true)) => &needs[left - 1],
                    NodeData::On(Marked(false)) => &before,
                };
                let of = |player| arena.moves(node, player).iter().map(|&to| after[to as usize]);
                let (won, lost) = (of(Player::Alice).min().unwrap_or(0), of(Player::Bob).max().unwrap_or(0));
                let holds = |chips: u32, bid: u32| {
                    chips >= won.saturating_add(bid) && (total - chips <= bid || chips + bid + 1 >= lost)
                };
                let least = (0..=total).find(|&chips| (0..=chips).any(|bid| holds(chips, bid)));
                here[node as usize] = least.unwrap_or(total + 1);
            }
            if here == before {
                break;
            }
        }
        needs.push(here);
    }
    needs
}

/// Node, affordable bids at marked positions, Alice's chips.
type State = (Node, usize, u32);

/// Whether Alice stays safe for one turn more than `safe` says, by definition: she names a bid, Bob
/// answers, and the winner moves.
fn is_safe(arena: &LabelledArena<Safety>, safe: &HashMap<State, bool>, (node, left, chips): State, total: u32) -> bool {
    let NodeData::On(Marked(is_marked)) = arena.data(node) else { return true };
    let Some(left) = left.checked_sub(usize::from(is_marked)) else { return false };
    (0..=chips).any(|bid| {
        (0..=total - chips).all(|answer| {
            if bid >= answer {
                arena.moves(node, Player::Alice).iter().any(|&to| safe[&(to, left, chips - bid)])
            } else {
                arena.moves(node, Player::Bob).iter().all(|&to| safe[&(to, left, chips + answer)])
            }
        })
    })
}

#[test]
fn thresholds_are_those_of_the_definition() {
    let mut seen = [0; 2];
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let positions = rng.u32(1..=5);
        let arena = arenas::drawn::<Safety>(&[()], positions, |_| {
            let moves = |_| (0..rng.u32(1..=3)).map(|_| (rng.u32(0..=positions), ())).collect();
            (Player::BOTH.map(moves), Marked(rng.bool()))
        });
        let arena = arena.unwrap();
        let (bearable, total) = (rng.usize(0..=2), rng.u32(0..=4));
        let states = arena
            .nodes()
            .flat_map(|node| (0..=bearable).flat_map(move |left| (0..=total).map(move |chips| (node, left, chips))));
        let mut safe: HashMap<State, bool> = states.map(|state| (state, true)).collect();
        // Every loss happens within as many turns as there are states.
        for _ in 0..safe.len() {
            safe = safe.keys().map(|&state| (state, is_safe(&arena, &safe, state, total))).collect();
        }
        let needs = solve(&arena, bearable, total);
        for (&(node, left, chips), &expected) in &safe {
            let found = chips >= needs[left][node as usize];
            assert_eq!(found, expected, "seed {seed}, node {node}, {left} left, {chips} chips of {total}");
            seen[usize::from(found)] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

/// Named graphs, unfolding and errors serve this objective too.
#[test]
fn a_graph_is_unfolded() {
    let position = |name: &str, data, alice: &str, bob: &str| GraphPosition {
        name: name.to_string(),
        data,
        moves: [alice, bob].map(|to| to.split_whitespace().map(|to| (to.to_string(), ()).into()).collect()).into(),
    };
    let mut positions = vec![
        position("shore", NodeData::On(Marked(false)), "shore", "reef"),
        position("reef", NodeData::On(Marked(true)), "shore", "reef"),
    ];
    let graph = LabelledGraph::<Safety>::new("coast", "shore", &positions).unwrap();
    let unfolded = unfold(graph.clone(), graph.start(), &Effort::default()).unwrap();
    let reef = unfolded.node("reef").unwrap();
    assert_eq!(unfolded.arena().data(reef), NodeData::On(Marked(true)));
    assert_eq!(solve(unfolded.arena(), 0, 3)[0], [3, 4]);
    assert_eq!(LabelledArena::<Safety>::PER_POSITION, 22);
    positions[0].moves.bob.clear();
    let error = LabelledGraph::<Safety>::new("coast", "shore", &positions).unwrap_err().to_string();
    assert!(error.contains("position \"shore\": Bob has no move"), "{error}");
}
