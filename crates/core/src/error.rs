//! Errors below the level of files and commands.

use crate::near::{did_you_mean, one_of};
use crate::remedy::{Choice, Remedy};
use crate::{Holding, Node, Player, Total};

/// An invalid or unsupported input, or an exceeded limit. The message says what is wrong;
/// [`Error::remedies`] lists remedies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The total exceeds [`crate::MAX_TOTAL`].
    #[error("{chips} chips are too many: the largest total is {}", crate::MAX_TOTAL)]
    TotalTooLarge {
        /// The number as given.
        chips: String,
    },
    /// A number above the limit of a solver.
    #[error("{what} is {given}, and at most {most} is possible: ask for less")]
    TooLarge {
        /// The name of the number.
        what: &'static str,
        /// The number.
        given: u64,
        /// The largest possible value.
        most: u64,
    },
    /// A file or disk operation failed.
    #[error("{what}")]
    Storage {
        /// The operation, its object and the reason.
        what: String,
    },
    /// A subtraction set without a number to take.
    #[error("a subtraction set needs at least one number, and all of them from 1, such as 1 or 1+3+5")]
    NoTake,
    /// Text that is not a number of chips.
    #[error("{text:?} is not a number of chips: write a whole number from 0, such as 8")]
    NotATotal {
        /// What was given.
        text: String,
    },
    /// Text that is not a holding.
    #[error(
        "{text:?} is not a holding: write a number of chips, with a star for the tie-breaking advantage, \
         such as 4 or 4*"
    )]
    NotAHolding {
        /// What was given.
        text: String,
    },
    /// Text that is not a share of the money.
    #[error("{text:?} is not a share: write a fraction or a decimal number from 0 to 1, such as 133/256 or 0.25")]
    NotAShare {
        /// What was given.
        text: String,
    },
    /// Text that is not a long-run average.
    #[error(
        "{text:?} is not an average: write a fraction, such as -1/3, or the least and the greatest, such as 0..1/3"
    )]
    NotAnAverage {
        /// What was given.
        text: String,
    },
    /// A text that is not a rational number.
    #[error("{text:?} is not a number: write a fraction or a decimal number, such as -1/3 or 0.34")]
    NotANumber {
        /// What was given.
        text: String,
    },
    /// A holding with more chips than the game has.
    #[error("a holding of {holding} does not fit in a total of {total} chips")]
    HoldingAboveTotal {
        /// The holding.
        holding: Holding,
        /// The total.
        total: Total,
    },
    /// Both players or neither hold the star.
    #[error(
        "{who} the star in {alice} against {bob}: exactly one holding must carry it, such as {}* against {}",
        alice.chips(),
        bob.chips()
    )]
    StarCount {
        /// "both players hold" or "nobody holds".
        who: &'static str,
        /// Alice's holding.
        alice: Holding,
        /// Bob's holding.
        bob: Holding,
    },
    /// A star under a mechanism without one.
    #[error("with ties {ties} there is no star: write {} for Alice and {} for Bob", alice.chips(), bob.chips())]
    NoStar {
        /// Who wins ties.
        ties: crate::Ties,
        /// Alice's holding.
        alice: Holding,
        /// Bob's holding.
        bob: Holding,
    },
    /// Text that is not a value of one of the mechanism's choices.
    #[error(
        "{text:?} is not a choice of {choice}{}: write {}{more}",
        did_you_mean(text, words.iter().copied()), one_of(words)
    )]
    NotAChoice {
        /// payment, ties, bidding, right, bids or preset.
        choice: &'static str,
        /// What was given.
        text: String,
        /// The allowed words.
        words: &'static [&'static str],
        /// What else is allowed.
        more: &'static str,
    },
    /// Part of a database is missing.
    #[error("{what}")]
    Missing {
        /// The part.
        what: String,
        /// How to make it.
        remedies: Vec<Remedy>,
    },
    /// A combination that no solver supports yet.
    #[error("{what} is not supported{}", supported(serves))]
    Unsupported {
        /// The requested combination.
        what: String,
        /// The supported combinations; empty if the remedies say all.
        serves: String,
        /// Further remedies.
        remedies: Vec<Remedy>,
    },
    /// In real money with right `moves`, a position where moving hurts.
    #[error("there is no real-money threshold where the winner must move and position {position} is a zugzwang")]
    Zugzwang {
        /// Its number, or its notation if the game is known.
        position: String,
    },
    /// With right `moves`, bounds do not show whether a position is a zugzwang.
    #[error("bounds cannot rule out that position {position} is a zugzwang")]
    PerhapsZugzwang {
        /// Its number, or its notation if the game is known.
        position: String,
    },
    /// A position where play goes on but a player has no move.
    #[error(
        "position {position}: {player} has no move although the game is not over: \
         give {player} a move, or the position a winner"
    )]
    DeadEnd {
        /// Its number, or its notation if the game is known.
        position: String,
        /// The player without a move.
        player: Player,
    },
    /// A move at a position where the other player moves without a bid.
    #[error("position {position}: {player} has a move, and the other player moves there without a bid: leave it out")]
    NotTheirs {
        /// Its number, or its notation if the game is known.
        position: String,
        /// The player with the move.
        player: Player,
    },
    /// A priority above [`crate::Priority::MAX`].
    #[error("position {position} has priority {priority}; priorities are at most {}", crate::Priority::MAX)]
    PriorityTooLarge {
        /// Its number, or its notation if the game is known.
        position: String,
        /// Its priority.
        priority: u32,
    },
    /// Text that is not the probability of a move.
    #[error(
        "{text:?} is not a chance: write a fraction above 0 and at most 1, such as 1/3, with a denominator of at most \
         10^18"
    )]
    NotAProbability {
        /// What was given.
        text: String,
    },
    /// Probabilities that are not those of all moves of a position.
    #[error("position {position}: {reason}")]
    WrongProbabilities {
        /// Its number, or its notation if the game is known.
        position: String,
        /// What is wrong.
        reason: String,
    },
    /// Text that is not a position of the game.
    #[error("{text:?} is not a position of {game}: {reason}")]
    BadPosition {
        /// What was given.
        text: String,
        /// The game.
        game: String,
        /// The reason, and the form of a position.
        reason: String,
    },
    /// A scoring game in which play can return to a position.
    #[error(
        "play can come back to a position: {}; scoring games must end, so leave out one of these moves",
        arrows(positions)
    )]
    Cycle {
        /// The positions of a cycle in order: numbers, or notations where the game is known.
        positions: Vec<String>,
    },
    /// A weight or a score that is too large.
    #[error(
        "position {position}: {number} is out of range: weights and scores are whole numbers from -{most} to {most}",
        most = crate::MAX_WEIGHT
    )]
    WeightTooLarge {
        /// Its number, or its notation if the game is known.
        position: String,
        /// The weight or score.
        number: i64,
    },
    /// A division of the chips with which nobody can bid.
    #[error(
        "with bids {bids} and a total of {total} nobody can bid when Alice has {alice} and Bob {bob}: \
         allow a bid of at most {most}, such as 0",
        bob = total.chips() - alice, most = total.chips().div_ceil(2)
    )]
    NobodyCanBid {
        /// The allowed bids.
        bids: String,
        /// The total.
        total: Total,
        /// Alice's chips.
        alice: u32,
    },
    /// Text that is not a move in this position.
    #[error("{text:?} is not a move of {player} here: the moves are {moves}")]
    NotAMove {
        /// The player to move.
        player: Player,
        /// What was given.
        text: String,
        /// The allowed moves.
        moves: String,
    },
    /// More positions than the limit.
    #[error("the game has more than {limit} positions")]
    TooManyPositions {
        /// The limit.
        limit: u64,
    },
    /// More memory than the limit.
    #[error("{what} needs {} but the limit is {}", bytes(*needed), bytes(*limit))]
    TooMuchMemory {
        /// The purpose of the memory.
        what: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// More disk space than the limit.
    #[error("{what} needs {} on the disk but the limit is {}", bytes(*needed), bytes(*limit))]
    TooMuchDisk {
        /// The purpose of the space.
        what: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The time limit is exceeded.
    #[error("{what} takes longer than allowed")]
    OutOfTime {
        /// The task.
        what: &'static str,
    },
    /// No rule for every total was proved.
    #[error("no rule for all totals: {reason}")]
    NoRule {
        /// The missing part of the proof.
        reason: String,
    },
    /// The watch said stop.
    #[error("stopped before the answer was complete")]
    Cancelled,
}

/// At most 60 characters of a text, to keep messages readable.
pub fn excerpt(text: &str) -> String {
    shortened(text, 60)
}

/// At most `most` characters of a text; three dots stand for the rest.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

/// `1 chip`, `2 chips`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The positions of a cycle, then the first again; a long cycle is cut short.
pub(crate) fn arrows(positions: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut words: Vec<String> = positions.iter().take(SHOWN).map(|name| excerpt(name)).collect();
    if positions.len() > SHOWN {
        words.push(format!("... ({} positions)", positions.len()));
    }
    words.extend(words.first().cloned());
    words.join(" -> ")
}

fn supported(serves: &str) -> String {
    if serves.is_empty() { String::new() } else { format!("; supported: {serves}") }
}

fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}

