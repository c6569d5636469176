//! Databases of chess endgames, which are proved, and estimates of larger positions.

use richman_analysis::Games;
use richman_analysis::databases::prove;
use richman_analysis::money::of_evaluation;
use richman_analysis::{BoundsJson, ReportHead, Subject};
use richman_chess::board::{ChessBoard, ChessClass};
use richman_chess::engine::database::files::{names, read, write_bounds};
use richman_chess::engine::database::{Build, Endgames, GAME, build, class, plan};
use richman_chess::engine::endgames::Tables;
use richman_chess::engine::estimate::{estimate, is_large};
use richman_core::{Effort, Mechanism};
use richman_files::open_store;
use richman_formats::{Building, Database, DatabaseStake};
use richman_solvers::money;

#[test]
fn files_answer_like_the_arena_and_are_proved() {
    let subject = Subject::named("chess:pieces=KKN").unwrap();
    let class = class(subject.walk(None).unwrap().as_ref()).unwrap();
    assert_eq!((class.to_string().as_str(), plan(&class).unwrap().classes.len()), ("KNK", 2));
    let folder = tempfile::tempdir().unwrap();
    let effort = Effort::default();
    let task = Build { class: &class, store: &open_store(folder.path()).unwrap(), disk: 1 << 30, effort };
    let mut reports = Vec::new();
    build(&task, &mut |report| reports.push(report.json)).unwrap();
    assert!(reports.iter().all(|report| report["exact"] == true && report["kept"] == false));
    assert!(reports.iter().all(|report| report["width"].as_f64() < Some(-40.0)));
    let database = Endgames::open(folder.path()).unwrap().unwrap();
    assert_eq!(prove(&Games::default(), folder.path(), &effort, &mut Vec::new()).unwrap(), None);
    // The game unfolded from the same position has the same thresholds.
    for position in ["4k3/8/8/8/8/8/8/3NK3", "8/8/3n4/8/2k5/8/8/K7"] {
        let walk = subject.walk(Some(position)).unwrap();
        let evaluation = database.evaluate(walk.as_ref(), &effort).unwrap().unwrap();
        let report = of_evaluation(ReportHead::at(walk.as_ref(), &Mechanism::default()), &evaluation);
        let unfolding = subject.unfold(Some(position), &Effort::default()).unwrap();
        let solution = money::solve(unfolding.arena(), &Mechanism::default(), &effort).unwrap();
        assert_eq!(report.win, BoundsJson(solution.win.get(0)), "{position}");
        assert_eq!(report.draw, BoundsJson(solution.draw.get(0)), "{position}");
        assert!(!report.moves.alice.is_empty() && report.exact);
    }
    // Errors name the missing or damaged file.
    let four = Subject::named("chess:pieces=KNKN").unwrap().walk(None).unwrap();
    let error = database.evaluate(four.as_ref(), &effort).unwrap_err().to_string();
    assert!(error.contains("KNKN.rml is missing"), "{error}");
    for name in ["KNK.rml", "KNK-exact.rml", "KNK-shares.rml"] {
        let path = folder.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        let error = prove(&Games::default(), folder.path(), &effort, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("damaged"), "{error}");
        std::fs::write(&path, &bytes).unwrap();
    }
    // Existing files are kept, and missing ones rebuilt with the same bytes.
    let path = folder.path().join("KNK.rml");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut kept = Vec::new();
    build(&task, &mut |report| kept.push(report.json["kept"] == true)).unwrap();
    assert_eq!(kept, [true, false]);
    assert!(std::fs::read(&path).unwrap() == bytes);
}

/// Chances not to lose are proved like those to win.
#[test]
fn four_numbers_a_position_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (class, effort) = (ChessClass::parse("KK", 8).unwrap(), Effort::default());
    build(&Build { class: &class, store: &open_store(folder).unwrap(), disk: 1 << 30, effort }, &mut |_| {}).unwrap();
    let mut chances = read(folder, &class, &Tables::default(), &effort).unwrap();
    for (raise, valid) in [(0, true), (1 << 30, false)] {
        let mut holds = chances.chances.clone();
        holds.bob[chances.positions().nth(7).unwrap().0 as usize] += raise;
        chances.holds = Some(holds);
        let about = Database::new(GAME.to_string(), DatabaseStake::Money);
        write_bounds(&mut Building::begin(&open_store(folder).unwrap(), about, names([&class])).unwrap(), &chances)
            .unwrap();
        let fault = prove(&Games::default(), folder, &effort, &mut Vec::new()).unwrap();
        assert_eq!(fault.is_none(), valid, "{fault:?}");
        assert!(valid || fault.is_some_and(|fault| fault.contains("KK.rml") && fault.contains("not to lose")));
    }
}

#[test]
fn estimates_say_that_they_are() {
    let subject = Subject::named("chess").unwrap();
    let mechanism = Mechanism::default();
    let of = |position: &str| {
        let walk = subject.walk(Some(position)).unwrap();
        let effort = Effort::default().within_time(std::time::Duration::from_millis(20));
        let evaluation = estimate(walk.as_ref(), &mechanism, &effort)?;
        Some(of_evaluation(ReportHead::at(walk.as_ref(), &mechanism), &evaluation))
    };
    // Alice's queen can take the king, Bob can only flee.
    let found = of("4k3/4p3/8/7Q/8/8/4P3/4K3").unwrap();
    let estimate = found.estimate.unwrap();
    assert!(!found.exact && estimate.needs < 0.5 && estimate.after_alice == 0.0 && estimate.bid > 0.0);
    assert_eq!(found.moves.alice, ["Qxe8"]);
    assert!(of("4k3/8/8/7Q/8/8/8/4K3").is_none(), "three pieces are solved");
    let is_large =
        |game: &str| is_large(&Subject::named(game).unwrap().walk(None).unwrap().board::<ChessBoard>().unwrap());
    assert!(["chess:pieces=KPK", "chess:size=4,pieces=KRKB", "chess:size=4,pieces=KRBKB"].map(is_large) == [false; 3]);
    assert!(["chess:pieces=KRKB", "chess:size=4", "chess:size=4,pieces=KPPKP"].map(is_large) == [true; 3]);
    assert!(of("8/4p3/4p3/7Q/8/8/4P3/4K3 1-0").is_none(), "the game is over");
}
