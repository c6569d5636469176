//! The matches in memory: recent ones, and those in use.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use lru::LruCache;
use richman_hall::token::GameId;
use tokio::sync::OnceCell;

use super::slot::MatchSlot;

/// Slots by name. A slot stays while it is in use, and longer if there is room.
pub(super) struct MatchShelf {
    known: HashMap<GameId, Weak<MatchSlot>>,
    /// The slots, and their weights when last measured.
    recent: LruCache<GameId, (Arc<MatchSlot>, usize)>,
    weight: usize,
    most: usize,
    /// The number of names at which dead ones are swept.
    sweep: usize,
    /// Whether the server is stopping.
    is_closed: bool,
}

/// The least number of names before a sweep.
const SWEEP: usize = 1024;

impl MatchShelf {
    /// Room for about `most` bytes.
    pub(super) fn new(most: usize) -> MatchShelf {
        MatchShelf {
            known: HashMap::new(),
            recent: LruCache::unbounded(),
            weight: 0,
            most,
            sweep: SWEEP,
            is_closed: false,
        }
    }

    /// The one slot of that name.
    pub(super) fn slot(&mut self, id: &GameId) -> Arc<MatchSlot> {
        if let Some((slot, _)) = self.recent.get(id) {
            return Arc::clone(slot);
        }
        if let Some(slot) = self.known.get(id).and_then(Weak::upgrade) {
            return slot;
        }
        if self.known.len() >= self.sweep {
            self.known.retain(|_, slot| slot.strong_count() > 0);
            self.sweep = SWEEP.max(2 * self.known.len());
        }
        let slot = Arc::new(MatchSlot { id: id.clone(), live: OnceCell::new() });
        self.known.insert(id.clone(), Arc::downgrade(&slot));
        slot
    }

    /// Keeps a slot whose match is in memory; the least recently used make room.
    pub(super) fn keep(&mut self, slot: &Arc<MatchSlot>) {
        let Some(live) = slot.live.get() else { return };
        if self.is_closed {
            live.fall_silent();
        }
        if !self.is_known(slot) {
            return; // it was forgotten meanwhile
        }
        let weight = live.weight();
        let before = self.recent.put(slot.id.clone(), (Arc::clone(slot), weight));
        self.weight = self.weight + weight - before.map_or(0, |(_, before)| before);
        while self.weight > self.most && self.recent.len() > 1 {
            let Some((_, (_, weight))) = self.recent.pop_lru() else { break };
            self.weight -= weight;
        }
    }

    /// Weighs a match again, which has changed.
    pub(super) fn weigh(&mut self, slot: &Arc<MatchSlot>) {
        if self.recent.contains(&slot.id) {
            self.keep(slot);
        }
    }

    /// Drops a slot, so that its match is loaded again.
    pub(super) fn lose(&mut self, slot: &Arc<MatchSlot>) {
        if self.is_known(slot) {
            self.forget(&slot.id);
        }
    }

    /// Drops the slot of a match, even if in use. The next lookup creates another.
    pub(super) fn forget(&mut self, id: &GameId) {
        if let Some((_, weight)) = self.recent.pop(id) {
            self.weight -= weight;
        }
        self.known.remove(id);
    }

    /// Whether a slot is still the one of its match.
    fn is_known(&self, slot: &Arc<MatchSlot>) -> bool {
        self.known.get(&slot.id).is_some_and(|known| known.as_ptr() == Arc::as_ptr(slot))
    }

    /// Closes all listeners, now and in future.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        for slot in self.known.values().filter_map(Weak::upgrade) {
            if let Some(live) = slot.live.get() {
                live.fall_silent();
            }
        }
    }

    /// The number of slots in memory.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.values().filter(|slot| slot.strong_count() > 0).count()
    }
}
