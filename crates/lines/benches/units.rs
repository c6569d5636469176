//! Solving a board in units beside solving it by layers: `cargo bench -p richman-lines --bench
//! units`.
//!
//! Without arguments, 4 x 5 and 5 x 5 are solved by layers, and in units of several cuts, with
//! packed results in memory as they would be in a store. Both must find the same need at the start.
//! `-- 5x5 1,1,1,1,1 4194304` solves one board in units of about that many positions. `-- first 6x6
//! 2,2,2,2,2,2` solves the first unit alone, which reads nothing. Prints units, bytes, and the time
//! in seconds of a core.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use richman_core::Effort;
use richman_files::PackedFrames;
use richman_lines::engine::units::{ComputedUnits, UnitCut, UnitFault, UnitId, UnitSource};
use richman_lines::engine::{BoardQuestion, BoardStake, Layers};

mod common;
use common::{board, process_time};

#[derive(Default)]
struct MemoryUnits(Mutex<HashMap<UnitId, Arc<PackedFrames>>>);

impl UnitSource for MemoryUnits {
    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault> {
        let missing = || UnitFault::Lost { unit: unit.clone(), what: format!("{unit} is missing") };
        self.0.lock().expect("no panic").get(unit).map(Arc::clone).ok_or_else(missing)
    }
}

fn effort() -> Effort<'static> {
    Effort { memory: 20 << 30, ..Effort::default() }
}

fn by_layers(question: &BoardQuestion) -> u64 {
    let (start, core) = (Instant::now(), process_time());
    let mut layers = Layers::new(question.clone(), effort()).expect("fits");
    while layers.step().expect("not cancelled").is_some() {}
    let need = layers.need([0, 0], 0).expect("in memory").expect("the start");
    println!("layers: {need}, {:.2} s, {:.2} s of a core", start.elapsed().as_secs_f64(), process_time() - core);
    need
}

fn by_units(question: &BoardQuestion, depth: &[u32], aim: u64, only_first: bool) -> u64 {
    let (start, core) = (Instant::now(), process_time());
    let cut = UnitCut::new(question.clone(), depth.to_vec(), aim).expect("columns");
    let source = MemoryUnits::default();
    let (mut units, mut positions, mut read, mut written, mut packed, mut memory) = (0, 0, 0, 0, 0, 0);
    for unit in cut.units().take(if only_first { 1 } else { usize::MAX }) {
        let cost = cut.cost(&unit);
        let bytes = cut.solve(&unit, &source, &effort()).expect("solved");
        units += 1;
        positions += cost.positions;
        read += cost.read;
        written += cost.written;
        packed += bytes.len();
        memory = memory.max(cost.memory);
        source.0.lock().expect("no panic").insert(unit, Arc::new(PackedFrames::parse(bytes).expect("frames")));
    }
    let mb = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "{depth:?}, units of {aim}: {units} units, {:.1} M positions, {:.2} s, {:.2} s of a core",
        mb(positions),
        start.elapsed().as_secs_f64(),
        process_time() - core,
    );
    println!(
        "    MB read {:.1}, written {:.1}, packed {:.1}, in memory at most {:.1}",
        mb(read),
        mb(written),
        mb(packed as u64),
        mb(memory)
    );
    if only_first { 0 } else { cut.need([0, 0], 0, &source, &ComputedUnits::default(), &effort()).expect("the start") }
}

fn question(size: &str) -> BoardQuestion {
    let (rows, cols) = size.split_once('x').expect("rows and columns");
    let board = board(rows.parse().expect("rows"), cols.parse().expect("columns"));
    BoardQuestion { board, stake: BoardStake::Money }
}

fn depth(text: &str) -> Vec<u32> {
    text.split(',').map(|depth| depth.parse().expect("a depth")).collect()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            for (size, cuts) in [("4x5", ["0,0,0,0,0", "1,1,1,1,1"]), ("5x5", ["1,1,1,1,1", "2,2,2,2,2"])] {
                let question = question(size);
                let need = by_layers(&question);
                for cut in cuts {
                    assert_eq!(by_units(&question, &depth(cut), 1 << 25, false), need, "{size} cut at {cut}");
                }
            }
        }
        ["first", size, cut] => {
            by_units(&question(size), &depth(cut), 1, true);
        }
        [size, cut, aim] => {
            let need = by_units(&question(size), &depth(cut), aim.parse().expect("positions"), false);
            println!("{need} parts of all");
        }
        _ => panic!("see the top of the file"),
    }
}
