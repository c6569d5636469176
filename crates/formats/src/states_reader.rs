//! Positions from the states of a model checker, in the order of their numbers.
//!
//! Labels say where play ends. A state with one action is left to chance. With several it is a
//! player's; an action that leads to several states leads to a further position, left to chance.

use std::io::Read;

use richman_core::{
    BuiltMove, BuiltPosition, ByPlayer, Choice, GraphBuilder, ParityPlace, Player, PositionKind, Probability, Remedy,
    Terminal,
};

use crate::error::excerpt;
use crate::form::name_of;
use crate::game_reader::distinct;
use crate::source::ByteSource;
use crate::states::{BY_BOB, end_label};
use crate::{AnyGraph, FileGoal, FileLocation, FormatError, Reading};

/// The most bytes of a line.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// The most positions.
pub(crate) const MOST: u64 = u32::MAX as u64 - 1;

/// The positions so far, and the lines of the last state.
pub(crate) struct StatesReader<'t> {
    builder: GraphBuilder,
    /// The number of states that the file announces.
    announced: u64,
    /// The label where Alice wins, if it is not `alice`.
    target: Option<&'t str>,
    /// The number of states begun.
    pub(crate) states: u64,
    /// The number of the next further position.
    further: u64,
    start: Option<u32>,
    /// Whether the label where Alice wins is known, or if nobody asked for one, that of any end.
    has_end: bool,
    state: StateLines,
}

/// What was read of a state.
#[derive(Default)]
struct StateLines {
    end: Option<Terminal>,
    owner: Option<Player>,
    /// The number of actions begun.
    actions: u64,
    /// A move for each action before the last, if there are several.
    chosen: Vec<BuiltMove>,
    /// The moves of the last action.
    drawn: Vec<BuiltMove>,
    /// The chances of these.
    chances: Vec<Probability>,
}

