//! Saved chip solutions under every mechanism: true ones are proved, and every change is refused,
//! as text and in memory, unless it is true of the changed subject.

use crate::games;
use crate::judge;

use crate::every_mechanism;

use std::collections::BTreeMap;
use std::sync::Mutex;

use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::saved::win::{CellStage, ChipClaims, PurseClaims};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_analysis::{Games, Request, Subject, saved};
use richman_check::verify;
use richman_core::{
    ByPlayer, ChipSolution, Effort, Mechanism, Payment, PurseSolution, Purses, Stage, Ties, Total, Unfolding, Unwatched,
};
use richman_formats::read;
use richman_solvers::{chips, purses};

use every_mechanism::{Solution, combinations, solve};
use games::{CAROUSEL, DETOUR, STANDOFF};
use judge::{PANIC, Verdict, judge, judge_text, text};

/// Both players can stay forever, and nobody ever wins.
const IDLE: &str = r#"{"name": "idle", "start": "s", "positions": {
    "s": {"both": ["s", "tie"]}, "tie": {"winner": "none"}}}"#;

const GAMES: [&str; 5] = [CAROUSEL, STANDOFF, "ultimatum:degree=2", DETOUR, "tug-of-war:length=4,at=1"];

struct Case {
    subject: Subject,
    unfolding: Box<dyn Unfolding>,
    name: String,
    saved: SavedSolution,
}

impl Case {
    /// The true claim about the same game for other chips or another mechanism, if any.
    fn truth(&self, mechanism: &Mechanism, claim: &SolutionClaim) -> Option<SolutionClaim> {
        let (arena, effort) = (self.unfolding.arena(), Effort::default());
        let solution = match claim {
            SolutionClaim::Chips(ChipClaims { totals }) => {
                Solution::Chips(chips::solve(arena, mechanism, totals[0].total, &effort).ok()?)
            }
            SolutionClaim::Purses(PurseClaims { ranges }) => {
                Solution::Purses(purses::solve(arena, mechanism, ranges[0].purses, &effort).ok()?)
            }
            _ => return None,
        };
        Some(save(&self.subject, self.unfolding.as_ref(), mechanism, &[solution]).claim)
    }
}

fn save(subject: &Subject, unfolding: &dyn Unfolding, mechanism: &Mechanism, solutions: &[Solution]) -> SavedSolution {
    let request = Request { unfolding, mechanism, effort: Effort::default() };
    let (mut chips, mut purses) = (Vec::new(), Vec::new());
    for solution in solutions {
        match solution {
            Solution::Chips(solution) => chips.push(solution.clone()),
            Solution::Purses(solution) => purses.push(solution.clone()),
        }
    }
    if purses.is_empty() {
        saved::chips(subject, &request, &chips).unwrap()
    } else {
        saved::purses(subject, &request, &purses).unwrap()
    }
}

fn subject(game: &str) -> Subject {
    let named = |text: &str| Subject::from_file("game.json", text.as_bytes(), &Effort::default()).unwrap();
    if game.starts_with('{') { named(game) } else { Subject::named(game).unwrap() }
}

/// All saved solutions of a game under a mechanism.
fn cases(number: usize, mechanism: &Mechanism) -> Vec<Case> {
    let game = GAMES[number % GAMES.len()];
    let total = (number as u32 / 5 % 4 + 1).max((2 * mechanism.bids.least()).saturating_sub(1));
    let arena = |subject: &Subject| subject.unfold(None, &Effort::default()).unwrap();
    let solutions = solve(arena(&subject(game)).arena(), mechanism, total, &Effort::default());
    let case = |solution| {
        let subject = subject(game);
        let unfolding = arena(&subject);
        let saved = save(&subject, unfolding.as_ref(), mechanism, &[solution]);
        let name = format!("{}, {mechanism}, total {total}", subject.name());
        Case { subject, unfolding, name, saved }
    };
    solutions.into_iter().map(case).collect()
}

#[test]
fn every_solution_reads_back_and_is_proved() {
    combinations().par_iter().enumerate().for_each(|(number, mechanism)| {
        for case in cases(number, mechanism) {
            let text = text(&case.saved);
            assert_eq!(read("solution.json", &text).unwrap(), case.saved, "{}", case.name);
            let verdict = judge_text(&text);
            assert!(matches!(verdict, Verdict::Valid), "{}: {verdict:?}", case.name);
        }
    });
}

