//! Play by a source's values of positions, on boards too large to unfold.
//!
//! If the source has the exact needs with chips, for a win and for a draw, the player never errs.
//! Otherwise it uses the midpoint of the source's real-money bounds, as a share
//! ([`Stakes::estimated`]). Three rules do not depend on estimates:
//!
//! - If somebody can win at once, the winner of the bid decides the game. The player bids enough to
//!   beat every bid of the other, or else everything, uses the star, and wins if it can.
//! - A player who threatens to win at once, and is sure of the next bid too, wins. The player
//!   prefers such bids to all others, and denies them to the other player.
//! - The winner of a bid lets the other player move if that is better.

use std::cmp::Ordering;
use std::sync::Arc;

use richman_core::{Effort, Player, StarUse};
use richman_engine::bidding::Stakes;
use richman_engine::{Care, Evaluation, Look, Source, Value, best};

use super::rounding::{self, TurnNeeds, holds_tie};
use super::{Computer, PlayerError, Seat, any, half_steps, spread};
use crate::certain::sure_bid;
use crate::{Action, Decision};

const MOST_BIDS: u32 = 4096;

/// Plays by a source's values.
pub struct SourcePlayer {
    source: Arc<dyn Source>,
    care: Care,
    rng: fastrand::Rng,
    seed: u64,
    most: u64,
    seen: Option<(String, Evaluation)>,
}

richman_core::debug_by_name!(SourcePlayer {});

impl SourcePlayer {
    /// A player that chooses among equal options by `seed`. For a perfect player (`care`), the
    /// source must have been opened for this match.
    pub fn new(source: &Arc<dyn Source>, care: Care, seed: u64) -> SourcePlayer {
        let source = source.for_one_player().unwrap_or_else(|| Arc::clone(source));
        SourcePlayer { source, care, rng: fastrand::Rng::with_seed(seed), seed, most: u64::MAX, seen: None }
    }

    /// The same player, limited to this many positions a turn.
    #[must_use]
    pub fn within(self, positions: u64) -> SourcePlayer {
        SourcePlayer { most: positions, ..self }
    }

    /// Whether the last value seen is exact with chips.
    pub fn is_sure(&self) -> bool {
        self.seen.as_ref().is_some_and(|(_, evaluation)| matches!(evaluation.here, Value::Chips { .. }))
    }

    /// Looks at a position once for the bid, the star and the move.
    fn see(&mut self, seat: &Seat, effort: &Effort) -> Result<&Evaluation, PlayerError> {
        effort.check_cancelled()?;
        let position = seat.walk().notation();
        let evaluation = match self.seen.take().filter(|(seen, _)| *seen == position) {
            Some((_, evaluation)) => evaluation,
            None => {
                let effort = Effort { positions: self.most, ..*effort };
                let look = Look { care: self.care, seed: self.seed, effort };
                self.seed = self.seed.wrapping_add(1);
                let evaluation = self.source.see(seat.walk(), &look)?;
                evaluation.ok_or_else(|| super::knowledge::too_large(&seat.walk().game(), OR))?
            }
        };
        Ok(&self.seen.insert((position, evaluation)).1)
    }
}

/// The advice if the perfect player cannot see everything.
pub(super) const OR: &str = "start later in the game";

/// The value of an option to a player: the guaranteed result, then the margin for the next better
/// result, or for the best one, then the margin for the other result.
type OptionValue = [f64; 3];

