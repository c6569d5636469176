//! Perfect play of games that need not end, from their solutions with chips.
//!
//! In a parity game, a player who has the threshold of the position follows the plan there and
//! keeps what is more aside, so the win is never lost. A player who has less keeps as near to the
//! thresholds of the next positions as can be made certain, and wins if the other player errs.
//!
//! In a mean-payoff game, the player makes certain that the average of the next position and
//! holding is no worse and, if it is the same, that the potential pays for what the move lacks.
//! So the long-run average is never lost. A limit of turns is not considered.

use richman_analysis::Insight;
use richman_core::{
    Acceptance, AfterBid, BidEnd, ChipPayoffs, Mechanism, Node, ParityPlan, ParitySolution, PayoffBounds, Playable,
    Player, Turn, Unfolding,
};

use super::{PlayerError, Seat, spread};
use crate::solved::greatest;
use crate::{Action, Decision, TurnStage};

/// The most bids to choose from.
const COMPARED: u32 = 64;

/// The best choices in a game that need not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndlessChoice {
    /// The actions, which are equally good.
    pub options: Vec<Action>,
    /// What the player could be sure of when the turn began.
    pub sure: EndlessWorth,
}

/// What a player can be sure of in a game that need not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndlessWorth {
    /// A win.
    Win,
    /// Nothing: the other player can force a win.
    Loss,
    /// The long-run average.
    Average(PayoffBounds),
}

impl EndlessChoice {
    /// The best choices for the pending decision; `None` if the solution is of another kind, or of
    /// other rules or another number of chips.
    ///
    /// # Errors
    /// [`PlayerError::NotNow`] if no decision is due; [`richman_core::Error::BadPosition`] if the
    /// position is outside the solution.
    pub fn of(insight: &Insight, seat: &Seat) -> Result<Option<EndlessChoice>, PlayerError> {
        let (mechanism, total) = match insight {
            Insight::Parity(_, solution, _) => (&solution.mechanism, solution.total),
            Insight::Averages(_, solution) => (&solution.mechanism, solution.total),
            _ => return Ok(None),
        };
        let chips = u64::from(seat.own().chips()) + u64::from(seat.other().chips());
        if *mechanism != seat.rules().mechanism || u64::from(total.chips()) != chips {
            return Ok(None);
        }
        let (player, before) = (seat.player, seat.game.hands_before());
        Ok(Some(match insight {
            Insight::Parity(unfolding, solution, plans) => {
                let node = unfolding.node(&seat.view.position)?;
                let worth = |to: Node, (): (), own: u32, star: bool| (surplus(solution, player, to, own, star), 0);
                let view = EndlessView { unfolding: unfolding.as_ref(), mechanism, node, player, worth: &worth };
                let met = solution.needed(player, node).is_met_by(before[player]);
                let plan = plans[player][node as usize][usize::from(before[player].has_star())].filter(|_| met);
                let planned = plan.map(|plan| view.planned(&plan, seat)).transpose()?.flatten();
                let options = planned.map_or_else(|| view.options(seat, None), |action| Ok(vec![action]))?;
                EndlessChoice { options, sure: if met { EndlessWorth::Win } else { EndlessWorth::Loss } }
            }
            Insight::Averages(unfolding, solution) => {
                let node = unfolding.node(&seat.view.position)?;
                let worth = |to: Node, weight: i64, own: u32, star: bool| {
                    average_worth(solution, player, (to, own, star), Some(weight))
                };
                let view = EndlessView { unfolding: unfolding.as_ref(), mechanism, node, player, worth: &worth };
                let here = (node, before[player].chips(), before[player].has_star());
                let options = view.options(seat, Some(average_worth(solution, player, here, None)))?;
                let average = solution.average(node, before.alice).cloned().unwrap_or_default();
                EndlessChoice {
                    options,
                    sure: EndlessWorth::Average(PayoffBounds { low: average.clone(), high: average }),
                }
            }
            _ => return Ok(None),
        }))
    }
}

/// What a position with a holding is worth to a player; more is better.
type Worth = (i64, i128);

