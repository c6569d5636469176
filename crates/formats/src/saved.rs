//! Saved solutions: what a solver claims about every position of a game, in one self-contained JSON document that a
//! person can read and a verifier can check against the rules without solving.
//!
//! ```json
//! {
//!   "format": "richman-solution",
//!   "version": 1,
//!   "game": "tic-tac-toe",
//!   "position": ".../.../...",
//!   "mechanism": {"payment":"richman","ties":"advantage","bidding":"sealed","right":"chooses","bids":"all"},
//!   "money": {
//!     "win": "133/256",
//!     "draw": "123/256",
//!     "positions": {
//!       ".../.../...": ["133/256","123/256"]
//!     }
//!   }
//! }
//! ```
//!
//! Instead of `"money"` there may be `"chips"`, a list with for each total
//! `{"total": 8, "win": {"plain": 5, "star": 4}, "draw": {...}, "positions": {"...": {"alice": [[within, plain, star],
//! ...], "bob": [...]}}}`, or `"rules"`: `{"win": {"block": 256, "step": 133, "from": 6}, "draw": {...}, "alice": [{"block": 128,
//! "step": 133, "values": [...]}, ...], "bob": [...], "positions": {"...": [alice, bob]}}`, where a rule gives thresholds in half-steps
//! (2 x chips + star) of the totals from 0, the last `block` of which repeat, and positions have numbers of rules. Where both purses count
//! there is `"purses"`, a list of `{"purses": {"alice": 8, "bob": 8}, "positions": {"...": {"alice": [[star, other, within, least], ...], "bob": [...]}}}`: with the star (1) or
//! without (0), against `other` chips of the other player, from `within` moves on the player needs `least` chips. Purses are at most so many each,
//! `{"together": 8}` or `{"exactly": 8}`.
//!
//! Where play may be undetermined a position with chips also has `"alice_holds"` and `"bob_holds"`: what each player needs to force at least a
//! draw, in the same form. These rise from nothing, in `"purses"` up to `null` for never.
//!
//! A game that has no name is embedded as `"game": {"file": {...}}`. There is one position on
//! each line, so that files compare well.

use std::io::{self, BufWriter, Write};

use richman_core::{Mechanism, Share, ShareBounds, Threshold, Total};

use crate::game_file::body;
use crate::saved_purses::{self, PurseClaim};
use crate::saved_rules::{self, RulesClaim};
use crate::saved_sides::{self, ChipValue, PositionClaim};
use crate::{GameFile, MechanismJson, RuleValue};

/// The most bytes of a saved solution: 2 GiB.
pub const MAX_SAVED_BYTES: u64 = 2 << 30;

pub(crate) const FORMAT: &str = "richman-solution";
pub(crate) const VERSION: u32 = 1;

/// Which game a solution is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedGame {
    /// A game that the name (with its parameters) says all about.
    Named(String),
    /// A game given position by position. Its name is a label, never one of the names above.
    File(GameFile),
}

/// A solution as it is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSolution {
    /// The game.
    pub game: SavedGame,
    /// The position that was solved, in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// What is claimed.
    pub claim: Claim,
}

/// What a solution claims: thresholds at the solved position, and at every position they rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Real money. Unit: all the money = 1.
    Money {
        /// Alice's win threshold at the solved position.
        win: ShareBounds,
        /// Her draw threshold there.
        draw: ShareBounds,
        /// The thresholds at every position.
        positions: Vec<MoneyValue>,
    },
    /// Chips.
    Chips {
        /// One claim for each total, at least one and no total twice.
        totals: Vec<ChipClaim>,
    },
    /// Chips, for all totals at once.
    Rules(RulesClaim),
    /// Chips where both purses count.
    Purses {
        /// One claim for each range of purses, at least one and no range twice.
        ranges: Vec<PurseClaim>,
    },
}

impl Claim {
    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        /// What the allocator adds to a text or a list.
        const HEAD: usize = 16;
        fn position<T>(name: &str, items: usize) -> u64 {
            (size_of::<T>() + name.len() + HEAD + items) as u64
        }
        fn staged<S>(claim: &PositionClaim<S>) -> u64 {
            let stages = [&claim.alice, &claim.bob].into_iter().chain(claim.guards.iter().flatten());
            let items = stages.map(|stages| HEAD + size_of_val(&stages[..])).sum();
            position::<PositionClaim<S>>(&claim.position, items)
        }
        match self {
            Claim::Money { positions, .. } => {
                let long = |bounds: &ShareBounds| bounds.low.heap_bytes() + bounds.high.heap_bytes();
                let value = |value: &MoneyValue| {
                    position::<MoneyValue>(&value.position, 0) + long(&value.win) + long(&value.draw)
                };
                positions.iter().map(value).sum()
            }
            Claim::Chips { totals } => totals.iter().flat_map(|claim| &claim.positions).map(staged).sum(),
            Claim::Rules(claim) => {
                let rules = claim.alice.iter().chain(&claim.bob);
                let value = |value: &RuleValue| position::<RuleValue>(&value.position, 0);
                rules.map(|rule| (HEAD + size_of_val(rule) + size_of_val(rule.values())) as u64).sum::<u64>()
                    + claim.positions.iter().map(value).sum::<u64>()
            }
            Claim::Purses { ranges } => ranges.iter().flat_map(|claim| &claim.positions).map(staged).sum(),
        }
    }
}