#[test]
fn several_ranges_of_purses_are_proved_each() {
    let mechanism = Mechanism { bids: "1+2".parse().unwrap(), ..Mechanism::default() };
    let subject = subject(CAROUSEL);
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let solution =
        |total| purses::solve(unfolding.arena(), &mechanism, Purses::Exactly(total), &Effort::default()).unwrap();
    let solutions: Vec<Solution> = (1..=6).map(|total| Solution::Purses(solution(total))).collect();
    let mut saved = save(&subject, unfolding.as_ref(), &mechanism, &solutions);
    assert!(matches!(judge_text(&text(&saved)), Verdict::Valid));
    let SolutionClaim::Purses(PurseClaims { ranges }) = &mut saved.claim else { panic!("purses were saved") };
    ranges[3].positions.swap_remove(0);
    assert!(matches!(judge_text(&text(&saved)), Verdict::Wrong(_)));
}

/// Numbers in a file must not decide an allocation.
#[test]
fn large_purses_take_no_memory() {
    let mechanism = Mechanism { payment: Payment::Poorman, ..Mechanism::default() };
    let few = Purses::UpTo { alice: 3, bob: 3 };
    let many = Purses::UpTo { alice: 1 << 28, bob: 1 << 28 };
    for (game, valid) in [(STANDOFF, false), (IDLE, true)] {
        let subject = subject(game);
        let unfolding = subject.unfold(None, &Effort::default()).unwrap();
        let solution = purses::solve(unfolding.arena(), &mechanism, few, &Effort::default()).unwrap();
        let mut saved = save(&subject, unfolding.as_ref(), &mechanism, &[Solution::Purses(solution)]);
        let SolutionClaim::Purses(PurseClaims { ranges }) = &mut saved.claim else { panic!("purses were saved") };
        ranges[0].purses = many;
        match judge_text(&text(&saved)) {
            Verdict::Valid => assert!(valid, "{game}"),
            Verdict::Wrong(wrong) => assert!(!valid && wrong.contains("there must be"), "{game}: {wrong}"),
            Verdict::Error(error) => panic!("{game}: {error}"),
        }
    }
    // Even a file long enough for its purses meets the memory limit.
    let subject = subject(STANDOFF);
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let purses = Purses::UpTo { alice: 40, bob: 40 };
    let solution = purses::solve(unfolding.arena(), &mechanism, purses, &Effort::default()).unwrap();
    let saved = save(&subject, unfolding.as_ref(), &mechanism, &[Solution::Purses(solution)]);
    let limits = Effort { memory: saved.claim.bytes() + (1 << 12), ..Effort::default() };
    let error = saved::verify(&Games::default(), saved.clone(), &limits).unwrap_err();
    assert!(error.to_string().contains("the cells of the saved solution"), "{error}");
    assert!(saved::verify(&Games::default(), saved, &Effort::default()).unwrap().valid);
}

/// The verifier itself refuses what the registry refuses.
#[test]
fn claims_of_which_nothing_can_be_proved_are_refused() {
    let subject = subject(STANDOFF);
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let (arena, effort) = (unfolding.arena(), Effort::default());
    let poorman = Mechanism { payment: Payment::Poorman, ..Mechanism::default() };
    let up_to = purses::solve(arena, &poorman, Purses::UpTo { alice: 3, bob: 3 }, &effort).unwrap();
    let exactly = purses::solve(arena, &Mechanism::default(), Purses::Exactly(3), &effort).unwrap();
    let total = chips::solve(arena, &Mechanism::default(), Total::new(3).unwrap(), &effort).unwrap();
    let unprovable = |proved| assert!(matches!(proved, Err(verify::Flaw::Unprovable(_))), "{proved:?}");
    let changed = |solution: &PurseSolution, change: &dyn Fn(&mut PurseSolution)| {
        let mut solution = solution.clone();
        change(&mut solution);
        unprovable(verify::purses(arena, &solution, &Unwatched));
    };
    for payment in ["richman", "taxman:1/2"] {
        changed(&up_to, &|solution| solution.mechanism.payment = payment.parse().unwrap());
    }
    changed(&up_to, &|solution| solution.mechanism.bids = "1".parse().unwrap());
    changed(&up_to, &|solution| solution.mechanism.ties = Ties::Marker);
    changed(&up_to, &|solution| solution.mechanism.ties = Ties::Alice);
    changed(&up_to, &|solution| solution.purses = Purses::UpTo { alice: 3, bob: 4 });
    changed(&up_to, &|solution| solution.purses = Purses::UpTo { alice: 3, bob: u32::MAX });
    changed(&exactly, &|solution| solution.mechanism = poorman.clone());
    changed(&exactly, &|solution| solution.mechanism.bids = "3".parse().unwrap());
    changed(&exactly, &|solution| solution.guards = Some(solution.wins.clone()));
    for mechanism in [
        poorman.clone(),
        Mechanism { bids: "1+2".parse().unwrap(), ..Mechanism::default() },
        Mechanism { ties: Ties::Marker, ..Mechanism::default() },
    ] {
        unprovable(verify::chips(arena, &ChipSolution { mechanism, ..total.clone() }, &Unwatched));
    }
}

