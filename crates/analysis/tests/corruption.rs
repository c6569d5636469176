//! Corrupted solutions: the verifier refuses every one of them, and says which position is wrong where there is one.
//!
//! Each kind of corruption makes variants of real solutions of small games, at every position, stage and threshold where
//! that is possible. A variant must be refused both as it is written and read again, and in memory, where nothing but the
//! verifier stands in the way of stages and thresholds that no reader lets pass.

#[path = "common/games.rs"]
mod games;
#[path = "common/judge.rs"]
mod judge;

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use games::{CAROUSEL, DETOUR, STANDOFF};
use judge::{PANIC, Verdict, judge, judge_text, text};
use rayon::prelude::*;
use richman_analysis::{Request, Subject, money, saved};
use richman_core::{
    Bidding, Bids, Limits, Mechanism, Node, Payment, Player, Right, Share, ShareBounds, Stage, Terminal, Threshold,
    Ties, Total, Unfolding, Unwatched,
};
use richman_formats::{ChipClaim, ChipValue, Claim, MoneyValue, SavedGame, SavedSolution, read};
use richman_solvers::money::threshold;
use richman_solvers::{Exactness, Options, chips};

/// Rungs `x`, `y` and `z` on which both players can stay. Alice can leave for `poor`, where her chance is a third, Bob for
/// `rich`, where it is two thirds. Every chance between satisfies the equations of the rungs.
const RUNGS: &str = r#"{"name": "rungs", "start": "x", "positions": {
    "x": {"alice": ["y", "poor"], "bob": ["y", "rich"]},
    "y": {"alice": ["x", "z"], "bob": ["z", "x"]},
    "z": {"alice": ["z", "poor"], "bob": ["y", "z"]},
    "poor": {"alice": ["rich"], "bob": ["loss"]},
    "rich": {"alice": ["win"], "bob": ["poor"]},
    "win": {"winner": "alice"}, "loss": {"winner": "bob"}}}"#;

/// From a position, the total and the stages there to other lists of stages.
type OtherStages<'a> = &'a dyn Fn(usize, Total, &[Stage]) -> Vec<Vec<Stage>>;

/// A real solution, and what is known about its game.
struct Case {
    name: String,
    solution: SavedSolution,
    unfolding: Box<dyn Unfolding>,
    /// The positions at which variants are made: all of them, or a sample of a large game.
    sample: Vec<usize>,
    /// The exact shares at every position, where the solution has bounds.
    truth: Option<Vec<MoneyValue>>,
}

/// A game from its name, or from the text of a game file.
fn subject(game: &str) -> Subject {
    let named = |text: &str| Subject::from_file("game.json", text.as_bytes()).unwrap();
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
    let unfolding = subject.unfold(position, &Limits::default(), &Unwatched).ok()?;
    let options = Options { exactness, ..Options::default() };
    let request = Request { unfolding: unfolding.as_ref(), mechanism, options };
    if totals.is_empty() {
        let (_, solution) = money::report(&request).ok()?;
        return saved::money(subject, &request, &solution).ok();
    }
    let solve =
        |&total: &u64| chips::solve(unfolding.arena(), mechanism, Total::new(total).ok()?, &request.options).ok();
    let solutions: Option<Vec<_>> = totals.iter().map(solve).collect();
    saved::chips(subject, &request, &solutions?).ok()
}

