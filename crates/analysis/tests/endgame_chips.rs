//! Databases of chess endgames with chips: compared with unfolded games, proved, changed, damaged
//! and refused.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use richman_analysis::Games;
use richman_analysis::advice::advise;
use richman_analysis::chips::{ChipsReport, HoldingsQuery};
use richman_analysis::databases::prove;
use richman_analysis::{Error, Question, Report, Stake, Subject, ask};
use richman_chess::board::{ChessBoard, ChessClass};
use richman_chess::engine::database::chips::{OnePlyGame, build, plan};
use richman_chess::engine::database::{Build, Endgames};
use richman_core::{
    ByPlayer, ChipSolution, Effort, Forces, Holding, LayerSink, Mechanism, NumberSlice, Outcome, Player, Remedy,
    StoredLayer, Thresholds, Total, Unfolding,
};
use richman_files::{LayerFile, LayerWriter, open_store};
use richman_formats::database::ReportRow;
use richman_solvers::chips;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Builds a class; for each total, the most moves of a win; null if the total was there before.
    fn build(&self, class: &str, totals: &[Total]) -> Result<Vec<Option<u64>>, String> {
        let class = ChessClass::parse(class, 8).unwrap();
        let task = Build {
            class: &class,
            store: &open_store(self.0.path()).unwrap(),
            disk: 1 << 30,
            effort: Effort::default(),
        };
        let mut longest = Vec::new();
        let each = &mut |row: ReportRow| longest.push(row.json["longest"].as_u64());
        build(&task, totals, each).map_err(|error| error.to_string())?;
        Ok(longest)
    }

    /// The database's answer for a chess position.
    fn ask(&self, position: &str, stake: Stake) -> Result<ChipsReport, String> {
        let usual = Question::new(Mechanism::default());
        let database = Some(self.0.path().to_path_buf());
        let question = Question { position: Some(position.to_string()), stake, database, ..usual };
        let answer = ask(&Subject::named("chess").unwrap(), &question, &Effort::default());
        match answer.map_err(|error| said(&error))?.report {
            Report::Chips(report) => Ok(*report),
            other => panic!("{other:?}"),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The wrong number or unreadable file.
    fn wrong(&self) -> String {
        prove(&Games::default(), self.0.path(), &Effort::default(), &mut Vec::new())
            .unwrap_or_else(|error| Some(said(&error)))
            .unwrap_or_default()
    }
}

/// What is wrong, and the remedies.
fn said(error: &Error) -> String {
    format!("{error} {:?}", error.remedies())
}

fn totals(chips: std::ops::RangeInclusive<u64>) -> Vec<Total> {
    chips.map(|chips| Total::new(chips as u32).unwrap()).collect()
}

fn holding(text: &str) -> Holding {
    text.parse().unwrap()
}

/// Compares outcomes, moves, thresholds and bids at many positions of one unfolded game; returns
/// the outcomes met.
fn compare(database: &Folder, start: &str, totals: &[Total], samples: usize) -> HashSet<Outcome> {
    let subject = Subject::named("chess").unwrap();
    let unfolding = subject.unfold(Some(start), &Effort::default()).unwrap();
    let arena = unfolding.arena();
    let mut random = fastrand::Rng::with_seed(20);
    let mut outcomes = HashSet::new();
    for &total in totals {
        let solution = chips::solve(arena, &Mechanism::default(), total, &Effort::default()).unwrap();
        for _ in 0..samples {
            let node = random.u32(..arena.len() as u32);
            if arena.terminal(node).is_none() {
                let alice = Holding::from_half_steps(random.u32(..total.unreachable()));
                outcomes.insert(compare_one(database, unfolding.as_ref(), &solution, node, alice));
            }
        }
    }
    outcomes
}

fn compare_one(
    database: &Folder,
    unfolding: &dyn Unfolding,
    solution: &ChipSolution,
    node: u32,
    alice: Holding,
) -> Outcome {
    let position = unfolding.notation(node);
    let bob = solution.total.rest(alice).unwrap();
    let hands = HoldingsQuery { alice, bob, trace: false };
    let report = database.ask(&position, Stake::Hands(hands)).unwrap();
    let Thresholds { win, draw } = solution.thresholds(node);
    let about = format!("{position} with {alice} against {bob}");
    assert_eq!((report.win, report.draw), (win.into(), draw.into()), "{about}");
    let found = report.holdings.unwrap();
    let outcome = solution.outcome(node, alice, bob);
    let within = match outcome {
        Outcome::Win(Player::Alice) => solution.rank(Player::Alice, node, alice),
        Outcome::Win(Player::Bob) => solution.rank(Player::Bob, node, bob),
        _ => None,
    };
    assert_eq!((found.outcome, found.within), (outcome, within), "{about}");
    let advice = |player, own, other| advise(unfolding, solution, &position, player, own, other, None).unwrap();
    let expected = ByPlayer { alice: advice(Player::Alice, alice, bob), bob: advice(Player::Bob, bob, alice) };
    assert_eq!(found.advice, expected, "{about}");
    outcome
}

#[test]
fn positions_of_both_colours_are_answered_like_the_unfolded_game() {
    let (folder, totals) = (Folder::new(), totals(3..=3));
    folder.build("KNK", &totals).unwrap();
    let all: HashSet<Outcome> = Player::BOTH.map(Outcome::Win).into_iter().chain([Outcome::Draw]).collect();
    for start in ["4k3/8/8/8/8/8/8/3NK3", "8/8/3n4/8/2k5/8/8/K7"] {
        assert_eq!(compare(&folder, start, &totals, 100), all, "{start}");
    }
    assert_eq!(folder.wrong(), "");
}

#[test]
fn builds_go_on_and_what_is_damaged_is_named() {
    let (folder, totals) = (Folder::new(), totals(0..=2));
    let longest = folder.build("KK", &totals).unwrap();
    assert!(longest.iter().all(|longest| *longest > Some(0)), "{longest:?}");
    let name = "KK-1-chips.rml";
    let path = folder.file(name);
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(folder.wrong().contains(&format!("{name} is missing [Build(Complete, ")));
    let kept: Vec<bool> = folder.build("KK", &totals).unwrap().iter().map(Option::is_none).collect();
    assert_eq!(kept, [true, false, true]);
    assert!(fs::read(&path).unwrap() == whole);
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert!(folder.wrong().contains(&format!("{name} is damaged")), "{}", folder.wrong());
    fs::copy(folder.file("KK-2-chips.rml"), &path).unwrap();
    for (wrong, why) in [
        (folder.wrong(), "is a file of another database"),
        (folder.build("KK", &totals).unwrap_err(), "is damaged: it had"),
    ] {
        assert!(wrong.contains(&format!("{name} {why}")), "{wrong}");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(folder.wrong(), "");
}

/// Writes other bytes in a file as a builder would.
fn change(path: &Path, change: impl FnOnce(&mut [u8])) {
    let file = LayerFile::open(path).unwrap();
    let mut bytes = Vec::new();
    file.read(0, file.len() as usize, &mut bytes).unwrap();
    change(&mut bytes);
    let mut writer = LayerWriter::create(path, file.head()).unwrap();
    writer.take(NumberSlice::One(&bytes)).unwrap();
    writer.finish().unwrap();
}

#[test]
fn every_changed_byte_is_found() {
    let (folder, totals) = (Folder::new(), totals(0..=2));
    folder.build("KK", &totals).unwrap();
    let name = "KK-2-chips.rml";
    let path = folder.file(name);
    let whole = fs::read(&path).unwrap();
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..25 {
        let mut at = 0;
        change(&path, |bytes| {
            at = random.usize(..bytes.len());
            bytes[at] = bytes[at].wrapping_add(random.u8(1..=255));
        });
        let wrong = folder.wrong();
        assert!(wrong.contains(name) && wrong.contains(": "), "byte {at}: {wrong}");
        fs::write(&path, &whole).unwrap();
    }
    // Values that no builder writes are refused, too.
    change(&path, |bytes| bytes.fill(128));
    let error = folder.ask("4k3/8/8/8/8/8/8/4K3", Stake::Total(totals[2])).unwrap_err();
    assert!(error.contains(name) && error.contains("build again"), "{error}");
    assert!(folder.wrong().contains(name));
}

#[test]
fn what_there_is_not_is_refused() {
    let (folder, totals) = (Folder::new(), totals(1..=2));
    folder.build("KK", &totals).unwrap();
    let asked = |position: &str, total: u64, hands: Option<HoldingsQuery>| {
        let total = Stake::Total(Total::new(total as u32).unwrap());
        folder.ask(position, hands.map_or(total, Stake::Hands)).unwrap_err()
    };
    let kings = "4k3/8/8/8/8/8/8/4K3";
    let trace = HoldingsQuery { alice: holding("1"), bob: holding("1*"), trace: true };
    let class = |text: &str| ChessClass::parse(text, 8).unwrap();
    let too_many = [Total::new(65).unwrap()];
    for (error, words) in [
        (asked(kings, 3, None), "is of 1 to 2 chips, not of 3 chips"),
        (
            asked("4k3/8/8/8/8/8/8/3QK3", 2, None),
            "KQK-2-chips.rml is missing [Build(Complete, DatabaseRecipe { game: Some(\"chess:pieces=KQK\")",
        ),
        (asked("3rk3/8/8/8/8/8/8/3QK3", 2, None), "KQKR with chips is not supported"),
        (asked("4k3/8/8/8/8/8/8/R3K3 Q", 2, None), "castle"),
        (asked(kings, 2, Some(trace)), "it gives no line of play"),
        (folder.build("KK", &totals[..1]).unwrap_err(), "of chess with 1 to 2 chips: choose another folder"),
        (plan(&class("KQKR"), &totals).unwrap_err().to_string(), "KQKR with chips is not supported"),
        (plan(&class("KQK"), &too_many).unwrap_err().to_string(), "totals up to 64"),
        (Endgames::open(folder.0.path()).err().unwrap().to_string(), "is of 1 to 2 chips, not of real money"),
    ] {
        assert!(error.contains(words), "{error}");
    }
    assert!(asked("8/8/8/8/8/8/8/4K3 1-0", 1, None).contains("positions that are not over"));
    let small = Effort { memory: 1 << 20, ..Effort::default() };
    let task =
        Build { class: &class("KPK"), store: &open_store(folder.0.path()).unwrap(), disk: 1 << 10, effort: small };
    let refused = |task: &Build| build(task, &totals, &mut |_| {}).unwrap_err().remedies();
    assert!(refused(&task).contains(&Remedy::MoreDisk));
    assert!(refused(&Build { disk: 1 << 30, ..task }).contains(&Remedy::MoreMemory));
}

#[test]
fn play_comes_back_unless_a_pawn_moves_or_a_piece_is_taken() {
    for (position, last) in [
        ("4k3/8/8/8/8/8/4P3/4K3", [vec!["e3", "e4"], vec![]]),
        ("8/4P3/8/8/8/3k4/8/K7", [vec!["e8=N", "e8=B", "e8=R", "e8=Q"], vec![]]),
        ("8/8/8/8/8/3k4/4Q3/K7", [vec!["Qxd3"], vec!["Kxe2"]]),
    ] {
        let walk = Subject::named("chess").unwrap().walk(Some(position)).unwrap();
        let (around, next) = OnePlyGame::new(walk.as_ref(), &walk.board::<ChessBoard>().unwrap()).unwrap();
        assert_eq!(around.arena().len(), 3 + next.len());
        let components = around.arena().components();
        for player in Player::BOTH {
            let moves = around.moves(around.arena().start(), player);
            assert!(moves.iter().map(|step| step.name.as_str()).eq(walk.moves(player)));
            let left = moves
                .iter()
                .filter(|step| components.component(step.to) != components.component(around.arena().start()));
            let mut left: Vec<&str> = left.map(|step| step.name.as_str()).collect();
            let mut last = last[player as usize].clone();
            left.sort_unstable();
            last.sort_unstable();
            assert_eq!(left, last, "{position}");
        }
    }
}
