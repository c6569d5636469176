//! Markov chains, decision processes and stochastic games of PRISM, PRISM-games and Storm:
//! transitions in the format `.tra`, with labels in the format `.lab`.
//!
//! ```text
//! 4:2 5 6
//! 0:0 0 1 1/2
//! 0:0 0 3 1/2
//! ```
//!
//! The first line has the numbers of states, of choices (if any) and of transitions, and after a
//! colon the number of players. Each further line has a state, a choice, a successor and its
//! probability; a colon after the state precedes the chooser: 0 is Alice, 1 is Bob. Names of
//! actions are ignored.
//!
//! Storm's files begin with `dtmc` or `mdp` instead of these numbers, and its labels stand between
//! `#DECLARATION` and `#END`, and then by name after each state:
//!
//! ```text
//! dtmc                #DECLARATION
//! 0 0 0.5             init alice
//! 0 1 0.5             #END
//! 1 1 1               0 init
//!                     1 alice
//! ```

use std::fmt::Display;
use std::io::{self, Read, Write};

use richman_core::{Player, Watch};
use richman_files::read_limited;

use super::lab::{Labels, two_files};
use super::syntax::{NumberedLines, WrittenLines};
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::excerpt::excerpt;
use crate::form::{Form, NoRoom, Start};
use crate::opening::Opening;
use crate::reading::Reading;
use crate::states::reader::{MOST, StatePlace, StatesReader};
use crate::states::{NextStates, State, States, check_random_turn};

/// The transitions of the random-turn game, for PRISM and PRISM-games.
pub(crate) struct TraForm;

impl Form for TraForm {
    /// A digit also begins a parity game, so the name of the file decides.
    fn recognises(&self, start: &Start) -> bool {
        let is_named = start.ends_with("tra") || start.ends_with("lab");
        begins(start.head) || is_named && start.first().is_some_and(|first| first.is_ascii_digit())
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

    /// Player 0 of a stochastic game is Alice.
    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        let states = States::of(graph, watch)?;
        let choosers = states.choosers().len();
        let mut lines = WrittenLines::new(out);
        write!(lines.bytes, "{}", states.count)?;
        match choosers {
            0 => {}
            1 => write!(lines.bytes, " {}", states.choices)?,
            players => write!(lines.bytes, ":{players} {}", states.choices)?,
        }
        write!(lines.bytes, " {}", states.transitions)?;
        lines.end_line()?;
        states.each(watch, |State { number, next, .. }| {
            let owner = match next {
                NextStates::Chosen(owner, _) => owner,
                NextStates::Drawn(_) => Player::Alice,
            };
            let mut line = |choice: usize, to: u64, chance: &dyn Display| {
                match choosers {
                    0 => write!(lines.bytes, "{number} {to} {chance}")?,
                    1 => write!(lines.bytes, "{number} {choice} {to} {chance}")?,
                    _ => write!(lines.bytes, "{number}:{} {choice} {to} {chance}", owner.either(0, 1))?,
                }
                lines.end_line()
            };
            match next {
                NextStates::Chosen(_, targets) => {
                    targets.into_iter().enumerate().try_for_each(|(choice, to)| line(choice, to.into(), &1))
                }
                NextStates::Drawn(moves) => moves.into_iter().try_for_each(|(to, chance)| line(0, to, &chance)),
            }
        })?;
        lines.flush()
    }
}

