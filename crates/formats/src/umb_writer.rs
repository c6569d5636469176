//! Writes the random-turn game of a game in the unified Markov binary format (UMB), for Storm,
//! PRISM and Modest.
//!
//! Chances are fractions of 128 bits. Players have the names `alice` and `bob`, if they have a
//! choice anywhere. The atomic propositions `alice`, `bob` and `draw` say how play has ended.

use std::io::{self, Write};

use richman_core::{Game, LabelledGraph, Player, RandomTurn, Terminal, Watch};
use serde_json::json;

use crate::states::{NextStates, State, States, end_label};
use crate::umb::bits;

/// The ends of play.
const ENDS: [Terminal; 3] = [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw];

/// Writes the archive, array by array; the longest one is held.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(crate) fn write<L: RandomTurn>(graph: &LabelledGraph<L>, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
    let states = States::of(graph, watch)?;
    let mut archive = UmbArchive { states: &states, archive: tar::Builder::new(out), watch };
    let choosers = states.choosers();
    let index = index(graph.name(), &states, &choosers);
    archive.append("index.json", serde_json::to_string_pretty(&index)?.as_bytes())?;
    let (mut choices, mut branches) = (0u64, 0u64);
    archive.array("state-to-choices.bin", 0u64.to_le_bytes().to_vec(), |state, bytes| {
        choices += actions(state).count() as u64;
        bytes.extend(choices.to_le_bytes());
    })?;
    if !choosers.is_empty() {
        archive.array("state-to-player.bin", Vec::new(), |state, bytes| {
            let player = match state.next {
                NextStates::Chosen(player, _) => choosers.iter().position(|one| *one == player).unwrap_or(0),
                NextStates::Drawn(_) => 0,
            };
            bytes.extend((player as u32).to_le_bytes());
        })?;
    }
    archive.bits("state-is-initial.bin", |state| state.is_start)?;
    archive.array("choice-to-branches.bin", 0u64.to_le_bytes().to_vec(), |state, bytes| {
        for action in actions(state) {
            branches += action.len() as u64;
            bytes.extend(branches.to_le_bytes());
        }
    })?;
    archive.array("branch-to-target.bin", Vec::new(), |state, bytes| {
        actions(state).flatten().for_each(|(to, _)| bytes.extend(to.to_le_bytes()));
    })?;
    archive.array("branch-to-probability.bin", Vec::new(), |state, bytes| {
        for (_, [numerator, denominator]) in actions(state).flatten() {
            // At most 10^18, so the sign does not matter.
            bytes.extend(numerator.to_le_bytes());
            bytes.extend(denominator.to_le_bytes());
        }
    })?;
    for end in ENDS {
        let name = format!("annotations/aps/{}/states/values.bin", end_label(end));
        archive.bits(&name, |state| state.end == Some(end))?;
    }
    archive.archive.into_inner()?.flush()
}

fn index<L: RandomTurn>(name: String, states: &States<L>, choosers: &[Player]) -> serde_json::Value {
    let mut system = json!({
        "time": "discrete",
        "#players": choosers.len(),
        "#states": states.count,
        "#initial-states": 1,
        "#choices": states.choices,
        "#choice-actions": 0,
        "#branches": states.transitions,
        "#branch-actions": 0,
        "#observations": 0,
        "branch-probability-type": { "type": "rational", "size": 128 },
    });
    if !choosers.is_empty() {
        let names: Vec<&str> = choosers.iter().map(|player| player.either("alice", "bob")).collect();
        system["player-names"] = json!(names);
    }
    let label = |end| {
        let name = end_label(end);
        (name.to_string(), json!({ "alias": name, "applies-to": ["states"], "type": { "type": "bool", "size": 1 } }))
    };
    let aps: serde_json::Map<String, serde_json::Value> = ENDS.into_iter().map(label).collect();
    json!({
        "format-version": 1,
        "format-revision": 0,
        "model-data": { "name": name },
        "file-data": { "tool": "richman", "tool-version": env!("CARGO_PKG_VERSION") },
        "transition-system": system,
        "annotations": { "aps": aps },
    })
}

/// The choices of a state, each with the states that follow and their chances.
fn actions(state: &State) -> impl Iterator<Item = Vec<(u64, [u64; 2])>> + '_ {
    let (chosen, drawn) = match &state.next {
        NextStates::Chosen(_, targets) => (&targets[..], None),
        NextStates::Drawn(moves) => (&[][..], Some(moves)),
    };
    let sure = |to: &u32| vec![(u64::from(*to), [1, 1])];
    let moves = |moves: &Vec<(u64, richman_core::Probability)>| {
        moves.iter().map(|(to, chance)| (*to, [chance.numerator(), chance.denominator()])).collect()
    };
    chosen.iter().map(sure).chain(drawn.map(moves))
}

struct UmbArchive<'a, L: RandomTurn, W: Write> {
    states: &'a States<'a, L>,
    archive: tar::Builder<W>,
    watch: &'a dyn Watch,
}

impl<L: RandomTurn, W: Write> UmbArchive<'_, L, W> {
    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        self.archive.append_data(&mut header, name, bytes)
    }

    /// Writes what `add` adds for each state, after these bytes.
    fn array(&mut self, name: &str, mut bytes: Vec<u8>, mut add: impl FnMut(&State, &mut Vec<u8>)) -> io::Result<()> {
        self.states.each(self.watch, |state| {
            add(&state, &mut bytes);
            Ok(())
        })?;
        self.append(name, &bytes)
    }

    /// Writes a bit for each state.
    fn bits(&mut self, name: &str, holds: impl Fn(&State) -> bool) -> io::Result<()> {
        let mut bytes = vec![0; bits(self.states.count) as usize];
        self.states.each(self.watch, |state| {
            bytes[(state.number / 8) as usize] |= u8::from(holds(&state)) << (state.number % 8);
            Ok(())
        })?;
        self.append(name, &bytes)
    }
}
