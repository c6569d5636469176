//! Boards in units, proved by the rules alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use richman_check::regions::{RegionClaims, RegionFault, RegionStake, check_region};
use richman_core::{ByPlayer, Effort, Error, Total};
use richman_files::{PackedFrames, pack_frames};
use richman_lines::board::{LineBoard, LinePosition};
use richman_lines::engine::units::{UnitCut, UnitFault, UnitId, UnitReader, UnitSource};
use richman_lines::engine::{BoardQuestion, BoardStake, ROUNDED_BITS};

use crate::boards::at_start;

#[derive(Default)]
struct KeptUnits(Mutex<HashMap<UnitId, Arc<PackedFrames>>>);

impl UnitSource for KeptUnits {
    fn unit(&self, unit: &UnitId) -> Result<Arc<PackedFrames>, UnitFault> {
        let missing = || UnitFault::Lost { unit: unit.clone(), what: format!("{unit} is missing") };
        self.0.lock().unwrap().get(unit).map(Arc::clone).ok_or_else(missing)
    }
}

struct UnitClaims<'a>(UnitReader<'a>);

impl RegionClaims for UnitClaims<'_> {
    fn block(&self, fixed: ByPlayer<u64>, shape: u64) -> Result<Option<Vec<u64>>, Error> {
        self.0.block(fixed, shape)
    }
}

fn board(game: &str) -> LineBoard {
    at_start(game).board::<LinePosition>().unwrap().board
}

fn solved(cut: &UnitCut) -> KeptUnits {
    let units = KeptUnits::default();
    for unit in cut.units() {
        let bytes = cut.solve(&unit, &units, &Effort::default()).unwrap();
        units.0.lock().unwrap().insert(unit, Arc::new(PackedFrames::parse(bytes).unwrap()));
    }
    units
}

/// The wrong claims in all regions, as the proof finds them, or why it cannot go on.
fn faults(question: &BoardQuestion, cut: &UnitCut, units: &KeptUnits) -> Result<Vec<RegionFault>, Error> {
    let stake = match &question.stake {
        BoardStake::Money => RegionStake::Money,
        BoardStake::Chips(totals) => RegionStake::Chips(totals),
        BoardStake::Rounded(leaves) => RegionStake::Bounds { bits: ROUNDED_BITS, leaves: *leaves },
    };
    let claims = UnitClaims(UnitReader::new(cut, units, 1 << 20, Effort::default()));
    let check = |region| check_region(&question.board, stake, region, &claims, &Effort::default()).transpose();
    cut.regions().filter_map(check).collect()
}

#[test]
fn units_are_proved_by_the_rules() {
    let chips = BoardStake::Chips([2, 7].map(|chips| Total::new(chips).unwrap()).to_vec());
    for (game, stake, depth) in [
        ("connect:rows=4,cols=4,line=4", BoardStake::Money, vec![1; 4]),
        ("connect:rows=4,cols=4,line=3", BoardStake::Money, vec![2; 4]),
        ("connect:rows=3,cols=4,line=3", BoardStake::Money, vec![3, 1, 0, 2]),
        ("connect:rows=3,cols=4,line=3", chips, vec![1, 2, 2, 1]),
        ("tic-tac-toe", BoardStake::Money, vec![1, 0, 1, 0, 1, 0, 1, 0, 1]),
    ] {
        let question = BoardQuestion { board: board(game), stake };
        for aim in [1, 2000] {
            let cut = UnitCut::new(question.clone(), depth.clone(), aim).unwrap();
            assert_eq!(faults(&question, &cut, &solved(&cut)).unwrap(), [], "{game} {depth:?} {aim}");
        }
    }
}

