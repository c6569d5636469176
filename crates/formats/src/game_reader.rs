//! Reads game files of any length, strictly and in one pass.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use richman_core::{
    BuiltMove, BuiltPosition, ByPlayer, Choice, GraphBuilder, MAX_WEIGHT, ParityPlace, Player, PositionKind, Priority,
    Probability, Remedy, StochasticPlace, Terminal,
};
use serde::Deserialize;

use crate::binary::MAGIC;
use crate::error::excerpt;
use crate::json::{JsonReader, Reading, check_name, check_text};
use crate::opening::Opening;
use crate::{
    AnyGraph, FileGoal, FileLocation, FormatError, GameForm, LONGEST_DESCRIPTION, LONGEST_NAME, PriorityOrder,
    binary_reader, drn, gm, tra, umb,
};

/// Reads a game from `reader` as a graph: a game file in JSON or in binary form, a parity game of
/// PGSolver, or a Markov model of Storm or in UMB, each of them also compressed by gzip. The
/// content tells the form. `source` is the file name for messages.
///
/// The text is not kept: a position takes its name and about 60 bytes, a move 4 bytes, or 12 with
/// weights. If any move has a name, each move takes 4 bytes more, and each different name its
/// letters and about 30 bytes. Time is linear in the length of the text.
///
/// # Errors
/// A [`FormatError`] with the file, the position and the reason; [`FormatError::Stopped`] above a
/// limit of `reading` or if its watch says stop.
///
/// ```
/// use richman_core::{Effort, Game};
/// use richman_formats::{AnyGraph, Reading, read_game};
/// let mut text = &br#"{"name": "coin", "start": "toss", "positions": {
///     "toss": {"alice": ["heads"], "bob": ["tails"]},
///     "heads": {"winner": "alice"}, "tails": {"winner": "bob"}}}"#[..];
/// let AnyGraph::Win(coin) = read_game("coin.json", &mut text, &Reading::within(Effort::default()))? else { panic!() };
/// assert_eq!(coin.notation(&coin.start()), "toss");
/// # Ok::<(), richman_formats::FormatError>(())
/// ```
pub fn read_game(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let graph = read_any(source, reader, reading)?;
    reading.check_positions(source, graph.positions())?;
    Ok(graph)
}

fn read_any(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let (opening, form) = recognized(source, reader, reading)?;
    // How long a compressed file is says nothing of its content.
    let size = reading.size.filter(|_| !opening.is_packed);
    let reading = &Reading { size, ..*reading };
    let is_text = opening.is_text;
    let reader: &mut dyn Read = &mut opening.into_reader();
    match form {
        GameForm::Umb => return umb::read(source, reader, reading),
        GameForm::Gm => return gm::read(source, reader, reading),
        GameForm::Drn => return drn::read(source, reader, reading),
        GameForm::Binary if !is_text => return binary_reader::read(source, reader, reading),
        _ => {}
    }
    let mut json = JsonReader::new(source, "reading the game file", reader, reading);
    let game = ReadGame::read(&mut json)?;
    json.end()?;
    drop(json);
    game.graph(source, reading)
}

