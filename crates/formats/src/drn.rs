//! Markov chains and decision processes of Storm, the format `.drn`.
//!
//! ```text
//! @type: MDP
//! @nr_states
//! 3
//! @model
//! state 0 init
//! 	action stay
//! 		0 : 1
//! 	action throw
//! 		1 : 1/6
//! 		2 : 5/6
//! state 1 alice
//! 	action 0
//! 		1 : 1
//! state 2 bob
//! 	action 0
//! 		2 : 1
//! ```
//!
//! A state is a position called by its number. Labels say where play ends: `alice` and `bob` where
//! they have won, `draw` where nobody has, or one that the reader names where Alice has. A state with
//! one action is left to chance. With several it is Alice's, or Bob's with the label `by_bob`; an
//! action that leads to several states leads to a further position, left to chance. `init` is the
//! start, or else state 0. Rewards and names of actions are ignored.

use std::io::Read;

use richman_core::{
    BuiltMove, BuiltPosition, ByPlayer, GraphBuilder, ParityPlace, Player, PositionKind, Probability, Terminal,
};

use crate::error::excerpt;
use crate::game_reader::distinct;
use crate::json::check_name;
use crate::source::ByteSource;
use crate::states::{BY_BOB, end_label};
use crate::{AnyGraph, FileGoal, FileLocation, FormatError, LONGEST_NAME, Reading};

/// The most bytes of a line.
const LONGEST_LINE: usize = 1 << 16;

/// The most numbers of positions.
const MOST: u64 = u32::MAX as u64 - 1;

/// Whether a file that begins with this byte is one of Storm. No other game file does.
pub(crate) fn begins(first: u8) -> bool {
    first == b'@' || first == b'/'
}

/// Reads a game; `source` is the file name for messages.
pub(crate) fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    let mut lines = Lines { source: ByteSource::new(source, reader, reading), text: String::new(), number: 0 };
    if let Some(goal) = reading.goal.filter(|goal| *goal != FileGoal::Reach) {
        return Err(lines.bad(format!("a .drn file has labels of ends alone, so its objective is not {goal}")));
    }
    let announced = header(&mut lines)?;
    let mut model = Model {
        builder: GraphBuilder::numerals(),
        target: reading.target,
        states: 0,
        further: announced,
        start: None,
        has_end: false,
        state: StateLines::default(),
    };
    while lines.next()? {
        model.line(&mut lines, announced)?;
        lines.source.check(|| model.held())?;
    }
    model.end_state(&lines)?;
    lines.source.check_now(model.held())?;
    let Model { builder, states, start, has_end, .. } = model;
    if states != announced {
        return Err(lines.bad(format!("the file announces {announced} states and has {states}")));
    }
    if !has_end {
        let label = reading.target.unwrap_or("alice");
        return Err(lines.bad(format!("no state has the label {label:?}: name the one where Alice wins with --target")));
    }
    if builder.first_by_chance().is_none() {
        return Err(lines.bad("chance moves nowhere in this file".to_string()));
    }
    let name = std::path::Path::new(source).file_stem().map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|name| check_name("the name", LONGEST_NAME, name).is_ok());
    let graph = builder.build_stochastic(name.as_deref().unwrap_or("states"), &start.unwrap_or_default().to_string());
    graph.map(AnyGraph::Stochastic).map_err(|error| FormatError::NotAGame { file: source.to_string(), error })
}

/// Reads up to `@model`; the number of states.
fn header(lines: &mut Lines) -> Result<u64, FormatError> {
    let (mut is_typed, mut states) = (false, None);
    while lines.next()? {
        match lines.text.trim_end() {
            "@type: DTMC" | "@type: MDP" => is_typed = true,
            "@value_type: double" | "@value_type: rational" | "" => {}
            "@parameters" => {
                lines.line()?;
                if !lines.text.trim().is_empty() {
                    return Err(lines.bad("a file with parameters has no numbers: give them values first".to_string()));
                }
            }
            "@reward_models" => {
                lines.line()?;
            }
            "@nr_choices" => {
                lines.line()?;
            }
            "@nr_states" => {
                lines.line()?;
                states = Some(lines.whole(lines.text.trim(), MOST, "the number of states")?);
            }
            "@model" => {
                return match states {
                    Some(states) if is_typed => Ok(states),
                    _ => Err(lines.bad("before @model stand @type: DTMC or @type: MDP, and @nr_states".to_string())),
                };
            }
            line if line.starts_with("@type:") => {
                return Err(lines.bad(format!("{:?} is not read: only DTMC and MDP are", excerpt(line))));
            }
            line => return Err(lines.bad(format!("{:?} is not read here", excerpt(line)))),
        }
    }
    Err(lines.bad("the file ends before @model".to_string()))
}

