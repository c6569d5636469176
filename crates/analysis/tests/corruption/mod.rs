//! Corrupted solutions: the verifier refuses every one, and names the wrong position if there is
//! one.
//!
//! Each kind of corruption makes variants of real solutions of small games, at every possible
//! position, stage and threshold. Every variant is refused twice: after writing and reading, and in
//! memory, where only the verifier can refuse stages and thresholds that no reader accepts.

use crate::games;
use crate::judge;

mod heads;
mod positions;
mod shares;
mod stages;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use games::{CAROUSEL, DETOUR, STANDOFF};
use judge::{PANIC, Verdict, judge, judge_text, text};
use rayon::prelude::*;
use richman_analysis::saved::win::{ChipClaim, ChipClaims, ChipValue, MoneyClaim, MoneyValue};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_analysis::{Request, Subject, money, saved};
use richman_core::{
    Bidding, Bids, Effort, Exactness, Mechanism, Node, Payment, Player, Right, Share, ShareBounds, Stage, Terminal,
    Threshold, Ties, Total, Unfolding,
};
use richman_formats::{SavedGame, read};
use richman_solvers::chips;
use richman_solvers::money::threshold;

/// Rungs `x`, `y` and `z` on which both players can stay. Alice can leave for `poor`, where her
/// chance is a third, Bob for `rich`, where it is two thirds. Every chance between these satisfies
/// the rungs' equations.
const RUNGS: &str = r#"{"name": "rungs", "start": "x", "positions": {
    "x": {"alice": ["y", "poor"], "bob": ["y", "rich"]},
    "y": {"alice": ["x", "z"], "bob": ["z", "x"]},
    "z": {"alice": ["z", "poor"], "bob": ["y", "z"]},
    "poor": {"alice": ["rich"], "bob": ["loss"]},
    "rich": {"alice": ["win"], "bob": ["poor"]},
    "win": {"winner": "alice"}, "loss": {"winner": "bob"}}}"#;

/// Maps a position, a total and the stages there to other lists of stages.
type OtherStages<'a> = &'a dyn Fn(usize, Total, &[Stage]) -> Vec<Vec<Stage>>;

/// A real solution, and facts about its game.
struct Case {
    name: String,
    solution: SavedSolution,
    unfolding: Box<dyn Unfolding>,
    /// The positions for variants: all, or a sample in a large game.
    sample: Vec<usize>,
    /// The exact shares at every position, if the solution has bounds.
    truth: Option<Vec<MoneyValue>>,
}

/// A game from its name, or from the text of a game file.
fn subject(game: &str) -> Subject {
    let named = |text: &str| Subject::from_file("game.json", text.as_bytes(), &Effort::default()).unwrap();
    if game.starts_with('{') { named(game) } else { Subject::named(game).unwrap() }
}

/// Solves for real money (no totals) or for chips.
fn solve(
    subject: &Subject,
    position: Option<&str>,
    mechanism: &Mechanism,
    totals: &[u64],
    exactness: Exactness,
) -> Option<SavedSolution> {
    let unfolding = subject.unfold(position, &Effort::default()).ok()?;
    let effort = Effort { exactness, ..Effort::default() };
    let request = Request { unfolding: unfolding.as_ref(), mechanism, effort };
    if totals.is_empty() {
        let (_, solution) = money::report(&request).ok()?;
        return saved::money(subject, &request, &solution).ok();
    }
    let solve =
        |&total: &u64| chips::solve(unfolding.arena(), mechanism, Total::new(total as u32).ok()?, &request.effort).ok();
    let solutions: Option<Vec<_>> = totals.iter().map(solve).collect();
    saved::chips(subject, &request, &solutions?).ok()
}

fn case(game: &str, right: Right, totals: &[u64]) -> Case {
    let subject = subject(game);
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let mechanism = Mechanism { right, ..Mechanism::default() };
    let solution = solve(&subject, None, &mechanism, totals, Exactness::Required).unwrap();
    let count = unfolding.arena().len();
    // All positions of a small game; about seven of a large one, spread evenly, with the start.
    let sample = (0..count).step_by(if count <= 40 { 1 } else { count / 6 }).collect();
    let money = if totals.is_empty() { "money".to_string() } else { format!("chips {totals:?}") };
    Case { name: format!("{}, {money}, {right}", subject.name()), solution, unfolding, sample, truth: None }
}

