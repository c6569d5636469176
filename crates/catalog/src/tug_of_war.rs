//! Tug of war with open bids, by the formulas and programs of Gasarch, Sovich and Zimand, Tug of
//! war game \[GSZ09\].
//!
//! The token stands on a path 0..=length. Alice (Left) names a bid, and Bob (Right) answers knowing
//! it. If he lets her have it, the token moves towards 0, where she wins; if he pays more, it moves
//! towards his end. Ties are hers. The money goes to the other player ([`richman`]) or to the bank
//! ([`poorman`]), and is real or in chips: four versions.
//!
//! Nothing here uses a solver, so solvers can be compared with it. docs/design.md section 11 goes
//! beyond the paper, with proofs: formulas for chips under Richman payment and for real money under
//! poorman payment, and bounds for poorman chips.
//!
//! The paper's nodes are 0, ..., n - 1, and its N = n - 1 is our length. There the winner of a bid
//! never makes the other player move; in tug of war nobody wants to (the tests compare both rules).
//!
//! **Checked by** [`richman_solvers::chips::solve`] and [`richman_solvers::purses::solve`], which
//! know nothing of paths, and by the catalog's claims, which [`richman_check::oracle`] plays out.
//!
//! ```
//! use richman_catalog::tug_of_war::{PathPosition, poorman, richman};
//! use richman_core::{Player, Share};
//!
//! let middle = PathPosition::new(6, 3)?;
//! // Alice wins with half of the money.
//! assert_eq!(richman::threshold(middle), Share::dyadic(1, 1));
//! // Against 6 chips she wins with 6, and wins sooner with more.
//! let chips = poorman::PurseWins::new(6, 9, 6, 1 << 20)?;
//! assert_eq!(chips.winner(3, 6, 6), (Player::Alice, 9));
//! assert_eq!(chips.winner(3, 9, 6), (Player::Alice, 7));
//! # Ok::<(), richman_catalog::Error>(())
//! ```

use richman_games::within;

use crate::Error;

pub mod poorman;
pub mod richman;

/// The longest path allowed.
pub const LONGEST: u32 = 1000;

/// A path 0..=length and the token's node, an inner one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPosition {
    length: u32,
    at: u32,
}

impl PathPosition {
    /// The token on node `at` of the path 0..=`length`.
    ///
    /// # Errors
    /// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`LONGEST`] and 0 < at <
    /// length.
    pub fn new(length: u32, at: u32) -> Result<PathPosition, Error> {
        checked_length(length)?;
        within("at", at, 1..=length - 1)?;
        Ok(PathPosition { length, at })
    }

    /// Every inner node of the path 0..=`length`.
    ///
    /// # Errors
    /// [`richman_games::GameError::OutOfRange`] unless 2 <= length <= [`LONGEST`].
    pub fn all(length: u32) -> Result<impl Iterator<Item = PathPosition>, Error> {
        checked_length(length)?;
        Ok((1..length).map(move |at| PathPosition { length, at }))
    }

    /// The edges of the path, N in the paper.
    pub fn length(self) -> u32 {
        self.length
    }

    /// The token's node, p in the paper.
    pub fn at(self) -> u32 {
        self.at
    }
}

fn checked_length(length: u32) -> Result<(), Error> {
    within("length", length, 2..=LONGEST)?;
    Ok(())
}