fn case(game: &str, right: Right, totals: &[u64]) -> Case {
    let subject = subject(game);
    let unfolding = subject.unfold(None, &Limits::default(), &Unwatched).unwrap();
    let mechanism = Mechanism { right, ..Mechanism::default() };
    let solution = solve(&subject, None, &mechanism, totals, Exactness::Required).unwrap();
    let count = unfolding.arena().len();
    // All positions of a small game; of a large one about seven, spread evenly, the start among them.
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

/// A case of real money in which some of a bid leaves the game; exact, so without cycles.
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

    fn place(&self, at: usize) -> Place {
        if at == self.unfolding.arena().start() as usize {
            Place::Start
        } else if self.terminal(at).is_some() {
            Place::End
        } else if self.is_cyclic(at) {
            Place::Cycle
        } else {
            Place::Inner
        }
    }

    fn notation(&self, at: usize) -> String {
        self.unfolding.notation(at as Node)
    }

    fn totals(&self) -> &[ChipClaim] {
        match &self.solution.claim {
            Claim::Chips { totals } => totals,
            _ => &[],
        }
    }

    fn money(&self) -> &[MoneyValue] {
        match &self.solution.claim {
            Claim::Money { positions, .. } => positions,
            _ => &[],
        }
    }

    /// What is claimed for real money, if that is exact.
    fn shares(&self) -> &[MoneyValue] {
        if self.truth.is_none() { self.money() } else { &[] }
    }

    /// What is claimed for real money and what is true, if the claim has bounds.
    fn bounds(&self) -> Option<(&[MoneyValue], &[MoneyValue])> {
        Some((self.money(), self.truth.as_deref()?))
    }

    /// A variant with other shares; at the start of the game the head of the solution follows.
    fn with_shares(&self, what: String, change: impl FnOnce(&mut Vec<MoneyValue>)) -> Variant {
        let mut solution = self.solution.clone();
        if let Claim::Money { win, draw, positions } = &mut solution.claim {
            change(positions);
            let start = self.notation(self.unfolding.arena().start() as usize);
            if let Some(value) = positions.iter().find(|value| value.position == start) {
                (*win, *draw) = (value.win.clone(), value.draw.clone());
            }
        }
        Variant { what, corrupt: Corrupt::Solution(Box::new(solution)) }
    }

    /// A variant with another claim for one total; at the start of the game the head of the claim follows.
    fn with_chips(&self, at: usize, what: String, change: impl FnOnce(&mut ChipClaim)) -> Variant {
        let mut solution = self.solution.clone();
        if let Claim::Chips { totals } = &mut solution.claim {
            let claim = &mut totals[at];
            change(claim);
            let none = Threshold::unreachable(claim.total);
            let start = self.notation(self.unfolding.arena().start() as usize);
            if let Some(value) = claim.positions.iter().find(|value| value.position == start) {
                claim.win = value.alice.last().map_or(none, |stage| stage.threshold);
                let bob = value.bob.last().map_or(none, |stage| stage.threshold);
                claim.draw = Threshold {
                    plain: none.plain.saturating_sub(bob.star),
                    star: none.plain.saturating_sub(bob.plain),
                };
            }
        }
        Variant { what, corrupt: Corrupt::Solution(Box::new(solution)) }
    }

    /// Variants with other stages of one player at one position, for every total, position of the sample and player.
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
enum Place {
    Start,
    Inner,
    Cycle,
    End,
}

fn stages(value: &ChipValue, player: Player) -> &[Stage] {
    match player {
        Player::Alice => &value.alice,
        Player::Bob => &value.bob,
    }
}

fn stages_mut(value: &mut ChipValue, player: Player) -> &mut Vec<Stage> {
    match player {
        Player::Alice => &mut value.alice,
        Player::Bob => &mut value.bob,
    }
}

fn show(stages: &[Stage]) -> String {
    let words: Vec<String> = stages.iter().map(|stage| format!("{}: {}", stage.within, stage.threshold)).collect();
    format!("[{}]", words.join(", "))
}

/// A corrupted solution.
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
    /// A position of the game.
    Position,
    /// This.
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

/// Why a verdict is not the refusal that it should be.
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

/// What is wrong with the verdict on a variant, if anything.
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

/// The cases are of the kinds that the corruptions need.
#[test]
fn the_cases_exercise_everything() {
    let cases = cases();
    let any = |is: &dyn Fn(&Case) -> bool| cases.iter().any(is);
    assert!(any(&|case| case.shares().len() > 100));
    let cyclic = |case: &Case| !case.unfolding.arena().is_acyclic();
    let apart = |values: &[MoneyValue]| values.iter().any(|value| value.win != value.draw);
    assert!(any(&|case| cyclic(case) && !case.shares().is_empty() && !apart(case.shares())));
    assert!(any(&|case| cyclic(case) && apart(case.shares()) && case.shares().iter().all(is_exact)));
    assert!(any(&|case| cyclic(case) && common_denominator(case.shares()) % 2 == 1));
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
                .any(|value| value.alice.last().is_some_and(|stage| stage.threshold.holding().is_none()))
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
    money_kinds(&mut kinds);
    fixed_point_kinds(&mut kinds);
    bound_kinds(&mut kinds);
    threshold_kinds(&mut kinds);
    stage_kinds(&mut kinds);
    circle_kinds(&mut kinds);
    position_kinds(&mut kinds);
    head_kinds(&mut kinds);
    text_kinds(&mut kinds);
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

/// The share `by` units of 1/`denominator` above, where there is one. A whole number of units makes the share.
fn shifted(share: &Share, denominator: u128, by: i128) -> Option<Share> {
    let (numerator, own) = fraction(share);
    assert_eq!(denominator % own, 0, "{share}");
    let units = (numerator * (denominator / own)).checked_add_signed(by)?;
    format!("{units}/{denominator}").parse().ok() // none above 1
}

/// The least common denominator of a solution.
fn common_denominator(values: &[MoneyValue]) -> u128 {
    let gcd = |mut a: u128, mut b: u128| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let denominators = values.iter().flat_map(|value| [&value.win.low, &value.draw.low]).map(|share| fraction(share).1);
    denominators.fold(1, |common, denominator| common / gcd(common, denominator) * denominator)
}

fn money_kinds(kinds: &mut Vec<Kind>) {
    for (what, of_draw) in [("win", false), ("draw", true)] {
        for (direction, by) in [("up", 1), ("down", -1)] {
            for (place, name) in [
                (Place::Start, "the start"),
                (Place::Inner, "an inner position"),
                (Place::Cycle, "a position of a cycle"),
                (Place::End, "an end"),
            ] {
                let name = format!("money: {what} share one unit {direction} at {name}");
                kinds.push(kind(&name, Says::Position, move |case| {
                    let common = common_denominator(case.shares());
                    let places = case.sample.iter().filter(|&&at| !case.shares().is_empty() && case.place(at) == place);
                    let changed = places.flat_map(|&at| {
                        let value = &case.shares()[at];
                        let old = if of_draw { &value.draw.low } else { &value.win.low };
                        let shares = [common, fraction(old).1].map(|denominator| shifted(old, denominator, by));
                        shares.into_iter().flatten().map(move |share| {
                            let share = ShareBounds::exact(share);
                            case.with_shares(format!("position {}: {share}", value.position), |values| {
                                if of_draw { values[at].draw = share } else { values[at].win = share }
                            })
                        })
                    });
                    changed.collect()
                }));
            }
            let name = format!("money: {what} share one unit {direction} in the head");
            kinds.push(kind(
                &name,
                Says::Words(if of_draw { "draw threshold" } else { "win threshold" }),
                move |case| {
                    let common = common_denominator(case.shares());
                    let (Claim::Money { win, draw, .. }, None) = (&case.solution.claim, &case.truth) else {
                        return Vec::new();
                    };
                    let share = shifted(if of_draw { &draw.low } else { &win.low }, common, by);
                    let change = |solution: &mut SavedSolution, share: Share| {
                        let share = ShareBounds::exact(share);
                        if let Claim::Money { win, draw, .. } = &mut solution.claim {
                            if of_draw { *draw = share } else { *win = share }
                        }
                    };
                    share.into_iter().map(|share| case.with("head", |solution| change(solution, share))).collect()
                },
            ));
        }
    }
    fn exchange(value: &mut MoneyValue) {
        std::mem::swap(&mut value.win, &mut value.draw);
    }
    fn mirror(value: &mut MoneyValue) {
        (value.win, value.draw) = (value.draw.complement(), value.win.complement());
    }
    for (name, change) in
        [("win and draw shares exchanged", exchange as fn(&mut MoneyValue)), ("players exchanged", mirror)]
    {
        kinds.push(kind(&format!("money: {name} at a position"), Says::Position, move |case| {
            let at = case.sample.iter().filter(|&&at| at < case.shares().len());
            at.map(|&at| case.with_shares(case.notation(at), |values| change(&mut values[at]))).collect()
        }));
        kinds.push(kind(&format!("money: {name} everywhere"), Says::Position, move |case| {
            if case.shares().is_empty() {
                return Vec::new();
            }
            vec![case.with_shares("everywhere".to_string(), |values| values.iter_mut().for_each(change))]
        }));
    }
    kinds.push(kind("money: win and draw shares exchanged in the head", Says::Words("threshold"), |case| {
        vec![case.with("head", |solution| {
            if let Claim::Money { win, draw, .. } = &mut solution.claim {
                std::mem::swap(win, draw);
            }
        })]
    }));
    kinds.push(kind("money: shares of two positions exchanged", Says::Position, |case| {
        let mut variants = Vec::new();
        let places = || case.sample.iter().copied().filter(|&at| at < case.shares().len());
        for (one, two) in places().flat_map(|one| places().map(move |two| (one, two))).filter(|(one, two)| one < two) {
            let what = format!("{} and {}", case.notation(one), case.notation(two));
            variants.push(case.with_shares(what, |values| {
                let [a, b] = [one, two].map(|at| (values[at].win.clone(), values[at].draw.clone()));
                (values[one].win, values[one].draw) = b;
                (values[two].win, values[two].draw) = a;
            }));
        }
        variants
    }));
    kinds.push(kind("money: the end belongs to another player", Says::Position, |case| {
        let owners = [(Share::ZERO, Share::ZERO), (Share::ONE, Share::ONE), (Share::ONE, Share::ZERO)]
            .map(|(win, draw)| (ShareBounds::exact(win), ShareBounds::exact(draw)));
        let ends = case.sample.iter().filter(|&&at| at < case.shares().len() && case.place(at) == Place::End);
        ends.flat_map(|&at| {
            owners.clone().map(|(win, draw)| {
                case.with_shares(format!("{}: {win}, {draw}", case.notation(at)), |values| {
                    (values[at].win, values[at].draw) = (win.clone(), draw.clone());
                })
            })
        })
        .collect()
    }));
    kinds.push(kind("money: the second best moves", Says::Position, |case| {
        let arena = case.unfolding.arena();
        let mut variants = Vec::new();
        for &at in case.sample.iter().filter(|&&at| at < case.shares().len()) {
            let node = at as Node;
            let wins = |player| -> Vec<Share> {
                arena.moves(node, player).iter().map(|&to| case.shares()[to as usize].win.low.clone()).collect()
            };
            let (mut alice, mut bob) = (wins(Player::Alice), wins(Player::Bob));
            alice.sort();
            bob.sort();
            for (alice, bob) in [(alice.last(), bob.last()), (alice.first(), bob.first()), (alice.last(), bob.first())]
            {
                if let (Some(alice), Some(bob)) = (alice, bob) {
                    let rate = case.solution.mechanism.payment.rate();
                    let win = ShareBounds::exact(threshold(rate, alice, bob));
                    variants
                        .push(case.with_shares(format!("{}: {win}", case.notation(at)), |values| values[at].win = win));
                }
            }
        }
        variants
    }));
    kinds.push(kind("money: every share of play that goes on is one half", Says::Position, |case| {
        let half = ShareBounds::exact(Share::dyadic(1, 1));
        vec![case.with_shares("everywhere".to_string(), |values| {
            for (_, value) in values.iter_mut().enumerate().filter(|(at, _)| case.terminal(*at).is_none()) {
                (value.win, value.draw) = (half.clone(), half.clone());
            }
        })]
    }));
}

/// The chances of both players to win random-turn play, exact ones.
fn chances(values: &[MoneyValue], player: Player) -> Vec<Share> {
    let chance = |value: &MoneyValue| match player {
        Player::Alice => value.win.high.complement(),
        Player::Bob => value.draw.low.clone(),
    };
    values.iter().map(chance).collect()
}

/// Claims that the chance of `player` is between `low` and `high`.
fn set_chance(value: &mut MoneyValue, player: Player, low: Share, high: Share) {
    let chance = ShareBounds { low, high };
    match player {
        Player::Alice => value.win = chance.complement(),
        Player::Bob => value.draw = chance,
    }
}

/// Solutions of the equations for the chances of `player` other than the true ones: too large where play can circle.
fn false_fixed_points(case: &Case, player: Player) -> Vec<Vec<Share>> {
    const ROUNDS: usize = 40;
    let arena = case.unfolding.arena();
    let exact = case.truth.as_deref().unwrap_or(case.money());
    let truth = chances(exact, player);
    // From the whole game, and from each cycle, at the same chance everywhere.
    let count = arena.components().len();
    let in_component = |component: usize| -> Vec<usize> {
        let nodes = arena.components().nodes(component).iter().map(|&node| node as usize);
        nodes.filter(|&at| case.is_cyclic(at)).collect()
    };
    let open = (0..truth.len()).filter(|&at| case.terminal(at).is_none()).collect();
    let from: Vec<Vec<usize>> = (0..count).map(in_component).filter(|nodes| !nodes.is_empty()).chain([open]).collect();
    let mut levels: BTreeSet<Share> = truth.iter().cloned().collect();
    levels.extend([Share::ONE, Share::dyadic(1, 1), Share::dyadic(1, 30)]);
    let mut found = BTreeSet::new();
    for (nodes, level) in from.iter().flat_map(|nodes| levels.iter().map(move |level| (nodes, level))) {
        let mut chance = truth.clone();
        nodes.iter().for_each(|&at| chance[at] = level.clone());
        for _ in 0..ROUNDS {
            let mut fixed = true;
            for at in (0..truth.len()).filter(|&at| case.terminal(at).is_none()) {
                let of = |player| arena.moves(at as Node, player).iter().map(|&to| &chance[to as usize]);
                let (Some(best), Some(worst)) = (of(player).max(), of(player.other()).min()) else { continue };
                let next = threshold(case.solution.mechanism.payment.rate(), best, worst);
                fixed &= chance[at] == next;
                chance[at] = next;
            }
            if fixed {
                if chance != truth {
                    found.insert(chance);
                }
                break;
            }
        }
    }
    found.into_iter().collect()
}

#[test]
fn the_false_fixed_points_are_the_known_ones() {
    let set = |case: &Case, names: &[(&str, &str)]| -> Vec<Share> {
        let mut chance = chances(case.shares(), Player::Alice);
        for (name, share) in names {
            chance[case.unfolding.node(name).unwrap() as usize] = share.parse().unwrap();
        }
        chance
    };
    let detour = case(DETOUR, Right::Chooses, &[]);
    let found = false_fixed_points(&detour, Player::Alice);
    // s = (1 + min(0, a)) / 2 whatever is claimed of a and b.
    assert!(found.contains(&set(&detour, &[("c", "1"), ("t", "1/4")])), "a loop of one position wins");
    assert!(found.contains(&set(&detour, &[("a", "1"), ("b", "1"), ("t", "1/2")])), "a loop of two positions wins");
    let rungs = case(RUNGS, Right::Chooses, &[]);
    for player in Player::BOTH {
        let found = false_fixed_points(&rungs, player);
        for share in ["1/2", "2/3"] {
            let share: Share = share.parse().unwrap();
            let on_rungs = |chance: &Vec<Share>| {
                ["x", "y", "z"].iter().all(|name| chance[rungs.unfolding.node(name).unwrap() as usize] == share)
            };
            assert!(found.iter().any(on_rungs), "{player}, {share}");
        }
    }
    for game in ["tug-of-war", "ultimatum"] {
        for player in Player::BOTH {
            assert!(false_fixed_points(&case(game, Right::Chooses, &[]), player).is_empty(), "{game} always ends");
        }
    }
}

/// Claims that satisfy every equation and are wrong.
fn fixed_point_kinds(kinds: &mut Vec<Kind>) {
    const SAYS: Says = Says::Words("no play that makes progress to a win");
    for player in Player::BOTH {
        // With the winner obliged to move, another complaint may come first.
        let of = move |case: &Case| {
            let chooses = case.solution.mechanism.right == Right::Chooses;
            if chooses && !case.money().is_empty() { false_fixed_points(case, player) } else { Vec::new() }
        };
        let show = |chance: &[Share]| chance.iter().map(Share::to_string).collect::<Vec<_>>().join(" ");
        kinds.push(kind(&format!("fixed point: {player}'s chances, exact"), SAYS, move |case| {
            let claim = |chance: Vec<Share>| {
                case.with_shares(show(&chance), |values| {
                    for (value, chance) in values.iter_mut().zip(chance) {
                        set_chance(value, player, chance.clone(), chance);
                    }
                })
            };
            of(case).into_iter().map(claim).collect()
        }));
        kinds.push(kind(&format!("fixed point: lower bounds on {player}'s chances"), SAYS, move |case| {
            let claim = |chance: Vec<Share>| {
                case.with_shares(show(&chance), |values| {
                    for (at, (value, low)) in values.iter_mut().zip(chance).enumerate() {
                        let high = if case.terminal(at).is_some() { low.clone() } else { Share::ONE };
                        set_chance(value, player, low, high);
                    }
                })
            };
            of(case).into_iter().map(claim).collect()
        }));
    }
}

/// From bounds and the true share to false bounds.
type OtherBounds = fn(&ShareBounds, &Share) -> Vec<ShareBounds>;

/// Bounds that are wrong.
fn bound_kinds(kinds: &mut Vec<Kind>) {
    /// A share between two, much nearer to the first.
    fn near(share: &Share, far: &Share) -> Share {
        (0..20).fold(far.clone(), |between, _| Share::mean(share, &between))
    }
    fn above(bounds: &ShareBounds, truth: &Share) -> Vec<Share> {
        let all = [&bounds.high, &Share::mean(truth, &bounds.high), &Share::ONE, &Share::mean(truth, &Share::ONE)]
            .map(|share| [share.clone(), near(truth, share)]);
        all.into_iter().flatten().filter(|share| share > truth).collect()
    }
    fn below(bounds: &ShareBounds, truth: &Share) -> Vec<Share> {
        above(&bounds.complement(), &truth.complement()).iter().map(Share::complement).collect()
    }
    let changes: [(&str, OtherBounds); 6] = [
        ("low and high exchanged", |bounds, _| {
            vec![ShareBounds { low: bounds.high.clone(), high: bounds.low.clone() }]
        }),
        ("low above the share", |bounds, truth| {
            let high = |low: &Share| low.max(&bounds.high).clone();
            above(bounds, truth).into_iter().map(|low| ShareBounds { high: high(&low), low }).collect()
        }),
        ("low above the share, high as high as can be", |bounds, truth| {
            above(bounds, truth).into_iter().map(|low| ShareBounds { low, high: Share::ONE }).collect()
        }),
        ("high below the share", |bounds, truth| {
            let low = |high: &Share| high.min(&bounds.low).clone();
            below(bounds, truth).into_iter().map(|high| ShareBounds { low: low(&high), high }).collect()
        }),
        ("high below the share, low as low as can be", |bounds, truth| {
            below(bounds, truth).into_iter().map(|high| ShareBounds { low: Share::ZERO, high }).collect()
        }),
        ("another share inside, as exact", |bounds, truth| {
            let shares = above(bounds, truth).into_iter().chain(below(bounds, truth));
            let inside = shares.filter(|share| &bounds.low <= share && share <= &bounds.high);
            inside.map(ShareBounds::exact).collect()
        }),
    ];
    for (name, change) in changes {
        // Where the bounds are the wrong way round, reading stops without a position.
        let says = if name == "low and high exchanged" { Says::Anything } else { Says::Position };
        for (what, of_draw) in [("win", false), ("draw", true)] {
            let field = move |value: &mut MoneyValue, bounds: ShareBounds| {
                if of_draw { value.draw = bounds } else { value.win = bounds }
            };
            let parts = move |value: &MoneyValue| if of_draw { value.draw.clone() } else { value.win.clone() };
            kinds.push(kind(&format!("bounds: {what}, {name}, at a position"), says, move |case| {
                let Some((claimed, truth)) = case.bounds() else { return Vec::new() };
                let at_each = case.sample.iter().flat_map(|&at| {
                    change(&parts(&claimed[at]), &parts(&truth[at]).low).into_iter().map(move |new| {
                        let what = format!("{}: {new}", case.notation(at));
                        case.with_shares(what, |values| field(&mut values[at], new))
                    })
                });
                at_each.collect()
            }));
            kinds.push(kind(&format!("bounds: {what}, {name}, everywhere"), says, move |case| {
                let Some((claimed, truth)) = case.bounds() else { return Vec::new() };
                let most = 8;
                let everywhere = (0..most).map(|index| {
                    case.with_shares(format!("number {index}"), |values| {
                        for (at, value) in values.iter_mut().enumerate().filter(|(at, _)| case.terminal(*at).is_none())
                        {
                            let new = change(&parts(&claimed[at]), &parts(&truth[at]).low);
                            if !new.is_empty() {
                                field(value, new[index % new.len()].clone());
                            }
                        }
                    })
                });
                everywhere.collect()
            }));
        }
    }
    kinds.push(kind("bounds: at an end", Says::Position, |case| {
        let ends = case.sample.iter().filter(|&&at| at < case.money().len() && case.place(at) == Place::End);
        let mut variants = Vec::new();
        for &at in ends {
            for (low, high) in [("0", "1"), ("0", "1/2"), ("1/2", "1"), ("1/4", "3/4"), ("0", "1/4611686018427387904")]
            {
                let new = ShareBounds { low: low.parse().unwrap(), high: high.parse().unwrap() };
                for of_draw in [false, true] {
                    let what = format!("{}, {}: {new}", case.notation(at), if of_draw { "draw" } else { "win" });
                    variants.push(case.with_shares(what, |values| {
                        let value = &mut values[at];
                        if of_draw { value.draw = new.clone() } else { value.win = new.clone() }
                    }));
                }
            }
        }
        variants
    }));
    kinds.push(kind("bounds: wider or narrower in the head", Says::Words("threshold"), |case| {
        if case.bounds().is_none() {
            return Vec::new();
        }
        let all = ShareBounds { low: Share::ZERO, high: Share::ONE };
        let changes: [fn(&ShareBounds, &ShareBounds) -> ShareBounds; 4] = [
            |_, all| all.clone(),
            |bounds, _| ShareBounds::exact(bounds.low.clone()),
            |bounds, _| ShareBounds::exact(bounds.high.clone()),
            |bounds, all| ShareBounds { low: bounds.low.clone(), high: Share::mean(&bounds.high, &all.high) },
        ];
        let one = |change: fn(&ShareBounds, &ShareBounds) -> ShareBounds, of_draw| {
            case.with("head", |solution| {
                if let Claim::Money { win, draw, .. } = &mut solution.claim {
                    let bounds = if of_draw { draw } else { win };
                    *bounds = change(bounds, &all);
                }
            })
        };
        changes.iter().flat_map(|&change| [one(change, false), one(change, true)]).collect()
    }));
}

#[test]
fn bounds_the_wrong_way_round_are_said_to_be_so() {
    let case = bounded("tug-of-war", Right::Chooses);
    for (at, value) in case.money().iter().enumerate().filter(|(_, value)| !is_exact(value)) {
        for of_draw in [false, true] {
            let variant = case.with_shares(value.position.clone(), |values| {
                let bounds = if of_draw { &mut values[at].draw } else { &mut values[at].win };
                std::mem::swap(&mut bounds.low, &mut bounds.high);
            });
            for (way, says) in [(Way::Memory, "the bounds are the wrong way round"), (Way::Text, "is not a share")] {
                assert_eq!(complaint_about(&case, Says::Words(says), &variant, way), None);
            }
        }
    }
}

/// What is still true and provable is not refused: no upper bounds, no lower bounds, neither.
#[test]
fn weaker_bounds_are_valid() {
    for case in cases().iter().filter(|case| case.solution.mechanism.right == Right::Chooses) {
        for (low, high) in [(true, false), (false, true), (true, true)] {
            let Corrupt::Solution(solution) = case
                .with_shares(String::new(), |values| {
                    for (_, value) in values.iter_mut().enumerate().filter(|(at, _)| case.terminal(*at).is_none()) {
                        for bounds in [&mut value.win, &mut value.draw] {
                            if low {
                                bounds.low = Share::ZERO;
                            }
                            if high {
                                bounds.high = Share::ONE;
                            }
                        }
                    }
                })
                .corrupt
            else {
                continue;
            };
            let verdict = judge(*solution);
            assert!(matches!(verdict, Verdict::Valid), "{}, {low}, {high}: {verdict:?}", case.name);
        }
    }
}

/// Bounds changed at random at some positions: whatever is accepted is true.
#[test]
fn no_false_bounds_are_accepted() {
    let results: Vec<(usize, usize, Vec<String>)> = cases()
        .par_iter()
        .filter(|case| !case.money().is_empty() && case.money().len() < 40)
        .map(|case| {
            let mut rng = Rng::with_seed(4);
            let exact = case.truth.as_deref().unwrap_or(case.money());
            let (mut valid, mut tried, mut complaints) = (0, 0, Vec::new());
            for _ in 0..1_500 {
                let changes = rng.usize(1..=2 * exact.len());
                let random = |rng: &mut Rng| {
                    let truth = &exact[rng.usize(0..exact.len())];
                    let near = if rng.bool() { &truth.win.low } else { &truth.draw.low };
                    let far = if rng.bool() { Share::ZERO } else { Share::ONE };
                    (0..rng.u32(0..6)).fold(far, |between, _| Share::mean(near, &between))
                };
                let variant = case.with_shares(String::new(), |values| {
                    if rng.bool() {
                        values.clone_from_slice(exact);
                    }
                    for _ in 0..changes {
                        let at = rng.usize(0..values.len());
                        let value = &mut values[at];
                        let bounds = if rng.bool() { &mut value.win } else { &mut value.draw };
                        match rng.u32(0..4) {
                            0 => bounds.low = random(&mut rng),
                            1 => bounds.high = random(&mut rng),
                            2 => *bounds = ShareBounds::exact(random(&mut rng)),
                            _ => *bounds = ShareBounds { low: Share::ZERO, high: Share::ONE },
                        }
                        if case.terminal(at).is_some() && rng.u32(0..8) > 0 {
                            *value = exact[at].clone();
                        }
                    }
                });
                let Corrupt::Solution(solution) = variant.corrupt else { continue };
                let Claim::Money { positions, .. } = &solution.claim else { continue };
                let is_true = positions.iter().zip(exact).all(|(value, truth)| holds(value, truth));
                let shown: Vec<String> =
                    positions.iter().map(|value| format!("{} {} {}", value.position, value.win, value.draw)).collect();
                tried += 1;
                match judge(*solution) {
                    Verdict::Valid if is_true => valid += 1,
                    Verdict::Wrong(wrong) if wrong != PANIC => {}
                    verdict => complaints.push(format!("{}: {verdict:?} for {}", case.name, shown.join(", "))),
                }
            }
            (valid, tried, complaints)
        })
        .collect();
    let valid: usize = results.iter().map(|result| result.0).sum();
    let tried: usize = results.iter().map(|result| result.1).sum();
    let complaints: Vec<&str> = results.iter().flat_map(|result| result.2.iter().take(3)).map(String::as_str).collect();
    println!("{valid} of {tried} valid");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(valid > 0 && valid < tried);
}

/// Whether the true shares are within the bounds.
fn holds(value: &MoneyValue, truth: &MoneyValue) -> bool {
    let within = |bounds: &ShareBounds, truth: &ShareBounds| bounds.low <= truth.low && truth.high <= bounds.high;
    within(&value.win, &truth.win) && within(&value.draw, &truth.draw)
}

/// One change of one number, or of both, of one threshold.
fn threshold_kinds(kinds: &mut Vec<Kind>) {
    type Change = fn(Threshold) -> Option<Threshold>;
    let changes: [(&str, Change); 6] = [
        ("plain + 1", |of| Some(Threshold { plain: of.plain + 1, ..of })),
        ("plain - 1", |of| Some(Threshold { plain: of.plain.checked_sub(1)?, ..of })),
        ("star + 1", |of| Some(Threshold { star: of.star + 1, ..of })),
        ("star - 1", |of| Some(Threshold { star: of.star.checked_sub(1)?, ..of })),
        ("half a step up", |of| Some(Threshold::at(of.holding()?.half_steps() + 1))),
        ("half a step down", |of| Some(Threshold::at(of.holding()?.half_steps().checked_sub(1)?))),
    ];
    let places = [
        (Place::Start, "at the start"),
        (Place::Inner, "in an acyclic part"),
        (Place::Cycle, "in a cycle"),
        (Place::End, "at an end"),
    ];
    for (change_name, change) in changes {
        for (place, place_name) in places {
            // At the ends thresholds are 0.
            if place == Place::End && change(Threshold::NOTHING).is_none() {
                continue;
            }
            let name = format!("chips: {change_name} {place_name}");
            kinds.push(kind(&name, Says::Position, move |case| {
                case.with_stages(&|at, total, stages| {
                    if case.place(at) != place {
                        return Vec::new();
                    }
                    let one = |index: usize| {
                        let threshold = change(stages[index].threshold)?;
                        let largest = total.chips() + 1;
                        if threshold.plain > largest || threshold.star > largest {
                            return None;
                        }
                        let mut new = stages.to_vec();
                        new[index].threshold = threshold;
                        Some(new)
                    };
                    (0..stages.len()).filter_map(one).collect()
                })
            }));
        }
    }
    kinds.push(kind("chips: a threshold above the total and one", Says::Anything, |case| {
        case.with_stages(&|_, total, stages| {
            let beyond = Threshold { plain: total.chips() + 2, star: total.chips() + 2 };
            let one = |index: usize| {
                let mut new = stages.to_vec();
                new[index].threshold = beyond;
                new
            };
            let first = Stage { within: 0, threshold: beyond };
            (0..stages.len()).map(one).chain([[&[first], stages].concat()]).collect()
        })
    }));
    kinds.push(kind("chips: a threshold far above the total", Says::Anything, |case| {
        case.with_stages(&|_, _, stages| {
            let one = |index: usize| {
                let mut new = stages.to_vec();
                new[index].threshold = Threshold { plain: 1 << 30, star: 1 << 30 };
                new
            };
            (0..stages.len()).map(one).collect()
        })
    }));
}

fn better(threshold: Threshold) -> Option<Threshold> {
    let Threshold { plain, star } = threshold;
    if plain > star {
        Some(Threshold { plain: plain - 1, star })
    } else {
        Some(Threshold { plain, star: star.checked_sub(1)? })
    }
}

/// Stages moved in time, removed and added.
fn stage_kinds(kinds: &mut Vec<Kind>) {
    type Change = fn(Total, &[Stage]) -> Vec<Vec<Stage>>;
    fn at_each(stages: &[Stage], change: impl Fn(&mut Stage) -> Option<()>) -> Vec<Vec<Stage>> {
        let one = |index: usize| {
            let mut new = stages.to_vec();
            change(&mut new[index])?;
            Some(new)
        };
        (0..stages.len()).filter_map(one).collect()
    }
    fn without(stages: &[Stage], which: impl Fn(usize, usize) -> bool) -> Vec<Vec<Stage>> {
        let one = |index: usize| {
            let mut new = stages.to_vec();
            new.remove(index);
            new
        };
        (0..stages.len()).filter(|&index| which(index, stages.len())).map(one).collect()
    }
    let changes: [(&str, Change); 18] = [
        ("a stage one move early", |_, stages| {
            at_each(stages, |stage| stage.within.checked_sub(1).map(|within| stage.within = within))
        }),
        ("a stage one move late", |_, stages| {
            at_each(stages, |stage| stage.within.checked_add(1).map(|within| stage.within = within))
        }),
        ("a stage before any move", |_, stages| at_each(stages, |stage| (stage.within > 0).then(|| stage.within = 0))),
        ("a stage after 2^32 - 1 moves", |_, stages| {
            at_each(stages, |stage| {
                stage.within = u32::MAX;
                Some(())
            })
        }),
        ("every stage of a position one move early", |_, stages| {
            if stages.iter().any(|stage| stage.within == 0) {
                return Vec::new();
            }
            vec![stages.iter().map(|stage| Stage { within: stage.within - 1, ..*stage }).collect()]
        }),
        ("every stage of a position one move late", |_, stages| {
            vec![stages.iter().map(|stage| Stage { within: stage.within + 1, ..*stage }).collect()]
        }),
        ("the first stage removed", |_, stages| without(stages, |index, _| index == 0)),
        ("a middle stage removed", |_, stages| without(stages, |index, count| index > 0 && index + 1 < count)),
        ("the last stage removed", |_, stages| without(stages, |index, count| index + 1 == count)),
        ("all stages removed", |_, _| vec![Vec::new()]),
        ("a first stage more", |total, stages| {
            let Some(first) = stages.first() else { return Vec::new() };
            let threshold = Threshold { star: first.threshold.star, plain: total.chips() + 1 };
            let added = |within| [&[Stage { within, threshold }], stages].concat();
            if threshold == first.threshold { Vec::new() } else { (0..first.within).map(added).collect() }
        }),
        ("a stage more between two", |_, stages| {
            let mut variants = Vec::new();
            for index in 1..stages.len() {
                let (before, after) = (stages[index - 1], stages[index]);
                let between = (before.within + 1..after.within)
                    .flat_map(|within| [(within, after.threshold), (within, better(before.threshold).unwrap())]);
                for (within, threshold) in between {
                    let mut new = stages.to_vec();
                    new.insert(index, Stage { within, threshold });
                    variants.push(new);
                }
            }
            variants
        }),
        ("a last stage more", |_, stages| {
            let Some(last) = stages.last() else { return Vec::new() };
            let Some(threshold) = better(last.threshold) else { return Vec::new() };
            let added = |more: u32| [stages, &[Stage { within: last.within + more, threshold }]].concat();
            vec![added(1), added(2), added(1000), added(u32::MAX - last.within)]
        }),
        ("an unreachable win claimed", |total, stages| {
            if !stages.is_empty() {
                return Vec::new();
            }
            let none = total.chips() + 1;
            let thresholds = [
                Threshold::NOTHING,
                Threshold { plain: none, star: none - 1 },
                Threshold { plain: none - 1, star: none },
                Threshold { plain: none - 1, star: none - 1 },
            ];
            let times = [0, 1, 2, 7, u32::MAX];
            times.iter().flat_map(|&within| thresholds.map(|threshold| vec![Stage { within, threshold }])).collect()
        }),
        ("a win that needs nothing", |_, stages| {
            if stages.last().is_some_and(|last| last.threshold == Threshold::NOTHING) {
                return Vec::new();
            }
            let within = stages.last().map_or(1, |last| last.within + 1);
            vec![[stages, &[Stage { within, threshold: Threshold::NOTHING }]].concat()]
        }),
        ("a stage twice", |_, stages| {
            (0..stages.len()).map(|index| [&stages[..=index], &stages[index..]].concat()).collect()
        }),
        ("a better stage within the same number of moves", |_, stages| {
            let insert = |index: usize| {
                let threshold = better(stages[index].threshold)?;
                Some([&stages[..index], &[Stage { threshold, ..stages[index] }], &stages[index..]].concat())
            };
            (0..stages.len()).filter_map(insert).collect()
        }),
        ("stages in reverse order", |_, stages| vec![stages.iter().rev().copied().collect()]),
    ];
    for (name, change) in changes {
        kinds.push(kind(&format!("chips: {name}"), Says::Position, move |case| {
            case.with_stages(&|_, total, stages| change(total, stages))
        }));
    }
    kinds.push(kind("chips: every stage of play that goes on one move late", Says::Position, |case| {
        everywhere(case, &|at, _, stages| {
            if case.terminal(at).is_none() {
                stages.iter_mut().for_each(|stage| stage.within += 1);
            }
        })
    }));
    kinds.push(kind("chips: every stage one move late", Says::Position, |case| {
        everywhere(case, &|_, _, stages| stages.iter_mut().for_each(|stage| stage.within += 1))
    }));
    kinds.push(kind("chips: nobody wins while play goes on", Says::Position, |case| {
        everywhere(case, &|at, _, stages| {
            if case.terminal(at).is_none() {
                stages.clear();
            }
        })
    }));
    kinds.push(kind("chips: nobody wins in a cycle", Says::Position, |case| {
        everywhere(case, &|at, _, stages| {
            if case.is_cyclic(at) {
                stages.clear();
            }
        })
    }));
    kinds.push(kind("chips: only the last stage kept", Says::Position, |case| {
        everywhere(case, &|_, _, stages| {
            if let Some(last) = stages.last().copied() {
                *stages = vec![last];
            }
        })
    }));
}

/// The stages of one player (each in turn, and both) changed at every position.
fn everywhere(case: &Case, change: &dyn Fn(usize, Player, &mut Vec<Stage>)) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (index, claim) in case.totals().iter().enumerate() {
        for players in [&Player::BOTH[..1], &Player::BOTH[1..], &Player::BOTH[..]] {
            variants.push(case.with_chips(index, format!("total {}, {players:?}", claim.total), |claim| {
                for (at, value) in claim.positions.iter_mut().enumerate() {
                    for &player in players {
                        change(at, player, stages_mut(value, player));
                    }
                }
            }));
        }
    }
    variants
}

/// Claims that rest on themselves: every turn is right if the next positions keep their promise, but nothing is ever won.
fn circle_kinds(kinds: &mut Vec<Kind>) {
    // When the positions of a circle claim their wins: all at once, or one after the other.
    type Schedule = fn(usize, u32) -> u32;
    let schedules: [(&str, Schedule); 5] = [
        ("at once", |_, last| last + 1),
        ("long after", |_, last| last + 1000),
        ("one after the other", |at, last| last + 1 + at as u32),
        ("one before the other", |at, last| last + 100_000 - at as u32),
        ("at the end of time", |_, _| u32::MAX),
    ];
    for (name, schedule) in schedules {
        let when = move |claim: &ChipClaim, at: usize| {
            let all = claim.positions.iter().flat_map(|value| value.alice.iter().chain(&value.bob));
            schedule(at, all.map(|stage| stage.within).max().unwrap_or(0))
        };
        kinds.push(kind(&format!("circle: a cycle wins with nothing, {name}"), Says::Position, move |case| {
            everywhere_with(case, &|claim, at, player| {
                let last = stages(&claim.positions[at], player).last();
                let won = last.is_some_and(|last| last.threshold == Threshold::NOTHING);
                (case.is_cyclic(at) && !won).then(|| Stage { within: when(claim, at), threshold: Threshold::NOTHING })
            })
        }));
        // The other player's goal to draw obeys the same equations as the goal to win.
        kinds.push(kind(&format!("circle: draws are claimed as wins, {name}"), Says::Position, move |case| {
            everywhere_with(case, &|claim, at, player| {
                let none = Threshold::unreachable(claim.total);
                let last = |player| stages(&claim.positions[at], player).last().map_or(none, |last| last.threshold);
                let draw = last(player.other()).opposite(claim.total);
                (case.terminal(at).is_none() && draw != last(player))
                    .then(|| Stage { within: when(claim, at), threshold: draw })
            })
        }));
        kinds.push(kind(
            &format!("circle: draws are claimed as wins in a cycle, {name}"),
            Says::Position,
            move |case| {
                everywhere_with(case, &|claim, at, player| {
                    let none = Threshold::unreachable(claim.total);
                    let last = |player| stages(&claim.positions[at], player).last().map_or(none, |last| last.threshold);
                    let draw = last(player.other()).opposite(claim.total);
                    (case.is_cyclic(at) && draw != last(player))
                        .then(|| Stage { within: when(claim, at), threshold: draw })
                })
            },
        ));
        kinds.push(kind(
            &format!("circle: a position that has no way out wins, {name}"),
            Says::Position,
            move |case| {
                let arena = case.unfolding.arena();
                let components = arena.components();
                let closed = |at: usize| {
                    let component = components.component(at as Node);
                    let stays =
                        |&node: &Node| arena.successors(node).iter().all(|&to| components.component(to) <= component);
                    let leaves =
                        |&node: &Node| arena.successors(node).iter().any(|&to| components.component(to) != component);
                    let nodes = components.nodes(component as usize);
                    case.is_cyclic(at) && nodes.iter().all(stays) && !nodes.iter().any(leaves)
                };
                everywhere_with(case, &|claim, at, _| {
                    closed(at).then(|| Stage { within: when(claim, at), threshold: Threshold::NOTHING })
                })
            },
        ));
    }
    kinds.push(kind("circle: one stage too many rests on the next position's", Says::Position, |case| {
        // Every position of a cycle claims its last threshold but one as early as its neighbour.
        everywhere(case, &|at, _, stages| {
            if case.is_cyclic(at) && stages.len() > 1 {
                let within = stages[stages.len() - 2].within;
                let last = stages[stages.len() - 1].threshold;
                stages.pop();
                stages.pop();
                stages.push(Stage { within, threshold: last });
            }
        })
    }));
}

/// One more last stage wherever `added` gives one, for one player or both, at all positions together.
fn everywhere_with(case: &Case, added: &dyn Fn(&ChipClaim, usize, Player) -> Option<Stage>) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (index, claim) in case.totals().iter().enumerate() {
        for players in [&Player::BOTH[..1], &Player::BOTH[1..], &Player::BOTH[..]] {
            variants.push(case.with_chips(index, format!("total {}, {players:?}", claim.total), |changed| {
                for (at, value) in changed.positions.iter_mut().enumerate() {
                    for &player in players {
                        if let Some(stage) = added(claim, at, player) {
                            stages_mut(value, player).push(stage);
                        }
                    }
                }
            }));
        }
    }
    variants
}

