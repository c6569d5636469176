//! Parity games with real money.

use richman_check::verify;
use richman_core::{
    Bids, ByPlayer, Choice, Effort, Mechanism, Move, Node, Parity, ParityMoneySolution, Player, ShareBounds,
    StopReason, Terminal, Unfolding,
};
use richman_engine::{EvaluatedMove, Evaluation, Origin, Value};
use richman_solvers::{exact_bids, parity, registry, without_money};

use super::claims::{ParityMoneyClaim, ParityMoneyValue};
use super::{end, end_word, refusal};
use crate::ask::Saving;
use crate::kinds::Report;
use crate::kinds::{Kind, ProvableClaim, Solved, one_threshold};
use crate::money::{self, BidsSuffice, EndWins, MoneyReport};
use crate::positions::{PositionRow, Positions};
use crate::saved::{ProvedClaim, SavingFault, at_every_position, by_node, named, same, with_game};
use crate::tree::{Progress, TreeOptions, TreeReport, TreeValues, Worths};
use crate::{BoundsJson, Error, Question, Request, Stake, Subject};

/// A parity game solved with real money.
pub(crate) struct ParityWithMoney {
    unfolding: Box<dyn Unfolding<Parity>>,
    solution: ParityMoneySolution,
    at_end: EndWins,
    bid_suffices: BidsSuffice,
}

impl ParityWithMoney {
    fn request(&self) -> Request<'_, Parity> {
        let effort = Effort::default();
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.solution.mechanism, effort }
    }

    fn value(&self, node: Node) -> Value {
        let needs = self.solution.thresholds.get(node);
        Value::Money { win: needs.clone(), draw: needs }
    }

    /// The report on the start: there are no draws, so both thresholds are the same. If play can
    /// come back, one winning move of each player is named.
    fn report(&self) -> MoneyReport {
        let arena = self.unfolding.arena();
        let (start, component) = (arena.start(), arena.components().component(arena.start()));
        let comes_back = arena.components().is_cyclic(component as usize);
        let after = |player: Player| {
            let chosen = self.solution.strategies[player][start as usize];
            let one = |step: Move<Parity>| EvaluatedMove {
                target: Some(step.to),
                leads_on: (comes_back && step.to == chosen).then_some(true),
                ..EvaluatedMove::new(step.name, self.value(step.to))
            };
            self.unfolding.moves(start, player).into_iter().map(one).collect()
        };
        let how = match self.solution.stop {
            StopReason::Acyclic => &StopReason::Acyclic.to_string(),
            StopReason::Proved => "proved by a strategy of each player",
            StopReason::TimeUp => "bounds proved by a strategy of each player; the time was up",
            _ => "bounds proved by a strategy of each player",
        };
        let exact_positions = Some(self.solution.thresholds.exact_count() as u64);
        let origin = Origin { exact_positions, ..Origin::exact(how.to_string(), arena.len() as u64) };
        let evaluation = Evaluation { here: self.value(start), after: ByPlayer::from_fn(after), origin };
        let report = money::of_evaluation(self.request().head(), &evaluation);
        // What Bob's moves win by is the same threshold.
        let mut moves = report.moves;
        (moves.bob, moves.undecided.bob) = (report.draw_moves.bob, report.draw_moves.undecided.bob);
        let (at_end, bid_suffices) = (self.at_end, self.bid_suffices);
        MoneyReport { draw_moves: moves.clone(), moves, at_end, bid_suffices, ..report }
    }
}

impl Kind for ParityWithMoney {
    type Objective = Parity;

    const TAKES: &'static [Choice] = &[];

    fn is_asked(question: &Question) -> bool {
        matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        refusal(choice)
    }

    fn serves(question: &Question) -> Result<(), Error> {
        Ok(registry::money(&question.mechanism).map(drop)?)
    }

    fn solve(
        unfolding: Box<dyn Unfolding<Parity>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<ParityWithMoney>), Error> {
        let (arena, mechanism) = (unfolding.arena(), &question.mechanism);
        let solution = parity::money(arena, mechanism, effort)?;
        let needs = BoundsJson(solution.thresholds.get(arena.start()));
        let at_end = money::of_one_threshold(&needs, effort, |poor, end, effort| {
            let is_enough = |node: Node| solution.thresholds.get(node).as_exact() == Some(end);
            without_money::parity(arena, mechanism, poor, &is_enough, effort)
        })?;
        let comes_back = arena.components().is_cyclic(arena.components().component(arena.start()) as usize);
        let bid_suffices = match comes_back && arena.owner(arena.start()).is_none() {
            false => ByPlayer::both(None),
            true => money::bids_suffice([&needs, &needs], arena.edges(), effort, |player, effort| {
                let needs = |node: Node| {
                    let share = solution.thresholds.get(node).as_exact().cloned()?;
                    Some(if player == Player::Alice { share } else { share.complement() })
                };
                exact_bids::parity(arena, player, &needs, effort)
            })?,
        };
        let solved = ParityWithMoney { unfolding, solution, at_end, bid_suffices };
        Ok((Report::Money(Box::new(solved.report())), Some(solved)))
    }