impl<'t> StatesReader<'t> {
    /// A reader of so many states.
    ///
    /// # Errors
    /// If the objective asks for more than labels say.
    pub(crate) fn new(
        lines: &dyn StatePlace,
        announced: u64,
        reading: &Reading<'t>,
    ) -> Result<StatesReader<'t>, FormatError> {
        if let Some(goal) = reading.goal.filter(|goal| *goal != FileGoal::Reach) {
            return Err(lines.bad(format!("states have labels of ends alone, so the objective is not {goal}")));
        }
        let (builder, state) = (GraphBuilder::numerals(), StateLines::default());
        let (target, further) = (reading.target, announced);
        Ok(StatesReader { builder, announced, target, states: 0, further, start: None, has_end: false, state })
    }

    /// The label where Alice wins.
    pub(crate) fn target(reading: &Reading<'t>) -> &'t str {
        reading.target.unwrap_or(end_label(Terminal::Win(Player::Alice)))
    }

    /// Says which labels the file declares, whether or not a state has them.
    pub(crate) fn declare<'l>(&mut self, labels: impl Iterator<Item = &'l str>) {
        let target = self.target.unwrap_or(end_label(Terminal::Win(Player::Alice)));
        self.has_end |= labels.into_iter().any(|label| label == target);
    }

    /// Begins the next state, with these labels.
    pub(crate) fn begin_state<'l>(
        &mut self,
        lines: &dyn StatePlace,
        labels: impl Iterator<Item = &'l str>,
    ) -> Result<(), FormatError> {
        self.end_state(lines)?;
        let number = self.states as u32;
        self.states += 1;
        if self.states > self.announced {
            return Err(lines.bad(format!("the file announces {} states and has more", self.announced)));
        }
        for label in labels {
            let is_alices = label == self.target.unwrap_or(end_label(Terminal::Win(Player::Alice)));
            let others = [Terminal::Win(Player::Bob), Terminal::Draw];
            let end = match others.into_iter().find(|end| end_label(*end) == label) {
                _ if is_alices => Some(Terminal::Win(Player::Alice)),
                other => other,
            };
            if end.is_some() && self.state.end.is_some_and(|known| Some(known) != end) {
                return Err(lines.bad("a state has the labels of two ends".to_string()));
            }
            self.has_end |= is_alices || end.is_some() && self.target.is_none();
            self.state.end = self.state.end.or(end);
            if label == BY_BOB {
                self.state.owner = Some(Player::Bob);
            }
            if label == "init" && self.start.replace(number).is_some() {
                return Err(lines.bad("a second state has the label init: play has one start".to_string()));
            }
        }
        Ok(())
    }

    /// Says who chooses at the last state; Alice does unless it is said.
    pub(crate) fn own(&mut self, owner: Player) {
        self.state.owner = Some(owner);
    }

    /// The number of actions of the last state.
    pub(crate) fn actions(&self) -> u64 {
        self.state.actions
    }

    /// Begins the next action of the last state.
    pub(crate) fn begin_action(&mut self, lines: &dyn StatePlace) -> Result<(), FormatError> {
        if self.state.actions > 0 {
            self.end_action(lines)?;
        }
        self.state.actions += 1;
        Ok(())
    }

    /// Adds a state that follows the last action, and its chance.
    pub(crate) fn follow(&mut self, lines: &NumberedLines, to: &str, chance: &str) -> Result<(), FormatError> {
        let last = self.announced.saturating_sub(1);
        let to = lines.whole(to, last, "the number of a state that follows")? as u32;
        let chance = chance.parse().map_err(|error: richman_core::Error| lines.bad(error.to_string()))?;
        self.add(to, chance);
        Ok(())
    }

    /// The same for a state and a chance that were read.
    pub(crate) fn add(&mut self, to: u32, chance: Probability) {
        if self.state.end.is_none() {
            self.state.drawn.push(BuiltMove { to, name: None, weight: 0 });
            self.state.chances.push(chance);
        }
    }

    /// Room for so many states that follow the last action.
    pub(crate) fn room_for_moves(&mut self, states: usize) {
        if self.state.end.is_none() {
            self.state.drawn.reserve_exact(states);
            self.state.chances.reserve_exact(states);
        }
    }

    /// Room for so many actions of the last state.
    pub(crate) fn room_for_actions(&mut self, actions: usize) {
        if self.state.end.is_none() {
            self.state.chosen.reserve_exact(actions);
        }
    }

    /// Bytes of so many moves of a state: twice themselves and their chances, as moves of an action
    /// and of a position, and their order while they are sorted.
    pub(crate) fn of_moves(moves: u64) -> u64 {
        let [one, chance] = [size_of::<BuiltMove>(), size_of::<Probability>()];
        moves.saturating_mul((2 * one + 2 * chance + size_of::<u32>()) as u64)
    }

    /// The game of all states, which the file calls `source`.
    pub(crate) fn finish(mut self, lines: &dyn StatePlace) -> Result<AnyGraph, FormatError> {
        self.end_state(lines)?;
        lines.check_now(self.held())?;
        let StatesReader { builder, announced, states, target, start, has_end, .. } = self;
        if states != announced {
            return Err(lines.bad(format!("the file announces {announced} states and has {states}")));
        }
        if !has_end {
            let label = target.unwrap_or("alice");
            return Err(lines.lacking(format!("no state has the label {label:?}"), Remedy::Give(Choice::Target)));
        }
        let Some(start) = start else {
            let reason = "no state has the label init: give it to the state where play starts";
            return Err(lines.bad(reason.to_string()));
        };
        let (source, start) = (lines.file(), start.to_string());
        let name = name_of(source, "states");
        let graph = match builder.first_by_chance() {
            Some(_) => builder.build_stochastic(&name, &start).map(AnyGraph::Stochastic),
            None => builder.build(&name, &start).map(AnyGraph::Win),
        };
        graph.map_err(|error| FormatError::NotAGame { file: source.to_string(), error })
    }

    /// Checks the moves of the last action.
    fn check_action(&mut self, lines: &dyn StatePlace) -> Result<(), FormatError> {
        let StateLines { drawn, chances, .. } = &mut self.state;
        Probability::common_denominator(chances.iter().copied()).map(drop).map_err(|reason| {
            lines.bad(format!("{reason}; state {}: write exact fractions, as Storm can", self.states - 1))
        })?;
        distinct(drawn);
        if drawn.len() < chances.len() {
            return Err(lines.bad("an action leads to one state twice: write the sum of the chances".to_string()));
        }
        Ok(())
    }

    /// Ends one of several actions: its move.
    fn end_action(&mut self, lines: &dyn StatePlace) -> Result<(), FormatError> {
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
    fn end_state(&mut self, lines: &dyn StatePlace) -> Result<(), FormatError> {
        /// The most moves whose memory is kept for the next state.
        const USUAL: usize = 1 << 12;
        let Some(last) = self.states.checked_sub(1) else { return Ok(()) };
        let name = last as u32;
        let StateLines { end, owner, actions, .. } = self.state;
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
                let owner = owner.unwrap_or(Player::Alice);
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
    pub(crate) fn held(&self) -> u64 {
        let StateLines { chosen, drawn, chances, .. } = &self.state;
        let moves = 5 * (chosen.capacity() + drawn.capacity()) * size_of::<BuiltMove>() / 2;
        let chances = 2 * chances.capacity() * size_of::<Probability>();
        self.builder.bytes().saturating_add((moves + chances + LONGEST_LINE) as u64)
    }
}

/// Where states are read, for messages.
pub(crate) trait StatePlace {
    /// An error at this place.
    fn bad(&self, reason: String) -> FormatError;

    /// The error for something that is given beside the file.
    fn lacking(&self, reason: String, remedy: Remedy) -> FormatError {
        match self.bad(reason) {
            FormatError::BadValue { place, reason } => FormatError::Lacking { place, reason, remedy },
            other => other,
        }
    }

    /// The name of the file.
    fn file(&self) -> &str;

    /// Checks that the bytes held fit in memory.
    fn check_now(&self, held: u64) -> Result<(), FormatError>;
}

/// The lines of a text, with the place for messages.
pub(crate) struct NumberedLines<'a> {
    pub(crate) source: ByteSource<'a>,
    /// The last line.
    pub(crate) text: String,
    /// Its number, from 1.
    number: usize,
    /// How comments begin.
    comment: &'static str,
}