/// Alice's thresholds for real money at one position. Unit: all the money = 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyValue {
    /// The position in the game's notation.
    pub position: String,
    /// The win threshold, or bounds on it.
    pub win: ShareBounds,
    /// The draw threshold, or bounds on it.
    pub draw: ShareBounds,
}

/// What is claimed for one total of chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipClaim {
    /// The number of chips in the game.
    pub total: Total,
    /// Alice's win threshold at the solved position, in chips.
    pub win: Threshold,
    /// Her draw threshold there, in chips.
    pub draw: Threshold,
    /// What is claimed at every position.
    pub positions: Vec<ChipValue>,
}

/// Writes `solution`, one position on each line. Memory stays constant however many positions there are.
///
/// Reading gives back the same solution if it keeps to what the types say: distinct positions, totals and purses, and stages
/// that ascend in moves while their thresholds descend (or, to draw, rise).
///
/// # Errors
/// Whatever `into` reports, and [`io::ErrorKind::InvalidInput`] for a share with so many digits that reading would
/// refuse it.
pub fn write(solution: &SavedSolution, into: &mut dyn Write) -> io::Result<()> {
    write_all(solution, None::<std::iter::Empty<MoneyValue>>, into)
}

/// The same of a solution for real money, with the thresholds at every position made one by one in place of those that
/// it has.
///
/// # Errors
/// Those of [`write()`].
pub fn write_money(
    solution: &SavedSolution,
    positions: impl Iterator<Item = MoneyValue>,
    into: &mut dyn Write,
) -> io::Result<()> {
    write_all(solution, Some(positions), into)
}

fn write_all(
    solution: &SavedSolution,
    money: Option<impl Iterator<Item = MoneyValue>>,
    into: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(into);
    write!(out, "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"game\": ")?;
    match &solution.game {
        SavedGame::Named(name) => json(&mut out, name)?,
        SavedGame::File(game) => write_game(&mut out, game)?,
    }
    write!(out, ",\n  \"position\": ")?;
    json(&mut out, &solution.position)?;
    write!(out, ",\n  \"mechanism\": ")?;
    json(&mut out, &MechanismJson::from(&solution.mechanism))?;
    match &solution.claim {
        Claim::Money { win, draw, positions } => {
            write!(out, ",\n  \"money\": {{\n    \"win\": ")?;
            write_share(&mut out, win)?;
            write!(out, ",\n    \"draw\": ")?;
            write_share(&mut out, draw)?;
            write!(out, ",\n    \"positions\": ")?;
            match money {
                Some(made) => write_lines(&mut out, "    ", made, |out, value| write_value(out, &value))?,
                None => write_lines(&mut out, "    ", positions, write_value)?,
            }
            write!(out, "\n  }}")?;
        }
        Claim::Chips { totals } => {
            write!(out, ",\n  \"chips\": [")?;
            for (at, claim) in totals.iter().enumerate() {
                write!(out, "{}\n    {{\n", if at == 0 { "" } else { "," })?;
                writeln!(out, "      \"total\": {},", claim.total)?;
                for (key, Threshold { plain, star }) in [("win", claim.win), ("draw", claim.draw)] {
                    writeln!(out, "      \"{key}\": {{\"plain\":{plain},\"star\":{star}}},")?;
                }
                write!(out, "      \"positions\": ")?;
                write_lines(&mut out, "      ", &claim.positions, saved_sides::write)?;
                write!(out, "\n    }}")?;
            }
            write!(out, "\n  ]")?;
        }
        Claim::Rules(claim) => saved_rules::write(&mut out, claim)?,
        Claim::Purses { ranges } => saved_purses::write(&mut out, ranges)?,
    }
    write!(out, "\n}}\n")?;
    out.flush()
}

fn write_game(out: &mut dyn Write, game: &GameFile) -> io::Result<()> {
    write!(out, "{{\"file\": {{\n    \"name\": ")?;
    json(out, &game.name)?;
    write!(out, ",\n    \"start\": ")?;
    json(out, &game.start)?;
    write!(out, ",\n    \"positions\": ")?;
    write_lines(out, "    ", &game.positions, |out, position| {
        json(out, &position.name)?;
        write!(out, ": {}", body(position))
    })?;
    write!(out, "\n  }}}}")
}

fn write_value(out: &mut dyn Write, value: &MoneyValue) -> io::Result<()> {
    json(out, &value.position)?;
    write!(out, ": [")?;
    write_share(out, &value.win)?;
    write!(out, ",")?;
    write_share(out, &value.draw)?;
    write!(out, "]")
}

/// An object with one line for each of `items`; `indent` is that of its key.
pub(crate) fn write_lines<T>(
    out: &mut dyn Write,
    indent: &str,
    items: impl IntoIterator<Item = T>,
    line: impl Fn(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "{{")?;
    let mut is_empty = true;
    for item in items {
        write!(out, "{}\n{indent}  ", if is_empty { "" } else { "," })?;
        line(out, item)?;
        is_empty = false;
    }
    if !is_empty {
        write!(out, "\n{indent}")?;
    }
    write!(out, "}}")
}

fn write_share(out: &mut dyn Write, share: &ShareBounds) -> io::Result<()> {
    let text = share.to_string();
    if text.split("..").any(|share| share.len() > Share::MAX_TEXT) {
        let message = format!("a share of {} characters is too long to be saved", text.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    write!(out, "\"{text}\"")
}

pub(crate) fn json<T: serde::Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}
