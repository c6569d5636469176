//! What a game file is played for, where it says so.

use std::fmt;
use std::str::FromStr;

use richman_core::{Aim, ParityPlace, Priority, Terminal};

use crate::excerpt::excerpt;

/// What a game is played for, as a game file writes it under `"objective"` or a command is told. A
/// file may have the keys of several objectives; each reads its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileGoal {
    /// Alice has won at a target, and each player at a position with that winner.
    Reach,
    /// Alice wins if targets come back for ever.
    Buechi,
    /// Alice wins if from some turn on there are only targets.
    CoBuechi,
    /// The greatest or the least priority that comes back for ever decides.
    Parity(PriorityOrder),
    /// The long-run average of the weights.
    MeanPayoff,
    /// The weights are added to a credit of at most so much, its start, and Bob wins when it falls
    /// below 0.
    Energy(u32),
}

/// Which priority decides, and for whom.
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

    /// The priority of the usual order that means the same. All are changed alike, so they keep or
    /// reverse their order.
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

impl FileGoal {
    const fn parity(is_least: bool, is_odd: bool) -> FileGoal {
        FileGoal::Parity(PriorityOrder { is_least, is_odd })
    }

    /// All objectives that are one word, with it.
    pub const ALL: [(&'static str, FileGoal); 8] = [
        ("reach", FileGoal::Reach),
        ("buechi", FileGoal::Buechi),
        ("cobuechi", FileGoal::CoBuechi),
        ("parity", FileGoal::parity(false, false)),
        ("parity-max-odd", FileGoal::parity(false, true)),
        ("parity-min-even", FileGoal::parity(true, false)),
        ("parity-min-odd", FileGoal::parity(true, true)),
        ("mean-payoff", FileGoal::MeanPayoff),
    ];

    /// The greatest capacity of a credit.
    pub const MOST_CREDIT: u32 = 1_000_000_000;

    /// The objective of the graph that is read; for a credit, before it is added.
    pub(crate) fn aim(self) -> Aim {
        match self {
            FileGoal::Reach => Aim::Win,
            FileGoal::Buechi | FileGoal::CoBuechi | FileGoal::Parity(_) => Aim::Parity,
            FileGoal::MeanPayoff | FileGoal::Energy(_) => Aim::MeanPayoff,
        }
    }

    /// Whether weights count, as they are written.
    pub(crate) fn has_weights(self) -> bool {
        self.aim() == Aim::MeanPayoff
    }

    /// How a win-lose game ends at a target, if it does.
    pub(crate) fn end(self) -> Option<Terminal> {
        (self == FileGoal::Reach).then_some(Terminal::Win(richman_core::Player::Alice))
    }

    /// The priority of a position, by what is written there.
    pub(crate) fn priority(self, written: Option<Priority>, is_target: bool) -> Priority {
        match self {
            FileGoal::Buechi => Priority(if is_target { 2 } else { 1 }),
            FileGoal::CoBuechi => Priority(u32::from(!is_target)),
            FileGoal::Parity(order) => order.usual(written.unwrap_or_default()),
            FileGoal::Reach | FileGoal::MeanPayoff | FileGoal::Energy(_) => ParityPlace::default().priority,
        }
    }
}

impl fmt::Display for FileGoal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let FileGoal::Energy(capacity) = self {
            return write!(f, "energy:{capacity}");
        }
        let word = FileGoal::ALL.iter().find(|(_, goal)| goal == self);
        f.write_str(word.map_or("", |(word, _)| word))
    }
}

impl FromStr for FileGoal {
    type Err = String;

    fn from_str(text: &str) -> Result<FileGoal, String> {
        if let Some(capacity) = text.strip_prefix("energy:").filter(|text| text.bytes().all(|b| b.is_ascii_digit())) {
            let capacity = capacity.parse().ok().filter(|&capacity| capacity <= FileGoal::MOST_CREDIT);
            let most = FileGoal::MOST_CREDIT;
            return capacity
                .map(FileGoal::Energy)
                .ok_or_else(|| format!("the capacity of energy is not a whole number up to {most}: write energy:10"));
        }
        let found = FileGoal::ALL.iter().find(|(word, _)| *word == text);
        found.map(|(_, goal)| *goal).ok_or_else(|| {
            let words: Vec<&str> = FileGoal::ALL.iter().map(|(word, _)| *word).collect();
            let text = excerpt(text);
            format!("the objective is {text:?}: write one of {}, or energy:CAPACITY", words.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for (word, goal) in FileGoal::ALL {
            assert_eq!((word.parse(), goal.to_string().as_str()), (Ok(goal), word));
        }
        assert_eq!("energy:10".parse(), Ok(FileGoal::Energy(10)));
        assert_eq!(FileGoal::Energy(10).to_string(), "energy:10");
        for wrong in ["energy", "energy:", "energy:-1", "energy:1000000001", "energy:99999999999999999999", "energy:+1"]
        {
            assert!(wrong.parse::<FileGoal>().is_err(), "{wrong}");
        }
        assert!("parity-max".parse::<FileGoal>().unwrap_err().contains("parity-max-odd"));
    }

    /// The winner by the deciding priority of any set of them is the same after the change.
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