/// Reads the transitions and the labels of a model of PRISM, with their file names for messages.
/// Labels mark the ends of play: `alice`, or the target of `reading`, and `bob` for their wins,
/// `draw` for a draw; `init` is the start, or else state 0. In a stochastic game player 0 is Alice;
/// elsewhere all choices are hers, or Bob's at states labelled `by_bob`.
///
/// # Errors
/// A [`FormatError`] with the file, the line and the reason; [`FormatError::Stopped`] above the
/// memory limit of `reading` or if its watch says stop.
///
/// ```
/// use richman_core::Effort;
/// use richman_formats::{AnyGraph, Reading, read_transitions};
/// let mut transitions = &b"3 3 4\n0 0 1 1/6\n0 0 0 5/6\n1 0 1 1\n2 0 2 1\n"[..];
/// let mut labels = &b"0=\"init\" 1=\"six\"\n0: 0\n1: 1\n"[..];
/// let reading = Reading { target: Some("six"), ..Reading::within(Effort::default()) };
/// let files = [("die.tra", &mut transitions as &mut dyn std::io::Read), ("die.lab", &mut labels)];
/// let AnyGraph::Stochastic(die) = read_transitions(files, &reading)? else { panic!() };
/// assert_eq!(die.len(), 3);
/// # Ok::<(), richman_formats::FormatError>(())
/// ```
pub fn read_transitions(
    [(source, transitions), (labels_source, labels)]: [(&str, &mut dyn Read); 2],
    reading: &Reading,
) -> Result<AnyGraph, FormatError> {
    let mut labels = Opening::new(labels_source, labels, reading)?.into_reader();
    let labels = Labels::read(&mut NumberedLines::new(labels_source, &mut labels, reading, "#"), reading)?;
    let mut transitions = Opening::new(source, transitions, reading)?;
    let is_storms = begins(transitions.head(LONGEST_WORD).map_err(|error| reading.unreadable(source, error))?);
    let mut transitions: Box<dyn Read> = Box::new(transitions.into_reader());
    let mut counted = None;
    if is_storms {
        // Storm does not state the number of states, so its file is held and counted first.
        let bytes = read_limited(transitions, reading.effort.memory_left() / 2)
            .map_err(|error| reading.unreadable(source, error))?;
        counted = Some(count_states(&bytes));
        transitions = Box::new(std::io::Cursor::new(bytes));
    }
    let mut lines = NumberedLines::new(source, &mut *transitions, reading, "#");
    let head = Head::read(&mut lines, counted)?;
    let mut states = StatesReader::new(&lines, head.states, reading)?;
    let declared = labels.names.iter().zip(labels.declared).filter(|(_, is_declared)| *is_declared);
    states.declare(declared.map(|(label, _)| label.as_str()));
    let mut labelled = labels.of_states.iter().copied().peekable();
    // Begins states up to a number below the count of all states.
    let mut begin = |states: &mut StatesReader, lines: &NumberedLines, last: u64| {
        while states.states <= last {
            let number = states.states;
            let own = std::iter::from_fn(|| labelled.next_if(|(state, _)| u64::from(*state) == number));
            let own: Vec<&str> = own.map(|(_, label)| labels.names[usize::from(label)].as_str()).collect();
            states.begin_state(lines, own.into_iter())?;
        }
        Ok(())
    };
    let (mut choice, mut read) = (None, 0);
    while lines.next()? {
        let mut words = lines.text.split_whitespace();
        let Some(state) = words.next() else { continue };
        let (state, owner) = match state.split_once(':') {
            Some((state, owner)) if head.is_game => (state, Some(owner)),
            _ => (state, None),
        };
        let state = lines.whole(state, head.states.saturating_sub(1), "the number of a state")?;
        if state + 1 < states.states {
            return Err(lines.bad("the lines are not in the order of states".to_string()));
        }
        if state + 1 > states.states {
            begin(&mut states, &lines, state)?;
            choice = None;
        }
        match owner.map(|owner| lines.whole(owner, 1, "a player, 0 for Alice or 1 for Bob,")) {
            Some(owner) => states.own(Player::BOTH[owner? as usize]),
            None if head.is_game => return Err(lines.bad("after the state stands a colon and a player".to_string())),
            None => {}
        }
        let given = match (head.has_choices, words.next()) {
            (true, Some(word)) => Some(lines.whole(word, MOST, "the number of a choice")?),
            (true, None) => None,
            (false, _) => Some(0),
        };
        let mut words = lines.text.split_whitespace().skip(1 + usize::from(head.has_choices));
        let (Some(given), Some(to), Some(chance)) = (given, words.next(), words.next()) else {
            return Err(lines.bad(format!("a line has {} at least: {:?}", head.words(), excerpt(lines.text.trim()))));
        };
        if choice != Some(given) {
            let next = choice.map_or(0, |choice| choice + 1);
            if given != next {
                return Err(lines.bad(format!("choices are numbered in order: here should be choice {next}")));
            }
            states.begin_action(&lines)?;
            choice = Some(given);
        }
        read += 1;
        if head.transitions.is_none() && richman_core::whole(chance) == Some(0) {
            continue; // Storm lists moves with probability 0
        }
        lines.follow(&mut states, to, chance)?;
        lines.source.check(|| states.held().saturating_add(labels.bytes()))?;
    }
    if let Some(announced) = head.transitions.filter(|announced| *announced != read) {
        return Err(lines.bad(format!("the file announces {announced} transitions and has {read}")));
    }
    if head.states > 0 {
        begin(&mut states, &lines, head.states - 1)?;
    }
    if let Some((state, _)) = labelled.next() {
        return Err(lines.bad(format!("{labels_source} has a label for state {state}, which does not exist")));
    }
    states.finish(&lines)
}

