//! Proves the thresholds of a parity game with chips from both players' plans.
//!
//! A plan is a bid for a player with exactly the threshold, named in advance, and a choice after
//! each of its ends. The proof checks that every end leaves at least the threshold of the next
//! position. A player with more sets the surplus aside, which leaves the other player fewer
//! replies. The surplus never decreases and is bounded by the total, so from some turn on it is
//! constant: play then follows *steps* that leave exactly the threshold, between positions with or
//! without the star. If the greatest priority of every cycle of steps is the player's, the player
//! wins. Both players' plans together prove that the thresholds are exact (theorem 25 (plans at the
//! threshold) of `docs/design.md`).

use std::collections::BTreeSet;

use richman_core::{
    AfterBid, BidEnd, BidResult, Bids, BuiltMove, ByPlayer, Components, GraphBuilder, Groups, Mechanism, Node,
    NodeData, Parity, ParityArena, ParityGraph, ParityLabel, ParityPlan, ParitySolution, Payment, Player, PositionKind,
    Priority, Threshold, Turn, Watch,
};

use super::{Flaw, at};

/// A player's plans: for each position the one without the star and the one with it.
pub type Plans = [[Option<ParityPlan>; 2]];

/// Proves the thresholds of a parity game.
///
/// # Errors
/// The first [`Flaw`].
pub fn parity(
    arena: &ParityArena,
    solution: &ParitySolution,
    plans: ByPlayer<&Plans>,
    watch: &dyn Watch,
) -> Result<(), Flaw> {
    for player in Player::BOTH {
        steps(arena, solution, player, plans[player], watch)?.check(arena, watch)?;
    }
    Ok(())
}

/// The steps of a player's plans, after a proof that every end of each bid leaves at least the
/// threshold.
///
/// # Errors
/// The first [`Flaw`].
pub fn steps(
    arena: &ParityArena,
    solution: &ParitySolution,
    player: Player,
    plans: &Plans,
    watch: &dyn Watch,
) -> Result<PlannedSteps, Flaw> {
    for claimed in [solution.thresholds.len(), plans.len()] {
        if claimed != arena.len() {
            return Err(Flaw::Size { claimed, actual: arena.len() });
        }
    }
    let mechanism = &solution.mechanism;
    if mechanism.payment != Payment::Richman || !mechanism.is_ordered_by_chips() {
        return Err(Flaw::Unprovable("a total alone is enough only with payment richman and 0 among the bids"));
    }
    let proof = PlanProof { arena, solution, player, plans };
    let mut steps = PlannedSteps { player, starts: vec![0], to: Vec::new() };
    for node in arena.nodes() {
        if node.is_multiple_of(1 << 8) {
            if watch.cancelled() {
                return Err(Flaw::Stopped);
            }
            watch.progress("plans", u64::from(node), Some(arena.len() as u64));
        }
        proof.check_threshold(node)?;
        for star in [false, true] {
            proof.steps(node, star, &mut steps.to)?;
            steps.starts.push(steps.to.len());
        }
    }
    Ok(steps)
}

