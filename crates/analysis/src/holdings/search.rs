//! One player's needs against the other's chips without a rule for all totals: solves for more and
//! more chips until every number is found or shown not to exist.
//!
//! Three arguments prove that no purse of a player suffices. First, a player who misses the goal
//! even when picking the mover at every turn misses it with any purse. Second, if play ends after a
//! known number of moves, chips beyond the sum of all useful bids are worth nothing. Third, poorman
//! purses only fall. Results with c chips, at all positions and against all purses up to m, follow
//! from those with c - 1, ..., c - b chips and b more bids of 0, where b is the highest useful bid.
//! So results that are the same for b + 1 numbers of chips in a row stay the same.

use std::ops::RangeInclusive;

use richman_core::{
    Arena, Bids, Error as CoreError, Goal, Instant, MAX_TOTAL, Node, Player, PurseCell, PurseSolution, Purses,
    Terminal, Thresholds, Total, partition,
};
use richman_solvers::{chips, purses};

use super::{HoldingNeeds, HoldingsRow, row};
use crate::{Error, Request};

/// The rows for `chips` of player `fixed`, and the reason why a number is missing without proof.
pub fn rows(
    request: &Request,
    fixed: Player,
    chips: RangeInclusive<Total>,
) -> Result<(Vec<HoldingsRow>, Option<String>), Error> {
    let (first, last) = (chips.start().chips(), chips.end().chips());
    let began = Instant::now();
    let mut most = (last + 8).saturating_mul(2);
    let search = Search { request, fixed, last };
    // In column order: a win of Alice, and prevention of Bob's.
    let goals = match fixed {
        Player::Bob => [Goal::Win, Goal::Draw],
        Player::Alice => [Goal::Draw, Goal::Win],
    };
    let never = goals.map(|goal| search.is_out_of_reach(goal));
    let enough = search.enough();
    let mut so_far = None;
    loop {
        let solution = match (search.solve(Total::new(most)?.chips()), so_far) {
            (Err(Error::Core(CoreError::TooMuchMemory { .. })), Some(answer)) => return Ok(answer),
            (solution, _) => solution?,
        };
        let complete = enough.is_some_and(|enough| u64::from(most) >= enough + u64::from(last));
        let never = [0, 1].map(|at| never[at] || complete || solution.stays(goals[at], &search));
        let mut unknown = false;
        let mut least = |goal: usize, star: bool, against: u32| {
            let found = solution.least(goals[goal], star, against, &search);
            unknown |= found.is_none() && !never[goal];
            found.map(u64::from)
        };
        let rows = (first..=last)
            .map(|chips| {
                let mut needs = |goal| {
                    let plain = least(goal, false, chips);
                    let star = if request.mechanism.has_star() { least(goal, true, chips) } else { plain };
                    HoldingNeeds { plain, star }
                };
                let (win, draw) = (needs(0), needs(1));
                row(fixed, chips, win, draw)
            })
            .collect();
        // The next round costs a few times as much as all earlier ones.
        const GROWS: u32 = 4;
        let late = request.effort.time_left().is_some_and(|left| began.elapsed() * GROWS > left);
        if !unknown {
            return Ok((rows, None));
        }
        let reason = format!("looked at {}; where a number is missing more may suffice", solution.what());
        if late || most * 2 > MAX_TOTAL || search.memory(u64::from(most) * 2) > request.effort.memory {
            return Ok((rows, Some(reason)));
        }
        so_far = Some((rows, Some(reason)));
        most *= 2;
    }
}

struct Search<'a> {
    request: &'a Request<'a>,
    fixed: Player,
    last: u32,
}

enum PurseWinner {
    /// Alice's thresholds by total, from 0.
    Totals(Vec<Thresholds>),
    Purses(Box<PurseSolution>),
}

