//! Reports for people.

pub mod database;
pub mod duel;
pub mod positions;
pub mod proof;
pub mod random_turn;
pub mod reproduce;
pub mod review;
pub mod scores;
pub mod unitary;
pub mod why;

use std::fmt::Write;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Row, Table};
use richman_analysis::chips::{ChipsReport, HoldingsReport, PursesReport};
use richman_analysis::class::MOST_LETTERS;
use richman_analysis::compare::{CompareReport, ComparedGame, GameOrder, GameThresholds};
use richman_analysis::holdings::HoldingsTable;
use richman_analysis::mean_payoff::{AverageChipsReport, AverageOfHoldings, AverageReport};
use richman_analysis::money::{CellReport, Estimate, MoneyReport, Moves};
use richman_analysis::table::TableReport;
use richman_analysis::trace::{Trace, TraceEnd, TraceTurn};
use richman_analysis::{Answer, BoundsJson, Certainty, GameInfo, Grounds, Report, ThresholdJson};
use richman_core::{Outcome, Player, Terminal};
use richman_render::deciding::percent;
use richman_render::report::{
    advised, against, average_runs, averages, cell, coming_back, conditions, credit_runs, decimal, forced, goals, head,
    list_of, moves_of, needs, outcome, periods, purse, rational, safe_bids, sets, stable,
};
use richman_render::words::counted;

pub fn answer(answer: &Answer) -> String {
    let report = &answer.report;
    let head = head(report.head(), Some(answer.picture.clone()), report.truncated());
    let body = match report {
        Report::Scores(report) => return scores::text(report),
        Report::Money(report) => return head + &money(report, answer.end()),
        Report::Chips(report) => chips(report),
        Report::Purses(report) => purses(report),
        Report::Average(report) => average(report),
        Report::Averages(report) => average_with_chips(report),
    };
    let Grounds { certainty, positions, stop } = report.grounds();
    let certainty = if certainty == Certainty::Exact { "exact" } else { "bounds" };
    format!("{head}{body}({certainty}; {} positions; {stop})\n", positions.unwrap_or_default())
}

/// For columns that all align left.
const LEFT: usize = usize::MAX;

/// The note for a fraction that is shortened.
const PRINTED: &str = ", printed by --json";

fn money(report: &MoneyReport, end: Option<Terminal>) -> String {
    match end {
        Some(Terminal::Win(player)) => return format!("{player} has won.\n"),
        Some(Terminal::Draw) => return "The game has ended in a draw.\n".to_string(),
        None => {}
    }
    if let Some(estimate) = &report.estimate {
        return estimated(report, estimate);
    }
    let mut text = String::new();
    for fact in forced(report, |share| decimal(share, PRINTED), str::to_string) {
        let _ = writeln!(text, "{fact}");
    }
    let mut advise = |what: &str, bid: &Option<BoundsJson>, moves: &Moves| {
        let named: Vec<String> = moves.movers().map(|player| format!("{player} {}", moves_of(moves, player))).collect();
        let bid = match bid {
            Some(bid) => format!("Best bid{what} {}", decimal(bid, PRINTED)),
            None if named.is_empty() => return,
            None => format!("No bid{what}"),
        };
        let _ = writeln!(text, "{bid}; moves: {}", named.join("; "));
    };
    if report.draw_bid == report.bid && report.draw_moves == report.moves {
        advise("", &report.bid, &report.moves);
    } else {
        let [win, draw] = goals(report);
        let width = win.len().max(draw.len());
        advise(&format!(" for {win:width$}"), &report.bid, &report.moves);
        advise(&format!(" for {draw:width$}"), &report.draw_bid, &report.draw_moves);
    }
    let safe = safe_bids(report, |bid| format!("{:.15}", bid.0.to_f64()));
    for fact in safe.into_iter().chain(coming_back(report)) {
        let _ = writeln!(text, "{fact}");
    }
    if report.zugzwang {
        text.push_str(
            "This is a zugzwang: the winner of the bid should let the other player move, and win the bid rather than \
             tie.\n",
        );
    }
    if !report.cells.is_empty() {
        text.push_str(&cells(&report.cells));
    }
    let exact = match (report.exact_positions, report.confidence) {
        (_, Some(confidence)) => format!("estimates: each interval holds the truth with {confidence} confidence"),
        (count, None) if report.exact && count == report.positions => "exact".to_string(),
        (Some(count), None) if report.exact => {
            format!("exact here and at {count} positions in all, bounds elsewhere")
        }
        (None | Some(0), None) => "bounds".to_string(),
        (Some(count), None) => format!("bounds; exact at {count} positions"),
    };
    let positions = report.positions.map_or_else(String::new, |count| format!("{count} positions; "));
    let _ = writeln!(text, "({exact}; {positions}{})", report.stop);
    text
}

