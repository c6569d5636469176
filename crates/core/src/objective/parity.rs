//! The parity objective: the owner of the greatest priority that recurs forever wins endless play.

use crate::{
    Aim, AskedQuestion, BidEnd, ByPlayer, End, Error, Label, LabelledArena, LabelledArenaBuilder, Mechanism, Node,
    NodeData, Objective, ObjectiveFacts, PlaySoFar, Playable, Player, PositionKind, Preset, ShareBounds, Shares,
    StopReason, Threshold, Total, Winnable,
};

/// Alice wins a play that never ends if the greatest priority that occurs infinitely often is even,
/// and Bob if it is odd. A play that ends is won by the player named there. There are no draws.
///
/// Buechi is parity with the priorities 1 and 2, co-Buechi with 0 and 1: 2, or 0, at the positions
/// that Alice wants to visit forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parity;

/// The arena of a parity game.
pub type ParityArena = LabelledArena<Parity>;

/// Builds the arena of a parity game.
pub type ParityArenaBuilder = LabelledArenaBuilder<Parity>;

/// The priority of a position, at most [`Priority::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Priority(pub u32);

impl Priority {
    /// The greatest priority.
    pub const MAX: u32 = 1 << 20;

    /// The player who wins if this is the greatest priority that occurs infinitely often.
    pub fn winner(self) -> Player {
        if self.0.is_multiple_of(2) { Player::Alice } else { Player::Bob }
    }
}

/// The label of a position of a parity game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ParityLabel {
    /// Its priority.
    pub priority: Priority,
    /// Who moves there.
    pub kind: PositionKind,
}

/// A position with bids.
impl From<Priority> for ParityLabel {
    fn from(priority: Priority) -> ParityLabel {
        ParityLabel { priority, kind: PositionKind::Bid }
    }
}

impl Label for ParityLabel {
    /// The next priority, which has the other winner and the same place in the order. So a label
    /// that is mirrored twice has a priority greater by 2, and means the same.
    fn mirror(self) -> ParityLabel {
        ParityLabel { priority: Priority(self.priority.0 + 1), kind: self.kind.mirror() }
    }
}

impl Label for Player {
    fn mirror(self) -> Player {
        self.other()
    }
}

impl Objective for Parity {
    type Move = ();
    type Position = ParityLabel;
    type End = Player;
    const CYCLES: bool = true;

    fn check(node: Node, data: NodeData<Parity>, moves: ByPlayer<&[()]>) -> Result<(), Error> {
        let NodeData::On(ParityLabel { priority: Priority(priority), kind }) = data else { return Ok(()) };
        if priority > Priority::MAX {
            return Err(Error::PriorityTooLarge { position: node.to_string(), priority });
        }
        kind.check(node, moves)
    }

    fn owner(label: ParityLabel) -> Option<Player> {
        label.kind.owner()
    }

    fn with_bids(label: ParityLabel) -> ParityLabel {
        ParityLabel { kind: PositionKind::Bid, ..label }
    }
}

impl Winnable for Parity {
    fn winner(winner: Player) -> Option<Player> {
        Some(winner)
    }
}

impl Playable for Parity {
    const AIM: Aim = Aim::Parity;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "for the priorities that recur forever",
        questions: &[AskedQuestion::Worth, AskedQuestion::Table],
        preset: Preset::DevelinPayne,
        won_at_end: false,
        counts_points: false,
        need_not_end: true,
        has_chance: false,
        rule: "Play need not end: Alice wins if the greatest priority that recurs forever is even.",
        at_limit: "play is cut off, and nobody wins.",
        so_far: |counts| {
            let left_open = Some("the priorities that recur forever");
            Some(PlaySoFar { priorities: Some(counts.priorities), average: None, left_open })
        },
    };

    fn weight((): ()) -> i64 {
        0
    }

    fn end(_: i64, winner: Player) -> End {
        End::Win(winner)
    }

    fn stuck(_: i64, _: ParityLabel, _: Player) -> Option<End> {
        None
    }

    fn priority(label: ParityLabel) -> Option<Priority> {
        Some(label.priority)
    }
}

/// The holding that Alice needs to win from every position of a parity game with chips. With less,
/// Bob wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParitySolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// All chips in the game.
    pub total: Total,
    /// The least holding that wins for Alice, for each position.
    pub thresholds: Vec<Threshold>,
}

impl ParitySolution {
    /// The least holding with which a player wins from a position, in that player's own chips.
    pub fn needed(&self, player: Player, node: Node) -> Threshold {
        let alice = self.thresholds[node as usize];
        player.either(alice, alice.opposite(self.total))
    }
}

/// Bounds on the shares that Alice needs, each end proved by one player's strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityShares {
    /// Bob wins below the lower bounds of these.
    pub low: Shares,
    /// Alice wins above the upper bounds of these.
    pub high: Shares,
}

impl ParityShares {
    /// The share that Alice needs at a position.
    pub fn get(&self, node: Node) -> ShareBounds {
        ShareBounds { low: self.low.get(node).low, high: self.high.get(node).high }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// The number of positions with exact thresholds.
    pub fn exact_count(&self) -> usize {
        (0..self.len() as Node).filter(|&node| self.get(node).as_exact().is_some()).count()
    }
}

/// The share that Alice needs to win from every position of a parity game: with a larger share she
/// wins, with a smaller one Bob does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityMoneySolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// For each position the share that Alice needs.
    pub thresholds: ParityShares,
    /// Each player's move at every position, which prove the thresholds; the position itself where
    /// the player does not move.
    pub strategies: ByPlayer<Vec<Node>>,
    /// Why the solver stopped.
    pub stop: StopReason,
}

/// How a player wins from a position with exactly the threshold, with or without the star. A player
/// with more keeps the surplus and plays as if it did not exist. Where the player moves without a
/// bid, the bid is 0 and the move stands after [`BidEnd::Won`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParityPlan {
    /// The bid, which may be named in advance.
    pub bid: u32,
    /// Whether the player wins a tie that the player decides.
    pub wins_tie: bool,
    /// The player's decision after each end of the bid, in the order of [`BidEnd::ALL`]; `None`
    /// without a choice.
    pub after: [Option<AfterBid>; BidEnd::ALL.len()],
}

/// A player's decision after a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterBid {
    /// Moves to this position, after a win or if the other player lets them.
    Moves(Node),
    /// Lets the other player move.
    Lets,
}
