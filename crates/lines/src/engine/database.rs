//! Databases: every layer of a board on a disk, built and looked up.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use richman_core::{Effort, Error, Mechanism, Overall, Total, Walk};
use richman_files::{LayerFile, LayerHead, LayerWriter};
use richman_formats::{Building, Database, DatabaseStake};
use serde::Serialize;

use super::needs::{Needs, Pair, SPEED, board, moves};
use super::{Goal, Layers, Plan, Question, Stake, Values, read_one};
use crate::board::{LineBoard, LinePosition};

/// What to build, and within what.
#[derive(Clone)]
pub struct Build<'a> {
    /// The game at its start: the whole board is solved.
    pub start: &'a dyn Walk,
    /// Real money, or chips.
    pub stake: Stake,
    /// Where the layers go.
    pub folder: &'a Path,
    /// The most bytes of layers that may be there.
    pub disk: u64,
    /// Memory, progress, cancelling.
    pub effort: Effort<'a>,
}

/// What a database costs, before anything is computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuildPlan {
    /// The game with its parameters.
    pub game: String,
    /// Fillings of the board, those after the end of a game included.
    pub positions: String,
    /// Bytes of the two adjacent layers that need the most. With less memory, layers are read from the disk while the next is computed.
    pub memory: String,
    /// About how many bytes the database will have: a tenth of the numbers. Known only when it is built.
    pub disk: String,
    /// About how many seconds it takes on two cores.
    pub seconds: u64,
    #[serde(skip)]
    bytes: u128,
    #[serde(skip)]
    fillings: u64,
}

/// A layer that is on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerReport {
    /// The number of stones.
    pub stones: u32,
    /// Its positions, those after the end of a game included.
    pub positions: u64,
    /// How many of them were not computed one by one; null for a layer that was there already.
    pub decided: Option<u64>,
    /// The bytes of its file.
    pub bytes: u64,
}

fn question(start: &dyn Walk, stake: Stake) -> Result<Question, Error> {
    let chips = matches!(stake, Stake::Chips(_));
    let Some((board, _)) = board(start, &Mechanism::default(), chips) else {
        let what = format!("a database of {}", start.game());
        let serves = "connect and tic-tac-toe with at most 63 cells".to_string();
        return Err(Error::Unsupported { what, serves });
    };
    Ok(Question { board, stake, goal: Goal::Win })
}

/// What a database would cost.
///
/// # Errors
/// [`Error::Unsupported`] for games that are not boards of lines, and those of [`Plan::of`].
pub fn plan(start: &dyn Walk, stake: Stake) -> Result<BuildPlan, Error> {
    /// Compressed layers have a fifth of their bytes where few are finished, a thirtieth where most are.
    const PACKED: u128 = 10;
    let question = question(start, stake)?;
    let plan = Plan::of(&question)?;
    let numbers = plan.positions().saturating_mul(question.lanes() as u128);
    Ok(BuildPlan {
        game: start.game(),
        positions: plan.positions().to_string(),
        memory: plan.memory().to_string(),
        disk: (plan.bytes() / PACKED).to_string(),
        seconds: u64::try_from(numbers / u128::from(SPEED)).unwrap_or(u64::MAX),
        bytes: plan.bytes() / PACKED,
        fillings: u64::try_from(plan.positions()).unwrap_or(u64::MAX),
    })
}

