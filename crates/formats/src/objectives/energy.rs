//! The objective `energy`: a game with weights becomes a game to win, whose positions have a
//! credit.

use richman_core::{
    BuiltMove, ByPlayer, Effort, Game, Graph, GraphBuilder, MeanPayoffGraph, MoveName, NodeData, Player, Terminal,
};

use super::StatedObjective;
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::moves::distinct;
use crate::names::LONGEST_DESCRIPTION;
use crate::reading::Reading;

/// Bob's win: the credit fell below 0. Other positions are named `left:3`.
const SPENT: &str = "spent";

/// The game of objective `objective` over a graph: with a credit, or the graph itself.
///
/// # Errors
/// [`FormatError::Stopped`] above a limit of `reading` or if its watch says stop.
pub(crate) fn with_objective(
    graph: AnyGraph,
    objective: Option<StatedObjective>,
    file: &str,
    reading: &Reading,
) -> Result<AnyGraph, FormatError> {
    match (graph, objective) {
        (AnyGraph::MeanPayoff(graph), Some(StatedObjective::Energy(capacity))) => {
            with_credit(&graph, capacity, file, reading).map(AnyGraph::Win)
        }
        (graph, _) => Ok(graph),
    }
}

/// The game in which the weight of every move is added to a credit, capped at `capacity`. Bob wins
/// when it falls below 0. It starts at the capacity.
///
/// Every position occurs with every credit, so time and memory are those of the graph times
/// `capacity` + 1.
///
/// # Errors
/// [`FormatError::Stopped`] above the memory limit of `reading` or if its watch says stop.
fn with_credit(graph: &MeanPayoffGraph, capacity: u32, file: &str, reading: &Reading) -> Result<Graph, FormatError> {
    /// Bytes of a position without its name, and of a move.
    const PER_POSITION: u64 = 48;
    const PER_MOVE: u64 = 4;
    /// Credits between two checks of the limits.
    const BETWEEN_CHECKS: u32 = 1 << 12;
    let effort = Effort { held: reading.effort.held + graph.bytes(), ..reading.effort };
    let reading = &Reading { effort, ..*reading };
    let what = "the game with every credit";
    let moves = |position| ByPlayer::from_fn(|player| graph.numbered_moves(position, player));
    let count =
        |position| PER_POSITION + PER_MOVE * moves(position).into_iter().map(|moves| moves.len() as u64).sum::<u64>();
    let levels = u64::from(capacity) + 1;
    let all = (0..graph.len()).map(count).fold(0, u64::saturating_add).saturating_mul(levels);
    reading.check_memory(file, what, all)?;
    reading.check_positions(file, u64::from(graph.len()) * levels + 1)?;
    let pause = |credit: u32, builder: &GraphBuilder| {
        if !credit.is_multiple_of(BETWEEN_CHECKS) {
            return Ok(());
        }
        reading.check_time(file)?;
        reading.check_memory(file, what, builder.bytes())
    };
    let mut builder = GraphBuilder::default();
    for position in 0..graph.len() {
        let name = graph.name_of(position);
        for credit in 0..=capacity {
            pause(credit, &builder)?;
            builder.name(&format!("{name}:{credit}"));
        }
    }
    let spent = builder.name(SPENT);
    let own_names: Vec<MoveName> = graph.own_names().map(|name| builder.move_name(&name)).collect();
    let at = |position: u32, credit: u32| position * levels as u32 + credit;
    let mut after: ByPlayer<Vec<BuiltMove>> = ByPlayer::default();
    for position in 0..graph.len() {
        let NodeData::On(kind) = graph.data(position);
        for credit in 0..=capacity {
            pause(credit, &builder)?;
            for player in Player::BOTH {
                after[player].clear();
                after[player].extend(graph.numbered_moves(position, player).map(|step| {
                    let left = u32::try_from(i64::from(credit) + step.label).ok();
                    let to = left.map_or(spent, |left| at(step.to, left.min(capacity)));
                    BuiltMove { to, name: step.name.map(|name| own_names[name.index() as usize]), label: () }
                }));
                distinct(&mut after[player]);
            }
            let moves = after.as_ref().map(|moves| moves.iter().copied());
            builder.position(at(position, credit), NodeData::On(kind), moves);
        }
    }
    builder.position(spent, NodeData::End(Terminal::Win(Player::Bob)), ByPlayer::both([]));
    let start = format!("{}:{capacity}", graph.notation(&graph.start()));
    let made = builder.build(&graph.name(), &start).map_err(FormatError::not_a_game(file))?;
    let rule = format!(
        "every move adds its weight to a credit, which begins with {capacity}; what is more than that is lost, and \
         Bob wins when it falls below 0."
    );
    let described = graph.description().map(|text| format!("{text} {rule}"));
    let described = described.filter(|text| text.chars().count() <= LONGEST_DESCRIPTION);
    Ok(made.described(Some(described.unwrap_or(rule))))
}
