//! Games by rules in Python, unfolded into a graph whose positions are numbers.
//!
//! Every position is asked once for its end and its moves, in the order of discovery, so rules that
//! change their mind still give one graph. One dict, which the caller keeps, numbers the positions.
//! Positions that may change keep their hash and their name, which are looked at again before and
//! after the rules are asked about them.

mod given;
mod nature;

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use richman::analysis::Subject;
use richman::core::{
    BuiltMove, ByPlayer, Error as CoreError, GraphBuilder, LabelledGraph, NodeData, Objective, Player, PositionKind,
    Scores, Terminal, WinLose, excerpt,
};

use self::given::{Forms, GivenMoves};
use self::nature::{Nature, Natures};
use crate::error::Error;
use crate::questions::Progress;
use crate::remedies::refused;
use crate::work::MOMENT;

/// The most moves of one player at one position; more are taken for an endless list.
const MOST_MOVES: usize = 1 << 24;
/// The bytes of a number in the dict of positions, with its entry.
const ENTRY: u64 = 156;
/// What is limited.
const UNFOLDING: &str = "unfolding the game";

/// The limits of unfolding, and who is told how far it is.
#[derive(Clone, Copy)]
pub struct Limits<'a, 'py> {
    /// The most positions.
    pub positions: u64,
    /// The most bytes.
    pub memory: u64,
    /// When to stop.
    pub end: Option<Instant>,
    /// Called with stage, done and total a few times a second.
    pub progress: Progress<'a, 'py>,
}

/// The parts of the rules; a method that they do not have is None.
#[derive(FromPyObject)]
struct Rules<'py> {
    name: String,
    description: Option<String>,
    start: Bound<'py, PyAny>,
    moves: Bound<'py, PyAny>,
    winner: Option<Bound<'py, PyAny>>,
    scores: Option<Bound<'py, PyAny>>,
    weight: Option<Bound<'py, PyAny>>,
    stuck: Option<Bound<'py, PyAny>>,
    canonical: Option<Bound<'py, PyAny>>,
    notation: Option<Bound<'py, PyAny>>,
    move_name: Option<Bound<'py, PyAny>>,
    nature: Bound<'py, PyAny>,
}

/// Unfolds rules; the dict has the number of every position.
pub fn unfolded<'py>(rules: &Bound<'py, PyAny>, limits: Limits<'_, 'py>) -> PyResult<(Subject, Bound<'py, PyAny>)> {
    let rules: Rules = rules.extract()?;
    if rules.scores.is_some() { graph_of::<Scores>(rules, limits) } else { graph_of::<WinLose>(rules, limits) }
}

fn graph_of<'py, L: RulesObjective>(
    rules: Rules<'py>,
    limits: Limits<'_, 'py>,
) -> PyResult<(Subject, Bound<'py, PyAny>)>
where
    Subject: From<LabelledGraph<L>>,
{
    let py = rules.start.py();
    let words = ByPlayer::new(PyString::intern(py, "alice"), PyString::intern(py, "bob"));
    let mut unfolding = Unfolding {
        py,
        numbers: PyDict::new(py),
        found: Vec::new(),
        builder: GraphBuilder::<L>::default(),
        sizes: 0,
        weighed: 0,
        limits,
        next: Instant::now(),
        natures: Natures::new(rules.nature.clone()),
        forms: Forms::of(&rules.start)?,
        are_named: None,
        rules,
        words,
    };
    unfolding.unfold()?;
    let Unfolding { numbers, builder, rules, .. } = unfolding;
    let Rules { name, description, .. } = rules;
    let start = builder.text(0).to_string();
    let subject = py.detach(move || {
        let graph = builder.build(&name, &start).map_err(|error| format!("{name}: {error}"))?;
        Ok(graph.described(description).into())
    });
    Ok((subject.map_err(|error: String| Error::new_err(error))?, numbers.into_any()))
}

/// An objective of games by rules.
trait RulesObjective: Objective {
    /// How the game ended at a position.
    fn end<'py>(unfolding: &Unfolding<'_, 'py, Self>, position: &Bound<'py, PyAny>) -> PyResult<Option<Self::End>>;

    /// The label of a position, by what is added for a player who cannot move.
    fn on(stuck: ByPlayer<i64>) -> Self::Position;

    /// The label of a move, by its weight.
    fn label(weight: i64) -> Self::Move;
}

impl RulesObjective for WinLose {
    fn end<'py>(unfolding: &Unfolding<'_, 'py, WinLose>, position: &Bound<'py, PyAny>) -> PyResult<Option<Terminal>> {
        unfolding.winner(position)
    }

    fn on(_: ByPlayer<i64>) -> PositionKind {
        PositionKind::Bid
    }

    fn label(_: i64) {}
}

