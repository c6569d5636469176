//! Boards solved layer by layer against the unfolded arena; databases built, interrupted, damaged
//! and verified.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use richman_analysis::databases;
use richman_analysis::money::{MoneyReport, of_evaluation};
use richman_analysis::{Games, ReportHead, Request, Subject, ThresholdJson, chips, money};
use richman_core::{Choice, Effort, Error, Mechanism, Remedy, Total, Walk, Watch};
use richman_engine::Value;
use richman_files::{ObjectStore, open_store};
use richman_formats::DatabaseStake;
use richman_formats::database::{BuildOrder, DatabaseKind, KeptUnits, ReportRow};
use richman_lines::engine::database::{Answers, BoardDatabases};
use richman_lines::engine::needs::{STOP, solve};
use richman_lines::engine::{BoardStake, bounds, deepen};
use tempfile::tempdir;

use crate::positions::random_position;

fn verify(folder: &Path) -> Result<Option<String>, richman_analysis::Error> {
    databases::prove(&Games::default(), folder, &Effort::default(), &mut Vec::new())
}

fn at_start(subject: &Subject) -> Box<dyn Walk> {
    subject.walk(None).unwrap()
}

fn store(folder: &Path) -> Arc<dyn ObjectStore> {
    open_store(folder).unwrap()
}

fn task<'a>(start: &'a dyn Walk, store: &'a Arc<dyn ObjectStore>) -> BuildOrder<'a> {
    BuildOrder {
        start,
        stake: &DatabaseStake::Money,
        store,
        unit: None,
        keep: KeptUnits::All,
        disk: 1 << 30,
        effort: Effort::default(),
    }
}

fn build(order: &BuildOrder, each: &mut dyn FnMut(&ReportRow)) -> Result<Vec<ReportRow>, Error> {
    let mut rows = Vec::new();
    BoardDatabases.build(order, &mut |row| {
        each(&row);
        rows.push(row);
    })?;
    Ok(rows)
}

fn totals_of(chips: &[u64]) -> Vec<Total> {
    chips.iter().map(|&chips| Total::new(chips as u32).unwrap()).collect()
}

fn chips_of(totals: &[u64]) -> BoardStake {
    BoardStake::Chips(totals_of(totals))
}

/// Compares the whole report at one position: thresholds, bids, moves.
fn compare(subject: &Subject, walk: &dyn Walk, totals: &[u64], answers: Option<&Answers>) {
    let mechanism = Mechanism::default();
    let notation = walk.notation();
    let unfolding = subject.unfold(Some(&notation), &Effort::default()).unwrap();
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
    let effort = Effort::default();
    let (expected, _) = money::report(&request).unwrap();
    let needs = solve(walk, BoardStake::Money, &effort).unwrap().unwrap();
    let looked_up = answers.map(|answers| vec![answers.needs(walk, None, &effort).unwrap().unwrap()]);
    for needs in [Some(needs), looked_up].into_iter().flatten() {
        let found = of_evaluation(ReportHead::at(walk, &mechanism), &needs[0].evaluation(None, STOP.to_string()));
        let at = format!("{} {notation}", walk.game());
        assert_eq!((&found.win, &found.draw, &found.ratio), (&expected.win, &expected.draw, &expected.ratio), "{at}");
        assert_eq!((&found.bid, &found.draw_bid), (&expected.bid, &expected.draw_bid), "{at}");
        assert_eq!((found.zugzwang, found.exact), (expected.zugzwang, true), "{at}");
        // In a symmetric position the arena has symmetric moves only once; its names are a subset.
        for (mine, arena) in [(&found.moves, &expected.moves), (&found.draw_moves, &expected.draw_moves)] {
            assert!(arena.alice.iter().all(|name| mine.alice.contains(name)), "{at}: {mine:?} {arena:?}");
            assert!(arena.bob.iter().all(|name| mine.bob.contains(name)), "{at}: {mine:?} {arena:?}");
        }
    }
    let needs = solve(walk, chips_of(totals), &effort).unwrap().unwrap();
    for (needs, &total) in needs.iter().zip(totals) {
        let total = Total::new(total as u32).unwrap();
        let Value::Chips { win, draw, .. } = needs.evaluation(Some(total), STOP.to_string()).here else { panic!() };
        let expected = chips::report(&request, total).unwrap();
        assert_eq!(
            (ThresholdJson::from(win), ThresholdJson::from(draw)),
            (expected.win, expected.draw),
            "{notation} with {total}"
        );
    }
}

