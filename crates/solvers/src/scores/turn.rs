//! One turn: the values of a position before the bid, from its values after it, for all holdings.

use richman_core::{Bids, ByPlayer, Mechanism, Node, Player, Right, ScoringArena, Ties, Total};

/// The values of a position once a bid is won and paid.
#[derive(Clone)]
pub(super) struct ScoreTurn {
    total: u32,
    ties: Ties,
    right: Right,
    /// Whether every whole number of chips may be bid. Values then rise with chips
    /// (`docs/design.md`, theorem 16 (budget monotonicity)).
    all: bool,
    /// The allowed amounts of at most the total.
    amounts: Vec<u32>,
    /// The final score, if the game has ended here.
    score: Option<i64>,
    /// The value once Alice (or Bob) has won the bid, by the star's holder and Alice's chips then.
    won: ByPlayer<ByPlayer<Vec<i64>>>,
}

impl ScoreTurn {
    pub(super) fn new(mechanism: &Mechanism, total: Total) -> ScoreTurn {
        let total = total.chips();
        let (all, amounts) = (mechanism.bids == Bids::All, mechanism.bids.up_to(total));
        let won = ByPlayer::both(ByPlayer::both(vec![0; total as usize + 1]));
        ScoreTurn { total, ties: mechanism.ties, right: mechanism.right, all, amounts, score: None, won }
    }

    /// Reads the values after the best moves from `node`.
    pub(super) fn read(&mut self, arena: &ScoringArena, node: Node, values: &[i64]) {
        self.score = arena.terminal(node);
        if self.score.is_some() {
            return;
        }
        let row = self.total as usize + 1;
        for player in Player::BOTH {
            for star in Player::BOTH {
                let best = &mut self.won[player][star];
                let mut moves = arena.labelled(node, player);
                let after = |to: Node| &values[(2 * to as usize + star as usize) * row..][..row];
                let Some((to, weight)) = moves.next() else {
                    best.fill(arena.stuck(node, player));
                    continue;
                };
                best.iter_mut().zip(after(to)).for_each(|(best, value)| *best = value + weight);
                for (to, weight) in moves {
                    let better = best.iter_mut().zip(after(to).iter().map(|value| value + weight));
                    match player {
                        Player::Alice => better.for_each(|(best, value)| *best = value.max(*best)),
                        Player::Bob => better.for_each(|(best, value)| *best = value.min(*best)),
                    }
                }
            }
        }
        if self.right.may_let() {
            let ByPlayer { alice, bob } = &mut self.won;
            for star in Player::BOTH {
                for (alice, bob) in alice[star].iter_mut().zip(&mut bob[star]) {
                    (*alice, *bob) = ((*alice).max(*bob), (*alice).min(*bob));
                }
            }
        }
        debug_assert!(
            !self.all || self.won.iter().flat_map(ByPlayer::iter).all(|row| row.is_sorted()),
            "values rise with chips"
        );
    }

    /// The amounts that a player with `chips` may bid, ascending.
    pub(super) fn bids(&self, chips: u32) -> &[u32] {
        &self.amounts[..self.amounts.partition_point(|&bid| bid <= chips)]
    }

    /// The value after two bids, when Alice has `alice` chips; `None` is no allowed bid.
    pub(super) fn resolved(&self, alice: u32, star: Player, bid: Option<u32>, reply: Option<u32>) -> i64 {
        if let Some(score) = self.score {
            return score;
        }
        let choice = self.choice(alice, star);
        match (bid, reply) {
            (Some(bid), Some(reply)) if bid == reply => choice.tie(bid),
            (Some(bid), reply) if reply.is_none_or(|reply| reply < bid) => choice.win(bid),
            (_, reply) => choice.lose(reply.unwrap_or(0)),
        }
    }

    /// The maximin values by Alice's chips: first while Alice holds the star, then while Bob does.
    pub(super) fn maximin(&self, into: &mut [i64]) {
        if let Some(score) = self.score {
            into.fill(score);
            return;
        }
        let states = Player::BOTH.into_iter().flat_map(|star| (0..=self.total).map(move |alice| (star, alice)));
        for (value, (star, alice)) in into.iter_mut().zip(states) {
            let choice = self.choice(alice, star);
            #[cfg(feature = "faults")]
            if let Some(wrong) = crate::fault::greater(choice.win(0), choice.lose(0)) {
                *value = wrong;
                continue;
            }
            *value = if self.all { choice.best_of_rising() } else { choice.best() };
        }
    }

    /// The minimax values in the same order: the negated maximin values of the game with the
    /// players exchanged.
    pub(super) fn minimax(&self, into: &mut [i64]) {
        if let Some(score) = self.score {
            into.fill(score);
            return;
        }
        let mirror = |row: &Vec<i64>| row.iter().rev().map(|value| -value).collect::<Vec<i64>>();
        let won = self.won.as_ref().swapped().map(|rows| rows.as_ref().swapped().map(mirror));
        let mirrored = ScoreTurn { won, amounts: self.amounts.clone(), ..*self };
        mirrored.maximin(into);
        into.reverse();
        into.iter_mut().for_each(|value| *value = -*value);
    }

    fn choice(&self, alice: u32, star: Player) -> Choice<'_> {
        let ByPlayer { alice: won, bob: lost } = &self.won;
        // After a tie, its loser holds the star: it was handed over or kept.
        let tie = match (self.ties.holder_decides(), self.ties.holder(star)) {
            (true, Player::Alice) => Tie::Better,
            (true, Player::Bob) => Tie::Worse,
            (false, Player::Alice) => Tie::Won,
            (false, Player::Bob) => Tie::Lost,
        };
        Choice {
            chips: alice,
            own: self.bids(alice),
            other: self.bids(self.total - alice),
            won: &won[star],
            lost: &lost[star],
            tie_won: &won.bob,
            tie_lost: &lost.alice,
            tie,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    Won,
    Lost,
    /// The player decides.
    Better,
    /// The other player decides.
    Worse,
}

/// The options of a player who names a bid, as rows of values by that player's chips.
struct Choice<'a> {
    chips: u32,
    own: &'a [u32],
    other: &'a [u32],
    won: &'a [i64],
    lost: &'a [i64],
    tie_won: &'a [i64],
    tie_lost: &'a [i64],
    tie: Tie,
}