/// Opens a file and tells its form by its content, whatever its name.
fn recognized<'r>(
    source: &str,
    reader: &'r mut dyn Read,
    reading: &Reading,
) -> Result<(Opening<'r>, GameForm), FormatError> {
    let mut opening = Opening::new(source, reader, reading)?;
    let failed = |error| reading.unreadable(source, error);
    let first = opening.head(1).map_err(failed)?.first().copied();
    // No more is read than is needed to tell: a pipe may be slow.
    let head = opening.head(if first.is_some_and(umb::may_begin) { umb::HEAD } else { 1 }).map_err(failed)?;
    let is_of_model = GameForm::of(Path::new(source)).is_some_and(|form| matches!(form, GameForm::Tra | GameForm::Lab));
    let form = match first {
        _ if umb::begins(head) => GameForm::Umb,
        Some(b'@') => GameForm::Drn,
        Some(b'#') => GameForm::Lab,
        Some(first) if tra::begins(head) || is_of_model && first.is_ascii_digit() => GameForm::Tra,
        Some(first) if gm::begins(first) => GameForm::Gm,
        Some(first) if first == MAGIC[0] => GameForm::Binary,
        _ => GameForm::Json,
    };
    let bad = |line: Option<u64>, reason: &str| {
        let line = line.map(|line| (line as usize, 1));
        let place = Box::new(FileLocation { file: source.to_string(), line, position: None });
        Err(FormatError::BadValue { place, reason: reason.to_string() })
    };
    match (form, opening.comment) {
        (GameForm::Tra | GameForm::Lab, _) => Err(FormatError::Lacking {
            place: Box::new(FileLocation { file: source.to_string(), line: None, position: None }),
            reason: "the transitions and the labels of a model are two files".to_string(),
            remedy: Remedy::Give(Choice::Labels),
        }),
        (GameForm::Gm | GameForm::Drn, _) | (_, None) => Ok((opening, form)),
        (_, line) => bad(line, "a comment begins the file, and only .gm and .drn have comments: leave it out"),
    }
}

/// A game file before the targets of its moves are looked up.
#[derive(Default)]
pub(crate) struct ReadGame {
    name: String,
    description: Option<String>,
    start: String,
    /// The objective, if it is said.
    goal: Option<FileGoal>,
    builder: GraphBuilder,
    /// The first position with a key of scoring games, and that key.
    scored: Option<(u32, &'static str)>,
    /// The first position with a winner.
    won: Option<u32>,
    /// The first position with a priority.
    ranked: Option<u32>,
    /// The first position where a player moves without a bid.
    owned: Option<u32>,
    /// Whether there is a target.
    has_target: bool,
    /// The moves of the current position: Alice's, Bob's and both players'.
    moves: [Vec<BuiltMove>; 3],
    /// The chances of Alice's, where chance makes them.
    chances: Vec<Probability>,
    /// Bytes held before.
    beside: u64,
}

impl ReadGame {
    pub(crate) fn read(json: &mut JsonReader) -> Result<ReadGame, FormatError> {
        let given = json.goal();
        let mut game = ReadGame { beside: json.held, goal: given, ..ReadGame::default() };
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
                    game.goal = given.or(Some(read));
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
        if game.scored.is_some() {
            json.hold(game.beside.saturating_add(game.builder.scoring_bytes()))?;
        }
        Ok(game)
    }

    pub(crate) fn graph(self, file: &str, reading: &Reading) -> Result<AnyGraph, FormatError> {
        let ReadGame { name, description, start, goal, mut builder, scored, won, ranked, owned, has_target, .. } = self;
        let source = file;
        let file = || file.to_string();
        let not_a_game = |error| FormatError::NotAGame { file: file(), error };
        if let (Some(goal), Some((scored, key))) = (goal, scored) {
            return Err(FormatError::ScoreWithGoal {
                file: file(),
                position: builder.text(scored).to_string(),
                key,
                goal,
            });
        }
        if let Some(position) = builder.first_by_chance().map(Cow::into_owned) {
            let at = |name: u32, key: &str| format!("position {:?} has a {key}", builder.text(name));
            let other = match (goal.filter(|goal| *goal != FileGoal::Reach), scored, ranked) {
                (Some(goal), _, _) => format!("the objective is {goal}"),
                (_, Some((name, key)), _) => at(name, key),
                (_, _, Some(name)) if goal.is_none() => at(name, "priority"),
                _ => {
                    let graph = builder.build_stochastic(&name, &start).map_err(not_a_game)?;
                    return Ok(AnyGraph::Stochastic(graph.described(description)));
                }
            };
            return Err(FormatError::ChanceWithGoal { file: file(), position, other });
        }
        match goal {
            Some(goal) if goal.has_weights() => {
                let graph = builder.build_mean_payoff(&name, &start).map_err(not_a_game)?.described(description);
                return AnyGraph::weighted(graph, Some(goal), source, reading);
            }
            Some(FileGoal::Buechi | FileGoal::CoBuechi) if !has_target => {
                return Err(FormatError::NoTarget { file: file() });
            }
            Some(FileGoal::Reach) if !has_target && won.is_none() => {
                return Err(FormatError::NoTarget { file: file() });
            }
            Some(FileGoal::Parity(_) | FileGoal::Buechi | FileGoal::CoBuechi) => {
                builder.lower_priorities();
                let graph = builder.build_parity(&name, &start).map_err(not_a_game)?;
                return Ok(AnyGraph::Parity(graph.described(description)));
            }
            _ => {}
        }
        let ranked = ranked.filter(|_| goal.is_none());
        let unscored = [(won, "winner"), (ranked, "priority"), (owned, "kind")];
        let unscored = unscored.into_iter().find_map(|(name, key)| Some((name?, key)));
        let graph = match (scored, unscored) {
            (Some((scored, key)), Some((other, other_key))) => {
                let positions = Box::new([scored, other].map(|name| builder.text(name).to_string()));
                return Err(FormatError::MixedAims { file: file(), positions, keys: [key, other_key] });
            }
            (Some(_), None) => {
                builder.build_scoring(&name, &start).map(|graph| AnyGraph::Score(graph.described(description)))
            }
            (None, _) if ranked.is_some() => {
                builder.build_parity(&name, &start).map(|graph| AnyGraph::Parity(graph.described(description)))
            }
            (None, _) => builder.build(&name, &start).map(|graph| AnyGraph::Win(graph.described(description))),
        };
        graph.map_err(not_a_game)
    }

