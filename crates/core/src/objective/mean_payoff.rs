//! The mean-payoff objective: endless play for the long-run average weight of its moves.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::numeral::rational;
use crate::{
    Aim, AskedQuestion, ByPlayer, End, Error, Label, LabelledArena, LabelledArenaBuilder, MAX_WEIGHT, Mechanism, Node,
    NodeData, Objective, ObjectiveFacts, PlaySoFar, Playable, Player, PositionKind, Preset, Rate, Share, ShareBounds,
    StopReason, Winnable,
};

/// Alice wants a large long-run average of the weights of all moves (hers and Bob's); Bob wants a
/// small one. Play never ends. All statements hold for both limits of the averages, liminf and
/// limsup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MeanPayoff;

/// The arena of a mean-payoff game.
///
/// ```
/// use richman_core::{MeanPayoffArenaBuilder, PositionKind};
/// // Two positions with all moves between them and to themselves; moves to the second one weigh 1.
/// let mut builder = MeanPayoffArenaBuilder::new();
/// for _ in 0..2 {
///     builder.labelled(&[(0, 0), (1, 1)], &[(0, 0), (1, 1)], PositionKind::Bid);
/// }
/// assert_eq!(builder.build(0)?.edges(), 8);
/// # Ok::<(), richman_core::Error>(())
/// ```
pub type MeanPayoffArena = LabelledArena<MeanPayoff>;

/// Builds the arena of a mean-payoff game.
pub type MeanPayoffArenaBuilder = LabelledArenaBuilder<MeanPayoff>;

impl Label for Infallible {
    fn mirror(self) -> Infallible {
        self
    }
}

impl Objective for MeanPayoff {
    type Move = i64;
    type Position = PositionKind;
    type End = Infallible;
    const CYCLES: bool = true;

    fn check(node: Node, data: NodeData<MeanPayoff>, moves: ByPlayer<&[i64]>) -> Result<(), Error> {
        let NodeData::On(kind) = data;
        kind.check(node, moves)?;
        match moves.into_iter().flatten().find(|weight| !(-MAX_WEIGHT..=MAX_WEIGHT).contains(*weight)) {
            Some(&number) => Err(Error::WeightTooLarge { position: node.to_string(), number }),
            None => Ok(()),
        }
    }

    fn owner(kind: PositionKind) -> Option<Player> {
        kind.owner()
    }

    fn with_bids(_: PositionKind) -> PositionKind {
        PositionKind::Bid
    }
}

impl Playable for MeanPayoff {
    const AIM: Aim = Aim::MeanPayoff;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "for the long-run average of its weights",
        questions: &[AskedQuestion::Worth],
        preset: Preset::DevelinPayne,
        won_at_end: false,
        counts_points: false,
        need_not_end: true,
        has_chance: false,
        rule: "Play never ends: Alice wants a large average of the weights in the long run, Bob a small one.",
        at_limit: "play is cut off, and the average of the weights is the result.",
        so_far: |counts| {
            Some(PlaySoFar { average: PlayedAverage::new(counts.weights, counts.turns), ..PlaySoFar::default() })
        },
    };

    fn weight(weight: i64) -> i64 {
        weight
    }

    fn end(_: i64, end: Infallible) -> End {
        match end {}
    }

    fn stuck(_: i64, _: PositionKind, _: Player) -> Option<End> {
        None
    }
}

impl Winnable for MeanPayoff {
    fn winner(end: Infallible) -> Option<Player> {
        match end {}
    }
}

/// Bounds on the long-run average that Alice and Bob can guarantee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoffBounds {
    /// Alice can guarantee more than any number below this.
    pub low: RBig,
    /// Bob can guarantee less than any number above this.
    pub high: RBig,
}

impl PayoffBounds {
    /// The average, if both bounds are the same.
    pub fn as_exact(&self) -> Option<&RBig> {
        (self.low == self.high).then_some(&self.low)
    }
}

/// One number, or both with two dots between them.
impl fmt::Display for PayoffBounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.as_exact() {
            Some(average) => write!(f, "{average}"),
            None => write!(f, "{}..{}", self.low, self.high),
        }
    }
}

impl FromStr for PayoffBounds {
    type Err = Error;

    fn from_str(text: &str) -> Result<PayoffBounds, Error> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let bounds = rational(low).and_then(|low| Some(PayoffBounds { low, high: rational(high)? }));
        bounds
            .filter(|bounds| bounds.low <= bounds.high)
            .ok_or_else(|| Error::NotAnAverage { text: crate::error::excerpt(text) })
    }
}

