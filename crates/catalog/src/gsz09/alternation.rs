//! Plays out the rule that players win ties in turn.
//!
//! So Lazarus, Loeb, Propp, Stromquist and Ullman break ties [GSZ09, Introduction]. A state counts
//! the past ties and has no star: this tests whether ties `marker` mean the same. Bids are sealed.

use std::collections::HashMap;

use richman_core::{Arena, ByPlayer, Node, Payment, Player, Right, Terminal};

/// A position with chips and the number of past ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AlternationState {
    pub node: Node,
    pub chips: ByPlayer<u32>,
    /// The number of ties so far.
    pub ties: u32,
}

/// A player's goal, within a number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Aim {
    player: Player,
    /// A win; otherwise at least a draw.
    win: bool,
    moves: u32,
}

/// A game with ties in turn. Time: states x pairs of bids, for each number of moves and of ties.
#[derive(Debug, Clone)]
pub struct Alternation<'a> {
    arena: &'a Arena,
    richman: bool,
    right: Right,
    first: Player,
    known: HashMap<(Aim, AlternationState), bool>,
}

impl<'a> Alternation<'a> {
    /// The game on `arena` in which `first` wins the first tie. Taxman payment counts as poorman.
    pub fn new(arena: &'a Arena, payment: &Payment, right: Right, first: Player) -> Alternation<'a> {
        Alternation { arena, richman: *payment == Payment::Richman, right, first, known: HashMap::new() }
    }

    /// The fewest moves, at most `most`, in which `player` can force a win.
    pub fn rank(&mut self, player: Player, state: AlternationState, most: u32) -> Option<u32> {
        (0..=most).find(|&moves| self.forces(Aim { player, win: true, moves }, state))
    }

    /// Whether `player` can prevent the other's win within `moves` moves.
    pub fn can_draw(&mut self, player: Player, state: AlternationState, moves: u32) -> bool {
        self.forces(Aim { player, win: false, moves }, state)
    }

    fn forces(&mut self, aim: Aim, state: AlternationState) -> bool {
        match self.arena.terminal(state.node) {
            Some(Terminal::Win(winner)) => return winner == aim.player,
            Some(Terminal::Draw) => return !aim.win,
            None if aim.moves == 0 => return !aim.win,
            None => {}
        }
        if let Some(&known) = self.known.get(&(aim, state)) {
            return known;
        }
        let [own, other] = state.chips.own_first(aim.player);
        let found = (0..=own).any(|bid| (0..=other).all(|reply| self.resolved(aim, state, bid, reply)));
        self.known.insert((aim, state), found);
        found
    }

    fn resolved(&mut self, aim: Aim, mut state: AlternationState, bid: u32, reply: u32) -> bool {
        let next = if state.ties.is_multiple_of(2) { self.first } else { self.first.other() };
        let winner = match bid.cmp(&reply) {
            std::cmp::Ordering::Greater => aim.player,
            std::cmp::Ordering::Less => aim.player.other(),
            std::cmp::Ordering::Equal => next,
        };
        state.ties += u32::from(bid == reply);
        state.chips[winner] -= bid.max(reply);
        if self.richman {
            state.chips[winner.other()] += bid.max(reply);
        }
        let [own, other] = [aim.player, aim.player.other()].map(|mover| self.moved(aim, state, mover));
        match self.right {
            Right::Moves => [own, other][usize::from(winner != aim.player)],
            Right::Chooses if winner == aim.player => own || other,
            Right::Chooses => own && other,
        }
    }

    fn moved(&mut self, aim: Aim, state: AlternationState, mover: Player) -> bool {
        let arena = self.arena;
        let aim_after = Aim { moves: aim.moves - 1, ..aim };
        let mut after = arena.moves(state.node, mover).iter().map(|&node| AlternationState { node, ..state });
        if mover == aim.player {
            after.any(|state| self.forces(aim_after, state))
        } else {
            after.all(|state| self.forces(aim_after, state))
        }
    }
}