fn estimated(report: &MoneyReport, estimate: &Estimate) -> String {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let [alice, bob] = [&report.moves.alice, &report.moves.bob].map(|moves| list_of(moves));
    format!(
        "Alice needs about {} of the money to win: {} after her best move, {} after Bob's.\n\
         Bid about {}; Alice moves: {alice}; Bob moves: {bob}\n(an estimate, nothing is proved: {})\n",
        percent(estimate.needs),
        percent(estimate.after_alice),
        percent(estimate.after_bob),
        percent(estimate.bid),
        report.stop
    )
}

fn average(report: &AverageReport) -> String {
    let mut text = String::new();
    for fact in averages(report, rational) {
        let _ = writeln!(text, "{fact}");
    }
    let able = Player::BOTH.into_iter().filter(|&player| !report.moves[player].is_empty());
    let moves: Vec<String> = able.map(|player| format!("{player} {}", list_of(&report.moves[player]))).collect();
    if !moves.is_empty() {
        let _ = writeln!(text, "Moves: {}", moves.join("; "));
    }
    if report.zugzwang {
        text.push_str("This is a zugzwang: the winner of the bid should let the other player move.\n");
    }
    text
}

fn average_with_chips(report: &AverageChipsReport) -> String {
    let mut text = format!("With {} chips in the game, both can hold the long-run average to:\n", report.total);
    let rows = average_runs(&report.averages).into_iter().map(|[held, average]| [format!("  {held}"), average]);
    text.push_str(&columns([["  Alice holds".to_string(), "average".to_string()]].into_iter().chain(rows), LEFT));
    if let Some(credits) = &report.credits {
        text.push_str("\nIf every weight is added to Alice's credit, the least with which it never falls below 0:\n");
        let rows = credit_runs(credits).into_iter().map(|[held, credit]| [format!("  {held}"), credit]);
        text.push_str(&columns([["  Alice holds".to_string(), "credit".to_string()]].into_iter().chain(rows), LEFT));
    }
    if let Some(AverageOfHoldings { alice, bob, average }) = &report.holdings {
        let _ = writeln!(text, "\nWith {} for Alice against {} for Bob: {}.", alice.0, bob.0, rational(average));
    }
    text
}

/// The cells that decide most often.
fn cells(cells: &[CellReport]) -> String {
    const LISTED: usize = 12;
    let mut cells: Vec<_> = cells.iter().collect();
    cells.sort_by(|one, other| other.critical.0.high.cmp(&one.critical.0.high));
    let row = |row: &[&CellReport]| -> Vec<String> {
        row.iter().flat_map(|cell| [cell.cell.clone(), format!("{}%", percent(cell))]).collect()
    };
    let table = columns(cells[..cells.len().min(LISTED)].chunks(4).map(row), 0);
    let mut text = format!("\nHow often a cell decides when the others are filled at random:\n\n{table}");
    if cells.len() > LISTED {
        let _ = writeln!(text, "and {} more, printed by --json and drawn by --svg", cells.len() - LISTED);
    }
    text + "\n"
}

fn chips(report: &ChipsReport) -> String {
    let about = format!("With {} chips in the game", report.total);
    let nobody = |held| format!("  Nobody can force a win, nor both a draw, if she has  {}\n", sets(held));
    let needed = [&report.win, &report.draw].map(|threshold| needs(threshold, report.total));
    with_chips(&about, needed, report.undetermined.as_ref().map(nobody), report.holdings.as_ref())
}

/// A report on a game that pays the bank.
fn purses(report: &PursesReport) -> String {
    let purse = |needs| purse(needs, report.head.mechanism.0.has_star(), report.reason.is_none());
    let about = format!("Against {} chips of Bob", report.holdings.bob.0.chips());
    let reason = report.reason.as_ref().map(|reason| format!("  ({reason})\n"));
    with_chips(&about, [&report.win, &report.draw].map(purse), reason, Some(&report.holdings))
}

