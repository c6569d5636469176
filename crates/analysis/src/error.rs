//! What can go wrong between a request and its report.

use richman_formats::FormatError;
use richman_games::GameError;

/// A request that cannot be served; the message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A limit, a mechanism or a position.
    #[error(transparent)]
    Core(#[from] richman_core::Error),
    /// The name of a game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A game file or a saved solution.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A tree that nobody would read.
    #[error(
        "the tree has more than {limit} positions: leave out what is known with --short, show only the first moves with --depth, or start from a later position"
    )]
    TreeTooLarge {
        /// The most positions of a tree.
        limit: usize,
    },
}
