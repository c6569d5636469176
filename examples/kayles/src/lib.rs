//! Bidding Kayles: a row of pins; a move knocks down one pin, or two that stand side by side.
//! Whoever knocks down the last pin wins.

use richman::core::Error;
use richman::games::canonical_name;
use richman::prelude::*;

const INFO: GameInfo =
    GameInfo::new("kayles", "knock down one pin or two neighbours; whoever knocks down the last pin wins")
        .parameters("pins=7")
        .notation("a sign for each pin, | if it stands and . if it does not")
        .chips(10);

/// The number of pins at the start.
#[derive(Clone)]
pub struct Kayles(u32);

impl Kayles {
    /// The game for a list of games.
    pub fn info() -> GameEntry {
        GameEntry::new(INFO, |given| Ok(ErasedGame::new(Kayles(given.number("pins", 7, 1..=20)?))))
    }
}

impl Game for Kayles {
    /// The standing pins as bits, and who knocked down the last one.
    type Position = (u32, Option<Player>);

    fn name(&self) -> String {
        canonical_name(INFO.name, &[("pins", self.0, 7)])
    }

    fn start(&self) -> Self::Position {
        ((1 << self.0) - 1, None)
    }

    fn terminal(&self, &(_, last): &Self::Position) -> Option<Terminal> {
        last.map(Terminal::Win)
    }

    fn moves(&self, &(pins, _): &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
        let knocks = (0..self.0).flat_map(|pin| [1 << pin, 3 << pin]);
        let left = knocks.filter(|knock| pins & knock == *knock).map(|knock| pins & !knock);
        into.extend(left.map(|left| (left, (left == 0).then_some(player))));
    }

    fn notation(&self, &(pins, last): &Self::Position) -> String {
        let pin = |pin: u32| if pins & 1 << pin == 0 { '.' } else { '|' };
        last.map_or_else(|| (0..self.0).map(pin).collect(), |winner| winner.to_string())
    }

    fn parse(&self, text: &str) -> Result<Self::Position, Error> {
        let pins: u32 = text.bytes().zip(0..self.0).map(|(pin, at)| u32::from(pin == b'|') << at).sum();
        let mut all = [(pins, None), (0, Some(Player::Alice)), (0, Some(Player::Bob))].into_iter();
        let wrong = || Error::bad_position(text, self.name(), format!("write {} pins, each | or .", self.0));
        all.find(|position| *position != (0, None) && self.notation(position) == text).ok_or_else(wrong)
    }
}