/// The average weight of the moves of a play that was cut off, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedAverage {
    numerator: i64,
    denominator: u32,
}

impl PlayedAverage {
    /// The average of that many moves with that sum; `None` without moves.
    pub fn new(sum: i64, moves: u32) -> Option<PlayedAverage> {
        let mut parts = (u64::from(moves), sum.unsigned_abs());
        while parts.1 != 0 {
            parts = (parts.1, parts.0 % parts.1);
        }
        let divisor = u32::try_from(parts.0).ok().filter(|_| moves > 0)?; // it divides the moves
        Some(PlayedAverage { numerator: sum / i64::from(divisor), denominator: moves / divisor })
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / f64::from(self.denominator)
    }
}

impl fmt::Display for PlayedAverage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

impl FromStr for PlayedAverage {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayedAverage, Error> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_read = is_number(numerator.strip_prefix('-').unwrap_or(numerator)) && is_number(denominator);
        let read = || PlayedAverage::new(numerator.parse().ok()?, denominator.parse().ok()?);
        { if is_read { read() } else { None } }.ok_or_else(|| Error::NotAnAverage { text: crate::error::excerpt(text) })
    }
}

/// The potential of each position, as numerators over one denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Potentials {
    /// For each position.
    pub numerators: Vec<IBig>,
    /// At least 1.
    pub denominator: UBig,
}

/// The long-run average with real money, the same from every position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeanPayoffSolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// Alice's share of the money.
    pub share: Share,
    /// The average.
    pub value: PayoffBounds,
    /// Potentials that prove it.
    pub potentials: Potentials,
    /// Why the solver stopped.
    pub stop: StopReason,
}

/// The share that Alice needs for a long-run average of at least `least`. With more she guarantees
/// that the liminf of the averages is at least that; with less Bob guarantees a limsup below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoffThresholds {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// The average that Alice wants.
    pub least: RBig,
    /// For each position her share of the money, or bounds on it.
    pub thresholds: Vec<ShareBounds>,
    /// For each position of the components that play cannot leave. Alice's prove an average of at
    /// least `least` at the upper bound; Bob's prove a smaller one at each share below the lower
    /// bound.
    pub potentials: ByPlayer<Vec<RBig>>,
    /// Why the solver stopped.
    pub stop: StopReason,
}

impl Rate {
    /// The chance at which a coin lets Alice move that equals her share of the money in endless
    /// play: (share + T (1 - share)) / (1 + T), which is 1/2 for Richman payment.
    pub fn coin(self, share: &Share) -> Share {
        let part = RBig::from_parts(IBig::from(self.numerator()), UBig::from(self.denominator()));
        let rest = (RBig::ONE - share.rational()) * &part;
        Share::from_rational((share.rational() + rest) / (RBig::ONE + part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_of_plays_are_in_lowest_terms_and_read_back() {
        for (sum, moves, text) in [(2, 4, "1/2"), (-6, 3, "-2"), (0, 7, "0"), (i64::MIN, 1 << 31, "-4294967296")] {
            let average = PlayedAverage::new(sum, moves).unwrap();
            assert_eq!((average.to_string(), text.parse().ok()), (text.to_string(), Some(average)));
            assert_eq!(average.to_f64(), sum as f64 / f64::from(moves));
        }
        assert_eq!(PlayedAverage::new(3, 0), None);
        assert_eq!("2/4".parse::<PlayedAverage>().unwrap().to_string(), "1/2");
        for text in ["", "1/0", "1/", "/2", "--1", "+1", "1/-2", "1/4294967296", "9223372036854775808", "0.5"] {
            assert!(text.parse::<PlayedAverage>().is_err(), "{text}");
        }
    }

    #[test]
    fn averages_read_back() {
        for text in ["1/3", "-1/3", "0", "-7", "-1/2..1/3", "0..1000000000"] {
            assert_eq!(text.parse::<PayoffBounds>().unwrap().to_string(), text);
        }
        for text in ["", "1/0", "1/", "/2", "--1", "+1", "1..", "1..0", "0x1", "1/-2", "1.", "1..2..3"] {
            assert!(text.parse::<PayoffBounds>().is_err(), "{text}");
        }
        assert_eq!("-0.5..1.50".parse::<PayoffBounds>().unwrap().to_string(), "-1/2..3/2");
        assert!("1".repeat(Share::MAX_TEXT + 1).parse::<PayoffBounds>().is_err());
    }
}
