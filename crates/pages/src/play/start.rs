//! Links to a filled-in form of a new match, to play on from a position.

use richman_analysis::GameInfo;
use richman_core::{ByPlayer, Holding, Mechanism, Preset};

use super::create::FILE;
use super::new::KEPT;

/// The rules that the form names.
const PRESETS: [(&str, Preset); 2] = [("larsson", Preset::Larsson), ("gasarch", Preset::Gasarch)];

/// The game of a new match.
#[derive(Debug, Clone, Copy)]
pub enum StartedGame<'a> {
    /// The full name of a listed game, such as `connect:rows=4,cols=4`, and its entry in the list.
    Listed(&'a str, GameInfo),
    /// The match or the record with which a game file is kept.
    Kept(&'a str),
}

/// The start of a match.
pub struct MatchStart<'a> {
    /// The game.
    pub game: StartedGame<'a>,
    /// The first position, in the notation of the game; empty for the usual start.
    pub position: &'a str,
    /// Both holdings; `None` for the usual ones.
    pub hands: Option<ByPlayer<Holding>>,
    /// The rules of bidding.
    pub mechanism: &'a Mechanism,
    /// The turns after which the match is a draw; `None` for the usual number.
    pub limit: Option<u32>,
}

richman_core::debug_by_name!(MatchStart<'_> {});

impl MatchStart<'_> {
    /// The address of the form, with this opponent: `computer` or `friend`.
    pub fn link(&self, opponent: &str) -> String {
        let mut fields = self.game_fields();
        let mut add = |field: &str, value: &str| fields.push((field.to_string(), value.to_string()));
        if !self.position.is_empty() {
            add("position", self.position);
        }
        add("opponent", opponent);
        if let Some(ByPlayer { alice, bob }) = self.hands {
            add("alice_chips", &alice.chips().to_string());
            add("bob_chips", &bob.chips().to_string());
            if self.mechanism.has_star() {
                add("star", if alice.has_star() { "alice" } else { "bob" });
            }
        }
        let named = PRESETS.into_iter().find(|(_, preset)| preset.mechanism() == *self.mechanism);
        let (words, usual) = match named {
            Some((name, preset)) => {
                add("preset", name);
                (self.mechanism.words(), preset.mechanism().words())
            }
            None => (self.mechanism.words(), Mechanism::default().words()),
        };
        for ((field, word), usual) in Mechanism::CHOICES.into_iter().zip(&words).zip(usual) {
            match word.split_once(':') {
                _ if *word == usual => {}
                Some((kind, part)) => {
                    add(field, kind);
                    add("taxman", part);
                }
                None => add(field, word),
            }
        }
        if let Some(limit) = self.limit {
            add("limit", &limit.to_string());
        }
        format!("/new?{}", serde_urlencoded::to_string(&fields).unwrap_or_default()) // encoding text never fails
    }

    /// The fields of the form that name the game: `game`, and one for each parameter, such as
    /// `connect.rows`, or `kept` for a game file.
    fn game_fields(&self) -> Vec<(String, String)> {
        let (game, GameInfo { name, parameters, .. }) = match self.game {
            StartedGame::Listed(game, info) => (game, info),
            StartedGame::Kept(id) => {
                return [("game", FILE), (KEPT, id)].map(|(name, value)| (name.to_string(), value.to_string())).into();
            }
        };
        let given = game.split_once(':').map_or("", |(_, given)| given);
        let mut fields = vec![("game".to_string(), name.to_string())];
        if !parameters.contains('=') && !given.is_empty() {
            fields.push((format!("{name}.{parameters}"), given.to_string())); // an expression has commas
        } else {
            let pairs = given.split(',').filter_map(|pair| pair.split_once('='));
            fields.extend(pairs.map(|(key, value)| (format!("{name}.{}", key.trim()), value.trim().to_string())));
        }
        fields
    }
}