#[test]
fn layers_are_the_arena() {
    let totals = [0, 1, 2, 3, 8, 9, 50, 126, 127, 128, 1000, 40_000];
    for spec in [
        "tic-tac-toe",
        "connect:rows=3,cols=3,line=3",
        "connect:rows=4,cols=4,line=4",
        "connect:rows=4,cols=3,line=3",
        "connect:rows=2,cols=5,line=2",
        "connect:rows=1,cols=7,line=3",
        "connect:rows=5,cols=1,line=2",
        "connect:rows=3,cols=4,line=9",
        "connect:rows=3,cols=3,line=1",
        "tic-tac-toe:rows=2,cols=5,line=3",
        "tic-tac-toe:rows=1,cols=1,line=1",
    ] {
        let subject = Subject::named(spec).unwrap();
        compare(&subject, subject.walk(None).unwrap().as_ref(), &totals, None);
    }
}

#[test]
fn positions_are_those_of_the_arena() {
    let mut rng = fastrand::Rng::with_seed(10);
    for (spec, stones) in [
        ("connect:rows=4,cols=4,line=4", 3),
        ("connect:rows=4,cols=4,line=3", 4),
        ("connect", 36),
        ("connect:rows=5,cols=5,line=4", 16),
        ("tic-tac-toe:rows=4,cols=4,line=3", 8),
        ("tic-tac-toe", 3),
    ] {
        let subject = Subject::named(spec).unwrap();
        let start = subject.walk(None).unwrap();
        for _ in 0..25 {
            let walk = random_position(start.as_ref(), &mut rng, stones);
            compare(&subject, walk.as_ref(), &[0, 3, 8, 127, 200], None);
        }
    }
}

#[test]
fn databases_answer_and_verify() {
    let subject = Subject::named("connect:rows=4,cols=4,line=4").unwrap();
    let folder = tempdir().unwrap();
    let mut heard = 0;
    let levels = build(&task(at_start(&subject).as_ref(), &store(folder.path())), &mut |_| heard += 1).unwrap();
    assert_eq!((levels.len(), heard), (5, 5), "one for each number of stones in the lowest row");
    let positions = levels.iter().filter_map(|level| level.json["positions"].as_u64()).sum::<u64>();
    assert!((600_000..923_521).contains(&positions), "{positions}: without mirror images of joined units");
    let answers = Answers::open(&store(folder.path()), at_start(&subject).as_ref(), &Effort::default()).unwrap();
    let start = subject.walk(None).unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    compare(&subject, start.as_ref(), &[8], Some(&answers));
    for stones in 0..15 {
        let walk = random_position(start.as_ref(), &mut rng, stones);
        compare(&subject, walk.as_ref(), &[8], Some(&answers));
    }
    assert_eq!(verify(folder.path()).unwrap(), None);
    let other = Subject::named("tic-tac-toe").unwrap().walk(None).unwrap();
    assert!(
        answers.needs(other.as_ref(), None, &Effort::default()).unwrap_err().to_string().contains("not of tic-tac-toe")
    );
    let wrong =
        build(&task(at_start(&Subject::named("tic-tac-toe").unwrap()).as_ref(), &store(folder.path())), &mut |_| {});
    assert!(wrong.unwrap_err().to_string().contains("holds another database"));
}

#[test]
fn databases_of_chips_verify_bid_by_bid() {
    let subject = Subject::named("connect:rows=3,cols=4,line=3").unwrap();
    let folder = tempdir().unwrap();
    let (start, totals) = (at_start(&subject), totals_of(&[0, 1, 2, 7, 8, 130]));
    let store = store(folder.path());
    let stake = DatabaseStake::of(Some(&totals));
    let order = BuildOrder { stake: &stake, ..task(start.as_ref(), &store) };
    build(&order, &mut |_| {}).unwrap();
    assert_eq!(verify(folder.path()).unwrap(), None);
    let answers = Answers::open(&store, at_start(&subject).as_ref(), &Effort::default()).unwrap();
    let walk = subject.walk(None).unwrap();
    let expected = { solve(walk.as_ref(), chips_of(&[0, 1, 2, 7, 8, 130]), &Effort::default()).unwrap().unwrap() };
    for (&total, expected) in totals.iter().zip(&expected) {
        let found = answers.needs(walk.as_ref(), Some(total), &Effort::default()).unwrap().unwrap();
        assert_eq!((found.here, &found.after), (expected.here, &expected.after));
    }
}

