//! The oracle: who can force what with chips, by playing out every bid, every use of the star and every move.
//!
//! It knows the definition of the game and nothing else: no order of holdings, no recursion for thresholds, no component.
//! A state is a position, Alice's chips and who holds the star. "Alice wins within t moves" is computed for t = 0, 1, 2, ...
//! by looking for a bid that is good against every bid. Richman payment, sealed bids, the tie-breaking advantage; both rights.
//! Time grows with states x total^2 x moves for each t: for totals up to about 10 on arenas of some ten positions.

use richman_core::{Arena, Holding, Node, Outcome, Player, Right, Terminal, Threshold, Thresholds, Total};

/// A position with holdings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The position.
    pub node: Node,
    /// Alice's chips; Bob has the others.
    pub alice: u32,
    /// Who holds the star.
    pub star: Player,
}

/// Everything about one arena, right and total.
#[derive(Debug, Clone)]
pub struct Oracle<'a> {
    arena: &'a Arena,
    right: Right,
    total: u32,
    /// For each player and state the fewest moves in which the player can force a win.
    ranks: [Vec<Option<u32>>; 2],
    /// For each player and state whether the player can force at least a draw.
    safe: [Vec<bool>; 2],
}

impl<'a> Oracle<'a> {
    /// Plays the game out; with `within`, plays of more moves are draws.
    pub fn new(arena: &'a Arena, right: Right, total: u32, within: Option<u32>) -> Oracle<'a> {
        let mut oracle = Oracle { arena, right, total, ranks: Default::default(), safe: Default::default() };
        oracle.ranks = Player::BOTH.map(|player| oracle.find_ranks(player, within));
        oracle.safe = Player::BOTH.map(|player| oracle.find_safe(player, within));
        oracle
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = State> + '_ {
        let total = self.total;
        self.arena.nodes().flat_map(move |node| {
            Player::BOTH.into_iter().flat_map(move |star| (0..=total).map(move |alice| State { node, alice, star }))
        })
    }

    /// The fewest moves in which `player` can force a win.
    pub fn rank(&self, player: Player, state: State) -> Option<u32> {
        self.ranks[player as usize][self.index(state)]
    }

    /// Whether `player` can force at least a draw.
    pub fn can_draw(&self, player: Player, state: State) -> bool {
        self.safe[player as usize][self.index(state)]
    }

    /// What best play leads to.
    pub fn outcome(&self, state: State) -> Outcome {
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

    /// Alice's thresholds at a position, read off all her holdings; `None` if more chips can hurt.
    pub fn thresholds(&self, node: Node) -> Option<Thresholds> {
        let least = |star: Player, good: &dyn Fn(State) -> bool| {
            let reached: Vec<bool> = (0..=self.total).map(|alice| good(State { node, alice, star })).collect();
            let first = reached.iter().position(|&r| r).unwrap_or(reached.len());
            reached[first..].iter().all(|&r| r).then_some(first as u32)
        };
        let threshold = |good: &dyn Fn(State) -> bool| {
            Some(Threshold { plain: least(Player::Bob, good)?, star: least(Player::Alice, good)? })
        };
        Some(Thresholds {
            win: threshold(&|state| self.rank(Player::Alice, state).is_some())?,
            draw: threshold(&|state| self.rank(Player::Bob, state).is_none())?,
        })
    }

    /// What `player` holds in a state.
    pub fn holding(&self, player: Player, state: State) -> Option<Holding> {
        Holding::new(self.chips(player, state), state.star == player).ok()
    }

    /// The total of chips.
    pub fn total(&self) -> Option<Total> {
        Total::new(u64::from(self.total)).ok()
    }

    /// The chips of `player` in a state.
    pub fn chips(&self, player: Player, state: State) -> u32 {
        match player {
            Player::Alice => state.alice,
            Player::Bob => self.total - state.alice,
        }
    }

    /// The state at the same position after `winner` paid `bid`; with `passed`, by using the star in a tie.
    pub fn after_bid(&self, state: State, winner: Player, bid: u32, passed: bool) -> State {
        let alice = match winner {
            Player::Alice => state.alice - bid,
            Player::Bob => state.alice + bid,
        };
        State { alice, star: if passed { state.star.other() } else { state.star }, ..state }
    }

    /// Whether `player` can see to it that the next state is `good`, whatever the other player bids and does.
    pub fn can_force(&self, player: Player, state: State, good: &dyn Fn(State) -> bool) -> bool {
        (0..=self.chips(player, state)).any(|bid| self.bid_forces(player, state, bid, good))
    }

    /// The same with a given bid.
    pub fn bid_forces(&self, player: Player, state: State, bid: u32, good: &dyn Fn(State) -> bool) -> bool {
        let other = player.other();
        (0..=self.chips(other, state)).all(|reply| match bid.cmp(&reply) {
            std::cmp::Ordering::Greater => self.moved(player, player, self.after_bid(state, player, bid, false), good),
            std::cmp::Ordering::Less => self.moved(player, other, self.after_bid(state, other, reply, false), good),
            std::cmp::Ordering::Equal => {
                let holder = state.star;
                let used = self.moved(player, holder, self.after_bid(state, holder, bid, true), good);
                let kept = self.moved(player, holder.other(), self.after_bid(state, holder.other(), bid, false), good);
                if holder == player { used || kept } else { used && kept }
            }
        })
    }

    /// Whether `player` can see to it that the state after the move is good, once `winner` has won the bid.
    fn moved(&self, player: Player, winner: Player, state: State, good: &dyn Fn(State) -> bool) -> bool {
        let by = |mover: Player| {
            let mut after = self.arena.moves(state.node, mover).iter().map(|&node| good(State { node, ..state }));
            if mover == player { after.any(|g| g) } else { after.all(|g| g) }
        };
        match self.right {
            Right::Moves => by(winner),
            Right::Chooses if winner == player => by(player) || by(player.other()),
            Right::Chooses => by(player) && by(player.other()),
        }
    }

    fn index(&self, state: State) -> usize {
        let per_star = self.total as usize + 1;
        (state.node as usize * 2 + state.star as usize) * per_star + state.alice as usize
    }

    fn find_ranks(&self, player: Player, within: Option<u32>) -> Vec<Option<u32>> {
        let states: Vec<State> = self.states().collect();
        let won = |state: &State| self.arena.terminal(state.node) == Some(Terminal::Win(player));
        let mut ranks: Vec<Option<u32>> = states.iter().map(|state| won(state).then_some(0)).collect();
        let mut moves = 0;
        loop {
            if within == Some(moves) {
                return ranks;
            }
            moves += 1;
            let known = |state: State| ranks[self.index(state)].is_some();
            let open = |state: &State| !known(*state) && self.arena.terminal(state.node).is_none();
            let found: Vec<usize> = states
                .iter()
                .filter(|state| open(state) && self.can_force(player, **state, &known))
                .map(|&state| self.index(state))
                .collect();
            if found.is_empty() {
                return ranks;
            }
            for state in found {
                ranks[state] = Some(moves);
            }
        }
    }

    fn find_safe(&self, player: Player, within: Option<u32>) -> Vec<bool> {
        let states: Vec<State> = self.states().collect();
        let lost = |state: &State| self.arena.terminal(state.node) == Some(Terminal::Win(player.other()));
        let mut safe: Vec<bool> = states.iter().map(|state| !lost(state)).collect();
        let mut moves = 0;
        loop {
            if within == Some(moves) {
                return safe;
            }
            moves += 1;
            let fine = |state: State| safe[self.index(state)];
            let open = |state: &State| fine(*state) && self.arena.terminal(state.node).is_none();
            let fallen: Vec<usize> = states
                .iter()
                .filter(|state| open(state) && !self.can_force(player, **state, &fine))
                .map(|&state| self.index(state))
                .collect();
            if fallen.is_empty() {
                return safe;
            }
            for state in fallen {
                safe[state] = false;
            }
        }
    }
}