    fn position(&mut self, json: &mut JsonReader, name: &str) -> Result<(), FormatError> {
        /// The most moves whose memory is kept for the next position.
        const USUAL: usize = 1 << 12;
        for moves in &mut self.moves {
            moves.clear();
            moves.shrink_to(USUAL);
        }
        self.chances.clear();
        self.chances.shrink_to(USUAL);
        let name = self.builder.name(name);
        let (mut terminal, mut score, mut stuck, mut priority, mut kind) = (None, None, None, None, None);
        let (mut weight, mut is_target, goal) = (None, None, self.goal);
        let most = if let Some(FileGoal::Parity(order)) = goal { order } else { PriorityOrder::USUAL }.most();
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
                "winner" => terminal = Some(winner(json)?),
                "score" => score = Some(amount(json, "a score")?),
                "kind" => kind = Some(position_kind(json)?),
                "priority" => priority = Some(whole(json, "a priority", 0, i64::from(most))? as u32),
                "weight" => weight = Some(amount(json, "a weight")?),
                "target" => {
                    is_target = Some(json.value(&"true or false for a target", |json| bool::deserialize(json))?)
                }
                "stuck" => {
                    let scores = stuck.insert(ByPlayer::both(0));
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
                    let sign = if goal.is_some_and(FileGoal::has_weights) { 1 } else { -1 };
                    bob.extend(both.iter().map(|step| BuiltMove { weight: sign * step.weight, ..*step }));
                    if alice.is_empty() {
                        std::mem::swap(alice, both);
                    } else {
                        alice.append(both);
                    }
                }
            }
            Ok(())
        })?;
        if (priority.is_some() || kind.is_some()) && terminal.is_some() {
            return Err(json.bad_value("a position with a winner has no priority and no kind: play ends there"));
        }
        match (kind == Some(StochasticPlace::Chance), by_chance) {
            (true, false) => return Err(json.missing("a position where chance moves", "moves")),
            (false, true) => {
                let reason = "the moves are those of chance: write \"kind\": \"chance\", or alice, bob or both";
                return Err(json.bad_value(reason));
            }
            _ => {}
        }
        self.labelled(json, goal, (&mut terminal, weight, is_target))?;
        let [alice, bob, _] = &mut self.moves;
        let is_weighted = alice.iter().chain(&*bob).any(|step| step.weight != 0);
        let is_weighted = is_weighted && goal.is_none();
        let kinds = [("score", score.is_some()), ("stuck", stuck.is_some()), ("weight", is_weighted)];
        if let Some(kind) = kinds.iter().find(|kind| kind.1) {
            self.scored = self.scored.or(Some((name, kind.0)));
        }
        if terminal.is_some() {
            self.won = self.won.or(Some(name));
        }
        if priority.is_some() {
            self.ranked = self.ranked.or(Some(name));
        }
        let kind = match kind {
            Some(StochasticPlace::Player(kind)) => kind,
            Some(StochasticPlace::Chance) | None => PositionKind::Bid,
        };
        if terminal.is_none() && kind != PositionKind::Bid {
            self.owned = self.owned.or(Some(name));
        }
        let priority = match goal {
            Some(goal) if terminal.is_none() => goal.priority(priority, is_target == Some(true)),
            _ => Priority(priority.unwrap_or_default()),
        };
        let parity = ParityPlace { priority, kind };
        let parity = Some(parity).filter(|place| *place != ParityPlace::default());
        distinct(alice);
        distinct(bob);
        let is_named = alice.iter().chain(&*bob).any(|step| step.name.is_some());
        let of_each = BYTES_OF_A_MOVE + if is_named { BYTES_OF_A_NAMED_MOVE } else { 0 };
        let kept = ((alice.len() + bob.len()) * of_each + size_of_val(&self.chances[..])) as u64;
        json.check(kept + bytes_of(alice) + bytes_of(bob))?;
        let (stuck, moves) = (stuck.unwrap_or_default(), ByPlayer::new(&alice[..], &bob[..]));
        let chances = &self.chances[..];
        self.builder.position(BuiltPosition { name, terminal, score, parity, stuck, moves, chances });
        Ok(())
    }

    /// Applies the weight of a position and whether it is a target, which need an objective.
    fn labelled(
        &mut self,
        json: &JsonReader,
        goal: Option<FileGoal>,
        (terminal, weight, is_target): (&mut Option<Terminal>, Option<i64>, Option<bool>),
    ) -> Result<(), FormatError> {
        if let (None, Some(_), _) | (None, _, Some(_)) = (goal, weight, is_target) {
            let reason = "a position has a weight or is a target, which needs an objective: write \"objective\": \
                          \"mean-payoff\", \"energy:10\", \"reach\", \"buechi\" or \"cobuechi\" before the positions";
            return Err(json.bad_value(reason));
        }
        if is_target == Some(true) {
            if terminal.is_some() {
                return Err(json.bad_value("a position has a winner and is a target: give it one of the two"));
            }
            self.has_target = true;
            if let Some(end) = goal.and_then(FileGoal::end) {
                *terminal = Some(end);
                self.moves.iter_mut().for_each(Vec::clear);
                self.chances.clear();
            }
        }
        let Some(weight) = weight.filter(|_| goal.is_some_and(FileGoal::has_weights)) else { return Ok(()) };
        for step in self.moves.iter_mut().flatten() {
            step.weight += weight;
            if step.weight.abs() > MAX_WEIGHT {
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
            moves.push(BuiltMove { to, name: None, weight: 0 });
            chances.push(chance);
            if moves.len().is_multiple_of(AT_ONCE) {
                json.hold(beside.saturating_add(builder.bytes()))?;
                json.check(bytes_of(moves) * 5 / 2 + 2 * (chances.capacity() * size_of::<Probability>()) as u64)?;
            }
            Ok(())
        })?;
        let listed = moves.len();
        distinct(moves);
        if moves.len() < listed {
            return Err(
                json.bad_value("two moves of chance lead to one position: write one with the sum of their chances")
            );
        }
        Probability::common_denominator(chances.iter().copied()).map(drop).map_err(|reason| json.bad_value(reason))
    }
}

