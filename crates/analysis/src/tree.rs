//! Trees of optimal moves: at every position one best move of each player, with thresholds and
//! wedge sums.
//!
//! Alice's best move leads to the least threshold, Bob's to the greatest, for real money or for a
//! total of chips, and for the win or the draw threshold. With chips a move is as good as the best
//! if, after rounding, it gives the position the same threshold. A draw counts as a win of Bob for
//! the win threshold and of Alice for the draw threshold, so that somebody wins every position.
//! Among equally good moves, one that is best for every total of chips comes first, then one that
//! is best for real money, then the first move; if nothing is proved for all totals, the first move
//! is taken. On a cycle, the player who must make progress keeps to moves that do. Where one player
//! moves without a bid, only that player's moves are shown.
//!
//! **Source.** [DP10, figures 1 and 2]; [G12, figures 2 to 9].

use std::collections::{HashMap, HashSet};

use richman_core::{Effort, Error as CoreError, Move, Node, Player, Step, Total, Winnable};
use richman_solvers::chips;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::json::PlayerWord;
use crate::money::BestMoves;
use crate::{BoundsJson, Error, HoldingJson, ReportHead, Request, shares};

mod values;
mod wedge;

use values::PositionRank;
pub(crate) use values::{Progress, TreeValues, Worths};
pub use wedge::Wedge;

/// The most positions of a tree.
pub const MOST_POSITIONS: usize = 2000;

/// The threshold by which moves are best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TreeGoal {
    /// The win threshold: a draw counts as a win of Bob.
    #[default]
    Win,
    /// The draw threshold: a draw counts as a win of Alice.
    Draw,
}

impl TreeGoal {
    /// The player who must reach the goal; the other only prevents it.
    pub fn forcing(self) -> Player {
        match self {
            TreeGoal::Win => Player::Alice,
            TreeGoal::Draw => Player::Bob,
        }
    }
}

/// The content of a tree. By default: the win threshold for real money, one move each, no positions
/// won at once, down to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TreeOptions {
    /// The threshold by which moves are best.
    pub goal: TreeGoal,
    /// The total of chips; `None` for real money.
    pub chips: Option<Total>,
    /// Whether to show all equally good moves.
    pub all: bool,
    /// Whether to show positions that are won at once.
    pub full: bool,
    /// Whether to stop at positions that equal A^n, B^n or E.
    pub short: bool,
    /// The number of moves after which the tree is cut.
    pub depth: Option<u32>,
}

/// A threshold of Alice's: a share or a holding.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum TreeThreshold {
    /// For real money.
    Share(BoundsJson),
    /// For a total of chips; total + 1 if no holding suffices.
    Chips(HoldingJson),
}

impl std::fmt::Display for TreeThreshold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TreeThreshold::Share(share) => share.0.fmt(f),
            TreeThreshold::Chips(holding) => holding.0.fmt(f),
        }
    }
}

fn win<S: Serializer>(worth: &Option<TreeThreshold>, serializer: S) -> Result<S::Ok, S::Error> {
    shares::maybe("win", TreeThreshold::share(worth), serializer)
}

fn draw<S: Serializer>(worth: &Option<TreeThreshold>, serializer: S) -> Result<S::Ok, S::Error> {
    shares::maybe("draw", TreeThreshold::share(worth), serializer)
}

impl TreeThreshold {
    /// The share, or else the holding, if any.
    fn share(worth: &Option<TreeThreshold>) -> Result<&BoundsJson, Option<&HoldingJson>> {
        match worth {
            Some(TreeThreshold::Share(share)) => Ok(share),
            Some(TreeThreshold::Chips(holding)) => Err(Some(holding)),
            None => Err(None),
        }
    }
}

/// A position of the tree; in JSON its label.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String")]
pub struct PositionLabel {
    /// Its number in [`TreeReport::nodes`].
    pub index: usize,
    /// Its label.
    pub label: String,
}

impl Serialize for PositionLabel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.label)
    }
}

