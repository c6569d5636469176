//! Rational numbers in JSON.

use std::fmt;
use std::str::FromStr;

use dashu_ratio::RBig;
use richman_core::{Error as CoreError, PayoffBounds, excerpt};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A rational number as text, such as `"-1/3"`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(rename = "Number")]
pub struct NumberJson(#[schemars(with = "String")] pub RBig);

impl NumberJson {
    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().value()
    }
}

impl fmt::Display for NumberJson {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One number as it is written, such as `-1/3`.
impl FromStr for NumberJson {
    type Err = CoreError;

    fn from_str(text: &str) -> Result<NumberJson, CoreError> {
        let read: Option<PayoffBounds> = text.parse().ok().filter(|_| !text.contains(".."));
        let number = read.and_then(|bounds| bounds.as_exact().cloned());
        number.map(NumberJson).ok_or_else(|| CoreError::NotANumber { text: excerpt(text) })
    }
}

impl Serialize for NumberJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
