//! Ways to cut a board into units that can be solved apart: `cargo bench -p richman-lines --bench
//! cuts`.
//!
//! Without arguments, prints the cost of every cut of the boards that matter, by counting, and
//! solves 4 x 4 by each of them; all needs must agree with those of the layers. `-- check 4x5`
//! does so on another board. `-- time 5x5 1 4194304 20 ways...` solves a board with one thread by
//! each of the ways, with tasks of about 4194304 positions and chunks of 2^20 bytes, and prints
//! bytes, tasks and times:
//!
//! - `layers`: all layers in memory, as the engine solves boards;
//! - `layer-files`: tasks of blocks, or parts of blocks, of one layer, in files;
//! - depths such as `5,5,0,0,0`: a unit has the same stones on so many lowest cells of each column;
//!   after `:`, `m` keeps units in memory, `f` in files, `a` in files with frames that none reads,
//!   and `1` solves one of the largest units only.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use richman_core::Effort;
use richman_lines::engine::{BoardQuestion, BoardStake, Layers, MemorySink};

mod board {
    pub use crate::boards::*;
    pub use richman_lines::board::LineBoard;
}
#[path = "cuts/board.rs"]
mod boards;
#[path = "cuts/layers.rs"]
mod layers;
#[path = "cuts/plan.rs"]
mod plan;
mod shapes {
    pub use richman_lines::engine::gather;
}
#[path = "cuts/store.rs"]
mod store;
// The engine keeps it private, and this bench uses a part of it.
#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../src/engine/sweep.rs"]
mod sweep;
#[path = "cuts/unit.rs"]
mod unit;

use board::Size;
use layers::ByLayers;
use store::{Counts, Store, process_time};
use unit::{Cut, compare};

fn reference(size: Size, keep: bool) -> (u64, Layers<'static>) {
    let question = BoardQuestion { board: size.natural(), stake: BoardStake::Money };
    let mut layers = Layers::new(question, Effort { memory: 20 << 30, ..Effort::default() }).expect("fits");
    if keep {
        layers.keep(size.cells());
    }
    while layers.step(&mut MemorySink).expect("not cancelled").is_some() {}
    (layers.need([0, 0], 0).expect("in memory").expect("the start"), layers)
}

fn cut(size: Size, depth: &[usize], aim: u64, all: bool) -> Cut {
    Cut { size, depth: depth.to_vec(), classes: boards::classes(size, depth), aim, all }
}

/// The cuts that are compared: one, two or three columns at the edge or in the middle; rows.
fn depths(size: Size) -> Vec<Vec<usize>> {
    let Size { rows, cols } = size;
    let columns = |first: usize, count: usize| -> Vec<usize> {
        (0..cols).map(|col| if (first..first + count).contains(&col) { rows } else { 0 }).collect()
    };
    let mut found = vec![columns(0, 1), columns(0, 2), columns(0, 3), columns((cols - 1) / 2, 1)];
    found.push(columns((cols - 2) / 2, 2));
    found.push(columns((cols - 3) / 2, 3));
    found.extend((1..=3).map(|rows| vec![rows; cols]));
    found.push((0..cols).map(|col| col % (rows + 1)).collect());
    found
}

fn check(size: Size) {
    let (need, layers) = reference(size, true);
    let known = |stones| layers.need(stones, 0).expect("in memory").expect("a position");
    let folder = std::env::temp_dir().join(format!("richman-cuts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for depth in depths(size) {
        for (aim, files, all) in [(1, false, true), (1 << 12, true, true), (1 << 12, true, false)] {
            let cut = cut(size, &depth, aim, all);
            let store = Store::new(files.then_some(&folder), 1 << 13);
            let compared = AtomicU64::new(0);
            let found = cut.solve(&store, &|class, first, bits, frames| {
                compared.fetch_add(compare(class, first, bits, frames, &known), Ordering::Relaxed);
            });
            store.forget(|_| true);
            assert_eq!(found, need, "{depth:?}");
            println!("{} x {} cut at {depth:?}: {compared:?} needs as by layers", size.rows, size.cols);
        }
    }
    let by_layers = ByLayers::new(size, 10, &folder, 1 << 13);
    assert_eq!(by_layers.solve(), need);
    std::fs::remove_dir_all(&folder).expect("the folder");
}

fn report(way: &str, size: Size, need: u64, wall: f64, cpu: f64, counts: Option<&Counts>) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("").trim();
    println!("{way}: {need} / 2^{}, {wall:.2} s, {cpu:.2} s of a core, at most {peak} so far", size.cells());
    let Some(counts) = counts else { return };
    let get = Counts::get;
    let mb = |from: &AtomicU64| get(from) as f64 / 1e6;
    println!(
        "    tasks {}, positions {:.1} M, decided {:.1} M, reads {}",
        get(&counts.tasks),
        mb(&counts.positions),
        mb(&counts.decided),
        get(&counts.files_read)
    );
    println!(
        "    MB written {:.1} packed {:.1}, read {:.1} packed {:.1}; seconds packing {:.2}, unpacking {:.2}",
        mb(&counts.written),
        mb(&counts.packed_written),
        mb(&counts.read),
        mb(&counts.packed_read),
        get(&counts.packing) as f64 / 1e9,
        get(&counts.unpacking) as f64 / 1e9
    );
}

fn time(size: Size, aim: u64, chunk: usize, ways: &[String]) {
    let folder = std::env::temp_dir().join(format!("richman-cuts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for way in ways {
        let (start, before) = (Instant::now(), process_time());
        let spent = || (start.elapsed().as_secs_f64(), process_time() - before);
        match (way.as_str(), way.split_once(':')) {
            ("layers", _) => {
                let (need, _) = reference(size, false);
                let (wall, cpu) = spent();
                report(way, size, need, wall, cpu, None);
            }
            ("layer-files", _) => {
                let by_layers = ByLayers::new(size, aim.ilog2(), &folder, chunk);
                let need = by_layers.solve();
                let (wall, cpu) = spent();
                report(way, size, need, wall, cpu, Some(&by_layers.counts));
                println!("    MB asked {:.1}", Counts::get(&by_layers.asked) as f64 / 1e6);
            }
            (_, Some((depth, kind))) => {
                let depth: Vec<usize> = depth.split(',').map(|depth| depth.parse().expect("a depth")).collect();
                let cut = cut(size, &depth, aim, kind == "a");
                let store = Store::new((kind != "m").then_some(&folder), chunk);
                let need = match kind {
                    "1" => cut.largest(&store).1,
                    _ => cut.solve(&store, &|_, _, _, _| ()),
                };
                let (wall, cpu) = spent();
                report(way, size, need, wall, cpu, Some(&store.counts));
            }
            _ => panic!("an unknown way {way}"),
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let size = |word: &String| {
        let (rows, cols) = word.split_once('x').expect("rows and columns");
        Size { rows: rows.parse().expect("rows"), cols: cols.parse().expect("columns") }
    };
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            plan::print();
            check(Size { rows: 4, cols: 4 });
        }
        ["plan"] => plan::print(),
        ["check", _] => check(size(&words[1])),
        ["time", _, threads, aim, chunk, ..] => {
            let threads = threads.parse().expect("threads");
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");
            let chunk = 1 << chunk.parse::<u32>().expect("the bits of a chunk");
            time(size(&words[1]), aim.parse().expect("positions"), chunk, &words[5..]);
        }
        _ => panic!("see the top of the file"),
    }
}