/// Alice's chip thresholds, additions, and the outcomes of the holdings.
fn with_chips(about: &str, needs: [String; 2], more: Option<String>, holdings: Option<&HoldingsReport>) -> String {
    let ([win, draw], more) = (needs, more.unwrap_or_default());
    let held = holdings.map_or_else(String::new, |holdings| format!("\n{}", with_holdings(holdings)));
    format!(
        "{about}:\n  Alice can force a win with       {win}\n  Bob cannot force one if she has  {draw}\n{more}{held}"
    )
}

fn with_holdings(report: &HoldingsReport) -> String {
    let mut text =
        format!("With {} for Alice against {} for Bob: {}.\n", report.alice.0, report.bob.0, outcome(report));
    for (player, advice) in [(Player::Alice, &report.advice.alice), (Player::Bob, &report.advice.bob)] {
        if let Some(advice) = advice {
            let loses = report.outcome == Outcome::Win(player.other());
            text.push_str(&advised(player, advice, loses));
        }
    }
    if let Some(line) = &report.trace {
        text.push_str(&trace(line));
    }
    text
}

/// Rows of cells as aligned lines, with cells wrapped to the width of the text. Columns before
/// column `right` align left, the others right.
pub fn columns<R: Into<Row>>(rows: impl IntoIterator<Item = R>, right: usize) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).add_rows(rows);
    for column in table.column_iter_mut().skip(right) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if let Some(width) = crate::output::width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.try_into().unwrap_or(u16::MAX));
    }
    table.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// Explains the thresholds in a table that are not a single holding.
fn legend<'a>(thresholds: impl Iterator<Item = &'a ThresholdJson>) -> String {
    let mut text = String::new();
    let (mut two, mut several) = (false, false);
    for threshold in thresholds {
        if let Some(wins) = &threshold.wins
            && !std::mem::replace(&mut several, true)
        {
            text.push_str(if wins.has_star {
                "2..4 6*: from 2 to 4 chips without the star or 6 with it suffice, and nothing else.\n"
            } else {
                "2..4 6: from 2 to 4 chips or 6 suffice, and nothing else.\n"
            });
        }
        if threshold.wins.is_none() && threshold.threshold.is_none() && !std::mem::replace(&mut two, true) {
            let ThresholdJson { plain, star, .. } = threshold;
            let _ = writeln!(
                text,
                "{plain} or {star}*: {plain} or more chips without the star, or {star} or more with it."
            );
        }
    }
    text
}

fn trace(line: &Trace) -> String {
    let turn = |(number, turn): (usize, &TraceTurn)| {
        let bid = |bid: Option<u32>| bid.map_or("-".to_string(), |bid| bid.to_string());
        let star = match turn.star_used {
            Some(true) => " with the star",
            Some(false) => ", the star is kept",
            None => "",
        };
        let lets = if turn.mover == turn.winner { String::new() } else { format!(" and lets {} move", turn.mover) };
        let (bids, wins) = match (turn.alice_bids, turn.bob_bids) {
            (None, None) => ("no bids".to_string(), String::new()),
            (alice, bob) => {
                (format!("bids {} and {}", bid(alice), bid(bob)), format!("{} wins the bid{star}{lets};", turn.winner))
            }
        };
        [
            format!("{number}."),
            format!("Alice {}, Bob {}:", turn.alice.0, turn.bob.0),
            bids,
            wins,
            format!("{} moves {}", turn.mover, turn.name),
        ]
    };
    let turns = columns((1..).zip(&line.turns).map(turn), LEFT);
    let end = match line.end {
        TraceEnd::Alice => "Alice has won".to_string(),
        TraceEnd::Bob => "Bob has won".to_string(),
        TraceEnd::Draw => "a draw".to_string(),
        TraceEnd::Repeats => "the position and the holdings come back: a draw".to_string(),
        TraceEnd::Long => format!("the line goes on after {} turns", line.turns.len()),
    };
    format!("\nA line of best play:\n{turns}At {}: {end}.\n\n", line.position)
}

