//! Writes games in binary form.

use std::io::{self, Write};

use richman_core::{Game, LabelledGraph, NumberedMove, Player, Watch};

use super::numbers::{Summed, folded};
use super::{MAGIC, VERSION};
use crate::form::pause;
use crate::labels::{FileLabel, FilePosition};
use crate::objectives::FileObjective;

/// Writes a game, position by position.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(super) fn write<L: FileObjective>(
    graph: &LabelledGraph<L>,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    let mut out = Summed::new(out);
    out.extend(MAGIC);
    out.extend(&[VERSION, L::NUMBER]);
    out.text(&graph.name())?;
    out.text(&graph.description().unwrap_or_default())?;
    let positions = graph.len();
    out.number(positions.into())?;
    let is_numbered = (0..positions).all(|position| graph.name_of(position) == position.to_string());
    out.number((!is_numbered).into())?;
    if !is_numbered {
        for position in 0..positions {
            pause(watch, "writing names", position, positions)?;
            out.text(&graph.name_of(position))?;
        }
    }
    let own_names = graph.own_names();
    let are_named = own_names.len() > 0;
    out.number(own_names.len() as u64)?;
    for name in own_names {
        out.text(&name)?;
    }
    out.number(graph.start().into())?;
    for position in 0..positions {
        pause(watch, "writing positions", position, positions)?;
        let data = graph.data(position);
        let is_end = data.end().is_some();
        let data = L::written(data);
        L::write(&data, &mut out)?;
        if is_end {
            continue;
        }
        let [alice, bob] = Player::BOTH.map(|player| graph.numbered_moves(position, player));
        out.number(alice.len() as u64)?;
        write_moves(&mut out, (position, &data), alice, are_named)?;
        if are_both_players(graph, position) {
            out.number(0)?;
        } else {
            out.number(bob.len() as u64 + 1)?;
            write_moves(&mut out, (position, &data), bob, are_named)?;
        }
    }
    out.finish()
}

/// Whether Bob's moves are copies of Alice's.
fn are_both_players<L: FileObjective>(graph: &LabelledGraph<L>, position: u32) -> bool {
    let moves = |player| graph.numbered_moves(position, player);
    let copies = moves(Player::Alice).map(|step| NumberedMove { label: L::copied(step.label), ..step });
    copies.eq(moves(Player::Bob))
}

fn write_moves<L: FileObjective>(
    out: &mut Summed,
    (position, data): (u32, &FilePosition),
    moves: impl Iterator<Item = NumberedMove<L>>,
    are_named: bool,
) -> io::Result<()> {
    let mut before = position;
    for step in moves {
        out.number(folded(i64::from(step.to) - i64::from(before)))?;
        before = step.to;
        if L::HAS_WEIGHTS {
            out.number(folded(step.label.weight()))?;
        }
        if data.is_by_chance() {
            out.number(step.label.chance().numerator())?;
            out.number(step.label.chance().denominator())?;
        }
        if are_named {
            out.number(step.name.map_or(0, |name| u64::from(name.index()) + 1))?;
        }
    }
    Ok(())
}
