//! The files of a database of chess endgames: names, heads, writing and reading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use richman_core::{
    BuildStep, ByPlayer, DatabaseRecipe, Effort, Error, LayerSink, NumberSlice, Player, RecipeStake, Remedy, Share,
    StoredLayer,
};
use richman_files::{LayerFile, LayerHead, LayerWriter, cannot};
use richman_formats::{Building, Database, DatabaseStake};

use super::{USUAL, index};
use crate::board::{ChessClass, ChessIndex};
use crate::engine::endgames::{
    ClassChances, ExactClasses, FIXED_POINT_UNIT, MOST_EXACT_PIECES, Tables, needed, oriented,
};

const LONGEST_SHARE: usize = 1 << 16;

/// The name of a class's file.
pub fn name(class: &ChessClass, part: &str) -> String {
    format!("{class}{part}.rml")
}

/// The path of a class's file. `part` is empty for bounds, else `-exact`, `-shares`, or a total
/// such as `-20-chips`.
pub fn path(folder: &Path, class: &ChessClass, part: &str) -> PathBuf {
    folder.join(name(class, part))
}

/// The names of all files of some classes.
pub fn names<'a>(classes: impl IntoIterator<Item = &'a ChessClass>) -> Vec<String> {
    classes.into_iter().flat_map(|class| parts(class).iter().map(|part| name(class, part))).collect()
}

pub(super) fn parts(class: &ChessClass) -> &'static [&'static str] {
    // Bounds come last, so that a class with them is complete.
    if class.pieces() <= MOST_EXACT_PIECES { &["-shares", "-exact", ""] } else { &[""] }
}

/// The content in a file's header: the part, and a digit in base 8 for each piece.
pub(super) fn layer(class: &ChessClass, part: &str) -> u32 {
    let part = match part {
        "" => 0,
        "-exact" => 1,
        "-shares" => 2,
        _ => 3,
    };
    let pieces = Player::BOTH.into_iter().flat_map(|player| class.of(player));
    pieces.fold(part, |digits, &piece| 8 * digits + piece as u32 + 1)
}

pub(super) fn head(index: &ChessIndex, part: &str, lanes: u32) -> LayerHead {
    LayerHead { layer: layer(index.class(), part), lanes, width: 8, count: u64::from(lanes) * index.size() }
}

/// Writes a file and lists it.
pub(super) fn write(into: &mut Building, name: &str, head: LayerHead, numbers: NumberSlice<'_>) -> Result<(), Error> {
    let mut writer = LayerWriter::create(&into.path(name), head)?;
    writer.take(numbers)?;
    into.keep(name, writer.finish()?)
}

/// Writes the bounds of a class, with all numbers of a position together.
///
/// # Errors
/// [`Error::Storage`].
pub fn write_bounds(into: &mut Building, chances: &ClassChances) -> Result<(), Error> {
    let lanes = chances.lanes();
    let rows = (0..chances.index.size() as usize).flat_map(|rank| lanes.iter().map(move |lane| lane[rank]));
    let head = head(&chances.index, "", lanes.len() as u32);
    write(into, &name(chances.index.class(), ""), head, NumberSlice::Eight(&rows.collect::<Vec<_>>()))
}

/// Writes the exact thresholds of a class: every share once, and the offsets of each position's
/// shares.
pub(super) fn write_exact(into: &mut Building, class: &ChessClass, exact: &ExactClasses) -> Result<(), Error> {
    let Some((index, first)) = exact.classes.get(class) else { return Ok(()) };
    let thresholds = |rank: u64| index.unrank(rank).and_then(|_| exact.thresholds(first + rank as u32));
    let mut offsets: BTreeMap<Share, u64> = BTreeMap::new();
    offsets.extend((0..index.size()).filter_map(thresholds).flatten().map(|share| (share, 0)));
    let mut text = String::new();
    for (share, offset) in &mut offsets {
        *offset = text.len() as u64;
        text.push_str(&share.to_string());
        text.push('\n');
    }
    let offset = |share: Share| offsets.get(&share).copied().unwrap_or(0);
    let numbers: Vec<u64> =
        (0..index.size()).flat_map(|rank| thresholds(rank).map_or([0, 0], |both| both.map(offset))).collect();
    let shares = LayerHead { layer: layer(class, "-shares"), lanes: 1, width: 1, count: text.len() as u64 };
    write(into, &name(class, "-shares"), shares, NumberSlice::One(text.as_bytes()))?;
    write(into, &name(class, "-exact"), head(index, "-exact", 2), NumberSlice::Eight(&numbers))
}

/// Opens a file of a class.
///
/// # Errors
/// [`Error::Missing`]; [`Error::Storage`] if it is damaged or from another database;
/// [`Error::Unsupported`] if the class has no numbering.
pub fn open(folder: &Path, class: &ChessClass, part: &str) -> Result<LayerFile, Error> {
    let index = index(class)?;
    let fits = |found| match part {
        "-shares" => LayerHead { count: 0, ..found } == LayerHead { count: 0, width: 1, ..head(&index, part, 1) },
        "-exact" => found == head(&index, part, 2),
        _ => [2, 4].into_iter().any(|lanes| found == head(&index, part, lanes)),
    };
    open_file(&path(folder, class, part), &recipe(class, RecipeStake::Money), fits)
}

/// How the database of a class is built.
pub(crate) fn recipe(class: &ChessClass, stake: RecipeStake) -> DatabaseRecipe {
    DatabaseRecipe::of(format!("chess:pieces={class}"), stake)
}

pub(super) fn missing(path: &Path, recipe: &DatabaseRecipe) -> Error {
    let remedies = vec![Remedy::Build(BuildStep::Complete, recipe.clone())];
    Error::Missing { what: format!("{} is missing", path.display()), remedies }
}