    fn has_tree(question: &Question) -> bool {
        question.mechanism.bids == Bids::All
    }

    /// The moves are those of the strategies that prove the thresholds.
    fn tree(
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        one_threshold::tree(subject, question, choices, effort, |unfolding: &dyn Unfolding<Parity>, effort| {
            let arena = unfolding.arena();
            let solved = parity::money(arena, &question.mechanism, effort)?;
            let bounds = arena.nodes().map(|node| solved.thresholds.get(node)).collect();
            let moves = solved.strategies.map(|of| of.into_iter().map(Some).collect());
            Ok(TreeValues { worths: Worths::Bounds(bounds), progress: Progress::Moves(moves), stays: Vec::new() })
        })
    }
}

impl Solved for ParityWithMoney {
    fn end(&self) -> Option<Terminal> {
        end(self.unfolding.arena())
    }

    fn positions(&self) -> Option<Positions<'_>> {
        let arena = self.unfolding.arena();
        Some(Positions::of(self.unfolding.game(), arena.len() as Node, move |node| {
            let worth = one_threshold::worth_in_money(self.solution.thresholds.get(node));
            PositionRow { position: self.unfolding.notation(node), end: end_word(arena, node), worth }
        }))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let arena = self.unfolding.arena();
        let claim = |node: Node| {
            let of = |player: Player| {
                let moves = !arena.moves(node, player).is_empty();
                moves.then(|| self.unfolding.notation(self.solution.strategies[player][node as usize]))
            };
            ParityMoneyValue {
                position: self.unfolding.notation(node),
                needs: self.solution.thresholds.get(node),
                moves: ByPlayer::from_fn(of),
            }
        };
        let needs = self.solution.thresholds.get(arena.start());
        let positions = at_every_position(self.unfolding.as_ref(), effort, claim)?;
        let claim = ParityMoneyClaim { needs, positions };
        Ok(Some(Saving::new(with_game(subject, &self.request(), claim))))
    }
}

impl ProvableClaim for ParityMoneyClaim {
    type Objective = Parity;
    type Compact = ParityMoneyClaim;

    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error> {
        Ok(registry::money(mechanism).map(drop)?)
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn describe(&self, _: &mut ProvedClaim) -> usize {
        self.positions.iter().filter(|value| value.needs.as_exact().is_some()).count()
    }

    fn prove(
        ParityMoneyClaim { needs, positions }: ParityMoneyClaim,
        unfolding: &dyn Unfolding<Parity>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault> {
        let values = positions.into_iter().map(|value| (value.position, (value.needs, value.moves)));
        let (thresholds, moves): (Vec<ShareBounds>, Vec<_>) = by_node(unfolding, values)?.into_iter().unzip();
        let mut strategies = ByPlayer::both(Vec::with_capacity(moves.len()));
        for (node, moves) in (0..).zip(moves) {
            for player in Player::BOTH {
                let wrong = |what: &str| {
                    let what = format!("position {:?}: {player} {what}", unfolding.notation(node));
                    Err(SavingFault::Claim(what))
                };
                let to = match (&moves[player], unfolding.arena().moves(node, player).is_empty()) {
                    (Some(name), false) => {
                        unfolding.node(name).map_err(|error| SavingFault::Claim(error.to_string()))?
                    }
                    (None, true) => node,
                    (None, false) => return wrong("moves here, so a move must be given"),
                    (Some(_), true) => return wrong("does not move here, so the move must be null"),
                };
                strategies[player].push(to);
            }
        }
        same("win", &needs, &thresholds[unfolding.arena().start() as usize])?;
        let strategies = ByPlayer::new(&strategies.alice[..], &strategies.bob[..]);
        verify::parity_money(unfolding.arena(), mechanism, &thresholds, strategies, effort.watch)
            .map_err(|flaw| named(unfolding, flaw))
    }
}
