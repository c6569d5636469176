//! Hex: boards of hexagons, played to the end and explored.

use richman_browser::playing::{Hands, becomes, decide, is_over, ready};
use richman_browser::{Browser, Device, Server};

/// Sets up a match against the computer.
async fn set_up(browser: &Browser, server: &Server, size: u32) {
    browser.go(server, &format!("/new?game=hex&hex.size={size}")).await;
    browser.is_sound().await;
    browser.click("form button.big").await;
    browser.wait("#match").await;
}

/// A match to the end, and its review.
async fn a_match(device: Device, size: u32, hands: Hands) {
    let server = Server::start().await;
    let browser = Browser::open(device, false).await;
    let name = |what: &str| format!("hex-{size}-{what}-{}", device.name());
    set_up(&browser, &server, size).await;
    for turn in 0..60 {
        ready(&browser).await;
        if is_over(&browser).await {
            break;
        }
        if turn == 0 {
            let cells = browser.all("#board polygon.place").await;
            assert_eq!(cells.len() as u32, size * size, "a hexagon for each cell");
        }
        browser.is_sound().await;
        if turn == 4 {
            browser.picture(&name("play")).await;
        }
        decide(&browser, hands, 1 + turn % 2).await;
    }
    assert!(is_over(&browser).await, "the match ends");
    browser.picture(&name("end")).await;
    browser.is_quiet().await;
    browser.click(".action.over a[href^='/review/']").await;
    browser.wait("table.turns").await;
    browser.is_sound().await;
    browser.picture(&name("review")).await;
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn a_small_board_on_a_desktop_with_the_keyboard() {
    a_match(Device::Desktop, 3, Hands::Keyboard).await;
}

#[tokio::test]
async fn a_small_board_on_a_phone() {
    a_match(Device::Phone, 4, Hands::Mouse).await;
}

/// The usual board fits on a phone and has hints, although it is too large to solve with chips.
#[tokio::test]
async fn the_usual_board_on_a_phone() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    set_up(&browser, &server, 11).await;
    for turn in 0..6 {
        ready(&browser).await;
        browser.is_sound().await;
        if turn == 4 {
            browser.picture("hex-11-play-phone").await;
        }
        decide(&browser, Hands::Mouse, 2).await;
    }
    ready(&browser).await;
    browser.click(".hint-form button").await;
    browser.wait(".hint").await;
    let hint = browser.text(".hint").await;
    assert!(hint.starts_with("Hint: "), "{hint}");
    // The hint outlives a refresh, for example after the other player's bid.
    let refresh = "document.getElementById('match').isOld = true; \
                   dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))";
    browser.script(refresh).await;
    becomes(&browser, "the refresh", "return !document.getElementById('match').isOld").await;
    assert_eq!(browser.text(".hint").await, hint);
    browser.picture("hex-11-hint-phone").await;
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn the_usual_board_explored() {
    let server = Server::start().await;
    for device in [Device::Desktop, Device::Phone] {
        let browser = Browser::open(device, false).await;
        browser.go(&server, "/explore?game=hex:size%3D11").await;
        browser.wait(".worth .advice").await;
        browser.is_sound().await;
        browser.picture(&format!("hex-11-explore-{}", device.name())).await;
        assert_eq!(browser.all("#board polygon.place").await.len(), 121);
        assert_eq!(browser.all("#board polygon.heat").await.len(), 121, "each with its colour");
        assert!(browser.text(".worth .advice").await.contains("f6"), "the middle is best");
        browser.click("#board [data-place=f6]").await;
        browser.wait("#board .place:not(.open)[data-place=f6]").await;
        browser.wait(".worth .advice").await;
        browser.is_sound().await;
        browser.is_quiet().await;
        browser.close().await;
    }
}
