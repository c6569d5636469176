//! The mechanism: how a bid is made, won and paid. Five independent choices, and presets named after papers.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::error::excerpt;

/// Who is paid.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Payment {
    /// The winner of the bid pays the other player.
    #[default]
    Richman,
    /// The winner of the bid pays the bank.
    Poorman,
    /// The part T = numerator / denominator goes to the other player, the rest to the bank.
    Taxman {
        /// Numerator of T.
        numerator: u32,
        /// Denominator of T, at least the numerator and at least 1.
        denominator: u32,
    },
}

impl Payment {
    /// What the loser of a bid gets of the chips that the winner pays.
    pub fn to_loser(&self, bid: u32) -> u32 {
        match *self {
            Payment::Richman => bid,
            Payment::Poorman => 0,
            Payment::Taxman { numerator, denominator } => {
                (u64::from(bid) * u64::from(numerator) / u64::from(denominator.max(1))) as u32
            }
        }
    }
}

/// Who wins when the bids are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ties {
    /// The star's holder may, after both bids are seen, use it (and win the bid) or keep it (and lose the bid).
    #[default]
    Advantage,
    /// The star's holder must use it.
    Marker,
    /// Alice wins every tie.
    Alice,
    /// Bob wins every tie.
    Bob,
    /// The loser of a bid wins the next tie (Loser's Ball).
    Loser,
    /// The winner of a bid wins the next tie (Make-it Take-it).
    Winner,
}

/// Who knows what when bidding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Bidding {
    /// Both bid at once.
    #[default]
    Sealed,
    /// Alice names her bid, then Bob answers knowing it.
    AliceFirst,
    /// Bob names his bid, then Alice answers knowing it.
    BobFirst,
}

/// What the winner of a bid wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Right {
    /// To decide who moves.
    #[default]
    Chooses,
    /// To move, and they must.
    Moves,
}

/// Which amounts may be bid.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Bids {
    /// Every whole number of chips that the bidder has.
    #[default]
    All,
    /// Only these amounts, ascending and distinct.
    Only(Vec<u32>),
}

impl Bids {
    /// The least amount that may be bid.
    pub fn least(&self) -> u32 {
        match self {
            Bids::All => 0,
            Bids::Only(amounts) => amounts.first().copied().unwrap_or(u32::MAX),
        }
    }
}

/// One choice of each kind. The default is DP10's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Mechanism {
    /// Who is paid.
    pub payment: Payment,
    /// Who wins ties.
    pub ties: Ties,
    /// Who knows what when bidding.
    pub bidding: Bidding,
    /// What the winner of a bid wins.
    pub right: Right,
    /// Which amounts may be bid.
    pub bids: Bids,
}

/// A mechanism named after the paper that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Tie-breaking advantage, the winner chooses who moves \[DP10\].
    #[default]
    DevelinPayne,
    /// Marker ties, the winner must move \[LPR20\].
    Larsson,
    /// Open bids, Alice first, ties hers \[GSZ09\].
    Gasarch,
}

impl Preset {
    /// The mechanism that the preset names.
    pub fn mechanism(self) -> Mechanism {
        let default = Mechanism::default();
        match self {
            Preset::DevelinPayne => default,
            Preset::Larsson => Mechanism { ties: Ties::Marker, right: Right::Moves, ..default },
            Preset::Gasarch => Mechanism { ties: Ties::Alice, bidding: Bidding::AliceFirst, ..default },
        }
    }
}

impl Mechanism {
    /// Whether a star exists: with ties `alice` and `bob` it does not.
    pub fn has_star(&self) -> bool {
        !matches!(self.ties, Ties::Alice | Ties::Bob)
    }

    /// Whether more chips never hurt, all else equal: a player with more bids as if they were not there. That needs a bid that is always
    /// allowed, so that a poorer opponent cannot escape by having none (theorem 11 (more chips never hurt) of `docs/design.md`).
    pub fn is_ordered_by_chips(&self) -> bool {
        self.bids.least() == 0
    }

    /// Whether in every state one of the players can force a win or both a draw, whatever the arena. Then the order of bidding changes
    /// nothing either, unless bids are open and this is false of sealed ones.
    ///
    /// With open bids this is so because nothing is hidden, with sealed ones by theorem 12 (where play is determined) of `docs/design.md`; with ties `marker` it is
    /// false, and for `advantage` without a bid of 0 nothing is proved.
    pub fn is_determined(&self) -> bool {
        self.bidding != Bidding::Sealed
            || match self.ties {
                Ties::Alice | Ties::Bob | Ties::Loser | Ties::Winner => true,
                Ties::Advantage => self.is_ordered_by_chips(),
                Ties::Marker => false,
            }
    }
}

/// Implements printing of a choice whose values are words, and parsing without regard to case.
macro_rules! words {
    ($type:ty, $choice:literal, $values:literal, $($word:literal => $value:path),+) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $($value => $word),+ })
            }
        }

        impl FromStr for $type {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                $(if text.eq_ignore_ascii_case($word) {
                    return Ok($value);
                })+
                Err(Error::NotAChoice { choice: $choice, text: excerpt(text), values: $values })
            }
        }
    };
}