#[test]
fn bounds_are_proved_by_the_rules() {
    for (game, depth, leaves) in [
        ("connect:rows=4,cols=4,line=3", vec![1; 4], 8),
        ("connect:rows=4,cols=4,line=3", vec![2; 4], 5),
        ("connect:rows=4,cols=5,line=4", vec![0, 2, 2, 2, 0], 9),
        ("connect:rows=3,cols=4,line=3", vec![1; 4], 12),
        ("tic-tac-toe", vec![1, 0, 1, 0, 1, 0, 1, 0, 1], 4),
    ] {
        let question = BoardQuestion { board: board(game), stake: BoardStake::Rounded(leaves) };
        for aim in [1, 2000] {
            let cut = UnitCut::new(question.clone(), depth.clone(), aim).unwrap();
            assert_eq!(faults(&question, &cut, &solved(&cut)).unwrap(), [], "{game} {depth:?} {aim}");
        }
        let cut = UnitCut::new(question.clone(), depth.clone(), 1).unwrap();
        lower_units(&question, &cut);
        // The same numbers are no bounds if lines are looked at earlier.
        let earlier = BoardQuestion { stake: BoardStake::Rounded(leaves / 2 + 1), ..question.clone() };
        let [cut, other] = [&question, &earlier].map(|of| UnitCut::new(of.clone(), depth.clone(), 1).unwrap());
        let (units, later) = (KeptUnits::default(), solved(&cut));
        for unit in other.units() {
            let kept = later.unit(&unit).unwrap();
            let frames = other.frames(&unit).map(|(key, length)| {
                let full = cut.frames(&unit).find(|(known, _)| *known == key).unwrap().1;
                (key, kept.frame(key, full as usize).unwrap()[..length as usize].to_vec())
            });
            let bytes = pack_frames(&other.subject(&unit), &frames.collect::<Vec<_>>()).unwrap();
            units.0.lock().unwrap().insert(unit, Arc::new(PackedFrames::parse(bytes).unwrap()));
        }
        assert!(!faults(&earlier, &other, &units).unwrap().is_empty(), "{game}");
    }
}

#[test]
fn a_wrong_number_in_any_unit_is_found() {
    let question = BoardQuestion { board: board("connect:rows=3,cols=3,line=3"), stake: BoardStake::Money };
    for aim in [1, 1 << 20] {
        change_units(&question, aim); // the last number of joined units is of a game that is over
    }
}

/// Makes a bound at a leaf, and one at the fewest stones, one part lower than it may be.
fn lower_units(question: &BoardQuestion, cut: &UnitCut) {
    const TRIED: usize = 6;
    let units = solved(cut);
    let all: Vec<UnitId> = cut.units().collect();
    for unit in all.iter().step_by(all.len().div_ceil(TRIED)).cloned() {
        let right = units.unit(&unit).unwrap();
        let frame = |(key, length): (u64, u64)| (key, right.frame(key, length as usize).unwrap());
        let frames: Vec<(u64, Vec<u8>)> = right.frames().map(frame).collect();
        let number = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let positive = || {
            frames.iter().enumerate().flat_map(|(at, (_, bytes))| {
                (0..bytes.len())
                    .step_by(2)
                    .filter(|offset| number(&bytes[*offset..]) > 0)
                    .map(move |offset| (at, offset))
            })
        };
        for (at, offset) in positive().next().into_iter().chain(positive().last()) {
            let mut frames = frames.clone();
            let lowered = (number(&frames[at].1[offset..]) - 1).to_le_bytes();
            frames[at].1[offset..offset + 2].copy_from_slice(&lowered);
            let wrong = PackedFrames::parse(pack_frames(&cut.subject(&unit), &frames).unwrap()).unwrap();
            units.0.lock().unwrap().insert(unit.clone(), Arc::new(wrong));
            let found = faults(question, cut, &units).unwrap();
            assert!(found.iter().any(|fault| fault.claimed + 1 == fault.should_be), "{unit} {found:?}");
        }
        units.0.lock().unwrap().insert(unit, right);
    }
}

fn change_units(question: &BoardQuestion, aim: u64) {
    let cut = UnitCut::new(question.clone(), vec![1; 3], aim).unwrap();
    let units = solved(&cut);
    let mut changed = 0;
    for unit in cut.units() {
        let right = units.unit(&unit).unwrap();
        let frame = |(key, length): (u64, u64)| (key, right.frame(key, length as usize).unwrap());
        let mut frames: Vec<(u64, Vec<u8>)> = right.frames().map(frame).collect();
        let Some(byte) = frames.iter_mut().find_map(|(_, bytes)| bytes.last_mut()) else { continue };
        *byte ^= 4;
        let wrong = PackedFrames::parse(pack_frames(&cut.subject(&unit), &frames).unwrap()).unwrap();
        units.0.lock().unwrap().insert(unit.clone(), Arc::new(wrong));
        assert!(faults(question, &cut, &units).map_or(true, |faults| !faults.is_empty()), "{unit}");
        units.0.lock().unwrap().insert(unit, right);
        changed += 1;
    }
    assert!(changed > 4, "{changed}");
    assert_eq!(faults(question, &cut, &units).unwrap(), []);
}
