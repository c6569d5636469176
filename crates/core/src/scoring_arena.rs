//! Methods of scoring arenas, in which no play returns to a position.

use std::collections::BTreeSet;

use crate::{Node, NodeData, Player, ScoringArena};

impl ScoringArena {
    /// All positions, each after the targets of its moves.
    pub fn order(&self) -> &[Node] {
        self.components().order()
    }

    /// The number added when the game ends because `player` is to move at `node` and cannot.
    pub fn stuck(&self, node: Node, player: Player) -> i64 {
        match self.data(node) {
            NodeData::On(stuck) => stuck[player],
            NodeData::End(_) => 0,
        }
    }

    /// The length of the longest play from each position, in moves.
    pub fn heights(&self) -> Vec<u32> {
        let mut heights = vec![0; self.len()];
        for &node in self.order() {
            let after = self.successors(node).iter().map(|&to| heights[to as usize] + 1);
            heights[node as usize] = after.max().unwrap_or(0);
        }
        heights
    }

    /// Whether both players have the same moves everywhere, with opposite weights and stuck scores
    /// (LPR20's symmetric rulesets, which have no stuck scores).
    pub fn is_symmetric(&self) -> bool {
        let mirror = self.mirror();
        self.nodes().all(|node| {
            let moves = |arena: &ScoringArena| arena.labelled(node, Player::Alice).collect::<BTreeSet<_>>();
            moves(self) == moves(&mirror) && self.data(node) == mirror.data(node)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, MAX_WEIGHT, ScoringArenaBuilder};

    #[test]
    fn moves_weights_and_mirror() {
        let mut builder = ScoringArenaBuilder::new();
        let end = builder.terminal(3);
        let start = builder.labelled(&[(end, 2), (end, 1)], &[], [0, 5]);
        let arena = builder.build(start).unwrap();
        assert_eq!(arena.labelled(start, Player::Alice).collect::<Vec<_>>(), [(end, 2), (end, 1)]);
        assert_eq!(arena.moves(start, Player::Bob).len(), 0);
        assert_eq!((arena.terminal(end), arena.stuck(start, Player::Bob)), (Some(3), 5));
        assert!(!arena.is_symmetric());
        let mirror = arena.mirror();
        assert_eq!(mirror.labelled(start, Player::Bob).collect::<Vec<_>>(), [(end, -2), (end, -1)]);
        assert_eq!((mirror.terminal(end), mirror.stuck(start, Player::Alice)), (Some(-3), -5));
    }

    #[test]
    fn a_cycle_is_named() {
        let mut builder = ScoringArenaBuilder::new();
        builder.labelled(&[(1, 0)], &[], [0, 0]);
        builder.labelled(&[], &[(2, 1)], [0, 0]);
        builder.labelled(&[(1, 4)], &[], [0, 0]);
        let Err(Error::Cycle { positions }) = builder.build(0) else { panic!("there is a cycle") };
        assert!(positions == ["1", "2"], "{positions:?}");
        let mut builder = ScoringArenaBuilder::new();
        builder.labelled(&[(0, 0)], &[], [0, 0]);
        let message = builder.build(0).unwrap_err().to_string();
        assert!(message.contains("0 -> 0"), "{message}");
    }

    #[test]
    fn numbers_have_limits() {
        for (weight, fits) in [(MAX_WEIGHT, true), (-MAX_WEIGHT, true), (MAX_WEIGHT + 1, false), (i64::MIN, false)] {
            let mut builder = ScoringArenaBuilder::new();
            let end = builder.terminal(0);
            let start = builder.labelled(&[(end, weight)], &[], [0, 0]);
            assert_eq!(builder.build(start).is_ok(), fits, "{weight}");
        }
    }
}
