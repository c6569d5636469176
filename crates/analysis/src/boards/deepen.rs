//! Bounds on a board that is too large to solve, ever narrower as long as there is time, and gone on with later.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use richman_core::{Error as CoreError, LineBoard, Mechanism, Share, ShareBounds, Until, Walk};
use richman_formats::{MechanismJson, read_bounded, write_file};
use richman_solvers::Options;
use richman_solvers::layers::{Layers, ROUNDED_BITS, Stake};
use serde::{Deserialize, Serialize};

use super::bounds::{AfterBounds, Bounds, Interval, bounds};
use super::{STOP, solve};
use crate::money::{Choice, MoneyReport, Moves, Ratios, SureBids};
use crate::{BoundsJson, Error, ShareJson};

/// How narrow is enough, and where to go on.
#[derive(Debug, Clone, Default)]
pub struct Deepen {
    /// Bounds that are no wider than this share of the money are good enough.
    pub width: f64,
    /// A file with what was found before, which is gone on with, and where what is found is kept.
    pub file: Option<PathBuf>,
}

/// How far it went.
#[derive(Debug, Clone, Serialize)]
pub struct Deepened {
    /// What the position is worth.
    #[serde(flatten)]
    pub report: MoneyReport,
    /// After so many more stones lines told the rest.
    pub depth: u32,
}

/// What is kept in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    format: String,
    version: u64,
    game: String,
    position: String,
    depth: u32,
    positions: u64,
    here: [u64; 2],
    after: Vec<KeptMove>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptMove {
    name: String,
    alice: [u64; 2],
    bob: [u64; 2],
}

const FORMAT: &str = "richman bounds";
const VERSION: u64 = 1;
const ALL: u64 = 1 << ROUNDED_BITS;

/// Looks ever deeper, until the deadline; `None` where the game is over. With time enough for the whole board the answer is exact.
///
/// # Errors
/// Those of [`bounds`] where not even the first layer can be had, and of a file that cannot be used.
pub fn deepen(
    walk: &dyn Walk,
    board: &LineBoard,
    stones: [u64; 2],
    mechanism: &Mechanism,
    task: &Deepen,
    options: &Options,
) -> Result<Option<Deepened>, Error> {
    /// Positions of the last layer at first: some milliseconds.
    const FIRST: u64 = 1 << 14;
    let Some(rest) = board.after(stones) else { return Ok(None) };
    let depth_of = |positions: u64| Layers::bounds_depth(&rest, positions).0;
    let mut known: Option<(Bounds, u64)> = match &task.file {
        Some(path) => read(path, walk, rest.cells())?,
        None => None,
    };
    let why = 'deeper: loop {
        // What is known already is there in time; the first layers take none.
        let until = Until { watch: options.watch, deadline: options.deadline.filter(|_| known.is_some()) };
        let mut positions = known.as_ref().map_or(FIRST, |(_, positions)| positions.saturating_mul(2));
        while known.as_ref().is_some_and(|(found, _)| depth_of(positions) <= found.depth) {
            if positions == u64::MAX {
                break 'deeper "no layer more can be made";
            }
            positions = positions.saturating_mul(2);
        }
        if depth_of(positions) == rest.cells() {
            match solve(walk, board, stones, Stake::Money, &Options { watch: &until, ..*options }) {
                Ok(needs) => {
                    let needs = needs.and_then(|needs| needs.into_iter().next());
                    let report = needs.map(|needs| needs.money(walk, mechanism, STOP.to_string()));
                    return Ok(report.map(|report| Deepened { report, depth: rest.cells() }));
                }
                Err(error) => match (known.is_some(), reason(&error, options)) {
                    (true, Some(why)) => break why,
                    _ => return Err(error.into()),
                },
            }
        }
        let started = Instant::now();
        match bounds(walk, board, stones, positions, &Options { watch: &until, ..*options }) {
            Ok(None) => return Ok(None),
            Ok(Some(found)) => {
                let found = match &known {
                    Some((before, _)) => found.meet(before),
                    None => found,
                };
                if let Some(path) = &task.file {
                    write(path, walk, &found, positions)?;
                }
                let width = (found.here.high - found.here.low) as f64 / ALL as f64;
                known = Some((found, positions));
                // The next layer has two or three times as many positions, and is read more often.
                let next = Instant::now() + 4 * started.elapsed();
                if width <= task.width {
                    break "they are as narrow as was asked for";
                }
                if options.deadline.is_some_and(|deadline| next > deadline) {
                    break "the next layer would not be done in time";
                }
            }
            Err(error) => match (known.is_some(), reason(&error, options)) {
                (true, Some(why)) => break why,
                _ => return Err(error.into()),
            },
        }
    };
    Ok(known.map(|(found, positions)| {
        let depth = found.depth;
        let fair = rest.is_fair();
        Deepened { report: report(walk, mechanism, &found, fair, positions, why), depth }
    }))
}

/// Why what was found has to do, where an error does not make it worthless.
fn reason(error: &CoreError, options: &Options) -> Option<&'static str> {
    match error {
        CoreError::TooMuchMemory { .. } => Some("the next layer does not fit into the memory"),
        CoreError::Cancelled if !options.watch.cancelled() => Some("the time was up"),
        CoreError::Cancelled => Some("stopped"),
        _ => None,
    }
}

