//! `richman site`

use std::path::PathBuf;

use clap::Args;
use richman_analysis::Games;

use crate::{Done, TerminalWatch};

#[derive(Debug, Args)]
pub struct SiteArgs {
    /// The folder to write the site to: a new one, an empty one, or one with a site, which then
    /// gets the new pages
    pub folder: PathBuf,
    /// The module that answers in the browser: module_bg.wasm, which `wasm/build` makes, with
    /// module.js next to it [default: the one in this program, if it was built with one]
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
    /// The address of a server where visitors can meet others, such as https://play.example
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
}

/// Says how to build a command with the web application.
#[cfg(not(feature = "web"))]
pub fn run(_: &SiteArgs, _: &Games, _: &TerminalWatch) -> Done {
    Err(crate::CliError::Usage(super::WITHOUT_WEB.to_string()))
}

#[cfg(feature = "web")]
pub fn run(args: &SiteArgs, games: &Games, watch: &TerminalWatch) -> Done {
    use richman_core::Watch;
    use richman_tab::export::site_files;

    use crate::{CliError, output};

    let server = args.server.as_deref().map(origin).transpose()?;
    let module = match &args.module {
        Some(path) => module_in(path)?,
        None => built_in().ok_or_else(|| CliError::Usage(WITHOUT_MODULE.to_string()))?,
    };
    check_folder(&args.folder)?;
    let files = site_files(games, &module, server.as_deref())
        .map_err(|error| CliError::Usage(format!("the site was not written: {error}")))?;
    for (number, file) in files.iter().enumerate() {
        if watch.cancelled() {
            return Err(richman_core::Error::Cancelled.into());
        }
        watch.progress("writing files", number as u64, Some(files.len() as u64));
        let path = args.folder.join(&file.path);
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| richman_files::write_file(&path, |out| std::io::Write::write_all(out, &file.bytes)));
        written.map_err(|error| CliError::Save(path, error))?;
    }
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    output::text(&format!(
        "{} has a site of {} files and {:.1} MB. Any web server can serve the folder, under any path; let it answer \
         unknown addresses with 404.html.\n",
        args.folder.display(),
        files.len(),
        bytes as f64 / 1e6
    ))
}

/// How to make a module.
#[cfg(feature = "web")]
const WITHOUT_MODULE: &str = "a site needs the module that answers in the browser: `wasm/build` in the sources makes \
    it, and --module wasm/target/package/module_bg.wasm names it";

/// The most bytes of a module.
#[cfg(feature = "web")]
const LARGEST: u64 = 64 << 20;

/// The module in this program.
#[cfg(all(feature = "web", has_module))]
fn built_in() -> Option<richman_tab::export::SiteModule> {
    let code = include_bytes!(concat!(env!("RICHMAN_MODULE"), "/module_bg.wasm")).to_vec();
    let glue = include_bytes!(concat!(env!("RICHMAN_MODULE"), "/module.js")).to_vec();
    Some(richman_tab::export::SiteModule { code, glue })
}

#[cfg(all(feature = "web", not(has_module)))]
fn built_in() -> Option<richman_tab::export::SiteModule> {
    None
}

/// The module in a file.
#[cfg(feature = "web")]
fn module_in(path: &std::path::Path) -> Result<richman_tab::export::SiteModule, crate::CliError> {
    let code = read(path)?;
    if !code.starts_with(b"\0asm") {
        return Err(crate::CliError::Usage(format!("--module {}: this is no WebAssembly module", path.display())));
    }
    Ok(richman_tab::export::SiteModule { code, glue: read(&path.with_file_name("module.js"))? })
}

#[cfg(feature = "web")]
fn read(path: &std::path::Path) -> Result<Vec<u8>, crate::CliError> {
    use std::io::Read;

    let unread = |error| crate::CliError::Usage(format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(unread)?;
    Ok(bytes)
}

/// Refuses a folder with files that are no site.
#[cfg(feature = "web")]
fn check_folder(folder: &std::path::Path) -> Result<(), crate::CliError> {
    let refused = |reason: String| Err(crate::CliError::Usage(format!("{}: {reason}", folder.display())));
    match std::fs::read_dir(folder) {
        Ok(entries) => match entries.count() == 0 || folder.join("service-worker.js").is_file() {
            true => Ok(()),
            false => refused("this folder has other files: name a new one".to_string()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => refused(error.to_string()),
    }
}

/// The address of a server, without a slash at its end.
#[cfg(feature = "web")]
fn origin(text: &str) -> Result<String, crate::CliError> {
    let address = text.trim_end_matches('/');
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let is_plain = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    match rest.is_some_and(is_plain) {
        true => Ok(address.to_string()),
        false => Err(crate::CliError::Usage(format!("--server {text}: write an address such as https://play.example"))),
    }
}
