//! Reports as CSV rows, column names first.
//!
//! All output goes through [`text`] or [`write()`], which stop spreadsheets from reading a name as
//! a formula. Most cells come from a report's JSON ([`from_json`]), so a cell always equals the
//! value of its key.

use std::io;

use richman_analysis::chips::{ChipsReport, PursesReport};
use richman_analysis::compare::CompareReport;
use richman_analysis::databases::{ReportRow, TableColumn};
use richman_analysis::holdings::HoldingsTable;
use richman_analysis::mean_payoff::{
    AverageChipsReport, AverageOfHoldings, AverageReport, AveragesByHolding, CreditsByHolding,
};
use richman_analysis::money::{CellReport, Estimate, MoneyReport, Undecided};
use richman_analysis::positions::Positions;
use richman_analysis::random_turn::RandomTurnReport;
use richman_analysis::scores::{BidsTable, ScoresReport, StarOutcomes};
use richman_analysis::table::TableReport;
use richman_analysis::tree::TreeReport;
use richman_analysis::unitary::{Automaton, Convergence};
use richman_analysis::{BoundsJson, Report, ReportHead, ScoreJson};
use richman_play::duel::DuelReport;
use richman_play::review::Review;
use serde::Serialize;
use serde_json::{Value, json};

/// The value of a position.
pub fn worth(report: &Report) -> Vec<Vec<String>> {
    match report {
        Report::Money(report) => match &report.estimate {
            Some(estimate) => estimated(report, estimate),
            None if !report.cells.is_empty() => with_cells(report),
            None => money(report),
        },
        _ => worth_of_several(report),
    }
}

/// The value of one of several positions, which all need the same columns.
pub fn worth_of_several(report: &Report) -> Vec<Vec<String>> {
    match report {
        Report::Money(report) => money(report),
        Report::Chips(report) => chips(report),
        Report::Purses(report) => purses(report),
        Report::Scores(report) => scores(report),
        Report::Average(report) => average(report),
        Report::Averages(report) => averages(report),
    }
}

