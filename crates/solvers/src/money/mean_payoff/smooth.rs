//! Potentials of play with random moves, better ones being likelier. As the temperature falls, it
//! tends to best play.
//!
//! On a grid, and wherever the coin is nearly fair, strategies improve slowly. The chances of
//! random moves change smoothly with the potentials, so Newton's method finds these: first where
//! all moves are nearly equally likely, then from each heat to a lower one.

use std::cell::Cell;

use richman_core::Watch;

use super::super::factor::Factor;
use super::super::krylov::{System, dot, each};
use super::super::policy::thin;
use super::turns::{Turns, center, width};

/// The discount of later moves in the first step, which keeps the steps short.
const FIRST_LOSS: f64 = 1e-3;

pub(super) struct Cooling<'a> {
    pub turns: &'a Turns,
    /// Bytes that a factorisation may take.
    pub memory: u64,
    pub until: &'a dyn Watch,
    /// Whether iteration alone no longer solves the systems.
    pub is_slow: Cell<bool>,
}

impl Cooling<'_> {
    /// Cools until one turn of best play changes all potentials by the same number, up to `narrow`.
    /// Returns the last potentials found; worse ones if Newton's method fails earlier.
    pub fn potentials(&self, narrow: f64) -> Vec<f64> {
        /// The next heat as a part of this one: the first try, and the least and the greatest.
        const PART: f64 = 0.6;
        const LEAST_PART: f64 = 0.01;
        const MOST_PART: f64 = 0.8;
        /// The heat, as a part of the greatest difference of weights, below which the likeliest
        /// moves stay the same.
        const SETTLED: f64 = 1e-5;
        const HEATS: u64 = 200;
        let mut worth = vec![0.0; self.turns.len()];
        let mut heat = f64::max(self.turns.scale(), narrow);
        let (mut part, mut loss) = (PART, FIRST_LOSS);
        for done in 0..HEATS {
            self.until.progress("heats", done, None);
            if let Some((found, steps)) = self.newton(&worth, heat, narrow, &mut loss) {
                worth = found;
                let is_settled = steps <= 2 && heat <= SETTLED * self.turns.scale();
                if is_settled || width(&self.turns.changes(&worth)) <= narrow {
                    break;
                }
                part = match steps {
                    0..=2 => f64::max(part / 2.0, LEAST_PART),
                    3..=10 => part,
                    _ => part.sqrt(),
                };
            } else {
                heat /= part;
                part = part.sqrt();
            }
            if part > MOST_PART || self.until.cancelled() {
                break;
            }
            heat *= part;
        }
        worth
    }

    /// The potentials for this heat from nearly those, and the number of steps; `None` if the steps
    /// do not converge. Later moves are discounted by `loss`, which falls as the steps improve.
    fn newton(&self, from: &[f64], heat: f64, narrow: f64, loss: &mut f64) -> Option<(Vec<f64>, usize)> {
        const NEAR: f64 = 0.6;
        const STEPS: usize = 40;
        const HALVINGS: i32 = 5;
        const LEAST_LOSS: f64 = 1e-12;
        const MOST_LOSS: f64 = 0.1;
        let norm = |changes: &[f64]| dot(changes, changes);
        let before = *loss;
        let mut worth = from.to_vec();
        let (mut changes, mut chances) = self.turns.drawn(&worth, heat);
        for steps in 0..STEPS {
            if width(&changes) <= (NEAR * heat).max(narrow / 4.0) {
                return Some((worth, steps));
            }
            if self.until.cancelled() || *loss > MOST_LOSS {
                break;
            }
            let step = self.step(&changes, &chances, *loss)?;
            let shorter = (0..HALVINGS).find_map(|halvings| {
                let length = 0.5f64.powi(halvings);
                let mut next: Vec<f64> = worth.iter().zip(&step).map(|(worth, step)| worth + length * step).collect();
                center(&mut next);
                let found = self.turns.drawn(&next, heat);
                (norm(&found.0) < (1.0 - 0.1 * length).powi(2) * norm(&changes)).then_some((next, found, halvings))
            });
            let change = match &shorter {
                Some((.., 0)) => 0.1,
                Some((.., 1)) => 1.0,
                Some(_) => 4.0,
                None => 30.0,
            };
            *loss = f64::max(*loss * change, LEAST_LOSS);
            if let Some((next, found, _)) = shorter {
                (worth, (changes, chances)) = (next, found);
            }
        }
        *loss = before;
        None
    }

    /// The change of the potentials that cancels these changes by a turn, with fixed chances.
    fn step(&self, changes: &[f64], chances: &[f64], loss: f64) -> Option<Vec<f64>> {
        const PART: f64 = 0.01;
        const FEW: usize = 150;
        const MANY: usize = 3_000;
        let norm = |x: &[f64]| dot(x, x).sqrt();
        let tolerance = PART * norm(changes);
        let stop = || self.until.cancelled();
        let apply = |x: &[f64], into: &mut [f64]| {
            each(into, |v| {
                let moves = self.turns.moves(v);
                let after = moves.clone().zip(&chances[moves]);
                let after: f64 = after.map(|(index, chance)| chance * x[self.turns.targets[index] as usize]).sum();
                (1.0 + loss) * x[v] - after
            });
            center(into); // the average may be anything
        };
        let mut step = vec![0.0; changes.len()];
        let plain = System { apply: &apply, nearly: None, norm };
        if !self.is_slow.get() && plain.solve(changes, &mut step, tolerance, FEW, &stop) {
            return Some(step);
        }
        self.is_slow.set(true);
        let solved = match self.factor(chances, loss, &stop) {
            None => plain.solve(changes, &mut step, tolerance, MANY, &stop),
            Some(factor) => {
                step.fill(0.0);
                let nearly = |x: &mut [f64]| {
                    factor.solve(x);
                    center(x);
                };
                System { apply: &apply, nearly: Some(&nearly), norm }.solve(changes, &mut step, tolerance, FEW, &stop)
            }
        };
        solved.then_some(step)
    }

    /// The system of the likelier moves alone, if it does not fill in.
    fn factor(&self, chances: &[f64], loss: f64, stop: &dyn Fn() -> bool) -> Option<Factor<f64>> {
        const RARE: f64 = 0.03;
        let row = |v: usize| {
            let mut row = vec![(v as u32, 1.0 + loss)];
            for index in self.turns.moves(v).filter(|&index| chances[index] >= RARE) {
                let to = self.turns.targets[index];
                match row.iter_mut().find(|entry| entry.0 == to) {
                    Some(entry) => entry.1 -= chances[index],
                    None => row.push((to, -chances[index])),
                }
            }
            row
        };
        let count = self.turns.len();
        Factor::new((0..count).map(row).collect(), thin(count).within(self.memory), stop).ok()
    }
}
