//! Games in which nobody bids, by priority promotion.
//!
//! **Computes** for each position who wins, and a winning move wherever the winner moves.
//!
//! **Method** [BDM16]. Priorities are numbered as *levels*: neighbouring priorities of one player
//! share a level. From the greatest level down, the *region* of a level is its attractor among the
//! positions in no higher region. A region is *open* if from one of its positions of that level the
//! other player can move to lower ones, or its own player must. From a *closed* region the other
//! player can escape only to higher regions of the same player. It is promoted to the least of
//! these. If there are none, its player wins it and its attractor.
//!
//! **Differences.** A promotion may take positions out of regions between. Regions are searched
//! again only from the highest one down that has moves to these positions or is no longer maximal.
//! Wins are searched in the whole game, not part by part. If a few passes over the moves do not
//! decide the game, a search for cycles that a player wins alone (`cycles`) decides most of a
//! random game. Moves to a batch of positions are read together, because random memory access takes
//! most of the time.
//!
//! Chapter 21 of `docs/design.md` says why this is right.
//!
//! **Accepts** every game of this kind. **Stops** because each promotion raises positions and
//! lowers only positions below those; wins make the game smaller. **Result:** exact. **Time:**
//! usually a few passes over the moves, at worst exponential in the number of levels. **Memory:**
//! at most 96 bytes for each position, 24 for each move, 4 for each level. There is no recursion.
//!
//! **Checked by** `richman_check::verify`, from the moves of both players, and by Zielonka's
//! recursion in `richman_check::zielonka`.

use richman_core::{Effort, Error, Groups, NodeData, PacedWatch, Player};

use super::cycles;
use super::turns::{NOWHERE, TurnGame, levels};

/// Who wins at each position, and how.
pub(super) struct TurnSolution {
    /// The winner at each position.
    pub winners: Vec<Player>,
    /// The winner's move where the winner moves; elsewhere [`NOWHERE`].
    pub moves: Vec<u32>,
}

/// Solves a game; `what` names the work in errors.
///
/// # Errors
/// [`Error::TooMuchMemory`]; [`Error::OutOfTime`]; [`Error::Cancelled`].
pub(super) fn solve(game: &impl TurnGame, what: &'static str, effort: &Effort) -> Result<TurnSolution, Error> {
    /// A cell, five numbers, the lists of regions (held twice while they grow), and the search for
    /// cycles.
    const PER_POSITION: usize = 96;
    /// The moves to a position, the same in a batch, and a position to search again.
    const PER_MOVE: usize = 24;
    /// The passes over the moves before the search for cycles.
    const PASSES: usize = 5;
    let moves: usize = (0..game.len() as u32).map(|at| game.successors(at).len()).sum();
    let bytes = game.len() * PER_POSITION + moves * PER_MOVE;
    effort.check_memory(what, bytes as u64)?;
    Search::new(game, moves, what, effort)?.solved(PASSES)
}

/// The level of positions whose winner is known: above all others.
const DONE: u32 = u32::MAX >> 1;

/// The state of a position.
#[derive(Clone, Copy)]
struct PromotionCell {
    /// Twice the level of its region, or twice its own level outside regions; plus 1 if Bob moves.
    word: u32,
    /// The number of moves to positions in no region.
    free: u32,
    /// The number of moves to positions with unknown winner; once decided, the winner.
    winner: u32,
    /// The move of the player of its region.
    to: u32,
}

impl PromotionCell {
    fn level(self) -> u32 {
        self.word >> 1
    }

    /// 0 if Alice moves, 1 if Bob does.
    fn mover(self) -> u32 {
        self.word & 1
    }

    fn is_done(self) -> bool {
        self.level() == DONE
    }

    fn raise(&mut self, level: u32) {
        self.word = level << 1 | self.mover();
    }

    fn winning_move(&self) -> u32 {
        if self.mover() == self.winner & 1 { self.to } else { NOWHERE }
    }
}

/// Positions from which the player of a level can force play to it or to higher levels.
struct Region {
    level: u32,
    /// Its positions, and perhaps some that have been taken out.
    members: Vec<u32>,
    /// The number of positions of the level, from the first, known to be closed.
    closed: usize,
}

/// The effects of a promotion on the regions between: see [`Search::raise`].
#[derive(Default)]
struct Effects {
    /// Regions up to this level are searched again.
    broken: u32,
    /// Regions up to this level may be closed now.
    doubtful: u32,
}

