//! Graphs from lists of edges.

use rustc_hash::FxHashMap;

use crate::{ByPlayer, Graph, GraphError, GraphMove, GraphPosition, NodeData, Player, PositionKind, Terminal};

/// A move in a list of edges: from one position to another, of both players or of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphEdge<'a> {
    /// Where it starts.
    pub from: &'a str,
    /// Where it leads.
    pub to: &'a str,
    /// The player whose move it is; `None` for both.
    pub player: Option<Player>,
}

/// A move of both players.
impl<'a> From<(&'a str, &'a str)> for GraphEdge<'a> {
    fn from((from, to): (&'a str, &'a str)) -> GraphEdge<'a> {
        GraphEdge { from, to, player: None }
    }
}

/// A move of one player.
impl<'a> From<(&'a str, &'a str, Player)> for GraphEdge<'a> {
    fn from((from, to, player): (&'a str, &'a str, Player)) -> GraphEdge<'a> {
        GraphEdge { from, to, player: Some(player) }
    }
}

impl Graph {
    /// The game of a list of edges and the positions that end it, each with its winner or a
    /// [`Terminal`].
    ///
    /// ```
    /// use richman_core::Player::{Alice, Bob};
    /// use richman_core::{Game, Graph};
    ///
    /// let walk = Graph::from_edges("walk", "1", [("1", "0"), ("1", "2")], [("0", Bob), ("2", Alice)])?;
    /// assert_eq!(walk.len(), 3);
    /// let own = Graph::from_edges("own", "a", [("a", "b", Alice), ("a", "c", Bob)], [("b", Alice), ("c", Bob)])?;
    /// assert_eq!(own.name_of(own.start()), "a");
    /// # Ok::<(), richman_core::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// A [`GraphError`] for the first invalid position: one that ends the game twice or has moves
    /// too, or a position without a move of each player.
    pub fn from_edges<'a>(
        name: &str,
        start: &str,
        edges: impl IntoIterator<Item: Into<GraphEdge<'a>>>,
        ends: impl IntoIterator<Item = (&'a str, impl Into<Terminal>)>,
    ) -> Result<Graph, GraphError> {
        let mut positions = NamedPositions::default();
        for edge in edges {
            let GraphEdge { from, to, player } = edge.into();
            positions.at(to);
            let moves = &mut positions.at(from).moves;
            for mover in Player::BOTH.into_iter().filter(|mover| player.is_none_or(|player| player == *mover)) {
                moves[mover].push(GraphMove { to: to.to_string(), label: (), name: None });
            }
        }
        for (name, end) in ends {
            let position = positions.at(name);
            if position.data.end().is_some() {
                return Err(GraphError::Duplicate(name.to_string()));
            }
            position.data = NodeData::End(end.into());
        }
        Graph::new(name, start, &positions.listed)
    }
}

/// Positions in the order of their first names.
#[derive(Default)]
struct NamedPositions<'a> {
    listed: Vec<GraphPosition>,
    numbers: FxHashMap<&'a str, usize>,
}

impl<'a> NamedPositions<'a> {
    fn at(&mut self, name: &'a str) -> &mut GraphPosition {
        let number = *self.numbers.entry(name).or_insert_with(|| {
            let moves = ByPlayer::new(Vec::new(), Vec::new());
            self.listed.push(GraphPosition { name: name.to_string(), data: NodeData::On(PositionKind::Bid), moves });
            self.listed.len() - 1
        });
        &mut self.listed[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{Alice, Bob};

    #[test]
    fn a_list_of_edges_is_a_game_or_names_what_is_wrong() {
        let ends = [("b", Terminal::Win(Alice)), ("c", Terminal::Draw)];
        assert!(Graph::from_edges("g", "a", [("a", "b"), ("a", "c"), ("a", "a")], ends).is_ok());
        let twice = Graph::from_edges("g", "a", [("a", "b")], [("b", Alice), ("b", Bob)]);
        assert_eq!(twice.unwrap_err(), GraphError::Duplicate("b".to_string()));
        assert!(Graph::from_edges("g", "a", [("a", "b"), ("b", "a")], [("b", Alice)]).is_err());
        assert!(Graph::from_edges("g", "a", [("a", "b", Alice)], [("b", Alice)]).is_err());
        assert!(Graph::from_edges("g", "z", [("a", "b")], [("b", Alice)]).is_err());
        assert!(Graph::from_edges("g", "a", [("a", "b"), ("b", "c")], [("d", Alice)]).is_err());
    }
}
