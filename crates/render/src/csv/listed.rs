//! Reports whose rows are read off their JSON, so that a cell of a table and the value of the key can never differ.

use richman_analysis::GameInfo;
use richman_analysis::compare::CompareReport;
use richman_analysis::databases::ReportRow;
use richman_analysis::positions::Positions;
use richman_analysis::random_turn::RandomTurnReport;
use richman_analysis::tree::TreeReport;
use richman_play::duel::DuelReport;
use richman_play::review::Review;
use serde::Serialize;
use serde_json::{Value, json};

pub use richman_analysis::databases::Column;

/// A header, and a row of cells for each of `rows`.
///
/// A cell is empty for null and for keys that are not there; of a list it holds the words, separated by spaces, or
/// how many objects there are, and of a threshold
/// with chips the holding.
pub fn from_json(columns: &[Column], rows: impl IntoIterator<Item = impl Serialize>) -> Vec<Vec<String>> {
    lazily(columns.to_vec(), rows).collect()
}

/// The same, row by row.
fn lazily<R: Serialize>(columns: Vec<Column>, rows: impl IntoIterator<Item = R>) -> impl Iterator<Item = Vec<String>> {
    let header = columns.iter().map(|(name, _)| (*name).to_string()).collect();
    let row = move |row| {
        let row = serde_json::to_value(row).unwrap_or_default(); // reports have no keys but text
        columns.iter().map(|(_, pointer)| found(&row, pointer)).collect()
    };
    std::iter::once(header).chain(rows.into_iter().map(row))
}

/// A share that is known by bounds is written as in every table, `1/4..1/2`; anything else as a [`cell`].
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

/// Every position of a game, row by row.
pub fn positions<'a>(positions: &'a Positions) -> impl Iterator<Item = Vec<String>> + 'a {
    const COLUMNS: &[Column] = &[
        ("game", "/game"),
        ("position", "/row/position"),
        ("end", "/row/end"),
        ("outcome", "/row/outcome"),
        ("within", "/row/within"),
        ("win", "/row/win"),
        ("win_low", "/row/win_decimals/0"),
        ("win_high", "/row/win_decimals/1"),
        ("win_plain", "/row/win/plain"),
        ("win_star", "/row/win/star"),
        ("draw", "/row/draw"),
        ("draw_low", "/row/draw_decimals/0"),
        ("draw_high", "/row/draw_decimals/1"),
        ("draw_plain", "/row/draw/plain"),
        ("draw_star", "/row/draw/star"),
    ];
    let game = positions.game();
    let mut rows = positions.rows().map(move |row| json!({ "game": game, "row": row })).peekable();
    // What the question has no numbers for is no column.
    let first = rows.peek().cloned().unwrap_or_default();
    let told = COLUMNS.iter().filter(|(_, pointer)| first.pointer(pointer).is_some()).copied().collect();
    lazily(told, rows)
}

/// Two games, compared.
pub fn compare(report: &CompareReport) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[
        ("g", "/g/game"),
        ("g_position", "/g/position"),
        ("g_class", "/g/class"),
        ("h", "/h/game"),
        ("h_position", "/h/position"),
        ("h_class", "/h/class"),
        ("order", "/order"),
        ("proved", "/proved"),
        ("below", "/witness/below"),
        ("above", "/witness/above"),
        ("totals", "/totals"),
        ("reason", "/reason"),
    ];
    from_json(COLUMNS, [report])
}

/// A tree: a row for each move, with the position where it is made, and one for each position without a move.
pub fn tree(report: &TreeReport) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[
        ("label", "/node/label"),
        ("row", "/node/row"),
        ("position", "/node/position"),
        ("win", "/node/win"),
        ("win_low", "/node/win_decimals/0"),
        ("win_high", "/node/win_decimals/1"),
        ("draw", "/node/draw"),
        ("draw_low", "/node/draw_decimals/0"),
        ("draw_high", "/node/draw_decimals/1"),
        ("winner", "/node/winner"),
        ("wedge", "/node/wedge/sum"),
        ("zugzwang", "/node/zugzwang"),
        ("player", "/move/player"),
        ("move", "/move/move"),
        ("to", "/move/to"),
        ("to_position", "/move/position"),
        ("wins", "/move/wins"),
        ("as_good", "/move/as_good"),
    ];
    let rows = report.nodes.iter().enumerate().flat_map(|(index, node)| {
        let moves = report.moves(index).iter().map(Some);
        let none = report.moves(index).is_empty().then_some(None);
        moves.chain(none).map(move |played| json!({ "node": node, "move": played }))
    });
    from_json(COLUMNS, rows)
}

/// Both chances of random-turn play.
pub fn random_turn(report: &RandomTurnReport) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[
        ("game", "/game"),
        ("position", "/position"),
        ("goal", "/goal"),
        ("chance", "/chance/chance"),
        ("chance_low", "/chance/chance_decimals/0"),
        ("chance_high", "/chance/chance_decimals/1"),
        ("from_threshold", "/chance/from_threshold"),
        ("from_threshold_low", "/chance/from_threshold_decimals/0"),
        ("from_threshold_high", "/chance/from_threshold_decimals/1"),
        ("agree", "/chance/agree"),
        ("rounds", "/chance/rounds"),
        ("games", "/chance/games"),
        ("played", "/chance/played"),
        ("played_low", "/chance/interval/0"),
        ("played_high", "/chance/interval/1"),
        ("cut_off_if_failed", "/chance/cut_off_fails/cut_off"),
        ("cut_off_if_succeeded", "/chance/cut_off_succeeds/cut_off"),
    ];
    let goals = [("wins", &report.wins), ("holds", &report.holds)];
    let row =
        |(goal, chance)| json!({ "game": report.game, "position": report.position, "goal": goal, "chance": chance });
    from_json(COLUMNS, goals.map(row))
}

