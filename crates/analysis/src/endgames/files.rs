//! The files of a database of chess endgames: their names and heads, what is written, and what is read of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use richman_core::{ChessClass, ChessIndex, Error as CoreError, LayerSink, Player, Share, Slice, StoredLayer};
use richman_formats::{LayerFile, LayerHead, LayerWriter};
use richman_solvers::Options;
use richman_solvers::endgames::{Chances, Exact, FEW, ONE, Tables, oriented};

use super::{USUAL, index};
use crate::Error;

/// Longest text of a share that is believed.
const LONGEST_SHARE: usize = 1 << 16;

pub(super) fn path(folder: &Path, class: &ChessClass, part: &str) -> PathBuf {
    folder.join(format!("{class}{part}.rml"))
}

/// The files that a class has.
pub(super) fn parts(class: &ChessClass) -> &'static [&'static str] {
    // The bounds come last, so that a class with them is complete.
    if class.pieces() <= FEW { &["-shares", "-exact", ""] } else { &[""] }
}

/// What a file says it is of: the part, and a digit of 8 for each piece.
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

pub(super) fn write(path: &Path, head: LayerHead, numbers: &[u64]) -> Result<(), Error> {
    let mut writer = LayerWriter::create(path, head)?;
    writer.take(Slice::Eight(numbers))?;
    writer.finish()?;
    Ok(())
}

/// Writes what players can count on: all numbers of a position beside each other.
pub(super) fn write_bounds(folder: &Path, chances: &Chances) -> Result<(), Error> {
    let lanes = chances.lanes();
    let rows = (0..chances.index.size() as usize).flat_map(|rank| lanes.iter().map(move |lane| lane[rank]));
    let head = head(&chances.index, "", lanes.len() as u32);
    write(&path(folder, chances.index.class(), ""), head, &rows.collect::<Vec<_>>())
}

/// Writes the exact thresholds of a class: every share once, and where it stands.
pub(super) fn write_exact(folder: &Path, class: &ChessClass, exact: &Exact) -> Result<(), Error> {
    let Some((index, first)) = exact.classes.get(class) else { return Ok(()) };
    let thresholds = |rank: u64| index.unrank(rank).and_then(|_| exact.thresholds(first + rank as u32));
    let mut places: BTreeMap<Share, u64> = BTreeMap::new();
    places.extend((0..index.size()).filter_map(thresholds).flatten().map(|share| (share, 0)));
    let mut text = String::new();
    for (share, place) in &mut places {
        *place = text.len() as u64;
        text.push_str(&share.to_string());
        text.push('\n');
    }
    let place = |share: Share| places.get(&share).copied().unwrap_or(0);
    let numbers: Vec<u64> =
        (0..index.size()).flat_map(|rank| thresholds(rank).map_or([0, 0], |both| both.map(place))).collect();
    let shares = LayerHead { layer: layer(class, "-shares"), lanes: 1, width: 1, count: text.len() as u64 };
    let mut writer = LayerWriter::create(&path(folder, class, "-shares"), shares)?;
    writer.take(Slice::One(text.as_bytes()))?;
    writer.finish()?;
    write(&path(folder, class, "-exact"), head(index, "-exact", 2), &numbers)
}

pub(super) fn open(folder: &Path, class: &ChessClass, part: &str) -> Result<LayerFile, Error> {
    let index = index(class)?;
    let fits = |found| match part {
        "-shares" => LayerHead { count: 0, ..found } == LayerHead { count: 0, width: 1, ..head(&index, part, 1) },
        "-exact" => found == head(&index, part, 2),
        _ => [2, 4].into_iter().any(|lanes| found == head(&index, part, lanes)),
    };
    open_file(&path(folder, class, part), &format!("richman build chess:pieces={class} --out FOLDER"), fits)
}

pub(super) fn open_file(path: &Path, command: &str, fits: impl Fn(LayerHead) -> bool) -> Result<LayerFile, Error> {
    if !path.exists() {
        let what = format!("{} is missing: `{command}` makes it", path.display());
        return Err(CoreError::Storage { what }.into());
    }
    let file = LayerFile::open(path)?;
    if !fits(file.head()) {
        let what = format!("{} is a file of another database: delete it and build again", path.display());
        return Err(CoreError::Storage { what }.into());
    }
    Ok(file)
}

