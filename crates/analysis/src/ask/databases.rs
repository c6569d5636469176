//! Positions that are looked up in a database that `richman build` made.

use std::path::Path;

use richman_chess::board::ChessBoard;
use richman_chess::engine::database::Endgames;
use richman_chess::engine::database::chips::{self, ChipEndgames};
use richman_chess::engine::position;
use richman_core::{Effort, Error as CoreError, Mechanism, Walk};
use richman_lines::engine::needs;

use super::{Answer, Question, Report, Stake};
use crate::Error;
use crate::chips::Hands;
use crate::databases;

impl Question {
    /// An option that is good for other questions only.
    pub(super) fn not_served(&self, option: &'static str) -> Error {
        let why = if self.within.is_some() {
            "without --within"
        } else if self.mechanism != Mechanism::default() {
            "with the default rules of bidding"
        } else {
            "for connect, tic-tac-toe and (--db) endgames of chess, in positions that are not over"
        };
        Error::NotServed { option, why }
    }
}

/// What the database in `folder` says.
///
/// # Errors
/// [`Error::NotServed`] for questions of which there is no database, [`CoreError::Storage`] for folders that have
/// another one or are damaged.
pub(super) fn look_up(walk: &dyn Walk, question: &Question, folder: &Path, effort: &Effort) -> Result<Answer, Error> {
    let is_served = !question.all && question.within.is_none();
    let answer = match walk.board::<ChessBoard>() {
        _ if !is_served => None,
        Some(_) => endgame(walk, question, folder, effort)?,
        None => of_lines(walk, question, folder)?,
    };
    answer.ok_or_else(|| question.not_served("--db"))
}

/// A position of a board of lines.
fn of_lines(walk: &dyn Walk, question: &Question, folder: &Path) -> Result<Option<Answer>, Error> {
    let mechanism = &question.mechanism;
    if let Stake::Score(_) | Stake::Hands(Hands { trace: true, .. }) = question.stake {
        return Ok(None);
    }
    let total = question.stake.total(mechanism)?;
    if needs::board(walk, mechanism, total.is_some()).is_none() {
        return Ok(None);
    }
    let needs = databases::layers(folder)?.needs_with(walk, total)?;
    let stop = format!("from the database in {}", folder.display());
    Ok(Answer::seen(walk, question, needs.map(|needs| needs.sight(total, stop))))
}

/// A position of chess.
fn endgame(walk: &dyn Walk, question: &Question, folder: &Path, effort: &Effort) -> Result<Option<Answer>, Error> {
    let mechanism = &question.mechanism;
    let hands = match question.stake {
        Stake::Hands(hands) => Some(hands),
        _ => None,
    };
    let Some(total) = question.stake.total(mechanism)? else {
        let classes = if position::serves(mechanism) { Endgames::open(folder)? } else { None };
        let sight = classes.map(|classes| classes.sight(walk, effort)).transpose()?.flatten();
        return Ok(Answer::seen(walk, question, sight));
    };
    if !chips::serves(mechanism) {
        return Ok(None);
    }
    let Some(class) = chips::class(walk)? else { return Ok(None) };
    let Some(classes) = ChipEndgames::open(folder)? else {
        let what = format!(
            "{} is no database of chess with chips: `richman build chess:pieces={class} --out FOLDER --chips {total}` makes one",
            folder.display()
        );
        return Err(CoreError::Storage { what }.into());
    };
    let report = databases::report_chips(&classes, walk, total, hands)?;
    Ok(report.map(|report| Answer::alone(Report::Chips(Box::new(report)), walk.picture())))
}