/// The list of positions, whatever is claimed about them.
fn position_kinds(kinds: &mut Vec<Kind>) {
    /// Names of positions, and values that move with them.
    fn edit(case: &Case, what: String, change: impl Fn(&mut Vec<(String, usize)>)) -> Vec<Variant> {
        let mut order: Vec<(String, usize)> =
            (0..case.unfolding.arena().len()).map(|at| (case.notation(at), at)).collect();
        change(&mut order);
        let mut solution = case.solution.clone();
        match &mut solution.claim {
            Claim::Money { positions, .. } => {
                let value = |(position, at): &(String, usize)| MoneyValue {
                    position: position.clone(),
                    ..positions[*at].clone()
                };
                *positions = order.iter().map(value).collect();
            }
            Claim::Chips { totals } => {
                // The last total, so that the others are checked and found true first.
                let positions = &mut totals.last_mut().unwrap().positions;
                let value = |(position, at): &(String, usize)| ChipValue {
                    position: position.clone(),
                    ..positions[*at].clone()
                };
                *positions = order.iter().map(value).collect();
            }
            Claim::Rules(_) | Claim::Purses { .. } => unreachable!("these have tests of their own"),
        }
        vec![Variant { what, corrupt: Corrupt::Solution(Box::new(solution)) }]
    }
    kinds.push(kind("positions: one missing", Says::Position, |case| {
        case.sample.iter().flat_map(|&at| edit(case, case.notation(at), |order| drop(order.remove(at)))).collect()
    }));
    kinds.push(kind("positions: none", Says::Words("position"), |case| {
        edit(case, "all".to_string(), |order| order.clear())
    }));
    kinds.push(kind("positions: one more with an unknown name", Says::Words("is not a position"), |case| {
        let names = ["nowhere", "-99", "999999999999", "A.B", "é", "((((("];
        names.iter().flat_map(|name| edit(case, name.to_string(), |order| order.push((name.to_string(), 0)))).collect()
    }));
    kinds.push(kind("positions: one renamed", Says::Words("is not a position"), |case| {
        let rename = |at: usize| edit(case, case.notation(at), |order| order[at].0 = format!("{} x", order[at].0));
        case.sample.iter().flat_map(|&at| rename(at)).collect()
    }));
    kinds.push(kind("positions: one twice", Says::Position, |case| {
        case.sample
            .iter()
            .flat_map(|&at| edit(case, case.notation(at), |order| order.push(order[at].clone())))
            .collect()
    }));
    kinds.push(kind("positions: one twice under a symmetric name", Says::Position, |case| {
        let rotated = |name: &str| {
            let rows: Vec<String> = name.split('/').map(|row| row.chars().rev().collect()).collect();
            rows.join("/")
        };
        let twin = |at: usize| {
            let name = case.notation(at);
            Some(rotated(&name)).filter(|twin| *twin != name && case.unfolding.node(twin) == Ok(at as Node))
        };
        let twins = case.sample.iter().filter_map(|&at| Some((at, twin(at)?)));
        twins.flat_map(|(at, twin)| edit(case, twin.clone(), |order| order.push((twin.clone(), at)))).collect()
    }));
    kinds.push(kind("positions: one in place of another", Says::Position, |case| {
        let count = case.unfolding.arena().len();
        let pairs = case.sample.iter().map(|&at| (at, (at + 1) % count));
        pairs.flat_map(|(at, to)| edit(case, case.notation(at), |order| order[at].0 = order[to].0.clone())).collect()
    }));
    kinds.push(kind("chips: values of two positions exchanged", Says::Position, |case| {
        let mut variants = Vec::new();
        for (index, claim) in case.totals().iter().enumerate() {
            for (one, &first) in case.sample.iter().enumerate() {
                for &second in &case.sample[one + 1..] {
                    let what = format!("total {}: {}, {}", claim.total, case.notation(first), case.notation(second));
                    variants.push(case.with_chips(index, what, |claim| {
                        claim.positions.swap(first, second);
                        let name = std::mem::take(&mut claim.positions[first].position);
                        claim.positions[first].position =
                            std::mem::replace(&mut claim.positions[second].position, name);
                    }));
                }
            }
        }
        variants
    }));
    kinds.push(kind("chips: players exchanged at a position", Says::Position, |case| {
        let mut variants = Vec::new();
        for (index, claim) in case.totals().iter().enumerate() {
            for &at in &case.sample {
                let what = format!("total {}: {}", claim.total, case.notation(at));
                variants.push(case.with_chips(index, what, |claim| {
                    let ChipValue { alice, bob, .. } = &mut claim.positions[at];
                    std::mem::swap(alice, bob);
                }));
            }
        }
        variants
    }));
    kinds.push(kind("chips: players exchanged everywhere", Says::Position, |case| {
        let exchange = |value: &mut ChipValue| std::mem::swap(&mut value.alice, &mut value.bob);
        let one = |index| {
            case.with_chips(index, format!("total {index}"), |claim| claim.positions.iter_mut().for_each(exchange))
        };
        (0..case.totals().len()).map(one).collect()
    }));
    kinds.push(kind("chips: the end belongs to another player", Says::Position, |case| {
        let won = vec![Stage { within: 0, threshold: Threshold::NOTHING }];
        let owners =
            [(won.clone(), Vec::new()), (Vec::new(), won.clone()), (won.clone(), won.clone()), Default::default()];
        let mut variants = Vec::new();
        for index in 0..case.totals().len() {
            for &at in case.sample.iter().filter(|&&at| case.terminal(at).is_some()) {
                for (alice, bob) in &owners {
                    let what = format!("{}: {}, {}", case.notation(at), show(alice), show(bob));
                    variants.push(case.with_chips(index, what, |claim| {
                        let value = &mut claim.positions[at];
                        (value.alice, value.bob) = (alice.clone(), bob.clone());
                    }));
                }
            }
        }
        variants
    }));
}

