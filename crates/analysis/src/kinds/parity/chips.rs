//! Parity games with a total of chips.

use std::ops::RangeInclusive;

use richman_check::verify::{self, Flaw};
use richman_core::{
    AfterBid, BidEnd, ByPlayer, Choice, Effort, Holding, Mechanism, Node, Parity, ParityArena, ParityGraph, ParityPlan,
    ParitySolution, Player, Terminal, Threshold, Total, Turn, Unfolding, Watch,
};
use richman_solvers::parity::{self, ParityPlans};
use richman_solvers::registry;

use super::claims::{AfterClaim, ParityClaim, ParityClaims, ParityValue, PlanClaim, Truth};
use super::{ParityInsight, end, end_word, refusal};
use crate::advice::{Advice, AfterTie};
use crate::ask::{Insight, Saving, Scope, TableSource};
use crate::chips::HoldingsQuery;
use crate::kinds::Report;
use crate::kinds::{Kind, ProvableClaim, Solved, one_threshold};
use crate::positions::{PositionRow, Positions};
use crate::proved::of_total;
use crate::saved::{ProvedClaim, SavingFault, at_every_position, by_node, named, same, with_game};
use crate::tree::{Progress, TreeOptions, TreeReport, TreeValues, Worths};
use crate::{Error, Question, Request, Stake, Subject};

/// A parity game solved with chips.
pub(crate) struct ParityWithChips {
    unfolding: Box<dyn Unfolding<Parity>>,
    solution: ParitySolution,
    hands: Option<HoldingsQuery>,
    /// Both players' plans, where they were asked for, or why there are none for this mechanism.
    plans: Option<Result<ByPlayer<ParityPlans>, richman_core::Error>>,
}

