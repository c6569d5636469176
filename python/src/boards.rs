//! Databases of boards that many processes compute, unit by unit.

use std::path::{Path, PathBuf};
use std::process;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use richman::analysis::databases::{
    self, BuildOrder, DatabaseStake, FileSum, Machines, SharedBuild, UnitId, UnitWork, open_store,
};
use richman::analysis::{Subject, Wanted, parse};
use richman::core::{Effort, Error as CoreError, Total};

use crate::answers::Document;
use crate::error::Fault;
use crate::game::Game;
use crate::options::Options;
use crate::questions::Progress;
use crate::threads;
use crate::work::{self, Worker};

/// The name of a unit, its bytes and their SHA-256.
type Sum = (String, u64, String);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the order for a database.
fn ordered<T>(
    subject: &Subject,
    options: &Options,
    store: &Path,
    worker: &Worker,
    work: impl FnOnce(&BuildOrder) -> Result<T, CoreError>,
) -> Result<T, Fault> {
    let start = subject.walk(None)?;
    let totals: Option<Vec<Total>> =
        options.totals()?.map(|totals| parse::each(&totals)).transpose().map_err(Fault::Refused)?;
    let stake = match (options.leaves, totals) {
        (Some(_), Some(_)) => return Err(Fault::because("bounds are of real money: leave out the chips, or leaves")),
        (Some(stones), None) => DatabaseStake::Bounds(stones),
        (None, totals) => DatabaseStake::of(totals.as_deref()),
    };
    let order = BuildOrder {
        start: start.as_ref(),
        stake: &stake,
        store: &open_store(store)?,
        unit: options.unit,
        keep: options.keep,
        disk: u64::MAX,
        effort: options.untimed(worker),
    };
    Ok(work(&order)?)
}

/// How long machines take for a database together: `machines` are workers, and cores of each;
/// `lines` the bandwidth of each and, if it is less, of the store.
#[pyfunction]
fn board_plan(
    py: Python<'_>,
    game: &Game,
    options: &str,
    store: PathBuf,
    machines: (u32, u32),
    lines: (String, Option<String>),
) -> PyResult<Document> {
    let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
    work::done(py, None, None, move |worker| {
        let bytes = |text: &String| parse::bandwidth(text).map_err(Fault::Refused);
        let (workers, cores) = machines;
        let bandwidth = bytes(&lines.0)?;
        let store_bandwidth = lines.1.as_ref().map(bytes).transpose()?;
        let all = store_bandwidth.unwrap_or_else(|| bandwidth.saturating_mul(workers.into()));
        let machines = Machines { workers, cores, bandwidth, store: all };
        let kind = databases::kind(subject.walk(None)?.as_ref())?;
        let row = ordered(&subject, &options, &store, worker, |order| kind.schedule(order, &machines))?;
        Document::of(&row.json)
    })
}

/// A database under construction, for the process that gives out the work, until it is closed.
#[pyclass(frozen, module = "richman._richman")]
pub struct BoardBuild {
    process: u32,
    build: Arc<Mutex<Option<SharedBuild>>>,
}

impl BoardBuild {
    /// Does something with the database, without the interpreter's lock.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut SharedBuild) -> Result<T, Fault> + Send + 'static,
    ) -> PyResult<T> {
        threads::check_made_here(self.process)?;
        let build = Arc::clone(&self.build);
        work::done(py, None, None, move |_| match locked(&build).as_mut() {
            Some(build) => work(build),
            None => Err(Fault::because("this build is closed")),
        })
    }
}

#[pymethods]
impl BoardBuild {
    #[new]
    fn new(py: Python<'_>, game: &Game, options: &str, store: PathBuf) -> PyResult<BoardBuild> {
        let (subject, options) = (game.subject.clone(), Options::read(options, Wanted::Worth)?);
        work::done(py, None, None, move |worker| {
            let build = ordered(&subject, &options, &store, worker, SharedBuild::begin)?;
            Ok(BoardBuild { process: process::id(), build: Arc::new(Mutex::new(Some(build))) })
        })
    }

    /// What is to be done for each unit, as JSON.
    fn tasks(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |build| Ok(serde_json::to_string(&build.tasks())?))
    }

    /// Lists a unit as complete, when the manifest is written again.
    fn note(&self, py: Python<'_>, name: String, bytes: u64, sha256: String) -> PyResult<()> {
        self.with(py, move |build| {
            build.note(&UnitId::from_str(&name)?, FileSum { bytes, sha256 });
            Ok(())
        })
    }

    /// The bytes of all units that are noted and not deleted.
    fn stored(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |build| Ok(build.stored()))
    }

    /// Writes the manifest, and then deletes what no unit needs if two layers stay.
    fn write(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |build| Ok(build.write()?))
    }

    /// Writes the manifest, and lets others build in the store.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        threads::check_made_here(self.process)?;
        let build = locked(&self.build).take();
        work::done(py, None, None, move |_| Ok(build.map_or(Ok(()), SharedBuild::finish)?))
    }
}

/// Somebody who computes units.
#[pyclass(frozen, module = "richman._richman")]
pub struct BoardWork {
    process: u32,
    work: Arc<Mutex<UnitWork>>,
    memory: u64,
}

#[pymethods]
impl BoardWork {
    #[new]
    fn new(py: Python<'_>, game: &Game, store: PathBuf, memory: u64) -> PyResult<BoardWork> {
        let subject = game.subject.clone();
        work::done(py, None, None, move |_| {
            let work = UnitWork::open(&open_store(Path::new(&store))?, subject.walk(None)?.as_ref(), memory)?;
            Ok(BoardWork { process: process::id(), work: Arc::new(Mutex::new(work)), memory })
        })
    }

    /// Makes a unit, or finds it whole, as it is listed if it is, or that it was complete since and
    /// deleted. Returns what is complete now, the names of what was made again, and whether anything
    /// was computed.
    #[pyo3(signature = (name, listed=None, progress=None))]
    fn make(
        &self,
        py: Python<'_>,
        name: String,
        listed: Option<(u64, String)>,
        progress: Progress<'_, '_>,
    ) -> PyResult<(Vec<Sum>, Vec<String>, bool)> {
        threads::check_made_here(self.process)?;
        let (own, memory) = (Arc::clone(&self.work), self.memory);
        work::done(py, None, progress, move |worker| {
            let unit = UnitId::from_str(&name)?;
            let mut own = locked(&own);
            let listed = listed.map(|(bytes, sha256)| FileSum { bytes, sha256 });
            let effort = Effort { memory, ..Effort::watched(worker) };
            let (made, computed) = own.provide(&unit, listed.as_ref(), &effort)?;
            let sums = made.into_iter().map(|(unit, sum)| (unit.file_name(), sum.bytes, sum.sha256)).collect();
            Ok((sums, own.made_again().iter().map(UnitId::file_name).collect(), computed))
        })
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(board_plan, module)?)?;
    module.add_class::<BoardBuild>()?;
    module.add_class::<BoardWork>()
}