/// A player's chips at a position beyond the threshold there.
fn surplus(solution: &ParitySolution, player: Player, node: Node, own: u32, star: bool) -> i64 {
    let needed = solution.needed(player, node);
    let needed = if star && solution.mechanism.has_star() { needed.star } else { needed.plain };
    i64::from(own) - i64::from(needed)
}

/// The number of the average of a position, where the player has `own` chips, and the potential,
/// with what a move of that weight there adds to it.
fn average_worth(
    solution: &ChipPayoffs,
    player: Player,
    (node, own, star): (Node, u32, bool),
    weight: Option<i64>,
) -> Worth {
    let (alice, star) = player.either((own, star), (solution.total.chips() - own, !star));
    let at = solution.configurations().index(node, alice, star);
    let rank = solution.ranks[at];
    let average = &solution.averages[rank as usize];
    // Both parts have at most 128 bits, or the averages could not be proved.
    let [numerator, denominator] =
        [average.numerator().try_into(), i128::try_from(average.denominator().clone())].map(|part| part.unwrap_or(0));
    let gain = weight.map_or(0, |weight| i128::from(weight).saturating_mul(denominator).saturating_sub(numerator));
    let worth = (i64::from(rank), gain.saturating_add(solution.potentials[player][at]));
    player.either(worth, (-worth.0, worth.1.saturating_neg()))
}

/// A turn from one player's side.
struct EndlessView<'a, L: Playable> {
    unfolding: &'a dyn Unfolding<L>,
    mechanism: &'a Mechanism,
    node: Node,
    player: Player,
    /// The worth of a move: its target and label, and the player's chips and star then.
    worth: &'a dyn Fn(Node, L::Move, u32, bool) -> Worth,
}

