//! The messages of the browser's console.

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use url::{ParseError, Url};

/// Asks Chromium's driver for the messages.
#[derive(Debug)]
struct Console;

impl WebDriverCompatibleCommand for Console {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(r#"{"type":"browser"}"#.to_string()))
    }
}

/// The complaints since the last call.
pub async fn complaints(page: &Client) -> Vec<String> {
    let console = page.issue_cmd(Console).await.expect("the driver has the console");
    let entries = console.as_array().cloned().unwrap_or_default();
    let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
    severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_string()).collect()
}
