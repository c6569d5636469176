//! Wedge sums: expressions for the positions of a tree that hold for every total of chips.

use std::cmp::Ordering;
use std::collections::HashMap;

use richman_core::{ByPlayer, Components, Error as CoreError, Node, Player, Rule};
use richman_solvers::rules;
use schemars::JsonSchema;
use serde::Serialize;

use super::{TreeEdge, TreeGoal, TreeNode};
use crate::Request;
use crate::class::power_name;

/// A position for all totals, by the tree's moves: whoever moves in `G & H` moves to G or to H.
/// Where one player moves without a bid, the position is the one after that move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Wedge {
    /// The expression: A and B for won positions, powers for positions that equal one, and labels
    /// where the tree is cut, play can come back, `for_all_totals` is false, or the expression
    /// would be too long.
    pub sum: String,
    /// The labels of the positions after the two moves, `2a & 2b`, with A and B for won positions;
    /// one label where one player moves; null if the tree is cut.
    pub terms: Option<String>,
    /// Whether the tree's moves give the position's threshold for every total.
    pub for_all_totals: bool,
    /// The first total for which they do not.
    pub fails_at: Option<u32>,
}

/// The threshold of every position for all totals.
pub struct WedgeRules {
    /// The rules that occur, each once.
    rules: Vec<Rule>,
    /// The number of each position's rule.
    of: Vec<u32>,
}

impl WedgeRules {
    pub fn prove(request: &Request, goal: TreeGoal) -> Result<WedgeRules, CoreError> {
        let side = rules::side(request.unfolding.arena(), request.mechanism, goal.forcing(), &request.effort)?;
        let rules = match goal {
            TreeGoal::Win => side.rules,
            TreeGoal::Draw => side.rules.iter().map(Rule::opposite).collect(),
        };
        Ok(WedgeRules { rules, of: side.of })
    }

    pub fn rule(&self, node: Node) -> &Rule {
        &self.rules[self.of[node as usize] as usize]
    }

    /// Whether one player wins a position for every total.
    pub fn is_won(&self, node: Node) -> bool {
        let rule = self.rule(node);
        *rule == Rule::nothing() || *rule == Rule::unreachable()
    }

    /// The numbers of the rules of `targets`, each once.
    pub fn numbers(&self, targets: impl Iterator<Item = Node>) -> Vec<u32> {
        let mut numbers: Vec<u32> = targets.map(|node| self.of[node as usize]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Whether `to` is the best for `player` at every total, of positions with the rules `rivals`;
    /// `None` if unknown.
    pub fn is_best(&self, player: Player, to: Node, rivals: &[u32]) -> Option<bool> {
        let own = self.of[to as usize];
        for &id in rivals.iter().filter(|&&id| id != own) {
            let difference = self.rules[own as usize].difference(&self.rules[id as usize]).ok()?;
            let worse = if player == Player::Alice { difference.above } else { difference.below };
            if worse.is_some() {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether `to` is the best for `player` in real money, of positions with the rules `rivals`.
    /// Chip thresholds rise with the total at the rate of the real-money threshold.
    pub fn is_stable(&self, player: Player, to: Node, rivals: &[u32]) -> bool {
        let better = if player == Player::Alice { Ordering::Less } else { Ordering::Greater };
        rivals.iter().all(|&id| self.rules[id as usize].compare_slopes(self.rule(to)) != better)
    }
}

/// Wedge sums of the positions of a tree.
pub struct Sums<'a> {
    components: &'a Components,
    rules: &'a WedgeRules,
    nodes: &'a [TreeNode],
    /// The first shown moves of each position.
    moves: Vec<ByPlayer<Option<&'a TreeEdge>>>,
    names: HashMap<u32, Option<String>>,
    wedges: Vec<Option<Wedge>>,
}

impl<'a> Sums<'a> {
    /// The longest sum written out, in bytes.
    const LONGEST: usize = 4000;

    pub fn new(
        components: &'a Components,
        rules: &'a WedgeRules,
        nodes: &'a [TreeNode],
        edges: &'a [TreeEdge],
    ) -> Sums<'a> {
        let mut moves = vec![ByPlayer::both(None); nodes.len()];
        for edge in edges {
            moves[edge.from.index][edge.player].get_or_insert(edge);
        }
        Sums { components, rules, nodes, moves, names: HashMap::new(), wedges: vec![None; nodes.len()] }
    }

    pub fn all(mut self) -> Vec<Option<Wedge>> {
        // Moves of an acyclic position lead to components that come before its own.
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&index| self.components.component(self.nodes[index].node));
        for index in order {
            self.wedges[index] = self.wedge(index);
        }
        self.wedges
    }

    fn wedge(&mut self, index: usize) -> Option<Wedge> {
        let node = &self.nodes[index];
        if self.rules.is_won(node.node) {
            return None;
        }
        let rules = self.rules;
        let name = self.names.entry(rules.of[node.node as usize]).or_insert_with(|| power_name(rules.rule(node.node)));
        let name = name.clone();
        let moves: Vec<&TreeEdge> = self.moves[index].iter().copied().flatten().collect();
        let found = match moves[..] {
            [] => return Some(Wedge { sum: name?, terms: None, for_all_totals: true, fails_at: None }),
            [alice, bob] => rules::wedge(rules.rule(alice.node), rules.rule(bob.node)).ok()?,
            _ => rules.rule(moves[0].node).clone(),
        };
        let difference = found.difference(rules.rule(node.node)).ok()?;
        let fails_at = difference.below.into_iter().chain(difference.above).min();
        let terms: Vec<String> = moves.iter().map(|edge| self.label(edge)).collect();
        let terms = terms.join(" & ");
        let component = self.components.component(node.node) as usize;
        let composed = || {
            if fails_at.is_some() || self.components.is_cyclic(component) {
                return None;
            }
            let sum = match moves[..] {
                [only] => self.term(only, false),
                _ => moves.iter().map(|edge| self.term(edge, true)).collect::<Vec<_>>().join(" & "),
            };
            (sum.len() <= Sums::LONGEST).then_some(sum)
        };
        let sum = name.or_else(composed).unwrap_or_else(|| terms.clone());
        Some(Wedge { sum, terms: Some(terms), for_all_totals: fails_at.is_none(), fails_at })
    }

    fn label(&self, edge: &TreeEdge) -> String {
        match &edge.to {
            Some(to) if !self.rules.is_won(edge.node) => to.label.clone(),
            // A or B: only such positions are hidden.
            _ => power_name(self.rules.rule(edge.node)).unwrap_or_default(),
        }
    }

    /// The position after a move: its label or its sum, in parentheses if the sum is a wedge and
    /// the position is `a_side` of another one.
    fn term(&self, edge: &TreeEdge, a_side: bool) -> String {
        let written_out = |index: usize| {
            let wedge = self.wedges[index].as_ref()?;
            let by_labels = Some(&wedge.sum) == wedge.terms.as_ref() && !only_won(&wedge.sum);
            (!by_labels).then_some(&wedge.sum)
        };
        match edge.to.as_ref().and_then(|to| written_out(to.index)) {
            Some(sum) if a_side && sum.contains(' ') => format!("({sum})"),
            Some(sum) => sum.clone(),
            None => self.label(edge),
        }
    }
}

fn only_won(sum: &str) -> bool {
    sum.split(" & ").all(|side| side == "A" || side == "B")
}