impl RulesObjective for Scores {
    fn end<'py>(unfolding: &Unfolding<'_, 'py, Scores>, position: &Bound<'py, PyAny>) -> PyResult<Option<i64>> {
        unfolding.end_score(position)
    }

    fn on(stuck: ByPlayer<i64>) -> ByPlayer<i64> {
        stuck
    }

    fn label(weight: i64) -> i64 {
        weight
    }
}

struct Unfolding<'a, 'py, L: RulesObjective> {
    py: Python<'py>,
    rules: Rules<'py>,
    words: ByPlayer<Bound<'py, PyString>>,
    numbers: Bound<'py, PyDict>,
    /// Each position, with its hash if it may change.
    found: Vec<(Bound<'py, PyAny>, Option<isize>)>,
    builder: GraphBuilder<L>,
    /// The bytes of some positions, and how many they are.
    sizes: u64,
    weighed: u64,
    limits: Limits<'a, 'py>,
    /// When to look at signals and the clock again.
    next: Instant,
    natures: Natures<'py>,
    forms: Forms,
    /// Whether moves are given with names; unknown before the first.
    are_named: Option<bool>,
}

impl<'py, L: RulesObjective> Unfolding<'_, 'py, L> {
    fn unfold(&mut self) -> PyResult<()> {
        let start = self.rules.start.clone();
        let first = self.canonical(&start, &start)?;
        self.number(&start, first)?;
        let mut moves = ByPlayer::new(Vec::new(), Vec::new());
        let mut built = 0;
        while built < self.found.len() {
            self.check_unchanged(built)?;
            let position = self.found[built].0.clone();
            moves.alice.clear();
            moves.bob.clear();
            let data = match L::end(self, &position)? {
                Some(end) => NodeData::End(end),
                None => {
                    let mut stuck = ByPlayer::both(0);
                    for player in Player::BOTH {
                        self.moves(&position, player, &mut moves[player])?;
                        if let Some(method) = &self.rules.stuck {
                            let score = method.call1((&position, &self.words[player]));
                            stuck[player] = self.score(&position, "stuck", score)?;
                        }
                    }
                    NodeData::On(L::on(stuck))
                }
            };
            self.check_unchanged(built)?;
            self.builder.position(built as u32, data, moves.as_ref().map(|moves| moves.iter().copied()));
            built += 1;
            self.look(&position)?;
            if built.is_multiple_of(1 << 10) {
                self.check_memory(&position)?;
            }
        }
        Ok(())
    }

