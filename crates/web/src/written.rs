//! Answers about matches: pages, JSON, records. A stranger's game and match can make them long, so
//! threads of the desk write them, clients in turn. They are cached as bytes until the match
//! changes, for all viewers with the same view. Short matches on small boards are shown at once,
//! without waiting.

use std::sync::Arc;

use crate::App;
use crate::hall::{MatchView, Viewer};
use crate::pages::finished::{FinishedPage, FinishedPages};
use crate::refused::Refusal;

/// Cached answers.
pub(crate) type WrittenAnswers = FinishedPages<WrittenKey>;

/// All that an answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct WrittenKey {
    /// The serial of the current match.
    serial: u64,
    viewer: Viewer,
    /// The kind of answer, and its dependencies other than the match.
    form: String,
}

impl App {
    /// The result of `write` for a viewer's match: cached, or made at the desk. `form` names the
    /// kind of answer and its dependencies other than the match and the viewer.
    ///
    /// # Errors
    /// As for [`write`](crate::desk::Desk::write), and those of `write`.
    pub(crate) async fn written(
        self: &Arc<App>,
        viewed: MatchView,
        form: impl Into<String>,
        write: impl FnOnce(&App, &MatchView) -> Result<FinishedPage, Refusal> + Send + 'static,
    ) -> Result<Arc<FinishedPage>, Refusal> {
        if viewed.is_small() {
            return Ok(Arc::new(write(self, &viewed)?));
        }
        let key = WrittenKey { serial: viewed.serial, viewer: viewed.viewer(), form: form.into() };
        let app = Arc::clone(self);
        let make = async { self.desk.write(move || write(&app, &viewed)).await? };
        self.written.answer(&key, FinishedPage::weight, make).await
    }

    /// The result of `write` for a viewer's match, without caching.
    ///
    /// # Errors
    /// As for [`write`](crate::desk::Desk::write).
    pub(crate) async fn written_once<T: Send + 'static>(
        &self,
        viewed: MatchView,
        write: impl FnOnce(&MatchView) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        if viewed.is_small() { Ok(write(&viewed)) } else { self.desk.write(move || write(&viewed)).await }
    }
}
