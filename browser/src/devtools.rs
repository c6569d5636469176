//! What Chromium offers to developers, through its driver: other screens, slow or broken networks,
//! pictures of whole pages.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::{Browser, Screen};

/// A command of the protocol of Chromium's tools for developers.
#[derive(Debug)]
struct DevtoolsCommand {
    name: String,
    parameters: Value,
}

impl WebDriverCompatibleCommand for DevtoolsCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "cmd": self.name, "params": self.parameters }).to_string()))
    }
}

/// The tallest picture, in pixels: Chromium repeats what is below.
const TALLEST: f64 = 16_000.0;

/// The network of a tab.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Network {
    /// As fast as the machine.
    Usual,
    /// With this delay of every answer, and this rate in each direction.
    Slow { round_trip_ms: u32, kilobits_per_second: u32 },
    /// None: every request fails, and so do those that are being answered.
    Broken,
}

impl Browser {
    /// Gives a command to Chromium's tools for developers, for the current tab.
    pub async fn devtools(&self, name: &str, parameters: Value) -> Value {
        let command = DevtoolsCommand { name: name.to_string(), parameters };
        self.page.issue_cmd(command).await.unwrap_or_else(|error| panic!("{name} fails: {error}"))
    }

    /// Gives the current tab another screen.
    pub async fn resize(&self, screen: Screen) {
        let Screen { width, height, touch, pixel_ratio } = screen;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": pixel_ratio, "mobile": touch });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let points = if touch { 5 } else { 1 };
        let fingers = json!({ "enabled": touch, "maxTouchPoints": points });
        self.devtools("Emulation.setTouchEmulationEnabled", fingers).await;
    }

    /// Makes the visitor of the current tab prefer dark or light pages, without motion.
    pub async fn prefer(&self, dark: bool) {
        self.see(dark, false, "").await;
    }

    /// Makes the system force its own colours, dark or light, onto the current tab.
    pub async fn force_colours(&self, dark: bool) {
        self.see(dark, true, "").await;
    }

    /// Shows the current tab as on paper.
    pub async fn see_print(&self) {
        self.see(false, false, "print").await;
    }

    async fn see(&self, dark: bool, is_forced: bool, media: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } },
            { "name": "forced-colors", "value": if is_forced { "active" } else { "none" } },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": media, "features": features })).await;
        let ended = "for (const one of document.getAnimations()) try { one.finish(); } catch {} // endless ones go on";
        self.script(ended).await;
    }

    /// Changes the network of the current tab. Workers that tabs share keep theirs: for them, cut
    /// the [`Line`](crate::Line).
    pub async fn set_network(&self, network: Network) {
        let (is_broken, delay, rate) = match network {
            Network::Usual => (false, 0, -1.0),
            Network::Slow { round_trip_ms, kilobits_per_second } => {
                (false, round_trip_ms, f64::from(kilobits_per_second) * 1000.0 / 8.0)
            }
            Network::Broken => (true, 0, -1.0),
        };
        self.devtools("Network.enable", json!({})).await;
        let conditions =
            json!({ "offline": is_broken, "latency": delay, "downloadThroughput": rate, "uploadThroughput": rate });
        self.devtools("Network.emulateNetworkConditions", conditions).await;
    }

    /// Makes the processor of the current tab this many times as slow, so that a page is painted
    /// before all of it is read.
    pub async fn slow_down(&self, times: u32) {
        self.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": times })).await;
    }

    /// A PNG of the whole page.
    pub async fn whole_page(&self) -> Vec<u8> {
        let size = self.devtools("Page.getLayoutMetrics", json!({})).await["cssContentSize"].clone();
        let ratio = self.script("return devicePixelRatio").await.as_f64().unwrap_or(1.0);
        let height = size["height"].as_f64().unwrap_or_default().min(TALLEST / ratio);
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1 });
        let wanted = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let picture = self.devtools("Page.captureScreenshot", wanted).await;
        let picture = picture["data"].as_str().expect("a picture").to_string();
        base64::Engine::decode(&base64::prelude::BASE64_STANDARD, picture).expect("the picture is in base 64")
    }
}