/// The files that a database must have: all of the classes with any listed file, and of the classes
/// that these can become. If the database lists no files, those in the folder count as listed.
///
/// # Errors
/// [`Error::Storage`] if the folder cannot be read.
pub fn expected(folder: &Path, about: &Database) -> Result<BTreeSet<String>, Error> {
    let there: BTreeSet<String> = match &about.files {
        Some(files) => files.keys().cloned().collect(),
        None => {
            let failed = |error| cannot("read", folder, &error);
            let entries = std::fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
            entries.into_iter().filter_map(|entry| entry.file_name().into_string().ok()).collect()
        }
    };
    let found = |part: &str| -> BTreeSet<ChessClass> { classes(&there, part).iter().flat_map(needed).collect() };
    Ok(match &about.stake {
        DatabaseStake::Bounds(_) => BTreeSet::new(), // there is none
        DatabaseStake::Money => {
            let found: BTreeSet<ChessClass> = ["", "-exact", "-shares"].into_iter().flat_map(found).collect();
            names(&found).into_iter().collect()
        }
        DatabaseStake::Chips(totals) => {
            let parts: Vec<String> = totals.iter().map(|total| super::chips::part(*total)).collect();
            let found: BTreeSet<ChessClass> = parts.iter().flat_map(|part| found(part)).collect();
            let few = found.iter().filter(|class| class.pieces() <= MOST_EXACT_PIECES);
            few.flat_map(|class| parts.iter().map(move |part| name(class, part))).collect()
        }
    })
}

pub(super) fn open_file(
    path: &Path,
    recipe: &DatabaseRecipe,
    fits: impl Fn(LayerHead) -> bool,
) -> Result<LayerFile, Error> {
    if !path.exists() {
        return Err(missing(path, recipe));
    }
    let file = LayerFile::open(path)?;
    if !fits(file.head()) {
        let what = format!("{} is a file of another database: delete it and build again", path.display());
        return Err(Error::Storage { what });
    }
    Ok(file)
}

/// The classes with a file of this part among these, spelled and oriented as stored.
pub(super) fn classes<'a>(files: impl IntoIterator<Item = &'a String>, part: &str) -> Vec<ChessClass> {
    let mut classes = Vec::new();
    for file in files {
        let Some(found) = file.strip_suffix(".rml").and_then(|file| file.strip_suffix(part)) else { continue };
        let is_kept = |class: &ChessClass| class.to_string() == found && oriented(class).0 == *class;
        let class = ChessClass::parse(found, USUAL.into()).filter(is_kept);
        classes.extend(class.filter(|class| index(class).is_ok()));
    }
    classes.sort_by_key(|class| (class.pieces(), class.pawns(), class.clone()));
    classes
}

/// The error for a folder without any class.
pub fn no_class(folder: &Path, stake: RecipeStake) -> Error {
    let recipe = DatabaseRecipe::of("chess:pieces=KQK", stake);
    let remedies = vec![Remedy::Build(BuildStep::Begin, recipe)];
    Error::Missing { what: format!("{} holds no class", folder.display()), remedies }
}

/// `count` numbers of a file from the number `from` on.
///
/// # Errors
/// [`Error::Storage`] if the file is damaged.
pub fn numbers(file: &LayerFile, from: u64, count: u64) -> Result<Vec<u64>, Error> {
    let mut bytes = Vec::new();
    file.read(from, count as usize, &mut bytes)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
}

/// Reads the bounds of a class; `known` tables are already in memory.
///
/// # Errors
/// [`Error::Storage`] if the file is missing, damaged or has chances above certainty;
/// [`Error::Unsupported`] if the class has no numbering; [`Error::TooMuchMemory`];
/// [`Error::Cancelled`].
pub fn read(folder: &Path, class: &ChessClass, known: &Tables, effort: &Effort) -> Result<ClassChances, Error> {
    const ROWS: u64 = 1 << 16;
    let (index, file) = (index(class)?, open(folder, class, "")?);
    let count = u64::from(file.head().lanes);
    let rows = ROWS.min(index.size());
    effort.check_memory("reading the class", known.bytes() + 8 * count * (index.size() + rows))?;
    let mut lanes = vec![Vec::with_capacity(index.size() as usize); count as usize];
    for row in (0..index.size()).step_by(ROWS as usize) {
        effort.check_cancelled()?;
        let rows = numbers(&file, count * row, count * ROWS.min(index.size() - row))?;
        for row in rows.chunks_exact(count as usize) {
            if row.iter().any(|&chance| chance > FIXED_POINT_UNIT) {
                let what = format!("{} says more than certainty: build it again", path(folder, class, "").display());
                return Err(Error::Storage { what });
            }
            lanes.iter_mut().zip(row).for_each(|(lane, &chance)| lane.push(chance));
        }
    }
    let holds = (lanes.len() > 2).then(|| lanes.split_off(2));
    let pair = |lanes: Vec<Vec<u64>>| ByPlayer::from(<[Vec<u64>; 2]>::try_from(lanes).unwrap_or_default());
    Ok(ClassChances { index, chances: pair(lanes), holds: holds.map(pair) })
}

/// The share at an offset of the text.
///
/// # Errors
/// [`Error::NotAShare`]; [`Error::Storage`] if the file is damaged.
pub fn share_at(file: &LayerFile, offset: u64) -> Result<Share, Error> {
    let mut text = Vec::new();
    let mut from = offset;
    while !text.contains(&b'\n') && from < file.len() && text.len() < LONGEST_SHARE {
        let count = (file.len() - from).min(512);
        file.read(from, count as usize, &mut text)?;
        from += count;
    }
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    std::str::from_utf8(line).unwrap_or_default().parse()
}
