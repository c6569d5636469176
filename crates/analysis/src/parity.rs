//! Parity games: reports, saved solutions, and their proofs. This file has those with chips.

pub(crate) mod money;
mod winners;

use std::ops::RangeInclusive;

use richman_check::verify::{self, Flaw};
use richman_core::{
    AfterBid, BidEnd, ByPlayer, Effort, Holding, LabelledArena, Mechanism, Node, Outcome, Parity, ParityArena,
    ParityGraph, ParityPlan, ParitySolution, Playable, Player, Threshold, Thresholds, Total, Turn, Unfolding, Watch,
};
use richman_formats::{AfterClaim, ParityClaim, ParityValue, PlanClaim, SavedSolution, SolutionClaim, Truth};
use richman_solvers::parity::{self, ParityPlans};

pub use self::winners::ParityWinners;
use crate::advice::{Advice, AfterTie};
use crate::chips::{ChipsReport, HoldingsQuery, HoldingsReport};
use crate::positions::{HoldingsWorth, PositionRow, PositionWorth, Positions};
use crate::saved::{SavingFault, at_every_position, by_node, named, same, with_game};
use crate::table::{TablePeriods, TableReport, TableRow};
use crate::{Error, HoldingJson, Question, Request, Subject, ThresholdJson};

/// A solved game without an end, with every position.
pub(crate) trait Endless: Send + Sync {
    /// The winner, if play has ended at the start.
    fn winner(&self) -> Option<Player>;

    /// Every position that can follow.
    fn positions(&self) -> Positions<'_>;

    /// The solution with position names; `None` if it was solved without what proves it.
    ///
    /// # Errors
    /// `TooMuchMemory` or `Cancelled`.
    fn saved(&self, subject: &Subject, effort: &Effort) -> Result<Option<SavedSolution>, Error>;
}

fn ended(arena: &ParityArena, node: Node) -> Option<&'static str> {
    arena.terminal(node).map(|winner| winner.either("alice", "bob"))
}

/// A parity game solved with chips.
pub(crate) struct ParityWithChips {
    unfolding: Box<dyn Unfolding<Parity>>,
    solution: ParitySolution,
    hands: Option<HoldingsQuery>,
    /// Both players' plans, where they were asked for, or why there are none for this mechanism.
    plans: Option<Result<ByPlayer<ParityPlans>, richman_core::Error>>,
}

impl ParityWithChips {
    /// Solves the game for one total; with plans if holdings are given or `all` is asked for. To
    /// list all positions needs no plans, so their refusal is kept until the solution is saved.
    ///
    /// # Errors
    /// `Unsupported`, `TooMuchMemory`, `OutOfTime` or `Cancelled`.
    pub fn new(
        unfolding: Box<dyn Unfolding<Parity>>,
        request: (&Mechanism, Total, Option<HoldingsQuery>),
        all: bool,
        effort: &Effort,
    ) -> Result<ParityWithChips, Error> {
        let (mechanism, total, hands) = request;
        let solution = parity::chips(unfolding.arena(), mechanism, total, effort)?;
        let named = |error: richman_core::Error| Error::Core(error.with_names(|node| unfolding.notation(node)));
        let plans = match all || hands.is_some() {
            true => match parity::plans(unfolding.arena(), &solution, effort).map_err(named) {
                Err(Error::Core(refused @ richman_core::Error::Unsupported { .. })) if hands.is_none() => {
                    Some(Err(refused))
                }
                plans => Some(Ok(plans?)),
            },
            false => None,
        };
        Ok(ParityWithChips { unfolding, solution, hands, plans })
    }

