//! Shares and holdings in JSON.

use richman_core::{Holding, Share};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// What stands for one of the numbers here: an integer, or a text for what is none.
#[derive(Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub enum IntegerOrText {
    /// An integer.
    Integer(i64),
    /// What is no integer, such as `"133/256"` or `"4*"`, and integers beyond 2^53.
    Text(String),
}

/// A share: `0`, `1` or `"133/256"`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(rename = "Share")]
pub struct ShareJson(#[schemars(with = "IntegerOrText")] pub Share);

impl Serialize for ShareJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == Share::ZERO {
            serializer.serialize_u32(0)
        } else if self.0 == Share::ONE {
            serializer.serialize_u32(1)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

/// A holding: `4` or `"4*"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(rename = "Holding")]
pub struct HoldingJson(#[schemars(with = "IntegerOrText")] pub Holding);

impl Serialize for HoldingJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.has_star() { serializer.collect_str(&self.0) } else { serializer.serialize_u32(self.0.chips()) }
    }
}