/// The rows as CSV text.
///
/// A spreadsheet reads a cell that begins with `=`, `+`, `-` or `@` as a formula, and position
/// names come from untrusted files. Such a cell gets a leading apostrophe, which spreadsheets read
/// as "text"; numbers, also negative ones, stay as they are.
///
/// # Errors
/// Fails if rows differ in length.
pub fn text(rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<String> {
    let mut bytes = Vec::new();
    write(&mut bytes, rows)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Writes the rows one by one.
///
/// # Errors
/// Fails if rows differ in length or `out` cannot be written.
pub fn write(out: impl io::Write, rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    for row in rows {
        writer.write_record(row.into_iter().map(neutral)).map_err(|error| match error.into_kind() {
            ::csv::ErrorKind::Io(error) => error, // says that the reader has gone
            kind => io::Error::other(format!("{kind:?}")),
        })?;
    }
    writer.flush()
}

/// The cell, with a leading apostrophe if a spreadsheet would read it as a formula.
fn neutral(cell: String) -> String {
    // Some importers drop white space first, and some accept full-width signs.
    let mut start = cell.trim_start().chars();
    let begins = start.next().is_some_and(|sign| "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(sign));
    if begins && start.next().is_some() && !is_number(&cell) { format!("'{cell}") } else { cell }
}

/// Whether the text is a decimal number or a fraction.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (numerator, denominator) = unsigned.split_once('/').unwrap_or((unsigned, "1"));
    let is_decimal = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    is_decimal(numerator) && denominator.bytes().all(|byte| byte.is_ascii_digit()) && !denominator.is_empty()
}

/// A share, exact if known, and the decimals of its bounds; empty without a share.
fn share(share: Option<&BoundsJson>) -> [String; 3] {
    match share {
        Some(BoundsJson(bounds)) => {
            [bounds.to_string(), format!("{:?}", bounds.low.to_f64()), format!("{:?}", bounds.high.to_f64())]
        }
        None => Default::default(),
    }
}

/// A header, and a row of cells for each of `rows`.
///
/// `columns` pairs the pointer of an object inside a row, such as `/row`, with column names. `end`
/// takes the value of that key, and `to_position=position` the value of another key or path. `win~`
/// is a share and also gets its bounds, in `win_low` and `win_high`. `win#` is a chip threshold,
/// with the columns `win_plain` and `win_star`.
///
/// A cell is empty for null and missing keys. A list becomes its words, separated by spaces, or its
/// number of objects; a chip threshold becomes the holding.
pub fn from_json(columns: &[(&str, &str)], rows: impl IntoIterator<Item = impl Serialize>) -> Vec<Vec<String>> {
    lazily(named(columns), rows).collect()
}

/// Column names, and pointers to their values.
fn named(columns: &[(&str, &str)]) -> Vec<(String, String)> {
    let of_word = |object: &str, word: &str| {
        let several = |name: &str, parts: [(&str, &str); 3]| {
            parts.map(|(end, path)| (format!("{name}{end}"), format!("{object}/{name}{path}"))).to_vec()
        };
        match (word.strip_suffix('~'), word.strip_suffix('#')) {
            (Some(share), _) => several(share, [("", ""), ("_low", "_decimals/0"), ("_high", "_decimals/1")]),
            (_, Some(threshold)) => several(threshold, [("", ""), ("_plain", "/plain"), ("_star", "/star")]),
            (None, None) => {
                let (name, path) = word.split_once('=').unwrap_or((word, word));
                vec![(name.to_string(), format!("{object}/{path}"))]
            }
        }
    };
    columns.iter().flat_map(|(object, words)| words.split(' ').flat_map(|word| of_word(object, word))).collect()
}

/// [`from_json`] with parsed columns, row by row.
fn lazily<R: Serialize>(
    columns: Vec<(String, String)>,
    rows: impl IntoIterator<Item = R>,
) -> impl Iterator<Item = Vec<String>> {
    let (header, pointers): (Vec<String>, Vec<String>) = columns.into_iter().unzip();
    let row = move |row| {
        let row = serde_json::to_value(row).unwrap_or_default(); // every key of a report is text
        pointers.iter().map(|pointer| found(&row, pointer)).collect()
    };
    std::iter::once(header).chain(rows.into_iter().map(row))
}

/// A share known by bounds as in every table, `1/4..1/2`; anything else as a [`cell`].
fn found(row: &Value, pointer: &str) -> String {
    match row.pointer(&format!("{pointer}_bounds")).and_then(Value::as_array).map(Vec::as_slice) {
        Some([low, high]) if low != high => format!("{}..{}", cell(low), cell(high)),
        _ => row.pointer(pointer).map_or_else(String::new, cell),
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().any(Value::is_object) => items.len().to_string(),
        Value::Object(threshold) => threshold.get("threshold").map_or_else(String::new, cell),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_string).collect()
}

fn money(report: &MoneyReport) -> Vec<Vec<String>> {
    const COLUMNS: &str = "game position win win_low win_high draw draw_low draw_high exact bid bid_low bid_high \
                           alice_moves bob_moves alice_undecided bob_undecided";
    let MoneyReport { head: ReportHead { game, position, .. }, win, draw, exact, bid, moves, .. } = report;
    let mut row = vec![game.clone(), position.clone()];
    row.extend([win, draw].into_iter().flat_map(|bounds| share(Some(bounds))));
    row.push(exact.to_string());
    row.extend(share(bid.as_ref()));
    row.extend([moves.alice.join(" "), moves.bob.join(" ")]);
    row.extend(moves.undecided.as_ref().map(undecided));
    vec![words(COLUMNS), row]
}

/// The moves among which the bounds do not decide.
fn undecided(undecided: &Option<Undecided>) -> String {
    undecided.as_ref().map_or_else(String::new, |undecided| undecided.moves.join(" "))
}

/// A row for the whole position, and one for every open cell with the chance that it decides.
fn with_cells(report: &MoneyReport) -> Vec<Vec<String>> {
    let header = words("game position cell threshold_or_critical low high bid bid_low bid_high moves");
    let row = |cell: &str, critical: &BoundsJson, bid: Option<&BoundsJson>, moves: String| {
        let place = [&report.head.game, &report.head.position, cell].map(str::to_string).to_vec();
        [place, share(Some(critical)).to_vec(), share(bid).to_vec(), vec![moves]].concat()
    };
    let whole = row("", &report.win, report.bid.as_ref(), report.moves.alice.join(" "));
    let cell = |cell: &CellReport| row(&cell.cell, &cell.critical, None, String::new());
    [header, whole].into_iter().chain(report.cells.iter().map(cell)).collect()
}

fn estimated(report: &MoneyReport, estimate: &Estimate) -> Vec<Vec<String>> {
    let [needs, bid] = [estimate.needs, estimate.bid].map(|share| share.to_string());
    let moves = [&report.moves.alice, &report.moves.bob].map(|moves| moves.join(" "));
    let row = [report.head.game.clone(), report.head.position.clone(), needs, bid].into_iter().chain(moves).collect();
    vec![words("game position estimated_need estimated_bid alice_moves bob_moves"), row]
}

/// The outcome of given holdings.
const HELD: (&str, &str) = ("", "alice bob outcome within");
/// A player's needs without and with the star; empty if no number of chips suffices.
const NEEDS: (&str, &str) = ("", "win_plain=win/plain win_star=win/star draw_plain=draw/plain draw_star=draw/star");

fn chips(report: &ChipsReport) -> Vec<Vec<String>> {
    let columns = [("", "game position chips=total win# draw#"), HELD];
    from_json(&columns[..if report.holdings.is_some() { 2 } else { 1 }], [report])
}

/// A report for payment to the bank.
fn purses(report: &PursesReport) -> Vec<Vec<String>> {
    from_json(&[("", "game position"), NEEDS, HELD], [report])
}

/// A row for each run of Alice's holdings with the same values, or one for the given holdings.
fn averages(report: &AverageChipsReport) -> Vec<Vec<String>> {
    const COLUMNS: [(&str, &str); 3] =
        [("/of", "game position chips=total"), ("", "alice_from=held/0 alice_to=held/1 average"), ("", "credit")];
    let columns = &COLUMNS[..if report.credits.is_some() { 3 } else { 2 }];
    let AveragesByHolding { plain, star } = &report.averages;
    let credits = report.credits.as_ref().map(|CreditsByHolding { plain, star }| [plain, star]);
    let mut rows = Vec::new();
    for (at, mark, runs) in [(0, "", plain), (1, "*", star)] {
        for (from, to, average) in runs {
            let within = credits.map(|credits| credits[at].iter().filter(|run| run.0 <= *to && run.1 >= *from));
            let parts: Vec<(u32, u32, Option<&ScoreJson>)> = match within {
                Some(parts) => parts.map(|part| (part.0.max(*from), part.1.min(*to), part.2.as_ref())).collect(),
                None => vec![(*from, *to, None)],
            };
            for (from, to, credit) in parts {
                let held = [from, to].map(|chips| format!("{chips}{mark}"));
                rows.push((from..=to, at, json!({ "of": report, "held": held, "average": average, "credit": credit })));
            }
        }
    }
    if let Some(AverageOfHoldings { alice, .. }) = &report.holdings {
        let (chips, star) = (alice.0.chips(), usize::from(alice.0.has_star()));
        rows.retain(|(held, at, _)| *at == star && held.contains(&chips));
        rows.iter_mut().for_each(|(_, _, row)| row["held"] = json!([alice.0.to_string(), alice.0.to_string()]));
    }
    from_json(columns, rows.into_iter().map(|(_, _, row)| row))
}

/// A long-run average.
fn average(report: &AverageReport) -> Vec<Vec<String>> {
    let columns = "game position share average~ any_share exact alice_moves=moves/alice bob_moves=moves/bob";
    from_json(&[("", columns)], [report])
}

/// A scoring game: both values for each position (only the start unless all are requested), owner
/// of the star and number of Alice's chips; or the matrix of bids.
fn scores(report: &ScoresReport) -> Vec<Vec<String>> {
    if let Some(matrix) = report.holding.as_ref().and_then(|holding| holding.bids_table.as_ref()) {
        return bids_table(matrix);
    }
    let mut rows = Vec::new();
    let mut add = |position: &str, low: &StarOutcomes, high: &Option<StarOutcomes>| {
        let high = high.as_ref().unwrap_or(low);
        for (star, low, high) in [("alice", &low.star_alice, &high.star_alice), ("bob", &low.star_bob, &high.star_bob)]
        {
            let values = (0..=report.total).rev().zip(low.iter().zip(high));
            rows.extend(values.map(|(alice, (low, high))| {
                json!({ "position": position, "star": star, "alice": alice, "maximin": low, "minimax": high })
            }));
        }
    };
    match &report.rows {
        None => add(&report.head.position, &report.maximin, &report.minimax),
        Some(rows) => rows.iter().for_each(|row| add(&row.position, &row.maximin, &row.minimax)),
    }
    from_json(&[("", "position star alice maximin minimax")], rows)
}

fn bids_table(matrix: &BidsTable) -> Vec<Vec<String>> {
    let high = matrix.minimax_rows.as_ref().unwrap_or(&matrix.rows);
    let rows = matrix.bob_bids.iter().zip(matrix.rows.iter().zip(high)).flat_map(|(bob, (low, high))| {
        let cells = matrix.alice_bids.iter().zip(low.iter().zip(high));
        cells.map(move |(alice, (low, high))| json!({ "alice": alice, "bob": bob, "maximin": low, "minimax": high }))
    });
    from_json(&[("", "alice bob maximin minimax")], rows)
}

/// Every position of a game, row by row.
pub fn positions<'a>(positions: &'a Positions) -> impl Iterator<Item = Vec<String>> + 'a {
    const WORTH: &str = "position end outcome within win~ potential average \
                         averages_plain=averages/plain averages_star=averages/star \
                         credits_plain=credits/plain credits_star=credits/star win_plain=win/plain \
                         win_star=win/star draw~ draw_plain=draw/plain draw_star=draw/star";
    let game = positions.game();
    let mut rows = positions.rows().map(move |row| json!({ "game": game, "row": row })).peekable();
    let mut columns = named(&[("", "game"), ("/row", WORTH)]);
    // Drops columns without values for this question.
    let first = rows.peek().cloned().unwrap_or_default();
    columns.retain(|(_, pointer)| first.pointer(pointer).is_some());
    lazily(columns, rows)
}

