//! Saved solutions: a solver's claims about every position of a game, in one JSON document that
//! people can read and a verifier can check without solving.
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
//! Instead of `"money"` there may be:
//!
//! - `"chips"`: a list with, for each total, `{"total": 8, "win": {"plain": 5, "star": 4}, "draw":
//!   {...}, "positions": {"...": {"alice": [[within, plain, star], ...], "bob": [...]}}}`.
//! - `"rules"`: `{"win": {"block": 256, "step": 133, "from": 6}, "draw": {...}, "alice": [{"block":
//!   128, "step": 133, "values": [...]}, ...], "bob": [...], "positions": {"...": [alice, bob]}}`.
//!   A rule lists thresholds in half-steps (2 x chips + star) for the totals from 0, of which the
//!   last `block` repeat. Positions refer to rules by index.
//! - `"purses"`, if both purses count: a list of `{"purses": {"alice": 8, "bob": 8}, "positions":
//!   {"...": {"alice": [[star, other, within, least], ...], "bob": [...]}}}`. With the star (1) or
//!   without (0), against `other` chips of the opponent, the player needs `least` chips to win
//!   within `within` moves. Purses are at most so many each, or `{"together": 8}`, or `{"exactly":
//!   8}`.
//!
//! - `"parity"`, for a parity game: a list of `{"total": 8, "needs": {"plain": 5, "star": 4},
//!   "positions": {"...": {"needs": [plain, star], "alice": [plan, plan], "bob": [plan, plan]}}}`.
//!   The plans are those without and with the star, from exactly what the player needs: `[bid,
//!   wins_tie, [won, lost, tie_won, tie_lost]]`, or `null` where there is none. `wins_tie` says
//!   whether the player wins a tie that the player decides. The last list says what the player does
//!   after each end of the bid: a position to move to, `true` to let the other player move, or
//!   `null` for nothing.
//!
//! - `"parity_money"`, for a parity game with real money: `{"needs": "1/2", "positions": {"...":
//!   ["1/2", alice, bob]}}`: what Alice needs, and each player's move, by the name of the position
//!   after it, or `null` where the player does not move. The moves prove the shares.
//!
//! - `"mean_payoff"`, for a mean-payoff game with real money: `{"share": "1/2", "average": "1/3",
//!   "denominator": "3", "positions": {"...": "-2"}}`: Alice's share, the long-run average or
//!   bounds on it as `"0..1/3"`, and the numerator of each position's potential.
//!
//! - `"mean_payoff_shares"`, for what Alice needs there for an average: `{"least": "3/2", "needs":
//!   "1/2", "positions": {"...": ["1/2", alice, bob]}}`: the average, her share or bounds on it,
//!   and the potentials of both players, which count where play cannot leave.
//!
//! - `"mean_payoff_chips"`, for the same with chips: `{"total": 2, "averages": ["0", "1/4"],
//!   "positions": {"...": [averages, alice, bob]}}`. Each list is a text of whole numbers, one for
//!   each holding of Alice, without the star from 0 chips on and then with it: which of the
//!   averages it is worth, and the potentials of both players.
//!
//! If play may be undetermined, a position with chips also has `"alice_holds"` and `"bob_holds"`:
//! what each player needs to force at least a draw, in the same form. These rise from nothing; in
//! `"purses"`, `null` means never.
//!
//! A game without a name is embedded as `"game": {"file": {...}}`. Each position takes one line, so
//! that files compare well.

use std::io::{self, BufWriter, Write};

use richman_core::{Game, LabelledGraph, Mechanism, Share, ShareBounds, Threshold, Total};

use crate::any_graph::of_any;
use crate::json::write_given;
use crate::names::{LONGEST_NAME, check_move_name, check_name};
use crate::saved_mean_payoff::{self, ChipAveragesClaim, MeanPayoffClaim, PayoffSharesClaim};
use crate::saved_parity::{self, ParityClaim, ParityMoneyValue};
use crate::saved_purses::{self, PurseClaim};
use crate::saved_rules::{self, RulesClaim};
use crate::saved_sides::{self, ChipValue};
use crate::{AnyGraph, FileObjective, MechanismJson, RuleValue};

/// The size limit of a saved solution: 2 GiB.
pub const MAX_SAVED_BYTES: u64 = 2 << 30;

pub(crate) const FORMAT: &str = "richman-solution";
pub(crate) const VERSION: u32 = 1;

/// The game of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedGame {
    /// A game given by its name with parameters.
    Named(String),
    /// A game given position by position. Its name is a label and never selects a named game.
    File(AnyGraph),
}

/// A saved solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSolution {
    /// The game.
    pub game: SavedGame,
    /// The solved position, in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// The claim.
    pub claim: SolutionClaim,
}

/// A solution's claim: thresholds at the solved position and every position they rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolutionClaim {
    /// Real money; all the money is 1.
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
        /// One claim for each total: at least one, with distinct totals.
        totals: Vec<ChipClaim>,
    },
    /// Chips, for all totals at once.
    Rules(RulesClaim),
    /// Chips, if both purses count.
    Purses {
        /// One claim for each range of purses: at least one, with distinct ranges.
        ranges: Vec<PurseClaim>,
    },
    /// A parity game with chips.
    Parity {
        /// One claim for each total: at least one, with distinct totals.
        totals: Vec<ParityClaim>,
    },
    /// A parity game with real money; all the money is 1.
    ParityMoney {
        /// What Alice needs at the solved position.
        needs: ShareBounds,
        /// The claims at every position.
        positions: Vec<ParityMoneyValue>,
    },
    /// A mean-payoff game with real money.
    MeanPayoff(MeanPayoffClaim),
    /// What Alice needs there for an average.
    PayoffShares(PayoffSharesClaim),
    /// A mean-payoff game with chips.
    ChipAverages(ChipAveragesClaim),
}

