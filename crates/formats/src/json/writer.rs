//! Writes an unfolded game as a game file, position by position.

use std::collections::HashSet;
use std::io::{self, Write};

use richman_core::{
    ByPlayer, Effort, Error, Game, GraphError, GraphMove, GraphPosition, LabelledGraph, Move, Node, Player, Unfolding,
    Unwatched, Watch, shortened,
};
use serde::Serialize;

use super::game_file::{PositionBody, WrittenGame, body};
use crate::error::{FileLocation, FormatError};
use crate::excerpt::excerpt;
use crate::form::pause;
use crate::names::{LONGEST_DESCRIPTION, LONGEST_NAME, check_move_name, check_name, check_text};
use crate::objectives::FileObjective;

/// An unfolded game that can be written as a game file: reading accepts every name in it.
///
/// The file has the positions of the arena in their order, so symmetric positions are one, named by
/// the notation of the first one met. Moves are in the game's order. Several moves to one position
/// are one move in the arena but keep their names, as in every report. So a game and its file have
/// the same arena and the same named moves. A move is written with its name unless that is the
/// notation of its target; a move to a position symmetric to its target has such a name.
pub struct GameWriter<L: FileObjective> {
    unfolding: Box<dyn Unfolding<L>>,
    name: String,
    description: Option<String>,
}

richman_core::debug_by_name!([L: FileObjective] GameWriter<L> {});

impl<L: FileObjective> GameWriter<L> {
    /// Checks that the game can be written. A name of the game that is too long is shortened,
    /// because it is only a label.
    ///
    /// # Errors
    /// [`FormatError::BadValue`] for a description, or the name of a position or a move, that
    /// reading would refuse; [`FormatError::NotAGame`] for a name of a move that could mean another
    /// move; [`FormatError::Stopped`] if the watch of `effort` says stop or its memory does not
    /// suffice for the text of one position.
    pub fn new(
        unfolding: Box<dyn Unfolding<L>>,
        description: Option<String>,
        effort: &Effort,
    ) -> Result<GameWriter<L>, FormatError> {
        let name = shortened(&unfolding.game(), LONGEST_NAME - "...".len());
        let writer = GameWriter { unfolding, name, description };
        writer.check(effort)?;
        Ok(writer)
    }

    fn check(&self, effort: &Effort) -> Result<(), FormatError> {
        /// Bytes of a move and of its target, in memory and as JSON.
        const OF_A_MOVE: u64 = 256;
        /// Copies of a move's name that are held at once.
        const COPIES: u64 = 4;
        let file = || excerpt(&self.name);
        let bad = |position: Option<&str>, reason| FormatError::BadValue {
            place: Box::new(FileLocation { file: file(), line: None, position: position.map(str::to_string) }),
            reason,
        };
        check_name("the name of the game", LONGEST_NAME, &self.name).map_err(|reason| bad(None, reason))?;
        if let Some(text) = &self.description {
            check_text("the description", LONGEST_DESCRIPTION, text).map_err(|reason| bad(None, reason))?;
        }
        let stopped = |error| FormatError::Stopped { file: file(), error: Box::new(error) };
        let arena = self.unfolding.arena();
        let held = Effort { held: effort.held.saturating_add(self.unfolding.bytes()), ..*effort };
        for node in arena.nodes() {
            pause(effort.watch, "checking names of positions", node, arena.len() as u32)
                .map_err(|_| stopped(Error::Cancelled))?;
            let moves = self.moves(node);
            let bytes = moves.iter().flatten().map(|step| OF_A_MOVE + COPIES * step.name.len() as u64).sum();
            held.check_memory("writing the moves of one position", bytes).map_err(stopped)?;
            let position = self.position(node, moves);
            let bad = |reason| bad(Some(&position.name), reason);
            check_name("its name", LONGEST_NAME, &position.name).map_err(bad)?;
            match self.unfolding.node(&position.name) {
                Ok(found) if found == node => {}
                Ok(_) => return Err(bad("another position has the same notation, so a file cannot name it".into())),
                Err(_) => {
                    let reason = "the game does not read its notation back (it may be shortened), so a file cannot \
                                  name it: start from a later position";
                    return Err(bad(reason.into()));
                }
            }
            for (player, moves) in Player::BOTH.into_iter().zip(position.moves.iter()) {
                moves
                    .iter()
                    .filter_map(|step| step.name.as_ref())
                    .try_for_each(|name| check_move_name(name))
                    .map_err(bad)?;
                if let Some(name) = ambiguous(moves) {
                    let (position, name) = (position.name.clone(), name.to_string());
                    let error = GraphError::AmbiguousMove { position, player, name };
                    return Err(FormatError::NotAGame { file: file(), error });
                }
            }
        }
        Ok(())
    }