/// The most bytes of a move in the graph.
const BYTES_OF_A_MOVE: usize = 12;

/// The bytes that a move takes besides where moves have names: in the graph, and while the names
/// are compared.
const BYTES_OF_A_NAMED_MOVE: usize = 4 + 32;

fn bytes_of(moves: &Vec<BuiltMove>) -> u64 {
    (moves.capacity() * size_of::<BuiltMove>()) as u64
}

/// Removes duplicate moves, keeping the order.
pub(crate) fn distinct(moves: &mut Vec<BuiltMove>) {
    const COMPARED_IN_PAIRS: usize = 16;
    /// Below any weight.
    const AGAIN: i64 = i64::MIN;
    if moves.len() <= COMPARED_IN_PAIRS {
        let mut kept = 0;
        for at in 0..moves.len() {
            if !moves[..kept].contains(&moves[at]) {
                moves.swap(kept, at);
                kept += 1;
            }
        }
        moves.truncate(kept);
    } else {
        // Sorting indices takes a quarter of the moves' memory; a hash set would take more.
        let mut sorted: Vec<u32> = (0..moves.len() as u32).collect();
        sorted.sort_unstable_by_key(|&at| (moves[at as usize], at));
        let mut first = moves[sorted[0] as usize];
        for &at in &sorted[1..] {
            let step = &mut moves[at as usize];
            if *step == first {
                step.weight = AGAIN;
            } else {
                first = *step;
            }
        }
        moves.retain(|step| step.weight != AGAIN);
    }
}