/// Everything but the positions: game, start, mechanism, total, thresholds at the start.
fn head_kinds(kinds: &mut Vec<Kind>) {
    type Change = fn(&mut ChipClaim) -> &mut u32;
    let numbers: [(&str, &str, Change); 4] = [
        ("win plain", "win threshold", |claim| &mut claim.win.plain),
        ("win star", "win threshold", |claim| &mut claim.win.star),
        ("draw plain", "draw threshold", |claim| &mut claim.draw.plain),
        ("draw star", "draw threshold", |claim| &mut claim.draw.star),
    ];
    fn each_total(case: &Case, change: impl Fn(&mut ChipClaim)) -> Vec<Variant> {
        let one = |index: usize| {
            case.with(&format!("total {}", case.totals()[index].total), |solution| {
                if let Claim::Chips { totals } = &mut solution.claim {
                    change(&mut totals[index]);
                }
            })
        };
        (0..case.totals().len()).map(one).collect()
    }
    for (name, says, field) in numbers {
        kinds.push(kind(&format!("head: {name} one off"), Says::Words(says), move |case| {
            let mut variants = each_total(case, |claim| *field(claim) += 1);
            variants.extend(each_total(case, |claim| {
                let number = field(claim);
                *number = number.saturating_sub(1);
            }));
            variants
        }));
    }
    kinds.push(kind("head: win and draw exchanged", Says::Words("threshold"), |case| {
        each_total(case, |claim| std::mem::swap(&mut claim.win, &mut claim.draw))
    }));
    kinds.push(kind("head: another total", Says::Anything, |case| {
        let mut variants = Vec::new();
        for change in [|chips| chips + 1, |chips| chips - 1, |chips| chips * 2 + 1, |_| 0, |_| 1_000_000_000i64] {
            variants.extend(each_total(case, |claim| {
                let chips = change(i64::from(claim.total.chips()));
                claim.total = Total::new(chips.max(0).unsigned_abs()).unwrap();
            }));
        }
        variants
    }));
    kinds.push(kind("head: two totals exchanged", Says::Anything, |case| {
        if case.totals().len() < 2 {
            return Vec::new();
        }
        vec![case.with("first and last", |solution| {
            if let Claim::Chips { totals } = &mut solution.claim {
                let (first, last) = (totals[0].total, totals[totals.len() - 1].total);
                totals[0].total = last;
                totals.last_mut().unwrap().total = first;
            }
        })]
    }));
    kinds.push(kind("mechanism: the other right", Says::Position, |case| {
        let right = match case.solution.mechanism.right {
            Right::Chooses => Right::Moves,
            Right::Moves => Right::Chooses,
        };
        // Where no position is a zugzwang both rights can have the same solution.
        let variant = case.with("right", |solution| solution.mechanism.right = right);
        vec![variant].into_iter().filter(is_false).collect()
    }));
    type Other = fn(&mut Mechanism);
    let unserved: [(&str, Other); 3] = [
        ("poorman", |mechanism| mechanism.payment = Payment::Poorman),
        ("taxman", |mechanism| mechanism.payment = Payment::Taxman { numerator: 1, denominator: 2 }),
        ("bids", |mechanism| mechanism.bids = Bids::Only(vec![1, 5])),
    ];
    for (name, change) in unserved {
        kinds.push(kind(&format!("mechanism: {name}"), Says::Words("is not supported; supported: "), move |case| {
            // Every payment is served for real money.
            if case.totals().is_empty() && name != "bids" {
                return Vec::new();
            }
            vec![case.with(name, |solution| change(&mut solution.mechanism))]
        }));
    }
    let others: [(&str, Other); 4] = [
        ("some bids", |mechanism| mechanism.bids = Bids::Only(vec![0, 5])),
        ("a marker", |mechanism| mechanism.ties = Ties::Marker),
        ("no star", |mechanism| mechanism.ties = Ties::Alice),
        ("open bids and a marker", |mechanism| {
            (mechanism.ties, mechanism.bidding) = (Ties::Marker, Bidding::AliceFirst);
        }),
    ];
    for (name, change) in others {
        kinds.push(kind(&format!("mechanism: {name}"), Says::Anything, move |case| {
            // Neither ties nor who bids first changes thresholds for real money.
            if case.totals().is_empty() {
                return Vec::new();
            }
            let variant = case.with(name, |solution| change(&mut solution.mechanism));
            vec![variant].into_iter().filter(is_false).collect()
        }));
    }
    kinds.push(kind("mechanism: another payment", Says::Position, |case| {
        if case.money().is_empty() {
            return Vec::new();
        }
        let payments = ["richman", "poorman", "taxman:1/2", "taxman:1/3", "taxman:1/1000000"];
        let other = payments
            .iter()
            .filter(|text| text.parse::<Payment>().unwrap().rate() != case.solution.mechanism.payment.rate());
        // Wide bounds, and thresholds of 0 and 1, may hold with another payment too.
        other
            .map(|text| case.with(text, |solution| solution.mechanism.payment = text.parse().unwrap()))
            .filter(|variant| case.truth.is_none() && case.unfolding.arena().is_acyclic() && is_false(variant))
            .collect()
    }));
    kinds.push(kind("game: another name", Says::Anything, |case| {
        let names = [
            "tic-tac-toe",
            "tic-tac-toe:line=2",
            "tic-tac-toe:rows=2",
            "tic-tac-toe:rows=4",
            "connect:rows=3,cols=3,line=3",
            "connect:rows=3,cols=3,line=2",
            "connect",
            "tug-of-war",
            "tug-of-war:length=7",
            "tug-of-war:length=5",
            "tug-of-war:length=4",
            "ultimatum",
            "ultimatum:degree=2",
            "ultimatum:degree=4",
            "expr:(A & B^2) & B",
            "expr:(A & B^3) & B",
            "expr:(B & A^2) & A",
            "expr:E",
            "nothing",
            "",
            "standoff",
            "carousel",
        ];
        let mut variants = Vec::new();
        for name in names {
            // `at` is only where the game starts, which the position says too.
            let rules = |name: &str| name.replace(",at=1", "");
            if matches!(&case.solution.game, SavedGame::Named(own) if rules(own) == rules(name)) {
                continue;
            }
            variants.push(case.with(name, |solution| solution.game = SavedGame::Named(name.to_string())));
        }
        variants
    }));
    kinds.push(kind("game: another start", Says::Anything, |case| {
        let mut variants = Vec::new();
        for &at in &case.sample {
            let variant = case.with(&case.notation(at), |solution| solution.position = case.notation(at));
            if is_false(&variant) {
                variants.push(variant);
            }
        }
        variants
    }));
    kinds.push(kind("game: an unknown start", Says::Words("is not a position"), |case| {
        ["nowhere", "-99", "ABC", "..."]
            .iter()
            .map(|name| case.with(name, |solution| solution.position = name.to_string()))
            .collect()
    }));
    kinds.push(kind("game: a move of the game file leads elsewhere", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, index, to| {
            let to = positions[to].name.clone();
            let moves = if player == Player::Alice { &mut positions[at].alice } else { &mut positions[at].bob };
            if let Some(name) = moves.get_mut(index) {
                *name = to;
            }
        })
    }));
    kinds.push(kind("game: a move of the game file more", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, _, to| {
            let to = positions[to].name.clone();
            let moves = if player == Player::Alice { &mut positions[at].alice } else { &mut positions[at].bob };
            if !moves.is_empty() && !moves.contains(&to) {
                moves.push(to);
            }
        })
    }));
    kinds.push(kind("game: a move of the game file less", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, index, _| {
            let moves = if player == Player::Alice { &mut positions[at].alice } else { &mut positions[at].bob };
            if index < moves.len() {
                moves.remove(index);
            }
        })
    }));
    kinds.push(kind("game: an end of the game file belongs to another player", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, index, _| {
            if positions[at].terminal.is_some() {
                positions[at].terminal = Some(if index == 0 { Terminal::Win(player) } else { Terminal::Draw });
            }
        })
    }));
    kinds.push(kind("game: players of the game file exchanged", Says::Anything, |case| {
        let variant = case.with("all", |solution| {
            if let SavedGame::File(file) = &mut solution.game {
                for position in &mut file.positions {
                    std::mem::swap(&mut position.alice, &mut position.bob);
                    position.terminal = position.terminal.map(Terminal::mirror);
                }
            }
        });
        vec![variant].into_iter().filter(is_false).collect()
    }));
}

