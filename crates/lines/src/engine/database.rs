//! Databases: the units of a board on disk, built and looked up.

mod folder;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use richman_core::{Effort, Error, Mechanism, Overall, Total, Walk};
use richman_files::{FileSum, cannot, write_file};
use richman_formats::database::{BuildOrder, DatabaseCut, DatabaseKind, ReportRow, size, time};
use richman_formats::{Building, Database, DatabaseStake};
use serde::Serialize;

use super::needs::{PositionNeeds, board, moves};
use super::units::{ComputedUnits, UnitCut, UnitFault, UnitId};
use super::{BoardPlan, BoardQuestion, BoardStake};
use crate::board::LinePosition;
pub use folder::FolderUnits;

/// The most totals of a database.
const MOST_TOTALS: usize = 1024;

/// The cost of a database, known before anything is computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuildPlan {
    /// The game with its parameters.
    pub game: String,
    /// Fillings of the board, including those after the end of a game.
    pub positions: String,
    /// The bytes of memory to build it, or to prove it.
    pub memory: String,
    /// Estimated bytes of the database.
    pub disk: String,
    /// Estimated seconds on two cores.
    pub seconds: u64,
    #[serde(skip)]
    bytes: u64,
}

/// The units with as many fixed stones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct LevelReport {
    /// The fixed stones.
    fixed: u32,
    units: u64,
    /// Those that are computed or were, without mirror images and finished games.
    positions: u64,
    /// The units that did not exist, or were made again.
    computed: u64,
    /// The files that were missing or damaged, and were made again.
    again: Vec<String>,
    bytes: u64,
}

/// Databases of boards.
pub struct BoardDatabases;

impl DatabaseKind for BoardDatabases {
    fn serves(&self, walk: &dyn Walk) -> bool {
        walk.board::<LinePosition>().is_some()
    }

    fn games(&self) -> &'static str {
        "connect and tic-tac-toe with at most 63 cells"
    }

    fn plan(&self, order: &BuildOrder) -> Result<ReportRow, Error> {
        let plan = plan(order.start, stake(order))?;
        let size = |bytes: &str| bytes.parse().map_or("more than can be counted".to_string(), size);
        let words = format!(
            "{}: {} fillings of the board; about {} on two cores, {} on the disk, and {} of memory\n",
            plan.game,
            plan.positions,
            time(plan.seconds),
            size(&plan.disk),
            size(&plan.memory)
        );
        Ok(ReportRow::new(&plan, words))
    }

    /// Keeps existing units. Reports the size at the end.
    ///
    /// # Errors
    /// [`Error::Storage`] if files cannot be written or read, or the folder is of another game;
    /// [`Error::TooMuchDisk`]; [`Error::TooMuchMemory`]; [`Error::Cancelled`], which leaves
    /// complete units in place.
    fn build(&self, order: &BuildOrder, each: &mut dyn FnMut(ReportRow)) -> Result<String, Error> {
        let cut = UnitCut::of_database(question(order.start, stake(order))?)?;
        let plan = plan_of(&cut, order.start)?;
        if plan.bytes > order.disk {
            return Err(Error::TooMuchDisk { what: "a database", needed: plan.bytes, limit: order.disk });
        }
        let cut = Arc::new(cut);
        let about = Database::new(order.start.game(), stake_of(order)).in_units(cut_of(&cut));
        let units = units(&cut)?;
        let positions = |unit: &UnitId| cut.cost(unit).positions;
        let all = units.iter().map(positions).fold(0, u64::saturating_add);
        let overall = Overall { watch: order.effort.watch, before: AtomicU64::new(0), all };
        let kept = FolderUnits::new(order.folder, Arc::clone(&cut), &order.effort);
        let mut build = UnitBuild {
            building: Building::begin(order.folder, about, units.iter().map(UnitId::file_name))?,
            effort: Effort { watch: &overall, held: order.effort.held + kept.room(), ..order.effort },
            units: kept,
            again: BTreeSet::new(),
        };
        let mut used = 0_u64;
        for level in units.chunk_by(|one, other| one.fixed() == other.fixed()) {
            let mut report = LevelReport {
                fixed: level[0].fixed(),
                units: level.len() as u64,
                positions: level.iter().map(positions).fold(0, u64::saturating_add),
                computed: 0,
                again: Vec::new(),
                bytes: 0,
            };
            for unit in level {
                if !build.has(unit)? {
                    build.make(unit)?;
                    report.computed += 1;
                }
                overall.before.fetch_add(positions(unit), Ordering::Relaxed);
                report.bytes += std::fs::metadata(build.units.path(unit)).map_or(0, |about| about.len());
                if used + report.bytes > order.disk {
                    let needed = used + report.bytes;
                    return Err(Error::TooMuchDisk { what: "a database", needed, limit: order.disk });
                }
            }
            build.building.write()?;
            report.again = std::mem::take(&mut build.again).iter().map(UnitId::file_name).collect();
            used += report.bytes;
            each(report.row());
        }
        Ok(format!("{} positions in {}: {}\n", plan.positions, order.folder.display(), size(used)))
    }

    fn files(&self, folder: &Path, start: &dyn Walk) -> Result<Vec<String>, Error> {
        let cut = opened(&Database::open(folder)?, folder, start)?;
        Ok(units(&cut)?.iter().map(UnitId::file_name).collect())
    }
}

