//! The oracle: who can force what with chips, by playing out every bid, every use of the star and
//! every move.
//!
//! Where a player moves without a bid, only the move is played. It uses only the definition of the
//! game: no order of holdings, no recursion for thresholds, no components. A state is a position,
//! both players' chips and the star's holder. For t = 0, 1, 2, ... it finds the wins within t moves
//! by looking for a bid that is good against every bid. It serves every mechanism. Each t takes
//! states x total^2 x moves steps, which suits totals up to about 10 and about ten positions.

use std::cmp::Ordering;

use richman_core::StarUse::{self, Kept, Used};
use richman_core::{
    Arena, Bidding, Bids, ByPlayer, Holding, Mechanism, Node, Outcome, Payment, Player, Right, Terminal, Threshold,
    Thresholds, Ties,
};

/// A position with holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OracleState {
    /// The position.
    pub node: Node,
    /// Alice's chips.
    pub alice: u32,
    /// Bob's chips.
    pub bob: u32,
    /// The star's holder; with ties `alice` and `bob`, always that player.
    pub star: Player,
}

/// The results for one arena, mechanism and number of chips.
#[derive(Debug, Clone)]
pub struct Oracle<'a> {
    arena: &'a Arena,
    mechanism: &'a Mechanism,
    total: u32,
    /// For each player and state, the fewest moves in which the player can force a win.
    ranks: ByPlayer<Vec<Option<u32>>>,
    /// For each player and state, the fewest moves after which the player cannot keep the other
    /// from winning.
    lost: ByPlayer<Vec<Option<u32>>>,
}

