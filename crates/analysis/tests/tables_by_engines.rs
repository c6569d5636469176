//! Engines' tables have the arena's rows, in one pass or in several.

use richman_analysis::{AnyTable, Question, Subject, TableSource, open_table, table::TableReport};
use richman_core::{Effort, Mechanism, Total, Unwatched};

fn totals(last: u64) -> std::ops::RangeInclusive<Total> {
    Total::new(0).unwrap()..=Total::new(last as u32).unwrap()
}

fn by_engine(subject: &Subject, question: &Question, last: u64, effort: &Effort) -> TableReport {
    match open_table(subject, question, Some(totals(last)), effort) {
        Ok(TableSource::Report(report)) => *report,
        Ok(TableSource::Arena(_)) => panic!("the arena has more positions than the effort allows"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn engines_and_the_arena_make_the_same_tables() {
    let mut rng = fastrand::Rng::with_seed(21);
    let games = [
        "tic-tac-toe",
        "connect:rows=3,cols=3,line=3",
        "connect:rows=2,cols=5,line=3",
        "hex:size=3",
        "hex:rows=2,cols=4",
    ];
    let mut rows = 0;
    for game in games {
        let subject = Subject::named(game).unwrap();
        for _ in 0..10 {
            let mut walk = subject.walk(None).unwrap();
            for _ in 0..rng.usize(0..4) {
                let player = if rng.bool() { richman_core::Player::Alice } else { richman_core::Player::Bob };
                let moves = walk.moves(player);
                if !moves.is_empty() {
                    walk.play(player, &moves[rng.usize(..moves.len())]).unwrap();
                }
            }
            if walk.end().is_some() {
                continue;
            }
            let question = Question { position: Some(walk.notation()), ..Question::new(Mechanism::default()) };
            let last = rng.u64(1..40);
            let arena = match open_table(&subject, &question, Some(totals(last)), &Effort::default()).unwrap() {
                TableSource::Arena(opened) => opened.table(None, totals(last), false, &Unwatched).unwrap(),
                TableSource::Report(_) => panic!("the arena comes first where it fits"),
            };
            let AnyTable::Totals(arena) = arena else { panic!("there are totals") };
            for memory in [4 << 30, 1 << 20] {
                let found = by_engine(&subject, &question, last, &Effort { positions: 1, memory, ..Effort::default() });
                assert_eq!(found.rows, arena.rows, "{game} {}", found.head.position);
                assert!(found.period.win.is_none() && found.period.reason.is_some());
                rows += found.rows.len();
            }
        }
    }
    assert!(rows >= 1000, "{rows}");
}

/// No arena of 150 million positions fits, and no engine proves periods.
#[test]
fn a_large_board_has_a_table() {
    let subject = Subject::named("connect:rows=4,cols=5").unwrap();
    let question = Question::new(Mechanism::default());
    let found = by_engine(&subject, &question, 8, &Effort { memory: 1 << 30, ..Effort::default() });
    assert_eq!(found.rows.len(), 9);
    let wins: Vec<_> = found.rows.iter().map(|row| row.win.plain).collect();
    assert!(wins.is_sorted(), "{wins:?}");
}
