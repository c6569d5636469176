//! What can go wrong between a request and its report.

use richman_core::{Holding, Payment, Player, Total};
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
    /// The game has more positions than allowed, and an engine can answer for real money without going through them.
    #[error(
        "the game has more than {limit} positions: start from a later position; only what it is worth in real money is \
         told without going through them"
    )]
    TooLarge {
        /// The most positions.
        limit: u64,
    },
    /// A database, or a file of bounds, for a question that it is not for.
    #[error("{option} does not serve this question: {refusals}. Leave it out")]
    NotServed {
        /// The option.
        option: &'static str,
        /// Who makes use of it, and why they do not serve the question.
        refusals: String,
    },
    /// What one player holds, without what the other does.
    #[error("{own} for {player} leaves open what {} holds: write what both hold, or one and the number of all chips", player.other())]
    OneHolding {
        /// Who holds it.
        player: Player,
        /// What is held.
        own: Holding,
    },
    /// Holdings that contradict the total.
    #[error(
        "{alice} for Alice and {bob} for Bob make {total} chips, not {chips}: leave out the number of chips, or correct a holding"
    )]
    NotTheTotal {
        /// What Alice holds.
        alice: Holding,
        /// What Bob holds.
        bob: Holding,
        /// What both hold.
        total: Total,
        /// The total that was given.
        chips: Total,
    },
    /// A total where chips leave the game.
    #[error(
        "with payment {payment} chips leave the game, so no total stays and the number of all chips says too little: write what both hold, \
         such as 4{star} for Alice and 4 for Bob, or neither for real money; `richman table` with --payment {payment} --bob 0..20 prints a table"
    )]
    NoTotal {
        /// Who is paid.
        payment: Payment,
        /// A star where there is one.
        star: &'static str,
    },
    /// A tree with a limit of moves.
    #[error("a tree follows play to its end: leave out --within, or show only the first moves with --depth")]
    TreeWithin,
    /// A scoring game with a limit of moves.
    #[error("a scoring game is played to its end: leave out the number of moves")]
    ScoreWithin,
    /// A scoring game without chips.
    #[error("a scoring game is played with chips: say how many there are, or what both hold")]
    ScoreMoney,
    /// A picture that nobody could see.
    #[error(
        "the picture would have more than {limit} positions or chips: start from a later position, or take a smaller total"
    )]
    MapTooLarge {
        /// The most of either.
        limit: usize,
    },
    /// A tree that nobody would read.
    #[error(
        "the tree has more than {limit} positions: leave out what is known with --short, show only the first moves with --depth, or start from a later position"
    )]
    TreeTooLarge {
        /// The most positions of a tree.
        limit: usize,
    },
}

impl Error {
    /// Whether what was asked contradicts itself, whatever the game.
    pub fn is_contradiction(&self) -> bool {
        use Error::{NoTotal, NotTheTotal, OneHolding, ScoreMoney, ScoreWithin, TreeWithin};
        matches!(self, OneHolding { .. } | NotTheTotal { .. } | NoTotal { .. } | TreeWithin | ScoreWithin | ScoreMoney)
    }
}
