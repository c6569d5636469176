//! Strengths, by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use richman_analysis::{Scope, sources};
use richman_core::{Effort, Mechanism, Share, Walk};
use richman_engine::Care;
use richman_solvers::registry;

use super::knowledge::too_large;
use super::{
    Certain, Computer, Greedy, Knowledge, MonteCarlo, Perfect, PlayerError, Random, Rounding, SourcePlayer, Weakened,
};

/// A player's way of deciding when it does not err.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// Plays from the solution with chips; refuses games that cannot be solved.
    Perfect,
    /// Perfect if the game can be solved; else by exact values in Hex, bounds on large boards of
    /// lines, search in chess, rounding, or greedily.
    Best,
    /// Plays by real-money values, rounded to chips.
    Rounding,
    /// K's algorithm for Hex.
    MonteCarlo {
        /// Random fillings for one decision.
        fillings: u32,
    },
    /// Looks one move ahead.
    Greedy,
    /// Plays at random.
    Random,
}

/// How a computer player decides, and how often it acts at random instead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// Its way of deciding when it does not err.
    pub base: Base,
    /// The probability that an action is random, from 0 to 1.
    pub errs: f64,
    /// The most milliseconds for an action, if below the time allowed.
    pub milliseconds: Option<u32>,
}

/// A named strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrengthInfo {
    /// Its name.
    pub name: &'static str,
    /// The strength.
    pub strength: Strength,
    /// Its description.
    pub description: &'static str,
}

const fn info(name: &'static str, base: Base, errs: f64, description: &'static str) -> StrengthInfo {
    StrengthInfo { name, strength: Strength { base, errs, milliseconds: None }, description }
}

/// K's algorithm with "a large number" of fillings.
const USUAL: Base = Base::MonteCarlo { fillings: 20_000 };
/// The most milliseconds for one action.
const LONGEST_THINKING: u32 = 3_600_000;
const MOST_FILLINGS: u32 = 1_000_000_000;
/// The error rate of `intermediate`, up to which a player never overlooks a certainty.
const MOST_ERRS_OF_CERTAIN: f64 = 0.25;

/// The computer's default level, which a newcomer to bidding can beat.
pub const USUAL_LEVEL: &str = "beginner";

/// All named strengths, strongest first.
pub const STRENGTHS: [StrengthInfo; 9] = [
    info("perfect", Base::Perfect, 0.0, "from the solution; never spoils a position. Only games that can be solved"),
    info(
        "best",
        Base::Best,
        0.0,
        "perfect where the game can be solved; else by what is known of Hex and of large boards, by searching in \
         chess; else rounding, else greedy",
    ),
    info("advanced", Base::Best, 0.1, "the best, but one action in ten is random, unless a win at once is certain"),
    info("intermediate", Base::Best, MOST_ERRS_OF_CERTAIN, "the same with one action in four"),
    info("beginner", Base::Best, 0.5, "the best, but every other action is random"),
    info("rounding", Base::Rounding, 0.0, "bids what real-money values say, rounded to chips"),
    info("monte-carlo", USUAL, 0.0, "K's algorithm for Hex: bids what random fillings say; monte-carlo:fillings=20000"),
    info("greedy", Base::Greedy, 0.0, "wins at once where it can, and looks no further"),
    info("random", Base::Random, 0.0, "does whatever is allowed"),
];

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(info) = STRENGTHS.iter().find(|info| info.strength == *self) {
            return f.pad(info.name);
        }
        let kind = std::mem::discriminant(&self.base);
        let of_kind = |info: &&StrengthInfo| std::mem::discriminant(&info.strength.base) == kind;
        let name = STRENGTHS.iter().find(of_kind).map_or("best", |info| info.name);
        let fillings = match self.base {
            Base::MonteCarlo { fillings } if self.base != USUAL => Some(format!("fillings={fillings}")),
            _ => None,
        };
        let errs = (self.errs != 0.0).then(|| format!("errs={}", self.errs));
        let time = self.milliseconds.map(|milliseconds| format!("ms={milliseconds}"));
        let settings: Vec<String> = [fillings, errs, time].into_iter().flatten().collect();
        f.pad(&format!("{name}:{}", settings.join(",")))
    }
}

impl FromStr for Strength {
    type Err = PlayerError;

    /// Accepts, in any letter case, `perfect`, `perfect:errs=1/4`, `perfect:errs=0.25`,
    /// `best:ms=100`, `monte-carlo:fillings=20000` or `monte-carlo:fillings=20000,errs=1/4`.
    fn from_str(text: &str) -> Result<Strength, PlayerError> {
        let refused = || {
            let names: Vec<&str> = STRENGTHS.iter().map(|info| info.name).collect();
            let text = text.chars().take(80).collect();
            PlayerError::NotAStrength { text, known: names.join(", ") }
        };
        let lower = text.to_ascii_lowercase();
        let (name, settings) = lower.split_once(':').map_or((lower.as_str(), None), |(name, all)| (name, Some(all)));
        let found = STRENGTHS.iter().find(|info| info.name == name).ok_or_else(refused)?;
        let mut strength = found.strength;
        let mut seen: Vec<&str> = Vec::new();
        for setting in settings.into_iter().flat_map(|settings| settings.split(',')) {
            let refused = || PlayerError::NotASetting { player: found.name, text: setting.chars().take(80).collect() };
            let (key, value) = setting.split_once('=').ok_or_else(refused)?;
            if seen.contains(&key) {
                return Err(refused());
            }
            seen.push(key);
            match (key, &mut strength.base) {
                ("ms", _) => {
                    let milliseconds = value.parse().ok().filter(|ms| (1..=LONGEST_THINKING).contains(ms));
                    strength.milliseconds = Some(milliseconds.ok_or_else(refused)?);
                }
                ("errs", _) => strength.errs = part(value).ok_or_else(refused)?,
                ("fillings", Base::MonteCarlo { fillings }) => {
                    *fillings = value.parse().ok().filter(|&f| (1..=MOST_FILLINGS).contains(&f)).ok_or_else(refused)?;
                }
                _ => return Err(refused()),
            }
        }
        Ok(strength)
    }
}

