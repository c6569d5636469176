//! The least time between two decisions that one seat makes with the forms of pages.
//!
//! The second click of a double click, a second tap or a held key would otherwise decide in the
//! form that follows: it names the right number, because its browser shows that form already.
//! Programs have no such forms, and wait for nothing.

use std::time::Duration;

use moka::sync::Cache;
use richman_hall::refused::Refusal;
use richman_hall::token::Token;

/// The seats that decided a moment ago.
pub(crate) struct FormPace(Option<Cache<[u8; 32], ()>>);

impl FormPace {
    /// With this time after a decision.
    pub(super) fn new(pause: Duration) -> FormPace {
        const SEATS: u64 = 1 << 16;
        let cache = || Cache::builder().max_capacity(SEATS).time_to_live(pause).build();
        FormPace((!pause.is_zero()).then(cache))
    }

    /// Refuses a decision that comes too soon.
    ///
    /// # Errors
    /// [`Refusal::TooSoon`] if the seat decided a moment ago.
    pub(crate) fn check(&self, seat: &Token) -> Result<(), Refusal> {
        let is_recent = self.0.as_ref().is_some_and(|recent| recent.get(&seat.hash()).is_some());
        if is_recent { Err(Refusal::TooSoon) } else { Ok(()) }
    }

    /// Notes that the seat has decided.
    pub(crate) fn note(&self, seat: &Token) {
        if let Some(recent) = &self.0 {
            recent.insert(seat.hash(), ());
        }
    }
}
