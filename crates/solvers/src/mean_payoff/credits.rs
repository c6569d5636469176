//! Least credits by lifting: from 0 upwards until one turn of the definition needs no more.

use std::collections::VecDeque;

use richman_core::{
    Configurations, Effort, Error, Groups, MeanPayoffArena, Mechanism, Node, PacedWatch, Player, Right, Ties, Total,
    Turn,
};

/// More than every credit: no credit suffices.
pub const NEVER: i64 = i64::MAX;

/// The least credits with which Alice never goes below 0.
pub struct CreditSearch<'a> {
    pub arena: &'a MeanPayoffArena,
    pub mechanism: &'a Mechanism,
    pub total: Total,
    /// For each configuration; [`NEVER`] before the search where no credit suffices.
    pub credits: Vec<i64>,
    /// When the credit last rose.
    pub stages: Vec<u64>,
}

/// The credits needed after the payment, for each of a position's configurations.
struct PaidNeeds {
    won: Vec<i64>,
    lost: Vec<i64>,
}

impl CreditSearch<'_> {
    /// Bytes for each configuration.
    pub const BYTES: u64 = (size_of::<i64>() + size_of::<u64>()) as u64;

    /// Bytes in addition to the configurations.
    pub fn bytes(arena: &MeanPayoffArena) -> u64 {
        (arena.len() * (3 * size_of::<Node>() + 1) + arena.edges() * size_of::<Node>()) as u64
    }

    fn configurations(&self) -> Configurations {
        Configurations::new(self.mechanism, self.total)
    }

    /// Lifts credits until all suffice.
    ///
    /// # Errors
    /// [`Error::OutOfTime`]; [`Error::Cancelled`].
    pub fn run(&mut self, effort: &Effort) -> Result<(), Error> {
        const STAGES_BETWEEN: u64 = 1 << 8;
        let arena = self.arena;
        let moves = || arena.nodes().flat_map(|from| arena.successors(from).iter().map(move |&to| (to as usize, from)));
        let before = Groups::of(arena.len(), 0, moves);
        let pace = PacedWatch::new(effort.watch);
        let mut open: VecDeque<Node> = arena.nodes().collect();
        let mut is_open = vec![true; arena.len()];
        let mut stage = 0;
        while let Some(node) = open.pop_front() {
            pace.steps(self.configurations().per_position())?;
            if stage % STAGES_BETWEEN == 0 {
                effort.check_time("finding credits")?;
            }
            is_open[node as usize] = false;
            stage += 1;
            if self.raise(node, stage) {
                for &from in before.get(node as usize) {
                    if !std::mem::replace(&mut is_open[from as usize], true) {
                        open.push_back(from);
                    }
                }
            }
        }
        Ok(())
    }

    /// Raises all credits of a position at once, so that more chips never need more credit.
    fn raise(&mut self, node: Node, stage: u64) -> bool {
        let configurations = self.configurations();
        let start = configurations.index(node, 0, false);
        let count = configurations.per_position();
        let mut raised = self.credits[start..start + count].to_vec();
        let is_done = |offset: usize| self.credits[start + offset] == NEVER;
        let mut update = |offset: usize, needed: i64| {
            if !is_done(offset) {
                raised[offset] = raised[offset].max(needed);
            }
        };
        match self.arena.owner(node) {
            Some(owner) => {
                self.needs(node, owner).into_iter().enumerate().for_each(|(offset, need)| update(offset, need))
            }
            None if self.mechanism.is_develin_payne() => {
                let after = self.after(node);
                let total = self.total.chips();
                for half_steps in 0..=2 * total + 1 {
                    let offset = configurations.index(0, half_steps / 2, half_steps % 2 == 1);
                    update(offset, after.by_price(half_steps, total));
                }
            }
            None => {
                let after = self.after(node);
                for &star in configurations.stars() {
                    for chips in 0..=self.total.chips() {
                        let offset = configurations.index(0, chips, star);
                        if !is_done(offset) {
                            update(offset, self.by_bids(&after, chips, star, self.credits[start + offset]));
                        }
                    }
                }
            }
        }
        let mut changed = false;
        for (at, new) in (start..).zip(raised) {
            if self.credits[at] != new {
                (self.credits[at], self.stages[at]) = (new, stage);
                changed = true;
            }
        }
        changed
    }

    /// The credits needed before a player's move, at each of a position's configurations.
    fn needs(&self, node: Node, player: Player) -> Vec<i64> {
        let configurations = self.configurations();
        let mut needs = vec![player.either(NEVER, 0); configurations.per_position()];
        for (to, weight) in self.arena.labelled(node, player) {
            let start = configurations.index(to, 0, false);
            for (at, needed) in (start..).zip(&mut needs) {
                let need = match self.credits[at] {
                    NEVER => NEVER,
                    credit => credit.saturating_sub(weight).max(0),
                };
                *needed = if player == Player::Alice { need.min(*needed) } else { need.max(*needed) };
            }
        }
        needs
    }

    fn after(&self, node: Node) -> PaidNeeds {
        let (own, other) = (self.needs(node, Player::Alice), self.needs(node, Player::Bob));
        if self.mechanism.right == Right::Moves {
            return PaidNeeds { won: own, lost: other };
        }
        let both = || own.iter().zip(&other);
        PaidNeeds { won: both().map(|(a, b)| *a.min(b)).collect(), lost: both().map(|(a, b)| *a.max(b)).collect() }
    }

    /// The credit needed before a bid by the definition of a turn, if it is at least `low`.
    fn by_bids(&self, after: &PaidNeeds, chips: u32, star: bool, low: i64) -> i64 {
        let configurations = self.configurations();
        let suffices = |credit: i64| {
            let content = |won: bool, chips: u32, _: u32, star: bool| {
                let needs = if won { &after.won } else { &after.lost };
                needs[configurations.index(0, chips, star)] <= credit
            };
            let other = self.total.chips() - chips;
            Turn { mechanism: self.mechanism, player: Player::Alice, own: chips, other, star, content }.is_content()
        };
        if suffices(low) {
            return low;
        }
        if !suffices(NEVER - 1) {
            return NEVER;
        }
        let mut steps = after.won.iter().chain(&after.lost).copied().filter(|&need| need > low).collect::<Vec<i64>>();
        steps.sort_unstable();
        steps[steps.partition_point(|&need| !suffices(need)).min(steps.len() - 1)]
    }

    /// With more chips Bob can do everything that he could with fewer: his stages are no greater.
    pub fn order_stages(&mut self) {
        let run = self.total.chips() as usize + 1;
        let (credits, stages) = (&self.credits, &mut self.stages);
        if self.mechanism.ties == Ties::Advantage {
            for plain in (0..credits.len()).filter(|at| (at / run).is_multiple_of(2)) {
                if credits[plain] == credits[plain + run] {
                    stages[plain] = stages[plain].min(stages[plain + run]);
                }
            }
        }
        for start in (0..credits.len()).step_by(run) {
            for at in (start..start + run - 1).rev() {
                if credits[at] == credits[at + 1] {
                    stages[at] = stages[at].min(stages[at + 1]);
                }
            }
        }
    }
}

impl PaidNeeds {
    /// The credit needed with a holding under the rules of theorem 1 (one turn, the winner
    /// chooses): the price e of an intention has the parity of the holding H, from -1 for a bid of
    /// 0 that keeps the star; Alice has H - e after winning, at least H + e + 1 after losing.
    fn by_price(&self, half_steps: u32, total: u32) -> i64 {
        let of = |needs: &[i64], half_steps: u32| needs[((half_steps % 2) * (total + 1) + half_steps / 2) as usize];
        // The price is 2 x step, less 1 with the star. Winning costs more with every step, losing
        // less.
        let star = half_steps % 2;
        let won = |step: u32| if 2 * step < star { 0 } else { of(&self.won, half_steps + star - 2 * step) };
        let lost = |step: u32| match half_steps + 1 + 2 * step - star {
            left if left > 2 * total + 1 => 0,
            left => of(&self.lost, left),
        };
        let steps = (half_steps + star) / 2;
        let cross = richman_core::partition(steps + 1, |step| won(step) < lost(step));
        let cost = |step: u32| won(step).max(lost(step));
        let before = cross.checked_sub(1).map_or(NEVER, cost);
        if cross <= steps { before.min(cost(cross)) } else { before }
    }
}
