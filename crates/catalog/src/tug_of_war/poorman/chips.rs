//! Every state of the game with chips, in one pass.
//!
//! No play returns to a state: a bid of nothing is Alice's and moves the token left, and every
//! other bid leaves fewer chips. So states with fewer chips come first, then nodes further left.
//! More chips never hurt their owner and never make a win longer. Hence Alice's risk if Bob lets
//! her have a bid grows with the bid, her risk if he outbids her falls, and the best bid is at the
//! crossing, found by bisection. The tests compare with every bid of both players.

use richman_core::Player;
use richman_core::partition;
use richman_games::within;

use super::super::checked_length;
use crate::Error;

const BOB: u16 = 1 << 15;
const NEVER: u16 = BOB - 1;

const MOST_CHIPS: u32 = 10_000;

/// The winner and the number of moves from every node, with all purses up to given ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseWins {
    length: u32,
    alice: u32,
    bob: u32,
    /// By Alice's chips, then Bob's, then node: the fewest moves, with a bit set if Bob wins.
    states: Vec<u16>,
}

impl PurseWins {
    /// All states of the path 0..=`length` with at most `alice` and `bob` chips. Time: states x
    /// log(`alice`); memory: 2 bytes per state, at most `memory` bytes.
    ///
    /// # Errors
    /// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`super::super::LONGEST`] and
    /// purses are at most 10,000; [`richman_core::Error::TooMuchMemory`].
    pub fn new(length: u32, alice: u32, bob: u32, memory: u64) -> Result<PurseWins, Error> {
        checked_length(length)?;
        within("alice", alice, 0..=MOST_CHIPS)?;
        within("bob", bob, 0..=MOST_CHIPS)?;
        let size = u64::from(length + 1) * u64::from(alice + 1) * u64::from(bob + 1);
        if 2 * size > memory {
            let what = "the states of tug of war";
            return Err(richman_core::Error::TooMuchMemory { what, needed: 2 * size, limit: memory }.into());
        }
        let mut chips = PurseWins { length, alice, bob, states: vec![0; size as usize] };
        for own in 0..=alice {
            for other in 0..=bob {
                let end = chips.index(length, own, other);
                chips.states[end] = BOB;
                for at in 1..length {
                    let alice = chips.alice_wins_in(at, own, other);
                    let index = chips.index(at, own, other);
                    chips.states[index] = if alice < NEVER { alice } else { chips.bob_wins_in(at, own, other) | BOB };
                }
            }
        }
        Ok(chips)
    }

    /// The winner from node `at`, and the fewest moves of a forced win. No play is a draw.
    ///
    /// # Panics
    /// If the purses exceed those given to `new`, or the path has no such node.
    pub fn winner(&self, at: u32, alice: u32, bob: u32) -> (Player, u32) {
        assert!(at <= self.length && alice <= self.alice && bob <= self.bob, "no such state");
        #[cfg(feature = "faults")]
        let at = match richman_solvers::fault::planted() {
            Some(richman_solvers::fault::Fault::Exchanged) => self.length - at,
            _ => at,
        };
        let state = self.states[self.index(at, alice, bob)];
        (if state & BOB == 0 { Player::Alice } else { Player::Bob }, u32::from(state & !BOB))
    }

    fn index(&self, at: u32, alice: u32, bob: u32) -> usize {
        (alice as usize * (self.bob as usize + 1) + bob as usize) * (self.length as usize + 1) + at as usize
    }

    /// The moves in which `player` wins; [`NEVER`] if the other player does.
    fn moves(&self, player: Player, at: u32, alice: u32, bob: u32) -> u16 {
        let state = self.states[self.index(at, alice, bob)];
        if (state & BOB == 0) == (player == Player::Alice) { state & !BOB } else { NEVER }
    }

    fn alice_wins_in(&self, at: u32, own: u32, other: u32) -> u16 {
        let had = |bid: u32| self.moves(Player::Alice, at - 1, own - bid, other);
        let outbid = |bid: u32| match other.checked_sub(bid + outbids_by()) {
            None => 0,
            Some(rest) => self.moves(Player::Alice, at + 1, own, rest),
        };
        let cross = partition(own, |bid| had(bid) < outbid(bid));
        let best = [cross, cross.saturating_sub(1)].map(|bid| had(bid).max(outbid(bid)));
        #[cfg(feature = "faults")]
        let best = richman_solvers::fault::extreme(&had(0), &outbid(0)).map_or(best, |wrong| [*wrong; 2]);
        best[0].min(best[1]).saturating_add(1).min(NEVER)
    }

    fn bob_wins_in(&self, at: u32, own: u32, other: u32) -> u16 {
        let had = |bid: u32| self.moves(Player::Bob, at - 1, own - bid, other);
        let outbid = |bid: u32| match other.checked_sub(bid + outbids_by()) {
            None => NEVER,
            Some(rest) => self.moves(Player::Bob, at + 1, own, rest),
        };
        let cross = partition(own, |bid| outbid(bid) < had(bid));
        let best = [cross, cross.saturating_sub(1)].map(|bid| had(bid).min(outbid(bid)));
        best[0].max(best[1]).saturating_add(1).min(NEVER)
    }
}

/// The least amount by which Bob must exceed Alice's bid: ties are hers.
fn outbids_by() -> u32 {
    #[cfg(feature = "faults")]
    if richman_solvers::fault::is(richman_solvers::fault::Fault::TiesSwapped) {
        return 0;
    }
    1
}

/// The fewest chips with which Alice wins, by node 0..length, then by Bob's chips 0..=`most`.
///
/// w(p, m) = min over bids k of max(w(p - 1, m) + k, w(p + 1, m - k - 1)), the second only for k <
/// m, w(0, m) = 0 and w(N, m) = infinite. Time: length x most x log(most); memory: 4 bytes for
/// each.
///
/// # Errors
/// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`super::super::LONGEST`] and
/// most <= 1,000,000.
pub fn win_thresholds(length: u32, most: u32) -> Result<Vec<Vec<u32>>, Error> {
    checked_length(length)?;
    within("chips", most, 0..=1_000_000)?;
    let mut least = vec![vec![0u32; most as usize + 1]; length as usize];
    for bob in 0..=most {
        for at in 1..length as usize {
            let had = |bid: u32| least[at - 1][bob as usize] + bid;
            let outbid = |bid: u32| match (bob.checked_sub(bid + outbids_by()), least.get(at + 1)) {
                (None, _) => 0,
                (Some(rest), Some(next)) => next[rest as usize],
                (Some(_), None) => u32::MAX,
            };
            let cross = partition(bob, |bid| had(bid) < outbid(bid));
            let best = [cross, cross.saturating_sub(1)].map(|bid| had(bid).max(outbid(bid)));
            #[cfg(feature = "faults")]
            let best = richman_solvers::fault::extreme(&had(0), &outbid(0)).map_or(best, |wrong| [*wrong; 2]);
            least[at][bob as usize] = best[0].min(best[1]);
        }
    }
    #[cfg(feature = "faults")]
    if richman_solvers::fault::is(richman_solvers::fault::Fault::Exchanged) {
        least[1..].reverse();
    }
    Ok(least)
}
