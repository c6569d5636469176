//! Bounds for boards too large to solve. They narrow while there is time and can be resumed later.

use std::path::Path;

use richman_core::{Effort, Error, Instant, Share, TimedWatch, Walk};
use richman_engine::{Evaluation, Origin, ProvedBounds, Value, unverified};
use richman_files::{cannot, read_bounded};
use richman_formats::{BOUNDS_FORMAT, FormatError, MOST_BOUNDS_BYTES};
use serde::{Deserialize, Serialize};

use super::bounds::{NeedBounds, bounds};
use super::needs::{MoveNeeds, NeedPair, see};
use super::{Layers, ROUNDED_BITS};
use crate::board::LinePosition;

/// The file of bounds to resume from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoundsFile {
    format: String,
    version: u64,
    game: String,
    position: String,
    depth: u32,
    positions: u64,
    here: NeedPair,
    after: Vec<MoveNeeds>,
}

const VERSION: u64 = 1;
const ALL: u64 = 1 << ROUNDED_BITS;
/// Positions to start from: some milliseconds.
const FIRST: u64 = 1 << 14;

/// Searches deeper and deeper until the deadline, or until the bounds are at most `enough` of the
/// money apart. Resumes from `file` and saves its results there. `None` if the game is over. With
/// time for the whole board, the answer is exact.
///
/// # Errors
/// [`Error::TooMuchMemory`] or [`Error::Cancelled`] before the first bounds; [`Error::Storage`] if
/// the file is unusable or of another game or position.
pub fn deepen(walk: &dyn Walk, enough: f64, file: Option<&Path>, effort: &Effort) -> Result<Option<Evaluation>, Error> {
    let Some(rest) = walk.board().and_then(|at: LinePosition| at.rest()) else { return Ok(None) };
    let depth_of = |positions: u64| Layers::bounds_depth(&rest, positions).0;
    let known = file.map(|path| read(path, walk, (rest.cells(), rest.is_fair()))).transpose()?;
    let mut known: Option<(NeedBounds, u64)> = known.flatten();
    let begun = file.filter(|_| known.is_some());
    let why = 'deeper: loop {
        // The deadline applies once bounds are known. The first layers take almost no time.
        let until = TimedWatch { watch: effort.watch, deadline: effort.deadline.filter(|_| known.is_some()) };
        let mut positions = known.as_ref().map_or(FIRST, |(_, positions)| positions.saturating_mul(2));
        while known.as_ref().is_some_and(|(found, _)| depth_of(positions) <= found.depth) {
            if positions == u64::MAX {
                break 'deeper "no further layer can be made";
            }
            positions = positions.saturating_mul(2);
        }
        if depth_of(positions) == rest.cells() {
            match see(walk, None, &Effort { watch: &until, ..*effort }) {
                Ok(seen) => return Ok(seen),
                Err(error) => match (known.is_some(), reason(&error, effort)) {
                    (true, Some(why)) => break why,
                    _ => return Err(error),
                },
            }
        }
        let started = Instant::now();
        match bounds(walk, positions, &Effort { watch: &until, ..*effort }) {
            Ok(None) => return Ok(None),
            Ok(Some(found)) => {
                let found = match &known {
                    Some((before, _)) => found.meet(before),
                    None => found,
                };
                if let Some(path) = begun {
                    check(&found, rest.is_fair(), &[path])?;
                }
                if let Some(path) = file {
                    write(path, walk, &found, positions)?;
                }
                let width = (found.here.win - found.here.draw) as f64 / ALL as f64;
                known = Some((found, positions));
                // The next layer has two or three times as many positions, which are read more
                // often.
                let next = Instant::now() + 4 * started.elapsed();
                if width <= enough {
                    break "they are as narrow as was asked for";
                }
                if effort.deadline.is_some_and(|deadline| next > deadline) {
                    break "the next layer would not be done in time";
                }
            }
            Err(error) => match (known.is_some(), reason(&error, effort)) {
                (true, Some(why)) => break why,
                _ => return Err(error),
            },
        }
    };
    let why = match begun {
        Some(path) => unverified(format_args!("{why}; begun with the bounds in {}", path.display()), path),
        None => why.to_string(),
    };
    Ok(known.map(|(found, positions)| evaluation(&found, rest.is_fair(), positions, &why)))
}

