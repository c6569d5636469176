//! G12's claims in sentences: Goodfellow, Towards bidding Connect Four.

use richman_analysis::Subject;
use richman_core::{Difference, Effort, Player, Rule, Share};
use richman_lines::board::LinePosition;
use richman_lines::engine::needs::{MoveNeeds, PositionNeeds};
use richman_solvers::rules;

use super::boards::solved;
use super::printed::{FigurePosition, with_first_move};
use super::{Claims, Finding, Session, WITH_DEEP, data, dp10};
use crate::Error;
use crate::solved::proved_money;

mod habits;

use habits::HABITS;

/// In the order of the paper.
pub const CLAIMS: Claims = &[
    ("Theorem 1", dp10::theorem_3_7),
    ("section 3", strict_chain),
    ("Theorem 2", theorem_2),
    ("Theorem 3", theorem_3),
    ("Theorem 4", theorem_4),
    ("Figure 1", picture),
    ("Figure 5", picture),
    ("Figure 8", |session| wedge_sums(session, "Figure 6")),
    ("Figure 9", |session| wedge_sums(session, "Figure 7")),
    ("Theorem 5", theorem_5),
    ("section 7", open_question),
    ("section 7, Connect Four", connect_four),
    ("section 7, blocking", blocking),
    ("section 7, inner squares", inner_squares),
];

/// An answer for each board of Connect Four that fits into memory, from its columns and values;
/// boards that take seconds only with --deep.
fn for_boards(
    session: &mut Session,
    range: &str,
    answer: impl Fn(u32, &PositionNeeds) -> String,
) -> Result<Finding, Error> {
    const SMALL_BOARDS: [(u32, u32); 3] = [(4, 4), (4, 5), (5, 4)];
    const MORE: [(u32, u32); 3] = [(4, 6), (6, 4), (5, 5)];
    let mut finding = Finding::over(range);
    let more = if session.deep { &MORE[..] } else { &[] };
    if !session.deep {
        finding.omit(MORE.map(|(rows, cols)| format!("{rows} x {cols}")).to_vec(), WITH_DEEP);
    }
    for &(rows, cols) in SMALL_BOARDS.iter().chain(more) {
        let at = format!("{rows} x {cols}");
        match solved(session, rows, cols, 4)? {
            Ok(needs) => finding.answer(at, answer(cols, &needs)),
            Err(_) => finding.omit(vec![at], "with more --memory"),
        }
    }
    Ok(finding)
}

fn connect_four(session: &mut Session) -> Result<Finding, Error> {
    for_boards(session, "real money, rows x columns", |_, needs| {
        let share = |parts: u64| {
            Share::ratio(parts.into(), needs.unreachable.into()).map_or_else(String::new, |share| share.to_string())
        };
        let (win, draw) = (share(needs.here.win), share(needs.here.draw));
        format!("Alice wins with more than {win}, Bob when she has less than {draw}")
    })
}

fn blocking(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("the win in real money, every position, rows x columns");
    let (few, more) = ([(3, 3, 3), (4, 4, 4)], [(4, 5, 4)]);
    if !session.deep {
        finding.omit(more.map(|(rows, cols, _)| format!("{rows} x {cols}")).to_vec(), WITH_DEEP);
    }
    for (rows, cols, line) in few.into_iter().chain(more.into_iter().filter(|_| session.deep)) {
        let game = Subject::named(&format!("connect:rows={rows},cols={cols},line={line}"))?;
        let Some(LinePosition { board, .. }) = game.walk(None)?.board() else { continue };
        for (what, found) in HABITS.into_iter().zip(habits::habits(&board, &session.effort)?) {
            let (positions, best, loss) = (found.positions, found.best, found.loss);
            let answer = format!("at {best} of {positions} positions, else it costs up to {loss}");
            finding.answer(format!("{rows} x {cols}, {what}"), answer);
        }
    }
    Ok(finding)
}

fn inner_squares(session: &mut Session) -> Result<Finding, Error> {
    let range = "what Alice needs after her first move, in real money (rows x columns; the other columns mirror these)";
    for_boards(session, range, |cols, needs| {
        let best = needs.after.iter().map(|after| after.alice.win).min().unwrap_or(0);
        let cost = |after: &MoveNeeds| {
            let cost = (after.alice.win - best) as f64 / needs.unreachable_after as f64;
            if after.alice.win == best {
                format!("{} best", after.name)
            } else {
                format!("{} costs {cost:.4}", after.name)
            }
        };
        let columns = needs.after.iter().take(cols.div_ceil(2) as usize).map(cost);
        columns.collect::<Vec<_>>().join(", ")
    })
}

fn strict_chain(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("the chain up to n = 8, all totals");
    for pair in dp10::chain(session, 8)?.windows(2) {
        let [(lower, low), (upper, high)] = pair else { continue };
        let (settled, block) = low.settled(high)?;
        let equal: Vec<u32> = (0..settled + block).filter(|&k| low.at(k) == high.at(k)).collect();
        let computed = match (&equal[..], low.difference(high)?) {
            ([], Difference { above: None, .. }) => "for all k".to_string(),
            ([first, .., last], Difference { above: None, .. }) => {
                format!("not for {} totals from {first} to {last}", equal.len())
            }
            ([only], Difference { above: None, .. }) => format!("not for k = {only}"),
            (_, Difference { above: Some(k), .. }) => format!("the other way round for k = {k}"),
        };
        finding.compare(|| format!("{lower} < {upper}"), "for all k", computed);
    }
    Ok(finding)
}

