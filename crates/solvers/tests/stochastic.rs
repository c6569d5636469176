//! Random-turn play in which chance moves too: against all strategies, and proved by the verifier.

use std::io::Read;

use fastrand::Rng;
use rayon::prelude::*;
use richman_check::arenas::drawn;
use richman_check::policies::stochastic_chance;
use richman_check::verify;
use richman_core::{
    ByPlayer, Effort, Goal, GraphPosition, Node, NodeData, Player, PositionKind, Probability, Share, ShareBounds,
    Stochastic, StochasticArena, StochasticArenaBuilder, StochasticGraph, StochasticLabel, Terminal, Unwatched,
};
use richman_formats::{AnyGraph, GameForm, Reading, read_game, read_transitions};
use richman_solvers::random_turn::{self, CutOff};

use crate::seeds::seeds;

/// The most pairs of strategies that are enumerated.
const MOST: u64 = 1 << 12;

/// Positions with bids, of one player and of chance, with moves anywhere.
fn random_arena(rng: &mut Rng) -> StochasticArena {
    let ends = [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw];
    let ends = &ends[..rng.usize(2..=3)];
    let positions = rng.u32(1..=6);
    let all = ends.len() as Node + positions;
    let draw = |_| {
        let mut targets = |most| {
            let mut targets: Vec<Node> = (0..rng.u32(1..=most)).map(|_| rng.u32(0..all)).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        let sure = |targets: Vec<Node>| targets.into_iter().map(|to| (to, Probability::ONE)).collect::<Vec<_>>();
        let moves = [sure(targets(2)), sure(targets(2))];
        let of_chance = targets(3);
        match rng.u32(0..4) {
            0 => {
                let owner = if rng.bool() { Player::Alice } else { Player::Bob };
                let [alice, bob] = moves;
                let moves = owner.either([alice, Vec::new()], [Vec::new(), bob]);
                (moves, StochasticLabel::Player(PositionKind::Owned(owner)))
            }
            1 | 2 => {
                let weights: Vec<u64> = of_chance.iter().map(|_| rng.u64(1..=4)).collect();
                let sum = weights.iter().sum();
                let chance = |weight| Probability::new(weight, sum).unwrap();
                (
                    [of_chance.into_iter().zip(weights.into_iter().map(chance)).collect(), Vec::new()],
                    StochasticLabel::Chance,
                )
            }
            _ => (moves, StochasticLabel::default()),
        }
    };
    drawn(ends, positions, draw).unwrap()
}

/// The chance to win of each player at every position.
fn solved(arena: &StochasticArena) -> [Vec<ShareBounds>; 2] {
    let solution = random_turn::exact(arena, &Effort::default()).unwrap();
    let alice = arena.nodes().map(|node| solution.win.get(node).complement()).collect();
    [alice, arena.nodes().map(|node| solution.draw.get(node)).collect()]
}

#[test]
fn chances_are_those_of_the_best_strategies() {
    let enumerated: u64 = seeds("RICHMAN_ARENAS", 1_000)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::with_seed(seed ^ 0x57_0c4a);
            let arena = random_arena(&mut rng);
            let mut enumerated = 0;
            for (player, chances) in Player::BOTH.into_iter().zip(solved(&arena)) {
                let about = || format!("seed {seed}, {player}: {chances:?} in {arena:?}");
                let exact: Vec<Share> = chances
                    .iter()
                    .map(|chance| chance.as_exact().unwrap_or_else(|| panic!("{}", about())).clone())
                    .collect();
                if let Some(expected) = stochastic_chance(&arena, player, MOST) {
                    assert_eq!(exact, expected, "{}", about());
                    enumerated += 1;
                }
                let proof = |chances: &[Share]| verify::random_turn(&arena, player, chances, &Unwatched);
                proof(&exact).unwrap_or_else(|flaw| panic!("{flaw}: {}", about()));
                for at in 0..exact.len() {
                    for wrong in [Share::ZERO, Share::ONE, Share::mean(&exact[at], &Share::ONE)] {
                        let mut claimed = exact.clone();
                        claimed[at] = wrong;
                        assert!(claimed == exact || proof(&claimed).is_err(), "{at}, {}", about());
                    }
                }
            }
            enumerated
        })
        .sum();
    let arenas = seeds("RICHMAN_ARENAS", 1_000).count() as u64;
    assert!(enumerated > arenas * 3 / 2, "{enumerated} of {arenas} arenas twice");
}

/// Bounds by looking ahead hold the chances, and the players mirrored have mirrored chances.
#[test]
fn looking_ahead_and_mirrors_agree() {
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0x57_0c4b);
        let arena = random_arena(&mut rng);
        let [alice, bob] = solved(&arena);
        for (goal, found) in
            [(Goal::Win, alice.clone()), (Goal::Draw, bob.iter().map(ShareBounds::complement).collect())]
        {
            let ahead = random_turn::chances(&arena, goal, 100, &Effort::default()).unwrap();
            for (node, found) in arena.nodes().zip(found) {
                let bounds = ahead.get(node);
                assert!(
                    bounds.low <= found.high && found.low <= bounds.high,
                    "seed {seed} {goal:?} {node}: {bounds} {found}"
                );
            }
        }
        assert_eq!(solved(&arena.mirror()), [bob, alice], "seed {seed}");
    });
}