    fn request(&self, effort: Effort<'static>) -> Request<'_, Parity> {
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
    }

    /// The report on the start: there are no draws, so both thresholds are the same.
    pub fn report(&self) -> ChipsReport {
        let start = self.unfolding.arena().start();
        let (total, positions) = (self.solution.total, self.unfolding.arena().len());
        let both = [(); 2].map(|()| ThresholdJson::from(self.solution.thresholds[start as usize]));
        let stop = "the fixed point of all priorities".to_string();
        let head = self.request(Effort::default()).head();
        let holdings = self.hands.map(|hands| self.with_hands(start, hands));
        ChipsReport { holdings, ..ChipsReport::new(head, total, both, positions, stop) }
    }

    fn outcome(&self, node: Node, hands: HoldingsQuery) -> Outcome {
        let is_met = self.solution.thresholds[node as usize].is_met_by(hands.alice);
        Outcome::Win(if is_met { Player::Alice } else { Player::Bob })
    }

    fn with_hands(&self, node: Node, hands: HoldingsQuery) -> HoldingsReport {
        let HoldingsQuery { alice, bob, .. } = hands;
        HoldingsReport {
            alice: HoldingJson(alice),
            bob: HoldingJson(bob),
            outcome: self.outcome(node, hands),
            within: None,
            guarantee: None,
            advice: ByPlayer::new(
                self.advice(node, Player::Alice, alice, bob),
                self.advice(node, Player::Bob, bob, alice),
            ),
            trace: None,
        }
    }

    /// A plan that wins, for who can; what is more than the threshold is kept aside.
    fn advice(&self, node: Node, player: Player, own: Holding, other: Holding) -> Option<Advice> {
        let needed = self.solution.needed(player, node);
        let plans = &self.plans.as_ref()?.as_ref().ok()?[player];
        let plan = plans[node as usize][usize::from(own.has_star())].filter(|_| needed.is_met_by(own))?;
        let turn = Turn {
            mechanism: &self.solution.mechanism,
            player,
            own: own.chips(),
            other: other.chips(),
            star: own.has_star(),
            content: |_, _, _, _| true,
        };
        let owner = self.unfolding.arena().owner(node);
        if owner == Some(player.other()) {
            return None;
        }
        let has_bids = owner.is_none();
        let decides = has_bids && turn.holds_tie() && turn.ties().count() > 1;
        let after = |end: BidEnd| plan.after[end as usize];
        let moves = |after: Option<AfterBid>| match after {
            Some(AfterBid::Moves(to)) => {
                let named = self.unfolding.moves(node, player).into_iter().filter(|step| step.to == to);
                named.map(|step| step.name).collect()
            }
            _ => Vec::new(),
        };
        // A tie that is sure to be won has no other way to win.
        let [won, tie] = [after(BidEnd::Won), after(BidEnd::TieWon)];
        let first = won.or(tie);
        let lost = after(BidEnd::Lost).or(after(BidEnd::TieLost));
        let lets = first == Some(AfterBid::Lets);
        let made = if lost != first { moves(lost) } else { Vec::new() };
        Some(Advice {
            bids: if has_bids { vec![[plan.bid; 2]] } else { Vec::new() },
            answers: Vec::new(),
            use_star: decides.then_some(plan.wins_tie),
            star_by_bid: Vec::new(),
            moves: if lets { moves(lost) } else { moves(first) },
            moves_by_bid: Vec::new(),
            let_other_move: lets,
            after_tie: tie
                .filter(|_| tie != first)
                .map(|_| AfterTie { moves: moves(tie), let_other_move: tie == Some(AfterBid::Lets) }),
            made_to_move: if lets { Vec::new() } else { made },
            made_to_move_by_bid: Vec::new(),
            fastest: None,
        })
    }

    fn claim(&self, plan: ParityPlan) -> PlanClaim {
        let after = |after| match after {
            AfterBid::Moves(to) => AfterClaim::Moves(self.unfolding.notation(to)),
            AfterBid::Lets => AfterClaim::Lets(Truth),
        };
        PlanClaim(plan.bid, plan.wins_tie, plan.after.map(|one| one.map(after)))
    }
}

impl Endless for ParityWithChips {
    fn winner(&self) -> Option<Player> {
        let arena = self.unfolding.arena();
        arena.terminal(arena.start())
    }

    fn positions(&self) -> Positions<'_> {
        let arena = self.unfolding.arena();
        Positions::of(self.unfolding.game(), arena.len() as Node, move |node| {
            let [win, draw] = [(); 2].map(|()| ThresholdJson::from(self.solution.thresholds[node as usize]));
            let holdings = self.hands.map(|hands| HoldingsWorth { outcome: self.outcome(node, hands), within: None });
            let worth = PositionWorth::Chips { win, draw, holdings };
            PositionRow { position: self.unfolding.notation(node), end: ended(arena, node), worth }
        })
    }

    fn saved(&self, subject: &Subject, effort: &Effort) -> Result<Option<SavedSolution>, Error> {
        let plans = match &self.plans {
            Some(Ok(plans)) => plans,
            Some(Err(refused)) => return Err(refused.clone().into()),
            None => return Ok(None),
        };
        let arena = self.unfolding.arena();
        let claim = |node: Node| {
            let of = |player: Player| plans[player][node as usize].map(|plan| plan.map(|plan| self.claim(plan)));
            ParityValue {
                position: self.unfolding.notation(node),
                needs: self.solution.thresholds[node as usize],
                plans: ByPlayer::new(of(Player::Alice), of(Player::Bob)),
            }
        };
        let positions = at_every_position(self.unfolding.as_ref(), effort, claim)?;
        let (total, needs) = (self.solution.total, self.solution.thresholds[arena.start() as usize]);
        let claim = ParityClaim { total, needs, positions };
        let claim = SolutionClaim::Parity { totals: vec![claim] };
        Ok(Some(with_game(subject, &self.request(Effort::default()), claim)))
    }
}

