//! Databases of chess endgames: classes of pieces built and looked up.
//!
//! For every class a folder has a file of lower bounds on chances, such as `KQK.rml`: for each
//! position Alice's chance to win and Bob's, in units of 2^-62; if best play can last forever, also
//! their chances not to lose. Classes of up to three pieces also have exact thresholds:
//! `KQK-exact.rml` gives each position the offsets of its win and draw thresholds in the text
//! `KQK-shares.rml`.

pub mod chips;
pub mod files;
mod kind;
mod survey;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use richman_core::{ByPlayer, Effort, Error, RecipeStake, ShareBounds, Walk};
use richman_engine::{Evaluation, from_folder};
use richman_files::{LayerFile, ObjectStore, folder, open_store};
use richman_formats::database::{ReportRow, size};
use richman_formats::{Building, Database, DatabaseStake};
use schemars::JsonSchema;
use serde::Serialize;

use super::endgames::best_play::{self, ExactShares};
use super::endgames::{self, ChanceBounds, FIXED_POINT_UNIT, MOST_EXACT_PIECES, Tables, needed, oriented};
use super::position::{PositionKnowledge, evaluate, is_placed, unsolved};
use crate::board::{ChessBoard, ChessClass, ChessIndex};
use files::{
    classes, expected, missing, name, names, numbers, open, parts, path, read, recipe, share_at, write_bounds,
    write_exact,
};

pub use kind::ClassDatabases;

/// The game named in the databases.
pub const GAME: &str = "chess";
/// The board size of the databases.
pub(super) const USUAL: u8 = 8;
/// The most bytes of a position in a table.
const BYTES_IN_TABLES: u64 = 4 * 8;

/// The cost of a class's database, before anything is computed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassPlan {
    /// The class, with the stronger player first.
    pub class: String,
    /// The classes built for it, each after those it can become.
    pub classes: Vec<String>,
    /// Their positions, up to reflection.
    pub positions: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Estimated bytes on disk.
    pub disk: u64,
    /// Estimated seconds on two cores.
    pub seconds: u64,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct ClassReport {
    /// Its pieces.
    class: String,
    /// Its positions, up to reflection.
    positions: u64,
    /// Whether all thresholds are exact.
    exact: bool,
    /// The binary logarithm of the greatest width of the bounds.
    width: f64,
    /// Whether at some positions, for some shares, both can draw but neither can win.
    draws: bool,
    /// Whether it was there.
    kept: bool,
    /// Bytes of its file.
    bytes: u64,
}

/// The class to build, and the limits.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    /// The class from [`class`], with the stronger player first.
    pub class: &'a ChessClass,
    /// The folder.
    pub store: &'a Arc<dyn ObjectStore>,
    /// The most bytes of files.
    pub disk: u64,
    /// The memory limit and the watch.
    pub effort: Effort<'a>,
}

richman_core::debug_by_name!(Build<'_> {});

impl Build<'_> {
    fn folder(&self) -> Result<&Path, Error> {
        folder(self.store.as_ref())
    }

    fn check(&self, plan: &ClassPlan) -> Result<(), Error> {
        self.check_disk(plan.disk)?;
        self.effort.check_memory("solving the class", plan.memory)
    }

    fn check_disk(&self, needed: u64) -> Result<(), Error> {
        if needed > self.disk {
            return Err(Error::TooMuchDisk { what: "a database", needed, limit: self.disk });
        }
        Ok(())
    }
}

/// The class of a chess game, with the stronger player first; `start` is at its start.
///
/// # Errors
/// [`Error::Unsupported`] if databases do not serve such positions.
pub fn class(start: &dyn Walk) -> Result<ChessClass, Error> {
    let board = start.board::<ChessBoard>().filter(|board| board.size() == USUAL && start.game() != GAME);
    let board = board.ok_or_else(|| {
        let what = format!("a database of {}", start.game());
        Error::unsupported(what, "endgames on the usual board, such as chess:pieces=KQK or chess:pieces=KRKB")
    })?;
    let (class, _) = oriented(&ChessClass::of_board(&board));
    index(&class)?;
    Ok(class)
}

