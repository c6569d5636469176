//! The mechanism: five independent choices, and presets named after papers.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::error::excerpt;
use crate::{ByPlayer, Error, Player, Purses, Share};

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
    /// The chips that the loser of a bid gets when the winner pays `bid`.
    #[inline]
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
    /// The star's holder sees both bids, then uses the star (winning the bid) or keeps it (losing
    /// it).
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

/// Who won a bid, and who then holds the star (meaningless without a star).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedBid {
    /// Who won.
    pub winner: Player,
    /// Who holds the star.
    pub star: Player,
}

/// Whether the star decided a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StarUse {
    /// Its holder won a tie with it, and gives it to the other player.
    Used,
    /// It did not, because there was no tie, its holder kept it, or the rule does not use it.
    Kept,
}

impl StarUse {
    /// [`StarUse::Used`] if `used`.
    #[inline]
    pub fn of(used: bool) -> StarUse {
        if used { StarUse::Used } else { StarUse::Kept }
    }

    /// Whether it decided.
    #[inline]
    pub fn is_used(self) -> bool {
        self == StarUse::Used
    }
}

impl Ties {
    /// All tie rules.
    pub const ALL: [Ties; 6] = [Ties::Advantage, Ties::Marker, Ties::Alice, Ties::Bob, Ties::Loser, Ties::Winner];

    /// Whether a star exists: all but `alice` and `bob` have one.
    pub fn has_star(self) -> bool {
        !matches!(self, Ties::Alice | Ties::Bob)
    }

    /// Who wins a tie, or may claim it, while `star` holds the star, if any.
    pub fn holder(self, star: Player) -> Player {
        match self {
            Ties::Alice => Player::Alice,
            Ties::Bob => Player::Bob,
            Ties::Advantage | Ties::Marker | Ties::Loser | Ties::Winner => star,
        }
    }

    /// The options of the star's holder in a tie; `None` if the rule does not use the star.
    pub fn uses(self) -> &'static [Option<StarUse>] {
        match self {
            Ties::Advantage => &[Some(StarUse::Used), Some(StarUse::Kept)],
            Ties::Marker => &[Some(StarUse::Used)],
            Ties::Alice | Ties::Bob | Ties::Loser | Ties::Winner => &[None],
        }
    }

    /// Whether the holder decides ties after seeing both bids.
    pub fn holder_decides(self) -> bool {
        self.uses().len() > 1
    }

    /// Who wins a bid, and who then holds the star. `higher` is the higher bidder, `None` in a tie;
    /// `star` held the star before. `used` is one of [`Ties::uses`] in a tie, otherwise ignored.
    ///
    /// ```
    /// use richman_core::{Player::{Alice, Bob}, ResolvedBid, StarUse::{Kept, Used}, Ties};
    ///
    /// // Alice, who holds the star, uses it in a tie, or keeps it.
    /// assert_eq!(Ties::Advantage.resolve(None, Alice, Some(Used)), ResolvedBid { winner: Alice, star: Bob });
    /// assert_eq!(Ties::Advantage.resolve(None, Alice, Some(Kept)), ResolvedBid { winner: Bob, star: Alice });
    /// // Loser's Ball: Bob outbids her, and she wins the next tie.
    /// assert_eq!(Ties::Loser.resolve(Some(Bob), Bob, None), ResolvedBid { winner: Bob, star: Alice });
    /// ```
    pub fn resolve(self, higher: Option<Player>, star: Player, used: Option<StarUse>) -> ResolvedBid {
        let winner = match (higher, used) {
            (Some(winner), _) => winner,
            (None, Some(StarUse::Kept)) => self.holder(star).other(),
            (None, _) => self.holder(star),
        };
        let used = used.filter(|_| higher.is_none()).unwrap_or(StarUse::Kept);
        ResolvedBid { winner, star: self.star_after(winner, star, used) }
    }

    /// Who holds the star after `winner` has won a bid.
    pub(crate) fn star_after(self, winner: Player, star: Player, used: StarUse) -> Player {
        match self {
            Ties::Advantage | Ties::Marker if used.is_used() => winner.other(),
            Ties::Advantage | Ties::Marker | Ties::Alice | Ties::Bob => star,
            Ties::Loser => winner.other(),
            Ties::Winner => winner,
        }
    }
}

