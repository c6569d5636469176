//! The computer players of the hall.
//!
//! When a match waits for a program, a task computes its action on the [`Desk`], for the client
//! that played last, and submits it to the hall like any other action. When the desk is busy,
//! programs think less, except the perfect one, and the match says so. The program sees the match
//! from its own seat, without the other player's sealed bid. It keeps no state between actions: its
//! random numbers come from the match's seed and the number of the action, so a restart changes
//! nothing.

mod hints;

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use richman_analysis::Games;
use richman_core::{Effort, Player};
use richman_hall::computer::{self, HintKey, KnowledgeKey, programs, waited};
use richman_hall::refused::{FailureCause, Refusal};
use richman_hall::setup::MatchSetup;
use richman_hall::{MatchState, Pace};
use richman_pages::desk::Deadline;
use richman_play::players::{Base, Knowledge, Strength};
use richman_play::{Action, Match};
use richman_render::hint::Hints;

use crate::desk::{Desk, HURRIED};
use crate::fair::FairPool;
use crate::hall::{Hall, LiveMatch, MatchSlot, live};
use crate::kept::AnswerCache;
use crate::server::MEMORY;

/// Time to solve a game for a program that does not need the solution.
const SOLVING: Duration = Duration::from_secs(8);
/// Time to solve a game for a program that needs the solution.
const SOLVING_PERFECTLY: Duration = Duration::from_secs(20);
const THINKING: Duration = Duration::from_secs(2);
/// Extra time to stop after the deadline.
const SLACK: Duration = Duration::from_secs(5);

/// Computes the actions of computer players.
pub struct Computers {
    /// The games that can be played.
    pub(crate) games: Games,
    pub(crate) desk: Desk,
    known: AnswerCache<KnowledgeKey, Knowledge>,
    hints: AnswerCache<HintKey, Hints>,
    /// The knowledge for first games, which other games do not displace.
    first: OnceLock<(KnowledgeKey, Arc<Knowledge>)>,
    /// By default [`SOLVING`] and [`SOLVING_PERFECTLY`].
    times: [Duration; 2],
}

richman_core::debug_by_name!(Computers {});

impl Default for Computers {
    fn default() -> Computers {
        Computers::new(Games::default(), MEMORY)
    }
}

