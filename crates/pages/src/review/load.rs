//! A match, or a kept record, with its review.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use richman_analysis::{GameInfo, Subject};
use richman_core::{Effort, Player};
use richman_hall::FileText;
use richman_hall::ShownRecord;
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use richman_play::Voice;
use richman_play::review::{Review, review_with};

use crate::Pages;
use crate::desk::Deadline;
use crate::link::holding;

/// The time for a review and a page of it.
pub const TIME: Duration = Duration::from_secs(8);
/// The part of it for exact real-money thresholds.
const PROOF_TIME: Duration = Duration::from_secs(3);
/// The most positions of a game that is solved for a review. In larger games, random games show who
/// stands better.
const MOST_POSITIONS: u64 = 2_000_000;

/// A reviewed match.
#[derive(Clone)]
pub struct Reviewed {
    /// The name of the match or the record.
    pub id: GameId,
    pub review: Review,
    /// The output of the command line with `--json`.
    pub json: Bytes,
    /// The margins over the turns.
    pub plot: Option<Bytes>,
    pub subject: Arc<Subject>,
    /// The game's entry in the list of games, unless it is a file's.
    pub info: Option<GameInfo>,
    /// The game file.
    pub file: Option<FileText>,
    /// Whom the page addresses.
    pub voice: Voice,
    /// Whether nobody else reaches the pages.
    pub is_alone: bool,
    /// A link that holds the match, if nobody else reaches the pages.
    pub shared: Option<String>,
}

impl Reviewed {
    /// The review as it is told to a player.
    pub fn told_to(&self, player: Player) -> Reviewed {
        Reviewed { review: self.review.told_to(player), voice: Voice::to(player), ..self.clone() }
    }

    /// The link to a turn.
    pub fn link(&self, number: usize) -> String {
        let whom = self.voice.you.map_or("", |player| player.either("&as=alice", "&as=bob"));
        format!("/review/{}?turn={number}{whom}#turn", self.id)
    }

    /// The approximate bytes.
    pub fn weight(&self) -> u64 {
        let plot = self.plot.as_ref().map_or(0, Bytes::len);
        (6 * self.json.len() + plot + 3 * self.file.as_deref().map_or(0, str::len)) as u64
    }
}

/// The record of a finished match, or a kept record.
///
/// # Errors
/// [`Refusal::NotFound`] if there is neither; [`Refusal::Conflict`] while the match is played.
pub async fn ended(app: &Pages, id: &GameId) -> Result<ShownRecord, Refusal> {
    let (shown, goes_on) = app.hall.shown(id).await?;
    if goes_on {
        let reason = "this match is still being played: it can be reviewed when it is over";
        return Err(Refusal::Conflict(reason.to_string()));
    }
    Ok(shown)
}

/// The review of a record, made at the desk.
///
/// # Errors
/// [`Refusal`] if it is not the record of a possible match, or takes too long.
pub fn load(app: &Pages, id: GameId, shown: ShownRecord, deadline: &Deadline) -> Result<Reviewed, Refusal> {
    let (subject, played) = shown.replayed(app.games())?;
    let memory = app.desk.memory();
    let effort = Effort { memory, positions: MOST_POSITIONS, ..Effort::watched(deadline) }.within_time(PROOF_TIME);
    let review = review_with(&subject, &played, &shown.notes(), &effort)?;
    let json = serde_json::to_string(&review).map_err(Refusal::internal)? + "\n";
    let plot = richman_render::review_plot::svg(&review).map(Bytes::from);
    let name = review.game.split(':').next().unwrap_or_default();
    let info = app.games().info(name).filter(|_| shown.file.is_none());
    let (subject, voice) = (Arc::new(subject), Voice::default());
    let rules = shown.file.as_deref().unwrap_or_default();
    let shared = app.is_alone.then(|| holding("/review", &[("record", &shown.text), ("rules", rules)]));
    Ok(Reviewed {
        id,
        review,
        json: json.into(),
        plot,
        subject,
        info,
        file: shown.file,
        voice,
        is_alone: app.is_alone,
        shared,
    })
}
