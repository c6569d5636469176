//! Games in which chance moves too: simple stochastic games, played as random-turn play.

use std::fmt;
use std::str::FromStr;

use crate::numeral::Decimal;
use crate::{
    Aim, AskedQuestion, ByPlayer, End, Error, Label, LabelledArena, LabelledArenaBuilder, Node, NodeData, Objective,
    ObjectiveFacts, Playable, Player, PositionKind, Preset, Terminal, WinLose, Winnable,
};

/// A win-or-lose game in which chance moves at some positions. Where Alice cannot force a win, Bob
/// may be unable to force even a draw, so thresholds do not tell the value of a position and are
/// not computed. Its value is that of random-turn play: a fair coin decides who moves where the
/// players would bid. Nobody wins a play that never ends. These are the simple stochastic games of
/// A. Condon, "The complexity of stochastic games", 1992.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stochastic;

/// The arena of a game in which chance moves too.
///
/// ```
/// use richman_core::{Player, Probability, StochasticArenaBuilder, StochasticLabel, Terminal};
/// let mut builder = StochasticArenaBuilder::new();
/// let [won, lost] = [Player::Alice, Player::Bob].map(|player| builder.terminal(Terminal::Win(player)));
/// let chance = |text: &str| text.parse::<Probability>();
/// let die = builder.labelled(&[(won, chance("1/6")?), (lost, chance("5/6")?)], &[], StochasticLabel::Chance);
/// assert_eq!(builder.build(die)?.edges(), 2);
/// # Ok::<(), richman_core::Error>(())
/// ```
pub type StochasticArena = LabelledArena<Stochastic>;

/// Builds the arena of a game in which chance moves too.
pub type StochasticArenaBuilder = LabelledArenaBuilder<Stochastic>;

/// Who moves at a position of a game in which chance moves too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StochasticLabel {
    /// The winner of a bid, which is the winner of a coin toss in random-turn play, or the owner.
    Player(PositionKind),
    /// Chance, by the probabilities of the moves of both lists.
    Chance,
}

impl Default for StochasticLabel {
    fn default() -> StochasticLabel {
        StochasticLabel::Player(PositionKind::Bid)
    }
}

impl Label for StochasticLabel {
    fn mirror(self) -> StochasticLabel {
        match self {
            StochasticLabel::Player(kind) => StochasticLabel::Player(kind.mirror()),
            StochasticLabel::Chance => StochasticLabel::Chance,
        }
    }
}

/// The probability of a move of chance: above 0 and at most 1, in lowest terms. A move of a player
/// has 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability {
    numerator: u64,
    denominator: u64,
}

impl Probability {
    /// Certainty.
    pub const ONE: Probability = Probability { numerator: 1, denominator: 1 };

    /// The greatest denominator, also of the sums of the moves of one position: 10^18.
    pub const MAX_DENOMINATOR: u64 = 1_000_000_000_000_000_000;

