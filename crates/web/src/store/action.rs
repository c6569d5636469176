//! Actions as they are kept: the JSON that is also spoken to programs.

use richman_play::Action;
use serde::{Deserialize, Serialize};

use super::StoreError;

/// An action in JSON: `{"bid":3}`, `{"use_star":true}`, `{"move":"b2"}`, `"let"`, `"stay"`, `"resign"`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ActionJson {
    Bid(u32),
    UseStar(bool),
    Let,
    Move(String),
    Stay,
    Resign,
}

/// The text that is kept.
pub(crate) fn action_json(action: &Action) -> Result<String, StoreError> {
    let json = match action {
        Action::Bid(bid) => ActionJson::Bid(*bid),
        Action::UseStar(used) => ActionJson::UseStar(*used),
        Action::Let => ActionJson::Let,
        Action::Move(name) => ActionJson::Move(name.clone()),
        Action::Stay => ActionJson::Stay,
        Action::Resign => ActionJson::Resign,
    };
    serde_json::to_string(&json).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// The action of a text that was kept.
pub(crate) fn read_action(text: &str) -> Result<Action, StoreError> {
    let json = serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))?;
    Ok(match json {
        ActionJson::Bid(bid) => Action::Bid(bid),
        ActionJson::UseStar(used) => Action::UseStar(used),
        ActionJson::Let => Action::Let,
        ActionJson::Move(name) => Action::Move(name),
        ActionJson::Stay => Action::Stay,
        ActionJson::Resign => Action::Resign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_reads_back() {
        let actions = [
            (Action::Bid(3), r#"{"bid":3}"#),
            (Action::UseStar(false), r#"{"use_star":false}"#),
            (Action::Let, r#""let""#),
            (Action::Move("\"b2\"/é".to_string()), r#"{"move":"\"b2\"/é"}"#),
            (Action::Stay, r#""stay""#),
            (Action::Resign, r#""resign""#),
        ];
        for (action, text) in actions {
            assert_eq!(action_json(&action).unwrap(), text);
            assert_eq!(read_action(text).unwrap(), action);
        }
        assert!(read_action(r#"{"bid":-1}"#).is_err());
    }
}
