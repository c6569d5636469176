//! Bidding Cumulative Subtraction of one item a turn with all bids (unitary games) [LPR20, section
//! 3]: whoever wins the bid takes an item of the heap and scores a point. The higher bid wins, pays
//! the other player and must take; in a tie the owner of the marker wins, pays and passes the
//! marker on.
//!
//! | | result | time |
//! | --- | --- | --- |
//! | [`Unitary`] | the values of every heap in turn, which are unique | almost none per heap |
//! | [`automaton`] | the values of all large heaps | constant |
//!
//! Source: [LPR20, Definitions 1, 8 and 10]. For other sets and bids see the catalog, which
//! computes every heap by definition.

pub mod automaton;
mod unitary;

pub use unitary::{MAX_UNITARY, Unitary};