impl LevelReport {
    fn row(&self) -> ReportRow {
        let LevelReport { fixed, units, positions, computed, again, bytes } = self;
        let there = if computed < units { format!(", {} units were there", units - computed) } else { String::new() };
        let again = if again.is_empty() { String::new() } else { format!(", made again: {}", again.join(", ")) };
        let words = format!(
            "{fixed:>3} fixed stones: {units:>5} units, {positions:>12} positions{there}{again}; {}\n",
            size(*bytes)
        );
        ReportRow::new(self, words)
    }
}

/// A build at work.
struct UnitBuild<'a> {
    units: FolderUnits,
    building: Building,
    effort: Effort<'a>,
    /// The units that were there, and are made again.
    again: BTreeSet<UnitId>,
}

impl UnitBuild<'_> {
    /// Whether the file of a unit exists and is whole, as far as it can be told without reading it
    /// again.
    fn has(&mut self, unit: &UnitId) -> Result<bool, Error> {
        match self.building.has(&unit.file_name(), |_| self.units.read(unit)?.check()) {
            Err(Error::Storage { .. }) => {
                self.again.insert(unit.clone());
                Ok(false)
            }
            has => has,
        }
    }

    /// Computes a unit. If one that it reads is missing or damaged, that one is made again.
    fn make(&mut self, unit: &UnitId) -> Result<(), Error> {
        loop {
            match self.units.cut().solve(unit, &self.units, &self.effort) {
                Ok(bytes) => {
                    let path = self.units.path(unit);
                    let written = write_file(&path, |out| out.write_all(&bytes));
                    written.map_err(|error| cannot("write", &path, &error))?;
                    self.building.note(&unit.file_name(), FileSum::of(&bytes));
                    self.units.forget(unit);
                    return Ok(());
                }
                // Once: a disk that damages every file would keep it busy for ever.
                Err(UnitFault::Lost { unit: lost, .. }) if self.again.insert(lost.clone()) => self.make(&lost)?,
                Err(fault) => return Err(fault.into()),
            }
        }
    }
}

fn stake(order: &BuildOrder) -> BoardStake {
    order.totals.map_or(BoardStake::Money, |totals| BoardStake::Chips(totals.to_vec()))
}

fn stake_of(order: &BuildOrder) -> DatabaseStake {
    let chips = |totals: &[Total]| DatabaseStake::Chips(totals.iter().map(|total| total.chips()).collect());
    order.totals.map_or(DatabaseStake::Money, chips)
}

fn cut_of(cut: &UnitCut) -> DatabaseCut {
    DatabaseCut { depth: cut.depth().to_vec(), aim: cut.aim() }
}

/// The units of a cut, of which there are not too many for the files of a folder.
fn units(cut: &UnitCut) -> Result<Vec<UnitId>, Error> {
    const MOST: u64 = 1 << 18;
    let given = cut.whole_cost().units;
    if given > MOST {
        return Err(Error::TooLarge { what: "the number of units", given, most: MOST });
    }
    Ok(cut.units().collect())
}

/// Checks that a database is of the walk's game.
fn check_game(about: &Database, folder: &Path, walk: &dyn Walk) -> Result<(), Error> {
    if walk.game() == about.game {
        return Ok(());
    }
    let what = format!("{} is a database of {}, not of {}", folder.display(), about.game, walk.game());
    Err(Error::Storage { what })
}

