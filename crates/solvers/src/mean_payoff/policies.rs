//! Strategy improvement for long-run averages with chips, where the maximizing player names the bid
//! first.

use richman_core::{
    Bids, Configurations, Effort, Error, MeanPayoffArena, Mechanism, Node, PacedWatch, Player, Right, StarUse, Total,
    Turn,
};

/// A long-run average in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Average {
    pub numerator: i64,
    /// At least 1.
    pub denominator: i64,
}

impl Average {
    fn of(sum: i64, count: i64) -> Average {
        let (mut a, mut b) = (sum.unsigned_abs(), count.unsigned_abs());
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let common = a.max(1) as i64;
        Average { numerator: sum / common, denominator: count / common }
    }

    fn cmp(self, other: Average) -> std::cmp::Ordering {
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator))
    }
}

/// The value of a configuration: the rank of its average, then the potential over the denominator
/// of the average.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth {
    pub rank: u32,
    pub potential: i128,
}

/// A move, and its value.
#[derive(Debug, Clone, Copy)]
struct Via {
    worth: Worth,
    to: u32,
    weight: i64,
}

/// A strategy of the first player, Alice, and a reply of Bob to it from every configuration.
pub struct Improvement<'a> {
    arena: &'a MeanPayoffArena,
    mechanism: &'a Mechanism,
    total: u32,
    configurations: Configurations,
    effort: &'a Effort<'a>,
    pace: PacedWatch<'a>,
    /// Alice's bid.
    bids: Vec<u32>,
    /// Whether she wins a tie that she decides.
    wins_tie: Vec<bool>,
    /// The index of her move, with these holdings after the payment.
    moves: Vec<u32>,
    /// Whether she lets Bob move after winning a bid, with these holdings after the payment.
    lets: Vec<bool>,
    /// The configuration that follows, and the weight of the move to it.
    next: Vec<u32>,
    weights: Vec<i64>,
    pub averages: Vec<Average>,
    pub worth: Vec<Worth>,
}

/// One position's configurations after the payment.
struct PaidWorth {
    /// If Alice moves.
    own: Vec<Via>,
    /// If Bob does.
    other: Vec<Via>,
    /// If Alice has won the bid.
    won: Vec<Via>,
    /// If she has lost it.
    lost: Vec<Via>,
    /// The worst of `lost` with as many chips or more.
    lost_from: Vec<Via>,
}

fn worse(one: Via, other: Via) -> Via {
    if other.worth < one.worth { other } else { one }
}

impl<'a> Improvement<'a> {
    /// Bytes for each configuration, those of evaluation included.
    pub const BYTES: u64 = 2 * size_of::<Worth>() as u64 + 56;

    /// Begins with a strategy that bids 0. The arena has at most 2^32 configurations.
    pub fn new(arena: &'a MeanPayoffArena, mechanism: &'a Mechanism, total: Total, effort: &'a Effort<'a>) -> Self {
        let configurations = Configurations::new(mechanism, total);
        let count = arena.len() * configurations.per_position();
        Improvement {
            arena,
            mechanism,
            total: total.chips(),
            configurations,
            effort,
            pace: PacedWatch::new(effort.watch),
            bids: vec![0; count],
            wins_tie: vec![true; count],
            moves: vec![0; count],
            lets: vec![false; count],
            next: vec![0; count],
            weights: vec![0; count],
            averages: vec![Average { numerator: 0, denominator: 1 }],
            worth: vec![Worth { rank: 0, potential: 0 }; count],
        }
    }

    /// Improves the strategy until neither player can.
    ///
    /// # Errors
    /// [`Error::OutOfTime`]; [`Error::Cancelled`].
    pub fn run(&mut self) -> Result<(), Error> {
        let mut round = 0;
        loop {
            let mut changed = false;
            for node in self.arena.nodes() {
                changed |= self.improve(node)?;
            }
            if !changed && round > 0 {
                return Ok(());
            }
            loop {
                self.evaluate()?;
                let mut replied = false;
                for node in self.arena.nodes() {
                    replied |= self.reply(node)?;
                }
                if !replied {
                    break;
                }
            }
            round += 1;
            self.effort.watch.progress("strategies", round, None);
        }
    }

