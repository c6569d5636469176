//! Comma-separated values contain no cell that a spreadsheet takes for a formula, whatever names a
//! game file has, and numbers stay as they are.

use std::process::Command;

/// Names that an attacker would choose.
const GAME: &str = r#"{"name": "=cmd|' /C calc'!A0", "start": "=1+1", "positions": {
    "@SUM(A1:A9)": {"winner": "alice"}, "+lost": {"winner": "bob"}, "-1": {"winner": "none"},
    "=1+1": {"alice": ["-a,b", "-1"], "bob": ["+lost"]}, "-a,b": {"alice": ["@SUM(A1:A9)"], "bob": ["=1+1"]}}}"#;
const HEAPS: &str = r#"{"name": "@heaps", "start": "=two", "positions": {
    "=two": {"both": [{"to": "-one", "weight": 1}, {"to": "-1", "weight": 2}]},
    "-one": {"both": [{"to": "-1", "weight": 1}]}, "-1": {"score": 0}}}"#;

const COMMANDS: &[(&str, &str)] = &[
    ("solve FILE --csv", GAME),
    ("solve FILE --csv --chips 8", GAME),
    ("solve FILE --csv --alice 4* --bob 4", GAME),
    ("solve FILE --csv --payment poorman --alice 4* --bob 4", GAME),
    ("table FILE --csv", GAME),
    ("table FILE --csv --bob 0..5", GAME),
    ("scores FILE --csv --total 5", HEAPS),
    ("scores FILE --csv --total 5 --all", HEAPS),
];

#[test]
fn no_cell_is_a_formula() {
    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut marked = 0;
    let mut negative = 0;
    for &(line, game) in COMMANDS {
        std::fs::write(&path, game).unwrap();
        let args = line.split(' ').map(|arg| if arg == "FILE" { path.to_str().unwrap() } else { arg });
        let output = Command::new(env!("CARGO_BIN_EXE_richman")).args(args).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        for cell in cells(&String::from_utf8(output.stdout).unwrap()) {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(is_number || !cell.starts_with(['=', '+', '-', '@']), "{line}: {cell}");
            marked += u32::from(cell.starts_with("'="));
            negative += u32::from(is_number && cell.starts_with('-'));
        }
    }
    assert!(marked > 5 && negative > 5, "{marked} texts, {negative} negative numbers");
}

fn cells(text: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' | '\n' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}
