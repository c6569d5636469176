//! Kinds of solutions. A kind is an objective with a stake and a question: what Alice needs to win,
//! what a game is worth, or what she needs for a given average.
//!
//! | folder | kinds |
//! | --- | --- |
//! | `win` | with real money; with a total of chips; with two purses, if the bank is paid |
//! | `score` | with a total of chips |
//! | `parity` | with real money; with a total of chips |
//! | `mean_payoff` | the average and the needs for one, with real money or chips; least credits with chips |
//!
//! Everything that the library does with solutions goes through the list `kinds!`: answers, tables,
//! trees, knowledge for players, and what is saved. A new kind is a type that implements [`Kind`],
//! in a file of its own, and an entry in the list, which names the claims that it saves.

/// The list of all kinds of solutions. Calls the macro `$then` with each kind and the claims that
/// it saves.
macro_rules! kinds {
    ($then:ident) => {
        $then! {
            win::WinWithMoney {
                /// Real money; all the money is 1.
                Money(win::claims::MoneyClaim),
            }
            win::WinWithChips {
                /// Chips.
                Chips(win::claims::ChipClaims),
                /// Chips, for all totals at once.
                Rules(win::claims::RulesClaim),
            }
            win::WinWithPurses {
                /// Chips, if both purses count.
                Purses(win::claims::PurseClaims),
            }
            score::ScoreWithChips {}
            parity::ParityWithChips {
                /// A parity game with chips.
                Parity(parity::claims::ParityClaims),
            }
            parity::ParityWithMoney {
                /// A parity game with real money; all the money is 1.
                ParityMoney(parity::claims::ParityMoneyClaim),
            }
            mean_payoff::AverageWithMoney {
                /// A mean-payoff game with real money.
                MeanPayoff(mean_payoff::claims::MeanPayoffClaim),
            }
            mean_payoff::AtLeastWithMoney {
                /// What Alice needs there for an average.
                PayoffShares(mean_payoff::claims::PayoffSharesClaim),
            }
            mean_payoff::AverageWithChips {
                /// A mean-payoff game with chips.
                ChipAverages(mean_payoff::claims::ChipAveragesClaim),
            }
            mean_payoff::AtLeastWithChips {} // it saves the averages
            mean_payoff::CreditsWithChips {
                /// Least credits with chips, and the averages.
                Credits(mean_payoff::claims::CreditsClaim),
            }
        }
    };
}

mod claims;
pub mod mean_payoff;
mod one_threshold;
pub mod parity;
mod report;
pub mod score;
pub mod win;

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use richman_core::{
    Aim, ByPlayer, Choice, Effort, Error as CoreError, Objective, Playable, Terminal, Total, Unfolding,
};

pub use claims::SolutionClaim;
pub(crate) use claims::{Held, ProvableClaim};
pub use report::{Certainty, Grounds, Report};

use crate::ask::{AfterMove, Answer, CostedQuestion, Insight, Opened, Saving, Scope, TableSource};
use crate::positions::Positions;
use crate::scores::Map;
use crate::tree::{TreeOptions, TreeReport};
use crate::{Error, Question, Stake, Subject, sources};

macro_rules! any_kinds {
    ($($kind:ty { $($claims:tt)* })+) => {
        /// All kinds of solutions. A question asks for one of them.
        const KINDS: &[&dyn AnyKind] = &[$(&Erased::<$kind>::NEW),+];
    };
}
kinds!(any_kinds);

/// The kind of solution that answers a question.
///
/// # Errors
/// [`Error::ByChance`] for a game in which chance moves too: it has thresholds of no kind;
/// `Unsupported` for a stake with which the objective has no kind.
pub(crate) fn kind_of(question: &Question) -> Result<&'static dyn AnyKind, Error> {
    KINDS.iter().copied().find(|kind| kind.is_asked(question)).ok_or_else(|| {
        let aim = question.aim;
        match aim.facts().has_chance {
            true => Error::ByChance,
            false => CoreError::unsupported(format!("a game played {aim} with this stake"), "another stake").into(),
        }
    })
}

/// Whether a kind of solution with this objective takes a choice that not every kind takes.
pub fn takes(aim: Aim, choice: Choice) -> bool {
    KINDS.iter().any(|kind| kind.aim() == aim && kind.takes(choice))
}

