//! Predicts the time for machines that compute the units of a database together.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::fmt::Write;

use richman_core::counted;
use richman_formats::database::{KeptUnits, Machines, size};
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::stays;
use crate::engine::units::{UnitCost, UnitCut, UnitId};

/// Positions that a core computes in a second, for each total; measured on 5 x 5.
const POSITIONS: f64 = 600e6;
/// Bytes of numbers that a core unpacks or packs in a second.
const BYTES: f64 = 350e6;
/// Further seconds for each unit, for handing it out and writing its file.
const EACH: f64 = 0.004;

/// The seconds that a unit takes on one core, without waiting for its files.
pub fn core_seconds(cost: &UnitCost, lanes: usize) -> f64 {
    cost.positions as f64 * lanes as f64 / POSITIONS + (cost.read + cost.written) as f64 / BYTES + EACH
}

/// The work on a database, and the time that some machines take for it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SharedPlan {
    /// The number of units.
    pub units: usize,
    /// Bytes of all files; 0.7 to 1.1 of this were measured for boards of Connect Four.
    pub stored: u64,
    /// The most bytes of files at a time, if units are deleted after their last reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_at_once: Option<u64>,
    /// Bytes of the files that units read, counted at each reading.
    pub read: u64,
    /// The same for each byte stored.
    pub read_for_each: f64,
    /// The memory that a worker must have.
    pub memory: u64,
    /// Seconds of one core for all units.
    pub core_seconds: f64,
    /// Seconds with the given machines.
    pub seconds: f64,
    /// The share of this time in which workers are busy.
    pub busy: f64,
    /// Seconds for the longest chain of units, each of which reads the one before.
    pub chain_seconds: f64,
    /// Seconds that the store needs to read and write all bytes.
    pub store_seconds: f64,
    /// The same work with other numbers of such workers.
    pub scale: Vec<ScaleRow>,
    /// The number of workers from which doubling it gains less than a factor of 1.5, if below a
    /// thousand.
    pub most_workers: Option<u32>,
    /// The reason.
    pub limit: Option<&'static str>,
}

/// A number of workers, and their time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ScaleRow {
    /// The number of workers.
    pub workers: u32,
    /// Seconds.
    pub seconds: f64,
    /// The share of this time in which workers are busy.
    pub busy: f64,
}

/// The work of a unit.
struct UnitLoad {
    /// Seconds of one core.
    core: f64,
    /// Bytes to read and to write.
    bytes: f64,
    /// The numbers of the units that read it.
    readers: Vec<usize>,
    /// The number of units that it reads.
    reads: usize,
}