struct Search<'a, G> {
    game: &'a G,
    /// The predecessors of position v: `before.get(v)`.
    before: Groups<u32>,
    cells: Vec<PromotionCell>,
    /// Each position's own level. The player of a level is Alice if it is even.
    own: Vec<u32>,
    /// For each position, the move that last led to the least level.
    watched: Vec<u32>,
    /// Positions in the order of their own levels; those of level l are
    /// `tops[starts[l]..starts[l + 1]]`.
    tops: Vec<u32>,
    starts: Vec<u32>,
    /// The regions, of falling levels.
    regions: Vec<Region>,
    /// Empty lists that keep their memory.
    spare: Vec<Vec<u32>>,
    batch: Batch,
    /// Positions whose winner is not known.
    open: usize,
    moves: usize,
    /// The number of moves read.
    work: usize,
    what: &'static str,
    effort: &'a Effort<'a>,
    pace: PacedWatch<'a>,
}

impl<'a, G: TurnGame> Search<'a, G> {
    fn new(game: &'a G, moves: usize, what: &'static str, effort: &'a Effort) -> Result<Search<'a, G>, Error> {
        let count = game.len();
        let (own, levels) = levels(game);
        let cell = |at: u32| {
            let mover = match game.data(at) {
                NodeData::On(label) => label.kind.owner().unwrap_or(Player::Alice),
                NodeData::End(winner) => winner,
            };
            let moves = game.successors(at).len() as u32;
            PromotionCell { word: own[at as usize] << 1 | mover as u32, free: moves, winner: moves, to: NOWHERE }
        };
        let cells = (0..count as u32).map(cell).collect();
        let before =
            || (0..count as u32).flat_map(|from| game.successors(from).iter().map(move |&to| (to as usize, from)));
        let mut search = Search {
            game,
            before: Groups::of(count, 0, before),
            cells,
            own,
            watched: vec![0; count],
            tops: Vec::new(),
            starts: vec![0; levels as usize + 1],
            regions: Vec::new(),
            spare: Vec::new(),
            batch: Batch::default(),
            open: count,
            moves,
            work: 0,
            what,
            effort,
            pace: PacedWatch::new(effort.watch),
        };
        search.sort();
        Ok(search)
    }

    /// Solves the game; searches for cycles after `passes` passes over the moves.
    fn solved(mut self, passes: usize) -> Result<TurnSolution, Error> {
        for player in Player::BOTH {
            let is_won = |&at: &u32| matches!(self.game.data(at), NodeData::End(winner) if winner == player);
            let ends = (0..self.game.len() as u32).filter(is_won).collect();
            self.win(player, ends)?;
        }
        self.run(passes)?;
        let winners = self.cells.iter().map(|cell| Player::BOTH[(cell.winner & 1) as usize]).collect();
        Ok(TurnSolution { winners, moves: self.cells.iter().map(PromotionCell::winning_move).collect() })
    }

    /// Lists the positions without a winner by their own levels.
    fn sort(&mut self) {
        let levels = self.starts.len() - 1;
        let open = || self.own.iter().zip(&self.cells).map(|(&own, cell)| (own as usize, cell.is_done()));
        let mut starts = vec![0; levels + 1];
        open().filter(|(_, is_done)| !is_done).for_each(|(own, _)| starts[own + 1] += 1);
        for level in 0..levels {
            starts[level + 1] += starts[level];
        }
        let mut next = starts.clone();
        let mut tops = vec![0; starts[levels] as usize];
        for (at, (own, is_done)) in (0..).zip(open()) {
            if !is_done {
                tops[next[own] as usize] = at;
                next[own] += 1;
            }
        }
        (self.tops, self.starts) = (tops, starts);
        self.regions.iter_mut().for_each(|region| region.closed = 0);
    }

    fn run(&mut self, passes: usize) -> Result<(), Error> {
        let highest = (self.starts.len() as u32).saturating_sub(2);
        let (mut level, mut alone) = (highest, true);
        while self.open > 0 {
            if alone && self.work > passes * self.moves {
                alone = false;
                while !self.regions.is_empty() {
                    self.give_up()?;
                }
                self.win_alone()?;
                level = highest;
                continue;
            }
            let mut members = self.spare.pop().unwrap_or_default();
            let tops = &self.tops[self.starts[level as usize] as usize..self.starts[level as usize + 1] as usize];
            members.extend(tops.iter().filter(|&&at| self.cells[at as usize].level() == level));
            if members.is_empty() {
                self.spare.push(members);
                level = level.saturating_sub(1);
                continue;
            }
            self.effort.check_time(self.what)?;
            self.attract(level, &mut members)?;
            self.regions.push(Region { level, members, closed: 0 });
            level = self.settle()?;
        }
        Ok(())
    }

    /// Finds the positions that each player wins without the other one ever moving.
    fn win_alone(&mut self) -> Result<(), Error> {
        for player in Player::BOTH {
            let open = |at: u32| {
                let cell = self.cells[at as usize];
                cell.mover() == player as u32 && !cell.is_done()
            };
            let won = cycles::won_alone(self.game, &self.before, &self.own, player, open, &self.pace)?;
            let mut list = Vec::with_capacity(won.len());
            for (at, to) in won {
                self.cells[at as usize].to = to;
                list.push(at);
            }
            self.win(player, list)?;
        }
        self.sort();
        Ok(())
    }

    /// Records that `player` wins these positions and their attractor. There are no regions.
    fn win(&mut self, player: Player, won: Vec<u32>) -> Result<(), Error> {
        for &at in &won {
            self.cells[at as usize].raise(DONE);
        }
        let none = self.spare.pop().unwrap_or_default();
        self.raise([none, won], player as u32, DONE - 1, DONE).map(|_| ())
    }

    /// Extends a new region, of the least level so far, to its attractor.
    fn attract(&mut self, level: u32, members: &mut Vec<u32>) -> Result<(), Error> {
        let player = level & 1;
        let mut batch = std::mem::take(&mut self.batch);
        let mut next = 0;
        while next < members.len() {
            next = batch.read(members, next, &self.before, &self.cells);
            self.count(&batch)?;
            for (&(from, to), &word) in batch.moves.iter().zip(&batch.words) {
                let cell = &mut self.cells[from as usize];
                cell.free -= 1;
                if word >> 1 >= level || cell.level() >= level {
                    continue;
                }
                if cell.mover() == player {
                    cell.to = to;
                } else if cell.free > 0 {
                    continue;
                }
                cell.raise(level);
                members.push(from);
            }
        }
        self.batch = batch;
        Ok(())
    }

    fn count(&mut self, batch: &Batch) -> Result<(), Error> {
        self.work += batch.moves.len();
        self.pace.steps(batch.moves.len())
    }

    /// Promotes the last region while it is closed; returns the level to go on with.
    fn settle(&mut self) -> Result<u32, Error> {
        let last = self.regions.len() - 1;
        if self.is_open(last) {
            return Ok(self.regions[last].level.saturating_sub(1));
        }
        let mut next = 0;
        while let Some(Region { level, mut members, .. }) = self.regions.pop() {
            self.effort.check_time(self.what)?;
            members.retain(|&at| self.cells[at as usize].level() == level);
            let to = self.way_out(level, &members);
            members.iter().for_each(|&at| self.cells[at as usize].raise(to));
            let none = self.spare.pop().unwrap_or_default();
            let effects = self.raise([members, none], level & 1, level, to)?;
            next = level.saturating_sub(1);
            while self.regions.last().is_some_and(|region| region.level <= effects.broken) {
                next = effects.broken;
                self.give_up()?;
            }
            let doubtful = if to == DONE { effects.doubtful } else { to };
            let first = self.regions.partition_point(|region| region.level > doubtful);
            let Some(closed) = (first..self.regions.len()).find(|&at| !self.is_open(at)) else { break };
            while self.regions.len() > closed + 1 {
                self.give_up()?;
            }
        }
        if self.open < self.tops.len() / 2 {
            self.sort();
        }
        Ok(next)
    }

    /// Whether the player of a region must leave it for lower levels, or the other player can.
    fn is_open(&mut self, index: usize) -> bool {
        let is_last = index + 1 == self.regions.len();
        let Region { level, closed, .. } = self.regions[index];
        let [start, end] = [0, 1].map(|next| self.starts[level as usize + next] as usize);
        for at in start + closed..end {
            let top = self.tops[at];
            let cell = self.cells[top as usize];
            if cell.level() != level {
                continue;
            }
            let after = self.game.successors(top);
            let level_of = |to: u32| self.cells[to as usize].level();
            let is_open = if cell.mover() == level & 1 {
                let stays = after.iter().copied().find(|&to| level_of(to) == level);
                self.cells[top as usize].to = stays.unwrap_or(NOWHERE);
                stays.is_none()
            } else if is_last {
                cell.free > 0
            } else {
                after.iter().any(|&to| level_of(to) < level)
            };
            if is_open {
                self.regions[index].closed = at - start;
                return true;
            }
        }
        self.regions[index].closed = end - start;
        false
    }

    /// The least higher level to which the other player can leave a closed region; [`DONE`] if the
    /// other player cannot leave it.
    fn way_out(&self, level: u32, members: &[u32]) -> u32 {
        let others = members.iter().filter(|&&at| self.cells[at as usize].mover() != level & 1);
        let after = others.flat_map(|&at| self.game.successors(at));
        after.map(|&to| self.cells[to as usize].level()).filter(|&to| to > level).min().unwrap_or(DONE)
    }

    /// Raises positions, already written at the level `to`, with their attractor among lower ones.
    /// Levels below `from` have no regions. The lists hold positions from regions and from none.
    ///
    /// A region that has lost positions is still a region if its player's moves stay inside: its
    /// cycles are among those it had. It is maximal unless all moves of a position now lead to
    /// higher levels than its own.
    fn raise(
        &mut self,
        [mut moved, mut fresh]: [Vec<u32>; 2],
        player: u32,
        from: u32,
        to: u32,
    ) -> Result<Effects, Error> {
        let is_done = to == DONE;
        let mut effects = Effects::default();
        let mut unsure = self.spare.pop().unwrap_or_default();
        let mut batch = std::mem::take(&mut self.batch);
        let (mut next_moved, mut next_fresh) = (0, 0);
        loop {
            if next_moved < moved.len() {
                next_moved = batch.read(&moved, next_moved, &self.before, &self.cells);
            } else if next_fresh < fresh.len() {
                next_fresh = batch.read(&fresh, next_fresh, &self.before, &self.cells);
                batch.moves.iter().for_each(|&(before, _)| self.cells[before as usize].free -= 1);
            } else {
                break;
            }
            self.count(&batch)?;
            for &(at, after) in &batch.moves {
                let cell = &mut self.cells[at as usize];
                if cell.is_done() {
                    continue;
                }
                cell.winner -= u32::from(is_done);
                let (cell, level) = (*cell, cell.level());
                if level >= to {
                    continue;
                }
                if cell.mover() == player {
                    self.cells[at as usize].to = after;
                } else if level < from && cell.free > 0 {
                    continue;
                } else if if is_done { cell.winner > 0 } else { self.least_after(at) < to } {
                    unsure.push(at);
                    continue;
                }
                self.cells[at as usize].raise(to);
                if level < from {
                    fresh.push(at);
                } else {
                    effects.doubtful = effects.doubtful.max(level);
                    moved.push(at);
                }
            }
        }
        self.batch = batch;
        let highest = self.regions.first().map_or(0, |region| region.level);
        for &at in &unsure {
            if effects.broken >= highest {
                break;
            }
            let cell = self.cells[at as usize];
            let level = cell.level();
            if level >= to {
                continue;
            }
            let least = self.least_after(at);
            if least > level {
                effects.broken = effects.broken.max(least);
            }
            if level > from {
                let stays = self.cells.get(cell.to as usize).is_some_and(|next| next.level() == level);
                if cell.mover() == level & 1 && !stays {
                    effects.broken = effects.broken.max(level);
                }
                effects.doubtful = effects.doubtful.max(level);
            }
        }
        if is_done {
            self.open -= moved.len() + fresh.len();
            for &at in moved.iter().chain(&fresh) {
                self.cells[at as usize].winner = player;
            }
        } else {
            let index = self.regions.partition_point(|region| region.level > to);
            self.regions[index].members.extend(moved.iter().chain(&fresh));
        }
        for mut list in [moved, fresh, unsure] {
            list.clear();
            self.spare.push(list);
        }
        Ok(effects)
    }

    /// The least level after a move, or any level that is not above the position's own.
    fn least_after(&mut self, at: u32) -> u32 {
        let after = self.game.successors(at);
        let level_of = |to: u32| self.cells[to as usize].level();
        let own = level_of(at);
        let watched = &mut self.watched[at as usize];
        let mut least = level_of(after[*watched as usize]);
        if least > own {
            for (index, &to) in (0..).zip(after) {
                let level = level_of(to);
                if level < least {
                    (least, *watched) = (level, index);
                    if level <= own {
                        break;
                    }
                }
            }
        }
        least
    }

    /// Lowers the positions of the last region to their own levels.
    fn give_up(&mut self) -> Result<(), Error> {
        let Some(Region { level, mut members, .. }) = self.regions.pop() else { return Ok(()) };
        members.retain(|&at| self.cells[at as usize].level() == level);
        for &at in &members {
            self.cells[at as usize].raise(self.own[at as usize]);
        }
        let mut batch = std::mem::take(&mut self.batch);
        let mut next = 0;
        while next < members.len() {
            next = batch.read(&members, next, &self.before, &self.cells);
            batch.moves.iter().for_each(|&(before, _)| self.cells[before as usize].free += 1);
            self.count(&batch)?;
        }
        self.batch = batch;
        members.clear();
        self.spare.push(members);
        Ok(())
    }
}

/// The moves to some positions, read in passes without branches, so that memory reads overlap.
#[derive(Default)]
struct Batch {
    /// Each move: from and to.
    moves: Vec<(u32, u32)>,
    /// The words of the predecessors.
    words: Vec<u32>,
}

impl Batch {
    const POSITIONS: usize = 64;

