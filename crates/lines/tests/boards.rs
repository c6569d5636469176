//! Bounds and stored layers of boards, against all layers.

use richman_core::{Effort, Total, Walk, WinLose};
use richman_games::Games;
use richman_lines::board::LinePosition;
use richman_lines::engine::needs::solve;
use richman_lines::engine::{BoardStake, FirstLayers, bounds};

use crate::positions::random_position;

/// The start of a game.
pub fn at_start(game: &str) -> Box<dyn Walk> {
    Games::default().find(game).unwrap().played_for::<WinLose>().unwrap().walk(None).unwrap()
}

/// At any depth, bounds enclose the values from layers; at full depth they equal them, but for
/// rounding.
#[test]
fn bounds_hold_the_exact_needs_and_close_on_them() {
    let mut rng = fastrand::Rng::with_seed(4);
    let effort = Effort::default();
    for (spec, stones) in [
        ("connect:rows=4,cols=4,line=4", 2),
        ("connect:rows=4,cols=5,line=4", 5),
        ("connect:rows=4,cols=5,line=3", 7),
        ("tic-tac-toe:rows=4,cols=4,line=3", 5),
        ("tic-tac-toe:rows=3,cols=4,line=4", 0),
    ] {
        let start = at_start(spec);
        for _ in 0..6 {
            let walk = random_position(start.as_ref(), &mut rng, stones);
            let LinePosition { board, stones } = walk.board().unwrap();
            let exact = solve(walk.as_ref(), BoardStake::Money, &effort).unwrap().unwrap().remove(0);
            let share = |need: u64, all: u64| need as f64 / all as f64;
            let here = [exact.here.draw, exact.here.win].map(|need| share(need, exact.unreachable));
            let pairs = exact.after.iter().flat_map(|after| [after.alice, after.bob]);
            let needs: Vec<[f64; 2]> = pairs
                .map(|pair| [pair.draw, pair.win].map(|need| share(need, exact.unreachable_after)))
                .chain([here])
                .collect();
            let mut width = f64::INFINITY;
            for positions in [0, 1000, 100_000, u64::MAX] {
                let found = bounds(walk.as_ref(), positions, &effort).unwrap().unwrap();
                assert!(found.after.iter().map(|after| &after.name).eq(exact.after.iter().map(|after| &after.name)));
                let left = board.cells() - stones.map(u64::count_ones).iter().sum::<u32>();
                let to_the_end = found.depth == left;
                let pairs = found.after.iter().flat_map(|after| [after.alice, after.bob]).chain([found.here]);
                for (pair, need) in pairs.zip(&needs) {
                    let at = [pair.shares().low.to_f64(), pair.shares().high.to_f64()];
                    assert!(at[0] <= need[0] && need[1] <= at[1], "{} {at:?} {need:?}", walk.notation());
                    if to_the_end {
                        assert!(
                            need[0] - at[0] < 0.001 && at[1] - need[1] < 0.001,
                            "{} {at:?} {need:?}",
                            walk.notation()
                        );
                    }
                }
                let now = share(found.here.win - found.here.draw, 1 << 15);
                assert!(now <= width + 0.001 && found.depth <= left);
                width = now;
                assert!(to_the_end || positions < u64::MAX);
            }
        }
    }
}

#[test]
fn a_position_that_is_over_has_no_needs() {
    let game = Games::default().find("tic-tac-toe").unwrap();
    let walk = game.played_for::<WinLose>().unwrap().walk(Some("AAA/BB./...")).unwrap();
    assert_eq!(solve(walk.as_ref(), BoardStake::Money, &Effort::default()).unwrap(), None);
}

/// The stored results of a board answer for later positions as a separate solver does, and for
/// nothing else.
#[test]
fn layers_that_are_kept_are_those_of_the_positions_that_follow() {
    let mut rng = fastrand::Rng::with_seed(6);
    let effort = Effort::default();
    let chips = BoardStake::Chips([7, 30].map(|chips| Total::new(chips).unwrap()).to_vec());
    for (spec, stones, bytes, most) in [
        ("connect:rows=3,cols=5,line=4", 0, 1 << 10, 5),
        ("connect:rows=3,cols=5,line=3", 3, 1 << 20, 12),
        ("tic-tac-toe:rows=3,cols=4,line=3", 2, 1 << 20, 10),
        ("tic-tac-toe:rows=3,cols=4,line=4", 0, 0, 1),
    ] {
        let start = random_position(at_start(spec).as_ref(), &mut rng, stones);
        let at = start.board::<LinePosition>().unwrap().stones;
        let first = FirstLayers::of(start.as_ref(), chips.clone(), bytes, &effort).unwrap().unwrap();
        let (mut answered, mut deepest) = (0, 0);
        for _ in 0..60 {
            let more = rng.usize(..13);
            let walk = random_position(start.as_ref(), &mut rng, more);
            let here = walk.board::<LinePosition>().unwrap().stones;
            let more = (here[0] | here[1]).count_ones() - (at[0] | at[1]).count_ones();
            let Some(found) = first.needs(walk.as_ref()).unwrap() else { continue };
            let rest = solve(walk.as_ref(), chips.clone(), &effort).unwrap().unwrap();
            for (found, rest) in found.iter().zip(&rest) {
                assert_eq!((found.here, &found.after), (rest.here, &rest.after), "{spec} {}", walk.notation());
            }
            (answered, deepest) = (answered + 1, deepest.max(more));
        }
        assert!(answered > 3 && deepest < most, "{spec}: {answered}, up to {deepest} stones more");
        let other = at_start(&format!("{},line=2", spec.rsplit_once(',').unwrap().0));
        assert!(first.needs(other.as_ref()).unwrap().is_none());
    }
}
