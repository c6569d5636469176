//! The numbers: the same reports as the command line's, made at the desk within a time.

use std::time::Duration;

use richman_analysis::boards::Deepen;
use richman_analysis::chess::ChessReport;
use richman_analysis::chips::{self, ChipsReport, Hands, PursesReport, Solved};
use richman_analysis::direct::{self, Direct};
use richman_analysis::hex::HexReport;
use richman_analysis::holdings::{self, HoldingsTable};
use richman_analysis::money::{self, MoneyReport};
use richman_analysis::scores::{self, ScoresReport};
use richman_analysis::table::{self, TableReport};
use richman_analysis::tree::{self, TreeReport};
use richman_analysis::{BoundsJson, Request, ScoreRequest, ThresholdJson, plot};
use richman_core::{Bids, Limits, Mechanism, Node, Player, Total, Unfolding};
use richman_solvers::{Options, registry};
use serde::Serialize;

use super::question::{Question, Stake};
use crate::desk::Deadline;
use crate::refused::Refused;

/// How long one answer may take.
pub const TIME: Duration = Duration::from_secs(5);
/// How long of it to look for exact values on cycles, for narrower bounds and for proofs of periods.
const PROOF_TIME: Duration = Duration::from_secs(2);
/// The most positions of a game that is unfolded here.
const MOST_POSITIONS: u64 = 3_000_000;
/// The most moves of a player that are listed with what follows.
pub const MOST_MOVES: usize = 256;

/// What a position is worth.
#[derive(Debug)]
pub enum Report {
    /// With real money.
    Money(Box<MoneyReport>),
    /// With real money on a Hex board.
    Hex(Box<HexReport>),
    /// With real money in chess, estimated.
    Chess(Box<ChessReport>),
    /// With chips.
    Chips(Box<ChipsReport>),
    /// With chips, where the bank is paid.
    Purses(Box<PursesReport>),
    /// In a scoring game.
    Scores(Box<ScoresReport>),
}

/// What Alice needs after a move.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// With real money: the win threshold, the draw threshold.
    Money([BoundsJson; 2]),
    /// With chips.
    Chips([ThresholdJson; 2]),
}

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

fn advised(advice: &chips::BothAdvice, player: Player) -> &[String] {
    let advice = if player == Player::Alice { &advice.alice } else { &advice.bob };
    advice.as_ref().map_or(&[], |advice| if advice.moves.is_empty() { &advice.made_to_move } else { &advice.moves })
}

/// A report as the command line prints it with `--json`.
pub fn json_line(report: &impl Serialize) -> Result<String, Refused> {
    Ok(serde_json::to_string(report).map_err(Refused::internal)? + "\n")
}

/// An unfolded game with the limits of its work.
struct Opened {
    unfolding: Box<dyn Unfolding>,
    mechanism: Mechanism,
}

impl Opened {
    fn new(question: &Question, memory: u64, deadline: &Deadline) -> Result<Opened, Refused> {
        let subject = question.source.subject()?;
        let unfolding = subject.unfold(question.position(), &limits(memory), deadline)?;
        Ok(Opened { unfolding, mechanism: question.mechanism.clone() })
    }

    fn request<'a>(&'a self, within: Option<u32>, memory: u64, deadline: &'a Deadline) -> Request<'a> {
        let options = Options { within, memory, held: self.unfolding.bytes(), watch: deadline, ..Options::default() };
        let options = options.within_time(PROOF_TIME);
        Request { unfolding: self.unfolding.as_ref(), mechanism: &self.mechanism, options }
    }
}

fn limits(memory: u64) -> Limits {
    Limits { positions: MOST_POSITIONS, memory }
}

/// What the position is worth.
pub fn solve(question: &Question, memory: u64, deadline: &Deadline) -> Result<Answer, Refused> {
    if let Stake::Scores { total, alice } = question.stake {
        return solve_scores(question, total, alice, memory, deadline);
    }
    if let Some(answer) = without_arena(question, memory, deadline)? {
        return Ok(answer);
    }
    let opened = Opened::new(question, memory, deadline)?;
    let request = opened.request(question.within, memory, deadline);
    match question.stake {
        Stake::Hands { alice, bob, total } => {
            let hands = Hands { alice, bob, trace: false };
            if question.is_bank() { solve_purses(&request, hands) } else { solve_chips(&request, total, Some(hands)) }
        }
        Stake::Total(total) => solve_chips(&request, total, None),
        Stake::Money | Stake::Scores { .. } => solve_money(&request),
    }
}

fn solve_money(request: &Request) -> Result<Answer, Refused> {
    let (report, solution) = money::report(request)?;
    let then = |node: Node| Then::Money([&solution.win, &solution.draw].map(|shares| BoundsJson(shares.get(node))));
    // Within t moves what follows is worth what it is within t - 1: not what was solved.
    let then = if request.options.within.is_none() { after(request, then) } else { Default::default() };
    Ok(Answer { json: json_line(&report)?, report: Report::Money(Box::new(report)), then })
}