/// A stage as a list of numbers.
trait Numbers: Copy + PartialEq {
    /// The same stage with one number changed.
    fn changed(self) -> Vec<Self>;
}

/// One more and one less.
fn near(number: u32) -> impl Iterator<Item = u32> {
    [number.checked_add(1), number.checked_sub(1)].into_iter().flatten()
}

impl Numbers for Stage {
    fn changed(self) -> Vec<Stage> {
        let mut changed: Vec<Stage> = near(self.within).map(|within| Stage { within, ..self }).collect();
        for plain in near(self.threshold.plain) {
            let mut stage = self;
            stage.threshold.plain = plain;
            changed.push(stage);
        }
        for star in near(self.threshold.star) {
            let mut stage = self;
            stage.threshold.star = star;
            changed.push(stage);
        }
        changed
    }
}

impl Numbers for CellStage {
    fn changed(self) -> Vec<CellStage> {
        let mut changed = vec![CellStage { star: !self.star, ..self }];
        changed.extend(near(self.other).map(|other| CellStage { other, ..self }));
        for within in near(self.stage.within) {
            let mut stage = self;
            stage.stage.within = within;
            changed.push(stage);
        }
        for least in near(self.stage.least) {
            let mut stage = self;
            stage.stage.least = least;
            changed.push(stage);
        }
        changed
    }
}

/// Other stages, with the name of the change.
fn other_stages<S: Numbers>(stages: &[S]) -> Vec<(&'static str, Vec<S>)> {
    let mut others = vec![("all stages dropped", Vec::new()), ("reversed", stages.iter().rev().copied().collect())];
    for (at, &stage) in stages.iter().enumerate() {
        let with = |edit: &dyn Fn(&mut Vec<S>)| {
            let mut other = stages.to_vec();
            edit(&mut other);
            other
        };
        for changed in stage.changed() {
            others.push(("a number changed", with(&|other| other[at] = changed)));
            others.push(("a stage more", with(&|other| other.insert(at + 1, changed))));
            others.push(("a stage before", with(&|other| other.insert(at, changed))));
        }
        others.push(("a stage dropped", with(&|other| _ = other.remove(at))));
        others.push(("a stage twice", with(&|other| other.insert(at, stage))));
        others.push(("two stages exchanged", with(&|other| other.swap(at, (at + 1) % stages.len()))));
        others.push(("the stages after dropped", with(&|other| other.truncate(at + 1))));
    }
    others
}

/// The stages of a position: Alice's, Bob's, and both players' to draw.
fn lists<'a, S>(wins: &'a mut ByPlayer<Vec<S>>, guards: &'a mut Option<ByPlayer<Vec<S>>>) -> Vec<&'a mut Vec<S>> {
    wins.iter_mut().chain(guards.iter_mut().flat_map(ByPlayer::iter_mut)).collect()
}

fn corrupt<S: Numbers>(mut lists: Vec<&mut Vec<S>>, rng: &mut Rng) -> &'static str {
    let which = rng.usize(0..lists.len());
    let list = &mut lists[which];
    let (kind, other) = other_stages(list).swap_remove(rng.usize(0..other_stages(list).len()));
    **list = other;
    kind
}

/// The claim with the stages of a random position changed.
fn with_other_stages(claim: &SolutionClaim, rng: &mut Rng) -> (&'static str, SolutionClaim) {
    let mut claim = claim.clone();
    let kind = match &mut claim {
        SolutionClaim::Chips(ChipClaims { totals }) => {
            let at = rng.usize(0..totals[0].positions.len());
            let value = &mut totals[0].positions[at];
            corrupt(lists(&mut value.wins, &mut value.guards), rng)
        }
        SolutionClaim::Purses(PurseClaims { ranges }) => {
            let at = rng.usize(0..ranges[0].positions.len());
            let value = &mut ranges[0].positions[at];
            corrupt(lists(&mut value.wins, &mut value.guards), rng)
        }
        _ => unreachable!("claims with chips"),
    };
    (kind, claim)
}

