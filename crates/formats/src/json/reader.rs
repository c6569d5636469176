//! Reads game files in JSON of any length, strictly and in one pass.

use richman_core::{
    BuiltMove, ByPlayer, GraphBuilder, MAX_WEIGHT, Player, PositionKind, Priority, Probability, StochasticLabel,
    Terminal,
};
use serde::Deserialize;

use super::syntax::JsonReader;
use crate::any_builder::AnyBuilder;
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::labels::FilePosition;
use crate::moves::{distinct, leads_twice, reuse};
use crate::names::{LONGEST_DESCRIPTION, LONGEST_NAME, check_move_name, check_name, check_text};
use crate::objectives::{PriorityOrder, ReadPosition, StatedObjective};
use crate::reading::Reading;

/// A game file before the targets of its moves are looked up.
pub(crate) struct ReadGame {
    name: String,
    description: Option<String>,
    start: String,
    builder: AnyBuilder,
    /// The moves of the current position, with their weights: Alice's, Bob's and both players'.
    moves: [Vec<BuiltMove<i64>>; 3],
    /// The chances of Alice's moves, where chance makes them.
    chances: Vec<Probability>,
    /// Bytes held before.
    beside: u64,
}

impl ReadGame {
    pub(crate) fn read(json: &mut JsonReader) -> Result<ReadGame, FormatError> {
        let given = json.reading.objective;
        let mut game = ReadGame {
            name: String::new(),
            description: None,
            start: String::new(),
            builder: AnyBuilder::new(GraphBuilder::default(), given),
            moves: Default::default(),
            chances: Vec::new(),
            beside: json.held,
        };
        let mut has_positions = false;
        json.object("the game", &["name", "start", "positions", "description", "objective"], 3, |json, key| {
            match key {
                "name" => game.name = json.name("the name of the game", LONGEST_NAME)?,
                "description" => {
                    let described = |text: &str| {
                        check_text("the description", LONGEST_DESCRIPTION, text).map(|()| text.to_string())
                    };
                    game.description = Some(json.text(&"the description as text", described)?);
                }
                "start" => game.start = json.name("the start", LONGEST_NAME)?,
                "objective" if has_positions => {
                    return Err(json.bad_value("the objective stands after the positions: write it before them"));
                }
                "objective" => {
                    let read = json.text(&"an objective as text", str::parse)?;
                    game.builder.state_objective(given.unwrap_or(read));
                }
                _ => {
                    has_positions = true;
                    json.positions(LONGEST_NAME, |json, name| {
                        game.position(json, &name)?;
                        json.hold(game.beside.saturating_add(game.builder.bytes()))
                    })?;
                }
            }
            Ok(())
        })?;
        json.hold(game.beside.saturating_add(game.builder.building_bytes()))?;
        Ok(game)
    }

    pub(crate) fn graph(self, file: &str, reading: &Reading) -> Result<AnyGraph, FormatError> {
        self.builder.graph((&self.name, &self.start), self.description, file, reading)
    }

