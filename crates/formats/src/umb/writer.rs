//! Writes the random-turn game of a game in the unified Markov binary format (UMB), for Storm,
//! PRISM and Modest.
//!
//! Chances are fractions of 128 bits. Players have the names `alice` and `bob`, if they have a
//! choice anywhere. The atomic propositions `alice`, `bob` and `draw` mark the ends of play.

use std::io::{self, Write};

use richman_core::{Player, Probability, Terminal, Watch};
use serde_json::json;

use super::{WORD, bits};
use crate::any_graph::AnyGraph;
use crate::states::{NextStates, State, States, end_label};

/// The ends of play.
const ENDS: [Terminal; 3] = [Terminal::Win(Player::Alice), Terminal::Win(Player::Bob), Terminal::Draw];

/// Writes the archive, array by array.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(super) fn write(graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
    let states = States::of(graph, watch)?;
    let mut archive = UmbArchive { states: &states, out, watch };
    let choosers = states.choosers();
    let index = index(&states, &choosers);
    let index = serde_json::to_string_pretty(&index)?;
    archive.file("index.json", index.len() as u64, |out| out.write_all(index.as_bytes()))?;
    let (mut chosen, mut followed) = (0u64, 0u64);
    archive.array("state-to-choices.bin", Some(0), WORD * (states.count + 1), |state, out| {
        chosen += choices(state).count() as u64;
        out.write_all(&chosen.to_le_bytes())
    })?;
    if !choosers.is_empty() {
        archive.array("state-to-player.bin", None, 4 * states.count, |state, out| {
            let player = match state.next {
                NextStates::Chosen(player, _) => choosers.iter().position(|one| *one == player).unwrap_or(0),
                NextStates::Drawn(_) => 0,
            };
            out.write_all(&(player as u32).to_le_bytes())
        })?;
    }
    archive.bits("state-is-initial.bin", |state| state.is_start)?;
    archive.array("choice-to-branches.bin", Some(0), WORD * (states.choices + 1), |state, out| {
        choices(state).try_for_each(|branches| {
            followed += branches as u64;
            out.write_all(&followed.to_le_bytes())
        })
    })?;
    archive.array("branch-to-target.bin", None, WORD * states.transitions, |state, out| {
        branches(state).try_for_each(|(to, _)| out.write_all(&to.to_le_bytes()))
    })?;
    archive.array("branch-to-probability.bin", None, 2 * WORD * states.transitions, |state, out| {
        branches(state).try_for_each(|(_, chance)| {
            // At most 10^18, so the sign does not matter.
            out.write_all(&chance.numerator().to_le_bytes())?;
            out.write_all(&chance.denominator().to_le_bytes())
        })
    })?;
    for end in ENDS {
        let name = format!("annotations/aps/{}/states/values.bin", end_label(end));
        archive.bits(&name, |state| state.end == Some(end))?;
    }
    // Two empty blocks end an archive.
    archive.out.write_all(&[0; 2 * BLOCK])?;
    archive.out.flush()
}

fn index(states: &States, choosers: &[Player]) -> serde_json::Value {
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
        "model-data": { "name": states.game() },
        "file-data": { "tool": "richman", "tool-version": env!("CARGO_PKG_VERSION") },
        "transition-system": system,
        "annotations": { "aps": aps },
    })
}

/// The branches of each choice of a state.
fn choices(state: &State) -> impl Iterator<Item = usize> {
    let (choices, branches) = match &state.next {
        NextStates::Chosen(_, targets) => (targets.len(), 1),
        NextStates::Drawn(moves) => (1, moves.len()),
    };
    std::iter::repeat_n(branches, choices)
}

/// The branches of all choices of a state: the target and chance of each.
fn branches(state: &State) -> impl Iterator<Item = (u64, Probability)> + '_ {
    let (chosen, drawn) = match &state.next {
        NextStates::Chosen(_, targets) => (&targets[..], &[][..]),
        NextStates::Drawn(moves) => (&[][..], &moves[..]),
    };
    chosen.iter().map(|to| (u64::from(*to), Probability::ONE)).chain(drawn.iter().copied())
}

/// The bytes of a block of an archive.
const BLOCK: usize = 512;

/// Bytes to collect before writing.
const FULL: usize = 1 << 16;

struct UmbArchive<'a> {
    states: &'a States<'a>,
    out: &'a mut dyn Write,
    watch: &'a dyn Watch,
}

impl UmbArchive<'_> {
    /// Writes a file of `bytes` bytes.
    fn file(&mut self, name: &str, bytes: u64, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut header = tar::Header::new_ustar();
        header.set_path(name)?;
        header.set_size(bytes);
        header.set_mode(0o644);
        header.set_cksum();
        self.out.write_all(header.as_bytes())?;
        write(&mut *self.out)?;
        let rest = bytes as usize % BLOCK;
        self.out.write_all(&[0; BLOCK][..(BLOCK - rest) % BLOCK])
    }

    /// Writes a first number and the output of `write` for each state: `bytes` bytes in all.
    fn array(
        &mut self,
        name: &str,
        first: Option<u64>,
        bytes: u64,
        mut write: impl FnMut(&State, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let (states, watch) = (self.states, self.watch);
        self.file(name, bytes, |out| {
            let mut out = io::BufWriter::with_capacity(FULL, out);
            first.map_or(Ok(()), |first| out.write_all(&first.to_le_bytes()))?;
            states.each(watch, |state| write(&state, &mut out))?;
            out.flush()
        })
    }

    /// Writes a bit for each state.
    fn bits(&mut self, name: &str, holds: impl Fn(&State) -> bool) -> io::Result<()> {
        let (mut word, count) = (0u64, self.states.count);
        self.array(name, None, bits(count), |state, out| {
            word |= u64::from(holds(state)) << (state.number % 64);
            match state.number % 64 == 63 || state.number + 1 == count {
                true => out.write_all(&std::mem::take(&mut word).to_le_bytes()),
                false => Ok(()),
            }
        })
    }
}
