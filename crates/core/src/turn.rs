//! One turn under any mechanism.

use crate::StarUse::{Kept, Used};
use crate::{Bids, Mechanism, Player, StarUse};

/// A player's situation at a bid, and a condition on its result.
///
/// If every amount may be bid, contentment must be upward closed in the player's chips and downward
/// closed in the opponent's. As the bid grows, a condition then changes at most once, so few bids
/// need examining.
#[derive(Debug)]
pub struct Turn<'m, Content> {
    /// How bids are made, won and paid. `content` decides what the winner gets.
    pub mechanism: &'m Mechanism,
    /// The player.
    pub player: Player,
    /// The player's chips.
    pub own: u32,
    /// The opponent's chips.
    pub other: u32,
    /// Whether the player holds the star; ignored under ties `alice` and `bob`, where there is
    /// none.
    pub star: bool,
    /// The player's condition for contentment.
    pub content: Content,
}

/// Whether a player is content after a bid, given whether they won it, their chips, the opponent's
/// chips, and whether they hold the star.
pub trait Acceptance: Fn(bool, u32, u32, bool) -> bool {}

impl<F: Fn(bool, u32, u32, bool) -> bool> Acceptance for F {}

/// How a bid ends for the player who made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BidEnd {
    /// The reply was lower.
    Won,
    /// The reply was higher.
    Lost,
    /// The player won a tie.
    TieWon,
    /// The player lost a tie.
    TieLost,
}

impl BidEnd {
    /// All ends.
    pub const ALL: [BidEnd; 4] = [BidEnd::Won, BidEnd::Lost, BidEnd::TieWon, BidEnd::TieLost];

    /// Whether the player won the bid.
    pub fn is_won(self) -> bool {
        matches!(self, BidEnd::Won | BidEnd::TieWon)
    }

    /// Whether it was a tie.
    pub fn is_tie(self) -> bool {
        matches!(self, BidEnd::TieWon | BidEnd::TieLost)
    }
}

/// What a player has after a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BidResult {
    /// How the bid ended.
    pub end: BidEnd,
    /// The player's chips.
    pub chips: u32,
    /// Whether the player holds the star.
    pub star: bool,
}

