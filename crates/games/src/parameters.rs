//! The `key=value,...` part of a game's name.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::{GameError, GameInfo};
use richman_core::excerpt;

/// The parameters given to a game, all known to it and each at most once.
pub struct Parameters<'a> {
    pairs: Vec<(&'a str, &'a str)>,
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
            let Some(key) = keys(info).find(|known| known.eq_ignore_ascii_case(key)) else {
                return Err(GameError::UnknownParameter {
                    game: info.name.to_string(),
                    parameter: excerpt(key),
                    nearest: nearest(&key.to_ascii_lowercase(), keys(info)),
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
        Ok(Parameters { pairs })
    }

    /// The text given for `key`.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|&&(given, _)| given == key).map(|&(_, value)| value)
    }

    /// The number given for `key`, or `default`.
    ///
    /// # Errors
    /// [`GameError::NotANumber`]; [`GameError::OutOfRange`].
    pub fn number(&self, key: &str, default: u32, range: RangeInclusive<u32>) -> Result<u32, GameError> {
        let Some(value) = self.text(key) else {
            return Ok(default);
        };
        let (low, high) = (u64::from(*range.start()), u64::from(*range.end()));
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

/// The name among `known` nearest to `text`, if any is similar.
pub(crate) fn nearest<'k>(text: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    // Comparing takes time in the product of the lengths, and no mistyped name is a page long.
    const LONGEST: usize = 64;
    if text.len() > LONGEST {
        return None;
    }
    known
        .map(|name| (strsim::damerau_levenshtein(text, name), name))
        .filter(|&(distance, name)| 2 * distance <= name.len().max(text.len()))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name.to_string())
}

fn keys(info: &GameInfo) -> impl Iterator<Item = &'static str> + use<> {
    info.parameters.split(',').filter_map(|pair| Some(pair.split_once('=')?.0.trim()))
}