/// The thresholds of a position for a range of totals.
pub(crate) fn table(
    subject: &Subject,
    question: &Question,
    totals: RangeInclusive<Total>,
    effort: &Effort,
) -> Result<TableReport, Error> {
    if question.within.is_some() {
        return Err(Error::ParityWithin);
    }
    endless_table(subject, question, totals, effort, |arena: &ParityArena, total, effort| {
        Ok(parity::chips(arena, &question.mechanism, total, effort)?.thresholds[arena.start() as usize])
    })
}

/// The rows of a game without an end, each solved on its own.
pub(crate) fn endless_table<L: Playable>(
    subject: &Subject,
    question: &Question,
    totals: RangeInclusive<Total>,
    effort: &Effort,
    solve: impl Fn(&LabelledArena<L>, Total, &Effort) -> Result<Threshold, richman_core::Error>,
) -> Result<TableReport, Error> {
    let unfolding = subject.unfold_for::<L>(question.position.as_deref(), effort)?;
    // The deadline is for proofs of periods, and there are none.
    let effort = Effort { held: effort.held + unfolding.bytes(), deadline: None, ..*effort };
    let (arena, first, last) = (unfolding.arena(), totals.start().chips(), totals.end().chips());
    let row = |chips: u32| {
        let total = Total::new(u64::from(chips))?;
        let needed = solve(arena, total, &effort)?;
        effort.watch.progress("totals", u64::from(chips - first) + 1, Some(u64::from(last - first) + 1));
        Ok(TableRow::new(total, Thresholds { win: needed, draw: needed }))
    };
    let reason = "none is known for play that never ends".to_string();
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, effort };
    Ok(TableReport {
        head: request.head(),
        truncated: None,
        rows: (first..=last).map(row).collect::<Result<_, Error>>()?,
        period: TablePeriods { win: None, draw: None, reason: Some(reason) },
        class: None,
        stability: None,
    })
}

/// Proves a claim about a parity game; the solution and the plans.
pub(crate) fn check(
    unfolding: &dyn Unfolding<Parity>,
    mechanism: &Mechanism,
    claim: ParityClaim,
    watch: &dyn Watch,
) -> Result<(ParitySolution, ByPlayer<ParityPlans>), SavingFault> {
    let (solution, plans) = claimed(unfolding, mechanism, claim)?;
    verify::parity(unfolding.arena(), &solution, ByPlayer::new(&plans.alice[..], &plans.bob[..]), watch)
        .map_err(|flaw: Flaw| named(unfolding, flaw))?;
    Ok((solution, plans))
}

/// Proves a claim about a parity game, and returns its plans as a game without bids.
pub(crate) fn game_of_plans(
    unfolding: &dyn Unfolding<Parity>,
    mechanism: &Mechanism,
    claim: ParityClaim,
    watch: &dyn Watch,
) -> Result<ParityGraph, SavingFault> {
    let (solution, plans) = claimed(unfolding, mechanism, claim)?;
    let plans = ByPlayer::new(&plans.alice[..], &plans.bob[..]);
    verify::game_of_plans(unfolding.arena(), &solution, plans, |node| unfolding.notation(node), watch)
        .map_err(|flaw: Flaw| named(unfolding, flaw))
}

/// The solution and the plans of a claim.
fn claimed(
    unfolding: &dyn Unfolding<Parity>,
    mechanism: &Mechanism,
    claim: ParityClaim,
) -> Result<(ParitySolution, ByPlayer<ParityPlans>), SavingFault> {
    let to = |name: String| unfolding.node(&name).map_err(|error| SavingFault::Claim(error.to_string()));
    let plan = |PlanClaim(bid, wins_tie, after): PlanClaim| {
        let mut read = [None; BidEnd::ALL.len()];
        for (read, after) in read.iter_mut().zip(after) {
            *read = match after {
                Some(AfterClaim::Moves(name)) => Some(AfterBid::Moves(to(name)?)),
                Some(AfterClaim::Lets(Truth)) => Some(AfterBid::Lets),
                None => None,
            };
        }
        Ok(ParityPlan { bid, wins_tie, after: read })
    };
    let values = claim.positions.into_iter().map(|value| (value.position, (value.needs, value.plans)));
    let (thresholds, claimed): (Vec<Threshold>, Vec<_>) = by_node(unfolding, values)?.into_iter().unzip();
    let mut plans: ByPlayer<ParityPlans> = ByPlayer::both(Vec::with_capacity(claimed.len()));
    for mut both in claimed {
        for player in Player::BOTH {
            let [plain, star] = std::mem::take(&mut both[player]);
            plans[player].push([plain.map(plan).transpose()?, star.map(plan).transpose()?]);
        }
    }
    let solution = ParitySolution { mechanism: mechanism.clone(), total: claim.total, thresholds };
    let of_start = solution.thresholds[unfolding.arena().start() as usize];
    same("win", &claim.needs, &of_start)?;
    Ok((solution, plans))
}
