//! Ultimatum (DP10): a first move that threatens to win, and an answer that takes many moves.

use std::cmp::Ordering;

use richman_core::{Error, Game, Mark, PerfectIndex, Player, Scene, Terminal};

use crate::parameters::{Parameters, canonical_name, within};
use crate::path::{self, PathGame};
use crate::{GameError, GameInfo};

const LARGEST_DEGREE: u32 = 10_000_000;
const DEFAULT_DEGREE: u32 = 3;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "ultimatum",
    parameters: "degree=3",
    description: "the first move threatens to win at once; the other player must undo it one step at a time",
    chips: 8,
    rules: "",
    title: "Ultimatum",
    notation: "the moves that undo Alice's threat, negative for a threat of Bob's, or A or B for the winner",
    example: "ultimatum",
    pictured: "2",
};

/// A position of [`Ultimatum`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UltimatumPosition {
    /// The moves Bob needs to undo Alice's threat; negative for a threat of Bob.
    Threat(i32),
    /// That player has won.
    Won(Player),
}

/// From 0 Alice moves to n and Bob to -n, where n is the degree. At k > 0 Alice wins with her next
/// move and Bob moves to k - 1; at k < 0 Bob wins with his next move and Alice moves to k + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ultimatum {
    degree: i32,
}

impl Ultimatum {
    /// The game of that degree.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] unless 1 <= degree <= 10,000,000.
    pub fn new(degree: u32) -> Result<Ultimatum, GameError> {
        Ok(Ultimatum { degree: within("degree", degree, 1..=LARGEST_DEGREE)? as i32 })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Ultimatum, GameError> {
        Ultimatum::new(given.number("degree", DEFAULT_DEGREE, 1..=LARGEST_DEGREE)?)
    }

    /// The index of a position on the drawn path: Alice's win, her threats, no threat, Bob's
    /// threats, Bob's win.
    fn number(&self, position: &UltimatumPosition) -> u32 {
        match *position {
            UltimatumPosition::Won(Player::Alice) => 0,
            UltimatumPosition::Won(Player::Bob) => self.last(),
            UltimatumPosition::Threat(threat) => (self.degree - threat + 1).unsigned_abs(),
        }
    }
}

/// The nodes of the path are numbered from Alice's win to Bob's.
impl PathGame for Ultimatum {
    const HAS_JUMPS: bool = true;

    fn last(&self) -> u32 {
        2 * self.degree.unsigned_abs() + 2
    }

    fn at(&self, number: u32) -> UltimatumPosition {
        match number {
            0 => UltimatumPosition::Won(Player::Alice),
            number if number >= self.last() => UltimatumPosition::Won(Player::Bob),
            number => UltimatumPosition::Threat(self.degree + 1 - number as i32),
        }
    }

    fn side(&self, number: u32) -> Option<Player> {
        match self.at(number) {
            UltimatumPosition::Threat(threat) if threat > 0 => Some(Player::Alice),
            UltimatumPosition::Threat(threat) if threat < 0 => Some(Player::Bob),
            _ => None,
        }
    }

    fn jumps(&self, token: u32) -> Vec<(Player, u32)> {
        let (from, mut jumps) = (self.at(token), Vec::new());
        for player in Player::BOTH {
            let mut targets = Vec::new();
            self.moves(&from, player, &mut targets);
            let targets = targets.iter().map(|to| self.number(to));
            jumps.extend(targets.filter(|to| to.abs_diff(token) > 1).map(|to| (player, to)));
        }
        jumps
    }
}

impl Game for Ultimatum {
    type Position = UltimatumPosition;

    fn name(&self) -> String {
        canonical_name(INFO.name, &[("degree", self.degree.unsigned_abs(), DEFAULT_DEGREE)])
    }

    fn start(&self) -> UltimatumPosition {
        UltimatumPosition::Threat(0)
    }

    fn terminal(&self, position: &UltimatumPosition) -> Option<Terminal> {
        match position {
            UltimatumPosition::Threat(_) => None,
            UltimatumPosition::Won(player) => Some(Terminal::Win(*player)),
        }
    }

