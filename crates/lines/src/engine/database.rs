//! Databases: the units of a board on disk, built and looked up.

mod answers;
mod schedule;
mod shared;
mod unit_store;
mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use richman_core::{Effort, Error, Mechanism, Overall, Walk};
use richman_files::ObjectStore;
use richman_formats::database::{
    BuildOrder, DatabaseCut, DatabaseKind, KeptUnits, MOST_TOTALS, Machines, ReportRow, RowSchemas, size, time,
};
use richman_formats::{Database, DatabaseStake};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::needs::board;
use super::units::{CutCost, UnitCost, UnitCut, UnitId};
use super::{BoardPlan, BoardQuestion, BoardStake};
use crate::board::LinePosition;
pub use answers::Answers;
pub use schedule::{ScaleRow, SharedPlan};
use schedule::{at_once, core_seconds};
pub use shared::{SharedBuild, UnitJob, UnitState};
pub use unit_store::UnitStore;
pub use work::{MadeUnits, UnitWork};

/// The cost of a database, known before anything is computed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct BuildPlan {
    /// The game with its parameters.
    game: String,
    /// Fillings of the board, including those after the end of a game.
    positions: String,
    /// The bytes of memory to build it, or to prove it.
    memory: String,
    /// Estimated bytes of the database.
    disk: String,
    /// Estimated seconds on two cores.
    seconds: u64,
    #[serde(skip)]
    bytes: u64,
}

/// The units with the same number of fixed stones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
struct LevelReport {
    /// The fixed stones.
    fixed: u32,
    /// All units with that many.
    units: u64,
    /// Positions to compute or already computed, without mirror images and finished games.
    positions: u64,
    /// Units that did not exist, or were recomputed.
    computed: u64,
    /// Units deleted after their last reader.
    #[serde(skip_serializing_if = "is_zero")]
    unneeded: u64,
    /// Files that were missing or damaged, and were recomputed.
    again: Vec<String>,
    /// Bytes of their files.
    bytes: u64,
}

/// Databases of boards.
#[derive(Debug)]
pub struct BoardDatabases;

impl DatabaseKind for BoardDatabases {
    fn serves(&self, walk: &dyn Walk) -> bool {
        walk.board::<LinePosition>().is_some()
    }

