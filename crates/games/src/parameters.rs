//! The `key=value,...` part of a game's name.

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::{GameError, GameInfo};
use richman_core::excerpt;

/// A parameter of a game, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameParameter {
    /// The key.
    pub key: String,
    /// The value unless another is given.
    pub usual: String,
    /// The values that are accepted, such as `from 1 to 63`.
    pub values: String,
}

/// The parameters given to a game, all known to it and each at most once.
pub struct Parameters<'a> {
    pairs: Vec<(&'a str, &'a str)>,
    asked: RefCell<Vec<GameParameter>>,
}

richman_core::debug_by_name!(Parameters<'_> {});

impl<'a> Parameters<'a> {
    /// Reads the text after the colon; `None` if there was no colon.
    pub(crate) fn parse(text: Option<&'a str>, info: &GameInfo) -> Result<Parameters<'a>, GameError> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for pair in text.into_iter().flat_map(|text| text.split(',')) {
            let malformed = || GameError::MalformedPair {
                game: info.name.to_string(),
                pair: excerpt(pair),
                known: info.parameters.to_string(),
            };
            let (key, value) = pair.split_once('=').ok_or_else(malformed)?;
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() {
                return Err(malformed());
            }
            let Some(key) = keys(info.parameters).find(|known| known.eq_ignore_ascii_case(key)) else {
                return Err(GameError::UnknownParameter {
                    game: info.name.to_string(),
                    parameter: excerpt(key),
                    known: info.parameters.to_string(),
                });
            };
            if value.is_empty() {
                let (game, parameter) = (info.name.to_string(), key.to_string());
                return Err(GameError::NoValue { game, parameter, known: info.parameters.to_string() });
            }
            if pairs.iter().any(|&(earlier, _)| earlier == key) {
                return Err(GameError::DuplicateParameter { game: info.name.to_string(), parameter: key.to_string() });
            }
            pairs.push((key, value));
        }
        Ok(Parameters { pairs, asked: RefCell::default() })
    }

    /// The text given for `key`.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|&&(given, _)| given == key).map(|&(_, value)| value)
    }

    /// The text given for `key`, where people are told that `values` are accepted and which is
    /// usual.
    pub fn words(&self, key: &str, usual: &str, values: &str) -> Option<&'a str> {
        let (key, usual, values) = (key.to_string(), usual.to_string(), values.to_string());
        let text = self.text(&key);
        self.asked.borrow_mut().push(GameParameter { key, usual, values });
        text
    }

    /// The parameters that were asked for.
    pub(crate) fn into_asked(self) -> Vec<GameParameter> {
        self.asked.into_inner()
    }

    /// The number given for `key`, or `default`.
    ///
    /// # Errors
    /// [`GameError::NotANumber`]; [`GameError::OutOfRange`].
    pub fn number(&self, key: &str, default: u32, range: RangeInclusive<u32>) -> Result<u32, GameError> {
        let (low, high) = (u64::from(*range.start()), u64::from(*range.end()));
        let Some(value) = self.words(key, &default.to_string(), &format!("from {low} to {high}")) else {
            return Ok(default);
        };
        let (parameter, shown) = (key.to_string(), excerpt(value));
        let digits = value.strip_prefix('-').unwrap_or(value);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(GameError::NotANumber { parameter, value: shown, low, high });
        }
        match value.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(GameError::OutOfRange { parameter, value: shown, low, high }),
        }
    }
}

/// `value`, if it is in the range of the parameter `key`.
///
/// # Errors
/// [`GameError::OutOfRange`] otherwise.
pub fn within(key: &str, value: u32, range: RangeInclusive<u32>) -> Result<u32, GameError> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(GameError::OutOfRange {
        parameter: key.to_string(),
        value: value.to_string(),
        low: u64::from(*range.start()),
        high: u64::from(*range.end()),
    })
}

/// The name of a game with the parameters (key, value, default) that differ from their defaults.
pub fn canonical_name<T: Display + PartialEq>(game: &str, parameters: &[(&str, T, T)]) -> String {
    let given: Vec<String> = parameters
        .iter()
        .filter(|(_, value, default)| value != default)
        .map(|(key, value, _)| format!("{key}={value}"))
        .collect();
    if given.is_empty() { game.to_string() } else { format!("{game}:{}", given.join(",")) }
}

/// The keys of parameters with their defaults.
pub(crate) fn keys(parameters: &str) -> impl Iterator<Item = &str> {
    parameters.split(',').filter_map(|pair| Some(pair.split_once('=')?.0.trim()))
}