/// Builds a database, or goes on where it stopped; `each` hears of every layer that is complete. Layers that are there are kept if they can be opened.
///
/// # Errors
/// [`Error::Storage`] for what cannot be written or read, and for a folder of another game; [`Error::TooMuchDisk`] where that limit is too small;
/// [`Error::Cancelled`]: complete layers stay.
pub fn build(task: &Build, each: &mut dyn FnMut(&LayerReport)) -> Result<Vec<LayerReport>, Error> {
    let question = question(task.start, task.stake.clone())?;
    let plan = plan(task.start, task.stake.clone())?;
    if plan.bytes > u128::from(task.disk) {
        let needed = u64::try_from(plan.bytes).unwrap_or(u64::MAX);
        return Err(Error::TooMuchDisk { what: "a database", needed, limit: task.disk });
    }
    let about = Database::new(task.start.game(), stake_of(&task.stake)?);
    let layers = question.board.cells() + 1;
    let mut building = Building::begin(task.folder, about, (0..layers).map(Database::layer_name))?;
    let overall = Overall { watch: task.effort.watch, before: AtomicU64::new(0), all: plan.fillings };
    let mut layers = Layers::new(question, Effort { watch: &overall, ..task.effort })?;
    let (mut reports, mut used) = (Vec::new(), 0_u64);
    while let Some(stones) = layers.next() {
        let name = Database::layer_name(stones);
        let path = building.path(&name);
        let head = head(&layers, stones);
        let decided = if building.has(&name)? {
            layers.go_on(stones, Values::Stored(Box::new(open(&path, head)?)));
            None
        } else {
            let mut writer = LayerWriter::create(&path, head)?;
            let bytes = head.count * u64::from(head.width);
            let kept = match layers.last() {
                Some((_, Values::Kept(numbers))) => numbers.len() as u64 * layers.question().width(stones + 1) as u64,
                _ => 0,
            };
            let keep = bytes.saturating_add(kept) <= task.effort.memory;
            let computed = if keep { layers.step(&mut writer)? } else { layers.stream(&mut writer)? };
            building.keep(&name, writer.finish()?)?;
            if !keep {
                layers.go_on(stones, Values::Stored(Box::new(open(&path, head)?)));
            }
            computed.map(|computed| computed.decided)
        };
        let bytes = std::fs::metadata(&path).map_or(0, |about| about.len());
        used = used.saturating_add(bytes);
        let positions = head.count / u64::from(head.lanes);
        overall.before.fetch_add(positions, Ordering::Relaxed);
        let report = LayerReport { stones, positions, decided, bytes };
        each(&report);
        reports.push(report);
        if used > task.disk && stones > 0 {
            return Err(Error::TooMuchDisk { what: "a database", needed: used, limit: task.disk });
        }
    }
    Ok(reports)
}

fn head(layers: &Layers, stones: u32) -> LayerHead {
    let question = layers.question();
    let lanes = question.lanes() as u32;
    let positions = (layers.shapes()[stones as usize].len() as u64) << stones;
    LayerHead { layer: stones, lanes, width: question.width(stones) as u32, count: positions * u64::from(lanes) }
}

fn open(path: &Path, head: LayerHead) -> Result<LayerFile, Error> {
    let file = LayerFile::open(path)?;
    if file.head() != head {
        let what = format!("{} is a layer of another database: delete it and build again", path.display());
        return Err(Error::Storage { what });
    }
    Ok(file)
}

fn stake_of(stake: &Stake) -> Result<DatabaseStake, Error> {
    match stake {
        Stake::Money => Ok(DatabaseStake::Money),
        Stake::Chips(totals) => Ok(DatabaseStake::Chips(totals.iter().map(|total| total.chips()).collect())),
        Stake::Rounded => {
            let what = "a database of rounded shares".to_string();
            Err(Error::Unsupported { what, serves: "real money and chips".to_string() })
        }
    }
}

/// A database that answers for positions.
pub struct Answers {
    folder: PathBuf,
    about: Database,
    layers: Layers<'static>,
    files: Vec<OnceLock<LayerFile>>,
}

