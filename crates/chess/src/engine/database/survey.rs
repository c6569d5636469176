//! Statistics and extreme positions of the classes of a database.

use rayon::prelude::*;
use richman_core::{ByPlayer, Effort, Error, Holding, Mechanism, Overall, Player, StoredLayer, Total, counted};
use richman_formats::HoldingJson;
use richman_formats::database::{ReportRow, TableColumn};
use richman_solvers::chips;
use schemars::JsonSchema;
use serde::Serialize;

use super::files::{open, read};
use super::{Endgames, USUAL, index};
use crate::board::{ChessBoard, ChessClass};
use crate::engine::endgames::{self, ChanceBounds, FIXED_POINT_UNIT, MOST_EXACT_PIECES, Tables};

/// A position, and what Alice needs there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct PositionNeed {
    /// The position in the game's notation.
    position: String,
    /// Alice's need to win, as a share to 2^-40.
    needed: f64,
}

/// A position where, for shares between its thresholds, both can draw but neither can win.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct Gap {
    /// The position in the game's notation.
    position: String,
    /// The distance between its thresholds.
    gap: f64,
    /// Alice's need to win.
    win: f64,
    /// Alice's need for a draw.
    draw: f64,
}

/// A class with chips.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct InChips {
    /// The chips in the game.
    total: u32,
    /// Alice's need to win, as the mean of all positions; a star counts half.
    needed: f64,
    /// The holding of the next fields.
    alice: HoldingJson,
    /// Positions where that holding wins.
    won: u64,
    /// The most moves of such a win under best play.
    longest: u32,
    /// A position of such a win.
    position: String,
}

/// A class. Positions count up to reflection.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(super) struct Survey {
    /// Its pieces.
    class: String,
    /// All its positions.
    positions: u64,
    /// Quiet positions, where nobody can take a king at once.
    quiet: u64,
    /// Alice's need, as the mean of the quiet positions.
    mean: f64,
    /// The position where she needs least.
    easiest: Option<PositionNeed>,
    /// The position where she needs most.
    hardest: Option<PositionNeed>,
    /// Positions where the thresholds to win and to draw provably differ.
    differ: u64,
    /// The position where they differ most.
    widest: Option<Gap>,
    /// Quiet positions where a player would provably rather have the other move.
    zugzwang: u64,
    /// Some of these positions.
    zugzwangs: Vec<String>,
    /// Decimal digits of the longest denominator, if thresholds are exact.
    digits: Option<u64>,
    /// For classes of up to three pieces.
    chips: Option<InChips>,
}

pub(super) const COLUMNS: &[TableColumn] = &[
    ("class", "/class"),
    ("positions", "/positions"),
    ("quiet", "/quiet"),
    ("mean", "/mean"),
    ("least", "/easiest/needed"),
    ("least_position", "/easiest/position"),
    ("most", "/hardest/needed"),
    ("most_position", "/hardest/position"),
    ("differ", "/differ"),
    ("zugzwang", "/zugzwang"),
    ("digits", "/digits"),
];

impl Survey {
    fn row(&self) -> ReportRow {
        let Survey { class, positions, quiet, mean, differ, zugzwang, .. } = self;
        let mut text = format!("{class}: {positions} positions, in {quiet} of them nobody can take a king at once\n");
        if let (Some(easiest), Some(hardest)) = (&self.easiest, &self.hardest) {
            text += &format!(
                "  there Alice needs {mean:.4} in the mean, least {:.6} in {}, most {:.6} in {}\n",
                easiest.needed, easiest.position, hardest.needed, hardest.position,
            );
        }
        text +=
            &format!("  {differ} positions where the thresholds to win and to draw differ; {zugzwang} of zugzwang\n");
        if let Some(Gap { position, win, draw, .. }) = &self.widest {
            text += &format!(
                "    most in {position}: Alice wins with more than {win:.6}, Bob when she has less than {draw:.6}\n"
            );
        }
        self.zugzwangs.iter().take(5).for_each(|position| text += &format!("    {position}\n"));
        if let Some(digits) = self.digits {
            text += &format!("  exact; the longest denominator has {}\n", counted(digits, "digit"));
        }
        if let Some(InChips { total, needed, alice, won, longest, position }) = &self.chips {
            text += &format!(
                "  with {total} chips she needs {needed:.2} in the mean; \
                 {} win in {won} positions, in at most {} ({position})\n",
                alice.0,
                counted((*longest).into(), "move"),
            );
        }
        ReportRow::new(self, text)
    }
}