/// The positions so far, and the lines of the last state.
struct Model<'t> {
    builder: GraphBuilder,
    /// The label where Alice wins, if it is not `alice`.
    target: Option<&'t str>,
    /// The number of states begun.
    states: u64,
    /// The number of the next further position.
    further: u64,
    start: Option<u32>,
    has_end: bool,
    state: StateLines,
}

/// What was read of a state.
#[derive(Default)]
struct StateLines {
    end: Option<Terminal>,
    is_bobs: bool,
    /// The number of actions begun.
    actions: u64,
    /// A move for each action before the last, if there are several.
    chosen: Vec<BuiltMove>,
    /// The moves of the last action.
    drawn: Vec<BuiltMove>,
    /// The chances of these.
    chances: Vec<Probability>,
}

impl Model<'_> {
    fn line(&mut self, lines: &mut Lines, announced: u64) -> Result<(), FormatError> {
        let line = lines.text.trim();
        if line.is_empty() {
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix("state ") {
            self.end_state(lines)?;
            return self.begin_state(lines, rest, announced);
        }
        if self.states == 0 {
            return Err(lines.bad("here should be state 0".to_string()));
        }
        if line.starts_with("action ") || line == "action" {
            if self.state.actions > 0 {
                self.end_action(lines)?;
            }
            self.state.actions += 1;
            return Ok(());
        }
        let Some((to, chance)) = line.split_once(':').filter(|_| self.state.actions > 0) else {
            return Err(
                lines.bad(format!("here should be a state, an action, or NUMBER : CHANCE: {:?}", excerpt(line)))
            );
        };
        let last = announced.saturating_sub(1);
        let to = lines.whole(to.trim(), last, "the number of a state that follows")? as u32;
        let chance = chance.trim().parse().map_err(|error: richman_core::Error| lines.bad(error.to_string()))?;
        if self.state.end.is_none() {
            self.state.drawn.push(BuiltMove { to, name: None, weight: 0 });
            self.state.chances.push(chance);
        }
        Ok(())
    }

    /// Begins a state: its number, perhaps rewards in brackets, and labels.
    fn begin_state(&mut self, lines: &Lines, rest: &str, announced: u64) -> Result<(), FormatError> {
        let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let number = lines.whole(number, announced.saturating_sub(1), "the number of a state")?;
        if number != self.states {
            return Err(lines.bad(format!("states are numbered in order: here should be state {}", self.states)));
        }
        self.states += 1;
        let rest = match rest.trim_start().strip_prefix('[') {
            Some(rewards) => match rewards.split_once(']') {
                Some((_, rest)) => rest,
                None => return Err(lines.bad("rewards end with a bracket".to_string())),
            },
            None => rest,
        };
        for label in labels(rest) {
            let is_alices = label == self.target.unwrap_or(end_label(Terminal::Win(Player::Alice)));
            let others = [Terminal::Win(Player::Bob), Terminal::Draw];
            let end = match others.into_iter().find(|end| end_label(*end) == label) {
                _ if is_alices => Some(Terminal::Win(Player::Alice)),
                other => other,
            };
            if end.is_some() && self.state.end.is_some_and(|known| Some(known) != end) {
                return Err(lines.bad("a state has the labels of two ends".to_string()));
            }
            self.has_end |= is_alices;
            self.state.end = self.state.end.or(end);
            self.state.is_bobs |= label == BY_BOB;
            if label == "init" && self.start.replace(number as u32).is_some() {
                return Err(lines.bad("a second state has the label init: play has one start".to_string()));
            }
        }
        Ok(())
    }

    /// Checks the moves of the last action.
    fn check_action(&mut self, lines: &Lines) -> Result<(), FormatError> {
        let StateLines { drawn, chances, .. } = &mut self.state;
        Probability::common_denominator(chances.iter().copied()).map(drop).map_err(|reason| {
            lines.bad(format!("{reason}; state {}: write exact fractions, as Storm does with --exact", self.states - 1))
        })?;
        distinct(drawn);
        if drawn.len() < chances.len() {
            return Err(lines.bad("an action leads to one state twice: write the sum of the chances".to_string()));
        }
        Ok(())
    }

    /// Ends one of several actions: its move.
    fn end_action(&mut self, lines: &Lines) -> Result<(), FormatError> {
        if self.state.end.is_some() {
            return Ok(());
        }
        self.check_action(lines)?;
        let StateLines { chosen, drawn, chances, .. } = &mut self.state;
        let to = match drawn[..] {
            [BuiltMove { to, .. }] => to,
            _ => {
                if self.further >= MOST {
                    return Err(lines.bad(format!("there are more than {MOST} positions")));
                }
                let name = self.further as u32;
                self.further += 1;
                let moves = ByPlayer::new(&drawn[..], &[][..]);
                self.builder.position(BuiltPosition { name, moves, chances, ..BuiltPosition::default() });
                name
            }
        };
        chosen.push(BuiltMove { to, name: None, weight: 0 });
        drawn.clear();
        chances.clear();
        Ok(())
    }

    /// Ends the last state, if there is one: its position.
    fn end_state(&mut self, lines: &Lines) -> Result<(), FormatError> {
        /// The most moves whose memory is kept for the next state.
        const USUAL: usize = 1 << 12;
        let Some(last) = self.states.checked_sub(1) else { return Ok(()) };
        let name = last as u32;
        let StateLines { end, is_bobs, actions, .. } = self.state;
        let none = &[][..];
        match (end, actions) {
            (Some(_), _) => {
                self.builder.position(BuiltPosition { name, terminal: end, ..BuiltPosition::default() });
            }
            (None, 0) => return Err(lines.bad(format!("state {last} has no action, and no label of an end"))),
            (None, 1) => {
                self.check_action(lines)?;
                let StateLines { drawn, chances, .. } = &self.state;
                let moves = ByPlayer::new(&drawn[..], none);
                self.builder.position(BuiltPosition { name, moves, chances, ..BuiltPosition::default() });
            }
            (None, _) => {
                self.end_action(lines)?;
                let chosen = &mut self.state.chosen;
                distinct(chosen);
                let owner = if is_bobs { Player::Bob } else { Player::Alice };
                let parity = Some(ParityPlace { kind: PositionKind::Owned(owner), ..ParityPlace::default() });
                let moves = ByPlayer::from_fn(|player| if player == owner { &chosen[..] } else { none });
                self.builder.position(BuiltPosition { name, parity, moves, ..BuiltPosition::default() });
            }
        }
        let StateLines { mut chosen, mut drawn, mut chances, .. } = std::mem::take(&mut self.state);
        for moves in [&mut chosen, &mut drawn] {
            moves.clear();
            moves.shrink_to(USUAL);
        }
        chances.clear();
        chances.shrink_to(USUAL);
        self.state = StateLines { chosen, drawn, chances, ..StateLines::default() };
        Ok(())
    }

    /// Bytes held. A list of moves is held twice while it grows, and its order while it is sorted.
    fn held(&self) -> u64 {
        let StateLines { chosen, drawn, chances, .. } = &self.state;
        let moves = 5 * (chosen.capacity() + drawn.capacity()) * size_of::<BuiltMove>() / 2;
        let chances = 2 * chances.capacity() * size_of::<Probability>();
        self.builder.bytes().saturating_add((moves + chances + LONGEST_LINE) as u64)
    }
}

