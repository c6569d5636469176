//! A server and browsers for the tests: `richman serve` with its own port and database, and
//! headless Chromium through WebDriver, on any screen, in light or dark; and Firefox. If a browser,
//! its driver or axe-core is missing, an error says what to install; no test is skipped.

pub mod axe;
mod device;
mod devtools;
mod firefox;
pub mod fit;
mod line;
mod log;
pub mod playing;
pub mod seats;
pub mod tour;
pub mod vitals;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

pub use device::{Device, Screen};
pub use devtools::Network;
pub use fantoccini::elements::Element;
pub use fantoccini::key::Key;
use fantoccini::wd::WindowHandle;
pub use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
pub use line::{Line, LineState};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

/// How long a page may take to show an awaited element or state.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// How often to try an action that a change of the page can spoil.
const TRIES: u32 = 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The `richman` binary that `RICHMAN_BINARY` names, or else one built from this repository, once.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(given) = std::env::var_os("RICHMAN_BINARY") {
            return PathBuf::from(given);
        }
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
        let built = std::process::Command::new(cargo)
            .args([
                "build",
                "--locked",
                "--package",
                "richman-cli",
                "--features",
                "web",
                "--message-format=json-render-diagnostics",
            ])
            .current_dir(root())
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo runs");
        assert!(built.status.success(), "the richman binary is not built");
        let messages = String::from_utf8_lossy(&built.stdout).into_owned();
        let executable = |line: &str| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(PathBuf::from(message["executable"].as_str()?))
        };
        messages.lines().find_map(executable).expect("cargo names the binary that it built")
    })
}

/// Waits for a line that contains `before` and returns the text after it, or the lines seen if
/// there is none. Goes on reading, so that the program never blocks.
async fn announced(
    output: impl AsyncRead + Unpin + Send + 'static,
    before: &'static str,
) -> Result<String, Vec<String>> {
    let mut lines = BufReader::new(output).lines();
    let mut seen = Vec::new();
    let found = tokio::time::timeout(PATIENCE, async {
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some((_, rest)) = line.split_once(before) {
                return Some(rest.to_string());
            }
            seen.push(line);
        }
        None
    });
    let found = found.await.ok().flatten().ok_or(seen)?;
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok(found)
}

/// The path of what `get-tools` gets.
fn tool(path: &Path) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools").join(path);
    assert!(path.exists(), "{} is needed: run browser/get-tools", path.display());
    path
}

/// Starts a browser's driver; returns it with its port, the text between `before` and a full stop.
async fn start_driver(program: &Path, arguments: &[&str], before: &'static str, missing: &str) -> (Child, String) {
    // Chromium's takes a free port of IPv6 and gives up if another program has that port of IPv4.
    for attempt in 1.. {
        let mut driver = Command::new(program)
            .arg("--port=0")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{} is needed ({error}): {missing}", program.display()));
        let output = driver.stdout.take().expect("it was piped");
        match announced(output, before).await {
            Ok(port) => return (driver, port.trim_end_matches('.').to_string()),
            Err(seen) if attempt == TRIES => panic!("{} did not start; it said {seen:?}", program.display()),
            Err(_) => {}
        }
    }
    unreachable!("the last attempt panics")
}

/// A browser of a driver, with these capabilities.
async fn connect((driver, port): (Child, String), wanted: Value, missing: &str) -> Browser {
    let Value::Object(wanted) = wanted else { unreachable!("capabilities are an object") };
    let page = ClientBuilder::new(HttpConnector::new())
        .capabilities(wanted)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .unwrap_or_else(|error| panic!("the browser does not start ({error}): {missing}"));
    Browser { page, driver, is_firefox: false }
}

/// How to install Chromium.
const CHROMIUM: &str = "on Debian, apt-get install chromium chromium-driver";

/// A server that starts with an empty database and stops when dropped.
pub struct Server {
    /// Its address, such as `http://127.0.0.1:40001`.
    pub address: String,
    _process: Child,
    _folder: TempDir,
}

impl Server {
    pub async fn start() -> Server {
        Server::start_at("127.0.0.1:0").await
    }

    /// A server that listens at an address.
    pub async fn start_at(address: &str) -> Server {
        let folder = TempDir::new().expect("a folder for the database");
        let mut process = Command::new(binary())
            .args(["serve", "--listen", address, "--store"])
            .arg(folder.path().join("richman.sqlite"))
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("richman serve starts");
        let output = process.stdout.take().expect("it was piped");
        let address = announced(output, "http://").await.expect("richman serve says where it listens");
        let address = address.split('/').next().unwrap_or_default().trim();
        Server { address: format!("http://{address}"), _process: process, _folder: folder }
    }
}

/// A browser with one window. Dropping it ends the browser and its driver.
pub struct Browser {
    pub page: Client,
    driver: Child,
    is_firefox: bool,
}

impl Drop for Browser {
    /// Ends the driver and its browser, even if a test has failed.
    fn drop(&mut self) {
        if let Some(driver) = self.driver.id() {
            let group = format!("-{driver}");
            let _ = std::process::Command::new("kill").args(["-KILL", "--", &group]).status(); // best effort
        }
    }
}

