//! Race: the first player to win the right to score often enough wins.

use richman_core::{Error, Game, Mark, MarkRole, MarkShape, PerfectIndex, Player, Scene, Structure, Terminal};
use richman_heaps::board::RacePoints as Standing;

use crate::parameters::{Parameters, canonical_name, within};
use crate::{GameError, GameInfo};

/// The most points that a player can need.
const LONGEST: u32 = 100_000;
const USUAL: u32 = 3;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "race",
    parameters: "alice=3,bob=3",
    description: "every move scores a point; whoever has enough of them first wins (alice and bob are how many)",
    chips: 20,
    rules: "",
    title: "Race",
    notation: "the points that Alice and Bob still need, with - between them",
    example: "race",
    pictured: "2-1",
};

/// Every move scores a point for its player. The first with all the points they need wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Race {
    start: Standing,
}

impl Race {
    /// The game in which the players need these points.
    ///
    /// # Errors
    /// [`GameError::OutOfRange`] unless both are from 1 to 100,000.
    pub fn new(alice: u32, bob: u32) -> Result<Race, GameError> {
        let start = Standing { alice: within("alice", alice, 1..=LONGEST)?, bob: within("bob", bob, 1..=LONGEST)? };
        Ok(Race { start })
    }

    pub(crate) fn from_parameters(given: &Parameters) -> Result<Race, GameError> {
        Race::new(given.number("alice", USUAL, 1..=LONGEST)?, given.number("bob", USUAL, 1..=LONGEST)?)
    }
}

impl Game for Race {
    type Position = Standing;

    fn name(&self) -> String {
        canonical_name(INFO.name, &[("alice", self.start.alice, USUAL), ("bob", self.start.bob, USUAL)])
    }

    fn start(&self) -> Standing {
        self.start
    }

    fn terminal(&self, position: &Standing) -> Option<Terminal> {
        match position {
            Standing { alice: 0, .. } => Some(Terminal::Win(Player::Alice)),
            Standing { bob: 0, .. } => Some(Terminal::Win(Player::Bob)),
            _ => None,
        }
    }

    fn moves(&self, position: &Standing, player: Player, into: &mut Vec<Standing>) {
        let Standing { alice, bob } = *position;
        into.push(match player {
            Player::Alice => Standing { alice: alice.saturating_sub(1), bob },
            Player::Bob => Standing { alice, bob: bob.saturating_sub(1) },
        });
    }

    fn notation(&self, position: &Standing) -> String {
        format!("{}-{}", position.alice, position.bob)
    }

    fn parse(&self, notation: &str) -> Result<Standing, Error> {
        let Standing { alice: most, bob: most_of_bob } = self.start;
        let number = |text: &str, most: u32| text.parse().ok().filter(|needed| *needed <= most);
        let read = || {
            let (alice, bob) = notation.split_once('-')?;
            let read = Standing { alice: number(alice, most)?, bob: number(bob, most_of_bob)? };
            // Only one player can have all their points.
            Some(read).filter(|read| self.notation(read) == notation && (read.alice, read.bob) != (0, 0))
        };
        read().ok_or_else(|| {
            let wanted =
                format!("write how many points Alice and Bob still need, such as 1-2, at most {most}-{most_of_bob}");
            Error::bad_position(notation, self.name(), wanted)
        })
    }

    fn move_name(&self, _: &Standing, _: &Standing, _: Player) -> String {
        "score".to_string()
    }

    fn picture(&self, position: &Standing) -> String {
        let points = |count: u32| format!("{count} more point{}", if count == 1 { "" } else { "s" });
        format!("Alice needs {}, Bob {}.", points(position.alice), points(position.bob))
    }

    /// A lane for each player, with a disc for each point: first points scored, then points still
    /// needed.
    fn scene(&self, position: &Standing) -> Option<Scene> {
        let lanes = [
            lane(Player::Alice, 0, position.alice, self.start.alice),
            lane(Player::Bob, 1, position.bob, self.start.bob),
        ];
        Some(Scene { width: WIDTH, height: 2 * LANE, marks: lanes.into_iter().flatten().collect() })
    }

    fn pointing(&self, _: &Standing, _: &Standing, player: Player) -> Vec<String> {
        vec![place(player)]
    }

