//! What was found out about games, as long as there is room.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use richman_core::{Holding, Mechanism, Total};
use richman_play::Match;
use richman_play::players::{Base, Knowledge};
use richman_render::hint::Hints;
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
pub(super) type Cell<T> = Arc<OnceCell<Arc<T>>>;

/// Something that was solved and takes room.
pub(super) trait Held {
    /// About how many bytes it holds.
    fn bytes(&self) -> u64;
}

impl Held for Knowledge {
    fn bytes(&self) -> u64 {
        Knowledge::bytes(self)
    }
}

impl Held for Hints {
    fn bytes(&self) -> u64 {
        Hints::bytes(self)
    }
}

/// The games that were needed last.
pub(super) struct Known<K: Hash + Eq, T> {
    cells: Mutex<LruCache<K, Cell<T>>>,
    most_bytes: u64,
}

impl<K: Clone + Hash + Eq, T: Held> Known<K, T> {
    /// Room for about so many bytes.
    pub(super) fn new(most_bytes: u64) -> Known<K, T> {
        const GAMES: NonZeroUsize = NonZeroUsize::new(256).unwrap();
        Known { cells: Mutex::new(LruCache::new(GAMES)), most_bytes }
    }

    pub(super) fn cell(&self, key: &K) -> Cell<T> {
        Arc::clone(self.lock().get_or_insert(key.clone(), Cell::default))
    }

    /// Lets those go that were needed longest ago, until the others have room.
    pub(super) fn make_room(&self) {
        let mut cells = self.lock();
        let bytes = |cell: &Cell<T>| cell.get().map_or(0, |known| known.bytes());
        let mut held: u64 = cells.iter().map(|(_, cell)| bytes(cell)).sum();
        while held > self.most_bytes
            && cells.len() > 1
            && let Some((_, oldest)) = cells.pop_lru()
        {
            held -= bytes(&oldest);
        }
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<K, Cell<T>>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