/// The labels of a state, some of them in quotes.
fn labels(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        text = text.trim_start();
        let (label, rest) = match text.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        };
        let is_one = !text.is_empty();
        text = rest;
        is_one.then_some(label)
    })
}

/// The lines of a text, with the place for messages.
struct Lines<'a> {
    source: ByteSource<'a>,
    /// The last line.
    text: String,
    /// Its number, from 1.
    number: usize,
}

impl Lines<'_> {
    /// Reads the next line that is no comment; false at the end.
    fn next(&mut self) -> Result<bool, FormatError> {
        while self.line()? {
            if !self.text.starts_with("//") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a line; false at the end.
    fn line(&mut self) -> Result<bool, FormatError> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        self.number += 1;
        let mut is_any = false;
        while let Some(byte) = self.source.peek()? {
            is_any = true;
            self.source.skip();
            if byte == b'\n' {
                break;
            }
            if bytes.len() == LONGEST_LINE {
                return Err(self.bad(format!("a line is longer than {LONGEST_LINE} bytes")));
            }
            bytes.push(byte);
        }
        self.text = String::from_utf8(bytes).map_err(|_| self.bad("this is not UTF-8".to_string()))?;
        Ok(is_any)
    }

    /// A whole number from 0 to `most`.
    fn whole(&self, text: &str, most: u64, what: &str) -> Result<u64, FormatError> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_number { text.parse().ok().filter(|number| *number <= most) } else { None };
        number.ok_or_else(|| self.bad(format!("{what} is {:?}: it is from 0 to {most}", excerpt(text))))
    }

    fn bad(&self, reason: String) -> FormatError {
        let column = self.text.len() - self.text.trim_start().len() + 1;
        let line = Some((self.number, column));
        let place = Box::new(FileLocation { file: self.source.file.to_string(), line, position: None });
        FormatError::BadValue { place, reason }
    }
}

