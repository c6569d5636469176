//! Records to show.

use std::sync::Arc;

use richman_analysis::{Games, Subject};
use richman_core::{Unwatched, Walk};
use richman_formats::Record;
use richman_play::review::MatchNotes;
use richman_play::{Match, record};

use super::{Hall, ShownRecord};
use crate::refused::Refusal;
use crate::setup::{LARGEST_FILE, MOST_TURNS};
use crate::store::room::NeededRoom;
use crate::store::{bytes_of_record, rows};
use crate::token::GameId;

/// The longest record kept, in bytes.
pub const LONGEST_RECORD: usize = 1 << 20;

impl Hall {
    /// Keeps a record with its game file, and returns its name.
    ///
    /// # Errors
    /// [`Refusal`] if the text is not a record, or the record is not a possible match.
    pub async fn keep_record(&self, text: String, file: Option<String>) -> Result<GameId, Refusal> {
        if text.len() > LONGEST_RECORD {
            return Err(Refusal::TooLarge(format!("a record has at most {LONGEST_RECORD} bytes here")));
        }
        if file.as_ref().is_some_and(|file| file.len() > LARGEST_FILE) {
            return Err(Refusal::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here")));
        }
        // Nonsense is charged too, because it is read all the same.
        self.inner.shares.charge(bytes_of_record(&text, file.as_deref()))?;
        let (games, texts) = (self.games().clone(), Arc::clone(&self.inner.texts));
        let read = move || {
            let shown = ShownRecord { text, file: file.map(|file| texts.shared(file.into())) };
            shown.replayed(&games).map(|_| shown)
        };
        let shown = self.inner.computers.desk.build(read).await?;
        self.keep(shown).await
    }

    /// Keeps a game file with a record of no turns, [checked](ShownRecord::check) before; the game
    /// need not allow matches.
    ///
    /// # Errors
    /// [`Refusal`] if the file is too large, or the store takes no more.
    pub async fn keep_game(&self, game: ShownRecord) -> Result<GameId, Refusal> {
        if game.file.as_ref().is_some_and(|file| file.len() > LARGEST_FILE) {
            return Err(Refusal::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here")));
        }
        self.inner.shares.charge(bytes_of_record(&game.text, game.file.as_deref()))?;
        self.keep(ShownRecord { file: game.file.map(|file| self.inner.texts.shared(file)), ..game }).await
    }

    async fn keep(&self, shown: ShownRecord) -> Result<GameId, Refusal> {
        let name = GameId::random();
        let id = name.clone();
        let bytes = bytes_of_record(&shown.text, shown.file.as_deref());
        let needed = NeededRoom { bytes, matches: 0, spared: 0 };
        self.inner.keep_more(needed, move |connection| rows::add_record(connection, &id, &shown)).await?;
        Ok(name)
    }

    /// The record of a match so far, or a kept record, and whether the match still goes on.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if there is neither.
    pub async fn shown(&self, id: &GameId) -> Result<(ShownRecord, bool), Refusal> {
        match self.watch(id).await {
            Ok(viewed) => {
                let hints = self.hints_given(id, &viewed).await?;
                let write = move || {
                    let mut record = viewed.record();
                    record.tags.extend(hints.tags(&viewed)?);
                    let shown = ShownRecord { text: record.to_string(), file: viewed.setup.file.clone() };
                    Ok((shown, viewed.closed().is_none()))
                };
                self.inner.computers.desk.write(write).await?
            }
            Err(Refusal::NotFound(_)) => Ok((self.record(id).await?, false)),
            Err(refused) => Err(refused),
        }
    }

    /// A kept record.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if there is none.
    pub async fn record(&self, id: &GameId) -> Result<ShownRecord, Refusal> {
        let id = id.clone();
        let texts = Arc::clone(&self.inner.texts);
        let found = self.inner.store.read(move |connection| rows::record(connection, &id, &texts)).await?;
        found.ok_or(Refusal::NotFound("record"))
    }
}

impl ShownRecord {
    /// Facts for a review other than the moves, from the tags.
    pub fn notes(&self) -> MatchNotes {
        let read = Record::parse("the record", self.text.as_bytes());
        read.map_or_else(|_| MatchNotes::default(), |read| MatchNotes::of_tags(&read.tags))
    }

    /// The game and the match.
    ///
    /// # Errors
    /// [`Refusal`] if the text is not a record, or the record is not a possible match.
    pub fn replayed(&self, games: &Games) -> Result<(Subject, Match), Refusal> {
        let ReadRecord { record, subject, walk } = self.read(games)?;
        Ok((subject, replay(walk, &record)?))
    }

    /// Checks a record that is sent or stored. Without turns, a record with a game file stands for
    /// the file: its game need not allow matches.
    ///
    /// # Errors
    /// [`Refusal`] if the text is not a record, its game cannot be read, or the record is not a
    /// possible match.
    pub fn check(&self, games: &Games) -> Result<(), Refusal> {
        let ReadRecord { record, walk, .. } = self.read(games)?;
        let has_events = !record.turns.is_empty() || record.open.is_some() || record.resignation.is_some();
        if self.file.is_none() || has_events || record.result.is_some() {
            replay(walk, &record)?;
        }
        Ok(())
    }

    /// The record, and its game at its first position.
    fn read(&self, games: &Games) -> Result<ReadRecord, Refusal> {
        let record = Record::parse("the record", self.text.as_bytes()).map_err(richman_analysis::Error::from)?;
        if record.turns.len() > MOST_TURNS as usize {
            return Err(Refusal::TooLarge(format!("a record has at most {MOST_TURNS} turns here")));
        }
        let subject = match (&record.file, &self.file) {
            (Some(_), None) => {
                let reason = "the rules of this record are in a game file: give that too";
                return Err(Refusal::BadRequest(reason.to_string()));
            }
            (_, None) => Subject::recorded(games, &record.game)?,
            (name, Some(text)) => Subject::from_file(
                name.as_deref().unwrap_or_default(),
                text.as_bytes(),
                &crate::setup::reading(&Unwatched),
            )?,
        };
        let walk = subject.walk(record.position.as_deref())?;
        Ok(ReadRecord { record, subject, walk })
    }
}

/// A record that was read.
struct ReadRecord {
    record: Record,
    subject: Subject,
    /// The game at the first position.
    walk: Box<dyn Walk>,
}

fn replay(walk: Box<dyn Walk>, record: &Record) -> Result<Match, Refusal> {
    record::replay(walk, record).map_err(|error| Refusal::BadRequest(error.to_string()))
}