const TOTAL: u32 = 32;
/// The most zugzwang positions listed.
const NAMED: usize = 1000;

impl Endgames {
    /// Surveys every class of the database.
    ///
    /// # Errors
    /// [`Error::Storage`] for files that are missing or damaged; [`Error::TooMuchMemory`];
    /// [`Error::Cancelled`].
    pub(super) fn survey(&self, effort: &Effort, each: &mut dyn FnMut(ReportRow)) -> Result<(), Error> {
        let mut tables = Tables::default();
        let classes = self.classes()?;
        let sizes: Vec<u64> = classes.iter().map(|class| Ok(index(class)?.size())).collect::<Result<_, Error>>()?;
        let mut done = 0;
        for (class, size) in classes.into_iter().zip(&sizes) {
            let chances = read(&self.folder, &class, &tables, effort)?;
            tables.insert(chances);
            let watch = Overall { watch: effort.watch, before: done.into(), all: sizes.iter().sum() };
            let mut survey = look_through(&class, &tables, &Effort { watch: &watch, ..*effort })?;
            done += size;
            if class.pieces() <= MOST_EXACT_PIECES {
                survey.digits = Some(self.digits(&class)?);
                survey.chips = Some(in_chips(&class, effort)?);
            }
            each(survey.row());
        }
        Ok(())
    }

    fn digits(&self, class: &ChessClass) -> Result<u64, Error> {
        let file = open(&self.folder, class, "-shares")?;
        let mut text = Vec::new();
        file.read(0, file.len() as usize, &mut text)?;
        let digits = |line: &[u8]| line.iter().position(|&byte| byte == b'/').map_or(1, |slash| line.len() - slash - 1);
        Ok(text.split(|&byte| byte == b'\n').map(digits).max().unwrap_or(0) as u64)
    }
}

struct SurveyEntry {
    board: ChessBoard,
    /// The proved distance of the thresholds.
    gap: u64,
    /// Alice's need, if the position is quiet.
    needed: Option<u64>,
    is_zugzwang: bool,
}

impl SurveyEntry {
    fn new(board: ChessBoard, bounds: &impl Fn(&ChessBoard) -> ChanceBounds) -> SurveyEntry {
        let known = bounds(&board);
        let gap = known.holds.bob.saturating_sub(known.of(Player::Bob)[1]);
        let is_quiet = !Player::BOTH.into_iter().any(|player| board.threatens_king(player));
        let needed = is_quiet.then(|| FIXED_POINT_UNIT - known.wins.alice);
        SurveyEntry { board, gap, needed, is_zugzwang: is_quiet && is_zugzwang(&board, bounds) }
    }
}

/// The statistics of a class so far.
#[derive(Default)]
struct ClassSurvey {
    positions: u64,
    quiet: u64,
    /// The sum of Alice's needs in quiet positions, in units of 2^-62.
    needed: u128,
    easiest: NumberedPosition,
    hardest: NumberedPosition,
    differ: u64,
    widest: NumberedPosition,
    zugzwangs: Vec<ChessBoard>,
}

impl ClassSurvey {
    fn see(&mut self, SurveyEntry { board, gap, needed, is_zugzwang }: SurveyEntry) {
        self.positions += 1;
        if gap > 0 {
            self.differ += 1;
            keep(&mut self.widest, (gap, board), |gap, widest| gap > widest);
        }
        if let Some(needed) = needed {
            self.quiet += 1;
            self.needed += u128::from(needed);
            keep(&mut self.easiest, (needed, board), |needed, least| needed < least);
            keep(&mut self.hardest, (needed, board), |needed, most| needed > most);
        }
        self.zugzwangs.extend(is_zugzwang.then_some(board));
    }
}

/// An extreme position and its number.
type NumberedPosition = Option<(u64, ChessBoard)>;