/// Solves what a saved solution is about once more, exactly wherever that can be, or `None` where that is not a game that can be solved.
fn solve_again(saved: &SavedSolution) -> Option<SavedSolution> {
    let subject = match &saved.game {
        SavedGame::Named(name) => Subject::named(name).ok()?,
        SavedGame::File(file) => Subject::from_file("game.json", file.to_json().to_string().as_bytes()).ok()?,
    };
    let totals: Vec<u64> = match &saved.claim {
        Claim::Chips { totals } => totals.iter().map(|claim| claim.total.chips().into()).collect(),
        _ => Vec::new(),
    };
    let richman = saved.mechanism.payment.rate().is_richman();
    let exactness = if richman { Exactness::Required } else { Exactness::Preferred };
    solve(&subject, Some(&saved.position), &saved.mechanism, &totals, exactness)
}

/// Whether a variant of another game does not happen to be true of that game as well.
fn is_false(variant: &Variant) -> bool {
    let Corrupt::Solution(solution) = &variant.corrupt else { return true };
    let Some(truth) = solve_again(solution) else { return true };
    match (by_position(truth.claim), by_position(solution.claim.clone())) {
        (
            Claim::Money { win, draw, positions: truth },
            Claim::Money { win: win_claimed, draw: draw_claimed, positions },
        ) => {
            let head = |win, draw| MoneyValue { position: String::new(), win, draw };
            let same =
                |(value, truth): (&MoneyValue, &MoneyValue)| value.position == truth.position && may_hold(value, truth);
            positions.len() != truth.len()
                || !positions.iter().zip(&truth).all(same)
                || !may_hold(&head(win_claimed, draw_claimed), &head(win, draw))
        }
        (truth, claimed) => truth != claimed,
    }
}