/// A position of the tree.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = shares::described)]
pub struct TreeNode {
    /// `start`, or the row and a letter from the left: `2a`.
    pub label: String,
    /// The least number of tree moves that lead here.
    pub row: u32,
    /// The position in the game's notation, as the moves of the tree leave it.
    pub position: String,
    /// The win threshold, if that is the goal.
    #[serde(flatten, serialize_with = "win", skip_serializing_if = "Option::is_none")]
    #[schemars(!flatten, with = "TreeThreshold")]
    pub win: Option<TreeThreshold>,
    /// The draw threshold, if that is the goal.
    #[serde(flatten, serialize_with = "draw", skip_serializing_if = "Option::is_none")]
    #[schemars(!flatten, with = "TreeThreshold")]
    pub draw: Option<TreeThreshold>,
    /// The winner if it is certain, with real money if both players have some; a draw counts as the
    /// goal says.
    #[schemars(with = "Option<PlayerWord>")]
    pub winner: Option<&'static str>,
    /// Whether the winner needs some money: play has not ended, and can come back.
    #[serde(skip)]
    pub needs_money: bool,
    /// The wedge sum for all totals; null if the position is won for all totals, or nothing is
    /// proved.
    pub wedge: Option<Wedge>,
    /// Whether the winner of the bid should let the other player move.
    pub zugzwang: bool,
    /// Whether the tree leaves out moves from here.
    pub cut: bool,
    /// The position's node in the arena.
    #[serde(skip)]
    pub node: Node,
}

impl TreeNode {
    /// The threshold.
    pub fn worth(&self) -> &TreeThreshold {
        match (&self.win, &self.draw) {
            (Some(worth), _) | (None, Some(worth)) => worth,
            (None, None) => unreachable!("a position has a win or a draw threshold"),
        }
    }
}

/// A move of the tree.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TreeEdge {
    /// The position before the move.
    pub from: PositionLabel,
    /// The player who makes it.
    #[serde(serialize_with = "crate::json::player")]
    #[schemars(with = "PlayerWord")]
    pub player: Player,
    /// The position it leads to; null if the move wins at once and such positions are hidden.
    pub to: Option<PositionLabel>,
    /// The game's name of the move.
    #[serde(rename = "move")]
    pub name: String,
    /// The position after the move; the tree may show it in another symmetric shape.
    pub position: String,
    /// Whether the move wins at once.
    pub wins: bool,
    /// The number of equally good moves to other positions.
    pub as_good: usize,
    /// Whether it is certainly best; bounds may not tell.
    pub decided: bool,
    /// Whether it is best for every total of chips; null if unknown.
    pub for_all_totals: Option<bool>,
    /// In a tree for chips, whether it is best for real money too; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stable: Option<bool>,
    /// The node of the position after it.
    #[serde(skip)]
    pub node: Node,
}

fn word(player: Player) -> &'static str {
    player.either("alice", "bob")
}

/// A tree of optimal moves.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TreeReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The threshold by which moves are best.
    pub goal: TreeGoal,
    /// The total of chips; null for real money.
    pub chips: Option<u32>,
    /// Whether all thresholds shown are exact.
    pub exact: bool,
    /// Whether there can be draws, which the goal counts for one of the players.
    #[serde(skip)]
    pub has_draws: bool,
    /// The reason why there are no wedge sums.
    pub unproved: Option<String>,
    /// The positions by rows, from the left.
    pub nodes: Vec<TreeNode>,
    /// The moves in the order of the positions they start from, Alice's first.
    pub edges: Vec<TreeEdge>,
}

impl TreeReport {
    /// The moves at a position.
    pub fn moves(&self, index: usize) -> &[TreeEdge] {
        let first = self.edges.partition_point(|edge| edge.from.index < index);
        let end = self.edges.partition_point(|edge| edge.from.index <= index);
        &self.edges[first..end]
    }

    /// Whether one player moves at a position without a bid, if the tree shows moves there.
    pub fn is_owned(&self, index: usize) -> bool {
        let moves = self.moves(index);
        moves.first().zip(moves.last()).is_some_and(|(first, last)| first.player == last.player)
    }
}