    /// Reads the moves to the next few positions; returns the index of the first one after them.
    fn read(&mut self, list: &[u32], next: usize, before: &Groups<u32>, cells: &[PromotionCell]) -> usize {
        let end = list.len().min(next + Batch::POSITIONS);
        let mut groups: [&[u32]; Batch::POSITIONS] = [&[]; Batch::POSITIONS];
        for (group, &to) in groups.iter_mut().zip(&list[next..end]) {
            *group = before.get(to as usize);
        }
        self.moves.clear();
        for (group, &to) in groups.iter().zip(&list[next..end]) {
            self.moves.extend(group.iter().map(|&from| (from, to)));
        }
        self.words.clear();
        self.words.extend(self.moves.iter().map(|&(from, _)| cells[from as usize].word));
        end
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use richman_core::ParityArenaBuilder;
    use richman_core::{ParityLabel, PositionKind, Priority};

    use super::*;

    /// The search for cycles changes no winner, and each winner's moves stay where that winner
    /// wins.
    #[test]
    fn cycles_change_no_winner() {
        let mut by_cycles = 0;
        for seed in 0..400 {
            let mut rng = Rng::with_seed(seed);
            let (count, priorities) = (rng.u32(1..60), rng.u32(1..30));
            let mut builder = ParityArenaBuilder::new();
            for _ in 0..count {
                let owner = Player::BOTH[rng.usize(..2)];
                let to: Vec<(u32, ())> = (0..rng.usize(1..4)).map(|_| (rng.u32(..count), ())).collect();
                let label = ParityLabel { priority: Priority(rng.u32(..priorities)), kind: PositionKind::Owned(owner) };
                let of = |player| if player == owner { &to[..] } else { &[] };
                builder.labelled(of(Player::Alice), of(Player::Bob), label);
            }
            let (arena, effort) = (builder.build(0).unwrap(), Effort::default());
            let search = || Search::new(&arena, arena.edges(), "a test", &effort).unwrap();
            let [first, never] = [0, usize::MAX / arena.edges()].map(|passes| search().solved(passes).unwrap());
            assert_eq!(first.winners, never.winners, "seed {seed}: {arena:?}");
            for won in [first, never] {
                for node in arena.nodes() {
                    let (winner, to) = (won.winners[node as usize], won.moves[node as usize]);
                    let moves = arena.moves(node, winner);
                    assert_eq!(moves.is_empty(), to == NOWHERE, "seed {seed}: {arena:?}");
                    assert!(to == NOWHERE || moves.contains(&to) && won.winners[to as usize] == winner);
                }
            }
            let mut search = search();
            search.win_alone().unwrap();
            by_cycles += u32::from(search.open < arena.len());
        }
        assert!(by_cycles > 100, "{by_cycles}");
    }
}