impl SolutionClaim {
    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        fn held<C: HeldClaim>(claims: &[C]) -> u64 {
            claims.iter().map(HeldClaim::bytes).sum()
        }
        match self {
            SolutionClaim::Money { positions, .. } => held(positions),
            SolutionClaim::Chips { totals } => totals.iter().map(|claim| held(&claim.positions)).sum(),
            SolutionClaim::Rules(claim) => {
                let rules = claim.alice.iter().chain(&claim.bob);
                rules.map(|rule| (HEAD + size_of_val(rule) + size_of_val(rule.values())) as u64).sum::<u64>()
                    + held(&claim.positions)
            }
            SolutionClaim::Purses { ranges } => ranges.iter().map(|claim| held(&claim.positions)).sum(),
            SolutionClaim::Parity { totals } => totals.iter().map(|claim| held(&claim.positions)).sum(),
            SolutionClaim::ParityMoney { positions, .. } => held(positions),
            SolutionClaim::MeanPayoff(claim) => held(&claim.positions),
            SolutionClaim::PayoffShares(claim) => held(&claim.positions),
            SolutionClaim::ChipAverages(claim) => held(&claim.positions),
        }
    }
}

/// The allocator's overhead for a text or a list.
pub(crate) const HEAD: usize = 16;

/// The claim for one position.
pub trait HeldClaim {
    /// About how many bytes are held, with its texts, lists and long numbers.
    fn bytes(&self) -> u64;
}

/// The bytes of a claim for that position with so many more behind it.
pub(crate) fn of_claim<C>(position: &str, behind: usize) -> u64 {
    (size_of::<C>() + HEAD + position.len() + behind) as u64
}

impl HeldClaim for MoneyValue {
    fn bytes(&self) -> u64 {
        of_claim::<MoneyValue>(&self.position, 0) + self.win.heap_bytes() + self.draw.heap_bytes()
    }
}

impl HeldClaim for RuleValue {
    fn bytes(&self) -> u64 {
        of_claim::<RuleValue>(&self.position, 0)
    }
}

/// Alice's real-money thresholds at one position; all the money is 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyValue {
    /// The position in the game's notation.
    pub position: String,
    /// The win threshold, or bounds on it.
    pub win: ShareBounds,
    /// The draw threshold, or bounds on it.
    pub draw: ShareBounds,
}

/// The claim for one total of chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipClaim {
    /// The number of chips in the game.
    pub total: Total,
    /// Alice's win threshold at the solved position, in chips.
    pub win: Threshold,
    /// Her draw threshold there, in chips.
    pub draw: Threshold,
    /// The claims at every position.
    pub positions: Vec<ChipValue>,
}

/// Writes `solution`, one position per line, in constant memory.
///
/// It reads back unchanged if positions, totals and purses are distinct, and stages ascend in moves
/// while their thresholds descend (or, for draws, rise).
///
/// # Errors
/// The errors of `into`; [`io::ErrorKind::InvalidInput`] if a share has too many digits to be read.
pub fn write(solution: &SavedSolution, into: &mut dyn Write) -> io::Result<()> {
    write_all(solution, None::<std::iter::Empty<MoneyValue>>, into)
}

/// [`write()`] for a real-money solution, with the thresholds from an iterator.
///
/// # Errors
/// The same as for [`write()`].
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
        SavedGame::File(game) => of_any!(game, graph => write_game(&mut out, graph)?),
    }
    write!(out, ",\n  \"position\": ")?;
    json(&mut out, &solution.position)?;
    write!(out, ",\n  \"mechanism\": ")?;
    json(&mut out, &MechanismJson::from(&solution.mechanism))?;
    match &solution.claim {
        SolutionClaim::Money { win, draw, positions } => {
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
        SolutionClaim::Chips { totals } => {
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
        SolutionClaim::Rules(claim) => saved_rules::write(&mut out, claim)?,
        SolutionClaim::Purses { ranges } => saved_purses::write(&mut out, ranges)?,
        SolutionClaim::Parity { totals } => saved_parity::write(&mut out, totals)?,
        SolutionClaim::ParityMoney { needs, positions } => saved_parity::write_money(&mut out, needs, positions)?,
        SolutionClaim::MeanPayoff(claim) => saved_mean_payoff::write(&mut out, claim)?,
        SolutionClaim::PayoffShares(claim) => saved_mean_payoff::write_shares(&mut out, claim)?,
        SolutionClaim::ChipAverages(claim) => saved_mean_payoff::write_chips(&mut out, claim)?,
    }
    write!(out, "\n}}\n")?;
    out.flush()
}

/// Refuses names that no file can have: a game made by a program may have them.
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
    json(out, &game.name())?;
    if let Some(description) = game.description() {
        write!(out, ",\n    \"description\": ")?;
        json(out, &description)?;
    }
    if let Some(goal) = L::GOAL {
        write!(out, ",\n    \"objective\": \"{goal}\"")?;
    }
    write!(out, ",\n    \"start\": ")?;
    json(out, &game.name_of(game.start()))?;
    write!(out, ",\n    \"positions\": ")?;
    write_lines(out, "    ", 0..game.len(), |out, position| write_given(out, game, position))?;
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

/// Writes an object with one line per item; `indent` is the indentation of its key.
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

pub(crate) fn write_share(out: &mut dyn Write, share: &ShareBounds) -> io::Result<()> {
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
