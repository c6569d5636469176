//! Reports of Hex from fillings of the board, against the independent unfolded arena.

use richman_analysis::chips::{self, ChipsReport};
use richman_analysis::money::{self, MoneyReport, of_evaluation};
use richman_analysis::{ReportHead, Request, Subject};
use richman_core::{Effort, Mechanism, Player, Total};
use richman_hex::engine::worth;

#[test]
fn thresholds_bids_and_moves_are_those_of_the_arena() {
    let cases = [("hex:size=3", None), ("hex:rows=2,cols=4", None), ("hex:rows=4,cols=3", None)];
    let positions = ["A../.B./...", "AB./.B./..A", "AAA/.B./..B", "A../A../A..", "BBB/.../..."];
    let all = cases.into_iter().chain(positions.map(|position| ("hex:size=3", Some(position))));
    for (spec, position) in all {
        let subject = Subject::named(spec).unwrap();
        let unfolding = subject.unfold(position, &Effort::default()).unwrap();
        let mechanism = Mechanism::default();
        let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
        let (arena, _) = money::report(&request).unwrap();
        let walk = subject.walk(position).unwrap();
        let found = worth::count(walk.as_ref(), &mechanism, &Effort::default()).unwrap();
        assert_eq!(found.is_none(), walk.end().is_some());
        let Some(evaluation) = found else { continue };
        let MoneyReport { open, cells, stop, positions, exact_positions, .. } =
            of_evaluation(ReportHead::at(walk.as_ref(), &mechanism), &evaluation);
        assert_eq!((open, cells.len()), (Some(cells.len()), walk.moves(Player::Alice).len()));
        let arena = MoneyReport { open, cells, stop, positions, exact_positions, ..arena };
        assert_eq!(of_evaluation(ReportHead::at(walk.as_ref(), &mechanism), &evaluation), arena, "{spec} {position:?}");
    }
}

#[test]
fn chips_are_those_of_the_arena() {
    for (spec, position) in
        [("hex:rows=1,cols=14", None), ("hex:rows=2,cols=7", Some(".A...../.......")), ("hex:size=3", None)]
    {
        let subject = Subject::named(spec).unwrap();
        let mechanism = Mechanism::default();
        let walk = subject.walk(position).unwrap();
        for total in [8, 61].map(|total| Total::new(total).unwrap()) {
            let evaluation = worth::solve(walk.as_ref(), &mechanism, total, &Effort::default()).unwrap();
            let Some(evaluation) = evaluation else {
                assert_eq!(spec, "hex:size=3", "few cells are unfolded");
                continue;
            };
            let found = chips::of_evaluation(ReportHead::at(walk.as_ref(), &mechanism), &evaluation, None).unwrap();
            let unfolding = subject.unfold(position, &Effort::default()).unwrap();
            let effort = Effort::default();
            let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort };
            let ChipsReport { positions, stop, .. } = found;
            let arena = ChipsReport { positions, stop: stop.clone(), ..chips::report(&request, total).unwrap() };
            assert_eq!(ChipsReport { stop, ..found }, arena, "{spec}");
        }
    }
}

#[test]
fn large_boards_are_estimated_and_say_so() {
    let walk = Subject::named("hex:size=16").unwrap().walk(None).unwrap();
    let mechanism = Mechanism::default();
    let evaluation = worth::draw(walk.as_ref(), &mechanism, &Effort::default()).unwrap().unwrap();
    let found = of_evaluation(ReportHead::at(walk.as_ref(), &mechanism), &evaluation);
    assert!(!found.exact && found.confidence == Some("99%") && found.cells.len() == 256);
    let (low, high) = (found.win.0.low.to_f64(), found.win.0.high.to_f64());
    assert!(low <= 0.5 && 0.5 <= high && high - low < 0.01, "{low} to {high}");
}
