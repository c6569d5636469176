//! Graphs from arrays: the moves of each player as compressed sparse rows, in buffers of Python.
//!
//! The arrays are read once, number by number, because a program may change them later. Positions
//! are their numbers: without names nothing is stored for them, and no object is made.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use richman::core::{
    BuiltMove, ByPlayer, Error as CoreError, Game as _, Graph, GraphBuilder, NodeData, PerfectIndex, Player,
    PositionKind, Terminal, Watch,
};

use crate::error::{Error, Fault};
use crate::work::{self, Worker};

/// How positions end, in the order of their numbers in the array of winners.
const ENDS: [Option<Terminal>; 4] =
    [None, Some(Terminal::Win(Player::Alice)), Some(Terminal::Win(Player::Bob)), Some(Terminal::Draw)];

pub type Row<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The arrays of a graph as views of buffers, and what else makes a game of them.
#[derive(FromPyObject)]
pub struct Arrays<'py> {
    name: String,
    description: Option<String>,
    start: u32,
    /// `indptr` and `targets` of both players, or of Alice and of Bob.
    rows: Vec<Row<'py>>,
    winners: Bound<'py, PyAny>,
    /// A list of str.
    names: Option<Bound<'py, PyAny>>,
    memory: u64,
}

/// The moves of a player.
struct Rows {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

/// The graph of arrays.
///
/// # Errors
/// Names the array and the place of the first number that is wrong, before more memory is taken
/// than `memory`.
pub fn graph(py: Python<'_>, arrays: &Bound<'_, PyAny>) -> PyResult<Graph> {
    let Arrays { name, description, start, rows, winners, names, memory } = arrays.extract()?;
    let wrong = |what: String| Error::new_err(format!("{name}: {what}"));
    let positions = winners.len()?;
    for (indptr, _) in &rows {
        let given = indptr.len()?;
        if given != positions + 1 {
            let what = format!("indptr has {given} numbers and winners {positions}: give one more in indptr");
            return Err(wrong(what));
        }
    }
    let targets = rows.iter().map(|(_, targets)| targets.len()).sum::<PyResult<usize>>()?;
    let moves = targets * 2 / rows.len().max(1);
    check_size(positions, targets, moves, memory).map_err(&wrong)?;
    if start as usize >= positions {
        return Err(wrong(format!("start is {start}: give the number of a position, below {positions}")));
    }
    let winners = numbers(py, "winners", &winners, 3).map_err(&wrong)?;
    let rows: Vec<Rows> = rows.iter().map(|row| read(py, row, positions)).collect::<Result<_, _>>().map_err(&wrong)?;
    let builder = match names {
        None => GraphBuilder::numbered(positions as u32, moves),
        Some(names) => named(&names, positions).map_err(&wrong)?,
    };
    work::done(py, None, None, move |worker| {
        let graph = built(builder, &winners, &rows, worker)?;
        let first = graph.text(start).into_owned();
        let graph = graph.build(&name, &first).map_err(|error| Fault::because(format!("{name}: {error}")))?;
        Ok(graph.described(description))
    })
}

/// Refuses arrays before anything is allocated for them.
fn check_size(positions: usize, targets: usize, moves: usize, limit: u64) -> Result<(), String> {
    /// The bytes of a position in the graph and while it is built, and of a number.
    const POSITION: u64 = 40;
    const NUMBER: u64 = size_of::<u32>() as u64;
    let most = u32::MAX as usize;
    if positions == 0 {
        return Err("there are no positions: give at least one".to_string());
    }
    if positions >= most || moves >= most {
        return Err(format!("there are {positions} positions and {moves} moves: give fewer than {most} of each"));
    }
    let needed = positions as u64 * POSITION + (targets + moves) as u64 * NUMBER;
    if needed > limit {
        return Err(CoreError::TooMuchMemory { what: "the graph", needed, limit }.to_string());
    }
    Ok(())
}

fn read(py: Python<'_>, (indptr, targets): &Row<'_>, positions: usize) -> Result<Rows, String> {
    let targets = numbers(py, "targets", targets, positions as u32 - 1)?;
    let starts = numbers(py, "indptr", indptr, targets.len() as u32)?;
    if let Some(at) = (1..starts.len()).find(|&at| starts[at] < starts[at - 1]) {
        let (now, before) = (starts[at], starts[at - 1]);
        return Err(format!("indptr[{at}] is {now} after {before}: it must not decrease"));
    }
    let ends = [starts[0], starts[positions]];
    if ends != [0, targets.len() as u32] {
        let [first, last] = ends;
        return Err(format!("indptr goes from {first} to {last}: it must go from 0 to {}", targets.len()));
    }
    Ok(Rows { starts, targets })
}

/// The numbers of a view of whole numbers in native order, of which none may be above `most`.
fn numbers(py: Python<'_>, what: &str, view: &Bound<'_, PyAny>, most: u32) -> Result<Vec<u32>, String> {
    macro_rules! of_type {
        ($($number:ty)*) => {
            $(if let Ok(buffer) = PyBuffer::<$number>::get(view) { return checked(py, what, &buffer, most); })*
        };
    }
    of_type!(i8 u8 i16 u16 i32 u32 i64 u64);
    Err(format!("{what} is not aligned in memory: give a copy of it"))
}

fn checked<T: Element + Into<i128>>(
    py: Python<'_>,
    what: &str,
    buffer: &PyBuffer<T>,
    most: u32,
) -> Result<Vec<u32>, String> {
    if buffer.item_count() == 0 {
        return Ok(Vec::new());
    }
    let cells = buffer.as_slice(py).ok_or_else(|| format!("{what} is not contiguous: give a copy that is"))?;
    let number = |(at, cell): (usize, &pyo3::buffer::ReadOnlyCell<T>)| {
        let number: i128 = cell.get().into();
        let fits = u32::try_from(number).ok().filter(|&number| number <= most);
        fits.ok_or_else(|| format!("{what}[{at}] is {number}: give a number from 0 to {most}"))
    };
    cells.iter().enumerate().map(number).collect()
}

/// A builder that knows the names of all positions.
fn named(names: &Bound<'_, PyAny>, positions: usize) -> Result<GraphBuilder, String> {
    let mut builder = GraphBuilder::default();
    let mut given = 0;
    for name in names.try_iter().map_err(|error| error.to_string())? {
        let name = name.map_err(|error| error.to_string())?;
        let text = name.cast::<PyString>().ok().and_then(|text| text.to_cow().ok());
        let text = text.ok_or_else(|| format!("names[{given}] is no text that can be written: give a str"))?;
        if given < positions && builder.name(&text) as usize != given {
            return Err(format!("names[{given}] is {text:?} again: give every position a name of its own"));
        }
        given += 1;
    }
    if given != positions {
        return Err(format!("there are {given} names for {positions} positions: give one for each"));
    }
    Ok(builder)
}

fn built(mut builder: GraphBuilder, winners: &[u32], rows: &[Rows], worker: &Worker) -> Result<GraphBuilder, Fault> {
    let mut lists = [Vec::new(), Vec::new()];
    // The last position from which a player moved here: moves that are given twice are one.
    let mut last = [vec![u32::MAX; winners.len()], vec![u32::MAX; winners.len()]];
    for (at, &winner) in winners.iter().enumerate() {
        if at.is_multiple_of(1 << 12) && worker.cancelled() {
            return Err(Fault::Stopped);
        }
        // One player's rows twice, or each player's own.
        let name = at as u32;
        let data = ENDS[winner as usize].map_or(NodeData::On(PositionKind::Bid), NodeData::End);
        for ((list, last), rows) in lists.iter_mut().zip(&mut last).zip(rows.iter().cycle()) {
            let targets = &rows.targets[rows.starts[at] as usize..rows.starts[at + 1] as usize];
            let first = |&&to: &&u32| std::mem::replace(&mut last[to as usize], name) != name;
            list.clear();
            list.extend(targets.iter().filter(first).map(|&to| BuiltMove::from(to)));
        }
        let [alice, bob] = lists.each_ref().map(|list| list.iter().copied());
        builder.position(name, data, ByPlayer::new(alice, bob));
    }
    Ok(builder)
}

/// Rows, winners and names.
pub type Given<'py> = (Vec<Row<'py>>, Bound<'py, PyAny>, Option<Vec<String>>);

/// The arrays from which [`graph`] makes a graph again.
pub fn given<'py>(py: Python<'py>, graph: &Graph) -> PyResult<Given<'py>> {
    let array = py.import("array")?.getattr("array")?;
    let array = |letter: &str, bytes: &[u8]| array.call1((letter, PyBytes::new(py, bytes)));
    let positions = || 0..graph.size() as u32;
    let mut rows = Vec::new();
    for player in Player::BOTH {
        let (mut moves, mut starts) = (Vec::new(), vec![0]);
        for at in positions() {
            graph.moves(&at, player, &mut moves);
            starts.push(moves.len() as u32);
        }
        let bytes = |list: Vec<u32>| list.into_iter().flat_map(u32::to_ne_bytes).collect::<Vec<u8>>();
        let [starts, moves] = [starts, moves].map(bytes);
        rows.push((array("I", &starts)?, array("I", &moves)?));
    }
    let end = |at| ENDS.iter().position(|&end| end == graph.terminal(&at)).unwrap_or_default() as u8;
    let winners = array("B", &positions().map(end).collect::<Vec<u8>>())?;
    let names: Vec<String> = positions().map(|at| graph.notation(&at)).collect();
    let is_numbered = names.iter().zip(positions()).all(|(name, at)| *name == at.to_string());
    Ok((rows, winners, (!is_numbered).then_some(names)))
}