impl<C: Acceptance> Turn<'_, C> {
    /// The possible results of `bid`, one for each end. Of the higher replies it is the least, to
    /// which the player loses with the fewest chips. If both results of a tie are possible, its
    /// [holder](Turn::holds_tie) chooses.
    pub fn results(&self, bid: u32) -> Vec<BidResult> {
        let result = |end: BidEnd, paid: u32, used: StarUse| {
            let (chips, _, star) =
                if end.is_won() { self.holdings_won(paid, used) } else { self.holdings_lost(paid, used) };
            BidResult { end, chips, star }
        };
        let won = self.can_outbid(bid).then(|| result(BidEnd::Won, bid, Kept));
        let lost = self.replies_above(bid).first().map(|reply| result(BidEnd::Lost, reply[0], Kept));
        let tie =
            |(winner, used)| result(if winner == self.player { BidEnd::TieWon } else { BidEnd::TieLost }, bid, used);
        let ties = self.ties().filter(|_| bid <= self.other).map(tie);
        won.into_iter().chain(lost).chain(ties).collect()
    }

    fn paid(&self, bid: u32) -> u32 {
        self.mechanism.payment.to_loser(bid)
    }

    fn star_holder(&self) -> Player {
        if self.star { self.player } else { self.player.other() }
    }

    /// Whether the player wins, or may claim, ties.
    pub fn holds_tie(&self) -> bool {
        self.mechanism.ties.holder(self.star_holder()) == self.player
    }

    /// The player's chips, the opponent's, and whether the player holds the star, after winning
    /// with `bid`; `used` says whether the player's star was used in a tie.
    pub fn holdings_won(&self, bid: u32, used: StarUse) -> (u32, u32, bool) {
        (self.own - bid, self.other.saturating_add(self.paid(bid)), self.star_after(self.player, used))
    }

    /// The same after losing to `bid`; `used` says whether the opponent's star was used in a tie.
    pub fn holdings_lost(&self, bid: u32, used: StarUse) -> (u32, u32, bool) {
        (self.own.saturating_add(self.paid(bid)), self.other - bid, self.star_after(self.player.other(), used))
    }

    /// Whether the player holds the star after `winner` won a bid; `used` says whether the winner's
    /// star was used in a tie.
    fn star_after(&self, winner: Player, used: StarUse) -> bool {
        self.mechanism.ties.star_after(winner, self.star_holder(), used) == self.player
    }

    /// Whether winning with `bid` contents the player; `used` as in [`Turn::holdings_won`].
    pub fn won(&self, bid: u32, used: StarUse) -> bool {
        let (own, other, star) = self.holdings_won(bid, used);
        (self.content)(true, own, other, star)
    }

    /// Whether losing to `bid` contents the player; `used` as in [`Turn::holdings_lost`].
    pub fn lost(&self, bid: u32, used: StarUse) -> bool {
        let (own, other, star) = self.holdings_lost(bid, used);
        (self.content)(false, own, other, star)
    }

    /// Whether the player is content if the star is used in a tie at `bid`.
    pub fn star_used(&self, bid: u32) -> bool {
        if self.holds_tie() { self.won(bid, Used) } else { self.lost(bid, Used) }
    }

    /// Whether the player is content if the star is kept in a tie at `bid`.
    pub fn star_kept(&self, bid: u32) -> bool {
        if self.holds_tie() { self.lost(bid, Kept) } else { self.won(bid, Kept) }
    }

    /// The possible results of a tie, of which its [holder](Turn::holds_tie) chooses one: who wins,
    /// and what becomes of the star.
    pub fn ties(&self) -> impl Iterator<Item = (Player, StarUse)> {
        let ties = self.mechanism.ties;
        let star = self.star_holder();
        ties.uses().iter().map(move |&used| (ties.resolve(None, star, used).winner, used.unwrap_or(Kept)))
    }

    /// Whether the player is content with a tie at `bid`; the opponent decides it if they hold the
    /// tie.
    pub fn tie(&self, bid: u32) -> bool {
        let fine = |(winner, used)| if winner == self.player { self.won(bid, used) } else { self.lost(bid, used) };
        if self.holds_tie() { self.ties().any(fine) } else { self.ties().all(fine) }
    }

    /// The listed amounts (ascending) that a player with `chips` may bid.
    fn listed(amounts: &[u32], chips: u32) -> &[u32] {
        &amounts[..amounts.partition_point(|&bid| bid <= chips)]
    }

    /// Whether one of the listed bids is good.
    fn has_listed_bid(&self, amounts: &[u32]) -> bool {
        let (own, others) = (Self::listed(amounts, self.own), Self::listed(amounts, self.other));
        if own.is_empty() {
            // The opponent wins with any bid. If neither can bid, there is no next position.
            return !others.is_empty() && others.iter().all(|&reply| self.lost(reply, Kept));
        }
        // From the highest bid down: losing must be acceptable only to replies above the bid.
        let unanswered = &own[others.len().min(own.len())..];
        if unanswered.iter().any(|&bid| self.won(bid, Kept)) {
            return true;
        }
        if others[own.len().min(others.len())..].iter().any(|&reply| !self.lost(reply, Kept)) {
            return false;
        }
        for i in (0..own.len().min(others.len())).rev() {
            if (i == 0 || self.won(own[i], Kept)) && self.tie(own[i]) {
                return true;
            }
            if !self.lost(own[i], Kept) {
                return false;
            }
        }
        false
    }

    /// Whether there is a good listed answer to each of the opponent's bids.
    fn has_listed_answers(&self, amounts: &[u32]) -> bool {
        let (own, others) = (Self::listed(amounts, self.own), Self::listed(amounts, self.other));
        if others.is_empty() {
            return own.iter().any(|&bid| self.won(bid, Kept));
        }
        let mut higher = own[others.len().min(own.len())..].iter().any(|&bid| self.won(bid, Kept));
        for i in (0..others.len()).rev() {
            let answered = higher
                || (i < own.len() && self.tie(others[i]))
                || ((i > 0 || own.is_empty()) && self.lost(others[i], Kept));
            if !answered {
                return false;
            }
            higher = higher || (i < own.len() && self.won(others[i], Kept));
        }
        true
    }

    /// Whether `bid` (at most the player's chips), sealed or named first, is good against every bid
    /// and every use of the star.
    pub fn is_good(&self, bid: u32) -> bool {
        match &self.mechanism.bids {
            Bids::All => {
                (bid == 0 || self.won(bid, Kept))
                    && (bid >= self.other || self.lost(bid + 1, Kept))
                    && (bid > self.other || self.tie(bid))
            }
            Bids::Only(amounts) => {
                let others = Self::listed(amounts, self.other);
                let lower = others.partition_point(|&reply| reply < bid);
                amounts.contains(&bid)
                    && ((lower == 0 && !others.is_empty()) || self.won(bid, Kept))
                    && (others.get(lower) != Some(&bid) || self.tie(bid))
                    && others[lower..].iter().all(|&reply| reply == bid || self.lost(reply, Kept))
            }
        }
    }

    /// Whether the player has a good bid or, when bidding second, a good answer to each bid.
    pub fn is_content(&self) -> bool {
        let answers = self.mechanism.bidding.answers(self.player);
        match &self.mechanism.bids {
            Bids::Only(amounts) if answers => self.has_listed_answers(amounts),
            Bids::Only(amounts) => self.has_listed_bid(amounts),
            Bids::All if answers => self.breakpoints(self.other + 1).iter().all(|&named| self.has_answer(named)),
            Bids::All => self.breakpoints(self.own + 1).iter().any(|&bid| self.is_good(bid)),
        }
    }

    /// Whether the player has a good answer to a known bid of the opponent.
    pub fn has_answer(&self, named: u32) -> bool {
        match &self.mechanism.bids {
            Bids::All => {
                (named > 0 && self.lost(named, Kept))
                    || (named < self.own && self.won(named + 1, Kept))
                    || (named <= self.own && self.tie(named))
            }
            Bids::Only(amounts) => {
                let own = Self::listed(amounts, self.own);
                let lower = own.partition_point(|&bid| bid < named);
                ((lower > 0 || own.is_empty()) && self.lost(named, Kept))
                    || (own.get(lower) == Some(&named) && self.tie(named))
                    || own[lower..].iter().any(|&bid| bid > named && self.won(bid, Kept))
            }
        }
    }

    /// 0, and the bids below `end` at which the answer to a question about a bid may change.
    fn breakpoints(&self, end: u32) -> Vec<u32> {
        // As the bid grows, winning gets worse and losing better; questions about `bid + 1` change
        // one bid earlier.
        let (own, other) = ((self.own + 1).min(end), (self.other + 1).min(end));
        let mut breakpoints = Vec::with_capacity(14);
        breakpoints.extend([0, 1, own, own.saturating_sub(1), other, other.saturating_sub(1)]);
        for used in [Kept, Used] {
            let win = partition(own, |bid| self.won(bid, used));
            let loss = partition(other, |bid| !self.lost(bid, used));
            breakpoints.extend([win, win.saturating_sub(1), loss, loss.saturating_sub(1)]);
        }
        breakpoints.retain(|&bid| bid < end);
        breakpoints.sort_unstable();
        breakpoints.dedup();
        breakpoints
    }

    /// All good bids, as ranges in ascending order.
    pub fn good_bids(&self) -> Vec<[u32; 2]> {
        self.ranges(self.own, |bid| self.is_good(bid))
    }

    /// The bids with which winning without a tie contents the player, as ascending ranges.
    pub fn bids_to_win_with(&self) -> Vec<[u32; 2]> {
        self.ranges(self.own, |bid| self.won(bid, Kept))
    }

    /// The opponent's first bids to which a lower answer is possible and good.
    pub fn bids_to_lose_to(&self) -> Vec<[u32; 2]> {
        self.ranges(self.other, |named| self.is_answered_lower(named))
    }

    /// The bids at which the player is content with a tie.
    pub fn bids_to_equal(&self) -> Vec<[u32; 2]> {
        self.ranges(self.own.min(self.other), |bid| self.tie(bid))
    }

    /// Whether a lower answer to `named`, the opponent's first bid, is possible and good.
    pub fn is_answered_lower(&self, named: u32) -> bool {
        let possible = self.mechanism.bids.least() < named || self.mechanism.bids.least() > self.own;
        possible && self.lost(named, Kept)
    }

    /// Whether an equal answer to `named` is possible and good.
    pub fn is_answered_equally(&self, named: u32) -> bool {
        named <= self.own && self.tie(named)
    }

    /// Whether the opponent may bid less than `bid`, or cannot bid at all.
    pub fn can_outbid(&self, bid: u32) -> bool {
        let least = self.mechanism.bids.least();
        least < bid || least > self.other
    }

    /// The opponent's bids above `bid`, as ascending ranges.
    pub fn replies_above(&self, bid: u32) -> Vec<[u32; 2]> {
        match &self.mechanism.bids {
            Bids::All => {
                if bid < self.other {
                    vec![[bid + 1, self.other]]
                } else {
                    Vec::new()
                }
            }
            Bids::Only(amounts) => Self::listed(amounts, self.other)
                .iter()
                .filter(|&&reply| reply > bid)
                .map(|&reply| [reply; 2])
                .collect(),
        }
    }

    /// The opponent's bids, in ranges with the same kinds of good answers.
    pub fn replies(&self) -> Vec<[u32; 2]> {
        let same = |_: u32| true;
        let pieces = |test: &dyn Fn(u32) -> bool| -> Vec<u32> {
            self.ranges(self.other, test).iter().flat_map(|[first, last]| [*first, last + 1]).collect()
        };
        let mut breakpoints = pieces(&same);
        breakpoints.extend(pieces(&|named| self.is_answered_lower(named)));
        breakpoints.extend(pieces(&|named| self.is_answered_equally(named)));
        breakpoints.extend(self.bids_to_win_with().iter().flat_map(|[first, last]| [*first, *last, last + 1]));
        breakpoints.sort_unstable();
        breakpoints.dedup();
        let allowed = self.ranges(self.other, same);
        let cut = breakpoints.windows(2).map(|pair| [pair[0], pair[1] - 1]);
        cut.filter(|piece| allowed.iter().any(|range| range[0] <= piece[0] && piece[1] <= range[1])).collect()
    }

    /// The bids up to `most` that satisfy `test`, which may change only at [`Turn::breakpoints`].
    fn ranges(&self, most: u32, test: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
        let end = most + 1;
        let mut starts = match &self.mechanism.bids {
            Bids::All => self.breakpoints(end),
            Bids::Only(amounts) => Self::listed(amounts, most).to_vec(),
        };
        starts.push(end);
        let mut ranges: Vec<[u32; 2]> = Vec::new();
        for pair in starts.windows(2) {
            if !test(pair[0]) {
                continue;
            }
            let last = if self.mechanism.bids == Bids::All { pair[1] - 1 } else { pair[0] };
            match ranges.last_mut() {
                Some(before) if before[1] + 1 == pair[0] => before[1] = last,
                _ => ranges.push([pair[0], last]),
            }
        }
        ranges
    }
}

