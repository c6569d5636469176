//! Games that a player wins: with real money, with a total of chips, or with two purses where the
//! bank is paid. Plays without an end are draws.

pub mod chips;
pub mod claims;
pub mod money;
mod proofs;

use std::ops::RangeInclusive;

use richman_core::{Bids, ByPlayer, Choice, Effort, MoneySolution, Node, Purses, Terminal, Total, Unfolding, WinLose};
use richman_solvers::registry;

use self::chips::{HoldingsQuery, SolvedChips};
use super::{Kind, Solved};
use crate::ask::{AfterMove, Insight, Opened, Saving, Scope, TableSource, table_of_totals};
use crate::kinds::Report;
use crate::positions::{HoldingsWorth, PositionRow, PositionWorth, Positions};
use crate::{BoundsJson, Error, Question, Stake, Subject, saved};

/// The errors for choices that no kind takes.
fn refusal(choice: Choice) -> Option<Error> {
    match choice {
        Choice::AT_LEAST => Some(Error::NoAverage),
        Choice::SHARE => Some(Error::ShareOfThreshold),
        Choice::CREDITS => Some(Error::CreditsOfOther),
        _ => None,
    }
}

fn end(opened: &Opened) -> Option<Terminal> {
    let arena = opened.unfolding().arena();
    arena.terminal(arena.start())
}

fn rows<'a>(opened: &'a Opened, worth: impl Fn(Node) -> PositionWorth + 'a) -> Positions<'a> {
    let (unfolding, arena) = (opened.unfolding(), opened.unfolding().arena());
    Positions::of(unfolding.game(), arena.len() as Node, move |node| PositionRow {
        position: unfolding.notation(node),
        end: arena.terminal(node).map(|end| match end {
            Terminal::Win(winner) => winner.either("alice", "bob"),
            Terminal::Draw => "draw",
        }),
        worth: worth(node),
    })
}

/// Both players' first `most` moves, with the thresholds after them. With a limit of t moves, the
/// next positions have the values for t - 1, which was not solved.
fn after(opened: &Opened, most: usize, then: impl Fn(Node) -> AfterMove) -> ByPlayer<Vec<(String, AfterMove)>> {
    if opened.within().is_some() {
        return ByPlayer::default();
    }
    let unfolding = opened.unfolding();
    ByPlayer::from_fn(|player| {
        let moves = unfolding.moves(unfolding.arena().start(), player).into_iter().take(most);
        moves.map(|step| (step.name, then(step.to))).collect()
    })
}

/// Real money.
pub(crate) struct WinWithMoney {
    opened: Opened,
    solution: MoneySolution,
}

impl Kind for WinWithMoney {
    type Objective = WinLose;

    const TAKES: &'static [Choice] = &[Choice::WITHIN, Choice::TRACE];

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
        unfolding: Box<dyn Unfolding>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<WinWithMoney>), Error> {
        let opened = Opened::of(unfolding, question, effort);
        let (report, solution) = money::report(&opened.request(effort.watch))?;
        Ok((Report::Money(Box::new(report)), Some(WinWithMoney { opened, solution })))
    }

    fn has_tree(question: &Question) -> bool {
        question.mechanism.bids == Bids::All
    }
}

impl Solved for WinWithMoney {
    fn end(&self) -> Option<Terminal> {
        end(&self.opened)
    }

    fn positions(&self) -> Option<Positions<'_>> {
        let MoneySolution { win, draw, .. } = &self.solution;
        let worth = |node| PositionWorth::Money { win: BoundsJson(win.get(node)), draw: BoundsJson(draw.get(node)) };
        Some(rows(&self.opened, worth))
    }

    fn after(&self, most: usize) -> ByPlayer<Vec<(String, AfterMove)>> {
        let MoneySolution { win, draw, .. } = &self.solution;
        after(&self.opened, most, |node| AfterMove::Money([win, draw].map(|shares| BoundsJson(shares.get(node)))))
    }

    /// The thresholds are written position by position.
    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let WinWithMoney { opened, solution } = *self;
        let (head, claim) = saved::money_head(subject, &opened.request(effort.watch), &solution)?;
        Ok(Some(Saving::streamed(move |out| {
            let request = opened.request(&richman_core::Unwatched);
            let values = saved::money_values(&request, &solution);
            richman_formats::saved::write_with(&head, |out| claim.write_with(values, out), out)
        })))
    }
}

/// A total of chips.
pub(crate) struct WinWithChips {
    opened: Opened,
    solved: SolvedChips,
    total: Total,
    hands: Option<HoldingsQuery>,
}

impl Kind for WinWithChips {
    type Objective = WinLose;

    const TAKES: &'static [Choice] = &[Choice::WITHIN, Choice::TRACE];

    fn is_asked(question: &Question) -> bool {
        !question.mechanism.has_bank() && !matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        refusal(choice)
    }

