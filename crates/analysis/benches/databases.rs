//! The time that a database takes to answer: `cargo bench -p richman-analysis --bench databases`.
//!
//! Builds Connect Four on 4 x 5 in a temporary folder (`-- 5x5` for another board, `-- FOLDER` for
//! an existing database) and asks for the thresholds at positions of random play and after every
//! move. Every answer must satisfy the equation of a turn and, if few cells are open, agree with
//! the solver. Prints the median and the slowest of a hundred.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use richman_analysis::Subject;
use richman_analysis::databases::{self, BuildOrder, DatabaseStake, KeptUnits};
use richman_core::{Effort, Player, Walk};
use richman_files::open_store;
use richman_formats::Database;
use richman_lines::board::LinePosition;
use richman_lines::engine::BoardStake;
use richman_lines::engine::database::Answers;
use richman_lines::engine::needs::{self, PositionNeeds};

/// With at most this many open cells the solver is asked, too.
const SOLVED: usize = 10;
const POSITIONS: usize = 4000;

fn main() {
    let asked = std::env::args().skip(1).find(|text| !text.starts_with('-')).unwrap_or_else(|| "4x5".to_string());
    if Path::new(&asked).is_dir() {
        return measure(Path::new(&asked));
    }
    let (rows, cols) = asked.split_once('x').expect("a board such as 4x5, or a folder");
    let subject = Subject::named(&format!("connect:rows={rows},cols={cols}")).expect("a board");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let effort = Effort { memory: 1 << 30, ..Effort::default() };
    let start = subject.walk(None).expect("the start");
    let task = BuildOrder {
        start: start.as_ref(),
        stake: &DatabaseStake::Money,
        unit: None,
        keep: KeptUnits::All,
        store: &open_store(folder.path()).expect("a store"),
        disk: 1 << 30,
        effort,
    };
    databases::kind(task.start).expect("a kind").build(&task, &mut |_| {}).expect("room for it");
    measure(folder.path());
}

fn measure(folder: &Path) {
    let store = open_store(folder).expect("a store");
    let about = Database::open(store.as_ref()).expect("a database");
    let game = Subject::named(&about.game).expect("its game");
    let start = game.walk(None).expect("the start");
    let answers = Answers::open(&store, start.as_ref(), &Effort::default()).expect("a database");
    let mut rng = fastrand::Rng::with_seed(1);
    let positions: Vec<Box<dyn Walk>> = (0..POSITIONS).map(|_| position(&game, &mut rng)).collect();
    println!("{} in {}: {POSITIONS} positions of random play", about.game, folder.display());
    for round in ["at first", "again"] {
        let all = timed(&format!("what is needed here and after every move, {round}"), &positions, |walk| {
            answers.needs(walk, None, &Effort::default()).expect("no fault").expect("it goes on")
        });
        positions.iter().zip(all).for_each(|(walk, found)| check(walk.as_ref(), &found));
    }
}

/// A position of random play before the end; all numbers of stones are equally likely.
fn position(game: &Subject, rng: &mut fastrand::Rng) -> Box<dyn Walk> {
    let start = game.walk(None).expect("the start");
    let cells = start.board::<LinePosition>().expect("a board").board.cells() as usize;
    loop {
        let mut walk = start.boxed();
        for _ in 0..rng.usize(..cells) {
            let player = Player::BOTH[rng.usize(..2)];
            let moves = walk.moves(player);
            walk.play(player, &moves[rng.usize(..moves.len())]).expect("a move");
            if walk.end().is_some() {
                break;
            }
        }
        if walk.end().is_none() {
            return walk;
        }
    }
}

/// Asks for every position; prints the time.
fn timed<R>(what: &str, positions: &[Box<dyn Walk>], ask: impl Fn(&dyn Walk) -> R) -> Vec<R> {
    let one = |walk: &dyn Walk| {
        let start = Instant::now();
        let found = black_box(ask(walk));
        (start.elapsed(), found)
    };
    let (mut times, found): (Vec<Duration>, Vec<R>) = positions.iter().map(|walk| one(walk.as_ref())).unzip();
    times.sort();
    println!("  {what:<50} {:>9.1?}   99%: {:>9.1?}", times[times.len() / 2], times[times.len() * 99 / 100]);
    found
}

fn check(walk: &dyn Walk, found: &PositionNeeds) {
    let least = found.after.iter().map(|after| after.alice.win).min().expect("a move");
    let most = found.after.iter().map(|after| after.bob.win).max().expect("a move");
    assert_eq!(found.here.win, least + most, "{}", walk.notation());
    let LinePosition { board, stones } = walk.board().expect("a board");
    let open = board.cells() - (stones[0] | stones[1]).count_ones();
    if open as usize <= SOLVED {
        let solved = needs::solve(walk, BoardStake::Money, &Effort::default()).expect("it is small");
        let solved = solved.expect("it goes on").remove(0);
        assert_eq!((found.here, &found.after), (solved.here, &solved.after), "{}", walk.notation());
    }
}
