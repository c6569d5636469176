//! A random arena as a game whose positions have names.

use richman_core::{Arena, ByPlayer, Effort, Game, Graph, GraphMove, GraphPosition, Node, Unfolding, unfold};

/// The positions are named by their numbers.
pub fn unfolded(arena: &Arena) -> impl Unfolding + use<> {
    let names =
        |node, player| arena.moves(node, player).iter().map(|to| GraphMove::from((to.to_string(), ()))).collect();
    let position = |node: Node| GraphPosition {
        name: node.to_string(),
        data: arena.data(node),
        moves: ByPlayer::from_fn(|player| names(node, player)),
    };
    let positions: Vec<GraphPosition> = arena.nodes().map(position).collect();
    let graph = Graph::new("random", &arena.start().to_string(), &positions).unwrap();
    let start = graph.start();
    unfold(graph, start, &Effort::default()).unwrap()
}
