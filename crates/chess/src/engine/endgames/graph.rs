//! The moves of a class in flat arrays, with the known values of moves that leave it.

use crate::board::{ChessBoard, ChessIndex};
use rayon::prelude::*;
use richman_core::{ByPlayer, Effort, Error, Player};

use super::FIXED_POINT_UNIT;

/// Moves that stay in the class, and the best of those that leave it.
pub(super) struct Graph {
    pub(super) size: usize,
    /// The moves of player p from v are `targets[p][offsets[p][v]..offsets[p][v + 1]]`.
    offsets: ByPlayer<Vec<u32>>,
    targets: ByPlayer<Vec<u32>>,
    /// `exits[p][c][v]`: the best that player p reaches by a move out of the class, as a chance of
    /// player c. Without such a move, 0 if c is p, else [`NONE`].
    exits: ByPlayer<ByPlayer<Vec<u64>>>,
}

/// The chances of both players at positions of other classes.
pub(super) type SolvedClasses<'a> = dyn Fn(&ChessBoard) -> Option<ByPlayer<u64>> + Sync + 'a;

/// The exit of the other player if no move leaves the class.
pub(super) const NONE: u64 = u64::MAX;

impl Graph {
    /// All moves of a class. `known` gives the values of the classes they lead to, which hold
    /// `bytes`.
    pub(super) fn new(index: &ChessIndex, known: &SolvedClasses, bytes: u64, effort: &Effort) -> Result<Graph, Error> {
        const CHUNK: u64 = 1 << 12;
        let size = index.size();
        effort.check_memory("solving the class", super::memory(index) + bytes)?;
        let chunks = size.div_ceil(CHUNK);
        let empty = || Graph {
            size: size as usize,
            offsets: ByPlayer::both(vec![0]),
            targets: ByPlayer::default(),
            exits: ByPlayer::default(),
        };
        let done = std::sync::atomic::AtomicU64::new(0);
        let parts: Vec<Graph> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                effort.check_cancelled()?;
                let so_far = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                effort.watch.progress("moves", so_far * CHUNK, Some(size));
                let mut part = empty();
                for rank in chunk * CHUNK..size.min((chunk + 1) * CHUNK) {
                    part.add(index, index.unrank(rank), known)?;
                }
                Ok(part)
            })
            .collect::<Result<_, Error>>()?;
        let mut graph = empty();
        for player in Player::BOTH {
            let moves = parts.iter().map(|part| part.targets[player].len()).sum();
            if u32::try_from(moves).is_err() {
                let what = format!("the class {} with {moves} moves of a player", index.class());
                return Err(Error::unsupported(what, "classes with fewer than 2^32"));
            }
            graph.targets[player].reserve_exact(moves);
        }
        for part in parts {
            for player in Player::BOTH {
                let before = graph.targets[player].len() as u32;
                graph.offsets[player].extend(part.offsets[player][1..].iter().map(|end| before + end));
                graph.targets[player].extend_from_slice(&part.targets[player]);
                for chance in Player::BOTH {
                    graph.exits[player][chance].extend_from_slice(&part.exits[player][chance]);
                }
            }
        }
        Ok(graph)
    }

    #[inline]
    pub(super) fn moves(&self, player: Player, v: usize) -> &[u32] {
        let offsets = &self.offsets[player];
        &self.targets[player][offsets[v] as usize..offsets[v + 1] as usize]
    }

    /// The best that `mover` reaches by leaving the class, as a chance of `player`.
    #[inline]
    pub(super) fn exit(&self, mover: Player, player: Player, v: usize) -> u64 {
        self.exits[mover][player][v]
    }

    /// Adds the next position. Numbers without a position are worth 0 to both players.
    fn add(&mut self, index: &ChessIndex, board: Option<ChessBoard>, known: &SolvedClasses) -> Result<(), Error> {
        for mover in Player::BOTH {
            let exits = board.map_or(Ok(ByPlayer::both(0)), |board| self.moves_of(index, &board, mover, known))?;
            self.offsets[mover].push(self.targets[mover].len() as u32);
            self.exits[mover].iter_mut().zip(exits).for_each(|(into, exit)| into.push(exit));
        }
        Ok(())
    }

    /// Appends the moves that stay in the class; returns the best of the others as both players'
    /// chances.
    fn moves_of(
        &mut self,
        index: &ChessIndex,
        board: &ChessBoard,
        mover: Player,
        known: &SolvedClasses,
    ) -> Result<ByPlayer<u64>, Error> {
        let mut stays = Vec::with_capacity(64);
        let mut exits = ByPlayer::both(NONE);
        exits[mover] = 0;
        if board.threatens_king(mover) {
            exits[mover] = FIXED_POINT_UNIT;
            exits[mover.other()] = 0;
            return Ok(exits);
        }
        let mut moves = 0;
        let mut unknown = None;
        board.each_move(mover, |made| {
            moves += 1;
            let next = board.after(mover, made);
            let leaves = made.promotion.is_some() || board.occupied() & (1 << made.to) != 0;
            if !leaves {
                stays.push(index.rank(&next) as u32);
                return;
            }
            let Some(chances) = known(&next) else {
                unknown = Some(next);
                return;
            };
            let other = mover.other();
            exits[mover] = exits[mover].max(chances[mover]);
            exits[other] = exits[other].min(chances[other]);
        });
        if let Some(next) = unknown {
            return Err(super::without(&next));
        }
        if moves == 0 {
            return Err(Error::DeadEnd { position: board.notation(), player: mover });
        }
        stays.sort_unstable();
        stays.dedup();
        self.targets[mover].extend(stays);
        Ok(exits)
    }
}