fn better(one: &OptionValue, two: &OptionValue) -> Ordering {
    one.iter().zip(two).map(|(one, two)| one.total_cmp(two)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The value of the margins for a win and for a draw, or of a single margin.
fn worth(margins: &[f64]) -> OptionValue {
    match margins {
        [win, draw] if *win >= 0.0 => [2.0, *win, *draw],
        [win, draw] if *draw >= 0.0 => [1.0, *win, *draw],
        [win, draw] => [0.0, *draw, *win],
        [margin] => [0.0, *margin, 0.0],
        _ => [0.0; 3],
    }
}

/// A position from a player's seat.
struct FacedPosition<'a> {
    seat: &'a Seat<'a>,
    evaluation: &'a Evaluation,
    /// Whether needs are exact with chips: one for a win, one for a draw.
    exact: bool,
}

impl<'a> FacedPosition<'a> {
    fn new(seat: &'a Seat<'a>, evaluation: &'a Evaluation) -> FacedPosition<'a> {
        FacedPosition { seat, evaluation, exact: matches!(evaluation.here, Value::Chips { .. }) }
    }

    fn ends(&self) -> usize {
        if self.exact { 2 } else { 1 }
    }

    /// Alice's need for an end: in half-steps if exact, else as a share.
    fn need(&self, value: &Value, end: usize) -> f64 {
        match value {
            Value::Chips { win, draw, .. } if self.exact => {
                let need = if end == 0 { win } else { draw };
                f64::from(need.plain + need.star)
            }
            other => other.middle(),
        }
    }

    /// A holding too small for Alice is enough for Bob.
    fn own_need(&self, alice: f64) -> f64 {
        match self.seat.player {
            Player::Alice => alice,
            Player::Bob if self.exact => half_steps(self.seat) - alice,
            Player::Bob => 1.0 - alice,
        }
    }

    fn best(&self, player: Player, end: usize) -> Option<f64> {
        best(&self.evaluation.after[player], player, |value| self.need(value, end))
    }

    /// Alice's need for an end after she has won the bid, and after Bob has.
    fn turn(&self, end: usize) -> TurnNeeds {
        let after = Player::BOTH.map(|player| self.best(player, end));
        TurnNeeds::new(after, self.seat.rules().mechanism.right)
    }

    /// The stakes for a win and for a draw, or a single one.
    fn stakes(&self) -> Vec<Stakes> {
        let (own, other, player) = (self.seat.own(), self.seat.other(), self.seat.player);
        let threatens = |player: Player| self.evaluation.after[player].iter().any(|after| after.threatens);
        let forcing = [player, player.other()].map(threatens);
        let one = |end: usize| {
            let TurnNeeds { low, high } = self.turn(end);
            let [won, lost] = if player == Player::Alice { [low, high] } else { [high, low] };
            let [won, lost] = [won, lost].map(|need| self.own_need(need));
            let stakes = if self.exact { Stakes::new } else { Stakes::estimated };
            Stakes { forcing, ..stakes(own, other, won, lost) }
        };
        let mut stakes: Vec<Stakes> = (0..self.ends()).map(one).collect();
        if player == Player::Bob {
            stakes.reverse(); // Bob wins by keeping Alice below her need for a draw
        }
        stakes
    }

    /// Whether bids are paid to the other player; needs hold for no other payment.
    fn is_richman(&self) -> bool {
        !self.seat.rules().mechanism.has_bank()
    }

    fn bid(&self) -> Option<Action> {
        if self.evaluation.is_decisive()
            && let Some(bid) = winning_bid(self.seat)
        {
            return Some(Action::Bid(bid));
        }
        if !self.is_richman() {
            return rounding::bid(self.seat, self.turn(0)).ok();
        }
        let (stakes, ranges, named) = (self.stakes(), &self.seat.view.bids, self.seat.named());
        let mut bids = spread(ranges, MOST_BIDS);
        bids.extend(stakes.iter().map(Stakes::safest).filter(|&bid| self.seat.may_bid(bid)));
        bids.extend(
            named.into_iter().flat_map(|named| [named, named.saturating_add(1)]).filter(|&bid| self.seat.may_bid(bid)),
        );
        bids.sort_unstable();
        let margin = |stakes: &Stakes, bid| named.map_or_else(|| stakes.margin(bid), |named| stakes.after(bid, named));
        let of = |bid: u32| worth(&stakes.iter().map(|stakes| margin(stakes, bid)).collect::<Vec<f64>>());
        bids.into_iter().rev().max_by(|one, two| better(&of(*one), &of(*two))).map(Action::Bid)
    }

    fn star(&self, bid: u32) -> Action {
        if self.evaluation.is_decisive() {
            return Action::UseStar(true);
        }
        if !self.is_richman() {
            return rounding::star(self.seat, self.turn(0), bid);
        }
        let stakes = self.stakes();
        let of = |margin: &dyn Fn(&Stakes) -> f64| worth(&stakes.iter().map(margin).collect::<Vec<f64>>());
        let used = of(&|stakes| stakes.after_win(bid, StarUse::Used));
        Action::UseStar(better(&used, &of(&|stakes| stakes.after_loss(bid, StarUse::Kept))).is_ge())
    }

    /// The value of Alice's needs for each end.
    fn worth(&self, needs: impl Iterator<Item = f64>) -> OptionValue {
        let held = f64::from(self.seat.own().half_steps()) / if self.exact { 1.0 } else { half_steps(self.seat) };
        let mut margins: Vec<f64> = needs.map(|need| held - self.own_need(need)).collect();
        if self.seat.player == Player::Bob {
            margins.reverse();
        }
        worth(&margins)
    }

    /// The best moves, or letting the other player move.
    fn moves(&self, may_let: bool) -> Vec<Action> {
        let player = self.seat.player;
        let (own, other) = (&self.evaluation.after[player], &self.evaluation.after[player.other()]);
        let named = |name: &String| Action::Move(name.clone());
        let wins: Vec<Action> = own.iter().filter(|after| after.wins).map(|after| named(&after.name)).collect();
        if !wins.is_empty() {
            return wins;
        }
        if wins_next(self.seat) {
            let threats: Vec<Action> =
                own.iter().filter(|after| after.threatens).map(|after| named(&after.name)).collect();
            if !threats.is_empty() {
                return threats;
            }
        }
        let known = own.iter().filter_map(|after| Some((after, after.value.as_ref()?)));
        let mut options: Vec<(OptionValue, f64, Action)> = known
            .map(|(after, value)| {
                let needs = (0..self.ends()).map(|end| self.need(value, end));
                (self.worth(needs), after.weight(), named(&after.name))
            })
            .collect();
        let order = |one: &(OptionValue, f64, Action), two: &(OptionValue, f64, Action)| {
            better(&one.0, &two.0).then(one.1.total_cmp(&two.1))
        };
        let best = options.iter().max_by(|one, two| order(one, two)).cloned();
        let others: Option<Vec<f64>> = (0..self.ends()).map(|end| self.best(player.other(), end)).collect();
        if may_let
            && !other.iter().any(|after| after.wins)
            && let Some(others) = others
            && best.as_ref().is_none_or(|best| better(&self.worth(others.into_iter()), &best.0).is_gt())
        {
            return vec![Action::Let];
        }
        options.retain(|option| best.as_ref().is_some_and(|best| order(option, best).is_eq()));
        options.into_iter().map(|(_, _, action)| action).collect()
    }
}

/// The lowest bid that is sure to win, or that beats the named bid; the highest bid if none is
/// sure. `None` if a named bid cannot be beaten.
fn winning_bid(seat: &Seat) -> Option<u32> {
    let most = seat.named().or(seat.other_bids().last().map(|range| range[1]));
    let highest = seat.view.bids.last().map(|range| range[1]).filter(|_| seat.named().is_none());
    sure_bid(&seat.view.bids, most, holds_tie(seat)).or(highest)
}

/// Whether the player, who is to move, is sure to win the next bid.
fn wins_next(seat: &Seat) -> bool {
    let most = seat.other_bids().last().map(|range| range[1]);
    sure_bid(&seat.own_bids(), most, holds_tie(seat)).is_some()
}

impl Computer for SourcePlayer {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        let faced = FacedPosition::new(seat, self.see(seat, effort)?);
        match seat.asked()? {
            Decision::Bid => faced.bid().ok_or(seat.not_now()),
            Decision::Star { bid } => Ok(faced.star(bid)),
            Decision::Move { may_let } => {
                let options = faced.moves(may_let);
                any(&options, &mut self.rng, seat)
            }
        }
    }
}
