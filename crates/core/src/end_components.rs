//! End components: where one player can keep play forever against a strategy of the other.

use crate::{Components, Error, Groups, Node, NodeData, PacedWatch, ParityArena, Player, Priority, Watch};

/// A maximal set of positions in which, against one strategy of a player, the other player can keep
/// play forever and visit every position infinitely often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndComponent {
    /// The positions.
    pub nodes: Vec<Node>,
    /// The winner if the other player stays here, or in the best part of it.
    pub winner: Player,
}

/// All maximal end components under a strategy of `player`, given as one move for each position;
/// entries where the player does not move are ignored.
///
/// A set of positions is an *end component* if the player's move stays in it wherever the player
/// moves, some move of the other player stays in it wherever that player moves, and these moves
/// connect all of its positions. If a coin decides who moves, the other player can then visit each
/// of its positions infinitely often, and every infinite play stays in an end component from some
/// move on.
///
/// Time: a pass over the moves for each time that a component splits, usually a few.
///
/// # Errors
/// [`Error::Cancelled`] if the watch says stop.
pub fn end_components(
    arena: &ParityArena,
    player: Player,
    strategy: &[Node],
    watch: &dyn Watch,
) -> Result<Vec<EndComponent>, Error> {
    let mut search =
        EndSearch { arena, player, strategy, index: vec![OUTSIDE; arena.len()], pace: PacedWatch::new(watch) };
    let all = arena.nodes().filter(|&node| arena.terminal(node).is_none()).collect();
    let mut found = Vec::new();
    for nodes in search.largest(all)? {
        let winner = search.winner(nodes.clone())?;
        found.push(EndComponent { nodes, winner });
    }
    Ok(found)
}

/// The index of a position outside the part being searched.
const OUTSIDE: u32 = u32::MAX;

struct EndSearch<'a> {
    arena: &'a ParityArena,
    player: Player,
    strategy: &'a [Node],
    /// The index of each position in the part being searched.
    index: Vec<u32>,
    pace: PacedWatch<'a>,
}

impl EndSearch<'_> {
    fn priority(&self, node: Node) -> Priority {
        match self.arena.data(node) {
            NodeData::On(label) => label.priority,
            NodeData::End(_) => Priority::default(),
        }
    }

    /// The player's move, and the other player's moves.
    fn steps(&self, node: Node) -> (Option<Node>, &[Node]) {
        let own = (!self.arena.moves(node, self.player).is_empty()).then(|| self.strategy[node as usize]);
        (own, self.arena.moves(node, self.player.other()))
    }

    fn at(&self, node: Node) -> Option<u32> {
        Some(self.index[node as usize]).filter(|&index| index != OUTSIDE)
    }

    /// The indices before and after each move inside `nodes`: the player's if `own`, else the
    /// other's.
    fn inner_steps(&self, nodes: &[Node], own: bool) -> impl Iterator<Item = (usize, u32)> {
        let steps = move |node: Node| {
            let (step, others) = self.steps(node);
            let (step, others) = if own { (step, &[][..]) } else { (None, others) };
            step.into_iter().chain(others.iter().copied()).filter_map(|to| self.at(to))
        };
        nodes.iter().enumerate().flat_map(move |(at, &node)| steps(node).map(move |to| (at, to)))
    }

    /// The largest end components among `nodes`.
    fn largest(&mut self, nodes: Vec<Node>) -> Result<Vec<Vec<Node>>, Error> {
        let mut parts = vec![nodes];
        let mut found = Vec::new();
        while let Some(part) = parts.pop() {
            let kept = self.closed(part)?;
            if kept.is_empty() {
                continue;
            }
            self.mark(&kept);
            let listed = || [true, false].into_iter().flat_map(|own| self.inner_steps(&kept, own));
            let moves = Groups::paced(kept.len(), 0, listed, || self.pace.step())?;
            let components = Components::of(kept.len(), |at| moves.get(at as usize), |steps| self.pace.steps(steps))?;
            let nodes = |index| components.nodes(index).iter().map(|&at| kept[at as usize]).collect::<Vec<Node>>();
            let cyclic = (0..components.len()).filter(|&index| components.is_cyclic(index));
            // A closed and connected part is an end component.
            let list = if components.len() == 1 { &mut found } else { &mut parts };
            list.extend(cyclic.map(nodes));
            self.unmark(&kept);
        }
        Ok(found)
    }

    /// The largest part of `nodes` in which the player stays and the other player can stay.
    fn closed(&mut self, nodes: Vec<Node>) -> Result<Vec<Node>, Error> {
        self.mark(&nodes);
        let inside = |to: &Node| self.at(*to).is_some();
        let mut removed = Vec::new();
        // The number of the other player's moves that stay; 0 where the player leaves.
        let mut staying = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let (own, others) = self.steps(node);
            self.pace.steps(1 + others.len())?;
            let others_stay = others.iter().filter(|to| inside(to)).count();
            let stays = own.is_none_or(|own| inside(&own)) && (others.is_empty() || others_stay > 0);
            staying.push(if stays { others_stay } else { 0 });
            if !stays {
                removed.push(node);
            }
        }
        if removed.is_empty() {
            self.unmark(&nodes);
            return Ok(nodes);
        }
        // Predecessors of each index by moves of the player, or of the other.
        let before = |own: bool| {
            let back = || self.inner_steps(&nodes, own).map(|(from, to)| (to as usize, from as Node));
            Groups::paced(nodes.len(), 0, back, || self.pace.step())
        };
        let (before_own, before_others) = (before(true)?, before(false)?);
        let mut gone = vec![false; nodes.len()];
        for &node in &removed {
            gone[self.index[node as usize] as usize] = true;
        }
        while let Some(node) = removed.pop() {
            let at = self.index[node as usize] as usize;
            self.pace.steps(1 + before_own.get(at).len() + before_others.get(at).len())?;
            for (list, is_own) in [(before_own.get(at), true), (before_others.get(at), false)] {
                for &from in list {
                    let from = from as usize;
                    staying[from] = staying[from].saturating_sub(usize::from(!is_own));
                    if (is_own || staying[from] == 0) && !std::mem::replace(&mut gone[from], true) {
                        removed.push(nodes[from]);
                    }
                }
            }
        }
        self.unmark(&nodes);
        Ok(nodes.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(node, _)| node).collect())
    }

    /// The winner of an end component. The other player wins all of it if one part has their
    /// priority, because they can reach that part from every position.
    fn winner(&mut self, nodes: Vec<Node>) -> Result<Player, Error> {
        let mut open = vec![nodes];
        while let Some(nodes) = open.pop() {
            let greatest = |winner: Option<Player>| {
                let priorities = nodes.iter().map(|&node| self.priority(node));
                priorities.filter(|priority| winner.is_none_or(|winner| priority.winner() == winner)).max()
            };
            let Some(theirs) = greatest(Some(self.player.other())) else { continue };
            if greatest(None) == Some(theirs) {
                return Ok(self.player.other());
            }
            let low = nodes.iter().copied().filter(|&node| self.priority(node) <= theirs).collect();
            open.extend(self.largest(low)?);
        }
        Ok(self.player)
    }

    fn mark(&mut self, nodes: &[Node]) {
        for (at, &node) in (0..).zip(nodes) {
            self.index[node as usize] = at;
        }
    }

    fn unmark(&mut self, nodes: &[Node]) {
        for &node in nodes {
            self.index[node as usize] = OUTSIDE;
        }
    }
}