/// A probability, as a fraction or a decimal number.
fn part(text: &str) -> Option<f64> {
    text.parse::<Share>().ok().map(|part| part.to_f64())
}

/// The reason why K's algorithm refuses a game.
const HEX_ONLY: &str = "its bids are those of Hex with Richman payment; take best";
/// The reason why a real-money player refuses a game.
const WON_ONLY: &str = "real-money values are about games that are won at an end; take best, greedy or random";

/// Whether an engine can fill the board at random.
pub(super) fn fills_boards(walk: &dyn Walk, mechanism: &Mechanism) -> bool {
    sources::engine(walk, mechanism).is_some_and(|engine| engine.has_random_plays())
}

impl Strength {
    /// Whether a player of this strength plays such games, whether or not they can be solved.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] gives the reason.
    pub fn suits(&self, walk: &dyn Walk, mechanism: &Mechanism) -> Result<(), PlayerError> {
        let reason = match self.base {
            Base::MonteCarlo { .. } if !fills_boards(walk, mechanism) => HEX_ONLY.to_string(),
            Base::Rounding if !walk.aim().facts().won_at_end => WON_ONLY.to_string(),
            Base::Perfect if walk.aim().facts().need_not_end => match registry::parity_chips(mechanism) {
                Ok(()) => return Ok(()),
                Err(error) => format!("{error}; take best, greedy or random"),
            },
            _ => return Ok(()),
        };
        Err(PlayerError::unfit(self, walk.game(), reason))
    }

    /// Whether the player never overlooks a certain win in one turn, even when it errs.
    fn sees_what_is_certain(&self) -> bool {
        matches!(self.base, Base::Perfect | Base::Best) && self.errs <= MOST_ERRS_OF_CERTAIN
    }

    /// Whether a player of this strength may be able to play here: the game suits it and, if it
    /// needs a solution, is not surely too large. Takes no longer than `effort` allows.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] gives the reason; [`PlayerError::Analysis`] for a wrong position.
    pub fn may_play(&self, scope: &Scope, effort: &Effort) -> Result<(), PlayerError> {
        let walk = scope.subject.walk(scope.position)?;
        self.suits(walk.as_ref(), scope.mechanism)?;
        let effort = Effort { positions: effort.positions.min(crate::MOST_POSITIONS), ..*effort };
        match self.base != Base::Perfect || scope.may_be_exact(&effort)? {
            true => Ok(()),
            false => Err(too_large(&walk.game(), super::source::OR)),
        }
    }

    /// A player of this strength, with `seed` for its random choices.
    ///
    /// # Errors
    /// [`PlayerError::Unfit`] if `knowledge` lacks the solution needed.
    pub fn computer(&self, knowledge: &Arc<Knowledge>, seed: u64) -> Result<Box<dyn Computer>, PlayerError> {
        let known = || Arc::clone(knowledge);
        let unfit = |reason: &str| PlayerError::unfit(self, knowledge.game.clone(), reason);
        let source = knowledge.source();
        let player: Box<dyn Computer> = match self.base {
            Base::Perfect | Base::Best if knowledge.solved().is_some() => Box::new(Perfect::new(known(), seed)),
            Base::Perfect if source.is_none_or(|source| !source.is_exact()) => {
                return Err(unfit("it was not solved; take best or rounding"));
            }
            Base::MonteCarlo { fillings } if knowledge.fills_boards => Box::new(MonteCarlo::new(fillings, seed)),
            Base::MonteCarlo { .. } => return Err(unfit(HEX_ONLY)),
            Base::Best if !knowledge.won_at_end => Box::new(Greedy::new(seed)),
            Base::Rounding if !knowledge.won_at_end => return Err(unfit(WON_ONLY)),
            Base::Perfect | Base::Best | Base::Rounding => match source {
                Some(source) => {
                    let care = if self.base == Base::Perfect { Care::Exact } else { Care::Usual };
                    Box::new(SourcePlayer::new(source, care, seed))
                }
                None => Box::new(Rounding::new(known(), seed)),
            },
            Base::Greedy => Box::new(Greedy::new(seed)),
            Base::Random => Box::new(Random::new(seed)),
        };
        let time = self.milliseconds.map(|time| Duration::from_millis(time.into()));
        let rng = fastrand::Rng::with_seed(seed ^ 0x5851_f42d_4c95_7f2d);
        let player = Box::new(Weakened { player, errs: self.errs, time, rng });
        Ok(if self.sees_what_is_certain() { Box::new(Certain { player }) } else { player })
    }
}
