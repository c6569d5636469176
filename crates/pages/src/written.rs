//! Answers about matches: pages, JSON, records. A stranger's game and match can make them long, so
//! threads of the desk write them, clients in turn. They are cached as bytes until the match
//! changes, for all viewers with the same view. Short matches on small boards are shown at once,
//! without waiting.

use std::sync::Arc;

use richman_hall::MatchView;
use richman_hall::refused::Refusal;

use crate::Pages;
use crate::finished::FinishedPage;
use crate::needs::AnswerKind;

impl Pages {
    /// The result of `write` for a viewer's match: cached, or made at the desk. `form` names the
    /// kind of answer and its dependencies other than the match and the viewer.
    ///
    /// # Errors
    /// As for [`write`](crate::desk::Jobs::write), and those of `write`.
    pub async fn written(
        self: &Arc<Pages>,
        viewed: MatchView,
        form: impl Into<String>,
        write: impl FnOnce(&Pages, &MatchView) -> Result<FinishedPage, Refusal> + Send + 'static,
    ) -> Result<Arc<FinishedPage>, Refusal> {
        if viewed.is_small() {
            return Ok(Arc::new(write(self, &viewed)?));
        }
        // The serial is that of one state of one match.
        let key = format!("{} {} {}", viewed.serial, viewed.viewer().word(), form.into());
        let app = Arc::clone(self);
        let make = async { self.desk.write(move || write(&app, &viewed)).await?.map(Arc::new) };
        self.answers.answer(AnswerKind::Match, key, Box::pin(make)).await
    }

    /// The result of `write` for a viewer's match, without caching.
    ///
    /// # Errors
    /// As for [`write`](crate::desk::Jobs::write).
    pub async fn written_once<T: Send + 'static>(
        &self,
        viewed: MatchView,
        write: impl FnOnce(&MatchView) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        if viewed.is_small() { Ok(write(&viewed)) } else { self.desk.write(move || write(&viewed)).await }
    }
}