impl SharedPlan {
    /// The plan for the units of a cut, in an order in which each follows all that it reads, with
    /// their packed bytes.
    pub fn of(
        cut: &UnitCut,
        units: &[UnitId],
        packed: &[f64],
        machines: &Machines,
        memory: u64,
        keep: KeptUnits,
    ) -> SharedPlan {
        let lanes = cut.question().lanes();
        let numbers: HashMap<&UnitId, usize> = units.iter().zip(0..).collect();
        let (mut loads, mut stored, mut read): (Vec<UnitLoad>, f64, f64) = (Vec::new(), 0.0, 0.0);
        for (unit, writing) in units.iter().zip(packed) {
            let cost = cut.cost(unit);
            let reads: Vec<usize> = cut.reads(unit).iter().filter_map(|unit| numbers.get(unit).copied()).collect();
            let reading = reads.iter().map(|earlier| packed[*earlier]).sum::<f64>();
            (stored, read) = (stored + writing, read + reading);
            let core = core_seconds(&cost, lanes);
            loads.push(UnitLoad { core, bytes: reading + writing, readers: Vec::new(), reads: reads.len() });
            reads.into_iter().for_each(|earlier| loads[earlier].readers.push(numbers[unit]));
        }
        let alone = |load: &UnitLoad| load.core / f64::from(machines.cores) + load.bytes / machines.bandwidth as f64;
        let mut chains = vec![0.0_f64; loads.len()];
        for (number, load) in loads.iter().enumerate() {
            let end = chains[number] + alone(load);
            load.readers.iter().for_each(|reader| chains[*reader] = chains[*reader].max(end));
            chains[number] = end;
        }
        let chain_seconds = chains.into_iter().fold(0.0, f64::max);
        let of = |workers: u32| simulated(&loads, workers, machines);
        let ScaleRow { seconds, busy, .. } = of(machines.workers);
        let numbers = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000];
        let scale: Vec<ScaleRow> = numbers.into_iter().map(of).collect();
        let most = scale.windows(2).find(|pair| pair[1].seconds * 1.5 > pair[0].seconds).map(|pair| pair[0]);
        let store_seconds = (stored + read) / machines.store as f64;
        let reason = |row: ScaleRow| match row.seconds {
            seconds if seconds < 1.5 * store_seconds => "the store gives and takes no more bytes a second",
            seconds if seconds < 1.5 * chain_seconds => "the longest chain of units, each of which reads another",
            _ => "too few units can be computed at the same time",
        };
        SharedPlan {
            units: units.len(),
            stored: stored as u64,
            stored_at_once: (keep == KeptUnits::TwoLayers).then(|| at_once(cut, units, packed) as u64),
            read: read as u64,
            read_for_each: if stored > 0.0 { read / stored } else { 0.0 },
            memory,
            core_seconds: loads.iter().map(|load| load.core).sum(),
            seconds,
            busy,
            chain_seconds,
            store_seconds,
            most_workers: most.map(|row| row.workers),
            limit: most.map(|row| reason(scale.last().copied().unwrap_or(row))),
            scale,
        }
    }
}

impl SharedPlan {
    /// The plan for people, with line ends.
    pub fn words(&self) -> String {
        let at_once = self.stored_at_once.map_or_else(String::new, |bytes| format!(", {} at a time", size(bytes)));
        let mut text = format!(
            "{}: {} stored{at_once}, {:.1} bytes read for each byte stored; a worker needs {} of memory\n\
             {} of one core; {} with these workers, which are busy {:.0}% of it\n\
             at least {} for the longest chain of units, and {} for the store\n\n",
            counted(self.units as u64, "unit"),
            size(self.stored),
            self.read_for_each,
            size(self.memory),
            span(self.core_seconds),
            span(self.seconds),
            100.0 * self.busy,
            span(self.chain_seconds),
            span(self.store_seconds),
        );
        for ScaleRow { workers, seconds, busy } in &self.scale {
            let _ = writeln!(
                text,
                "{:>13}: {:>10}, busy {:>3.0}%",
                counted((*workers).into(), "worker"),
                span(*seconds),
                100.0 * busy
            );
        }
        if let (Some(workers), Some(limit)) = (self.most_workers, self.limit) {
            let _ = writeln!(text, "\nMore than {} hardly help: {limit}.", counted(workers.into(), "worker"));
        }
        text
    }
}

/// The most bytes of files at a time, if units are computed one after another and deleted after
/// their last reader.
pub fn at_once(cut: &UnitCut, units: &[UnitId], packed: &[f64]) -> f64 {
    let mut readers: HashMap<UnitId, (usize, f64)> =
        units.iter().zip(packed).map(|(unit, bytes)| (unit.clone(), (0, *bytes))).collect();
    for read in units.iter().flat_map(|unit| cut.reads(unit)).filter(|read| !stays(read)) {
        readers.entry(read).and_modify(|(readers, _)| *readers += 1);
    }
    let (mut stored, mut most) = (0.0, 0.0_f64);
    for (unit, bytes) in units.iter().zip(packed) {
        stored += bytes;
        most = most.max(stored);
        for read in cut.reads(unit).iter().filter(|read| !stays(read)) {
            let Some((left, bytes)) = readers.get_mut(read) else { continue };
            *left -= 1;
            stored -= if *left == 0 { *bytes } else { 0.0 };
        }
    }
    most
}