/// Proves the bounds in a file by a new search to the depth that it states. `None` if the game is
/// over.
///
/// # Errors
/// [`Error::Storage`] if the file is unusable or of another game or position;
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub(super) fn prove(walk: &dyn Walk, file: &Path, effort: &Effort) -> Result<Option<ProvedBounds>, Error> {
    let Some(rest) = walk.board().and_then(|at: LinePosition| at.rest()) else { return Ok(None) };
    let Some((claimed, _)) = read(file, walk, (rest.cells(), rest.is_fair()))? else {
        return Err(Error::Storage { what: format!("{}: there is no such file", file.display()) });
    };
    let (mut proved, mut depths): (Option<NeedBounds>, u32) = (None, 0);
    let mut positions = FIRST;
    while depths < claimed.depth || proved.is_none() {
        let (depth, _) = Layers::bounds_depth(&rest, positions);
        if proved.is_none() || depth > depths {
            let Some(found) = bounds(walk, positions, effort)? else { return Ok(None) };
            depths = depth;
            proved = Some(match proved {
                Some(before) => found.meet(&before),
                None => found,
            });
        }
        if positions == u64::MAX {
            break;
        }
        positions = positions.saturating_mul(2);
    }
    let Some(proved) = proved else { return Ok(None) };
    let here = (walk.notation(), claimed.here, Some(proved.here));
    let after = claimed.after.iter().flat_map(|after| {
        let found = proved.after.iter().find(|found| found.name == after.name);
        [
            (format!("Alice's move {}", after.name), after.alice, found.map(|found| found.alice)),
            (format!("Bob's move {}", after.name), after.bob, found.map(|found| found.bob)),
        ]
    });
    let claims: Vec<(String, NeedPair, Option<NeedPair>)> = [here].into_iter().chain(after).collect();
    let is_proved = |claim: NeedPair, found: NeedPair| claim.draw <= found.draw && claim.win >= found.win;
    let wrong = claims.iter().find(|(_, claim, found)| !found.is_some_and(|found| is_proved(*claim, found)));
    let wrong = wrong.map(|(at, claim, _)| {
        let share = |parts: u64| Share::dyadic(parts, ROUNDED_BITS);
        format!(
            "{at}: bounds {} and {} do not follow from looking {depths} stones ahead",
            share(claim.draw),
            share(claim.win)
        )
    });
    let exact_positions = claims.iter().filter(|(_, claim, _)| claim.draw == claim.win).count();
    Ok(Some(ProvedBounds { positions: claims.len(), exact_positions, wrong }))
}

/// Refuses bounds that contradict each other, or known facts about a fair position. The bounds from
/// `places` are among them.
fn check(found: &NeedBounds, is_fair: bool, places: &[&Path]) -> Result<(), Error> {
    let mut pairs = found.after.iter().flat_map(|after| [after.alice, after.bob]).chain([found.here]);
    let half = ALL / 2;
    let is_possible = !is_fair || (found.here.win >= half && found.here.draw <= half);
    if is_possible && pairs.all(|pair| pair.draw <= pair.win) {
        return Ok(());
    }
    let names: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
    let names = names.join(" and ");
    Err(Error::Storage { what: format!("{names}: bounds contradict each other: verify them, or begin anew") })
}

/// Joins bounds of the database in `folder` with those in `file`, and saves them there. `None` if
/// the game is over.
///
/// # Errors
/// [`Error::Storage`] if the file is unusable or of another game or position.
#[cfg(feature = "files")]
pub(super) fn join(
    walk: &dyn Walk,
    found: NeedBounds,
    positions: u64,
    file: Option<&Path>,
    folder: &Path,
) -> Result<Option<Evaluation>, Error> {
    let Some(rest) = walk.board().and_then(|at: LinePosition| at.rest()) else { return Ok(None) };
    let known = file.map(|path| read(path, walk, (rest.cells(), rest.is_fair()))).transpose()?.flatten();
    let (mut found, mut positions, mut why, mut places) =
        (found, positions, richman_engine::from_folder(folder), vec![folder]);
    if let (Some(path), Some((before, kept))) = (file, known) {
        (found, positions) = (found.meet(&before), positions.max(kept));
        why = unverified(format_args!("{why}; and the bounds in {}", path.display()), path);
        places.push(path);
    }
    check(&found, rest.is_fair(), &places)?;
    if let Some(path) = file {
        write(path, walk, &found, positions)?;
    }
    Ok(Some(evaluation(&found, rest.is_fair(), positions, &why)))
}

