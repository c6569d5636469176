//! Real money within a number of moves, where part of a bid leaves the game.
//!
//! **Formula.** A player's chance (one minus the threshold) within t moves is one turn (see `turn`)
//! from the successors' chances within t - 1 moves. Within 0 moves it is 1 where the player has won
//! and 0 everywhere else. **Source:** theorem 6 (one turn in real money) of `docs/design.md`.
//! **Accepts** every arena. **Stops** after t moves, or when no value changes. **Result:** exact
//! while denominators, which can double in bits at every move, have at most 2^12 bits; beyond that,
//! bounds in units of 2^-62, which every move widens by at most a unit. **Time and memory:** one
//! pass over the moves for each of the t moves; 16 bytes and at most one fraction per position.
//! **Checked by** the limit t = 0, 1, 2, ... on cycles, and by [`super::solve`] where t is the
//! longest play.

use richman_core::{
    Arena, Error, Mechanism, MoneySolution, Node, Player, Rate, Right, Share, Shares, StopReason, Terminal,
};

use super::bounds::ONE;
use super::reach::{MOST_BITS_REQUIRED, MOST_BITS_WITH_BANK};
use super::turn::{ceil, floor, threshold};
use richman_core::{Choice, Effort, Exactness, Remedy};

pub(super) fn solve(
    arena: &Arena,
    mechanism: &Mechanism,
    right: Right,
    moves: u32,
    effort: &Effort,
) -> Result<MoneySolution, Error> {
    let task = |player, held, most_held| LimitedTask {
        arena,
        player,
        right,
        rate: mechanism.payment.rate(),
        effort,
        held,
        most_held,
    };
    // Two rounds of values are held at a time, and Alice's last round during both of Bob's. Each
    // round leaves gaps too small for the longer numbers of later rounds.
    let left = effort.memory_left() / 4 * 3;
    let (alice, rounds) = task(Player::Alice, 0, left / 3 * 2).within(moves)?;
    let win: Vec<Value> = alice.into_iter().map(Value::complement).collect();
    let held = win.iter().map(Value::bytes).sum();
    let win = shares(win);
    let (bob, more) = task(Player::Bob, held, left).within(moves)?;
    let draw = shares(bob);
    let rounds = rounds.max(more);
    let stop = if rounds < moves { StopReason::FixedPoint { moves: rounds } } else { StopReason::Within { moves } };
    let mut solution = MoneySolution { mechanism: mechanism.clone(), win, draw, stop };
    if !solution.is_exact() {
        solution.stop = StopReason::Within { moves };
    }
    Ok(solution)
}

/// Bounds in units of 2^-62, and the exact share if known.
#[derive(Clone, PartialEq)]
struct Value {
    exact: Option<Box<Share>>,
    low: u64,
    high: u64,
}

impl Value {
    fn exact(share: Share) -> Value {
        let (low, whole) = share.floor_dyadic(Shares::BOUND_EXPONENT);
        Value { exact: Some(Box::new(share)), low, high: low + u64::from(!whole) }
    }

    fn bytes(&self) -> u64 {
        size_of::<Value>() as u64 + self.exact.as_ref().map_or(0, |share| share.bytes())
    }

    fn complement(mut self) -> Value {
        if let Some(share) = &mut self.exact {
            **share = share.complement();
        }
        Value { exact: self.exact, low: ONE - self.high, high: ONE - self.low }
    }

    /// The better of two values for the player, or bounds on it.
    fn max(a: Value, b: &Value) -> Value {
        if a.surely_at_least(b) {
            a
        } else if b.surely_at_least(&a) {
            b.clone()
        } else {
            Value { exact: None, low: a.low.max(b.low), high: a.high.max(b.high) }
        }
    }

    fn min(a: Value, b: &Value) -> Value {
        if b.surely_at_least(&a) {
            a
        } else if a.surely_at_least(b) {
            b.clone()
        } else {
            Value { exact: None, low: a.low.min(b.low), high: a.high.min(b.high) }
        }
    }

    /// Whether this is proved to be at least `other`.
    fn surely_at_least(&self, other: &Value) -> bool {
        match (&self.exact, &other.exact) {
            (Some(own), Some(other)) => own >= other,
            _ => self.low >= other.high,
        }
    }
}

