//! A value for each of the two players.

use std::ops::{Index, IndexMut};

use crate::Player;

/// A value for each player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByPlayer<T> {
    /// Alice's.
    pub alice: T,
    /// Bob's.
    pub bob: T,
}

impl<T> ByPlayer<T> {
    /// Alice's value, then Bob's.
    pub const fn new(alice: T, bob: T) -> ByPlayer<T> {
        ByPlayer { alice, bob }
    }

    /// The result of a function for each player, Alice first.
    pub fn from_fn(mut value: impl FnMut(Player) -> T) -> ByPlayer<T> {
        ByPlayer { alice: value(Player::Alice), bob: value(Player::Bob) }
    }

    /// The result of a function for each value, Alice's first.
    pub fn map<U>(self, mut to: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer { alice: to(self.alice), bob: to(self.bob) }
    }

    /// References to both values.
    pub fn as_ref(&self) -> ByPlayer<&T> {
        ByPlayer { alice: &self.alice, bob: &self.bob }
    }

    /// Both values, Alice's first.
    pub fn iter(&self) -> std::array::IntoIter<&T, 2> {
        self.as_ref().into_iter()
    }

    /// Both values, mutable, Alice's first.
    pub fn iter_mut(&mut self) -> std::array::IntoIter<&mut T, 2> {
        [&mut self.alice, &mut self.bob].into_iter()
    }

    /// The values with the players exchanged.
    pub fn swapped(self) -> ByPlayer<T> {
        ByPlayer { alice: self.bob, bob: self.alice }
    }

    /// The value of `player`, then that of the opponent.
    pub fn own_first(self, player: Player) -> [T; 2] {
        let ByPlayer { alice, bob } = if player == Player::Alice { self } else { self.swapped() };
        [alice, bob]
    }
}

impl<T: Clone> ByPlayer<T> {
    /// The same value for both players.
    pub fn both(value: T) -> ByPlayer<T> {
        ByPlayer { alice: value.clone(), bob: value }
    }
}

impl<T> From<[T; 2]> for ByPlayer<T> {
    fn from([alice, bob]: [T; 2]) -> ByPlayer<T> {
        ByPlayer { alice, bob }
    }
}

impl<T> IntoIterator for ByPlayer<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.alice, self.bob].into_iter()
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    fn index(&self, player: Player) -> &T {
        player.either(&self.alice, &self.bob)
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        player.either(&mut self.alice, &mut self.bob)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_has_a_value() {
        let mut chips = ByPlayer::new(3, 5);
        assert_eq!(Player::BOTH.map(|player| chips[player]), [3, 5]);
        assert_eq!(ByPlayer::from_fn(|player| chips[player.other()]), chips.swapped());
        assert_eq!(Player::BOTH.map(|player| chips.own_first(player)), [[3, 5], [5, 3]]);
        chips[Player::Bob] += 1;
        assert_eq!((chips, chips.map(|chips| chips % 2)), (ByPlayer::from([3, 6]), ByPlayer::new(1, 0)));
        assert_eq!((chips.iter().sum::<u32>(), ByPlayer::both(4).into_iter().max()), (9, Some(4)));
    }
}
