//! One turn under the tie-breaking advantage, by its definition: which bids are good against every bid.

use std::ops::RangeInclusive;

/// What a player faces at a sealed bid with the tie-breaking advantage, and what they would be content with after it.
///
/// `after_win(chips, star)` says whether the player is content when they won the bid and are left with that, `after_loss`
/// when the other player won it. Both must be upward closed in chips: whoever is content with a number of chips is content
/// with more. That leaves three bids of the other player to look at for each bid x: 0, x and x + 1.
pub struct Turn<Win, Loss> {
    /// Chips of the player.
    pub own: u32,
    /// Chips of the other player.
    pub other: u32,
    /// Whether the player holds the star.
    pub star: bool,
    /// Content after winning the bid?
    pub after_win: Win,
    /// Content after losing the bid?
    pub after_loss: Loss,
}

impl<Win: Fn(u32, bool) -> bool, Loss: Fn(u32, bool) -> bool> Turn<Win, Loss> {
    /// Whether winning the bid outright for `bid` is fine.
    fn outright(&self, bid: u32) -> bool {
        (self.after_win)(self.own - bid, self.star)
    }

    /// Whether losing to a bid of `bid` is fine.
    fn outbid(&self, bid: u32) -> bool {
        (self.after_loss)(self.own + bid, self.star)
    }

    /// Whether it is fine that the star is used in a tie at `bid`, by whoever holds it.
    pub fn star_used(&self, bid: u32) -> bool {
        if self.star { (self.after_win)(self.own - bid, false) } else { (self.after_loss)(self.own + bid, true) }
    }

    /// Whether it is fine that the star is kept in a tie at `bid`, by whoever holds it.
    pub fn star_kept(&self, bid: u32) -> bool {
        if self.star { self.outbid(bid) } else { self.outright(bid) }
    }

    /// Whether `bid` (at most the player's chips) is good against every bid and every use of the star by the other.
    pub fn is_good(&self, bid: u32) -> bool {
        let tie = |bid| {
            if self.star {
                self.star_used(bid) || self.star_kept(bid)
            } else {
                self.star_used(bid) && self.star_kept(bid)
            }
        };
        (bid == 0 || self.outright(bid))
            && (bid >= self.other || self.outbid(bid + 1))
            && (bid > self.other || tie(bid))
    }

    /// All good bids, as ranges in ascending order.
    ///
    /// Every condition above changes at most once as the bid grows, so the bids between two such places are alike.
    pub fn good_bids(&self) -> Vec<RangeInclusive<u32>> {
        let end = self.own + 1;
        let least = |holds: &dyn Fn(u32) -> bool| partition(end, |bid| !holds(bid));
        let most = |holds: &dyn Fn(u32) -> bool| partition(end, holds);
        let reachable = self.other.min(end);
        let (used, kept): (u32, u32) = if self.star {
            (most(&|bid| self.star_used(bid)), least(&|bid| self.star_kept(bid)))
        } else {
            (least(&|bid| self.star_used(bid)), most(&|bid| self.star_kept(bid)))
        };
        let outright = most(&|bid| self.outright(bid));
        let outbid = partition(reachable, |bid| !self.outbid(bid + 1));
        let mut places =
            vec![0, 1, outright, outbid, used, kept, reachable, self.other.saturating_add(1).min(end), end];
        places.retain(|&place| place <= end);
        places.sort_unstable();
        places.dedup();
        let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
        for pair in places.windows(2) {
            if !self.is_good(pair[0]) {
                continue;
            }
            match ranges.last_mut() {
                Some(last) if *last.end() + 1 == pair[0] => *last = *last.start()..=pair[1] - 1,
                _ => ranges.push(pair[0]..=pair[1] - 1),
            }
        }
        ranges
    }
}

/// The least bid below `end` at which `before` no longer holds, or `end`.
fn partition(end: u32, before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_exactly_the_bids_good_against_every_bid() {
        for total in 0..=5u32 {
            let thresholds: Vec<[u32; 2]> =
                (0..=total + 1).flat_map(|plain| (0..=total + 1).map(move |star| [plain, star])).collect();
            for win in &thresholds {
                for loss in &thresholds {
                    for own in 0..=total {
                        for star in [false, true] {
                            let turn = Turn {
                                own,
                                other: total - own,
                                star,
                                after_win: |chips, star| chips >= win[usize::from(star)],
                                after_loss: |chips, star| chips >= loss[usize::from(star)],
                            };
                            let ranges = turn.good_bids();
                            for bid in 0..=own {
                                let good = (0..=total - own).all(|reply| match bid.cmp(&reply) {
                                    std::cmp::Ordering::Greater => own - bid >= win[usize::from(star)],
                                    std::cmp::Ordering::Less => own + reply >= loss[usize::from(star)],
                                    std::cmp::Ordering::Equal if star => own - bid >= win[0] || own + bid >= loss[1],
                                    std::cmp::Ordering::Equal => own - bid >= win[0] && own + bid >= loss[1],
                                });
                                assert_eq!(ranges.iter().any(|range| range.contains(&bid)), good);
                            }
                            assert!(ranges.windows(2).all(|pair| *pair[0].end() + 1 < *pair[1].start()));
                        }
                    }
                }
            }
        }
    }
}
