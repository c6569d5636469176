//! Records that somebody wants to show.

use richman_formats::Record;
use richman_play::record;

use super::{Hall, Shown};
use crate::refused::Refused;
use crate::setup::{LARGEST_FILE, MOST_TURNS};
use crate::store::rows;
use crate::token::GameId;

/// The longest record that is kept, in bytes.
pub const LONGEST_RECORD: usize = 1 << 20;

impl Hall {
    /// Keeps a record that somebody wants to show, with the game file that its rules are in if they are in one, and names it.
    ///
    /// # Errors
    /// [`Refused`] for a record that is none, or no match.
    pub async fn keep_record(&self, text: String, file: Option<String>) -> Result<GameId, Refused> {
        if text.len() > LONGEST_RECORD {
            return Err(Refused::TooLarge(format!("a record has at most {LONGEST_RECORD} bytes here")));
        }
        if file.as_ref().is_some_and(|file| file.len() > LARGEST_FILE) {
            return Err(Refused::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here")));
        }
        let shown = self
            .inner
            .build(move || {
                check(&text, file.as_deref())?;
                Ok(Shown { text, file })
            })
            .await?;
        let name = GameId::new();
        let id = name.clone();
        let add = move |connection: &rusqlite::Connection| {
            rows::add_record(connection, &id, &shown.text, shown.file.as_deref())
        };
        self.inner.keep_more(add).await?;
        Ok(name)
    }

    /// Forgets the matches in which nothing happened for so many days, and records that were kept before then; says how many matches.
    ///
    /// # Errors
    /// [`Refused::Internal`].
    pub async fn forget(&self, days: u32) -> Result<usize, Refused> {
        const DAY: i64 = 24 * 60 * 60;
        const AT_ONCE: u32 = 256;
        let mut count = 0;
        loop {
            let seconds = i64::from(days) * DAY;
            let gone = self.inner.store.write(move |connection| rows::forget(connection, seconds, AT_ONCE)).await?;
            let mut shelf = self.inner.shelf();
            for id in &gone {
                shelf.forget(id);
            }
            count += gone.len();
            if gone.len() < AT_ONCE as usize {
                return Ok(count);
            }
        }
    }

    /// A kept record.
    ///
    /// # Errors
    /// [`Refused::NotFound`].
    pub async fn record(&self, id: &GameId) -> Result<Shown, Refused> {
        let id = id.clone();
        let found = self.inner.store.read(move |connection| rows::record(connection, &id)).await?;
        found.map(|(text, file)| Shown { text, file }).ok_or(Refused::NotFound("record"))
    }
}

/// That the text is a record, and the record a match.
fn check(text: &str, file: Option<&str>) -> Result<(), Refused> {
    let read = Record::parse("the record", text.as_bytes()).map_err(richman_analysis::Error::from)?;
    if read.turns.len() > MOST_TURNS as usize {
        return Err(Refused::TooLarge(format!("a record has at most {MOST_TURNS} turns here")));
    }
    if read.file.is_some() && file.is_none() {
        return Err(Refused::BadRequest("the rules of this record are in a game file: give that too".to_string()));
    }
    let walk = record::walk(&read, file.map(str::as_bytes))?;
    record::replay(walk, &read).map_err(|error| Refused::BadRequest(error.to_string()))?;
    Ok(())
}
