//! Where a player wins a parity game with certainty if a coin decides who moves.
//!
//! **Method.** Zielonka's recursion, with attractors in which the coin may help: a position joins
//! if the attracting player has a move to the attractor, or if all moves of the other player lead
//! there. Either a player wins with certainty everywhere, or the other player does somewhere. So a
//! call finds who wins the rest with certainty, and removes the positions from which that player
//! arrives there with a positive chance. **Time:** as Zielonka's recursion: usually few passes, at
//! worst exponentially many in the number of levels.

use richman_core::{ByPlayer, Error, Groups, PacedWatch, Player};

/// A parity game on numbered positions in which a coin decides who moves. If one list of moves is
/// empty, the other player moves alone; at most one is empty.
pub(super) struct CoinGame<'a> {
    pub moves: ByPlayer<Groups<u32>>,
    /// The level of each position. Its winner is `winners[level]`.
    pub levels: Vec<u32>,
    pub winners: Vec<Player>,
    pub pace: &'a PacedWatch<'a>,
    /// Bytes for lists of pending positions.
    pub room: u64,
}

/// The positions in which a call looks for those that `player` wins with certainty.
struct Call {
    player: Player,
    all: Vec<u32>,
    /// The positions not lost yet.
    left: Vec<u32>,
}

/// Who wins where, and how.
pub(super) struct Certain {
    /// Whether the player wins with certainty.
    pub wins: Vec<bool>,
    /// The player's moves where the player wins with certainty; elsewhere the moves that give the
    /// other player a chance. `None` where no move is needed.
    pub strategies: ByPlayer<Vec<Option<u32>>>,
}

impl CoinGame<'_> {
    /// Where `player` wins with certainty.
    pub fn certain(&self, player: Player) -> Result<Certain, Error> {
        let count = self.levels.len();
        let before = |player: Player| {
            let moves = &self.moves[player];
            Groups::of(count, 0, || {
                (0..count).flat_map(|v| moves.get(v).iter().map(move |&to| (to as usize, v as u32)))
            })
        };
        let mut search = CoinSearch {
            game: self,
            before: ByPlayer::new(before(Player::Alice), before(Player::Bob)),
            region: vec![0; count],
            joined: vec![0; count],
            waiting: vec![0; count],
            stamp: 0,
            strategies: ByPlayer::both(vec![None; count]),
        };
        let won = search.won(player, (0..count as u32).collect())?;
        let mut wins = vec![false; count];
        for v in won {
            wins[v as usize] = true;
        }
        Ok(Certain { wins, strategies: search.strategies })
    }
}

struct CoinSearch<'a> {
    game: &'a CoinGame<'a>,
    before: ByPlayer<Groups<u32>>,
    /// The depth of the innermost call that contains the position.
    region: Vec<u32>,
    /// The last attractor that the position joined.
    joined: Vec<u32>,
    /// Moves of the other player that have not joined, in the attractor `stamp`; 0 if not counted.
    waiting: Vec<u32>,
    stamp: u32,
    strategies: ByPlayer<Vec<Option<u32>>>,
}

