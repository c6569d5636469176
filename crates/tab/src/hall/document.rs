//! The documents of matches and of records.

use richman_core::{ByPlayer, Player};
use richman_hall::refused::Refusal;
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{Created, FileText, ShownRecord, StoredMatch, Viewer};
use richman_play::Action;
use serde::{Deserialize, Serialize};

/// The name of the document of a match.
pub(super) fn name(id: &GameId) -> String {
    format!("match/{id}")
}

/// The version of these documents.
const FORM: u32 = 1;

/// A match: all that happened in it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptMatch {
    /// The version of the document.
    form: u32,
    setup: MatchSetup,
    /// The game file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Roles and secrets.
    seats: Vec<(String, String)>,
    /// Players and actions.
    actions: Vec<(String, Action)>,
    /// Players and the words of hints.
    #[serde(default)]
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
        _ => Err(Refusal::BadRequest("this match was kept by another version, or changed".to_string())),
    }
}

fn damaged(error: serde_json::Error) -> Refusal {
    Refusal::BadRequest(format!("this was kept by another version, or changed: {error}"))
}

impl KeptMatch {
    pub(super) fn new(setup: &MatchSetup, created: &Created) -> KeptMatch {
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

    fn of(setup: &MatchSetup, seats: Vec<(String, String)>) -> KeptMatch {
        let file = setup.file.as_deref().map(str::to_string);
        let setup = MatchSetup { file: None, ..setup.clone() };
        KeptMatch { form: FORM, setup, file, seats, actions: Vec::new(), hints: Vec::new(), next: None }
    }

    /// The return match, to which the seats move.
    pub(super) fn followed_by(&mut self, id: &GameId, setup: &MatchSetup) -> KeptMatch {
        self.next = Some(id.to_string());
        let exchanged = |(role, secret): (String, String)| {
            let role = Viewer::read(&role).map_or(role, |viewer| viewer.exchanged().word().to_string());
            (role, secret)
        };
        KeptMatch::of(setup, std::mem::take(&mut self.seats).into_iter().map(exchanged).collect())
    }

    pub(super) fn read(text: &str) -> Result<KeptMatch, Refusal> {
        let kept: KeptMatch = serde_json::from_str(text).map_err(damaged)?;
        match kept.form {
            FORM => Ok(kept),
            _ => Err(Refusal::BadRequest("this match was kept by a later version: load the page again".to_string())),
        }
    }

    pub(super) fn written(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // plain texts always have a form
    }

    /// The match as the hall replays it.
    pub(super) fn stored(&self) -> Result<StoredMatch, Refusal> {
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
    pub(super) fn seat(&self, token: &Token) -> Option<Viewer> {
        let found = self.seats.iter().find(|(_, secret)| secret == token.reveal());
        found.and_then(|(role, _)| Viewer::read(role))
    }

    pub(super) fn add_action(&mut self, player: Player, action: Action) {
        self.actions.push((word(player), action));
    }

    pub(super) fn add_hints(&mut self, words: Vec<(Player, String)>) {
        for (player, hint) in words {
            let given = (word(player), hint);
            if !self.hints.contains(&given) {
                self.hints.push(given);
            }
        }
    }

    pub(super) fn hints(&self) -> Vec<(Player, String)> {
        self.hints.iter().filter_map(|(of, hint)| Some((player(of).ok()?, hint.clone()))).collect()
    }
}

/// A record with its game file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptRecord {
    form: u32,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl KeptRecord {
    pub(super) fn written(shown: &ShownRecord) -> String {
        let file = shown.file.as_deref().map(str::to_string);
        serde_json::to_string(&KeptRecord { form: FORM, text: shown.text.clone(), file }).unwrap_or_default()
    }

    pub(super) fn read(text: &str) -> Result<ShownRecord, Refusal> {
        let kept: KeptRecord = serde_json::from_str(text).map_err(damaged)?;
        Ok(ShownRecord { text: kept.text, file: kept.file.map(FileText::from) })
    }
}