    /// The score at which the game ended at a position.
    fn end_score(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<i64>> {
        let Some(scores) = &self.rules.scores else { return Ok(None) };
        let end = scores.call1((position,));
        if end.as_ref().is_ok_and(|end| end.is_none()) {
            return Ok(None);
        }
        self.score(position, "scores", end).map(Some)
    }

    /// Who won at a position.
    fn winner(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<Terminal>> {
        let Some(winner) = &self.rules.winner else {
            return Err(Error::new_err(format!("{}: the rules have neither winner nor scores", self.rules.name)));
        };
        let end = winner.call1((position,)).map_err(|error| self.failed(position, "winner", error))?;
        if end.is_none() {
            return Ok(None);
        }
        let word = end.cast::<PyString>().ok().and_then(|word| word.to_cow().ok());
        Ok(Some(match word.as_deref() {
            Some("alice") => Terminal::Win(Player::Alice),
            Some("bob") => Terminal::Win(Player::Bob),
            Some("none" | "draw") => Terminal::Draw,
            _ => {
                let how = "give 'alice', 'bob' or 'none', or None while the game goes on";
                return Err(self.wrong(position, &format!("winner gave {}: {how}", shown(&end))));
            }
        }))
    }

    /// A whole number from the rules.
    fn score(&self, at: &Bound<'py, PyAny>, method: &str, given: PyResult<Bound<'py, PyAny>>) -> PyResult<i64> {
        let given = given.map_err(|error| self.failed(at, method, error))?;
        let whole = given.extract::<i64>().ok();
        whole.ok_or_else(|| self.wrong(at, &format!("{method} gave {}: give a whole number", shown(&given))))
    }

    fn moves(&mut self, at: &Bound<'py, PyAny>, player: Player, into: &mut Vec<BuiltMove<L::Move>>) -> PyResult<()> {
        let given = self.rules.moves.call1((at, &self.words[player]));
        let given = given.map_err(|error| self.failed(at, "moves", error))?;
        let listed = GivenMoves::of(&given).map_err(|error| {
            let what = format!("moves gave {}, which is no list of positions", shown(&given));
            self.wrong_because(at, &what, error)
        })?;
        let Some(mut listed) = listed else {
            let how = "give a list of positions, or a dict from names of moves to positions";
            return Err(self.wrong(at, &format!("moves gave {}: {how}", shown(&given))));
        };
        let mut objects = SeenObjects::default();
        while let Some((name, target)) = listed.next(self.forms).map_err(|error| self.failed(at, "moves", error))? {
            self.check_new(at, &target, &mut objects)?;
            let weight = match &self.rules.weight {
                Some(weight) => {
                    let weight = weight.call1((at, &target, &self.words[player]));
                    self.score(at, "weight", weight)?
                }
                None => 0,
            };
            let name = match self.name(at, name, &target, player)? {
                Some(text) => Some(self.builder.move_name(&text)),
                None => None,
            };
            let target = self.canonical(at, &target)?;
            let to = self.number(at, target)?;
            into.push(BuiltMove { to, name, label: L::label(weight) });
            if into.len().is_multiple_of(1 << 6) {
                self.look(at)?;
                if into.len() > MOST_MOVES {
                    return Err(self.wrong(at, &format!("moves gave more than {MOST_MOVES} positions")));
                }
            }
        }
        // Moves that are given twice are one, as in a game file.
        let mut seen = BTreeSet::new();
        into.retain(|step| seen.insert(*step));
        Ok(())
    }

    /// The name of a move: the given one, or that of the method `move_name`.
    fn name(
        &mut self,
        at: &Bound<'py, PyAny>,
        given: Option<Bound<'py, PyAny>>,
        target: &Bound<'py, PyAny>,
        player: Player,
    ) -> PyResult<Option<String>> {
        if *self.are_named.get_or_insert(given.is_some()) != given.is_some() {
            let what = match given {
                Some(name) => {
                    format!("moves gave {} with the name {}, and others without one", shown(target), shown(&name))
                }
                None => format!("moves gave {} without a name, and others with one", shown(target)),
            };
            return Err(self.wrong(at, &format!("{what}: name all moves, or none")));
        }
        match (given, &self.rules.move_name) {
            (Some(_), Some(_)) => {
                Err(self.wrong(at, "moves gives names, and so does move_name: leave out one of them"))
            }
            (Some(name), None) if !name.is_instance_of::<PyString>() => {
                Err(self.wrong(at, &format!("moves gave the name {}: give names of moves as str", shown(&name))))
            }
            (Some(name), None) => self.text(at, "moves", &name).map(Some),
            (None, Some(method)) => {
                let name = method.call1((at, target, &self.words[player]));
                let name = name.map_err(|error| self.failed(at, "move_name", error))?;
                self.text(at, "move_name", &name).map(Some)
            }
            (None, None) => Ok(None),
        }
    }

    /// Refuses an object that is given twice, or that moves lead away from: changed in place, it
    /// would be one position instead of two.
    fn check_new(
        &mut self,
        at: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        seen: &mut SeenObjects<'py>,
    ) -> PyResult<()> {
        if self.natures.of_outside(target)? < Nature::Object {
            return Ok(());
        }
        if !target.is(at) && seen.addresses.insert(target.as_ptr() as usize) {
            seen.held.push(target.clone());
            return Ok(());
        }
        let what = if target.is(at) { "the position itself" } else { "the same object twice" };
        let what = format!("moves gave {what}, {}, which may have changed in place", shown(target));
        Err(self.wrong(at, &format!("{what}: give a new object for every move, or let positions be tuples")))
    }

    /// Refuses a position that has changed since it was given.
    fn check_unchanged(&self, number: usize) -> PyResult<()> {
        let (position, Some(before)) = &self.found[number] else { return Ok(()) };
        let name = self.builder.text(number as u32);
        let hash = position.hash().map_err(|error| self.failed(position, "hash or ==", error))?;
        if hash == *before && self.notation(position)? == name {
            return Ok(());
        }
        let what = format!("it has changed since the rules gave it as {}, or its hash has", excerpt(&name));
        Err(self.wrong(position, &format!("{what}: give new positions instead of changing them")))
    }

    fn canonical(&self, at: &Bound<'py, PyAny>, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.rules.canonical {
            Some(canonical) => canonical.call1((position,)).map_err(|error| self.failed(at, "canonical", error)),
            None => Ok(position.clone()),
        }
    }

    /// The number of a position to which a move from `at` leads.
    fn number(&mut self, at: &Bound<'py, PyAny>, position: Bound<'py, PyAny>) -> PyResult<u32> {
        let known = self.numbers.get_item(&position);
        if let Some(number) = known.map_err(|error| self.failed(&position, "hash or ==", error))? {
            return number.extract();
        }
        let (number, most) = (self.found.len() as u32, self.limits.positions);
        if u64::from(number) >= most {
            let error = CoreError::TooManyPositions { limit: most };
            return Err(self.wrong(&position, &never_ending(&error)));
        }
        let hash = match self.natures.of(&position)? {
            Nature::Fixed => None,
            Nature::Nameless if self.rules.notation.is_none() => {
                let what = "positions of this class are all different and have no text";
                let how = "give it __eq__, __hash__ and __str__, or let positions be tuples";
                return Err(self.wrong(&position, &format!("{what}: {how}")));
            }
            _ => Some(position.hash().map_err(|error| self.failed(&position, "hash or ==", error))?),
        };
        let set = self.numbers.set_item(&position, number);
        set.map_err(|error| self.failed(&position, "hash or ==", error))?;
        let text = self.notation(&position)?;
        if self.builder.name(&text) != number {
            let what = format!("its notation {:?} is that of another position too", excerpt(&text));
            let what = format!("{what}; are positions equal, and is their hash the same, whenever they should be?");
            return Err(self.wrong(&position, &what));
        }
        self.found.push((position, hash));
        if number.is_multiple_of(1 << 12) {
            self.check_memory(at)?;
        }
        Ok(number)
    }

    fn notation(&self, position: &Bound<'py, PyAny>) -> PyResult<String> {
        let name = match &self.rules.notation {
            Some(notation) => {
                let name = notation.call1((position,));
                name.map_err(|error| self.failed(position, "notation", error))?
            }
            None if position.is_instance_of::<PyString>() => position.clone(),
            None => position.str().map_err(|error| self.failed(position, "str", error))?.into_any(),
        };
        self.text(position, "notation", &name)
    }

    fn text(&self, at: &Bound<'py, PyAny>, method: &str, given: &Bound<'py, PyAny>) -> PyResult<String> {
        let text = given.cast::<PyString>().ok().and_then(|text| text.to_cow().ok());
        let wrong = || self.wrong(at, &format!("{method} gave {}: give a str", shown(given)));
        text.map(|text| text.into_owned()).ok_or_else(wrong)
    }

    /// A few times a second: listens for signals, tells the progress, and looks at the clock.
    fn look(&mut self, position: &Bound<'py, PyAny>) -> PyResult<()> {
        let now = Instant::now();
        if now < self.next {
            return Ok(());
        }
        self.next = now + MOMENT;
        self.py.check_signals()?;
        if self.limits.end.is_some_and(|end| end <= now) {
            return Err(self.wrong(position, &never_ending(&CoreError::OutOfTime { what: UNFOLDING })));
        }
        if let Some(progress) = self.limits.progress {
            progress.call1(("unfolding", self.found.len(), None::<u64>))?;
        }
        Ok(())
    }

    /// Every thousand positions: weighs one, and compares the estimate with the limit.
    fn check_memory(&mut self, position: &Bound<'py, PyAny>) -> PyResult<()> {
        let size = position.call_method0("__sizeof__").and_then(|size| size.extract::<u64>()).unwrap_or(64);
        (self.sizes, self.weighed) = (self.sizes.saturating_add(size), self.weighed + 1);
        let each = ENTRY.saturating_add(self.sizes / self.weighed);
        let needed = self.builder.bytes().saturating_add(each.saturating_mul(self.found.len() as u64));
        let limit = self.limits.memory;
        if needed > limit {
            let error = CoreError::TooMuchMemory { what: UNFOLDING, needed, limit };
            return Err(self.wrong(position, &never_ending(&error)));
        }
        Ok(())
    }

    fn wrong(&self, at: &Bound<'py, PyAny>, what: &str) -> PyErr {
        Error::new_err(format!("{}, position {}: {what}", self.rules.name, shown(at)))
    }

    fn wrong_because(&self, at: &Bound<'py, PyAny>, what: &str, cause: PyErr) -> PyErr {
        // Ctrl-C and the end of the program are no faults of the rules.
        if !cause.is_instance_of::<PyException>(self.py) {
            return cause;
        }
        let error = self.wrong(at, what);
        error.set_cause(self.py, Some(cause));
        error
    }

    fn failed(&self, at: &Bound<'py, PyAny>, method: &str, cause: PyErr) -> PyErr {
        let reason = cause.value(self.py).str().map_or(String::new(), |text| text.to_string_lossy().into_owned());
        let kind = cause.get_type(self.py).name().map_or(String::new(), |name| name.to_string());
        self.wrong_because(at, &format!("{method} raised {kind}: {}", excerpt(&reason)), cause)
    }
}

/// The objects that one call of `moves` gave. They are held, so that no two have the same address.
#[derive(Default)]
struct SeenObjects<'py> {
    addresses: HashSet<usize>,
    held: Vec<Bound<'py, PyAny>>,
}

/// A value for people, cut off if long.
fn shown(value: &Bound<'_, PyAny>) -> String {
    match value.repr() {
        Ok(text) => excerpt(&text.to_string_lossy()),
        Err(_) => "that has no repr".to_string(),
    }
}

/// A limit that rules without an end exceed, and what helps.
fn never_ending(error: &CoreError) -> String {
    refused(format!("{error}; the rules may never end"), &error.remedies())
}