/// The steps of both players' plans as a parity game without bids, which any program for parity
/// games can check: from every position the player wins who does not move there. `name_of` names
/// the positions of the arena. A state without a step leads to a win of its player: the surplus
/// grows there, which happens only finitely often.
///
/// # Errors
/// The first [`Flaw`] of the plans.
pub fn game_of_plans(
    arena: &ParityArena,
    solution: &ParitySolution,
    plans: ByPlayer<&Plans>,
    name_of: impl Fn(Node) -> String,
    watch: &dyn Watch,
) -> Result<ParityGraph, Flaw> {
    let mut builder = GraphBuilder::default();
    let add = |builder: &mut GraphBuilder<Parity>, player: Player, name: u32, priority: Priority, to: &[u32]| {
        let data = NodeData::On(ParityLabel { priority, kind: PositionKind::Owned(player.other()) });
        let moves = ByPlayer::from_fn(|mover| if mover == player { &[][..] } else { to });
        builder.position(name, data, moves.map(|to| to.iter().copied().map(BuiltMove::from)));
    };
    for player in Player::BOTH {
        let steps = steps(arena, solution, player, plans[player], watch)?;
        steps.check(arena, watch)?;
        let proof = PlanProof { arena, solution, player, plans: plans[player] };
        let name = |state: Node, chips: u32| {
            let star = if state % 2 == 1 { "*" } else { "" };
            format!("{player} with {chips}{star} at {}", name_of(state / 2))
        };
        let held = |state: Node| proof.chips(state / 2, state % 2 == 1);
        let won = builder.name(&format!("{player} has won"));
        add(&mut builder, player, won, Priority(player.either(0, 1)), &[won]);
        for state in 0..steps.len() as Node {
            let Some(chips) = held(state) else { continue };
            let after = steps.after(state).iter().map(|&to| builder.name(&name(to, held(to).unwrap_or_default())));
            let mut after: Vec<u32> = after.collect();
            after.sort_unstable();
            after.dedup();
            if after.is_empty() {
                after.push(won);
            }
            let priority = match arena.data(state / 2) {
                NodeData::On(label) => label.priority,
                NodeData::End(_) => Priority::default(),
            };
            let name = builder.name(&name(state, chips));
            add(&mut builder, player, name, priority, &after);
        }
    }
    let graph = builder.build("plans", "Alice has won");
    graph.map_err(|_| Flaw::Unprovable("the names of positions are no names of a game file"))
}

/// The steps that leave exactly the threshold, between states: 2 x position, plus 1 with the star.
pub struct PlannedSteps {
    player: Player,
    starts: Vec<usize>,
    to: Vec<Node>,
}

richman_core::debug_by_name!(PlannedSteps {});

impl PlannedSteps {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The successors of a state.
    pub fn after(&self, state: Node) -> &[Node] {
        &self.to[self.starts[state as usize]..self.starts[state as usize + 1]]
    }

    /// Checks that the greatest priority of every cycle is the player's.
    fn check(&self, arena: &ParityArena, watch: &dyn Watch) -> Result<(), Flaw> {
        let priority = |state: Node| match arena.data(state / 2) {
            NodeData::On(label) => Some(label.priority),
            NodeData::End(_) => None,
        };
        let mut bad: BTreeSet<Priority> = (0..self.len() as Node).filter_map(priority).collect();
        bad.retain(|priority| priority.winner() != self.player);
        for worst in bad {
            let inside = |state: &Node| priority(*state).is_some_and(|priority| priority <= worst);
            let states = || (0..self.len() as Node).filter(|state| inside(state));
            let steps = || states().flat_map(|from| self.after(from).iter().map(move |&to| (from as usize, to)));
            let steps = Groups::of(self.len(), 0, || steps().filter(|(_, to)| inside(to)));
            let ask = |_| if watch.cancelled() { Err(Flaw::Stopped) } else { Ok(()) };
            let components = Components::of(self.len(), |state| steps.get(state as usize), ask)?;
            for state in states().filter(|&state| priority(state) == Some(worst)) {
                let stays = |to: &Node| components.component(*to) == components.component(state);
                if steps.get(state as usize).iter().any(stays) {
                    let Priority(worst) = worst;
                    let star = if state % 2 == 1 { " with the star" } else { "" };
                    let what = format!(
                        "{}'s plan{star} may come back here forever with {worst} as the greatest priority",
                        self.player
                    );
                    return Err(at(state / 2, what));
                }
            }
        }
        Ok(())
    }
}

struct PlanProof<'a> {
    arena: &'a ParityArena,
    solution: &'a ParitySolution,
    player: Player,
    plans: &'a Plans,
}