pub fn table(report: &TableReport) -> String {
    let mut text = head(&report.head, None, report.truncated);
    text.push_str("What Alice needs to force a win, and what she needs so that Bob cannot:\n\n");
    let header = ["chips", "win", "draw"].map(String::from).to_vec();
    let rows = report.rows.iter().map(|row| vec![row.chips.to_string(), cell(&row.win), cell(&row.draw)]);
    text.push_str(&columns(std::iter::once(header).chain(rows), 0));
    let legend = legend(report.rows.iter().flat_map(|row| [&row.win, &row.draw]));
    let is_above = |threshold: &ThresholdJson, chips: u32| match threshold.threshold {
        Some(holding) => holding.0.chips() > chips,
        None => threshold.wins.is_none() && threshold.plain.max(threshold.star) > chips,
    };
    if report.rows.iter().any(|row| is_above(&row.win, row.chips) || is_above(&row.draw, row.chips)) {
        text.push_str("\nA number above the chips in the game: no holding suffices.\n");
    } else if !legend.is_empty() {
        text.push('\n');
    }
    text.push_str(&legend);
    text.push('\n');
    text.push_str(&periods(&report.period));
    if let Some(class) = &report.class {
        let _ = writeln!(text, "The win threshold is that of {} for all totals.", class.expression);
    }
    if let Some(stability) = &report.stability {
        stable(&mut text, "win", &stability.win);
        stable(&mut text, "draw", &stability.draw);
    }
    text
}

/// One player's thresholds against the other's holdings.
pub fn holdings(report: &HoldingsTable, fixed: Player) -> String {
    let mut text = head(&report.head, None, report.truncated);
    let question = match fixed {
        Player::Bob => "What Alice needs against Bob's chips, to force a win and so that Bob cannot",
        Player::Alice => "What Bob needs against Alice's chips, so that she cannot force a win and to force one",
    };
    let has_star = report.head.mechanism.0.has_star();
    let star = if has_star { format!("With the star: {fixed} does not hold it. ") } else { String::new() };
    let none = if report.reason.is_none() { "suffices" } else { "that was looked at suffices" };
    let _ = writeln!(text, "{question}.\n{star}-: no number of chips {none}.\n");
    let (head, rows) = against(report, fixed);
    text.push_str(&columns(std::iter::once(head).chain(rows), 0));
    if let Some(reason) = &report.reason {
        let _ = writeln!(text, "\nNot proved where a number is missing: {reason}.");
    }
    text
}

pub fn compare(report: &CompareReport) -> String {
    let game = |side: &ComparedGame| {
        let class = match (&side.class, &side.rule) {
            (Some(class), _) => format!("class {}", class.expression),
            (None, Some(_)) => format!("no class of up to {MOST_LETTERS} letters"),
            (None, None) => "class unknown".to_string(),
        };
        let position = match side.game.strip_prefix("expr:") {
            Some(expression) if expression == side.position => String::new(), // equal to its position
            _ => format!(", position {}", side.position),
        };
        format!("{}{position}; {class}", side.game)
    };
    let conditions = conditions(&report.mechanism, report.truncated);
    let mut text = format!("G: {}\nH: {}\n{conditions}", game(&report.g), game(&report.h));
    let at = |total: Option<u32>, both: &Option<GameThresholds>| -> Option<String> {
        let (total, both) = (total?, both.as_ref()?);
        let chips = counted(total.into(), "chip");
        let wins = |name: &str, threshold: &ThresholdJson| match threshold.threshold {
            Some(holding) if holding.0.chips() > total => format!("cannot win {name}"),
            _ => format!("wins {name} with {}", needs(threshold, total)),
        };
        Some(format!("with {chips} she {} and {}", wins("G", &both.g), wins("H", &both.h)))
    };
    let below = at(report.witness.below, &report.thresholds.below).unwrap_or_default();
    let above = at(report.witness.above, &report.thresholds.above).unwrap_or_default();
    let result = match report.order {
        GameOrder::Less => format!("G is less than H: Alice never needs more in G than in H, and {below}."),
        GameOrder::Equal => "G and H are equal: Alice needs the same in both.".to_string(),
        GameOrder::Greater => format!("G is greater than H: Alice never needs less in G than in H, and {above}."),
        GameOrder::Incomparable => format!("G and H are incomparable: for Alice, {below}; {above}."),
    };
    match (report.totals, &report.reason) {
        (Some(last), Some(reason)) => {
            let _ = writeln!(text, "With up to {last} chips {result}\nNothing is proved beyond that ({reason}).");
        }
        _ => {
            let how = if report.order == GameOrder::Incomparable { "by these two totals" } else { "for every total" };
            let _ = writeln!(text, "{result}\n(proved {how})");
        }
    }
    text
}

pub fn list(games: &[GameInfo]) -> String {
    let rows = games.iter().map(|game| [game.name, game.parameters, game.description]);
    let table = columns(std::iter::once(["game", "parameters (defaults)", ""]).chain(rows), LEFT);
    table + "\nWrite NAME[:key=value,...], the path of a game file, or expr:EXPRESSION.\n"
}