/// A chip table.
pub fn table(report: &TableReport) -> Vec<Vec<String>> {
    from_json(&[("", "chips win# draw#")], &report.rows)
}

/// One player's needs against the other's holdings; empty if no number of chips suffices.
pub fn holdings(report: &HoldingsTable) -> Vec<Vec<String>> {
    let fixed = if report.rows.first().is_some_and(|row| row.alice.is_some()) { "alice" } else { "bob" };
    from_json(&[("", fixed), NEEDS], &report.rows)
}

/// A comparison of two games.
pub fn compare(report: &CompareReport) -> Vec<Vec<String>> {
    const BOTH: &str = "g=g/game g_position=g/position g_class=g/class h=h/game h_position=h/position h_class=h/class";
    from_json(&[("", BOTH), ("", "order proved"), ("/witness", "below above"), ("", "totals reason")], [report])
}

/// A tree: a row for each move with the position where it is made, and one for each position
/// without moves.
pub fn tree(report: &TreeReport) -> Vec<Vec<String>> {
    const COLUMNS: [(&str, &str); 2] = [
        ("/node", "label row position win~ draw~ winner wedge=wedge/sum zugzwang"),
        ("/move", "player move to to_position=position wins as_good"),
    ];
    let rows = report.nodes.iter().enumerate().flat_map(|(index, node)| {
        let moves = report.moves(index).iter().map(Some);
        let none = report.moves(index).is_empty().then_some(None);
        moves.chain(none).map(move |played| json!({ "node": node, "move": played }))
    });
    from_json(&COLUMNS, rows)
}

