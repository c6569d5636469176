//! The numbers: the same reports as the command line's, made at the desk within a time.

use std::time::Duration;

use richman_analysis::chips::BothAdvice;
use richman_analysis::holdings::{self, HoldingsTable};
use richman_analysis::table::{self, TableReport};
use richman_analysis::tree::{self, TreeReport};
use richman_analysis::{Effort, Opened, Report, Stake, Then, ask, plot};
use richman_core::{Bids, Player, Total};
use richman_solvers::registry;
use serde::Serialize;

use super::question::Question;
use crate::desk::Deadline;
use crate::refused::Refused;

/// How long one answer may take.
pub const TIME: Duration = Duration::from_secs(5);
/// The most positions of a game that is unfolded here.
const MOST_POSITIONS: u64 = 3_000_000;
/// The most moves of a player that are listed with what follows.
pub const MOST_MOVES: usize = 256;

/// A report with what goes beside it on a page.
#[derive(Debug)]
pub struct Answer {
    /// The report.
    pub report: Report,
    /// The same as the command line prints it with `--json`.
    pub json: String,
    /// For Alice's and Bob's moves by name, what Alice needs after them; empty where that is not known.
    pub then: [Vec<(String, Then)>; 2],
}

impl Answer {
    /// The best moves of a player, by name; none where they are not known.
    pub fn best(&self, player: Player) -> &[String] {
        match &self.report {
            Report::Money(report) => report.moves.of(player),
            Report::Hex(report) => report.moves.of(player),
            Report::Chess(report) => report.moves.of(player),
            Report::Chips(report) => report.holdings.as_ref().map_or(&[], |holdings| advised(&holdings.advice, player)),
            Report::Purses(report) => advised(&report.holdings.advice, player),
            Report::Scores(_) => &[],
        }
    }
}

fn advised(advice: &BothAdvice, player: Player) -> &[String] {
    let advice = if player == Player::Alice { &advice.alice } else { &advice.bob };
    advice.as_ref().map_or(&[], |advice| if advice.moves.is_empty() { &advice.made_to_move } else { &advice.moves })
}

/// A report as the command line prints it with `--json`.
pub fn json_line(report: &impl Serialize) -> Result<String, Refused> {
    Ok(serde_json::to_string(report).map_err(Refused::internal)? + "\n")
}

fn asked(question: &Question) -> richman_analysis::Question {
    richman_analysis::Question {
        position: question.position().map(str::to_string),
        within: question.within,
        stake: question.stake,
        ..richman_analysis::Question::new(question.mechanism.clone())
    }
}

fn effort(memory: u64, deadline: &Deadline) -> Effort {
    Effort { memory, positions: MOST_POSITIONS, ..deadline.effort() }
}

fn opened(question: &Question, memory: u64, deadline: &Deadline) -> Result<Opened, Refused> {
    let subject = question.source.subject()?;
    Ok(Opened::new(&subject, &asked(question), &effort(memory, deadline), deadline)?)
}

/// What the position is worth.
pub fn solve(question: &Question, memory: u64, deadline: &Deadline) -> Result<Answer, Refused> {
    let answer = ask(&question.source.subject()?, &asked(question), &effort(memory, deadline), deadline)?;
    let then = answer.after(MOST_MOVES);
    Ok(Answer { json: json_line(&answer.report)?, report: answer.report, then })
}

/// The chip table: by totals, or where the bank is paid against Bob's chips.
#[derive(Debug)]
pub enum Table {
    /// By totals.
    Totals(Box<TableReport>),
    /// Against Bob's chips.
    Against(Box<HoldingsTable>),
}

/// The chip table up to `end`.
pub fn table(question: &Question, end: Total, memory: u64, deadline: &Deadline) -> Result<Table, Refused> {
    let opened = opened(question, memory, deadline)?;
    let request = opened.request(deadline);
    let zero = Total::new(0)?;
    if question.is_bank() {
        return Ok(Table::Against(Box::new(holdings::report(&request, Player::Bob, zero..=end)?)));
    }
    Ok(Table::Totals(Box::new(table::report(&request, zero..=end, false)?)))
}

/// The figure of the chip table up to `end`, as `richman table --svg` draws it.
pub fn figure(question: &Question, end: Total, memory: u64, deadline: &Deadline) -> Result<String, Refused> {
    if question.is_bank() {
        let reason = "where the bank is paid no total stays: there is no such figure";
        return Err(Refused::BadRequest(reason.to_string()));
    }
    let opened = opened(question, memory, deadline)?;
    let request = opened.request(deadline);
    let report = table::report(&request, Total::new(0)?..=end, false)?;
    Ok(richman_render::plot::svg(&plot::figure(&request, &report, (&report.period).into())?))
}

/// What the tree of a question shows: for chips where they have an order, else for real money.
pub fn tree_choices(question: &Question) -> tree::Choices {
    let chips = match question.stake {
        Stake::Total(total) => Some(total),
        Stake::Hands(hands) => hands.total(&question.mechanism).ok(),
        Stake::Money | Stake::Score { .. } => None,
    };
    let has_order = registry::rules(&question.mechanism).is_ok();
    tree::Choices {
        goal: if question.asked.goal == "draw" { tree::Goal::Draw } else { tree::Goal::Win },
        chips: chips.filter(|_| has_order),
        depth: Some(question.tree_depth),
        ..tree::Choices::default()
    }
}

/// Whether there is a tree: with chips or with real money, which knows no restricted bids.
pub fn has_tree(question: &Question) -> bool {
    let is_whole = question.within.is_none() && question.mechanism.bids == Bids::All;
    is_whole && !question.is_scoring()
}

/// The tree of optimal moves.
pub fn tree(question: &Question, memory: u64, deadline: &Deadline) -> Result<TreeReport, Refused> {
    if question.within.is_some() {
        let reason = "a tree follows play to its end: leave out the number of moves";
        return Err(Refused::BadRequest(reason.to_string()));
    }
    let opened = opened(question, memory, deadline)?;
    let request = opened.request(deadline);
    Ok(tree::report(&request, &tree_choices(question))?)
}
