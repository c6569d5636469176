//! Queries to the solution with chips of win-lose and scoring games.

use richman_analysis::chips::SolvedChips;
use richman_core::{
    End, Holding, Mechanism, Node, NodeData as Label, Playable, Player, Purses, ScoreSolution, ScoreState, Unfolding,
};

/// A player's goal for the next position. Results: 0 a loss, 1 a draw, 2 a win; in a scoring game
/// the player's own points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedResult {
    /// At least that result.
    Result(i64),
    /// At least a draw, or a win, even with `chips` fewer chips (negative: more).
    Spare { win: bool, chips: i64 },
    /// A win within this many moves.
    Within(u32),
    /// By estimates: the need met with `chips` to spare. `sure` takes the end of every interval
    /// that is worse for the player, else the better one.
    About { chips: i64, sure: bool },
}

/// A player's state: own chips, the other player's chips, and whether the player has the star.
pub(crate) type ChipState = (u32, u32, bool);

/// A node, and in a scoring game Alice's points so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoredNode {
    pub node: Node,
    pub points: i64,
}

/// A solved game.
#[derive(Clone, Copy)]
pub(crate) enum SolvedGame<'a> {
    /// Guaranteed outcomes.
    Chips { solved: &'a SolvedChips, purses: Purses },
    /// Points.
    Scores(&'a ScoreSolution),
    /// An engine's values for a position and its moves.
    Seen(&'a SeenNeeds<'a>),
}

/// Alice's needs at some positions, in half-steps; nodes are their indices.
pub(crate) struct SeenNeeds<'a> {
    pub mechanism: &'a Mechanism,
    /// All the chips.
    pub total: u32,
    /// Her need for a draw and for a win if `exact`, else an interval for both.
    pub needs: Vec<[f64; 2]>,
    /// Whether the needs are exact with chips.
    pub exact: bool,
}

impl SeenNeeds<'_> {
    /// Whether a player with `own` half-steps meets Alice's `need`, or as Bob the complementary
    /// one.
    fn is_met(&self, player: Player, own: i64, need: f64) -> bool {
        let most = f64::from(2 * (self.total + 1));
        let need = if player == Player::Alice { need } else { most - need };
        need <= 0.0 || (need < most && own as f64 >= need)
    }

    fn meets(&self, want: WantedResult, player: Player, node: Node, (own, _, star): ChipState) -> bool {
        let [draw, win] = self.needs[node as usize];
        let star = i64::from(self.mechanism.has_star() && star);
        let with = |chips: i64, need: f64| self.is_met(player, 2 * chips + star, need);
        // Bob wins where Alice does not draw.
        let [own_draw, own_win] = if player == Player::Alice { [draw, win] } else { [win, draw] };
        let own = i64::from(own);
        let left = |chips: i64| (own - chips).clamp(0, i64::from(self.total));
        match want {
            WantedResult::Result(result) => result <= 0 || with(own, if result > 1 { own_win } else { own_draw }),
            WantedResult::Within(_) => with(own, own_win), // the number of moves is unknown
            WantedResult::Spare { chips: ANYTHING, .. } => true,
            WantedResult::Spare { win, chips } => with(left(chips), if win { own_win } else { own_draw }),
            WantedResult::About { chips, sure } => with(left(chips), if sure { own_win } else { own_draw }),
        }
    }
}

/// Less than any points or chips.
pub(crate) const ANYTHING: i64 = i64::MIN / 4;