/// A case with bounds for real money.
fn bounded(game: &str, right: Right) -> Case {
    let exact = case(game, right, &[]);
    let mechanism = Mechanism { right, ..Mechanism::default() };
    let solution = solve(&subject(game), None, &mechanism, &[], Exactness::Bounds).unwrap();
    Case { name: format!("{}, bounds", exact.name), truth: Some(exact.shares().to_vec()), solution, ..exact }
}

/// A real-money case in which part of a bid leaves the game; exact, so without cycles.
fn paid(game: &str, payment: &str, right: Right, exactness: Exactness) -> Case {
    let case = case(game, right, &[]);
    let mechanism = Mechanism { payment: payment.parse().unwrap(), right, ..Mechanism::default() };
    let exact = solve(&subject(game), None, &mechanism, &[], Exactness::Required).unwrap();
    let solution = solve(&subject(game), None, &mechanism, &[], exactness).unwrap();
    let name = format!("{}, {payment}", case.name);
    match exactness {
        Exactness::Bounds => {
            let truth = Case { solution: exact, ..case };
            let shares = truth.shares().to_vec();
            Case { name: format!("{name}, bounds"), truth: Some(shares), solution, ..truth }
        }
        _ => Case { name, solution, ..case },
    }
}

fn cases() -> Vec<Case> {
    use Right::{Chooses, Moves};
    let three = "connect:rows=3,cols=3,line=3";
    vec![
        case("tic-tac-toe", Chooses, &[]),
        case("tic-tac-toe", Chooses, &[8]),
        case(three, Chooses, &[]),
        case(three, Chooses, &[4]),
        case("tug-of-war", Chooses, &[8]),
        case("tug-of-war:length=5,at=1", Chooses, &[0, 1, 3]),
        case("tug-of-war", Moves, &[5]),
        case("ultimatum", Chooses, &[6]),
        case("ultimatum:degree=2", Moves, &[6]),
        case("expr:(A & B^2) & B", Chooses, &[]),
        case("expr:(A & B^2) & B", Moves, &[]),
        case("expr:(A & B^2) & B", Chooses, &[7, 2]),
        case(STANDOFF, Chooses, &[]),
        case(STANDOFF, Chooses, &[6]),
        case(STANDOFF, Moves, &[6]),
        case(CAROUSEL, Chooses, &[6]),
        case(CAROUSEL, Moves, &[6, 1]),
        case("tug-of-war", Chooses, &[]),
        case("tug-of-war:length=5,at=1", Moves, &[]),
        case("ultimatum", Chooses, &[]),
        case("ultimatum:degree=2", Moves, &[]),
        case(CAROUSEL, Chooses, &[]),
        case(DETOUR, Chooses, &[]),
        case(RUNGS, Chooses, &[]),
        bounded("tug-of-war", Chooses),
        bounded("tug-of-war:length=5,at=1", Moves),
        bounded("ultimatum", Chooses),
        bounded(CAROUSEL, Chooses),
        bounded(DETOUR, Chooses),
        bounded(RUNGS, Chooses),
        paid("expr:(A & B^2) & B", "poorman", Chooses, Exactness::Required),
        paid("expr:(A & B^2) & B", "taxman:1/2", Moves, Exactness::Required),
        paid(STANDOFF, "poorman", Chooses, Exactness::Required),
        paid(STANDOFF, "taxman:1/3", Chooses, Exactness::Required),
        paid("expr:(A & B^2) & B", "poorman", Chooses, Exactness::Bounds),
        paid(STANDOFF, "taxman:2/3", Chooses, Exactness::Bounds),
    ]
}

impl Case {
    fn is_cyclic(&self, at: usize) -> bool {
        let components = self.unfolding.arena().components();
        components.is_cyclic(components.component(at as Node) as usize)
    }

    fn terminal(&self, at: usize) -> Option<Terminal> {
        self.unfolding.arena().terminal(at as Node)
    }

