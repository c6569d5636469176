//! What a position of a game that is played for a score is worth.

use richman_core::Effort;
use richman_solvers::registry;

use super::{Answer, Question, Report, ScoreStake};
use crate::{Error, ScoreRequest, Subject, scores};

/// # Errors
/// Those of [`Subject::unfold_scoring`], [`ScoreRequest::solve`], [`scores::report`] and [`scores::map`].
pub(super) fn ask(
    subject: &Subject,
    question: &Question,
    stake: &ScoreStake,
    effort: &Effort,
) -> Result<Answer, Error> {
    let ScoreStake { total, alice, bids_table, map } = *stake;
    if question.within.is_some() {
        return Err(Error::ScoreWithin);
    }
    registry::scores(&question.mechanism, total)?;
    let unfolding = subject.unfold_scoring(question.position.as_deref(), effort)?;
    let effort = Effort { held: unfolding.bytes(), ..*effort };
    let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, effort };
    if map {
        scores::check_map(&request, total)?;
    }
    let solution = request.solve(total)?;
    let report = scores::report(&request, &solution, &scores::Choices { alice, bids_table, all: question.all })?;
    let picture = subject.walk(question.position.as_deref())?.picture();
    let map = if map { Some(scores::map(&request, &solution)?) } else { None };
    Ok(Answer { map, ..Answer::alone(Report::Scores(Box::new(report)), picture) })
}
