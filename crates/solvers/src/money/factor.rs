//! Direct solution of sparse linear systems, over doubles and over a prime field.
//!
//! Unknowns are eliminated in the order of least fill. A dense remainder is factored as a dense
//! matrix. The systems belong to random walks that terminate, so every pivot on the diagonal is
//! positive (an M-matrix). Over the prime field a pivot can vanish by accident, which is reported.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

/// The modulus 2^31 - 1: products of residues fit in 64 bits and are reduced by shifts.
pub(super) const PRIME: u64 = (1 << 31) - 1;

/// Numbers on which elimination works.
pub(super) trait Field: Copy + PartialEq + Send + Sync {
    const ZERO: Self;
    fn of(value: i64) -> Self;
    /// self + a * b
    fn add_mul(self, a: Self, b: Self) -> Self;
    fn negate(self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn inverse(self) -> Option<Self>;

    fn dot(a: &[Self], b: &[Self]) -> Self {
        a.iter().zip(b).fold(Self::ZERO, |sum, (&a, &b)| sum.add_mul(a, b))
    }
}

impl Field for f64 {
    const ZERO: f64 = 0.0;

    fn of(value: i64) -> f64 {
        value as f64
    }

    fn add_mul(self, a: f64, b: f64) -> f64 {
        self + a * b
    }

    fn negate(self) -> f64 {
        -self
    }

    fn mul(self, other: f64) -> f64 {
        self * other
    }

    fn inverse(self) -> Option<f64> {
        const SMALLEST: f64 = 1e-280;
        (self.abs() > SMALLEST).then(|| 1.0 / self)
    }
}

/// A residue modulo [`PRIME`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Residue(pub u32);

fn reduced(value: u64) -> u32 {
    let folded = (value & PRIME) + (value >> 31); // below 2^33
    let folded = (folded & PRIME) + (folded >> 31);
    if folded >= PRIME { (folded - PRIME) as u32 } else { folded as u32 }
}

impl Field for Residue {
    const ZERO: Residue = Residue(0);

    fn of(value: i64) -> Residue {
        Residue(value.rem_euclid(PRIME as i64) as u32)
    }

    fn add_mul(self, a: Residue, b: Residue) -> Residue {
        Residue(reduced(u64::from(self.0) + u64::from(a.0) * u64::from(b.0)))
    }

    fn negate(self) -> Residue {
        Residue(if self.0 == 0 { 0 } else { PRIME as u32 - self.0 })
    }

    fn mul(self, other: Residue) -> Residue {
        Residue(reduced(u64::from(self.0) * u64::from(other.0)))
    }

    fn inverse(self) -> Option<Residue> {
        if self.0 == 0 {
            return None;
        }
        let (mut result, mut base, mut exponent) = (Residue(1), self, PRIME - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(base);
            }
            base = base.mul(base);
            exponent >>= 1;
        }
        Some(result)
    }