/// A duration, for people.
fn span(seconds: f64) -> String {
    match seconds {
        _ if seconds < 120.0 => format!("{seconds:.1} s"),
        _ if seconds < 7200.0 => format!("{:.1} min", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// Seconds or bytes as a number that can be ordered.
fn ticks(amount: f64) -> u128 {
    (amount * TICKS) as u128
}

const TICKS: f64 = 1e9;

/// Gives free workers the first unit that can be computed. A worker reads and writes, then
/// computes. Workers that read or write at the same time share the store evenly.
fn simulated(loads: &[UnitLoad], workers: u32, machines: &Machines) -> ScaleRow {
    let mut missing: Vec<usize> = loads.iter().map(|load| load.reads).collect();
    let mut ready: BTreeSet<usize> = (0..loads.len()).filter(|unit| missing[*unit] == 0).collect();
    // By completion time, and by the bytes that a transfer since the start would have by then.
    let mut computing: BinaryHeap<Reverse<(u128, usize)>> = BinaryHeap::new();
    let mut reading: BinaryHeap<Reverse<(u128, usize)>> = BinaryHeap::new();
    let (mut now, mut bytes, mut worked) = (0.0, 0.0, 0.0);
    loop {
        while reading.len() + computing.len() < workers as usize
            && let Some(unit) = ready.pop_first()
        {
            reading.push(Reverse((ticks(bytes + loads[unit].bytes), unit)));
        }
        let rate = (machines.store as f64 / reading.len().max(1) as f64).min(machines.bandwidth as f64);
        let read = reading.peek().map(|Reverse((end, _))| now + (*end as f64 / TICKS - bytes).max(0.0) / rate);
        let computed = computing.peek().map(|Reverse((end, _))| (*end as f64 / TICKS).max(now));
        let Some(next) = read.into_iter().chain(computed).min_by(f64::total_cmp) else { break };
        worked += (next - now) * (reading.len() + computing.len()) as f64;
        bytes += (next - now) * rate;
        now = next;
        if read == Some(next)
            && let Some(Reverse((_, unit))) = reading.pop()
        {
            computing.push(Reverse((ticks(now + loads[unit].core / f64::from(machines.cores)), unit)));
        } else if let Some(Reverse((_, unit))) = computing.pop() {
            for reader in &loads[unit].readers {
                missing[*reader] -= 1;
                if missing[*reader] == 0 {
                    ready.insert(*reader);
                }
            }
        }
    }
    ScaleRow { workers, seconds: now, busy: if now > 0.0 { worked / (now * f64::from(workers)) } else { 0.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(core: f64, readers: &[usize], reads: usize) -> UnitLoad {
        UnitLoad { core, bytes: 0.0, readers: readers.to_vec(), reads }
    }

    #[test]
    fn workers_share_what_can_be_done_at_the_same_time() {
        // Two chains of two units, then one that reads both.
        let loads = [load(1.0, &[2], 0), load(2.0, &[3], 0), load(3.0, &[4], 1), load(1.0, &[4], 1), load(1.0, &[], 2)];
        let machines = Machines { workers: 1, cores: 1, bandwidth: 1, store: 1 };
        let seconds = [1, 2, 3, 100].map(|workers| simulated(&loads, workers, &machines).seconds);
        assert_eq!(seconds, [8.0, 5.0, 5.0, 5.0]);
        assert_eq!(simulated(&loads, 2, &machines).busy, 0.8);
        let cores = Machines { cores: 4, ..machines };
        assert_eq!(simulated(&loads, 1, &cores).seconds, 2.0);
    }

    #[test]
    fn workers_share_the_store() {
        let loads = [(); 4].map(|()| UnitLoad { core: 0.0, bytes: 6.0, readers: Vec::new(), reads: 0 });
        let machines = Machines { workers: 1, cores: 1, bandwidth: 2, store: 3 };
        assert_eq!(simulated(&loads, 1, &machines).seconds, 12.0);
        assert_eq!(simulated(&loads, 3, &machines).seconds, 9.0, "the last one has the store alone");
        assert_eq!(simulated(&loads, 4, &machines).seconds, 8.0, "no faster than the store");
    }
}
