//! Proofs of a database's classes of pieces from the files alone, class by class, so that they take
//! no more memory than building them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use richman_check::endgames::{ChanceClaim, EndgameFault, arena, check_bounds, class_arena};
use richman_check::verify::{Flaw, PartClaim, money_part};
use richman_chess::board::{ChessBoard, ChessClass, ChessIndex};
use richman_chess::engine::database::chips::ChipEndgames;
use richman_chess::engine::database::files::{no_class, numbers, open, path, read, share_at};
use richman_chess::engine::database::{ClassDatabases, Endgames, index};
use richman_chess::engine::endgames::{MOST_EXACT_PIECES, Tables, needed, oriented};
use richman_core::{Arena, ByPlayer, Effort, Error as CoreError, Overall, RecipeStake, Share, StoredLayer, Walk};
use richman_files::{LayerFile, ObjectStore};

use super::{DatabaseEntry, ProvedPart, chip_classes};
use crate::{Error, ShareJson};

/// Databases of classes.
pub(super) const ENTRY: DatabaseEntry = DatabaseEntry { kind: &ClassDatabases, prove };

/// Proves every class in the folder and every class that it can become.
fn prove(
    store: &Arc<dyn ObjectStore>,
    _: &dyn Walk,
    effort: &Effort,
    proved: &mut Vec<ProvedPart>,
) -> Result<Option<String>, Error> {
    let folder = richman_files::folder(store.as_ref())?;
    if let Some(database) = ChipEndgames::open(folder)? {
        return chip_classes::prove(folder, &database, effort, proved);
    }
    let database = Endgames::open(folder)?;
    let classes = database.as_ref().map_or(Ok(Vec::new()), Endgames::classes)?;
    if classes.is_empty() {
        return Err(no_class(folder, RecipeStake::Money).into());
    }
    let mut tables = Tables::default();
    let mut total = 0;
    for class in &classes {
        // Alice's numbers and Bob's are checked together.
        total += open(folder, class, "")?.len() / 2;
    }
    let mut done = 0;
    for class in &classes {
        // Memory holds only the class and the classes it can become.
        let needed = needed(class);
        tables.retain(|known| needed.contains(known));
        for smaller in needed.iter().filter(|smaller| *smaller != class) {
            if !tables.has(smaller) {
                let chances = read(folder, smaller, &tables, effort)?;
                tables.insert(chances);
            }
        }
        let chances = read(folder, class, &tables, effort)?;
        let mut check = |claim: ChanceClaim, claimed: &ByPlayer<Vec<u64>>| {
            let known = |board: &ChessBoard| match claim {
                ChanceClaim::Wins => tables.chances(board),
                ChanceClaim::Holds => tables.holds(board),
            };
            let watch = Overall { watch: effort.watch, before: done.into(), all: total };
            done += chances.index.size();
            check_bounds(&chances.index, claim, claimed.as_ref().map(Vec::as_slice), &known, &watch)
        };
        let mut fault = check(ChanceClaim::Wins, &chances.chances)?;
        if let (None, Some(holds)) = (&fault, &chances.holds) {
            fault = check(ChanceClaim::Holds, holds)?;
        }
        if let Some(EndgameFault { position, what }) = fault {
            return Ok(Some(format!("{}: {position}: {what}", path(folder, class, "").display())));
        }
        let exact = class.pieces() <= MOST_EXACT_PIECES;
        let width = if exact { Share::ZERO } else { Share::dyadic(chances.width(), 62) };
        tables.insert(chances);
        if exact {
            let effort = Effort { held: effort.held + tables.bytes(), ..*effort };
            let wrong = prove_exact(folder, class, &effort)?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
        proved.push(ProvedPart { class: class.to_string(), exact, width: ShareJson(width) });
    }
    Ok(None)
}

/// Proves the exact thresholds of a class from those of the classes it can become.
fn prove_exact(folder: &Path, class: &ChessClass, effort: &Effort) -> Result<Option<String>, Error> {
    const BYTES: u64 = 500;
    let index = index(class)?;
    effort.check_memory("proving the class", BYTES * index.size())?;
    let (arena, others) = class_arena(&index, effort.watch)?;
    let known = (arena.len() - others.len()) as u32;
    let mut told = ListedThresholds { folder, files: BTreeMap::new(), shares: Vec::new(), numbers: HashMap::new() };
    let [none, all] = [Share::ZERO, Share::ONE].map(|share| told.keep(share));
    let (mut win, mut draw) = (vec![none, all], vec![none, all]);
    let rows = numbers(&open(folder, class, "-exact")?, 0, 2 * index.size())?;
    for (rank, row) in (0..).zip(rows.as_chunks::<2>().0) {
        // A rank without a position counts as a draw.
        let is_position = index.unrank(rank).is_some();
        win.push(if is_position { told.share(class, row[0], false)? } else { all });
        draw.push(if is_position { told.share(class, row[1], false)? } else { none });
    }
    for board in &others {
        effort.check_cancelled()?;
        let (class, exchanged) = oriented(&ChessClass::of_board(board));
        let [to_win, to_draw] = told.row(&class, &if exchanged { board.exchanged() } else { *board })?;
        // For the other player, the thresholds to win and to draw are exchanged.
        let (to_win, to_draw) = if exchanged { (to_draw, to_win) } else { (to_win, to_draw) };
        win.push(told.share(&class, to_win, exchanged)?);
        draw.push(told.share(&class, to_draw, exchanged)?);
    }
    let claim = PartClaim { shares: &told.shares, win: &win, draw: &draw, known };
    let proof = money_part(&arena, &claim, effort.watch);
    wrong(&[index], proof, |class| path(folder, class, "-exact"))
}

/// Exact thresholds from the files, each kept once.
struct ListedThresholds<'a> {
    folder: &'a Path,
    files: BTreeMap<ChessClass, ExactFiles>,
    shares: Vec<Share>,
    /// The number of the share at an offset in a class's text, or of one minus that share.
    numbers: HashMap<(ChessClass, u64, bool), u32>,
}