    fn position(&mut self, json: &mut JsonReader, name: &str) -> Result<(), FormatError> {
        self.moves.iter_mut().for_each(reuse);
        reuse(&mut self.chances);
        let name = self.builder.name(name);
        let (mut data, mut mover) = (FilePosition::default(), None);
        let (mut weight, mut is_target, objective) = (None, None, self.builder.objective());
        let most = objective.map_or(PriorityOrder::USUAL, StatedObjective::order).most();
        let (mut by_player, mut by_chance) = (false, false);
        let keys =
            ["winner", "alice", "bob", "both", "score", "stuck", "priority", "kind", "moves", "weight", "target"];
        json.object("a position", &keys, 0, |json, key| {
            by_player |= matches!(key, "alice" | "bob" | "both");
            by_chance |= key == "moves";
            if by_player && by_chance {
                let reason = "chance makes the moves, so no player has one: leave out alice, bob and both, or moves";
                return Err(json.bad_value(reason));
            }
            match key {
                "winner" => data.end = Some(json.word("winner", &WINNERS)?),
                "score" => data.score = Some(amount(json, "a score")?),
                "kind" => mover = Some(json.word("kind", &KINDS)?),
                "priority" => {
                    data.priority = Some(Priority(whole(json, "a priority", 0, i64::from(most))? as u32));
                }
                "weight" => weight = Some(amount(json, "a weight")?),
                "target" => {
                    is_target = Some(json.value(&"true or false for a target", |json| bool::deserialize(json))?)
                }
                "stuck" => {
                    let scores = data.stuck.insert(ByPlayer::both(0));
                    json.object("the stuck scores", &["alice", "bob"], 0, |json, key| {
                        let score = amount(json, "a stuck score")?;
                        *(if key == "alice" { &mut scores.alice } else { &mut scores.bob }) = score;
                        Ok(())
                    })?;
                }
                "moves" => self.chance_list(json)?,
                "alice" => self.list(json, 0)?,
                "bob" => self.list(json, 1)?,
                _ => {
                    self.list(json, 2)?;
                    let [alice, bob, both] = &mut self.moves;
                    let copied = 2 * bytes_of(both) + bytes_of(alice) + bytes_of(bob);
                    json.check(copied)?;
                    // A point for the mover is one against Alice if Bob moves.
                    let sign = if objective.is_some_and(StatedObjective::has_weights) { 1 } else { -1 };
                    bob.extend(both.iter().map(|step| BuiltMove { label: sign * step.label, ..*step }));
                    if alice.is_empty() {
                        std::mem::swap(alice, both);
                    } else {
                        alice.append(both);
                    }
                }
            }
            Ok(())
        })?;
        if (data.priority.is_some() || mover.is_some()) && data.end.is_some() {
            return Err(json.bad_value("a position with a winner has no priority and no kind: play ends there"));
        }
        data.mover = mover.unwrap_or_default();
        match (data.is_by_chance(), by_chance) {
            (true, false) => return Err(json.missing("a position where chance moves", "moves")),
            (false, true) => {
                let reason = "the moves are those of chance: write \"kind\": \"chance\", or alice, bob or both";
                return Err(json.bad_value(reason));
            }
            _ => {}
        }
        self.labelled(json, objective, &mut data, (weight, is_target))?;
        let [alice, bob, _] = &mut self.moves;
        distinct(alice);
        distinct(bob);
        let is_named = alice.iter().chain(&*bob).any(|step| step.name.is_some());
        let of_each = BYTES_OF_A_MOVE + if is_named { BYTES_OF_A_NAMED_MOVE } else { 0 };
        let kept = ((alice.len() + bob.len()) * of_each + size_of_val(&self.chances[..])) as u64;
        json.check(kept + bytes_of(alice) + bytes_of(bob))?;
        let moves = ByPlayer::new(&alice[..], &bob[..]);
        let read = ReadPosition { name, data, is_target: is_target == Some(true), moves, chances: &self.chances };
        self.builder.position(&read, |bytes| json.hold(self.beside.saturating_add(bytes)))
    }

    /// Applies a position's weight and target flag, which need an objective.
    fn labelled(
        &mut self,
        json: &JsonReader,
        objective: Option<StatedObjective>,
        data: &mut FilePosition,
        (weight, is_target): (Option<i64>, Option<bool>),
    ) -> Result<(), FormatError> {
        if let (None, Some(_), _) | (None, _, Some(_)) = (objective, weight, is_target) {
            let reason = "a position has a weight or is a target, which needs an objective: write \"objective\": \
                          \"mean-payoff\", \"energy:10\", \"reach\", \"buechi\" or \"cobuechi\" before the positions";
            return Err(json.bad_value(reason));
        }
        if is_target == Some(true) {
            if data.end.is_some() {
                return Err(json.bad_value("a position has a winner and is a target: give it one of the two"));
            }
            if let Some(end) = objective.and_then(StatedObjective::end) {
                (data.end, data.mover) = (Some(end), StochasticLabel::default());
                self.moves.iter_mut().for_each(Vec::clear);
                self.chances.clear();
            }
        }
        let Some(weight) = weight.filter(|_| objective.is_some_and(StatedObjective::has_weights)) else {
            return Ok(());
        };
        for step in self.moves.iter_mut().flatten() {
            step.label += weight;
            if step.label.abs() > MAX_WEIGHT {
                return Err(
                    json.bad_value(format!("the weights of a position and a move exceed {MAX_WEIGHT} together"))
                );
            }
        }
        Ok(())
    }

    fn list(&mut self, json: &mut JsonReader, whose: usize) -> Result<(), FormatError> {
        /// The number of moves between memory checks.
        const AT_ONCE: usize = 1 << 12;
        let ReadGame { builder, moves, beside, .. } = self;
        let others = moves.iter().map(bytes_of).sum::<u64>() - bytes_of(&moves[whose]);
        let into = &mut moves[whose];
        let (mut read, mut many) = (0usize, into.len() + AT_ONCE);
        json.list(&"a list of moves", |json| {
            let step = step(json, builder)?;
            read += 1;
            if read.is_multiple_of(AT_ONCE) {
                if into.len() >= many {
                    distinct(into);
                    many = 2 * into.len().max(AT_ONCE);
                }
                json.hold(beside.saturating_add(builder.bytes()))?;
                // The list, its indices to sort, its growth by a quarter, and the holes left
                // behind.
                json.check(others + bytes_of(into) * 5 / 2)?;
            }
            if into.len() == into.capacity() {
                into.reserve_exact((into.len() / 4).max(8));
            }
            into.push(step);
            Ok(())
        })?;
        distinct(into);
        Ok(())
    }
}