/// Whether the bounds leave room for shares that are known exactly or between bounds.
fn may_hold(value: &MoneyValue, truth: &MoneyValue) -> bool {
    let meet = |bounds: &ShareBounds, truth: &ShareBounds| bounds.low <= truth.high && truth.low <= bounds.high;
    meet(&value.win, &truth.win) && meet(&value.draw, &truth.draw)
}

/// The order of positions says nothing.
fn by_position(mut claim: Claim) -> Claim {
    match &mut claim {
        Claim::Money { positions, .. } => positions.sort_by(|a, b| a.position.cmp(&b.position)),
        Claim::Rules(_) | Claim::Purses { .. } => unreachable!("these have tests of their own"),
        Claim::Chips { totals } => {
            totals.iter_mut().for_each(|claim| claim.positions.sort_by(|a, b| a.position.cmp(&b.position)));
        }
    }
    claim
}

type Edit<'a> = &'a dyn Fn(&mut Vec<richman_core::GraphPosition>, usize, Player, usize, usize);

/// Every edit of an embedded game file, by position, player, number of the move and another position.
fn edit_file(case: &Case, edit: Edit) -> Vec<Variant> {
    let SavedGame::File(file) = &case.solution.game else { return Vec::new() };
    let mut variants = Vec::new();
    let count = file.positions.len();
    for at in 0..count {
        for player in Player::BOTH {
            for index in 0..2 {
                for to in 0..count {
                    let mut changed = file.clone();
                    edit(&mut changed.positions, at, player, index, to);
                    if changed == *file {
                        continue;
                    }
                    let what = format!("{}, {player}, {index}, {}", file.positions[at].name, file.positions[to].name);
                    let variant = case.with(&what, |solution| solution.game = SavedGame::File(changed));
                    if is_false(&variant) {
                        variants.push(variant);
                    }
                }
            }
        }
    }
    variants
}