    /// Pressing a point of a lane makes it the last one scored, or the first one not scored. Many
    /// points are pressed in groups: to the end of a group, and from there one by one.
    fn set_up(&self, position: &Standing) -> Vec<(Mark, Standing)> {
        let lane = |player| {
            let (number, needed, all) = match player {
                Player::Alice => (0, position.alice, self.start.alice),
                Player::Bob => (1, position.bob, self.start.bob),
            };
            let groups = all.min(MOST_PRESSED);
            (1..=groups).map(move |group| {
                let [before, end] =
                    [group - 1, group].map(|group| (u64::from(all) * u64::from(group) / u64::from(groups)) as u32);
                let scored = all - needed;
                let scored = if (before + 1..=end).contains(&scored) { scored - 1 } else { end };
                let [from, to] = [group - 1, group].map(|group| POINTS * group as i32 / groups as i32);
                let at = [LANE / 2 + from, number * LANE + 3];
                let shape = MarkShape::Rectangle { at, width: to - from, height: LANE - 6 };
                let (name, left) = (format!("{}-{group}", place(player)), all - scored);
                let mark = Mark::place(shape, MarkRole::Clear, name, format!("{player} has {left} to go"));
                let to = match player {
                    Player::Alice => Standing { alice: left, ..*position },
                    Player::Bob => Standing { bob: left, ..*position },
                };
                (mark, to)
            })
        };
        let is_standing = |(_, to): &(Mark, Standing)| (to.alice, to.bob) != (0, 0);
        Player::BOTH.into_iter().flat_map(lane).filter(is_standing).collect()
    }

    fn structure(&self, position: &Standing) -> Option<Structure> {
        Some(Structure::new(*position))
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<Standing>> {
        Some(self)
    }
}

const WIDTH: i32 = 690;
const LANE: i32 = 110;
/// The room for the points in a lane, and for the number still needed.
const POINTS: i32 = 470;
const POINT: i32 = 34;
/// More points are drawn as a bar.
const MOST_DRAWN: u32 = 16;
/// More places in a lane would be too small to press.
const MOST_PRESSED: u32 = 8;

fn lane(player: Player, number: i32, needed: u32, all: u32) -> Vec<Mark> {
    let (left, top) = (LANE / 2, number * LANE);
    let y = top + LANE / 2;
    let name = place(player);
    let label = format!("{name}: {needed} to go");
    let shape = MarkShape::Rectangle { at: [3, top + 3], width: WIDTH - 6, height: LANE - 6 };
    let text = MarkShape::Text { at: [(left + POINTS + WIDTH) / 2, y], size: 26, text: format!("{needed} to go") };
    let look = MarkRole::Side(player);
    let mut marks = vec![Mark::place(shape, look, name, label), Mark::seen(text, MarkRole::Guide)];
    let scored = all.saturating_sub(needed);
    if all > MOST_DRAWN {
        let at = [left, y - POINT / 2];
        let bar = |width, look| Mark::seen(MarkShape::Rectangle { at, width, height: POINT }, look);
        let width = i64::from(POINTS) * i64::from(scored) / i64::from(all);
        marks.extend([bar(POINTS, MarkRole::Field), bar(width as i32, MarkRole::Of(player))]);
        return marks;
    }
    let apart = POINTS / all.max(1) as i32;
    let radius = POINT.min(apart / 2 - 2);
    marks.extend((0..all).map(|point| {
        let look = if point < scored { MarkRole::Of(player) } else { MarkRole::Field };
        Mark::seen(MarkShape::Disc { at: [left + apart * point as i32 + apart / 2, y], radius }, look)
    }));
    marks
}

/// The place a player points at to score.
fn place(player: Player) -> String {
    player.to_string().to_lowercase()
}

impl PerfectIndex<Standing> for Race {
    fn size(&self) -> u64 {
        (u64::from(self.start.alice) + 1) * (u64::from(self.start.bob) + 1)
    }

    fn rank(&self, position: &Standing) -> u64 {
        u64::from(position.alice) * (u64::from(self.start.bob) + 1) + u64::from(position.bob)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ranks_differ, reachable, refuses, round_trips, sets_up};

    #[test]
    fn notation_round_trips_and_ranks_differ() {
        let game = Race::new(3, 5).unwrap();
        let positions = reachable(&game);
        // All standings except 0-0.
        assert_eq!(positions.len() as u64, game.size() - 1);
        ranks_differ(&game, &positions);
        sets_up(&game, positions.clone());
        round_trips(&game, positions);
        let grouped = Race::new(23, 1).unwrap();
        sets_up(&grouped, reachable(&grouped));
        let texts = ["", "3", "4-1", "3-6", "0-0", "03-1", "+3-1", "3-1-1", "3--1", "99999999999999999999-1"];
        refuses(&game, &texts, &["still need, such as 1-2, at most 3-5"]);
    }
}