    fn via(&self, at: usize, weight: i64) -> Via {
        let Worth { rank, potential } = self.worth[at];
        let Average { numerator, denominator } = self.averages[rank as usize];
        let gain = i128::from(weight) * i128::from(denominator) - i128::from(numerator);
        Via { worth: Worth { rank, potential: potential + gain }, to: at as u32, weight }
    }

    /// The worth after the payment, at each of a position's configurations in order.
    fn after(&self, node: Node) -> PaidWorth {
        let first = self.configurations.index(node, 0, false);
        let count = self.configurations.per_position();
        let via = |(to, weight): (Node, i64), offset: usize| {
            self.via(self.configurations.index(to, 0, false) + offset, weight)
        };
        let worst = |offset: usize| self.arena.labelled(node, Player::Bob).map(|one| via(one, offset)).reduce(worse);
        let chosen = |offset: usize| {
            let number = self.moves[first + offset] as usize;
            self.arena.labelled(node, Player::Alice).nth(number).map(|one| via(one, offset))
        };
        let own: Vec<Via> = (0..count).filter_map(chosen).collect();
        let other: Vec<Via> = (0..count).filter_map(worst).collect();
        PaidWorth { own, other, won: Vec::new(), lost: Vec::new(), lost_from: Vec::new() }
    }

    /// Fills in the values of having won or lost a bid.
    fn decide(&self, node: Node, after: &mut PaidWorth) {
        let first = self.configurations.index(node, 0, false);
        let both = || after.own.iter().zip(&after.other).enumerate();
        let won = |(offset, (&own, &other)): (usize, (&Via, &Via))| if self.lets[first + offset] { other } else { own };
        let lost = |(_, (&own, &other))| if self.mechanism.right == Right::Moves { other } else { worse(other, own) };
        after.won = both().map(won).collect();
        after.lost = both().map(lost).collect();
        after.lost_from = after.lost.clone();
        for run in after.lost_from.chunks_mut(self.total as usize + 1) {
            for offset in (1..run.len()).rev() {
                run[offset - 1] = worse(run[offset - 1], run[offset]);
            }
        }
    }

    /// The worst result of a bid of Alice with `chips`, and whether she would rather win a tie, if
    /// she decides ties; `tie` is her decision, `None` for the better one.
    fn outcome(&self, after: &PaidWorth, chips: u32, star: bool, bid: u32, tie: Option<bool>) -> (Option<Via>, bool) {
        let offset = |chips: u32, star: bool| self.configurations.index(0, chips, star);
        let other = self.total - chips;
        let turn = Turn {
            mechanism: self.mechanism,
            player: Player::Alice,
            own: chips,
            other,
            star,
            content: |_, _, _, _| true,
        };
        let won = |bid: u32, used: StarUse| {
            let (chips, _, star) = turn.holdings_won(bid, used);
            after.won[offset(chips, star)]
        };
        let lost = |bid: u32, used: StarUse| {
            let (chips, _, star) = turn.holdings_lost(bid, used);
            after.lost[offset(chips, star)]
        };
        let mut all = turn.can_outbid(bid).then(|| won(bid, StarUse::Kept));
        let mut add = |one: Via| all = Some(all.map_or(one, |all| worse(all, one)));
        match &self.mechanism.bids {
            Bids::All if bid < other => {
                let (chips, _, star) = turn.holdings_lost(bid + 1, StarUse::Kept);
                add(after.lost_from[offset(chips, star)]);
            }
            Bids::All => {}
            Bids::Only(amounts) => amounts
                .iter()
                .filter(|&&reply| bid < reply && reply <= other)
                .for_each(|&reply| add(lost(reply, StarUse::Kept))),
        }
        let mut wins_tie = tie.unwrap_or(true);
        if bid <= other {
            let ends = turn.ties().map(|(winner, used)| {
                let is_won = winner == Player::Alice;
                (if is_won { won(bid, used) } else { lost(bid, used) }, is_won)
            });
            if !turn.holds_tie() {
                ends.for_each(|(end, _)| add(end));
            } else {
                let is_open = turn.ties().count() > 1;
                let kept = ends.filter(|(_, is_won)| !is_open || tie.is_none_or(|wins| wins == *is_won));
                if let Some((end, wins)) = kept.reduce(|a, b| if b.0.worth > a.0.worth { b } else { a }) {
                    add(end);
                    wins_tie = wins;
                }
            }
        }
        (all, wins_tie)
    }