/// The tree of optimal moves from the start of the arena.
///
/// # Errors
/// [`Error::TreeTooLarge`] above [`MOST_POSITIONS`] positions; [`CoreError::Cancelled`]; those of
/// [`richman_solvers::money::solve`] or [`chips::solve`]; with chips [`CoreError::Unsupported`] if
/// the winner of a bid must move, because holdings then have no order. Unproved rules are no error:
/// [`TreeReport::unproved`] gives the reason.
pub fn report(request: &Request, choices: &TreeOptions) -> Result<TreeReport, Error> {
    // Half of the time is for the rules.
    let half = request.effort.time_left().map_or(request.effort, |left| request.effort.at_most(left / 2));
    let values = TreeValues::solve(&Request { effort: half, ..*request }, choices)?;
    let beside = Effort { held: request.effort.held.saturating_add(values.bytes()), ..request.effort };
    let rules = match wedge::WedgeRules::prove(&Request { effort: beside, ..*request }, choices.goal) {
        Err(CoreError::Cancelled) => return Err(CoreError::Cancelled.into()),
        rules => rules.map_err(|error| error.to_string()),
    };
    Ok(TreeReport { has_draws: true, ..grown(request, choices, values, rules)? })
}

/// The tree of a game that need not end.
pub(crate) fn of_endless<L: Winnable>(
    request: &Request<L>,
    choices: &TreeOptions,
    values: TreeValues,
) -> Result<TreeReport, Error> {
    grown(request, choices, values, Err("play need not end".to_string()))
}

/// The tree by these values; instead of rules for all totals, perhaps the reason for their absence.
fn grown<L: Winnable>(
    request: &Request<L>,
    choices: &TreeOptions,
    values: TreeValues,
    rules: Result<wedge::WedgeRules, String>,
) -> Result<TreeReport, Error> {
    let (rules, unproved) = match rules {
        Ok(rules) => (Some(rules), None),
        Err(reason) => (None, Some(reason)),
    };
    let (numbers, nodes, edges) = (HashMap::new(), Vec::new(), Vec::new());
    let mut builder = Builder { request, choices, values, rules, numbers, nodes, edges };
    builder.grow()?;
    builder.label();
    let Builder { nodes, edges, .. } = builder;
    Ok(TreeReport {
        head: request.head(),
        goal: choices.goal,
        chips: choices.chips.map(Total::chips),
        exact: nodes.iter().all(|node| match node.worth() {
            TreeThreshold::Share(share) => share.0.as_exact().is_some(),
            TreeThreshold::Chips(_) => true,
        }),
        has_draws: false,
        unproved,
        nodes,
        edges,
    })
}

struct Builder<'a, L: Winnable> {
    request: &'a Request<'a, L>,
    choices: &'a TreeOptions,
    values: TreeValues,
    rules: Option<wedge::WedgeRules>,
    numbers: HashMap<Node, usize>,
    nodes: Vec<TreeNode>,
    edges: Vec<TreeEdge>,
}

/// A best move, not yet in the tree.
struct BestMove<L: Winnable> {
    step: Step<L>,
    for_all_totals: Option<bool>,
    stable: Option<bool>,
}