fn shares(values: Vec<Value>) -> Shares {
    if values.iter().all(|value| value.exact.is_some()) {
        return Shares::Rational(values.into_iter().filter_map(|value| value.exact).map(|share| *share).collect());
    }
    let (low, high) = values.iter().map(|value| (value.low, value.high)).unzip();
    Shares::Bounded { exact: values.into_iter().map(|value| value.exact).collect(), low, high }
}

struct LimitedTask<'a> {
    arena: &'a Arena,
    player: Player,
    right: Right,
    rate: Rate,
    effort: &'a Effort<'a>,
    /// Bytes held for the other player.
    held: u64,
    /// The most bytes that may be held before bounds replace exact values.
    most_held: u64,
}

impl LimitedTask<'_> {
    /// The chances within `moves` moves, and the number of moves, at most `moves`, after which they
    /// are final.
    fn within(&self, moves: u32) -> Result<(Vec<Value>, u32), Error> {
        const BETWEEN_CHECKS: Node = 1 << 8;
        let won = |node| self.arena.terminal(node) == Some(Terminal::Win(self.player));
        let start = |node| Value::exact(if won(node) { Share::ONE } else { Share::ZERO });
        let first = self.held + self.arena.len() as u64 * Value::exact(Share::ZERO).bytes();
        self.effort.check_memory("the solution", first)?;
        let mut values: Vec<Value> = self.arena.nodes().map(start).collect();
        for round in 0..moves {
            self.effort.watch.progress("moves looked ahead", u64::from(round), Some(u64::from(moves)));
            let before: u64 = self.held + values.iter().map(Value::bytes).sum::<u64>();
            let next_takes = match self.effort.exactness {
                Exactness::Required => 2 * (before - self.held), // denominators can double
                _ => values.len() as u64 * size_of::<Value>() as u64,
            };
            self.effort.check_memory("the solution", before + next_takes)?;
            let mut held = before;
            let mut next = Vec::with_capacity(values.len());
            for node in self.arena.nodes() {
                if node.is_multiple_of(BETWEEN_CHECKS) {
                    self.effort.check_time("looking that many moves ahead")?;
                }
                let value = match self.arena.terminal(node) {
                    Some(_) => values[node as usize].clone(),
                    None => self.turn(node, &values, held)?,
                };
                held += value.bytes();
                next.push(value);
            }
            if next == values {
                return Ok((values, round));
            }
            values = next;
        }
        Ok((values, moves))
    }

    /// One turn from the successors' values, while `held` bytes are in use.
    fn turn(&self, node: Node, values: &[Value], held: u64) -> Result<Value, Error> {
        let after = |player, better: fn(Value, &Value) -> Value| {
            let mut moves = self.arena.moves(node, player).iter().map(|&to| &values[to as usize]);
            let first = moves.next().cloned();
            first.map(|first| moves.fold(first, better))
        };
        let after = [after(self.player, Value::max), after(self.player.other(), Value::min)];
        let (best, worst) = match after {
            [Some(best), Some(worst)] => (best, worst),
            // One player moves without a bid.
            [only, None] | [None, only] => return Ok(only.unwrap_or_else(|| values[node as usize].clone())),
        };
        if !self.right.may_let() && !best.surely_at_least(&worst) {
            if best.exact.is_some() && worst.exact.is_some() || best.high < worst.low {
                return Err(Error::Zugzwang { position: node.to_string() });
            }
            return Err(Error::PerhapsZugzwang { position: node.to_string() });
        }
        let (required, most) = match self.effort.exactness {
            Exactness::Required => (true, MOST_BITS_REQUIRED),
            Exactness::Preferred => (false, MOST_BITS_WITH_BANK),
            Exactness::Bounds => (false, 0),
        };
        if let (Some(best), Some(worst)) = (&best.exact, &worst.exact)
            && most > 0
        {
            let share = threshold(self.rate, best, worst);
            if share.denominator_bits() <= most && (required || held + share.bytes() <= self.most_held) {
                return Ok(Value::exact(share));
            }
            if required {
                let what = format!("an exact answer with denominators of more than {most} bits");
                let remedies = [Remedy::LeaveOut(Choice::EXACTNESS), Remedy::Change(Choice::WITHIN)];
                return Err(Error::unsupported_unless(what, remedies));
            }
        }
        let (low, high) = (floor(self.rate, best.low, worst.low), ceil(self.rate, best.high, worst.high));
        Ok(Value { exact: None, low, high })
    }
}
