//! The matches and records of a tab. The rules are those of [`richman_hall`]; here is who holds
//! what.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use richman_analysis::Games;
use richman_core::{Effort, Player};
use richman_hall::computer::{self, waited};
use richman_hall::kept_match::KeptMatch;
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{
    Created, MatchState, MatchView, NewMatchRow, Pace, Rematch, ShownRecord, Viewer, hint, hinted_decision,
};
use richman_pages::needs::{Answered, Later, PageHall};
use richman_play::Action;
use richman_play::players::{Base, Knowledge, Strength};
use richman_render::hint::{Hint, MOST_POSITIONS};
use serde::Serialize;

use crate::desk::{MEMORY, timed};
use crate::kept::KeptDocuments;
use crate::solutions::Solutions;

mod document;

use document::KeptRecord;

/// Time to solve a game for a program that does not need the solution, and for one that does.
const SOLVING: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(15)];
/// Time for an action.
const THINKING: Duration = Duration::from_secs(2);
/// Time to solve a game for a hint.
const HINTING: Duration = Duration::from_secs(8);

/// A match that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatchNews {
    /// What happened: `version`, or `gone` if there is no such match.
    pub event: &'static str,
    /// The public name.
    pub name: String,
    /// The version of the match.
    pub version: u64,
}

/// The matches and records.
pub(crate) struct TabHall {
    games: Games,
    documents: Arc<Mutex<KeptDocuments>>,
    live: Mutex<HashMap<GameId, Arc<Mutex<LiveMatch>>>>,
    solutions: Solutions,
    news: Mutex<Vec<MatchNews>>,
    /// The match that was looked at last.
    seen: Mutex<Option<GameId>>,
}

/// A match that was looked at.
pub(crate) struct LiveMatch {
    id: GameId,
    setup: Arc<MatchSetup>,
    kept: KeptMatch,
    state: MatchState,
    listening_key: Token,
}

pub(crate) type SharedMatch = Arc<Mutex<LiveMatch>>;

impl TabHall {
    pub(crate) fn new(games: Games, documents: Arc<Mutex<KeptDocuments>>) -> TabHall {
        TabHall {
            games,
            documents,
            live: Mutex::default(),
            solutions: Solutions::default(),
            news: Mutex::default(),
            seen: Mutex::default(),
        }
    }

    /// Drops the match of a document from memory: the document is newer.
    pub(crate) fn forget(&self, name: &str) {
        let id = name.strip_prefix("match/").and_then(GameId::read);
        let was_live = id.is_some_and(|id| self.live.lock().remove(&id).is_some());
        if was_live && let Some(id) = name.strip_prefix("match/") {
            let news = self.version(id);
            self.news.lock().push(news);
        }
    }

    pub(crate) fn news(&self) -> Vec<MatchNews> {
        std::mem::take(&mut self.news.lock())
    }

    pub(crate) fn version(&self, name: &str) -> MatchNews {
        let found = GameId::read(name).and_then(|id| self.find(&id).ok());
        let version = found.map(|found| found.lock().state.version());
        let event = if version.is_some() { "version" } else { "gone" };
        MatchNews { event, name: name.to_string(), version: version.unwrap_or(0) }
    }

    /// The name of the match that was looked at last.
    pub(crate) fn seen(&self) -> Option<GameId> {
        self.seen.lock().clone()
    }

    /// Looks at a match, so that the computer decides in it.
    pub(crate) fn look(&self, id: Option<GameId>) {
        *self.seen.lock() = id;
    }

    /// The match that was looked at last, with the program for which it waits.
    pub(crate) fn waiting(&self) -> Option<(SharedMatch, Player, Strength)> {
        let found = self.find(self.seen.lock().as_ref()?).ok()?;
        let (player, strength) = {
            let live = found.lock();
            waited(&live.setup, &live.state).filter(|_| live.state.trouble.is_none())?
        };
        Some((found, player, strength))
    }

    /// Decides for a program, once.
    pub(crate) fn work(&self) {
        let Some((shared, player, strength)) = self.waiting() else { return };
        if let Err(refused) = self.decide(&shared, player, strength) {
            let mut live = shared.lock();
            let trouble = Some(format!("the computer cannot go on: {refused}"));
            live.state = MatchState { trouble, ..live.state.clone() }.numbered();
            self.tell(&live);
        }
    }

    fn decide(&self, shared: &SharedMatch, player: Player, strength: Strength) -> Result<(), Refusal> {
        let (setup, now) = {
            let live = shared.lock();
            (Arc::clone(&live.setup), live.state.clone())
        };
        let known = self.knowledge(&setup, &now, strength)?;
        let seed = computer::seed(&setup, player, now.steps[player]);
        let action = timed(2 * THINKING, MEMORY, |deadline| {
            let effort = Effort::watched(deadline).at_most(THINKING);
            computer::act(strength, &known, seed, &now.game, player, &effort)
        })?;
        self.take(shared, player, now.steps[player], action)
    }

