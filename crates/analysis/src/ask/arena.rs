//! Checks a question against the game's aim, and answers it from the arena.

use richman_core::{Aim, Effort, MeanPayoff, Parity, Scores, Share, Total};
use richman_solvers::{mean_payoff, parity, purses, registry};

use super::engines::CostedQuestion;
use super::{Answer, ArenaSolution, Insight, Opened, Question, Report, Scope, SolvedArena, Stake};
use crate::chips::{self, HoldingsQuery, SolvedChips};
use crate::mean_payoff::{MeanPayoffAtLeast, MeanPayoffWithChips, MeanPayoffWithMoney};
use crate::parity::{Endless, ParityWithChips, money::ParityWithMoney};
use crate::{Error, Request, ScoreRequest, money, scores};

/// Refuses real money under mechanisms without real-money thresholds, and questions about scores in
/// win-lose games, and a share where it does not matter. With chips the arena itself refuses what
/// it does not serve.
pub(super) fn check(question: &Question) -> Result<(), Error> {
    if question.share.is_some() && question.aim != Aim::MeanPayoff {
        return Err(Error::ShareOfThreshold);
    }
    if question.at_least.is_some() && question.aim != Aim::MeanPayoff {
        return Err(Error::NoAverage);
    }
    match (question.aim, question.stake) {
        (Aim::Stochastic, _) => return Err(Error::ByChance),
        (Aim::Win, Stake::Money) => registry::money(&question.mechanism).map(drop)?,
        (Aim::Win, _) => {}
        (Aim::Score, _) if question.within.is_some() => return Err(Error::ScoreWithin),
        (Aim::Score, stake) => {
            let total = stake.total(&question.mechanism)?.ok_or(Error::ScoreMoney)?;
            registry::scores(&question.mechanism, total)?;
        }
        (Aim::Parity, _) if question.within.is_some() => return Err(Error::ParityWithin),
        (Aim::Parity, Stake::Money) => registry::money(&question.mechanism).map(drop)?,
        (Aim::Parity, Stake::Hands(hands)) if hands.trace => return Err(Error::EndlessTrace),
        (Aim::Parity, _) => registry::parity_chips(&question.mechanism)?,
        (Aim::MeanPayoff, _) if question.within.is_some() => return Err(Error::AverageWithin),
        (Aim::MeanPayoff, _) if question.share.is_some() && question.at_least.is_some() => {
            return Err(Error::ShareOfThreshold);
        }
        (Aim::MeanPayoff, Stake::Money) => registry::money(&question.mechanism).map(drop)?,
        (Aim::MeanPayoff, Stake::Hands(hands)) if hands.trace => return Err(Error::EndlessTrace),
        (Aim::MeanPayoff, _) if question.share.is_some() => return Err(Error::ShareOfChips),
        (Aim::MeanPayoff, _) => registry::parity_chips(&question.mechanism)?,
    }
    Ok(())
}

pub(super) fn answer(asked: &CostedQuestion) -> Result<Answer, Error> {
    match asked.question.aim {
        Aim::Win => win(asked),
        Aim::Score => score(asked),
        Aim::Parity => parity(asked),
        Aim::MeanPayoff => average(asked),
        Aim::Stochastic => Err(Error::ByChance),
    }
}

/// A parity game.
fn parity(asked: &CostedQuestion) -> Result<Answer, Error> {
    let CostedQuestion { subject, question, effort, .. } = *asked;
    let unfolding = subject.unfold_for::<Parity>(question.position.as_deref(), effort)?;
    let until = effort.until();
    let effort = Effort { held: effort.held + unfolding.bytes(), watch: &until, ..*effort };
    let mechanism = &question.mechanism;
    let picture = unfolding.picture(unfolding.arena().start());
    let (report, solved): (Report, Box<dyn Endless>) = match (question.stake, question.stake.total(mechanism)?) {
        (_, None) => {
            let solved = ParityWithMoney::new(unfolding, mechanism, &Effort { watch: asked.effort.watch, ..effort })?;
            (Report::Money(Box::new(solved.report())), Box::new(solved))
        }
        (stake, Some(total)) => {
            let hands = if let Stake::Hands(hands) = stake { Some(hands) } else { None };
            let solved = ParityWithChips::new(unfolding, (mechanism, total, hands), question.all, &effort)?;
            (Report::Chips(Box::new(solved.report())), Box::new(solved))
        }
    };
    Ok(Answer { endless: Some(solved), ..Answer::alone(report, picture) })
}

/// A mean-payoff game.
fn average(asked: &CostedQuestion) -> Result<Answer, Error> {
    let CostedQuestion { subject, question, effort, .. } = *asked;
    let unfolding = subject.unfold_for::<MeanPayoff>(question.position.as_deref(), effort)?;
    let effort = Effort { held: effort.held + unfolding.bytes(), ..*effort };
    let picture = unfolding.picture(unfolding.arena().start());
    let mechanism = &question.mechanism;
    let (report, solved): (Report, Box<dyn Endless>) = match (question.stake, question.stake.total(mechanism)?) {
        (_, None) => match &question.at_least {
            Some(least) => {
                let solved = MeanPayoffAtLeast::new(unfolding, mechanism, &least.0, &effort)?;
                (Report::Money(Box::new(solved.report(effort.watch)?)), Box::new(solved))
            }
            None => {
                let share = question.share.clone().unwrap_or(Share::dyadic(1, 1));
                let solved = MeanPayoffWithMoney::new(unfolding, mechanism, &share, &effort)?;
                (Report::Average(Box::new(solved.report())), Box::new(solved))
            }
        },
        (stake, Some(total)) => {
            let hands = if let Stake::Hands(hands) = stake { Some(hands) } else { None };
            let until = effort.until();
            let effort = Effort { watch: &until, ..effort };
            let least = question.at_least.as_ref().map(|least| least.0.clone());
            let solved = MeanPayoffWithChips::new(unfolding, (mechanism, total, hands), least, &effort)?;
            (solved.report(), Box::new(solved))
        }
    };
    Ok(Answer { endless: Some(solved), ..Answer::alone(report, picture) })
}

