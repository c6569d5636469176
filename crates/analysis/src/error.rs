//! Errors between a request and its report.

use richman_core::{AskedQuestion, Choice, Holding, Mechanism, Payment, Player, Remedy, Total};
use richman_formats::FormatError;
use richman_games::GameError;

/// A request that cannot be served. The message says what is wrong; [`Error::remedies`] lists what
/// would help.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A limit, or a bad mechanism or position.
    #[error(transparent)]
    Core(#[from] richman_core::Error),
    /// An unknown name of a game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A saved solution or a database of a game that this program does not have.
    #[error(
        "{0}; if the name is right, use the program that defines this game: nothing can be checked without its rules"
    )]
    MissingGame(Box<GameError>),
    /// A bad game file or saved solution.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The game has more positions than allowed, but an engine can find its real-money value
    /// without unfolding it.
    #[error("the game has more than {limit} positions")]
    TooLarge {
        /// The limit of positions.
        limit: u64,
    },
    /// A database or a file of bounds is given for a question that does not use it.
    #[error("this question does not use the {choice} ({refusals})")]
    NotServed {
        /// The database or the file.
        choice: Choice,
        /// The engines that use it, each with the reason why it refuses the question.
        refusals: String,
    },
    /// One player's holding without the other's.
    #[error("{own} for {player} leaves open what {} holds", player.other())]
    OneHolding {
        /// The player whose holding is given.
        player: Player,
        /// That holding.
        own: Holding,
    },
    /// Holdings do not add up to the given total.
    #[error("{alice} for Alice and {bob} for Bob make {total} chips, not {chips}")]
    NotTheTotal {
        /// Alice's holding.
        alice: Holding,
        /// Bob's holding.
        bob: Holding,
        /// The sum of the holdings.
        total: Total,
        /// The given total.
        chips: Total,
    },
    /// An answer of another kind than the one that was wanted.
    #[error("the answer to this question is {given}, not {wanted}")]
    OtherAnswer {
        /// What the answer is.
        given: &'static str,
        /// What was wanted.
        wanted: &'static str,
    },
    /// A solution to be saved without the values of every position.
    #[error("this answer does not have every position, so it cannot be saved")]
    NotEveryPosition,
    /// A total alone where chips leave the game.
    #[error(
        "with payment {payment} chips leave the game, so no total stays, and a total does not say what \
         both hold, such as 4{star} for Alice and 4 for Bob"
    )]
    NoTotal {
        /// The payment.
        payment: Payment,
        /// `*` if the game has a star, else empty.
        star: &'static str,
    },
    /// A table of totals, or a part of one, where chips leave the game.
    #[error("with payment {payment} chips leave the game, so no total stays and there is no {choice}")]
    NoTotals {
        /// The payment.
        payment: Payment,
        /// What needs totals.
        choice: Choice,
    },
    /// A part of a table that is about totals, in one about a player's chips.
    #[error("a table against one player's chips has no {choice}")]
    TotalsNeeded {
        /// What needs totals.
        choice: Choice,
    },
    /// Two choices that exclude each other.
    #[error("{one} and {other} do not go together")]
    Excluded {
        /// One of them.
        one: Choice,
        /// The other.
        other: Choice,
    },
    /// A choice that this kind of solution does not take.
    #[error("there is no {choice} of this game with this stake")]
    NotTaken {
        /// The choice.
        choice: Choice,
    },
    /// A choice that is about given holdings, without them.
    #[error("a {choice} is about given holdings")]
    HoldingsNeeded {
        /// The choice.
        choice: Choice,
    },
    /// A file about the whole game, with a limit of moves.
    #[error("a {choice} is about the whole game")]
    WholeGame {
        /// The file.
        choice: Choice,
    },
    /// A tree with a limit of moves.
    #[error("a tree follows play to its end")]
    TreeWithin,
    /// A tree of a game that is not won.
    #[error("nobody wins a game for a long-run average")]
    TreeOfAverage,
    /// A scoring game with a limit of moves.
    #[error("a scoring game is played to its end")]
    ScoreWithin,
    /// A scoring game without chips.
    #[error("a scoring game is played with chips")]
    ScoreMoney,
    /// A parity game with a limit of moves.
    #[error("a parity game is won by the priorities that recur forever")]
    ParityWithin,
    /// A line of play of a game without an end.
    #[error("a play of this game need not end, so there is no line of play to follow")]
    EndlessTrace,
    /// Plans of a solution that has none.
    #[error("only the solution of a parity game for one total of chips has plans that can be written as a game")]
    NoPlans,
    /// A long-run average with a limit of moves.
    #[error("a long-run average is that of play without an end")]
    AverageWithin,
    /// An average to be saved, where one player has all the money.
    #[error(
        "with all the money on one side ties decide, and nothing that is saved would prove the average, as it would \
         for a share between 0 and 1"
    )]
    OneSidedAverage,
    /// A share of the money in a question about chips.
    #[error("with chips no share of the money is needed")]
    ShareOfChips,
    /// A share in a question about thresholds.
    #[error(
        "a share of the money is only needed for a long-run average; what is asked here is the share that Alice needs"
    )]
    ShareOfThreshold,
    /// An average wanted in a game without long-run averages.
    #[error("only a mean-payoff game has a long-run average")]
    NoAverage,
    /// Least credits of a game, or with a stake, that has none.
    #[error("least credits are those of a mean-payoff game with chips")]
    CreditsOfOther,
    /// Least credits and the needs for an average in one question.
    #[error("least credits do not depend on the average that Alice wants")]
    CreditsAtLeast,
    /// A question about a game in which chance moves too, where money need not decide who wins.
    #[error("chance moves in this game too, so money and chips need not decide who wins")]
    ByChance,
    /// A saved solution that is wrong for a game.
    #[error("the solution is wrong for this game: {what}")]
    Unproved {
        /// The first wrong claim.
        what: String,
    },
    /// A saved solution that does not say how to play this match.
    #[error("the solution does not say how to play this match: {reason}")]
    NotPlayedBy {
        /// What is different.
        reason: String,
    },
    /// A review of a match that need not end.
    #[error("reviews are of games that end")]
    EndlessReview,
    /// A picture would have too many cells.
    #[error("the picture would have more than {limit} positions or chips")]
    MapTooLarge {
        /// The limit of positions and of chips.
        limit: usize,
    },
    /// A tree would have too many positions.
    #[error("the tree has more than {limit} positions")]
    TreeTooLarge {
        /// The limit of positions.
        limit: usize,
    },
}

