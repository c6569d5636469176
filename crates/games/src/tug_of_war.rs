//! Tug of war: both players push a token along a path, either way.

use richman_core::{Error, Game, Mark, PerfectIndex, Player, Scene, Terminal};

use crate::parameters::{Parameters, within};
use crate::path::{self, PathGame};
use crate::{GameError, GameInfo};

const LONGEST: u32 = 10_000_000;
const DEFAULT_LENGTH: u32 = 6;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "tug-of-war",
    parameters: "length=6,at=3",
    description: "push a token along a path; Alice wins at its left end, Bob at its right \
                  (0 and length; at defaults to the middle)",
    chips: 8,
    rules: "",
    title: "Tug of War",
    notation: "the node of the token, from 0 on the left",
    example: "tug-of-war",
    pictured: "2",
};

/// A move takes the token to a neighbouring node of the path 0, 1, ..., length. Alice wins at 0,
/// Bob at the other end. The game Tug^n of DP10 has length 2n and starts at n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TugOfWar {
    length: u32,
    at: u32,
}

impl TugOfWar {
    /// The game on the path 0..=`length` that starts at node `at`.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] unless 1 <= length <= 10,000,000 and at <= length.
    pub fn new(length: u32, at: u32) -> Result<TugOfWar, GameError> {
        within("length", length, 1..=LONGEST)?;
        within("at", at, 0..=length)?;
        Ok(TugOfWar { length, at })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<TugOfWar, GameError> {
        let length = given.number("length", DEFAULT_LENGTH, 1..=LONGEST)?;
        TugOfWar::new(length, given.number("at", length / 2, 0..=length)?)
    }
}

impl Game for TugOfWar {
    type Position = u32;

    fn name(&self) -> String {
        let parameters = [("length", self.length, DEFAULT_LENGTH), ("at", self.at, self.length / 2)];
        crate::parameters::canonical_name(INFO.name, &parameters)
    }

    fn start(&self) -> u32 {
        self.at
    }

    fn terminal(&self, &position: &u32) -> Option<Terminal> {
        match position {
            0 => Some(Terminal::Win(Player::Alice)),
            _ if position >= self.length => Some(Terminal::Win(Player::Bob)),
            _ => None,
        }
    }

    fn moves(&self, &position: &u32, _player: Player, into: &mut Vec<u32>) {
        if 0 < position && position < self.length {
            into.extend([position - 1, position + 1]);
        }
    }

    fn notation(&self, position: &u32) -> String {
        position.to_string()
    }

    fn picture(&self, position: &u32) -> String {
        const LONGEST_DRAWN: u32 = 24;
        if self.length > LONGEST_DRAWN {
            return self.notation(position);
        }
        let node = |node: u32| if node == *position { format!("[{node}]") } else { node.to_string() };
        let path: Vec<String> = (0..=self.length).map(node).collect();
        format!("Alice <- {} -> Bob", path.join(" "))
    }

    fn scene(&self, position: &u32) -> Option<Scene> {
        Some(path::scene(self, *position, &[]))
    }

    fn pointing(&self, _from: &u32, to: &u32, _player: Player) -> Vec<String> {
        vec![self.notation(to)]
    }

    fn set_up(&self, position: &u32) -> Vec<(Mark, u32)> {
        path::set_up(self, position)
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        let node = notation.parse().ok().filter(|node: &u32| *node <= self.length && node.to_string() == notation);
        node.ok_or_else(|| {
            Error::bad_position(
                notation,
                self.name(),
                format!("write a node from 0 to {}, such as {}", self.length, self.at),
            )
        })
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<u32>> {
        Some(self)
    }
}

impl PathGame for TugOfWar {
    fn last(&self) -> u32 {
        self.length
    }

    fn at(&self, node: u32) -> u32 {
        node
    }
}

impl PerfectIndex<u32> for TugOfWar {
    fn size(&self) -> u64 {
        u64::from(self.length) + 1
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position)
    }
}

#[cfg(test)]
mod tests {
    use richman_core::{Effort, Unfolding, unfold};

    use super::*;
    use crate::testing::{reachable, refuses, round_trips, sets_up};

    #[test]
    fn the_path_is_drawn_where_it_is_short() {
        let game = TugOfWar::new(4, 2).unwrap();
        assert_eq!(game.picture(&1), "Alice <- 0 [1] 2 3 4 -> Bob");
        assert_eq!(TugOfWar::new(100, 2).unwrap().picture(&1), "1");
    }

    #[test]
    fn both_players_move_both_ways() {
        let game = TugOfWar::new(6, 3).unwrap();
        for player in Player::BOTH {
            let mut found = Vec::new();
            game.moves(&3, player, &mut found);
            assert_eq!(found, [2, 4]);
        }
        assert_eq!(game.terminal(&0), Some(Terminal::Win(Player::Alice)));
        assert_eq!(game.terminal(&6), Some(Terminal::Win(Player::Bob)));
        assert_eq!(game.terminal(&5), None);
    }

    #[test]
    fn notation_round_trips() {
        let game = TugOfWar::new(40, 7).unwrap();
        let positions = reachable(&game);
        assert_eq!(positions.len(), 41);
        sets_up(&game, positions.clone());
        round_trips(&game, positions);
        let texts = ["", "-1", "41", "+3", "03", "3.0", "x", "99999999999999999999"];
        refuses(&game, &texts, &["write a node from 0 to 40, such as 7"]);
    }

    #[test]
    fn a_start_at_an_end_is_a_game_of_one_position() {
        for (length, at) in [(1, 0), (1, 1), (9, 0), (9, 9)] {
            let game = TugOfWar::new(length, at).unwrap();
            let unfolded = unfold(game, game.start(), &Effort::default()).unwrap();
            assert_eq!(unfolded.arena().len(), 1);
        }
    }
}
