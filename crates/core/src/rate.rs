//! Payment of bids in real money.

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::{Payment, Share};

/// The part T of every bid that goes to the other player, in lowest terms; the rest leaves the
/// game.
///
/// Shares refer to the money still in the game, so every bid changes them.
///
/// ```
/// use richman_core::{Payment, Share};
/// let half = Share::dyadic(1, 1);
/// let quarter = Share::dyadic(1, 2);
/// // Of 100, both have 50. Alice wins the bid with 25; 75 are left in the game.
/// assert_eq!(Payment::Poorman.rate().after_win(&half, &quarter).unwrap().to_string(), "1/3");
/// // Bob wins it with 25.
/// assert_eq!(Payment::Poorman.rate().after_loss(&half, &quarter).unwrap().to_string(), "2/3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rate {
    numerator: u32,
    denominator: u32,
}

impl Payment {
    /// The part of every bid that goes to the other player.
    pub fn rate(&self) -> Rate {
        match *self {
            Payment::Richman => Rate::RICHMAN,
            Payment::Poorman => Rate::POORMAN,
            Payment::Taxman { numerator, denominator } => {
                let gcd = gcd(numerator, denominator).max(1);
                Rate { numerator: numerator / gcd, denominator: denominator / gcd }
            }
        }
    }
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Rate {
    /// The whole bid.
    pub const RICHMAN: Rate = Rate { numerator: 1, denominator: 1 };
    /// Nothing.
    pub const POORMAN: Rate = Rate { numerator: 0, denominator: 1 };

    /// The numerator of T.
    pub fn numerator(self) -> u32 {
        self.numerator
    }

    /// The denominator of T, at least the numerator and at least 1.
    pub fn denominator(self) -> u32 {
        self.denominator
    }

    /// Whether no money ever leaves the game.
    pub fn is_richman(self) -> bool {
        self == Rate::RICHMAN
    }

    /// The share of a player who had `share` and won with `bid`: (share - bid) / (1 - (1 - T) bid).
    /// `None` if the bid exceeds the share, or no money is left in the game.
    pub fn after_win(self, share: &Share, bid: &Share) -> Option<Share> {
        if bid > share {
            return None;
        }
        let own = share.rational() - bid.rational();
        self.measured(own, bid)
    }

    /// The share of a player who had `share` when the other player won with `bid`: (share + T bid)
    /// / (1 - (1 - T) bid). `None` if that player has less, or no money is left in the game.
    pub fn after_loss(self, share: &Share, bid: &Share) -> Option<Share> {
        if *bid > share.complement() {
            return None;
        }
        let own = if self.is_richman() {
            share.rational() + bid.rational()
        } else {
            share.rational() + bid.rational() * self.part()
        };
        self.measured(own, bid)
    }

    /// `own` as a share of the money left in the game after `bid` is paid out of 1.
    fn measured(self, own: RBig, bid: &Share) -> Option<Share> {
        if self.is_richman() {
            return Some(Share::from_rational(own));
        }
        let left = RBig::ONE - bid.rational() * (RBig::ONE - self.part());
        (left != RBig::ZERO).then(|| Share::from_rational(own / left))
    }

    /// The largest winning bid that leaves a player with `share` at least `least`; `None` if even 0
    /// leaves less.
    ///
    /// It solves share - bid = least (1 - (1 - T) bid). With share = least = 1 and no payment to
    /// the other player, every bid below 1 leaves enough; the answer is then 0.
    pub fn largest_bid(self, share: &Share, least: &Share) -> Option<Share> {
        if share < least {
            return None;
        }
        let spare = share.rational() - least.rational();
        if self.is_richman() {
            return Some(Share::from_rational(spare));
        }
        let price = RBig::ONE - least.rational() * (RBig::ONE - self.part());
        Some(if price == RBig::ZERO { Share::ZERO } else { Share::from_rational(spare / price) })
    }

    fn part(self) -> RBig {
        RBig::from_parts(self.numerator.into(), UBig::from(self.denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Share {
        text.parse().unwrap()
    }

    #[test]
    fn rates_are_in_lowest_terms() {
        assert_eq!("taxman:3/3".parse::<Payment>().unwrap().rate(), Rate::RICHMAN);
        assert_eq!("taxman:0/7".parse::<Payment>().unwrap().rate(), Rate::POORMAN);
        let half = "taxman:2/4".parse::<Payment>().unwrap().rate();
        assert_eq!((half.numerator(), half.denominator()), (1, 2));
    }

    #[test]
    fn money_is_counted() {
        // Of 12, Alice has 7 and Bob 5. The winner bids 4: 1 goes to the other player, 3 leave the
        // game.
        let rate = "taxman:1/4".parse::<Payment>().unwrap().rate();
        assert_eq!(rate.after_win(&share("7/12"), &share("4/12")), Some(share("3/9")));
        assert_eq!(rate.after_loss(&share("7/12"), &share("4/12")), Some(share("8/9")));
        assert_eq!(Rate::RICHMAN.after_win(&share("7/12"), &share("4/12")), Some(share("3/12")));
        assert_eq!(Rate::RICHMAN.after_loss(&share("7/12"), &share("4/12")), Some(share("11/12")));
        assert_eq!(rate.after_win(&share("1/3"), &share("1/2")), None, "more than she has");
        assert_eq!(rate.after_loss(&share("2/3"), &share("1/2")), None, "more than he has");
        assert_eq!(Rate::POORMAN.after_win(&Share::ONE, &Share::ONE), None, "nothing is left");
    }

    #[test]
    fn the_largest_bid_leaves_exactly_enough() {
        for rate in
            ["richman", "poorman", "taxman:1/2", "taxman:2/7"].map(|text| text.parse::<Payment>().unwrap().rate())
        {
            for (have, least) in [("7/12", "1/3"), ("1/2", "1/2"), ("1", "2/5"), ("3/5", "0")] {
                let bid = rate.largest_bid(&share(have), &share(least)).unwrap();
                let left = rate.after_win(&share(have), &bid);
                assert_eq!(left, (bid != Share::ONE).then(|| share(least)), "{rate:?}, {have}, {least}");
            }
            assert_eq!(rate.largest_bid(&share("1/3"), &share("1/2")), None);
        }
    }
}