impl<L: Playable> EndlessView<'_, L> {
    fn moves(&self, mover: Player, own: u32, star: bool) -> impl Iterator<Item = Worth> {
        self.unfolding.arena().labelled(self.node, mover).map(move |(to, label)| (self.worth)(to, label, own, star))
    }

    /// What is certain after the bid was won or lost.
    fn after(&self, won: bool, own: u32, star: bool) -> Worth {
        let best = self.moves(self.player, own, star).max();
        let least = self.moves(self.player.other(), own, star).min();
        let worth = match (won, self.mechanism.right.may_let()) {
            (true, true) => best.into_iter().chain(least).max(),
            (true, false) => best,
            (false, true) => best.into_iter().chain(least).min(),
            (false, false) => least,
        };
        worth.unwrap_or((i64::MIN, 0)) // who bids has a move
    }

    fn turn(&self, seat: &Seat, goal: Worth) -> Turn<'_, impl Acceptance> {
        let (own, other) = (seat.own(), seat.other().chips());
        let content = move |won: bool, own: u32, _: u32, star: bool| self.after(won, own, star) >= goal;
        Turn { mechanism: self.mechanism, player: self.player, own: own.chips(), other, star: own.has_star(), content }
    }

    /// What the plan says, also after another bid if the player still has what is needed then.
    fn planned(&self, plan: &ParityPlan, seat: &Seat) -> Result<Option<Action>, PlayerError> {
        let end = match (&seat.view.stage, seat.asked()?) {
            (_, Decision::Bid) => return Ok(Some(Action::Bid(plan.bid))),
            (_, Decision::Star { bid }) => return Ok((bid == plan.bid).then_some(Action::UseStar(plan.wins_tie))),
            (TurnStage::Moving { bids, winner, .. }, _) => match (bids.alice == bids.bob, *winner == self.player) {
                (false, true) => BidEnd::Won,
                (false, false) => BidEnd::Lost,
                (true, true) => BidEnd::TieWon,
                (true, false) => BidEnd::TieLost,
            },
            _ => BidEnd::Won, // there was no bid
        };
        let may_let = seat.asked()? == Decision::Move { may_let: true };
        let (own, star) = (seat.own().chips(), seat.own().has_star());
        // The plan need not have this end of another bid, but it may have the other one.
        let others = BidEnd::ALL.into_iter().filter(|other| other.is_won() == end.is_won());
        let mut planned = [end].into_iter().chain(others).filter_map(|end| plan.after[end as usize]);
        Ok(match planned.next() {
            Some(AfterBid::Moves(to)) => {
                let steps = self.unfolding.steps(&seat.view.position, self.player)?.into_iter();
                let keeps = |label| (self.worth)(to, label, own, star).0 >= 0;
                let mut kept = steps.filter(|step| step.step.to == to && keeps(step.step.label));
                kept.next().map(|step| Action::Move(step.step.name))
            }
            Some(AfterBid::Lets) => {
                let keeps = self.moves(self.player.other(), own, star).all(|worth| worth.0 >= 0);
                (may_let && keeps).then_some(Action::Let)
            }
            None => None,
        })
    }

    /// The actions after which most is certain. For a bid that answers none, they make certain of
    /// `goal`, or else of the most chips beyond the threshold.
    fn options(&self, seat: &Seat, goal: Option<Worth>) -> Result<Vec<Action>, PlayerError> {
        let (own, star) = (seat.own().chips(), seat.own().has_star());
        let turn = self.turn(seat, (i64::MIN, i128::MIN));
        let won = |bid: u32, used: bool| {
            let (own, _, star) = turn.holdings_won(bid, used);
            self.after(true, own, star)
        };
        let lost = |bid: u32, used: bool| {
            let (own, _, star) = turn.holdings_lost(bid, used);
            self.after(false, own, star)
        };
        let tie = |bid: u32| {
            let end = |(winner, used)| if winner == self.player { won(bid, used) } else { lost(bid, used) };
            let ends = turn.ties().map(end);
            if turn.holds_tie() { ends.max() } else { ends.min() }
        };
        Ok(match (seat.asked()?, seat.named()) {
            (Decision::Bid, None) => {
                let all = i64::from(seat.own().chips()) + i64::from(seat.other().chips()) + 1;
                let can = |own: i64| self.turn(seat, (own, 0)).is_content();
                let goal = goal.unwrap_or_else(|| (greatest(-all, all, can).unwrap_or(-all), 0));
                let good = spread(&self.turn(seat, goal).good_bids(), COMPARED);
                let bids = if good.is_empty() { spread(&seat.view.bids, COMPARED) } else { good };
                bids.into_iter().map(Action::Bid).collect()
            }
            (Decision::Bid, Some(named)) => {
                let mut bids = spread(&seat.view.bids, COMPARED);
                bids.extend([named, named + 1].into_iter().filter(|&bid| seat.may_bid(bid)));
                best(bids.into_iter().map(|bid| {
                    let worth = match bid.cmp(&named) {
                        std::cmp::Ordering::Less => lost(named, false),
                        std::cmp::Ordering::Equal => tie(bid).unwrap_or((i64::MIN, 0)),
                        std::cmp::Ordering::Greater => won(bid, false),
                    };
                    (Action::Bid(bid), worth)
                }))
            }
            (Decision::Star { bid }, _) => {
                best([(Action::UseStar(true), won(bid, true)), (Action::UseStar(false), lost(bid, false))])
            }
            (Decision::Move { may_let }, _) => {
                let steps = self.unfolding.steps(&seat.view.position, self.player)?.into_iter();
                let of = |to, label| (self.worth)(to, label, own, star);
                let moves = steps.map(|step| (Action::Move(step.step.name), of(step.step.to, step.step.label)));
                let lets = self.moves(self.player.other(), own, star).min().filter(|_| may_let);
                best(moves.chain(lets.map(|worth| (Action::Let, worth))))
            }
        })
    }
}

fn best(options: impl IntoIterator<Item = (Action, Worth)>) -> Vec<Action> {
    let options: Vec<(Action, Worth)> = options.into_iter().collect();
    let most = options.iter().map(|(_, worth)| *worth).max();
    let mut found: Vec<Action> = Vec::new();
    for (action, _) in options.into_iter().filter(|(_, worth)| Some(*worth) == most) {
        if !found.contains(&action) {
            found.push(action);
        }
    }
    found
}