impl<L: Winnable> Builder<'_, L> {
    /// Adds positions in the order of the number of moves that lead to them.
    fn grow(&mut self) -> Result<(), Error> {
        let start = self.request.unfolding.arena().start();
        self.add(start, 0, self.request.position())?;
        let mut next = 0;
        while next < self.nodes.len() {
            self.expand(next)?;
            next += 1;
        }
        for index in (0..self.nodes.len()).rev() {
            self.nodes[index].zugzwang = self.is_zugzwang(index);
        }
        Ok(())
    }

    fn add(&mut self, node: Node, row: u32, position: String) -> Result<usize, Error> {
        if let Some(&index) = self.numbers.get(&node) {
            return Ok(index);
        }
        let index = self.nodes.len();
        if index == MOST_POSITIONS {
            return Err(Error::TreeTooLarge { limit: MOST_POSITIONS });
        }
        let worth = self.values.worth(node);
        let (win, draw) = match self.choices.goal {
            TreeGoal::Win => (Some(worth), None),
            TreeGoal::Draw => (None, Some(worth)),
        };
        self.numbers.insert(node, index);
        self.nodes.push(TreeNode {
            label: String::new(),
            row,
            position,
            win,
            draw,
            winner: self.values.winner(node).map(word),
            needs_money: self.needs_money(node),
            wedge: None,
            zugzwang: false,
            cut: false,
            node,
        });
        Ok(index)
    }

    /// Whether who wins there needs some money: play has not ended, and can come back.
    fn needs_money(&self, node: Node) -> bool {
        let arena = self.request.unfolding.arena();
        self.choices.chips.is_none() && !arena.is_acyclic() && arena.terminal(node).is_none()
    }

    fn expand(&mut self, index: usize) -> Result<(), Error> {
        let (node, row) = (self.nodes[index].node, self.nodes[index].row);
        if self.nodes[index].winner.is_some() {
            return Ok(());
        }
        if self.values.stays(node) {
            self.nodes[index].cut = true;
            return Ok(());
        }
        let known = || self.rules.as_ref().is_some_and(|rules| crate::class::power_name(rules.rule(node)).is_some());
        if self.choices.depth.is_some_and(|depth| row >= depth) || (self.choices.short && index > 0 && known()) {
            self.nodes[index].cut = true;
            return Ok(());
        }
        for player in Player::BOTH {
            let best = self.best(index, player);
            // Nothing is best where the other player moves without a bid.
            let Some(as_good) = best.len().checked_sub(1) else { continue };
            let decided = self.is_decided(index, player);
            let shown = if self.choices.all { best.len() } else { 1 };
            for BestMove::<L> { step: Step { step: Move { name, to, .. }, notation }, for_all_totals, stable } in
                best.into_iter().take(shown)
            {
                let wins = self.values.winner(to) == Some(player) && !self.needs_money(to);
                // A position may be won for one total but not for others; wedge sums then need its
                // label.
                let for_all = self.rules.as_ref().is_none_or(|rules| rules.is_won(to));
                let label = match wins && for_all && !self.choices.full {
                    true => None,
                    false => {
                        Some(PositionLabel { index: self.add(to, row + 1, notation.clone())?, label: String::new() })
                    }
                };
                self.edges.push(TreeEdge {
                    from: PositionLabel { index, label: String::new() },
                    player,
                    to: label,
                    name,
                    position: notation,
                    wins,
                    as_good,
                    decided,
                    for_all_totals,
                    stable,
                    node: to,
                });
            }
        }
        Ok(())
    }

    /// A player's best moves, one for each next position; the first one is shown first.
    fn best(&self, index: usize, player: Player) -> Vec<BestMove<L>> {
        let node = self.nodes[index].node;
        let mut seen = HashSet::new();
        let mut moves: Vec<(Step<L>, PositionRank)> = Vec::new();
        for step in self.steps(index, player) {
            if seen.insert(step.step.to) {
                let grade = self.values.grade(player, step.step.to);
                moves.push((step, grade));
            }
        }
        let rules = self.rules.as_ref().map(|rules| (rules, rules.numbers(seen.into_iter())));
        // The best move for the player first.
        moves.sort_by(|(_, a), (_, b)| if player == Player::Alice { a.cmp(b) } else { b.cmp(a) });
        let as_good = |grade: &PositionRank| match (grade, moves.first()) {
            (PositionRank::HalfSteps(given), Some((_, PositionRank::HalfSteps(best)))) => {
                given == best || self.rounds_alike(node, player, *given)
            }
            (given, best) => best.is_some_and(|(_, best)| given == best),
        };
        let count = moves.iter().take_while(|(_, grade)| as_good(grade)).count();
        let mut best: Vec<Step<L>> = moves.into_iter().take(count).map(|(step, _)| step).collect();
        self.keep_progress(node, player, &mut best);
        let judged = |step: Step<L>| {
            let rules = rules.as_ref();
            let to = step.step.to;
            let chips = self.choices.chips.is_some();
            BestMove {
                for_all_totals: rules.and_then(|(rules, rivals)| rules.is_best(player, to, rivals)),
                stable: rules.filter(|_| chips).map(|(rules, rivals)| rules.is_stable(player, to, rivals)),
                step,
            }
        };
        let mut best: Vec<BestMove<L>> = best.into_iter().map(judged).collect();
        best.sort_by_key(|best| (best.for_all_totals != Some(true), best.stable != Some(true)));
        best
    }

    /// Whether the known values tell which of a player's moves is best.
    fn is_decided(&self, index: usize, player: Player) -> bool {
        let node = self.nodes[index].node;
        let known = self.request.unfolding.arena().moves(node, player).iter();
        let bounds = |&to: &Node| ("", to, self.values.grade(Player::Bob, to), self.values.grade(Player::Alice, to));
        let moves: Vec<_> = known.map(bounds).collect();
        let choice = if player == Player::Alice { BestMoves::least(&moves) } else { BestMoves::most(moves) };
        choice.undecided.is_none()
    }

    /// Whether a move of `player` at `node` to a position of grade `given` gives `node` the same
    /// threshold as a move to a better grade. If play can circle, only the best grade certainly
    /// makes progress.
    fn rounds_alike(&self, node: Node, player: Player, given: u32) -> bool {
        let arena = self.request.unfolding.arena();
        if arena.components().is_cyclic(arena.components().component(node) as usize) {
            return false;
        }
        let replies = arena.moves(node, player.other()).iter().map(|&to| self.values.grade(player.other(), to));
        let reply = if player == Player::Alice { replies.max() } else { replies.min() };
        match (reply, self.values.grade(player, node)) {
            (Some(PositionRank::HalfSteps(reply)), PositionRank::HalfSteps(own)) => {
                chips::local::chooses(given, reply) == own
            }
            _ => false,
        }
    }

    /// If play can circle, keeps only the moves that make progress towards the goal, unless none
    /// does.
    fn keep_progress(&self, node: Node, player: Player, best: &mut Vec<Step<L>>) {
        let components = self.request.unfolding.arena().components();
        let component = components.component(node);
        if !components.is_cyclic(component as usize) {
            return;
        }
        let leads_on = |to: Node| self.values.leads_on(player, node, to, components.component(to) != component);
        if best.iter().any(|step| leads_on(step.step.to)) {
            best.retain(|step| leads_on(step.step.to));
        }
    }

    /// A player's moves in the symmetric shape that the tree shows.
    fn steps(&self, index: usize, player: Player) -> Vec<Step<L>> {
        let TreeNode { node, position, .. } = &self.nodes[index];
        let unfolding = self.request.unfolding;
        // A shortened notation does not name the position.
        let named = unfolding.node(position).is_ok_and(|found| found == *node);
        if let (true, Ok(steps)) = (named, unfolding.steps(position, player)) {
            return steps;
        }
        let moves = unfolding.moves(*node, player).into_iter();
        moves.map(|step| Step { notation: unfolding.notation(step.to), step }).collect()
    }

    /// Whether Alice's best move is certainly worse for her than Bob's: by the lower bounds after
    /// hers and the upper bounds after his.
    fn is_zugzwang(&self, index: usize) -> bool {
        let node = self.nodes[index].node;
        let arena = self.request.unfolding.arena();
        let surely = |player: Player, to: Node| self.values.grade(player.other(), to);
        let grades = |player: Player| arena.moves(node, player).iter().map(move |&to| surely(player, to));
        let (alice, bob) = (grades(Player::Alice).min(), grades(Player::Bob).max());
        alice.zip(bob).is_some_and(|(alice, bob)| alice > bob)
    }

    /// Labels the positions by rows from the left, and makes the parts that need labels.
    fn label(&mut self) {
        let mut row = (0, 0);
        for node in &mut self.nodes {
            row = if node.row == row.0 { (row.0, row.1 + 1) } else { (node.row, 1) };
            node.label = match node.row {
                0 => "start".to_string(),
                _ => format!("{}{}", node.row, letters(row.1)),
            };
        }
        for edge in &mut self.edges {
            edge.from.label.clone_from(&self.nodes[edge.from.index].label);
            if let Some(to) = &mut edge.to {
                to.label.clone_from(&self.nodes[to.index].label);
            }
        }
        if let Some(rules) = &self.rules {
            let wedges =
                wedge::Sums::new(self.request.unfolding.arena().components(), rules, &self.nodes, &self.edges).all();
            for (node, wedge) in self.nodes.iter_mut().zip(wedges) {
                node.wedge = wedge;
            }
        }
    }
}

/// a, b, ..., z, aa, ab, ... for 1, 2, ...
fn letters(number: u32) -> String {
    let mut name = String::new();
    let mut left = number;
    while left > 0 {
        left -= 1;
        name.insert(0, char::from(b'a' + (left % 26) as u8));
        left /= 26;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        let names: Vec<String> = [1, 2, 26, 27, 52, 53, 702, 703].into_iter().map(letters).collect();
        assert_eq!(names, ["a", "b", "z", "aa", "az", "ba", "zz", "aaa"]);
    }
}
