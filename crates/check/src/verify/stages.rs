//! Proves claims about what a player can force with chips, each number of moves from one move
//! fewer.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use richman_core::{Arena, Goal, Mechanism, Node, Player, Right, Terminal, Turn, Watch};

use super::{Flaw, at, watched};

/// More than anybody has.
pub(super) const NEVER: u32 = u32::MAX;

/// The need within no moves while the game goes on. To win, nothing suffices yet, and more moves
/// need less; for a draw anything does, and more moves need more.
fn open(goal: Goal) -> u32 {
    match goal {
        Goal::Win => NEVER,
        Goal::Draw => 0,
    }
}

/// The need at an end, if it differs from [`open`].
fn at_end(goal: Goal, player: Player, end: Terminal) -> Option<u32> {
    match goal {
        Goal::Win => (end == Terminal::Win(player)).then_some(0),
        Goal::Draw => (end == Terminal::Win(player.other())).then_some(NEVER),
    }
}

/// The flaw of stages in the wrong order.
pub(super) fn disorder(goal: Goal) -> &'static str {
    match goal {
        Goal::Win => "the stages do not fall as the number of moves grows",
        Goal::Draw => "the stages do not rise as the number of moves grows",
    }
}

/// The least chips that a player is said to need: for each position a row of cells, one for each
/// star and purse of the other player.
pub(super) trait LeastChips: Sync {
    fn cells(&self) -> usize;

    /// The cell for `other` chips of the other player; `star` if the player holds the star.
    fn cell(&self, star: bool, other: u32) -> usize;

    fn has_star(&self, cell: usize) -> bool;

    /// The chips that the player may have in a cell.
    fn purses(&self, cell: usize) -> RangeInclusive<u32>;

    /// The other player's chips in a cell where the player has `own`.
    fn other(&self, cell: usize, own: u32) -> u32;

    /// Whether no position has a stage.
    fn is_empty(&self) -> bool;

    /// Whether every cell of a position has exactly one stage, within no moves and with this need;
    /// no stage for `None`.
    fn is_only(&self, node: Node, need: Option<u32>) -> bool;

    /// The flaw in a position's stages, if any: moves must ascend, and every stage must change a
    /// need in the goal's direction.
    fn flaw(&self, node: Node, goal: Goal) -> Option<&'static str>;

    /// The numbers of moves of a position's stages, in any order.
    fn times(&self, node: Node) -> impl Iterator<Item = u32>;

    /// The need of the last stage within that many moves.
    fn last(&self, node: Node, cell: usize, within: u32) -> Option<u32>;
}

pub(super) struct StageProof<'a, N> {
    pub(super) arena: &'a Arena,
    pub(super) mechanism: &'a Mechanism,
    pub(super) player: Player,
    pub(super) goal: Goal,
    pub(super) needs: N,
}

/// The needs after winning a bid and after losing it; both are the same where nobody bids.
#[derive(PartialEq)]
struct Rows {
    has_bids: bool,
    won: Vec<u32>,
    lost: Vec<u32>,
}