/// The higher bidder, if any. A player who cannot bid (`None`) bids less than any.
pub fn higher_bid(bids: ByPlayer<Option<u32>>) -> Option<Player> {
    match bids.alice.cmp(&bids.bob) {
        Ordering::Greater => Some(Player::Alice),
        Ordering::Less => Some(Player::Bob),
        Ordering::Equal => None,
    }
}

/// Whether bids are made at once or in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Bidding {
    /// Both bid at once.
    #[default]
    Sealed,
    /// Alice names her bid, then Bob answers, knowing it.
    AliceFirst,
    /// Bob names his bid, then Alice answers, knowing it.
    BobFirst,
}

impl Bidding {
    /// Who bids first, in the open; `None` if both bid at once.
    pub fn first(self) -> Option<Player> {
        match self {
            Bidding::Sealed => None,
            Bidding::AliceFirst => Some(Player::Alice),
            Bidding::BobFirst => Some(Player::Bob),
        }
    }

    /// Whether `player` knows the other bid when bidding.
    pub fn answers(self, player: Player) -> bool {
        self.first() == Some(player.other())
    }
}

/// What the winner of a bid may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Right {
    /// The winner decides who moves.
    #[default]
    Chooses,
    /// The winner must move.
    Moves,
}

impl Right {
    /// Whether the winner of a bid may let the other player move.
    pub fn may_let(self) -> bool {
        self == Right::Chooses
    }

    /// Whether a player who has won (`won`) or lost a bid can reach a target. `by(true)` says
    /// whether some own move reaches it, `by(false)` whether every move of the other player does.
    pub fn sees_to(self, won: bool, by: impl Fn(bool) -> bool) -> bool {
        match self {
            Right::Moves => by(won),
            Right::Chooses if won => by(true) || by(false),
            Right::Chooses => by(false) && by(true),
        }
    }
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
    /// The least allowed bid.
    pub fn least(&self) -> u32 {
        match self {
            Bids::All => 0,
            Bids::Only(amounts) => amounts.first().copied().unwrap_or(u32::MAX),
        }
    }

    /// The amounts that a player with `chips` chips may bid, ascending.
    pub fn up_to(&self, chips: u32) -> Vec<u32> {
        match self {
            Bids::All => (0..=chips).collect(),
            Bids::Only(amounts) => amounts.iter().copied().filter(|&bid| bid <= chips).collect(),
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
    /// Whether bids are made at once or in turn.
    pub bidding: Bidding,
    /// What the winner of a bid may do.
    pub right: Right,
    /// Which amounts may be bid.
    pub bids: Bids,
}

/// A mechanism named after the paper that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Tie-breaking advantage; the winner chooses who moves \[DP10\].
    #[default]
    DevelinPayne,
    /// Marker ties; the winner must move \[LPR20\].
    Larsson,
    /// Open bids, Alice first; Alice wins ties \[GSZ09\].
    Gasarch,
}

impl Preset {
    /// The mechanism of this preset.
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
    /// The five choices, by their names on the command line and in files.
    pub const CHOICES: [&str; 5] = ["payment", "ties", "bidding", "right", "bids"];

    /// The values of the choices as words, in the order of [`Mechanism::CHOICES`].
    pub fn words(&self) -> [String; 5] {
        let Mechanism { payment, ties, bidding, right, bids } = self;
        [payment.to_string(), ties.to_string(), bidding.to_string(), right.to_string(), bids.to_string()]
    }

    /// Sets one of [`Mechanism::CHOICES`] to the value that a word names.
    ///
    /// # Errors
    /// [`Error::NotAChoice`] if there is no such choice or value.
    pub fn choose(&mut self, choice: &str, word: &str) -> Result<(), Error> {
        match choice {
            "payment" => self.payment = word.parse()?,
            "ties" => self.ties = word.parse()?,
            "bidding" => self.bidding = word.parse()?,
            "right" => self.right = word.parse()?,
            "bids" => self.bids = word.parse()?,
            _ => {
                let (text, words) = (excerpt(choice), &Mechanism::CHOICES);
                return Err(Error::NotAChoice { choice: "the mechanism", text, words, more: "" });
            }
        }
        Ok(())
    }