impl Error {
    /// A total alone where chips leave the game.
    pub(crate) fn no_total(mechanism: &Mechanism) -> Error {
        let star = if mechanism.has_star() { "*" } else { "" };
        Error::NoTotal { payment: mechanism.payment.clone(), star }
    }

    /// A saved solution that does not say how to play, with the reason.
    pub(crate) fn not_played_by(reason: &str) -> Error {
        Error::NotPlayedBy { reason: reason.to_string() }
    }

    /// What would help, besides what the message says.
    pub fn remedies(&self) -> Vec<Remedy> {
        use Remedy::{Ask, AskForMoney, Change, Give, LaterPosition, LeaveOut, TableByChips};
        match self {
            Error::Core(error) => error.remedies(),
            Error::Game(error) => error.remedies(),
            Error::Format(error) => error.remedies(),
            Error::MissingGame(error) => error.remedies(),
            Error::TooLarge { .. } => vec![LaterPosition, AskForMoney],
            Error::NotServed { choice, .. } | Error::NotTaken { choice } => vec![LeaveOut(*choice)],
            Error::OneHolding { player, .. } => vec![Give(Choice::holding(player.other())), Give(Choice::CHIPS)],
            Error::NotTheTotal { .. } => vec![LeaveOut(Choice::CHIPS), Change(Choice::HOLDINGS)],
            Error::NoTotal { .. } => vec![Give(Choice::HOLDINGS), AskForMoney, TableByChips],
            Error::NoTotals { choice, .. } => vec![LeaveOut(*choice), TableByChips],
            Error::TotalsNeeded { choice } => vec![LeaveOut(*choice), Give(Choice::TOTALS)],
            Error::Excluded { one, other } => vec![LeaveOut(*one), LeaveOut(*other)],
            Error::HoldingsNeeded { .. } => vec![Give(Choice::HOLDINGS)],
            Error::WholeGame { choice } => vec![LeaveOut(Choice::WITHIN), LeaveOut(*choice)],
            Error::TreeWithin => vec![LeaveOut(Choice::WITHIN), Give(Choice::DEPTH)],
            Error::TreeOfAverage => vec![Give(Choice::AT_LEAST)],
            Error::ScoreWithin | Error::ParityWithin | Error::AverageWithin => vec![LeaveOut(Choice::WITHIN)],
            Error::ScoreMoney => vec![Give(Choice::CHIPS), Give(Choice::HOLDINGS)],
            Error::EndlessTrace => vec![LeaveOut(Choice::TRACE)],
            Error::OneSidedAverage => vec![LeaveOut(Choice::SAVE), Change(Choice::SHARE)],
            Error::ShareOfChips => vec![LeaveOut(Choice::SHARE), AskForMoney],
            Error::ShareOfThreshold => vec![LeaveOut(Choice::SHARE)],
            Error::NoAverage => vec![LeaveOut(Choice::AT_LEAST)],
            Error::CreditsAtLeast => vec![LeaveOut(Choice::AT_LEAST), LeaveOut(Choice::CREDITS)],
            Error::CreditsOfOther => vec![LeaveOut(Choice::CREDITS), Give(Choice::CHIPS)],
            Error::ByChance => vec![Ask(AskedQuestion::RandomTurn)],
            Error::EndlessReview => vec![Ask(AskedQuestion::Worth)],
            Error::MapTooLarge { .. } => vec![LaterPosition, Change(Choice::CHIPS)],
            Error::TreeTooLarge { .. } => vec![Give(Choice::SHORT), Give(Choice::DEPTH), LaterPosition],
            Error::NoPlans
            | Error::NotEveryPosition
            | Error::NotPlayedBy { .. }
            | Error::OtherAnswer { .. }
            | Error::Unproved { .. } => Vec::new(),
        }
    }

    /// Whether the request contradicts itself, whatever the game.
    pub fn is_contradiction(&self) -> bool {
        use Error::{
            AverageWithin, CreditsAtLeast, CreditsOfOther, Excluded, HoldingsNeeded, NoAverage, ScoreMoney,
            ScoreWithin, ShareOfChips, TreeWithin,
        };
        use Error::{
            NoTotal, NoTotals, NotTaken, NotTheTotal, OneHolding, ParityWithin, ShareOfThreshold, TotalsNeeded,
            TreeOfAverage, WholeGame,
        };
        matches!(
            self,
            OneHolding { .. }
                | NotTheTotal { .. }
                | NoTotal { .. }
                | NoTotals { .. }
                | NotTaken { .. }
                | TotalsNeeded { .. }
                | Excluded { .. }
                | HoldingsNeeded { .. }
                | WholeGame { .. }
                | TreeWithin
                | TreeOfAverage
                | ScoreWithin
                | ScoreMoney
                | ParityWithin
                | AverageWithin
                | NoAverage
                | CreditsAtLeast
                | CreditsOfOther
                | ShareOfChips
                | ShareOfThreshold
        )
    }
}
