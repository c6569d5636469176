//! The question in the address: every view is a link to share.

use std::str::FromStr;

use richman_analysis::{AnyTable, QuestionDocument};
use richman_core::{Aim, Mechanism, MechanismChoices, Player, Preset, Total};
use richman_hall::refused::Refusal;
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};

use super::cells;
use crate::whole_number;

/// The longest text of a field, in bytes.
const LONGEST: usize = 2048;
/// The game shown to new visitors.
pub const FIRST_GAME: &str = "tic-tac-toe";
/// The default number of chips of games that are solved only with chips.
pub const USUAL_TOTAL: u32 = 9;
/// The greatest total of a table on these pages.
pub const LARGEST_TABLE: u32 = 1023;
/// The default depth of a tree, in moves.
pub const TREE_DEPTH: u32 = 3;

/// The fields as written; an empty field was not given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct ExploreFields {
    /// The game's name with parameters.
    pub game: String,
    /// The kept game file, in place of a name.
    pub file: String,
    pub position: String,
    /// The total.
    pub chips: String,
    /// Alice's share of the money, for a long-run average.
    pub share: String,
    /// The long-run average with which Alice wins.
    pub at_least: String,
    /// Alice's holding.
    pub alice: String,
    /// Bob's holding.
    pub bob: String,
    /// The number of moves after which a play is a draw.
    pub within: String,
    pub preset: String,
    pub payment: String,
    pub ties: String,
    pub bidding: String,
    pub right: String,
    /// The allowed amounts.
    pub bids: String,
    /// The table's greatest total, or number of Bob's chips.
    pub table: String,
    /// The player whose moves can be pointed at.
    pub mover: String,
    /// The goal of the tree's moves: `win` or `draw`.
    pub goal: String,
    /// The depth of the tree, in moves.
    pub depth: String,
    /// The piece to put on the board that is being set up, or any text if its places are only
    /// pressed; empty if none is set up.
    pub setup: String,
    /// In a submitted form, the game whose position it showed.
    #[serde(skip_serializing)]
    pub was: String,
    /// In a submitted form, the number of the pressed cell.
    #[serde(skip_serializing)]
    pub put: String,
    /// Whether to wait for the whole page.
    #[serde(skip_serializing)]
    pub whole: String,
}

impl ExploreFields {
    /// The link to `path` with these fields.
    pub fn link(&self, path: &str) -> String {
        let fields = serde_urlencoded::to_string(self).unwrap_or_default(); // plain texts always have a form
        // In a value the sign = is escaped.
        let given: Vec<&str> = fields.split('&').filter(|field| !field.ends_with('=')).collect();
        if given.is_empty() { path.to_string() } else { format!("{path}?{}", given.join("&")) }
    }

    /// The given fields with their names, as in a link.
    pub fn given(&self) -> Vec<(String, String)> {
        let fields = serde_urlencoded::to_string(self).unwrap_or_default();
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&fields).unwrap_or_default();
        pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// The same question at another position.
    pub fn at(&self, position: &str) -> ExploreFields {
        ExploreFields { position: position.to_string(), ..self.clone() }
    }

    /// The fields without spaces around them, and without the position of another game.
    pub fn tidied(&self) -> ExploreFields {
        let trimmed = self.given().into_iter().map(|(name, text)| (name, text.trim().to_string()));
        let trimmed = MapDeserializer::<_, serde::de::value::Error>::new(trimmed);
        let mut tidied = ExploreFields::deserialize(trimmed).unwrap_or_default(); // all of them are texts
        let (was, put) = (self.was.trim(), self.put.trim());
        if !was.is_empty() && was != tidied.game_or_file() {
            tidied.position.clear();
        }
        if !put.is_empty() {
            tidied.position = cells::put(&tidied.position, put, &tidied.setup);
        }
        tidied
    }

    /// The given fields with their names, besides these.
    pub fn without(&self, fields: &[&str]) -> Vec<(String, String)> {
        self.given().into_iter().filter(|(name, _)| !fields.contains(&name.as_str())).collect()
    }

    /// A key of the given fields, besides these, for what depends on them alone.
    pub fn key_without(&self, fields: &[&str]) -> String {
        serde_urlencoded::to_string(self.without(fields)).unwrap_or_default() // texts always have a form
    }

    /// The name of the game, or the file.
    pub fn game_or_file(&self) -> &str {
        match (self.file.is_empty(), self.game.is_empty()) {
            (false, _) => &self.file,
            (true, true) => FIRST_GAME,
            (true, false) => &self.game,
        }
    }

    /// Refuses overlong texts.
    pub fn check_lengths(&self) -> Result<(), Refusal> {
        let given = self.given();
        let mut texts = given.iter().map(|(_, text)| text).chain([&self.was, &self.put, &self.whole]);
        if texts.any(|text| text.len() > LONGEST) {
            return Err(Refusal::TooLarge(format!("a field has at most {LONGEST} bytes here")));
        }
        Ok(())
    }

