//! Shares and holdings in JSON.

use richman_core::{Holding, Share};
use serde::{Serialize, Serializer};

/// A share: `0`, `1` or `"133/256"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareJson(pub Share);

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldingJson(pub Holding);

impl Serialize for HoldingJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.has_star() { serializer.collect_str(&self.0) } else { serializer.serialize_u32(self.0.chips()) }
    }
}