impl<'a> NumberedLines<'a> {
    pub(crate) fn new(
        source: &'a str,
        reader: &'a mut dyn Read,
        reading: &'a Reading<'a>,
        comment: &'static str,
    ) -> NumberedLines<'a> {
        NumberedLines { source: ByteSource::new(source, reader, reading), text: String::new(), number: 0, comment }
    }

    /// Reads the next line that is no comment; false at the end.
    pub(crate) fn next(&mut self) -> Result<bool, FormatError> {
        while self.line()? {
            if !self.text.trim_start().starts_with(self.comment) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a line; false at the end.
    pub(crate) fn line(&mut self) -> Result<bool, FormatError> {
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
    pub(crate) fn whole(&self, text: &str, most: u64, what: &str) -> Result<u64, FormatError> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_number { text.parse().ok().filter(|number| *number <= most) } else { None };
        number.ok_or_else(|| self.bad(format!("{what} is {:?}: it is from 0 to {most}", excerpt(text))))
    }
}

impl StatePlace for NumberedLines<'_> {
    fn bad(&self, reason: String) -> FormatError {
        let column = self.text.len() - self.text.trim_start().len() + 1;
        let line = Some((self.number, column));
        let place = Box::new(FileLocation { file: self.source.file.to_string(), line, position: None });
        FormatError::BadValue { place, reason }
    }

    fn file(&self) -> &str {
        self.source.file
    }

    fn check_now(&self, held: u64) -> Result<(), FormatError> {
        self.source.check_now(held)
    }
}