    fn games(&self) -> &'static str {
        "connect and tic-tac-toe with at most 63 cells"
    }

    fn schemas(&self, of: &mut SchemaGenerator) -> RowSchemas {
        let plans = vec![of.subschema_for::<BuildPlan>(), of.subschema_for::<SharedPlan>()];
        RowSchemas { plans, parts: vec![of.subschema_for::<LevelReport>()], surveys: Vec::new() }
    }

    fn plan(&self, order: &BuildOrder) -> Result<ReportRow, Error> {
        let plan = plan_of(&cut_of(order)?, order)?;
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

    fn schedule(&self, order: &BuildOrder, machines: &Machines) -> Result<ReportRow, Error> {
        let cut = cut_of(order)?;
        let units = units(&cut)?;
        let memory = UnitWork::needs(cut.whole_cost().memory);
        let packed = packed(&cut, &units, &order.effort)?;
        let plan = SharedPlan::of(&cut, &units, &packed, machines, memory, order.keep);
        Ok(ReportRow::new(&plan, plan.words()))
    }

    /// Keeps undamaged units. Reports the size at the end.
    ///
    /// # Errors
    /// [`Error::Storage`] if files cannot be written or read, or the store holds another database;
    /// [`Error::TooMuchDisk`]; [`Error::TooMuchMemory`]; [`Error::Cancelled`], which leaves
    /// complete units in place.
    fn build(&self, order: &BuildOrder, each: &mut dyn FnMut(ReportRow)) -> Result<String, Error> {
        let cut = Arc::new(cut_of(order)?);
        let too_large = |needed| Error::TooMuchDisk { what: "a database", needed, limit: order.disk };
        // The estimate takes time and never exceeds the unpacked bytes written.
        if cut.whole_cost().written > order.disk {
            let planned = plan_of(&cut, order)?.bytes;
            if planned > order.disk {
                return Err(too_large(planned));
            }
        }
        let mut build = SharedBuild::of(order, Arc::clone(&cut))?;
        let units = build.units().to_vec();
        let positions = |unit: &UnitId| cut.cost(unit).positions;
        let all = units.iter().map(positions).fold(0, u64::saturating_add);
        let overall = Overall { watch: order.effort.watch, before: AtomicU64::new(0), all };
        let effort = Effort { watch: &overall, ..order.effort };
        let mut work = build.work(effort.memory);
        for level in units.chunk_by(|one, other| one.fixed() == other.fixed()) {
            let mut report =
                LevelReport { fixed: level[0].fixed(), units: level.len() as u64, ..LevelReport::default() };
            for unit in level {
                effort.check_cancelled()?;
                if build.state(unit) == UnitState::Unneeded {
                    report.unneeded += 1;
                    overall.before.fetch_add(positions(unit), Ordering::Relaxed);
                    continue;
                }
                let (made, is_new) = work.provide(unit, build.listed(unit), &effort)?;
                report.computed += u64::from(is_new);
                made.into_iter().for_each(|(unit, sum)| build.note(&unit, sum));
                report.again.extend(work.made_again().iter().map(UnitId::file_name));
                if build.is_to_be_swept() {
                    build.write()?;
                }
                report.positions = report.positions.saturating_add(positions(unit));
                overall.before.fetch_add(positions(unit), Ordering::Relaxed);
                report.bytes += build.listed(unit).map_or(0, |sum| sum.bytes);
                if build.stored() > order.disk {
                    build.write()?;
                    return Err(too_large(build.stored()));
                }
            }
            build.write()?;
            each(report.row());
        }
        let positions = BoardPlan::of(cut.question())?.positions();
        Ok(format!("{positions} positions in {}: {}\n", order.store.place().display(), size(build.stored())))
    }

    fn files(&self, store: &Arc<dyn ObjectStore>, start: &dyn Walk) -> Result<Vec<String>, Error> {
        let cut = opened(&Database::open(store.as_ref())?, store.as_ref(), start)?;
        Ok(units(&cut)?.iter().map(UnitId::file_name).collect())
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl LevelReport {
    fn row(&self) -> ReportRow {
        let LevelReport { fixed, units, positions, computed, unneeded, again, bytes } = self;
        let counted = |count: u64, what| if count > 0 { format!(", {count} units {what}") } else { String::new() };
        let there = counted(units - computed - unneeded, "were there") + &counted(*unneeded, "are not needed now");
        let again = if again.is_empty() { String::new() } else { format!(", made again: {}", again.join(", ")) };
        let words = format!(
            "{fixed:>3} fixed stones: {units:>5} units, {positions:>12} positions{there}{again}; {}\n",
            size(*bytes)
        );
        ReportRow::new(self, words)
    }
}

impl From<&DatabaseStake> for BoardStake {
    fn from(stake: &DatabaseStake) -> BoardStake {
        match stake {
            DatabaseStake::Money => BoardStake::Money,
            DatabaseStake::Chips(totals) => BoardStake::Chips(totals.clone()),
            DatabaseStake::Bounds(stones) => BoardStake::Rounded(*stones),
        }
    }
}

/// The cut of the database to build: from its manifest if it was begun, else the usual one.
fn cut_of(order: &BuildOrder) -> Result<UnitCut, Error> {
    let question = question(order.start, order.stake.into())?;
    let wanted = Database::new(order.start.game(), order.stake.clone());
    match Database::read(order.store.as_ref())? {
        Some(Database { cut: Some(DatabaseCut { depth, aim, .. }), game, stake, .. })
            if (&game, &stake) == (&wanted.game, &wanted.stake) =>
        {
            UnitCut::new(question, depth, aim)
        }
        _ => UnitCut::of_database(question, order.unit),
    }
}

/// The units of a cut, at most as many as a folder can have files.
fn units(cut: &UnitCut) -> Result<Vec<UnitId>, Error> {
    const MOST: u64 = 1 << 18;
    let given = cut.whole_cost().units;
    if given > MOST {
        return Err(Error::TooLarge { what: "the number of units", given, most: MOST });
    }
    Ok(cut.units().collect())
}

/// Checks that a database belongs to the walk's game.
fn check_game(about: &Database, store: &dyn ObjectStore, walk: &dyn Walk) -> Result<(), Error> {
    if walk.game() == about.game {
        return Ok(());
    }
    let place = store.place().display();
    let what = format!("{place} is a database of {}, not of {}", about.game, walk.game());
    Err(Error::Storage { what })
}

/// The cut of a database.
fn opened(about: &Database, store: &dyn ObjectStore, walk: &dyn Walk) -> Result<UnitCut, Error> {
    check_game(about, store, walk)?; // the board of another game may be a large one
    if let DatabaseStake::Chips(totals) = &about.stake {
        let (given, most) = (totals.len() as u64, u64::from(MOST_TOTALS));
        if given > most {
            return Err(Error::TooLarge { what: "the number of totals", given, most });
        }
    }
    let Some(DatabaseCut { depth, aim, .. }) = about.cut.clone() else {
        let what = "has no cut, as those of older versions: build it again in another folder";
        return Err(Error::Storage { what: format!("the database in {} {what}", store.place().display()) });
    };
    UnitCut::new(question(walk, (&about.stake).into())?, depth, aim)
}

fn question(start: &dyn Walk, stake: BoardStake) -> Result<BoardQuestion, Error> {
    let chips = matches!(stake, BoardStake::Chips(_));
    let Some(LinePosition { board, .. }) = board(start, &Mechanism::default(), chips) else {
        let what = format!("a database of {}", start.game());
        return Err(Error::unsupported(what, BoardDatabases.games()));
    };
    Ok(BoardQuestion { board, stake })
}

/// About the packed bytes of each unit.
fn packed(cut: &UnitCut, units: &[UnitId], effort: &Effort<'_>) -> Result<Vec<f64>, Error> {
    let packing = cut.packing(effort)?;
    let alike = units.chunk_by(|one, other| one.heights == other.heights);
    Ok(alike.flat_map(|units| vec![cut.packed(&units[0], &packing); units.len()]).collect())
}

/// Estimates the cost of a database.
fn plan_of(cut: &UnitCut, order: &BuildOrder) -> Result<BuildPlan, Error> {
    let cost = cut.whole_cost();
    let bytes = match units(cut) {
        Ok(units) => {
            let packed = packed(cut, &units, &order.effort)?;
            match order.keep {
                KeptUnits::All => packed.iter().sum(),
                KeptUnits::TwoLayers => at_once(cut, &units, &packed),
            }
        }
        // Too many units to list: assume that they pack as well as those with all fixed cells
        // filled.
        Err(_) => {
            let first = UnitId { heights: cut.depth().to_vec(), first: 0 };
            let share = cut.packed(&first, &cut.packing(&order.effort)?) / cut.cost(&first).written.max(1) as f64;
            share * cost.written as f64
        }
    };
    let CutCost { positions, read, written, memory, .. } = cost;
    let core = core_seconds(&UnitCost { positions, read, written, memory }, cut.question().lanes());
    let plan = BoardPlan::of(cut.question())?;
    Ok(BuildPlan {
        game: order.start.game(),
        positions: plan.positions().to_string(),
        // A quarter is for units being read.
        memory: cost.memory.max(cost.proof).saturating_mul(4).div_ceil(3).to_string(),
        disk: (bytes as u64).to_string(),
        seconds: (core / 2.0) as u64,
        bytes: bytes as u64,
    })
}
