//! Random-turn play compared with threshold solvers on random arenas.

use richman_core::{Arena, ArenaBuilder, Effort, Mechanism, Node, Player, Terminal};
use richman_solvers::money;
use richman_solvers::random_turn::{Goal, chances};

/// A random arena; if `cyclic`, moves lead anywhere.
fn random_arena(rng: &mut fastrand::Rng, cyclic: bool) -> Arena {
    let ends = [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw];
    let mut builder = ArenaBuilder::new();
    let nodes: u32 = rng.u32(2..9);
    for end in ends {
        builder.terminal(end);
    }
    for node in 0..nodes {
        let most = 3 + if cyclic { nodes } else { node };
        let mut moves = || (0..rng.usize(1..4)).map(|_| rng.u32(0..most)).collect::<Vec<Node>>();
        let (alice, bob) = (moves(), moves());
        builder.position(&alice, &bob);
    }
    builder.build(2 + nodes).unwrap()
}

#[test]
fn bounds_hold_the_thresholds_and_meet_without_cycles() {
    let mut rng = fastrand::Rng::with_seed(31);
    let mut met = 0;
    for number in 0..400 {
        let cyclic = number % 2 == 1;
        let arena = random_arena(&mut rng, cyclic);
        let effort = Effort::default();
        let thresholds = money::solve(&arena, &Mechanism::default(), &effort).unwrap();
        for (goal, shares) in [(Goal::Win, &thresholds.win), (Goal::Draw, &thresholds.draw)] {
            let found = chances(&arena, goal, 800, &effort).unwrap();
            for node in arena.nodes() {
                let (chance, other) = (found.get(node), shares.get(node).complement());
                assert!(
                    chance.low <= other.high && other.low <= chance.high,
                    "{number} {goal:?} {node}: {chance} {other}"
                );
                if !cyclic && node == arena.start() {
                    assert_eq!(chance, other, "{number} {goal:?}");
                }
            }
            let bounds = found.get(arena.start());
            met += usize::from(cyclic && bounds.high.to_f64() - bounds.low.to_f64() < 1e-9);
        }
    }
    assert!(met > 100, "on most cyclic arenas the bounds meet: {met}");
}
