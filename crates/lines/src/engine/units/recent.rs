//! Values that were used lately.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

/// Keeps the values that were used last: as many as have `room` bytes together, or one.
pub struct Recent<K: Hash + Eq, V> {
    room: u64,
    kept: Mutex<KeptValues<K, V>>,
}

struct KeptValues<K: Hash + Eq, V> {
    values: LruCache<K, (Arc<V>, u64)>,
    bytes: u64,
}

impl<K: Hash + Eq, V> Recent<K, V> {
    /// Room for so many bytes.
    pub fn new(room: u64) -> Recent<K, V> {
        Recent { room, kept: Mutex::new(KeptValues { values: LruCache::unbounded(), bytes: 0 }) }
    }

    /// The most bytes.
    pub fn room(&self) -> u64 {
        self.room
    }

    /// A value that is kept.
    pub fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        self.lock().values.get(key).map(|(value, _)| Arc::clone(value))
    }

    /// Keeps a value of so many bytes.
    pub fn keep(&self, key: K, value: V, bytes: u64) -> Arc<V> {
        /// Bytes besides the value.
        const EACH: u64 = 256;
        let (value, bytes) = (Arc::new(value), bytes.saturating_add(EACH));
        let mut kept = self.lock();
        let before = kept.values.put(key, (Arc::clone(&value), bytes));
        kept.bytes = kept.bytes + bytes - before.map_or(0, |(_, bytes)| bytes);
        while kept.bytes > self.room
            && kept.values.len() > 1
            && let Some((_, (_, bytes))) = kept.values.pop_lru()
        {
            kept.bytes -= bytes;
        }
        value
    }

    /// Forgets a value.
    pub fn remove(&self, key: &K) {
        let mut kept = self.lock();
        kept.bytes -= kept.values.pop(key).map_or(0, |(_, bytes)| bytes);
    }

    fn lock(&self) -> MutexGuard<'_, KeptValues<K, V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