fn text_kinds(kinds: &mut Vec<Kind>) {
    fn edited(case: &Case, what: &str, edit: impl FnOnce(&str) -> String) -> Variant {
        let before = String::from_utf8(text(&case.solution)).unwrap();
        let after = edit(&before);
        assert_ne!(before, after, "{what}");
        Variant { what: what.to_string(), corrupt: Corrupt::Text(after.into_bytes()) }
    }
    kinds.push(kind("text: truncated", Says::Anything, |case| {
        let whole = text(&case.solution);
        let mut rng = Rng::with_seed(1);
        // The newline after the last brace may be missing.
        let random = (0..40).map(|_| rng.usize(0..whole.len() - 1));
        let lines = whole.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at).take(40);
        let places: BTreeSet<usize> = random.chain(lines).chain([0, 1, whole.len() - 2]).collect();
        let cut = |at: usize| Variant { what: format!("at {at}"), corrupt: Corrupt::Text(whole[..at].to_vec()) };
        places.into_iter().filter(|&at| at + 1 < whole.len()).map(cut).collect()
    }));
    kinds.push(kind("text: not JSON", Says::Words("not JSON"), |_| {
        let texts = ["solution", "{", "<xml/>", "{\"format\" \"richman-solution\"}", "\u{feff}"];
        texts
            .iter()
            .map(|text| Variant { what: text.to_string(), corrupt: Corrupt::Text(text.as_bytes().to_vec()) })
            .collect()
    }));
    kinds.push(kind("text: other JSON", Says::Anything, |_| {
        let texts = ["{}", "[]", "null", "1", "\"richman-solution\"", "[1, 2", STANDOFF];
        texts
            .iter()
            .map(|text| Variant { what: text.to_string(), corrupt: Corrupt::Text(text.as_bytes().to_vec()) })
            .collect()
    }));
    kinds.push(kind("text: empty", Says::Anything, |_| {
        let texts: [&[u8]; 4] = [b"", b"\n", b"   ", b"\0"];
        texts.iter().map(|text| Variant { what: format!("{text:?}"), corrupt: Corrupt::Text(text.to_vec()) }).collect()
    }));
    kinds.push(kind("text: not UTF-8", Says::Words("UTF-8"), |case| {
        let mut bytes = text(&case.solution);
        let middle = bytes.len() / 2;
        bytes[middle] = 0xff;
        vec![Variant { what: "middle".to_string(), corrupt: Corrupt::Text(bytes) }]
    }));
    kinds.push(kind("text: another version", Says::Words("version"), |case| {
        let versions = ["0", "2", "4294967296", "-1", "1.0", "\"1\"", "null"];
        let one = |version: &&str| {
            edited(case, version, |text| text.replacen("\"version\": 1,", &format!("\"version\": {version},"), 1))
        };
        versions.iter().map(one).collect()
    }));
    kinds.push(kind("text: another format", Says::Words("richman-solution"), |case| {
        vec![edited(case, "format", |text| text.replacen("richman-solution", "richman-game", 1))]
    }));
    kinds.push(kind("text: more after the end", Says::Anything, |case| {
        ["}", "{}", "x", "\0"].iter().map(|more| edited(case, more, |text| format!("{text}{more}"))).collect()
    }));
    kinds.push(kind("text: a line twice or missing", Says::Anything, |case| {
        let whole = String::from_utf8(text(&case.solution)).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let mut rng = Rng::with_seed(2);
        let places: BTreeSet<usize> = (0..60).map(|_| rng.usize(0..lines.len())).collect();
        let mut variants = Vec::new();
        for at in places {
            let twice = [&lines[..=at], &lines[at..]].concat().join("\n");
            let missing = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            for (what, text) in [("twice", twice), ("missing", missing)] {
                let what = format!("line {}, {what}: {}", at + 1, lines[at]);
                variants.push(Variant { what, corrupt: Corrupt::Text(text.into_bytes()) });
            }
        }
        variants
    }));
}

