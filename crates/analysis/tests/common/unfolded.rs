//! A random arena as a game whose positions have names.

use richman_core::{Arena, Effort, Graph, GraphPosition, Player, Unfolding, unfold};

/// The positions are named by their numbers.
pub fn unfolded(arena: &Arena) -> impl Unfolding + use<> {
    let positions = arena.nodes().map(|node| {
        let names = |player| arena.moves(node, player).iter().map(ToString::to_string).collect();
        GraphPosition {
            name: node.to_string(),
            terminal: arena.terminal(node),
            alice: names(Player::Alice),
            bob: names(Player::Bob),
        }
    });
    let graph = Graph::new("random", &arena.start().to_string(), positions.collect()).unwrap();
    unfold(graph.clone(), richman_core::Game::start(&graph), &Effort::default()).unwrap()
}