fn win(asked: &CostedQuestion) -> Result<Answer, Error> {
    let CostedQuestion { subject, question, effort, .. } = *asked;
    let until = effort.until();
    let open = if let Stake::Money = question.stake { Opened::open } else { Opened::new };
    let opened = open(subject, question, &Effort { watch: &until, ..*effort })?;
    let (report, solution) = solved(&opened.request(effort.watch), question)?;
    let picture = opened.unfolding.picture(opened.unfolding.arena().start());
    let known = solution.map(|solution| SolvedArena { opened, solution });
    Ok(Answer { known, ..Answer::alone(report, picture) })
}

/// The report from an arena, with the solution of every position if requested.
fn solved(request: &Request, question: &Question) -> Result<(Report, Option<ArenaSolution>), Error> {
    Ok(match question.stake {
        Stake::Money => {
            let (report, solution) = money::report(request)?;
            (Report::Money(Box::new(report)), Some(ArenaSolution::Money(solution)))
        }
        Stake::Hands(hands) if request.mechanism.has_bank() => {
            let (report, solution) = chips::purses_report(request, hands)?;
            (Report::Purses(Box::new(report)), Some(ArenaSolution::Purses(SolvedChips::Purses(solution), hands)))
        }
        Stake::Total(total) if !question.all => (Report::Chips(Box::new(chips::report(request, total)?)), None),
        Stake::Total(total) => with_chips(request, total, None)?,
        Stake::Hands(hands) => with_chips(request, hands.total(request.mechanism)?, Some(hands))?,
    })
}

fn with_chips(
    request: &Request,
    total: Total,
    hands: Option<HoldingsQuery>,
) -> Result<(Report, Option<ArenaSolution>), Error> {
    let (report, solved) = chips::full_report(request, total, hands)?;
    Ok((Report::Chips(Box::new(report)), Some(ArenaSolution::Chips(solved, total, hands))))
}

fn score(asked: &CostedQuestion) -> Result<Answer, Error> {
    let CostedQuestion { subject, question, effort, .. } = *asked;
    let unfolding = subject.unfold_for::<Scores>(question.position.as_deref(), effort)?;
    let effort = Effort { held: unfolding.bytes(), ..*effort };
    let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, effort };
    let total = question.stake.total(request.mechanism)?.ok_or(Error::ScoreMoney)?;
    if question.map {
        scores::check_map(&request, total)?;
    }
    let solution = request.solve(total)?;
    let alice = if let Stake::Hands(hands) = question.stake { Some(hands.alice) } else { None };
    let choices = scores::ScoreOptions { alice, bids_table: question.bids_table, all: question.all };
    let report = Report::Scores(Box::new(scores::report(&request, &solution, &choices)?));
    let map = if question.map { Some(scores::map(&request, &solution)?) } else { None };
    Ok(Answer { map, ..Answer::alone(report, asked.walk.picture()) })
}

/// Solves every position for every division of the chips.
pub(super) fn solve(scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
    let Scope { subject, position, mechanism, total, purses } = *scope;
    match subject.aim() {
        Aim::Win => {
            let unfolding = subject.unfold(position, effort)?;
            let effort = Effort { held: effort.held + unfolding.bytes(), ..*effort };
            let arena = unfolding.arena();
            let solved = if mechanism.has_bank() {
                SolvedChips::Purses(purses::solve(arena, mechanism, purses, &effort)?)
            } else {
                chips::solve(arena, mechanism, total, &effort)?
            };
            Ok(Insight::Chips(unfolding.into(), Box::new(solved)))
        }
        Aim::Score => {
            registry::scores(mechanism, total)?;
            let unfolding = subject.unfold_for::<Scores>(position, effort)?;
            let effort = Effort { held: effort.held + unfolding.bytes(), ..*effort };
            let solution = richman_solvers::scores::solve(unfolding.arena(), mechanism, total, &effort)?;
            Ok(Insight::Scores(unfolding, solution))
        }
        Aim::Parity => {
            registry::parity_chips(mechanism)?;
            let unfolding = subject.unfold_for::<Parity>(position, effort)?;
            let effort = Effort { held: effort.held + unfolding.bytes(), ..*effort };
            let named = |error: richman_core::Error| error.with_names(|node| unfolding.notation(node));
            let solution = parity::chips(unfolding.arena(), mechanism, total, &effort)?;
            let plans = parity::plans(unfolding.arena(), &solution, &effort).map_err(named)?;
            Ok(Insight::Parity(unfolding, solution, plans))
        }
        Aim::MeanPayoff => {
            registry::parity_chips(mechanism)?;
            let unfolding = subject.unfold_for::<MeanPayoff>(position, effort)?;
            let effort = Effort { held: effort.held + unfolding.bytes(), ..*effort };
            let solution = mean_payoff::chips(unfolding.arena(), mechanism, total, &effort)?;
            Ok(Insight::Averages(unfolding, solution))
        }
        Aim::Stochastic => Err(Error::ByChance),
    }
}