    /// The mechanism's flags, as on the command line.
    pub fn mechanism_flags(&self) -> [(&'static str, &str); 6] {
        [
            ("preset", self.preset.as_str()),
            ("payment", &self.payment),
            ("ties", &self.ties),
            ("bidding", &self.bidding),
            ("right", &self.right),
            ("bids", &self.bids),
        ]
    }

    /// The position in its notation, unless it is the start.
    pub fn position(&self) -> Option<&str> {
        Some(self.position.as_str()).filter(|position| !position.is_empty())
    }

    /// The mechanism, with `usual` as the default preset.
    pub fn mechanism(&self, usual: Preset) -> Result<Mechanism, Refusal> {
        Ok(self.choices()?.mechanism_or(usual))
    }

    fn choices(&self) -> Result<MechanismChoices, Refusal> {
        Ok(MechanismChoices::of_words(self.mechanism_flags().map(|(_, text)| text))?)
    }

    /// What is asked about a game with this objective.
    ///
    /// # Errors
    /// Names the field that cannot be read.
    pub fn document(&self, aim: Aim) -> Result<QuestionDocument, Refusal> {
        let (alice, bob) = (given(&self.alice)?, given(&self.bob)?);
        let chips = match given(&self.chips)? {
            None if aim.facts().counts_points && (alice, bob) == (None, None) => Some(Total::new(USUAL_TOTAL)?),
            chips => chips,
        };
        Ok(QuestionDocument {
            position: self.position().map(str::to_string),
            mechanism: self.choices()?,
            within: self.within()?,
            chips,
            alice,
            bob,
            share: given(&self.share)?,
            at_least: given(&self.at_least)?,
            draw: self.goal == "draw",
            depth: Some(number(&self.depth, TREE_DEPTH, "the depth of the tree")?),
            ..QuestionDocument::default()
        })
    }

    pub fn mover(&self) -> Player {
        if self.mover == "bob" { Player::Bob } else { Player::Alice }
    }

    /// The greatest number of the table.
    pub fn table_end(&self, mechanism: &Mechanism) -> Result<Total, Refusal> {
        let end = number(&self.table, AnyTable::usual_end(mechanism), "the end of the table")?;
        if end > LARGEST_TABLE {
            return Err(Refusal::BadRequest(format!(
                "the end of the table is at most {LARGEST_TABLE} here: `richman table` on your own machine has no such \
                 limit"
            )));
        }
        Ok(Total::new(end)?)
    }

    fn within(&self) -> Result<Option<u32>, Refusal> {
        if self.within.is_empty() { Ok(None) } else { number(&self.within, 0, "the number of moves").map(Some) }
    }
}

fn given<T: FromStr<Err = richman_core::Error>>(text: &str) -> Result<Option<T>, Refusal> {
    if text.is_empty() { Ok(None) } else { Ok(Some(text.parse()?)) }
}

fn number(text: &str, usual: u32, what: &str) -> Result<u32, Refusal> {
    if text.is_empty() {
        return Ok(usual);
    }
    let refused = || Refusal::BadRequest(format!("{what} is a whole number, such as {}", usual.max(5)));
    whole_number(text).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_reads_back_as_what_was_asked() {
        let asked = ExploreFields {
            game: "expr:(A & B^2) & B".to_string(),
            alice: "4*".to_string(),
            bob: "4".to_string(),
            ..ExploreFields::default()
        };
        let link = asked.link("/explore");
        assert_eq!(link, "/explore?game=expr%3A%28A+%26+B%5E2%29+%26+B&alice=4*&bob=4");
        let fields = link.split_once('?').unwrap().1;
        assert_eq!(serde_urlencoded::from_str::<ExploreFields>(fields).unwrap(), asked);
        assert_eq!(ExploreFields::default().link("/explore"), "/explore");
    }

    #[test]
    fn the_position_of_another_game_is_left_out() {
        let form = ExploreFields {
            game: " connect ".to_string(),
            position: "A../.../...".to_string(),
            was: "tic-tac-toe".to_string(),
            ..ExploreFields::default()
        };
        assert_eq!(form.tidied(), ExploreFields { game: "connect".to_string(), ..ExploreFields::default() });
        let same = ExploreFields { was: "connect".to_string(), ..form };
        assert_eq!(same.tidied().position, "A../.../...");
    }

    #[test]
    fn fields_are_checked() {
        let of = |field: &str, text: &str| {
            let asked: ExploreFields = serde_urlencoded::from_str(&format!("{field}={text}")).unwrap();
            asked
        };
        let usual = Mechanism::default();
        for text in ["1024", "-1", "x", "4294967296", "99999999999999999999"] {
            assert!(of("table", text).table_end(&usual).is_err(), "{text}");
        }
        assert_eq!(of("table", "1023").table_end(&usual).unwrap().chips(), 1023);
        assert!(of("chips", "99999999999").document(Aim::Win).is_err());
        assert!(of("alice", "4*").document(Aim::Win).unwrap().question(Aim::Win).is_err());
        assert!(of("ties", "coin").mechanism(Preset::DevelinPayne).is_err());
        assert!(of("game", &"x".repeat(5000)).check_lengths().is_err());
        assert_eq!(of("preset", "larsson").mechanism(Preset::DevelinPayne).unwrap(), Preset::Larsson.mechanism());
    }
}