impl Browser {
    /// Opens Chromium.
    pub async fn open(device: Device, dark: bool) -> Browser {
        let driver = start_driver(Path::new("chromedriver"), &[], "started successfully on port ", CHROMIUM).await;
        let Screen { width, height, touch, pixel_ratio } = device.screen();
        let mut options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
            format!("--window-size={width},{height}"),
            if dark { "--blink-settings=preferredColorScheme=0" } else { "--blink-settings=preferredColorScheme=1" },
        ] });
        if device != Device::Desktop {
            let metrics =
                json!({ "width": width, "height": height, "pixelRatio": pixel_ratio, "touch": touch, "mobile": touch });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let wanted = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        connect(driver, wanted, CHROMIUM).await
    }

    /// Opens another tab, which becomes the current one, at an address of a server.
    pub async fn open_tab(&self, server: &Server, path: &str) -> WindowHandle {
        let tab = self.page.new_window(true).await.expect("another tab").handle;
        self.show_tab(&tab).await;
        self.go(server, path).await;
        tab
    }

    /// The current tab.
    pub async fn tab(&self) -> WindowHandle {
        self.page.window().await.expect("there is a tab")
    }

    /// Makes a tab the current one.
    pub async fn show_tab(&self, tab: &WindowHandle) {
        self.page.switch_to_window(tab.clone()).await.expect("the tab is there");
    }

    /// Closes the current tab and makes another the current one.
    pub async fn close_tab(&self, then: &WindowHandle) {
        self.page.close_window().await.expect("the tab closes");
        self.show_tab(then).await;
    }

    /// Goes to an address of a server.
    pub async fn go(&self, server: &Server, path: &str) {
        self.page.goto(&format!("{}{path}", server.address)).await.expect("the page loads");
    }

    /// Waits for an element.
    pub async fn wait(&self, css: &str) -> Element {
        let found = self.page.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        match found {
            Ok(element) => element,
            Err(error) => {
                let text = self.text("body").await;
                panic!("{css} is not on the page ({error}); it says:\n{text}")
            }
        }
    }

    /// The matching elements now on the page.
    pub async fn all(&self, css: &str) -> Vec<Element> {
        self.page.find_all(Locator::Css(css)).await.expect("the page answers")
    }

    /// Whether an element matches now.
    pub async fn has(&self, css: &str) -> bool {
        !self.all(css).await.is_empty()
    }

    /// The text of the first matching element, or an empty text.
    pub async fn text(&self, css: &str) -> String {
        match self.page.find(Locator::Css(css)).await {
            Ok(element) => element.text().await.unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Clicks on an element once it is there and the page takes decisions.
    pub async fn click(&self, css: &str) {
        playing::settled(self).await;
        // A live page may replace the element between finding and clicking it.
        for attempt in 1.. {
            let element = self.wait(css).await;
            match element.click().await {
                Ok(()) => return,
                Err(error) if attempt == TRIES => panic!("{css} cannot be clicked: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Fills a field.
    pub async fn fill(&self, css: &str, text: &str) {
        for attempt in 1.. {
            let field = self.wait(css).await;
            let filled = match field.clear().await {
                Ok(()) => field.send_keys(text).await,
                Err(error) => Err(error),
            };
            match filled {
                Ok(()) => return,
                Err(error) if attempt == TRIES => panic!("{css} cannot be filled: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Presses keys wherever the focus is, once the page takes decisions.
    pub async fn press(&self, keys: &str) {
        playing::settled(self).await;
        // A live page may replace the element that has the focus.
        for attempt in 1.. {
            let focused = self.page.active_element().await.expect("something has the focus");
            match focused.send_keys(keys).await {
                Ok(()) => return,
                Err(error) if attempt == TRIES => panic!("nothing takes {keys:?}: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Runs a script and returns its result.
    pub async fn script(&self, script: &str) -> serde_json::Value {
        self.page.execute(script, Vec::new()).await.expect("the script runs")
    }

    /// Asserts that nothing is wider than the window, every control has a name, and there is one
    /// `h1`.
    pub async fn is_sound(&self) {
        let address = self.page.current_url().await.map(|url| url.path().to_string()).unwrap_or_default();
        let wide =
            self.script("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]").await;
        assert!(wide[0].as_i64() <= wide[1].as_i64(), "{address} is wider than the window: {wide}");
        let nameless = self
            .script(
                "const named = e => e.labels?.length || e.getAttribute('aria-label') || \
                 e.getAttribute('aria-labelledby') || e.textContent.trim() || e.title || e.value && e.type === 'submit';
                 return [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, \
                 a[href], [role=button]')]
                     .filter(e => !named(e)).map(e => e.outerHTML.slice(0, 200));",
            )
            .await;
        assert_eq!(nameless, json!([]), "{address} has controls without a name");
        let headings = self.script("return document.querySelectorAll('h1').length").await;
        assert_eq!(headings, json!(1), "{address} has one main heading");
    }

    /// The complaints of the console since the last call.
    pub async fn complaints(&self) -> Vec<String> {
        match self.is_firefox {
            true => firefox::complaints(&self.page).await,
            false => log::complaints(&self.page).await,
        }
    }

    /// Asserts that the console has no complaint, such as a script, a style or an address that the
    /// page may not use.
    pub async fn is_quiet(&self) {
        let complaints = self.complaints().await;
        assert!(complaints.is_empty(), "the console says {complaints:#?}");
    }

    /// Saves a picture of the window, or of the whole page, in the folder of pictures.
    pub async fn picture(&self, name: &str) {
        let folder = match std::env::var_os("RICHMAN_PICTURES") {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pictures"),
        };
        std::fs::create_dir_all(&folder).expect("the folder of pictures");
        let picture = self.page.screenshot().await.expect("a screenshot");
        assert!(picture.len() > 1000, "a picture of nothing");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("the picture is kept");
    }

    /// Closes the window.
    pub async fn close(self) {
        let _ = self.page.clone().close().await; // dropping stops the driver in any case
    }
}