/// The bytes of the longest first word of Storm.
const LONGEST_WORD: usize = 5;

/// Whether a file begins as the transitions of Storm do.
fn begins(head: &[u8]) -> bool {
    let word: Vec<u8> = head.iter().take_while(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    [&b"dtmc"[..], b"mdp", b"ctmc", b"ma", b"smg", b"pomdp"].contains(&&word[..])
}

/// The number of states named in the lines.
fn count_states(text: &[u8]) -> u64 {
    let numbers = |line: &[u8]| {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(3);
        let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<u64>().ok();
        words.filter_map(number).max()
    };
    text.split(|byte| *byte == b'\n').filter_map(numbers).max().map_or(0, |last| last.saturating_add(1))
}

/// The first line of a file of transitions.
struct Head {
    states: u64,
    /// The announced number; absent in Storm's files.
    transitions: Option<u64>,
    has_choices: bool,
    is_game: bool,
}

impl Head {
    fn read(lines: &mut NumberedLines, counted: Option<u64>) -> Result<Head, FormatError> {
        while lines.next()? && lines.text.trim().is_empty() {}
        if let Some(states) = counted {
            let has_choices = match lines.text.trim().to_ascii_lowercase().as_str() {
                "dtmc" => false,
                "mdp" => true,
                other => return Err(lines.bad(format!("{:?} is not read: only dtmc and mdp are", excerpt(other)))),
            };
            if states > MOST {
                return Err(lines.bad(format!("there are more than {MOST} states")));
            }
            return Ok(Head { states, transitions: None, has_choices, is_game: false });
        }
        let words: Vec<&str> = lines.text.split_whitespace().collect();
        let (Some((first, rest)), 2..=3) = (words.split_first(), words.len()) else {
            return Err(lines.bad("first stand the numbers of states, of choices, and of transitions".to_string()));
        };
        let (states, players) = first.split_once(':').unwrap_or((first, "0"));
        let players = lines.whole(players, 2, "the number of players")?;
        let numbers = rest.iter().map(|word| lines.whole(word, u64::MAX, "a number"));
        let numbers = numbers.collect::<Result<Vec<u64>, FormatError>>()?;
        Ok(Head {
            states: lines.whole(states, MOST, "the number of states")?,
            transitions: Some(numbers[numbers.len() - 1]),
            has_choices: numbers.len() == 2,
            is_game: players > 0,
        })
    }

    /// The fields of a line.
    fn words(&self) -> &'static str {
        if self.has_choices {
            "a state, a choice, a state that follows, and a chance"
        } else {
            "a state, a state that follows, and a chance"
        }
    }
}

#[cfg(test)]
mod tests {
    use richman_core::{Effort, NodeData, PositionKind, StochasticLabel};

    use super::*;
    use crate::states::end_label;

    const TRA: &str = "# Transitions (SMG)\n4:2 5 6\n0:0 0 1 1/2 toss\n0:0 0 3 1/2 toss\n1:0 0 1 1\n2:0 0 2 1\n\
        3:1 0 0 1 back\n3:1 1 2 1 give_up\n";
    const LAB: &str = "0=\"init\" 1=\"deadlock\" 2=\"alice\" 3=\"odd one\"\n0: 0\n1: 2\n2: 3\n";