impl CoinSearch<'_> {
    /// The positions of `nodes` from which `player` wins with certainty. No player can be forced to
    /// leave `nodes`. Calls are kept in a list, not on the stack, because there can be as many
    /// levels as positions.
    fn won(&mut self, player: Player, nodes: Vec<u32>) -> Result<Vec<u32>, Error> {
        let mut calls: Vec<Call> = Vec::new();
        let mut next = Some((player, nodes));
        let mut bytes = 0;
        let held = |nodes: &[u32]| 2 * size_of_val(nodes) as u64;
        loop {
            if let Some((player, nodes)) = next.take() {
                bytes += held(&nodes);
                if bytes > self.game.room {
                    let (what, limit) = ("solving the parity game", self.game.room);
                    return Err(Error::TooMuchMemory { what, needed: bytes, limit });
                }
                self.enter(&nodes, calls.len() as u32 + 1);
                calls.push(Call { player, all: nodes.clone(), left: nodes });
            }
            let depth = calls.len() as u32;
            let Some(Call { player, left, .. }) = calls.last() else { return Ok(Vec::new()) };
            let (player, other) = (*player, player.other());
            if let Some(top) = left.iter().map(|&v| self.game.levels[v as usize]).max() {
                self.game.pace.steps(left.len())?;
                let mut rest = left.clone();
                if self.game.winners[top as usize] == player {
                    let tops: Vec<u32> =
                        rest.iter().copied().filter(|&v| self.game.levels[v as usize] == top).collect();
                    tops.iter().for_each(|&v| self.stay(player, v, depth));
                    let near = self.attracted(player, tops, depth)?;
                    rest = self.without(&rest, near, depth);
                }
                next = Some((other, rest));
                continue;
            }
            // This call has ended, and so have its callers whose player loses nothing.
            while let Some(Call { all, left: lost, .. }) = calls.pop() {
                bytes -= held(&all);
                let depth = calls.len() as u32;
                self.enter(&all, depth);
                let Some(Call { player, left, .. }) = calls.last_mut() else { return Ok(lost) };
                let (other, nodes) = (player.other(), std::mem::take(left));
                self.enter(&nodes, depth);
                let is_over = lost.is_empty();
                let kept = if is_over {
                    nodes
                } else {
                    let taken = self.attracted(other, lost, depth)?;
                    self.without(&nodes, taken, depth)
                };
                calls[depth as usize - 1].left = kept;
                if !is_over {
                    break;
                }
            }
        }
    }

    fn enter(&mut self, nodes: &[u32], depth: u32) {
        for &v in nodes {
            self.region[v as usize] = depth;
        }
    }

    /// `nodes` without the nodes in `taken`, which leave this depth.
    fn without(&mut self, nodes: &[u32], taken: Vec<u32>, depth: u32) -> Vec<u32> {
        self.enter(&taken, depth - 1);
        nodes.iter().copied().filter(|&v| self.region[v as usize] == depth).collect()
    }

    /// The positions at this depth from which `player` reaches `targets` with a positive chance.
    fn attracted(&mut self, player: Player, targets: Vec<u32>, depth: u32) -> Result<Vec<u32>, Error> {
        self.stamp += 1;
        let (stamp, other) = (self.stamp, player.other());
        let mut front = targets;
        for &v in &front {
            self.joined[v as usize] = stamp;
        }
        let mut next = 0;
        while let Some(&w) = front.get(next) {
            next += 1;
            let (own, others) = (self.before[player].get(w as usize), self.before[other].get(w as usize));
            self.game.pace.steps(1 + own.len() + others.len())?;
            let is_open = |v: u32, joined: &[u32]| self.region[v as usize] == depth && joined[v as usize] != stamp;
            for &v in own {
                if is_open(v, &self.joined) {
                    self.joined[v as usize] = stamp;
                    self.strategies[player][v as usize] = Some(w);
                    front.push(v);
                }
            }
            let mut surrounded = Vec::new();
            for &v in others {
                if !is_open(v, &self.joined) {
                    continue;
                }
                let waiting = &mut self.waiting[v as usize];
                if *waiting == 0 {
                    let moves = self.game.moves[other].get(v as usize);
                    *waiting = moves.iter().filter(|&&to| self.region[to as usize] == depth).count() as u32;
                }
                *waiting -= 1;
                if *waiting == 0 {
                    self.joined[v as usize] = stamp;
                    surrounded.push(v);
                }
            }
            for v in surrounded {
                self.stay(player, v, depth);
                front.push(v);
            }
        }
        // Counts are for one attractor only.
        for &w in &front {
            for &v in self.before[other].get(w as usize) {
                self.waiting[v as usize] = 0;
            }
        }
        Ok(front)
    }

    /// Any move of the player that stays at this depth.
    fn stay(&mut self, player: Player, v: u32, depth: u32) {
        let mut moves = self.game.moves[player].get(v as usize).iter();
        self.strategies[player][v as usize] = moves.find(|&&to| self.region[to as usize] == depth).copied();
    }
}