fn winner(json: &mut JsonReader) -> Result<Terminal, FormatError> {
    json.text(&"a winner, \"alice\", \"bob\" or \"none\"", |word| match word {
        "alice" => Ok(Terminal::Win(Player::Alice)),
        "bob" => Ok(Terminal::Win(Player::Bob)),
        "none" => Ok(Terminal::Draw),
        _ => Err(format!("the winner is {:?}: write \"alice\", \"bob\" or \"none\"", excerpt(word))),
    })
}

fn position_kind(json: &mut JsonReader) -> Result<StochasticPlace, FormatError> {
    let kinds = "\"bid\", \"alice\", \"bob\" or \"chance\"";
    json.text(&format_args!("a kind, {kinds}"), |word| match word {
        "bid" => Ok(StochasticPlace::Player(PositionKind::Bid)),
        "alice" => Ok(StochasticPlace::Player(PositionKind::Owned(Player::Alice))),
        "bob" => Ok(StochasticPlace::Player(PositionKind::Owned(Player::Bob))),
        "chance" => Ok(StochasticPlace::Chance),
        _ => Err(format!("the kind is {:?}: write {kinds}", excerpt(word))),
    })
}

/// The number of the name of a move's target.
fn target(json: &mut JsonReader, builder: &mut GraphBuilder, expected: &str) -> Result<u32, FormatError> {
    let what = "the position that a move leads to";
    json.text(&expected, |name| check_name(what, LONGEST_NAME, name).map(|()| builder.name(name)))
}

/// The target of a move of chance, and its chance.
fn chance_step(json: &mut JsonReader, builder: &mut GraphBuilder) -> Result<(u32, Probability), FormatError> {
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

fn step(json: &mut JsonReader, builder: &mut GraphBuilder) -> Result<BuiltMove, FormatError> {
    let mut step = BuiltMove { to: 0, name: None, weight: 0 };
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
            _ => step.weight = amount(json, "a weight")?,
        }
        Ok(())
    })?;
    Ok(step)
}

/// Rejects the name of a move that [`check_name`] rejects.
pub(crate) fn check_move_name(name: &str) -> Result<(), String> {
    check_name("the name of a move", LONGEST_NAME, name)
}

/// A whole number within the limits of weights.
fn amount(json: &mut JsonReader, what: &str) -> Result<i64, FormatError> {
    whole(json, what, -MAX_WEIGHT, MAX_WEIGHT)
}

/// A whole number from `least` to `most`, by its digits. It may be written as 2.0 or 2e3.
fn whole(json: &mut JsonReader, what: &str, least: i64, most: i64) -> Result<i64, FormatError> {
    let judged = json.number(&format_args!("{what} as a number"), |digits| {
        let number = richman_core::whole(digits).filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("{what} is {}: write a whole number from {least} to {most}", excerpt(digits)))
    })?;
    judged.map_err(|reason| json.bad_value(reason))
}