/// One digit of the text replaced by another: an error, a wrong solution, or one that is true of what it says it is about.
#[test]
fn no_digit_can_be_changed() {
    let complaints: Vec<String> = cases()
        .par_iter()
        .flat_map_iter(|case| {
            let whole = text(&case.solution);
            let digits: Vec<usize> = (0..whole.len()).filter(|&at| whole[at].is_ascii_digit()).collect();
            let mut rng = Rng::with_seed(3);
            let mut complaints = Vec::new();
            for _ in 0..200 {
                let at = digits[rng.usize(0..digits.len())];
                let mut changed = whole.clone();
                changed[at] = b'0' + (changed[at] - b'0' + rng.u8(1..10)) % 10;
                // The node at which a named game starts says nothing where the position is given as well.
                let is_true = read("solution.json", &changed)
                    .is_ok_and(|solution| solution == case.solution || !is_false(&Variant::of("a digit", solution)));
                match judge_text(&changed) {
                    Verdict::Valid if is_true => {}
                    // Bounds can be true and not follow from the others.
                    Verdict::Wrong(wrong) if wrong != PANIC && (!is_true || case.truth.is_some()) => {}
                    Verdict::Error(_) if !is_true => {}
                    verdict => {
                        let (changed, whole) = (line_at(&changed, at), line_at(&whole, at));
                        complaints.push(format!("{}: {verdict:?} for\n{changed}\ninstead of\n{whole}", case.name));
                    }
                }
            }
            complaints
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn line_at(text: &[u8], at: usize) -> String {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
    let line = text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}
