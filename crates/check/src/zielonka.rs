//! Parity games in which one player moves at each position, by Zielonka's recursion. It serves as a
//! judge: small, from the textbook, without bids.

use richman_core::{ByPlayer, Player};

/// A parity game: the greatest priority that occurs infinitely often is even if Alice wins.
#[derive(Debug, Clone, Default)]
pub struct TurnGame {
    owners: Vec<Player>,
    priorities: Vec<u32>,
    successors: Vec<Vec<usize>>,
}

impl TurnGame {
    /// Adds a position without moves and returns its number.
    pub fn add(&mut self, owner: Player, priority: u32) -> usize {
        self.owners.push(owner);
        self.priorities.push(priority);
        self.successors.push(Vec::new());
        self.owners.len() - 1
    }

    /// Gives a position its moves; every position needs one.
    pub fn set_moves(&mut self, at: usize, to: Vec<usize>) {
        self.successors[at] = to;
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// For each position, whether Alice wins from there.
    pub fn won_by_alice(&self) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.len()];
        for (from, successors) in self.successors.iter().enumerate() {
            successors.iter().for_each(|&to| predecessors[to].push(from));
        }
        self.regions(&predecessors, vec![true; self.len()]).alice
    }

    /// The two winning regions of the game restricted to `inside`, from which no player can be
    /// forced out.
    fn regions(&self, predecessors: &[Vec<usize>], inside: Vec<bool>) -> ByPlayer<Vec<bool>> {
        let nobody = vec![false; self.len()];
        let within = (0..self.len()).filter(|&at| inside[at]);
        let Some(greatest) = within.clone().map(|at| self.priorities[at]).max() else {
            return ByPlayer::both(nobody);
        };
        let player = if greatest.is_multiple_of(2) { Player::Alice } else { Player::Bob };
        let top: Vec<usize> = within.filter(|&at| self.priorities[at] == greatest).collect();
        let attracted = self.attracted(predecessors, &inside, &top, player);
        let rest = self.regions(predecessors, without(&inside, &attracted));
        let lost: Vec<usize> = (0..self.len()).filter(|&at| rest[player.other()][at]).collect();
        if lost.is_empty() {
            return ByPlayer::from_fn(|one| if one == player { inside.clone() } else { nobody.clone() });
        }
        let escaped = self.attracted(predecessors, &inside, &lost, player.other());
        let mut regions = self.regions(predecessors, without(&inside, &escaped));
        for (at, is_escaped) in escaped.iter().enumerate() {
            regions[player.other()][at] |= *is_escaped;
        }
        regions
    }

    /// Where `player` can force play into `goal`, all within `inside`.
    fn attracted(&self, predecessors: &[Vec<usize>], inside: &[bool], goal: &[usize], player: Player) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        goal.iter().for_each(|&at| reached[at] = true);
        let mut left: Vec<usize> =
            self.successors.iter().map(|moves| moves.iter().filter(|&&to| inside[to]).count()).collect();
        let mut open = goal.to_vec();
        while let Some(at) = open.pop() {
            for &from in &predecessors[at] {
                if !inside[from] || reached[from] {
                    continue;
                }
                left[from] -= 1;
                if self.owners[from] == player || left[from] == 0 {
                    reached[from] = true;
                    open.push(from);
                }
            }
        }
        reached
    }
}

fn without(inside: &[bool], gone: &[bool]) -> Vec<bool> {
    inside.iter().zip(gone).map(|(inside, gone)| *inside && !gone).collect()
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    fn random(rng: &mut Rng) -> TurnGame {
        let mut game = TurnGame::default();
        let count = rng.usize(1..=5);
        for _ in 0..count {
            game.add(if rng.bool() { Player::Alice } else { Player::Bob }, rng.u32(0..=4));
        }
        for at in 0..count {
            let to = (0..rng.usize(1..=3)).map(|_| rng.usize(..count)).collect();
            game.set_moves(at, to);
        }
        game
    }

    /// All ways to choose one move at every position of a player.
    fn strategies(game: &TurnGame, player: Player) -> Vec<Vec<usize>> {
        (0..game.len()).fold(vec![Vec::new()], |all, at| {
            let options = if game.owners[at] == player { game.successors[at].clone() } else { vec![usize::MAX] };
            all.iter().flat_map(|one| options.iter().map(move |&to| [&one[..], &[to]].concat())).collect()
        })
    }

    /// Whether Alice wins the only play from `start`.
    fn is_won(game: &TurnGame, start: usize, [alice, bob]: [&[usize]; 2]) -> bool {
        let (mut at, mut seen) = (start, Vec::new());
        while !seen.contains(&at) {
            seen.push(at);
            at = if game.owners[at] == Player::Alice { alice[at] } else { bob[at] };
        }
        let first = seen.iter().position(|&one| one == at).unwrap();
        seen[first..].iter().map(|&one| game.priorities[one]).max().unwrap().is_multiple_of(2)
    }

    /// Positional strategies suffice in parity games, so all of them can be tried.
    #[test]
    fn regions_are_those_of_all_positional_strategies() {
        for seed in 0..2_000 {
            let game = random(&mut Rng::with_seed(seed));
            let [alice, bob] = Player::BOTH.map(|player| strategies(&game, player));
            let wins = |start| alice.iter().any(|one| bob.iter().all(|two| is_won(&game, start, [one, two])));
            let expected: Vec<bool> = (0..game.len()).map(wins).collect();
            assert_eq!(game.won_by_alice(), expected, "seed {seed}: {game:?}");
        }
    }
}