    fn moves(&self, position: &UltimatumPosition, player: Player, into: &mut Vec<UltimatumPosition>) {
        let UltimatumPosition::Threat(threat) = *position else { return };
        let forward = if player == Player::Alice { 1 } else { -1 };
        into.push(match (threat * forward).cmp(&0) {
            Ordering::Equal => UltimatumPosition::Threat(forward * self.degree),
            Ordering::Greater => UltimatumPosition::Won(player),
            Ordering::Less => UltimatumPosition::Threat(threat + forward),
        });
    }

    fn notation(&self, position: &UltimatumPosition) -> String {
        match position {
            UltimatumPosition::Threat(threat) => threat.to_string(),
            UltimatumPosition::Won(Player::Alice) => "A".to_string(),
            UltimatumPosition::Won(Player::Bob) => "B".to_string(),
        }
    }

    fn scene(&self, position: &UltimatumPosition) -> Option<Scene> {
        // Moves from the start lead to the largest threats, so those stay drawn.
        let far = [self.degree, 0, -self.degree].map(|threat| self.number(&UltimatumPosition::Threat(threat)));
        Some(path::scene(self, self.number(position), &far))
    }

    fn pointing(&self, _from: &UltimatumPosition, to: &UltimatumPosition, _player: Player) -> Vec<String> {
        vec![self.notation(to)]
    }

    fn set_up(&self, position: &UltimatumPosition) -> Vec<(Mark, UltimatumPosition)> {
        path::set_up(self, position)
    }

    fn parse(&self, notation: &str) -> Result<UltimatumPosition, Error> {
        match notation {
            "A" => return Ok(UltimatumPosition::Won(Player::Alice)),
            "B" => return Ok(UltimatumPosition::Won(Player::Bob)),
            _ => {}
        }
        let range = -self.degree..=self.degree;
        let threat = notation.parse().ok().filter(|k: &i32| range.contains(k) && k.to_string() == notation);
        threat.map(UltimatumPosition::Threat).ok_or_else(|| {
            let reason = format!("write a number from -{0} to {0}, or A or B for the winner", self.degree);
            Error::bad_position(notation, self.name(), reason)
        })
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<UltimatumPosition>> {
        Some(self)
    }
}

impl PerfectIndex<UltimatumPosition> for Ultimatum {
    fn size(&self) -> u64 {
        2 * u64::from(self.degree.unsigned_abs()) + 3
    }

    fn rank(&self, position: &UltimatumPosition) -> u64 {
        match position {
            UltimatumPosition::Won(player) => *player as u64,
            UltimatumPosition::Threat(threat) => (i64::from(*threat) + i64::from(self.degree)).unsigned_abs() + 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{moves, ranks_differ, reachable, refuses, round_trips, sets_up};

    #[test]
    fn moves_follow_the_rules() {
        let game = Ultimatum::new(3).unwrap();
        for (from, alice, bob) in
            [("0", "3", "-3"), ("3", "A", "2"), ("1", "A", "0"), ("-1", "0", "B"), ("-3", "-2", "B")]
        {
            let only = |player| moves(&game, from, player).into_iter().map(|(_, to)| to).collect::<Vec<_>>();
            assert_eq!((only(Player::Alice), only(Player::Bob)), (vec![alice.into()], vec![bob.into()]), "{from}");
        }
        assert_eq!(game.terminal(&UltimatumPosition::Won(Player::Bob)), Some(Terminal::Win(Player::Bob)));
    }

    #[test]
    fn notation_round_trips_and_ranks_fill_the_index() {
        let game = Ultimatum::new(9).unwrap();
        let positions = reachable(&game);
        assert_eq!(positions.len() as u64, game.size());
        ranks_differ(&game, &positions);
        sets_up(&game, positions.clone());
        round_trips(&game, positions);
        let texts = ["", "C", "10", "-10", "-0", "+3", "03", "99999999999999999999"];
        refuses(&game, &texts, &["write a number from -9 to 9, or A or B"]);
    }
}
