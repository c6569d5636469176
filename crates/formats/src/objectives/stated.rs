//! The objective of a game file, where stated.

use std::fmt;
use std::str::FromStr;

use richman_core::{Aim, ParityLabel, Priority, Terminal, did_you_mean, one_of};

use crate::excerpt::excerpt;

/// The objective of a game, as stated in a game file under `"objective"` or in a command. A file
/// may have the keys of several objectives; each reads its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedObjective {
    /// Alice has won at a target, and each player at a position with that winner.
    Reach,
    /// Alice wins if targets recur forever.
    Buechi,
    /// Alice wins if from some turn on all positions are targets.
    CoBuechi,
    /// The greatest or the least priority that recurs forever decides.
    Parity(PriorityOrder),
    /// The long-run average of the weights.
    MeanPayoff,
    /// The weights are added to a credit that starts at this capacity and is capped at it; Bob wins
    /// when it falls below 0.
    Energy(u32),
}

/// The deciding priority, and its winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityOrder {
    /// Whether the least priority decides, not the greatest.
    pub is_least: bool,
    /// Whether Alice wins if it is odd, not even.
    pub is_odd: bool,
}

impl PriorityOrder {
    /// The greatest decides, and Alice wins if it is even.
    pub const USUAL: PriorityOrder = PriorityOrder { is_least: false, is_odd: false };

    /// The equivalent priority of the usual order. The map is monotone or reverses the order.
    pub fn usual(self, Priority(priority): Priority) -> Priority {
        let odd = u32::from(self.is_odd);
        if self.is_least {
            Priority(Priority::MAX - odd - priority.min(Priority::MAX - odd))
        } else {
            Priority(priority + odd)
        }
    }

    /// The greatest priority that can be written.
    pub fn most(self) -> u32 {
        Priority::MAX - u32::from(self.is_odd)
    }
}

impl StatedObjective {
    const fn parity(is_least: bool, is_odd: bool) -> StatedObjective {
        StatedObjective::Parity(PriorityOrder { is_least, is_odd })
    }

    /// All objectives named by one word.
    pub const ALL: [(&'static str, StatedObjective); 8] = [
        ("reach", StatedObjective::Reach),
        ("buechi", StatedObjective::Buechi),
        ("cobuechi", StatedObjective::CoBuechi),
        ("parity", StatedObjective::parity(false, false)),
        ("parity-max-odd", StatedObjective::parity(false, true)),
        ("parity-min-even", StatedObjective::parity(true, false)),
        ("parity-min-odd", StatedObjective::parity(true, true)),
        ("mean-payoff", StatedObjective::MeanPayoff),
    ];

    /// The greatest capacity of a credit.
    pub const MOST_CREDIT: u32 = 1_000_000_000;

    /// The objective of the graph read; for a credit, before it is added.
    pub(crate) fn aim(self) -> Aim {
        match self {
            StatedObjective::Reach => Aim::Win,
            StatedObjective::Buechi | StatedObjective::CoBuechi | StatedObjective::Parity(_) => Aim::Parity,
            StatedObjective::MeanPayoff | StatedObjective::Energy(_) => Aim::MeanPayoff,
        }
    }

    /// The meaning of priorities.
    pub(crate) fn order(self) -> PriorityOrder {
        if let StatedObjective::Parity(order) = self { order } else { PriorityOrder::USUAL }
    }

    /// Whether weights count, as they are written.
    pub(crate) fn has_weights(self) -> bool {
        self.aim() == Aim::MeanPayoff
    }

    /// How a win-lose game ends at a target, if it does.
    pub(crate) fn end(self) -> Option<Terminal> {
        (self == StatedObjective::Reach).then_some(Terminal::Win(richman_core::Player::Alice))
    }

    /// The priority of a position, from its written labels.
    pub(crate) fn priority(self, written: Option<Priority>, is_target: bool) -> Priority {
        match self {
            StatedObjective::Buechi => Priority(if is_target { 2 } else { 1 }),
            StatedObjective::CoBuechi => Priority(u32::from(!is_target)),
            StatedObjective::Parity(order) => order.usual(written.unwrap_or_default()),
            StatedObjective::Reach | StatedObjective::MeanPayoff | StatedObjective::Energy(_) => {
                ParityLabel::default().priority
            }
        }
    }
}

impl fmt::Display for StatedObjective {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let StatedObjective::Energy(capacity) = self {
            return write!(f, "energy:{capacity}");
        }
        let word = StatedObjective::ALL.iter().find(|(_, objective)| objective == self);
        f.write_str(word.map_or("", |(word, _)| word))
    }
}

impl FromStr for StatedObjective {
    type Err = String;

    fn from_str(text: &str) -> Result<StatedObjective, String> {
        let lower = text.to_ascii_lowercase();
        if let Some(capacity) = lower.strip_prefix("energy:").filter(|text| text.bytes().all(|b| b.is_ascii_digit())) {
            let capacity = capacity.parse().ok().filter(|&capacity| capacity <= StatedObjective::MOST_CREDIT);
            let most = StatedObjective::MOST_CREDIT;
            return capacity
                .map(StatedObjective::Energy)
                .ok_or_else(|| format!("the capacity of energy is not a whole number up to {most}: write energy:10"));
        }
        let found = StatedObjective::ALL.iter().find(|(word, _)| *word == lower);
        found.map(|(_, objective)| *objective).ok_or_else(|| {
            let words: Vec<&str> =
                StatedObjective::ALL.iter().map(|(word, _)| *word).chain(["energy:CAPACITY"]).collect();
            let meant = did_you_mean(text, words.iter().copied());
            format!("the objective is {:?}{meant}: write {}", excerpt(text), one_of(&words))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for (word, objective) in StatedObjective::ALL {
            assert_eq!((word.parse(), objective.to_string().as_str()), (Ok(objective), word));
            assert_eq!(word.to_uppercase().parse(), Ok(objective));
        }
        assert_eq!("energy:10".parse(), Ok(StatedObjective::Energy(10)));
        assert_eq!(StatedObjective::Energy(10).to_string(), "energy:10");
        for wrong in ["energy", "energy:", "energy:-1", "energy:1000000001", "energy:99999999999999999999", "energy:+1"]
        {
            assert!(wrong.parse::<StatedObjective>().is_err(), "{wrong}");
        }
        assert!("parity-max".parse::<StatedObjective>().unwrap_err().contains("parity-max-odd"));
    }

    /// The deciding priority of any set has the same winner after the change.
    #[test]
    fn orders_keep_their_winners() {
        for (is_least, is_odd) in [(false, false), (false, true), (true, false), (true, true)] {
            let order = PriorityOrder { is_least, is_odd };
            for set in [vec![0], vec![1], vec![order.most()], vec![3, 8], vec![0, 5, 7], vec![1, 2, 6]] {
                let deciding = if is_least { set.iter().min() } else { set.iter().max() };
                let is_alices = (deciding.unwrap() % 2 == 1) == is_odd;
                let usual = set.iter().map(|&priority| order.usual(Priority(priority))).max().unwrap();
                assert!(usual <= Priority(Priority::MAX));
                assert_eq!(usual.winner() == richman_core::Player::Alice, is_alices, "{order:?}, {set:?}");
            }
        }
    }
}
