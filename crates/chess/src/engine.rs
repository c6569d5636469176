//! What chess is worth: classes of endgames with proved bounds, and a search that estimates the rest.

pub mod endgames;
pub mod search;
