//! Random-turn play compared with threshold solvers on random arenas.

use richman_check::arenas::{ArenaShape, random};
use richman_core::{Effort, Goal, Mechanism};
use richman_solvers::money;
use richman_solvers::random_turn::chances;

#[test]
fn bounds_hold_the_thresholds_and_meet_without_cycles() {
    let mut rng = fastrand::Rng::with_seed(31);
    let mut met = 0;
    for number in 0..400 {
        let cyclic = number % 2 == 1;
        let shape = ArenaShape { positions: rng.u32(2..9), moves: 3, cyclic, draws: true, owned: rng.bool() };
        let arena = random(shape, &mut rng).unwrap();
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
