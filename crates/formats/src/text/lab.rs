//! The labels of the states of PRISM, PRISM-games and Storm, the format `.lab`: see
//! [`tra`](super::tra).

use std::io::{self, Read, Write};

use richman_core::{Choice, Player, Remedy, Watch};

use super::syntax::{NumberedLines, WrittenLines};
use crate::any_graph::AnyGraph;
use crate::error::{FileLocation, FormatError};
use crate::form::{Form, NoRoom, Start};
use crate::reading::Reading;
use crate::states::reader::{MOST, StatePlace, StatesReader};
use crate::states::{BY_BOB, NextStates, State, States, check_random_turn, end_label};

/// The labels of the states of the random-turn game.
pub(crate) struct LabForm;

impl Form for LabForm {
    fn recognises(&self, start: &Start) -> bool {
        start.first() == Some(b'#')
    }

    fn has_comments(&self) -> bool {
        true
    }

    fn read(&self, source: &str, _: &mut dyn Read, _: &Reading) -> Result<AnyGraph, FormatError> {
        Err(two_files(source))
    }

    fn check(&self, graph: &AnyGraph) -> Result<(), NoRoom> {
        check_random_turn(graph)
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        const LABELS: [&str; 6] = ["init", "deadlock", "alice", "bob", "draw", BY_BOB];
        let mut lines = WrittenLines::new(out);
        let head: Vec<String> =
            LABELS.iter().enumerate().map(|(number, label)| format!("{number}=\"{label}\"")).collect();
        write!(lines.bytes, "{}", head.join(" "))?;
        lines.end_line()?;
        States::of(graph, watch)?.each(watch, |State { number, end, is_start, next }| {
            let by_bob = matches!(next, NextStates::Chosen(Player::Bob, _)).then_some(BY_BOB);
            let own = [is_start.then_some("init"), end.map(end_label), by_bob];
            let has = |(_, label): &(usize, &&str)| own.contains(&Some(**label));
            let labels: Vec<String> =
                LABELS.iter().enumerate().filter(has).map(|(number, _)| number.to_string()).collect();
            if labels.is_empty() {
                return Ok(());
            }
            write!(lines.bytes, "{number}: {}", labels.join(" "))?;
            lines.end_line()
        })?;
        lines.flush()
    }
}

/// The error for one of the two files of a model.
pub(super) fn two_files(source: &str) -> FormatError {
    FormatError::Lacking {
        place: Box::new(FileLocation { file: source.to_string(), line: None, position: None }),
        reason: "the transitions and the labels of a model are two files".to_string(),
        remedy: Remedy::Give(Choice::LABELS),
    }
}

/// The number of labels that matter.
const WANTED: usize = 5;

/// The labels that matter, and the states that have them.
pub(super) struct Labels {
    pub(super) names: Vec<String>,
    /// Whether the file declares each of them.
    pub(super) declared: [bool; WANTED],
    /// A state and the index of its label, in the order of states.
    pub(super) of_states: Vec<(u32, u8)>,
}

impl Labels {
    pub(super) fn read(lines: &mut NumberedLines, reading: &Reading) -> Result<Labels, FormatError> {
        let wanted: [&str; WANTED] = [StatesReader::target(reading), "bob", "draw", "init", BY_BOB];
        let names = wanted.map(str::to_string).to_vec();
        let mut labels = Labels { names, declared: [false; WANTED], of_states: Vec::new() };
        let index = |name: &str| wanted.iter().position(|wanted| *wanted == name).map(|index| index as u8);
        while lines.line()? && (lines.text.trim().is_empty() || lines.text.trim_start().starts_with('#')) {
            if lines.text.trim().eq_ignore_ascii_case("#DECLARATION") {
                return labels.of_storm(lines, index);
            }
        }
        let mut known: Vec<(u64, u8)> = Vec::new();
        let mut rest = lines.text.trim();
        while !rest.is_empty() {
            let label = rest.split_once("=\"").and_then(|(number, rest)| Some((number, rest.split_once('"')?)));
            let Some((number, (name, after))) = label else {
                return Err(lines.bad("first stand the labels, such as 0=\"init\" 1=\"alice\"".to_string()));
            };
            let number = lines.whole(number, MOST, "the number of a label")?;
            if let Some(index) = index(name) {
                known.push((number, index));
                labels.declared[usize::from(index)] = true;
            }
            rest = after.trim_start();
        }
        while lines.next()? {
            if lines.text.trim().is_empty() {
                continue;
            }
            let Some((state, numbers)) = lines.text.split_once(':') else {
                return Err(lines.bad("here should be a state, a colon, and numbers of labels".to_string()));
            };
            let state = lines.whole(state.trim(), MOST - 1, "the number of a state")? as u32;
            for number in numbers.split_whitespace() {
                let number = lines.whole(number, MOST, "the number of a label")?;
                labels.of_states.extend(known.iter().filter(|known| known.0 == number).map(|known| (state, known.1)));
            }
            lines.source.check(|| labels.bytes())?;
        }
        Ok(labels.sorted())
    }

    /// The labels of Storm, after the line `#DECLARATION`.
    fn of_storm(
        mut self,
        lines: &mut NumberedLines,
        index: impl Fn(&str) -> Option<u8>,
    ) -> Result<Labels, FormatError> {
        loop {
            if !lines.line()? {
                return Err(lines.bad("the line #END should follow the labels".to_string()));
            }
            if lines.text.trim().eq_ignore_ascii_case("#END") {
                break;
            }
            for index in lines.text.split_whitespace().filter_map(&index) {
                self.declared[usize::from(index)] = true;
            }
        }
        while lines.next()? {
            let mut words = lines.text.split_whitespace();
            let Some(state) = words.next() else { continue };
            let state = lines.whole(state, MOST - 1, "the number of a state")? as u32;
            self.of_states.extend(words.filter_map(&index).map(|label| (state, label)));
            lines.source.check(|| self.bytes())?;
        }
        Ok(self.sorted())
    }

    fn sorted(mut self) -> Labels {
        self.of_states.sort_unstable();
        self.of_states.dedup();
        self
    }

    /// Bytes held, twice while the list grows.
    pub(super) fn bytes(&self) -> u64 {
        2 * (self.of_states.capacity() * size_of::<(u32, u8)>()) as u64
    }
}
