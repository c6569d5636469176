//! Answers of one kind: each function returns the report of its stake.

use richman_core::Effort;

use super::ask;
use crate::chips::ChipsReport;
use crate::money::MoneyReport;
use crate::scores::ScoresReport;
use crate::{Error, Question, Report, Subject};

/// What a position of a game that is won or lost is worth with real money.
///
/// ```
/// use richman_analysis::{Question, Subject, solve_money};
/// use richman_core::Effort;
///
/// let game = Subject::named("tug-of-war:length=4")?;
/// let report = solve_money(&game, &Question::default(), &Effort::default())?;
/// assert_eq!(report.win.0.to_string(), "1/2");
/// # Ok::<(), richman_analysis::Error>(())
/// ```
///
/// # Errors
/// [`Error::OtherAnswer`] for a question about chips and a game for an average; the errors of
/// [`ask`].
pub fn solve_money(subject: &Subject, question: &Question, effort: &Effort) -> Result<MoneyReport, Error> {
    match ask(subject, question, effort)?.report {
        Report::Money(report) => Ok(*report),
        other => Err(other_answer(&other, "thresholds of real money")),
    }
}

/// What a position of a game that is won or lost is worth with the chips of the question, which
/// stay in the game.
///
/// ```
/// use richman_analysis::{Question, Subject, solve_chips};
/// use richman_core::{Effort, Total};
///
/// let game = Subject::named("tug-of-war:length=4")?;
/// let question = Question::default().with_total(Total::new(5)?);
/// let report = solve_chips(&game, &question, &Effort::default())?;
/// assert_eq!(report.win.threshold.map(|holding| holding.0.to_string()), Some("3*".to_string()));
/// # Ok::<(), richman_analysis::Error>(())
/// ```
///
/// # Errors
/// [`Error::OtherAnswer`] for a question about real money, a mechanism with a bank and a game for
/// an average; the errors of [`ask`].
pub fn solve_chips(subject: &Subject, question: &Question, effort: &Effort) -> Result<ChipsReport, Error> {
    match ask(subject, question, effort)?.report {
        Report::Chips(report) => Ok(*report),
        other => Err(other_answer(&other, "thresholds of chips")),
    }
}

/// The scores of a position of a scoring game, for a question about scores.
///
/// ```
/// use richman_analysis::{Question, Subject, solve_scores};
/// use richman_core::{Effort, Preset, Total};
///
/// let game = Subject::named("subtraction:heap=4")?;
/// let question = Question::new(Preset::Larsson.mechanism()).with_total(Total::new(2)?).about_scores();
/// let report = solve_scores(&game, &question, &Effort::default())?;
/// assert_eq!(report.maximin.star_alice.iter().map(|score| score.0).collect::<Vec<_>>(), [2, 0, 0]);
/// # Ok::<(), richman_analysis::Error>(())
/// ```
///
/// # Errors
/// [`Error::OtherAnswer`] for a question about thresholds; the errors of [`ask`].
pub fn solve_scores(subject: &Subject, question: &Question, effort: &Effort) -> Result<ScoresReport, Error> {
    match ask(subject, question, effort)?.report {
        Report::Scores(report) => Ok(*report),
        other => Err(other_answer(&other, "scores")),
    }
}

fn other_answer(report: &Report, wanted: &'static str) -> Error {
    let given = match report {
        Report::Money(_) => "thresholds of real money",
        Report::Chips(_) => "thresholds of chips",
        Report::Purses(_) => "thresholds of chips that leave the game",
        Report::Scores(_) => "scores",
        Report::Average(_) => "a long-run average",
        Report::Averages(_) => "long-run averages by chips",
    };
    Error::OtherAnswer { given, wanted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use richman_core::Total;

    #[test]
    fn a_question_of_another_stake_is_refused() {
        let (game, effort) = (Subject::named("tug-of-war:length=4").unwrap(), Effort::default());
        let (money, chips) = (Question::default(), Question::default().with_total(Total::new(5).unwrap()));
        let other = |error: Error| matches!(error, Error::OtherAnswer { given, wanted } if given != wanted);
        assert!(other(solve_money(&game, &chips, &effort).unwrap_err()));
        assert!(other(solve_chips(&game, &money, &effort).unwrap_err()));
        assert!(other(solve_scores(&game, &chips, &effort).unwrap_err()));
    }
}
