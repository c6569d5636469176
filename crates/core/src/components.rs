//! Strongly connected components of an arena, in the order of evaluation.

use crate::Node;

/// The strongly connected components. Every move leads to the same or a lower number.
///
/// Found by Tarjan's algorithm with an explicit stack, because paths of a million positions would
/// overflow the stack of a recursive version. If all moves lead to higher numbers, as in boards
/// unfolded layer by layer, one pass suffices.
#[derive(Debug, Clone)]
pub struct Components {
    order: Vec<Node>,
    of: Vec<u32>,
    /// Component c is `order[starts[c]..starts[c + 1]]`. Empty if nothing is cyclic, as each
    /// component is then one node.
    starts: Vec<u32>,
    /// Empty if nothing is cyclic.
    cyclic: Vec<bool>,
}

impl Components {
    /// The most bytes per position.
    pub(crate) const BYTES: usize = 3 * size_of::<u32>() + size_of::<bool>();

    /// Bytes per position if nothing is cyclic.
    pub(crate) const BYTES_WITHOUT_CYCLES: usize = 2 * size_of::<u32>();

    /// Temporary bytes per position during the search.
    pub(crate) const BYTES_TO_FIND: u64 = 20;

    /// The components of the graph with nodes `0..count` and moves `successors(node)`. `ask` counts
    /// steps.
    ///
    /// # Errors
    /// The errors of `ask`, which stop the search.
    pub fn of<'a, E>(
        count: usize,
        successors: impl Fn(Node) -> &'a [Node],
        ask: impl Fn(usize) -> Result<(), E>,
    ) -> Result<Components, E> {
        let nodes = || 0..count as Node;
        if nodes().all(|node| successors(node).iter().all(|&to| to > node)) {
            return Ok(Components {
                order: nodes().rev().collect(),
                of: nodes().rev().collect(),
                starts: Vec::new(),
                cyclic: Vec::new(),
            });
        }
        tarjan(count, successors, ask)
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        if self.any_cyclic() { self.cyclic.len() } else { self.order.len() }
    }

    /// Whether there are no components.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The nodes of component `index`.
    pub fn nodes(&self, index: usize) -> &[Node] {
        let (start, end) = match self.starts.get(index..index + 2) {
            Some(ends) => (ends[0] as usize, ends[1] as usize),
            None => (index, index + 1),
        };
        &self.order[start..end]
    }

    /// The component of a node.
    pub fn component(&self, node: Node) -> u32 {
        self.of[node as usize]
    }

    /// Whether play can return to a position of component `index`.
    pub fn is_cyclic(&self, index: usize) -> bool {
        self.cyclic.get(index).copied().unwrap_or(false)
    }

    /// Whether any component is cyclic.
    pub fn any_cyclic(&self) -> bool {
        !self.cyclic.is_empty()
    }

    /// All nodes. Successors come before predecessors unless both are on one cycle.
    pub fn order(&self) -> &[Node] {
        &self.order
    }
}

fn tarjan<'a, E>(
    count: usize,
    successors: impl Fn(Node) -> &'a [Node],
    ask: impl Fn(usize) -> Result<(), E>,
) -> Result<Components, E> {
    const UNSEEN: u32 = u32::MAX;
    let mut found = vec![UNSEEN; count]; // order of discovery
    let mut low = vec![0u32; count];
    let mut of = vec![UNSEEN; count];
    let mut order = Vec::with_capacity(count);
    let mut starts = vec![0u32];
    let mut cyclic = Vec::new();
    let mut open: Vec<Node> = Vec::new(); // discovered, component not yet known
    let mut calls: Vec<(Node, u32)> = Vec::new(); // node, and its next successor
    let mut discovered = 0u32;
    for root in 0..count as Node {
        if found[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (node, ref mut next)) = calls.last_mut() {
            let v = node as usize;
            ask(1)?;
            if *next == 0 {
                found[v] = discovered;
                low[v] = discovered;
                discovered += 1;
                open.push(node);
            }
            if let Some(&to) = successors(node).get(*next as usize) {
                *next += 1;
                let w = to as usize;
                if found[w] == UNSEEN {
                    calls.push((to, 0));
                } else if of[w] == UNSEEN {
                    low[v] = low[v].min(found[w]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
            if low[v] == found[v] {
                let component = cyclic.len() as u32;
                let first = order.len();
                while let Some(member) = open.pop() {
                    of[member as usize] = component;
                    order.push(member);
                    if member == node {
                        break;
                    }
                }
                starts.push(order.len() as u32);
                cyclic.push(order.len() - first > 1 || successors(node).contains(&node));
            }
        }
    }
    if !cyclic.contains(&true) {
        (starts, cyclic) = (Vec::new(), Vec::new());
    }
    Ok(Components { order, of, starts, cyclic })
}

#[cfg(test)]
mod tests {
    use crate::{ArenaBuilder, Player, Terminal};

    #[test]
    fn components_come_in_the_order_of_values() {
        // 0 <-> 1 -> 2 -> 3 (end), 2 -> 2
        let mut builder = ArenaBuilder::new();
        builder.position(&[1], &[1]);
        builder.position(&[0, 2], &[0]);
        builder.position(&[2, 3], &[3]);
        builder.terminal(Terminal::Win(Player::Alice));
        let arena = builder.build(0).unwrap();
        let components = arena.components();
        assert_eq!(components.len(), 3);
        assert_eq!(components.component(0), components.component(1));
        for node in arena.nodes() {
            for &to in arena.successors(node) {
                assert!(components.component(to) <= components.component(node));
            }
        }
        let cyclic: Vec<bool> = (0..3).map(|c| components.is_cyclic(c)).collect();
        assert_eq!(cyclic, [false, true, true]);
        assert!(!arena.is_acyclic());
    }

    #[test]
    fn a_path_of_a_million_positions_needs_no_stack() {
        let mut builder = ArenaBuilder::new();
        builder.terminal(Terminal::Draw);
        for node in 0..1_000_000 {
            builder.position(&[node], &[node]);
        }
        let arena = builder.build(1_000_000).unwrap();
        assert!(arena.is_acyclic());
        assert_eq!(arena.components().order()[0], 0);
    }
}