impl Search<'_> {
    fn player(&self) -> Player {
        self.fixed.other()
    }

    fn arena(&self) -> &Arena {
        self.request.unfolding.arena()
    }

    fn memory(&self, most: u64) -> u64 {
        if self.request.mechanism.has_bank() { 64 * self.arena().len() as u64 * most } else { most * 16 }
    }

    fn solve(&self, most: u32) -> Result<PurseWinner, Error> {
        let Request { mechanism, effort, .. } = self.request;
        Ok(if mechanism.has_bank() {
            let each = if self.fixed == Player::Bob { [most, self.last] } else { [self.last, most] };
            let purses = mechanism.purses(each.into(), most);
            PurseWinner::Purses(Box::new(purses::solve(self.arena(), mechanism, purses, effort)?))
        } else {
            let totals = Total::new(0)?..=Total::new(most)?;
            PurseWinner::Totals(chips::table(self.arena(), mechanism, totals, effort)?)
        })
    }

    /// If play ends after a known number of moves: a number of chips beyond which more are worth
    /// nothing against the fixed player's. They pay for the highest useful bid at every turn
    /// (`docs/design.md`, section 12).
    fn enough(&self) -> Option<u64> {
        let moves = longest_play(self.arena()).into_iter().chain(self.request.effort.within).min()?;
        let (mut enough, mut against) = (0u64, self.last);
        for _ in 0..moves {
            let bid = self.highest_useful(against);
            enough += u64::from(bid);
            against =
                u32::try_from(u64::from(against) + u64::from(self.request.mechanism.payment.to_loser(bid))).ok()?;
            if enough > u64::from(MAX_TOTAL) {
                return None;
            }
        }
        Some(enough)
    }

    /// The highest useful bid against that many chips: it wins, or it is the highest allowed.
    fn highest_useful(&self, against: u32) -> u32 {
        match &self.request.mechanism.bids {
            Bids::All => against.saturating_add(1),
            Bids::Only(amounts) => {
                amounts.iter().copied().find(|&bid| bid > against).or(amounts.last().copied()).unwrap_or(0)
            }
        }
    }

    /// Whether the player misses the goal even when picking the mover at every turn.
    fn is_out_of_reach(&self, goal: Goal) -> bool {
        let (player, arena) = (self.player(), self.arena());
        let moves = self.request.effort.within.unwrap_or(u32::MAX);
        // The certain winner to look for: the player who picks, or the fixed one nevertheless.
        let winner = if goal == Goal::Win { player } else { self.fixed };
        let mut won: Vec<bool> =
            arena.nodes().map(|node| arena.terminal(node) == Some(Terminal::Win(winner))).collect();
        for _ in 0..moves {
            let forced = |&node: &Node| {
                let after = |player| arena.moves(node, player).iter().map(|&to| won[to as usize]);
                let (any, all) = (|who| after(who).any(|won| won), |who| after(who).all(|won| won));
                match (goal, arena.owner(node)) {
                    (Goal::Win, None) => any(player) || all(self.fixed),
                    (Goal::Draw, None) => all(player) && any(self.fixed),
                    (_, Some(owner)) => {
                        if owner == winner {
                            any(owner)
                        } else {
                            all(owner)
                        }
                    }
                }
            };
            let open = arena.nodes().filter(|&node| !won[node as usize] && arena.terminal(node).is_none());
            let found: Vec<Node> = open.filter(forced).collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|node| won[node as usize] = true);
        }
        won[arena.start() as usize] == (goal == Goal::Draw)
    }
}

/// The length of the longest play; `None` if play can go on forever.
fn longest_play(arena: &Arena) -> Option<u32> {
    if !arena.is_acyclic() {
        return None;
    }
    let mut heights = vec![0u32; arena.len()];
    for &node in arena.components().order() {
        heights[node as usize] = arena.successors(node).iter().map(|&to| heights[to as usize] + 1).max().unwrap_or(0);
    }
    Some(heights[arena.start() as usize])
}

impl PurseWinner {
    fn what(&self) -> String {
        match self {
            PurseWinner::Totals(rows) => format!("every total up to {}", rows.len().saturating_sub(1)),
            PurseWinner::Purses(solution) => match solution.purses {
                Purses::UpTo { alice, bob } => format!("every purse up to {}", alice.max(bob)),
                Purses::Together(most) | Purses::Exactly(most) => format!("all purses of up to {most} together"),
            },
        }
    }

    /// The least searched number of chips that reaches the goal. More chips never hurt.
    fn least(&self, goal: Goal, star: bool, against: u32, search: &Search) -> Option<u32> {
        let most = match self {
            PurseWinner::Totals(rows) => (rows.len() as u32).checked_sub(against + 1)?,
            PurseWinner::Purses(solution) => *solution.purses.against(search.player(), against).end(),
        };
        let reaches = |own: u32| self.reaches(goal, star, own, against, search);
        reaches(most).then(|| partition(most, |own| !reaches(own)))
    }

    fn reaches(&self, goal: Goal, star: bool, own: u32, against: u32, search: &Search) -> bool {
        let start = search.arena().start();
        match self {
            PurseWinner::Purses(solution) => match goal {
                Goal::Win => solution.wins(search.player(), start, star, own, against),
                Goal::Draw => !solution.wins(search.fixed, start, !star, against, own),
            },
            PurseWinner::Totals(rows) => {
                let Thresholds { win, draw } = rows[(own + against) as usize];
                let (alice, alice_star) = if search.fixed == Player::Bob { (own, star) } else { (against, !star) };
                let met = |threshold: richman_core::Threshold| {
                    alice >= if alice_star { threshold.star } else { threshold.plain }
                };
                match (search.fixed, goal) {
                    (Player::Bob, Goal::Win) => met(win),
                    (Player::Bob, Goal::Draw) => met(draw),
                    (Player::Alice, Goal::Win) => !met(draw),
                    (Player::Alice, Goal::Draw) => !met(win),
                }
            }
        }
    }

    /// Whether more chips than searched cannot reach the goal anywhere else.
    fn stays(&self, goal: Goal, search: &Search) -> bool {
        let PurseWinner::Purses(solution) = self else { return false };
        let Purses::UpTo { .. } = solution.purses else { return false };
        let most = solution.purses.most(search.player());
        let highest = search.highest_useful(search.last);
        if most < highest.saturating_add(1) {
            return false;
        }
        let stars = if solution.mechanism.has_star() { 2 } else { 1 };
        search.arena().nodes().all(|node| {
            (0..stars).all(|star| match goal {
                // The least numbers of chips, for every purse of the fixed player, were found much
                // earlier.
                Goal::Win => (0..=search.last).all(|other| {
                    let least = solution.wins[search.player()].least(PurseCell { node, star: star == 1, other });
                    least > most || least <= most - highest
                }),
                Goal::Draw => {
                    let least = |other| {
                        let cell = PurseCell { node, star: star == 1, other };
                        solution.wins[search.fixed].least(cell).min(search.last + 1)
                    };
                    (most - highest..most).all(|other| least(other) == least(most))
                }
            })
        })
    }
}
