//! Values of the document that are written as text; numbers are accepted in place of their text.

use std::fmt::Display;
use std::str::FromStr;

use richman_core::{Bidding, Bids, MechanismChoices, Payment, Preset, Right, Ties};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::parse;

/// A text, or a number in its place.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Whole(u64),
    Number(f64),
}

/// The value as text, read by `parse`; `None` for null.
fn read<'de, T, E: Display, D: Deserializer<'de>>(
    from: D,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Option<T>, D::Error> {
    let text = Option::<Written>::deserialize(from)?.map(|written| match written {
        Written::Text(text) => text,
        Written::Whole(number) => number.to_string(),
        Written::Number(number) => number.to_string(),
    });
    text.map(|text| parse(&text)).transpose().map_err(D::Error::custom)
}

pub fn serialize<T: Display, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => to.collect_str(value),
        None => to.serialize_none(),
    }
}

pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    read(from, str::parse)
}

pub fn width<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    read(from, parse::width)
}

pub fn bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    read(from, |text| text.parse().or_else(|_| parse::bytes(text)))
}

/// Seconds as a number.
pub mod seconds {
    use std::time::Duration;

    use super::{Deserialize, Deserializer, Serialize, Serializer};
    use serde::de::Error as _;

    pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        let refused = |_| D::Error::custom("the time is a number of seconds from 0, such as 60");
        Option::<f64>::deserialize(from)?.map(Duration::try_from_secs_f64).transpose().map_err(refused)
    }
}

/// The choices of a mechanism, as keys of the document.
#[derive(Serialize, Deserialize)]
#[serde(remote = "MechanismChoices")]
pub struct MechanismWords {
    #[serde(default, with = "self", skip_serializing_if = "Option::is_none")]
    preset: Option<Preset>,
    #[serde(default, with = "self", skip_serializing_if = "Option::is_none")]
    payment: Option<Payment>,
    #[serde(default, with = "self", skip_serializing_if = "Option::is_none")]
    ties: Option<Ties>,
    #[serde(default, with = "self", skip_serializing_if = "Option::is_none")]
    bidding: Option<Bidding>,
    #[serde(default, with = "self", skip_serializing_if = "Option::is_none")]
    right: Option<Right>,
    #[serde(default, with = "self", skip_serializing_if = "Option::is_none")]
    bids: Option<Bids>,
}