    /// The solvers themselves refuse mechanisms that they do not serve.
    fn serves(_: &Question) -> Result<(), Error> {
        Ok(())
    }

    fn solve(
        unfolding: Box<dyn Unfolding>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<WinWithChips>), Error> {
        let (total, hands) = question.stake.chips(&question.mechanism)?;
        let opened = Opened::of(unfolding, question, effort);
        let request = opened.request(effort.watch);
        if hands.is_none() && !question.all {
            return Ok((Report::Chips(Box::new(chips::report(&request, total)?)), None));
        }
        let (report, solved) = chips::full_report(&request, total, hands)?;
        Ok((Report::Chips(Box::new(report)), Some(WinWithChips { opened, solved, total, hands })))
    }

    fn has_table(_: &Question) -> bool {
        true
    }

    fn table(
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error> {
        table_of_totals(subject, question, totals, effort)
    }

    fn has_tree(question: &Question) -> bool {
        registry::rules(&question.mechanism).is_ok()
    }

    fn insight(unfolding: Box<dyn Unfolding>, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        let solved = chips::solve(unfolding.arena(), scope.mechanism, scope.total, effort)?;
        Ok(Insight::Chips(unfolding.into(), Box::new(solved)))
    }
}

impl Solved for WinWithChips {
    fn end(&self) -> Option<Terminal> {
        end(&self.opened)
    }

    fn positions(&self) -> Option<Positions<'_>> {
        let request = self.opened.request(&richman_core::Unwatched);
        Some(rows(&self.opened, move |node| {
            let [win, draw] = chips::thresholds(&request, &self.solved, self.total, node);
            PositionWorth::Chips { win, draw, holdings: self.hands.map(|hands| held(&self.solved, node, hands)) }
        }))
    }

    fn after(&self, most: usize) -> ByPlayer<Vec<(String, AfterMove)>> {
        let SolvedChips::Total(solution) = &self.solved else { return ByPlayer::default() };
        after(&self.opened, most, |node| {
            let thresholds = solution.thresholds(node);
            AfterMove::Chips([thresholds.win.into(), thresholds.draw.into()])
        })
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let saved = saved::solved(subject, &self.opened.request(effort.watch), self.solved)?;
        Ok(Some(Saving::new(saved)))
    }
}

/// Two purses, where the bank is paid.
pub(crate) struct WinWithPurses {
    opened: Opened,
    solved: SolvedChips,
    hands: HoldingsQuery,
}

impl Kind for WinWithPurses {
    type Objective = WinLose;

    const TAKES: &'static [Choice] = &[Choice::WITHIN, Choice::TRACE];

    fn is_asked(question: &Question) -> bool {
        question.mechanism.has_bank() && !matches!(question.stake, Stake::Money)
    }

    fn refusal(choice: Choice) -> Option<Error> {
        refusal(choice)
    }

    /// The solvers themselves refuse mechanisms that they do not serve.
    fn serves(_: &Question) -> Result<(), Error> {
        Ok(())
    }

    fn solve(
        unfolding: Box<dyn Unfolding>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<WinWithPurses>), Error> {
        let Stake::Hands(hands) = question.stake else { return Err(Error::no_total(&question.mechanism)) };
        let opened = Opened::of(unfolding, question, effort);
        let (report, solution) = chips::purses_report(&opened.request(effort.watch), hands)?;
        let solved = SolvedChips::Purses(solution);
        Ok((Report::Purses(Box::new(report)), Some(WinWithPurses { opened, solved, hands })))
    }

    fn has_table(_: &Question) -> bool {
        true
    }

    fn table(
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error> {
        table_of_totals(subject, question, totals, effort)
    }

    fn has_tree(question: &Question) -> bool {
        registry::rules(&question.mechanism).is_ok()
    }

    fn insight(unfolding: Box<dyn Unfolding>, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        let purses: Purses = scope.purses;
        let solution = richman_solvers::purses::solve(unfolding.arena(), scope.mechanism, purses, effort)?;
        Ok(Insight::Chips(unfolding.into(), Box::new(SolvedChips::Purses(solution))))
    }
}

impl Solved for WinWithPurses {
    fn end(&self) -> Option<Terminal> {
        end(&self.opened)
    }

    fn positions(&self) -> Option<Positions<'_>> {
        Some(rows(&self.opened, |node| PositionWorth::Purses(held(&self.solved, node, self.hands))))
    }

    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let saved = saved::solved(subject, &self.opened.request(effort.watch), self.solved)?;
        Ok(Some(Saving::new(saved)))
    }
}

fn held(solved: &SolvedChips, node: Node, hands: HoldingsQuery) -> HoldingsWorth {
    let (outcome, within) = chips::outcome_of(solved.forces(), node, hands);
    HoldingsWorth { outcome, within }
}
