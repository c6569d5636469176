//! The module for JavaScript: a function that answers requests, all of them JSON.
//!
//! ```text
//! questions   the functions by name
//! matches     those about a match
//! site        the pages of a tab
//! refusal     why there is no answer, as JSON
//! watch       progress and limits
//! ```

mod matches;
mod questions;
mod refusal;
mod site;
mod watch;

use wasm_bindgen::prelude::wasm_bindgen;

/// The answer of a function to a request, both JSON; `limits` has its `time` in seconds, `memory`
/// in bytes, and `positions`.
///
/// # Errors
/// `{"code": ..., "message": ..., "remedies": [...]}` as text.
#[wasm_bindgen]
pub fn answer(function: &str, request: &str, limits: &str) -> Result<String, String> {
    questions::answer(function, request, limits).map_err(|refusal| refusal.json())
}
