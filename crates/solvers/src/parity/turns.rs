//! Parity games in which one player moves at each position, by Zielonka's recursion, with the
//! winner's choices.

use richman_core::{Effort, Error};

/// No position.
pub const NOWHERE: u32 = u32::MAX;

/// A game for one player, who wins if the greatest priority that occurs infinitely often is even.
/// Positions without successors are not in the game.
#[derive(Default)]
pub struct ChoiceGame {
    /// Whether the player moves there.
    is_own: Vec<bool>,
    priorities: Vec<u32>,
    /// The place of the successors in `targets`.
    runs: Vec<[u32; 2]>,
    targets: Vec<u32>,
}

impl ChoiceGame {
    pub fn add(&mut self, is_own: bool, priority: u32) -> u32 {
        self.is_own.push(is_own);
        self.priorities.push(priority);
        self.runs.push([0, 0]);
        (self.runs.len() - 1) as u32
    }

    /// Gives a position to the other player.
    pub fn hand_over(&mut self, at: u32) {
        self.is_own[at as usize] = false;
    }

    pub fn lead(&mut self, from: u32, to: impl IntoIterator<Item = u32>) {
        let start = self.targets.len() as u32;
        self.targets.extend(to);
        self.runs[from as usize] = [start, self.targets.len() as u32];
    }

    pub fn successors(&self, at: u32) -> &[u32] {
        let [start, end] = self.runs[at as usize];
        &self.targets[start as usize..end as usize]
    }

    pub fn bytes(&self) -> u64 {
        (self.runs.len() * (size_of::<bool>() + size_of::<u32>() + size_of::<[u32; 2]>()) + 4 * self.targets.len())
            as u64
    }

    /// For each position where the player wins, whether and where they move there; and the set of
    /// these positions.
    pub fn solve(&self, effort: &Effort) -> Result<(Vec<bool>, Vec<u32>), Error> {
        let count = self.runs.len();
        let mut starts = vec![0u32; count + 1];
        for &to in &self.targets {
            starts[to as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let (mut next, mut from) = (starts.clone(), vec![0; self.targets.len()]);
        for at in 0..count as u32 {
            for &to in self.successors(at) {
                from[next[to as usize] as usize] = at;
                next[to as usize] += 1;
            }
        }
        let mut regions = Regions { game: self, starts, from, choices: vec![NOWHERE; count], effort };
        let inside = (0..count as u32).map(|at| !self.successors(at).is_empty()).collect();
        let won = regions.won(inside)?;
        Ok((won, regions.choices))
    }
}

struct Regions<'a> {
    game: &'a ChoiceGame,
    /// Predecessors of position v: `from[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    from: Vec<u32>,
    choices: Vec<u32>,
    effort: &'a Effort<'a>,
}

impl Regions<'_> {
    /// Where the player wins the game restricted to `inside`. The recursion is as deep as there are
    /// priorities.
    fn won(&mut self, mut inside: Vec<bool>) -> Result<Vec<bool>, Error> {
        let mut won = vec![false; inside.len()];
        loop {
            self.effort.check_time("finding a strategy")?;
            let within = |inside: &[bool]| (0..inside.len()).filter(|&at| inside[at]).collect::<Vec<_>>();
            let Some(greatest) = within(&inside).iter().map(|&at| self.game.priorities[at]).max() else {
                return Ok(won);
            };
            let is_own = greatest.is_multiple_of(2);
            let top: Vec<usize> =
                within(&inside).into_iter().filter(|&at| self.game.priorities[at] == greatest).collect();
            if is_own {
                self.stay(&inside, &top);
            }
            let attracted = self.attracted(&inside, top, is_own);
            let rest: Vec<bool> = inside.iter().zip(&attracted).map(|(inside, gone)| *inside && !gone).collect();
            let own = self.won(rest.clone())?;
            // Where the player loses the rest, or wins it.
            let other: Vec<usize> = (0..rest.len()).filter(|&at| rest[at] && own[at] != is_own).collect();
            if other.is_empty() {
                if is_own {
                    (0..won.len()).filter(|&at| inside[at]).for_each(|at| won[at] = true);
                }
                return Ok(won);
            }
            let escaped = self.attracted(&inside, other, !is_own);
            for at in 0..inside.len() {
                inside[at] &= !escaped[at];
                won[at] |= escaped[at] && !is_own;
            }
        }
    }

    /// At these positions any choice within `inside` is good.
    fn stay(&mut self, inside: &[bool], at: &[usize]) {
        for &at in at.iter().filter(|&&at| self.game.is_own[at]) {
            let anywhere = self.game.successors(at as u32).iter().find(|&&to| inside[to as usize]);
            self.choices[at] = anywhere.copied().unwrap_or(NOWHERE);
        }
    }

    /// Where a player can force play into `goal` within `inside`, with the player's choices if it
    /// is `own`.
    fn attracted(&mut self, inside: &[bool], goal: Vec<usize>, own: bool) -> Vec<bool> {
        let mut reached = vec![false; inside.len()];
        let mut left = vec![0u32; inside.len()];
        for &at in &goal {
            reached[at] = true;
        }
        let mut open = goal;
        while let Some(at) = open.pop() {
            for place in self.starts[at]..self.starts[at + 1] {
                let from = self.from[place as usize] as usize;
                if !inside[from] || reached[from] {
                    continue;
                }
                if self.game.is_own[from] == own {
                    if own {
                        self.choices[from] = at as u32;
                    }
                } else {
                    if left[from] == 0 {
                        let all = self.game.successors(from as u32).iter();
                        left[from] = all.filter(|&&to| inside[to as usize]).count() as u32;
                    }
                    left[from] -= 1;
                    if left[from] > 0 {
                        continue;
                    }
                }
                reached[from] = true;
                open.push(from);
            }
        }
        reached
    }
}