#[cfg(test)]
mod tests {
    use richman_core::{Game, NodeData, StochasticPlace};

    use super::*;
    use crate::read_game;

    const THROW: &str = "// a comment\n@type: MDP\n@parameters\n\n@reward_models\nsteps \n@nr_states\n3\n@nr_choices\n4\n\
        @model\nstate 0 [1] init \"an odd label\"\n//x=0\n\taction stay [0]\n\t\t0 : 1\n\taction throw [1]\n\
        \t\t1 : 1/6\n\t\t2 : 5/6\nstate 1 [0] alice\n\taction 0\n\t\t1 : 1\nstate 2\n\taction 0\n\t\t1 : 0.25\n\t\t2 : 7.5e-1\n";

    fn game(text: &str) -> Result<AnyGraph, String> {
        read_game("throw.drn", &mut text.as_bytes(), &Reading::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn states_actions_and_labels_are_read() {
        let AnyGraph::Stochastic(graph) = game(THROW).unwrap() else { panic!("a game with chance") };
        assert_eq!((graph.name(), graph.notation(&graph.start())), ("throw".to_string(), "0".to_string()));
        let written: Vec<String> = graph
            .positions()
            .iter()
            .map(|position| {
                let moves = position.moves.iter().flatten().map(|step| format!("{} {}", step.to, step.label));
                let moves = moves.collect::<Vec<_>>().join(", ");
                let place = match position.place {
                    NodeData::End(end) => end_label(end).to_string(),
                    NodeData::On(StochasticPlace::Chance) => "chance".to_string(),
                    NodeData::On(StochasticPlace::Player(kind)) => format!("{kind:?}"),
                };
                format!("{} {place}: {moves}", position.name)
            })
            .collect();
        let expected = ["3 chance: 1 1/6, 2 5/6", "0 Owned(Alice): 0 1, 3 1", "1 alice: ", "2 chance: 1 1/4, 2 3/4"];
        assert_eq!(written, expected);
        let bobs = game(&THROW.replace("init", "by_bob init")).unwrap();
        let AnyGraph::Stochastic(bobs) = bobs else { panic!("a game with chance") };
        let owned = NodeData::On(StochasticPlace::Player(PositionKind::Owned(Player::Bob)));
        assert_eq!(bobs.place(bobs.start()), owned);
    }

    #[test]
    fn what_is_no_model_is_refused_with_its_line() {
        for (from, to, words) in [
            ("MDP", "CTMC", "line 2, column 1: \"@type: CTMC\" is not read"),
            ("@parameters\n", "@parameters\np", "line 4, column 1: a file with parameters"),
            ("@reward_models\n", "@placeholders\n", "\"@placeholders\" is not read here"),
            ("@nr_states\n3", "@nr_states\n1000000000", "announces 1000000000 states and has 3"),
            ("@nr_states\n3", "@nr_states\n99999999999", "it is from 0 to 4294967294"),
            ("@nr_states\n3", "@nr_states\n2", "the number of a state that follows is \"2\": it is from 0 to 1"),
            ("@model\n", "", "is not read here"),
            ("state 0 [1] init", "state 1", "here should be state 0"),
            ("state 0 [1] init", "state 0 [1", "rewards end with a bracket"),
            ("state 0 [1] init", "", "here should be state 0"),
            ("1 : 1/6", "1 : 1/7", "add up to 41/42, and not to 1; state 0: write exact fractions"),
            ("1 : 1/6", "1 : -1", "line 17, column 3: \"-1\" is not a chance"),
            ("1 : 1/6", "2 : 1/6", "leads to one state twice"),
            ("1 : 1/6", "1 - 1/6", "here should be a state, an action"),
            ("[0] alice", "[0]", "no state has the label \"alice\""),
            ("[0] alice", "[0] alice bob", "the labels of two ends"),
            ("[0] alice", "[0] alice init", "a second state has the label init"),
            ("\t\t1 : 0.25\n\t\t2 : 7.5e-1\n", "", "add up to 0"),
            ("state 2\n\taction 0\n\t\t1 : 0.25\n\t\t2 : 7.5e-1\n", "state 2\n", "state 2 has no action"),
        ] {
            assert!(THROW.contains(from), "{from}");
            let error = game(&THROW.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(words), "{from} -> {to}: {error}");
        }
        let targets = Reading { target: Some("an odd label"), ..Reading::default() };
        assert!(read_game("throw.drn", &mut THROW.as_bytes(), &targets).is_ok());
        let long = THROW.replace("init", &"x".repeat(LONGEST_LINE));
        assert!(game(&long).unwrap_err().contains("a line is longer than 65536 bytes"));
    }
}