/// The classes that have a file of this name behind their own in a folder, each spelled and oriented as it is kept.
pub(super) fn classes(folder: &Path, name: &str) -> Result<Vec<ChessClass>, Error> {
    let failed = |error| Error::Core(CoreError::Storage { what: format!("cannot read {}: {error}", folder.display()) });
    let mut classes = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let found = entry.map_err(failed)?.file_name();
        let Some(found) = found.to_str().and_then(|found| found.strip_suffix(name)) else { continue };
        let is_kept = |class: &ChessClass| class.to_string() == found && oriented(class).0 == *class;
        let class = ChessClass::parse(found, USUAL.into()).filter(is_kept);
        classes.extend(class.filter(|class| index(class).is_ok()));
    }
    classes.sort_by_key(|class| (class.pieces(), class.pawns(), class.clone()));
    Ok(classes)
}

pub(super) fn no_class(folder: &Path, flags: &str) -> Error {
    let folder = folder.display();
    let what = format!("{folder} holds no class: `richman build chess:pieces=KQK --out FOLDER{flags}` makes some");
    CoreError::Storage { what }.into()
}

pub(super) fn numbers(file: &LayerFile, from: u64, count: u64) -> Result<Vec<u64>, Error> {
    let mut bytes = Vec::new();
    file.read(from, count as usize, &mut bytes)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
}

/// All of a class, beside what is known already.
pub(super) fn read(folder: &Path, class: &ChessClass, known: &Tables, options: &Options) -> Result<Chances, Error> {
    const ROWS: u64 = 1 << 16;
    let (index, file) = (index(class)?, open(folder, class, "")?);
    let count = u64::from(file.head().lanes);
    options.check_memory("reading the class", known.bytes() + 8 * count * (index.size() + ROWS))?;
    let mut lanes = vec![Vec::with_capacity(index.size() as usize); count as usize];
    for row in (0..index.size()).step_by(ROWS as usize) {
        options.check_cancelled()?;
        let rows = numbers(&file, count * row, count * ROWS.min(index.size() - row))?;
        for row in rows.chunks_exact(count as usize) {
            if row.iter().any(|&chance| chance > ONE) {
                let what = format!("{} says more than certainty: build it again", path(folder, class, "").display());
                return Err(CoreError::Storage { what }.into());
            }
            lanes.iter_mut().zip(row).for_each(|(lane, &chance)| lane.push(chance));
        }
    }
    let holds = (lanes.len() > 2).then(|| lanes.split_off(2));
    let pair = |lanes: Vec<Vec<u64>>| <[Vec<u64>; 2]>::try_from(lanes).unwrap_or_default();
    Ok(Chances { index, chances: pair(lanes), holds: holds.map(pair) })
}

/// The shares of a text with the places where they stand, to be held beside other things.
pub(super) fn shares(file: &LayerFile, options: &Options) -> Result<BTreeMap<u64, Share>, Error> {
    // A share takes less than its text, and a line at least a few bytes.
    const BYTES_OF_A_BYTE: u64 = 32;
    options.check_memory("the shares of the class", BYTES_OF_A_BYTE * file.len())?;
    let mut text = Vec::new();
    file.read(0, file.len() as usize, &mut text)?;
    let mut shares = BTreeMap::new();
    let mut place = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        options.check_cancelled()?;
        let share = if line.len() <= LONGEST_SHARE { std::str::from_utf8(line.trim_ascii_end()).ok() } else { None };
        shares.extend(share.and_then(|share| Some((place, share.parse().ok()?))));
        place += line.len() as u64;
    }
    Ok(shares)
}

/// The share that stands at a place of the text.
pub(super) fn share_at(file: &LayerFile, place: u64) -> Result<Share, Error> {
    let mut text = Vec::new();
    let mut from = place;
    while !text.contains(&b'\n') && from < file.len() && text.len() < LONGEST_SHARE {
        let count = (file.len() - from).min(512);
        file.read(from, count as usize, &mut text)?;
        from += count;
    }
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(std::str::from_utf8(line).unwrap_or_default().parse()?)
}
