//! Records to show.

use richman_analysis::{Games, Subject};
use richman_core::{Player, Unwatched, Walk};
use richman_formats::Record;
use richman_play::review::MatchNotes;
use richman_play::{Match, record};

use crate::file_text::FileText;
use crate::hinted::coached;
use crate::refused::Refusal;
use crate::setup::{LARGEST_FILE, MOST_TURNS};
use crate::view::MatchView;

/// The longest record kept, in bytes.
pub const LONGEST_RECORD: usize = 1 << 20;

/// A record to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRecord {
    /// The record.
    pub text: String,
    /// The game file.
    pub file: Option<FileText>,
}

impl ShownRecord {
    /// The record of a match so far. Once it is over, the record names the hints given in it, by
    /// their stored words; before that they would reveal probable bids.
    ///
    /// # Errors
    /// [`Refusal::Unfit`] if the game can no longer be read.
    pub fn of_match(viewed: &MatchView, hints: &[(Player, String)]) -> Result<ShownRecord, Refusal> {
        let mut record = viewed.record();
        if viewed.closed().is_some() {
            let words = hints.iter().map(|(player, word)| (*player, word.as_str()));
            let mut notes = MatchNotes::of_hint_words(words);
            notes.hints.extend(coached(viewed)?);
            record.tags.extend(notes.hint_tags());
        }
        Ok(ShownRecord { text: record.to_string(), file: viewed.setup.file.clone() })
    }

    /// Refuses a record or a game file that is too long to be kept.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] if one is.
    pub fn check_size(&self) -> Result<(), Refusal> {
        if self.text.len() > LONGEST_RECORD {
            return Err(Refusal::TooLarge(format!("a record has at most {LONGEST_RECORD} bytes here")));
        }
        if self.file.as_ref().is_some_and(|file| file.len() > LARGEST_FILE) {
            return Err(Refusal::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here")));
        }
        Ok(())
    }

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
