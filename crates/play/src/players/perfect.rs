//! Perfect play from the solution with chips.
//!
//! In a scoring game the player secures the value of the position: by an equilibrium bid if there
//! is one, else by its maximin bid. Among these it takes the bid with the best average over all
//! allowed bids of the other player.
//!
//! In a win-lose game, the player forces a win, if it can, in the fewest moves. If it can force
//! only a draw, it keeps the draw and prefers the option with the most wrong answers. Otherwise it
//! prefers the option after which the most answers let it escape, then the slowest loss. Answers
//! are the other player's bids, uses of the star and moves in this turn, and their safe bids in the
//! next.
//!
//! [`EndlessChoice`] says how games are played that need not end.

use std::sync::Arc;

use richman_analysis::Insight;
use richman_core::{Acceptance, Effort, Node, Playable, Player, StarUse, Turn, Unfolding};

use super::{Computer, EndlessChoice, Knowledge, PlayerError, Seat, any, spread};
use crate::solved::{self, ChipState, ScoredNode, SolvedGame, WantedResult};
use crate::{Action, Decision};

/// The most bids of either player to compare; beyond it, a sample is compared.
const COMPARED: u32 = 64;

/// Plays from the solution.
pub struct Perfect {
    knowledge: Arc<Knowledge>,
    rng: fastrand::Rng,
}

richman_core::debug_by_name!(Perfect {});

impl Perfect {
    /// A player for a solved game, which chooses among equal options by `seed`.
    pub fn new(knowledge: Arc<Knowledge>, seed: u64) -> Perfect {
        Perfect { knowledge, rng: fastrand::Rng::with_seed(seed) }
    }

    /// The options that the player finds equally good.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] without a solution of the game under these rules;
    /// [`PlayerError::NotNow`] if no decision is due; [`richman_core::Error::BadPosition`] if the
    /// position is outside the solution.
    pub fn options(&self, seat: &Seat) -> Result<Vec<Action>, PlayerError> {
        if let Some(insight) = self.knowledge.solved()
            && let Some(choice) = EndlessChoice::of(insight, seat)?
        {
            return Ok(choice.options);
        }
        let known = self.knowledge.solution().filter(|(_, values)| *values.mechanism() == seat.rules().mechanism);
        let total = u64::from(seat.own().chips()) + u64::from(seat.other().chips());
        let reason = match known {
            None => "it was not solved under these rules",
            Some((Insight::Chips(unfolding, _), values)) => return options(unfolding.as_ref(), values, seat),
            Some((Insight::Scores(unfolding, solution), values)) if u64::from(solution.total.chips()) == total => {
                return options(unfolding.as_ref(), values, seat);
            }
            Some(_) => "it was not solved for this many chips",
        };
        Err(PlayerError::unfit("perfect", seat.walk().game(), reason))
    }
}

impl Computer for Perfect {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        effort.check_cancelled()?;
        any(&self.options(seat)?, &mut self.rng, seat)
    }
}

fn options<L: Playable>(
    unfolding: &dyn Unfolding<L>,
    values: SolvedGame,
    seat: &Seat,
) -> Result<Vec<Action>, PlayerError> {
    let (node, player) = (unfolding.node(&seat.view.position)?, seat.player);
    let view = PlayerView { unfolding, values, node, player, left: seat.left() };
    match seat.asked()? {
        Decision::Bid => Ok(view.bids(seat)),
        Decision::Star { bid } => Ok(view.star(seat, bid)),
        Decision::Move { may_let } => view.moves(seat, may_let),
    }
}

/// The value of an option: the worst result, and the average over all replies.
///
/// Both are points in a scoring game. Otherwise a lost position counts less than 1/2, and more if
/// the loss takes longer; a position that may be lost 1/2; a draw 1; a win more than 2, and more if
/// it is faster. In `worst`, all values below 1/2 are the same.
#[derive(Clone, Copy)]
struct Prospect {
    worst: f64,
    average: f64,
}

impl Prospect {
    fn sure(value: f64) -> Prospect {
        Prospect { worst: value, average: value }
    }

