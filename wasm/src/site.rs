//! The pages of a tab, for the worker of a site.

use std::collections::BTreeMap;

use richman::games::Games;
use richman_tab::{Tab, TabRequest};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// The pages, and all that they know.
#[wasm_bindgen]
pub struct Site(Tab);

/// What a page is told: the answer without its content, which follows apart.
#[wasm_bindgen]
pub struct SiteAnswer {
    head: String,
    body: Vec<u8>,
}

/// Where the site is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteSettings {
    /// The path above its addresses.
    base: String,
    /// The address of a server where others can be met.
    server: Option<String>,
    /// The addresses of the site's files, below the base.
    files: BTreeMap<String, String>,
}

/// A request without its content.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteRequest {
    method: String,
    address: String,
    host: String,
    headers: Vec<(String, String)>,
}

#[wasm_bindgen]
impl Site {
    /// The pages of a site, whose settings are JSON.
    ///
    /// # Errors
    /// Says what is wrong with the settings.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str) -> Result<Site, String> {
        let settings: SiteSettings = serde_json::from_str(settings).map_err(|error| error.to_string())?;
        richman_pages::assets::name_files(settings.files);
        Ok(Site(Tab::new(Games::default(), settings.base.parse()?, settings.server)))
    }

    /// Takes in a document that the browser has kept.
    pub fn load(&mut self, name: &str, text: &str) {
        self.0.load(name, text);
    }

    /// The answer to a request, whose head is JSON.
    ///
    /// # Errors
    /// Says what is wrong with the request.
    pub fn answer(&mut self, head: &str, body: &[u8]) -> Result<SiteAnswer, String> {
        let SiteRequest { method, address, host, headers } =
            serde_json::from_str(head).map_err(|error| error.to_string())?;
        let answer = self.0.answer(TabRequest { method, address, host, headers, body: body.to_vec() });
        let head = serde_json::json!({
            "status": answer.status, "address": answer.address, "headers": answer.headers,
        });
        Ok(SiteAnswer { head: head.to_string(), body: answer.body })
    }

    /// The documents that changed, as JSON.
    pub fn changes(&mut self) -> String {
        serde_json::to_string(&self.0.changes()).unwrap_or_default()
    }

    /// The matches that changed, as JSON.
    pub fn news(&mut self) -> String {
        serde_json::to_string(&self.0.news()).unwrap_or_default()
    }

    /// The versions of these matches, both JSON.
    pub fn versions(&self, names: &str) -> String {
        let names: Vec<String> = serde_json::from_str(names).unwrap_or_default();
        serde_json::to_string(&self.0.versions(&names)).unwrap_or_default()
    }

    /// The name of the match that was looked at last.
    pub fn seen(&self) -> Option<String> {
        self.0.seen()
    }

    /// Goes on with a match that a site before this one looked at.
    pub fn look(&mut self, name: &str) {
        self.0.look(name);
    }

    /// Decides for the computer, if a match waits for it; whether it did.
    pub fn work(&mut self) -> bool {
        let is_waited_for = self.0.is_waited_for();
        if is_waited_for {
            self.0.work();
        }
        is_waited_for
    }
}

#[wasm_bindgen]
impl SiteAnswer {
    /// The status, the address after redirects, and headers, as JSON.
    #[wasm_bindgen(getter)]
    pub fn head(&self) -> String {
        self.head.clone()
    }

    /// The content.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Vec<u8> {
        self.body.clone()
    }
}
