//! The computer players of the hall.
//!
//! When something is waited for from a program, a task finds its action on a [`Desk`] and gives it to the hall like any other action. The program
//! sees the match from its own seat, which has no way to the other player's sealed bid. Nothing of a program is kept between its actions: its dice
//! are thrown anew for each, from the seed of the match and the number of the action, so that it plays on after a restart as if there had been none.

mod hints;
mod key;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use richman_core::{Effort, Player};
use richman_play::players::{Base, Knowledge, Seat, Strength};
use richman_play::{Action, Match};

use richman_render::hint::Hints;

use crate::desk::{Deadline, Desk};
use crate::hall::{Hall, Live, Place, State, live};
use crate::kept::Kept;
use crate::refused::Refused;
use crate::setup::Setup;
use key::Key;

/// How long a game is solved for a program that can do without.
const SOLVING: Duration = Duration::from_secs(8);
/// The same for a program that cannot.
const SOLVING_PERFECTLY: Duration = Duration::from_secs(20);
/// How long a program thinks about an action.
const THINKING: Duration = Duration::from_secs(2);
/// How much longer it may take to stop than was asked for.
const SLACK: Duration = Duration::from_secs(5);

/// Finds what computer players do.
pub struct Computers {
    solving: Desk,
    thinking: Desk,
    known: Kept<Key, Knowledge>,
    hints: Kept<hints::HintKey, Hints>,
    /// How long a game is solved for a program that can do without, and for one that cannot.
    times: [Duration; 2],
}

impl Default for Computers {
    fn default() -> Computers {
        Computers::with_times(SOLVING, SOLVING_PERFECTLY)
    }
}

impl Computers {
    /// Programs for which games are solved for so long: a program that can do without, and one that cannot.
    pub fn with_times(solving: Duration, solving_perfectly: Duration) -> Computers {
        /// Bytes that solving a game for a match may hold.
        const MEMORY: u64 = 512 << 20;
        /// Games that are kept.
        const GAMES: u64 = 256;
        /// Matches that wait for their program at once.
        const QUEUE: usize = 10_000;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Computers {
            solving: Desk::new(1, QUEUE, MEMORY),
            thinking: Desk::new(cores, QUEUE, MEMORY),
            known: Kept::new(MEMORY, GAMES),
            hints: Kept::new(MEMORY / 2, GAMES),
            times: [solving, solving_perfectly],
        }
    }

    /// Solves the game before a match begins, where a program cannot do without; others are refused nothing.
    ///
    /// # Errors
    /// [`Refused`] where the level cannot play the game.
    pub(crate) async fn prepare(&self, setup: &Arc<Setup>, game: &Match) -> Result<(), Refused> {
        for player in Player::BOTH {
            if let Some(strength) = setup.strength(player)?
                && strength.base == Base::Perfect
            {
                self.knowledge(setup, game, strength).await?;
            }
        }
        Ok(())
    }

    /// What programs of that strength know of the game, solved once for all matches of it.
    async fn knowledge(&self, setup: &Arc<Setup>, game: &Match, strength: Strength) -> Result<Arc<Knowledge>, Refused> {
        let key = Key::of(setup, game, strength.base)?;
        let time = self.times[usize::from(strength.base == Base::Perfect)];
        let solve = async {
            let (setup, key, memory) = (Arc::clone(setup), key.clone(), self.solving.memory);
            let work = move |deadline: &Deadline| {
                let (subject, position) = (setup.subject()?, setup.position.as_deref());
                let effort = Effort { memory, ..Effort::watched(deadline) }.within_time(time);
                let known = Knowledge::of(&subject, position, &key.mechanism, key.total, &[strength], &effort);
                Ok::<Arc<Knowledge>, Refused>(known?)
            };
            self.solving.run(time + SLACK, work).await
        };
        self.known.answer(&key, Knowledge::bytes, solve).await
    }

    /// What the program does that plays for `player`.
    async fn action(
        &self,
        setup: &Arc<Setup>,
        now: &State,
        player: Player,
        strength: Strength,
    ) -> Result<Action, Refused> {
        let knowledge = self.knowledge(setup, &now.game, strength).await?;
        let seed = seed(setup, player, now.steps[player as usize]);
        let game = Arc::clone(&now.game);
        let act = move |deadline: &Deadline| {
            let mut program = strength.computer(&knowledge, seed)?;
            Ok(program.act(&Seat::new(&game, player), &Effort::watched(deadline).at_most(THINKING))?)
        };
        self.thinking.run(THINKING + SLACK, act).await
    }
}

/// The dice for one action of a match.
fn seed(setup: &Setup, player: Player, step: u32) -> u64 {
    // The steps are far apart, so that the dice of one match are not those of the next.
    let number = 2 * u64::from(step) + player as u64;
    setup.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The program that something is waited for from.
fn waited(setup: &Setup, now: &State) -> Option<(Player, Strength)> {
    Player::BOTH.into_iter().find_map(|player| {
        now.game.decision(player)?;
        Some((player, setup.strength(player).ok()??))
    })
}

/// Says, however the task ends, that it is not at work any more.
struct AtWork<'a>(&'a Live);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.thinking.store(false, Ordering::SeqCst);
    }
}

impl Hall {
    /// Sets the computer player to work, if something is waited for from it and it is not at work.
    pub(crate) fn wake(&self, place: &Arc<Place>) {
        let Ok(live) = live(place) else { return };
        if waited(&live.setup, &live.now()).is_none() || !live.may_try() {
            return;
        }
        if live.thinking.swap(true, Ordering::SeqCst) {
            return; // it looks once more before it ends
        }
        let (hall, place) = (self.clone(), Arc::clone(place));
        tokio::spawn(async move {
            if let Ok(live) = self::live(&place) {
                let at_work = AtWork(live);
                hall.play_programs(&place, live).await;
                drop(at_work);
                // What came while the task was ending woke nobody.
                if waited(&live.setup, &live.now()).is_some() {
                    hall.wake(&place);
                }
            }
        });
    }

    /// Acts for programs until nothing is waited for from them.
    async fn play_programs(&self, place: &Arc<Place>, live: &Live) {
        loop {
            let now = live.now();
            let Some((player, strength)) = waited(&live.setup, &now) else { return };
            let step = now.steps[player as usize];
            let done = match self.computers().action(&live.setup, &now, player, strength).await {
                Ok(action) => self.take(place, player, step, &action).await,
                Err(refused) => Err(refused),
            };
            if let Err(refused) = done
                && live.now().version() == now.version()
            {
                // Nothing else happened meanwhile that would explain it.
                if let Ok(_changing) = live.change().await {
                    live.have_trouble(format!("the computer cannot go on: {refused}"));
                }
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