impl Bounds {
    /// What both know.
    fn meet(self, other: &Bounds) -> Bounds {
        let after =
            self.after.into_iter().map(|after| match other.after.iter().find(|known| known.name == after.name) {
                Some(known) => AfterBounds {
                    alice: after.alice.meet(known.alice),
                    bob: after.bob.meet(known.bob),
                    name: after.name,
                },
                None => after,
            });
        Bounds { after: after.collect(), here: self.here.meet(other.here), ..self }
    }
}

impl Interval {
    fn meet(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

fn report(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    found: &Bounds,
    fair: bool,
    positions: u64,
    why: &str,
) -> MoneyReport {
    let share = |parts: u64| Share::dyadic(parts, ROUNDED_BITS);
    // Where the players stand alike, not both can win with less than half of the money, and one of them wins or both draw with half of it.
    let half = ALL / 2;
    let win = Interval { low: if fair { found.here.low.max(half) } else { found.here.low }, ..found.here };
    let draw = Interval { high: if fair { found.here.high.min(half) } else { found.here.high }, ..found.here };
    let alice_high = found.after.iter().map(|after| after.alice.high).min().unwrap_or(ALL);
    let alice_low = found.after.iter().map(|after| after.alice.low).min().unwrap_or(0);
    let bob_low = found.after.iter().map(|after| after.bob.low).max().unwrap_or(0);
    let bob_high = found.after.iter().map(|after| after.bob.high).max().unwrap_or(ALL);
    let known = |of: fn(&AfterBounds) -> Interval| -> Vec<(&str, usize, u64, u64)> {
        let after = found.after.iter().enumerate();
        after.map(|(at, after)| (after.name.as_str(), at, of(after).low, of(after).high)).collect()
    };
    let moves = Moves::chosen([Choice::least(&known(|after| after.alice)), Choice::most(known(|after| after.bob))]);
    let half_of = |more: u64, less: u64| Share::half_difference(&share(more.max(less)), &share(less));
    let bid = BoundsJson(ShareBounds { low: half_of(bob_low, alice_high), high: half_of(bob_high, alice_low) });
    let sure = |more: u64, less: u64| ShareJson(share(more.saturating_sub(less)));
    MoneyReport {
        game: walk.game(),
        position: walk.notation(),
        mechanism: MechanismJson::from(mechanism),
        win: BoundsJson(win.shares()),
        draw: BoundsJson(draw.shares()),
        ratio: Ratios { win: None, draw: None },
        exact: win.low == win.high && draw.low == draw.high,
        truncated: None,
        bid: Some(bid.clone()),
        moves: moves.clone(),
        sure_bids: Some(SureBids {
            alice: sure(found.here.high, alice_high.min(bob_high)),
            bob: sure(bob_low.max(alice_low), found.here.low),
        }),
        zugzwang: alice_low > bob_high,
        draw_bid: Some(bid),
        draw_moves: moves,
        positions: usize::try_from(positions).unwrap_or(usize::MAX),
        exact_positions: 0,
        stop: format!("every position with up to {} more stones, and lines beyond; {why}", found.depth),
    }
}

fn read(path: &Path, walk: &dyn Walk, cells: u32) -> Result<Option<(Bounds, u64)>, Error> {
    const MOST_BYTES: u64 = 1 << 20;
    if !path.exists() {
        return Ok(None);
    }
    let refused = |what: String| Error::Core(CoreError::Storage { what: format!("{}: {what}", path.display()) });
    if !path.is_file() {
        return Err(refused("bounds are kept in a regular file: name one".to_string()));
    }
    let kept: Kept = serde_json::from_slice(&read_bounded(path, MOST_BYTES)?)
        .map_err(|error| refused(format!("these are no bounds: {error}")))?;
    if kept.format != FORMAT || kept.version != VERSION {
        return Err(refused(format!("these are no bounds of version {VERSION}")));
    }
    if kept.game != walk.game() || kept.position != walk.notation() {
        return Err(refused(format!("these are bounds of {} at {}: name another file", kept.game, kept.position)));
    }
    let interval = |[low, high]: [u64; 2]| (low <= high && high <= ALL).then_some(Interval { low, high });
    let after = |after: KeptMove| {
        Some(AfterBounds { name: after.name, alice: interval(after.alice)?, bob: interval(after.bob)? })
    };
    let found = interval(kept.here).zip(kept.after.into_iter().map(after).collect::<Option<Vec<_>>>());
    let (here, after) =
        found.filter(|_| kept.depth <= cells).ok_or_else(|| refused("these are no bounds".to_string()))?;
    Ok(Some((Bounds { here, after, depth: kept.depth, exact: kept.depth == cells }, kept.positions)))
}

/// Writes what was found, all of it or nothing.
fn write(path: &Path, walk: &dyn Walk, found: &Bounds, positions: u64) -> Result<(), Error> {
    let ends = |interval: Interval| [interval.low, interval.high];
    let after = found.after.iter();
    let kept = Kept {
        format: FORMAT.to_string(),
        version: VERSION,
        game: walk.game(),
        position: walk.notation(),
        depth: found.depth,
        positions,
        here: ends(found.here),
        after: after
            .map(|after| KeptMove { name: after.name.clone(), alice: ends(after.alice), bob: ends(after.bob) })
            .collect(),
    };
    let failed = |error: std::io::Error| {
        Error::Core(CoreError::Storage { what: format!("cannot write {}: {error}", path.display()) })
    };
    let text = serde_json::to_string_pretty(&kept).map_err(|error| failed(error.into()))?;
    write_file(path, |out| writeln!(out, "{text}")).map_err(failed)
}
