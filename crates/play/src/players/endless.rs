//! Perfect play of games that need not end, from their solutions with chips: by the plan of the
//! solution, or else by guaranteed results. It ignores a limit of turns.

pub use richman_analysis::EndlessWorth;
use richman_analysis::{EndlessInsight, EndlessRank, Insight, PlayersHolding};
use richman_core::{Acceptance, AfterBid, BidEnd, Node, ParityPlan, Player, StarUse, Turn};

use super::{PlayerError, Seat, spread};
use crate::solved::greatest;
use crate::{Action, Decision, TurnStage};

/// The most bids to choose from.
const COMPARED: u32 = 64;

/// The best actions in a game that need not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndlessChoice {
    /// The actions, which are equally good.
    pub options: Vec<Action>,
    /// The result that the player could guarantee when the turn began.
    pub sure: EndlessWorth,
}

impl EndlessChoice {
    /// The best choices for the pending decision; `None` if the solution is of another kind, or of
    /// other rules or another number of chips.
    ///
    /// # Errors
    /// [`PlayerError::NotNow`] if no decision is due; [`richman_core::Error::BadPosition`] if the
    /// position is outside the solution.
    pub fn of(insight: &Insight, seat: &Seat) -> Result<Option<EndlessChoice>, PlayerError> {
        let Insight::Endless(known) = insight else { return Ok(None) };
        let chips = u64::from(seat.own().chips()) + u64::from(seat.other().chips());
        if *known.mechanism() != seat.rules().mechanism || u64::from(known.total().chips()) != chips {
            return Ok(None);
        }
        let (player, before) = (seat.player, seat.game.hands_before()[seat.player]);
        let node = known.node(&seat.view.position, &seat.game.counts())?;
        let view = EndlessView { known: known.as_ref(), node, player };
        let planned = known.plan(node, player, before).map(|plan| view.planned(plan, seat)).transpose()?.flatten();
        let options = match planned {
            Some(action) => vec![action],
            None => view.options(seat, known.goal(node, player, before))?,
        };
        Ok(Some(EndlessChoice { options, sure: known.sure(node, player, before) }))
    }
}

/// A turn from one player's side.
struct EndlessView<'a> {
    known: &'a dyn EndlessInsight,
    node: Node,
    player: Player,
}

impl EndlessView<'_> {
    fn holds(&self, chips: u32, star: bool) -> PlayersHolding {
        PlayersHolding { player: self.player, chips, star }
    }

    /// The player's own moves by name, with the node and the worth after each.
    fn named_moves(&self, seat: &Seat) -> Result<impl Iterator<Item = (String, Node, EndlessRank)>, PlayerError> {
        let holds = self.holds(seat.own().chips(), seat.own().has_star());
        Ok(self.known.named_moves(&seat.view.position, &seat.game.counts(), holds)?.into_iter())
    }

    /// The best of the player's moves, or the worst of the other's.
    fn move_worth(&self, mover: Player, chips: u32, star: bool) -> Option<EndlessRank> {
        let mut found: Option<EndlessRank> = None;
        self.known.after_moves(self.node, mover, self.holds(chips, star), &mut |worth| {
            let better = |known: EndlessRank| if mover == self.player { known.max(worth) } else { known.min(worth) };
            found = Some(found.map_or(worth, better));
        });
        found
    }

    /// The guaranteed result after the bid was won or lost.
    fn after(&self, won: bool, own: u32, star: bool) -> EndlessRank {
        let best = self.move_worth(self.player, own, star);
        let least = self.move_worth(self.player.other(), own, star);
        let worth = match (won, self.known.mechanism().right.may_let()) {
            (true, true) => best.into_iter().chain(least).max(),
            (true, false) => best,
            (false, true) => best.into_iter().chain(least).min(),
            (false, false) => least,
        };
        worth.unwrap_or((i64::MIN, 0)) // a player who bids has a move
    }

    fn turn(&self, seat: &Seat, goal: EndlessRank) -> Turn<'_, impl Acceptance> {
        let (own, other) = (seat.own(), seat.other().chips());
        let content = move |won: bool, own: u32, _: u32, star: bool| self.after(won, own, star) >= goal;
        Turn {
            mechanism: self.known.mechanism(),
            player: self.player,
            own: own.chips(),
            other,
            star: own.has_star(),
            content,
        }
    }

    /// The plan's action, also after a bid outside the plan if the player still has enough.
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
        // The plan may lack this end of another bid, but have the other one.
        let others = BidEnd::ALL.into_iter().filter(|other| other.is_won() == end.is_won());
        let mut planned = [end].into_iter().chain(others).filter_map(|end| plan.after[end as usize]);
        Ok(match planned.next() {
            Some(AfterBid::Moves(to)) => {
                let mut kept = self.named_moves(seat)?.filter(|&(_, after, worth)| after == to && worth.0 >= 0);
                kept.next().map(|(name, ..)| Action::Move(name))
            }
            Some(AfterBid::Lets) => {
                let keeps = self.move_worth(self.player.other(), own, star).is_none_or(|worth| worth.0 >= 0);
                (may_let && keeps).then_some(Action::Let)
            }
            None => None,
        })
    }

    /// The actions that guarantee the most. A bid that answers none guarantees `goal`, or else the
    /// most chips beyond the threshold.
    fn options(&self, seat: &Seat, goal: Option<EndlessRank>) -> Result<Vec<Action>, PlayerError> {
        let (own, star) = (seat.own().chips(), seat.own().has_star());
        let turn = self.turn(seat, (i64::MIN, i128::MIN));
        let won = |bid: u32, used: StarUse| {
            let (own, _, star) = turn.holdings_won(bid, used);
            self.after(true, own, star)
        };
        let lost = |bid: u32, used: StarUse| {
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
                        std::cmp::Ordering::Less => lost(named, StarUse::Kept),
                        std::cmp::Ordering::Equal => tie(bid).unwrap_or((i64::MIN, 0)),
                        std::cmp::Ordering::Greater => won(bid, StarUse::Kept),
                    };
                    (Action::Bid(bid), worth)
                }))
            }
            (Decision::Star { bid }, _) => best([
                (Action::UseStar(true), won(bid, StarUse::Used)),
                (Action::UseStar(false), lost(bid, StarUse::Kept)),
            ]),
            (Decision::Move { may_let }, _) => {
                let moves = self.named_moves(seat)?.map(|(name, _, worth)| (Action::Move(name), worth));
                let lets = self.move_worth(self.player.other(), own, star).filter(|_| may_let);
                best(moves.chain(lets.map(|worth| (Action::Let, worth))))
            }
        })
    }
}

fn best(options: impl IntoIterator<Item = (Action, EndlessRank)>) -> Vec<Action> {
    let options: Vec<(Action, EndlessRank)> = options.into_iter().collect();
    let most = options.iter().map(|(_, worth)| *worth).max();
    let mut found: Vec<Action> = Vec::new();
    for (action, _) in options.into_iter().filter(|(_, worth)| Some(*worth) == most) {
        if !found.contains(&action) {
            found.push(action);
        }
    }
    found
}