/// A solved game, with every position that can follow.
pub(crate) trait Solved: Send + Sync {
    /// The result, if play has ended at the start.
    fn end(&self) -> Option<Terminal> {
        None
    }

    /// Every position, if all were asked for.
    fn positions(&self) -> Option<Positions<'_>> {
        None
    }

    /// Alice's thresholds after each of both players' first `most` moves; empty if unknown.
    fn after(&self, most: usize) -> ByPlayer<Vec<(String, AfterMove)>> {
        let _ = most;
        ByPlayer::default()
    }

    /// The values of every position as the cells of a picture, if asked for.
    fn map(&self) -> Option<&Map> {
        None
    }

    /// The solution with position names; `None` if it was solved without what proves it.
    ///
    /// # Errors
    /// `TooMuchMemory` or `Cancelled`.
    fn saving(self: Box<Self>, subject: &Subject, effort: &Effort) -> Result<Option<Saving>, Error> {
        let _ = (subject, effort);
        Ok(None)
    }
}

/// A kind of solution; the type is that of its solved games.
pub(crate) trait Kind: Solved + Sized + 'static {
    /// The objective of its games.
    type Objective: Playable;

    /// Whether a question about a game with this objective asks for it.
    fn is_asked(question: &Question) -> bool;

    /// The choices that it takes, of those that not every kind takes.
    const TAKES: &'static [Choice];

    /// Why it does not take a choice, in a sentence of its own.
    fn refusal(choice: Choice) -> Option<Error>;

    /// Refuses mechanisms and stakes that it does not serve.
    fn serves(question: &Question) -> Result<(), Error>;

    /// Whether it tells what Alice needs to win, rather than what a game is worth.
    const HAS_THRESHOLDS: bool = true;

    /// Solves the game, which counts in the memory of `effort`; the report is about its start. The
    /// solved game is absent if only the report was asked for.
    fn solve(
        unfolding: Box<dyn Unfolding<Self::Objective>>,
        question: &Question,
        effort: &Effort,
    ) -> Result<(Report, Option<Self>), Error>;

    /// Whether there is a table of chips; if not, [`Kind::table`] says why.
    fn has_table(question: &Question) -> bool {
        let _ = question;
        false
    }

    /// The source of a table of `totals`; `None` stands for other rows.
    fn table(
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error> {
        let _ = totals;
        Ok(TableSource::Arena(Box::new(Opened::new(subject, question, effort)?)))
    }

    /// Whether there is a tree of optimal moves; if not, [`Kind::tree`] says why.
    fn has_tree(question: &Question) -> bool {
        let _ = question;
        false
    }

    /// The tree of optimal moves, with the picture of its start.
    fn tree(
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        Opened::new(subject, question, effort)?.tree(choices, effort.watch)
    }

    /// Every position for every division of the chips, for players.
    fn insight(
        unfolding: Box<dyn Unfolding<Self::Objective>>,
        scope: &Scope,
        effort: &Effort,
    ) -> Result<Insight, Error> {
        let _ = (unfolding, scope, effort);
        Err(Error::NotPlayedBy { reason: "matches are played with chips".to_string() })
    }
}

/// A kind of solution, whatever its types.
pub(crate) trait AnyKind: Sync {
    /// The objective of its games.
    fn aim(&self) -> Aim;

    /// Whether it takes a choice.
    fn takes(&self, choice: Choice) -> bool;

    /// Whether it tells what Alice needs to win.
    fn has_thresholds(&self) -> bool;

    /// As [`Kind::is_asked`], for a game with any objective.
    fn is_asked(&self, question: &Question) -> bool;

    /// Refuses choices that it does not take.
    fn check_choices(&self, question: &Question) -> Result<(), Error>;

    /// Refuses choices, mechanisms and stakes that it does not serve.
    fn check(&self, question: &Question) -> Result<(), Error>;

    /// Unfolds the game, and answers from its arena.
    fn answer(&self, asked: &CostedQuestion) -> Result<Answer, Error>;

    /// As [`Kind::has_table`].
    fn has_table(&self, question: &Question) -> bool;