    fn of_result(value: f64) -> Prospect {
        Prospect { worst: if value < 0.5 { 0.0 } else { value }, average: value }
    }

    fn theirs(options: &[Prospect]) -> Prospect {
        let worst = options.iter().map(|option| option.worst).fold(f64::INFINITY, f64::min);
        let average = options.iter().map(|option| option.average).sum::<f64>() / options.len().max(1) as f64;
        Prospect { worst, average }
    }

    fn own(options: impl IntoIterator<Item = Prospect>) -> Prospect {
        let better = |one: Prospect, other: Prospect| if other.key() > one.key() { other } else { one };
        options.into_iter().reduce(better).unwrap_or(Prospect::sure(0.0))
    }

    /// Compares options by the guaranteed result, or the speed of a win, and then by the average,
    /// rounded so that equal sums are equal.
    fn key(self) -> (f64, f64) {
        (self.worst, (self.average * 1e9).round())
    }
}

/// One player's view of the solution at a position.
#[derive(Clone, Copy)]
struct PlayerView<'a, L: Playable> {
    unfolding: &'a dyn Unfolding<L>,
    values: SolvedGame<'a>,
    node: Node,
    player: Player,
    /// The turns after this one.
    left: u32,
}

impl<'a, L: Playable> PlayerView<'a, L> {
    fn chooses(&self) -> bool {
        self.values.mechanism().right.may_let()
    }

