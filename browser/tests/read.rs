//! Reviews and explorations.

use richman_browser::{Browser, Device, Server, playing};

const RECORD: &str = include_str!("../../examples/dp10-1-1.txt");

/// A pasted record: its curve, its mistakes, turn by turn.
async fn review(device: Device, dark: bool) {
    let server = Server::start().await;
    let browser = Browser::open(device, dark).await;
    let name = |what: &str| format!("{what}-{}{}", device.name(), if dark { "-dark" } else { "" });
    browser.go(&server, "/review").await;
    browser.is_sound().await;
    browser.fill("#record", RECORD).await;
    browser.click("form.paste button.primary").await;
    browser.wait("table.turns").await;
    browser.is_sound().await;
    browser.picture(&name("review")).await;
    let curve = "const i = document.querySelector('img'); return !!i && i.complete && i.naturalWidth > 100";
    playing::becomes(&browser, "the margin curve", curve).await;
    assert!(browser.has("svg.board .marked").await, "the better move is on the board");
    let title = browser.text("#turn").await;
    browser.click("nav.steps a").await;
    browser.wait("#turn").await;
    assert_ne!(browser.text("#turn").await, title, "another turn");
    browser.is_sound().await;
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn a_review_on_a_desktop() {
    review(Device::Desktop, false).await;
}

#[tokio::test]
async fn a_review_on_a_phone_in_the_dark() {
    review(Device::Phone, true).await;
}

/// From the start of a game to another position by a link, with numbers and heat map.
async fn exploration(device: Device, dark: bool) {
    let server = Server::start().await;
    let browser = Browser::open(device, dark).await;
    let name = |what: &str| format!("{what}-{}{}", device.name(), if dark { "-dark" } else { "" });
    browser.go(&server, "/explore?game=tic-tac-toe").await;
    browser.is_sound().await;
    playing::becomes(&browser, "the threshold", "return document.body.textContent.includes('133/256')").await;
    browser.picture(&name("explore-money")).await;
    browser.go(&server, "/explore?game=tic-tac-toe&alice=4*&bob=4").await;
    browser.is_sound().await;
    browser.wait("svg .outcome-alice").await; // the heat map, which may take a moment
    browser.picture(&name("explore-chips")).await;
    browser.click("a[href*='position=']").await;
    browser.wait("svg.board").await;
    let address = browser.page.current_url().await.unwrap();
    assert!(address.query().unwrap_or_default().contains("position="), "{address}");
    browser.is_sound().await;
    browser.go(&server, "/explore?game=subtraction").await;
    browser.is_sound().await;
    browser.picture(&name("explore-scores")).await;
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn an_exploration_on_a_desktop() {
    exploration(Device::Desktop, false).await;
}

#[tokio::test]
async fn an_exploration_on_a_phone_in_the_dark() {
    exploration(Device::Phone, true).await;
}

/// Every page, on the narrowest screen, in the dark.
#[tokio::test]
async fn every_page_is_sound_on_the_narrowest_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Narrow, true).await;
    for path in ["/", "/new", "/explore", "/explore?game=connect:rows=4,cols=4", "/review", "/api"] {
        browser.go(&server, path).await;
        browser.is_sound().await;
        browser.picture(&format!("narrow{}", path.replace(|letter: char| !letter.is_alphanumeric(), "-"))).await;
    }
    browser.is_quiet().await;
    browser.go(&server, "/nothing-here").await;
    browser.is_sound().await;
    browser.close().await;
}
