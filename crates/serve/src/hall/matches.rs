//! Setting up, finding, watching and playing matches.

use std::sync::Arc;
use std::time::Duration;

use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{Created, MatchState, MatchView, NewMatchRow, Pace, Viewer, is_small};
use richman_play::{Action, Match};
use rusqlite::Connection;
use tokio::sync::OwnedMutexGuard;

use super::{Hall, HallInner, Listener, LiveMatch, MatchSlot};
use crate::client::Client;
use crate::store::room::NeededRoom;
use crate::store::{StoreError, rows};

impl Hall {
    /// Sets up a match.
    ///
    /// # Errors
    /// [`Refusal`] if the setup is invalid, or larger than the whole store may be.
    pub async fn create(&self, mut setup: MatchSetup) -> Result<Created, Refusal> {
        setup.check_names()?;
        setup.file = setup.file.map(|file| self.inner.texts.shared(file));
        let setup = Arc::new(setup);
        let game = self.inner.begun(&setup).await?;
        let (new, created) = NewMatchRow::of(&setup)?;
        self.inner.shares.charge(new.bytes())?;
        self.inner.computers.prepare(&setup, &game).await?;
        let invitation = new.invitation.clone();
        let needed = NeededRoom::of_match(new.bytes());
        let number = self.inner.keep_more(needed, move |connection| rows::add_match(connection, &new)).await?;
        let state = MatchState::new(game, &setup, invitation);
        self.put(&created.id, LiveMatch::new(&self.inner, number, setup, state)).await;
        Ok(created)
    }

    /// Finds the computer's knowledge for first games, which have that setup.
    ///
    /// # Errors
    /// [`Refusal`] if the setup is invalid, or the server is busy.
    pub(crate) async fn prepare_first(&self, setup: MatchSetup) -> Result<(), Refusal> {
        let setup = Arc::new(setup);
        let game = self.inner.begun(&setup).await?;
        self.inner.computers.prepare_first(&setup, &game).await
    }

    /// Shows a match that is on the disk.
    pub(super) async fn put(&self, id: &GameId, live: LiveMatch) {
        let slot = self.inner.shelf.lock().slot(id);
        // If another task was faster, it loaded the same match from the disk.
        slot.live.get_or_init(|| async { live }).await;
        self.inner.shelf.lock().keep(&slot);
        self.wake(&slot);
    }

    /// The match of a token's seat, as that player sees it.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the token has no seat.
    pub async fn seat(&self, token: &Token) -> Result<MatchView, Refusal> {
        let (slot, viewer) = self.seated(token).await?;
        view_for(&slot, viewer)
    }

    /// A match as a spectator sees it.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if there is no such match.
    pub async fn watch(&self, id: &GameId) -> Result<MatchView, Refusal> {
        let slot = self.slot(id).await?;
        view_for(&slot, Viewer::Spectator)
    }

    /// The match of an invitation as a spectator sees it, and the free seat.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if there is no such invitation, or the seat is taken.
    pub async fn invited(&self, invitation: &Token) -> Result<(MatchView, Player), Refusal> {
        let (slot, player) = self.invitation(invitation).await?;
        Ok((view_for(&slot, Viewer::Spectator)?, player))
    }

    /// The match of an invitation that somebody has used.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if no such invitation was used, or the match is gone.
    pub async fn used_invitation(&self, invitation: &Token) -> Result<GameId, Refusal> {
        let hash = invitation.hash();
        let found = self.inner.store.read(move |connection| rows::used_invitation(connection, &hash)).await?;
        found.ok_or(Refusal::NotFound("invitation"))
    }

    async fn invitation(&self, invitation: &Token) -> Result<(Arc<MatchSlot>, Player), Refusal> {
        let hash = invitation.hash();
        let found = self.inner.store.read(move |connection| rows::invitation(connection, &hash)).await?;
        let Some((id, Viewer::Player(player))) = found else { return Err(Refusal::NotFound("invitation")) };
        Ok((self.slot(&id).await?, player))
    }

    /// Takes the seat of an invitation, which is then void.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if there is no such invitation, or the seat is taken.
    pub async fn accept(&self, invitation: &Token) -> Result<Token, Refusal> {
        let (slot, player) = self.invitation(invitation).await?;
        let live = live(&slot)?;
        let changing = live.change().await?;
        let now = live.now();
        let token = Token::random();
        let (number, used, hash) = (live.number, invitation.hash(), token.hash());
        let state = MatchState { invitation: None, ..MatchState::clone(&now) };
        let accept = move |connection: &Connection| {
            let is_free = rows::accept(connection, number, &used, player, &hash)?;
            Ok(is_free.then_some(()).ok_or(Refusal::NotFound("invitation")))
        };
        self.inner.change(changing, &slot, state, accept).await.map(|()| token)
    }

