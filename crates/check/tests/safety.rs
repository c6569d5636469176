//! A third objective, from labels alone: safety with a counter. Alice wins unless more than a fixed
//! number of bids are made at marked positions, however long play lasts. The winner of a bid moves
//! and pays the other player; Alice wins ties.

use std::collections::HashMap;

use fastrand::Rng;
use richman_check::arenas;
use richman_check::oracle::OracleState;
use richman_check::parity_judge::ParityJudge;
use richman_core::{
    ByPlayer, Effort, Error, Game, GraphPosition, Label, LabelledArena, LabelledGraph, MatchCounts, Mechanism, Node,
    NodeData, Objective, Parity, ParityLabel, Player, Priority, Remembering, RememberingGame, Right, Ties, Unfolding,
    unfold,
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

/// The most bids at marked positions that Alice can bear, where the objective has the number.
const BEARABLE: u32 = 2;

/// A play remembers the bids at marked positions. Reduced to parity, positions after too many of
/// them are odd and ends are lost, and all others are even and won.
impl Remembering for Safety {
    type Reduced = Parity;
    type Memory = u32;

    fn remember(before: u32, Marked(is_marked): Marked) -> u32 {
        (before + u32::from(is_marked)).min(BEARABLE + 1)
    }

    fn of_play(counts: &MatchCounts) -> u32 {
        counts.priorities.get(&1).copied().unwrap_or(0)
    }

    fn reduced(memory: u32, _: Marked) -> ParityLabel {
        Priority(u32::from(memory > BEARABLE)).into()
    }

    fn reduced_end(memory: u32, (): ()) -> Player {
        if memory > BEARABLE { Player::Bob } else { Player::Alice }
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

/// A drawn game as a graph with names.
fn drawn_graph(rng: &mut Rng, positions: u32) -> LabelledGraph<Safety> {
    let name = |at: u32| if at == positions { "home".to_string() } else { format!("p{at}") };
    let moves = |rng: &mut Rng| (0..rng.u32(1..=3)).map(|_| (name(rng.u32(0..=positions)), ()).into()).collect();
    let mut all: Vec<GraphPosition<Safety>> = (0..positions)
        .map(|at| GraphPosition {
            name: name(at),
            data: NodeData::On(Marked(rng.bool())),
            moves: ByPlayer::new(moves(rng), moves(rng)),
        })
        .collect();
    all.push(GraphPosition { name: name(positions), data: NodeData::End(()), moves: ByPlayer::both(Vec::new()) });
    LabelledGraph::new("drawn", "p0", &all).unwrap()
}

/// An objective with memory is solved as another one: the winners of the reduced game are those of
/// the definition at every position, with every memory and every division of the chips.
#[test]
fn a_game_with_memory_has_the_winners_of_its_reduced_game() {
    let mechanism = Mechanism { ties: Ties::Alice, right: Right::Moves, ..Mechanism::default() };
    let mut seen = [0; 2];
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let positions = rng.u32(1..=5);
        let (graph, total) = (drawn_graph(rng, positions), rng.u32(0..=4));
        let unfolded = unfold(graph.clone(), graph.start(), &Effort::default()).unwrap();
        let needs = solve(unfolded.arena(), BEARABLE as usize, total);
        let game = RememberingGame::<Safety, _>::new(&unfolded);
        let reduced = game.clone().unfold(&Effort::default()).unwrap();
        let judge = ParityJudge::new(reduced.arena(), &mechanism, total, Player::Alice);
        for node in reduced.arena().nodes() {
            let (position, memory) = reduced
                .notation(node)
                .split_once(" after ")
                .map(|(position, memory)| (position.to_string(), memory.parse::<usize>().unwrap()))
                .unwrap();
            assert_eq!(reduced.node(&reduced.notation(node)), Ok(node));
            assert_eq!(game.without_memory(&reduced.notation(node)).unwrap(), position);
            let here = unfolded.node(&position).unwrap();
            // The memory counts the mark of the position itself.
            let is_marked = unfolded.arena().data(here) == NodeData::On(Marked(true));
            let is_over = unfolded.arena().data(here).end().is_some();
            let before = memory - usize::from(is_marked);
            let left = (BEARABLE as usize).checked_sub(before);
            for chips in 0..=total {
                let state = OracleState { node, alice: chips, bob: total - chips, star: Player::Alice };
                let expected = left.is_some_and(|left| is_over || chips >= needs[left][here as usize]);
                assert_eq!(judge.is_won_by_alice(state), expected, "seed {seed}, {position} after {memory}, {chips}");
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

/// A match tells the memory by what its turns counted.
#[test]
fn a_match_tells_the_memory() {
    let graph = drawn_graph(&mut Rng::with_seed(3), 4);
    let unfolded = unfold(graph.clone(), graph.start(), &Effort::default()).unwrap();
    let game = RememberingGame::<Safety, _>::new(&unfolded);
    let counts = MatchCounts { priorities: [(1, 1)].into(), ..MatchCounts::default() };
    for node in unfolded.arena().nodes() {
        let name = unfolded.notation(node);
        let is_marked = unfolded.arena().data(node) == NodeData::On(Marked(true));
        assert_eq!(game.in_play(&name, &counts), Ok(format!("{name} after {}", 1 + u32::from(is_marked))));
    }
    for text in ["p0", "p0 after", "p0 after x", "p9 after 1"] {
        assert!(matches!(game.without_memory(text), Err(Error::BadPosition { .. })), "{text}");
    }
    assert!(matches!(game.in_play("p9", &counts), Err(Error::BadPosition { .. })));
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