impl PlanProof<'_> {
    fn check_threshold(&self, node: Node) -> Result<(), Flaw> {
        let Threshold { plain, star } = self.solution.thresholds[node as usize];
        let most = self.solution.total.chips() + 1;
        if plain.max(star) > most {
            return Err(at(node, "no holding has that many chips".to_string()));
        }
        if !self.solution.mechanism.has_star() && plain != star {
            return Err(at(node, "the star makes a difference where there is none".to_string()));
        }
        match self.arena.terminal(node) {
            Some(winner) if [plain, star] != [winner.either(0, most); 2] => {
                Err(at(node, "the game has ended here with another result".to_string()))
            }
            _ => Ok(()),
        }
    }

    /// The player's chips at the threshold, if some holding wins.
    fn chips(&self, node: Node, star: bool) -> Option<u32> {
        let Threshold { plain, star: with } = self.solution.needed(self.player, node);
        let is_state = !star || self.solution.mechanism.has_star();
        Some(if star { with } else { plain }).filter(|&chips| is_state && chips <= self.solution.total.chips())
    }

    fn wrong(&self, node: Node, star: bool, what: &str) -> Flaw {
        let chips = self.chips(node, star).unwrap_or_default();
        at(node, format!("{}'s plan with {chips}{}: {what}", self.player, if star { "*" } else { "" }))
    }

    /// Checks the plan of a state, and appends the successors with an unchanged surplus.
    fn steps(&self, node: Node, star: bool, into: &mut Vec<Node>) -> Result<(), Flaw> {
        let wrong = |what: &str| Err(self.wrong(node, star, what));
        let claimed = self.plans[node as usize][usize::from(star)];
        let owner = self.arena.owner(node);
        let own = self.chips(node, star).filter(|_| self.arena.terminal(node).is_none());
        if claimed.is_some() && (own.is_none() || owner == Some(self.player.other())) {
            return wrong("there is none to make here");
        }
        let Some(own) = own else { return Ok(()) };
        if owner == Some(self.player.other()) {
            return self.follow(node, star, self.arena.moves(node, self.player.other()), (own, star), into);
        }
        let Some(plan) = claimed else { return wrong("it is missing") };
        if owner.is_some() {
            let Some(AfterBid::Moves(to)) = plan.after[0] else { return wrong("it names no move") };
            if !self.arena.moves(node, self.player).contains(&to) {
                return wrong("there is no such move");
            }
            return self.follow(node, star, &[to], (own, star), into);
        }
        let Mechanism { right, bids, .. } = &self.solution.mechanism;
        let is_allowed = |bid| if let Bids::Only(amounts) = bids { amounts.contains(&bid) } else { true };
        if plan.bid > own || !is_allowed(plan.bid) {
            return wrong("the bid is not possible");
        }
        let other = self.solution.total.chips() - own;
        let mechanism = &self.solution.mechanism;
        let turn = Turn { mechanism, player: self.player, own, other, star, content: |_, _, _, _| true };
        let results = turn.results(plan.bid);
        let decides = turn.holds_tie() && turn.ties().count() > 1;
        for result in results {
            let BidResult { end, .. } = result;
            if decides && end.is_tie() && end.is_won() != plan.wins_tie {
                continue;
            }
            let choice = plan.after[BidEnd::ALL.iter().position(|one| *one == end).unwrap_or_default()];
            let others = self.arena.moves(node, self.player.other());
            let (own, theirs) = match (choice, end.is_won(), right.may_let()) {
                (Some(AfterBid::Moves(to)), true, _) => (Some(to), &[][..]),
                (Some(AfterBid::Lets), true, true) => (None, others),
                (Some(AfterBid::Moves(to)), false, true) => (Some(to), others),
                (_, false, false) => (None, others),
                _ => return wrong("it does not say what to do after the bid"),
            };
            if own.is_some_and(|to| !self.arena.moves(node, self.player).contains(&to)) {
                return wrong("there is no such move");
            }
            let held = (result.chips, result.star);
            self.follow(node, star, own.as_slice(), held, into)?;
            self.follow(node, star, theirs, held, into)?;
        }
        Ok(())
    }

    /// Checks that the player has the threshold at these positions, and appends those where the
    /// surplus is unchanged.
    fn follow(
        &self,
        node: Node,
        star: bool,
        next: &[Node],
        (chips, with_star): (u32, bool),
        into: &mut Vec<Node>,
    ) -> Result<(), Flaw> {
        for &to in next {
            let needed = self.solution.needed(self.player, to);
            let needed = if with_star { needed.star } else { needed.plain };
            if chips < needed {
                return Err(self.wrong(node, star, "it may leave too little"));
            }
            if chips == needed {
                into.push(2 * to + Node::from(with_star));
            }
        }
        Ok(())
    }
}
