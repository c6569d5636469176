//! Databases: every layer of a board on disk, built and looked up.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use richman_core::{Effort, Error, Mechanism, Overall, Total, Walk};
use richman_files::{LayerFile, LayerHead, LayerWriter};
use richman_formats::database::{BuildOrder, DatabaseKind, ReportRow, size, time};
use richman_formats::{Building, Database, DatabaseStake};
use serde::Serialize;

use super::needs::{PositionNeeds, SPEED, board, moves};
use super::{BoardPlan, BoardQuestion, BoardStake, LayerValues, Layers, read_one};
use crate::board::{LineBoard, LinePosition};

/// The cost of a database, known before anything is computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuildPlan {
    /// The game with its parameters.
    pub game: String,
    /// Fillings of the board, including those after the end of a game.
    pub positions: String,
    /// Bytes of the largest two adjacent layers. With less memory, layers are read from disk.
    pub memory: String,
    /// Estimated bytes of the database: a tenth of the numbers.
    pub disk: String,
    /// Estimated seconds on two cores.
    pub seconds: u64,
    #[serde(skip)]
    bytes: u128,
    #[serde(skip)]
    fillings: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct LayerReport {
    stones: u32,
    /// Including those after the end of a game.
    positions: u64,
    /// Those not computed one by one; null for a layer that already existed.
    decided: Option<u64>,
    bytes: u64,
}

/// Databases of layers.
pub struct LayerDatabases;

impl DatabaseKind for LayerDatabases {
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
            "{}: {} fillings of the board; about {} on two cores, {} on the disk, and {} of memory \
             (with less, layers are read from the disk)\n",
            plan.game,
            plan.positions,
            time(plan.seconds),
            size(&plan.disk),
            size(&plan.memory)
        );
        Ok(ReportRow::new(&plan, words))
    }

    /// Keeps existing layers. Reports the size at the end.
    ///
    /// # Errors
    /// [`Error::Storage`] if files cannot be written or read, or the folder is of another game;
    /// [`Error::TooMuchDisk`]; [`Error::TooMuchMemory`]; [`Error::Cancelled`], which leaves
    /// complete layers in place.
    fn build(&self, order: &BuildOrder, each: &mut dyn FnMut(ReportRow)) -> Result<String, Error> {
        let question = question(order.start, stake(order))?;
        let plan = plan(order.start, stake(order))?;
        if plan.bytes > u128::from(order.disk) {
            let needed = u64::try_from(plan.bytes).unwrap_or(u64::MAX);
            return Err(Error::TooMuchDisk { what: "a database", needed, limit: order.disk });
        }
        let chips = |totals: &[Total]| DatabaseStake::Chips(totals.iter().map(|total| total.chips()).collect());
        let about = Database::new(order.start.game(), order.totals.map_or(DatabaseStake::Money, chips));
        let mut building = Building::begin(order.folder, about, names(&question))?;
        let overall = Overall { watch: order.effort.watch, before: AtomicU64::new(0), all: plan.fillings };
        let mut layers = Layers::new(question, Effort { watch: &overall, ..order.effort })?;
        let (mut all, mut used) = (0, 0_u64);
        while let Some(stones) = layers.next() {
            let name = Database::layer_name(stones);
            let path = building.path(&name);
            let head = head(&layers, stones);
            let decided = if building.has(&name)? {
                layers.go_on(stones, LayerValues::Stored(Box::new(open(&path, head)?)));
                None
            } else {
                let mut writer = LayerWriter::create(&path, head)?;
                let bytes = head.count * u64::from(head.width);
                let kept = match layers.last() {
                    Some((_, LayerValues::Kept(numbers))) => {
                        numbers.len() as u64 * layers.question().width(stones + 1) as u64
                    }
                    _ => 0,
                };
                let keep = bytes.saturating_add(kept) <= order.effort.memory;
                let computed = if keep { layers.step(&mut writer)? } else { layers.stream(&mut writer)? };
                building.keep(&name, writer.finish()?)?;
                if !keep {
                    layers.go_on(stones, LayerValues::Stored(Box::new(open(&path, head)?)));
                }
                computed.map(|computed| computed.decided)
            };
            let bytes = std::fs::metadata(&path).map_or(0, |about| about.len());
            used = used.saturating_add(bytes);
            let positions = head.count / u64::from(head.lanes);
            overall.before.fetch_add(positions, Ordering::Relaxed);
            all += positions;
            let how = decided.map_or("was there".to_string(), |decided| format!("{decided} of them decided at once"));
            let words = format!("{stones:>3} stones: {positions:>12} positions, {how}; {}\n", size(bytes));
            each(ReportRow::new(&LayerReport { stones, positions, decided, bytes }, words));
            if used > order.disk && stones > 0 {
                return Err(Error::TooMuchDisk { what: "a database", needed: used, limit: order.disk });
            }
        }
        Ok(format!("{all} positions in {}: {}\n", order.folder.display(), size(used)))
    }

    fn files(&self, _: &Path, start: &dyn Walk) -> Result<Vec<String>, Error> {
        Ok(names(&question(start, BoardStake::Money)?).collect())
    }
}

