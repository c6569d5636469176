//! The objective of a scoring game.

use crate::{
    Aim, AskedQuestion, ByPlayer, End, Error, GraphError, Label, Node, NodeData, Objective, ObjectiveFacts, Playable,
    Player, Preset,
};

/// Alice wants a large score, Bob a small one [LPR20, 2]. Each move, Bob's too, adds a weight to
/// Alice's score, and the end adds a last number. Play has no cycles. If a player is to move and
/// cannot, the game ends and adds that player's number in the position's label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scores;

/// The largest absolute value of a weight, score or stuck score. The sum over 2^32 positions then
/// fits in 64 bits.
pub const MAX_WEIGHT: i64 = 1_000_000_000;

impl Label for i64 {
    fn mirror(self) -> i64 {
        -self
    }
}

impl Label for ByPlayer<i64> {
    fn mirror(self) -> ByPlayer<i64> {
        self.swapped().map(|score| -score)
    }
}

impl Objective for Scores {
    type Move = i64;
    type Position = ByPlayer<i64>;
    type End = i64;
    const CYCLES: bool = false;

    fn moves_after_end(position: String) -> GraphError {
        GraphError::MovesAfterScore(position)
    }

    fn check(node: Node, data: NodeData<Scores>, moves: ByPlayer<&[i64]>) -> Result<(), Error> {
        let labels = match data {
            NodeData::End(score) => ByPlayer::new(score, 0),
            NodeData::On(stuck) => stuck,
        };
        let mut numbers = moves.into_iter().flatten().copied().chain(labels);
        match numbers.find(|number| !(-MAX_WEIGHT..=MAX_WEIGHT).contains(number)) {
            Some(number) => Err(Error::WeightTooLarge { position: node.to_string(), number }),
            None => Ok(()),
        }
    }
}

impl Playable for Scores {
    const AIM: Aim = Aim::Score;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "for a score",
        questions: &[AskedQuestion::Scores],
        preset: Preset::Larsson,
        won_at_end: false,
        counts_points: true,
        need_not_end: false,
        has_chance: false,
        rule: "Moves score: Alice wants a high score, Bob a low one. Chips left over are worth nothing.",
        at_limit: "the match is a draw.",
        so_far: |_| None,
    };

    fn weight(label: i64) -> i64 {
        label
    }

    fn end(score: i64, end: i64) -> End {
        End::Score(score.saturating_add(end))
    }

    fn stuck(score: i64, label: ByPlayer<i64>, player: Player) -> Option<End> {
        Some(End::Score(score.saturating_add(label[player])))
    }
}
