//! A match in memory: its state, its writers, its listeners.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use richman_analysis::Games;
use tokio::sync::{OnceCell, OwnedMutexGuard, Semaphore, watch};

use super::HallInner;
use super::state::MatchState;
use crate::refused::Refusal;
use crate::setup::MatchSetup;
use crate::token::GameId;

/// The one slot of a match in memory, for all callers.
pub(crate) struct MatchSlot {
    pub(super) id: GameId,
    pub(super) live: OnceCell<LiveMatch>,
}

pub(crate) struct LiveMatch {
    /// The key in the database.
    pub(super) number: i64,
    pub(crate) setup: Arc<MatchSetup>,
    pub(super) games: Games,
    /// Held while changing the match, from reading it until the change is on the disk.
    changing: Arc<tokio::sync::Mutex<()>>,
    now: RwLock<Arc<MatchState>>,
    /// Sends the version; removed when the server stops.
    version: Mutex<Option<watch::Sender<u64>>>,
    /// One permit for each possible listener.
    pub(super) listeners: Arc<Semaphore>,
    /// Whether a task is running for the computer player.
    pub(crate) thinking: AtomicBool,
    /// The time of a program's last trouble.
    trouble: Mutex<Option<Instant>>,
    /// Whether the state on the disk is unknown; the match must then be loaded again.
    lost: AtomicBool,
}

impl LiveMatch {
    pub(super) fn new(hall: &HallInner, number: i64, setup: Arc<MatchSetup>, state: MatchState) -> LiveMatch {
        LiveMatch {
            number,
            setup,
            games: hall.computers.games.clone(),
            changing: Arc::default(),
            version: Mutex::new(Some(watch::Sender::new(state.version()))),
            now: RwLock::new(Arc::new(state)),
            listeners: Arc::new(Semaphore::new(hall.limits.listeners_of_one)),
            thinking: AtomicBool::new(false),
            trouble: Mutex::new(None),
            lost: AtomicBool::new(false),
        }
    }

    /// The match as it is on the disk.
    pub(crate) fn now(&self) -> Arc<MatchState> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for exclusive access to change the match.
    pub(crate) async fn change(&self) -> Result<OwnedMutexGuard<()>, Refusal> {
        let turn = Arc::clone(&self.changing).lock_owned().await;
        if self.lost.load(Ordering::Acquire) {
            return Err(Refusal::Busy("this match is being loaded again: try once more".to_string()));
        }
        Ok(turn)
    }

    /// Shows a written state to everybody.
    pub(super) fn publish(&self, state: MatchState) {
        let version = state.version();
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        if let Some(sender) = self.version.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            sender.send_replace(version);
        }
    }

    /// Shows why a program cannot go on, until the next event.
    pub(crate) fn have_trouble(&self, trouble: String) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.publish(MatchState { trouble: Some(trouble), ..MatchState::clone(&self.now()) });
    }

    /// Whether a program may be started, which is not so soon after trouble.
    pub(crate) fn may_try(&self) -> bool {
        const AGAIN: Duration = Duration::from_secs(30);
        let trouble = *self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = trouble.is_some_and(|since| since.elapsed() < AGAIN) && self.now().trouble.is_some();
        !is_recent && !self.lost.load(Ordering::Acquire)
    }

    /// Subscribes to versions; `None` when the server stops.
    pub(super) fn subscribe(&self) -> Option<watch::Receiver<u64>> {
        self.version.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(watch::Sender::subscribe)
    }

    /// Ends all notifications.
    pub(super) fn fall_silent(&self) {
        self.version.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Distrusts the state in memory, after a write failed.
    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Release);
        self.fall_silent();
    }

    /// The approximate bytes in memory.
    pub(super) fn weight(&self) -> usize {
        const MATCH: usize = 32 << 10;
        /// Bytes of a game for each byte of the text that it was read from.
        const READ: usize = 8;
        /// Bytes of an action for each of its bytes in the store.
        const PLAYED: usize = 4;
        let MatchSetup { game, file, position, .. } = &*self.setup;
        let text = game.len() + position.as_deref().map_or(0, str::len) + file.as_deref().map_or(0, str::len);
        MATCH + READ * text + PLAYED * usize::try_from(self.now().bytes).unwrap_or(0)
    }
}
