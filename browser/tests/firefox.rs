//! Firefox can do what most visitors do.

use richman_browser::playing::{Hands, decide, is_over, ready};
use richman_browser::{Browser, Server};

#[tokio::test]
async fn the_first_game_its_review_and_an_exploration() {
    let server = Server::start().await;
    let browser = Browser::firefox().await;
    browser.go(&server, "/").await;
    browser.is_sound().await;
    browser.click("form[action='/first'] button").await;
    browser.wait("#match").await;
    for _ in 0..200 {
        ready(&browser).await;
        if is_over(&browser).await {
            break;
        }
        decide(&browser, Hands::Mouse, 2).await;
    }
    assert!(is_over(&browser).await, "the match ends");
    browser.is_sound().await;
    browser.click(".action.over a[href^='/review/']").await;
    browser.wait("table.turns").await;
    browser.is_sound().await;
    browser.go(&server, "/explore?game=tic-tac-toe&alice=4*&bob=4").await;
    browser.wait("svg .outcome-alice").await;
    browser.is_sound().await;
    browser.is_quiet().await;
    browser.close().await;
}

/// A complaint of the console is noticed.
#[tokio::test]
async fn complaints_are_noticed() {
    let server = Server::start().await;
    let browser = Browser::firefox().await;
    browser.go(&server, "/").await;
    browser.is_quiet().await;
    browser.script("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">')").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let complaints = browser.complaints().await;
    assert!(complaints.iter().any(|one| one.contains("Content-Security-Policy")), "{complaints:?}");
    browser.close().await;
}