/// In memory the order of cells does not matter.
fn in_order(mut claim: SolutionClaim) -> SolutionClaim {
    if let SolutionClaim::Purses(PurseClaims { ranges }) = &mut claim {
        for value in ranges.iter_mut().flat_map(|claim| &mut claim.positions) {
            for list in lists(&mut value.wins, &mut value.guards) {
                list.sort_by_key(|stage| (stage.star, stage.other));
            }
        }
    }
    claim
}

/// Applies a change to every position of a claim.
macro_rules! each_position {
    ($claim:expr, |$at:ident, $value:ident| $change:expr) => {{
        let mut claim = $claim.clone();
        match &mut claim {
            SolutionClaim::Chips(ChipClaims { totals }) => {
                totals[0].positions.iter_mut().enumerate().for_each(|($at, $value)| $change)
            }
            SolutionClaim::Purses(PurseClaims { ranges }) => {
                ranges[0].positions.iter_mut().enumerate().for_each(|($at, $value)| $change)
            }
            _ => unreachable!("claims with chips"),
        }
        claim
    }};
}

/// Claims with other positions, with needs to draw added, removed or exchanged, and with another
/// head.
fn other_claims(claim: &SolutionClaim, rng: &mut Rng) -> Vec<(&'static str, SolutionClaim)> {
    let mut others = Vec::new();
    let mut of_positions = |kind, change: &dyn Fn(&mut SolutionClaim)| {
        let mut other = claim.clone();
        change(&mut other);
        others.push((kind, other));
    };
    let count = match claim {
        SolutionClaim::Chips(ChipClaims { totals }) => totals[0].positions.len(),
        SolutionClaim::Purses(PurseClaims { ranges }) => ranges[0].positions.len(),
        _ => unreachable!("claims with chips"),
    };
    let one = rng.usize(0..count);
    of_positions("a position missing", &|claim| match claim {
        SolutionClaim::Chips(ChipClaims { totals }) => drop(totals[0].positions.remove(one)),
        SolutionClaim::Purses(PurseClaims { ranges }) => drop(ranges[0].positions.remove(one)),
        _ => {}
    });
    of_positions("a position twice", &|claim| match claim {
        SolutionClaim::Chips(ChipClaims { totals }) => {
            let value = totals[0].positions[one].clone();
            totals[0].positions.push(value);
        }
        SolutionClaim::Purses(PurseClaims { ranges }) => {
            let value = ranges[0].positions[one].clone();
            ranges[0].positions.push(value);
        }
        _ => {}
    });
    of_positions("an unknown position", &|claim| match claim {
        SolutionClaim::Chips(ChipClaims { totals }) => totals[0].positions[one].position.push('x'),
        SolutionClaim::Purses(PurseClaims { ranges }) => ranges[0].positions[one].position.push('x'),
        _ => {}
    });
    for (kind, which, up) in
        [("the head", 0, true), ("the head", 0, false), ("the head", 1, true), ("the head", 1, false)]
    {
        of_positions(kind, &|claim| {
            if let SolutionClaim::Chips(ChipClaims { totals }) = claim {
                let head = if which == 0 { &mut totals[0].win } else { &mut totals[0].draw };
                head.star = if up { head.star + 1 } else { head.star.saturating_sub(1) };
            }
        });
    }
    others.push(("nothing said of draws", each_position!(claim, |_at, value| value.guards = None)));
    others.push((
        "draws left out once",
        each_position!(claim, |at, value| if at == one {
            value.guards = None
        }),
    ));
    others.push((
        "draws exchanged",
        each_position!(claim, |_at, value| value
            .guards
            .iter_mut()
            .for_each(|guards| *guards = std::mem::take(guards).swapped())),
    ));
    others.push((
        "draws that need nothing",
        each_position!(claim, |_at, value| value.guards = Some(ByPlayer::new(Vec::new(), Vec::new()))),
    ));
    others.push((
        "draws said once",
        each_position!(claim, |at, value| if at == one {
            value.guards = if value.guards.is_some() { None } else { Some(ByPlayer::new(Vec::new(), Vec::new())) };
        }),
    ));
    others.push(("wins for draws", each_position!(claim, |_at, value| value.guards = Some(value.wins.clone()))));
    others.push((
        "players exchanged",
        each_position!(claim, |_at, value| value.wins = std::mem::take(&mut value.wins).swapped()),
    ));
    others
}

