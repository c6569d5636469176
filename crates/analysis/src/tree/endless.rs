//! Trees of games that need not end, by what Alice needs to win them.

use richman_core::{
    AfterBid, Aim, BidEnd, ByPlayer, Effort, MeanPayoff, Node, Parity, Player, Total, Unfolding, Winnable,
};
use richman_solvers::{mean_payoff, parity};

use super::values::{Progress, TreeValues, Worths};
use super::{TreeOptions, TreeReport, grown};
use crate::mean_payoff::NumberJson;
use crate::{Error, Question, ReportHead, Request, Subject};

/// The tree of a parity game, or of a mean-payoff game in which Alice wants an average, and the
/// picture of its start.
///
/// # Errors
/// [`Error::TreeOfAverage`] if no average is wanted; those of the solvers; otherwise as
/// [`super::report`].
pub(crate) fn report(
    subject: &Subject,
    question: &Question,
    choices: &TreeOptions,
    effort: &Effort,
) -> Result<(String, TreeReport), Error> {
    let until = effort.until();
    match (subject.aim() == Aim::Parity, &question.at_least) {
        (true, _) => {
            let unfolding = subject.unfold_for::<Parity>(question.position.as_deref(), effort)?;
            let effort = Effort { held: effort.held + unfolding.bytes(), watch: &until, ..*effort };
            let values = of_parity(unfolding.as_ref(), question, choices.chips, &effort)?;
            drawn(unfolding.as_ref(), question, (choices, values), effort)
        }
        (false, None) => Err(Error::TreeOfAverage),
        (false, Some(least)) => {
            let unfolding = subject.unfold_for::<MeanPayoff>(question.position.as_deref(), effort)?;
            let effort = Effort { held: effort.held + unfolding.bytes(), watch: &until, ..*effort };
            let values = at_least(unfolding.as_ref(), (question, least), choices.chips, &effort)?;
            let (picture, report) = drawn(unfolding.as_ref(), question, (choices, values), effort)?;
            let head = ReportHead { at_least: Some(least.clone()), ..report.head };
            Ok((picture, TreeReport { head, ..report }))
        }
    }
}

fn drawn<L: Winnable>(
    unfolding: &dyn Unfolding<L>,
    question: &Question,
    (choices, values): (&TreeOptions, TreeValues),
    effort: Effort,
) -> Result<(String, TreeReport), Error> {
    let request = Request { unfolding, mechanism: &question.mechanism, effort };
    let report = grown(&request, choices, values, Err("play need not end".to_string()))?;
    Ok((unfolding.picture(unfolding.arena().start()), report))
}

/// The moves are those of the strategies or plans that prove the thresholds.
fn of_parity(
    unfolding: &dyn Unfolding<Parity>,
    question: &Question,
    chips: Option<Total>,
    effort: &Effort,
) -> Result<TreeValues, Error> {
    let (arena, mechanism) = (unfolding.arena(), &question.mechanism);
    let (worths, moves) = match chips {
        None => {
            let solved = parity::money(arena, mechanism, effort)?;
            let bounds = arena.nodes().map(|node| solved.thresholds.get(node)).collect();
            (Worths::Bounds(bounds), solved.strategies.map(|of| of.into_iter().map(Some).collect()))
        }
        Some(total) => {
            let solved = parity::chips(arena, mechanism, total, effort)?;
            let named = |error: richman_core::Error| Error::Core(error.with_names(|node| unfolding.notation(node)));
            let plans = parity::plans(arena, &solved, effort).map_err(named)?;
            let chosen = |player: Player, node: Node| {
                let star = solved.needed(player, node).holding()?.has_star();
                let after = plans[player][node as usize][usize::from(star)]?.after;
                match after[BidEnd::Won as usize].or(after[BidEnd::TieWon as usize])? {
                    AfterBid::Moves(to) => Some(to),
                    AfterBid::Lets => None,
                }
            };
            let moves = ByPlayer::from_fn(|player| arena.nodes().map(|node| chosen(player, node)).collect());
            (Worths::Chips(solved.thresholds, total), moves)
        }
    };
    Ok(TreeValues { worths, progress: Progress::Moves(moves), stays: Vec::new() })
}

/// The tree ends where play stays.
fn at_least(
    unfolding: &dyn Unfolding<MeanPayoff>,
    (question, least): (&Question, &NumberJson),
    chips: Option<Total>,
    effort: &Effort,
) -> Result<TreeValues, Error> {
    let (arena, mechanism) = (unfolding.arena(), &question.mechanism);
    let mut stages = ByPlayer::both(Vec::new());
    let worths = match chips {
        None => {
            let solved = mean_payoff::at_least(arena, mechanism, &least.0, effort)?;
            for player in Player::BOTH {
                stages[player] = crate::mean_payoff::stages(arena, &solved, player, effort.watch)?;
            }
            Worths::Bounds(solved.thresholds)
        }
        Some(total) => {
            let solved = mean_payoff::chips(arena, mechanism, total, effort)?;
            Worths::Chips(arena.nodes().map(|node| solved.needed(node, &least.0)).collect(), total)
        }
    };
    let components = arena.components();
    let closed: Vec<bool> = (0..components.len()).map(|index| arena.is_closed(index)).collect();
    let stays = arena.nodes().map(|node| closed[components.component(node) as usize]).collect();
    Ok(TreeValues { worths, progress: Progress::Stages(stages), stays })
}