/// Estimates the cost of a class's database.
///
/// # Errors
/// [`Error::Unsupported`] if a class it can become has no database.
pub fn plan(class: &ChessClass) -> Result<ClassPlan, Error> {
    const IN_A_SECOND: u64 = 60_000;
    const EXACT_IN_A_SECOND: u64 = 25_000;
    /// Packed bytes of a position's four numbers, for play that can last forever, and of its
    /// shares.
    const PACKED: u64 = 24;
    const SHARES: u64 = 30;
    /// Bytes of memory per number for exact thresholds, measured with KPK.
    const EXACT: u64 = 410;
    index(class)?; // a class without a numbering can become too many others
    let classes = needed(class);
    let indices: Vec<ChessIndex> = classes.iter().map(index).collect::<Result<_, _>>()?;
    let positions: u64 = indices.iter().map(ChessIndex::positions).sum();
    let few = |index: &&ChessIndex| index.class().pieces() <= MOST_EXACT_PIECES;
    let exact: u64 = indices.iter().filter(few).map(ChessIndex::positions).sum();
    let numbers: u64 = indices.iter().map(ChessIndex::size).sum();
    let exact_numbers: u64 = indices.iter().filter(few).map(ChessIndex::size).sum();
    let largest = indices.iter().map(endgames::memory).max().unwrap_or(0);
    Ok(ClassPlan {
        class: class.to_string(),
        classes: classes.iter().map(ToString::to_string).collect(),
        positions,
        memory: (largest + BYTES_IN_TABLES * numbers).max(EXACT * exact_numbers),
        disk: PACKED * positions + SHARES * exact,
        seconds: positions / IN_A_SECOND + exact / EXACT_IN_A_SECOND,
    })
}

/// The numbering of the positions of a class on the usual board.
///
/// # Errors
/// [`Error::Unsupported`] if the class has none.
pub fn index(class: &ChessClass) -> Result<ChessIndex, Error> {
    endgames::index(class, USUAL)
}

