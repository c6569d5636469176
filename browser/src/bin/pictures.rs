//! Makes pictures of every page, on screens of four widths, light and dark, and a page that shows
//! them all.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use richman_browser::tour::{self, Stop};
use richman_browser::{Browser, Device, Screen, Server};

const SCREENS: [Screen; 4] = [
    Screen::with_touch(360, 740),
    Screen::with_touch(768, 1024),
    Screen::with_mouse(1400, 900),
    Screen::with_mouse(1920, 1080),
];

const USAGE: &str = "Write the folder for the pictures, and the beginnings of pages' names if not all are wanted: \
                     pictures FOLDER [NAME...]";

fn file(stop: &Stop, screen: Screen, dark: bool) -> String {
    format!("{}-{}-{}.png", stop.name, screen.width, if dark { "dark" } else { "light" })
}

/// A page that shows every picture, small.
fn index(stops: &[Stop]) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Pictures</title>\
         <style>body { font: 14px sans-serif } div { display: flex; gap: 8px; align-items: start; overflow-x: auto }\
         img { border: 1px solid #888 }</style>",
    );
    for stop in stops {
        let _ = write!(page, "<h2>{}</h2><div>", stop.name); // writing to text never fails
        for (screen, dark) in shots() {
            let file = file(stop, screen, dark);
            let width = screen.width / 4 + 40;
            let _ = write!(page, "<a href={file}><img src={file} alt={file} loading=lazy width={width}></a>");
        }
        page.push_str("</div>");
    }
    page
}

fn shots() -> impl Iterator<Item = (Screen, bool)> {
    SCREENS.into_iter().flat_map(|screen| [(screen, false), (screen, true)])
}

async fn make(folder: &Path, wanted: &[String]) -> std::io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let mut stops = tour::pages(&server).await;
    stops.extend(tour::first_game(&server, &browser).await);
    stops.extend(tour::every_stage(&server).await);
    stops.extend(tour::own_game(&server).await);
    stops.extend(tour::every_game(&server).await);
    stops.retain(|stop| wanted.is_empty() || wanted.iter().any(|name| stop.name.starts_with(name)));
    for stop in &stops {
        for screen in SCREENS {
            browser.resize(screen).await;
            browser.visit(&server, stop).await;
            for dark in [false, true] {
                browser.prefer(dark).await;
                std::fs::write(folder.join(file(stop, screen, dark)), browser.whole_page().await)?;
            }
        }
        println!("{}", stop.name);
    }
    std::fs::write(folder.join("index.html"), index(&stops))?;
    browser.close().await;
    Ok(stops.len())
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let wanted: Vec<String> = arguments.collect();
    match make(&folder, &wanted).await {
        Ok(pages) => println!("{pages} pages: {}", folder.join("index.html").display()),
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            std::process::exit(1);
        }
    }
}