    /// Takes an action of the player in the seat. `step` is the number of that player's earlier
    /// actions. At one screen, `player` says whose action it is. The action is on the disk when
    /// this returns.
    ///
    /// # Errors
    /// [`Refusal::Illegal`] if the rules forbid it; [`Refusal::Conflict`] if another step is due;
    /// [`Refusal::BadRequest`] at one screen without `player`; [`Refusal::Forbidden`] for the other
    /// player's seat; [`Refusal::NotFound`] if the token has no seat.
    pub async fn act(
        &self,
        token: &Token,
        player: Option<Player>,
        step: u32,
        action: Action,
    ) -> Result<MatchView, Refusal> {
        let (slot, viewer) = self.seated(token).await?;
        let player = viewer.acting(player)?;
        live(&slot)?.played();
        self.take(&slot, player, step, action, Pace::Usual).await?;
        view_for(&slot, viewer)
    }

    pub(crate) async fn take(
        &self,
        slot: &Arc<MatchSlot>,
        player: Player,
        step: u32,
        action: Action,
        pace: Pace,
    ) -> Result<(), Refusal> {
        let live = live(slot)?;
        let changing = live.change().await?;
        let now = live.now();
        now.check_step(player, step)?;
        let (number, next, text) =
            (live.number, now.actions(), serde_json::to_string(&action).map_err(StoreError::from)?);
        // A long match, or a position with many moves, takes a while.
        let is_small = is_small(&live.setup, &now.game);
        let act = move || now.after(player, &action);
        let after = if is_small { act()? } else { self.computers().desk.write(act).await?? };
        let state = MatchState { pace, ..after };
        let (stage, limits) = (state.stage(), self.inner.limits);
        let add = move |connection: &Connection| {
            if !rows::add_action(connection, number, next, player, &text, stage)? {
                return Err(StoreError::Gone);
            }
            NeededRoom::NONE.is_there(connection, limits).map(Ok)
        };
        let written = self.inner.change(changing, slot, state, add).await;
        self.wake(slot);
        if !written? {
            self.inner.sweep();
        }
        Ok(())
    }

    /// Subscribes `viewer` to the versions of a match. Spectators do not compete with players.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if there is no such match; [`Refusal::Busy`] if too many listen, or
    /// the server is stopping.
    pub async fn listen(&self, id: &GameId, viewer: Viewer) -> Result<Listener, Refusal> {
        self.listen_at(self.slot(id).await?, viewer == Viewer::Spectator)
    }

    /// Subscribes a client with the [key](MatchView::listening_key) as a player, any other as a
    /// spectator.
    ///
    /// # Errors
    /// As [`Hall::listen`].
    pub async fn listen_by_key(&self, id: &GameId, key: Option<&Token>) -> Result<Listener, Refusal> {
        let slot = self.slot(id).await?;
        let is_player = key == Some(&live(&slot)?.listening_key);
        self.listen_at(slot, !is_player)
    }

    fn listen_at(&self, slot: Arc<MatchSlot>, is_spectator: bool) -> Result<Listener, Refusal> {
        let live = live(&slot)?;
        let busy = || Refusal::Busy("too many listen: try again later, or look at the match now and then".to_string());
        let (shares, client) = (&self.inner.shares, Client::current());
        let all = if is_spectator { &shares.spectators } else { &shares.players };
        let mut tickets = vec![all.take(client, 1).ok_or_else(busy)?];
        if is_spectator {
            tickets.push(live.spectators.take(client, 1).ok_or_else(busy)?);
        }
        let Some(version) = live.subscribe() else { return Err(Refusal::Busy("the server is stopping".to_string())) };
        Ok(Listener { version, _slot: slot, tickets })
    }

    /// The seat of a token, in its current match.
    pub(super) async fn seated(&self, token: &Token) -> Result<(Arc<MatchSlot>, Viewer), Refusal> {
        let hash = token.hash();
        match self.seated_by(hash).await {
            // The remembered match may be gone, after the seat moved to a return match.
            Err(Refusal::NotFound(_)) if self.inner.seats.remove(&hash).await.is_some() => self.seated_by(hash).await,
            found => found,
        }
    }