    /// Writes the file, one position in a line, to `out`.
    ///
    /// # Errors
    /// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
    pub fn write(&self, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        let arena = self.unfolding.arena();
        let head = JsonHead {
            name: &self.name,
            description: self.description.as_deref(),
            start: &self.unfolding.notation(arena.start()),
            positions: arena.len() as u32,
        };
        head.write::<L>(out, watch, |node, out| {
            let position = self.position(node, self.moves(node));
            write_position(out, &position.name, &body(&position))
        })
    }

    fn moves(&self, node: Node) -> ByPlayer<Vec<Move<L>>> {
        ByPlayer::from_fn(|player| self.unfolding.moves(node, player))
    }

    fn position(&self, node: Node, moves: ByPlayer<Vec<Move<L>>>) -> GraphPosition<L> {
        GraphPosition {
            name: self.unfolding.notation(node),
            data: self.unfolding.arena().data(node),
            moves: moves.map(|moves| self.distinct(moves)),
        }
    }

    /// The moves as a file has them, each once.
    fn distinct(&self, moves: Vec<Move<L>>) -> Vec<GraphMove<L>> {
        let mut seen = HashSet::new();
        let named = moves.into_iter().map(|step| {
            let to = self.unfolding.notation(step.to);
            GraphMove { name: (step.name != to).then_some(step.name), to, label: step.label }
        });
        named.filter(|step| seen.insert(step.clone())).collect()
    }
}

/// Writes a graph as a game file in JSON, with all its positions.
///
/// # Errors
/// The errors of `out`, and [`io::ErrorKind::Other`] if the watch says stop.
pub(crate) fn write_json<L: FileObjective>(
    graph: &LabelledGraph<L>,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    let described = graph.description();
    let head = JsonHead {
        name: &graph.name(),
        description: described.as_deref(),
        start: &graph.name_of(graph.start()),
        positions: graph.len(),
    };
    head.write::<L>(out, watch, |node, out| write_given(out, graph, node))
}

impl<L: FileObjective> WrittenGame<L> {
    /// The text of the game file in JSON, which reads back as the same game.
    pub fn to_json(&self) -> String {
        let head = JsonHead {
            name: &self.name,
            description: self.description.as_deref(),
            start: &self.start,
            positions: self.positions.len() as u32,
        };
        let mut text = Vec::new();
        let written = head.write::<L>(&mut text, &Unwatched, |at, out| {
            let position = &self.positions[at as usize];
            write_position(out, &position.name, &body(position))
        });
        written.expect("memory takes what is written, and nobody says stop");
        String::from_utf8(text).expect("JSON is text")
    }
}

/// Writes the name of a position of a graph, and its value.
pub(crate) fn write_given<L: FileObjective>(
    out: &mut dyn Write,
    graph: &LabelledGraph<L>,
    position: u32,
) -> io::Result<()> {
    let moves = |player| graph.given_moves(position, player);
    write_position(out, &graph.name_of(position), &PositionBody { data: graph.data(position), moves })
}

/// The part of a game file before the positions.
struct JsonHead<'a> {
    name: &'a str,
    description: Option<&'a str>,
    start: &'a str,
    positions: u32,
}

impl JsonHead<'_> {
    /// Writes the file, one position in a line.
    fn write<L: FileObjective>(
        &self,
        out: &mut dyn Write,
        watch: &dyn Watch,
        position: impl Fn(Node, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        write!(out, "{{\n  \"name\": ")?;
        serde_json::to_writer(&mut *out, self.name)?;
        if let Some(description) = self.description {
            write!(out, ",\n  \"description\": ")?;
            serde_json::to_writer(&mut *out, description)?;
        }
        if let Some(objective) = L::STATED {
            write!(out, ",\n  \"objective\": \"{objective}\"")?;
        }
        write!(out, ",\n  \"start\": ")?;
        serde_json::to_writer(&mut *out, self.start)?;
        write!(out, ",\n  \"positions\": {{")?;
        for node in 0..self.positions {
            pause(watch, "writing positions", node, self.positions)?;
            write!(out, "{}\n    ", if node == 0 { "" } else { "," })?;
            position(node, out)?;
        }
        write!(out, "\n  }}\n}}\n")
    }
}

fn write_position(out: &mut dyn Write, name: &str, body: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, name)?;
    write!(out, ": ")?;
    Ok(serde_json::to_writer(out, body)?)
}

/// The first name of a move that is also the name or the target of another move.
fn ambiguous<L: FileObjective>(moves: &[GraphMove<L>]) -> Option<&str> {
    let names = moves.iter().filter_map(|step| Some((step.name.as_deref()?, true)));
    let mut called: Vec<(&str, bool)> = names.collect();
    if called.is_empty() {
        return None;
    }
    called.extend(moves.iter().map(|step| (step.to.as_str(), false)));
    called.sort_unstable();
    called.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[1].1).map(|pair| pair[1].0)
}