/// A database of bounds has those of layers from the same depth, and is proved by the rules.
#[test]
fn databases_of_bounds_are_those_of_layers() {
    let subject = Subject::named("connect:rows=4,cols=5,line=4").unwrap();
    let (folder, start, stake) = (tempdir().unwrap(), at_start(&subject), DatabaseStake::Bounds(9));
    let store = store(folder.path());
    build(&BuildOrder { stake: &stake, ..task(start.as_ref(), &store) }, &mut |_| {}).unwrap();
    assert_eq!(verify(folder.path()).unwrap(), None);
    let effort = Effort::default();
    let answers = Answers::open(&store, start.as_ref(), &effort).unwrap();
    let depth_of = |positions| bounds(start.as_ref(), positions, &effort).unwrap().unwrap();
    let layers = (10..30).map(|bits| depth_of(1 << bits)).find(|found| found.depth == 9).unwrap();
    let found = answers.needs(start.as_ref(), None, &effort).unwrap().unwrap();
    assert_eq!((found.here, found.after), (layers.here, layers.after));
    let mut rng = fastrand::Rng::with_seed(7);
    for stones in 0..8 {
        let walk = random_position(start.as_ref(), &mut rng, stones);
        let exact = solve(walk.as_ref(), BoardStake::Money, &effort).unwrap().unwrap().remove(0);
        let found = answers.needs(walk.as_ref(), None, &effort).unwrap().unwrap().here.shares();
        let share = |need: u64| need as f64 / exact.unreachable as f64;
        let [draw, win] = [exact.here.draw, exact.here.win].map(share);
        assert!(found.low.to_f64() <= draw && win <= found.high.to_f64(), "{}", walk.notation());
    }
    let late = random_position(start.as_ref(), &mut rng, 12);
    assert!(late.notation().matches(['A', 'B']).count() >= 9, "{}", late.notation());
    let refused = answers.needs(late.as_ref(), None, &effort).unwrap_err().to_string();
    assert!(refused.contains("bounds of positions with fewer than 9 stones"), "{refused}");
    let refused = answers.needs(start.as_ref(), Some(Total::new(8).unwrap()), &effort).unwrap_err().to_string();
    assert!(refused.contains("is of bounds from lines after 9 stones, not of 8 chips"), "{refused}");
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn cancelled(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

/// A build takes no more memory than the plan says. The files are the same after many
/// interruptions.
#[test]
fn the_same_bytes_whatever_happens() {
    let subject = Subject::named("connect:rows=4,cols=4,line=4").unwrap();
    let [whole, small, stopped] = [(); 3].map(|()| tempdir().unwrap());
    build(&task(at_start(&subject).as_ref(), &store(whole.path())), &mut |_| {}).unwrap();
    let planned = BoardDatabases.plan(&task(at_start(&subject).as_ref(), &store(small.path()))).unwrap();
    let planned = planned.json["memory"].as_str().unwrap().parse::<u64>().unwrap();
    for memory in [planned / 3, planned] {
        let effort = Effort { memory, ..Effort::default() };
        match build(&BuildOrder { effort, ..task(at_start(&subject).as_ref(), &store(small.path())) }, &mut |_| {}) {
            Ok(_) => assert_eq!(memory, planned),
            Err(error) => assert!(memory < planned && matches!(error, Error::TooMuchMemory { .. }), "{error}"),
        }
    }
    assert!(files(whole.path()) == files(small.path()));
    let mut stops = 0;
    for patience in 1.. {
        let watch = Impatient(AtomicU32::new(patience));
        let effort = Effort { watch: &watch, ..Effort::default() };
        match build(&BuildOrder { effort, ..task(at_start(&subject).as_ref(), &store(stopped.path())) }, &mut |_| {}) {
            Ok(_) => break,
            Err(error) => assert_eq!(error.to_string(), richman_analysis::Error::Core(Error::Cancelled).to_string()),
        }
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    let mut left = files(stopped.path());
    left.retain(|(name, _)| !name.ends_with("unfinished"));
    assert!(files(whole.path()) == left);
}

/// Whoever asks only for the start needs less room, and gets the same answer after interruptions
/// and damage.
#[test]
fn two_layers_answer_at_the_start() {
    let subject = Subject::named("connect:rows=4,cols=5,line=4").unwrap();
    let (start, effort) = (at_start(&subject), Effort::default());
    let [all, few] = [(); 2].map(|()| tempdir().unwrap());
    let unit = Some(1 << 18);
    let [whole, partial] = [all.path(), few.path()].map(store);
    let order = |store| BuildOrder { unit, ..task(start.as_ref(), store) };
    build(&order(&whole), &mut |_| {}).unwrap();
    let two_layers = BuildOrder { keep: KeptUnits::TwoLayers, ..order(&partial) };
    let bytes = |folder: &Path| files(folder).iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let is_unit = |name: &String| name.starts_with("unit-");
    let units = |folder: &Path| files(folder).into_iter().filter(|(name, _)| is_unit(name)).collect::<Vec<_>>();
    let mut most = 0;
    build(&two_layers, &mut |_| most = most.max(bytes(few.path()))).unwrap();
    assert!(most < bytes(all.path()) * 2 / 3, "{most} of {}", bytes(all.path()));
    let kept = units(few.path());
    let fixed =
        |name: &String| name["unit-".len()..].split('.').take(5).map(|c| c.parse::<u32>().unwrap()).sum::<u32>();
    let small: Vec<_> = units(all.path()).into_iter().filter(|(name, _)| fixed(name) <= 1).collect();
    assert!(kept == small, "those with at most one fixed stone, with the same bytes");
    let [expected, found] = [all.path(), few.path()]
        .map(|folder| Answers::open(&store(folder), start.as_ref(), &effort).unwrap())
        .map(|answers| answers.needs(start.as_ref(), None, &effort).unwrap().unwrap());
    assert_eq!(found, expected);
    let later = random_position(start.as_ref(), &mut fastrand::Rng::with_seed(8), 1);
    let answers = Answers::open(&partial, start.as_ref(), &effort).unwrap();
    let refused = answers.needs(later.as_ref(), None, &effort).unwrap_err().to_string();
    assert!(refused.contains("keeps only the answer at the start"), "{refused}");
    assert_eq!(verify(few.path()).unwrap_err().remedies(), [Remedy::LeaveOut(Choice::KEPT_LAYERS)]);
    // A complete one is not begun again; one with damage makes what it needs.
    let computed = |rows: Vec<ReportRow>| rows.iter().filter_map(|row| row.json["computed"].as_u64()).sum::<u64>();
    assert_eq!(computed(build(&two_layers, &mut |_| {}).unwrap()), 0);
    fs::write(few.path().join(&kept[0].0), b"damaged").unwrap();
    build(&two_layers, &mut |_| {}).unwrap();
    assert!(units(few.path()) == kept);
    let stopped = tempdir().unwrap();
    let half = store(stopped.path());
    for patience in std::iter::successors(Some(4_u32), |patience| Some(patience * 3 / 2)) {
        let watch = Impatient(AtomicU32::new(patience));
        let effort = Effort { watch: &watch, ..Effort::default() };
        match build(&BuildOrder { effort, keep: KeptUnits::TwoLayers, ..order(&half) }, &mut |_| {}) {
            Ok(rows) => {
                let all = rows.iter().filter_map(|row| row.json["units"].as_u64()).sum::<u64>();
                let last = computed(rows);
                assert!(last < all * 3 / 4, "the last one goes on from what is there: {last} of {all}");
                break;
            }
            Err(error) => assert_eq!(error.to_string(), Error::Cancelled.to_string()),
        }
    }
    assert!(units(stopped.path()) == kept);
    for (folder, order) in [(few.path(), order(&partial)), (all.path(), two_layers)] {
        let store = store(folder);
        let refused = build(&BuildOrder { store: &store, ..order }, &mut |_| {}).unwrap_err().to_string();
        assert!(refused.contains("that keeps"), "{refused}");
    }
}

#[test]
fn damage_is_found_and_named() {
    let subject = Subject::named("connect:rows=4,cols=4,line=3").unwrap();
    let folder = tempdir().unwrap();
    build(&task(at_start(&subject).as_ref(), &store(folder.path())), &mut |_| {}).unwrap();
    let path = folder.path().join("unit-1.1.1.1.0.rmu");
    let bytes = fs::read(&path).unwrap();
    let mut rng = fastrand::Rng::with_seed(5);
    for round in 0..100 {
        let mut damaged = bytes.clone();
        match round % 3 {
            0 => damaged.truncate(rng.usize(..bytes.len())),
            _ => damaged[rng.usize(..bytes.len())] ^= 1 << rng.u32(..8),
        }
        fs::write(&path, &damaged).unwrap();
        let found = verify(folder.path());
        let message = found.expect_err("every bit counts").to_string();
        assert!(message.contains("unit-1.1.1.1.0.rmu"), "{round}: {message}");
    }
    // An undamaged file: the unit of another line length.
    let other = tempdir().unwrap();
    let longer = Subject::named("connect:rows=4,cols=4,line=2").unwrap();
    build(&task(at_start(&longer).as_ref(), &store(other.path())), &mut |_| {}).unwrap();
    let stranger = fs::read(other.path().join("unit-1.1.1.1.0.rmu")).unwrap();
    fs::write(&path, &stranger).unwrap();
    let found = verify(folder.path()).unwrap_err().to_string();
    assert!(found.contains("unit-1.1.1.1.0.rmu is of another database"), "{found}");
    // A build makes what is damaged or missing again, and only that, with a manifest and without.
    let reader = folder.path().join("unit-0.1.1.1.0.rmu");
    let right = fs::read(&reader).unwrap();
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for damage in [&bytes[..bytes.len() - 1], &damaged, &bytes[..0], &stranger] {
        for has_manifest in [true, false] {
            fs::write(&path, damage).unwrap();
            if has_manifest {
                fs::remove_file(&reader).unwrap();
            } else {
                fs::remove_file(folder.path().join("database.json")).unwrap();
            }
            let levels = build(&task(at_start(&subject).as_ref(), &store(folder.path())), &mut |_| {}).unwrap();
            let again: Vec<&str> = levels.iter().filter_map(|level| level.json["again"][0].as_str()).collect();
            let expected = ["unit-1.1.1.1.0.rmu", "unit-0.1.1.1.0.rmu"];
            assert_eq!(again, expected[..if has_manifest { 2 } else { 1 }]);
            assert!(fs::read(&path).unwrap() == bytes && fs::read(&reader).unwrap() == right);
        }
    }
    fs::write(folder.path().join("unit-9.rmu"), &bytes).unwrap();
    let verdict = databases::verify(&Games::default(), folder.path(), &Effort::default()).unwrap();
    assert_eq!((verdict.valid, &verdict.others[..]), (true, &["unit-9.rmu".to_string()][..]));
}

/// A unit is known by its game, its stake and its cut, and a database keeps its cut.
#[test]
fn databases_keep_their_cut() {
    let subject = Subject::named("connect:rows=4,cols=4,line=3").unwrap();
    let folder = tempdir().unwrap();
    build(&task(at_start(&subject).as_ref(), &store(folder.path())), &mut |_| {}).unwrap();
    let manifest = folder.path().join("database.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut other: serde_json::Value = serde_json::from_str(&text).unwrap();
    other["cut"]["aim"] = 1.into();
    other["files"] = serde_json::json!({});
    fs::write(&manifest, other.to_string()).unwrap();
    let levels = build(&task(at_start(&subject).as_ref(), &store(folder.path())), &mut |_| {}).unwrap();
    assert!(levels.iter().all(|level| level.json["computed"].as_u64() > Some(0)), "{levels:?}");
    let verdict = databases::verify(&Games::default(), folder.path(), &Effort::default()).unwrap();
    assert!(verdict.valid && !fs::read_to_string(&manifest).unwrap().contains(r#""aim": 33554432"#), "{verdict:?}");
    for (key, value) in [("aim", serde_json::json!(u64::MAX)), ("depth", serde_json::json!([5, 5, 5, 5]))] {
        other["cut"][key] = value;
        fs::write(&manifest, other.to_string()).unwrap();
        assert!(verify(folder.path()).is_err(), "{key}");
        assert!(build(&task(at_start(&subject).as_ref(), &store(folder.path())), &mut |_| {}).is_err(), "{key}");
    }
}

#[test]
fn what_is_too_large_says_so_first() {
    let subject = Subject::named("connect").unwrap();
    let parent = tempdir().unwrap();
    let folder = parent.path().join("large");
    let plan = BoardDatabases.plan(&task(at_start(&subject).as_ref(), &store(&folder))).unwrap();
    assert_eq!(plan.json["positions"], "532875860165503"); // 127^7
    let refused = build(&task(at_start(&subject).as_ref(), &store(&folder)), &mut |_| {}).unwrap_err();
    assert!(refused.to_string().contains("on the disk"), "{refused}");
    assert!(!folder.exists());
    for spec in ["tic-tac-toe:rows=7,cols=8", "hex:size=3", "ultimatum"] {
        let subject = Subject::named(spec).unwrap();
        assert!(build(&task(at_start(&subject).as_ref(), &store(&folder)), &mut |_| {}).is_err(), "{spec}");
    }
}

fn deepened(walk: &dyn Walk, enough: f64, file: Option<&Path>, memory: u64) -> (MoneyReport, Option<f64>) {
    let mechanism = Mechanism::default();
    let effort = Effort { memory, ..Effort::default() };
    let evaluation = deepen(walk, enough, file, &effort).unwrap().unwrap();
    (of_evaluation(ReportHead::at(walk, &mechanism), &evaluation), evaluation.origin.depth)
}

/// With room for the whole board the answer is exact; with less, bounds hold the exact value and
/// the file resumes them.
#[test]
fn deepening_holds_the_threshold_and_closes_on_it() {
    let folder = tempdir().unwrap();
    for (spec, position) in [
        ("connect:rows=4,cols=5,line=4", None),
        ("connect:rows=5,cols=4,line=4", Some("..../..../B.../A.B./BAAB")),
        ("connect:rows=4,cols=5,line=3", None),
    ] {
        let subject = Subject::named(spec).unwrap();
        let walk = subject.walk(position).unwrap();
        let file = folder.path().join(format!("{}.json", spec.replace(':', "-")));
        let exact = deepened(walk.as_ref(), 0.0, None, 1 << 30).0;
        assert!(exact.exact);
        let mut depths = Vec::new();
        let mut width = f64::INFINITY;
        for wide in [0.5, 0.3, 0.2, 0.0] {
            let (found, depth) = deepened(walk.as_ref(), wide, Some(&file), 300_000);
            assert!(!found.exact || found.win == exact.win, "{spec}");
            for (bounds, exact) in [(&found.win, &exact.win), (&found.draw, &exact.draw)] {
                assert!(bounds.0.low <= exact.0.low && exact.0.high <= bounds.0.high, "{spec}: {bounds:?} {exact:?}");
            }
            let now = found.win.0.high.to_f64() - found.win.0.low.to_f64();
            assert!(now <= width, "{spec}: {now} after {width}");
            width = now;
            depths.push(depth.unwrap_or(f64::INFINITY)); // to the end of the board
        }
        assert!(depths.is_sorted() && depths[0] < depths[3], "{spec}: {depths:?}");
        let end = deepened(walk.as_ref(), 0.0, Some(&file), 1 << 30).0;
        assert_eq!((end.exact, end.win, end.draw, end.moves), (true, exact.win, exact.draw, exact.moves), "{spec}");
    }
    let walk = Subject::named("connect").unwrap().walk(None).unwrap();
    let other = folder.path().join("connect-rows=4,cols=5,line=4.json");
    let effort = Effort::default();
    let refused = |file: PathBuf| deepen(walk.as_ref(), 0.5, Some(&file), &effort).unwrap_err().to_string();
    assert!(refused(other).contains("name another file"));
    for junk in ["", "{}", "[1]", "{\"format\":\"richman bounds\"}"] {
        let file = folder.path().join("junk.json");
        fs::write(&file, junk).unwrap();
        assert!(refused(file).contains("not a file of bounds"), "{junk}");
    }
}

/// The guide's table agrees with docs/connect.md, which the catalog recomputes.
#[test]
fn both_printed_tables_of_connect_four_agree() {
    let page = |name: &str| fs::read_to_string(format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (guide, record) = (page("docs/guide/src/boards.md"), page("docs/connect.md"));
    let table = guide.lines().skip_while(|line| !line.starts_with("| Connect Four, rows x columns")).skip(2);
    let mut compared = 0;
    for row in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [board, need, decimal, moves, _] = cells[..] else { panic!("{row}") };
        let recorded = format!("| 4 | {} | {need} | {decimal} | {moves} |", board.replace(" x ", " | "));
        assert!(record.contains(&recorded), "{recorded}");
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}