    async fn seated_by(&self, hash: [u8; 32]) -> Result<(Arc<MatchSlot>, Viewer), Refusal> {
        let (mut id, mut viewer) = self.inner.seat(hash).await?;
        let mut is_old = false;
        loop {
            let slot = self.slot(&id).await?;
            let Some(next) = live(&slot)?.now().next.clone() else {
                if is_old {
                    self.inner.seats.insert(hash, (id, viewer)).await;
                }
                return Ok((slot, viewer));
            };
            (id, viewer, is_old) = (next, viewer.exchanged(), true);
        }
    }

    /// A match by its name, loaded, with its computer players running.
    pub(super) async fn slot(&self, id: &GameId) -> Result<Arc<MatchSlot>, Refusal> {
        let slot = self.inner.shelf.lock().slot(id);
        if slot.live.get().is_none() {
            slot.live.get_or_try_init(|| self.inner.load(id)).await?;
            self.inner.shelf.lock().keep(&slot);
        }
        self.wake(&slot);
        Ok(slot)
    }
}

impl HallInner {
    async fn load(&self, id: &GameId) -> Result<LiveMatch, Refusal> {
        let name = id.clone();
        let texts = Arc::clone(&self.texts);
        let stored = self.store.read(move |connection| rows::stored(connection, &name, &texts)).await?;
        let stored = stored.ok_or(Refusal::NotFound("match"))?;
        let games = self.computers.games.clone();
        let (number, stage) = (stored.number, stored.stage);
        let replay = move || MatchState::replayed(&games, &stored.game).map(|state| (stored.game.setup, state));
        let (setup, state) = self.computers.desk.build(replay).await?;
        if state.stage() != stage {
            // An earlier version stored it without noting that matches were over.
            let stage = state.stage();
            self.store.write(move |connection| rows::note_stage(connection, number, stage)).await?;
        }
        Ok(LiveMatch::new(self, number, Arc::new(setup), state))
    }

    /// The match of a setup before its first turn. Clients take turns, at a pace that leaves time
    /// for the matches in play.
    pub(super) async fn begun(&self, setup: &Arc<MatchSetup>) -> Result<Match, Refusal> {
        const PACE: Duration = Duration::from_millis(1);
        let turn = self.beginnings.slot(Client::current(), 0).await.ok_or_else(many)?;
        let (setup, games) = (Arc::clone(setup), self.computers.games.clone());
        let begin = move || {
            turn.give_back_after(PACE); // only now, as the threads that build matches may be busy for long
            setup.begin(&games)
        };
        self.computers.desk.build(begin).await
    }

    async fn seat(&self, hash: [u8; 32]) -> Result<(GameId, Viewer), Refusal> {
        let find = async {
            let found = self.store.read(move |connection| rows::seat(connection, &hash)).await?;
            found.ok_or(Refusal::NotFound("seat"))
        };
        self.seats.try_get_with(hash, find).await.map_err(|refused: Arc<Refusal>| Refusal::clone(&refused))
    }

    /// Writes a change and then publishes it. Once begun, it completes even if the caller goes
    /// away.
    pub(super) async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        changing: OwnedMutexGuard<()>,
        slot: &Arc<MatchSlot>,
        state: MatchState,
        write: impl FnOnce(&Connection) -> Result<Result<T, Refusal>, StoreError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (inner, slot) = (Arc::clone(self), Arc::clone(slot));
        let task = tokio::spawn(async move {
            let _changing = changing;
            let live = live(&slot)?;
            match inner.store.write(write).await {
                Ok(Ok(done)) => {
                    live.publish(state);
                    inner.shelf.lock().weigh(&slot);
                    Ok(done)
                }
                Ok(Err(refused)) => Err(refused),
                Err(error) => {
                    live.lose();
                    inner.shelf.lock().lose(&slot);
                    Err(error.into())
                }
            }
        });
        task.await.map_err(lost)?
    }
}

/// The failure of a task. The message of a panic may quote input, so it is left out.
fn lost(error: tokio::task::JoinError) -> Refusal {
    let what = if error.is_panic() { "a task panicked" } else { "a task was cancelled" };
    Refusal::internal(std::io::Error::other(what))
}

fn many() -> Refusal {
    Refusal::Busy("many matches are being set up right now: try again in a moment".to_string())
}

pub(crate) fn live(slot: &MatchSlot) -> Result<&LiveMatch, Refusal> {
    slot.live.get().ok_or(Refusal::NotFound("match"))
}

/// The match as `viewer` may see it.
pub(super) fn view_for(slot: &MatchSlot, viewer: Viewer) -> Result<MatchView, Refusal> {
    let live = live(slot)?;
    live.look();
    Ok(MatchView::of(&slot.id, &live.setup, &live.now(), viewer, &live.games, &live.listening_key))
}