impl ReadGame {
    /// The moves of chance, whose chances must add up to 1.
    fn chance_list(&mut self, json: &mut JsonReader) -> Result<(), FormatError> {
        /// The number of moves between memory checks.
        const AT_ONCE: usize = 1 << 12;
        let ReadGame { builder, moves: [moves, ..], chances, beside, .. } = self;
        json.list(&"a list of moves", |json| {
            let (to, chance) = chance_step(json, builder)?;
            moves.push(to.into());
            chances.push(chance);
            if moves.len().is_multiple_of(AT_ONCE) {
                json.hold(beside.saturating_add(builder.bytes()))?;
                json.check(bytes_of(moves) * 5 / 2 + 2 * (chances.capacity() * size_of::<Probability>()) as u64)?;
            }
            Ok(())
        })?;
        if leads_twice(moves) {
            return Err(
                json.bad_value("two moves of chance lead to one position: write one with the sum of their chances")
            );
        }
        Probability::common_denominator(chances.iter().copied()).map(drop).map_err(|reason| json.bad_value(reason))
    }
}

/// The most bytes of a move in the graph.
const BYTES_OF_A_MOVE: usize = 12;

/// Further bytes of a move where moves have names: in the graph, and while the names are compared.
const BYTES_OF_A_NAMED_MOVE: usize = 4 + 32;

fn bytes_of(moves: &Vec<BuiltMove<i64>>) -> u64 {
    (moves.capacity() * size_of::<BuiltMove<i64>>()) as u64
}

/// The words for the end of a game.
const WINNERS: [(&str, Terminal); 3] =
    [("alice", Terminal::Win(Player::Alice)), ("bob", Terminal::Win(Player::Bob)), ("none", Terminal::Draw)];

/// The words for the kinds of positions.
const KINDS: [(&str, StochasticLabel); 4] = [
    ("bid", StochasticLabel::Player(PositionKind::Bid)),
    ("alice", StochasticLabel::Player(PositionKind::Owned(Player::Alice))),
    ("bob", StochasticLabel::Player(PositionKind::Owned(Player::Bob))),
    ("chance", StochasticLabel::Chance),
];

/// The number of the name of a move's target.
fn target(json: &mut JsonReader, builder: &mut AnyBuilder, expected: &str) -> Result<u32, FormatError> {
    let what = "the position that a move leads to";
    json.text(&expected, |name| check_name(what, LONGEST_NAME, name).map(|()| builder.name(name)))
}

/// The target of a move of chance, and its chance.
fn chance_step(json: &mut JsonReader, builder: &mut AnyBuilder) -> Result<(u32, Probability), FormatError> {
    let (mut to, mut chance) = (0, Probability::ONE);
    json.object("a move of chance", &["to", "chance"], 2, |json, key| {
        match key {
            "to" => to = target(json, builder, "the position that a move leads to as text")?,
            _ => {
                let expected = "a chance as text, such as \"1/3\"";
                chance =
                    json.text(&expected, |text| text.parse().map_err(|error: richman_core::Error| error.to_string()))?;
            }
        }
        Ok(())
    })?;
    Ok((to, chance))
}

fn step(json: &mut JsonReader, builder: &mut AnyBuilder) -> Result<BuiltMove<i64>, FormatError> {
    let mut step = BuiltMove::from(0);
    if json.peek()? != Some(b'{') {
        let expected = "a move: the name of a position, or {\"to\": name, \"weight\": number}";
        step.to = target(json, builder, expected)?;
        return Ok(step);
    }
    json.object("a move", &["to", "weight", "name"], 1, |json, key| {
        match key {
            "to" => step.to = target(json, builder, "the position that a move leads to as text")?,
            "name" => {
                let named = |name: &str| check_move_name(name).map(|()| builder.move_name(name));
                step.name = Some(json.text(&"the name of a move as text", named)?);
            }
            _ => step.label = amount(json, "a weight")?,
        }
        Ok(())
    })?;
    Ok(step)
}

/// A whole number within the limits of weights.
fn amount(json: &mut JsonReader, what: &str) -> Result<i64, FormatError> {
    whole(json, what, -MAX_WEIGHT, MAX_WEIGHT)
}

/// A whole number from `least` to `most`, read exactly. It may be written as 2.0 or 2e3.
fn whole(json: &mut JsonReader, what: &str, least: i64, most: i64) -> Result<i64, FormatError> {
    let judged = json.number(&format_args!("{what} as a number"), |digits| {
        let number = richman_core::whole(digits).filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("{what} is {}: write a whole number from {least} to {most}", excerpt(digits)))
    })?;
    judged.map_err(|reason| json.bad_value(reason))
}
