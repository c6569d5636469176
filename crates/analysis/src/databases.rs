//! The kinds of databases that are built, each with its proof. Families build databases
//! and look up answers. The proofs are here because `check` depends on boards, so no family may
//! depend on `check`.

#[cfg(feature = "chess")]
mod chip_classes;
#[cfg(feature = "chess")]
mod classes;
mod units;

use std::path::Path;
use std::sync::Arc;

use richman_core::{Choice, DatabaseRecipe, Effort, Error as CoreError, RecipeStake, Remedy, Walk};
use richman_files::ObjectStore;
use richman_formats::{Database, FolderCheck};
use richman_games::Games;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::{Error, ShareJson, Subject};

pub use richman_files::{FileSum, is_url, open_store};
pub use richman_formats::DatabaseStake;
pub use richman_formats::database::{
    BuildOrder, DatabaseKind, KeptUnits, Machines, ReportRow, RowSchemas, TableColumn,
};
pub use units::{SharedBuild, UnitId, UnitJob, UnitState, UnitWork};

struct DatabaseEntry {
    kind: &'static dyn DatabaseKind,
    prove: Prover,
}

/// Proves every number of a database from the files and the start of its game, and
/// lists the proved parts; returns a description of the first wrong number, if any.
type Prover = fn(&Arc<dyn ObjectStore>, &dyn Walk, &Effort, &mut Vec<ProvedPart>) -> Result<Option<String>, Error>;

const KINDS: &[&DatabaseEntry] = &[
    &units::ENTRY,
    #[cfg(feature = "chess")]
    &classes::ENTRY,
];

/// A proved part of a database.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProvedPart {
    /// The class.
    pub class: String,
    /// Whether its thresholds are proved exact.
    pub exact: bool,
    /// If not, the greatest proved distance between the bounds on a threshold, as a share of all
    /// the money: correct bounds need not be narrow.
    pub width: ShareJson,
}

/// The verdict on a database.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verdict {
    /// Whether every file is unchanged and every number is right.
    pub valid: bool,
    /// The first wrong number, or the unreadable file.
    pub wrong: Option<String>,
    /// The remedy that remakes a missing or damaged file.
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    /// The proved classes, in databases of classes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The width of the thresholds of each class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<ProvedPart>,
    /// Whether its numbers are one-sided bounds, which need not be narrow.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bounds: bool,
    /// The greatest proved distance between bounds of classes, as a share of all the money; null if
    /// all are exact.
    pub width: Option<ShareJson>,
    /// The same as a decimal.
    pub width_decimal: Option<f64>,
    /// Other files in the folder.
    pub others: Vec<String>,
    /// Whether the database lists its files with sizes and checksums.
    pub listed: bool,
}

/// The kind of database for a game.
///
/// # Errors
/// [`CoreError::Unsupported`], with the list of supported games, if there is none.
pub fn kind(start: &dyn Walk) -> Result<&'static dyn DatabaseKind, Error> {
    Ok(entry(start)?.kind)
}

fn entry(start: &dyn Walk) -> Result<&'static DatabaseEntry, Error> {
    let entry = KINDS.iter().find(|entry| entry.kind.serves(start));
    Ok(entry.ok_or_else(|| {
        let serves = KINDS.iter().map(|entry| entry.kind.games()).collect::<Vec<_>>().join("; ");
        CoreError::unsupported(format!("a database of {}", start.game()), serves)
    })?)
}

/// A database that was opened.
struct OpenDatabase {
    store: Arc<dyn ObjectStore>,
    about: Database,
    start: Box<dyn Walk>,
    entry: &'static DatabaseEntry,
}

/// Opens the database in a folder or at a URL.
fn open(games: &Games, place: &Path) -> Result<OpenDatabase, Error> {
    let store = open_store(place)?;
    let about = Database::open(store.as_ref())?;
    if !about.keeps_all() {
        let what = format!("a check of the database in {}, of which two layers are kept", place.display());
        return Err(CoreError::unsupported_unless(what, [Remedy::LeaveOut(Choice::KEPT_LAYERS)]).into());
    }
    let start = Subject::recorded(games, &about.game)?.walk(None)?;
    let entry = entry(start.as_ref())?;
    Ok(OpenDatabase { store, about, start, entry })
}