/// Hex and large boards of lines without an arena; `None` for other games, and for what only an arena tells.
fn without_arena(question: &Question, memory: u64, deadline: &Deadline) -> Result<Option<Answer>, Refused> {
    let walk = question.source.subject()?.walk(question.position())?;
    let within = question.within;
    let options = Options { within, memory, watch: deadline, ..Options::default() }.within_time(PROOF_TIME);
    match question.stake {
        Stake::Money => {}
        Stake::Total(total) => {
            let report = direct::chips(walk.as_ref(), &question.mechanism, total, &options)?;
            return report.map(chips_alone).transpose();
        }
        Stake::Hands { .. } | Stake::Scores { .. } => return Ok(None),
    }
    let task = Deepen::default();
    let report = match direct::money(walk.as_ref(), &question.mechanism, &task, &options)? {
        None => return Ok(None),
        Some(Direct::Money(report)) => return money_alone(report).map(Some),
        Some(Direct::Chess(report)) => {
            let json = json_line(&report)?;
            return Ok(Some(Answer { json, report: Report::Chess(report), then: Default::default() }));
        }
        Some(Direct::Hex(report)) => report,
    };
    let then = |player| {
        let after = report.after(player).filter(|_| report.exact).take(MOST_MOVES);
        after.map(|(cell, needed)| (cell.to_string(), Then::Money([needed.clone(), needed]))).collect()
    };
    let then = Player::BOTH.map(then);
    Ok(Some(Answer { json: json_line(&report)?, report: Report::Hex(report), then }))
}

fn money_alone(report: Box<MoneyReport>) -> Result<Answer, Refused> {
    let then = Default::default();
    Ok(Answer { json: json_line(&report)?, report: Report::Money(report), then })
}

fn solve_chips(request: &Request, total: Total, hands: Option<Hands>) -> Result<Answer, Refused> {
    let Some(hands) = hands else {
        return chips_alone(chips::report(request, total)?);
    };
    let (report, solved) = chips::full_report(request, total, Some(hands))?;
    let then = match &solved {
        Solved::Total(solution) if request.options.within.is_none() => after(request, |node| {
            let thresholds = solution.thresholds(node);
            Then::Chips([thresholds.win.into(), thresholds.draw.into()])
        }),
        _ => Default::default(),
    };
    Ok(Answer { json: json_line(&report)?, report: Report::Chips(Box::new(report)), then })
}

/// The answer where nobody's holdings are known.
fn chips_alone(report: ChipsReport) -> Result<Answer, Refused> {
    Ok(Answer { json: json_line(&report)?, report: Report::Chips(Box::new(report)), then: Default::default() })
}

fn solve_purses(request: &Request, hands: Hands) -> Result<Answer, Refused> {
    let (report, _) = chips::purses_report(request, hands)?;
    Ok(Answer { json: json_line(&report)?, report: Report::Purses(Box::new(report)), then: Default::default() })
}

fn solve_scores(
    question: &Question,
    total: Total,
    alice: Option<richman_core::Holding>,
    memory: u64,
    deadline: &Deadline,
) -> Result<Answer, Refused> {
    registry::scores(&question.mechanism, total)?;
    let subject = question.source.subject()?;
    let unfolding = subject.unfold_scoring(question.position(), &limits(memory), deadline)?;
    let options = Options { memory, held: unfolding.bytes(), watch: deadline, ..Options::default() };
    let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &question.mechanism, options };
    let solution = request.solve(total)?;
    let report = scores::report(&request, &solution, &scores::Choices { alice, ..scores::Choices::default() })?;
    Ok(Answer { json: json_line(&report)?, report: Report::Scores(Box::new(report)), then: Default::default() })
}

/// Every move of both players at the start with what Alice needs after it.
fn after(request: &Request, then: impl Fn(Node) -> Then) -> [Vec<(String, Then)>; 2] {
    let start = request.unfolding.arena().start();
    Player::BOTH.map(|player| {
        let moves = request.unfolding.moves(start, player).into_iter().take(MOST_MOVES);
        moves.map(|step| (step.name, then(step.to))).collect()
    })
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
    let opened = Opened::new(question, memory, deadline)?;
    let request = opened.request(question.within, memory, deadline);
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
    let opened = Opened::new(question, memory, deadline)?;
    let request = opened.request(question.within, memory, deadline);
    let report = table::report(&request, Total::new(0)?..=end, false)?;
    Ok(richman_render::plot::svg(&plot::figure(&request, &report, (&report.period).into())?))
}

/// What the tree of a question shows: for chips where they have an order, else for real money.
pub fn tree_choices(question: &Question) -> tree::Choices {
    let chips = match question.stake {
        Stake::Total(total) | Stake::Hands { total, .. } => Some(total),
        Stake::Money | Stake::Scores { .. } => None,
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
    let opened = Opened::new(question, memory, deadline)?;
    let request = opened.request(None, memory, deadline);
    Ok(tree::report(&request, &tree_choices(question))?)
}