impl ParityWithChips {
    fn request(&self, effort: Effort<'static>) -> Request<'_, Parity> {
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
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

/// Both players' plans, in the words of the game where they are refused.
fn plans(
    unfolding: &dyn Unfolding<Parity>,
    solution: &ParitySolution,
    effort: &Effort,
) -> Result<ByPlayer<ParityPlans>, richman_core::Error> {
    parity::plans(unfolding.arena(), solution, effort)
        .map_err(|error| error.with_names(|node| unfolding.notation(node)))
}

impl Kind for ParityWithChips {
    type Objective = Parity;

    const TAKES: &'static [Choice] = &[];

    fn is_asked(question: &Question) -> bool {
        !matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        refusal(choice)
    }

    fn serves(question: &Question) -> Result<(), Error> {
        Ok(registry::parity_chips(&question.mechanism)?)
    }

    /// With plans if holdings are given or all positions are asked for. To list all positions needs
    /// no plans, so their refusal is kept until the solution is saved.
    fn solve(
        unfolding: Box<dyn Unfolding<Parity>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<ParityWithChips>), Error> {
        let until = effort.until();
        let effort = Effort { watch: &until, ..*effort };
        let (total, hands) = question.stake.chips(&question.mechanism)?;
        let solution = parity::chips(unfolding.arena(), &question.mechanism, total, &effort)?;
        let plans = match question.all || hands.is_some() {
            true => match plans(unfolding.as_ref(), &solution, &effort) {
                Err(refused @ richman_core::Error::Unsupported { .. }) if hands.is_none() => Some(Err(refused)),
                plans => Some(Ok(plans?)),
            },
            false => None,
        };
        let solved = ParityWithChips { unfolding, solution, hands, plans };
        let (arena, head) = (solved.unfolding.arena(), solved.request(Effort::default()).head());
        let about = (total, arena.len(), "the fixed point of all priorities");
        let needed = solved.solution.thresholds[arena.start() as usize];
        let advice = |player, own, other| solved.advice(arena.start(), player, own, other);
        let report = one_threshold::report_in_chips(head, about, needed, hands, advice);
        Ok((Report::Chips(Box::new(report)), Some(solved)))
    }

    fn has_table(question: &Question) -> bool {
        Self::serves(question).is_ok()
    }

    fn table(
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error> {
        one_threshold::table(subject, question, totals, effort, |arena: &ParityArena, total, effort| {
            Ok(parity::chips(arena, &question.mechanism, total, effort)?.thresholds[arena.start() as usize])
        })
    }

    fn has_tree(question: &Question) -> bool {
        Self::serves(question).is_ok()
    }

    /// The moves are those of the plans that prove the thresholds.
    fn tree(
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        let (total, _) = question.stake.chips(&question.mechanism)?;
        one_threshold::tree(subject, question, choices, effort, |unfolding: &dyn Unfolding<Parity>, effort| {
            let arena = unfolding.arena();
            let solved = parity::chips(arena, &question.mechanism, total, effort)?;
            let plans = plans(unfolding, &solved, effort)?;
            let chosen = |player: Player, node: Node| {
                let star = solved.needed(player, node).holding()?.has_star();
                let after = plans[player][node as usize][usize::from(star)]?.after;
                match after[BidEnd::Won as usize].or(after[BidEnd::TieWon as usize])? {
                    AfterBid::Moves(to) => Some(to),
                    AfterBid::Lets => None,
                }
            };
            let moves = ByPlayer::from_fn(|player| arena.nodes().map(|node| chosen(player, node)).collect());
            let worths = Worths::Chips(solved.thresholds, total);
            Ok(TreeValues { worths, progress: Progress::Moves(moves), stays: Vec::new() })
        })
    }

    fn insight(unfolding: Box<dyn Unfolding<Parity>>, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        registry::parity_chips(scope.mechanism)?;
        let solution = parity::chips(unfolding.arena(), scope.mechanism, scope.total, effort)?;
        let plans = plans(unfolding.as_ref(), &solution, effort)?;
        Ok(Insight::Endless(Box::new(ParityInsight { unfolding, solution, plans })))
    }
}

impl Solved for ParityWithChips {
    fn end(&self) -> Option<Terminal> {
        end(self.unfolding.arena())
    }

    fn positions(&self) -> Option<Positions<'_>> {
        let arena = self.unfolding.arena();
        Some(Positions::of(self.unfolding.game(), arena.len() as Node, move |node| {
            let worth = one_threshold::worth_in_chips(self.solution.thresholds[node as usize], self.hands);
            PositionRow { position: self.unfolding.notation(node), end: end_word(arena, node), worth }
        }))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
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
        let claim = ParityClaims { totals: vec![claim] };
        Ok(Some(Saving::new(with_game(subject, &self.request(Effort::default()), claim))))
    }
}

/// Proves a claim for one total; the solution and the plans.
fn proved(
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

impl ProvableClaim for ParityClaims {
    type Objective = Parity;
    type Compact = ParityClaims;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::parity_chips(mechanism)?)
    }

    fn positions(&self) -> usize {
        self.totals.iter().map(|claim| claim.positions.len()).min().unwrap_or(0)
    }

    fn describe(&self, proved: &mut ProvedClaim) -> usize {
        proved.totals = self.totals.iter().map(|claim| claim.total.chips()).collect();
        self.positions()
    }

    fn prove(
        claim: ParityClaims,
        unfolding: &dyn Unfolding<Parity>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        claim.totals.into_iter().try_for_each(|claim| proved(unfolding, mechanism, claim, effort.watch).map(drop))
    }

    fn insight(self, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        let picked = self.totals.into_iter().find(|claim| claim.total == scope.total);
        of_total::<ParityClaims, _>(scope, effort, picked, |unfolding, claim| {
            let (solution, plans) = proved(unfolding.as_ref(), scope.mechanism, claim, effort.watch)?;
            Ok(Insight::Endless(Box::new(ParityInsight { unfolding, solution, plans })))
        })
    }

    fn game_of_plans(
        self,
        unfolding: &dyn Unfolding<Parity>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<ParityGraph, SavingFault> {
        let [claim] = <[_; 1]>::try_from(self.totals).map_err(|_| SavingFault::NoPlans)?;
        let (solution, plans) = claimed(unfolding, mechanism, claim)?;
        let plans = ByPlayer::new(&plans.alice[..], &plans.bob[..]);
        verify::game_of_plans(unfolding.arena(), &solution, plans, |node| unfolding.notation(node), effort.watch)
            .map_err(|flaw: Flaw| named(unfolding, flaw))
    }
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
