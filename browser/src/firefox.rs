//! Firefox, through geckodriver.

use std::path::{Path, PathBuf};

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::json;
use url::{ParseError, Url};

use crate::{Browser, connect, start_driver, tool};

const MISSING: &str = "on Debian, apt-get install firefox-esr; geckodriver comes by browser/get-tools";

/// Chooses where scripts run: in the page, or in the browser itself.
#[derive(Debug)]
struct InContext(&'static str);

impl WebDriverCompatibleCommand for InContext {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/moz/context", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "context": self.0 }).to_string()))
    }
}

/// The program, as Debian calls it or as others do.
fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = ["firefox-esr", "firefox"]
        .into_iter()
        .find_map(|name| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file()));
    found.unwrap_or_else(|| panic!("Firefox is needed: {MISSING}"))
}

/// The errors and warnings about pages since the last call.
pub async fn complaints(page: &Client) -> Vec<String> {
    // The console of the browser also has what the browser says of itself.
    const TAKE: &str = "
        const all = Services.console.getMessageArray().filter(one => one instanceof Ci.nsIScriptError);
        Services.console.reset();
        return all.filter(one => /^https?:/.test(one.sourceName))
            .map(one => `${one.category}: ${one.errorMessage} (${one.sourceName}:${one.lineNumber})`);";
    page.issue_cmd(InContext("chrome")).await.expect("geckodriver may look into the browser");
    let found = page.execute(TAKE, Vec::new()).await;
    page.issue_cmd(InContext("content")).await.expect("back in the page");
    let found = found.expect("Firefox has a console");
    found.as_array().into_iter().flatten().map(|one| one.as_str().unwrap_or_default().to_string()).collect()
}

impl Browser {
    /// Opens Firefox, with a window of 1280 x 900.
    pub async fn firefox() -> Browser {
        let geckodriver = tool(Path::new("bin/geckodriver"));
        let driver = start_driver(&geckodriver, &["--allow-system-access"], "Listening on 127.0.0.1:", MISSING).await;
        let arguments = ["-headless", "--width=1280", "--height=900"];
        let options = json!({ "binary": program(), "args": arguments });
        let mut browser = connect(driver, json!({ "moz:firefoxOptions": options }), MISSING).await;
        browser.is_firefox = true;
        browser
    }
}