/// Compares a database's folder with its manifest, then proves every number from the files alone.
///
/// # Errors
/// [`CoreError::Storage`] if the folder is not a database or cannot be read;
/// [`CoreError::TooMuchMemory`]; [`CoreError::Cancelled`].
pub fn verify(games: &Games, place: &Path, effort: &Effort) -> Result<Verdict, Error> {
    let OpenDatabase { store, about, start, entry: DatabaseEntry { kind, prove } } = open(games, place)?;
    let stake = match about.stake {
        DatabaseStake::Money => RecipeStake::Money,
        DatabaseStake::Chips(_) => RecipeStake::Chips(None),
        DatabaseStake::Bounds(stones) => RecipeStake::Bounds(stones),
    };
    let recipe = |file: &str| DatabaseRecipe::of(kind.game_of_file(&about.game, file), stake.clone());
    let expected = kind.files(&store, start.as_ref())?;
    let mut files = about.check(store.as_ref(), &expected, &recipe, effort.watch)?;
    let mut proved = Vec::new();
    if files.wrong.is_none() {
        files.wrong = match prove(&store, start.as_ref(), effort, &mut proved) {
            // An unreadable file proves nothing.
            Err(Error::Core(CoreError::Storage { what })) => Some(what),
            Err(Error::Core(CoreError::Missing { what, remedies })) => {
                files.remedy = remedies.into_iter().next();
                Some(what)
            }
            other => other?,
        };
    }
    Ok(Verdict { bounds: matches!(about.stake, DatabaseStake::Bounds(_)), ..Verdict::new(files, proved) })
}

/// The schemas of the rows of all kinds.
pub fn schemas(of: &mut SchemaGenerator) -> RowSchemas {
    let mut all = RowSchemas::default();
    for entry in KINDS {
        let RowSchemas { plans, parts, surveys } = entry.kind.schemas(of);
        all.plans.extend(plans);
        all.parts.extend(parts);
        all.surveys.extend(surveys);
    }
    all
}

/// Reports remarkable facts about the parts of a database; returns the columns of their table, or
/// `None` if the kind has no such report.
///
/// # Errors
/// [`CoreError::Storage`] for missing or damaged files; [`CoreError::Cancelled`].
pub fn survey(
    games: &Games,
    place: &Path,
    effort: &Effort,
    each: &mut dyn FnMut(ReportRow),
) -> Result<Option<&'static [TableColumn]>, Error> {
    let OpenDatabase { store, entry, .. } = open(games, place)?;
    Ok(entry.kind.survey(&store, effort, each)?)
}

/// Proves every number of a database from the files alone, and lists the proved
/// parts; returns a description of the first wrong number, if any. Does not compare checksums.
///
/// # Errors
/// [`CoreError::Storage`] for missing or damaged files; [`CoreError::TooMuchMemory`];
/// [`CoreError::Cancelled`].
pub fn prove(
    games: &Games,
    place: &Path,
    effort: &Effort,
    proved: &mut Vec<ProvedPart>,
) -> Result<Option<String>, Error> {
    let OpenDatabase { store, start, entry, .. } = open(games, place)?;
    (entry.prove)(&store, start.as_ref(), effort, proved)
}

impl Verdict {
    fn new(files: FolderCheck, proved: Vec<ProvedPart>) -> Verdict {
        let FolderCheck { wrong, remedy, others, listed } = files;
        let bounds = proved.iter().filter(|class| !class.exact).map(|class| class.width.clone());
        let width = bounds.max_by(|one, other| one.0.cmp(&other.0));
        Verdict {
            valid: wrong.is_none(),
            wrong,
            remedy,
            classes: proved.iter().map(|class| class.class.clone()).collect(),
            proved,
            bounds: false,
            width_decimal: width.as_ref().map(|width| width.0.to_f64()),
            width,
            others,
            listed,
        }
    }
}