/// Keeps the better one. Compares to 2^-40, because bounds differ by chance beyond.
fn keep(found: &mut NumberedPosition, next: (u64, ChessBoard), is_better: impl Fn(u64, u64) -> bool) {
    let told = |number: u64| (number + (1 << 21)) >> 22;
    if found.is_none_or(|found| is_better(told(next.0), told(found.0))) {
        *found = Some(next);
    }
}

fn look_through(class: &ChessClass, tables: &Tables, effort: &Effort) -> Result<Survey, Error> {
    const AT_ONCE: u64 = 1 << 16;
    let share = |units: u64| units as f64 / FIXED_POINT_UNIT as f64;
    let index = index(class)?;
    let size = index.size();
    let bounds = |board: &ChessBoard| match board.winner() {
        Some(winner) => ChanceBounds::won_by(winner),
        None => tables.bounds(board).unwrap_or(ChanceBounds { wins: ByPlayer::both(0), holds: ByPlayer::both(0) }),
    };
    let mut seen = ClassSurvey::default();
    for first in (0..size).step_by(AT_ONCE as usize) {
        effort.check_cancelled()?;
        effort.watch.progress("positions", first, Some(size));
        let ranks = (first..size.min(first + AT_ONCE)).into_par_iter();
        let told: Vec<SurveyEntry> =
            ranks.filter_map(|rank| Some(SurveyEntry::new(index.unrank(rank)?, &bounds))).collect();
        told.into_iter().for_each(|told| seen.see(told));
    }
    let worth = |found: NumberedPosition| {
        found.map(|(needed, board)| PositionNeed { position: board.notation(), needed: share(needed) })
    };
    let gap = |(gap, board): (u64, ChessBoard)| {
        let known = bounds(&board);
        let [win, draw] = [share(FIXED_POINT_UNIT - known.wins.alice), share(known.wins.bob)];
        Gap { position: board.notation(), gap: share(gap), win, draw }
    };
    Ok(Survey {
        class: class.to_string(),
        positions: seen.positions,
        quiet: seen.quiet,
        mean: seen.needed as f64 / FIXED_POINT_UNIT as f64 / seen.quiet.max(1) as f64,
        easiest: worth(seen.easiest),
        hardest: worth(seen.hardest),
        differ: seen.differ,
        widest: seen.widest.map(gap),
        zugzwang: seen.zugzwangs.len() as u64,
        zugzwangs: seen.zugzwangs.iter().take(NAMED).map(ChessBoard::notation).collect(),
        digits: None,
        chips: None,
    })
}

/// Whether a player's best own move provably gives less chance to win than every move of the other
/// player.
fn is_zugzwang(board: &ChessBoard, bounds: &impl Fn(&ChessBoard) -> ChanceBounds) -> bool {
    Player::BOTH.into_iter().any(|player| {
        let [mut own, mut other] = [0, u64::MAX];
        let of = |mover, made| bounds(&board.after(mover, made)).of(player);
        board.each_move(player, |made| own = own.max(of(player, made)[1]));
        board.each_move(player.other(), |made| other = other.min(of(player.other(), made)[0]));
        own < other
    })
}

fn in_chips(class: &ChessClass, effort: &Effort) -> Result<InChips, Error> {
    let (arena, classes) = endgames::arena(std::slice::from_ref(class), USUAL, effort)?;
    let total = Total::new(TOTAL)?;
    let solution = chips::solve(&arena, &Mechanism::default(), total, effort)?;
    let alice = Holding::new(TOTAL / 2, true)?;
    let (index, first) = &classes[class];
    let mut found =
        InChips { total: TOTAL, needed: 0.0, alice: HoldingJson(alice), won: 0, longest: 0, position: String::new() };
    let mut positions = 0u64;
    for rank in 0..index.size() {
        let Some(board) = index.unrank(rank) else { continue };
        let node = first + rank as u32;
        positions += 1;
        let least = solution.thresholds(node).win.holding();
        found.needed += least.map_or(f64::from(TOTAL + 1), |least| f64::from(least.half_steps()) / 2.0);
        let Some(moves) = solution.rank(Player::Alice, node, alice) else { continue };
        found.won += 1;
        if moves > found.longest {
            (found.longest, found.position) = (moves, board.notation());
        }
    }
    found.needed /= positions.max(1) as f64;
    Ok(found)
}
