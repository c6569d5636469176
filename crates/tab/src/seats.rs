//! The secrets of the browser's seats. A server gives them to browsers as cookies; a tab keeps them
//! in a document.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HeaderValue, SET_COOKIE};
use cookie::Cookie;
use parking_lot::Mutex;
use richman_hall::token::{GameId, Token};

use crate::kept::KeptDocuments;

/// The document of the seats.
pub(crate) const NAME: &str = "seats";

/// The seats: by the path of a match, names and secrets.
pub(crate) struct Seats {
    documents: Arc<Mutex<KeptDocuments>>,
}

type Jar = BTreeMap<String, BTreeMap<String, String>>;

/// Adds the seats of a saved document to those in `documents`, which stay as they are.
pub(crate) fn add(documents: &mut KeptDocuments, saved: &str) {
    let read = |text: &str| serde_json::from_str::<Jar>(text).ok();
    let mut jar = read(saved).unwrap_or_default();
    jar.retain(|path, secrets| {
        secrets.retain(|name, secret| name.starts_with("seat-") && Token::read(secret).is_some());
        path.strip_prefix("/m/").is_some_and(|id| GameId::read(id).is_some()) && !secrets.is_empty()
    });
    jar.extend(documents.get(NAME).and_then(read).unwrap_or_default());
    if let Ok(text) = serde_json::to_string(&jar) {
        documents.keep(NAME, text);
    }
}

impl Seats {
    pub(crate) fn new(documents: Arc<Mutex<KeptDocuments>>) -> Seats {
        Seats { documents }
    }

    fn jar(&self) -> Jar {
        self.documents.lock().get(NAME).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// Adds the secrets for a path to a request.
    pub(crate) fn send(&self, path: &str, headers: &mut HeaderMap) {
        let is_for = |of: &str| path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let jar = self.jar();
        let own = jar.iter().filter(|(of, _)| is_for(of)).flat_map(|(_, secrets)| secrets);
        let text: Vec<String> = own.map(|(name, secret)| format!("{name}={secret}")).collect();
        if let Ok(value) = HeaderValue::try_from(text.join("; "))
            && !text.is_empty()
        {
            headers.insert(COOKIE, value);
        }
    }

    /// Keeps the secrets that an answer gives, and takes them out of it.
    pub(crate) fn keep(&self, headers: &mut HeaderMap) {
        let given: Vec<HeaderValue> = headers.get_all(SET_COOKIE).iter().cloned().collect();
        headers.remove(SET_COOKIE);
        let mut jar = self.jar();
        for cookie in given.iter().filter_map(|value| Cookie::parse(value.to_str().ok()?).ok()) {
            let path = cookie.path().unwrap_or("/").to_string();
            jar.entry(path).or_default().insert(cookie.name().to_string(), cookie.value().to_string());
        }
        if let Ok(text) = serde_json::to_string(&jar)
            && !given.is_empty()
        {
            self.documents.lock().keep(NAME, text);
        }
    }
}
