//! Inputs and changes for several tests.

use richman_core::{ByPlayer, GraphPosition, NodeData, Player, PositionKind, Terminal};
use richman_formats::GameFile;

/// A game file.
pub fn coin() -> GameFile {
    let end = |name: &str, winner| GraphPosition {
        name: name.into(),
        data: NodeData::End(Terminal::Win(winner)),
        moves: ByPlayer::new(vec![], vec![]),
    };
    let to = |name: &str| (name.to_string(), ()).into();
    let toss = GraphPosition {
        name: "toss".into(),
        data: NodeData::On(PositionKind::Bid),
        moves: ByPlayer::new(["heads", "toss"].map(to).into(), vec![to("tails")]),
    };
    GameFile {
        name: "coin".into(),
        description: None,
        start: "toss".into(),
        positions: vec![end("heads", Player::Alice), end("tails", Player::Bob), toss],
    }
}

/// The number of changed documents.
pub const MUTATIONS: u32 = 20_000;

/// A source of changes.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        let longest = (length - start).min(40);
        start..start + self.below(longest + 1)
    }

    /// One to three changes: a flipped bit, another byte, a run deleted, doubled or taken from
    /// `other`.
    pub fn mutate(&mut self, text: &[u8], other: &[u8]) -> Vec<u8> {
        const TELLING: &[u8] = b"{}[]\",:\\/0123456789-.eE tfn*\n\x00\xff";
        let mut bytes = text.to_vec();
        for _ in 0..=self.below(3) {
            if bytes.is_empty() {
                break;
            }
            let run = self.range(bytes.len());
            let at = run.start;
            match self.below(5) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes[at] = TELLING[self.below(TELLING.len())],
                2 => drop(bytes.drain(run)),
                3 => {
                    let copy = bytes[run].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    let taken = other[self.range(other.len())].to_vec();
                    bytes.splice(run, taken);
                }
            }
        }
        bytes
    }
}
