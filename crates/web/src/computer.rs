//! The computer players of the hall.
//!
//! When a match waits for a program, a task computes its action on a [`Desk`] and submits it to the
//! hall like any other action. The program sees the match from its own seat, without the other
//! player's sealed bid. It keeps no state between actions: its random numbers come from the match's
//! seed and the number of the action, so a restart changes nothing.

mod hints;
mod key;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use richman_analysis::Games;
use richman_core::{Effort, Player};
use richman_play::players::{Base, Knowledge, Seat, Strength};
use richman_play::{Action, Match};

use richman_render::hint::Hints;

use crate::desk::{Deadline, Desk};
use crate::hall::{Hall, LiveMatch, MatchSlot, MatchState, live};
use crate::kept::AnswerCache;
use crate::refused::{FailureCause, Refusal};
use crate::setup::MatchSetup;
use key::KnowledgeKey;

/// Time to solve a game for a program that can do without.
const SOLVING: Duration = Duration::from_secs(8);
/// Time to solve a game for a program that cannot.
const SOLVING_PERFECTLY: Duration = Duration::from_secs(20);
const THINKING: Duration = Duration::from_secs(2);
/// Extra time to stop after the deadline.
const SLACK: Duration = Duration::from_secs(5);

/// Computes the actions of computer players.
pub struct Computers {
    /// The games that matches may be of.
    pub(crate) games: Games,
    solving: Desk,
    thinking: Desk,
    known: AnswerCache<KnowledgeKey, Knowledge>,
    hints: AnswerCache<hints::HintKey, Hints>,
    /// By default [`SOLVING`] and [`SOLVING_PERFECTLY`].
    times: [Duration; 2],
}

impl Default for Computers {
    fn default() -> Computers {
        Computers::new(Games::default())
    }
}

impl Computers {
    /// For matches of these games.
    pub fn new(games: Games) -> Computers {
        Computers::with_times(games, SOLVING, SOLVING_PERFECTLY)
    }

    /// Sets the solving times: for a program that can do without a solution, and for one that
    /// cannot.
    pub fn with_times(games: Games, solving: Duration, solving_perfectly: Duration) -> Computers {
        /// Bytes that solving a game for a match may hold.
        const MEMORY: u64 = 512 << 20;
        /// The number of games kept.
        const GAMES: u64 = 256;
        /// The number of matches that may wait for their programs.
        const QUEUE: usize = 10_000;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Computers {
            games,
            solving: Desk::new(1, QUEUE, MEMORY),
            thinking: Desk::new(cores, QUEUE, MEMORY),
            known: AnswerCache::new(MEMORY, GAMES),
            hints: AnswerCache::new(MEMORY / 2, GAMES),
            times: [solving, solving_perfectly],
        }
    }

    /// Solves the game before a match begins if a program needs the solution. Other matches are
    /// never refused.
    ///
    /// # Errors
    /// [`Refusal`] if the level cannot play the game.
    pub(crate) async fn prepare(&self, setup: &Arc<MatchSetup>, game: &Match) -> Result<(), Refusal> {
        for player in Player::BOTH {
            if let Some(strength) = setup.strength(player)?
                && strength.base == Base::Perfect
            {
                self.knowledge(setup, game, strength).await?;
            }
        }
        Ok(())
    }

    /// A game's knowledge for programs of that strength, computed once for all its matches.
    async fn knowledge(
        &self,
        setup: &Arc<MatchSetup>,
        game: &Match,
        strength: Strength,
    ) -> Result<Arc<Knowledge>, Refusal> {
        let key = KnowledgeKey::of(setup, game, strength.base)?;
        let time = self.times[usize::from(strength.base == Base::Perfect)];
        let solve = async {
            let (setup, key, memory) = (Arc::clone(setup), key.clone(), self.solving.memory);
            let games = self.games.clone();
            let work = move |deadline: &Deadline| {
                let (subject, position) = (setup.subject(&games)?, setup.position.as_deref());
                let effort = Effort { memory, ..Effort::watched(deadline) }.within_time(time);
                let known = Knowledge::of(&subject, position, &key.mechanism, key.total, &[strength], &effort);
                Ok::<Arc<Knowledge>, Refusal>(known?)
            };
            self.solving.run(time + SLACK, work).await
        };
        self.known.answer(&key, Knowledge::bytes, solve).await
    }

    async fn action(
        &self,
        setup: &Arc<MatchSetup>,
        now: &MatchState,
        player: Player,
        strength: Strength,
    ) -> Result<Action, Refusal> {
        let knowledge = self.knowledge(setup, &now.game, strength).await?;
        let seed = seed(setup, player, now.steps[player]);
        let game = Arc::clone(&now.game);
        let act = move |deadline: &Deadline| {
            let mut program = strength.computer(&knowledge, seed)?;
            Ok(program.act(&Seat::new(&game, player), &Effort::watched(deadline).at_most(THINKING))?)
        };
        self.thinking.run(THINKING + SLACK, act).await
    }
}

fn seed(setup: &MatchSetup, player: Player, step: u32) -> u64 {
    // Spreads the steps, so that consecutive seeds give unrelated numbers.
    let number = 2 * u64::from(step) + player as u64;
    setup.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The program that the match waits for.
fn waited(setup: &MatchSetup, now: &MatchState) -> Option<(Player, Strength)> {
    Player::BOTH.into_iter().find_map(|player| {
        now.game.decision(player)?;
        Some((player, setup.strength(player).ok()??))
    })
}

/// Marks the task as finished, however it ends.
struct WorkGuard<'a>(&'a LiveMatch);

impl Drop for WorkGuard<'_> {
    fn drop(&mut self) {
        self.0.thinking.store(false, Ordering::SeqCst);
    }
}

impl Hall {
    /// Starts the computer player if the match waits for it and it is idle.
    pub(crate) fn wake(&self, place: &Arc<MatchSlot>) {
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
                let at_work = WorkGuard(live);
                hall.play_programs(&place, live).await;
                drop(at_work);
                // A change while the task was ending started nothing.
                if waited(&live.setup, &live.now()).is_some() {
                    hall.wake(&place);
                }
            }
        });
    }

    /// Acts for programs until the match waits for none.
    async fn play_programs(&self, place: &Arc<MatchSlot>, live: &LiveMatch) {
        loop {
            let now = live.now();
            let Some((player, strength)) = waited(&live.setup, &now) else { return };
            let step = now.steps[player];
            let done = match self.computers().action(&live.setup, &now, player, strength).await {
                Ok(action) => self.take(place, player, step, &action).await,
                Err(refused) => Err(refused),
            };
            if let Some(FailureCause(cause)) = done.as_ref().err().and_then(Refusal::cause) {
                tracing::error!(%cause, "a computer player cannot act");
            }
            if let Err(refused) = done
                && live.now().version() == now.version()
            {
                // The match has not changed meanwhile, so the trouble stands.
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
