//! Upper bounds on Alice's thresholds, from the next three turns.
//!
//! Her *hopes* are sets of open cells: if she fills one of them, she wins. Only the next cell of a
//! column is considered, and only sets of one or two cells. A bound then follows from the
//! definition of a turn, if she plays for her hopes alone and whatever Bob does is as bad for her
//! as it can be. Once anybody has moved, his next stone is taken to win: it may be above the stone
//! played. Before that, it wins if he has a line that lacks one open cell.

use richman_core::{ByPlayer, Player, cells};
use richman_lines::board::LineBoard;
use rustc_hash::FxHashMap;

/// The number of turns considered. A bound is a multiple of 2^-`TURNS`.
const TURNS: u32 = 3;

/// Bounds for the positions that fill one shape.
pub(super) struct LeafNeeds {
    bits: u32,
    /// Different sets of open cells.
    hopes: Vec<u64>,
    /// Her free stones that make a set a hope, and the number of the set.
    lines: Vec<(u64, usize)>,
    /// The free cells that Bob must all have to win with his next stone.
    threats: Vec<u64>,
    /// Known bounds, by her hopes and whether Bob has a threat.
    known: FxHashMap<(u128, bool), u64>,
}

impl LeafNeeds {
    /// The lines in a shape with fixed stones; bounds are in units of 2^-`bits`.
    pub(super) fn new(board: &LineBoard, fixed: ByPlayer<u64>, shape: u64, bits: u32) -> LeafNeeds {
        let free: Vec<u64> = cells(shape & !(fixed.alice | fixed.bob)).collect();
        let open = board.open(shape);
        let lines = |player: Player, most: u32| {
            let lines = board.lines(player).iter().filter(move |line| *line & fixed[player.other()] == 0);
            let lacking = lines.map(move |line| (line, line & !shape));
            lacking.filter(move |(_, lacks)| lacks & !open == 0 && (1..=most).contains(&lacks.count_ones()))
        };
        let own = |line: &u64| (0..).zip(&free).map(|(bit, cell)| u64::from(line & cell != 0) << bit).sum::<u64>();
        let (mut hopes, mut known): (Vec<u64>, Vec<(u64, usize)>) = (Vec::new(), Vec::new());
        for (line, lacks) in lines(Player::Alice, 2) {
            let number = hopes.iter().position(|hope| *hope == lacks);
            // A set is 128 bits; more hopes would only lower the bound.
            let Some(number) = number.or((hopes.len() < 128).then_some(hopes.len())) else { continue };
            if number == hopes.len() {
                hopes.push(lacks);
            }
            known.push((own(line), number));
        }
        let threats = lines(Player::Bob, 1).map(|(line, _)| own(line)).collect();
        LeafNeeds { bits, hopes, lines: known, threats, known: FxHashMap::default() }
    }

    /// The bound at a position without a complete line.
    pub(super) fn need(&mut self, position: u64) -> u64 {
        let hers = self.lines.iter().filter(|(stones, _)| stones & !position == 0);
        let hopes = hers.fold(0_u128, |hopes, (_, number)| hopes | 1 << number);
        if hopes == 0 {
            return 1 << self.bits;
        }
        let threat = self.threats.iter().any(|stones| stones & position == 0);
        let own = &self.hopes;
        let parts = *self.known.entry((hopes, threat)).or_insert_with(|| {
            let hopes = own.iter().enumerate().filter(|(number, _)| hopes >> number & 1 == 1);
            bound(&hopes.map(|(_, hope)| *hope).collect::<Vec<_>>(), threat, TURNS)
        });
        parts << (self.bits - TURNS)
    }
}

/// The bound in units of 2^-`TURNS`.
fn bound(hopes: &[u64], threat: bool, turns: u32) -> u64 {
    let all = 1 << TURNS;
    if turns == 0 || hopes.is_empty() {
        return all;
    }
    let after_hers = |cell: u64| {
        if hopes.contains(&cell) {
            return 0;
        }
        bound(&hopes.iter().map(|hope| hope & !cell).collect::<Vec<_>>(), true, turns - 1)
    };
    let after_his =
        |cell: u64| bound(&hopes.iter().filter(|hope| *hope & cell == 0).copied().collect::<Vec<_>>(), true, turns - 1);
    let hopeful = || cells(hopes.iter().fold(0, |all, hope| all | hope));
    let least = hopeful().map(after_hers).min().unwrap_or(all);
    // A stone elsewhere takes no hope from her.
    let most = if threat { all } else { hopeful().map(after_his).max().unwrap_or(all) };
    (least + most) / 2
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Alice's threshold, as a share, by the plainest recursion.
    fn need(board: &LineBoard, stones: ByPlayer<u64>, known: &mut HashMap<[u64; 2], f64>) -> f64 {
        if board.has_line(Player::Alice, stones.alice) {
            return 0.0;
        }
        if board.has_line(Player::Bob, stones.bob) {
            return 1.0;
        }
        if let Some(need) = known.get(&[stones.alice, stones.bob]) {
            return *need;
        }
        let open = board.open(stones.alice | stones.bob);
        let (mut least, mut most) = (1.0_f64, if open == 0 { 1.0 } else { 0.0_f64 });
        for cell in cells(open) {
            least = least.min(need(board, ByPlayer { alice: stones.alice | cell, ..stones }, known));
            most = most.max(need(board, ByPlayer { bob: stones.bob | cell, ..stones }, known));
        }
        known.insert([stones.alice, stones.bob], (least + most) / 2.0); // few cells: no rounding
        (least + most) / 2.0
    }

    #[test]
    fn no_bound_is_below_the_need() {
        let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let columns = |cell: usize| if cell < 3 { 0 } else { 1 << (cell - 3) };
        let own = ByPlayer::new(lines[..6].to_vec(), lines.to_vec());
        let (mut at, mut tight) = (0, 0);
        for (support, lines) in [
            ((0..9).map(columns).collect(), own.clone()),
            (vec![0; 9], own),
            // A stone of hers on the first cell opens the second, where Bob wins.
            (vec![0, 1, 0, 0, 0], ByPlayer::new(vec![0b00101, 0b01001], vec![0b10010])),
        ] {
            let board = LineBoard::new(support, lines).unwrap();
            let all = 1_u64 << board.cells();
            let mut known = HashMap::new();
            for shape in (0..all).filter(|shape| cells(*shape).all(|cell| board.open(shape & !cell) & cell != 0)) {
                let mut leaves = LeafNeeds::new(&board, ByPlayer::both(0), shape, 10);
                let filled: Vec<u64> = cells(shape).collect();
                for position in 0..1_u64 << filled.len() {
                    let own = filled.iter().enumerate().filter(|(bit, _)| position >> bit & 1 == 1);
                    let alice = own.map(|(_, cell)| cell).sum::<u64>();
                    let stones = ByPlayer::new(alice, shape & !alice);
                    if Player::BOTH.into_iter().any(|player| board.has_line(player, stones[player])) {
                        continue;
                    }
                    let (bound, need) = (leaves.need(position) as f64 / 1024.0, need(&board, stones, &mut known));
                    assert!(need <= bound, "{stones:?}: {need} of at most {bound}");
                    (at, tight) = (at + 1, tight + usize::from(need == bound && bound < 1.0));
                }
            }
        }
        assert!(at > 1000 && tight > at / 10, "{tight} of {at} bounds are exact");
    }
}
