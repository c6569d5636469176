//! Markov chains and decision processes of Storm, the format `.drn`.
//!
//! ```text
//! @type: MDP
//! @nr_states
//! 3
//! @model
//! state 0 init
//!     action stay
//!         0 : 1
//!     action throw
//!         1 : 1/6
//!         2 : 5/6
//! state 1 alice
//!     action 0
//!         1 : 1
//! state 2 bob
//!     action 0
//!         2 : 1
//! ```
//!
//! A state is a position named by its number. Labels mark the ends of play: `alice` and `bob` for
//! their wins, `draw` for a draw, or a label chosen by the reader for Alice's win. A state with one
//! action belongs to chance, one with several to Alice, or to Bob with the label `by_bob`. An
//! action that leads to several states becomes a further position of chance. `init` is the start,
//! or else state 0. Rewards and names of actions are ignored.

use std::io::{self, Read, Write};

use richman_core::{Player, Unwatched, Watch};

use super::syntax::{NumberedLines, WrittenLines};
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::form::{Form, NoRoom, Start};
use crate::reading::Reading;
use crate::states::reader::{MOST, StatePlace, StatesReader};
use crate::states::{BY_BOB, NextStates, State, States, check_random_turn, end_label, mover};

/// The random-turn game with the choices of at most one player, for Storm.
pub(crate) struct DrnForm;

impl Form for DrnForm {
    fn recognises(&self, start: &Start) -> bool {
        start.first() == Some(b'@')
    }

    fn has_comments(&self) -> bool {
        true
    }

    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
        let mut lines = NumberedLines::new(source, reader, reading, "//");
        let announced = header(&mut lines)?;
        let mut states = StatesReader::new(&lines, announced, reading)?;
        while lines.next()? {
            read_line(&lines, &mut states, announced)?;
            lines.source.check(|| states.held())?;
        }
        states.finish(&lines)
    }

    /// Play may end, and at most one player chooses.
    fn check(&self, graph: &AnyGraph) -> Result<(), NoRoom> {
        check_random_turn(graph)?;
        if (0..graph.positions()).all(|position| mover(graph, position as u32).is_ok()) {
            let reason = "play never ends in this game, and a file for Storm has labels of ends alone: write .tra and \
                          .lab, or .umb";
            return Err((None, reason.to_string()));
        }
        let states = States::of(graph, &Unwatched).map_err(|error| (None, error.to_string()))?;
        if states.choosers().len() < Player::BOTH.len() {
            return Ok(());
        }
        let reason = "both players choose moves, and a file for Storm has the choices of one: write .tra and .lab for \
                      PRISM-games";
        Err((None, reason.to_string()))
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        let states = States::of(graph, watch)?;
        let kind = match states.choosers()[..] {
            [] => "DTMC",
            [_] => "MDP",
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        let mut lines = WrittenLines::new(out);
        write!(lines.bytes, "@type: {kind}\n@parameters\n\n@reward_models\n\n")?;
        write!(lines.bytes, "@nr_states\n{}\n@nr_choices\n{}\n@model\n", states.count, states.choices)?;
        states.each(watch, |State { number, end, is_start, next }| {
            write!(lines.bytes, "state {number}")?;
            let by_bob = matches!(next, NextStates::Chosen(Player::Bob, _)).then_some(BY_BOB);
            for label in is_start.then_some("init").into_iter().chain(end.map(end_label)).chain(by_bob) {
                write!(lines.bytes, " {label}")?;
            }
            lines.end_line()?;
            match next {
                NextStates::Chosen(_, targets) => {
                    for (choice, to) in targets.into_iter().enumerate() {
                        write!(lines.bytes, "\taction {choice}\n\t\t{to} : 1")?;
                        lines.end_line()?;
                    }
                }
                NextStates::Drawn(moves) => {
                    write!(lines.bytes, "\taction 0")?;
                    lines.end_line()?;
                    for (to, chance) in moves {
                        write!(lines.bytes, "\t\t{to} : {chance}")?;
                        lines.end_line()?;
                    }
                }
            }
            Ok(())
        })?;
        lines.flush()
    }
}