/// The same claim for other chips.
fn other_chips(claim: &SolutionClaim) -> Vec<SolutionClaim> {
    let purses = |purses: Purses| {
        let mut claim = claim.clone();
        if let SolutionClaim::Purses(PurseClaims { ranges }) = &mut claim {
            ranges[0].purses = purses;
        }
        claim
    };
    match claim {
        SolutionClaim::Chips(ChipClaims { totals }) => near(totals[0].total.chips())
            .map(|total| {
                let mut claim = claim.clone();
                if let SolutionClaim::Chips(ChipClaims { totals }) = &mut claim {
                    totals[0].total = Total::new(total).unwrap();
                }
                claim
            })
            .collect(),
        SolutionClaim::Purses(PurseClaims { ranges }) => {
            let most = ranges[0].purses.most(richman_core::Player::Alice);
            let of = |total: u32| {
                [Purses::Exactly(total), Purses::Together(total), Purses::UpTo { alice: total, bob: total }]
            };
            let mut others: Vec<Purses> = near(most).chain([most]).flat_map(of).collect();
            others.push(Purses::UpTo { alice: most + 1, bob: most });
            others.push(Purses::UpTo { alice: most, bob: most + 1 });
            others.into_iter().map(purses).collect()
        }
        _ => unreachable!("claims with chips"),
    }
}

/// The unexpected verdict, if any.
fn complaint(solution: &SavedSolution, is_true: bool) -> Option<String> {
    let verdicts = [judge_text(&text(solution)), judge(solution.clone())];
    let fine = |verdict: &Verdict| match verdict {
        Verdict::Valid => is_true,
        Verdict::Wrong(wrong) => !is_true && wrong != PANIC,
        Verdict::Error(error) => !is_true && !error.is_empty(),
    };
    // Solutions that are true only in memory, such as stages in another order, may be refused as
    // text.
    verdicts.iter().find(|verdict| !fine(verdict)).map(|verdict| format!("{verdict:?}, but it is {is_true}"))
}

#[test]
fn whatever_is_changed_is_refused() {
    const STRIDE: usize = 5;
    const TRIES: usize = 200;
    let combinations = combinations();
    let kinds: Mutex<BTreeMap<&'static str, [usize; 2]>> = Mutex::default();
    let complaints: Vec<String> = combinations
        .par_iter()
        .enumerate()
        // If play may be undetermined there is more to change.
        .filter(|(number, mechanism)| number % STRIDE == 0 || !mechanism.is_determined())
        .flat_map_iter(|(number, mechanism)| {
            let mut rng = Rng::with_seed(number as u64);
            let mut complaints = Vec::new();
            for case in cases(number, mechanism) {
                let mut try_one = |kind: &'static str, mechanism: &Mechanism, claim: SolutionClaim, is_true: bool| {
                    kinds.lock().unwrap().entry(kind).or_default()[usize::from(is_true)] += 1;
                    let changed = SavedSolution { mechanism: mechanism.clone(), claim, ..case.saved.clone() };
                    if let Some(what) = complaint(&changed, is_true) {
                        let text = String::from_utf8(text(&changed)).unwrap();
                        complaints.push(format!("{}: {kind}: {what}\n{text}", case.name));
                    }
                };
                let true_claim = &case.saved.claim;
                for _ in 0..TRIES {
                    let (kind, claim) = with_other_stages(true_claim, &mut rng);
                    if in_order(claim.clone()) != *true_claim {
                        try_one(kind, mechanism, claim, false);
                    }
                }
                for (kind, claim) in other_claims(true_claim, &mut rng) {
                    if claim != *true_claim {
                        try_one(kind, mechanism, claim, false);
                    }
                }
                for claim in other_chips(true_claim) {
                    if claim != *true_claim {
                        let is_true = case.truth(mechanism, &claim).as_ref() == Some(&claim);
                        try_one("other chips", mechanism, claim, is_true);
                    }
                }
                for _ in 0..12 {
                    let mut other = combinations[rng.usize(0..combinations.len())].clone();
                    // Most choices stay, so that some changes change nothing.
                    if rng.bool() {
                        (other.payment, other.ties) = (mechanism.payment.clone(), mechanism.ties);
                    }
                    if rng.bool() {
                        (other.bids, other.right) = (mechanism.bids.clone(), mechanism.right);
                    }
                    let is_true = case.truth(&other, true_claim).as_ref() == Some(true_claim);
                    try_one("another mechanism", &other, true_claim.clone(), is_true);
                }
            }
            complaints
        })
        .collect();
    let kinds = kinds.into_inner().unwrap();
    println!("false and true claims of each kind: {kinds:#?}");
    let count = complaints.len();
    assert!(complaints.is_empty(), "{count} complaints, such as:\n{}", complaints[..count.min(5)].join("\n"));
    assert!(kinds.len() >= 20 && kinds.values().all(|counts| counts[0] >= 10), "{kinds:?}");
    assert!(kinds["another mechanism"][1] > 50, "{kinds:?}");
}