/// Ascending numbers as inclusive ranges.
pub fn ranges(numbers: impl IntoIterator<Item = u32>) -> Vec<[u32; 2]> {
    let mut ranges: Vec<[u32; 2]> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last[1] + 1 == number => last[1] = number,
            _ => ranges.push([number; 2]),
        }
    }
    ranges
}

/// The least number below `end` at which `before` fails, or `end`.
pub fn partition(end: u32, before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bidding, Payment, Right, Ties};

    /// Conditions that are upward closed in the player's chips and downward closed in the
    /// opponent's, as a line for each state of the star.
    fn contents() -> Vec<[(i64, i64); 2]> {
        let lines: Vec<(i64, i64)> = (-3..=3).flat_map(|most| [(most, 0), (most, 1)]).collect();
        lines.iter().flat_map(|&plain| lines.iter().map(move |&star| [plain, star])).collect()
    }

    fn content(lines: &[(i64, i64); 2], own: u32, other: u32, star: bool) -> bool {
        let (least, weight) = lines[usize::from(star)];
        i64::from(own) - weight * i64::from(other) >= least
    }

    /// The result of two bids by the letter of the rules.
    fn by_definition(turn: &Turn<impl Acceptance>, bid: u32, reply: u32) -> bool {
        let paid = |bid: u32| match turn.mechanism.payment {
            Payment::Richman => bid,
            Payment::Poorman => 0,
            Payment::Taxman { numerator, denominator } => bid * numerator / denominator,
        };
        let ends = |wins: bool, used: StarUse| {
            let star = match turn.mechanism.ties {
                Ties::Advantage | Ties::Marker => turn.star != used.is_used(),
                Ties::Alice | Ties::Bob => turn.star,
                Ties::Loser => !wins,
                Ties::Winner => wins,
            };
            if wins {
                (turn.content)(true, turn.own - bid, turn.other + paid(bid), star)
            } else {
                (turn.content)(false, turn.own + paid(reply), turn.other - reply, star)
            }
        };
        if bid != reply {
            return ends(bid > reply, Kept);
        }
        match turn.mechanism.ties {
            Ties::Advantage if turn.star => ends(true, Used) || ends(false, Kept),
            Ties::Advantage => ends(false, Used) && ends(true, Kept),
            Ties::Marker => ends(turn.star, Used),
            Ties::Alice => ends(turn.player == Player::Alice, Kept),
            Ties::Bob => ends(turn.player == Player::Bob, Kept),
            Ties::Loser | Ties::Winner => ends(turn.star, Kept),
        }
    }

    #[test]
    fn every_mechanism_is_the_definition() {
        let contents = contents();
        let payments = [Payment::Richman, Payment::Poorman, Payment::Taxman { numerator: 1, denominator: 2 }];
        let mut number = 0u64;
        for payment in payments {
            for ties in Ties::ALL {
                for bidding in [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst] {
                    for bids in [Bids::All, Bids::Only(vec![0, 2]), Bids::Only(vec![1, 3])] {
                        let right = Right::Chooses;
                        let mechanism = Mechanism { payment: payment.clone(), ties, bidding, right, bids };
                        for _ in 0..400 {
                            number += 1;
                            let [win, loss] = [number * 7919, number * 104_729]
                                .map(|i| &contents[(i % contents.len() as u64) as usize]);
                            let (own, other) = ((number % 5) as u32, (number / 5 % 4) as u32);
                            let (star, alice) = (number.is_multiple_of(2), number.is_multiple_of(3));
                            check(
                                &mechanism,
                                if alice { Player::Alice } else { Player::Bob },
                                own,
                                other,
                                star,
                                win,
                                loss,
                            );
                        }
                    }
                }
            }
        }
    }

    fn check(
        mechanism: &Mechanism,
        player: Player,
        own: u32,
        other: u32,
        star: bool,
        win: &[(i64, i64); 2],
        loss: &[(i64, i64); 2],
    ) {
        let turn = Turn {
            mechanism,
            player,
            own,
            other,
            star,
            content: |won, own, other, star| content(if won { win } else { loss }, own, other, star),
        };
        let allowed = |chips: u32| -> Vec<u32> {
            match &mechanism.bids {
                Bids::All => (0..=chips).collect(),
                Bids::Only(amounts) => amounts.iter().copied().filter(|&bid| bid <= chips).collect(),
            }
        };
        let (mine, theirs) = (allowed(own), allowed(other));
        if mine.is_empty() && theirs.is_empty() {
            return; // such games are refused
        }
        let options = |bids: &[u32]| -> Vec<Option<u32>> {
            if bids.is_empty() { vec![None] } else { bids.iter().copied().map(Some).collect() }
        };
        let (all_mine, all_theirs) = (options(&mine), options(&theirs));
        // A player without a bid loses to any bid.
        let resolved = |bid: Option<u32>, reply: Option<u32>| match (bid, reply) {
            (Some(bid), Some(reply)) => by_definition(&turn, bid, reply),
            (Some(bid), None) => (turn.content)(true, own - bid, other + turn.paid(bid), turn.star_after(player, Kept)),
            (None, Some(reply)) => {
                (turn.content)(false, own + turn.paid(reply), other - reply, turn.star_after(player.other(), Kept))
            }
            (None, None) => false,
        };
        let context = format!("{mechanism}, {player} {own} against {other}, star {star}, {win:?} {loss:?}");
        let ranges = turn.good_bids();
        for bid in 0..=own {
            let good = mine.contains(&bid) && all_theirs.iter().all(|&reply| resolved(Some(bid), reply));
            assert_eq!(ranges.iter().any(|range| range[0] <= bid && bid <= range[1]), good, "bid {bid}, {context}");
        }
        assert!(ranges.windows(2).all(|pair| pair[0][1] + 1 < pair[1][0]));
        let answers = matches!(
            (mechanism.bidding, player),
            (Bidding::AliceFirst, Player::Bob) | (Bidding::BobFirst, Player::Alice)
        );
        let expected = if answers {
            all_theirs.iter().all(|&reply| all_mine.iter().any(|&bid| resolved(bid, reply)))
        } else {
            all_mine.iter().any(|&bid| all_theirs.iter().all(|&reply| resolved(bid, reply)))
        };
        assert_eq!(turn.is_content(), expected, "{context}");
    }
}
