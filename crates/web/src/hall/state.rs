//! The state of a match.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use richman_analysis::{Games, Subject};
use richman_core::{ByPlayer, Player};
use richman_play::{Action, Illegal, Match};

use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice};
use crate::store::room::MatchStage;
use crate::store::{StoreError, StoredMatch, bytes_of_action};
use crate::token::{GameId, Token};

/// A match after all events so far; the next event makes another.
#[derive(Clone)]
pub(crate) struct MatchState {
    pub(crate) game: Arc<Match>,
    /// Actions accepted from Alice and Bob.
    pub(crate) steps: ByPlayer<u32>,
    /// The invitation to a seat that is still free.
    pub(crate) invitation: Option<(Token, Player)>,
    /// The bytes of the actions in the store.
    pub(crate) bytes: u64,
    /// Whether each player asks for a return match.
    pub(crate) wishes: ByPlayer<bool>,
    pub(crate) next: Option<GameId>,
    /// The reason why a computer player cannot go on.
    pub(crate) trouble: Option<String>,
    pub(crate) pace: Pace,
    /// Distinguishes this state from all shown before, of any match.
    pub(crate) serial: u64,
}

/// How much thought the computer gives to a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// As much as its level does.
    #[default]
    Usual,
    /// Its last action had less, because the server is busy.
    Hurried,
    /// It waits for its turn, because the server is busy.
    Waiting,
}

impl MatchState {
    /// A match before its first turn.
    pub(crate) fn new(game: Match, setup: &MatchSetup, invitation: Option<(Token, Player)>) -> MatchState {
        // A program is always ready for a return match.
        let wishes = setup.seats.as_ref().map(SeatChoice::is_computer);
        MatchState {
            game: Arc::new(game),
            steps: ByPlayer::both(0),
            invitation,
            bytes: 0,
            wishes,
            next: None,
            trouble: None,
            pace: Pace::Usual,
            serial: 0,
        }
    }

    /// The state with a new serial, as it is shown.
    pub(crate) fn numbered(self) -> MatchState {
        static LAST: AtomicU64 = AtomicU64::new(0);
        MatchState { serial: LAST.fetch_add(1, Ordering::Relaxed) + 1, ..self }
    }

    /// Replays a stored match.
    pub(crate) fn replayed(games: &Games, stored: &StoredMatch) -> Result<MatchState, Refusal> {
        if stored.setup.file.is_none() {
            Subject::recorded(games, &stored.setup.game)?; // a program that lacks the game says so
        }
        let mut game = stored.setup.start(games)?;
        let (mut steps, mut bytes) = (ByPlayer::both(0), 0);
        for (player, action) in &stored.actions {
            // The log shows this, and the reason may repeat a sealed bid.
            let damaged = |_| StoreError::Damaged(format!("action {} of {player} is not allowed", steps[*player]));
            game.act(*player, action).map_err(|error: Illegal| Refusal::internal(damaged(error)))?;
            steps[*player] += 1;
            bytes += bytes_of_action(action);
        }
        let state = MatchState::new(game, &stored.setup, stored.invitation.clone());
        let wishes = ByPlayer::from_fn(|player| state.wishes[player] || stored.wishes[player]);
        Ok(MatchState { steps, bytes, wishes, next: stored.next.clone(), ..state })
    }

    /// The match after one more action.
    pub(crate) fn after(&self, player: Player, action: &Action) -> Result<MatchState, Illegal> {
        let mut game = Match::clone(&self.game);
        game.act(player, action)?;
        let mut steps = self.steps;
        steps[player] += 1;
        let bytes = self.bytes + bytes_of_action(action);
        Ok(MatchState { game: Arc::new(game), steps, bytes, trouble: None, pace: Pace::Usual, ..self.clone() })
    }

    /// The stage of the match.
    pub(crate) fn stage(&self) -> MatchStage {
        match (self.game.closed(), self.actions()) {
            (Some(_), _) => MatchStage::Over,
            (None, 0) => MatchStage::Unbegun,
            (None, _) => MatchStage::Begun,
        }
    }

    pub(crate) fn actions(&self) -> u32 {
        self.steps.alice + self.steps.bob
    }

    /// Grows with every event, and survives reloading because it counts stored facts. Trouble and
    /// waiting are not stored; they make the number odd until the next event.
    pub(crate) fn version(&self) -> u64 {
        let facts = u64::from(self.actions())
            + u64::from(self.invitation.is_none())
            + self.wishes.iter().map(|wish| u64::from(*wish)).sum::<u64>()
            + u64::from(self.next.is_some());
        2 * facts + u64::from(self.trouble.is_some() || self.pace == Pace::Waiting)
    }
}
