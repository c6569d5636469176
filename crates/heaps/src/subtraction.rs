//! Bidding Cumulative Subtraction of one item per turn with all bids (unitary games) [LPR20,
//! section 3]. The winner of a bid pays the other player, must take an item of the heap and scores
//! a point; in a tie the marker's owner wins and passes the marker on.
//!
//! | | result | time |
//! | --- | --- | --- |
//! | [`Unitary`] | the unique values of every heap in turn | almost none per heap |
//! | [`automaton`] | the values of all large heaps | constant |
//!
//! Source: [LPR20, Definitions 1, 8 and 10]. The catalog computes other sets and bids by
//! definition.

pub mod automaton;
mod unitary;

pub use unitary::{MAX_UNITARY, Unitary};
