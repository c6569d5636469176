//! Positions from the states of a model checker, in the order of their numbers.
//!
//! Labels say where play ends. A state with one action belongs to chance, one with several to a
//! player. An action that leads to several states becomes a further position of chance.

use richman_core::{
    BuiltMove, ByPlayer, Choice, GraphBuilder, Player, PositionKind, Probability, Remedy, StochasticLabel, Terminal,
    WinLose,
};

use super::{BY_BOB, end_label};
use crate::any_builder::AnyBuilder;
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::form::name_of;
use crate::labels::FilePosition;
use crate::moves::{distinct, growing_bytes, leads_twice, reuse};
use crate::objectives::{ReadPosition, order_for};
use crate::reading::Reading;

/// The most bytes of a line.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// The most positions.
pub(crate) const MOST: u64 = u32::MAX as u64 - 1;

/// The positions so far, and the lines of the last state.
pub(crate) struct StatesReader<'t> {
    builder: AnyBuilder,
    reading: &'t Reading<'t>,
    /// The number of states that the file announces.
    pub(crate) announced: u64,
    /// The label where Alice wins.
    target: &'t str,
    /// The number of states begun.
    pub(crate) states: u64,
    /// The number of the next further position.
    further: u64,
    start: Option<u32>,
    /// Whether the label of Alice's win is declared, or the label of any end if none was requested.
    has_end: bool,
    state: StateLines,
}

/// The lines read of a state.
#[derive(Default)]
struct StateLines {
    end: Option<Terminal>,
    owner: Option<Player>,
    /// The number of actions begun.
    actions: u64,
    /// A move for each action before the last, if there are several.
    chosen: Vec<BuiltMove<i64>>,
    /// The moves of the last action.
    drawn: Vec<BuiltMove<i64>>,
    /// The chances of these moves.
    chances: Vec<Probability>,
}

