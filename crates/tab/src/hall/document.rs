//! The documents of matches and of records.

use richman_hall::kept_match::{self, FORM};
use richman_hall::refused::Refusal;
use richman_hall::token::GameId;
use richman_hall::{FileText, ShownRecord};
use serde::{Deserialize, Serialize};

/// The name of the document of a match.
pub(super) fn name(id: &GameId) -> String {
    format!("match/{id}")
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
        let kept: KeptRecord = serde_json::from_str(text).map_err(kept_match::damaged)?;
        Ok(ShownRecord { text: kept.text, file: kept.file.map(FileText::from) })
    }
}