    fn amounts(&self, chips: u32) -> Vec<u32> {
        self.mechanism.bids.up_to(chips)
    }

    /// Improves Alice's choices at a position where possible, and makes Bob's replies the worst for
    /// her.
    fn improve(&mut self, node: Node) -> Result<bool, Error> {
        self.check(node)?;
        let first = self.configurations.index(node, 0, false);
        let mut after = self.after(node);
        let mut changed = false;
        for offset in 0..after.own.len() {
            let now = after.own[offset];
            let all = self.arena.labelled(node, Player::Alice).enumerate();
            let all = all.map(|(number, (to, weight))| {
                (number, self.via(self.configurations.index(to, 0, false) + offset, weight))
            });
            let (number, best) = all.fold((self.moves[first + offset] as usize, now), |best, one| {
                if one.1.worth > best.1.worth { one } else { best }
            });
            if best.worth > now.worth {
                self.moves[first + offset] = number as u32;
                after.own[offset] = best;
                changed = true;
            }
        }
        if self.arena.owner(node).is_none() && self.mechanism.right == Right::Chooses {
            for offset in 0..after.own.len() {
                let (own, other) = (after.own[offset].worth, after.other[offset].worth);
                let lets = &mut self.lets[first + offset];
                if (*lets && own > other) || (!*lets && other > own) {
                    *lets = !*lets;
                    changed = true;
                }
            }
        }
        if self.arena.owner(node).is_none() {
            self.decide(node, &mut after);
            for (chips, star) in self.holdings() {
                self.pace.steps(chips as usize)?;
                if chips.is_multiple_of(1 << 10) {
                    self.effort.check_time("solving the mean-payoff game")?;
                }
                let at = self.configurations.index(node, chips, star);
                let now = self.outcome(&after, chips, star, self.bids[at], Some(self.wins_tie[at])).0;
                let mut best = (now.map(|via| via.worth), self.bids[at], self.wins_tie[at]);
                for bid in self.amounts(chips) {
                    let (via, wins_tie) = self.outcome(&after, chips, star, bid, None);
                    if via.map(|via| via.worth) > best.0 {
                        best = (via.map(|via| via.worth), bid, wins_tie);
                        changed = true;
                    }
                }
                (_, self.bids[at], self.wins_tie[at]) = best;
            }
        }
        self.replies(node, &after, |_, _| true);
        Ok(changed)
    }

    /// Improves Bob's replies at a position where possible.
    fn reply(&mut self, node: Node) -> Result<bool, Error> {
        self.check(node)?;
        let mut after = self.after(node);
        if self.arena.owner(node).is_none() {
            self.decide(node, &mut after);
        }
        Ok(self.replies(node, &after, |old, new| new < old))
    }

    fn replies(&mut self, node: Node, after: &PaidWorth, is_taken: impl Fn(Worth, Worth) -> bool) -> bool {
        let mut changed = false;
        for (chips, star) in self.holdings() {
            let (at, offset) =
                (self.configurations.index(node, chips, star), self.configurations.index(0, chips, star));
            let worst = match self.arena.owner(node) {
                Some(owner) => Some(owner.either(&after.own, &after.other)[offset]),
                None => self.outcome(after, chips, star, self.bids[at], Some(self.wins_tie[at])).0,
            };
            if let Some(worst) = worst.filter(|worst| is_taken(self.worth[at], worst.worth)) {
                (self.next[at], self.weights[at]) = (worst.to, worst.weight);
                changed = true;
            }
        }
        changed
    }