/// Builds a class and those it can become, or resumes. Calls `each` per complete class.
///
/// # Errors
/// [`Error::Storage`] if files cannot be read or written, or belong to another database;
/// [`Error::Unsupported`] for classes without a database; [`Error::TooMuchDisk`];
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`], which leaves complete classes in place.
pub fn build(task: &Build, each: &mut dyn FnMut(ReportRow)) -> Result<(), Error> {
    let plan = plan(task.class)?;
    task.check(&plan)?;
    let classes = needed(task.class);
    let about = Database::new(GAME.to_string(), DatabaseStake::Money);
    let folder = task.folder()?;
    let mut building = Building::begin(task.store, about, names(&classes))?;
    let mut there = Vec::new();
    for class in &classes {
        let has = |all: bool, part: &&str| Ok::<_, Error>(all & building.has(&name(class, part), LayerFile::check)?);
        there.push(parts(class).iter().try_fold(true, has)?);
    }
    building.write()?;
    let few = classes.iter().zip(&there).filter(|(class, is_there)| class.pieces() <= MOST_EXACT_PIECES && !**is_there);
    let missing: Vec<ChessClass> = few.map(|(class, _)| class.clone()).collect();
    write_all_exact(&mut building, &missing, &task.effort)?;
    let mut tables = Tables::default();
    let mut used = 0;
    for (class, &kept) in classes.iter().zip(&there) {
        let chances = if kept {
            read(folder, class, &tables, &task.effort)?
        } else {
            let chances = endgames::solve(index(class)?, &tables, &task.effort)?;
            write_bounds(&mut building, &chances)?;
            chances
        };
        let bytes =
            parts(class).iter().map(|part| std::fs::metadata(path(folder, class, part)).map_or(0, |about| about.len()));
        let (bytes, exact, draws) = (bytes.sum(), class.pieces() <= MOST_EXACT_PIECES, chances.has_draws());
        let width = (chances.width() as f64).log2() - 62.0;
        let (class, positions) = (class.to_string(), chances.index.positions());
        let how = if exact { "exact".to_string() } else { format!("within 2^{width:.0}") };
        let drawn = if draws { "; draws by best play" } else { "" };
        let before = if kept { "; was there" } else { "" };
        let words = format!("{class:>8}: {positions:>10} positions, {how}{drawn}; {}{before}\n", size(bytes));
        each(ReportRow::new(&ClassReport { class, positions, exact, width, draws, kept, bytes }, words));
        used += bytes;
        tables.insert(chances);
        task.check_disk(used)?;
    }
    Ok(())
}

/// Solves and writes the exact thresholds of the missing classes, then frees them, because bounds
/// need the memory.
fn write_all_exact(building: &mut Building, missing: &[ChessClass], effort: &Effort) -> Result<(), Error> {
    /// Bytes per position while a class is written: sorted shares, their text, their offsets.
    const WRITTEN: u64 = 230;
    if missing.is_empty() {
        return Ok(());
    }
    let exact = endgames::exact(missing, USUAL, effort)?;
    for class in missing {
        effort.check_memory("writing the class", exact.bytes() + WRITTEN * index(class)?.size())?;
        write_exact(building, class, &exact)?;
    }
    Ok(())
}

/// A database of endgame classes.
pub struct Endgames {
    folder: PathBuf,
    about: Database,
}

richman_core::debug_by_name!(Endgames {});

impl Endgames {
    /// Opens a folder; `None` if it is a database of another game.
    ///
    /// # Errors
    /// [`Error::Storage`] if the folder is not a database or is one of chips, or `database.json`
    /// cannot be read.
    pub fn open(place: &Path) -> Result<Option<Endgames>, Error> {
        let store = open_store(place)?;
        let about = Database::open(store.as_ref())?;
        match about.stake {
            _ if about.game != GAME => Ok(None),
            DatabaseStake::Money => Ok(Some(Endgames { folder: folder(store.as_ref())?.to_path_buf(), about })),
            DatabaseStake::Chips(_) | DatabaseStake::Bounds(_) => Err(about.has_not(place, None)),
        }
    }

    /// Its classes with all classes that they can become, smaller ones first.
    ///
    /// # Errors
    /// [`Error::Storage`] if the folder cannot be read.
    pub fn classes(&self) -> Result<Vec<ChessClass>, Error> {
        let files = expected(&self.folder, &self.about)?;
        Ok(classes(&files, ""))
    }

    /// The worth of a position in real money; `None` for other games or if the game is over.
    ///
    /// If the class has only bounds but best play leads to few positions, thresholds are made
    /// exact.
    ///
    /// # Errors
    /// [`Error::Storage`] for classes that are missing or damaged; [`Error::Unsupported`] if a
    /// required exact value is not found, or for positions that cannot be looked up;
    /// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn evaluate(&self, walk: &dyn Walk, effort: &Effort) -> Result<Option<Evaluation>, Error> {
        let board = walk.board::<ChessBoard>().filter(|board| is_placed(board) && walk.end().is_none());
        if let Some(board) = &board {
            self.look_up(board)?; // a missing class is the first error to report
        }
        let mut tables = Tables::default();
        let mut bounds = |board: &ChessBoard| -> Result<ChanceBounds, Error> {
            let (class, _) = oriented(&ChessClass::of_board(board));
            if !tables.has(&class) {
                self.check_listed(&class)?;
                let chances = read(&self.folder, &class, &tables, effort)?;
                tables.insert(chances);
            }
            tables.bounds(board).ok_or_else(|| unsolved(board))
        };
        let exact = match board {
            Some(board) if ChessClass::of_board(&board).pieces() > MOST_EXACT_PIECES => {
                best_play::exact(&board, &mut bounds, effort)?
            }
            _ => ExactShares::new(),
        };
        evaluate(walk, from_folder(&self.folder), &mut |board| {
            let mut known = self.look_up(board)?;
            known.make_exact(&exact, board);
            Ok(known)
        })
    }

    /// Refuses unlisted files, whose checksums were never compared.
    fn check_listed(&self, class: &ChessClass) -> Result<(), Error> {
        match parts(class).iter().rev().find(|part| !self.about.lists(&name(class, part))) {
            Some(part) => Err(missing(&path(&self.folder, class, part), &recipe(class, RecipeStake::Money))),
            None => Ok(()),
        }
    }

    /// The position has both kings.
    fn look_up(&self, board: &ChessBoard) -> Result<PositionKnowledge, Error> {
        let (class, exchanged) = oriented(&ChessClass::of_board(board));
        let index = index(&class)?;
        let rank = index.rank(&if exchanged { board.exchanged() } else { *board });
        self.check_listed(&class)?;
        let row = |part| -> Result<Vec<u64>, Error> {
            let file = open(&self.folder, &class, part)?;
            let lanes = u64::from(file.head().lanes);
            numbers(&file, lanes * rank, lanes)
        };
        let chances: Vec<u64> = row("")?.into_iter().map(|chance| chance.min(FIXED_POINT_UNIT)).collect();
        let last = chances.len() - 2;
        let pair = |at: usize| ByPlayer::new(chances[at], chances[at + 1]);
        let bounds = ChanceBounds { wins: pair(0), holds: pair(last) };
        let mut known = PositionKnowledge::bounds(bounds, index.positions());
        if class.pieces() <= MOST_EXACT_PIECES {
            let text = open(&self.folder, &class, "-shares")?;
            let offsets = row("-exact")?;
            known.thresholds = [share_at(&text, offsets[0])?, share_at(&text, offsets[1])?].map(ShareBounds::exact);
            known.exact = known.positions;
        }
        Ok(if exchanged { known.exchanged() } else { known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(chances: &endgames::ClassChances, folder: &Path) {
        let about = Database::new(GAME.to_string(), DatabaseStake::Money);
        let names = names([chances.index.class()]);
        write_bounds(&mut Building::begin(&open_store(folder).unwrap(), about, names).unwrap(), chances).unwrap();
    }

    /// Chances not to lose are written, read and looked up like those to win.
    #[test]
    fn files_with_four_numbers_a_position() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let class = ChessClass::parse("KK", 8).unwrap();
        let effort = Effort::default();
        let task = Build { class: &class, store: &open_store(folder).unwrap(), disk: 1 << 30, effort };
        build(&task, &mut |_| {}).unwrap();
        let mut chances = read(folder, &class, &Tables::default(), &effort).unwrap();
        assert_eq!(chances.holds, None);
        let database = Endgames::open(folder).unwrap().unwrap();
        for raise in [0, 1 << 30] {
            let mut holds = chances.chances.clone();
            let rank = chances.positions().nth(7).unwrap().0;
            holds.bob[rank as usize] += raise;
            chances.holds = Some(holds);
            write(&chances, folder);
            let again = read(folder, &class, &Tables::default(), &effort).unwrap();
            assert_eq!((&again.chances, &again.holds), (&chances.chances, &chances.holds));
            let board = chances.index.unrank(rank).unwrap();
            let known = database.look_up(&board).unwrap().bounds;
            assert_eq!(known.holds.bob, known.wins.bob + raise);
        }
    }

    #[test]
    fn numbers_above_certainty_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (class, effort) = (ChessClass::parse("KK", 8).unwrap(), Effort::default());
        let mut chances = endgames::solve(index(&class).unwrap(), &Tables::default(), &effort).unwrap();
        for (chance, fits) in [(FIXED_POINT_UNIT, true), (FIXED_POINT_UNIT + 1, false)] {
            chances.chances.bob[0] = chance;
            write(&chances, folder);
            let again = read(folder, &class, &Tables::default(), &effort);
            assert_eq!(again.is_ok(), fits);
        }
    }
}
