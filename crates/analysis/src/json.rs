//! How numbers are written in JSON: integers up to 2^53 as numbers, everything else as strings.

use richman_core::{Holding, Share, ShareBounds, Threshold};
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

/// A share that is known, `"133/256"`, or bounds on it, `["1/4", "1/2"]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundsJson(pub ShareBounds);

impl Serialize for BoundsJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_exact() {
            Some(share) => ShareJson(share.clone()).serialize(serializer),
            None => [ShareJson(self.0.low.clone()), ShareJson(self.0.high.clone())].serialize(serializer),
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

/// A score: a number, or beyond 2^53 a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreJson(pub i64);

impl Serialize for ScoreJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const LARGEST: u64 = 1 << 53;
        if self.0.unsigned_abs() <= LARGEST {
            serializer.serialize_i64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

/// A chip threshold: `{"threshold":"4*","plain":5,"star":4}`; `threshold` is null where there is no least holding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ThresholdJson {
    /// The least holding in the order 0 < 0* < 1 < ...
    pub threshold: Option<HoldingJson>,
    /// The least chips without the star; total + 1 where none do.
    pub plain: u32,
    /// The least chips with the star; total + 1 where none do.
    pub star: u32,
}

impl From<Threshold> for ThresholdJson {
    fn from(threshold: Threshold) -> ThresholdJson {
        ThresholdJson { threshold: threshold.holding().map(HoldingJson), plain: threshold.plain, star: threshold.star }
    }
}
