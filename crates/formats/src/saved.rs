//! Saved solutions: a solver's claims about every position of a game, in one JSON document that
//! people can read and a verifier can check without solving. This is the frame, in which one claim
//! stands under its key:
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
//! Each kind of solution defines its own claim ([`Claim`]). A game without a name is embedded as
//! `"game": {"file": {...}}`. Each position takes one line, so that files compare well.

mod reader;

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use richman_core::{Game, LabelledGraph, Mechanism, Share, ShareBounds, Total};

use crate::any_graph::of_any;
use crate::json::{JsonReader, write_given};
use crate::names::{LONGEST_NAME, check_move_name, check_name};
use crate::{AnyGraph, FileObjective, FormatError, MechanismJson};

pub use reader::{listed_claims, read, read_within, share};

/// The size limit of a saved solution: 2 GiB.
pub const MAX_SAVED_BYTES: u64 = 2 << 30;

pub(crate) const FORMAT: &str = "richman-solution";
const VERSION: u32 = 1;

/// The game of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedGame {
    /// A game given by its name with parameters.
    Named(String),
    /// A game given position by position. Its name is a label and never selects a named game.
    File(AnyGraph),
}

/// A saved solution with a claim of one of the kinds in `C`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile<C> {
    /// The game.
    pub game: SavedGame,
    /// The solved position, in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// The claim: values at the solved position and at every position they rest on.
    pub claim: C,
}

/// A claim of one kind of solution.
pub trait Claim: Sized {
    /// Its key in the document.
    const KEY: &'static str;

    /// Reads the value of the key.
    ///
    /// # Errors
    /// A [`FormatError`] with the place and the reason.
    fn read(json: &mut JsonReader) -> Result<Self, FormatError>;

    /// Writes the value of the key, indented by two spaces.
    ///
    /// # Errors
    /// The errors of `out`; [`io::ErrorKind::InvalidInput`] for values that could not be read back.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Checks that need the whole document, because keys come in any order: no position, total or
    /// purse twice, and numbers in their ranges.
    ///
    /// # Errors
    /// The position, if any, and the reason.
    fn check(&self, mechanism: &Mechanism) -> Result<(), BadClaim>;

    /// About how many bytes are held.
    fn bytes(&self) -> u64;
}

/// A claim of one of several kinds.
pub trait AnyClaim: Sized {
    /// The keys of all kinds.
    const KEYS: &'static [&'static str];

    /// Reads the claim under one of [`AnyClaim::KEYS`].
    ///
    /// # Errors
    /// As [`Claim::read`].
    fn read(key: &str, json: &mut JsonReader) -> Result<Self, FormatError>;

    /// The key of this claim.
    fn key(&self) -> &'static str;

    /// As [`Claim::write`].
    ///
    /// # Errors
    /// As [`Claim::write`].
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// As [`Claim::check`].
    ///
    /// # Errors
    /// As [`Claim::check`].
    fn check(&self, mechanism: &Mechanism) -> Result<(), BadClaim>;
}

/// The reason why a claim cannot be right, and its position.
#[derive(Debug)]
pub struct BadClaim {
    /// The position, if one is to blame.
    pub position: Option<String>,
    /// The reason.
    pub reason: String,
}

impl BadClaim {
    /// A claim without a position to blame.
    pub fn new(reason: String) -> BadClaim {
        BadClaim { position: None, reason }
    }

    /// A bad value at a position.
    pub fn at(position: &str, reason: String) -> BadClaim {
        BadClaim { position: Some(position.to_string()), reason }
    }
}

/// The allocator's overhead for a text or a list.
pub const HEAD: usize = 16;

/// The claim for one position.
pub trait HeldClaim {
    /// The position in the game's notation.
    fn position(&self) -> &str;

    /// Bytes of its texts, lists and long numbers, without the position.
    fn behind(&self) -> u64;

    /// About how many bytes are held.
    fn bytes(&self) -> u64
    where
        Self: Sized,
    {
        (size_of::<Self>() + HEAD + self.position().len()) as u64 + self.behind()
    }
}

/// About how many bytes the claims for positions hold.
pub fn held<C: HeldClaim>(claims: &[C]) -> u64 {
    claims.iter().map(HeldClaim::bytes).sum()
}

/// Writes `solution`, one position per line, in constant memory. It reads back unchanged if its
/// claim passes its own check.
///
/// # Errors
/// The errors of `into`; [`io::ErrorKind::InvalidInput`] if a share has too many digits to be read.
pub fn write<C: AnyClaim>(solution: &SolutionFile<C>, into: &mut dyn Write) -> io::Result<()> {
    write_with(solution, |out| solution.claim.write(out), into)
}

