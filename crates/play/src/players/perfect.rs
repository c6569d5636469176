//! Perfect play of games that are won, from their solution with chips.
//!
//! Where a win can be forced, it is forced in the fewest moves. Where a draw can, the draw is kept, and among all that keeps it the player takes what
//! most answers are wrong against. Where neither can, it takes what lets it off after the most answers, and then what takes longest.
//! The answers meant are the other player's bids, uses of the star and moves in this turn, and their safe bids in the next.

use std::sync::Arc;

use richman_core::{Forces, Holding, Node, Player, Turn, Unfolding};

use super::{Computer, Knowledge, PlayerError, Seat, Thinking, any, spread};
use crate::{Action, Decision};

/// The most bids of either player that are compared with each other; where there are more, a part of them.
const COMPARED: u32 = 64;

/// Chips of the player, of the other one, and whether the player has the star.
type State = (u32, u32, bool);

/// Plays from the solution.
pub struct Perfect {
    knowledge: Arc<Knowledge>,
    rng: fastrand::Rng,
}

impl Perfect {
    /// A player who chooses between equal options as `seed` says. The game must have been solved.
    pub fn new(knowledge: Arc<Knowledge>, seed: u64) -> Perfect {
        Perfect { knowledge, rng: fastrand::Rng::with_seed(seed) }
    }

    /// All that it might do now: options that it takes to be equal.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] without a solution of the game under these rules, [`PlayerError::NotNow`],
    /// [`richman_core::Error::BadPosition`].
    pub fn options(&self, seat: &Seat) -> Result<Vec<Action>, PlayerError> {
        let known = self.knowledge.forces().filter(|(_, forces)| *forces.mechanism() == seat.rules().mechanism);
        let Some((unfolding, forces)) = known else {
            return Err(PlayerError::Unfit {
                player: self.name(),
                game: seat.walk().game(),
                reason: "it was not solved under these rules".to_string(),
            });
        };
        let node = unfolding.node(&seat.view().position)?;
        let sight = Sight::new(unfolding, forces, node, seat.player(), seat.left());
        match seat.decision() {
            Some(Decision::Bid) => Ok(sight.bids(seat)),
            Some(Decision::Star { bid }) => Ok(sight.star(seat, bid)),
            Some(Decision::Move { may_let }) => sight.moves(seat, may_let),
            None => Err(PlayerError::NotNow { player: seat.player() }),
        }
    }
}

impl Computer for Perfect {
    fn name(&self) -> String {
        "perfect".to_string()
    }

    fn act(&mut self, seat: &Seat, thinking: &Thinking) -> Result<Action, PlayerError> {
        thinking.check()?;
        any(&self.options(seat)?, &mut self.rng, seat.player())
    }
}

/// What an option leads to: the worst that can follow, and what follows on average when the other player does whatever is allowed.
///
/// A lost position counts less than 1/2, more if it takes longer; one that may be lost 1/2; a draw 1; a win more than 2, the more the faster.
#[derive(Clone, Copy)]
struct Prospect {
    worst: f64,
    average: f64,
}

impl Prospect {
    fn sure(value: f64) -> Prospect {
        Prospect { worst: value, average: value }
    }

    /// What the other player chooses.
    fn theirs(options: &[Prospect]) -> Prospect {
        let worst = options.iter().map(|option| option.worst).fold(f64::INFINITY, f64::min);
        let average = options.iter().map(|option| option.average).sum::<f64>() / options.len().max(1) as f64;
        Prospect { worst, average }
    }

    /// What the player chooses.
    fn own(options: impl IntoIterator<Item = Prospect>) -> Prospect {
        let better = |one: Prospect, other: Prospect| if other.key() > one.key() { other } else { one };
        options.into_iter().reduce(better).unwrap_or(Prospect::sure(0.0))
    }

    /// Effort are compared by the result they make sure of, or the speed of a win; else by what follows on average. Rounded, so that equal
    /// sums are equal.
    fn key(self) -> (f64, f64) {
        let sure = if self.worst < 0.5 { 0.0 } else { self.worst };
        (sure, (self.average * 1e9).round())
    }
}

/// One player's view of the solution at a position.
struct Sight<'a> {
    unfolding: &'a dyn Unfolding,
    forces: &'a dyn Forces,
    node: Node,
    player: Player,
    /// Turns after this one.
    left: u32,
}

