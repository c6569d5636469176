//! Cumulative Subtraction with bidding: players collect pebbles from a heap [LPR20, Definition 8].

use richman_core::{Error, Game, Mark, MarkRole, MarkShape, Player, Scene, Scores, excerpt};

use crate::parameters::{Parameters, canonical_name, within};
use crate::{GameError, GameInfo};

const LARGEST_HEAP: u32 = 100_000_000;
const DEFAULT_HEAP: u32 = 9;
const LARGEST_STEP: u32 = 1_000_000;
const MOST_STEPS: usize = 64;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "subtraction",
    parameters: "heap=9,set=1",
    description: "take pebbles from a heap; the score is how many more Alice takes than Bob \
                  (a number in the set at a time)",
    chips: 8,
    rules: "",
    title: "Subtraction",
    notation: "the pebbles left",
    example: "subtraction",
    pictured: "7",
};

/// A move takes a number of pebbles in the set. The score is Alice's pebbles minus Bob's. The game
/// ends when no move is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subtraction {
    heap: u32,
    /// Ascending and distinct.
    set: Vec<u32>,
}

impl Subtraction {
    /// The game on a heap of this many pebbles, where the numbers in `set` may be taken.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] above 100,000,000 pebbles; [`GameError::NotASet`] unless the set
    /// has 1 to 64 numbers from 1 to 1,000,000.
    pub fn new(heap: u32, set: &[u32]) -> Result<Subtraction, GameError> {
        within("heap", heap, 0..=LARGEST_HEAP)?;
        let mut set = set.to_vec();
        set.sort_unstable();
        set.dedup();
        if set.is_empty() || set.len() > MOST_STEPS || set.iter().any(|step| !(1..=LARGEST_STEP).contains(step)) {
            return Err(not_a_set(&words(&set)));
        }
        Ok(Subtraction { heap, set })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Subtraction, GameError> {
        let heap = given.number("heap", DEFAULT_HEAP, 0..=LARGEST_HEAP)?;
        let text = given.words("set", "1", "numbers that may be taken, such as 1+3+5").unwrap_or("1");
        let number = |word: &str| {
            let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| word.parse().ok()).flatten().ok_or_else(|| not_a_set(text))
        };
        let set = text.split('+').take(1024).map(number).collect::<Result<Vec<u32>, GameError>>()?;
        Subtraction::new(heap, &set)
    }
}

fn not_a_set(value: &str) -> GameError {
    GameError::NotASet { value: excerpt(value), high: LARGEST_STEP, most: MOST_STEPS }
}

fn words(set: &[u32]) -> String {
    set.iter().map(u32::to_string).collect::<Vec<String>>().join("+")
}

/// Larger heaps are not drawn.
const MOST_DRAWN: u32 = 60;
const PER_ROW: u32 = 10;
/// The room for a pebble, and its radius.
const ROOM: i32 = 100;
const PEBBLE: i32 = 40;

/// The middle of a pebble, numbered from 1.
fn middle(number: u32) -> [i32; 2] {
    [(number - 1) % PER_ROW, (number - 1) / PER_ROW].map(|at| ROOM * at as i32 + ROOM / 2)
}

impl Subtraction {
    /// The number of pebbles and empty places drawn; `None` if nothing is drawn.
    fn drawn(&self, heap: u32) -> Option<u32> {
        // Empty places are drawn too, unless the first heap was too large.
        let drawn = if self.heap <= MOST_DRAWN { self.heap } else { heap };
        (drawn <= MOST_DRAWN).then_some(drawn)
    }

    /// A pebble of the heap, numbered from 1. It is a place if a move takes it and all pebbles
    /// after it.
    fn pebble(&self, heap: u32, number: u32) -> Vec<Mark> {
        let at = middle(number);
        let shape = MarkShape::Disc { at, radius: PEBBLE };
        if number > heap {
            return vec![Mark::seen(shape, MarkRole::Field)];
        }
        let taken = heap - number + 1;
        if self.set.binary_search(&taken).is_err() {
            return vec![Mark::seen(shape, MarkRole::Neutral)];
        }
        let name = taken.to_string();
        let text = Mark::seen(MarkShape::Text { at, size: 32, text: name.clone() }, MarkRole::Guide);
        vec![Mark::place(shape, MarkRole::Neutral, name, format!("take {taken} of {heap}")), text]
    }
}

impl Game<Scores> for Subtraction {
    type Position = u32;

    fn name(&self) -> String {
        let (heap, set) = (self.heap.to_string(), words(&self.set));
        canonical_name(INFO.name, &[("heap", heap, DEFAULT_HEAP.to_string()), ("set", set, "1".to_string())])
    }

    fn start(&self) -> u32 {
        self.heap
    }

    fn terminal(&self, &heap: &u32) -> Option<i64> {
        (heap < self.set[0]).then_some(0)
    }