/// The start's real-money threshold. Chip thresholds of long boards repeat too late for rules.
fn share(game: &str) -> Result<String, Error> {
    let unfolding = Subject::named(game)?.unfold(None, &Effort::default())?;
    let money = proved_money(unfolding.arena())?;
    Ok(money.win.get(unfolding.arena().start()).high.to_string())
}

fn theorem_2(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 16 } else { 10 };
    let mut finding = Finding::over(format!("n from 1 to {most}"));
    for n in 1..=most {
        let computed = share(&format!("connect:rows=1,cols={n},line={n}"))?;
        finding.compare(|| format!("n = {n}"), format!("{}/{}", (1u32 << n) - 1, 1u32 << n), computed);
    }
    Ok(finding)
}

fn theorem_3(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 14 } else { 10 };
    let mut finding = Finding::over(format!("n from 4 to {most}; chips too: the rule of E for all totals"));
    even(session, &mut finding, (4..=most).map(|n| (1, n)))?;
    Ok(finding)
}

fn even(session: &mut Session, finding: &mut Finding, boards: impl Iterator<Item = (u32, u32)>) -> Result<(), Error> {
    let even = session.library.expression("E")?;
    for (rows, cols) in boards {
        let name = format!("connect:rows={rows},cols={cols},line=2");
        let solved = session.library.game(&name)?;
        finding.compare(|| format!("{rows} x {cols}"), "1/2", solved.share(solved.start()).to_string());
        finding.holds(*solved.win(solved.start()) == even, || format!("{rows} x {cols}, all totals"));
    }
    Ok(())
}

fn theorem_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 24 } else { 16 };
    let mut finding = Finding::over(format!("n from 2 to {most}"));
    for n in 2..=most {
        let computed = share(&format!("connect:rows={n},cols=1,line=2"))?;
        finding.compare(|| format!("n = {n}"), format!("{}/{}", (1u32 << (n - 1)) + 1, 1u32 << n), computed);
    }
    Ok(finding)
}

fn theorem_5(session: &mut Session) -> Result<Finding, Error> {
    let boards = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (3, 4), (4, 3)];
    let deep = [(4, 4), (2, 6), (6, 2)];
    let boards = boards.into_iter().chain(deep.into_iter().filter(|_| session.deep));
    let boards: Vec<(u32, u32)> = boards.collect();
    let mut finding = Finding::over(format!(
        "{} boards up to {:?}; chips too: the rule of E for all totals",
        boards.len(),
        boards[boards.len() - 1]
    ));
    even(session, &mut finding, boards.into_iter())?;
    Ok(finding)
}

fn picture(_: &mut Session) -> Result<Finding, Error> {
    Ok(Finding::default())
}

/// Whether each position of a figure has the rule of the wedge of its two successors; moves missing
/// from the figure decide the game.
fn wedge_sums(session: &mut Session, name: &str) -> Result<Finding, Error> {
    let mut finding = Finding::over("all totals");
    let figure = data::read::<data::PrintedPaper>("G12", data::G12)?.figure(name);
    for FigurePosition { label, from, to } in figure.pairs(session)? {
        let solved = session.library.game(&figure.game)?;
        let decided = [Rule::nothing(), Rule::unreachable()];
        let sides: Vec<Rule> =
            to.iter().zip(&decided).map(|(to, decided)| to.map_or(decided, |to| solved.win(to)).clone()).collect();
        let wedge = rules::wedge(&sides[0], &sides[1])?;
        let different = (0..wedge.from() + wedge.block()).find(|&total| wedge.at(total) != solved.win(from).at(total));
        let equal = wedge == *solved.win(from);
        let computed = if equal { "equal".to_string() } else { format!("not with {} chips", different.unwrap_or(0)) };
        finding.compare(|| label.clone(), "equal", computed);
    }
    Ok(finding)
}

/// The totals at which the centre is as good as the corner, and those at which the choice leaves
/// the threshold alone.
fn open_question(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game("connect:rows=3,cols=3,line=3")?;
    let start = solved.start();
    let after =
        |column: &str| -> Result<Rule, Error> { Ok(solved.win(solved.after(start, Player::Alice, column)?).clone()) };
    let (centre, corner) = (after("b")?, after("a")?);
    let (settled, block) = centre.settled(&corner)?;
    let as_good: Vec<String> =
        (0..settled + block).filter(|&k| centre.at(k) <= corner.at(k)).map(|k| k.to_string()).collect();
    let better = (0..settled + block).filter(|&k| centre.at(k) < corner.at(k)).count();
    let fixed = with_first_move(&solved, "b")?;
    let whole = solved.win(start);
    let (settled, block) = fixed.settled(whole)?;
    let unnoticed: Vec<String> =
        (0..settled + block).filter(|&k| fixed.at(k) == whole.at(k)).map(|k| k.to_string()).collect();
    let mut finding = Finding::over("all totals");
    finding.answer("chips in all with which the centre is as good a position as the corner", as_good.join(", "));
    finding.answer("numbers of chips in all with which it is better", better);
    finding.answer("chips in all with which nothing is lost by the centre", unnoticed.join(", "));
    Ok(finding)
}