impl Choice<'_> {
    fn win(&self, bid: u32) -> i64 {
        self.won[self.paid(self.chips - bid)]
    }

    fn lose(&self, bid: u32) -> i64 {
        self.lost[self.paid(self.chips + bid)]
    }

    fn paid(&self, after: u32) -> usize {
        #[cfg(feature = "faults")]
        let after = crate::fault::paid(self.chips, after, self.won.len() as u32 - 1);
        after as usize
    }

    fn win_tie(&self, bid: u32) -> i64 {
        self.tie_won[self.paid(self.chips - bid)]
    }

    fn lose_tie(&self, bid: u32) -> i64 {
        self.tie_lost[self.paid(self.chips + bid)]
    }

    fn tie(&self, bid: u32) -> i64 {
        match self.tie {
            Tie::Won => self.win_tie(bid),
            Tie::Lost => self.lose_tie(bid),
            Tie::Better => self.win_tie(bid).max(self.lose_tie(bid)),
            Tie::Worse => self.win_tie(bid).min(self.lose_tie(bid)),
        }
    }

    /// The most that the player can guarantee.
    fn best(&self) -> i64 {
        maximin(self.own, self.other, |bid| self.win(bid), |bid| self.tie(bid), |bid| self.lose(bid))
    }

    /// The same, if every amount may be bid and all rows rise.
    ///
    /// As the bid grows, winning gets worse and losing better; the worst loss is to the next higher
    /// bid. So a bid is worth the lesser of a falling and a rising function, and the best bid is at
    /// their crossing; if the player decides ties, at the better of two crossings.
    fn best_of_rising(&self) -> i64 {
        let (own, other) = (self.chips, self.other.len() as u32 - 1);
        let worth = |bid: u32| {
            let win = if bid > 0 { self.win(bid) } else { i64::MAX };
            let tie = if bid <= other { self.tie(bid) } else { i64::MAX };
            let lose = if bid < other { self.lose(bid + 1) } else { i64::MAX };
            win.min(tie).min(lose)
        };
        let mut best = worth(0);
        for bid in [other, other + 1] {
            if bid <= own {
                best = best.max(worth(bid));
            }
        }
        let end = (own + 1).min(other);
        let mut try_crossing = |crossed: &dyn Fn(u32) -> bool| {
            let below = richman_core::partition(end.saturating_sub(1), |below| !crossed(below + 1));
            for bid in [below + 1, below] {
                if bid < end {
                    best = best.max(worth(bid));
                }
            }
        };
        let won = |bid| self.win(bid).min(self.win_tie(bid)) <= self.lose(bid + 1);
        let lost = |bid| self.win(bid) <= self.lose(bid + 1).min(self.lose_tie(bid));
        match self.tie {
            Tie::Won => try_crossing(&won),
            Tie::Lost => try_crossing(&lost),
            Tie::Worse => {
                try_crossing(&|bid| self.win(bid).min(self.win_tie(bid)) <= self.lose(bid + 1).min(self.lose_tie(bid)))
            }
            Tie::Better => {
                try_crossing(&won);
                try_crossing(&lost);
            }
        }
        best
    }
}

/// The most that a player can guarantee with one of `own` bids against every `other` bid, both
/// ascending, given the values of winning with a bid, tying at one, and losing to one. One pass
/// over both lists from the high end.
pub fn maximin(
    own: &[u32],
    other: &[u32],
    win: impl Fn(u32) -> i64,
    tie: impl Fn(u32) -> i64,
    lose: impl Fn(u32) -> i64,
) -> i64 {
    if own.is_empty() {
        return other.iter().map(|&bid| lose(bid)).min().unwrap_or(0);
    }
    let mut best = i64::MIN;
    let mut higher = other.len(); // the other's bids from here on are above the player's
    let mut worst_loss = i64::MAX;
    for &bid in own.iter().rev() {
        while higher > 0 && other[higher - 1] > bid {
            higher -= 1;
            worst_loss = worst_loss.min(lose(other[higher]));
        }
        let mut worst = worst_loss;
        let ties = higher > 0 && other[higher - 1] == bid;
        if ties {
            worst = worst.min(tie(bid));
        }
        if other.is_empty() || higher > usize::from(ties) {
            worst = worst.min(win(bid));
        }
        best = best.max(worst);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use richman_core::Preset;

    /// On random rising rows the crossing is the best of all bids.
    #[test]
    fn crossings_are_the_best_of_all_bids() {
        let mut rng = fastrand::Rng::with_seed(7);
        for round in 0..3_000 {
            let total = Total::new(rng.u32(..12)).unwrap();
            let mut mechanism = Preset::Larsson.mechanism();
            if round % 2 == 0 {
                mechanism.ties = Ties::Advantage;
            }
            let mut turn = ScoreTurn::new(&mechanism, total);
            for row in turn.won.iter_mut().flat_map(ByPlayer::iter_mut) {
                row.fill_with(|| rng.i64(-4..=4));
                row.sort_unstable();
            }
            for star in Player::BOTH {
                for alice in 0..=total.chips() {
                    let choice = turn.choice(alice, star);
                    assert_eq!(choice.best_of_rising(), choice.best(), "{:?} {star} {alice}", turn.won);
                }
            }
        }
    }
}