/// A goal for the next position.
#[derive(Clone, Copy)]
enum Goal {
    /// Won in at most so many moves.
    Within(u32),
    /// Not lost.
    Hold,
}

impl<'a> Sight<'a> {
    fn new(unfolding: &'a dyn Unfolding, forces: &'a dyn Forces, node: Node, player: Player, left: u32) -> Sight<'a> {
        Sight { unfolding, forces, node, player, left }
    }

    fn chooses(&self) -> bool {
        self.forces.mechanism().right.may_let()
    }

    /// Where the player (or the other one) can move.
    fn targets(&self, player: Player) -> &'a [Node] {
        self.unfolding.arena().moves(self.node, player)
    }

    fn holdings(&self, (own, other, star): State) -> (Holding, Holding) {
        let has_star = self.forces.mechanism().has_star();
        let holding = |chips: u32, star: bool| Holding::from_half_steps(2 * chips + u32::from(has_star && star));
        (holding(own, star), holding(other, !star))
    }

    fn meets(&self, goal: Goal, to: Node, state: State) -> bool {
        let (own, other) = self.holdings(state);
        match goal {
            Goal::Within(moves) => {
                self.forces.wins_in(self.player, to, own, other).is_some_and(|rank| rank <= moves.min(self.left))
            }
            Goal::Hold => self.forces.holds_for(self.left, self.player, to, own, other),
        }
    }

    /// The bids of this turn, with which the player comes to a goal.
    #[expect(clippy::type_complexity, reason = "closures have no shorter name")]
    fn turn(
        &self,
        (own, other, star): State,
        goal: Goal,
    ) -> Turn<'_, impl Fn(u32, u32, bool) -> bool + '_, impl Fn(u32, u32, bool) -> bool + '_> {
        let moves = move |state| self.targets(self.player).iter().any(|&to| self.meets(goal, to, state));
        let lets = move |state| self.targets(self.player.other()).iter().all(|&to| self.meets(goal, to, state));
        Turn {
            mechanism: self.forces.mechanism(),
            player: self.player,
            own,
            other,
            star,
            after_win: move |own, other, star| {
                moves((own, other, star)) || (self.chooses() && lets((own, other, star)))
            },
            after_loss: move |own, other, star| {
                lets((own, other, star)) && (!self.chooses() || moves((own, other, star)))
            },
        }
    }

    /// What is wanted of this turn with these holdings; `None` where nothing can be made sure of.
    fn goal(&self, state: State) -> Option<Goal> {
        let (own, other) = self.holdings(state);
        let moves = self.left.saturating_add(1);
        match self.forces.wins_in(self.player, self.node, own, other) {
            Some(rank) if rank <= moves => Some(Goal::Within(rank.saturating_sub(1))),
            _ => self.forces.holds_for(moves, self.player, self.node, own, other).then_some(Goal::Hold),
        }
    }

    /// What a position is worth to the player, see [`Prospect`].
    fn worth(&self, to: Node, state: State) -> f64 {
        let (own, other) = self.holdings(state);
        let within = |rank: Option<u32>| rank.filter(|&rank| rank <= self.left).map(f64::from);
        let other_player = self.player.other();
        if let Some(rank) = within(self.forces.wins_in(self.player, to, own, other)) {
            return 2.0 + 1.0 / (1.0 + rank);
        }
        if let Some(rank) = within(self.forces.wins_in(other_player, to, other, own)) {
            return 0.01 * rank / (1.0 + rank);
        }
        let holds = |player, own, other| self.forces.holds_for(self.left, player, to, own, other);
        match (holds(self.player, own, other), holds(other_player, other, own)) {
            (false, _) => 0.5,
            (true, true) => 1.0,
            (true, false) => 1.25,
        }
    }

    /// What it is worth to have won a bid, or lost it, and be left with these holdings.
    fn after(&self, won: bool, state: State) -> Prospect {
        let of = |player| -> Vec<Prospect> {
            self.targets(player).iter().map(|&to| Prospect::sure(self.worth(to, state))).collect()
        };
        let mut own = of(self.player);
        let mut theirs = of(self.player.other());
        if won {
            if self.chooses() {
                own.push(Prospect::theirs(&theirs));
            }
            Prospect::own(own)
        } else {
            if self.chooses() {
                theirs.push(Prospect::own(own));
            }
            Prospect::theirs(&theirs)
        }
    }

    /// All bids that are as good as any.
    fn bids(&self, seat: &Seat) -> Vec<Action> {
        let state = (seat.own().chips(), seat.other().chips(), seat.own().has_star());
        let goal = self.goal(state);
        let turn = self.turn(state, goal.unwrap_or(Goal::Hold));
        let allowed = &seat.view().bids;
        let named = seat.named();
        // Where more chips can hurt, a bid between two good ones need not be good.
        let compared = if turn.mechanism.is_ordered_by_chips() { COMPARED } else { u32::MAX };
        let is_allowed = |bid: u32| allowed.iter().any(|range| range[0] <= bid && bid <= range[1]);
        let mut bids = match named {
            // Who answers has one bid to look at, and may do what is good against it only.
            Some(named) => {
                let mut bids = spread(allowed, compared);
                bids.extend([named, named + 1].into_iter().filter(|&bid| is_allowed(bid)));
                bids
            }
            None if goal.is_some() => {
                let good: Vec<[u32; 2]> = turn.good_bids().iter().map(|range| [*range.start(), *range.end()]).collect();
                spread(&good, compared)
            }
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
        let won = |bid: u32, used: bool| self.after(true, turn.holdings_won(bid, used));
        let lost = |bid: u32, used: bool| self.after(false, turn.holdings_lost(bid, used));
        let losses: Vec<Prospect> = replies.iter().map(|reply| lost(reply.unwrap_or(0), false)).collect();
        let tie = |bid: u32| {
            let end = |(winner, used)| if winner == self.player { won(bid, used) } else { lost(bid, used) };
            let ends: Vec<Prospect> = turn.ties().map(end).collect();
            match ends.as_slice() {
                [end] => *end,
                _ if turn.holds_tie() => Prospect::own(ends),
                _ => Prospect::theirs(&ends),
            }
        };
        let prospect = |bid: u32| {
            let wins = won(bid, false);
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
        let turn = self.turn(state, Goal::Hold);
        let used = self.after(true, turn.holdings_won(bid, true));
        let kept = self.after(false, turn.holdings_lost(bid, false));
        best([(Action::UseStar(true), used), (Action::UseStar(false), kept)])
    }

    /// All moves that are as good as any, or to let the other player move.
    fn moves(&self, seat: &Seat, may_let: bool) -> Result<Vec<Action>, PlayerError> {
        let state = (seat.own().chips(), seat.other().chips(), seat.own().has_star());
        let harder = |to: Node| {
            let value = self.worth(to, state);
            Prospect { worst: value, average: value + self.trouble(to, state) }
        };
        let steps = self.unfolding.steps(&seat.view().position, self.player)?;
        let mut options: Vec<(Action, Prospect)> = Vec::new();
        for step in steps {
            let action = Action::Move(step.step.name);
            if !options.iter().any(|(known, _)| *known == action) {
                options.push((action, harder(step.step.to)));
            }
        }
        if may_let {
            let theirs: Vec<Prospect> = self.targets(self.player.other()).iter().map(|&to| harder(to)).collect();
            options.push((Action::Let, Prospect::theirs(&theirs)));
        }
        Ok(best(options))
    }

    /// The part of the other player's bids in the next turn, up to a half, that spoil what they could make sure of.
    fn trouble(&self, to: Node, (own, other, star): State) -> f64 {
        if self.unfolding.arena().terminal(to).is_some() || self.left == 0 {
            return 0.0;
        }
        let there = Sight::new(self.unfolding, self.forces, to, self.player.other(), self.left - 1);
        let state = (other, own, !star);
        let Some(goal) = there.goal(state) else { return 0.0 };
        // Any win is as good to them as the fastest.
        let goal = if let Goal::Within(_) = goal { Goal::Within(u32::MAX) } else { goal };
        let turn = there.turn(state, goal);
        if turn.mechanism.bidding.answers(there.player) {
            return 0.0; // they will know what they answer
        }
        let safe: u64 = turn.good_bids().iter().map(|range| u64::from(range.end() - range.start()) + 1).sum();
        let all = match &turn.mechanism.bids {
            richman_core::Bids::All => u64::from(other) + 1,
            richman_core::Bids::Only(amounts) => amounts.iter().filter(|&&bid| bid <= other).count() as u64,
        };
        0.5 * (1.0 - safe as f64 / all.max(1) as f64)
    }
}

/// The options that none is better than.
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
