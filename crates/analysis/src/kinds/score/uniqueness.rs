//! The uniqueness properties of a scoring game [LPR20, Definition 2]: if all three hold, there is
//! one equilibrium value everywhere [LPR20, Theorem 3]. Section 13 of `docs/design.md` says which
//! hold for all games.

use std::fmt;

use richman_core::{Node, Player, ScoreSolution, ScoreState, ScoringArena};

/// One of the three properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// (A) More chips are worth no less.
    BudgetMonotonicity,
    /// (B) The star is worth no less than not having it.
    MarkerMonotonicity,
    /// (C) The star is worth no more than a chip.
    MarkerWorth,
}

impl Property {
    /// All three, in the paper's order.
    pub const ALL: [Property; 3] = [Property::BudgetMonotonicity, Property::MarkerMonotonicity, Property::MarkerWorth];

    /// The paper's letter.
    pub fn letter(self) -> char {
        ['A', 'B', 'C'][self as usize]
    }

    /// Pairs of holdings for that many chips of Alice; the first should be worth at least as much
    /// as the second. Neighbouring numbers of chips suffice to prove (A) for all pairs.
    fn pairs(self, alice: u32, total: u32) -> Vec<[ScoreState; 2]> {
        let state = |alice, star| ScoreState { alice, star };
        match self {
            Property::BudgetMonotonicity if alice < total => {
                Player::BOTH.iter().map(|&star| [state(alice + 1, star), state(alice, star)]).collect()
            }
            Property::MarkerMonotonicity => vec![[state(alice, Player::Alice), state(alice, Player::Bob)]],
            Property::MarkerWorth if alice < total => {
                vec![[state(alice + 1, Player::Bob), state(alice, Player::Alice)]]
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Property::BudgetMonotonicity => "budget monotonicity",
            Property::MarkerMonotonicity => "marker monotonicity",
            Property::MarkerWorth => "marker worth",
        })
    }
}

/// A holding that is worth more than one that should be worth at least as much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The position.
    pub node: Node,
    /// The holding that should be worth at least as much, and its maximin value.
    pub better: (ScoreState, i64),
    /// The holding that should be worth no more, and its maximin value.
    pub worse: (ScoreState, i64),
}

/// The smallest violation of each property by maximin values: at the position with the shortest
/// longest play, then with the fewest chips of Alice.
pub fn violations(arena: &ScoringArena, solution: &ScoreSolution) -> [Option<Violation>; 3] {
    let heights = arena.heights();
    let mut nodes: Vec<Node> = arena.nodes().collect();
    nodes.sort_by_key(|&node| heights[node as usize]);
    Property::ALL.map(|property| nodes.iter().find_map(|&node| violation(solution, property, node)))
}

/// The violation of a property at `node` with the fewest chips of Alice.
pub fn violation(solution: &ScoreSolution, property: Property, node: Node) -> Option<Violation> {
    let total = solution.total.chips();
    (0..=total).flat_map(|alice| property.pairs(alice, total)).find_map(|[better, worse]| {
        let [high, low] = [better, worse].map(|state| solution.score(node, state).low);
        (high < low).then_some(Violation { property, node, better: (better, high), worse: (worse, low) })
    })
}

#[cfg(test)]
mod tests {
    use richman_core::{Bids, Effort, Mechanism, Preset, ScoringArenaBuilder, Total};
    use richman_solvers::scores;

    use super::*;

    /// LPR20's examples 2.1 and 2.2: only Bob can move, which costs him a point.
    fn only_bob_moves(bids: Bids, total: u32) -> [Option<Violation>; 3] {
        let mut builder = ScoringArenaBuilder::new();
        let end = builder.labelled(&[], &[], [0, 0]);
        let start = builder.labelled(&[], &[(end, 1)], [0, 0]);
        let arena = builder.build(start).unwrap();
        let mechanism = Mechanism { bids, ..Preset::Larsson.mechanism() };
        let solution = scores::solve(&arena, &mechanism, Total::new(total).unwrap(), &Effort::default()).unwrap();
        violations(&arena, &solution)
    }

    #[test]
    fn a_zugzwang_breaks_marker_monotonicity_and_nothing_else() {
        for total in 0..6 {
            let [budget, marker, worth] = only_bob_moves(Bids::All, total);
            assert_eq!((budget, worth), (None, None));
            let marker = marker.unwrap();
            assert_eq!((marker.better.1, marker.worse.1), (0, 1), "total {total}");
        }
    }

    #[test]
    fn without_a_bid_of_0_chips_and_star_can_hurt() {
        // The player with the only chip must bid it and wins: Alice is stuck, Bob moves and loses a
        // point.
        let [budget, marker, worth] = only_bob_moves(Bids::Only(vec![1]), 1);
        for violation in [budget, worth] {
            let violation = violation.unwrap();
            assert_eq!((violation.better.0.alice, violation.better.1), (1, 0));
            assert_eq!((violation.worse.0.alice, violation.worse.1), (0, 1));
        }
        assert_eq!(marker, None);
    }
}