impl<N: LeastChips> StageProof<'_, N> {
    pub(super) fn check(&self, watch: &dyn Watch) -> Result<(), Flaw> {
        const GRAIN: usize = 1 << 6;
        let done = AtomicU32::new(0);
        let flaw = |node: Node| {
            let looked_at = watched(watch, "positions", done.fetch_add(1, Ordering::Relaxed), self.arena);
            looked_at.and_then(|()| self.check_position(node, watch)).err()
        };
        self.arena.nodes().into_par_iter().with_min_len(GRAIN).find_map_first(flaw).map_or(Ok(()), Err)
    }

    fn check_position(&self, node: Node, watch: &dyn Watch) -> Result<(), Flaw> {
        if let Some(end) = self.arena.terminal(node) {
            return self.check_end(node, end);
        }
        if self.needs.is_empty() {
            return Ok(()); // without stages at ends, there are none elsewhere
        }
        self.check_stages(node, watch)?;
        if self.goal == Goal::Win && self.mechanism.is_determined() {
            self.check_prevention(node)?;
        }
        Ok(())
    }

    fn check_end(&self, node: Node, end: Terminal) -> Result<(), Flaw> {
        let need = at_end(self.goal, self.player, end);
        // Without any stages, cells need no check.
        let right = if self.needs.is_empty() { need.is_none() } else { self.needs.is_only(node, need) };
        if right {
            return Ok(());
        }
        let StageProof { player, goal, .. } = self;
        Err(at(node, format!("the game has ended here, but what {player} needs to {goal} says otherwise")))
    }

    /// Checks that the stages of a position are exactly those that its moves give.
    fn check_stages(&self, node: Node, watch: &dyn Watch) -> Result<(), Flaw> {
        /// With this many cells, one number of moves may take long.
        const MANY: usize = 1 << 6;
        let StageProof { player, goal, needs, .. } = self;
        if let Some(flaw) = needs.flaw(node, *goal) {
            return Err(at(node, format!("what {player} needs to {goal}: {flaw}")));
        }
        // A need can change only a move after a change at a next position.
        let next = self.arena.successors(node).iter().flat_map(|&to| needs.times(to));
        let mut times: Vec<u32> = next.filter_map(|within| within.checked_add(1)).chain(needs.times(node)).collect();
        times.sort_unstable();
        times.dedup();
        let mut proved = None;
        for within in times {
            let Some(before) = within.checked_sub(1) else {
                return Err(at(node, format!("what {player} needs to {goal} changes before a move is made")));
            };
            if needs.cells() >= MANY && watch.cancelled() {
                return Err(Flaw::Stopped);
            }
            let claim = (self.rows(node, before)?, self.row(node, within).collect::<Vec<u32>>());
            if proved.as_ref() == Some(&claim) {
                continue; // the same is claimed with more moves
            }
            for cell in 0..needs.cells() {
                self.check_cell(node, cell, within, &claim.0)?;
            }
            proved = Some(claim);
        }
        Ok(())
    }

    /// Checks that the need of a cell is enough and one chip less is not.
    fn check_cell(&self, node: Node, cell: usize, within: u32, rows: &Rows) -> Result<(), Flaw> {
        let need = self.need(node, cell, within);
        let wrong = |own: u32, what: &str| {
            let StageProof { player, goal, .. } = self;
            Err(at(
                node,
                format!("{player} with {}, to {goal} within {within} {}: {what}", self.state(cell, own), moves(within)),
            ))
        };
        let purses = self.needs.purses(cell);
        let possible = need == NEVER || need == open(self.goal) || purses.contains(&need);
        if !possible {
            return wrong(need, "nobody can have these chips");
        }
        if need != NEVER {
            let least = need.max(*purses.start());
            if !self.is_content(cell, least, rows) {
                return wrong(least, "this is not enough");
            }
        }
        match self.below(cell, need) {
            Some(below) if self.is_content(cell, below, rows) => wrong(below, "this is enough"),
            _ => Ok(()),
        }
    }

    /// The claimed need of a cell within that many moves.
    fn need(&self, node: Node, cell: usize, within: u32) -> u32 {
        self.needs.last(node, cell, within).unwrap_or(open(self.goal))
    }

    fn row(&self, node: Node, within: u32) -> impl Iterator<Item = u32> {
        (0..self.needs.cells()).map(move |cell| self.need(node, cell, within))
    }

    /// The most chips in a cell below the need.
    fn below(&self, cell: usize, need: u32) -> Option<u32> {
        let (first, last) = self.needs.purses(cell).into_inner();
        if need == NEVER { Some(last) } else { (need > first).then(|| need - 1) }
    }

    fn state(&self, cell: usize, own: u32) -> String {
        let star = if self.needs.has_star(cell) { "*" } else { "" };
        match self.needs.purses(cell).contains(&own) {
            true => format!("{own}{star} against {}", self.needs.other(cell, own)),
            false => format!("{own}{star}"),
        }
    }

    /// The needs at the next positions within that many moves. The winner of the bid picks the
    /// mover, or must move; the mover picks the position. Where one player moves without a bid,
    /// that player does.
    fn rows(&self, node: Node, within: u32) -> Result<Rows, Flaw> {
        let fold = |mover: Player, pick: fn(u32, u32) -> u32| {
            let (&first, rest) = self.arena.moves(node, mover).split_first()?;
            let mut folded: Vec<u32> = self.row(first, within).collect();
            for &to in rest {
                folded.iter_mut().zip(self.row(to, within)).for_each(|(need, other)| *need = pick(*need, other));
            }
            Some(folded)
        };
        let join = |one: &[u32], two: &[u32], pick: fn(u32, u32) -> u32| {
            one.iter().zip(two).map(|(&a, &b)| pick(a, b)).collect()
        };
        let stuck = Flaw::Unprovable("a position where a player has no move");
        let own = || fold(self.player, u32::min).ok_or(stuck.clone());
        let other = || fold(self.player.other(), u32::max).ok_or(stuck.clone());
        if let Some(owner) = self.arena.owner(node) {
            let row = if owner == self.player { own()? } else { other()? };
            return Ok(Rows { has_bids: false, won: row.clone(), lost: row });
        }
        let (own, other) = (own()?, other()?);
        Ok(match self.mechanism.right {
            Right::Moves => Rows { has_bids: true, won: own, lost: other },
            Right::Chooses => {
                Rows { has_bids: true, won: join(&own, &other, u32::min), lost: join(&own, &other, u32::max) }
            }
        })
    }

    /// Whether the player has a bid, or an answer to each, that leaves the need after it; where
    /// nobody bids, whether the player has the need.
    fn is_content(&self, cell: usize, own: u32, rows: &Rows) -> bool {
        let StageProof { mechanism, player, ref needs, .. } = *self;
        let met = |row: &[u32], own: u32, other: u32, star: bool| own >= row[needs.cell(star, other)];
        if !rows.has_bids {
            return own >= rows.won[cell];
        }
        Turn {
            mechanism,
            player,
            own,
            other: needs.other(cell, own),
            star: needs.has_star(cell),
            content: |won, own, other, star| met(if won { &rows.won } else { &rows.lost }, own, other, star),
        }
        .is_content()
    }

    /// Checks that with less than the need to win, the other player has a bid, or an answer to
    /// each, that keeps it so.
    fn check_prevention(&self, node: Node) -> Result<(), Flaw> {
        let StageProof { mechanism, player, ref needs, .. } = *self;
        let rows = self.rows(node, u32::MAX)?;
        // The state after a bid from the other player's view.
        let missed = |row: &[u32], own: u32, other: u32, star: bool| other < row[needs.cell(!star, own)];
        for cell in 0..needs.cells() {
            let Some(below) = self.below(cell, self.need(node, cell, u32::MAX)) else { continue };
            let turn = Turn {
                mechanism,
                player: player.other(),
                own: needs.other(cell, below),
                other: below,
                star: !needs.has_star(cell),
                content: |won, own, other, star| missed(if won { &rows.lost } else { &rows.won }, own, other, star),
            };
            let is_stopped = if rows.has_bids { turn.is_content() } else { below < rows.won[cell] };
            if !is_stopped {
                let state = self.state(cell, below);
                return Err(at(node, format!("{} has no bid that stops {player} with {state}", player.other())));
            }
        }
        Ok(())
    }
}

fn moves(count: u32) -> &'static str {
    if count == 1 { "move" } else { "moves" }
}
