//! Games without the types of their positions and objectives.

use std::any::Any;

use richman_core::{Aim, Effort, Error, Game, Objective, Playable, Unfolding, Walk, Walker, WinLose, excerpt};

use crate::GameError;

/// A game with any type of position.
pub trait AnyGame<L: Objective = WinLose>: Send + Sync {
    /// The name with the parameters that differ from their defaults;
    /// [`Games::find`](crate::Games::find) reads it.
    fn name(&self) -> String;

    /// The arena of all positions reachable from `position`, by default the start.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position; the errors of
    /// [`richman_core::unfold`].
    fn unfold(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding<L>>, Error>;

    /// The game at `position`, by default the start, to be walked move by move.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position.
    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error>;
}

impl<L: Playable, G: Game<L> + Clone + 'static> AnyGame<L> for G {
    fn name(&self) -> String {
        Game::name(self)
    }

    fn unfold(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding<L>>, Error> {
        let start = position.map_or_else(|| Ok(self.start()), |text| self.parse(text))?;
        Ok(Box::new(richman_core::unfold(self.clone(), start, effort)?))
    }

    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        let start = position.map_or_else(|| Ok(self.start()), |text| self.parse(text))?;
        Ok(Box::new(Walker::new(self.clone(), start)))
    }
}

/// [`AnyGame`] without the objective in its type.
trait PlayedGame: Any + Send + Sync {
    fn aim(&self) -> Aim;
    fn name(&self) -> String;
    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error>;
}

impl<L: Playable> PlayedGame for Box<dyn AnyGame<L>> {
    fn aim(&self) -> Aim {
        L::AIM
    }

    fn name(&self) -> String {
        self.as_ref().name()
    }

    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        self.as_ref().walk(position)
    }
}

/// A game with any objective.
pub struct ErasedGame(Box<dyn PlayedGame>);

richman_core::debug_by_name!(ErasedGame {});

impl<L: Playable> From<Box<dyn AnyGame<L>>> for ErasedGame {
    fn from(game: Box<dyn AnyGame<L>>) -> ErasedGame {
        ErasedGame(Box::new(game))
    }
}

impl ErasedGame {
    /// A game with objective `L`.
    pub fn new<L: Playable>(game: impl AnyGame<L> + 'static) -> ErasedGame {
        let game: Box<dyn AnyGame<L>> = Box::new(game);
        game.into()
    }

    /// The name with the parameters that differ from their defaults;
    /// [`Games::find`](crate::Games::find) reads it.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// The objective of the game.
    pub fn aim(&self) -> Aim {
        self.0.aim()
    }

    /// The game at `position`, by default the start, to be walked move by move.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position.
    pub fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        self.0.walk(position)
    }

    /// The game, if its objective is `L`.
    ///
    /// # Errors
    /// [`GameError::OtherAim`] otherwise.
    pub fn played_for<L: Playable>(&self) -> Result<&dyn AnyGame<L>, GameError> {
        let game: &dyn Any = self.0.as_ref();
        let game = game.downcast_ref::<Box<dyn AnyGame<L>>>().map(Box::as_ref);
        game.ok_or_else(|| GameError::OtherAim { name: excerpt(&self.name()), aim: self.aim() })
    }
}