/// Both chances of random-turn play.
pub fn random_turn(report: &RandomTurnReport) -> Vec<Vec<String>> {
    let is_by_chance = report.wins.value.is_some();
    let columns: [(&str, &str); 4] = [
        ("", "game position goal"),
        ("/chance", if is_by_chance { "chance~ value~ proved" } else { "chance~ from_threshold~" }),
        ("/chance", "agree rounds games played played_low=interval/0 played_high=interval/1"),
        ("/chance", "cut_off_if_failed=cut_off_fails/cut_off cut_off_if_succeeded=cut_off_succeeds/cut_off"),
    ];
    let goals = [("wins", &report.wins), ("holds", &report.holds)];
    let row =
        |(goal, chance)| json!({ "game": report.game, "position": report.position, "goal": goal, "chance": chance });
    from_json(&columns, goals.map(row))
}

/// A duel, in one row.
pub fn duel(report: &DuelReport) -> Vec<Vec<String>> {
    const COLUMNS: [(&str, &str); 6] = [
        ("", "game position player=players/0 opponent=players/1 games asked distinct wins draws losses"),
        ("", "score score_low=interval/0 score_high=interval/1"),
        ("", "rating rating_low=rating_interval/0 rating_high=rating_interval/1"),
        ("/as_alice", "alice_wins=wins alice_draws=draws alice_losses=losses"),
        ("/as_bob", "bob_wins=wins bob_draws=draws bob_losses=losses"),
        ("", "average turns microseconds=microseconds/0 opponent_microseconds=microseconds/1 seed"),
    ];
    from_json(&COLUMNS, [report])
}