/// The cut of a database.
fn opened(about: &Database, folder: &Path, walk: &dyn Walk) -> Result<UnitCut, Error> {
    check_game(about, folder, walk)?; // the board of another game may be a large one
    let stake = match &about.stake {
        DatabaseStake::Money => BoardStake::Money,
        DatabaseStake::Chips(totals) => {
            if totals.len() > MOST_TOTALS {
                let (given, most) = (totals.len() as u64, MOST_TOTALS as u64);
                return Err(Error::TooLarge { what: "the number of totals", given, most });
            }
            BoardStake::Chips(totals.iter().map(|chips| Total::new(u64::from(*chips))).collect::<Result<_, _>>()?)
        }
    };
    let Some(DatabaseCut { depth, aim }) = about.cut.clone() else {
        let what = "has no cut, as those of older versions: build it again in another folder";
        return Err(Error::Storage { what: format!("the database in {} {what}", folder.display()) });
    };
    UnitCut::new(question(walk, stake)?, depth, None, aim)
}

fn question(start: &dyn Walk, stake: BoardStake) -> Result<BoardQuestion, Error> {
    let chips = matches!(stake, BoardStake::Chips(_));
    let Some(LinePosition { board, .. }) = board(start, &Mechanism::default(), chips) else {
        let what = format!("a database of {}", start.game());
        return Err(Error::unsupported(what, BoardDatabases.games()));
    };
    Ok(BoardQuestion { board, stake })
}

/// Estimates the cost of a database.
///
/// # Errors
/// [`Error::Unsupported`] for games that are not boards of lines; [`Error::TooLarge`] if the board
/// cannot be cut into units that are small enough.
pub fn plan(start: &dyn Walk, stake: BoardStake) -> Result<BuildPlan, Error> {
    plan_of(&UnitCut::of_database(question(start, stake)?)?, start)
}

fn plan_of(cut: &UnitCut, start: &dyn Walk) -> Result<BuildPlan, Error> {
    /// Compression leaves a quarter of what units write.
    const PACKED: u64 = 4;
    /// Numbers computed in a second, measured on two cores.
    const SPEED: u64 = 250_000_000;
    let cost = cut.whole_cost();
    let bytes = cost.written / PACKED;
    let plan = BoardPlan::of(cut.question())?;
    Ok(BuildPlan {
        game: start.game(),
        positions: plan.positions().to_string(),
        // A quarter is for what is read.
        memory: cost.memory.max(cost.proof).saturating_mul(4).div_ceil(3).to_string(),
        disk: bytes.to_string(),
        seconds: cost.positions.saturating_mul(cut.question().lanes() as u64) / SPEED,
        bytes,
    })
}

/// A database open for queries.
pub struct Answers {
    folder: PathBuf,
    about: Database,
    units: FolderUnits,
    computed: ComputedUnits,
}

impl Answers {
    /// Opens the database in a folder; `walk` is at any position of its game.
    ///
    /// # Errors
    /// [`Error::Storage`] if the folder is not a database or is of another game;
    /// [`Error::Unsupported`] for games that are not boards of lines.
    pub fn open(folder: &Path, walk: &dyn Walk, effort: &Effort<'_>) -> Result<Answers, Error> {
        let about = Database::open(folder)?;
        let cut = opened(&about, folder, walk)?;
        let units = FolderUnits::new(folder, Arc::new(cut), effort);
        Ok(Answers { folder: folder.to_path_buf(), about, units, computed: ComputedUnits::default() })
    }

    /// Its units.
    pub fn units(&self) -> &FolderUnits {
        &self.units
    }

    /// The needs at a position and after every move, with a total or real money; `None` if the game
    /// is over.
    ///
    /// # Errors
    /// [`Error::Storage`] for another game, a stake that the database lacks, or units that are
    /// missing or damaged; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn needs(
        &self,
        walk: &dyn Walk,
        total: Option<Total>,
        effort: &Effort<'_>,
    ) -> Result<Option<PositionNeeds>, Error> {
        let cut = self.units.cut();
        let lane = match (&cut.question().stake, total) {
            (BoardStake::Money, None) => Some(0),
            (BoardStake::Chips(totals), Some(total)) => totals.iter().position(|known| *known == total),
            _ => None,
        };
        let lane = lane.ok_or_else(|| self.about.has_not(&self.folder, total))?;
        check_game(&self.about, &self.folder, walk)?;
        let at = walk.board::<LinePosition>().filter(|_| walk.end().is_none());
        let Some(LinePosition { stones, .. }) = at else { return Ok(None) };
        let positions = u64::try_from(BoardPlan::of(cut.question())?.positions()).unwrap_or(u64::MAX);
        let cells = moves(walk, stones);
        let effort = Effort { held: effort.held + self.units.room(), ..*effort };
        // On an empty board exchanging the players changes nothing.
        let number = |stones: [u64; 2]| cut.need(stones, lane, &self.units, &self.computed, &effort);
        PositionNeeds::found(cut.question(), lane, stones, &cells, positions, [&number, &number]).map(Some)
    }
}
