//! Finds a bid from the player's needs after winning and after losing it.
//!
//! Mechanism: Richman payment, all bids, the tie-breaking advantage, and the winner choosing who
//! moves. Holdings and needs are in half-steps, 2 x chips + star. A player with holding h and need
//! n has the *margin* h - n; an exact need is met if the margin is at least 0.
//!
//! With c chips and the star (s = 1) or without (s = 0), a bid of x against one of y leaves the
//! margin
//!
//! ```text
//! y < x   2 (c - x) + s - won
//! y > x   2 (c + y) + s - lost
//! y = x   star:    the better of 2 (c - x) - won (used) and 2 (c + x) + 1 - lost (kept)
//!         no star: the worse of 2 (c - x) - won and 2 (c + x) + 1 - lost
//! ```
//!
//! So the worst answers are one chip less, equal, and one chip more. The first margin falls as x
//! grows, and the last rises.

use richman_core::Holding;
use richman_core::StarUse::{self, Kept, Used};

/// A player's situation at a bid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stakes {
    /// The player's holding.
    pub own: Holding,
    /// The opponent's holding.
    pub other: Holding,
    /// The player's need after winning the bid and making the best move, in half-steps.
    pub won: f64,
    /// The player's need after losing the bid and the opponent's best move.
    pub lost: f64,
    /// For the player and the opponent: whether winning this bid wins the game if the rest suffices
    /// to win the next bid too.
    pub forcing: [bool; 2],
}

/// More than any margin: the game is won.
const SURE: f64 = 1e12;

impl Stakes {
    /// Stakes from needs in half-steps, if no second bid decides.
    pub fn new(own: Holding, other: Holding, won: f64, lost: f64) -> Stakes {
        Stakes { own, other, won, lost, forcing: [false; 2] }
    }

    /// Stakes from needs in real money, as shares of all the money. They estimate chip needs to
    /// half a half-step on average, and are not rounded; `docs/design.md` gives the loss by
    /// rounding.
    pub fn estimated(own: Holding, other: Holding, won: f64, lost: f64) -> Stakes {
        let unit = 2.0 * (f64::from(own.chips()) + f64::from(other.chips()) + 1.0);
        Stakes::new(own, other, unit * won, unit * lost)
    }

    /// The margin after winning with `bid`; `used` says whether that took the star in a tie.
    pub fn after_win(&self, bid: u32, used: StarUse) -> f64 {
        let star = self.own.has_star() && !used.is_used();
        let [own, other] = [self.own, self.other].map(|held| i64::from(held.chips()));
        if self.forcing[0] && own - i64::from(bid) >= other + i64::from(bid) + i64::from(!star) {
            return SURE;
        }
        2.0 * (f64::from(self.own.chips()) - f64::from(bid)) + f64::from(u8::from(star)) - self.won
    }

    /// The margin after losing to `bid`; `used` says whether that took the opponent's star in a
    /// tie.
    pub fn after_loss(&self, bid: u32, used: StarUse) -> f64 {
        let star = self.own.has_star() || used.is_used();
        let [own, other] = [self.own, self.other].map(|held| i64::from(held.chips()));
        if self.forcing[1] && other - i64::from(bid) >= own + i64::from(bid) + i64::from(star) {
            return -SURE;
        }
        2.0 * (f64::from(self.own.chips()) + f64::from(bid)) + f64::from(u8::from(star)) - self.lost
    }

    /// The margin after a tie at `bid`, decided by the star's holder.
    pub fn after_tie(&self, bid: u32) -> f64 {
        if self.own.has_star() {
            self.after_win(bid, Used).max(self.after_loss(bid, Kept))
        } else {
            self.after_win(bid, Kept).min(self.after_loss(bid, Used))
        }
    }

    /// The margin if the player bids `bid` and the opponent `reply`.
    pub fn after(&self, bid: u32, reply: u32) -> f64 {
        match bid.cmp(&reply) {
            std::cmp::Ordering::Greater => self.after_win(bid, Kept),
            std::cmp::Ordering::Less => self.after_loss(reply, Kept),
            std::cmp::Ordering::Equal => self.after_tie(bid),
        }
    }

    /// The least margin after a bid, over all answers.
    pub fn margin(&self, bid: u32) -> f64 {
        let most = self.other.chips();
        let lower = if bid > 0 { self.after_win(bid, Kept) } else { f64::INFINITY };
        let equal = if bid <= most { self.after_tie(bid) } else { f64::INFINITY };
        let higher = if bid < most { self.after_loss(bid + 1, Kept) } else { f64::INFINITY };
        lower.min(equal).min(higher)
    }

    /// Bids in ascending order, one of which has the greatest margin: those near where winning and
    /// losing are equally good, and near the opponent's maximum.
    fn candidates(&self) -> Vec<u32> {
        const AROUND: i64 = 3;
        let own = i64::from(self.own.chips());
        let middle = self.even();
        let other = i64::from(self.other.chips());
        // Near this bid, the winner keeps no more than the opponent.
        let leader = (own - other).abs() / 2;
        let around = |middle: i64| middle - AROUND..=middle + AROUND;
        let mut bids: Vec<i64> = around(middle).chain(around(leader)).chain([0, own, other, other + 1]).collect();
        bids.retain(|bid| (0..=own).contains(bid));
        bids.sort_unstable();
        bids.dedup();
        bids.into_iter().map(|bid| bid as u32).collect()
    }

    /// The bid at which winning is as good as losing to it.
    fn even(&self) -> i64 {
        ((self.lost - self.won) / 4.0).floor() as i64
    }

    /// The lowest bid with the greatest margin against every answer.
    pub fn safest(&self) -> u32 {
        let better = |one: u32, two: u32| if self.margin(two) > self.margin(one) { two } else { one };
        self.candidates().into_iter().reduce(better).unwrap_or(0)
    }
}
