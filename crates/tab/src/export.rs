//! A site as files: any web server can serve them, under any path.

use std::collections::BTreeMap;
use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use richman_analysis::Games;
use richman_docs::documents;
use richman_pages::GUIDE;
use richman_pages::assets::{self, Asset, manifest_text, name_files};
use richman_pages::base::BasePath;
use sha2::{Digest, Sha256};

use crate::{Tab, TabAnswer, TabRequest};

/// A file of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Its path in the folder of the site.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The module that answers in a tab, as `wasm/build` makes it.
#[derive(Debug, Clone)]
pub struct SiteModule {
    /// `module_bg.wasm`.
    pub code: Vec<u8>,
    /// `module.js`, which has its functions.
    pub glue: Vec<u8>,
}

/// Why a page of a site cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnwrittenPage {
    /// Its address.
    pub address: String,
    /// The status of its answer.
    pub status: u16,
}

impl std::fmt::Display for UnwrittenPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the page {} has the status {}", self.address, self.status)
    }
}

impl std::error::Error for UnwrittenPage {}

/// The pages that are there before the module is: the first ones that visitors open.
const ENTRIES: [&str; 8] = ["/", "/first", "/new", "/explore", "/review", "/rules", "/help", "/about"];

/// The files of a site with these games. `server` is the address of a server where others can be
/// met. From then on, pages made in this process are pages of the site.
///
/// # Errors
/// [`UnwrittenPage`] names a page that cannot be made.
pub fn site_files(games: &Games, module: &SiteModule, server: Option<&str>) -> Result<Vec<SiteFile>, UnwrittenPage> {
    let mut files = SiteFiles::default();
    let tab = Tab::new(games.clone(), BasePath::default(), server.map(str::to_string));
    assets::files().for_each(|asset| files.add_asset(asset));
    tab.pages.pictures().for_each(|asset| files.add_asset(asset));
    let own = [("worker.js", include_bytes!("../assets/worker.js").to_vec()), ("module.js", module.glue.clone())];
    let [worker, glue] = own.map(|(name, bytes)| files.add(name, bytes));
    let code = files.add("module.wasm", module.code.clone());
    let settings = serde_json::json!({
        "server": server, "files": files.names, "worker": worker, "glue": glue, "module": code,
    });
    let script = include_str!("../assets/site.js").replacen("SETTINGS = {}", &format!("SETTINGS = {settings}"), 1);
    files.add("site.js", script.into_bytes());
    name_files(files.names.clone());
    files.pages(tab)?;
    files.put("manifest.webmanifest", manifest_text().into_bytes());
    files.put("404.html", shell(&files.names["site.js"], &files.names["style.css"]).into_bytes());
    files.add_service_worker();
    Ok(files.found)
}

/// The files so far, and their addresses by their names.
#[derive(Default)]
struct SiteFiles {
    found: Vec<SiteFile>,
    names: BTreeMap<String, String>,
}

