//! Tug of war with open bids, played out by its definition: Alice names a bid, Bob answers knowing it, and ties are hers [GSZ09, 1].
//!
//! The token stands on a path 0..=length; Alice wins at 0, Bob at the other end. No bid is left out because it looks foolish, and nothing
//! is assumed about who wins where, so this judges the formulas and programmes of the paper. An endless play is a draw.

use richman_core::{Error, Payment, Player, Right};

const UNKNOWN: u32 = u32::MAX;

/// All states of one game, with the fewest moves in which either player can force a win.
pub struct OpenTug {
    length: u32,
    /// Most chips of Alice and of Bob in a state.
    most: [u32; 2],
    richman: bool,
    right: Right,
    ranks: [Vec<u32>; 2],
}

impl OpenTug {
    /// Plays out the path 0..=`length` with `payment`. Richman: all states with `alice` + `bob` chips in all. Poorman: all states
    /// with at most `alice` and `bob` chips.
    ///
    /// Time: states x pairs of bids x rounds; for a path of 6 and some 12 chips a fraction of a second.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for taxman payment.
    pub fn new(length: u32, alice: u32, bob: u32, payment: &Payment, right: Right) -> Result<OpenTug, Error> {
        let richman = match payment {
            Payment::Richman => true,
            Payment::Poorman => false,
            Payment::Taxman { .. } => {
                return Err(Error::Unsupported {
                    what: "taxman payment in tug of war with open bids".to_string(),
                    serves: "richman and poorman payment".to_string(),
                });
            }
        };
        let most = if richman { [alice + bob; 2] } else { [alice, bob] };
        let size = (length + 1) as usize * (most[0] + 1) as usize * (most[1] + 1) as usize;
        let mut game = OpenTug { length, most, richman, right, ranks: [vec![UNKNOWN; size], vec![UNKNOWN; size]] };
        for player in Player::BOTH {
            game.play_out(player);
        }
        Ok(game)
    }

    /// The fewest moves in which `player` can force a win from node `at` with these chips, or `None` where that player cannot.
    pub fn rank(&self, player: Player, at: u32, alice: u32, bob: u32) -> Option<u32> {
        Some(self.ranks[player as usize][self.index(at, alice, bob)]).filter(|&rank| rank != UNKNOWN)
    }

    /// Who can force a win, with the fewest moves; `None` for a draw.
    pub fn winner(&self, at: u32, alice: u32, bob: u32) -> Option<(Player, u32)> {
        Player::BOTH.into_iter().find_map(|player| Some((player, self.rank(player, at, alice, bob)?)))
    }

    /// Every node where the game goes on, with every pair of purses: (at, alice, bob).
    pub fn states(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let purses = move |at| {
            (0..=self.most[0]).flat_map(move |alice| {
                let bobs = if self.richman { self.most[0] - alice..=self.most[0] - alice } else { 0..=self.most[1] };
                bobs.map(move |bob| (at, alice, bob))
            })
        };
        (1..self.length).flat_map(purses)
    }

    fn index(&self, at: u32, alice: u32, bob: u32) -> usize {
        ((at * (self.most[0] + 1) + alice) * (self.most[1] + 1) + bob) as usize
    }

    fn play_out(&mut self, player: Player) {
        let end = if player == Player::Alice { 0 } else { self.length };
        let purses: Vec<(u32, u32)> =
            (0..=self.most[0]).flat_map(|alice| (0..=self.most[1]).map(move |bob| (alice, bob))).collect();
        for (alice, bob) in purses {
            let won = self.index(end, alice, bob);
            self.ranks[player as usize][won] = 0;
        }
        for moves in 1.. {
            let found: Vec<usize> = self
                .states()
                .filter(|&(at, alice, bob)| self.rank(player, at, alice, bob).is_none())
                .filter(|&(at, alice, bob)| self.forces(player, at, alice, bob))
                .map(|(at, alice, bob)| self.index(at, alice, bob))
                .collect();
            if found.is_empty() {
                return;
            }
            for state in found {
                self.ranks[player as usize][state] = moves;
            }
        }
    }

    /// Whether `player` can come to a state won in fewer moves, whatever the other player bids and does.
    fn forces(&self, player: Player, at: u32, alice: u32, bob: u32) -> bool {
        let good = |x: u32, y: u32| {
            let mover = if y <= x { Player::Alice } else { Player::Bob };
            let (paid, to) = if mover == Player::Alice { (x, at - 1) } else { (y, at + 1) };
            let refund = if self.richman { paid } else { 0 };
            let (alice, bob) = match mover {
                Player::Alice => (alice - paid, bob + refund),
                Player::Bob => (alice + refund, bob - paid),
            };
            let won = |to| self.rank(player, to, alice, bob).is_some();
            match self.right {
                Right::Moves => won(to),
                Right::Chooses if mover == player => won(at - 1) || won(at + 1),
                Right::Chooses => won(at - 1) && won(at + 1),
            }
        };
        match player {
            Player::Alice => (0..=alice).any(|x| (0..=bob).all(|y| good(x, y))),
            Player::Bob => (0..=alice).all(|x| (0..=bob).any(|y| good(x, y))),
        }
    }
}
