//! The texts of game files: one copy of each, however many matches are played with it.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

/// The text of a game file with its SHA-256. Copies share the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    text: Arc<str>,
    hash: [u8; 32],
}

impl FileText {
    /// The SHA-256 of the text.
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }
}

impl<T: Into<Arc<str>>> From<T> for FileText {
    fn from(text: T) -> FileText {
        let text = text.into();
        FileText { hash: sha256(&text), text }
    }
}

impl Deref for FileText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<[u8]> for FileText {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// The same bytes, shared.
impl From<FileText> for Bytes {
    fn from(file: FileText) -> Bytes {
        Bytes::from_owner(file)
    }
}

/// The SHA-256 of a text.
pub fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// The texts in use, by their hashes.
#[derive(Debug, Default)]
pub struct SharedTexts {
    known: Mutex<HashMap<[u8; 32], Weak<str>>>,
}

impl SharedTexts {
    /// The text with that hash, if it is in use.
    pub fn get(&self, hash: &[u8; 32]) -> Option<FileText> {
        let text = self.known.lock().get(hash).and_then(Weak::upgrade)?;
        Some(FileText { text, hash: *hash })
    }

    /// The copy in use of an equal text, or else this one, which others then share.
    pub fn shared(&self, file: FileText) -> FileText {
        if let Some(found) = self.get(&file.hash) {
            return found;
        }
        let mut known = self.known.lock();
        // The map doubles only when it is full of texts in use.
        if known.len() == known.capacity() {
            known.retain(|_, text| text.strong_count() > 0);
        }
        known.insert(file.hash, Arc::downgrade(&file.text));
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_while_in_use() {
        let texts = SharedTexts::default();
        let first = texts.shared("a game".to_string().into());
        let second = texts.shared("a game".to_string().into());
        assert!(Arc::ptr_eq(&first.text, &second.text));
        let hash = *first.hash();
        drop((first, second));
        assert!(texts.get(&hash).is_none());
        for number in 0..1000 {
            texts.shared(number.to_string().into());
        }
        assert!(texts.known.lock().len() < 10);
    }
}