    /// As [`Kind::table`].
    fn table(
        &self,
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error>;

    /// As [`Kind::has_tree`].
    fn has_tree(&self, question: &Question) -> bool;

    /// As [`Kind::tree`].
    fn tree(
        &self,
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error>;

    /// Unfolds the game, and solves it for players.
    fn insight(&self, scope: &Scope, effort: &Effort) -> Result<Insight, Error>;
}

struct Erased<K>(PhantomData<fn() -> K>);

impl<K> Erased<K> {
    const NEW: Erased<K> = Erased(PhantomData);
}

impl<K: Kind> AnyKind for Erased<K> {
    fn aim(&self) -> Aim {
        K::Objective::AIM
    }

    fn takes(&self, choice: Choice) -> bool {
        K::TAKES.contains(&choice)
    }

    fn has_thresholds(&self) -> bool {
        K::HAS_THRESHOLDS
    }

    fn is_asked(&self, question: &Question) -> bool {
        question.aim == K::Objective::AIM && K::is_asked(question)
    }

    fn check_choices(&self, question: &Question) -> Result<(), Error> {
        match question.choices().find(|choice| !K::TAKES.contains(choice)) {
            None => Ok(()),
            Some(choice) => Err(K::refusal(choice).unwrap_or(Error::NotTaken { choice })),
        }
    }

    fn check(&self, question: &Question) -> Result<(), Error> {
        self.check_choices(question)?;
        K::serves(question)
    }

    fn answer(&self, asked: &CostedQuestion) -> Result<Answer, Error> {
        let CostedQuestion { subject, question, effort, .. } = *asked;
        let until = effort.until();
        let in_time = Effort { watch: &until, ..*effort };
        let unfolding = match question.stake {
            Stake::Money => subject.unfold_for::<K::Objective>(question.position.as_deref(), &in_time)?,
            Stake::Total(_) | Stake::Hands(_) => unfolded::<K::Objective>(subject, question, &in_time)?,
        };
        let picture = unfolding.picture(unfolding.arena().start());
        let effort = beside(effort, unfolding.as_ref());
        let (report, solved) = K::solve(unfolding, question, &effort)?;
        let solved = solved.map(|solved| Box::new(solved) as Box<dyn Solved>);
        Ok(Answer { report, picture, solved })
    }

    fn has_table(&self, question: &Question) -> bool {
        K::has_table(question)
    }

    fn table(
        &self,
        subject: &Subject,
        question: &Question,
        totals: Option<RangeInclusive<Total>>,
        effort: &Effort,
    ) -> Result<TableSource, Error> {
        K::table(subject, question, totals, effort)
    }

    fn has_tree(&self, question: &Question) -> bool {
        K::has_tree(question)
    }

    fn tree(
        &self,
        subject: &Subject,
        question: &Question,
        choices: &TreeOptions,
        effort: &Effort,
    ) -> Result<(String, TreeReport), Error> {
        K::tree(subject, question, choices, effort)
    }

    fn insight(&self, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        let unfolding = scope.subject.unfold_for::<K::Objective>(scope.position, effort)?;
        let effort = beside(effort, unfolding.as_ref());
        K::insight(unfolding, scope, &effort)
    }
}

/// The effort that remains beside an unfolded game.
fn beside<'a, L: Objective>(effort: &Effort<'a>, unfolding: &dyn Unfolding<L>) -> Effort<'a> {
    Effort { held: effort.held + unfolding.bytes(), ..*effort }
}

/// Unfolds the game of a question. If it is too large, the error advises to ask for the value in
/// real money where an engine finds that without unfolding.
pub(crate) fn unfolded<L: Playable>(
    subject: &Subject,
    question: &Question,
    effort: &Effort,
) -> Result<Box<dyn Unfolding<L>>, Error> {
    let position = question.position.as_deref();
    subject.unfold_for::<L>(position, effort).map_err(|error| match (error, subject.walk(position)) {
        (Error::Core(CoreError::TooManyPositions { limit }), Ok(walk))
            if question.within.is_none() && sources::engine(walk.as_ref(), &question.mechanism).is_some() =>
        {
            Error::TooLarge { limit }
        }
        (error, _) => error,
    })
}
