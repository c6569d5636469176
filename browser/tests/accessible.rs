//! On every page axe-core finds nothing, wide and narrow, light and dark; and everything fits, on
//! screens of all sizes and on paper.

use richman_browser::axe::Violations;
use richman_browser::tour::{self, Stop};
use richman_browser::{Browser, Device, Screen, Server, fit};

const SCREENS: [Screen; 2] = [Screen::with_touch(360, 740), Screen::with_mouse(1400, 900)];

async fn are_well_made(server: &Server, browser: &Browser, stops: &[Stop]) {
    let mut text = String::new();
    for stop in stops {
        browser.visit(server, stop).await;
        let mut violations = Violations::default();
        for screen in SCREENS {
            browser.resize(screen).await;
            browser.prefer(false).await;
            violations.add(&screen.width.to_string(), browser.violations().await);
            // The themes differ in their colours alone.
            browser.prefer(true).await;
            violations.add(&format!("{} dark", screen.width), browser.violations_of_colours().await);
        }
        violations.add("forced colours", browser.lost_in_forced_colours().await);
        browser.script("for (const one of document.querySelectorAll('main details')) one.open = true").await;
        for screen in fit::SCREENS {
            browser.resize(screen).await;
            violations.add(&format!("{}x{}", screen.width, screen.height), browser.misfits().await);
        }
        violations.add("paper", browser.unprinted().await);
        text += &violations.text(&stop.name);
    }
    assert!(text.is_empty(), "{text}");
}

#[tokio::test]
async fn pages() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    are_well_made(&server, &browser, &tour::pages(&server).await).await;
    browser.close().await;
}

#[tokio::test]
async fn matches() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let mut stops = tour::first_game(&server, &browser).await;
    stops.extend(tour::every_stage(&server).await);
    stops.extend(tour::own_game(&server).await);
    are_well_made(&server, &browser, &stops).await;
    browser.close().await;
}

#[tokio::test]
async fn every_game() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let mut stops = tour::every_game(&server).await;
    stops.retain(|stop| !stop.name.ends_with("-start")); // later turns have all that the first has
    are_well_made(&server, &browser, &stops).await;
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
    let pale = "const rule = '@media (prefers-color-scheme: dark) { .lead { color: #333 } }';
                document.styleSheets[0].insertRule(rule, document.styleSheets[0].cssRules.length)";
    browser.script(pale).await;
    for dark in [false, true] {
        browser.prefer(dark).await;
        let found = browser.violations_of_colours().await;
        assert_eq!(found.iter().any(|one| one.starts_with("color-contrast ")), dark, "{found:?}");
    }
    browser.close().await;
}