impl Computers {
    /// For matches of these games, with `memory` bytes for solving them and for the knowledge of
    /// them.
    pub fn new(games: Games, memory: u64) -> Computers {
        /// The jobs of one client that may wait.
        const QUEUE: usize = 1000;
        /// The number of games kept.
        const GAMES: u64 = 256;
        let jobs = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4));
        Computers {
            games,
            desk: Desk::new(jobs, QUEUE, memory / 8),
            known: AnswerCache::new(memory / 16, GAMES),
            hints: AnswerCache::new(memory / 32, GAMES),
            first: OnceLock::new(),
            times: [SOLVING, SOLVING_PERFECTLY],
        }
    }

    /// Sets the solving times: for a program that does not need the solution, and for one that
    /// does.
    #[must_use]
    pub fn with_times(self, solving: Duration, solving_perfectly: Duration) -> Computers {
        Computers { times: [solving, solving_perfectly], ..self }
    }

    /// Solves the game before a match begins, for programs that need the solution. Other matches
    /// are never refused.
    ///
    /// # Errors
    /// [`Refusal`] if the level cannot play the game.
    pub(crate) async fn prepare(&self, setup: &Arc<MatchSetup>, game: &Match) -> Result<(), Refusal> {
        for strength in programs(setup)?.filter(|strength| strength.base == Base::Perfect) {
            self.knowledge(setup, game, strength, Pace::Usual).await?;
        }
        Ok(())
    }

    /// Finds the knowledge for first games, and keeps it forever.
    ///
    /// # Errors
    /// [`Refusal`] if the server is busy.
    pub(crate) async fn prepare_first(&self, setup: &Arc<MatchSetup>, game: &Match) -> Result<(), Refusal> {
        for strength in programs(setup)? {
            let known = self.knowledge(setup, game, strength, Pace::Usual).await?;
            // First games have one program.
            let _ = self.first.set((KnowledgeKey::of(setup, game, strength.base, false)?, known));
        }
        Ok(())
    }

    /// A game's knowledge, if it was found before.
    fn found(&self, key: &KnowledgeKey) -> Option<Arc<Knowledge>> {
        match self.first.get() {
            Some((first, known)) if first == key => Some(Arc::clone(known)),
            _ => self.known.cached(key),
        }
    }

    /// A game's knowledge for programs of that strength, computed once for all its matches.
    async fn knowledge(
        &self,
        setup: &Arc<MatchSetup>,
        game: &Match,
        strength: Strength,
        pace: Pace,
    ) -> Result<Arc<Knowledge>, Refusal> {
        let (is_hurried, is_needed) = (pace == Pace::Hurried, strength.base == Base::Perfect);
        let key = KnowledgeKey::of(setup, game, strength.base, is_hurried)?;
        if let Some(known) = self.found(&key) {
            return Ok(known);
        }
        let time = self.times[usize::from(is_needed)];
        let memory = if is_needed { self.desk.memory } else { self.desk.memory / 2 };
        let (time, slack) = if is_hurried { (HURRIED / 5 * 4, HURRIED / 5) } else { (time, SLACK) };
        let solve = async {
            let (setup, key) = (Arc::clone(setup), key.clone());
            let games = self.games.clone();
            let work = move |deadline: &Deadline| {
                let effort = Effort { memory: deadline.memory, ..Effort::watched(deadline) }.within_time(time);
                key.knowledge(&setup, &games, strength, deadline, &effort)
            };
            self.desk.within(memory).run(time + slack, work).await
        };
        self.known.answer(&key, Knowledge::bytes, solve).await
    }

    /// The pace at which a program may think about a match now.
    fn pace(&self, strength: Strength) -> Pace {
        if strength.base != Base::Perfect && self.desk.is_busy() { Pace::Hurried } else { Pace::Usual }
    }

    /// The action of the program that a match waits for, and the pace of its thinking.
    async fn action(
        &self,
        slot: &Arc<MatchSlot>,
        now: &MatchState,
        (player, strength): (Player, Strength),
        room: &FairPool,
    ) -> Result<(Action, Pace), Refusal> {
        let live = live(slot)?;
        let pace = self.pace(strength);
        let (knowledge, known_at) = match live.known() {
            Some(known) => (known, Pace::Usual),
            None => {
                let usual = KnowledgeKey::of(&live.setup, &now.game, strength.base, false)?;
                let (known, known_at) = match self.found(&usual) {
                    Some(known) => (known, Pace::Usual),
                    None => (self.knowledge(&live.setup, &now.game, strength, pace).await?, pace),
                };
                let size = (known.bytes() / 1024 + 1) as usize;
                if known_at == Pace::Usual
                    && let Some(room) = room.take(live.client(), size)
                {
                    LiveMatch::keep_known(slot, Arc::clone(&known), room);
                }
                (known, known_at)
            }
        };
        let seed = computer::seed(&live.setup, player, now.steps[player]);
        let game = Arc::clone(&now.game);
        let (time, slack) = if pace == Pace::Hurried { (HURRIED / 5 * 4, HURRIED / 5) } else { (THINKING, SLACK) };
        let act = move |deadline: &Deadline| {
            let begun = Instant::now();
            let effort = Effort::watched(deadline).at_most(time);
            let action = computer::act(strength, &knowledge, seed, &game, player, &effort)?;
            Ok((action, begun.elapsed() >= time / 10 * 9))
        };
        let (action, used_all) = self.desk.for_moves().run(time + slack, act).await?;
        // A program with full knowledge that did not need all its time thought at the usual pace.
        Ok((action, if used_all { pace } else { known_at }))
    }
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
    pub(crate) fn wake(&self, slot: &Arc<MatchSlot>) {
        let Ok(live) = live(slot) else { return };
        if waited(&live.setup, &live.now()).is_none() || !live.may_try() {
            return;
        }
        if live.thinking.swap(true, Ordering::SeqCst) {
            return; // the running task checks once more before it ends
        }
        let (hall, slot) = (self.clone(), Arc::clone(slot));
        tokio::spawn(live.client().scope(async move {
            if let Ok(live) = self::live(&slot) {
                let at_work = WorkGuard(live);
                let is_abandoned = tokio::select! {
                    () = hall.play_programs(&slot, live) => false,
                    () = live.abandoned() => true,
                };
                drop(at_work);
                // A change while the task was ending did not start another one.
                if !is_abandoned && waited(&live.setup, &live.now()).is_some() {
                    hall.wake(&slot);
                }
            }
        }));
    }

    /// Acts for programs until the match waits for none.
    async fn play_programs(&self, slot: &Arc<MatchSlot>, live: &LiveMatch) {
        loop {
            let now = live.now();
            let Some((player, strength)) = waited(&live.setup, &now) else { return };
            let step = now.steps[player];
            let action = self.computers().action(slot, &now, (player, strength), &self.shares().known);
            let done = match saying_so(live, &now, action).await {
                Ok((action, pace)) => self.take(slot, player, step, action, pace).await,
                Err(refused) => Err(refused),
            };
            if let Some(FailureCause(cause)) = done.as_ref().err().and_then(Refusal::cause) {
                tracing::error!(%cause, "a computer player cannot act");
            }
            if let Err(refused) = done
                && live.now().actions() == now.actions()
            {
                // The match has not changed meanwhile, so the trouble is current.
                if let Ok(_changing) = live.change().await {
                    live.have_trouble(format!("the computer cannot go on: {refused}"));
                }
                return;
            }
        }
    }
}

/// Waits for an action. If it is late although the time for thinking is over, the match says so.
async fn saying_so<T>(live: &LiveMatch, now: &MatchState, action: impl Future<Output = T>) -> T {
    /// Longer than a program thinks in a solved game.
    const SOON: Duration = Duration::from_secs(4);
    let mut action = std::pin::pin!(action);
    if let Ok(done) = tokio::time::timeout(SOON, &mut action).await {
        return done;
    }
    if let Ok(_changing) = live.change().await
        && live.now().version() == now.version()
    {
        live.show_waiting();
    }
    action.await
}

#[cfg(test)]
mod tests;