impl<'t> StatesReader<'t> {
    /// A reader of `announced` states.
    ///
    /// # Errors
    /// If the objective needs more than labels.
    pub(crate) fn new(
        lines: &dyn StatePlace,
        announced: u64,
        reading: &'t Reading<'t>,
    ) -> Result<StatesReader<'t>, FormatError> {
        let other =
            |objective| lines.bad(format!("states have labels of ends alone, so the objective is not {objective}"));
        order_for::<WinLose>(reading.objective).map_err(other)?;
        Ok(StatesReader {
            builder: AnyBuilder::new(GraphBuilder::numerals(), None),
            reading,
            announced,
            target: StatesReader::target(reading),
            states: 0,
            further: announced,
            start: None,
            has_end: false,
            state: StateLines::default(),
        })
    }

    /// The label where Alice wins.
    pub(crate) fn target(reading: &Reading<'t>) -> &'t str {
        reading.target.unwrap_or(end_label(Terminal::Win(Player::Alice)))
    }

    /// Records the labels that the file declares, whether or not a state has them.
    pub(crate) fn declare<'l>(&mut self, labels: impl Iterator<Item = &'l str>) {
        self.has_end |= labels.into_iter().any(|label| label == self.target);
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
            let is_alices = label == self.target;
            let others = [Terminal::Win(Player::Bob), Terminal::Draw];
            let end = match others.into_iter().find(|end| end_label(*end) == label) {
                _ if is_alices => Some(Terminal::Win(Player::Alice)),
                other => other,
            };
            if end.is_some() && self.state.end.is_some_and(|known| Some(known) != end) {
                return Err(lines.bad("a state has the labels of two ends".to_string()));
            }
            self.has_end |= is_alices || end.is_some() && self.reading.target.is_none();
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

    /// Sets the player who chooses at the last state; by default Alice.
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
    pub(crate) fn add(&mut self, to: u32, chance: Probability) {
        if self.state.end.is_none() {
            self.state.drawn.push(to.into());
            self.state.chances.push(chance);
        }
    }

    /// Reserves room for `states` targets of the last action.
    #[cfg(feature = "files")]
    pub(crate) fn room_for_moves(&mut self, states: usize) {
        if self.state.end.is_none() {
            self.state.drawn.reserve_exact(states);
            self.state.chances.reserve_exact(states);
        }
    }

    /// Reserves room for `actions` actions of the last state.
    #[cfg(feature = "files")]
    pub(crate) fn room_for_actions(&mut self, actions: usize) {
        if self.state.end.is_none() {
            self.state.chosen.reserve_exact(actions);
        }
    }

    /// Bytes of `moves` moves of a state: twice with their chances, as moves of an action and of a
    /// position, and their order while they are sorted.
    #[cfg(feature = "files")]
    pub(crate) fn of_moves(moves: u64) -> u64 {
        let [one, chance] = [size_of::<BuiltMove<i64>>(), size_of::<Probability>()];
        moves.saturating_mul((2 * one + 2 * chance + size_of::<u32>()) as u64)
    }

    /// The game of all states, named `source`.
    pub(crate) fn finish(mut self, lines: &dyn StatePlace) -> Result<AnyGraph, FormatError> {
        self.end_state(lines)?;
        lines.check_now(self.held())?;
        let StatesReader { builder, reading, announced, states, target, start, has_end, .. } = self;
        if states != announced {
            return Err(lines.bad(format!("the file announces {announced} states and has {states}")));
        }
        if !has_end {
            return Err(lines.lacking(format!("no state has the label {target:?}"), Remedy::Give(Choice::TARGET)));
        }
        let Some(start) = start else {
            let reason = "no state has the label init: give it to the state where play starts";
            return Err(lines.bad(reason.to_string()));
        };
        let (source, start) = (lines.file(), start.to_string());
        let name = name_of(source, "states");
        builder.graph((&name, &start), None, source, reading)
    }

    /// Checks the moves of the last action.
    fn check_action(&mut self, lines: &dyn StatePlace) -> Result<(), FormatError> {
        let StateLines { drawn, chances, .. } = &mut self.state;
        Probability::common_denominator(chances.iter().copied()).map(drop).map_err(|reason| {
            lines.bad(format!("{reason}; state {}: write exact fractions, as Storm can", self.states - 1))
        })?;
        if leads_twice(drawn) {
            return Err(lines.bad("an action leads to one state twice: write the sum of the chances".to_string()));
        }
        Ok(())
    }

    /// Ends one of several actions, as a move.
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
                let data = FilePosition { mover: StochasticLabel::Chance, ..FilePosition::default() };
                let read = ReadPosition { name, data, moves, chances, ..ReadPosition::default() };
                self.builder.position(&read, |bytes| lines.check_now(bytes))?;
                name
            }
        };
        chosen.push(to.into());
        drawn.clear();
        chances.clear();
        Ok(())
    }

    /// Ends the last state, if any, as a position.
    fn end_state(&mut self, lines: &dyn StatePlace) -> Result<(), FormatError> {
        let Some(last) = self.states.checked_sub(1) else { return Ok(()) };
        let name = last as u32;
        let StateLines { end, owner, actions, .. } = self.state;
        let data = FilePosition { end, ..FilePosition::default() };
        let mut read = ReadPosition { name, data, ..ReadPosition::default() };
        match (end, actions) {
            (Some(_), _) => {}
            (None, 0) => return Err(lines.bad(format!("state {last} has no action, and no label of an end"))),
            (None, 1) => {
                self.check_action(lines)?;
                read.moves.alice = &self.state.drawn;
                read.chances = &self.state.chances;
                read.data.mover = StochasticLabel::Chance;
            }
            (None, _) => {
                self.end_action(lines)?;
                distinct(&mut self.state.chosen);
                let owner = owner.unwrap_or(Player::Alice);
                read.data.mover = StochasticLabel::Player(PositionKind::Owned(owner));
                read.moves[owner] = &self.state.chosen;
            }
        }
        self.builder.position(&read, |bytes| lines.check_now(bytes))?;
        let StateLines { mut chosen, mut drawn, mut chances, .. } = std::mem::take(&mut self.state);
        [&mut chosen, &mut drawn].into_iter().for_each(reuse);
        reuse(&mut chances);
        self.state = StateLines { chosen, drawn, chances, ..StateLines::default() };
        Ok(())
    }

    /// Bytes held. The chances are held twice while their list grows.
    pub(crate) fn held(&self) -> u64 {
        let StateLines { chosen, drawn, chances, .. } = &self.state;
        let beside = 2 * chances.capacity() * size_of::<Probability>() + LONGEST_LINE;
        self.builder.bytes().saturating_add(growing_bytes(chosen) + growing_bytes(drawn) + beside as u64)
    }
}

/// The place in the file, for messages.
pub(crate) trait StatePlace {
    /// An error at this place.
    fn bad(&self, reason: String) -> FormatError;

    /// The error for a missing input that accompanies the file.
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