    fn knowledge(&self, setup: &MatchSetup, now: &MatchState, strength: Strength) -> Result<Arc<Knowledge>, Refusal> {
        let time = SOLVING[usize::from(strength.base == Base::Perfect)];
        self.solutions.knowledge(setup, now, strength, |key| {
            timed(2 * time, MEMORY, |deadline| {
                let effort = Effort { memory: MEMORY, ..Effort::watched(deadline) }.within_time(time);
                key.knowledge(setup, &self.games, strength, deadline, &effort)
            })
        })
    }

    /// A match by its name, loaded.
    fn find(&self, id: &GameId) -> Result<SharedMatch, Refusal> {
        if let Some(found) = self.live.lock().get(id) {
            return Ok(Arc::clone(found));
        }
        let text = self.documents.lock().get(&document::name(id)).map(str::to_string);
        let kept = KeptMatch::read(&text.ok_or(Refusal::NotFound("match"))?)?;
        let stored = kept.stored()?;
        let state = MatchState::replayed(&self.games, &stored)?;
        Ok(self.enter(id.clone(), stored.setup, kept, state))
    }

    fn enter(&self, id: GameId, setup: MatchSetup, kept: KeptMatch, state: MatchState) -> SharedMatch {
        let (setup, state) = (Arc::new(setup), state.numbered());
        let live = LiveMatch { id: id.clone(), setup, kept, state, listening_key: Token::random() };
        let shared = Arc::new(Mutex::new(live));
        self.live.lock().insert(id, Arc::clone(&shared));
        shared
    }

    /// Keeps a match as it is now.
    fn keep(&self, live: &LiveMatch) {
        self.documents.lock().keep(&document::name(&live.id), live.kept.written());
        self.tell(live);
    }

    fn tell(&self, live: &LiveMatch) {
        let (name, version) = (live.id.to_string(), live.state.version());
        self.news.lock().push(MatchNews { event: "version", name, version });
    }

    fn view(&self, live: &LiveMatch, viewer: Viewer) -> MatchView {
        *self.seen.lock() = Some(live.id.clone());
        MatchView::of(&live.id, &live.setup, &live.state, viewer, &self.games, &live.listening_key)
    }

    /// The seat of a token.
    fn seated(&self, token: &Token) -> Result<(SharedMatch, Viewer), Refusal> {
        // A tab has few matches.
        let found = self.documents.lock().of_kind("match").find_map(|(name, text)| {
            if !text.contains(token.reveal()) {
                return None;
            }
            let viewer = KeptMatch::read(text).ok()?.seat(token)?;
            Some((GameId::read(name.strip_prefix("match/")?)?, viewer))
        });
        let (id, viewer) = found.ok_or(Refusal::NotFound("seat"))?;
        Ok((self.find(&id)?, viewer))
    }

    fn seat_now(&self, token: &Token) -> Result<MatchView, Refusal> {
        let (shared, viewer) = self.seated(token)?;
        let live = shared.lock();
        Ok(self.view(&live, viewer))
    }

    fn take(&self, shared: &SharedMatch, player: Player, step: u32, action: Action) -> Result<(), Refusal> {
        let mut live = shared.lock();
        live.state.check_step(player, step)?;
        let after = live.state.after(player, &action)?;
        live.state = MatchState { pace: Pace::Usual, ..after }.numbered();
        live.kept.add_action(player, action);
        self.keep(&live);
        Ok(())
    }

    fn create_now(&self, setup: MatchSetup) -> Result<Created, Refusal> {
        setup.check_names()?;
        if setup.seats.iter().any(|seat| *seat == richman_hall::setup::SeatChoice::Invited) {
            let reason = "a friend on another device needs a server: choose the computer, or two at this screen";
            return Err(Refusal::Forbidden(reason.to_string()));
        }
        let game = setup.begin(&self.games)?;
        let (new, created) = NewMatchRow::of(&setup)?;
        let state = MatchState::new(game, &setup, None);
        for strength in computer::programs(&setup)?.filter(|strength| strength.base == Base::Perfect) {
            self.knowledge(&setup, &state, strength)?;
        }
        let kept = KeptMatch::new(&setup, &created);
        self.keep(&self.enter(new.id, setup, kept, state).lock());
        Ok(created)
    }

    fn rematch_now(&self, token: &Token) -> Result<MatchView, Refusal> {
        let (shared, viewer) = self.seated(token)?;
        let mut old = shared.lock();
        let wished = match old.state.rematch(viewer)? {
            Rematch::Begins(state) => state,
            Rematch::Asked(state) => {
                old.state = state.numbered();
                self.keep(&old);
                return Ok(self.view(&old, viewer));
            }
            Rematch::Awaited | Rematch::Begun => return Ok(self.view(&old, viewer)),
        };
        let setup = old.setup.exchanged();
        let game = setup.begin(&self.games)?;
        let (new, _) = NewMatchRow::of(&setup)?;
        let state = MatchState::new(game, &setup, None);
        let kept = old.kept.followed_by(&new.id, &setup);
        old.state = MatchState { next: Some(new.id.clone()), ..wished }.numbered();
        self.keep(&old);
        let viewer = viewer.exchanged();
        let next = self.enter(new.id, setup, kept, state);
        let live = next.lock();
        self.keep(&live);
        Ok(self.view(&live, viewer))
    }