impl<'a> SolvedGame<'a> {
    pub(crate) fn mechanism(&self) -> &'a Mechanism {
        match self {
            SolvedGame::Chips { solved, .. } => solved.forces().mechanism(),
            SolvedGame::Scores(solution) => &solution.mechanism,
            SolvedGame::Seen(needs) => needs.mechanism,
        }
    }

    /// Whether the values are only estimates or bounds.
    pub(crate) fn is_unsure(&self) -> bool {
        matches!(self, SolvedGame::Seen(needs) if !needs.exact)
    }

    /// Whether `player` gets `want` at `here` with `left` more moves that count.
    pub(crate) fn meets(
        &self,
        want: WantedResult,
        player: Player,
        here: ScoredNode,
        state: ChipState,
        left: Option<u32>,
    ) -> bool {
        match self {
            SolvedGame::Chips { solved, .. } => {
                let forces = solved.forces();
                let moves = left.unwrap_or(u32::MAX);
                let wins = |(own, other)| forces.wins_in(player, here.node, own, other);
                let sure = |win: bool, hands: (Holding, Holding)| {
                    (!win && forces.holds_for(moves, player, here.node, hands.0, hands.1))
                        || wins(hands).is_some_and(|rank| rank <= moves)
                };
                match want {
                    WantedResult::Result(result) => result <= 0 || sure(result > 1, self.hands(state)),
                    WantedResult::Within(most) => wins(self.hands(state)).is_some_and(|rank| rank <= most.min(moves)),
                    WantedResult::About { .. } => false, // nothing is estimated here
                    WantedResult::Spare { chips: ANYTHING, .. } => true,
                    WantedResult::Spare { win, chips } => {
                        self.with_spare(player, state, chips).is_some_and(|state| sure(win, self.hands(state)))
                    }
                }
            }
            SolvedGame::Seen(needs) => needs.meets(want, player, here.node, state),
            SolvedGame::Scores(solution) => {
                matches!(want, WantedResult::Result(result) if points(solution, player, here, state) >= result)
            }
        }
    }

    /// The same after the game has ended with `points`.
    pub(crate) fn ended(want: WantedResult, player: Player, points: i64) -> bool {
        matches!(want, WantedResult::Result(result) if own(player, points) >= result)
    }

    /// The player's holding, and the other's.
    pub(crate) fn hands(&self, (own, other, star): ChipState) -> (Holding, Holding) {
        let has_star = self.mechanism().has_star();
        let holding = |chips: u32, star: bool| Holding::from_half_steps(2 * chips + u32::from(has_star && star));
        (holding(own, star), holding(other, !star))
    }

    /// The state with `chips` of the player taken away: under Richman payment the other player gets
    /// them. A player who needs nothing has any number to spare; no player has more chips than
    /// exist.
    fn with_spare(&self, player: Player, (own, other, star): ChipState, chips: i64) -> Option<ChipState> {
        let SolvedGame::Chips { purses, .. } = self else { return None };
        let most = self.most(purses, player, other);
        let own_left = (i64::from(own) - chips).clamp(0, i64::from(most)) as u32;
        let other = match purses {
            Purses::Exactly(total) => total.checked_sub(own_left)?,
            _ => other,
        };
        let (alice, bob) = if player == Player::Alice { (own_left, other) } else { (other, own_left) };
        purses.contain(alice, bob).then_some((own_left, other, star))
    }

    /// The most chips that the player may have.
    fn most(&self, purses: &Purses, player: Player, other: u32) -> u32 {
        match purses {
            Purses::Exactly(total) => *total,
            _ => *purses.against(player, other).end(),
        }
    }

    /// The player's chips beyond the need for a draw, or a win; `None` if no number of chips
    /// suffices.
    pub(crate) fn margin(
        &self,
        win: bool,
        player: Player,
        here: ScoredNode,
        state: ChipState,
        left: Option<u32>,
    ) -> Option<i64> {
        let SolvedGame::Chips { purses, .. } = self else { return None };
        let most = self.most(purses, player, state.1);
        let own = i64::from(state.0);
        greatest(own - i64::from(most), own, |chips| {
            self.meets(WantedResult::Spare { win, chips }, player, here, state, left)
        })
    }
}

/// The points that a player can guarantee, from that player's side.
pub(crate) fn points(solution: &ScoreSolution, player: Player, here: ScoredNode, state: ChipState) -> i64 {
    let (own_chips, other, star) = state;
    let alice = if player == Player::Alice { own_chips } else { other };
    let score = solution.score(here.node, ScoreState { alice, star: if star { player } else { player.other() } });
    let sure = if player == Player::Alice { score.low } else { score.high };
    own(player, here.points.saturating_add(sure))
}

/// Alice's points from the player's side.
pub(crate) fn own(player: Player, points: i64) -> i64 {
    if player == Player::Alice { points } else { points.saturating_neg() }
}

/// The targets of `player`'s moves from `node`, with the points so far.
pub(crate) fn targets<L: Playable>(
    unfolding: &dyn Unfolding<L>,
    node: Node,
    player: Player,
) -> impl ExactSizeIterator<Item = ScoredNode> {
    unfolding.arena().labelled(node, player).map(|(node, label)| ScoredNode { node, points: L::weight(label) })
}

/// The score added if `player` cannot move at `node`.
pub(crate) fn stuck<L: Playable>(unfolding: &dyn Unfolding<L>, node: Node, player: Player) -> i64 {
    match unfolding.arena().data(node) {
        Label::On(label) => match L::stuck(0, label, player) {
            Some(End::Score(points)) => points,
            _ => 0,
        },
        Label::End(_) => 0,
    }
}

/// The greatest number in a range with a property that, once false, stays false; `None` if none has
/// it.
pub(crate) fn greatest(low: i64, high: i64, holds: impl Fn(i64) -> bool) -> Option<i64> {
    if high < low || !holds(low) {
        return None;
    }
    let (mut low, mut end) = (low, high + 1);
    while low + 1 < end {
        let middle = low + (end - low) / 2;
        if holds(middle) { low = middle } else { end = middle }
    }
    Some(low)
}
