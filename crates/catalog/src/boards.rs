//! New results on boards of stones and lines. Recomputes the tables of docs/connect.md, which are
//! the record.

use std::rc::Rc;

use richman_analysis::money::of_evaluation;
use richman_analysis::{ReportHead, Subject};
use richman_core::{Effort, Mechanism, Share, Walk};
use richman_lines::board::LinePosition;
use richman_lines::engine::needs::{PositionNeeds, STOP};
use richman_lines::engine::{BoardPlan, BoardQuestion, BoardStake, ROUNDED_BITS, bounds};

use super::{Claims, Finding, Session, WITH_DEEP};
use crate::Error;

/// In the order of the page.
pub const CLAIMS: Claims = &[
    ("Connect Four", |session| connect(session, 4)),
    ("Connect Three", |session| connect(session, 3)),
    ("Connect Two", |session| connect(session, 2)),
    ("Connect Four with chips", periods),
    ("6 x 7 Connect Four", standard),
];

/// Boards with at most this many cells are always solved again, larger ones only with --deep.
const FEW_CELLS: u32 = 16;
/// The base-2 logarithm of the positions searched for a bound, without and with --deep.
const POSITIONS: [u32; 2] = [20, 30];

/// The rows, of `CELLS` cells each, of the table under a heading.
fn rows<const CELLS: usize>(heading: &str) -> Result<Vec<[&'static str; CELLS]>, Error> {
    let wrong = |what: &str| Error::Damaged { reason: format!("docs/connect.md, {heading}: {what}") };
    let page = richman_docs::documents().find(|document| document.path == "connect.md").map(|document| document.text);
    let page = page.ok_or_else(|| wrong("there is no page"))?;
    let lines = page.lines().skip_while(|line| line.strip_prefix("## ") != Some(heading)).skip(1);
    let table = lines.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with('|')).skip(2);
    let row = |line: &'static str| -> Result<[&'static str; CELLS], Error> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        cells.try_into().map_err(|_| wrong(line))
    };
    let rows = table.map(row).collect::<Result<Vec<_>, Error>>()?;
    if rows.is_empty() { Err(wrong("there is no table")) } else { Ok(rows) }
}

fn number(cell: &str) -> Result<u32, Error> {
    cell.parse().map_err(|_| Error::Damaged { reason: format!("docs/connect.md: {cell} is no number") })
}

fn walk(name: &str) -> Result<Box<dyn Walk>, Error> {
    Ok(Subject::named(name)?.walk(None)?)
}

/// The solved start of a board; `Err` with the bytes needed if they exceed the memory.
pub fn solved(
    session: &mut Session,
    rows: u32,
    cols: u32,
    line: u32,
) -> Result<Result<Rc<PositionNeeds>, u128>, Error> {
    let name = format!("connect:rows={rows},cols={cols},line={line}");
    match too_large(session, &name)? {
        Some(bytes) => Ok(Err(bytes)),
        None => session.library.board(&name, &session.effort).map(Ok),
    }
}

fn too_large(session: &Session, name: &str) -> Result<Option<u128>, Error> {
    let board =
        walk(name)?.board::<LinePosition>().ok_or_else(|| Error::Damaged { reason: format!("{name} is too large") })?;
    let memory = BoardPlan::of(&BoardQuestion { board: board.board, stake: BoardStake::Money })?.memory();
    Ok(Some(memory).filter(|&memory| memory > u128::from(session.effort.memory)))
}

fn connect(session: &mut Session, line: u32) -> Result<Finding, Error> {
    let heading = ["Connect Two", "Connect Three", "Connect Four"][line as usize - 2];
    let (mut deeper, mut larger) = (Vec::new(), Vec::new());
    let mut finding = Finding::over("boards of docs/connect.md, rows x columns");
    for [of, rows, cols, need, decimal, moves] in rows(heading)? {
        let (rows, cols) = (number(rows)?, number(cols)?);
        let at = || format!("{rows} x {cols}");
        if number(of)? != line {
            return Err(Error::Damaged { reason: format!("docs/connect.md, {heading}: a line of {of}") });
        }
        let name = format!("connect:rows={rows},cols={cols},line={line}");
        if let Some(bytes) = too_large(session, &name)? {
            larger.push(format!("{} ({:.1} GiB)", at(), bytes as f64 / 2_f64.powi(30)));
        } else if rows * cols > FEW_CELLS && !session.deep {
            deeper.push(at());
        } else {
            let needs = session.library.board(&name, &session.effort)?;
            let head = ReportHead::at(walk(&name)?.as_ref(), &Mechanism::default());
            let found = of_evaluation(head, &needs.evaluation(None, STOP.to_string()));
            let win = found.win.0.high;
            let computed = format!("{win} = {:.6}, best {}", win.to_f64(), found.moves.alice.join(", "));
            finding.compare(at, format!("{need} = {decimal}, best {moves}"), computed);
        }
    }
    finding.omit(deeper, WITH_DEEP);
    finding.omit(larger, if session.deep { "with more --memory" } else { "with --deep and more --memory" });
    Ok(finding)
}

fn periods(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("proved for all totals");
    for [line, rows, cols, goal, block, step, from] in rows("Connect Four with chips")? {
        let solved = session.library.game(&format!("connect:rows={rows},cols={cols},line={line}"))?;
        let win = solved.win(solved.start());
        // The players' positions are symmetric.
        let rule = if goal == "win" { win.clone() } else { win.opposite() };
        let words = |block: &str, step: &str, from: &str| format!("{step} more every {block} from {from} on");
        let [chips, more, first] = [rule.chip_block(), rule.chip_step(), rule.from()].map(|number| number.to_string());
        let at = || format!("{rows} x {cols}, {goal}");
        finding.compare(at, words(block, step, from), words(&chips, &more, &first));
    }
    Ok(finding)
}

fn standard(session: &mut Session) -> Result<Finding, Error> {
    let walk = walk("connect")?;
    let most = POSITIONS[usize::from(session.deep)];
    let (mut deeper, mut further) = (Vec::new(), Vec::new());
    let mut finding = Finding::over("rows of docs/connect.md, by fillings");
    for [depth, positions, need, decimal] in rows("6 x 7 Connect Four")? {
        let bits = number(positions.strip_prefix("2^").unwrap_or(positions))?;
        if bits > most {
            if bits > POSITIONS[1] { &mut further } else { &mut deeper }.push(format!("{depth} stones ahead"));
            continue;
        }
        let effort = Effort { watch: session.effort.watch, ..Effort::default() };
        let found = bounds(walk.as_ref(), 1 << bits, &effort)?;
        let found = found.ok_or_else(|| Error::Damaged { reason: "6 x 7 is over".to_string() })?;
        let high = Share::dyadic(found.here.win, ROUNDED_BITS);
        let alike = if found.here.draw + found.here.win == 1 << ROUNDED_BITS { "" } else { ", the players unlike" };
        let computed = format!("{high} = {:.6}, {} stones ahead{alike}", high.to_f64(), found.depth);
        finding.compare(|| positions.to_string(), format!("{need} = {decimal}, {depth} stones ahead"), computed);
    }
    finding.omit(deeper, WITH_DEEP);
    finding.omit(further, "with `richman solve connect --time 3600 --memory 16GiB --bounds FILE`");
    Ok(finding)
}