words!(Ties, "ties", "advantage, marker, alice, bob, loser or winner",
    "advantage" => Ties::Advantage, "marker" => Ties::Marker, "alice" => Ties::Alice,
    "bob" => Ties::Bob, "loser" => Ties::Loser, "winner" => Ties::Winner);
words!(Bidding, "bidding", "sealed, alice-first or bob-first",
    "sealed" => Bidding::Sealed, "alice-first" => Bidding::AliceFirst, "bob-first" => Bidding::BobFirst);
words!(Right, "right", "chooses or moves", "chooses" => Right::Chooses, "moves" => Right::Moves);
words!(Preset, "preset", "develin-payne, larsson or gasarch",
    "develin-payne" => Preset::DevelinPayne, "larsson" => Preset::Larsson, "gasarch" => Preset::Gasarch);

impl fmt::Display for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Payment::Richman => f.pad("richman"),
            Payment::Poorman => f.pad("poorman"),
            Payment::Taxman { numerator, denominator } => f.pad(&format!("taxman:{numerator}/{denominator}")),
        }
    }
}

impl FromStr for Payment {
    type Err = Error;

    fn from_str(text: &str) -> Result<Payment, Error> {
        let refused = || Error::NotAChoice {
            choice: "payment",
            text: excerpt(text),
            values: "richman, poorman or taxman:T with T from 0 to 1, such as taxman:1/2",
        };
        let digits = |part: &str| {
            if part.bytes().all(|b| b.is_ascii_digit()) { part.parse::<u32>().ok() } else { None }
        };
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "richman" => Ok(Payment::Richman),
            "poorman" => Ok(Payment::Poorman),
            _ => {
                let rate = lower.strip_prefix("taxman:").ok_or_else(refused)?;
                let (numerator, denominator) = rate.split_once('/').unwrap_or((rate, "1"));
                let numerator = digits(numerator).ok_or_else(refused)?;
                let denominator = digits(denominator).ok_or_else(refused)?;
                if denominator == 0 || numerator > denominator {
                    return Err(refused());
                }
                Ok(Payment::Taxman { numerator, denominator })
            }
        }
    }
}

impl fmt::Display for Bids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bids::All => f.pad("all"),
            Bids::Only(amounts) => {
                let words: Vec<String> = amounts.iter().map(u32::to_string).collect();
                f.pad(&words.join("+"))
            }
        }
    }
}

impl FromStr for Bids {
    type Err = Error;

    fn from_str(text: &str) -> Result<Bids, Error> {
        const MOST: usize = 1024;
        let refused = || Error::NotAChoice {
            choice: "bids",
            text: excerpt(text),
            values: "all, or the amounts that may be bid, such as 0+5",
        };
        if text.eq_ignore_ascii_case("all") {
            return Ok(Bids::All);
        }
        let mut amounts = Vec::new();
        for word in text.split('+') {
            if amounts.len() == MOST || word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
                return Err(refused());
            }
            amounts.push(word.parse().map_err(|_| refused())?);
        }
        amounts.sort_unstable();
        amounts.dedup();
        Ok(Bids::Only(amounts))
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "payment {}, ties {}, bidding {}, right {}, bids {}",
            self.payment, self.ties, self.bidding, self.right, self.bids
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_prints_and_parses_back() {
        for text in ["richman", "poorman", "taxman:1/2", "taxman:0/1"] {
            assert_eq!(text.parse::<Payment>().unwrap().to_string(), text);
        }
        for text in ["advantage", "marker", "alice", "bob", "loser", "winner"] {
            assert_eq!(text.parse::<Ties>().unwrap().to_string(), text);
        }
        for text in ["sealed", "alice-first", "bob-first"] {
            assert_eq!(text.parse::<Bidding>().unwrap().to_string(), text);
        }
        for text in ["chooses", "moves"] {
            assert_eq!(text.parse::<Right>().unwrap().to_string(), text);
        }
        for text in ["all", "0+5", "3"] {
            assert_eq!(text.parse::<Bids>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn words_are_read_in_any_case() {
        assert_eq!("Poorman".parse::<Payment>().unwrap(), Payment::Poorman);
        assert_eq!("TAXMAN:1/2".parse::<Payment>().unwrap(), "taxman:1/2".parse().unwrap());
        assert_eq!("Marker".parse::<Ties>().unwrap(), Ties::Marker);
        assert_eq!("Alice-First".parse::<Bidding>().unwrap(), Bidding::AliceFirst);
        assert_eq!("MOVES".parse::<Right>().unwrap(), Right::Moves);
        assert_eq!("Develin-Payne".parse::<Preset>().unwrap(), Preset::DevelinPayne);
        assert_eq!("ALL".parse::<Bids>().unwrap(), Bids::All);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "taxman", "taxman:", "taxman:2", "taxman:1/0", "taxman:-1/2", "Rich man"] {
            assert!(text.parse::<Payment>().is_err(), "{text:?}");
        }
        for text in ["", "+", "0+", "x", "0+5+-1", "99999999999"] {
            assert!(text.parse::<Bids>().is_err(), "{text:?}");
        }
        assert!("coin".parse::<Ties>().is_err());
    }
}