    fn game(tra: &str, lab: &str) -> Result<AnyGraph, String> {
        let (mut tra, mut lab) = (tra.as_bytes(), lab.as_bytes());
        let files = [("game.tra", &mut tra as &mut dyn Read), ("game.lab", &mut lab)];
        read_transitions(files, &Reading::within(Effort::default())).map_err(|error| error.to_string())
    }

    #[test]
    fn players_and_labels_are_read() {
        let AnyGraph::Stochastic(graph) = game(TRA, LAB).unwrap() else { panic!("a game with chance") };
        let owned = NodeData::On(StochasticLabel::Player(PositionKind::Owned(Player::Bob)));
        assert_eq!((graph.len(), graph.data(3)), (4, owned));
        assert_eq!(graph.data(1).end().map(end_label), Some("alice"));
        assert!(graph.data(0) == NodeData::On(StochasticLabel::Chance) && graph.data(2) == graph.data(0));
        let chain =
            game("3 4\n0 0 0.5\n0 1 0.25\n0 2 0.25\n2 2 1\n", "0=\"alice\" 1=\"bob\" 2=\"init\"\n0: 2\n1: 0\n2: 1\n")
                .unwrap();
        let AnyGraph::Stochastic(chain) = chain else { panic!("a game with chance") };
        assert_eq!(chain.data(2).end().map(end_label), Some("bob"));
    }

    #[test]
    fn what_is_no_model_is_refused_with_its_line() {
        for (from, to, words) in [
            ("4:2 5 6", "4:3 5 6", "game.tra, line 2, column 1: the number of players is \"3\""),
            ("4:2 5 6", "4", "first stand the numbers of states"),
            ("4:2 5 6", "1000000000:2 5 6", "state 4 has no action"),
            ("4:2 5 6", "99999999999:2 5 6", "it is from 0 to 4294967294"),
            ("4:2 5 6", "3:2 5 6", "the number of a state that follows is \"3\": it is from 0 to 2"),
            ("4:2 5 6", "4:2 5 7", "announces 7 transitions and has 6"),
            ("0:0 0 1 1/2", "0 0 1 1/2", "line 3, column 1: after the state stands a colon and a player"),
            ("0:0 0 1 1/2", "0:2 0 1 1/2", "a player, 0 for Alice or 1 for Bob, is \"2\""),
            ("0:0 0 1 1/2", "0:0 0 1", "is not a chance"),
            ("0:0 0 1 1/2 toss", "0:0 0 1", "a line has a state, a choice"),
            ("0:0 0 1 1/2", "0:0 1 1 1/2", "here should be choice 0"),
            ("0:0 0 1 1/2", "0:0 0 1 1/3", "add up to 5/6"),
            ("2:0 0 2 1\n", "0:0 0 2 1\n", "not in the order of states"),
            ("2:0 0 2 1\n", "", "state 2 has no action"),
        ] {
            assert!(TRA.contains(from), "{from}");
            let error = game(&TRA.replacen(from, to, 1), LAB).unwrap_err();
            assert!(error.starts_with("game.tra") && error.contains(words), "{from} -> {to}: {error}");
        }
        for (from, to, words) in [
            ("2=\"alice\" 3=\"odd one\"", "2=alice", "game.lab, line 1, column 1: first stand the labels"),
            ("1: 2", "1 2", "game.lab, line 3, column 1: here should be a state, a colon"),
            ("1: 2", "x: 2", "the number of a state is \"x\""),
            ("1: 2", "9: 2", "game.lab has a label for state 9"),
            ("2=\"alice\"", "2=\"carol\"", "no state has the label \"alice\""),
            ("0: 0\n", "", "no state has the label init"),
        ] {
            assert!(LAB.contains(from), "{from}");
            let error = game(TRA, &LAB.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(words), "{from} -> {to}: {error}");
        }
    }
}
