//! What was found out about games, as long as there is room.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use richman_core::{Holding, Mechanism, Total};
use richman_play::Match;
use richman_play::players::{Base, Knowledge};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::refused::Refused;
use crate::setup::Setup;

/// What knowledge is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    game: String,
    /// Of a game file, what is in it.
    file: Option<[u8; 32]>,
    position: Option<String>,
    pub(super) mechanism: Mechanism,
    pub(super) total: Total,
    base: Base,
}

impl Key {
    pub(super) fn of(setup: &Setup, game: &Match, base: Base) -> Result<Key, Refused> {
        let chips = game.rules().start.map(Holding::chips).into_iter().map(u64::from).sum();
        Ok(Key {
            game: setup.game.clone(),
            file: setup.file.as_ref().map(|text| Sha256::digest(text.as_bytes()).into()),
            position: setup.position.clone(),
            mechanism: setup.mechanism.0.clone(),
            total: Total::new(chips)?,
            base,
        })
    }
}

/// Filled by the first who needs it, while the others wait.
pub(super) type Cell = Arc<OnceCell<Arc<Knowledge>>>;

/// The games that were needed last.
pub(super) struct Known {
    cells: Mutex<LruCache<Key, Cell>>,
    most_bytes: u64,
}

impl Known {
    /// Room for about so many bytes.
    pub(super) fn new(most_bytes: u64) -> Known {
        const GAMES: NonZeroUsize = NonZeroUsize::new(256).unwrap();
        Known { cells: Mutex::new(LruCache::new(GAMES)), most_bytes }
    }

    pub(super) fn cell(&self, key: &Key) -> Cell {
        Arc::clone(self.lock().get_or_insert(key.clone(), Cell::default))
    }

    /// Lets those go that were needed longest ago, until the others have room.
    pub(super) fn make_room(&self) {
        let mut cells = self.lock();
        let bytes = |cell: &Cell| cell.get().map_or(0, |knowledge| knowledge.bytes());
        let mut held: u64 = cells.iter().map(|(_, cell)| bytes(cell)).sum();
        while held > self.most_bytes
            && cells.len() > 1
            && let Some((_, oldest)) = cells.pop_lru()
        {
            held -= bytes(&oldest);
        }
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Key, Cell>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