/// [`write()`] with a claim produced during writing.
///
/// # Errors
/// The same as for [`write()`].
pub fn write_with<C: AnyClaim>(
    solution: &SolutionFile<C>,
    claim: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    into: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(into);
    write!(out, "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"game\": ")?;
    match &solution.game {
        SavedGame::Named(name) => write_json(&mut out, name)?,
        SavedGame::File(game) => of_any!(game, graph => write_game(&mut out, graph)?),
    }
    write!(out, ",\n  \"position\": ")?;
    write_json(&mut out, &solution.position)?;
    write!(out, ",\n  \"mechanism\": ")?;
    write_json(&mut out, &MechanismJson::from(&solution.mechanism))?;
    write!(out, ",\n  \"{}\": ", solution.claim.key())?;
    claim(&mut out)?;
    write!(out, "\n}}\n")?;
    out.flush()
}

/// Refuses names that no file can have; a game made by a program may have some.
fn check_names<L: FileObjective>(game: &LabelledGraph<L>) -> Result<(), String> {
    check_name("the name of the game", LONGEST_NAME, &game.name())?;
    for position in 0..game.len() {
        check_name("the name of a position", LONGEST_NAME, &game.name_of(position))?;
    }
    game.own_names().try_for_each(|name| check_move_name(&name))
}

fn write_game<L: FileObjective>(out: &mut dyn Write, game: &LabelledGraph<L>) -> io::Result<()> {
    check_names(game).map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
    write!(out, "{{\"file\": {{\n    \"name\": ")?;
    write_json(out, &game.name())?;
    if let Some(description) = game.description() {
        write!(out, ",\n    \"description\": ")?;
        write_json(out, &description)?;
    }
    if let Some(objective) = L::STATED {
        write!(out, ",\n    \"objective\": \"{objective}\"")?;
    }
    write!(out, ",\n    \"start\": ")?;
    write_json(out, &game.name_of(game.start()))?;
    write!(out, ",\n    \"positions\": ")?;
    write_lines(out, "    ", 0..game.len(), |out, position| write_given(out, game, position))?;
    write!(out, "\n  }}}}")
}

/// Writes an object with one line per item; `indent` is the indentation of its key.
///
/// # Errors
/// The errors of `out`.
pub fn write_lines<T>(
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

/// Writes a share or bounds on it as text.
///
/// # Errors
/// The errors of `out`; [`io::ErrorKind::InvalidInput`] for more digits than can be read.
pub fn write_share(out: &mut dyn Write, share: &ShareBounds) -> io::Result<()> {
    let text = share.to_string();
    if text.split("..").any(|share| share.len() > Share::MAX_TEXT) {
        let message = format!("a share of {} characters is too long to be saved", text.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    write!(out, "\"{text}\"")
}

/// Writes a value as JSON.
///
/// # Errors
/// The errors of `out`.
pub fn write_json<T: serde::Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

/// Writes a list of claims, one for each total or range of purses; `one` writes the lines of each,
/// from its first key to its last value.
///
/// # Errors
/// The errors of `out`.
pub fn write_claims<T>(
    out: &mut dyn Write,
    claims: &[T],
    one: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "[")?;
    for (at, claim) in claims.iter().enumerate() {
        write!(out, "{}\n    {{\n      ", if at == 0 { "" } else { "," })?;
        one(out, claim)?;
        write!(out, "\n    }}")?;
    }
    write!(out, "\n  ]")
}

/// Refuses a repeated position.
///
/// # Errors
/// The position.
pub fn check_distinct<C: HeldClaim>(claims: &[C]) -> Result<(), BadClaim> {
    let mut seen = HashSet::with_capacity(claims.len());
    match claims.iter().map(HeldClaim::position).find(|position| !seen.insert(*position)) {
        Some(position) => Err(BadClaim::at(position, "the position is given twice: give it once".to_string())),
        None => Ok(()),
    }
}

/// Refuses a repeated total.
///
/// # Errors
/// The total.
pub fn check_totals(mut totals: impl Iterator<Item = Total>) -> Result<(), BadClaim> {
    let mut seen = HashSet::new();
    match totals.find(|total| !seen.insert(*total)) {
        Some(total) => Err(BadClaim::new(format!("the total {total} is given twice: give it once"))),
        None => Ok(()),
    }
}
