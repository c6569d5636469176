//! Why a request cannot be read.

use thiserror::Error;

/// Why a request is no question.
#[derive(Debug, Error)]
pub enum RequestError {
    /// It is not written as documented.
    #[error("{0}")]
    Malformed(String),
    /// A value in it is not possible, or contradicts another one.
    #[error(transparent)]
    Unfit(#[from] richman_analysis::Error),
}

impl From<richman_core::Error> for RequestError {
    fn from(error: richman_core::Error) -> RequestError {
        richman_analysis::Error::from(error).into()
    }
}

/// The reason of the parser, in the words of JSON.
impl From<serde_json::Error> for RequestError {
    fn from(error: serde_json::Error) -> RequestError {
        RequestError::Malformed(in_words(&error.to_string()))
    }
}

/// A reason of the parser in the words of JSON.
fn in_words(reason: &str) -> String {
    const PARSER: [(&str, &str); 8] = [
        ("map", "an object"),
        ("sequence", "a list"),
        ("a string", "text"),
        ("a boolean", "true or false"),
        ("string ", ""),
        ("f64", "a number"),
        ("integer `", "`"),
        ("floating point `", "`"),
    ];
    let worded = |part: &str| {
        let known = PARSER.iter().find_map(|(parsers, ours)| Some(format!("{ours}{}", part.strip_prefix(parsers)?)));
        known.unwrap_or_else(|| part.to_string()).replace('`', "")
    };
    let read = reason.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "));
    let read = read.and_then(|(found, rest)| Some((found, rest.split_once(" at line ")?)));
    match (read, reason.strip_prefix("expected value at line ")) {
        (Some((found, (expected, place))), _) => {
            format!("write {}, not {}, at line {place}", worded(expected), worded(found))
        }
        (None, Some(place)) => format!("a value is missing, or another one is expected, at line {place}"),
        (None, None) => reason.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_in_the_words_of_json() {
        for (reason, ours) in [
            (
                "invalid type: map, expected a string at line 1 column 11",
                "write text, not an object, at line 1 column 11",
            ),
            (
                "invalid type: floating point `0.5`, expected a string at line 2 column 3",
                "write text, not 0.5, at line 2 column 3",
            ),
            (
                "invalid type: string \"yes\", expected a boolean at line 1 column 9",
                "write true or false, not \"yes\", at line 1 column 9",
            ),
            ("expected value at line 1 column 5", "a value is missing, or another one is expected, at line 1 column 5"),
            ("EOF while parsing an object at line 1 column 1", "EOF while parsing an object at line 1 column 1"),
        ] {
            assert_eq!(in_words(reason), ours);
        }
    }
}