/// The game as its states are written for Storm and PRISM and read again has the same chances.
#[test]
fn states_of_model_checkers_have_the_same_chances() {
    let compared: usize = seeds("RICHMAN_ARENAS", 1_000)
        .into_par_iter()
        .map(|seed| {
            let arena = random_arena(&mut Rng::with_seed(seed ^ 0x57_0c4d));
            let position = |node: Node| GraphPosition::<Stochastic> {
                name: node.to_string(),
                data: arena.data(node),
                moves: ByPlayer::from_fn(|player| {
                    arena.labelled(node, player).map(|(to, label)| (to.to_string(), label).into()).collect()
                }),
            };
            let positions: Vec<_> = arena.nodes().map(position).collect();
            let graph = StochasticGraph::new("drawn", &arena.start().to_string(), &positions).unwrap();
            let graph = AnyGraph::Stochastic(graph);
            let written = |form| {
                let mut bytes = Vec::new();
                graph.write(form, &mut bytes, &Unwatched).unwrap();
                bytes
            };
            let (tra, lab) = (written(GameForm::Tra), written(GameForm::Lab));
            let files = [("drawn.tra", &mut &tra[..] as &mut dyn Read), ("drawn.lab", &mut &lab[..])];
            let mut back = vec![read_transitions(files, &Reading::within(Effort::default()))];
            back.push(read_game("drawn.umb", &mut &written(GameForm::Umb)[..], &Reading::within(Effort::default())));
            if graph.check_form(GameForm::Drn, "drawn").is_ok() {
                back.push(read_game(
                    "drawn.drn",
                    &mut &written(GameForm::Drn)[..],
                    &Reading::within(Effort::default()),
                ));
            }
            let start = |arena: &StochasticArena| solved(arena).map(|chances| chances[arena.start() as usize].clone());
            let expected = start(&arena);
            // Where chance moves nowhere it is a game to win.
            let has_chance = arena.nodes().any(|node| arena.data(node) == NodeData::On(StochasticLabel::Chance));
            let mut compared = 0;
            for back in back.into_iter().flatten().filter(|_| has_chance) {
                let back = back.played_for::<Stochastic>("drawn").unwrap().arena().unwrap();
                assert_eq!(start(&back), expected, "seed {seed}: {arena:?}");
                compared += 1;
            }
            compared
        })
        .sum();
    let arenas = seeds("RICHMAN_ARENAS", 1_000).count();
    assert!(compared > arenas, "{compared} of {arenas}");
}

/// The chances of the start by many plays.
#[test]
fn plays_have_their_chances() {
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed ^ 0x57_0c4c);
        let arena = random_arena(&mut rng);
        let found = random_turn::chances(&arena, Goal::Win, 50, &Effort::default()).unwrap();
        let played = found.play(&arena, CutOff::Fails, 1_000_000, seed, &Effort::default()).unwrap();
        let part = played.reached as f64 / played.games as f64;
        let chance = found.get(arena.start()).low.to_f64();
        assert!((part - chance).abs() < 0.003, "seed {seed}: {part} of {chance}");
    }
}

/// Where the players may stay forever, several numbers fulfil the equations, and only the least
/// has moves that make progress.
#[test]
fn a_chance_that_no_strategy_reaches_is_refused() {
    let mut builder = StochasticArenaBuilder::new();
    let [won, lost] = [Player::Alice, Player::Bob].map(|player| builder.terminal(Terminal::Win(player)));
    let sure = |to: Node| [(to, Probability::ONE)];
    // Alice may stay, or take a chance of a third; Bob may stay.
    let gamble = 2;
    let third = |text: &str| text.parse::<Probability>().unwrap();
    builder.labelled(&[(won, third("1/3")), (lost, third("2/3"))], &[], StochasticLabel::Chance);
    let owned = |player| StochasticLabel::Player(PositionKind::Owned(player));
    let start = 3;
    builder.labelled(&[(gamble, Probability::ONE), (4, Probability::ONE)], &[], owned(Player::Alice));
    builder.labelled(&[], &sure(start), owned(Player::Bob));
    let arena = builder.build(start).unwrap();
    let share = |text: &str| text.parse::<Share>().unwrap();
    let claimed = |value: &str| [share("1"), share("0"), share("1/3"), share(value), share(value)];
    assert_eq!(verify::random_turn(&arena, Player::Alice, &claimed("1/3"), &Unwatched), Ok(()));
    for more in ["1/2", "1"] {
        let flaw = verify::random_turn(&arena, Player::Alice, &claimed(more), &Unwatched).unwrap_err().to_string();
        assert!(flaw.contains("need not make progress"), "{flaw}");
    }
    assert!(verify::random_turn(&arena, Player::Alice, &claimed("1/4"), &Unwatched).is_err());
}
