//! Game files of random moves.

use std::path::Path;

/// A game file of random moves, called `KINDNUMBER.json`: a `cycle` that is won and lost at ends,
/// with thresholds that are long fractions; a `parity` game, or an `owned` one, in which nobody
/// bids; an `average`, or a `credit` of up to 20. Both players have the same moves.
pub fn write_random(folder: &Path, kind: &str, positions: u32) {
    let mut state = 5u64;
    let mut below = |most: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % most
    };
    let (head, ends) = match kind {
        "cycle" => ("", r#""alice": {"winner": "alice"}, "bob": {"winner": "bob"}, "#),
        "parity" | "owned" => ("", ""),
        "average" => (r#""objective": "mean-payoff", "#, ""),
        "credit" => (r#""objective": "energy:20", "#, ""),
        kind => panic!("no kind of game: {kind}"),
    };
    let mut text = format!(r#"{{"name": "{kind}", {head}"start": "p0", "positions": {{{ends}"#);
    for at in 0..positions {
        let mut target = || match below(positions + if ends.is_empty() { 0 } else { 2 }) {
            at if at == positions => "\"alice\"".to_string(),
            at if at > positions => "\"bob\"".to_string(),
            at => format!("\"p{at}\""),
        };
        let mut moves = vec![target(), target(), target()];
        moves.sort();
        moves.dedup();
        let moves = moves.join(", ");
        let label = match kind {
            "cycle" => String::new(),
            "parity" | "owned" => format!(r#", "priority": {}"#, below(8)),
            _ => format!(r#", "weight": {}"#, i64::from(below(7)) - 3),
        };
        let comma = if at == 0 { "" } else { ", " };
        let moves = match (kind, ["alice", "bob"][at as usize % 2]) {
            ("owned", owner) => format!(r#""kind": "{owner}", "{owner}": [{moves}]"#),
            _ => format!(r#""alice": [{moves}], "bob": [{moves}]"#),
        };
        text.push_str(&format!(r#"{comma}"p{at}": {{{moves}{label}}}"#));
    }
    std::fs::write(folder.join(format!("{kind}{positions}.json")), text + "}}").unwrap();
}

/// The random games that a question names.
pub fn write_games(folder: &Path, commands: &str) {
    for file in commands.split_whitespace().filter_map(|word| word.strip_suffix(".json")) {
        let kind = file.trim_end_matches(|letter: char| letter.is_ascii_digit());
        if let Ok(positions) = file[kind.len()..].parse() {
            write_random(folder, kind, positions);
        }
    }
}