    fn holdings(&self) -> impl Iterator<Item = (u32, bool)> + use<> {
        let total = self.total;
        self.configurations.stars().iter().flat_map(move |&star| (0..=total).map(move |chips| (chips, star)))
    }

    fn check(&self, node: Node) -> Result<(), Error> {
        self.pace.steps(self.configurations.per_position())?;
        if node.is_multiple_of(1 << 8) { self.effort.check_time("solving the mean-payoff game") } else { Ok(()) }
    }

    /// Evaluates both strategies. A cycle with an unchanged average keeps the potential of one of
    /// its configurations, so potentials only rise with Alice's improvements and only fall with
    /// Bob's.
    fn evaluate(&mut self) -> Result<(), Error> {
        const NEW: u32 = u32::MAX;
        let count = self.next.len();
        // For each configuration the number of its cycle.
        let mut cycles = vec![NEW; count];
        let mut averages: Vec<Average> = Vec::new();
        let mut order: Vec<u32> = Vec::with_capacity(count);
        let mut seen = vec![NEW; count];
        let mut anchors: Vec<u32> = Vec::new();
        for start in 0..count {
            self.pace.step()?;
            let from = order.len();
            let mut at = start;
            while cycles[at] == NEW && seen[at] == NEW {
                seen[at] = start as u32;
                order.push(at as u32);
                at = self.next[at] as usize;
            }
            if cycles[at] == NEW {
                let (mut sum, mut length, mut on) = (0, 0, at);
                loop {
                    sum += self.weights[on];
                    length += 1;
                    on = self.next[on] as usize;
                    if on == at {
                        break;
                    }
                }
                cycles[at] = averages.len() as u32;
                averages.push(Average::of(sum, length));
                anchors.push(at as u32);
            }
            let cycle = cycles[at];
            order[from..].iter().for_each(|&at| cycles[at as usize] = cycle);
            // Later ones lead to earlier ones.
            order[from..].reverse();
        }
        let mut by_size: Vec<u32> = (0..averages.len() as u32).collect();
        by_size.sort_unstable_by(|&a, &b| averages[a as usize].cmp(averages[b as usize]));
        let mut distinct: Vec<Average> = Vec::new();
        let mut ranks = vec![0; averages.len()];
        for cycle in by_size {
            if distinct.last() != Some(&averages[cycle as usize]) {
                distinct.push(averages[cycle as usize]);
            }
            ranks[cycle as usize] = distinct.len() as u32 - 1;
        }
        let mut worth = vec![Worth { rank: NEW, potential: 0 }; count];
        for (&at, &rank) in anchors.iter().zip(&ranks) {
            let old = self.worth[at as usize];
            let keeps = self.averages[old.rank as usize] == distinct[rank as usize];
            worth[at as usize] = Worth { rank, potential: if keeps { old.potential } else { 0 } };
        }
        self.averages = distinct;
        self.worth = worth;
        // From each anchor backwards round its cycle, then to all its predecessors.
        for &anchor in &anchors {
            let mut round = Vec::new();
            let mut at = self.next[anchor as usize];
            while at != anchor {
                round.push(at);
                at = self.next[at as usize];
            }
            for &at in round.iter().rev() {
                self.settle(at);
            }
        }
        for at in order {
            if self.worth[at as usize].rank == NEW {
                self.settle(at);
            }
        }
        Ok(())
    }

    fn settle(&mut self, at: u32) {
        let at = at as usize;
        self.worth[at] = self.via(self.next[at] as usize, self.weights[at]).worth;
    }
}
