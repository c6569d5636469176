//! Writes a value for each player as an object with the keys `alice` and `bob`.

use richman_core::ByPlayer;
use serde::{Serialize, Serializer};

/// Writes the values of both players.
///
/// # Errors
/// The serializer's.
pub fn serialize<T: Serialize, S: Serializer>(values: &ByPlayer<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("alice", &values.alice), ("bob", &values.bob)])
}

/// Writes the values of both players, or null.
///
/// # Errors
/// The serializer's.
pub fn option<T: Serialize, S: Serializer>(values: &Option<ByPlayer<T>>, serializer: S) -> Result<S::Ok, S::Error> {
    match values {
        Some(values) => serialize(values, serializer),
        None => serializer.serialize_none(),
    }
}
