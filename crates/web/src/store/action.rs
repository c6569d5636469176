//! Actions as they are kept: the JSON that is also spoken to programs.

use richman_play::Action;

use super::StoreError;

/// The text that is kept.
pub(crate) fn action_json(action: &Action) -> Result<String, StoreError> {
    serde_json::to_string(action).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// The action of a text that was kept.
pub(crate) fn read_action(text: &str) -> Result<Action, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
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
