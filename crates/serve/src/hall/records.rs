//! Records to show.

use std::sync::Arc;

use richman_hall::ShownRecord;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use richman_hall::weight::bytes_of_record;

use super::Hall;
use crate::store::room::NeededRoom;
use crate::store::rows;

impl Hall {
    /// Keeps a record with its game file, and returns its name.
    ///
    /// # Errors
    /// [`Refusal`] if the text is not a record, or the record is not a possible match.
    pub async fn keep_record(&self, text: String, file: Option<String>) -> Result<GameId, Refusal> {
        let shown = ShownRecord { text, file: file.map(Into::into) };
        shown.check_size()?;
        // Nonsense is charged too, because it is read all the same.
        self.inner.shares.charge(bytes_of_record(&shown.text, shown.file.as_deref()))?;
        let (games, texts) = (self.games().clone(), Arc::clone(&self.inner.texts));
        let read = move || {
            let shown = ShownRecord { file: shown.file.map(|file| texts.shared(file)), ..shown };
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
        game.check_size()?;
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
                let write = move || Ok((ShownRecord::of_match(&viewed, &hints)?, viewed.closed().is_none()));
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
