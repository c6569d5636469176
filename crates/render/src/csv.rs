//! Rows of comma-separated values, column names first.
//!
//! All output goes through [`text`] or [`write()`], which stop spreadsheets from reading a name as
//! a formula. Most cells come from a report's JSON ([`from_json`]), so a cell always equals the
//! value of its key.

use std::io;

use richman_analysis::BoundsJson;
use richman_analysis::databases::{ReportRow, TableColumn};
use serde::Serialize;
use serde_json::Value;

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
pub(crate) fn share(share: Option<&BoundsJson>) -> [String; 3] {
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
pub(crate) fn named(columns: &[(&str, &str)]) -> Vec<(String, String)> {
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
pub(crate) fn lazily<R: Serialize>(
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

pub(crate) fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_string).collect()
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