    /// `numerator` / `denominator`; `None` if that is not above 0 and at most 1, or the denominator
    /// in lowest terms is above [`Probability::MAX_DENOMINATOR`].
    pub fn new(numerator: u64, denominator: u64) -> Option<Probability> {
        let common = gcd(numerator, denominator);
        let (numerator, denominator) = (numerator.checked_div(common)?, denominator.checked_div(common)?);
        let is_one = (1..=denominator).contains(&numerator) && denominator <= Probability::MAX_DENOMINATOR;
        is_one.then_some(Probability { numerator, denominator })
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator in lowest terms.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The numerator over a multiple of the denominator.
    pub fn over(self, common: u64) -> u64 {
        self.numerator * (common / self.denominator)
    }

    /// The least common denominator of probabilities that add up to 1.
    ///
    /// # Errors
    /// Why they are not the probabilities of all moves of a position.
    pub fn common_denominator(all: impl Iterator<Item = Probability> + Clone) -> Result<u64, String> {
        let least = all.clone().try_fold(1u64, |common, Probability { denominator, .. }| {
            let common = (common / gcd(common, denominator)).checked_mul(denominator)?;
            (common <= Probability::MAX_DENOMINATOR).then_some(common)
        });
        let Some(common) = least else {
            return Err("the chances of the moves have a least common denominator above 10^18: round them".to_string());
        };
        let sum: u128 = all.map(|chance| u128::from(chance.over(common))).sum();
        if sum == u128::from(common) {
            return Ok(common);
        }
        let shared = u64::try_from(sum % u128::from(common)).map_or(1, |rest| gcd(rest, common));
        let [sum, common] = [sum, u128::from(common)].map(|number| number / u128::from(shared));
        let sum = if common == 1 { sum.to_string() } else { format!("{sum}/{common}") };
        Err(format!("the chances of the moves add up to {sum}, and not to 1"))
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Certainty, as of a move that a player makes.
impl Default for Probability {
    fn default() -> Probability {
        Probability::ONE
    }
}

impl Label for Probability {
    fn mirror(self) -> Probability {
        self
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if *self == Probability::ONE { f.write_str("1") } else { write!(f, "{}/{}", self.numerator, self.denominator) }
    }
}

/// A fraction, such as `1/3`, or a decimal number, such as `0.25` or `2.5e-1`; all are exact.
impl FromStr for Probability {
    type Err = Error;

    fn from_str(text: &str) -> Result<Probability, Error> {
        const DIGITS: usize = 19;
        let number = |text: &str| {
            let is_number = (1..=DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { text.parse::<u64>().ok() } else { None }
        };
        let read = || match text.split_once('/') {
            Some((numerator, denominator)) => Probability::new(number(numerator)?, number(denominator)?),
            None => {
                let Decimal { is_negative, whole, part, exponent } = Decimal::read(text)?;
                let ten = |power: u64| 10u64.checked_pow(u32::try_from(power).ok()?);
                let scale = ten(part.len() as u64)?;
                let part = if part.is_empty() { 0 } else { number(part)? };
                let numerator = number(whole)?.checked_mul(scale)?.checked_add(part)?;
                let (more, less) = if exponent < 0 { (0, exponent.unsigned_abs()) } else { (exponent as u64, 0) };
                let (numerator, denominator) = (numerator.checked_mul(ten(more)?)?, scale.checked_mul(ten(less)?)?);
                if is_negative { None } else { Probability::new(numerator, denominator) }
            }
        };
        read().ok_or_else(|| Error::NotAProbability { text: crate::error::excerpt(text) })
    }
}

impl Objective for Stochastic {
    type Move = Probability;
    type Position = StochasticLabel;
    type End = Terminal;
    const CYCLES: bool = true;

    /// `None` also where chance moves.
    fn owner(label: StochasticLabel) -> Option<Player> {
        match label {
            StochasticLabel::Player(kind) => kind.owner(),
            StochasticLabel::Chance => None,
        }
    }

    fn with_bids(_: StochasticLabel) -> StochasticLabel {
        StochasticLabel::Player(PositionKind::Bid)
    }

    fn check(node: Node, data: NodeData<Stochastic>, moves: ByPlayer<&[Probability]>) -> Result<(), Error> {
        let wrong = |reason| Error::WrongProbabilities { position: node.to_string(), reason };
        let all = moves.into_iter().flatten().copied();
        match data {
            NodeData::End(_) => Ok(()),
            NodeData::On(StochasticLabel::Chance) => Probability::common_denominator(all).map(drop).map_err(wrong),
            NodeData::On(StochasticLabel::Player(kind)) => {
                kind.check(node, moves)?;
                match all.clone().find(|&chance| chance != Probability::ONE) {
                    Some(chance) => Err(wrong(format!("a player's move has the chance {chance}: leave it out"))),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Playable for Stochastic {
    const AIM: Aim = Aim::Stochastic;

    const FACTS: ObjectiveFacts = ObjectiveFacts {
        played: "with moves of chance, so money need not decide who wins",
        questions: &[AskedQuestion::RandomTurn],
        preset: Preset::DevelinPayne,
        won_at_end: false,
        counts_points: false,
        need_not_end: false,
        has_chance: true,
        rule: "Chance moves at some positions.",
        at_limit: "the match is a draw.",
        so_far: |_| None,
    };

    fn weight(_: Probability) -> i64 {
        0
    }

    fn end(score: i64, end: Terminal) -> End {
        WinLose::end(score, end)
    }

    fn stuck(_: i64, _: StochasticLabel, _: Player) -> Option<End> {
        None
    }
}

impl Winnable for Stochastic {
    fn winner(end: Terminal) -> Option<Player> {
        end.winner()
    }
}

/// An objective with random-turn play.
pub trait RandomTurn: Winnable<End = Terminal> {
    /// Who moves at a position.
    fn mover(label: Self::Position) -> StochasticLabel;

    /// The probability of a move where chance moves.
    fn probability(label: Self::Move) -> Probability;
}

impl RandomTurn for Stochastic {
    fn mover(label: StochasticLabel) -> StochasticLabel {
        label
    }

    fn probability(chance: Probability) -> Probability {
        chance
    }
}

impl RandomTurn for WinLose {
    fn mover(kind: PositionKind) -> StochasticLabel {
        StochasticLabel::Player(kind)
    }

    fn probability((): ()) -> Probability {
        Probability::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_read_exactly() {
        for (text, shown) in [
            ("1/3", "1/3"),
            ("2/6", "1/3"),
            ("1", "1"),
            ("1.0", "1"),
            ("1.", "err"),
            ("2.5e-01", "1/4"),
            ("1e-3", "1/1000"),
            ("1e-19", "err"),
            ("1e-", "err"),
            ("0.25", "1/4"),
            ("0.250000000000000000000000", "1/4"),
            ("0.000000000000000001", "1/1000000000000000000"),
            ("1/1000000000000000000", "1/1000000000000000000"),
            ("1/1000000000000000001", "err"),
            ("3/3000000000000000000", "1/1000000000000000000"),
            ("0.3333333333333333333", "err"),
        ] {
            let read = text.parse::<Probability>().map_or("err".to_string(), |chance| chance.to_string());
            assert_eq!(read, shown, "{text}");
        }
        for text in [
            "",
            "0",
            "0/1",
            "1/0",
            "0.0",
            "4/3",
            "1.5",
            "-1/3",
            "+1",
            "1e3",
            "1e-99999999999",
            ".5",
            " 1/3",
            "1/3/1",
            "0.1.2",
        ] {
            let error = text.parse::<Probability>().unwrap_err().to_string();
            assert!(error.contains("such as 1/3"), "{text}: {error}");
        }
    }

    #[test]
    fn probabilities_add_up_to_one() {
        let common = |text: &str| {
            let all: Vec<Probability> = text.split(' ').map(|text| text.parse().unwrap()).collect();
            Probability::common_denominator(all.into_iter())
        };
        assert_eq!(common("1/3 1/2 1/6"), Ok(6));
        assert_eq!(common("1"), Ok(1));
        assert!(common("1/3 1/2").unwrap_err().contains("add up to 5/6,"));
        assert!(common("1 1").unwrap_err().contains("add up to 2,"));
        assert!(common("1/999999999989 1/999999999999").unwrap_err().contains("above 10^18"));
        assert!(Probability::common_denominator([].into_iter()).unwrap_err().contains("add up to 0,"));
    }
}