    fn role(&self, at: usize) -> NodeRole {
        if at == self.unfolding.arena().start() as usize {
            NodeRole::Start
        } else if self.terminal(at).is_some() {
            NodeRole::End
        } else if self.is_cyclic(at) {
            NodeRole::Cycle
        } else {
            NodeRole::Inner
        }
    }

    fn notation(&self, at: usize) -> String {
        self.unfolding.notation(at as Node)
    }

    fn totals(&self) -> &[ChipClaim] {
        match &self.solution.claim {
            SolutionClaim::Chips(ChipClaims { totals }) => totals,
            _ => &[],
        }
    }

    fn money(&self) -> &[MoneyValue] {
        match &self.solution.claim {
            SolutionClaim::Money(MoneyClaim { positions, .. }) => positions,
            _ => &[],
        }
    }

    /// The claimed real-money values, if exact.
    fn shares(&self) -> &[MoneyValue] {
        if self.truth.is_none() { self.money() } else { &[] }
    }

    /// The claimed and the true real-money values, if the claim has bounds.
    fn bounds(&self) -> Option<(&[MoneyValue], &[MoneyValue])> {
        Some((self.money(), self.truth.as_deref()?))
    }

    /// A variant with other shares; the head follows those of the start.
    fn with_shares(&self, what: String, change: impl FnOnce(&mut Vec<MoneyValue>)) -> Variant {
        let mut solution = self.solution.clone();
        if let SolutionClaim::Money(MoneyClaim { win, draw, positions }) = &mut solution.claim {
            change(positions);
            let start = self.notation(self.unfolding.arena().start() as usize);
            if let Some(value) = positions.iter().find(|value| value.position == start) {
                (*win, *draw) = (value.win.clone(), value.draw.clone());
            }
        }
        Variant { what, corrupt: Corrupt::Solution(Box::new(solution)) }
    }

    /// A variant with another claim for one total; the claim's head follows the values of the
    /// start.
    fn with_chips(&self, at: usize, what: String, change: impl FnOnce(&mut ChipClaim)) -> Variant {
        let mut solution = self.solution.clone();
        if let SolutionClaim::Chips(ChipClaims { totals }) = &mut solution.claim {
            let claim = &mut totals[at];
            change(claim);
            let none = Threshold::unreachable(claim.total);
            let start = self.notation(self.unfolding.arena().start() as usize);
            if let Some(value) = claim.positions.iter().find(|value| value.position == start) {
                claim.win = value.wins.alice.last().map_or(none, |stage| stage.threshold);
                let bob = value.wins.bob.last().map_or(none, |stage| stage.threshold);
                claim.draw = Threshold {
                    plain: none.plain.saturating_sub(bob.star),
                    star: none.plain.saturating_sub(bob.plain),
                };
            }
        }
        Variant { what, corrupt: Corrupt::Solution(Box::new(solution)) }
    }

    /// Variants with other stages of one player, for every total, sampled position and player.
    fn with_stages(&self, change: OtherStages) -> Vec<Variant> {
        let mut variants = Vec::new();
        for (index, claim) in self.totals().iter().enumerate() {
            for &at in &self.sample {
                for player in Player::BOTH {
                    let old = stages(&claim.positions[at], player);
                    for new in change(at, claim.total, old) {
                        let what = format!(
                            "total {}, position {}, {player}: {} instead of {}",
                            claim.total,
                            self.notation(at),
                            show(&new),
                            show(old)
                        );
                        variants.push(self.with_chips(index, what, |claim| {
                            *stages_mut(&mut claim.positions[at], player) = new.clone();
                        }));
                    }
                }
            }
        }
        variants
    }