/// The reason to stop with the bounds so far, if the error does not invalidate them.
fn reason(error: &Error, effort: &Effort) -> Option<&'static str> {
    match error {
        Error::TooMuchMemory { .. } => Some("the next layer does not fit into the memory"),
        Error::Cancelled if !effort.watch.cancelled() => Some("the time was up"),
        Error::Cancelled => Some("stopped"),
        _ => None,
    }
}

impl NeedBounds {
    /// The tighter of both bounds everywhere.
    fn meet(self, other: &NeedBounds) -> NeedBounds {
        let meet = |a: NeedPair, b: NeedPair| NeedPair { win: a.win.min(b.win), draw: a.draw.max(b.draw) };
        let mut after = self.after;
        for after in &mut after {
            if let Some(known) = other.after.iter().find(|known| known.name == after.name) {
                (after.alice, after.bob) = (meet(after.alice, known.alice), meet(after.bob, known.bob));
            }
        }
        NeedBounds { after, here: meet(self.here, other.here), depth: self.depth.max(other.depth) }
    }
}

/// The answer from the bounds; `is_fair` if exchanging the players changes nothing.
fn evaluation(found: &NeedBounds, is_fair: bool, positions: u64, why: &str) -> Evaluation {
    let how = format!("every position with up to {} more stones, and lines beyond; {why}", found.depth);
    let depth = Some(found.depth.into());
    let evaluation = found.evaluation(Origin { exact_positions: Some(0), depth, ..Origin::exact(how, positions) });
    // In a fair position nobody wins with less than half of the money, because then both could. So
    // the win threshold is at least a half, the draw threshold at most.
    let half = if is_fair { ALL / 2 } else { 0 };
    let win = NeedPair { draw: found.here.draw.max(half), ..found.here };
    let draw = NeedPair { win: found.here.win.min(ALL - half), ..found.here };
    Evaluation { here: Value::Money { win: win.shares(), draw: draw.shares() }, ..evaluation }
}

fn read(path: &Path, walk: &dyn Walk, (cells, is_fair): (u32, bool)) -> Result<Option<(NeedBounds, u64)>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let refused = |what: String| Error::Storage { what: format!("{}: {what}", path.display()) };
    let unreadable = |error| Error::Storage {
        what: FormatError::Unreadable { file: path.display().to_string(), error }.to_string(),
    };
    if !path.is_file() {
        return Err(refused("bounds are kept in a regular file: name one".to_string()));
    }
    let kept: BoundsFile = serde_json::from_slice(&read_bounded(path, MOST_BOUNDS_BYTES).map_err(unreadable)?)
        .map_err(|error| refused(format!("this is not a file of bounds: {error}")))?;
    if kept.format != BOUNDS_FORMAT || kept.version != VERSION {
        return Err(refused(format!("this is not a file of bounds of version {VERSION}")));
    }
    if kept.game != walk.game() || kept.position != walk.notation() {
        return Err(refused(format!("these are bounds of {} at {}: name another file", kept.game, kept.position)));
    }
    let BoundsFile { here, after, depth, positions, .. } = kept;
    let mut pairs = after.iter().flat_map(|after| [after.alice, after.bob]).chain([here]);
    if depth > cells || !pairs.all(|pair| pair.draw <= ALL && pair.win <= ALL) {
        return Err(refused("its bounds are out of range".to_string()));
    }
    let bounds = NeedBounds { here, after, depth };
    check(&bounds, is_fair, &[path])?;
    Ok(Some((bounds, positions)))
}

/// Writes the bounds, all or nothing.
fn write(path: &Path, walk: &dyn Walk, found: &NeedBounds, positions: u64) -> Result<(), Error> {
    let kept = BoundsFile {
        format: BOUNDS_FORMAT.to_string(),
        version: VERSION,
        game: walk.game(),
        position: walk.notation(),
        depth: found.depth,
        positions,
        here: found.here,
        after: found.after.clone(),
    };
    let failed = |error: std::io::Error| cannot("write", path, &error);
    let text = serde_json::to_string_pretty(&kept).map_err(|error| failed(error.into()))?;
    write_text(path, &text).map_err(failed)
}

#[cfg(feature = "files")]
fn write_text(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    richman_files::write_file(path, |out| writeln!(out, "{text}"))
}

/// Without a file that is complete or absent nothing is written.
#[cfg(not(feature = "files"))]
fn write_text(_: &Path, _: &str) -> std::io::Result<()> {
    Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "this program was built without the feature files"))
}
