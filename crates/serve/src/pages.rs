//! What pages need of a server.

use std::sync::Arc;
use std::time::Duration;

use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{Created, MatchView, ShownRecord};
use richman_pages::desk::Deadline;
use richman_pages::finished::FinishedPage;
use richman_pages::needs::{self, AnswerKind, Answered, AnyPart, Clerk, Later, PartKind, TimedJob};
use richman_play::Action;
use richman_render::hint::Hint;

use crate::desk::Desk;
use crate::hall::Hall;
use crate::kept::AnswerCache;

impl needs::PageHall for Hall {
    fn create(&self, setup: MatchSetup) -> Answered<'_, Created> {
        Box::pin(self.create(setup))
    }

    fn seat<'a>(&'a self, token: &'a Token) -> Answered<'a, MatchView> {
        Box::pin(self.seat(token))
    }

    fn watch<'a>(&'a self, id: &'a GameId) -> Answered<'a, MatchView> {
        Box::pin(self.watch(id))
    }

    fn invited<'a>(&'a self, invitation: &'a Token) -> Answered<'a, (MatchView, Player)> {
        Box::pin(self.invited(invitation))
    }

    fn used_invitation<'a>(&'a self, invitation: &'a Token) -> Answered<'a, GameId> {
        Box::pin(self.used_invitation(invitation))
    }

    fn accept<'a>(&'a self, invitation: &'a Token) -> Answered<'a, Token> {
        Box::pin(self.accept(invitation))
    }

    fn act<'a>(
        &'a self,
        token: &'a Token,
        player: Option<Player>,
        step: u32,
        action: Action,
    ) -> Answered<'a, MatchView> {
        Box::pin(self.act(token, player, step, action))
    }

    fn computer_acted<'a>(&'a self, viewed: &'a MatchView, most: Duration) -> Later<'a, ()> {
        Box::pin(async move {
            let Ok(mut listener) = self.listen(&viewed.id, viewed.viewer()).await else { return };
            let wait = async {
                while self.watch(&viewed.id).await.is_ok_and(|now| now.waits_for_computer()) {
                    let seen = *listener.version.borrow();
                    if listener.changed(Some(seen)).await.is_none() {
                        return;
                    }
                }
            };
            let _ = tokio::time::timeout(most, wait).await;
        })
    }

    fn rematch<'a>(&'a self, token: &'a Token) -> Answered<'a, MatchView> {
        Box::pin(self.rematch(token))
    }

    fn hint<'a>(&'a self, token: &'a Token) -> Answered<'a, Hint> {
        Box::pin(self.hint(token))
    }

    fn keep_record(&self, text: String, file: Option<String>) -> Answered<'_, GameId> {
        Box::pin(self.keep_record(text, file))
    }

    fn keep_game(&self, game: ShownRecord) -> Answered<'_, GameId> {
        Box::pin(self.keep_game(game))
    }

    fn shown<'a>(&'a self, id: &'a GameId) -> Answered<'a, (ShownRecord, bool)> {
        Box::pin(self.shown(id))
    }

    fn check_pace(&self, seat: &Token) -> Result<(), Refusal> {
        self.pace().check(seat)
    }

    fn note_pace(&self, seat: &Token) {
        self.pace().note(seat);
    }
}

impl needs::PageDesk for Desk {
    fn memory(&self) -> u64 {
        self.memory
    }

    fn run(&self, time: Duration, job: TimedJob) -> Answered<'_, ()> {
        Box::pin(self.run(time, job))
    }

    fn clerk(&self, clerk: Clerk, job: Box<dyn FnOnce() + Send>) -> Answered<'_, ()> {
        Box::pin(self.clerk(clerk, job))
    }
}

/// The caches of answers and of their parts, one for each kind.
pub(crate) struct CachedAnswers {
    finished: [AnswerCache<String, FinishedPage>; 3],
    parts: [AnswerCache<String, AnyPart>; 4],
}

impl Default for CachedAnswers {
    fn default() -> CachedAnswers {
        CachedAnswers { finished: [(); 3].map(|()| finished_pages()), parts: Default::default() }
    }
}

/// An empty cache of finished answers.
pub(crate) fn finished_pages() -> AnswerCache<String, FinishedPage> {
    const BYTES: u64 = 32 << 20;
    AnswerCache::with_refusals(BYTES, BYTES / 2048, FinishedPage::shows_refusal)
}

impl needs::PageAnswers for CachedAnswers {
    fn cached(&self, kind: AnswerKind, key: &str) -> Option<Arc<FinishedPage>> {
        self.finished[kind as usize].cached(&key.to_string())
    }

    fn answer<'a>(
        &'a self,
        kind: AnswerKind,
        key: String,
        make: Answered<'a, Arc<FinishedPage>>,
    ) -> Answered<'a, Arc<FinishedPage>> {
        Box::pin(async move { self.finished[kind as usize].answer(&key, FinishedPage::weight, make).await })
    }

    fn part(
        &self,
        kind: PartKind,
        key: String,
        deadline: &Deadline,
        make: &mut dyn FnMut() -> Result<(AnyPart, u64), Refusal>,
    ) -> Result<AnyPart, Refusal> {
        let cache = &self.parts[kind as usize];
        cache.answer_at_desk(&key, deadline, make).map(|part| AnyPart::clone(&part))
    }
}
