//! Documents in which matches, records and seats outlive the tab: a name, and a text in JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// The most documents kept. Beyond them the longest untouched one is dropped.
const MOST: usize = 1000;
/// The most bytes of all documents.
const MOST_BYTES: usize = 64 << 20;
/// The most bytes of one.
pub(crate) const LARGEST: usize = 8 << 20;

/// A document that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeptChange {
    /// Its name, such as `match/NAME`.
    pub name: String,
    /// Its new text; null if it is dropped.
    pub text: Option<String>,
}

/// The documents, and what the browser does not know of them yet.
#[derive(Debug, Default)]
pub(crate) struct KeptDocuments {
    texts: BTreeMap<String, (u64, String)>,
    changed: BTreeSet<String>,
    bytes: usize,
    last: u64,
}

impl KeptDocuments {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(|(_, text)| text.as_str())
    }

    /// The names that begin with a word, and the texts.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = (&str, &str)> {
        let of = move |name: &str| name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('/'));
        self.texts.iter().filter(move |(name, _)| of(name)).map(|(name, (_, text))| (name.as_str(), text.as_str()))
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(name, (_, text))| (name.as_str(), text.as_str()))
    }

    /// Takes in what the browser kept.
    pub(crate) fn load(&mut self, name: &str, text: &str) {
        if text.len() <= LARGEST {
            self.put(name, text.to_string());
        }
    }

    /// Whether so many documents more, of so many bytes in all, would drop none.
    pub(crate) fn has_room(&self, documents: usize, bytes: usize) -> bool {
        self.texts.len() + documents <= MOST && self.bytes + bytes <= MOST_BYTES
    }

    /// Keeps a document.
    pub(crate) fn keep(&mut self, name: &str, text: String) {
        self.put(name, text);
        self.changed.insert(name.to_string());
        while self.texts.len() > MOST || self.bytes > MOST_BYTES {
            let others = self.texts.iter().filter(|(other, _)| *other != name && *other != crate::seats::NAME);
            // Records, which a link can add, before matches.
            let oldest = others.min_by_key(|(other, (at, _))| (other.starts_with("match/"), *at));
            let Some(oldest) = oldest.map(|(other, _)| other.clone()) else { break };
            self.drop(&oldest);
        }
    }

    pub(crate) fn drop(&mut self, name: &str) {
        if let Some((_, text)) = self.texts.remove(name) {
            self.bytes -= text.len();
            self.changed.insert(name.to_string());
        }
    }

    fn put(&mut self, name: &str, text: String) {
        self.last += 1;
        self.bytes += text.len();
        if let Some((_, before)) = self.texts.insert(name.to_string(), (self.last, text)) {
            self.bytes -= before.len();
        }
    }

    pub(crate) fn changes(&mut self) -> Vec<KeptChange> {
        let names = std::mem::take(&mut self.changed);
        let change = |name: String| KeptChange { text: self.get(&name).map(str::to_string), name };
        names.into_iter().map(change).collect()
    }
}