impl Error {
    /// [`Error::Unsupported`].
    pub fn unsupported(what: impl Into<String>, serves: impl Into<String>) -> Error {
        Error::Unsupported { what: what.into(), serves: serves.into(), remedies: Vec::new() }
    }

    /// [`Error::Unsupported`], where one of the remedies avoids the problem.
    pub fn unsupported_unless(what: impl Into<String>, remedies: impl Into<Vec<Remedy>>) -> Error {
        Error::Unsupported { what: what.into(), serves: String::new(), remedies: remedies.into() }
    }

    /// [`Error::Unsupported`] for an exact answer where only bounds are known.
    pub fn inexact(what: impl Into<String>) -> Error {
        Error::unsupported_unless(what, [Remedy::LeaveOut(Choice::EXACTNESS)])
    }

    /// Remedies that the message does not name.
    pub fn remedies(&self) -> Vec<Remedy> {
        let chooses = || Remedy::Take(Choice::RIGHT, "chooses".to_string());
        match self {
            Error::Missing { remedies, .. } | Error::Unsupported { remedies, .. } => remedies.clone(),
            Error::Zugzwang { .. } => vec![chooses(), Remedy::Give(Choice::CHIPS)],
            Error::PerhapsZugzwang { .. } => vec![chooses(), Remedy::SmallerGame],
            Error::TooManyPositions { .. } => vec![Remedy::LaterPosition],
            Error::TooMuchMemory { .. } => vec![Remedy::MoreMemory, Remedy::AskForLess],
            Error::TooMuchDisk { .. } => vec![Remedy::MoreDisk, Remedy::AskForLess],
            Error::OutOfTime { .. } => vec![Remedy::MoreTime, Remedy::AskForLess],
            _ => Vec::new(),
        }
    }

    /// [`Error::BadPosition`] with the text shortened.
    pub fn bad_position(text: &str, game: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::BadPosition { text: excerpt(text), game: excerpt(&game.into()), reason: reason.into() }
    }

    /// The same error with positions by name instead of number.
    #[must_use]
    pub fn with_names(mut self, name: impl Fn(Node) -> String) -> Error {
        let positions = match &mut self {
            Error::Zugzwang { position }
            | Error::PerhapsZugzwang { position }
            | Error::DeadEnd { position, .. }
            | Error::NotTheirs { position, .. }
            | Error::PriorityTooLarge { position, .. }
            | Error::WrongProbabilities { position, .. }
            | Error::WeightTooLarge { position, .. } => std::slice::from_mut(position),
            Error::Cycle { positions } => positions,
            _ => &mut [],
        };
        for position in positions {
            if let Ok(node) = position.parse() {
                *position = name(node);
            }
        }
        self
    }

    pub(crate) fn not_reached(text: &str, game: String) -> Error {
        Error::bad_position(text, game, "it cannot be reached from the position the game starts at")
    }
}