/// A duel, in one row.
pub fn duel(report: &DuelReport) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[
        ("game", "/game"),
        ("position", "/position"),
        ("player", "/players/0"),
        ("opponent", "/players/1"),
        ("games", "/games"),
        ("asked", "/asked"),
        ("distinct", "/distinct"),
        ("wins", "/wins"),
        ("draws", "/draws"),
        ("losses", "/losses"),
        ("score", "/score"),
        ("score_low", "/interval/0"),
        ("score_high", "/interval/1"),
        ("rating", "/rating"),
        ("rating_low", "/rating_interval/0"),
        ("rating_high", "/rating_interval/1"),
        ("alice_wins", "/as_alice/wins"),
        ("alice_draws", "/as_alice/draws"),
        ("alice_losses", "/as_alice/losses"),
        ("bob_wins", "/as_bob/wins"),
        ("bob_draws", "/as_bob/draws"),
        ("bob_losses", "/as_bob/losses"),
        ("average", "/average"),
        ("turns", "/turns"),
        ("microseconds", "/microseconds/0"),
        ("opponent_microseconds", "/microseconds/1"),
        ("seed", "/seed"),
    ];
    from_json(COLUMNS, [report])
}

/// A review: a row for each turn, and one for the position after them, which has no number.
pub fn review(report: &Review) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[
        ("turn", "/turn/turn"),
        ("position", "/turn/position"),
        ("alice", "/turn/alice"),
        ("bob", "/turn/bob"),
        ("outcome", "/turn/worth/outcome"),
        ("within", "/turn/worth/within"),
        ("share", "/turn/worth/money/share"),
        ("share_decimal", "/turn/worth/money/share_decimal"),
        ("win", "/turn/worth/money/win"),
        ("win_low", "/turn/worth/money/win_decimals/0"),
        ("win_high", "/turn/worth/money/win_decimals/1"),
        ("draw", "/turn/worth/money/draw"),
        ("draw_low", "/turn/worth/money/draw_decimals/0"),
        ("draw_high", "/turn/worth/money/draw_decimals/1"),
        ("estimate", "/turn/worth/estimate"),
        ("alice_win_margin", "/turn/worth/margin/alice/win"),
        ("alice_draw_margin", "/turn/worth/margin/alice/draw"),
        ("bob_win_margin", "/turn/worth/margin/bob/win"),
        ("bob_draw_margin", "/turn/worth/margin/bob/draw"),
        ("alice_bids", "/turn/alice_bids"),
        ("bob_bids", "/turn/bob_bids"),
        ("star_used", "/turn/star_used"),
        ("winner", "/turn/winner"),
        ("mover", "/turn/mover"),
        ("move", "/turn/move"),
        ("result_mistakes", "/result"),
        ("margin_mistakes", "/margin"),
        ("slower", "/slower"),
    ];
    let rows = report.turns.iter().map(|turn| {
        let players = |grade: &str| -> Vec<Value> {
            let all = report.mistakes.iter().filter(|mistake| mistake.turn == turn.turn).map(|mistake| json!(mistake));
            all.filter(|mistake| mistake["grade"] == grade).map(|mistake| mistake["player"].clone()).collect()
        };
        json!({ "turn": turn, "result": players("result"), "margin": players("margin"), "slower": players("slower") })
    });
    from_json(COLUMNS, rows.chain([json!({ "turn": report.now })]))
}

/// The games.
pub fn games(games: &[GameInfo]) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[("name", "/name"), ("parameters", "/parameters"), ("description", "/description")];
    let row =
        |game: &GameInfo| json!({ "name": game.name, "parameters": game.parameters, "description": game.description });
    from_json(COLUMNS, games.iter().map(row))
}

/// Whether something that was saved is right; `classes` are those of a database of chess.
pub fn verdict(report: &impl Serialize) -> Vec<Vec<String>> {
    const COLUMNS: &[Column] = &[
        ("valid", "/valid"),
        ("game", "/game"),
        ("position", "/position"),
        ("positions", "/positions"),
        ("classes", "/classes"),
        ("wrong", "/wrong"),
        ("width", "/width"),
        ("width_decimal", "/width_decimal"),
        ("others", "/others"),
    ];
    from_json(COLUMNS, [report])
}

/// What is said of a database; without columns a row has all its values.
pub fn database(columns: &[Column], rows: &[ReportRow]) -> Vec<Vec<String>> {
    let rows = rows.iter().map(|row| &row.json);
    match rows.clone().next().and_then(Value::as_object).filter(|_| columns.is_empty()) {
        None => from_json(columns, rows),
        Some(first) => {
            let values = |row: &Value| row.as_object().into_iter().flatten().map(|(_, value)| cell(value)).collect();
            std::iter::once(first.keys().cloned().collect()).chain(rows.map(values)).collect()
        }
    }
}