    /// Reduces each product by one step, in vector lanes.
    fn dot(a: &[Residue], b: &[Residue]) -> Residue {
        const LANES: usize = 8;
        let mut sums = [0u64; LANES]; // each below 2^32 + 2^31
        let (a, b) = (a.chunks(LANES), b.chunks(LANES));
        for (a, b) in a.zip(b) {
            for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                let next = *sum + u64::from(a.0) * u64::from(b.0);
                *sum = (next & PRIME) + (next >> 31);
            }
        }
        Residue(reduced(sums.iter().sum()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotFactored {
    /// The factors have too many entries.
    TooDense,
    Singular,
    Stopped,
}

/// The most entries that may be held, and the largest dense remainder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    pub entries: usize,
    pub dense: usize,
}

impl Fill {
    /// The limits that fit in `memory` bytes. An entry takes up to 16 bytes, is held twice while
    /// rows are merged, and lists grow by doubling; a dense cell takes up to 8.
    pub fn within(self, memory: u64) -> Fill {
        let entries = usize::try_from(memory / 2 / 64).unwrap_or(usize::MAX);
        let dense = (memory / 2 / 8).isqrt() as usize;
        Fill { entries: self.entries.min(entries), dense: self.dense.min(dense) }
    }
}

pub(super) struct Factor<F> {
    pivots: Vec<Pivot<F>>,
    below: Vec<(u32, F)>,
    right: Vec<(u32, F)>,
    rest: Vec<u32>,
    /// Factored in place: multipliers below the diagonal, inverse pivots on it.
    dense: Vec<F>,
}

struct Pivot<F> {
    row: u32,
    inverse: F,
    /// Ends of the runs in `below` and `right`.
    below: usize,
    right: usize,
}

impl<F: Field> Factor<F> {
    /// Factors the matrix with these rows of (column, value), including every diagonal entry.
    pub fn new(mut rows: Vec<Vec<(u32, F)>>, fill: Fill, stop: &dyn Fn() -> bool) -> Result<Factor<F>, NotFactored> {
        let count = rows.len();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut entries = 0;
        for (r, row) in rows.iter_mut().enumerate() {
            row.sort_unstable_by_key(|entry| entry.0);
            entries += row.len();
            for &(c, _) in row.iter() {
                columns[c as usize].push(r as u32);
            }
        }
        let mut factor =
            Factor { pivots: Vec::new(), below: Vec::new(), right: Vec::new(), rest: Vec::new(), dense: Vec::new() };
        let cost = |row: &[(u32, F)], column: &[u32]| (row.len() as u64 - 1) * (column.len() as u64 - 1);
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> =
            (0..count).map(|v| Reverse((cost(&rows[v], &columns[v]), v as u32))).collect();
        let mut gone = vec![false; count];
        let mut left = count;
        let mut merged: Vec<(u32, F)> = Vec::new();
        while let Some(Reverse((known, pivot))) = queue.pop() {
            let v = pivot as usize;
            let now = cost(&rows[v], &columns[v]);
            if now > known {
                queue.push(Reverse((now, pivot)));
                continue;
            }
            // Dense arithmetic is about ten times as fast as merging rows.
            if entries > left * left / 8 && left > 64 {
                break;
            }
            if factor.below.len() + factor.right.len() + entries > fill.entries {
                return Err(NotFactored::TooDense);
            }
            if left.is_multiple_of(256) && stop() {
                return Err(NotFactored::Stopped);
            }
            gone[v] = true;
            left -= 1;
            let row = std::mem::take(&mut rows[v]);
            entries -= row.len();
            let Some(inverse) = row.iter().find(|entry| entry.0 == pivot).and_then(|entry| entry.1.inverse()) else {
                return Err(NotFactored::Singular);
            };
            for &(c, _) in &row {
                if c != pivot {
                    let column = &mut columns[c as usize];
                    if let Some(at) = column.iter().position(|&r| r == pivot) {
                        column.swap_remove(at);
                    }
                }
            }
            for r in std::mem::take(&mut columns[v]) {
                if r == pivot {
                    continue;
                }
                let old = std::mem::take(&mut rows[r as usize]);
                let Some(&(_, value)) = old.iter().find(|entry| entry.0 == pivot) else { continue };
                let multiplier = value.mul(inverse).negate();
                factor.below.push((r, multiplier));
                merged.clear();
                let (mut i, mut j) = (0, 0);
                while i < old.len() || j < row.len() {
                    let left = old.get(i).map_or(u32::MAX, |entry| entry.0);
                    let right = row.get(j).map_or(u32::MAX, |entry| entry.0);
                    let c = left.min(right);
                    let mut value = F::ZERO;
                    if left == c {
                        value = old[i].1;
                        i += 1;
                    }
                    if right == c {
                        value = value.add_mul(multiplier, row[j].1);
                        j += 1;
                    }
                    if c != pivot {
                        merged.push((c, value));
                        if left != c {
                            columns[c as usize].push(r);
                        }
                    }
                }
                entries = entries + merged.len() - old.len();
                rows[r as usize] = merged.clone();
            }
            factor.right.extend(row.iter().filter(|entry| entry.0 != pivot));
            let (below, right) = (factor.below.len(), factor.right.len());
            factor.pivots.push(Pivot { row: pivot, inverse, below, right });
        }
        factor.finish_dense(&rows, &gone, fill, stop)?;
        Ok(factor)
    }

    fn finish_dense(
        &mut self,
        rows: &[Vec<(u32, F)>],
        gone: &[bool],
        fill: Fill,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), NotFactored> {
        const PARALLEL: usize = 192;
        self.rest = (0..rows.len() as u32).filter(|&v| !gone[v as usize]).collect();
        let size = self.rest.len();
        if size > fill.dense {
            return Err(NotFactored::TooDense);
        }
        let mut column = vec![0u32; rows.len()];
        for (i, &v) in self.rest.iter().enumerate() {
            column[v as usize] = i as u32;
        }
        self.dense = vec![F::ZERO; size * size];
        for (i, &v) in self.rest.iter().enumerate() {
            for &(c, value) in &rows[v as usize] {
                self.dense[i * size + column[c as usize] as usize] = value;
            }
        }
        for k in 0..size {
            if k % 64 == 0 && stop() {
                return Err(NotFactored::Stopped);
            }
            let (above, below) = self.dense.split_at_mut((k + 1) * size);
            let top = &mut above[k * size..];
            let inverse = top[k].inverse().ok_or(NotFactored::Singular)?;
            top[k] = inverse;
            let top = &*top;
            let update = |row: &mut [F]| {
                if row[k] == F::ZERO {
                    return;
                }
                let multiplier = row[k].mul(inverse).negate();
                row[k] = multiplier;
                for (cell, &value) in row[k + 1..].iter_mut().zip(&top[k + 1..]) {
                    *cell = cell.add_mul(multiplier, value);
                }
            };
            if size - k > PARALLEL {
                below.par_chunks_mut(size).with_min_len(32).for_each(update);
            } else {
                below.chunks_mut(size).for_each(update);
            }
        }
        Ok(())
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let entries = (self.below.capacity() + self.right.capacity()) * size_of::<(u32, F)>();
        let pivots = self.pivots.capacity() * size_of::<Pivot<F>>();
        (entries + pivots + self.rest.capacity() * 4 + self.dense.capacity() * size_of::<F>()) as u64
    }

    /// Solves in place for the right-hand side in `x`.
    pub fn solve(&self, x: &mut [F]) {
        let mut start = 0;
        for pivot in &self.pivots {
            let value = x[pivot.row as usize];
            if value != F::ZERO {
                for &(r, multiplier) in &self.below[start..pivot.below] {
                    x[r as usize] = x[r as usize].add_mul(multiplier, value);
                }
            }
            start = pivot.below;
        }
        let size = self.rest.len();
        let mut y: Vec<F> = self.rest.iter().map(|&v| x[v as usize]).collect();
        for i in 0..size {
            let row = &self.dense[i * size..i * size + i];
            y[i] = y[i].add_mul(F::of(1), F::dot(row, &y[..i]));
        }
        for i in (0..size).rev() {
            let row = &self.dense[i * size..(i + 1) * size];
            let sum = F::dot(&row[i + 1..], &y[i + 1..]);
            y[i] = y[i].add_mul(sum.negate(), F::of(1)).mul(row[i]);
        }
        for (&v, value) in self.rest.iter().zip(y) {
            x[v as usize] = value;
        }
        for (i, pivot) in self.pivots.iter().enumerate().rev() {
            let start = if i == 0 { 0 } else { self.pivots[i - 1].right };
            let sum = self.right[start..pivot.right]
                .iter()
                .fold(F::ZERO, |sum, &(c, value)| sum.add_mul(value, x[c as usize]));
            let v = pivot.row as usize;
            x[v] = x[v].add_mul(sum.negate(), F::of(1)).mul(pivot.inverse);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of 2 I - (two successors); the number `count` stands for leaving.
    fn walk(count: u32, rng: &mut fastrand::Rng) -> Vec<Vec<(u32, i64)>> {
        (0..count)
            .map(|v| {
                let mut row = vec![(v, 2i64)];
                for to in [rng.u32(..=count), rng.u32(..=count)] {
                    match row.iter_mut().find(|entry| entry.0 == to) {
                        Some(entry) => entry.1 -= 1,
                        None if to < count => row.push((to, -1)),
                        None => {}
                    }
                }
                row
            })
            .collect()
    }

    #[test]
    fn sums_of_products_are_those_one_by_one() {
        let most = PRIME as u32 - 1;
        for length in [0, 1, 7, 8, 9, 100] {
            let a: Vec<Residue> = (0..length).map(|at| Residue(most - at % 3)).collect();
            let b: Vec<Residue> = (0..length).map(|at| Residue(if at % 5 == 0 { at } else { most })).collect();
            let sum = a.iter().zip(&b).fold(Residue::ZERO, |sum, (&a, &b)| sum.add_mul(a, b));
            assert_eq!(Residue::dot(&a, &b), sum);
        }
    }

    #[test]
    fn solutions_satisfy_the_system() {
        let mut rng = fastrand::Rng::with_seed(1);
        for count in [1, 2, 5, 30, 300] {
            let rows = walk(count, &mut rng);
            let fill = Fill { entries: 1 << 22, dense: 1 << 10 };
            let residues = rows.iter().map(|row| row.iter().map(|&(c, v)| (c, Residue::of(v))).collect()).collect();
            let Ok(factor) = Factor::<Residue>::new(residues, fill, &|| false) else { continue };
            let b: Vec<Residue> = (0..count).map(|_| Residue::of(rng.i64(..1 << 32))).collect();
            let mut x = b.clone();
            factor.solve(&mut x);
            for (row, expected) in rows.iter().zip(&b) {
                let sum = row.iter().fold(Residue::ZERO, |sum, &(c, v)| sum.add_mul(Residue::of(v), x[c as usize]));
                assert_eq!(sum, *expected);
            }
        }
    }
}