fn stake(order: &BuildOrder) -> BoardStake {
    order.totals.map_or(BoardStake::Money, |totals| BoardStake::Chips(totals.to_vec()))
}

fn names(question: &BoardQuestion) -> impl Iterator<Item = String> + use<> {
    (0..=question.board.cells()).map(Database::layer_name)
}

/// Checks that a database is of the walk's game.
fn check_game(about: &Database, folder: &Path, walk: &dyn Walk) -> Result<(), Error> {
    if walk.game() == about.game {
        return Ok(());
    }
    let what = format!("{} is a database of {}, not of {}", folder.display(), about.game, walk.game());
    Err(Error::Storage { what })
}

fn question(start: &dyn Walk, stake: BoardStake) -> Result<BoardQuestion, Error> {
    let chips = matches!(stake, BoardStake::Chips(_));
    let Some(LinePosition { board, .. }) = board(start, &Mechanism::default(), chips) else {
        let what = format!("a database of {}", start.game());
        return Err(Error::unsupported(what, LayerDatabases.games()));
    };
    Ok(BoardQuestion { board, stake })
}

/// Estimates the cost of a database.
///
/// # Errors
/// [`Error::Unsupported`] for games that are not boards of lines; [`Error::TooLarge`] if the sets
/// of filled cells cannot be counted.
pub fn plan(start: &dyn Walk, stake: BoardStake) -> Result<BuildPlan, Error> {
    /// Compression leaves a fifth of a layer where few games are finished, and a thirtieth where
    /// most are.
    const PACKED: u128 = 10;
    let question = question(start, stake)?;
    let plan = BoardPlan::of(&question)?;
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

/// A database open for queries.
pub struct Answers {
    folder: PathBuf,
    about: Database,
    layers: Layers<'static>,
    files: Vec<OnceLock<LayerFile>>,
}

impl Answers {
    /// Opens the database in a folder; `walk` is at any position of its game.
    ///
    /// # Errors
    /// [`Error::Storage`] if the folder is not a database or is of another game;
    /// [`Error::Unsupported`] for games that are not boards of lines.
    pub fn open(folder: &Path, walk: &dyn Walk) -> Result<Answers, Error> {
        let about = Database::open(folder)?;
        check_game(&about, folder, walk)?; // the board of another game may be a large one
        let stake = match &about.stake {
            DatabaseStake::Money => BoardStake::Money,
            DatabaseStake::Chips(totals) => {
                BoardStake::Chips(totals.iter().map(|chips| Total::new(u64::from(*chips))).collect::<Result<_, _>>()?)
            }
        };
        let layers = Layers::new(question(walk, stake)?, Effort::default())?;
        let files = (0..layers.shapes().len()).map(|_| OnceLock::new()).collect();
        Ok(Answers { folder: folder.to_path_buf(), about, layers, files })
    }

    /// The stake it was computed for.
    pub fn stake(&self) -> &BoardStake {
        &self.layers.question().stake
    }

    /// The board.
    pub fn board(&self) -> &LineBoard {
        &self.layers.question().board
    }

    /// The number of layers.
    pub fn layers(&self) -> u32 {
        self.layers.shapes().len() as u32
    }

    /// The needs at a position and after every move, with a total or real money; `None` if the game
    /// is over.
    ///
    /// # Errors
    /// [`Error::Storage`] for another game, a stake that the database lacks, or layers that are
    /// missing or damaged.
    pub fn needs(&self, walk: &dyn Walk, total: Option<Total>) -> Result<Option<PositionNeeds>, Error> {
        let lane = match (self.stake(), total) {
            (BoardStake::Money, None) => Some(0),
            (BoardStake::Chips(totals), Some(total)) => totals.iter().position(|known| *known == total),
            _ => None,
        };
        let lane = lane.ok_or_else(|| self.about.has_not(&self.folder, total))?;
        check_game(&self.about, &self.folder, walk)?;
        let at = walk.board::<LinePosition>().filter(|_| walk.end().is_none());
        let Some(LinePosition { stones, .. }) = at else { return Ok(None) };
        let positions =
            self.layers.shapes().iter().zip(0..).map(|(shapes, stones)| (shapes.len() as u64) << stones).sum();
        let cells = moves(walk, stones);
        // On an empty board exchanging the players changes nothing.
        let number = |stones: [u64; 2]| self.number(stones, lane);
        PositionNeeds::found(self.layers.question(), lane, stones, &cells, positions, [&number, &number]).map(Some)
    }

    fn number(&self, stones: [u64; 2], lane: usize) -> Result<u64, Error> {
        let layer = (stones[0] | stones[1]).count_ones();
        let file = self.file(layer)?;
        let at = self.layers.place(layer, stones, lane);
        let at =
            at.ok_or_else(|| Error::Storage { what: "these stones are not a position of the board".to_string() })?;
        read_one(file, at as u64)
    }

    /// The file of the layer with this many stones.
    ///
    /// # Errors
    /// [`Error::Storage`] if the layer is missing or damaged.
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
