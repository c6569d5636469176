//! Helpers for the tests of several games.

use std::collections::HashSet;

use fastrand::Rng;
use richman_core::{Game, Objective, PerfectIndex, Player, Terminal};

/// A position after at most `longest` random moves.
pub(crate) fn random_position<G: Game>(game: &G, random: &mut Rng, longest: u64) -> G::Position {
    let mut position = game.start();
    let mut found = Vec::new();
    for _ in 0..random.u64(..longest + 1) {
        if game.terminal(&position).is_some() {
            break;
        }
        found.clear();
        game.moves(&position, Player::BOTH[random.u64(..2) as usize], &mut found);
        position = found.swap_remove(random.u64(..found.len() as u64) as usize);
    }
    position
}

/// Every position reachable from the start, without folding.
pub(crate) fn reachable<G: Game>(game: &G) -> Vec<G::Position> {
    let mut seen = HashSet::from([game.start()]);
    let mut positions = vec![game.start()];
    let mut next = 0;
    while let Some(position) = positions.get(next).cloned() {
        next += 1;
        if game.terminal(&position).is_some() {
            continue;
        }
        let mut found = Vec::new();
        for player in Player::BOTH {
            game.moves(&position, player, &mut found);
        }
        positions.extend(found.into_iter().filter(|to| seen.insert(to.clone())));
    }
    positions
}

/// Checks that each notation parses to its position.
pub(crate) fn round_trips<L: Objective, G: Game<L>>(game: &G, positions: impl IntoIterator<Item = G::Position>) {
    for position in positions {
        let notation = game.notation(&position);
        assert_eq!(game.parse(&notation), Ok(position), "{notation}");
    }
}

/// Checks that no text is a position and every error has these words.
pub(crate) fn refuses<L: Objective, G: Game<L>>(game: &G, texts: &[&str], words: &[&str]) {
    for text in texts {
        let message = game.parse(text).unwrap_err().to_string();
        assert!(words.iter().all(|words| message.contains(words)), "{text}: {message}");
    }
}

/// Checks how the game ends at these notations.
pub(crate) fn has_ends<G: Game>(game: &G, ends: &[(&str, Option<Terminal>)]) {
    for (text, end) in ends {
        assert_eq!(game.terminal(&game.parse(text).unwrap()), *end, "{text}");
    }
}

/// The moves of a player, by name and resulting position.
pub(crate) fn moves<G: Game>(game: &G, position: &str, player: Player) -> Vec<(String, String)> {
    let (position, mut found) = (game.parse(position).unwrap(), Vec::new());
    game.moves(&position, player, &mut found);
    found.iter().map(|to| (game.move_name(&position, to, player), game.notation(to))).collect()
}

/// Checks that a position and its canonical form end alike and have symmetric moves.
pub(crate) fn folds<G: Game<Position: Ord>>(game: &G, position: &G::Position) {
    let canonical = game.canonical(position.clone());
    assert_eq!(game.terminal(&canonical), game.terminal(position), "{position:?}");
    assert_eq!(game.canonical(canonical.clone()), canonical);
    for player in Player::BOTH {
        let after = |position: &G::Position| {
            let mut found = Vec::new();
            game.moves(position, player, &mut found);
            let mut found: Vec<G::Position> = found.into_iter().map(|to| game.canonical(to)).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(after(&canonical), after(position), "{position:?}");
    }
}

/// Checks that presses lead from the start to exactly these positions, each press at a place of its
/// own, with another position after it.
pub(crate) fn sets_up<L: Objective, G: Game<L>>(game: &G, all: impl IntoIterator<Item = G::Position>) {
    let mut seen = HashSet::from([game.start()]);
    let mut left = vec![game.start()];
    while let Some(position) = left.pop() {
        let pressed = game.set_up(&position);
        let places: HashSet<&str> = pressed.iter().filter_map(|(mark, _)| mark.place.as_deref()).collect();
        assert_eq!(places.len(), pressed.len(), "{position:?}");
        for (_, to) in pressed {
            assert_ne!(to, position);
            if seen.insert(to.clone()) {
                left.push(to);
            }
        }
    }
    assert_eq!(seen, all.into_iter().collect());
}

/// Checks that these positions have different ranks, all below the size.
pub(crate) fn ranks_differ<P>(index: &dyn PerfectIndex<P>, positions: &[P]) {
    let ranks: HashSet<u64> = positions.iter().map(|position| index.rank(position)).collect();
    assert_eq!(ranks.len(), positions.len());
    assert!(ranks.iter().all(|&rank| rank < index.size()));
}