fn read_line(lines: &NumberedLines, states: &mut StatesReader, announced: u64) -> Result<(), FormatError> {
    let line = lines.text.trim();
    if line.is_empty() {
        return Ok(());
    }
    if let Some(rest) = line.strip_prefix("state ") {
        let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let number = lines.whole(number, announced.saturating_sub(1), "the number of a state")?;
        if number != states.states {
            return Err(lines.bad(format!("states are numbered in order: here should be state {}", states.states)));
        }
        let rest = match rest.trim_start().strip_prefix('[') {
            Some(rewards) => match rewards.split_once(']') {
                Some((_, rest)) => rest,
                None => return Err(lines.bad("rewards end with a bracket".to_string())),
            },
            None => rest,
        };
        return states.begin_state(lines, labels(rest));
    }
    if states.states == 0 {
        return Err(lines.bad("here should be state 0".to_string()));
    }
    if line.starts_with("action ") || line == "action" {
        return states.begin_action(lines);
    }
    match line.split_once(':').filter(|_| states.actions() > 0) {
        Some((to, chance)) => lines.follow(states, to.trim(), chance.trim()),
        None => Err(lines.bad(format!("here should be a state, an action, or NUMBER : CHANCE: {:?}", excerpt(line)))),
    }
}

/// Reads up to `@model`; the number of states.
fn header(lines: &mut NumberedLines) -> Result<u64, FormatError> {
    let (mut is_typed, mut states) = (false, None);
    while lines.next()? {
        match lines.text.trim() {
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

#[cfg(test)]
mod tests {
    use richman_core::{Effort, Game, NodeData, Player, PositionKind, StochasticLabel};

    use super::*;
    use crate::forms::read_game;
    use crate::states::reader::LONGEST_LINE;

    const THROW: &str = "// a comment\n@type: MDP\n@parameters\n\n@reward_models\nsteps \n@nr_states\n3\n\
        @nr_choices\n4\n@model\nstate 0 [1] init \"an odd label\"\n//x=0\n\taction stay [0]\n\t\t0 : 1\n\
        \taction throw [1]\n\t\t1 : 1/6\n\t\t2 : 5/6\nstate 1 [0] alice\n\taction 0\n\t\t1 : 1\nstate 2\n\taction 0\n\
        \t\t1 : 0.25\n\t\t2 : 7.5e-1\n";

    fn game(text: &str) -> Result<AnyGraph, String> {
        read_game("throw.drn", &mut text.as_bytes(), &Reading::within(Effort::default()))
            .map_err(|error| error.to_string())
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
                let kind = match position.data {
                    NodeData::End(end) => end_label(end).to_string(),
                    NodeData::On(StochasticLabel::Chance) => "chance".to_string(),
                    NodeData::On(StochasticLabel::Player(kind)) => format!("{kind:?}"),
                };
                format!("{} {kind}: {moves}", position.name)
            })
            .collect();
        let expected = ["3 chance: 1 1/6, 2 5/6", "0 Owned(Alice): 0 1, 3 1", "1 alice: ", "2 chance: 1 1/4, 2 3/4"];
        assert_eq!(written, expected);
        let bobs = game(&THROW.replace("init", "by_bob init")).unwrap();
        let AnyGraph::Stochastic(bobs) = bobs else { panic!("a game with chance") };
        let owned = NodeData::On(StochasticLabel::Player(PositionKind::Owned(Player::Bob)));
        assert_eq!(bobs.data(bobs.start()), owned);
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
        let targets = Reading { target: Some("an odd label"), ..Reading::within(Effort::default()) };
        assert!(read_game("throw.drn", &mut THROW.as_bytes(), &targets).is_ok());
        let long = THROW.replace("init", &"x".repeat(LONGEST_LINE));
        assert!(game(&long).unwrap_err().contains("a line is longer than 65536 bytes"));
    }
}