struct ExactFiles {
    index: ChessIndex,
    rows: LayerFile,
    text: LayerFile,
}

impl ListedThresholds<'_> {
    fn keep(&mut self, share: Share) -> u32 {
        self.shares.push(share);
        self.shares.len() as u32 - 1
    }

    fn files(&mut self, class: &ChessClass) -> Result<&ExactFiles, Error> {
        if !self.files.contains_key(class) {
            let [rows, text] = [open(self.folder, class, "-exact")?, open(self.folder, class, "-shares")?];
            self.files.insert(class.clone(), ExactFiles { index: index(class)?, rows, text });
        }
        Ok(&self.files[class])
    }

    /// The offsets of a position's thresholds in its class's text.
    fn row(&mut self, class: &ChessClass, board: &ChessBoard) -> Result<[u64; 2], Error> {
        let files = self.files(class)?;
        let row = numbers(&files.rows, 2 * files.index.rank(board), 2)?;
        Ok([row[0], row[1]])
    }

    fn share(&mut self, class: &ChessClass, offset: u64, exchanged: bool) -> Result<u32, Error> {
        let key = (class.clone(), offset, exchanged);
        if let Some(&known) = self.numbers.get(&key) {
            return Ok(known);
        }
        let share = share_at(&self.files(class)?.text, offset).map_err(|error| match error {
            CoreError::NotAShare { .. } => {
                let file = path(self.folder, class, "-shares");
                CoreError::Storage { what: format!("{}: no share stands at byte {offset}", file.display()) }
            }
            error => error,
        })?;
        let number = self.keep(if exchanged { share.complement() } else { share });
        self.numbers.insert(key, number);
        Ok(number)
    }
}

/// Describes the first error that a proof found, with its file and position.
pub(super) fn wrong(
    indices: &[ChessIndex],
    proof: Result<(), Flaw>,
    file: impl Fn(&ChessClass) -> PathBuf,
) -> Result<Option<String>, Error> {
    let (node, what) = match proof {
        Ok(()) => return Ok(None),
        Err(Flaw::Stopped) => return Err(CoreError::Cancelled.into()),
        Err(Flaw::At { node, what }) => (node, what),
        Err(flaw) => return Ok(Some(flaw.to_string())),
    };
    let mut rest = u64::from(node).saturating_sub(2);
    for index in indices {
        if rest < index.size() {
            let position = index.unrank(rest).map_or_else(|| format!("number {rest}"), |board| board.notation());
            return Ok(Some(format!("{}: {position}: {what}", file(index.class()).display())));
        }
        rest -= index.size();
    }
    Ok(Some(what))
}

/// The arena of some classes by the square-by-square rules, if memory suffices for it and for a
/// proof with `bytes` bytes a number.
pub(super) fn prepare(indices: &[ChessIndex], bytes: u64, effort: &Effort) -> Result<Arena, CoreError> {
    let positions: u64 = indices.iter().map(ChessIndex::positions).sum();
    effort.check_memory("proving the classes", bytes * positions)?;
    arena(&indices.iter().collect::<Vec<_>>(), effort.watch)
}
