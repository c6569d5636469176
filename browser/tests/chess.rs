//! Chess: pieces moved by pointing at squares, with a mouse, by touch and by keys.

use richman_browser::playing::{Hands, decide, is_over, ready};
use richman_browser::{Browser, Device, Server};

async fn set_up(browser: &Browser, server: &Server, fields: &str) {
    browser.go(server, &format!("/new?game=chess&{fields}")).await;
    browser.is_sound().await;
    browser.click("form button.big").await;
    browser.wait("#match").await;
}

/// A match on a small board, to the end or for long enough, and its review.
async fn a_match(device: Device, dark: bool, hands: Hands) {
    let server = Server::start().await;
    let browser = Browser::open(device, dark).await;
    set_up(&browser, &server, "chess.size=4").await;
    for turn in 0..40 {
        ready(&browser).await;
        if is_over(&browser).await {
            break;
        }
        if turn == 0 {
            assert_eq!(browser.all("#board [data-place]").await.len(), 16, "a place for each square");
        }
        browser.is_sound().await;
        decide(&browser, hands, 2 + turn % 3).await;
    }
    browser.picture(&format!("chess-4-{}", device.name())).await;
    browser.is_quiet().await;
    if is_over(&browser).await {
        browser.click(".action.over a[href^='/review/']").await;
        browser.wait("table.turns").await;
        browser.is_sound().await;
        browser.is_quiet().await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_small_board_on_a_desktop_with_the_keyboard() {
    a_match(Device::Desktop, false, Hands::Keyboard).await;
}

#[tokio::test]
async fn a_small_board_on_a_dark_phone() {
    a_match(Device::Phone, true, Hands::Mouse).await;
}

/// The whole game fits on a phone, has hints, and can be explored.
#[tokio::test]
async fn the_usual_board() {
    let server = Server::start().await;
    for (device, dark) in [(Device::Phone, false), (Device::Desktop, true)] {
        let browser = Browser::open(device, dark).await;
        set_up(&browser, &server, "chess.size=8").await;
        ready(&browser).await;
        browser.is_sound().await;
        browser.picture(&format!("chess-8-play-{}", device.name())).await;
        browser.click(".hint-form button").await;
        browser.wait(".hint").await;
        browser.go(&server, "/explore?game=chess&position=4k3/3r4/8/8/8/8/8/3QK3").await;
        browser.wait(".worth").await;
        browser.is_sound().await;
        browser.picture(&format!("chess-8-explore-{}", device.name())).await;
        browser.is_quiet().await;
        browser.close().await;
    }
}
