//! axe-core finds nothing on any page: wide and narrow, light and dark.

use richman_browser::axe::Violations;
use richman_browser::tour::{self, Stop};
use richman_browser::{Browser, Device, Screen, Server};

const SCREENS: [Screen; 2] = [Screen::with_touch(360, 740), Screen::with_mouse(1400, 900)];

async fn are_accessible(server: &Server, browser: &Browser, stops: &[Stop]) {
    let mut text = String::new();
    for stop in stops {
        browser.visit(server, stop).await;
        let mut violations = Violations::default();
        for screen in SCREENS {
            browser.resize(screen).await;
            for dark in [false, true] {
                browser.prefer(dark).await;
                let name = format!("{}{}", screen.width, if dark { " dark" } else { "" });
                violations.add(&name, browser.violations().await);
            }
        }
        text += &violations.text(&stop.name);
    }
    assert!(text.is_empty(), "axe-core complains:\n{text}");
}

#[tokio::test]
async fn pages() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    are_accessible(&server, &browser, &tour::pages(&server).await).await;
    browser.close().await;
}

#[tokio::test]
async fn matches() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let mut stops = tour::first_game(&server, &browser).await;
    stops.extend(tour::every_stage(&server).await);
    are_accessible(&server, &browser, &stops).await;
    browser.close().await;
}

#[tokio::test]
async fn every_game() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    are_accessible(&server, &browser, &tour::every_game(&server).await).await;
    browser.close().await;
}

/// A page with a fault is noticed, in the theme that has it.
#[tokio::test]
async fn faults_are_noticed() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/").await;
    browser.is_accessible().await;
    browser.script("document.querySelector('h1').insertAdjacentHTML('afterend', '<p><button></button></p>')").await;
    let found = browser.violations().await;
    assert!(found.iter().any(|one| one.starts_with("button-name ")), "{found:?}");
    browser.close().await;
}