impl<'a> Oracle<'a> {
    /// Plays out all holdings of `total` chips (at most `total`, if money goes to the bank). With
    /// `within`, longer plays are draws.
    pub fn new(arena: &'a Arena, mechanism: &'a Mechanism, total: u32, within: Option<u32>) -> Oracle<'a> {
        let mut oracle = Oracle { arena, mechanism, total, ranks: Default::default(), lost: Default::default() };
        oracle.ranks = ByPlayer::from_fn(|player| {
            oracle.decided(player, within, |state, won| oracle.can_force(player, state, won))
        });
        oracle.lost = ByPlayer::from_fn(|player| {
            oracle.decided(player.other(), within, |state, lost| !oracle.can_force(player, state, &|next| !lost(next)))
        });
        oracle
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = OracleState> + '_ {
        let purses = move |alice| {
            let least = if self.mechanism.payment == Payment::Richman { self.total - alice } else { 0 };
            (least..=self.total - alice).map(move |bob| (alice, bob))
        };
        self.arena.nodes().flat_map(move |node| {
            self.stars().iter().flat_map(move |&star| {
                (0..=self.total).flat_map(purses).map(move |(alice, bob)| OracleState { node, alice, bob, star })
            })
        })
    }

    fn stars(&self) -> &'static [Player] {
        match self.mechanism.ties {
            Ties::Alice => &[Player::Alice],
            Ties::Bob => &[Player::Bob],
            _ => &Player::BOTH,
        }
    }

    /// The fewest moves in which `player` can force a win.
    pub fn rank(&self, player: Player, state: OracleState) -> Option<u32> {
        self.ranks[player][self.index(state)]
    }

    /// Whether `player` can force at least a draw.
    pub fn can_draw(&self, player: Player, state: OracleState) -> bool {
        self.lost[player][self.index(state)].is_none()
    }

    /// The outcome of best play.
    pub fn outcome(&self, state: OracleState) -> Outcome {
        let [alice, bob] = Player::BOTH;
        if self.rank(alice, state).is_some() {
            Outcome::Win(alice)
        } else if self.rank(bob, state).is_some() {
            Outcome::Win(bob)
        } else if self.can_draw(alice, state) && self.can_draw(bob, state) {
            Outcome::Draw
        } else {
            Outcome::Undetermined
        }
    }

    /// Alice's thresholds at a position with Richman payment, from all her holdings; `None` if more
    /// chips can hurt.
    pub fn thresholds(&self, node: Node) -> Option<Thresholds> {
        let least = |star: Player, good: &dyn Fn(OracleState) -> bool| {
            let state = |alice| OracleState { node, alice, bob: self.total - alice, star };
            let reached: Vec<bool> = (0..=self.total).map(|alice| good(state(alice))).collect();
            let first = reached.iter().position(|&r| r).unwrap_or(reached.len());
            reached[first..].iter().all(|&r| r).then_some(first as u32)
        };
        let stars = self.stars();
        let threshold = |good: &dyn Fn(OracleState) -> bool| {
            let [plain, star] = [stars[stars.len() - 1], stars[0]];
            Some(Threshold { plain: least(plain, good)?, star: least(star, good)? })
        };
        Some(Thresholds {
            win: threshold(&|state| self.rank(Player::Alice, state).is_some())?,
            draw: threshold(&|state| self.rank(Player::Bob, state).is_none())?,
        })
    }

    /// The holding of `player` in a state.
    pub fn holding(&self, player: Player, state: OracleState) -> Option<Holding> {
        Holding::new(self.chips(player, state), self.mechanism.has_star() && state.star == player).ok()
    }

    /// The chips of `player` in a state.
    pub fn chips(&self, player: Player, state: OracleState) -> u32 {
        if player == Player::Alice { state.alice } else { state.bob }
    }

    /// The bids that `player` may make.
    pub fn bids(&self, player: Player, state: OracleState) -> Vec<u32> {
        let chips = self.chips(player, state);
        match &self.mechanism.bids {
            Bids::All => (0..=chips).collect(),
            Bids::Only(amounts) => amounts.iter().copied().filter(|&bid| bid <= chips).collect(),
        }
    }

    /// The state after `winner` won with `bid`, before the move.
    pub fn after_bid(&self, state: OracleState, winner: Player, bid: u32, used: StarUse) -> OracleState {
        let paid = match self.mechanism.payment {
            Payment::Richman => bid,
            Payment::Poorman => 0,
            Payment::Taxman { numerator, denominator } => {
                (u64::from(bid) * u64::from(numerator) / u64::from(denominator)) as u32
            }
        };
        let (alice, bob) = match winner {
            Player::Alice => (state.alice - bid, state.bob + paid),
            Player::Bob => (state.alice + paid, state.bob - bid),
        };
        let star = match self.mechanism.ties {
            Ties::Advantage | Ties::Marker if used.is_used() => state.star.other(),
            Ties::Advantage | Ties::Marker | Ties::Alice | Ties::Bob => state.star,
            Ties::Loser => winner.other(),
            Ties::Winner => winner,
        };
        OracleState { alice, bob, star, ..state }
    }

    /// Whether `player` can make the next state `good`, whatever the other player bids and does.
    pub fn can_force(&self, player: Player, state: OracleState, good: &dyn Fn(OracleState) -> bool) -> bool {
        if let Some(owner) = self.arena.owner(state.node) {
            return self.moved_by(owner, player, state, good);
        }
        let own = options(self.bids(player, state));
        let others = options(self.bids(player.other(), state));
        let fine = |bid: Option<u32>, reply: Option<u32>| self.resolved(player, state, bid, reply, good);
        let knows = match self.mechanism.bidding {
            Bidding::Sealed => false,
            Bidding::AliceFirst => player == Player::Bob,
            Bidding::BobFirst => player == Player::Alice,
        };
        if knows {
            others.iter().all(|&reply| own.iter().any(|&bid| fine(bid, reply)))
        } else {
            own.iter().any(|&bid| others.iter().all(|&reply| fine(bid, reply)))
        }
    }

    /// The same with this bid, sealed or named first.
    pub fn bid_forces(&self, player: Player, state: OracleState, bid: u32, good: &dyn Fn(OracleState) -> bool) -> bool {
        let others = options(self.bids(player.other(), state));
        others.iter().all(|&reply| self.resolved(player, state, Some(bid), reply, good))
    }

    /// Whether `player` reaches a good state once both bids are known; `None` means no allowed bid.
    pub fn resolved(
        &self,
        player: Player,
        state: OracleState,
        bid: Option<u32>,
        reply: Option<u32>,
        good: &dyn Fn(OracleState) -> bool,
    ) -> bool {
        let other = player.other();
        let won = |winner, bid, used| self.moved(player, winner, self.after_bid(state, winner, bid, used), good);
        let (bid, reply) = match (bid, reply) {
            (Some(bid), Some(reply)) => (bid, reply),
            (Some(bid), None) => return won(player, bid, Kept),
            (None, Some(reply)) => return won(other, reply, Kept),
            (None, None) => return false, // solvers refuse such games
        };
        match bid.cmp(&reply) {
            Ordering::Greater => won(player, bid, Kept),
            Ordering::Less => won(other, reply, Kept),
            Ordering::Equal => match self.mechanism.ties {
                Ties::Advantage => {
                    let (used, kept) = (won(state.star, bid, Used), won(state.star.other(), bid, Kept));
                    if state.star == player { used || kept } else { used && kept }
                }
                Ties::Marker => won(state.star, bid, Used),
                Ties::Alice | Ties::Bob | Ties::Loser | Ties::Winner => won(state.star, bid, Kept),
            },
        }
    }

    /// Whether `player` can make the state after the move good, once `winner` has won the bid.
    fn moved(&self, player: Player, winner: Player, state: OracleState, good: &dyn Fn(OracleState) -> bool) -> bool {
        let by = |mover: Player| self.moved_by(mover, player, state, good);
        match self.mechanism.right {
            Right::Moves => by(winner),
            Right::Chooses if winner == player => by(player) || by(player.other()),
            Right::Chooses => by(player) && by(player.other()),
        }
    }

    /// The same once `mover` is to move.
    fn moved_by(&self, mover: Player, player: Player, state: OracleState, good: &dyn Fn(OracleState) -> bool) -> bool {
        let mut after = self.arena.moves(state.node, mover).iter().map(|&node| good(OracleState { node, ..state }));
        if mover == player { after.any(|g| g) } else { after.all(|g| g) }
    }

    fn index(&self, state: OracleState) -> usize {
        let side = self.total as usize + 1;
        ((state.node as usize * 2 + state.star as usize) * side + state.alice as usize) * side + state.bob as usize
    }

    fn size(&self) -> usize {
        let side = self.total as usize + 1;
        self.arena.len() * 2 * side * side
    }

    /// The fewest moves until `winner` surely has won: 0 at the winning ends; elsewhere `decides`
    /// accepts a state, given the states decided in fewer moves.
    fn decided(
        &self,
        winner: Player,
        within: Option<u32>,
        decides: impl Fn(OracleState, &dyn Fn(OracleState) -> bool) -> bool,
    ) -> Vec<Option<u32>> {
        let states: Vec<OracleState> = self.states().collect();
        let mut decided = vec![None; self.size()];
        for &state in &states {
            if self.arena.terminal(state.node) == Some(Terminal::Win(winner)) {
                decided[self.index(state)] = Some(0);
            }
        }
        let mut moves = 0;
        while within != Some(moves) {
            moves += 1;
            let known = |state: OracleState| decided[self.index(state)].is_some();
            let open = |state: &&OracleState| !known(**state) && self.arena.terminal(state.node).is_none();
            let found = states.iter().filter(open).filter(|state| decides(**state, &known));
            let found: Vec<usize> = found.map(|&state| self.index(state)).collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|state| decided[state] = Some(moves));
        }
        decided
    }
}

/// The bids, or a single `None` if there are none.
fn options(bids: Vec<u32>) -> Vec<Option<u32>> {
    if bids.is_empty() { vec![None] } else { bids.into_iter().map(Some).collect() }
}