/// A review: a row for each turn, and an unnumbered one for the final position.
pub fn review(report: &Review) -> Vec<Vec<String>> {
    const COLUMNS: [(&str, &str); 8] = [
        ("/turn", "turn position alice bob"),
        ("/turn/worth", "outcome within share=money/share share_decimal=money/share_decimal"),
        ("/turn/worth/money", "win~ draw~"),
        ("/turn/worth", "estimate"),
        ("/turn/worth/margin/alice", "alice_win_margin=win alice_draw_margin=draw"),
        ("/turn/worth/margin/bob", "bob_win_margin=win bob_draw_margin=draw"),
        ("/turn", "alice_bids bob_bids star_used winner mover move"),
        ("", "result_mistakes=result margin_mistakes=margin slower"),
    ];
    let rows = report.turns.iter().map(|turn| {
        let players = |grade: &str| -> Vec<Value> {
            let all = report.mistakes.iter().filter(|mistake| mistake.turn == turn.turn).map(|mistake| json!(mistake));
            all.filter(|mistake| mistake["grade"] == grade).map(|mistake| mistake["player"].clone()).collect()
        };
        json!({ "turn": turn, "result": players("result"), "margin": players("margin"), "slower": players("slower") })
    });
    from_json(&COLUMNS, rows.chain([json!({ "turn": report.now })]))
}

/// Where the totals of unitary games converge.
pub fn convergence(rows: &[Convergence]) -> Vec<Vec<String>> {
    from_json(&[("", "total converged bound proved automaton")], rows)
}

/// Whether saved data is correct; `classes` are those of a chess database.
pub fn verdict(report: &impl Serialize) -> Vec<Vec<String>> {
    from_json(&[("", "valid game position positions classes wrong width width_decimal others")], [report])
}

/// The report of a database; without `columns`, rows have all values.
pub fn database(columns: &[TableColumn], rows: &[ReportRow]) -> Vec<Vec<String>> {
    let rows = rows.iter().map(|row| &row.json);
    let first = rows.clone().next().and_then(Value::as_object);
    let columns = match first.filter(|_| columns.is_empty()) {
        None => columns.iter().map(|(name, pointer)| (name.to_string(), pointer.to_string())).collect(),
        Some(first) => first.keys().map(|key| (key.clone(), format!("/{key}"))).collect(),
    };
    lazily(columns, rows).collect()
}
/// The automaton of unitary games.
pub fn automaton(automaton: &Automaton) -> Vec<Vec<String>> {
    let values = (0..=automaton.total).rev().zip(automaton.even.iter().zip(&automaton.odd));
    let row = |(chips, (even, odd))| json!({ "chips": chips, "even": even, "odd": odd });
    from_json(&[("", "chips even odd")], values.map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_formulas_and_numbers_stay_numbers() {
        let same = ["", "-", "=", "7", "-3", "+5", "-1/2", "-0.25", "-1e-5", "4*", "won", "a=b", "1-2", "'=1", "p -3"];
        for cell in same {
            assert_eq!(neutral(cell.to_string()), cell);
        }
        let texts =
            ["=1+1", "+a", "-a", "@SUM(A1)", "-1-2", "-1 +2", "+2/+3", "-3/", "-1e", "-inf", " =1", "\u{ff1d}1"];
        for cell in texts {
            assert_eq!(neutral(cell.to_string()), format!("'{cell}"));
        }
        let rows = [["name", "value"], ["=cmd|' /C calc'!A0", "-3"], ["a,\"b\"", "-a"]];
        let rows = rows.map(|row| row.map(str::to_string).to_vec());
        assert_eq!(text(rows).unwrap(), "name,value\n'=cmd|' /C calc'!A0,-3\n\"a,\"\"b\"\"\",'-a\n");
        assert!(text([words("a b"), words("a")]).is_err());
    }
}