    fn targets(&self, player: Player) -> impl ExactSizeIterator<Item = ScoredNode> + use<'a, L> {
        solved::targets(self.unfolding, self.node, player)
    }

    fn stuck(&self, player: Player) -> i64 {
        solved::stuck(self.unfolding, self.node, player)
    }

    /// Whether the player reaches the goal if `mover` moves in their own interest.
    fn by(&self, mover: Player, goal: WantedResult, state: ChipState) -> bool {
        let mut targets = self.targets(mover);
        let meets = |to| self.values.meets(goal, self.player, to, state, Some(self.left));
        if targets.len() == 0 {
            SolvedGame::ended(goal, self.player, self.stuck(mover))
        } else if mover == self.player {
            targets.any(meets)
        } else {
            targets.all(meets)
        }
    }

    /// The bids of this turn with which the player reaches a goal.
    fn turn(&self, (own, other, star): ChipState, goal: WantedResult) -> Turn<'_, impl Acceptance> {
        let (mechanism, player) = (self.values.mechanism(), self.player);
        let content = move |won, own, other, star| {
            let mover = |is_own| if is_own { player } else { player.other() };
            mechanism.right.sees_to(won, |is_own| self.by(mover(is_own), goal, (own, other, star)))
        };
        Turn { mechanism, player, own, other, star, content }
    }

    /// The goal of this turn with these holdings; `None` if nothing can be guaranteed.
    fn goal(&self, state: ChipState) -> Option<WantedResult> {
        match self.values {
            SolvedGame::Chips { solved, .. } => {
                let (forces, (own, other)) = (solved.forces(), self.values.hands(state));
                let moves = self.left.saturating_add(1);
                match forces.wins_in(self.player, self.node, own, other) {
                    Some(rank) if rank <= moves => Some(WantedResult::Within(rank.saturating_sub(1))),
                    _ => forces.holds_for(moves, self.player, self.node, own, other).then_some(HOLD),
                }
            }
            SolvedGame::Seen(_) => None,
            SolvedGame::Scores(solution) => {
                let here = ScoredNode { node: self.node, points: 0 };
                Some(WantedResult::Result(solved::points(solution, self.player, here, state)))
            }
        }
    }

    /// The value of a position to the player; see [`Prospect`].
    fn worth(&self, to: ScoredNode, state: ChipState) -> f64 {
        let (forces, to) = match self.values {
            SolvedGame::Chips { solved, .. } => (solved.forces(), to.node),
            SolvedGame::Scores(solution) => return solved::points(solution, self.player, to, state) as f64,
            SolvedGame::Seen(_) => return 0.0, // a perfect player has a solution
        };
        let (own, other) = self.values.hands(state);
        let within = |rank: Option<u32>| rank.filter(|&rank| rank <= self.left).map(f64::from);
        let other_player = self.player.other();
        if let Some(rank) = within(forces.wins_in(self.player, to, own, other)) {
            return 2.0 + 1.0 / (1.0 + rank);
        }
        if let Some(rank) = within(forces.wins_in(other_player, to, other, own)) {
            return 0.01 * rank / (1.0 + rank);
        }
        let holds = |player, own, other| forces.holds_for(self.left, player, to, own, other);
        match (holds(self.player, own, other), holds(other_player, other, own)) {
            (false, _) => 0.5,
            (true, true) => 1.0,
            (true, false) => 1.25,
        }
    }

    /// The prospects of `player`'s moves, or of being stuck.
    fn prospects(&self, player: Player, of: impl Fn(ScoredNode) -> Prospect) -> Vec<Prospect> {
        let prospects: Vec<Prospect> = self.targets(player).map(of).collect();
        match prospects.is_empty() {
            true => vec![Prospect::sure(solved::own(self.player, self.stuck(player)) as f64)],
            false => prospects,
        }
    }

    fn prospect(&self, to: ScoredNode, state: ChipState) -> Prospect {
        let worth = self.worth(to, state);
        if L::FACTS.won_at_end { Prospect::of_result(worth) } else { Prospect::sure(worth) }
    }

    /// The prospect with these holdings after winning or losing a bid.
    fn after(&self, won: bool, state: ChipState) -> Prospect {
        let of = |player| self.prospects(player, |to| self.prospect(to, state));
        let mut own = of(self.player);
        let mut theirs = of(self.player.other());
        if won {
            if self.chooses() {
                own.push(self.theirs(&theirs));
            }
            Prospect::own(own)
        } else {
            if self.chooses() {
                theirs.push(Prospect::own(own));
            }
            self.theirs(&theirs)
        }
    }

    /// The other player's choice, knowing the bids: in a scoring game their best one.
    fn theirs(&self, options: &[Prospect]) -> Prospect {
        let theirs = Prospect::theirs(options);
        if L::FACTS.won_at_end { theirs } else { Prospect::sure(theirs.worst) }
    }

    fn bids(&self, seat: &Seat) -> Vec<Action> {
        let state = (seat.own().chips(), seat.other().chips(), seat.own().has_star());
        let goal = self.goal(state);
        let turn = self.turn(state, goal.unwrap_or(HOLD));
        let allowed = &seat.view.bids;
        let named = seat.named();
        // If more chips can hurt, a bid between two good ones may be bad.
        let is_ordered = L::FACTS.won_at_end && turn.mechanism.is_ordered_by_chips();
        let compared = if is_ordered { COMPARED } else { u32::MAX };
        let mut bids = match named {
            // The answering player need only be good against the named bid.
            Some(named) => {
                let mut bids = spread(allowed, compared);
                bids.extend([named, named + 1].into_iter().filter(|&bid| seat.may_bid(bid)));
                bids
            }
            None if goal.is_some() => spread(&turn.good_bids(), compared),
            None => Vec::new(),
        };
        if bids.is_empty() {
            bids = spread(allowed, compared);
        }
        let replies: Vec<Option<u32>> = match named {
            Some(named) => vec![Some(named)],
            None => {
                let replies = spread(&seat.other_bids(), compared);
                if replies.is_empty() { vec![None] } else { replies.into_iter().map(Some).collect() }
            }
        };
        let won = |bid: u32, used: StarUse| self.after(true, turn.holdings_won(bid, used));
        let lost = |bid: u32, used: StarUse| self.after(false, turn.holdings_lost(bid, used));
        let losses: Vec<Prospect> = replies.iter().map(|reply| lost(reply.unwrap_or(0), StarUse::Kept)).collect();
        let tie = |bid: u32| {
            let end = |(winner, used)| if winner == self.player { won(bid, used) } else { lost(bid, used) };
            let ends: Vec<Prospect> = turn.ties().map(end).collect();
            match ends.as_slice() {
                [end] => *end,
                _ if turn.holds_tie() => Prospect::own(ends),
                _ => self.theirs(&ends),
            }
        };
        let prospect = |bid: u32| {
            let wins = won(bid, StarUse::Kept);
            let ends: Vec<Prospect> = replies
                .iter()
                .zip(&losses)
                .map(|(&reply, &loss)| match reply {
                    Some(reply) if reply == bid => tie(bid),
                    Some(reply) if reply > bid => loss,
                    _ => wins,
                })
                .collect();
            Prospect::theirs(&ends)
        };
        best(bids.into_iter().map(|bid| (Action::Bid(bid), prospect(bid))))
    }

    /// Whether to use the star in a tie.
    fn star(&self, seat: &Seat, bid: u32) -> Vec<Action> {
        let state = (seat.own().chips(), seat.other().chips(), seat.own().has_star());
        let turn = self.turn(state, HOLD);
        let used = self.after(true, turn.holdings_won(bid, StarUse::Used));
        let kept = self.after(false, turn.holdings_lost(bid, StarUse::Kept));
        best([(Action::UseStar(true), used), (Action::UseStar(false), kept)])
    }

    /// All best moves, including letting the other player move.
    fn moves(&self, seat: &Seat, may_let: bool) -> Result<Vec<Action>, PlayerError> {
        let state = (seat.own().chips(), seat.other().chips(), seat.own().has_star());
        let harder = |to: ScoredNode| {
            let prospect = self.prospect(to, state);
            Prospect { average: prospect.average + self.trouble(to.node, state), ..prospect }
        };
        let steps = self.unfolding.steps(&seat.view.position, self.player)?;
        let mut options: Vec<(Action, Prospect)> = Vec::new();
        for step in steps {
            let action = Action::Move(step.step.name);
            if !options.iter().any(|(known, _)| *known == action) {
                let to = ScoredNode { node: step.step.to, points: L::weight(step.step.label) };
                options.push((action, harder(to)));
            }
        }
        if seat.walk().stuck(self.player).is_some() {
            options.extend(self.prospects(self.player, harder).into_iter().map(|stuck| (Action::Stay, stuck)));
        }
        if may_let {
            options.push((Action::Let, self.theirs(&self.prospects(self.player.other(), harder))));
        }
        Ok(best(options))
    }

    /// The part of the other player's bids in the next turn, halved, that spoil their guaranteed
    /// result.
    fn trouble(&self, to: Node, (own, other, star): ChipState) -> f64 {
        if L::FACTS.counts_points || self.unfolding.arena().terminal(to).is_some() || self.left == 0 {
            return 0.0;
        }
        if self.unfolding.arena().owner(to).is_some() {
            return 0.0; // nobody bids there
        }
        let there = PlayerView { node: to, player: self.player.other(), left: self.left - 1, ..*self };
        let state = (other, own, !star);
        let Some(goal) = there.goal(state) else { return 0.0 };
        // For the other player any win is as good as the fastest.
        let goal = if let WantedResult::Within(_) = goal { WantedResult::Within(u32::MAX) } else { goal };
        let turn = there.turn(state, goal);
        if turn.mechanism.bidding.answers(there.player) {
            return 0.0; // the other player will know the bid to answer
        }
        let safe: u64 = turn.good_bids().iter().map(|range| u64::from(range[1] - range[0]) + 1).sum();
        let all = match &turn.mechanism.bids {
            richman_core::Bids::All => u64::from(other) + 1,
            richman_core::Bids::Only(amounts) => amounts.iter().filter(|&&bid| bid <= other).count() as u64,
        };
        0.5 * (1.0 - safe as f64 / all.max(1) as f64)
    }
}

/// Not to lose.
const HOLD: WantedResult = WantedResult::Result(1);

fn best(options: impl IntoIterator<Item = (Action, Prospect)>) -> Vec<Action> {
    let mut found: Vec<Action> = Vec::new();
    let mut highest: Option<(f64, f64)> = None;
    for (action, prospect) in options {
        let key = prospect.key();
        if highest.is_none_or(|highest| key > highest) {
            highest = Some(key);
            found.clear();
        }
        if highest == Some(key) && !found.contains(&action) {
            found.push(action);
        }
    }
    found
}
