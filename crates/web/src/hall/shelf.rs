//! The matches in memory: recent ones, and those in use.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use lru::LruCache;
use tokio::sync::OnceCell;

use super::place::MatchSlot;
use crate::token::GameId;

/// Places by name. A place stays while it is in use, and longer if there is room.
pub(super) struct MatchShelf {
    known: HashMap<GameId, Weak<MatchSlot>>,
    /// The places, and their weights when last measured.
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

    /// The one place of that name.
    pub(super) fn place(&mut self, id: &GameId) -> Arc<MatchSlot> {
        if let Some((place, _)) = self.recent.get(id) {
            return Arc::clone(place);
        }
        if let Some(place) = self.known.get(id).and_then(Weak::upgrade) {
            return place;
        }
        if self.known.len() >= self.sweep {
            self.known.retain(|_, place| place.strong_count() > 0);
            self.sweep = SWEEP.max(2 * self.known.len());
        }
        let place = Arc::new(MatchSlot { id: id.clone(), live: OnceCell::new() });
        self.known.insert(id.clone(), Arc::downgrade(&place));
        place
    }

    /// Keeps a place whose match is in memory; the least recently used make room.
    pub(super) fn keep(&mut self, place: &Arc<MatchSlot>) {
        let Some(live) = place.live.get() else { return };
        if self.is_closed {
            live.fall_silent();
        }
        if !self.is_known(place) {
            return; // it was forgotten meanwhile
        }
        let weight = live.weight();
        let before = self.recent.put(place.id.clone(), (Arc::clone(place), weight));
        self.weight = self.weight + weight - before.map_or(0, |(_, before)| before);
        while self.weight > self.most && self.recent.len() > 1 {
            let Some((_, (_, weight))) = self.recent.pop_lru() else { break };
            self.weight -= weight;
        }
    }

    /// Weighs a match again, which has changed.
    pub(super) fn weigh(&mut self, place: &Arc<MatchSlot>) {
        if self.recent.contains(&place.id) {
            self.keep(place);
        }
    }

    /// Drops a place, so that its match is loaded again.
    pub(super) fn lose(&mut self, place: &Arc<MatchSlot>) {
        if self.is_known(place) {
            self.forget(&place.id);
        }
    }

    /// Drops the place of a match, even if in use. The next lookup creates another.
    pub(super) fn forget(&mut self, id: &GameId) {
        if let Some((_, weight)) = self.recent.pop(id) {
            self.weight -= weight;
        }
        self.known.remove(id);
    }

    /// Whether a place is still the one of its match.
    fn is_known(&self, place: &Arc<MatchSlot>) -> bool {
        self.known.get(&place.id).is_some_and(|known| known.as_ptr() == Arc::as_ptr(place))
    }

    /// Closes all listeners, now and in future.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        for place in self.known.values().filter_map(Weak::upgrade) {
            if let Some(live) = place.live.get() {
                live.fall_silent();
            }
        }
    }

    /// The number of places in memory.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.values().filter(|place| place.strong_count() > 0).count()
    }
}
