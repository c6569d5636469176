//! The state of a match.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use richman_analysis::{Games, Subject};
use richman_core::{ByPlayer, Player};
use richman_play::{Action, Illegal, Match};

use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice};
use crate::token::{GameId, Token};
use crate::view::Viewer;
use crate::weight::bytes_of_action;

/// A match after all events so far; the next event makes another.
#[derive(Clone)]
pub struct MatchState {
    /// The rules, the position and all turns.
    pub game: Arc<Match>,
    /// Actions accepted from Alice and Bob.
    pub steps: ByPlayer<u32>,
    /// The invitation to a seat that is still free.
    pub invitation: Option<(Token, Player)>,
    /// The bytes of the actions in the store.
    pub bytes: u64,
    /// Whether each player asks for a return match.
    pub wishes: ByPlayer<bool>,
    /// The return match.
    pub next: Option<GameId>,
    /// The reason why a computer player cannot go on.
    pub trouble: Option<String>,
    /// How much thought the computer gives to it.
    pub pace: Pace,
    /// Distinguishes this state from all shown before, of any match.
    pub serial: u64,
}

richman_core::debug_by_name!(MatchState {});

/// The stage of a match. Matches of earlier stages are deleted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchStage {
    /// No action yet.
    Unbegun = 0,
    /// At least one action.
    Begun = 1,
    /// It is over.
    Over = 2,
}

/// A match as it is stored.
#[derive(Debug)]
pub struct StoredMatch {
    /// Its setup.
    pub setup: MatchSetup,
    /// All accepted actions, in order.
    pub actions: Vec<(Player, Action)>,
    /// The invitation to a seat that is still free.
    pub invitation: Option<(Token, Player)>,
    /// Whether each player asks for a return match.
    pub wishes: ByPlayer<bool>,
    /// The return match.
    pub next: Option<GameId>,
}

/// What a stored match cannot be.
#[derive(Debug, thiserror::Error)]
#[error("a stored match is damaged: {0}")]
struct DamagedMatch(String);

/// What a wish for a return match leads to.
#[derive(Debug)]
pub enum Rematch {
    /// The return match has begun.
    Begun,
    /// The viewer has asked for it before.
    Awaited,
    /// The other player must ask for it too.
    Asked(MatchState),
    /// It begins; its name is to be added.
    Begins(MatchState),
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
    pub fn new(game: Match, setup: &MatchSetup, invitation: Option<(Token, Player)>) -> MatchState {
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
    pub fn numbered(self) -> MatchState {
        static LAST: AtomicU64 = AtomicU64::new(0);
        MatchState { serial: LAST.fetch_add(1, Ordering::Relaxed) + 1, ..self }
    }

    /// Replays a stored match.
    ///
    /// # Errors
    /// [`Refusal`] if its game is unknown, or an action is not allowed.
    pub fn replayed(games: &Games, stored: &StoredMatch) -> Result<MatchState, Refusal> {
        if stored.setup.file.is_none() {
            Subject::recorded(games, &stored.setup.game)?; // a program that lacks the game says so
        }
        let mut game = stored.setup.start(games)?;
        let (mut steps, mut bytes) = (ByPlayer::both(0), 0);
        for (player, action) in &stored.actions {
            // The reason may repeat a sealed bid.
            let damaged = |_| DamagedMatch(format!("action {} of {player} is not allowed", steps[*player]));
            game.act(*player, action).map_err(|error: Illegal| Refusal::internal(damaged(error)))?;
            steps[*player] += 1;
            bytes += bytes_of_action(action);
        }
        let state = MatchState::new(game, &stored.setup, stored.invitation.clone());
        let wishes = ByPlayer::from_fn(|player| state.wishes[player] || stored.wishes[player]);
        Ok(MatchState { steps, bytes, wishes, next: stored.next.clone(), ..state })
    }

    /// Refuses an action that is not the player's next one, so that none is taken twice.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] if `step` is not the number of the player's earlier actions.
    pub fn check_step(&self, player: Player, step: u32) -> Result<(), Refusal> {
        let expected = self.steps[player];
        if step == expected {
            return Ok(());
        }
        Err(Refusal::Conflict(format!(
            "action {step} of {player} was sent, but action {expected} is next: look at the match again"
        )))
    }

    /// What it leads to that a viewer asks for a return match.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] before the end of the match.
    pub fn rematch(&self, viewer: Viewer) -> Result<Rematch, Refusal> {
        if self.next.is_some() {
            return Ok(Rematch::Begun);
        }
        if self.game.closed().is_none() {
            return Err(Refusal::Conflict("the match is not over: a return match comes after it".to_string()));
        }
        let mut wishes = self.wishes;
        for player in viewer.players() {
            wishes[player] = true;
        }
        let asked = MatchState { wishes, ..self.clone() };
        Ok(match wishes {
            _ if wishes == ByPlayer::both(true) => Rematch::Begins(asked),
            _ if wishes == self.wishes => Rematch::Awaited,
            _ => Rematch::Asked(asked),
        })
    }

    /// The match after one more action.
    ///
    /// # Errors
    /// [`Illegal`] if the rules forbid it.
    pub fn after(&self, player: Player, action: &Action) -> Result<MatchState, Illegal> {
        let mut game = Match::clone(&self.game);
        game.act(player, action)?;
        let mut steps = self.steps;
        steps[player] += 1;
        let bytes = self.bytes + bytes_of_action(action);
        Ok(MatchState { game: Arc::new(game), steps, bytes, trouble: None, pace: Pace::Usual, ..self.clone() })
    }

    /// The stage of the match.
    pub fn stage(&self) -> MatchStage {
        match (self.game.closed(), self.actions()) {
            (Some(_), _) => MatchStage::Over,
            (None, 0) => MatchStage::Unbegun,
            (None, _) => MatchStage::Begun,
        }
    }

    /// The number of accepted actions.
    pub fn actions(&self) -> u32 {
        self.steps.alice + self.steps.bob
    }

    /// Grows with every event, and survives reloading because it counts stored facts. Trouble and
    /// waiting are not stored; they make the number odd until the next event.
    pub fn version(&self) -> u64 {
        let facts = u64::from(self.actions())
            + u64::from(self.invitation.is_none())
            + self.wishes.iter().map(|wish| u64::from(*wish)).sum::<u64>()
            + u64::from(self.next.is_some());
        2 * facts + u64::from(self.trouble.is_some() || self.pace == Pace::Waiting)
    }
}
