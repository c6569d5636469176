//! A cache of recently used values.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

/// Keeps the values used last: up to `room` bytes in all, at least one value.
#[derive(Debug)]
pub struct Recent<K: Hash + Eq, V> {
    room: u64,
    kept: Mutex<KeptValues<K, V>>,
}

#[derive(Debug)]
struct KeptValues<K: Hash + Eq, V> {
    values: LruCache<K, (Arc<V>, u64)>,
    bytes: u64,
}

impl<K: Hash + Eq, V> Recent<K, V> {
    /// A cache of `room` bytes.
    pub fn new(room: u64) -> Recent<K, V> {
        Recent { room, kept: Mutex::new(KeptValues { values: LruCache::unbounded(), bytes: 0 }) }
    }

    /// The most bytes.
    pub fn room(&self) -> u64 {
        self.room
    }

    /// A cached value.
    pub fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        self.lock().values.get(key).map(|(value, _)| Arc::clone(value))
    }

    /// Caches a value of `bytes` bytes.
    pub fn keep(&self, key: K, value: V, bytes: u64) -> Arc<V> {
        /// Bytes in addition to the value.
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

    /// Drops a value.
    pub fn remove(&self, key: &K) {
        let mut kept = self.lock();
        kept.bytes -= kept.values.pop(key).map_or(0, |(_, bytes)| bytes);
    }

    fn lock(&self) -> MutexGuard<'_, KeptValues<K, V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
