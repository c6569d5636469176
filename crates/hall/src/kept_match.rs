//! A match as a document: all that happened in it.

use richman_core::{ByPlayer, Player};
use richman_play::Action;
use serde::{Deserialize, Serialize};

use crate::create::Created;
use crate::file_text::FileText;
use crate::refused::Refusal;
use crate::setup::MatchSetup;
use crate::state::StoredMatch;
use crate::token::{GameId, Token};
use crate::view::Viewer;

/// The version of these documents.
pub const FORM: u32 = 1;

/// A match as a document that keeps it: a tab's, or a program's. It has the secrets of the match.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptMatch {
    /// The version of the document.
    form: u32,
    setup: MatchSetup,
    /// The game file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Roles and secrets, where visitors share the match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seats: Vec<(String, String)>,
    /// Players and actions.
    actions: Vec<(String, Action)>,
    /// Players and the words of hints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hints: Vec<(String, String)>,
    /// The return match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

fn word(player: Player) -> String {
    Viewer::Player(player).word().to_string()
}

fn player(word: &str) -> Result<Player, Refusal> {
    match Viewer::read(word) {
        Some(Viewer::Player(player)) => Ok(player),
        _ => Err(changed()),
    }
}

/// Refuses a match that cannot have been played.
pub fn changed() -> Refusal {
    Refusal::BadRequest("this match was kept by another version, or changed".to_string())
}

/// Refuses a document that cannot be read.
pub fn damaged(error: serde_json::Error) -> Refusal {
    Refusal::BadRequest(format!("this was kept by another version, or changed: {error}"))
}

impl KeptMatch {
    /// A new match with the secrets of its seats.
    pub fn new(setup: &MatchSetup, created: &Created) -> KeptMatch {
        let [alice, bob] = &created.tokens;
        let seat = |viewer: Viewer, token: &Option<Token>| {
            token.as_ref().map(|token| (viewer.word().to_string(), token.reveal().to_string()))
        };
        let seats = match setup.one_screen {
            true => vec![seat(Viewer::Both, alice)],
            false => {
                Player::BOTH.into_iter().zip([alice, bob]).map(|(of, one)| seat(Viewer::Player(of), one)).collect()
            }
        };
        KeptMatch::of(setup, seats.into_iter().flatten().collect())
    }

    /// A new match whose document is its only secret.
    pub fn alone(setup: &MatchSetup) -> KeptMatch {
        KeptMatch::of(setup, Vec::new())
    }

    fn of(setup: &MatchSetup, seats: Vec<(String, String)>) -> KeptMatch {
        let file = setup.file.as_deref().map(str::to_string);
        let setup = MatchSetup { file: None, ..setup.clone() };
        KeptMatch { form: FORM, setup, file, seats, actions: Vec::new(), hints: Vec::new(), next: None }
    }

    /// The return match, to which the seats move.
    pub fn followed_by(&mut self, id: &GameId, setup: &MatchSetup) -> KeptMatch {
        self.next = Some(id.to_string());
        let exchanged = |(role, secret): (String, String)| {
            let role = Viewer::read(&role).map_or(role, |viewer| viewer.exchanged().word().to_string());
            (role, secret)
        };
        KeptMatch::of(setup, std::mem::take(&mut self.seats).into_iter().map(exchanged).collect())
    }

    /// The match in a text.
    ///
    /// # Errors
    /// [`Refusal::BadRequest`] if it is none.
    pub fn read(text: &str) -> Result<KeptMatch, Refusal> {
        serde_json::from_str(text).map_err(damaged)
    }

    /// The text.
    pub fn written(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // plain texts always have a form
    }

    /// The match as it is replayed.
    ///
    /// # Errors
    /// [`Refusal::BadRequest`] if it is of a later version, or somebody changed it.
    pub fn stored(&self) -> Result<StoredMatch, Refusal> {
        if self.form != FORM {
            return Err(Refusal::BadRequest("this match was kept by another version of Richman".to_string()));
        }
        let actions = self.actions.iter().map(|(of, action)| Ok((player(of)?, action.clone())));
        let file = self.file.clone().map(FileText::from);
        Ok(StoredMatch {
            setup: MatchSetup { file, ..self.setup.clone() },
            actions: actions.collect::<Result<_, Refusal>>()?,
            invitation: None,
            wishes: ByPlayer::both(self.next.is_some()),
            next: self.next.as_deref().and_then(GameId::read),
        })
    }

    /// The role of whoever has that secret.
    pub fn seat(&self, token: &Token) -> Option<Viewer> {
        let found = self.seats.iter().find(|(_, secret)| secret == token.reveal());
        found.and_then(|(role, _)| Viewer::read(role))
    }

    /// Adds what a player did.
    pub fn add_action(&mut self, player: Player, action: Action) {
        self.actions.push((word(player), action));
    }

    /// Adds hints by their words, each once.
    pub fn add_hints(&mut self, words: Vec<(Player, String)>) {
        for (player, hint) in words {
            let given = (word(player), hint);
            if !self.hints.contains(&given) {
                self.hints.push(given);
            }
        }
    }

    /// The hints by their words.
    pub fn hints(&self) -> Vec<(Player, String)> {
        self.hints.iter().filter_map(|(of, hint)| Some((player(of).ok()?, hint.clone()))).collect()
    }
}
