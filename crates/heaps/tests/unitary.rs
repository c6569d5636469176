//! Checks the stream of unitary games against the automaton of large heaps.

use richman_core::Total;
use richman_heaps::subtraction::Unitary;
use richman_heaps::subtraction::automaton::{self, HeapParity};

fn total(chips: u32) -> Total {
    Total::new(chips).unwrap()
}

#[test]
fn unitary_games_settle_at_the_automaton() {
    for chips in (0..=60).chain([201, 1000]) {
        let mut game = Unitary::new(total(chips)).unwrap();
        while game.converged().is_none() {
            game.advance();
        }
        assert!(game.converged().unwrap() <= automaton::proved_bound(total(chips)), "{chips}");
        for _ in 0..2 {
            for p in 0..=chips {
                let limit = automaton::value(total(chips), HeapParity::of(game.heap()), p);
                assert_eq!(i64::from(game.row()[p as usize]), limit, "total {chips}, {p} chips");
            }
            game.advance();
        }
        let bytes = game.bytes();
        (0..100).for_each(|_| game.advance());
        assert_eq!(game.bytes(), bytes);
    }
}

#[test]
fn a_total_that_is_too_large_is_refused() {
    assert!(Unitary::new(total(1 << 27)).is_err());
}