impl Answers {
    /// Opens the database in a folder, of a game that is at its start.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for games that are not boards of lines.
    pub fn open(folder: &Path, about: Database, start: &dyn Walk) -> Result<Answers, Error> {
        let stake = match &about.stake {
            DatabaseStake::Money => Stake::Money,
            DatabaseStake::Chips(totals) => {
                Stake::Chips(totals.iter().map(|chips| Total::new(u64::from(*chips))).collect::<Result<_, _>>()?)
            }
        };
        let layers = Layers::new(question(start, stake)?, Effort::default())?;
        let files = (0..layers.shapes().len()).map(|_| OnceLock::new()).collect();
        Ok(Answers { folder: folder.to_path_buf(), about, layers, files })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The game it is of.
    pub fn game(&self) -> &str {
        &self.about.game
    }

    /// With what is played.
    pub fn stake(&self) -> &Stake {
        &self.layers.question().stake
    }

    /// The board.
    pub fn board(&self) -> &LineBoard {
        &self.layers.question().board
    }

    /// How many layers it has.
    pub fn layers(&self) -> u32 {
        self.layers.shapes().len() as u32
    }

    /// What is needed at a position with a total, or in real money; `None` where the game is over.
    ///
    /// # Errors
    /// Those of [`Answers::needs_with`].
    pub fn need(&self, walk: &dyn Walk, total: Option<Total>) -> Result<Option<Pair>, Error> {
        let lane = self.lane(total)?;
        self.stones(walk)?.map(|stones| self.pair(stones, lane)).transpose()
    }

    /// The same, and what is needed after every move.
    ///
    /// # Errors
    /// Those of [`Answers::needs`], and [`Error::Storage`] for a stake that it does not have.
    pub fn needs_with(&self, walk: &dyn Walk, total: Option<Total>) -> Result<Option<Needs>, Error> {
        let lane = self.lane(total)?;
        self.lanes(walk, lane..lane + 1).map(|needs| needs.and_then(|needs| needs.into_iter().next()))
    }

    fn lane(&self, total: Option<Total>) -> Result<usize, Error> {
        let lane = match (self.stake(), total) {
            (Stake::Money, None) => Some(0),
            (Stake::Chips(totals), Some(total)) => totals.iter().position(|known| *known == total),
            _ => None,
        };
        lane.ok_or_else(|| self.about.has_not(&self.folder, total))
    }

    /// What is needed at a position and after its moves, for every total; `None` where the game is over.
    ///
    /// # Errors
    /// [`Error::Storage`] for another game, and for layers that are missing or damaged.
    pub fn needs(&self, walk: &dyn Walk) -> Result<Option<Vec<Needs>>, Error> {
        self.lanes(walk, 0..self.layers.question().lanes())
    }

    /// The stones of a position of its game that is not over.
    fn stones(&self, walk: &dyn Walk) -> Result<Option<[u64; 2]>, Error> {
        if walk.game() != self.about.game {
            let what =
                format!("{} is a database of {}, not of {}", self.folder.display(), self.about.game, walk.game());
            return Err(Error::Storage { what });
        }
        Ok(walk.board::<LinePosition>().filter(|_| walk.end().is_none()).map(|at| at.stones))
    }

    fn lanes(&self, walk: &dyn Walk, lanes: Range<usize>) -> Result<Option<Vec<Needs>>, Error> {
        let Some(stones) = self.stones(walk)? else { return Ok(None) };
        let cells = moves(walk, stones)?;
        let layer = (stones[0] | stones[1]).count_ones();
        let question = self.layers.question();
        let positions =
            self.layers.shapes().iter().zip(0..).map(|(shapes, stones)| (shapes.len() as u64) << stones).sum();
        let one = |lane: usize| -> Result<Needs, Error> {
            let unreachable = [layer, layer + 1].map(|stones| question.unreachable(stones, lane));
            Needs::found(stones, &cells, unreachable, positions, |stones| self.pair(stones, lane))
        };
        lanes.map(one).collect::<Result<_, _>>().map(Some)
    }

    fn pair(&self, [alice, bob]: [u64; 2], lane: usize) -> Result<Pair, Error> {
        // Exchanging the players turns what Bob needs into what Alice needs.
        let unreachable = self.layers.question().unreachable((alice | bob).count_ones(), lane);
        let draw = unreachable.saturating_sub(self.number([bob, alice], lane)?);
        Ok(Pair { win: self.number([alice, bob], lane)?, draw })
    }

    fn number(&self, stones: [u64; 2], lane: usize) -> Result<u64, Error> {
        let layer = (stones[0] | stones[1]).count_ones();
        let file = self.file(layer)?;
        let at = self.layers.place(layer, stones, lane);
        let at = at.ok_or_else(|| Error::Storage { what: "these stones are no position of the board".to_string() })?;
        read_one(file, at as u64)
    }

    /// The file of the layer with so many stones.
    ///
    /// # Errors
    /// [`Error::Storage`] for a layer that is missing or damaged.
    pub fn file(&self, stones: u32) -> Result<&LayerFile, Error> {
        let place = &self.files[stones as usize];
        if let Some(file) = place.get() {
            return Ok(file);
        }
        let path = Database::layer(&self.folder, stones);
        if !path.exists() {
            let what = format!("{} is missing: `richman build` makes it", path.display());
            return Err(Error::Storage { what });
        }
        let file = open(&path, head(&self.layers, stones))?;
        Ok(place.get_or_init(|| file))
    }
}