    fn hint_now(&self, token: &Token) -> Result<Hint, Refusal> {
        let viewed = self.seat_now(token)?;
        let due = hinted_decision(&viewed)?;
        let hints = self.solutions.hints(&viewed.setup, viewed.game(), || {
            timed(2 * HINTING, MEMORY, |deadline| {
                let limits = Effort { positions: MOST_POSITIONS, memory: MEMORY, ..Effort::watched(deadline) };
                let effort = limits.within_time(HINTING);
                computer::hints(&viewed.setup, &self.games, viewed.game(), deadline, &effort)
            })
        })?;
        let (hint, given) =
            timed(HINTING, MEMORY, |deadline| hint(&hints, viewed.game(), viewed.viewer(), due, deadline))?;
        let (shared, _) = self.seated(token)?;
        let mut live = shared.lock();
        live.kept.add_hints(given.hint_words());
        self.documents.lock().keep(&document::name(&live.id), live.kept.written());
        Ok(hint)
    }

    fn keep_shown(&self, shown: &ShownRecord) -> GameId {
        // What is kept twice has one name.
        let text = KeptRecord::written(shown);
        let id = GameId::of_content(&text);
        self.documents.lock().keep(&format!("record/{id}"), text);
        id
    }

    fn keep_record_now(&self, text: String, file: Option<String>) -> Result<GameId, Refusal> {
        let shown = ShownRecord { text, file: file.map(Into::into) };
        shown.check_size()?;
        shown.replayed(&self.games)?;
        Ok(self.keep_shown(&shown))
    }

    fn shown_now(&self, id: &GameId) -> Result<(ShownRecord, bool), Refusal> {
        match self.find(id) {
            Ok(shared) => {
                let live = shared.lock();
                let viewed = self.view(&live, Viewer::Spectator);
                Ok((ShownRecord::of_match(&viewed, &live.kept.hints())?, viewed.closed().is_none()))
            }
            Err(Refusal::NotFound(_)) => {
                let documents = self.documents.lock();
                let text = documents.get(&format!("record/{id}")).ok_or(Refusal::NotFound("record"))?;
                Ok((KeptRecord::read(text)?, false))
            }
            Err(refused) => Err(refused),
        }
    }
}

/// What is known at once.
fn done<'a, T: Send + 'a>(found: T) -> Later<'a, T> {
    Box::pin(std::future::ready(found))
}

impl PageHall for TabHall {
    fn create(&self, setup: MatchSetup) -> Answered<'_, Created> {
        done(self.create_now(setup))
    }

    fn seat<'a>(&'a self, token: &'a Token) -> Answered<'a, MatchView> {
        done(self.seat_now(token))
    }

    fn watch<'a>(&'a self, id: &'a GameId) -> Answered<'a, MatchView> {
        done(self.find(id).map(|shared| self.view(&shared.lock(), Viewer::Spectator)))
    }

    fn invited<'a>(&'a self, _: &'a Token) -> Answered<'a, (MatchView, Player)> {
        done(Err(Refusal::NotFound("invitation")))
    }

    fn used_invitation<'a>(&'a self, _: &'a Token) -> Answered<'a, GameId> {
        done(Err(Refusal::NotFound("invitation")))
    }

    fn accept<'a>(&'a self, _: &'a Token) -> Answered<'a, Token> {
        done(Err(Refusal::NotFound("invitation")))
    }

    fn act<'a>(
        &'a self,
        token: &'a Token,
        player: Option<Player>,
        step: u32,
        action: Action,
    ) -> Answered<'a, MatchView> {
        done((|| {
            let (shared, viewer) = self.seated(token)?;
            self.take(&shared, viewer.acting(player)?, step, action)?;
            let live = shared.lock();
            Ok(self.view(&live, viewer))
        })())
    }

    /// The computer decides after the page is shown.
    fn computer_acted<'a>(&'a self, _: &'a MatchView, _: Duration) -> Later<'a, ()> {
        done(())
    }

    fn rematch<'a>(&'a self, token: &'a Token) -> Answered<'a, MatchView> {
        done(self.rematch_now(token))
    }

    fn hint<'a>(&'a self, token: &'a Token) -> Answered<'a, Hint> {
        done(self.hint_now(token))
    }

    fn keep_record(&self, text: String, file: Option<String>) -> Answered<'_, GameId> {
        done(self.keep_record_now(text, file))
    }

    fn keep_game(&self, game: ShownRecord) -> Answered<'_, GameId> {
        done(game.check_size().map(|()| self.keep_shown(&game)))
    }

    fn shown<'a>(&'a self, id: &'a GameId) -> Answered<'a, (ShownRecord, bool)> {
        done(self.shown_now(id))
    }

    /// The script of the page waits between two decisions; there is no form without it.
    fn check_pace(&self, _: &Token) -> Result<(), Refusal> {
        Ok(())
    }

    fn note_pace(&self, _: &Token) {}
}