    /// Whether a star exists.
    pub fn has_star(&self) -> bool {
        self.ties.has_star()
    }

    /// Whether there is a bank, so that the total may change. With `taxman:1` the bank gets
    /// nothing.
    pub fn has_bank(&self) -> bool {
        self.payment != Payment::Richman
    }

    /// The purses reachable from purses of at most `alice` and `bob` chips, `together` in all.
    pub fn purses(&self, ByPlayer { alice, bob }: ByPlayer<u32>, together: u32) -> Purses {
        match self.payment {
            Payment::Richman => Purses::Exactly(together),
            Payment::Poorman => Purses::UpTo { alice, bob },
            Payment::Taxman { .. } => Purses::Together(together),
        }
    }

    /// Whether real-money play follows DP10: the bid goes to the other player, the winner chooses
    /// who moves, and every bid is allowed. Ties and the order of bidding then do not matter.
    pub fn is_develin_payne_in_money(&self) -> bool {
        !self.has_bank() && self.right.may_let() && self.bids == Bids::All
    }

    /// Whether chip play follows DP10: as in real money, with ties `advantage`. The order of
    /// bidding then does not matter.
    pub fn is_develin_payne(&self) -> bool {
        self.is_develin_payne_in_money() && self.ties == Ties::Advantage
    }

    /// Whether more chips never hurt, all else equal: a player can ignore the extra chips. It needs
    /// a bid that is always allowed, so that a poorer opponent cannot escape by having none
    /// (theorem 11 (more chips never hurt) of `docs/design.md`).
    pub fn is_ordered_by_chips(&self) -> bool {
        self.bids.least() == 0
    }

    /// Whether in every state of every arena one player can force a win or both can force a draw.
    /// The order of bidding then does not matter, unless sealed play is not determined.
    ///
    /// It holds for open bids, where nothing is hidden, and for sealed bids by theorem 12 (where
    /// play is determined) of `docs/design.md`. It fails for ties `marker`, and is unproved for
    /// `advantage` without a bid of 0.
    pub fn is_determined(&self) -> bool {
        self.bidding != Bidding::Sealed
            || match self.ties {
                Ties::Alice | Ties::Bob | Ties::Loser | Ties::Winner => true,
                Ties::Advantage => self.is_ordered_by_chips(),
                Ties::Marker => false,
            }
    }
}

/// Implements `Display` and case-insensitive `FromStr` for a choice of words.
macro_rules! words {
    ($type:ty, $choice:literal, $($word:literal => $value:path),+) => {
        impl $type {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word for this value, as parsed.
            pub fn word(self) -> &'static str {
                match self { $($value => $word),+ }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }

        impl FromStr for $type {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                $(if text.eq_ignore_ascii_case($word) {
                    return Ok($value);
                })+
                Err(Error::NotAChoice { choice: $choice, text: excerpt(text), words: Self::WORDS, more: "" })
            }
        }
    };
}

words!(Ties, "ties",
    "advantage" => Ties::Advantage, "marker" => Ties::Marker, "alice" => Ties::Alice,
    "bob" => Ties::Bob, "loser" => Ties::Loser, "winner" => Ties::Winner);
words!(Bidding, "bidding",
    "sealed" => Bidding::Sealed, "alice-first" => Bidding::AliceFirst, "bob-first" => Bidding::BobFirst);
words!(Right, "right", "chooses" => Right::Chooses, "moves" => Right::Moves);
words!(Preset, "preset",
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
            words: &["richman", "poorman", "taxman:T"],
            more: " with T from 0 to 1, such as taxman:1/2",
        };
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "richman" => Ok(Payment::Richman),
            "poorman" => Ok(Payment::Poorman),
            _ => {
                let rate = lower.strip_prefix("taxman:").ok_or_else(refused)?;
                let rate: Share = rate.parse().map_err(|_| refused())?;
                let parts = (u32::try_from(rate.numerator()), u32::try_from(rate.denominator()));
                let (Ok(numerator), Ok(denominator)) = parts else { return Err(refused()) };
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
            words: &["all"],
            more: ", or the amounts that may be bid, such as 0+5",
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
mod tests;