impl SiteFiles {
    fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.found.push(SiteFile { path: path.to_string(), bytes });
    }

    fn add_asset(&mut self, asset: &Asset) {
        let (stem, ending) = asset.file_name().rsplit_once('.').unwrap_or((asset.file_name(), ""));
        let stem = stem.rsplit_once('-').map_or(stem, |(stem, _)| stem);
        self.names.insert(format!("{stem}.{ending}"), asset.name.clone());
        self.put(asset.name.trim_start_matches('/'), asset.bytes.to_vec());
    }

    /// Adds a file whose name holds its hash, and returns its address.
    fn add(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let address = format!("/assets/{stem}-{}.{ending}", hash(&bytes));
        self.put(address.trim_start_matches('/'), bytes);
        self.names.insert(name.to_string(), address.clone());
        address
    }

    /// Adds the pages that are there before the module is, and the guide.
    fn pages(&mut self, mut tab: Tab) -> Result<(), UnwrittenPage> {
        let guide = documents().map(|document| match document.name {
            "" => GUIDE.to_string(),
            name => format!("{GUIDE}/{name}"),
        });
        let addresses: Vec<String> = ENTRIES.iter().map(|entry| entry.to_string()).chain(guide).collect();
        for address in &addresses {
            let asked = TabRequest { method: "GET".into(), address: address.clone(), ..TabRequest::default() };
            let TabAnswer { status, body, .. } = tab.answer(asked);
            if status != 200 {
                return Err(UnwrittenPage { address: address.clone(), status });
            }
            let depth = address.matches('/').count() - usize::from(address == "/");
            let page = BasePath::relative(depth).rebased(&String::from_utf8_lossy(&body));
            let page = in_folders(&page, &addresses).replacen(CHARSET, &format!("{CHARSET}{}", policy("")), 1);
            let path = format!("{address}/index.html");
            self.put(path.trim_start_matches('/'), page.into_bytes());
        }
        Ok(())
    }

    fn add_service_worker(&mut self) {
        let mut version = Sha256::new();
        let mut paths = Vec::new();
        for file in &self.found {
            version.update(file.path.as_bytes());
            version.update(&file.bytes);
            paths.push(file.path.strip_suffix("index.html").unwrap_or(&file.path));
        }
        let version = short(&version.finalize());
        let script = include_str!("../assets/service-worker.js")
            .replacen("VERSION = \"\"", &format!("VERSION = \"{version}\""), 1)
            .replacen("FILES = []", &format!("FILES = {}", serde_json::json!(paths)), 1);
        self.put("service-worker.js", script.into_bytes());
    }
}

const CHARSET: &str = "<meta charset=\"utf-8\">";

/// What the pages of a site may load and run, as those of a server may, and the module; `more` are
/// scripts. A drawing has a style of its own.
fn policy(more: &str) -> String {
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'self' 'wasm-unsafe-eval'{more}; worker-src 'self'; connect-src 'self'; \
         style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; \
         form-action 'self'; base-uri 'none'\">"
    )
}

fn hash(bytes: &[u8]) -> String {
    short(&Sha256::digest(bytes))
}

fn short(hash: &[u8]) -> String {
    hash.iter().take(6).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes everything
        text
    })
}

/// A page whose links to other files of the site end with a slash, as the folders of these do.
fn in_folders(page: &str, addresses: &[String]) -> String {
    let mut text = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find(" href=\".") {
        let (before, link) = rest.split_at(at + " href=\"".len());
        let end = link.find(['"', '#', '?']).unwrap_or(link.len());
        let (target, after) = link.split_at(end);
        text += before;
        text += target;
        let path = target.trim_start_matches("../").trim_start_matches("./");
        if addresses.iter().any(|address| !path.is_empty() && address.trim_start_matches('/') == path) {
            text.push('/');
        }
        rest = after;
    }
    text + rest
}

/// The page at every address that has no file: its script asks the worker. It finds the path of the
/// site by the names of addresses, as it may be at any depth; an empty name, as in `//x`, would be
/// another host.
fn shell(script: &str, style: &str) -> String {
    const NAMES: &str =
        "m|join|play|watch|record|review|explore|new|first|guide|rules|help|about|api|kept|embed|events";
    let script = format!(
        "\n\
         const base = /^((?:\\/[^\\/\\\\]+)*?)\\/(?:(?:{NAMES})(?:\\/.*)?|[^\\/]*)$/;\n\
         const path = base.exec(location.pathname)?.[1] ?? \"\";\n\
         document.write('<link rel=\"stylesheet\" href=\"' + path + '{style}\"><script src=\"' + path + \
         '{script}\" defer><' + '/script>');\n"
    );
    let allowed = format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(&script)));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-shell>\n<head>\n{CHARSET}\n{policy}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Richman</title>\n\
         <script>{script}</script>\n</head>\n\
         <body><main id=\"main\"><p>One moment.</p><noscript><p>These pages need a script, because they have no server.\
         </p></noscript></main></body>\n</html>\n",
        policy = policy(&allowed),
    )
}