    fn with(&self, what: &str, change: impl FnOnce(&mut SavedSolution)) -> Variant {
        let mut solution = self.solution.clone();
        change(&mut solution);
        Variant { what: what.to_string(), corrupt: Corrupt::Solution(Box::new(solution)) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    Start,
    Inner,
    Cycle,
    End,
}

fn stages(value: &ChipValue, player: Player) -> &[Stage] {
    match player {
        Player::Alice => &value.wins.alice,
        Player::Bob => &value.wins.bob,
    }
}

fn stages_mut(value: &mut ChipValue, player: Player) -> &mut Vec<Stage> {
    match player {
        Player::Alice => &mut value.wins.alice,
        Player::Bob => &mut value.wins.bob,
    }
}

fn show(stages: &[Stage]) -> String {
    let words: Vec<String> = stages.iter().map(|stage| format!("{}: {}", stage.within, stage.threshold)).collect();
    format!("[{}]", words.join(", "))
}

struct Variant {
    what: String,
    corrupt: Corrupt,
}

impl Variant {
    fn of(what: &str, solution: SavedSolution) -> Variant {
        Variant { what: what.to_string(), corrupt: Corrupt::Solution(Box::new(solution)) }
    }
}

enum Corrupt {
    Solution(Box<SavedSolution>),
    Text(Vec<u8>),
}

/// What the refusal must say.
#[derive(Clone, Copy)]
enum Says {
    /// Some position of the game.
    Position,
    /// These words.
    Words(&'static str),
    Anything,
}

type Make = Box<dyn Fn(&Case) -> Vec<Variant> + Sync>;

struct Kind {
    name: String,
    says: Says,
    make: Make,
}

fn kind(name: &str, says: Says, make: impl Fn(&Case) -> Vec<Variant> + Sync + 'static) -> Kind {
    Kind { name: name.to_string(), says, make: Box::new(make) }
}

/// The difference between a verdict and the expected refusal.
fn complaint(case: &Case, says: Says, verdict: &Verdict) -> Option<String> {
    let message = match verdict {
        Verdict::Valid => return Some("accepted".to_string()),
        Verdict::Wrong(wrong) if wrong == PANIC => return Some("panic".to_string()),
        Verdict::Wrong(message) | Verdict::Error(message) => message,
    };
    let names_position = || {
        let (_, rest) = message.split_once("position \"")?;
        let (name, _) = rest.split_once('"')?;
        case.unfolding.node(name).ok()
    };
    let fine = match says {
        Says::Anything => !message.is_empty(),
        Says::Words(words) => message.contains(words),
        Says::Position => names_position().is_some(),
    };
    (!fine).then(|| format!("refused with another message: {message}"))
}

/// What is wrong with the verdict on a variant.
fn complaint_about(case: &Case, says: Says, variant: &Variant, way: Way) -> Option<String> {
    let verdict = match (&variant.corrupt, way) {
        (Corrupt::Solution(solution), Way::Memory) => judge(solution.as_ref().clone()),
        (Corrupt::Solution(solution), Way::Text) => judge_text(&text(solution)),
        (Corrupt::Text(text), _) => judge_text(text),
    };
    complaint(case, says, &verdict).map(|complaint| format!("{}: {complaint}", variant.what))
}

/// How a corrupted solution reaches the verifier.
#[derive(Clone, Copy)]
enum Way {
    /// Written, and read again.
    Text,
    /// As it is.
    Memory,
}

#[test]
fn true_solutions_are_valid() {
    for case in cases() {
        assert!(matches!(judge(case.solution.clone()), Verdict::Valid), "{}", case.name);
        let text = text(&case.solution);
        assert!(matches!(judge_text(&text), Verdict::Valid), "{}", case.name);
        assert!(case.solution == read("solution.json", &text).unwrap(), "{}", case.name);
    }
}

#[test]
fn the_cases_exercise_everything() {
    let cases = cases();
    let any = |is: &dyn Fn(&Case) -> bool| cases.iter().any(is);
    assert!(any(&|case| case.shares().len() > 100));
    let cyclic = |case: &Case| !case.unfolding.arena().is_acyclic();
    let apart = |values: &[MoneyValue]| values.iter().any(|value| value.win != value.draw);
    assert!(any(&|case| cyclic(case) && !case.shares().is_empty() && !apart(case.shares())));
    assert!(any(&|case| cyclic(case) && apart(case.shares()) && case.shares().iter().all(is_exact)));
    assert!(any(&|case| cyclic(case) && shares::common_denominator(case.shares()) % 2 == 1));
    for right in [Right::Chooses, Right::Moves] {
        let of = |case: &Case| case.solution.mechanism.right == right && case.truth.is_some();
        assert!(any(&|case| of(case) && case.money().iter().any(|value| !is_exact(value))));
    }
    assert!(any(&|case| !case.unfolding.arena().is_acyclic()));
    let right = |case: &Case| case.solution.mechanism.right;
    let unordered = |case: &Case| {
        case.totals().iter().any(|claim| {
            claim
                .positions
                .iter()
                .any(|value| value.wins.alice.last().is_some_and(|stage| stage.threshold.holding().is_none()))
        })
    };
    for cyclic in [false, true] {
        let of = |case: &Case| right(case) == Right::Moves && case.unfolding.arena().is_acyclic() != cyclic;
        assert!(any(&|case| of(case) && unordered(case)), "holdings that are not upward closed");
    }
    assert!(!any(&|case| right(case) == Right::Chooses && unordered(case)));
    assert!(
        any(&|case| right(case) == Right::Moves && case.totals().iter().any(|claim| claim.win.holding().is_none()))
    );
    let draws = |case: &Case| case.totals().iter().any(|claim| claim.win != claim.draw);
    for right_of in [Right::Chooses, Right::Moves] {
        assert!(any(&|case| right(case) == right_of && draws(case) && !case.unfolding.arena().is_acyclic()));
    }
}

#[test]
fn every_kind_of_corruption_is_refused_as_text() {
    every_kind_is_refused(Way::Text);
}

#[test]
fn every_kind_of_corruption_is_refused_in_memory() {
    every_kind_is_refused(Way::Memory);
}

fn every_kind_is_refused(way: Way) {
    let cases = cases();
    let kinds = kinds();
    let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names.len(), kinds.len(), "two kinds have one name");
    assert!(kinds.len() >= 30, "only {} kinds", kinds.len());
    let results: Vec<(usize, Vec<String>)> = kinds
        .par_iter()
        .map(|kind| {
            let mut tried = 0;
            let mut complaints = Vec::new();
            for case in &cases {
                for variant in (kind.make)(case) {
                    if matches!(&variant.corrupt, Corrupt::Solution(solution) if **solution == case.solution) {
                        continue; // the change changed nothing
                    }
                    tried += 1;
                    let found = complaint_about(case, kind.says, &variant, way);
                    complaints.extend(found.map(|what| format!("{}: {}: {what}", kind.name, case.name)));
                }
            }
            (tried, complaints)
        })
        .collect();
    let mut all = BTreeMap::new();
    for (kind, (tried, complaints)) in kinds.iter().zip(&results) {
        println!("{tried:6} {}", kind.name);
        assert!(*tried > 0, "{}: no variant", kind.name);
        if !complaints.is_empty() {
            all.insert(&kind.name, complaints);
        }
    }
    let count: usize = all.values().map(|complaints| complaints.len()).sum();
    let shown: Vec<&str> = all.values().flat_map(|complaints| complaints.iter().take(4)).map(String::as_str).collect();
    assert!(all.is_empty(), "{count} corruptions in {} kinds, some of them:\n{}", all.len(), shown.join("\n"));
}

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    shares::money_kinds(&mut kinds);
    shares::fixed_point_kinds(&mut kinds);
    shares::bound_kinds(&mut kinds);
    stages::threshold_kinds(&mut kinds);
    stages::stage_kinds(&mut kinds);
    stages::circle_kinds(&mut kinds);
    positions::position_kinds(&mut kinds);
    heads::head_kinds(&mut kinds);
    texts::text_kinds(&mut kinds);
    kinds
}

fn is_exact(value: &MoneyValue) -> bool {
    [&value.win, &value.draw].iter().all(|bounds| bounds.as_exact().is_some())
}

fn fraction(share: &Share) -> (u128, u128) {
    let text = share.to_string();
    let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
    (numerator.parse().unwrap(), denominator.parse().unwrap())
}

/// The share `by` units of 1/`denominator` above, if valid. The share must be a whole number of
/// units.
fn shifted(share: &Share, denominator: u128, by: i128) -> Option<Share> {
    let (numerator, own) = fraction(share);
    assert_eq!(denominator % own, 0, "{share}");
    let units = (numerator * (denominator / own)).checked_add_signed(by)?;
    format!("{units}/{denominator}").parse().ok() // none above 1
}