    fn moves(&self, &heap: &u32, _: Player, into: &mut Vec<u32>) {
        into.extend(self.set.iter().take_while(|&&step| step <= heap).map(|step| heap - step));
    }

    fn labels(&self, _: &u32, player: Player, count: usize, into: &mut Vec<i64>) {
        let sign = if player == Player::Alice { 1 } else { -1 };
        into.extend(self.set[..count].iter().map(|&step| sign * i64::from(step)));
    }

    fn notation(&self, heap: &u32) -> String {
        heap.to_string()
    }

    fn scene(&self, &heap: &u32) -> Option<Scene> {
        let drawn = self.drawn(heap)?;
        let marks = (1..=drawn).flat_map(|number| self.pebble(heap, number)).collect();
        let size = |pebbles: u32| ROOM * pebbles.max(1) as i32;
        Some(Scene { width: size(drawn.min(PER_ROW)), height: size(drawn.div_ceil(PER_ROW)), marks })
    }

    fn pointing(&self, from: &u32, to: &u32, _player: Player) -> Vec<String> {
        let is_drawn = *from <= MOST_DRAWN;
        if is_drawn { vec![from.saturating_sub(*to).to_string()] } else { Vec::new() }
    }

    /// Pressing a pebble makes it the last of the heap; pressing the last one removes it.
    fn set_up(&self, &heap: &u32) -> Vec<(Mark, u32)> {
        let pressed = |number: u32| {
            let to = if number == heap { number - 1 } else { number };
            let room = MarkShape::Disc { at: middle(number), radius: ROOM / 2 };
            (Mark::place(room, MarkRole::Clear, number.to_string(), format!("a heap of {to}")), to)
        };
        (1..=self.drawn(heap).unwrap_or(0)).map(pressed).collect()
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        let heap = notation.parse().ok().filter(|heap: &u32| *heap <= self.heap && heap.to_string() == notation);
        heap.ok_or_else(|| {
            let reason = format!("write a heap from 0 to {}, such as {}", self.heap, self.heap);
            Error::bad_position(notation, self.name(), reason)
        })
    }
}

#[cfg(test)]
mod tests {
    use richman_core::{Effort, Unfolding, unfold};

    use super::*;
    use crate::testing::{refuses, sets_up};

    #[test]
    fn both_players_take_what_the_set_allows() {
        let game = Subtraction::new(10, &[5, 3, 9, 3]).unwrap();
        let (mut found, mut weights) = (Vec::new(), Vec::new());
        for player in Player::BOTH {
            game.moves(&8, player, &mut found);
            game.labels(&8, player, 2, &mut weights);
        }
        assert_eq!((found, weights), (vec![5, 3, 5, 3], vec![3, 5, -3, -5]));
        assert_eq!((game.terminal(&2), game.terminal(&3)), (Some(0), None));
    }

    #[test]
    fn every_heap_that_is_drawn_is_set_up() {
        sets_up(&Subtraction::new(23, &[2, 5]).unwrap(), 0..=23);
        sets_up(&Subtraction::new(MOST_DRAWN + 1, &[1]).unwrap(), [MOST_DRAWN + 1]);
    }

    /// The reachable heaps differ from the first by a sum of allowed numbers.
    #[test]
    fn unfolding_finds_every_heap() {
        for (heap, set) in [(9, vec![1]), (30, vec![4, 6]), (40, vec![7]), (0, vec![1]), (3, vec![5])] {
            let mut reached = vec![false; heap as usize + 1];
            reached[heap as usize] = true;
            for at in (0..=heap as usize).rev().filter(|&at| at <= heap as usize) {
                for &step in set.iter().filter(|&&step| step as usize <= at && reached[at]).collect::<Vec<_>>() {
                    reached[at - step as usize] = true;
                }
            }
            let game = Subtraction::new(heap, &set).unwrap();
            let unfolded = unfold(game, heap, &Effort::default()).unwrap();
            let arena = unfolded.arena();
            assert_eq!(arena.len(), reached.iter().filter(|&&r| r).count(), "{heap}, {set:?}");
            assert!(arena.is_symmetric());
            for node in arena.nodes() {
                assert_eq!(unfolded.node(&unfolded.notation(node)), Ok(node));
            }
        }
    }

    #[test]
    fn notation_is_strict() {
        let game = Subtraction::new(40, &[1]).unwrap();
        refuses(&game, &["", "-1", "41", "+3", "03", "x", "99999999999999999999"], &["write a heap from 0 to 40"]);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Subtraction::new(LARGEST_HEAP + 1, &[1]).is_err());
        for set in [vec![], vec![0], vec![1, LARGEST_STEP + 1], (1..=65).collect()] {
            assert!(matches!(Subtraction::new(9, &set), Err(GameError::NotASet { .. })), "{set:?}");
        }
    }
}
